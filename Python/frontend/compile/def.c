/* Functions, lambdas, classes and comprehensions: the constructs that begin a new unit. */
#include "codegen.h"
#include "internal/frontend.h"
#include "internal/names.h"

#include <string.h>

/* ------------------ decorators: nested windows, the decorated object on top */

static int
push_decorators(Gen *g, AstSeq *decorators)
{
    for (Py_ssize_t i = 0; i < decorators->size; i++) {
        TRY(_PyGen_Push(g, decorators->items[i]));
        TRY(_PyGen_Reserve(g, FRAME_WORDS - 1));
    }
    return 0;
}

/* The decorated object is in register `thing`, which is the top. Pushes the result in the
   lowest window and returns its register. */
static int
apply_decorators(Gen *g, AstSeq *decorators, int thing)
{
    SrcLoc loc = g->u->loc;
    for (Py_ssize_t i = decorators->size - 1; i >= 0; i--) {
        gen_set_loc(g, decorators->items[i]);
        thing -= FRAME_WORDS;
        EMIT(CALL, thing, 1, thing);
    }
    g->u->loc = loc;
    _PyGen_SetTop(g, thing + 1);
    return thing;
}

static int
first_line(AstNode *s, AstSeq *decorators)
{
    return decorators->size ? decorators->items[0]->pos.lineno : s->pos.lineno;
}

/* ------------------------------------------- defaults, annotations, closure */

static int
push_defaults(Gen *g, AstSeq *defaults)
{
    PyObject *tuple = _PyGen_ConstTuple(defaults);
    if (tuple != NULL) {
        int reg = 0;
        for (Py_ssize_t i = 0; i < defaults->size && reg >= 0; i++) {
            reg = _PyGen_ShowLine(g, defaults->items[i]);
        }
        if (reg >= 0) {
            reg = _PyGen_PushConst(g, tuple);
        }
        Py_DECREF(tuple);
        return reg;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    return _PyGen_Display(g, AST_Tuple, defaults, PUSH);
}

/* Returns 1 if a dict was pushed, 0 if there are no defaults. */
static int
push_kwdefaults(Gen *g, Ast_arguments *args)
{
    int base = g->u->top, n = 0;
    PyObject *keys = PyList_New(0);
    if (keys == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < args->kwonlyargs->size; i++) {
        AstNode *value = args->kw_defaults->items[i];
        if (value == NULL) {
            continue;
        }
        PyObject *name = AS(arg, args->kwonlyargs->items[i])->arg;
        name = _PyGen_Mangle(g, name);
        if (name == NULL || PyList_Append(keys, name) < 0
            || _PyGen_Push(g, value) < 0) {
            Py_DECREF(keys);
            return -1;
        }
        n++;
    }
    PyObject *tuple = PyList_AsTuple(keys);
    Py_DECREF(keys);
    if (n == 0 || tuple == NULL) {
        Py_XDECREF(tuple);
        return tuple == NULL ? -1 : 0;
    }
    int index = _PyGen_ConstSteal(g, tuple);
    TRY(index);
    _PyGen_SetTop(g, base);
    int reg = _PyGen_Alloc(g);
    TRY(reg);
    EMIT_ARG(BUILD_CONST_KEY_MAP, reg, base, n, index);
    return 1;
}

int
_PyGen_Annotation(Gen *g, AstNode *annotation)
{
    if (g->flags & CO_FUTURE_ANNOTATIONS) {
        PyObject *text = _PyAst_Unparse(annotation);
        if (text == NULL) {
            return -1;
        }
        int reg = _PyGen_PushConst(g, text);
        Py_DECREF(text);
        return reg;
    }
    if (annotation->kind == AST_Starred) {
        /* *args: *Ts */
        int base = g->u->top;
        int r = _PyGen_Push(g, AS(Starred, annotation)->value);
        TRY(r);
        int source = _PyGen_Alloc(g);
        TRY(source);
        EMIT(MOVE, source, r, 0);
        EMIT(UNPACK_SEQUENCE, r, source, 1);
        _PyGen_SetTop(g, base + 1);
        return r;
    }
    return _PyGen_Push(g, annotation);
}

static int
push_annotation(Gen *g, PyObject *name, AstNode *annotation, int *n)
{
    if (annotation == NULL) {
        return 0;
    }
    name = _PyGen_Mangle(g, name);
    if (name == NULL) {
        return -1;
    }
    TRY(_PyGen_PushConst(g, name));
    TRY(_PyGen_Annotation(g, annotation));
    *n += 2;
    return 0;
}

static int
push_arg_annotations(Gen *g, AstSeq *args, int *n)
{
    for (Py_ssize_t i = 0; i < args->size; i++) {
        Ast_arg *arg = AS(arg, args->items[i]);
        TRY(push_annotation(g, arg->arg, arg->annotation, n));
    }
    return 0;
}

/* Returns 1 if a tuple of names and values was pushed, 0 if there are none. */
static int
push_annotations(Gen *g, Ast_arguments *args, AstNode *returns)
{
    int base = g->u->top, n = 0;
    TRY(push_arg_annotations(g, args->args, &n));
    TRY(push_arg_annotations(g, args->posonlyargs, &n));
    if (args->vararg != NULL) {
        Ast_arg *arg = AS(arg, args->vararg);
        TRY(push_annotation(g, arg->arg, arg->annotation, &n));
    }
    TRY(push_arg_annotations(g, args->kwonlyargs, &n));
    if (args->kwarg != NULL) {
        Ast_arg *arg = AS(arg, args->kwarg);
        TRY(push_annotation(g, arg->arg, arg->annotation, &n));
    }
    if (returns != NULL) {
        TRY(push_annotation(g, _Py_NAME(code_return), returns, &n));
    }
    if (n == 0) {
        return 0;
    }
    _PyGen_SetTop(g, base);
    int reg = _PyGen_Alloc(g);
    TRY(reg);
    EMIT(BUILD_TUPLE, reg, base, n);
    return 1;
}

/* Steals the reference to code. The objects that `flags` names are pushed from base up. */
static int
make_function(Gen *g, PyCodeObject *code, int flags, int base, int dest)
{
    if (code == NULL) {
        return -1;
    }
    int closure = _PyGen_PushClosure(g, code);
    int index = _PyGen_ConstSteal(g, (PyObject *)code);
    TRY(closure);
    TRY(index);
    flags |= closure ? MAKE_CLOSURE : 0;
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT_ARG(MAKE_FUNCTION, reg, flags ? base : 0, flags, index);
    return reg;
}

static int
check_args_names(Gen *g, Ast_arguments *args)
{
    AstSeq *seqs[] = {args->posonlyargs, args->args, args->kwonlyargs};
    for (int k = 0; k < 3; k++) {
        for (Py_ssize_t i = 0; i < seqs[k]->size; i++) {
            if (_PyGen_Forbidden(g, AS(arg, seqs[k]->items[i])->arg, AST_Store)) {
                return -1;
            }
        }
    }
    if (args->vararg
        && _PyGen_Forbidden(g, AS(arg, args->vararg)->arg, AST_Store)) {
        return -1;
    }
    if (args->kwarg
        && _PyGen_Forbidden(g, AS(arg, args->kwarg)->arg, AST_Store)) {
        return -1;
    }
    return 0;
}

static int
push_default_values(Gen *g, Ast_arguments *args, int *flags)
{
    if (args->defaults->size) {
        TRY(push_defaults(g, args->defaults));
        *flags |= MAKE_DEFAULTS;
    }
    int have = push_kwdefaults(g, args);
    TRY(have);
    *flags |= have ? MAKE_KWDEFAULTS : 0;
    return 0;
}

static void
set_counts(Gen *g, Ast_arguments *args)
{
    g->u->argcount = (int)args->args->size;
    g->u->posonly = (int)args->posonlyargs->size;
    g->u->kwonly = (int)args->kwonlyargs->size;
}

/* ---------------------------------------------------------------------- def */

static PyCodeObject *
function_code(Gen *g, AstNode *s, int is_async, int lineno)
{
    Ast_FunctionDef *def = AS(FunctionDef, s);
    if (_PyGen_Enter(g, def->name,
                     is_async ? UNIT_ASYNC_FUNCTION : UNIT_FUNCTION, s,
                     lineno) < 0) {
        return NULL;
    }
    set_counts(g, AS(arguments, def->args));
    Py_ssize_t first = 0;
    PyObject *doc = _PyAst_GetDocString(def->body);
    int rc = 0;
    if (doc != NULL) {
        first = 1;
        rc = _PyGen_Const(g, g->optimize < 2 ? doc : Py_None);
        Py_DECREF(doc);
    }
    else if (PyErr_Occurred()) {
        rc = -1;
    }
    else {
        rc = _PyGen_Const(g, Py_None);
    }
    for (Py_ssize_t i = first; rc >= 0 && i < def->body->size; i++) {
        rc = _PyGen_Stmt(g, def->body->items[i]);
    }
    if (rc < 0) {
        _PyGen_Leave(g);
        return NULL;
    }
    return _PyGen_Finish(g, 1);
}

int
_PyGen_Function(Gen *g, AstNode *s, int is_async)
{
    Ast_FunctionDef *def = AS(FunctionDef, s);
    Ast_arguments *args = AS(arguments, def->args);
    int base = g->u->top, flags = 0;
    TRY(check_args_names(g, args));
    TRY(push_decorators(g, def->decorator_list));
    int run = g->u->top;
    TRY(push_default_values(g, args, &flags));
    int have = push_annotations(g, args, def->returns);
    TRY(have);
    flags |= have ? MAKE_ANNOTATIONS : 0;
    PyCodeObject *code = function_code(g, s, is_async,
                                       first_line(s, def->decorator_list));
    int direct = def->decorator_list->size ? -1 : _PyGen_LocalReg(g, def->name);
    if (direct >= 0) {
        TRY(make_function(g, code, flags, run, direct));
        _PyGen_SetTop(g, base);
        return 0;
    }
    int thing = make_function(g, code, flags, run, PUSH);
    TRY(thing);
    thing = apply_decorators(g, def->decorator_list, thing);
    TRY(thing);
    TRY(_PyGen_StoreName(g, def->name, thing));
    _PyGen_SetTop(g, base);
    return 0;
}

/* ------------------------------------------------------------------- lambda */

static PyCodeObject *
lambda_code(Gen *g, AstNode *e)
{
    Ast_Lambda *lambda = AS(Lambda, e);
    if (_PyGen_Enter(g, _Py_NAME(code_lambda), UNIT_LAMBDA, e,
                     e->pos.lineno) < 0) {
        return NULL;
    }
    set_counts(g, AS(arguments, lambda->args));
    int rc = _PyGen_Const(g, Py_None);      /* no docstring */
    int r = rc < 0 ? -1 : _PyGen_Expr(g, lambda->body, ANY);
    if (r >= 0) {
        gen_set_loc(g, e);
        if (g->u->is_generator) {
            gen_no_loc(g);
        }
        rc = _PyGen_Emit(g, OP_RETURN, r, 0, 0, 0);
    }
    if (r < 0 || rc < 0) {
        _PyGen_Leave(g);
        return NULL;
    }
    return _PyGen_Finish(g, 0);
}

int
_PyGen_Lambda(Gen *g, AstNode *e, int dest)
{
    Ast_arguments *args = AS(arguments, AS(Lambda, e)->args);
    int base = g->u->top, flags = 0;
    TRY(check_args_names(g, args));
    TRY(push_default_values(g, args, &flags));
    return make_function(g, lambda_code(g, e), flags, base, dest);
}

/* -------------------------------------------------------------------- class */

static int
class_prologue(Gen *g)
{
    int base = g->u->top;
    TRY(_PyGen_LoadName(g, _Py_NAME(dunder_name), PUSH));
    TRY(_PyGen_StoreName(g, _Py_NAME(dunder_module), base));
    _PyGen_SetTop(g, base);
    TRY(_PyGen_PushConst(g, g->u->qualname));
    TRY(_PyGen_StoreName(g, _Py_NAME(dunder_qualname), base));
    _PyGen_SetTop(g, base);
    return 0;
}

static int
class_epilogue(Gen *g)
{
    gen_no_loc(g);
    if (!g->u->scope->needs_class_closure) {
        TRY(_PyGen_ReturnNone(g));
        return 0;
    }
    int cell = _PyGen_Alloc(g);
    TRY(cell);
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(MOVE, cell, g->u->nlocals, 0);
    EMIT(COPY, copy, cell, 0);
    TRY(_PyGen_StoreName(g, _Py_NAME(dunder_classcell), copy));
    EMIT(RETURN, cell, 0, 0);
    return 0;
}

static PyCodeObject *
class_code(Gen *g, AstNode *s, int lineno)
{
    Ast_ClassDef *def = AS(ClassDef, s);
    if (_PyGen_Enter(g, def->name, UNIT_CLASS, s, lineno) < 0) {
        return NULL;
    }
    g->u->private_name = def->name;
    if (class_prologue(g) < 0 || _PyGen_ModuleBody(g, def->body) < 0
        || class_epilogue(g) < 0) {
        _PyGen_Leave(g);
        return NULL;
    }
    return _PyGen_Finish(g, 0);
}

int
_PyGen_Class(Gen *g, AstNode *s)
{
    Ast_ClassDef *def = AS(ClassDef, s);
    int base = g->u->top;
    TRY(push_decorators(g, def->decorator_list));
    PyCodeObject *code = class_code(g, s, first_line(s, def->decorator_list));
    if (code == NULL) {
        return -1;
    }
    int window = _PyGen_Alloc(g);
    if (window < 0 || _PyGen_Reserve(g, FRAME_WORDS - 1) < 0
        || _PyGen_Emit(g, OP_LOAD_BUILD_CLASS, window, 0, 0, 0) < 0) {
        Py_DECREF(code);
        return -1;
    }
    TRY(make_function(g, code, 0, window + FRAME_WORDS, PUSH));
    TRY(_PyGen_PushConst(g, def->name));
    int thing = _PyGen_CallHelper(g, window, 2, def->bases, def->keywords, PUSH);
    TRY(thing);
    thing = apply_decorators(g, def->decorator_list, thing);
    TRY(thing);
    TRY(_PyGen_StoreName(g, def->name, thing));
    _PyGen_SetTop(g, base);
    return 0;
}

/* ----------------------------------------------------------- comprehensions */

typedef struct {
    AstNode *node;
    AstSeq *generators;
    AstNode *elt, *value;
    int box;                    /* the list, set or dict; -1 in a generator */
} Comp;

static int comp_level(Gen *, Comp *, Py_ssize_t level);

static int
comp_element(Gen *g, Comp *comp)
{
    int base = g->u->top;
    int elt = comp->value != NULL ? _PyGen_Operand(g, comp->elt, comp->value)
                                  : _PyGen_Expr(g, comp->elt, ANY);
    TRY(elt);
    int value;
    switch (comp->node->kind) {
    case AST_GeneratorExp: {
        if (g->u->scope->coroutine) {
            _PyGen_SetTop(g, base);
            int wrapped = _PyGen_Alloc(g);
            TRY(wrapped);
            EMIT(ASYNC_GEN_WRAP, wrapped, elt, 0);
            elt = wrapped;
        }
        _PyGen_SetTop(g, base);
        int sent = _PyGen_Alloc(g);
        TRY(sent);
        EMIT(YIELD_VALUE, elt, 0, sent);
        EMIT(RESUME, 1, 0, 0);
        EMIT(DROP, sent, 0, 0);
        break;
    }
    case AST_ListComp:
        EMIT(LIST_APPEND, comp->box, elt, 0);
        break;
    case AST_SetComp:
        EMIT(SET_ADD, comp->box, elt, 0);
        break;
    default:
        TRY(value = _PyGen_Expr(g, comp->value, ANY));
        EMIT(MAP_ADD, comp->box, elt, value);
        break;
    }
    _PyGen_SetTop(g, base);
    return 0;
}

static int
comp_ifs_and_rest(Gen *g, Comp *comp, Py_ssize_t level, int next)
{
    Ast_comprehension *gen = AS(comprehension, comp->generators->items[level]);
    for (Py_ssize_t i = 0; i < gen->ifs->size; i++) {
        TRY(_PyGen_JumpIf(g, gen->ifs->items[i], next, 0));
    }
    if (level + 1 < comp->generators->size) {
        return comp_level(g, comp, level + 1);
    }
    return comp_element(g, comp);
}

/* `for x in [value]` binds x to the value without a loop. */
static AstNode *
single_item(AstNode *iter)
{
    if ((iter->kind == AST_List || iter->kind == AST_Tuple)
        && AS(Tuple, iter)->elts->size == 1
        && AS(Tuple, iter)->elts->items[0]->kind != AST_Starred) {
        return AS(Tuple, iter)->elts->items[0];
    }
    return NULL;
}

static int
comp_sync_level(Gen *g, Comp *comp, Py_ssize_t level)
{
    Ast_comprehension *gen = AS(comprehension, comp->generators->items[level]);
    int base = g->u->top, it = 0;
    NEW_LABEL(start);
    NEW_LABEL(next);
    NEW_LABEL(end);
    if (level > 0) {
        AstNode *single = single_item(gen->iter);
        if (single != NULL) {
            NEW_LABEL(skip);
            int r = _PyGen_Push(g, single);
            TRY(r);
            TRY(_PyGen_Store(g, gen->target, r));
            _PyGen_SetTop(g, base);
            TRY(comp_ifs_and_rest(g, comp, level, skip));
            _PyGen_Bind(g, skip);
            _PyGen_SetTop(g, base);
            return 0;
        }
        int r = _PyGen_Expr(g, gen->iter, ANY);
        TRY(r);
        _PyGen_SetTop(g, base);
        it = _PyGen_Alloc(g);
        TRY(it);
        EMIT(GET_ITER, it, r, 0);
    }
    int body = g->u->top;
    _PyGen_Bind(g, start);
    /* written directly into a variable, unless that would hide a line */
    int var = gen->target->kind == AST_Name
              && gen->target->pos.lineno == g->u->loc.line
              ? _PyGen_LocalReg(g, AS(Name, gen->target)->id) : -1;
    if (var >= 0) {
        EMIT_ARG(FOR_ITER, it, var, 0, end);
    }
    else {
        int item = _PyGen_Alloc(g);
        TRY(item);
        EMIT_ARG(FOR_ITER, it, item, 0, end);
        TRY(_PyGen_Store(g, gen->target, item));
    }
    _PyGen_SetTop(g, body);
    TRY(comp_ifs_and_rest(g, comp, level, next));
    _PyGen_Bind(g, next);
    JUMP_TO(JUMP_BACK, 0, start);
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base);
    return 0;
}

static int
comp_async_level(Gen *g, Comp *comp, Py_ssize_t level)
{
    Ast_comprehension *gen = AS(comprehension, comp->generators->items[level]);
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    NEW_LABEL(start);
    NEW_LABEL(next);
    NEW_LABEL(except);
    int it = _PyGen_Alloc(g);
    TRY(it);
    if (level == 0) {
        EMIT(MOVE, it, 0, 0);
    }
    else {
        _PyGen_SetTop(g, base);
        int r = _PyGen_Expr(g, gen->iter, ANY);
        TRY(r);
        _PyGen_SetTop(g, it + 1);
        EMIT(GET_AITER, it, r, 0);
    }
    _PyGen_Bind(g, start);
    int handler = g->u->handler;
    TRY(_PyGen_Protect(g, except, it + 1));
    int item = _PyGen_AsyncNext(g, it);
    TRY(item);
    g->u->handler = handler;
    TRY(_PyGen_Store(g, gen->target, item));
    _PyGen_SetTop(g, it + 1);
    TRY(comp_ifs_and_rest(g, comp, level, next));
    _PyGen_Bind(g, next);
    g->u->loc = loc;
    JUMP_TO(JUMP_BACK, 0, start);
    _PyGen_Bind(g, except);
    EMIT(END_ASYNC_FOR, it, it + 1, 0);
    _PyGen_SetTop(g, base);
    return 0;
}

static int
comp_level(Gen *g, Comp *comp, Py_ssize_t level)
{
    Ast_comprehension *gen = AS(comprehension, comp->generators->items[level]);
    return gen->is_async ? comp_async_level(g, comp, level)
                         : comp_sync_level(g, comp, level);
}

static PyCodeObject *
comp_code(Gen *g, Comp *comp, PyObject *name)
{
    if (_PyGen_Enter(g, name, UNIT_COMPREHENSION, comp->node,
                     comp->node->pos.lineno) < 0) {
        return NULL;
    }
    g->u->argcount = 1;
    gen_set_loc(g, comp->node);
    int build = comp->node->kind == AST_ListComp ? OP_BUILD_LIST
                : comp->node->kind == AST_SetComp ? OP_BUILD_SET : OP_BUILD_MAP;
    int generator = comp->node->kind == AST_GeneratorExp;
    int rc = _PyGen_Const(g, Py_None);
    if (rc >= 0 && !generator) {
        comp->box = rc = _PyGen_Alloc(g);
        if (rc >= 0) {
            rc = _PyGen_Emit(g, build, comp->box, 0, 0, 0);
        }
    }
    if (rc >= 0) {
        rc = comp_level(g, comp, 0);
    }
    if (rc >= 0 && !generator) {
        rc = _PyGen_Emit(g, OP_RETURN, comp->box, 0, 0, 0);
    }
    if (rc < 0) {
        _PyGen_Leave(g);
        return NULL;
    }
    return _PyGen_Finish(g, generator);
}

static int
may_be_async(Gen *g)
{
    if (g->u->kind == UNIT_ASYNC_FUNCTION
        || (g->u->kind == UNIT_MODULE && (g->flags & PyCF_ALLOW_TOP_LEVEL_AWAIT))) {
        return 1;
    }
    /* a comprehension inside an asynchronous function */
    for (Unit *u = g->u; u != NULL && u->kind == UNIT_COMPREHENSION; u = u->outer) {
        if (u->scope->coroutine) {
            return 1;
        }
    }
    return 0;
}

int
_PyGen_Comprehension(Gen *g, AstNode *e, int dest)
{
    Comp comp = {.node = e, .box = -1};
    PyObject *name = _Py_NAME(code_listcomp);
    if (e->kind == AST_DictComp) {
        comp.generators = AS(DictComp, e)->generators;
        comp.elt = AS(DictComp, e)->key;
        comp.value = AS(DictComp, e)->value;
        name = _Py_NAME(code_dictcomp);
    }
    else {
        comp.generators = AS(ListComp, e)->generators;
        comp.elt = AS(ListComp, e)->elt;
        name = e->kind == AST_SetComp ? _Py_NAME(code_setcomp)
               : e->kind == AST_GeneratorExp ? _Py_NAME(code_genexpr) : name;
    }
    Scope *scope = _PySymtable_Find(&g->st, e);
    int is_async = scope->coroutine && e->kind != AST_GeneratorExp;
    if (is_async && !may_be_async(g)) {
        return _PyGen_Error(g, "asynchronous comprehension outside of an "
                               "asynchronous function");
    }
    Ast_comprehension *outermost = AS(comprehension, comp.generators->items[0]);
    int base = g->u->top;
    int window = make_function(g, comp_code(g, &comp, name), 0, base, PUSH);
    TRY(window);
    TRY(_PyGen_Reserve(g, FRAME_WORDS - 1));
    int arg = g->u->top;
    int r = _PyGen_Expr(g, outermost->iter, ANY);
    TRY(r);
    _PyGen_SetTop(g, arg);
    TRY(_PyGen_Alloc(g));
    TRY(_PyGen_Emit(g, outermost->is_async ? OP_GET_AITER : OP_GET_ITER, arg, r,
                    0, 0));
    if (is_async) {
        EMIT(CALL, window, 1, window);
        _PyGen_SetTop(g, window + 1);
        TRY(_PyGen_Await(g, 0));
        if (dest >= 0) {
            _PyGen_SetTop(g, base);
            EMIT(MOVE, dest, window, 0);
            return dest;
        }
        return window;
    }
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT(CALL, window, 1, reg);
    return reg;
}

/* Calls. A window of registers on top of the temporaries holds the callable, room for the
   callee's frame header, and the arguments. */
#include "codegen.h"

#include <string.h>

/* More arguments than this are passed in a tuple and a dict. */
static int
too_many(AstSeq *args, AstSeq *keywords)
{
    return args->size + 2 * keywords->size > MAX_RUN;
}

static int
check_keywords(Gen *g, AstSeq *keywords)
{
    for (Py_ssize_t i = 0; i < keywords->size; i++) {
        Ast_keyword *kw = AS(keyword, keywords->items[i]);
        if (kw->arg == NULL) {
            continue;
        }
        if (_PyGen_Forbidden(g, kw->arg, AST_Store)) {
            return -1;
        }
        for (Py_ssize_t j = i + 1; j < keywords->size; j++) {
            Ast_keyword *other = AS(keyword, keywords->items[j]);
            if (other->arg != NULL
                && PyUnicode_Compare(kw->arg, other->arg) == 0) {
                gen_set_loc(g, keywords->items[j]);
                return _PyGen_Error(g, "keyword argument repeated: %U", kw->arg);
            }
        }
    }
    return 0;
}

static int
check_callable(Gen *g, AstNode *e)
{
    static const struct { AstKind kind; const char *name; } never[] = {
        {AST_Tuple, "tuple"}, {AST_List, "list"}, {AST_ListComp, "list"},
        {AST_Dict, "dict"}, {AST_DictComp, "dict"}, {AST_Set, "set"},
        {AST_SetComp, "set"}, {AST_GeneratorExp, "generator"},
        {AST_JoinedStr, "str"}, {AST_FormattedValue, "str"},
    };
    const char *name = NULL;
    if (e->kind == AST_Constant) {
        name = Py_TYPE(AS(Constant, e)->value)->tp_name;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(never); i++) {
        if (never[i].kind == e->kind) {
            name = never[i].name;
        }
    }
    if (name == NULL) {
        return 0;
    }
    return _PyGen_Warn(g, "'%.200s' object is not callable; "
                          "perhaps you missed a comma?", name);
}

static int
has_stars(AstSeq *args, AstSeq *keywords)
{
    for (Py_ssize_t i = 0; i < args->size; i++) {
        if (args->items[i]->kind == AST_Starred) {
            return 1;
        }
    }
    for (Py_ssize_t i = 0; i < keywords->size; i++) {
        if (AS(keyword, keywords->items[i])->arg == NULL) {
            return 1;
        }
    }
    return 0;
}

/* Index of the constant tuple of names. */
static int
keyword_names(Gen *g, AstSeq *keywords, Py_ssize_t from, Py_ssize_t to)
{
    PyObject *names = PyTuple_New(to - from);
    if (names == NULL) {
        return -1;
    }
    for (Py_ssize_t i = from; i < to; i++) {
        PyObject *name = AS(keyword, keywords->items[i])->arg;
        /* unlike attributes, keywords are not mangled in a class */
        name = _PyFrontend_Name(g->arena, NULL, name);
        if (name == NULL) {
            Py_DECREF(names);
            return -1;
        }
        PyTuple_SET_ITEM(names, i - from, Py_NewRef(name));
    }
    return _PyGen_ConstSteal(g, names);
}

/* Of no more arguments than that, those before the first with a star begin the list together. */
#define MOST_PUSHED 30

/* The same for constants only: behind n arguments that are pushed already. */
static int
constant_args(Gen *g, int slot, int n, PyObject *tuple)
{
    if (n == 0) {
        return _PyGen_PushConst(g, tuple);
    }
    _PyGen_SetTop(g, slot + 1);
    EMIT(BUILD_LIST, slot, slot, n);
    int r = _PyGen_PushConst(g, tuple);
    TRY(r);
    EMIT(LIST_EXTEND, slot, r, 0);
    _PyGen_SetTop(g, slot + 1);
    EMIT(LIST_TO_TUPLE, slot, slot, 0);
    return slot;
}

/* Positional arguments as an iterable in register `slot`, which is `top`. */
static int
star_args(Gen *g, int slot, int n, AstSeq *args)
{
    SrcLoc loc = g->u->loc;
    if (n == 0 && args->size == 1 && args->items[0]->kind == AST_Starred) {
        return _PyGen_Push(g, AS(Starred, args->items[0])->value);
    }
    PyObject *constants = args->size > 2 || n + args->size == 0 ? _PyGen_ConstTuple(args) : NULL;
    if (constants != NULL) {
        int r = constant_args(g, slot, n, constants);
        Py_DECREF(constants);
        return r;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    _PyGen_SetTop(g, slot + n);
    Py_ssize_t first = 0;
    while (args->size <= MOST_PUSHED && first < args->size
           && args->items[first]->kind != AST_Starred) {
        TRY(_PyGen_Push(g, args->items[first++]));
        n++;
    }
    g->u->loc = loc;
    if (n == 0) {
        TRY(_PyGen_Alloc(g));
    }
    if (n > 0 && first == args->size - 1) {
        EMIT(NOP, 0, 0, 0);     /* as python3.11 begins its list here, on the line of the call */
        TRY(_PyGen_Push(g, AS(Starred, args->items[first])->value));
        g->u->loc = loc;
        EMIT(BUILD_TUPLE_REST, slot, slot, n + 1);
        _PyGen_SetTop(g, slot + 1);
        return slot;
    }
    EMIT(BUILD_LIST, slot, n ? slot : 0, n);
    _PyGen_SetTop(g, slot + 1);
    for (Py_ssize_t i = first; i < args->size; i++) {
        AstNode *arg = args->items[i];
        int starred = arg->kind == AST_Starred;
        int r = _PyGen_Expr(g, starred ? AS(Starred, arg)->value : arg, ANY);
        TRY(r);
        g->u->loc = loc;
        if (starred) {
            EMIT(LIST_EXTEND, slot, r, 0);
        }
        else {
            EMIT(LIST_APPEND, slot, r, 0);
        }
        _PyGen_SetTop(g, slot + 1);
    }
    EMIT(LIST_TO_TUPLE, slot, slot, 0);
    return slot;
}

static int
keyword_pairs(Gen *g, AstSeq *keywords, Py_ssize_t from, Py_ssize_t to)
{
    SrcLoc loc = g->u->loc;
    int box = _PyGen_Alloc(g);
    TRY(box);
    EMIT(BUILD_MAP, box, 0, 0);
    for (Py_ssize_t i = from; i < to; i++) {
        Ast_keyword *kw = AS(keyword, keywords->items[i]);
        PyObject *name = _PyFrontend_Name(g->arena, NULL, kw->arg);
        int key = name == NULL ? -1 : _PyGen_PushConst(g, name);
        TRY(key);
        int value = _PyGen_Expr(g, kw->value, ANY);
        TRY(value);
        g->u->loc = loc;
        EMIT(MAP_ADD, box, key, value);
        _PyGen_SetTop(g, box + 1);
    }
    return box;
}

/* Pushes a dict of keywords[from:to]. */
static int
keyword_piece(Gen *g, AstSeq *keywords, Py_ssize_t from, Py_ssize_t to)
{
    if (to - from > MAX_PAIRS) {
        return keyword_pairs(g, keywords, from, to);
    }
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    int index = -1;
    if (to > from) {
        TRY(index = keyword_names(g, keywords, from, to));
    }
    if (to == from + 1) {
        EMIT(NOP, 0, 0, 0);     /* the line of one name is shown before that of its value */
    }
    for (Py_ssize_t i = from; i < to; i++) {
        TRY(_PyGen_Push(g, AS(keyword, keywords->items[i])->value));
    }
    g->u->loc = loc;
    _PyGen_SetTop(g, base);
    int reg = _PyGen_Alloc(g);
    TRY(reg);
    if (index < 0) {
        EMIT(BUILD_MAP, reg, 0, 0);
    }
    else {
        EMIT_ARG(BUILD_CONST_KEY_MAP, reg, base, (int)(to - from), index);
    }
    return reg;
}

/* Keywords as a dict in register `slot`, which is `top`. */
static int
star_keywords(Gen *g, int base, int slot, AstSeq *keywords)
{
    SrcLoc loc = g->u->loc;
    int have = 0;
    Py_ssize_t i = 0, n = keywords->size;
    if (n == 1 && AS(keyword, keywords->items[0])->arg == NULL) {
        EMIT(NOP, 0, 0, 0);     /* as python3.11 begins its dict here */
        int r = _PyGen_Expr(g, AS(keyword, keywords->items[0])->value, ANY);
        TRY(r);
        g->u->loc = loc;
        _PyGen_SetTop(g, slot);
        TRY(_PyGen_Alloc(g));
        EMIT(KEYWORDS, slot, r, base);
        return slot;
    }
    while (i < n) {
        Py_ssize_t to = i;
        while (to < n && AS(keyword, keywords->items[to])->arg != NULL) {
            to++;
        }
        if (to > i || !have) {
            int piece = keyword_piece(g, keywords, i, to);
            TRY(piece);
            if (have) {
                EMIT(DICT_MERGE, slot, piece, base);
            }
            have = 1;
        }
        _PyGen_SetTop(g, slot + 1);
        i = to;
        if (i < n && AS(keyword, keywords->items[i])->arg == NULL) {
            int r = _PyGen_Expr(g, AS(keyword, keywords->items[i++])->value, ANY);
            TRY(r);
            g->u->loc = loc;
            EMIT(DICT_MERGE, slot, r, base);
            _PyGen_SetTop(g, slot + 1);
        }
    }
    return slot;
}

static int
call_ex(Gen *g, int base, int n, AstSeq *args, AstSeq *keywords, int dest)
{
    SrcLoc loc = g->u->loc;
    int slot = base + FRAME_WORDS;
    /* A long display is built where the frame header will be: that leaves room for its
       items in the window. */
    int from = n == 0 && too_many(args, keywords) ? base + 1 : slot;
    if (from != slot) {
        _PyGen_SetTop(g, from);
    }
    TRY(star_args(g, from, n, args));
    if (keywords->size) {
        TRY(star_keywords(g, base, from + 1, keywords));
    }
    g->u->loc = loc;
    if (from != slot) {
        _PyGen_SetTop(g, slot);
        TRY(_PyGen_Reserve(g, 2));
        EMIT(MOVE, slot, from, 0);
        if (keywords->size) {
            EMIT(MOVE, slot + 1, from + 1, 0);
        }
    }
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT(CALL_EX, base, keywords->size != 0, reg);
    return reg;
}

int
_PyGen_CallHelper(Gen *g, int base, int n, AstSeq *args, AstSeq *keywords,
                  int dest)
{
    TRY(check_keywords(g, keywords));
    if (has_stars(args, keywords) || too_many(args, keywords)) {
        return call_ex(g, base, n, args, keywords, dest);
    }
    SrcLoc loc = g->u->loc;
    for (Py_ssize_t i = 0; i < args->size; i++) {
        TRY(_PyGen_Push(g, args->items[i]));
    }
    for (Py_ssize_t i = 0; i < keywords->size; i++) {
        TRY(_PyGen_Push(g, AS(keyword, keywords->items[i])->value));
    }
    g->u->loc = loc;
    int count = n + (int)(args->size + keywords->size);
    int names = 0;
    if (keywords->size) {
        TRY(names = keyword_names(g, keywords, 0, keywords->size));
    }
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    TRY(_PyGen_Emit(g, keywords->size ? OP_CALL_KW : OP_CALL, base, count, reg,
                    names));
    return reg;
}

static int
call_method(Gen *g, AstNode *e, int dest)
{
    Ast_Call *call = AS(Call, e);
    Ast_Attribute *attr = AS(Attribute, call->func);
    int base = g->u->top;
    int self = _PyGen_Expr(g, attr->value, ANY);
    TRY(self);
    gen_set_loc(g, call->func);
    _PyGen_AttrLoc(g, call->func);
    int name = _PyGen_NameIndex(g, attr->attr);
    TRY(name);
    EMIT_ARG(LOAD_METHOD, base, self, 0, name);
    _PyGen_SetTop(g, base);
    TRY(_PyGen_Reserve(g, FRAME_WORDS + 1));
    gen_set_loc(g, e);
    TRY(check_keywords(g, call->keywords));
    for (Py_ssize_t i = 0; i < call->args->size; i++) {
        TRY(_PyGen_Push(g, call->args->items[i]));
    }
    Py_ssize_t nkw = call->keywords->size;
    for (Py_ssize_t i = 0; i < nkw; i++) {
        TRY(_PyGen_Push(g, AS(keyword, call->keywords->items[i])->value));
    }
    int names = 0;
    if (nkw) {
        TRY(names = keyword_names(g, call->keywords, 0, nkw));
    }
    gen_set_loc(g, e);
    _PyGen_AttrLoc(g, call->func);
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    TRY(_PyGen_Emit(g, nkw ? OP_CALL_METHOD_KW : OP_CALL_METHOD, base,
                    (int)(call->args->size + nkw), reg, names));
    return reg;
}

/* A name that the module's own code imports: most probably a module, whose functions are
   not methods. As in CPython, the call then has the position of the start of the
   expression. */
static int
is_imported(Gen *g, AstNode *e)
{
    if (e->kind != AST_Name) {
        return 0;
    }
    Symbol *symbol = _PyScope_Find(g->st.top, AS(Name, e)->id);
    return symbol != NULL && symbol->flags & DEF_IMPORT;
}

/* Pushes what is called. A tracer is told of its line before its parts, since python3.11 begins
   with PUSH_NULL. (Only a NOP is left of that where a lambda's default comes next that is a global,
   which python3.11 loads together with the NULL.) */
static int
push_callable(Gen *g, AstNode *func)
{
    IRCode *ir = &g->u->ir;
    int before = ir->n;
    TRY(_PyGen_ShowLine(g, func));
    int shown = ir->n;
    int base = _PyGen_Push(g, func);
    if (shown > before && func->kind == AST_Lambda && ir->n > shown
        && ir->v[shown].op == OP_LOAD_GLOBAL) {
        ir->v[before].a = 0;
    }
    return base;
}

int
_PyGen_Call(Gen *g, AstNode *e, int dest)
{
    Ast_Call *call = AS(Call, e);
    if (call->func->kind == AST_Attribute
        && !is_imported(g, AS(Attribute, call->func)->value)
        && !has_stars(call->args, call->keywords)
        && call->args->size + call->keywords->size + (call->keywords->size != 0) < MAX_RUN) {
        return call_method(g, e, dest);
    }
    TRY(check_callable(g, call->func));
    int base = push_callable(g, call->func);
    TRY(base);
    TRY(_PyGen_Reserve(g, FRAME_WORDS - 1));
    return _PyGen_CallHelper(g, base, 0, call->args, call->keywords, dest);
}

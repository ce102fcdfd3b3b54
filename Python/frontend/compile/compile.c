/* Compilation units: one for each code object that is being compiled. A unit owns the
   instructions, the constants and names, and the map of registers. Units of nested
   functions form a stack. */
#include "codegen.h"
#include "../fold.h"
#include "internal/compile.h"
#include "internal/names.h"
#include "internal/pystate.h"

#include <string.h>

/* ------------------------------------------------------------------- errors */

static AstPos
pos_of_loc(const SrcLoc *loc)
{
    return (AstPos){loc->line, loc->col, loc->end_line, loc->end_col};
}

int
_PyGen_Error(Gen *g, const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    PyObject *message = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    if (message == NULL) {
        return -1;
    }
    AstPos pos = pos_of_loc(&g->u->loc);
    PyObject *line = PyErr_ProgramTextObject(g->filename, pos.lineno);
    PyObject *args = Py_BuildValue("O(OiiNii)", message, g->filename, pos.lineno,
                                   pos.col_offset + 1,
                                   line != NULL ? line : Py_NewRef(Py_None),
                                   pos.end_lineno, pos.end_col_offset + 1);
    if (args != NULL) {
        PyErr_SetObject(PyExc_SyntaxError, args);
        Py_DECREF(args);
    }
    Py_DECREF(message);
    return -1;
}

int
_PyGen_Warn(Gen *g, const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    PyObject *message = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    if (message == NULL) {
        return -1;
    }
    int rc = PyErr_WarnExplicitObject(PyExc_SyntaxWarning, message, g->filename,
                                      g->u->loc.line, NULL, NULL);
    if (rc < 0 && PyErr_ExceptionMatches(PyExc_SyntaxWarning)) {
        /* A warning that the filters turn into an error shows its place. */
        PyErr_Clear();
        rc = _PyGen_Error(g, "%U", message);
    }
    Py_DECREF(message);
    return rc < 0 ? -1 : 0;
}

/* ------------------------------------------- maps from addresses to indices */

static inline size_t
address_hash(const void *p)
{
    uintptr_t x = (uintptr_t)p >> 4;
    return (size_t)(x ^ (x >> 9));
}

/* The index of key. If it is new, it is added with the index `next`. -1 without memory. */
static int
map_index(AddressMap *map, PyObject *key, int next)
{
    if (map->n * 2 >= map->mask) {
        int size = map->mask ? (map->mask + 1) * 2 : 16;
        PyObject **keys = PyMem_Calloc((size_t)size, sizeof(*keys));
        int32_t *values = PyMem_Malloc((size_t)size * sizeof(*values));
        if (keys == NULL || values == NULL) {
            PyMem_Free(keys);
            PyMem_Free(values);
            PyErr_NoMemory();
            return -1;
        }
        for (int k = 0; map->keys != NULL && k <= map->mask; k++) {
            if (map->keys[k] != NULL) {
                size_t i = address_hash(map->keys[k]) & (size_t)(size - 1);
                while (keys[i] != NULL) {
                    i = (i + 1) & (size_t)(size - 1);
                }
                keys[i] = map->keys[k];
                values[i] = map->values[k];
            }
        }
        PyMem_Free(map->keys);
        PyMem_Free(map->values);
        map->keys = keys;
        map->values = values;
        map->mask = size - 1;
    }
    size_t i = address_hash(key) & (size_t)map->mask;
    while (map->keys[i] != NULL) {
        if (map->keys[i] == key) {
            return map->values[i];
        }
        i = (i + 1) & (size_t)map->mask;
    }
    map->keys[i] = key;
    map->values[i] = next;
    map->n++;
    return next;
}

static void
map_clear(AddressMap *map)
{
    if (map->n) {
        memset(map->keys, 0, ((size_t)map->mask + 1) * sizeof(*map->keys));
        map->n = 0;
    }
}

/* ---------------------------------------------------------------- constants */

/* Equal constants have equal hashes; 0 and 0.0 may share one. */
static Py_hash_t
const_hash(PyObject *o)
{
    if (PyUnicode_CheckExact(o) || PyLong_CheckExact(o) || PyBytes_CheckExact(o)
        || PyFloat_CheckExact(o) || PyComplex_CheckExact(o)) {
        return PyObject_Hash(o);
    }
    if (PyTuple_CheckExact(o)) {
        Py_uhash_t h = (Py_uhash_t)PyTuple_GET_SIZE(o) + 77;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(o); i++) {
            h = h * 1000003u + (Py_uhash_t)const_hash(PyTuple_GET_ITEM(o, i));
        }
        return (Py_hash_t)h;
    }
    if (PyFrozenSet_CheckExact(o)) {
        return PySet_GET_SIZE(o) * 31 + 5;
    }
    return (Py_hash_t)address_hash(o);
}

static int
grow_consts(Gen *g)
{
    int size = g->consts ? (g->const_mask + 1) * 2 : 128;
    PyObject **consts = PyMem_Calloc((size_t)size, sizeof(*consts));
    Py_hash_t *hashes = PyMem_Malloc((size_t)size * sizeof(*hashes));
    if (consts == NULL || hashes == NULL) {
        PyMem_Free(consts);
        PyMem_Free(hashes);
        PyErr_NoMemory();
        return -1;
    }
    for (int k = 0; g->consts != NULL && k <= g->const_mask; k++) {
        if (g->consts[k] != NULL) {
            size_t i = (size_t)g->const_hashes[k] & (size_t)(size - 1);
            while (consts[i] != NULL) {
                i = (i + 1) & (size_t)(size - 1);
            }
            consts[i] = g->consts[k];
            hashes[i] = g->const_hashes[k];
        }
    }
    PyMem_Free(g->consts);
    PyMem_Free(g->const_hashes);
    g->consts = consts;
    g->const_hashes = hashes;
    g->const_mask = size - 1;
    return 0;
}

/* The one object that is used for all constants equal to `o` in this module. Returns a
   borrowed reference. */
static PyObject *
canonical_const(Gen *g, PyObject *o)
{
    if (g->nconsts * 2 >= g->const_mask && grow_consts(g) < 0) {
        return NULL;
    }
    Py_hash_t hash = const_hash(o);
    if (hash == -1 && PyErr_Occurred()) {
        return NULL;
    }
    size_t i = (size_t)hash & (size_t)g->const_mask;
    while (g->consts[i] != NULL) {
        if (g->const_hashes[i] == hash) {
            int same = _PyCode_ConstantsEqual(g->consts[i], o);
            if (same < 0) {
                return NULL;
            }
            if (same) {
                return g->consts[i];
            }
        }
        i = (i + 1) & (size_t)g->const_mask;
    }
    g->consts[i] = Py_NewRef(o);
    g->const_hashes[i] = hash;
    g->nconsts++;
    return o;
}

/* The index in a list, to whose end it is added if it is new. */
static int
index_in(PyObject *list, AddressMap *map, PyObject *one)
{
    int next = (int)PyList_GET_SIZE(list);
    int index = map_index(map, one, next);
    return index == next && PyList_Append(list, one) < 0 ? -1 : index;
}

int
_PyGen_Const(Gen *g, PyObject *o)
{
    PyObject *one = canonical_const(g, o);
    if (one == NULL) {
        return -1;
    }
    return index_in(g->u->consts, &g->u->const_map, one);
}

int
_PyGen_ConstSteal(Gen *g, PyObject *o)
{
    if (o == NULL) {
        return -1;
    }
    int index = _PyGen_Const(g, o);
    Py_DECREF(o);
    return index;
}

PyObject *
_PyGen_Mangle(Gen *g, PyObject *name)
{
    return _PyFrontend_Name(g->arena, g->u->private_name, name);
}

int
_PyGen_NameIndex(Gen *g, PyObject *name)
{
    PyObject *key = _PyGen_Mangle(g, name);
    if (key == NULL) {
        return -1;
    }
    return index_in(g->u->names, &g->u->name_map, key);
}

/* ----------------------------------------------------------------- emission */

int
_PyGen_Emit(Gen *g, int op, int a, int b, int c, int arg)
{
    Unit *u = g->u;
    IRInstr *in = _PyIR_Append(&u->ir);
    if (in == NULL) {
        return -1;
    }
    *in = (IRInstr){.op = (uint16_t)op, .a = (uint16_t)a, .b = (uint16_t)b,
                    .c = (uint16_t)c, .arg = arg, .handler = u->handler,
                    .loc = u->loc};
    return 0;
}

int
_PyGen_NewLabel(Gen *g)
{
    return _PyIR_NewLabel(&g->u->ir);
}

void
_PyGen_Bind(Gen *g, int label)
{
    _PyIR_Bind(&g->u->ir, label);
}

int
_PyGen_Protect(Gen *g, int label, int depth)
{
    int handler = _PyIR_NewHandler(&g->u->ir, label, depth);
    if (handler < 0) {
        return -1;
    }
    g->u->handler = handler;
    return 0;
}

int
_PyGen_Reserve(Gen *g, int n)
{
    Unit *u = g->u;
    int first = u->top;
    u->top += n;
    if (u->top > u->max_top) {
        if (u->top > UINT16_MAX - 64) {
            PyErr_SetString(PyExc_OverflowError,
                            "too many registers needed by one function");
            return -1;
        }
        u->max_top = u->top;
    }
    return first;
}

int
_PyGen_Alloc(Gen *g)
{
    return _PyGen_Reserve(g, 1);
}

void
_PyGen_SetTop(Gen *g, int top)
{
    g->u->top = top;
}

int
_PyGen_Result(Gen *g, int dest, int base)
{
    g->u->top = base;
    return dest >= 0 ? dest : _PyGen_Alloc(g);
}

/* -------------------------------------------------------------------- units */

static int
compare_names(const void *x, const void *y)
{
    return PyUnicode_Compare(*(PyObject *const *)x, *(PyObject *const *)y);
}

/* Gives every variable of the scope its register or closure index. Locals that are not
   parameters get theirs when the code first mentions them; those that are annotated only,
   none. */
static int
lay_out_variables(Gen *g, Unit *u)
{
    Scope *scope = u->scope;
    int function = scope->kind == FUNCTION_SCOPE;
    u->nparams = scope->nparams;
    u->nlocals = u->ncells = u->nfrees = 0;
    for (int i = 0; i < scope->nsymbols; i++) {
        Symbol *s = &scope->symbols[i];
        s->slot = -1;
        if (s->where == SCOPE_CELL) {
            u->ncells++;
        }
        if (s->where == SCOPE_FREE || (s->flags & DEF_FREE_CLASS)) {
            u->nfrees++;
        }
        if (function && ((s->where == SCOPE_LOCAL && s->mentioned)
                         || (s->where == SCOPE_CELL && (s->flags & DEF_PARAM)))) {
            u->nlocals++;
        }
    }
    u->ncells += (int)scope->needs_class_closure;
    if (u->nlocals + u->ncells + u->nfrees > UINT16_MAX - 1024) {
        PyErr_SetString(PyExc_OverflowError, "too many local variables");
        return -1;
    }
    size_t n = (size_t)(u->nlocals + u->ncells + u->nfrees) + 1;
    PyObject **mem = _PyAstArena_Alloc(g->arena, n * sizeof(PyObject *));
    if (mem == NULL) {
        return -1;
    }
    memset(mem, 0, n * sizeof(PyObject *));
    u->varnames = mem;
    u->cellnames = mem + u->nlocals;
    u->freenames = u->cellnames + u->ncells;
    for (int i = 0; i < u->nparams; i++) {
        u->varnames[i] = scope->params[i];
        _PyScope_Find(scope, scope->params[i])->slot = i;
    }
    u->assigned_locals = u->nparams;
    int nc = 0, nf = 0;
    for (int i = 0; i < scope->nsymbols; i++) {
        Symbol *s = &scope->symbols[i];
        if (s->where == SCOPE_CELL) {
            u->cellnames[nc++] = s->name;
        }
        if (s->where == SCOPE_FREE || (s->flags & DEF_FREE_CLASS)) {
            u->freenames[nf++] = s->name;
        }
    }
    if (scope->needs_class_closure) {
        u->cellnames[nc++] = _Py_NAME(dunder_class);
    }
    qsort(u->cellnames, (size_t)nc, sizeof(PyObject *), compare_names);
    qsort(u->freenames, (size_t)nf, sizeof(PyObject *), compare_names);
    int reg = u->nlocals;
    for (int i = 0; i < nc; i++) {
        Symbol *s = _PyScope_Find(scope, u->cellnames[i]);
        if (s == NULL || s->where != SCOPE_CELL) {
            reg++;              /* the implicit __class__ */
        }
        else if (!(s->flags & DEF_PARAM)) {
            s->slot = reg++;
        }
    }
    for (int i = 0; i < nf; i++) {
        _PyScope_Find(scope, u->freenames[i])->slot = i;
    }
    u->first_temp = u->top = u->max_top = reg;
    return 0;
}

/* Returns a new reference. */
static PyObject *
qualified_name(Gen *g, Unit *u)
{
    Unit *up = u->outer;
    if (up == NULL || up->kind == UNIT_MODULE) {
        return Py_NewRef(u->name);
    }
    if (u->kind == UNIT_FUNCTION || u->kind == UNIT_ASYNC_FUNCTION
        || u->kind == UNIT_CLASS) {
        PyObject *key = _PyFrontend_Name(g->arena, up->private_name, u->name);
        if (key == NULL) {
            return NULL;
        }
        Symbol *s = _PyScope_Find(up->scope, key);
        if (s != NULL && s->where == SCOPE_GLOBAL_EXPLICIT) {
            return Py_NewRef(u->name);
        }
    }
    int local = up->kind == UNIT_FUNCTION || up->kind == UNIT_ASYNC_FUNCTION
                || up->kind == UNIT_LAMBDA;
    return PyUnicode_FromFormat("%U%s.%U", up->qualname,
                                local ? ".<locals>" : "", u->name);
}

static int
emit_prologue(Gen *g, int lineno)
{
    Unit *u = g->u;
    Scope *scope = u->scope;
    u->is_generator = scope->kind == FUNCTION_SCOPE
                      && (scope->generator || scope->coroutine);
    if (scope->kind == MODULE_SCOPE && scope->coroutine
        && (g->flags & PyCF_ALLOW_TOP_LEVEL_AWAIT)) {
        u->is_generator = 1;
    }
    if (u->is_generator) {
        u->loc = (SrcLoc){lineno, lineno, -1, -1};
        EMIT(RETURN_GENERATOR, 0, 0, 0);
    }
    gen_no_loc(g);
    int reg = u->nlocals;
    for (int i = 0; i < u->ncells; i++) {
        Symbol *s = _PyScope_Find(scope, u->cellnames[i]);
        int param = s != NULL && s->where == SCOPE_CELL && (s->flags & DEF_PARAM);
        EMIT(MAKE_CELL, param ? s->slot : reg++, 0, 0);
    }
    int line = u->kind == UNIT_MODULE ? 0 : lineno;
    u->loc = (SrcLoc){line, lineno, 0, 0};
    EMIT(RESUME, 0, 0, 0);
    return 0;
}

int
_PyGen_Enter(Gen *g, PyObject *name, UnitKind kind, const void *node, int lineno)
{
    Unit *u = g->spare;
    if (u != NULL) {
        g->spare = u->outer;
    }
    else {
        u = PyMem_Calloc(1, sizeof(Unit));
        if (u == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    u->outer = g->u;
    u->kind = kind;
    u->name = name;
    u->private_name = g->u ? g->u->private_name : NULL;
    u->firstlineno = lineno;
    u->argcount = u->posonly = u->kwonly = 0;
    u->blocks = NULL;
    u->handler = 0;
    u->qualname = NULL;
    u->consts = PyList_New(0);
    u->names = PyList_New(0);
    map_clear(&u->const_map);
    map_clear(&u->name_map);
    _PyIR_Clear(&u->ir);
    u->scope = _PySymtable_Find(&g->st, node);
    g->u = u;
    g->nesting++;
    if (u->scope == NULL) {
        PyErr_SetString(PyExc_SystemError, "no scope for a node");
        goto fail;
    }
    u->qualname = qualified_name(g, u);
    if (u->consts == NULL || u->names == NULL || u->qualname == NULL
        || lay_out_variables(g, u) < 0 || emit_prologue(g, lineno) < 0) {
        goto fail;
    }
    return 0;
fail:
    _PyGen_Leave(g);
    return -1;
}

void
_PyGen_Leave(Gen *g)
{
    Unit *u = g->u;
    g->u = u->outer;
    g->nesting--;
    Py_CLEAR(u->consts);
    Py_CLEAR(u->names);
    Py_CLEAR(u->qualname);
    u->outer = g->spare;
    g->spare = u;
}

static int
code_flags(Gen *g, Unit *u)
{
    Scope *scope = u->scope;
    int flags = 0;
    if (scope->kind == FUNCTION_SCOPE) {
        flags |= CO_NEWLOCALS | CO_OPTIMIZED;
        flags |= scope->nested ? CO_NESTED : 0;
        if (scope->generator && !scope->coroutine) {
            flags |= CO_GENERATOR;
        }
        if (!scope->generator && scope->coroutine) {
            flags |= CO_COROUTINE;
        }
        if (scope->generator && scope->coroutine) {
            flags |= CO_ASYNC_GENERATOR;
        }
        flags |= scope->varargs ? CO_VARARGS : 0;
        flags |= scope->varkeywords ? CO_VARKEYWORDS : 0;
    }
    flags |= g->flags & PyCF_MASK;
    if (u->kind == UNIT_MODULE && u->is_generator) {
        flags |= CO_COROUTINE;
    }
    return flags;
}

/* The locals of what is left out, as asserts are with -O, still have a register. */
static void
name_silent_locals(Unit *u)
{
    for (int i = 0; i < u->scope->nsymbols; i++) {
        Symbol *s = &u->scope->symbols[i];
        if (s->where == SCOPE_LOCAL && s->mentioned && s->slot < 0
            && u->scope->kind == FUNCTION_SCOPE) {
            s->slot = u->assigned_locals++;
            u->varnames[s->slot] = s->name;
        }
    }
}

static int
variable_tables(Unit *u, PyObject **names, PyObject **kinds)
{
    int plain = u->first_temp - u->nlocals;
    int n = u->first_temp + u->nfrees;
    *names = PyTuple_New(n);
    *kinds = PyBytes_FromStringAndSize(NULL, n);
    if (*names == NULL || *kinds == NULL) {
        return -1;
    }
    char *kind = PyBytes_AS_STRING(*kinds);
    for (int i = 0; i < u->nlocals; i++) {
        PyTuple_SET_ITEM(*names, i, Py_NewRef(u->varnames[i]));
        kind[i] = 0x20;
    }
    int at = u->nlocals;
    for (int i = 0; i < u->ncells; i++) {
        Symbol *s = _PyScope_Find(u->scope, u->cellnames[i]);
        if (s != NULL && s->where == SCOPE_CELL && (s->flags & DEF_PARAM)) {
            kind[s->slot] |= 0x40;
            continue;
        }
        PyTuple_SET_ITEM(*names, at, Py_NewRef(u->cellnames[i]));
        kind[at++] = 0x40;
    }
    assert(at == u->nlocals + plain);
    (void)plain;
    for (int i = 0; i < u->nfrees; i++) {
        PyTuple_SET_ITEM(*names, at, Py_NewRef(u->freenames[i]));
        kind[at++] = (char)0x80;
    }
    return 0;
}

static int
uses_const(const IRInstr *in)
{
    switch (in->op) {
    case OP_LOAD_CONST: case IR_RETURN_NONE: case OP_BUILD_CONST_KEY_MAP: case OP_CALL_KW:
    case OP_CALL_METHOD_KW: case OP_MAKE_FUNCTION:
        return 1;
    default:
        return 0;
    }
}

/* Removes constants that are only used by unreachable code, except the first, which may
   be a docstring. */
static int
drop_unused_consts(Unit *u)
{
    Py_ssize_t n = PyList_GET_SIZE(u->consts), kept = 0, used = 0;
    if (n <= 1) {
        return 0;
    }
    int *index = PyMem_Calloc((size_t)n, sizeof(int));
    if (index == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < u->ir.n; i++) {
        if (uses_const(&u->ir.v[i])) {
            used += !index[u->ir.v[i].arg];
            index[u->ir.v[i].arg] = 1;
        }
    }
    used += !index[0];
    index[0] = 1;
    if (used < n) {
        for (Py_ssize_t i = 0; i < n; i++) {
            if (index[i]) {
                PyObject *item = PyList_GET_ITEM(u->consts, i);
                PyList_SetItem(u->consts, kept, Py_NewRef(item));
                index[i] = (int)kept++;
            }
        }
        if (PyList_SetSlice(u->consts, kept, n, NULL) < 0) {
            PyMem_Free(index);
            return -1;
        }
        for (int i = 0; i < u->ir.n; i++) {
            if (uses_const(&u->ir.v[i])) {
                u->ir.v[i].arg = index[u->ir.v[i].arg];
            }
        }
    }
    PyMem_Free(index);
    return 0;
}

/* Functions of a module share equal tuples, as under CPython: a third of them are equal to another
   one. Clears *table on failure. */
static void
share(Gen *g, PyObject **table)
{
    if (*table != NULL) {
        Py_SETREF(*table, Py_XNewRef(canonical_const(g, *table)));
    }
}

static PyCodeObject *
build_code(Gen *g, IRAssembled *words)
{
    Unit *u = g->u;
    PyCodeObject *code = NULL;
    PyObject *names = NULL, *kinds = NULL;
    PyObject *consts = PyList_AsTuple(u->consts);
    PyObject *co_names = PyList_AsTuple(u->names);
    if (variable_tables(u, &names, &kinds) < 0) {
        goto done;
    }
    share(g, &consts);
    share(g, &co_names);
    share(g, &names);
    share(g, &kinds);
    if (consts == NULL || co_names == NULL || names == NULL || kinds == NULL) {
        goto done;
    }
    struct _PyVMCodeConstructor con = {
        .filename = g->filename,
        .name = u->name,
        .qualname = u->qualname,
        .flags = code_flags(g, u),
        .firstlineno = u->firstlineno,
        .code = words->code,
        .ninstr = words->ncode,
        .linetable = words->linetable,
        .exceptiontable = words->exceptiontable,
        .consts = consts,
        .names = co_names,
        .localsplusnames = names,
        .localspluskinds = kinds,
        .argcount = u->posonly + u->argcount,
        .posonlyargcount = u->posonly,
        .kwonlyargcount = u->kwonly,
        .nregs = (uint16_t)u->max_top,
        .first_temp = (uint16_t)u->first_temp,
    };
    code = _PyCode_NewVM(&con);
done:
    Py_XDECREF(consts);
    Py_XDECREF(co_names);
    Py_XDECREF(names);
    Py_XDECREF(kinds);
    return code;
}

PyCodeObject *
_PyGen_Finish(Gen *g, int ends)
{
    Unit *u = g->u;
    PyCodeObject *code = NULL;
    IRAssembled words = {0};
    if (ends) {
        gen_no_loc(g);
        if (_PyGen_ReturnNone(g) < 0) {
            goto done;
        }
    }
    name_silent_locals(u);
    if (_PyIR_Optimize(&u->ir, u->nparams, u->nlocals, u->firstlineno) < 0
        || drop_unused_consts(u) < 0) {
        goto done;
    }
    if (_PyIR_Verify(&u->ir, u->nlocals, u->first_temp, u->max_top,
                     u->qualname) < 0) {
        goto done;
    }
    if (!_PyInterpreterState_GET()->config.code_debug_ranges) {
        for (int i = 0; i < u->ir.n; i++) {
            SrcLoc *loc = &u->ir.v[i].loc;
            *loc = (SrcLoc){loc->line, loc->line, -1, -1};
        }
    }
    if (_PyIR_Assemble(&u->ir, u->firstlineno, &words) < 0) {
        goto done;
    }
    code = build_code(g, &words);
done:
    PyMem_Free(words.code);
    Py_XDECREF(words.linetable);
    Py_XDECREF(words.exceptiontable);
    _PyGen_Leave(g);
    return code;
}

int
_PyGen_ReturnNone(Gen *g)
{
    Unit *u = g->u;
    int index = _PyGen_Const(g, Py_None);
    TRY(index);
    u->max_top = Py_MAX(u->max_top, u->first_temp + 1);
    return _PyGen_Emit(g, IR_RETURN_NONE, u->first_temp, 0, 0, index);
}

/* ------------------------------------------------------------ whole modules */

static PyCodeObject *
compile_mod(Gen *g, AstNode *mod)
{
    if (_PyGen_Enter(g, _Py_NAME(code_module), UNIT_MODULE, mod, 1) < 0) {
        return NULL;
    }
    int rc, ends = 1;
    switch (mod->kind) {
    case AST_Module:
        rc = _PyGen_ModuleBody(g, AS(Module, mod)->body);
        break;
    case AST_Interactive:
        g->interactive = 1;
        rc = _PyGen_ModuleBody(g, AS(Interactive, mod)->body);
        break;
    default:
        rc = _PyGen_Expr(g, AS(Expression, mod)->body, ANY);
        if (rc >= 0) {
            gen_set_loc(g, AS(Expression, mod)->body);
            rc = _PyGen_Emit(g, OP_RETURN, rc, 0, 0, 0);
        }
        ends = 0;
        break;
    }
    if (rc < 0) {
        while (g->u != NULL) {
            _PyGen_Leave(g);
        }
        return NULL;
    }
    return _PyGen_Finish(g, ends);
}

static void
free_gen(Gen *g)
{
    while (g->u != NULL) {
        _PyGen_Leave(g);
    }
    while (g->spare != NULL) {
        Unit *u = g->spare;
        g->spare = u->outer;
        _PyIR_Free(&u->ir);
        PyMem_Free(u->const_map.keys);
        PyMem_Free(u->const_map.values);
        PyMem_Free(u->name_map.keys);
        PyMem_Free(u->name_map.values);
        PyMem_Free(u);
    }
    for (int i = 0; g->consts != NULL && i <= g->const_mask; i++) {
        Py_XDECREF(g->consts[i]);
    }
    PyMem_Free(g->consts);
    PyMem_Free(g->const_hashes);
    _PySymtable_Free(&g->st);
}

/* The environment variable SPRINGBOARD_DIS holds part of a file name: the code of files
   whose name contains it is listed on stderr when it is compiled. */
static int
show_listing(PyCodeObject *code)
{
    static const char *wanted;
    static int asked;
    if (!asked) {
        asked = 1;
        wanted = getenv("SPRINGBOARD_DIS");
    }
    if (wanted == NULL) {
        return 0;
    }
    const char *filename = PyUnicode_AsUTF8(code->co_filename);
    if (filename == NULL || strstr(filename, wanted) == NULL) {
        PyErr_Clear();
        return 0;
    }
    PyObject *text = _PyCode_Disassemble(code);
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    if (utf8 == NULL) {
        Py_XDECREF(text);
        return -1;
    }
    fputs(utf8, stderr);
    Py_DECREF(text);
    return 0;
}

PyCodeObject *
_PyAST_Compile(AstNode *mod, PyObject *filename, PyCompilerFlags *flags,
               int optimize, AstArena *arena)
{
    Gen gen = {.filename = filename, .arena = arena, .future_lineno = -1};
    _PyIR_InitOps();
    int features = flags ? flags->cf_flags & PyCF_MASK : 0;
    if (_PyFuture_Features(mod, filename, &features, &gen.future_lineno) < 0) {
        return NULL;
    }
    if (flags != NULL) {
        flags->cf_flags |= features;
        gen.flags = flags->cf_flags;
    }
    gen.flags |= features;
    gen.optimize = optimize;
    if (optimize == -1) {
        gen.optimize = Py_OptimizeFlag;
    }
    gen.limit = _PyFrontend_DepthLimit();
    if (_PyFold_Tree(mod, gen.optimize, features, arena) < 0
        || _PySymtable_Build(&gen.st, mod, filename, features, arena) < 0) {
        return NULL;
    }
    PyCodeObject *code = compile_mod(&gen, mod);
    free_gen(&gen);
    if (code != NULL && show_listing(code) < 0) {
        Py_CLEAR(code);
    }
    return code;
}

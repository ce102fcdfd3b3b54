/* Code objects: creation, comparison, the type.

   Strings that name something (names, variables, constants that look like identifiers)
   are interned when the code object is made. Its instructions are packed (packed.c) until it is
   called; then `code` is a private copy, which the VM specialises in place. */
#include "Python.h"
#include "internal/code.h"
#include "internal/code_tables.h"
#include "internal/packed_code.h"
#include "internal/pystate.h"

#include <string.h>

#define KIND_LOCAL 0x20
#define KIND_CELL 0x40

static uint32_t next_version = 1;

/* ---------------------------------------------------------------- interning */

static int
looks_like_name(PyObject *s)
{
    if (!PyUnicode_IS_ASCII(s)) {
        return 0;
    }
    const unsigned char *p = PyUnicode_1BYTE_DATA(s);
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(s); i++) {
        if (!Py_ISALNUM(p[i]) && p[i] != '_') {
            return 0;
        }
    }
    return 1;
}

static int
intern_names(PyObject *tuple)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject **slot = &((PyTupleObject *)tuple)->ob_item[i];
        if (!PyUnicode_CheckExact(*slot)) {
            PyErr_SetString(PyExc_SystemError,
                            "non-string found in code slot");
            return -1;
        }
        if (!PyUnicode_CHECK_INTERNED(*slot)) {
            PyUnicode_InternInPlace(slot);
        }
    }
    return 0;
}

static int intern_constants(PyObject *tuple, int *changed);

/* A frozenset cannot be changed in place, so *slot may be replaced by a new one. */
static int
intern_set(PyObject **slot, int *changed)
{
    PyObject *items = PySequence_List(*slot);
    if (items == NULL) {
        return -1;
    }
    Py_SETREF(items, PyList_AsTuple(items));
    int inside = 0;
    int rc = items == NULL ? -1 : intern_constants(items, &inside);
    if (rc == 0 && inside) {
        PyObject *set = PyFrozenSet_New(items);
        if (set == NULL) {
            rc = -1;
        }
        else {
            Py_SETREF(*slot, set);
            *changed = 1;
        }
    }
    Py_XDECREF(items);
    return rc;
}

static int
intern_constants(PyObject *tuple, int *changed)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject **slot = &((PyTupleObject *)tuple)->ob_item[i];
        if (PyUnicode_CheckExact(*slot)) {
            if (!PyUnicode_CHECK_INTERNED(*slot) && looks_like_name(*slot)) {
                PyObject *before = *slot;
                PyUnicode_InternInPlace(slot);
                *changed |= before != *slot;
            }
        }
        else if (PyTuple_CheckExact(*slot)) {
            if (intern_constants(*slot, changed) < 0) {
                return -1;
            }
        }
        else if (PyFrozenSet_CheckExact(*slot)) {
            if (intern_set(slot, changed) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* ------------------------------------------------------ the exception table */

static const uint8_t *
table_number(const uint8_t *p, const uint8_t *limit, uint32_t *value)
{
    uint32_t v = 0;
    while (p < limit) {
        uint8_t byte = *p++;
        v = (v << 6) | (byte & 0x3f);
        if (!(byte & 0x40)) {
            *value = v;
            return p;
        }
    }
    return NULL;
}

static int
read_handlers(PyVMCode *co)
{
    const uint8_t *p = (uint8_t *)PyBytes_AS_STRING(co->ob.co_exceptiontable);
    const uint8_t *limit = p + PyBytes_GET_SIZE(co->ob.co_exceptiontable);
    uint32_t n = 0;
    for (const uint8_t *q = p; q < limit; q++) {
        n += *q >> 7;
    }
    if (n == 0) {
        return 0;
    }
    co->handlers = PyMem_Malloc(n * sizeof(PyHandlerRange));
    if (co->handlers == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    uint32_t previous_end = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t start = 0, length = 0, target = 0, depth = 0;
        if ((p = table_number(p, limit, &start)) == NULL
            || (p = table_number(p, limit, &length)) == NULL
            || (p = table_number(p, limit, &target)) == NULL
            || (p = table_number(p, limit, &depth)) == NULL
            || start < previous_end || length > co->ninstr
            || start > co->ninstr - length || target >= co->ninstr
            || (depth >> 1) >= co->nregs) {
            PyErr_SetString(PyExc_ValueError, "code: bad exception table");
            return -1;
        }
        previous_end = start + length;
        co->handlers[i] = (PyHandlerRange){
            .start = start, .end = previous_end, .target = target,
            .depth = (uint16_t)(depth >> 1), .exc = (uint16_t)(depth >> 1),
        };
    }
    co->nhandlers = n;
    return 0;
}

/* Ranges are disjoint: each word has at most one handler, the innermost. */
const PyHandlerRange *
_PyCode_FindHandler(PyVMCode *co, uint32_t instr)
{
    uint32_t low = 0, high = co->nhandlers;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        const PyHandlerRange *range = &co->handlers[mid];
        if (instr < range->start) {
            high = mid;
        }
        else if (instr >= range->end) {
            low = mid + 1;
        }
        else {
            return range;
        }
    }
    return NULL;
}

/* ----------------------------------------------------------------- creation */

static int
check_constructor(const struct _PyVMCodeConstructor *con)
{
    if (con->argcount < con->posonlyargcount || con->posonlyargcount < 0
        || con->kwonlyargcount < 0 || con->flags < 0
        || con->ninstr == 0
        || !PyTuple_Check(con->consts) || !PyTuple_Check(con->names)
        || !PyTuple_Check(con->localsplusnames)
        || !PyBytes_Check(con->localspluskinds)
        || PyTuple_GET_SIZE(con->localsplusnames)
           != PyBytes_GET_SIZE(con->localspluskinds)
        || !PyUnicode_Check(con->name) || !PyUnicode_Check(con->qualname)
        || !PyUnicode_Check(con->filename) || !PyBytes_Check(con->linetable)
        || !PyBytes_Check(con->exceptiontable)) {
        PyErr_BadInternalCall();
        return -1;
    }
    int nlocals = 0;
    const char *kinds = PyBytes_AS_STRING(con->localspluskinds);
    for (Py_ssize_t i = 0; i < PyBytes_GET_SIZE(con->localspluskinds); i++) {
        nlocals += (kinds[i] & KIND_LOCAL) != 0;
    }
    int total = con->argcount + con->kwonlyargcount
                + ((con->flags & CO_VARARGS) != 0)
                + ((con->flags & CO_VARKEYWORDS) != 0);
    if (total > nlocals) {
        PyErr_SetString(PyExc_ValueError, "code: varnames is too small");
        return -1;
    }
    return 0;
}

static void
count_variables(PyCodeObject *co)
{
    const char *kinds = PyBytes_AS_STRING(co->co_localspluskinds);
    co->co_nlocalsplus = (int)PyBytes_GET_SIZE(co->co_localspluskinds);
    for (int i = 0; i < co->co_nlocalsplus; i++) {
        if (kinds[i] & KIND_LOCAL) {
            co->co_nlocals++;
            co->co_ncellvars += (kinds[i] & KIND_CELL) != 0;
        }
        else if (kinds[i] & KIND_CELL) {
            co->co_ncellvars++;
            co->co_nplaincellvars++;
        }
        else {
            co->co_nfreevars++;
        }
    }
}

PyCodeObject *
_PyCode_NewVM(struct _PyVMCodeConstructor *con)
{
    int changed = 0;
    if (check_constructor(con) < 0 || intern_names(con->names) < 0
        || intern_constants(con->consts, &changed) < 0
        || intern_names(con->localsplusnames) < 0) {
        return NULL;
    }
    size_t npacked = con->code != NULL ? _PyCode_Pack(con->code, con->ninstr, NULL) : con->npacked;
    PyVMCode *co = npacked > UINT32_MAX
                   ? NULL : (PyVMCode *)PyObject_Malloc(offsetof(PyVMCode, packed) + npacked);
    if (co == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    memset(co, 0, offsetof(PyVMCode, packed));     /* short code ends before sizeof(*co) */
    co->npacked = (uint32_t)npacked;
    if (con->code != NULL) {
        _PyCode_Pack(con->code, con->ninstr, co->packed);
    }
    else {
        memcpy(co->packed, con->packed, npacked);
    }
    PyObject_Init((PyObject *)co, &PyCode_Type);
    PyCodeObject *ob = &co->ob;
    ob->co_consts = Py_NewRef(con->consts);
    ob->co_names = Py_NewRef(con->names);
    ob->co_localsplusnames = Py_NewRef(con->localsplusnames);
    ob->co_localspluskinds = Py_NewRef(con->localspluskinds);
    ob->co_filename = Py_NewRef(con->filename);
    ob->co_name = Py_NewRef(con->name);
    ob->co_qualname = Py_NewRef(con->qualname);
    PyUnicode_InternInPlace(&ob->co_name);
    PyUnicode_InternInPlace(&ob->co_qualname);
    ob->co_linetable = Py_NewRef(con->linetable);
    ob->co_exceptiontable = Py_NewRef(con->exceptiontable);
    ob->co_flags = con->flags;
    ob->co_firstlineno = con->firstlineno;
    ob->co_argcount = con->argcount;
    ob->co_posonlyargcount = con->posonlyargcount;
    ob->co_kwonlyargcount = con->kwonlyargcount;
    ob->co_stacksize = con->nregs - con->first_temp;
    count_variables(ob);

    co->ninstr = con->ninstr;
    co->nregs = con->nregs;
    co->first_temp = con->first_temp;
    co->nregs_locals = con->first_temp;
    co->nparams = (uint16_t)(con->argcount + con->kwonlyargcount
                             + ((con->flags & CO_VARARGS) != 0)
                             + ((con->flags & CO_VARKEYWORDS) != 0));
    co->version = next_version ? next_version++ : 0;
    co->native_entry = _PyCode_DefaultEntry;
    co->is_generator = (con->flags & (CO_GENERATOR | CO_COROUTINE
                                      | CO_ASYNC_GENERATOR)) != 0;
    if (read_handlers(co) < 0) {
        Py_DECREF(co);
        return NULL;
    }
    return ob;
}

static uint32_t
mix_text(uint32_t hash, const char *text)
{
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return (hash ^ '/') * 16777619u;
}

/* Must be increased when the compiler starts to make different code from the same
   source. */
#define COMPILER_REVISION 21

uint16_t
_PyCode_MagicNumber(void)
{
    uint32_t hash = mix_text(2166136261u + COMPILER_REVISION, PY_VERSION);
    for (int op = 0; op < OP__COUNT; op++) {
        const PyOpcodeInfo *info = &_PyOpcode_Info[op];
        hash = mix_text(hash, info->name);
        hash = mix_text(hash, info->operands);
        hash = (hash ^ info->cache) * 16777619u;
    }
    return (uint16_t)(hash ^ hash >> 16);
}

/* ----------------------------------------------- extra data of C extensions */

typedef struct {
    Py_ssize_t size;
    void *values[];
} CodeExtra;

/* Returns -1 without an exception when there are too many users. */
Py_ssize_t
_PyEval_RequestCodeExtraIndex(freefunc release)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (interp->co_extra_user_count == MAX_CO_EXTRA_USERS) {
        return -1;
    }
    interp->co_extra_freefuncs[interp->co_extra_user_count] = release;
    return interp->co_extra_user_count++;
}

int
_PyCode_GetExtra(PyObject *code, Py_ssize_t index, void **extra)
{
    if (!PyCode_Check(code)) {
        PyErr_BadInternalCall();
        return -1;
    }
    CodeExtra *all = ((PyCodeObject *)code)->co_extra;
    *extra = all == NULL || index < 0 || index >= all->size ? NULL
                                                            : all->values[index];
    return 0;
}

int
_PyCode_SetExtra(PyObject *code, Py_ssize_t index, void *extra)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (!PyCode_Check(code) || index < 0
        || index >= interp->co_extra_user_count) {
        PyErr_BadInternalCall();
        return -1;
    }
    PyCodeObject *co = (PyCodeObject *)code;
    CodeExtra *all = co->co_extra;
    if (all == NULL || all->size <= index) {
        Py_ssize_t had = all ? all->size : 0;
        Py_ssize_t size = interp->co_extra_user_count;
        all = PyMem_Realloc(all, sizeof(*all) + (size_t)size * sizeof(void *));
        if (all == NULL) {
            return -1;
        }
        for (Py_ssize_t i = had; i < size; i++) {
            all->values[i] = NULL;
        }
        all->size = size;
        co->co_extra = all;
    }
    freefunc release = interp->co_extra_freefuncs[index];
    if (all->values[index] != NULL && release != NULL) {
        release(all->values[index]);
    }
    all->values[index] = extra;
    return 0;
}

static void
free_extra(PyCodeObject *co)
{
    CodeExtra *all = co->co_extra;
    if (all == NULL) {
        return;
    }
    PyInterpreterState *interp = _PyInterpreterState_GET();
    for (Py_ssize_t i = 0; i < all->size; i++) {
        freefunc release = interp->co_extra_freefuncs[i];
        if (release != NULL) {
            release(all->values[i]);
        }
    }
    PyMem_Free(all);
}

/* --------------------------------------------------------------- comparison */

int
_PyCode_ConstantsEqual(PyObject *x, PyObject *y)
{
    if (x == y) {
        return 1;
    }
    if (Py_TYPE(x) != Py_TYPE(y)) {
        return 0;
    }
    if (PyFloat_CheckExact(x)) {
        double a = PyFloat_AS_DOUBLE(x), b = PyFloat_AS_DOUBLE(y);
        return memcmp(&a, &b, sizeof(a)) == 0;
    }
    if (PyComplex_CheckExact(x)) {
        Py_complex a = ((PyComplexObject *)x)->cval;
        Py_complex b = ((PyComplexObject *)y)->cval;
        return memcmp(&a, &b, sizeof(a)) == 0;
    }
    if (PyTuple_CheckExact(x)) {
        if (PyTuple_GET_SIZE(x) != PyTuple_GET_SIZE(y)) {
            return 0;
        }
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(x); i++) {
            int same = _PyCode_ConstantsEqual(PyTuple_GET_ITEM(x, i),
                                              PyTuple_GET_ITEM(y, i));
            if (same <= 0) {
                return same;
            }
        }
        return 1;
    }
    if (PyFrozenSet_CheckExact(x)) {
        PyObject *kx = _PyCode_ConstantKey(x), *ky = _PyCode_ConstantKey(y);
        int same = kx == NULL || ky == NULL ? -1
                   : PyObject_RichCompareBool(kx, ky, Py_EQ);
        Py_XDECREF(kx);
        Py_XDECREF(ky);
        return same;
    }
    if (PyUnicode_CheckExact(x) || PyLong_CheckExact(x) || PyBytes_CheckExact(x)
        || PyCode_Check(x)) {
        return PyObject_RichCompareBool(x, y, Py_EQ);
    }
    return 0;
}

static PyObject *
key_of_items(PyObject *items)
{
    Py_ssize_t n = PyTuple_GET_SIZE(items);
    PyObject *keys = PyTuple_New(n);
    for (Py_ssize_t i = 0; keys != NULL && i < n; i++) {
        PyObject *key = _PyCode_ConstantKey(PyTuple_GET_ITEM(items, i));
        if (key == NULL) {
            Py_CLEAR(keys);
            break;
        }
        PyTuple_SET_ITEM(keys, i, key);
    }
    return keys;
}

PyObject *
_PyCode_ConstantKey(PyObject *o)
{
    if (o == Py_None || o == Py_Ellipsis || PyLong_CheckExact(o)
        || PyUnicode_CheckExact(o) || PyCode_Check(o)) {
        return Py_NewRef(o);
    }
    if (PyBool_Check(o) || PyBytes_CheckExact(o)) {
        return PyTuple_Pack(2, Py_TYPE(o), o);
    }
    if (PyFloat_CheckExact(o)) {
        double d = PyFloat_AS_DOUBLE(o);
        return d == 0.0 && signbit(d) ? PyTuple_Pack(3, Py_TYPE(o), o, Py_None)
                                      : PyTuple_Pack(2, Py_TYPE(o), o);
    }
    if (PyComplex_CheckExact(o)) {
        Py_complex z = ((PyComplexObject *)o)->cval;
        int signs = (z.real == 0.0 && signbit(z.real))
                    | (z.imag == 0.0 && signbit(z.imag)) << 1;
        PyObject *number = PyLong_FromLong(signs);
        PyObject *key = number ? PyTuple_Pack(3, Py_TYPE(o), o, number) : NULL;
        Py_XDECREF(number);
        return key;
    }
    if (PyTuple_CheckExact(o) || PyFrozenSet_CheckExact(o)) {
        PyObject *items = PySequence_Tuple(o);
        PyObject *keys = items ? key_of_items(items) : NULL;
        Py_XDECREF(items);
        if (keys != NULL && PyFrozenSet_CheckExact(o)) {
            Py_SETREF(keys, PyFrozenSet_New(keys));
        }
        PyObject *key = keys ? PyTuple_Pack(2, o, keys) : NULL;
        if (key != NULL && PyFrozenSet_CheckExact(o)) {
            Py_SETREF(key, PyTuple_Pack(2, Py_TYPE(o), keys));
        }
        Py_XDECREF(keys);
        return key;
    }
    PyObject *address = PyLong_FromVoidPtr(o);
    PyObject *key = address ? PyTuple_Pack(2, address, o) : NULL;
    Py_XDECREF(address);
    return key;
}

static int
codes_equal(PyCodeObject *x, PyCodeObject *y)
{
    if (x->co_argcount != y->co_argcount
        || x->co_posonlyargcount != y->co_posonlyargcount
        || x->co_kwonlyargcount != y->co_kwonlyargcount
        || x->co_flags != y->co_flags
        || x->co_firstlineno != y->co_firstlineno
        || ((PyVMCode *)x)->ninstr != ((PyVMCode *)y)->ninstr
        || ((PyVMCode *)x)->nregs != ((PyVMCode *)y)->nregs) {
        return 0;
    }
    PyObject *pairs[][2] = {
        {x->co_name, y->co_name},
        {x->co_names, y->co_names},
        {x->co_localsplusnames, y->co_localsplusnames},
        {x->co_linetable, y->co_linetable},
        {x->co_exceptiontable, y->co_exceptiontable},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(pairs); i++) {
        int same = PyObject_RichCompareBool(pairs[i][0], pairs[i][1], Py_EQ);
        if (same <= 0) {
            return same;
        }
    }
    int same = _PyCode_ConstantsEqual(x->co_consts, y->co_consts);
    if (same <= 0) {
        return same;
    }
    PyObject *a = _PyCode_GetWords(_PyVMCode_CAST(x));
    PyObject *b = _PyCode_GetWords(_PyVMCode_CAST(y));
    same = a == NULL || b == NULL ? -1 : PyObject_RichCompareBool(a, b, Py_EQ);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return same;
}

static PyObject *
code_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyCode_Check(self)
        || !PyCode_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int same = self == other ? 1 : codes_equal((PyCodeObject *)self,
                                               (PyCodeObject *)other);
    if (same < 0) {
        return NULL;
    }
    return PyBool_FromLong(same == (op == Py_EQ));
}

static Py_hash_t
code_hash(PyObject *self)
{
    PyCodeObject *co = (PyCodeObject *)self;
    PyObject *parts[] = {co->co_name, co->co_names, co->co_localsplusnames,
                         co->co_linetable, co->co_exceptiontable};
    Py_uhash_t hash = 20221211;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(parts); i++) {
        Py_hash_t h = PyObject_Hash(parts[i]);
        if (h == -1) {
            return -1;
        }
        hash = (hash ^ (Py_uhash_t)h) * 1000003u;
    }
    hash ^= (Py_uhash_t)co->co_argcount ^ (Py_uhash_t)co->co_posonlyargcount << 8
            ^ (Py_uhash_t)co->co_kwonlyargcount << 16
            ^ (Py_uhash_t)co->co_flags << 24
            ^ (Py_uhash_t)co->co_firstlineno << 32;
    return hash == (Py_uhash_t)-1 ? -2 : (Py_hash_t)hash;
}

/* ----------------------------------------------------------------- the type */

static PyObject *
code_repr(PyObject *self)
{
    PyCodeObject *co = (PyCodeObject *)self;
    int line = co->co_firstlineno ? co->co_firstlineno : -1;
    if (co->co_filename && PyUnicode_Check(co->co_filename)) {
        return PyUnicode_FromFormat("<code object %U at %p, file \"%U\", line %d>",
                                    co->co_name, co, co->co_filename, line);
    }
    return PyUnicode_FromFormat("<code object %U at %p, file ???, line %d>",
                                co->co_name, co, line);
}

void (*_PyCode_VacateLandings)(PyVMCode *);
void (*_PyCode_LeaveJit)(PyVMCode *);
void (*_PyCode_LeaveMonitor)(PyVMCode *);
void *_PyCode_DefaultEntry;

static void
code_dealloc(PyObject *self)
{
    PyVMCode *co = (PyVMCode *)self;
    PyCodeObject *ob = &co->ob;
    if (ob->co_weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    if (co->landings_link != NULL) {
        _PyCode_VacateLandings(co);
    }
    if (co->jit != NULL) {
        _PyCode_LeaveJit(co);
    }
    if (co->monitor != NULL) {
        _PyCode_LeaveMonitor(co);
    }
    free_extra(ob);
    Py_XDECREF(ob->co_consts);
    Py_XDECREF(ob->co_names);
    Py_XDECREF(ob->co_localsplusnames);
    Py_XDECREF(ob->co_localspluskinds);
    Py_XDECREF(ob->co_filename);
    Py_XDECREF(ob->co_name);
    Py_XDECREF(ob->co_qualname);
    Py_XDECREF(ob->co_linetable);
    Py_XDECREF(ob->co_exceptiontable);
    Py_XDECREF(ob->_co_code);
    PyMem_Free(ob->_co_linearray);
    PyMem_Free(co->code);
    PyMem_Free(co->handlers);
    PyObject_Free(self);
}

PyDoc_STRVAR(code_doc,
"code(argcount, posonlyargcount, kwonlyargcount, nlocals, stacksize,\n\
     flags, codestring, constants, names, varnames, filename, name,\n\
     qualname, firstlineno, linetable, exceptiontable, freevars=(),\n\
     cellvars=(), /)\n\
--\n\
\n\
Make a code object from its parts.");

PyTypeObject PyCode_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "code",
    .tp_basicsize = sizeof(PyVMCode),
    .tp_dealloc = code_dealloc,
    .tp_repr = code_repr,
    .tp_hash = code_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = code_doc,
    .tp_richcompare = code_richcompare,
    .tp_weaklistoffset = offsetof(PyCodeObject, co_weakreflist),
    .tp_methods = _PyCode_Methods,
    .tp_members = _PyCode_Members,
    .tp_getset = _PyCode_GetSet,
    .tp_new = _PyCode_New,
};

/* Code objects as Python and extensions see them: attributes, replace(), the
   constructors with CPython's parameters. */
#include "Python.h"
#include "structmember.h"
#include "internal/code.h"
#include "internal/code_tables.h"
#include "internal/method_table.h"
#include "internal/names.h"

#include <string.h>

#define KIND_LOCAL 0x20
#define KIND_CELL 0x40
#define KIND_FREE 0x80

#define CODE(op) ((PyCodeObject *)(op))
#define VM(op) ((PyVMCode *)(op))

/* ---------------------- co_code: the instructions as the compiler made them */

int
_PyCode_ImmediateInt(PyObject *constant, int32_t *value)
{
    if (!PyLong_CheckExact(constant)) {
        return 0;
    }
    int overflow;
    long number = PyLong_AsLongAndOverflow(constant, &overflow);
    *value = (int32_t)number;
    return !overflow && number == *value;
}

/* An address, as in f_lasti, counts two per word. Code that indexes co_code with an
   address must find the opcode there. So co_code has the first two bytes of all words
   first, and then the other six of each. */
enum { CODE_UNIT = 2, REST = sizeof(PyInstr) - CODE_UNIT };

static void
words_to_units(const PyInstr *words, size_t n, char *units)
{
    char *rest = units + n * CODE_UNIT;
    for (size_t i = 0; i < n; i++) {
        memcpy(units + i * CODE_UNIT, &words[i], CODE_UNIT);
        memcpy(rest + i * REST, (const char *)&words[i] + CODE_UNIT, REST);
    }
}

static void
units_to_words(const char *units, size_t n, PyInstr *words)
{
    const char *rest = units + n * CODE_UNIT;
    for (size_t i = 0; i < n; i++) {
        memcpy(&words[i], units + i * CODE_UNIT, CODE_UNIT);
        memcpy((char *)&words[i] + CODE_UNIT, rest + i * REST, REST);
    }
}

/* A returned constant goes through a temporary, whose register depends on the number of
   variables. co_code numbers this register from the first temporary and marks the
   RETURN. So functions without a body have the same co_code whatever their parameters,
   as in CPython. Automat, a library that Twisted uses, relies on it. */
enum { COUNTED_FROM_TEMPS = 1 };

static void
count_from_temps(PyInstr *words, size_t n, unsigned first_temp)
{
    for (size_t i = 0; i + 1 < n; i += _PyInstr_Words(&words[i])) {
        PyInstr *load = &words[i], *ret = load + 1;
        if (load->op == OP_LOAD_CONST && ret->op == OP_RETURN && load->a == ret->a
            && ret->a >= first_temp) {
            load->a = ret->a = (uint16_t)(ret->a - first_temp);
            ret->b = COUNTED_FROM_TEMPS;
        }
    }
}

/* Undoes count_from_temps(). Other words stay unchanged. */
static void
count_from_start(PyInstr *words, size_t n, unsigned first_temp)
{
    for (size_t i = 0; i + 1 < n; i += _PyInstr_Words(&words[i])) {
        PyInstr *load = &words[i], *ret = load + 1;
        if (load->op == OP_LOAD_CONST && ret->op == OP_RETURN && load->a == ret->a
            && ret->b == COUNTED_FROM_TEMPS) {
            load->a = ret->a = (uint16_t)(ret->a + first_temp);
            ret->b = 0;
        }
    }
}

PyObject *
PyCode_GetCode(PyCodeObject *code)
{
    if (code->_co_code != NULL) {
        return Py_NewRef(code->_co_code);
    }
    PyObject *words = _PyCode_GetWords(VM(code));
    if (words == NULL) {
        return NULL;
    }
    count_from_temps((PyInstr *)PyBytes_AS_STRING(words), VM(code)->ninstr, VM(code)->first_temp);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, PyBytes_GET_SIZE(words));
    if (bytes != NULL) {
        words_to_units((const PyInstr *)PyBytes_AS_STRING(words), VM(code)->ninstr,
                       PyBytes_AS_STRING(bytes));
    }
    Py_DECREF(words);
    if (bytes != NULL && code->_co_code == NULL) {
        code->_co_code = Py_NewRef(bytes);      /* tools ask for it at every call */
    }
    return bytes;
}

/* ------------------------------------------------------- names of variables */

/* Returns a new tuple of the names of kind CO_FAST_LOCAL, CELL or FREE. */
static PyObject *
names_of_kind(PyCodeObject *co, int kind)
{
    const char *kinds = PyBytes_AS_STRING(co->co_localspluskinds);
    Py_ssize_t n = 0, total = PyTuple_GET_SIZE(co->co_localsplusnames);
    for (Py_ssize_t i = 0; i < total; i++) {
        n += (kinds[i] & kind) != 0;
    }
    PyObject *names = PyTuple_New(n);
    for (Py_ssize_t i = 0, at = 0; names != NULL && i < total; i++) {
        if (kinds[i] & kind) {
            PyObject *name = PyTuple_GET_ITEM(co->co_localsplusnames, i);
            PyTuple_SET_ITEM(names, at++, Py_NewRef(name));
        }
    }
    return names;
}

PyObject *
PyCode_GetVarnames(PyCodeObject *co)
{
    return names_of_kind(co, KIND_LOCAL);
}

PyObject *
PyCode_GetCellvars(PyCodeObject *co)
{
    return names_of_kind(co, KIND_CELL);
}

PyObject *
PyCode_GetFreevars(PyCodeObject *co)
{
    return names_of_kind(co, KIND_FREE);
}

/* ----------------------------------- construction with CPython's parameters */

static int
contains_name(PyObject *tuple, PyObject *name)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        int same = PyUnicode_Compare(PyTuple_GET_ITEM(tuple, i), name);
        if (same == 0) {
            return 1;
        }
    }
    return 0;
}

static int
merge_variables(PyObject *varnames, PyObject *cellvars, PyObject *freevars,
                PyObject **names, PyObject **kinds, Py_ssize_t *nplain)
{
    Py_ssize_t nlocals = PyTuple_GET_SIZE(varnames);
    Py_ssize_t ncells = PyTuple_GET_SIZE(cellvars);
    Py_ssize_t nfrees = PyTuple_GET_SIZE(freevars);
    *nplain = 0;
    for (Py_ssize_t i = 0; i < ncells; i++) {
        *nplain += !contains_name(varnames, PyTuple_GET_ITEM(cellvars, i));
    }
    Py_ssize_t total = nlocals + *nplain + nfrees, at = 0;
    *names = PyTuple_New(total);
    *kinds = PyBytes_FromStringAndSize(NULL, total);
    if (*names == NULL || *kinds == NULL) {
        return -1;
    }
    char *kind = PyBytes_AS_STRING(*kinds);
    for (Py_ssize_t i = 0; i < nlocals; i++, at++) {
        PyObject *name = PyTuple_GET_ITEM(varnames, i);
        PyTuple_SET_ITEM(*names, at, Py_NewRef(name));
        kind[at] = KIND_LOCAL;
        kind[at] |= contains_name(cellvars, name) ? KIND_CELL : 0;
    }
    for (Py_ssize_t i = 0; i < ncells; i++) {
        PyObject *name = PyTuple_GET_ITEM(cellvars, i);
        if (!contains_name(varnames, name)) {
            PyTuple_SET_ITEM(*names, at, Py_NewRef(name));
            kind[at++] = KIND_CELL;
        }
    }
    for (Py_ssize_t i = 0; i < nfrees; i++, at++) {
        PyTuple_SET_ITEM(*names, at, Py_NewRef(PyTuple_GET_ITEM(freevars, i)));
        kind[at] = (char)KIND_FREE;
    }
    return 0;
}

static int
all_strings(PyObject *tuple)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        if (!PyUnicode_Check(PyTuple_GET_ITEM(tuple, i))) {
            return 0;
        }
    }
    return 1;
}

/* Runs if a code object without instructions is called nevertheless. */
static const PyInstr no_code[] = {
    {.op = OP_LOAD_ASSERTION_ERROR, .a = 0},
    {.op = OP_RAISE, .a = 0, .b = 0, .c = 1},
};

PyCodeObject *
PyCode_NewWithPosOnlyArgs(int argcount, int posonlyargcount,
                          int kwonlyargcount, int nlocals, int stacksize,
                          int flags, PyObject *code, PyObject *consts,
                          PyObject *names, PyObject *varnames,
                          PyObject *freevars, PyObject *cellvars,
                          PyObject *filename, PyObject *name,
                          PyObject *qualname, int firstlineno,
                          PyObject *linetable, PyObject *exceptiontable)
{
    PyCodeObject *co = NULL;
    PyObject *all_names = NULL, *kinds = NULL;
    PyInstr *words = NULL;
    Py_ssize_t nplain;
    if (code == NULL || !PyBytes_Check(code) || varnames == NULL
        || !PyTuple_Check(varnames) || cellvars == NULL
        || !PyTuple_Check(cellvars) || freevars == NULL
        || !PyTuple_Check(freevars) || names == NULL || !PyTuple_Check(names)
        || consts == NULL || !PyTuple_Check(consts) || stacksize < 0
        || !all_strings(varnames) || !all_strings(cellvars)
        || !all_strings(freevars)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyTuple_GET_SIZE(varnames) != nlocals) {
        PyErr_SetString(PyExc_ValueError,
                        "code: co_nlocals != len(co_varnames)");
        return NULL;
    }
    if (PyBytes_GET_SIZE(code) % (Py_ssize_t)sizeof(PyInstr) != 0) {
        PyErr_SetString(PyExc_ValueError, "code: co_code is malformed");
        return NULL;
    }
    if (merge_variables(varnames, cellvars, freevars, &all_names, &kinds,
                        &nplain) < 0) {
        goto done;
    }
    Py_ssize_t first_temp = nlocals + nplain;
    Py_ssize_t nregs = first_temp + (stacksize ? stacksize : 1);
    if (nregs > UINT16_MAX) {
        PyErr_SetString(PyExc_OverflowError, "code: too many registers");
        goto done;
    }
    size_t ninstr = (size_t)PyBytes_GET_SIZE(code) / sizeof(PyInstr);
    words = PyMem_Malloc(ninstr * sizeof(PyInstr));
    if (words == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    units_to_words(PyBytes_AS_STRING(code), ninstr, words);
    count_from_start(words, ninstr, (unsigned)first_temp);
    struct _PyVMCodeConstructor con = {
        .filename = filename, .name = name, .qualname = qualname,
        .flags = flags, .firstlineno = firstlineno,
        .code = words,
        .ninstr = (uint32_t)ninstr,
        .linetable = linetable, .exceptiontable = exceptiontable,
        .consts = consts, .names = names,
        .localsplusnames = all_names, .localspluskinds = kinds,
        .argcount = argcount, .posonlyargcount = posonlyargcount,
        .kwonlyargcount = kwonlyargcount,
        .nregs = (uint16_t)nregs, .first_temp = (uint16_t)first_temp,
    };
    PyInstr stub[2];
    if (con.ninstr == 0) {
        memcpy(stub, no_code, sizeof(stub));
        stub[0].a = stub[1].a = con.first_temp;
        con.code = stub;
        con.ninstr = 2;
    }
    co = _PyCode_NewVM(&con);
    if (co != NULL) {
        co->co_stacksize = stacksize;       /* the window has at least one register */
    }
done:
    PyMem_Free(words);
    Py_XDECREF(all_names);
    Py_XDECREF(kinds);
    return co;
}

PyCodeObject *
PyCode_New(int argcount, int kwonlyargcount, int nlocals, int stacksize,
           int flags, PyObject *code, PyObject *consts, PyObject *names,
           PyObject *varnames, PyObject *freevars, PyObject *cellvars,
           PyObject *filename, PyObject *name, PyObject *qualname,
           int firstlineno, PyObject *linetable, PyObject *exceptiontable)
{
    return PyCode_NewWithPosOnlyArgs(
        argcount, 0, kwonlyargcount, nlocals, stacksize, flags, code, consts,
        names, varnames, freevars, cellvars, filename, name, qualname,
        firstlineno, linetable, exceptiontable);
}

PyCodeObject *
PyCode_NewEmpty(const char *filename, const char *funcname, int firstlineno)
{
    /* Two words without columns, on the first line. */
    static const char lines[] = {(char)(0x80 | 13 << 3 | 1), 0};
    PyCodeObject *co = NULL;
    PyObject *empty = PyTuple_New(0);
    PyObject *nothing = PyBytes_FromStringAndSize(NULL, 0);
    PyObject *table = PyBytes_FromStringAndSize(lines, sizeof(lines));
    PyObject *name = PyUnicode_FromString(funcname);
    PyObject *file = PyUnicode_DecodeFSDefault(filename);
    if (empty != NULL && nothing != NULL && table != NULL && name != NULL
        && file != NULL) {
        co = PyCode_NewWithPosOnlyArgs(0, 0, 0, 0, 1,
                                       CO_OPTIMIZED | CO_NEWLOCALS, nothing,
                                       empty, empty, empty, empty, empty, file,
                                       name, name, firstlineno, table, nothing);
    }
    Py_XDECREF(empty);
    Py_XDECREF(nothing);
    Py_XDECREF(table);
    Py_XDECREF(name);
    Py_XDECREF(file);
    return co;
}

/* Returns a new tuple of exact strings. */
static PyObject *
checked_names(PyObject *tuple)
{
    Py_ssize_t n = PyTuple_GET_SIZE(tuple);
    PyObject *names = PyTuple_New(n);
    for (Py_ssize_t i = 0; names != NULL && i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(tuple, i);
        if (!PyUnicode_Check(item)) {
            PyErr_Format(PyExc_TypeError,
                         "name tuples must contain only strings, not '%.500s'",
                         Py_TYPE(item)->tp_name);
            Py_CLEAR(names);
            break;
        }
        item = PyUnicode_FromObject(item);
        if (item == NULL) {
            Py_CLEAR(names);
            break;
        }
        PyTuple_SET_ITEM(names, i, item);
    }
    return names;
}

static int
negative(const char *what, int value)
{
    if (value >= 0) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "code: %s must not be negative", what);
    return 1;
}

PyObject *
_PyCode_New(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    int argcount, posonly, kwonly, nlocals, stacksize, flags, firstlineno;
    PyObject *code, *consts, *names, *varnames, *filename, *name, *qualname;
    PyObject *linetable, *exceptiontable, *freevars = NULL, *cellvars = NULL;
    (void)type;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError, "code() takes no keyword arguments");
        return NULL;
    }
    if (!_PyArg_CheckPositional("code", PyTuple_GET_SIZE(args), 16, 18)
        || !PyArg_ParseTuple(args, "iiiiiiSO!O!O!UUUiSS|O!O!:code", &argcount,
                          &posonly, &kwonly, &nlocals, &stacksize, &flags,
                          &code, &PyTuple_Type, &consts, &PyTuple_Type, &names,
                          &PyTuple_Type, &varnames, &filename, &name, &qualname,
                          &firstlineno, &linetable, &exceptiontable,
                          &PyTuple_Type, &freevars, &PyTuple_Type, &cellvars)) {
        return NULL;
    }
    if (PySys_Audit("code.__new__", "OOOiiiiii", code, filename, name, argcount,
                    posonly, kwonly, nlocals, stacksize, flags) < 0
        || negative("argcount", argcount)
        || negative("posonlyargcount", posonly)
        || negative("kwonlyargcount", kwonly)
        || negative("nlocals", nlocals)) {
        return NULL;
    }
    PyObject *none = PyTuple_New(0);
    PyObject *n = checked_names(names), *v = checked_names(varnames);
    PyObject *f = none ? checked_names(freevars ? freevars : none) : NULL;
    PyObject *c = none ? checked_names(cellvars ? cellvars : none) : NULL;
    PyCodeObject *co = NULL;
    if (n != NULL && v != NULL && f != NULL && c != NULL) {
        co = PyCode_NewWithPosOnlyArgs(argcount, posonly, kwonly, nlocals,
                                       stacksize, flags, code, consts, n, v, f,
                                       c, filename, name, qualname, firstlineno,
                                       linetable, exceptiontable);
    }
    Py_XDECREF(none);
    Py_XDECREF(n);
    Py_XDECREF(v);
    Py_XDECREF(f);
    Py_XDECREF(c);
    return (PyObject *)co;
}

/* ---------------------------------------------------------------- replace() */

enum { R_ARGCOUNT, R_POSONLY, R_KWONLY, R_NLOCALS, R_STACKSIZE, R_FLAGS,
       R_FIRSTLINE, R_INTS };
enum { R_CODE, R_CONSTS, R_NAMES, R_VARNAMES, R_FREEVARS, R_CELLVARS,
       R_FILENAME, R_NAME, R_QUALNAME, R_LINETABLE, R_EXCEPTIONS, R_OBJECTS };

static const struct {
    const char *name;
    const char *type;
} replaceable[R_OBJECTS] = {
    {"co_code", "bytes"}, {"co_consts", "tuple"}, {"co_names", "tuple"},
    {"co_varnames", "tuple"}, {"co_freevars", "tuple"},
    {"co_cellvars", "tuple"}, {"co_filename", "str"}, {"co_name", "str"},
    {"co_qualname", "str"}, {"co_linetable", "bytes"},
    {"co_exceptiontable", "bytes"},
};

static int
check_replacement(int which, PyObject *value)
{
    const char *type = replaceable[which].type;
    int good = type[0] == 'b' ? PyBytes_Check(value)
               : type[0] == 't' ? PyTuple_Check(value) : PyUnicode_Check(value);
    if (!good) {
        PyErr_Format(PyExc_TypeError, "replace() argument '%s' must be %s, not %.50s",
                     replaceable[which].name, type,
                     value == Py_None ? "None" : Py_TYPE(value)->tp_name);
        return -1;
    }
    return 0;
}

static PyObject *
code_replace(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {
        "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals",
        "co_stacksize", "co_flags", "co_firstlineno", "co_code", "co_consts",
        "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_filename",
        "co_name", "co_qualname", "co_linetable", "co_exceptiontable", NULL,
    };
    PyCodeObject *co = CODE(self);
    int i[R_INTS] = {
        co->co_argcount, co->co_posonlyargcount, co->co_kwonlyargcount,
        co->co_nlocals, co->co_stacksize, co->co_flags, co->co_firstlineno,
    };
    PyObject *o[R_OBJECTS] = {
        NULL, co->co_consts, co->co_names, NULL, NULL, NULL, co->co_filename,
        co->co_name, co->co_qualname, co->co_linetable, co->co_exceptiontable,
    };
    PyObject *code = PyCode_GetCode(co), *result = NULL;
    PyObject *varnames = PyCode_GetVarnames(co);
    PyObject *freevars = PyCode_GetFreevars(co);
    PyObject *cellvars = PyCode_GetCellvars(co);
    if (code == NULL || varnames == NULL || freevars == NULL
        || cellvars == NULL) {
        goto done;
    }
    o[R_CODE] = code;
    o[R_VARNAMES] = varnames;
    o[R_FREEVARS] = freevars;
    o[R_CELLVARS] = cellvars;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "|$iiiiiiiOOOOOOOOOOO:replace", keywords,
            &i[R_ARGCOUNT], &i[R_POSONLY], &i[R_KWONLY], &i[R_NLOCALS],
            &i[R_STACKSIZE], &i[R_FLAGS], &i[R_FIRSTLINE], &o[R_CODE],
            &o[R_CONSTS], &o[R_NAMES], &o[R_VARNAMES], &o[R_FREEVARS],
            &o[R_CELLVARS], &o[R_FILENAME], &o[R_NAME], &o[R_QUALNAME],
            &o[R_LINETABLE], &o[R_EXCEPTIONS])) {
        goto done;
    }
    for (int k = 0; k < R_OBJECTS; k++) {
        if (check_replacement(k, o[k]) < 0) {
            goto done;
        }
    }
    if (negative("co_argcount", i[R_ARGCOUNT])
        || negative("co_posonlyargcount", i[R_POSONLY])
        || negative("co_kwonlyargcount", i[R_KWONLY])
        || negative("co_nlocals", i[R_NLOCALS])
        || negative("co_stacksize", i[R_STACKSIZE])
        || negative("co_flags", i[R_FLAGS])
        || negative("co_firstlineno", i[R_FIRSTLINE])) {
        goto done;
    }
    if (PySys_Audit("code.__new__", "OOOiiiiii", o[R_CODE], o[R_FILENAME],
                    o[R_NAME], i[R_ARGCOUNT], i[R_POSONLY], i[R_KWONLY],
                    i[R_NLOCALS], i[R_STACKSIZE], i[R_FLAGS]) < 0) {
        goto done;
    }
    result = (PyObject *)PyCode_NewWithPosOnlyArgs(
        i[R_ARGCOUNT], i[R_POSONLY], i[R_KWONLY], i[R_NLOCALS], i[R_STACKSIZE],
        i[R_FLAGS], o[R_CODE], o[R_CONSTS], o[R_NAMES], o[R_VARNAMES],
        o[R_FREEVARS], o[R_CELLVARS], o[R_FILENAME], o[R_NAME], o[R_QUALNAME],
        i[R_FIRSTLINE], o[R_LINETABLE], o[R_EXCEPTIONS]);
done:
    Py_XDECREF(code);
    Py_XDECREF(varnames);
    Py_XDECREF(freevars);
    Py_XDECREF(cellvars);
    return result;
}

PyObject *
PyCode_Optimize(PyObject *code, PyObject *Py_UNUSED(consts),
                PyObject *Py_UNUSED(names), PyObject *Py_UNUSED(lnotab))
{
    return Py_NewRef(code);
}

/* --------------------------------------------------- methods and attributes */

static PyObject *
code_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyVMCode *co = VM(self);
    size_t size = offsetof(PyVMCode, packed) + co->npacked
                  + (_PyCode_IsUnpacked(co) ? (size_t)_PyCode_NBYTES_VM(co) : 0)
                  + co->nhandlers * sizeof(PyHandlerRange);
    return PyLong_FromSize_t(size);
}

static PyObject *
code_lines(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyCode_Lines(CODE(self));
}

static PyObject *
code_positions(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyCode_Positions(CODE(self));
}

static PyObject *
code_varname(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"oparg", NULL};
    int index;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i:_varname_from_oparg",
                                     keywords, &index)) {
        return NULL;
    }
    PyObject *name = PyTuple_GetItem(CODE(self)->co_localsplusnames, index);
    return Py_XNewRef(name);
}

PyMethodDef _PyCode_Methods[] = {
    {"__sizeof__", code_sizeof, METH_NOARGS, NULL},
    {"co_lines", code_lines, METH_NOARGS, NULL},
    {"co_positions", code_positions, METH_NOARGS, NULL},
    {"replace", VAR_KEYWORDS(code_replace),
     PyDoc_STR("replace($self, /, *, co_argcount=-1, co_posonlyargcount=-1,\n"
               "        co_kwonlyargcount=-1, co_nlocals=-1, co_stacksize=-1,\n"
               "        co_flags=-1, co_firstlineno=-1, co_code=None, co_consts=None,\n"
               "        co_names=None, co_varnames=None, co_freevars=None,\n"
               "        co_cellvars=None, co_filename=None, co_name=None,\n"
               "        co_qualname=None, co_linetable=None, co_exceptiontable=None)\n"
               "--\n\nA copy with the given parts changed.")},
    {"_varname_from_oparg", VAR_KEYWORDS(code_varname),
     PyDoc_STR("_varname_from_oparg($self, /, oparg)\n--\n\n"
               "The name of a variable by its number among all kinds.")},
    {NULL, NULL, 0, NULL},
};

PyMemberDef _PyCode_Members[] = {
#define INT(name) {#name, T_INT, offsetof(PyCodeObject, name), READONLY, NULL}
#define OBJECT(name) {#name, T_OBJECT, offsetof(PyCodeObject, name), READONLY, NULL}
    INT(co_argcount), INT(co_posonlyargcount), INT(co_kwonlyargcount),
    INT(co_stacksize), INT(co_flags), OBJECT(co_names), OBJECT(co_filename),
    OBJECT(co_name), OBJECT(co_qualname), INT(co_firstlineno),
    OBJECT(co_linetable), OBJECT(co_exceptiontable), OBJECT(co_consts),
    INT(co_nlocals),
#undef INT
#undef OBJECT
    {NULL, 0, 0, 0, NULL},
};

static PyObject *
get_lnotab(PyObject *self, void *Py_UNUSED(closure))
{
    return _PyCode_Lnotab(CODE(self));
}

static PyObject *
get_adaptive(PyObject *self, void *Py_UNUSED(closure))
{
    return !_PyCode_IsUnpacked(VM(self)) ? _PyCode_GetWords(VM(self))
           : PyBytes_FromStringAndSize((char *)VM(self)->code, _PyCode_NBYTES_VM(VM(self)));
}

static PyObject *
get_names(PyObject *self, void *kind)
{
    return names_of_kind(CODE(self), (int)(intptr_t)kind);
}

static PyObject *
get_code(PyObject *self, void *Py_UNUSED(closure))
{
    return PyCode_GetCode(CODE(self));
}

PyGetSetDef _PyCode_GetSet[] = {
    {"co_lnotab", get_lnotab, NULL, NULL, NULL},
    {"_co_code_adaptive", get_adaptive, NULL, NULL, NULL},
    {"co_varnames", get_names, NULL, NULL, (void *)(intptr_t)KIND_LOCAL},
    {"co_cellvars", get_names, NULL, NULL, (void *)(intptr_t)KIND_CELL},
    {"co_freevars", get_names, NULL, NULL, (void *)(intptr_t)KIND_FREE},
    {"co_code", get_code, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

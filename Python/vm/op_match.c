/* Structural pattern matching. */
#include "vm.h"
#include "internal/dict.h"

HANDLER(GET_LEN)
{
    PyReg value = R(B);
    if (REG_IS_PTR(value)
        && (IS_EXACT(value, PyTuple_Type) || IS_EXACT(value, PyList_Type))) {
        WRITE(A, REG_FROM_INT((int64_t)Py_SIZE(REG_PTR(value))));
        NEXT(0);
    }
    SAVE_IP();
    PyObject *subject = reg_object(&R(B));
    Py_ssize_t size = subject != NULL ? PyObject_Size(subject) : -1;
    if (size < 0) {
        ERROR();
    }
    WRITE(A, REG_FROM_INT((int64_t)size));
    NEXT_RELOAD(0);
}

static inline int
has_flag(PyReg reg, unsigned long flag)
{
    return !REG_IS_INT(reg) && (Py_TYPE(REG_PTR(reg))->tp_flags & flag) != 0;
}

HANDLER(MATCH_MAPPING)
{
    WRITE(A, REG_BOOL(has_flag(R(B), Py_TPFLAGS_MAPPING)));
    NEXT(0);
}

HANDLER(MATCH_SEQUENCE)
{
    WRITE(A, REG_BOOL(has_flag(R(B), Py_TPFLAGS_SEQUENCE)));
    NEXT(0);
}

/* Values of `keys` in an exact dict, when they are plain strings. The same as match_keys() below. */
static PyObject *
match_strings(PyThreadState *ts, PyDictObject *dict, PyObject *keys)
{
    Py_ssize_t n = PyTuple_GET_SIZE(keys);
    PyObject *values = PyTuple_New(n);
    for (Py_ssize_t i = 0; values != NULL && i < n; i++) {
        PyObject *value = _PyDict_GetNew(dict, PyTuple_GET_ITEM(keys, i));
        if (value == NULL) {
            Py_SETREF(values, _PyErr_Occurred(ts) ? NULL : Py_NewRef(Py_None));
            break;
        }
        PyTuple_SET_ITEM(values, i, value);
    }
    return values;
}

/* Strings of which no two are equal? So few are compared faster than a set is made. */
#define FEW_STRINGS 8

static int
are_distinct_strings(PyObject *tuple)
{
    Py_ssize_t n = PyTuple_GET_SIZE(tuple);
    if (n > FEW_STRINGS) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *text = PyTuple_GET_ITEM(tuple, i);
        if (!PyUnicode_CheckExact(text)) {
            return 0;
        }
        for (Py_ssize_t k = 0; k < i; k++) {
            if (_PyUnicode_EQ(text, PyTuple_GET_ITEM(tuple, k))) {
                return 0;
            }
        }
    }
    return 1;
}

/* A tuple of the values of `keys` in a mapping; None if one is missing. */
static PyObject *
match_keys(PyThreadState *ts, PyObject *map, PyObject *keys)
{
    Py_ssize_t n = PyTuple_GET_SIZE(keys);
    PyObject *seen = NULL, *missing = NULL, *values = NULL, *get = NULL;
    if (n == 0) {
        return PyTuple_New(0);
    }
    if (PyDict_CheckExact(map) && are_distinct_strings(keys)) {
        return match_strings(ts, (PyDictObject *)map, keys);
    }
    get = PyObject_GetAttr(map, _Py_NAME(get));
    seen = PySet_New(NULL);
    missing = PyBaseObject_Type.tp_alloc(&PyBaseObject_Type, 0);
    values = PyTuple_New(n);
    if (get == NULL || seen == NULL || missing == NULL || values == NULL) {
        goto failed;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *key = PyTuple_GET_ITEM(keys, i);
        int twice = PySet_Contains(seen, key);
        if (twice < 0 || (!twice && PySet_Add(seen, key) < 0)) {
            goto failed;
        }
        if (twice) {
            _PyErr_Format(ts, PyExc_ValueError,
                          "mapping pattern checks duplicate key (%R)", key);
            goto failed;
        }
        PyObject *args[] = {key, missing};
        PyObject *value = _PyObject_VectorcallTstate(ts, get, args, 2, NULL);
        if (value == NULL) {
            goto failed;
        }
        if (value == missing) {
            Py_DECREF(value);
            Py_SETREF(values, Py_NewRef(Py_None));
            break;
        }
        PyTuple_SET_ITEM(values, i, value);
    }
    goto done;
failed:
    Py_CLEAR(values);
done:
    Py_XDECREF(get);
    Py_XDECREF(seen);
    Py_XDECREF(missing);
    return values;
}

HANDLER(MATCH_KEYS)
{
    SAVE_IP();
    PyObject *values = match_keys(ts, REG_PTR(R(B)), REG_PTR(R(C)));
    if (values == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)values);
    NEXT_RELOAD(0);
}

/* What a class pattern asks for, in order. */
typedef struct {
    PyObject *values;           /* a tuple, filled so far */
    PyObject **names;           /* borrowed; NULL: the subject itself */
    Py_ssize_t n;
} Matched;

/* One attribute more: 1, 0 when the subject has none, -1 with an exception. */
static int
match_attribute(PyThreadState *ts, Matched *matched, PyObject *subject, PyObject *type,
                PyObject *name)
{
    for (Py_ssize_t i = 0; i < matched->n; i++) {
        if (matched->names[i] != NULL && _PyUnicode_EQ(matched->names[i], name)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "%s() got multiple sub-patterns for attribute %R",
                          ((PyTypeObject *)type)->tp_name, name);
            return -1;
        }
    }
    PyObject *value;
    int found = _PyObject_LookupAttr(subject, name, &value);
    if (found > 0) {
        PyTuple_SET_ITEM(matched->values, matched->n, value);
        matched->names[matched->n++] = name;
    }
    return found;
}

/* Attributes for the npos positional patterns: likewise. match_args: a tuple, which lives as long
   as the names do, or NULL. */
static int
match_positional(PyThreadState *ts, Matched *matched, PyObject *subject, PyObject *type,
                 Py_ssize_t npos, PyObject *match_args)
{
    int match_self = match_args == NULL
                     && PyType_HasFeature((PyTypeObject *)type, _Py_TPFLAGS_MATCH_SELF);
    Py_ssize_t allowed = match_args != NULL ? PyTuple_GET_SIZE(match_args) : match_self;
    if (allowed < npos) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "%s() accepts %zd positional sub-pattern%s (%zd given)",
                      ((PyTypeObject *)type)->tp_name, allowed, allowed == 1 ? "" : "s", npos);
        return -1;
    }
    if (match_self) {
        PyTuple_SET_ITEM(matched->values, 0, Py_NewRef(subject));
        matched->names[0] = NULL;
        matched->n = 1;
        return 1;
    }
    int found = 1;
    for (Py_ssize_t i = 0; found > 0 && i < npos; i++) {
        PyObject *name = PyTuple_GET_ITEM(match_args, i);
        if (!PyUnicode_CheckExact(name)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "__match_args__ elements must be strings (got %s)",
                          Py_TYPE(name)->tp_name);
            return -1;
        }
        found = match_attribute(ts, matched, subject, type, name);
    }
    return found;
}

/* The class's __match_args__, a new reference to a tuple or NULL: -1 with an exception. */
static int
get_match_args(PyThreadState *ts, PyObject *type, PyObject **match_args)
{
    int found = _PyObject_LookupAttr(type, _Py_NAME(dunder_match_args), match_args);
    if (found > 0 && !PyTuple_CheckExact(*match_args)) {
        _PyErr_Format(ts, PyExc_TypeError, "%s.__match_args__ must be a tuple (got %s)",
                      ((PyTypeObject *)type)->tp_name, Py_TYPE(*match_args)->tp_name);
        Py_CLEAR(*match_args);
        return -1;
    }
    return found < 0 ? -1 : 0;
}

/* The tuple of attributes for the subpatterns; NULL without an exception: no match. */
static PyObject *
match_class(PyThreadState *ts, PyObject *subject, PyObject *type,
            Py_ssize_t npos, PyObject *names)
{
    if (!PyType_Check(type)) {
        _PyErr_SetString(ts, PyExc_TypeError,
                         "called match pattern must be a type");
        return NULL;
    }
    if (PyObject_IsInstance(subject, type) <= 0) {
        return NULL;
    }
    PyObject *match_args = NULL;
    if (npos > 0 && get_match_args(ts, type, &match_args) < 0) {
        return NULL;
    }
    Py_ssize_t n = npos + PyTuple_GET_SIZE(names);
    PyObject *few[16];
    Matched matched = {.values = PyTuple_New(n), .names = few};
    if (n > (Py_ssize_t)Py_ARRAY_LENGTH(few)) {
        matched.names = PyMem_New(PyObject *, n);
    }
    int found = matched.values == NULL ? -1 : 1;
    if (matched.names == NULL) {
        (void)PyErr_NoMemory();
        found = -1;
    }
    if (found > 0 && npos > 0) {
        found = match_positional(ts, &matched, subject, type, npos, match_args);
    }
    for (Py_ssize_t i = npos; found > 0 && i < n; i++) {
        found = match_attribute(ts, &matched, subject, type, PyTuple_GET_ITEM(names, i - npos));
    }
    if (found <= 0) {
        Py_CLEAR(matched.values);
    }
    Py_XDECREF(match_args);
    if (matched.names != few) {
        PyMem_Free(matched.names);
    }
    return matched.values;
}

HANDLER(MATCH_CLASS)
{
    SAVE_IP();
    PyReg *run = &R(B);
    if (box_run(run, 3) < 0) {
        ERROR();
    }
    PyObject *attrs = match_class(ts, REG_PTR(run[0]), REG_PTR(run[1]), C,
                                  REG_PTR(run[2]));
    if (attrs == NULL && _PyErr_Occurred(ts)) {
        ERROR();
    }
    clear_run(run, 3);
    WRITE(A, attrs != NULL ? (PyReg)attrs : REG_NONE);
    NEXT_RELOAD(0);
}

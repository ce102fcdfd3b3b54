/* Structural pattern matching. */
#include "vm.h"
#include "internal/dict.h"

HANDLER(GET_LEN)
{
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

/* A tuple of the values of `keys` in a mapping; None if one is missing. */
static PyObject *
match_keys(PyThreadState *ts, PyObject *map, PyObject *keys)
{
    Py_ssize_t n = PyTuple_GET_SIZE(keys);
    PyObject *seen = NULL, *missing = NULL, *values = NULL, *get = NULL;
    if (n == 0) {
        return PyTuple_New(0);
    }
    if (n == 1 && PyDict_CheckExact(map)) {
        PyObject *value = _PyDict_GetNew((PyDictObject *)map, PyTuple_GET_ITEM(keys, 0));
        if (value == NULL) {
            return _PyErr_Occurred(ts) ? NULL : Py_NewRef(Py_None);
        }
        values = PyTuple_New(1);
        if (values == NULL) {
            Py_DECREF(value);
            return NULL;
        }
        PyTuple_SET_ITEM(values, 0, value);
        return values;
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

/* One attribute of a class pattern. Returns a new reference, NULL without an exception
   when the subject has none. */
static PyObject *
match_attribute(PyThreadState *ts, PyObject *subject, PyObject *type,
                PyObject *name, PyObject *seen)
{
    int twice = PySet_Contains(seen, name);
    if (twice < 0 || (!twice && PySet_Add(seen, name) < 0)) {
        return NULL;
    }
    if (twice) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "%s() got multiple sub-patterns for attribute %R",
                      ((PyTypeObject *)type)->tp_name, name);
        return NULL;
    }
    PyObject *value = PyObject_GetAttr(subject, name);
    if (value == NULL && _PyErr_ExceptionMatches(ts, PyExc_AttributeError)) {
        _PyErr_Clear(ts);
    }
    return value;
}

/* Attributes for positional patterns: 1 all there, 0 no match, -1 error. */
static int
match_positional(PyThreadState *ts, PyObject *subject, PyObject *type,
                 Py_ssize_t npos, PyObject *seen, PyObject *attrs)
{
    const char *type_name = ((PyTypeObject *)type)->tp_name;
    PyObject *match_args =
        PyObject_GetAttr(type, _Py_NAME(dunder_match_args));
    int match_self = 0;
    if (match_args != NULL) {
        if (!PyTuple_CheckExact(match_args)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "%s.__match_args__ must be a tuple (got %s)",
                          type_name, Py_TYPE(match_args)->tp_name);
            Py_DECREF(match_args);
            return -1;
        }
    }
    else if (_PyErr_ExceptionMatches(ts, PyExc_AttributeError)) {
        _PyErr_Clear(ts);
        match_args = PyTuple_New(0);
        match_self = PyType_HasFeature((PyTypeObject *)type,
                                       _Py_TPFLAGS_MATCH_SELF);
    }
    if (match_args == NULL) {
        return -1;
    }
    Py_ssize_t allowed = match_self ? 1 : PyTuple_GET_SIZE(match_args);
    int result = -1;
    if (allowed < npos) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "%s() accepts %zd positional sub-pattern%s (%zd given)",
                      type_name, allowed, allowed == 1 ? "" : "s", npos);
        goto done;
    }
    if (match_self) {
        result = PyList_Append(attrs, subject) < 0 ? -1 : 1;
        goto done;
    }
    for (Py_ssize_t i = 0; i < npos; i++) {
        PyObject *name = PyTuple_GET_ITEM(match_args, i);
        if (!PyUnicode_CheckExact(name)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "__match_args__ elements must be strings (got %s)",
                          Py_TYPE(name)->tp_name);
            goto done;
        }
        PyObject *value = match_attribute(ts, subject, type, name, seen);
        if (value == NULL) {
            result = _PyErr_Occurred(ts) ? -1 : 0;
            goto done;
        }
        int err = PyList_Append(attrs, value);
        Py_DECREF(value);
        if (err < 0) {
            goto done;
        }
    }
    result = 1;
done:
    Py_DECREF(match_args);
    return result;
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
    PyObject *result = NULL;
    PyObject *seen = PySet_New(NULL), *attrs = PyList_New(0);
    if (seen == NULL || attrs == NULL) {
        goto done;
    }
    if (npos > 0
        && match_positional(ts, subject, type, npos, seen, attrs) <= 0) {
        goto done;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        PyObject *value = match_attribute(ts, subject, type, name, seen);
        if (value == NULL) {
            goto done;
        }
        int err = PyList_Append(attrs, value);
        Py_DECREF(value);
        if (err < 0) {
            goto done;
        }
    }
    result = PyList_AsTuple(attrs);
done:
    Py_XDECREF(seen);
    Py_XDECREF(attrs);
    return result;
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

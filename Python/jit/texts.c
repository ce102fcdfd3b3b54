/* Strings as machine code makes them: texts.h. */
#include "texts.h"
#include "../vm/vm.h"
#include "internal/unicode.h"

#undef A
#undef B
#undef C

/* Of a class whose texts no other code makes. */
static int
is_plain(PyReg value)
{
    if (value == 0 || REG_IS_INT(value)) {
        return value != 0;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(value));
    return type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type
           || value == REG_NONE;
}

/* Without an exception. */
static PyObject *
quietly(PyObject *text)
{
    if (text == NULL) {
        PyErr_Clear();
    }
    return text;
}

/* A new reference. */
static PyObject *
object_of(PyReg value)
{
    return REG_IS_INT(value) ? _PyLong_FromInt64(REG_INT(value)) : Py_NewRef(REG_PTR(value));
}

PyObject *
_PyJit_PlainText(PyReg value)
{
    if (!REG_IS_INT(value) && value != 0 && Py_IS_TYPE(REG_PTR(value), &PyUnicode_Type)) {
        return Py_NewRef(REG_PTR(value));
    }
    return _PyJit_PlainRepr(value);
}

PyObject *
_PyJit_PlainRepr(PyReg value)
{
    PyObject *object = is_plain(value) ? object_of(value) : NULL;
    if (object == NULL) {
        return quietly(NULL);
    }
    PyObject *text = Py_TYPE(object)->tp_repr(object);
    Py_DECREF(object);
    return quietly(text);
}

PyObject *
_PyJit_FormattedText(PyReg value, PyReg spec)
{
    if (!is_plain(value) || spec == 0 || REG_IS_INT(spec)
        || !Py_IS_TYPE(REG_PTR(spec), &PyUnicode_Type) || value == REG_NONE) {
        return NULL;
    }
    PyObject *object = object_of(value);
    PyObject *text = object == NULL ? NULL : PyObject_Format(object, REG_PTR(spec));
    Py_XDECREF(object);
    return quietly(text);
}

static int
bound(PyReg word, Py_ssize_t when_none, Py_ssize_t *value)
{
    int64_t number;
    if (word == REG_NONE) {
        *value = when_none;
        return 1;
    }
    if (word == 0 || !reg_as_small(word, &number)) {
        return 0;
    }
    *value = number;
    return 1;
}

PyObject *
_PyJit_SliceOfStr(PyObject *text, PyReg start, PyReg stop)
{
    Py_ssize_t first, end;
    if (!bound(start, 0, &first) || !bound(stop, PY_SSIZE_T_MAX, &end)) {
        return NULL;
    }
    PySlice_AdjustIndices(PyUnicode_GET_LENGTH(text), &first, &end, 1);
    return quietly(PyUnicode_Substring(text, first, Py_MAX(first, end)));
}

PyObject *
_PyJit_Join(PyVMFrame *f, uint64_t run, uint64_t owned)
{
    PyReg *pieces = &f->regs[run & 0xffff];
    uint64_t n = run >> 16;
    for (uint64_t i = 0; i < n; i++) {
        if (!IS_EXACT(pieces[i], PyUnicode_Type)) {
            return NULL;
        }
    }
    PyObject *empty = PyUnicode_New(0, 0);
    PyObject *text = empty == NULL ? NULL
                   : _PyUnicode_JoinArray(empty, (PyObject **)pieces, (Py_ssize_t)n);
    Py_XDECREF(empty);
    if (text == NULL) {
        return quietly(NULL);
    }
    for (uint64_t i = 0; i < n; i++) {
        PyObject *piece = REG_PTR(pieces[i]);
        pieces[i] = 0;
        if (owned >> i & 1) {
            Py_DECREF(piece);
        }
    }
    return text;
}

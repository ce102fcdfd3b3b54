/* Strings as machine code makes them: texts.h. */
#include "items.h"
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

PyObject *
_PyJit_PlainText(PyReg value)
{
    if (!REG_IS_INT(value) && value != 0 && Py_IS_TYPE(REG_PTR(value), &PyUnicode_Type)) {
        return Py_NewRef(REG_PTR(value));
    }
    return _PyJit_PlainRepr(value);
}

/* As int's repr does it. */
static PyObject *
text_of_word(int64_t value)
{
    char buffer[24], *end = buffer + sizeof(buffer), *p = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        *--p = '-';
    }
    if (end - p == 1) {
        return Py_NewRef(_PyUnicode_latin1[(unsigned char)*p]);
    }
    PyObject *text = PyUnicode_New(end - p, 127);
    if (text != NULL) {
        memcpy(PyUnicode_1BYTE_DATA(text), p, (size_t)(end - p));
    }
    return text;
}

PyObject *
_PyJit_PlainRepr(PyReg value)
{
    int64_t number;
    if (value != 0 && reg_as_small(value, &number)) {
        return quietly(text_of_word(number));
    }
    PyObject *object = is_plain(value) ? _PyJit_ObjectOf(value) : NULL;
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
    PyObject *object = _PyJit_ObjectOf(value);
    PyObject *text = object == NULL ? NULL : PyObject_Format(object, REG_PTR(spec));
    Py_XDECREF(object);
    return quietly(text);
}

/* Of strs that are all ASCII and not empty altogether; NULL without an exception: they are not. */
static PyObject *
join_ascii(const PyReg *pieces, uint64_t n)
{
    Py_ssize_t total = 0;
    for (uint64_t i = 0; i < n; i++) {
        PyObject *piece = REG_PTR(pieces[i]);
        if (!PyUnicode_IS_COMPACT_ASCII(piece)) {
            return NULL;
        }
        total += PyUnicode_GET_LENGTH(piece);
    }
    PyObject *text = n < 2 || total < 2 ? NULL : PyUnicode_New(total, 127);
    if (text == NULL) {
        return quietly(NULL);
    }
    char *out = (char *)PyUnicode_1BYTE_DATA(text);
    for (uint64_t i = 0; i < n; i++) {
        PyObject *piece = REG_PTR(pieces[i]);
        const char *in = (const char *)PyUnicode_1BYTE_DATA(piece);
        size_t size = (size_t)PyUnicode_GET_LENGTH(piece);
        if (size < 8) {
            for (size_t k = 0; k < size; k++) {
                out[k] = in[k];
            }
        }
        else {
            memcpy(out, in, size);
        }
        out += size;
    }
    return text;
}

/* The usual way. */
static PyObject *
join_any(PyReg *pieces, uint64_t n)
{
    PyObject *empty = PyUnicode_New(0, 0);
    PyObject *text = empty == NULL ? NULL
                   : _PyUnicode_JoinArray(empty, (PyObject **)pieces, (Py_ssize_t)n);
    Py_XDECREF(empty);
    return quietly(text);
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
    PyObject *text = join_ascii(pieces, n);
    if (text == NULL && (text = join_any(pieces, n)) == NULL) {
        return NULL;
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

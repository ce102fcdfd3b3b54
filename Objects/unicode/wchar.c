/* Conversions to and from wchar_t, and the old Py_UNICODE API.

   wchar_t has 32 bits on all supported platforms, so a wide character is a code point. */
#include "private.h"

/* The API in this file is deprecated for other code. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

_Static_assert(sizeof(wchar_t) == 4, "wchar_t holds any code point");

static int
check_wide(const wchar_t *w, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        if ((Py_UCS4)w[i] > MAX_UNICODE) {
            PyErr_Format(PyExc_ValueError,
                         "character U+%x is not in range "
                         "[U+0000; U+%x]", (unsigned int)w[i], MAX_UNICODE);
            return -1;
        }
    }
    return 0;
}

PyObject *
PyUnicode_FromWideChar(const wchar_t *w, Py_ssize_t n)
{
    if (w == NULL && n != 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (n == -1) {
        n = (Py_ssize_t)wcslen(w);
    }
    if (check_wide(w, n) < 0) {
        return NULL;
    }
    return PyUnicode_FromKindAndData(4, w, n);
}

/* A legacy string that is not ready. Its wstr has n + 1 undefined characters. */
PyObject *
_PyUnicode_NewLegacy(Py_ssize_t n)
{
    if (n == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (n > PY_SSIZE_T_MAX / (Py_ssize_t)sizeof(wchar_t) - 1) {
        return PyErr_NoMemory();
    }
    wchar_t *wstr = PyObject_Malloc((size_t)(n + 1) * sizeof(wchar_t));
    PyUnicodeObject *op = PyObject_New(PyUnicodeObject, &PyUnicode_Type);
    if (wstr == NULL || op == NULL) {
        PyObject_Free(wstr);
        if (op != NULL) {
            PyObject_Free(op);
        }
        return PyErr_NoMemory();
    }
    memset((char *)op + sizeof(PyObject), 0,
           sizeof(PyUnicodeObject) - sizeof(PyObject));
    HASH(op) = -1;
    wstr[0] = 0;
    wstr[n] = 0;
    AS_ASCII(op)->wstr = wstr;
    AS_COMPACT(op)->wstr_length = n;
    return (PyObject *)op;
}

PyObject *
PyUnicode_FromUnicode(const Py_UNICODE *u, Py_ssize_t n)
{
    if (u != NULL && n < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (u != NULL) {
        return PyUnicode_FromWideChar(u, n);
    }
    if (n > 0 && PyErr_WarnEx(PyExc_DeprecationWarning,
                              "PyUnicode_FromUnicode(NULL, size) is "
                              "deprecated; use PyUnicode_New() instead",
                              1) < 0)
    {
        return NULL;
    }
    if (n < 0) {
        PyErr_SetString(PyExc_SystemError,
                        "Negative size passed to _PyUnicode_New");
        return NULL;
    }
    return _PyUnicode_NewLegacy(n);
}

int
_PyUnicode_Ready(PyObject *op)
{
    if (PyUnicode_IS_READY(op)) {
        return 0;
    }
    PyUnicodeObject *legacy = AS_LEGACY(op);
    wchar_t *wstr = AS_ASCII(op)->wstr;
    const Py_ssize_t n = AS_COMPACT(op)->wstr_length;
    if (check_wide(wstr, n) < 0) {
        return -1;
    }
    const Py_UCS4 maxchar = _PyUnicode_MaxCharOf(4, wstr, n);
    const int kind = kind_for(maxchar);
    if (kind == 4) {
        legacy->data.any = wstr;
    }
    else {
        char *data = PyObject_Malloc((size_t)(n + 1) * kind);
        if (data == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        for (Py_ssize_t i = 0; i < n; i++) {
            PyUnicode_WRITE(kind, data, i, (Py_UCS4)wstr[i]);
        }
        PyUnicode_WRITE(kind, data, n, 0);
        legacy->data.any = data;
        PyObject_Free(wstr);
        AS_ASCII(op)->wstr = NULL;
        AS_COMPACT(op)->wstr_length = 0;
    }
    if (maxchar < 128) {
        AS_COMPACT(op)->utf8 = legacy->data.any;
        AS_COMPACT(op)->utf8_length = n;
    }
    LENGTH(op) = n;
    AS_ASCII(op)->state.kind = kind;
    AS_ASCII(op)->state.ascii = maxchar < 128;
    AS_ASCII(op)->state.ready = 1;
    return 0;
}

/* ----------------------------------------------------------- str to wchar_t */

static void
copy_wide(PyObject *op, wchar_t *w, Py_ssize_t n)
{
    _PyUnicode_WidenCopy(4, w, KIND(op), DATA(op), n);
}

Py_ssize_t
PyUnicode_AsWideChar(PyObject *op, wchar_t *w, Py_ssize_t room)
{
    if (op == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return -1;
    }
    if (PyUnicode_READY(op) < 0) {
        return -1;
    }
    const Py_ssize_t n = LENGTH(op);
    if (w == NULL) {
        return n + 1;
    }
    if (room > n) {
        copy_wide(op, w, n);
        w[n] = 0;
        return n;
    }
    copy_wide(op, w, room);
    return room;
}

wchar_t *
PyUnicode_AsWideCharString(PyObject *op, Py_ssize_t *size)
{
    if (op == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    const Py_ssize_t n = LENGTH(op);
    wchar_t *w = n < PY_SSIZE_T_MAX / 4
        ? PyMem_Malloc((size_t)(n + 1) * sizeof(wchar_t)) : NULL;
    if (w == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    copy_wide(op, w, n);
    w[n] = 0;
    if (size != NULL) {
        *size = n;
    }
    else if (wcslen(w) != (size_t)n) {
        PyMem_Free(w);
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return NULL;
    }
    return w;
}

int
_PyUnicode_WideCharString_Converter(PyObject *op, void *address)
{
    wchar_t **p = address;
    if (op == NULL) {
        PyMem_Free(*p);
        *p = NULL;
        return 1;
    }
    if (!PyUnicode_Check(op)) {
        PyErr_Format(PyExc_TypeError, "argument must be str, not %.50s",
                     Py_TYPE(op)->tp_name);
        return 0;
    }
    *p = PyUnicode_AsWideCharString(op, NULL);
    return *p == NULL ? 0 : Py_CLEANUP_SUPPORTED;
}

int
_PyUnicode_WideCharString_Opt_Converter(PyObject *op, void *address)
{
    wchar_t **p = address;
    if (op == Py_None) {
        *p = NULL;
        return 1;
    }
    if (op != NULL && !PyUnicode_Check(op)) {
        PyErr_Format(PyExc_TypeError,
                     "argument must be str or None, not %.50s",
                     Py_TYPE(op)->tp_name);
        return 0;
    }
    return _PyUnicode_WideCharString_Converter(op, address);
}

/* -------------------------------------------------- the cached wchar_t text */

Py_UNICODE *
PyUnicode_AsUnicodeAndSize(PyObject *op, Py_ssize_t *size)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    PyASCIIObject *head = AS_ASCII(op);
    if (head->wstr == NULL) {
        const Py_ssize_t n = LENGTH(op);
        wchar_t *w = n < PY_SSIZE_T_MAX / 4
            ? PyObject_Malloc((size_t)(n + 1) * sizeof(wchar_t)) : NULL;
        if (w == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        copy_wide(op, w, n);
        w[n] = 0;
        head->wstr = w;
        if (!PyUnicode_IS_COMPACT_ASCII(op)) {
            AS_COMPACT(op)->wstr_length = n;
        }
    }
    if (size != NULL) {
        *size = PyUnicode_IS_COMPACT_ASCII(op)
            ? head->length : AS_COMPACT(op)->wstr_length;
    }
    return head->wstr;
}

Py_UNICODE *
PyUnicode_AsUnicode(PyObject *op)
{
    return PyUnicode_AsUnicodeAndSize(op, NULL);
}

const Py_UNICODE *
_PyUnicode_AsUnicode(PyObject *op)
{
    Py_ssize_t n;
    const Py_UNICODE *w = PyUnicode_AsUnicodeAndSize(op, &n);
    if (w != NULL && wcslen(w) != (size_t)n) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return NULL;
    }
    return w;
}

Py_ssize_t
PyUnicode_GetSize(PyObject *op)
{
    Py_ssize_t n;
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return -1;
    }
    return PyUnicode_AsUnicodeAndSize(op, &n) == NULL ? -1 : n;
}

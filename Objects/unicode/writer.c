/* _PyUnicodeWriter: builds a string piece by piece.

   The buffer is a string that only the writer uses, as wide as the widest character so
   far. It is cut to its final length at the end. If only one string has been written,
   the writer keeps just a reference to it (`readonly`), so that str(x) of a str makes
   no copy. */
#include "private.h"

static void
update(_PyUnicodeWriter *w)
{
    w->maxchar = PyUnicode_MAX_CHAR_VALUE(w->buffer);
    w->data = DATA(w->buffer);
    if (w->readonly) {
        /* Makes every write call PrepareInternal. */
        w->kind = PyUnicode_WCHAR_KIND;
        w->size = 0;
    }
    else {
        w->kind = KIND(w->buffer);
        w->size = LENGTH(w->buffer);
    }
}

void
_PyUnicodeWriter_Init(_PyUnicodeWriter *w)
{
    memset(w, 0, sizeof(*w));
    w->min_char = 127;
}

int
_PyUnicodeWriter_PrepareInternal(_PyUnicodeWriter *w, Py_ssize_t length,
                                 Py_UCS4 maxchar)
{
    if (length > PY_SSIZE_T_MAX - w->pos) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t needed = w->pos + length;
    maxchar = Py_MAX(maxchar, w->min_char);
    if (w->buffer != NULL) {
        maxchar = Py_MAX(maxchar, w->maxchar);
    }
    if (w->buffer != NULL && !w->readonly && needed <= w->size
        && maxchar <= w->maxchar)
    {
        return 0;
    }
    Py_ssize_t room = Py_MAX(needed, w->min_length);
    if (w->buffer != NULL && !w->readonly && needed <= w->size) {
        room = w->size;         /* only the width has to change */
    }
    else if (w->overallocate && needed <= PY_SSIZE_T_MAX - needed / 4) {
        room = Py_MAX(room, needed + needed / 4);
    }
    if (w->buffer != NULL && !w->readonly && maxchar <= w->maxchar) {
        if (_PyUnicode_ResizeCompact(&w->buffer, room) < 0) {
            return -1;
        }
    }
    else {
        PyObject *buffer = PyUnicode_New(room, maxchar);
        if (buffer == NULL) {
            return -1;
        }
        if (w->buffer != NULL) {
            _PyUnicode_FastCopyCharacters(buffer, 0, w->buffer, 0, w->pos);
            Py_DECREF(w->buffer);
        }
        w->buffer = buffer;
        w->readonly = 0;
    }
    update(w);
    return 0;
}

int
_PyUnicodeWriter_PrepareKindInternal(_PyUnicodeWriter *w,
                                     enum PyUnicode_Kind kind)
{
    Py_UCS4 maxchar = kind == 4 ? MAX_UNICODE : kind == 2 ? 0xffff : 0xff;
    return _PyUnicodeWriter_PrepareInternal(w, 0, maxchar);
}

int
_PyUnicodeWriter_WriteChar(_PyUnicodeWriter *w, Py_UCS4 ch)
{
    if (_PyUnicodeWriter_Prepare(w, 1, ch) < 0) {
        return -1;
    }
    PyUnicode_WRITE(w->kind, w->data, w->pos, ch);
    w->pos++;
    return 0;
}

int
_PyUnicodeWriter_WriteStr(_PyUnicodeWriter *w, PyObject *str)
{
    if (PyUnicode_READY(str) < 0) {
        return -1;
    }
    const Py_ssize_t n = LENGTH(str);
    if (n == 0) {
        return 0;
    }
    const Py_UCS4 maxchar = PyUnicode_MAX_CHAR_VALUE(str);
    if (maxchar > w->maxchar || n > w->size - w->pos) {
        if (w->buffer == NULL && !w->overallocate) {
            w->readonly = 1;
            w->buffer = Py_NewRef(str);
            update(w);
            w->pos += n;
            return 0;
        }
        if (_PyUnicodeWriter_PrepareInternal(w, n, maxchar) < 0) {
            return -1;
        }
    }
    _PyUnicode_WidenCopy(w->kind, (void *)data_at(w->kind, w->data, w->pos),
                         KIND(str), DATA(str), n);
    w->pos += n;
    return 0;
}

int
_PyUnicodeWriter_WriteSubstring(_PyUnicodeWriter *w, PyObject *str,
                                Py_ssize_t start, Py_ssize_t end)
{
    if (PyUnicode_READY(str) < 0) {
        return -1;
    }
    if (start >= end) {
        return 0;
    }
    if (start == 0 && end == LENGTH(str)) {
        return _PyUnicodeWriter_WriteStr(w, str);
    }
    const Py_ssize_t n = end - start;
    Py_UCS4 maxchar = w->maxchar;
    if (PyUnicode_MAX_CHAR_VALUE(str) > w->maxchar) {
        maxchar = _PyUnicode_FindMaxChar(str, start, end);
    }
    if (_PyUnicodeWriter_Prepare(w, n, maxchar) < 0) {
        return -1;
    }
    _PyUnicode_FastCopyCharacters(w->buffer, w->pos, str, start, n);
    w->pos += n;
    return 0;
}

int
_PyUnicodeWriter_WriteASCIIString(_PyUnicodeWriter *w, const char *text,
                                  Py_ssize_t n)
{
    if (n == -1) {
        n = (Py_ssize_t)strlen(text);
    }
    if (n == 0) {
        return 0;
    }
    if (_PyUnicodeWriter_Prepare(w, n, 127) < 0) {
        return -1;
    }
    _PyUnicode_WidenCopy(w->kind, (void *)data_at(w->kind, w->data, w->pos),
                         1, text, n);
    w->pos += n;
    return 0;
}

int
_PyUnicodeWriter_WriteLatin1String(_PyUnicodeWriter *w, const char *text,
                                   Py_ssize_t n)
{
    if (n == 0) {
        return 0;
    }
    Py_UCS4 maxchar = _PyUnicode_MaxCharOf(1, text, n);
    if (_PyUnicodeWriter_Prepare(w, n, maxchar) < 0) {
        return -1;
    }
    _PyUnicode_WidenCopy(w->kind, (void *)data_at(w->kind, w->data, w->pos),
                         1, text, n);
    w->pos += n;
    return 0;
}

PyObject *
_PyUnicodeWriter_Finish(_PyUnicodeWriter *w)
{
    if (w->pos == 0) {
        Py_CLEAR(w->buffer);
        return _PyUnicode_NewEmpty();
    }
    PyObject *str = w->buffer;
    w->buffer = NULL;
    if (w->readonly) {
        return str;
    }
    if (LENGTH(str) != w->pos && _PyUnicode_ResizeCompact(&str, w->pos) < 0) {
        Py_DECREF(str);
        return NULL;
    }
    return _PyUnicode_Result(str);
}

void
_PyUnicodeWriter_Dealloc(_PyUnicodeWriter *w)
{
    Py_CLEAR(w->buffer);
}

/* ------------------------------------------------------------------- values */

static int
write_int(_PyUnicodeWriter *w, PyObject *op)
{
    const Py_ssize_t size = Py_SIZE(op);
    const digit *d = ((PyLongObject *)op)->ob_digit;
    if (size < -2 || size > 2) {
        return _PyLong_FormatWriter(w, op, 10, 0);
    }
    uint64_t value = size == 0 ? 0 : d[0];
    if (size == 2 || size == -2) {
        value |= (uint64_t)d[1] << PyLong_SHIFT;
    }
    char text[24], *p = text + sizeof(text);
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    if (size < 0) {
        *--p = '-';
    }
    return _PyUnicodeWriter_WriteASCIIString(w, p, text + sizeof(text) - p);
}

int
_PyUnicodeWriter_WriteValueStr(_PyUnicodeWriter *w, PyObject *op)
{
    if (PyUnicode_CheckExact(op)) {
        return _PyUnicodeWriter_WriteStr(w, op);
    }
    if (PyLong_CheckExact(op)) {
        return write_int(w, op);
    }
    PyObject *str = PyObject_Str(op);
    if (str == NULL) {
        return -1;
    }
    int status = _PyUnicodeWriter_WriteStr(w, str);
    Py_DECREF(str);
    return status;
}

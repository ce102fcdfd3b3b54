/* Concatenation, joining, repetition and padding. */
#include "private.h"

/* ------------------------------------------------------------ concatenation */

PyObject *
PyUnicode_Concat(PyObject *a, PyObject *b)
{
    if (_PyUnicode_EnsureStr(a) < 0) {
        return NULL;
    }
    if (!PyUnicode_Check(b)) {
        PyErr_Format(PyExc_TypeError,
                     "can only concatenate str (not \"%.200s\") to str",
                     Py_TYPE(b)->tp_name);
        return NULL;
    }
    if (PyUnicode_READY(b) < 0) {
        return NULL;
    }
    const Py_ssize_t n = LENGTH(a), m = LENGTH(b);
    if (n == 0) {
        return PyUnicode_FromObject(b);
    }
    if (m == 0) {
        return PyUnicode_FromObject(a);
    }
    if (n > PY_SSIZE_T_MAX - m) {
        PyErr_SetString(PyExc_OverflowError,
                        "strings are too large to concat");
        return NULL;
    }
    if (IS_ASCII(a) && IS_ASCII(b)) {
        PyObject *text = _PyUnicode_NewAscii(n + m);
        if (text != NULL) {
            char *to = (char *)(AS_ASCII(text) + 1);
            _PyUnicode_CopyFew(to, DATA(a), n);
            _PyUnicode_CopyFew(to + n, DATA(b), m);
        }
        return text;
    }
    PyObject *result = PyUnicode_New(n + m,
                                     Py_MAX(PyUnicode_MAX_CHAR_VALUE(a),
                                            PyUnicode_MAX_CHAR_VALUE(b)));
    if (result == NULL) {
        return NULL;
    }
    const int kind = KIND(result);
    char *data = DATA(result);
    _PyUnicode_WidenCopy(kind, data, KIND(a), DATA(a), n);
    _PyUnicode_WidenCopy(kind, data + n * kind, KIND(b), DATA(b), m);
    return result;
}

PyObject *
_PyUnicode_ConcatSlot(PyObject *a, PyObject *b)
{
    return PyUnicode_Concat(a, b);
}

/* Below this, copying takes no longer than growing in place. */
#define SHORT_TEXT 64

/* Grows *p in place if there is no other reference to it, so that `s += t` in a loop
   takes linear time. */
void
PyUnicode_Append(PyObject **p, PyObject *b)
{
    PyObject *a = p ? *p : NULL;
    if (a == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_BadInternalCall();
        }
        return;
    }
    if (b == NULL || !PyUnicode_Check(a) || !PyUnicode_Check(b)
        || PyUnicode_READY(a) < 0 || PyUnicode_READY(b) < 0)
    {
        if (!PyErr_Occurred()) {
            PyErr_BadInternalCall();
        }
        Py_CLEAR(*p);
        return;
    }
    const Py_ssize_t n = LENGTH(a), m = LENGTH(b);
    if (n == 0) {
        Py_SETREF(*p, PyUnicode_FromObject(b));
        return;
    }
    if (m == 0) {
        return;
    }
    if (n > PY_SSIZE_T_MAX - m) {
        PyErr_SetString(PyExc_OverflowError,
                        "strings are too large to concat");
        Py_CLEAR(*p);
        return;
    }
    if (n + m < SHORT_TEXT && IS_ASCII(a) && IS_ASCII(b)) {
        Py_SETREF(*p, PyUnicode_Concat(a, b));
        return;
    }
    if (a != b && _PyUnicode_Modifiable(a) && PyUnicode_IS_COMPACT(a)
        && KIND(b) <= KIND(a) && !(IS_ASCII(a) && !IS_ASCII(b)))
    {
        if (_PyUnicode_ResizeCompact(p, n + m) < 0) {
            Py_CLEAR(*p);
            return;
        }
        _PyUnicode_FastCopyCharacters(*p, n, b, 0, m);
        return;
    }
    Py_SETREF(*p, PyUnicode_Concat(a, b));
}

void
PyUnicode_AppendAndDel(PyObject **p, PyObject *b)
{
    PyUnicode_Append(p, b);
    Py_XDECREF(b);
}

/* --------------------------------------------------------------------- join */

static int
check_item(PyObject *item, Py_ssize_t i)
{
    if (!PyUnicode_Check(item)) {
        PyErr_Format(PyExc_TypeError,
                     "sequence item %zd: expected str instance, "
                     "%.80s found", i, Py_TYPE(item)->tp_name);
        return -1;
    }
    return PyUnicode_READY(item);
}

/* The total length and the widest character of the items, with m characters of
   separators between them. */
static Py_ssize_t
measure(PyObject *const *items, Py_ssize_t count, Py_ssize_t m,
        Py_UCS4 *maxchar)
{
    size_t total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (check_item(items[i], i) < 0) {
            return -1;
        }
        *maxchar = Py_MAX(*maxchar, PyUnicode_MAX_CHAR_VALUE(items[i]));
        total += (size_t)LENGTH(items[i]) + (i > 0 ? (size_t)m : 0);
        if (total > (size_t)PY_SSIZE_T_MAX) {
            PyErr_SetString(PyExc_OverflowError,
                            "join() result is too long for a Python string");
            return -1;
        }
    }
    return (Py_ssize_t)total;
}

PyObject *
_PyUnicode_JoinArray(PyObject *sep, PyObject *const *items,
                     Py_ssize_t count)
{
    if (count == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (count == 1 && PyUnicode_CheckExact(items[0])) {
        return Py_NewRef(items[0]);
    }
    if (sep == NULL) {
        sep = _PyUnicode_latin1[' '];
    }
    else if (!PyUnicode_Check(sep)) {
        PyErr_Format(PyExc_TypeError,
                     "separator: expected str instance, %.80s found",
                     Py_TYPE(sep)->tp_name);
        return NULL;
    }
    if (PyUnicode_READY(sep) < 0) {
        return NULL;
    }
    const Py_ssize_t m = LENGTH(sep);
    Py_UCS4 maxchar = count > 1 ? PyUnicode_MAX_CHAR_VALUE(sep) : 0x7f;
    if (m == 0) {
        maxchar = 0x7f;
    }
    Py_ssize_t total = measure(items, count, m, &maxchar);
    if (total < 0) {
        return NULL;
    }
    if (total == 0) {
        return _PyUnicode_NewEmpty();
    }
    PyObject *result = PyUnicode_New(total, maxchar);
    WidenedData glue = {.allocated = NULL};
    if (result == NULL) {
        return NULL;
    }
    const int kind = KIND(result);
    if (count > 1 && m > 0 && _PyUnicode_Widen(&glue, sep, kind) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    char *out = DATA(result);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (i > 0 && m > 0) {
            memcpy(out, glue.data, (size_t)m * kind);
            out += m * kind;
        }
        const Py_ssize_t n = LENGTH(items[i]);
        _PyUnicode_WidenCopy(kind, out, KIND(items[i]), DATA(items[i]), n);
        out += n * kind;
    }
    widened_free(&glue);
    return _PyUnicode_Result(result);
}

PyObject *
PyUnicode_Join(PyObject *sep, PyObject *iterable)
{
    PyObject *fast = PySequence_Fast(iterable, "can only join an iterable");
    if (fast == NULL) {
        return NULL;
    }
    PyObject *result = _PyUnicode_JoinArray(sep,
                                            PySequence_Fast_ITEMS(fast),
                                            PySequence_Fast_GET_SIZE(fast));
    Py_DECREF(fast);
    return result;
}

/* --------------------------------------------------------------- repetition */

PyObject *
_PyUnicode_RepeatSlot(PyObject *op, Py_ssize_t times)
{
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    const Py_ssize_t n = LENGTH(op);
    if (times <= 0 || n == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (times == 1) {
        return _PyUnicode_ResultUnchanged(op);
    }
    if (n > PY_SSIZE_T_MAX / times) {
        PyErr_SetString(PyExc_OverflowError, "repeated string is too long");
        return NULL;
    }
    PyObject *result = PyUnicode_New(n * times, PyUnicode_MAX_CHAR_VALUE(op));
    if (result == NULL) {
        return NULL;
    }
    const int kind = KIND(op);
    if (n == 1) {
        _PyUnicode_FastFill(result, 0, times, PyUnicode_READ_CHAR(op, 0));
        return result;
    }
    char *data = DATA(result);
    const Py_ssize_t unit = n * kind, total = unit * times;
    memcpy(data, DATA(op), (size_t)unit);
    for (Py_ssize_t done = unit; done < total;) {
        Py_ssize_t run = Py_MIN(done, total - done);
        memcpy(data + done, data, (size_t)run);
        done += run;
    }
    return result;
}

/* ------------------------------------------------------------------ padding */

PyObject *
_PyUnicode_Pad(PyObject *op, Py_ssize_t left, Py_ssize_t right, Py_UCS4 fill)
{
    left = Py_MAX(left, 0);
    right = Py_MAX(right, 0);
    const Py_ssize_t n = LENGTH(op);
    if (left == 0 && right == 0) {
        return _PyUnicode_ResultUnchanged(op);
    }
    if (left > PY_SSIZE_T_MAX - n || right > PY_SSIZE_T_MAX - (left + n)) {
        PyErr_SetString(PyExc_OverflowError, "padded string is too long");
        return NULL;
    }
    if (IS_ASCII(op) && fill < 128) {
        PyObject *text = _PyUnicode_NewAscii(left + n + right);
        if (text == NULL) {
            return NULL;
        }
        Py_UCS1 *to = PyUnicode_1BYTE_DATA(text);
        memset(to, (int)fill, (size_t)left);
        _PyUnicode_CopyFew((char *)to + left, DATA(op), n);
        if (right > 0) {
            memset(to + left + n, (int)fill, (size_t)right);
        }
        return _PyUnicode_Result(text);
    }
    PyObject *result = PyUnicode_New(left + n + right,
                                     Py_MAX(PyUnicode_MAX_CHAR_VALUE(op),
                                            fill));
    if (result != NULL) {
        _PyUnicode_FastFill(result, 0, left, fill);
        _PyUnicode_FastCopyCharacters(result, left, op, 0, n);
        _PyUnicode_FastFill(result, left + n, right, fill);
        result = _PyUnicode_Result(result);
    }
    return result;
}

PyObject *
_PyUnicode_Zfill(PyObject *op, Py_ssize_t width)
{
    const Py_ssize_t n = LENGTH(op);
    if (width <= n) {
        return _PyUnicode_ResultUnchanged(op);
    }
    const Py_ssize_t zeros = width - n;
    PyObject *result = _PyUnicode_Pad(op, zeros, 0, '0');
    if (result == NULL || n == 0) {
        return result;
    }
    const int kind = KIND(result);
    void *data = DATA(result);
    Py_UCS4 sign = PyUnicode_READ(kind, data, zeros);
    if (sign == '+' || sign == '-') {
        PyUnicode_WRITE(kind, data, 0, sign);
        PyUnicode_WRITE(kind, data, zeros, '0');
    }
    return result;
}

/* Counts the characters after the expansion of tabs. Returns -1 on overflow. */
static Py_ssize_t
expanded_length(PyObject *op, int tabsize, int *found)
{
    const int kind = KIND(op);
    const void *data = DATA(op);
    Py_ssize_t total = 0, column = 0;
    for (Py_ssize_t i = 0; i < LENGTH(op); i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        Py_ssize_t width = 1;
        if (ch == '\t') {
            *found = 1;
            width = tabsize > 0 ? tabsize - column % tabsize : 0;
        }
        if (total > PY_SSIZE_T_MAX - width) {
            return -1;
        }
        total += width;
        column = ch == '\n' || ch == '\r' ? 0 : column + width;
    }
    return total;
}

PyObject *
_PyUnicode_ExpandTabs(PyObject *op, int tabsize)
{
    int found = 0;
    const Py_ssize_t total = expanded_length(op, tabsize, &found);
    if (total < 0) {
        PyErr_SetString(PyExc_OverflowError, "new string is too long");
        return NULL;
    }
    if (!found) {
        return _PyUnicode_ResultUnchanged(op);
    }
    if (total == 0) {
        return _PyUnicode_NewEmpty();
    }
    PyObject *result = PyUnicode_New(total, PyUnicode_MAX_CHAR_VALUE(op));
    if (result == NULL) {
        return NULL;
    }
    const int kind = KIND(op);
    const void *data = DATA(op);
    void *out = DATA(result);
    Py_ssize_t at = 0, column = 0;
    for (Py_ssize_t i = 0; i < LENGTH(op); i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        if (ch != '\t') {
            PyUnicode_WRITE(kind, out, at, ch);
            at++;
            column = ch == '\n' || ch == '\r' ? 0 : column + 1;
            continue;
        }
        Py_ssize_t width = tabsize > 0 ? tabsize - column % tabsize : 0;
        for (column += width; width > 0; width--) {
            PyUnicode_WRITE(kind, out, at, ' ');
            at++;
        }
    }
    return _PyUnicode_Result(result);
}

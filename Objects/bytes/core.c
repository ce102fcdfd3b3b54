/* bytes: memory, the C API, slots and the type.

   ob_sval holds ob_size bytes and a terminating null. The empty bytes and the 256
   one-byte objects are static and permanent. PyBytes_FromStringAndSize returns them
   when it is given the content, so a caller may fill in only an object that was made
   without content. ob_shash caches the hash; it is -1 until the hash is computed. */
#include "private.h"
#include "internal/compare.h"
#include "internal/errors.h"
#include "internal/gc.h"
#include "internal/list.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/type.h"
#include "internal/kwargs.h"

/* ob_shash is deprecated for extensions only. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define HEAD_SIZE ((Py_ssize_t)offsetof(PyBytesObject, ob_sval))

static struct {
    PyBytesObject head;
    char rest[8];
} shared[257];                  /* the last one is empty */

#define SHARED_EMPTY ((PyObject *)&shared[256])

int
_PyBytes_InitGlobals(void)
{
    for (int i = 0; i < 257; i++) {
        PyBytesObject *op = &shared[i].head;
        op->ob_base.ob_base.ob_refcnt = _Py_IMMORTAL_REFCNT;
        op->ob_base.ob_base.ob_type = &PyBytes_Type;
        op->ob_base.ob_size = i < 256;
        op->ob_shash = -1;
        op->ob_sval[0] = i < 256 ? (char)i : 0;    /* the rest is zero */
    }
    return 0;
}

static int
is_shared(PyObject *op)
{
    return (char *)op >= (char *)shared && (char *)op < (char *)(shared + 257);
}

/* A new object whose content is all zeros or still to be written; size > 0. */
static PyObject *
allocate(Py_ssize_t size, int zeroed)
{
    if (size > PY_SSIZE_T_MAX - HEAD_SIZE - 1) {
        PyErr_SetString(PyExc_OverflowError, "byte string is too large");
        return NULL;
    }
    size_t bytes = (size_t)(HEAD_SIZE + size + 1);
    PyBytesObject *op = zeroed ? PyObject_Calloc(1, bytes) : PyObject_Malloc(bytes);
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    Py_SET_SIZE(op, size);
    _PyObject_InitExact((PyObject *)op, &PyBytes_Type);
    op->ob_shash = -1;
    op->ob_sval[size] = '\0';
    return (PyObject *)op;
}

PyObject *
PyBytes_FromStringAndSize(const char *text, Py_ssize_t size)
{
    if (size < 0) {
        PyErr_SetString(PyExc_SystemError,
                        "Negative size passed to PyBytes_FromStringAndSize");
        return NULL;
    }
    if (size == 0) {
        return Py_NewRef(SHARED_EMPTY);
    }
    if (size == 1 && text != NULL) {
        return Py_NewRef((PyObject *)&shared[(unsigned char)text[0]]);
    }
    PyObject *op = allocate(size, 0);
    if (op != NULL && text != NULL) {
        memcpy(PyBytes_AS_STRING(op), text, (size_t)size);
    }
    return op;
}

PyObject *
PyBytes_FromString(const char *text)
{
    size_t size = strlen(text);
    if (size > (size_t)(PY_SSIZE_T_MAX - HEAD_SIZE - 1)) {
        PyErr_SetString(PyExc_OverflowError, "byte string is too long");
        return NULL;
    }
    return PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
}

static void
bytes_dealloc(PyObject *op)
{
    if (is_shared(op)) {
        /* An extension has released references that it did not own. */
        Py_SET_REFCNT(op, _Py_IMMORTAL_REFCNT);
        return;
    }
    Py_TYPE(op)->tp_free(op);
}

/* ------------------------------------------------------------------- access */

static int
require_bytes(PyObject *op)
{
    if (PyBytes_Check(op)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "expected bytes, %.200s found",
                 Py_TYPE(op)->tp_name);
    return -1;
}

Py_ssize_t
PyBytes_Size(PyObject *op)
{
    return require_bytes(op) < 0 ? -1 : Py_SIZE(op);
}

char *
PyBytes_AsString(PyObject *op)
{
    return require_bytes(op) < 0 ? NULL : PyBytes_AS_STRING(op);
}

int
PyBytes_AsStringAndSize(PyObject *op, char **text, Py_ssize_t *size)
{
    if (text == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (require_bytes(op) < 0) {
        return -1;
    }
    *text = PyBytes_AS_STRING(op);
    if (size != NULL) {
        *size = Py_SIZE(op);
    }
    else if (strlen(*text) != (size_t)Py_SIZE(op)) {
        PyErr_SetString(PyExc_ValueError, "embedded null byte");
        return -1;
    }
    return 0;
}

/* ----------------------------------------------------------------- resizing */

/* Steals *p, to which there must be no other reference. On failure *p becomes NULL. */
int
_PyBytes_Resize(PyObject **p, Py_ssize_t size)
{
    PyObject *op = *p;
    if (!PyBytes_Check(op) || size < 0) {
        goto bad_call;
    }
    if (Py_SIZE(op) == size) {
        return 0;
    }
    if (Py_SIZE(op) == 0 || size == 0) {
        *p = PyBytes_FromStringAndSize(NULL, size);
        Py_DECREF(op);
        return *p == NULL ? -1 : 0;
    }
    if (Py_REFCNT(op) != 1) {
        goto bad_call;
    }
    if (size > PY_SSIZE_T_MAX - HEAD_SIZE - 1) {
        goto no_memory;
    }
    _PyObject_TellTracer(op, PyRefTracer_DESTROY);
    PyBytesObject *moved = PyObject_Realloc(op, (size_t)(HEAD_SIZE + size
                                                         + 1));
    _PyObject_TellTracer(moved != NULL ? (PyObject *)moved : op, PyRefTracer_CREATE);
    if (moved == NULL) {
        goto no_memory;
    }
    *p = (PyObject *)moved;
    Py_SET_SIZE(moved, size);
    moved->ob_sval[size] = '\0';
    moved->ob_shash = -1;
    return 0;
no_memory:
    *p = NULL;
    Py_DECREF(op);
    PyErr_NoMemory();
    return -1;
bad_call:
    *p = NULL;
    Py_DECREF(op);
    PyErr_BadInternalCall();
    return -1;
}

/* ------------------------------------------------------------ concatenation */

static PyObject *
join_two(const char *a, Py_ssize_t n, const char *b, Py_ssize_t m)
{
    if (n > PY_SSIZE_T_MAX - m) {
        return PyErr_NoMemory();
    }
    PyObject *result = PyBytes_FromStringAndSize(NULL, n + m);
    if (result != NULL) {
        memcpy(PyBytes_AS_STRING(result), a, (size_t)n);
        memcpy(PyBytes_AS_STRING(result) + n, b, (size_t)m);
    }
    return result;
}

static PyObject *
bytes_concat(PyObject *a, PyObject *b)
{
    if (PyBytes_CheckExact(a) && PyBytes_CheckExact(b)) {
        if (Py_SIZE(a) == 0) {
            return Py_NewRef(b);
        }
        if (Py_SIZE(b) == 0) {
            return Py_NewRef(a);
        }
        return join_two(PyBytes_AS_STRING(a), Py_SIZE(a), PyBytes_AS_STRING(b),
                        Py_SIZE(b));
    }
    Py_buffer x, y;
    if (PyObject_GetBuffer(a, &x, PyBUF_SIMPLE) < 0) {
        PyErr_Format(PyExc_TypeError, "can't concat %.100s to %.100s",
                     Py_TYPE(b)->tp_name, Py_TYPE(a)->tp_name);
        return NULL;
    }
    if (PyObject_GetBuffer(b, &y, PyBUF_SIMPLE) < 0) {
        PyErr_Format(PyExc_TypeError, "can't concat %.100s to %.100s",
                     Py_TYPE(b)->tp_name, Py_TYPE(a)->tp_name);
        PyBuffer_Release(&x);
        return NULL;
    }
    PyObject *result = join_two(x.buf, x.len, y.buf, y.len);
    PyBuffer_Release(&x);
    PyBuffer_Release(&y);
    return result;
}

void
PyBytes_Concat(PyObject **p, PyObject *b)
{
    PyObject *a = *p;
    if (a == NULL) {
        return;
    }
    if (b == NULL) {
        Py_CLEAR(*p);
        return;
    }
    if (Py_REFCNT(a) != 1 || !PyBytes_CheckExact(a)) {
        *p = bytes_concat(a, b);
        Py_DECREF(a);
        return;
    }
    /* There is no other reference to a: grow it in place. */
    Py_buffer y;
    if (PyObject_GetBuffer(b, &y, PyBUF_SIMPLE) < 0) {
        PyErr_Format(PyExc_TypeError, "can't concat %.100s to %.100s",
                     Py_TYPE(b)->tp_name, Py_TYPE(a)->tp_name);
        Py_CLEAR(*p);
        return;
    }
    const Py_ssize_t n = Py_SIZE(a);
    if (n > PY_SSIZE_T_MAX - y.len) {
        PyErr_NoMemory();
        Py_CLEAR(*p);
    }
    else if (_PyBytes_Resize(p, n + y.len) == 0) {
        memcpy(PyBytes_AS_STRING(*p) + n, y.buf, (size_t)y.len);
    }
    PyBuffer_Release(&y);
}

void
PyBytes_ConcatAndDel(PyObject **p, PyObject *b)
{
    PyBytes_Concat(p, b);
    Py_XDECREF(b);
}

void
_PyBytes_Repeat(char *dest, Py_ssize_t len_dest, const char *src,
                Py_ssize_t len_src)
{
    if (len_dest == 0) {
        return;
    }
    if (len_src == 1) {
        memset(dest, src[0], (size_t)len_dest);
        return;
    }
    Py_ssize_t done = Py_MIN(len_src, len_dest);
    if (src != dest) {
        memcpy(dest, src, (size_t)done);
    }
    while (done < len_dest) {
        Py_ssize_t run = Py_MIN(done, len_dest - done);
        memcpy(dest + done, dest, (size_t)run);
        done += run;
    }
}

static PyObject *
bytes_repeat(PyObject *op, Py_ssize_t times)
{
    const Py_ssize_t n = Py_SIZE(op);
    times = Py_MAX(times, 0);
    if (n > 0 && times > PY_SSIZE_T_MAX / n) {
        PyErr_SetString(PyExc_OverflowError, "repeated bytes are too long");
        return NULL;
    }
    if (n * times == n && PyBytes_CheckExact(op)) {
        return Py_NewRef(op);
    }
    PyObject *result = allocate(n * times, 0);     /* of its own, even when empty */
    if (result != NULL && Py_SIZE(result) > 0) {
        _PyBytes_Repeat(PyBytes_AS_STRING(result), n * times,
                        PyBytes_AS_STRING(op), n);
    }
    return result;
}

/* -------------------------------------------------------------------- items */

static PyObject *
bytes_item(PyObject *op, Py_ssize_t i)
{
    if (i < 0 || i >= Py_SIZE(op)) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return NULL;
    }
    return _PyLong_GetSmall((unsigned char)PyBytes_AS_STRING(op)[i]);
}

static PyObject *
bytes_subscript(PyObject *op, PyObject *key)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return bytes_item(op, i < 0 ? i + Py_SIZE(op) : i);
    }
    if (!PySlice_Check(key)) {
        PyErr_Format(PyExc_TypeError,
                     "byte indices must be integers or slices, not %.200s",
                     Py_TYPE(key)->tp_name);
        return NULL;
    }
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return NULL;
    }
    Py_ssize_t count = PySlice_AdjustIndices(Py_SIZE(op), &start, &stop,
                                             step);
    const char *data = PyBytes_AS_STRING(op);
    if (count <= 0) {
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    if (step == 1) {
        if (count == Py_SIZE(op) && PyBytes_CheckExact(op)) {
            return Py_NewRef(op);
        }
        return PyBytes_FromStringAndSize(data + start, count);
    }
    if (count == 1) {
        return PyBytes_FromStringAndSize(data + start, 1);
    }
    PyObject *result = PyBytes_FromStringAndSize(NULL, count);
    if (result != NULL) {
        char *out = PyBytes_AS_STRING(result);
        size_t at = (size_t)start;
        for (Py_ssize_t i = 0; i < count; i++, at += (size_t)step) {
            out[i] = data[at];
        }
    }
    return result;
}

/* --------------------------------------------------- comparison, hash, text */

int
_PyBytes_QuickCompare(PyObject *a, PyObject *b, int op)
{
    const Py_ssize_t n = Py_SIZE(a), m = Py_SIZE(b);
    const char *x = PyBytes_AS_STRING(a), *y = PyBytes_AS_STRING(b);
    if (op == Py_EQ || op == Py_NE) {
        int equal = a == b || (n == m && x[0] == y[0] && memcmp(x, y, (size_t)n) == 0);
        return equal == (op == Py_EQ);
    }
    int order = a == b ? 0 : memcmp(x, y, (size_t)Py_MIN(n, m));
    return _Py_OrderSatisfies(order != 0 ? order : (n > m) - (n < m), op);
}

static PyObject *
bytes_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyBytes_Check(a) || !PyBytes_Check(b)) {
        if (Py_BytesWarningFlag && (op == Py_EQ || op == Py_NE)) {
            const char *message = NULL;
            if (PyUnicode_Check(a) || PyUnicode_Check(b)) {
                message = "Comparison between bytes and string";
            }
            else if (PyLong_Check(a) || PyLong_Check(b)) {
                message = "Comparison between bytes and int";
            }
            if (message && PyErr_WarnEx(PyExc_BytesWarning, message, 1) < 0) {
                return NULL;
            }
        }
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(_PyBytes_QuickCompare(a, b, op));
}

static Py_hash_t
bytes_hash(PyObject *op)
{
    PyBytesObject *self = (PyBytesObject *)op;
    if (self->ob_shash == -1) {
        self->ob_shash = _Py_HashBytes(self->ob_sval, Py_SIZE(self));
    }
    return self->ob_shash;
}

/* How many characters a byte takes in a repr, quotes aside. */
static const uint8_t repr_width[256] = {
    [0 ... 8] = 4, ['\t'] = 2, ['\n'] = 2, [11 ... 12] = 4, ['\r'] = 2, [14 ... 31] = 4,
    [' ' ... '['] = 1, ['\\'] = 2, [']' ... '~'] = 1, [127 ... 255] = 4
};

Py_ssize_t
_PyBytes_ReprSize(const unsigned char *data, Py_ssize_t n, char quote)
{
    if (n > (PY_SSIZE_T_MAX - 3) / 4) {
        return -1;
    }
    Py_ssize_t size = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        size += repr_width[data[i]] + (data[i] == quote);
    }
    return size;
}

void
_PyBytes_WriteRepr(char *out, const unsigned char *data, Py_ssize_t n, char quote)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        unsigned char ch = data[i];
        int width = repr_width[ch];
        if (width == 1 && ch != quote) {
            *out++ = (char)ch;
            continue;
        }
        *out++ = '\\';
        if (width == 4) {
            *out++ = 'x';
            *out++ = Py_hexdigits[ch >> 4];
            *out++ = Py_hexdigits[ch & 15];
        }
        else {
            *out++ = ch == '\t' ? 't' : ch == '\n' ? 'n' : ch == '\r' ? 'r'
                : (char)ch;
        }
    }
}

PyObject *
PyBytes_Repr(PyObject *op, int smartquotes)
{
    const unsigned char *data = (const unsigned char *)PyBytes_AS_STRING(op);
    const Py_ssize_t n = Py_SIZE(op);
    char quote = '\'';
    if (smartquotes && memchr(data, '\'', (size_t)n)
        && !memchr(data, '"', (size_t)n))
    {
        quote = '"';
    }
    const Py_ssize_t size = _PyBytes_ReprSize(data, n, quote);
    if (size < 0) {
        PyErr_SetString(PyExc_OverflowError,
                        "bytes object is too large to make repr");
        return NULL;
    }
    PyObject *result = PyUnicode_New(size + 3, 127);
    if (result == NULL) {
        return NULL;
    }
    char *out = (char *)PyUnicode_1BYTE_DATA(result);
    out[0] = 'b';
    out[1] = out[size + 2] = quote;
    _PyBytes_WriteRepr(out + 2, data, n, quote);
    return result;
}

static PyObject *
bytes_repr(PyObject *op)
{
    return PyBytes_Repr(op, 1);
}

static PyObject *
bytes_str(PyObject *op)
{
    if (Py_BytesWarningFlag
        && PyErr_WarnEx(PyExc_BytesWarning, "str() on a bytes instance", 1)
            < 0)
    {
        return NULL;
    }
    return bytes_repr(op);
}

static int
bytes_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    return PyBuffer_FillInfo(view, op, PyBytes_AS_STRING(op), Py_SIZE(op), 1,
                             flags);
}

/* ------------------------------------------------------------- construction */

PyObject *
_PyBytes_Iterate(PyObject *iterable, const char *refusal)
{
    PyObject *it = PyObject_GetIter(iterable);
    if (it == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Format(PyExc_TypeError, refusal, Py_TYPE(iterable)->tp_name);
    }
    return it;
}

static PyObject *
from_ints(PyObject *iterable)
{
    PyObject *it = _PyBytes_Iterate(iterable, "cannot convert '%.200s' object to bytes");
    if (it == NULL) {
        return NULL;
    }
    Py_ssize_t hint = PyObject_LengthHint(iterable, 64);
    if (hint < 0) {
        Py_DECREF(it);
        return NULL;
    }
    _PyBytesWriter w;
    _PyBytesWriter_Init(&w);
    char *out = _PyBytesWriter_Alloc(&w, hint);
    w.overallocate = 1;
    w.min_size = 0;
    PyObject *item;
    while (out != NULL && (item = _PyIter_Step(it)) != NULL) {
        int byte = _PyBytes_ByteArg(item,
                                    "bytes must be in range(0, 256)");
        Py_DECREF(item);
        out = byte < 0 ? NULL : _PyBytesWriter_Prepare(&w, out, 1);
        if (out != NULL) {
            *out++ = (char)byte;
        }
    }
    Py_DECREF(it);
    if (out == NULL || _PyErr_DropStopIteration() < 0) {
        _PyBytesWriter_Dealloc(&w);
        return NULL;
    }
    return _PyBytesWriter_Finish(&w, out);
}

int
_PyBytes_WriteSmallInts(char *out, PyObject *const *items, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        int64_t value = PyLong_CheckExact(items[i]) && _PyLong_CheckCompact(items[i])
                        ? _PyLong_CompactValue(items[i]) : -1;
        if (value < 0 || value > 255) {
            return 0;
        }
        out[i] = (char)value;
    }
    return 1;
}

/* Converts a list or tuple of ints in one pass. Returns Py_None (borrowed) if there is another
   item: converting it is an error, or would run code, which might change the list. */
static PyObject *
from_small_ints(PyObject *const *items, Py_ssize_t n)
{
    PyObject *result = PyBytes_FromStringAndSize(NULL, n);
    if (result != NULL && n > 0 && !_PyBytes_WriteSmallInts(PyBytes_AS_STRING(result), items, n)) {
        Py_DECREF(result);
        return Py_None;
    }
    return result;
}

PyObject *
PyBytes_FromObject(PyObject *x)
{
    if (x == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyBytes_CheckExact(x)) {
        return Py_NewRef(x);
    }
    if (PyObject_CheckBuffer(x)) {
        Py_buffer view;
        if (PyObject_GetBuffer(x, &view, PyBUF_FULL_RO) < 0) {
            return NULL;
        }
        PyObject *result = PyBytes_FromStringAndSize(NULL, view.len);
        if (result != NULL
            && PyBuffer_ToContiguous(PyBytes_AS_STRING(result), &view,
                                     view.len, 'C') < 0)
        {
            Py_CLEAR(result);
        }
        PyBuffer_Release(&view);
        return result;
    }
    if (PyList_CheckExact(x) || PyTuple_CheckExact(x)) {
        PyObject *result = from_small_ints(PySequence_Fast_ITEMS(x),
                                           PySequence_Fast_GET_SIZE(x));
        if (result != Py_None) {
            return result;
        }
    }
    if (PyUnicode_Check(x)) {
        PyErr_Format(PyExc_TypeError, "cannot convert '%.200s' object to bytes",
                     Py_TYPE(x)->tp_name);
        return NULL;
    }
    return from_ints(x);
}

/* bytes(count). Returns NULL without an exception if x is not a count. */
static PyObject *
from_count(PyObject *x)
{
    Py_ssize_t size = PyNumber_AsSsize_t(x, PyExc_OverflowError);
    if (size == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();      /* its __index__ is not meant as a count */
        }
        return NULL;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "negative count");
        return NULL;
    }
    return size == 0 ? Py_NewRef(SHARED_EMPTY) : allocate(size, 1);
}

static PyObject *
construct(PyObject *x, const char *encoding, const char *errors)
{
    if (encoding != NULL) {
        if (x == NULL || !PyUnicode_Check(x)) {
            PyErr_SetString(PyExc_TypeError,
                            "encoding without a string argument");
            return NULL;
        }
        return PyUnicode_AsEncodedString(x, encoding, errors);
    }
    if (errors != NULL) {
        PyErr_SetString(PyExc_TypeError,
                        x != NULL && PyUnicode_Check(x)
                            ? "string argument without an encoding"
                            : "errors without a string argument");
        return NULL;
    }
    if (x == NULL) {
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    if (PyBytes_CheckExact(x)) {
        return Py_NewRef(x);
    }
    PyObject *func = _PyObject_LookupSpecial(x, _Py_NAME(dunder_bytes));
    if (func != NULL) {
        PyObject *result = PyObject_CallNoArgs(func);
        Py_DECREF(func);
        if (result != NULL && !PyBytes_Check(result)) {
            PyErr_Format(PyExc_TypeError,
                         "__bytes__ returned non-bytes (type %.200s)",
                         Py_TYPE(result)->tp_name);
            Py_CLEAR(result);
        }
        return result;
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (PyUnicode_Check(x)) {
        PyErr_SetString(PyExc_TypeError,
                        "string argument without an encoding");
        return NULL;
    }
    if (PyIndex_Check(x)) {
        PyObject *result = from_count(x);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
    return PyBytes_FromObject(x);
}

static PyObject *
bytes_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"source", "encoding", "errors", NULL};
    PyObject *x = NULL, *given[2] = {NULL};
    const char *encoding = NULL, *errors = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OOO:bytes", keywords, &x,
                                     &given[0], &given[1])
        || codec_args("bytes", given[0], given[1], &encoding, &errors) < 0)
    {
        return NULL;
    }
    PyObject *plain = construct(x, encoding, errors);
    if (plain == NULL || type == &PyBytes_Type) {
        return plain;
    }
    const Py_ssize_t n = Py_SIZE(plain);
    PyObject *self = type->tp_alloc(type, n);
    if (self != NULL) {
        ((PyBytesObject *)self)->ob_shash = ((PyBytesObject *)plain)->ob_shash;
        memcpy(PyBytes_AS_STRING(self), PyBytes_AS_STRING(plain),
               (size_t)n + 1);
    }
    Py_DECREF(plain);
    return self;
}

static PyObject *
bytes_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (nargs > 1 || kwnames != NULL || type != (PyObject *)&PyBytes_Type) {
        return _PyType_Vectorcall(type, args, nargsf, kwnames);
    }
    return construct(nargs > 0 ? args[0] : NULL, NULL, NULL);
}

/* tp_alloc of bytes and its subclasses: the hash is not known yet. */
static PyObject *
bytes_alloc(PyTypeObject *type, Py_ssize_t n)
{
    PyObject *self = PyType_GenericAlloc(type, n);
    if (self != NULL) {
        ((PyBytesObject *)self)->ob_shash = -1;
    }
    return self;
}

/* --------------------------------------------------- methods of bytes alone */

static PyObject *
bytes_getnewargs(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_BuildValue("(y#)", PyBytes_AS_STRING(self), Py_SIZE(self));
}

static PyObject *
bytes_dunder_bytes(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyBytes_CheckExact(self)
        ? Py_NewRef(self)
        : PyBytes_FromStringAndSize(PyBytes_AS_STRING(self), Py_SIZE(self));
}

static PyMethodDef bytes_methods[] = {
    {"__getnewargs__", bytes_getnewargs, METH_NOARGS, NULL},
    {"__bytes__", bytes_dunder_bytes, METH_NOARGS,
     "__bytes__($self, /)\n--\n\nThe same value, exactly bytes."},
#define HEX_EXAMPLE "bytes([202, 254, 7])"
#include "method_table.h"
    {NULL, NULL, 0, NULL},
};

/* ----------------------------------------------------------------- the type */

static PyObject *
bytes_mod(PyObject *a, PyObject *b)
{
    if (!PyBytes_Check(a)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return _PyBytes_FormatEx(PyBytes_AS_STRING(a), Py_SIZE(a), b, 0);
}

Py_ssize_t
_PyBytesLike_Length(PyObject *self)
{
    return Py_SIZE(self);
}

static PyNumberMethods bytes_as_number = {
    .nb_remainder = bytes_mod,
};

static PySequenceMethods bytes_as_sequence = {
    .sq_length = _PyBytesLike_Length,
    .sq_concat = bytes_concat,
    .sq_repeat = bytes_repeat,
    .sq_item = bytes_item,
    .sq_contains = _PyBytesLike_Contains,
};

static PyMappingMethods bytes_as_mapping = {
    .mp_length = _PyBytesLike_Length,
    .mp_subscript = bytes_subscript,
};

static PyBufferProcs bytes_as_buffer = {
    .bf_getbuffer = bytes_getbuffer,
};

PyTypeObject PyBytes_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "bytes",
    .tp_basicsize = offsetof(PyBytesObject, ob_sval) + 1,
    .tp_itemsize = sizeof(char),
    .tp_dealloc = bytes_dealloc,
    .tp_repr = bytes_repr,
    .tp_as_number = &bytes_as_number,
    .tp_as_sequence = &bytes_as_sequence,
    .tp_as_mapping = &bytes_as_mapping,
    .tp_hash = bytes_hash,
    .tp_str = bytes_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_as_buffer = &bytes_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_BYTES_SUBCLASS | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "bytes(iterable_of_ints) -> bytes\n"
        "bytes(string, encoding[, errors]) -> bytes\n"
        "bytes(bytes_or_buffer) -> immutable copy of bytes_or_buffer\n"
        "bytes(int) -> bytes object of size given by the parameter, null "
        "bytes\n"
        "bytes() -> empty bytes object\n\n"
        "An immutable sequence of integers in range(256).",
    .tp_richcompare = bytes_richcompare,
    .tp_iter = _PyBytesLike_Iter,
    .tp_methods = bytes_methods,
    .tp_base = &PyBaseObject_Type,
    .tp_alloc = bytes_alloc,
    .tp_new = bytes_new,
    .tp_vectorcall = bytes_vectorcall,
    .tp_free = PyObject_Free,
};

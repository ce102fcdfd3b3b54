/* bytearray: a growable buffer of bytes, its sequence methods and its type.

   ob_bytes is a block of ob_alloc bytes (NULL when ob_alloc is 0). The value is ob_size
   bytes from ob_start, followed by a null. ob_start may lie inside the block, so that
   bytes can be removed from the front without moving the rest. The size must not change
   while buffers are exported (ob_exports > 0). */
#include "private.h"
#include "internal/gc.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/kwargs.h"
#include "internal/type.h"

char _PyByteArray_empty_string[] = "";

#define SELF(op) ((PyByteArrayObject *)(op))

/* ------------------------------------------------------------------- memory */

static int
can_resize(PyObject *op)
{
    if (SELF(op)->ob_exports > 0) {
        PyErr_SetString(PyExc_BufferError,
                        "Existing exports of data: object cannot be "
                        "re-sized");
        return 0;
    }
    return 1;
}

PyObject *
PyByteArray_FromStringAndSize(const char *text, Py_ssize_t size)
{
    if (size < 0) {
        PyErr_SetString(PyExc_SystemError,
                        "Negative size passed to "
                        "PyByteArray_FromStringAndSize");
        return NULL;
    }
    if (size == PY_SSIZE_T_MAX) {
        return PyErr_NoMemory();
    }
    PyByteArrayObject *op = PyObject_New(PyByteArrayObject,
                                         &PyByteArray_Type);
    if (op == NULL) {
        return NULL;
    }
    op->ob_bytes = NULL;
    op->ob_alloc = 0;
    op->ob_exports = 0;
    if (size > 0) {
        op->ob_bytes = PyObject_Malloc((size_t)size + 1);
        if (op->ob_bytes == NULL) {
            Py_SET_SIZE(op, 0);
            Py_DECREF(op);
            return PyErr_NoMemory();
        }
        if (text != NULL) {
            memcpy(op->ob_bytes, text, (size_t)size);
        }
        op->ob_bytes[size] = '\0';
        op->ob_alloc = size + 1;
    }
    Py_SET_SIZE(op, size);
    op->ob_start = op->ob_bytes;
    return (PyObject *)op;
}

PyObject *
PyByteArray_FromObject(PyObject *input)
{
    return PyObject_CallOneArg((PyObject *)&PyByteArray_Type, input);
}

static void
bytearray_dealloc(PyObject *op)
{
    if (SELF(op)->ob_exports > 0) {
        PyErr_SetString(PyExc_SystemError,
                        "deallocated bytearray object has exported buffers");
        PyErr_Print();
    }
    PyObject_Free(SELF(op)->ob_bytes);
    Py_TYPE(op)->tp_free(op);
}

Py_ssize_t
PyByteArray_Size(PyObject *op)
{
    return PyByteArray_GET_SIZE(op);
}

char *
PyByteArray_AsString(PyObject *op)
{
    return PyByteArray_AS_STRING(op);
}

/* Moves the value to a block of `room` bytes. */
static int
reallocate(PyByteArrayObject *self, Py_ssize_t size, Py_ssize_t room)
{
    const Py_ssize_t offset = self->ob_start - self->ob_bytes;
    if (offset > 0) {
        char *block = PyObject_Malloc((size_t)room);
        if (block == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        memcpy(block, self->ob_start,
               (size_t)Py_MIN(size, Py_SIZE(self)));
        PyObject_Free(self->ob_bytes);
        self->ob_bytes = block;
    }
    else {
        char *block = PyObject_Realloc(self->ob_bytes, (size_t)room);
        if (block == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->ob_bytes = block;
    }
    self->ob_start = self->ob_bytes;
    self->ob_alloc = room;
    return 0;
}

int
PyByteArray_Resize(PyObject *op, Py_ssize_t size)
{
    if (!PyByteArray_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    PyByteArrayObject *self = SELF(op);
    const Py_ssize_t room = self->ob_alloc;
    const Py_ssize_t offset = self->ob_start - self->ob_bytes;
    if (size == Py_SIZE(self)) {
        return 0;
    }
    if (!can_resize(op)) {
        return -1;
    }
    if (size >= PY_SSIZE_T_MAX - size / 8 - 8) {
        PyErr_NoMemory();
        return -1;
    }
    if (size + offset + 1 <= room && size >= room / 2) {
        /* It fits and wastes no more than half. */
    }
    else if (size < room / 2) {
        /* Much smaller than before: give memory back. */
        if (reallocate(self, size, size + 1) < 0) {
            return -1;
        }
    }
    else if (size + 1 <= room) {
        /* It would fit if there were no gap in front. */
        memmove(self->ob_bytes, self->ob_start,
                (size_t)Py_MIN(size, Py_SIZE(self)));
        self->ob_start = self->ob_bytes;
    }
    else {
        /* After growing by a little, more growth is likely; after growing by much, it
           is not. */
        Py_ssize_t wanted = size <= room * 1.125
            ? size + (size >> 3) + (size < 9 ? 3 : 6) : size + 1;
        if (reallocate(self, size, wanted) < 0) {
            return -1;
        }
    }
    Py_SET_SIZE(self, size);
    self->ob_start[size] = '\0';
    return 0;
}

/* ---------------------------------------------------------- buffer protocol */

static int
bytearray_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    if (view == NULL) {
        PyErr_SetString(PyExc_BufferError,
                        "bytearray_getbuffer: view==NULL argument is "
                        "obsolete");
        return -1;
    }
    if (PyBuffer_FillInfo(view, op, PyByteArray_AS_STRING(op), Py_SIZE(op),
                          0, flags) < 0)
    {
        return -1;
    }
    SELF(op)->ob_exports++;
    return 0;
}

static void
bytearray_releasebuffer(PyObject *op, Py_buffer *Py_UNUSED(view))
{
    SELF(op)->ob_exports--;
}

/* --------------------------------------------- concatenation and repetition */

PyObject *
PyByteArray_Concat(PyObject *a, PyObject *b)
{
    Py_buffer x, y;
    PyObject *result = NULL;
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
    if (x.len > PY_SSIZE_T_MAX - y.len) {
        PyErr_NoMemory();
    }
    else if ((result = PyByteArray_FromStringAndSize(NULL, x.len + y.len))
             != NULL)
    {
        char *out = PyByteArray_AS_STRING(result);
        memcpy(out, x.buf, (size_t)x.len);
        memcpy(out + x.len, y.buf, (size_t)y.len);
    }
    PyBuffer_Release(&x);
    PyBuffer_Release(&y);
    return result;
}

static PyObject *
bytearray_iconcat(PyObject *op, PyObject *other)
{
    Py_buffer y;
    if (PyObject_GetBuffer(other, &y, PyBUF_SIMPLE) < 0) {
        PyErr_Format(PyExc_TypeError, "can't concat %.100s to %.100s",
                     Py_TYPE(other)->tp_name, Py_TYPE(op)->tp_name);
        return NULL;
    }
    const Py_ssize_t n = Py_SIZE(op), m = y.len;
    if (other == op) {
        /* The buffer that self exports to itself would forbid the resize. */
        PyBuffer_Release(&y);
        if (n > PY_SSIZE_T_MAX - n) {
            return PyErr_NoMemory();
        }
        if (PyByteArray_Resize(op, n + n) < 0) {
            return NULL;
        }
        memcpy(PyByteArray_AS_STRING(op) + n, PyByteArray_AS_STRING(op),
               (size_t)n);
        return Py_NewRef(op);
    }
    int status = -1;
    if (n > PY_SSIZE_T_MAX - m) {
        PyErr_NoMemory();
    }
    else {
        status = PyByteArray_Resize(op, n + m);
    }
    if (status == 0) {
        memcpy(PyByteArray_AS_STRING(op) + n, y.buf, (size_t)m);
    }
    PyBuffer_Release(&y);
    return status < 0 ? NULL : Py_NewRef(op);
}

static PyObject *
bytearray_repeat(PyObject *op, Py_ssize_t times)
{
    const Py_ssize_t n = Py_SIZE(op);
    times = Py_MAX(times, 0);
    if (n > 0 && times > PY_SSIZE_T_MAX / n) {
        return PyErr_NoMemory();
    }
    PyObject *result = PyByteArray_FromStringAndSize(NULL, n * times);
    if (result != NULL && n * times > 0) {
        _PyBytes_Repeat(PyByteArray_AS_STRING(result), n * times,
                        PyByteArray_AS_STRING(op), n);
    }
    return result;
}

static PyObject *
bytearray_irepeat(PyObject *op, Py_ssize_t times)
{
    const Py_ssize_t n = Py_SIZE(op);
    times = Py_MAX(times, 0);
    if (n > 0 && times > PY_SSIZE_T_MAX / n) {
        return PyErr_NoMemory();
    }
    if (PyByteArray_Resize(op, n * times) < 0) {
        return NULL;
    }
    if (n > 0 && times > 0) {
        char *data = PyByteArray_AS_STRING(op);
        _PyBytes_Repeat(data, n * times, data, n);
    }
    return Py_NewRef(op);
}

/* -------------------------------------------------------------------- items */

#define RANGE_MESSAGE "byte must be in range(0, 256)"

static PyObject *
bytearray_item(PyObject *op, Py_ssize_t i)
{
    if (i < 0 || i >= Py_SIZE(op)) {
        PyErr_SetString(PyExc_IndexError, "bytearray index out of range");
        return NULL;
    }
    return _PyLong_GetSmall((unsigned char)PyByteArray_AS_STRING(op)[i]);
}

static PyObject *
bytearray_subscript(PyObject *op, PyObject *key)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return bytearray_item(op, i < 0 ? i + Py_SIZE(op) : i);
    }
    if (!PySlice_Check(key)) {
        PyErr_Format(PyExc_TypeError,
                     "bytearray indices must be integers or slices, "
                     "not %.200s", Py_TYPE(key)->tp_name);
        return NULL;
    }
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return NULL;
    }
    Py_ssize_t count = PySlice_AdjustIndices(Py_SIZE(op), &start, &stop,
                                             step);
    const char *data = PyByteArray_AS_STRING(op);
    if (count <= 0) {
        return PyByteArray_FromStringAndSize("", 0);
    }
    if (step == 1) {
        return PyByteArray_FromStringAndSize(data + start, count);
    }
    PyObject *result = PyByteArray_FromStringAndSize(NULL, count);
    if (result != NULL) {
        char *out = PyByteArray_AS_STRING(result);
        size_t at = (size_t)start;
        for (Py_ssize_t i = 0; i < count; i++, at += (size_t)step) {
            out[i] = data[at];
        }
    }
    return result;
}

/* Replaces [low:high] by n bytes, which must not be part of op. */
static int
replace_range(PyObject *op, Py_ssize_t low, Py_ssize_t high,
              const char *bytes, Py_ssize_t n)
{
    PyByteArrayObject *self = SELF(op);
    const Py_ssize_t size = Py_SIZE(self), growth = n - (high - low);
    if (growth != 0 && !can_resize(op)) {
        return -1;
    }
    if (growth < 0) {
        if (low == 0) {
            /* Removal at the front only moves the start. */
            self->ob_start -= growth;
        }
        else {
            char *data = PyByteArray_AS_STRING(op);
            memmove(data + high + growth, data + high,
                    (size_t)(size - high));
        }
        if (PyByteArray_Resize(op, size + growth) < 0) {
            if (low == 0) {
                /* Only the allocation can fail. Apart from the bytes to be removed, the
                   value is intact. */
                Py_SET_SIZE(self, size + growth);
            }
            return -1;
        }
    }
    else if (growth > 0) {
        if (size > PY_SSIZE_T_MAX - growth) {
            PyErr_NoMemory();
            return -1;
        }
        if (PyByteArray_Resize(op, size + growth) < 0) {
            return -1;
        }
        char *data = PyByteArray_AS_STRING(op);
        memmove(data + high + growth, data + high, (size_t)(size - high));
    }
    if (n > 0) {
        memcpy(PyByteArray_AS_STRING(op) + low, bytes, (size_t)n);
    }
    return 0;
}

static int
set_index(PyObject *op, PyObject *key, PyObject *value)
{
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) {
        return -1;
    }
    int byte = 0;
    if (value != NULL) {
        byte = _PyBytes_ByteArg(value, RANGE_MESSAGE);
        if (byte < 0) {
            return -1;
        }
    }
    /* The value's __index__ may have changed the size. */
    if (i < 0) {
        i += Py_SIZE(op);
    }
    if (i < 0 || i >= Py_SIZE(op)) {
        PyErr_SetString(PyExc_IndexError, "bytearray index out of range");
        return -1;
    }
    if (value == NULL) {
        return replace_range(op, i, i + 1, NULL, 0);
    }
    PyByteArray_AS_STRING(op)[i] = (char)byte;
    return 0;
}

static int
delete_extended(PyObject *op, Py_ssize_t start, Py_ssize_t step,
                Py_ssize_t count)
{
    if (count == 0) {
        return 0;
    }
    if (!can_resize(op)) {
        return -1;
    }
    if (step < 0) {
        start += step * (count - 1);
        step = -step;
    }
    char *data = PyByteArray_AS_STRING(op);
    const Py_ssize_t size = Py_SIZE(op);
    Py_ssize_t to = start, from = start;
    for (Py_ssize_t i = 0; i < count; i++) {
        /* Skip one byte, and keep those before the next one to skip. */
        from++;
        Py_ssize_t keep = i + 1 < count ? step - 1 : size - from;
        memmove(data + to, data + from, (size_t)keep);
        to += keep;
        from += keep;
    }
    return PyByteArray_Resize(op, size - count);
}

static int
set_slice(PyObject *op, PyObject *key, PyObject *values)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return -1;
    }
    if (values != NULL && (values == op || !PyByteArray_Check(values))) {
        if (PyNumber_Check(values) || PyUnicode_Check(values)) {
            PyErr_SetString(PyExc_TypeError,
                            "can assign only bytes, buffers, or iterables of "
                            "ints in range(0, 256)");
            return -1;
        }
        PyObject *copy = PyByteArray_FromObject(values);
        if (copy == NULL) {
            return -1;
        }
        int status = set_slice(op, key, copy);
        Py_DECREF(copy);
        return status;
    }
    Py_ssize_t count = PySlice_AdjustIndices(Py_SIZE(op), &start, &stop,
                                             step);
    const char *bytes = values ? PyByteArray_AS_STRING(values) : NULL;
    const Py_ssize_t n = values ? Py_SIZE(values) : 0;
    if (step == 1) {
        return replace_range(op, start, Py_MAX(start, stop), bytes, n);
    }
    if (n == 0) {
        return delete_extended(op, start, step, count);
    }
    if (n != count) {
        PyErr_Format(PyExc_ValueError,
                     "attempt to assign bytes of size %zd to extended slice "
                     "of size %zd", n, count);
        return -1;
    }
    char *data = PyByteArray_AS_STRING(op);
    size_t at = (size_t)start;
    for (Py_ssize_t i = 0; i < count; i++, at += (size_t)step) {
        data[at] = bytes[i];
    }
    return 0;
}

static int
bytearray_ass_subscript(PyObject *op, PyObject *key, PyObject *value)
{
    if (PyIndex_Check(key)) {
        return set_index(op, key, value);
    }
    if (PySlice_Check(key)) {
        return set_slice(op, key, value);
    }
    PyErr_Format(PyExc_TypeError,
                 "bytearray indices must be integers or slices, not %.200s",
                 Py_TYPE(key)->tp_name);
    return -1;
}

static int
bytearray_ass_item(PyObject *op, Py_ssize_t i, PyObject *value)
{
    if (i < 0 || i >= Py_SIZE(op)) {
        PyErr_SetString(PyExc_IndexError, "bytearray index out of range");
        return -1;
    }
    if (value == NULL) {
        return replace_range(op, i, i + 1, NULL, 0);
    }
    int byte = _PyBytes_ByteArg(value, RANGE_MESSAGE);
    if (byte < 0) {
        return -1;
    }
    if (i >= Py_SIZE(op)) {
        PyErr_SetString(PyExc_IndexError, "bytearray index out of range");
        return -1;
    }
    PyByteArray_AS_STRING(op)[i] = (char)byte;
    return 0;
}

/* ------------------------------------------------------------- construction */

/* An empty bytearray gets the items of a list or tuple of exact ints in range(256): 1, or -1 on
   error. 0: it is something else, or there is another item. */
static int
fill_with_exact_ints(PyObject *op, PyObject *iterable)
{
    if (!PyList_CheckExact(iterable) && !PyTuple_CheckExact(iterable)) {
        return 0;
    }
    PyObject *const *items = PySequence_Fast_ITEMS(iterable);
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(iterable);
    if (PyByteArray_Resize(op, n) < 0) {
        return -1;
    }
    return _PyBytes_WriteSmallInts(PyByteArray_AS_STRING(op), items, n)
           ? 1 : PyByteArray_Resize(op, 0);
}

/* An empty bytearray gets the ints that an iterator gives. */
static int
fill_from_iterator(PyObject *op, PyObject *it)
{
    PyObject *item;
    int status = 0;
    while (status == 0 && (item = PyIter_Next(it)) != NULL) {
        int byte = _PyBytes_ByteArg(item, RANGE_MESSAGE);
        Py_DECREF(item);
        const Py_ssize_t n = Py_SIZE(op);
        status = byte < 0 ? -1 : PyByteArray_Resize(op, n + 1);
        if (status == 0) {
            PyByteArray_AS_STRING(op)[n] = (char)byte;
        }
    }
    return status < 0 || PyErr_Occurred() ? -1 : 0;
}

static int
fill_from_buffer(PyObject *op, PyObject *source)
{
    Py_buffer view;
    if (PyObject_GetBuffer(source, &view, PyBUF_FULL_RO) < 0) {
        return -1;
    }
    int status = PyByteArray_Resize(op, view.len);
    if (status == 0) {
        status = PyBuffer_ToContiguous(PyByteArray_AS_STRING(op), &view,
                                       view.len, 'C');
    }
    PyBuffer_Release(&view);
    return status;
}

static int
fill_from_text(PyObject *op, PyObject *text, const char *encoding,
               const char *errors)
{
    if (encoding == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "string argument without an encoding");
        return -1;
    }
    PyObject *bytes = PyUnicode_AsEncodedString(text, encoding, errors);
    if (bytes == NULL) {
        return -1;
    }
    int status = fill_from_buffer(op, bytes);
    Py_DECREF(bytes);
    return status;
}

/* bytearray(count). Returns 1 if done, 0 if the argument is not a count, -1 on error. */
static int
fill_with_zeros(PyObject *op, PyObject *arg)
{
    Py_ssize_t size = PyNumber_AsSsize_t(arg, PyExc_OverflowError);
    if (size == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        PyErr_Clear();
        return 0;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "negative count");
        return -1;
    }
    if (size > 0) {
        if (PyByteArray_Resize(op, size) < 0) {
            return -1;
        }
        memset(PyByteArray_AS_STRING(op), 0, (size_t)size);
    }
    return 1;
}

/* What bytearray(source, encoding, errors) has; all may be NULL. op is empty. */
static int
fill(PyObject *op, PyObject *source, const char *encoding, const char *errors)
{
    if (source != NULL && PyUnicode_Check(source)) {
        return fill_from_text(op, source, encoding, errors);
    }
    if (encoding != NULL || errors != NULL) {
        PyErr_SetString(PyExc_TypeError,
                        encoding != NULL
                            ? "encoding without a string argument"
                            : "errors without a string argument");
        return -1;
    }
    if (source == NULL) {
        return 0;
    }
    if (PyIndex_Check(source)) {
        int status = fill_with_zeros(op, source);
        if (status != 0) {
            return status < 0 ? -1 : 0;
        }
    }
    if (PyObject_CheckBuffer(source)) {
        return fill_from_buffer(op, source);
    }
    int status = fill_with_exact_ints(op, source);
    if (status != 0) {
        return status < 0 ? -1 : 0;
    }
    PyObject *it = _PyBytes_Iterate(source, "cannot convert '%.200s' object to bytearray");
    if (it == NULL) {
        return -1;
    }
    status = fill_from_iterator(op, it);
    Py_DECREF(it);
    return status;
}

static int
bytearray_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"source", "encoding", "errors", NULL};
    PyObject *source = NULL, *given[2] = {NULL};
    const char *encoding = NULL, *errors = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OOO:bytearray", keywords,
                                     &source, &given[0], &given[1])
        || codec_args("bytearray", given[0], given[1], &encoding, &errors) < 0
        || (Py_SIZE(op) != 0 && PyByteArray_Resize(op, 0) < 0))
    {
        return -1;
    }
    return fill(op, source, encoding, errors);
}

static PyObject *
bytearray_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (nargs > 1 || kwnames != NULL || type != (PyObject *)&PyByteArray_Type) {
        return _PyType_Vectorcall(type, args, nargsf, kwnames);
    }
    PyObject *op = PyType_GenericAlloc(&PyByteArray_Type, 0);
    if (op != NULL && nargs == 1 && fill(op, args[0], NULL, NULL) < 0) {
        Py_CLEAR(op);
    }
    return op;
}

/* ------------------------------------------------------ comparison and text */

static PyObject *
bytearray_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyObject_CheckBuffer(a) || !PyObject_CheckBuffer(b)) {
        if (Py_BytesWarningFlag && (op == Py_EQ || op == Py_NE)
            && (PyUnicode_Check(a) || PyUnicode_Check(b))
            && PyErr_WarnEx(PyExc_BytesWarning,
                            "Comparison between bytearray and string", 1) < 0)
        {
            return NULL;
        }
        Py_RETURN_NOTIMPLEMENTED;
    }
    Py_buffer x, y;
    if (PyObject_GetBuffer(a, &x, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyObject_GetBuffer(b, &y, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        PyBuffer_Release(&x);
        Py_RETURN_NOTIMPLEMENTED;
    }
    int order;
    if ((op == Py_EQ || op == Py_NE) && x.len != y.len) {
        order = 1;
    }
    else {
        order = memcmp(x.buf, y.buf, (size_t)Py_MIN(x.len, y.len));
        if (order == 0) {
            order = x.len < y.len ? -1 : x.len > y.len;
        }
    }
    PyBuffer_Release(&x);
    PyBuffer_Release(&y);
    Py_RETURN_RICHCOMPARE(order, 0, op);
}

/* The type's name and a bytes literal. Single quotes are always escaped. */
static PyObject *
bytearray_repr(PyObject *op)
{
    const char *name = _PyType_Name(Py_TYPE(op));
    const unsigned char *data =
        (const unsigned char *)PyByteArray_AS_STRING(op);
    const Py_ssize_t n = Py_SIZE(op);
    const char quote = memchr(data, '\'', (size_t)n)
        && !memchr(data, '"', (size_t)n) ? '"' : '\'';
    if (n > (PY_SSIZE_T_MAX - 64 - (Py_ssize_t)strlen(name)) / 4) {
        PyErr_SetString(PyExc_OverflowError,
                        "bytearray object is too large to make repr");
        return NULL;
    }
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    char *text = PyMem_Malloc((size_t)n * 4 + 5);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    char *out = text;
    *out++ = '(';
    *out++ = 'b';
    *out++ = quote;
    for (Py_ssize_t i = 0; i < n; i++) {
        unsigned char ch = data[i];
        if (ch == '\'' || ch == '\\' || ch == '\t' || ch == '\n'
            || ch == '\r')
        {
            *out++ = '\\';
            *out++ = ch == '\t' ? 't' : ch == '\n' ? 'n' : ch == '\r' ? 'r'
                : (char)ch;
        }
        else if (ch < ' ' || ch >= 0x7f) {
            *out++ = '\\';
            *out++ = 'x';
            *out++ = Py_hexdigits[ch >> 4];
            *out++ = Py_hexdigits[ch & 15];
        }
        else {
            *out++ = (char)ch;
        }
    }
    *out++ = quote;
    *out++ = ')';
    PyObject *prefix = PyUnicode_FromString(name);
    PyObject *result = NULL;
    if (prefix != NULL && _PyUnicodeWriter_WriteStr(&w, prefix) == 0
        && _PyUnicodeWriter_WriteASCIIString(&w, text, out - text) == 0)
    {
        result = _PyUnicodeWriter_Finish(&w);
    }
    else {
        _PyUnicodeWriter_Dealloc(&w);
    }
    Py_XDECREF(prefix);
    PyMem_Free(text);
    return result;
}

static PyObject *
bytearray_str(PyObject *op)
{
    if (Py_BytesWarningFlag
        && PyErr_WarnEx(PyExc_BytesWarning, "str() on a bytearray instance",
                        1) < 0)
    {
        return NULL;
    }
    return bytearray_repr(op);
}

/* ----------------------------------------------- methods of bytearray alone */

static PyObject *
bytearray_append(PyObject *self, PyObject *item)
{
    int byte = _PyBytes_ByteArg(item, RANGE_MESSAGE);
    if (byte < 0) {
        return NULL;
    }
    const Py_ssize_t n = Py_SIZE(self);
    if (n == PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "cannot add more objects to bytearray");
        return NULL;
    }
    if (PyByteArray_Resize(self, n + 1) < 0) {
        return NULL;
    }
    PyByteArray_AS_STRING(self)[n] = (char)byte;
    Py_RETURN_NONE;
}

/* extend()'s iterable that is no list or tuple of small ints. */
static int
fill_with_others(PyObject *op, PyObject *iterable)
{
    PyObject *it = _PyBytes_Iterate(iterable, "can't extend bytearray with %.100s");
    if (it == NULL) {
        return -1;
    }
    /* The length hint is only asked for so that its errors are raised. */
    int status = PyObject_LengthHint(iterable, 0) < 0 ? -1 : fill_from_iterator(op, it);
    Py_DECREF(it);
    return status;
}

static PyObject *
bytearray_extend(PyObject *self, PyObject *iterable)
{
    if (PyObject_CheckBuffer(iterable)) {
        PyObject *result = bytearray_iconcat(self, iterable);
        if (result == NULL) {
            return NULL;
        }
        Py_DECREF(result);
        Py_RETURN_NONE;
    }
    /* All or nothing: collect the items first. */
    PyObject *extra = PyByteArray_FromStringAndSize(NULL, 0), *result = NULL;
    if (extra == NULL) {
        return NULL;
    }
    int status = fill_with_exact_ints(extra, iterable);
    if (status == 0) {
        status = fill_with_others(extra, iterable);
    }
    if (status >= 0) {
        result = bytearray_iconcat(self, extra);
    }
    Py_DECREF(extra);
    if (result == NULL) {
        return NULL;
    }
    Py_DECREF(result);
    Py_RETURN_NONE;
}

static PyObject *
bytearray_insert(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("insert", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *number = PyNumber_Index(args[0]);
    if (number == NULL) {
        return NULL;
    }
    Py_ssize_t index = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    int byte = _PyBytes_ByteArg(args[1], RANGE_MESSAGE);
    if (byte < 0) {
        return NULL;
    }
    const Py_ssize_t n = Py_SIZE(self);
    if (n == PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "cannot add more objects to bytearray");
        return NULL;
    }
    if (PyByteArray_Resize(self, n + 1) < 0) {
        return NULL;
    }
    index = index < 0 ? Py_MAX(index + n, 0) : Py_MIN(index, n);
    char *data = PyByteArray_AS_STRING(self);
    memmove(data + index + 1, data + index, (size_t)(n - index));
    data[index] = (char)byte;
    Py_RETURN_NONE;
}

static PyObject *
bytearray_pop(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t index = -1;
    if (!_PyArg_CheckPositional("pop", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1) {
        PyObject *number = PyNumber_Index(args[0]);
        if (number == NULL) {
            return NULL;
        }
        index = PyLong_AsSsize_t(number);
        Py_DECREF(number);
        if (index == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    const Py_ssize_t n = Py_SIZE(self);
    if (n == 0) {
        PyErr_SetString(PyExc_IndexError, "pop from empty bytearray");
        return NULL;
    }
    if (index < 0) {
        index += n;
    }
    if (index < 0 || index >= n) {
        PyErr_SetString(PyExc_IndexError, "pop index out of range");
        return NULL;
    }
    unsigned char byte = (unsigned char)PyByteArray_AS_STRING(self)[index];
    if (!can_resize(self)
        || replace_range(self, index, index + 1, NULL, 0) < 0)
    {
        return NULL;
    }
    return _PyLong_GetSmall(byte);
}

static PyObject *
bytearray_remove(PyObject *self, PyObject *item)
{
    int byte = _PyBytes_ByteArg(item, RANGE_MESSAGE);
    if (byte < 0) {
        return NULL;
    }
    const char *data = PyByteArray_AS_STRING(self);
    const char *found = memchr(data, byte, (size_t)Py_SIZE(self));
    if (found == NULL) {
        PyErr_SetString(PyExc_ValueError, "value not found in bytearray");
        return NULL;
    }
    const Py_ssize_t i = found - data;
    if (replace_range(self, i, i + 1, NULL, 0) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
bytearray_clear(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (PyByteArray_Resize(self, 0) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
bytearray_copy(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyByteArray_FromStringAndSize(PyByteArray_AS_STRING(self),
                                         Py_SIZE(self));
}

static PyObject *
bytearray_reverse(PyObject *self, PyObject *Py_UNUSED(unused))
{
    char *low = PyByteArray_AS_STRING(self), *high = low + Py_SIZE(self);
    while (low < high) {
        char byte = *low;
        *low++ = *--high;
        *high = byte;
    }
    Py_RETURN_NONE;
}

static PyObject *
bytearray_alloc(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyLong_FromSsize_t(SELF(self)->ob_alloc);
}

static PyObject *
bytearray_sizeof(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyLong_FromSsize_t(Py_TYPE(self)->tp_basicsize
                              + SELF(self)->ob_alloc);
}

/* Protocols below 3 have no bytes, so Latin-1 text is used. */
static PyObject *
reduce(PyObject *self, int protocol)
{
    const char *data = PyByteArray_AS_STRING(self);
    const Py_ssize_t n = Py_SIZE(self);
    PyObject *state = _PyObject_GetState(self);
    if (state == NULL) {
        return NULL;
    }
    if (n == 0) {
        return Py_BuildValue("(O()N)", Py_TYPE(self), state);
    }
    if (protocol < 3) {
        PyObject *text = PyUnicode_DecodeLatin1(data, n, NULL);
        if (text == NULL) {
            Py_DECREF(state);
            return NULL;
        }
        return Py_BuildValue("(O(Ns)N)", Py_TYPE(self), text, "latin-1",
                             state);
    }
    return Py_BuildValue("(O(y#)N)", Py_TYPE(self), data, n, state);
}

static PyObject *
bytearray_reduce(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return reduce(self, 2);
}

static PyObject *
bytearray_reduce_ex(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    int protocol = 0;
    if (!_PyArg_CheckPositional("__reduce_ex__", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1) {
        protocol = _PyLong_AsInt(args[0]);
        if (protocol == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    return reduce(self, protocol);
}

#define FASTCALL(function) FAST(function)

static PyMethodDef bytearray_methods[] = {
    {"__alloc__", bytearray_alloc, METH_NOARGS,
     "B.__alloc__() -> int\n\nThe bytes of memory allocated for the value."},
    {"__reduce__", bytearray_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nState for pickling."},
    {"__reduce_ex__", FASTCALL(bytearray_reduce_ex),
     "__reduce_ex__($self, proto=0, /)\n--\n\nState for pickling."},
    {"__sizeof__", bytearray_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nThe bytes of memory that it takes."},
    {"append", bytearray_append, METH_O,
     "append($self, item, /)\n--\n\nAdds one byte at the end."},
    {"clear", bytearray_clear, METH_NOARGS,
     "clear($self, /)\n--\n\nRemoves all bytes."},
    {"copy", bytearray_copy, METH_NOARGS,
     "copy($self, /)\n--\n\nA copy."},
    {"extend", bytearray_extend, METH_O,
     "extend($self, iterable_of_ints, /)\n--\n\n"
     "Adds the bytes of a buffer or of an iterable of ints at the end."},
    {"insert", FASTCALL(bytearray_insert),
     "insert($self, index, item, /)\n--\n\nPuts one byte before index."},
    {"pop", FASTCALL(bytearray_pop),
     "pop($self, index=-1, /)\n--\n\n"
     "Removes the byte at index and returns it."},
    {"remove", bytearray_remove, METH_O,
     "remove($self, value, /)\n--\n\nRemoves the first byte of this value."},
    {"reverse", bytearray_reverse, METH_NOARGS,
     "reverse($self, /)\n--\n\nReverses the order in place."},
#define HEX_EXAMPLE "bytearray([202, 254, 7])"
#include "method_table.h"
    {NULL, NULL, 0, NULL},
};

/* ----------------------------------------------------------------- the type */

static PyObject *
bytearray_mod(PyObject *a, PyObject *b)
{
    if (!PyByteArray_Check(a)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    /* The arguments' methods can't take the format away while it is read. */
    SELF(a)->ob_exports++;
    PyObject *result = _PyBytesLike_Mod(a, b);
    SELF(a)->ob_exports--;
    return result;
}

static PyNumberMethods bytearray_as_number = {
    .nb_remainder = bytearray_mod,
};

static PySequenceMethods bytearray_as_sequence = {
    .sq_length = _PyBytesLike_Length,
    .sq_concat = PyByteArray_Concat,
    .sq_repeat = bytearray_repeat,
    .sq_item = bytearray_item,
    .sq_ass_item = bytearray_ass_item,
    .sq_contains = _PyBytesLike_Contains,
    .sq_inplace_concat = bytearray_iconcat,
    .sq_inplace_repeat = bytearray_irepeat,
};

static PyMappingMethods bytearray_as_mapping = {
    .mp_length = _PyBytesLike_Length,
    .mp_subscript = bytearray_subscript,
    .mp_ass_subscript = bytearray_ass_subscript,
};

static PyBufferProcs bytearray_as_buffer = {
    .bf_getbuffer = bytearray_getbuffer,
    .bf_releasebuffer = bytearray_releasebuffer,
};

PyTypeObject PyByteArray_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "bytearray",
    .tp_basicsize = sizeof(PyByteArrayObject),
    .tp_dealloc = bytearray_dealloc,
    .tp_repr = bytearray_repr,
    .tp_as_number = &bytearray_as_number,
    .tp_as_sequence = &bytearray_as_sequence,
    .tp_as_mapping = &bytearray_as_mapping,
    .tp_str = bytearray_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_as_buffer = &bytearray_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE
        | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "bytearray(iterable_of_ints) -> bytearray\n"
        "bytearray(string, encoding[, errors]) -> bytearray\n"
        "bytearray(bytes_or_buffer) -> mutable copy of bytes_or_buffer\n"
        "bytearray(int) -> bytes array of size given by the parameter, null "
        "bytes\n"
        "bytearray() -> empty bytes array\n\n"
        "A mutable sequence of integers in range(256).",
    .tp_richcompare = bytearray_richcompare,
    .tp_iter = _PyBytesLike_Iter,
    .tp_methods = bytearray_methods,
    .tp_base = &PyBaseObject_Type,
    .tp_init = bytearray_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = PyType_GenericNew,
    .tp_vectorcall = bytearray_vectorcall,
    .tp_free = PyObject_Free,
};

/* The items of memoryviews as values: how a format's bytes are read, and when the items
   of two views are equal.

   One-character native formats are handled here. To compare items of any other format,
   the struct module unpacks them. */
#include "Python.h"
#include "internal/buffer.h"
#include "internal/int.h"

/* One line for each format character: its C type. */
#define NATIVE_FORMATS(X)                                                   \
    X('c', char) X('b', signed char) X('B', unsigned char)                  \
    X('h', short) X('H', unsigned short) X('i', int) X('I', unsigned int)   \
    X('l', long) X('L', unsigned long) X('q', long long)                    \
    X('Q', unsigned long long) X('n', Py_ssize_t) X('N', size_t)            \
    X('f', float) X('d', double) X('?', _Bool) X('P', void *)

Py_ssize_t
_PyMemory_NativeSize(char code)
{
    static const unsigned char sizes[256] = {
#define X(code, type) [code] = sizeof(type),
        NATIVE_FORMATS(X)
#undef X
    };
    return sizes[(unsigned char)code];
}

char
_PyMemory_NativeFormat(const char *format)
{
    if (format == NULL) {
        return 'B';
    }
    if (*format == '@') {
        format++;
    }
    if (format[0] == '\0' || format[1] != '\0'
        || _PyMemory_NativeSize(format[0]) == 0) {
        return 0;
    }
    return format[0];
}

/* Reads an item of a type at an address of any alignment. */
#define READ(type)                          \
    ({                                      \
        type value_;                        \
        memcpy(&value_, item, sizeof(type));\
        value_;                             \
    })

PyObject *
_PyMemory_UnpackItem(const char *item, char code)
{
    switch (code) {
    case 'B':
        return _PyLong_FromInt64(READ(unsigned char));
    case 'b':
        return _PyLong_FromInt64(READ(signed char));
    case 'h':
        return _PyLong_FromInt64(READ(short));
    case 'H':
        return _PyLong_FromInt64(READ(unsigned short));
    case 'i':
        return _PyLong_FromInt64(READ(int));
    case 'I':
        return _PyLong_FromInt64(READ(unsigned int));
    case 'l':
        return _PyLong_FromInt64(READ(long));
    case 'L':
        return PyLong_FromUnsignedLong(READ(unsigned long));
    case 'q':
        return _PyLong_FromInt64(READ(long long));
    case 'Q':
        return PyLong_FromUnsignedLongLong(READ(unsigned long long));
    case 'n':
        return _PyLong_FromInt64(READ(Py_ssize_t));
    case 'N':
        return PyLong_FromSize_t(READ(size_t));
    case 'f':
        return PyFloat_FromDouble(READ(float));
    case 'd':
        return PyFloat_FromDouble(READ(double));
    case '?':
        return PyBool_FromLong(*item != 0);
    case 'c':
        return PyBytes_FromStringAndSize(item, 1);
    case 'P':
        return PyLong_FromVoidPtr(READ(void *));
    default:
        PyErr_Format(PyExc_NotImplementedError,
                     "memoryview: format %c not supported", (unsigned char)code);
        return NULL;
    }
}

/* ------------------------------------------------------------------ packing */

/* Replaces an exception from converting a value by one about the format. */
static int
conversion_failed(char code)
{
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Format(PyExc_TypeError,
                     "memoryview: invalid type for format '%c'", code);
    }
    else if (PyErr_ExceptionMatches(PyExc_OverflowError)
             || PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Format(PyExc_ValueError,
                     "memoryview: invalid value for format '%c'", code);
    }
    return -1;
}

static int
out_of_range(char code)
{
    PyErr_Format(PyExc_ValueError,
                 "memoryview: invalid value for format '%c'", code);
    return -1;
}

static int
pack_signed(char *item, PyObject *value, char code, size_t size)
{
    PyObject *index = PyNumber_Index(value);
    if (index == NULL) {
        return conversion_failed(code);
    }
    long long number = PyLong_AsLongLong(index);
    Py_DECREF(index);
    if (number == -1 && PyErr_Occurred()) {
        return conversion_failed(code);
    }
    int spare_bits = 64 - 8 * (int)size;
    long long highest = (long long)(~0ull >> 1 >> spare_bits);
    if (number > highest || number < -highest - 1) {
        return out_of_range(code);
    }
    memcpy(item, PY_LITTLE_ENDIAN ? (char *)&number
           : (char *)&number + 8 - size, size);
    return 0;
}

static int
pack_unsigned(char *item, PyObject *value, char code, size_t size)
{
    PyObject *index = PyNumber_Index(value);
    if (index == NULL) {
        return conversion_failed(code);
    }
    unsigned long long number = PyLong_AsUnsignedLongLong(index);
    Py_DECREF(index);
    if (number == (unsigned long long)-1 && PyErr_Occurred()) {
        return conversion_failed(code);
    }
    if (number > ~0ull >> (64 - 8 * (int)size)) {
        return out_of_range(code);
    }
    memcpy(item, PY_LITTLE_ENDIAN ? (char *)&number
           : (char *)&number + 8 - size, size);
    return 0;
}

static int
pack_float(char *item, PyObject *value, char code)
{
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        return conversion_failed(code);
    }
    if (code == 'f') {
        float narrow = (float)number;
        memcpy(item, &narrow, sizeof(narrow));
    }
    else {
        memcpy(item, &number, sizeof(number));
    }
    return 0;
}

int
_PyMemory_PackItem(char *item, PyObject *value, char code)
{
    size_t size = (size_t)_PyMemory_NativeSize(code);
    switch (code) {
    case 'b': case 'h': case 'i': case 'l': case 'q': case 'n':
        return pack_signed(item, value, code, size);
    case 'B': case 'H': case 'I': case 'L': case 'Q': case 'N':
        return pack_unsigned(item, value, code, size);
    case 'f': case 'd':
        return pack_float(item, value, code);
    case '?': {
        int truth = PyObject_IsTrue(value);
        if (truth < 0) {
            return -1;
        }
        *item = (char)truth;
        return 0;
    }
    case 'c':
        if (!PyBytes_Check(value)) {
            PyErr_Format(PyExc_TypeError,
                         "memoryview: invalid type for format '%c'", code);
            return -1;
        }
        if (PyBytes_GET_SIZE(value) != 1) {
            return out_of_range(code);
        }
        *item = PyBytes_AS_STRING(value)[0];
        return 0;
    case 'P': {
        void *pointer = PyLong_AsVoidPtr(value);
        if (pointer == NULL && PyErr_Occurred()) {
            return conversion_failed(code);
        }
        memcpy(item, &pointer, sizeof(pointer));
        return 0;
    }
    default:
        PyErr_Format(PyExc_NotImplementedError,
                     "memoryview: format %c not supported", (unsigned char)code);
        return -1;
    }
}

/* ---------------------------------------------------------------- comparing */

/* How the items of one view are read: by a native code, or by calling
   `unpack_from` of a struct.Struct. */
struct reader {
    char code;
    PyObject *unpack_from;
    PyObject *item;             /* memoryview over `bytes` */
    char *bytes;
    Py_ssize_t itemsize;
};

/* Returns 0; 1 if struct doesn't know the format; -1 with an exception. */
static int
reader_open(struct reader *r, const Py_buffer *view)
{
    memset(r, 0, sizeof(*r));
    r->code = _PyMemory_NativeFormat(view->format);
    r->itemsize = view->itemsize;
    if (r->code != 0) {
        return 0;
    }
    PyObject *module = PyImport_ImportModule("struct");
    if (module == NULL) {
        return -1;
    }
    int result = -1;
    PyObject *compiled = PyObject_CallMethod(module, "Struct", "s",
                                             view->format);
    if (compiled == NULL) {
        PyObject *error = PyObject_GetAttrString(module, "error");
        if (error != NULL && PyErr_ExceptionMatches(error)) {
            PyErr_Clear();
            result = 1;
        }
        Py_XDECREF(error);
    }
    else {
        r->unpack_from = PyObject_GetAttrString(compiled, "unpack_from");
        r->bytes = PyMem_Malloc((size_t)Py_MAX(r->itemsize, 1));
        if (r->unpack_from != NULL && r->bytes != NULL) {
            r->item = PyMemoryView_FromMemory(r->bytes, r->itemsize,
                                              PyBUF_READ);
            result = r->item == NULL ? -1 : 0;
        }
        else if (r->unpack_from != NULL) {
            PyErr_NoMemory();
        }
        Py_DECREF(compiled);
    }
    Py_DECREF(module);
    return result;
}

static void
reader_close(struct reader *r)
{
    Py_XDECREF(r->unpack_from);
    Py_XDECREF(r->item);
    PyMem_Free(r->bytes);
}

/* The value at an address: a single value, or a tuple if the format has several. */
static PyObject *
reader_value(struct reader *r, const char *item)
{
    if (r->code != 0) {
        return _PyMemory_UnpackItem(item, r->code);
    }
    memcpy(r->bytes, item, (size_t)r->itemsize);
    PyObject *values = PyObject_CallOneArg(r->unpack_from, r->item);
    if (values != NULL && PyTuple_GET_SIZE(values) == 1) {
        Py_SETREF(values, Py_NewRef(PyTuple_GET_ITEM(values, 0)));
    }
    return values;
}

/* Are items of two native formats, or 0, equal if and only if their bytes are? */
static inline int
equal_as_bytes(char a, char b)
{
    return a != 0 && a == b && a != 'f' && a != 'd' && a != '?';
}

static int
items_equal(struct reader *ra, const char *a, struct reader *rb,
            const char *b)
{
    if (equal_as_bytes(ra->code, rb->code)) {
        return memcmp(a, b, (size_t)_PyMemory_NativeSize(ra->code)) == 0;
    }
    PyObject *x = reader_value(ra, a);
    PyObject *y = x == NULL ? NULL : reader_value(rb, b);
    int equal = y == NULL ? -1 : PyObject_RichCompareBool(x, y, Py_EQ);
    /* Identity is not enough: a nan is not equal to itself. */
    if (equal > 0 && x == y && PyFloat_Check(x)) {
        equal = PyFloat_AS_DOUBLE(x) == PyFloat_AS_DOUBLE(y);
    }
    Py_XDECREF(x);
    Py_XDECREF(y);
    return equal;
}

/* Do the items of a dimension lie side by side, this many bytes each? */
static inline int
is_dense(const Py_buffer *view, int dim, Py_ssize_t size)
{
    return view->suboffsets == NULL && view->strides[dim] == size;
}

static int
dimension_equal(const Py_buffer *a, const Py_buffer *b, int dim, char *pa,
                char *pb, struct reader *ra, struct reader *rb)
{
    if (dim == a->ndim) {
        return items_equal(ra, pa, rb, pb);
    }
    if (dim == a->ndim - 1 && equal_as_bytes(ra->code, rb->code)) {
        Py_ssize_t size = _PyMemory_NativeSize(ra->code);
        if (is_dense(a, dim, size) && is_dense(b, dim, size)) {
            return memcmp(pa, pb, (size_t)(a->shape[dim] * size)) == 0;
        }
    }
    int equal = 1;
    for (Py_ssize_t i = 0; equal > 0 && i < a->shape[dim]; i++) {
        equal = dimension_equal(a, b, dim + 1, _PyBuffer_Item(a, dim, pa, i),
                                _PyBuffer_Item(b, dim, pb, i), ra, rb);
    }
    return equal;
}

/* Dimensions below an empty one do not matter. */
static int
same_shape(const Py_buffer *a, const Py_buffer *b)
{
    if (a->ndim != b->ndim) {
        return 0;
    }
    for (int d = 0; d < a->ndim; d++) {
        if (a->shape[d] != b->shape[d]) {
            return 0;
        }
        if (a->shape[d] == 0) {
            break;
        }
    }
    return 1;
}

/* Runs of items that are equal if their bytes are: 1 or 0; else -1. The shape is the same. */
static int
runs_equal(const Py_buffer *a, const Py_buffer *b)
{
    const char code = _PyMemory_NativeFormat(a->format);
    if (a->ndim != 1 || !equal_as_bytes(code, _PyMemory_NativeFormat(b->format))) {
        return -1;
    }
    const Py_ssize_t size = _PyMemory_NativeSize(code);
    return is_dense(a, 0, size) && is_dense(b, 0, size)
        ? memcmp(a->buf, b->buf, (size_t)(a->shape[0] * size)) == 0 : -1;
}

int
_PyMemory_Equal(const Py_buffer *a, const Py_buffer *b)
{
    if (!same_shape(a, b)) {
        return 0;
    }
    const int known = runs_equal(a, b);
    if (known >= 0) {
        return known;
    }
    struct reader ra, rb;
    int opened = reader_open(&ra, a);
    if (opened != 0) {
        reader_close(&ra);
        return opened < 0 ? -1 : 0;
    }
    opened = reader_open(&rb, b);
    int equal = opened < 0 ? -1 : 0;
    if (opened == 0) {
        if (Py_EnterRecursiveCall(" in comparison")) {
            equal = -1;
        }
        else {
            equal = dimension_equal(a, b, 0, a->buf, b->buf, &ra, &rb);
            Py_LeaveRecursiveCall();
        }
    }
    reader_close(&ra);
    reader_close(&rb);
    return equal;
}

/* memoryview.cast(): another format and shape for contiguous memory.

   The view is already one-dimensional. It gets a format first, then a shape, if one is
   given. Neither changes the number of bytes. */
#include "Python.h"
#include "internal/buffer.h"

/* Returns the format as a permanent string, so that the view needs no copy. */
static const char *
permanent_format(PyObject *text, char *code)
{
    static const char codes[] = "cbBhHiIlLqQnNfd?P";
    static char plain[sizeof(codes)][2], native[sizeof(codes)][3];
    PyObject *ascii = PyUnicode_AsASCIIString(text);
    if (ascii == NULL) {
        return NULL;
    }
    const char *format = PyBytes_AS_STRING(ascii);
    int has_prefix = format[0] == '@';
    *code = _PyMemory_NativeFormat(format);
    Py_DECREF(ascii);
    if (*code == 0) {
        PyErr_SetString(PyExc_ValueError,
            "memoryview: destination format must be a native single "
            "character format prefixed with an optional '@'");
        return NULL;
    }
    size_t i = (size_t)(strchr(codes, *code) - codes);
    if (has_prefix) {
        native[i][0] = '@';
        native[i][1] = *code;
        return native[i];
    }
    plain[i][0] = *code;
    return plain[i];
}

/* Makes a C-contiguous view one-dimensional with another format. */
static int
cast_to_1d(Py_buffer *view, PyObject *format_text)
{
    char to, from = _PyMemory_NativeFormat(view->format);
    const char *format = permanent_format(format_text, &to);
    if (format == NULL) {
        return -1;
    }
    if (!_PyMemory_IsByteCode(from) && !_PyMemory_IsByteCode(to)) {
        PyErr_SetString(PyExc_TypeError,
            "memoryview: cannot cast between two non-byte formats");
        return -1;
    }
    Py_ssize_t itemsize = _PyMemory_NativeSize(to);
    if (view->len % itemsize) {
        PyErr_SetString(PyExc_TypeError,
            "memoryview: length is not a multiple of itemsize");
        return -1;
    }
    view->format = (char *)format;
    view->itemsize = itemsize;
    view->ndim = 1;
    view->shape[0] = view->len / itemsize;
    view->strides[0] = itemsize;
    view->suboffsets = NULL;
    return 0;
}

/* Checks a shape, a tuple, and copies it; returns the product or -1. */
static Py_ssize_t
read_shape(PyObject *shape, int ndim, Py_ssize_t itemsize, Py_ssize_t *dims)
{
    Py_ssize_t size = itemsize;
    for (int d = 0; d < ndim; d++) {
        PyObject *item = PyTuple_GET_ITEM(shape, d);
        if (!PyLong_Check(item)) {
            PyErr_SetString(PyExc_TypeError,
                "memoryview.cast(): elements of shape must be integers");
            return -1;
        }
        Py_ssize_t n = PyLong_AsSsize_t(item);
        if (n == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (n <= 0) {
            PyErr_SetString(PyExc_ValueError,
                "memoryview.cast(): elements of shape must be integers > 0");
            return -1;
        }
        if (n > PY_SSIZE_T_MAX / size) {
            PyErr_SetString(PyExc_ValueError,
                "memoryview.cast(): product(shape) > SSIZE_MAX");
            return -1;
        }
        size *= n;
        dims[d] = n;
    }
    return size;
}

static int
cast_to_nd(Py_buffer *view, Py_ssize_t *sizes, PyObject *shape)
{
    int ndim = (int)PyTuple_GET_SIZE(shape);
    view->ndim = ndim;
    view->shape = sizes;
    view->strides = sizes + ndim;
    view->suboffsets = NULL;
    Py_ssize_t size = read_shape(shape, ndim, view->itemsize, view->shape);
    if (size < 0) {
        return -1;
    }
    if (size != view->len) {
        PyErr_SetString(PyExc_TypeError,
            "memoryview: product(shape) * itemsize != buffer size");
        return -1;
    }
    if (ndim == 0) {
        view->shape = NULL;
        view->strides = NULL;
    }
    else {
        PyBuffer_FillContiguousStrides(ndim, view->shape, view->strides,
                                       (int)view->itemsize, 'C');
    }
    return 0;
}

int
_PyMemory_Cast(Py_buffer *view, Py_ssize_t *sizes, PyObject *format,
               PyObject *shape)
{
    if (cast_to_1d(view, format) < 0) {
        return -1;
    }
    return shape == NULL ? 0 : cast_to_nd(view, sizes, shape);
}

/* The buffer protocol: asking for memory, giving it back, and moving items
   between a buffer of any shape and a contiguous block.

   The address of an item is found dimension by dimension: add index * stride
   (strides default to C order), and where suboffsets[d] >= 0, follow the pointer
   found there and add the suboffset. */
#include "Python.h"
#include "internal/buffer.h"

/* ------------------------------------------- getting and releasing a buffer */

int
PyObject_CheckBuffer(PyObject *op)
{
    PyBufferProcs *procs = Py_TYPE(op)->tp_as_buffer;
    return procs != NULL && procs->bf_getbuffer != NULL;
}

int
PyObject_GetBuffer(PyObject *op, Py_buffer *view, int flags)
{
    if (!PyObject_CheckBuffer(op)) {
        PyErr_Format(PyExc_TypeError,
                     "a bytes-like object is required, not '%.100s'",
                     Py_TYPE(op)->tp_name);
        return -1;
    }
    return Py_TYPE(op)->tp_as_buffer->bf_getbuffer(op, view, flags);
}

void
PyBuffer_Release(Py_buffer *view)
{
    PyObject *op = view->obj;
    if (op == NULL) {
        return;
    }
    PyBufferProcs *procs = Py_TYPE(op)->tp_as_buffer;
    if (procs != NULL && procs->bf_releasebuffer != NULL) {
        procs->bf_releasebuffer(op, view);
    }
    view->obj = NULL;
    Py_DECREF(op);
}

int
PyBuffer_FillInfo(Py_buffer *view, PyObject *op, void *memory,
                  Py_ssize_t length, int readonly, int flags)
{
    if (view == NULL) {
        PyErr_SetString(PyExc_BufferError,
                        "PyBuffer_FillInfo: view==NULL argument is obsolete");
        return -1;
    }
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE && readonly) {
        PyErr_SetString(PyExc_BufferError, "Object is not writable.");
        return -1;
    }
    view->obj = Py_XNewRef(op);
    view->buf = memory;
    view->len = length;
    view->readonly = readonly;
    view->itemsize = 1;
    view->format = flags & PyBUF_FORMAT ? "B" : NULL;
    view->ndim = 1;
    view->shape = (flags & PyBUF_ND) == PyBUF_ND ? &view->len : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES
        ? &view->itemsize : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

/* --------------------------------------------------------------- contiguity */

/* In C order the last dimension varies fastest, in Fortran order the first. */
static int
is_contiguous(const Py_buffer *view, int fortran)
{
    if (view->len == 0) {
        return 1;
    }
    if (view->strides == NULL) {
        /* C order; with one long dimension that is Fortran order, too. */
        int longer = 0;
        for (int d = 0; fortran && view->ndim > 1 && d < view->ndim; d++) {
            longer += view->shape[d] > 1;
        }
        return longer <= 1;
    }
    Py_ssize_t expected = view->itemsize;
    for (int i = 0; i < view->ndim; i++) {
        int d = fortran ? i : view->ndim - 1 - i;
        if (view->shape[d] > 1 && view->strides[d] != expected) {
            return 0;
        }
        expected *= view->shape[d];
    }
    return 1;
}

int
PyBuffer_IsContiguous(const Py_buffer *view, char order)
{
    if (view->suboffsets != NULL) {
        return 0;
    }
    switch (order) {
    case 'C':
        return is_contiguous(view, 0);
    case 'F':
        return is_contiguous(view, 1);
    case 'A':
        return is_contiguous(view, 0) || is_contiguous(view, 1);
    }
    return 0;
}

void
PyBuffer_FillContiguousStrides(int ndim, Py_ssize_t *shape,
                               Py_ssize_t *strides, int itemsize, char order)
{
    Py_ssize_t stride = itemsize;
    for (int i = 0; i < ndim; i++) {
        int d = order == 'F' ? i : ndim - 1 - i;
        strides[d] = stride;
        stride *= shape[d];
    }
}

/* ---------------------------------------------------------------- addresses */

void *
PyBuffer_GetPointer(const Py_buffer *view, const Py_ssize_t *indices)
{
    char *p = view->buf;
    for (int d = 0; d < view->ndim; d++) {
        p += view->strides[d] * indices[d];
        if (view->suboffsets != NULL && view->suboffsets[d] >= 0) {
            p = *(char **)p + view->suboffsets[d];
        }
    }
    return p;
}

/* ------------------------------------------------------------- moving items */

enum direction { GATHER, SCATTER };

static inline void
move(char *item, char *block, size_t size, enum direction direction)
{
    if (direction == GATHER) {
        memcpy(block, item, size);
    }
    else {
        memcpy(item, block, size);
    }
}

/* Moves everything below one item of dimension dim - 1, in C order. Returns the
   position in the block where the next item goes. */
static char *
move_c_order(const Py_buffer *view, int dim, char *base, char *block,
             enum direction direction)
{
    size_t size = (size_t)view->itemsize;
    if (dim == view->ndim) {
        move(base, block, size, direction);
        return block + size;
    }
    Py_ssize_t n = view->shape[dim];
    if (dim == view->ndim - 1 && view->strides[dim] == view->itemsize
        && (view->suboffsets == NULL || view->suboffsets[dim] < 0)) {
        move(base, block, size * (size_t)n, direction);
        return block + size * (size_t)n;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        block = move_c_order(view, dim + 1,
                             _PyBuffer_Item(view, dim, base, i), block,
                             direction);
    }
    return block;
}

static void
move_fortran_order(const Py_buffer *view, char *block,
                   enum direction direction)
{
    Py_ssize_t indices[PyBUF_MAX_NDIM] = {0};
    Py_ssize_t count = view->itemsize == 0 ? 0 : view->len / view->itemsize;
    while (count-- > 0) {
        move(PyBuffer_GetPointer(view, indices), block,
             (size_t)view->itemsize, direction);
        block += view->itemsize;
        for (int d = 0; d < view->ndim; d++) {
            if (++indices[d] < view->shape[d]) {
                break;
            }
            indices[d] = 0;
        }
    }
}

static void
move_all(const Py_buffer *view, char *block, char order,
         enum direction direction)
{
    if (order == 'A') {
        order = PyBuffer_IsContiguous(view, 'F')
            && !PyBuffer_IsContiguous(view, 'C') ? 'F' : 'C';
    }
    if (PyBuffer_IsContiguous(view, order)) {
        move(view->buf, block, (size_t)view->len, direction);
    }
    else if (order == 'F') {
        move_fortran_order(view, block, direction);
    }
    else {
        move_c_order(view, 0, view->buf, block, direction);
    }
}

/* A view requested without shape or strides gets them here. */
static const Py_buffer *
with_strides(const Py_buffer *view, Py_buffer *copy, Py_ssize_t *strides,
             Py_ssize_t *shape)
{
    *copy = *view;
    if (view->shape == NULL) {
        *shape = view->itemsize > 0 ? view->len / view->itemsize : 0;
        copy->shape = shape;
        copy->ndim = 1;
    }
    if (view->strides == NULL) {
        PyBuffer_FillContiguousStrides(copy->ndim, copy->shape, strides,
                                       (int)copy->itemsize, 'C');
        copy->strides = strides;
    }
    return copy;
}

int
PyBuffer_ToContiguous(void *block, const Py_buffer *view, Py_ssize_t length,
                      char order)
{
    if (length != view->len) {
        PyErr_SetString(PyExc_ValueError,
                        "PyBuffer_ToContiguous: len != view->len");
        return -1;
    }
    Py_buffer copy;
    Py_ssize_t strides[PyBUF_MAX_NDIM], shape;
    move_all(with_strides(view, &copy, strides, &shape), block, order, GATHER);
    return 0;
}

int
PyBuffer_FromContiguous(const Py_buffer *view, const void *block,
                        Py_ssize_t length, char order)
{
    Py_buffer copy;
    Py_ssize_t strides[PyBUF_MAX_NDIM], shape;
    with_strides(view, &copy, strides, &shape);
    if (length >= view->len) {
        move_all(&copy, (char *)block, order, SCATTER);
        return 0;
    }
    /* The caller wants fewer items than the view has: take the first ones. */
    Py_ssize_t indices[PyBUF_MAX_NDIM] = {0};
    Py_ssize_t count = copy.itemsize == 0 ? 0 : length / copy.itemsize;
    const char *from = block;
    while (count-- > 0) {
        memcpy(PyBuffer_GetPointer(&copy, indices), from,
               (size_t)copy.itemsize);
        from += copy.itemsize;
        for (int i = 0; i < copy.ndim; i++) {
            int d = order == 'F' ? i : copy.ndim - 1 - i;
            if (++indices[d] < copy.shape[d]) {
                break;
            }
            indices[d] = 0;
        }
    }
    return 0;
}

int
PyObject_CopyData(PyObject *dest, PyObject *src)
{
    Py_buffer to, from;
    if (!PyObject_CheckBuffer(dest) || !PyObject_CheckBuffer(src)) {
        PyErr_SetString(PyExc_TypeError,
                        "both destination and source must be "
                        "bytes-like objects");
        return -1;
    }
    if (PyObject_GetBuffer(dest, &to, PyBUF_FULL) < 0) {
        return -1;
    }
    if (PyObject_GetBuffer(src, &from, PyBUF_FULL_RO) < 0) {
        PyBuffer_Release(&to);
        return -1;
    }
    int result = -1;
    if (to.len < from.len) {
        PyErr_SetString(PyExc_BufferError,
                        "destination is too small to receive data from "
                        "source");
    }
    else {
        char *block = PyMem_Malloc(from.len > 0 ? (size_t)from.len : 1);
        if (block == NULL) {
            PyErr_NoMemory();
        }
        else {
            result = PyBuffer_ToContiguous(block, &from, from.len, 'C') < 0
                || PyBuffer_FromContiguous(&to, block, from.len, 'C') < 0
                ? -1 : 0;
            PyMem_Free(block);
        }
    }
    PyBuffer_Release(&to);
    PyBuffer_Release(&from);
    return result;
}

/* struct.calcsize(format). */
Py_ssize_t
PyBuffer_SizeFromFormat(const char *format)
{
    PyObject *module = PyImport_ImportModule("struct");
    PyObject *size = module == NULL ? NULL
        : PyObject_CallMethod(module, "calcsize", "s", format);
    Py_XDECREF(module);
    if (size == NULL) {
        return -1;
    }
    Py_ssize_t n = PyLong_AsSsize_t(size);
    Py_DECREF(size);
    return n;
}

/* --------------------------------------------------------- the old protocol */

static int
bad_arguments(void)
{
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_SystemError,
                        "null argument to internal routine");
    }
    return -1;
}

/* Address and length of the memory of an object that promises to keep it without a
   release. */
static int
borrow_memory(PyObject *op, int flags, void **memory, Py_ssize_t *length)
{
    Py_buffer view;
    if (PyObject_GetBuffer(op, &view, flags) < 0) {
        return -1;
    }
    *memory = view.buf;
    *length = view.len;
    PyBuffer_Release(&view);
    return 0;
}

int
PyObject_CheckReadBuffer(PyObject *op)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(op)) {
        return 0;
    }
    if (PyObject_GetBuffer(op, &view, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        return 0;
    }
    PyBuffer_Release(&view);
    return 1;
}

static int
borrow_readable(PyObject *op, void **memory, Py_ssize_t *length)
{
    if (op == NULL || memory == NULL || length == NULL) {
        return bad_arguments();
    }
    return borrow_memory(op, PyBUF_SIMPLE, memory, length);
}

int
PyObject_AsReadBuffer(PyObject *op, const void **memory, Py_ssize_t *length)
{
    return borrow_readable(op, (void **)memory, length);
}

int
PyObject_AsCharBuffer(PyObject *op, const char **memory, Py_ssize_t *length)
{
    return borrow_readable(op, (void **)memory, length);
}

int
PyObject_AsWriteBuffer(PyObject *op, void **memory, Py_ssize_t *length)
{
    if (op == NULL || memory == NULL || length == NULL) {
        return bad_arguments();
    }
    if (!PyObject_CheckBuffer(op)
        || borrow_memory(op, PyBUF_WRITABLE, memory, length) < 0) {
        PyErr_SetString(PyExc_TypeError,
                        "expected a writable bytes-like object");
        return -1;
    }
    return 0;
}

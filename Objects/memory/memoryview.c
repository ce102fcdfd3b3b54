/* memoryview: views on the memory of other objects.

   A managed buffer holds a buffer that was requested once from an exporter. Its
   `exports` counts the memoryviews made from it, and from one another. When the last of
   them is released, the buffer is released to the exporter. A memoryview that has
   exported buffers itself cannot be released before these are.

   view.obj of a memoryview is borrowed from the managed buffer. Its shape, strides and
   suboffsets are stored in ob_array, one after the other. */
#include "Python.h"

#include "internal/buffer.h"
#include "internal/bytes.h"
#include "internal/gc.h"
#include "internal/getargs.h"
#include "internal/int.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include <stddef.h>

typedef _PyManagedBufferObject ManagedBuffer;
typedef PyMemoryViewObject MemoryView;

#define MV(op) ((MemoryView *)(op))

/* ----------------------------------------------------------- managed buffer */

static ManagedBuffer *
managed_new(void)
{
    ManagedBuffer *mbuf = PyObject_GC_New(ManagedBuffer,
                                          &_PyManagedBuffer_Type);
    if (mbuf == NULL) {
        return NULL;
    }
    mbuf->flags = 0;
    mbuf->exports = 0;
    mbuf->master.obj = NULL;
    _PyObject_GC_TRACK((PyObject *)mbuf);
    return mbuf;
}

static void
managed_release(ManagedBuffer *mbuf)
{
    if (mbuf->flags & _Py_MANAGED_BUFFER_RELEASED) {
        return;
    }
    mbuf->flags |= _Py_MANAGED_BUFFER_RELEASED;
    /* PyBuffer_Release() may run code that starts a collection. */
    PyObject_GC_UnTrack(mbuf);
    PyBuffer_Release(&mbuf->master);
}

static void
managed_dealloc(ManagedBuffer *mbuf)
{
    assert(mbuf->exports == 0);
    managed_release(mbuf);
    PyObject_GC_UnTrack(mbuf);
    if (mbuf->flags & _Py_MANAGED_BUFFER_FREE_FORMAT) {
        PyMem_Free(mbuf->master.format);
    }
    PyObject_GC_Del(mbuf);
}

static int
managed_traverse(ManagedBuffer *mbuf, visitproc visit, void *arg)
{
    Py_VISIT(mbuf->master.obj);
    return 0;
}

static int
managed_clear(ManagedBuffer *mbuf)
{
    if (mbuf->exports == 0) {
        managed_release(mbuf);
    }
    return 0;
}

PyTypeObject _PyManagedBuffer_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "managedbuffer",
    .tp_basicsize = sizeof(ManagedBuffer),
    .tp_dealloc = (destructor)managed_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)managed_traverse,
    .tp_clear = (inquiry)managed_clear,
};

/* ----------------------------------------------------- released memoryviews */

#define RELEASED_TEXT "operation forbidden on released memoryview object"

static int
is_released(MemoryView *self)
{
    return (self->flags & _Py_MEMORYVIEW_RELEASED)
        || (self->mbuf->flags & _Py_MANAGED_BUFFER_RELEASED);
}

/* Returns 0, or -1 with ValueError. */
static int
check_usable(MemoryView *self)
{
    if (is_released(self)) {
        PyErr_SetString(PyExc_ValueError, RELEASED_TEXT);
        return -1;
    }
    return 0;
}

/* ---------------------------------------------------------- new memoryviews */

static MemoryView *
view_alloc(int ndim)
{
    MemoryView *mv = PyObject_GC_NewVar(MemoryView, &PyMemoryView_Type,
                                        3 * ndim);
    if (mv == NULL) {
        return NULL;
    }
    mv->mbuf = NULL;
    mv->hash = -1;
    mv->flags = 0;
    mv->exports = 0;
    mv->view.ndim = ndim;
    mv->view.shape = ndim == 0 ? NULL : mv->ob_array;
    mv->view.strides = ndim == 0 ? NULL : mv->ob_array + ndim;
    mv->view.suboffsets = mv->ob_array + 2 * ndim;
    mv->weakreflist = NULL;
    _PyObject_GC_TRACK((PyObject *)mv);
    return mv;
}

/* The number of items of a one-dimensional view, which may have no shape. */
static Py_ssize_t
length_of_1d(const Py_buffer *view)
{
    return view->shape != NULL ? view->shape[0]
        : view->len / Py_MAX(view->itemsize, 1);
}

/* The flags that follow from the shape. */
static void
set_layout_flags(MemoryView *mv)
{
    const Py_buffer *view = &mv->view;
    int flags = 0;
    if (view->ndim == 0) {
        flags = _Py_MEMORYVIEW_SCALAR | _Py_MEMORYVIEW_C
            | _Py_MEMORYVIEW_FORTRAN;
    }
    else if (view->ndim == 1) {
        int both = view->shape[0] == 1 || view->strides[0] == view->itemsize;
        flags = both ? _Py_MEMORYVIEW_C | _Py_MEMORYVIEW_FORTRAN : 0;
    }
    else {
        flags = (PyBuffer_IsContiguous(view, 'C') ? _Py_MEMORYVIEW_C : 0)
            | (PyBuffer_IsContiguous(view, 'F') ? _Py_MEMORYVIEW_FORTRAN : 0);
    }
    if (view->suboffsets != NULL) {
        flags |= _Py_MEMORYVIEW_PIL;
        flags &= ~(_Py_MEMORYVIEW_C | _Py_MEMORYVIEW_FORTRAN);
    }
    mv->flags = (mv->flags & _Py_MEMORYVIEW_RELEASED) | flags;
}

/* A view like `source` (by default the managed buffer's whole buffer). */
static PyObject *
view_on(ManagedBuffer *mbuf, const Py_buffer *source)
{
    if (source == NULL) {
        source = &mbuf->master;
    }
    if (source->ndim > PyBUF_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError,
                     "memoryview: number of dimensions must not exceed %d",
                     PyBUF_MAX_NDIM);
        return NULL;
    }
    MemoryView *mv = view_alloc(source->ndim);
    if (mv == NULL) {
        return NULL;
    }
    Py_buffer *view = &mv->view;
    int ndim = source->ndim;
    view->obj = source->obj;
    view->buf = source->buf;
    view->len = source->len;
    view->itemsize = source->itemsize;
    view->readonly = source->readonly;
    view->format = source->format != NULL ? source->format : "B";
    view->internal = source->internal;
    if (ndim == 1) {
        view->shape[0] = length_of_1d(source);
        view->strides[0] = source->strides != NULL ? source->strides[0]
                                                   : source->itemsize;
    }
    else if (ndim > 1) {
        memcpy(view->shape, source->shape, (size_t)ndim * sizeof(Py_ssize_t));
        if (source->strides != NULL) {
            memcpy(view->strides, source->strides,
                   (size_t)ndim * sizeof(Py_ssize_t));
        }
        else {
            PyBuffer_FillContiguousStrides(ndim, view->shape, view->strides,
                                           (int)view->itemsize, 'C');
        }
    }
    if (source->suboffsets != NULL && ndim > 0) {
        memcpy(view->suboffsets, source->suboffsets,
               (size_t)ndim * sizeof(Py_ssize_t));
    }
    else {
        view->suboffsets = NULL;
    }
    set_layout_flags(mv);
    mv->mbuf = (ManagedBuffer *)Py_NewRef(mbuf);
    mbuf->exports++;
    return (PyObject *)mv;
}

/* A view on a managed buffer that no other view uses. Steals the reference. */
static PyObject *
view_on_new(ManagedBuffer *mbuf)
{
    PyObject *mv = view_on(mbuf, NULL);
    Py_DECREF(mbuf);
    return mv;
}

PyObject *
PyMemoryView_FromObject(PyObject *op)
{
    if (PyMemoryView_Check(op)) {
        if (check_usable(MV(op)) < 0) {
            return NULL;
        }
        return view_on(MV(op)->mbuf, &MV(op)->view);
    }
    if (!PyObject_CheckBuffer(op)) {
        PyErr_Format(PyExc_TypeError,
                     "memoryview: a bytes-like object is required, not "
                     "'%.200s'", Py_TYPE(op)->tp_name);
        return NULL;
    }
    ManagedBuffer *mbuf = managed_new();
    if (mbuf == NULL) {
        return NULL;
    }
    if (PyObject_GetBuffer(op, &mbuf->master, PyBUF_FULL_RO) < 0) {
        mbuf->master.obj = NULL;
        Py_DECREF(mbuf);
        return NULL;
    }
    return view_on_new(mbuf);
}

PyObject *
PyMemoryView_FromMemory(char *memory, Py_ssize_t size, int flags)
{
    ManagedBuffer *mbuf = managed_new();
    if (mbuf == NULL) {
        return NULL;
    }
    if (PyBuffer_FillInfo(&mbuf->master, NULL, memory, size,
                          flags == PyBUF_WRITE ? 0 : 1, PyBUF_FULL_RO) < 0) {
        Py_DECREF(mbuf);
        return NULL;
    }
    return view_on_new(mbuf);
}

PyObject *
PyMemoryView_FromBuffer(const Py_buffer *info)
{
    if (info->buf == NULL) {
        PyErr_SetString(PyExc_ValueError,
            "PyMemoryView_FromBuffer(): info->buf must not be NULL");
        return NULL;
    }
    ManagedBuffer *mbuf = managed_new();
    if (mbuf == NULL) {
        return NULL;
    }
    mbuf->master = *info;
    mbuf->master.obj = NULL;
    return view_on_new(mbuf);
}

/* Copies a view's items in the given order to a new bytes object. Returns a view of it
   with the shape and format of the original. */
static PyObject *
contiguous_copy(MemoryView *mv, char order)
{
    const Py_buffer *source = &mv->view;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, source->len);
    if (bytes == NULL) {
        return NULL;
    }
    if (PyBuffer_ToContiguous(PyBytes_AS_STRING(bytes), source, source->len,
                              order) < 0) {
        Py_DECREF(bytes);
        return NULL;
    }
    PyObject *flat = PyMemoryView_FromObject(bytes);
    Py_DECREF(bytes);
    if (flat == NULL) {
        return NULL;
    }
    MemoryView *copy = view_alloc(source->ndim);
    if (copy == NULL) {
        Py_DECREF(flat);
        return NULL;
    }
    ManagedBuffer *mbuf = MV(flat)->mbuf;
    Py_buffer *view = &copy->view;
    view->obj = mbuf->master.obj;
    view->buf = mbuf->master.buf;
    view->len = source->len;
    view->itemsize = source->itemsize;
    view->readonly = 1;
    view->internal = NULL;
    if (source->ndim > 0) {
        memcpy(view->shape, source->shape,
               (size_t)source->ndim * sizeof(Py_ssize_t));
        PyBuffer_FillContiguousStrides(view->ndim, view->shape, view->strides,
                                       (int)view->itemsize,
                                       order == 'F' ? 'F' : 'C');
    }
    view->suboffsets = NULL;
    copy->mbuf = (ManagedBuffer *)Py_NewRef(mbuf);
    mbuf->exports++;
    set_layout_flags(copy);
    Py_DECREF(flat);
    /* The format may belong to the exporter, so keep a copy. */
    size_t size = strlen(source->format) + 1;
    mbuf->master.format = PyMem_Malloc(size);
    if (mbuf->master.format == NULL) {
        view->format = "B";
        Py_DECREF(copy);
        return PyErr_NoMemory();
    }
    view->format = memcpy(mbuf->master.format, source->format, size);
    mbuf->flags |= _Py_MANAGED_BUFFER_FREE_FORMAT;
    return (PyObject *)copy;
}

PyObject *
PyMemoryView_GetContiguous(PyObject *op, int buffertype, char order)
{
    PyObject *mv = PyMemoryView_FromObject(op);
    if (mv == NULL) {
        return NULL;
    }
    if (buffertype == PyBUF_WRITE && MV(mv)->view.readonly) {
        PyErr_SetString(PyExc_BufferError,
                        "underlying buffer is not writable");
        Py_DECREF(mv);
        return NULL;
    }
    if (PyBuffer_IsContiguous(&MV(mv)->view, order)) {
        return mv;
    }
    PyObject *copy = NULL;
    if (buffertype == PyBUF_WRITE) {
        PyErr_SetString(PyExc_BufferError,
            "writable contiguous buffer requested for a non-contiguous "
            "object.");
    }
    else {
        copy = contiguous_copy(MV(mv), order);
    }
    Py_DECREF(mv);
    return copy;
}

static const char *const new_keywords[] = {"object", NULL};
static _PyArg_Parser new_parser = {.keywords = new_keywords, .format = "O:memoryview"};

static PyObject *
memory_vectorcall(PyObject *Py_UNUSED(type), PyObject *const *args, size_t nargsf,
                  PyObject *kwnames)
{
    PyObject *object;
    if (kwnames == NULL && PyVectorcall_NARGS(nargsf) == 1) {
        return PyMemoryView_FromObject(args[0]);
    }
    if (!_PyArg_ParseStackAndKeywords(args, PyVectorcall_NARGS(nargsf), kwnames, &new_parser,
                                      &object)) {
        return NULL;
    }
    return PyMemoryView_FromObject(object);
}

static PyObject *
memory_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    PyObject *object;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &new_parser, &object)) {
        return NULL;
    }
    return PyMemoryView_FromObject(object);
}

/* ------------------------------------------------------------------ release */

/* Returns 0, or -1 with BufferError if it has exported buffers. */
static int
release(MemoryView *self)
{
    if (self->flags & _Py_MEMORYVIEW_RELEASED) {
        return 0;
    }
    if (self->exports > 0) {
        PyErr_Format(PyExc_BufferError,
                     "memoryview has %zd exported buffer%s", self->exports,
                     self->exports == 1 ? "" : "s");
        return -1;
    }
    self->flags |= _Py_MEMORYVIEW_RELEASED;
    if (--self->mbuf->exports == 0) {
        managed_release(self->mbuf);
    }
    return 0;
}

/* Keeps the view from being released while code may run between two accesses to its
   memory (making an object may start a collection). */
static void
hold(MemoryView *self)
{
    self->exports++;
}

static void
let_go(MemoryView *self)
{
    self->exports--;
}

static void
memory_dealloc(MemoryView *self)
{
    if (_PyObject_GC_IS_TRACKED((PyObject *)self)) {
        _PyObject_GC_UNTRACK((PyObject *)self);
    }
    if (self->mbuf != NULL) {
        release(self);
        Py_CLEAR(self->mbuf);
    }
    if (self->weakreflist != NULL) {
        PyObject_ClearWeakRefs((PyObject *)self);
    }
    PyObject_GC_Del(self);
}

static int
memory_traverse(MemoryView *self, visitproc visit, void *arg)
{
    Py_VISIT(self->mbuf);
    return 0;
}

static int
memory_clear(MemoryView *self)
{
    if (self->exports == 0 && self->mbuf != NULL) {
        release(self);
        Py_CLEAR(self->mbuf);
    }
    return 0;
}

static PyObject *
memory_release(MemoryView *self, PyObject *Py_UNUSED(ignored))
{
    if (release(self) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
memory_enter(MemoryView *self, PyObject *Py_UNUSED(ignored))
{
    return check_usable(self) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
memory_exit(MemoryView *self, PyObject *const *Py_UNUSED(args),
            Py_ssize_t Py_UNUSED(nargs))
{
    return memory_release(self, NULL);
}

/* ----------------------------------------------------------- as an exporter */

static int
refuse(const char *what)
{
    PyErr_Format(PyExc_BufferError, "memoryview: %s", what);
    return -1;
}

static int
memory_getbuffer(MemoryView *self, Py_buffer *view, int flags)
{
    if (check_usable(self) < 0) {
        return -1;
    }
    *view = self->view;
    view->obj = NULL;
    int c_order = (self->flags & (_Py_MEMORYVIEW_SCALAR | _Py_MEMORYVIEW_C))
        != 0;
    int f_order = (self->flags & (_Py_MEMORYVIEW_SCALAR
                                  | _Py_MEMORYVIEW_FORTRAN)) != 0;
#define ASKS(what) ((flags & (what)) == (what))
    if (ASKS(PyBUF_WRITABLE) && self->view.readonly) {
        return refuse("underlying buffer is not writable");
    }
    if (!ASKS(PyBUF_FORMAT)) {
        view->format = NULL;
    }
    if (ASKS(PyBUF_C_CONTIGUOUS) && !c_order) {
        return refuse("underlying buffer is not C-contiguous");
    }
    if (ASKS(PyBUF_F_CONTIGUOUS) && !f_order) {
        return refuse("underlying buffer is not Fortran contiguous");
    }
    if (ASKS(PyBUF_ANY_CONTIGUOUS) && !c_order && !f_order) {
        return refuse("underlying buffer is not contiguous");
    }
    if (!ASKS(PyBUF_INDIRECT) && (self->flags & _Py_MEMORYVIEW_PIL)) {
        return refuse("underlying buffer requires suboffsets");
    }
    if (!ASKS(PyBUF_STRIDES)) {
        if (!c_order) {
            return refuse("underlying buffer is not C-contiguous");
        }
        view->strides = NULL;
    }
    if (!ASKS(PyBUF_ND)) {
        if (view->format != NULL) {
            return refuse("cannot cast to unsigned bytes if the format flag "
                          "is present");
        }
        /* A flat block of bytes. */
        view->ndim = 1;
        view->shape = NULL;
    }
#undef ASKS
    view->obj = Py_NewRef(self);
    self->exports++;
    return 0;
}

static void
memory_releasebuffer(MemoryView *self, Py_buffer *Py_UNUSED(view))
{
    self->exports--;
}

static PyBufferProcs memory_as_buffer = {
    .bf_getbuffer = (getbufferproc)memory_getbuffer,
    .bf_releasebuffer = (releasebufferproc)memory_releasebuffer,
};

/* --------------------------------------------------------------------- cast */

/* A flattened view of the same memory, with room for `ndim` dimensions. */
static MemoryView *
flat_copy(MemoryView *self, int ndim)
{
    MemoryView *mv = view_alloc(Py_MAX(ndim, 1));
    if (mv == NULL) {
        return NULL;
    }
    Py_ssize_t *shape = mv->view.shape, *strides = mv->view.strides;
    mv->view = self->view;
    mv->view.ndim = 1;
    mv->view.shape = shape;
    mv->view.strides = strides;
    mv->view.suboffsets = NULL;
    shape[0] = self->view.len / Py_MAX(self->view.itemsize, 1);
    strides[0] = self->view.itemsize;
    mv->mbuf = (ManagedBuffer *)Py_NewRef(self->mbuf);
    mv->mbuf->exports++;
    return mv;
}

/* The shape is a tuple, or NULL for one dimension. */
static PyObject *
cast(MemoryView *self, PyObject *format, PyObject *shape)
{
    Py_ssize_t ndim = shape == NULL ? 1 : PyTuple_GET_SIZE(shape);
    if (ndim > PyBUF_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError,
            "memoryview: number of dimensions must not exceed %d",
            PyBUF_MAX_NDIM);
        return NULL;
    }
    if (self->view.ndim != 1 && ndim != 1) {
        PyErr_SetString(PyExc_TypeError,
            "memoryview: cast must be 1D -> ND or ND -> 1D");
        return NULL;
    }
    MemoryView *mv = flat_copy(self, (int)ndim);
    if (mv == NULL) {
        return NULL;
    }
    if (_PyMemory_Cast(&mv->view, mv->ob_array, format, shape) < 0) {
        Py_DECREF(mv);
        return NULL;
    }
    set_layout_flags(mv);
    return (PyObject *)mv;
}

static PyObject *
memory_cast(MemoryView *self, PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    static const char *const keywords[] = {"format", "shape", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "cast"};
    PyObject *given[2];
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 2, 0, given) == NULL) {
        return NULL;
    }
    PyObject *format = given[0], *shape = given[1];
    if (!PyUnicode_Check(format)) {
        _PyArg_BadArgument("cast", "argument 'format'", "str", format);
        return NULL;
    }
    if (check_usable(self) < 0) {
        return NULL;
    }
    if (!(self->flags & _Py_MEMORYVIEW_C)) {
        PyErr_SetString(PyExc_TypeError,
            "memoryview: casts are restricted to C-contiguous views");
        return NULL;
    }
    if (shape != NULL || self->view.ndim != 1) {
        for (int d = 0; d < self->view.ndim; d++) {
            if (self->view.shape[d] == 0) {
                PyErr_SetString(PyExc_TypeError,
                    "memoryview: cannot cast view with zeros in shape or "
                    "strides");
                return NULL;
            }
        }
    }
    if (shape == NULL) {
        return cast(self, format, NULL);
    }
    if (!PyList_Check(shape) && !PyTuple_Check(shape)) {
        PyErr_SetString(PyExc_TypeError, "shape must be a list or a tuple");
        return NULL;
    }
    /* The list may change when making a view starts a collection. */
    shape = PyList_Check(shape) ? PyList_AsTuple(shape) : Py_NewRef(shape);
    if (shape == NULL) {
        return NULL;
    }
    PyObject *mv = cast(self, format, shape);
    Py_DECREF(shape);
    return mv;
}

static PyObject *
memory_toreadonly(MemoryView *self, PyObject *Py_UNUSED(ignored))
{
    if (check_usable(self) < 0) {
        return NULL;
    }
    PyObject *mv = view_on(self->mbuf, &self->view);
    if (mv != NULL) {
        MV(mv)->view.readonly = 1;
    }
    return mv;
}

/* -------------------------------------------------------------------- items */

/* The format code of the view's items, or 0 with NotImplementedError. A character that stands for
   no type is found out when an item is read or stored: slices need none. */
static char
item_code(const Py_buffer *view)
{
    char code = _PyMemory_NativeFormat(view->format);
    if (code == 0) {
        const char *format = view->format + (view->format[0] == '@');
        if (format[0] != '\0' && format[1] == '\0') {
            return format[0];
        }
        PyErr_Format(PyExc_NotImplementedError, "memoryview: unsupported format %s",
                     view->format);
    }
    return code;
}

/* The address of an item by an index that may be negative. Returns NULL with an
   exception. */
static char *
locate(const Py_buffer *view, char *base, int dim, Py_ssize_t index)
{
    Py_ssize_t n = view->shape[dim];
    if (index < 0) {
        index += n;
    }
    if (index < 0 || index >= n) {
        PyErr_Format(PyExc_IndexError, "index out of bounds on dimension %d",
                     dim + 1);
        return NULL;
    }
    return _PyBuffer_Item(view, dim, base, index);
}

/* __index__ may release the view. */
static char *
locate_tuple(MemoryView *self, PyObject *indices)
{
    const Py_buffer *view = &self->view;
    Py_ssize_t n = PyTuple_GET_SIZE(indices);
    if (n > view->ndim) {
        PyErr_Format(PyExc_TypeError,
                     "cannot index %zd-dimension view with %zd-element tuple",
                     (Py_ssize_t)view->ndim, n);
        return NULL;
    }
    char *p = view->buf;
    for (int d = 0; p != NULL && d < n; d++) {
        Py_ssize_t index = PyNumber_AsSsize_t(PyTuple_GET_ITEM(indices, d),
                                              PyExc_IndexError);
        if ((index == -1 && PyErr_Occurred()) || check_usable(self) < 0) {
            return NULL;
        }
        p = locate(view, p, d, index);
    }
    return p;
}

static int
all_indices(PyObject *key)
{
    if (!PyTuple_Check(key)) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++) {
        if (!PyIndex_Check(PyTuple_GET_ITEM(key, i))) {
            return 0;
        }
    }
    return 1;
}

static int
all_slices(PyObject *key)
{
    if (!PyTuple_Check(key) || PyTuple_GET_SIZE(key) == 0) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++) {
        if (!PySlice_Check(PyTuple_GET_ITEM(key, i))) {
            return 0;
        }
    }
    return 1;
}

static PyObject *
memory_item(MemoryView *self, Py_ssize_t index)
{
    const Py_buffer *view = &self->view;
    if (check_usable(self) < 0) {
        return NULL;
    }
    char code = item_code(view);
    if (code == 0) {
        return NULL;
    }
    if (view->ndim == 0) {
        PyErr_SetString(PyExc_TypeError, "invalid indexing of 0-dim memory");
        return NULL;
    }
    if (view->ndim > 1) {
        PyErr_SetString(PyExc_NotImplementedError,
            "multi-dimensional sub-views are not implemented");
        return NULL;
    }
    char *p = locate(view, view->buf, 0, index);
    return p == NULL ? NULL : _PyMemory_UnpackItem(p, code);
}

/* Narrows the first dimension. */
static int
narrow(Py_buffer *view, PyObject *slice)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) {
        return -1;
    }
    Py_ssize_t n = PySlice_AdjustIndices(view->shape[0], &start, &stop, step);
    /* The start moves the address even if there are suboffsets: the stride applies
       before the pointer is followed. */
    view->buf = (char *)view->buf + view->strides[0] * start;
    view->shape[0] = n;
    view->strides[0] *= step;
    view->len = view->itemsize;
    for (int d = 0; d < view->ndim; d++) {
        view->len *= view->shape[d];
    }
    return 0;
}

static PyObject *
item_at_tuple(MemoryView *self, PyObject *key)
{
    const Py_buffer *view = &self->view;
    char code = item_code(view);
    if (code == 0) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(key) < view->ndim) {
        PyErr_SetString(PyExc_NotImplementedError,
                        "sub-views are not implemented");
        return NULL;
    }
    char *p = locate_tuple(self, key);
    return p == NULL ? NULL : _PyMemory_UnpackItem(p, code);
}

static PyObject *
memory_subscript(MemoryView *self, PyObject *key)
{
    const Py_buffer *view = &self->view;
    if (check_usable(self) < 0) {
        return NULL;
    }
    if (view->ndim == 0) {
        if (PyTuple_Check(key) && PyTuple_GET_SIZE(key) == 0) {
            char code = item_code(view);
            return code == 0 ? NULL : _PyMemory_UnpackItem(view->buf, code);
        }
        if (key == Py_Ellipsis) {
            return Py_NewRef(self);
        }
        PyErr_SetString(PyExc_TypeError, "invalid indexing of 0-dim memory");
        return NULL;
    }
    if (PyIndex_Check(key)) {
        Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (index == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return memory_item(self, index);
    }
    if (PySlice_Check(key)) {
        PyObject *mv = view_on(self->mbuf, view);
        if (mv != NULL && narrow(&MV(mv)->view, key) < 0) {
            Py_CLEAR(mv);
        }
        if (mv != NULL) {
            set_layout_flags(MV(mv));
        }
        return mv;
    }
    if (all_indices(key)) {
        return item_at_tuple(self, key);
    }
    if (all_slices(key)) {
        PyErr_SetString(PyExc_NotImplementedError,
                        "multi-dimensional slicing is not implemented");
        return NULL;
    }
    PyErr_SetString(PyExc_TypeError, "memoryview: invalid slice key");
    return NULL;
}

/* --------------------------------------------------------------- assignment */

static const char *
without_prefix(const char *format)
{
    return format == NULL ? "B" : format + (format[0] == '@');
}

/* self[slice] = value: the same format and shape. The two may overlap. */
static int
assign_slice(MemoryView *self, PyObject *slice, PyObject *value)
{
    Py_ssize_t shape = self->view.shape[0], stride = self->view.strides[0];
    Py_ssize_t suboffset;
    Py_buffer to = self->view, from;
    to.shape = &shape;
    to.strides = &stride;
    if (to.suboffsets != NULL) {
        suboffset = to.suboffsets[0];
        to.suboffsets = &suboffset;
    }
    if (PyObject_GetBuffer(value, &from, PyBUF_FULL_RO) < 0) {
        return -1;
    }
    int result = narrow(&to, slice);
    if (result == 0 && check_usable(self) < 0) {
        result = -1;
    }
    if (result == 0
        && (from.ndim != 1 || from.itemsize != to.itemsize
            || length_of_1d(&from) != shape
            || strcmp(without_prefix(from.format),
                      without_prefix(to.format)) != 0)) {
        PyErr_SetString(PyExc_ValueError,
            "memoryview assignment: lvalue and rvalue have different "
            "structures");
        result = -1;
    }
    if (result == 0 && shape > 0) {
        /* By way of a separate block, because the two may overlap. */
        char few[256], *block = few;
        if (PyBuffer_IsContiguous(&to, 'C')
            && PyBuffer_IsContiguous(&from, 'C')) {
            memmove(to.buf, from.buf, (size_t)to.len);
        }
        else if (to.len > (Py_ssize_t)sizeof(few)
                 && (block = PyMem_Malloc((size_t)to.len)) == NULL) {
            PyErr_NoMemory();
            result = -1;
        }
        else {
            PyBuffer_ToContiguous(block, &from, from.len, 'C');
            PyBuffer_FromContiguous(&to, block, to.len, 'C');
            if (block != few) {
                PyMem_Free(block);
            }
        }
    }
    PyBuffer_Release(&from);
    return result;
}

/* Stores an exact int of one digit if the format has room for it: 1, or 0. Runs no code. */
static inline int
store_small(char *item, PyObject *value, char code)
{
    if (!PyLong_CheckExact(value) || !_PyLong_CheckCompact(value)) {
        return 0;
    }
    const int64_t v = _PyLong_CompactValue(value);
    switch (code) {
#define STORE(code, type)                       \
    case code: {                                \
        const type x = (type)v;                 \
        if (x == v) {                           \
            memcpy(item, &x, sizeof(x));        \
        }                                       \
        return x == v;                          \
    }
    STORE('b', signed char)
    STORE('B', unsigned char)
    STORE('h', short)
    STORE('H', unsigned short)
    STORE('i', int)
    STORE('I', unsigned int)
    STORE('l', long)
    STORE('q', long long)
#undef STORE
    }
    return 0;
}

/* Converting the value may release the view, so check again before the value is stored. */
static int
store_item(MemoryView *self, char *item, PyObject *value, char code)
{
    if (store_small(item, value, code)) {
        return 0;
    }
    char bytes[sizeof(long long)];
    if (_PyMemory_PackItem(bytes, value, code) < 0
        || check_usable(self) < 0) {
        return -1;
    }
    memcpy(item, bytes, (size_t)_PyMemory_NativeSize(code));
    return 0;
}

static int
memory_ass_subscript(MemoryView *self, PyObject *key, PyObject *value)
{
    const Py_buffer *view = &self->view;
    if (check_usable(self) < 0) {
        return -1;
    }
    char code = item_code(view);
    if (code == 0) {
        return -1;
    }
    if (view->readonly) {
        PyErr_SetString(PyExc_TypeError, "cannot modify read-only memory");
        return -1;
    }
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "cannot delete memory");
        return -1;
    }
    if (view->ndim == 0) {
        if (key == Py_Ellipsis
            || (PyTuple_Check(key) && PyTuple_GET_SIZE(key) == 0)) {
            return store_item(self, view->buf, value, code);
        }
        PyErr_SetString(PyExc_TypeError, "invalid indexing of 0-dim memory");
        return -1;
    }
    if (PyIndex_Check(key)) {
        if (view->ndim > 1) {
            PyErr_SetString(PyExc_NotImplementedError,
                            "sub-views are not implemented");
            return -1;
        }
        Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (index == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (check_usable(self) < 0) {
            return -1;
        }
        char *p = locate(view, view->buf, 0, index);
        return p == NULL ? -1 : store_item(self, p, value, code);
    }
    if (PySlice_Check(key) && view->ndim == 1) {
        return assign_slice(self, key, value);
    }
    if (all_indices(key)) {
        if (PyTuple_GET_SIZE(key) < view->ndim) {
            PyErr_SetString(PyExc_NotImplementedError,
                            "sub-views are not implemented");
            return -1;
        }
        char *p = locate_tuple(self, key);
        return p == NULL ? -1 : store_item(self, p, value, code);
    }
    if (PySlice_Check(key) || all_slices(key)) {
        PyErr_SetString(PyExc_NotImplementedError,
            "memoryview slice assignments are currently restricted to "
            "ndim = 1");
        return -1;
    }
    PyErr_SetString(PyExc_TypeError, "memoryview: invalid slice key");
    return -1;
}

static Py_ssize_t
memory_length(MemoryView *self)
{
    if (check_usable(self) < 0) {
        return -1;
    }
    return self->view.ndim == 0 ? 1 : self->view.shape[0];
}

/* -------------------------------------------------------------- conversions */

static PyObject *
list_of_dimension(const Py_buffer *view, int dim, char *base, char code)
{
    if (dim == view->ndim) {
        return _PyMemory_UnpackItem(base, code);
    }
    Py_ssize_t n = view->shape[dim];
    PyObject *list = PyList_New(n);
    const int is_last = dim + 1 == view->ndim;
    for (Py_ssize_t i = 0; list != NULL && i < n; i++) {
        char *at = _PyBuffer_Item(view, dim, base, i);
        PyObject *item = is_last ? _PyMemory_UnpackItem(at, code)
                                 : list_of_dimension(view, dim + 1, at, code);
        if (item == NULL) {
            Py_CLEAR(list);
        }
        else {
            PyList_SET_ITEM(list, i, item);
        }
    }
    return list;
}

static PyObject *
memory_tolist(MemoryView *self, PyObject *Py_UNUSED(ignored))
{
    if (check_usable(self) < 0) {
        return NULL;
    }
    char code = item_code(&self->view);
    if (code == 0) {
        return NULL;
    }
    hold(self);
    PyObject *list = list_of_dimension(&self->view, 0, self->view.buf, code);
    let_go(self);
    return list;
}

static PyObject *
bytes_in_order(MemoryView *self, char order)
{
    if (self->flags & _Py_MEMORYVIEW_C && order != 'F') {
        return PyBytes_FromStringAndSize(self->view.buf, self->view.len);
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, self->view.len);
    if (bytes != NULL
        && PyBuffer_ToContiguous(PyBytes_AS_STRING(bytes), &self->view,
                                 self->view.len, order) < 0) {
        Py_CLEAR(bytes);
    }
    return bytes;
}

static PyObject *
memory_tobytes(MemoryView *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"order", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "|z:tobytes"};
    const char *order = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &order)
        || check_usable(self) < 0) {
        return NULL;
    }
    if (order != NULL && strcmp(order, "C") != 0 && strcmp(order, "F") != 0
        && strcmp(order, "A") != 0) {
        PyErr_SetString(PyExc_ValueError,
                        "order must be 'C', 'F' or 'A'");
        return NULL;
    }
    return bytes_in_order(self, order == NULL ? 'C' : *order);
}

static PyObject *
memory_hex(MemoryView *self, PyObject *const *args, Py_ssize_t nargs,
           PyObject *kwnames)
{
    static const char *const keywords[] = {"sep", "bytes_per_sep", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "|Oi:hex"};
    PyObject *sep = NULL;
    int group = 1;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &sep, &group)
        || check_usable(self) < 0) {
        return NULL;
    }
    PyObject *bytes = bytes_in_order(self, 'C');
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *result = _Py_strhex_with_sep(PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes),
                                           sep, group);
    Py_DECREF(bytes);
    return result;
}

static PyObject *
memory_repr(MemoryView *self)
{
    return PyUnicode_FromFormat(self->flags & _Py_MEMORYVIEW_RELEASED
                                ? "<released memory at %p>"
                                : "<memory at %p>", self);
}

static Py_hash_t
memory_hash(MemoryView *self)
{
    if (self->hash != -1) {
        return self->hash;
    }
    const Py_buffer *view = &self->view;
    if (check_usable(self) < 0) {
        return -1;
    }
    if (!view->readonly) {
        PyErr_SetString(PyExc_ValueError,
                        "cannot hash writable memoryview object");
        return -1;
    }
    if (!_PyMemory_IsByteCode(_PyMemory_NativeFormat(view->format))) {
        PyErr_SetString(PyExc_ValueError,
            "memoryview: hashing is restricted to formats 'B', 'b' or 'c'");
        return -1;
    }
    /* An unhashable exporter may still change the memory. */
    hold(self);
    int hashable = view->obj == NULL || PyObject_Hash(view->obj) != -1;
    let_go(self);
    if (!hashable) {
        return -1;
    }
    if (self->flags & _Py_MEMORYVIEW_C) {
        self->hash = _Py_HashBytes(view->buf, view->len);
        return self->hash;
    }
    PyObject *bytes = bytes_in_order(self, 'C');
    if (bytes == NULL) {
        return -1;
    }
    self->hash = PyObject_Hash(bytes);
    Py_DECREF(bytes);
    return self->hash;
}

static PyObject *
memory_richcompare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyMemoryView_Check(a)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (is_released(MV(a)) || (PyMemoryView_Check(b) && is_released(MV(b)))) {
        return PyBool_FromLong((a == b) == (op == Py_EQ));
    }
    int equal;
    hold(MV(a));
    if (PyMemoryView_Check(b)) {
        hold(MV(b));
        equal = _PyMemory_Equal(&MV(a)->view, &MV(b)->view);
        let_go(MV(b));
    }
    else {
        Py_buffer other;
        if (PyObject_GetBuffer(b, &other, PyBUF_FULL_RO) < 0) {
            let_go(MV(a));
            PyErr_Clear();
            Py_RETURN_NOTIMPLEMENTED;
        }
        equal = _PyMemory_Equal(&MV(a)->view, &other);
        PyBuffer_Release(&other);
    }
    let_go(MV(a));
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

/* --------------------------------------------------------------- attributes */

#define GETTER(name, expression)                                    \
    static PyObject *                                               \
    get_##name(MemoryView *self, void *Py_UNUSED(closure))          \
    {                                                               \
        return check_usable(self) < 0 ? NULL : (expression);        \
    }

static PyObject *
tuple_of_sizes(int n, const Py_ssize_t *sizes)
{
    PyObject *tuple = PyTuple_New(sizes == NULL ? 0 : n);
    for (int i = 0; tuple != NULL && sizes != NULL && i < n; i++) {
        PyObject *number = PyLong_FromSsize_t(sizes[i]);
        if (number == NULL) {
            Py_CLEAR(tuple);
        }
        else {
            PyTuple_SET_ITEM(tuple, i, number);
        }
    }
    return tuple;
}

GETTER(obj, Py_NewRef(self->view.obj == NULL ? Py_None : self->view.obj))
GETTER(nbytes, PyLong_FromSsize_t(self->view.len))
GETTER(readonly, PyBool_FromLong(self->view.readonly))
GETTER(itemsize, PyLong_FromSsize_t(self->view.itemsize))
GETTER(format, PyUnicode_FromString(self->view.format))
GETTER(ndim, PyLong_FromLong(self->view.ndim))
GETTER(shape, tuple_of_sizes(self->view.ndim, self->view.shape))
GETTER(strides, tuple_of_sizes(self->view.ndim, self->view.strides))
GETTER(suboffsets, tuple_of_sizes(self->view.ndim, self->view.suboffsets))
GETTER(c_contiguous, PyBool_FromLong(self->flags & _Py_MEMORYVIEW_C))
GETTER(f_contiguous, PyBool_FromLong(self->flags & _Py_MEMORYVIEW_FORTRAN))
GETTER(contiguous, PyBool_FromLong(self->flags & (_Py_MEMORYVIEW_C
                                                  | _Py_MEMORYVIEW_FORTRAN)))

static PyGetSetDef memory_getset[] = {
    {"obj", (getter)get_obj, NULL, "The underlying object of the memoryview.",
     NULL},
    {"nbytes", (getter)get_nbytes, NULL,
     "The amount of space in bytes that the array would use in\n"
     " a contiguous representation.", NULL},
    {"readonly", (getter)get_readonly, NULL,
     "A bool indicating whether the memory is read only.", NULL},
    {"itemsize", (getter)get_itemsize, NULL,
     "The size in bytes of each element of the memoryview.", NULL},
    {"format", (getter)get_format, NULL,
     "The format of each element, in the style of the struct module.", NULL},
    {"ndim", (getter)get_ndim, NULL,
     "An integer indicating how many dimensions of a multi-dimensional\n"
     " array the memory represents.", NULL},
    {"shape", (getter)get_shape, NULL,
     "A tuple of ndim integers giving the shape of the memory\n"
     " as an N-dimensional array.", NULL},
    {"strides", (getter)get_strides, NULL,
     "A tuple of ndim integers giving the size in bytes to access\n"
     " each element for each dimension of the array.", NULL},
    {"suboffsets", (getter)get_suboffsets, NULL,
     "A tuple of integers used internally for PIL-style arrays.", NULL},
    {"c_contiguous", (getter)get_c_contiguous, NULL,
     "A bool indicating whether the memory is C contiguous.", NULL},
    {"f_contiguous", (getter)get_f_contiguous, NULL,
     "A bool indicating whether the memory is Fortran contiguous.", NULL},
    {"contiguous", (getter)get_contiguous, NULL,
     "A bool indicating whether the memory is contiguous.", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

/* ----------------------------------------------------------------- iterator */

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    MemoryView *seq;            /* NULL when exhausted */
    Py_ssize_t length;
    char code;
} MemoryIter;

static PyObject *
memory_iter(MemoryView *self)
{
    if (check_usable(self) < 0) {
        return NULL;
    }
    if (self->view.ndim == 0) {
        PyErr_SetString(PyExc_TypeError, "invalid indexing of 0-dim memory");
        return NULL;
    }
    if (self->view.ndim > 1) {
        PyErr_SetString(PyExc_NotImplementedError,
            "multi-dimensional sub-views are not implemented");
        return NULL;
    }
    char code = item_code(&self->view);
    if (code == 0) {
        return NULL;
    }
    MemoryIter *it = PyObject_GC_New(MemoryIter, &_PyMemoryIter_Type);
    if (it == NULL) {
        return NULL;
    }
    it->index = 0;
    it->seq = MV(Py_NewRef(self));
    it->length = self->view.shape[0];
    it->code = code;
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

static void
memoryiter_dealloc(MemoryIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->seq);
    PyObject_GC_Del(it);
}

static int
memoryiter_traverse(MemoryIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->seq);
    return 0;
}

static PyObject *
memoryiter_next(MemoryIter *it)
{
    MemoryView *mv = it->seq;
    if (mv == NULL) {
        return NULL;
    }
    if (it->index < it->length) {
        if (check_usable(mv) < 0) {
            return NULL;
        }
        return _PyMemory_UnpackItem(
            _PyBuffer_Item(&mv->view, 0, mv->view.buf, it->index++),
            it->code);
    }
    it->seq = NULL;
    Py_DECREF(mv);
    return NULL;
}

PyTypeObject _PyMemoryIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "memory_iterator",
    .tp_basicsize = sizeof(MemoryIter),
    .tp_dealloc = (destructor)memoryiter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)memoryiter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)memoryiter_next,
};

/* --------------------------------------------------------------------- type */

static PyMethodDef memory_methods[] = {
    {"release", (PyCFunction)memory_release, METH_NOARGS,
     "release($self, /)\n--\n\n"
     "Release the underlying buffer exposed by the memoryview object."},
    {"tobytes", FAST_KEYWORDS(memory_tobytes),
     "tobytes($self, /, order=\'C\')\n--\n\n"
     "Return the data in the buffer as a byte string.\n\n"
     "Order can be {'C', 'F', 'A'}. When order is 'C' or 'F', the data of "
     "the\noriginal array is converted to C or Fortran order. For contiguous "
     "views,\n'A' returns an exact copy of the physical memory."},
    {"hex", FAST_KEYWORDS(memory_hex),
     _PyBytes_HEX_DOC("memoryview(bytes([202, 254, 7]))")},
    {"tolist", (PyCFunction)memory_tolist, METH_NOARGS,
     "tolist($self, /)\n--\n\n"
     "Return the data in the buffer as a list of elements."},
    {"cast", FAST_KEYWORDS(memory_cast),
     "cast($self, /, format, shape=<unrepresentable>)\n--\n\n"
     "Cast a memoryview to a new format or shape."},
    {"toreadonly", (PyCFunction)memory_toreadonly, METH_NOARGS,
     "toreadonly($self, /)\n--\n\n"
     "Return a readonly version of the memoryview."},
    {"__enter__", (PyCFunction)memory_enter, METH_NOARGS, NULL},
    {"__exit__", FAST_FOR_TUPLE(memory_exit),
     NULL},
    {NULL, NULL, 0, NULL}
};

static PyMappingMethods memory_as_mapping = {
    .mp_length = (lenfunc)memory_length,
    .mp_subscript = (binaryfunc)memory_subscript,
    .mp_ass_subscript = (objobjargproc)memory_ass_subscript,
};

static PySequenceMethods memory_as_sequence = {
    .sq_length = (lenfunc)memory_length,
    .sq_item = (ssizeargfunc)memory_item,
};

PyTypeObject PyMemoryView_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "memoryview",
    .tp_basicsize = offsetof(PyMemoryViewObject, ob_array),
    .tp_itemsize = sizeof(Py_ssize_t),
    .tp_dealloc = (destructor)memory_dealloc,
    .tp_repr = (reprfunc)memory_repr,
    .tp_as_sequence = &memory_as_sequence,
    .tp_as_mapping = &memory_as_mapping,
    .tp_hash = (hashfunc)memory_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_as_buffer = &memory_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_SEQUENCE,
    .tp_doc = "memoryview(object)\n--\n\n"
        "Create a new memoryview object which references the given object.",
    .tp_traverse = (traverseproc)memory_traverse,
    .tp_clear = (inquiry)memory_clear,
    .tp_richcompare = memory_richcompare,
    .tp_weaklistoffset = offsetof(PyMemoryViewObject, weakreflist),
    .tp_iter = (getiterfunc)memory_iter,
    .tp_methods = memory_methods,
    .tp_getset = memory_getset,
    .tp_new = memory_new,
    .tp_vectorcall = memory_vectorcall,
};

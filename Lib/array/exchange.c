/* array: to and from bytes, files, str, lists and pickles; its buffer. */

#include "array_module.h"
#include "internal/getargs.h"
#include "internal/wide_loop.h"
#include <stddef.h>

#define SELF(op) ((ArrayObject *)(op))

/* -------------------------------------------------------------------- bytes */

int
_array_frombytes(ArrayObject *self, Py_buffer *view)
{
    Py_ssize_t itemsize = self->item->itemsize;
    int status = -1;
    if (view->itemsize != 1) {
        PyErr_SetString(PyExc_TypeError, "a bytes-like object is required");
        goto done;
    }
    if (view->len % itemsize != 0) {
        PyErr_SetString(PyExc_ValueError,
                        "bytes length not a multiple of item size");
        goto done;
    }
    Py_ssize_t n = view->len / itemsize, size = Py_SIZE(self);
    if (n > 0) {
        if (size > PY_SSIZE_T_MAX / itemsize - n) {
            PyErr_NoMemory();
            goto done;
        }
        if (_array_resize(self, size + n) < 0) {
            goto done;
        }
        memcpy(self->items + size * itemsize, view->buf,
               (size_t)view->len);
    }
    status = 0;
done:
    PyBuffer_Release(view);
    return status;
}

PyObject *
_array_frombytes_method(PyObject *self, PyObject *buffer)
{
    Py_buffer view;
    if (PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE) < 0
        || _array_frombytes(SELF(self), &view) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
_array_tobytes(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (Py_SIZE(self) > PY_SSIZE_T_MAX / SELF(self)->item->itemsize) {
        return PyErr_NoMemory();
    }
    return PyBytes_FromStringAndSize(
        SELF(self)->items, Py_SIZE(self) * SELF(self)->item->itemsize);
}

/* The n items at p, which may lie anywhere. */
#define SWAP_ALL(Unsigned, swapped)             \
    _Py_WIDE_LOOP                               \
    for (Py_ssize_t i = 0; i < n; i++) {        \
        Unsigned item;                          \
        char *at = p + i * (Py_ssize_t)sizeof(item); \
        memcpy(&item, at, sizeof(item));        \
        item = swapped(item);                   \
        memcpy(at, &item, sizeof(item));        \
    }

PyObject *
_array_byteswap(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    char *p = SELF(self)->items;
    const Py_ssize_t n = Py_SIZE(self);
    switch (SELF(self)->item->itemsize) {
    case 2: SWAP_ALL(uint16_t, __builtin_bswap16); break;
    case 4: SWAP_ALL(uint32_t, __builtin_bswap32); break;
    case 8: SWAP_ALL(uint64_t, __builtin_bswap64); break;
    default: break;
    }
    Py_RETURN_NONE;
}

PyObject *
_array_buffer_info(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *address = PyLong_FromVoidPtr(SELF(self)->items);
    if (address == NULL) {
        return NULL;
    }
    PyObject *size = PyLong_FromSsize_t(Py_SIZE(self));
    PyObject *result = size == NULL ? NULL : PyTuple_Pack(2, address, size);
    Py_DECREF(address);
    Py_XDECREF(size);
    return result;
}

/* -------------------------------------------------------------------- files */

PyObject *
_array_fromfile(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"", "", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "fromfile"};
    PyObject *buf[2];
    Py_ssize_t itemsize = SELF(self)->item->itemsize;
    args = _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 2, 2, 0, buf);
    if (args == NULL) {
        return NULL;
    }
    PyObject *index = PyNumber_Index(args[1]);
    if (index == NULL) {
        return NULL;
    }
    Py_ssize_t n = PyLong_AsSsize_t(index);
    Py_DECREF(index);
    if (n == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (n < 0) {
        PyErr_SetString(PyExc_ValueError, "negative count");
        return NULL;
    }
    if (n > PY_SSIZE_T_MAX / itemsize) {
        return PyErr_NoMemory();
    }
    PyObject *bytes = _PyObject_CallMethod_SizeT(args[0], "read", "n",
                                                 n * itemsize);
    if (bytes == NULL) {
        return NULL;
    }
    if (!PyBytes_Check(bytes)) {
        PyErr_SetString(PyExc_TypeError, "read() didn't return bytes");
        Py_DECREF(bytes);
        return NULL;
    }
    int complete = PyBytes_GET_SIZE(bytes) == n * itemsize;
    PyObject *done = _array_frombytes_method(self, bytes);
    Py_DECREF(bytes);
    if (done != NULL && !complete) {
        /* Items that could be read stay. */
        PyErr_SetString(PyExc_EOFError, "read() didn't return enough bytes");
        Py_CLEAR(done);
    }
    return done;
}

PyObject *
_array_tofile(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    static const char *const keywords[] = {"", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "tofile"};
    PyObject *file;
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 1, 0, &file) == NULL) {
        return NULL;
    }
    const Py_ssize_t block = 64 * 1024;
    Py_ssize_t size = Py_SIZE(self) * SELF(self)->item->itemsize;
    for (Py_ssize_t at = 0; at < size; at += block) {
        PyObject *bytes = PyBytes_FromStringAndSize(
            SELF(self)->items + at, Py_MIN(block, size - at));
        if (bytes == NULL) {
            return NULL;
        }
        PyObject *done = _PyObject_CallMethod_SizeT(file, "write", "O", bytes);
        Py_DECREF(bytes);
        if (done == NULL) {
            return NULL;
        }
        Py_DECREF(done);
        size = Py_SIZE(self) * SELF(self)->item->itemsize;
    }
    Py_RETURN_NONE;
}

/* ----------------------------------------------------------- lists and text */

PyObject *
_array_tolist(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PyList_New(Py_SIZE(self));
    if (list == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        PyObject *v = SELF(self)->item->get(SELF(self)->items, i);
        if (v == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, i, v);
    }
    return list;
}

PyObject *
_array_fromlist(PyObject *op, PyObject *list)
{
    ArrayObject *self = SELF(op);
    if (!PyList_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "arg must be list");
        return NULL;
    }
    Py_ssize_t n = PyList_GET_SIZE(list), old = Py_SIZE(self);
    if (n == 0) {
        Py_RETURN_NONE;
    }
    if (_array_resize(self, old + n) < 0) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *v = Py_NewRef(PyList_GET_ITEM(list, i));
        int status = _array_set(self, old + i, v);
        Py_DECREF(v);
        if (status == 0 && PyList_GET_SIZE(list) != n) {
            PyErr_SetString(PyExc_RuntimeError,
                            "list changed size during iteration");
            status = -1;
        }
        if (status < 0) {
            (void)_array_resize(self, Py_MIN(old, Py_SIZE(self)));
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

PyObject *
_array_fromunicode(PyObject *op, PyObject *str)
{
    ArrayObject *self = SELF(op);
    if (!PyUnicode_Check(str)) {
        PyErr_Format(PyExc_TypeError,
                     "fromunicode() argument must be str, not %.50s",
                     str == Py_None ? "None" : Py_TYPE(str)->tp_name);
        return NULL;
    }
    if (self->item->typecode != 'u') {
        PyErr_SetString(PyExc_ValueError, "fromunicode() may only be called "
                        "on unicode type arrays");
        return NULL;
    }
    /* The count includes the terminating NUL. */
    Py_ssize_t n = PyUnicode_AsWideChar(str, NULL, 0), old = Py_SIZE(self);
    if (n < 0) {
        return NULL;
    }
    if (n > 1) {
        if (_array_resize(self, old + n - 1) < 0) {
            return NULL;
        }
        (void)PyUnicode_AsWideChar(str, (wchar_t *)self->items + old, n - 1);
    }
    Py_RETURN_NONE;
}

PyObject *
_array_tounicode(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (SELF(self)->item->typecode != 'u') {
        PyErr_SetString(PyExc_ValueError, "tounicode() may only be called "
                        "on unicode type arrays");
        return NULL;
    }
    return PyUnicode_FromWideChar((wchar_t *)SELF(self)->items,
                                  Py_SIZE(self));
}

/* ------------------------------------------------------------------ pickles */

/* How items are represented in a pickle; the number is the code that pickles use. */
static const struct machine_format {
    signed char size;
    signed char is_signed;
    signed char big_endian;
    char kind;                  /* i: integer, f: float, u: text */
    const char *encoding;
} machine_formats[] = {
    {1, 0, 0, 'i', NULL},
    {1, 1, 0, 'i', NULL},
    {2, 0, 0, 'i', NULL},
    {2, 0, 1, 'i', NULL},
    {2, 1, 0, 'i', NULL},
    {2, 1, 1, 'i', NULL},
    {4, 0, 0, 'i', NULL},
    {4, 0, 1, 'i', NULL},
    {4, 1, 0, 'i', NULL},
    {4, 1, 1, 'i', NULL},
    {8, 0, 0, 'i', NULL},
    {8, 0, 1, 'i', NULL},
    {8, 1, 0, 'i', NULL},
    {8, 1, 1, 'i', NULL},
    {4, 0, 0, 'f', NULL},
    {4, 0, 1, 'f', NULL},
    {8, 0, 0, 'f', NULL},
    {8, 0, 1, 'f', NULL},
    {2, 0, 0, 'u', "utf-16-le"},
    {2, 0, 1, 'u', "utf-16-be"},
    {4, 0, 0, 'u', "utf-32-le"},
    {4, 0, 1, 'u', "utf-32-be"},
};

#define N_FORMATS ((int)Py_ARRAY_LENGTH(machine_formats))

/* The code of a type's own format. */
static int
format_of_item(const struct array_item *item)
{
    char kind = item->is_integer ? 'i' : item->typecode == 'u' ? 'u' : 'f';
    for (int code = 0; code < N_FORMATS; code++) {
        const struct machine_format *format = &machine_formats[code];
        if (format->kind == kind && format->size == item->itemsize
            && format->is_signed == item->is_signed
            && (format->size == 1
                || format->big_endian == (PY_BIG_ENDIAN != 0))) {
            return code;
        }
    }
    return -1;
}

PyObject *
_array_reduce_ex(PyObject *self, PyObject *value)
{
    const struct array_item *item = SELF(self)->item;
    if (!PyLong_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__reduce_ex__ argument should be an integer");
        return NULL;
    }
    long protocol = PyLong_AsLong(value);
    if (protocol == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *dict = PyObject_GetAttrString(self, "__dict__");
    if (dict == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return NULL;
        }
        PyErr_Clear();
        dict = Py_NewRef(Py_None);
    }
    int format = format_of_item(item);
    if (format < 0 || protocol < 3) {
        /* Portable, and readable for Python 2. */
        PyObject *list = _array_tolist(self, NULL);
        if (list == NULL) {
            Py_DECREF(dict);
            return NULL;
        }
        return Py_BuildValue("O(CN)N", Py_TYPE(self), item->typecode, list,
                             dict);
    }
    PyObject *module = PyType_GetModuleByDef(Py_TYPE(self), &_array_module);
    PyObject *bytes = NULL, *reconstructor = module == NULL ? NULL
        : PyObject_GetAttrString(module, "_array_reconstructor");
    if (reconstructor != NULL) {
        bytes = _array_tobytes(self, NULL);
    }
    if (bytes == NULL) {
        Py_XDECREF(reconstructor);
        Py_DECREF(dict);
        return NULL;
    }
    return Py_BuildValue("N(OCiN)N", reconstructor, Py_TYPE(self),
                         item->typecode, format, bytes, dict);
}

/* A list of the items in bytes that another machine's format has; for text, a str. */
static PyObject *
convert_items(const struct machine_format *format, PyObject *bytes)
{
    const char *p = PyBytes_AS_STRING(bytes);
    Py_ssize_t n = PyBytes_GET_SIZE(bytes) / format->size;
    if (format->kind == 'u') {
        return PyUnicode_Decode(p, PyBytes_GET_SIZE(bytes), format->encoding,
                                "strict");
    }
    PyObject *list = PyList_New(n);
    if (list == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++, p += format->size) {
        PyObject *v = format->kind == 'i'
            ? _PyLong_FromByteArray((const unsigned char *)p,
                                    (size_t)format->size,
                                    !format->big_endian, format->is_signed)
            : PyFloat_FromDouble(
                format->size == 4 ? PyFloat_Unpack4(p, !format->big_endian)
                                  : PyFloat_Unpack8(p, !format->big_endian));
        if (v == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, i, v);
    }
    return list;
}

/* type(typecode, items) */
static PyObject *
make_array(PyTypeObject *type, int typecode, PyObject *items)
{
    return PyObject_CallFunction((PyObject *)type, "CO", typecode, items);
}

PyObject *
_array_reconstruct(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    array_state *state = array_state_of_module(module);
    if (!_PyArg_CheckPositional("_array_reconstructor", nargs, 4, 4)) {
        return NULL;
    }
    if (!PyType_Check(args[0])) {
        PyErr_Format(PyExc_TypeError,
                     "first argument must be a type object, not %.200s",
                     Py_TYPE(args[0])->tp_name);
        return NULL;
    }
    PyTypeObject *type = (PyTypeObject *)args[0];
    if (!PyUnicode_Check(args[1]) || PyUnicode_READY(args[1]) < 0
        || PyUnicode_GET_LENGTH(args[1]) != 1) {
        PyErr_Format(PyExc_TypeError, "_array_reconstructor() argument 2 must "
                     "be a unicode character, not %.50s",
                     Py_TYPE(args[1])->tp_name);
        return NULL;
    }
    int typecode = (int)PyUnicode_READ_CHAR(args[1], 0);
    int code = _PyLong_AsInt(args[2]);
    if (code == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (!PyType_IsSubtype(type, state->array_type)) {
        PyErr_Format(PyExc_TypeError, "%.200s is not a subtype of %.200s",
                     type->tp_name, state->array_type->tp_name);
        return NULL;
    }
    const struct array_item *item = _array_find_item(typecode);
    if (item == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "second argument must be a valid type code");
        return NULL;
    }
    if (code < 0 || code >= N_FORMATS) {
        PyErr_SetString(PyExc_ValueError,
                        "third argument must be a valid machine format code.");
        return NULL;
    }
    PyObject *bytes = args[3];
    if (!PyBytes_Check(bytes)) {
        PyErr_Format(PyExc_TypeError,
                     "fourth argument should be bytes, not %.200s",
                     Py_TYPE(bytes)->tp_name);
        return NULL;
    }
    if (code == format_of_item(item)) {
        return make_array(type, typecode, bytes);
    }
    const struct machine_format *format = &machine_formats[code];
    if (PyBytes_GET_SIZE(bytes) % format->size != 0) {
        PyErr_SetString(PyExc_ValueError,
                        "string length not a multiple of item size");
        return NULL;
    }
    if (format->kind == 'i') {
        /* A long of the machine that pickled may differ from ours: choose the type code
           of the same size, and keep the given one if it fits. */
        const struct array_item *fitting = _array_items;
        for (; fitting->typecode != 0; fitting++) {
            if (fitting->is_integer && fitting->itemsize == format->size
                && fitting->is_signed == format->is_signed) {
                typecode = fitting->typecode;
                if (item == fitting) {
                    break;
                }
            }
        }
    }
    PyObject *items = convert_items(format, bytes);
    if (items == NULL) {
        return NULL;
    }
    PyObject *result = make_array(type, typecode, items);
    Py_DECREF(items);
    return result;
}

/* ------------------------------------------------------------------- buffer */

int
_array_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    static char nothing[1];
    ArrayObject *self = SELF(op);
    if (view == NULL) {
        PyErr_SetString(PyExc_BufferError,
                        "array_buffer_getbuf: view==NULL argument is obsolete");
        return -1;
    }
    view->obj = Py_NewRef(op);
    view->buf = self->items != NULL ? self->items : nothing;
    view->len = Py_SIZE(self) * self->item->itemsize;
    view->readonly = 0;
    view->ndim = 1;
    view->itemsize = self->item->itemsize;
    view->suboffsets = NULL;
    view->shape = flags & PyBUF_ND ? &((PyVarObject *)self)->ob_size : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES
        ? &view->itemsize : NULL;
    view->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT
        ? (char *)self->item->format : NULL;
    view->internal = NULL;
    self->exports++;
    return 0;
}

void
_array_releasebuffer(PyObject *self, Py_buffer *Py_UNUSED(view))
{
    SELF(self)->exports--;
}

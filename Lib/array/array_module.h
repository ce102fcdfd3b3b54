/* The parts of the array module.

   items.c       type codes: reading, writing, comparing and describing items
   array.c       the array type as a sequence
   exchange.c    the methods that exchange items with bytes, files, text, and
                 pickles; the buffer interface
   module.c      the iterator and the module

   An array keeps `size` items in memory for `allocated`. While buffers are
   exported nothing may move: every change of size goes through
   array_resize(), which refuses then. */
#ifndef SB_LIB_ARRAY_MODULE_H
#define SB_LIB_ARRAY_MODULE_H

#include "Python.h"

struct array_item {
    char typecode;
    signed char itemsize;
    const char *format;         /* of exported buffers */
    /* Returns a new reference to item i. */
    PyObject *(*get)(const char *items, Py_ssize_t i);
    /* Writes v to item i if i >= 0, only checks it otherwise. */
    int (*set)(char *items, Py_ssize_t i, PyObject *v);
    /* <0, 0, >0 */
    int (*compare)(const char *a, const char *b, Py_ssize_t n);
    signed char is_integer;
    signed char is_signed;
};

/* Ends with a typecode of 0. */
extern const struct array_item _array_items[];

typedef struct {
    PyObject_VAR_HEAD
    char *items;
    Py_ssize_t allocated;
    const struct array_item *item;
    PyObject *weakreflist;
    Py_ssize_t exports;
} ArrayObject;

typedef struct {
    PyTypeObject *array_type;
    PyTypeObject *iterator_type;
} array_state;

extern struct PyModuleDef _array_module;
extern PyType_Spec _array_type_spec;

static inline array_state *
array_state_of_module(PyObject *module)
{
    return PyModule_GetState(module);
}

/* By type, which may be a subclass of array. */
array_state *_array_state_of_type(PyTypeObject *type);

static inline array_state *
array_state_of(PyObject *op)
{
    return _array_state_of_type(Py_TYPE(op));
}

static inline int
array_check(PyObject *op, array_state *state)
{
    return PyObject_TypeCheck(op, state->array_type);
}

const struct array_item *_array_find_item(int typecode);
/* Uninitialised items. */
PyObject *_array_new(PyTypeObject *type, Py_ssize_t size,
                     const struct array_item *item);
int _array_resize(ArrayObject *self, Py_ssize_t size);
/* self[i] = v; the bounds are checked after v has been converted. 0 or -1. */
int _array_set(ArrayObject *self, Py_ssize_t i, PyObject *v);
int _array_getbuffer(PyObject *self, Py_buffer *view, int flags);
void _array_releasebuffer(PyObject *self, Py_buffer *view);
PyObject *_array_reconstruct(PyObject *module, PyObject *const *args,
                             Py_ssize_t nargs);
/* Appends the items in the bytes of a view; releases the view. */
int _array_frombytes(ArrayObject *self, Py_buffer *view);
PyObject *_array_iter(PyObject *self);

/* Methods that exchange.c has. */
PyObject *_array_buffer_info(PyObject *self, PyObject *ignored);
PyObject *_array_byteswap(PyObject *self, PyObject *ignored);
PyObject *_array_fromfile(PyObject *self, PyObject *const *args,
                          Py_ssize_t nargs, PyObject *kwnames);
PyObject *_array_fromlist(PyObject *self, PyObject *list);
PyObject *_array_frombytes_method(PyObject *self, PyObject *buffer);
PyObject *_array_fromunicode(PyObject *self, PyObject *str);
PyObject *_array_reduce_ex(PyObject *self, PyObject *protocol);
PyObject *_array_tobytes(PyObject *self, PyObject *ignored);
PyObject *_array_tofile(PyObject *self, PyObject *const *args,
                        Py_ssize_t nargs, PyObject *kwnames);
PyObject *_array_tolist(PyObject *self, PyObject *ignored);
PyObject *_array_tounicode(PyObject *self, PyObject *ignored);

#endif

/* Shared by the files of bytes and bytearray only.

   The methods that both types have are written once, in like.c and like_text.c, for a
   `self` of either type. The result has the type of self, but is never an instance of a
   subclass. */
#ifndef SB_BYTES_IMPL_H
#define SB_BYTES_IMPL_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include <stddef.h>
#include "internal/bytes.h"
#include "internal/int.h"

static inline char *
_PyBytesLike_Data(PyObject *self)
{
    return PyBytes_Check(self) ? PyBytes_AS_STRING(self)
                               : PyByteArray_AS_STRING(self);
}

/* Returns a new object of self's base type (bytes or bytearray). data may be NULL. */
static inline PyObject *
_PyBytesLike_New(PyObject *self, const char *data, Py_ssize_t size)
{
    return PyBytes_Check(self) ? PyBytes_FromStringAndSize(data, size)
                               : PyByteArray_FromStringAndSize(data, size);
}

/* Returns a new reference to self if it is exactly bytes, else a copy. */
static inline PyObject *
_PyBytesLike_Unchanged(PyObject *self)
{
    if (PyBytes_CheckExact(self)) {
        return Py_NewRef(self);
    }
    return _PyBytesLike_New(self, _PyBytesLike_Data(self), Py_SIZE(self));
}

#define METHOD_NOARGS(name) \
    PyObject *_PyBytesLike_##name(PyObject *self, PyObject *unused);
#define METHOD_O(name) \
    PyObject *_PyBytesLike_##name(PyObject *self, PyObject *arg);
#define METHOD_FAST(name)                                               \
    PyObject *_PyBytesLike_##name(PyObject *self, PyObject *const *args,\
                                  Py_ssize_t nargs);
#define METHOD_KEYWORDS(name)                                           \
    PyObject *_PyBytesLike_##name(PyObject *self, PyObject *const *args,\
                                  Py_ssize_t nargs, PyObject *kwnames);
#include "methods.def"
#undef METHOD_NOARGS
#undef METHOD_O
#undef METHOD_FAST
#undef METHOD_KEYWORDS

/* Slots that both types share. */
Py_ssize_t _PyBytesLike_Length(PyObject *self);
int _PyBytesLike_Contains(PyObject *self, PyObject *arg);
PyObject *_PyBytesLike_Mod(PyObject *self, PyObject *args);
PyObject *_PyBytesLike_Iter(PyObject *self);

/* An iterator (new reference). NULL with an exception; where there is none, it is a TypeError with this
   text, whose %s is the name of the class. */
PyObject *_PyBytes_Iterate(PyObject *iterable, const char *refusal);
/* Writes the values of exact ints in range(256). 0: there is another item. */
int _PyBytes_WriteSmallInts(char *out, PyObject *const *items, Py_ssize_t n);

/* _PyBytes_ByteArg() of what is no short int in range(256). */
int _PyBytes_OtherByteArg(PyObject *arg, const char *message);

/* The value of an int argument in range(256), or -1 with ValueError
   (`message`) or TypeError. */
static inline int
_PyBytes_ByteArg(PyObject *arg, const char *message)
{
    if (PyLong_CheckExact(arg) && _PyLong_CheckCompact(arg)) {
        int64_t value = _PyLong_CompactValue(arg);
        if (value >= 0 && value < 256) {
            return (int)value;
        }
    }
    return _PyBytes_OtherByteArg(arg, message);
}

PyObject *_PyBytesLike_JoinAs(PyObject *self, PyObject *iterable);

#endif

/* See hash_input.h. */
#include "hash_input.h"

/* Data from this size on is hashed without the GIL. */
#define UNLOCK_SIZE 2048

int
_PyHash_Feed(PyObject *data, PyThread_type_lock lock,
             int (*feed)(void *state, const void *bytes, size_t n), void *state)
{
    Py_buffer view;
    if (PyUnicode_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "Strings must be encoded before hashing");
        return -1;
    }
    if (!PyObject_CheckBuffer(data)) {
        PyErr_SetString(PyExc_TypeError, "object supporting the buffer API required");
        return -1;
    }
    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    if (view.ndim > 1) {
        PyErr_SetString(PyExc_BufferError, "Buffer must be single dimension");
        PyBuffer_Release(&view);
        return -1;
    }
    int good;
    if (view.len >= UNLOCK_SIZE) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(lock, 1);
        good = feed(state, view.buf, (size_t)view.len);
        PyThread_release_lock(lock);
        Py_END_ALLOW_THREADS
    }
    else {
        if (!PyThread_acquire_lock(lock, 0)) {
            Py_BEGIN_ALLOW_THREADS
            PyThread_acquire_lock(lock, 1);
            Py_END_ALLOW_THREADS
        }
        good = feed(state, view.buf, (size_t)view.len);
        PyThread_release_lock(lock);
    }
    PyBuffer_Release(&view);
    return good;
}

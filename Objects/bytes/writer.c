/* _PyBytesWriter: builds bytes (or a bytearray) whose length is not known in advance.

   Small results stay in a buffer inside the writer until they are finished. The caller
   keeps the write position. `min_size` is the number of bytes prepared so far. When
   Prepare needs more room than the writer has, it moves everything; this is why it
   returns a new position. */
#include "private.h"

void
_PyBytesWriter_Init(_PyBytesWriter *w)
{
    memset(w, 0, offsetof(_PyBytesWriter, small_buffer));
}

void
_PyBytesWriter_Dealloc(_PyBytesWriter *w)
{
    Py_CLEAR(w->buffer);
}

static char *
start_of(_PyBytesWriter *w)
{
    if (w->use_small_buffer) {
        return w->small_buffer;
    }
    return w->use_bytearray ? PyByteArray_AS_STRING(w->buffer)
                            : PyBytes_AS_STRING(w->buffer);
}

static int
resize_object(_PyBytesWriter *w, Py_ssize_t size)
{
    if (w->use_bytearray) {
        if (PyByteArray_Resize(w->buffer, size) < 0) {
            Py_CLEAR(w->buffer);
            return -1;
        }
        return 0;
    }
    return _PyBytes_Resize(&w->buffer, size);
}

void *
_PyBytesWriter_Resize(_PyBytesWriter *w, void *str, Py_ssize_t size)
{
    Py_ssize_t room = size;
    const Py_ssize_t used = (char *)str - start_of(w);
    if (w->overallocate && room <= PY_SSIZE_T_MAX - room / 4) {
        room += room / 4;
    }
    if (!w->use_small_buffer) {
        if (resize_object(w, room) < 0) {
            return NULL;
        }
    }
    else {
        w->buffer = w->use_bytearray
            ? PyByteArray_FromStringAndSize(NULL, room)
            : PyBytes_FromStringAndSize(NULL, room);
        if (w->buffer == NULL) {
            return NULL;
        }
        w->use_small_buffer = 0;
        memcpy(start_of(w), w->small_buffer, (size_t)used);
    }
    w->allocated = room;
    return start_of(w) + used;
}

void *
_PyBytesWriter_Prepare(_PyBytesWriter *w, void *str, Py_ssize_t size)
{
    if (size == 0) {
        return str;
    }
    if (w->min_size > PY_SSIZE_T_MAX - size) {
        _PyBytesWriter_Dealloc(w);
        PyErr_NoMemory();
        return NULL;
    }
    w->min_size += size;
    if (w->min_size > w->allocated) {
        str = _PyBytesWriter_Resize(w, str, w->min_size);
    }
    return str;
}

void *
_PyBytesWriter_Alloc(_PyBytesWriter *w, Py_ssize_t size)
{
    w->use_small_buffer = 1;
    w->allocated = sizeof(w->small_buffer);
    return _PyBytesWriter_Prepare(w, w->small_buffer, size);
}

void *
_PyBytesWriter_WriteBytes(_PyBytesWriter *w, void *str, const void *bytes,
                          Py_ssize_t size)
{
    char *out = _PyBytesWriter_Prepare(w, str, size);
    if (out == NULL) {
        return NULL;
    }
    memcpy(out, bytes, (size_t)size);
    return out + size;
}

PyObject *
_PyBytesWriter_Finish(_PyBytesWriter *w, void *str)
{
    const Py_ssize_t size = (char *)str - start_of(w);
    if (w->use_small_buffer) {
        return w->use_bytearray
            ? PyByteArray_FromStringAndSize(w->small_buffer, size)
            : PyBytes_FromStringAndSize(w->small_buffer, size);
    }
    if (size == 0 && !w->use_bytearray) {
        Py_CLEAR(w->buffer);
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    if (resize_object(w, size) < 0) {
        return NULL;
    }
    PyObject *result = w->buffer;
    w->buffer = NULL;
    return result;
}

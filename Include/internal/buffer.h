/* Buffers and memoryviews from inside. */
#ifndef SB_INTERNAL_BUFFER_H
#define SB_INTERNAL_BUFFER_H

#include "Python.h"

/* The address of item `index` of dimension `dim`, `base` being where that
   dimension begins. The view has strides. */
static inline char *
_PyBuffer_Item(const Py_buffer *view, int dim, char *base, Py_ssize_t index)
{
    char *p = base + view->strides[dim] * index;
    if (view->suboffsets != NULL && view->suboffsets[dim] >= 0) {
        p = *(char **)p + view->suboffsets[dim];
    }
    return p;
}

/* memory/items.c: the values of items. */

/* The character of a native single-character format ("B", "@h"…), or 0. NULL is "B". */
char _PyMemory_NativeFormat(const char *format);
/* The size of such an item; 0 for other characters. */
Py_ssize_t _PyMemory_NativeSize(char code);
static inline int
_PyMemory_IsByteCode(char code)
{
    return code == 'b' || code == 'B' || code == 'c';
}
/* Returns a new reference. */
PyObject *_PyMemory_UnpackItem(const char *item, char code);
/* 0, or -1 with an exception. */
int _PyMemory_PackItem(char *item, PyObject *value, char code);
/* Do two views have the same shape and equal items?  1, 0, or -1. */
int _PyMemory_Equal(const Py_buffer *a, const Py_buffer *b);

/* memory/cast.c: changes the format of a contiguous one-dimensional view, and its shape
   unless `shape`, a tuple, is NULL; the new sizes go to `sizes`. 0 or -1. */
int _PyMemory_Cast(Py_buffer *view, Py_ssize_t *sizes, PyObject *format,
                   PyObject *shape);

extern PyTypeObject _PyMemoryIter_Type;

#endif

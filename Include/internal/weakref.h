/* Weak references (Objects/weakref.c): what the collector and deallocators
   need beyond the public API. */
#ifndef SB_INTERNAL_WEAKREF_H
#define SB_INTERNAL_WEAKREF_H

#include "Python.h"

/* Takes the reference out of its object's list and makes it dead, without
   calling the callback (which is dropped too). */
void _PyWeakref_ClearRef(PyWeakReference *ref);

/* Where the first reference in the object's list is stored; the object's type
   must support weak references. */
static inline PyWeakReference **
_PyWeakref_List(PyObject *op)
{
    return (PyWeakReference **)((char *)op + Py_TYPE(op)->tp_weaklistoffset);
}

#endif

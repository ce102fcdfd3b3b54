/* memoryview. */
#ifndef Py_MEMORYOBJECT_H
#define Py_MEMORYOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyMemoryView_Type;

#define PyMemoryView_Check(op) Py_IS_TYPE((op), &PyMemoryView_Type)

PyAPI_FUNC(PyObject *) PyMemoryView_FromObject(PyObject *obj);
/* flags is PyBUF_READ or PyBUF_WRITE. The caller keeps the memory alive. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyMemoryView_FromMemory(char *mem, Py_ssize_t size, int flags);
#endif
/* info's obj is ignored. */
#if _Py_API_SINCE(11)
PyAPI_FUNC(PyObject *) PyMemoryView_FromBuffer(const Py_buffer *view);
#endif
/* A view of the object itself, or of a copy (bytes) if it isn't contiguous. buffertype is
   as above; order is 'C', 'F' or 'A'. */
PyAPI_FUNC(PyObject *) PyMemoryView_GetContiguous(PyObject *obj, int buffertype,
    char order);

#ifndef Py_LIMITED_API
PyAPI_DATA(PyTypeObject) _PyManagedBuffer_Type;

/* The view's buffer, and its object: borrowed, or NULL. */
#define PyMemoryView_GET_BUFFER(op) (&((PyMemoryViewObject *)(op))->view)
#define PyMemoryView_GET_BASE(op)   (((PyMemoryViewObject *)(op))->view.obj)

/* One buffer of an object, shared by all views made from the same view. */
#define _Py_MANAGED_BUFFER_RELEASED    0x001
#define _Py_MANAGED_BUFFER_FREE_FORMAT 0x002

typedef struct {
    PyObject_HEAD
    int flags;
    Py_ssize_t exports;
    Py_buffer master;
} _PyManagedBufferObject;

#define _Py_MEMORYVIEW_RELEASED 0x001
#define _Py_MEMORYVIEW_C        0x002
#define _Py_MEMORYVIEW_FORTRAN  0x004
#define _Py_MEMORYVIEW_SCALAR   0x008   /* no dimensions */
#define _Py_MEMORYVIEW_PIL      0x010   /* has suboffsets */

typedef struct {
    PyObject_VAR_HEAD
    _PyManagedBufferObject *mbuf;
    Py_hash_t hash;
    int flags;
    Py_ssize_t exports;
    Py_buffer view;
    PyObject *weakreflist;
    Py_ssize_t ob_array[1];     /* shape, strides, suboffsets */
} PyMemoryViewObject;
#endif

_Py_END_DECLS
#endif

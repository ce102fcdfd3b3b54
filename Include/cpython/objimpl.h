/* Sizes of instances, the arena allocator, and weak reference support. */
#ifndef Py_CPYTHON_OBJIMPL_H
#define Py_CPYTHON_OBJIMPL_H

_Py_BEGIN_DECLS

/* The size of an instance in bytes. The second is for nitems items, rounded up to a
   pointer's alignment. */
#define _PyObject_SIZE(typeobj) ((typeobj)->tp_basicsize)
#define _PyObject_VAR_SIZE(typeobj, nitems) \
    _Py_SIZE_ROUND_UP((typeobj)->tp_basicsize + (nitems) * (typeobj)->tp_itemsize, \
                      SIZEOF_VOID_P)

PyAPI_FUNC(int) PyObject_IS_GC(PyObject *obj);
#define _PyGC_FINALIZED(o) PyObject_GC_IsFinalized(o)

/* Whether the type supports weak references, and where an instance keeps their list. */
PyAPI_FUNC(int) PyType_SUPPORTS_WEAKREFS(PyTypeObject *type);
PyAPI_FUNC(PyObject **) PyObject_GET_WEAKREFS_LISTPTR(PyObject *op);

/* Kept for source compatibility: the small blocks map their own memory, and never use
   arenas. */
typedef struct {
    void *ctx;
    void *(*alloc)(void *ctx, size_t size);
    void (*free)(void *ctx, void *ptr, size_t size);
} PyObjectArenaAllocator;

PyAPI_FUNC(void) PyObject_GetArenaAllocator(PyObjectArenaAllocator *allocator);
PyAPI_FUNC(void) PyObject_SetArenaAllocator(PyObjectArenaAllocator *allocator);

_Py_END_DECLS
#endif

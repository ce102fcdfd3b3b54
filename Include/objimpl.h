/* Memory for objects: the allocator of small blocks, making instances of a type, and the
   cycle collector. */
#ifndef Py_OBJIMPL_H
#define Py_OBJIMPL_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------ the block allocator */

/* Like malloc() and so on, but they need the GIL. NULL sets no exception. A size of 0
   returns a block of its own. */
PyAPI_FUNC(void *) PyObject_Malloc(size_t n);
#if _Py_API_SINCE(5)
PyAPI_FUNC(void *) PyObject_Calloc(size_t nelem, size_t elsize);
#endif
PyAPI_FUNC(void *) PyObject_Realloc(void *p, size_t n);
PyAPI_FUNC(void) PyObject_Free(void *p);

#define PyObject_MALLOC  PyObject_Malloc
#define PyObject_REALLOC PyObject_Realloc
#define PyObject_FREE    PyObject_Free
#define PyObject_Del     PyObject_Free
#define PyObject_DEL     PyObject_Free

/* --------------------------------------------------------- making instances */

/* Initialise the head of a block: the type and one reference. The argument is returned. */
PyAPI_FUNC(PyObject *) PyObject_Init(PyObject *op, PyTypeObject *type);  /* borrowed */
PyAPI_FUNC(PyVarObject *) PyObject_InitVar(PyVarObject *op, PyTypeObject *type,
    Py_ssize_t size);  /* borrowed */
#define PyObject_INIT(op, typeobj) PyObject_Init(_PyObject_CAST(op), (typeobj))
#define PyObject_INIT_VAR(op, typeobj, size) \
    PyObject_InitVar(_PyVarObject_CAST(op), (typeobj), (size))

/* Allocate and initialise the head; other members are not initialised. Return NULL with
   MemoryError. Freed with PyObject_Free. */
PyAPI_FUNC(PyObject *) _PyObject_New(PyTypeObject *type);
PyAPI_FUNC(PyVarObject *) _PyObject_NewVar(PyTypeObject *type, Py_ssize_t n);
#define PyObject_New(type, typeobj)       ((type *)_PyObject_New(typeobj))
#define PyObject_NewVar(type, typeobj, n) ((type *)_PyObject_NewVar((typeobj), (n)))
#define PyObject_NEW(type, typeobj)       PyObject_New(type, (typeobj))
#define PyObject_NEW_VAR(type, typeobj, n) PyObject_NewVar(type, (typeobj), (n))

/* ------------------------------------------------------ the cycle collector */

#define PyType_IS_GC(t) PyType_HasFeature((t), Py_TPFLAGS_HAVE_GC)

/* The same for types with Py_TPFLAGS_HAVE_GC, freed with PyObject_GC_Del. */
PyAPI_FUNC(PyObject *) _PyObject_GC_New(PyTypeObject *type);
PyAPI_FUNC(PyVarObject *) _PyObject_GC_NewVar(PyTypeObject *type, Py_ssize_t n);
PyAPI_FUNC(PyVarObject *) _PyObject_GC_Resize(PyVarObject *op, Py_ssize_t n);
PyAPI_FUNC(void) PyObject_GC_Del(void *op);
#define PyObject_GC_New(type, typeobj)       ((type *)_PyObject_GC_New(typeobj))
#define PyObject_GC_NewVar(type, typeobj, n) ((type *)_PyObject_GC_NewVar((typeobj), (n)))
/* For objects that are not tracked. Returns NULL with MemoryError, and op stays as it
   was. */
#define PyObject_GC_Resize(type, op, n) \
    ((type *)_PyObject_GC_Resize(_PyVarObject_CAST(op), (n)))

/* Track when all members are set. Untrack first thing in tp_dealloc; doing it again is
   harmless. */
PyAPI_FUNC(void) PyObject_GC_Track(void *op);
PyAPI_FUNC(void) PyObject_GC_UnTrack(void *op);
PyAPI_FUNC(int) PyObject_GC_IsTracked(PyObject *op);
PyAPI_FUNC(int) PyObject_GC_IsFinalized(PyObject *op);

/* For the body of a tp_traverse, whose arguments must be named visit and arg. */
#define Py_VISIT(op) \
    do { \
        if (op) { \
            int _py_stop = visit(_PyObject_CAST(op), arg); \
            if (_py_stop) { \
                return _py_stop; \
            } \
        } \
    } while (0)

/* Returns the number of unreachable objects found, or 0 when a collection is already
   running. */
PyAPI_FUNC(Py_ssize_t) PyGC_Collect(void);
/* Whether automatic collection was enabled before the call (IsEnabled: is now). */
PyAPI_FUNC(int) PyGC_Enable(void);
PyAPI_FUNC(int) PyGC_Disable(void);
PyAPI_FUNC(int) PyGC_IsEnabled(void);

#ifndef Py_LIMITED_API
#  include "cpython/objimpl.h"
#endif

_Py_END_DECLS
#endif

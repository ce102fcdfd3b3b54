/* Tells the tracemalloc module about memory that Python's allocators don't manage. */
#if !defined(Py_TRACEMALLOC_H) && !defined(Py_LIMITED_API)
#define Py_TRACEMALLOC_H

_Py_BEGIN_DECLS

/* Return 0, -1: no memory, or -2: tracemalloc is off. Track does not need the GIL. */
PyAPI_FUNC(int) PyTraceMalloc_Track(unsigned int domain, uintptr_t ptr, size_t size);
PyAPI_FUNC(int) PyTraceMalloc_Untrack(unsigned int domain, uintptr_t ptr);
/* The traceback of the block's allocation, or None. */
PyAPI_FUNC(PyObject *) _PyTraceMalloc_GetTraceback(unsigned int domain, uintptr_t ptr);

_Py_END_DECLS
#endif

/* Memory that Python's allocators don't know, for the tracemalloc module. */
#if !defined(Py_TRACEMALLOC_H) && !defined(Py_LIMITED_API)
#define Py_TRACEMALLOC_H

_Py_BEGIN_DECLS

/* 0; -1: no memory; -2: tracemalloc is off. The first needs no GIL. */
PyAPI_FUNC(int) PyTraceMalloc_Track(unsigned int domain, uintptr_t ptr, size_t size);
PyAPI_FUNC(int) PyTraceMalloc_Untrack(unsigned int domain, uintptr_t ptr);
/* Where the block was allocated, or None. */
PyAPI_FUNC(PyObject *) _PyTraceMalloc_GetTraceback(unsigned int domain, uintptr_t ptr);

_Py_END_DECLS
#endif

/* Memory for anything but objects. */
#ifndef Py_PYMEM_H
#define Py_PYMEM_H

_Py_BEGIN_DECLS

/* Like malloc() and so on, but they need the GIL. NULL sets no exception
   (PyErr_NoMemory() does). A size of 0 returns a block of its own. */
PyAPI_FUNC(void *) PyMem_Malloc(size_t n);
PyAPI_FUNC(void *) PyMem_Calloc(size_t nelem, size_t elsize);
PyAPI_FUNC(void *) PyMem_Realloc(void *p, size_t n);
PyAPI_FUNC(void) PyMem_Free(void *p);

/* n items of a type. NULL if the size would overflow. Resize assigns its result to p, so
   keep a copy of the old pointer to free it on failure. */
#define PyMem_New(type, n) \
    ((size_t)(n) > PY_SSIZE_T_MAX / sizeof(type) \
     ? NULL : (type *)PyMem_Malloc((n) * sizeof(type)))
#define PyMem_Resize(p, type, n) \
    ((p) = (size_t)(n) > PY_SSIZE_T_MAX / sizeof(type) \
     ? NULL : (type *)PyMem_Realloc((p), (n) * sizeof(type)))

/* Older spellings. */
#define PyMem_MALLOC(n)          PyMem_Malloc(n)
#define PyMem_REALLOC(p, n)      PyMem_Realloc((p), (n))
#define PyMem_FREE(p)            PyMem_Free(p)
#define PyMem_Del                PyMem_Free
#define PyMem_DEL                PyMem_Free
#define PyMem_NEW(type, n)       PyMem_New(type, (n))
#define PyMem_RESIZE(p, type, n) PyMem_Resize(p, type, (n))

#ifndef Py_LIMITED_API
#  include "cpython/pymem.h"
#endif

_Py_END_DECLS
#endif

/* The allocators themselves, which a program may replace. */
#ifndef Py_CPYTHON_PYMEM_H
#define Py_CPYTHON_PYMEM_H

_Py_BEGIN_DECLS

/* These don't need the GIL. */
PyAPI_FUNC(void *) PyMem_RawMalloc(size_t n);
PyAPI_FUNC(void *) PyMem_RawCalloc(size_t nelem, size_t elsize);
PyAPI_FUNC(void *) PyMem_RawRealloc(void *p, size_t n);
PyAPI_FUNC(void) PyMem_RawFree(void *p);
/* Return copies, or NULL without an exception. */
PyAPI_FUNC(char *) _PyMem_RawStrdup(const char *text);
PyAPI_FUNC(char *) _PyMem_Strdup(const char *text);
PyAPI_FUNC(wchar_t *) _PyMem_RawWcsdup(const wchar_t *text);

typedef enum {
    PYMEM_DOMAIN_RAW,       /* PyMem_Raw… */
    PYMEM_DOMAIN_MEM,       /* PyMem_… */
    PYMEM_DOMAIN_OBJ        /* PyObject_… */
} PyMemAllocatorDomain;

/* The allocators for PYTHONMALLOC and PyPreConfig.allocator. */
typedef enum {
    PYMEM_ALLOCATOR_NOT_SET = 0,
    PYMEM_ALLOCATOR_DEFAULT = 1,
    PYMEM_ALLOCATOR_DEBUG = 2,
    PYMEM_ALLOCATOR_MALLOC = 3,
    PYMEM_ALLOCATOR_MALLOC_DEBUG = 4,
    PYMEM_ALLOCATOR_PYMALLOC = 5,
    PYMEM_ALLOCATOR_PYMALLOC_DEBUG = 6
} PyMemAllocatorName;

typedef struct {
    void *ctx;      /* the first argument of each */
    void *(*malloc)(void *ctx, size_t size);
    void *(*calloc)(void *ctx, size_t nelem, size_t elsize);
    void *(*realloc)(void *ctx, void *ptr, size_t new_size);
    void (*free)(void *ctx, void *ptr);
} PyMemAllocatorEx;

/* The new allocator must also be able to free what was allocated before. */
PyAPI_FUNC(void) PyMem_GetAllocator(PyMemAllocatorDomain domain,
    PyMemAllocatorEx *allocator);
PyAPI_FUNC(void) PyMem_SetAllocator(PyMemAllocatorDomain domain,
    PyMemAllocatorEx *allocator);
/* Wraps the allocators in checks for overruns, reuse after free, and wrong domains. */
PyAPI_FUNC(void) PyMem_SetupDebugHooks(void);
PyAPI_FUNC(const char *) _PyMem_GetCurrentAllocatorName(void);

_Py_END_DECLS
#endif

/* The three memory domains: raw, mem and object.

   The raw domain is the C library's malloc, or whatever replaces it by preloading. The
   other two are used under the GIL: their small blocks come from small_blocks.c, larger
   ones from malloc (all of them, when built with SB_MALLOC_SYSTEM). Each domain has a
   table of four functions that PyMem_SetAllocator may replace. `hooked` is 0 as long as
   every domain still has the built-in table: then a public function calls the allocator
   directly, and the table costs one predictable branch.

   Contract: a request for zero bytes returns a distinct non-NULL pointer; one for more
   than PY_SSIZE_T_MAX returns NULL. */
#include "Python.h"
#include "internal/memory.h"
#include "internal/pystate.h"
#include "small_blocks.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

#define base_malloc(n) malloc((n) ? (n) : 1)
#define base_free(p) free(p)

static inline void *
base_calloc(size_t n, size_t size)
{
    return n == 0 || size == 0 ? calloc(1, 1) : calloc(n, size);
}

static inline void *
base_realloc(void *p, size_t n)
{
    return realloc(p, n ? n : 1);
}

#ifdef SB_MALLOC_SYSTEM
#  define gil_malloc(n) base_malloc(n)
#  define gil_calloc(n, size) base_calloc((n), (size))
#  define gil_realloc(p, n) base_realloc((p), (n))
#  define gil_free(p) base_free(p)
#else
/* Blocks of the mem and object domains that come from malloc. */
static Py_ssize_t large_blocks;

/* Adjacent blocks of glibc's malloc whose sizes are a multiple of 4096 have offsets in
   their pages that differ by 16 bytes. Between such addresses, AMD's processors copy (rep
   movsb) at 2 GB/s instead of 50. This happens, for example, when a set's table is copied
   to a new one. */
static inline size_t
out_of_step(size_t n)
{
    size_t step = _Py_SIZE_ROUND_UP(n + sizeof(size_t), 16) % 4096;
    return n < 4096 || step != 16 ? n : n + 16;
}

/* What a processor has as one page, and from which size on a block holds one for certain. The kernel
   takes a tenth of the time for it that it takes for pages of 4 KB. */
#define HUGE_PAGE ((uintptr_t)2 << 20)
#define HUGE_BLOCK (2 * HUGE_PAGE)

/* Advice only: it affects speed. Not for a block that grows: when it is moved, huge pages are split,
   which costs more than they save. */
static inline void
advise_huge(void *block, size_t n)
{
    if (n >= HUGE_BLOCK && block != NULL) {
        uintptr_t start = _Py_SIZE_ROUND_UP((uintptr_t)block, HUGE_PAGE);
        uintptr_t end = _Py_SIZE_ROUND_DOWN((uintptr_t)block + n, HUGE_PAGE);
        _PyMem_Advise((void *)start, end - start, MADV_HUGEPAGE);
    }
}

/* The part that callers inline covers the sizes of most objects. */
static _Py_RARE_CALL void *
malloc_larger(size_t n)
{
    void *block = n == 0 ? _PySmall_Alloc(1)
                  : n - 1 - _PySmall_FINE_LIMIT < _PySmall_LIMIT - _PySmall_FINE_LIMIT
                  ? _PySmall_AllocPart(n) : NULL;
    if (block == NULL) {
        block = base_malloc(out_of_step(n));
        advise_huge(block, n);
        large_blocks += block != NULL;
    }
    return block;
}

static inline void *
gil_malloc(size_t n)
{
    void *block = n - 1 < _PySmall_FINE_LIMIT ? _PySmall_Alloc(n) : NULL;
    return block != NULL ? block : malloc_larger(n);
}

static inline void *
gil_calloc(size_t n, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(n, size, &total)) {
        return NULL;
    }
    if (total <= _PySmall_LIMIT) {
        void *block = gil_malloc(total);
        return block != NULL ? memset(block, 0, total) : NULL;
    }
    void *block = base_calloc(out_of_step(total), 1);
    advise_huge(block, total);
    large_blocks += block != NULL;
    return block;
}

/* A block that grows beyond GROWS_MAPPED is mapped by itself: then growing moves pages and
   leaves no holes in the heap as large as the block was. When such blocks come and go, the
   heap's memory is better, whose pages stay: so this ends when the first is freed. glibc maps
   a block of such a size if it is first larger than its limit (_PyMem_Init()), then cut. */
#define GROWS_MAPPED ((size_t)256 << 10)
#define SURELY_MAPPED (((size_t)2 << 20) + 4096)

static int large_come_and_go;

static _Py_RARE_CALL void *
realloc_large(void *p, size_t n)
{
    size_t old = malloc_usable_size(p);
    if (old >= GROWS_MAPPED || n >= SURELY_MAPPED || large_come_and_go) {
        return base_realloc(p, out_of_step(n));
    }
    void *moved = base_malloc(SURELY_MAPPED);
    if (moved == NULL) {
        return base_realloc(p, out_of_step(n));
    }
    memcpy(moved, p, old);
    base_free(p);
    void *cut = base_realloc(moved, n);
    return cut != NULL ? cut : moved;
}

static _Py_RARE_CALL void
free_larger(void *p)
{
    if (p != NULL) {
        large_blocks--;
        large_come_and_go |= malloc_usable_size(p) >= GROWS_MAPPED;
        base_free(p);
    }
}

static inline void
gil_free(void *p)
{
    if (_PySmall_Owns(p)) {
        _PySmall_Free(p);
    }
    else {
        free_larger(p);
    }
}

/* A block of malloc's that shrinks to a small one moves: a buffer is often made larger than what is
   read into it. Its rest would be joined with its neighbours, which takes longer, and what remains
   keeps them from being joined later. */
static _Py_RARE_CALL void *
shrink_to_small(void *p, size_t n)
{
    void *moved = gil_malloc(n);
    if (moved == NULL) {
        return base_realloc(p, n);
    }
    memcpy(moved, p, Py_MIN(n, malloc_usable_size(p)));
    free_larger(p);
    return moved;
}

/* A small block that shrinks by a quarter at most stays where it is. */
static inline void *
gil_realloc(void *p, size_t n)
{
    if (p == NULL) {
        return gil_malloc(n);
    }
    if (!_PySmall_Owns(p)) {
        return n <= _PySmall_LIMIT ? shrink_to_small(p, n)
               : n >= GROWS_MAPPED ? realloc_large(p, n) : base_realloc(p, out_of_step(n));
    }
    size_t size = _PySmall_SizeOf(p);
    if (n <= size && n > size - size / 4) {
        return p;
    }
    void *moved = gil_malloc(n);
    if (moved != NULL) {
        memcpy(moved, p, Py_MIN(n, size));
        _PySmall_Free(p);
    }
    return moved;
}
#endif

void
_PyMem_Advise(void *start, size_t size, int advice)
{
    int before = errno;
    (void)madvise(start, size, advice);
    errno = before;
}

void
_PyMem_MakeHeapReady(size_t size)
{
    size_t page = 4096;
    char *heap = malloc(size);
    if (heap != NULL) {
        char *start = (char *)_Py_ALIGN_UP(heap, page);
        _PyMem_Advise(start, (size_t)(heap + size - start) & ~(page - 1), MADV_POPULATE_WRITE);
    }
    free(heap);
}

void
_PyMem_Init(void)
{
    /* By default glibc maps blocks from 128 KB on, and returns the end of its heap to the
       system whenever 128 KB of it are free. Freeing a mapped block raises the two limits
       to its size and twice its size. Without this, buffers that are repeatedly allocated
       and freed at the end of the heap cause page faults every time. */
    void *volatile block = malloc((size_t)2 << 20);
    free(block);
    /* A start takes so much. */
    _PyMem_MakeHeapReady((size_t)192 << 10);
}

/* ------------------------------------------------------- built-in functions */

#define FUNCTIONS(name, allocator)                                      \
    static void *                                                       \
    name##_malloc(void *Py_UNUSED(ctx), size_t n)                       \
    {                                                                   \
        return allocator##_malloc(n);                                   \
    }                                                                   \
                                                                        \
    static void *                                                       \
    name##_calloc(void *Py_UNUSED(ctx), size_t n, size_t size)          \
    {                                                                   \
        return allocator##_calloc(n, size);                             \
    }                                                                   \
                                                                        \
    static void *                                                       \
    name##_realloc(void *Py_UNUSED(ctx), void *p, size_t n)             \
    {                                                                   \
        return allocator##_realloc(p, n);                               \
    }                                                                   \
                                                                        \
    static void                                                         \
    name##_free(void *Py_UNUSED(ctx), void *p)                          \
    {                                                                   \
        allocator##_free(p);                                            \
    }

FUNCTIONS(raw, base)
FUNCTIONS(small, gil)

#define TABLE(name) {NULL, name##_malloc, name##_calloc, name##_realloc, name##_free}
#define BUILTIN_TABLES {TABLE(raw), TABLE(small), TABLE(small)}

static const PyMemAllocatorEx builtin_tables[3] = BUILTIN_TABLES;
/* PYTHONMALLOC=malloc. */
static const PyMemAllocatorEx libc_tables[3] = {TABLE(raw), TABLE(raw), TABLE(raw)};

static PyMemAllocatorEx domains[3] = BUILTIN_TABLES;

/* Non-zero when any domain does not have its built-in table. */
static int hooked;

static int
same_table(const PyMemAllocatorEx *a, const PyMemAllocatorEx *b)
{
    return a->ctx == b->ctx && a->malloc == b->malloc
        && a->calloc == b->calloc && a->realloc == b->realloc
        && a->free == b->free;
}

static void
install(PyMemAllocatorDomain domain, const PyMemAllocatorEx *table)
{
    domains[domain] = *table;
    hooked = 0;
    for (int i = 0; i < 3; i++) {
        hooked |= !same_table(&domains[i], &builtin_tables[i]);
    }
}

/* ------------------------------------------------------------- the debug layer

   A block of n bytes becomes
       size (8) | domain letter (1) | 7 pad bytes | n bytes | 8 pad | serial (8)
   New bytes are filled with 0xCD, freed ones with 0xDD, pads with 0xFD. */

enum { CLEAN_BYTE = 0xCD, DEAD_BYTE = 0xDD, PAD_BYTE = 0xFD };
enum { HEAD = 16, TAIL = 16, PAD = 8 };

typedef struct {
    char letter;
    PyMemAllocatorEx below;
} debug_layer;

static debug_layer debug_layers[3] = {
    {'r', TABLE(raw)}, {'m', TABLE(small)}, {'o', TABLE(small)},
};
static size_t debug_serial;

static void *debug_malloc(void *, size_t);
static void *debug_calloc(void *, size_t, size_t);
static void *debug_realloc(void *, void *, size_t);
static void debug_free(void *, void *);

static size_t
block_size(const unsigned char *p)
{
    size_t n;
    memcpy(&n, p - HEAD, sizeof(n));
    return n;
}

static void
set_block_size(unsigned char *p, size_t n)
{
    memcpy(p - HEAD, &n, sizeof(n));
}

static _Py_NO_RETURN void
debug_report(const unsigned char *p, const char *what)
{
    fprintf(stderr, "Debug memory block at address p=%p: API '%c'\n",
            (const void *)p, p[-PAD]);
    size_t n = block_size(p);
    size_t serial;
    fprintf(stderr, "    %zu bytes originally requested\n", n);
    const unsigned char *pads = p - PAD + 1;
    int good = 1;
    for (int i = 0; i < PAD - 1; i++) {
        good &= pads[i] == PAD_BYTE;
    }
    fprintf(stderr, "    The %d pad bytes at p-%d are %s\n", PAD - 1, PAD - 1,
            good ? "FORBIDDENBYTE, as expected." : "not all FORBIDDENBYTE");
    memcpy(&serial, p + n + PAD, sizeof(serial));
    fprintf(stderr, "    The block was made by call #%zu to debug malloc/realloc.\n",
            serial);
    Py_FatalError(what);
}

static void
debug_check(debug_layer *layer, const unsigned char *p)
{
    if (p[-PAD] != (unsigned char)layer->letter) {
        char text[120];
        snprintf(text, sizeof(text),
                 "bad ID: Allocated using API '%c', verified using API '%c'",
                 p[-PAD], layer->letter);
        debug_report(p, text);
    }
    for (int i = 1; i < PAD; i++) {
        if (p[-i] != PAD_BYTE) {
            debug_report(p, "bad leading pad byte");
        }
    }
    size_t n = block_size(p);
    for (int i = 0; i < PAD; i++) {
        if (p[n + i] != PAD_BYTE) {
            debug_report(p, "bad trailing pad byte");
        }
    }
}

static void *
debug_dress(debug_layer *layer, unsigned char *raw, size_t n)
{
    unsigned char *p = raw + HEAD;
    size_t serial = __atomic_add_fetch(&debug_serial, 1, __ATOMIC_RELAXED);
    set_block_size(p, n);
    p[-PAD] = (unsigned char)layer->letter;
    memset(p - PAD + 1, PAD_BYTE, PAD - 1);
    memset(p + n, PAD_BYTE, PAD);
    memcpy(p + n + PAD, &serial, sizeof(serial));
    return p;
}

static void
debug_need_gil(debug_layer *layer)
{
    if (layer->letter != 'r' && _PyRuntime.initialized
        && _PyThreadState_GET() == NULL) {
        Py_FatalError("Python memory allocator called without holding the GIL");
    }
}

static void *
debug_obtain(debug_layer *layer, size_t n, int zero)
{
    if (n > (size_t)PY_SSIZE_T_MAX - HEAD - TAIL) {
        return NULL;
    }
    size_t total = n + HEAD + TAIL;
    unsigned char *raw = zero
        ? layer->below.calloc(layer->below.ctx, 1, total)
        : layer->below.malloc(layer->below.ctx, total);
    if (raw == NULL) {
        return NULL;
    }
    if (!zero) {
        memset(raw + HEAD, CLEAN_BYTE, n);
    }
    return debug_dress(layer, raw, n);
}

static void *
debug_malloc(void *ctx, size_t n)
{
    debug_need_gil(ctx);
    return debug_obtain(ctx, n, 0);
}

static void *
debug_calloc(void *ctx, size_t n, size_t size)
{
    debug_need_gil(ctx);
    if (size != 0 && n > (size_t)PY_SSIZE_T_MAX / size) {
        return NULL;
    }
    return debug_obtain(ctx, n * size, 1);
}

static void *
debug_realloc(void *ctx, void *ptr, size_t n)
{
    debug_layer *layer = ctx;
    debug_need_gil(layer);
    if (ptr == NULL) {
        return debug_obtain(layer, n, 0);
    }
    unsigned char *p = ptr;
    debug_check(layer, p);
    size_t old = block_size(p);
    /* The block always moves, so that uses of stale pointers show. */
    unsigned char *q = debug_obtain(layer, n, 0);
    if (q == NULL) {
        return NULL;
    }
    memcpy(q, p, old < n ? old : n);
    memset(p - HEAD, DEAD_BYTE, old + HEAD + TAIL);
    layer->below.free(layer->below.ctx, p - HEAD);
    return q;
}

static void
debug_free(void *ctx, void *ptr)
{
    debug_layer *layer = ctx;
    if (ptr == NULL) {
        return;
    }
    debug_need_gil(layer);
    unsigned char *p = ptr;
    debug_check(layer, p);
    memset(p - HEAD, DEAD_BYTE, block_size(p) + HEAD + TAIL);
    layer->below.free(layer->below.ctx, p - HEAD);
}

static void
add_debug_layer(PyMemAllocatorDomain domain)
{
    if (domains[domain].malloc == debug_malloc) {
        return;
    }
    debug_layers[domain].below = domains[domain];
    PyMemAllocatorEx table = {
        &debug_layers[domain],
        debug_malloc, debug_calloc, debug_realloc, debug_free,
    };
    install(domain, &table);
}

void
PyMem_SetupDebugHooks(void)
{
    for (int i = 0; i < 3; i++) {
        add_debug_layer((PyMemAllocatorDomain)i);
    }
}

int
_PyMem_IsPtrFreed(const void *ptr)
{
    uintptr_t value = (uintptr_t)ptr;
    return value == 0
        || value == (uintptr_t)0xCDCDCDCDCDCDCDCDull
        || value == (uintptr_t)0xDDDDDDDDDDDDDDDDull
        || value == (uintptr_t)0xFDFDFDFDFDFDFDFDull;
}

int
_PyObject_IsFreed(PyObject *op)
{
    return _PyMem_IsPtrFreed(op) || _PyMem_IsPtrFreed(Py_TYPE(op));
}

/* -------------------------------------------------- choosing the allocators */

int
_PyMem_GetAllocatorName(const char *name, PyMemAllocatorName *result)
{
    static const struct {
        const char *name;
        PyMemAllocatorName id;
    } known[] = {
        {"default", PYMEM_ALLOCATOR_DEFAULT},
        {"debug", PYMEM_ALLOCATOR_DEBUG},
        {"malloc", PYMEM_ALLOCATOR_MALLOC},
        {"malloc_debug", PYMEM_ALLOCATOR_MALLOC_DEBUG},
        {"pymalloc", PYMEM_ALLOCATOR_PYMALLOC},
        {"pymalloc_debug", PYMEM_ALLOCATOR_PYMALLOC_DEBUG},
    };
    if (name == NULL || *name == '\0') {
        *result = PYMEM_ALLOCATOR_DEFAULT;
        return 0;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        if (strcmp(name, known[i].name) == 0) {
            *result = known[i].id;
            return 0;
        }
    }
    return -1;
}

int
_PyMem_SetupAllocators(PyMemAllocatorName name)
{
    const PyMemAllocatorEx *tables = builtin_tables;
    int debug = 0;
    switch (name) {
    case PYMEM_ALLOCATOR_NOT_SET:
        return 0;
    case PYMEM_ALLOCATOR_DEFAULT:
    case PYMEM_ALLOCATOR_PYMALLOC:
        break;
    case PYMEM_ALLOCATOR_DEBUG:
    case PYMEM_ALLOCATOR_PYMALLOC_DEBUG:
        debug = 1;
        break;
    case PYMEM_ALLOCATOR_MALLOC_DEBUG:
        debug = 1;
        tables = libc_tables;
        break;
    case PYMEM_ALLOCATOR_MALLOC:
        tables = libc_tables;
        break;
    default:
        return -1;
    }
    for (int i = 0; i < 3; i++) {
        install((PyMemAllocatorDomain)i, &tables[i]);
    }
    if (debug) {
        PyMem_SetupDebugHooks();
    }
    return 0;
}

static int
domains_are(const PyMemAllocatorEx tables[3])
{
    for (int i = 0; i < 3; i++) {
        if (!same_table(&domains[i], &tables[i])) {
            return 0;
        }
    }
    return 1;
}

const char *
_PyMem_GetCurrentAllocatorName(void)
{
    if (domains_are(builtin_tables)) {
#ifdef SB_MALLOC_SYSTEM
        return "malloc";
#else
        return "pymalloc";
#endif
    }
    if (domains_are(libc_tables)) {
        return "malloc";
    }
    for (int i = 0; i < 3; i++) {
        if (domains[i].malloc != debug_malloc) {
            return NULL;
        }
    }
    if (same_table(&debug_layers[1].below, &builtin_tables[1])) {
#ifdef SB_MALLOC_SYSTEM
        return "malloc_debug";
#else
        return "pymalloc_debug";
#endif
    }
    if (same_table(&debug_layers[1].below, &libc_tables[1])) {
        return "malloc_debug";
    }
    return NULL;
}

void
PyMem_GetAllocator(PyMemAllocatorDomain domain, PyMemAllocatorEx *allocator)
{
    if ((unsigned)domain < 3) {
        *allocator = domains[domain];
    }
    else {
        memset(allocator, 0, sizeof(*allocator));
    }
}

void
PyMem_SetAllocator(PyMemAllocatorDomain domain, PyMemAllocatorEx *allocator)
{
    if ((unsigned)domain < 3) {
        install(domain, allocator);
    }
}

/* --------------------------------------------------------- public functions */

#define TOO_BIG(n) __builtin_expect((n) > (size_t)PY_SSIZE_T_MAX, 0)
#define PRODUCT_TOO_BIG(n, size) \
    ((size) != 0 && (n) > (size_t)PY_SSIZE_T_MAX / (size))
#define HOOKED __builtin_expect(hooked, 0)

static _Py_RARE_CALL void *
hooked_malloc(PyMemAllocatorEx *table, size_t size)
{
    return table->malloc(table->ctx, size);
}

static _Py_RARE_CALL void
hooked_free(PyMemAllocatorEx *table, void *ptr)
{
    table->free(table->ctx, ptr);
}

#define DEFINE_DOMAIN(prefix, domain, allocator)                        \
    void *                                                              \
    prefix ## Malloc(size_t size)                                       \
    {                                                                   \
        if (TOO_BIG(size)) {                                            \
            return NULL;                                                \
        }                                                               \
        if (HOOKED) {                                                   \
            return hooked_malloc(&domains[domain], size);               \
        }                                                               \
        return allocator##_malloc(size);                                \
    }                                                                   \
                                                                        \
    void *                                                              \
    prefix ## Calloc(size_t nelem, size_t elsize)                       \
    {                                                                   \
        if (PRODUCT_TOO_BIG(nelem, elsize)) {                           \
            return NULL;                                                \
        }                                                               \
        if (HOOKED) {                                                   \
            return domains[domain].calloc(domains[domain].ctx,          \
                                          nelem, elsize);               \
        }                                                               \
        return allocator##_calloc(nelem, elsize);                       \
    }                                                                   \
                                                                        \
    void *                                                              \
    prefix ## Realloc(void *ptr, size_t new_size)                       \
    {                                                                   \
        if (TOO_BIG(new_size)) {                                        \
            return NULL;                                                \
        }                                                               \
        if (HOOKED) {                                                   \
            return domains[domain].realloc(domains[domain].ctx,         \
                                           ptr, new_size);              \
        }                                                               \
        return allocator##_realloc(ptr, new_size);                      \
    }                                                                   \
                                                                        \
    void                                                                \
    prefix ## Free(void *ptr)                                           \
    {                                                                   \
        if (HOOKED) {                                                   \
            hooked_free(&domains[domain], ptr);                         \
            return;                                                     \
        }                                                               \
        allocator##_free(ptr);                                          \
    }

DEFINE_DOMAIN(PyMem_Raw, PYMEM_DOMAIN_RAW, base)
DEFINE_DOMAIN(PyMem_, PYMEM_DOMAIN_MEM, gil)
DEFINE_DOMAIN(PyObject_, PYMEM_DOMAIN_OBJ, gil)

char *
_PyMem_RawStrdup(const char *str)
{
    size_t size = strlen(str) + 1;
    char *copy = PyMem_RawMalloc(size);
    return copy == NULL ? NULL : memcpy(copy, str, size);
}

char *
_PyMem_Strdup(const char *str)
{
    size_t size = strlen(str) + 1;
    char *copy = PyMem_Malloc(size);
    return copy == NULL ? NULL : memcpy(copy, str, size);
}

wchar_t *
_PyMem_RawWcsdup(const wchar_t *str)
{
    size_t length = wcslen(str) + 1;
    if (length > (size_t)PY_SSIZE_T_MAX / sizeof(wchar_t)) {
        return NULL;
    }
    wchar_t *copy = PyMem_RawMalloc(length * sizeof(wchar_t));
    return copy == NULL ? NULL : wmemcpy(copy, str, length);
}

/* --------------------------------------------------------------- statistics */

Py_ssize_t
_Py_GetAllocatedBlocks(void)
{
#ifdef SB_MALLOC_SYSTEM
    return 0;
#else
    return _PySmall_CountUsed() + large_blocks;
#endif
}

int
_PyObject_DebugMallocStats(FILE *out)
{
    struct mallinfo2 info = mallinfo2();
#ifndef SB_MALLOC_SYSTEM
    _PySmall_PrintStats(out);
    fprintf(out, "Larger blocks in use: %zd\n", large_blocks);
#endif
    fprintf(out, "Bytes that malloc has in use: %zu, and mapped for single blocks: %zu\n",
            info.uordblks, info.hblkhd);
    return 1;
}

void
_PyMem_ProcessEnds(void)
{
    _PySmall_KeepIdlePages();
}

/* Small blocks, from which most objects are made.

   Address space is mapped in spans of 2 MB, aligned to their size. A span is divided into
   pages of 16 KB. The first span, which every start fills, and those of a program that has several
   are requested as huge pages of the processor: one page fault instead of 512, a tenth of the time
   in the kernel, and fewer TLB misses when the program walks through its objects.

   A page has blocks of one size class and begins with its head, so that the head can be found from
   a block's address. A table of span numbers tells our addresses from all others. Up to 512 bytes
   there is a class for every multiple of 16; above, a page is divided into 30, 29, 28... down to 4
   equal parts.

   A page is in one of three states: unused (its span knows it), with room (in its class's
   ring, whose first page serves allocations), or full (in no list). An empty page goes
   back to its span unless it serves allocations: a program whose pages are full would take one for
   each block that it allocates and soon frees. An empty span goes back to the system, except for
   one. Unused pages of other spans keep their memory until there are many compared with the pages
   in use: then all their memory is returned to the system, and malloc is asked to return what it
   keeps.

   Memory for pages is asked for ahead, four at a time: a page fault costs 0.3 microseconds, in some
   virtual machines 20, and a start of the interpreter had 500 of them.

   Everything here runs under the GIL, so nothing is atomic, and after fork() the data is
   consistent in the child. */
#include "Python.h"
#include "internal/memory.h"
#include "small_blocks.h"

#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>

#define SPAN_SIZE ((uintptr_t)1 << _PySmall_SPAN_BITS)
#define PAGES_OF_SPAN ((unsigned)(SPAN_SIZE / _PySmall_PAGE_SIZE))
/* Every start fills so many spans. The next ones only take up memory where they are touched. */
#define SPANS_OF_START 1
#define SPANS_OF_SMALL_PROGRAMS 4
_Static_assert(sizeof(_PySmallPage) <= _PySmall_FIRST, "a page's head lies before its blocks");
/* How many untouched blocks are made ready at a time, and of how many bytes. */
#define BATCH 16
#define BYTES_OF_BATCH 4096
/* So many pages get memory at a time. */
#define PAGES_AHEAD 4u
/* Pages that may be idle, in addition to half the number of pages in use: 4 MB. */
#define IDLE_AT_LEAST 256

enum page_state { GONE, IDLE, USED };   /* without memory; with it, but no blocks */

typedef struct _PySmallSpan {
    char *start;
    unsigned n_unused;              /* pages that are gone or idle */
    int is_huge;                    /* asked for as one page of the processor, not yet touched */
    unsigned char states[PAGES_OF_SPAN];
    struct _PySmallSpan *next, *previous;       /* of the spans with unused pages */
} Span;

/* Stands in for a class's pages while none has room. */
static _PySmallPage nothing;

_PySmallPage *_PySmall_current[_PySmall_CLASSES] = {
    [0 ... _PySmall_CLASSES - 1] = &nothing
};

uint32_t _PySmall_spans[_PySmall_SPANS_KNOWN];

static Span *spans_with_room;
static unsigned n_spans, n_empty_spans;
static Py_ssize_t blocks_of_full_pages, pages_in_use, idle_pages;

/* -------------------------------------------------------------------- spans */

/* Maps an aligned span. The system usually aligns it by itself. */
static char *
map_aligned(void)
{
    char *area = _PyMem_Map(SPAN_SIZE);
    if (area == NULL || (uintptr_t)area % SPAN_SIZE == 0) {
        return area;
    }
    munmap(area, SPAN_SIZE);
    area = _PyMem_Map(2 * SPAN_SIZE);
    if (area == NULL) {
        return NULL;
    }
    char *start = (char *)_Py_ALIGN_UP(area, SPAN_SIZE);
    if (start != area) {
        munmap(area, (size_t)(start - area));
    }
    munmap(start + SPAN_SIZE, (size_t)(area + SPAN_SIZE - start));
    return start;
}

/* An address whose place in the table is taken by another span can't be used. */
static char *
map_span(void)
{
    for (int attempt = 0; attempt < 4; attempt++) {
        char *start = map_aligned();
        if (start == NULL) {
            return NULL;
        }
        uintptr_t number = (uintptr_t)start >> _PySmall_SPAN_BITS;
        uint32_t *known = &_PySmall_spans[number % _PySmall_SPANS_KNOWN];
        if (*known == 0 && number < UINT32_MAX) {
            *known = (uint32_t)number + 1;
            return start;
        }
        munmap(start, SPAN_SIZE);
    }
    return NULL;
}

static void
link_span(Span *span)
{
    span->previous = NULL;
    span->next = spans_with_room;
    if (span->next != NULL) {
        span->next->previous = span;
    }
    spans_with_room = span;
}

static void
unlink_span(Span *span)
{
    if (span->previous != NULL) {
        span->previous->next = span->next;
    }
    else {
        spans_with_room = span->next;
    }
    if (span->next != NULL) {
        span->next->previous = span->previous;
    }
}

static Span *
new_span(void)
{
    Span *span = PyMem_RawMalloc(sizeof(Span));
    if (span == NULL) {
        return NULL;
    }
    span->start = map_span();
    if (span->start == NULL) {
        PyMem_RawFree(span);
        return NULL;
    }
    span->n_unused = PAGES_OF_SPAN;
    /* Advice only: it affects speed, and the memory of a small program where the system has huge
       pages for whoever does not ask. */
    int is_huge = n_spans < SPANS_OF_START || n_spans >= SPANS_OF_SMALL_PROGRAMS;
    span->is_huge = madvise(span->start, SPAN_SIZE, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == 0
                    && is_huge;
    memset(span->states, GONE, sizeof(span->states));
    link_span(span);
    n_spans++;
    n_empty_spans++;
    return span;
}

static void
free_span(Span *span)
{
    uintptr_t number = (uintptr_t)span->start >> _PySmall_SPAN_BITS;
    _PySmall_spans[number % _PySmall_SPANS_KNOWN] = 0;
    munmap(span->start, SPAN_SIZE);
    for (unsigned i = 0; i < PAGES_OF_SPAN; i++) {
        idle_pages -= span->states[i] == IDLE;
    }
    unlink_span(span);
    PyMem_RawFree(span);
    n_spans--;
    n_empty_spans--;
}

/* -------------------------------------------------------------------- pages */

static size_t
size_of_class(unsigned size_class)
{
    if (size_class < _PySmall_FINE_CLASSES) {
        return (size_t)(size_class + 1) * _PySmall_ALIGNMENT;
    }
    size_t parts = _PySmall_MOST_PARTS + _PySmall_FINE_CLASSES - size_class;
    return _Py_SIZE_ROUND_DOWN(_PySmall_ROOM / parts, _PySmall_ALIGNMENT);
}

/* Gives memory to a page that has none, and to those behind it that lie in the same group. If the
   system has a huge page for the span, all of it has memory then. */
static void
get_memory(Span *span, unsigned first)
{
    static int is_refused;              /* Linux before 5.14 */
    unsigned end = first + 1, group_end = (first / PAGES_AHEAD + 1) * PAGES_AHEAD;
    unsigned char has_last = 0;
    while (end < group_end && span->states[end] == GONE) {
        end++;
    }
    int before = errno;
    if (is_refused || madvise(span->start + first * _PySmall_PAGE_SIZE,
                              (end - first) * _PySmall_PAGE_SIZE, MADV_POPULATE_WRITE) < 0) {
        is_refused |= errno == EINVAL;
        errno = before;                 /* page faults will do it */
        return;
    }
    if (span->is_huge) {
        span->is_huge = 0;
        char *last = span->start + SPAN_SIZE - _PySmall_PAGE_SIZE;
        if (mincore(last, 1, &has_last) == 0 && (has_last & 1)) {
            end = PAGES_OF_SPAN;
        }
        errno = before;
    }
    memset(span->states + first, IDLE, end - first);
    idle_pages += end - first;
}

static _PySmallPage *
take_page(unsigned size_class)
{
    Span *span = spans_with_room != NULL ? spans_with_room : new_span();
    if (span == NULL) {
        return NULL;
    }
    if (span->n_unused == PAGES_OF_SPAN) {
        n_empty_spans--;
    }
    unsigned char *state = memchr(span->states, IDLE, PAGES_OF_SPAN);
    if (state == NULL) {
        state = memchr(span->states, GONE, PAGES_OF_SPAN);
        get_memory(span, (unsigned)(state - span->states));
    }
    idle_pages -= *state == IDLE;
    *state = USED;
    if (--span->n_unused == 0) {
        unlink_span(span);
    }
    _PySmallPage *page = (_PySmallPage *)(span->start
                                          + (state - span->states) * _PySmall_PAGE_SIZE);
    page->free = NULL;
    page->used = 0;
    page->attention = 0;
    page->untouched = (char *)page + _PySmall_FIRST;
    page->size_class = (uint16_t)size_class;
    page->block_size = (uint16_t)size_of_class(size_class);
    page->span = span;
    pages_in_use++;
    return page;
}

/* Returns the memory of all idle pages to the system; neighbours are returned together.
   A program that has dropped so much has freed larger blocks, too: malloc would keep
   them until its own limit, which rises to 64 MB with the largest block freed. */
static void
release_idle_pages(void)
{
    for (Span *span = spans_with_room; span != NULL; span = span->next) {
        for (unsigned i = 0, end; i < PAGES_OF_SPAN; i = end + 1) {
            for (end = i; end < PAGES_OF_SPAN && span->states[end] == IDLE; end++) {
                span->states[end] = GONE;
            }
            if (end > i) {
                (void)madvise(span->start + i * _PySmall_PAGE_SIZE,
                              (end - i) * _PySmall_PAGE_SIZE, MADV_DONTNEED);
            }
        }
    }
    idle_pages = 0;
    malloc_trim(0);
}

static int keeps_idle_pages;

void
_PySmall_KeepIdlePages(void)
{
    keeps_idle_pages = 1;
}

static void
give_page_back(_PySmallPage *page)
{
    Span *span = page->span;
    span->states[((char *)page - span->start) / _PySmall_PAGE_SIZE] = IDLE;
    idle_pages++;
    pages_in_use--;
    if (span->n_unused++ == 0) {
        link_span(span);
    }
    if (span->n_unused == PAGES_OF_SPAN && n_empty_spans++ > 0) {
        free_span(span);
    }
    if (idle_pages > IDLE_AT_LEAST + pages_in_use / 2 && !keeps_idle_pages) {
        release_idle_pages();
    }
}

/* Puts the page behind the one that serves its class, or makes it the only one. */
static void
link_page(_PySmallPage *page)
{
    _PySmallPage *first = _PySmall_current[page->size_class];
    if (first == &nothing) {
        page->next = page->previous = page;
        _PySmall_current[page->size_class] = page;
        return;
    }
    page->previous = first;
    page->next = first->next;
    first->next->previous = page;
    first->next = page;
}

static void
unlink_page(_PySmallPage *page)
{
    if (_PySmall_current[page->size_class] == page) {
        _PySmall_current[page->size_class] = page->next == page ? &nothing : page->next;
    }
    page->previous->next = page->next;
    page->next->previous = page->previous;
}

/* ------------------------------------------------------------------- blocks */

/* Makes some untouched blocks of a page ready. Returns 0 if there are none. */
static int
touch_blocks(_PySmallPage *page)
{
    size_t size = page->block_size;
    int batch = Py_MAX(1, Py_MIN(BATCH, (int)(BYTES_OF_BATCH / size)));
    char *end = (char *)page + _PySmall_PAGE_SIZE;
    _PySmallBlock **last = &page->free;
    int n = 0;
    for (; n < batch && page->untouched + size <= end; n++, page->untouched += size) {
        *last = (_PySmallBlock *)page->untouched;
        last = &(*last)->next;
    }
    *last = NULL;
    return n;
}

_Py_RARE_CALL void *
_PySmall_AllocSlow(unsigned size_class)
{
    for (;;) {
        _PySmallPage *page = _PySmall_current[size_class];
        if (page == &nothing) {
            page = take_page(size_class);
            if (page == NULL) {
                return NULL;
            }
            link_page(page);
        }
        if (page->free != NULL || touch_blocks(page)) {
            _PySmallBlock *block = page->free;
            page->free = block->next;
            page->used++;
            return block;
        }
        unlink_page(page);
        page->attention = PY_SSIZE_T_MAX;
        blocks_of_full_pages += page->used;
    }
}

_Py_RARE_CALL void
_PySmall_PageEvent(_PySmallPage *page)
{
    if (page->attention != 0) {
        page->attention = 0;
        blocks_of_full_pages -= page->used + 1;
        link_page(page);
    }
    if (page->used == 0 && page != _PySmall_current[page->size_class]) {
        unlink_page(page);
        give_page_back(page);
    }
}

/* --------------------------------------------------------------- statistics */

Py_ssize_t
_PySmall_CountUsed(void)
{
    Py_ssize_t blocks = blocks_of_full_pages;
    for (unsigned c = 0; c < _PySmall_CLASSES; c++) {
        _PySmallPage *first = _PySmall_current[c], *page = first;
        if (first == &nothing) {
            continue;
        }
        do {
            blocks += page->used;
            page = page->next;
        } while (page != first);
    }
    return blocks;
}

void
_PySmall_PrintStats(FILE *out)
{
    fprintf(out, "Small blocks in use: %zd, in %zd pages of %zu KB, in %u spans of %zu KB; "
            "idle pages: %zd\n", _PySmall_CountUsed(), pages_in_use,
            (size_t)_PySmall_PAGE_SIZE / 1024, n_spans, (size_t)SPAN_SIZE / 1024, idle_pages);
}

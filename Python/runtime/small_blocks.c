/* Small blocks: what most objects are made of.

   Address space is taken in spans of 2 MB that lie at multiples of their size, and a span
   is divided into pages of 16 KB. A program that has some spans gets each further one as
   a huge page of the processor, if the system has them to give: one fault instead of 512,
   and fewer misses when it walks through its objects. A page has blocks of one size class and begins with its
   head, so that a block's address leads to its page, and a table of span numbers tells
   our addresses from all others.

   A page is one of: unused (in its span's list), with room (in its class's ring, whose
   first page serves allocations), or full (in no list). An empty page goes back to its
   span unless it is the only one with room of its class, and an empty span to the system,
   but for one.

   Everything here runs under the GIL: nothing is atomic, and a fork leaves it whole. */
#include "Python.h"
#include "internal/small_blocks.h"

#include <sys/mman.h>

#define SPAN_SIZE ((uintptr_t)1 << _PySmall_SPAN_BITS)
#define PAGES_OF_SPAN ((unsigned)(SPAN_SIZE / _PySmall_PAGE_SIZE))
/* These have memory where it is touched only. */
#define SPANS_OF_SMALL_PROGRAMS 4
/* Where a page's first block is. */
#define FIRST 64
_Static_assert(sizeof(_PySmallPage) <= FIRST, "a page's head lies before its blocks");
/* How many untouched blocks are made ready at a time. */
#define BATCH 16

typedef struct _PySmallSpan {
    char *start;
    unsigned n_unused;              /* pages, with those that were never used */
    unsigned n_touched;             /* pages that have a head */
    _PySmallPage *unused;           /* of those */
    struct _PySmallSpan *next, *previous;       /* of the spans with unused pages */
} Span;

/* Stands for a class's pages while there are none with room. */
static _PySmallPage nothing;

#define FOUR_TIMES(value) value, value, value, value
_PySmallPage *_PySmall_current[_PySmall_CLASSES] = {
    FOUR_TIMES(&nothing), FOUR_TIMES(&nothing), FOUR_TIMES(&nothing), FOUR_TIMES(&nothing),
    FOUR_TIMES(&nothing), FOUR_TIMES(&nothing), FOUR_TIMES(&nothing), FOUR_TIMES(&nothing),
};
_Static_assert(_PySmall_CLASSES == 8 * 4, "every class has a page");

uint32_t _PySmall_spans[_PySmall_SPANS_KNOWN];

static Span *spans_with_room;
static unsigned n_spans, n_empty_spans;
static Py_ssize_t blocks_of_full_pages, pages_in_use;

/* ------------------------------------------------------------------- spans */

static char *
map_area(size_t size)
{
    void *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return area != MAP_FAILED ? area : NULL;
}

/* At a multiple of its size, where the system puts it by itself as a rule. */
static char *
map_aligned(void)
{
    char *area = map_area(SPAN_SIZE);
    if (area == NULL || (uintptr_t)area % SPAN_SIZE == 0) {
        return area;
    }
    munmap(area, SPAN_SIZE);
    area = map_area(2 * SPAN_SIZE);
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

/* Where the table has another span already, the address is no use to us. */
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
            if (n_spans >= SPANS_OF_SMALL_PROGRAMS) {
                /* Whether it is heard makes no difference but to time. */
                (void)madvise(start, SPAN_SIZE, MADV_HUGEPAGE);
            }
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
    span->n_touched = 0;
    span->unused = NULL;
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
    unlink_span(span);
    PyMem_RawFree(span);
    n_spans--;
    n_empty_spans--;
}

/* ------------------------------------------------------------------- pages */

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
    _PySmallPage *page = span->unused;
    if (page != NULL) {
        span->unused = page->next;
    }
    else {
        page = (_PySmallPage *)(span->start + span->n_touched * _PySmall_PAGE_SIZE);
        span->n_touched++;
    }
    if (--span->n_unused == 0) {
        unlink_span(span);
    }
    page->free = NULL;
    page->used = 0;
    page->attention = 0;
    page->untouched = (char *)page + FIRST;
    page->size_class = size_class;
    page->span = span;
    pages_in_use++;
    return page;
}

static void
give_page_back(_PySmallPage *page)
{
    Span *span = page->span;
    page->next = span->unused;
    span->unused = page;
    pages_in_use--;
    if (span->n_unused++ == 0) {
        link_span(span);
    }
    if (span->n_unused == PAGES_OF_SPAN && n_empty_spans++ > 0) {
        free_span(span);
    }
}

/* Behind the page that serves its class, or as the only one. */
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

/* ------------------------------------------------------------------ blocks */

/* Makes some untouched blocks of a page ready; 0 if there are none. */
static int
touch_blocks(_PySmallPage *page)
{
    size_t size = _PySmall_BlockSize(page);
    char *end = (char *)page + _PySmall_PAGE_SIZE;
    _PySmallBlock **last = &page->free;
    int n = 0;
    for (; n < BATCH && page->untouched + size <= end; n++, page->untouched += size) {
        *last = (_PySmallBlock *)page->untouched;
        last = &(*last)->next;
    }
    *last = NULL;
    return n;
}

void *
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

void
_PySmall_PageEvent(_PySmallPage *page)
{
    if (page->attention != 0) {
        page->attention = 0;
        blocks_of_full_pages -= page->used + 1;
        link_page(page);
    }
    if (page->used == 0 && page->next != page) {
        unlink_page(page);
        give_page_back(page);
    }
}

/* -------------------------------------------------------------- statistics */

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
    fprintf(out, "Small blocks in use: %zd, in %zd pages of %zu KB, in %u spans of %zu KB\n",
            _PySmall_CountUsed(), pages_in_use, (size_t)_PySmall_PAGE_SIZE / 1024, n_spans,
            (size_t)SPAN_SIZE / 1024);
}

/* Blocks of up to 4 KB, for the memory domains that are used under the GIL
   (Python/core/memory/small_blocks.c). The two functions that every object passes through
   are here, to be inlined. */
#ifndef SB_INTERNAL_SMALL_BLOCKS_H
#define SB_INTERNAL_SMALL_BLOCKS_H

#include "Python.h"
#include <stdio.h>

#define _PySmall_ALIGNMENT 16
#define _PySmall_PAGE_SIZE ((uintptr_t)1 << 14)
/* Where a page's first block is, and the bytes from there on. */
#define _PySmall_FIRST 64
#define _PySmall_ROOM (_PySmall_PAGE_SIZE - _PySmall_FIRST)

/* Up to FINE_LIMIT a class has the sizes of 16 bytes; above, those of which a page has
   room for equally many, from MOST_PARTS down to FEWEST_PARTS. */
#define _PySmall_FINE_LIMIT 512
#define _PySmall_FINE_CLASSES (_PySmall_FINE_LIMIT / _PySmall_ALIGNMENT)
#define _PySmall_MOST_PARTS (_PySmall_ROOM / (_PySmall_FINE_LIMIT + _PySmall_ALIGNMENT))
#define _PySmall_FEWEST_PARTS 4
#define _PySmall_LIMIT (_PySmall_ROOM / _PySmall_FEWEST_PARTS)
#define _PySmall_CLASSES \
    (_PySmall_FINE_CLASSES + _PySmall_MOST_PARTS - _PySmall_FEWEST_PARTS + 1)
#define _PySmall_SPAN_BITS 21
#define _PySmall_SPANS_KNOWN ((uintptr_t)1 << 16)

/* What a block holds that nobody uses. */
typedef struct _PySmallBlock {
    struct _PySmallBlock *next;
} _PySmallBlock;

/* Head of a page: blocks of one size. */
typedef struct _PySmallPage {
    _PySmallBlock *free;        /* blocks to hand out; NULL: see untouched */
    Py_ssize_t used;            /* blocks handed out */
    Py_ssize_t attention;       /* a block given back is an event when `used` falls to
                                   this: 0, or more than a page has when it is full */
    char *untouched;            /* the blocks from here on were never handed out */
    uint16_t size_class, block_size;
    struct _PySmallSpan *span;
    struct _PySmallPage *next, *previous;       /* of its class, with room */
} _PySmallPage;

/* By class: the page that blocks are taken from, which may have nothing in `free`. */
extern _PySmallPage *_PySmall_current[_PySmall_CLASSES];
/* 1 + the numbers (address >> SPAN_BITS) of the spans that are ours, each at the number's
   remainder. */
extern uint32_t _PySmall_spans[_PySmall_SPANS_KNOWN];

/* When the page has nothing at hand. NULL: no memory. */
void *_PySmall_AllocSlow(unsigned size_class);
/* When a page is empty, or is no longer full. */
void _PySmall_PageEvent(_PySmallPage *page);

/* Is it a block of ours? */
static inline int
_PySmall_Owns(const void *block)
{
    uintptr_t number = (uintptr_t)block >> _PySmall_SPAN_BITS;
    return _PySmall_spans[number % _PySmall_SPANS_KNOWN] == number + 1;
}

static inline _PySmallPage *
_PySmall_PageOf(const void *block)
{
    return (_PySmallPage *)((uintptr_t)block & ~(_PySmall_PAGE_SIZE - 1));
}

static inline size_t
_PySmall_SizeOf(const void *block)
{
    return _PySmall_PageOf(block)->block_size;
}

static inline void *
_PySmall_AllocOfClass(unsigned size_class)
{
    _PySmallPage *page = _PySmall_current[size_class];
    _PySmallBlock *block = page->free;
    if (__builtin_expect(block == NULL, 0)) {
        return _PySmall_AllocSlow(size_class);
    }
    page->free = block->next;
    page->used++;
    return block;
}

/* size: 1 to FINE_LIMIT. */
static inline void *
_PySmall_Alloc(size_t size)
{
    return _PySmall_AllocOfClass((unsigned)((size - 1) / _PySmall_ALIGNMENT));
}

/* size: FINE_LIMIT + 1 to LIMIT. */
static inline void *
_PySmall_AllocPart(size_t size)
{
    unsigned parts = (unsigned)_PySmall_ROOM / (unsigned)_Py_SIZE_ROUND_UP(size, _PySmall_ALIGNMENT);
    return _PySmall_AllocOfClass((unsigned)(_PySmall_FINE_CLASSES + _PySmall_MOST_PARTS) - parts);
}

/* block: one of ours. */
static inline void
_PySmall_Free(void *block)
{
    _PySmallPage *page = _PySmall_PageOf(block);
    ((_PySmallBlock *)block)->next = page->free;
    page->free = block;
    if (__builtin_expect(--page->used <= page->attention, 0)) {
        _PySmall_PageEvent(page);
    }
}

/* Blocks handed out. */
Py_ssize_t _PySmall_CountUsed(void);
void _PySmall_PrintStats(FILE *out);

#endif

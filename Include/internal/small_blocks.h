/* Blocks of up to 512 bytes, for the memory domains that are used under the GIL
   (Python/runtime/small_blocks.c). The two functions that every object passes through
   are here, to be inlined. */
#ifndef SB_INTERNAL_SMALL_BLOCKS_H
#define SB_INTERNAL_SMALL_BLOCKS_H

#include "Python.h"
#include <stdio.h>

#define _PySmall_LIMIT 512
#define _PySmall_ALIGNMENT 16
#define _PySmall_CLASSES (_PySmall_LIMIT / _PySmall_ALIGNMENT)
#define _PySmall_PAGE_SIZE ((uintptr_t)1 << 14)
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
    unsigned size_class;
    struct _PySmallSpan *span;
    struct _PySmallPage *next, *previous;       /* of its class, with room; or unused */
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
_PySmall_BlockSize(const _PySmallPage *page)
{
    return (size_t)(page->size_class + 1) * _PySmall_ALIGNMENT;
}

static inline size_t
_PySmall_SizeOf(const void *block)
{
    return _PySmall_BlockSize(_PySmall_PageOf(block));
}

/* size: 1 to LIMIT. */
static inline void *
_PySmall_Alloc(size_t size)
{
    unsigned size_class = (unsigned)((size - 1) / _PySmall_ALIGNMENT);
    _PySmallPage *page = _PySmall_current[size_class];
    _PySmallBlock *block = page->free;
    if (__builtin_expect(block == NULL, 0)) {
        return _PySmall_AllocSlow(size_class);
    }
    page->free = block->next;
    page->used++;
    return block;
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

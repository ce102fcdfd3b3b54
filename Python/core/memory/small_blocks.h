/* Blocks of up to 4 KB, for the memory domains that are used under the GIL
   (Python/core/memory/small_blocks.c). The two functions through which every object
   passes are here, to be inlined. */
#ifndef SB_INTERNAL_SMALL_BLOCKS_H
#define SB_INTERNAL_SMALL_BLOCKS_H

#include "Python.h"
#include "internal/rare_call.h"
#include <stdio.h>

#define _PySmall_ALIGNMENT 16
#define _PySmall_PAGE_SIZE ((uintptr_t)1 << 14)
/* The offset of a page's first block, and the number of bytes from there on. */
#define _PySmall_FIRST 64
#define _PySmall_ROOM (_PySmall_PAGE_SIZE - _PySmall_FIRST)

/* Up to FINE_LIMIT, each multiple of 16 bytes is a class. Above it, the classes are the
   sizes that divide a page into MOST_PARTS down to FEWEST_PARTS equal blocks. */
#define _PySmall_FINE_LIMIT 512
#define _PySmall_FINE_CLASSES (_PySmall_FINE_LIMIT / _PySmall_ALIGNMENT)
#define _PySmall_MOST_PARTS (_PySmall_ROOM / (_PySmall_FINE_LIMIT + _PySmall_ALIGNMENT))
#define _PySmall_FEWEST_PARTS 4
#define _PySmall_LIMIT (_PySmall_ROOM / _PySmall_FEWEST_PARTS)
#define _PySmall_CLASSES \
    (_PySmall_FINE_CLASSES + _PySmall_MOST_PARTS - _PySmall_FEWEST_PARTS + 1)
#define _PySmall_SPAN_BITS 21
#define _PySmall_SPANS_KNOWN ((uintptr_t)1 << 16)

/* The contents of a free block. */
typedef struct _PySmallBlock {
    struct _PySmallBlock *next;
} _PySmallBlock;

/* The head of a page, whose blocks have one size. */
typedef struct _PySmallPage {
    _PySmallBlock *free;        /* free blocks; NULL: use `untouched` */
    Py_ssize_t used;            /* blocks in use */
    Py_ssize_t attention;       /* freeing a block calls _PySmall_PageEvent when `used`
                                   falls to this: 0, or more than a full page has */
    char *untouched;            /* the blocks from here on were never used */
    uint16_t size_class, block_size;
    struct _PySmallSpan *span;
    struct _PySmallPage *next, *previous;       /* pages of this class with room */
} _PySmallPage;

/* For each class, the page that serves allocations. Its `free` list may be empty. */
extern _PySmallPage *_PySmall_current[_PySmall_CLASSES];
/* The spans that are ours: 1 + the span's number (address >> SPAN_BITS), stored at the
   number modulo the size of the table. */
extern uint32_t _PySmall_spans[_PySmall_SPANS_KNOWN];

/* For a page without a free block. Returns NULL if there is no memory. */
_Py_RARE_CALL void *_PySmall_AllocSlow(unsigned size_class);
/* Called when a page becomes empty, or is no longer full. */
_Py_RARE_CALL void _PySmall_PageEvent(_PySmallPage *page);

/* Whether the block is one of ours. */
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

/* The number of blocks in use. */
Py_ssize_t _PySmall_CountUsed(void);
void _PySmall_PrintStats(FILE *out);
/* From now on free memory does not go back to the system. */
void _PySmall_KeepIdlePages(void);

#endif

/* Small blocks: distinct, aligned, kept apart from other memory, and given back to the
   system with their spans. */
#include "suite.h"
#include "Python/core/memory/small_blocks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { MANY = 200000, PLACES_APART = 10 };

static unsigned char *blocks[MANY];
static unsigned sizes[MANY];

static unsigned
next_random(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void
fill(int i)
{
    memset(blocks[i], i & 0xff, sizes[i]);
}

/* Check writes down each place where a ck_assert is reached: of a million, that is most of the time. */
#define OFTEN_ASSERT(condition)                 \
    do {                                        \
        if (!(condition)) {                     \
            ck_abort_msg("%s", #condition);     \
        }                                       \
    } while (0)

static void
assert_filled(int i)
{
    const unsigned char *block = blocks[i];
    if (block[0] != (i & 0xff) || memcmp(block, block + 1, sizes[i] - 1) != 0) {
        ck_abort_msg("block %d was written by another", i);
    }
}

static void
obtain(int i, unsigned size)
{
    sizes[i] = size;
    blocks[i] = size <= _PySmall_FINE_LIMIT ? _PySmall_Alloc(size) : _PySmall_AllocPart(size);
    OFTEN_ASSERT(blocks[i] != NULL);
    OFTEN_ASSERT((uintptr_t)blocks[i] % _PySmall_ALIGNMENT == 0);
    OFTEN_ASSERT(_PySmall_Owns(blocks[i]));
    uintptr_t page = (uintptr_t)_PySmall_PageOf(blocks[i]);
    OFTEN_ASSERT((uintptr_t)blocks[i] + _PySmall_SizeOf(blocks[i]) <= page + _PySmall_PAGE_SIZE);
    OFTEN_ASSERT(_PySmall_SizeOf(blocks[i]) >= size);
    OFTEN_ASSERT(_PySmall_SizeOf(blocks[i]) < size + size / 3 + _PySmall_ALIGNMENT);
    fill(i);
}

static void
give_back(int i)
{
    assert_filled(i);
    _PySmall_Free(blocks[i]);
    blocks[i] = NULL;
}

START_TEST(test_every_size)
{
    Py_ssize_t before = _PySmall_CountUsed();
    for (unsigned size = 1; size <= _PySmall_LIMIT; size++) {
        obtain((int)size, size);
    }
    ck_assert_int_eq(_PySmall_CountUsed() - before, _PySmall_LIMIT);
    for (unsigned size = 1; size <= _PySmall_LIMIT; size++) {
        give_back((int)size);
    }
    ck_assert_int_eq(_PySmall_CountUsed(), before);
}
END_TEST

START_TEST(test_random_life)
{
    Py_ssize_t before = _PySmall_CountUsed(), live = 0;
    for (int round = 0; round < 200000; round++) {
        int i = (int)(next_random() % 20000);
        if (blocks[i] != NULL) {
            give_back(i);
            live--;
        }
        else {
            obtain(i, 1 + next_random() % _PySmall_LIMIT);
            live++;
        }
        if (round % 10000 == 0) {
            ck_assert_int_eq(_PySmall_CountUsed() - before, live);
        }
    }
    for (int i = 0; i < MANY; i++) {
        if (blocks[i] != NULL) {
            give_back(i);
        }
    }
    ck_assert_int_eq(_PySmall_CountUsed(), before);
}
END_TEST

/* Blocks for 64 MB, all given back in another order: the spans are gone but for those
   that were there and a spare one. */
START_TEST(test_spans_are_given_back)
{
    int ours = 0;
    for (int i = 0; i < MANY; i++) {
        obtain(i, 320);
    }
    for (int i = 0; i < MANY; i += 2) {
        give_back(i);
    }
    for (int i = 1; i < MANY; i += 2) {
        give_back(i);
    }
    for (uintptr_t i = 0; i < _PySmall_SPANS_KNOWN; i++) {
        ours += _PySmall_spans[i] != 0;
    }
    ck_assert_int_le(ours, 3);
}
END_TEST

/* A block that is allocated and freed again and again while all other pages but for one block are
   full has a page for that, and does not take one each time. */
START_TEST(test_the_page_in_use_stays_when_it_is_empty)
{
    int n = 0;
    do {
        obtain(n++, 320);
    } while (n < 2 || _PySmall_PageOf(blocks[n - 1]) == _PySmall_PageOf(blocks[n - 2]));
    _PySmallPage *page = _PySmall_PageOf(blocks[--n]);
    give_back(0);
    for (int i = 0; i < 3; i++) {
        give_back(n);
        ck_assert_int_eq(page->used, 0);
        ck_assert_ptr_eq(_PySmall_current[page->size_class], page);
        obtain(n, 320);
        ck_assert_ptr_eq(_PySmall_PageOf(blocks[n]), page);
    }
    while (n > 0) {
        give_back(n--);
    }
}
END_TEST

/* Not under an emulator, which takes no notice of such advice. */
static int
huge_pages_can_be_had(void)
{
    size_t size = (size_t)4 << 20, before = CTests_AdvisedBytes(" hg");
    void *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(area, MAP_FAILED);
    (void)madvise(area, size, MADV_HUGEPAGE);
    size_t after = CTests_AdvisedBytes(" hg");
    munmap(area, size);
    return after > before;
}

/* What a start needs may be in one huge page, the next blocks take what they touch; most of 64 MB
   may be in huge pages. */
START_TEST(test_many_blocks_are_in_huge_pages)
{
    const size_t mb = (size_t)1 << 20;
    size_t before = CTests_AdvisedBytes(" hg"), not_before = CTests_AdvisedBytes(" nh");
    int can_be_had = huge_pages_can_be_had();
    for (int i = 0; i < MANY; i++) {
        obtain(i, 320);
        if (can_be_had && (i == 1000 || i == 20000)) {
            ck_assert_uint_eq(CTests_AdvisedBytes(" hg") - before, 2 * mb);
            ck_assert_uint_eq(CTests_AdvisedBytes(" nh") - not_before, (i == 1000 ? 0 : 6) * mb);
        }
    }
    if (can_be_had) {
        ck_assert_uint_ge(CTests_AdvisedBytes(" hg") - before, 48 * mb);
        ck_assert_uint_eq(CTests_AdvisedBytes(" nh") - not_before, 6 * mb);
    }
    for (int i = 0; i < MANY; i++) {
        give_back(i);
    }
}
END_TEST

/* How many of the places are in memory, as the kernel counts at this moment. The process as a whole
   would not do: a sanitizer keeps what others free. */
static int
count_resident(unsigned char *const *places)
{
    unsigned char is_resident;
    int n = 0;
    for (int i = 0; i < MANY; i += PLACES_APART) {
        void *page = (void *)((uintptr_t)places[i] & ~(uintptr_t)4095);
        n += mincore(page, 1, &is_resident) == 0 && (is_resident & 1);
    }
    return n;
}

/* Where the system has no huge page, memory is asked for ahead, four pages at a time. */
START_TEST(test_no_huge_page_is_had)
{
    enum { FIVE_PAGES = 5 * (_PySmall_PAGE_SIZE - _PySmall_FIRST) / 320 };
    if (!huge_pages_can_be_had()) {
        return;
    }
    ck_assert_int_eq(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
    for (int i = 0; i < FIVE_PAGES; i++) {
        obtain(i, 320);
    }
    unsigned char is_resident[512];
    uintptr_t span = (uintptr_t)blocks[0] & ~(((uintptr_t)2 << 20) - 1);
    ck_assert_int_eq(mincore((void *)span, (size_t)2 << 20, is_resident), 0);
    int n = 0;
    for (int i = 0; i < 512; i++) {
        n += is_resident[i] & 1;
    }
    ck_assert_int_eq(n * 4096, 8 * _PySmall_PAGE_SIZE);
    for (int i = 0; i < FIVE_PAGES; i++) {
        give_back(i);
    }
}
END_TEST

/* Of 64 MB, one block in a span is left: no span can go, but their pages' memory does. */
#define PER_SPAN 6000

static void
leave_few(int *full, int *resident)
{
    for (int i = 0; i < MANY; i++) {
        obtain(i, 320);
    }
    static unsigned char *places[MANY];
    memcpy(places, blocks, sizeof(places));
    *full = count_resident(places);
    for (int i = 0; i < MANY; i++) {
        if (i % PER_SPAN != 0) {
            give_back(i);
        }
    }
    *resident = count_resident(places);
}

START_TEST(test_idle_pages_are_given_back)
{
    int full, resident;
    leave_few(&full, &resident);
    ck_assert_int_eq(full, MANY / PLACES_APART);
    ck_assert_int_le(resident, full / 4);
    for (int i = 0; i < MANY; i += PER_SPAN) {
        give_back(i);
    }
    for (int i = 0; i < 1000; i++) {
        obtain(i, 320);
    }
    for (int i = 0; i < 1000; i++) {
        give_back(i);
    }
}
END_TEST

/* At the end of the process the system takes all at once. */
START_TEST(test_idle_pages_stay_when_the_process_ends)
{
    int full, resident;
    _PySmall_KeepIdlePages();
    leave_few(&full, &resident);
    ck_assert_int_eq(resident, full);
}
END_TEST

START_TEST(test_other_memory_is_not_ours)
{
    static char in_bss[64];
    char on_stack[64];
    void *large = PyMem_Malloc(_PySmall_LIMIT + 1), *raw = PyMem_RawMalloc(16);
    ck_assert(!_PySmall_Owns(NULL));
    ck_assert(!_PySmall_Owns((void *)1));
    ck_assert(!_PySmall_Owns(in_bss));
    ck_assert(!_PySmall_Owns(on_stack));
    ck_assert(!_PySmall_Owns(large));
    ck_assert(!_PySmall_Owns(raw));
    PyMem_Free(large);
    PyMem_RawFree(raw);
}
END_TEST

#ifndef SB_MALLOC_SYSTEM
START_TEST(test_blocks_grow_and_shrink_with_what_they_hold)
{
    char *block = NULL;
    size_t old = 0;
    for (size_t size = 1; size < 20000; size += 1 + size / 3) {
        block = PyMem_Realloc(block, size);
        ck_assert_ptr_nonnull(block);
        for (size_t i = 0; i < old; i++) {
            ck_assert_int_eq(block[i], 'x');
        }
        memset(block, 'x', size);
        old = size;
    }
    PyMem_Free(block);
    block = PyMem_Malloc(20000);
    memset(block, 'y', 20000);
    for (size_t size = 16384; size > 0; size /= 2) {
        block = PyMem_Realloc(block, size);
        ck_assert_msg(_PySmall_Owns(block) == (size <= _PySmall_LIMIT), "%zu bytes", size);
        ck_assert(!_PySmall_Owns(block)
                  || _PySmall_SizeOf(block) <= size + size / 3 + _PySmall_ALIGNMENT);
        for (size_t i = 0; i < size; i++) {
            ck_assert_int_eq(block[i], 'y');
        }
    }
    block = PyMem_Realloc(block, 0);
    ck_assert_ptr_nonnull(block);
    PyMem_Free(block);
    block = PyMem_Malloc(0);
    ck_assert(_PySmall_Owns(block));
    PyMem_Free(block);
}
END_TEST
#endif

C_TESTS(small_blocks, .start = CTests_StartNothing, .in_processes = 1)
{
    tcase_add_test(tests, test_every_size);
    tcase_add_test(tests, test_random_life);
    tcase_add_test(tests, test_spans_are_given_back);
    tcase_add_test(tests, test_the_page_in_use_stays_when_it_is_empty);
    tcase_add_test(tests, test_many_blocks_are_in_huge_pages);
    tcase_add_test(tests, test_no_huge_page_is_had);
    tcase_add_test(tests, test_idle_pages_are_given_back);
    tcase_add_test(tests, test_idle_pages_stay_when_the_process_ends);
    tcase_add_test(tests, test_other_memory_is_not_ours);
#ifndef SB_MALLOC_SYSTEM
    tcase_add_test(tests, test_blocks_grow_and_shrink_with_what_they_hold);
#endif
}

/* Memory that is mapped by itself: what is kept of greenlets' stacks is zero, and little. */
#include "suite.h"
#include "internal/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MORE_THAN_ARE_KEPT = 40 };

static size_t
resident_pages(void *start, size_t size)
{
    const size_t pages = size / (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *is_resident = malloc(pages);
    ck_assert_int_eq(mincore(start, size, is_resident), 0);
    size_t n = 0;
    for (size_t i = 0; i < pages; i++) {
        n += is_resident[i] & 1;
    }
    free(is_resident);
    return n;
}

static void
give_to_arena_allocator(void *start, size_t size)
{
    PyObjectArenaAllocator arenas;
    PyObject_GetArenaAllocator(&arenas);
    arenas.free(arenas.ctx, start, size);
}

/* greenlet gives a stack back as an arena. */
START_TEST(test_a_stack_is_kept_for_the_next_one)
{
    const size_t size = _PyMem_GREENLET_STACK;
    char *stack = _PyMem_MapStack(size);
    ck_assert_ptr_nonnull(stack);
    memset(stack, 'x', 100000);
    stack[size - 1] = 'x';
    give_to_arena_allocator(stack, size);
    ck_assert_uint_eq(resident_pages(stack, size), 1);
    ck_assert_ptr_eq(_PyMem_MapStack(size), stack);
    ck_assert_uint_eq(resident_pages(stack, size), 1);
    for (size_t i = 0; i < 100000; i++) {
        if (stack[i] != 0) {
            ck_abort_msg("byte %zu is not zero", i);
        }
    }
    ck_assert_int_eq(stack[size - 1], 0);
    _PyMem_UnmapStack(stack, size);
}
END_TEST

START_TEST(test_only_some_are_kept)
{
    const size_t size = _PyMem_GREENLET_STACK;
    char *stacks[MORE_THAN_ARE_KEPT];
    for (int i = 0; i < MORE_THAN_ARE_KEPT; i++) {
        stacks[i] = _PyMem_MapStack(size);
        stacks[i][0] = 'x';
    }
    int kept = 0;
    for (int i = 0; i < MORE_THAN_ARE_KEPT; i++) {
        _PyMem_UnmapStack(stacks[i], size);
        unsigned char is_resident;
        kept += mincore(stacks[i], 1, &is_resident) == 0;
    }
    ck_assert_int_gt(kept, 0);
    ck_assert_int_lt(kept, MORE_THAN_ARE_KEPT);
}
END_TEST

/* Where the system has huge pages for whoever does not ask. */
START_TEST(test_a_stack_is_in_no_huge_page)
{
    const size_t size = (size_t)4 << 20, stack_size = (size_t)256 << 20;
    size_t before = CTests_AdvisedBytes(" nh");
    char *other = _PyMem_Map(size);
    ck_assert_ptr_nonnull(other);
    (void)madvise(other, size, MADV_NOHUGEPAGE);
    size_t with_other = CTests_AdvisedBytes(" nh");
    char *stack = _PyMem_MapStack(stack_size);
    ck_assert_ptr_nonnull(stack);
    if (with_other > before) {
        ck_assert_uint_eq(CTests_AdvisedBytes(" nh") - with_other, stack_size);
    }
    _PyMem_UnmapStack(stack, stack_size);
    munmap(other, size);
}
END_TEST

START_TEST(test_other_arenas)
{
    PyObjectArenaAllocator arenas;
    PyObject_GetArenaAllocator(&arenas);
    char *arena = arenas.alloc(arenas.ctx, 1 << 20);
    ck_assert_ptr_nonnull(arena);
    arena[(1 << 20) - 1] = 'x';
    arenas.free(arenas.ctx, arena, 1 << 20);
    unsigned char is_resident;
    ck_assert_int_eq(mincore(arena, 1, &is_resident), -1);
}
END_TEST

C_TESTS(arenas, .start = CTests_StartNothing, .in_processes = 1)
{
    tcase_add_test(tests, test_a_stack_is_kept_for_the_next_one);
    tcase_add_test(tests, test_only_some_are_kept);
    tcase_add_test(tests, test_a_stack_is_in_no_huge_page);
    tcase_add_test(tests, test_other_arenas);
}

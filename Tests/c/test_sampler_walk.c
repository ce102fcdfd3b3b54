/* The sampler's way from registers to return addresses, on stacks that are made up here. */
#include "suite.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/sampler.h"

enum { OURS = 0x10000, SIZE = 0x1000, FOREIGN = 0x7000, WORDS = 64, EVALUATOR = 40, LAST = 50 };

static uintptr_t stack[WORDS];
static _PyThreadStateImpl state;

static void
put(int at, int caller, uintptr_t return_address)
{
    stack[at] = caller != 0 ? (uintptr_t)&stack[caller] : 0;
    stack[at + 1] = return_address;
}

/* An evaluator, and a function that it has been called by. */
static void
make(void)
{
    _PyPerf_OwnText = (_PyPerfText){.start = OURS, .size = SIZE};
    memset(stack, 0, sizeof(stack));
    memset(&state, 0, sizeof(state));
    state.records.slot = (char *volatile *)&stack[EVALUATOR];
    put(EVALUATOR, LAST, OURS + 1);
    put(LAST, 0, FOREIGN + 1);
}

static size_t
walk(uintptr_t pc, uintptr_t fp, uint64_t *found)
{
    SampledRegisters r = {.pc = pc, .sp = (uintptr_t)stack, .fp = fp};
    StackBounds bounds = {(uintptr_t)stack, (uintptr_t)(stack + WORDS)};
    return _PySampler_Walk(r, &bounds, (PyThreadState *)&state, found, WORDS);
}

/* Compares with offsets in OURS, the evaluator's and what is further out left away. */
static void
check(uintptr_t fp, const uintptr_t *expected, size_t count)
{
    uint64_t found[WORDS];
    size_t n = walk(FOREIGN, fp, found);
    ck_assert_uint_eq(n, count + 3);
    ck_assert_uint_eq(found[0], FOREIGN);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(found[1 + i], OURS + expected[i]);
    }
    ck_assert_uint_eq(found[n - 2], OURS + 1);
    ck_assert_uint_eq(found[n - 1], FOREIGN + 1);
}

START_TEST(test_a_chain_is_followed)
{
    make();
    put(10, 20, OURS + 3);
    put(20, EVALUATOR, OURS + 2);
    check((uintptr_t)&stack[10], (uintptr_t[]){3, 2}, 2);
}
END_TEST

START_TEST(test_a_register_without_a_record)
{
    make();
    check(0x1234560, NULL, 0);
    put(10, 20, OURS + 3);
    put(20, EVALUATOR, OURS + 2);
    check(0x1234560, (uintptr_t[]){3, 2}, 2);
}
END_TEST

START_TEST(test_what_an_earlier_call_has_left_is_passed_over)
{
    make();
    put(4, 12, OURS + 7);           /* leads nowhere */
    put(6, 16, OURS + 6);           /* leads to the evaluator over words that are no record */
    put(16, EVALUATOR, 0);
    put(8, 18, OURS + 5);           /* so does this: nobody of ours returns there */
    put(18, EVALUATOR, FOREIGN + 2);
    put(20, 30, OURS + 3);
    put(30, EVALUATOR, OURS + 2);
    check(0x1234560, (uintptr_t[]){3, 2}, 2);
}
END_TEST

/* A foreign function that ours has called calls ours, with the register in its own use. */
START_TEST(test_a_register_that_ours_has_saved)
{
    make();
    put(4, 0, FOREIGN + 3);
    put(20, EVALUATOR, OURS + 2);
    uint64_t found[WORDS];
    ck_assert_uint_eq(walk(OURS + 9, (uintptr_t)&stack[4], found), 5);
    ck_assert_uint_eq(found[1], FOREIGN + 3);
    ck_assert_uint_eq(found[2], OURS + 2);
    ck_assert_uint_eq(found[3], OURS + 1);
}
END_TEST

C_TESTS(sampler_walk, .start = CTests_StartNothing, .in_processes = 1)
{
    tcase_add_test(tests, test_a_chain_is_followed);
    tcase_add_test(tests, test_a_register_without_a_record);
    tcase_add_test(tests, test_what_an_earlier_call_has_left_is_passed_over);
    tcase_add_test(tests, test_a_register_that_ours_has_saved);
}

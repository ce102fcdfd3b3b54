/* How the compiler's time is shared out: whoever has to wait does not ask the kernel each time. */
#include "suite.h"
#include "internal/jit.h"
#include "Python/jit/spending.h"
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long asked;

/* In place of the C library's, which would not be counted. */
int
clock_gettime(clockid_t clock, struct timespec *t)
{
    asked += clock == CLOCK_PROCESS_CPUTIME_ID;
    return (int)syscall(SYS_clock_gettime, clock, t);
}

/* Until so many milliseconds of processor time have passed. */
static void
work(long ms)
{
    for (clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000); clock() < end;) {
    }
}

START_TEST(test_who_is_refused_waits)
{
    ck_assert(_PyJit_MaySpend(1000));
    _PyJit_Spend(1000000000);
    asked = 0;
    for (int i = 0; i < 10000; i++) {
        ck_assert(!_PyJit_MaySpend(1000000 + i));
    }
    ck_assert_int_le(asked, 1000);
}
END_TEST

START_TEST(test_who_wants_less_is_heard)
{
    work(20);
    ck_assert(!_PyJit_MaySpend(100000000));
    ck_assert(_PyJit_MaySpend(1000));
}
END_TEST

START_TEST(test_there_is_more_later)
{
    (void)_PyJit_MaySpend(0);
    _PyJit_Spend(11000000);     /* there are 10 at most */
    ck_assert(!_PyJit_MaySpend(4000));
    work(600);
    ck_assert(_PyJit_MaySpend(4000));
}
END_TEST

C_TESTS(spending, .start = CTests_StartNothing, .in_processes = 1)
{
    tcase_add_test(tests, test_who_is_refused_waits);
    tcase_add_test(tests, test_who_wants_less_is_heard);
    tcase_add_test(tests, test_there_is_more_later);
}

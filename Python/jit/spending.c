/* How much of a program's time goes into compiling it: a share of what it has taken so far, and
   what the first function takes in advance. (Programs of a tenth of a second gain nothing by more of
   that, and shorter ones lose by it: Doc/internals.rst.)

   What becomes warm when that is used up is offered again a moment later (vm/warm.c). What is
   hottest is offered most often, so a short program has its hottest functions compiled, and one
   that goes on all that are warm. */
#include "spending.h"
#include "Python.h"
#include "internal/jit.h"
#include <time.h>

/* In so many hundredths of the program's time. */
#define SHARE 2
/* What has not been used is there for later, up to so many nanoseconds. */
#define MOST_CREDIT 10000000
/* What a function takes is a guess, and a long one may have to be compiled before there is
   enough for it: so many parts of it are asked for. */
#define IN_ADVANCE 4

/* What a program has in advance, in nanoseconds. */
#define FIRST_CREDIT 1000000

static int64_t credit = FIRST_CREDIT, last;

/* What processor time has passed only the kernel knows. A hot function asks again each few
   microseconds, and half of its time would go into that: so whoever wants as much as what was
   refused is refused, too, until there may be enough or so many nanoseconds have passed. */
#define MOST_PATIENCE 4000000
static int64_t refused, asks_again;

static int64_t
processor_time(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int64_t
_PyJit_TimeOfThread(void)
{
    return processor_time(CLOCK_THREAD_CPUTIME_ID);
}

int
_PyJit_MaySpend(int64_t ns)
{
    if (_PyJit_Warmth.hurries) {
        return 1;
    }
    if (ns >= refused && _PyJit_Now() < asks_again) {
        return 0;
    }
    int64_t now = processor_time(CLOCK_PROCESS_CPUTIME_ID);
    /* A forked process begins at 0. */
    credit += now < last ? 0 : (now - last) / 100 * SHARE;
    last = now;
    credit = credit > MOST_CREDIT ? MOST_CREDIT : credit;
    int64_t missing = ns / IN_ADVANCE - credit;
    if (missing <= 0) {
        return 1;
    }
    int64_t patience = missing / SHARE * 100;
    refused = ns;
    asks_again = _PyJit_Now() + (patience > MOST_PATIENCE ? MOST_PATIENCE : patience);
    return 0;
}

void
_PyJit_Spend(int64_t ns)
{
    credit -= ns;
}

/* How much of a program's time goes into compiling it. */
#ifndef SB_JIT_SPENDING_H
#define SB_JIT_SPENDING_H

#include <stdint.h>

/* May so many nanoseconds be spent on compiling now? If not, what is warm waits. */
int _PyJit_MaySpend(int64_t ns);
/* So many have been spent. */
void _PyJit_Spend(int64_t ns);
/* The processor's time of this thread. */
int64_t _PyJit_TimeOfThread(void);

#endif

/* Samples without perf: `springprof record --engine timer` (Python/observe/sampler).

   A timer for each thread sends it a signal whenever it has used so much processor time. The
   signal's handler follows the chain of frame pointers, which Python frames are part of while
   they are shown (internal/perf.h), and writes the addresses into a file that is mapped.

       timers.c    which threads have timers; the signal's handler
       walk.c      from the interrupted registers to return addresses
       samples.c   the file: records of any thread, of this process and of those that it forks

   Springprof asks for it by a variable, SPRINGBOARD_SAMPLES=HZ:CLOCK:FOLDER, which executed
   Pythons inherit, or through the mailbox of a process that runs. CLOCK is `cpu`, or `wall`: then
   a thread of ours watches all others, and those that sleep are in the file, too.
   Lib/python/springprof/samples.py reads what is written.

   Everything that the handler calls is safe in a signal handler: memory of its own, atomic
   operations, and system calls. */
#ifndef SB_INTERNAL_SAMPLER_H
#define SB_INTERNAL_SAMPLER_H

#include "Python.h"
#include <stdint.h>
#include <sys/types.h>

/* The number of the signal while the sampler is on, otherwise 0. */
extern int _PySampler_Signal;

/* Does what the variable asks for. Called once at start-up. */
void _PySampler_StartAsVariableSays(void);
/* `wanted` is as in the variable. 0, or an error number; EALREADY: it is on. With the GIL. */
int _PySampler_Start(const char *wanted);
/* Switches it off, if it is on. With the GIL. */
void _PySampler_Stop(void);
/* Samples a second, 0: it is off. */
unsigned _PySampler_Frequency(void);
/* A thread has attached with a state that it did not have before, or runs on with its own after the
   sampler has been switched on; and a state is freed. */
void _PySampler_AddThread(PyThreadState *tstate);
void _PySampler_ForgetState(PyThreadState *tstate);
/* A library has been loaded. */
void _PySampler_TellMaps(void);

/* ----------------------------------------------- between the folder's files */

/* Kinds of records. */
enum {
    SAMPLES_STACK = 1,      /* weight, shared, count, addresses */
    SAMPLES_NAME,           /* of a thread: 16 bytes */
    SAMPLES_PROCESS,        /* parent's number */
    SAMPLES_MAPS,           /* executable lines of /proc/self/maps */
    SAMPLES_SAME,           /* weight: the thread's stack is still the last one */
};

/* Flags. */
enum {
    SAMPLES_DONE = 1,           /* the record is complete */
    SAMPLES_HOLDS_GIL = 2,
    SAMPLES_WAITS_FOR_GIL = 4,
    SAMPLES_CUT = 8,            /* the outermost frames are missing */
};

/* Head of each record; `size` includes it and is a multiple of 8. Times are nanoseconds of
   CLOCK_MONOTONIC. */
typedef struct {
    uint32_t size;
    uint16_t kind, flags;
    uint32_t pid, tid;
    uint64_t time;
} SampleHead;

typedef struct {
    SampleHead head;
    uint64_t weight;
    uint32_t shared;        /* how many outermost addresses are those of the thread's last stack */
    uint32_t count;         /* of addresses that follow, innermost first */
    uint64_t addresses[];
} SampleStack;

typedef struct {
    SampleHead head;
    uint64_t weight;
} SampleSame;

/* Opens a file in `folder`. 0, or -1 with errno set. */
int _PySamples_Open(const char *folder, unsigned frequency, int wall);
/* The file stays mapped if somebody may still write to it. */
void _PySamples_Close(int nobody_writes);
/* Room for a record of `size` bytes, with its head filled in, or NULL: then it is counted as
   lost. Async-signal-safe, and so is End(), after which readers see the record. */
void *_PySamples_Begin(int kind, size_t size, pid_t tid, uint64_t time);
void _PySamples_End(SampleHead *head, int flags);
uint64_t _PySamples_Now(void);

#define SAMPLES_MOST_FRAMES 4096
/* Set in an address of compiled code that frame pointers have passed over, or that may be left on
   the stack from an earlier call: a reader decides by other samples (walk.c). */
#define SAMPLES_MAYBE ((uint64_t)1 << 63)

/* The part of a thread's stack that may be read. */
typedef struct {
    uintptr_t bottom, top;
} StackBounds;

/* Of a thread that was interrupted, or that sleeps: then `fp` is not known, and 0. `link` is where
   a function that calls nothing returns to, on machines that keep that in a register. */
typedef struct {
    uintptr_t pc, fp, sp, link;
} SampledRegisters;

SampledRegisters _PySampler_RegistersOf(const void *ucontext);

/* Fills `to` with the addresses of a stack, innermost first. `tstate` may be NULL.
   Async-signal-safe. */
struct _ts;
size_t _PySampler_Walk(SampledRegisters registers, const StackBounds *bounds, struct _ts *tstate,
                       uint64_t *to, size_t most);

#endif

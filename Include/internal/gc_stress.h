/* SPRINGBOARD_STRESS=gc[:N] in the environment finds code that does not expect Python
   code to run while it allocates or calls (Python/runtime/gc_stress.c). SPRINGBOARD_STRESS=rounds has
   small heaps searched for garbage as large ones are (Python/core/memory/known_alive.c). */
#ifndef SB_INTERNAL_GC_STRESS_H
#define SB_INTERNAL_GC_STRESS_H

#include "Python.h"

struct _PyGC_Stress {
    int wanted;         /* N of the environment, or 0 */
    int every;          /* the same from the end of start-up to shut-down; else 0 */
    int rounds;         /* of small heaps, too */
    int running;        /* the stress code's own Python code is running, and not stressed */
};

extern struct _PyGC_Stress _PyGC_stress;

static inline int
_PyGC_IsStressed(void)
{
    return __builtin_expect(_PyGC_stress.every != 0, 0);
}

/* Reads the environment. */
PyStatus _PyGC_ReadStress(void);
/* At the end of start-up. 0, or -1 with an exception. */
int _PyGC_StartStress(void);
/* At shut-down, when no Python code will run any more. */
void _PyGC_EndStress(void);

/* Called when a collectable object is allocated and the collector is enabled: every N-th
   time it runs Python code. The object is not tracked yet; no exception is set. */
void _PyGC_StressPoint(PyThreadState *);
/* The same at a call or a jump back, where other threads get their turn. It makes sure
   that the next one comes here, too. */
void _PyGC_StressCall(PyThreadState *);

#endif

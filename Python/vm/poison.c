/* For SPRINGBOARD_STRESS: overwrites the words above the frames in use, which no code may
   rely on. */
#include "vm.h"

/* The first is more than the stress code's own frames need; the second is overwritten. */
#define ROOM_WORDS 8192
#define POISON_WORDS 1024

/* A dead word may hold a tagged int (frame.h). 0xdead0bad is easy to recognise, in a
   debugger or in a wrong result. */
#define POISON REG_FROM_INT(0xdead0bad)

static PyReg *
room_above(PyThreadState *ts)
{
    if (TS_STACK(ts) == 0) {
        return NULL;
    }
    PyReg *top = _PyVM_StackTop(ts);
    return (uintptr_t)(top + ROOM_WORDS) < TS_STACK_END(ts) ? top : NULL;
}

int
_PyVM_HasRoomAbove(PyThreadState *ts)
{
    return room_above(ts) != NULL;
}

void
_PyVM_PoisonAbove(PyThreadState *ts)
{
    PyReg *top = room_above(ts);
    for (int i = 0; top != NULL && i < POISON_WORDS; i++) {
        top[i] = POISON;
    }
}

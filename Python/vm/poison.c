/* For SPRINGBOARD_STRESS: what lies above the frames in use is nobody's. */
#include "vm.h"

/* More than the stress code's own frames take, and what is written over beyond them. */
#define ROOM_WORDS 8192
#define POISON_WORDS 1024

/* A dead word may hold a tagged int (frame.h); this one is recognised in a debugger,
   and by who finds it in a result: 0xdead0bad. */
#define POISON REG_FROM_INT(0xdead0bad)

static PyReg *
room_above(PyThreadState *ts)
{
    if (TS_STACK(ts) == 0) {
        return NULL;
    }
    PyReg *top = _PyVM_StackTop(ts);
    size_t used = (uintptr_t)top - TS_STACK(ts);
    return used + ROOM_WORDS * sizeof(PyReg) < TS_STACK_SIZE(ts) ? top : NULL;
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

/* sys.monitoring (PEP 669): between the tools (observe/tracing/monitoring.c) and the VM
   (vm/monitored.c).

   Events that can be switched off at a place in the code are places in the VM, too: the
   instructions that they belong to are marked (PyInstr.line & MONITORED), and marked
   instructions have handlers of their own in every table. An instruction whose events are all
   disabled is not marked: it costs nothing. A code object with marked instructions is not run by
   machine code.

   While a tool wants an event of all code, threads have copies of their tables ("watched"), in
   which RESUME brings the marks of its code object up to date. All marks of a code object are
   made at once, by the version of what tools want. */
#ifndef SB_INTERNAL_MONITORING_H
#define SB_INTERNAL_MONITORING_H

#include "Python.h"
#include "internal/code.h"
#include "internal/frame.h"

/* Each event and its number; those up to STOP_ITERATION are local. */
#define MONITOR_EVENTS(X) \
    X(PY_START) X(PY_RESUME) X(PY_RETURN) X(PY_YIELD) X(CALL) X(LINE) X(INSTRUCTION) \
    X(JUMP) X(BRANCH) X(STOP_ITERATION) \
    X(RAISE) X(EXCEPTION_HANDLED) X(PY_UNWIND) X(PY_THROW) X(RERAISE) \
    X(C_RETURN) X(C_RAISE)
enum {
#define X(name) MONITOR_##name,
    MONITOR_EVENTS(X)
#undef X
    MONITOR_COUNT,
    MONITOR_LOCAL = MONITOR_STOP_ITERATION + 1,
};
#define MONITOR_TOOLS 6
#define MONITOR_BIT(event) (1u << (event))

/* In PyInstr.line. */
#define MONITORED 2

/* What tools want of one interpreter (PyInterpreterState.monitors). */
typedef struct _PyMonitors {
    uint32_t version;           /* of all that follows; never 0 */
    uint32_t restarted;         /* the version that restart_events() has made */
    uint32_t events[MONITOR_TOOLS];     /* of all code */
    uint32_t since[MONITOR_TOOLS][MONITOR_LOCAL];       /* the version that has set each of them */
    uint32_t watched;           /* all of these together */
    PyObject *names[MONITOR_TOOLS];     /* NULL: the tool is not in use */
    PyObject *callbacks[MONITOR_TOOLS][MONITOR_COUNT];
    struct _PyCodeMonitor *with_local;  /* of the code objects with local events */
} _PyMonitors;

/* What tools want of an instruction; each bit stands for a tool. */
typedef struct {
    uint8_t own;                /* the event of its opcode */
    uint8_t stop;               /* STOP_ITERATION */
    uint8_t line, instruction;
    uint8_t is_instruction;     /* not a word of a cache, and not before the first RESUME */
    uint8_t may_begin;          /* MAY_BEGIN_LINE … */
    uint16_t notes;             /* why it is marked without an event: see vm/monitored.c */
} _PyMonitorSpot;

/* Of a code object. */
typedef struct _PyCodeMonitor {
    uint32_t version;           /* the marks are those of this _PyMonitors.version */
    uint32_t marked;            /* how many instructions are */
    uint16_t wanted[MONITOR_TOOLS];     /* the local events that they have been made for */
    uint16_t local[MONITOR_TOOLS];      /* set_local_events() */
    _PyMonitorSpot *spots;      /* one for each word, or NULL */
    PyVMCode *code;
    struct _PyCodeMonitor *next, **link;        /* in with_local; else link is NULL */
} _PyCodeMonitor;

/* May the code object be run without a look at its marks, by machine code? */
static inline int
_PyMonitor_LeavesAlone(const PyVMCode *code, const _PyMonitors *monitors)
{
    const _PyCodeMonitor *m = (const _PyCodeMonitor *)code->monitor;
    return (m == NULL || m->marked == 0)
           && (monitors == NULL || monitors->watched == 0
               || (m != NULL && m->version == monitors->version));
}

/* The version that the next change makes. */
static inline uint32_t
_PyMonitors_Next(const _PyMonitors *monitors)
{
    return monitors->version + 2;       /* never 0 */
}

/* What vm/monitored.c offers. What all code is wanted for has changed. */
void _PyMonitor_Changed(PyInterpreterState *interp);
/* restart_events(): what was disabled is reported again. */
void _PyMonitor_Restart(PyInterpreterState *interp);
/* Sets the local events of a code object. 0, or -1 with MemoryError. */
int _PyMonitor_SetLocal(PyInterpreterState *interp, PyVMCode *code, int tool, unsigned events);
void _PyMonitor_Free(PyVMCode *code);

#endif

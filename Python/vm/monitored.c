/* The instructions that sys.monitoring's tools want to hear of (internal/monitoring.h).

   A code object has a spot for each word, which says which tools want which event there. The
   instructions of spots that somebody wants are marked, and come here before their own handlers,
   whatever table is in force. Most events are known before the instruction runs. For those that
   are not (where does a branch go? has the generator ended? what did C return?) this file
   executes the instruction itself, with C calls in place of pushed frames.

   A LINE event belongs to the first instruction of a line. Most of these are known from the code
   alone: whatever runs before is of another line. If it may also be reached from its own line (the
   head of a loop), then all that may run before it are marked as well ("notes"): their only effect
   is that f->ip says which of them it was.

   Exceptions are no matter of places: unwind.c reports them in threads with watched tables. */
#include "call.h"
#include "endings.h"
#include "enter.h"
#include "specialize.h"
#include "internal/monitoring.h"
#include "internal/observe.h"

enum {
    MAY_BEGIN_LINE = 1,         /* something of another line, or of none, may run before it */
    MAY_CONTINUE_LINE = 2,      /* something of its own line may */
};

/* -------------------------------------------------------------------- spots */

static inline int
base_of(const PyInstr *in)
{
    return in->op < OP__COUNT ? _PyOpcode_Info[in->op].base : -1;
}

static int
is_conditional(int base)
{
    return base == OP_FOR_ITER || (base >= OP_JUMP_IF_TRUE && base <= OP_JUMP_IF_NOT_IN)
           || base == OP_JUMP_IF_NO_EXC_MATCH;
}

/* Does the next instruction never run after this one? */
static int
ends_block(int base)
{
    return base == OP_JUMP || base == OP_JUMP_BACK || base == OP_RETURN || base == OP_RAISE
           || base == OP_RERAISE;
}

/* The event of an opcode, or -1. */
static int
own_event(const PyVMCode *code, uint32_t at, uint32_t before)
{
    const PyInstr *in = &code->code[at];
    int base = base_of(in);
    switch (base) {
    case OP_RESUME:
        return in->a == 0 ? MONITOR_PY_START : MONITOR_PY_RESUME;
    case OP_RETURN:
        return MONITOR_PY_RETURN;
    case OP_YIELD_VALUE: case OP_YIELD_FROM_VALUE:
        return MONITOR_PY_YIELD;
    case OP_CALL_METHOD: {
        /* A `with` statement's call of __enter__ is no call for observers. */
        int enters = base_of(&code->code[before]);
        return enters == OP_BEFORE_WITH || enters == OP_BEFORE_ASYNC_WITH ? -1 : MONITOR_CALL;
    }
    case OP_CALL: case OP_CALL_KW: case OP_CALL_METHOD_KW: case OP_CALL_EX:
        return MONITOR_CALL;
    case OP_JUMP: case OP_JUMP_BACK: {
        /* Not the jumps of `yield from` and await to the next round. */
        const PyInstr *target = in + 1 + in->bc;
        return base_of(target) == OP_SEND ? -1 : MONITOR_JUMP;
    }
    default:
        return is_conditional(base) ? MONITOR_BRANCH : -1;
    }
}

static inline uint32_t
next_of(const PyVMCode *code, uint32_t at)
{
    return at + _PyInstr_Words(&code->code[at]);
}

/* Marks the instruction if somebody wants it, and takes the mark away if not. */
static void
settle(PyVMCode *code, uint32_t at)
{
    _PyCodeMonitor *m = code->monitor;
    _PyMonitorSpot *spot = &m->spots[at];
    PyInstr *in = &code->code[at];
    int wanted = (spot->own | spot->stop | spot->line | spot->instruction) != 0
                 || spot->notes != 0;
    if (wanted == ((in->line & MONITORED) != 0)) {
        return;
    }
    in->line ^= MONITORED;
    m->marked += wanted ? 1u : -1u;
    /* LOAD_CONST may have become one with the RETURN behind it. */
    if (base_of(in) == OP_RETURN && at > 0 && m->spots[at - 1].is_instruction
        && base_of(in - 1) == OP_LOAD_CONST) {
        m->spots[at - 1].notes += wanted ? 1u : -1u;
        settle(code, at - 1);
    }
}

/* What may run right before the instruction at `to` is marked once more, or once less. */
static void
note_before(PyVMCode *code, uint32_t to, int change)
{
    _PyMonitorSpot *spots = ((_PyCodeMonitor *)code->monitor)->spots;
    for (uint32_t at = 0; at < code->ninstr; at = next_of(code, at)) {
        int falls = next_of(code, at) == to && !ends_block(base_of(&code->code[at]));
        if (spots[at].is_instruction && (falls || _PyVM_JumpTarget(code, at) == (Py_ssize_t)to)) {
            spots[at].notes = (uint16_t)(spots[at].notes + change);
            settle(code, at);
        }
    }
}

static int
compares_lines(const _PyMonitorSpot *spot)
{
    return spot->may_begin == (MAY_BEGIN_LINE | MAY_CONTINUE_LINE);
}

/* Control may come to `to` from an instruction of this line. */
static void
come_from(PyVMCode *code, _PyMonitorSpot *spots, Py_ssize_t to, int line)
{
    int own = _PyCode_LineOf(code, to);
    if (own > 0 && base_of(&code->code[to]) != OP_RESUME) {
        spots[to].may_begin |= own == line ? MAY_CONTINUE_LINE : MAY_BEGIN_LINE;
    }
}

/* Finds the instructions, and those that begin lines. 0, or -1 with MemoryError. */
static int
make_spots(PyVMCode *code)
{
    _PyMonitorSpot *spots = PyMem_RawCalloc(code->ninstr, sizeof(*spots));
    if (spots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    uint32_t at = 0;
    while (at < code->ninstr
           && (code->code[at].op == OP_RETURN_GENERATOR || code->code[at].op == OP_MAKE_CELL)) {
        at++;
    }
    int line = -1;      /* of what runs before; RESUME has none */
    for (; at < code->ninstr; at = next_of(code, at)) {
        int base = base_of(&code->code[at]);
        spots[at].is_instruction = 1;
        if (line != 0) {
            come_from(code, spots, at, line);
        }
        if (base != OP_RESUME) {
            line = ends_block(base) ? 0 : _PyCode_LineOf(code, at);
            line = line == 0 && !ends_block(base) ? -1 : line;
        }
        Py_ssize_t target = _PyVM_JumpTarget(code, at);
        if (target >= 0) {
            come_from(code, spots, target, _PyCode_LineOf(code, at));
        }
    }
    for (uint32_t i = 0; i < code->nhandlers; i++) {
        uint32_t target = code->handlers[i].target;
        if (_PyCode_LineOf(code, target) > 0) {
            spots[target].may_begin = MAY_BEGIN_LINE | MAY_CONTINUE_LINE;
        }
    }
    ((_PyCodeMonitor *)code->monitor)->spots = spots;
    return 0;
}

static void
change(uint8_t *tools, int event, uint8_t bit, unsigned added, unsigned removed)
{
    if (event < 0) {
        return;
    }
    if (added & MONITOR_BIT(event)) {
        *tools |= bit;
    }
    if (removed & MONITOR_BIT(event)) {
        *tools &= (uint8_t)~bit;
    }
}

static void
change_spots(PyVMCode *code, int tool, unsigned added, unsigned removed)
{
    _PyMonitorSpot *spots = ((_PyCodeMonitor *)code->monitor)->spots;
    uint8_t bit = (uint8_t)(1u << tool);
    for (uint32_t at = 0, before = 0; at < code->ninstr; before = at, at = next_of(code, at)) {
        _PyMonitorSpot *spot = &spots[at];
        if (!spot->is_instruction) {
            continue;
        }
        int base = base_of(&code->code[at]);
        change(&spot->own, own_event(code, at, before), bit, added, removed);
        change(&spot->instruction, MONITOR_INSTRUCTION, bit, added, removed);
        if (spot->may_begin & MAY_BEGIN_LINE) {
            change(&spot->line, MONITOR_LINE, bit, added, removed);
        }
        if (base == OP_FOR_ITER || base == OP_SEND) {
            change(&spot->stop, MONITOR_STOP_ITERATION, bit, added, removed);
        }
    }
}

/* Makes all marks anew, from what the spots say. */
static void
settle_all(PyVMCode *code)
{
    _PyCodeMonitor *m = code->monitor;
    for (uint32_t at = 0; at < code->ninstr; at++) {
        m->spots[at].notes = 0;
        if (m->spots[at].is_instruction) {
            code->code[at].line &= (uint8_t)~MONITORED;
        }
    }
    m->marked = 0;
    for (uint32_t at = 0; at < code->ninstr; at = next_of(code, at)) {
        if (m->spots[at].is_instruction) {
            settle(code, at);
        }
        if (m->spots[at].line != 0 && compares_lines(&m->spots[at])) {
            note_before(code, at, 1);
        }
    }
}

/* ---------------------------------------------------------------- switching */

/* Machine code has to be left by all threads: each function leaves it after the call that it is in.
   Until all that a thread was in have done so, it enters none. */
static void
drain(PyInterpreterState *interp)
{
    if (_PyJit_Running == 0) {
        return;
    }
    for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp); ts != NULL;
         ts = PyThreadState_Next(ts)) {
        TS_IMPL(ts)->draining = 1;
        TS_IMPL(ts)->native_ok = 0;
    }
}

/* How many attempts to enter machine code go by between two looks. */
#define LOOK_AGAIN 64

void
_PyVM_EndDraining(PyThreadState *ts)
{
    if (--TS_IMPL(ts)->draining > 0) {
        return;
    }
    int is_left = !TS_IMPL(ts)->switches_stacks || _PyJit_Running == 0;
    for (PyVMFrame *f = TS_FRAME(ts); f != NULL && is_left; f = f->previous) {
        is_left = !(f->ret == RET_NATIVE && f->dest == NATIVE_DEST);
    }
    if (is_left) {
        _PyVM_ChooseTable(ts);
    }
    else {
        TS_IMPL(ts)->draining = LOOK_AGAIN;
    }
}

/* Its machine code may or may not be entered now. */
static void
choose_way(PyInterpreterState *interp, PyVMCode *code)
{
    const PyJitCode *jit = code->jit;
    if (jit == NULL) {
        return;
    }
    int native = _PyMonitor_LeavesAlone(code, interp->monitors) && jit->room != 0
                 && !jit->declined && !jit->recording;
    code->native_entry = native ? _PyJit_EntryForCalls(code, jit) : _PyCode_DefaultEntry;
    _PyVM_MarkNative(code);
}

static _PyCodeMonitor *
monitor_of(PyVMCode *code)
{
    if (code->monitor == NULL) {
        code->monitor = PyMem_RawCalloc(1, sizeof(_PyCodeMonitor));
        if (code->monitor == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        ((_PyCodeMonitor *)code->monitor)->code = code;
    }
    return code->monitor;
}

/* The events of all code that a tool has set anew since this version: what was disabled before is
   reported again, even if the code object has not seen the time without them. */
static unsigned
set_again(const _PyMonitors *monitors, int tool, uint32_t version)
{
    unsigned events = 0;
    for (int event = 0; event < MONITOR_LOCAL; event++) {
        if ((monitors->events[tool] & MONITOR_BIT(event))
            && (int32_t)(monitors->since[tool][event] - version) > 0) {
            events |= MONITOR_BIT(event);
        }
    }
    return events;
}

/* Brings the marks of a code object up to date. 0, or -1 with MemoryError. */
static NEEDS_LOCALS int
update(PyInterpreterState *interp, PyVMCode *code)
{
    _PyCodeMonitor *m = monitor_of(code);
    if (m == NULL) {
        return -1;
    }
    const _PyMonitors *monitors = interp->monitors;
    const unsigned local = MONITOR_BIT(MONITOR_LOCAL) - 1;
    int restart = (int32_t)(monitors->restarted - m->version) > 0;
    uint32_t had_marks = m->marked;
    int changed = 0;
    for (int tool = 0; tool < MONITOR_TOOLS; tool++) {
        unsigned wanted = (monitors->events[tool] & local) | m->local[tool], had = m->wanted[tool];
        unsigned added = restart ? wanted
                         : (wanted & ~had) | set_again(monitors, tool, m->version);
        if (added == 0 && wanted == had) {
            continue;
        }
        if (m->spots == NULL && make_spots(code) < 0) {
            return -1;
        }
        change_spots(code, tool, added, had & ~wanted);
        m->wanted[tool] = (uint16_t)wanted;
        changed = 1;
    }
    m->version = monitors->version;
    if (changed) {
        settle_all(code);
    }
    if (had_marks == 0 && m->marked != 0 && code->jit != NULL) {
        drain(interp);
    }
    choose_way(interp, code);
    return 0;
}

static int
is_current(const PyInterpreterState *interp, const PyVMCode *code)
{
    const _PyCodeMonitor *m = code->monitor;
    return m != NULL && m->version == interp->monitors->version;
}

void
_PyMonitor_Changed(PyInterpreterState *interp)
{
    interp->monitors->version = _PyMonitors_Next(interp->monitors);
    uint32_t watched = 0;
    for (int tool = 0; tool < MONITOR_TOOLS; tool++) {
        watched |= interp->monitors->events[tool];
    }
    interp->monitors->watched = watched;
    _PyJit_ShowInlined();
    for (PyJitCode *jit = _PyJit_Installed; jit != NULL; jit = jit->next) {
        if (jit->code != NULL && jit->code->jit == jit) {
            choose_way(interp, jit->code);
        }
    }
    drain(interp);
    for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp); ts != NULL;
         ts = PyThreadState_Next(ts)) {
        for (PyVMFrame *f = TS_FRAME(ts); f != NULL; f = f->previous) {
            if (!is_current(interp, f->code) && update(interp, f->code) < 0) {
                PyErr_WriteUnraisable(NULL);
            }
        }
        if (TS_IMPL(ts)->vm_table != NULL) {
            _PyVM_ChooseTable(ts);
        }
    }
}

static void
unlink_monitor(_PyCodeMonitor *m)
{
    if (m->link != NULL) {
        *m->link = m->next;
        if (m->next != NULL) {
            m->next->link = m->link;
        }
        m->link = NULL;
    }
}

/* Code objects with local events can be found: while there are no other events, calls do not look
   whether their marks are up to date. */
static void
link_if_local(_PyMonitors *monitors, _PyCodeMonitor *m)
{
    unlink_monitor(m);
    unsigned any = 0;
    for (int tool = 0; tool < MONITOR_TOOLS; tool++) {
        any |= m->local[tool];
    }
    if (any) {
        m->next = monitors->with_local;
        if (m->next != NULL) {
            m->next->link = &m->next;
        }
        m->link = &monitors->with_local;
        monitors->with_local = m;
    }
}

void
_PyMonitor_Restart(PyInterpreterState *interp)
{
    interp->monitors->restarted = _PyMonitors_Next(interp->monitors);
    _PyMonitor_Changed(interp);
    for (_PyCodeMonitor *m = interp->monitors->with_local; m != NULL; m = m->next) {
        if (!is_current(interp, m->code) && update(interp, m->code) < 0) {
            PyErr_WriteUnraisable(NULL);
        }
    }
}

int
_PyMonitor_SetLocal(PyInterpreterState *interp, PyVMCode *code, int tool, unsigned events)
{
    _PyCodeMonitor *m = _PyCode_Unpack(code) < 0 ? NULL : monitor_of(code);
    if (m == NULL) {
        return -1;
    }
    if (m->local[tool] == events) {
        return 0;
    }
    if (m->marked == 0 && code->jit != NULL) {
        _PyJit_ShowInlined();
    }
    m->local[tool] = (uint16_t)events;
    link_if_local(interp->monitors, m);
    return update(interp, code);
}

void
_PyMonitor_Free(PyVMCode *code)
{
    _PyCodeMonitor *m = code->monitor;
    unlink_monitor(m);
    PyMem_RawFree(m->spots);
    PyMem_RawFree(m);
    code->monitor = NULL;
}

/* ------------------------------------------------------------ watched tables */

typedef struct {
    struct _PyHandlerTable table;       /* first: a watched table is one of these */
    const struct _PyHandlerTable *base;
} WatchedTable;

#define MOST_TABLES 12
static WatchedTable *watched_tables[MOST_TABLES];

/* A frame begins or goes on: its code object's marks may be old. */
static PRESERVE_NONE PyObject *
watch_resume(VM_PARAMS)
{
    if (unlikely(!is_current(ts->interp, f->code))) {
        SAVE_IP();
        if (update(ts->interp, f->code) < 0) {
            ERROR();
        }
        word = ip->word;        /* it may be marked now, and no longer RESUME__NATIVE */
    }
    PyHandler run = word & MONITOR_MARK ? _PyVM_Monitored
                    : ((const WatchedTable *)table)->base->op[(uint16_t)word];
    TAIL(run);
}

const struct _PyHandlerTable *
_PyVM_Watched(const struct _PyHandlerTable *base)
{
    int i = 0;
    while (i < MOST_TABLES && watched_tables[i] != NULL) {
        if (watched_tables[i]->base == base) {
            return &watched_tables[i]->table;
        }
        i++;
    }
    WatchedTable *made = i < MOST_TABLES ? PyMem_RawMalloc(sizeof(*made)) : NULL;
    if (made == NULL) {
        Py_FatalError("no memory for a table of handlers");
    }
    made->table = *base;
    made->base = base;
    made->table.op[OP_RESUME] = made->table.op[OP_RESUME__NATIVE] = watch_resume;
    watched_tables[i] = made;
    return &made->table;
}

const struct _PyHandlerTable *
_PyVM_Unwatched(const struct _PyHandlerTable *table)
{
    for (int i = 0; i < MOST_TABLES && watched_tables[i] != NULL; i++) {
        if (&watched_tables[i]->table == table) {
            return watched_tables[i]->base;
        }
    }
    return table;
}

/* ------------------------------------------------------------------- events */

/* Calls the tools in *tools, and takes out those that want to hear no more of this event here.
   0, or -1 with an exception. */
static NEEDS_LOCALS int
tell(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, int event, uint8_t *tools, PyObject *x,
     PyObject *y)
{
    if (*tools == 0 || ts->tracing) {
        return 0;
    }
    unsigned disabled = 0;
    f->ip = ip;
    int err = _PyVM_observers.monitor(ts, f, event, *tools, x, y, &disabled);
    if (disabled != 0) {
        PyVMCode *code = f->code;
        uint32_t at = (uint32_t)(ip - code->code);
        _PyCodeMonitor *m = code->monitor;
        int was = *tools != 0;
        *tools &= (uint8_t)~disabled;
        if (event == MONITOR_LINE && was && *tools == 0 && compares_lines(&m->spots[at])) {
            note_before(code, at, -1);
        }
        settle(code, at);
        if (m->marked == 0) {
            choose_way(ts->interp, code);
        }
    }
    return err;
}

static int
tell_target(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, int event, uint8_t *tools,
            const PyInstr *target)
{
    PyObject *offset = PyLong_FromSsize_t(2 * (target - f->code->code));
    int err = offset == NULL ? -1 : tell(ts, f, ip, event, tools, offset, NULL);
    Py_XDECREF(offset);
    return err;
}

static _PyMonitorSpot *
spot_of(PyVMFrame *f, const PyInstr *ip)
{
    return &((_PyCodeMonitor *)f->code->monitor)->spots[ip - f->code->code];
}

/* LINE and INSTRUCTION, before anything else. */
static NEEDS_LOCALS int
tell_place(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, const PyInstr *before)
{
    _PyMonitorSpot *spot = spot_of(f, ip);
    if (spot->line != 0) {
        const PyInstr *start = f->code->code;
        int line = _PyCode_LineAt(f->code, ip - start);
        int continues = compares_lines(spot) && before >= start
                        && _PyCode_LineAt(f->code, before - start) == line
                        && !(base_of(before) == OP_RESUME && before->a == 0);
        if (!continues) {
            PyObject *number = PyLong_FromLong(line);
            int err = number == NULL ? -1
                      : tell(ts, f, ip, MONITOR_LINE, &spot->line, number, NULL);
            Py_XDECREF(number);
            if (err < 0) {
                return -1;
            }
        }
    }
    return tell(ts, f, ip, MONITOR_INSTRUCTION, &spot->instruction, NULL, NULL);
}

/* A value is returned or yielded. */
static NEEDS_LOCALS int
tell_value(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, int event, PyReg *slot)
{
    PyObject *value = reg_object(slot);
    if (value == NULL) {
        return -1;
    }
    Py_INCREF(value);
    int err = tell(ts, f, ip, event, &spot_of(f, ip)->own, value, NULL);
    Py_DECREF(value);
    return err;
}

/* ---------------------------------------------------- instructions run here */

/* A generator that this instruction has resumed has returned `value`. Steals it. */
static int
tell_stop(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, PyObject *value)
{
    uint8_t *tools = &spot_of(f, ip)->stop;
    int err = 0;
    if (*tools != 0 && !ts->tracing) {
        PyObject *exc = PyObject_CallOneArg(PyExc_StopIteration, value);
        err = exc == NULL ? -1 : tell(ts, f, ip, MONITOR_STOP_ITERATION, tools, exc, NULL);
        Py_XDECREF(exc);
    }
    Py_DECREF(value);
    return err;
}

/* FOR_ITER. Returns where to go on, or NULL with an exception. */
static NEEDS_LOCALS const PyInstr *
run_for_iter(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    PyObject *iterator = REG_PTR(f->regs[ip->a]);
    const PyInstr *next = ip + CALL_WORDS;
    f->ip = ip;
    PyObject *item = Py_TYPE(iterator)->tp_iternext(iterator);
    if (item != NULL) {
        reg_set(&f->regs[ip->b], (PyReg)item);
    }
    else {
        int stopped = _PyErr_Occurred(ts) != NULL;
        if (stopped && !_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
            return NULL;
        }
        if (stopped && ts->c_tracefunc != NULL) {
            _PyVM_observers.exception(ts, f);
            if (!_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
                return NULL;
            }
        }
        if (PyGen_CheckExact(iterator)) {
            PyObject *value = Py_NewRef(Py_None);
            if (stopped) {
                Py_DECREF(value);
                if (_PyGen_FetchStopIterationValue(&value) < 0) {
                    return NULL;
                }
            }
            if (tell_stop(ts, f, ip, value) < 0) {
                return NULL;
            }
        }
        else if (stopped) {
            _PyVM_TellException(ts, f, MONITOR_RAISE);
            if (!_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
                return NULL;
            }
            _PyErr_Clear(ts);
        }
        next += (int32_t)CACHE(0)->arg;
        end_loop(f, ip->a);
    }
    return tell_target(ts, f, ip, MONITOR_BRANCH, &spot_of(f, ip)->own, next) < 0 ? NULL : next;
}

/* SEND. Returns where to go on, or NULL with an exception. */
static NEEDS_LOCALS const PyInstr *
run_send(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    f->ip = ip;
    PyObject *receiver = REG_PTR(f->regs[ip->a]), *result;
    PyObject *value = reg_object(&f->regs[ip->b]);
    if (value == NULL) {
        return NULL;
    }
    PySendResult outcome = PyIter_Send(receiver, value, &result);
    if (outcome == PYGEN_ERROR) {
        return NULL;
    }
    operand_done(f, ip->b);
    reg_set(&f->regs[ip->c], (PyReg)result);
    if (outcome == PYGEN_NEXT) {
        return ip + CALL_WORDS;
    }
    if ((PyGen_CheckExact(receiver) || PyCoro_CheckExact(receiver))
        && tell_stop(ts, f, ip, Py_NewRef(result)) < 0) {
        return NULL;
    }
    operand_done(f, ip->a);
    return ip + CALL_WORDS + (int32_t)CACHE(0)->arg;
}

/* A conditional jump. Returns the frame and where to go on, as a step does. */
static NEEDS_LOCALS PyStep
run_branch(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, uint64_t word)
{
    uint32_t at = (uint32_t)(ip - f->code->code);
    const PyInstr *next = ip + _PyInstr_Words(ip);
    const PyInstr *target = f->code->code + _PyVM_JumpTarget(f->code, at);
    f->ip = ip;
    PyStep step = _PyVM_steps[ip->op](f, ip, ts, NULL, word);
    if (step.f != NULL && step.f != f && step.f->previous == f && step.f == TS_FRAME(ts)) {
        step = _PyVM_FinishStep(f, ip, ts, step.f);     /* a method that says the truth */
    }
    if (step.f == f && (step.ip == next || step.ip == target)
        && tell_target(ts, f, ip, MONITOR_BRANCH, &spot_of(f, ip)->own, step.ip) < 0) {
        return _PyVM_StepError(f, ip, ts);
    }
    return step;
}

/* -------------------------------------------------------------------- calls */

typedef struct {
    PyReg *window;
    intptr_t nargs;
} Window;

/* The window of a CALL, CALL_KW, CALL_METHOD or CALL_METHOD_KW. */
static Window
window_of(PyVMFrame *f, const PyInstr *ip)
{
    int base = base_of(ip);
    Window w = {&f->regs[ip->a], ip->b};
    if (base == OP_CALL_METHOD || base == OP_CALL_METHOD_KW) {
        if (*w.window == 0) {
            w.window++;
        }
        else {
            w.nargs++;
        }
    }
    return w;
}

/* Does a call of it run its code in this evaluator? Then no event tells of its end but its own. */
static int
is_python(PyObject *callable)
{
    return PyFunction_Check(callable)
           || (PyMethod_Check(callable) && PyFunction_Check(PyMethod_GET_FUNCTION(callable)));
}

/* Tells the tools of CALL at this place how a call has ended: with a result (stolen), or, NULL,
   with the exception that is set. Returns the result, or NULL. */
static PyObject *
tell_end(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, PyObject *callable, PyObject *first,
         PyObject *result)
{
    uint8_t tools = spot_of(f, ip)->own;
    if (tools == 0 || ts->tracing) {
        return result;
    }
    if (result != NULL) {
        if (tell(ts, f, ip, MONITOR_C_RETURN, &tools, callable, first) < 0) {
            Py_CLEAR(result);
        }
        return result;
    }
    PyObject *exc = _PyErr_GetRaised(ts);
    if (tell(ts, f, ip, MONITOR_C_RAISE, &tools, callable, first) < 0) {
        Py_XDECREF(exc);
    }
    else {
        _PyErr_SetRaised(ts, exc);
    }
    return NULL;
}

/* Runs a call of something that is no Python function. Returns a new reference or NULL. */
static NEEDS_LOCALS PyObject *
run_call(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, PyReg *window, Py_ssize_t nargs)
{
    int base = base_of(ip);
    PyObject *names = base == OP_CALL_KW || base == OP_CALL_METHOD_KW
                      ? code_const(f, CACHE(0)->arg) : NULL;
    PyObject *callable = Py_NewRef(REG_PTR(*window));
    PyObject *first = Py_NewRef(nargs > 0 ? REG_PTR(window[FRAME_WORDS]) : _PyVM_observers.missing);
    PyObject *result = _PyVM_ObservedCallWindow(ts, window, nargs, names);
    result = tell_end(ts, f, ip, callable, first, result);
    Py_DECREF(first);
    Py_DECREF(callable);
    return result;
}

/* Tells of a call, before it. 1: it is run here; 0: by its handler; -1 with an exception. */
static NEEDS_LOCALS int
tell_call(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, PyReg *window, Py_ssize_t nargs)
{
    PyObject *callable = reg_object(window);
    PyObject *first = nargs > 0 ? reg_object(&window[FRAME_WORDS]) : _PyVM_observers.missing;
    if (callable == NULL || first == NULL
        || tell(ts, f, ip, MONITOR_CALL, &spot_of(f, ip)->own, callable, first) < 0) {
        return -1;
    }
    return !is_python(callable);
}

/* f(*args, **kwargs): the same. The operands are a sequence and, if ip->b is 1, a mapping. */
static PyObject *
first_of(PyObject *args)
{
    PyObject *first = PyTuple_CheckExact(args) && PyTuple_GET_SIZE(args) > 0
                          ? PyTuple_GET_ITEM(args, 0)
                      : PyList_CheckExact(args) && PyList_GET_SIZE(args) > 0
                          ? PyList_GET_ITEM(args, 0)
                          : _PyVM_observers.missing;
    return Py_NewRef(first);
}

static NEEDS_LOCALS int
tell_call_ex(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    PyReg *window = &f->regs[ip->a], *operands = window + FRAME_WORDS;
    PyObject *callable = reg_object(window);
    if (callable == NULL || box_run(operands, 1 + ip->b) < 0) {
        return -1;
    }
    PyObject *args = REG_PTR(operands[0]), *first = first_of(args);
    int err = tell(ts, f, ip, MONITOR_CALL, &spot_of(f, ip)->own, callable, first);
    Py_DECREF(first);
    if (err < 0) {
        return -1;
    }
    return !is_python(callable) && (PyTuple_CheckExact(args) || PyList_CheckExact(args))
           && (!ip->b || PyDict_CheckExact(REG_PTR(operands[1])));
}

static NEEDS_LOCALS PyObject *
run_call_ex(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    PyReg *window = &f->regs[ip->a], *operands = window + FRAME_WORDS;
    PyObject *callable = Py_NewRef(REG_PTR(*window)), *result = NULL;
    PyObject *first = first_of(REG_PTR(operands[0]));
    PyObject *args = PySequence_Tuple(REG_PTR(operands[0]));
    PyObject *kwargs = ip->b ? PyDict_Copy(REG_PTR(operands[1])) : NULL;
    if (args != NULL && (kwargs != NULL || !ip->b)) {
        result = _PyVM_ObservedCallTuple(ts, callable, args, kwargs);
    }
    result = tell_end(ts, f, ip, callable, first, result);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    clear_run(operands, 1 + ip->b);
    clear_run(window, 1);
    Py_DECREF(first);
    Py_DECREF(callable);
    return result;
}

SLOW(monitored_call)
{
    PyReg *window = window_of(f, ip).window;
    Py_ssize_t nargs = window_of(f, ip).nargs;
    int star = base_of(ip) == OP_CALL_EX;
    int here = star ? tell_call_ex(ts, f, ip) : tell_call(ts, f, ip, window, nargs);
    if (here < 0) {
        ERROR();
    }
    RELOAD();
    if (!here) {
        PyHandler run = table->op[(uint16_t)word];
        TAIL(run);
    }
    PyObject *result = star ? run_call_ex(ts, f, ip) : run_call(ts, f, ip, window, nargs);
    if (result == NULL) {
        ERROR();
    }
    FINISH_CALL(C, result);
}

/* ------------------------------------------------------------------ handler */

static inline int
is_observed(PyThreadState *ts)
{
    const struct _PyHandlerTable *table = _PyVM_Unwatched(CURRENT_TABLE(ts));
    return table == &_PyVM_observe_table || table == &_PyVM_profile_table;
}

SLOW(go_on)
{
    RELOAD();
    PyHandler run = table->op[(uint16_t)word];
    if (ip->op == OP_LOAD_CONST__RETURN_NONE && (ip[1].line & MONITORED) && !is_observed(ts)) {
        TAIL(op_LOAD_CONST__NONE);
    }
    TAIL(run);
}

SHARED_SLOW(_PyVM_Monitored)
{
    const PyInstr *before = f->ip;
    word &= SHOWS_LINES(UNTRACED_TABLE(ts)) ? ~MONITOR_MARK : ~(MONITOR_MARK | LINE_MARK);
    if (ts->interp->monitors == NULL || ts->tracing) {
        TAIL(go_on);
    }
    if (!is_current(ts->interp, f->code)) {
        SAVE_IP();
        int err = update(ts->interp, f->code);
        f->ip = before;
        if (err < 0) {
            ERROR();
        }
        if (!(ip->line & MONITORED)) {
            word = (word & ~(uint64_t)0xff) | ip->op;
            TAIL(go_on);
        }
    }
    SAVE_IP();
    if (tell_place(ts, f, ip, before) < 0) {
        ERROR();
    }
    _PyMonitorSpot *spot = spot_of(f, ip);
    int base = _PyOpcode_Info[ip->op].base;
    int runs_here = (spot->own != 0 && (is_conditional(base) || base == OP_CALL_EX
                                        || (base >= OP_CALL && base <= OP_CALL_METHOD_KW)))
                    || spot->stop != 0;
    int observed = is_observed(ts);
    if (observed) {
        f->ip = before;
        if (runs_here) {
            int traced = _PyVM_TraceLine(ts, f, ip);
            if (traced < 0) {
                TAIL(_PyVM_Error);
            }
            RELOAD();
            if (traced > 0) {
                ip = f->ip;
                word = ip->word & ~(MONITOR_MARK | LINE_MARK);
                PyHandler run = table->op[(uint16_t)word];
                TAIL(run);
            }
        }
    }
    int err = 0;
    if (spot->own != 0 && !runs_here) {
        switch (base) {
        case OP_RESUME:
            err = tell(ts, f, ip, ip->a == 0 ? MONITOR_PY_START : MONITOR_PY_RESUME, &spot->own,
                       NULL, NULL);
            break;
        case OP_RETURN:
            err = tell_value(ts, f, ip, MONITOR_PY_RETURN, &R(A));
            break;
        case OP_YIELD_VALUE: case OP_YIELD_FROM_VALUE:
            err = tell_value(ts, f, ip, MONITOR_PY_YIELD, &R(A));
            break;
        case OP_JUMP: case OP_JUMP_BACK:
            err = tell_target(ts, f, ip, MONITOR_JUMP, &spot->own, ip + 1 + ip->bc);
            break;
        }
        if (err < 0) {
            ERROR();
        }
        if (observed) {
            f->ip = before;
        }
    }
    if (runs_here) {
        SAVE_IP();
        if (base == OP_FOR_ITER || base == OP_SEND) {
            const PyInstr *next = base == OP_SEND ? run_send(ts, f, ip) : run_for_iter(ts, f, ip);
            if (next == NULL) {
                ERROR();
            }
            ip = next;
            RELOAD();
            DISPATCH();
        }
        if (is_conditional(base)) {
            PyStep step = run_branch(ts, f, ip, word & ~LINE_MARK);
            if (step.f == NULL) {
                LEAVE(step.ip);
            }
            f = step.f;
            ip = step.ip;
            RELOAD();
            DISPATCH();
        }
        TAIL(monitored_call);
    }
    /* Its opcode may have changed while Python code ran. */
    word = (word & ~(uint64_t)0xff) | ip->op;
    TAIL(go_on);
}

/* --------------------------------------------------------------- exceptions */

void
_PyVM_TellException(PyThreadState *ts, PyVMFrame *f, int event)
{
    const _PyMonitors *monitors = ts->interp->monitors;
    if (monitors == NULL || !(monitors->watched & MONITOR_BIT(event)) || ts->tracing) {
        return;
    }
    unsigned tools = 0, disabled = 0;
    for (int tool = 0; tool < MONITOR_TOOLS; tool++) {
        tools |= monitors->events[tool] & MONITOR_BIT(event) ? 1u << tool : 0;
    }
    PyObject *exc = _PyErr_GetRaised(ts);
    if (_PyVM_observers.monitor(ts, f, event, tools, exc, NULL, &disabled) < 0) {
        Py_XDECREF(exc);
    }
    else {
        _PyErr_SetRaised(ts, exc);
    }
}

void
_PyVM_TellThrow(PyThreadState *ts, PyVMFrame *f)
{
    if (TS_IMPL(ts)->watched && !is_current(ts->interp, f->code)) {
        PyObject *exc = _PyErr_GetRaised(ts);
        if (update(ts->interp, f->code) < 0) {
            _PyErr_Clear(ts);
        }
        _PyErr_SetRaised(ts, exc);
    }
    _PyVM_TellException(ts, f, MONITOR_PY_THROW);
}

/* The handlers of a thread whose frames are observed.

   Each handler of _PyVM_observe_table finds out what the instruction means for the observers
   (a new line, an entry, a return, a call into C), calls their hooks (internal/observe.h), and
   then runs the default handler of the instruction. opcodes.def says which handler an opcode
   has here. The same handlers check the operands of frames that a tracer has taken variables
   from, even if nothing observes any more.

   A thread that only has a profile function has _PyVM_profile_table: there, instructions that
   neither enter nor leave nor call are the default ones. */
#include "vm.h"
#include "internal/frame_object.h"
#include "internal/observe.h"
#include "internal/probes.h"
#include "frameobject.h"

_PyObservers _PyVM_observers;

void
PyThreadState_EnterTracing(PyThreadState *ts)
{
    _PyVM_EnterTracing(ts);
    _PyVM_ChooseTable(ts);
}

void
PyThreadState_LeaveTracing(PyThreadState *ts)
{
    _PyVM_LeaveTracing(ts);
    _PyVM_ChooseTable(ts);
}

/* ------------------------------------------------------------------ C calls */

static int
is_c_function(PyObject *callable)
{
    return PyCFunction_CheckExact(callable) || PyCMethod_CheckExact(callable);
}

/* Makes a C call with its events: `call` runs between c_call and c_return. */
#define WITH_EVENTS(ts, callable, result, call) \
    do { \
        PyVMFrame *f_ = TS_FRAME(ts); \
        if (_PyVM_observers.c_function(ts, f_, PyTrace_C_CALL, callable) != 0) { \
            result = NULL; \
            break; \
        } \
        result = call; \
        if (ts->c_profilefunc == NULL) { \
            break; \
        } \
        if (result == NULL) { \
            _PyVM_observers.c_function(ts, f_, PyTrace_C_EXCEPTION, callable); \
        } \
        else if (_PyVM_observers.c_function(ts, f_, PyTrace_C_RETURN, callable) != 0) { \
            Py_CLEAR(result); \
        } \
    } while (0)

/* Is this a call of __enter__ by a `with` statement? Those are no events: of the calls that
   the statement makes, python3.11 only reports those of __exit__ without an exception. */
static int
enters_manager(PyThreadState *ts)
{
    PyVMFrame *f = TS_FRAME(ts);
    int op = f->ip[-1].op;
    if (op != OP_BEFORE_WITH && op != OP_BEFORE_ASYNC_WITH) {
        return 0;
    }
    /* The word before may as well be an inline cache. */
    const PyInstr *at = f->code->code, *before = at;
    while (at < f->ip) {
        before = at;
        at += _PyInstr_Words(at);
    }
    return before == f->ip - 1;
}

PyObject *
_PyVM_ObservedCallWindow(PyThreadState *ts, PyReg *window, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    if (ts->c_profilefunc == NULL || ts->tracing || REG_IS_INT(*window)
        || enters_manager(ts)) {
        return _PyVM_CallWindow(ts, window, nargs, kwnames);
    }
    PyObject *callable = REG_PTR(*window), *bound = NULL, *result;
    if (is_c_function(callable)) {
        bound = Py_NewRef(callable);
    }
    else if (Py_IS_TYPE(callable, &PyMethodDescr_Type) && nargs > 0) {
        /* Observers see it as it is: a method bound to its first argument. */
        PyObject *self = reg_object(&window[FRAME_WORDS]);
        if (self == NULL) {
            return NULL;
        }
        bound = Py_TYPE(callable)->tp_descr_get(callable, self,
                                                (PyObject *)Py_TYPE(self));
        if (bound == NULL) {
            return NULL;
        }
    }
    if (bound == NULL) {
        return _PyVM_CallWindow(ts, window, nargs, kwnames);
    }
    /* Observers hear of the end before the arguments are released. */
    WITH_EVENTS(ts, bound, result, _PyVM_CallKeptWindow(ts, window, nargs, kwnames));
    _PyVM_ReleaseWindow(window, nargs);
    Py_DECREF(bound);
    return result;
}

PyObject *
_PyVM_ObservedCallTuple(PyThreadState *ts, PyObject *callable, PyObject *args,
                     PyObject *kwargs)
{
    if (ts->c_profilefunc == NULL || ts->tracing || !is_c_function(callable)) {
        return PyObject_Call(callable, args, kwargs);
    }
    PyObject *result;
    WITH_EVENTS(ts, callable, result, PyObject_Call(callable, args, kwargs));
    return result;
}

/* -------------------------------------------------------------------- lines */

/* Is the instruction no event, as most are: on the line of the one before it, and further on in
   the code? (Code that has run for a while has an array of its lines.) */
static inline int
is_no_event(PyVMFrame *f, const PyInstr *ip, const PyInstr *before)
{
    PyVMCode *code = f->code;
    const int32_t *lines = (const int32_t *)code->ob._co_linearray;
    return lines != NULL && before < ip && before >= code->code
           && before->op != OP_RESUME && before->op != OP_RESUME__NATIVE
           && lines[ip - code->code] == lines[before - code->code]
           && (f->frame_obj == NULL || !f->frame_obj->f_trace_opcodes);
}

/* The line that begins with the instruction after `before`, or -1. (A module without statements
   has line 0.) */
static inline __attribute__((always_inline)) int
line_that_begins(PyVMCode *code, const PyInstr *ip, const PyInstr *before, int known)
{
    const int32_t *lines = (const int32_t *)code->ob._co_linearray;
    const PyInstr *first = first_traceable(code);
    if (ip < first) {
        return -1;
    }
    Py_ssize_t at = ip - code->code, from = before - code->code;
    int line = known ? lines[at] : _PyCode_LineOf(code, at);
    int last = before <= first ? -1 : known ? lines[from] : _PyCode_LineOf(code, from);
    return line != last || (ip < before && ip->op != OP_SEND) ? line : -1;
}

static void
probe_line(PyVMFrame *f, const PyInstr *before)
{
    int line = line_that_begins(f->code, f->ip, before, 0);
    if (line >= 0) {
        _PyProbes_Line(f, line);
    }
}

static inline __attribute__((always_inline)) int
tell_of_instruction(PyThreadState *ts, PyVMFrame *f, const PyInstr *before, int known)
{
    int line = line_that_begins(f->code, f->ip, before, known);
    if (line < 0 && (f->frame_obj == NULL || !f->frame_obj->f_trace_opcodes
                     || f->ip < first_traceable(f->code))) {
        return 0;
    }
    return _PyVM_observers.instruction(ts, f, line);
}

static __attribute__((noinline)) int
trace_new_code(PyThreadState *ts, PyVMFrame *f, const PyInstr *before)
{
    return tell_of_instruction(ts, f, before, 0);
}

/* "line" and "opcode" events before an instruction. 0, or -1. The tracer may
   set f->ip to another place. (Code that has run for a while goes a way that saves no
   registers.) */
static int
trace_instruction(PyThreadState *ts, PyVMFrame *f, const PyInstr *before)
{
    return likely(f->code->ob._co_linearray != NULL) ? tell_of_instruction(ts, f, before, 1)
                                                     : trace_new_code(ts, f, before);
}

/* Checks the operands in a frame that may lack variables which its code takes for bound
   (_PyVM_DistrustVariables). 0, or -1 with UnboundLocalError. */
static int
check_bound(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    unsigned nlocals = (unsigned)f->code->ob.co_nlocals;
    const char *letters = _PyOpcode_Info[ip->op].operands;
    const uint16_t fields[] = {ip->a, ip->b, ip->c};
    if (ip->op == OP_RAISE && ip->c < 2) {
        letters = ip->c ? "r--" : "---";
    }
    for (int k = 0; k < 3; k++) {
        if ((letters[k] == 'r' || letters[k] == 'k') && fields[k] < nlocals
            && f->regs[fields[k]] == 0) {
            _PyVM_UnboundLocal(ts, f, fields[k]);
            return -1;
        }
    }
    return 0;
}

/* ----------------------------------------------------------------- handlers */

/* Runs the default handler of the instruction, which continues with the table in
   force. */
#define RUN(handler) \
    do { \
        RELOAD(); \
        PyHandler run_ = (handler); \
        TAIL(run_); \
    } while (0)
#define DEFAULT_HANDLER() \
    (UNTRACED_TABLE(ts)->op[(uint16_t)word])

#define OBSERVER(name) static PRESERVE_NONE PyObject *observe_##name(VM_PARAMS)

/* Shows native profilers the line of a marked instruction. */
static void
begin_line(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    if (SHOWS_LINES(UNTRACED_TABLE(ts))) {
        show_line(ts, f, ip);
    }
}

OBSERVER(marked)
{
    begin_line(ts, f, ip);
    word &= ~LINE_MARK;
    PyHandler unmarked = _PyVM_observe_table.op[(uint16_t)word];
    TAIL(unmarked);
}

int
_PyVM_TraceLine(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    const PyInstr *before = f->ip;
    SAVE_IP();
    if (PROBE_IS_ATTACHED(line) && !ts->tracing) {
        probe_line(f, before);
    }
    if (ts->c_tracefunc != NULL && !ts->tracing && trace_instruction(ts, f, before) != 0) {
        return -1;
    }
    if (f->ip != ip) {
        return 1;
    }
    return f->flags & FRAME_UNBOUND ? check_bound(ts, f, ip) : 0;
}

#define TRACE_LINE() \
    do { \
        const PyInstr *before_ = f->ip; \
        SAVE_IP(); \
        if (PROBE_IS_ATTACHED(line) && !ts->tracing) { \
            probe_line(f, before_); \
        } \
        if (ts->c_tracefunc != NULL && !is_no_event(f, ip, before_) && !ts->tracing) { \
            if (trace_instruction(ts, f, before_) != 0) { \
                TAIL(_PyVM_Error); \
            } \
            if (ip != f->ip) { \
                /* The tracer has jumped. The line is not reported again. */ \
                if (f->ip->line & 1) { \
                    begin_line(ts, f, f->ip); \
                } \
                ip = f->ip; \
                word = ip->word & ~(LINE_MARK | MONITOR_MARK); \
                if (ip == first_traceable(f->code)) { \
                    RUN(DEFAULT_HANDLER());     /* no call */ \
                } \
                RUN(_PyVM_observe_table.op[(uint16_t)word]); \
            } \
        } \
        if (unlikely(f->flags & FRAME_UNBOUND) && check_bound(ts, f, ip) != 0) { \
            TAIL(_PyVM_Error); \
        } \
    } while (0)

OBSERVER(any)
{
    TRACE_LINE();
    RUN(DEFAULT_HANDLER());
}

/* Entry and resumption. */
OBSERVER(resume)
{
    SAVE_IP();
    if (!_PyObserve_IsWanted(ts) || (_PyVM_Unwatched(table) == &_PyVM_profile_table
                                     && PROBE_IS_ATTACHED(line))) {
        _PyVM_ChooseTable(ts);      /* a tracer has come or gone, which gives no notice */
    }
    if (_PyVM_observers.frame(ts, f, PyTrace_CALL, Py_None) < 0) {
        TAIL(_PyVM_Error);
    }
    RUN(DEFAULT_HANDLER());
}

static int
leaving(PyThreadState *ts, PyVMFrame *f, PyReg *slot)
{
    PyObject *value = reg_object(slot);
    return value == NULL ? -1 : _PyVM_observers.frame(ts, f, PyTrace_RETURN, value);
}

OBSERVER(leave)
{
    TRACE_LINE();
    if (leaving(ts, f, &R(A)) < 0) {
        SAVE_IP();
        TAIL(_PyVM_EndFrame);
    }
    if (f->ip != ip) {
        RUN(_PyVM_YieldJumped);
    }
    RUN(DEFAULT_HANDLER());
}

/* Runs only the load of this combined instruction: the RETURN after it is observed
   separately. */
OBSERVER(return_none)
{
    TRACE_LINE();
    RUN(op_LOAD_CONST__NONE);
}

#define OBSERVE_CALL(name, handler) \
    OBSERVER(name) \
    { \
        TRACE_LINE(); \
        RUN(handler); \
    }

OBSERVE_CALL(call, _PyVM_ObservedCall)
OBSERVE_CALL(call_kw, _PyVM_ObservedCallKw)
OBSERVE_CALL(call_method, _PyVM_ObservedCallMethod)
OBSERVE_CALL(call_method_kw, _PyVM_ObservedCallMethodKw)

/* Under observation generators are resumed by C calls, because the StopIteration
   that ends one with a value is an event. */
OBSERVER(for_iter)
{
    TRACE_LINE();
    if (ts->c_tracefunc == NULL) {
        RUN(DEFAULT_HANDLER());
    }
    RUN(op_FOR_ITER);
}

OBSERVER(send)
{
    TRACE_LINE();
    if (ts->c_tracefunc == NULL) {
        RUN(DEFAULT_HANDLER());
    }
    RUN(_PyVM_SendByMethod);
}

const struct _PyHandlerTable _PyVM_observe_table = {{
#define OP(name, cache, operands) [OP_##name] = observe_any,
#define OP_SEEN(name, cache, operands, seen) [OP_##name] = observe_##seen,
#define SPECIAL_SEEN(base, what, cache, operands, seen) \
    [OP_##base##__##what] = observe_##seen,
#include "internal/opcodes.def"
#undef OP
    [LINE_BANK ... LINE_BANK + OP__COUNT - 1] = observe_marked,
    MONITOR_BANKS,
}};

#define OP(name, cache, operands) [OP_##name] = op_##name,
#define OP_SEEN(name, cache, operands, seen) [OP_##name] = observe_##seen,
#define SPECIAL_SEEN(base, what, cache, operands, seen) \
    [OP_##base##__##what] = observe_##seen,
const struct _PyHandlerTable _PyVM_profile_table = {{
#include "internal/opcodes.def"
#undef OP
    [LINE_BANK ... LINE_BANK + OP__COUNT - 1] = observe_marked,
    MONITOR_BANKS,
}};

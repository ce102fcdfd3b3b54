/* Tracing and profiling: sys.settrace, sys.setprofile and their C forms, and the static
   probes of functions and lines.

   While a thread has a trace or profile function, or a tracer is attached to one of these
   probes, its handlers are those of
   _PyVM_observe_table: each looks at what the instruction means for the
   observers (a new line, an entry, a return, a call into C), tells them, and
   then runs the default handler of the instruction. The functions themselves
   run with the default table, because ts->tracing is not 0 then. The same handlers
   check the operands of frames that a tracer has taken variables from, whoever still
   observes. */
#include "../../vm/vm.h"
#include "internal/frame_object.h"
#include "internal/observe.h"
#include "frameobject.h"

/* ------------------------------------------------------------------ events */

void
PyThreadState_EnterTracing(PyThreadState *ts)
{
    ts->tracing++;
    ts->cframe->use_tracing = 0;
    _PyVM_ChooseTable(ts);
}

void
PyThreadState_LeaveTracing(PyThreadState *ts)
{
    ts->tracing--;
    ts->cframe->use_tracing =
        ts->c_tracefunc != NULL || ts->c_profilefunc != NULL ? 255 : 0;
    _PyVM_ChooseTable(ts);
}

typedef enum { TRACER, PROFILER } Observer;

static inline Py_tracefunc
function_of(PyThreadState *ts, Observer who)
{
    return who == TRACER ? ts->c_tracefunc : ts->c_profilefunc;
}

/* Tells one observer. 0, or what it returned. */
static int
tell(PyThreadState *ts, Observer who, PyVMFrame *f, int what, PyObject *arg)
{
    if (function_of(ts, who) == NULL || ts->tracing) {
        return 0;
    }
    PyFrameObject *frame_obj = _PyFrame_GetFrameObject(f);
    if (frame_obj == NULL) {
        return -1;
    }
    /* The new frame object may have brought a collection, and that Python code which
       has changed or dropped the observer. */
    Py_tracefunc func = function_of(ts, who);
    PyObject *obj = who == TRACER ? ts->c_traceobj : ts->c_profileobj;
    if (func == NULL) {
        return 0;
    }
    Py_INCREF(frame_obj);
    Py_XINCREF(obj);
    int old_what = ts->tracing_what;
    ts->tracing_what = what;
    PyThreadState_EnterTracing(ts);
    frame_obj->f_lineno = _PyFrame_LineOf(f);
    int result = func(obj, frame_obj, what, arg);
    frame_obj->f_lineno = 0;
    PyThreadState_LeaveTracing(ts);
    ts->tracing_what = old_what;
    Py_XDECREF(obj);
    Py_DECREF(frame_obj);
    return result;
}

/* The same while an exception is set, which is kept unless the observer
   raises. */
static int
tell_protected(PyThreadState *ts, Observer who, PyVMFrame *f, int what, PyObject *arg)
{
    PyObject *type, *value, *traceback;
    if (function_of(ts, who) == NULL || ts->tracing) {
        return 0;
    }
    _PyErr_Fetch(ts, &type, &value, &traceback);
    int err = tell(ts, who, f, what, arg);
    if (err == 0) {
        _PyErr_Restore(ts, type, value, traceback);
        return 0;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return -1;
}

static int
tell_both(PyThreadState *ts, PyVMFrame *f, int what, PyObject *arg)
{
    if (!ts->tracing) {
        if (what == PyTrace_CALL && PROBE_IS_ATTACHED(function__entry)) {
            _PyProbes_FunctionEntry(f);
        }
        if (what == PyTrace_RETURN && PROBE_IS_ATTACHED(function__return)) {
            _PyProbes_FunctionReturn(f);
        }
    }
    if (tell_protected(ts, TRACER, f, what, arg) < 0) {
        return -1;
    }
    return tell_protected(ts, PROFILER, f, what, arg);
}

void
_PyObserve_Unwind(PyThreadState *ts, PyVMFrame *f)
{
    tell_both(ts, f, PyTrace_RETURN, NULL);
}

void
_PyObserve_Throw(PyThreadState *ts, PyVMFrame *f)
{
    tell_both(ts, f, PyTrace_CALL, Py_None);
}

void
_PyObserve_Exception(PyThreadState *ts, PyVMFrame *f)
{
    if (ts->tracing) {
        return;
    }
    PyObject *type, *value, *original;
    _PyErr_Fetch(ts, &type, &value, &original);
    if (value == NULL) {
        value = Py_NewRef(Py_None);
    }
    PyObject *traceback = original;
    _PyErr_NormalizeException(ts, &type, &value, &traceback);
    PyObject *arg = PyTuple_Pack(3, type, value,
                                 traceback != NULL ? traceback : Py_None);
    if (arg == NULL) {
        _PyErr_Restore(ts, type, value, traceback);
        return;
    }
    int err = tell(ts, TRACER, f, PyTrace_EXCEPTION, arg);
    Py_DECREF(arg);
    if (err == 0) {
        _PyErr_Restore(ts, type, value, traceback);
        return;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/* ----------------------------------------------------------------- C calls */

static int
is_c_function(PyObject *callable)
{
    return PyCFunction_CheckExact(callable) || PyCMethod_CheckExact(callable);
}

/* Wraps a call: the result with its events. `call` runs between them. */
#define WITH_EVENTS(ts, callable, result, call) \
    do { \
        PyVMFrame *f_ = TS_FRAME(ts); \
        if (tell(ts, PROFILER, f_, PyTrace_C_CALL, callable) != 0) { \
            result = NULL; \
            break; \
        } \
        result = call; \
        if (ts->c_profilefunc == NULL) { \
            break; \
        } \
        if (result == NULL) { \
            tell_protected(ts, PROFILER, f_, PyTrace_C_EXCEPTION, callable); \
        } \
        else if (tell(ts, PROFILER, f_, PyTrace_C_RETURN, callable) != 0) { \
            Py_CLEAR(result); \
        } \
    } while (0)

/* A `with` enters its managers quietly: python3.11 tells of the calls of __exit__
   without an exception, and of no other that the statement makes. */
static int
enters_manager(PyThreadState *ts)
{
    int op = TS_FRAME(ts)->ip[-1].op;
    return op == OP_BEFORE_WITH || op == OP_BEFORE_ASYNC_WITH;
}

PyObject *
_PyObserve_CallWindow(PyThreadState *ts, PyReg *window, Py_ssize_t nargs,
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
        /* Seen as what it is: a method bound to its first argument. */
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
    WITH_EVENTS(ts, bound, result, _PyVM_CallWindow(ts, window, nargs, kwnames));
    Py_DECREF(bound);
    return result;
}

PyObject *
_PyObserve_CallTuple(PyThreadState *ts, PyObject *callable, PyObject *args,
                     PyObject *kwargs)
{
    if (ts->c_profilefunc == NULL || ts->tracing || !is_c_function(callable)) {
        return PyObject_Call(callable, args, kwargs);
    }
    PyObject *result;
    WITH_EVENTS(ts, callable, result, PyObject_Call(callable, args, kwargs));
    return result;
}

/* ------------------------------------------------------------------- lines */

/* The instruction at which a code object really starts: what stands before its
   first RESUME only prepares the frame. */
static const PyInstr *
first_traceable(PyVMCode *code)
{
    const PyInstr *ip = code->code;
    while (ip->op == OP_RETURN_GENERATOR || ip->op == OP_MAKE_CELL) {
        ip++;
    }
    return ip;
}

/* The line that begins with the instruction behind `before`, or 0. */
static int
line_that_begins(PyVMCode *code, const PyInstr *ip, const PyInstr *before)
{
    const PyInstr *first = first_traceable(code);
    if (ip < first) {
        return 0;
    }
    int line = _PyCode_LineOf(code, ip - code->code);
    int last = before <= first ? -1 : _PyCode_LineOf(code, before - code->code);
    return line > 0 && (line != last || (ip < before && ip->op != OP_SEND)) ? line : 0;
}

static void
probe_line(PyVMFrame *f, const PyInstr *before)
{
    int line = line_that_begins(f->code, f->ip, before);
    if (line > 0) {
        _PyProbes_Line(f, line);
    }
}

/* "line" and "opcode" events before an instruction. 0, or -1. The tracer may
   set f->ip to another place. */
static int
trace_instruction(PyThreadState *ts, PyVMFrame *f, const PyInstr *before)
{
    PyVMCode *code = f->code;
    const PyInstr *ip = f->ip;
    if (ip < first_traceable(code)) {
        return 0;
    }
    PyFrameObject *frame_obj = _PyFrame_GetFrameObject(f);
    if (frame_obj == NULL) {
        return -1;
    }
    if (frame_obj->f_trace_lines) {
        if (line_that_begins(code, ip, before) > 0
            && tell(ts, TRACER, f, PyTrace_LINE, Py_None) != 0) {
            return -1;
        }
    }
    if (frame_obj->f_trace_opcodes) {
        return tell(ts, TRACER, f, PyTrace_OPCODE, Py_None);
    }
    return 0;
}

/* The operands of a frame that may lack variables which its code takes for bound
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

/* ---------------------------------------------------------------- handlers */

/* The default handler for the instruction, which goes on with the table in
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

/* A marked instruction, for native profilers that are shown lines. */
static void
begin_line(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    if (UNTRACED_TABLE(ts) == &_PyVM_lines_table) {
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

#define TRACE_LINE() \
    do { \
        const PyInstr *before_ = f->ip; \
        SAVE_IP(); \
        if (PROBE_IS_ATTACHED(line) && !ts->tracing) { \
            probe_line(f, before_); \
        } \
        if (ts->c_tracefunc != NULL && !ts->tracing) { \
            if (trace_instruction(ts, f, before_) != 0) { \
                TAIL(_PyVM_Error); \
            } \
            if (ip != f->ip) { \
                /* The tracer has jumped. The line is not told of again. */ \
                if (f->ip->line) { \
                    begin_line(ts, f, f->ip); \
                } \
                ip = f->ip; \
                word = ip->word & ~LINE_MARK; \
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
    if (!_PyObserve_IsWanted(ts)) {
        _PyVM_ChooseTable(ts);      /* a tracer has detached, and tells nobody */
    }
    if (tell_both(ts, f, PyTrace_CALL, Py_None) < 0) {
        TAIL(_PyVM_Error);
    }
    RUN(DEFAULT_HANDLER());
}

static int
leaving(PyThreadState *ts, PyVMFrame *f, PyReg *slot)
{
    PyObject *value = reg_object(slot);
    return value == NULL ? -1 : tell_both(ts, f, PyTrace_RETURN, value);
}

OBSERVER(leave)
{
    TRACE_LINE();
    if (leaving(ts, f, &R(A)) < 0) {
        /* The frame is over: what the hook raised has its entry for it already. */
        SAVE_IP();
        TAIL(_PyVM_Reraise);
    }
    if (f->ip != ip) {
        RUN(_PyVM_YieldJumped);
    }
    RUN(DEFAULT_HANDLER());
}

/* Half of what the instruction stands for: the RETURN behind it is observed by
   itself. */
OBSERVER(LOAD_CONST__RETURN_NONE)
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

OBSERVE_CALL(CALL, _PyVM_ObservedCall)
OBSERVE_CALL(CALL_KW, _PyVM_ObservedCallKw)
OBSERVE_CALL(CALL_METHOD, _PyVM_ObservedCallMethod)
OBSERVE_CALL(CALL_METHOD_KW, _PyVM_ObservedCallMethodKw)

/* Generators are resumed by C calls while a tracer looks on: the StopIteration
   that ends one with a value is an event. */
OBSERVER(FOR_ITER)
{
    TRACE_LINE();
    if (ts->c_tracefunc == NULL) {
        RUN(DEFAULT_HANDLER());
    }
    RUN(op_FOR_ITER);
}

OBSERVER(SEND)
{
    TRACE_LINE();
    if (ts->c_tracefunc == NULL) {
        RUN(DEFAULT_HANDLER());
    }
    RUN(_PyVM_SendByMethod);
}

/* Later initialisers win: first every opcode, then the special ones. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
const struct _PyHandlerTable _PyVM_observe_table = {{
#define OP(name, cache, operands) [OP_##name] = observe_any,
#include "internal/opcodes.def"
#undef OP
    [OP_RESUME] = observe_resume,
    [OP_RETURN] = observe_leave,
    [OP_LOAD_CONST__RETURN_NONE] = observe_LOAD_CONST__RETURN_NONE,
    [OP_YIELD_VALUE] = observe_leave,
    [OP_YIELD_FROM_VALUE] = observe_leave,
    [OP_FOR_ITER] = observe_FOR_ITER,
    [OP_SEND] = observe_SEND,
    [OP_CALL] = observe_CALL,
#define SPECIAL(base, what, cache, operands) SPECIAL_##base(base##__##what)
#define OP(name, cache, operands)
#define SPECIAL_CALL(op) [OP_##op] = observe_CALL,
#define SPECIAL_CALL_METHOD(op) [OP_##op] = observe_CALL_METHOD,
#define SPECIAL_LOAD_GLOBAL(op)
#define SPECIAL_LOAD_NAME(op)
#define SPECIAL_STORE_NAME(op)
#define SPECIAL_STORE_GLOBAL(op)
#define SPECIAL_LOAD_ATTR(op)
#define SPECIAL_STORE_ATTR(op)
#define SPECIAL_LOAD_METHOD(op)
#define SPECIAL_LOAD_CONST(op)
#define SPECIAL_MOVE(op)
#define SPECIAL_LOAD_SUBSCR(op)
#define SPECIAL_FOR_ITER(op) [OP_##op] = observe_FOR_ITER,
#include "internal/opcodes.def"
#undef OP
    [OP_CALL_KW] = observe_CALL_KW,
    [OP_CALL_METHOD] = observe_CALL_METHOD,
    [OP_CALL_METHOD_KW] = observe_CALL_METHOD_KW,
    [LINE_BANK ... LINE_BANK + OP__COUNT - 1] = observe_marked,
}};
#pragma GCC diagnostic pop

/* --------------------------------------------------------------- switching */

int
_PyEval_SetProfile(PyThreadState *ts, Py_tracefunc func, PyObject *obj)
{
    if (PySys_Audit("sys.setprofile", NULL) < 0) {
        return -1;
    }
    /* The old function's destructor could install another one. */
    static int installing;
    if (installing) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Cannot install a profile function while another profile "
                        "function is being installed");
        return -1;
    }
    installing = 1;
    PyObject *old = ts->c_profileobj;
    ts->c_profilefunc = NULL;
    ts->c_profileobj = NULL;
    Py_XDECREF(old);
    installing = 0;
    ts->c_profileobj = Py_XNewRef(obj);
    ts->c_profilefunc = func;
    ts->cframe->use_tracing = func != NULL || ts->c_tracefunc != NULL ? 255 : 0;
    _PyVM_ChooseTable(ts);
    return 0;
}

int
_PyEval_SetTrace(PyThreadState *ts, Py_tracefunc func, PyObject *obj)
{
    if (PySys_Audit("sys.settrace", NULL) < 0) {
        return -1;
    }
    /* The old function's destructor could install another one. */
    static int installing;
    if (installing) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Cannot install a trace function while another trace "
                        "function is being installed");
        return -1;
    }
    installing = 1;
    PyObject *old = ts->c_traceobj;
    ts->c_tracefunc = NULL;
    ts->c_traceobj = NULL;
    Py_XDECREF(old);
    installing = 0;
    ts->c_traceobj = Py_XNewRef(obj);
    ts->c_tracefunc = func;
    ts->cframe->use_tracing =
        func != NULL || ts->c_profilefunc != NULL ? 255 : 0;
    _PyVM_ChooseTable(ts);
    return 0;
}

void
PyEval_SetProfile(Py_tracefunc func, PyObject *obj)
{
    PyThreadState *ts = _PyThreadState_GET();
    if (_PyEval_SetProfile(ts, func, obj) < 0) {
        PyErr_WriteUnraisable(NULL);
    }
}

void
PyEval_SetTrace(Py_tracefunc func, PyObject *obj)
{
    PyThreadState *ts = _PyThreadState_GET();
    if (_PyEval_SetTrace(ts, func, obj) < 0) {
        PyErr_WriteUnraisable(NULL);
    }
}

/* A destructor of what a thread had before may start or end threads: each step begins
   at the list's head, and what is done is known by its number. */
static void
for_all_threads(int (*set)(PyThreadState *, Py_tracefunc, PyObject *), Py_tracefunc func,
                PyObject *obj)
{
    PyInterpreterState *interp = _PyThreadState_GET()->interp;
    uint64_t below = UINT64_MAX;
    for (;;) {
        PyThreadState *next = NULL;
        for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp); ts != NULL;
             ts = PyThreadState_Next(ts)) {
            if (ts->id < below && (next == NULL || ts->id > next->id)) {
                next = ts;
            }
        }
        if (next == NULL) {
            return;
        }
        below = next->id;
        if (set(next, func, obj) < 0) {
            PyErr_WriteUnraisable(NULL);
        }
    }
}

void
PyEval_SetProfileAllThreads(Py_tracefunc func, PyObject *obj)
{
    for_all_threads(_PyEval_SetProfile, func, obj);
}

void
PyEval_SetTraceAllThreads(Py_tracefunc func, PyObject *obj)
{
    for_all_threads(_PyEval_SetTrace, func, obj);
}

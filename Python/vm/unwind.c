/* What happens when an exception is set: the traceback entry, the search for a
   handler, and the end of frames that have none. */
#include "vm.h"
#include "internal/unseen.h"
#include "internal/dict.h"
#include "internal/traceback.h"
#include "internal/monitoring.h"
#include "internal/frame_object.h"
#include "internal/observe.h"
#include "internal/probes.h"
#include "frameobject.h"

static void
add_traceback(PyThreadState *ts, PyVMFrame *f)
{
    (void)ts;
    PyFrameObject *frame_obj = _PyFrame_GetFrameObject(f);
    if (frame_obj != NULL) {
        PyTraceBack_Here(frame_obj);
    }
}

/* For a frame with observers: an instruction that raises has taken its operands, which die before
   anybody hears of the exception, in the order of python3.11. (Else _PyVM_ReleaseTemporaries() is
   enough.) What an attribute is looked up in stays where it is, as there. */
static void
release_operands(PyVMFrame *f)
{
    const PyInstr *ip = f->ip;
    if (ip < f->code->code) {
        return;
    }
    unsigned op = _PyOpcode_Info[ip->op].base;
    if (op == OP_LOAD_ATTR || op == OP_LOAD_METHOD || op == OP_BEFORE_WITH
        || op == OP_BEFORE_ASYNC_WITH || op == OP_RAISE) {
        return;                 /* (RAISE has not all of its operands, and took those) */
    }
    const char *letters = _PyOpcode_Info[op].operands;
    const uint16_t regs[] = {ip->a, ip->b, ip->c};
    unsigned first = op == OP_STORE_SUBSCR ? 2 : op == OP_STORE_ATTR ? 1 : 0;
    for (unsigned n = 0; n < 3; n++) {
        unsigned k = (first + n) % 3;
        if (letters[k] == 'r') {
            operand_done(f, regs[k]);
        }
        else if (letters[k] == '\0') {
            break;
        }
    }
}

/* A clean-up has fewer words: POP_EXCEPT or `name = None; del name`, and RERAISE. */
#define LONGEST_CLEANUP 16

/* For a frame that ends in a handler's clean-up, or goes on from there to another handler: makes
   it show where the exception came from. That is what has raised last in this frame (a `raise`
   without operands, say), or the place in the traceback if the frame has no object for the note. */
static inline void
show_origin(PyThreadState *ts, PyVMFrame *f)
{
    PyTracebackObject *tb = (PyTracebackObject *)ts->curexc_traceback;
    PyVMCode *code = f->code;
    if (f->ip->op != OP_RERAISE || !f->ip->b) {
        return;
    }
    _PyFrameHandled *handled = _PyFrame_Handled(f);
    uint32_t here = (uint32_t)(f->ip - code->code) + 1;
    if (handled != NULL && handled->from != 0
        && handled->to <= here && here - handled->to < LONGEST_CLEANUP) {
        f->ip = code->code + handled->from - 1;
    }
    else if (tb != NULL && f->frame_obj != NULL && tb->tb_frame == f->frame_obj
             && tb->tb_lasti >= 0 && tb->tb_lasti / 2 < (int)code->ninstr) {
        f->ip = code->code + tb->tb_lasti / 2;
    }
}

/* The handler at `target` is about to get the exception. Returns it, or NULL: a tool's callback
   has raised another one, there. Steals and returns a reference. */
static NEEDS_LOCALS PyObject *
tell_handled(PyThreadState *ts, PyVMFrame *f, const PyInstr *target, PyObject *exc)
{
    const PyInstr *raised_at = f->ip;
    f->ip = target;
    _PyErr_SetRaised(ts, Py_NewRef(exc));
    _PyVM_TellException(ts, f, MONITOR_EXCEPTION_HANDLED);
    PyObject *now = _PyErr_GetRaised(ts);
    int same = now == exc;
    Py_DECREF(exc);
    if (!same) {
        _PyErr_SetRaised(ts, now);
        return NULL;
    }
    f->ip = raised_at;
    return now;
}

/* The value of a LOAD_GLOBAL that is cached, borrowed; NULL: it is not. */
static inline PyObject *
cached_global(PyVMFrame *f, const PyInstr *in)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    struct _dictkeysobject *keys = ((PyDictObject *)frame_func(f)->func_globals)->ma_keys;
    if (keys->version != cache[1].version) {
        return NULL;
    }
    if (in->op == OP_LOAD_GLOBAL__BUILTIN) {
        PyObject *builtins = frame_func(f)->func_builtins;
        if (!PyDict_CheckExact(builtins)
            || ((PyDictObject *)builtins)->ma_keys->version != cache[1].version2) {
            return NULL;
        }
        keys = ((PyDictObject *)builtins)->ma_keys;
    }
    else if (in->op != OP_LOAD_GLOBAL__MODULE) {
        return NULL;
    }
    return _PyDictKeys_UnicodeEntries(keys)[cache[2].word].value;
}

/* Would the exception in flight leave no trace, if it were made and dropped at once? Classes of
   Python's may have a finalizer, some classes of C's can't be made of any value, and whoever else
   has the exception is to find the traceback in it. */
static inline int
is_droppable(PyThreadState *ts)
{
    PyTypeObject *type = (PyTypeObject *)ts->curexc_type;
    PyObject *value = ts->curexc_value;
    if (type == NULL || (type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    if (value != NULL && PyExceptionInstance_Check(value)) {
        return Py_IS_TYPE(value, type) && Py_REFCNT(value) == 1;
    }
    const PyTypeObject *simple = (PyTypeObject *)PyExc_ValueError;
    return (type->tp_init == simple->tp_init && type->tp_new == simple->tp_new)
           || type == (PyTypeObject *)PyExc_StopIteration;
}

/* What a handler that does not look at the exception in flight (unseen.h) catches it by. */
typedef struct {
    const PyInstr *behind;      /* where it goes on; NULL: there is no such handler */
    const PyInstr *load;        /* NULL: it catches everything */
    PyObject *cls;
    PyObject *type;
} Unseen;

/* Does this handler? */
static inline Unseen
caught_unseen(PyThreadState *ts, PyVMFrame *f, const PyHandlerRange *range)
{
    Unseen unseen = {.type = ts->curexc_type};
    uint32_t behind = _PyVM_BehindUnseen(f->code, range->target, &unseen.load);
    if (behind == 0 || !is_droppable(ts) || ts->c_tracefunc != NULL
        || PROBE_IS_ATTACHED(exception__raise)) {
        return unseen;
    }
    if (unseen.load != NULL) {
        unseen.cls = cached_global(f, unseen.load);
        if (unseen.cls != unseen.type
            && (unseen.cls == NULL || !PyExceptionClass_Check(unseen.cls)
                || !PyType_IsSubtype((PyTypeObject *)unseen.type, (PyTypeObject *)unseen.cls))) {
            return unseen;
        }
    }
    unseen.behind = f->code->code + behind;
    return unseen;
}

/* A finalizer may have changed what the class's name means, or installed a tracer. */
static inline int
is_still_caught(PyThreadState *ts, PyVMFrame *f, const Unseen *unseen)
{
    return ts->curexc_type == unseen->type && ts->c_tracefunc == NULL
           && (unseen->load == NULL || cached_global(f, unseen->load) == unseen->cls);
}

/* For new_entry: an observer has raised when it heard that the frame ends, or that an exception
   is thrown into it. The frame has no handler for that, and nobody hears of it again. */
#define NOT_AGAIN (-1)

static inline const PyHandlerRange *
handler_of(const PyVMFrame *f)
{
    PyVMCode *code = f->code;
    return code->nhandlers ? _PyCode_FindHandler(code, (uint32_t)(f->ip - code->code)) : NULL;
}

/* Goes to the innermost handler for the exception in flight: in this frame,
   or in one below it up to the first of the evaluator. NULL: no handler, and that
   frame has ended. f->ip stays at the instruction that raised, so that a
   tracer sees the step from its line to the handler's. special: the handlers in force are not
   the default ones, so frames may have records, and tools may want to hear of exceptions. */
static inline __attribute__((always_inline)) PyVMFrame *
unwind(PyThreadState *ts, PyVMFrame *f, int new_entry, int special,
       const PyInstr **target)
{
    int again = 0;
    for (;;) {
        int ended = special && new_entry == NOT_AGAIN;
        expect_exception(ts, f);
        const PyHandlerRange *range = NULL;
        Unseen unseen = {0};
        if (!special) {
            range = handler_of(f);
            if (new_entry && range != NULL) {
                unseen = caught_unseen(ts, f, range);
            }
        }
        if (new_entry && !ended && unseen.behind == NULL) {
            if (PROBE_IS_ATTACHED(exception__raise) && ts->curexc_traceback == NULL) {
                _PyProbes_ExceptionRaise(ts, f);
            }
            if (special) {
                release_operands(f);
            }
            add_traceback(ts, f);
            if (ts->c_tracefunc != NULL) {
                _PyVM_observers.exception(ts, f);
            }
        }
        if (special && !again && !ended) {
            _PyVM_TellException(ts, f, new_entry ? MONITOR_RAISE : MONITOR_RERAISE);
        }
        PyVMCode *code = f->code;
        if (special && !ended) {
            range = handler_of(f);
        }
        if (range != NULL) {
            _PyVM_ReleaseTemporaries(f, range->depth);
            expect_exception(ts, f);
            if (unseen.behind != NULL) {
                if (likely(is_still_caught(ts, f, &unseen))) {
                    f->ip = unseen.behind - 1;      /* the POP_EXCEPT, where it would die */
                    _PyErr_Clear(ts);
                    *target = unseen.behind;
                    return f;
                }
                add_traceback(ts, f);
            }
            show_origin(ts, f);
            _PyFrameHandled *handled = _PyFrame_Handled(f);
            if (handled != NULL) {
                handled->from = (uint32_t)(f->ip - code->code) + 1;
                handled->to = range->target + 1;
            }
            PyObject *exc = _PyErr_GetRaised(ts);
            if (special && TS_IMPL(ts)->watched) {
                exc = tell_handled(ts, f, code->code + range->target, exc);
                if (exc == NULL) {
                    new_entry = 0;
                    again = 1;
                    continue;
                }
            }
            reg_set(&f->regs[range->exc], (PyReg)exc);
            *target = code->code + range->target;
            return f;
        }
        _PyVM_ReleaseTemporaries(f, code->first_temp);
        show_origin(ts, f);
        if (special && !ended) {
            _PyVM_TellException(ts, f, MONITOR_PY_UNWIND);
        }
        if (!ended && _PyObserve_IsWanted(ts)) {
            _PyVM_observers.frame(ts, f, PyTrace_RETURN, NULL);
        }
        PyVMFrame *previous = f->previous;
        int ret = f->ret;
        unsigned flags = f->flags;
        if (f->owner == FRAME_GENERATOR) {
            PyGenObject *gen = GEN_OF_FRAME(f);
            _PyGen_ConvertStop(ts, gen);
            _PyVM_LeaveGenerator(ts, f, GEN_COMPLETED);
            _PyVM_ClearFrame(ts, f);
        }
        else {
            if (ret == RET_INIT) {
                reg_release(take_instance(f));
            }
            _PyVM_ClearFrame(ts, f);
        }
        leave_python_frame(ts, flags);
        TS_FRAME(ts) = previous;
        if (ret == RET_NATIVE) {
            return NULL;        /* the caller's frame does the complaining */
        }
        if (ret == RET_ENTRY) {
            expect_exception(ts, NULL);
            return NULL;
        }
        if (special) {
            take_record_back(ts, f);
        }
        f = previous;
        if (ret == RET_REG || ret == RET_METHOD) {
            _PyVM_GetterFailed(f);
        }
        if (ret == RET_REG) {
            const PyInstr *end = _PyVM_EndOfLoop(ts, f);
            if (end != NULL) {
                *target = end;
                return f;
            }
        }
        new_entry = 1;
        again = 0;
    }
}

static NEEDS_LOCALS PyStep
unwind_default(PyThreadState *ts, PyVMFrame *f, int new_entry)
{
    const PyInstr *target = NULL;
    f = unwind(ts, f, new_entry, 0, &target);
    return (PyStep){f, target};
}

static NEEDS_LOCALS PyStep
unwind_special(PyThreadState *ts, PyVMFrame *f, int new_entry)
{
    const PyInstr *target = NULL;
    f = unwind(ts, f, new_entry, 1, &target);
    return (PyStep){f, target};
}

#define UNWIND(new_entry) \
    do { \
        SAVE_IP(); \
        const struct _PyHandlerTable *in_force_ = CURRENT_TABLE(ts); \
        int special_ = (new_entry) == NOT_AGAIN || (in_force_ != &_PyVM_default_table \
                                                    && in_force_ != &_PyVM_counting_table); \
        PyStep step_ = unlikely(special_) ? unwind_special(ts, f, new_entry) \
                                          : unwind_default(ts, f, new_entry); \
        if (step_.f == NULL) { \
            LEAVE(0); \
        } \
        f = step_.f; \
        ip = step_.ip; \
        RELOAD(); \
        DISPATCH(); \
    } while (0)

VM_FUNCTION(_PyVM_Error)
{
    UNWIND(1);
}

VM_FUNCTION(_PyVM_Reraise)
{
    UNWIND(0);
}

VM_FUNCTION(_PyVM_EndFrame)
{
    UNWIND(NOT_AGAIN);
}

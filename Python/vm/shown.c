/* Frames that native profilers are shown.

   internal/frame_records.h says what a record is. This file writes them: the first
   instruction of a frame, and the first after a resumption, is RESUME; with the
   tables of this file in force it fills the next record of the evaluator's block.
   The end of a frame removes the record (op_control.c, op_gen.c, unwind.c), if it is
   that frame's: so a frame may begin while nothing is shown and end while frames are
   shown, or the other way round.

   The lines table also follows the line that runs: shown_lines.c. */
#include "native.h"
#include "shown.h"

uintptr_t _PyVM_ShownMode = SHOWN_MODE_NONE;
int (*_PyVM_PublishCode)(PyThreadState *, PyVMCode *);
int (*_PyVM_ChainIsWhole)(PyThreadState *, char *);

/* ------------------------------------------------------------------ records */

/* The records of a thread without a block: no record fits, and none belongs to a frame. */
static _PyFrameRecord no_record;
static char *volatile no_slot = (char *)&no_record + RECORD_FP;

void
_PyVM_InitRecords(PyThreadState *ts)
{
    TS_IMPL(ts)->records = (_PyFrameRecords){.slot = &no_slot, .limit = RECORDS_UNKNOWN};
}

/* Fills the next record, at `fp`, for a frame with this landing (without the mode).
   The record becomes valid by the store into the slot. */
static inline void
fill_record(char *volatile *slot, char *fp, PyVMFrame *f, uintptr_t landing,
            const PyInstr *ip, int lines)
{
    write_record(fp, f, landing, ip, lines);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *slot = fp;
}

/* ----------------------------------------------------------------- entering */

/* The block is used up, or belongs to an evaluator further out: another evaluator
   runs the frame, with a block of its own. Python calls use no C stack otherwise, so the
   deepest frames of a very deep program are not shown: nesting stops when half of the
   stack is used up. */
static NEEDS_LOCALS PyStep
run_nested(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    SavedCall call = save_call(f);
    /* Tracers know of this RESUME already. */
    f->ip = ip;
    TS_FRAME(ts) = call.caller;
    leave_python(ts);           /* the evaluator counts the call, but not its operator */
    int operator_counts = (f->flags & FRAME_COUNTS_TWICE) != 0;
    f->flags &= (uint16_t)~FRAME_COUNTS_TWICE;
    PyObject *result =
        _PyEval_EvalFrame(ts, f, call.generator != NULL ? 0 : BEGIN_BEHIND_IP);
    ts->recursion_remaining += operator_counts;
    return _PyVM_EndSavedCall(ts, &call, (PyReg)result);
}

SLOW(nest_frame)
{
    PyStep step = run_nested(f, ip, ts);
    GO_ON(step);
}

/* All cases in which a frame can't simply take the next record. */
SLOW(show_frame)
{
    SAVE_IP();
    if ((_Py_EvalBreaker(ts) & _Py_EB_SHOW) && A < 2) {
        TAIL(op_RESUME);        /* which gives records to this frame and to those around it */
    }
    if (!_PyVM_PublishCode(ts, f->code)) {
        RELOAD();
        TAIL(op_RESUME);
    }
    _PyFrameRecords *records = &TS_IMPL(ts)->records;
    if (records->limit == RECORDS_UNKNOWN && records->entry != NULL
        && entry_of(f) == records->entry) {
        records->limit = limit_of_block(records);
    }
    RELOAD();
    if ((uintptr_t)*records->slot - RECORD_SIZE < records->limit) {
        if (_Py_CStackIsHalfUsed(ts)) {
            TAIL(op_RESUME);
        }
        TAIL(nest_frame);
    }
    PyHandler again = UNTRACED_TABLE(ts)->op[OP_RESUME];
    TAIL(again);
}

#define SHOW_AND_RESUME(lines) \
    do { \
        if (!RET_LEAVES(f->ret)) { \
            _PyFrameRecords *records = &TS_IMPL(ts)->records; \
            char *fp = *records->slot - RECORD_SIZE; \
            uintptr_t landing = (uintptr_t)f->code->landing - _PyVM_ShownMode; \
            if (unlikely((landing & SHOWN_MODE_MASK) != 0) \
                || unlikely((uintptr_t)fp < records->limit)) { \
                TAIL(show_frame); \
            } \
            fill_record(records->slot, fp, f, landing, ip, lines); \
        } \
        if (_Py_AttentionWanted()) { \
            TAIL(op_RESUME); \
        } \
        NEXT(0); \
    } while (0)

SHARED_SLOW(_PyVM_ShownResume)
{
    SHOW_AND_RESUME(0);
}

SHARED_SLOW(_PyVM_ShownResumeLines)
{
    SHOW_AND_RESUME(1);
}

/* Calls from C whose chain of frame pointers has been followed to its end and was whole. The next
   call from the same two frames of C, to the same return address, by the same instruction of the
   same Python frame, need not be followed again. */
typedef struct {
    const char *fp, *caller;
    const void *return_address;
    const PyVMFrame *frame;
    const PyInstr *ip;
} KnownChain;
#define KNOWN_CHAINS 16
static KnownChain known_chains[KNOWN_CHAINS];

int
_PyVM_MayCallShown(PyThreadState *ts, char *fp)
{
    if (unlikely(TS_IMPL(ts)->unshown)) {
        return 0;
    }
    if (likely(_PyVM_ChainIsWhole == NULL)) {
        return 1;
    }
    typedef struct {
        const char *caller;
        const void *return_address;
    } Head;
    const Head *head = (const Head *)fp;
    const PyVMFrame *frame = TS_FRAME(ts);
    KnownChain *known = &known_chains[(((uintptr_t)fp >> 4) ^ (uintptr_t)head->return_address)
                                      % KNOWN_CHAINS];
    if (likely(known->fp == fp) && likely(known->caller == head->caller)
        && likely(known->return_address == head->return_address)
        && likely(known->frame == frame) && likely(known->ip == frame->ip)) {
        return 1;
    }
    if (!_PyVM_ChainIsWhole(ts, fp)) {
        return 0;
    }
    *known = (KnownChain){fp, head->caller, head->return_address, frame, frame->ip};
    return 1;
}

/* Machine code needs no record. */
SHARED_SLOW(_PyVM_ShownResumeNative)
{
    ENTER_NATIVE(_PyVM_ShownResume);
}

SHARED_SLOW(_PyVM_ShownResumeNativeLines)
{
    ENTER_NATIVE(_PyVM_ShownResumeLines);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
/* As the default, but frames have records for stack walkers. */
static const struct _PyHandlerTable shown_table = {{
#define OP(name, cache, operands) [OP_##name] = op_##name,
#include "internal/opcodes.def"
    SHOWN_ENDS,
    [OP_RESUME] = _PyVM_ShownResume,
    [OP_RESUME__NATIVE] = _PyVM_ShownResumeNative,
    LINE_BANK_FORGETS,
    MONITOR_BANKS,
}};

static const struct _PyHandlerTable counting_shown_table = {{
#include "internal/opcodes.def"
#undef OP
    SHOWN_ENDS,
    [OP_RESUME] = _PyVM_CountShownResume,
    [OP_RESUME__NATIVE] = _PyVM_ShownResumeNative,
    [OP_JUMP_BACK] = _PyVM_CountJumpBack,
    LINE_BANK_FORGETS,
    MONITOR_BANKS,
}};
#pragma GCC diagnostic pop

/* ---------------------------------------------------------------- switching */

void
_PyVM_ShowFrames(PyInterpreterState *interp, _PyFrameEvalFunction hook, int lines)
{
    int is_behind = interp->calls_hooked;
    interp->shown_hook = hook;
    interp->shown_table =
        _PyJit_Enabled ? (lines ? &_PyVM_counting_lines_table : &counting_shown_table)
                       : (lines ? &_PyVM_lines_table : &shown_table);
    if (is_behind) {
        /* Every call comes through the hook in front, and from there to ours. Frames that run
           already can't be given records: they would pass it once more. */
        interp->shown_behind = 1;
        return;
    }
    _PyVM_ShowFramesAgain(interp);
}

void
_PyVM_ShowFramesAgain(PyInterpreterState *interp)
{
    interp->shown_behind = 0;
    for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp);
         ts != NULL; ts = PyThreadState_Next(ts)) {
        _PyVM_WantRecords(ts);
    }
    _PyVM_SetHook(interp, interp->shown_hook, interp->shown_table);
}

void
_PyVM_HideFrames(PyInterpreterState *interp)
{
    if (interp->eval_frame == interp->shown_hook) {
        _PyVM_SetHook(interp, NULL, NULL);
    }
    interp->shown_hook = NULL;
    interp->shown_behind = 0;
    for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp);
         ts != NULL; ts = PyThreadState_Next(ts)) {
        if (ts != _PyThreadState_GET() && _Py_IsFinalizing()) {
            /* Its C stack may be gone. */
            continue;
        }
        _PyVM_DropRecords(ts);
    }
}

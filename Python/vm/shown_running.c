/* Frames that run already when frames begin to be shown.

   Showing begins for a process that has been running for hours, and then every frame on its
   stacks is to be seen: main(), the event loop, each caller that waits. An evaluator that was
   entered before has no block of records (internal/frame_records.h), and one cannot be put
   between its C frame and its caller's. So each thread does three things, at its next safe
   point or its next call from C, whichever comes first:

   1. Blocks that are left from an earlier time are filled again, where they are.
   2. The running evaluator hands its frames to another one, nested in it, which has a block of
      the right size (_PyPerf_CallWithBlock). That runs them to their end and returns their value,
      which the old one passes on. Nothing is told apart: an evaluator has no state but its C
      frame. A block that has room makes this unnecessary.
   3. Evaluators further out wait for C code and cannot do so yet. Their frames have records in
      the same block, further out than its own frames, until it ends. Then the thread does
      this again, for the evaluator that has become the running one.

   Machine code is seen without records. Frames further out than machine code that waits for a
   call would stand on the wrong side of it, so they have no records until it goes on: at its
   next safe point it leaves to the interpreter, which does all this and enters it again. */
#include "native.h"
#include "enter.h"
#include "shown.h"

void (*_PyVM_AddRunning)(PyThreadState *);
uintptr_t (*_PyVM_CallWithBlock)(PyThreadState *, PyVMFrame *, int, size_t, _PyVM_BlockUser);

/* -------------------------------------------------------- which have no record */

static inline int
is_machine_code(const PyVMFrame *f)
{
    return f->ret == RET_NATIVE && f->dest != INTERPRETED_DEST;
}

/* The innermost frame that has a record in these blocks, or NULL. */
static PyVMFrame *
innermost_shown(const _PyFrameRecords *records)
{
    for (; records != NULL; records = records->outer) {
        if (records->base != NULL && *records->slot != records->base) {
            return _PyFrameRecord_OF(*records->slot)->frame;
        }
    }
    return NULL;
}

/* How many frames from `f` on have no record, up to the innermost that has one in these blocks,
   or to one in machine code. */
typedef struct {
    size_t n;
    PyVMFrame *machine_code;    /* or NULL */
} Unshown;

static Unshown
count_unshown(PyVMFrame *f, const _PyFrameRecords *records)
{
    PyVMFrame *shown = innermost_shown(records);
    Unshown unshown = {0, NULL};
    for (; f != NULL && f != shown; f = f->previous) {
        if (is_machine_code(f)) {
            unshown.machine_code = f;
            break;
        }
        unshown.n++;
    }
    return unshown;
}

/* Publishes the code of n frames. 1, or 0: frames are no longer shown. */
static int
publish(PyThreadState *ts, PyVMFrame *f, size_t n)
{
    for (; n > 0; f = f->previous, n--) {
        uintptr_t landing = (uintptr_t)f->code->landing - _PyVM_ShownMode;
        if (((landing & SHOWN_MODE_MASK) != 0 || ts->interp->shown_hook == NULL)
            && !_PyVM_PublishCode(ts, f->code)) {
            return 0;
        }
    }
    return 1;
}

/* Fills the next n records of a block, for `f` and its callers. The oldest is linked to what is
   the newest now. */
static void
fill(PyThreadState *ts, const _PyFrameRecords *records, PyVMFrame *f, size_t n)
{
    int lines = SHOWS_LINES((const struct _PyHandlerTable *)ts->interp->shown_table);
    char *newest = *records->slot - n * RECORD_SIZE, *fp = newest;
    for (; n > 0; f = f->previous, fp += RECORD_SIZE, n--) {
        write_record(fp, f, (uintptr_t)f->code->landing - _PyVM_ShownMode, f->ip, lines);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *records->slot = newest;
}

static size_t
room_in(const _PyFrameRecords *records)
{
    return ((uintptr_t)*records->slot - limit_of_block(records)) / RECORD_SIZE;
}

/* Fills the blocks of evaluators again that have lost their records, the outermost first. `f` is
   the innermost frame that is not run further in. */
static void
refill(PyThreadState *ts, const _PyFrameRecords *records, PyVMFrame *f)
{
    while (records != NULL && (records->base == NULL || records->entry == NULL)) {
        records = records->outer;
    }
    if (records == NULL || f == NULL) {
        return;
    }
    PyVMFrame *first = f, *entry = entry_of(f);
    while (entry != records->entry && entry->previous != NULL) {
        first = entry->previous;
        entry = entry_of(first);
    }
    if (entry != records->entry) {
        refill(ts, records->outer, f);
        return;
    }
    refill(ts, records->outer, entry->previous);
    if (*records->slot != records->base) {
        return;
    }
    Unshown unshown = count_unshown(first, records->outer);
    size_t room = room_in(records);
    for (; unshown.n > room; unshown.n--) {
        first = first->previous;
    }
    if (publish(ts, first, unshown.n)) {
        fill(ts, records, first, unshown.n);
    }
}

/* ------------------------------------------------------------- giving records */

static inline int
is_showing(PyThreadState *ts)
{
    PyInterpreterState *interp = ts->interp;
    return interp->shown_hook != NULL && interp->eval_frame == interp->shown_hook
           && MAY_BE_SHOWN(ts);
}

static void
refill_blocks(PyThreadState *ts, PyVMFrame *f)
{
    if (TS_IMPL(ts)->unshown == BLOCKS_EMPTY) {
        TS_IMPL(ts)->unshown = FRAMES_UNSHOWN;
        refill(ts, &TS_IMPL(ts)->records, f);
    }
}

/* The size of a block for so many records, and for calls from there. If the stack is too small,
   the innermost frames get them. */
static size_t
size_for(PyThreadState *ts, size_t n)
{
    size_t most = (TS_IMPL(ts)->c_stack_middle - TS_IMPL(ts)->c_stack_bottom) / 4 / RECORD_SIZE;
    n += n / 2 + RECORD_COUNT;
    return RECORD_BLOCK_FOR(n < most ? n : most);
}

/* For a frame that is called from C. 0: frames further out have their records. */
static size_t
size_for_unshown(PyThreadState *ts, PyVMFrame *f)
{
    if (!is_showing(ts)) {
        return 0;
    }
    refill_blocks(ts, f->previous);
    Unshown unshown = count_unshown(f->previous, &TS_IMPL(ts)->records);
    if (unshown.n == 0 && unshown.machine_code == NULL) {
        if (innermost_shown(&TS_IMPL(ts)->records) == NULL) {
            TS_IMPL(ts)->unshown = FRAMES_SHOWN;        /* the thread's first frame */
        }
        return 0;
    }
    return publish(ts, f->previous, unshown.n) ? size_for(ts, unshown.n + 1) : 0;
}

/* An evaluator below a block with records for frames further out, too. The first frame may be
   called, or run already (BEGIN_MOVED). */
static uintptr_t
evaluate_moved(PyThreadState *ts, PyVMFrame *frame, int throwflag, char *limit, char *base)
{
    FRAME_POINTER_RULE();
    _PyThreadStateImpl *impl = TS_IMPL(ts);
    _PyFrameRecords *records = &impl->records, outer = *records;
    int moved = throwflag == BEGIN_MOVED;
    PyVMFrame *entry = moved ? entry_of(frame) : frame;
    Unshown further_out = count_unshown(entry->previous, &outer);
    size_t n = count_unshown(moved ? frame : frame->previous, &outer).n + !moved;
    if (outer.entry == entry) {
        outer.entry = NULL;         /* its evaluator only waits for this one */
    }
    *records = (_PyFrameRecords){
        .slot = __builtin_frame_address(0),
        .limit = (uintptr_t)limit,
        .base = base,
        .entry = entry,
        .outer = &outer,
        .room = (uintptr_t)limit,
        .keeps = further_out.n > 0 || further_out.machine_code != NULL,
    };
    int keeps = records->keeps;
    size_t room = room_in(records);
    fill(ts, records, frame, n < room ? n : room);
    impl->unshown = FRAMES_SHOWN;
    PyObject *result = moved ? interpret(ts, frame, impl->moved_ip)
                             : run_frame(ts, frame, throwflag);
    if (likely(!impl->switches_stacks)) {
        *records = outer;
    }
    if (keeps && ts->interp->shown_hook != NULL) {
        if (impl->unshown == FRAMES_SHOWN) {
            impl->unshown = FRAMES_UNSHOWN;
        }
        _Py_SetEvalBreaker(ts, _Py_EB_SHOW);
    }
    return (uintptr_t)result;
}

int
_PyVM_EvalAmongUnshown(PyThreadState *ts, PyVMFrame *frame, int throwflag, PyObject **result)
{
    size_t size = size_for_unshown(ts, frame);
    if (size == 0 || ts->interp->shown_hook == NULL) {
        return 0;
    }
    *result = (PyObject *)_PyVM_CallWithBlock(ts, frame, throwflag, size, evaluate_moved);
    return 1;
}

/* `f` goes on at `ip`; its own ip is at the instruction before. Returns where to go on, or what
   the evaluator returns. */
static NEEDS_LOCALS PyStep
show_running(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    const PyStep go_on = {f, ip};
    _PyFrameRecords *records = &TS_IMPL(ts)->records;
    _Py_ClearEvalBreaker(ts, _Py_EB_SHOW);
    if (_PyVM_AddRunning != NULL) {
        _PyVM_AddRunning(ts);
    }
    if (!is_showing(ts)) {
        return go_on;
    }
    refill_blocks(ts, f);
    Unshown unshown = count_unshown(f, records);
    if (unshown.n == 0) {
        TS_IMPL(ts)->unshown = FRAMES_SHOWN;
        return go_on;
    }
    if (!publish(ts, f, unshown.n)) {
        return go_on;
    }
    if (records->base != NULL && records->entry == entry_of(f)) {
        if (unshown.n <= room_in(records)) {
            fill(ts, records, f, unshown.n);
            records->limit = limit_of_block(records);
            TS_IMPL(ts)->unshown = FRAMES_SHOWN;
            return go_on;
        }
        /* The next evaluator takes back only records of its own block. */
        *records->slot = records->base;
        unshown = count_unshown(f, records);
    }
    if (_Py_CStackIsHalfUsed(ts)) {
        return go_on;
    }
    TS_IMPL(ts)->moved_ip = ip;
    uintptr_t result = _PyVM_CallWithBlock(ts, f, BEGIN_MOVED, size_for(ts, unshown.n),
                                           evaluate_moved);
    return (PyStep){NULL, (const PyInstr *)result};
}

SHARED_SLOW(_PyVM_ShowRunning)
{
    PyStep step = show_running(f, ip, ts);
    GO_ON(step);
}

size_t
_PyVM_LandingsOfWaiting(PyThreadState *ts, uint64_t *to, size_t most)
{
    if (!is_showing(ts)) {
        return 0;
    }
    int lines = SHOWS_LINES((const struct _PyHandlerTable *)ts->interp->shown_table);
    size_t n = 0;
    for (PyVMFrame *f = TS_FRAME(ts); f != NULL && n < most && publish(ts, f, 1);
         f = f->previous) {
        _PyFrameRecord record;
        write_record((char *)&record + RECORD_FP, f,
                     (uintptr_t)f->code->landing - _PyVM_ShownMode, f->ip, lines);
        to[n++] = (uintptr_t)record.landing;
    }
    return n;
}

/* ------------------------------------------------------------------ switching */

void
_PyVM_DropRecords(PyThreadState *ts)
{
    _PyThreadStateImpl *impl = TS_IMPL(ts);
    for (_PyFrameRecords *r = &impl->records; r != NULL; r = r->outer) {
        if (r->base != NULL) {
            *r->slot = r->base;
        }
    }
    impl->unshown = FRAMES_SHOWN;
    _Py_ClearEvalBreaker(ts, _Py_EB_SHOW);
}

void
_PyVM_WantRecords(PyThreadState *ts)
{
    _PyThreadStateImpl *impl = TS_IMPL(ts);
    _PyVM_DropRecords(ts);
    /* An evaluator without a block may be running inside one with a block. */
    impl->records.limit = RECORDS_UNKNOWN;
    if (TS_FRAME(ts) != NULL) {
        impl->unshown = BLOCKS_EMPTY;
        _Py_SetEvalBreaker(ts, _Py_EB_SHOW);
    }
}

/* What machine code calls when it leaves its usual path: rare.h. */
#include "rare.h"
#include "ccalls.h"
#include "dying.h"
#include "items.h"
#include "quiet.h"
#include "../vm/vm.h"
#include "internal/method_call.h"
#include "internal/set.h"
#include "internal/tuple.h"
#include "internal/type.h"
#include "internal/unicode.h"

#undef A
#undef B
#undef C

static uint64_t
kept_word(const uint64_t *area, const JitKept *kept)
{
    if (kept->is_const) {
        return kept->constant;
    }
    return _PyJit_AreaWord(area, kept->place);
}

/* Leaving can't fail: floats for variables that are kept as doubles when there is no memory for
   them. */
#define SPARE_FLOATS 256

static PyFloatObject *spare_floats[SPARE_FLOATS];
static int nspare;

void
_PyJit_KeepSpareFloats(void)
{
    while (nspare < SPARE_FLOATS) {
        PyObject *box = _PyJit_NewFloat(0.0);
        if (box == NULL) {
            break;
        }
        spare_floats[nspare++] = (PyFloatObject *)box;
    }
}

/* If it takes a spare one, an exception may be set, and stays. */
static PyReg
float_for_variable(double value)
{
    PyObject *type, *what, *traceback;
    PyErr_Fetch(&type, &what, &traceback);
    PyObject *box = _PyJit_NewFloat(value);
    PyErr_Restore(type, what, traceback);
    if (box == NULL) {
        if (nspare == 0) {
            Py_FatalError("no memory for the variables of machine code");
        }
        spare_floats[--nspare]->ob_fval = value;
        box = (PyObject *)spare_floats[nspare];
    }
    return (PyReg)box;
}

/* A double as an object: the one that another register has, which was a copy of it. */
static PyReg
kept_double(const PyVMFrame *f, const uint64_t *area, const JitPoint *point, const JitKept *kept)
{
    if (!kept->is_const && kept->constant != 0) {
        return reg_new_ref(f->regs[kept->constant - 1]);
    }
    for (const JitKept *other = point->kept; other < kept; other++) {
        if (other->keep == JIT_KEEP_DOUBLE && other->is_const == kept->is_const
            && other->place == kept->place && other->constant == kept->constant) {
            return reg_new_ref(f->regs[other->reg]);
        }
    }
    uint64_t word = kept_word(area, kept);
    double value;
    memcpy(&value, &word, sizeof(value));
    return float_for_variable(value);
}

static PyReg
kept_value(const PyVMFrame *f, const uint64_t *area, const JitPoint *point, const JitKept *kept)
{
    if (kept->keep == JIT_KEEP_DOUBLE || kept->keep == JIT_KEEP_DOUBLE_LATER) {
        return kept_double(f, area, point, kept);
    }
    uint64_t word = kept_word(area, kept);
    if (kept->keep == JIT_KEEP_BORROWED) {
        return word == 0 ? 0 : reg_new_ref(word);
    }
    return word;
}

/* Memory tells the truth, as the interpreter expects. */
static void
make_true(PyVMFrame *f, const uint64_t *area, const JitPoint *point)
{
    for (uint32_t i = 0; i < point->n; i++) {
        const JitKept *kept = &point->kept[i];
        if (kept->keep == JIT_KEEP_NOT) {
            reg_release(kept_word(area, kept));
        }
        else if (kept->keep < JIT_KEEP_ROUNDS) {
            f->regs[kept->reg] = kept_value(f, area, point, kept);
        }
    }
    f->ip = f->code->code + point->at;
}

/* The variable that the instruction writes gets its value: code leaves behind a destructor, which
   has seen what was there before. */
static void
write_later(PyVMFrame *f, const uint64_t *area, const JitPoint *point)
{
    for (uint32_t i = 0; i < point->n; i++) {
        const JitKept *kept = &point->kept[i];
        if (kept->keep >= JIT_KEEP_LATER) {
            PyReg old = f->regs[kept->reg];
            f->regs[kept->reg] = kept_value(f, area, point, kept);
            reg_release(old);
        }
    }
}

/* The rounds that the comprehension which is left has made for nothing. */
static int64_t
lost_rounds(const uint64_t *area, const JitPoint *point)
{
    int64_t rounds = 0;
    for (uint32_t i = 0; i < point->n; i++) {
        const JitKept *kept = &point->kept[i];
        if (kept->keep == JIT_KEEP_ROUNDS) {
            rounds += REG_INT(kept_word(area, kept));
        }
        else if (kept->keep == JIT_KEEP_ROUNDS_FROM) {
            rounds -= REG_INT(kept_word(area, kept));
        }
    }
    return rounds < 0 ? -rounds : rounds;
}

static void
count_borrowed(PyVMFrame *f, const JitPoint *point, int by)
{
    for (uint32_t i = 0; i < point->n; i++) {
        PyReg value = f->regs[point->kept[i].reg];
        if (point->kept[i].keep == JIT_KEEP_BORROWED && REG_IS_PTR(value)) {
            REG_PTR(value)->ob_refcnt += by;
        }
    }
}

/* Has other code dropped what machine code borrows? Then only memory holds it now, perhaps
   in several registers. */
static int
has_lost_borrowed(PyVMFrame *f, const JitPoint *point)
{
    int lost = 0;
    count_borrowed(f, point, -1);
    for (uint32_t i = 0; i < point->n && !lost; i++) {
        PyReg value = f->regs[point->kept[i].reg];
        lost = point->kept[i].keep == JIT_KEEP_BORROWED && REG_IS_PTR(value)
               && REG_PTR(value)->ob_refcnt == 0;
    }
    count_borrowed(f, point, 1);
    return lost;
}

/* Machine code goes on: what memory was given for a moment is taken back. */
static void
make_stale(PyVMFrame *f, const JitPoint *point)
{
    for (uint32_t i = 0; i < point->n; i++) {
        const JitKept *kept = &point->kept[i];
        if (kept->keep >= JIT_KEEP_LATER) {
            continue;
        }
        PyReg *slot = &f->regs[kept->reg];
        PyReg value = *slot;
        *slot = 0;
        if (kept->keep != JIT_KEEP_WORD) {
            reg_release(value);
        }
    }
}

/* Stress: a guard has failed for no reason. Now and then the whole thread leaves machine code for
   a while, or the function is compiled again. */
static void
has_left_by_force(PyVMFrame *f, PyThreadState *ts)
{
    _PyJit_StressLeft = 1 + _PyJit_Random(1u << _PyJit_Random(12));
    if (_PyJit_Random(16) == 0) {
        TS_IMPL(ts)->native_ok = 0;
    }
    if (_PyJit_Random(64) == 0) {
        _PyJit_Again(f->code);
    }
}

/* May machine code go on? */
static int
is_ok(PyThreadState *ts)
{
    return TS_IMPL(ts)->native_ok && (_PyJit_Enabled != JIT_STRESS || _PyJit_Random(8) > 0);
}

const PyInstr *
_PyJit_Leave(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point)
{
    int64_t rounds = lost_rounds(area, point);
    make_true(f, area, point);
    if (unlikely(_PyJit_Enabled == JIT_STRESS) && _PyJit_StressLeft == 0) {
        has_left_by_force(f, ts);
    }
    else if (!point->is_ending) {
        /* A traceback had the frame, say: better code would leave, too, and nothing is lost. */
        _PyJit_HasLeft(f, point);
        if (rounds > 0) {
            _PyJit_HasWasted(f, point->at, rounds);
        }
    }
    return f->code->code + point->ip;
}

static __attribute__((noinline)) int
dealloc_seen(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
             PyObject *object)
{
    make_true(f, area, point);
    if (point->is_leaving) {
        begin_leaving(f);
    }
    _Py_Dealloc(object);
    if (!point->stays
        && (unlikely(!is_ok(ts)) || has_lost_borrowed(f, point))) {
        write_later(f, area, point);
        return JIT_GO_AWAY;
    }
    make_stale(f, point);
    return JIT_GO_ON;
}

/* One reference more for each object that machine code borrows. */
static void
hold_borrowed(const uint64_t *area, const JitPoint *point)
{
    for (uint32_t i = 0; i < point->n; i++) {
        if (point->kept[i].keep == JIT_KEEP_BORROWED) {
            PyReg value = kept_word(area, &point->kept[i]);
            if (REG_IS_PTR(value)) {
                Py_INCREF(REG_PTR(value));
            }
        }
    }
}

/* The opposite. Returns whether machine code alone refers to one of them now. */
static int
let_go_borrowed(const uint64_t *area, const JitPoint *point)
{
    int lost = 0;
    for (uint32_t i = 0; i < point->n; i++) {
        if (point->kept[i].keep == JIT_KEEP_BORROWED) {
            PyReg value = kept_word(area, &point->kept[i]);
            lost |= REG_IS_PTR(value) && --REG_PTR(value)->ob_refcnt == 0;
        }
    }
    return lost;
}

/* What is borrowed from an object must not die with it. */
static __attribute__((noinline)) int
dealloc_lender(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
               PyObject *object)
{
    hold_borrowed(area, point);
    if (!_PyJit_DiesQuietly(object)) {
        (void)let_go_borrowed(area, point);
        return dealloc_seen(f, ts, area, point, object);
    }
    _Py_Dealloc(object);
    if (!let_go_borrowed(area, point)) {
        return JIT_GO_ON;
    }
    assert(!point->stays);
    make_true(f, area, point);
    write_later(f, area, point);
    return JIT_GO_AWAY;
}

/* What could not be destroyed item by item, and may hold what dies with it. */
static __attribute__((noinline)) int
dealloc_other(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
              PyObject *object)
{
    if (point->borrows) {
        return dealloc_lender(f, ts, area, point, object);
    }
    if (!_PyJit_DiesQuietly(object)) {
        return dealloc_seen(f, ts, area, point, object);
    }
    _Py_Dealloc(object);
    return JIT_GO_ON;
}

/* Tuples in tuples, as deep as programs nest them. */
#define MOST_LEVELS_DESTROYED 3

/* done: what has come of destroying it item by item. */
static inline int
after_destroying(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
                 PyObject *object, int done)
{
    return done > 0 ? JIT_GO_ON
           : done < 0 ? dealloc_seen(f, ts, area, point, object)
           : dealloc_other(f, ts, area, point, object);
}

static __attribute__((noinline)) int
dealloc_items(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
              PyObject *object)
{
    int done = point->borrows ? 0 : _PyJit_Destroy(object, MOST_LEVELS_DESTROYED);
    return after_destroying(f, ts, area, point, object, done);
}

/* Nobody traces references. */
static __attribute__((noinline)) int
dealloc_mixed_tuple(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
                    PyObject *object)
{
    int done = point->borrows ? 0
               : _PyJit_DestroyItems(object, &PyTuple_Type, MOST_LEVELS_DESTROYED);
    return after_destroying(f, ts, area, point, object, done);
}

/* The same for all tuples. Those whose items live on come first, and call nothing that needs
   registers of the machine. */
static __attribute__((noinline)) int
dealloc_tuple(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
              PyObject *object)
{
    if (_PyJit_DropShared(((PyTupleObject *)object)->ob_item, Py_SIZE(object))) {
        _PyTuple_FreeEmptied((PyTupleObject *)object);
        return JIT_GO_ON;
    }
    return dealloc_mixed_tuple(f, ts, area, point, object);
}

/* Of all other types that the collector knows: all that it refers to may live on. */
static __attribute__((noinline)) int
dealloc_holder(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
               PyObject *object)
{
    if (point->borrows) {
        if (!_PyJit_IteratedStays(object)) {
            return dealloc_lender(f, ts, area, point, object);
        }
        _Py_Dealloc(object);
        return JIT_GO_ON;
    }
    if (!_PyJit_DiesQuietly(object)) {
        return dealloc_seen(f, ts, area, point, object);
    }
    _Py_Dealloc(object);
    return JIT_GO_ON;
}

static __attribute__((noinline)) int
dealloc_set(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
            PyObject *object)
{
    return _PyObject_ref_tracer.func == NULL && !point->borrows && _PySet_FreeShared(object)
           ? JIT_GO_ON : dealloc_holder(f, ts, area, point, object);
}

/* Most generators and coroutines have ended. */
static __attribute__((noinline)) int
dealloc_generator(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
                  PyObject *object)
{
    return _PyObject_ref_tracer.func == NULL && likely(_PyGen_FreeEnded(object))
           ? JIT_GO_ON : dealloc_holder(f, ts, area, point, object);
}

/* The generator of a step lives on, mostly. */
static __attribute__((noinline)) int
dealloc_step(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
             PyObject *object)
{
    return _PyObject_ref_tracer.func == NULL && likely(_PyAsyncGen_FreeStep(object))
           ? JIT_GO_ON : dealloc_holder(f, ts, area, point, object);
}

static inline int
is_generator_type(const PyTypeObject *type)
{
    return type == &PyGen_Type || type == &PyCoro_Type;
}

/* Of a type that the collector doesn't know. */
static __attribute__((noinline)) int
dealloc_plain(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
              PyObject *object)
{
    if (Py_TYPE(object)->tp_dealloc == _PySubtype_Dealloc) {
        return _PyJit_IsDestroyable(Py_TYPE(object)) ? dealloc_items(f, ts, area, point, object)
                                                     : dealloc_other(f, ts, area, point, object);
    }
    if (!_PyJit_ObjectDiesAlone(object)) {
        return dealloc_seen(f, ts, area, point, object);
    }
    _Py_Dealloc(object);
    return JIT_GO_ON;
}

/* What is nothing but memory, or has only items that live on, needs none of the registers that the
   other functions save. */
int
_PyJit_Dealloc(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
               PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (_PyObject_ref_tracer.func == NULL) {
        if (type == &PyUnicode_Type) {
            _PyUnicode_Dealloc(object);
            return JIT_GO_ON;
        }
        if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC) && _PyJit_DiesAlone(type)) {
            type->tp_dealloc(object);
            return JIT_GO_ON;
        }
        if (type == &PyTuple_Type) {
            return dealloc_tuple(f, ts, area, point, object);
        }
    }
    if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC)) {
        return dealloc_plain(f, ts, area, point, object);
    }
    if (type == &PySet_Type || type == &PyFrozenSet_Type) {
        return dealloc_set(f, ts, area, point, object);
    }
    if (is_generator_type(type)) {
        return dealloc_generator(f, ts, area, point, object);
    }
    if (type == &_PyAsyncGenASend_Type) {
        return dealloc_step(f, ts, area, point, object);
    }
    if (_PyJit_IsDestroyable(type)) {
        return dealloc_items(f, ts, area, point, object);
    }
    return dealloc_holder(f, ts, area, point, object);
}

const void *
_PyJit_DeallocOf(const PyTypeObject *cls)
{
    if (is_generator_type(cls)) {
        return (const void *)dealloc_generator;
    }
    if (cls == &_PyAsyncGenASend_Type) {
        return (const void *)dealloc_step;
    }
    if (cls == &PySet_Type || cls == &PyFrozenSet_Type) {
        return (const void *)dealloc_set;
    }
    int is_holder = cls == &PyDict_Type || cls == &PyFunction_Type || cls == &PyMethod_Type
                    || cls == &PyCFunction_Type;
    return is_holder ? (const void *)dealloc_holder : (const void *)_PyJit_Dealloc;
}

int
_PyJit_Pending(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point)
{
    make_true(f, area, point);
    if (_Py_HandlePending(ts) < 0) {
        return JIT_RAISED;
    }
    if (!is_ok(ts) || (_Py_EvalBreaker(ts) & _Py_EB_SHOW) || has_lost_borrowed(f, point)) {
        return JIT_GO_AWAY;
    }
    make_stale(f, point);
    return JIT_GO_ON;
}

int
_PyJit_BoxRegisters(PyVMFrame *f, unsigned first, uint64_t which)
{
    for (; which != 0; which &= which - 1) {
        if (reg_object(&f->regs[first + (unsigned)__builtin_ctzll(which)]) == NULL) {
            return -1;
        }
    }
    return 0;
}

void
_PyJit_CCallFailed(PyVMFrame *f, PyThreadState *ts, PyObject *result, uint64_t window,
                   PyObject *callee)
{
    PyReg *first = &f->regs[window & 0xffff];
    callee = callee != NULL ? callee : REG_PTR(*first);
    if ((result == NULL) == (ts->curexc_type == NULL)) {
        result = _Py_CheckFunctionResult(ts, callee, result, NULL);
        assert(result == NULL);
    }
    clear_run(first + FRAME_WORDS, (Py_ssize_t)(window >> 16));
    clear_run(first, 1);
}

/* What is called, if it takes an array, and its self, or NULL. */
static PyMethodDef *
takes_array(PyObject *callable, PyObject *const *args, Py_ssize_t nargs, PyObject *names,
            PyObject **self)
{
    PyMethodDef *def;
    if (PyCFunction_CheckExact(callable)) {
        def = ((PyCFunctionObject *)callable)->m_ml;
        *self = PyCFunction_GET_SELF(callable);
    }
    else if (Py_IS_TYPE(callable, &PyMethodDescr_Type) && nargs > 0 && names == NULL
             && _PyType_IsSubtypeFast(Py_TYPE(args[0]), PyDescr_TYPE(callable))) {
        def = ((PyMethodDescrObject *)callable)->d_method;
        *self = args[0];
    }
    else {
        return NULL;
    }
    int how = def->ml_flags & METH_CALL_FLAGS;
    return (how == METH_FASTCALL && names == NULL) || how == (METH_FASTCALL | METH_KEYWORDS)
           ? def : NULL;
}

PyObject *
_PyJit_CallExtension(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *names)
{
    PyObject *self;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyMethodDef *def = takes_array(callable, args, nargs, names, &self);
    if (def == NULL) {
        return PyObject_Vectorcall(callable, args, nargsf, names);
    }
    if (!PyCFunction_CheckExact(callable)) {
        args++;
        nargs--;
    }
    PyObject *result = def->ml_flags & METH_KEYWORDS
                       ? FUNC(def, _PyCFunctionFastWithKeywords)(self, args, nargs, names)
                       : FUNC(def, _PyCFunctionFast)(self, args, nargs);
    return _PyCall_Checked(_PyThreadState_GET(), callable, result);
}

int64_t
_PyJit_TruthOfAny(PyReg value)
{
    int truth = reg_known_truth(value);
    return truth >= 0 ? truth : PyObject_IsTrue(REG_PTR(value));
}

int64_t
_PyJit_ContainsAny(PyReg item, PyReg container)
{
    int64_t found = _PyJit_Contains(item, container);
    if (found >= 0) {
        return found;
    }
    PyReg words[2] = {item, container};
    int failed = reg_object(&words[0]) == NULL || reg_object(&words[1]) == NULL;
    found = failed ? -1 : PySequence_Contains(REG_PTR(words[1]), REG_PTR(words[0]));
    for (int i = 0; i < 2; i++) {
        if (REG_IS_INT(i == 0 ? item : container)) {
            reg_release(words[i]);
        }
    }
    return found;
}

const void *
_PyJit_Dispatch(PyVMFrame *f, const PyInstr *ip, const PyJitCode *jit)
{
    f->ip = ip;
    uint32_t offset = jit->places[ip - f->code->code];
    return offset == 0 ? NULL : jit->start + offset;
}

PyReg
_PyJit_ReturnSlowly(PyVMFrame *f, PyThreadState *ts, PyReg value)
{
    unsigned flags = f->flags;
    PyVMFrame *previous = f->previous;
    if (f->owner == FRAME_GENERATOR) {
        _PyVM_LeaveGenerator(ts, f, GEN_COMPLETED);
    }
    _PyVM_ClearReturned(ts, f);
    TS_FRAME(ts) = previous;
    leave_python_frame(ts, flags);
    return value;
}

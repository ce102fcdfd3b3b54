/* Comparison, identity and membership, as values and as jumps. */
#include "endings.h"
#include "internal/set.h"
#include "internal/compare.h"
#include "internal/dict.h"
#include "internal/slot_prototypes.h"
#ifdef VM_STEPS
#  include "internal/vm_values.h"
#endif

/* May the left operand's method run in the VM? */
static inline int
compares_in_python(PyReg left)
{
    return !REG_IS_INT(left) && Py_TYPE(REG_PTR(left))->tp_richcompare == slot_richcompare;
}

/* What the methods of two objects say: 1, 0 or -1 with an exception; or 2 with an object in *object
   when a comparison returns something other than a bool. */
static inline int
ask_compare(PyObject *left, PyObject *right, int op, PyObject **object)
{
    PyObject *result = _PyObject_AskCompare(left, right, op);
    if (result == NULL) {
        return -1;
    }
    if (result == Py_True || result == Py_False) {
        return result == Py_True;
    }
    *object = result;
    return 2;
}

/* b op c, after known_order() has not decided: as ask_compare(). */
static int
compare(PyReg *b, PyReg *c, int op, PyObject **object)
{
    if (!REG_IS_INT(*b) && !REG_IS_INT(*c)) {
        return ask_compare(REG_PTR(*b), REG_PTR(*c), op, object);
    }
    int64_t x, y;
    if (reg_as_int64(*b, &x) && reg_as_int64(*c, &y)) {
        switch (op) {
        case Py_LT: return x < y;
        case Py_LE: return x <= y;
        case Py_EQ: return x == y;
        case Py_NE: return x != y;
        case Py_GT: return x > y;
        default: return x >= y;
        }
    }
    PyObject *left = reg_lend(b);
    PyObject *right = left != NULL ? reg_lend(c) : NULL;
    if (right == NULL) {
        return -1;
    }
    int truth = _PyObject_QuickCompare(left, right, op);
    return truth >= 0 ? truth : ask_compare(left, right, op, object);
}

static int
is_same(PyReg x, PyReg y)
{
    if (x == y) {
        return 1;
    }
    int64_t v, w;
    return ((x | y) & 1) && reg_as_int64(x, &v) && reg_as_int64(y, &w) && v == w;
}

/* Is a tagged int among the items of a list or tuple? 1, 0, or -1 when an item that is no
   int has been met. */
static int
word_among(int64_t word, PyObject **items, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        int64_t value;
        if (!PyLong_CheckExact(items[i])) {
            return -1;
        }
        if (_PyLong_AsInt64Exact(items[i], &value) && value == word) {
            return 1;
        }
    }
    return 0;
}

/* `b in c` in general: 1, 0, -1. */
static __attribute__((noinline)) int
contains_general(PyReg *b, PyReg *c)
{
    if (REG_IS_INT(*b) && !REG_IS_INT(*c)) {
        PyObject *op = REG_PTR(*c);
        int found = -1;
        if (PyTuple_CheckExact(op)) {
            found = word_among(REG_INT(*b), ((PyTupleObject *)op)->ob_item,
                               Py_SIZE(op));
        }
        else if (PyList_CheckExact(op)) {
            found = word_among(REG_INT(*b), ((PyListObject *)op)->ob_item,
                               Py_SIZE(op));
        }
        if (found >= 0) {
            return found;
        }
    }
    PyObject *item = reg_lend(b);
    PyObject *container = item != NULL ? reg_object(c) : NULL;
    if (container == NULL) {
        return -1;
    }
    PySequenceMethods *slots = Py_TYPE(container)->tp_as_sequence;
    if (likely(slots != NULL && slots->sq_contains != NULL)) {
        return slots->sq_contains(container, item);
    }
    return PySequence_Contains(container, item);
}

/* `b in c` where one entry of a dict or set decides; -1: search. */
static inline int
peek_contains(PyReg b, PyReg c)
{
    if (REG_IS_INT(c)) {
        return -1;
    }
    PyObject *container = REG_PTR(c);
    const int is_dict = Py_IS_TYPE(container, &PyDict_Type);
    if (!is_dict && !PyAnySet_CheckExact(container)) {
        return -1;
    }
    PyDictObject *dict = (PyDictObject *)container;
    PySetObject *set = (PySetObject *)container;
    if (REG_IS_INT(b)) {
        int64_t value = REG_INT(b);
        int is_hash = value >= 0 && value >> 60 == 0;
        if (!is_dict) {
            return is_hash ? _PySet_PeekInt(set, value) : -1;
        }
        return _PyDict_PeekContains(dict, _PyDict_PeekInt(dict, value),
                                    is_hash ? value : -1);
    }
    PyObject *key = REG_PTR(b);
    if (!Py_IS_TYPE(key, &PyUnicode_Type)) {
        return -1;
    }
    Py_hash_t hash = _PyUnicode_CachedHash(key);
    if (!is_dict) {
        return hash == -1 ? -1 : _PySet_PeekStr(set, key, hash);
    }
    return _PyDict_PeekContains(dict, _PyDict_PeekStr(dict, key), hash);
}

/* Only classes have a __contains__() in Python. */
static inline int
contains_in_python(PyReg container)
{
    return !REG_IS_INT(container)
           && PyType_HasFeature(Py_TYPE(REG_PTR(container)), Py_TPFLAGS_HEAPTYPE);
}

/* ---------------------------------------------------------------- as values */

_Static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3
               && Py_GT == 4 && Py_GE == 5 && OP_GE - OP_LT == 5,
               "order of opcodes.def");

/* A comparison of two objects of a built-in type that cannot fail: 1, 0, or -1. */
static inline int
known_order(PyReg left, PyReg right, int op)
{
    return REG_IS_INT(left) || REG_IS_INT(right)
           ? -1 : _PyObject_QuickCompare(REG_PTR(left), REG_PTR(right), op);
}

SLOW(compare_slow)
{
    SAVE_IP();
    PyObject *object = NULL;
    int op = (uint8_t)word - OP_LT;     /* none of these is ever specialised */
    int known = known_order(R(B), R(C), op);
    if (known >= 0) {
        PyReg value = REG_BOOL(known);
        FINISH_BINARY(value, 0);
    }
    if (unlikely(compares_in_python(R(B)))) {
        TRY_METHOD(_PyVM_PushCompare(ts, f, R(B), R(C), op));
    }
    int truth = compare(&R(B), &R(C), op, &object);
    PyReg value = truth < 0 ? 0 : object != NULL ? (PyReg)object : REG_BOOL(truth);
    FINISH_BINARY(value, 0);
}

/* On tags; and one tail call away, on ints of which one is an object of one digit. */
#define COMPARE_OP(name, operator) \
    SLOW(name##_value) \
    { \
        int64_t i, j; \
        if (reg_as_small(R(B), &i) && reg_as_small(R(C), &j)) { \
            int truth = i operator j; \
            int_operand_done(f, B); \
            int_operand_done(f, C); \
            WRITE(A, REG_BOOL(truth)); \
            NEXT(0); \
        } \
        TAIL(compare_slow); \
    } \
    HANDLER(name) \
    { \
        PyReg x = R(B), y = R(C); \
        if (likely(x & y & 1)) { \
            WRITE(A, REG_BOOL((int64_t)x operator (int64_t)y)); \
            NEXT(0); \
        } \
        TAIL(name##_value); \
    }

COMPARE_OP(LT, <)
COMPARE_OP(LE, <=)
COMPARE_OP(EQ, ==)
COMPARE_OP(NE, !=)
COMPARE_OP(GT, >)
COMPARE_OP(GE, >=)

HANDLER(IS)
{
    SAVE_IP();
    int same = is_same(R(B), R(C));
    operand_done(f, B);
    operand_done(f, C);
    WRITE(A, REG_BOOL(same));
    NEXT_RELOAD(0);
}

HANDLER(IS_NOT)
{
    SAVE_IP();
    int same = is_same(R(B), R(C));
    operand_done(f, B);
    operand_done(f, C);
    WRITE(A, REG_BOOL(!same));
    NEXT_RELOAD(0);
}

SLOW(contains_slow)
{
    SAVE_IP();
    int truth = peek_contains(R(B), R(C));
    if (truth < 0) {
        if (unlikely(contains_in_python(R(C)))) {
            TRY_METHOD(_PyVM_PushContains(ts, f, R(B), R(C)));
        }
        truth = contains_general(&R(B), &R(C));
    }
    FINISH_CONTAINS(truth, (uint16_t)word);
}

HANDLER(IN)
{
    TAIL(contains_slow);
}

HANDLER(NOT_IN)
{
    TAIL(contains_slow);
}

/* ----------------------------------------------------------------- as jumps */

_Static_assert(OP_JUMP_IF_GE - OP_JUMP_IF_LT == 5
               && OP_JUMP_IF_NOT_LT - OP_JUMP_IF_LT == 6
               && OP_JUMP_IF_LTI - OP_JUMP_IF_LT == 12
               && OP_JUMP_IF_NOT_LTI - OP_JUMP_IF_LTI == 6,
               "order of opcodes.def");

static NEEDS_LOCALS int
compared_truth(PyVMFrame *f, uint64_t word, int immediate, int how)
{
    PyReg constant = REG_FROM_INT((int64_t)SIMM_B);
    PyObject *object = NULL;
    int truth = compare(&R(A), immediate ? &constant : &R(B), how, &object);
    reg_release(constant);
    if (object != NULL) {
        truth = PyObject_IsTrue(object);
        Py_DECREF(object);
    }
    return truth;
}

SLOW(compare_jump_slow)
{
    SAVE_IP();
    int number = (uint8_t)word - OP_JUMP_IF_LT;
    int immediate = number >= 12;
    int negated = number % 12 >= 6;
    int known = immediate ? -1 : known_order(R(A), R(B), number % 6);
    if (known >= 0) {
        FINISH_TEST_JUMP(known, 0, !negated);
    }
    if (unlikely(compares_in_python(R(A)))) {
        TRY_METHOD(_PyVM_PushCompare(ts, f, R(A),
                                     immediate ? REG_FROM_INT((int64_t)SIMM_B) : R(B),
                                     number % 6));
    }
    int truth = compared_truth(f, word, immediate, number % 6);
    FINISH_TEST_JUMP(truth, immediate, !negated);
}

/* Exact floats, or a float and a word: 1 with both in doubles. */
static inline int
compare_as_doubles(PyReg a, PyReg b, double *x, double *y)
{
    if (!IS_EXACT(a, PyFloat_Type)) {
        return 0;
    }
    *x = PyFloat_AS_DOUBLE(REG_PTR(a));
    if (REG_IS_INT(b)) {
        const int64_t exact = (int64_t)1 << 53;
        *y = (double)REG_INT(b);
        return REG_INT(b) <= exact && REG_INT(b) >= -exact;
    }
    if (!IS_EXACT(b, PyFloat_Type)) {
        return 0;
    }
    *y = PyFloat_AS_DOUBLE(REG_PTR(b));
    return 1;
}

/* A dead operand that is known to be a tag or an exact float. */
static inline void
float_operand_done(PyVMFrame *f, unsigned index)
{
    PyReg value = f->regs[index];
    if (!REG_IS_INT(value) && is_temp(f, index)) {
        f->regs[index] = 0;
        PyObject *op = REG_PTR(value);
        if (--op->ob_refcnt == 0) {
            _Py_Dealloc(op);
        }
    }
}

/* Are two exact strs equal? 1 or 0; -1: others, or it takes a call to find out. */
static inline int
equal_texts(PyReg a, PyReg b)
{
    if (!IS_EXACT(a, PyUnicode_Type) || !IS_EXACT(b, PyUnicode_Type)) {
        return -1;
    }
    PyObject *x = REG_PTR(a), *y = REG_PTR(b);
    if (x == y) {
        return 1;
    }
    if (!PyUnicode_IS_READY(x) || !PyUnicode_IS_READY(y)) {
        return -1;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(x);
    if (length != PyUnicode_GET_LENGTH(y) || PyUnicode_KIND(x) != PyUnicode_KIND(y)) {
        return 0;
    }
    return length > 0 && *(Py_UCS1 *)PyUnicode_DATA(x) != *(Py_UCS1 *)PyUnicode_DATA(y) ? 0
           : length <= 1 && PyUnicode_KIND(x) == PyUnicode_1BYTE_KIND ? 1 : -1;
}

/* Is it certain that the objects that are operands outlive the instruction? They may be one. */
static inline int
stay_alive(PyVMFrame *f, unsigned a, unsigned b)
{
    Py_ssize_t dropped = is_temp(f, a) + is_temp(f, b);
    return REG_PTR(f->regs[a])->ob_refcnt > dropped && REG_PTR(f->regs[b])->ob_refcnt > dropped;
}

static inline void
drop_living(PyVMFrame *f, unsigned index)
{
    if (is_temp(f, index)) {
        REG_PTR(f->regs[index])->ob_refcnt--;
        f->regs[index] = 0;
    }
}

#define JUMP_WHEN(condition) \
    do { \
        if (condition) { \
            JUMP_BY(0, SIMM_C); \
        } \
        NEXT(0); \
    } while (0)

/* Equality of strs that nothing has to be called for. */
#define TEXTS_JUMP(name, jumps_if) \
    SLOW(name##_texts) \
    { \
        int equal = equal_texts(R(A), R(B)); \
        if (equal < 0 || unlikely(!stay_alive(f, A, B))) { \
            TAIL(name##_boxed); \
        } \
        drop_living(f, A); \
        drop_living(f, B); \
        JUMP_WHEN(equal == (jumps_if)); \
    }
#define NO_TEXTS

/* On tags; and one tail call away, on ints of which one is an object of one digit,
   and on floats. The condition compares x and y. */
#define COMPARE_JUMP(name, first, texts_jump, condition) \
    SLOW(name##_boxed) \
    { \
        int64_t i, j; \
        double d, e; \
        if (reg_as_small(R(A), &i) && reg_as_small(R(B), &j)) { \
            int64_t x = i, y = j; \
            int_operand_done(f, A); \
            int_operand_done(f, B); \
            JUMP_WHEN(condition); \
        } \
        if (compare_as_doubles(R(A), R(B), &d, &e)) { \
            double x = d, y = e; \
            float_operand_done(f, A); \
            float_operand_done(f, B); \
            JUMP_WHEN(condition); \
        } \
        TAIL(compare_jump_slow); \
    } \
    texts_jump \
    HANDLER(JUMP_IF_##name) \
    { \
        if (likely(R(A) & R(B) & 1)) { \
            int64_t x = (int64_t)R(A), y = (int64_t)R(B); \
            JUMP_WHEN(condition); \
        } \
        TAIL(name##_##first); \
    } \
    SLOW(name##I_boxed) \
    { \
        int64_t i; \
        if (reg_as_small(R(A), &i)) { \
            int64_t x = i, y = SIMM_B; \
            int_operand_done(f, A); \
            JUMP_WHEN(condition); \
        } \
        if (IS_EXACT(R(A), PyFloat_Type)) { \
            double x = PyFloat_AS_DOUBLE(REG_PTR(R(A))), y = SIMM_B; \
            float_operand_done(f, A); \
            JUMP_WHEN(condition); \
        } \
        TAIL(compare_jump_slow); \
    } \
    HANDLER(JUMP_IF_##name##I) \
    { \
        if (likely(REG_IS_INT(R(A)))) { \
            int64_t x = (int64_t)R(A); \
            int64_t y = (int64_t)REG_FROM_INT((int64_t)SIMM_B); \
            JUMP_WHEN(condition); \
        } \
        TAIL(name##I_boxed); \
    }

COMPARE_JUMP(LT, boxed, NO_TEXTS, x < y)
COMPARE_JUMP(LE, boxed, NO_TEXTS, x <= y)
COMPARE_JUMP(EQ, texts, TEXTS_JUMP(EQ, 1), x == y)
COMPARE_JUMP(NE, texts, TEXTS_JUMP(NE, 0), x != y)
COMPARE_JUMP(GT, boxed, NO_TEXTS, x > y)
COMPARE_JUMP(GE, boxed, NO_TEXTS, x >= y)
COMPARE_JUMP(NOT_LT, boxed, NO_TEXTS, !(x < y))
COMPARE_JUMP(NOT_LE, boxed, NO_TEXTS, !(x <= y))
COMPARE_JUMP(NOT_EQ, texts, TEXTS_JUMP(NOT_EQ, 0), !(x == y))
COMPARE_JUMP(NOT_NE, texts, TEXTS_JUMP(NOT_NE, 1), !(x != y))
COMPARE_JUMP(NOT_GT, boxed, NO_TEXTS, !(x > y))
COMPARE_JUMP(NOT_GE, boxed, NO_TEXTS, !(x >= y))

HANDLER(JUMP_IF_IS)
{
    SAVE_IP();
    int same = is_same(R(A), R(B));
    operand_done(f, A);
    operand_done(f, B);
    RELOAD();
    if (same) {
        JUMP_BY(0, SIMM_C);
    }
    NEXT(0);
}

HANDLER(JUMP_IF_IS_NOT)
{
    SAVE_IP();
    int same = is_same(R(A), R(B));
    operand_done(f, A);
    operand_done(f, B);
    RELOAD();
    if (!same) {
        JUMP_BY(0, SIMM_C);
    }
    NEXT(0);
}

SLOW(contains_jump)
{
    SAVE_IP();
    int truth = peek_contains(R(A), R(B));
    if (truth < 0) {
        if (unlikely(contains_in_python(R(B)))) {
            TRY_METHOD(_PyVM_PushContains(ts, f, R(A), R(B)));
        }
        truth = contains_general(&R(A), &R(B));
    }
    FINISH_TEST_JUMP(truth, 0, (uint16_t)word == OP_JUMP_IF_IN);
}

HANDLER(JUMP_IF_IN)
{
    TAIL(contains_jump);
}

HANDLER(JUMP_IF_NOT_IN)
{
    TAIL(contains_jump);
}

/* ------------------------------------------------- for machine code (vm_values.h) */

#ifdef VM_STEPS
PyReg
_PyVM_Compare(PyReg left, PyReg right, uint64_t op)
{
    PyObject *object = NULL;
    int truth = known_order(left, right, (int)op);
    if (truth < 0) {
        truth = compare(&left, &right, (int)op, &object);
    }
    reg_release(left);
    reg_release(right);
    return truth < 0 ? 0 : object != NULL ? (PyReg)object : REG_BOOL(truth);
}

int64_t
_PyVM_CompareTruth(PyReg left, PyReg right, uint64_t op)
{
    PyObject *object = NULL;
    int truth = known_order(left, right, (int)op);
    if (truth < 0) {
        truth = compare(&left, &right, (int)op, &object);
    }
    if (object != NULL) {
        truth = PyObject_IsTrue(object);
        Py_DECREF(object);
    }
    reg_release(left);
    reg_release(right);
    return truth;
}
#endif

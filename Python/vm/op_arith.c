/* Arithmetic. Tagged ints are handled in the handlers proper, exact floats
   one tail call away, everything else in arith_slow(). */
#include "endings.h"
#include "internal/float.h"
#ifdef VM_STEPS
#  include "internal/vm_values.h"
#endif

_Static_assert(OP_XOR - OP_ADD == K_XOR && OP_IADD - OP_ADD == K_COUNT
               && OP_IXOR - OP_IADD == K_XOR, "order of opcodes.def");

static PyObject *
power(PyObject *a, PyObject *b)
{
    return PyNumber_Power(a, b, Py_None);
}

static PyObject *
inplace_power(PyObject *a, PyObject *b)
{
    return PyNumber_InPlacePower(a, b, Py_None);
}

static const binaryfunc generic_functions[2][K_COUNT] = {
    {PyNumber_Add, PyNumber_Subtract, PyNumber_Multiply, PyNumber_TrueDivide,
     PyNumber_FloorDivide, PyNumber_Remainder, power, PyNumber_MatrixMultiply,
     PyNumber_Lshift, PyNumber_Rshift, PyNumber_And, PyNumber_Or,
     PyNumber_Xor},
    {PyNumber_InPlaceAdd, PyNumber_InPlaceSubtract, PyNumber_InPlaceMultiply,
     PyNumber_InPlaceTrueDivide, PyNumber_InPlaceFloorDivide,
     PyNumber_InPlaceRemainder, inplace_power, PyNumber_InPlaceMatrixMultiply,
     PyNumber_InPlaceLshift, PyNumber_InPlaceRshift, PyNumber_InPlaceAnd,
     PyNumber_InPlaceOr, PyNumber_InPlaceXor},
};

/* The same for exact ints, without a look at their types; NULL: there is none. */
static const binaryfunc int_functions[K_COUNT] = {
    [K_ADD] = _PyLong_Add, [K_SUB] = _PyLong_Subtract,
    [K_MUL] = _PyLong_Multiply, [K_TRUEDIV] = _PyLong_TrueDivide,
    [K_FLOORDIV] = _PyLong_FloorDivide, [K_MOD] = _PyLong_Remainder,
    [K_LSHIFT] = _PyLong_LeftShift, [K_RSHIFT] = _PyLong_RightShift,
    [K_AND] = _PyLong_And, [K_OR] = _PyLong_Or, [K_XOR] = _PyLong_Xor,
};

/* ----------------------------------------------------------- words, doubles */

/* The result of int arithmetic on words: 1 with *result set (0 in it: an
   exception), or 0 when it needs the general functions. */
static int
int_words(int kind, int64_t x, int64_t y, PyReg *result)
{
    int64_t z;
    switch (kind) {
    case K_ADD:
        if (__builtin_add_overflow(x, y, &z)) {
            *result = (PyReg)_PyLong_FromInt128((__int128)x + y);
            return 1;
        }
        break;
    case K_SUB:
        if (__builtin_sub_overflow(x, y, &z)) {
            *result = (PyReg)_PyLong_FromInt128((__int128)x - y);
            return 1;
        }
        break;
    case K_MUL:
        if (__builtin_mul_overflow(x, y, &z)) {
            *result = (PyReg)_PyLong_FromInt128((__int128)x * y);
            return 1;
        }
        break;
    case K_TRUEDIV: {
        const int64_t exact = (int64_t)1 << 53;
        if (y == 0 || x > exact || x < -exact || y > exact || y < -exact) {
            return 0;
        }
        *result = (PyReg)_PyFloat_FromDouble((double)x / (double)y);
        return 1;
    }
    case K_FLOORDIV:
        if (y == 0 || y == -1) {
            return 0;
        }
        z = _PyLong_FloorDivInt64(x, y);
        break;
    case K_MOD:
        if (y == 0 || y == -1) {
            return 0;
        }
        z = _PyLong_FloorModInt64(x, y);
        break;
    case K_LSHIFT:
        if (y < 0 || y >= 62 || ((int64_t)((uint64_t)x << y) >> y) != x) {
            return 0;
        }
        z = (int64_t)((uint64_t)x << y);
        break;
    case K_RSHIFT:
        if (y < 0) {
            return 0;
        }
        z = x >> (y > 63 ? 63 : y);
        break;
    case K_AND:
        z = x & y;
        break;
    case K_OR:
        z = x | y;
        break;
    case K_XOR:
        z = x ^ y;
        break;
    default:
        return 0;
    }
    *result = reg_from_int64(z);
    return 1;
}

static int
as_double(PyReg reg, double *value)
{
    if (REG_IS_INT(reg)) {
        *value = (double)REG_INT(reg);
        return 1;
    }
    if (PyFloat_CheckExact(REG_PTR(reg))) {
        *value = PyFloat_AS_DOUBLE(REG_PTR(reg));
        return 1;
    }
    int64_t word;
    if (reg_as_int64(reg, &word)) {
        *value = (double)word;
        return 1;
    }
    return 0;
}

/* At least one operand is a float. */
static inline __attribute__((always_inline)) int
double_op(int kind, double x, double y, double *z)
{
    switch (kind) {
    case K_ADD: *z = x + y; return 1;
    case K_SUB: *z = x - y; return 1;
    case K_MUL: *z = x * y; return 1;
    case K_TRUEDIV:
        if (y == 0.0) {
            return 0;
        }
        *z = x / y;
        return 1;
    case K_FLOORDIV:
        if (y == 0.0) {
            return 0;
        }
        *z = _PyFloat_FloorDivDouble(x, y);
        return 1;
    case K_MOD:
        if (y == 0.0) {
            return 0;
        }
        *z = _PyFloat_RemainderDouble(x, y);
        return 1;
    }
    return 0;
}

/* A machine word as an int that lives on the C stack. */
typedef struct {
    PyVarObject head;
    digit digits[3];
} WordInt;

_Static_assert(offsetof(WordInt, digits) == offsetof(PyLongObject, ob_digit),
               "a WordInt can be read as an int");

/* A register's int as an object, for functions that only read it: the value of a tag
   is written into `space`. */
static inline PyObject *
readable_int(PyReg reg, WordInt *space)
{
    if (!REG_IS_INT(reg)) {
        return REG_PTR(reg);
    }
    int64_t value = REG_INT(reg);
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    Py_ssize_t size = 0;
    for (; magnitude != 0; magnitude >>= PyLong_SHIFT) {
        space->digits[size++] = (digit)magnitude & PyLong_MASK;
    }
    space->head.ob_base.ob_refcnt = 1;
    space->head.ob_base.ob_type = &PyLong_Type;
    space->head.ob_size = value < 0 ? -size : size;
    return (PyObject *)space;
}

/* An exact int of up to four digits as a double word: 1, or 0. */
static inline int
reg_as_int128(PyReg reg, __int128 *value)
{
    if (REG_IS_INT(reg)) {
        *value = REG_INT(reg);
        return 1;
    }
    const digit *d = ((PyLongObject *)REG_PTR(reg))->ob_digit;
    const Py_ssize_t size = Py_SIZE(REG_PTR(reg));
    uint64_t low = 0, high = 0;
    switch (Py_ABS(size)) {
    case 4: high = (uint64_t)d[3] << PyLong_SHIFT; /* fallthrough */
    case 3: high |= d[2]; /* fallthrough */
    case 2: low = (uint64_t)d[1] << PyLong_SHIFT; /* fallthrough */
    case 1: low |= d[0]; /* fallthrough */
    case 0: break;
    default: return 0;
    }
    const __int128 magnitude = (__int128)high << (2 * PyLong_SHIFT) | low;
    *value = size < 0 ? -magnitude : magnitude;
    return 1;
}

static inline int
bits_of(__int128 value)
{
    unsigned __int128 magnitude = value < 0 ? -(unsigned __int128)value
                                            : (unsigned __int128)value;
    uint64_t high = (uint64_t)(magnitude >> 64);
    return high != 0 ? 128 - __builtin_clzll(high)
                     : 64 - __builtin_clzll((uint64_t)magnitude | 1);
}

/* The result of int arithmetic on double words, for exact ints: as int_words(). */
static int
int_double_words(int kind, PyReg b, PyReg c, PyReg *result)
{
    __int128 x, y, z;
    if (!reg_as_int128(b, &x) || !reg_as_int128(c, &y)) {
        return 0;
    }
    switch (kind) {
    case K_ADD: z = x + y; break;
    case K_SUB: z = x - y; break;
    case K_MUL:
        if (bits_of(x) + bits_of(y) > 126) {
            return 0;
        }
        z = x * y;
        break;
    case K_AND: z = x & y; break;
    case K_OR: z = x | y; break;
    case K_XOR: z = x ^ y; break;
    default: return 0;
    }
    *result = z == (int64_t)z ? reg_from_int64((int64_t)z) : (PyReg)_PyLong_FromInt128(z);
    return 1;
}

/* Arithmetic of exact ints, at least one of more than a word. The functions for
   +, - and * only read their operands, and always make a new result. */
static NEEDS_LOCALS PyReg
long_arith(int kind, PyReg *b, PyReg *c)
{
    PyReg result;
    if (int_double_words(kind, *b, *c, &result)) {
        return result;
    }
    if (kind <= K_MUL) {
        WordInt left, right;
        return (PyReg)int_functions[kind](readable_int(*b, &left), readable_int(*c, &right));
    }
    PyObject *left = reg_lend(b);
    PyObject *right = left != NULL ? reg_lend(c) : NULL;
    return right == NULL ? 0 : (PyReg)int_functions[kind](left, right);
}

static inline int
is_int(PyReg value)
{
    return REG_IS_INT(value) || PyLong_CheckExact(REG_PTR(value));
}

static inline int
is_number(PyReg value)
{
    return is_int(value) || PyFloat_CheckExact(REG_PTR(value));
}

/* Arithmetic of exact ints, for an operation that int_functions has. */
static NEEDS_LOCALS PyReg
arith_of_ints(int kind, PyReg *b, PyReg *c)
{
    int64_t x, y;
    PyReg result;
    if (reg_as_int64(*b, &x) && reg_as_int64(*c, &y) && int_words(kind, x, y, &result)) {
        return result;
    }
    return long_arith(kind, b, c);
}

/* b op c; the registers don't change, except that ints may be boxed. 0: an exception is
   set. */
static PyReg
arith(int kind, int in_place, PyReg *b, PyReg *c)
{
    double dx, dy, dz;
    if (is_int(*b) && is_int(*c)) {
        if (int_functions[kind] != NULL) {
            return arith_of_ints(kind, b, c);
        }
    }
    else if ((IS_EXACT(*b, PyFloat_Type) || IS_EXACT(*c, PyFloat_Type))
             && as_double(*b, &dx) && as_double(*c, &dy)) {
        if (double_op(kind, dx, dy, &dz)) {
            return (PyReg)_PyFloat_FromDouble(dz);
        }
        if (kind == K_POW) {
            return (PyReg)_PyFloat_PowerDouble(dx, dy);
        }
    }
    PyObject *left = reg_lend(b);
    PyObject *right = left != NULL ? reg_lend(c) : NULL;
    if (right == NULL) {
        return 0;
    }
    return (PyReg)generic_functions[in_place][kind](left, right);
}

/* ---------------------------------------------------- str, in its own place */

/* `s + t` where the left str dies in this instruction: a temporary, or the
   variable that is written. With one reference to it, it can grow in place.
   1: done, 0: not this case, -1: an exception is set. */
static int
concat_in_place(PyVMFrame *f, unsigned a, unsigned b, unsigned c,
                PyReg *result)
{
    PyObject *left = REG_PTR(f->regs[b]);
    PyObject *right = REG_PTR(f->regs[c]);
    if (!PyUnicode_CheckExact(left) || !PyUnicode_CheckExact(right)
        || Py_REFCNT(left) != 1 || (a != b && !is_temp(f, b)) || b == c) {
        return 0;
    }
    f->regs[b] = 0;
    PyUnicode_Append(&left, right);
    if (left == NULL) {
        return -1;
    }
    *result = (PyReg)left;
    return 1;
}

/* ----------------------------------------------------------------- handlers */

static inline __attribute__((always_inline)) int
kind_of(unsigned op, int *in_place)
{
    unsigned base = _PyOpcode_Info[op].base;
    *in_place = base >= OP_IADD;
    return (int)(base - (*in_place ? OP_IADD : OP_ADD));
}

/* Gives the value of a variable one more reference while C code works on it, as
   CPython's stack does: numpy takes an operand with a single reference for a
   temporary, whose memory it may reuse. A temporary gets none. NULL: nothing to
   release afterwards. */
static inline PyObject *
hold_variable(PyVMFrame *f, unsigned index)
{
    PyReg value = f->regs[index];
    if (is_temp(f, index) || REG_IS_INT(value)) {
        return NULL;
    }
    return Py_XNewRef(REG_PTR(value));
}

/* Types whose only addition is concatenation, and whose products are repetitions. */
static inline int
adds_by_concat(PyTypeObject *type, int in_place)
{
    return type == &PyUnicode_Type || type == &PyBytes_Type
        || type == &PyTuple_Type || (type == &PyList_Type && !in_place);
}

/* May the operator be a method in Python? Only classes have those. */
static inline int
is_instance_of_class(PyReg value)
{
    return !REG_IS_INT(value) && PyType_HasFeature(Py_TYPE(REG_PTR(value)), Py_TPFLAGS_HEAPTYPE);
}

/* Operands that are objects; the left one is no built-in number. */
SLOW(arith_objects)
{
    SAVE_IP();
    int in_place;
    int kind = kind_of((uint16_t)word, &in_place);
    PyReg value = 0;
    if (kind == K_ADD && concat_in_place(f, A, B, C, &value) != 0) {
        if (value == 0) {
            ERROR();
        }
        operand_done(f, C);
    }
    else {
        if (is_instance_of_class(R(B))) {
            TRY_METHOD(_PyVM_PushArithmetic(ts, f, R(B), R(C), kind, in_place));
        }
        PyObject *left = REG_PTR(operand_take(f, B));
        PyObject *right = REG_PTR(operand_take(f, C));
        binaryfunc function = generic_functions[in_place][kind];
        if (kind == K_ADD && Py_TYPE(left) == Py_TYPE(right)
            && adds_by_concat(Py_TYPE(left), in_place)) {
            function = Py_TYPE(left)->tp_as_sequence->sq_concat;
        }
        value = (PyReg)function(left, right);
        Py_DECREF(left);
        Py_DECREF(right);
        if (unlikely(value == 0)) {
            ERROR();
        }
    }
    WRITE(A, value);
    RELOAD();
    NEXT(_PyOpcode_Info[(uint16_t)word].cache);
}

SLOW(arith_slow)
{
    if (!is_number(R(B)) && !REG_IS_INT(R(C))) {
        TAIL(arith_objects);
    }
    SAVE_IP();
    int in_place;
    int kind = kind_of((uint16_t)word, &in_place);
    PyReg result;
    if (is_number(R(B)) && is_number(R(C))) {
        /* These don't need the additional reference. */
        result = arith(kind, in_place, &R(B), &R(C));
    }
    else {
        if (is_instance_of_class(R(B))) {
            TRY_METHOD(_PyVM_PushArithmetic(ts, f, R(B), R(C), kind, in_place));
        }
        PyObject *left = hold_variable(f, B), *right = hold_variable(f, C);
        result = arith(kind, in_place, &R(B), &R(C));
        Py_XDECREF(left);
        Py_XDECREF(right);
    }
    FINISH_BINARY(result, _PyOpcode_Info[(uint16_t)word].cache);
}

/* The result of float arithmetic: it reuses an operand that dies here, if there is no
   other reference to it. */
static inline PyReg
float_result(PyVMFrame *f, unsigned a, unsigned b, unsigned c, double value)
{
    unsigned first_temp = f->code->first_temp;
    PyObject *left = REG_PTR(f->regs[b]), *right = REG_PTR(f->regs[c]);
    if ((b >= first_temp || b == a) && Py_REFCNT(left) == 1) {
        ((PyFloatObject *)left)->ob_fval = value;
        f->regs[b] = 0;
        if (c >= first_temp) {
            f->regs[c] = 0;
            Py_DECREF(right);
        }
        return (PyReg)left;
    }
    if (b >= first_temp) {
        f->regs[b] = 0;
        left->ob_refcnt--;
    }
    if (c >= first_temp || c == a) {
        if (Py_REFCNT(right) == 1) {
            ((PyFloatObject *)right)->ob_fval = value;
            f->regs[c] = 0;
            return (PyReg)right;
        }
        if (c >= first_temp) {
            f->regs[c] = 0;
            right->ob_refcnt--;
        }
    }
    return (PyReg)_PyFloat_FromDouble(value);
}

/* The same for one operand: 0 if it is not such a float. Releases the operand either
   way. */
static inline PyReg
dying_float(PyVMFrame *f, unsigned a, unsigned index, double value)
{
    PyReg reg = f->regs[index];
    if ((is_temp(f, index) || index == a) && IS_EXACT(reg, PyFloat_Type)
        && Py_REFCNT(REG_PTR(reg)) == 1) {
        ((PyFloatObject *)REG_PTR(reg))->ob_fval = value;
        f->regs[index] = 0;
        return reg;
    }
    operand_done(f, index);
    return 0;
}

/* The same where one of them is an int. */
static inline PyReg
mixed_result(PyVMFrame *f, unsigned a, unsigned b, unsigned c, double value)
{
    PyReg result = dying_float(f, a, b, value);
    if (result != 0) {
        operand_done(f, c);
        return result;
    }
    result = dying_float(f, a, c, value);
    return result != 0 ? result : (PyReg)_PyFloat_FromDouble(value);
}

/* A float and an int, as doubles. */
static inline __attribute__((always_inline)) int
float_and_int(PyReg b, PyReg c, double *x, double *y)
{
    int64_t word;
    if (IS_EXACT(b, PyFloat_Type) && reg_as_small(c, &word)) {
        *x = PyFloat_AS_DOUBLE(REG_PTR(b));
        *y = (double)word;
        return 1;
    }
    if (IS_EXACT(c, PyFloat_Type) && reg_as_small(b, &word)) {
        *x = (double)word;
        *y = PyFloat_AS_DOUBLE(REG_PTR(c));
        return 1;
    }
    return 0;
}

#define BOTH_FLOATS() \
    (((R(B) | R(C)) & 1) == 0 \
     && Py_IS_TYPE(REG_PTR(R(B)), &PyFloat_Type) \
     && Py_IS_TYPE(REG_PTR(R(C)), &PyFloat_Type))

/* The other cases of ints: operands of more than a digit, results too large for a tag. */
#define LONG_OP(name, kind, caches) \
    SLOW(name) \
    { \
        SAVE_IP(); \
        PyReg value = arith_of_ints(kind, &R(B), &R(C)); \
        if (unlikely(value == 0)) { \
            ERROR(); \
        } \
        int_operand_done(f, B); \
        int_operand_done(f, C); \
        WRITE(A, value); \
        NEXT_RELOAD(caches); \
    }

/* One tail call away: floats, then ints of which one is an object, then longer ints or one
   of each. They are separate handlers, so that none saves registers for the calls of
   another. */
#define MIXED(name, kind, int_overflows, float_condition, float_expression) \
    LONG_OP(name##_long_ints, kind, 1) \
    SLOW(name##_float_int) \
    { \
        double x, y; \
        if (float_and_int(R(B), R(C), &x, &y) && (float_condition)) { \
            SAVE_IP(); \
            PyReg reg = mixed_result(f, A, B, C, float_expression); \
            if (unlikely(reg == 0)) { \
                ERROR(); \
            } \
            WRITE(A, reg); \
            NEXT(1); \
        } \
        TAIL(arith_slow); \
    } \
    SLOW(name##_ints) \
    { \
        int64_t i, j, k; \
        PyReg reg; \
        if (reg_as_small(R(B), &i) && reg_as_small(R(C), &j) \
            && !(int_overflows) && REG_INT(reg = REG_FROM_INT(k)) == k) { \
            int_operand_done(f, B); \
            int_operand_done(f, C); \
            WRITE(A, reg); \
            NEXT(1); \
        } \
        if (is_int(R(B)) && is_int(R(C))) { \
            TAIL(name##_long_ints); \
        } \
        TAIL(name##_float_int); \
    } \
    SLOW(name) \
    { \
        if (!BOTH_FLOATS()) { \
            TAIL(name##_ints); \
        } \
        double x = PyFloat_AS_DOUBLE(REG_PTR(R(B))); \
        double y = PyFloat_AS_DOUBLE(REG_PTR(R(C))); \
        if (!(float_condition)) { \
            TAIL(arith_slow); \
        } \
        SAVE_IP(); \
        PyReg reg = float_result(f, A, B, C, float_expression); \
        if (unlikely(reg == 0)) { \
            ERROR(); \
        } \
        WRITE(A, reg); \
        NEXT(1); \
    }

MIXED(add_mixed, K_ADD, __builtin_add_overflow(i, j, &k), 1, x + y)
MIXED(sub_mixed, K_SUB, __builtin_sub_overflow(i, j, &k), 1, x - y)
MIXED(mul_mixed, K_MUL, __builtin_mul_overflow(i, j, &k), 1, x * y)
MIXED(truediv_mixed, K_TRUEDIV, ((void)j, (void)i, k = 0, 1), y != 0.0, x / y)

#define BOTH_INTS(x, y) likely((x) & (y) & 1)

/* On tags: with x = 2a+1 and y = 2b+1, x + (y-1) is the tag of a+b. */
#define ADD_TAGS(x, y, z) \
    __builtin_add_overflow((int64_t)(x), (int64_t)((y) - 1), (int64_t *)&(z))
#define SUB_TAGS(x, y, z) \
    __builtin_sub_overflow((int64_t)(x), (int64_t)((y) - 1), (int64_t *)&(z))
#define MUL_TAGS(x, y, z) \
    (__builtin_mul_overflow((int64_t)(x) >> 1, (int64_t)((y) - 1), \
                            (int64_t *)&(z)) || ((z) |= 1, 0))

#define INT_OP(name, caches, overflows, slow) \
    HANDLER(name) \
    { \
        PyReg x = R(B), y = R(C), z; \
        if (BOTH_INTS(x, y) && likely(!(overflows))) { \
            WRITE(A, z); \
            NEXT(caches); \
        } \
        TAIL(slow); \
    }

/* One operand, or both, may be an int object of one digit. */
#define INT_OP_BOXED(name, in_place_name, caches, overflows) \
    LONG_OP(name##_ints, K_##name, caches) \
    SLOW(name##_boxed) \
    { \
        int64_t i, j; \
        if (reg_as_small(R(B), &i) && reg_as_small(R(C), &j)) { \
            PyReg x = REG_FROM_INT(i), y = REG_FROM_INT(j), z; \
            if (likely(!(overflows))) { \
                int_operand_done(f, B); \
                int_operand_done(f, C); \
                WRITE(A, z); \
                NEXT(caches); \
            } \
        } \
        if (is_int(R(B)) && is_int(R(C))) { \
            TAIL(name##_ints); \
        } \
        TAIL(arith_slow); \
    } \
    INT_OP(name, caches, overflows, name##_boxed) \
    INT_OP(in_place_name, caches, overflows, name##_boxed)

INT_OP(ADD, 1, ADD_TAGS(x, y, z), add_mixed)
INT_OP(IADD, 1, ADD_TAGS(x, y, z), add_mixed)
INT_OP(SUB, 1, SUB_TAGS(x, y, z), sub_mixed)
INT_OP(ISUB, 1, SUB_TAGS(x, y, z), sub_mixed)
INT_OP(MUL, 1, MUL_TAGS(x, y, z), mul_mixed)
INT_OP(IMUL, 1, MUL_TAGS(x, y, z), mul_mixed)
INT_OP_BOXED(AND, IAND, 0, (z = x & y, 0))
INT_OP_BOXED(OR, IOR, 0, (z = x | y, 0))
INT_OP_BOXED(XOR, IXOR, 0, (z = (x ^ y) | 1, 0))

/* Division of words. A divisor of 0 or -1 (which can overflow) is handled elsewhere. */
#define DIVISOR_OK(y) ((uint64_t)REG_INT(y) + 1 > 1)
#define FLOORDIV_TAGS(x, y, z) \
    (!DIVISOR_OK(y) \
     || (z = REG_FROM_INT(_PyLong_FloorDivInt64(REG_INT(x), REG_INT(y))), 0))
#define MOD_TAGS(x, y, z) \
    (!DIVISOR_OK(y) \
     || (z = REG_FROM_INT(_PyLong_FloorModInt64(REG_INT(x), REG_INT(y))), 0))

INT_OP_BOXED(FLOORDIV, IFLOORDIV, 1, FLOORDIV_TAGS(x, y, z))
INT_OP_BOXED(MOD, IMOD, 1, MOD_TAGS(x, y, z))

#define RSHIFT_TAGS(x, y, z) \
    ((uint64_t)(y) > 2 * 63 + 1 \
     || (z = (uint64_t)((int64_t)(x) >> REG_INT(y)) | 1, 0))
#define LSHIFT_TAGS(x, y, z) \
    ((uint64_t)(y) > 2 * 60 + 1 \
     || (z = (((x) - 1) << REG_INT(y)) | 1, \
         (int64_t)z >> REG_INT(y) >> 1 != REG_INT(x)))

INT_OP_BOXED(RSHIFT, IRSHIFT, 0, RSHIFT_TAGS(x, y, z))
INT_OP_BOXED(LSHIFT, ILSHIFT, 0, LSHIFT_TAGS(x, y, z))

HANDLER(TRUEDIV)
{
    TAIL(truediv_mixed);
}

HANDLER(ITRUEDIV)
{
    TAIL(truediv_mixed);
}

#define PLAIN(name) HANDLER(name) { TAIL(arith_slow); }
PLAIN(POW)
PLAIN(IPOW)
PLAIN(MATMUL)
PLAIN(IMATMUL)

/* ------------------------------------------------ with a small constant int */

static NEEDS_LOCALS PyReg
arith_constant(int kind, int inplace, PyReg *left, int64_t number)
{
    PyReg constant = REG_FROM_INT(number);
    PyReg result = arith(kind, inplace, left, &constant);
    reg_release(constant);
    return result;
}

SLOW(constant_slow)
{
    SAVE_IP();
    int kind = constant_kind(_PyOpcode_Info[(uint16_t)word].base);
    double z;
    if (IS_EXACT(R(B), PyFloat_Type)
        && double_op(kind, PyFloat_AS_DOUBLE(REG_PTR(R(B))), (double)SIMM_C, &z)) {
        PyReg reg = dying_float(f, A, B, z);
        if (reg == 0 && (reg = (PyReg)_PyFloat_FromDouble(z)) == 0) {
            ERROR();
        }
        WRITE(A, reg);
        NEXT(1);
    }
    int in_place = CACHE(0)->arg & 1;
    PyReg result;
    if (is_int(R(B))) {
        result = arith_constant(kind, 0, &R(B), (int64_t)SIMM_C);
    }
    else if (kind == K_MUL && REG_IS_PTR(R(B)) && adds_by_concat(Py_TYPE(REG_PTR(R(B))), in_place)) {
        PyObject *left = REG_PTR(R(B));
        result = (PyReg)Py_TYPE(left)->tp_as_sequence->sq_repeat(left, SIMM_C);
    }
    else {
        if (is_instance_of_class(R(B))) {
            TRY_METHOD(_PyVM_PushArithmetic(ts, f, R(B), REG_FROM_INT((int64_t)SIMM_C), kind,
                                            in_place));
        }
        PyObject *held = hold_variable(f, B);
        result = arith_constant(kind, in_place, &R(B), (int64_t)SIMM_C);
        Py_XDECREF(held);
    }
    FINISH_CONSTANT(result);
}

/* An int object of one digit, as attributes and items of containers are, is handled like
   a tag. */
#define CONSTANT_OP(name, overflows) \
    SLOW(name##_boxed) \
    { \
        int64_t value; \
        if (reg_as_small(R(B), &value)) { \
            PyReg x = REG_FROM_INT(value), y = REG_FROM_INT((int64_t)SIMM_C), z; \
            if (likely(!(overflows))) { \
                int_operand_done(f, B); \
                WRITE(A, z); \
                NEXT(1); \
            } \
        } \
        TAIL(constant_slow); \
    } \
    HANDLER(name) \
    { \
        PyReg x = R(B), y = REG_FROM_INT((int64_t)SIMM_C), z; \
        if (likely(REG_IS_INT(x)) && likely(!(overflows))) { \
            WRITE(A, z); \
            NEXT(1); \
        } \
        TAIL(name##_boxed); \
    }

CONSTANT_OP(ADDI, ADD_TAGS(x, y, z))
CONSTANT_OP(SUBI, SUB_TAGS(x, y, z))
CONSTANT_OP(MULI, MUL_TAGS(x, y, z))
CONSTANT_OP(FLOORDIVI, FLOORDIV_TAGS(x, y, z))
CONSTANT_OP(MODI, MOD_TAGS(x, y, z))
CONSTANT_OP(ANDI, (z = x & y, 0))
CONSTANT_OP(LSHIFTI, LSHIFT_TAGS(x, y, z))
CONSTANT_OP(RSHIFTI, RSHIFT_TAGS(x, y, z))

/* -------------------------------------------------------------------- unary */

SLOW(unary_slow)
{
    SAVE_IP();
    if (is_instance_of_class(R(B))) {
        TRY_METHOD(_PyVM_PushUnary(ts, f, R(B), (uint16_t)word, A));
    }
    PyObject *held = hold_variable(f, B);
    PyObject *value = reg_object(&R(B));
    PyObject *result = NULL;
    if (value != NULL) {
        switch ((uint16_t)word) {
        case OP_NEG: result = PyNumber_Negative(value); break;
        case OP_POS: result = PyNumber_Positive(value); break;
        default: result = PyNumber_Invert(value); break;
        }
    }
    Py_XDECREF(held);
    if (result == NULL) {
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)result);
    NEXT_RELOAD(0);
}

#define UNARY_OP(name, overflows) \
    HANDLER(name) \
    { \
        PyReg x = R(B), z; \
        if (likely(REG_IS_INT(x)) && likely(!(overflows))) { \
            WRITE(A, z); \
            NEXT(0); \
        } \
        TAIL(unary_slow); \
    }

UNARY_OP(NEG, __builtin_sub_overflow((int64_t)2, (int64_t)x, (int64_t *)&z))
UNARY_OP(POS, (z = x, 0))
UNARY_OP(INVERT, (z = ~x | 1, 0))

SLOW(not_slow)
{
    SAVE_IP();
    int truth = reg_known_truth(R(B));
    if (unlikely(truth < 0)) {
        TRY_METHOD(_PyVM_PushTruth(ts, f, R(B)));
        truth = PyObject_IsTrue(REG_PTR(R(B)));
    }
    FINISH_NOT(truth);
}

HANDLER(NOT)
{
    PyReg x = R(B);
    if (x == (PyReg)Py_True || x == (PyReg)Py_False) {
        WRITE(A, REG_BOOL(x == (PyReg)Py_False));
        NEXT(0);
    }
    TAIL(not_slow);
}

/* ------------------------------------------------- for machine code (vm_values.h) */

#ifdef VM_STEPS
PyObject *
_PyVM_AddTexts(PyReg left, PyReg right)
{
    PyObject *text = REG_PTR(left), *more = REG_PTR(right);
    if (Py_REFCNT(text) == 1) {
        PyUnicode_Append(&text, more);
    }
    else {
        PyObject *sum = PyUnicode_Concat(text, more);
        Py_DECREF(text);
        text = sum;
    }
    Py_DECREF(more);
    return text;
}

/* What sets, and nobody else, do with the operator, or NULL. */
static inline binaryfunc
set_operator(int kind, int in_place)
{
    const PyNumberMethods *methods = PySet_Type.tp_as_number;
    switch (kind) {
    case K_AND: return in_place ? methods->nb_inplace_and : methods->nb_and;
    case K_OR: return in_place ? methods->nb_inplace_or : methods->nb_or;
    case K_SUB: return in_place ? methods->nb_inplace_subtract : methods->nb_subtract;
    default: return NULL;
    }
}

PyReg
_PyVM_Arithmetic(PyReg left, PyReg right, uint64_t how)
{
    int kind = (int)(how & 255), in_place = how > 255;
    PyReg value;
    if (kind == K_ADD && IS_EXACT(left, PyUnicode_Type) && IS_EXACT(right, PyUnicode_Type)) {
        return (PyReg)_PyVM_AddTexts(left, right);
    }
    PyTypeObject *type = REG_IS_INT(left) ? &PyLong_Type : Py_TYPE(REG_PTR(left));
    if (kind == K_ADD && adds_by_concat(type, in_place) && !REG_IS_INT(right)
        && Py_IS_TYPE(REG_PTR(right), type)) {
        value = (PyReg)type->tp_as_sequence->sq_concat(REG_PTR(left), REG_PTR(right));
    }
    else if (kind == K_MUL && adds_by_concat(type, in_place) && REG_IS_INT(right)) {
        value = (PyReg)type->tp_as_sequence->sq_repeat(REG_PTR(left), REG_INT(right));
    }
    else if (type == &PySet_Type && !REG_IS_INT(right) && Py_IS_TYPE(REG_PTR(right), type)
             && set_operator(kind, in_place) != NULL) {
        value = (PyReg)set_operator(kind, in_place)(REG_PTR(left), REG_PTR(right));
    }
    else {
        value = arith(kind, in_place, &left, &right);
    }
    reg_release(left);
    reg_release(right);
    return value;
}

PyObject *
_PyVM_Unary(PyReg value, uint64_t op)
{
    PyObject *operand = reg_object(&value);
    PyObject *result = operand == NULL ? NULL
                     : op == OP_NEG ? PyNumber_Negative(operand)
                     : op == OP_POS ? PyNumber_Positive(operand) : PyNumber_Invert(operand);
    reg_release(value);
    return result;
}
#endif

/* Decimal: construction, operators, methods; and the methods of Context that are the same
   operations with another first argument (operations.def). */

#include "decimal_impl.h"
#include "internal/method_table.h"
#include "internal/int.h"

/* -------------------------------------------------------------- construction */

PyObject *
_dec_new(num *v)
{
    Decimal *self = PyObject_Malloc(sizeof(Decimal));
    if (self == NULL) {
        num_clear(v);
        return PyErr_NoMemory();
    }
    _PyObject_InitExact((PyObject *)self, &_PyDecimal_Type);
    self->hash = -1;
    self->v = *v;
    return (PyObject *)self;
}

PyObject *
_dec_new_of_type(PyTypeObject *type, num *v)
{
    if (type == &_PyDecimal_Type) {
        return _dec_new(v);
    }
    Decimal *self = (Decimal *)type->tp_alloc(type, 0);
    if (self == NULL) {
        num_clear(v);
        return NULL;
    }
    self->hash = -1;
    self->v = *v;
    return (PyObject *)self;
}

static void
decimal_dealloc(PyObject *self)
{
    num_clear(V(self));
    if (Py_IS_TYPE(self, &_PyDecimal_Type)) {
        PyObject_Free(self);
        return;
    }
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
make(PyTypeObject *type, PyObject *value, PyObject *context)
{
    num n;
    Context *ctx = _dec_context_arg(context);
    if (ctx == NULL) {
        return NULL;
    }
    if (value == NULL) {
        set_triple(&n, 0, 0, 0);
    }
    else if (type == &_PyDecimal_Type && Py_IS_TYPE(value, type)) {
        return Py_NewRef(value);
    }
    else if (_dec_from_object(&n, value, ctx, 1) < 0) {
        return NULL;
    }
    return _dec_new_of_type(type, &n);
}

static PyObject *
decimal_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"value", "context", NULL};
    PyObject *value = NULL, *context = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO", keywords, &value, &context)) {
        return NULL;
    }
    return make(type, value, context);
}

#define PARSER(variable, ...)                                       \
    static const char *const variable##_keywords[] = {__VA_ARGS__, NULL}; \
    static _PyArg_Parser variable = {.keywords = variable##_keywords}

static PyObject *
decimal_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PARSER(parser, "value", "context");
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (kwnames == NULL && nargs == 1) {
        return make((PyTypeObject *)type, args[0], NULL);
    }
    PyObject *buf[2];
    Py_ssize_t given = nargs + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames));
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 0, 2, 0, buf);
    if (args == NULL) {
        return NULL;
    }
    PyObject *value = given > 0 ? args[0] : NULL;
    PyObject *context = kwnames != NULL || nargs > 1 ? args[1] : NULL;
    return make((PyTypeObject *)type, value, context);
}

/* A Decimal's number, or an int's in *room, which the caller clears. NULL with TypeError for
   others, or without exception if `quiet`. */
static const num *
operand_of(PyObject *op, num *room, int quiet)
{
    room->is_big = 0;
    if (Decimal_Check(op)) {
        return V(op);
    }
    if (PyLong_Check(op)) {
        return _dec_from_int(room, op) < 0 ? NULL : room;
    }
    if (!quiet) {
        PyErr_Format(PyExc_TypeError, "conversion from %s to Decimal is not supported",
                     Py_TYPE(op)->tp_name);
    }
    return NULL;
}

/* The result of an operation on one or two operands, or NULL with an exception. */
static PyObject *
do_unary(unary_op f, PyObject *x, Context *ctx)
{
    num r, room;
    uint32_t status = 0;
    const num *a = operand_of(x, &room, 0);
    if (a == NULL) {
        return NULL;
    }
    f(&r, a, &ctx->c, &status);
    num_clear(&room);
    return _dec_finish(&r, ctx, status);
}

static PyObject *
do_binary(binary_op f, PyObject *x, PyObject *y, Context *ctx)
{
    num r, room_x, room_y;
    uint32_t status = 0;
    const num *a = operand_of(x, &room_x, 0);
    const num *b = a == NULL ? NULL : operand_of(y, &room_y, 0);
    if (b == NULL) {
        num_clear(&room_x);
        return NULL;
    }
    f(&r, a, b, &ctx->c, &status);
    num_clear(&room_x);
    num_clear(&room_y);
    return _dec_finish(&r, ctx, status);
}

/* ----------------------------------------------------------------- operators */

static inline PyObject *
operate(binary_op f, PyObject *x, PyObject *y)
{
    num r, room;
    const num *a, *b;
    uint32_t status = 0;
    Context *ctx = _dec_current();
    if (ctx == NULL) {
        return NULL;
    }
    if (Decimal_Check(x)) {
        a = V(x);
        b = operand_of(y, &room, 1);
    }
    else {
        b = V(y);
        a = operand_of(x, &room, 1);
    }
    if (a == NULL || b == NULL) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        Py_RETURN_NOTIMPLEMENTED;
    }
    f(&r, a, b, &ctx->c, &status);
    num_clear(&room);
    return _dec_finish(&r, ctx, status);
}

#define OPERATOR(name, f) \
    static PyObject * \
    name(PyObject *x, PyObject *y) \
    { \
        return operate(f, x, y); \
    }

OPERATOR(decimal_add, _dec_add)
OPERATOR(decimal_subtract, _dec_subtract)
OPERATOR(decimal_multiply, _dec_multiply)
OPERATOR(decimal_divide, _dec_divide)
OPERATOR(decimal_floor_divide, _dec_divide_int)
OPERATOR(decimal_remainder, _dec_remainder)

static PyObject *
divmod_of(const num *a, const num *b, Context *ctx)
{
    num q, r;
    uint32_t status = 0;
    _dec_divmod(&q, &r, a, b, &ctx->c, &status);
    if (_dec_signal(ctx, status) < 0) {
        num_clear(&q);
        num_clear(&r);
        return NULL;
    }
    PyObject *quotient = _dec_new(&q), *rest = _dec_new(&r);
    if (quotient == NULL || rest == NULL) {
        Py_XDECREF(quotient);
        Py_XDECREF(rest);
        return NULL;
    }
    return Py_BuildValue("NN", quotient, rest);
}

static PyObject *
decimal_divmod(PyObject *x, PyObject *y)
{
    num room_x, room_y;
    Context *ctx = _dec_current();
    if (ctx == NULL) {
        return NULL;
    }
    const num *a = operand_of(x, &room_x, 1), *b = operand_of(y, &room_y, 1);
    PyObject *result = a == NULL || b == NULL ? Py_NewRef(Py_NotImplemented)
        : divmod_of(a, b, ctx);
    num_clear(&room_x);
    num_clear(&room_y);
    return result;
}

/* z may be NULL or None. */
static PyObject *
power_of(PyObject *x, PyObject *y, PyObject *z, Context *ctx, int quiet)
{
    num r, room[3];
    PyObject *ops[3] = {x, y, z};
    const num *operands[3];
    uint32_t status = 0;
    int n = z == NULL || z == Py_None ? 2 : 3;
    for (int i = 0; i < n; i++) {
        operands[i] = operand_of(ops[i], &room[i], quiet);
        if (operands[i] == NULL) {
            while (i-- > 0) {
                num_clear(&room[i]);
            }
            if (PyErr_Occurred()) {
                return NULL;
            }
            Py_RETURN_NOTIMPLEMENTED;
        }
    }
    if (n == 2) {
        _dec_power(&r, operands[0], operands[1], &ctx->c, &status);
    }
    else {
        _dec_power_modulo(&r, operands[0], operands[1], operands[2], &ctx->c, &status);
    }
    for (int i = 0; i < n; i++) {
        num_clear(&room[i]);
    }
    return _dec_finish(&r, ctx, status);
}

static PyObject *
decimal_power(PyObject *x, PyObject *y, PyObject *z)
{
    Context *ctx = _dec_current();
    return ctx == NULL ? NULL : power_of(x, y, z, ctx, 1);
}

#define SIGN_OPERATOR(name, f) \
    static PyObject * \
    name(PyObject *x) \
    { \
        Context *ctx = _dec_current(); \
        return ctx == NULL ? NULL : do_unary(f, x, ctx); \
    }

SIGN_OPERATOR(decimal_negative, _dec_minus)
SIGN_OPERATOR(decimal_positive, _dec_plus)
SIGN_OPERATOR(decimal_absolute, _dec_abs)

static int
decimal_bool(PyObject *self)
{
    return !is_zero(V(self));
}

static PyObject *
decimal_int(PyObject *self)
{
    return _dec_to_int(V(self), ROUND_DOWN);
}

static PyNumberMethods decimal_as_number = {
    .nb_add = decimal_add,
    .nb_subtract = decimal_subtract,
    .nb_multiply = decimal_multiply,
    .nb_remainder = decimal_remainder,
    .nb_divmod = decimal_divmod,
    .nb_power = decimal_power,
    .nb_negative = decimal_negative,
    .nb_positive = decimal_positive,
    .nb_absolute = decimal_absolute,
    .nb_bool = decimal_bool,
    .nb_int = decimal_int,
    .nb_float = _dec_to_float,
    .nb_floor_divide = decimal_floor_divide,
    .nb_true_divide = decimal_divide,
};

static PyObject *
decimal_str(PyObject *self)
{
    Context *ctx = _dec_current();
    return ctx == NULL ? NULL : _dec_to_str(V(self), ctx->c.capitals, 0, "", "");
}

static PyObject *
decimal_repr(PyObject *self)
{
    Context *ctx = _dec_current();
    return ctx == NULL ? NULL : _dec_to_str(V(self), ctx->c.capitals, 0, "Decimal('", "')");
}

/* ------------------------------------------- the operations as methods of both */

/* Parses (context=None) and (other, context=None). NULL with an exception. */
static Context *
only_context(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PARSER(parser, "context");
    if (nargs == 0 && kwnames == NULL) {
        return _dec_current();
    }
    PyObject *buf[1];
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 0, 1, 0, buf);
    return args == NULL ? NULL : _dec_context_arg(args[0]);
}

static Context *
other_and_context(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, PyObject **other)
{
    PARSER(parser, "other", "context");
    if (nargs == 1 && kwnames == NULL) {
        *other = args[0];
        return _dec_current();
    }
    PyObject *buf[2] = {NULL, NULL};
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 1, 2, 0, buf);
    if (args == NULL) {
        return NULL;
    }
    *other = args[0];
    return _dec_context_arg(nargs == 2 || kwnames != NULL ? args[1] : NULL);
}

/* The operands of a context's method. */
static int
two_args(Py_ssize_t nargs)
{
    if (nargs != 2) {
        PyErr_Format(PyExc_TypeError, "function takes exactly 2 arguments (%zd given)", nargs);
        return -1;
    }
    return 0;
}

#define CONTEXT_U(name, f) \
    static PyObject * \
    context_##name(PyObject *self, PyObject *x) \
    { \
        return do_unary(f, x, (Context *)self); \
    }
#define CONTEXT_B(name, f) \
    static PyObject * \
    context_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs) \
    { \
        return two_args(nargs) < 0 ? NULL : do_binary(f, args[0], args[1], (Context *)self); \
    }
#define U(name, f, text) \
    static PyObject * \
    decimal_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    { \
        Context *ctx = only_context(args, nargs, kwnames); \
        return ctx == NULL ? NULL : do_unary(f, self, ctx); \
    } \
    CONTEXT_U(name, f)
#define B(name, f, text) \
    static PyObject * \
    decimal_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    { \
        PyObject *other; \
        Context *ctx = other_and_context(args, nargs, kwnames, &other); \
        return ctx == NULL ? NULL : do_binary(f, self, other, ctx); \
    } \
    CONTEXT_B(name, f)
#define Q(name, f, text) \
    static PyObject * \
    decimal_##name(PyObject *self, PyObject *Py_UNUSED(ignored)) \
    { \
        num r; \
        uint32_t status = 0; \
        f(&r, V(self), &_dec_exact, &status); \
        return _dec_new(&r); \
    } \
    CONTEXT_U(name, f)
#define P(name, test, text) \
    static PyObject * \
    decimal_##name(PyObject *self, PyObject *Py_UNUSED(ignored)) \
    { \
        const num *a = V(self); \
        (void)a; \
        return PyBool_FromLong(test); \
    } \
    static PyObject * \
    context_##name(PyObject *Py_UNUSED(self), PyObject *x) \
    { \
        num room; \
        const num *a = operand_of(x, &room, 0); \
        if (a == NULL) { \
            return NULL; \
        } \
        int result = test; \
        num_clear(&room); \
        return PyBool_FromLong(result); \
    }
#define CU(name, f, text) CONTEXT_U(name, f)
#define CB(name, f, text) CONTEXT_B(name, f)
#include "operations.def"
#undef U
#undef B
#undef Q
#undef P
#undef CU
#undef CB

/* -------------------------------------------------- methods of Decimal alone */

/* (exp, rounding=None, context=None) */
static PyObject *
decimal_quantize(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PARSER(parser, "exp", "rounding", "context");
    PyObject *buf[3] = {NULL, NULL, NULL};
    num r, room;
    uint32_t status = 0;
    PyObject *exp, *rounding = NULL, *context = NULL;
    if (nargs == 1 && kwnames == NULL) {
        exp = args[0];
    }
    else {
        PyObject *const *all = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 1, 3,
                                                     0, buf);
        if (all == NULL) {
            return NULL;
        }
        exp = all[0];
        rounding = nargs > 1 || kwnames != NULL ? all[1] : NULL;
        context = nargs > 2 || kwnames != NULL ? all[2] : NULL;
    }
    Context *ctx = _dec_context_arg(context);
    if (ctx == NULL) {
        return NULL;
    }
    dctx settings = ctx->c;
    if (rounding != NULL && rounding != Py_None) {
        int mode = _dec_rounding_arg(rounding);
        if (mode < 0) {
            return NULL;
        }
        settings.round = (uint8_t)mode;
    }
    const num *b = operand_of(exp, &room, 0);
    if (b == NULL) {
        return NULL;
    }
    _dec_quantize(&r, V(self), b, &settings, &status);
    num_clear(&room);
    return _dec_finish(&r, ctx, status);
}

/* (rounding=None, context=None) */
static PyObject *
to_integral(unary_op f, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    PARSER(parser, "rounding", "context");
    PyObject *buf[2] = {NULL, NULL}, *all[2] = {NULL, NULL};
    num r;
    uint32_t status = 0;
    if (nargs > 0 || kwnames != NULL) {
        args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 0, 2, 0, buf);
        if (args == NULL) {
            return NULL;
        }
        all[0] = args[0];
        all[1] = nargs > 1 || kwnames != NULL ? args[1] : NULL;
    }
    Context *ctx = _dec_context_arg(all[1]);
    if (ctx == NULL) {
        return NULL;
    }
    dctx settings = ctx->c;
    if (all[0] != NULL && all[0] != Py_None) {
        int mode = _dec_rounding_arg(all[0]);
        if (mode < 0) {
            return NULL;
        }
        settings.round = (uint8_t)mode;
    }
    f(&r, V(self), &settings, &status);
    return _dec_finish(&r, ctx, status);
}

static PyObject *
decimal_to_integral_value(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                          PyObject *kwnames)
{
    return to_integral(_dec_to_integral_value, self, args, nargs, kwnames);
}

static PyObject *
decimal_to_integral_exact(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                          PyObject *kwnames)
{
    return to_integral(_dec_to_integral_exact, self, args, nargs, kwnames);
}

static PyObject *
fma_of(PyObject *const ops[3], Context *ctx)
{
    num r, room[3];
    const num *operands[3];
    uint32_t status = 0;
    for (int i = 0; i < 3; i++) {
        operands[i] = operand_of(ops[i], &room[i], 0);
        if (operands[i] == NULL) {
            while (i-- > 0) {
                num_clear(&room[i]);
            }
            return NULL;
        }
    }
    _dec_fma(&r, operands[0], operands[1], operands[2], &ctx->c, &status);
    for (int i = 0; i < 3; i++) {
        num_clear(&room[i]);
    }
    return _dec_finish(&r, ctx, status);
}

static PyObject *
decimal_fma(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PARSER(parser, "other", "third", "context");
    PyObject *buf[3] = {NULL, NULL, NULL};
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 2, 3, 0, buf);
    if (args == NULL) {
        return NULL;
    }
    Context *ctx = _dec_context_arg(nargs > 2 || kwnames != NULL ? args[2] : NULL);
    PyObject *ops[3] = {self, args[0], args[1]};
    return ctx == NULL ? NULL : fma_of(ops, ctx);
}

static PyObject *
decimal_is_normal(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    Context *ctx = only_context(args, nargs, kwnames);
    const num *a = V(self);
    return ctx == NULL ? NULL : PyBool_FromLong(a->kind == FINITE && !zero_coef(a)
                                                && adjusted(a) >= ctx->c.emin);
}

static PyObject *
decimal_is_subnormal(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    Context *ctx = only_context(args, nargs, kwnames);
    const num *a = V(self);
    return ctx == NULL ? NULL : PyBool_FromLong(a->kind == FINITE && !zero_coef(a)
                                                && adjusted(a) < ctx->c.emin);
}

static PyObject *
decimal_number_class(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    Context *ctx = only_context(args, nargs, kwnames);
    return ctx == NULL ? NULL : PyUnicode_FromString(_dec_number_class(V(self), &ctx->c));
}

static PyObject *
decimal_to_eng_string(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    Context *ctx = only_context(args, nargs, kwnames);
    return ctx == NULL ? NULL : _dec_to_str(V(self), ctx->c.capitals, 1, "", "");
}

static int
same_quantum(const num *a, const num *b)
{
    if (a->kind == FINITE && b->kind == FINITE) {
        return a->exp == b->exp;
    }
    return (is_nan(a) && is_nan(b)) || (a->kind == INFINITE && b->kind == INFINITE);
}

static PyObject *
same_quantum_of(PyObject *x, PyObject *y)
{
    num room_x, room_y;
    const num *a = operand_of(x, &room_x, 0);
    const num *b = a == NULL ? NULL : operand_of(y, &room_y, 0);
    PyObject *result = b == NULL ? NULL : PyBool_FromLong(same_quantum(a, b));
    num_clear(&room_x);
    if (b != NULL) {
        num_clear(&room_y);
    }
    return result;
}

static PyObject *
decimal_same_quantum(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *other;
    Context *ctx = other_and_context(args, nargs, kwnames, &other);
    return ctx == NULL ? NULL : same_quantum_of(self, other);
}

static PyObject *
decimal_adjusted(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLongLong(V(self)->kind == FINITE ? adjusted(V(self)) : 0);
}

static PyObject *
decimal_itself(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(self);
}

static PyObject *
decimal_is_canonical(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_TRUE;
}

static PyObject *
decimal_radix(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    num n;
    set_triple(&n, 0, 10, 0);
    return _dec_new(&n);
}

static PyObject *
decimal_from_float(PyObject *type, PyObject *arg)
{
    num n;
    if (_dec_from_float_object(&n, arg) < 0) {
        return NULL;
    }
    PyObject *exact = _dec_new(&n);
    if (exact == NULL || type == (PyObject *)&_PyDecimal_Type) {
        return exact;
    }
    PyObject *result = PyObject_CallOneArg(type, exact);
    Py_DECREF(exact);
    return result;
}

static PyObject *
decimal_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *text = decimal_str(self);
    return text == NULL ? NULL : Py_BuildValue("O(N)", Py_TYPE(self), text);
}

static PyObject *
decimal_round(PyObject *self, PyObject *args)
{
    PyObject *digits = NULL;
    Context *ctx = _dec_current();
    if (ctx == NULL || !PyArg_ParseTuple(args, "|O", &digits)) {
        return NULL;
    }
    if (digits == NULL) {
        return _dec_to_int(V(self), ROUND_HALF_EVEN);
    }
    if (!PyLong_Check(digits)) {
        PyErr_SetString(PyExc_TypeError, "optional arg must be an integer");
        return NULL;
    }
    Py_ssize_t n = PyLong_AsSsize_t(digits);
    if (n == -1 && PyErr_Occurred()) {
        return NULL;
    }
    num r, unit;
    uint32_t status = 0;
    set_triple(&unit, 0, 1, n == PY_SSIZE_T_MIN ? PY_SSIZE_T_MAX : -n);
    _dec_quantize(&r, V(self), &unit, &ctx->c, &status);
    return _dec_finish(&r, ctx, status);
}

static PyObject *
decimal_ceil(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dec_to_int(V(self), ROUND_CEILING);
}

static PyObject *
decimal_floor(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dec_to_int(V(self), ROUND_FLOOR);
}

static PyObject *
decimal_trunc(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dec_to_int(V(self), ROUND_DOWN);
}

static PyObject *
decimal_complex(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *x = _dec_to_float(self);
    if (x == NULL) {
        return NULL;
    }
    double real = PyFloat_AS_DOUBLE(x);
    Py_DECREF(x);
    return PyComplex_FromDoubles(real, 0.0);
}

static PyObject *
decimal_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    size_t size = (size_t)Py_TYPE(self)->tp_basicsize;
    if (V(self)->is_big) {
        size += sizeof(mp_limb_t) * mpz_size(V(self)->big);
    }
    return PyLong_FromSize_t(size);
}

static PyObject *
decimal_imag(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    num n;
    set_triple(&n, 0, 0, 0);
    return _dec_new(&n);
}

static PyObject *
decimal_real(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(self);
}

static PyGetSetDef decimal_getset[] = {
    {"real", decimal_real, NULL, NULL, NULL},
    {"imag", decimal_imag, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

#define CALL(f) ((PyCFunction)(void (*)(void))(f))
#define KEYWORDS (METH_FASTCALL | METH_KEYWORDS)

static PyMethodDef decimal_methods[] = {
#define U(name, f, text) \
    {#name, CALL(decimal_##name), KEYWORDS, #name "($self, /, context=None)\n--\n\n" text},
#define B(name, f, text) \
    {#name, CALL(decimal_##name), KEYWORDS, #name "($self, /, other, context=None)\n--\n\n" text},
#define Q(name, f, text) \
    {#name, decimal_##name, METH_NOARGS, #name "($self, /)\n--\n\n" text},
#define P(name, test, text) Q(name, test, text)
#define CU(name, f, text)
#define CB(name, f, text)
#include "operations.def"
#undef U
#undef B
#undef Q
#undef CU
#undef CB
    {"to_integral", CALL(decimal_to_integral_value), KEYWORDS,
     "to_integral($self, /, rounding=None, context=None)\n--\n\n"
     "The same as to_integral_value()."},
    {"to_integral_exact", CALL(decimal_to_integral_exact), KEYWORDS,
     "to_integral_exact($self, /, rounding=None, context=None)\n--\n\n"
     "Round to an integer; signals Inexact and Rounded."},
    {"to_integral_value", CALL(decimal_to_integral_value), KEYWORDS,
     "to_integral_value($self, /, rounding=None, context=None)\n--\n\n"
     "Round to an integer without signals."},
    {"quantize", CALL(decimal_quantize), KEYWORDS,
     "quantize($self, /, exp, rounding=None, context=None)\n--\n\n"
     "Return self, rounded or extended to the exponent of exp. InvalidOperation is signalled if\n"
     "the result has more digits than the precision."},
    {"fma", CALL(decimal_fma), KEYWORDS,
     "fma($self, /, other, third, context=None)\n--\n\n"
     "Return self * other + third, rounded once."},
    {"is_normal", CALL(decimal_is_normal), KEYWORDS,
     "is_normal($self, /, context=None)\n--\n\n"
     "Is the number finite, not zero and not subnormal?"},
    {"is_subnormal", CALL(decimal_is_subnormal), KEYWORDS,
     "is_subnormal($self, /, context=None)\n--\n\n"
     "Is the adjusted exponent of a number other than zero below Emin?"},
    {"adjusted", decimal_adjusted, METH_NOARGS,
     "adjusted($self, /)\n--\n\nReturn the exponent of the first digit."},
    {"canonical", decimal_itself, METH_NOARGS,
     "canonical($self, /)\n--\n\nReturn self: each representation is canonical."},
    {"is_canonical", decimal_is_canonical, METH_NOARGS,
     "is_canonical($self, /)\n--\n\nReturn True: each representation is canonical."},
    {"conjugate", decimal_itself, METH_NOARGS, "conjugate($self, /)\n--\n\nReturn self."},
    {"radix", decimal_radix, METH_NOARGS, "radix($self, /)\n--\n\nReturn Decimal(10)."},
    {"number_class", CALL(decimal_number_class), KEYWORDS,
     "number_class($self, /, context=None)\n--\n\n"
     "Return a sign and Infinity, Normal, Subnormal or Zero; or NaN or sNaN."},
    {"to_eng_string", CALL(decimal_to_eng_string), KEYWORDS,
     "to_eng_string($self, /, context=None)\n--\n\n"
     "Return the text with an exponent, if there is one, that is a multiple of three."},
    {"same_quantum", CALL(decimal_same_quantum), KEYWORDS,
     "same_quantum($self, /, other, context=None)\n--\n\n"
     "Are the exponents the same, or both infinities, or both NaNs?"},
    {"from_float", decimal_from_float, METH_O | METH_CLASS,
     "from_float($type, f, /)\n--\n\nReturn the exact value of a float or an int."},
    {"as_tuple", _dec_as_tuple, METH_NOARGS,
     "as_tuple($self, /)\n--\n\nReturn a DecimalTuple."},
    {"as_integer_ratio", _dec_as_integer_ratio, METH_NOARGS,
     "as_integer_ratio($self, /)\n--\n\n"
     "Return numerator and denominator of the fraction in lowest terms, the latter positive."},
    {"__copy__", decimal_itself, METH_NOARGS, NULL},
    {"__deepcopy__", decimal_itself, METH_O, NULL},
    {"__format__", _dec_format, METH_VARARGS, NULL},
    {"__reduce__", decimal_reduce, METH_NOARGS, NULL},
    {"__round__", decimal_round, METH_VARARGS, NULL},
    {"__ceil__", decimal_ceil, METH_NOARGS, NULL},
    {"__floor__", decimal_floor, METH_NOARGS, NULL},
    {"__trunc__", decimal_trunc, METH_NOARGS, NULL},
    {"__complex__", decimal_complex, METH_NOARGS, NULL},
    {"__sizeof__", decimal_sizeof, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyDecimal_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "decimal.Decimal",
    .tp_basicsize = sizeof(Decimal),
    .tp_dealloc = decimal_dealloc,
    .tp_repr = decimal_repr,
    .tp_as_number = &decimal_as_number,
    .tp_hash = _dec_hash,
    .tp_str = decimal_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Decimal(value=\"0\", context=None)\n--\n\n"
        "Construct a Decimal from an int, str, tuple, float or another Decimal. The conversion is\n"
        "exact; the context only tells whether an invalid argument raises InvalidOperation.",
    .tp_richcompare = _dec_richcompare,
    .tp_methods = decimal_methods,
    .tp_getset = decimal_getset,
    .tp_new = decimal_new,
    .tp_vectorcall = decimal_vectorcall,
};

/* -------------------------------------------------- methods of Context alone */

static PyObject *
context_divmod(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    num room_x, room_y;
    if (two_args(nargs) < 0) {
        return NULL;
    }
    const num *a = operand_of(args[0], &room_x, 0);
    const num *b = a == NULL ? NULL : operand_of(args[1], &room_y, 0);
    PyObject *result = b == NULL ? NULL : divmod_of(a, b, (Context *)self);
    num_clear(&room_x);
    if (b != NULL) {
        num_clear(&room_y);
    }
    return result;
}

static PyObject *
context_power(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PARSER(parser, "a", "b", "modulo");
    PyObject *buf[3] = {NULL, NULL, NULL};
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 2, 3, 0, buf);
    return args == NULL ? NULL
        : power_of(args[0], args[1], nargs > 2 || kwnames != NULL ? args[2] : NULL,
                   (Context *)self, 0);
}

static PyObject *
context_fma(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 3) {
        PyErr_Format(PyExc_TypeError, "function takes exactly 3 arguments (%zd given)", nargs);
        return NULL;
    }
    return fma_of(args, (Context *)self);
}

static PyObject *
context_same_quantum(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t nargs)
{
    return two_args(nargs) < 0 ? NULL : same_quantum_of(args[0], args[1]);
}

static PyObject *
context_Etiny(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLongLong(dec_etiny(&((Context *)self)->c));
}

static PyObject *
context_Etop(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLongLong(dec_etop(&((Context *)self)->c));
}

/* x as a Decimal: itself, or a new one of an int. */
static PyObject *
as_decimal(PyObject *x)
{
    num n;
    if (Decimal_Check(x)) {
        return Py_NewRef(x);
    }
    if (operand_of(x, &n, 0) == NULL) {
        return NULL;
    }
    return _dec_new(&n);
}

static int
check_decimal(PyObject *x)
{
    if (Decimal_Check(x)) {
        return 0;
    }
    PyErr_SetString(PyExc_TypeError, "argument must be a Decimal");
    return -1;
}

static PyObject *
context_canonical(PyObject *Py_UNUSED(self), PyObject *x)
{
    return check_decimal(x) < 0 ? NULL : Py_NewRef(x);
}

static PyObject *
context_is_canonical(PyObject *Py_UNUSED(self), PyObject *x)
{
    return check_decimal(x) < 0 ? NULL : Py_NewRef(Py_True);
}

static PyObject *
context_copy_decimal(PyObject *Py_UNUSED(self), PyObject *x)
{
    return as_decimal(x);
}

static PyObject *
context_apply(PyObject *self, PyObject *x)
{
    num n, room;
    uint32_t status = 0;
    const num *a = operand_of(x, &room, 0);
    if (a == NULL) {
        return NULL;
    }
    _dec_copy(&n, a);
    num_clear(&room);
    finalize(&n, &((Context *)self)->c, &status);
    return _dec_finish(&n, (Context *)self, status);
}

static int
is_normal(const num *a, const dctx *c)
{
    return a->kind == FINITE && !zero_coef(a) && adjusted(a) >= c->emin;
}

static int
is_subnormal(const num *a, const dctx *c)
{
    return a->kind == FINITE && !zero_coef(a) && adjusted(a) < c->emin;
}

static PyObject *
test_in_context(int (*test)(const num *, const dctx *), PyObject *self, PyObject *x)
{
    num room;
    const num *a = operand_of(x, &room, 0);
    if (a == NULL) {
        return NULL;
    }
    int result = test(a, &((Context *)self)->c);
    num_clear(&room);
    return PyBool_FromLong(result);
}

static PyObject *
context_is_normal(PyObject *self, PyObject *x)
{
    return test_in_context(is_normal, self, x);
}

static PyObject *
context_is_subnormal(PyObject *self, PyObject *x)
{
    return test_in_context(is_subnormal, self, x);
}

static PyObject *
context_number_class(PyObject *self, PyObject *x)
{
    num room;
    const num *a = operand_of(x, &room, 0);
    PyObject *result = a == NULL ? NULL
        : PyUnicode_FromString(_dec_number_class(a, &((Context *)self)->c));
    num_clear(&room);
    return result;
}

static PyObject *
text_in_context(PyObject *self, PyObject *x, int engineering)
{
    num room;
    const num *a = operand_of(x, &room, 0);
    PyObject *result = a == NULL ? NULL
        : _dec_to_str(a, ((Context *)self)->c.capitals, engineering, "", "");
    num_clear(&room);
    return result;
}

static PyObject *
context_to_sci_string(PyObject *self, PyObject *x)
{
    return text_in_context(self, x, 0);
}

static PyObject *
context_to_eng_string(PyObject *self, PyObject *x)
{
    return text_in_context(self, x, 1);
}

static PyObject *
context_clear_flags(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    ((Context *)self)->c.status = 0;
    Py_RETURN_NONE;
}

static PyObject *
context_clear_traps(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    ((Context *)self)->c.traps = 0;
    Py_RETURN_NONE;
}

static PyObject *
context_create_decimal(PyObject *self, PyObject *args)
{
    PyObject *value = NULL;
    num n;
    if (!PyArg_ParseTuple(args, "|O", &value)) {
        return NULL;
    }
    if (value == NULL) {
        set_triple(&n, 0, 0, 0);
    }
    else if (_dec_from_object(&n, value, (Context *)self, 0) < 0) {
        return NULL;
    }
    return _dec_new(&n);
}

static PyObject *
context_create_decimal_from_float(PyObject *self, PyObject *x)
{
    num n;
    uint32_t status = 0;
    if (_dec_from_float_object(&n, x) < 0) {
        return NULL;
    }
    finalize(&n, &((Context *)self)->c, &status);
    return _dec_finish(&n, (Context *)self, status);
}

PyMethodDef _dec_context_methods[] = {
#define U(name, f, text) \
    {#name, context_##name, METH_O, #name "($self, x, /)\n--\n\n" text},
#define B(name, f, text) \
    {#name, FAST_FOR_TUPLE(context_##name), #name "($self, x, y, /)\n--\n\n" text},
#define Q(name, f, text) U(name, f, text)
#define CU(name, f, text) U(name, f, text)
#define CB(name, f, text) B(name, f, text)
#include "operations.def"
    B(divmod, , "Return the integer part of x / y, and the remainder.")
    {"power", CALL(context_power), KEYWORDS,
     "power($self, /, a, b, modulo=None)\n--\n\n"
     "Return a**b, which is inexact unless b is an integer and the result has no more digits\n"
     "than the precision. With modulo, all are integers, b is not negative, and the result is\n"
     "(a**b) % modulo."},
    {"fma", FAST_FOR_TUPLE(context_fma),
     "fma($self, x, y, z, /)\n--\n\nReturn x * y + z, rounded once."},
    {"Etiny", context_Etiny, METH_NOARGS,
     "Etiny($self, /)\n--\n\nReturn Emin - prec + 1, the least exponent of a subnormal number."},
    {"Etop", context_Etop, METH_NOARGS,
     "Etop($self, /)\n--\n\nReturn Emax - prec + 1, the largest exponent if clamp is 1."},
    {"radix", decimal_radix, METH_NOARGS, "radix($self, /)\n--\n\nReturn Decimal(10)."},
    U(is_normal, , "Is x finite, not zero and not subnormal?")
    U(is_subnormal, , "Is the adjusted exponent of a number other than zero below Emin?")
    {"_apply", context_apply, METH_O, NULL},
    U(is_canonical, , "Return True: each representation is canonical.")
    U(canonical, , "Return x: each representation is canonical.")
    U(copy_decimal, , "Return x as a Decimal, not rounded.")
    U(number_class, , "Return a sign and Infinity, Normal, Subnormal or Zero; or NaN or sNaN.")
    U(to_sci_string, , "Return the text of x, in scientific notation if it is very large or small.")
    U(to_eng_string, ,
      "Return the text with an exponent, if there is one, that is a multiple of three.")
    B(same_quantum, , "Are the exponents the same, or both infinities, or both NaNs?")
    {"clear_flags", context_clear_flags, METH_NOARGS,
     "clear_flags($self, /)\n--\n\nSet all flags to False."},
    {"clear_traps", context_clear_traps, METH_NOARGS,
     "clear_traps($self, /)\n--\n\nSet all traps to False."},
    {"__copy__", _dec_context_copy, METH_NOARGS, NULL},
    {"__reduce__", _dec_context_reduce, METH_NOARGS, NULL},
    {"copy", _dec_context_copy, METH_NOARGS, "copy($self, /)\n--\n\nReturn a copy."},
    {"create_decimal", context_create_decimal, METH_VARARGS,
     "create_decimal($self, num=\"0\", /)\n--\n\n"
     "The same as Decimal(num), but rounded, and within the context's limits."},
    {"create_decimal_from_float", context_create_decimal_from_float, METH_O,
     "create_decimal_from_float($self, f, /)\n--\n\n"
     "The same as Decimal.from_float(f), but rounded, and within the context's limits."},
    {NULL, NULL, 0, NULL}
};

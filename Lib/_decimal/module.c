/* _decimal: the exceptions and the module. Interpreters share what it makes (m_size is -1), as
   they do in python3.11. */

#include "decimal_impl.h"
#include "internal/compare.h"
#include "internal/module_init.h"
#include "internal/type.h"

struct dec_signal _dec_signals[DEC_SIGNALS] = {
    {"InvalidOperation", INVALID_OPERATION, ANY_INVALID, NULL},
    {"FloatOperation", FLOAT_OPERATION, FLOAT_OPERATION, NULL},
    {"DivisionByZero", DIVISION_BY_ZERO, DIVISION_BY_ZERO, NULL},
    {"Overflow", OVERFLOWED, OVERFLOWED, NULL},
    {"Underflow", UNDERFLOWED, UNDERFLOWED, NULL},
    {"Subnormal", SUBNORMAL, SUBNORMAL, NULL},
    {"Inexact", INEXACT, INEXACT, NULL},
    {"Rounded", ROUNDED, ROUNDED, NULL},
    {"Clamped", CLAMPED, CLAMPED, NULL},
};

struct dec_signal _dec_conditions[DEC_CONDITIONS] = {
    {"ConversionSyntax", CONVERSION_SYNTAX, 0, NULL},
    {"DivisionImpossible", DIVISION_IMPOSSIBLE, 0, NULL},
    {"DivisionUndefined", DIVISION_UNDEFINED, 0, NULL},
    {"InvalidContext", INVALID_CONTEXT, 0, NULL},
};

PyObject *_dec_tuple_type, *_dec_rational;

static PyObject *decimal_exception;

/* Adds the class that PyErr_NewException() makes; bases are borrowed. */
static PyObject *
add_exception(PyObject *module, const char *name, PyObject *a, PyObject *b, PyObject *c)
{
    char full[64];
    PyOS_snprintf(full, sizeof(full), "decimal.%s", name);
    PyObject *bases = c != NULL ? PyTuple_Pack(3, a, b, c) : b != NULL ? PyTuple_Pack(2, a, b)
        : PyTuple_Pack(1, a);
    PyObject *exception = bases == NULL ? NULL : PyErr_NewException(full, bases, NULL);
    Py_XDECREF(bases);
    if (exception != NULL && PyModule_AddObjectRef(module, name, exception) < 0) {
        Py_CLEAR(exception);
    }
    return exception;
}

static struct dec_signal *
signal_named(uint32_t condition)
{
    for (int i = 0; i < DEC_SIGNALS; i++) {
        if (_dec_signals[i].condition == condition) {
            return &_dec_signals[i];
        }
    }
    return NULL;
}

static int
add_exceptions(PyObject *module)
{
    decimal_exception = add_exception(module, "DecimalException", PyExc_ArithmeticError, NULL,
                                      NULL);
    if (decimal_exception == NULL) {
        return -1;
    }
    /* Overflow and Underflow derive from others, so they come last. */
    static const uint32_t order[] = {CLAMPED, ROUNDED, INEXACT, SUBNORMAL, DIVISION_BY_ZERO,
                                     FLOAT_OPERATION, INVALID_OPERATION, OVERFLOWED, UNDERFLOWED};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(order); i++) {
        struct dec_signal *s = signal_named(order[i]);
        PyObject *inexact = signal_named(INEXACT)->exception;
        PyObject *rounded = signal_named(ROUNDED)->exception;
        switch (order[i]) {
        case DIVISION_BY_ZERO:
            s->exception = add_exception(module, s->name, decimal_exception,
                                         PyExc_ZeroDivisionError, NULL);
            break;
        case FLOAT_OPERATION:
            s->exception = add_exception(module, s->name, decimal_exception, PyExc_TypeError,
                                         NULL);
            break;
        case OVERFLOWED:
            s->exception = add_exception(module, s->name, inexact, rounded, NULL);
            break;
        case UNDERFLOWED:
            s->exception = add_exception(module, s->name, inexact, rounded,
                                         signal_named(SUBNORMAL)->exception);
            break;
        default:
            s->exception = add_exception(module, s->name, decimal_exception, NULL, NULL);
        }
        if (s->exception == NULL) {
            return -1;
        }
    }
    PyObject *invalid = signal_named(INVALID_OPERATION)->exception;
    for (int i = 0; i < DEC_CONDITIONS; i++) {
        struct dec_signal *s = &_dec_conditions[i];
        s->exception = add_exception(module, s->name, invalid,
                                     s->condition == DIVISION_UNDEFINED ? PyExc_ZeroDivisionError
                                     : NULL, NULL);
        if (s->exception == NULL) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
make_tuple_type(void)
{
    PyObject *collections = PyImport_ImportModule("collections");
    PyObject *type = collections == NULL ? NULL
        : PyObject_CallMethod(collections, "namedtuple", "ss", "DecimalTuple",
                              "sign digits exponent");
    Py_XDECREF(collections);
    PyObject *name = type == NULL ? NULL : PyUnicode_FromString("decimal");
    if (type != NULL && (name == NULL || PyObject_SetAttrString(type, "__module__", name) < 0)) {
        Py_CLEAR(type);
    }
    Py_XDECREF(name);
    return type;
}

/* numbers.Number knows Decimal; comparisons know numbers.Rational. */
static int
register_number(void)
{
    PyObject *numbers = PyImport_ImportModule("numbers");
    if (numbers == NULL) {
        return -1;
    }
    PyObject *number = PyObject_GetAttrString(numbers, "Number");
    PyObject *done = number == NULL ? NULL
        : PyObject_CallMethod(number, "register", "O", &_PyDecimal_Type);
    _dec_rational = done == NULL ? NULL : PyObject_GetAttrString(numbers, "Rational");
    Py_XDECREF(done);
    Py_XDECREF(number);
    Py_DECREF(numbers);
    return _dec_rational == NULL ? -1 : 0;
}

static int
fill(PyObject *module)
{
    _dec_init_values();
    _PyObject_LearnQuickCompare(_dec_richcompare, _dec_quick_compare);
    if (_PyType_AddModuleName(&_PyDecimal_Type) < 0
        || PyModule_AddObjectRef(module, "Decimal", (PyObject *)&_PyDecimal_Type) < 0
        || (_dec_tuple_type = make_tuple_type()) == NULL
        || PyModule_AddObjectRef(module, "DecimalTuple", _dec_tuple_type) < 0
        || register_number() < 0 || add_exceptions(module) < 0
        || _dec_init_contexts(module) < 0) {
        return -1;
    }
    static const struct { const char *name; int64_t value; } limits[] = {
        {"MAX_PREC", MAX_PREC}, {"MAX_EMAX", MAX_EMAX}, {"MIN_EMIN", MIN_EMIN},
        {"MIN_ETINY", MIN_ETINY},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(limits); i++) {
        PyObject *value = PyLong_FromLongLong(limits[i].value);
        int status = PyModule_AddObjectRef(module, limits[i].name, value);
        Py_XDECREF(value);
        if (status < 0) {
            return -1;
        }
    }
    /* What programs ask for that look at the library which python3.11 uses. */
    return PyModule_AddObjectRef(module, "HAVE_CONTEXTVAR", Py_True) < 0
        || PyModule_AddObjectRef(module, "HAVE_THREADS", Py_True) < 0
        || PyModule_AddStringConstant(module, "__version__", "1.70") < 0
        || PyModule_AddStringConstant(module, "__libmpdec_version__", "2.5.1") < 0 ? -1 : 0;
}

static struct PyModuleDef decimal_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "decimal",
    .m_doc = "C decimal arithmetic module",
    .m_size = -1,
    .m_methods = _dec_module_methods,
};

MODULE_INIT(_decimal)
{
    PyObject *module = PyModule_Create(&decimal_module);
    if (module != NULL && fill(module) < 0) {
        Py_CLEAR(module);
    }
    return module;
}

/* The _operator module: the operators as functions, and itemgetter, attrgetter
   and methodcaller. Only the public C API is used. */
#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/type.h"
#include <stddef.h>


/* --------------------------------------------------- operators as functions */

/* name, the C function, the operator it is the same as */
#define BINARY(X)                                                           \
    X(add, PyNumber_Add, "a + b") X(sub, PyNumber_Subtract, "a - b")        \
    X(mul, PyNumber_Multiply, "a * b")                                      \
    X(matmul, PyNumber_MatrixMultiply, "a @ b")                             \
    X(floordiv, PyNumber_FloorDivide, "a // b")                             \
    X(truediv, PyNumber_TrueDivide, "a / b")                                \
    X(mod, PyNumber_Remainder, "a % b") X(lshift, PyNumber_Lshift, "a << b")\
    X(rshift, PyNumber_Rshift, "a >> b") X(and_, PyNumber_And, "a & b")     \
    X(xor, PyNumber_Xor, "a ^ b") X(or_, PyNumber_Or, "a | b")              \
    X(iadd, PyNumber_InPlaceAdd, "a += b")                                  \
    X(isub, PyNumber_InPlaceSubtract, "a -= b")                             \
    X(imul, PyNumber_InPlaceMultiply, "a *= b")                             \
    X(imatmul, PyNumber_InPlaceMatrixMultiply, "a @= b")                    \
    X(ifloordiv, PyNumber_InPlaceFloorDivide, "a //= b")                    \
    X(itruediv, PyNumber_InPlaceTrueDivide, "a /= b")                       \
    X(imod, PyNumber_InPlaceRemainder, "a %= b")                            \
    X(ilshift, PyNumber_InPlaceLshift, "a <<= b")                           \
    X(irshift, PyNumber_InPlaceRshift, "a >>= b")                           \
    X(iand, PyNumber_InPlaceAnd, "a &= b")                                  \
    X(ixor, PyNumber_InPlaceXor, "a ^= b")                                  \
    X(ior, PyNumber_InPlaceOr, "a |= b")                                    \
    X(concat, PySequence_Concat, "a + b, for a and b sequences")            \
    X(iconcat, PySequence_InPlaceConcat, "a += b, for a and b sequences")   \
    X(getitem, PyObject_GetItem, "a[b]")                                    \
    X(pow, power, "a ** b") X(ipow, power_in_place, "a **= b")              \
    X(lt, less, "a < b") X(le, less_or_equal, "a <= b")                     \
    X(eq, equal, "a == b") X(ne, not_equal, "a != b")                       \
    X(ge, greater_or_equal, "a >= b") X(gt, greater, "a > b")               \
    X(is_, same, "a is b") X(is_not, not_same, "a is not b")                \
    X(contains, contains, "b in a (note reversed operands)")                \
    X(delitem, delete_item, "del a[b]")

#define UNARY(X)                                                            \
    X(neg, PyNumber_Negative, "Same as -a.")                                \
    X(pos, PyNumber_Positive, "Same as +a.")                                \
    X(abs, PyNumber_Absolute, "Same as abs(a).")                            \
    X(inv, PyNumber_Invert, "Same as ~a.")                                  \
    X(invert, PyNumber_Invert, "Same as ~a.")                               \
    X(index, PyNumber_Index, "Same as a.__index__()")                       \
    X(not_, negation, "Same as not a.")                                     \
    X(truth, truth, "Return True if a is true, False otherwise.")

static PyObject *
power(PyObject *a, PyObject *b)
{
    return PyNumber_Power(a, b, Py_None);
}

static PyObject *
power_in_place(PyObject *a, PyObject *b)
{
    return PyNumber_InPlacePower(a, b, Py_None);
}

#define COMPARISON(name, op)                        \
    static PyObject *                               \
    name(PyObject *a, PyObject *b)                  \
    {                                               \
        return PyObject_RichCompare(a, b, op);      \
    }

COMPARISON(less, Py_LT)
COMPARISON(less_or_equal, Py_LE)
COMPARISON(equal, Py_EQ)
COMPARISON(not_equal, Py_NE)
COMPARISON(greater, Py_GT)
COMPARISON(greater_or_equal, Py_GE)

static PyObject *
as_bool(int truth)
{
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}

static PyObject *
same(PyObject *a, PyObject *b)
{
    return PyBool_FromLong(a == b);
}

static PyObject *
not_same(PyObject *a, PyObject *b)
{
    return PyBool_FromLong(a != b);
}

static PyObject *
contains(PyObject *a, PyObject *b)
{
    return as_bool(PySequence_Contains(a, b));
}

static PyObject *
delete_item(PyObject *a, PyObject *b)
{
    if (PyObject_DelItem(a, b) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
negation(PyObject *a)
{
    return as_bool(PyObject_Not(a));
}

static PyObject *
truth(PyObject *a)
{
    return as_bool(PyObject_IsTrue(a));
}

#define X(name, function, doc)                                              \
    static PyObject *                                                       \
    op_##name(PyObject *Py_UNUSED(module), PyObject *const *args,           \
              Py_ssize_t nargs)                                             \
    {                                                                       \
        return _PyArg_CheckPositional(                                      \
                   #name, nargs, 2, 2) ? function(args[0], args[1]) : NULL; \
    }
BINARY(X)
#undef X

#define X(name, function, doc)                          \
    static PyObject *                                   \
    op_##name(PyObject *Py_UNUSED(module), PyObject *a) \
    {                                                   \
        return function(a);                             \
    }
UNARY(X)
#undef X

static PyObject *
op_setitem(PyObject *Py_UNUSED(module), PyObject *const *args,
           Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("setitem", nargs, 3, 3)
        || PyObject_SetItem(args[0], args[1], args[2]) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
op_countOf(PyObject *Py_UNUSED(module), PyObject *const *args,
           Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("countOf", nargs, 2, 2)) {
        return NULL;
    }
    Py_ssize_t n = PySequence_Count(args[0], args[1]);
    return n == -1 ? NULL : PyLong_FromSsize_t(n);
}

static PyObject *
op_indexOf(PyObject *Py_UNUSED(module), PyObject *const *args,
           Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("indexOf", nargs, 2, 2)) {
        return NULL;
    }
    Py_ssize_t n = PySequence_Index(args[0], args[1]);
    return n == -1 ? NULL : PyLong_FromSsize_t(n);
}

static PyObject *
op_length_hint(PyObject *Py_UNUSED(module), PyObject *const *args,
               Py_ssize_t nargs)
{
    Py_ssize_t otherwise = 0;
    if (!_PyArg_CheckPositional("length_hint", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2) {
        PyObject *number = PyNumber_Index(args[1]);
        if (number == NULL) {
            return NULL;
        }
        otherwise = PyLong_AsSsize_t(number);
        Py_DECREF(number);
        if (otherwise == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    Py_ssize_t hint = PyObject_LengthHint(args[0], otherwise);
    return hint == -1 && PyErr_Occurred() ? NULL : PyLong_FromSsize_t(hint);
}

static PyObject *
op_call(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
        PyObject *kwnames)
{
    if (!_PyArg_CheckPositional("call", nargs, 1, PY_SSIZE_T_MAX)) {
        return NULL;
    }
    return PyObject_Vectorcall(
        args[0], args + 1,
        (size_t)(nargs - 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
}

/* -------------------------------------------------------- _compare_digest() */

/* Looks at every byte of b in any case, so that the time does not reveal where a
   difference is. */
static int
equal_in_constant_time(const unsigned char *a, Py_ssize_t a_length,
                       const unsigned char *b, Py_ssize_t b_length)
{
    volatile unsigned char difference = a_length != b_length;
    const volatile unsigned char *left = a_length == b_length ? a : b;
    const volatile unsigned char *right = b;
    for (Py_ssize_t i = 0; i < b_length; i++) {
        difference |= left[i] ^ right[i];
    }
    return difference == 0;
}

static int
open_bytes(PyObject *op, Py_buffer *view)
{
    if (PyObject_GetBuffer(op, view, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    if (view->ndim > 1) {
        PyErr_SetString(PyExc_BufferError,
                        "Buffer must be single dimension");
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

static PyObject *
op_compare_digest(PyObject *Py_UNUSED(module), PyObject *const *args,
                  Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_compare_digest", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *a = args[0], *b = args[1];
    if (PyUnicode_Check(a) && PyUnicode_Check(b)) {
        if (!PyUnicode_IS_ASCII(a) || !PyUnicode_IS_ASCII(b)) {
            PyErr_SetString(PyExc_TypeError,
                            "comparing strings with non-ASCII characters is "
                            "not supported");
            return NULL;
        }
        return PyBool_FromLong(equal_in_constant_time(
            PyUnicode_DATA(a), PyUnicode_GET_LENGTH(a),
            PyUnicode_DATA(b), PyUnicode_GET_LENGTH(b)));
    }
    if (!PyObject_CheckBuffer(a) && !PyObject_CheckBuffer(b)) {
        PyErr_Format(PyExc_TypeError,
                     "unsupported operand types(s) or combination of types: "
                     "'%.100s' and '%.100s'",
                     Py_TYPE(a)->tp_name, Py_TYPE(b)->tp_name);
        return NULL;
    }
    Py_buffer x, y;
    if (open_bytes(a, &x) < 0) {
        return NULL;
    }
    if (open_bytes(b, &y) < 0) {
        PyBuffer_Release(&x);
        return NULL;
    }
    int same_bytes = equal_in_constant_time(x.buf, x.len, y.buf, y.len);
    PyBuffer_Release(&x);
    PyBuffer_Release(&y);
    return PyBool_FromLong(same_bytes);
}

/* ----------------------------------------------------------- getters' frame */

/* itemgetter and attrgetter: `items` is a tuple of what to fetch. With one entry a call
   returns the thing itself, with more a tuple. */
typedef struct {
    PyObject_HEAD
    PyObject *keys;             /* attrgetter: each a tuple of name parts */
    PyObject *shown;            /* the arguments, as given */
    vectorcallfunc vectorcall;
    Py_ssize_t index;           /* itemgetter of one small int; else -1 */
} Getter;

static void
getter_dealloc(Getter *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->keys);
    Py_XDECREF(self->shown);
    Py_TYPE(self)->tp_free(self);
}

static int
getter_traverse(Getter *self, visitproc visit, void *arg)
{
    Py_VISIT(self->keys);
    Py_VISIT(self->shown);
    return 0;
}

static int
getter_clear(Getter *self)
{
    Py_CLEAR(self->keys);
    Py_CLEAR(self->shown);
    return 0;
}

/* "name(repr, repr)". */
static PyObject *
getter_repr(Getter *self)
{
    PyObject *op = (PyObject *)self;
    const char *name = Py_TYPE(op)->tp_name;
    int entered = Py_ReprEnter(op);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromFormat("%s(...)", name) : NULL;
    }
    PyObject *text = NULL;
    if (PyTuple_GET_SIZE(self->shown) == 1) {
        text = PyUnicode_FromFormat("%s(%R)", name,
                                    PyTuple_GET_ITEM(self->shown, 0));
    }
    else {
        text = PyUnicode_FromFormat("%s%R", name, self->shown);
    }
    Py_ReprLeave(op);
    return text;
}

static PyObject *
getter_reduce(Getter *self, PyObject *Py_UNUSED(ignored))
{
    return PyTuple_Pack(2, Py_TYPE(self), self->shown);
}

/* Fetches every key from obj. */
static PyObject *
fetch_all(Getter *self, PyObject *obj,
          PyObject *(*fetch)(PyObject *, PyObject *))
{
    Py_ssize_t n = PyTuple_GET_SIZE(self->keys);
    if (n == 1) {
        return fetch(obj, PyTuple_GET_ITEM(self->keys, 0));
    }
    PyObject *result = PyTuple_New(n);
    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        PyObject *value = fetch(obj, PyTuple_GET_ITEM(self->keys, i));
        if (value == NULL) {
            Py_CLEAR(result);
        }
        else {
            PyTuple_SET_ITEM(result, i, value);
        }
    }
    return result;
}

/* The arguments of a getter's constructor; at least one. */
static PyObject *
getter_arguments(const char *name, PyObject *args, PyObject *kwds)
{
    PyObject *first;
    if (!_PyArg_NoKeywords(name, kwds)
        || (PyTuple_GET_SIZE(args) <= 1
            && !PyArg_UnpackTuple(args, name, 1, 1, &first))) {
        return NULL;
    }
    return args;
}

static PyMethodDef getter_methods[] = {
    {"__reduce__", (PyCFunction)getter_reduce, METH_NOARGS,
     "Return state information for pickling"},
    {NULL, NULL, 0, NULL}
};

#define GETTER_TYPE(name, doc)                                          \
    static PyTypeObject name##_type = {                                 \
        PyVarObject_HEAD_INIT(NULL, 0)                                  \
        .tp_name = "operator." #name,                                   \
        .tp_basicsize = sizeof(Getter),                                 \
        .tp_dealloc = (destructor)getter_dealloc,                       \
        .tp_vectorcall_offset = offsetof(Getter, vectorcall),           \
        .tp_repr = (reprfunc)getter_repr,                               \
        .tp_call = PyVectorcall_Call,                                   \
        .tp_getattro = PyObject_GenericGetAttr,                         \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC             \
            | Py_TPFLAGS_HAVE_VECTORCALL,                               \
        .tp_doc = doc,                                                  \
        .tp_traverse = (traverseproc)getter_traverse,                   \
        .tp_clear = (inquiry)getter_clear,                              \
        .tp_methods = getter_methods,                                   \
        .tp_new = name##_new,                                           \
    }

/* --------------------------------------------------------------- itemgetter */

static PyObject *
itemgetter_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                      PyObject *kwnames)
{
    Getter *self = (Getter *)op;
    if (!_PyArg_NoKwnames("itemgetter", kwnames)
        || !_PyArg_CheckPositional("itemgetter", PyVectorcall_NARGS(nargsf),
                                   1, 1)) {
        return NULL;
    }
    if (self->index >= 0 && PyTuple_CheckExact(args[0])
        && self->index < PyTuple_GET_SIZE(args[0])) {
        return Py_NewRef(PyTuple_GET_ITEM(args[0], self->index));
    }
    return fetch_all(self, args[0], PyObject_GetItem);
}

static PyObject *
itemgetter_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    args = getter_arguments("itemgetter", args, kwds);
    Getter *self = args == NULL ? NULL : (Getter *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->keys = Py_NewRef(args);
    self->shown = Py_NewRef(args);
    self->vectorcall = itemgetter_vectorcall;
    self->index = -1;
    PyObject *key = PyTuple_GET_ITEM(args, 0);
    if (PyTuple_GET_SIZE(args) == 1 && PyLong_CheckExact(key)) {
        self->index = PyLong_AsSsize_t(key);
        if (self->index == -1) {
            PyErr_Clear();
        }
    }
    return (PyObject *)self;
}

GETTER_TYPE(itemgetter,
    "itemgetter(item, ...) --> itemgetter object\n\n"
    "Return a callable object that fetches the given item(s) from its "
    "operand.\nAfter f = itemgetter(2), the call f(r) returns r[2].\n"
    "After g = itemgetter(2, 5, 3), the call g(r) returns (r[2], r[5], "
    "r[3])");

/* --------------------------------------------------------------- attrgetter */

/* obj.a.b.c for a tuple of names. */
static PyObject *
get_dotted(PyObject *obj, PyObject *names)
{
    PyObject *value = Py_NewRef(obj);
    for (Py_ssize_t i = 0; value != NULL && i < PyTuple_GET_SIZE(names);
         i++) {
        Py_SETREF(value, PyObject_GetAttr(value, PyTuple_GET_ITEM(names, i)));
    }
    return value;
}

static PyObject *
attrgetter_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf,
                      PyObject *kwnames)
{
    if (!_PyArg_NoKwnames("attrgetter", kwnames)
        || !_PyArg_CheckPositional("attrgetter", PyVectorcall_NARGS(nargsf),
                                   1, 1)) {
        return NULL;
    }
    return fetch_all((Getter *)self, args[0], get_dotted);
}

/* "a.b" as a tuple of interned names. */
static PyObject *
split_name(PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "attribute name must be a string");
        return NULL;
    }
    PyObject *dot = PyUnicode_FromString(".");
    PyObject *list = dot == NULL ? NULL : PyUnicode_Split(name, dot, -1);
    Py_XDECREF(dot);
    PyObject *parts = list == NULL ? NULL : PyList_AsTuple(list);
    Py_XDECREF(list);
    for (Py_ssize_t i = 0; parts != NULL && i < PyTuple_GET_SIZE(parts); i++) {
        PyUnicode_InternInPlace(&PyTuple_GET_ITEM(parts, i));
    }
    return parts;
}

static PyObject *
attrgetter_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    args = getter_arguments("attrgetter", args, kwds);
    if (args == NULL) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    PyObject *keys = PyTuple_New(n);
    for (Py_ssize_t i = 0; keys != NULL && i < n; i++) {
        PyObject *parts = split_name(PyTuple_GET_ITEM(args, i));
        if (parts == NULL) {
            Py_CLEAR(keys);
        }
        else {
            PyTuple_SET_ITEM(keys, i, parts);
        }
    }
    Getter *self = keys == NULL ? NULL : (Getter *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(keys);
        return NULL;
    }
    self->keys = keys;
    self->shown = Py_NewRef(args);
    self->vectorcall = attrgetter_vectorcall;
    self->index = -1;
    return (PyObject *)self;
}

GETTER_TYPE(attrgetter,
    "attrgetter(attr, ...) --> attrgetter object\n\n"
    "Return a callable object that fetches the given attribute(s) from its "
    "operand.\nAfter f = attrgetter('name'), the call f(r) returns r.name.\n"
    "After g = attrgetter('name', 'date'), the call g(r) returns (r.name, "
    "r.date).\nAfter h = attrgetter('name.first', 'name.last'), the call h(r) "
    "returns\n(r.name.first, r.name.last).");

/* ------------------------------------------------------------- methodcaller */

typedef struct {
    PyObject_HEAD
    PyObject *name;
    PyObject *args;             /* tuple */
    PyObject *kwargs;           /* dict or NULL */
    vectorcallfunc vectorcall;
} MethodCaller;

static void
methodcaller_dealloc(MethodCaller *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->name);
    Py_XDECREF(self->args);
    Py_XDECREF(self->kwargs);
    Py_TYPE(self)->tp_free(self);
}

static int
methodcaller_traverse(MethodCaller *self, visitproc visit, void *arg)
{
    Py_VISIT(self->args);
    Py_VISIT(self->kwargs);
    return 0;
}

static int
methodcaller_clear(MethodCaller *self)
{
    Py_CLEAR(self->args);
    Py_CLEAR(self->kwargs);
    return 0;
}

#define METHOD_ARGS_ON_STACK 7

static PyObject *
methodcaller_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                        PyObject *kwnames)
{
    MethodCaller *self = (MethodCaller *)op;
    if (!_PyArg_NoKwnames("methodcaller", kwnames)
        || !_PyArg_CheckPositional("methodcaller",
                                   PyVectorcall_NARGS(nargsf), 1, 1)) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(self->args);
    if (self->kwargs == NULL && n <= METHOD_ARGS_ON_STACK) {
        PyObject *room[METHOD_ARGS_ON_STACK + 2] = {NULL, args[0]};
        memcpy(room + 2, ((PyTupleObject *)self->args)->ob_item,
               (size_t)n * sizeof(PyObject *));
        return PyObject_VectorcallMethod(
            self->name, room + 1,
            (size_t)(n + 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    }
    PyObject *method = PyObject_GetAttr(args[0], self->name);
    if (method == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Call(method, self->args, self->kwargs);
    Py_DECREF(method);
    return result;
}

static PyObject *
methodcaller_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n < 1) {
        PyErr_SetString(PyExc_TypeError,
                        "methodcaller needs at least one argument, the "
                        "method name");
        return NULL;
    }
    PyObject *name = PyTuple_GET_ITEM(args, 0);
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "method name must be a string");
        return NULL;
    }
    MethodCaller *self = (MethodCaller *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    self->name = name;
    self->args = PyTuple_GetSlice(args, 1, n);
    if (kwds != NULL && PyDict_GET_SIZE(kwds) > 0) {
        self->kwargs = PyDict_Copy(kwds);
    }
    if (self->args == NULL
        || (self->kwargs == NULL && PyErr_Occurred())) {
        Py_DECREF(self);
        return NULL;
    }
    self->vectorcall = methodcaller_vectorcall;
    return (PyObject *)self;
}

static PyObject *
methodcaller_repr(MethodCaller *self)
{
    PyObject *op = (PyObject *)self;
    const char *name = Py_TYPE(op)->tp_name;
    int entered = Py_ReprEnter(op);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromFormat("%s(...)", name) : NULL;
    }
    PyObject *text = PyUnicode_FromFormat("%s(%R", name, self->name);
    for (Py_ssize_t i = 0; text != NULL && i < PyTuple_GET_SIZE(self->args);
         i++) {
        Py_SETREF(text, PyUnicode_FromFormat(
            "%U, %R", text, PyTuple_GET_ITEM(self->args, i)));
    }
    PyObject *key, *value;
    Py_ssize_t pos = 0;
    while (text != NULL && self->kwargs != NULL
           && PyDict_Next(self->kwargs, &pos, &key, &value)) {
        Py_SETREF(text, PyUnicode_FromFormat("%U, %U=%R", text, key, value));
    }
    if (text != NULL) {
        Py_SETREF(text, PyUnicode_FromFormat("%U)", text));
    }
    Py_ReprLeave(op);
    return text;
}

/* (name, *args), with `self->name` in front: new reference. */
static PyObject *
all_arguments(MethodCaller *self)
{
    Py_ssize_t n = PyTuple_GET_SIZE(self->args);
    PyObject *all = PyTuple_New(n + 1);
    if (all != NULL) {
        PyTuple_SET_ITEM(all, 0, Py_NewRef(self->name));
        for (Py_ssize_t i = 0; i < n; i++) {
            PyTuple_SET_ITEM(all, i + 1,
                             Py_NewRef(PyTuple_GET_ITEM(self->args, i)));
        }
    }
    return all;
}

/* Keywords travel in a functools.partial. */
static PyObject *
methodcaller_reduce(MethodCaller *self, PyObject *Py_UNUSED(ignored))
{
    if (self->kwargs == NULL) {
        PyObject *all = all_arguments(self);
        return all == NULL ? NULL
            : Py_BuildValue("ON", Py_TYPE(self), all);
    }
    PyObject *result = NULL, *constructor = NULL, *partial = NULL;
    PyObject *functools = PyImport_ImportModule("functools");
    if (functools != NULL) {
        partial = PyObject_GetAttrString(functools, "partial");
        Py_DECREF(functools);
    }
    if (partial != NULL) {
        PyObject *args = PyTuple_Pack(2, Py_TYPE(self), self->name);
        if (args != NULL) {
            constructor = PyObject_Call(partial, args, self->kwargs);
            Py_DECREF(args);
        }
        Py_DECREF(partial);
    }
    if (constructor != NULL) {
        result = Py_BuildValue("NO", constructor, self->args);
    }
    return result;
}

static PyMethodDef methodcaller_methods[] = {
    {"__reduce__", (PyCFunction)methodcaller_reduce, METH_NOARGS,
     "Return state information for pickling"},
    {NULL, NULL, 0, NULL}
};

static PyTypeObject methodcaller_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "operator.methodcaller",
    .tp_basicsize = sizeof(MethodCaller),
    .tp_dealloc = (destructor)methodcaller_dealloc,
    .tp_vectorcall_offset = offsetof(MethodCaller, vectorcall),
    .tp_repr = (reprfunc)methodcaller_repr,
    .tp_call = PyVectorcall_Call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "methodcaller(name, ...) --> methodcaller object\n\n"
        "Return a callable object that calls the given method on its "
        "operand.\nAfter f = methodcaller('name'), the call f(r) returns "
        "r.name().\nAfter g = methodcaller('name', 'date', foo=1), the call "
        "g(r) returns\nr.name('date', foo=1).",
    .tp_traverse = (traverseproc)methodcaller_traverse,
    .tp_clear = (inquiry)methodcaller_clear,
    .tp_methods = methodcaller_methods,
    .tp_new = methodcaller_new,
};

/* ------------------------------------------------------------------- module */

static PyMethodDef module_methods[] = {
#define X(name, function, doc) \
    {#name, FAST(op_##name), #name "($module, a, b, /)\n--\n\n" \
     "Same as " doc "."},
    BINARY(X)
#undef X
#define X(name, function, doc) \
    {#name, op_##name, METH_O, #name "($module, a, /)\n--\n\n" doc},
    UNARY(X)
#undef X
    {"setitem", FAST(op_setitem),
     "setitem($module, a, b, c, /)\n--\n\nSame as a[b] = c."},
    {"countOf", FAST(op_countOf),
     "countOf($module, a, b, /)\n--\n\n"
     "Return the number of items in a which are, or which equal, b."},
    {"indexOf", FAST(op_indexOf),
     "indexOf($module, a, b, /)\n--\n\nReturn the first index of b in a."},
    {"length_hint", FAST(op_length_hint),
     "length_hint($module, obj, default=0, /)\n--\n\n"
     "Return an estimate of the number of items in obj.\n\n"
     "It is exact if the object supports len(), and an integer >= 0 in any "
     "case.\nContainers use it to allocate room before iteration."},
    {"call", FAST_KEYWORDS(op_call),
     "call($module, obj, /, *args, **kwargs)\n--\n\n"
     "Same as obj(*args, **kwargs)."},
    {"_compare_digest", FAST(op_compare_digest),
     "_compare_digest($module, a, b, /)\n--\n\n"
     "Return 'a == b'.\n\n"
     "How long that takes does not depend on where a and b differ, as "
     "cryptography\nneeds it. Both must be str (ASCII only), or bytes-like "
     "objects. The time may\ntell their types and lengths."},
    {NULL, NULL, 0, NULL}
};

static int
module_exec(PyObject *module)
{
    return _PyType_AddModuleName(&itemgetter_type) < 0
        || _PyType_AddModuleName(&attrgetter_type) < 0
        || _PyType_AddModuleName(&methodcaller_type) < 0
        || PyModule_AddType(module, &itemgetter_type) < 0
        || PyModule_AddType(module, &attrgetter_type) < 0
        || PyModule_AddType(module, &methodcaller_type) < 0 ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

static struct PyModuleDef operator_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_operator",
    .m_doc = "Operator interface.\n\n"
        "The operators of Python as functions: operator.add(x, y) is "
        "equivalent to\nthe expression x+y. They have the names of the special "
        "methods, without\nleading and trailing '__'.",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

MODULE_INIT(_operator)
{
    return PyModuleDef_Init(&operator_module);
}

/* Slots as Python methods: int.__add__(1, 2) calls nb_add of int.

   Each wrapper unpacks the arguments tuple for one kind of slot function, in `wrapped`.
   slots.def gives the wrapper of each special method. */
#include "private.h"

/* Borrowed arguments. Returns 0 with TypeError if their number is wrong. */
static int
check_arguments(PyObject *args, Py_ssize_t expected)
{
    if (PyTuple_CheckExact(args) && PyTuple_GET_SIZE(args) == expected) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError, "expected %zd argument%s, got %zd",
                 expected, expected == 1 ? "" : "s", PyTuple_GET_SIZE(args));
    return 0;
}

#define ARG(i) PyTuple_GET_ITEM(args, i)

#define WRAPPER(name) \
    PyObject * \
    name(PyObject *self, PyObject *args, void *wrapped)

#define RETURN_STATUS(expression)       \
    do {                                \
        if ((expression) < 0) {         \
            return NULL;                \
        }                               \
        Py_RETURN_NONE;                 \
    } while (0)

WRAPPER(wrap_unary)
{
    return check_arguments(args, 0) ? ((unaryfunc)wrapped)(self) : NULL;
}

WRAPPER(wrap_binary)
{
    return check_arguments(args, 1) ? ((binaryfunc)wrapped)(self, ARG(0))
                                    : NULL;
}

WRAPPER(wrap_binary_any)
{
    return check_arguments(args, 1) ? ((binaryfunc)wrapped)(self, ARG(0))
                                    : NULL;
}

WRAPPER(wrap_binary_reflected)
{
    return check_arguments(args, 1) ? ((binaryfunc)wrapped)(ARG(0), self)
                                    : NULL;
}

WRAPPER(wrap_ternary)
{
    PyObject *other, *third = Py_None;
    if (!PyArg_UnpackTuple(args, "", 1, 2, &other, &third)) {
        return NULL;
    }
    return ((ternaryfunc)wrapped)(self, other, third);
}

WRAPPER(wrap_ternary_reflected)
{
    PyObject *other, *third = Py_None;
    if (!PyArg_UnpackTuple(args, "", 1, 2, &other, &third)) {
        return NULL;
    }
    return ((ternaryfunc)wrapped)(other, self, third);
}

WRAPPER(wrap_inquiry)
{
    if (!check_arguments(args, 0)) {
        return NULL;
    }
    int result = ((inquiry)wrapped)(self);
    if (result == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return PyBool_FromLong(result);
}

WRAPPER(wrap_length)
{
    if (!check_arguments(args, 0)) {
        return NULL;
    }
    Py_ssize_t result = ((lenfunc)wrapped)(self);
    if (result == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return PyLong_FromSsize_t(result);
}

WRAPPER(wrap_hash)
{
    if (!check_arguments(args, 0)) {
        return NULL;
    }
    Py_hash_t result = ((hashfunc)wrapped)(self);
    if (result == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return PyLong_FromSsize_t(result);
}

WRAPPER(wrap_next)
{
    if (!check_arguments(args, 0)) {
        return NULL;
    }
    PyObject *result = ((iternextfunc)wrapped)(self);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_SetNone(PyExc_StopIteration);
    }
    return result;
}

WRAPPER(wrap_del)
{
    if (!check_arguments(args, 0)) {
        return NULL;
    }
    ((destructor)wrapped)(self);
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------------- items */

WRAPPER(wrap_index_arg)
{
    PyObject *number;
    if (!PyArg_UnpackTuple(args, "", 1, 1, &number)) {
        return NULL;
    }
    Py_ssize_t i = PyNumber_AsSsize_t(number, PyExc_OverflowError);
    if (i == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return ((ssizeargfunc)wrapped)(self, i);
}

/* The sequence slots need an index counted from the start. */
static int
sequence_index(PyObject *self, PyObject *arg, Py_ssize_t *index)
{
    Py_ssize_t i = PyNumber_AsSsize_t(arg, PyExc_OverflowError);
    if (i == -1 && PyErr_Occurred()) {
        return -1;
    }
    PySequenceMethods *methods = Py_TYPE(self)->tp_as_sequence;
    if (i < 0 && methods != NULL && methods->sq_length != NULL) {
        Py_ssize_t length = methods->sq_length(self);
        if (length < 0) {
            return -1;
        }
        i += length;
    }
    *index = i;
    return 0;
}

WRAPPER(wrap_sq_item)
{
    Py_ssize_t i;
    if (!check_arguments(args, 1)
        || sequence_index(self, ARG(0), &i) < 0) {
        return NULL;
    }
    return ((ssizeargfunc)wrapped)(self, i);
}

WRAPPER(wrap_sq_setitem)
{
    Py_ssize_t i;
    PyObject *key, *value;
    if (!PyArg_UnpackTuple(args, "", 2, 2, &key, &value)
        || sequence_index(self, key, &i) < 0) {
        return NULL;
    }
    RETURN_STATUS(((ssizeobjargproc)wrapped)(self, i, value));
}

WRAPPER(wrap_sq_delitem)
{
    Py_ssize_t i;
    if (!check_arguments(args, 1)
        || sequence_index(self, ARG(0), &i) < 0) {
        return NULL;
    }
    RETURN_STATUS(((ssizeobjargproc)wrapped)(self, i, NULL));
}

WRAPPER(wrap_contains)
{
    if (!check_arguments(args, 1)) {
        return NULL;
    }
    int result = ((objobjproc)wrapped)(self, ARG(0));
    if (result == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return PyBool_FromLong(result);
}

WRAPPER(wrap_setitem)
{
    PyObject *key, *value;
    if (!PyArg_UnpackTuple(args, "", 2, 2, &key, &value)) {
        return NULL;
    }
    RETURN_STATUS(((objobjargproc)wrapped)(self, key, value));
}

WRAPPER(wrap_delitem)
{
    if (!check_arguments(args, 1)) {
        return NULL;
    }
    RETURN_STATUS(((objobjargproc)wrapped)(self, ARG(0), NULL));
}

/* --------------------------------------------------------------- attributes */

/* object.__setattr__(cls_or_instance, ...) must not bypass a C base class that stores
   attributes in its own way: "Carlo Verre's hack". */
static int
may_use_setattr(PyObject *self, setattrofunc func, const char *what)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject *mro = type->tp_mro;
    if (mro == NULL) {
        return 1;
    }
    /* The class that the type's slot comes from. Python classes have no setattr
       function of their own. */
    PyTypeObject *origin = type;
    for (Py_ssize_t i = PyTuple_GET_SIZE(mro) - 1; i >= 0; i--) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (base->tp_setattro != _PySlot_SetAttr
            && base->tp_setattro == type->tp_setattro) {
            origin = base;
            break;
        }
    }
    /* The first C function from there upwards must be this one. */
    while (origin != NULL && origin->tp_setattro == _PySlot_SetAttr
           && func != _PySlot_SetAttr) {
        origin = origin->tp_base;
    }
    if (origin == NULL || origin->tp_setattro == func) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError, "can't apply this %s to %s object", what,
                 type->tp_name);
    return 0;
}

WRAPPER(wrap_setattr)
{
    PyObject *name, *value;
    setattrofunc func = (setattrofunc)wrapped;
    if (!PyArg_UnpackTuple(args, "", 2, 2, &name, &value)
        || !may_use_setattr(self, func, "__setattr__")) {
        return NULL;
    }
    RETURN_STATUS(func(self, name, value));
}

WRAPPER(wrap_delattr)
{
    setattrofunc func = (setattrofunc)wrapped;
    if (!check_arguments(args, 1)
        || !may_use_setattr(self, func, "__delattr__")) {
        return NULL;
    }
    RETURN_STATUS(func(self, ARG(0), NULL));
}

/* --------------------------------------------------------------- comparison */

static PyObject *
wrap_compare(PyObject *self, PyObject *args, void *wrapped, int op)
{
    return check_arguments(args, 1)
           ? ((richcmpfunc)wrapped)(self, ARG(0), op) : NULL;
}

WRAPPER(wrap_lt)
{
    return wrap_compare(self, args, wrapped, Py_LT);
}

WRAPPER(wrap_le)
{
    return wrap_compare(self, args, wrapped, Py_LE);
}

WRAPPER(wrap_eq)
{
    return wrap_compare(self, args, wrapped, Py_EQ);
}

WRAPPER(wrap_ne)
{
    return wrap_compare(self, args, wrapped, Py_NE);
}

WRAPPER(wrap_gt)
{
    return wrap_compare(self, args, wrapped, Py_GT);
}

WRAPPER(wrap_ge)
{
    return wrap_compare(self, args, wrapped, Py_GE);
}

/* -------------------------------------------------------------- descriptors */

WRAPPER(wrap_descr_get)
{
    PyObject *obj, *type = NULL;
    if (!PyArg_UnpackTuple(args, "", 1, 2, &obj, &type)) {
        return NULL;
    }
    if (obj == Py_None) {
        obj = NULL;
    }
    if (type == Py_None) {
        type = NULL;
    }
    if (obj == NULL && type == NULL) {
        PyErr_SetString(PyExc_TypeError, "__get__(None, None) is invalid");
        return NULL;
    }
    return ((descrgetfunc)wrapped)(self, obj, type);
}

WRAPPER(wrap_descr_set)
{
    PyObject *obj, *value;
    if (!PyArg_UnpackTuple(args, "", 2, 2, &obj, &value)) {
        return NULL;
    }
    RETURN_STATUS(((descrsetfunc)wrapped)(self, obj, value));
}

WRAPPER(wrap_descr_delete)
{
    if (!check_arguments(args, 1)) {
        return NULL;
    }
    RETURN_STATUS(((descrsetfunc)wrapped)(self, ARG(0), NULL));
}

/* ------------------------------------------------------------ with keywords */

PyObject *
wrap_call(PyObject *self, PyObject *args, void *wrapped, PyObject *kwargs)
{
    return ((ternaryfunc)wrapped)(self, args, kwargs);
}

PyObject *
wrap_init(PyObject *self, PyObject *args, void *wrapped, PyObject *kwargs)
{
    RETURN_STATUS(((initproc)wrapped)(self, args, kwargs));
}

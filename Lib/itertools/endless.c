/* count, cycle and repeat. */
#include "itertools_impl.h"
#include "internal/errors.h"

/* -------------------------------------------------------------------- count */

/* The count is a machine number as long as it fits and the step is 1: of an int of a subclass, as
   True, only the value counts, as in python3.11. After that `number` and `step` are used, and
   machine stays PY_SSIZE_T_MAX. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t machine;
    PyObject *number;           /* NULL in machine mode */
    PyObject *step;
} Count;

LIFE(2, Count, count, , number, step)

static PyObject *
count_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"start", "step", NULL};
    PyObject *start = NULL, *step = NULL;
    if (kwds == NULL && PyTuple_GET_SIZE(args) == 1) {      /* as a rule */
        start = PyTuple_GET_ITEM(args, 0);
    }
    else if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO:count", keywords,
                                          &start, &step)) {
        return NULL;
    }
    if ((start != NULL && !PyNumber_Check(start))
        || (step != NULL && !PyNumber_Check(step))) {
        PyErr_SetString(PyExc_TypeError, "a number is required");
        return NULL;
    }
    Py_ssize_t machine = 0;
    if (start != NULL) {
        machine = PY_SSIZE_T_MAX;
        if (PyLong_Check(start)) {
            machine = PyLong_AsSsize_t(start);
            if (machine == -1 && PyErr_Occurred()) {
                PyErr_Clear();
                machine = PY_SSIZE_T_MAX;
            }
        }
    }
    step = step == NULL ? PyLong_FromLong(1) : Py_NewRef(step);
    if (step == NULL) {
        return NULL;
    }
    if (machine != PY_SSIZE_T_MAX) {
        long by = PyLong_Check(step) ? PyLong_AsLong(step) : 0;
        if (by != 1) {
            PyErr_Clear();
            machine = PY_SSIZE_T_MAX;
        }
    }
    PyObject *number = NULL;
    if (machine == PY_SSIZE_T_MAX) {
        number = start == NULL ? PyLong_FromLong(0) : Py_NewRef(start);
    }
    Count *self = (Count *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(number);
        Py_DECREF(step);
        return NULL;
    }
    self->machine = machine;
    self->number = number;
    self->step = step;
    return (PyObject *)self;
}

static PyObject *
count_next(Count *self)
{
    if (self->machine != PY_SSIZE_T_MAX) {
        return PyLong_FromSsize_t(self->machine++);
    }
    PyObject *number = self->number;
    if (number == NULL) {
        number = PyLong_FromSsize_t(PY_SSIZE_T_MAX);
        if (number == NULL) {
            return NULL;
        }
        self->number = number;
    }
    PyObject *next = PyNumber_Add(number, self->step);
    if (next == NULL) {
        return NULL;
    }
    self->number = next;
    return number;
}

static int
step_is_one(Count *self)
{
    return PyLong_Check(self->step) && PyLong_AsLong(self->step) == 1;
}

static PyObject *
count_repr(Count *self)
{
    if (self->machine != PY_SSIZE_T_MAX) {
        return PyUnicode_FromFormat("%s(%zd)", _PyType_Name(Py_TYPE(self)),
                                    self->machine);
    }
    PyObject *number = self->number == NULL
        ? PyLong_FromSsize_t(PY_SSIZE_T_MAX) : Py_NewRef(self->number);
    if (number == NULL) {
        return NULL;
    }
    int plain = step_is_one(self);
    PyErr_Clear();
    PyObject *text = plain
        ? PyUnicode_FromFormat("%s(%R)", _PyType_Name(Py_TYPE(self)), number)
        : PyUnicode_FromFormat("%s(%R, %R)", _PyType_Name(Py_TYPE(self)),
                               number, self->step);
    Py_DECREF(number);
    return text;
}

static PyObject *
count_reduce(Count *self, PyObject *Py_UNUSED(ignored))
{
    if (self->number == NULL) {
        return Py_BuildValue("O(n)", Py_TYPE(self), self->machine);
    }
    return Py_BuildValue("O(OO)", Py_TYPE(self), self->number, self->step);
}

static PyMethodDef count_methods[] = {
    METHOD("__reduce__", count_reduce, METH_NOARGS, REDUCE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(count, "itertools.count", Count, Py_TPFLAGS_BASETYPE,
    .tp_repr = (reprfunc)count_repr,
    .tp_methods = count_methods,
    .tp_doc = "count(start=0, step=1)\n--\n\n"
        "Return a count object whose .__next__() method returns consecutive "
        "values.\n\nEquivalent to:\n"
        "    def count(firstval=0, step=1):\n"
        "        x = firstval\n"
        "        while 1:\n"
        "            yield x\n"
        "            x += step\n",);

/* -------------------------------------------------------------------- cycle */

typedef struct {
    PyObject_HEAD
    PyObject *iter;             /* NULL when it has been used up */
    PyObject *saved;            /* list of what it gave */
    Py_ssize_t index;
    int saved_already;          /* the list came with __setstate__ */
} Cycle;

LIFE(2, Cycle, cycle, , iter, saved)

static PyObject *
cycle_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *iterable;
    if (!no_keywords(type, &_PyItertools_cycle, "cycle", kwds)
        || !PyArg_UnpackTuple(args, "cycle", 1, 1, &iterable)) {
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    PyObject *saved = iter == NULL ? NULL : PyList_New(0);
    Cycle *self = saved == NULL ? NULL : (Cycle *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iter);
        Py_XDECREF(saved);
        return NULL;
    }
    self->iter = iter;
    self->saved = saved;
    return (PyObject *)self;
}

static PyObject *
cycle_next(Cycle *self)
{
    if (self->iter != NULL) {
        PyObject *item = next_of_held(self->iter);
        if (item != NULL) {
            if (!self->saved_already && PyList_Append(self->saved, item) < 0) {
                Py_CLEAR(item);
            }
            return item;
        }
        if (_PyErr_DropStopIteration() < 0) {
            return NULL;
        }
        Py_CLEAR(self->iter);
    }
    Py_ssize_t n = PyList_GET_SIZE(self->saved);
    if (n == 0) {
        return NULL;
    }
    if (self->index >= n) {
        self->index = 0;
    }
    PyObject *item = PyList_GET_ITEM(self->saved, self->index);
    self->index++;
    return Py_NewRef(item);
}

static PyObject *
cycle_reduce(Cycle *self, PyObject *Py_UNUSED(ignored))
{
    if (self->iter != NULL) {
        return Py_BuildValue("O(O)(OO)", Py_TYPE(self), self->iter,
                             self->saved,
                             self->saved_already ? Py_True : Py_False);
    }
    PyObject *iter = PyObject_GetIter(self->saved);
    if (iter == NULL) {
        return NULL;
    }
    if (self->index != 0) {
        PyObject *none = PyObject_CallMethod(iter, "__setstate__", "n",
                                             self->index);
        if (none == NULL) {
            Py_DECREF(iter);
            return NULL;
        }
        Py_DECREF(none);
    }
    return Py_BuildValue("O(N)(OO)", Py_TYPE(self), iter, self->saved,
                         Py_True);
}

static PyObject *
cycle_setstate(Cycle *self, PyObject *state)
{
    PyObject *saved;
    int saved_already;
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state is not a tuple");
        return NULL;
    }
    if (!PyArg_ParseTuple(state, "O!i", &PyList_Type, &saved,
                          &saved_already)) {
        return NULL;
    }
    Py_INCREF(saved);
    Py_XSETREF(self->saved, saved);
    self->saved_already = saved_already != 0;
    self->index = 0;
    Py_RETURN_NONE;
}

static PyMethodDef cycle_methods[] = {
    METHOD("__reduce__", cycle_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", cycle_setstate, METH_O, SETSTATE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(cycle, "itertools.cycle", Cycle, Py_TPFLAGS_BASETYPE,
    .tp_methods = cycle_methods,
    .tp_doc = "cycle(iterable, /)\n--\n\n"
        "Return elements from the iterable until it is exhausted. "
        "Then repeat the sequence indefinitely.",);

/* ------------------------------------------------------------------- repeat */

typedef struct {
    PyObject_HEAD
    PyObject *item;
    Py_ssize_t left;            /* -1: for ever */
} Repeat;

LIFE(1, Repeat, repeat, , item)

static PyObject *
repeat_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"object", "times", NULL};
    PyObject *item;
    Py_ssize_t times = -1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|n:repeat", keywords,
                                     &item, &times)) {
        return NULL;
    }
    Py_ssize_t given = PyTuple_GET_SIZE(args)
        + (kwds == NULL ? 0 : PyDict_GET_SIZE(kwds));
    if (given == 2 && times < 0) {
        times = 0;
    }
    Repeat *self = (Repeat *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->item = Py_NewRef(item);
    self->left = times;
    return (PyObject *)self;
}

static PyObject *
repeat_next(Repeat *self)
{
    if (self->left == 0) {
        return NULL;
    }
    self->left -= self->left > 0;
    return Py_NewRef(self->item);
}

static PyObject *
repeat_repr(Repeat *self)
{
    const char *name = _PyType_Name(Py_TYPE(self));
    return self->left == -1
        ? PyUnicode_FromFormat("%s(%R)", name, self->item)
        : PyUnicode_FromFormat("%s(%R, %zd)", name, self->item, self->left);
}

static PyObject *
repeat_length_hint(Repeat *self, PyObject *Py_UNUSED(ignored))
{
    if (self->left == -1) {
        PyErr_SetString(PyExc_TypeError, "len() of unsized object");
        return NULL;
    }
    return PyLong_FromSsize_t(self->left);
}

static PyObject *
repeat_reduce(Repeat *self, PyObject *Py_UNUSED(ignored))
{
    return self->left >= 0
        ? Py_BuildValue("O(On)", Py_TYPE(self), self->item, self->left)
        : Py_BuildValue("O(O)", Py_TYPE(self), self->item);
}

static PyMethodDef repeat_methods[] = {
    METHOD("__length_hint__", repeat_length_hint, METH_NOARGS,
           "Private method returning an estimate of len(list(it))."),
    METHOD("__reduce__", repeat_reduce, METH_NOARGS, REDUCE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(repeat, "itertools.repeat", Repeat, Py_TPFLAGS_BASETYPE,
    .tp_repr = (reprfunc)repeat_repr,
    .tp_methods = repeat_methods,
    .tp_doc = "repeat(object [,times]) -> create an iterator which returns "
        "the object\nfor the specified number of times.  If not specified, "
        "returns the object\nendlessly.",);

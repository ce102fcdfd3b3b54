/* An extension that uses the full API the way many do; C and C++. Its types:

   Point     static: members, getset, methods of every calling convention, comparison
   Buffer    from a specification: buffer protocol, collected, weak references
   Adder     static: vectorcall

   and the functions below. test_abi_extensions.py looks at what they do. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <frameobject.h>
#include <datetime.h>
#include <marshal.h>
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>

/* -------------------------------------------------------------------- Point */

typedef struct {
    PyObject_HEAD
    int x;
    double y;
    char inplace[8];
    PyObject *label;
    PyObject *dict;
} Point;

static PyMemberDef point_members[] = {
    {"x", T_INT, offsetof(Point, x), 0, "an int"},
    {"y", T_DOUBLE, offsetof(Point, y), 0, NULL},
    {"inplace", T_STRING_INPLACE, offsetof(Point, inplace), READONLY, NULL},
    {"label", T_OBJECT_EX, offsetof(Point, label), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyObject *
point_get_norm(PyObject *self, void *scale)
{
    Point *p = (Point *)self;
    return PyFloat_FromDouble((p->x * p->x + p->y * p->y) * (scale == NULL ? 1 : 2));
}

static int
point_set_norm(PyObject *self, PyObject *value, void *Py_UNUSED(scale))
{
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "norm can't be deleted");
        return -1;
    }
    ((Point *)self)->y = PyFloat_AsDouble(value);
    return PyErr_Occurred() ? -1 : 0;
}

static PyGetSetDef point_getset[] = {
    {"norm", point_get_norm, point_set_norm, "squared", NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyObject *
no_args(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(self);
}

static PyObject *
one_arg(PyObject *Py_UNUSED(self), PyObject *arg)
{
    return PyTuple_Pack(2, arg, arg);
}

static PyObject *
fast(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *list = PyList_New(nargs);
    if (list == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        Py_INCREF(args[i]);
        PyList_SET_ITEM(list, i, args[i]);
    }
    return list;
}

static PyObject *
defining_class(PyObject *Py_UNUSED(self), PyTypeObject *cls, PyObject *const *Py_UNUSED(args),
               size_t Py_UNUSED(nargs), PyObject *Py_UNUSED(kwnames))
{
    return Py_NewRef((PyObject *)cls);
}

static PyObject *
keywords(PyObject *Py_UNUSED(self), PyObject *args, PyObject *kwargs)
{
    static char first[] = "first", second[] = "second";
    static char *names[] = {first, second, NULL};
    const char *text = "";
    Py_ssize_t size = 0;
    PyObject *other = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|O:keywords", names, &text, &size,
                                     &other)) {
        return NULL;
    }
    return Py_BuildValue("(y#nO)", text, size, size, other);
}

static PyMethodDef point_methods[] = {
    {"no_args", no_args, METH_NOARGS, PyDoc_STR("no_args($self, /)\n--\n\nItself.")},
    {"one_arg", one_arg, METH_O, NULL},
    {"fast", _PyCFunction_CAST(fast), METH_FASTCALL, NULL},
    {"keywords", _PyCFunction_CAST(keywords), METH_VARARGS | METH_KEYWORDS, NULL},
    {"static", one_arg, METH_O | METH_STATIC, NULL},
    {NULL, NULL, 0, NULL}
};

static PyObject *
point_richcompare(PyObject *a, PyObject *b, int op)
{
    if (Py_TYPE(a) != Py_TYPE(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    Py_RETURN_RICHCOMPARE(((Point *)a)->x, ((Point *)b)->x, op);
}

static void
point_dealloc(PyObject *self)
{
    Py_CLEAR(((Point *)self)->label);
    Py_CLEAR(((Point *)self)->dict);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
point_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs))
{
    Point *self = (Point *)type->tp_alloc(type, 0);
    if (self != NULL) {
        memcpy(self->inplace, "place", 6);
    }
    return (PyObject *)self;
}

static PyTypeObject Point_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
};

/* ------------------------------------------------------------------- Buffer */

typedef struct {
    PyObject_HEAD
    char bytes[12];
    Py_ssize_t shape[2];
    Py_ssize_t strides[2];
    PyObject *partner;
    PyObject *weakrefs;
    int exports;
} Buffer;

static int
buffer_get(PyObject *self, Py_buffer *view, int flags)
{
    static char format[] = "h";
    Buffer *b = (Buffer *)self;
    if (PyBuffer_FillInfo(view, self, b->bytes, sizeof(b->bytes), 0, flags) < 0) {
        return -1;
    }
    b->shape[0] = 2, b->shape[1] = 3;
    b->strides[0] = 6, b->strides[1] = 2;
    view->itemsize = 2;
    view->ndim = 2;
    view->shape = b->shape;
    view->strides = b->strides;
    view->format = flags & PyBUF_FORMAT ? format : NULL;
    b->exports++;
    return 0;
}

static void
buffer_release(PyObject *self, Py_buffer *Py_UNUSED(view))
{
    ((Buffer *)self)->exports--;
}

static int
buffer_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Buffer *)self)->partner);
    return 0;
}

static int
buffer_clear(PyObject *self)
{
    Py_CLEAR(((Buffer *)self)->partner);
    return 0;
}

static void
buffer_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, buffer_dealloc)
    if (((Buffer *)self)->weakrefs != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    (void)buffer_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
    Py_TRASHCAN_END
}

static PyMemberDef buffer_members[] = {
    {"partner", T_OBJECT, offsetof(Buffer, partner), 0, NULL},
    {"exports", T_INT, offsetof(Buffer, exports), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Buffer, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyMethodDef buffer_methods[] = {
    {"defining_class", _PyCFunction_CAST(defining_class),
     METH_METHOD | METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot buffer_slots[] = {
    {Py_bf_getbuffer, (void *)buffer_get},
    {Py_bf_releasebuffer, (void *)buffer_release},
    {Py_tp_traverse, (void *)buffer_traverse},
    {Py_tp_clear, (void *)buffer_clear},
    {Py_tp_dealloc, (void *)buffer_dealloc},
    {Py_tp_members, (void *)buffer_members},
    {Py_tp_methods, (void *)buffer_methods},
    {0, NULL}
};

static PyType_Spec buffer_spec = {
    "full.Buffer", sizeof(Buffer), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, buffer_slots
};

/* -------------------------------------------------------------------- Adder */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *addend;
} Adder;

static PyObject *
adder_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    if (PyVectorcall_NARGS(nargsf) != 1 || (kwnames != NULL && PyTuple_GET_SIZE(kwnames))) {
        return PyErr_Format(PyExc_TypeError, "one argument, not %zd",
                            PyVectorcall_NARGS(nargsf));
    }
    return PyNumber_Add(args[0], ((Adder *)self)->addend);
}

static PyObject *
adder_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    PyObject *addend;
    if (!PyArg_ParseTuple(args, "O:Adder", &addend)) {
        return NULL;
    }
    Adder *self = (Adder *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->vectorcall = adder_call;
        self->addend = Py_NewRef(addend);
    }
    return (PyObject *)self;
}

static void
adder_dealloc(PyObject *self)
{
    Py_XDECREF(((Adder *)self)->addend);
    Py_TYPE(self)->tp_free(self);
}

static PyTypeObject Adder_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
};

/* ---------------------------------------------------------------- functions */

static PyObject *
characters(PyObject *Py_UNUSED(module), PyObject *text)
{
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0) {
        return PyErr_Format(PyExc_TypeError, "not a str: %R", text);
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    PyObject *copy = PyUnicode_New(length, PyUnicode_MAX_CHAR_VALUE(text));
    if (copy == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        PyUnicode_WRITE(PyUnicode_KIND(copy), PyUnicode_DATA(copy), i,
                        PyUnicode_READ_CHAR(text, length - 1 - i));
    }
    return Py_BuildValue("(Nii)", copy, (int)PyUnicode_KIND(text),
                         (int)PyUnicode_IS_ASCII(text));
}

static PyObject *
date_parts(PyObject *Py_UNUSED(module), PyObject *moment)
{
    if (!PyDateTime_Check(moment)) {
        PyErr_SetString(PyExc_TypeError, "not a datetime");
        return NULL;
    }
    PyObject *delta = PyDelta_FromDSU(1, 2, 3);
    PyObject *date = PyDate_FromDate(PyDateTime_GET_YEAR(moment), PyDateTime_GET_MONTH(moment),
                                     PyDateTime_GET_DAY(moment));
    PyObject *time = PyTime_FromTime(PyDateTime_DATE_GET_HOUR(moment),
                                     PyDateTime_DATE_GET_MINUTE(moment),
                                     PyDateTime_DATE_GET_SECOND(moment),
                                     PyDateTime_DATE_GET_MICROSECOND(moment));
    return Py_BuildValue("(NNNO)", delta, date, time, PyDateTime_DATE_GET_TZINFO(moment));
}

static PyObject *
containers(PyObject *Py_UNUSED(module), PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t pos = 0, sum = 0;
    if (!PyDict_CheckExact(dict)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    while (PyDict_Next(dict, &pos, &key, &value)) {
        PyObject *items = PySequence_Fast(value, "values are sequences");
        if (items == NULL) {
            return NULL;
        }
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items); i++) {
            sum += PyLong_AsSsize_t(PySequence_Fast_GET_ITEM(items, i));
        }
        Py_DECREF(items);
    }
    return PyErr_Occurred() ? NULL : PyLong_FromSsize_t(sum);
}

static PyObject *
running_line(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyFrameObject *frame = PyEval_GetFrame();
    PyCodeObject *code = PyFrame_GetCode(frame);
    PyObject *result = Py_BuildValue("(Oi)", code->co_name, PyFrame_GetLineNumber(frame));
    Py_DECREF(code);
    return result;
}

/* An error in a line of a source that is not Python's, as Cython's modules raise it. */
static PyObject *
fail_in_line(PyObject *module, PyObject *line)
{
    PyCodeObject *code = PyCode_NewEmpty("model.pyx", "compute", 1);
    PyFrameObject *frame = code == NULL ? NULL
        : PyFrame_New(PyThreadState_Get(), code, PyModule_GetDict(module), NULL);
    PyErr_SetString(PyExc_ArithmeticError, "no result");
    if (frame != NULL) {
        frame->f_lineno = (int)PyLong_AsLong(line);
        PyTraceBack_Here(frame);
    }
    Py_XDECREF(code);
    Py_XDECREF(frame);
    return NULL;
}

static PyObject *
without_gil(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    int had, back;
    Py_BEGIN_ALLOW_THREADS
    PyGILState_STATE state = PyGILState_Ensure();
    had = PyGILState_Check();
    PyGILState_Release(state);
    Py_END_ALLOW_THREADS
    back = PyThreadState_Get()->interp == PyInterpreterState_Get();
    return Py_BuildValue("(NN)", PyBool_FromLong(had), PyBool_FromLong(back));
}

static PyObject *
marshalled(PyObject *Py_UNUSED(module), PyObject *arg)
{
    return PyMarshal_WriteObjectToString(arg, Py_MARSHAL_VERSION);
}

static void
capsule_gone(PyObject *capsule)
{
    int *counter = (int *)PyCapsule_GetContext(capsule);
    ++*counter;
}

static int capsules_gone;

static PyObject *
capsule(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *c = PyCapsule_New((void *)&capsules_gone, "full.capsule", capsule_gone);
    if (c != NULL && PyCapsule_SetContext(c, &capsules_gone) < 0) {
        Py_CLEAR(c);
    }
    return c;
}

static PyObject *
gone(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(capsules_gone);
}

static int extras_freed;

static void
extra_free(void *extra)
{
    if (extra != NULL) {
        extras_freed++;
    }
}

/* The same index at every call; what was kept with the code object before. */
static PyObject *
code_extra(PyObject *Py_UNUSED(module), PyObject *code)
{
    static Py_ssize_t index = -1;
    void *before;
    if (index < 0) {
        index = _PyEval_RequestCodeExtraIndex(extra_free);
    }
    if (_PyCode_GetExtra(code, index, &before) < 0
        || _PyCode_SetExtra(code, index, (void *)&extras_freed) < 0) {
        return NULL;
    }
    return Py_BuildValue("(Oi)", before == &extras_freed ? Py_True : Py_False, extras_freed);
}

static int
trace(PyObject *seen, PyFrameObject *frame, int what, PyObject *Py_UNUSED(arg))
{
    PyCodeObject *code = PyFrame_GetCode(frame);
    PyObject *event = Py_BuildValue("(kOi)", PyThread_get_thread_ident(), code->co_name, what);
    int failed = event == NULL || PySet_Add(seen, event) < 0;
    Py_XDECREF(event);
    Py_DECREF(code);
    return failed ? -1 : 0;
}

/* Sets to add to, or None. */
static PyObject *
observe_all_threads(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *traced, *profiled;
    if (!PyArg_ParseTuple(args, "OO", &traced, &profiled)) {
        return NULL;
    }
    PyEval_SetTraceAllThreads(Py_IsNone(traced) ? NULL : trace, traced);
    PyEval_SetProfileAllThreads(Py_IsNone(profiled) ? NULL : trace, profiled);
    Py_RETURN_NONE;
}

typedef struct {
    PyTypeObject *type;
    int made, destroyed;
} Count;

static int
count(PyObject *op, PyRefTracerEvent event, void *data)
{
    Count *c = (Count *)data;
    if (event != PyRefTracer_TRACKER_REMOVED && Py_IS_TYPE(op, c->type)) {
        event == PyRefTracer_CREATE ? c->made++ : c->destroyed++;
    }
    return 0;
}

/* How many instances of the type come and go during the call. */
static PyObject *
count_instances(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *type, *callable;
    void *data = NULL;
    Count c = {NULL, 0, 0};
    if (!PyArg_ParseTuple(args, "O!O", &PyType_Type, &type, &callable)) {
        return NULL;
    }
    c.type = (PyTypeObject *)type;
    if (PyRefTracer_SetTracer(count, &c) < 0) {
        return NULL;
    }
    PyObject *result = PyObject_CallNoArgs(callable);
    int failed = result == NULL;
    Py_XDECREF(result);
    int same = PyRefTracer_GetTracer(&data) == count && data == &c;
    PyRefTracer_SetTracer(NULL, NULL);
    if (failed) {
        return NULL;
    }
    return Py_BuildValue("(iii)", c.made, c.destroyed, same);
}

static PyMethodDef functions[] = {
    {"code_extra", code_extra, METH_O, NULL},
    {"observe_all_threads", observe_all_threads, METH_VARARGS, NULL},
    {"count_instances", count_instances, METH_VARARGS, NULL},
    {"characters", characters, METH_O, NULL},
    {"date_parts", date_parts, METH_O, NULL},
    {"containers", containers, METH_O, NULL},
    {"running_line", running_line, METH_NOARGS, NULL},
    {"fail_in_line", fail_in_line, METH_O, NULL},
    {"without_gil", without_gil, METH_NOARGS, NULL},
    {"marshalled", marshalled, METH_O, NULL},
    {"capsule", capsule, METH_NOARGS, NULL},
    {"gone", gone, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static int
full_exec(PyObject *module)
{
    PyDateTime_IMPORT;
    if (PyDateTimeAPI == NULL) {
        return -1;
    }
    Point_Type.tp_name = "full.Point";
    Point_Type.tp_basicsize = sizeof(Point);
    Point_Type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    Point_Type.tp_new = point_new;
    Point_Type.tp_dealloc = point_dealloc;
    Point_Type.tp_members = point_members;
    Point_Type.tp_getset = point_getset;
    Point_Type.tp_methods = point_methods;
    Point_Type.tp_richcompare = point_richcompare;
    Point_Type.tp_dictoffset = offsetof(Point, dict);

    Adder_Type.tp_name = "full.Adder";
    Adder_Type.tp_basicsize = sizeof(Adder);
    Adder_Type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
    Adder_Type.tp_vectorcall_offset = offsetof(Adder, vectorcall);
    Adder_Type.tp_call = PyVectorcall_Call;
    Adder_Type.tp_new = adder_new;
    Adder_Type.tp_dealloc = adder_dealloc;

    PyObject *buffer = PyType_FromModuleAndSpec(module, &buffer_spec, NULL);
    if (buffer == NULL || PyModule_AddType(module, (PyTypeObject *)buffer) < 0) {
        return -1;
    }
    Py_DECREF(buffer);
    return PyModule_AddType(module, &Point_Type) < 0
        || PyModule_AddType(module, &Adder_Type) < 0
        || PyModule_AddIntMacro(module, Py_EQ) < 0 ? -1 : 0;
}

static PyModuleDef_Slot full_slots[] = {
    {Py_mod_exec, (void *)full_exec},
    {0, NULL}
};

static PyModuleDef full_module = {
    PyModuleDef_HEAD_INIT, "full", "A test.", 0, functions, full_slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_full(void)
{
    return PyModuleDef_Init(&full_module);
}

/* Traceback objects: a linked list of the frames that an exception passed through,
   outermost first.

   Invariant: following tb_next ends (the setter refuses loops). A tb_lineno of -1 (which only
   TracebackType() makes, or an instruction without a line) is printed as the line of tb_lasti. */
#include "Python.h"
#include "frameobject.h"
#include "structmember.h"
#include "internal/errors.h"
#include "internal/frame.h"
#include "internal/pycore_frame.h"
#include "internal/gcstate.h"
#include "internal/pystate.h"
#include "internal/spare.h"
#include "internal/traceback.h"

#include <stddef.h>

/* An exception that is caught near its origin makes and frees one or two. */
static _PySpareObjects spare = _PySpareObjects_INIT(32);

/* Steals next. */
static PyObject *
make_traceback(PyTracebackObject *next, PyFrameObject *frame, int lasti,
               int lineno)
{
    PyTracebackObject *tb = (PyTracebackObject *)_PySpare_Take(&spare, &PyTraceBack_Type);
    if (tb == NULL && (tb = PyObject_GC_New(PyTracebackObject, &PyTraceBack_Type)) == NULL) {
        Py_XDECREF(next);
        return NULL;
    }
    tb->tb_next = next;
    tb->tb_frame = (PyFrameObject *)Py_NewRef((PyObject *)frame);
    tb->tb_lasti = lasti;
    tb->tb_lineno = lineno;
    _PyObject_GC_TRACK((PyObject *)tb);
    return (PyObject *)tb;
}

/* The line is there from the beginning: functions in C read the field. (It is cheap, since code
   that is often asked for lines keeps them.) */
static inline PyObject *
of_frame(PyTracebackObject *next, PyFrameObject *frame)
{
    PyVMCode *code = frame->vm->code;
    Py_ssize_t at = frame->vm->ip - code->code;
    return make_traceback(next, frame, 2 * (int)at,
                          frame->f_lineno != 0 ? frame->f_lineno
                          : at < 0 ? _PyCode_LineOf(code, at) : _PyCode_LineAt(code, at));
}

PyObject *
_PyTraceBack_FromFrame(PyObject *next, PyFrameObject *frame)
{
    return of_frame((PyTracebackObject *)Py_XNewRef(next), frame);
}

int
PyTraceBack_Here(PyFrameObject *frame)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyTracebackObject *old = (PyTracebackObject *)tstate->curexc_traceback;
    if (spare.first != NULL && _PyGC_young_count < _PyGC_young_threshold) {
        /* No other code can run in between, so the exception may stay set. */
        tstate->curexc_traceback = NULL;
        tstate->curexc_traceback = of_frame(old, frame);
        return 0;
    }
    PyObject *type, *value, *traceback;
    _PyErr_Fetch(tstate, &type, &value, &traceback);
    PyObject *longer = _PyTraceBack_FromFrame(traceback, frame);
    if (longer == NULL) {
        _PyErr_ChainExceptions(type, value, traceback);
        return -1;
    }
    _PyErr_Restore(tstate, type, value, longer);
    Py_XDECREF(traceback);
    return 0;
}

void
_PyTraceback_Add(const char *func, const char *file, int line)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *exc = _PyErr_GetRaised(tstate);
    PyFrameObject *frame = NULL;
    PyObject *globals = PyDict_New();
    PyCodeObject *code = globals == NULL ? NULL
        : PyCode_NewEmpty(file, func, line);
    if (code != NULL) {
        frame = PyFrame_New(tstate, code, globals, NULL);
    }
    Py_XDECREF(globals);
    Py_XDECREF(code);
    if (frame == NULL) {
        _PyErr_ChainExceptions1(exc);
        return;
    }
    _PyErr_SetRaised(tstate, exc);
    PyTraceBack_Here(frame);
    Py_DECREF(frame);
}

/* ----------------------------------------------------------------- the type */

static PyObject *
get_next(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *next = (PyObject *)((PyTracebackObject *)op)->tb_next;
    return Py_NewRef(next != NULL ? next : Py_None);
}

static int
set_next(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "can't delete tb_next attribute");
        return -1;
    }
    if (value == Py_None) {
        value = NULL;
    }
    else if (!PyTraceBack_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "expected traceback object or None, got '%s'",
                     Py_TYPE(value)->tp_name);
        return -1;
    }
    for (PyObject *at = value; at != NULL;
         at = (PyObject *)((PyTracebackObject *)at)->tb_next) {
        if (at == op) {
            PyErr_SetString(PyExc_ValueError, "traceback loop detected");
            return -1;
        }
    }
    Py_XINCREF(value);
    Py_XSETREF(((PyTracebackObject *)op)->tb_next, (PyTracebackObject *)value);
    return 0;
}

PyDoc_STRVAR(tb_doc,
"TracebackType(tb_next, tb_frame, tb_lasti, tb_lineno)\n--\n\n"
"One frame on the way of an exception.");

static PyObject *
tb_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {"tb_next", "tb_frame", "tb_lasti", "tb_lineno", NULL};
    static _PyArg_Parser parser = {.keywords = names, .fname = "TracebackType"};
    PyObject *room[4];
    PyObject *const *got = _PyArg_UnpackKeywords(((PyTupleObject *)args)->ob_item,
                                                 PyTuple_GET_SIZE(args), kwds, NULL, &parser, 4, 4,
                                                 0, room);
    if (got == NULL) {
        return NULL;
    }
    PyObject *next = got[0], *frame = got[1];
    if (!PyFrame_Check(frame)) {
        _PyArg_BadArgument("TracebackType", "argument 'tb_frame'", "frame", frame);
        return NULL;
    }
    int lasti = _PyLong_AsInt(got[2]);
    if (lasti == -1 && PyErr_Occurred()) {
        return NULL;
    }
    int lineno = _PyLong_AsInt(got[3]);
    if (lineno == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (next == Py_None) {
        next = NULL;
    }
    else if (!PyTraceBack_Check(next)) {
        return PyErr_Format(PyExc_TypeError,
                            "expected traceback object or None, got '%s'",
                            Py_TYPE(next)->tp_name);
    }
    return make_traceback((PyTracebackObject *)Py_XNewRef(next),
                          (PyFrameObject *)frame, lasti, lineno);
}

static PyObject *
tb_dir(PyObject *Py_UNUSED(op), PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("[ssss]", "tb_frame", "tb_next", "tb_lasti",
                         "tb_lineno");
}

static int
tb_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyTracebackObject *self = (PyTracebackObject *)op;
    Py_VISIT(self->tb_next);
    Py_VISIT((PyObject *)self->tb_frame);
    return 0;
}

static int
tb_clear(PyObject *op)
{
    PyTracebackObject *self = (PyTracebackObject *)op;
    Py_CLEAR(self->tb_next);
    Py_CLEAR(self->tb_frame);
    return 0;
}

static void
tb_dealloc(PyObject *op)
{
    PyTracebackObject *self = (PyTracebackObject *)op;
    PyObject_GC_UnTrack(op);
    Py_TRASHCAN_BEGIN(op, tb_dealloc)
    Py_XDECREF(self->tb_next);
    Py_XDECREF(self->tb_frame);
    if (!_PySpare_Keep(&spare, op)) {
        PyObject_GC_Del(op);
    }
    Py_TRASHCAN_END
}

static PyMethodDef tb_methods[] = {
    {"__dir__", tb_dir, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef tb_members[] = {
    {"tb_frame", T_OBJECT, offsetof(PyTracebackObject, tb_frame),
     READONLY | PY_AUDIT_READ, NULL},
    {"tb_lasti", T_INT, offsetof(PyTracebackObject, tb_lasti), READONLY, NULL},
    {"tb_lineno", T_INT, offsetof(PyTracebackObject, tb_lineno), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef tb_getset[] = {
    {"tb_next", get_next, set_next, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyTraceBack_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "traceback",
    .tp_basicsize = sizeof(PyTracebackObject),
    .tp_dealloc = tb_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = tb_doc,
    .tp_traverse = tb_traverse,
    .tp_clear = tb_clear,
    .tp_methods = tb_methods,
    .tp_members = tb_members,
    .tp_getset = tb_getset,
    .tp_new = tb_new,
};

/* The PyEval_* functions of the C API, and the functions that ask which code is
   running. */
#include "vm.h"
#include "internal/frame_object.h"
#include "internal/monitoring.h"
#include "internal/super.h"
#include "internal/unicode.h"
#include "frameobject.h"

/* ------------------------------------------------------------- running code */

static PyFunctionObject *
function_for(PyThreadState *ts, PyObject *code, PyObject *globals,
             PyObject *defaults, PyObject *kwdefaults, PyObject *closure)
{
    PyObject *builtins = _PyEval_BuiltinsFromGlobals(ts, globals);
    if (builtins == NULL) {
        return NULL;
    }
    PyFrameConstructor con = {
        .fc_globals = globals,
        .fc_builtins = builtins,
        .fc_name = ((PyCodeObject *)code)->co_name,
        .fc_qualname = ((PyCodeObject *)code)->co_name,
        .fc_code = code,
        .fc_defaults = defaults,
        .fc_kwdefaults = kwdefaults,
        .fc_closure = closure,
    };
    return _PyFunction_FromConstructor(&con);
}

PyObject *
PyEval_EvalCode(PyObject *code, PyObject *globals, PyObject *locals)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyFunctionObject *func =
        function_for(ts, code, globals, NULL, NULL, NULL);
    if (func == NULL) {
        return NULL;
    }
    PyObject *result = _PyEval_Vector(ts, func, locals != NULL ? locals : globals,
                                      NULL, 0, NULL);
    Py_DECREF(func);
    return result;
}

PyObject *
PyEval_EvalCodeEx(PyObject *code, PyObject *globals, PyObject *locals,
                  PyObject *const *args, int argcount, PyObject *const *kws,
                  int kwcount, PyObject *const *defs, int defcount,
                  PyObject *kwdefs, PyObject *closure)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyObject *defaults = NULL, *names = NULL, *result = NULL;
    PyObject **all = NULL;
    PyFunctionObject *func = NULL;

    if (defcount > 0) {
        defaults = PyTuple_New(defcount);
        if (defaults == NULL) {
            return NULL;
        }
        for (int i = 0; i < defcount; i++) {
            PyTuple_SET_ITEM(defaults, i, Py_NewRef(defs[i]));
        }
    }
    if (kwcount > 0) {
        names = PyTuple_New(kwcount);
        all = PyMem_New(PyObject *, (size_t)argcount + (size_t)kwcount);
        if (names == NULL || all == NULL) {
            PyErr_NoMemory();
            goto done;
        }
        memcpy(all, args, (size_t)argcount * sizeof(PyObject *));
        for (int i = 0; i < kwcount; i++) {
            PyTuple_SET_ITEM(names, i, Py_NewRef(kws[2 * i]));
            all[argcount + i] = kws[2 * i + 1];
        }
        args = all;
    }
    func = function_for(ts, code, globals, defaults, kwdefs, closure);
    if (func != NULL) {
        int optimized = ((PyCodeObject *)code)->co_flags & CO_OPTIMIZED;
        result = _PyEval_Vector(ts, func,
                                locals == NULL && !optimized ? globals : locals,
                                args, (size_t)argcount, names);
    }
done:
    Py_XDECREF(func);
    Py_XDECREF(defaults);
    Py_XDECREF(names);
    PyMem_Free(all);
    return result;
}

/* Runs a frame made by PyFrame_New: its state moves to the thread's stack. */
PyObject *
PyEval_EvalFrameEx(PyFrameObject *op, int throwflag)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyVMFrame *own = op->vm;
    if (own->owner != FRAME_OBJECT) {
        PyErr_SetString(PyExc_SystemError, "the frame is already running");
        return NULL;
    }
    PyVMCode *code = own->code;
    PyReg *top = _PyVM_RoomAbove(ts, TS_FRAME(ts), FRAME_WORDS);
    if (top == NULL) {
        return NULL;
    }
    size_t size = sizeof(PyVMFrame) + code->first_temp * sizeof(PyReg);
    PyVMFrame *f = (PyVMFrame *)top;
    memcpy(f, own, size);
    memset(own, 0, size);
    f->owner = FRAME_THREAD;
    f->previous = TS_FRAME(ts);
    f->frame_obj = (PyFrameObject *)Py_NewRef((PyObject *)op);
    op->vm = f;
    return _PyEval_EvalFrame(ts, f, throwflag != 0);
}

PyObject *
PyEval_EvalFrame(PyFrameObject *op)
{
    return PyEval_EvalFrameEx(op, 0);
}

/* ----------------------------------------------------------- what runs here */

PyFrameObject *
PyThreadState_GetFrame(PyThreadState *ts)
{
    PyVMFrame *f = first_staying(TS_FRAME(ts));
    if (f == NULL) {
        return NULL;
    }
    PyFrameObject *op = _PyFrame_GetFrameObject(f);
    if (op == NULL) {
        PyErr_Clear();
    }
    return (PyFrameObject *)Py_XNewRef((PyObject *)op);
}

PyFrameObject *
PyEval_GetFrame(void)
{
    PyVMFrame *f = first_staying(TS_FRAME(_PyThreadState_GET()));
    if (f == NULL) {
        return NULL;
    }
    PyFrameObject *op = _PyFrame_GetFrameObject(f);
    if (op == NULL) {
        PyErr_Clear();
    }
    return op;
}

PyObject *
PyEval_GetLocals(void)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyVMFrame *f = first_staying(TS_FRAME(ts));
    if (f == NULL) {
        _PyErr_SetString(ts, PyExc_SystemError, "frame does not exist");
        return NULL;
    }
    return _PyFrame_Locals(f);
}

int
PyEval_MergeCompilerFlags(PyCompilerFlags *flags)
{
    PyVMFrame *f = first_staying(TS_FRAME(_PyThreadState_GET()));
    if (f != NULL) {
        flags->cf_flags |= f->code->ob.co_flags & PyCF_MASK;
    }
    return flags->cf_flags != 0;
}

const char *
PyEval_GetFuncName(PyObject *func)
{
    if (PyMethod_Check(func)) {
        return PyEval_GetFuncName(PyMethod_GET_FUNCTION(func));
    }
    if (PyFunction_Check(func)) {
        return PyUnicode_AsUTF8(((PyFunctionObject *)func)->func_name);
    }
    if (PyCFunction_Check(func)) {
        return ((PyCFunctionObject *)func)->m_ml->ml_name;
    }
    return Py_TYPE(func)->tp_name;
}

const char *
PyEval_GetFuncDesc(PyObject *func)
{
    if (PyMethod_Check(func) || PyFunction_Check(func)
        || PyCFunction_Check(func)) {
        return "()";
    }
    return " object";
}

/* super() without arguments: the class in the cell __class__ and the first
   argument of the running function. Stores new references. 0, or -1. */
static int
super_from_frame(PyTypeObject **type, PyObject **obj)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyVMFrame *f = first_staying(TS_FRAME(ts));
    if (f == NULL) {
        _PyErr_SetString(ts, PyExc_RuntimeError, "super(): no current frame");
        return -1;
    }
    PyCodeObject *code = &f->code->ob;
    if (code->co_argcount == 0) {
        _PyErr_SetString(ts, PyExc_RuntimeError, "super(): no arguments");
        return -1;
    }
    PyObject *self = NULL;
    if (f->regs[0] != 0) {
        self = reg_object(&f->regs[0]);
        if (self == NULL) {
            return -1;
        }
        int kind = PyBytes_AS_STRING(code->co_localspluskinds)[0];
        if ((kind & CO_FAST_CELL) && PyCell_Check(self)) {
            self = PyCell_GET(self);
        }
    }
    if (self == NULL) {
        _PyErr_SetString(ts, PyExc_RuntimeError, "super(): arg[0] deleted");
        return -1;
    }
    Py_ssize_t first = code->co_nlocalsplus - code->co_nfreevars;
    for (Py_ssize_t i = 0; i < code->co_nfreevars; i++) {
        PyObject *name = PyTuple_GET_ITEM(code->co_localsplusnames, first + i);
        if (!_PyUnicode_EQ(name, _Py_NAME(dunder_class))) {
            continue;
        }
        PyObject *cell = PyTuple_GET_ITEM(frame_func(f)->func_closure, i);
        PyObject *cls = PyCell_GET(cell);
        if (cls == NULL) {
            _PyErr_SetString(ts, PyExc_RuntimeError,
                             "super(): empty __class__ cell");
            return -1;
        }
        if (!PyType_Check(cls)) {
            _PyErr_Format(ts, PyExc_RuntimeError,
                          "super(): __class__ is not a type (%s)",
                          Py_TYPE(cls)->tp_name);
            return -1;
        }
        *type = (PyTypeObject *)Py_NewRef(cls);
        *obj = Py_NewRef(self);
        return 0;
    }
    _PyErr_SetString(ts, PyExc_RuntimeError,
                     "super(): __class__ cell not found");
    return -1;
}

/* ----------------------------------------------------------------- start-up */

int
_PyVM_Init(void)
{
    _PyThreadState_vm_free = _PyVM_FiniThread;
    _PySuper_FromFrame = super_from_frame;
    _PyCode_LeaveJit = _PyJit_Free;
    _PyCode_DefaultEntry = (void *)_PyVM_CallFromNative;
    _PyCode_LeaveMonitor = _PyMonitor_Free;
    return 0;
}

/* What a thread is running. The functions read the VM's frames on behalf of every floor. */
#include "Python.h"
#include "internal/code.h"
#include "internal/errors.h"
#include "internal/frame.h"
#include "internal/names.h"
#include "internal/pycore_frame.h"
#include "internal/pystate.h"

PyVMFrame *
_PyThreadState_CurrentFrame(PyThreadState *ts)
{
    return first_staying(TS_FRAME(ts));
}

/* f_lasti of a frame: two for each instruction word, as tracebacks expect; -1
   before the first. */
static int
lasti_of(PyVMFrame *f)
{
    return 2 * (int)(f->ip - f->code->code);
}

int
_PyFrame_LineOf(PyVMFrame *f)
{
    Py_ssize_t instr = f->ip - f->code->code;
    return instr < 0 ? _PyCode_LineOf(f->code, instr) : _PyCode_LineAt(f->code, instr);
}

int
PyFrame_GetLineNumber(PyFrameObject *op)
{
    return op->f_lineno != 0 ? op->f_lineno : _PyFrame_LineOf(op->vm);
}

int
PyFrame_GetLasti(PyFrameObject *op)
{
    return lasti_of(op->vm);
}

PyCodeObject *
PyFrame_GetCode(PyFrameObject *op)
{
    return (PyCodeObject *)Py_NewRef((PyObject *)op->vm->code);
}

PyObject *
PyFrame_GetGlobals(PyFrameObject *op)
{
    return Py_XNewRef(frame_func(op->vm)->func_globals);
}

PyObject *
PyFrame_GetBuiltins(PyFrameObject *op)
{
    return Py_XNewRef(frame_func(op->vm)->func_builtins);
}

PyObject *
PyEval_GetBuiltins(void)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyVMFrame *f = first_staying(TS_FRAME(ts));
    return f != NULL ? frame_func(f)->func_builtins : ts->interp->builtins;
}

PyObject *
_PyEval_GetBuiltin(PyObject *name)
{
    PyObject *value = PyObject_GetItem(PyEval_GetBuiltins(), name);
    if (value == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_SetObject(PyExc_AttributeError, name);
    }
    return value;
}

PyObject *
PyEval_GetGlobals(void)
{
    PyVMFrame *f = first_staying(TS_FRAME(_PyThreadState_GET()));
    return f != NULL ? frame_func(f)->func_globals : NULL;
}

PyObject *
_PyEval_BuiltinsFromGlobals(PyThreadState *ts, PyObject *globals)
{
    PyObject *builtins =
        PyDict_GetItemWithError(globals, _Py_NAME(dunder_builtins));
    if (builtins != NULL) {
        return PyModule_Check(builtins) ? PyModule_GetDict(builtins) : builtins;
    }
    return _PyErr_Occurred(ts) ? NULL : PyEval_GetBuiltins();
}

/* Frame objects (layout and invariants: internal/frame_object.h). */
#include "Python.h"
#include "structmember.h"
#include "../Python/vm/vm.h"
#include "internal/frame_object.h"
#include "internal/gc.h"
#include "generator.h"
#include "internal/traceback.h"
#include "frameobject.h"

/* -------------------------------------------------------- life of an object */

static PyFrameObject *
new_frame_object(PyVMCode *code)
{
    PyFrameObject *op = PyObject_GC_NewVar(PyFrameObject, &PyFrame_Type,
                                           FRAME_WORDS + code->first_temp);
    if (op == NULL) {
        return NULL;
    }
    op->f_back = NULL;
    op->vm = NULL;
    op->f_trace = NULL;
    op->f_lineno = 0;
    op->f_trace_lines = 1;
    op->f_trace_opcodes = 0;
    op->f_fast_as_locals = 0;
    op->tracked = 0;
    op->own[0] = 0;             /* no handler yet */
    return op;
}

PyFrameObject *
_PyFrame_GetFrameObject(PyVMFrame *f)
{
    if (f->frame_obj == NULL) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyFrameObject *op = new_frame_object(f->code);
        if (op == NULL) {
            Py_XDECREF(type);
            Py_XDECREF(value);
            Py_XDECREF(traceback);
            return NULL;
        }
        PyErr_Restore(type, value, traceback);
        if (f->frame_obj != NULL) {
            /* Code that ran during the allocation has asked for it, too. */
            op->vm = NULL;
            Py_DECREF(op);
            return f->frame_obj;
        }
        op->vm = f;
        f->frame_obj = op;
    }
    return f->frame_obj;
}

void
_PyFrame_Moved(PyFrameObject *op, PyVMFrame *f)
{
    op->vm = f;
}

PyVMFrame *
_PyFrame_Get(PyFrameObject *op)
{
    return op->vm;
}

void
_PyFrame_Detach(PyFrameObject *op)
{
    op->vm = NULL;
}

void
_PyFrame_TakeOver(PyThreadState *ts, PyFrameObject *op, PyVMFrame *f)
{
    PyVMCode *code = f->code;
    PyVMFrame *own = (PyVMFrame *)op->own;
    _PyVM_ReleaseRegs(f, code->first_temp, code->nregs);
    /* Once a generator has ended, the frame that resumed it last is not its caller; and a
       reference to a frame that handles its exception would keep that frame alive. */
    PyVMFrame *previous = first_staying(f->previous);
    if (previous != NULL && f->owner != FRAME_GENERATOR) {
        /* If the frame ends by an exception, that must not be lost. */
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyFrameObject *back = _PyFrame_GetFrameObject(previous);
        PyErr_Restore(type, value, traceback);
        Py_XSETREF(op->f_back, (PyFrameObject *)Py_XNewRef((PyObject *)back));
    }
    size_t size = sizeof(PyVMFrame) + code->first_temp * sizeof(PyReg);
    _PyVM_RetireFrame(ts, f);
    memcpy(own, f, size);
    memset(f, 0, size);
    own->owner = FRAME_OBJECT;
    own->frame_obj = NULL;
    own->previous = NULL;
    own->flags &= (uint16_t)~FRAME_LEAVING;
    op->vm = own;
    if (!op->tracked) {
        op->tracked = 1;
        _PyObject_GC_TRACK((PyObject *)op);
    }
}

static void
clear_own(PyFrameObject *op)
{
    PyVMFrame *own = op->vm;
    own->flags |= FRAME_CLEARED;
    _PyVM_ReleaseRegs(own, 0, own->code->first_temp);
    Py_CLEAR(own->locals);
}

static int
frame_tp_clear(PyObject *self)
{
    PyFrameObject *op = (PyFrameObject *)self;
    Py_CLEAR(op->f_trace);
    if (op->vm != NULL && op->vm->owner == FRAME_OBJECT) {
        clear_own(op);
    }
    return 0;
}

static void
frame_dealloc(PyObject *self)
{
    PyFrameObject *op = (PyFrameObject *)self;
    if (op->tracked) {
        op->tracked = 0;
        _PyObject_GC_UNTRACK(self);
    }
    Py_TRASHCAN_BEGIN(op, frame_dealloc)
    PyObject *func = NULL;
    if (op->vm != NULL && op->vm->owner == FRAME_OBJECT) {
        func = op->vm->func;
        if (func != NULL) {
            clear_own(op);
        }
    }
    Py_CLEAR(op->f_back);
    Py_CLEAR(op->f_trace);
    PyObject_GC_Del(op);
    Py_XDECREF(func);
    Py_TRASHCAN_END
}

int
_PyFrame_TraverseVM(PyVMFrame *f, visitproc visit, void *arg)
{
    if (f->func == NULL) {
        return 0;
    }
    Py_VISIT(f->func);
    Py_VISIT(f->locals);
    Py_VISIT(f->frame_obj);
    unsigned n = f->owner == FRAME_OBJECT ? f->code->first_temp : f->code->nregs;
    for (unsigned i = 0; i < n; i++) {
        if (REG_IS_PTR(f->regs[i])) {
            Py_VISIT(REG_PTR(f->regs[i]));
        }
    }
    return 0;
}

static int
frame_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyFrameObject *op = (PyFrameObject *)self;
    Py_VISIT(op->f_trace);
    Py_VISIT(op->f_back);
    if (op->vm != NULL && op->vm->owner == FRAME_OBJECT) {
        return _PyFrame_TraverseVM(op->vm, visit, arg);
    }
    return 0;
}

PyFrameObject *
PyFrame_New(PyThreadState *ts, PyCodeObject *code, PyObject *globals,
            PyObject *locals)
{
    PyObject *builtins = _PyEval_BuiltinsFromGlobals(ts, globals);
    if (builtins == NULL) {
        return NULL;
    }
    PyFrameConstructor con = {
        .fc_globals = globals,
        .fc_builtins = builtins,
        .fc_name = code->co_name,
        .fc_qualname = code->co_qualname,
        .fc_code = (PyObject *)code,
    };
    PyFunctionObject *func = _PyFunction_FromConstructor(&con);
    if (func == NULL) {
        return NULL;
    }
    PyVMCode *vmcode = _PyVMCode_CAST(code);
    PyFrameObject *op = _PyCode_Unpack(vmcode) < 0 ? NULL : new_frame_object(vmcode);
    if (op == NULL) {
        Py_DECREF(func);
        return NULL;
    }
    PyVMFrame *own = (PyVMFrame *)op->own;
    memset(own->regs, 0, vmcode->first_temp * sizeof(PyReg));
    own->func = (PyObject *)func;
    /* Not frame_init(): it looks at the temporaries, for which a frame object has no room. */
    fill_header(own, vmcode, NULL, 0, RET_ENTRY);
    own->owner = FRAME_OBJECT;
    own->locals = Py_XNewRef(locals);
    op->vm = own;
    op->tracked = 1;
    _PyObject_GC_TRACK((PyObject *)op);
    return op;
}

/* ------------------------------------------------------------ where it runs */

PyFrameObject *
PyFrame_GetBack(PyFrameObject *op)
{
    PyFrameObject *back = op->f_back;
    PyVMFrame *previous = first_staying(op->vm->previous);
    if (back == NULL && previous != NULL) {
        back = _PyFrame_GetFrameObject(previous);
    }
    return (PyFrameObject *)Py_XNewRef((PyObject *)back);
}

PyObject *
PyFrame_GetGenerator(PyFrameObject *op)
{
    if (op->vm->owner != FRAME_GENERATOR) {
        return NULL;
    }
    return Py_NewRef((PyObject *)GEN_OF_FRAME(op->vm));
}

int
_PyFrame_IsEntryFrame(PyFrameObject *op)
{
    return op->vm->ret == RET_ENTRY;
}

/* ------------------------------------------------------------------- locals */

/* The cell of variable i, or NULL if it has not been made yet. Returns a borrowed
   reference. */
static PyObject *
variable_cell(PyVMFrame *f, Py_ssize_t i, unsigned char kind)
{
    PyCodeObject *code = &f->code->ob;
    Py_ssize_t first_free = code->co_nlocalsplus - code->co_nfreevars;
    if (i >= first_free) {
        if (f->flags & FRAME_CLEARED) {
            return NULL;
        }
        PyObject *closure = frame_func(f)->func_closure;
        return closure != NULL ? PyTuple_GET_ITEM(closure, i - first_free) : NULL;
    }
    if (!(kind & CO_FAST_CELL)) {
        return NULL;
    }
    PyReg reg = f->regs[i];
    return REG_IS_PTR(reg) && PyCell_Check(REG_PTR(reg)) ? REG_PTR(reg) : NULL;
}

#define KIND(code, i) \
    ((unsigned char)PyBytes_AS_STRING((code)->co_localspluskinds)[i])

/* The value of variable i: *value is a new reference, NULL if unbound. -1: no memory. */
static int
variable_value(PyVMFrame *f, Py_ssize_t i, PyObject **value)
{
    unsigned char kind = KIND(&f->code->ob, i);
    PyObject *cell = variable_cell(f, i, kind);
    *value = NULL;
    if (cell != NULL) {
        *value = Py_XNewRef(PyCell_GET(cell));
        return 0;
    }
    if (kind & CO_FAST_FREE || f->regs[i] == 0) {
        return 0;
    }
    if (REG_IS_INT(f->regs[i]) && _PyJit_HasMachineCode(f->code)) {
        *value = _PyLong_FromInt64(REG_INT(f->regs[i]));
    }
    else {
        *value = Py_XNewRef(reg_object(&f->regs[i]));
    }
    return *value == NULL ? -1 : 0;
}

PyObject *
_PyFrame_Locals(PyVMFrame *f)
{
    PyCodeObject *code = &f->code->ob;
    if (f->locals == NULL) {
        if ((f->locals = PyDict_New()) == NULL) {
            return NULL;
        }
        f->flags |= FRAME_MAPPED;
    }
    PyObject *locals = f->locals;
    for (Py_ssize_t i = 0; i < code->co_nlocalsplus; i++) {
        /* A class body's free variables are not among its locals. */
        if ((KIND(code, i) & CO_FAST_FREE) && !(code->co_flags & CO_OPTIMIZED)) {
            continue;
        }
        PyObject *name = PyTuple_GET_ITEM(code->co_localsplusnames, i);
        PyObject *value;
        if (variable_value(f, i, &value) < 0) {
            return NULL;
        }
        if (value != NULL) {
            int failed = PyObject_SetItem(locals, name, value) < 0;
            Py_DECREF(value);
            if (failed) {
                return NULL;
            }
        }
        else if (PyObject_DelItem(locals, name) < 0) {
            if (!PyErr_ExceptionMatches(PyExc_KeyError)) {
                return NULL;
            }
            PyErr_Clear();
        }
    }
    return locals;
}

int
PyFrame_FastToLocalsWithError(PyFrameObject *op)
{
    if (op == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (_PyFrame_Locals(op->vm) == NULL) {
        return -1;
    }
    op->f_fast_as_locals = 1;
    return 0;
}

void
PyFrame_FastToLocals(PyFrameObject *op)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (PyFrame_FastToLocalsWithError(op) < 0) {
        PyErr_Clear();
    }
    PyErr_Restore(type, value, traceback);
}

PyObject *
PyFrame_GetLocals(PyFrameObject *op)
{
    return PyFrame_FastToLocalsWithError(op) < 0 ? NULL
                                                 : Py_NewRef(op->vm->locals);
}

void
PyFrame_LocalsToFast(PyFrameObject *op, int clear)
{
    PyVMFrame *f = op->vm;
    if (f == NULL || f->locals == NULL || !op->f_fast_as_locals) {
        return;
    }
    PyCodeObject *code = &f->code->ob;
    PyObject *type, *exc, *traceback;
    PyErr_Fetch(&type, &exc, &traceback);
    for (Py_ssize_t i = 0; i < code->co_nlocalsplus; i++) {
        unsigned char kind = KIND(code, i);
        if ((kind & CO_FAST_FREE) && !(code->co_flags & CO_OPTIMIZED)) {
            continue;
        }
        PyObject *name = PyTuple_GET_ITEM(code->co_localsplusnames, i);
        PyObject *value = PyObject_GetItem(f->locals, name);
        if (value == NULL) {
            PyErr_Clear();
            if (!clear) {
                continue;
            }
        }
        PyObject *cell = variable_cell(f, i, kind);
        if (cell != NULL) {
            Py_XSETREF(((PyCellObject *)cell)->ob_ref, Py_XNewRef(value));
        }
        else if (!(kind & CO_FAST_FREE) && f->regs[i] != (PyReg)value) {
            if (value == NULL && f->owner != FRAME_OBJECT) {
                _PyVM_DistrustVariables(_PyThreadState_GET(), f);
            }
            reg_set(&f->regs[i], (PyReg)Py_XNewRef(value));
        }
        Py_XDECREF(value);
    }
    op->f_fast_as_locals = 0;
    PyErr_Restore(type, exc, traceback);
}

/* --------------------------------------------------------------- attributes */

static PyObject *
get_f_locals(PyObject *self, void *Py_UNUSED(closure))
{
    if (PySys_Audit("object.__getattr__", "Os", self, "f_locals") < 0) {
        return NULL;
    }
    return PyFrame_GetLocals((PyFrameObject *)self);
}

static PyObject *
get_f_lineno(PyObject *self, void *Py_UNUSED(closure))
{
    int line = PyFrame_GetLineNumber((PyFrameObject *)self);
    return line < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(line);
}

static int
set_f_lineno(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "cannot delete attribute");
        return -1;
    }
    if (!PyLong_CheckExact(value)) {
        PyErr_SetString(PyExc_ValueError, "lineno must be an integer");
        return -1;
    }
    int overflow;
    long line = PyLong_AsLongAndOverflow(value, &overflow);
    if (overflow || line > INT_MAX || line < INT_MIN) {
        PyErr_SetString(PyExc_ValueError, "lineno out of range");
        return -1;
    }
    return _PyFrame_Jump((PyFrameObject *)self, (int)line);
}

static PyObject *
get_f_lasti(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(PyFrame_GetLasti((PyFrameObject *)self));
}

static PyObject *
get_f_back(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *back = (PyObject *)PyFrame_GetBack((PyFrameObject *)self);
    return back != NULL ? back : Py_NewRef(Py_None);
}

static PyObject *
get_f_globals(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *globals = PyFrame_GetGlobals((PyFrameObject *)self);
    return globals != NULL ? globals : Py_NewRef(Py_None);
}

static PyObject *
get_f_builtins(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *builtins = PyFrame_GetBuiltins((PyFrameObject *)self);
    return builtins != NULL ? builtins : Py_NewRef(Py_None);
}

static PyObject *
get_f_code(PyObject *self, void *Py_UNUSED(closure))
{
    if (PySys_Audit("object.__getattr__", "Os", self, "f_code") < 0) {
        return NULL;
    }
    return (PyObject *)PyFrame_GetCode((PyFrameObject *)self);
}

static PyObject *
get_f_trace(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *trace = ((PyFrameObject *)self)->f_trace;
    return Py_NewRef(trace != NULL ? trace : Py_None);
}

static int
set_f_trace(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == Py_None) {
        value = NULL;
    }
    Py_XSETREF(((PyFrameObject *)self)->f_trace, Py_XNewRef(value));
    return 0;
}

static PyObject *
get_f_trace_opcodes(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((PyFrameObject *)self)->f_trace_opcodes);
}

static int
set_f_trace_opcodes(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL || !PyBool_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "attribute value type must be bool");
        return -1;
    }
    ((PyFrameObject *)self)->f_trace_opcodes = value == Py_True;
    return 0;
}

static PyGetSetDef frame_getset[] = {
    {"f_back", get_f_back, NULL, NULL, NULL},
    {"f_locals", get_f_locals, NULL, NULL, NULL},
    {"f_lineno", get_f_lineno, set_f_lineno, NULL, NULL},
    {"f_trace", get_f_trace, set_f_trace, NULL, NULL},
    {"f_lasti", get_f_lasti, NULL, NULL, NULL},
    {"f_globals", get_f_globals, NULL, NULL, NULL},
    {"f_builtins", get_f_builtins, NULL, NULL, NULL},
    {"f_code", get_f_code, NULL, NULL, NULL},
    {"f_trace_opcodes", get_f_trace_opcodes, set_f_trace_opcodes, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef frame_members[] = {
    {"f_trace_lines", T_BOOL, offsetof(PyFrameObject, f_trace_lines), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyObject *
frame_clear(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyFrameObject *op = (PyFrameObject *)self;
    PyVMFrame *f = op->vm;
    if (f->owner == FRAME_GENERATOR) {
        PyGenObject *gen = GEN_OF_FRAME(f);
        if (gen->gi_frame_state == GEN_EXECUTING) {
            goto running;
        }
        _PyGen_Finalize((PyObject *)gen);
    }
    else if (f->owner == FRAME_THREAD) {
        goto running;
    }
    else {
        frame_tp_clear(self);
    }
    Py_RETURN_NONE;
running:
    PyErr_SetString(PyExc_RuntimeError, "cannot clear an executing frame");
    return NULL;
}

static PyObject *
frame_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyFrameObject *op = (PyFrameObject *)self;
    return PyLong_FromSize_t(
        offsetof(PyFrameObject, own)
        + (FRAME_WORDS + op->vm->code->first_temp) * sizeof(PyReg));
}

static PyObject *
frame_repr(PyObject *self)
{
    PyFrameObject *op = (PyFrameObject *)self;
    PyCodeObject *code = &op->vm->code->ob;
    return PyUnicode_FromFormat("<frame at %p, file %R, line %d, code %S>", op,
                                code->co_filename, PyFrame_GetLineNumber(op),
                                code->co_name);
}

static PyMethodDef frame_methods[] = {
    {"clear", frame_clear, METH_NOARGS,
     "F.clear(): clear most references held by the frame"},
    {"__sizeof__", frame_sizeof, METH_NOARGS,
     "F.__sizeof__() -> size of F in memory, in bytes"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyFrame_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "frame",
    .tp_basicsize = offsetof(PyFrameObject, own),
    .tp_itemsize = sizeof(PyReg),
    .tp_dealloc = frame_dealloc,
    .tp_repr = frame_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = frame_traverse,
    .tp_clear = frame_tp_clear,
    .tp_methods = frame_methods,
    .tp_members = frame_members,
    .tp_getset = frame_getset,
};

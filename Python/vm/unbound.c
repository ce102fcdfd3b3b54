/* The errors for variables and names without a value. */
#include "vm.h"

void
_PyVM_UnboundLocal(PyThreadState *ts, PyVMFrame *f, int index)
{
    _PyErr_Format(ts, PyExc_UnboundLocalError,
                  "cannot access local variable '%U' where it is not "
                  "associated with a value", code_localsplus_name(f, index));
}

/* index: in the order of co_localsplusnames. */
void
_PyVM_UnboundDeref(PyThreadState *ts, PyVMFrame *f, int index)
{
    PyObject *name = code_localsplus_name(f, index);
    PyCodeObject *code = &f->code->ob;
    if (index < code->co_nlocalsplus - code->co_nfreevars) {
        _PyErr_Format(ts, PyExc_UnboundLocalError,
                      "cannot access local variable '%U' where it is not "
                      "associated with a value", name);
        return;
    }
    _PyErr_Format(ts, PyExc_NameError,
                  "cannot access free variable '%U' where it is not "
                  "associated with a value in enclosing scope", name);
    _PyErr_SetNameErrorName(ts, name);
}

void
_PyVM_NameError(PyThreadState *ts, PyObject *name)
{
    _PyErr_Format(ts, PyExc_NameError, "name '%.200U' is not defined", name);
    _PyErr_SetNameErrorName(ts, name);
}

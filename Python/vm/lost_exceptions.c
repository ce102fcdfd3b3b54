/* Exceptions that are lost, and those that are left over. */
#include "vm.h"

void
_PyVM_ComplainOfLostException(PyThreadState *ts, PyVMFrame *f)
{
    if (f == NULL) {
        _PyErr_SetString(ts, PyExc_SystemError, "error return without exception set");
    }
    else {
        _PyErr_Format(ts, PyExc_SystemError, "error return without exception set: %s in %U()",
                      _PyOpcode_Info[f->ip->op].name, f->code->ob.co_qualname);
    }
#ifdef SB_DEBUG
    _PyErr_Print(ts);
    Py_FatalError("an exception is lost");
#endif
}

#ifdef SB_DEBUG
void
_PyVM_AssertNoException(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    if (ts->curexc_type != NULL) {
        fprintf(stderr, "%s(), before %s at word %zd:\n",
                PyUnicode_AsUTF8(f->code->ob.co_qualname), _PyOpcode_Info[ip->op].name,
                (Py_ssize_t)(ip - f->code->code));
        _PyErr_Print(ts);
        Py_FatalError("an instruction has given a result with an exception set");
    }
}
#endif

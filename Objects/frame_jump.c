/* Setting f_lineno: a tracer moves a stopped frame to another line. */
#include "Python.h"
#include "../Python/vm/vm.h"
#include "internal/frame_object.h"

int
_PyFrame_Jump(PyFrameObject *op, int line)
{
    PyThreadState *ts = _PyThreadState_GET();
    if (!ts->tracing || op->f_lineno == 0) {
        PyErr_Format(PyExc_ValueError,
                     "f_lineno can only be set in a trace function");
        return -1;
    }
    PyErr_Format(PyExc_NotImplementedError, "jump to line %d", line);
    return -1;
}

/* Tracebacks. */
#ifndef Py_TRACEBACK_H
#define Py_TRACEBACK_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyTraceBack_Type;

#define PyTraceBack_Check(v) Py_IS_TYPE((v), &PyTraceBack_Type)

/* Adds the frame to the traceback of the current exception. */
PyAPI_FUNC(int) PyTraceBack_Here(PyFrameObject *frame);
PyAPI_FUNC(int) PyTraceBack_Print(PyObject *tb, PyObject *file);

#ifndef Py_LIMITED_API
#  include "cpython/traceback.h"
#endif

_Py_END_DECLS
#endif

/* Frames: the functions of the limited API. */
#ifndef Py_PYFRAME_H
#define Py_PYFRAME_H

_Py_BEGIN_DECLS

PyAPI_FUNC(PyCodeObject *) PyFrame_GetCode(PyFrameObject *frame);
PyAPI_FUNC(int) PyFrame_GetLineNumber(PyFrameObject *frame);

#ifndef Py_LIMITED_API
#  include "cpython/pyframe.h"
#endif

_Py_END_DECLS
#endif

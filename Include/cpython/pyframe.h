/* Frames: the functions of the full API. */
#ifndef Py_CPYTHON_PYFRAME_H
#define Py_CPYTHON_PYFRAME_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyFrame_Type;

#define PyFrame_Check(op) Py_IS_TYPE((op), &PyFrame_Type)

/* NULL without an exception if there is none. */
PyAPI_FUNC(PyFrameObject *) PyFrame_GetBack(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyFrame_GetGenerator(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyFrame_GetLocals(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyFrame_GetGlobals(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyFrame_GetBuiltins(PyFrameObject *frame);
/* The offset of the instruction, or -1 before the first. */
PyAPI_FUNC(int) PyFrame_GetLasti(PyFrameObject *frame);

_Py_END_DECLS
#endif

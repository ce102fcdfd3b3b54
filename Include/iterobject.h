/* The iterators of iter(sequence) and iter(callable, sentinel). */
#ifndef Py_ITEROBJECT_H
#define Py_ITEROBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PySeqIter_Type;
PyAPI_DATA(PyTypeObject) PyCallIter_Type;

#define PySeqIter_Check(op)  Py_IS_TYPE((op), &PySeqIter_Type)
#define PyCallIter_Check(op) Py_IS_TYPE((op), &PyCallIter_Type)

PyAPI_FUNC(PyObject *) PySeqIter_New(PyObject *seq);
PyAPI_FUNC(PyObject *) PyCallIter_New(PyObject *callable, PyObject *sentinel);

_Py_END_DECLS
#endif

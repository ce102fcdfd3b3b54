/* True and False: two ints. */
#ifndef Py_BOOLOBJECT_H
#define Py_BOOLOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyBool_Type;
PyAPI_DATA(PyLongObject) _Py_FalseStruct;
PyAPI_DATA(PyLongObject) _Py_TrueStruct;

#define Py_False _PyObject_CAST(&_Py_FalseStruct)
#define Py_True  _PyObject_CAST(&_Py_TrueStruct)

#define PyBool_Check(x) Py_IS_TYPE((x), &PyBool_Type)

PyAPI_FUNC(PyObject *) PyBool_FromLong(long v);

#define Py_RETURN_TRUE  return Py_NewRef(Py_True)
#define Py_RETURN_FALSE return Py_NewRef(Py_False)

/* These compare identity. For truth, use PyObject_IsTrue. */
PyAPI_FUNC(int) Py_IsTrue(PyObject *x);
PyAPI_FUNC(int) Py_IsFalse(PyObject *x);
#define Py_IsTrue(x)  Py_Is((x), Py_True)
#define Py_IsFalse(x) Py_Is((x), Py_False)

_Py_END_DECLS
#endif

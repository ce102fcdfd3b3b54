/* pickle.PickleBuffer. */
#if !defined(Py_PICKLEBUFOBJECT_H) && !defined(Py_LIMITED_API)
#define Py_PICKLEBUFOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyPickleBuffer_Type;

#define PyPickleBuffer_Check(op) Py_IS_TYPE((op), &PyPickleBuffer_Type)

PyAPI_FUNC(PyObject *) PyPickleBuffer_FromObject(PyObject *obj);
/* The object's own buffer, or NULL with an exception if it was released. */
PyAPI_FUNC(const Py_buffer *) PyPickleBuffer_GetBuffer(PyObject *obj);
PyAPI_FUNC(int) PyPickleBuffer_Release(PyObject *obj);

_Py_END_DECLS
#endif

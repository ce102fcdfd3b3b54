/* slice and Ellipsis. */
#ifndef Py_SLICEOBJECT_H
#define Py_SLICEOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyObject) _Py_EllipsisObject;
PyAPI_DATA(PyTypeObject) PySlice_Type;
PyAPI_DATA(PyTypeObject) PyEllipsis_Type;

#define Py_Ellipsis (&_Py_EllipsisObject)

#ifndef Py_LIMITED_API
typedef struct {
    PyObject_HEAD
    PyObject *start;        /* never NULL */
    PyObject *stop;
    PyObject *step;
} PySliceObject;

PyAPI_FUNC(PyObject *) _PySlice_FromIndices(Py_ssize_t start, Py_ssize_t stop);
PyAPI_FUNC(int) _PySlice_GetLongIndices(PySliceObject *self, PyObject *length,
    PyObject **start, PyObject **stop, PyObject **step);
#endif

#define PySlice_Check(op) Py_IS_TYPE((op), &PySlice_Type)

/* NULL stands for None. */
PyAPI_FUNC(PyObject *) PySlice_New(PyObject *start, PyObject *stop, PyObject *step);

/* Unpack converts the three to C numbers and returns 0, or -1. Adjust clips them to a
   sequence's length and returns the number of items in the slice; it can't fail. */
#if _Py_API_SINCE(7)
PyAPI_FUNC(int) PySlice_Unpack(PyObject *slice, Py_ssize_t *start, Py_ssize_t *stop,
    Py_ssize_t *step);
PyAPI_FUNC(Py_ssize_t) PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t *start,
    Py_ssize_t *stop, Py_ssize_t step);
#endif
/* Without clipping. Returns -1 without an exception for an index out of range. */
PyAPI_FUNC(int) PySlice_GetIndices(PyObject *slice, Py_ssize_t length, Py_ssize_t *start,
    Py_ssize_t *stop, Py_ssize_t *step);
Py_DEPRECATED(3.7) PyAPI_FUNC(int) PySlice_GetIndicesEx(PyObject *slice,
    Py_ssize_t length, Py_ssize_t *start, Py_ssize_t *stop, Py_ssize_t *step,
    Py_ssize_t *slicelength);
#if _Py_API_SINCE(7)
#  define PySlice_GetIndicesEx(slice, length, start, stop, step, slicelen) \
    (PySlice_Unpack((slice), (start), (stop), (step)) < 0 \
     ? (*(slicelen) = 0, -1) \
     : (*(slicelen) = PySlice_AdjustIndices((length), (start), (stop), *(step)), 0))
#endif

_Py_END_DECLS
#endif

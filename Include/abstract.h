/* Operations on objects of any type: calls, numbers, sequences, mappings, iterators. An
   object that does not support an operation raises TypeError. */
#ifndef Py_ABSTRACTOBJECT_H
#define Py_ABSTRACTOBJECT_H

_Py_BEGIN_DECLS

/* -------------------------------------------------------------------- calls */

/* args is a tuple (for CallObject it may be NULL), kwargs a dict or NULL. */
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyObject *) PyObject_CallNoArgs(PyObject *callable);
#endif
PyAPI_FUNC(PyObject *) PyObject_Call(PyObject *callable, PyObject *args,
    PyObject *kwargs);
PyAPI_FUNC(PyObject *) PyObject_CallObject(PyObject *callable, PyObject *args);

/* The arguments have Py_BuildValue's format. A format that makes a tuple gives several
   arguments. With PY_SSIZE_T_CLEAN, which every extension should define, # takes
   Py_ssize_t. */
PyAPI_FUNC(PyObject *) PyObject_CallFunction(PyObject *callable, const char *format, ...);
PyAPI_FUNC(PyObject *) PyObject_CallMethod(PyObject *obj, const char *name,
    const char *format, ...);
PyAPI_FUNC(PyObject *) _PyObject_CallFunction_SizeT(PyObject *callable,
    const char *format, ...);
PyAPI_FUNC(PyObject *) _PyObject_CallMethod_SizeT(PyObject *obj, const char *name,
    const char *format, ...);
#ifdef PY_SSIZE_T_CLEAN
#  define PyObject_CallFunction _PyObject_CallFunction_SizeT
#  define PyObject_CallMethod   _PyObject_CallMethod_SizeT
#endif
/* The arguments are PyObject *, with NULL after the last. */
PyAPI_FUNC(PyObject *) PyObject_CallFunctionObjArgs(PyObject *callable, ...);
PyAPI_FUNC(PyObject *) PyObject_CallMethodObjArgs(PyObject *obj, PyObject *name, ...);

/* ------------------------------------------------------------------ objects */

PyAPI_FUNC(PyObject *) PyObject_Type(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PyObject_Size(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PyObject_Length(PyObject *o);
#define PyObject_Length PyObject_Size
PyAPI_FUNC(PyObject *) PyObject_GetItem(PyObject *o, PyObject *key);
PyAPI_FUNC(int) PyObject_SetItem(PyObject *o, PyObject *key, PyObject *v);
PyAPI_FUNC(int) PyObject_DelItem(PyObject *o, PyObject *key);
PyAPI_FUNC(int) PyObject_DelItemString(PyObject *o, const char *key);
PyAPI_FUNC(PyObject *) PyObject_Format(PyObject *obj, PyObject *format_spec);
PyAPI_FUNC(int) PyObject_IsInstance(PyObject *inst, PyObject *cls);
PyAPI_FUNC(int) PyObject_IsSubclass(PyObject *derived, PyObject *cls);

/* Deletion sets the value to NULL. */
#define PyObject_DelAttr(O, A)       PyObject_SetAttr((O), (A), NULL)
#define PyObject_DelAttrString(O, A) PyObject_SetAttrString((O), (A), NULL)

/* Python 2's buffers, which can't be released: use PyObject_GetBuffer. */
Py_DEPRECATED(3.0) PyAPI_FUNC(int) PyObject_AsCharBuffer(PyObject *obj,
    const char **buffer, Py_ssize_t *buffer_len);
Py_DEPRECATED(3.0) PyAPI_FUNC(int) PyObject_AsReadBuffer(PyObject *obj,
    const void **buffer, Py_ssize_t *buffer_len);
Py_DEPRECATED(3.0) PyAPI_FUNC(int) PyObject_AsWriteBuffer(PyObject *obj, void **buffer,
    Py_ssize_t *buffer_len);
Py_DEPRECATED(3.0) PyAPI_FUNC(int) PyObject_CheckReadBuffer(PyObject *o);

/* ---------------------------------------------------------------- iterators */

PyAPI_FUNC(PyObject *) PyObject_GetIter(PyObject *o);
PyAPI_FUNC(PyObject *) PyObject_GetAIter(PyObject *o);
PyAPI_FUNC(int) PyIter_Check(PyObject *o);
PyAPI_FUNC(int) PyAIter_Check(PyObject *o);
/* Returns NULL without an exception at the end. */
PyAPI_FUNC(PyObject *) PyIter_Next(PyObject *o);
/* Also works for iterators that aren't generators. *presult gets a new reference, unless
   the result is PYGEN_ERROR. */
#if _Py_API_SINCE(10)
PyAPI_FUNC(PySendResult) PyIter_Send(PyObject *iter, PyObject *arg, PyObject **presult);
#endif

/* ------------------------------------------------------------------ numbers */

PyAPI_FUNC(int) PyNumber_Check(PyObject *o);
PyAPI_FUNC(int) PyIndex_Check(PyObject *o);
PyAPI_FUNC(PyObject *) PyNumber_Add(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Subtract(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Multiply(PyObject *o1, PyObject *o2);
#if _Py_API_SINCE(5)
PyAPI_FUNC(PyObject *) PyNumber_MatrixMultiply(PyObject *o1, PyObject *o2);
#endif
PyAPI_FUNC(PyObject *) PyNumber_FloorDivide(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_TrueDivide(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Remainder(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Divmod(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Power(PyObject *o1, PyObject *o2, PyObject *o3);
PyAPI_FUNC(PyObject *) PyNumber_Lshift(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Rshift(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_And(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Xor(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Or(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_Negative(PyObject *o);
PyAPI_FUNC(PyObject *) PyNumber_Positive(PyObject *o);
PyAPI_FUNC(PyObject *) PyNumber_Absolute(PyObject *o);
PyAPI_FUNC(PyObject *) PyNumber_Invert(PyObject *o);

/* The result may be o1 itself, modified. */
PyAPI_FUNC(PyObject *) PyNumber_InPlaceAdd(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceSubtract(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceMultiply(PyObject *o1, PyObject *o2);
#if _Py_API_SINCE(5)
PyAPI_FUNC(PyObject *) PyNumber_InPlaceMatrixMultiply(PyObject *o1, PyObject *o2);
#endif
PyAPI_FUNC(PyObject *) PyNumber_InPlaceFloorDivide(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceTrueDivide(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceRemainder(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlacePower(PyObject *o1, PyObject *o2, PyObject *o3);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceLshift(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceRshift(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceAnd(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceXor(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceOr(PyObject *o1, PyObject *o2);

PyAPI_FUNC(PyObject *) PyNumber_Long(PyObject *o);
PyAPI_FUNC(PyObject *) PyNumber_Float(PyObject *o);
PyAPI_FUNC(PyObject *) PyNumber_Index(PyObject *o);
PyAPI_FUNC(PyObject *) PyNumber_ToBase(PyObject *n, int base);
/* exc is the exception for an int that is too large. If it is NULL, the int is clipped. */
PyAPI_FUNC(Py_ssize_t) PyNumber_AsSsize_t(PyObject *o, PyObject *exc);

/* ---------------------------------------------------------------- sequences */

PyAPI_FUNC(int) PySequence_Check(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PySequence_Size(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PySequence_Length(PyObject *o);
#define PySequence_Length PySequence_Size
PyAPI_FUNC(PyObject *) PySequence_Concat(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PySequence_Repeat(PyObject *o, Py_ssize_t count);
PyAPI_FUNC(PyObject *) PySequence_InPlaceConcat(PyObject *o1, PyObject *o2);
PyAPI_FUNC(PyObject *) PySequence_InPlaceRepeat(PyObject *o, Py_ssize_t count);
PyAPI_FUNC(PyObject *) PySequence_GetItem(PyObject *o, Py_ssize_t i);
PyAPI_FUNC(PyObject *) PySequence_GetSlice(PyObject *o, Py_ssize_t i1, Py_ssize_t i2);
PyAPI_FUNC(int) PySequence_SetItem(PyObject *o, Py_ssize_t i, PyObject *v);
PyAPI_FUNC(int) PySequence_DelItem(PyObject *o, Py_ssize_t i);
PyAPI_FUNC(int) PySequence_SetSlice(PyObject *o, Py_ssize_t i1, Py_ssize_t i2,
    PyObject *v);
PyAPI_FUNC(int) PySequence_DelSlice(PyObject *o, Py_ssize_t i1, Py_ssize_t i2);
PyAPI_FUNC(Py_ssize_t) PySequence_Count(PyObject *o, PyObject *value);
PyAPI_FUNC(Py_ssize_t) PySequence_Index(PyObject *o, PyObject *value);
PyAPI_FUNC(int) PySequence_Contains(PyObject *o, PyObject *value);
PyAPI_FUNC(int) PySequence_In(PyObject *o, PyObject *value);
#define PySequence_In PySequence_Contains
PyAPI_FUNC(PyObject *) PySequence_List(PyObject *o);
PyAPI_FUNC(PyObject *) PySequence_Tuple(PyObject *o);

/* Returns a list or tuple as it is. Any other iterable becomes a list; other objects
   raise TypeError with the message m. The macros return borrowed references. */
PyAPI_FUNC(PyObject *) PySequence_Fast(PyObject *o, const char *m);
#define PySequence_Fast_GET_SIZE(o) \
    (PyList_Check(o) ? PyList_GET_SIZE(o) : PyTuple_GET_SIZE(o))
#define PySequence_Fast_GET_ITEM(o, i) \
    (PyList_Check(o) ? PyList_GET_ITEM((o), (i)) : PyTuple_GET_ITEM((o), (i)))
#define PySequence_Fast_ITEMS(sf) \
    (PyList_Check(sf) ? ((PyListObject *)(sf))->ob_item : ((PyTupleObject *)(sf))->ob_item)

/* ----------------------------------------------------------------- mappings */

PyAPI_FUNC(int) PyMapping_Check(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PyMapping_Size(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PyMapping_Length(PyObject *o);
#define PyMapping_Length PyMapping_Size
PyAPI_FUNC(PyObject *) PyMapping_GetItemString(PyObject *o, const char *key);
PyAPI_FUNC(int) PyMapping_SetItemString(PyObject *o, const char *key, PyObject *v);
#define PyMapping_DelItemString(O, K) PyObject_DelItemString((O), (K))
#define PyMapping_DelItem(O, K)       PyObject_DelItem((O), (K))
/* These can't fail: any exception is swallowed. */
PyAPI_FUNC(int) PyMapping_HasKey(PyObject *o, PyObject *key);
PyAPI_FUNC(int) PyMapping_HasKeyString(PyObject *o, const char *key);
/* These return lists. */
PyAPI_FUNC(PyObject *) PyMapping_Keys(PyObject *o);
PyAPI_FUNC(PyObject *) PyMapping_Values(PyObject *o);
PyAPI_FUNC(PyObject *) PyMapping_Items(PyObject *o);

#ifndef Py_LIMITED_API
#  include "cpython/abstract.h"
#endif

_Py_END_DECLS
#endif

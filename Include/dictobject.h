/* dict, and its views and iterators. */
#ifndef Py_DICTOBJECT_H
#define Py_DICTOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyDict_Type;
PyAPI_DATA(PyTypeObject) PyDictKeys_Type;
PyAPI_DATA(PyTypeObject) PyDictValues_Type;
PyAPI_DATA(PyTypeObject) PyDictItems_Type;
PyAPI_DATA(PyTypeObject) PyDictIterKey_Type;
PyAPI_DATA(PyTypeObject) PyDictIterValue_Type;
PyAPI_DATA(PyTypeObject) PyDictIterItem_Type;
PyAPI_DATA(PyTypeObject) PyDictRevIterKey_Type;
PyAPI_DATA(PyTypeObject) PyDictRevIterItem_Type;
PyAPI_DATA(PyTypeObject) PyDictRevIterValue_Type;

#define PyDict_Check(op)       PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_DICT_SUBCLASS)
#define PyDict_CheckExact(op)  Py_IS_TYPE((op), &PyDict_Type)
#define PyDictKeys_Check(op)   PyObject_TypeCheck((op), &PyDictKeys_Type)
#define PyDictValues_Check(op) PyObject_TypeCheck((op), &PyDictValues_Type)
#define PyDictItems_Check(op)  PyObject_TypeCheck((op), &PyDictItems_Type)
/* The views that behave like sets. */
#define PyDictViewSet_Check(op) (PyDictKeys_Check(op) || PyDictItems_Check(op))

PyAPI_FUNC(PyObject *) PyDict_New(void);
PyAPI_FUNC(PyObject *) PyDict_Copy(PyObject *p);
PyAPI_FUNC(Py_ssize_t) PyDict_Size(PyObject *p);
PyAPI_FUNC(void) PyDict_Clear(PyObject *p);

/* Return NULL also when the key is missing. Without WithError, any exception is
   swallowed, so that NULL may mean anything. */
PyAPI_FUNC(PyObject *) PyDict_GetItem(PyObject *p, PyObject *key);  /* borrowed */
PyAPI_FUNC(PyObject *) PyDict_GetItemWithError(PyObject *p, PyObject *key);  /* borrowed */
PyAPI_FUNC(PyObject *) PyDict_GetItemString(PyObject *p, const char *key);  /* borrowed */
PyAPI_FUNC(int) PyDict_Contains(PyObject *p, PyObject *key);
/* Return 0, or -1. Deleting a missing key is a KeyError. */
PyAPI_FUNC(int) PyDict_SetItem(PyObject *p, PyObject *key, PyObject *val);
PyAPI_FUNC(int) PyDict_SetItemString(PyObject *p, const char *key, PyObject *val);
PyAPI_FUNC(int) PyDict_DelItem(PyObject *p, PyObject *key);
PyAPI_FUNC(int) PyDict_DelItemString(PyObject *p, const char *key);

/* Returns 1 and the next pair, borrowed, or 0 at the end. *ppos must be 0 at first. Keys
   must not be added or removed between calls. */
PyAPI_FUNC(int) PyDict_Next(PyObject *p, Py_ssize_t *ppos, PyObject **pkey,
    PyObject **pvalue);

/* These return lists. */
PyAPI_FUNC(PyObject *) PyDict_Keys(PyObject *p);
PyAPI_FUNC(PyObject *) PyDict_Values(PyObject *p);
PyAPI_FUNC(PyObject *) PyDict_Items(PyObject *p);

/* override: whether the other's values replace existing ones. Update is Merge with
   override. */
PyAPI_FUNC(int) PyDict_Update(PyObject *a, PyObject *b);
PyAPI_FUNC(int) PyDict_Merge(PyObject *a, PyObject *b, int override);
PyAPI_FUNC(int) PyDict_MergeFromSeq2(PyObject *a, PyObject *seq2, int override);

/* The usual getter of a __dict__. */
#if _Py_API_SINCE(10)
PyAPI_FUNC(PyObject *) PyObject_GenericGetDict(PyObject *o, void *context);
#endif

#ifndef Py_LIMITED_API
#  include "cpython/dictobject.h"
#endif

_Py_END_DECLS
#endif

/* Tuples with names: os.stat_result and the like. */
#ifndef Py_STRUCTSEQ_H
#define Py_STRUCTSEQ_H

_Py_BEGIN_DECLS

typedef struct PyStructSequence_Field {
    const char *name;       /* NULL ends an array */
    const char *doc;
} PyStructSequence_Field;

typedef struct PyStructSequence_Desc {
    const char *name;       /* "module.name" */
    const char *doc;
    PyStructSequence_Field *fields;
    int n_in_sequence;      /* the length of the tuple */
} PyStructSequence_Desc;

/* The name of an unnamed field. */
PyAPI_DATA(const char *const) PyStructSequence_UnnamedField;

PyAPI_FUNC(PyTypeObject *) PyStructSequence_NewType(PyStructSequence_Desc *desc);
/* For a static type object. The first ignores failures. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(void) PyStructSequence_InitType(PyTypeObject *type,
    PyStructSequence_Desc *desc);
PyAPI_FUNC(int) PyStructSequence_InitType2(PyTypeObject *type,
    PyStructSequence_Desc *desc);
#endif

/* The fields are NULL. Fill them with SetItem, which steals its argument. */
PyAPI_FUNC(PyObject *) PyStructSequence_New(PyTypeObject *type);
PyAPI_FUNC(void) PyStructSequence_SetItem(PyObject *p, Py_ssize_t pos, PyObject *o);
PyAPI_FUNC(PyObject *) PyStructSequence_GetItem(PyObject *p, Py_ssize_t pos);
    /* borrowed */

#ifndef Py_LIMITED_API
typedef PyTupleObject PyStructSequence;

#  define PyStructSequence_SET_ITEM(op, i, v) PyTuple_SET_ITEM((op), (i), (v))
#  define PyStructSequence_GET_ITEM(op, i)    PyTuple_GET_ITEM((op), (i))
#endif

_Py_END_DECLS
#endif

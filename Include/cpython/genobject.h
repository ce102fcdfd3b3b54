/* Generators, coroutines, asynchronous generators. */
#if !defined(Py_GENOBJECT_H) && !defined(Py_LIMITED_API)
#define Py_GENOBJECT_H

_Py_BEGIN_DECLS

/* The frame is at PREFIX_iframe, in Springboard's format. */
#define _PyGenObject_HEAD(PREFIX) \
    PyObject_HEAD \
    PyCodeObject *PREFIX##_code; \
    PyObject *PREFIX##_weakreflist; \
    PyObject *PREFIX##_name; \
    PyObject *PREFIX##_qualname; \
    _PyErr_StackItem PREFIX##_exc_state; \
    PyObject *PREFIX##_origin_or_finalizer; \
    char PREFIX##_hooks_inited; \
    char PREFIX##_closed; \
    char PREFIX##_running_async; \
    int8_t PREFIX##_frame_state; \
    PyObject *PREFIX##_iframe[1];

typedef struct {
    _PyGenObject_HEAD(gi)
} PyGenObject;

typedef struct {
    _PyGenObject_HEAD(cr)
} PyCoroObject;

typedef struct {
    _PyGenObject_HEAD(ag)
} PyAsyncGenObject;

#undef _PyGenObject_HEAD

PyAPI_DATA(PyTypeObject) PyGen_Type;
PyAPI_DATA(PyTypeObject) PyCoro_Type;
PyAPI_DATA(PyTypeObject) _PyCoroWrapper_Type;
PyAPI_DATA(PyTypeObject) PyAsyncGen_Type;
PyAPI_DATA(PyTypeObject) _PyAsyncGenASend_Type;
PyAPI_DATA(PyTypeObject) _PyAsyncGenWrappedValue_Type;
PyAPI_DATA(PyTypeObject) _PyAsyncGenAThrow_Type;

#define PyGen_Check(op)           PyObject_TypeCheck((op), &PyGen_Type)
#define PyGen_CheckExact(op)      Py_IS_TYPE((op), &PyGen_Type)
#define PyCoro_CheckExact(op)     Py_IS_TYPE((op), &PyCoro_Type)
#define PyAsyncGen_CheckExact(op) Py_IS_TYPE((op), &PyAsyncGen_Type)

/* Steals the frame. */
PyAPI_FUNC(PyObject *) PyGen_New(PyFrameObject *frame);
PyAPI_FUNC(PyObject *) PyGen_NewWithQualName(PyFrameObject *frame, PyObject *name,
    PyObject *qualname);
PyAPI_FUNC(PyObject *) PyCoro_New(PyFrameObject *frame, PyObject *name,
    PyObject *qualname);
PyAPI_FUNC(PyObject *) PyAsyncGen_New(PyFrameObject *frame, PyObject *name,
    PyObject *qualname);

/* Raises StopIteration(value). */
PyAPI_FUNC(int) _PyGen_SetStopIterationValue(PyObject *value);
/* Returns 0 and the value of the StopIteration that is set (None if nothing is set), or
   -1 with another exception. */
PyAPI_FUNC(int) _PyGen_FetchStopIterationValue(PyObject **pvalue);
PyAPI_FUNC(void) _PyGen_Finalize(PyObject *self);

_Py_END_DECLS
#endif

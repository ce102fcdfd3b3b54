/* Python functions, class methods and static methods. */
#if !defined(Py_FUNCOBJECT_H) && !defined(Py_LIMITED_API)
#define Py_FUNCOBJECT_H

_Py_BEGIN_DECLS

#define COMMON_FIELDS(PREFIX) \
    PyObject *PREFIX##globals; \
    PyObject *PREFIX##builtins; \
    PyObject *PREFIX##name; \
    PyObject *PREFIX##qualname; \
    PyObject *PREFIX##code;         /* a code object */ \
    PyObject *PREFIX##defaults;     /* tuple, or NULL */ \
    PyObject *PREFIX##kwdefaults;   /* dict, or NULL */ \
    PyObject *PREFIX##closure;      /* tuple of cells, or NULL */

/* Needed to make a frame. */
typedef struct {
    COMMON_FIELDS(fc_)
} PyFrameConstructor;

typedef struct {
    PyObject_HEAD
    COMMON_FIELDS(func_)
    PyObject *func_doc;
    PyObject *func_dict;            /* or NULL */
    PyObject *func_weakreflist;
    PyObject *func_module;
    PyObject *func_annotations;     /* dict, tuple of names and values, or NULL */
    vectorcallfunc vectorcall;
    uint32_t func_version;          /* for inline caches; 0 after a change */
} PyFunctionObject;

PyAPI_DATA(PyTypeObject) PyFunction_Type;
PyAPI_DATA(PyTypeObject) PyClassMethod_Type;
PyAPI_DATA(PyTypeObject) PyStaticMethod_Type;

#define PyFunction_Check(op) Py_IS_TYPE((op), &PyFunction_Type)

PyAPI_FUNC(PyObject *) PyFunction_New(PyObject *code, PyObject *globals);
PyAPI_FUNC(PyObject *) PyFunction_NewWithQualName(PyObject *code, PyObject *globals,
    PyObject *qualname);
PyAPI_FUNC(PyObject *) _PyFunction_Vectorcall(PyObject *func, PyObject *const *args,
    size_t nargsf, PyObject *kwnames);

/* Borrowed, or NULL without an exception if there is no value. Other objects than
   functions raise SystemError. */
PyAPI_FUNC(PyObject *) PyFunction_GetCode(PyObject *op);  /* borrowed */
PyAPI_FUNC(PyObject *) PyFunction_GetGlobals(PyObject *op);  /* borrowed */
PyAPI_FUNC(PyObject *) PyFunction_GetModule(PyObject *op);  /* borrowed */
PyAPI_FUNC(PyObject *) PyFunction_GetDefaults(PyObject *op);  /* borrowed */
PyAPI_FUNC(PyObject *) PyFunction_GetKwDefaults(PyObject *op);
PyAPI_FUNC(PyObject *) PyFunction_GetClosure(PyObject *op);  /* borrowed */
PyAPI_FUNC(PyObject *) PyFunction_GetAnnotations(PyObject *op);  /* borrowed */
/* The value may be None. Return 0, or -1. */
PyAPI_FUNC(int) PyFunction_SetDefaults(PyObject *op, PyObject *defaults);
PyAPI_FUNC(int) PyFunction_SetKwDefaults(PyObject *op, PyObject *defaults);
PyAPI_FUNC(int) PyFunction_SetClosure(PyObject *op, PyObject *closure);
PyAPI_FUNC(int) PyFunction_SetAnnotations(PyObject *op, PyObject *annotations);

#define PyFunction_GET_CODE(func)        (((PyFunctionObject *)(func))->func_code)
#define PyFunction_GET_GLOBALS(func)     (((PyFunctionObject *)(func))->func_globals)
#define PyFunction_GET_MODULE(func)      (((PyFunctionObject *)(func))->func_module)
#define PyFunction_GET_DEFAULTS(func)    (((PyFunctionObject *)(func))->func_defaults)
#define PyFunction_GET_KW_DEFAULTS(func) (((PyFunctionObject *)(func))->func_kwdefaults)
#define PyFunction_GET_CLOSURE(func)     (((PyFunctionObject *)(func))->func_closure)
#define PyFunction_GET_ANNOTATIONS(func) (((PyFunctionObject *)(func))->func_annotations)

PyAPI_FUNC(PyObject *) PyClassMethod_New(PyObject *callable);
PyAPI_FUNC(PyObject *) PyStaticMethod_New(PyObject *callable);

_Py_END_DECLS
#endif

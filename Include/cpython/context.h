/* Context variables (contextvars). */
#if !defined(Py_CONTEXT_H) && !defined(Py_LIMITED_API)
#define Py_CONTEXT_H

_Py_BEGIN_DECLS

typedef struct _pycontextobject PyContext;
typedef struct _pycontextvarobject PyContextVar;
typedef struct _pycontexttokenobject PyContextToken;

PyAPI_DATA(PyTypeObject) PyContext_Type;
PyAPI_DATA(PyTypeObject) PyContextVar_Type;
PyAPI_DATA(PyTypeObject) PyContextToken_Type;

#define PyContext_CheckExact(o)      Py_IS_TYPE((o), &PyContext_Type)
#define PyContextVar_CheckExact(o)   Py_IS_TYPE((o), &PyContextVar_Type)
#define PyContextToken_CheckExact(o) Py_IS_TYPE((o), &PyContextToken_Type)

PyAPI_FUNC(PyObject *) PyContext_New(void);
PyAPI_FUNC(PyObject *) PyContext_Copy(PyObject *ctx);
PyAPI_FUNC(PyObject *) PyContext_CopyCurrent(void);
/* Enter makes it the thread's current context; Exit restores the former one. */
PyAPI_FUNC(int) PyContext_Enter(PyObject *ctx);
PyAPI_FUNC(int) PyContext_Exit(PyObject *ctx);

/* def may be NULL. Get returns 0, even when there is no value (*value is then
   default_value, the variable's default, or NULL), or -1. */
PyAPI_FUNC(PyObject *) PyContextVar_New(const char *name, PyObject *def);
PyAPI_FUNC(int) PyContextVar_Get(PyObject *var, PyObject *default_value,
    PyObject **value);
/* Returns a token for Reset. */
PyAPI_FUNC(PyObject *) PyContextVar_Set(PyObject *var, PyObject *value);
PyAPI_FUNC(int) PyContextVar_Reset(PyObject *var, PyObject *token);
PyAPI_FUNC(PyObject *) _PyContext_NewHamtForTests(void);

_Py_END_DECLS
#endif

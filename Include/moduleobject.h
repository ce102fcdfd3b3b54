/* Modules, and the definitions from which C modules are made. */
#ifndef Py_MODULEOBJECT_H
#define Py_MODULEOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyModule_Type;
#if _Py_API_SINCE(5)
PyAPI_DATA(PyTypeObject) PyModuleDef_Type;
#endif

#define PyModule_Check(op)      PyObject_TypeCheck((op), &PyModule_Type)
#define PyModule_CheckExact(op) Py_IS_TYPE((op), &PyModule_Type)

typedef struct PyModuleDef_Base {
    PyObject_HEAD
    PyObject *(*m_init)(void);
    Py_ssize_t m_index;         /* index in each interpreter's list of modules */
    PyObject *m_copy;           /* copy of the dict, for another interpreter */
} PyModuleDef_Base;

#define PyModuleDef_HEAD_INIT \
    { \
        PyObject_HEAD_INIT(_Py_NULL) \
        _Py_NULL, \
        0, \
        _Py_NULL, \
    }

#if _Py_API_SINCE(5)
struct PyModuleDef_Slot {
    int slot;
    void *value;
};

/* Slots of multi-phase initialisation: PyObject *(*)(PyObject *spec, PyModuleDef *),
   and int (*)(PyObject *module). */
#  define Py_mod_create 1
#  define Py_mod_exec   2
#endif
#ifndef Py_LIMITED_API
#  define _Py_mod_LAST_SLOT 2
#endif

struct PyModuleDef {
    PyModuleDef_Base m_base;
    const char *m_name;
    const char *m_doc;
    Py_ssize_t m_size;          /* bytes of state; -1: the state is in C variables */
    PyMethodDef *m_methods;
    PyModuleDef_Slot *m_slots;
    traverseproc m_traverse;    /* traverse the state, which may not exist yet */
    inquiry m_clear;
    freefunc m_free;
};

/* Makes the return value of a PyInit_ function for multi-phase initialisation. */
#if _Py_API_SINCE(5)
PyAPI_FUNC(PyObject *) PyModuleDef_Init(PyModuleDef *def);  /* borrowed */
#endif
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyModule_NewObject(PyObject *name);
#endif
PyAPI_FUNC(PyObject *) PyModule_New(const char *name);
PyAPI_FUNC(PyObject *) PyModule_GetDict(PyObject *module);  /* borrowed */
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyModule_GetNameObject(PyObject *module);
#endif
PyAPI_FUNC(PyObject *) PyModule_GetFilenameObject(PyObject *module);
/* UTF-8, owned by the module. */
PyAPI_FUNC(const char *) PyModule_GetName(PyObject *module);
Py_DEPRECATED(3.2) PyAPI_FUNC(const char *) PyModule_GetFilename(PyObject *module);
/* NULL if the module has none, possibly without an exception. */
PyAPI_FUNC(void *) PyModule_GetState(PyObject *module);
PyAPI_FUNC(PyModuleDef *) PyModule_GetDef(PyObject *module);

#ifndef Py_LIMITED_API
PyAPI_FUNC(void) _PyModule_Clear(PyObject *module);
PyAPI_FUNC(void) _PyModule_ClearDict(PyObject *dict);
PyAPI_FUNC(int) _PyModuleSpec_IsInitializing(PyObject *spec);
#endif

_Py_END_DECLS
#endif

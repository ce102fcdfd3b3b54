/* The exceptions that differ in name only, the PyExc_* pointers, and the initialisation
   of all exception types in the order of exceptions.def. */
#include "private.h"

#define CUSTOM(name)
#define SIMPLE(name, base, doc)                                         \
    PyTypeObject _PyExc_ ## name = {                                    \
        EXC_TYPE(name, &_PyExc_ ## base, PyBaseExceptionObject,         \
                 BaseException, doc),                                   \
        .tp_new = _PyExc_BaseException_new,                             \
        .tp_vectorcall = _PyExc_BaseException_vectorcall,               \
    };
#define STRUCT_OF_OSError PyOSErrorObject
#define STRUCT_OF_ImportError PyImportErrorObject
#define STRUCT_OF_NameError PyNameErrorObject
#define STRUCT_OF_SyntaxError PySyntaxErrorObject
#define DERIVED(name, base, family, doc)                                \
    PyTypeObject _PyExc_ ## name = {                                    \
        EXC_TYPE(name, &_PyExc_ ## base, STRUCT_OF_ ## family,          \
                 family, doc),                                          \
    };
#include "exceptions.def"
#undef CUSTOM
#undef SIMPLE
#undef DERIVED

#define CUSTOM(name) \
    PyObject *PyExc_ ## name = (PyObject *)&_PyExc_ ## name;
#define SIMPLE(name, base, doc) CUSTOM(name)
#define DERIVED(name, base, family, doc) CUSTOM(name)
#include "exceptions.def"
PyObject *PyExc_EnvironmentError = (PyObject *)&_PyExc_OSError;
PyObject *PyExc_IOError = (PyObject *)&_PyExc_OSError;
#undef CUSTOM

#define CUSTOM(name) &_PyExc_ ## name,
static PyTypeObject *const all_types[] = {
#include "exceptions.def"
};
#undef CUSTOM
#undef SIMPLE
#undef DERIVED

int
_PyExc_InitTypes(void)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(all_types); i++) {
        if (PyType_Ready(all_types[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

int
_PyExc_Init(void)
{
    if (_PyExc_InitMemoryErrors() < 0 || _PyExc_InitErrnoMap() < 0) {
        return -1;
    }
    return _PyExc_InitGroup();
}

int
_PyBuiltins_AddExceptions(PyObject *builtins_module)
{
    PyObject *dict = PyModule_GetDict(builtins_module);
    if (dict == NULL) {
        return -1;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(all_types); i++) {
        if (PyDict_SetItemString(dict, all_types[i]->tp_name,
                                 (PyObject *)all_types[i]) < 0) {
            return -1;
        }
    }
    if (PyDict_SetItemString(dict, "ExceptionGroup",
                             _PyExc_ExceptionGroupType()) < 0
        || PyDict_SetItemString(dict, "EnvironmentError", PyExc_OSError) < 0
        || PyDict_SetItemString(dict, "IOError", PyExc_OSError) < 0) {
        return -1;
    }
    return 0;
}

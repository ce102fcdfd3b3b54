/* Parsing arguments, building values, and filling modules. */
#ifndef Py_MODSUPPORT_H
#define Py_MODSUPPORT_H

_Py_BEGIN_DECLS

/* ---------------------------------------------------------------- arguments */

/* The format is described in "The C API: parsing arguments" in the manual. Return 1, or 0
   with an exception. A length after # is a Py_ssize_t: define PY_SSIZE_T_CLEAN before
   including Python.h; without it, formats with # raise SystemError. */
PyAPI_FUNC(int) PyArg_Parse(PyObject *args, const char *format, ...);
PyAPI_FUNC(int) PyArg_ParseTuple(PyObject *args, const char *format, ...);
PyAPI_FUNC(int) PyArg_ParseTupleAndKeywords(PyObject *args, PyObject *kw,
    const char *format, char **keywords, ...);
PyAPI_FUNC(int) PyArg_VaParse(PyObject *args, const char *format, va_list vargs);
PyAPI_FUNC(int) PyArg_VaParseTupleAndKeywords(PyObject *args, PyObject *kw,
    const char *format, char **keywords, va_list vargs);
#if _Py_API_SINCE(3)
PyAPI_FUNC(int) _PyArg_Parse_SizeT(PyObject *args, const char *format, ...);
PyAPI_FUNC(int) _PyArg_ParseTuple_SizeT(PyObject *args, const char *format, ...);
PyAPI_FUNC(int) _PyArg_ParseTupleAndKeywords_SizeT(PyObject *args, PyObject *kw,
    const char *format, char **keywords, ...);
PyAPI_FUNC(int) _PyArg_VaParse_SizeT(PyObject *args, const char *format, va_list vargs);
PyAPI_FUNC(int) _PyArg_VaParseTupleAndKeywords_SizeT(PyObject *args, PyObject *kw,
    const char *format, char **keywords, va_list vargs);
#endif

PyAPI_FUNC(int) PyArg_ValidateKeywordArguments(PyObject *kwargs);
/* Stores min to max positional arguments in PyObject * variables, borrowed. Returns 1, or
   0. */
PyAPI_FUNC(int) PyArg_UnpackTuple(PyObject *args, const char *name, Py_ssize_t min,
    Py_ssize_t max, ...);

/* If an O& converter returns this, it is called again with NULL to undo its work. */
#define Py_CLEANUP_SUPPORTED 0x20000
/* `max` for functions that take any number of arguments. */
#define ANY_VARARGS(n) ((n) == PY_SSIZE_T_MAX)

/* ------------------------------------------------------------------- values */

/* Built by a format. N steals its argument, even on failure. */
PyAPI_FUNC(PyObject *) Py_BuildValue(const char *format, ...);
PyAPI_FUNC(PyObject *) Py_VaBuildValue(const char *format, va_list vargs);
PyAPI_FUNC(PyObject *) _Py_BuildValue_SizeT(const char *format, ...);
PyAPI_FUNC(PyObject *) _Py_VaBuildValue_SizeT(const char *format, va_list vargs);

#ifdef PY_SSIZE_T_CLEAN
#  define PyArg_Parse                   _PyArg_Parse_SizeT
#  define PyArg_ParseTuple              _PyArg_ParseTuple_SizeT
#  define PyArg_ParseTupleAndKeywords   _PyArg_ParseTupleAndKeywords_SizeT
#  define PyArg_VaParse                 _PyArg_VaParse_SizeT
#  define PyArg_VaParseTupleAndKeywords _PyArg_VaParseTupleAndKeywords_SizeT
#  define Py_BuildValue                 _Py_BuildValue_SizeT
#  define Py_VaBuildValue               _Py_VaBuildValue_SizeT
#endif

/* ------------------------------------------------------------------ modules */

/* The version that a module was compiled for. Creating a module for another version gives
   a warning. */
#define PYTHON_API_VERSION 1013
#define PYTHON_API_STRING  "1013"
#define PYTHON_ABI_VERSION 3
#define PYTHON_ABI_STRING  "3"

PyAPI_FUNC(PyObject *) PyModule_Create2(PyModuleDef *def, int module_api_version);
#if _Py_API_SINCE(5)
PyAPI_FUNC(PyObject *) PyModule_FromDefAndSpec2(PyModuleDef *def, PyObject *spec,
    int module_api_version);
PyAPI_FUNC(int) PyModule_ExecDef(PyObject *module, PyModuleDef *def);
#endif
#ifdef Py_LIMITED_API
#  define PyModule_Create(module) PyModule_Create2((module), PYTHON_ABI_VERSION)
#else
#  define PyModule_Create(module) PyModule_Create2((module), PYTHON_API_VERSION)
#endif
#if !_Py_API_SINCE(5)
#elif defined(Py_LIMITED_API)
#  define PyModule_FromDefAndSpec(module, spec) \
    PyModule_FromDefAndSpec2((module), (spec), PYTHON_ABI_VERSION)
#else
#  define PyModule_FromDefAndSpec(module, spec) \
    PyModule_FromDefAndSpec2((module), (spec), PYTHON_API_VERSION)
#endif

/* Return 0, or -1. AddObject steals value, but only on success. AddObjectRef does not
   steal it. */
PyAPI_FUNC(int) PyModule_AddObjectRef(PyObject *module, const char *name,
    PyObject *value);
PyAPI_FUNC(int) PyModule_AddObject(PyObject *module, const char *name, PyObject *value);
PyAPI_FUNC(int) PyModule_AddIntConstant(PyObject *module, const char *name, long value);
PyAPI_FUNC(int) PyModule_AddStringConstant(PyObject *module, const char *name,
    const char *value);
#if _Py_API_SINCE(9)
PyAPI_FUNC(int) PyModule_AddType(PyObject *module, PyTypeObject *type);
#endif
#if _Py_API_SINCE(5)
PyAPI_FUNC(int) PyModule_AddFunctions(PyObject *module, PyMethodDef *functions);
PyAPI_FUNC(int) PyModule_SetDocString(PyObject *module, const char *docstring);
#endif
/* Adds a macro's value under the macro's name. */
#define PyModule_AddIntMacro(m, c)    PyModule_AddIntConstant((m), #c, (c))
#define PyModule_AddStringMacro(m, c) PyModule_AddStringConstant((m), #c, (c))

#ifndef Py_LIMITED_API
#  include "cpython/modsupport.h"
#endif

_Py_END_DECLS
#endif

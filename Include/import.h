/* Importing modules. */
#ifndef Py_IMPORT_H
#define Py_IMPORT_H

_Py_BEGIN_DECLS

PyAPI_FUNC(PyObject *) PyImport_Import(PyObject *name);
PyAPI_FUNC(PyObject *) PyImport_ImportModule(const char *name);
PyAPI_FUNC(PyObject *) PyImport_ImportModuleNoBlock(const char *name);
/* Like __import__() with its arguments: returns the package of a dotted name, unless
   fromlist. */
#if _Py_API_SINCE(5)
PyAPI_FUNC(PyObject *) PyImport_ImportModuleLevelObject(PyObject *name, PyObject *globals,
    PyObject *locals, PyObject *fromlist, int level);
#endif
PyAPI_FUNC(PyObject *) PyImport_ImportModuleLevel(const char *name, PyObject *globals,
    PyObject *locals, PyObject *fromlist, int level);
#define PyImport_ImportModuleEx(n, g, l, f) PyImport_ImportModuleLevel((n), (g), (l), (f), 0)
PyAPI_FUNC(PyObject *) PyImport_ReloadModule(PyObject *m);

/* From sys.modules. AddModule makes an empty module if there is none, and returns a
   borrowed reference. GetModule returns NULL without an exception if there is none. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyImport_AddModuleObject(PyObject *name);  /* borrowed */
#endif
PyAPI_FUNC(PyObject *) PyImport_AddModule(const char *name);  /* borrowed */
#if _Py_API_SINCE(7)
PyAPI_FUNC(PyObject *) PyImport_GetModule(PyObject *name);
#endif
PyAPI_FUNC(PyObject *) PyImport_GetModuleDict(void);  /* borrowed */

/* Runs a code object as a module. */
PyAPI_FUNC(PyObject *) PyImport_ExecCodeModule(const char *name, PyObject *co);
PyAPI_FUNC(PyObject *) PyImport_ExecCodeModuleEx(const char *name, PyObject *co,
    const char *pathname);
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyImport_ExecCodeModuleObject(PyObject *name, PyObject *co,
    PyObject *pathname, PyObject *cpathname);
#endif
PyAPI_FUNC(PyObject *) PyImport_ExecCodeModuleWithPathnames(const char *name,
    PyObject *co, const char *pathname, const char *cpathname);

/* Returns 1: imported, 0: there is none, or -1. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(int) PyImport_ImportFrozenModuleObject(PyObject *name);
#endif
PyAPI_FUNC(int) PyImport_ImportFrozenModule(const char *name);

/* The magic number of .pyc files (-1 may be an error), and the tag in their names. */
PyAPI_FUNC(long) PyImport_GetMagicNumber(void);
PyAPI_FUNC(const char *) PyImport_GetMagicTag(void);
/* The path entry finder, or None. */
PyAPI_FUNC(PyObject *) PyImport_GetImporter(PyObject *path);

/* Adds built-in modules. To be called before Py_Initialize. Return -1 for lack of memory. */
PyAPI_FUNC(int) PyImport_AppendInittab(const char *name, PyObject *(*initfunc)(void));

#ifndef Py_LIMITED_API
#  include "cpython/import.h"
#endif

_Py_END_DECLS
#endif

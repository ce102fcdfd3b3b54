/* Audit events. */
#ifndef Py_CPYTHON_SYSMODULE_H
#define Py_CPYTHON_SYSMODULE_H

_Py_BEGIN_DECLS

/* Returns -1 with an exception if a hook vetoes the action. */
typedef int (*Py_AuditHookFunction)(const char *event, PyObject *args, void *userData);

/* argFormat is Py_BuildValue's. Returns 0, or -1. */
PyAPI_FUNC(int) PySys_Audit(const char *event, const char *format, ...);
/* For all interpreters, and permanently. May be called before Py_Initialize. */
PyAPI_FUNC(int) PySys_AddAuditHook(Py_AuditHookFunction hook, void *userData);

/* (size_t)-1 is an error. */
PyAPI_FUNC(size_t) _PySys_GetSizeOf(PyObject *o);

_Py_END_DECLS
#endif

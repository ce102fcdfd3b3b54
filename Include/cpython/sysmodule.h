/* Audit events. */
#ifndef Py_CPYTHON_SYSMODULE_H
#define Py_CPYTHON_SYSMODULE_H

_Py_BEGIN_DECLS

/* -1 with an exception vetoes what is about to happen. */
typedef int (*Py_AuditHookFunction)(const char *event, PyObject *args, void *userData);

/* argFormat is Py_BuildValue's. 0, or -1. */
PyAPI_FUNC(int) PySys_Audit(const char *event, const char *format, ...);
/* For all interpreters, and for good; before Py_Initialize, too. */
PyAPI_FUNC(int) PySys_AddAuditHook(Py_AuditHookFunction hook, void *userData);

/* (size_t)-1 is an error. */
PyAPI_FUNC(size_t) _PySys_GetSizeOf(PyObject *o);

_Py_END_DECLS
#endif

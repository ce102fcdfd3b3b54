/* os. */
#ifndef Py_OSMODULE_H
#define Py_OSMODULE_H

_Py_BEGIN_DECLS

/* Returns str and bytes as they are, else the result of __fspath__. */
#if _Py_API_SINCE(6)
PyAPI_FUNC(PyObject *) PyOS_FSPath(PyObject *path);
#endif

_Py_END_DECLS
#endif

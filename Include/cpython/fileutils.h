/* Opening files. */
#ifndef Py_CPYTHON_FILEUTILS_H
#define Py_CPYTHON_FILEUTILS_H

_Py_BEGIN_DECLS

/* fopen() for a path object. Raises an audit event; the descriptor is not inheritable.
   Returns NULL with an exception. */
PyAPI_FUNC(FILE *) _Py_fopen_obj(PyObject *path, const char *mode);

_Py_END_DECLS
#endif

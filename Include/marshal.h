/* Values as bytes, in the format of .pyc files. Not part of Python.h. */
#ifndef Py_LIMITED_API
#ifndef Py_MARSHAL_H
#define Py_MARSHAL_H

_Py_BEGIN_DECLS

#define Py_MARSHAL_VERSION 4

PyAPI_FUNC(PyObject *) PyMarshal_WriteObjectToString(PyObject *value, int version);
/* Errors can only be detected with ferror(). */
PyAPI_FUNC(void) PyMarshal_WriteLongToFile(long value, FILE *file, int version);
PyAPI_FUNC(void) PyMarshal_WriteObjectToFile(PyObject *value, FILE *file, int version);

/* LastObject may read the rest of the file at once. For numbers, -1 may be an error. */
PyAPI_FUNC(PyObject *) PyMarshal_ReadObjectFromString(const char *data, Py_ssize_t len);
PyAPI_FUNC(PyObject *) PyMarshal_ReadObjectFromFile(FILE *file);
PyAPI_FUNC(PyObject *) PyMarshal_ReadLastObjectFromFile(FILE *file);
PyAPI_FUNC(long) PyMarshal_ReadLongFromFile(FILE *file);
PyAPI_FUNC(int) PyMarshal_ReadShortFromFile(FILE *file);

_Py_END_DECLS
#endif
#endif

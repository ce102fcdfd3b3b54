/* sys. */
#ifndef Py_SYSMODULE_H
#define Py_SYSMODULE_H

_Py_BEGIN_DECLS

/* Returns NULL, without an exception, if it is missing. */
PyAPI_FUNC(PyObject *) PySys_GetObject(const char *name);  /* borrowed */
/* NULL deletes the value. */
PyAPI_FUNC(int) PySys_SetObject(const char *name, PyObject *v);

/* printf() to sys.stdout or sys.stderr, or to the C streams if that fails. Never raises.
   Write truncates to 1000 bytes; Format takes PyUnicode_FromFormat's formats. */
PyAPI_FUNC(void) PySys_WriteStdout(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));
PyAPI_FUNC(void) PySys_WriteStderr(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));
PyAPI_FUNC(void) PySys_FormatStdout(const char *format, ...);
PyAPI_FUNC(void) PySys_FormatStderr(const char *format, ...);

PyAPI_FUNC(PyObject *) PySys_GetXOptions(void);  /* borrowed */
/* Set sys.argv, and with updatepath sys.path[0]. The program ends on failure. */
Py_DEPRECATED(3.11) PyAPI_FUNC(void) PySys_SetArgvEx(int argc, wchar_t **argv,
    int updatepath);
Py_DEPRECATED(3.11) PyAPI_FUNC(void) PySys_SetArgv(int argc, wchar_t **argv);
/* Sets sys.path from a text with colons. The program ends on failure. */
Py_DEPRECATED(3.11) PyAPI_FUNC(void) PySys_SetPath(const wchar_t *path);
/* To be called before Py_Initialize: like -W and -X. */
Py_DEPRECATED(3.11) PyAPI_FUNC(void) PySys_AddWarnOption(const wchar_t *s);
Py_DEPRECATED(3.11) PyAPI_FUNC(void) PySys_AddWarnOptionUnicode(PyObject *unicode);
Py_DEPRECATED(3.11) PyAPI_FUNC(void) PySys_AddXOption(const wchar_t *s);
Py_DEPRECATED(3.11) PyAPI_FUNC(int) PySys_HasWarnOptions(void);
PyAPI_FUNC(void) PySys_ResetWarnOptions(void);

#ifndef Py_LIMITED_API
#  include "cpython/sysmodule.h"
#endif

_Py_END_DECLS
#endif

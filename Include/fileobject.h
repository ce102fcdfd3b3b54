/* File objects, used through their methods, and the file system's encoding. */
#ifndef Py_FILEOBJECT_H
#define Py_FILEOBJECT_H

_Py_BEGIN_DECLS

/* The mode of a binary stream under a text stream. */
#define PY_STDIOTEXTMODE "b"

/* io.open() of a file descriptor. */
PyAPI_FUNC(PyObject *) PyFile_FromFd(int fd, const char *name, const char *mode,
    int buffering, const char *encoding, const char *errors, const char *newline,
    int closefd);
/* n > 0: at most n characters. n < 0: without the newline, and EOFError at the end. */
PyAPI_FUNC(PyObject *) PyFile_GetLine(PyObject *p, int n);
/* flags is 0 or Py_PRINT_RAW. Return 0, or -1. */
PyAPI_FUNC(int) PyFile_WriteObject(PyObject *obj, PyObject *p, int flags);
PyAPI_FUNC(int) PyFile_WriteString(const char *s, PyObject *p);
/* The descriptor: an int, or the result of fileno(). */
PyAPI_FUNC(int) PyObject_AsFileDescriptor(PyObject *p);

/* Set at start-up. Must not be changed. */
PyAPI_DATA(const char *) Py_FileSystemDefaultEncoding;
#if _Py_API_SINCE(6)
PyAPI_DATA(const char *) Py_FileSystemDefaultEncodeErrors;
#endif
PyAPI_DATA(int) Py_HasFileSystemDefaultEncoding;
#if _Py_API_SINCE(7)
PyAPI_DATA(int) Py_UTF8Mode;
#endif

/* Whether select() can be used with it. */
#define _PyIsSelectable_fd(FD) ((unsigned int)(FD) < (unsigned int)FD_SETSIZE)

#ifndef Py_LIMITED_API
#  include "cpython/fileobject.h"
#endif

_Py_END_DECLS
#endif

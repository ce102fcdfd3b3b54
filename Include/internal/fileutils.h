/* System calls on files: Python/core/util/fileutils.c. Names and contracts are
   CPython's; compiled modules import some of them. */
#ifndef SB_INTERNAL_FILEUTILS_H
#define SB_INTERNAL_FILEUTILS_H

#include "Python.h"
#include <sys/stat.h>

#define _Py_stat_struct stat

/* Like the system call, but EINTR is retried, and errors raise OSError
   (-1; errno is kept). The GIL is released. */
PyAPI_FUNC(Py_ssize_t) _Py_read(int fd, void *buf, size_t count);
PyAPI_FUNC(Py_ssize_t) _Py_write(int fd, const void *buf, size_t count);
PyAPI_FUNC(Py_ssize_t) _Py_write_noraise(int fd, const void *buf, size_t count);
PyAPI_FUNC(int) _Py_open(const char *path, int flags);
PyAPI_FUNC(int) _Py_open_noraise(const char *path, int flags);
PyAPI_FUNC(FILE *) _Py_wfopen(const wchar_t *path, const wchar_t *mode);
/* NULL with an exception; errno is kept. */
PyAPI_FUNC(FILE *) _Py_fopen_obj(PyObject *path, const char *mode);
PyAPI_FUNC(int) _Py_fstat(int fd, struct stat *status);
PyAPI_FUNC(int) _Py_fstat_noraise(int fd, struct stat *status);
/* 0; -1: errno is set, no exception; -2: exception. */
PyAPI_FUNC(int) _Py_stat(PyObject *path, struct stat *status);
/* 1, 0, or -1 with an exception. */
PyAPI_FUNC(int) _Py_get_inheritable(int fd);
PyAPI_FUNC(int) _Py_set_inheritable(int fd, int inheritable, int *atomic_flag_works);
PyAPI_FUNC(int) _Py_set_inheritable_async_safe(int fd, int inheritable, int *works);
/* Not inheritable. -1 with an exception. */
PyAPI_FUNC(int) _Py_dup(int fd);
PyAPI_FUNC(int) _Py_get_blocking(int fd);
PyAPI_FUNC(int) _Py_set_blocking(int fd, int blocking);
/* Returns a new reference: None unless fd is a terminal. */
PyObject *_Py_device_encoding(int fd);
/* The name of LC_CTYPE's encoding, even in UTF-8 mode. Returns a new reference. */
PyObject *_Py_GetLocaleEncodingObject(void);
PyAPI_FUNC(wchar_t *) _Py_wgetcwd(wchar_t *buf, size_t buflen);
/* Writes a path of n characters of this kind (1, 2 or 4 bytes; they may be null) again without "."
   and empty components; ".." removes the component before it, if there is one. Returns the new
   length, which is n only if nothing changed. */
Py_ssize_t _PyPath_Normalize(int kind, void *path, Py_ssize_t n);
/* The same for extensions: returns the path, whose end is a null character. */
PyAPI_FUNC(wchar_t *) _Py_normpath(wchar_t *path, Py_ssize_t size);

/* Objects/file.c: a stderr that works before io does, and writes to the C stream. */
PyObject *_PySys_NewPreliminaryStderr(void);

#endif

/* User and group ids between C and Python: Lib/posix/arguments.c. */
#ifndef SB_INTERNAL_IDS_H
#define SB_INTERNAL_IDS_H

#include "Python.h"
#include <sys/types.h>

/* PyArg converters (uid_t *, gid_t *); TypeError "uid should be integer, not
   str", OverflowError. */
int _Py_Uid_Converter(PyObject *object, void *uid);
int _Py_Gid_Converter(PyObject *object, void *gid);
/* Returns a new reference; (uid_t)-1 becomes -1. */
PyObject *_PyLong_FromUid(uid_t uid);
PyObject *_PyLong_FromGid(gid_t gid);

#endif

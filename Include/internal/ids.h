/* User and group ids between C and Python (owner: Lib/posix). */
#ifndef SB_INTERNAL_IDS_H
#define SB_INTERNAL_IDS_H

#include "Python.h"
#include <sys/types.h>

int _posix_uid_converter(PyObject *, void *uid);
int _posix_gid_converter(PyObject *, void *gid);
PyObject *_posix_uid(uid_t uid);
PyObject *_posix_gid(gid_t gid);

/* PyArg converters; TypeError "uid should be integer, not str", OverflowError. */
static inline int
_Py_Uid_Converter(PyObject *op, uid_t *uid)
{
    return _posix_uid_converter(op, uid);
}

static inline int
_Py_Gid_Converter(PyObject *op, gid_t *gid)
{
    return _posix_gid_converter(op, gid);
}

/* (uid_t)-1 is -1. */
static inline PyObject *
_PyLong_FromUid(uid_t uid)
{
    return _posix_uid(uid);
}

static inline PyObject *
_PyLong_FromGid(gid_t gid)
{
    return _posix_gid(gid);
}

#endif

/* The data attributes of sys: Python/runtime/sys/data.c. */
#ifndef SB_INTERNAL_SYS_DATA_H
#define SB_INTERNAL_SYS_DATA_H

#include "Python.h"

/* Adds what needs no configuration: versions, limits, platform. */
int _PySys_AddData(PyObject *sysdict);
/* sys._jit. Returns a new reference. */
PyObject *_PySys_NewJit(void);
/* Returns a borrowed reference. */
PyTypeObject *_PySys_AsyncGenHooksType(void);

#define SB_CACHE_TAG "springboard-311"

#endif

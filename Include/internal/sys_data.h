/* The data attributes of sys: Python/runtime/sys/data.c. */
#ifndef SB_INTERNAL_SYS_DATA_H
#define SB_INTERNAL_SYS_DATA_H

#include "Python.h"

/* What needs no configuration: versions, limits, platform. */
int _PySys_AddData(PyObject *sysdict);
/* sys.flags as the configuration and later changes say. New reference. */
PyObject *_PySys_NewFlags(const PyConfig *config);
/* Borrowed. */
PyTypeObject *_PySys_AsyncGenHooksType(void);

#define SB_CACHE_TAG "springboard-311"

#endif

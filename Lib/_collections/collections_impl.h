/* What the files of _collections share. Only the public C API is used here, so
   that the module can also be built for another interpreter and tested there. */
#ifndef SB_COLLECTIONS_IMPL_H
#define SB_COLLECTIONS_IMPL_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"

extern PyTypeObject _PyDeque_Type;
extern PyTypeObject _PyDequeIter_Type;
extern PyTypeObject _PyDequeRevIter_Type;
void _PyDeque_AddTaker(void);
extern PyTypeObject _PyDefaultDict_Type;

#endif

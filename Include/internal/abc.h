/* What the compiler needs to know of abstract base classes (Lib/_abc.c). */
#ifndef SB_INTERNAL_ABC_H
#define SB_INTERNAL_ABC_H

#include "Python.h"

/* So many classes have been registered anywhere. */
extern unsigned long long _PyABC_Registrations;
/* Is the class known to be no subclass of `abstract`, until another one is registered? Runs no
   code. 0: it is one, or that can't be told, without an exception. */
int _PyABC_IsKnownNot(PyObject *abstract, PyTypeObject *cls);

#endif

/* The exception types (Objects/exceptions). The public structures are 3.11's.

   Start-up: _PyExc_InitTypes() readies them all (bases first), then
   _PyExc_Init() fills what needs objects (errno map, spare MemoryErrors), then
   _PyBuiltins_AddExceptions(builtins) publishes the names. */
#ifndef SB_INTERNAL_EXCEPTIONS_H
#define SB_INTERNAL_EXCEPTIONS_H

#include "Python.h"

int _PyExc_InitTypes(void);
int _PyExc_Init(void);
/* Adds every exception's name to the module. */
int _PyBuiltins_AddExceptions(PyObject *builtins_module);

extern PyTypeObject _PyExc_BaseException;
extern PyTypeObject _PyExc_Exception;
extern PyTypeObject _PyExc_StopIteration;

/* For except*. Returns a new reference. */
PyObject *_PyExc_PrepReraiseStar(PyObject *orig, PyObject *excs);

static inline PyBaseExceptionObject *
_PyExc_BASE(PyObject *exc)
{
    return (PyBaseExceptionObject *)exc;
}

#endif

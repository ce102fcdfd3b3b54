/* Objects that identify interpreters. Compiled modules import these functions. */
#ifndef SB_INTERNAL_INTERPRETER_ID_H
#define SB_INTERNAL_INTERPRETER_ID_H

#include "Python.h"

PyAPI_DATA(PyTypeObject) _PyInterpreterID_Type;
PyAPI_FUNC(PyObject *) _PyInterpreterID_New(int64_t id);
PyAPI_FUNC(PyObject *) _PyInterpreterState_GetIDObject(PyInterpreterState *);
PyAPI_FUNC(PyInterpreterState *) _PyInterpreterID_LookUp(PyObject *);

#endif

/* Interpreters and threads as the runtime knows them, and the GIL of foreign threads. */
#ifndef Py_PYSTATE_H
#define Py_PYSTATE_H

_Py_BEGIN_DECLS

/* Users of _PyCode_SetExtra. */
#define MAX_CO_EXTRA_USERS 255

/* ------------------------------------------------------------- interpreters */

PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_New(void);
PyAPI_FUNC(void) PyInterpreterState_Clear(PyInterpreterState *interp);
PyAPI_FUNC(void) PyInterpreterState_Delete(PyInterpreterState *interp);
/* Of the current thread; the program ends if there is none. */
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Get(void);
#endif
/* -1 is an error. */
#if _Py_API_SINCE(7)
PyAPI_FUNC(int64_t) PyInterpreterState_GetID(PyInterpreterState *interp);
#endif
/* For extensions' own data, borrowed; NULL without an exception if it can't be had. */
#if _Py_API_SINCE(8)
PyAPI_FUNC(PyObject *) PyInterpreterState_GetDict(PyInterpreterState *interp);
#endif

/* The module of a definition in this interpreter, borrowed; NULL without an exception. For
   modules of single-phase initialisation, which register themselves. */
PyAPI_FUNC(PyObject *) PyState_FindModule(PyModuleDef *def);  /* borrowed */
#if _Py_API_SINCE(3)
PyAPI_FUNC(int) PyState_AddModule(PyObject *module, PyModuleDef *def);
PyAPI_FUNC(int) PyState_RemoveModule(PyModuleDef *def);
#endif

/* ------------------------------------------------------------------ threads */

/* Clear needs the GIL; New and Delete don't. */
PyAPI_FUNC(PyThreadState *) PyThreadState_New(PyInterpreterState *interp);
PyAPI_FUNC(void) PyThreadState_Clear(PyThreadState *tstate);
PyAPI_FUNC(void) PyThreadState_Delete(PyThreadState *tstate);
/* The program ends if there is none. */
PyAPI_FUNC(PyThreadState *) PyThreadState_Get(void);
#define PyThreadState_GET() PyThreadState_Get()
/* Makes another one, or NULL, the current one, and gives the former. */
PyAPI_FUNC(PyThreadState *) PyThreadState_Swap(PyThreadState *tstate);
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyInterpreterState *) PyThreadState_GetInterpreter(PyThreadState *tstate);
#endif
/* NULL without an exception: no Python runs. */
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyFrameObject *) PyThreadState_GetFrame(PyThreadState *tstate);
#endif
#if _Py_API_SINCE(9)
PyAPI_FUNC(uint64_t) PyThreadState_GetID(PyThreadState *tstate);
#endif
/* Borrowed; NULL without an exception if there is no current thread. */
PyAPI_FUNC(PyObject *) PyThreadState_GetDict(void);  /* borrowed */
/* How many threads were told to raise exc (NULL: not to): 0 or 1. */
PyAPI_FUNC(int) PyThreadState_SetAsyncExc(unsigned long id, PyObject *exc);

/* ----------------------------------------- threads that Python did not make */

typedef enum {
    PyGILState_LOCKED,
    PyGILState_UNLOCKED
} PyGILState_STATE;

/* From any thread, with the GIL or without: take it; and back to what was before. */
PyAPI_FUNC(PyGILState_STATE) PyGILState_Ensure(void);
PyAPI_FUNC(void) PyGILState_Release(PyGILState_STATE PyGILState_STATE);
/* NULL without an exception if Ensure was never called here. No GIL is needed. */
PyAPI_FUNC(PyThreadState *) PyGILState_GetThisThreadState(void);

#ifndef Py_LIMITED_API
#  include "cpython/pystate.h"
#endif

_Py_END_DECLS
#endif

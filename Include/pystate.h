/* Interpreters and threads as the runtime sees them, and the GIL for threads that Python
   did not make. */
#ifndef Py_PYSTATE_H
#define Py_PYSTATE_H

_Py_BEGIN_DECLS

/* How many users _PyCode_SetExtra can have. */
#define MAX_CO_EXTRA_USERS 255

/* ------------------------------------------------------------- interpreters */

PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_New(void);
PyAPI_FUNC(void) PyInterpreterState_Clear(PyInterpreterState *interp);
PyAPI_FUNC(void) PyInterpreterState_Delete(PyInterpreterState *interp);
/* That of the current thread. The program ends if there is none. */
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Get(void);
#endif
/* -1 is an error. */
#if _Py_API_SINCE(7)
PyAPI_FUNC(int64_t) PyInterpreterState_GetID(PyInterpreterState *interp);
#endif
/* A dict for data of extensions: borrowed, or NULL without an exception if it is not
   available. */
#if _Py_API_SINCE(8)
PyAPI_FUNC(PyObject *) PyInterpreterState_GetDict(PyInterpreterState *interp);
#endif

/* The module of a definition in this interpreter. Returns a borrowed reference, or NULL
   without an exception. For modules with single-phase initialisation, which register
   themselves. */
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
/* Sets the current thread state, which may be NULL. Returns the former one. */
PyAPI_FUNC(PyThreadState *) PyThreadState_Swap(PyThreadState *tstate);
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyInterpreterState *) PyThreadState_GetInterpreter(PyThreadState *tstate);
#endif
/* NULL without an exception if no Python code is running. */
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyFrameObject *) PyThreadState_GetFrame(PyThreadState *tstate);
#endif
#if _Py_API_SINCE(9)
PyAPI_FUNC(uint64_t) PyThreadState_GetID(PyThreadState *tstate);
#endif
/* Returns a borrowed reference, or NULL without an exception if there is no current
   thread. */
PyAPI_FUNC(PyObject *) PyThreadState_GetDict(void);  /* borrowed */
/* exc is raised in the thread; NULL cancels that. Returns how many threads were found: 0
   or 1. */
PyAPI_FUNC(int) PyThreadState_SetAsyncExc(unsigned long id, PyObject *exc);

/* ----------------------------------------------- threads not made by Python */

typedef enum {
    PyGILState_LOCKED,
    PyGILState_UNLOCKED
} PyGILState_STATE;

/* From any thread, with or without the GIL: Ensure takes the GIL, Release restores the
   former state. */
PyAPI_FUNC(PyGILState_STATE) PyGILState_Ensure(void);
PyAPI_FUNC(void) PyGILState_Release(PyGILState_STATE PyGILState_STATE);
/* NULL without an exception if Ensure was never called in this thread. The GIL is not
   needed. */
PyAPI_FUNC(PyThreadState *) PyGILState_GetThisThreadState(void);

#ifndef Py_LIMITED_API
#  include "cpython/pystate.h"
#endif

_Py_END_DECLS
#endif

/* Making frames, and their local variables as a dict. */
#ifndef Py_CPYTHON_FRAMEOBJECT_H
#define Py_CPYTHON_FRAMEOBJECT_H

_Py_BEGIN_DECLS

/* A frame that does not run, for tracebacks. */
PyAPI_FUNC(PyFrameObject *) PyFrame_New(PyThreadState *tstate, PyCodeObject *code,
    PyObject *globals, PyObject *locals);

/* FastToLocals updates f_locals. LocalsToFast writes changes of f_locals back into the
   frame (clear: and unbinds missing variables). The second swallows exceptions. */
PyAPI_FUNC(int) PyFrame_FastToLocalsWithError(PyFrameObject *f);
PyAPI_FUNC(void) PyFrame_FastToLocals(PyFrameObject *f);
PyAPI_FUNC(void) PyFrame_LocalsToFast(PyFrameObject *f, int clear);
PyAPI_FUNC(int) _PyFrame_IsEntryFrame(PyFrameObject *f);

_Py_END_DECLS
#endif

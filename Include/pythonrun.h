/* Compiling and running source text; displaying exceptions. */
#ifndef Py_PYTHONRUN_H
#define Py_PYTHONRUN_H

_Py_BEGIN_DECLS

/* Shows the current exception and clears it. SystemExit ends the program. If
   set_sys_last_vars is 1, sys.last_traceback and so on are set, as Print does. */
PyAPI_FUNC(void) PyErr_Print(void);
PyAPI_FUNC(void) PyErr_PrintEx(int set_sys_last_vars);
PyAPI_FUNC(void) PyErr_Display(PyObject *exception, PyObject *value, PyObject *tb);

/* Returns a code object. The values of start are in compile.h. */
PyAPI_FUNC(PyObject *) Py_CompileString(const char *str, const char *filename, int start);

/* Called while the prompt waits for a key. */
extern Py_IMPORTED_SYMBOL int (*PyOS_InputHook)(void);

/* The number of bytes that a check of the C stack keeps free. */
#define PYOS_STACK_MARGIN 2048

#ifndef Py_LIMITED_API
#  include "cpython/pythonrun.h"
#endif

_Py_END_DECLS
#endif

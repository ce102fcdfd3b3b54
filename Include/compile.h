/* The kinds of source: the `start` of PyRun_String and Py_CompileString. */
#ifndef Py_COMPILE_H
#define Py_COMPILE_H

#define Py_single_input    256      /* one statement, whose value is displayed */
#define Py_file_input      257
#define Py_eval_input      258
#define Py_func_type_input 345      /* the type comment of a function */
#define Py_fstring_input   800

#ifndef Py_LIMITED_API
#  include "cpython/compile.h"
#endif
#endif

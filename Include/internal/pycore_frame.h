/* The frame object's fields, for C code that reads or sets them: code that Cython
   generates sets f_back of generators' frames and f_lineno of the frames that it makes for
   tracebacks. The one internal header that is installed.

   All fields but `own` are where CPython 3.11 has them, because modules compiled with its
   headers use them too. What `vm` points to is private. */
#ifndef Py_INTERNAL_FRAME_H
#define Py_INTERNAL_FRAME_H

#include <stdint.h>
#include "Python.h"
#include "frameobject.h"

struct _frame {
    PyObject_HEAD
    PyFrameObject *f_back;
    struct _PyInterpreterFrame *vm;
    PyObject *f_trace;
    int f_lineno;               /* 0, or the line last reported to a tracer */
    char f_trace_lines;
    char f_trace_opcodes;
    char f_fast_as_locals;      /* the locals dict has been asked for */
    char tracked;
    uint64_t own[];
};

#endif

/* The frame object: what Python and C code see of a frame.

   `vm` points to the frame itself. While the frame may run, it is on a thread's stack
   or in a generator, and owns one reference to its object; f_back follows from
   vm->previous. Once it has ended, it is in `own`, at the end of the object (owner
   FRAME_OBJECT), and f_back is the caller's object. */
#ifndef SB_INTERNAL_FRAME_OBJECT_H
#define SB_INTERNAL_FRAME_OBJECT_H

#include "Python.h"
#include "internal/frame.h"
#include "internal/pycore_frame.h"

/* Moves control of a frame that a tracer has stopped to another line: the
   setter of f_lineno. 0, or -1 with ValueError. */
int _PyFrame_Jump(PyFrameObject *frame_obj, int line);

/* The dict of a frame's variables, brought up to date. Returns a borrowed reference, NULL
   with an exception. */
PyObject *_PyFrame_Locals(PyVMFrame *f);

/* Of a frame that went to an exception handler last: the words from which and to which, plus 1,
   else 0. In the memory that holds the frame when it has ended. */
typedef struct {
    uint32_t from, to;
} _PyFrameHandled;

static inline _PyFrameHandled *
_PyFrame_Handled(PyVMFrame *f)
{
    PyFrameObject *op = f->frame_obj;
    return op != NULL && op->vm == f && (void *)f != op->own ? (_PyFrameHandled *)op->own : NULL;
}

#endif

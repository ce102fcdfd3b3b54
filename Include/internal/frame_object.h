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

/* Somebody has asked for that dict: it may be out of date. */
static inline int
_PyFrame_HasLocals(PyFrameObject *frame_obj)
{
    return frame_obj->vm->locals != NULL;
}

#endif

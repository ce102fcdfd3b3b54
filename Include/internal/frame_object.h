/* The frame object: what Python and C code hold of a frame.

   `vm` is where the frame itself is: on a thread's stack or in a generator
   while it may run, and in `own`, at the end of the object, once it has ended
   (owner FRAME_OBJECT). The frame owns one reference to its object. Then
   f_back is the caller's object; until then it follows from vm->previous. */
#ifndef SB_INTERNAL_FRAME_OBJECT_H
#define SB_INTERNAL_FRAME_OBJECT_H

#include "Python.h"
#include "internal/frame.h"
#include "internal/pycore_frame.h"

/* Moves control of a frame that a tracer has stopped to another line: the
   setter of f_lineno. 0, or -1 with ValueError. */
int _PyFrame_Jump(PyFrameObject *frame_obj, int line);

/* The dict of a frame's variables, brought up to date: borrowed, NULL with an
   exception. */
PyObject *_PyFrame_Locals(PyVMFrame *f);

#endif

/* super (Objects/super.c): what it shares with the VM. */
#ifndef SB_INTERNAL_SUPER_H
#define SB_INTERNAL_SUPER_H

#include "Python.h"

/* obj is NULL while unbound; obj_type is the type whose MRO is searched. */
typedef struct {
    PyObject_HEAD
    PyTypeObject *type;
    PyObject *obj;
    PyTypeObject *obj_type;
} superobject;

/* super() without arguments asks the VM, through this hook, for the class
   (cell __class__) and the first argument of the calling Python function. Stores new
   references; -1 with RuntimeError ("super(): no arguments",
   "super(): __class__ cell not found", "super(): empty __class__ cell",
   "super(): arg[0] deleted", "super(): no current frame"). */
extern int (*_PySuper_FromFrame)(PyTypeObject **type, PyObject **obj);

#endif

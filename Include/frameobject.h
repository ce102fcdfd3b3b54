/* Making frames, and their local variables. Not part of Python.h: has to be included
   separately. */
#ifndef Py_FRAMEOBJECT_H
#define Py_FRAMEOBJECT_H

#include "pyframe.h"

#ifndef Py_LIMITED_API
#  include "cpython/frameobject.h"
#endif
#endif

/* Internals of OrderedDict that other files use. */
#ifndef SB_INTERNAL_ODICT_H
#define SB_INTERNAL_ODICT_H

#include "Python.h"

/* MutableMapping.update(self, *args, **kwargs): args holds at most one item. */
int _PyODict_Update(PyObject *self, PyObject *args, PyObject *kwargs);

#endif

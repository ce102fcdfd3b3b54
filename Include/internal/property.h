/* property objects, for those who call getters without them (Python/vm). */
#ifndef SB_INTERNAL_PROPERTY_H
#define SB_INTERNAL_PROPERTY_H

#include "Python.h"

typedef struct {
    PyObject_HEAD
    PyObject *fget;
    PyObject *fset;
    PyObject *fdel;
    PyObject *doc;
    PyObject *name;             /* from __set_name__, for messages */
    int doc_from_getter;
} propertyobject;

#endif

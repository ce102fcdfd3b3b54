/* The fields of property objects, for the VM, which calls getters directly. */
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

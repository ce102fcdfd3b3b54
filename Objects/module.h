/* Modules (Objects/module.c): layout and helpers. */
#ifndef SB_INTERNAL_MODULE_H
#define SB_INTERNAL_MODULE_H

#include "Python.h"

typedef struct {
    PyObject_HEAD
    PyObject *md_dict;
    PyModuleDef *md_def;
    void *md_state;
    PyObject *md_weaklist;
    PyObject *md_name;          /* for messages when __name__ is gone */
} PyModuleObject;

/* Returns a borrowed reference. */
static inline PyObject *
_PyModule_GetDictInline(PyObject *module)
{
    return ((PyModuleObject *)module)->md_dict;
}

/* Does the spec say that the module is being imported? Returns 1 or 0; errors are
   swallowed. */
int _PyModuleSpec_IsInitializing(PyObject *spec);

/* Clears the globals at shut-down, in two steps: names with one underscore first. */
void _PyModule_ClearDict(PyObject *dict);
void _PyModule_Clear(PyObject *module);

#endif

/* Import: what Python/runtime/import shares. */
#ifndef SB_INTERNAL_IMPORT_H
#define SB_INTERNAL_IMPORT_H

#include "Python.h"

/* A module built into the binary as marshalled code. code == NULL: it is compiled when it
   is imported, from `text` or else from a file of the standard library. */
typedef struct {
    const char *name;
    const char *original;       /* its name in the library ("<pkg": the package's
                                   __init__); NULL: it is not there */
    const unsigned char *code;
    int size;
    int is_package;
    const char *source;         /* relative to the standard library */
    const char *text;
    PyObject *(*get_code)(void);    /* embedders' modules may have it instead of code */
    int from_embedder;
} _PyFrozenModule;

extern const _PyFrozenModule _PyImport_Frozen[];
/* Fills the tables that extensions and embedders read. */
void _PyImport_InitFrozenTables(void);

/* Ours or PyImport_FrozenModules': 1, or 0 when there is no such module. */
int _PyImport_FindFrozen(PyObject *name, _PyFrozenModule *found);
/* The code object. Returns a new reference. */
PyObject *_PyImport_FrozenCode(const _PyFrozenModule *module);

/* The C initialiser of a built-in module; NULL when there is none. */
PyObject *(*_PyImport_BuiltinInit(PyObject *name))(void);
/* Creates a module from an initialiser: a complete one in single phase, one that is still
   to be executed in multi-phase. Returns a new reference. */
PyObject *_PyImport_InitModule(PyObject *(*init)(void), PyObject *spec, PyObject *name,
                               PyObject *filename);
/* Runs the Py_mod_exec slots of a module, if it has a definition and they have not run
   yet. 0 or -1. */
int _PyImport_ExecModule(PyObject *module);
/* dlopen and the PyInit_ function. */
PyObject *_PyImport_LoadDynamic(PyObject *spec);
/* A module that has been initialised in single phase before. Returns a new reference, or
   NULL (maybe without an exception). */
PyObject *_PyImport_FindExtension(PyObject *name, PyObject *filename);
/* Forgets all of these, so that a later Py_Initialize initialises them afresh. */
void _PyImport_ForgetExtensions(void);

/* relative.c: the absolute name of the module that `from ..name import` in code with these globals
   means. Returns a new reference. *is_kept: from before. */
PyObject *_PyImport_ResolveName(PyObject *name, PyObject *globals, int level, int *is_kept);
/* There is that module: the name is kept, if the globals are as usual. */
void _PyImport_KeepName(PyObject *name, PyObject *globals, int level, PyObject *absolute);
void _PyImport_ForgetNames(PyInterpreterState *interp);

void _PyImport_Acquire(void);
int _PyImport_Release(void);
int _PyImport_LockHeld(void);

#endif

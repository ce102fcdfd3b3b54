/* The frozen modules. Until the build freezes them into the binary, start-up
   compiles importlib from the standard library's source. */
#include "Python.h"
#include "internal/import.h"

const _PyFrozenModule _PyImport_Frozen[] = {
    {"_frozen_importlib", NULL, 0, 0, "importlib/_bootstrap.py"},
    {"_frozen_importlib_external", NULL, 0, 0, "importlib/_bootstrap_external.py"},
    {"zipimport", NULL, 0, 0, "zipimport.py"},
    {NULL, NULL, 0, 0, NULL}
};

const struct _frozen *PyImport_FrozenModules = NULL;

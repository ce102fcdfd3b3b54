/* The frozen modules. Until the build freezes them into the binary, start-up
   compiles importlib from the standard library's source; the others, which are
   there for tests of the import system, are compiled when they are imported. */
#include "Python.h"
#include "internal/import.h"

const _PyFrozenModule _PyImport_Frozen[] = {
    {"_frozen_importlib", "importlib._bootstrap", .source = "importlib/_bootstrap.py"},
    {"_frozen_importlib_external", "importlib._bootstrap_external",
     .source = "importlib/_bootstrap_external.py"},
    {"zipimport", "zipimport", .source = "zipimport.py"},
    {"__hello__", "__hello__", .source = "__hello__.py"},
    {"__hello_alias__", "__hello__", .source = "__hello__.py"},
    {"__phello_alias__", "__hello__", .source = "__hello__.py", .is_package = 1},
    {"__phello_alias__.spam", "__hello__", .source = "__hello__.py"},
    {"__phello__", "__phello__", .source = "__phello__/__init__.py", .is_package = 1},
    {"__phello__.__init__", "<__phello__", .source = "__phello__/__init__.py"},
    {"__phello__.ham", "__phello__.ham", .text = "", .is_package = 1},
    {"__phello__.ham.__init__", "<__phello__.ham", .text = ""},
    {"__phello__.ham.eggs", "__phello__.ham.eggs", .text = ""},
    {"__phello__.spam", "__phello__.spam", .source = "__phello__/spam.py"},
    {"__hello_only__", NULL, .text = "initialized = True\nprint('Hello world!')\n"},
    {.name = NULL}
};

const struct _frozen *PyImport_FrozenModules = NULL;

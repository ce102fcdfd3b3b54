/* The frozen modules.

   Compiled twice. The build's first python (SB_STAGE1) has no code in it: it
   compiles importlib from the standard library's source at every start, and
   its one job is to write frozen_modules.h (Tools/freeze). The second one has
   what start-up imports in the binary. Modules that only tests of the import
   system use are compiled when they are imported. */
#include "Python.h"
#include "internal/import.h"

#ifdef SB_STAGE1
# define FROZEN_ROWS \
    {"_frozen_importlib", "importlib._bootstrap", .source = "importlib/_bootstrap.py"}, \
    {"_frozen_importlib_external", "importlib._bootstrap_external", \
     .source = "importlib/_bootstrap_external.py"}, \
    {"zipimport", "zipimport", .source = "zipimport.py"}, \
    {"__hello__", "__hello__", .source = "__hello__.py"},
#else
# include "generated/frozen_modules.h"
#endif

const _PyFrozenModule _PyImport_Frozen[] = {
    FROZEN_ROWS
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

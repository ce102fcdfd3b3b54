/* The frozen modules.

   Compiled twice. The build's first python (SB_STAGE1) has none in it: it
   compiles importlib from the standard library's source at every start, and
   its one job is to write frozen_modules.h (Tools/freeze). The second one has
   what start-up imports in the binary. */
#include "Python.h"
#include "internal/import.h"

#ifdef SB_STAGE1
# define FROZEN_ROWS \
    {"_frozen_importlib", NULL, 0, 0, "importlib/_bootstrap.py"}, \
    {"_frozen_importlib_external", NULL, 0, 0, "importlib/_bootstrap_external.py"}, \
    {"zipimport", NULL, 0, 0, "zipimport.py"},
#else
# include "generated/frozen_modules.h"
#endif

const _PyFrozenModule _PyImport_Frozen[] = {
    FROZEN_ROWS
    {NULL, NULL, 0, 0, NULL}
};

const struct _frozen *PyImport_FrozenModules = NULL;

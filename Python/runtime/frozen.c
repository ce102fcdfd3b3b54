/* The frozen modules.

   This file is compiled twice. The build's first python (SB_STAGE1) has no frozen code:
   it compiles importlib from the standard library's source at every start, and is only
   used to write frozen_modules.h (Tools/freeze). The second one contains the modules that
   start-up imports. Modules that are only used by tests of the import system are compiled
   when they are imported. */
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

/* The same in CPython's layout: the modules of start-up, other modules of the library,
   and modules for tests; each table ends with an empty row. Modules that are compiled
   when they are imported have no code in it. */
static struct _frozen public_rows[Py_ARRAY_LENGTH(_PyImport_Frozen) + 2];
PyAPI_DATA(const struct _frozen *) _PyImport_FrozenBootstrap;
PyAPI_DATA(const struct _frozen *) _PyImport_FrozenStdlib;
PyAPI_DATA(const struct _frozen *) _PyImport_FrozenTest;
const struct _frozen *_PyImport_FrozenBootstrap;
const struct _frozen *_PyImport_FrozenStdlib;
const struct _frozen *_PyImport_FrozenTest;

static int
belongs_to_bootstrap(const char *name)
{
    return strncmp(name, "_frozen_importlib", 17) == 0 || strcmp(name, "zipimport") == 0;
}

static int
find_embedders(PyObject *name, _PyFrozenModule *found)
{
    for (const struct _frozen *m = PyImport_FrozenModules; m != NULL && m->name != NULL; m++) {
        if (_PyUnicode_EqualToASCIIString(name, m->name)) {
            *found = (_PyFrozenModule){
                .name = m->name, .original = m->name, .code = m->code, .size = m->size,
                .is_package = m->is_package, .from_embedder = 1,
                .get_code = m->code == NULL ? m->get_code : NULL,
            };
            return m->code != NULL || m->get_code != NULL;
        }
    }
    return -1;
}

/* A module of the embedder takes precedence over the library's, and hides it even if it
   has no code. The modules that start-up needs are always ours. */
int
_PyImport_FindFrozen(PyObject *name, _PyFrozenModule *found)
{
    const _PyFrozenModule *m = _PyImport_Frozen;
    while (m->name != NULL && !_PyUnicode_EqualToASCIIString(name, m->name)) {
        m++;
    }
    int have = m->name != NULL && belongs_to_bootstrap(m->name) ? -1
                                                                : find_embedders(name, found);
    if (have >= 0) {
        return have;
    }
    *found = *m;
    return m->name != NULL;
}

void
_PyImport_InitFrozenTables(void)
{
    const _PyFrozenModule *from = _PyImport_Frozen;
    struct _frozen *to = public_rows;
    const struct _frozen **tables[] = {
        &_PyImport_FrozenBootstrap, &_PyImport_FrozenStdlib, &_PyImport_FrozenTest,
    };
    for (int table = 0; table < 3; table++) {
        *tables[table] = to;
        for (; from->name != NULL; from++) {
            if ((table == 0 && !belongs_to_bootstrap(from->name))
                || (table == 1 && strncmp(from->name, "__", 2) == 0)) {
                break;
            }
            *to++ = (struct _frozen){
                .name = from->name, .code = from->code, .size = from->size,
                .is_package = from->is_package,
            };
        }
        *to++ = (struct _frozen){.name = NULL};
    }
}

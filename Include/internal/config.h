/* From a command line to a complete PyConfig. Order: PyConfig_Init… sets
   defaults, argv is stored, PyConfig_Read parses options, then the environment
   fills what options left open, then paths are computed. All of it works before
   any Python object exists. */
#ifndef SB_INTERNAL_CONFIG_H
#define SB_INTERNAL_CONFIG_H

#include "Python.h"
#include "internal/options.h"

/* What the command line asked for instead of running a program. */
typedef struct {
    int print_version;          /* 1, 2: -V, -VV */
    int print_help;             /* 1 -h, 2 --help-env, 3 --help-xoptions, 4 --help-all */
    int usage_error;            /* options were wrong: usage is shown, exit 2 */
} _PyConfigRequest;

extern _PyConfigRequest _PyConfig_Request;

/* Copies `from`; NULL stays NULL. Replaces *to. */
PyStatus _PyConfig_SetWide(wchar_t **to, const wchar_t *from);
PyAPI_FUNC(PyObject *) _PyConfig_AsDict(const PyConfig *config);
/* config/dict.c: the reverse; -1 with an exception set. */
PyAPI_FUNC(int) _PyConfig_FromDict(PyConfig *config, PyObject *dict);
PyAPI_FUNC(PyObject *) _Py_GetConfigsAsDict(void);
PyAPI_FUNC(char *) _Py_SetLocaleFromEnv(int category);
PyAPI_FUNC(void) _PyPathConfig_ClearGlobal(void);
PyAPI_FUNC(PyObject *) _Py_Get_Getpath_CodeObject(void);
PyStatus _PyConfig_Copy(PyConfig *to, const PyConfig *from);
void _PyWideStringList_Clear(PyWideStringList *list);

/* config/args.c: moves options from config->argv into the other fields. */
PyStatus _PyConfig_ParseOptions(PyConfig *config);

/* Takes what Py_SetProgramName, Py_SetPythonHome and Py_SetPath have set, where the
   configuration leaves it open. config/paths.c */
PyStatus _PyConfig_TakeLegacyPaths(PyConfig *config);
/* Takes the options given to PySys_AddWarnOption and PySys_AddXOption before there was
   an interpreter. sys/legacy.c */
PyStatus _PySys_TakeEarlyOptions(PyConfig *config);
PyStatus _PySys_TakeEarlyEncoding(PyConfig *config);
/* "name=value" options as a dict; without "=" the value is True. sys/data.c */
PyObject *_PySys_XOptionsDict(const PyWideStringList *list);

/* config/paths.c */
PyStatus _PyConfig_ReadPaths(PyConfig *config);
/* Writes to stderr where things were looked for. */
void _PyConfig_DumpPaths(const PyConfig *config);
/* Where bytecode of the standard library is kept below its full path; "" when
   this build or installation has none. */
const char *_PyConfig_LibraryCache(void);
/* config/preconfig.c: locale and UTF-8 mode, before the command line is decoded. */
PyStatus _PyPreConfig_Run(const PyPreConfig *src, int argc, char *const *argv);

int _PyConfig_IntMaxStrDigits(void);
int _PyConfig_IntMaxStrDigitsFlag(void);     /* -1: not asked for */

#endif

/* The configuration of the interpreter. The values set here, the environment and the
   command line decide, in this order (see "Python Initialization Configuration" in the
   manual). */
#if !defined(Py_PYCORECONFIG_H) && !defined(Py_LIMITED_API)
#define Py_PYCORECONFIG_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------------------- status */

/* Success, an error with a message, or a request to exit. It is used where no exception
   can be set yet. */
typedef struct {
    enum {
        _PyStatus_TYPE_OK = 0,
        _PyStatus_TYPE_ERROR = 1,
        _PyStatus_TYPE_EXIT = 2
    } _type;
    const char *func;
    const char *err_msg;
    int exitcode;
} PyStatus;

PyAPI_FUNC(PyStatus) PyStatus_Ok(void);
PyAPI_FUNC(PyStatus) PyStatus_Error(const char *err_msg);
PyAPI_FUNC(PyStatus) PyStatus_NoMemory(void);
PyAPI_FUNC(PyStatus) PyStatus_Exit(int exitcode);
/* PyStatus_Exception: whether it is an error or an exit. */
PyAPI_FUNC(int) PyStatus_IsError(PyStatus err);
PyAPI_FUNC(int) PyStatus_IsExit(PyStatus err);
PyAPI_FUNC(int) PyStatus_Exception(PyStatus err);

/* -------------------------------------------------------------------- lists */

typedef struct {
    Py_ssize_t length;
    wchar_t **items;        /* PyMem_RawMalloc, each item too */
} PyWideStringList;

PyAPI_FUNC(PyStatus) PyWideStringList_Append(PyWideStringList *list, const wchar_t *item);
PyAPI_FUNC(PyStatus) PyWideStringList_Insert(PyWideStringList *list, Py_ssize_t index,
    const wchar_t *item);

/* --------------------------------------------------------- preconfiguration */

typedef struct PyPreConfig {
    int _config_init;           /* which of the Init functions was called */
    int parse_argv;
    int isolated;
    int use_environment;
    int configure_locale;
    int coerce_c_locale;
    int coerce_c_locale_warn;
    int utf8_mode;
    int dev_mode;
    int allocator;              /* PyMemAllocatorName */
} PyPreConfig;

PyAPI_FUNC(void) PyPreConfig_InitPythonConfig(PyPreConfig *config);
PyAPI_FUNC(void) PyPreConfig_InitIsolatedConfig(PyPreConfig *config);

/* ----------------------------------------------------------------- PyConfig */

/* Call one of the Init functions first, set texts with the Set functions, which copy
   them, and call Clear at the end. -1 and NULL mean "not set": the value is computed. */
typedef struct PyConfig {
    int _config_init;

    int isolated;               /* -I */
    int use_environment;        /* -E */
    int dev_mode;               /* -X dev */
    int install_signal_handlers;
    int use_hash_seed;
    unsigned long hash_seed;    /* PYTHONHASHSEED */
    int faulthandler;
    int tracemalloc;            /* frames to keep */
    int import_time;
    int code_debug_ranges;
    int show_ref_count;
    int dump_refs;
    wchar_t *dump_refs_file;
    int malloc_stats;
    wchar_t *filesystem_encoding;
    wchar_t *filesystem_errors;
    wchar_t *pycache_prefix;
    int parse_argv;
    PyWideStringList orig_argv;
    PyWideStringList argv;      /* sys.argv */
    PyWideStringList xoptions;
    PyWideStringList warnoptions;
    int site_import;
    int bytes_warning;
    int warn_default_encoding;
    int inspect;
    int interactive;
    int optimization_level;
    int parser_debug;
    int write_bytecode;
    int verbose;
    int quiet;
    int user_site_directory;
    int configure_c_stdio;
    int buffered_stdio;
    wchar_t *stdio_encoding;
    wchar_t *stdio_errors;
    wchar_t *check_hash_pycs_mode;
    int use_frozen_modules;
    int safe_path;              /* -P */
    int pathconfig_warnings;

    /* Paths. */
    wchar_t *program_name;
    wchar_t *pythonpath_env;
    wchar_t *home;
    wchar_t *platlibdir;
    int module_search_paths_set;
    PyWideStringList module_search_paths;
    wchar_t *stdlib_dir;
    wchar_t *executable;
    wchar_t *base_executable;
    wchar_t *prefix;
    wchar_t *base_prefix;
    wchar_t *exec_prefix;
    wchar_t *base_exec_prefix;

    /* The program that Py_RunMain runs. */
    int skip_source_first_line;
    wchar_t *run_command;       /* -c */
    wchar_t *run_module;        /* -m */
    wchar_t *run_filename;

    int _install_importlib;
    int _init_main;
    int _isolated_interpreter;
    int _is_python_build;
} PyConfig;

PyAPI_FUNC(void) PyConfig_InitPythonConfig(PyConfig *config);
PyAPI_FUNC(void) PyConfig_InitIsolatedConfig(PyConfig *config);
PyAPI_FUNC(void) PyConfig_Clear(PyConfig *config);
/* config_str points to a member of config. */
PyAPI_FUNC(PyStatus) PyConfig_SetString(PyConfig *config, wchar_t **config_str,
    const wchar_t *str);
PyAPI_FUNC(PyStatus) PyConfig_SetBytesString(PyConfig *config, wchar_t **config_str,
    const char *str);
PyAPI_FUNC(PyStatus) PyConfig_SetArgv(PyConfig *config, Py_ssize_t argc,
    wchar_t *const *argv);
PyAPI_FUNC(PyStatus) PyConfig_SetBytesArgv(PyConfig *config, Py_ssize_t argc,
    char *const *argv);
PyAPI_FUNC(PyStatus) PyConfig_SetWideStringList(PyConfig *config, PyWideStringList *list,
    Py_ssize_t length, wchar_t **items);
/* Computes the values that are not set. */
PyAPI_FUNC(PyStatus) PyConfig_Read(PyConfig *config);

/* The arguments of the process, as main() got them. */
PyAPI_FUNC(void) Py_GetArgcArgv(int *argc, wchar_t ***argv);

_Py_END_DECLS
#endif

/* PyConfig: creating and clearing it, its setters, and the settings that come from the
   environment.

   fields.def lists the members. Code that treats them all alike (defaults, copies,
   clearing, conversion to a dict) includes it. */
#include "Python.h"
#include "internal/config.h"
#include "internal/pystate.h"
#include "internal/runtime.h"

#include <langinfo.h>
#include <locale.h>
#include <stddef.h>

_PyConfigRequest _PyConfig_Request;

/* ----------------------------------------------------------------- PyStatus */

PyStatus
PyStatus_Ok(void)
{
    return (PyStatus){._type = _PyStatus_TYPE_OK};
}

PyStatus
PyStatus_Error(const char *err_msg)
{
    return (PyStatus){._type = _PyStatus_TYPE_ERROR, .err_msg = err_msg};
}

PyStatus
PyStatus_NoMemory(void)
{
    return PyStatus_Error("memory allocation failed");
}

PyStatus
PyStatus_Exit(int exitcode)
{
    return (PyStatus){._type = _PyStatus_TYPE_EXIT, .exitcode = exitcode};
}

int
PyStatus_IsError(PyStatus status)
{
    return status._type == _PyStatus_TYPE_ERROR;
}

int
PyStatus_IsExit(PyStatus status)
{
    return status._type == _PyStatus_TYPE_EXIT;
}

int
PyStatus_Exception(PyStatus status)
{
    return status._type != _PyStatus_TYPE_OK;
}

#define TRY(call) do { PyStatus s_ = (call); if (PyStatus_Exception(s_)) return s_; } while (0)

static PyStatus
failed(const char *func, const char *message)
{
    PyStatus status = PyStatus_Error(message);
    status.func = func;
    return status;
}

/* ------------------------------------------------------------- string lists */

void
_PyWideStringList_Clear(PyWideStringList *list)
{
    for (Py_ssize_t i = 0; i < list->length; i++) {
        PyMem_RawFree(list->items[i]);
    }
    PyMem_RawFree(list->items);
    list->length = 0;
    list->items = NULL;
}

PyStatus
PyWideStringList_Insert(PyWideStringList *list, Py_ssize_t index, const wchar_t *item)
{
    if (index < 0) {
        return failed("PyWideStringList_Insert", "PyWideStringList_Insert index must be >= 0");
    }
    if (index > list->length) {
        index = list->length;
    }
    wchar_t *copy = _PyMem_RawWcsdup(item);
    wchar_t **items = copy == NULL ? NULL
        : PyMem_RawRealloc(list->items, (size_t)(list->length + 1) * sizeof(*items));
    if (items == NULL) {
        PyMem_RawFree(copy);
        return PyStatus_NoMemory();
    }
    memmove(items + index + 1, items + index, (size_t)(list->length - index) * sizeof(*items));
    items[index] = copy;
    list->items = items;
    list->length++;
    return PyStatus_Ok();
}

PyStatus
PyWideStringList_Append(PyWideStringList *list, const wchar_t *item)
{
    return PyWideStringList_Insert(list, list->length, item);
}

static PyStatus
set_list(PyWideStringList *list, Py_ssize_t n, wchar_t *const *items)
{
    PyWideStringList copy = {0, NULL};
    for (Py_ssize_t i = 0; i < n; i++) {
        PyStatus status = PyWideStringList_Append(&copy, items[i]);
        if (PyStatus_Exception(status)) {
            _PyWideStringList_Clear(&copy);
            return status;
        }
    }
    _PyWideStringList_Clear(list);
    *list = copy;
    return PyStatus_Ok();
}

/* ------------------------------------------------ initialising and clearing */

void
PyConfig_InitPythonConfig(PyConfig *config)
{
    memset(config, 0, sizeof(*config));
    config->_config_init = 2;
#define INT(name, python, alone) config->name = (python);
#define ULONG(name)
#define WSTR(name)
#define LIST(name)
#include "fields.def"
#undef INT
}

void
PyConfig_InitIsolatedConfig(PyConfig *config)
{
    memset(config, 0, sizeof(*config));
    config->_config_init = 3;
#define INT(name, python, alone) config->name = (alone);
#include "fields.def"
#undef INT
#undef ULONG
#undef WSTR
#undef LIST
}

void
PyConfig_Clear(PyConfig *config)
{
#define INT(name, python, alone)
#define ULONG(name)
#define WSTR(name) PyMem_RawFree(config->name); config->name = NULL;
#define LIST(name) _PyWideStringList_Clear(&config->name);
#include "fields.def"
#undef INT
#undef ULONG
#undef WSTR
#undef LIST
}

PyStatus
_PyConfig_Copy(PyConfig *to, const PyConfig *from)
{
    PyConfig_Clear(to);
    to->_config_init = from->_config_init;
#define INT(name, python, alone) to->name = from->name;
#define ULONG(name) to->name = from->name;
#define WSTR(name) TRY(_PyConfig_SetWide(&to->name, from->name));
#define LIST(name) TRY(set_list(&to->name, from->name.length, from->name.items));
#include "fields.def"
#undef INT
#undef ULONG
#undef WSTR
#undef LIST
    return PyStatus_Ok();
}

PyObject *
_PyConfig_AsDict(const PyConfig *config)
{
    PyObject *dict = PyDict_New(), *value;
#define PUT(name, expression) \
    value = dict == NULL ? NULL : (expression); \
    if (value == NULL || PyDict_SetItemString(dict, #name, value) < 0) { \
        Py_CLEAR(dict); \
    } \
    Py_XDECREF(value);
#define INT(name, python, alone) PUT(name, PyLong_FromLong(config->name))
#define ULONG(name) PUT(name, PyLong_FromUnsignedLong(config->name))
#define WSTR(name) PUT(name, config->name == NULL ? Py_NewRef(Py_None) \
                             : PyUnicode_FromWideChar(config->name, -1))
#define LIST(name) \
    value = dict == NULL ? NULL : PyList_New(config->name.length); \
    for (Py_ssize_t i = 0; value != NULL && i < config->name.length; i++) { \
        PyObject *item = PyUnicode_FromWideChar(config->name.items[i], -1); \
        if (item == NULL) { \
            Py_CLEAR(value); \
            break; \
        } \
        PyList_SET_ITEM(value, i, item); \
    } \
    if (value == NULL || PyDict_SetItemString(dict, #name, value) < 0) { \
        Py_CLEAR(dict); \
    } \
    Py_XDECREF(value);
    PUT(_config_init, PyLong_FromLong(config->_config_init))
#include "fields.def"
#undef INT
#undef ULONG
#undef WSTR
#undef LIST
#undef PUT
    return dict;
}

PyStatus
_PyConfig_SetWide(wchar_t **to, const wchar_t *from)
{
    wchar_t *copy = NULL;
    if (from != NULL) {
        copy = _PyMem_RawWcsdup(from);
        if (copy == NULL) {
            return PyStatus_NoMemory();
        }
    }
    PyMem_RawFree(*to);
    *to = copy;
    return PyStatus_Ok();
}

PyStatus
PyConfig_SetString(PyConfig *config, wchar_t **field, const wchar_t *text)
{
    (void)config;
    return _PyConfig_SetWide(field, text);
}

PyStatus
PyConfig_SetBytesString(PyConfig *config, wchar_t **field, const char *text)
{
    wchar_t *wide = NULL;
    if (text != NULL) {
        TRY(_PyPreConfig_Run(NULL, 0, NULL));
        size_t len;
        wide = Py_DecodeLocale(text, &len);
        if (wide == NULL) {
            return len == (size_t)-2 ? PyStatus_Error("cannot decode string")
                                     : PyStatus_NoMemory();
        }
    }
    PyStatus status = PyConfig_SetString(config, field, wide);
    PyMem_RawFree(wide);
    return status;
}

PyStatus
PyConfig_SetWideStringList(PyConfig *config, PyWideStringList *list, Py_ssize_t length,
                           wchar_t **items)
{
    (void)config;
    return set_list(list, length, items);
}

PyStatus
PyConfig_SetArgv(PyConfig *config, Py_ssize_t argc, wchar_t *const *argv)
{
    return set_list(&config->argv, argc, argv);
}

PyStatus
PyConfig_SetBytesArgv(PyConfig *config, Py_ssize_t argc, char *const *argv)
{
    TRY(_PyPreConfig_Run(NULL, (int)argc, argv));
    PyWideStringList wide = {0, NULL};
    PyStatus status = PyStatus_Ok();
    for (Py_ssize_t i = 0; i < argc && !PyStatus_Exception(status); i++) {
        size_t len;
        wchar_t *text = Py_DecodeLocale(argv[i], &len);
        if (text == NULL) {
            status = len == (size_t)-2 ? PyStatus_Error("cannot decode command line arguments")
                                       : PyStatus_NoMemory();
            break;
        }
        status = PyWideStringList_Append(&wide, text);
        PyMem_RawFree(text);
    }
    if (!PyStatus_Exception(status)) {
        _PyWideStringList_Clear(&config->argv);
        config->argv = wide;
    }
    else {
        _PyWideStringList_Clear(&wide);
    }
    return status;
}

/* ---------------------------------------------------------- the environment */

static PyStatus
env_string(PyConfig *config, const char *name, wchar_t **field)
{
    const char *value = *field == NULL ? _PyConfig_Getenv(config, name) : NULL;
    return value == NULL ? PyStatus_Ok() : PyConfig_SetBytesString(config, field, value);
}

/* A flag variable: a number is used as it is, any other text counts as 1. */
static int
env_level(const PyConfig *config, const char *name)
{
    const char *value = _PyConfig_Getenv(config, name);
    if (value == NULL) {
        return 0;
    }
    char *end;
    long level = strtol(value, &end, 10);
    return *end != '\0' || level < 0 || level > INT_MAX ? 1 : (int)level;
}

static void
decide_level(PyConfig *config, int *field, const char *name)
{
    int from_env = env_level(config, name);
    if (*field < from_env) {
        *field = from_env;
    }
    if (*field < 0) {
        *field = 0;
    }
}

static PyStatus
read_hash_seed(PyConfig *config)
{
    if (config->use_hash_seed >= 0) {
        return PyStatus_Ok();
    }
    const char *text = _PyConfig_Getenv(config, "PYTHONHASHSEED");
    config->use_hash_seed = 0;
    config->hash_seed = 0;
    if (text != NULL && strcmp(text, "random") != 0) {
        char *end;
        errno = 0;
        unsigned long seed = strtoul(text, &end, 10);
        if (*end != '\0' || text[0] == '-' || seed > 4294967295UL || errno == ERANGE) {
            return failed("config_init_hash_seed",
                          "PYTHONHASHSEED must be \"random\" or an integer in range "
                          "[0; 4294967295]");
        }
        config->use_hash_seed = 1;
        config->hash_seed = seed;
    }
    return PyStatus_Ok();
}

/* -1: not set, so the default of 4300 is used. */
static int int_max_str_digits = -1;

int
_PyConfig_IntMaxStrDigits(void)
{
    return int_max_str_digits < 0 ? 4300 : int_max_str_digits;
}

int
_PyConfig_IntMaxStrDigitsFlag(void)
{
    return int_max_str_digits;
}

static PyStatus
read_int_max_str_digits(PyConfig *config)
{
    const wchar_t *x = _PyConfig_XOption(config, L"int_max_str_digits");
    const char *env = _PyConfig_Getenv(config, "PYTHONINTMAXSTRDIGITS");
    char buffer[32];
    if (x != NULL) {
        if (wcstombs(buffer, x, sizeof(buffer)) >= sizeof(buffer)) {
            buffer[0] = '\0';
        }
        env = buffer;
    }
    else if (env == NULL) {
        return PyStatus_Ok();
    }
    char *end;
    long value = strtol(env, &end, 10);
    if (*env == '\0' || *end != '\0' || value > INT_MAX || (value != 0 && value < 640)) {
        return failed("config_init_int_max_str_digits", x != NULL
            ? "-X int_max_str_digits: invalid limit; must be >= 640 or 0 for unlimited."
            : "PYTHONINTMAXSTRDIGITS: invalid limit; must be >= 640 or 0 for unlimited.");
    }
    int_max_str_digits = (int)value;
    return PyStatus_Ok();
}

static PyStatus
read_stdio_encoding(PyConfig *config)
{
    TRY(_PySys_TakeEarlyEncoding(config));
    const char *env = _PyConfig_Getenv(config, "PYTHONIOENCODING");
    if (env != NULL) {
        char *copy = _PyMem_RawStrdup(env);
        if (copy == NULL) {
            return PyStatus_NoMemory();
        }
        char *errors = strchr(copy, ':');
        if (errors != NULL) {
            *errors++ = '\0';
        }
        PyStatus status = PyStatus_Ok();
        if (config->stdio_encoding == NULL && copy[0] != '\0') {
            status = PyConfig_SetBytesString(config, &config->stdio_encoding, copy);
        }
        if (!PyStatus_Exception(status) && config->stdio_errors == NULL
            && (copy[0] != '\0' || (errors != NULL && *errors != '\0'))) {
            status = PyConfig_SetBytesString(config, &config->stdio_errors,
                                             errors && *errors ? errors : "strict");
        }
        PyMem_RawFree(copy);
        TRY(status);
    }
    int utf8 = _PyRuntime.preconfig.utf8_mode;
    if (config->stdio_encoding == NULL) {
        TRY(PyConfig_SetBytesString(config, &config->stdio_encoding,
                                    utf8 ? "utf-8" : nl_langinfo(CODESET)));
    }
    if (config->stdio_errors == NULL) {
        const char *locale = setlocale(LC_CTYPE, NULL);
        int lenient = utf8 || locale == NULL || strcmp(locale, "C") == 0
            || strcmp(locale, "POSIX") == 0 || strcmp(locale, "C.UTF-8") == 0
            || strcmp(locale, "C.utf8") == 0 || strcmp(locale, "UTF-8") == 0;
        TRY(PyConfig_SetBytesString(config, &config->stdio_errors,
                                    lenient ? "surrogateescape" : "strict"));
    }
    return PyStatus_Ok();
}

static PyStatus
read_fs_encoding(PyConfig *config)
{
    if (config->filesystem_encoding == NULL) {
        const char *codeset = _PyRuntime.preconfig.utf8_mode ? "utf-8" : nl_langinfo(CODESET);
        if (codeset[0] == '\0' || strcasecmp(codeset, "UTF-8") == 0) {
            codeset = "utf-8";
        }
        TRY(PyConfig_SetBytesString(config, &config->filesystem_encoding, codeset));
    }
    if (config->filesystem_errors == NULL) {
        TRY(PyConfig_SetBytesString(config, &config->filesystem_errors, "surrogateescape"));
    }
    return PyStatus_Ok();
}

/* "-X name" or the environment variable sets a flag that is not set yet. */
static void
decide_flag(PyConfig *config, int *field, const wchar_t *xname, const char *env)
{
    if (*field < 0) {
        *field = _PyConfig_XOption(config, xname) != NULL
            || (env != NULL && _PyConfig_Getenv(config, env) != NULL);
    }
}

static PyStatus
read_tracemalloc(PyConfig *config)
{
    if (config->tracemalloc >= 0) {
        return PyStatus_Ok();
    }
    config->tracemalloc = 0;
    const wchar_t *x = _PyConfig_XOption(config, L"tracemalloc");
    const char *env = _PyConfig_Getenv(config, "PYTHONTRACEMALLOC");
    char buffer[32] = "1";
    if (x != NULL) {
        if (x[0] != L'\0' && wcstombs(buffer, x, sizeof(buffer)) >= sizeof(buffer)) {
            buffer[0] = 'x';
        }
        env = buffer;
    }
    if (env != NULL) {
        char *end;
        long n = strtol(env, &end, 10);
        if (*end != '\0' || n < 0 || n > INT_MAX) {
            return failed("config_init_tracemalloc", x != NULL
                          ? "-X tracemalloc=NFRAME: invalid number of frames"
                          : "PYTHONTRACEMALLOC: invalid number of frames");
        }
        config->tracemalloc = (int)n;
    }
    return PyStatus_Ok();
}

static PyStatus
add_warn_option(PyConfig *config, Py_ssize_t *where, const wchar_t *option)
{
    /* An option is added only once: a configuration may be read again. */
    for (Py_ssize_t i = 0; i < config->warnoptions.length; i++) {
        if (wcscmp(config->warnoptions.items[i], option) == 0) {
            return PyStatus_Ok();
        }
    }
    return PyWideStringList_Insert(&config->warnoptions, (*where)++, option);
}

/* sys.warnoptions, lowest priority first: -X dev, PYTHONWARNINGS, -W (already there), -b. */
static PyStatus
read_warn_options(PyConfig *config)
{
    Py_ssize_t where = 0;
    if (config->dev_mode) {
        TRY(add_warn_option(config, &where, L"default"));
    }
    const char *env = _PyConfig_Getenv(config, "PYTHONWARNINGS");
    if (env != NULL) {
        wchar_t *wide = NULL, *state;
        TRY(PyConfig_SetBytesString(config, &wide, env));
        PyStatus status = PyStatus_Ok();
        for (wchar_t *part = wcstok(wide, L",", &state);
             part != NULL && !PyStatus_Exception(status); part = wcstok(NULL, L",", &state)) {
            status = add_warn_option(config, &where, part);
        }
        PyMem_RawFree(wide);
        TRY(status);
    }
    if (config->bytes_warning) {
        where = config->warnoptions.length;
        TRY(add_warn_option(config, &where, config->bytes_warning > 1
                            ? L"error::BytesWarning" : L"default::BytesWarning"));
    }
    return PyStatus_Ok();
}

static PyStatus
read_environment(PyConfig *config)
{
    decide_level(config, &config->parser_debug, "PYTHONDEBUG");
    decide_level(config, &config->verbose, "PYTHONVERBOSE");
    decide_level(config, &config->optimization_level, "PYTHONOPTIMIZE");
    decide_level(config, &config->inspect, "PYTHONINSPECT");
    if (config->write_bytecode < 0) {
        config->write_bytecode = env_level(config, "PYTHONDONTWRITEBYTECODE") == 0;
    }
    if (config->user_site_directory < 0) {
        config->user_site_directory = env_level(config, "PYTHONNOUSERSITE") == 0;
    }
    if (config->buffered_stdio < 0) {
        config->buffered_stdio = env_level(config, "PYTHONUNBUFFERED") == 0;
    }
    if (_PyConfig_Getenv(config, "PYTHONSAFEPATH") != NULL && !config->isolated) {
        config->safe_path = 1;
    }
    for (int *p[] = {&config->interactive, &config->bytes_warning, &config->quiet}, i = 0;
         i < 3; i++) {
        if (*p[i] < 0) {
            *p[i] = 0;
        }
    }
    if (config->site_import < 0) {
        config->site_import = 1;
    }
    decide_flag(config, &config->faulthandler, L"faulthandler", "PYTHONFAULTHANDLER");
    if (config->dev_mode && !config->faulthandler) {
        config->faulthandler = 1;
    }
    decide_flag(config, &config->import_time, L"importtime", "PYTHONPROFILEIMPORTTIME");
    if (_PyConfig_XOption(config, L"no_debug_ranges") != NULL
        || _PyConfig_Getenv(config, "PYTHONNODEBUGRANGES") != NULL) {
        config->code_debug_ranges = 0;
    }
    if (_PyConfig_XOption(config, L"warn_default_encoding") != NULL
        || _PyConfig_Getenv(config, "PYTHONWARNDEFAULTENCODING") != NULL) {
        config->warn_default_encoding = 1;
    }
    const wchar_t *frozen = _PyConfig_XOption(config, L"frozen_modules");
    if (frozen != NULL) {
        if (wcscmp(frozen, L"off") == 0) {
            config->use_frozen_modules = 0;
        }
        else if (wcscmp(frozen, L"on") != 0 && frozen[0] != L'\0') {
            return failed(NULL,
                          "bad value for option -X frozen_modules (expected \"on\" or \"off\")");
        }
    }
    const wchar_t *pycache = _PyConfig_XOption(config, L"pycache_prefix");
    if (config->pycache_prefix == NULL) {
        if (pycache != NULL) {
            if (pycache[0] != L'\0') {
                TRY(_PyConfig_SetWide(&config->pycache_prefix, pycache));
            }
        }
        else {
            TRY(env_string(config, "PYTHONPYCACHEPREFIX", &config->pycache_prefix));
        }
    }
    TRY(env_string(config, "PYTHONPATH", &config->pythonpath_env));
    TRY(_PySys_TakeEarlyOptions(config));
    TRY(_PyConfig_TakeLegacyPaths(config));
    TRY(env_string(config, "PYTHONHOME", &config->home));
    TRY(env_string(config, "PYTHONPLATLIBDIR", &config->platlibdir));
    TRY(read_tracemalloc(config));
    TRY(read_hash_seed(config));
    TRY(read_int_max_str_digits(config));
    return read_warn_options(config);
}

static void
publish_flags(const PyConfig *config)
{
    Py_DebugFlag = config->parser_debug;
    Py_VerboseFlag = config->verbose;
    Py_QuietFlag = config->quiet;
    Py_InteractiveFlag = config->interactive;
    Py_InspectFlag = config->inspect;
    Py_OptimizeFlag = config->optimization_level;
    Py_NoSiteFlag = !config->site_import;
    Py_BytesWarningFlag = config->bytes_warning;
    Py_IgnoreEnvironmentFlag = !config->use_environment;
    Py_DontWriteBytecodeFlag = !config->write_bytecode;
    Py_NoUserSiteDirectory = !config->user_site_directory;
    Py_UnbufferedStdioFlag = !config->buffered_stdio;
    Py_HashRandomizationFlag = config->use_hash_seed == 0 || config->hash_seed != 0;
    Py_IsolatedFlag = config->isolated;
    Py_UTF8Mode = _PyRuntime.preconfig.utf8_mode;
}

PyStatus
PyConfig_Read(PyConfig *config)
{
    TRY(_PyPreConfig_Run(NULL, 0, NULL));
    /* An earlier preconfiguration takes precedence. */
    config->isolated |= _PyRuntime.preconfig.isolated > 0;
    if (_PyRuntime.preconfig.use_environment == 0) {
        config->use_environment = 0;
    }
    if (config->orig_argv.length == 0) {
        TRY(set_list(&config->orig_argv, config->argv.length, config->argv.items));
    }
    if (config->parse_argv == 1) {
        TRY(_PyConfig_ParseOptions(config));
    }
    else if (config->argv.length == 0) {
        TRY(PyWideStringList_Append(&config->argv, L""));
    }
    if (config->pathconfig_warnings < 0) {
        config->pathconfig_warnings = 1;
    }
    if (config->isolated > 0) {
        config->use_environment = 0;
        config->user_site_directory = 0;
        config->safe_path = 1;
    }
    if (config->use_environment < 0) {
        config->use_environment = 1;
    }
    if (config->dev_mode < 0) {
        config->dev_mode = _PyConfig_XOption(config, L"dev") != NULL
            || _PyConfig_Getenv(config, "PYTHONDEVMODE") != NULL;
    }
    TRY(read_environment(config));
    if (config->check_hash_pycs_mode == NULL) {
        TRY(_PyConfig_SetWide(&config->check_hash_pycs_mode, L"default"));
    }
    TRY(read_fs_encoding(config));
    TRY(read_stdio_encoding(config));
    TRY(_PyConfig_ReadPaths(config));
    config->parse_argv = config->parse_argv == 1 ? 2 : config->parse_argv;
    publish_flags(config);
    return PyStatus_Ok();
}

void
Py_GetArgcArgv(int *argc, wchar_t ***argv)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyWideStringList *list = tstate == NULL ? NULL : &tstate->interp->config.orig_argv;
    *argc = list == NULL ? 0 : (int)list->length;
    *argv = list == NULL ? NULL : list->items;
}

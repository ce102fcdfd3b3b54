/* What must be known before the command line can be decoded: the locale, its coercion
   (PEP 538) and UTF-8 mode (PEP 540), and the allocator.

   These depend on a few options and variables. The options are looked for in the raw
   bytes of argv: -E, -I, -X utf8, -X dev. */
#include "Python.h"
#include "internal/config.h"
#include "internal/memory.h"
#include "internal/pystate.h"
#include "internal/unicode.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>

void
PyPreConfig_InitPythonConfig(PyPreConfig *config)
{
    *config = (PyPreConfig){
        ._config_init = 2, .parse_argv = 1, .isolated = 0, .use_environment = 1,
        .configure_locale = 1, .coerce_c_locale = -1, .coerce_c_locale_warn = -1,
        .utf8_mode = -1, .dev_mode = -1, .allocator = PYMEM_ALLOCATOR_NOT_SET,
    };
}

void
PyPreConfig_InitIsolatedConfig(PyPreConfig *config)
{
    *config = (PyPreConfig){
        ._config_init = 3, .isolated = 1, .use_environment = 0, .dev_mode = 0,
        .allocator = PYMEM_ALLOCATOR_NOT_SET,
    };
}

/* The few options that matter this early. */
static void
scan_argv(PyPreConfig *config, int argc, char *const *argv)
{
    for (int i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        const char *p = argv[i] + 1;
        if (*p == '-') {
            if (p[1] == '\0') {
                return;
            }
            if (strcmp(p, "-check-hash-based-pycs") == 0) {
                i++;
            }
            continue;
        }
        for (; *p != '\0'; p++) {
            if (*p == 'E' || *p == 'I') {
                config->use_environment = 0;
                config->isolated |= *p == 'I';
            }
            else if (*p == 'c' || *p == 'm') {
                return;
            }
            else if (*p == 'W' || *p == 'X') {
                const char *value = p[1] ? p + 1 : i + 1 < argc ? argv[++i] : "";
                if (*p == 'X' && config->utf8_mode < 0) {
                    if (strcmp(value, "utf8") == 0 || strcmp(value, "utf8=1") == 0) {
                        config->utf8_mode = 1;
                    }
                    else if (strcmp(value, "utf8=0") == 0) {
                        config->utf8_mode = 0;
                    }
                    else if (strncmp(value, "utf8=", 5) == 0) {
                        config->utf8_mode = -2;
                    }
                }
                if (*p == 'X' && strcmp(value, "dev") == 0) {
                    config->dev_mode = 1;
                }
                break;
            }
        }
    }
}

static const char *
env(const PyPreConfig *config, const char *name)
{
    const char *value = config->use_environment ? getenv(name) : NULL;
    return value != NULL && *value ? value : NULL;
}

static PyStatus
fail(const char *func, const char *message)
{
    PyStatus status = PyStatus_Error(message);
    status.func = func;
    return status;
}

static int
locale_is_c(const char *name)
{
    return name != NULL && (strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0);
}

/* In the C locale, tries a UTF-8 locale instead, and tells child processes. */
static void
coerce_c_locale(const PyPreConfig *config)
{
    static const char *const targets[] = {"C.UTF-8", "C.utf8", "UTF-8"};
    const char *all = getenv("LC_ALL");
    if (all != NULL && *all) {
        return;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(targets); i++) {
        if (setlocale(LC_CTYPE, targets[i]) != NULL) {
            const char *codeset = nl_langinfo(CODESET);
            if (codeset == NULL || *codeset == '\0') {
                continue;
            }
            setenv("LC_CTYPE", targets[i], 1);
            if (config->coerce_c_locale_warn > 0) {
                fprintf(stderr, "Python detected LC_CTYPE=C: LC_CTYPE coerced to %.20s (set "
                        "another locale or PYTHONCOERCECLOCALE=0 to disable this locale "
                        "coercion behavior).\n", targets[i]);
            }
            setlocale(LC_CTYPE, "");
            return;
        }
    }
    setlocale(LC_CTYPE, "");
}

PyStatus
_PyPreConfig_Run(const PyPreConfig *src, int argc, char *const *argv)
{
    if (_PyRuntime.preinitialized) {
        return PyStatus_Ok();
    }
    _PyRuntime_Initialize();
    _PyRuntime.preinitializing = 1;
    PyPreConfig config;
    if (src != NULL) {
        config = *src;
    }
    else {
        PyPreConfig_InitPythonConfig(&config);
    }
    if (config.parse_argv && argv != NULL) {
        scan_argv(&config, argc, argv);
    }
    if (config.utf8_mode == -2) {
        return fail("preconfig_init_utf8_mode", "invalid -X utf8 option value");
    }
    if (config.dev_mode < 0) {
        config.dev_mode = env(&config, "PYTHONDEVMODE") != NULL;
    }
    if (config.configure_locale) {
        setlocale(LC_CTYPE, "");
    }
    const char *value = env(&config, "PYTHONUTF8");
    if (config.utf8_mode < 0 && value != NULL) {
        if (strcmp(value, "1") != 0 && strcmp(value, "0") != 0) {
            return fail("preconfig_init_utf8_mode", "invalid PYTHONUTF8 environment variable value");
        }
        config.utf8_mode = value[0] == '1';
    }
    value = env(&config, "PYTHONCOERCECLOCALE");
    if (value != NULL && strcmp(value, "0") == 0) {
        config.coerce_c_locale = 0;
    }
    else if (value != NULL && strcmp(value, "warn") == 0) {
        config.coerce_c_locale_warn = 1;
    }
    if (config.configure_locale && locale_is_c(setlocale(LC_CTYPE, NULL))) {
        if (config.utf8_mode < 0) {
            config.utf8_mode = 1;
        }
        if (config.coerce_c_locale != 0) {
            coerce_c_locale(&config);
        }
        else if (config.coerce_c_locale_warn > 0) {
            fprintf(stderr, "Python runtime initialized with LC_CTYPE=C (a locale with default "
                    "ASCII encoding), which may cause Unicode compatibility problems. Using "
                    "C.UTF-8, C.utf8, or UTF-8 (if available) as alternative Unicode-compatible "
                    "locales is recommended.\n");
        }
    }
    if (config.utf8_mode < 0) {
        config.utf8_mode = 0;
    }
    value = env(&config, "PYTHONMALLOC");
    if (value == NULL && config.dev_mode) {
        value = "debug";
    }
    PyMemAllocatorName allocator;
    if (value != NULL && (_PyMem_GetAllocatorName(value, &allocator) < 0
                          || _PyMem_SetupAllocators(allocator) < 0)) {
        return fail("preconfig_init_allocator", "PYTHONMALLOC: unknown allocator");
    }
    _Py_SetUTF8Mode(config.utf8_mode);
    _PyRuntime.preconfig = config;
    _PyRuntime.preinitializing = 0;
    _PyRuntime.preinitialized = 1;
    return PyStatus_Ok();
}

PyStatus
Py_PreInitialize(const PyPreConfig *config)
{
    return _PyPreConfig_Run(config, 0, NULL);
}

PyStatus
Py_PreInitializeFromBytesArgs(const PyPreConfig *config, Py_ssize_t argc, char **argv)
{
    return _PyPreConfig_Run(config, (int)argc, argv);
}

PyStatus
Py_PreInitializeFromArgs(const PyPreConfig *config, Py_ssize_t argc, wchar_t **argv)
{
    char **bytes = PyMem_RawCalloc((size_t)argc + 1, sizeof(char *));
    PyStatus status = bytes == NULL ? PyStatus_NoMemory() : PyStatus_Ok();
    for (Py_ssize_t i = 0; i < argc && !PyStatus_Exception(status); i++) {
        size_t n = wcslen(argv[i]);
        bytes[i] = PyMem_RawCalloc(n + 1, 1);
        if (bytes[i] == NULL) {
            status = PyStatus_NoMemory();
        }
        /* No locale is set yet. The options that matter are ASCII. */
        for (size_t k = 0; bytes[i] != NULL && k < n; k++) {
            bytes[i][k] = argv[i][k] < 128 ? (char)argv[i][k] : '?';
        }
    }
    if (!PyStatus_Exception(status)) {
        status = _PyPreConfig_Run(config, (int)argc, bytes);
    }
    for (Py_ssize_t i = 0; bytes != NULL && i < argc; i++) {
        PyMem_RawFree(bytes[i]);
    }
    PyMem_RawFree(bytes);
    return status;
}

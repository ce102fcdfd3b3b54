/* The command line: options into PyConfig, the rest into config->argv, which
   becomes sys.argv. */
#include "Python.h"
#include "osdefs.h"
#include "internal/config.h"
#include "internal/fileutils.h"
#include "internal/pystate.h"

#include <stdio.h>

#define TRY(call) do { PyStatus s_ = (call); if (PyStatus_Exception(s_)) return s_; } while (0)

/* ------------------------------------------------------------- reading argv */

typedef struct {
    const PyWideStringList *argv;
    Py_ssize_t index;           /* of the next word */
    const wchar_t *rest;        /* of the current bundle of letters */
    const wchar_t *value;       /* of the option just read */
} OptionReader;

enum { OPT_END = -1, OPT_BAD = '_', OPT_HASH_PYCS = 256, OPT_HELP_ALL, OPT_HELP_ENV,
       OPT_HELP_XOPTIONS };

static const struct {
    const wchar_t *name;
    int option;
} long_options[] = {
    {L"--help", 'h'}, {L"--version", 'V'}, {L"--check-hash-based-pycs", OPT_HASH_PYCS},
    {L"--help-all", OPT_HELP_ALL}, {L"--help-env", OPT_HELP_ENV},
    {L"--help-xoptions", OPT_HELP_XOPTIONS},
};

static int
takes_value(int option)
{
    return option == 'c' || option == 'm' || option == 'W' || option == 'X'
        || option == OPT_HASH_PYCS;
}

static int
next_long_option(OptionReader *r, const wchar_t *word)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(long_options); i++) {
        if (wcscmp(word, long_options[i].name) == 0) {
            int option = long_options[i].option;
            if (takes_value(option)) {
                if (r->index >= r->argv->length) {
                    fprintf(stderr, "Argument expected for the %ls options\n", word);
                    return OPT_BAD;
                }
                r->value = r->argv->items[r->index++];
            }
            return option;
        }
    }
    fprintf(stderr, "unknown option %ls\n", word);
    return OPT_BAD;
}

static int
next_option(OptionReader *r)
{
    if (r->rest == NULL || *r->rest == L'\0') {
        if (r->index >= r->argv->length) {
            return OPT_END;
        }
        const wchar_t *word = r->argv->items[r->index];
        if (word[0] != L'-' || word[1] == L'\0') {
            return OPT_END;
        }
        r->index++;
        if (wcscmp(word, L"--") == 0) {
            return OPT_END;
        }
        if (word[1] == L'-') {
            r->rest = NULL;
            return next_long_option(r, word);
        }
        r->rest = word + 1;
    }
    int option = (int)*r->rest++;
    if (option == 'J') {
        fprintf(stderr, "-J is reserved for Jython\n");
        return OPT_BAD;
    }
    if (option > 127 || strchr("bBc:dEhiIJm:OPqRsStuvVW:xX:?", option) == NULL
        || option == ':') {
        fprintf(stderr, "Unknown option: -%lc\n", (wint_t)option);
        return OPT_BAD;
    }
    if (takes_value(option)) {
        if (*r->rest != L'\0') {
            r->value = r->rest;
        }
        else if (r->index < r->argv->length) {
            r->value = r->argv->items[r->index++];
        }
        else {
            fprintf(stderr, "Argument expected for the -%c option\n", option);
            return OPT_BAD;
        }
        r->rest = NULL;
    }
    return option;
}

/* ------------------------------------------------------------ taking effect */

static void
raise_level(int *field)
{
    *field = *field < 0 ? 1 : *field + 1;
}

static PyStatus
set_run_command(PyConfig *config, const wchar_t *text)
{
    size_t n = wcslen(text);
    wchar_t *command = PyMem_RawMalloc((n + 2) * sizeof(wchar_t));
    if (command == NULL) {
        return PyStatus_NoMemory();
    }
    wmemcpy(command, text, n);
    command[n] = L'\n';
    command[n + 1] = L'\0';
    PyMem_RawFree(config->run_command);
    config->run_command = command;
    return PyStatus_Ok();
}

/* Makes the script's path absolute, so that tracebacks and __file__ stay right when the
   program changes its directory. */
static PyStatus
set_run_filename(PyConfig *config, const wchar_t *script)
{
    wchar_t path[MAXPATHLEN];
    size_t n = wcscmp(script, L".") == 0 ? 0 : wcslen(script);
    if (script[0] != L'/' && _Py_wgetcwd(path, MAXPATHLEN) != NULL) {
        size_t folder = wcslen(path);
        if (folder + 1 + n < MAXPATHLEN) {
            if (n > 0) {            /* else it is the directory itself */
                path[folder] = L'/';
                wmemcpy(path + folder + 1, script, n + 1);
            }
            return _PyConfig_SetWide(&config->run_filename, path);
        }
    }
    return _PyConfig_SetWide(&config->run_filename, script);
}

static PyStatus
apply_option(PyConfig *config, int option, const wchar_t *value)
{
    switch (option) {
    case 'b': raise_level(&config->bytes_warning); break;
    case 'B': config->write_bytecode = 0; break;
    case 'd': raise_level(&config->parser_debug); break;
    case 'E': config->use_environment = 0; break;
    case 'h': case '?': _PyConfig_Request.print_help = 1; break;
    case 'i': raise_level(&config->inspect); raise_level(&config->interactive); break;
    case 'I': config->isolated = 1; break;
    case 'O': raise_level(&config->optimization_level); break;
    case 'P': config->safe_path = 1; break;
    case 'q': raise_level(&config->quiet); break;
    case 'R': config->use_hash_seed = 0; break;
    case 's': config->user_site_directory = 0; break;
    case 'S': config->site_import = 0; break;
    case 't': break;
    case 'u': config->buffered_stdio = 0; break;
    case 'v': raise_level(&config->verbose); break;
    case 'V': _PyConfig_Request.print_version++; break;
    case 'W': return PyWideStringList_Append(&config->warnoptions, value);
    case 'x': config->skip_source_first_line = 1; break;
    case 'X': return PyWideStringList_Append(&config->xoptions, value);
    case OPT_HASH_PYCS:
        if (wcscmp(value, L"always") != 0 && wcscmp(value, L"never") != 0
            && wcscmp(value, L"default") != 0) {
            fprintf(stderr, "--check-hash-based-pycs must be one of 'default', 'always', or "
                            "'never'\n");
            _PyConfig_Request.usage_error = 1;
            return PyStatus_Ok();
        }
        return _PyConfig_SetWide(&config->check_hash_pycs_mode, value);
    case OPT_HELP_ENV: _PyConfig_Request.print_help = 2; break;
    case OPT_HELP_XOPTIONS: _PyConfig_Request.print_help = 3; break;
    case OPT_HELP_ALL: _PyConfig_Request.print_help = 4; break;
    default: _PyConfig_Request.usage_error = 1; break;
    }
    return PyStatus_Ok();
}

PyStatus
_PyConfig_ParseOptions(PyConfig *config)
{
    OptionReader reader = {&config->argv, 1, NULL, NULL};
    if (config->program_name == NULL && config->argv.length > 0) {
        TRY(_PyConfig_SetWide(&config->program_name, config->argv.items[0]));
    }
    const wchar_t *argv0 = NULL;
    for (;;) {
        int option = next_option(&reader);
        if (option == OPT_END) {
            break;
        }
        if (option == 'c') {
            TRY(set_run_command(config, reader.value));
            argv0 = L"-c";
            break;
        }
        if (option == 'm') {
            TRY(_PyConfig_SetWide(&config->run_module, reader.value));
            argv0 = L"-m";
            break;
        }
        TRY(apply_option(config, option, reader.value));
        if (_PyConfig_Request.usage_error || _PyConfig_Request.print_help) {
            return PyStatus_Ok();   /* nothing behind it counts */
        }
    }
    /* What is left becomes sys.argv, with "-c" or "-m" or the script's name first. */
    PyWideStringList rest = {0, NULL};
    Py_ssize_t i = reader.index;
    if (argv0 != NULL) {
        TRY(PyWideStringList_Append(&rest, argv0));
    }
    else if (i < config->argv.length) {
        const wchar_t *script = config->argv.items[i];
        if (wcscmp(script, L"-") != 0 && config->run_filename == NULL) {
            TRY(set_run_filename(config, script));
        }
    }
    else {
        TRY(PyWideStringList_Append(&rest, L""));
    }
    for (; i < config->argv.length; i++) {
        TRY(PyWideStringList_Append(&rest, config->argv.items[i]));
    }
    _PyWideStringList_Clear(&config->argv);
    config->argv = rest;
    return PyStatus_Ok();
}

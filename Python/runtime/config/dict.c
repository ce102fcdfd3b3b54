/* Reads and replaces the configuration of a running interpreter. _testinternalcapi
   imports these functions. */
#include "Python.h"
#include "internal/config.h"
#include "internal/pystate.h"
#include "internal/runtime.h"

#include <locale.h>

#define MAX_HASH_SEED 4294967295UL

/* Returns a borrowed reference, or NULL with ValueError. */
static PyObject *
get_item(PyObject *dict, const char *name)
{
    PyObject *item = _PyDict_GetItemStringWithError(dict, name);
    if (item == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError, "missing config key: %s", name);
    }
    return item;
}

static int
wrong_type(const char *name)
{
    PyErr_Format(PyExc_TypeError, "invalid config type: %s", name);
    return -1;
}

static int
wrong_value(const char *name)
{
    PyErr_Format(PyExc_ValueError, "invalid config value: %s", name);
    return -1;
}

static int
set_int(PyObject *dict, const char *name, int *field)
{
    PyObject *item = get_item(dict, name);
    if (item == NULL) {
        return -1;
    }
    int value = _PyLong_AsInt(item);
    if (value == -1 && PyErr_Occurred()) {
        return PyErr_ExceptionMatches(PyExc_TypeError) ? wrong_type(name)
            : PyErr_ExceptionMatches(PyExc_OverflowError) ? wrong_value(name)
            : -1;
    }
    if (value < 0) {            /* "not decided yet" is not allowed any more */
        return wrong_value(name);
    }
    *field = value;
    return 0;
}

static int
set_ulong(PyObject *dict, const char *name, unsigned long *field)
{
    PyObject *item = get_item(dict, name);
    if (item == NULL) {
        return -1;
    }
    unsigned long value = PyLong_AsUnsignedLong(item);
    if (value == (unsigned long)-1 && PyErr_Occurred()) {
        return PyErr_ExceptionMatches(PyExc_TypeError) ? wrong_type(name)
            : PyErr_ExceptionMatches(PyExc_OverflowError) ? wrong_value(name)
            : -1;
    }
    if (value > MAX_HASH_SEED) {
        return wrong_value(name);
    }
    *field = value;
    return 0;
}

/* Returns PyMem_Raw memory, or NULL with an exception. */
static wchar_t *
wide_text(PyObject *item, const char *name)
{
    if (!PyUnicode_Check(item)) {
        wrong_type(name);
        return NULL;
    }
    wchar_t *wide = PyUnicode_AsWideCharString(item, NULL);
    if (wide == NULL) {
        return NULL;
    }
    wchar_t *raw = _PyMem_RawWcsdup(wide);
    PyMem_Free(wide);
    if (raw == NULL) {
        PyErr_NoMemory();
    }
    return raw;
}

static int
is_required(const char *name)
{
    static const char *const required[] = {
        "filesystem_encoding", "filesystem_errors", "stdio_encoding", "stdio_errors",
        "check_hash_pycs_mode", "program_name", "platlibdir",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(required); i++) {
        if (strcmp(required[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int
set_wide(PyObject *dict, const char *name, wchar_t **field)
{
    PyObject *item = get_item(dict, name);
    wchar_t *text = NULL;
    if (item == NULL) {
        return -1;
    }
    if (item == Py_None && is_required(name)) {
        return wrong_value(name);
    }
    if (item != Py_None) {
        text = wide_text(item, name);
        if (text == NULL) {
            return -1;
        }
    }
    PyMem_RawFree(*field);
    *field = text;
    return 0;
}

static int
set_list(PyObject *dict, const char *name, PyWideStringList *field)
{
    PyObject *item = get_item(dict, name);
    if (item == NULL) {
        return -1;
    }
    int is_list = PyList_CheckExact(item);
    if (!is_list && !PyTuple_CheckExact(item)) {
        return wrong_type(name);
    }
    PyWideStringList list = {0, NULL};
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(item); i++) {
        PyObject *element = PySequence_Fast_GET_ITEM(item, i);
        if (element == Py_None) {
            _PyWideStringList_Clear(&list);
            return wrong_value(name);
        }
        wchar_t *text = wide_text(element, name);
        if (text == NULL) {
            _PyWideStringList_Clear(&list);
            return -1;
        }
        PyStatus status = PyWideStringList_Append(&list, text);
        PyMem_RawFree(text);
        if (PyStatus_Exception(status)) {
            _PyWideStringList_Clear(&list);
            PyErr_NoMemory();
            return -1;
        }
    }
    _PyWideStringList_Clear(field);
    *field = list;
    return 0;
}

int
_PyConfig_FromDict(PyConfig *config, PyObject *dict)
{
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "dict expected");
        return -1;
    }
    if (set_int(dict, "_config_init", &config->_config_init) < 0) {
        return -1;
    }
    if (config->_config_init < 1 || config->_config_init > 3) {
        return wrong_value("_config_init");
    }
#define INT(name, python, alone)                    \
    if (set_int(dict, #name, &config->name) < 0) {  \
        return -1;                                  \
    }
#define ULONG(name)                                     \
    if (set_ulong(dict, #name, &config->name) < 0) {    \
        return -1;                                      \
    }
#define WSTR(name)                                  \
    if (set_wide(dict, #name, &config->name) < 0) { \
        return -1;                                  \
    }
#define LIST(name)                                  \
    if (set_list(dict, #name, &config->name) < 0) { \
        return -1;                                  \
    }
#include "fields.def"
#undef INT
#undef ULONG
#undef WSTR
#undef LIST
    return 0;
}

static int
raise_status(PyStatus status)
{
    if (!PyStatus_Exception(status)) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "%s",
                 status.err_msg != NULL ? status.err_msg : "exit");
    return -1;
}

int
_PyInterpreterState_GetConfigCopy(PyConfig *config)
{
    return raise_status(_PyConfig_Copy(config,
                                       &_PyInterpreterState_GET()->config));
}

static PyStatus
copy_if_missing(PyConfig *config, wchar_t **field, const wchar_t *value)
{
    return *field != NULL || value == NULL ? PyStatus_Ok()
        : PyConfig_SetString(config, field, value);
}

/* Members that are not given are computed from the others. */
static PyStatus
complete(PyConfig *config)
{
    PyStatus status = copy_if_missing(config, &config->base_executable, config->executable);
    if (!PyStatus_Exception(status)) {
        status = copy_if_missing(config, &config->base_prefix, config->prefix);
    }
    if (!PyStatus_Exception(status)) {
        status = copy_if_missing(config, &config->base_exec_prefix, config->exec_prefix);
    }
    if (!PyStatus_Exception(status) && config->argv.length == 0) {
        status = PyWideStringList_Append(&config->argv, L"");
    }
    if (!PyStatus_Exception(status) && !config->module_search_paths_set) {
        _PyWideStringList_Clear(&config->module_search_paths);
        status = _PyConfig_ReadPaths(config);
    }
    return status;
}

int
_PyInterpreterState_SetConfig(const PyConfig *source)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    int status = raise_status(_PyConfig_Copy(&config, source));
    if (status == 0) {
        status = raise_status(complete(&config));
    }
    if (status == 0) {
        status = raise_status(_PyConfig_Copy(&tstate->interp->config,
                                             &config));
    }
    if (status == 0) {
        status = _PySys_ApplyConfig(tstate, &tstate->interp->config);
    }
    PyConfig_Clear(&config);
    return status;
}

char *
_Py_SetLocaleFromEnv(int category)
{
    return setlocale(category, "");
}

PyObject *
_Py_Get_Getpath_CodeObject(void)
{
    PyErr_SetString(PyExc_NotImplementedError,
                    "paths are not computed by Python code");
    return NULL;
}

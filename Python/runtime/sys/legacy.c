/* The functions by which embedders set up sys before PyConfig existed.

   Options may be given before the interpreter exists. They are then kept in raw memory
   until the configuration takes them (_PySys_TakeEarlyOptions). Later ones go straight
   into the sys module. The functions return nothing, so errors are dropped, as in
   CPython. */
#include "Python.h"
#include "internal/config.h"
#include "internal/pystate.h"

#include <limits.h>
#include <unistd.h>

/* They are deprecated, and call each other. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static PyWideStringList early_warnoptions, early_xoptions;
static char *early_encoding, *early_errors;

/* Returns 0, or -1 without memory. */
static int
keep_copy(char **where, const char *text)
{
    char *copy = text == NULL ? NULL : _PyMem_RawStrdup(text);
    PyMem_RawFree(*where);
    *where = copy;
    return text != NULL && copy == NULL ? -1 : 0;
}

/* Encoding and errors of sys.stdin, sys.stdout and sys.stderr. Returns 0 or, without an
   exception, -1: too late, -2 or -3: no memory. */
int
Py_SetStandardStreamEncoding(const char *encoding, const char *errors)
{
    if (Py_IsInitialized()) {
        return -1;
    }
    if (encoding != NULL && keep_copy(&early_encoding, encoding) < 0) {
        return -2;
    }
    if (errors != NULL && keep_copy(&early_errors, errors) < 0) {
        (void)keep_copy(&early_encoding, NULL);
        return -3;
    }
    return 0;
}

PyStatus
_PySys_TakeEarlyEncoding(PyConfig *config)
{
    PyStatus status = PyStatus_Ok();
    if (early_encoding != NULL && config->stdio_encoding == NULL) {
        status = PyConfig_SetBytesString(config, &config->stdio_encoding, early_encoding);
    }
    if (!PyStatus_Exception(status) && early_errors != NULL && config->stdio_errors == NULL) {
        status = PyConfig_SetBytesString(config, &config->stdio_errors, early_errors);
    }
    (void)keep_copy(&early_encoding, NULL);
    (void)keep_copy(&early_errors, NULL);
    return status;
}

PyStatus
_PySys_TakeEarlyOptions(PyConfig *config)
{
    struct {
        PyWideStringList *from, *to;
    } pairs[] = {
        {&early_warnoptions, &config->warnoptions},
        {&early_xoptions, &config->xoptions},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(pairs); i++) {
        PyWideStringList *from = pairs[i].from;
        for (Py_ssize_t k = 0; k < from->length; k++) {
            PyStatus status = PyWideStringList_Append(pairs[i].to, from->items[k]);
            if (PyStatus_Exception(status)) {
                return status;
            }
        }
        _PyWideStringList_Clear(from);
    }
    return PyStatus_Ok();
}

/* The list or dict of sys by this name, which is made if it is missing. Returns a
   borrowed reference. */
static PyObject *
sys_container(const char *name, PyTypeObject *type)
{
    PyObject *have = PySys_GetObject(name);
    if (have != NULL && PyObject_TypeCheck(have, type)) {
        return have;
    }
    PyObject *made = PyObject_CallNoArgs((PyObject *)type);
    if (made == NULL || PySys_SetObject(name, made) < 0) {
        Py_XDECREF(made);
        return NULL;
    }
    Py_DECREF(made);            /* sys holds it */
    return made;
}

void
PySys_AddWarnOptionUnicode(PyObject *option)
{
    PyObject *list = sys_container("warnoptions", &PyList_Type);
    if (list == NULL || PyList_Append(list, option) < 0) {
        PyErr_Clear();
    }
}

void
PySys_AddWarnOption(const wchar_t *text)
{
    if (_PyThreadState_GET() == NULL) {
        (void)PyWideStringList_Append(&early_warnoptions, text);
        return;
    }
    PyObject *option = PyUnicode_FromWideChar(text, -1);
    if (option == NULL) {
        PyErr_Clear();
        return;
    }
    PySys_AddWarnOptionUnicode(option);
    Py_DECREF(option);
}

void
PySys_ResetWarnOptions(void)
{
    if (_PyThreadState_GET() == NULL) {
        _PyWideStringList_Clear(&early_warnoptions);
        return;
    }
    PyObject *list = PySys_GetObject("warnoptions");
    if (list != NULL && PyList_Check(list)
        && PyList_SetSlice(list, 0, PyList_GET_SIZE(list), NULL) < 0) {
        PyErr_Clear();
    }
}

int
PySys_HasWarnOptions(void)
{
    PyObject *list = PySys_GetObject("warnoptions");
    return list != NULL && PyList_Check(list) && PyList_GET_SIZE(list) > 0;
}

void
PySys_AddXOption(const wchar_t *text)
{
    if (_PyThreadState_GET() == NULL) {
        (void)PyWideStringList_Append(&early_xoptions, text);
        return;
    }
    const PyWideStringList one = {1, (wchar_t **)&text};
    PyObject *dict = sys_container("_xoptions", &PyDict_Type);
    PyObject *added = dict == NULL ? NULL : _PySys_XOptionsDict(&one);
    if (added == NULL || PyDict_Update(dict, added) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(added);
}

/* -------------------------------------------------------- argv and the path */

void
PySys_SetPath(const wchar_t *path)
{
    PyObject *text = PyUnicode_FromWideChar(path, -1);
    PyObject *colon = PyUnicode_FromString(":");
    PyObject *list = text == NULL || colon == NULL ? NULL
        : PyUnicode_Split(text, colon, -1);
    if (list == NULL || PySys_SetObject("path", list) < 0) {
        Py_FatalError("can't set sys.path");
    }
    Py_DECREF(list);
    Py_DECREF(colon);
    Py_DECREF(text);
}

/* The directory of the program named by argv[0], for the start of sys.path. */
static PyObject *
folder_of_program(const wchar_t *program)
{
    if (program == NULL || program[0] == L'\0' || wcscmp(program, L"-c") == 0
        || wcscmp(program, L"-m") == 0) {
        return PyUnicode_FromString("");
    }
    char *name = Py_EncodeLocale(program, NULL);
    if (name == NULL) {
        PyErr_Clear();
        return PyUnicode_FromString("");
    }
    char real[PATH_MAX];
    const char *file = realpath(name, real) != NULL ? real : name;
    const char *slash = strrchr(file, '/');
    Py_ssize_t n = slash == NULL ? 0 : slash == file ? 1 : slash - file;
    PyObject *folder = PyUnicode_DecodeFSDefaultAndSize(file, n);
    PyMem_Free(name);
    return folder;
}

void
PySys_SetArgvEx(int argc, wchar_t **argv, int update_path)
{
    int given = argc > 0 && argv != NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < (given ? argc : 1); i++) {
        PyObject *item = PyUnicode_FromWideChar(given ? argv[i] : L"", -1);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    if (list == NULL || PySys_SetObject("argv", list) < 0) {
        Py_FatalError("can't assign sys.argv");
    }
    Py_DECREF(list);
    PyObject *path = update_path ? PySys_GetObject("path") : NULL;
    if (path != NULL && PyList_Check(path)) {
        PyObject *folder = folder_of_program(given ? argv[0] : NULL);
        if (folder == NULL || PyList_Insert(path, 0, folder) < 0) {
            Py_FatalError("can't prepend path0 to sys.path");
        }
        Py_DECREF(folder);
    }
}

void
PySys_SetArgv(int argc, wchar_t **argv)
{
    PySys_SetArgvEx(argc, argv, Py_IsolatedFlag == 0);
}

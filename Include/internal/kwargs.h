/* Keyword arguments of methods whose arguments are all optional. */
#ifndef SB_STRINGLIB_KWARGS_H
#define SB_STRINGLIB_KWARGS_H

#include "Python.h"

#define UNPACK_MAX 4

#define KEYWORD_PARSER(variable, method, keywords)          \
    static _PyArg_Parser variable = {NULL, keywords, method, NULL, \
                                     0, 0, 0, NULL, NULL}

/* out[0:max] become borrowed references, NULL for what is not given.
   Returns 0, or -1 with TypeError. */
static inline int
unpack_keywords(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                _PyArg_Parser *parser, int max, PyObject **out)
{
    for (int i = 0; i < max; i++) {
        out[i] = i < nargs ? args[i] : NULL;
    }
    if ((kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0) && nargs <= max) {
        return 0;
    }
    PyObject *buffer[UNPACK_MAX] = {NULL};
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, parser, 0, max,
                                 0, buffer);
    if (args == NULL) {
        return -1;
    }
    for (int i = 0; i < max; i++) {
        out[i] = args[i];
    }
    return 0;
}

/* An encoding or errors argument as UTF-8; NULL with an exception. */
static inline const char *
codec_name_arg(const char *method, const char *which, PyObject *arg)
{
    Py_ssize_t size;
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument(method, which, "str", arg);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(arg, &size);
    if (text != NULL && strlen(text) != (size_t)size) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return NULL;
    }
    return text;
}

/* Both of them, where NULL stands for what was not given. 0 or -1. */
static inline int
codec_args(const char *method, PyObject *encoding_arg, PyObject *errors_arg,
           const char **encoding, const char **errors)
{
    if (encoding_arg != NULL) {
        *encoding = codec_name_arg(method, "argument 'encoding'", encoding_arg);
        if (*encoding == NULL) {
            return -1;
        }
    }
    if (errors_arg != NULL) {
        *errors = codec_name_arg(method, "argument 'errors'", errors_arg);
        if (*errors == NULL) {
            return -1;
        }
    }
    return 0;
}

#endif

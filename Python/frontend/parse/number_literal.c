/* Number literals. The tokenizer has checked their form; only the value is computed here. */

#include "parser.h"

#include <string.h>

static PyObject *
number_value(const char *text, Py_ssize_t length)
{
    char last = text[length - 1];
    int radix_prefix = text[0] == '0' && length > 1
        && strchr("xXoObB", text[1]) != NULL;
    if (!radix_prefix) {
        if (length <= 18 && strspn(text, "0123456789") >= (size_t)length) {
            long value = 0;
            for (Py_ssize_t i = 0; i < length; i++) {
                value = value * 10 + (text[i] - '0');
            }
            return PyLong_FromLong(value);
        }
        if (last == 'j' || last == 'J') {
            char *end;
            double value = PyOS_string_to_double(text, &end, NULL);
            if (value == -1.0 && PyErr_Occurred()) {
                return NULL;
            }
            return PyComplex_FromDoubles(0.0, value);
        }
        if (memchr(text, '.', length) || memchr(text, 'e', length)
            || memchr(text, 'E', length))
        {
            double value = PyOS_string_to_double(text, NULL, NULL);
            if (value == -1.0 && PyErr_Occurred()) {
                return NULL;
            }
            return PyFloat_FromDouble(value);
        }
    }
    return PyLong_FromString(text, NULL, 0);
}

AstNode *
_PyParse_Number(Parser *p, const Token *token)
{
    AstPos pos = token_pos(token);
    Py_ssize_t n = 0;
    char small[64];
    char *text = token->length < (Py_ssize_t)sizeof(small) ? small
        : PyMem_Malloc(token->length + 1);
    if (text == NULL) {
        return _PyParse_NoMemory(p);
    }
    for (Py_ssize_t i = 0; i < token->length; i++) {
        if (token->start[i] != '_') {
            text[n++] = token->start[i];
        }
    }
    text[n] = '\0';
    PyObject *value = NULL;
    if (n == token->length || _PyParse_CheckVersion(p, 6,
                                        "Underscores in numeric literals are"))
    {
        value = number_value(text, n);
    }
    if (text != small) {
        PyMem_Free(text);
    }
    if (value == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ValueError)) {
            /* There are more digits than sys.set_int_max_str_digits() allows. */
            PyObject *type, *error, *traceback;
            PyErr_Fetch(&type, &error, &traceback);
            PyErr_NormalizeException(&type, &error, &traceback);
            AstPos line = {pos.lineno, -1, pos.end_lineno, -1};
            _PyParse_RaiseAt(p, PyExc_SyntaxError, line,
                             "%S - Consider hexadecimal for huge integer literals "
                             "to avoid decimal conversion limits.", error);
            Py_XDECREF(type);
            Py_XDECREF(error);
            Py_XDECREF(traceback);
        }
        p->failed = 1;
        return NULL;
    }
    if (_PyParse_Keep(p, value) == NULL) {
        return NULL;
    }
    return made(p, AstNew_Constant(p->arena, pos, value, NULL));
}

/* What str % args and bytes % args share: arguments and directives. */
#ifndef SB_PERCENT_FORMAT_H
#define SB_PERCENT_FORMAT_H

#include "Python.h"

#include <limits.h>

#define FLAG_LEFT  1
#define FLAG_PLUS  2
#define FLAG_SPACE 4
#define FLAG_ALT   8
#define FLAG_ZERO  16

typedef struct {
    PyObject *args;             /* borrowed: what follows '%' */
    PyObject *mapping;          /* borrowed, or NULL */
    PyObject *value;            /* owned: the item of the current key */
    int value_used;             /* a key is good for one argument */
    Py_ssize_t index;           /* the next item of a tuple */
    Py_ssize_t length;          /* -1: a single value */
    int single_used;
} FormatArgs;

typedef struct {
    int flags;
    Py_ssize_t width;           /* -1 when not given */
    int precision;
    Py_UCS4 code;
} Percent;

/* Reads a character of the format. */
typedef Py_UCS4 (*PercentReader)(const void *format, Py_ssize_t i);

void _PyPercent_Init(FormatArgs *a, PyObject *args, int is_text_or_bytes);
/* The next argument, borrowed; TypeError when there is none. */
PyObject *_PyPercent_Next(FormatArgs *a);
/* 0 if all arguments are used, else -1 with TypeError. `what` is "string" or
   "bytes". */
int _PyPercent_Finish(FormatArgs *a, const char *what);
void _PyPercent_Clear(FormatArgs *a);

/* Looks the key up. Steals it. */
int _PyPercent_UseKey(FormatArgs *a, PyObject *key);

/* The readers are inline so that `read` is a load for each kind of format. */
#define INLINE inline __attribute__((always_inline))

/* The extent of "(key)" at *pos: 1 and its bounds, 0 if there is none, -1
   with an exception. Moves *pos after it. */
static INLINE int
_PyPercent_ReadKey(FormatArgs *a, PercentReader read, const void *format,
                   Py_ssize_t size, Py_ssize_t *pos, Py_ssize_t *start,
                   Py_ssize_t *end)
{
    if (*pos >= size || read(format, *pos) != '(') {
        return 0;
    }
    if (a->mapping == NULL) {
        PyErr_SetString(PyExc_TypeError, "format requires a mapping");
        return -1;
    }
    Py_ssize_t i = *pos + 1;
    *start = i;
    for (int depth = 1; i < size; i++) {
        Py_UCS4 ch = read(format, i);
        depth += ch == '(' ? 1 : ch == ')' ? -1 : 0;
        if (depth == 0) {
            *end = i;
            *pos = i + 1;
            return 1;
        }
    }
    PyErr_SetString(PyExc_ValueError, "incomplete format key");
    return -1;
}

/* A number or '*' at *pos into *number: 1, 0 if there is none, -1. */
static INLINE int
_PyPercent_ReadNumber(FormatArgs *a, PercentReader read, const void *format,
            Py_ssize_t size, Py_ssize_t *pos, Py_ssize_t limit,
            const char *complaint, Py_ssize_t *number)
{
    if (*pos < size && read(format, *pos) == '*') {
        (*pos)++;
        PyObject *value = _PyPercent_Next(a);
        if (value == NULL) {
            return -1;
        }
        if (!PyLong_Check(value)) {
            PyErr_SetString(PyExc_TypeError, "* wants int");
            return -1;
        }
        *number = limit == INT_MAX ? (Py_ssize_t)_PyLong_AsInt(value)
                                   : PyLong_AsSsize_t(value);
        return *number == -1 && PyErr_Occurred() ? -1 : 1;
    }
    int found = 0;
    *number = 0;
    while (*pos < size) {
        Py_UCS4 ch = read(format, *pos);
        if (ch < '0' || ch > '9') {
            break;
        }
        if (*number > (limit - (Py_ssize_t)(ch - '0')) / 10) {
            PyErr_SetString(PyExc_ValueError, complaint);
            return -1;
        }
        *number = *number * 10 + (Py_ssize_t)(ch - '0');
        found = 1;
        (*pos)++;
    }
    return found;
}

/* Reads flags, width, precision, size and code from *pos, which is after '%'
   and the key; moves *pos after the code. */
static INLINE int
_PyPercent_Read(FormatArgs *a, PercentReader read, const void *format,
                Py_ssize_t size, Py_ssize_t *pos, Percent *p)
{
    *p = (Percent){.width = -1, .precision = -1};
    for (; *pos < size; (*pos)++) {
        Py_UCS4 ch = read(format, *pos);
        int flag = ch == '-' ? FLAG_LEFT : ch == '+' ? FLAG_PLUS
            : ch == ' ' ? FLAG_SPACE : ch == '#' ? FLAG_ALT
            : ch == '0' ? FLAG_ZERO : 0;
        if (flag == 0) {
            break;
        }
        p->flags |= flag;
    }
    Py_ssize_t number;
    int found = _PyPercent_ReadNumber(a, read, format, size, pos, PY_SSIZE_T_MAX,
                            "width too big", &number);
    if (found < 0) {
        return -1;
    }
    if (found) {
        if (number < 0) {
            p->flags |= FLAG_LEFT;
            number = -number;
        }
        p->width = number;
    }
    if (*pos < size && read(format, *pos) == '.') {
        (*pos)++;
        if (_PyPercent_ReadNumber(a, read, format, size, pos, INT_MAX,
                        "precision too big", &number) < 0)
        {
            return -1;
        }
        p->precision = number < 0 ? 0 : (int)number;
    }
    if (*pos < size) {
        Py_UCS4 ch = read(format, *pos);
        if (ch == 'h' || ch == 'l' || ch == 'L') {
            (*pos)++;           /* a C size: accepted, meaningless */
        }
    }
    if (*pos >= size) {
        PyErr_SetString(PyExc_ValueError, "incomplete format");
        return -1;
    }
    p->code = read(format, (*pos)++);
    return 0;
}

/* The text of an int for d i u o x X: sign and prefix included, precision
   applied. It is in `small`, or belongs to *owned, a new reference. NULL on error. */
#define PERCENT_SMALL 80
const char *_PyPercent_Integer(PyObject *value, const Percent *p,
                               char *small, Py_ssize_t *size,
                               PyObject **owned);
/* The same for e f g. The caller frees it with PyMem_Free(). */
char *_PyPercent_Float(double number, const Percent *p);

#endif

/* What str % args and bytes % args share: arguments and directives. */
#ifndef SB_PERCENT_FORMAT_H
#define SB_PERCENT_FORMAT_H

#include "Python.h"

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

/* Looks the key up (steals it). */
int _PyPercent_UseKey(FormatArgs *a, PyObject *key);

/* Reads flags, width, precision, size and code from *pos, which is after '%'
   and the key; moves *pos after the code. */
int _PyPercent_Read(FormatArgs *a, PercentReader read, const void *format,
                    Py_ssize_t size, Py_ssize_t *pos, Percent *p);
/* The extent of "(key)" at *pos: 1 and its bounds, 0 if there is none, -1
   with an exception. Moves *pos after it. */
int _PyPercent_ReadKey(FormatArgs *a, PercentReader read, const void *format,
                       Py_ssize_t size, Py_ssize_t *pos, Py_ssize_t *start,
                       Py_ssize_t *end);

/* Text of a number for d i u o x X (new reference, ASCII str; sign and
   prefix included, precision applied) or for e f g. */
PyObject *_PyPercent_Integer(PyObject *value, const Percent *p);
char *_PyPercent_Float(PyObject *value, const Percent *p);

#endif

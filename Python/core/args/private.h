/* Shared by the two halves of argument parsing: convert.c turns one object into C values
   as a format unit says; getargs.c and parser.c decide which object belongs to which
   unit. */
#ifndef SB_GETARGS_PRIVATE_H
#define SB_GETARGS_PRIVATE_H

#include "Python.h"

#define FLAG_COMPAT 1           /* PyArg_Parse: an object instead of a tuple */
#define FLAG_SIZE_T 2           /* "#" means Py_ssize_t */
#define FLAG_PLAIN_INT 4        /* "i" has one error message, that of _PyLong_AsInt() */
#define FLAG_POSITIONAL 8       /* a wrong count is told as by _PyArg_CheckPositional() */

/* Buffers and memory that conversions have taken, to be released if a later one fails. */
struct taken_entry {
    void *item;
    int (*release)(PyObject *entry_item, void *item);
};

struct taken {
    struct taken_entry *entries;
    struct taken_entry inline_entries[8];
    int count;
    int limit;
};

/* limit: the maximal number of conversions. */
int _PyArg_TakenInit(struct taken *taken, int limit);
/* status: the result of parsing, which is returned. */
int _PyArg_TakenFinish(struct taken *taken, int status);

#define LEVELS 32
#define MESSAGE 256

/* Converts one object for the unit at *format, and advances *format. Returns NULL, or a
   message for _PyArg_SetError() to complete. */
const char *_PyArg_ConvertItem(PyObject *arg, const char **format,
                               va_list *va, int flags, int *levels,
                               char *buffer, size_t size,
                               struct taken *taken);

/* Skips the unit at *format and its C arguments. Returns NULL or a message. */
const char *_PyArg_SkipItem(const char **format, va_list *va, int flags);

/* name: the argument's name if it may be given by keyword, or NULL. */
void _PyArg_SetError(Py_ssize_t index, const char *name, const char *message, int *levels,
                     const char *function, const char *custom);

#define IS_END_OF_FORMAT(c) ((c) == '\0' || (c) == ';' || (c) == ':')

/* The shape of a format for the keyword parsers. The number of positional-only parameters
   comes from the names. */
#define NAME_OR_FUNCTION(name) ((name) == NULL ? "function" : (name))
#define PARENTHESES(name) ((name) == NULL ? "" : "()")
#define PLURAL(n) ((n) == 1 ? "" : "s")

#endif

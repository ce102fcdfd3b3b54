/* Argument parsing with a static _PyArg_Parser, which remembers what the names and the
   format mean. Modules compiled for CPython 3.11 use it (Argument Clinic).

   A parser is set up at its first use and then put on a list, so that its tuple of names
   can be released at shut-down. The tuple may also be given in the static initialiser. */
#include "Python.h"
#include <limits.h>
#include "internal/call.h"
#include "internal/getargs.h"
#include "private.h"

static struct _PyArg_Parser *parsers;

static int
count_format(struct _PyArg_Parser *parser, int names)
{
    parser->min = parser->max = INT_MAX;
    const char *p = parser->format;
    for (int i = 0; i < names; i++) {
        if (*p == '|') {
            if (parser->min != INT_MAX) {
                PyErr_SetString(PyExc_SystemError,
                                "Invalid format string (| specified twice)");
                return -1;
            }
            if (parser->max != INT_MAX) {
                PyErr_SetString(PyExc_SystemError,
                                "Invalid format string ($ before |)");
                return -1;
            }
            parser->min = i;
            p++;
        }
        if (*p == '$') {
            if (parser->max != INT_MAX) {
                PyErr_SetString(PyExc_SystemError,
                                "Invalid format string ($ specified twice)");
                return -1;
            }
            if (i < parser->pos) {
                PyErr_SetString(PyExc_SystemError,
                                "Empty parameter name after $");
                return -1;
            }
            parser->max = i;
            p++;
        }
        if (IS_END_OF_FORMAT(*p)) {
            PyErr_Format(PyExc_SystemError,
                         "More keyword list entries (%d) than format "
                         "specifiers (%d)", names, i);
            return -1;
        }
        const char *message = _PyArg_SkipItem(&p, NULL, FLAG_SIZE_T);
        if (message != NULL) {
            PyErr_Format(PyExc_SystemError, "%s: '%s'", message,
                         parser->format);
            return -1;
        }
    }
    parser->min = Py_MIN(parser->min, names);
    parser->max = Py_MIN(parser->max, names);
    if (!IS_END_OF_FORMAT(*p) && *p != '|' && *p != '$') {
        PyErr_Format(PyExc_SystemError,
                     "more argument specifiers than keyword list entries "
                     "(remaining format:'%s')", p);
        return -1;
    }
    return 0;
}

static int
set_up(struct _PyArg_Parser *parser)
{
    if (parser->next != NULL) {
        return 0;
    }
    int names = 0, pos = 0;
    if (parser->keywords != NULL) {
        while (parser->keywords[pos] != NULL
               && parser->keywords[pos][0] == '\0') {
            pos++;
        }
        for (names = pos; parser->keywords[names] != NULL; names++) {
            if (parser->keywords[names][0] == '\0') {
                PyErr_SetString(PyExc_SystemError,
                                "Empty keyword parameter name");
                return -1;
            }
        }
    }
    parser->pos = pos;
    if (parser->format != NULL) {
        const char *colon = strchr(parser->format, ':');
        if (colon != NULL) {
            parser->fname = colon + 1;
        }
        else {
            const char *semicolon = strchr(parser->format, ';');
            if (semicolon != NULL) {
                parser->custom_msg = semicolon + 1;
            }
        }
        if (count_format(parser, names) < 0) {
            return -1;
        }
    }
    if (parser->kwtuple == NULL) {
        PyObject *tuple = PyTuple_New(names - pos);
        if (tuple == NULL) {
            return -1;
        }
        for (int i = pos; i < names; i++) {
            PyObject *name =
                PyUnicode_InternFromString(parser->keywords[i]);
            if (name == NULL) {
                Py_DECREF(tuple);
                return -1;
            }
            PyTuple_SET_ITEM(tuple, i - pos, name);
        }
        parser->kwtuple = tuple;
    }
    /* The list ends in itself, so a non-NULL `next` also means "set up". */
    parser->next = parsers != NULL ? parsers : parser;
    parsers = parser;
    return 0;
}

/* The value for a name among keywords given as an array. Returns a borrowed reference, or
   NULL with or without an exception. */
static PyObject *
find_in_array(PyObject *kwnames, PyObject *const *values, PyObject *name)
{
    Py_ssize_t n = PyTuple_GET_SIZE(kwnames);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyTuple_GET_ITEM(kwnames, i) == name) {
            return values[i];
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *given = PyTuple_GET_ITEM(kwnames, i);
        if (PyUnicode_Check(given)
            && PyUnicode_Compare(given, name) == 0) {
            return values[i];
        }
    }
    return NULL;
}

struct keywords {
    PyObject *dict;             /* either these ... */
    PyObject *names;            /* ... or this */
    PyObject *const *values;
    Py_ssize_t count;
};

static PyObject *
find_keyword(const struct keywords *given, PyObject *name)
{
    return given->dict != NULL
           ? PyDict_GetItemWithError(given->dict, name)
           : find_in_array(given->names, given->values, name);
}

/* ----------------------------------------------------------- error messages */

static void
too_many(struct _PyArg_Parser *parser, Py_ssize_t nargs, Py_ssize_t nkwargs,
         Py_ssize_t limit)
{
    PyErr_Format(PyExc_TypeError,
                 "%.200s%s takes %s %zd %sargument%s (%zd given)",
                 NAME_OR_FUNCTION(parser->fname), PARENTHESES(parser->fname),
                 "at most", limit, nargs == 0 ? "keyword " : "",
                 PLURAL(limit), nargs + nkwargs);
}

static void
positional_count(struct _PyArg_Parser *parser, const char *bound,
                 Py_ssize_t limit, Py_ssize_t nargs)
{
    PyErr_Format(PyExc_TypeError,
                 "%.200s%s takes %s %zd positional argument%s (%zd given)",
                 NAME_OR_FUNCTION(parser->fname), PARENTHESES(parser->fname),
                 bound, limit, PLURAL(limit), nargs);
}

static void
too_many_positional(struct _PyArg_Parser *parser, const char *bound,
                    Py_ssize_t max, Py_ssize_t nargs)
{
    if (max == 0) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s%s takes no positional arguments",
                     NAME_OR_FUNCTION(parser->fname),
                     PARENTHESES(parser->fname));
    }
    else {
        positional_count(parser, bound, max, nargs);
    }
}

static void
missing(struct _PyArg_Parser *parser, Py_ssize_t i)
{
    PyErr_Format(PyExc_TypeError,
                 "%.200s%s missing required argument '%U' (pos %zd)",
                 NAME_OR_FUNCTION(parser->fname), PARENTHESES(parser->fname),
                 PyTuple_GET_ITEM(parser->kwtuple, i - parser->pos), i + 1);
}

/* A keyword is not one of the names. */
static void
report_unknown_keyword(struct _PyArg_Parser *parser,
                       const struct keywords *given)
{
    Py_ssize_t position = 0;
    for (Py_ssize_t i = 0; ; i++) {
        PyObject *name;
        if (given->dict != NULL) {
            if (!PyDict_Next(given->dict, &position, &name, NULL)) {
                break;
            }
        }
        else {
            if (i >= PyTuple_GET_SIZE(given->names)) {
                break;
            }
            name = PyTuple_GET_ITEM(given->names, i);
        }
        if (!PyUnicode_Check(name)) {
            PyErr_SetString(PyExc_TypeError, "keywords must be strings");
            return;
        }
        int known = PySequence_Contains(parser->kwtuple, name);
        if (known < 0) {
            return;
        }
        if (!known) {
            PyErr_Format(PyExc_TypeError,
                         "'%S' is an invalid keyword argument for %.200s%s",
                         name, parser->fname == NULL ? "this function"
                                                     : parser->fname,
                         PARENTHESES(parser->fname));
            return;
        }
    }
    PyErr_Format(PyExc_TypeError, "invalid keyword argument for %.200s%s",
                 parser->fname == NULL ? "this function" : parser->fname,
                 PARENTHESES(parser->fname));
}

/* Some keyword was not used: it was also given by position, or is unknown. */
static void
report_keywords(struct _PyArg_Parser *parser, const struct keywords *given,
                Py_ssize_t nargs, Py_ssize_t limit)
{
    for (Py_ssize_t i = parser->pos; i < Py_MIN(nargs, limit); i++) {
        PyObject *name = PyTuple_GET_ITEM(parser->kwtuple, i - parser->pos);
        PyObject *value = find_keyword(given, name);
        if (value != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "argument for %.200s%s given by name ('%U') and "
                         "position (%zd)", NAME_OR_FUNCTION(parser->fname),
                         PARENTHESES(parser->fname), name, i + 1);
            return;
        }
        if (PyErr_Occurred()) {
            return;
        }
    }
    report_unknown_keyword(parser, given);
}

/* ---------------------------------------------------------------- unpacking */

#undef _PyArg_UnpackKeywords

static int
collect_keywords(struct keywords *given, PyObject *const *args,
                 Py_ssize_t nargs, PyObject *kwargs, PyObject *kwnames)
{
    *given = (struct keywords){.dict = kwargs, .names = kwnames};
    if (kwnames != NULL) {
        given->dict = NULL;
        given->values = args + nargs;
        given->count = PyTuple_GET_SIZE(kwnames);
    }
    else if (kwargs != NULL) {
        given->count = PyDict_GET_SIZE(kwargs);
    }
    return given->count > 0;
}

/* Fast path for most calls: positional arguments only, neither too few nor too many. */
static inline PyObject *const *
without_keywords(PyObject *const *args, Py_ssize_t nargs, struct _PyArg_Parser *parser,
                 PyObject **buf)
{
    Py_ssize_t limit = parser->pos + PyTuple_GET_SIZE(parser->kwtuple);
    if (nargs == limit) {
        return args;
    }
    for (Py_ssize_t i = 0; i < limit; i++) {
        buf[i] = i < nargs ? args[i] : NULL;
    }
    return buf;
}

PyObject *const *
_PyArg_UnpackKeywords(PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwargs, PyObject *kwnames,
                      struct _PyArg_Parser *parser, int minpos, int maxpos,
                      int minkw, PyObject **buf)
{
    if (kwnames == NULL && kwargs == NULL && minkw == 0 && minpos <= nargs && nargs <= maxpos
        && parser->kwtuple != NULL && args != NULL) {
        return without_keywords(args, nargs, parser, buf);
    }
    struct keywords given;
    if (kwargs != NULL && !PyDict_Check(kwargs)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (args == NULL && nargs == 0) {
        args = buf;
    }
    if (set_up(parser) < 0) {
        return NULL;
    }
    Py_ssize_t pos = parser->pos;
    Py_ssize_t minposonly = Py_MIN(pos, minpos);
    Py_ssize_t limit = pos + PyTuple_GET_SIZE(parser->kwtuple);
    collect_keywords(&given, args, nargs, kwargs, kwnames);

    /* `args` itself is returned only if every argument was given: the caller expects NULL
       for every one that was left out. */
    if (given.count == 0 && nargs == limit && nargs <= maxpos) {
        return args;
    }
    if (nargs + given.count > limit) {
        too_many(parser, nargs, given.count, limit);
        return NULL;
    }
    if (nargs > maxpos) {
        too_many_positional(parser, minpos < maxpos ? "at most" : "exactly",
                            maxpos, nargs);
        return NULL;
    }
    if (nargs < minposonly) {
        positional_count(parser, minposonly < maxpos ? "at least" : "exactly",
                         minposonly, nargs);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        buf[i] = args[i];
    }
    Py_ssize_t unused = given.count;
    Py_ssize_t required = minkw > 0 ? maxpos + minkw : minpos;
    for (Py_ssize_t i = Py_MAX(nargs, pos); i < limit; i++) {
        PyObject *value = NULL;
        if (unused > 0) {
            PyObject *name = PyTuple_GET_ITEM(parser->kwtuple, i - pos);
            value = find_keyword(&given, name);
            if (value == NULL && PyErr_Occurred()) {
                return NULL;
            }
        }
        else if (i >= required) {
            /* The rest stays NULL. */
            for (; i < limit; i++) {
                buf[i] = NULL;
            }
            break;
        }
        buf[i] = value;
        if (value != NULL) {
            unused--;
        }
        else if (i < minpos || (maxpos <= i && i < required)) {
            missing(parser, i);
            return NULL;
        }
    }
    for (Py_ssize_t i = nargs; i < pos; i++) {
        buf[i] = NULL;
    }
    if (unused > 0) {
        report_keywords(parser, &given, nargs, limit);
        return NULL;
    }
    return buf;
}

PyObject *const *
_PyArg_UnpackFilled(PyObject *const *args, Py_ssize_t nargs,
                    PyObject *kwnames, struct _PyArg_Parser *parser,
                    int minpos, int maxpos, int minkw, PyObject **buf)
{
    if (kwnames != NULL || minkw != 0 || nargs < minpos || nargs > maxpos
        || parser->kwtuple == NULL) {
        PyObject *const *values = _PyArg_UnpackKeywords(
            args, nargs, NULL, kwnames, parser, minpos, maxpos, minkw, buf);
        if (values == NULL || (values == buf && args != NULL)) {
            return values;
        }
    }
    Py_ssize_t limit = parser->pos + PyTuple_GET_SIZE(parser->kwtuple);
    for (Py_ssize_t i = 0; i < limit; i++) {
        buf[i] = i < nargs ? args[i] : NULL;
    }
    return buf;
}

/* The same with *args: buf[vararg] gets a tuple of the remaining arguments, owned by the
   caller. */
PyObject *const *
_PyArg_UnpackKeywordsWithVararg(PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwargs, PyObject *kwnames,
                                struct _PyArg_Parser *parser, int minpos,
                                int maxpos, int minkw, int vararg,
                                PyObject **buf)
{
    struct keywords given;
    if (kwargs != NULL && !PyDict_Check(kwargs)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (args == NULL && nargs == 0) {
        args = buf;
    }
    if (set_up(parser) < 0) {
        return NULL;
    }
    Py_ssize_t pos = parser->pos;
    Py_ssize_t minposonly = Py_MIN(pos, minpos);
    Py_ssize_t limit = pos + PyTuple_GET_SIZE(parser->kwtuple);
    collect_keywords(&given, args, nargs, kwargs, kwnames);

    if (nargs < minposonly) {
        positional_count(parser, minposonly < maxpos ? "at least" : "exactly",
                         minposonly, nargs);
        return NULL;
    }
    Py_ssize_t extra = Py_MAX(0, nargs - vararg);
    PyObject *rest = PyTuple_New(extra);
    if (rest == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < extra; i++) {
        PyTuple_SET_ITEM(rest, i, Py_NewRef(args[vararg + i]));
    }
    Py_ssize_t positional = Py_MIN(nargs, vararg);
    for (Py_ssize_t i = 0; i < positional; i++) {
        buf[i] = args[i];
    }
    buf[vararg] = rest;
    /* Parameters after *args are one place further in buf than in the names. */
    Py_ssize_t unused = given.count;
    for (Py_ssize_t i = Py_MAX(positional, pos); i < limit; i++) {
        PyObject *value = NULL;
        if (unused > 0) {
            PyObject *name = PyTuple_GET_ITEM(parser->kwtuple, i - pos);
            value = find_keyword(&given, name);
            if (value == NULL && PyErr_Occurred()) {
                goto error;
            }
        }
        buf[i < vararg ? i : i + 1] = value;
        if (value != NULL) {
            unused--;
        }
        else if (i < minpos || (maxpos <= i && i < maxpos + minkw)) {
            missing(parser, i);
            goto error;
        }
    }
    if (unused > 0) {
        report_unknown_keyword(parser, &given);
        goto error;
    }
    return buf;
error:
    Py_CLEAR(buf[vararg]);
    return NULL;
}

/* -------------------------------------------------- parsing with conversion */

/* Every argument is assigned to a parameter before the first one is converted, so that a
   wrong call is reported as such before any error of conversion. */
static int
convert_all(PyObject *const *values, Py_ssize_t limit, struct _PyArg_Parser *parser,
            va_list *va, int flags, struct taken *taken)
{
    const char *format = parser->format;
    for (Py_ssize_t i = 0; i < limit; i++) {
        while (*format == '|' || *format == '$') {
            format++;
        }
        if (values[i] == NULL) {
            const char *message = _PyArg_SkipItem(&format, va, flags);
            if (message != NULL) {
                PyErr_Format(PyExc_SystemError, "%s: '%s'", message, format);
                return 0;
            }
            continue;
        }
        int levels[LEVELS] = {0};
        char buffer[MESSAGE];
        const char *message = _PyArg_ConvertItem(
            values[i], &format, va, flags, levels, buffer, sizeof(buffer), taken);
        if (message != NULL) {
            _PyArg_SetError(i + 1, i < parser->pos ? NULL : parser->keywords[i], message,
                            levels, parser->fname, parser->custom_msg);
            return 0;
        }
    }
    return 1;
}

static int
parse_fast(PyObject *const *args, Py_ssize_t nargs, PyObject *kwargs,
           PyObject *kwnames, struct _PyArg_Parser *parser, va_list va,
           int flags)
{
    struct taken taken;
    if (parser == NULL) {
        PyErr_BadInternalCall();
        return 0;
    }
    if (set_up(parser) < 0) {
        return 0;
    }
    if (nargs == 0 && parser->min == 0 && kwargs == NULL
        && (kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0)) {
        return 1;               /* nothing is given: nothing is set */
    }
    Py_ssize_t limit = parser->pos + PyTuple_GET_SIZE(parser->kwtuple);
    PyObject *buffer[limit + 1];
    PyObject *const *values = _PyArg_UnpackKeywords(
        args, nargs, kwargs, kwnames, parser, Py_MIN(parser->min, parser->max), parser->max,
        Py_MAX(parser->min - parser->max, 0), buffer);
    if (values == NULL || _PyArg_TakenInit(&taken, (int)strlen(parser->format)) < 0) {
        return 0;
    }
    va_list copy;
    va_copy(copy, va);
    int status = convert_all(values, limit, parser, &copy, flags, &taken);
    va_end(copy);
    return _PyArg_TakenFinish(&taken, status);
}

#undef _PyArg_ParseTupleAndKeywordsFast
#undef _PyArg_ParseStackAndKeywords
#undef _PyArg_VaParseTupleAndKeywordsFast

PyAPI_FUNC(int) _PyArg_ParseTupleAndKeywordsFast_SizeT(
    PyObject *, PyObject *, struct _PyArg_Parser *, ...);
PyAPI_FUNC(int) _PyArg_ParseStackAndKeywords_SizeT(
    PyObject *const *, Py_ssize_t, PyObject *, struct _PyArg_Parser *, ...);
PyAPI_FUNC(int) _PyArg_VaParseTupleAndKeywordsFast_SizeT(
    PyObject *, PyObject *, struct _PyArg_Parser *, va_list);

#define DEFINE_TUPLE(Name, VaName, flags)                               \
    int                                                                 \
    VaName(PyObject *args, PyObject *kwargs,                            \
           struct _PyArg_Parser *parser, va_list va)                    \
    {                                                                   \
        if (args == NULL || !PyTuple_Check(args)) {                     \
            PyErr_BadInternalCall();                                    \
            return 0;                                                   \
        }                                                               \
        return parse_fast(_PyTuple_ITEMS(args), PyTuple_GET_SIZE(args), \
                          kwargs, NULL, parser, va, flags);             \
    }                                                                   \
                                                                        \
    int                                                                 \
    Name(PyObject *args, PyObject *kwargs,                              \
         struct _PyArg_Parser *parser, ...)                             \
    {                                                                   \
        va_list va;                                                     \
        va_start(va, parser);                                           \
        int status = VaName(args, kwargs, parser, va);                  \
        va_end(va);                                                     \
        return status;                                                  \
    }

DEFINE_TUPLE(_PyArg_ParseTupleAndKeywordsFast,
             _PyArg_VaParseTupleAndKeywordsFast, FLAG_PLAIN_INT)
DEFINE_TUPLE(_PyArg_ParseTupleAndKeywordsFast_SizeT,
             _PyArg_VaParseTupleAndKeywordsFast_SizeT, FLAG_PLAIN_INT | FLAG_SIZE_T)

#define DEFINE_STACK(Name, flags)                                       \
    int                                                                 \
    Name(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,    \
         struct _PyArg_Parser *parser, ...)                             \
    {                                                                   \
        va_list va;                                                     \
        va_start(va, parser);                                           \
        int status = parse_fast(args, nargs, NULL, kwnames, parser, va, \
                                flags);                                 \
        va_end(va);                                                     \
        return status;                                                  \
    }

DEFINE_STACK(_PyArg_ParseStackAndKeywords, FLAG_PLAIN_INT)
DEFINE_STACK(_PyArg_ParseStackAndKeywords_SizeT, FLAG_PLAIN_INT | FLAG_SIZE_T)

/* PyArg_Parse(), PyArg_ParseTuple(), PyArg_ParseTupleAndKeywords() and their variants:
   they decide which object belongs to which format unit.

   Every function exists twice. Modules that define PY_SSIZE_T_CLEAN call the _SizeT one. */
#include "Python.h"
#include <limits.h>
#include "internal/call.h"
#include "internal/getargs.h"
#include "internal/int.h"
#include "private.h"

/* --------------------------------------------------------------- positional */

struct shape {
    const char *function;       /* after ":" */
    const char *message;        /* after ";" */
    int min, max;               /* arguments at the outer level */
};

static int
read_shape(const char *format, struct shape *shape)
{
    int level = 0, max = 0, min = -1;
    shape->function = shape->message = NULL;
    for (const char *p = format; ; p++) {
        char c = *p;
        if (c == '(') {
            if (level == 0) {
                max++;
            }
            if (++level >= 30) {
                Py_FatalError("too many tuple nesting levels in argument "
                              "format string");
            }
        }
        else if (c == ')') {
            if (level == 0) {
                Py_FatalError("excess ')' in getargs format");
            }
            level--;
        }
        else if (c == '\0') {
            break;
        }
        else if (c == ':') {
            shape->function = p + 1;
            break;
        }
        else if (c == ';') {
            shape->message = p + 1;
            break;
        }
        else if (level == 0) {
            if (Py_ISALPHA(c)) {
                max++;
                /* "es" is one unit. */
                if (c == 'e' && p[1] != '\0') {
                    p++;
                }
            }
            else if (c == '|') {
                min = max;
            }
        }
    }
    if (level != 0) {
        Py_FatalError("missing ')' in getargs format");
    }
    shape->max = max;
    shape->min = min < 0 ? max : min;
    return 0;
}

static int
wrong_count(const struct shape *shape, Py_ssize_t given, int flags)
{
    if (flags & FLAG_POSITIONAL) {
        Py_ssize_t min = shape->min, max = shape->max;
        return _PyArg_CheckPositional(shape->function, given, min, max);
    }
    if (shape->message != NULL) {
        PyErr_SetString(PyExc_TypeError, shape->message);
    }
    else {
        int limit = given < shape->min ? shape->min : shape->max;
        PyErr_Format(PyExc_TypeError,
                     "%.150s%s takes %s %d argument%s (%zd given)",
                     NAME_OR_FUNCTION(shape->function),
                     PARENTHESES(shape->function),
                     shape->min == shape->max ? "exactly"
                     : given < shape->min ? "at least" : "at most",
                     limit, PLURAL(limit), given);
    }
    return 0;
}

static int
parse_compat(PyObject *arg, const char *format, va_list *va, int flags,
             const struct shape *shape, struct taken *taken)
{
    if (shape->max == 0) {
        if (arg == NULL) {
            return 1;
        }
        PyErr_Format(PyExc_TypeError, "%.200s%s takes no arguments",
                     NAME_OR_FUNCTION(shape->function),
                     PARENTHESES(shape->function));
        return 0;
    }
    if (shape->min != 1 || shape->max != 1) {
        PyErr_SetString(PyExc_SystemError,
                        "old style getargs format uses new features");
        return 0;
    }
    if (arg == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s%s takes at least one argument",
                     NAME_OR_FUNCTION(shape->function),
                     PARENTHESES(shape->function));
        return 0;
    }
    int levels[LEVELS] = {0};
    char buffer[MESSAGE];
    const char *message = _PyArg_ConvertItem(arg, &format, va, flags, levels,
                                             buffer, sizeof(buffer), taken);
    if (message == NULL) {
        return 1;
    }
    _PyArg_SetError(levels[0], NULL, message, levels + 1, shape->function,
                    shape->message);
    return 0;
}

static int
parse_array(PyObject *const *args, Py_ssize_t nargs, const char *format,
            va_list *va, int flags, const struct shape *shape,
            struct taken *taken)
{
    if (nargs < shape->min || nargs > shape->max) {
        return wrong_count(shape, nargs, flags);
    }
    const char *p = format;
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (*p == '|') {
            p++;
        }
        int levels[LEVELS] = {0};
        char buffer[MESSAGE];
        const char *message = _PyArg_ConvertItem(
            args[i], &p, va, flags, levels, buffer, sizeof(buffer), taken);
        if (message != NULL) {
            _PyArg_SetError(i + 1, NULL, message, levels, shape->function,
                            shape->message);
            return 0;
        }
    }
    if (*p != '\0' && !Py_ISALPHA(*p) && *p != '(' && *p != '|' && *p != ':'
        && *p != ';') {
        PyErr_Format(PyExc_SystemError, "bad format string: %.200s", format);
        return 0;
    }
    return 1;
}

/* Fast path: converts an argument for the unit at *format if the unit is one of the most
   common ones and the value is plainly right. Such a unit owns nothing and has no error
   message. Returns 0, having changed nothing, for any other unit or value. */
static inline int
convert_common(PyObject *arg, const char **format, va_list *va)
{
    const char *p = *format;
    switch (*p) {
    case 'O':
        if (p[1] == '&' || (p[1] == '!' && !PyObject_TypeCheck(arg, va_arg(*va, PyTypeObject *)))) {
            return 0;
        }
        p += p[1] == '!';
        *va_arg(*va, PyObject **) = arg;
        break;
    case 'U':
        if (!PyUnicode_Check(arg) || !PyUnicode_IS_READY(arg)) {
            return 0;
        }
        *va_arg(*va, PyObject **) = arg;
        break;
    case 'i':
    case 'n':
        if (!PyLong_CheckExact(arg) || !_PyLong_CheckCompact(arg)) {
            return 0;
        }
        if (*p == 'i') {
            *va_arg(*va, int *) = (int)_PyLong_CompactValue(arg);
        }
        else {
            *va_arg(*va, Py_ssize_t *) = (Py_ssize_t)_PyLong_CompactValue(arg);
        }
        break;
    case 'd':
        if (!PyFloat_CheckExact(arg)) {
            return 0;
        }
        *va_arg(*va, double *) = PyFloat_AS_DOUBLE(arg);
        break;
    case 'p':
        if (!PyBool_Check(arg)) {
            return 0;
        }
        *va_arg(*va, int *) = arg == Py_True;
        break;
    default:
        return 0;
    }
    *format = p + 1;
    return 1;
}

/* Passes over a unit that has no value, if it is one of the same. */
static inline int
skip_common(const char **format, va_list *va)
{
    const char *p = *format;
    if (*p == '\0' || strchr("OUindp", *p) == NULL || p[1] == '!' || p[1] == '&') {
        return 0;
    }
    (void)va_arg(*va, void *);
    *format = p + 1;
    return 1;
}

/* Fast path for the usual call: positional arguments only, as many as are wanted, and
   only common units. Returns 0 if the full parser has to start again; it needs a new
   va_list. (Working on a copy of the caller's va_list would be slower: the copy waits for
   the stores that made it.) If `names` is not NULL, it limits the number of arguments. */
static inline int
parse_common(PyObject *const *args, Py_ssize_t nargs, const char *format,
             char **names, va_list *va)
{
    int enough = 0;
    Py_ssize_t i = 0;
    for (;; i++) {
        if (*format == '|') {
            enough = 1;
            format++;
        }
        if (i == nargs || (names != NULL && names[i] == NULL)
            || !convert_common(args[i], &format, va)) {
            break;
        }
    }
    if (i == nargs && IS_END_OF_FORMAT(*format)) {
        return names == NULL || names[i] == NULL;
    }
    return i == nargs && enough;
}

static int
parse(PyObject *compat, PyObject *const *args, Py_ssize_t nargs,
      const char *format, va_list va, int flags)
{
    struct shape shape;
    struct taken taken;
    read_shape(format, &shape);
    if (_PyArg_TakenInit(&taken, (int)strlen(format)) < 0) {
        return 0;
    }
    va_list copy;
    va_copy(copy, va);
    int status = flags & FLAG_COMPAT
        ? parse_compat(compat, format, &copy, flags, &shape, &taken)
        : parse_array(args, nargs, format, &copy, flags, &shape, &taken);
    va_end(copy);
    return _PyArg_TakenFinish(&taken, status);
}

static int
parse_tuple(PyObject *args, const char *format, va_list va, int flags)
{
    if (args == NULL || !PyTuple_Check(args)) {
        PyErr_SetString(PyExc_SystemError,
                        "new style getargs format but argument is not a "
                        "tuple");
        return 0;
    }
    return parse(NULL, _PyTuple_ITEMS(args), PyTuple_GET_SIZE(args), format,
                 va, flags);
}

#undef PyArg_Parse
#undef PyArg_ParseTuple
#undef PyArg_VaParse
#undef PyArg_ParseTupleAndKeywords
#undef PyArg_VaParseTupleAndKeywords
#undef _PyArg_ParseStack

PyAPI_FUNC(int) _PyArg_Parse_SizeT(PyObject *, const char *, ...);
PyAPI_FUNC(int) _PyArg_ParseTuple_SizeT(PyObject *, const char *, ...);
PyAPI_FUNC(int) _PyArg_VaParse_SizeT(PyObject *, const char *, va_list);
PyAPI_FUNC(int) _PyArg_ParseStack_SizeT(PyObject *const *, Py_ssize_t,
                                        const char *, ...);
PyAPI_FUNC(int) _PyArg_ParseTupleAndKeywords_SizeT(
    PyObject *, PyObject *, const char *, char **, ...);
PyAPI_FUNC(int) _PyArg_VaParseTupleAndKeywords_SizeT(
    PyObject *, PyObject *, const char *, char **, va_list);

#define DEFINE_PARSE(Name, flags)                                       \
    int                                                                 \
    Name(PyObject *args, const char *format, ...)                       \
    {                                                                   \
        va_list va;                                                     \
        va_start(va, format);                                           \
        int status = parse(args, NULL, 0, format, va,                   \
                           FLAG_COMPAT | (flags));                      \
        va_end(va);                                                     \
        return status;                                                  \
    }

DEFINE_PARSE(PyArg_Parse, 0)
DEFINE_PARSE(_PyArg_Parse_SizeT, FLAG_SIZE_T)

#define DEFINE_PARSE_TUPLE(Name, flags)                                 \
    int                                                                 \
    Name(PyObject *args, const char *format, ...)                       \
    {                                                                   \
        va_list va;                                                     \
        if (args != NULL && PyTuple_Check(args)) {                      \
            va_start(va, format);                                       \
            int done = parse_common(_PyTuple_ITEMS(args),               \
                                    PyTuple_GET_SIZE(args), format,     \
                                    NULL, &va);                         \
            va_end(va);                                                 \
            if (done) {                                                 \
                return 1;                                               \
            }                                                           \
        }                                                               \
        va_start(va, format);                                           \
        int status = parse_tuple(args, format, va, flags);              \
        va_end(va);                                                     \
        return status;                                                  \
    }

DEFINE_PARSE_TUPLE(PyArg_ParseTuple, 0)
DEFINE_PARSE_TUPLE(_PyArg_ParseTuple_SizeT, FLAG_SIZE_T)

int
PyArg_VaParse(PyObject *args, const char *format, va_list va)
{
    return parse_tuple(args, format, va, 0);
}

int
_PyArg_VaParse_SizeT(PyObject *args, const char *format, va_list va)
{
    return parse_tuple(args, format, va, FLAG_SIZE_T);
}

#define DEFINE_PARSE_STACK(Name, flags)                                 \
    int                                                                 \
    Name(PyObject *const *args, Py_ssize_t nargs, const char *format,   \
         ...)                                                           \
    {                                                                   \
        va_list va;                                                     \
        va_start(va, format);                                           \
        int done = parse_common(args, nargs, format, NULL, &va);        \
        va_end(va);                                                     \
        if (done) {                                                     \
            return 1;                                                   \
        }                                                               \
        va_start(va, format);                                           \
        int status = parse(NULL, args, nargs, format, va, flags);       \
        va_end(va);                                                     \
        return status;                                                  \
    }

DEFINE_PARSE_STACK(_PyArg_ParseStack, FLAG_PLAIN_INT)
DEFINE_PARSE_STACK(_PyArg_ParseStack_SizeT, FLAG_PLAIN_INT | FLAG_SIZE_T)
DEFINE_PARSE_STACK(_PyArg_ParsePositional, FLAG_PLAIN_INT | FLAG_SIZE_T | FLAG_POSITIONAL)

/* ------------------------------------------------------------ with keywords */

struct keyword_parse {
    PyObject *args, *kwargs;
    const char *format;         /* the current position */
    char **names;
    const char *function, *message;
    Py_ssize_t nargs, nkwargs;
    int pos, count;             /* positional-only names, all names */
    int min, max;               /* INT_MAX until "|" or "$" is met */
    int flags;
    int skip;                   /* a positional-only argument is missing */
    struct taken taken;
};

static int
count_names(struct keyword_parse *k)
{
    k->pos = 0;
    while (k->names[k->pos] != NULL && k->names[k->pos][0] == '\0') {
        k->pos++;
    }
    for (k->count = k->pos; k->names[k->count] != NULL; k->count++) {
        if (k->names[k->count][0] == '\0') {
            PyErr_SetString(PyExc_SystemError,
                            "Empty keyword parameter name");
            return -1;
        }
    }
    return 0;
}

static void
read_names_in_format(struct keyword_parse *k)
{
    const char *colon = strchr(k->format, ':');
    if (colon != NULL) {
        k->function = colon + 1;
        return;
    }
    const char *semicolon = strchr(k->format, ';');
    if (semicolon != NULL) {
        k->message = semicolon + 1;
    }
}

/* Interprets "|" and "$" in front of unit i. Returns 0, or -1 with an exception. */
static int
read_marks(struct keyword_parse *k, int i)
{
    if (*k->format == '|') {
        if (k->min != INT_MAX) {
            PyErr_SetString(PyExc_SystemError,
                            "Invalid format string (| specified twice)");
            return -1;
        }
        k->min = i;
        k->format++;
        if (k->max != INT_MAX) {
            PyErr_SetString(PyExc_SystemError,
                            "Invalid format string ($ before |)");
            return -1;
        }
    }
    if (*k->format == '$') {
        if (k->max != INT_MAX) {
            PyErr_SetString(PyExc_SystemError,
                            "Invalid format string ($ specified twice)");
            return -1;
        }
        k->max = i;
        k->format++;
        if (k->max < k->pos) {
            PyErr_SetString(PyExc_SystemError,
                            "Empty parameter name after $");
            return -1;
        }
        if (k->skip) {
            return 1;           /* no positional argument can follow */
        }
        if (k->max < k->nargs) {
            if (k->max == 0) {
                PyErr_Format(PyExc_TypeError,
                             "%.200s%s takes no positional arguments",
                             NAME_OR_FUNCTION(k->function),
                             PARENTHESES(k->function));
            }
            else {
                PyErr_Format(PyExc_TypeError,
                             "%.200s%s takes %s %d positional argument%s "
                             "(%zd given)", NAME_OR_FUNCTION(k->function),
                             PARENTHESES(k->function),
                             k->min != INT_MAX ? "at most" : "exactly",
                             k->max, PLURAL(k->max), k->nargs);
            }
            return -1;
        }
    }
    return 0;
}

/* Keywords are compared one by one up to this number of them. */
#define FEW_KEYWORDS 6

/* The keyword's value, borrowed, or NULL, perhaps with an exception. The name is not made a
   str for it, unless there are many keywords or unusual ones. */
static PyObject *
keyword_value(PyObject *kwargs, const char *name)
{
    if (PyDict_GET_SIZE(kwargs) > FEW_KEYWORDS) {
        return _PyDict_GetItemStringWithError(kwargs, name);
    }
    size_t length = strlen(name);
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(kwargs, &position, &key, &value)) {
        if (!PyUnicode_CheckExact(key) || !PyUnicode_IS_COMPACT_ASCII(key)) {
            return _PyDict_GetItemStringWithError(kwargs, name);
        }
        if (PyUnicode_GET_LENGTH(key) == (Py_ssize_t)length
            && memcmp(PyUnicode_1BYTE_DATA(key), name, length) == 0) {
            return value;
        }
    }
    return NULL;
}

/* Returns 1: converted or skipped; 0: everything is done; -1: exception. */
static int
parse_parameter(struct keyword_parse *k, int i, va_list *va)
{
    if (IS_END_OF_FORMAT(*k->format)) {
        PyErr_Format(PyExc_SystemError,
                     "More keyword list entries (%d) than format specifiers "
                     "(%d)", k->count, i);
        return -1;
    }
    if (!k->skip) {
        PyObject *value = NULL;
        if (i < k->nargs) {
            value = PyTuple_GET_ITEM(k->args, i);
        }
        else if (k->nkwargs > 0 && i >= k->pos) {
            value = keyword_value(k->kwargs, k->names[i]);
            if (value != NULL) {
                k->nkwargs--;
            }
            else if (PyErr_Occurred()) {
                return -1;
            }
        }
        if (value != NULL) {
            int levels[LEVELS] = {0};
            char buffer[MESSAGE];
            const char *message = _PyArg_ConvertItem(
                value, &k->format, va, k->flags, levels, buffer,
                sizeof(buffer), &k->taken);
            if (message == NULL) {
                return 1;
            }
            _PyArg_SetError(i + 1, NULL, message, levels, k->function, k->message);
            return -1;
        }
        if (i < k->min) {
            if (i < k->pos) {
                /* Reported with the number of arguments that are needed. */
                k->skip = 1;
            }
            else {
                PyErr_Format(PyExc_TypeError,
                             "%.200s%s missing required argument '%s' "
                             "(pos %d)", NAME_OR_FUNCTION(k->function),
                             PARENTHESES(k->function), k->names[i], i + 1);
                return -1;
            }
        }
        else if (k->nkwargs == 0) {
            return 0;
        }
    }
    const char *message = _PyArg_SkipItem(&k->format, va, k->flags);
    if (message != NULL) {
        PyErr_Format(PyExc_SystemError, "%s: '%s'", message, k->format);
        return -1;
    }
    return 1;
}

/* A keyword was not used: it was given twice, or is unknown. */
static void
report_keywords(struct keyword_parse *k)
{
    for (int i = k->pos; i < k->nargs && i < k->count; i++) {
        if (keyword_value(k->kwargs, k->names[i]) != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "argument for %.200s%s given by name ('%s') and "
                         "position (%d)", NAME_OR_FUNCTION(k->function),
                         PARENTHESES(k->function), k->names[i], i + 1);
            return;
        }
        if (PyErr_Occurred()) {
            return;
        }
    }
    PyObject *key;
    Py_ssize_t position = 0;
    while (PyDict_Next(k->kwargs, &position, &key, NULL)) {
        if (!PyUnicode_Check(key)) {
            PyErr_SetString(PyExc_TypeError, "keywords must be strings");
            return;
        }
        int known = 0;
        for (int i = k->pos; i < k->count && !known; i++) {
            known = _PyUnicode_EqualToASCIIString(key, k->names[i]);
        }
        if (!known) {
            PyErr_Format(PyExc_TypeError,
                         "'%U' is an invalid keyword argument for %.200s%s",
                         key, k->function == NULL ? "this function"
                                                  : k->function,
                         PARENTHESES(k->function));
            return;
        }
    }
    PyErr_BadInternalCall();
}

static int
parse_keywords(struct keyword_parse *k, va_list *va)
{
    if (k->nargs + k->nkwargs > k->count) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s%s takes %s %d %sargument%s (%zd given)",
                     NAME_OR_FUNCTION(k->function), PARENTHESES(k->function),
                     "at most", k->count, k->nargs == 0 ? "keyword " : "",
                     PLURAL(k->count), k->nargs + k->nkwargs);
        return 0;
    }
    int i;
    for (i = 0; i < k->count; i++) {
        int marks = read_marks(k, i);
        if (marks < 0) {
            return 0;
        }
        if (marks > 0) {
            break;
        }
        int status = parse_parameter(k, i, va);
        if (status <= 0) {
            return status == 0;
        }
    }
    if (k->skip) {
        int needed = Py_MIN(k->pos, k->min);
        PyErr_Format(PyExc_TypeError,
                     "%.200s%s takes %s %d positional argument%s "
                     "(%zd given)", NAME_OR_FUNCTION(k->function),
                     PARENTHESES(k->function),
                     needed < i ? "at least" : "exactly", needed,
                     PLURAL(needed), k->nargs);
        return 0;
    }
    if (!IS_END_OF_FORMAT(*k->format) && *k->format != '|'
        && *k->format != '$') {
        PyErr_Format(PyExc_SystemError,
                     "more argument specifiers than keyword list entries "
                     "(remaining format:'%s')", k->format);
        return 0;
    }
    if (k->nkwargs > 0) {
        report_keywords(k);
        return 0;
    }
    return 1;
}

static int
parse_tuple_and_keywords(PyObject *args, PyObject *kwargs, const char *format,
                         char **names, va_list va, int flags)
{
    if (args == NULL || !PyTuple_Check(args)
        || (kwargs != NULL && !PyDict_Check(kwargs)) || format == NULL
        || names == NULL) {
        PyErr_BadInternalCall();
        return 0;
    }
    struct keyword_parse k = {
        .args = args,
        .kwargs = kwargs,
        .format = format,
        .names = names,
        .nargs = PyTuple_GET_SIZE(args),
        .nkwargs = kwargs == NULL ? 0 : PyDict_GET_SIZE(kwargs),
        .min = INT_MAX,
        .max = INT_MAX,
        .flags = flags,
    };
    read_names_in_format(&k);
    if (count_names(&k) < 0
        || _PyArg_TakenInit(&k.taken, (int)strlen(format)) < 0) {
        return 0;
    }
    va_list copy;
    va_copy(copy, va);
    int status = parse_keywords(&k, &copy);
    va_end(copy);
    return _PyArg_TakenFinish(&k.taken, status);
}

/* The value of a keyword that is spelled in ASCII, borrowed, or NULL. */
static inline PyObject *
plain_keyword(PyObject *kwargs, const char *name)
{
    Py_ssize_t length = (Py_ssize_t)strlen(name), position = 0;
    PyObject *key, *value;
    while (PyDict_Next(kwargs, &position, &key, &value)) {
        if (PyUnicode_CheckExact(key) && PyUnicode_IS_COMPACT_ASCII(key)
            && PyUnicode_GET_LENGTH(key) == length
            && memcmp(PyUnicode_1BYTE_DATA(key), name, (size_t)length) == 0) {
            return value;
        }
    }
    return NULL;
}

/* parse_common() for a call with a few keywords: every one of them has to be used. */
static int
parse_common_keywords(PyObject *args, PyObject *kwargs, const char *format, char **names,
                      va_list *va)
{
    Py_ssize_t nargs = PyTuple_GET_SIZE(args), left = PyDict_GET_SIZE(kwargs);
    int enough = 0, only_keywords = 0;
    if (left > FEW_KEYWORDS) {
        return 0;
    }
    for (Py_ssize_t i = 0; left > 0 || i < nargs; i++) {
        if (*format == '|' && !only_keywords) {
            enough = 1;
            format++;
        }
        if (*format == '$' && i >= nargs) {
            only_keywords = 1;
            format++;
        }
        int has_name = names[i] != NULL && *names[i] != '\0';
        if (names[i] == NULL || (only_keywords && !has_name)) {
            return 0;
        }
        PyObject *value = i < nargs ? PyTuple_GET_ITEM(args, i)
                          : has_name ? plain_keyword(kwargs, names[i]) : NULL;
        if (value == NULL) {
            if (!enough || !skip_common(&format, va)) {
                return 0;
            }
        }
        else if (!convert_common(value, &format, va)) {
            return 0;
        }
        else {
            left -= i >= nargs;
        }
    }
    return enough || (*format == '|' && !only_keywords) || IS_END_OF_FORMAT(*format);
}

#define DEFINE_PARSE_KEYWORDS(Name, flags)                              \
    int                                                                 \
    Name(PyObject *args, PyObject *kwargs, const char *format,          \
         char **names, ...)                                             \
    {                                                                   \
        va_list va;                                                     \
        if (args != NULL && PyTuple_Check(args) && names != NULL        \
            && format != NULL                                           \
            && (kwargs == NULL || PyDict_Check(kwargs))) {              \
            va_start(va, names);                                        \
            int done = kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0   \
                ? parse_common(_PyTuple_ITEMS(args),                    \
                               PyTuple_GET_SIZE(args), format, names,   \
                               &va)                                     \
                : parse_common_keywords(args, kwargs, format, names,    \
                                        &va);                           \
            va_end(va);                                                 \
            if (done) {                                                 \
                return 1;                                               \
            }                                                           \
        }                                                               \
        va_start(va, names);                                            \
        int status = parse_tuple_and_keywords(args, kwargs, format,     \
                                              names, va, flags);        \
        va_end(va);                                                     \
        return status;                                                  \
    }

DEFINE_PARSE_KEYWORDS(PyArg_ParseTupleAndKeywords, 0)
DEFINE_PARSE_KEYWORDS(_PyArg_ParseTupleAndKeywords_SizeT, FLAG_SIZE_T)

int
PyArg_VaParseTupleAndKeywords(PyObject *args, PyObject *kwargs,
                              const char *format, char **names, va_list va)
{
    return parse_tuple_and_keywords(args, kwargs, format, names, va, 0);
}

int
_PyArg_VaParseTupleAndKeywords_SizeT(PyObject *args, PyObject *kwargs,
                                     const char *format, char **names,
                                     va_list va)
{
    return parse_tuple_and_keywords(args, kwargs, format, names, va,
                                    FLAG_SIZE_T);
}

int
PyArg_ValidateKeywordArguments(PyObject *kwargs)
{
    if (!PyDict_Check(kwargs)) {
        PyErr_BadInternalCall();
        return 0;
    }
    Py_ssize_t pos = 0;
    PyObject *key;
    while (PyDict_Next(kwargs, &pos, &key, NULL)) {
        if (!PyUnicode_Check(key)) {
            PyErr_SetString(PyExc_TypeError, "keywords must be strings");
            return 0;
        }
    }
    return 1;
}

/* --------------------------------------------- unpacking without conversion */

#undef _PyArg_CheckPositional

int
_PyArg_CheckPositional(const char *name, Py_ssize_t nargs, Py_ssize_t min,
                       Py_ssize_t max)
{
    if (nargs >= min && nargs <= max) {
        return 1;
    }
    int few = nargs < min;
    Py_ssize_t limit = few ? min : max;
    const char *bound = min == max ? "" : few ? "at least " : "at most ";
    if (name != NULL) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s expected %s%zd argument%s, got %zd", name,
                     bound, limit, PLURAL(limit), nargs);
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "unpacked tuple should have %s%zd element%s, "
                     "but has %zd", bound, limit, PLURAL(limit), nargs);
    }
    return 0;
}

static int
unpack(PyObject *const *args, Py_ssize_t nargs, const char *name,
       Py_ssize_t min, Py_ssize_t max, va_list va)
{
    if (!_PyArg_CheckPositional(name, nargs, min, max)) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        *va_arg(va, PyObject **) = args[i];
    }
    return 1;
}

int
PyArg_UnpackTuple(PyObject *args, const char *name, Py_ssize_t min,
                  Py_ssize_t max, ...)
{
    if (!PyTuple_Check(args)) {
        PyErr_SetString(PyExc_SystemError,
                        "PyArg_UnpackTuple() argument list is not a tuple");
        return 0;
    }
    va_list va;
    va_start(va, max);
    int status = unpack(_PyTuple_ITEMS(args), PyTuple_GET_SIZE(args), name,
                        min, max, va);
    va_end(va);
    return status;
}

int
_PyArg_UnpackStack(PyObject *const *args, Py_ssize_t nargs, const char *name,
                   Py_ssize_t min, Py_ssize_t max, ...)
{
    va_list va;
    va_start(va, max);
    int status = unpack(args, nargs, name, min, max, va);
    va_end(va);
    return status;
}

#undef _PyArg_NoKeywords
#undef _PyArg_NoKwnames
#undef _PyArg_NoPositional

int
_PyArg_NoKeywords(const char *name, PyObject *kwargs)
{
    if (kwargs == NULL) {
        return 1;
    }
    if (!PyDict_CheckExact(kwargs)) {
        PyErr_BadInternalCall();
        return 0;
    }
    if (PyDict_GET_SIZE(kwargs) == 0) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError, "%.200s() takes no keyword arguments",
                 name);
    return 0;
}

int
_PyArg_NoKwnames(const char *name, PyObject *kwnames)
{
    if (kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError, "%s() takes no keyword arguments", name);
    return 0;
}

int
_PyArg_NoPositional(const char *name, PyObject *args)
{
    if (args == NULL) {
        return 1;
    }
    if (!PyTuple_CheckExact(args)) {
        PyErr_BadInternalCall();
        return 0;
    }
    if (PyTuple_GET_SIZE(args) == 0) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError, "%.200s() takes no positional arguments",
                 name);
    return 0;
}

void
_PyArg_BadArgument(const char *function, const char *display,
                   const char *expected, PyObject *arg)
{
    PyErr_Format(PyExc_TypeError,
                 "%.200s() %.200s must be %.50s, not %.50s", function,
                 display, expected,
                 arg == Py_None ? "None" : Py_TYPE(arg)->tp_name);
}

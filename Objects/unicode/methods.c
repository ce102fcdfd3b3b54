/* The methods of str: they parse their arguments and call functions of other files. */
#include "private.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/kwargs.h"

/* ---------------------------------------------------------------- arguments */

static int
require_str_arg(const char *method, const char *which, PyObject *arg)
{
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument(method, which, "str", arg);
        return -1;
    }
    return PyUnicode_READY(arg);
}

/* ------------------------------------------------------------------- search */

static Py_ssize_t
search(const char *method, PyObject *self, PyObject *const *args,
       Py_ssize_t nargs, int direction)
{
    Py_ssize_t start, end;
    if (_PyArg_SearchRange(method, args, nargs, &start, &end) < 0) {
        return -2;
    }
    return PyUnicode_Find(self, args[0], start, end, direction);
}

#define SEARCH_METHOD(name, direction)                                      \
    static PyObject *                                                       \
    str_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs)     \
    {                                                                       \
        Py_ssize_t at = search(#name, self, args, nargs, direction);        \
        return at == -2 ? NULL : PyLong_FromSsize_t(at);                    \
    }

#define INDEX_METHOD(name, direction)                                       \
    static PyObject *                                                       \
    str_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs)     \
    {                                                                       \
        Py_ssize_t at = search(#name, self, args, nargs, direction);        \
        if (at == -1) {                                                     \
            PyErr_SetString(PyExc_ValueError, "substring not found");       \
        }                                                                   \
        return at < 0 ? NULL : PyLong_FromSsize_t(at);                      \
    }

SEARCH_METHOD(find, 1)
SEARCH_METHOD(rfind, -1)
INDEX_METHOD(index, 1)
INDEX_METHOD(rindex, -1)

static PyObject *
str_count(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t start, end;
    if (_PyArg_SearchRange("count", args, nargs, &start, &end) < 0) {
        return NULL;
    }
    Py_ssize_t count = PyUnicode_Count(self, args[0], start, end);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

static PyObject *
tail_match(const char *method, PyObject *self, PyObject *const *args,
           Py_ssize_t nargs, int direction)
{
    Py_ssize_t start, end;
    if (_PyArg_SearchRange(method, args, nargs, &start, &end) < 0) {
        return NULL;
    }
    PyObject *sub = args[0];
    int found = 0;
    if (PyTuple_Check(sub)) {
        for (Py_ssize_t i = 0; !found && i < PyTuple_GET_SIZE(sub); i++) {
            PyObject *item = PyTuple_GET_ITEM(sub, i);
            if (!PyUnicode_Check(item)) {
                PyErr_Format(PyExc_TypeError,
                             "tuple for %s must only contain str, "
                             "not %.100s", method, Py_TYPE(item)->tp_name);
                return NULL;
            }
            found = (int)PyUnicode_Tailmatch(self, item, start, end,
                                             direction);
        }
    }
    else if (PyUnicode_Check(sub)) {
        found = (int)PyUnicode_Tailmatch(self, sub, start, end, direction);
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "%s first arg must be str or a tuple of str, "
                     "not %.100s", method, Py_TYPE(sub)->tp_name);
        return NULL;
    }
    return found < 0 ? NULL : PyBool_FromLong(found);
}

static PyObject *
str_startswith(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return tail_match("startswith", self, args, nargs, -1);
}

static PyObject *
str_endswith(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return tail_match("endswith", self, args, nargs, 1);
}

/* ---------------------------------------------- split, join, strip, replace */

/* sep=None, maxsplit=-1 */
static PyObject *
split_method(PyObject *(*split)(PyObject *, PyObject *, Py_ssize_t),
             _PyArg_Parser *parser, PyObject *self, PyObject *const *args,
             Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[2];
    Py_ssize_t maxsplit = -1;
    if (unpack_keywords(args, nargs, kwnames, parser, 2, given) < 0
        || (given[1] != NULL && _PyArg_AsSsize(given[1], &maxsplit) < 0))
    {
        return NULL;
    }
    PyObject *sep = given[0] == Py_None ? NULL : given[0];
    if (sep != NULL && !PyUnicode_Check(sep)) {
        PyErr_Format(PyExc_TypeError, "must be str or None, not %.100s",
                     Py_TYPE(sep)->tp_name);
        return NULL;
    }
    return split(self, sep, maxsplit);
}

static const char *const split_keywords[] = {"sep", "maxsplit", NULL};

static PyObject *
str_split(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
          PyObject *kwnames)
{
    KEYWORD_PARSER(parser, "split", split_keywords);
    if (kwnames == NULL && nargs == 0) {
        return PyUnicode_Split(self, NULL, -1);
    }
    if (kwnames == NULL && nargs == 1 && PyUnicode_Check(args[0])) {
        return PyUnicode_Split(self, args[0], -1);
    }
    return split_method(PyUnicode_Split, &parser, self, args, nargs, kwnames);
}

static PyObject *
str_rsplit(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
           PyObject *kwnames)
{
    KEYWORD_PARSER(parser, "rsplit", split_keywords);
    return split_method(PyUnicode_RSplit, &parser, self, args, nargs,
                        kwnames);
}

static PyObject *
str_splitlines(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const keywords[] = {"keepends", NULL};
    KEYWORD_PARSER(parser, "splitlines", keywords);
    PyObject *given[1];
    int keepends = 0;
    if (unpack_keywords(args, nargs, kwnames, &parser, 1, given) < 0) {
        return NULL;
    }
    if (given[0] != NULL) {
        keepends = _PyLong_AsInt(given[0]);
        if (keepends == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    return PyUnicode_Splitlines(self, keepends);
}

static PyObject *
str_partition(PyObject *self, PyObject *sep)
{
    return PyUnicode_Partition(self, sep);
}

static PyObject *
str_rpartition(PyObject *self, PyObject *sep)
{
    return PyUnicode_RPartition(self, sep);
}

static PyObject *
str_join(PyObject *self, PyObject *iterable)
{
    return PyUnicode_Join(self, iterable);
}

#define STRIP_METHOD(name, type)                                            \
    static PyObject *                                                       \
    str_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs)     \
    {                                                                       \
        if (!_PyArg_CheckPositional(#name, nargs, 0, 1)) {                  \
            return NULL;                                                    \
        }                                                                   \
        return _PyUnicode_StripArg(self, type, nargs ? args[0] : NULL,      \
                                   #name);                                  \
    }

STRIP_METHOD(lstrip, 0)
STRIP_METHOD(rstrip, 1)
STRIP_METHOD(strip, 2)

static PyObject *
str_replace(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t count = -1;
    if (!_PyArg_CheckPositional("replace", nargs, 2, 3)
        || require_str_arg("replace", "argument 1", args[0]) < 0
        || require_str_arg("replace", "argument 2", args[1]) < 0
        || (nargs == 3 && _PyArg_AsSsize(args[2], &count) < 0)
        || PyUnicode_READY(self) < 0)
    {
        return NULL;
    }
    return _PyUnicode_ReplaceReady(self, args[0], args[1], count);
}

static PyObject *
str_removeprefix(PyObject *self, PyObject *prefix)
{
    if (require_str_arg("removeprefix", "argument", prefix) < 0) {
        return NULL;
    }
    int match = (int)PyUnicode_Tailmatch(self, prefix, 0, PY_SSIZE_T_MAX, -1);
    if (match < 0) {
        return NULL;
    }
    return match ? PyUnicode_Substring(self, LENGTH(prefix), LENGTH(self))
                 : _PyUnicode_ResultUnchanged(self);
}

static PyObject *
str_removesuffix(PyObject *self, PyObject *suffix)
{
    if (require_str_arg("removesuffix", "argument", suffix) < 0) {
        return NULL;
    }
    int match = (int)PyUnicode_Tailmatch(self, suffix, 0, PY_SSIZE_T_MAX, 1);
    if (match < 0) {
        return NULL;
    }
    return match
        ? PyUnicode_Substring(self, 0, LENGTH(self) - LENGTH(suffix))
        : _PyUnicode_ResultUnchanged(self);
}

/* ------------------------------------------------------------------ padding */

static int
fill_char_arg(PyObject *arg, Py_UCS4 *fill)
{
    if (!PyUnicode_Check(arg)) {
        PyErr_Format(PyExc_TypeError,
                     "The fill character must be a unicode character, "
                     "not %.100s", Py_TYPE(arg)->tp_name);
        return -1;
    }
    if (PyUnicode_READY(arg) < 0) {
        return -1;
    }
    if (LENGTH(arg) != 1) {
        PyErr_SetString(PyExc_TypeError,
                        "The fill character must be exactly one character "
                        "long");
        return -1;
    }
    *fill = PyUnicode_READ_CHAR(arg, 0);
    return 0;
}

/* Parses width, fillchar=' '. *margin is the number of characters to add. */
static int
pad_args(const char *method, PyObject *self, PyObject *const *args,
         Py_ssize_t nargs, Py_ssize_t *width, Py_UCS4 *fill)
{
    *fill = ' ';
    if (!_PyArg_CheckPositional(method, nargs, 1, 2)
        || _PyArg_AsSsize(args[0], width) < 0
        || (nargs == 2 && fill_char_arg(args[1], fill) < 0))
    {
        return -1;
    }
    return PyUnicode_READY(self);
}

static PyObject *
str_ljust(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t width;
    Py_UCS4 fill;
    if (pad_args("ljust", self, args, nargs, &width, &fill) < 0) {
        return NULL;
    }
    return width <= LENGTH(self) ? _PyUnicode_ResultUnchanged(self)
        : _PyUnicode_Pad(self, 0, width - LENGTH(self), fill);
}

static PyObject *
str_rjust(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t width;
    Py_UCS4 fill;
    if (pad_args("rjust", self, args, nargs, &width, &fill) < 0) {
        return NULL;
    }
    return width <= LENGTH(self) ? _PyUnicode_ResultUnchanged(self)
        : _PyUnicode_Pad(self, width - LENGTH(self), 0, fill);
}

/* If the margin is odd, the extra character goes to the left exactly when the width is
   odd too. */
static PyObject *
str_center(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t width;
    Py_UCS4 fill;
    if (pad_args("center", self, args, nargs, &width, &fill) < 0) {
        return NULL;
    }
    if (width <= LENGTH(self)) {
        return _PyUnicode_ResultUnchanged(self);
    }
    Py_ssize_t margin = width - LENGTH(self);
    Py_ssize_t left = margin / 2 + (margin & width & 1);
    return _PyUnicode_Pad(self, left, margin - left, fill);
}

static PyObject *
str_zfill(PyObject *self, PyObject *arg)
{
    Py_ssize_t width;
    if (_PyArg_AsSsize(arg, &width) < 0 || PyUnicode_READY(self) < 0) {
        return NULL;
    }
    return _PyUnicode_Zfill(self, width);
}

static PyObject *
str_expandtabs(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const keywords[] = {"tabsize", NULL};
    KEYWORD_PARSER(parser, "expandtabs", keywords);
    PyObject *given[1];
    int tabsize = 8;
    if (unpack_keywords(args, nargs, kwnames, &parser, 1, given) < 0) {
        return NULL;
    }
    if (given[0] != NULL) {
        tabsize = _PyLong_AsInt(given[0]);
        if (tabsize == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    return PyUnicode_READY(self) < 0 ? NULL
        : _PyUnicode_ExpandTabs(self, tabsize);
}

/* --------------------------------------------------------------- predicates */

/* Is there at least one character, and do all satisfy the test? */
static inline __attribute__((always_inline)) PyObject *
all_chars(PyObject *self, int (*test)(Py_UCS4))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    const int kind = KIND(self);
    const void *data = DATA(self);
    const Py_ssize_t n = LENGTH(self);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!test(PyUnicode_READ(kind, data, i))) {
            Py_RETURN_FALSE;
        }
    }
    return PyBool_FromLong(n > 0);
}

static inline int
is_space(Py_UCS4 ch)
{
    return Py_UNICODE_ISSPACE(ch);
}

static inline int
is_alnum(Py_UCS4 ch)
{
    return Py_UNICODE_ISALNUM(ch);
}

#define ALL_METHOD(name, test)                                      \
    static PyObject *                                               \
    str_##name(PyObject *self, PyObject *Py_UNUSED(unused))         \
    {                                                               \
        return all_chars(self, test);                               \
    }

ALL_METHOD(isspace, is_space)
ALL_METHOD(isalpha, _PyUnicode_IsAlpha)
ALL_METHOD(isalnum, is_alnum)
ALL_METHOD(isdecimal, _PyUnicode_IsDecimalDigit)
ALL_METHOD(isdigit, _PyUnicode_IsDigit)
ALL_METHOD(isnumeric, _PyUnicode_IsNumeric)

static PyObject *
str_isprintable(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    return LENGTH(self) == 0 ? Py_NewRef(Py_True)
                             : all_chars(self, _PyUnicode_IsPrintable);
}

static PyObject *
str_isascii(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyUnicode_READY(self) < 0 ? NULL : PyBool_FromLong(IS_ASCII(self));
}

/* Is there at least one character of the wanted case, and none of the other case or of
   title case? */
static PyObject *
one_case(PyObject *self, int (*wanted)(Py_UCS4), int (*other)(Py_UCS4))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    int seen = 0;
    for (Py_ssize_t i = 0; i < LENGTH(self); i++) {
        Py_UCS4 ch = PyUnicode_READ(KIND(self), DATA(self), i);
        if (other(ch) || _PyUnicode_IsTitlecase(ch)) {
            Py_RETURN_FALSE;
        }
        seen |= wanted(ch);
    }
    return PyBool_FromLong(seen);
}

static PyObject *
str_islower(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return one_case(self, _PyUnicode_IsLowercase, _PyUnicode_IsUppercase);
}

static PyObject *
str_isupper(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return one_case(self, _PyUnicode_IsUppercase, _PyUnicode_IsLowercase);
}

static PyObject *
str_istitle(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    int seen = 0, in_word = 0;
    for (Py_ssize_t i = 0; i < LENGTH(self); i++) {
        Py_UCS4 ch = PyUnicode_READ(KIND(self), DATA(self), i);
        int starts = _PyUnicode_IsUppercase(ch) || _PyUnicode_IsTitlecase(ch);
        int goes_on = !starts && _PyUnicode_IsLowercase(ch);
        if ((starts && in_word) || (goes_on && !in_word)) {
            Py_RETURN_FALSE;
        }
        in_word = starts || goes_on;
        seen |= in_word;
    }
    return PyBool_FromLong(seen);
}

static inline int
continues_identifier(Py_UCS4 ch)
{
    return ch < 128 ? Py_ISALNUM(ch) || ch == '_' : _PyUnicode_IsXidContinue(ch);
}

/* The length of the identifier that op starts with. */
Py_ssize_t
_PyUnicode_ScanIdentifier(PyObject *op)
{
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    if (n == 0) {
        return 0;
    }
    Py_UCS4 first = PyUnicode_READ(kind, data, 0);
    if (first < 128 ? !Py_ISALPHA(first) && first != '_' : !_PyUnicode_IsXidStart(first)) {
        return 0;
    }
    Py_ssize_t i = 1;
    while (i < n && continues_identifier(PyUnicode_READ(kind, data, i))) {
        i++;
    }
    return i;
}

int
PyUnicode_IsIdentifier(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        return 0;
    }
    if (PyUnicode_READY(op) < 0) {
        PyErr_Clear();
        return 0;
    }
    return LENGTH(op) > 0 && _PyUnicode_ScanIdentifier(op) == LENGTH(op);
}

static PyObject *
str_isidentifier(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyBool_FromLong(PyUnicode_IsIdentifier(self));
}

/* ---------------------------------------------------- encoding and the rest */

static PyObject *
str_encode(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
           PyObject *kwnames)
{
    static const char *const keywords[] = {"encoding", "errors", NULL};
    KEYWORD_PARSER(parser, "encode", keywords);
    PyObject *given[2];
    const char *encoding = NULL, *errors = NULL;
    if (unpack_keywords(args, nargs, kwnames, &parser, 2, given) < 0
        || codec_args("encode", given[0], given[1], &encoding, &errors) < 0) {
        return NULL;
    }
    return PyUnicode_AsEncodedString(self, encoding, errors);
}

static PyObject *
str_format_spec(PyObject *self, PyObject *spec)
{
    if (require_str_arg("__format__", "argument", spec) < 0
        || PyUnicode_READY(self) < 0)
    {
        return NULL;
    }
    if (LENGTH(spec) == 0) {
        return PyUnicode_CheckExact(self) ? Py_NewRef(self)
                                          : PyObject_Str(self);
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    if (_PyUnicode_FormatAdvancedWriter(&writer, self, spec, 0,
                                        LENGTH(spec)) < 0)
    {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

static PyObject *
str_sizeof(PyObject *self, PyObject *Py_UNUSED(unused))
{
    size_t size;
    const void *data = PyUnicode_IS_READY(self) ? DATA(self) : NULL;
    if (PyUnicode_IS_COMPACT_ASCII(self)) {
        size = sizeof(PyASCIIObject) + LENGTH(self) + 1;
    }
    else if (PyUnicode_IS_COMPACT(self)) {
        size = sizeof(PyCompactUnicodeObject)
            + (size_t)(LENGTH(self) + 1) * KIND(self);
    }
    else {
        /* A subclass may have a larger basic size. */
        size = (size_t)Py_TYPE(self)->tp_basicsize;
        if (data != NULL) {
            size += (size_t)(LENGTH(self) + 1) * KIND(self);
        }
    }
    const wchar_t *wstr = AS_ASCII(self)->wstr;
    if (wstr != NULL && (const void *)wstr != data) {
        size += (size_t)(PyUnicode_IS_COMPACT_ASCII(self)
                         ? LENGTH(self) + 1
                         : AS_COMPACT(self)->wstr_length + 1)
            * sizeof(wchar_t);
    }
    if (!PyUnicode_IS_COMPACT_ASCII(self) && AS_COMPACT(self)->utf8 != NULL
        && (const void *)AS_COMPACT(self)->utf8 != data)
    {
        size += (size_t)AS_COMPACT(self)->utf8_length + 1;
    }
    return PyLong_FromSize_t(size);
}

static PyObject *
str_getnewargs(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *copy = _PyUnicode_Copy(self);
    return copy ? Py_BuildValue("(N)", copy) : NULL;
}

/* ---------------------------------------------------------------- the table */

#define SEVERAL(name, doc) {#name, FAST(str_##name), doc}
#define SEARCH(name, doc) {#name, FAST_FOR_TUPLE(str_##name), doc}
#define NAMED(name, doc) {#name, FAST_KEYWORDS(str_##name), doc}
#define NOARGS(name, doc) \
    {#name, str_##name, METH_NOARGS, #name "($self, /)\n--\n\n" doc}
#define CASE(name, doc)                             \
    {#name, _PyUnicode_method_##name, METH_NOARGS,  \
     #name "($self, /)\n--\n\n" doc}

PyMethodDef _PyUnicode_methods[] = {
    NAMED(encode, "encode($self, /, encoding='utf-8', errors='strict')\n"
             "--\n\nThe text as bytes in the given encoding."),
    SEVERAL(replace, "replace($self, old, new, count=-1, /)\n--\n\n"
         "A copy with occurrences of old, at most count from the left, "
         "replaced by new."),
    NAMED(split, "split($self, /, sep=None, maxsplit=-1)\n--\n\n"
             "The list of the parts between separators; None means runs of "
             "white space."),
    NAMED(rsplit, "rsplit($self, /, sep=None, maxsplit=-1)\n--\n\n"
             "Like split(), counting separators from the end."),
    {"join", str_join, METH_O, "join($self, iterable, /)\n--\n\n"
     "The strings of the iterable with this one between them."},
    CASE(capitalize, "The first character in title case, the rest in lower "
         "case."),
    CASE(casefold, "A version for comparison without regard to case."),
    CASE(title, "Words start in title case and go on in lower case."),
    SEVERAL(center, "center($self, width, fillchar=' ', /)\n--\n\n"
         "Centred in width characters."),
    SEARCH(count, "S.count(sub[, start[, end]]) -> int\n\n"
         "Occurrences of sub in S[start:end] that do not overlap."),
    NAMED(expandtabs, "expandtabs($self, /, tabsize=8)\n--\n\n"
             "Tabs replaced by spaces up to the next tab stop."),
    SEARCH(find, "S.find(sub[, start[, end]]) -> int\n\n"
         "The lowest index of sub in S[start:end], or -1."),
    {"partition", str_partition, METH_O, "partition($self, sep, /)\n--\n\n"
     "What is before the first sep, sep itself, and what is after it."},
    SEARCH(index, "S.index(sub[, start[, end]]) -> int\n\n"
         "Like find(), but a missing sub raises ValueError."),
    SEVERAL(ljust, "ljust($self, width, fillchar=' ', /)\n--\n\n"
         "Left-justified in width characters."),
    CASE(lower, "The text in lower case."),
    SEVERAL(lstrip, "lstrip($self, chars=None, /)\n--\n\n"
         "Without leading white space, or leading characters of chars."),
    SEARCH(rfind, "S.rfind(sub[, start[, end]]) -> int\n\n"
         "The highest index of sub in S[start:end], or -1."),
    SEARCH(rindex, "S.rindex(sub[, start[, end]]) -> int\n\n"
         "Like rfind(), but a missing sub raises ValueError."),
    SEVERAL(rjust, "rjust($self, width, fillchar=' ', /)\n--\n\n"
         "Right-justified in width characters."),
    SEVERAL(rstrip, "rstrip($self, chars=None, /)\n--\n\n"
         "Without trailing white space, or trailing characters of chars."),
    {"rpartition", str_rpartition, METH_O, "rpartition($self, sep, /)\n--\n\n"
     "What is before the last sep, sep itself, and what is after it."},
    NAMED(splitlines, "splitlines($self, /, keepends=False)\n--\n\n"
             "The list of the lines, with their ends if keepends is true."),
    SEVERAL(strip, "strip($self, chars=None, /)\n--\n\n"
         "Without white space, or characters of chars, at both ends."),
    CASE(swapcase, "Upper case becomes lower case and the reverse."),
    {"translate", _PyUnicode_method_translate, METH_O,
     "translate($self, table, /)\n--\n\n"
     "Each character replaced by what table maps its ordinal to: an "
     "ordinal, a string, or None to delete it."},
    CASE(upper, "The text in upper case."),
    SEARCH(startswith, "S.startswith(prefix[, start[, end]]) -> bool\n\n"
         "Does S[start:end] start with prefix, or with one of a tuple?"),
    SEARCH(endswith, "S.endswith(suffix[, start[, end]]) -> bool\n\n"
         "Does S[start:end] end with suffix, or with one of a tuple?"),
    {"removeprefix", str_removeprefix, METH_O,
     "removeprefix($self, prefix, /)\n--\n\n"
     "The text after prefix, or all of it if it does not start so."},
    {"removesuffix", str_removesuffix, METH_O,
     "removesuffix($self, suffix, /)\n--\n\n"
     "The text before suffix, or all of it if it does not end so."},
    NOARGS(isascii, "Are all characters ASCII? True for the empty string."),
    NOARGS(islower, "Are all cased characters lower case, and is there one?"),
    NOARGS(isupper, "Are all cased characters upper case, and is there one?"),
    NOARGS(istitle, "Does upper or title case start each word, and only "
           "that?"),
    NOARGS(isspace, "Is it white space, at least one character?"),
    NOARGS(isdecimal, "Is it decimal digits, at least one?"),
    NOARGS(isdigit, "Is it digits, at least one?"),
    NOARGS(isnumeric, "Is it numeric characters, at least one?"),
    NOARGS(isalpha, "Is it letters, at least one?"),
    NOARGS(isalnum, "Is it letters and digits, at least one?"),
    NOARGS(isidentifier, "Is it a valid Python identifier (or a keyword)?"),
    NOARGS(isprintable, "Would repr() leave every character as it is?"),
    {"zfill", str_zfill, METH_O, "zfill($self, width, /)\n--\n\n"
     "Padded on the left with zeros, after a sign."},
    {"format", VAR_KEYWORDS(_PyUnicode_method_format),
     "S.format(*args, **kwargs) -> str\n\n"
     "Replaces the fields in braces by the formatted arguments."},
    {"format_map", _PyUnicode_method_format_map, METH_O,
     "S.format_map(mapping) -> str\n\n"
     "Replaces the fields in braces by formatted values of the mapping."},
    {"__format__", str_format_spec, METH_O,
     "__format__($self, format_spec, /)\n--\n\n"
     "The text laid out as format_spec says."},
    {"maketrans",
     FAST(_PyUnicode_method_maketrans) | METH_STATIC,
     "A table for translate(): from a dict, from two strings of the same "
     "length,\nor with a third string of characters to delete."},
    {"__sizeof__", str_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nThe bytes of memory that it takes."},
    {"__getnewargs__", str_getnewargs, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

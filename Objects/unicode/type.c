/* str as an object: construction, repr, indexing, slots and the type. */
#include "private.h"
#include "internal/bytes.h"
#include "internal/kwargs.h"
#include "internal/wide_loop.h"

/* --------------------------------------------------------------------- repr */

/* The number of characters of repr(ch) inside the quotes `quote`. */
static inline int
repr_width(Py_UCS4 ch, Py_UCS4 quote)
{
    if (ch >= ' ' && ch < 0x7f) {
        return ch == quote || ch == '\\' ? 2 : 1;
    }
    if (ch < ' ') {
        return ch == '\t' || ch == '\r' || ch == '\n' ? 2 : 4;
    }
    if (ch != 0x7f && _PyUnicode_IsPrintable(ch)) {
        return 1;
    }
    return ch <= 0xff ? 4 : ch <= 0xffff ? 6 : 10;
}

static Py_ssize_t
write_repr_char(int kind, void *out, Py_ssize_t at, Py_UCS4 ch, int width)
{
    if (width == 1) {
        PyUnicode_WRITE(kind, out, at, ch);
        return at + 1;
    }
    PyUnicode_WRITE(kind, out, at++, '\\');
    if (width == 2) {
        Py_UCS4 letter = ch == '\t' ? 't' : ch == '\r' ? 'r'
            : ch == '\n' ? 'n' : ch;
        PyUnicode_WRITE(kind, out, at++, letter);
        return at;
    }
    PyUnicode_WRITE(kind, out, at++, width == 4 ? 'x' : width == 6 ? 'u'
                                     : 'U');
    for (int shift = 4 * (width - 3); shift >= 0; shift -= 4) {
        PyUnicode_WRITE(kind, out, at++, "0123456789abcdef"[ch >> shift
                                                            & 15]);
    }
    return at;
}

/* Is there nothing in op that repr() escapes, apart from quotes? */
static int
is_plain_ascii(const Py_UCS1 *text, Py_ssize_t n)
{
    int special = 0;
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; i < n; i++) {
        special |= (text[i] < ' ') | (text[i] == 0x7f) | (text[i] == '\\');
    }
    return !special;
}

/* The length of repr(op), including the quotes, and the widest character that it shows
   unescaped. Returns -1 on overflow. */
static inline __attribute__((always_inline)) Py_ssize_t
measure_repr(int kind, PyObject *op, Py_UCS4 quote, Py_UCS4 *maxchar)
{
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    Py_UCS4 most = *maxchar;
    Py_ssize_t size = n + 2;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        int width = repr_width(ch, quote);
        if (width == 1) {
            most = Py_MAX(most, ch);
            continue;
        }
        if (size > PY_SSIZE_T_MAX - width) {
            return -1;
        }
        size += width - 1;
    }
    *maxchar = most;
    return size;
}

/* Writes the characters of repr(op). A run of those that stay as they are is copied at
   once. */
static inline __attribute__((always_inline)) void
write_repr(int kind, PyObject *op, Py_UCS4 quote, PyObject *result)
{
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    Py_ssize_t at = 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        const Py_ssize_t start = i;
        int width = 1;
        while (i < n && (width = repr_width(PyUnicode_READ(kind, data, i), quote)) == 1) {
            i++;
        }
        _PyUnicode_FastCopyCharacters(result, at, op, start, i - start);
        at += i - start;
        if (i < n) {
            at = write_repr_char(KIND(result), DATA(result), at,
                                 PyUnicode_READ(kind, data, i), width);
        }
    }
}

static PyObject *
unicode_repr(PyObject *op)
{
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    /* Use double quotes only if this avoids escaping. */
    const int has_single = _PyText_FindChar(kind, data, n, '\'') >= 0;
    const Py_UCS4 quote = has_single
        && _PyText_FindChar(kind, data, n, '"') < 0 ? '"' : '\'';
    Py_UCS4 maxchar = 0x7f;
    Py_ssize_t size = n + 2;
    if (!IS_ASCII(op)) {
        size = BY_KIND(measure_repr, kind, op, quote, &maxchar);
    }
    else if (has_single || !is_plain_ascii(data, n)) {
        size = _PyBytes_ReprSize(data, n, (char)quote);
        size = size < 0 ? -1 : size + 2;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_OverflowError,
                        "string is too long to generate repr");
        return NULL;
    }
    PyObject *result = PyUnicode_New(size, maxchar);
    if (result == NULL) {
        return NULL;
    }
    const int out_kind = KIND(result);
    void *out = DATA(result);
    PyUnicode_WRITE(out_kind, out, 0, quote);
    PyUnicode_WRITE(out_kind, out, size - 1, quote);
    if (size == n + 2) {
        _PyUnicode_FastCopyCharacters(result, 1, op, 0, n);
        return result;
    }
    if (IS_ASCII(op)) {
        _PyBytes_WriteRepr((char *)out + 1, data, n, (char)quote);
    }
    else {
        BY_KIND(write_repr, kind, op, quote, result);
    }
    return result;
}

static PyObject *
unicode_str(PyObject *op)
{
    return PyUnicode_READY(op) < 0 ? NULL : _PyUnicode_ResultUnchanged(op);
}

/* -------------------------------------------------------------------- items */

static Py_ssize_t
unicode_length(PyObject *op)
{
    return PyUnicode_READY(op) < 0 ? -1 : LENGTH(op);
}

static inline PyObject *
char_string(PyObject *op, Py_ssize_t i)
{
    Py_UCS4 ch = PyUnicode_READ(KIND(op), DATA(op), i);
    return ch < 256 ? _PyUnicode_FromLatin1Char((Py_UCS1)ch)
                    : PyUnicode_FromOrdinal((int)ch);
}

static PyObject *
unicode_item(PyObject *op, Py_ssize_t i)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (i < 0 || i >= LENGTH(op)) {
        PyErr_SetString(PyExc_IndexError, "string index out of range");
        return NULL;
    }
    return char_string(op, i);
}

/* The bits of count characters from the one at `start` on. */
static inline __attribute__((always_inline)) Py_UCS4
bits_of(int kind, const void *data, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count)
{
    Py_UCS4 bits = 0;
    size_t at = (size_t)start;      /* beyond the last it may wrap around */
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; i < count; i++, at += (size_t)step) {
        bits |= PyUnicode_READ(kind, data, (Py_ssize_t)at);
    }
    return bits;
}

static inline __attribute__((always_inline)) void
pick(int out_kind, int kind, void *out, const void *data, Py_ssize_t start, Py_ssize_t step,
     Py_ssize_t count)
{
    size_t at = (size_t)start;
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; i < count; i++, at += (size_t)step) {
        PyUnicode_WRITE(out_kind, out, i, PyUnicode_READ(kind, data, (Py_ssize_t)at));
    }
}

/* Picks out the characters with the step, and with -1 as a constant. */
#define PICK(out_kind, kind)                                                    \
    (step == -1 ? pick(out_kind, kind, DATA(result), data, start, -1, count)    \
                : pick(out_kind, kind, DATA(result), data, start, step, count))

static PyObject *
extended_slice(PyObject *op, Py_ssize_t start, Py_ssize_t step,
               Py_ssize_t count)
{
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_UCS4 bits = IS_ASCII(op) ? 0
        : step == -1 ? _PyUnicode_FindMaxChar(op, start - count + 1, start + 1)
        : kind == 1 ? bits_of(1, data, start, step, count)
        : kind == 2 ? bits_of(2, data, start, step, count)
        : bits_of(4, data, start, step, count);
    PyObject *result = PyUnicode_New(count, Py_MIN(bits, MAX_UNICODE));
    if (result == NULL) {
        return NULL;
    }
    const int out_kind = KIND(result);
    if (kind == 1) {
        PICK(1, 1);
    }
    else if (kind == 2) {
        out_kind == 1 ? PICK(1, 2) : PICK(2, 2);
    }
    else {
        out_kind == 1 ? PICK(1, 4) : out_kind == 2 ? PICK(2, 4) : PICK(4, 4);
    }
    return _PyUnicode_Result(result);
}

static PyObject *
unicode_subscript(PyObject *op, PyObject *key)
{
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return unicode_item(op, i < 0 ? i + LENGTH(op) : i);
    }
    if (!PySlice_Check(key)) {
        PyErr_Format(PyExc_TypeError,
                     "string indices must be integers, not '%.200s'",
                     Py_TYPE(key)->tp_name);
        return NULL;
    }
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return NULL;
    }
    Py_ssize_t count = PySlice_AdjustIndices(LENGTH(op), &start, &stop, step);
    if (count <= 0) {
        return _PyUnicode_NewEmpty();
    }
    if (step == 1) {
        return count == LENGTH(op) ? _PyUnicode_ResultUnchanged(op)
                                   : _PyUnicode_Slice(op, start,
                                                      start + count);
    }
    return extended_slice(op, start, step, count);
}

static PyObject *
unicode_mod(PyObject *a, PyObject *b)
{
    if (!PyUnicode_Check(a)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyUnicode_Format(a, b);
}

/* -------------------------------------------------------------------- str() */

/* str(), str(object), str(bytes, encoding[, errors]) */
static PyObject *
construct(PyObject *object, const char *encoding, const char *errors)
{
    if (object == NULL) {
        return _PyUnicode_NewEmpty();
    }
    if (encoding == NULL && errors == NULL) {
        return PyObject_Str(object);
    }
    return PyUnicode_FromEncodedObject(object, encoding, errors);
}

/* Makes a string of a subclass with the text of `plain`. Steals plain. The characters
   are in a separate block, because the subclass's fields follow the PyUnicodeObject. */
static PyObject *
subtype_copy(PyTypeObject *type, PyObject *plain)
{
    if (plain == NULL) {
        return NULL;
    }
    if (PyUnicode_READY(plain) < 0) {
        Py_DECREF(plain);
        return NULL;
    }
    PyObject *self = type->tp_alloc(type, 0);
    const Py_ssize_t n = LENGTH(plain);
    const int kind = KIND(plain);
    void *data = self ? PyObject_Malloc((size_t)(n + 1) * kind) : NULL;
    if (data == NULL) {
        if (self != NULL) {
            PyErr_NoMemory();
        }
        Py_XDECREF(self);
        Py_DECREF(plain);
        return NULL;
    }
    memcpy(data, DATA(plain), (size_t)(n + 1) * kind);
    PyASCIIObject *head = AS_ASCII(self);
    head->length = n;
    head->hash = HASH(plain);
    head->state.interned = SSTATE_NOT_INTERNED;
    head->state.kind = kind;
    head->state.compact = 0;
    head->state.ascii = IS_ASCII(plain);
    head->state.ready = 1;
    head->wstr = NULL;
    AS_COMPACT(self)->utf8 = NULL;
    AS_COMPACT(self)->utf8_length = 0;
    AS_COMPACT(self)->wstr_length = 0;
    AS_LEGACY(self)->data.any = data;
    if (head->state.ascii) {
        AS_COMPACT(self)->utf8 = data;
        AS_COMPACT(self)->utf8_length = n;
    }
    if (kind == (int)sizeof(wchar_t)) {
        head->wstr = data;
        AS_COMPACT(self)->wstr_length = n;
    }
    Py_DECREF(plain);
    return self;
}

static PyObject *
unicode_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"object", "encoding", "errors", NULL};
    PyObject *object = NULL, *encoding_arg = NULL, *errors_arg = NULL;
    const char *encoding = NULL, *errors = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OOO:str", keywords, &object,
                                     &encoding_arg, &errors_arg)
        || codec_args("str", encoding_arg, errors_arg, &encoding, &errors) < 0)
    {
        return NULL;
    }
    PyObject *plain = construct(object, encoding, errors);
    return type == &PyUnicode_Type ? plain : subtype_copy(type, plain);
}

static PyObject *
unicode_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                   PyObject *kwnames)
{
    static const char *const keywords[] = {"object", "encoding", "errors",
                                           NULL};
    KEYWORD_PARSER(parser, "str", keywords);
    const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    const char *encoding = NULL, *errors = NULL;
    PyObject *given[3];
    if (kwnames == NULL && nargs == 1) {
        return PyObject_Str(args[0]);
    }
    if (unpack_keywords(args, nargs, kwnames, &parser, 3, given) < 0) {
        return NULL;
    }
    if (codec_args("str", given[1], given[2], &encoding, &errors) < 0) {
        return NULL;
    }
    (void)type;
    return construct(given[0], encoding, errors);
}

/* ----------------------------------------------------------------- the type */

static PyNumberMethods unicode_as_number = {
    .nb_remainder = unicode_mod,
};

static PySequenceMethods unicode_as_sequence = {
    .sq_length = unicode_length,
    .sq_concat = _PyUnicode_ConcatSlot,
    .sq_repeat = _PyUnicode_RepeatSlot,
    .sq_item = unicode_item,
    .sq_contains = PyUnicode_Contains,
};

static PyMappingMethods unicode_as_mapping = {
    .mp_length = unicode_length,
    .mp_subscript = unicode_subscript,
};

PyTypeObject PyUnicode_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "str",
    .tp_basicsize = sizeof(PyUnicodeObject),
    .tp_dealloc = _PyUnicode_Dealloc,
    .tp_repr = unicode_repr,
    .tp_as_number = &unicode_as_number,
    .tp_as_sequence = &unicode_as_sequence,
    .tp_as_mapping = &unicode_as_mapping,
    .tp_hash = _PyUnicode_Hash,
    .tp_str = unicode_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_UNICODE_SUBCLASS | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "str(object='') -> str\n"
        "str(bytes_or_buffer[, encoding[, errors]]) -> str\n\n"
        "Text: an immutable sequence of Unicode characters. Made from an "
        "object by its\n__str__() (or repr()), or by decoding bytes.",
    .tp_richcompare = PyUnicode_RichCompare,
    .tp_iter = _PyUnicode_Iter,
    .tp_methods = _PyUnicode_methods,
    .tp_base = &PyBaseObject_Type,
    .tp_new = unicode_new,
    .tp_free = PyObject_Free,
    .tp_vectorcall = unicode_vectorcall,
};

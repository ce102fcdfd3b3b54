/* Methods of bytes and bytearray: search, split, strip, replace, join,
   translate. See private.h. */
#include "private.h"
#include "internal/getargs.h"
#include "internal/textsearch.h"
#include "internal/textsplit.h"
#include "internal/kwargs.h"
#include "internal/wide_loop.h"

/* ---------------------------------------------------------------- arguments */

int
_PyBytes_OtherByteArg(PyObject *arg, const char *message)
{
    PyObject *index = PyNumber_Index(arg);
    if (index == NULL) {
        return -1;
    }
    int overflow;
    long value = PyLong_AsLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow || value < 0 || value > 255) {
        PyErr_SetString(PyExc_ValueError, message);
        return -1;
    }
    return (int)value;
}

/* The bytes of an argument, until PyBuffer_Release(). bytes can't change: no view is needed. */
static inline int
view_argument(PyObject *arg, Py_buffer *view)
{
    if (!PyBytes_CheckExact(arg)) {
        return PyObject_GetBuffer(arg, view, PyBUF_SIMPLE);
    }
    view->obj = NULL;
    view->buf = PyBytes_AS_STRING(arg);
    view->len = Py_SIZE(arg);
    return 0;
}

static void
clip_range(Py_ssize_t *start, Py_ssize_t *end, Py_ssize_t length)
{
    if (*end > length) {
        *end = length;
    }
    else if (*end < 0) {
        *end = Py_MAX(*end + length, 0);
    }
    if (*start < 0) {
        *start = Py_MAX(*start + length, 0);
    }
}

/* Converts the argument to search for: an int stands for one byte. */
typedef struct {
    Py_buffer buffer;
    unsigned char byte;
    const void *data;
    Py_ssize_t size;
} Needle;

static int
needle_init(Needle *needle, PyObject *arg)
{
    needle->buffer.obj = NULL;
    if (PyObject_CheckBuffer(arg)) {
        if (view_argument(arg, &needle->buffer) < 0) {
            return -1;
        }
        needle->data = needle->buffer.buf;
        needle->size = needle->buffer.len;
        return 0;
    }
    if (!PyIndex_Check(arg)) {
        PyErr_Format(PyExc_TypeError,
                     "argument should be integer or bytes-like object, "
                     "not '%.200s'", Py_TYPE(arg)->tp_name);
        return -1;
    }
    int byte = _PyBytes_ByteArg(arg, "byte must be in range(0, 256)");
    if (byte < 0) {
        return -1;
    }
    needle->byte = (unsigned char)byte;
    needle->data = &needle->byte;
    needle->size = 1;
    return 0;
}

static void
needle_clear(Needle *needle)
{
    if (needle->buffer.obj != NULL) {
        PyBuffer_Release(&needle->buffer);
    }
}

/* ------------------------------------------------------------------- search */

/* Returns the position, -1 if not found, -2 on error. */
static Py_ssize_t
search(const char *method, PyObject *self, PyObject *const *args,
       Py_ssize_t nargs, int direction)
{
    Py_ssize_t start, end;
    Needle needle;
    if (_PyArg_SearchRange(method, args, nargs, &start, &end) < 0
        || needle_init(&needle, args[0]) < 0)
    {
        return -2;
    }
    clip_range(&start, &end, Py_SIZE(self));
    Py_ssize_t at = -1;
    if (end - start >= needle.size) {
        const char *hay = _PyBytesLike_Data(self) + start;
        at = direction > 0
            ? _PyText_Find(1, hay, end - start, needle.data, needle.size)
            : _PyText_RFind(1, hay, end - start, needle.data, needle.size);
        if (at >= 0) {
            at += start;
        }
    }
    needle_clear(&needle);
    return at;
}

#define SEARCH_METHOD(name, direction)                                      \
    PyObject *                                                              \
    _PyBytesLike_##name(PyObject *self, PyObject *const *args,              \
                        Py_ssize_t nargs)                                   \
    {                                                                       \
        Py_ssize_t at = search(#name, self, args, nargs, direction);        \
        return at == -2 ? NULL : PyLong_FromSsize_t(at);                    \
    }

#define INDEX_METHOD(name, direction)                                       \
    PyObject *                                                              \
    _PyBytesLike_##name(PyObject *self, PyObject *const *args,              \
                        Py_ssize_t nargs)                                   \
    {                                                                       \
        Py_ssize_t at = search(#name, self, args, nargs, direction);        \
        if (at == -1) {                                                     \
            PyErr_SetString(PyExc_ValueError, "subsection not found");      \
        }                                                                   \
        return at < 0 ? NULL : PyLong_FromSsize_t(at);                      \
    }

SEARCH_METHOD(find, 1)
SEARCH_METHOD(rfind, -1)
INDEX_METHOD(index, 1)
INDEX_METHOD(rindex, -1)

PyObject *
_PyBytesLike_count(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t start, end;
    Needle needle;
    if (_PyArg_SearchRange("count", args, nargs, &start, &end) < 0
        || needle_init(&needle, args[0]) < 0)
    {
        return NULL;
    }
    clip_range(&start, &end, Py_SIZE(self));
    Py_ssize_t count = 0;
    if (end - start >= needle.size) {
        count = _PyText_Count(1, _PyBytesLike_Data(self) + start, end - start,
                              needle.data, needle.size, PY_SSIZE_T_MAX);
    }
    needle_clear(&needle);
    return PyLong_FromSsize_t(count);
}

int
_PyBytesLike_Contains(PyObject *self, PyObject *arg)
{
    if (PyIndex_Check(arg)) {
        PyObject *index = PyNumber_Index(arg);
        if (index != NULL) {
            int byte = _PyBytes_ByteArg(index, "byte must be in range(0, 256)");
            Py_DECREF(index);
            return byte < 0 ? -1
                : _PyText_FindChar(1, _PyBytesLike_Data(self), Py_SIZE(self),
                                   (Py_UCS4)byte) >= 0;
        }
        PyErr_Clear();          /* the argument may be a buffer */
    }
    Py_buffer sub;
    if (view_argument(arg, &sub) < 0) {
        return -1;
    }
    int found = sub.len <= Py_SIZE(self)
        && _PyText_Find(1, _PyBytesLike_Data(self), Py_SIZE(self), sub.buf,
                        sub.len) >= 0;
    PyBuffer_Release(&sub);
    return found;
}

static int
matches_tail(PyObject *self, PyObject *sub, Py_ssize_t start, Py_ssize_t end,
             int at_end)
{
    Py_buffer buffer;
    if (view_argument(sub, &buffer) < 0) {
        return -1;
    }
    clip_range(&start, &end, Py_SIZE(self));
    int match = 0;
    if (end - start >= buffer.len) {
        Py_ssize_t at = at_end ? end - buffer.len : start;
        match = memcmp(_PyBytesLike_Data(self) + at, buffer.buf,
                       (size_t)buffer.len) == 0;
    }
    PyBuffer_Release(&buffer);
    return match;
}

static PyObject *
tail_method(const char *method, PyObject *self, PyObject *const *args,
            Py_ssize_t nargs, int at_end)
{
    Py_ssize_t start, end;
    if (_PyArg_SearchRange(method, args, nargs, &start, &end) < 0) {
        return NULL;
    }
    int match = 0;
    if (PyTuple_Check(args[0])) {
        for (Py_ssize_t i = 0; match == 0 && i < PyTuple_GET_SIZE(args[0]);
             i++)
        {
            match = matches_tail(self, PyTuple_GET_ITEM(args[0], i), start,
                                 end, at_end);
        }
    }
    else {
        match = matches_tail(self, args[0], start, end, at_end);
        if (match < 0 && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(PyExc_TypeError,
                         "%s first arg must be bytes or a tuple of bytes, "
                         "not %s", method, Py_TYPE(args[0])->tp_name);
        }
    }
    return match < 0 ? NULL : PyBool_FromLong(match);
}

PyObject *
_PyBytesLike_startswith(PyObject *self, PyObject *const *args,
                        Py_ssize_t nargs)
{
    return tail_method("startswith", self, args, nargs, 0);
}

PyObject *
_PyBytesLike_endswith(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return tail_method("endswith", self, args, nargs, 1);
}

static PyObject *
remove_tail(PyObject *self, PyObject *arg, int at_end)
{
    Py_buffer buffer;
    if (view_argument(arg, &buffer) < 0) {
        return NULL;
    }
    const char *data = _PyBytesLike_Data(self);
    const Py_ssize_t n = Py_SIZE(self), m = buffer.len;
    PyObject *result;
    if (m > 0 && n >= m
        && memcmp(data + (at_end ? n - m : 0), buffer.buf, (size_t)m) == 0)
    {
        result = _PyBytesLike_New(self, data + (at_end ? 0 : m), n - m);
    }
    else {
        result = _PyBytesLike_Unchanged(self);
    }
    PyBuffer_Release(&buffer);
    return result;
}

PyObject *
_PyBytesLike_removeprefix(PyObject *self, PyObject *prefix)
{
    return remove_tail(self, prefix, 0);
}

PyObject *
_PyBytesLike_removesuffix(PyObject *self, PyObject *suffix)
{
    return remove_tail(self, suffix, 1);
}

/* -------------------------------------------------------------------- split */

static PyObject *
slice(PyObject *self, Py_ssize_t start, Py_ssize_t end)
{
    if (start == 0 && end == Py_SIZE(self)) {
        return _PyBytesLike_Unchanged(self);
    }
    return _PyBytesLike_New(self, _PyBytesLike_Data(self) + start,
                            end - start);
}

static _PyText_Source
source_of(PyObject *self)
{
    return (_PyText_Source){self, _PyBytesLike_Data(self), Py_SIZE(self), 1,
                            _PyText_BYTES, slice,
                            PyBytes_Check(self) ? _PyText_BYTES_OBJECTS : _PyText_BY_SLICE};
}

static PyObject *
split_method(PyObject *(*split)(const _PyText_Source *, const void *,
                                Py_ssize_t, Py_ssize_t),
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
    if (given[0] == NULL || given[0] == Py_None) {
        const _PyText_Source text = source_of(self);
        return split(&text, NULL, 0, maxsplit);
    }
    Py_buffer sep;
    if (view_argument(given[0], &sep) < 0) {
        return NULL;
    }
    PyObject *list = NULL;
    if (sep.len == 0) {
        PyErr_SetString(PyExc_ValueError, "empty separator");
    }
    else {
        const _PyText_Source text = source_of(self);
        list = split(&text, sep.buf, sep.len, maxsplit);
    }
    PyBuffer_Release(&sep);
    return list;
}

static const char *const split_keywords[] = {"sep", "maxsplit", NULL};

PyObject *
_PyBytesLike_split(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    KEYWORD_PARSER(parser, "split", split_keywords);
    return split_method(_PyText_Split, &parser, self, args, nargs, kwnames);
}

PyObject *
_PyBytesLike_rsplit(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *kwnames)
{
    KEYWORD_PARSER(parser, "rsplit", split_keywords);
    return split_method(_PyText_RSplit, &parser, self, args, nargs, kwnames);
}

PyObject *
_PyBytesLike_splitlines(PyObject *self, PyObject *const *args,
                        Py_ssize_t nargs, PyObject *kwnames)
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
    const _PyText_Source text = source_of(self);
    return _PyText_SplitLines(&text, keepends);
}

static PyObject *
pack_and_release(PyObject *a, PyObject *b, PyObject *c)
{
    PyObject *parts = NULL;
    if (a != NULL && b != NULL && c != NULL) {
        parts = PyTuple_Pack(3, a, b, c);
    }
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    return parts;
}

/* bytes puts sep itself in the middle, bytearray a copy of it. */
static PyObject *
partition(PyObject *self, PyObject *sep, int direction)
{
    Py_buffer buffer;
    if (view_argument(sep, &buffer) < 0) {
        return NULL;
    }
    PyObject *parts = NULL;
    if (buffer.len == 0) {
        PyErr_SetString(PyExc_ValueError, "empty separator");
        PyBuffer_Release(&buffer);
        return NULL;
    }
    const char *data = _PyBytesLike_Data(self);
    const Py_ssize_t n = Py_SIZE(self), m = buffer.len;
    Py_ssize_t at = direction > 0 ? _PyText_Find(1, data, n, buffer.buf, m)
                                  : _PyText_RFind(1, data, n, buffer.buf, m);
    if (at >= 0) {
        PyObject *middle = PyBytes_Check(self) ? Py_NewRef(sep)
            : _PyBytesLike_New(self, buffer.buf, m);
        parts = pack_and_release(_PyBytesLike_New(self, data, at), middle,
                                 _PyBytesLike_New(self, data + at + m,
                                                  n - at - m));
    }
    else {
        /* Of a subclass of bytes, too, self; of bytearray a copy. */
        PyObject *whole = PyBytes_Check(self) ? Py_NewRef(self) : _PyBytesLike_Unchanged(self);
        PyObject *empty1 = _PyBytesLike_New(self, "", 0);
        PyObject *empty2 = _PyBytesLike_New(self, "", 0);
        parts = direction > 0 ? pack_and_release(whole, empty1, empty2)
                              : pack_and_release(empty1, empty2, whole);
    }
    PyBuffer_Release(&buffer);
    return parts;
}

PyObject *
_PyBytesLike_partition(PyObject *self, PyObject *sep)
{
    return partition(self, sep, 1);
}

PyObject *
_PyBytesLike_rpartition(PyObject *self, PyObject *sep)
{
    return partition(self, sep, -1);
}

/* -------------------------------------------------------------------- strip */

static PyObject *
strip_method(const char *method, PyObject *self, PyObject *const *args,
             Py_ssize_t nargs, int left, int right)
{
    if (!_PyArg_CheckPositional(method, nargs, 0, 1)) {
        return NULL;
    }
    unsigned char members[256];
    const unsigned char *set = _PyBytes_IsSpaceTable;
    if (nargs == 1 && args[0] != Py_None) {
        Py_buffer buffer;
        if (view_argument(args[0], &buffer) < 0) {
            return NULL;
        }
        memset(members, 0, sizeof(members));
        for (Py_ssize_t i = 0; i < buffer.len; i++) {
            members[((const unsigned char *)buffer.buf)[i]] = 1;
        }
        PyBuffer_Release(&buffer);
        set = members;
    }
    const unsigned char *data =
        (const unsigned char *)_PyBytesLike_Data(self);
    Py_ssize_t start = 0, end = Py_SIZE(self);
    while (left && start < end && set[data[start]]) {
        start++;
    }
    while (right && end > start && set[data[end - 1]]) {
        end--;
    }
    return slice(self, start, end);
}

PyObject *
_PyBytesLike_strip(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return strip_method("strip", self, args, nargs, 1, 1);
}

PyObject *
_PyBytesLike_lstrip(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return strip_method("lstrip", self, args, nargs, 1, 0);
}

PyObject *
_PyBytesLike_rstrip(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return strip_method("rstrip", self, args, nargs, 0, 1);
}

/* ------------------------------------------------------------------ replace */

/* Inserts `new` between the bytes, `count` times at most. */
static PyObject *
interleave(PyObject *self, const Py_buffer *new, Py_ssize_t count)
{
    const char *data = _PyBytesLike_Data(self);
    const Py_ssize_t n = Py_SIZE(self), k = new->len;
    count = Py_MIN(count, n + 1);
    if (k > 0 && count > (PY_SSIZE_T_MAX - n) / k) {
        PyErr_SetString(PyExc_OverflowError, "replace bytes is too long");
        return NULL;
    }
    PyObject *result = _PyBytesLike_New(self, NULL, n + count * k);
    if (result == NULL) {
        return NULL;
    }
    char *out = _PyBytesLike_Data(result);
    for (Py_ssize_t i = 0; i <= n; i++) {
        if (i < count) {
            memcpy(out, new->buf, (size_t)k);
            out += k;
        }
        if (i < n) {
            *out++ = data[i];
        }
    }
    return result;
}

/* Replaces all bytes of one value by another value. */
static PyObject *
exchange(PyObject *self, unsigned char from, unsigned char to)
{
    const unsigned char *data = (const unsigned char *)_PyBytesLike_Data(self);
    const Py_ssize_t n = Py_SIZE(self);
    const unsigned char *first = memchr(data, from, (size_t)n);
    if (first == NULL) {
        return _PyBytesLike_Unchanged(self);
    }
    PyObject *result = _PyBytesLike_New(self, NULL, n);
    if (result == NULL) {
        return NULL;
    }
    unsigned char *restrict out = (unsigned char *)_PyBytesLike_Data(result);
    Py_ssize_t i = first - data;
    memcpy(out, data, (size_t)i);
    _Py_WIDE_LOOP
    for (; i < n; i++) {
        out[i] = data[i] == from ? to : data[i];
    }
    return result;
}

static PyObject *
replace(PyObject *self, const Py_buffer *old, const Py_buffer *new,
        Py_ssize_t count)
{
    const char *data = _PyBytesLike_Data(self);
    const Py_ssize_t n = Py_SIZE(self), m = old->len, k = new->len;
    if (count < 0) {
        count = PY_SSIZE_T_MAX;
    }
    if (count == 0 || m > n || (m == 0 && k == 0)) {
        return _PyBytesLike_Unchanged(self);
    }
    if (m == 0) {
        return interleave(self, new, count);
    }
    if (m == 1 && k == 1 && count >= n) {
        return exchange(self, *(const unsigned char *)old->buf,
                        *(const unsigned char *)new->buf);
    }
    count = _PyText_Count(1, data, n, old->buf, m, count);
    if (count == 0) {
        return _PyBytesLike_Unchanged(self);
    }
    if (k > m && count > (PY_SSIZE_T_MAX - n) / (k - m)) {
        PyErr_SetString(PyExc_OverflowError, "replace bytes is too long");
        return NULL;
    }
    PyObject *result = _PyBytesLike_New(self, NULL, n + count * (k - m));
    if (result == NULL) {
        return NULL;
    }
    char *out = _PyBytesLike_Data(result);
    _PyTextFinder finder;
    _PyText_FinderInit(&finder, 1, old->buf, m);
    Py_ssize_t at = 0, places[64];
    while (count > 0) {
        const Py_ssize_t origin = at;
        Py_ssize_t found = _PyText_FinderMany(
            &finder, data + at, n - at, places,
            Py_MIN(count, (Py_ssize_t)Py_ARRAY_LENGTH(places)));
        for (Py_ssize_t i = 0; i < found; i++) {
            const Py_ssize_t run = origin + places[i] - at;
            memcpy(out, data + at, (size_t)run);
            out += run;
            memcpy(out, new->buf, (size_t)k);
            out += k;
            at += run + m;
        }
        count -= found;
    }
    memcpy(out, data + at, (size_t)(n - at));
    return result;
}

PyObject *
_PyBytesLike_replace(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_buffer old, new;
    Py_ssize_t count = -1;
    PyObject *result = NULL;
    if (!_PyArg_CheckPositional("replace", nargs, 2, 3)
        || view_argument(args[0], &old) < 0)
    {
        return NULL;
    }
    if (view_argument(args[1], &new) == 0) {
        if (nargs < 3 || _PyArg_AsSsize(args[2], &count) == 0) {
            result = replace(self, &old, &new, count);
        }
        PyBuffer_Release(&new);
    }
    PyBuffer_Release(&old);
    return result;
}

/* --------------------------------------------------------------------- join */

/* The parts as buffers. Exact bytes objects need none. */
static PyObject *
join_buffers(PyObject *self, PyObject *items)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(items), m = Py_SIZE(self);
    Py_buffer *buffers = PyMem_New(Py_buffer, count);
    PyObject *result = NULL;
    Py_ssize_t got = 0, total = 0;
    if (buffers == NULL) {
        return PyErr_NoMemory();
    }
    for (; got < count; got++) {
        PyObject *item = PyTuple_GET_ITEM(items, got);
        if (PyObject_GetBuffer(item, &buffers[got], PyBUF_SIMPLE) < 0) {
            PyErr_Format(PyExc_TypeError,
                         "sequence item %zd: expected a bytes-like object, "
                         "%.80s found", got, Py_TYPE(item)->tp_name);
            goto done;
        }
        Py_ssize_t added = got > 0 ? m : 0;
        if (buffers[got].len > PY_SSIZE_T_MAX - total - added) {
            PyErr_SetString(PyExc_OverflowError,
                            "join() result is too long");
            got++;
            goto done;
        }
        total += added + buffers[got].len;
    }
    result = _PyBytesLike_New(self, NULL, total);
    if (result != NULL) {
        char *out = _PyBytesLike_Data(result);
        for (Py_ssize_t i = 0; i < count; i++) {
            if (i > 0) {
                memcpy(out, _PyBytesLike_Data(self), (size_t)m);
                out += m;
            }
            memcpy(out, buffers[i].buf, (size_t)buffers[i].len);
            out += buffers[i].len;
        }
    }
done:
    while (got-- > 0) {
        PyBuffer_Release(&buffers[got]);
    }
    PyMem_Free(buffers);
    return result;
}

/* All items are exact bytes: no code runs that could change them. */
static PyObject *
join_bytes(PyObject *self, PyObject *const *items, Py_ssize_t count)
{
    const Py_ssize_t m = Py_SIZE(self);
    Py_ssize_t total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t added = Py_SIZE(items[i]) + (i > 0 ? m : 0);
        if (added < 0 || added > PY_SSIZE_T_MAX - total) {
            PyErr_SetString(PyExc_OverflowError, "join() result is too long");
            return NULL;
        }
        total += added;
    }
    PyObject *result = _PyBytesLike_New(self, NULL, total);
    if (result == NULL) {
        return NULL;
    }
    char *out = _PyBytesLike_Data(result);
    const char *sep = _PyBytesLike_Data(self);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (i > 0 && m > 0) {
            memcpy(out, sep, (size_t)m);
            out += m;
        }
        memcpy(out, PyBytes_AS_STRING(items[i]), (size_t)Py_SIZE(items[i]));
        out += Py_SIZE(items[i]);
    }
    return result;
}

PyObject *
_PyBytesLike_join(PyObject *self, PyObject *iterable)
{
    PyObject *fast = PySequence_Fast(iterable, "can only join an iterable");
    if (fast == NULL) {
        return NULL;
    }
    PyObject *const *items = PySequence_Fast_ITEMS(fast);
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(fast);
    PyObject *result;
    Py_ssize_t plain = 0;
    while (plain < count && PyBytes_CheckExact(items[plain])) {
        plain++;
    }
    if (count == 1 && plain == 1 && PyBytes_Check(self)) {
        result = Py_NewRef(items[0]);
    }
    else if (plain == count) {
        result = join_bytes(self, items, count);
    }
    else {
        PyObject *tuple = PySequence_Tuple(fast);
        result = tuple ? join_buffers(self, tuple) : NULL;
        Py_XDECREF(tuple);
    }
    Py_DECREF(fast);
    return result;
}

PyObject *
_PyBytes_Join(PyObject *sep, PyObject *iterable)
{
    if (sep == NULL || !PyBytes_Check(sep)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return _PyBytesLike_join(sep, iterable);
}

/* ---------------------------------------------------------------- translate */

static PyObject *
translate(PyObject *self, const unsigned char *table,
          const unsigned char *deleted, Py_ssize_t n_deleted)
{
    const unsigned char *data =
        (const unsigned char *)_PyBytesLike_Data(self);
    const Py_ssize_t n = Py_SIZE(self);
    unsigned char drop[256] = {0};
    for (Py_ssize_t i = 0; i < n_deleted; i++) {
        drop[deleted[i]] = 1;
    }
    PyObject *result = _PyBytesLike_New(self, NULL, n);
    if (result == NULL) {
        return NULL;
    }
    unsigned char *out = (unsigned char *)_PyBytesLike_Data(result);
    Py_ssize_t k = 0;
    if (n_deleted == 0) {
        for (; k < n; k++) {
            out[k] = table ? table[data[k]] : data[k];
        }
    }
    else {
        for (Py_ssize_t i = 0; i < n; i++) {
            out[k] = table ? table[data[i]] : data[i];
            k += !drop[data[i]];
        }
    }
    const int changed = k < n || memcmp(out, data, (size_t)n) != 0;
    if (!changed && PyBytes_CheckExact(self)) {
        Py_DECREF(result);
        return Py_NewRef(self);
    }
    if (k == n) {
        return result;
    }
    if (PyBytes_Check(result)) {
        _PyBytes_Resize(&result, k);
    }
    else if (PyByteArray_Resize(result, k) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
_PyBytesLike_translate(PyObject *self, PyObject *const *args,
                       Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", "delete", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "translate", NULL,
                                   0, 0, 0, NULL, NULL};
    PyObject *buffer[2] = {NULL, NULL};
    if (kwnames == NULL && nargs == 1) {
        buffer[0] = args[0];
        args = buffer;
    }
    else {
        args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 1,
                                     2, 0, buffer);
        if (args == NULL) {
            return NULL;
        }
    }
    Py_buffer table = {.obj = NULL}, deleted = {.obj = NULL};
    PyObject *result = NULL;
    if (args[0] != Py_None
        && view_argument(args[0], &table) < 0)
    {
        return NULL;
    }
    if (args[0] != Py_None && table.len != 256) {
        PyErr_SetString(PyExc_ValueError,
                        "translation table must be 256 characters long");
    }
    else if (args[1] == NULL
             || view_argument(args[1], &deleted) == 0)
    {
        result = translate(self, args[0] == Py_None ? NULL : table.buf,
                           deleted.buf, args[1] ? deleted.len : 0);
    }
    PyBuffer_Release(&deleted);
    PyBuffer_Release(&table);
    return result;
}

PyObject *
_PyBytesLike_maketrans(PyObject *Py_UNUSED(self), PyObject *const *args,
                       Py_ssize_t nargs)
{
    Py_buffer from, to;
    if (!_PyArg_CheckPositional("maketrans", nargs, 2, 2)
        || view_argument(args[0], &from) < 0)
    {
        return NULL;
    }
    if (view_argument(args[1], &to) < 0) {
        PyBuffer_Release(&from);
        return NULL;
    }
    PyObject *result = NULL;
    if (from.len != to.len) {
        PyErr_SetString(PyExc_ValueError,
                        "maketrans arguments must have same length");
    }
    else if ((result = PyBytes_FromStringAndSize(NULL, 256)) != NULL) {
        char *table = PyBytes_AS_STRING(result);
        for (int i = 0; i < 256; i++) {
            table[i] = (char)i;
        }
        for (Py_ssize_t i = 0; i < from.len; i++) {
            table[((unsigned char *)from.buf)[i]] = ((char *)to.buf)[i];
        }
    }
    PyBuffer_Release(&from);
    PyBuffer_Release(&to);
    return result;
}

/* --------------------------------------------------------------- for C code */

Py_ssize_t
_PyBytes_Find(const char *haystack, Py_ssize_t len_haystack,
              const char *needle, Py_ssize_t len_needle, Py_ssize_t offset)
{
    if (len_needle > len_haystack) {
        return -1;
    }
    Py_ssize_t at = _PyText_Find(1, haystack, len_haystack, needle,
                                 len_needle);
    return at < 0 ? -1 : at + offset;
}

Py_ssize_t
_PyBytes_ReverseFind(const char *haystack, Py_ssize_t len_haystack,
                     const char *needle, Py_ssize_t len_needle,
                     Py_ssize_t offset)
{
    Py_ssize_t at = _PyText_RFind(1, haystack, len_haystack, needle,
                                  len_needle);
    return at < 0 ? -1 : at + offset;
}

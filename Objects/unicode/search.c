/* Finding, counting, splitting, stripping and replacing in strings. */
#include "private.h"
#include "internal/textsplit.h"
#include "internal/tuple.h"
#include "internal/wide_loop.h"

/* ----------------------------------------------------------- find and count */

/* The position of sub in op[start:end] (the bounds are clipped), searched from the left
   if direction > 0, else from the right. Returns -1 if not found, -2 on error. Both
   strings are ready. */
static Py_ssize_t
find_in(PyObject *op, PyObject *sub, Py_ssize_t start, Py_ssize_t end,
        int direction)
{
    clip_range(&start, &end, LENGTH(op));
    const int kind = KIND(op);
    const Py_ssize_t n = end - start, m = LENGTH(sub);
    if (n < m || KIND(sub) > kind) {
        return -1;
    }
    const void *hay = data_at(kind, DATA(op), start);
    WidenedData needle;
    if (_PyUnicode_Widen(&needle, sub, kind) < 0) {
        return -2;
    }
    Py_ssize_t at = direction > 0
        ? _PyText_Find(kind, hay, n, needle.data, m)
        : _PyText_RFind(kind, hay, n, needle.data, m);
    widened_free(&needle);
    return at < 0 ? -1 : start + at;
}

Py_ssize_t
PyUnicode_Find(PyObject *op, PyObject *sub, Py_ssize_t start, Py_ssize_t end,
               int direction)
{
    if (_PyUnicode_EnsureStr(op) < 0 || _PyUnicode_EnsureStr(sub) < 0) {
        return -2;
    }
    return find_in(op, sub, start, end, direction);
}

Py_ssize_t
PyUnicode_FindChar(PyObject *op, Py_UCS4 ch, Py_ssize_t start,
                   Py_ssize_t end, int direction)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return -2;
    }
    if (PyUnicode_READY(op) < 0) {
        return -2;
    }
    clip_range(&start, &end, LENGTH(op));
    if (start >= end) {
        return -1;
    }
    const void *hay = data_at(KIND(op), DATA(op), start);
    Py_ssize_t at = direction > 0
        ? _PyText_FindChar(KIND(op), hay, end - start, ch)
        : _PyText_RFindChar(KIND(op), hay, end - start, ch);
    return at < 0 ? -1 : start + at;
}

Py_ssize_t
PyUnicode_Count(PyObject *op, PyObject *sub, Py_ssize_t start, Py_ssize_t end)
{
    if (_PyUnicode_EnsureStr(op) < 0 || _PyUnicode_EnsureStr(sub) < 0) {
        return -1;
    }
    clip_range(&start, &end, LENGTH(op));
    const int kind = KIND(op);
    const Py_ssize_t n = end - start, m = LENGTH(sub);
    if (n < m || KIND(sub) > kind) {
        return 0;
    }
    WidenedData needle;
    if (_PyUnicode_Widen(&needle, sub, kind) < 0) {
        return -1;
    }
    Py_ssize_t count = _PyText_Count(kind, data_at(kind, DATA(op), start), n,
                                     needle.data, m, PY_SSIZE_T_MAX);
    widened_free(&needle);
    return count;
}

/* Few letters are looked at one by one. */
static inline int
has_ascii(const char *text, Py_ssize_t n, char wanted)
{
    enum { FEW = 16 };
    if (n > FEW) {
        return memchr(text, wanted, (size_t)n) != NULL;
    }
    Py_ssize_t i = 0;
    while (i < n && text[i] != wanted) {
        i++;
    }
    return i < n;
}

int
PyUnicode_Contains(PyObject *op, PyObject *sub)
{
    if (PyUnicode_CheckExact(sub) && PyUnicode_CheckExact(op) && PyUnicode_IS_COMPACT_ASCII(sub)
        && PyUnicode_IS_COMPACT_ASCII(op) && LENGTH(sub) == 1) {
        return has_ascii((const char *)((PyASCIIObject *)op + 1), LENGTH(op),
                         *(const char *)((PyASCIIObject *)sub + 1));
    }
    if (!PyUnicode_Check(sub)) {
        PyErr_Format(PyExc_TypeError,
                     "'in <string>' requires string as left operand, "
                     "not %.100s", Py_TYPE(sub)->tp_name);
        return -1;
    }
    if (PyUnicode_READY(sub) < 0 || _PyUnicode_EnsureStr(op) < 0) {
        return -1;
    }
    Py_ssize_t at = find_in(op, sub, 0, PY_SSIZE_T_MAX, 1);
    return at == -2 ? -1 : at >= 0;
}

Py_ssize_t
PyUnicode_Tailmatch(PyObject *op, PyObject *sub, Py_ssize_t start,
                    Py_ssize_t end, int direction)
{
    if (_PyUnicode_EnsureStr(op) < 0 || _PyUnicode_EnsureStr(sub) < 0) {
        return -1;
    }
    clip_range(&start, &end, LENGTH(op));
    const Py_ssize_t m = LENGTH(sub);
    if (end - start < m) {
        return 0;
    }
    if (m == 0) {
        return 1;
    }
    const int kind = KIND(op), sub_kind = KIND(sub);
    const Py_ssize_t at = direction > 0 ? end - m : start;
    const void *data = DATA(op), *sub_data = DATA(sub);
    if (kind == sub_kind) {
        return memcmp(data_at(kind, data, at), sub_data,
                      (size_t)m * kind) == 0;
    }
    for (Py_ssize_t i = 0; i < m; i++) {
        if (PyUnicode_READ(kind, data, at + i)
            != PyUnicode_READ(sub_kind, sub_data, i))
        {
            return 0;
        }
    }
    return 1;
}

/* ------------------------------------------------------ split and partition */

static PyObject *
slice_for_split(PyObject *op, Py_ssize_t start, Py_ssize_t end)
{
    if (start == 0 && end == LENGTH(op)) {
        return _PyUnicode_ResultUnchanged(op);
    }
    return _PyUnicode_Slice(op, start, end);
}

static _PyText_Source
source_of(PyObject *op)
{
    return (_PyText_Source){op, DATA(op), LENGTH(op), KIND(op), _PyText_STR,
                            slice_for_split,
                            IS_ASCII(op) ? _PyText_ASCII_STRS : _PyText_BY_SLICE};
}

typedef PyObject *(*split_function)(const _PyText_Source *, const void *,
                                    Py_ssize_t, Py_ssize_t);

static PyObject *
split_with(split_function split, PyObject *op, PyObject *sep,
           Py_ssize_t maxsplit)
{
    if (_PyUnicode_EnsureStr(op) < 0) {
        return NULL;
    }
    const _PyText_Source text = source_of(op);
    if (sep == NULL) {
        return split(&text, NULL, 0, maxsplit);
    }
    if (_PyUnicode_EnsureStr(sep) < 0) {
        return NULL;
    }
    const Py_ssize_t m = LENGTH(sep);
    if (m == 0) {
        PyErr_SetString(PyExc_ValueError, "empty separator");
        return NULL;
    }
    if (KIND(sep) > text.kind || m > text.length) {
        /* As in partition(), the object itself. */
        PyObject *list = PyList_New(1);
        if (list != NULL) {
            PyList_SET_ITEM(list, 0, Py_NewRef(op));
        }
        return list;
    }
    WidenedData needle;
    if (_PyUnicode_Widen(&needle, sep, text.kind) < 0) {
        return NULL;
    }
    PyObject *list = split(&text, needle.data, m, maxsplit);
    widened_free(&needle);
    return list;
}

PyObject *
PyUnicode_Split(PyObject *op, PyObject *sep, Py_ssize_t maxsplit)
{
    return split_with(_PyText_Split, op, sep, maxsplit);
}

PyObject *
PyUnicode_RSplit(PyObject *op, PyObject *sep, Py_ssize_t maxsplit)
{
    return split_with(_PyText_RSplit, op, sep, maxsplit);
}

PyObject *
PyUnicode_Splitlines(PyObject *op, int keepends)
{
    if (_PyUnicode_EnsureStr(op) < 0) {
        return NULL;
    }
    const _PyText_Source text = source_of(op);
    return _PyText_SplitLines(&text, keepends);
}

/* Steals the three parts. Returns a tuple of them, or NULL if one of them is NULL. */
static PyObject *
pack_and_release(PyObject *a, PyObject *b, PyObject *c)
{
    PyTupleObject *parts = NULL;
    if (a != NULL && b != NULL && c != NULL) {
        parts = _PyTuple_Alloc(3);
    }
    if (parts == NULL) {
        Py_XDECREF(a);
        Py_XDECREF(b);
        Py_XDECREF(c);
        return NULL;
    }
    parts->ob_item[0] = a;
    parts->ob_item[1] = b;
    parts->ob_item[2] = c;
    _PyObject_GC_TRACK((PyObject *)parts);
    return (PyObject *)parts;
}

static PyObject *
partition(PyObject *op, PyObject *sep, int direction)
{
    if (_PyUnicode_EnsureStr(op) < 0 || _PyUnicode_EnsureStr(sep) < 0) {
        return NULL;
    }
    const Py_ssize_t n = LENGTH(op), m = LENGTH(sep);
    if (m == 0) {
        PyErr_SetString(PyExc_ValueError, "empty separator");
        return NULL;
    }
    Py_ssize_t at = find_in(op, sep, 0, PY_SSIZE_T_MAX, direction);
    if (at == -2) {
        return NULL;
    }
    if (at < 0) {
        /* Even an object of a subclass is itself, not a copy. */
        PyObject *before = _PyUnicode_NewEmpty(), *after = _PyUnicode_NewEmpty();
        return direction > 0 ? pack_and_release(Py_NewRef(op), before, after)
            : pack_and_release(before, after, Py_NewRef(op));
    }
    return pack_and_release(_PyUnicode_Slice(op, 0, at), Py_NewRef(sep),
                            _PyUnicode_Slice(op, at + m, n));
}

PyObject *
PyUnicode_Partition(PyObject *op, PyObject *sep)
{
    return partition(op, sep, 1);
}

PyObject *
PyUnicode_RPartition(PyObject *op, PyObject *sep)
{
    return partition(op, sep, -1);
}

/* -------------------------------------------------------------------- strip */

#define STRIP_LEFT(type)  ((type) != 1)
#define STRIP_RIGHT(type) ((type) != 0)

static PyObject *
strip_result(PyObject *op, Py_ssize_t start, Py_ssize_t end)
{
    if (start == 0 && end == LENGTH(op)) {
        return _PyUnicode_ResultUnchanged(op);
    }
    return _PyUnicode_Slice(op, start, end);
}

static PyObject *
strip_space(PyObject *op, int type)
{
    const int kind = KIND(op);
    const void *data = DATA(op);
    Py_ssize_t start = 0, end = LENGTH(op);
    if (STRIP_LEFT(type)) {
        while (start < end
               && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)))
        {
            start++;
        }
    }
    if (STRIP_RIGHT(type)) {
        while (end > start
               && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)))
        {
            end--;
        }
    }
    return strip_result(op, start, end);
}

static inline int
set_has(PyObject *set, Py_UCS4 ch)
{
    return _PyText_FindChar(KIND(set), DATA(set), LENGTH(set), ch) >= 0;
}

/* type 0: left, 1: right, 2: both. */
PyObject *
_PyUnicode_XStrip(PyObject *op, int type, PyObject *set)
{
    if (PyUnicode_READY(op) < 0 || PyUnicode_READY(set) < 0) {
        return NULL;
    }
    const int kind = KIND(op);
    const void *data = DATA(op);
    Py_ssize_t start = 0, end = LENGTH(op);
    if (STRIP_LEFT(type)) {
        while (start < end && set_has(set, PyUnicode_READ(kind, data, start)))
        {
            start++;
        }
    }
    if (STRIP_RIGHT(type)) {
        while (end > start
               && set_has(set, PyUnicode_READ(kind, data, end - 1)))
        {
            end--;
        }
    }
    return strip_result(op, start, end);
}

PyObject *
_PyUnicode_StripArg(PyObject *op, int type, PyObject *set, const char *name)
{
    if (set == NULL || set == Py_None) {
        return PyUnicode_READY(op) < 0 ? NULL : strip_space(op, type);
    }
    if (!PyUnicode_Check(set)) {
        PyErr_Format(PyExc_TypeError, "%s arg must be None or str", name);
        return NULL;
    }
    return _PyUnicode_XStrip(op, type, set);
}

/* ------------------------------------------------------------------ replace */

/* Steals op. Returns it narrowed to the smallest kind that holds its text. */
static PyObject *
narrowed(PyObject *op)
{
    Py_UCS4 maxchar = _PyUnicode_MaxCharOf(KIND(op), DATA(op), LENGTH(op));
    if (maxchar == PyUnicode_MAX_CHAR_VALUE(op)) {
        return op;
    }
    PyObject *copy = PyUnicode_New(LENGTH(op), maxchar);
    if (copy != NULL) {
        _PyUnicode_FastCopyCharacters(copy, 0, op, 0, LENGTH(op));
    }
    Py_DECREF(op);
    return copy;
}

#define REPLACE_ALL(UNIT)                                       \
    do {                                                        \
        UNIT *p = data;                                         \
        _Py_WIDE_LOOP                                           \
        for (Py_ssize_t k = i; k < n; k++) {                    \
            p[k] = p[k] == (UNIT)from ? (UNIT)to : p[k];        \
        }                                                       \
    } while (0)

static PyObject *
replace_char(PyObject *op, Py_UCS4 from, Py_UCS4 to, Py_ssize_t maxcount)
{
    const Py_ssize_t n = LENGTH(op);
    Py_ssize_t i = _PyText_FindChar(KIND(op), DATA(op), n, from);
    if (i < 0) {
        return _PyUnicode_ResultUnchanged(op);
    }
    Py_UCS4 maxchar = Py_MAX(PyUnicode_MAX_CHAR_VALUE(op), to);
    PyObject *result = PyUnicode_New(n, maxchar);
    if (result == NULL) {
        return NULL;
    }
    _PyUnicode_FastCopyCharacters(result, 0, op, 0, n);
    const int kind = KIND(result);
    void *data = DATA(result);
    if (maxcount >= n) {
        if (kind == 1) {
            REPLACE_ALL(Py_UCS1);
        }
        else if (kind == 2) {
            REPLACE_ALL(Py_UCS2);
        }
        else {
            REPLACE_ALL(Py_UCS4);
        }
        maxcount = 0;
    }
    while (maxcount-- > 0) {
        PyUnicode_WRITE(kind, data, i, to);
        i++;
        Py_ssize_t next = _PyText_FindChar(kind, data_at(kind, data, i),
                                           n - i, from);
        if (next < 0) {
            break;
        }
        i += next;
    }
    return _PyUnicode_Result(from > 0x7f && to < from ? narrowed(result)
                                                      : result);
}

/* The positions where `from` is found, in a block that the caller frees with
   PyMem_Free. */
typedef struct {
    Py_ssize_t *at;
    Py_ssize_t used;
    Py_ssize_t room;
    Py_ssize_t small[64];
} Positions;

/* Make room for one more batch. */
static int
positions_reserve(Positions *p, Py_ssize_t batch)
{
    if (p->room - p->used >= batch) {
        return 0;
    }
    Py_ssize_t *old = p->at == p->small ? NULL : p->at;
    Py_ssize_t *grown = PyMem_Realloc(old, (size_t)(p->room * 2 + batch)
                                           * sizeof(Py_ssize_t));
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (old == NULL) {
        memcpy(grown, p->small, sizeof(p->small));
    }
    p->at = grown;
    p->room = p->room * 2 + batch;
    return 0;
}

#define BATCH 64

static int
find_positions(Positions *p, PyObject *op, PyObject *from,
               Py_ssize_t maxcount)
{
    const int kind = KIND(op);
    const Py_ssize_t n = LENGTH(op), m = LENGTH(from);
    p->at = p->small;
    p->used = 0;
    p->room = Py_ARRAY_LENGTH(p->small);
    if (m == 0) {
        Py_ssize_t count = Py_MIN(n + 1, maxcount);
        if (positions_reserve(p, count) < 0) {
            return -1;
        }
        for (; p->used < count; p->used++) {
            p->at[p->used] = p->used;
        }
        return 0;
    }
    WidenedData needle;
    if (_PyUnicode_Widen(&needle, from, kind) < 0) {
        return -1;
    }
    _PyTextFinder finder;
    _PyText_FinderInit(&finder, kind, needle.data, m);
    Py_ssize_t start = 0, found, wanted;
    int status = 0;
    do {
        wanted = Py_MIN(BATCH, maxcount - p->used);
        if (wanted == 0 || (status = positions_reserve(p, wanted)) < 0) {
            break;
        }
        Py_ssize_t *out = p->at + p->used;
        found = _PyText_FinderMany(&finder, data_at(kind, DATA(op), start),
                                   n - start, out, wanted);
        for (Py_ssize_t i = 0; i < found; i++) {
            out[i] += start;
        }
        p->used += found;
        if (found > 0) {
            start = out[found - 1] + m;
        }
    } while (found == wanted);
    widened_free(&needle);
    return status;
}

/* op with the m characters at each position replaced by `to`. */
static PyObject *
replace_at(PyObject *op, Positions *p, Py_ssize_t m, PyObject *to)
{
    const Py_ssize_t n = LENGTH(op), k = LENGTH(to);
    if (k > m && p->used > (PY_SSIZE_T_MAX - n) / (k - m)) {
        PyErr_SetString(PyExc_OverflowError, "replace string is too long");
        return NULL;
    }
    const Py_ssize_t total = n + p->used * (k - m);
    if (total == 0) {
        return _PyUnicode_NewEmpty();
    }
    Py_UCS4 maxchar = Py_MAX(PyUnicode_MAX_CHAR_VALUE(op),
                             PyUnicode_MAX_CHAR_VALUE(to));
    PyObject *result = PyUnicode_New(total, maxchar);
    WidenedData filling;
    if (result == NULL || _PyUnicode_Widen(&filling, to, KIND(result)) < 0) {
        Py_XDECREF(result);
        return NULL;
    }
    const int kind = KIND(result), op_kind = KIND(op);
    const void *source = DATA(op);
    char *out = DATA(result);
    Py_ssize_t start = 0;
    for (Py_ssize_t i = 0; i < p->used; i++) {
        Py_ssize_t run = p->at[i] - start;
        _PyUnicode_WidenCopy(kind, out, op_kind,
                             data_at(op_kind, source, start), run);
        out += run * kind;
        memcpy(out, filling.data, (size_t)k * kind);
        out += k * kind;
        start = p->at[i] + m;
    }
    _PyUnicode_WidenCopy(kind, out, op_kind, data_at(op_kind, source, start),
                         n - start);
    widened_free(&filling);
    return result;
}

PyObject *
_PyUnicode_ReplaceReady(PyObject *op, PyObject *from, PyObject *to,
                        Py_ssize_t maxcount)
{
    const Py_ssize_t n = LENGTH(op), m = LENGTH(from);
    if (maxcount < 0) {
        maxcount = PY_SSIZE_T_MAX;
    }
    if (maxcount == 0 || m > n || KIND(from) > KIND(op) || from == to) {
        return _PyUnicode_ResultUnchanged(op);
    }
    if (m == 1 && LENGTH(to) == 1) {
        return replace_char(op, PyUnicode_READ_CHAR(from, 0),
                            PyUnicode_READ_CHAR(to, 0), maxcount);
    }
    Positions p;
    PyObject *result = NULL;
    if (find_positions(&p, op, from, maxcount) == 0) {
        result = p.used == 0 ? _PyUnicode_ResultUnchanged(op)
                             : replace_at(op, &p, m, to);
        if (result != NULL && p.used > 0 && !IS_ASCII(result)) {
            result = narrowed(result);
        }
        if (result != NULL && p.used > 0) {
            result = _PyUnicode_Result(result);
        }
    }
    if (p.at != p.small) {
        PyMem_Free(p.at);
    }
    return result;
}

PyObject *
PyUnicode_Replace(PyObject *op, PyObject *from, PyObject *to,
                  Py_ssize_t maxcount)
{
    if (_PyUnicode_EnsureStr(op) < 0 || _PyUnicode_EnsureStr(from) < 0
        || _PyUnicode_EnsureStr(to) < 0)
    {
        return NULL;
    }
    return _PyUnicode_ReplaceReady(op, from, to, maxcount);
}

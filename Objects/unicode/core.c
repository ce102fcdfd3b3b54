/* str objects: memory, layout, and reading and writing of characters.

   A string made by PyUnicode_New is compact: the characters follow the header
   (PyASCIIObject if all are ASCII, else PyCompactUnicodeObject) and end with a null.
   They take 1, 2 or 4 bytes each, the least that holds the largest character. Instances
   of subclasses and strings from the old wchar_t API have a PyUnicodeObject and a
   separate block of characters. The latter are not ready (kind 0) until
   _PyUnicode_Ready finds their width.

   Invariants of a ready string: the kind is the narrowest possible; `ascii` tells
   whether all characters are below 128; the cached utf8 and wstr may share the
   characters' memory and are freed only if they do not.

   The empty string and the 256 one-character strings of Latin-1 are static, interned
   and permanent. */
#include "private.h"

PyObject *_PyUnicode_empty;
PyObject *_PyUnicode_latin1[256];

/* ----------------------------------------------------------- shared strings */

static struct {
    PyASCIIObject head;
    Py_UCS1 data[8];
} ascii_storage[129];           /* the last one is the empty string */

static struct {
    PyCompactUnicodeObject head;
    Py_UCS1 data[8];
} latin1_storage[128];

static void
init_static_head(PyASCIIObject *head, int ascii, Py_ssize_t length)
{
    head->ob_base.ob_refcnt = _Py_IMMORTAL_REFCNT;
    head->ob_base.ob_type = &PyUnicode_Type;
    head->length = length;
    head->hash = -1;
    head->state.kind = PyUnicode_1BYTE_KIND;
    head->state.compact = 1;
    head->state.ascii = ascii;
    head->state.ready = 1;
}

int
_PyUnicode_InitGlobals(void)
{
    if (_PyUnicode_empty != NULL) {
        return 0;
    }
    for (int i = 0; i < 128; i++) {
        init_static_head(&ascii_storage[i].head, 1, 1);
        ascii_storage[i].data[0] = (Py_UCS1)i;
        _PyUnicode_latin1[i] = (PyObject *)&ascii_storage[i];
        init_static_head(&latin1_storage[i].head._base, 0, 1);
        latin1_storage[i].data[0] = (Py_UCS1)(i + 128);
        _PyUnicode_latin1[i + 128] = (PyObject *)&latin1_storage[i];
    }
    init_static_head(&ascii_storage[128].head, 1, 0);
    _PyUnicode_empty = (PyObject *)&ascii_storage[128];
    for (int i = 0; i < 256; i++) {
        PyUnicode_InternInPlace(&_PyUnicode_latin1[i]);
    }
    PyUnicode_InternInPlace(&_PyUnicode_empty);
    return PyErr_Occurred() ? -1 : 0;
}

/* --------------------------------------------------------------- allocation */

/* The size in bytes of a compact string, with its terminator. Returns -1 on overflow. There
   is one limit for all kinds, far beyond what there is memory for: dividing by the kind takes
   as long as the rest. */
static Py_ssize_t
compact_size(Py_ssize_t length, Py_UCS4 maxchar)
{
    const Py_ssize_t head = maxchar < 128 ? sizeof(PyASCIIObject)
                                          : sizeof(PyCompactUnicodeObject);
    if (length > (PY_SSIZE_T_MAX - (Py_ssize_t)sizeof(PyCompactUnicodeObject)) / 4 - 1) {
        return -1;
    }
    return head + (length + 1) * kind_for(maxchar);
}

static inline void
write_terminator(int kind, void *data, Py_ssize_t length)
{
    PyUnicode_WRITE(kind, data, length, 0);
}

/* Makes memory a str of these characters, which are to come behind its head. */
static inline void
write_head(PyObject *op, int kind, Py_ssize_t length)
{
    const int is_wide = kind == (int)sizeof(wchar_t);
    _PyObject_InitExact(op, &PyUnicode_Type);
    PyCompactUnicodeObject *compact = AS_COMPACT(op);
    *compact = (PyCompactUnicodeObject){
        ._base = {
            .ob_base = *op, .length = length, .hash = -1,
            .state = {.kind = kind, .compact = 1, .ready = 1},
            .wstr = is_wide ? (wchar_t *)(compact + 1) : NULL,
        },
        .wstr_length = is_wide ? length : 0,
    };
}

PyObject *
PyUnicode_New(Py_ssize_t length, Py_UCS4 maxchar)
{
    if (length == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (maxchar < 128 && length > 0) {
        return _PyUnicode_NewAscii(length);
    }
    if (maxchar > MAX_UNICODE) {
        PyErr_SetString(PyExc_SystemError,
                        "invalid maximum character passed to PyUnicode_New");
        return NULL;
    }
    if (length < 0) {
        PyErr_SetString(PyExc_SystemError,
                        "Negative size passed to PyUnicode_New");
        return NULL;
    }
    Py_ssize_t size = compact_size(length, maxchar);
    if (size < 0) {
        return PyErr_NoMemory();
    }
    PyObject *op = PyObject_Malloc((size_t)size);
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    const int kind = kind_for(maxchar);
    write_head(op, kind, length);
    write_terminator(kind, AS_COMPACT(op) + 1, length);
    return op;
}

static inline int
shares_wstr(PyObject *op)
{
    return PyUnicode_IS_READY(op) && (void *)AS_ASCII(op)->wstr == DATA(op);
}

static inline int
owns_utf8(PyObject *op)
{
    return !PyUnicode_IS_COMPACT_ASCII(op) && AS_COMPACT(op)->utf8 != NULL
        && (void *)AS_COMPACT(op)->utf8
            != (PyUnicode_IS_COMPACT(op) ? (void *)(AS_COMPACT(op) + 1)
                                         : AS_LEGACY(op)->data.any);
}

void
_PyUnicode_Dealloc(PyObject *op)
{
    PyASCIIObject *head = AS_ASCII(op);
    if (head->state.interned) {
        if (head->state.interned == SSTATE_INTERNED_IMMORTAL) {
            /* An extension has released a reference that it did not own. */
            Py_SET_REFCNT(op, _Py_IMMORTAL_REFCNT);
            return;
        }
        _PyUnicode_ForgetInterned(op);
    }
    if (!PyUnicode_IS_COMPACT_ASCII(op) || head->wstr != NULL) {
        if (head->wstr != NULL && !shares_wstr(op)) {
            PyObject_Free(head->wstr);
        }
        if (owns_utf8(op)) {
            PyObject_Free(AS_COMPACT(op)->utf8);
        }
        if (!PyUnicode_IS_COMPACT(op) && AS_LEGACY(op)->data.any) {
            PyObject_Free(AS_LEGACY(op)->data.any);
        }
    }
    Py_TYPE(op)->tp_free(op);
}

/* ---------------------------------------------------- copies between widths */

#define COPY_LOOP(TO, FROM)                 \
    do {                                    \
        TO *d = to;                         \
        const FROM *s = from;               \
        for (Py_ssize_t i = 0; i < n; i++) {\
            d[i] = (TO)s[i];                \
        }                                   \
    } while (0)

void
_PyUnicode_WidenCopy(int to_kind, void *to, int from_kind, const void *from,
                     Py_ssize_t n)
{
    if (to_kind == from_kind) {
        memcpy(to, from, (size_t)n * to_kind);
    }
    else if (to_kind == 2) {
        COPY_LOOP(Py_UCS2, Py_UCS1);
    }
    else if (from_kind == 1) {
        COPY_LOOP(Py_UCS4, Py_UCS1);
    }
    else {
        COPY_LOOP(Py_UCS4, Py_UCS2);
    }
}

/* Copies in any direction. The characters must fit. */
static void
convert_copy(int to_kind, void *to, int from_kind, const void *from,
             Py_ssize_t n)
{
    if (to_kind >= from_kind) {
        _PyUnicode_WidenCopy(to_kind, to, from_kind, from, n);
    }
    else if (to_kind == 2) {
        COPY_LOOP(Py_UCS2, Py_UCS4);
    }
    else if (from_kind == 2) {
        COPY_LOOP(Py_UCS1, Py_UCS2);
    }
    else {
        COPY_LOOP(Py_UCS1, Py_UCS4);
    }
}

int
_PyUnicode_WidenOther(WidenedData *w, PyObject *op, int kind)
{
    w->allocated = NULL;
    Py_ssize_t n = LENGTH(op);
    void *buffer = w->small;
    if (n > (Py_ssize_t)sizeof(w->small) / kind) {
        buffer = w->allocated = PyMem_Malloc((size_t)n * kind);
        if (buffer == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    _PyUnicode_WidenCopy(kind, buffer, KIND(op), DATA(op), n);
    w->data = buffer;
    return 0;
}

/* ---------------------------------------------------- the largest character */

static inline Py_UCS4
rounded_up(Py_UCS4 ch)
{
    return ch > 0xffff ? MAX_UNICODE : ch > 0xff ? 0xffff : ch > 0x7f ? 0xff : 0x7f;
}

/* Collects the bits of all characters, eight bytes at a time. One that needs this kind
   decides it. */
static inline __attribute__((always_inline)) Py_UCS4
max_char(int kind, const char *p, Py_ssize_t n)
{
    const uint64_t wide = kind == 1 ? 0x8080808080808080u
        : kind == 2 ? 0xff00ff00ff00ff00u : 0xffff0000ffff0000u;
    const Py_UCS4 widest = kind == 1 ? 0xff : kind == 2 ? 0xffff : MAX_UNICODE;
    const char *start = p, *end = p + n * kind;
    uint64_t bits = 0;
    for (; end - p >= 32; p += 32) {
        uint64_t w[4];
        memcpy(w, p, sizeof(w));
        w[0] |= w[1] | w[2] | w[3];
        if (w[0] & wide) {
            return widest;
        }
        bits |= w[0];
    }
    for (; end - p >= 8; p += 8) {
        uint64_t w;
        memcpy(&w, p, sizeof(w));
        bits |= w;
    }
    /* What is left is shorter than a word: it is read with some of what comes before it, or from
       both ends. */
    if (p < end && end - start >= 8) {
        uint64_t w;
        memcpy(&w, end - 8, sizeof(w));
        bits |= w;
    }
    else if (end - p >= 4) {
        uint32_t first, last;
        memcpy(&first, p, sizeof(first));
        memcpy(&last, end - 4, sizeof(last));
        bits |= first | last;
    }
    else {
        for (; p < end; p += kind) {
            bits |= PyUnicode_READ(kind, p, 0);
        }
    }
    if (bits & wide) {
        return widest;
    }
    for (int width = 32; width >= 8 * kind; width /= 2) {
        bits |= bits >> width;
    }
    return rounded_up((Py_UCS4)bits & widest);
}

Py_UCS4
_PyUnicode_MaxCharOf(int kind, const void *data, Py_ssize_t n)
{
    return kind == 1 ? max_char(1, data, n)
        : kind == 2 ? max_char(2, data, n)
        : max_char(4, data, n);
}

Py_UCS4
_PyUnicode_FindMaxChar(PyObject *op, Py_ssize_t start, Py_ssize_t end)
{
    if (start == end) {
        return 0x7f;
    }
    if (IS_ASCII(op) || (start == 0 && end == LENGTH(op))) {
        return PyUnicode_MAX_CHAR_VALUE(op);
    }
    return _PyUnicode_MaxCharOf(KIND(op), data_at(KIND(op), DATA(op), start),
                                end - start);
}

/* ----------------------------------------------------------- making strings */

PyObject *
PyUnicode_FromKindAndData(int kind, const void *buffer, Py_ssize_t n)
{
    if (n < 0) {
        PyErr_SetString(PyExc_ValueError, "size must be positive");
        return NULL;
    }
    if (kind != 1 && kind != 2 && kind != 4) {
        PyErr_SetString(PyExc_SystemError, "invalid kind");
        return NULL;
    }
    if (n == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (n == 1) {
        Py_UCS4 ch = PyUnicode_READ(kind, buffer, 0);
        if (ch < 256) {
            return _PyUnicode_FromLatin1Char((Py_UCS1)ch);
        }
    }
    PyObject *op = PyUnicode_New(n, _PyUnicode_MaxCharOf(kind, buffer, n));
    if (op != NULL && KIND(op) == kind) {
        _PyUnicode_CopyFew(DATA(op), buffer, n * kind);
    }
    else if (op != NULL) {
        convert_copy(KIND(op), DATA(op), kind, buffer, n);
    }
    return op;
}

PyObject *
_PyUnicode_FromASCII(const char *buffer, Py_ssize_t n)
{
    if (n == 1) {
        return _PyUnicode_FromLatin1Char((Py_UCS1)buffer[0]);
    }
    if (n == 0) {
        return _PyUnicode_NewEmpty();
    }
    PyObject *op = _PyUnicode_NewAscii(n);
    if (op != NULL) {
        _PyUnicode_CopyFew((char *)(AS_ASCII(op) + 1), buffer, n);
    }
    return op;
}

/* A str of one character beyond Latin 1. */
static PyObject *
new_character(Py_UCS4 ch)
{
    const int kind = kind_for(ch);
    PyObject *op = PyObject_Malloc(sizeof(PyCompactUnicodeObject) + 2 * (size_t)kind);
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    write_head(op, kind, 1);
    PyUnicode_WRITE(kind, AS_COMPACT(op) + 1, 0, ch);
    write_terminator(kind, AS_COMPACT(op) + 1, 1);
    return op;
}

PyObject *
PyUnicode_FromOrdinal(int ordinal)
{
    if (ordinal < 0 || ordinal > MAX_UNICODE) {
        PyErr_SetString(PyExc_ValueError,
                        "chr() arg not in range(0x110000)");
        return NULL;
    }
    if (ordinal < 256) {
        return _PyUnicode_FromLatin1Char((Py_UCS1)ordinal);
    }
    return new_character((Py_UCS4)ordinal);
}

PyObject *
_PyUnicode_Copy(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    PyObject *copy = PyUnicode_New(LENGTH(op), PyUnicode_MAX_CHAR_VALUE(op));
    if (copy != NULL) {
        memcpy(DATA(copy), DATA(op), (size_t)LENGTH(op) * KIND(op));
    }
    return copy;
}

PyObject *
_PyUnicode_ResultUnchanged(PyObject *op)
{
    return PyUnicode_CheckExact(op) ? Py_NewRef(op) : _PyUnicode_Copy(op);
}

/* If a new string is empty or one Latin-1 character, replaces it by the shared string. */
PyObject *
_PyUnicode_Result(PyObject *str)
{
    PyObject *shared;
    if (LENGTH(str) == 0) {
        shared = _PyUnicode_empty;
    }
    else if (LENGTH(str) == 1 && KIND(str) == 1) {
        shared = _PyUnicode_latin1[PyUnicode_1BYTE_DATA(str)[0]];
    }
    else {
        return str;
    }
    if (shared != str) {
        Py_INCREF(shared);
        Py_DECREF(str);
    }
    return shared;
}

PyObject *
PyUnicode_FromObject(PyObject *op)
{
    if (PyUnicode_Check(op)) {
        if (PyUnicode_READY(op) < 0) {
            return NULL;
        }
        return PyUnicode_CheckExact(op) ? Py_NewRef(op) : _PyUnicode_Copy(op);
    }
    PyErr_Format(PyExc_TypeError, "Can't convert '%.100s' object to str "
                 "implicitly", Py_TYPE(op)->tp_name);
    return NULL;
}

PyObject *
_PyUnicode_Slice(PyObject *op, Py_ssize_t start, Py_ssize_t end)
{
    const int kind = KIND(op);
    const char *from = data_at(kind, DATA(op), start);
    const Py_ssize_t n = end - start;
    if (n > 1 && IS_ASCII(op)) {
        PyObject *slice = _PyUnicode_NewAscii(n);
        if (slice != NULL) {
            _PyUnicode_CopyFew((char *)(AS_ASCII(slice) + 1), from, n);
        }
        return slice;
    }
    return n <= 0 ? _PyUnicode_NewEmpty() : PyUnicode_FromKindAndData(kind, from, n);
}

PyObject *
PyUnicode_Substring(PyObject *op, Py_ssize_t start, Py_ssize_t end)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (end > LENGTH(op)) {
        end = LENGTH(op);
    }
    if (start == 0 && end == LENGTH(op)) {
        return _PyUnicode_ResultUnchanged(op);
    }
    if (start < 0 || end < 0) {
        PyErr_SetString(PyExc_IndexError, "string index out of range");
        return NULL;
    }
    if (start >= LENGTH(op) || end < start) {
        return _PyUnicode_NewEmpty();
    }
    return _PyUnicode_Slice(op, start, end);
}

/* ----------------------------------------------------- access to characters */

Py_ssize_t
PyUnicode_GetLength(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return -1;
    }
    return PyUnicode_READY(op) < 0 ? -1 : LENGTH(op);
}

Py_UCS4
PyUnicode_ReadChar(PyObject *op, Py_ssize_t i)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return (Py_UCS4)-1;
    }
    if (PyUnicode_READY(op) < 0) {
        return (Py_UCS4)-1;
    }
    if (i < 0 || i >= LENGTH(op)) {
        PyErr_SetString(PyExc_IndexError, "string index out of range");
        return (Py_UCS4)-1;
    }
    return PyUnicode_READ(KIND(op), DATA(op), i);
}

int
_PyUnicode_Modifiable(PyObject *op)
{
    return Py_REFCNT(op) == 1 && HASH(op) == -1
        && !PyUnicode_CHECK_INTERNED(op) && PyUnicode_CheckExact(op);
}

static int
require_modifiable(PyObject *op)
{
    if (_PyUnicode_Modifiable(op)) {
        return 0;
    }
    PyErr_SetString(PyExc_SystemError,
                    "Cannot modify a string currently used");
    return -1;
}

int
PyUnicode_WriteChar(PyObject *op, Py_ssize_t i, Py_UCS4 ch)
{
    if (!PyUnicode_Check(op) || !PyUnicode_IS_COMPACT(op)) {
        PyErr_BadArgument();
        return -1;
    }
    if (i < 0 || i >= LENGTH(op)) {
        PyErr_SetString(PyExc_IndexError, "string index out of range");
        return -1;
    }
    if (require_modifiable(op) < 0) {
        return -1;
    }
    if (ch > PyUnicode_MAX_CHAR_VALUE(op)) {
        PyErr_SetString(PyExc_ValueError, "character out of range");
        return -1;
    }
    PyUnicode_WRITE(KIND(op), DATA(op), i, ch);
    return 0;
}

void
_PyUnicode_FastCopyCharacters(PyObject *to, Py_ssize_t to_start,
                              PyObject *from, Py_ssize_t from_start,
                              Py_ssize_t n)
{
    if (n > 0) {
        convert_copy(KIND(to), (void *)data_at(KIND(to), DATA(to), to_start),
                     KIND(from), data_at(KIND(from), DATA(from), from_start),
                     n);
    }
}

Py_ssize_t
PyUnicode_CopyCharacters(PyObject *to, Py_ssize_t to_start, PyObject *from,
                         Py_ssize_t from_start, Py_ssize_t how_many)
{
    if (!PyUnicode_Check(from) || !PyUnicode_Check(to)) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (PyUnicode_READY(from) < 0 || PyUnicode_READY(to) < 0) {
        return -1;
    }
    if (from_start < 0 || from_start > LENGTH(from)
        || to_start < 0 || to_start > LENGTH(to))
    {
        PyErr_SetString(PyExc_IndexError, "string index out of range");
        return -1;
    }
    if (how_many < 0) {
        PyErr_SetString(PyExc_SystemError, "how_many cannot be negative");
        return -1;
    }
    how_many = Py_MIN(LENGTH(from) - from_start, how_many);
    if (to_start + how_many > LENGTH(to)) {
        PyErr_Format(PyExc_SystemError,
                     "Cannot write %zi characters at %zi in a string of "
                     "%zi characters",
                     how_many, to_start, LENGTH(to));
        return -1;
    }
    if (how_many == 0) {
        return 0;
    }
    if (require_modifiable(to) < 0) {
        return -1;
    }
    Py_UCS4 maxchar = _PyUnicode_FindMaxChar(from, from_start,
                                             from_start + how_many);
    if (maxchar > PyUnicode_MAX_CHAR_VALUE(to)) {
        PyErr_Format(PyExc_SystemError,
                     "Cannot copy %s characters into a string of %s "
                     "characters",
                     maxchar > 0xffff ? "UCS4" : maxchar > 0xff ? "UCS2"
                     : "latin1",
                     IS_ASCII(to) ? "ascii" : KIND(to) == 1 ? "latin1"
                     : "UCS2");
        return -1;
    }
    _PyUnicode_FastCopyCharacters(to, to_start, from, from_start, how_many);
    return how_many;
}

static void
fill(int kind, void *data, Py_ssize_t start, Py_ssize_t n, Py_UCS4 ch)
{
    if (kind == 1) {
        memset((Py_UCS1 *)data + start, (int)ch, (size_t)n);
    }
    else if (kind == 2) {
        Py_UCS2 *p = (Py_UCS2 *)data + start;
        for (Py_ssize_t i = 0; i < n; i++) {
            p[i] = (Py_UCS2)ch;
        }
    }
    else {
        Py_UCS4 *p = (Py_UCS4 *)data + start;
        for (Py_ssize_t i = 0; i < n; i++) {
            p[i] = ch;
        }
    }
}

void
_PyUnicode_FastFill(PyObject *op, Py_ssize_t start, Py_ssize_t n, Py_UCS4 ch)
{
    fill(KIND(op), DATA(op), start, n, ch);
}

Py_ssize_t
PyUnicode_Fill(PyObject *op, Py_ssize_t start, Py_ssize_t n, Py_UCS4 ch)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (PyUnicode_READY(op) < 0 || require_modifiable(op) < 0) {
        return -1;
    }
    if (start < 0) {
        PyErr_SetString(PyExc_IndexError, "string index out of range");
        return -1;
    }
    if (ch > PyUnicode_MAX_CHAR_VALUE(op)) {
        PyErr_SetString(PyExc_ValueError,
                        "fill character is bigger than "
                        "the string maximum character");
        return -1;
    }
    n = Py_MIN(n, LENGTH(op) - start);
    if (n <= 0) {
        return 0;
    }
    _PyUnicode_FastFill(op, start, n, ch);
    return n;
}

static Py_UCS4 *
copy_ucs4(PyObject *op, Py_UCS4 *buffer, Py_ssize_t room, int copy_null)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    Py_ssize_t n = LENGTH(op), wanted = copy_null ? n + 1 : n;
    if (buffer == NULL) {
        if (n >= PY_SSIZE_T_MAX / (Py_ssize_t)sizeof(Py_UCS4)) {
            PyErr_NoMemory();
            return NULL;
        }
        buffer = PyMem_Malloc((size_t)wanted * sizeof(Py_UCS4));
        if (buffer == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
    }
    else if (room < wanted) {
        PyErr_SetString(PyExc_SystemError,
                        "string is longer than the buffer");
        if (copy_null && room > 0) {
            buffer[0] = 0;
        }
        return NULL;
    }
    _PyUnicode_WidenCopy(4, buffer, KIND(op), DATA(op), n);
    if (copy_null) {
        buffer[n] = 0;
    }
    return buffer;
}

Py_UCS4 *
PyUnicode_AsUCS4(PyObject *op, Py_UCS4 *buffer, Py_ssize_t room,
                 int copy_null)
{
    if (buffer == NULL || room < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return copy_ucs4(op, buffer, room, copy_null);
}

Py_UCS4 *
PyUnicode_AsUCS4Copy(PyObject *op)
{
    return copy_ucs4(op, NULL, 0, 1);
}

/* ----------------------------------------------------------------- resizing */

/* Drops caches of the old text. */
static void
drop_caches(PyObject *op)
{
    if (owns_utf8(op)) {
        PyObject_Free(AS_COMPACT(op)->utf8);
        AS_COMPACT(op)->utf8 = NULL;
        AS_COMPACT(op)->utf8_length = 0;
    }
    if (AS_ASCII(op)->wstr != NULL && !shares_wstr(op)) {
        PyObject_Free(AS_ASCII(op)->wstr);
        AS_ASCII(op)->wstr = NULL;
        if (!PyUnicode_IS_COMPACT_ASCII(op)) {
            AS_COMPACT(op)->wstr_length = 0;
        }
    }
}

int
_PyUnicode_ResizeCompact(PyObject **p, Py_ssize_t length)
{
    PyObject *op = *p;
    const int kind = KIND(op);
    Py_ssize_t size = compact_size(length, PyUnicode_MAX_CHAR_VALUE(op));
    if (size < 0) {
        PyErr_NoMemory();
        return -1;
    }
    const int shared = shares_wstr(op);
    drop_caches(op);
#ifdef Py_TRACE_REFS
    _Py_ForgetReference(op);
#endif
    _PyObject_TellTracer(op, PyRefTracer_DESTROY);
    PyObject *moved = PyObject_Realloc(op, (size_t)size);
    _PyObject_TellTracer(moved != NULL ? moved : op, PyRefTracer_CREATE);
    if (moved == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *p = moved;
    LENGTH(moved) = length;
    if (shared) {
        AS_ASCII(moved)->wstr = DATA(moved);
        AS_COMPACT(moved)->wstr_length = length;
    }
    write_terminator(kind, DATA(moved), length);
    return 0;
}

/* A legacy string, ready or not, has its characters in a separate block. */
static int
resize_legacy(PyObject *op, Py_ssize_t length)
{
    PyUnicodeObject *legacy = AS_LEGACY(op);
    const int ready = PyUnicode_IS_READY(op);
    const int unit = ready ? KIND(op) : (int)sizeof(wchar_t);
    if (length > PY_SSIZE_T_MAX / unit - 1) {
        PyErr_NoMemory();
        return -1;
    }
    const int shared_utf8 = ready
        && (void *)AS_COMPACT(op)->utf8 == legacy->data.any;
    const int shared_wstr = ready && shares_wstr(op);
    if (ready) {
        drop_caches(op);
    }
    void *old = ready ? legacy->data.any : (void *)AS_ASCII(op)->wstr;
    void *data = PyObject_Realloc(old, (size_t)(length + 1) * unit);
    if (data == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (!ready) {
        AS_ASCII(op)->wstr = data;
        AS_COMPACT(op)->wstr_length = length;
        AS_ASCII(op)->wstr[length] = 0;
        return 0;
    }
    legacy->data.any = data;
    LENGTH(op) = length;
    write_terminator(unit, data, length);
    if (shared_utf8) {
        AS_COMPACT(op)->utf8 = data;
        AS_COMPACT(op)->utf8_length = length;
    }
    if (shared_wstr) {
        AS_ASCII(op)->wstr = data;
        AS_COMPACT(op)->wstr_length = length;
    }
    return 0;
}

int
PyUnicode_Resize(PyObject **p, Py_ssize_t length)
{
    PyObject *op = p ? *p : NULL;
    if (op == NULL || !PyUnicode_Check(op) || length < 0) {
        PyErr_BadInternalCall();
        return -1;
    }
    const int ready = PyUnicode_IS_READY(op);
    Py_ssize_t old = ready ? LENGTH(op) : AS_COMPACT(op)->wstr_length;
    if (old == length) {
        return 0;
    }
    if (length == 0) {
        Py_SETREF(*p, _PyUnicode_NewEmpty());
        return 0;
    }
    if (!_PyUnicode_Modifiable(op)) {
        PyObject *copy;
        if (!ready) {
            copy = PyUnicode_FromWideChar(AS_ASCII(op)->wstr,
                                          Py_MIN(old, length));
        }
        else {
            copy = PyUnicode_New(length, PyUnicode_MAX_CHAR_VALUE(op));
            if (copy != NULL) {
                _PyUnicode_FastCopyCharacters(copy, 0, op, 0,
                                              Py_MIN(old, length));
            }
        }
        if (copy == NULL) {
            return -1;
        }
        Py_SETREF(*p, copy);
        return 0;
    }
    if (PyUnicode_IS_COMPACT(op)) {
        return _PyUnicode_ResizeCompact(p, length);
    }
    return resize_legacy(op, length);
}

/* ----------------------------------------------------- checks for debugging */

int
_PyUnicode_CheckConsistency(PyObject *op, int check_content)
{
    if (!PyUnicode_Check(op)) {
        return 0;
    }
    if (!PyUnicode_IS_READY(op)) {
        return AS_ASCII(op)->wstr != NULL && HASH(op) == -1;
    }
    if (check_content) {
        Py_UCS4 bound = _PyUnicode_MaxCharOf(KIND(op), DATA(op), LENGTH(op));
        if (bound != PyUnicode_MAX_CHAR_VALUE(op)) {
            return 0;
        }
    }
    return PyUnicode_READ(KIND(op), DATA(op), LENGTH(op)) == 0;
}

/* Splitting: see internal/textsplit.h.

   The loops over characters are written once, as inline functions of the kind and the
   flavour, and instantiated for constant values of these. Slices are collected in an
   ItemVector, which becomes the list's array. */
#include "internal/list.h"
#include "internal/textsplit.h"
#include "internal/textsearch.h"
#include "internal/unicode.h"

const unsigned char _PyBytes_IsSpaceTable[256] = {
    ['\t'] = 1, ['\n'] = 1, ['\v'] = 1, ['\f'] = 1, ['\r'] = 1, [' '] = 1,
};

/* ---------------------------------------- a growing array of new references */

/* The list takes the array over, so that nothing is copied at the end. */
typedef struct {
    PyObject **items;
    Py_ssize_t used;
    Py_ssize_t room;
    Py_ssize_t first_room;
} ItemVector;

#define FEW_LINES 4
#define MANY_PARTS 12

/* A limit on the number of splits limits the room, too. */
static void
vector_init(ItemVector *v, Py_ssize_t maxsplit, Py_ssize_t many)
{
    *v = (ItemVector){NULL, 0, 0, maxsplit < many ? maxsplit + 1 : many};
}

static void
vector_clear(ItemVector *v)
{
    for (Py_ssize_t i = 0; i < v->used; i++) {
        Py_DECREF(v->items[i]);
    }
    PyMem_Free(v->items);
}

static __attribute__((noinline)) int
vector_grow(ItemVector *v)
{
    Py_ssize_t room = v->room ? v->room * 2 : v->first_room;
    PyObject **items = PyMem_Realloc(v->items, (size_t)room * sizeof(PyObject *));
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    v->items = items;
    v->room = room;
    return 0;
}

/* Steals item, which may be NULL with an exception. */
static inline int
vector_push(ItemVector *v, PyObject *item)
{
    if (item == NULL) {
        return -1;
    }
    if (v->used == v->room && vector_grow(v) < 0) {
        Py_DECREF(item);
        return -1;
    }
    v->items[v->used++] = item;
    return 0;
}

/* Returns the list of the items, or NULL if status says that an item failed. */
static PyObject *
vector_finish(ItemVector *v, int status)
{
    PyObject *list = status == 0 ? _PyList_TakeArray(v->items, v->used, v->room) : NULL;
    if (list == NULL) {
        vector_clear(v);
    }
    return list;
}

static void
vector_reverse(ItemVector *v)
{
    for (Py_ssize_t i = 0, k = v->used - 1; i < k; i++, k--) {
        PyObject *item = v->items[i];
        v->items[i] = v->items[k];
        v->items[k] = item;
    }
}

/* Adds text[start:end] to the vector. */
static inline int
push_slice(ItemVector *v, const _PyText_Source *text, Py_ssize_t start, Py_ssize_t end)
{
    if (text->parts == _PyText_BYTES_OBJECTS && end - start < text->length) {
        return vector_push(v, PyBytes_FromStringAndSize((const char *)text->data + start,
                                                        end - start));
    }
    if (text->parts == _PyText_ASCII_STRS && end > start && end - start < text->length) {
        const char *from = (const char *)text->data + start;
        return vector_push(v, end - start == 1
                              ? _PyUnicode_FromLatin1Char((Py_UCS1)*from)
                              : _PyUnicode_FromASCII(from, end - start));
    }
    if (text->flavour == _PyText_STR && end > start && end - start < text->length) {
        return vector_push(v, PyUnicode_FromKindAndData(
            text->kind, (const char *)text->data + start * text->kind, end - start));
    }
    return vector_push(v, text->slice(text->owner, start, end));
}

/* --------------------------------------------------------------- characters */

static inline __attribute__((always_inline)) int
is_space(_PyText_Flavour flavour, Py_UCS4 ch)
{
    return flavour == _PyText_BYTES ? _PyBytes_IsSpaceTable[ch]
                                    : Py_UNICODE_ISSPACE(ch);
}

static inline __attribute__((always_inline)) int
is_line_end(_PyText_Flavour flavour, Py_UCS4 ch)
{
    if (flavour == _PyText_BYTES) {
        return ch == '\n' || ch == '\r';
    }
    if (ch < 128) {
        return (ch >= '\n' && ch <= '\r') || (ch >= 0x1c && ch <= 0x1e);
    }
    return ch == 0x85 || ch == 0x2028 || ch == 0x2029;
}

/* BY_KIND() for the kind and the flavour of a source. */
#define BY_SOURCE(function, text, ...)                                  \
    ((text)->flavour == _PyText_BYTES                                   \
        ? function(1, _PyText_BYTES, text, __VA_ARGS__)                 \
     : BY_KIND(function, (text)->kind, _PyText_STR, text, __VA_ARGS__))

#define CHAR(i) PyUnicode_READ(kind, data, i)

/* -------------------------------------------------------------- white space */

static inline __attribute__((always_inline)) int
split_space(int kind, _PyText_Flavour flavour, const _PyText_Source *text,
            Py_ssize_t maxsplit, ItemVector *v)
{
    const void *data = text->data;
    const Py_ssize_t n = text->length;
    Py_ssize_t i = 0;
    for (;;) {
        while (i < n && is_space(flavour, CHAR(i))) {
            i++;
        }
        if (i == n) {
            return 0;
        }
        Py_ssize_t start = i;
        if (maxsplit-- <= 0) {
            break;
        }
        while (i < n && !is_space(flavour, CHAR(i))) {
            i++;
        }
        if (push_slice(v, text, start, i) < 0) {
            return -1;
        }
    }
    /* The rest keeps its trailing space. */
    return push_slice(v, text, i, n);
}

static inline __attribute__((always_inline)) int
rsplit_space(int kind, _PyText_Flavour flavour, const _PyText_Source *text,
             Py_ssize_t maxsplit, ItemVector *v)
{
    const void *data = text->data;
    Py_ssize_t i = text->length;
    for (;;) {
        while (i > 0 && is_space(flavour, CHAR(i - 1))) {
            i--;
        }
        if (i == 0) {
            return 0;
        }
        Py_ssize_t end = i;
        if (maxsplit-- <= 0) {
            break;
        }
        while (i > 0 && !is_space(flavour, CHAR(i - 1))) {
            i--;
        }
        if (push_slice(v, text, i, end) < 0) {
            return -1;
        }
    }
    return push_slice(v, text, 0, i);
}

/* --------------------------------------------------------------- separators */

/* For fewer characters, preparing a search costs more than it saves. */
#define SHORT_TEXT 64

/* Splits a short text at a single character. */
static inline __attribute__((always_inline)) int
split_character(int kind, _PyText_Flavour Py_UNUSED(flavour), const _PyText_Source *text,
                Py_UCS4 separator, Py_ssize_t maxsplit, ItemVector *v)
{
    const void *data = text->data;
    const Py_ssize_t n = text->length;
    Py_ssize_t start = 0;
    for (Py_ssize_t i = 0; i < n && maxsplit > 0; i++) {
        if (CHAR(i) == separator) {
            if (push_slice(v, text, start, i) < 0) {
                return -1;
            }
            start = i + 1;
            maxsplit--;
        }
    }
    return push_slice(v, text, start, n);
}

static int
split_separator(const _PyText_Source *text, const void *sep, Py_ssize_t m,
                Py_ssize_t maxsplit, ItemVector *v)
{
    const Py_ssize_t n = text->length;
    if (m == 1 && n < SHORT_TEXT) {
        Py_UCS4 separator = PyUnicode_READ(text->kind, sep, 0);
        return BY_SOURCE(split_character, text, separator, maxsplit, v);
    }
    Py_ssize_t start = 0, places[64], found;
    const Py_ssize_t room = Py_ARRAY_LENGTH(places);
    _PyTextFinder finder;
    _PyText_FinderInit(&finder, text->kind, sep, m);
    do {
        const Py_ssize_t origin = start;
        const Py_ssize_t wanted = Py_MIN(room, maxsplit);
        if (wanted == 0) {
            break;
        }
        found = _PyText_FinderMany(
            &finder, (const char *)text->data + origin * text->kind,
            n - origin, places, wanted);
        for (Py_ssize_t i = 0; i < found; i++) {
            const Py_ssize_t end = origin + places[i];
            if (push_slice(v, text, start, end) < 0) {
                return -1;
            }
            start = end + m;
        }
        maxsplit -= found;
    } while (found == room);
    return push_slice(v, text, start, n);
}

static int
rsplit_separator(const _PyText_Source *text, const void *sep, Py_ssize_t m,
                 Py_ssize_t maxsplit, ItemVector *v)
{
    Py_ssize_t end = text->length;
    while (maxsplit-- > 0) {
        Py_ssize_t at = _PyText_RFind(text->kind, text->data, end, sep, m);
        if (at < 0) {
            break;
        }
        if (push_slice(v, text, at + m, end) < 0) {
            return -1;
        }
        end = at;
    }
    return push_slice(v, text, 0, end);
}

PyObject *
_PyText_Split(const _PyText_Source *text, const void *sep, Py_ssize_t m,
              Py_ssize_t maxsplit)
{
    ItemVector v;
    if (maxsplit < 0) {
        maxsplit = PY_SSIZE_T_MAX;
    }
    vector_init(&v, maxsplit, MANY_PARTS);
    int status = sep == NULL
        ? BY_SOURCE(split_space, text, maxsplit, &v)
        : split_separator(text, sep, m, maxsplit, &v);
    return vector_finish(&v, status);
}

PyObject *
_PyText_RSplit(const _PyText_Source *text, const void *sep, Py_ssize_t m,
               Py_ssize_t maxsplit)
{
    ItemVector v;
    if (maxsplit < 0) {
        maxsplit = PY_SSIZE_T_MAX;
    }
    vector_init(&v, maxsplit, MANY_PARTS);
    int status = sep == NULL
        ? BY_SOURCE(rsplit_space, text, maxsplit, &v)
        : rsplit_separator(text, sep, m, maxsplit, &v);
    vector_reverse(&v);
    return vector_finish(&v, status);
}

/* -------------------------------------------------------------------- lines */

static inline __attribute__((always_inline)) int
split_lines(int kind, _PyText_Flavour flavour, const _PyText_Source *text,
            int keepends, ItemVector *v)
{
    const void *data = text->data;
    const Py_ssize_t n = text->length;
    Py_ssize_t i = 0;
    while (i < n) {
        const Py_ssize_t start = i;
        while (i < n && !is_line_end(flavour, CHAR(i))) {
            i++;
        }
        Py_ssize_t end = i;
        if (i < n) {
            i += CHAR(i) == '\r' && i + 1 < n && CHAR(i + 1) == '\n' ? 2 : 1;
            if (keepends) {
                end = i;
            }
        }
        if (push_slice(v, text, start, end) < 0) {
            return -1;
        }
    }
    return 0;
}

PyObject *
_PyText_SplitLines(const _PyText_Source *text, int keepends)
{
    ItemVector v;
    vector_init(&v, PY_SSIZE_T_MAX, FEW_LINES);
    int status = BY_SOURCE(split_lines, text, keepends, &v);
    return vector_finish(&v, status);
}

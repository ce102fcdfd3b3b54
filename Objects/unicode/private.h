/* Shared by the files of Objects/unicode only. */
#ifndef SB_UNICODE_IMPL_H
#define SB_UNICODE_IMPL_H

#include "Python.h"
#include "internal/int.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/textsearch.h"
#include "internal/unicode.h"

#define MAX_UNICODE 0x10ffff

#define AS_ASCII(op)   ((PyASCIIObject *)(op))
#define AS_COMPACT(op) ((PyCompactUnicodeObject *)(op))
#define AS_LEGACY(op)  ((PyUnicodeObject *)(op))

#define LENGTH(op) (AS_ASCII(op)->length)
#define KIND(op)   ((int)AS_ASCII(op)->state.kind)
#define DATA(op)   PyUnicode_DATA(op)
#define HASH(op)   (AS_ASCII(op)->hash)
#define IS_ASCII(op) (AS_ASCII(op)->state.ascii)

/* Raises TypeError unless op is a str. Makes a str ready. */
static inline int
_PyUnicode_EnsureStr(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        PyErr_Format(PyExc_TypeError, "must be str, not %.100s",
                     Py_TYPE(op)->tp_name);
        return -1;
    }
    return PyUnicode_READY(op);
}

/* For decoders: raises SystemError if the size of the input is negative. */
static inline int
_PyUnicode_CheckSize(Py_ssize_t size)
{
    if (size < 0) {
        PyErr_SetString(PyExc_SystemError, "Negative size passed to PyUnicode_New");
        return -1;
    }
    return 0;
}

static inline int
kind_for(Py_UCS4 maxchar)
{
    return maxchar <= 0xff ? 1 : maxchar <= 0xffff ? 2 : 4;
}

static inline const void *
data_at(int kind, const void *data, Py_ssize_t i)
{
    return (const char *)data + i * kind;
}

/* Copies `size` bytes as two parts that may overlap; part: a constant, up to 8. */
static inline __attribute__((always_inline)) void
copy_ends(char *to, const char *from, size_t size, size_t part)
{
    char first[8], last[8];
    memcpy(first, from, part);
    memcpy(last, from + size - part, part);
    memcpy(to, first, part);
    memcpy(to + size - part, last, part);
}

/* memcpy() for what is short as a rule: up to 16 bytes without a call. */
static inline void
_PyUnicode_CopyFew(char *to, const char *from, Py_ssize_t n)
{
    size_t size = (size_t)n;
    if (size > 16) {
        memcpy(to, from, size);
    }
    else if (size >= 8) {
        copy_ends(to, from, size, 8);
    }
    else if (size >= 4) {
        copy_ends(to, from, size, 4);
    }
    else if (size > 0) {
        to[0] = from[0];
        to[size / 2] = from[size / 2];
        to[size - 1] = from[size - 1];
    }
}

/* An ASCII str of at least one character. The caller fills in the characters. */
static inline PyObject *
_PyUnicode_NewAscii(Py_ssize_t length)
{
    if (length > PY_SSIZE_T_MAX - (Py_ssize_t)sizeof(PyASCIIObject) - 1) {
        return PyErr_NoMemory();
    }
    PyObject *op = PyObject_Malloc(sizeof(PyASCIIObject) + (size_t)length + 1);
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    _PyObject_InitExact(op, &PyUnicode_Type);
    *AS_ASCII(op) = (PyASCIIObject){
        .ob_base = *op, .length = length, .hash = -1,
        .state = {.kind = PyUnicode_1BYTE_KIND, .compact = 1, .ascii = 1, .ready = 1},
    };
    ((Py_UCS1 *)(AS_ASCII(op) + 1))[length] = 0;
    return op;
}

/* start and end of a slice as methods take them: negative values count from the end.
   Both are clipped, start only from below. */
static inline void
clip_range(Py_ssize_t *start, Py_ssize_t *end, Py_ssize_t length)
{
    if (*end > length) {
        *end = length;
    }
    else if (*end < 0) {
        *end += length;
        if (*end < 0) {
            *end = 0;
        }
    }
    if (*start < 0) {
        *start += length;
        if (*start < 0) {
            *start = 0;
        }
    }
}

/* The characters of a needle in the width of the haystack. Precondition: KIND(op) <=
   kind. _PyUnicode_Widen returns -1 on error; release with widened_free(). */
typedef struct {
    const void *data;
    void *allocated;
    char small[128];
} WidenedData;

int _PyUnicode_WidenOther(WidenedData *w, PyObject *op, int kind);

static inline int
_PyUnicode_Widen(WidenedData *w, PyObject *op, int kind)
{
    if (KIND(op) != kind) {
        return _PyUnicode_WidenOther(w, op, kind);
    }
    w->allocated = NULL;
    w->data = DATA(op);
    return 0;
}

static inline void
widened_free(WidenedData *w)
{
    if (w->allocated) {
        PyMem_Free(w->allocated);
    }
}

/* Steals str. Returns a new reference to str, or to the shared string if it is empty or
   one Latin-1 character. */
PyObject *_PyUnicode_Result(PyObject *str);

/* build.c. Each returns a new reference. */

/* op with `left` copies of fill before it and `right` copies after it. */
PyObject *_PyUnicode_Pad(PyObject *op, Py_ssize_t left, Py_ssize_t right, Py_UCS4 fill);
PyObject *_PyUnicode_Zfill(PyObject *op, Py_ssize_t width);
PyObject *_PyUnicode_ExpandTabs(PyObject *op, int tabsize);

/* Returns a new string that is not ready, with n undefined wide characters. */
PyObject *_PyUnicode_NewLegacy(Py_ssize_t n);

/* Is op a str that may be changed in place? */
int _PyUnicode_Modifiable(PyObject *op);

/* Resizes a modifiable compact string in place. */
int _PyUnicode_ResizeCompact(PyObject **p, Py_ssize_t length);

/* strip: type 2, lstrip: 0, rstrip: 1. set may be NULL or None. */
PyObject *_PyUnicode_StripArg(PyObject *op, int type, PyObject *set,
                              const char *name);
/* PyUnicode_Replace for ready strings. */
PyObject *_PyUnicode_ReplaceReady(PyObject *op, PyObject *from, PyObject *to,
                                  Py_ssize_t maxcount);

/* Methods and slots, by topic. */
PyObject *_PyUnicode_Iter(PyObject *op);
PyObject *_PyUnicode_ConcatSlot(PyObject *a, PyObject *b);
PyObject *_PyUnicode_RepeatSlot(PyObject *op, Py_ssize_t n);
extern PyMethodDef _PyUnicode_methods[];

PyObject *_PyUnicode_method_format(PyObject *self, PyObject *args,
                                   PyObject *kwargs);
PyObject *_PyUnicode_method_format_map(PyObject *self, PyObject *mapping);
PyObject *_PyUnicode_method_lower(PyObject *self, PyObject *unused);
PyObject *_PyUnicode_method_upper(PyObject *self, PyObject *unused);
PyObject *_PyUnicode_method_title(PyObject *self, PyObject *unused);
PyObject *_PyUnicode_method_swapcase(PyObject *self, PyObject *unused);
PyObject *_PyUnicode_method_casefold(PyObject *self, PyObject *unused);
PyObject *_PyUnicode_method_capitalize(PyObject *self, PyObject *unused);
PyObject *_PyUnicode_method_translate(PyObject *self, PyObject *table);
PyObject *_PyUnicode_method_maketrans(PyObject *unused, PyObject *const *args,
                                      Py_ssize_t nargs);

#endif

/* The marshal module: the format of .pyc files, and PyMarshal_*.

   Byte compatible with CPython 3.11's version 4, except for code objects: their fields
   are our own ('c' with another layout), and so the magic number of our .pyc files
   differs, too.

   If an object may be referred to from several places (its reference count says so), it
   is written once with FLAG_REF, and by its number from then on. Both sides number such
   objects in the order in which they begin. */
#include "Python.h"
#include "marshal.h"
#include "internal/code.h"
#include "internal/code_tables.h"
#include "internal/errors.h"
#include "internal/int.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/packed_code.h"
#include "internal/pystate.h"
#include "internal/unicode.h"

#include <stdio.h>

enum {
    TYPE_NULL = '0', TYPE_NONE = 'N', TYPE_FALSE = 'F', TYPE_TRUE = 'T',
    TYPE_STOPITER = 'S', TYPE_ELLIPSIS = '.', TYPE_INT = 'i', TYPE_INT64 = 'I',
    TYPE_FLOAT = 'f', TYPE_BINARY_FLOAT = 'g', TYPE_COMPLEX = 'x', TYPE_BINARY_COMPLEX = 'y',
    TYPE_LONG = 'l', TYPE_STRING = 's', TYPE_INTERNED = 't', TYPE_REF = 'r', TYPE_TUPLE = '(',
    TYPE_LIST = '[', TYPE_DICT = '{', TYPE_CODE = 'c', TYPE_UNICODE = 'u', TYPE_UNKNOWN = '?',
    TYPE_SET = '<', TYPE_FROZENSET = '>', TYPE_ASCII = 'a', TYPE_ASCII_INTERNED = 'A',
    TYPE_SMALL_TUPLE = ')', TYPE_SHORT_ASCII = 'z', TYPE_SHORT_ASCII_INTERNED = 'Z',
    FLAG_REF = 0x80,
};

/* Depth of nesting that neither side exceeds. */
#define MAX_DEPTH 2000

/* ------------------------------------------------------------------ writing */

enum { OK = 0, UNMARSHALLABLE, TOO_DEEP, NO_MEMORY, FAILED };

typedef struct {
    char *buf;
    size_t used, size;          /* after an error the two are equal */
    FILE *fp;                   /* or NULL: everything stays in buf */
    char *start;                /* the buffer of the first bytes, its owner's */
    int version;
    int depth;
    int error;
    /* Open addressing: object -> number. Objects in it are owned. */
    struct ref {
        PyObject *obj;
        uint32_t number;
    } *refs;
    size_t nrefs, refs_size;
} Writer;

/* What fits into this needs no block of memory. */
#define START_SIZE 512

#define WRITER(start_, fp_, version_) \
    {.buf = start_, .size = START_SIZE, .fp = fp_, .start = start_, .version = version_}

static void
fail(Writer *w, int error)
{
    w->error = error;
    w->size = w->used;          /* so nothing is written any more */
}

static void
flush(Writer *w)
{
    if (w->fp != NULL && fwrite(w->buf, 1, w->used, w->fp) != w->used) {
        /* PyMarshal_WriteObjectToFile has no way to report it. */
        clearerr(w->fp);
    }
}

/* A larger buffer, or for a file an empty one, with room for n bytes. */
static __attribute__((noinline)) int
make_room(Writer *w, size_t n)
{
    if (w->error) {
        return -1;
    }
    if (w->fp != NULL) {
        flush(w);
        w->used = 0;
        if (n <= w->size) {
            return 0;
        }
    }
    const size_t size = w->size + n + (w->size >> 1);
    char *buf = PyMem_Realloc(w->buf == w->start ? NULL : w->buf, size);
    if (buf == NULL) {
        fail(w, NO_MEMORY);
        return -1;
    }
    if (w->buf == w->start) {
        memcpy(buf, w->start, w->used);
    }
    w->buf = buf;
    w->size = size;
    return 0;
}

/* Where the next n bytes go, which the caller writes; NULL after an error. */
static inline char *
reserve(Writer *w, size_t n)
{
    if (n > w->size - w->used && make_room(w, n) < 0) {
        return NULL;
    }
    char *to = w->buf + w->used;
    w->used += n;
    return to;
}

static inline void
put_bytes(Writer *w, const void *data, size_t n)
{
    char *to = reserve(w, n);
    if (to != NULL) {
        memcpy(to, data, n);
    }
}

static inline __attribute__((always_inline)) void
put_byte(Writer *w, int c)
{
    char *to = reserve(w, 1);
    if (to != NULL) {
        *to = (char)c;
    }
}

/* n is a constant where this is called: one store. */
static inline __attribute__((always_inline)) void
put_le(Writer *w, uint64_t value, int n)
{
    char *to = reserve(w, (size_t)n);
    if (to != NULL) {
        for (int i = 0; i < n; i++) {
            to[i] = (char)(value >> (8 * i));
        }
    }
}

/* One byte and four, the start of most objects. */
static inline void
put_type_and_le(Writer *w, int type, uint32_t value)
{
    char *to = reserve(w, 5);
    if (to != NULL) {
        to[0] = (char)type;
        for (int i = 0; i < 4; i++) {
            to[1 + i] = (char)(value >> (8 * i));
        }
    }
}

static void
put_type_and_size(Writer *w, int type, Py_ssize_t n)
{
    if (n > INT32_MAX) {
        fail(w, UNMARSHALLABLE);
        return;
    }
    put_type_and_le(w, type, (uint32_t)n);
}

static size_t
ref_slot(const Writer *w, PyObject *v)
{
    size_t i = ((uintptr_t)v >> 4) * 0x9E3779B97F4A7C15u >> 20;
    for (;; i++) {
        i &= w->refs_size - 1;
        if (w->refs[i].obj == NULL || w->refs[i].obj == v) {
            return i;
        }
    }
}

static int
grow_refs(Writer *w)
{
    struct ref *old = w->refs;
    size_t old_size = w->refs_size;
    w->refs_size = old_size ? old_size * 2 : 64;
    w->refs = PyMem_Calloc(w->refs_size, sizeof(*w->refs));
    if (w->refs == NULL) {
        w->refs = old;
        w->refs_size = old_size;
        fail(w, NO_MEMORY);
        return -1;
    }
    for (size_t i = 0; i < old_size; i++) {
        if (old[i].obj != NULL) {
            w->refs[ref_slot(w, old[i].obj)] = old[i];
        }
    }
    PyMem_Free(old);
    return 0;
}

/* 1: written as a reference. 0: write it, with *flag. */
static int
put_ref(Writer *w, PyObject *v, int *flag)
{
    *flag = 0;
    if (w->version < 3 || Py_REFCNT(v) == 1) {
        return 0;
    }
    if (2 * w->nrefs >= w->refs_size && grow_refs(w) < 0) {
        return 1;
    }
    struct ref *slot = &w->refs[ref_slot(w, v)];
    if (slot->obj != NULL) {
        put_type_and_le(w, TYPE_REF, slot->number);
        return 1;
    }
    slot->obj = Py_NewRef(v);
    slot->number = (uint32_t)w->nrefs++;
    *flag = FLAG_REF;
    return 0;
}

static void put_object(Writer *w, PyObject *v);

/* 15-bit digits, the sign on their number. */
static void
put_long(Writer *w, PyObject *v, int flag)
{
    PyLongObject *op = (PyLongObject *)v;
    Py_ssize_t n = Py_ABS(Py_SIZE(op));
    int64_t value;
    if (_PyLong_AsInt64Exact(v, &value) && value == (int32_t)value) {
        put_type_and_le(w, TYPE_INT | flag, (uint32_t)value);
        return;
    }
    digit top = op->ob_digit[n - 1];
    Py_ssize_t shorts = 2 * (n - 1) + (top >> 15 ? 2 : 1);
    if (shorts > INT32_MAX) {
        fail(w, UNMARSHALLABLE);
        return;
    }
    put_type_and_le(w, TYPE_LONG | flag, (uint32_t)(Py_SIZE(op) < 0 ? -shorts : shorts));
    char *to = reserve(w, 2 * (size_t)shorts);
    for (Py_ssize_t i = 0; to != NULL && i < shorts; i++) {
        const digit half = op->ob_digit[i / 2] >> (15 * (i & 1)) & 0x7FFF;
        *to++ = (char)half;
        *to++ = (char)(half >> 8);
    }
}

static void
put_double(Writer *w, double x)
{
    if (w->version > 1) {
        char *to = reserve(w, 8);
        if (to != NULL && PyFloat_Pack8(x, to, 1) < 0) {
            fail(w, FAILED);
        }
        return;
    }
    char *text = PyOS_double_to_string(x, 'g', 17, 0, NULL);
    if (text == NULL) {
        fail(w, NO_MEMORY);
        return;
    }
    put_byte(w, (int)strlen(text));
    put_bytes(w, text, strlen(text));
    PyMem_Free(text);
}

static void
put_str(Writer *w, PyObject *v, int flag)
{
    int interned = PyUnicode_CHECK_INTERNED(v) != 0;
    if (w->version >= 4 && PyUnicode_IS_ASCII(v)) {
        Py_ssize_t n = PyUnicode_GET_LENGTH(v);
        if (n < 256) {
            char *to = reserve(w, 2 + (size_t)n);
            if (to != NULL) {
                to[0] = (char)((interned ? TYPE_SHORT_ASCII_INTERNED : TYPE_SHORT_ASCII) | flag);
                to[1] = (char)n;
                memcpy(to + 2, PyUnicode_DATA(v), (size_t)n);
            }
            return;
        }
        put_type_and_size(w, (interned ? TYPE_ASCII_INTERNED : TYPE_ASCII) | flag, n);
        put_bytes(w, PyUnicode_DATA(v), (size_t)n);
        return;
    }
    PyObject *utf8 = PyUnicode_AsEncodedString(v, "utf8", "surrogatepass");
    if (utf8 == NULL) {
        fail(w, UNMARSHALLABLE);
        return;
    }
    put_type_and_size(w, (w->version >= 3 && interned ? TYPE_INTERNED : TYPE_UNICODE) | flag,
                      PyBytes_GET_SIZE(utf8));
    put_bytes(w, PyBytes_AS_STRING(utf8), (size_t)PyBytes_GET_SIZE(utf8));
    Py_DECREF(utf8);
}

/* Items in the order of their marshalled bytes, so that equal sets give equal
   .pyc files whatever the hash seed is. */
static void
put_set(Writer *w, PyObject *v, int flag)
{
    put_type_and_size(w, (PyFrozenSet_CheckExact(v) ? TYPE_FROZENSET : TYPE_SET) | flag,
                      PySet_GET_SIZE(v));
    PyObject *pairs = PyList_New(0), *it = PyObject_GetIter(v), *item;
    while (pairs != NULL && it != NULL && (item = PyIter_Next(it)) != NULL) {
        PyObject *bytes = PyMarshal_WriteObjectToString(item, w->version);
        PyObject *pair = bytes == NULL ? NULL : PyTuple_Pack(2, bytes, item);
        if (pair == NULL || PyList_Append(pairs, pair) < 0) {
            Py_CLEAR(pairs);
        }
        Py_XDECREF(bytes);
        Py_XDECREF(pair);
        Py_DECREF(item);
    }
    if (pairs == NULL || it == NULL || PyErr_Occurred() || PyList_Sort(pairs) < 0) {
        fail(w, FAILED);
    }
    for (Py_ssize_t i = 0; !w->error && i < PyList_GET_SIZE(pairs); i++) {
        put_object(w, PyTuple_GET_ITEM(PyList_GET_ITEM(pairs, i), 1));
    }
    Py_XDECREF(pairs);
    Py_XDECREF(it);
}

static void
put_code(Writer *w, PyObject *v, int flag)
{
    PyVMCode *co = (PyVMCode *)v;
    PyObject *code = PyBytes_FromStringAndSize((const char *)co->packed, co->npacked);
    if (code == NULL) {
        fail(w, FAILED);
        return;
    }
    put_byte(w, TYPE_CODE | flag);
    put_le(w, (uint64_t)co->ob.co_argcount, 4);
    put_le(w, (uint64_t)co->ob.co_posonlyargcount, 4);
    put_le(w, (uint64_t)co->ob.co_kwonlyargcount, 4);
    put_le(w, (uint64_t)co->ob.co_flags, 4);
    put_le(w, co->nregs, 2);
    put_le(w, co->first_temp, 2);
    put_le(w, (uint64_t)co->ob.co_firstlineno, 4);
    put_object(w, code);
    put_object(w, co->ob.co_consts);
    put_object(w, co->ob.co_names);
    put_object(w, co->ob.co_localsplusnames);
    put_object(w, co->ob.co_localspluskinds);
    put_object(w, co->ob.co_filename);
    put_object(w, co->ob.co_name);
    put_object(w, co->ob.co_qualname);
    put_object(w, co->ob.co_linetable);
    put_object(w, co->ob.co_exceptiontable);
    Py_DECREF(code);
}

static void
put_buffer(Writer *w, PyObject *v, int flag)
{
    Py_buffer view;
    if (PyObject_GetBuffer(v, &view, PyBUF_SIMPLE) < 0) {
        put_byte(w, TYPE_UNKNOWN);
        fail(w, UNMARSHALLABLE);
        return;
    }
    put_type_and_size(w, TYPE_STRING | flag, view.len);
    put_bytes(w, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
}

/* What may contain objects, each one level deeper. */
static void
put_compound(Writer *w, PyObject *v, int flag)
{
    if (_Py_CStackIsShort(_PyThreadState_GET())) {
        fail(w, TOO_DEEP);
        return;
    }
    w->depth++;
    if (PyTuple_CheckExact(v)) {
        Py_ssize_t n = PyTuple_GET_SIZE(v);
        if (w->version >= 4 && n < 256) {
            put_le(w, (uint64_t)(TYPE_SMALL_TUPLE | flag | n << 8), 2);
        }
        else {
            put_type_and_size(w, TYPE_TUPLE | flag, n);
        }
        for (Py_ssize_t i = 0; i < n && !w->error; i++) {
            put_object(w, PyTuple_GET_ITEM(v, i));
        }
    }
    else if (PyList_CheckExact(v)) {
        put_type_and_size(w, TYPE_LIST | flag, PyList_GET_SIZE(v));
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(v) && !w->error; i++) {
            put_object(w, PyList_GET_ITEM(v, i));
        }
    }
    else if (PyDict_CheckExact(v)) {
        put_byte(w, TYPE_DICT | flag);
        PyObject *key, *value;
        Py_ssize_t pos = 0;
        while (!w->error && PyDict_Next(v, &pos, &key, &value)) {
            put_object(w, key);
            put_object(w, value);
        }
        put_byte(w, TYPE_NULL);
    }
    else if (PyAnySet_CheckExact(v)) {
        put_set(w, v, flag);
    }
    else if (PyCode_Check(v)) {
        put_code(w, v, flag);
    }
    else if (PyObject_CheckBuffer(v)) {
        put_buffer(w, v, flag);
    }
    else {
        put_byte(w, TYPE_UNKNOWN);
        fail(w, UNMARSHALLABLE);
    }
    w->depth--;
}

static void
put_object(Writer *w, PyObject *v)
{
    int flag;
    if (w->error) {
        return;
    }
    if (w->depth >= MAX_DEPTH) {
        fail(w, TOO_DEEP);
    }
    else if (v == NULL) {
        put_byte(w, TYPE_NULL);
    }
    else if (v == Py_None) {
        put_byte(w, TYPE_NONE);
    }
    else if (v == PyExc_StopIteration) {
        put_byte(w, TYPE_STOPITER);
    }
    else if (v == Py_Ellipsis) {
        put_byte(w, TYPE_ELLIPSIS);
    }
    else if (v == Py_False) {
        put_byte(w, TYPE_FALSE);
    }
    else if (v == Py_True) {
        put_byte(w, TYPE_TRUE);
    }
    else if (put_ref(w, v, &flag)) {
        return;
    }
    else if (PyLong_CheckExact(v)) {
        put_long(w, v, flag);
    }
    else if (PyFloat_CheckExact(v)) {
        put_byte(w, (w->version > 1 ? TYPE_BINARY_FLOAT : TYPE_FLOAT) | flag);
        put_double(w, PyFloat_AS_DOUBLE(v));
    }
    else if (PyComplex_CheckExact(v)) {
        put_byte(w, (w->version > 1 ? TYPE_BINARY_COMPLEX : TYPE_COMPLEX) | flag);
        put_double(w, PyComplex_RealAsDouble(v));
        put_double(w, PyComplex_ImagAsDouble(v));
    }
    else if (PyBytes_CheckExact(v)) {
        put_type_and_size(w, TYPE_STRING | flag, PyBytes_GET_SIZE(v));
        put_bytes(w, PyBytes_AS_STRING(v), (size_t)PyBytes_GET_SIZE(v));
    }
    else if (PyUnicode_CheckExact(v)) {
        put_str(w, v, flag);
    }
    else {
        put_compound(w, v, flag);
    }
}

static void
drop_refs(Writer *w)
{
    for (size_t i = 0; i < w->refs_size; i++) {
        Py_XDECREF(w->refs[i].obj);
    }
    PyMem_Free(w->refs);
}

static void
drop_buffer(Writer *w)
{
    if (w->buf != w->start) {
        PyMem_Free(w->buf);
    }
}

void
PyMarshal_WriteLongToFile(long value, FILE *fp, int version)
{
    char start[START_SIZE];
    Writer w = WRITER(start, fp, version);
    put_le(&w, (uint64_t)value, 4);
    flush(&w);
}

void
PyMarshal_WriteObjectToFile(PyObject *v, FILE *fp, int version)
{
    if (PySys_Audit("marshal.dumps", "Oi", v, version) < 0) {
        return;
    }
    char start[START_SIZE];
    Writer w = WRITER(start, fp, version);
    put_object(&w, v);
    drop_refs(&w);
    flush(&w);
    drop_buffer(&w);
}

PyObject *
PyMarshal_WriteObjectToString(PyObject *v, int version)
{
    if (PySys_Audit("marshal.dumps", "Oi", v, version) < 0) {
        return NULL;
    }
    char start[START_SIZE];
    Writer w = WRITER(start, NULL, version);
    put_object(&w, v);
    drop_refs(&w);
    PyObject *result = NULL;
    switch (w.error) {
    case OK:
        result = PyBytes_FromStringAndSize(w.buf, (Py_ssize_t)w.used);
        break;
    case NO_MEMORY:
        PyErr_NoMemory();
        break;
    case FAILED:
        break;
    default:
        PyErr_Clear();
        PyErr_SetString(PyExc_ValueError, w.error == UNMARSHALLABLE
                        ? "unmarshallable object" : "object too deeply nested to marshal");
    }
    drop_buffer(&w);
    return result;
}

/* ------------------------------------------------------------------ reading */

typedef struct {
    const char *next, *end;     /* memory, when fp and readable are NULL */
    FILE *fp;
    PyObject *readable;         /* a Python file: readinto() */
    char *scratch;
    size_t scratch_size;
    PyObject **refs;            /* NULL: an object that is not complete yet */
    Py_ssize_t refs_used, refs_room;
    int depth;
} Reader;

static void
too_short(void)
{
    PyErr_SetString(PyExc_EOFError, "marshal data too short");
}

static __attribute__((noinline)) const char *
get_bytes_slow(Reader *r, Py_ssize_t n)
{
    if (r->fp == NULL && r->readable == NULL) {
        too_short();
        return NULL;
    }
    if ((size_t)n > r->scratch_size) {
        char *p = PyMem_Realloc(r->scratch, (size_t)n);
        if (p == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        r->scratch = p;
        r->scratch_size = (size_t)n;
    }
    Py_ssize_t got = -1;
    if (r->fp != NULL) {
        got = (Py_ssize_t)fread(r->scratch, 1, (size_t)n, r->fp);
    }
    else {
        PyObject *view = PyMemoryView_FromMemory(r->scratch ? r->scratch : "", n, PyBUF_WRITE);
        PyObject *count = view == NULL ? NULL
            : PyObject_CallMethod(r->readable, "readinto", "N", view);
        if (count != NULL) {
            got = PyNumber_AsSsize_t(count, PyExc_ValueError);
            Py_DECREF(count);
        }
    }
    if (got == n) {
        return r->scratch ? r->scratch : "";
    }
    if (!PyErr_Occurred()) {
        if (got > n) {
            PyErr_Format(PyExc_ValueError,
                         "read() returned too much data: %zd bytes requested, %zd returned",
                         n, got);
        }
        else {
            too_short();
        }
    }
    return NULL;
}

/* n bytes that stay valid until the next call; NULL with an exception. Only memory has a `next`
   and an `end`. */
static inline const char *
get_bytes(Reader *r, Py_ssize_t n)
{
    const char *p = r->next;
    if (p == NULL || n > r->end - p) {
        return get_bytes_slow(r, n);
    }
    r->next = p + n;
    return p;
}

static inline int
get_byte(Reader *r)
{
    const char *p = get_bytes(r, 1);
    return p == NULL ? -1 : (unsigned char)*p;
}

/* Little endian, sign-extended from n bytes; check PyErr_Occurred() on -1. */
static inline int64_t
get_le(Reader *r, int n)
{
    const unsigned char *p = (const unsigned char *)get_bytes(r, n);
    if (p == NULL) {
        return -1;
    }
    uint64_t value = 0;
    for (int i = 0; i < n; i++) {
        value |= (uint64_t)p[i] << (8 * i);
    }
    int shift = 64 - 8 * n;
    return (int64_t)(value << shift) >> shift;
}

/* A size that the data is long enough for; -1 with an exception. */
static Py_ssize_t
get_size(Reader *r, const char *what)
{
    int64_t n = get_le(r, 4);
    if (n == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (n < 0) {
        PyErr_Format(PyExc_ValueError, "bad marshal data (%s size out of range)", what);
        return -1;
    }
    return (Py_ssize_t)n;
}

static int
get_double(Reader *r, int binary, double *x)
{
    if (binary) {
        const char *p = get_bytes(r, 8);
        if (p == NULL) {
            return -1;
        }
        *x = PyFloat_Unpack8(p, 1);
    }
    else {
        char text[256];
        int n = get_byte(r);
        const char *p = n < 0 ? NULL : get_bytes(r, n);
        if (p == NULL) {
            return -1;
        }
        memcpy(text, p, (size_t)n);
        text[n] = '\0';
        *x = PyOS_string_to_double(text, NULL, NULL);
    }
    return *x == -1.0 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *
get_long(Reader *r)
{
    int64_t n = get_le(r, 4);
    if (n == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (n < -INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "bad marshal data (long size out of range)");
        return NULL;
    }
    Py_ssize_t shorts = (Py_ssize_t)Py_ABS(n);
    if (shorts == 0) {
        return PyLong_FromLong(0);
    }
    const unsigned char *p = (const unsigned char *)get_bytes(r, 2 * shorts);
    if (p == NULL) {
        return NULL;
    }
    PyLongObject *v = _PyLong_New((shorts + 1) / 2);
    if (v == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < shorts; i++) {
        digit d = (digit)(p[2 * i] | p[2 * i + 1] << 8);
        if (d > 0x7FFF || (d == 0 && i == shorts - 1)) {
            Py_DECREF(v);
            PyErr_SetString(PyExc_ValueError, d ? "bad marshal data (digit out of range in long)"
                            : "bad marshal data (unnormalized long data)");
            return NULL;
        }
        v->ob_digit[i / 2] = i & 1 ? v->ob_digit[i / 2] | d << 15 : d;
    }
    Py_SET_SIZE(v, n < 0 ? -((shorts + 1) / 2) : (shorts + 1) / 2);
    return (PyObject *)v;
}

static PyObject *get_object(Reader *r);

/* The next place among the references; v may be NULL. */
static int
append_ref(Reader *r, PyObject *v)
{
    if (r->refs_used == r->refs_room) {
        Py_ssize_t room = r->refs_room ? 2 * r->refs_room : 64;
        PyObject **grown = PyMem_Realloc(r->refs, (size_t)room * sizeof(PyObject *));
        if (grown == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        r->refs = grown;
        r->refs_room = room;
    }
    Py_XINCREF(v);
    r->refs[r->refs_used++] = v;
    return 0;
}

/* Reserves a place among the references for an object that begins, and returns its number. */
static Py_ssize_t
reserve_ref(Reader *r, int flag)
{
    return !flag ? -2 : append_ref(r, NULL) < 0 ? -1 : r->refs_used - 1;
}

/* Stores the object at its place; passes the reference through. */
static PyObject *
keep_ref(Reader *r, Py_ssize_t index, PyObject *v)
{
    if (v != NULL && index >= 0) {
        Py_XSETREF(r->refs[index], Py_NewRef(v));
    }
    return v;
}

static PyObject *get_text(Reader *r, Py_ssize_t n, int ascii, int interned);

/* An item of a container: NULL marks are wrong there. */
static PyObject *
get_item(Reader *r, const char *where)
{
    /* Most are names that have been seen before, or new ones. */
    const unsigned char *p = (const unsigned char *)r->next;
    if (p != NULL && (const unsigned char *)r->end - p >= 5) {
        if (*p == TYPE_REF) {
            uint32_t i;
            memcpy(&i, p + 1, 4);
            if (i < (size_t)r->refs_used && r->refs[i] != NULL) {
                r->next += 5;
                return Py_NewRef(r->refs[i]);
            }
        }
        else if ((*p & ~FLAG_REF) == TYPE_SHORT_ASCII_INTERNED) {
            r->next += 2;
            PyObject *name = get_text(r, p[1], 1, 1);
            if (name != NULL && (*p & FLAG_REF) && append_ref(r, name) < 0) {
                Py_CLEAR(name);
            }
            return name;
        }
    }
    PyObject *v = get_object(r);
    if (v == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "NULL object in marshal data for %s", where);
    }
    return v;
}

static PyObject *
get_tuple(Reader *r, Py_ssize_t n, int flag)
{
    /* The tuple can refer to itself only through a mutable item. It gets its number
       before its items. If the data is too short for them, the first item fails, before a
       damaged size can fill the memory. */
    Py_ssize_t room = r->fp == NULL && r->readable == NULL ? r->end - r->next : n;
    PyObject *v = PyTuple_New(Py_MIN(n, room));
    Py_ssize_t ref = v == NULL ? -1 : reserve_ref(r, flag);
    if (v == NULL || ref == -1 || keep_ref(r, ref, v) == NULL) {
        Py_XDECREF(v);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = get_item(r, "tuple");
        if (item == NULL) {
            Py_DECREF(v);
            return NULL;
        }
        PyTuple_SET_ITEM(v, i, item);
    }
    /* Names and most constants: the collector need not find out that there is nothing in them
       for it. */
    _PyTuple_MaybeUntrack(v);
    return v;
}

static PyObject *
get_list(Reader *r, Py_ssize_t n, int flag)
{
    PyObject *v = PyList_New(0);
    Py_ssize_t ref = v == NULL ? -1 : reserve_ref(r, flag);
    if (v == NULL || ref == -1 || keep_ref(r, ref, v) == NULL) {
        Py_XDECREF(v);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = get_item(r, "list");
        if (item == NULL || PyList_Append(v, item) < 0) {
            Py_XDECREF(item);
            Py_DECREF(v);
            return NULL;
        }
        Py_DECREF(item);
    }
    return v;
}

static PyObject *
get_dict(Reader *r, int flag)
{
    PyObject *v = PyDict_New();
    Py_ssize_t ref = v == NULL ? -1 : reserve_ref(r, flag);
    if (v == NULL || ref == -1 || keep_ref(r, ref, v) == NULL) {
        Py_XDECREF(v);
        return NULL;
    }
    for (;;) {
        PyObject *key = get_object(r);
        if (key == NULL) {
            break;
        }
        PyObject *value = get_object(r);
        if (value == NULL || PyDict_SetItem(v, key, value) < 0) {
            Py_DECREF(key);
            Py_XDECREF(value);
            break;
        }
        Py_DECREF(key);
        Py_DECREF(value);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(v);
    }
    return v;
}

static PyObject *
get_set(Reader *r, int frozen, Py_ssize_t n, int flag)
{
    PyObject *v = frozen ? PyFrozenSet_New(NULL) : PySet_New(NULL);
    if (v == NULL) {
        return NULL;
    }
    if (frozen && n == 0) {     /* the one empty frozenset */
        Py_ssize_t ref = reserve_ref(r, flag);
        return ref == -1 ? NULL : keep_ref(r, ref, v);
    }
    Py_ssize_t ref = reserve_ref(r, flag);
    if (ref == -1 || (!frozen && keep_ref(r, ref, v) == NULL)) {
        Py_DECREF(v);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = get_item(r, "set");
        if (item == NULL || PySet_Add(v, item) < 0) {
            Py_XDECREF(item);
            Py_DECREF(v);
            return NULL;
        }
        Py_DECREF(item);
    }
    return frozen ? keep_ref(r, ref, v) : v;
}

enum { CODE_CODE, CODE_CONSTS, CODE_NAMES, CODE_LOCALS, CODE_KINDS, CODE_FILENAME, CODE_NAME,
       CODE_QUALNAME, CODE_LINES, CODE_HANDLERS, CODE_PARTS };

/* The bytes object that comes next, where it is in memory, and its size; NULL without an exception
   if that cannot be told or something else comes. */
static const void *
peek_bytes(Reader *r, Py_ssize_t *size)
{
    const char *p = r->next;
    if (p == NULL || r->end - p < 5 || *p != TYPE_STRING) {
        return NULL;
    }
    uint32_t n;
    memcpy(&n, p + 1, 4);
    if (n > INT32_MAX || (Py_ssize_t)n > r->end - (p + 5)) {
        return NULL;
    }
    r->next = p + 5 + n;
    *size = (Py_ssize_t)n;
    return p + 5;
}

static PyObject *
get_code(Reader *r)
{
    struct _PyVMCodeConstructor con = {0};
    PyObject *part[CODE_PARTS] = {NULL}, *result = NULL;
    con.argcount = (int)get_le(r, 4);
    con.posonlyargcount = (int)get_le(r, 4);
    con.kwonlyargcount = (int)get_le(r, 4);
    con.flags = (int)get_le(r, 4);
    con.nregs = (uint16_t)get_le(r, 2);
    con.first_temp = (uint16_t)get_le(r, 2);
    con.firstlineno = (int)get_le(r, 4);
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_ssize_t size = 0;
    for (int i = 0; i < CODE_PARTS; i++) {
        /* Most instructions are copied once, from where they are into the code object. */
        if (i == CODE_CODE && (con.packed = peek_bytes(r, &size)) != NULL) {
            continue;
        }
        part[i] = get_item(r, "code object");
        if (part[i] == NULL) {
            goto done;
        }
        int good = i == CODE_CODE || i == CODE_KINDS || i >= CODE_LINES
            ? PyBytes_Check(part[i])
            : i >= CODE_FILENAME ? PyUnicode_Check(part[i]) : PyTuple_Check(part[i]);
        if (!good) {
            PyErr_SetString(PyExc_ValueError, "bad marshal data (code object)");
            goto done;
        }
    }
    if (part[CODE_CODE] != NULL) {
        size = PyBytes_GET_SIZE(part[CODE_CODE]);
        con.packed = (const uint8_t *)PyBytes_AS_STRING(part[CODE_CODE]);
    }
    PyPackedWalk walk;
    con.npacked = (size_t)size;
    con.ninstr = _PyPacked_Start(&walk, con.packed, con.npacked);
    if (con.ninstr == 0) {
        PyErr_SetString(PyExc_ValueError, "bad marshal data (code object)");
        goto done;
    }
    con.consts = part[CODE_CONSTS];
    con.names = part[CODE_NAMES];
    con.localsplusnames = part[CODE_LOCALS];
    con.localspluskinds = part[CODE_KINDS];
    con.filename = part[CODE_FILENAME];
    con.name = part[CODE_NAME];
    con.qualname = part[CODE_QUALNAME];
    if (!_PyInterpreterState_GET()->config.code_debug_ranges) {
        PyObject *lines = _PyCode_WithoutColumns(part[CODE_LINES], con.firstlineno);
        if (lines == NULL) {
            goto done;
        }
        Py_SETREF(part[CODE_LINES], lines);
    }
    con.linetable = part[CODE_LINES];
    con.exceptiontable = part[CODE_HANDLERS];
    result = (PyObject *)_PyCode_NewVM(&con);
done:
    for (int i = 0; i < CODE_PARTS; i++) {
        Py_XDECREF(part[i]);
    }
    return result;
}

static PyObject *
get_text(Reader *r, Py_ssize_t n, int ascii, int interned)
{
    const char *p = n < 0 ? NULL : n == 0 ? "" : get_bytes(r, n);
    if (p == NULL) {
        return NULL;
    }
    if (ascii && interned) {
        return _PyUnicode_InternLatin1(p, n);
    }
    PyObject *v = ascii ? PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, p, n)
                        : PyUnicode_DecodeUTF8(p, n, "surrogatepass");
    if (v != NULL && interned) {
        PyUnicode_InternInPlace(&v);
    }
    return v;
}

static PyObject *
get_typed(Reader *r, int type, int flag)
{
    Py_ssize_t n, ref;
    PyObject *v;
    double re, im;
    switch (type) {
    case TYPE_NULL: return NULL;
    case TYPE_NONE: Py_RETURN_NONE;
    case TYPE_FALSE: Py_RETURN_FALSE;
    case TYPE_TRUE: Py_RETURN_TRUE;
    case TYPE_ELLIPSIS: return Py_NewRef(Py_Ellipsis);
    case TYPE_STOPITER: return Py_NewRef(PyExc_StopIteration);
    case TYPE_TUPLE:
        n = get_size(r, "tuple");
        return n < 0 ? NULL : get_tuple(r, n, flag);
    case TYPE_SMALL_TUPLE:
        n = get_byte(r);
        return n < 0 ? NULL : get_tuple(r, n, flag);
    case TYPE_LIST:
        n = get_size(r, "list");
        return n < 0 ? NULL : get_list(r, n, flag);
    case TYPE_DICT: return get_dict(r, flag);
    case TYPE_SET: case TYPE_FROZENSET:
        n = get_size(r, "set");
        return n < 0 ? NULL : get_set(r, type == TYPE_FROZENSET, n, flag);
    case TYPE_CODE:
        ref = reserve_ref(r, flag);
        return ref == -1 ? NULL : keep_ref(r, ref, get_code(r));
    case TYPE_REF: {
        int64_t i = get_le(r, 4);
        v = i < 0 || i >= r->refs_used ? NULL : r->refs[i];
        if (v == NULL && (i != -1 || !PyErr_Occurred())) {
            PyErr_SetString(PyExc_ValueError, "bad marshal data (invalid reference)");
        }
        return Py_XNewRef(v);
    }
    default:
        break;
    }
    /* What follows contains no other objects, so its number can be assigned afterwards. */
    switch (type) {
    case TYPE_INT:
    case TYPE_INT64: {
        int64_t value = get_le(r, type == TYPE_INT ? 4 : 8);
        v = value == -1 && PyErr_Occurred() ? NULL : PyLong_FromLongLong(value);
        break;
    }
    case TYPE_LONG: v = get_long(r); break;
    case TYPE_FLOAT: case TYPE_BINARY_FLOAT:
        v = get_double(r, type == TYPE_BINARY_FLOAT, &re) < 0 ? NULL : PyFloat_FromDouble(re);
        break;
    case TYPE_COMPLEX: case TYPE_BINARY_COMPLEX:
        v = get_double(r, type == TYPE_BINARY_COMPLEX, &re) < 0
            || get_double(r, type == TYPE_BINARY_COMPLEX, &im) < 0
            ? NULL : PyComplex_FromDoubles(re, im);
        break;
    case TYPE_STRING: {
        n = get_size(r, "bytes object");
        const char *p = n < 0 ? NULL : n == 0 ? "" : get_bytes(r, n);
        v = p == NULL ? NULL : PyBytes_FromStringAndSize(p, n);
        break;
    }
    case TYPE_UNICODE: case TYPE_INTERNED: case TYPE_ASCII: case TYPE_ASCII_INTERNED:
        n = get_size(r, "string");
        v = get_text(r, n, type == TYPE_ASCII || type == TYPE_ASCII_INTERNED,
                     type == TYPE_INTERNED || type == TYPE_ASCII_INTERNED);
        break;
    case TYPE_SHORT_ASCII: case TYPE_SHORT_ASCII_INTERNED:
        v = get_text(r, get_byte(r), 1, type == TYPE_SHORT_ASCII_INTERNED);
        break;
    default:
        PyErr_SetString(PyExc_ValueError, "bad marshal data (unknown type code)");
        return NULL;
    }
    if (v != NULL && flag && append_ref(r, v) < 0) {
        Py_CLEAR(v);
    }
    return v;
}

/* NULL without an exception for TYPE_NULL. */
static PyObject *
get_object(Reader *r)
{
    int c = get_byte(r);
    if (c < 0) {
        if (PyErr_ExceptionMatches(PyExc_EOFError)) {
            PyErr_SetString(PyExc_EOFError, "EOF read where object expected");
        }
        return NULL;
    }
    PyObject *v = NULL;
    if (++r->depth > MAX_DEPTH || _Py_CStackIsShort(_PyThreadState_GET())) {
        PyErr_SetString(PyExc_ValueError, "recursion limit exceeded");
    }
    else {
        v = get_typed(r, c & ~FLAG_REF, c & FLAG_REF);
    }
    r->depth--;
    return v;
}

static PyObject *
read_all(Reader *r)
{
    PyObject *v = get_object(r);
    for (Py_ssize_t i = 0; i < r->refs_used; i++) {
        Py_XDECREF(r->refs[i]);
    }
    PyMem_Free(r->refs);
    PyMem_Free(r->scratch);
    if (v == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "NULL object in marshal data for object");
    }
    return v;
}

int
PyMarshal_ReadShortFromFile(FILE *fp)
{
    Reader r = {.fp = fp};
    int value = (int)get_le(&r, 2);
    PyMem_Free(r.scratch);
    return value;
}

long
PyMarshal_ReadLongFromFile(FILE *fp)
{
    Reader r = {.fp = fp};
    long value = (long)get_le(&r, 4);
    PyMem_Free(r.scratch);
    return value;
}

PyObject *
PyMarshal_ReadObjectFromFile(FILE *fp)
{
    Reader r = {.fp = fp};
    return read_all(&r);
}

PyObject *
PyMarshal_ReadLastObjectFromFile(FILE *fp)
{
    return PyMarshal_ReadObjectFromFile(fp);
}

PyObject *
PyMarshal_ReadObjectFromString(const char *data, Py_ssize_t len)
{
    Reader r = {.next = data, .end = data + len};
    return read_all(&r);
}

/* --------------------------------------------------------------- the module */

static int
version_arg(PyObject *const *args, Py_ssize_t nargs, Py_ssize_t where, int *version)
{
    *version = Py_MARSHAL_VERSION;
    if (nargs > where) {
        *version = _PyLong_AsInt(args[where]);
        if (*version == -1 && PyErr_Occurred()) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
marshal_dump(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int version;
    if (!_PyArg_CheckPositional("dump", nargs, 2, 3)
        || version_arg(args, nargs, 2, &version) < 0) {
        return NULL;
    }
    PyObject *bytes = PyMarshal_WriteObjectToString(args[0], version);
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *r = PyObject_CallMethod(args[1], "write", "O", bytes);
    Py_DECREF(bytes);
    return r;
}

static PyObject *
marshal_dumps(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int version;
    if (!_PyArg_CheckPositional("dumps", nargs, 1, 2)
        || version_arg(args, nargs, 1, &version) < 0) {
        return NULL;
    }
    return PyMarshal_WriteObjectToString(args[0], version);
}

static PyObject *
marshal_load(PyObject *Py_UNUSED(module), PyObject *file)
{
    if (PySys_Audit("marshal.load", NULL) < 0) {
        return NULL;
    }
    /* A file in text mode is recognised by what it reads. */
    PyObject *data = PyObject_CallMethod(file, "read", "i", 0);
    if (data == NULL) {
        return NULL;
    }
    if (!PyBytes_Check(data)) {
        PyErr_Format(PyExc_TypeError, "file.read() returned not bytes but %.100s",
                     Py_TYPE(data)->tp_name);
        Py_DECREF(data);
        return NULL;
    }
    Py_DECREF(data);
    Reader r = {.readable = file};
    return read_all(&r);
}

static PyObject *
marshal_loads(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_buffer view;
    if (PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    PyObject *v = PySys_Audit("marshal.loads", "y#", (char *)view.buf, view.len) < 0 ? NULL
        : PyMarshal_ReadObjectFromString(view.buf, view.len);
    PyBuffer_Release(&view);
    return v;
}


static PyMethodDef marshal_methods[] = {
    {"dump", FAST(marshal_dump),
     "dump($module, value, file, version=version, /)\n--\n\nWrites a value to an open file."},
    {"dumps", FAST(marshal_dumps),
     "dumps($module, value, version=version, /)\n--\n\nThe bytes that dump() would write."},
    {"load", marshal_load, METH_O, "load($module, file, /)\n--\n\nReads a value from a file."},
    {"loads", marshal_loads, METH_O,
     "loads($module, bytes, /)\n--\n\nThe value that the bytes stand for."},
    {NULL, NULL, 0, NULL}
};

static int
marshal_exec(PyObject *module)
{
    return PyModule_AddIntConstant(module, "version", Py_MARSHAL_VERSION);
}

static PyModuleDef_Slot marshal_slots[] = {{Py_mod_exec, marshal_exec}, {0, NULL}};

static struct PyModuleDef marshal_module = {
    PyModuleDef_HEAD_INIT, "marshal",
    "Reads and writes Python values in the binary format of .pyc files.", 0, marshal_methods,
    marshal_slots, NULL, NULL, NULL
};

MODULE_INIT(marshal)
{
    return PyModuleDef_Init(&marshal_module);
}

/* _struct: Python values in C structs.

   A format string compiles to an array of runs: `repeat` values of one code,
   `size` bytes each, from `offset` on; a run without code ends it. What a code
   means depends on the byte order mark in front of the format, which selects
   one of three tables. Padding has no runs. */

#include "Python.h"
#include "structmember.h"
#include "internal/int.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include <ctype.h>
#include <stddef.h>

/* How a code is converted. Integers differ in how they are fetched, which is visible in
   error messages: a SIGNED one is read as a C long before its range is checked, an
   UNSIGNED one as an unsigned long, a WIDE one by bytes. */
enum kind {
    PAD, CHARACTER, BYTES, PASCAL, BOOLEAN,
    SIGNED, UNSIGNED, SIGNED_NATURAL, WIDE_SIGNED, WIDE_UNSIGNED, POINTER,
    HALF, FLOAT, NATIVE_FLOAT, DOUBLE
};

struct code {
    char letter;
    unsigned char size;
    unsigned char alignment;
    enum kind kind;
    const char *word;           /* for messages: NULL for the letter */
};

struct run {
    const struct code *code;    /* NULL at the end */
    Py_ssize_t offset;
    Py_ssize_t size;
    Py_ssize_t repeat;
};

/* What a format compiles to. A Struct may get another one from __init__() while its first one is
   at work: who packs, unpacks or iterates by it is one of its users. */
struct layout {
    Py_ssize_t users;
    Py_ssize_t size;
    Py_ssize_t nvalues;
    struct run runs[];
};

typedef struct {
    PyObject_HEAD
    Py_ssize_t size;            /* -1 before __init__(); C code looks at these two, as in CPython's */
    Py_ssize_t nvalues;
    struct layout *layout;      /* NULL before __init__() */
    PyObject *format;           /* bytes, or None before __init__() */
    PyObject *weakreflist;
} StructObject;

typedef struct {
    PyObject *cache;            /* format -> Struct */
    PyTypeObject *struct_type;
    PyTypeObject *iterator_type;
    PyObject *error;
} struct_state;

static struct PyModuleDef struct_module;

static struct_state *
state_of_module(PyObject *module)
{
    return PyModule_GetState(module);
}

static struct_state *
state_of(PyObject *self)
{
    return state_of_module(PyType_GetModuleByDef(Py_TYPE(self),
                                                 &struct_module));
}

/* Returns struct.error, for code that needs nothing else from the state. */
static PyObject *
error_of(StructObject *self)
{
    return state_of((PyObject *)self)->error;
}

#define NATIVE(letter, type, kind, word) \
    {letter, sizeof(type), _Alignof(type), kind, word}

static const struct code native_codes[] = {
    {'x', 1, 1, PAD, NULL},
    {'b', 1, 1, SIGNED, "byte"},
    {'B', 1, 1, SIGNED_NATURAL, "ubyte"},
    {'c', 1, 1, CHARACTER, NULL},
    {'s', 1, 1, BYTES, NULL},
    {'p', 1, 1, PASCAL, NULL},
    NATIVE('h', short, SIGNED, "short"),
    NATIVE('H', short, SIGNED_NATURAL, "ushort"),
    NATIVE('i', int, SIGNED, NULL),
    NATIVE('I', int, UNSIGNED, NULL),
    NATIVE('l', long, SIGNED, NULL),
    NATIVE('L', long, UNSIGNED, NULL),
    NATIVE('n', Py_ssize_t, SIGNED, NULL),
    NATIVE('N', size_t, UNSIGNED, NULL),
    NATIVE('q', long long, SIGNED, NULL),
    NATIVE('Q', long long, UNSIGNED, NULL),
    NATIVE('?', _Bool, BOOLEAN, NULL),
    NATIVE('e', short, HALF, NULL),
    NATIVE('f', float, NATIVE_FLOAT, NULL),
    NATIVE('d', double, DOUBLE, NULL),
    NATIVE('P', void *, POINTER, NULL),
    {0, 0, 0, PAD, NULL}
};

#define STANDARD_CODES(short_kind, short_word, ushort_kind, ushort_word,    \
                       long_kind, ulong_kind)                               \
    {'x', 1, 1, PAD, NULL},                                                 \
    {'b', 1, 1, SIGNED, "byte"},                                            \
    {'B', 1, 1, SIGNED_NATURAL, "ubyte"},                                   \
    {'c', 1, 1, CHARACTER, NULL},                                           \
    {'s', 1, 1, BYTES, NULL},                                               \
    {'p', 1, 1, PASCAL, NULL},                                              \
    {'h', 2, 1, short_kind, short_word},                                    \
    {'H', 2, 1, ushort_kind, ushort_word},                                  \
    {'i', 4, 1, SIGNED, NULL},                                              \
    {'I', 4, 1, UNSIGNED, NULL},                                            \
    {'l', 4, 1, SIGNED, NULL},                                              \
    {'L', 4, 1, UNSIGNED, NULL},                                            \
    {'q', 8, 1, long_kind, NULL},                                           \
    {'Q', 8, 1, ulong_kind, NULL},                                          \
    {'?', 1, 1, BOOLEAN, NULL},                                             \
    {'e', 2, 1, HALF, NULL},                                                \
    {'f', 4, 1, FLOAT, NULL},                                               \
    {'d', 8, 1, DOUBLE, NULL},                                              \
    {0, 0, 0, PAD, NULL}

/* In native byte order the messages are those of native codes. */
static const struct code host_codes[] = {
    STANDARD_CODES(SIGNED, "short", SIGNED_NATURAL, "ushort",
                   SIGNED, UNSIGNED)
};
static const struct code swapped_codes[] = {
    STANDARD_CODES(SIGNED, NULL, UNSIGNED, NULL, WIDE_SIGNED, WIDE_UNSIGNED)
};

static const struct code *
choose_codes(const char **format)
{
    switch (**format) {
    case '<':
        ++*format;
        return PY_LITTLE_ENDIAN ? host_codes : swapped_codes;
    case '>':
    case '!':
        ++*format;
        return PY_LITTLE_ENDIAN ? swapped_codes : host_codes;
    case '=':
        ++*format;
        return host_codes;
    case '@':
        ++*format;
        break;
    }
    return native_codes;
}

static int
codes_little_endian(const struct code *codes)
{
    return PY_LITTLE_ENDIAN ? codes < swapped_codes
                              || codes >= swapped_codes
                                 + Py_ARRAY_LENGTH(swapped_codes)
        : codes >= swapped_codes
          && codes < swapped_codes + Py_ARRAY_LENGTH(swapped_codes);
}

/* -------------------------------------------------------------- compilation */

/* One unit of a format: a count and a code. */
struct unit {
    const struct code *code;
    Py_ssize_t count;
};

/* Reads the next unit: 1; 0 at the end; -1 with an exception. */
static int
next_unit(struct_state *state, const char **format,
          const struct code *codes, struct unit *unit)
{
    const char *s = *format;
    while (Py_ISSPACE(*s)) {
        s++;
    }
    if (*s == '\0') {
        return 0;
    }
    unit->count = 1;
    if (Py_ISDIGIT(*s)) {
        unit->count = 0;
        for (; Py_ISDIGIT(*s); s++) {
            if (__builtin_mul_overflow(unit->count, 10, &unit->count)
                || __builtin_add_overflow(unit->count, *s - '0',
                                          &unit->count)) {
                PyErr_SetString(state->error, "total struct size too long");
                return -1;
            }
        }
        if (*s == '\0') {
            PyErr_SetString(state->error,
                            "repeat count given without format specifier");
            return -1;
        }
    }
    unit->code = codes;
    while (unit->code->letter != *s) {
        if ((++unit->code)->letter == 0) {
            PyErr_SetString(state->error, "bad char in struct format");
            return -1;
        }
    }
    *format = s + 1;
    return 1;
}

/* Computes the size of the format, and fills runs unless that is NULL. */
static int
lay_out(struct_state *state, const char *format, struct run *runs,
        Py_ssize_t *nruns, Py_ssize_t *nvalues, Py_ssize_t *size)
{
    const struct code *codes = choose_codes(&format);
    struct unit unit;
    int status;
    *nruns = *nvalues = *size = 0;
    while ((status = next_unit(state, &format, codes, &unit)) > 0) {
        const struct code *code = unit.code;
        Py_ssize_t bytes;
        if (__builtin_add_overflow(*size, code->alignment - 1, size)) {
            goto too_long;
        }
        *size -= *size % code->alignment;
        Py_ssize_t offset = *size;
        if (__builtin_mul_overflow(unit.count, code->size, &bytes)
            || __builtin_add_overflow(*size, bytes, size)) {
            goto too_long;
        }
        int whole = code->kind == BYTES || code->kind == PASCAL;
        if (code->kind == PAD || (unit.count == 0 && !whole)) {
            continue;
        }
        if (runs != NULL) {
            runs[*nruns] = (struct run){
                code, offset, whole ? unit.count : code->size,
                whole ? 1 : unit.count,
            };
        }
        ++*nruns;
        *nvalues += whole ? 1 : unit.count;
    }
    return status;
too_long:
    PyErr_SetString(state->error, "total struct size too long");
    return -1;
}

static struct layout *
use_layout(struct layout *layout)
{
    layout->users++;
    return layout;
}

static void
drop_layout(struct layout *layout)
{
    if (layout != NULL && --layout->users == 0) {
        PyMem_Free(layout);
    }
}

static int
compile_format(struct_state *state, StructObject *self)
{
    const char *format = PyBytes_AS_STRING(self->format);
    Py_ssize_t nruns, nvalues, size;
    if (strlen(format) != (size_t)PyBytes_GET_SIZE(self->format)) {
        PyErr_SetString(state->error, "embedded null character");
        return -1;
    }
    if (lay_out(state, format, NULL, &nruns, &nvalues, &size) < 0) {
        return -1;
    }
    struct layout *layout = PyMem_Calloc(1, sizeof(*layout)
                                            + ((size_t)nruns + 1) * sizeof(struct run));
    if (layout == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    (void)lay_out(state, format, layout->runs, &nruns, &layout->nvalues, &layout->size);
    layout->users = 1;
    drop_layout(self->layout);
    self->layout = layout;
    self->size = layout->size;
    self->nvalues = layout->nvalues;
    return 0;
}

/* ------------------------------------------------------------------- unpack */

/* The bytes of an integer of 1, 2, 4 or 8 bytes, in reverse order. */
static inline uint64_t
swapped(uint64_t bits, int size)
{
    return __builtin_bswap64(bits) >> (64 - 8 * size);
}

static inline uint64_t
load_unsigned(const char *p, int size, int little)
{
    uint64_t bits;
    uint32_t four;
    uint16_t two;
    switch (size) {
    case 1:
        return (unsigned char)*p;
    case 2:
        memcpy(&two, p, sizeof(two));
        bits = two;
        break;
    case 4:
        memcpy(&four, p, sizeof(four));
        bits = four;
        break;
    default:
        memcpy(&bits, p, sizeof(bits));
    }
    return little == PY_LITTLE_ENDIAN ? bits : swapped(bits, size);
}

static PyObject *
unpack_integer(const struct code *code, const char *p, int little)
{
    uint64_t bits = load_unsigned(p, code->size, little);
    if (code->kind == SIGNED || code->kind == WIDE_SIGNED) {
        int shift = 64 - 8 * code->size;
        return _PyLong_FromInt64((int64_t)(bits << shift) >> shift);
    }
    return bits <= INT64_MAX ? _PyLong_FromInt64((int64_t)bits)
                             : PyLong_FromUnsignedLongLong(bits);
}

static PyObject *
unpack_value(const struct run *run, const char *p, int little)
{
    switch (run->code->kind) {
    case CHARACTER:
        return PyBytes_FromStringAndSize(p, 1);
    case BYTES:
        return PyBytes_FromStringAndSize(p, run->size);
    case PASCAL: {
        Py_ssize_t n = run->size > 0 ? (unsigned char)*p : 0;
        if (n >= run->size) {
            n = run->size > 0 ? run->size - 1 : 0;
        }
        return PyBytes_FromStringAndSize(p + 1, n);
    }
    case BOOLEAN:
        return PyBool_FromLong(*p != 0);
    case HALF:
        return PyFloat_FromDouble(PyFloat_Unpack2(p, little));
    case FLOAT:
    case NATIVE_FLOAT:
        return PyFloat_FromDouble(PyFloat_Unpack4(p, little));
    case DOUBLE: {
        uint64_t bits = load_unsigned(p, 8, little);
        double value;
        memcpy(&value, &bits, sizeof(value));
        return PyFloat_FromDouble(value);
    }
    default:
        return unpack_integer(run->code, p, little);
    }
}

static int
is_little(const struct layout *layout)
{
    return layout->runs[0].code == NULL
        || codes_little_endian(layout->runs[0].code);
}

/* Fills the tuple and returns it. */
static PyObject *
unpack_into(PyObject *result, const struct layout *layout, const char *start)
{
    int little = is_little(layout);
    Py_ssize_t i = 0;
    for (const struct run *run = layout->runs; run->code != NULL; run++) {
        const char *p = start + run->offset;
        const int is_integer = run->code->kind >= SIGNED && run->code->kind <= POINTER;
        for (Py_ssize_t k = run->repeat; k > 0; k--, p += run->size) {
            PyObject *value = is_integer ? unpack_integer(run->code, p, little)
                                         : unpack_value(run, p, little);
            if (value == NULL) {
                Py_DECREF(result);
                return NULL;
            }
            PyTuple_SET_ITEM(result, i++, value);
        }
    }
    return result;
}

/* To make the tuple may start a collection, whose finalizers may call __init__(). */
static PyObject *
unpack(struct layout *layout, const char *start)
{
    use_layout(layout);
    PyObject *result = PyTuple_New(layout->nvalues);
    if (result != NULL) {
        result = unpack_into(result, layout, start);
    }
    drop_layout(layout);
    return result;
}

/* --------------------------------------------------------------------- pack */

/* v as an int: new reference. */
static PyObject *
take_int(struct_state *state, PyObject *v)
{
    if (PyLong_Check(v)) {
        return Py_NewRef(v);
    }
    if (PyIndex_Check(v)) {
        return _PyNumber_Index(v);
    }
    PyErr_SetString(state->error, "required argument is not an integer");
    return NULL;
}

/* Turns an OverflowError into struct.error. */
static int
overflow_to_error(struct_state *state, const char *message)
{
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_SetString(state->error, message);
    }
    return -1;
}

static inline void
store_unsigned(char *p, uint64_t bits, int size, int little)
{
    if (little != PY_LITTLE_ENDIAN) {
        bits = swapped(bits, size);
    }
    uint32_t four = (uint32_t)bits;
    uint16_t two = (uint16_t)bits;
    switch (size) {
    case 1:
        *p = (char)bits;
        break;
    case 2:
        memcpy(p, &two, sizeof(two));
        break;
    case 4:
        memcpy(p, &four, sizeof(four));
        break;
    default:
        memcpy(p, &bits, sizeof(bits));
    }
}

static int
out_of_range(struct_state *state, const struct code *code, long long low,
             unsigned long long high)
{
    if (code->word != NULL) {
        PyErr_Format(state->error,
                     "%s format requires %lld <= number <= %llu",
                     code->word, low, high);
    }
    else {
        PyErr_Format(state->error,
                     "'%c' format requires %lld <= number <= %llu",
                     code->letter, low, high);
    }
    return -1;
}

static int
integer_bits(struct_state *state, const struct code *code, PyObject *number,
             uint64_t *bits)
{
    int width = 8 * code->size;
    if (code->kind == SIGNED || code->kind == SIGNED_NATURAL) {
        long value = PyLong_AsLong(number);
        if (value == -1 && PyErr_Occurred()) {
            return overflow_to_error(state, "argument out of range");
        }
        *bits = (uint64_t)value;
        if (width < 64) {
            int natural = code->kind == SIGNED_NATURAL;
            long low = natural ? 0 : -(1L << (width - 1));
            long high = (1L << (natural ? width : width - 1)) - 1;
            if (value < low || value > high) {
                return out_of_range(state, code, low,
                                    (unsigned long long)high);
            }
        }
        return 0;
    }
    if (code->kind == UNSIGNED) {
        *bits = PyLong_AsUnsignedLong(number);
        if (*bits == (uint64_t)-1 && PyErr_Occurred()) {
            return overflow_to_error(state, "argument out of range");
        }
        if (width < 64 && *bits >> width != 0) {
            return out_of_range(state, code, 0, (1ULL << width) - 1);
        }
        return 0;
    }
    if (code->kind == POINTER) {
        *bits = (uintptr_t)PyLong_AsVoidPtr(number);
    }
    else if (code->kind == WIDE_SIGNED) {
        *bits = (uint64_t)PyLong_AsLongLong(number);
    }
    else {
        *bits = PyLong_AsUnsignedLongLong(number);
    }
    /* pack() has its own message for an overflow. */
    return PyErr_Occurred() ? -1 : 0;
}

static int
pack_integer(struct_state *state, const struct code *code, char *p,
             PyObject *v, int little)
{
    uint64_t bits;
    PyObject *number = take_int(state, v);
    if (number == NULL) {
        return -1;
    }
    int status = integer_bits(state, code, number, &bits);
    Py_DECREF(number);
    if (status == 0) {
        store_unsigned(p, bits, code->size, little);
    }
    return status;
}

static int
pack_float(struct_state *state, enum kind kind, char *p, PyObject *v,
           int little)
{
    double x = PyFloat_AsDouble(v);
    if (x == -1.0 && PyErr_Occurred()) {
        PyErr_SetString(state->error, "required argument is not a float");
        return -1;
    }
    switch (kind) {
    case HALF:
        return PyFloat_Pack2(x, p, little);
    case FLOAT:
        return PyFloat_Pack4(x, p, little);
    case NATIVE_FLOAT: {
        /* As in C, a value that is too large becomes infinite. */
        float f = (float)x;
        memcpy(p, &f, sizeof(f));
        return 0;
    }
    default:
        return PyFloat_Pack8(x, p, little);
    }
}

/* The buffer has been filled with zeros. */
static int
pack_bytes(struct_state *state, const struct run *run, char *p, PyObject *v)
{
    int pascal = run->code->kind == PASCAL;
    const char *bytes;
    Py_ssize_t n;
    if (PyBytes_Check(v)) {
        bytes = PyBytes_AS_STRING(v);
        n = PyBytes_GET_SIZE(v);
    }
    else if (PyByteArray_Check(v)) {
        bytes = PyByteArray_AS_STRING(v);
        n = PyByteArray_GET_SIZE(v);
    }
    else {
        PyErr_Format(state->error, "argument for '%c' must be a bytes object",
                     run->code->letter);
        return -1;
    }
    Py_ssize_t room = run->size - pascal;
    if (room < 0) {
        return 0;
    }
    n = Py_MIN(n, room);
    memcpy(p + pascal, bytes, (size_t)n);
    if (pascal) {
        *p = (char)Py_MIN(n, 255);
    }
    return 0;
}

static int
pack_value(struct_state *state, const struct run *run, char *p, PyObject *v,
           int little)
{
    switch (run->code->kind) {
    case CHARACTER:
        if (!PyBytes_Check(v) || PyBytes_GET_SIZE(v) != 1) {
            PyErr_SetString(state->error, "char format requires a bytes "
                            "object of length 1");
            return -1;
        }
        *p = *PyBytes_AS_STRING(v);
        return 0;
    case BYTES:
    case PASCAL:
        return pack_bytes(state, run, p, v);
    case BOOLEAN: {
        int truth = PyObject_IsTrue(v);
        *p = (char)truth;
        return truth < 0 ? -1 : 0;
    }
    case HALF:
    case FLOAT:
    case NATIVE_FLOAT:
    case DOUBLE:
        return pack_float(state, run->code->kind, p, v, little);
    default:
        return pack_integer(state, run->code, p, v, little);
    }
}

/* The most common case: an int of one digit in the range of its code. 0: not that,
   and nothing is written. */
static inline int
pack_small_int(const struct code *code, char *p, PyObject *v, int little)
{
    if (!PyLong_CheckExact(v) || !_PyLong_CheckCompact(v)) {
        return 0;
    }
    int64_t value = _PyLong_CompactValue(v);
    int shift = 64 - 8 * code->size;
    switch (code->kind) {
    case SIGNED:
    case WIDE_SIGNED:
        if ((int64_t)((uint64_t)value << shift) >> shift != value) {
            return 0;
        }
        break;
    case SIGNED_NATURAL:
    case UNSIGNED:
    case WIDE_UNSIGNED:
        if (value < 0 || (uint64_t)value << shift >> shift != (uint64_t)value) {
            return 0;
        }
        break;
    default:
        return 0;
    }
    store_unsigned(p, (uint64_t)value, code->size, little);
    return 1;
}

/* A float as it is. 0: not that, and nothing is written. */
static inline int
pack_double(const struct code *code, char *p, PyObject *v, int little)
{
    if (code->kind != DOUBLE || !PyFloat_CheckExact(v)) {
        return 0;
    }
    uint64_t bits;
    double value = PyFloat_AS_DOUBLE(v);
    memcpy(&bits, &value, sizeof(bits));
    store_unsigned(p, bits, 8, little);
    return 1;
}

static int
pack(StructObject *self, const struct layout *layout, char *start, PyObject *const *values)
{
    int little = is_little(layout);
    memset(start, 0, (size_t)layout->size);
    for (const struct run *run = layout->runs; run->code != NULL; run++) {
        char *p = start + run->offset;
        for (Py_ssize_t k = run->repeat; k > 0; k--, p += run->size) {
            PyObject *v = *values++;
            if (pack_small_int(run->code, p, v, little) || pack_double(run->code, p, v, little)) {
                continue;
            }
            struct_state *state = state_of((PyObject *)self);
            if (pack_value(state, run, p, v, little) < 0) {
                return PyLong_Check(v)
                    ? overflow_to_error(state, "int too large to convert")
                    : -1;
            }
        }
    }
    return 0;
}

/* ----------------------------------------------------------- Struct methods */

static PyObject *
struct_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
           PyObject *Py_UNUSED(kwds))
{
    StructObject *self = (StructObject *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->format = Py_NewRef(Py_None);
        self->size = self->nvalues = -1;
        self->layout = NULL;
        self->weakreflist = NULL;
    }
    return (PyObject *)self;
}

static int
struct_init(StructObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"format", NULL};
    PyObject *format;
    struct_state *state = state_of((PyObject *)self);
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:Struct", keywords,
                                     &format)) {
        return -1;
    }
    if (PyUnicode_Check(format)) {
        format = PyUnicode_AsASCIIString(format);
        if (format == NULL) {
            return -1;
        }
    }
    else {
        Py_INCREF(format);
    }
    if (!PyBytes_Check(format)) {
        PyErr_Format(PyExc_TypeError, "Struct() argument 1 must be a str or "
                     "bytes object, not %.200s", _PyType_Name(Py_TYPE(format)));
        Py_DECREF(format);
        return -1;
    }
    Py_SETREF(self->format, format);
    return compile_format(state, self);
}

static int
struct_traverse(StructObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void
struct_dealloc(StructObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (self->weakreflist != NULL) {
        PyObject_ClearWeakRefs((PyObject *)self);
    }
    drop_layout(self->layout);
    Py_XDECREF(self->format);
    type->tp_free(self);
    Py_DECREF(type);
}

static int
check_ready(StructObject *self)
{
    if (self->layout == NULL) {
        PyErr_SetString(error_of(self), "Struct object is not initialized");
        return -1;
    }
    return 0;
}

/* The caller holds the object while it reads, which is enough for bytes. */
static inline int
get_bytes(PyObject *object, Py_buffer *view)
{
    if (PyBytes_CheckExact(object)) {
        view->buf = PyBytes_AS_STRING(object);
        view->len = PyBytes_GET_SIZE(object);
        view->obj = NULL;
        return 0;
    }
    return PyObject_GetBuffer(object, view, PyBUF_SIMPLE);
}

static PyObject *
struct_unpack_impl(StructObject *self, PyObject *buffer)
{
    Py_buffer view;
    PyObject *result = NULL;
    if (get_bytes(buffer, &view) < 0) {
        return NULL;
    }
    if (view.len != self->size) {
        PyErr_Format(error_of(self), "unpack requires a buffer of %zd bytes",
                     self->size);
    }
    else if (check_ready(self) == 0) {
        result = unpack(self->layout, view.buf);
    }
    PyBuffer_Release(&view);
    return result;
}

/* index may be NULL, for 0. */
static int
read_offset(PyObject *index, Py_ssize_t *offset)
{
    *offset = 0;
    if (index != NULL) {
        index = PyNumber_Index(index);
        if (index == NULL) {
            return -1;
        }
        *offset = PyLong_AsSsize_t(index);
        Py_DECREF(index);
    }
    return *offset == -1 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *
unpack_from_impl(StructObject *self, PyObject *buffer, PyObject *index)
{
    Py_buffer view;
    Py_ssize_t offset;
    PyObject *result = NULL;
    if (get_bytes(buffer, &view) < 0) {
        return NULL;
    }
    if (read_offset(index, &offset) < 0) {
        goto done;
    }
    if (offset < 0) {
        if (offset + self->size > 0) {
            PyErr_Format(error_of(self), "not enough data to unpack %zd bytes "
                         "at offset %zd", self->size, offset);
            goto done;
        }
        if (offset + view.len < 0) {
            PyErr_Format(error_of(self),
                         "offset %zd out of range for %zd-byte buffer",
                         offset, view.len);
            goto done;
        }
        offset += view.len;
    }
    if (view.len - offset < self->size) {
        PyErr_Format(error_of(self), "unpack_from requires a buffer of at least "
                     "%zu bytes for unpacking %zd bytes at offset %zd "
                     "(actual buffer size is %zd)",
                     (size_t)self->size + (size_t)offset, self->size, offset,
                     view.len);
    }
    else if (check_ready(self) == 0) {
        result = unpack(self->layout, (char *)view.buf + offset);
    }
done:
    PyBuffer_Release(&view);
    return result;
}

/* Parses (buffer, offset=0) after `skip` positional-only arguments; taken[2] is NULL if
   no offset is given. */
static int
take_buffer_and_offset(_PyArg_Parser *parser, int skip, PyObject *const *args,
                       Py_ssize_t nargs, PyObject *kwnames, PyObject *taken[3])
{
    PyObject *buffer[3] = {NULL};
    Py_ssize_t given = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, parser,
                                 skip + 1, skip + 2, 0, buffer);
    if (args == NULL) {
        return -1;
    }
    taken[0] = args[0];
    taken[1] = args[skip];
    taken[2] = given > skip + 1 ? args[skip + 1] : NULL;
    return 0;
}

static PyObject *
struct_unpack(PyObject *self, PyObject *buffer)
{
    return struct_unpack_impl((StructObject *)self, buffer);
}

static PyObject *
struct_unpack_from(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    static const char *const keywords[] = {"buffer", "offset", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .fname = "unpack_from",
    };
    PyObject *taken[3];
    if (take_buffer_and_offset(&parser, 0, args, nargs, kwnames, taken) < 0) {
        return NULL;
    }
    return unpack_from_impl((StructObject *)self, taken[1], taken[2]);
}

static PyObject *
struct_pack(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    StructObject *self = (StructObject *)op;
    if (nargs != self->nvalues) {
        PyErr_Format(error_of(self),
                     "pack expected %zd items for packing (got %zd)",
                     self->nvalues, nargs);
        return NULL;
    }
    struct layout *layout = use_layout(self->layout);
    PyObject *result = PyBytes_FromStringAndSize(NULL, layout->size);
    if (result != NULL
        && pack(self, layout, PyBytes_AS_STRING(result), args) < 0) {
        Py_CLEAR(result);
    }
    drop_layout(layout);
    return result;
}

/* The place of the struct in the buffer, or NULL. */
static char *
place_in(struct_state *state, Py_ssize_t size, Py_buffer *view, Py_ssize_t offset)
{
    if (offset < 0) {
        if (offset + size > 0) {
            PyErr_Format(state->error,
                         "no space to pack %zd bytes at offset %zd",
                         size, offset);
            return NULL;
        }
        if (offset + view->len < 0) {
            PyErr_Format(state->error,
                         "offset %zd out of range for %zd-byte buffer",
                         offset, view->len);
            return NULL;
        }
        offset += view->len;
    }
    if (view->len - offset < size) {
        PyErr_Format(state->error, "pack_into requires a buffer of at least "
                     "%zu bytes for packing %zd bytes at offset %zd "
                     "(actual buffer size is %zd)",
                     (size_t)size + (size_t)offset, size, offset,
                     view->len);
        return NULL;
    }
    return (char *)view->buf + offset;
}

static PyObject *
struct_pack_into(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    StructObject *self = (StructObject *)op;
    struct_state *state = state_of(op);
    Py_buffer view;
    if (nargs != self->nvalues + 2) {
        if (nargs < 2) {
            PyErr_Format(state->error, "pack_into expected %s argument",
                         nargs == 0 ? "buffer" : "offset");
        }
        else {
            PyErr_Format(state->error,
                         "pack_into expected %zd items for packing (got %zd)",
                         self->nvalues, nargs - 2);
        }
        return NULL;
    }
    if (check_ready(self) < 0 || !PyArg_Parse(args[0], "w*", &view)) {
        return NULL;
    }
    struct layout *layout = use_layout(self->layout);
    Py_ssize_t offset = PyNumber_AsSsize_t(args[1], PyExc_IndexError);
    char *place = NULL;
    if (!(offset == -1 && PyErr_Occurred())) {
        place = place_in(state, layout->size, &view, offset);
    }
    int failed = place == NULL || pack(self, layout, place, args + 2) < 0;
    drop_layout(layout);
    PyBuffer_Release(&view);
    if (failed) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
struct_get_format(StructObject *self, void *Py_UNUSED(closure))
{
    if (!PyBytes_Check(self->format)) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Struct object is not initialized");
        return NULL;
    }
    return PyUnicode_FromStringAndSize(PyBytes_AS_STRING(self->format),
                                       PyBytes_GET_SIZE(self->format));
}

static PyObject *
struct_get_size(StructObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromSsize_t(self->size);
}

static PyObject *
struct_sizeof(StructObject *self, PyObject *Py_UNUSED(ignored))
{
    size_t size = (size_t)_PyObject_SIZE(Py_TYPE(self));
    if (self->layout != NULL) {
        const struct run *run = self->layout->runs;
        /* As large as CPython's, which counts no users. */
        size += sizeof(struct run);
        for (; run->code != NULL; run++) {
            size += sizeof(struct run);
        }
    }
    return PyLong_FromSize_t(size);
}

/* -------------------------------------------------------------- iter_unpack */

typedef struct {
    PyObject_HEAD
    StructObject *so;           /* NULL at the end */
    struct layout *layout;
    Py_buffer view;
    Py_ssize_t position;
} IteratorObject;

static PyObject *
iter_unpack_impl(StructObject *self, PyObject *buffer)
{
    struct_state *state = state_of((PyObject *)self);
    if (self->size == 0) {
        PyErr_SetString(state->error,
                        "cannot iteratively unpack with a struct of length 0");
        return NULL;
    }
    if (check_ready(self) < 0) {
        return NULL;
    }
    struct layout *layout = use_layout(self->layout);
    PyTypeObject *type = state->iterator_type;
    IteratorObject *it = (IteratorObject *)type->tp_alloc(type, 0);
    if (it == NULL) {
        drop_layout(layout);
        return NULL;
    }
    it->layout = layout;
    if (PyObject_GetBuffer(buffer, &it->view, PyBUF_SIMPLE) < 0) {
        Py_DECREF(it);
        return NULL;
    }
    if (it->view.len % layout->size != 0) {
        PyErr_Format(state->error, "iterative unpacking requires a buffer of "
                     "a multiple of %zd bytes", layout->size);
        Py_DECREF(it);
        return NULL;
    }
    it->so = (StructObject *)Py_NewRef((PyObject *)self);
    return (PyObject *)it;
}

static PyObject *
struct_iter_unpack(PyObject *self, PyObject *buffer)
{
    return iter_unpack_impl((StructObject *)self, buffer);
}

static int
iterator_traverse(IteratorObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->so);
    Py_VISIT(self->view.obj);
    return 0;
}

static void
iterator_dealloc(IteratorObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->so);
    drop_layout(self->layout);
    PyBuffer_Release(&self->view);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
iterator_length_hint(IteratorObject *self, PyObject *Py_UNUSED(ignored))
{
    if (self->so == NULL) {
        return PyLong_FromLong(0);
    }
    return PyLong_FromSsize_t((self->view.len - self->position)
                              / self->layout->size);
}

static PyObject *
iterator_next(IteratorObject *self)
{
    if (self->so == NULL) {
        return NULL;
    }
    if (self->position < self->view.len) {
        PyObject *result = PyTuple_New(self->layout->nvalues);
        if (result == NULL) {
            return NULL;
        }
        /* A finalizer that a collection ran there may have taken all that was left. */
        if (self->position < self->view.len) {
            const char *start = (char *)self->view.buf + self->position;
            self->position += self->layout->size;
            return unpack_into(result, self->layout, start);
        }
        Py_DECREF(result);
    }
    Py_CLEAR(self->so);
    PyBuffer_Release(&self->view);
    return NULL;
}

static PyMethodDef iterator_methods[] = {
    {"__length_hint__", (PyCFunction)iterator_length_hint, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyObject *
iterator_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    return PyErr_Format(PyExc_TypeError, "Cannot create '%.200s objects", _PyType_Name(type));
}

static PyType_Slot iterator_slots[] = {
    {Py_tp_dealloc, iterator_dealloc},
    {Py_tp_new, iterator_new},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_traverse, iterator_traverse},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, iterator_next},
    {Py_tp_methods, iterator_methods},
    {0, NULL},
};

static PyType_Spec iterator_spec = {
    .name = "_struct.unpack_iterator",
    .basicsize = sizeof(IteratorObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = iterator_slots,
};

/* ---------------------------------------------------------- the Struct type */

static PyMethodDef struct_methods[] = {
    {"iter_unpack", struct_iter_unpack, METH_O,
     "iter_unpack($self, buffer, /)\n--\n\n"
     "An iterator over tuples of values, one for each S.size bytes of the\n"
     "buffer, whose length must be a multiple of that."},
    {"pack", FAST(struct_pack),
     "S.pack(v1, v2, ...) -> bytes\n\n"
     "The values v1, v2, … packed as the format S.format says."},
    {"pack_into", FAST(struct_pack_into),
     "S.pack_into(buffer, offset, v1, v2, ...)\n\n"
     "Packs the values v1, v2, … into a writable buffer from offset on."},
    {"unpack", struct_unpack, METH_O,
     "unpack($self, buffer, /)\n--\n\n"
     "A tuple of the values in the buffer, which must have S.size bytes."},
    {"unpack_from", FAST_KEYWORDS(struct_unpack_from),
     "unpack_from($self, /, buffer, offset=0)\n--\n\n"
     "A tuple of the values in the buffer from offset on."},
    {"__sizeof__", (PyCFunction)struct_sizeof, METH_NOARGS,
     "S.__sizeof__() -> size of S in memory, in bytes"},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef struct_getset[] = {
    {"format", (getter)struct_get_format, NULL, "struct format string", NULL},
    {"size", (getter)struct_get_size, NULL, "struct size in bytes", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef struct_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(StructObject, weakreflist),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot struct_slots[] = {
    {Py_tp_dealloc, struct_dealloc},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_setattro, PyObject_GenericSetAttr},
    {Py_tp_doc, "Struct(fmt) --> compiled struct object\n\n"},
    {Py_tp_traverse, struct_traverse},
    {Py_tp_methods, struct_methods},
    {Py_tp_members, struct_members},
    {Py_tp_getset, struct_getset},
    {Py_tp_init, struct_init},
    {Py_tp_alloc, PyType_GenericAlloc},
    {Py_tp_new, struct_new},
    {0, NULL},
};

static PyType_Spec struct_spec = {
    .name = "_struct.Struct",
    .basicsize = sizeof(StructObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = struct_slots,
};

/* --------------------------------------------------------- module functions */

#define CACHE_LIMIT 100

/* The Struct of a format: a new reference. */
static StructObject *
struct_of_format(PyObject *module, PyObject *format)
{
    struct_state *state = state_of_module(module);
    if (state->cache == NULL && (state->cache = PyDict_New()) == NULL) {
        return NULL;
    }
    /* The format's __hash__() and __eq__() may call _clearcache(). */
    PyObject *cache = Py_NewRef(state->cache);
    PyObject *so = Py_XNewRef(PyDict_GetItemWithError(cache, format));
    if (so == NULL && !PyErr_Occurred()) {
        so = PyObject_CallOneArg((PyObject *)state->struct_type, format);
        if (so != NULL) {
            if (PyDict_GET_SIZE(cache) >= CACHE_LIMIT) {
                PyDict_Clear(cache);
            }
            if (PyDict_SetItem(cache, format, so) < 0) {
                PyErr_Clear();
            }
        }
    }
    Py_DECREF(cache);
    return (StructObject *)so;
}

static PyObject *
clearcache(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    Py_CLEAR(state_of_module(module)->cache);
    Py_RETURN_NONE;
}

static PyObject *
calcsize(PyObject *module, PyObject *format)
{
    StructObject *so = struct_of_format(module, format);
    if (so == NULL) {
        return NULL;
    }
    PyObject *size = PyLong_FromSsize_t(so->size);
    Py_DECREF(so);
    return size;
}

/* function(Struct, args[1:]) */
static PyObject *
call_with_struct(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                 PyObject *(*function)(PyObject *, PyObject *const *,
                                       Py_ssize_t))
{
    if (nargs == 0) {
        PyErr_SetString(PyExc_TypeError, "missing format argument");
        return NULL;
    }
    StructObject *so = struct_of_format(module, args[0]);
    if (so == NULL) {
        return NULL;
    }
    PyObject *result = function((PyObject *)so, args + 1, nargs - 1);
    Py_DECREF(so);
    return result;
}

static PyObject *
module_pack(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return call_with_struct(module, args, nargs, struct_pack);
}

static PyObject *
module_pack_into(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return call_with_struct(module, args, nargs, struct_pack_into);
}

static PyObject *
module_unpack(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("unpack", nargs, 2, 2)) {
        return NULL;
    }
    StructObject *so = struct_of_format(module, args[0]);
    if (so == NULL) {
        return NULL;
    }
    PyObject *result = struct_unpack_impl(so, args[1]);
    Py_DECREF(so);
    return result;
}

static PyObject *
module_unpack_from(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    static const char *const keywords[] = {"", "buffer", "offset", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .fname = "unpack_from",
    };
    PyObject *taken[3];
    if (take_buffer_and_offset(&parser, 1, args, nargs, kwnames, taken) < 0) {
        return NULL;
    }
    StructObject *so = struct_of_format(module, taken[0]);
    if (so == NULL) {
        return NULL;
    }
    PyObject *result = unpack_from_impl(so, taken[1], taken[2]);
    Py_DECREF(so);
    return result;
}

static PyObject *
module_iter_unpack(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("iter_unpack", nargs, 2, 2)) {
        return NULL;
    }
    StructObject *so = struct_of_format(module, args[0]);
    if (so == NULL) {
        return NULL;
    }
    PyObject *result = iter_unpack_impl(so, args[1]);
    Py_DECREF(so);
    return result;
}

static PyMethodDef module_methods[] = {
    {"_clearcache", clearcache, METH_NOARGS,
     "_clearcache($module, /)\n--\n\nForgets compiled formats."},
    {"calcsize", calcsize, METH_O,
     "calcsize($module, format, /)\n--\n\n"
     "The size in bytes of the struct that a format describes."},
    {"iter_unpack", FAST(module_iter_unpack),
     "iter_unpack($module, format, buffer, /)\n--\n\n"
     "An iterator over tuples of values, one for each struct in the buffer.\n"
     "\nIts length must be a multiple of calcsize(format)."},
    {"pack", FAST(module_pack),
     "pack(format, v1, v2, ...) -> bytes\n\n"
     "The values v1, v2, … packed as the format says."},
    {"pack_into", FAST(module_pack_into),
     "pack_into(format, buffer, offset, v1, v2, ...)\n\n"
     "Packs the values v1, v2, … into a writable buffer from offset on."},
    {"unpack", FAST(module_unpack),
     "unpack($module, format, buffer, /)\n--\n\n"
     "A tuple of the values in the buffer.\n\n"
     "It must have calcsize(format) bytes."},
    {"unpack_from", FAST_KEYWORDS(module_unpack_from),
     "unpack_from($module, format, /, buffer, offset=0)\n--\n\n"
     "A tuple of the values in the buffer from offset on."},
    {NULL, NULL, 0, NULL}
};

static int
struct_exec(PyObject *module)
{
    struct_state *state = state_of_module(module);
    state->struct_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &struct_spec, NULL);
    if (state->struct_type == NULL
        || PyModule_AddType(module, state->struct_type) < 0) {
        return -1;
    }
    state->iterator_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &iterator_spec, NULL);
    if (state->iterator_type == NULL) {
        return -1;
    }
    state->error = PyErr_NewException("struct.error", NULL, NULL);
    return PyModule_AddObjectRef(module, "error", state->error);
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct_state *state = state_of_module(module);
    Py_VISIT(state->cache);
    Py_VISIT(state->struct_type);
    Py_VISIT(state->iterator_type);
    Py_VISIT(state->error);
    return 0;
}

static int
module_clear(PyObject *module)
{
    struct_state *state = state_of_module(module);
    Py_CLEAR(state->cache);
    Py_CLEAR(state->struct_type);
    Py_CLEAR(state->iterator_type);
    Py_CLEAR(state->error);
    return 0;
}

static void
module_free(void *module)
{
    (void)module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, struct_exec},
    {0, NULL}
};

static struct PyModuleDef struct_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_struct",
    .m_doc = "Conversion between Python values and C structs.\n\n"
        "A format begins with the byte order, sizes and alignment:\n"
        "  @: native order, sizes and alignment (default)\n"
        "  =: native order, standard sizes and no alignment\n"
        "  <: little-endian, standard sizes and no alignment\n"
        "  >: big-endian, standard sizes and no alignment\n"
        "  !: the same as >\n\n"
        "Then come codes, each with an optional repeat count: x (padding),\n"
        "c, b, B, ?, h, H, i, I, l, L, q, Q, e, f, d; s and p (the count is\n"
        "their length); P, n, N (native only). Whitespace is ignored.",
    .m_size = sizeof(struct_state),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

MODULE_INIT(_struct)
{
    return PyModuleDef_Init(&struct_module);
}

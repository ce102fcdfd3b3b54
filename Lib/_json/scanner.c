/* make_scanner(): a function that makes objects of the document at an index of a str.

   The values of an array or object that is not complete lie on a stack, with its keys; when it
   ends, a list or dict of the right size is made of them. Equal keys of a document are one
   object. */
#include "json_impl.h"
#include "structmember.h"
#include "internal/dict.h"
#include "internal/list.h"
#include "internal/tuple.h"
#include "internal/unicode.h"
#include <string.h>

typedef struct {
    PyObject_HEAD
    char strict;
    PyObject *object_hook, *object_pairs_hook;      /* or None */
    PyObject *parse_float, *parse_int, *parse_constant;
} Scanner;

#define FIRST_KEYS 64               /* a power of two */
#define FIRST_VALUES 128

/* One call. */
typedef struct {
    Scanner *scanner;
    PyObject *text;
    const void *data;
    int kind;
    Py_ssize_t length;
    /* Keys that have been seen: a table of strs with known hashes, at most half full. */
    PyObject **keys;
    size_t keys_mask, keys_used;
    PyObject **values;
    Py_ssize_t count, room;
    PyObject *first_keys[FIRST_KEYS], *first_values[FIRST_VALUES];
} Reading;

/* Of a place behind the end: no character of a document. */
static inline Py_UCS4
at_index(const Reading *r, Py_ssize_t at)
{
    return at < r->length ? PyUnicode_READ(r->kind, r->data, at) : 0;
}

static inline Py_ssize_t
skip_space(const Reading *r, Py_ssize_t at)
{
    for (;; at++) {
        Py_UCS4 c = at_index(r, at);
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            return at;
        }
    }
}

static PyObject *
no_value(Py_ssize_t at)
{
    PyObject *index = PyLong_FromSsize_t(at);
    if (index != NULL) {
        PyErr_SetObject(PyExc_StopIteration, index);
        Py_DECREF(index);
    }
    return NULL;
}

/* ---------------------------------------------------------------------- the stack */

/* Steals value, also on failure. */
static int
push(Reading *r, PyObject *value)
{
    if (r->count == r->room) {
        size_t size = (size_t)r->room * 2 * sizeof(PyObject *);
        PyObject **more = PyMem_Realloc(r->values == r->first_values ? NULL : r->values, size);
        if (more == NULL) {
            Py_DECREF(value);
            PyErr_NoMemory();
            return -1;
        }
        if (r->values == r->first_values) {
            memcpy(more, r->values, sizeof(r->first_values));
        }
        r->values = more;
        r->room *= 2;
    }
    r->values[r->count++] = value;
    return 0;
}

static void
drop_to(Reading *r, Py_ssize_t count)
{
    while (r->count > count) {
        Py_DECREF(r->values[--r->count]);
    }
}

/* ------------------------------------------------------------------------ the keys */

static void
enter_key(PyObject **keys, size_t mask, PyObject *key)
{
    size_t slot = (size_t)_PyUnicode_CachedHash(key) & mask;
    while (keys[slot] != NULL) {
        slot = (slot + 1) & mask;
    }
    keys[slot] = key;
}

/* Borrowed, or NULL. */
static inline PyObject *
find_key(const Reading *r, Py_hash_t hash, int kind, const void *data, Py_ssize_t n)
{
    for (size_t slot = (size_t)hash & r->keys_mask; r->keys[slot] != NULL;
         slot = (slot + 1) & r->keys_mask)
    {
        PyObject *key = r->keys[slot];
        if (_PyUnicode_CachedHash(key) == hash && PyUnicode_GET_LENGTH(key) == n
            && PyUnicode_KIND(key) == (unsigned)kind
            && memcmp(PyUnicode_DATA(key), data, (size_t)(n * kind)) == 0)
        {
            return key;
        }
    }
    return NULL;
}

/* Steals key, and returns a new reference to it. */
static PyObject *
remember_key(Reading *r, PyObject *key)
{
    if (r->keys_used * 2 > r->keys_mask) {
        size_t mask = r->keys_mask * 2 + 1;
        PyObject **more = PyMem_Calloc(mask + 1, sizeof(PyObject *));
        if (more == NULL) {
            Py_DECREF(key);
            return PyErr_NoMemory();
        }
        for (size_t i = 0; i <= r->keys_mask; i++) {
            if (r->keys[i] != NULL) {
                enter_key(more, mask, r->keys[i]);
            }
        }
        if (r->keys != r->first_keys) {
            PyMem_Free(r->keys);
        }
        r->keys = more;
        r->keys_mask = mask;
    }
    enter_key(r->keys, r->keys_mask, key);
    r->keys_used++;
    return Py_NewRef(key);
}

/* A key without escapes, of n characters of one byte. Found again, it need not be made. */
static PyObject *
plain_key(Reading *r, Py_ssize_t start, Py_ssize_t n)
{
    const Py_UCS1 *text = (const Py_UCS1 *)r->data + start;
    Py_hash_t hash = _Py_HashBytes(text, n);
    PyObject *key = find_key(r, hash, PyUnicode_1BYTE_KIND, text, n);
    if (key != NULL) {
        return Py_NewRef(key);
    }
    key = _PyUnicode_Slice(r->text, start, start + n);
    if (key == NULL) {
        return NULL;
    }
    ((PyASCIIObject *)key)->hash = hash;
    return remember_key(r, key);
}

/* The key whose first character is at `start`. */
static PyObject *
read_key(Reading *r, Py_ssize_t start, Py_ssize_t *end)
{
    if (r->kind == PyUnicode_1BYTE_KIND) {
        Py_ssize_t n = _PyJson_PlainRun((const Py_UCS1 *)r->data + start, r->length - start);
        if (at_index(r, start + n) == '"') {
            *end = start + n + 1;
            return plain_key(r, start, n);
        }
    }
    PyObject *key = _PyJson_ReadString(r->text, start, r->scanner->strict, end);
    if (key == NULL) {
        return NULL;
    }
    PyObject *known = find_key(r, PyObject_Hash(key), PyUnicode_KIND(key), PyUnicode_DATA(key),
                               PyUnicode_GET_LENGTH(key));
    if (known == NULL) {
        return remember_key(r, key);
    }
    Py_DECREF(key);
    return Py_NewRef(known);
}

/* ---------------------------------------------------------------------- containers */

static PyObject *read_value(Reading *r, Py_ssize_t at, Py_ssize_t *end);

/* What an object's keys and values, from `base` on, become. */
static PyObject *
finish_object(Reading *r, Py_ssize_t base)
{
    Scanner *s = r->scanner;
    PyObject **items = r->values + base;
    Py_ssize_t n = (r->count - base) / 2;
    if (s->object_pairs_hook != Py_None) {
        PyObject *pairs = PyList_New(n), *result = NULL;
        for (Py_ssize_t i = 0; pairs != NULL && i < n; i++) {
            PyObject *pair = PyTuple_Pack(2, items[2 * i], items[2 * i + 1]);
            if (pair == NULL) {
                Py_CLEAR(pairs);
                break;
            }
            PyList_SET_ITEM(pairs, i, pair);
        }
        if (pairs != NULL) {
            result = PyObject_CallOneArg(s->object_pairs_hook, pairs);
            Py_DECREF(pairs);
        }
        return result;
    }
    PyObject *dict = _PyDict_FromItems(items, 2, items + 1, 2, n);
    if (dict != NULL && s->object_hook != Py_None) {
        Py_SETREF(dict, PyObject_CallOneArg(s->object_hook, dict));
    }
    return dict;
}

static PyObject *
read_object(Reading *r, Py_ssize_t at, Py_ssize_t *end)
{
    Py_ssize_t base = r->count;
    at = skip_space(r, at);
    if (at_index(r, at) != '}') {
        for (;;) {
            if (at_index(r, at) != '"') {
                return _PyJson_Fail("Expecting property name enclosed in double quotes", r->text,
                                    at);
            }
            PyObject *key = read_key(r, at + 1, &at);
            if (key == NULL || push(r, key) < 0) {
                return NULL;
            }
            at = skip_space(r, at);
            if (at_index(r, at) != ':') {
                return _PyJson_Fail("Expecting ':' delimiter", r->text, at);
            }
            PyObject *value = read_value(r, skip_space(r, at + 1), &at);
            if (value == NULL || push(r, value) < 0) {
                return NULL;
            }
            at = skip_space(r, at);
            if (at_index(r, at) == '}') {
                break;
            }
            if (at_index(r, at) != ',') {
                return _PyJson_Fail("Expecting ',' delimiter", r->text, at);
            }
            at = skip_space(r, at + 1);
        }
    }
    *end = at + 1;
    PyObject *result = finish_object(r, base);
    drop_to(r, base);
    return result;
}

static PyObject *
read_array(Reading *r, Py_ssize_t at, Py_ssize_t *end)
{
    Py_ssize_t base = r->count;
    at = skip_space(r, at);
    if (at_index(r, at) != ']') {
        for (;;) {
            PyObject *value = read_value(r, at, &at);
            if (value == NULL || push(r, value) < 0) {
                return NULL;
            }
            at = skip_space(r, at);
            if (at_index(r, at) == ']') {
                break;
            }
            if (at_index(r, at) != ',') {
                return _PyJson_Fail("Expecting ',' delimiter", r->text, at);
            }
            at = skip_space(r, at + 1);
        }
    }
    *end = at + 1;
    Py_ssize_t n = r->count - base;
    r->count = base;
    return _PyList_FromArraySteal(r->values + base, n);
}

/* ------------------------------------------------------------------------- numbers */

static inline int
is_digit(Py_UCS4 c)
{
    return c >= '0' && c <= '9';
}

#define LONGEST_PLAIN_INT 18        /* digits that fit in a word */
#define SHORT_NUMBER 64

/* Of the ASCII characters from `start` to `end`. */
static PyObject *
number_of_type(Reading *r, Py_ssize_t start, Py_ssize_t end, int is_float)
{
    char local[SHORT_NUMBER], *text = local;
    Py_ssize_t n = end - start;
    if (n >= SHORT_NUMBER) {
        text = PyMem_Malloc((size_t)n + 1);
        if (text == NULL) {
            return PyErr_NoMemory();
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        text[i] = (char)PyUnicode_READ(r->kind, r->data, start + i);
    }
    text[n] = '\0';
    PyObject *number = NULL;
    if (is_float) {
        double value = PyOS_string_to_double(text, NULL, NULL);
        if (value != -1.0 || !PyErr_Occurred()) {
            number = PyFloat_FromDouble(value);
        }
    }
    else {
        number = PyLong_FromString(text, NULL, 10);
    }
    if (text != local) {
        PyMem_Free(text);
    }
    return number;
}

static PyObject *
read_number(Reading *r, Py_ssize_t start, Py_ssize_t *end)
{
    Py_ssize_t at = start, first;
    int is_negative = at_index(r, at) == '-', is_float = 0;
    first = at += is_negative;
    long long value = 0;
    if (at_index(r, at) == '0') {
        at++;
    }
    else {
        Py_UCS4 c;
        for (; is_digit(c = at_index(r, at)); at++) {
            if (at - first < LONGEST_PLAIN_INT) {
                value = value * 10 + (long long)(c - '0');
            }
        }
        if (at == first) {
            return no_value(start);
        }
    }
    Py_ssize_t digits = at - first;
    if (at_index(r, at) == '.' && is_digit(at_index(r, at + 1))) {
        is_float = 1;
        for (at += 2; is_digit(at_index(r, at)); at++) {
        }
    }
    if (at_index(r, at) == 'e' || at_index(r, at) == 'E') {
        Py_ssize_t behind = at + 1;
        behind += at_index(r, behind) == '-' || at_index(r, behind) == '+';
        if (is_digit(at_index(r, behind))) {
            is_float = 1;
            for (at = behind + 1; is_digit(at_index(r, at)); at++) {
            }
        }
    }
    *end = at;
    PyObject *parse = is_float ? r->scanner->parse_float : r->scanner->parse_int;
    if (parse != (PyObject *)(is_float ? &PyFloat_Type : &PyLong_Type)) {
        PyObject *text = _PyUnicode_Slice(r->text, start, at);
        PyObject *number = text != NULL ? PyObject_CallOneArg(parse, text) : NULL;
        Py_XDECREF(text);
        return number;
    }
    if (!is_float && digits <= LONGEST_PLAIN_INT) {
        return PyLong_FromLongLong(is_negative ? -value : value);
    }
    return number_of_type(r, start, at, is_float);
}

/* -------------------------------------------------------------------------- values */

static int
is_word(const Reading *r, Py_ssize_t at, const char *word)
{
    for (; *word != '\0'; word++, at++) {
        if (at_index(r, at) != (Py_UCS4)*word) {
            return 0;
        }
    }
    return 1;
}

/* value: what the word stands for, or NULL if parse_constant() says that. */
static PyObject *
read_word(const Reading *r, Py_ssize_t at, const char *word, PyObject *value, Py_ssize_t *end)
{
    if (!is_word(r, at, word)) {
        return no_value(at);
    }
    *end = at + (Py_ssize_t)strlen(word);
    return value != NULL ? Py_NewRef(value)
                         : PyObject_CallFunction(r->scanner->parse_constant, "s", word);
}

static PyObject *
read_value(Reading *r, Py_ssize_t at, Py_ssize_t *end)
{
    PyObject *value;
    switch (at_index(r, at)) {
    case '"':
        return _PyJson_ReadString(r->text, at + 1, r->scanner->strict, end);
    case '{':
        if (Py_EnterRecursiveCall(" while decoding a JSON object from a unicode string")) {
            return NULL;
        }
        value = read_object(r, at + 1, end);
        Py_LeaveRecursiveCall();
        return value;
    case '[':
        if (Py_EnterRecursiveCall(" while decoding a JSON array from a unicode string")) {
            return NULL;
        }
        value = read_array(r, at + 1, end);
        Py_LeaveRecursiveCall();
        return value;
    case 'n':
        return read_word(r, at, "null", Py_None, end);
    case 't':
        return read_word(r, at, "true", Py_True, end);
    case 'f':
        return read_word(r, at, "false", Py_False, end);
    case 'N':
        return read_word(r, at, "NaN", NULL, end);
    case 'I':
        return read_word(r, at, "Infinity", NULL, end);
    case '-':
        if (at_index(r, at + 1) == 'I' && is_word(r, at, "-Infinity")) {
            return read_word(r, at, "-Infinity", NULL, end);
        }
        return read_number(r, at, end);
    default:
        return read_number(r, at, end);
    }
}

static PyObject *
scanner_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"string", "idx", NULL};
    PyObject *text;
    Py_ssize_t at, end;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "On:scan_once", keywords, &text, &at)) {
        return NULL;
    }
    if (_PyJson_ReadyArgument(text) < 0) {
        return NULL;
    }
    if (at < 0) {
        PyErr_SetString(PyExc_ValueError, "idx cannot be negative");
        return NULL;
    }
    Reading r;
    r.scanner = (Scanner *)self;
    r.text = text;
    r.data = PyUnicode_DATA(text);
    r.kind = PyUnicode_KIND(text);
    r.length = PyUnicode_GET_LENGTH(text);
    r.keys = r.first_keys;
    r.keys_mask = FIRST_KEYS - 1;
    r.keys_used = 0;
    memset(r.first_keys, 0, sizeof(r.first_keys));
    r.values = r.first_values;
    r.count = 0;
    r.room = FIRST_VALUES;
    PyObject *value = at < r.length ? read_value(&r, at, &end) : no_value(at);
    drop_to(&r, 0);
    for (size_t i = 0; r.keys_used > 0; i++) {
        if (r.keys[i] != NULL) {
            r.keys_used--;
            Py_DECREF(r.keys[i]);
        }
    }
    if (r.keys != r.first_keys) {
        PyMem_Free(r.keys);
    }
    if (r.values != r.first_values) {
        PyMem_Free(r.values);
    }
    return value != NULL ? _PyTuple_PairOfNew(value, PyLong_FromSsize_t(end)) : NULL;
}

/* ------------------------------------------------------------------------ the type */

static int
scanner_traverse(PyObject *self, visitproc visit, void *arg)
{
    Scanner *s = (Scanner *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->object_hook);
    Py_VISIT(s->object_pairs_hook);
    Py_VISIT(s->parse_float);
    Py_VISIT(s->parse_int);
    Py_VISIT(s->parse_constant);
    return 0;
}

static int
scanner_clear(PyObject *self)
{
    Scanner *s = (Scanner *)self;
    Py_CLEAR(s->object_hook);
    Py_CLEAR(s->object_pairs_hook);
    Py_CLEAR(s->parse_float);
    Py_CLEAR(s->parse_int);
    Py_CLEAR(s->parse_constant);
    return 0;
}

static void
scanner_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    (void)scanner_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
scanner_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"context", NULL};
    PyObject *context;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:make_scanner", keywords, &context)) {
        return NULL;
    }
    Scanner *s = (Scanner *)type->tp_alloc(type, 0);
    if (s == NULL) {
        return NULL;
    }
    PyObject *strict = PyObject_GetAttrString(context, "strict");
    int is_strict = strict != NULL ? PyObject_IsTrue(strict) : -1;
    Py_XDECREF(strict);
    s->strict = (char)is_strict;
    if (is_strict < 0
        || (s->object_hook = PyObject_GetAttrString(context, "object_hook")) == NULL
        || (s->object_pairs_hook = PyObject_GetAttrString(context, "object_pairs_hook")) == NULL
        || (s->parse_float = PyObject_GetAttrString(context, "parse_float")) == NULL
        || (s->parse_int = PyObject_GetAttrString(context, "parse_int")) == NULL
        || (s->parse_constant = PyObject_GetAttrString(context, "parse_constant")) == NULL)
    {
        Py_DECREF(s);
        return NULL;
    }
    return (PyObject *)s;
}

static PyMemberDef scanner_members[] = {
    {"strict", T_BOOL, offsetof(Scanner, strict), READONLY, NULL},
    {"object_hook", T_OBJECT, offsetof(Scanner, object_hook), READONLY, NULL},
    {"object_pairs_hook", T_OBJECT, offsetof(Scanner, object_pairs_hook), READONLY, NULL},
    {"parse_float", T_OBJECT, offsetof(Scanner, parse_float), READONLY, NULL},
    {"parse_int", T_OBJECT, offsetof(Scanner, parse_int), READONLY, NULL},
    {"parse_constant", T_OBJECT, offsetof(Scanner, parse_constant), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot scanner_slots[] = {
    {Py_tp_doc, "Makes objects of the JSON document at an index of a str."},
    {Py_tp_new, scanner_new},
    {Py_tp_call, scanner_call},
    {Py_tp_members, scanner_members},
    {Py_tp_traverse, scanner_traverse},
    {Py_tp_clear, scanner_clear},
    {Py_tp_dealloc, scanner_dealloc},
    {0, NULL}
};

PyType_Spec _PyJson_ScannerSpec = {
    .name = "_json.Scanner",
    .basicsize = sizeof(Scanner),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = scanner_slots,
};

/* Character map codecs, str.translate and str.maketrans.

   A decoding map is a str indexed by the byte, or any mapping from int to int, str or
   None. An encoding map is a mapping from int to int, bytes or None, or an EncodingMap,
   which codecs.charmap_build makes from a decoding str: pages of 256 bytes, selected by
   the high byte of the character. */
#include "codec_errors.h"

#define UNDEFINED 0xfffe
#define REASON "character maps to <undefined>"

/* mapping[ch]. Returns a new reference, or NULL without an exception if there is no
   such item. */
static PyObject *
lookup(PyObject *mapping, Py_UCS4 ch)
{
    PyObject *key = PyLong_FromLong((long)ch);
    if (key == NULL) {
        return NULL;
    }
    /* A dict gives no exception for a key that is missing, which costs less. */
    PyObject *value = PyDict_CheckExact(mapping)
        ? Py_XNewRef(PyDict_GetItemWithError(mapping, key)) : PyObject_GetItem(mapping, key);
    Py_DECREF(key);
    if (value == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_LookupError)) {
        PyErr_Clear();
    }
    return value;
}

/* ----------------------------------------------------------------- decoding */

/* Writes what the bytes map to while it fits into the writer's buffer. map: of 256
   characters. Returns how many bytes are done. */
static inline __attribute__((always_inline)) Py_ssize_t
write_fitting(int kind, int map_kind, _PyUnicodeWriter *w, const void *map,
              const unsigned char *p, Py_ssize_t n)
{
    void *out = (void *)data_at(kind, w->data, w->pos);
    const Py_UCS4 most = w->maxchar;
    Py_ssize_t i = 0;
    for (; i < n; i++) {
        const Py_UCS4 ch = PyUnicode_READ(map_kind, map, p[i]);
        if (ch > most || ch == UNDEFINED) {
            break;
        }
        PyUnicode_WRITE(kind, out, i, ch);
    }
    return i;
}

#define BY_MAP_KIND(kind, map_kind, ...)                        \
    ((map_kind) == 1 ? write_fitting(kind, 1, __VA_ARGS__)      \
     : (map_kind) == 2 ? write_fitting(kind, 2, __VA_ARGS__)    \
     : write_fitting(kind, 4, __VA_ARGS__))

static Py_ssize_t
decode_run(Decoder *d, Py_ssize_t at, int map_kind, const void *map)
{
    _PyUnicodeWriter *w = &d->writer;
    const unsigned char *p = (const unsigned char *)d->start + at;
    const Py_ssize_t n = Py_MIN(d->end - d->start - at, w->size - w->pos);
    const Py_ssize_t done = w->kind == 1 ? BY_MAP_KIND(1, map_kind, w, map, p, n)
        : w->kind == 2 ? BY_MAP_KIND(2, map_kind, w, map, p, n)
        : w->kind == 4 ? BY_MAP_KIND(4, map_kind, w, map, p, n) : 0;
    w->pos += done;
    return at + done;
}

static PyObject *
decode_with_string(const char *input, Py_ssize_t size, PyObject *mapping,
                   const char *errors)
{
    int kind = KIND(mapping);
    const void *map = DATA(mapping);
    Py_UCS4 filled[256];
    if (LENGTH(mapping) < 256) {
        for (Py_ssize_t i = 0; i < 256; i++) {
            filled[i] = i < LENGTH(mapping) ? PyUnicode_READ(kind, map, i) : UNDEFINED;
        }
        map = filled;
        kind = 4;
    }
    Decoder d;
    decoder_init(&d, "charmap", errors, input, size);
    for (Py_ssize_t at = 0; at < d.end - d.start;) {
        const Py_UCS4 ch = PyUnicode_READ(kind, map, (unsigned char)d.start[at]);
        if (ch != UNDEFINED) {
            /* This makes the buffer, or makes it wider. */
            if (_PyUnicodeWriter_WriteChar(&d.writer, ch) < 0) {
                return decoder_fail(&d);
            }
            at = decode_run(&d, at + 1, kind, map);
            continue;
        }
        at = decoder_error(&d, at, at + 1, REASON);
        if (at < 0) {
            return decoder_fail(&d);
        }
    }
    return decoder_finish(&d);
}

/* Writes what a byte maps to. Returns 1, 0 if it is undefined, -1 on error. */
static int
write_mapped(_PyUnicodeWriter *w, PyObject *value)
{
    if (value == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    if (value == Py_None) {
        return 0;
    }
    if (PyLong_Check(value)) {
        long ch = PyLong_AsLong(value);
        if (ch == UNDEFINED) {
            return 0;
        }
        if (ch < 0 || ch > MAX_UNICODE) {
            PyErr_Format(PyExc_TypeError,
                         "character mapping must be in range(0x%x)",
                         MAX_UNICODE + 1);
            return -1;
        }
        return _PyUnicodeWriter_WriteChar(w, (Py_UCS4)ch) < 0 ? -1 : 1;
    }
    if (PyUnicode_Check(value)) {
        if (PyUnicode_READY(value) < 0) {
            return -1;
        }
        if (LENGTH(value) == 1 && PyUnicode_READ_CHAR(value, 0) == UNDEFINED)
        {
            return 0;
        }
        w->overallocate = 1;
        return _PyUnicodeWriter_WriteStr(w, value) < 0 ? -1 : 1;
    }
    PyErr_SetString(PyExc_TypeError,
                    "character mapping must return integer, None or str");
    return -1;
}

static PyObject *
decode_with_mapping(const char *input, Py_ssize_t size, PyObject *mapping,
                    const char *errors)
{
    Decoder d;
    decoder_init(&d, "charmap", errors, input, size);
    for (Py_ssize_t at = 0; at < d.end - d.start;) {
        PyObject *value = lookup(mapping, (unsigned char)d.start[at]);
        int status = write_mapped(&d.writer, value);
        Py_XDECREF(value);
        if (status > 0) {
            at++;
            continue;
        }
        if (status < 0 || (at = decoder_error(&d, at, at + 1, REASON)) < 0) {
            return decoder_fail(&d);
        }
    }
    return decoder_finish(&d);
}

PyObject *
PyUnicode_DecodeCharmap(const char *input, Py_ssize_t size,
                        PyObject *mapping, const char *errors)
{
    if (mapping == NULL) {
        return PyUnicode_DecodeLatin1(input, size, errors);
    }
    if (_PyUnicode_CheckSize(size) < 0) {
        return NULL;
    }
    if (size == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (PyUnicode_CheckExact(mapping)) {
        return PyUnicode_READY(mapping) < 0 ? NULL
            : decode_with_string(input, size, mapping, errors);
    }
    return decode_with_mapping(input, size, mapping, errors);
}

/* -------------------------------------------------------------- EncodingMap */

typedef struct {
    PyObject_HEAD
    unsigned char *pages[256];  /* NULL if there are no characters in the page */
} EncodingMap;

static void
encoding_map_dealloc(EncodingMap *map)
{
    for (int i = 0; i < 256; i++) {
        PyMem_Free(map->pages[i]);
    }
    PyObject_Free(map);
}

static PyObject *
encoding_map_size(EncodingMap *map, PyObject *Py_UNUSED(unused))
{
    size_t size = sizeof(EncodingMap);
    for (int i = 0; i < 256; i++) {
        size += map->pages[i] ? 256 : 0;
    }
    return PyLong_FromSize_t(size);
}

static PyMethodDef encoding_map_methods[] = {
    {"size", (PyCFunction)encoding_map_size, METH_NOARGS,
     "The size (in bytes) of this object."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject _PyUnicodeEncodingMap_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "EncodingMap",
    .tp_basicsize = sizeof(EncodingMap),
    .tp_dealloc = (destructor)encoding_map_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = encoding_map_methods,
};

/* In pages, 0 means "undefined". So only U+0000 may map to byte 0, and only byte 0 to
   U+0000. */
static PyObject *
build_pages(PyObject *text)
{
    EncodingMap *map = PyObject_New(EncodingMap, &_PyUnicodeEncodingMap_Type);
    if (map == NULL) {
        return NULL;
    }
    memset(map->pages, 0, sizeof(map->pages));
    for (int i = 0; i < 256 && i < LENGTH(text); i++) {
        Py_UCS4 ch = PyUnicode_READ_CHAR(text, i);
        if (ch == UNDEFINED) {
            continue;
        }
        unsigned char **page = &map->pages[ch >> 8];
        if (*page == NULL && (*page = PyMem_Calloc(256, 1)) == NULL) {
            Py_DECREF(map);
            return PyErr_NoMemory();
        }
        (*page)[ch & 0xff] = (unsigned char)i;
    }
    return (PyObject *)map;
}

static PyObject *
build_dict(PyObject *text)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict != NULL && i < 256 && i < LENGTH(text); i++) {
        PyObject *key = PyLong_FromLong((long)PyUnicode_READ_CHAR(text, i));
        PyObject *value = PyLong_FromLong(i);
        if (key == NULL || value == NULL
            || PyDict_SetItem(dict, key, value) < 0)
        {
            Py_CLEAR(dict);
        }
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *
PyUnicode_BuildEncodingMap(PyObject *text)
{
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0
        || LENGTH(text) == 0)
    {
        if (!PyErr_Occurred()) {
            PyErr_BadArgument();
        }
        return NULL;
    }
    if (PyUnicode_READ_CHAR(text, 0) != 0) {
        return build_dict(text);
    }
    for (int i = 1; i < 256 && i < LENGTH(text); i++) {
        Py_UCS4 ch = PyUnicode_READ_CHAR(text, i);
        if (ch == 0 || ch > 0xffff) {
            return build_dict(text);
        }
    }
    return build_pages(text);
}

/* ----------------------------------------------------------------- encoding */

static inline unsigned char
mapped_byte(const EncodingMap *map, Py_UCS4 ch)
{
    const unsigned char *page = ch > 0xffff ? NULL : map->pages[ch >> 8];
    return page ? page[ch & 0xff] : 0;
}

/* Maps characters up to one that is undefined, or n. Returns how many. */
static inline __attribute__((always_inline)) Py_ssize_t
map_characters(int kind, const EncodingMap *map, const void *from, char *to, Py_ssize_t n)
{
    Py_ssize_t i = 0;
    for (; i < n; i++) {
        const Py_UCS4 ch = PyUnicode_READ(kind, from, i);
        const unsigned char byte = mapped_byte(map, ch);
        if (byte == 0 && ch != 0) {
            break;
        }
        to[i] = (char)byte;
    }
    return i;
}

/* Writes the bytes of the characters from *i on up to one that is undefined. */
static char *
encode_run(_PyBytesWriter *w, char *out, const EncodingMap *map, PyObject *op, Py_ssize_t *i)
{
    char bytes[256];
    const int kind = KIND(op);
    Py_ssize_t n, done;
    do {
        n = Py_MIN(LENGTH(op) - *i, (Py_ssize_t)sizeof(bytes));
        const void *from = data_at(kind, DATA(op), *i);
        done = kind == 1 ? map_characters(1, map, from, bytes, n)
            : kind == 2 ? map_characters(2, map, from, bytes, n)
            : map_characters(4, map, from, bytes, n);
        out = _PyBytesWriter_WriteBytes(w, out, bytes, done);
        *i += done;
    } while (out != NULL && done > 0 && done == n);
    return out;
}

/* Writes what ch maps to. Returns 1, 0 if it is undefined, -1 on error. */
static int
encode_char(_PyBytesWriter *w, char **out, PyObject *mapping, Py_UCS4 ch)
{
    char byte;
    const char *bytes = &byte;
    Py_ssize_t size = 1;
    PyObject *value = NULL;
    if (Py_IS_TYPE(mapping, &_PyUnicodeEncodingMap_Type)) {
        byte = (char)mapped_byte((EncodingMap *)mapping, ch);
        if (byte == 0 && ch != 0) {
            return 0;
        }
    }
    else {
        value = lookup(mapping, ch);
        if (value == NULL) {
            return PyErr_Occurred() ? -1 : 0;
        }
        if (value == Py_None) {
            Py_DECREF(value);
            return 0;
        }
        if (PyLong_Check(value)) {
            long number = PyLong_AsLong(value);
            if (number < 0 || number > 255) {
                PyErr_SetString(PyExc_TypeError,
                                "character mapping must be in range(256)");
                Py_DECREF(value);
                return -1;
            }
            byte = (char)number;
        }
        else if (PyBytes_Check(value)) {
            bytes = PyBytes_AS_STRING(value);
            size = PyBytes_GET_SIZE(value);
        }
        else {
            PyErr_Format(PyExc_TypeError,
                         "character mapping must return integer, bytes or "
                         "None, not %.400s", Py_TYPE(value)->tp_name);
            Py_DECREF(value);
            return -1;
        }
    }
    *out = _PyBytesWriter_WriteBytes(w, *out, bytes, size);
    Py_XDECREF(value);
    return *out == NULL ? -1 : 1;
}

/* The end of the run of unmapped characters that starts at i. Returns -1 on error. */
static Py_ssize_t
undefined_run(PyObject *op, Py_ssize_t i, PyObject *mapping)
{
    _PyBytesWriter scratch;
    _PyBytesWriter_Init(&scratch);
    char *out = _PyBytesWriter_Alloc(&scratch, 0);
    int status = 0;
    while (out != NULL && status == 0 && i < LENGTH(op)) {
        status = encode_char(&scratch, &out, mapping,
                             PyUnicode_READ_CHAR(op, i));
        i += status == 0;
    }
    _PyBytesWriter_Dealloc(&scratch);
    return status < 0 ? -1 : i;
}

/* Writes the replacement of op[from:to]. A str is itself encoded by the mapping. */
static int
write_replacement(_PyBytesWriter *w, char **out, Encoder *e,
                  PyObject *mapping, PyObject *replacement, Py_ssize_t from,
                  Py_ssize_t to)
{
    if (PyBytes_Check(replacement)) {
        *out = _PyBytesWriter_WriteBytes(w, *out,
                                         PyBytes_AS_STRING(replacement),
                                         PyBytes_GET_SIZE(replacement));
        return *out == NULL ? -1 : 0;
    }
    for (Py_ssize_t i = 0; i < LENGTH(replacement); i++) {
        int status = encode_char(w, out, mapping,
                                 PyUnicode_READ_CHAR(replacement, i));
        if (status == 0) {
            encoder_raise(e, from, to, REASON);
        }
        if (status <= 0) {
            return -1;
        }
    }
    return 0;
}

PyObject *
_PyUnicode_EncodeCharmap(PyObject *op, PyObject *mapping, const char *errors)
{
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (mapping == NULL) {
        return _PyUnicode_AsLatin1String(op, errors);
    }
    const Py_ssize_t n = LENGTH(op);
    Encoder e;
    _PyBytesWriter w;
    encoder_init(&e, "charmap", errors, op);
    _PyBytesWriter_Init(&w);
    w.overallocate = 1;
    char *out = _PyBytesWriter_Alloc(&w, n);
    w.min_size = 0;             /* each write makes its own room */
    int failed = out == NULL;
    const int has_pages = Py_IS_TYPE(mapping, &_PyUnicodeEncodingMap_Type);
    for (Py_ssize_t i = 0; !failed && i < n;) {
        if (has_pages) {
            out = encode_run(&w, out, (EncodingMap *)mapping, op, &i);
            if (out == NULL || i == n) {
                break;
            }
        }
        int status = encode_char(&w, &out, mapping,
                                 PyUnicode_READ_CHAR(op, i));
        if (status > 0) {
            i++;
            continue;
        }
        Py_ssize_t end = status < 0 ? -1 : undefined_run(op, i, mapping);
        if (end < 0) {
            failed = 1;
            break;
        }
        Py_ssize_t next;
        PyObject *replacement = encoder_error(&e, i, end, REASON, &next);
        if (replacement != NULL && next < end && e.state.known == _Py_ERROR_SURROGATEESCAPE) {
            /* Unlike other encoders, this escapes all of the run or nothing. */
            Py_CLEAR(replacement);
            encoder_raise(&e, i, end, REASON);
        }
        failed = replacement == NULL
            || write_replacement(&w, &out, &e, mapping, replacement, i,
                                 end) < 0;
        Py_XDECREF(replacement);
        i = next;
    }
    return encoder_finish(&e, &w, failed ? NULL : out);
}

PyObject *
PyUnicode_AsCharmapString(PyObject *op, PyObject *mapping)
{
    if (!PyUnicode_Check(op) || mapping == NULL) {
        PyErr_BadArgument();
        return NULL;
    }
    return _PyUnicode_EncodeCharmap(op, mapping, NULL);
}

/* ---------------------------------------------------------------- translate */

static int
write_translation(_PyUnicodeWriter *w, PyObject *mapping, Py_UCS4 ch)
{
    PyObject *value = lookup(mapping, ch);
    if (value == NULL) {
        return PyErr_Occurred() ? -1 : _PyUnicodeWriter_WriteChar(w, ch);
    }
    int status = -1;
    if (value == Py_None) {
        status = 0;
    }
    else if (PyLong_Check(value)) {
        long number = PyLong_AsLong(value);
        if (number < 0 || number > MAX_UNICODE) {
            PyErr_Format(PyExc_ValueError,
                         "character mapping must be in range(0x%x)",
                         MAX_UNICODE + 1);
        }
        else {
            status = _PyUnicodeWriter_WriteChar(w, (Py_UCS4)number);
        }
    }
    else if (PyUnicode_Check(value)) {
        w->overallocate = 1;
        status = _PyUnicodeWriter_WriteStr(w, value);
    }
    else {
        PyErr_SetString(PyExc_TypeError,
                        "character mapping must return integer, None or str");
    }
    Py_DECREF(value);
    return status;
}

/* The effect of an exact dict on one ASCII character: an ASCII character, ASCII_DELETE,
   or ASCII_GENERAL if it needs write_translation. */
#define ASCII_UNKNOWN 0xff
#define ASCII_DELETE  0xfe
#define ASCII_GENERAL 0xfd

static unsigned char
ascii_translation(PyObject *mapping, Py_UCS4 ch)
{
    PyObject *value = lookup(mapping, ch);
    unsigned char result = ASCII_GENERAL;
    if (value == NULL) {
        result = PyErr_Occurred() ? ASCII_GENERAL : (unsigned char)ch;
        PyErr_Clear();          /* the general path will raise it again */
        return result;
    }
    if (value == Py_None) {
        result = ASCII_DELETE;
    }
    else if (PyLong_CheckExact(value)) {
        long number = PyLong_AsLong(value);
        if (number >= 0 && number < 128) {
            result = (unsigned char)number;
        }
        PyErr_Clear();
    }
    else if (PyUnicode_CheckExact(value) && PyUnicode_READY(value) == 0
             && LENGTH(value) == 1 && IS_ASCII(value))
    {
        result = PyUnicode_1BYTE_DATA(value)[0];
    }
    Py_DECREF(value);
    return result;
}

/* Translates characters while the result stays ASCII and each becomes at most one
   character. Returns how many characters of op are done, -1 on error. */
static Py_ssize_t
translate_ascii(_PyUnicodeWriter *w, PyObject *op, PyObject *mapping)
{
    unsigned char table[128];
    memset(table, ASCII_UNKNOWN, sizeof(table));
    const Py_ssize_t n = LENGTH(op);
    const Py_UCS1 *text = DATA(op);
    if (_PyUnicodeWriter_Prepare(w, n, 127) < 0) {
        return -1;
    }
    Py_UCS1 *out = w->data;
    Py_ssize_t i = 0, at = 0;
    for (; i < n; i++) {
        unsigned char to = table[text[i]];
        if (to == ASCII_UNKNOWN) {
            to = table[text[i]] = ascii_translation(mapping, text[i]);
        }
        if (to == ASCII_GENERAL) {
            break;
        }
        if (to != ASCII_DELETE) {
            out[at++] = to;
        }
    }
    w->pos = at;
    return i;
}

PyObject *
PyUnicode_Translate(PyObject *op, PyObject *mapping,
                    const char *Py_UNUSED(errors))
{
    if (_PyUnicode_EnsureStr(op) < 0) {
        return NULL;
    }
    if (mapping == NULL) {
        PyErr_BadArgument();
        return NULL;
    }
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    if (n == 0) {
        return _PyUnicode_ResultUnchanged(op);
    }
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    w.min_length = n;
    Py_ssize_t i = 0;
    if (IS_ASCII(op) && PyDict_CheckExact(mapping)) {
        i = translate_ascii(&w, op, mapping);
    }
    for (; i >= 0 && i < n; i++) {
        if (write_translation(&w, mapping, PyUnicode_READ(kind, data, i)) < 0)
        {
            i = -2;
        }
    }
    if (i < 0) {
        _PyUnicodeWriter_Dealloc(&w);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&w);
}

PyObject *
_PyUnicode_method_translate(PyObject *self, PyObject *table)
{
    return PyUnicode_Translate(self, table, "ignore");
}

/* ---------------------------------------------------------------- maketrans */

static int
set_ordinal(PyObject *dict, Py_UCS4 ch, PyObject *value)
{
    PyObject *key = PyLong_FromLong((long)ch);
    if (key == NULL || value == NULL) {
        Py_XDECREF(key);
        return -1;
    }
    int status = PyDict_SetItem(dict, key, value);
    Py_DECREF(key);
    return status;
}

static int
maketrans_pairs(PyObject *dict, PyObject *from, PyObject *to,
                PyObject *deleted)
{
    if (LENGTH(from) != LENGTH(to)) {
        PyErr_SetString(PyExc_ValueError,
                        "the first two maketrans arguments must have equal "
                        "length");
        return -1;
    }
    for (Py_ssize_t i = 0; i < LENGTH(from); i++) {
        PyObject *value = PyLong_FromLong((long)PyUnicode_READ_CHAR(to, i));
        int status = set_ordinal(dict, PyUnicode_READ_CHAR(from, i), value);
        Py_XDECREF(value);
        if (status < 0) {
            return -1;
        }
    }
    for (Py_ssize_t i = 0; deleted != NULL && i < LENGTH(deleted); i++) {
        if (set_ordinal(dict, PyUnicode_READ_CHAR(deleted, i), Py_None) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
maketrans_dict(PyObject *dict, PyObject *source)
{
    if (!PyDict_CheckExact(source)) {
        PyErr_SetString(PyExc_TypeError,
                        "if you give only one argument to maketrans it must "
                        "be a dict");
        return -1;
    }
    PyObject *key, *value;
    for (Py_ssize_t i = 0; PyDict_Next(source, &i, &key, &value);) {
        int status;
        if (PyUnicode_Check(key)) {
            if (PyUnicode_READY(key) < 0 || LENGTH(key) != 1) {
                PyErr_SetString(PyExc_ValueError,
                                "string keys in translate table must be of "
                                "length 1");
                return -1;
            }
            status = set_ordinal(dict, PyUnicode_READ_CHAR(key, 0), value);
        }
        else if (PyLong_Check(key)) {
            status = PyDict_SetItem(dict, key, value);
        }
        else {
            PyErr_SetString(PyExc_TypeError,
                            "keys in translate table must be strings or "
                            "integers");
            return -1;
        }
        if (status < 0) {
            return -1;
        }
    }
    return 0;
}

PyObject *
_PyUnicode_method_maketrans(PyObject *Py_UNUSED(unused),
                            PyObject *const *args, Py_ssize_t nargs)
{
    static const char *const positions[] = {"argument 1", "argument 2",
                                            "argument 3"};
    if (!_PyArg_CheckPositional("maketrans", nargs, 1, 3)) {
        return NULL;
    }
    for (Py_ssize_t i = 1; i < nargs; i++) {
        if (!PyUnicode_Check(args[i])) {
            _PyArg_BadArgument("maketrans", positions[i], "str", args[i]);
            return NULL;
        }
        if (PyUnicode_READY(args[i]) < 0) {
            return NULL;
        }
    }
    if (nargs > 1 && !PyUnicode_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError,
                        "first maketrans argument must be a string if there "
                        "is a second argument");
        return NULL;
    }
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return NULL;
    }
    int status = nargs == 1 ? maketrans_dict(dict, args[0])
        : PyUnicode_READY(args[0]) < 0 ? -1
        : maketrans_pairs(dict, args[0], args[1], nargs == 3 ? args[2]
                                                             : NULL);
    if (status < 0) {
        Py_CLEAR(dict);
    }
    return dict;
}

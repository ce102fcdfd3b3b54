/* The _codecs module: the registry, and the built-in codecs as functions
   that return (result, length consumed). */
#include "Python.h"
#include "internal/bytes.h"
#include "internal/method_table.h"
#include "internal/tuple.h"
#include "internal/unicode.h"
#include "internal/kwargs.h"
#include "internal/module_init.h"

/* ---------------------------------------------------------------- arguments */

/* A str argument without nulls, as UTF-8. */
static const char *
name_arg(const char *function, PyObject *arg)
{
    return codec_name_arg(function, "argument", arg);
}

/* Fills in errors=None at args[1]. Returns 0 or -1. */
static int
errors_arg(const char *function, PyObject *const *args, Py_ssize_t nargs,
           const char **errors)
{
    *errors = NULL;
    if (nargs < 2 || args[1] == Py_None) {
        return 0;
    }
    if (!PyUnicode_Check(args[1])) {
        _PyArg_BadArgument(function, "argument 2", "str or None", args[1]);
        return -1;
    }
    *errors = codec_name_arg(function, "argument 2", args[1]);
    return *errors == NULL ? -1 : 0;
}

static int
int_arg(PyObject *const *args, Py_ssize_t nargs, Py_ssize_t index,
        int *value)
{
    if (nargs <= index) {
        return 0;
    }
    *value = _PyLong_AsInt(args[index]);
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Parses (str, errors=None): the text, or NULL. */
static PyObject *
text_args(const char *function, PyObject *const *args, Py_ssize_t nargs,
          Py_ssize_t most, const char **errors)
{
    if (!_PyArg_CheckPositional(function, nargs, 1, most)) {
        return NULL;
    }
    if (!PyUnicode_Check(args[0])) {
        _PyArg_BadArgument(function, "argument 1", "str", args[0]);
        return NULL;
    }
    if (PyUnicode_READY(args[0]) < 0
        || errors_arg(function, args, nargs, errors) < 0)
    {
        return NULL;
    }
    return args[0];
}

/* Parses (data, errors=None): a buffer that the caller releases; if a str is allowed, its
   UTF-8 text. */
static int
data_args(const char *function, PyObject *const *args, Py_ssize_t nargs,
          Py_ssize_t most, int allow_str, Py_buffer *data,
          const char **errors)
{
    if (!_PyArg_CheckPositional(function, nargs, 1, most)) {
        return -1;
    }
    if (allow_str && PyUnicode_Check(args[0])) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(args[0], &size);
        if (text == NULL
            || PyBuffer_FillInfo(data, args[0], (void *)text, size, 1, 0) < 0)
        {
            return -1;
        }
    }
    else if (PyObject_GetBuffer(args[0], data, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    if (errors_arg(function, args, nargs, errors) < 0) {
        PyBuffer_Release(data);
        return -1;
    }
    return 0;
}

/* Returns (result, n); steals result, which may be NULL. */
static PyObject *
with_length(PyObject *result, Py_ssize_t n)
{
    return result ? _PyTuple_PairOfNew(result, PyLong_FromSsize_t(n)) : NULL;
}

/* ----------------------------------------------------------------- encoders */

#define ENCODER(name, expression)                                           \
    static PyObject *                                                       \
    codecs_##name(PyObject *Py_UNUSED(module), PyObject *const *args,       \
                  Py_ssize_t nargs)                                         \
    {                                                                       \
        const char *errors;                                                 \
        PyObject *text = text_args(#name, args, nargs, 2, &errors);         \
        if (text == NULL) {                                                 \
            return NULL;                                                    \
        }                                                                   \
        return with_length(expression, PyUnicode_GET_LENGTH(text));         \
    }

ENCODER(utf_7_encode, _PyUnicode_EncodeUTF7(text, 0, 0, errors))
ENCODER(utf_8_encode, _PyUnicode_AsUTF8String(text, errors))
ENCODER(utf_16_le_encode, _PyUnicode_EncodeUTF16(text, errors, -1))
ENCODER(utf_16_be_encode, _PyUnicode_EncodeUTF16(text, errors, 1))
ENCODER(utf_32_le_encode, _PyUnicode_EncodeUTF32(text, errors, -1))
ENCODER(utf_32_be_encode, _PyUnicode_EncodeUTF32(text, errors, 1))
ENCODER(unicode_escape_encode, PyUnicode_AsUnicodeEscapeString(text))
ENCODER(raw_unicode_escape_encode, PyUnicode_AsRawUnicodeEscapeString(text))
ENCODER(latin_1_encode, _PyUnicode_AsLatin1String(text, errors))
ENCODER(ascii_encode, _PyUnicode_AsASCIIString(text, errors))

#define WIDE_ENCODER(name, function)                                        \
    static PyObject *                                                       \
    codecs_##name(PyObject *Py_UNUSED(module), PyObject *const *args,       \
                  Py_ssize_t nargs)                                         \
    {                                                                       \
        const char *errors;                                                 \
        int byteorder = 0;                                                  \
        PyObject *text = text_args(#name, args, nargs, 3, &errors);         \
        if (text == NULL || int_arg(args, nargs, 2, &byteorder) < 0) {      \
            return NULL;                                                    \
        }                                                                   \
        return with_length(function(text, errors, byteorder),               \
                           PyUnicode_GET_LENGTH(text));                     \
    }

WIDE_ENCODER(utf_16_encode, _PyUnicode_EncodeUTF16)
WIDE_ENCODER(utf_32_encode, _PyUnicode_EncodeUTF32)

static PyObject *
codecs_charmap_encode(PyObject *Py_UNUSED(module), PyObject *const *args,
                      Py_ssize_t nargs)
{
    const char *errors;
    PyObject *text = text_args("charmap_encode", args, nargs, 3, &errors);
    if (text == NULL) {
        return NULL;
    }
    PyObject *mapping = nargs == 3 && args[2] != Py_None ? args[2] : NULL;
    return with_length(_PyUnicode_EncodeCharmap(text, mapping, errors),
                       PyUnicode_GET_LENGTH(text));
}

static PyObject *
codecs_escape_encode(PyObject *Py_UNUSED(module), PyObject *const *args,
                     Py_ssize_t nargs)
{
    const char *errors;
    if (!_PyArg_CheckPositional("escape_encode", nargs, 1, 2)) {
        return NULL;
    }
    if (!PyBytes_Check(args[0])) {
        _PyArg_BadArgument("escape_encode", "argument 1", "bytes", args[0]);
        return NULL;
    }
    if (errors_arg("escape_encode", args, nargs, &errors) < 0) {
        return NULL;
    }
    /* The text between the quotes of repr(). */
    PyObject *repr = PyBytes_Repr(args[0], 0);
    if (repr == NULL) {
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(
        (const char *)PyUnicode_1BYTE_DATA(repr) + 2,
        PyUnicode_GET_LENGTH(repr) - 3);
    Py_DECREF(repr);
    return with_length(bytes, PyBytes_GET_SIZE(args[0]));
}

static PyObject *
codecs_readbuffer_encode(PyObject *Py_UNUSED(module), PyObject *const *args,
                         Py_ssize_t nargs)
{
    Py_buffer data;
    const char *errors;
    if (data_args("readbuffer_encode", args, nargs, 2, 1, &data, &errors) < 0)
    {
        return NULL;
    }
    PyObject *result = with_length(PyBytes_FromStringAndSize(data.buf,
                                                             data.len),
                                   data.len);
    PyBuffer_Release(&data);
    return result;
}

/* ----------------------------------------------------------------- decoders */

/* Decoders of a whole input. */
#define DECODER(name, allow_str, most, expression)                          \
    static PyObject *                                                       \
    codecs_##name(PyObject *Py_UNUSED(module), PyObject *const *args,       \
                  Py_ssize_t nargs)                                         \
    {                                                                       \
        Py_buffer data;                                                     \
        const char *errors;                                                 \
        if (data_args(#name, args, nargs, most, allow_str, &data,           \
                      &errors) < 0)                                         \
        {                                                                   \
            return NULL;                                                    \
        }                                                                   \
        PyObject *result = with_length(expression, data.len);               \
        PyBuffer_Release(&data);                                            \
        return result;                                                      \
    }

DECODER(latin_1_decode, 0, 2,
        PyUnicode_DecodeLatin1(data.buf, data.len, errors))
DECODER(ascii_decode, 0, 2, PyUnicode_DecodeASCII(data.buf, data.len, errors))
DECODER(escape_decode, 1, 2,
        PyBytes_DecodeEscape(data.buf, data.len, errors, 0, NULL))
DECODER(charmap_decode, 0, 3,
        PyUnicode_DecodeCharmap(data.buf, data.len,
                                nargs == 3 && args[2] != Py_None ? args[2]
                                                                 : NULL,
                                errors))

/* Decoders that may leave an incomplete end for the next call. */
#define STATEFUL_DECODER(name, allow_str, final_default, expression)        \
    static PyObject *                                                       \
    codecs_##name(PyObject *Py_UNUSED(module), PyObject *const *args,       \
                  Py_ssize_t nargs)                                         \
    {                                                                       \
        Py_buffer data;                                                     \
        const char *errors;                                                 \
        int final = final_default;                                          \
        if (data_args(#name, args, nargs, 3, allow_str, &data, &errors)     \
            < 0)                                                            \
        {                                                                   \
            return NULL;                                                    \
        }                                                                   \
        PyObject *result = NULL;                                            \
        if (int_arg(args, nargs, 2, &final) == 0) {                         \
            Py_ssize_t used = data.len;                                     \
            Py_ssize_t *consumed = final ? NULL : &used;                    \
            result = expression;                                            \
            result = with_length(result, used);                             \
        }                                                                   \
        PyBuffer_Release(&data);                                            \
        return result;                                                      \
    }

/* The same with a byte order that is fixed. */
static PyObject *
decode_wide(PyObject *(*function)(const char *, Py_ssize_t, const char *,
                                  int *, Py_ssize_t *),
            const Py_buffer *data, const char *errors, int byteorder,
            Py_ssize_t *consumed)
{
    return function(data->buf, data->len, errors, &byteorder, consumed);
}

STATEFUL_DECODER(utf_7_decode, 0, 0,
                 PyUnicode_DecodeUTF7Stateful(data.buf, data.len, errors,
                                              consumed))
STATEFUL_DECODER(utf_8_decode, 0, 0,
                 PyUnicode_DecodeUTF8Stateful(data.buf, data.len, errors,
                                              consumed))
STATEFUL_DECODER(utf_16_decode, 0, 0,
                 decode_wide(PyUnicode_DecodeUTF16Stateful, &data, errors, 0,
                             consumed))
STATEFUL_DECODER(utf_16_le_decode, 0, 0,
                 decode_wide(PyUnicode_DecodeUTF16Stateful, &data, errors,
                             -1, consumed))
STATEFUL_DECODER(utf_16_be_decode, 0, 0,
                 decode_wide(PyUnicode_DecodeUTF16Stateful, &data, errors, 1,
                             consumed))
STATEFUL_DECODER(utf_32_decode, 0, 0,
                 decode_wide(PyUnicode_DecodeUTF32Stateful, &data, errors, 0,
                             consumed))
STATEFUL_DECODER(utf_32_le_decode, 0, 0,
                 decode_wide(PyUnicode_DecodeUTF32Stateful, &data, errors,
                             -1, consumed))
STATEFUL_DECODER(utf_32_be_decode, 0, 0,
                 decode_wide(PyUnicode_DecodeUTF32Stateful, &data, errors, 1,
                             consumed))
STATEFUL_DECODER(unicode_escape_decode, 1, 1,
                 _PyUnicode_DecodeUnicodeEscapeStateful(data.buf, data.len,
                                                        errors, consumed))
STATEFUL_DECODER(raw_unicode_escape_decode, 1, 1,
                 _PyUnicode_DecodeRawUnicodeEscapeStateful(data.buf, data.len,
                                                           errors, consumed))

/* data, errors=None, byteorder=0, final=False -> (text, used, byteorder) */
static PyObject *
decode_ex(const char *name,
          PyObject *(*function)(const char *, Py_ssize_t, const char *,
                                int *, Py_ssize_t *),
          PyObject *const *args, Py_ssize_t nargs)
{
    Py_buffer data;
    const char *errors;
    int byteorder = 0, final = 0;
    if (data_args(name, args, nargs, 4, 0, &data, &errors) < 0) {
        return NULL;
    }
    PyObject *text = NULL;
    Py_ssize_t used = data.len;
    if (int_arg(args, nargs, 2, &byteorder) == 0
        && int_arg(args, nargs, 3, &final) == 0)
    {
        text = function(data.buf, data.len, errors, &byteorder,
                        final ? NULL : &used);
    }
    PyBuffer_Release(&data);
    return text ? Py_BuildValue("(Nni)", text, used, byteorder) : NULL;
}

static PyObject *
codecs_utf_16_ex_decode(PyObject *Py_UNUSED(module), PyObject *const *args,
                        Py_ssize_t nargs)
{
    return decode_ex("utf_16_ex_decode", PyUnicode_DecodeUTF16Stateful, args,
                     nargs);
}

static PyObject *
codecs_utf_32_ex_decode(PyObject *Py_UNUSED(module), PyObject *const *args,
                        Py_ssize_t nargs)
{
    return decode_ex("utf_32_ex_decode", PyUnicode_DecodeUTF32Stateful, args,
                     nargs);
}

/* ------------------------------------------------------------- the registry */

static PyObject *
codecs_register(PyObject *Py_UNUSED(module), PyObject *function)
{
    if (PyCodec_Register(function) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
codecs_unregister(PyObject *Py_UNUSED(module), PyObject *function)
{
    if (PyCodec_Unregister(function) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
codecs_lookup(PyObject *Py_UNUSED(module), PyObject *arg)
{
    const char *encoding = name_arg("lookup", arg);
    return encoding ? _PyCodec_Lookup(encoding) : NULL;
}

static PyObject *
run(const char *name, _PyArg_Parser *parser,
    PyObject *(*function)(PyObject *, const char *, const char *),
    PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *buffer[3] = {NULL, NULL, NULL};
    const char *encoding = "utf-8", *errors = NULL;
    Py_ssize_t given = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    PyObject *const *values = _PyArg_UnpackKeywords(args, nargs, NULL,
                                                    kwnames, parser, 1, 3, 0,
                                                    buffer);
    if (values == NULL) {
        return NULL;
    }
    const int all = values == buffer;
    if ((all || given > 1) && values[1] != NULL) {
        encoding = codec_name_arg(name, "argument 'encoding'", values[1]);
        if (encoding == NULL) {
            return NULL;
        }
    }
    if ((all || given > 2) && values[2] != NULL) {
        errors = codec_name_arg(name, "argument 'errors'", values[2]);
        if (errors == NULL) {
            return NULL;
        }
    }
    return function(values[0], encoding, errors);
}

static const char *const run_keywords[] = {"obj", "encoding", "errors", NULL};

static PyObject *
codecs_encode(PyObject *Py_UNUSED(module), PyObject *const *args,
              Py_ssize_t nargs, PyObject *kwnames)
{
    KEYWORD_PARSER(parser, "encode", run_keywords);
    return run("encode", &parser, PyCodec_Encode, args, nargs, kwnames);
}

static PyObject *
codecs_decode(PyObject *Py_UNUSED(module), PyObject *const *args,
              Py_ssize_t nargs, PyObject *kwnames)
{
    KEYWORD_PARSER(parser, "decode", run_keywords);
    return run("decode", &parser, PyCodec_Decode, args, nargs, kwnames);
}

static PyObject *
codecs_register_error(PyObject *Py_UNUSED(module), PyObject *const *args,
                      Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("register_error", nargs, 2, 2)) {
        return NULL;
    }
    const char *name = codec_name_arg("register_error", "argument 1",
                                      args[0]);
    if (name == NULL || PyCodec_RegisterError(name, args[1]) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
codecs_lookup_error(PyObject *Py_UNUSED(module), PyObject *arg)
{
    const char *name = name_arg("lookup_error", arg);
    return name ? PyCodec_LookupError(name) : NULL;
}

static PyObject *
codecs_charmap_build(PyObject *Py_UNUSED(module), PyObject *map)
{
    if (!PyUnicode_Check(map)) {
        _PyArg_BadArgument("charmap_build", "argument", "str", map);
        return NULL;
    }
    return PyUnicode_BuildEncodingMap(map);
}

/* ---------------------------------------------------------------- the table */

#define CODEC(name, signature)          \
    {#name, FAST(codecs_##name),        \
     #name "($module, " signature ")\n--\n\n"}
#define ONE(name, argument, doc)                \
    {#name, codecs_##name, METH_O, #name "($module, " argument ", /)\n--\n\n" doc}
#define ENCODE(name) CODEC(name, "str, errors=None, /")
#define DECODE(name) CODEC(name, "data, errors=None, /")
#define STATEFUL(name) CODEC(name, "data, errors=None, final=False, /")
#define STATEFUL_FINAL(name) CODEC(name, "data, errors=None, final=True, /")

static PyMethodDef codecs_methods[] = {
    ONE(register, "search_function",
        "Adds a function that finds codecs by name: it returns a "
        "(encoder, decoder,\nreader, writer) tuple, or None."),
    ONE(unregister, "search_function",
        "Removes a search function and forgets the codecs found."),
    ONE(lookup, "encoding", "The codec of an encoding's name."),
    {"encode", FAST_KEYWORDS(codecs_encode),
     "encode($module, /, obj, encoding='utf-8', errors='strict')\n--\n\n"
     "Encodes an object with the codec registered for encoding."},
    {"decode", FAST_KEYWORDS(codecs_decode),
     "decode($module, /, obj, encoding='utf-8', errors='strict')\n--\n\n"
     "Decodes an object with the codec registered for encoding."},
    ENCODE(utf_8_encode),
    STATEFUL(utf_8_decode),
    ENCODE(utf_7_encode),
    STATEFUL(utf_7_decode),
    CODEC(utf_16_encode, "str, errors=None, byteorder=0, /"),
    ENCODE(utf_16_le_encode),
    ENCODE(utf_16_be_encode),
    STATEFUL(utf_16_decode),
    STATEFUL(utf_16_le_decode),
    STATEFUL(utf_16_be_decode),
    CODEC(utf_16_ex_decode, "data, errors=None, byteorder=0, final=False,\n"
         "                 /"),
    CODEC(utf_32_encode, "str, errors=None, byteorder=0, /"),
    ENCODE(utf_32_le_encode),
    ENCODE(utf_32_be_encode),
    STATEFUL(utf_32_decode),
    STATEFUL(utf_32_le_decode),
    STATEFUL(utf_32_be_decode),
    CODEC(utf_32_ex_decode, "data, errors=None, byteorder=0, final=False,\n"
         "                 /"),
    ENCODE(unicode_escape_encode),
    STATEFUL_FINAL(unicode_escape_decode),
    ENCODE(raw_unicode_escape_encode),
    STATEFUL_FINAL(raw_unicode_escape_decode),
    ENCODE(latin_1_encode),
    DECODE(latin_1_decode),
    ENCODE(ascii_encode),
    DECODE(ascii_decode),
    CODEC(charmap_encode, "str, errors=None, mapping=None, /"),
    CODEC(charmap_decode, "data, errors=None, mapping=None, /"),
    ONE(charmap_build, "map",
        "A mapping for charmap_encode from a decoding table."),
    DECODE(readbuffer_encode),
    DECODE(escape_encode),
    DECODE(escape_decode),
    {"register_error", FAST(codecs_register_error),
     "register_error($module, errors, handler, /)\n--\n\n"
     "Registers a function that handles errors under a name."},
    ONE(lookup_error, "name", "The error handler of this name."),
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef codecs_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_codecs",
    .m_methods = codecs_methods,
};

MODULE_INIT(_codecs)
{
    return PyModuleDef_Init(&codecs_module);
}

/* The codec registry: search functions, codecs found so far, and named
   error handlers.

   Codecs are 4-tuples (encoder, decoder, reader, writer), usually
   codecs.CodecInfo, cached under their normalised name. The first look-up
   imports `encodings`, which registers the standard search function; error
   handlers need no import. */
#include "Python.h"
#include "standard_handlers.h"
#include "internal/names.h"
#include "internal/pystate.h"

/* The running interpreter's codec_search_path (a list, NULL before the first
   use), codec_search_cache and codec_error_registry (dicts by name), and
   codecs_initialized: whether `encodings` has been imported. */
static inline PyInterpreterState *
registry(void)
{
    return _PyThreadState_GET()->interp;
}

const char *Py_hexdigits = "0123456789abcdef";

/* --------------------------------------------------------------------- life */

static int
need_registry(void)
{
    if (registry()->codec_search_path != NULL) {
        return 0;
    }
    PyObject *path = PyList_New(0), *found = PyDict_New();
    PyObject *handlers = PyDict_New();
    if (path == NULL || found == NULL || handlers == NULL
        || _PyCodec_AddStandardHandlers(handlers) < 0)
    {
        Py_XDECREF(path);
        Py_XDECREF(found);
        Py_XDECREF(handlers);
        return -1;
    }
    registry()->codec_search_path = path;
    registry()->codec_search_cache = found;
    registry()->codec_error_registry = handlers;
    return 0;
}

static int
need_encodings(void)
{
    if (need_registry() < 0) {
        return -1;
    }
    if (registry()->codecs_initialized) {
        return 0;
    }
    /* Set before the import, because the import itself may look up a codec. */
    registry()->codecs_initialized = 1;
    PyObject *module = PyImport_ImportModule("encodings");
    if (module == NULL) {
        registry()->codecs_initialized = 0;
        return -1;
    }
    Py_DECREF(module);
    return 0;
}

/* --------------------------------------------------------- search functions */

int
PyCodec_Register(PyObject *search_function)
{
    if (need_encodings() < 0) {
        return -1;
    }
    if (search_function == NULL) {
        PyErr_BadArgument();
        return -1;
    }
    if (!PyCallable_Check(search_function)) {
        PyErr_SetString(PyExc_TypeError, "argument must be callable");
        return -1;
    }
    return PyList_Append(registry()->codec_search_path, search_function);
}

int
PyCodec_Unregister(PyObject *search_function)
{
    if (registry()->codec_search_path == NULL) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(registry()->codec_search_path); i++) {
        if (PyList_GET_ITEM(registry()->codec_search_path, i) == search_function) {
            PyDict_Clear(registry()->codec_search_cache);
            return PyList_SetSlice(registry()->codec_search_path, i, i + 1, NULL);
        }
    }
    return 0;
}

/* Lower-cases ASCII letters and turns other characters than ASCII letters, digits and
   '.' into '_': a single one for each run, and none at the ends. */
static PyObject *
normalised_name(const char *name)
{
    size_t size = strlen(name);
    char small[64], *out = small;
    if (size >= sizeof(small) && (out = PyMem_Malloc(size + 1)) == NULL) {
        return PyErr_NoMemory();
    }
    size_t n = 0;
    int gap = 0;
    for (const char *p = name; *p; p++) {
        if (!Py_ISALNUM(*p) && *p != '.') {
            gap = 1;
            continue;
        }
        if (gap && n > 0) {
            out[n++] = '_';
        }
        gap = 0;
        out[n++] = (char)Py_TOLOWER(*p);
    }
    PyObject *result = PyUnicode_FromStringAndSize(out, (Py_ssize_t)n);
    if (out != small) {
        PyMem_Free(out);
    }
    if (result != NULL) {
        PyUnicode_InternInPlace(&result);
    }
    return result;
}

/* Calls the search functions. Returns a new reference to a codec, or NULL with or
   without an exception. */
static PyObject *
search(PyObject *name)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(registry()->codec_search_path); i++) {
        PyObject *function = Py_NewRef(PyList_GET_ITEM(registry()->codec_search_path, i));
        PyObject *codec = PyObject_CallOneArg(function, name);
        Py_DECREF(function);
        if (codec == NULL) {
            return NULL;
        }
        if (codec == Py_None) {
            Py_DECREF(codec);
            continue;
        }
        if (!PyTuple_Check(codec) || PyTuple_GET_SIZE(codec) != 4) {
            PyErr_SetString(PyExc_TypeError,
                            "codec search functions must return 4-tuples");
            Py_DECREF(codec);
            return NULL;
        }
        return codec;
    }
    return NULL;
}

PyObject *
_PyCodec_Lookup(const char *encoding)
{
    if (encoding == NULL) {
        PyErr_BadArgument();
        return NULL;
    }
    if (need_encodings() < 0) {
        return NULL;
    }
    PyObject *name = normalised_name(encoding);
    if (name == NULL) {
        return NULL;
    }
    PyObject *codec = PyDict_GetItemWithError(registry()->codec_search_cache, name);
    if (codec != NULL) {
        Py_DECREF(name);
        return Py_NewRef(codec);
    }
    if (!PyErr_Occurred()) {
        codec = search(name);
        if (codec == NULL && !PyErr_Occurred()) {
            PyErr_Format(PyExc_LookupError, "unknown encoding: %s", encoding);
        }
        if (codec != NULL && PyDict_SetItem(registry()->codec_search_cache, name, codec) < 0) {
            Py_CLEAR(codec);
        }
    }
    Py_DECREF(name);
    return codec;
}

int
_PyCodec_Forget(const char *encoding)
{
    if (registry()->codec_search_path == NULL) {
        return -1;
    }
    PyObject *name = normalised_name(encoding);
    if (name == NULL) {
        return -1;
    }
    int status = PyDict_DelItem(registry()->codec_search_cache, name);
    Py_DECREF(name);
    return status;
}

int
PyCodec_KnownEncoding(const char *encoding)
{
    PyObject *codec = _PyCodec_Lookup(encoding);
    if (codec == NULL) {
        PyErr_Clear();
        return 0;
    }
    Py_DECREF(codec);
    return 1;
}

/* --------------------------------------------------------- parts of a codec */

static PyObject *
codec_part(const char *encoding, int index)
{
    PyObject *codec = _PyCodec_Lookup(encoding);
    if (codec == NULL) {
        return NULL;
    }
    PyObject *part = Py_NewRef(PyTuple_GET_ITEM(codec, index));
    Py_DECREF(codec);
    return part;
}

PyObject *
PyCodec_Encoder(const char *encoding)
{
    return codec_part(encoding, 0);
}

PyObject *
PyCodec_Decoder(const char *encoding)
{
    return codec_part(encoding, 1);
}

static PyObject *
make_stream(const char *encoding, PyObject *stream, const char *errors,
            int index)
{
    PyObject *factory = codec_part(encoding, index);
    if (factory == NULL) {
        return NULL;
    }
    PyObject *result = errors != NULL
        ? PyObject_CallFunction(factory, "Os", stream, errors)
        : PyObject_CallOneArg(factory, stream);
    Py_DECREF(factory);
    return result;
}

PyObject *
PyCodec_StreamReader(const char *encoding, PyObject *stream,
                     const char *errors)
{
    return make_stream(encoding, stream, errors, 2);
}

PyObject *
PyCodec_StreamWriter(const char *encoding, PyObject *stream,
                     const char *errors)
{
    return make_stream(encoding, stream, errors, 3);
}

static PyObject *
make_incremental(PyObject *codec, const char *errors, const char *attribute)
{
    PyObject *factory = PyObject_GetAttrString(codec, attribute);
    if (factory == NULL) {
        return NULL;
    }
    PyObject *result = errors != NULL
        ? PyObject_CallFunction(factory, "s", errors)
        : PyObject_CallNoArgs(factory);
    Py_DECREF(factory);
    return result;
}

PyObject *
_PyCodecInfo_GetIncrementalDecoder(PyObject *codec, const char *errors)
{
    return make_incremental(codec, errors, "incrementaldecoder");
}

PyObject *
_PyCodecInfo_GetIncrementalEncoder(PyObject *codec, const char *errors)
{
    return make_incremental(codec, errors, "incrementalencoder");
}

PyObject *
PyCodec_IncrementalDecoder(const char *encoding, const char *errors)
{
    PyObject *codec = _PyCodec_Lookup(encoding);
    PyObject *result = codec
        ? _PyCodecInfo_GetIncrementalDecoder(codec, errors) : NULL;
    Py_XDECREF(codec);
    return result;
}

PyObject *
PyCodec_IncrementalEncoder(const char *encoding, const char *errors)
{
    PyObject *codec = _PyCodec_Lookup(encoding);
    PyObject *result = codec
        ? _PyCodecInfo_GetIncrementalEncoder(codec, errors) : NULL;
    Py_XDECREF(codec);
    return result;
}

/* ---------------------------------------------------- encoding and decoding */

/* Returns function(object[, errors])[0]. Steals function, which may be NULL. */
static PyObject *
run_codec(PyObject *function, PyObject *object, const char *encoding,
          const char *errors, int encoding_it)
{
    if (function == NULL) {
        return NULL;
    }
    PyObject *pair = errors != NULL
        ? PyObject_CallFunction(function, "Os", object, errors)
        : PyObject_CallOneArg(function, object);
    Py_DECREF(function);
    if (pair == NULL) {
        _PyErr_TrySetFromCause("%s with '%s' codec failed",
                               encoding_it ? "encoding" : "decoding",
                               encoding);
        return NULL;
    }
    PyObject *result = NULL;
    if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
        PyErr_SetString(PyExc_TypeError,
                        encoding_it
                            ? "encoder must return a tuple (object, integer)"
                            : "decoder must return a tuple "
                              "(object,integer)");
    }
    else {
        result = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
    }
    Py_DECREF(pair);
    return result;
}

PyObject *
PyCodec_Encode(PyObject *object, const char *encoding, const char *errors)
{
    return run_codec(PyCodec_Encoder(encoding), object, encoding, errors, 1);
}

PyObject *
PyCodec_Decode(PyObject *object, const char *encoding, const char *errors)
{
    return run_codec(PyCodec_Decoder(encoding), object, encoding, errors, 0);
}

/* A plain tuple may be any kind of codec; a CodecInfo says whether it is a text
   encoding. */
PyObject *
_PyCodec_LookupTextEncoding(const char *encoding, const char *alternative)
{
    PyObject *codec = _PyCodec_Lookup(encoding), *flag;
    if (codec == NULL || PyTuple_CheckExact(codec)) {
        return codec;
    }
    if (_PyObject_LookupAttr(codec, _Py_NAME(_is_text_encoding), &flag) < 0) {
        Py_DECREF(codec);
        return NULL;
    }
    if (flag == NULL) {
        return codec;
    }
    int is_text = PyObject_IsTrue(flag);
    Py_DECREF(flag);
    if (is_text > 0) {
        return codec;
    }
    Py_DECREF(codec);
    if (is_text == 0) {
        PyErr_Format(PyExc_LookupError,
                     "'%.400s' is not a text encoding; use %s to handle "
                     "arbitrary codecs", encoding, alternative);
    }
    return NULL;
}

static PyObject *
text_codec_part(const char *encoding, const char *alternative, int index)
{
    PyObject *codec = _PyCodec_LookupTextEncoding(encoding, alternative);
    if (codec == NULL) {
        return NULL;
    }
    PyObject *part = Py_NewRef(PyTuple_GET_ITEM(codec, index));
    Py_DECREF(codec);
    return part;
}

PyObject *
_PyCodec_EncodeText(PyObject *object, const char *encoding,
                    const char *errors)
{
    return run_codec(text_codec_part(encoding, "codecs.encode()", 0), object,
                     encoding, errors, 1);
}

PyObject *
_PyCodec_DecodeText(PyObject *object, const char *encoding,
                    const char *errors)
{
    return run_codec(text_codec_part(encoding, "codecs.decode()", 1), object,
                     encoding, errors, 0);
}

/* ----------------------------------------------------------- error handlers */

int
PyCodec_RegisterError(const char *name, PyObject *handler)
{
    if (need_registry() < 0) {
        return -1;
    }
    if (!PyCallable_Check(handler)) {
        PyErr_SetString(PyExc_TypeError, "handler must be callable");
        return -1;
    }
    return PyDict_SetItemString(registry()->codec_error_registry, name, handler);
}

PyObject *
PyCodec_LookupError(const char *name)
{
    if (need_registry() < 0) {
        return NULL;
    }
    if (name == NULL) {
        name = "strict";
    }
    PyObject *key = PyUnicode_FromString(name);
    if (key == NULL) {
        return NULL;
    }
    PyObject *handler = PyDict_GetItemWithError(registry()->codec_error_registry, key);
    Py_DECREF(key);
    if (handler == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_LookupError, "unknown error handler name '%.400s'",
                     name);
    }
    return Py_XNewRef(handler);
}

/* Encoding and decoding by the codec's name, and the file system's codec.

   The most frequent names lead straight to the C codecs; all others go through the
   registry. */
#include "private.h"

typedef enum { CODEC_OTHER, CODEC_UTF8, CODEC_LATIN1, CODEC_ASCII,
               CODEC_UTF16, CODEC_UTF32 } KnownCodec;

/* Lower case, with '_' and ' ' as '-'. */
static KnownCodec
known_codec(const char *name)
{
    enum { LONGEST = 11 };
    static const struct {
        char name[LONGEST + 1];
        KnownCodec codec;
    } names[] = {
        {"utf-8", CODEC_UTF8}, {"utf8", CODEC_UTF8},
        {"latin-1", CODEC_LATIN1}, {"latin1", CODEC_LATIN1},
        {"iso-8859-1", CODEC_LATIN1}, {"iso8859-1", CODEC_LATIN1},
        {"ascii", CODEC_ASCII}, {"us-ascii", CODEC_ASCII},
        {"utf-16", CODEC_UTF16}, {"utf16", CODEC_UTF16},
        {"utf-32", CODEC_UTF32}, {"utf32", CODEC_UTF32},
    };
    char folded[LONGEST + 1] = {0};
    size_t n = 0;
    if (name == NULL) {
        return CODEC_UTF8;
    }
    for (; name[n] != '\0'; n++) {
        if (n == LONGEST) {
            return CODEC_OTHER;
        }
        char ch = name[n];
        folded[n] = ch == '_' || ch == ' ' ? '-' : (char)Py_TOLOWER(ch);
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        if (memcmp(folded, names[i].name, sizeof(folded)) == 0) {
            return names[i].codec;
        }
    }
    return CODEC_OTHER;
}

const char *
PyUnicode_GetDefaultEncoding(void)
{
    return "utf-8";
}

/* In development mode an invalid name is an error even if the codec or handler is not
   used. Names can't be checked before the registry works: _PyUnicode_InitEncodings. */
static int names_can_be_checked;

static int
check_names(const char *encoding, const char *errors)
{
    if (!names_can_be_checked || !_Py_GetConfig()->dev_mode
        || (errors == NULL && known_codec(encoding) != CODEC_OTHER))
    {
        return 0;
    }
    if (encoding != NULL && known_codec(encoding) == CODEC_OTHER) {
        PyObject *codec = _PyCodec_Lookup(encoding);
        if (codec == NULL) {
            return -1;
        }
        Py_DECREF(codec);
    }
    if (_Py_GetErrorHandler(errors) == _Py_ERROR_OTHER) {
        PyObject *handler = PyCodec_LookupError(errors);
        if (handler == NULL) {
            return -1;
        }
        Py_DECREF(handler);
    }
    return 0;
}

/* ----------------------------------------------------------------- decoding */

PyObject *
PyUnicode_Decode(const char *input, Py_ssize_t size, const char *encoding,
                 const char *errors)
{
    if (check_names(encoding, errors) < 0) {
        return NULL;
    }
    switch (known_codec(encoding)) {
    case CODEC_UTF8:
        return PyUnicode_DecodeUTF8Stateful(input, size, errors, NULL);
    case CODEC_LATIN1:
        return PyUnicode_DecodeLatin1(input, size, errors);
    case CODEC_ASCII:
        return PyUnicode_DecodeASCII(input, size, errors);
    case CODEC_UTF16:
        return PyUnicode_DecodeUTF16(input, size, errors, NULL);
    case CODEC_UTF32:
        return PyUnicode_DecodeUTF32(input, size, errors, NULL);
    case CODEC_OTHER:
        break;
    }
    Py_buffer info;
    if (PyBuffer_FillInfo(&info, NULL, (void *)input, size, 1,
                          PyBUF_FULL_RO) < 0)
    {
        return NULL;
    }
    PyObject *view = PyMemoryView_FromBuffer(&info);
    if (view == NULL) {
        return NULL;
    }
    PyObject *text = _PyCodec_DecodeText(view, encoding, errors);
    Py_DECREF(view);
    if (text != NULL && !PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError,
                     "'%.400s' decoder returned '%.400s' instead of 'str'; "
                     "use codecs.decode() to decode to arbitrary types",
                     encoding, Py_TYPE(text)->tp_name);
        Py_CLEAR(text);
    }
    if (text != NULL && PyUnicode_READY(text) < 0) {
        Py_CLEAR(text);
    }
    return text;
}

PyObject *
PyUnicode_FromEncodedObject(PyObject *object, const char *encoding,
                            const char *errors)
{
    if (object == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyBytes_Check(object)) {
        if (PyBytes_GET_SIZE(object) == 0) {
            return check_names(encoding, errors) < 0 ? NULL
                : _PyUnicode_NewEmpty();
        }
        return PyUnicode_Decode(PyBytes_AS_STRING(object),
                                PyBytes_GET_SIZE(object), encoding, errors);
    }
    if (PyUnicode_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "decoding str is not supported");
        return NULL;
    }
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_SIMPLE) < 0) {
        PyErr_Format(PyExc_TypeError,
                     "decoding to str: need a bytes-like object, "
                     "%.80s found", Py_TYPE(object)->tp_name);
        return NULL;
    }
    PyObject *text = buffer.len == 0
        ? (check_names(encoding, errors) < 0 ? NULL : _PyUnicode_NewEmpty())
        : PyUnicode_Decode(buffer.buf, buffer.len, encoding, errors);
    PyBuffer_Release(&buffer);
    return text;
}

/* ----------------------------------------------------------------- encoding */

PyObject *
PyUnicode_AsEncodedString(PyObject *op, const char *encoding,
                          const char *errors)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (check_names(encoding, errors) < 0) {
        return NULL;
    }
    switch (known_codec(encoding)) {
    case CODEC_UTF8: return _PyUnicode_AsUTF8String(op, errors);
    case CODEC_LATIN1: return _PyUnicode_AsLatin1String(op, errors);
    case CODEC_ASCII: return _PyUnicode_AsASCIIString(op, errors);
    case CODEC_UTF16: return _PyUnicode_EncodeUTF16(op, errors, 0);
    case CODEC_UTF32: return _PyUnicode_EncodeUTF32(op, errors, 0);
    case CODEC_OTHER: break;
    }
    PyObject *bytes = _PyCodec_EncodeText(op, encoding, errors);
    if (bytes == NULL || PyBytes_Check(bytes)) {
        return bytes;
    }
    if (PyByteArray_Check(bytes)) {
        PyObject *copy = NULL;
        if (PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                             "encoder %s returned bytearray instead of "
                             "bytes; use codecs.encode() to encode to "
                             "arbitrary types", encoding) == 0)
        {
            copy = PyBytes_FromStringAndSize(PyByteArray_AS_STRING(bytes),
                                             PyByteArray_GET_SIZE(bytes));
        }
        Py_DECREF(bytes);
        return copy;
    }
    PyErr_Format(PyExc_TypeError,
                 "'%.400s' encoder returned '%.400s' instead of 'bytes'; "
                 "use codecs.encode() to encode to arbitrary types",
                 encoding, Py_TYPE(bytes)->tp_name);
    Py_DECREF(bytes);
    return NULL;
}

/* ---------------------------------------- deprecated: any codec, any result */

static PyObject *
any_codec(PyObject *op, const char *encoding, const char *errors, int encode,
          int want_str, const char *name)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                         "%s() is deprecated; use PyCodec_%s() %s", name,
                         encode ? "Encode" : "Decode",
                         encode ? "to encode from str to arbitrary types"
                                : "to decode from str") < 0)
    {
        return NULL;
    }
    if (encoding == NULL) {
        encoding = PyUnicode_GetDefaultEncoding();
    }
    PyObject *result = encode ? PyCodec_Encode(op, encoding, errors)
                              : PyCodec_Decode(op, encoding, errors);
    if (result != NULL && want_str && !PyUnicode_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "'%.400s' %s returned '%.400s' instead of 'str'; use "
                     "codecs.%s() to %s to arbitrary types", encoding,
                     encode ? "encoder" : "decoder",
                     Py_TYPE(result)->tp_name, encode ? "encode" : "decode",
                     encode ? "encode" : "decode");
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
PyUnicode_AsDecodedObject(PyObject *op, const char *encoding,
                          const char *errors)
{
    return any_codec(op, encoding, errors, 0, 0, "PyUnicode_AsDecodedObject");
}

PyObject *
PyUnicode_AsDecodedUnicode(PyObject *op, const char *encoding,
                           const char *errors)
{
    return any_codec(op, encoding, errors, 0, 1,
                     "PyUnicode_AsDecodedUnicode");
}

PyObject *
PyUnicode_AsEncodedObject(PyObject *op, const char *encoding,
                          const char *errors)
{
    return any_codec(op, encoding, errors, 1, 0, "PyUnicode_AsEncodedObject");
}

PyObject *
PyUnicode_AsEncodedUnicode(PyObject *op, const char *encoding,
                           const char *errors)
{
    return any_codec(op, encoding, errors, 1, 1,
                     "PyUnicode_AsEncodedUnicode");
}

/* -------------------------------------------------- the file system's codec */

const char *Py_FileSystemDefaultEncoding = "utf-8";
const char *Py_FileSystemDefaultEncodeErrors = "surrogateescape";
int Py_HasFileSystemDefaultEncoding = 1;

/* Codecs that are not built into C need the codecs module, which needs imports, which
   need file names. So until _PyUnicode_InitEncodings has run, the text functions of the
   C locale are used. */
static int fs_codec_ready;

int
_PyUnicode_SetFSCodec(const char *encoding, const char *errors)
{
    static char *owned_encoding, *owned_errors;
    size_t n = strlen(encoding) + 1, m = strlen(errors) + 1;
    char *new_encoding = PyMem_RawMalloc(n);
    char *new_errors = PyMem_RawMalloc(m);
    if (new_encoding == NULL || new_errors == NULL) {
        PyMem_RawFree(new_encoding);
        PyMem_RawFree(new_errors);
        return -1;
    }
    memcpy(new_encoding, encoding, n);
    memcpy(new_errors, errors, m);
    Py_FileSystemDefaultEncoding = new_encoding;
    Py_FileSystemDefaultEncodeErrors = new_errors;
    PyMem_RawFree(owned_encoding);
    PyMem_RawFree(owned_errors);
    owned_encoding = new_encoding;
    owned_errors = new_errors;
    return 0;
}

int
_PyUnicode_InitEncodings(void)
{
    PyObject *codec = _PyCodec_Lookup(Py_FileSystemDefaultEncoding);
    if (codec == NULL) {
        return -1;
    }
    Py_DECREF(codec);
    fs_codec_ready = 1;
    names_can_be_checked = 1;
    return 0;
}

void
_PyUnicode_ForgetEncodings(void)
{
    fs_codec_ready = 0;
    names_can_be_checked = 0;
}

PyObject *
PyUnicode_DecodeFSDefaultAndSize(const char *input, Py_ssize_t size)
{
    const char *errors = Py_FileSystemDefaultEncodeErrors;
    if (fs_codec_ready
        || known_codec(Py_FileSystemDefaultEncoding) != CODEC_OTHER)
    {
        return PyUnicode_Decode(input, size, Py_FileSystemDefaultEncoding,
                                errors);
    }
    return PyUnicode_DecodeLocaleAndSize(input, size, errors);
}

PyObject *
PyUnicode_DecodeFSDefault(const char *input)
{
    return PyUnicode_DecodeFSDefaultAndSize(input,
                                            (Py_ssize_t)strlen(input));
}

PyObject *
PyUnicode_EncodeFSDefault(PyObject *op)
{
    const char *errors = Py_FileSystemDefaultEncodeErrors;
    if (fs_codec_ready
        || known_codec(Py_FileSystemDefaultEncoding) != CODEC_OTHER)
    {
        return PyUnicode_AsEncodedString(op, Py_FileSystemDefaultEncoding,
                                         errors);
    }
    return PyUnicode_EncodeLocale(op, errors);
}

int
PyUnicode_FSConverter(PyObject *arg, void *address)
{
    PyObject **result = address;
    if (arg == NULL) {
        Py_CLEAR(*result);
        return 1;
    }
    PyObject *path = PyOS_FSPath(arg);
    if (path == NULL) {
        return 0;
    }
    PyObject *bytes = path;
    if (!PyBytes_Check(path)) {
        bytes = PyUnicode_EncodeFSDefault(path);
        Py_DECREF(path);
        if (bytes == NULL) {
            return 0;
        }
    }
    if ((size_t)PyBytes_GET_SIZE(bytes) != strlen(PyBytes_AS_STRING(bytes))) {
        PyErr_SetString(PyExc_ValueError, "embedded null byte");
        Py_DECREF(bytes);
        return 0;
    }
    *result = bytes;
    return Py_CLEANUP_SUPPORTED;
}

int
PyUnicode_FSDecoder(PyObject *arg, void *address)
{
    PyObject **result = address;
    if (arg == NULL) {
        Py_CLEAR(*result);
        return 1;
    }
    PyObject *path;
    if (PyObject_CheckBuffer(arg) && !PyBytes_Check(arg)) {
        if (PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                             "path should be string, bytes, or os.PathLike, "
                             "not %.200s", Py_TYPE(arg)->tp_name) < 0) {
            return 0;
        }
        path = PyBytes_FromObject(arg);
    }
    else {
        path = PyOS_FSPath(arg);
    }
    if (path == NULL) {
        return 0;
    }
    PyObject *text = path;
    if (!PyUnicode_Check(path)) {
        text = PyUnicode_DecodeFSDefaultAndSize(PyBytes_AS_STRING(path),
                                                PyBytes_GET_SIZE(path));
        Py_DECREF(path);
        if (text == NULL) {
            return 0;
        }
    }
    if (PyUnicode_READY(text) < 0) {
        Py_DECREF(text);
        return 0;
    }
    if (PyUnicode_FindChar(text, 0, 0, LENGTH(text), 1) >= 0) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        Py_DECREF(text);
        return 0;
    }
    *result = text;
    return Py_CLEANUP_SUPPORTED;
}

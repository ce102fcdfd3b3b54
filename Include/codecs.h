/* The registry of codecs and of error handlers. */
#ifndef Py_CODECREGISTRY_H
#define Py_CODECREGISTRY_H

_Py_BEGIN_DECLS

PyAPI_FUNC(int) PyCodec_Register(PyObject *search_function);
PyAPI_FUNC(int) PyCodec_Unregister(PyObject *search_function);
/* Returns 1 or 0. Sets no exception. */
PyAPI_FUNC(int) PyCodec_KnownEncoding(const char *encoding);

/* errors may be NULL: "strict". */
PyAPI_FUNC(PyObject *) PyCodec_Encode(PyObject *object, const char *encoding,
    const char *errors);
PyAPI_FUNC(PyObject *) PyCodec_Decode(PyObject *object, const char *encoding,
    const char *errors);
PyAPI_FUNC(PyObject *) PyCodec_Encoder(const char *encoding);
PyAPI_FUNC(PyObject *) PyCodec_Decoder(const char *encoding);
PyAPI_FUNC(PyObject *) PyCodec_IncrementalEncoder(const char *encoding,
    const char *errors);
PyAPI_FUNC(PyObject *) PyCodec_IncrementalDecoder(const char *encoding,
    const char *errors);
PyAPI_FUNC(PyObject *) PyCodec_StreamReader(const char *encoding, PyObject *stream,
    const char *errors);
PyAPI_FUNC(PyObject *) PyCodec_StreamWriter(const char *encoding, PyObject *stream,
    const char *errors);

PyAPI_FUNC(int) PyCodec_RegisterError(const char *name, PyObject *error);
PyAPI_FUNC(PyObject *) PyCodec_LookupError(const char *name);
/* The error handlers. exc is the UnicodeError; they return (replacement, position). */
PyAPI_FUNC(PyObject *) PyCodec_StrictErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_IgnoreErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_ReplaceErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_XMLCharRefReplaceErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_BackslashReplaceErrors(PyObject *exc);
#if _Py_API_SINCE(5)
PyAPI_FUNC(PyObject *) PyCodec_NameReplaceErrors(PyObject *exc);
#endif

#ifndef Py_LIMITED_API
/* "0123456789abcdef" */
PyAPI_DATA(const char *) Py_hexdigits;

PyAPI_FUNC(PyObject *) _PyCodec_Lookup(const char *encoding);
PyAPI_FUNC(int) _PyCodec_Forget(const char *encoding);
/* Look up codecs like str.encode and bytes.decode: text encodings only. The message of
   the error suggests the alternative. */
PyAPI_FUNC(PyObject *) _PyCodec_LookupTextEncoding(const char *encoding,
    const char *alternate_command);
PyAPI_FUNC(PyObject *) _PyCodec_EncodeText(PyObject *object, const char *encoding,
    const char *errors);
PyAPI_FUNC(PyObject *) _PyCodec_DecodeText(PyObject *object, const char *encoding,
    const char *errors);
PyAPI_FUNC(PyObject *) _PyCodecInfo_GetIncrementalDecoder(PyObject *codec_info,
    const char *errors);
PyAPI_FUNC(PyObject *) _PyCodecInfo_GetIncrementalEncoder(PyObject *codec_info,
    const char *errors);
#endif

_Py_END_DECLS
#endif

/* str. Once other code can see a str, it must not change.

   `errors` is the name of an error handler; NULL is "strict". The Stateful decoders store
   in *consumed how many bytes were used, and leave an incomplete character at the end for
   the next call. */
#ifndef Py_UNICODEOBJECT_H
#define Py_UNICODEOBJECT_H

_Py_BEGIN_DECLS

typedef uint32_t Py_UCS4;
typedef uint16_t Py_UCS2;
typedef uint8_t Py_UCS1;

/* Kept from the time when there were several kinds of builds. */
#define Py_USING_UNICODE
#define Py_UNICODE_SIZE SIZEOF_WCHAR_T
#if Py_UNICODE_SIZE >= 4
#  define Py_UNICODE_WIDE
#endif

#define Py_UNICODE_REPLACEMENT_CHARACTER ((Py_UCS4) 0xFFFD)

PyAPI_DATA(PyTypeObject) PyUnicode_Type;
PyAPI_DATA(PyTypeObject) PyUnicodeIter_Type;

#define PyUnicode_Check(op)      PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_UNICODE_SUBCLASS)
#define PyUnicode_CheckExact(op) Py_IS_TYPE((op), &PyUnicode_Type)

/* ------------------------------------------------------------------- making */

/* From UTF-8. */
PyAPI_FUNC(PyObject *) PyUnicode_FromStringAndSize(const char *u, Py_ssize_t size);
PyAPI_FUNC(PyObject *) PyUnicode_FromString(const char *u);
/* printf()'s formats, and some for objects: %R is repr(), %S str(), %U a str. */
PyAPI_FUNC(PyObject *) PyUnicode_FromFormat(const char *format, ...);
PyAPI_FUNC(PyObject *) PyUnicode_FromFormatV(const char *format, va_list vargs);
/* Returns a str as it is, and an instance of a subclass as an exact str. */
PyAPI_FUNC(PyObject *) PyUnicode_FromObject(PyObject *obj);
PyAPI_FUNC(PyObject *) PyUnicode_FromOrdinal(int ordinal);
/* size -1: up to the NUL. */
PyAPI_FUNC(PyObject *) PyUnicode_FromWideChar(const wchar_t *w, Py_ssize_t size);

/* --------------------------------------------------------------- characters */

#if _Py_API_SINCE(3)
PyAPI_FUNC(Py_ssize_t) PyUnicode_GetLength(PyObject *unicode);
#endif
/* Returns (Py_UCS4)-1 with IndexError on failure. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(Py_UCS4) PyUnicode_ReadChar(PyObject *unicode, Py_ssize_t index);
#endif
/* Only for a new str that no other code has seen, and whose hash is not computed. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(int) PyUnicode_WriteChar(PyObject *unicode, Py_ssize_t index,
    Py_UCS4 character);
#endif
/* Likewise. *unicode is replaced. */
PyAPI_FUNC(int) PyUnicode_Resize(PyObject **unicode, Py_ssize_t length);
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyUnicode_Substring(PyObject *str, Py_ssize_t start,
    Py_ssize_t end);
#endif
/* AsUCS4 returns NULL when the buffer is too small (SystemError). The copy is freed with
   PyMem_Free. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(Py_UCS4 *) PyUnicode_AsUCS4(PyObject *u, Py_UCS4 *buffer, Py_ssize_t buflen,
    int copy_null);
PyAPI_FUNC(Py_UCS4 *) PyUnicode_AsUCS4Copy(PyObject *u);
#endif
/* Returns the number of characters stored, or -1. If w is NULL: the number needed. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_AsWideChar(PyObject *unicode, wchar_t *w,
    Py_ssize_t size);
/* The result is freed with PyMem_Free. If size is NULL, a NUL inside is a ValueError. */
PyAPI_FUNC(wchar_t *) PyUnicode_AsWideCharString(PyObject *unicode, Py_ssize_t *size);
/* 0 may be an error. */
Py_DEPRECATED(3.3) PyAPI_FUNC(Py_ssize_t) PyUnicode_GetSize(PyObject *unicode);

/* --------------------------------------------------------------- operations */

PyAPI_FUNC(PyObject *) PyUnicode_Concat(PyObject *left, PyObject *right);
/* *pleft becomes the concatenation, or NULL with an exception. Steals the old *pleft;
   AndDel steals right, too. */
PyAPI_FUNC(void) PyUnicode_Append(PyObject **pleft, PyObject *right);
PyAPI_FUNC(void) PyUnicode_AppendAndDel(PyObject **pleft, PyObject *right);
PyAPI_FUNC(PyObject *) PyUnicode_Split(PyObject *s, PyObject *sep, Py_ssize_t maxsplit);
PyAPI_FUNC(PyObject *) PyUnicode_RSplit(PyObject *s, PyObject *sep, Py_ssize_t maxsplit);
PyAPI_FUNC(PyObject *) PyUnicode_Splitlines(PyObject *s, int keepend);
PyAPI_FUNC(PyObject *) PyUnicode_Partition(PyObject *s, PyObject *sep);
PyAPI_FUNC(PyObject *) PyUnicode_RPartition(PyObject *s, PyObject *sep);
PyAPI_FUNC(PyObject *) PyUnicode_Join(PyObject *separator, PyObject *seq);
PyAPI_FUNC(PyObject *) PyUnicode_Replace(PyObject *str, PyObject *substr,
    PyObject *replstr, Py_ssize_t maxcount);
PyAPI_FUNC(PyObject *) PyUnicode_Translate(PyObject *str, PyObject *table,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_Format(PyObject *format, PyObject *args);

/* Between start and end; negative values count from the end. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_Count(PyObject *str, PyObject *substr, Py_ssize_t start,
    Py_ssize_t end);
/* -1: not found, -2: error. direction: 1 finds the first, -1 the last. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_Find(PyObject *str, PyObject *substr, Py_ssize_t start,
    Py_ssize_t end, int direction);
#if _Py_API_SINCE(3)
PyAPI_FUNC(Py_ssize_t) PyUnicode_FindChar(PyObject *str, Py_UCS4 ch, Py_ssize_t start,
    Py_ssize_t end, int direction);
#endif
/* At the start (direction -1) or the end (1). Returns 1, 0 or -1. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_Tailmatch(PyObject *str, PyObject *substr,
    Py_ssize_t start, Py_ssize_t end, int direction);
PyAPI_FUNC(int) PyUnicode_Contains(PyObject *container, PyObject *element);
PyAPI_FUNC(int) PyUnicode_IsIdentifier(PyObject *o);

/* Return -1, 0 or 1. -1 may be an error, except from CompareWithASCIIString, which can't
   fail. */
PyAPI_FUNC(int) PyUnicode_Compare(PyObject *left, PyObject *right);
PyAPI_FUNC(int) PyUnicode_CompareWithASCIIString(PyObject *uni, const char *string);
/* Returns a bool, or NotImplemented. */
PyAPI_FUNC(PyObject *) PyUnicode_RichCompare(PyObject *left, PyObject *right, int op);

/* *string is replaced by the interned str with the same text. Steals the old *string. */
PyAPI_FUNC(void) PyUnicode_InternInPlace(PyObject **string);
Py_DEPRECATED(3.10) PyAPI_FUNC(void) PyUnicode_InternImmortal(PyObject **p_unicode);
PyAPI_FUNC(PyObject *) PyUnicode_InternFromString(const char *v);

/* ------------------------------------------------------------------- codecs */

PyAPI_FUNC(PyObject *) PyUnicode_Decode(const char *s, Py_ssize_t size,
    const char *encoding, const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsEncodedString(PyObject *unicode, const char *encoding,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_FromEncodedObject(PyObject *obj, const char *encoding,
    const char *errors);
/* "utf-8" */
PyAPI_FUNC(const char *) PyUnicode_GetDefaultEncoding(void);
/* Codecs that may return other types than str or bytes. */
Py_DEPRECATED(3.6) PyAPI_FUNC(PyObject *) PyUnicode_AsDecodedObject(PyObject *unicode,
    const char *encoding, const char *errors);
Py_DEPRECATED(3.6) PyAPI_FUNC(PyObject *) PyUnicode_AsDecodedUnicode(PyObject *unicode,
    const char *encoding, const char *errors);
Py_DEPRECATED(3.6) PyAPI_FUNC(PyObject *) PyUnicode_AsEncodedObject(PyObject *unicode,
    const char *encoding, const char *errors);
Py_DEPRECATED(3.6) PyAPI_FUNC(PyObject *) PyUnicode_AsEncodedUnicode(PyObject *unicode,
    const char *encoding, const char *errors);

PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF8(const char *s, Py_ssize_t size,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF8Stateful(const char *s, Py_ssize_t size,
    const char *errors, Py_ssize_t *consumed);
PyAPI_FUNC(PyObject *) PyUnicode_AsUTF8String(PyObject *unicode);
/* The str's own memory, made at the first call. size may be NULL. */
#if _Py_API_SINCE(10)
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *unicode, Py_ssize_t *size);
#endif

PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF7(const char *s, Py_ssize_t size,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF7Stateful(const char *s, Py_ssize_t size,
    const char *errors, Py_ssize_t *consumed);
/* *byteorder: -1 little, 1 big, 0 decided by the BOM. It is set to the order that was
   found. */
PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF16(const char *s, Py_ssize_t size,
    const char *errors, int *byteorder);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF16Stateful(const char *s, Py_ssize_t size,
    const char *errors, int *byteorder, Py_ssize_t *consumed);
PyAPI_FUNC(PyObject *) PyUnicode_AsUTF16String(PyObject *unicode);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF32(const char *s, Py_ssize_t size,
    const char *errors, int *byteorder);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeUTF32Stateful(const char *s, Py_ssize_t size,
    const char *errors, int *byteorder, Py_ssize_t *consumed);
PyAPI_FUNC(PyObject *) PyUnicode_AsUTF32String(PyObject *unicode);

PyAPI_FUNC(PyObject *) PyUnicode_DecodeLatin1(const char *s, Py_ssize_t size,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsLatin1String(PyObject *unicode);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeASCII(const char *s, Py_ssize_t size,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsASCIIString(PyObject *unicode);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeUnicodeEscape(const char *s, Py_ssize_t size,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsUnicodeEscapeString(PyObject *unicode);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeRawUnicodeEscape(const char *s, Py_ssize_t size,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsRawUnicodeEscapeString(PyObject *unicode);
/* mapping: a str, or a mapping from numbers to characters. NULL is Latin-1. */
PyAPI_FUNC(PyObject *) PyUnicode_DecodeCharmap(const char *data, Py_ssize_t size,
    PyObject *mapping, const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsCharmapString(PyObject *unicode, PyObject *mapping);
PyAPI_FUNC(PyObject *) PyUnicode_BuildEncodingMap(PyObject *string);

/* Use the locale's encoding. errors is "strict" or "surrogateescape". */
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyUnicode_DecodeLocale(const char *str, const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeLocaleAndSize(const char *str, Py_ssize_t len,
    const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_EncodeLocale(PyObject *unicode, const char *errors);
#endif
/* Use the file system's encoding. The converters are for O& of PyArg_Parse: a path
   becomes bytes, or a str. */
PyAPI_FUNC(PyObject *) PyUnicode_DecodeFSDefault(const char *s);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeFSDefaultAndSize(const char *s, Py_ssize_t size);
PyAPI_FUNC(PyObject *) PyUnicode_EncodeFSDefault(PyObject *unicode);
PyAPI_FUNC(int) PyUnicode_FSConverter(PyObject *obj, void *result);
PyAPI_FUNC(int) PyUnicode_FSDecoder(PyObject *obj, void *result);

#ifndef Py_LIMITED_API
#  include "cpython/unicodeobject.h"
#endif

_Py_END_DECLS
#endif

/* What the runtime shares about str beyond the public API.

   Start-up order: _Py_HashSecret_Init (internal/hash.h), then
   _PyUnicode_InitGlobals, then _PyNames_Init; none of them needs a type to
   be ready. Character tables need no initialisation. */
#ifndef SB_INTERNAL_UNICODE_H
#define SB_INTERNAL_UNICODE_H

#include "Python.h"

/* Fills the empty string and the 256 one-character strings, and interns
   them. Returns 0, or -1 with an exception set. */
int _PyUnicode_InitGlobals(void);

/* str's tp_dealloc calls it for a mortal interned string. */
void _PyUnicode_ForgetInterned(PyObject *str);
/* The interned string of these characters; NULL with an exception. No object is made if there is
   one already. */
PyObject *_PyUnicode_InternLatin1(const char *text, Py_ssize_t n);
/* The interned string that an exact one which is not interned itself equals. Returns a borrowed
   reference, or NULL without an exception: there is none. */
PyObject *_PyUnicode_FindInterned(PyObject *str);

/* The permanent "" and one-character strings U+0000 to U+00FF. */
extern PyObject *_PyUnicode_empty;
extern PyObject *_PyUnicode_latin1[256];

static inline PyObject *
_PyUnicode_NewEmpty(void)
{
    return Py_NewRef(_PyUnicode_empty);
}

static inline PyObject *
_PyUnicode_FromLatin1Char(Py_UCS1 ch)
{
    return Py_NewRef(_PyUnicode_latin1[ch]);
}

/* Two of these are equal only if they are the same object. */
static inline int
_PyUnicode_IsPlainInterned(PyObject *op)
{
    return PyUnicode_CheckExact(op) && PyUnicode_CHECK_INTERNED(op);
}

/* The cached hash of a str, or -1 when it has not been computed. */
static inline Py_hash_t
_PyUnicode_CachedHash(PyObject *op)
{
    return ((PyASCIIObject *)op)->hash;
}

/* Equality of two ready strings, told apart by length and kind first. */
static inline int
_PyUnicode_FastEq(PyObject *a, PyObject *b)
{
    PyASCIIObject *x = (PyASCIIObject *)a, *y = (PyASCIIObject *)b;
    if (a == b) {
        return 1;
    }
    if (x->length != y->length || x->state.kind != y->state.kind
        || (x->state.interned && y->state.interned)) {
        return 0;
    }
    return memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b),
                  (size_t)x->length * x->state.kind) == 0;
}

/* tp_hash of str; tp_richcompare is PyUnicode_RichCompare(). */
Py_hash_t _PyUnicode_Hash(PyObject *op);

void _PyUnicode_Dealloc(PyObject *op);

/* Returns a new reference to op if it is an exact str, else an exact copy. */
PyObject *_PyUnicode_ResultUnchanged(PyObject *op);

/* Returns str[start:end] as a new reference. The bounds must be valid. */
PyObject *_PyUnicode_Slice(PyObject *op, Py_ssize_t start, Py_ssize_t end);

/* Calls an inline function with the kind of a text (1, 2 or 4 bytes) as a constant, so that there is
   a copy of it for each. */
#define BY_KIND(function, kind, ...)                                    \
    ((kind) == 1 ? function(1, __VA_ARGS__)                             \
     : (kind) == 2 ? function(2, __VA_ARGS__) : function(4, __VA_ARGS__))

/* Copies n characters to a buffer of the same or a wider kind (1, 2 or 4 bytes). */
void _PyUnicode_WidenCopy(int to_kind, void *to, int from_kind,
                          const void *from, Py_ssize_t n);
/* The largest character of a buffer, rounded up to 0x7f, 0xff, 0xffff or
   0x10ffff. */
Py_UCS4 _PyUnicode_MaxCharOf(int kind, const void *data, Py_ssize_t n);

/* str % args, str.format, and the format() mini-language. */
int _PyLong_FormatAdvancedWriter(_PyUnicodeWriter *writer, PyObject *obj,
                                 PyObject *format_spec,
                                 Py_ssize_t start, Py_ssize_t end);
int _PyFloat_FormatAdvancedWriter(_PyUnicodeWriter *writer, PyObject *obj,
                                  PyObject *format_spec,
                                  Py_ssize_t start, Py_ssize_t end);
int _PyComplex_FormatAdvancedWriter(_PyUnicodeWriter *writer, PyObject *obj,
                                    PyObject *format_spec,
                                    Py_ssize_t start, Py_ssize_t end);

/* __format__ of a type that one of the above writes. Returns a new reference. */
typedef int (*_PyFormatWriter)(_PyUnicodeWriter *, PyObject *, PyObject *, Py_ssize_t,
                               Py_ssize_t);
PyObject *_PyFormat_Method(PyObject *self, PyObject *spec, _PyFormatWriter write);

/* Writes str(obj) for an exact str, int or float without making the
   intermediate object where it can be avoided. */
int _PyUnicodeWriter_WriteValueStr(_PyUnicodeWriter *writer, PyObject *obj);

/* The file system encoding. The defaults are "utf-8" and
   "surrogateescape"; start-up calls this once when the configuration says
   otherwise (the strings are copied). */
int _PyUnicode_SetFSCodec(const char *encoding, const char *errors);
/* Re-decodes the name of the file system codec through the codecs module,
   once `encodings` can be imported. */
int _PyUnicode_InitEncodings(void);
/* Before another Py_Initialize: the codec of file names is not known yet. */
void _PyUnicode_ForgetEncodings(void);

/* Error handlers that the codecs know without asking the registry. */
typedef enum {
    _Py_ERROR_UNKNOWN = 0,
    _Py_ERROR_STRICT,
    _Py_ERROR_SURROGATEESCAPE,
    _Py_ERROR_REPLACE,
    _Py_ERROR_IGNORE,
    _Py_ERROR_BACKSLASHREPLACE,
    _Py_ERROR_SURROGATEPASS,
    _Py_ERROR_XMLCHARREFREPLACE,
    _Py_ERROR_OTHER
} _Py_error_handler;

PyAPI_FUNC(_Py_error_handler) _Py_GetErrorHandler(const char *errors);

/* Text of the C locale, before and after the runtime is up: memory from
   PyMem_RawMalloc. Return 0; -1: out of memory; -2: undecodable (reason and
   *wlen or *error_pos tell); -3: unsupported error handler. */
PyAPI_FUNC(int) _Py_DecodeLocaleEx(const char *arg, wchar_t **wstr, size_t *wlen,
                       const char **reason, int current_locale,
                       _Py_error_handler errors);
PyAPI_FUNC(int) _Py_EncodeLocaleEx(const wchar_t *text, char **str, size_t *error_pos,
                       const char **reason, int current_locale,
                       _Py_error_handler errors);
/* Says that locale text is UTF-8 whatever the C locale is (UTF-8 mode). */
void _Py_SetUTF8Mode(int enabled);

/* \N{...}: unicodedata._ucnhash_CAPI. */
typedef struct {
    /* The name of `code` into buffer; 1 on success, 0 when it has none. */
    int (*getname)(Py_UCS4 code, char *buffer, int buflen,
                   int with_alias_and_seq);
    /* The character of a name; 1 on success, 0 when unknown. */
    int (*getcode)(const char *name, int namelen, Py_UCS4 *code,
                   int with_named_seq);
} _PyUnicode_Name_CAPI;

#define PyUnicodeData_CAPSULE_NAME "unicodedata._ucnhash_CAPI"

/* The capsule's content, imported on first use; NULL with an exception. */
const _PyUnicode_Name_CAPI *_PyUnicode_GetNameCAPI(void);

/* Warns of an escape that means nothing: a character, or the value of octal digits above
   0377; -1: there was none. Returns `result`, which it steals, or NULL if the warning became
   an error. */
PyObject *_PyUnicode_WarnOfEscape(PyObject *result, int ch);

extern PyTypeObject _PyUnicodeASCIIIter_Type;
extern PyTypeObject _PyUnicodeEncodingMap_Type;
extern PyTypeObject _PyFormatterIter_Type;
extern PyTypeObject _PyFieldNameIter_Type;

/* Fast paths of format(value, spec) and format % args for str `format` and `spec`. Return a
   new reference; NULL without an exception when they do not apply. */
PyObject *_PyUnicode_QuickFormat(PyObject *value, PyObject *spec);
PyObject *_PyUnicode_QuickPercent(PyObject *format, PyObject *args);

/* `name` as it is mangled inside class `private_name` (NULL: none). Returns a new
   reference. */
PyObject *_Py_Mangle(PyObject *private_name, PyObject *name);

#endif

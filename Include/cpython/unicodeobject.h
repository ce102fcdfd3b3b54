/* The layout of str, and access to its characters.

   A str holds its characters in 1, 2 or 4 bytes each (its kind), the smallest size that
   fits its largest character. In a compact str, which PyUnicode_New makes, they follow
   the structure: PyASCIIObject if all are below 128, else PyCompactUnicodeObject. A
   PyUnicodeObject, an instance of a subclass, has them in a block of their own. */
#ifndef Py_CPYTHON_UNICODEOBJECT_H
#define Py_CPYTHON_UNICODEOBJECT_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------------------- layout */

#define PY_UNICODE_TYPE wchar_t
typedef wchar_t Py_UNICODE;
#define USE_UNICODE_WCHAR_CACHE 1

/* Values of state.interned. */
#define SSTATE_NOT_INTERNED       0
#define SSTATE_INTERNED_MORTAL    1
#define SSTATE_INTERNED_IMMORTAL  2

/* Values of state.kind. */
enum PyUnicode_Kind {
    PyUnicode_WCHAR_KIND = 0,   /* not ready: only wstr is set. Springboard makes none. */
    PyUnicode_1BYTE_KIND = 1,
    PyUnicode_2BYTE_KIND = 2,
    PyUnicode_4BYTE_KIND = 4
};

typedef struct {
    PyObject_HEAD
    Py_ssize_t length;          /* in characters */
    Py_hash_t hash;             /* -1: not yet known */
    struct {
        unsigned int interned:2;
        unsigned int kind:3;
        unsigned int compact:1;
        unsigned int ascii:1;   /* kind 1; the text is also its UTF-8 */
        unsigned int ready:1;
        unsigned int :24;
    } state;
    wchar_t *wstr;              /* as wchar_t, made on request; or NULL */
} PyASCIIObject;

typedef struct {
    PyASCIIObject _base;
    Py_ssize_t utf8_length;
    char *utf8;                 /* made on request; or NULL */
    Py_ssize_t wstr_length;
} PyCompactUnicodeObject;

typedef struct {
    PyCompactUnicodeObject _base;
    union {
        void *any;
        Py_UCS1 *latin1;
        Py_UCS2 *ucs2;
        Py_UCS4 *ucs4;
    } data;
} PyUnicodeObject;

#define _PyASCIIObject_CAST(op) \
    (assert(PyUnicode_Check(op)), _Py_CAST(PyASCIIObject *, (op)))
#define _PyCompactUnicodeObject_CAST(op) \
    (assert(PyUnicode_Check(op)), _Py_CAST(PyCompactUnicodeObject *, (op)))
#define _PyUnicodeObject_CAST(op) \
    (assert(PyUnicode_Check(op)), _Py_CAST(PyUnicodeObject *, (op)))

/* Members of state. */
static inline unsigned int
PyUnicode_CHECK_INTERNED(PyObject *op)
{
    return _PyASCIIObject_CAST(op)->state.interned;
}
#define PyUnicode_CHECK_INTERNED(op) PyUnicode_CHECK_INTERNED(_PyObject_CAST(op))

static inline unsigned int
PyUnicode_IS_READY(PyObject *op)
{
    return _PyASCIIObject_CAST(op)->state.ready;
}
#define PyUnicode_IS_READY(op) PyUnicode_IS_READY(_PyObject_CAST(op))

static inline unsigned int
PyUnicode_IS_ASCII(PyObject *op)
{
    assert(PyUnicode_IS_READY(op));
    return _PyASCIIObject_CAST(op)->state.ascii;
}
#define PyUnicode_IS_ASCII(op) PyUnicode_IS_ASCII(_PyObject_CAST(op))

static inline unsigned int
PyUnicode_IS_COMPACT(PyObject *op)
{
    return _PyASCIIObject_CAST(op)->state.compact;
}
#define PyUnicode_IS_COMPACT(op) PyUnicode_IS_COMPACT(_PyObject_CAST(op))

static inline int
PyUnicode_IS_COMPACT_ASCII(PyObject *op)
{
    PyASCIIObject *ascii = _PyASCIIObject_CAST(op);

    return ascii->state.ascii && ascii->state.compact;
}
#define PyUnicode_IS_COMPACT_ASCII(op) PyUnicode_IS_COMPACT_ASCII(_PyObject_CAST(op))

#define PyUnicode_KIND(op) \
    (assert(PyUnicode_IS_READY(op)), _PyASCIIObject_CAST(op)->state.kind)

/* --------------------------------------------------------------- characters */

/* Return 0, or -1. Every str that Springboard makes is ready. */
PyAPI_FUNC(int) _PyUnicode_Ready(PyObject *unicode);

static inline int
PyUnicode_READY(PyObject *op)
{
    return PyUnicode_IS_READY(op) ? 0 : _PyUnicode_Ready(op);
}
#define PyUnicode_READY(op) PyUnicode_READY(_PyObject_CAST(op))

static inline Py_ssize_t
PyUnicode_GET_LENGTH(PyObject *op)
{
    assert(PyUnicode_IS_READY(op));
    return _PyASCIIObject_CAST(op)->length;
}
#define PyUnicode_GET_LENGTH(op) PyUnicode_GET_LENGTH(_PyObject_CAST(op))

/* The address of the characters, which end with a 0. */
static inline void *
_PyUnicode_COMPACT_DATA(PyObject *op)
{
    return PyUnicode_IS_ASCII(op)
        ? _Py_STATIC_CAST(void *, _PyASCIIObject_CAST(op) + 1)
        : _Py_STATIC_CAST(void *, _PyCompactUnicodeObject_CAST(op) + 1);
}

static inline void *
_PyUnicode_NONCOMPACT_DATA(PyObject *op)
{
    assert(!PyUnicode_IS_COMPACT(op));
    assert(_PyUnicodeObject_CAST(op)->data.any != _Py_NULL);
    return _PyUnicodeObject_CAST(op)->data.any;
}

static inline void *
PyUnicode_DATA(PyObject *op)
{
    return PyUnicode_IS_COMPACT(op) ? _PyUnicode_COMPACT_DATA(op)
                                    : _PyUnicode_NONCOMPACT_DATA(op);
}
#define PyUnicode_DATA(op) PyUnicode_DATA(_PyObject_CAST(op))

#define PyUnicode_1BYTE_DATA(op) _Py_STATIC_CAST(Py_UCS1 *, PyUnicode_DATA(op))
#define PyUnicode_2BYTE_DATA(op) _Py_STATIC_CAST(Py_UCS2 *, PyUnicode_DATA(op))
#define PyUnicode_4BYTE_DATA(op) _Py_STATIC_CAST(Py_UCS4 *, PyUnicode_DATA(op))

/* In a loop, get the kind and the data once. */
static inline Py_UCS4
PyUnicode_READ(int kind, const void *data, Py_ssize_t index)
{
    assert(index >= 0);
    if (kind == PyUnicode_1BYTE_KIND) {
        return _Py_STATIC_CAST(const Py_UCS1 *, data)[index];
    }
    if (kind == PyUnicode_2BYTE_KIND) {
        return _Py_STATIC_CAST(const Py_UCS2 *, data)[index];
    }
    assert(kind == PyUnicode_4BYTE_KIND);
    return _Py_STATIC_CAST(const Py_UCS4 *, data)[index];
}
#define PyUnicode_READ(kind, data, index) \
    PyUnicode_READ(_Py_STATIC_CAST(int, (kind)), _Py_STATIC_CAST(const void *, (data)), \
                   (index))

/* Only for a new str that no other code has seen. */
static inline void
PyUnicode_WRITE(int kind, void *data, Py_ssize_t index, Py_UCS4 value)
{
    assert(index >= 0);
    if (kind == PyUnicode_1BYTE_KIND) {
        assert(value <= 0xffU);
        _Py_STATIC_CAST(Py_UCS1 *, data)[index] = _Py_STATIC_CAST(Py_UCS1, value);
    }
    else if (kind == PyUnicode_2BYTE_KIND) {
        assert(value <= 0xffffU);
        _Py_STATIC_CAST(Py_UCS2 *, data)[index] = _Py_STATIC_CAST(Py_UCS2, value);
    }
    else {
        assert(kind == PyUnicode_4BYTE_KIND);
        assert(value <= 0x10ffffU);
        _Py_STATIC_CAST(Py_UCS4 *, data)[index] = value;
    }
}
#define PyUnicode_WRITE(kind, data, index, value) \
    PyUnicode_WRITE(_Py_STATIC_CAST(int, (kind)), _Py_CAST(void *, (data)), (index), \
                    _Py_STATIC_CAST(Py_UCS4, (value)))

static inline Py_UCS4
PyUnicode_READ_CHAR(PyObject *unicode, Py_ssize_t index)
{
    assert(index >= 0 && index <= PyUnicode_GET_LENGTH(unicode));
    return PyUnicode_READ(PyUnicode_KIND(unicode), PyUnicode_DATA(unicode), index);
}
#define PyUnicode_READ_CHAR(unicode, index) \
    PyUnicode_READ_CHAR(_PyObject_CAST(unicode), (index))

/* An upper bound: 127, 255, 65535 or 1114111. */
static inline Py_UCS4
PyUnicode_MAX_CHAR_VALUE(PyObject *op)
{
    if (PyUnicode_IS_ASCII(op)) {
        return 0x7fU;
    }
    switch (PyUnicode_KIND(op)) {
    case PyUnicode_1BYTE_KIND:
        return 0xffU;
    case PyUnicode_2BYTE_KIND:
        return 0xffffU;
    default:
        return 0x10ffffU;
    }
}
#define PyUnicode_MAX_CHAR_VALUE(op) PyUnicode_MAX_CHAR_VALUE(_PyObject_CAST(op))

/* A new str with room for size characters up to maxchar, which the caller fills. */
PyAPI_FUNC(PyObject *) PyUnicode_New(Py_ssize_t size, Py_UCS4 maxchar);
PyAPI_FUNC(PyObject *) PyUnicode_FromKindAndData(int kind, const void *buffer,
    Py_ssize_t size);
/* Returns the number of characters written, or -1. The target must be new. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_CopyCharacters(PyObject *to, Py_ssize_t to_start,
    PyObject *from, Py_ssize_t from_start, Py_ssize_t how_many);
PyAPI_FUNC(Py_ssize_t) PyUnicode_Fill(PyObject *unicode, Py_ssize_t start,
    Py_ssize_t length, Py_UCS4 fill_char);
/* The same without checks. */
PyAPI_FUNC(void) _PyUnicode_FastCopyCharacters(PyObject *to, Py_ssize_t to_start,
    PyObject *from, Py_ssize_t from_start, Py_ssize_t how_many);
PyAPI_FUNC(void) _PyUnicode_FastFill(PyObject *unicode, Py_ssize_t start,
    Py_ssize_t length, Py_UCS4 fill_char);
PyAPI_FUNC(PyObject *) _PyUnicode_FromASCII(const char *buffer, Py_ssize_t size);
PyAPI_FUNC(PyObject *) _PyUnicode_Copy(PyObject *unicode);
PyAPI_FUNC(Py_UCS4) _PyUnicode_FindMaxChar(PyObject *unicode, Py_ssize_t start,
    Py_ssize_t end);
PyAPI_FUNC(int) _PyUnicode_CheckConsistency(PyObject *op, int check_content);

/* The str's own UTF-8, which ends with NUL. */
PyAPI_FUNC(const char *) PyUnicode_AsUTF8(PyObject *unicode);
#define _PyUnicode_AsString PyUnicode_AsUTF8

/* ------------------------------------------------------ wchar_t, deprecated */

Py_DEPRECATED(3.3) PyAPI_FUNC(PyObject *) PyUnicode_FromUnicode(const Py_UNICODE *u,
    Py_ssize_t size);
Py_DEPRECATED(3.3) PyAPI_FUNC(Py_UNICODE *) PyUnicode_AsUnicode(PyObject *unicode);
Py_DEPRECATED(3.3) PyAPI_FUNC(Py_UNICODE *) PyUnicode_AsUnicodeAndSize(PyObject *unicode,
    Py_ssize_t *size);
PyAPI_FUNC(const Py_UNICODE *) _PyUnicode_AsUnicode(PyObject *unicode);

Py_DEPRECATED(3.3) static inline Py_ssize_t
PyUnicode_WSTR_LENGTH(PyObject *op)
{
    return PyUnicode_IS_COMPACT_ASCII(op) ? _PyASCIIObject_CAST(op)->length
                                          : _PyCompactUnicodeObject_CAST(op)->wstr_length;
}
#define PyUnicode_WSTR_LENGTH(op) PyUnicode_WSTR_LENGTH(_PyObject_CAST(op))

_Py_COMP_DIAG_PUSH
_Py_COMP_DIAG_IGNORE_DEPR_DECLS
Py_DEPRECATED(3.3) static inline Py_ssize_t
PyUnicode_GET_SIZE(PyObject *op)
{
    if (_PyASCIIObject_CAST(op)->wstr == _Py_NULL) {
        (void)PyUnicode_AsUnicode(op);
    }
    return PyUnicode_WSTR_LENGTH(op);
}
#define PyUnicode_GET_SIZE(op) PyUnicode_GET_SIZE(_PyObject_CAST(op))

Py_DEPRECATED(3.3) static inline Py_ssize_t
PyUnicode_GET_DATA_SIZE(PyObject *op)
{
    return PyUnicode_GET_SIZE(op) * _Py_STATIC_CAST(Py_ssize_t, sizeof(Py_UNICODE));
}
#define PyUnicode_GET_DATA_SIZE(op) PyUnicode_GET_DATA_SIZE(_PyObject_CAST(op))

Py_DEPRECATED(3.3) static inline Py_UNICODE *
PyUnicode_AS_UNICODE(PyObject *op)
{
    wchar_t *wstr = _PyASCIIObject_CAST(op)->wstr;

    return wstr != _Py_NULL ? wstr : PyUnicode_AsUnicode(op);
}
#define PyUnicode_AS_UNICODE(op) PyUnicode_AS_UNICODE(_PyObject_CAST(op))

Py_DEPRECATED(3.3) static inline const char *
PyUnicode_AS_DATA(PyObject *op)
{
    return _Py_CAST(const char *, PyUnicode_AS_UNICODE(op));
}
#define PyUnicode_AS_DATA(op) PyUnicode_AS_DATA(_PyObject_CAST(op))
_Py_COMP_DIAG_POP

/* ------------------------------------------------------------------- writer */

/* Builds a str of unknown length: Init, Prepare and Write, Finish or Dealloc. They return
   0, or -1. */
typedef struct {
    PyObject *buffer;           /* or NULL */
    void *data;                 /* of buffer, as the next two members */
    enum PyUnicode_Kind kind;
    Py_UCS4 maxchar;
    Py_ssize_t size;
    Py_ssize_t pos;             /* characters written */
    Py_ssize_t min_length;      /* initial guesses, set by the user after Init */
    Py_UCS4 min_char;
    unsigned char overallocate; /* more will follow */
    unsigned char readonly;     /* buffer is an existing str */
} _PyUnicodeWriter;

PyAPI_FUNC(void) _PyUnicodeWriter_Init(_PyUnicodeWriter *writer);
/* Makes room for length characters up to maxchar at pos. */
PyAPI_FUNC(int) _PyUnicodeWriter_PrepareInternal(_PyUnicodeWriter *writer,
    Py_ssize_t length, Py_UCS4 maxchar);
PyAPI_FUNC(int) _PyUnicodeWriter_PrepareKindInternal(_PyUnicodeWriter *writer,
    enum PyUnicode_Kind kind);
#define _PyUnicodeWriter_Prepare(WRITER, LENGTH, MAXCHAR) \
    ((LENGTH) == 0 \
     || ((MAXCHAR) <= (WRITER)->maxchar && (LENGTH) <= (WRITER)->size - (WRITER)->pos) \
         ? 0 : _PyUnicodeWriter_PrepareInternal((WRITER), (LENGTH), (MAXCHAR)))
#define _PyUnicodeWriter_PrepareKind(WRITER, KIND) \
    ((KIND) <= (WRITER)->kind \
         ? 0 : _PyUnicodeWriter_PrepareKindInternal((WRITER), (KIND)))
PyAPI_FUNC(int) _PyUnicodeWriter_WriteChar(_PyUnicodeWriter *writer, Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicodeWriter_WriteStr(_PyUnicodeWriter *writer, PyObject *str);
PyAPI_FUNC(int) _PyUnicodeWriter_WriteSubstring(_PyUnicodeWriter *writer, PyObject *str,
    Py_ssize_t start, Py_ssize_t end);
PyAPI_FUNC(int) _PyUnicodeWriter_WriteASCIIString(_PyUnicodeWriter *writer,
    const char *str, Py_ssize_t len);
PyAPI_FUNC(int) _PyUnicodeWriter_WriteLatin1String(_PyUnicodeWriter *writer,
    const char *str, Py_ssize_t len);
PyAPI_FUNC(PyObject *) _PyUnicodeWriter_Finish(_PyUnicodeWriter *writer);
PyAPI_FUNC(void) _PyUnicodeWriter_Dealloc(_PyUnicodeWriter *writer);
PyAPI_FUNC(int) _PyUnicode_FormatAdvancedWriter(_PyUnicodeWriter *writer, PyObject *obj,
    PyObject *format_spec, Py_ssize_t start, Py_ssize_t end);

/* ------------------------------------------------------------------- codecs */

PyAPI_FUNC(PyObject *) _PyUnicode_AsUTF8String(PyObject *unicode, const char *errors);
PyAPI_FUNC(PyObject *) _PyUnicode_EncodeUTF7(PyObject *unicode, int base64_set_o,
    int base64_whitespace, const char *errors);
PyAPI_FUNC(PyObject *) _PyUnicode_EncodeUTF16(PyObject *unicode, const char *errors,
    int byteorder);
PyAPI_FUNC(PyObject *) _PyUnicode_EncodeUTF32(PyObject *unicode, const char *errors,
    int byteorder);
PyAPI_FUNC(PyObject *) _PyUnicode_AsLatin1String(PyObject *unicode, const char *errors);
PyAPI_FUNC(PyObject *) _PyUnicode_AsASCIIString(PyObject *unicode, const char *errors);
PyAPI_FUNC(PyObject *) _PyUnicode_EncodeCharmap(PyObject *unicode, PyObject *mapping,
    const char *errors);
PyAPI_FUNC(PyObject *) _PyUnicode_DecodeUnicodeEscapeStateful(const char *string,
    Py_ssize_t length, const char *errors, Py_ssize_t *consumed);
PyAPI_FUNC(PyObject *) _PyUnicode_DecodeUnicodeEscapeInternal(const char *string,
    Py_ssize_t length, const char *errors, Py_ssize_t *consumed,
    const char **first_invalid_escape);
PyAPI_FUNC(PyObject *) _PyUnicode_DecodeUnicodeEscapeInternal2(const char *string,
    Py_ssize_t length, const char *errors, Py_ssize_t *consumed,
    int *first_invalid_escape_char, const char **first_invalid_escape);
PyAPI_FUNC(PyObject *) _PyUnicode_DecodeRawUnicodeEscapeStateful(const char *string,
    Py_ssize_t length, const char *errors, Py_ssize_t *consumed);

/* --------------------------------------------------------------- operations */

/* Decimal digits become ASCII ones, spaces ' ', anything else above 127 '?'. */
PyAPI_FUNC(PyObject *) _PyUnicode_TransformDecimalAndSpaceToASCII(PyObject *unicode);
PyAPI_FUNC(PyObject *) _PyUnicode_JoinArray(PyObject *separator, PyObject *const *items,
    Py_ssize_t seqlen);
/* Returns 1 or 0. Can't fail. */
PyAPI_FUNC(int) _PyUnicode_EQ(PyObject *a, PyObject *b);
PyAPI_FUNC(int) _PyUnicode_Equal(PyObject *a, PyObject *b);
PyAPI_FUNC(int) _PyUnicode_EqualToASCIIString(PyObject *left, const char *right);
PyAPI_FUNC(int) _PyUnicode_EqualToASCIIId(PyObject *left, _Py_Identifier *right);
/* striptype: 0 left, 1 right, 2 both. */
PyAPI_FUNC(PyObject *) _PyUnicode_XStrip(PyObject *self, int striptype, PyObject *sepobj);
PyAPI_FUNC(Py_ssize_t) _PyUnicode_InsertThousandsGrouping(_PyUnicodeWriter *writer,
    Py_ssize_t n_buffer, PyObject *digits, Py_ssize_t d_pos, Py_ssize_t n_digits,
    Py_ssize_t min_width, const char *grouping, PyObject *thousands_sep,
    Py_UCS4 *maxchar);
PyAPI_FUNC(PyObject *) _PyUnicode_FormatLong(PyObject *val, int alt, int prec, int type);
/* How many characters at the start form an identifier. */
PyAPI_FUNC(Py_ssize_t) _PyUnicode_ScanIdentifier(PyObject *unicode);
/* The str of an identifier. Returns a borrowed reference. */
PyAPI_FUNC(PyObject *) _PyUnicode_FromId(_Py_Identifier *id);
/* For O& of PyArg_Parse: stores a wchar_t *, to be freed with PyMem_Free. Opt takes None,
   too. */
PyAPI_FUNC(int) _PyUnicode_WideCharString_Converter(PyObject *obj, void *ptr);
PyAPI_FUNC(int) _PyUnicode_WideCharString_Opt_Converter(PyObject *obj, void *ptr);

/* ------------------------------------------------------------ one character */

PyAPI_DATA(const unsigned char) _Py_ascii_whitespace[];

PyAPI_FUNC(int) _PyUnicode_IsLowercase(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsUppercase(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsTitlecase(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsAlpha(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsDecimalDigit(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsDigit(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsNumeric(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsPrintable(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsWhitespace(const Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsLinebreak(const Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsXidStart(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsXidContinue(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsCased(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_IsCaseIgnorable(Py_UCS4 ch);
PyAPI_FUNC(Py_UCS4) _PyUnicode_ToLowercase(Py_UCS4 ch);
PyAPI_FUNC(Py_UCS4) _PyUnicode_ToUppercase(Py_UCS4 ch);
Py_DEPRECATED(3.3) PyAPI_FUNC(Py_UCS4) _PyUnicode_ToTitlecase(Py_UCS4 ch);
/* Store up to three characters. Return how many. */
PyAPI_FUNC(int) _PyUnicode_ToLowerFull(Py_UCS4 ch, Py_UCS4 *res);
PyAPI_FUNC(int) _PyUnicode_ToUpperFull(Py_UCS4 ch, Py_UCS4 *res);
PyAPI_FUNC(int) _PyUnicode_ToTitleFull(Py_UCS4 ch, Py_UCS4 *res);
PyAPI_FUNC(int) _PyUnicode_ToFoldedFull(Py_UCS4 ch, Py_UCS4 *res);
/* -1 if there is none. */
PyAPI_FUNC(int) _PyUnicode_ToDecimalDigit(Py_UCS4 ch);
PyAPI_FUNC(int) _PyUnicode_ToDigit(Py_UCS4 ch);
PyAPI_FUNC(double) _PyUnicode_ToNumeric(Py_UCS4 ch);

#define Py_UNICODE_ISSPACE(ch) \
    ((Py_UCS4)(ch) < 128U ? _Py_ascii_whitespace[(ch)] : _PyUnicode_IsWhitespace(ch))
#define Py_UNICODE_ISLOWER(ch)     _PyUnicode_IsLowercase(ch)
#define Py_UNICODE_ISUPPER(ch)     _PyUnicode_IsUppercase(ch)
#define Py_UNICODE_ISTITLE(ch)     _PyUnicode_IsTitlecase(ch)
#define Py_UNICODE_ISLINEBREAK(ch) _PyUnicode_IsLinebreak(ch)
#define Py_UNICODE_ISDECIMAL(ch)   _PyUnicode_IsDecimalDigit(ch)
#define Py_UNICODE_ISDIGIT(ch)     _PyUnicode_IsDigit(ch)
#define Py_UNICODE_ISNUMERIC(ch)   _PyUnicode_IsNumeric(ch)
#define Py_UNICODE_ISPRINTABLE(ch) _PyUnicode_IsPrintable(ch)
#define Py_UNICODE_ISALPHA(ch)     _PyUnicode_IsAlpha(ch)
#define Py_UNICODE_ISALNUM(ch) \
    (Py_UNICODE_ISALPHA(ch) || Py_UNICODE_ISDECIMAL(ch) || Py_UNICODE_ISDIGIT(ch) \
     || Py_UNICODE_ISNUMERIC(ch))
#define Py_UNICODE_TOLOWER(ch)     _PyUnicode_ToLowercase(ch)
#define Py_UNICODE_TOUPPER(ch)     _PyUnicode_ToUppercase(ch)
#define Py_UNICODE_TOTITLE(ch)     _PyUnicode_ToTitlecase(ch)
#define Py_UNICODE_TODECIMAL(ch)   _PyUnicode_ToDecimalDigit(ch)
#define Py_UNICODE_TODIGIT(ch)     _PyUnicode_ToDigit(ch)
#define Py_UNICODE_TONUMERIC(ch)   _PyUnicode_ToNumeric(ch)

/* UTF-16's surrogates. */
#define Py_UNICODE_IS_SURROGATE(ch)      (0xD800 <= (ch) && (ch) <= 0xDFFF)
#define Py_UNICODE_IS_HIGH_SURROGATE(ch) (0xD800 <= (ch) && (ch) <= 0xDBFF)
#define Py_UNICODE_IS_LOW_SURROGATE(ch)  (0xDC00 <= (ch) && (ch) <= 0xDFFF)
#define Py_UNICODE_JOIN_SURROGATES(high, low) \
    (0x10000 + ((((Py_UCS4)(high) & 0x03FF) << 10) | ((Py_UCS4)(low) & 0x03FF)))
#define Py_UNICODE_HIGH_SURROGATE(ch)    (0xD800 - (0x10000 >> 10) + ((ch) >> 10))
#define Py_UNICODE_LOW_SURROGATE(ch)     (0xDC00 + ((ch) & 0x3FF))

_Py_END_DECLS
#endif

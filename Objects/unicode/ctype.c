/* Properties of characters.

   unicode_tables.h is generated at build time by Tools/unicode/make_type_tables.py. Two
   index tables map a code point to one of a few hundred distinct records. A record's
   case fields are differences from the code point, unless CHAR_EXTENDED_CASE is set:
   then `upper` is the index of a CaseRecord, which holds the simple mappings and the
   full ones (up to three characters, in case_text). */
#include "Python.h"
#include "internal/unicode.h"

typedef struct {
    int32_t upper;
    int32_t lower;
    int32_t title;
    uint8_t decimal;
    uint8_t digit;
    uint16_t flags;
} CharRecord;

typedef struct {
    Py_UCS4 upper;
    Py_UCS4 lower;
    Py_UCS4 title;
    uint32_t full_upper;        /* length << 24 | index of case_text */
    uint32_t full_lower;
    uint32_t full_title;
    uint32_t folded;
} CaseRecord;

typedef struct {
    Py_UCS4 code;
    double value;
} NumericRecord;

#include "generated/unicode_tables.h"

/* One for each ASCII character that str.isspace() accepts. */
const unsigned char _Py_ascii_whitespace[128] = {
    ['\t'] = 1, ['\n'] = 1, ['\v'] = 1, ['\f'] = 1, ['\r'] = 1,
    [0x1c] = 1, [0x1d] = 1, [0x1e] = 1, [0x1f] = 1, [' '] = 1,
};

static inline const CharRecord *
char_record(Py_UCS4 ch)
{
    if (ch > 0x10ffff) {
        return &char_records[0];
    }
    unsigned int block = char_index1[ch >> CHAR_INDEX_SHIFT];
    unsigned int offset = ch & ((1u << CHAR_INDEX_SHIFT) - 1);
    return &char_records[char_index2[(block << CHAR_INDEX_SHIFT) + offset]];
}

static inline int
has_flag(Py_UCS4 ch, unsigned int flag)
{
    return (char_record(ch)->flags & flag) != 0;
}

#define PREDICATE(name, flag)       \
    int                             \
    _PyUnicode_##name(Py_UCS4 ch)   \
    {                               \
        return has_flag(ch, flag);  \
    }

PREDICATE(IsLowercase, CHAR_LOWER)
PREDICATE(IsUppercase, CHAR_UPPER)
PREDICATE(IsTitlecase, CHAR_TITLE)
PREDICATE(IsXidStart, CHAR_XID_START)
PREDICATE(IsXidContinue, CHAR_XID_CONTINUE)
PREDICATE(IsCased, CHAR_CASED)
PREDICATE(IsCaseIgnorable, CHAR_CASE_IGNORABLE)
PREDICATE(IsNumeric, CHAR_NUMERIC)
PREDICATE(IsPrintable, CHAR_PRINTABLE)
PREDICATE(IsAlpha, CHAR_ALPHA)
PREDICATE(IsWhitespace, CHAR_SPACE)
PREDICATE(IsLinebreak, CHAR_LINEBREAK)

int
_PyUnicode_ToDecimalDigit(Py_UCS4 ch)
{
    const CharRecord *record = char_record(ch);
    return record->flags & CHAR_DECIMAL ? record->decimal : -1;
}

int
_PyUnicode_IsDecimalDigit(Py_UCS4 ch)
{
    return has_flag(ch, CHAR_DECIMAL);
}

int
_PyUnicode_ToDigit(Py_UCS4 ch)
{
    const CharRecord *record = char_record(ch);
    return record->flags & CHAR_DIGIT ? record->digit : -1;
}

int
_PyUnicode_IsDigit(Py_UCS4 ch)
{
    return has_flag(ch, CHAR_DIGIT);
}

double
_PyUnicode_ToNumeric(Py_UCS4 ch)
{
    size_t low = 0, high = Py_ARRAY_LENGTH(numeric_records);
    if (!has_flag(ch, CHAR_NUMERIC)) {
        return -1.0;
    }
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (numeric_records[middle].code < ch) {
            low = middle + 1;
        }
        else {
            high = middle;
        }
    }
    return numeric_records[low].value;
}

/* --------------------------------------------------------------------- case */

Py_UCS4
_PyUnicode_ToLowercase(Py_UCS4 ch)
{
    const CharRecord *record = char_record(ch);
    if (record->flags & CHAR_EXTENDED_CASE) {
        return case_records[record->upper].lower;
    }
    return ch + record->lower;
}

Py_UCS4
_PyUnicode_ToUppercase(Py_UCS4 ch)
{
    const CharRecord *record = char_record(ch);
    if (record->flags & CHAR_EXTENDED_CASE) {
        return case_records[record->upper].upper;
    }
    return ch + record->upper;
}

Py_UCS4
_PyUnicode_ToTitlecase(Py_UCS4 ch)
{
    const CharRecord *record = char_record(ch);
    if (record->flags & CHAR_EXTENDED_CASE) {
        return case_records[record->upper].title;
    }
    return ch + record->title;
}

/* Copies a full mapping to res, which has room for three characters. Returns its
   length. */
static int
expand(uint32_t mapping, Py_UCS4 *res)
{
    int length = (int)(mapping >> 24);
    const unsigned int start = mapping & 0xffffff;
    for (int i = 0; i < length; i++) {
        res[i] = case_text[start + i];
    }
    return length;
}

int
_PyUnicode_ToLowerFull(Py_UCS4 ch, Py_UCS4 *res)
{
    const CharRecord *record = char_record(ch);
    if (record->flags & CHAR_EXTENDED_CASE) {
        return expand(case_records[record->upper].full_lower, res);
    }
    res[0] = ch + record->lower;
    return 1;
}

int
_PyUnicode_ToUpperFull(Py_UCS4 ch, Py_UCS4 *res)
{
    const CharRecord *record = char_record(ch);
    if (record->flags & CHAR_EXTENDED_CASE) {
        return expand(case_records[record->upper].full_upper, res);
    }
    res[0] = ch + record->upper;
    return 1;
}

int
_PyUnicode_ToTitleFull(Py_UCS4 ch, Py_UCS4 *res)
{
    const CharRecord *record = char_record(ch);
    if (record->flags & CHAR_EXTENDED_CASE) {
        return expand(case_records[record->upper].full_title, res);
    }
    res[0] = ch + record->title;
    return 1;
}

int
_PyUnicode_ToFoldedFull(Py_UCS4 ch, Py_UCS4 *res)
{
    const CharRecord *record = char_record(ch);
    if (record->flags & CHAR_EXTENDED_CASE) {
        return expand(case_records[record->upper].folded, res);
    }
    res[0] = ch + record->lower;
    return 1;
}

/* -------------------------------- numerals for int(), float() and complex() */

/* Decimal digits become ASCII digits, and white space becomes a blank. The first other
   character becomes '?' and ends the result. ASCII strings are returned unchanged. */
PyObject *
_PyUnicode_TransformDecimalAndSpaceToASCII(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (PyUnicode_IS_ASCII(op)) {
        return Py_NewRef(op);
    }
    const Py_ssize_t n = PyUnicode_GET_LENGTH(op);
    const int kind = PyUnicode_KIND(op);
    const void *data = PyUnicode_DATA(op);
    PyObject *result = PyUnicode_New(n, 127);
    if (result == NULL) {
        return NULL;
    }
    Py_UCS1 *out = PyUnicode_1BYTE_DATA(result);
    Py_ssize_t i = 0;
    for (; i < n; i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        int digit = _PyUnicode_ToDecimalDigit(ch);
        if (ch < 127) {
            out[i] = (Py_UCS1)ch;
        }
        else if (_PyUnicode_IsWhitespace(ch)) {
            out[i] = ' ';
        }
        else if (digit >= 0) {
            out[i] = (Py_UCS1)('0' + digit);
        }
        else {
            break;
        }
    }
    if (i < n) {
        out[i] = '?';
        out[i + 1 < n ? i + 1 : n] = '\0';
        Py_SETREF(result, PyUnicode_FromStringAndSize((char *)out, i + 1));
    }
    return result;
}

/* The format() mini-language for str, int, float and complex.

   [[fill]align][sign][z][#][0][width][grouping][.precision][type]

   A number consists of sign, prefix, grouped digits, decimal point and tail. '=' puts
   the padding between prefix and digits; padding zeros are grouped like digits. */
#include "private.h"
#include "internal/float.h"

#include <limits.h>
#include <locale.h>

typedef enum { GROUP_NONE, GROUP_COMMA, GROUP_UNDERSCORE, GROUP_LOCALE }
    Grouping;

typedef struct {
    Py_UCS4 fill;
    Py_UCS4 align;              /* one of < > = ^ */
    Py_UCS4 sign;               /* 0, '+', '-' or ' ' */
    int alternate;
    int no_negative_zero;
    Py_ssize_t width;           /* -1 when not given */
    Py_ssize_t precision;
    Grouping grouping;
    Py_UCS4 type;               /* 0 when not given */
    int fill_given;
    int align_given;
} Spec;

/* ------------------------------------------------------------------ parsing */

static int
is_align(Py_UCS4 ch)
{
    return ch == '<' || ch == '>' || ch == '=' || ch == '^';
}

/* A place in the text. next is the character there, 0 at the end. */
typedef struct {
    int kind;
    const void *data;
    Py_ssize_t pos, end;
    Py_UCS4 next;
} Cursor;

static inline void
move_to(Cursor *at, Py_ssize_t pos)
{
    at->pos = pos;
    at->next = pos < at->end ? PyUnicode_READ(at->kind, at->data, pos) : 0;
}

static inline void
skip(Cursor *at)
{
    move_to(at, at->pos + 1);
}

static inline int
accepts(Cursor *at, Py_UCS4 ch)
{
    if (at->next != ch) {
        return 0;
    }
    skip(at);
    return 1;
}

/* Reads a decimal number. Returns 1 if there is one, 0 if not, -1 on overflow. */
static int
read_number(Cursor *at, Py_ssize_t *number)
{
    Py_ssize_t value = 0, start = at->pos;
    for (;; skip(at)) {
        int digit = at->next < 128 ? (Py_ISDIGIT(at->next) ? (int)at->next - '0' : -1)
                                   : Py_UNICODE_TODECIMAL(at->next);
        if (digit < 0) {
            break;
        }
        if (value > (PY_SSIZE_T_MAX - digit) / 10) {
            PyErr_SetString(PyExc_ValueError,
                            "Too many decimal digits in format string");
            return -1;
        }
        value = value * 10 + digit;
    }
    if (at->pos == start) {
        return 0;
    }
    *number = value;
    return 1;
}

static void
unknown_type(Py_UCS4 type, PyObject *obj)
{
    const char *name = Py_TYPE(obj)->tp_name;
    if (type > 32 && type < 128) {
        PyErr_Format(PyExc_ValueError,
                     "Unknown format code '%c' for object of type '%.200s'",
                     (int)type, name);
    }
    else {
        PyErr_Format(PyExc_ValueError,
                     "Unknown format code '\\x%x' for object of type "
                     "'%.200s'", (unsigned int)type, name);
    }
}

static int
check_grouping(Spec *spec)
{
    switch (spec->type) {
    case 'd': case 'e': case 'f': case 'g': case 'E': case 'G': case '%':
    case 'F': case 0:
        return 0;
    case 'b': case 'o': case 'x': case 'X':
        if (spec->grouping == GROUP_UNDERSCORE) {
            return 0;
        }
        break;
    default:
        break;
    }
    const int separator = spec->grouping == GROUP_COMMA ? ',' : '_';
    if (spec->type > 32 && spec->type < 128) {
        PyErr_Format(PyExc_ValueError, "Cannot specify '%c' with '%c'.",
                     separator, (int)spec->type);
    }
    else {
        PyErr_Format(PyExc_ValueError, "Cannot specify '%c' with '\\x%x'.",
                     separator, (unsigned int)spec->type);
    }
    return -1;
}

static int
parse_spec(PyObject *obj, PyObject *text, Py_ssize_t start, Py_ssize_t end,
           Spec *spec, Py_UCS4 default_type, Py_UCS4 default_align)
{
    Cursor at = {.kind = KIND(text), .data = DATA(text), .end = end};
    move_to(&at, start);
    *spec = (Spec){.fill = ' ', .align = default_align, .width = -1,
                   .precision = -1, .type = default_type};
    if (end - start >= 2 && is_align(PyUnicode_READ(at.kind, at.data, start + 1))) {
        spec->fill = at.next;
        spec->align = PyUnicode_READ(at.kind, at.data, start + 1);
        spec->fill_given = spec->align_given = 1;
        move_to(&at, start + 2);
    }
    else if (is_align(at.next)) {
        spec->align = at.next;
        spec->align_given = 1;
        skip(&at);
    }
    if (at.next == '+' || at.next == '-' || at.next == ' ') {
        spec->sign = at.next;
        skip(&at);
    }
    spec->no_negative_zero = accepts(&at, 'z');
    spec->alternate = accepts(&at, '#');
    if (!spec->fill_given && accepts(&at, '0')) {
        spec->fill = '0';
        if (!spec->align_given && default_align == '>') {
            spec->align = '=';
        }
    }
    if (read_number(&at, &spec->width) < 0) {
        return -1;
    }
    if (accepts(&at, ',')) {
        spec->grouping = GROUP_COMMA;
    }
    if (accepts(&at, '_')) {
        if (spec->grouping != GROUP_NONE) {
            PyErr_SetString(PyExc_ValueError,
                            "Cannot specify both ',' and '_'.");
            return -1;
        }
        spec->grouping = GROUP_UNDERSCORE;
    }
    if (at.next == ',' && spec->grouping == GROUP_UNDERSCORE) {
        PyErr_SetString(PyExc_ValueError, "Cannot specify both ',' and '_'.");
        return -1;
    }
    if (accepts(&at, '.')) {
        int found = read_number(&at, &spec->precision);
        if (found < 0) {
            return -1;
        }
        if (found == 0) {
            PyErr_SetString(PyExc_ValueError,
                            "Format specifier missing precision");
            return -1;
        }
    }
    if (end - at.pos > 1) {
        PyObject *whole = PyUnicode_Substring(text, start, end);
        if (whole != NULL) {
            PyErr_Format(PyExc_ValueError,
                         "Invalid format specifier '%U' for object of type "
                         "'%.200s'", whole, Py_TYPE(obj)->tp_name);
            Py_DECREF(whole);
        }
        return -1;
    }
    if (end - at.pos == 1) {
        spec->type = at.next;
    }
    return spec->grouping == GROUP_NONE ? 0 : check_grouping(spec);
}

/* ------------------------------------------------------------------ padding */

static void
split_padding(Py_UCS4 align, Py_ssize_t padding, Py_ssize_t *left,
              Py_ssize_t *right)
{
    *left = align == '>' || align == '=' ? padding
        : align == '^' ? padding / 2 : 0;
    *right = padding - *left;
}

static void
put_fill(_PyUnicodeWriter *w, Py_ssize_t n, Py_UCS4 fill)
{
    if (n > 0) {
        _PyUnicode_FastFill(w->buffer, w->pos, n, fill);
        w->pos += n;
    }
}

/* ---------------------------------------------------------------------- str */

static int
format_str(PyObject *obj, const Spec *spec, _PyUnicodeWriter *w)
{
    const char *complaint = NULL;
    if (spec->sign) {
        complaint = spec->sign == ' '
            ? "Space not allowed in string format specifier"
            : "Sign not allowed in string format specifier";
    }
    else if (spec->no_negative_zero) {
        complaint = "Negative zero coercion (z) not allowed in string "
                    "format specifier";
    }
    else if (spec->alternate) {
        complaint = "Alternate form (#) not allowed in string format "
                    "specifier";
    }
    else if (spec->align == '=') {
        complaint = "'=' alignment not allowed in string format specifier";
    }
    if (complaint != NULL) {
        PyErr_SetString(PyExc_ValueError, complaint);
        return -1;
    }
    Py_ssize_t n = LENGTH(obj);
    if (spec->precision >= 0 && spec->precision < n) {
        n = spec->precision;
    }
    Py_ssize_t left, right, padding = Py_MAX(spec->width - n, 0);
    if (padding == 0) {
        return _PyUnicodeWriter_WriteSubstring(w, obj, 0, n);
    }
    split_padding(spec->align, padding, &left, &right);
    Py_UCS4 maxchar = Py_MAX(_PyUnicode_FindMaxChar(obj, 0, n), spec->fill);
    if (_PyUnicodeWriter_Prepare(w, n + padding, maxchar) < 0) {
        return -1;
    }
    put_fill(w, left, spec->fill);
    _PyUnicode_FastCopyCharacters(w->buffer, w->pos, obj, 0, n);
    w->pos += n;
    put_fill(w, right, spec->fill);
    return 0;
}

/* ----------------------------------------------------------------- grouping */

typedef struct {
    PyObject *point;
    PyObject *separator;
    const char *grouping;       /* as in struct lconv */
    char *owned_grouping;
} LocaleInfo;

static void
locale_clear(LocaleInfo *locale)
{
    Py_CLEAR(locale->point);
    Py_CLEAR(locale->separator);
    PyMem_Free(locale->owned_grouping);
}

static int
locale_load(LocaleInfo *locale, Grouping kind, int four)
{
    locale->owned_grouping = NULL;
    if (kind == GROUP_LOCALE) {
        const struct lconv *lc = localeconv();
        size_t size = strlen(lc->grouping) + 1;
        locale->owned_grouping = PyMem_Malloc(size);
        locale->point = PyUnicode_DecodeLocale(lc->decimal_point, NULL);
        locale->separator = PyUnicode_DecodeLocale(lc->thousands_sep, NULL);
        if (locale->owned_grouping == NULL && !PyErr_Occurred()) {
            PyErr_NoMemory();
        }
        if (locale->owned_grouping == NULL || locale->point == NULL
            || locale->separator == NULL)
        {
            locale_clear(locale);
            return -1;
        }
        memcpy(locale->owned_grouping, lc->grouping, size);
        locale->grouping = locale->owned_grouping;
        return 0;
    }
    locale->point = _PyUnicode_FromLatin1Char('.');
    locale->separator = kind == GROUP_NONE ? _PyUnicode_NewEmpty()
        : _PyUnicode_FromLatin1Char(kind == GROUP_COMMA ? ',' : '_');
    locale->grouping = kind == GROUP_NONE ? "" : four ? "\4" : "\3";
    return 0;
}

/* Returns the size of each group from the right. The last entry repeats; after CHAR_MAX
   there are no more groups, and 0 is returned. */
static Py_ssize_t
next_group(const char **grouping, Py_ssize_t previous)
{
    char size = **grouping;
    if (size == 0) {
        return previous;
    }
    if (size == CHAR_MAX) {
        return 0;
    }
    (*grouping)++;
    return (unsigned char)size;
}

/* Lays out digits[0:n] in groups from the right, with leading zeros up to min_width.
   With w == NULL it only measures; otherwise the last character goes to position
   `right` - 1. The digits are ASCII at kind/data. */
static Py_ssize_t
group_digits(_PyUnicodeWriter *w, Py_ssize_t right, int kind,
             const void *data, Py_ssize_t n, Py_ssize_t min_width,
             const char *grouping, PyObject *separator)
{
    Py_ssize_t total = 0, group = 0;
    const Py_ssize_t separator_length = LENGTH(separator);
    for (int first = 1;; first = 0) {
        group = next_group(&grouping, group);
        Py_ssize_t most = Py_MAX(Py_MAX(n, min_width), 1);
        Py_ssize_t size = group > 0 ? Py_MIN(group, most) : most;
        Py_ssize_t taken = Py_MIN(n, size);
        if (!first) {
            total += separator_length;
            if (w != NULL) {
                _PyUnicode_FastCopyCharacters(w->buffer, right - total,
                                              separator, 0,
                                              separator_length);
            }
        }
        total += size;
        if (w != NULL) {
            _PyUnicode_FastFill(w->buffer, right - total, size - taken, '0');
            for (Py_ssize_t i = 0; i < taken; i++) {
                PyUnicode_WRITE(w->kind, w->data, right - total
                                                  + (size - taken) + i,
                                PyUnicode_READ(kind, data, n - taken + i));
            }
        }
        n -= taken;
        min_width -= size;
        if (n <= 0 && min_width <= 0) {
            return total;
        }
        if (group == 0) {
            return total;
        }
        min_width -= separator_length;
    }
}

Py_ssize_t
_PyUnicode_InsertThousandsGrouping(_PyUnicodeWriter *writer,
                                   Py_ssize_t n_buffer, PyObject *digits,
                                   Py_ssize_t d_pos, Py_ssize_t n_digits,
                                   Py_ssize_t min_width,
                                   const char *grouping,
                                   PyObject *thousands_sep, Py_UCS4 *maxchar)
{
    min_width = Py_MAX(min_width, 0);
    const int kind = digits ? KIND(digits) : 1;
    const void *data = digits ? data_at(kind, DATA(digits), d_pos) : "";
    Py_ssize_t size = group_digits(NULL, 0, kind, data, n_digits, min_width,
                                   grouping, thousands_sep);
    if (writer != NULL) {
        group_digits(writer, writer->pos + n_buffer, kind, data, n_digits,
                     min_width, grouping, thousands_sep);
    }
    else if (size > n_digits) {
        *maxchar = Py_MAX(*maxchar, PyUnicode_MAX_CHAR_VALUE(thousands_sep));
    }
    return size;
}

/* ------------------------------------------------------------------ numbers */

typedef struct {
    char sign;                  /* the sign to show: '+', '-', ' ' or 0 */
    const char *prefix;         /* "0x", or "" */
    const char *digits;         /* the part that is grouped */
    Py_ssize_t n_digits;
    int has_point;
    const char *tail;           /* the text after the point */
    Py_ssize_t n_tail;
    Py_UCS4 character;          /* if not 0, a character shown in place of digits */
} Number;

static char
shown_sign(const Spec *spec, int negative)
{
    return negative ? '-' : spec->sign == '+' ? '+'
        : spec->sign == ' ' ? ' ' : 0;
}

static int
write_number(_PyUnicodeWriter *w, const Spec *spec, const Number *number,
             const LocaleInfo *locale)
{
    const Py_ssize_t n_prefix = (Py_ssize_t)strlen(number->prefix);
    const Py_ssize_t n_point = number->has_point ? LENGTH(locale->point) : 0;
    const Py_ssize_t fixed = (number->sign != 0) + n_prefix + n_point
        + number->n_tail + (number->character != 0);
    Py_ssize_t min_digits = 0, grouped = 0;
    if (spec->fill == '0' && spec->align == '=') {
        min_digits = Py_MAX(spec->width - fixed, 0);
    }
    if (number->n_digits > 0) {
        grouped = group_digits(NULL, 0, 1, number->digits, number->n_digits,
                               min_digits, locale->grouping,
                               locale->separator);
    }
    Py_ssize_t padding = Py_MAX(spec->width - fixed - grouped, 0);
    Py_ssize_t left, right;
    split_padding(spec->align, padding, &left, &right);

    Py_UCS4 maxchar = Py_MAX(number->character, 127);
    if (padding > 0) {
        maxchar = Py_MAX(maxchar, spec->fill);
    }
    if (n_point > 0) {
        maxchar = Py_MAX(maxchar, PyUnicode_MAX_CHAR_VALUE(locale->point));
    }
    if (grouped > number->n_digits) {
        maxchar = Py_MAX(maxchar,
                         PyUnicode_MAX_CHAR_VALUE(locale->separator));
    }
    if (_PyUnicodeWriter_Prepare(w, fixed + grouped + padding, maxchar) < 0) {
        return -1;
    }
    if (spec->align != '=') {
        put_fill(w, left, spec->fill);
    }
    if (number->sign) {
        PyUnicode_WRITE(w->kind, w->data, w->pos, (Py_UCS4)number->sign);
        w->pos++;
    }
    if (_PyUnicodeWriter_WriteASCIIString(w, number->prefix, n_prefix) < 0) {
        return -1;
    }
    if (spec->align == '=') {
        put_fill(w, left, spec->fill);
    }
    if (grouped > 0) {
        w->pos += grouped;
        group_digits(w, w->pos, 1, number->digits, number->n_digits,
                     min_digits, locale->grouping, locale->separator);
    }
    if (number->character) {
        PyUnicode_WRITE(w->kind, w->data, w->pos, number->character);
        w->pos++;
    }
    if (n_point > 0) {
        _PyUnicode_FastCopyCharacters(w->buffer, w->pos, locale->point, 0,
                                      n_point);
        w->pos += n_point;
    }
    if (_PyUnicodeWriter_WriteASCIIString(w, number->tail, number->n_tail)
        < 0)
    {
        return -1;
    }
    put_fill(w, right, spec->fill);
    return 0;
}

static inline char *
put(char *to, const char *text, Py_ssize_t n)
{
    if (n > 0) {
        memcpy(to, text, (size_t)n);
    }
    return to + n;
}

static inline char *
put_many(char *to, char ch, Py_ssize_t n)
{
    if (n > 0) {
        memset(to, ch, (size_t)n);
    }
    return to + n;
}

/* Writes a number without separators among ASCII or Latin-1 text, as most are. Returns 1; 0 if it
   is another; -1 with an exception. */
static int
write_plain_number(_PyUnicodeWriter *w, const Spec *spec, const Number *number)
{
    if (spec->grouping != GROUP_NONE || spec->type == 'n' || number->character != 0
        || spec->fill > 127) {
        return 0;
    }
    const Py_ssize_t n_prefix = (Py_ssize_t)strlen(number->prefix);
    const Py_ssize_t fixed = (number->sign != 0) + n_prefix + (number->has_point != 0)
        + number->n_tail;
    Py_ssize_t zeros = 0, left, right;
    if (number->n_digits > 0 && spec->fill == '0' && spec->align == '=') {
        zeros = Py_MAX(spec->width - fixed - number->n_digits, 0);
    }
    const Py_ssize_t length = fixed + zeros + number->n_digits;
    const Py_ssize_t padding = Py_MAX(spec->width - length, 0);
    split_padding(spec->align, padding, &left, &right);
    if (_PyUnicodeWriter_Prepare(w, length + padding, 127) < 0) {
        return -1;
    }
    if (w->kind != PyUnicode_1BYTE_KIND) {
        return 0;
    }
    char *to = (char *)w->data + w->pos;
    const char fill = (char)spec->fill;
    const int is_inside = spec->align == '=';
    to = put_many(to, fill, is_inside ? 0 : left);
    if (number->sign) {
        *to++ = number->sign;
    }
    to = put(to, number->prefix, n_prefix);
    to = put_many(to, fill, is_inside ? left : 0);
    to = put_many(to, '0', zeros);
    to = put(to, number->digits, number->n_digits);
    if (number->has_point) {
        *to++ = '.';
    }
    to = put(to, number->tail, number->n_tail);
    (void)put_many(to, fill, right);
    w->pos += length + padding;
    return 1;
}

static int
write_with_locale(_PyUnicodeWriter *w, const Spec *spec, Number *number)
{
    int done = write_plain_number(w, spec, number);
    if (done != 0) {
        return done < 0 ? -1 : 0;
    }
    LocaleInfo locale;
    const int four = spec->type == 'b' || spec->type == 'o'
        || spec->type == 'x' || spec->type == 'X';
    if (locale_load(&locale, spec->type == 'n' ? GROUP_LOCALE
                             : spec->grouping, four) < 0)
    {
        return -1;
    }
    int status = write_number(w, spec, number, &locale);
    locale_clear(&locale);
    return status;
}

/* ---------------------------------------------------------------------- int */

static int
format_character(PyObject *obj, const Spec *spec, _PyUnicodeWriter *w)
{
    if (spec->sign) {
        PyErr_SetString(PyExc_ValueError,
                        "Sign not allowed with integer format specifier "
                        "'c'");
        return -1;
    }
    if (spec->alternate) {
        PyErr_SetString(PyExc_ValueError,
                        "Alternate form (#) not allowed with integer format "
                        "specifier 'c'");
        return -1;
    }
    long ordinal = PyLong_AsLong(obj);
    if (ordinal == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (ordinal < 0 || ordinal > MAX_UNICODE) {
        PyErr_SetString(PyExc_OverflowError,
                        "%c arg not in range(0x110000)");
        return -1;
    }
    /* In `number.character` 0 means none, so U+0000 is formatted as a str. */
    Number number = {.prefix = "", .tail = "", .digits = ""};
    if (ordinal == 0) {
        number.digits = "";
        number.n_digits = 0;
        Spec padded = *spec;
        padded.align = spec->align == '=' ? '>' : spec->align;
        PyObject *nul = _PyUnicode_FromLatin1Char(0);
        padded.sign = 0;
        padded.precision = -1;
        padded.no_negative_zero = padded.alternate = 0;
        int status = format_str(nul, &padded, w);
        Py_DECREF(nul);
        return status;
    }
    number.character = (Py_UCS4)ordinal;
    return write_with_locale(w, spec, &number);
}

/* The digits of |obj| in ASCII: in buffer, or in *owned if there are many. */
static const char *
int_digits(PyObject *obj, int base, char *buffer, size_t room,
           PyObject **owned, Py_ssize_t *n, int *negative)
{
    int64_t value;
    if (_PyLong_AsInt64Exact(obj, &value)) {
        char *end = buffer + room, *p = end;
        uint64_t magnitude = value < 0 ? 0 - (uint64_t)value
                                       : (uint64_t)value;
        if (base == 10) {
            do {
                *--p = (char)('0' + magnitude % 10);
                magnitude /= 10;
            } while (magnitude);
        }
        else {
            const int shift = base == 2 ? 1 : base == 8 ? 3 : 4;
            do {
                *--p = "0123456789abcdef"[magnitude & (unsigned)(base - 1)];
                magnitude >>= shift;
            } while (magnitude);
        }
        *negative = value < 0;
        *n = end - p;
        return p;
    }
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    if (_PyLong_FormatWriter(&w, obj, base, 0) < 0) {
        _PyUnicodeWriter_Dealloc(&w);
        return NULL;
    }
    *owned = _PyUnicodeWriter_Finish(&w);
    if (*owned == NULL) {
        return NULL;
    }
    const char *text = DATA(*owned);
    *negative = text[0] == '-';
    *n = LENGTH(*owned) - *negative;
    return text + *negative;
}

static int
format_int(PyObject *obj, const Spec *spec, _PyUnicodeWriter *w)
{
    if (spec->precision != -1) {
        PyErr_SetString(PyExc_ValueError,
                        "Precision not allowed in integer format specifier");
        return -1;
    }
    if (spec->no_negative_zero) {
        PyErr_SetString(PyExc_ValueError,
                        "Negative zero coercion (z) not allowed in integer "
                        "format specifier");
        return -1;
    }
    if (spec->type == 'c') {
        return format_character(obj, spec, w);
    }
    const int base = spec->type == 'b' ? 2 : spec->type == 'o' ? 8
        : spec->type == 'x' || spec->type == 'X' ? 16 : 10;
    char buffer[72], upper[72];
    PyObject *owned = NULL;
    int negative;
    Number number = {.prefix = "", .tail = ""};
    number.digits = int_digits(obj, base, buffer, sizeof(buffer), &owned,
                               &number.n_digits, &negative);
    if (number.digits == NULL) {
        return -1;
    }
    char *large = NULL;
    if (spec->type == 'X') {
        char *to = upper;
        if (number.n_digits > (Py_ssize_t)sizeof(upper)) {
            to = large = PyMem_Malloc((size_t)number.n_digits);
            if (large == NULL) {
                Py_XDECREF(owned);
                PyErr_NoMemory();
                return -1;
            }
        }
        for (Py_ssize_t i = 0; i < number.n_digits; i++) {
            to[i] = (char)Py_TOUPPER(number.digits[i]);
        }
        number.digits = to;
    }
    if (spec->alternate && base != 10) {
        number.prefix = base == 2 ? "0b" : base == 8 ? "0o"
            : spec->type == 'X' ? "0X" : "0x";
    }
    number.sign = shown_sign(spec, negative);
    int status = write_with_locale(w, spec, &number);
    PyMem_Free(large);
    Py_XDECREF(owned);
    return status;
}

/* -------------------------------------------------------------------- float */

/* Splits the text of a float into digits, point and tail. */
static int
split_float(const char *text, Py_ssize_t n, Number *number)
{
    int negative = n > 0 && text[0] == '-';
    text += negative;
    n -= negative;
    Py_ssize_t i = 0;
    while (i < n && Py_ISDIGIT(text[i])) {
        i++;
    }
    number->prefix = "";
    number->character = 0;
    number->digits = text;
    number->n_digits = i;
    number->has_point = i < n && text[i] == '.';
    i += number->has_point;
    number->tail = text + i;
    number->n_tail = n - i;
    return negative;
}

static int
precision_too_big(void)
{
    PyErr_SetString(PyExc_ValueError, "precision too big");
    return -1;
}

/* The PyOS_double_to_string code, precision and flags for a spec. */
static int
float_text_args(const Spec *spec, Py_UCS4 type, char *code, int *precision,
                int *flags)
{
    *flags = (spec->alternate ? Py_DTSF_ALT : 0)
        | (spec->no_negative_zero ? Py_DTSF_NO_NEG_0 : 0);
    if (spec->precision > INT_MAX) {
        return precision_too_big();
    }
    *precision = (int)spec->precision;
    *code = type == '%' ? 'f' : type == 'n' ? 'g' : (char)type;
    if (type == 0) {
        /* repr(), or %g with a precision. */
        *code = *precision < 0 ? 'r' : 'g';
        *precision = Py_MAX(*precision, 0);
    }
    else if (*precision < 0) {
        *precision = 6;
    }
    return 0;
}

static int
format_double(double value, const Spec *spec, _PyUnicodeWriter *w)
{
    char code;
    int precision, flags, kind;
    if (float_text_args(spec, spec->type, &code, &precision, &flags) < 0) {
        return -1;
    }
    if (spec->type == 0) {
        flags |= Py_DTSF_ADD_DOT_0;
    }
    if (spec->type == '%') {
        value *= 100;
    }
    char *text = PyOS_double_to_string(value, code, precision, flags, &kind);
    if (text == NULL) {
        return -1;
    }
    size_t n = strlen(text);
    if (spec->type == '%') {
        char *longer = PyMem_Realloc(text, n + 2);
        if (longer == NULL) {
            PyMem_Free(text);
            PyErr_NoMemory();
            return -1;
        }
        text = longer;
        text[n++] = '%';
        text[n] = '\0';
    }
    int status;
    if (spec->width == -1 && spec->grouping == GROUP_NONE
        && spec->type != 'n' && spec->sign != '+' && spec->sign != ' ')
    {
        status = _PyUnicodeWriter_WriteASCIIString(w, text, (Py_ssize_t)n);
    }
    else {
        Number number = {0};
        int negative = split_float(text, (Py_ssize_t)n, &number);
        number.sign = shown_sign(spec, negative);
        status = write_with_locale(w, spec, &number);
    }
    PyMem_Free(text);
    return status;
}

/* ------------------------------------------------------------------ complex */

static int
write_part(double value, const Spec *spec, _PyUnicodeWriter *w,
           int force_sign)
{
    char code;
    int precision, flags, kind;
    if (float_text_args(spec, spec->type, &code, &precision, &flags) < 0) {
        return -1;
    }
    char *text = PyOS_double_to_string(value, code, precision, flags, &kind);
    if (text == NULL) {
        return -1;
    }
    Spec part = *spec;
    Number number = {0};
    part.width = -1;
    part.fill = ' ';
    part.align = '<';
    if (force_sign) {
        part.sign = '+';
    }
    int negative = split_float(text, (Py_ssize_t)strlen(text), &number);
    number.sign = shown_sign(&part, negative);
    int status = write_with_locale(w, &part, &number);
    PyMem_Free(text);
    return status;
}

static int
format_complex(PyObject *obj, const Spec *spec, _PyUnicodeWriter *w)
{
    if (spec->precision > INT_MAX) {
        return precision_too_big();
    }
    if (spec->fill == '0') {
        PyErr_SetString(PyExc_ValueError,
                        "Zero padding is not allowed in complex format "
                        "specifier");
        return -1;
    }
    if (spec->align == '=') {
        PyErr_SetString(PyExc_ValueError,
                        "'=' alignment flag is not allowed in complex format "
                        "specifier");
        return -1;
    }
    const Py_complex value = PyComplex_AsCComplex(obj);
    if (value.real == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    const int only_imaginary = spec->type == 0 && value.real == 0.0
        && !signbit(value.real);
    const int parentheses = spec->type == 0 && !only_imaginary;
    _PyUnicodeWriter text;
    _PyUnicodeWriter_Init(&text);
    text.overallocate = 1;
    if ((parentheses && _PyUnicodeWriter_WriteChar(&text, '(') < 0)
        || (!only_imaginary && write_part(value.real, spec, &text, 0) < 0)
        || write_part(value.imag, spec, &text, !only_imaginary) < 0
        || _PyUnicodeWriter_WriteChar(&text, 'j') < 0
        || (parentheses && _PyUnicodeWriter_WriteChar(&text, ')') < 0))
    {
        _PyUnicodeWriter_Dealloc(&text);
        return -1;
    }
    PyObject *str = _PyUnicodeWriter_Finish(&text);
    if (str == NULL) {
        return -1;
    }
    Spec outer = {.fill = spec->fill, .align = spec->align,
                  .width = spec->width, .precision = -1};
    int status = format_str(str, &outer, w);
    Py_DECREF(str);
    return status;
}

/* ------------------------------------------------------------- entry points */

static int
write_str_of(PyObject *obj, _PyUnicodeWriter *w)
{
    return _PyUnicodeWriter_WriteValueStr(w, obj);
}

int
_PyUnicode_FormatAdvancedWriter(_PyUnicodeWriter *w, PyObject *obj,
                                PyObject *format_spec, Py_ssize_t start,
                                Py_ssize_t end)
{
    Spec spec;
    if (PyUnicode_READY(obj) < 0) {
        return -1;
    }
    if (start == end) {
        return PyUnicode_CheckExact(obj) ? _PyUnicodeWriter_WriteStr(w, obj)
                                         : write_str_of(obj, w);
    }
    if (parse_spec(obj, format_spec, start, end, &spec, 's', '<') < 0) {
        return -1;
    }
    if (spec.type != 's') {
        unknown_type(spec.type, obj);
        return -1;
    }
    return format_str(obj, &spec, w);
}

int
_PyLong_FormatAdvancedWriter(_PyUnicodeWriter *w, PyObject *obj,
                             PyObject *format_spec, Py_ssize_t start,
                             Py_ssize_t end)
{
    Spec spec;
    if (start == end) {
        return write_str_of(obj, w);
    }
    if (parse_spec(obj, format_spec, start, end, &spec, 'd', '>') < 0) {
        return -1;
    }
    switch (spec.type) {
    case 'b': case 'c': case 'd': case 'o': case 'x': case 'X': case 'n':
        return format_int(obj, &spec, w);
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case '%': {
        double value = PyLong_AsDouble(obj);
        if (value == -1.0 && PyErr_Occurred()) {
            return -1;
        }
        return format_double(value, &spec, w);
    }
    default:
        unknown_type(spec.type, obj);
        return -1;
    }
}

static int
is_float_type(Py_UCS4 type)
{
    return type == 0 || type == 'e' || type == 'E' || type == 'f'
        || type == 'F' || type == 'g' || type == 'G' || type == 'n';
}

int
_PyFloat_FormatAdvancedWriter(_PyUnicodeWriter *w, PyObject *obj,
                              PyObject *format_spec, Py_ssize_t start,
                              Py_ssize_t end)
{
    Spec spec;
    if (start == end) {
        return write_str_of(obj, w);
    }
    if (parse_spec(obj, format_spec, start, end, &spec, 0, '>') < 0) {
        return -1;
    }
    if (!is_float_type(spec.type) && spec.type != '%') {
        unknown_type(spec.type, obj);
        return -1;
    }
    double value = PyFloat_AsDouble(obj);
    if (value == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    return format_double(value, &spec, w);
}

int
_PyComplex_FormatAdvancedWriter(_PyUnicodeWriter *w, PyObject *obj,
                                PyObject *format_spec, Py_ssize_t start,
                                Py_ssize_t end)
{
    Spec spec;
    if (start == end) {
        return write_str_of(obj, w);
    }
    if (parse_spec(obj, format_spec, start, end, &spec, 0, '>') < 0) {
        return -1;
    }
    if (!is_float_type(spec.type)) {
        unknown_type(spec.type, obj);
        return -1;
    }
    return format_complex(obj, &spec, w);
}

PyObject *
_PyFormat_Method(PyObject *self, PyObject *spec, _PyFormatWriter write)
{
    if (!PyUnicode_Check(spec)) {
        PyErr_Format(PyExc_TypeError, "__format__() argument must be str, not %.50s",
                     spec == Py_None ? "None" : Py_TYPE(spec)->tp_name);
        return NULL;
    }
    if (PyUnicode_READY(spec) < 0) {
        return NULL;
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    if (write(&writer, self, spec, 0, PyUnicode_GET_LENGTH(spec)) < 0) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

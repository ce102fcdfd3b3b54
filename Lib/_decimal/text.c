/* Decimals from and to text, as the specification's to-scientific-string has it. */

#include "decimal_impl.h"

/* ------------------------------------------------------------------- parsing */

static int
is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

/* Does s begin with that word in lower case? Its length, or 0. */
static Py_ssize_t
word(const char *s, const char *end, const char *expected)
{
    Py_ssize_t n = 0;
    for (; expected[n] != '\0'; n++) {
        if (s + n >= end || (s[n] | 0x20) != expected[n]) {
            return 0;
        }
    }
    return n;
}

/* Exponents beyond this are as good as this. */
#define FAR (4 * MAX_EMAX)

/* The digits of [s, end), perhaps with one point, as a coefficient. */
static int
read_coefficient(num *n, const char *s, const char *end)
{
    while (s < end && (*s == '0' || *s == '.')) {
        s++;
    }
    Py_ssize_t len = end - s;
    if (len <= 19) {
        uint64_t v = 0;
        for (; s < end; s++) {
            if (*s != '.') {
                v = v * 10 + (unsigned)(*s - '0');
            }
        }
        n->is_big = 0;
        n->w[0] = v;
        n->w[1] = 0;
        n->digits = digits_of_word(v);
        return 0;
    }
    if (len <= 38) {
        u128 v = 0;
        while (s < end) {
            uint64_t part = 0, scale = 1;
            for (int i = 0; i < 19 && s < end; s++, i++) {
                if (*s != '.') {
                    part = part * 10 + (unsigned)(*s - '0');
                    scale *= 10;
                }
            }
            v = v * scale + part;
        }
        set_small(n, v);
        return 0;
    }
    char *digits = PyMem_Malloc((size_t)len), *p = digits;
    if (digits == NULL) {
        return -1;
    }
    for (; s < end; s++) {
        if (*s != '.') {
            *p++ = *s;
        }
    }
    _dec_read_digits(n, digits, (size_t)(p - digits));
    PyMem_Free(digits);
    return 0;
}

static int
read_nan(num *n, const char *s, const char *end, int sign, enum dec_kind kind)
{
    for (const char *p = s; p < end; p++) {
        if (*p < '0' || *p > '9') {
            return -1;
        }
    }
    set_special(n, sign, kind);
    if (read_coefficient(n, s, end) < 0) {
        return -1;
    }
    if (zero_coef(n)) {
        n->digits = 0;
    }
    return 0;
}

/* 0, or -1 if it is no number. */
static int
read_number(num *n, const char *s, const char *end)
{
    int sign = 0;
    Py_ssize_t skip;
    if (s < end && (*s == '-' || *s == '+')) {
        sign = *s++ == '-';
    }
    if (s == end) {
        return -1;
    }
    if (*s > '9') {
        if (word(s, end, "inf") != 0) {
            if (end - s != 3 && (end - s != 8 || word(s, end, "infinity") == 0)) {
                return -1;
            }
            set_special(n, sign, INFINITE);
            return 0;
        }
        if ((skip = word(s, end, "nan")) != 0) {
            return read_nan(n, s + skip, end, sign, QUIET_NAN);
        }
        if ((skip = word(s, end, "snan")) != 0) {
            return read_nan(n, s + skip, end, sign, SIGNALLING_NAN);
        }
        return -1;
    }
    const char *start = s, *point = NULL;
    for (; s < end; s++) {
        if (*s == '.') {
            if (point != NULL) {
                return -1;
            }
            point = s;
        }
        else if (*s < '0' || *s > '9') {
            break;
        }
    }
    const char *stop = s;
    if (stop - start == (point != NULL)) {
        return -1;
    }
    int64_t exp = 0;
    if (s < end) {
        if ((*s | 0x20) != 'e') {
            return -1;
        }
        s++;
        int down = 0;
        if (s < end && (*s == '-' || *s == '+')) {
            down = *s++ == '-';
        }
        if (s == end) {
            return -1;
        }
        for (; s < end; s++) {
            if (*s < '0' || *s > '9') {
                return -1;
            }
            exp = exp > FAR / 10 - 1 ? FAR : exp * 10 + (*s - '0');
        }
        if (down) {
            exp = -exp;
        }
    }
    n->kind = FINITE;
    n->sign = (uint8_t)sign;
    n->exp = exp - (point != NULL ? stop - point - 1 : 0);
    return read_coefficient(n, start, stop);
}

void
_dec_parse(num *n, const char *s, Py_ssize_t len, int loose, uint32_t *status)
{
    const char *end = s + len;
    char *copy = NULL;
    if (loose) {
        while (s < end && is_space(*s)) {
            s++;
        }
        while (s < end && is_space(end[-1])) {
            end--;
        }
        if (memchr(s, '_', (size_t)(end - s)) != NULL) {
            char *p = copy = PyMem_Malloc((size_t)(end - s));
            if (copy == NULL) {
                set_invalid(n, NO_MEMORY, status);
                return;
            }
            for (; s < end; s++) {
                if (*s != '_') {
                    *p++ = *s;
                }
            }
            s = copy;
            end = p;
        }
    }
    if (read_number(n, s, end) < 0) {
        set_invalid(n, CONVERSION_SYNTAX, status);
    }
    PyMem_Free(copy);
}

/* ------------------------------------------------------------------- writing */

static char *
write_exponent(char *p, int64_t exp, int capitals)
{
    char digits[20], *d = digits + sizeof(digits);
    uint64_t value = exp < 0 ? -(uint64_t)exp : (uint64_t)exp;
    do {
        *--d = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    *p++ = capitals ? 'E' : 'e';
    *p++ = exp < 0 ? '-' : '+';
    while (d < digits + sizeof(digits)) {
        *p++ = *d++;
    }
    return p;
}

char *
_dec_text(const num *n, int capitals, int engineering, char *local, Py_ssize_t *len)
{
    /* Plain notation has up to six zeros before the digits. */
    size_t room = (size_t)n->digits + 48;
    char *text = local, *p;
    if (room > TEXT_ROOM) {
        text = PyMem_Malloc(room);
        if (text == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
    }
    p = text;
    if (n->sign) {
        *p++ = '-';
    }
    if (n->kind != FINITE) {
        p = stpcpy(p, n->kind == INFINITE ? "Infinity" : n->kind == QUIET_NAN ? "NaN" : "sNaN");
        if (n->digits > 0) {
            _dec_write_digits(n, p);
            p += n->digits;
        }
        *len = p - text;
        return text;
    }
    int64_t digits = n->digits, left = n->exp + digits, point;
    if (n->exp <= 0 && left > -6) {
        point = left;
    }
    else if (!engineering) {
        point = 1;
    }
    else if (zero_coef(n)) {
        point = ((left + 1) % 3 + 3) % 3 - 1;
    }
    else {
        point = ((left - 1) % 3 + 3) % 3 + 1;
    }
    if (point <= 0) {
        *p++ = '0';
        *p++ = '.';
        memset(p, '0', (size_t)-point);
        p += -point;
        _dec_write_digits(n, p);
        p += digits;
    }
    else {
        _dec_write_digits(n, p);
        if (point >= digits) {
            memset(p + digits, '0', (size_t)(point - digits));
            p += point;
        }
        else {
            memmove(p + point + 1, p + point, (size_t)(digits - point));
            p[point] = '.';
            p += digits + 1;
        }
    }
    if (left != point) {
        p = write_exponent(p, left - point, capitals);
    }
    *len = p - text;
    return text;
}

PyObject *
_dec_to_str(const num *n, int capitals, int engineering, const char *before, const char *after)
{
    char local[TEXT_ROOM];
    Py_ssize_t len, head = (Py_ssize_t)strlen(before), tail = (Py_ssize_t)strlen(after);
    char *text = _dec_text(n, capitals, engineering, local, &len);
    if (text == NULL) {
        return NULL;
    }
    PyObject *str = PyUnicode_New(head + len + tail, 127);
    if (str != NULL) {
        char *p = PyUnicode_DATA(str);
        memcpy(p, before, (size_t)head);
        memcpy(p + head, text, (size_t)len);
        memcpy(p + head + len, after, (size_t)tail);
    }
    if (text != local) {
        PyMem_Free(text);
    }
    return str;
}

/* ISO 8601 text: the parts of isoformat() and fromisoformat(). */

#include "datetime_module.h"

/* ------------------------------------------------------------------- output */

/* Programs that log write dates by the thousand; printf() takes several times as long. */
static char *
put_number(char *p, int value, int ndigits)
{
    for (int i = ndigits - 1; i >= 0; i--, value /= 10) {
        p[i] = (char)('0' + value % 10);
    }
    return p + ndigits;
}

char *
_dt_put_date(char *p, int year, int month, int day)
{
    p = put_number(p, year, 4);
    *p++ = '-';
    p = put_number(p, month, 2);
    *p++ = '-';
    return put_number(p, day, 2);
}

void
_dt_format_delta(char *buf, size_t size, const char *separator, PyObject *delta)
{
    int64_t us = (int64_t)_dt_delta_us(delta);
    char sign = us < 0 ? '-' : '+';
    us = us < 0 ? -us : us;
    int seconds = (int)(us / US_PER_SECOND);
    int len = PyOS_snprintf(buf, size, "%c%02d%s%02d", sign, seconds / 3600,
                            separator, seconds / 60 % 60);
    us %= US_PER_SECOND;
    if (us != 0) {
        PyOS_snprintf(buf + len, size - (size_t)len, "%s%02d.%06d", separator,
                      seconds % 60, (int)us);
    }
    else if (seconds % 60 != 0) {
        PyOS_snprintf(buf + len, size - (size_t)len, "%s%02d", separator,
                      seconds % 60);
    }
}

int
_dt_format_offset(char *buf, size_t size, const char *separator,
                  PyObject *tzinfo, PyObject *dt)
{
    *buf = '\0';
    PyObject *offset = _dt_utcoffset(tzinfo, dt);
    if (offset == NULL) {
        return -1;
    }
    if (offset != Py_None) {
        _dt_format_delta(buf, size, separator, offset);
    }
    Py_DECREF(offset);
    return 0;
}

int
_dt_format_time(char *buf, PyObject *timespec, int hour, int minute, int second, int us)
{
    static const char *const specs[] = {
        "hours", "minutes", "seconds", "milliseconds", "microseconds",
    };
    size_t spec = 0;
    if (timespec == NULL
        || PyUnicode_CompareWithASCIIString(timespec, "auto") == 0) {
        spec = us == 0 ? 2 : 4;
    }
    else {
        while (spec < Py_ARRAY_LENGTH(specs)
               && PyUnicode_CompareWithASCIIString(timespec,
                                                   specs[spec]) != 0) {
            spec++;
        }
    }
    if (spec == Py_ARRAY_LENGTH(specs)) {
        PyErr_SetString(PyExc_ValueError, "Unknown timespec value");
        return -1;
    }
    char *p = put_number(buf, hour, 2);
    if (spec >= 1) {
        *p++ = ':';
        p = put_number(p, minute, 2);
    }
    if (spec >= 2) {
        *p++ = ':';
        p = put_number(p, second, 2);
    }
    if (spec >= 3) {
        *p++ = '.';
        p = spec == 3 ? put_number(p, us / 1000, 3) : put_number(p, us, 6);
    }
    *p = '\0';
    return 0;
}

/* -------------------------------------------------------------------- input */

PyObject *
_dt_invalid_isoformat(PyObject *str)
{
    PyErr_Format(PyExc_ValueError, "Invalid isoformat string: %R", str);
    return NULL;
}

static int
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parses n digits; NULL if there are fewer. */
static const char *
scan_digits(const char *s, const char *end, int n, int *value)
{
    *value = 0;
    if (end - s < n) {
        return NULL;
    }
    for (; n > 0; n--, s++) {
        if (!is_digit(*s)) {
            return NULL;
        }
        *value = *value * 10 + (*s - '0');
    }
    return s;
}

/* The rest of a date after the year: "Www", "Www-d" or "Wwwd". */
static int
scan_week(const char *s, const char *end, int separated, int *year,
          int *month, int *day)
{
    int week, weekday = 1;
    s = scan_digits(s + 1, end, 2, &week);
    if (s == NULL) {
        return -1;
    }
    if (s < end) {
        if (separated && *s++ != '-') {
            return -1;
        }
        s = scan_digits(s, end, 1, &weekday);
        if (s == NULL) {
            return -1;
        }
    }
    return _dt_iso_to_ymd(*year, week, weekday, year, month, day);
}

/* Characters after a complete date are ignored, as in CPython 3.11. */
int
_dt_parse_date(const char *s, Py_ssize_t len, int *year, int *month, int *day)
{
    const char *end = s + len;
    s = scan_digits(s, end, 4, year);
    if (s == NULL || s == end) {
        return -1;
    }
    int separated = *s == '-';
    s += separated;
    if (s < end && *s == 'W') {
        return scan_week(s, end, separated, year, month, day);
    }
    s = scan_digits(s, end, 2, month);
    if (s == NULL) {
        return -1;
    }
    if (separated && (s == end || *s++ != '-')) {
        return -1;
    }
    return scan_digits(s, end, 2, day) != NULL ? 0 : -1;
}

Py_ssize_t
_dt_date_length(const char *s, Py_ssize_t len)
{
    if (len == 7) {
        return 7;               /* nothing but YYYYWww is possible */
    }
    if (s[4] == '-') {
        if (s[5] != 'W') {
            return 10;          /* YYYY-MM-DD */
        }
        if (len < 8) {
            return -1;
        }
        if (len > 8 && s[8] == '-') {
            if (len == 9) {
                return -1;
            }
            /* YYYY-Www-## is ambiguous: a day, or a hyphen as separator and an hour. The
               latter makes more sense. */
            return len > 10 && is_digit(s[10]) ? 8 : 10;
        }
        return 8;               /* YYYY-Www */
    }
    if (s[4] != 'W') {
        return 8;               /* YYYYMMDD */
    }
    /* YYYYWww or YYYYWwwd, before a separator that may be a digit: hours and
       so on come in pairs of digits. */
    Py_ssize_t pos = 7;
    while (pos < len && is_digit(s[pos])) {
        pos++;
    }
    if (pos < 9) {
        return pos;
    }
    return pos % 2 == 0 ? 7 : 8;
}

/* hh[:mm[:ss[.fraction]]], with or without colons. Missing fields are 0. Returns 1 if
   something follows. As in CPython 3.11, the fraction may follow any field, without
   colons even its point may be missing, and a NUL counts as the end: as the last
   character after a field, and anywhere after a fraction's six digits. */
static int
scan_clock(const char *s, const char *end, int *hour, int *minute,
           int *second, int *us)
{
    int *fields[] = {hour, minute, second};
    int separated = 0;
    *hour = *minute = *second = *us = 0;
    for (int i = 0; i < 3; i++) {
        s = scan_digits(s, end, 2, fields[i]);
        if (s == NULL) {
            return -1;
        }
        if (s == end) {
            return 0;
        }
        char c = *s++;
        if (i == 0) {
            separated = c == ':';
        }
        if (s == end) {
            return c != '\0';
        }
        if (c == '.' || c == ',') {
            break;
        }
        if (!separated) {
            s--;
        }
        else if (c != ':') {
            return -1;
        }
    }
    /* Six digits count, further ones are skipped. */
    Py_ssize_t ndigits = Py_MIN(end - s, 6);
    s = scan_digits(s, end, (int)ndigits, us);
    if (s == NULL) {
        return -1;
    }
    for (; ndigits < 6; ndigits++) {
        *us *= 10;
    }
    while (s < end && is_digit(*s)) {
        s++;
    }
    return s < end && *s != '\0';
}

int
_dt_parse_time(const char *s, Py_ssize_t len, int *hour, int *minute,
               int *second, int *us, int *offset, int *offset_us)
{
    const char *end = s + len, *zone = s;
    *offset = *offset_us = 0;
    while (zone < end && *zone != '+' && *zone != '-' && *zone != 'Z') {
        zone++;
    }
    int behind = scan_clock(s, zone, hour, minute, second, us);
    if (behind < 0) {
        return -1;
    }
    if (zone == end) {
        return behind ? -1 : 0;
    }
    if (*zone == 'Z') {
        return zone + 1 == end || zone[1] == '\0' ? 1 : -1;
    }
    int sign = *zone == '-' ? -1 : 1, h, m, sec, fraction;
    if (scan_clock(zone + 1, end, &h, &m, &sec, &fraction) != 0) {
        return -1;
    }
    *offset = sign * (h * 3600 + m * 60 + sec);
    *offset_us = sign * fraction;
    return 1;
}

PyObject *
_dt_tzinfo_of_offset(int parsed, int offset, int offset_us)
{
    if (!parsed) {
        Py_RETURN_NONE;
    }
    if (offset == 0) {          /* microseconds alone don't count in CPython */
        return Py_NewRef(_dt_utc);
    }
    PyObject *delta = _dt_new_delta(0, offset, offset_us, 1,
                                    &_PyDateTime_DeltaType);
    if (delta == NULL) {
        return NULL;
    }
    PyObject *tzinfo = _dt_new_timezone(delta, NULL);
    Py_DECREF(delta);
    return tzinfo;
}

/* C string helpers of the API: comparison without case, bounded printing, and integers
   from text. They don't use the interpreter. */

#include "Python.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

/* --------------------------------------------------------------- comparison */

int
PyOS_mystrnicmp(const char *s1, const char *s2, Py_ssize_t size)
{
    if (size == 0) {
        return 0;
    }
    for (; --size > 0 && *s1 != '\0' && *s2 != '\0'; s1++, s2++) {
        if (Py_TOLOWER(*s1) != Py_TOLOWER(*s2)) {
            break;
        }
    }
    return Py_TOLOWER(*s1) - Py_TOLOWER(*s2);
}

int
PyOS_mystricmp(const char *s1, const char *s2)
{
    while (*s1 != '\0' && Py_TOLOWER(*s1) == Py_TOLOWER(*s2)) {
        s1++;
        s2++;
    }
    return Py_TOLOWER(*s1) - Py_TOLOWER(*s2);
}

/* ----------------------------------------------------------------- printing */

/* Like vsnprintf, but always terminates the text, and returns -666 for sizes above
   INT_MAX. */
int
PyOS_vsnprintf(char *str, size_t size, const char *format, va_list va)
{
    int len = -666;
    if (size <= INT_MAX - 1) {
        len = vsnprintf(str, size, format, va);
    }
    if (size > 0) {
        str[size - 1] = '\0';
    }
    return len;
}

int
PyOS_snprintf(char *str, size_t size, const char *format, ...)
{
    va_list va;
    va_start(va, format);
    int len = PyOS_vsnprintf(str, size, format, va);
    va_end(va);
    return len;
}

/* ----------------------------------------------------------------- integers */

static unsigned int
digit_value(char c)
{
    if (Py_ISDIGIT(c)) {
        return (unsigned int)(c - '0');
    }
    return Py_ISALPHA(c) ? (unsigned int)(Py_TOLOWER(c) - 'a') + 10 : 37;
}

/* Returns where the digits start, after "0x", "0o" or "0b". With base 0 the prefix
   chooses the base, and decimal is the default. A prefix without a digit after it is the
   number 0, followed by other text. */
static const char *
skip_prefix(const char *s, int *base)
{
    int marked = 0;
    if (s[0] == '0') {
        switch (Py_TOLOWER(s[1])) {
        case 'x': marked = 16; break;
        case 'o': marked = 8; break;
        case 'b': marked = 2; break;
        }
    }
    if (marked != 0 && (*base == 0 || *base == marked)) {
        *base = marked;
        if (digit_value(s[2]) < (unsigned int)marked) {
            return s + 2;
        }
        return s;
    }
    if (*base == 0) {
        *base = 10;
    }
    return s;
}

/* Reads an unsigned integer in base 0 (by prefix) or 2 to 36. If it is too large, returns
   ULONG_MAX with ERANGE; its digits are skipped all the same. */
unsigned long
PyOS_strtoul(const char *str, char **ptr, int base)
{
    unsigned long value = 0;
    int overflow = 0;
    const char *s = str;
    while (Py_ISSPACE(*s)) {
        s++;
    }
    if (base < 0 || base == 1 || base > 36) {
        if (ptr != NULL) {
            *ptr = (char *)str;
        }
        return 0;
    }
    if (base == 0 && *s == '0' && !Py_ISALPHA(s[1])) {
        /* Not "07", which was octal once: only zeros are consumed. */
        while (*s == '0') {
            s++;
        }
        while (Py_ISSPACE(*s)) {
            s++;
        }
    }
    else {
        s = skip_prefix(s, &base);
    }
    for (unsigned int digit; (digit = digit_value(*s)) < (unsigned int)base;
         s++) {
        overflow |= __builtin_mul_overflow(value, (unsigned long)base, &value);
        overflow |= __builtin_add_overflow(value, digit, &value);
    }
    if (ptr != NULL) {
        *ptr = (char *)s;
    }
    if (overflow) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return value;
}

long
PyOS_strtol(const char *str, char **ptr, int base)
{
    while (Py_ISSPACE(*str)) {
        str++;
    }
    char sign = *str;
    if (sign == '+' || sign == '-') {
        str++;
    }
    unsigned long magnitude = PyOS_strtoul(str, ptr, base);
    if (magnitude <= LONG_MAX) {
        return sign == '-' ? -(long)magnitude : (long)magnitude;
    }
    if (sign == '-' && magnitude == (unsigned long)LONG_MAX + 1) {
        return LONG_MIN;
    }
    errno = ERANGE;
    return LONG_MAX;
}

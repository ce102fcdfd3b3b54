/* Character classes of ASCII, whatever the locale says. */

#include "Python.h"

#define LOWER  PY_CTF_LOWER
#define UPPER  PY_CTF_UPPER
#define DIGIT  (PY_CTF_DIGIT | PY_CTF_XDIGIT)
#define XLOWER (PY_CTF_LOWER | PY_CTF_XDIGIT)
#define XUPPER (PY_CTF_UPPER | PY_CTF_XDIGIT)
#define SPACE  PY_CTF_SPACE

const unsigned int _Py_ctype_table[256] = {
    ['\t' ... '\r'] = SPACE,
    [' '] = SPACE,
    ['0' ... '9'] = DIGIT,
    ['A' ... 'F'] = XUPPER,
    ['G' ... 'Z'] = UPPER,
    ['a' ... 'f'] = XLOWER,
    ['g' ... 'z'] = LOWER,
};

#define ROW_4(c) (c), (c) + 1, (c) + 2, (c) + 3
#define ROW_16(c) ROW_4(c), ROW_4((c) + 4), ROW_4((c) + 8), ROW_4((c) + 12)
#define ROW_32(c) ROW_16(c), ROW_16((c) + 16)
/* 26 letters starting at c. */
#define LETTERS(c) ROW_16(c), ROW_4((c) + 16), ROW_4((c) + 20), \
    (c) + 24, (c) + 25
#define UPPER_HALF ROW_32(128), ROW_32(160), ROW_32(192), ROW_32(224)

const unsigned char _Py_ctype_tolower[256] = {
    ROW_32(0), ROW_32(32),
    '@', LETTERS('a'), '[', '\\', ']', '^', '_',
    '`', LETTERS('a'), '{', '|', '}', '~', 127,
    UPPER_HALF
};

const unsigned char _Py_ctype_toupper[256] = {
    ROW_32(0), ROW_32(32),
    '@', LETTERS('A'), '[', '\\', ']', '^', '_',
    '`', LETTERS('A'), '{', '|', '}', '~', 127,
    UPPER_HALF
};

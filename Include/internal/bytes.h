/* What the runtime shares about bytes and bytearray beyond the public API. */
#ifndef SB_INTERNAL_BYTES_H
#define SB_INTERNAL_BYTES_H

#include "Python.h"

/* Makes the permanent b"" and one-byte objects. To be called before any other
   bytes object is made; no type need be ready. */
int _PyBytes_InitGlobals(void);

/* The position of needle in haystack plus offset, or -1. */
PyAPI_FUNC(Py_ssize_t) _PyBytes_Find(const char *haystack,
                                     Py_ssize_t len_haystack,
                                     const char *needle,
                                     Py_ssize_t len_needle,
                                     Py_ssize_t offset);
PyAPI_FUNC(Py_ssize_t) _PyBytes_ReverseFind(const char *haystack,
                                            Py_ssize_t len_haystack,
                                            const char *needle,
                                            Py_ssize_t len_needle,
                                            Py_ssize_t offset);
/* Fills dest[0:len_dest] with repetitions of src. */
PyAPI_FUNC(void) _PyBytes_Repeat(char *dest, Py_ssize_t len_dest,
                                 const char *src, Py_ssize_t len_src);

/* Hexadecimal text: a new str, or a new bytes. */
PyAPI_FUNC(PyObject *) _Py_strhex(const char *argbuf,
                                  const Py_ssize_t arglen);
PyAPI_FUNC(PyObject *) _Py_strhex_bytes(const char *argbuf,
                                        const Py_ssize_t arglen);
PyAPI_FUNC(PyObject *) _Py_strhex_with_sep(const char *argbuf,
                                           const Py_ssize_t arglen,
                                           PyObject *sep,
                                           const int bytes_per_group);
PyAPI_FUNC(PyObject *) _Py_strhex_bytes_with_sep(const char *argbuf,
                                                 const Py_ssize_t arglen,
                                                 PyObject *sep,
                                                 const int bytes_per_group);
/* The value of a digit in any base up to 36, 37 for any other byte. */
PyAPI_DATA(const unsigned char) _PyLong_DigitValue[256];

/* The doc of the methods hex(); `example` is text for three bytes, ca fe 07. */
#define _PyBytes_HEX_DOC(example) \
    "hex($self, /, sep=<unrepresentable>, bytes_per_sep=1)\n--\n\n" \
    "Two hexadecimal digits for each byte.\n\n" \
    "  sep\n    A character to stand between groups of bytes.\n" \
    "  bytes_per_sep\n    The size of a group; groups are full from the right, or\n" \
    "    from the left when it is negative.\n\n" \
    ">>> data = " example "\n>>> data.hex()\n'cafe07'\n" \
    ">>> data.hex(':')\n'ca:fe:07'\n>>> data.hex('_', 2)\n'ca_fe07'\n" \
    ">>> data.hex('_', -2)\n'cafe_07'"

/* What repr() has between its quotes, for bytes and for text that is ASCII: how long it is, or -1 if
   it is too long; and the characters. */
Py_ssize_t _PyBytes_ReprSize(const unsigned char *data, Py_ssize_t n, char quote);
void _PyBytes_WriteRepr(char *out, const unsigned char *data, Py_ssize_t n, char quote);

#endif

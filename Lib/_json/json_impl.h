/* What the files of _json share: strings as JSON has them, both ways.

   module.c    the module, and its functions for one string
   strings.c   strings to JSON and back
   scanner.c   make_scanner(): a document to objects
   encoder.c   make_encoder(): objects to a document */
#ifndef SB_JSON_IMPL_H
#define SB_JSON_IMPL_H

#include "Python.h"

/* JSONDecodeError(message, text, at). Returns NULL. */
PyObject *_PyJson_Fail(const char *message, PyObject *text, Py_ssize_t at);

/* Makes a str ready. 0; -1 with TypeError if it is not a str. */
int _PyJson_ReadyArgument(PyObject *object);

/* The string whose first character, behind the quote, is at `start`, which is not beyond the end of
   the text; *end is then behind its closing quote. Returns a new reference; NULL with
   JSONDecodeError. If not strict, control characters may stand for themselves. */
PyObject *_PyJson_ReadString(PyObject *text, Py_ssize_t start, int strict, Py_ssize_t *end);

/* How many of n characters of one byte come before the first quote, backslash or control
   character. */
Py_ssize_t _PyJson_PlainRun(const Py_UCS1 *text, Py_ssize_t n);

/* Writes a ready str with its quotes; if `ascii`, what is not ASCII as \u escapes. 0 or -1. */
int _PyJson_WriteString(_PyUnicodeWriter *writer, PyObject *str, int ascii);

/* The module's functions encode_basestring() and encode_basestring_ascii(). An encoder that is
   given one of them needs no call. */
PyObject *_PyJson_EncodeString(PyObject *module, PyObject *str);
PyObject *_PyJson_EncodeStringAscii(PyObject *module, PyObject *str);

extern PyType_Spec _PyJson_ScannerSpec;
extern PyType_Spec _PyJson_EncoderSpec;

#endif

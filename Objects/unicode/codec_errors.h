/* Error handling shared by all codecs of str.

   A decoder writes to a _PyUnicodeWriter and reads between `start` and `end`. A handler
   may replace the input, so positions are kept as offsets, and the pointers are
   reloaded after each error. An encoder asks for the replacement of a range of
   characters. */
#ifndef SB_CODEC_ERRORS_H
#define SB_CODEC_ERRORS_H

#include "private.h"

typedef struct {
    const char *encoding;       /* for the exception */
    const char *errors;         /* NULL: strict */
    _Py_error_handler known;
    PyObject *handler;          /* looked up on first need */
    PyObject *exc;              /* made on first need, reused */
} ErrorState;

typedef struct {
    ErrorState state;
    const char *start;
    const char *end;
    PyObject *replaced;         /* bytes that a handler put in the place of
                                   the input, or NULL */
    _PyUnicodeWriter writer;
} Decoder;

void decoder_init(Decoder *d, const char *encoding, const char *errors,
                  const char *input, Py_ssize_t size);
/* Says that an error comes before any character that is not ASCII: makes the memory wide enough for
   what the handler writes, if that is known. */
void decoder_expect_error(Decoder *d);
/* Which of the standard handlers this is: a _Py_error_handler. */
int decoder_handler(Decoder *d);
/* Handles input[from:to]: writes the replacement and returns the position to continue
   at, or -1 with an exception. */
Py_ssize_t decoder_error(Decoder *d, Py_ssize_t from, Py_ssize_t to,
                         const char *reason);
PyObject *decoder_finish(Decoder *d);
PyObject *decoder_fail(Decoder *d);

typedef struct {
    ErrorState state;
    PyObject *text;
} Encoder;

void encoder_init(Encoder *e, const char *encoding, const char *errors,
                  PyObject *text);
/* Returns a new str or bytes that replaces text[from:to], with the position to continue
   at in *next. Returns NULL with an exception. */
PyObject *encoder_error(Encoder *e, Py_ssize_t from, Py_ssize_t to,
                        const char *reason, Py_ssize_t *next);
/* Which of the standard handlers this is: a _Py_error_handler. */
int encoder_handler(Encoder *e);
/* If the handler is "backslashreplace" or "xmlcharrefreplace", writes what it gives for
   text[from:to] and returns 1: *out is the position after that, or NULL. These handlers of
   the codecs for UTF-8, Latin-1 and ASCII cannot be replaced by others of the same name. */
int encoder_escape(Encoder *e, _PyBytesWriter *w, char **out, Py_ssize_t from,
                   Py_ssize_t to);
/* Raises the exception for text[from:to]. */
void encoder_raise(Encoder *e, Py_ssize_t from, Py_ssize_t to,
                   const char *reason);
/* The bytes that have been written up to `out`, or if that is NULL, nothing. */
PyObject *encoder_finish(Encoder *e, _PyBytesWriter *w, void *out);

#endif

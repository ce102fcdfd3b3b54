/* TextIOWrapper's object, for the files that implement it: textio.c (making, changing and
   closing it), textio_write.c, textio_read.c and textio_seek.c (positions).

   Reading: the buffer's bytes are decoded a chunk at a time into `decoded`, of which the
   first `decoded_used` characters have been handed out. While `telling` is set, the
   snapshot says how `decoded` was made: a decoder in the state (b"", snap_flags), fed
   with snap_input, gives `decoded`; the buffer's position is at the end of snap_input.
   tell() needs that. If decoded is NULL, nothing was read ahead.

   Writing: text is encoded at once, so that errors are raised where they belong, and the
   bytes are collected in `pending`. They are removed only when the buffer has taken them:
   if its write() fails, they are put back at the front. So nothing that write() accepted
   is lost while the object lives. There is no lock: while the buffer's write() runs, the
   bytes to write are not in `pending`, and a thread that writes meanwhile appends to a
   `pending` that starts empty. */
#ifndef SB_LIB_IO_TEXTIO_H
#define SB_LIB_IO_TEXTIO_H

#include "io_module.h"
#include "internal/gc.h"

typedef enum {
    ENCODE_NONE,                /* not writable */
    ENCODE_BY_OBJECT,           /* self->encoder */
    ENCODE_ASCII, ENCODE_LATIN1, ENCODE_UTF8,
    ENCODE_UTF16, ENCODE_UTF16_LE, ENCODE_UTF16_BE,
    ENCODE_UTF32, ENCODE_UTF32_LE, ENCODE_UTF32_BE,
} text_encoder;

typedef struct {
    PyObject_HEAD
    char ok, detached;
    char line_buffering, write_through;
    char readuniversal;         /* "\r", "\n" and "\r\n" all end a line… */
    char readtranslate;         /* …and are read as "\n" */
    char seekable, telling;
    char has_read1;
    char raw_sink;              /* buffer is a raw file: it may take less than given */
    char at_start;              /* a byte order mark is due */
    char finalizing;
    text_encoder encode;
    Py_ssize_t chunk_size;
    PyObject *buffer;
    PyObject *raw;              /* buffer.raw if both are our own types, or NULL */
    PyObject *encoding, *errors;
    PyObject *encoder;          /* NULL unless ENCODE_BY_OBJECT */
    PyObject *decoder;          /* NULL: not readable */
    PyObject *readnl;           /* newline argument; NULL for None */
    const char *writenl;        /* what "\n" is written as; NULL: itself */

    PyObject *decoded;
    Py_ssize_t decoded_used;
    double bytes_per_char;      /* of the last chunk; a hint */
    PyObject *snap_flags, *snap_input;  /* both or none */

    char *pending;
    Py_ssize_t pending_len, pending_size;

    PyObject *dict;
    PyObject *weakreflist;
} textio;

/* 0, or -1 with ValueError if not initialised, detached (or closed). */
int _PyTextIO_check_attached(textio *self);
int _PyTextIO_check_open(textio *self);

/* The buffer, a new reference, or NULL with ValueError. */
PyObject *_PyTextIO_hold_buffer(textio *self);
/* A method of the buffer, which user code may detach meanwhile; arg may be NULL. */
PyObject *_PyTextIO_call_buffer(textio *self, PyObject *method, PyObject *arg);
/* Calls a method and discards its result: 0, or -1 with its exception. */
int _PyTextIO_call(PyObject *op, PyObject *method);

/* textio_write.c: METH_O and METH_NOARGS. */
PyObject *_PyTextIO_write(PyObject *op, PyObject *text);
PyObject *_PyTextIO_flush(PyObject *op, PyObject *ignored);

/* Gives pending bytes to the buffer. */
int _PyTextIO_write_pending(textio *self);

/* textio_read.c: METH_FASTCALL twice, and tp_iternext. */
PyObject *_PyTextIO_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyTextIO_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyTextIO_iternext(PyObject *op);

/* Discards what was read ahead. */
void _PyTextIO_forget_decoded(textio *self);

/* Decodes with any decoder and checks that the result is a str. */
PyObject *_PyTextIO_decode(PyObject *decoder, PyObject *bytes, int final);

/* Calls getstate() of a decoder and parses the result with the format, whose first unit
   is `held` ("O", borrowed from the result; checked to be bytes). Returns a new reference
   to the tuple. */
PyObject *_PyTextIO_decoder_state(PyObject *decoder, const char *format, PyObject **held,
                                  void *flags);

/* Sets whether the next bytes come first in the file: then codecs with a byte order mark
   write it, and others start in their initial state. */
int _PyTextIO_set_encoder_start(textio *self, int at_start);

/* textio_seek.c: METH_NOARGS and METH_FASTCALL. */
PyObject *_PyTextIO_tell(PyObject *op, PyObject *ignored);
PyObject *_PyTextIO_seek(PyObject *op, PyObject *const *args, Py_ssize_t nargs);

#endif

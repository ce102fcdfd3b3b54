/* Source text on its way to the tokenizer. */
#ifndef SB_FRONTEND_SOURCE_ENCODING_H
#define SB_FRONTEND_SOURCE_ENCODING_H

#include "Python.h"
#include "internal/arena.h"
#include "internal/frontend.h"

typedef struct {
    const char *text;
    Py_ssize_t size;
    PyObject *owner;            /* of the text, or NULL */
    int declared;               /* a byte order mark or a cookie was there */
    int from_file;              /* decides how an unknown encoding is worded */
    char encoding[64];          /* what the text was decoded from; "": it is UTF-8 */
} SourceText;

/* Drops a byte order mark, obeys a cookie: text becomes UTF-8. 0, or -1 with
   SyntaxError. The caller drops `owner`. */
int _PySource_Decode(SourceText *source, PyObject *filename);

/* 0 if the text of a file is UTF-8, or -1 with SyntaxError. */
int _PySource_CheckUtf8(const SourceText *source, PyObject *filename);

/* A copy with '\n' line ends and a NUL after it. NULL with MemoryError. */
char *_PySource_Normalize(const SourceText *source, int add_newline,
                          AstArena *arena, Py_ssize_t *size);

#endif

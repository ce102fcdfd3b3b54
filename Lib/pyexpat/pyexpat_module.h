/* What the files of pyexpat share.

   A parser object owns one libexpat parser. expat calls the C functions of pyexpat.c,
   which call what the program has stored as a handler. The first handler that raises
   stops expat: from then on no Python handler is called, and the exception stays set
   until Parse() returns. */
#ifndef SB_PYEXPAT_MODULE_H
#define SB_PYEXPAT_MODULE_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include <expat.h>
#include "../shared/unknown_encoding.h"

enum {
#define HANDLER(name) HANDLER_##name,
#include "handlers.def"
#undef HANDLER
    HANDLER_COUNT
};

typedef struct {
    PyTypeObject *parser_type;
    PyObject *error;            /* ExpatError */
    PyObject *str_read;
} pyexpat_state;

typedef struct ParserObject {
    PyObject_HEAD
    XML_Parser expat;
    /* expat's parser for an external entity reads its parent's tables. */
    struct ParserObject *parent;
    PyObject *intern;           /* str -> str, or NULL */
    XML_Char *buffer;           /* character data not yet delivered; NULL: off */
    int buffer_size;
    int buffer_used;
    int callback_depth;
    char ordered_attributes;
    char specified_attributes;
    char namespace_prefixes;
    PyObject *handlers[HANDLER_COUNT];  /* NULL: none */
} ParserObject;

/* Delivers the buffered character data. -1 with an exception set. */
int _PyExpat_FlushText(ParserObject *self);
/* Tells expat whether to report the events for handlers[which]. */
void _PyExpat_ConnectHandler(ParserObject *self, int which, int wanted);
/* The noop replaces a handler that is removed while expat is calling it. */
void _PyExpat_IgnoreText(ParserObject *self);
void _PyExpat_ClearHandlers(ParserObject *self);
extern PyType_Spec _PyExpat_ParserSpec;
/* encoding, separator may be NULL; intern may be NULL (borrowed). */
PyObject *_PyExpat_NewParser(pyexpat_state *state, const char *encoding,
                             const char *separator, PyObject *intern);
int _PyExpat_AddConstants(PyObject *module);

#endif

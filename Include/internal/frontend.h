/* From source text to syntax tree: what the compiler, the REPL and builtins
   call. `start` is Py_file_input, Py_single_input, Py_eval_input or
   Py_func_type_input. Each returns a `mod` node owned by the arena, or NULL with
   an exception (SyntaxError, IndentationError, MemoryError...) set. */
#ifndef SB_INTERNAL_FRONTEND_H
#define SB_INTERNAL_FRONTEND_H

#include <stdio.h>
#include "Python.h"
#include "internal/ast.h"
#include "internal/pystate.h"

#ifndef Py_func_type_input
#define Py_func_type_input 345
#endif

/* `text` is UTF-8 if flags has PyCF_IGNORE_COOKIE; otherwise a byte order mark
   or a coding cookie decides. flags may be NULL; flags->cf_flags receives the
   `from __future__` features only from the compiler, never here. */
AstNode *_PyAst_ParseString(const char *text, PyObject *filename, int start,
                            PyCompilerFlags *flags, AstArena *arena);

/* Reads all of fp (or, if ps1 or ps2 is given or start is Py_single_input, one
   interactive statement through PyOS_Readline). encoding may be NULL.
   *errcode, if given, becomes 11 (E_EOF) at the end of interactive input. */
AstNode *_PyAst_ParseFile(FILE *fp, PyObject *filename, const char *encoding,
                          int start, const char *ps1, const char *ps2,
                          PyCompilerFlags *flags, int *errcode, AstArena *arena);

/* How deep a tree may be: three levels for each one left of the recursion limit. */
int _PyFrontend_DepthLimit(void);
/* Raises RecursionError; returns -1. */
int _PyFrontend_TooDeep(const char *what);

/* One level down, if the limit and the C stack allow it: 0, or -1 with RecursionError. */
static inline int
_PyFrontend_DeeperIn(int *depth, int limit, const char *what)
{
    return ++*depth > limit || _Py_CStackIsShort(_PyThreadState_GET())
           ? _PyFrontend_TooDeep(what) : 0;
}

static inline int
_PyFrontend_Deeper(int *depth, int limit)
{
    return _PyFrontend_DeeperIn(depth, limit, "compilation");
}

/* -------------------------------------------------------------------- trees */

/* Conversion from and to Python objects: Lib/_ast. */

/* isinstance(object, _ast.AST); -1 with an exception set. */
int _PyAst_Check(PyObject *object);

/* The `_ast` object for a mod. Returns a new reference. */
PyObject *_PyAst_ToObject(AstNode *mod);

/* start selects Module, Expression or Interactive (Py_*_input); anything else
   is a TypeError. Call _PyAst_Validate on the result. */
AstNode *_PyAst_FromObject(PyObject *object, int start, AstArena *arena);

/* Checks a tree for what the parser never builds: 1, or 0 with ValueError or TypeError. */
int _PyAst_Validate(AstNode *mod);

/* The text of an expression, for deferred annotations. Returns a new reference. */
PyObject *_PyAst_Unparse(AstNode *expr);

/* The docstring of a body, or NULL without an exception. Returns a new reference. */
PyObject *_PyAst_GetDocString(AstSeq *body);

PyMODINIT_FUNC PyInit__ast(void);
PyMODINIT_FUNC PyInit__tokenize(void);

#endif

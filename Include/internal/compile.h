/* From syntax tree to code object: what builtins, import and the type machinery
   call. Parsing is declared in frontend.h. */
#ifndef SB_INTERNAL_COMPILE_H
#define SB_INTERNAL_COMPILE_H

#include "Python.h"
#include "internal/arena.h"
#include "internal/ast.h"

/* Compiles a `mod`. flags may be NULL; its cf_flags receives the features of
   the tree's `from __future__` imports. optimize: -1 (the interpreter's -O
   level), 0, 1 or 2. The tree may be rewritten. Returns a new reference, or NULL. */
PyCodeObject *_PyAST_Compile(AstNode *mod, PyObject *filename,
                             PyCompilerFlags *flags, int optimize,
                             AstArena *arena);

/* Python/frontend/disassemble.c: a listing, for people. Returns a new str. */
PyObject *_PyCode_Disassemble(PyCodeObject *code);

PyObject *PyInit__symtable(void);

#endif

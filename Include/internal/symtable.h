/* Scopes and the names in them.

   A Scope is a module, class, function (lambda, comprehension) or, under
   `from __future__ import annotations`, an annotation. symtable.c walks the
   tree and notes how each name is used in each scope (DEF_* and USE bits);
   symtable_resolve.c then decides where each name lives.

   Names are interned, so a symbol is found by the address of its name. All
   memory belongs to the arena. */
#ifndef SB_FRONTEND_SYMTABLE_H
#define SB_FRONTEND_SYMTABLE_H

#include "Python.h"
#include "internal/ast.h"
#include "internal/frontend.h"

/* The numbers are those that the `_symtable` module shows. */
enum {
    DEF_GLOBAL = 1,
    DEF_LOCAL = 2,
    DEF_PARAM = 2 << 1,
    DEF_NONLOCAL = 2 << 2,
    USE = 2 << 3,
    DEF_FREE = 2 << 4,
    DEF_FREE_CLASS = 2 << 5,
    DEF_IMPORT = 2 << 6,
    DEF_ANNOT = 2 << 7,
    DEF_COMP_ITER = 2 << 8,
    DEF_BOUND = DEF_LOCAL | DEF_PARAM | DEF_IMPORT,
    SCOPE_OFFSET = 11,
    SCOPE_MASK = DEF_GLOBAL | DEF_LOCAL | DEF_PARAM | DEF_NONLOCAL,
};

enum {
    SCOPE_UNKNOWN = 0,
    SCOPE_LOCAL = 1,
    SCOPE_GLOBAL_EXPLICIT = 2,
    SCOPE_GLOBAL_IMPLICIT = 3,
    SCOPE_FREE = 4,
    SCOPE_CELL = 5,
};

typedef enum {
    FUNCTION_SCOPE, CLASS_SCOPE, MODULE_SCOPE, ANNOTATION_SCOPE
} ScopeKind;

typedef enum {
    NOT_COMPREHENSION, LIST_COMPREHENSION, DICT_COMPREHENSION,
    SET_COMPREHENSION, GENERATOR_EXPRESSION
} ComprehensionKind;

typedef struct {
    PyObject *name;
    uint32_t flags;
    uint8_t where;              /* SCOPE_*, once resolved */
    uint8_t mentioned;          /* by more than `name: annotation` */
    int32_t slot;               /* for the compiler; -1 until it chooses */
} Symbol;

typedef struct Scope {
    ScopeKind kind;
    ComprehensionKind comprehension;
    const void *node;           /* what the compiler finds the scope by */
    PyObject *name;
    AstPos pos;
    struct Scope *parent;
    struct Scope **children;
    int nchildren, capchildren;
    Symbol *symbols;            /* in order of first appearance */
    int nsymbols, capsymbols;
    int32_t *table;             /* address of name -> index + 1; size a power of 2 */
    int table_mask;
    PyObject **params;          /* mangled, in order of registers */
    int nparams, capparams;
    struct {
        PyObject *name;
        AstPos pos;
    } *directives;              /* of global and nonlocal, for error messages */
    int ndirectives, capdirectives;
    int comp_iter_expr;         /* inside the iterable of a comprehension */
    unsigned nested : 1;
    unsigned generator : 1;
    unsigned coroutine : 1;
    unsigned varargs : 1;
    unsigned varkeywords : 1;
    unsigned returns_value : 1;
    unsigned needs_class_closure : 1;
    unsigned comp_iter_target : 1;
    unsigned has_walrus : 1;    /* assigns within expressions */
    unsigned has_await : 1;
} Scope;

typedef struct {
    PyObject *filename;
    AstArena *arena;
    Scope *top;
    Scope *cur;
    PyObject *private_name;     /* of the innermost class, or NULL */
    int future_annotations;
    int depth, limit;
    Scope **by_node;            /* open addressing by address of node */
    int nscopes, node_mask;
} Symtable;

/* 0, or -1 with an exception set. */
int _PySymtable_Build(Symtable *, AstNode *mod, PyObject *filename,
                      int future_features, AstArena *arena);
void _PySymtable_Free(Symtable *);
int _PySymtable_Resolve(Symtable *);

Scope *_PySymtable_Find(Symtable *, const void *node);  /* NULL if none */
Symbol *_PyScope_Find(Scope *, PyObject *name);         /* NULL if none */
/* Finds or adds. NULL with MemoryError. */
Symbol *_PyScope_Add(Symtable *, Scope *, PyObject *name);

/* The interned, mangled name. Returns a borrowed reference, which the arena keeps alive;
   NULL on error. */
PyObject *_PyFrontend_Name(AstArena *, PyObject *private_name, PyObject *name);

/* Raises SyntaxError at a place; returns -1. */
int _PyFrontend_SyntaxError(PyObject *filename, const AstPos *,
                            const char *format, ...);

/* The features that a module's __future__ imports turn on, and the line of the
   last one. -1 with an exception set. */
int _PyFuture_Features(AstNode *mod, PyObject *filename, int *features,
                       int *lineno);

#endif

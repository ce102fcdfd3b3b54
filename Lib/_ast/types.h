/* The classes of `_ast`, as conversion in both directions needs them. */
#ifndef SB_LIB_AST_TYPES_H
#define SB_LIB_AST_TYPES_H

#include "Python.h"
#include "internal/ast.h"

#define AST_FIELD_TYPE_COUNT (AST_TYPE_type_ignore + 1)

typedef struct {
    PyObject *ast;                              /* AST itself */
    PyObject *kinds[AST_KIND_COUNT];            /* concrete classes */
    PyObject *groups[AST_FIELD_TYPE_COUNT];     /* abstract ones, by field type */
    PyObject *singletons[AST_KIND_COUNT];       /* of operators and contexts */
    PyObject **field_names[AST_KIND_COUNT];     /* interned */
    PyObject *positions[4];                     /* "lineno"... interned */
    int ready;
} AstTypes;

/* "identifier", "expr"... as the grammar names them. */
extern const char *const _PyAst_FieldTypeNames[AST_FIELD_TYPE_COUNT];

/* The classes, made on first use. NULL with an exception set. */
AstTypes *_PyAst_Types(void);

#endif

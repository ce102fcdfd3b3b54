/* The syntax tree in C.

   Every node starts with an AstNode: its kind and its place in the source. Its
   fields follow in a struct of its own, `Ast_<Kind>`, expanded from ast.def:
   `AST_AS(BinOp, node)->left`. Nodes, sequences and what they hold belong to an
   arena; identifiers, strings and constants are references borrowed from it.
   Operators and contexts are plain enumerators (AST_Add, AST_Load...).
   Identifiers are interned, exact str objects (or, from `compile(tree)`, str). */
#ifndef SB_INTERNAL_AST_H
#define SB_INTERNAL_AST_H

#include <assert.h>
#include "Python.h"
#include "internal/arena.h"
#include "internal/ast.def"

typedef enum {
    AST_none,
#define KIND(kind, group) AST_##kind,
    AST_KINDS(KIND, KIND)
#undef KIND
    AST_KIND_COUNT
} AstKind;

/* Lines count from 1, columns are UTF-8 byte offsets from 0. */
typedef struct {
    int lineno;
    int col_offset;
    int end_lineno;
    int end_col_offset;
} AstPos;

typedef struct {
    AstKind kind;
    AstPos pos;
} AstNode;

typedef struct {
    Py_ssize_t size;
    AstNode *items[];
} AstSeq;

typedef struct {
    Py_ssize_t size;
    PyObject *items[];
} AstNameSeq;

typedef struct {
    Py_ssize_t size;
    AstKind items[];
} AstOpSeq;

/* C types of fields, by cardinality and type. */
#define AST_CTYPE(cardinality, type) AST_CTYPE_##cardinality##_##type
#define AST_CTYPE_ONE_identifier PyObject *
#define AST_CTYPE_OPT_identifier PyObject *
#define AST_CTYPE_SEQ_identifier AstNameSeq *
#define AST_CTYPE_ONE_string PyObject *
#define AST_CTYPE_OPT_string PyObject *
#define AST_CTYPE_ONE_constant PyObject *
#define AST_CTYPE_ONE_int int
#define AST_CTYPE_OPT_int int
#define AST_CTYPE_ONE_expr_context AstKind
#define AST_CTYPE_ONE_boolop AstKind
#define AST_CTYPE_ONE_operator AstKind
#define AST_CTYPE_ONE_unaryop AstKind
#define AST_CTYPE_SEQ_cmpop AstOpSeq *
#define AST_CTYPE_ONE_expr AstNode *
#define AST_CTYPE_OPT_expr AstNode *
#define AST_CTYPE_SEQ_expr AstSeq *
#define AST_CTYPE_SEQ_stmt AstSeq *
#define AST_CTYPE_SEQ_type_ignore AstSeq *
#define AST_CTYPE_ONE_arguments AstNode *
#define AST_CTYPE_SEQ_arg AstSeq *
#define AST_CTYPE_OPT_arg AstNode *
#define AST_CTYPE_SEQ_keyword AstSeq *
#define AST_CTYPE_SEQ_alias AstSeq *
#define AST_CTYPE_SEQ_withitem AstSeq *
#define AST_CTYPE_SEQ_match_case AstSeq *
#define AST_CTYPE_SEQ_excepthandler AstSeq *
#define AST_CTYPE_SEQ_comprehension AstSeq *
#define AST_CTYPE_ONE_pattern AstNode *
#define AST_CTYPE_OPT_pattern AstNode *
#define AST_CTYPE_SEQ_pattern AstSeq *

#define AST_MEMBER_(cardinality, type, name) AST_CTYPE(cardinality, type) name;
#define AST_PARAM_(cardinality, type, name) , AST_CTYPE(cardinality, type) name
#define AST_SET_(cardinality, type, name) node->name = name;

/* struct Ast_<Kind>, and AstNew_<Kind>(arena, pos, fields...), which returns
   NULL with MemoryError set. */
#define AST_DEFINE_(kind_, group) \
    typedef struct { \
        AstNode base; \
        AST_FIELDS_##kind_(AST_MEMBER_) \
    } Ast_##kind_; \
    static inline AstNode * \
    AstNew_##kind_(AstArena *arena, AstPos pos AST_FIELDS_##kind_(AST_PARAM_)) \
    { \
        Ast_##kind_ *node = _PyAstArena_Alloc(arena, sizeof(Ast_##kind_)); \
        if (node == NULL) { \
            return NULL; \
        } \
        node->base.kind = AST_##kind_; \
        node->base.pos = pos; \
        AST_FIELDS_##kind_(AST_SET_) \
        return &node->base; \
    }
AST_KINDS(AST_DEFINE_, AST_DEFINE_)
#undef AST_DEFINE_

/* The node as its own struct: AST_AS(Name, node)->id. */
#define AST_AS(kind_, node) \
    (assert((node)->kind == AST_##kind_), (Ast_##kind_ *)(node))

static inline int _PyAst_IsStmt(AstKind k) { return AST_FunctionDef <= k && k <= AST_Continue; }
static inline int _PyAst_IsExpr(AstKind k) { return AST_BoolOp <= k && k <= AST_Slice; }
static inline int _PyAst_IsPattern(AstKind k) { return AST_MatchValue <= k && k <= AST_MatchOr; }

/* The empty sequences, shared; read-only. */
extern AstSeq _PyAst_EmptySeq;
extern AstNameSeq _PyAst_EmptyNameSeq;

/* Sequences with room for `size` items, not filled in. NULL with MemoryError. */
AstSeq *_PyAst_NewSeq(AstArena *arena, Py_ssize_t size);
AstNameSeq *_PyAst_NewNameSeq(AstArena *arena, Py_ssize_t size);
AstOpSeq *_PyAst_NewOpSeq(AstArena *arena, Py_ssize_t size);

/* -------------------------------------------------------- the table as data */

typedef enum { AST_CARD_ONE, AST_CARD_OPT, AST_CARD_SEQ } AstCardinality;

typedef enum {
    AST_TYPE_identifier, AST_TYPE_string, AST_TYPE_constant, AST_TYPE_int,
    AST_TYPE_mod, AST_TYPE_stmt, AST_TYPE_expr, AST_TYPE_expr_context,
    AST_TYPE_boolop, AST_TYPE_operator, AST_TYPE_unaryop, AST_TYPE_cmpop,
    AST_TYPE_comprehension, AST_TYPE_excepthandler, AST_TYPE_arguments,
    AST_TYPE_arg, AST_TYPE_keyword, AST_TYPE_alias, AST_TYPE_withitem,
    AST_TYPE_match_case, AST_TYPE_pattern, AST_TYPE_type_ignore
} AstFieldType;

typedef struct {
    const char *name;
    unsigned char cardinality;      /* AstCardinality */
    unsigned char type;             /* AstFieldType */
    unsigned short offset;          /* in the node's struct */
} AstField;

typedef struct {
    const char *name;
    const char *group;              /* NULL for a class that stands alone */
    const AstField *(*fields)(void);    /* n_fields of them */
    unsigned short n_fields;
    unsigned short struct_size;
    unsigned char positions;        /* as in AST_GROUPS */
    unsigned char type;             /* AstFieldType that this kind belongs to */
} AstKindInfo;

extern const AstKindInfo _PyAst_Kinds[AST_KIND_COUNT];

#endif

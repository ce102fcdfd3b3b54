/* Code generation: from statements and expressions to register instructions.

   Registers are allocated as a stack: `top` is the first free temporary. The caller of
   _PyGen_Expr says by `dest` where it wants the value:

     ANY     wherever it is: the register of a local variable, or else a new
             temporary, which is then the one that `top` was at entry
     PUSH    in a new temporary, always the one that `top` was at entry
     r >= 0  in the local variable r, written by the last instruction only

   and `top` afterwards is one higher exactly if a temporary was made. Opcodes consume the
   temporaries that they read (frame.h), so the generator only has to lower `top`.

   A local variable is used as an operand directly. It is copied first if an assignment
   expression later in the same expression may change it (_PyGen_Operand).

   All functions return 0 (or a register), or -1 with an exception set. */
#ifndef SB_FRONTEND_CODEGEN_H
#define SB_FRONTEND_CODEGEN_H

#include "Python.h"
#include "../ir.h"
#include "internal/symtable.h"
#include "internal/code.h"
#include "internal/frame.h"

#define AS(kind_, node) ((Ast_##kind_ *)(node))

enum { ANY = -2, PUSH = -3 };

/* A display or call with more items than this builds a list or dict item by item, so that
   windows stay small. */
#define MAX_RUN 30
#define MAX_PAIRS 15
#define PAIRS_AT_ONCE 17            /* of python3.11's, which tracers can tell */

typedef enum {
    UNIT_MODULE, UNIT_CLASS, UNIT_FUNCTION, UNIT_ASYNC_FUNCTION, UNIT_LAMBDA,
    UNIT_COMPREHENSION
} UnitKind;

/* A construct that a `return`, `break` or `continue` has to leave. Innermost first. */
typedef enum {
    BLOCK_WHILE,
    BLOCK_FOR,                  /* reg: the iterator */
    BLOCK_ASYNC_FOR,
    BLOCK_TRY,                  /* only a handler */
    BLOCK_FINALLY,              /* finalbody runs on the way out */
    BLOCK_FINALLY_END,          /* reg: exception, reg + 1: the previous one */
    BLOCK_WITH,                 /* reg: the window of __exit__ */
    BLOCK_ASYNC_WITH,
    BLOCK_HANDLER,              /* reg + 1: the previous exception; name or NULL */
    BLOCK_STAR_HANDLER,
    BLOCK_VALUE,                /* reg: a value that waits to be returned */
} BlockKind;

typedef struct Block_ {
    struct Block_ *outer;
    BlockKind kind;
    int reg;
    int handler;                /* the handler of the code outside this block */
    int start, end;             /* labels of loops */
    AstSeq *finalbody;
    PyObject *name;
    AstNode *node;              /* `with`; `while` whose `continue` shows its line */
} GenBlock;

typedef struct {
    PyObject **keys;
    int32_t *values;
    int mask, n;
} AddressMap;

typedef struct Unit {
    struct Unit *outer;
    UnitKind kind;
    Scope *scope;
    PyObject *name, *qualname;  /* borrowed; owned */
    PyObject *private_name;     /* borrowed */
    int argcount, posonly, kwonly;
    int firstlineno;
    IRCode ir;
    PyObject *consts, *names;   /* lists */
    AddressMap const_map, name_map;
    int nparams, nlocals, ncells, nfrees;
    PyObject **varnames;        /* names of registers 0..nlocals-1 */
    PyObject **cellnames;       /* all cells, sorted; parameters among them */
    PyObject **freenames;
    int assigned_locals;
    int first_temp, top, max_top;
    GenBlock *blocks;
    int handler;
    SrcLoc loc;
    uint8_t is_generator;
} Unit;

typedef struct {
    PyObject *filename;
    AstArena *arena;
    Symtable st;
    Unit *u;
    Unit *spare;                /* finished units, whose memory is used again */
    int optimize;
    int flags;                  /* PyCF_ and CO_FUTURE_ */
    int future_lineno;
    int interactive;
    int nesting;
    int depth, limit;
    SrcLoc behind;              /* of what follows an expression that sets a variable */
    PyObject **consts;          /* every constant of the module, once */
    Py_hash_t *const_hashes;
    int nconsts, const_mask;
} Gen;

/* ----------------------------- compile.c: units, constants, names, emission */

int _PyGen_Error(Gen *, const char *format, ...);
int _PyGen_Warn(Gen *, const char *format, ...);

int _PyGen_Enter(Gen *, PyObject *name, UnitKind, const void *node, int lineno);
void _PyGen_Leave(Gen *);
/* Returns the unit's code object. Leaves the unit in any case. `ends`: control may reach
   the end of the code, which returns None. */
PyCodeObject *_PyGen_Finish(Gen *, int ends);

int _PyGen_Const(Gen *, PyObject *);        /* index in co_consts */
int _PyGen_ConstSteal(Gen *, PyObject *);
int _PyGen_NameIndex(Gen *, PyObject *);    /* index in co_names, mangled */
PyObject *_PyGen_Mangle(Gen *, PyObject *); /* borrowed */

int _PyGen_Emit(Gen *, int op, int a, int b, int c, int arg);
int _PyGen_ReturnNone(Gen *);
int _PyGen_NewLabel(Gen *);
void _PyGen_Bind(Gen *, int label);
int _PyGen_Alloc(Gen *);                    /* a new temporary */
int _PyGen_Reserve(Gen *, int n);           /* the first of n */
void _PyGen_SetTop(Gen *, int top);

/* The register of a result whose operands are no longer needed: `dest`, or the
   temporary `base`. */
int _PyGen_Result(Gen *, int dest, int base);

/* From here to _PyGen_Unprotect, an exception jumps to label. Temporaries from `depth` up
   are dropped, and the exception is in register `depth`. */
int _PyGen_Protect(Gen *, int label, int depth);

static inline int
gen_is_var(Gen *g, int reg)
{
    return reg < g->u->first_temp;
}

static inline SrcLoc
gen_loc_of(const AstNode *node)
{
    return (SrcLoc){node->pos.lineno, node->pos.end_lineno,
                    node->pos.col_offset, node->pos.end_col_offset};
}

static inline void
gen_set_loc(Gen *g, const AstNode *node)
{
    g->u->loc = gen_loc_of(node);
}

static inline void
gen_no_loc(Gen *g)
{
    g->u->loc = NO_LOC;
}

/* ------------------------------------------------------- names.c: variables */

/* The register of a name that is a plain local variable, or -1. */
int _PyGen_LocalReg(Gen *, PyObject *name);
/* The same for one that `value` (or NULL: whatever it is) is stored in: the variables that the value
   mentions are made first, so that co_varnames has the order of the code of python3.11, which stores
   at last. */
int _PyGen_LocalRegFor(Gen *, PyObject *name, AstNode *value);
int _PyGen_LoadName(Gen *, PyObject *name, int dest);
int _PyGen_StoreName(Gen *, PyObject *name, int reg);
int _PyGen_DeleteName(Gen *, PyObject *name);
int _PyGen_UnbindName(Gen *, PyObject *name);  /* name = None; del name */
/* Returns 1 with an error raised if name must not be assigned to. */
int _PyGen_Forbidden(Gen *, PyObject *name, AstKind ctx);
/* Pushes a tuple of the cells that a code object needs: 1; or 0 if there are none. */
int _PyGen_PushClosure(Gen *, PyCodeObject *code);

/* ------------------------------------------------------------------- expr.c */

int _PyGen_Expr(Gen *, AstNode *, int dest);
/* Stores the value in local variable `var`, which `target` is, or the statement or expression that
   sets it. */
int _PyGen_ExprInto(Gen *, AstNode *value, int var, AstNode *target);
/* Like ANY, but the value is safe from assignments in `later` (may be NULL). */
int _PyGen_Operand(Gen *, AstNode *, AstNode *later);
int _PyGen_ContainsWalrus(Gen *, AstNode *);
int _PyGen_Push(Gen *, AstNode *);
int _PyGen_PushConst(Gen *, PyObject *);
int _PyGen_ConstInto(Gen *, PyObject *, int reg);  /* the value of an existing register */
int _PyGen_JumpIf(Gen *, AstNode *, int label, int cond);
/* Emits dest = left op right. The operands' temporaries start at base. */
int _PyGen_Binary(Gen *, AstKind op, int left, AstNode *right, int inplace,
                  int dest, int base);
/* Pushes the two ends of a slice. Returns the first register. */
int _PyGen_SliceBounds(Gen *, AstNode *slice);

static inline int
gen_is_simple_slice(AstNode *e)
{
    return e->kind == AST_Slice && AS(Slice, e)->step == NULL;
}

/* Awaits the value in temporary top-1. `kind` is that of GET_AWAITABLE. */
int _PyGen_Await(Gen *, int kind);
/* Awaits the next item of the asynchronous iterator in register `it`. Returns the temporary
   that it is in, or -1. */
int _PyGen_AsyncNext(Gen *, int it);
/* The tuple of a sequence of constants. Returns a new reference, or NULL. */
PyObject *_PyGen_ConstTuple(AstSeq *);
int _PyGen_Display(Gen *, AstKind kind, AstSeq *elts, int dest);

/* ----------------------------------------------------------------- target.c */

/* Assigns register reg, which is consumed if it is a temporary. */
int _PyGen_Store(Gen *, AstNode *target, int reg);
int _PyGen_Delete(Gen *, AstNode *target);
int _PyGen_AugAssign(Gen *, AstNode *);
int _PyGen_AttrLoc(Gen *, AstNode *attr);
int _PyGen_ShowLine(Gen *, AstNode *operand);

/* ------------------------------------------------------------------- call.c */

int _PyGen_Call(Gen *, AstNode *, int dest);
/* Emits positional arguments and keywords into a window whose callable is at `base` and
   which already holds `n` arguments, then the call. */
int _PyGen_CallHelper(Gen *, int base, int n, AstSeq *args, AstSeq *keywords,
                      int dest);

/* -------------------------------------------------------------------- def.c */

int _PyGen_Function(Gen *, AstNode *, int is_async);
int _PyGen_Class(Gen *, AstNode *);
int _PyGen_Lambda(Gen *, AstNode *, int dest);
int _PyGen_Comprehension(Gen *, AstNode *, int dest);
int _PyGen_Annotation(Gen *, AstNode *annotation);     /* pushed */

/* ------------------------------------------------------------------- stmt.c */

int _PyGen_Stmt(Gen *, AstNode *);
int _PyGen_Body(Gen *, AstSeq *);
int _PyGen_ModuleBody(Gen *, AstSeq *);     /* docstring, annotations, statements */

/* ------------------------------------------------------------------- flow.c */

int _PyGen_If(Gen *, AstNode *);
int _PyGen_While(Gen *, AstNode *);
int _PyGen_For(Gen *, AstNode *);
int _PyGen_AsyncFor(Gen *, AstNode *);
int _PyGen_BreakOrContinue(Gen *, int is_break);
int _PyGen_Return(Gen *, AstNode *);
/* Does a `return`, `break` or `continue` run the end of a `finally` or `with` on its way? */
int _PyGen_LeavesByCleanUp(Gen *, AstNode *);
int _PyGen_Try(Gen *, AstNode *);
int _PyGen_With(Gen *, AstNode *, int is_async);

/* ------------------------------------------------------------------ match.c */

int _PyGen_Match(Gen *, AstNode *);
/* Goes to the line of what follows a block: that of the statement that python3.11's compiler
   came to last, even if it is not run, or has no code; none behind a statement that ends with
   clean-up. */
void _PyGen_SetLocBehind(Gen *, AstSeq *body);

#define TRY(call) \
    do { \
        if ((call) < 0) { \
            return -1; \
        } \
    } while (0)

#define EMIT(op, a, b, c) TRY(_PyGen_Emit(g, OP_##op, (a), (b), (c), 0))
#define EMIT_ARG(op, a, b, c, arg) \
    TRY(_PyGen_Emit(g, OP_##op, (a), (b), (c), (arg)))
#define JUMP_TO(op, a, label) TRY(_PyGen_Emit(g, OP_##op, (a), 0, 0, (label)))

#define NEW_LABEL(var) \
    int var = _PyGen_NewLabel(g); \
    if (var < 0) { \
        return -1; \
    }

#endif

/* Expressions, and jumps on conditions. */
#include "codegen.h"

#include <string.h>

/* ---------------------------------------------------------------- constants */

int
_PyGen_ConstInto(Gen *g, PyObject *o, int reg)
{
    int index = _PyGen_Const(g, o);
    TRY(index);
    EMIT_ARG(LOAD_CONST, reg, 0, 0, index);
    return 0;
}

static int
load_const(Gen *g, PyObject *o, int dest)
{
    int reg = _PyGen_Result(g, dest, g->u->top);
    TRY(reg);
    TRY(_PyGen_ConstInto(g, o, reg));
    return reg;
}

int
_PyGen_PushConst(Gen *g, PyObject *o)
{
    return load_const(g, o, PUSH);
}

PyObject *
_PyGen_ConstTuple(AstSeq *elts)
{
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        if (elts->items[i]->kind != AST_Constant) {
            return NULL;
        }
    }
    PyObject *tuple = PyTuple_New(elts->size);
    for (Py_ssize_t i = 0; tuple != NULL && i < elts->size; i++) {
        PyObject *value = AS(Constant, elts->items[i])->value;
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(value));
    }
    return tuple;
}

/* ----------------------------------------------------------------- operands */

int
_PyGen_Push(Gen *g, AstNode *e)
{
    return _PyGen_Expr(g, e, PUSH);
}

static int contains_walrus_seq(Gen *, AstSeq *);

int
_PyGen_ContainsWalrus(Gen *g, AstNode *e)
{
    if (e == NULL) {
        return 0;
    }
    switch (e->kind) {
    case AST_NamedExpr:
        return 1;
    case AST_Constant:
    case AST_Name:
    case AST_Lambda:
        return 0;
    case AST_BoolOp:
        return contains_walrus_seq(g, AS(BoolOp, e)->values);
    case AST_BinOp:
        return _PyGen_ContainsWalrus(g, AS(BinOp, e)->left)
               || _PyGen_ContainsWalrus(g, AS(BinOp, e)->right);
    case AST_UnaryOp:
        return _PyGen_ContainsWalrus(g, AS(UnaryOp, e)->operand);
    case AST_Attribute:
        return _PyGen_ContainsWalrus(g, AS(Attribute, e)->value);
    case AST_Subscript:
        return _PyGen_ContainsWalrus(g, AS(Subscript, e)->value)
               || _PyGen_ContainsWalrus(g, AS(Subscript, e)->slice);
    case AST_Compare:
        return _PyGen_ContainsWalrus(g, AS(Compare, e)->left)
               || contains_walrus_seq(g, AS(Compare, e)->comparators);
    case AST_Tuple:
    case AST_List:
        return contains_walrus_seq(g, AS(Tuple, e)->elts);
    default:
        return 1;               /* may contain one */
    }
}

static int
contains_walrus_seq(Gen *g, AstSeq *seq)
{
    for (Py_ssize_t i = 0; i < seq->size; i++) {
        if (_PyGen_ContainsWalrus(g, seq->items[i])) {
            return 1;
        }
    }
    return 0;
}

int
_PyGen_Operand(Gen *g, AstNode *e, AstNode *later)
{
    if (later != NULL && g->u->scope->has_walrus
        && _PyGen_ContainsWalrus(g, later)) {
        return _PyGen_Push(g, e);
    }
    return _PyGen_Expr(g, e, ANY);
}

/* A variable or constant is read, or a variable set, without an instruction of its own. Where what
   does it spans several lines, the event of its line must not be lost. (A NOP that is not needed
   for that is dropped later.) */
int
_PyGen_ShowLine(Gen *g, AstNode *e)
{
    SrcLoc outer = g->u->loc;
    if (e->pos.lineno == outer.line && outer.end_line == outer.line) {
        return 0;
    }
    gen_set_loc(g, e);
    EMIT(NOP, 1, 0, 0);
    g->u->loc = outer;
    return 0;
}

/* A multi-line attribute shows the line of its name. */
int
_PyGen_AttrLoc(Gen *g, AstNode *attr)
{
    SrcLoc *loc = &g->u->loc;
    if (loc->line == attr->pos.end_lineno) {
        return 0;
    }
    loc->line = attr->pos.end_lineno;
    int len = (int)PyUnicode_GET_LENGTH(AS(Attribute, attr)->attr);
    if (len <= attr->pos.end_col_offset) {
        loc->col = attr->pos.end_col_offset - len;
    }
    else {
        loc->col = -1;
        loc->end_col = -1;
    }
    if (loc->end_line < loc->line) {
        loc->end_line = loc->line;
    }
    return 0;
}

/* --------------------------------------------------------------- arithmetic */

static const uint16_t binary_ops[][3] = {
    /* plain, in place, with a small int (0: none) */
    [AST_Add - AST_Add] = {OP_ADD, OP_IADD, OP_ADDI},
    [AST_Sub - AST_Add] = {OP_SUB, OP_ISUB, OP_SUBI},
    [AST_Mult - AST_Add] = {OP_MUL, OP_IMUL, OP_MULI},
    [AST_MatMult - AST_Add] = {OP_MATMUL, OP_IMATMUL, 0},
    [AST_Div - AST_Add] = {OP_TRUEDIV, OP_ITRUEDIV, 0},
    [AST_Mod - AST_Add] = {OP_MOD, OP_IMOD, OP_MODI},
    [AST_Pow - AST_Add] = {OP_POW, OP_IPOW, 0},
    [AST_LShift - AST_Add] = {OP_LSHIFT, OP_ILSHIFT, OP_LSHIFTI},
    [AST_RShift - AST_Add] = {OP_RSHIFT, OP_IRSHIFT, OP_RSHIFTI},
    [AST_BitOr - AST_Add] = {OP_OR, OP_IOR, 0},
    [AST_BitXor - AST_Add] = {OP_XOR, OP_IXOR, 0},
    [AST_BitAnd - AST_Add] = {OP_AND, OP_IAND, OP_ANDI},
    [AST_FloorDiv - AST_Add] = {OP_FLOORDIV, OP_IFLOORDIV, OP_FLOORDIVI},
};

static int
immediate(AstNode *e, int *value)
{
    int32_t v;
    if (e->kind != AST_Constant || !_PyCode_ImmediateInt(AS(Constant, e)->value, &v)
        || v < INT16_MIN || v > INT16_MAX) {
        return 0;
    }
    *value = v;
    return 1;
}

int
_PyGen_Binary(Gen *g, AstKind op, int left, AstNode *right, int inplace,
              int dest, int base)
{
    const uint16_t *ops = binary_ops[op - AST_Add];
    SrcLoc loc = g->u->loc;
    int value;
    if (ops[2] != 0 && immediate(right, &value)) {
        TRY(_PyGen_ShowLine(g, right));
        int reg = _PyGen_Result(g, dest, base);
        TRY(reg);
        TRY(_PyGen_Emit(g, ops[2], reg, left, value & 0xffff, inplace));
        return reg;
    }
    int r = _PyGen_Expr(g, right, ANY);
    TRY(r);
    g->u->loc = loc;
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    TRY(_PyGen_Emit(g, ops[inplace], reg, left, r, 0));
    return reg;
}

static int
expr_binop(Gen *g, AstNode *e, int dest)
{
    Ast_BinOp *bin = AS(BinOp, e);
    int base = g->u->top;
    int left = _PyGen_Operand(g, bin->left, bin->right);
    TRY(left);
    return _PyGen_Binary(g, bin->op, left, bin->right, 0, dest, base);
}

static int
expr_unary(Gen *g, AstNode *e, int dest)
{
    static const uint16_t ops[] = {
        [AST_Invert - AST_Invert] = OP_INVERT, [AST_Not - AST_Invert] = OP_NOT,
        [AST_UAdd - AST_Invert] = OP_POS, [AST_USub - AST_Invert] = OP_NEG,
    };
    int base = g->u->top;
    int r = _PyGen_Expr(g, AS(UnaryOp, e)->operand, ANY);
    TRY(r);
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    TRY(_PyGen_Emit(g, ops[AS(UnaryOp, e)->op - AST_Invert], reg, r, 0, 0));
    return reg;
}

/* -------------------------- and, or, if-else: all paths end in one register */

static int
expr_boolop(Gen *g, AstNode *e, int dest)
{
    Ast_BoolOp *boolop = AS(BoolOp, e);
    int jump = boolop->op == AST_Or ? OP_JUMP_IF_TRUE_OR_DROP
                                    : OP_JUMP_IF_FALSE_OR_DROP;
    int base = g->u->top;
    NEW_LABEL(end);
    Py_ssize_t last = boolop->values->size - 1;
    for (Py_ssize_t i = 0; i <= last; i++) {
        AstNode *value = boolop->values->items[i];
        _PyGen_SetTop(g, base);
        if (i < last && value->kind == AST_Constant) {
            int truth = PyObject_IsTrue(AS(Constant, value)->value);
            TRY(truth);
            if (truth == (boolop->op == AST_Or)) {
                TRY(_PyGen_Push(g, value));
                JUMP_TO(JUMP, 0, end);
            }
            else {
                TRY(_PyGen_ShowLine(g, value));
                EMIT(NOP, 0, 0, 0);
            }
            continue;
        }
        TRY(_PyGen_Push(g, value));
        if (i < last) {
            TRY(_PyGen_Emit(g, jump, base, 0, 0, end));
        }
    }
    _PyGen_Bind(g, end);
    if (dest >= 0) {
        _PyGen_SetTop(g, base);
        g->u->loc = g->behind;
        EMIT(MOVE, dest, base, 0);
        return dest;
    }
    return base;
}

static int
expr_ifexp(Gen *g, AstNode *e, int dest)
{
    Ast_IfExp *cond = AS(IfExp, e);
    int base = g->u->top;
    int way = dest == ANY ? PUSH : dest;
    NEW_LABEL(orelse);
    NEW_LABEL(end);
    TRY(_PyGen_JumpIf(g, cond->test, orelse, 0));
    SrcLoc behind = g->behind;
    g->behind = NO_LOC;
    TRY(_PyGen_Expr(g, cond->body, way));
    g->behind = behind;
    gen_no_loc(g);
    JUMP_TO(JUMP, 0, end);
    _PyGen_Bind(g, orelse);
    _PyGen_SetTop(g, base);
    int reg = _PyGen_Expr(g, cond->orelse, way);
    TRY(reg);
    _PyGen_Bind(g, end);
    return reg;
}

/* -------------------------------------------------------------- comparisons */

static const struct {
    uint16_t op, jump, jump_not, jumpi, jumpi_not;
} compare_ops[] = {
#define ORDERED(ast, name) \
    [AST_##ast - AST_Eq] = {OP_##name, OP_JUMP_IF_##name, \
                            OP_JUMP_IF_NOT_##name, OP_JUMP_IF_##name##I, \
                            OP_JUMP_IF_NOT_##name##I}
    ORDERED(Eq, EQ), ORDERED(NotEq, NE), ORDERED(Lt, LT), ORDERED(LtE, LE),
    ORDERED(Gt, GT), ORDERED(GtE, GE),
#undef ORDERED
    [AST_Is - AST_Eq] = {OP_IS, OP_JUMP_IF_IS, OP_JUMP_IF_IS_NOT, 0, 0},
    [AST_IsNot - AST_Eq] = {OP_IS_NOT, OP_JUMP_IF_IS_NOT, OP_JUMP_IF_IS, 0, 0},
    [AST_In - AST_Eq] = {OP_IN, OP_JUMP_IF_IN, OP_JUMP_IF_NOT_IN, 0, 0},
    [AST_NotIn - AST_Eq] = {OP_NOT_IN, OP_JUMP_IF_NOT_IN, OP_JUMP_IF_IN, 0, 0},
};

static int
is_none(AstNode *e)
{
    return e->kind == AST_Constant && AS(Constant, e)->value == Py_None;
}

/* Whether e is a literal, which should not be compared with `is`. */
static int
is_plain_literal(AstNode *e)
{
    if (e->kind != AST_Constant) {
        return 0;
    }
    PyObject *value = AS(Constant, e)->value;
    return value != Py_None && value != Py_True && value != Py_False
           && value != Py_Ellipsis;
}

static int
check_compare(Gen *g, Ast_Compare *compare)
{
    AstNode *left = compare->left;
    for (Py_ssize_t i = 0; i < compare->ops->size; i++) {
        AstKind op = compare->ops->items[i];
        AstNode *right = compare->comparators->items[i];
        if ((op == AST_Is || op == AST_IsNot)
            && (is_plain_literal(left) || is_plain_literal(right))) {
            return _PyGen_Warn(g, op == AST_Is
                ? "\"is\" with a literal. Did you mean \"==\"?"
                : "\"is not\" with a literal. Did you mean \"!=\"?");
        }
        left = right;
    }
    return 0;
}

/* One comparison. Its temporaries start at base. */
static int
compare_value(Gen *g, AstKind op, int left, int right, int dest, int base)
{
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    TRY(_PyGen_Emit(g, compare_ops[op - AST_Eq].op, reg, left, right, 0));
    return reg;
}

static int
compare_jump(Gen *g, AstKind op, int left, int right, int label, int cond)
{
    int jump = cond ? compare_ops[op - AST_Eq].jump
                    : compare_ops[op - AST_Eq].jump_not;
    return _PyGen_Emit(g, jump, left, right, 0, label);
}

/* a < b < c. The middle operand, unless it is a variable, is kept for the next link in
   the temporary `carry`. A link that fails jumps to `stop`, by way of code that drops the
   carry if it is alive. As a value, `result` is the temporary in which all paths store
   their result. */
typedef struct {
    int carry;
    int result;                 /* or -1 */
    int stop;                   /* target of failing links, carry dead */
    int stop_carry;             /* the same, carry alive */
    int carry_used;
} Chain;

static int
chain_link(Gen *g, Ast_Compare *compare, Py_ssize_t i, Chain *chain, int *left)
{
    AstKind op = compare->ops->items[i];
    AstNode *right = compare->comparators->items[i];
    int base = chain->carry + 1;
    SrcLoc loc = g->u->loc;
    int l = *left;
    if (l == chain->carry) {
        _PyGen_SetTop(g, base);
        int moved = _PyGen_Alloc(g);
        TRY(moved);
        EMIT(MOVE, moved, l, 0);
        l = moved;
    }
    int later_walrus = g->u->scope->has_walrus;
    int r = -1;
    if (right->kind == AST_Name && !later_walrus) {
        r = _PyGen_LocalReg(g, AS(Name, right)->id);
    }
    int alive = 0;
    if (r >= 0) {
        TRY(_PyGen_Expr(g, right, ANY));
        *left = r;
    }
    else {
        int value = _PyGen_Push(g, right);
        TRY(value);
        EMIT(COPY, chain->carry, value, 0);
        r = value;
        *left = chain->carry;
        chain->carry_used = alive = 1;
    }
    g->u->loc = loc;
    int stop = alive ? chain->stop_carry : chain->stop;
    if (chain->result >= 0) {
        TRY(_PyGen_Emit(g, compare_ops[op - AST_Eq].op, chain->result, l, r, 0));
        TRY(_PyGen_Emit(g, OP_JUMP_IF_FALSE_OR_DROP, chain->result, 0, 0, stop));
    }
    else {
        TRY(compare_jump(g, op, l, r, stop, 0));
    }
    _PyGen_SetTop(g, base);
    return 0;
}

/* Emits all links but the last. Sets *left to the left operand of the last link. Its
   temporaries, from chain->carry + 1 up, are released by the caller. */
static int
chain_links(Gen *g, Ast_Compare *compare, Chain *chain, int *left)
{
    chain->carry = _PyGen_Alloc(g);
    TRY(chain->carry);
    TRY(chain->stop_carry = _PyGen_NewLabel(g));
    if (g->u->scope->has_walrus) {
        *left = _PyGen_Push(g, compare->left);
    }
    else {
        *left = _PyGen_Expr(g, compare->left, ANY);
    }
    TRY(*left);
    for (Py_ssize_t i = 0; i < compare->ops->size - 1; i++) {
        TRY(chain_link(g, compare, i, chain, left));
    }
    if (*left == chain->carry) {
        int moved = _PyGen_Alloc(g);
        TRY(moved);
        EMIT(MOVE, moved, *left, 0);
        *left = moved;
    }
    return 0;
}

static int
chain_value(Gen *g, Ast_Compare *compare, int dest)
{
    int base = g->u->top, left;
    NEW_LABEL(stop);
    Chain chain = {.result = _PyGen_Alloc(g), .stop = stop};
    TRY(chain.result);
    TRY(chain_links(g, compare, &chain, &left));
    Py_ssize_t last = compare->ops->size - 1;
    SrcLoc loc = g->u->loc;
    int right = _PyGen_Expr(g, compare->comparators->items[last], ANY);
    TRY(right);
    g->u->loc = loc;
    TRY(_PyGen_Emit(g, compare_ops[compare->ops->items[last] - AST_Eq].op,
                    chain.result, left, right, 0));
    if (chain.carry_used) {
        gen_no_loc(g);          /* it has the line of what is before it, and may be threaded */
        JUMP_TO(JUMP, 0, chain.stop);
        g->u->loc = loc;
        _PyGen_Bind(g, chain.stop_carry);
        EMIT(DROP, chain.carry, 0, 0);
    }
    _PyGen_Bind(g, chain.stop);
    if (!chain.carry_used) {
        EMIT(NOP, 0, 0, 0);     /* python3.11 has the clean-up here, at this line */
    }
    _PyGen_SetTop(g, base + 1);
    if (dest >= 0) {
        _PyGen_SetTop(g, base);
        EMIT(MOVE, dest, base, 0);
        return dest;
    }
    return base;
}

static int
chain_jump(Gen *g, Ast_Compare *compare, int label, int cond)
{
    int base = g->u->top, left;
    NEW_LABEL(end);
    Chain chain = {.result = -1, .stop = cond ? end : label};
    TRY(chain_links(g, compare, &chain, &left));
    Py_ssize_t last = compare->ops->size - 1;
    SrcLoc loc = g->u->loc;
    int right = _PyGen_Expr(g, compare->comparators->items[last], ANY);
    TRY(right);
    g->u->loc = loc;
    TRY(compare_jump(g, compare->ops->items[last], left, right, label, cond));
    if (chain.carry_used) {
        JUMP_TO(JUMP, 0, end);
        _PyGen_Bind(g, chain.stop_carry);
        EMIT(DROP, chain.carry, 0, 0);
        JUMP_TO(JUMP, 0, chain.stop);
    }
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base);
    return 0;
}

static int
expr_compare(Gen *g, AstNode *e, int dest)
{
    Ast_Compare *compare = AS(Compare, e);
    TRY(check_compare(g, compare));
    if (compare->ops->size > 1) {
        return chain_value(g, compare, dest);
    }
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    AstNode *rhs = compare->comparators->items[0];
    int left = _PyGen_Operand(g, compare->left, rhs);
    TRY(left);
    int right = _PyGen_Expr(g, rhs, ANY);
    TRY(right);
    g->u->loc = loc;
    return compare_value(g, compare->ops->items[0], left, right, dest, base);
}

static int
jump_compare(Gen *g, AstNode *e, int label, int cond)
{
    Ast_Compare *compare = AS(Compare, e);
    TRY(check_compare(g, compare));
    if (compare->ops->size > 1) {
        return chain_jump(g, compare, label, cond);
    }
    int base = g->u->top, value;
    SrcLoc loc = g->u->loc;
    AstKind op = compare->ops->items[0];
    AstNode *rhs = compare->comparators->items[0];
    int left = _PyGen_Operand(g, compare->left, rhs);
    TRY(left);
    if ((op == AST_Is || op == AST_IsNot) && is_none(rhs)) {
        TRY(_PyGen_ShowLine(g, rhs));
        _PyGen_SetTop(g, base);
        int wants_none = (op == AST_Is) == (cond != 0);
        return _PyGen_Emit(g, wants_none ? OP_JUMP_IF_NONE : OP_JUMP_IF_NOT_NONE,
                           left, 0, 0, label);
    }
    if (compare_ops[op - AST_Eq].jumpi && immediate(rhs, &value)) {
        TRY(_PyGen_ShowLine(g, rhs));
        _PyGen_SetTop(g, base);
        int jump = cond ? compare_ops[op - AST_Eq].jumpi
                        : compare_ops[op - AST_Eq].jumpi_not;
        return _PyGen_Emit(g, jump, left, value & 0xffff, 0, label);
    }
    int right = _PyGen_Expr(g, rhs, ANY);
    TRY(right);
    g->u->loc = loc;
    _PyGen_SetTop(g, base);
    return compare_jump(g, op, left, right, label, cond);
}

/* -------------------------------------------------------------------- jumps */

static int
jump_boolop(Gen *g, AstNode *e, int label, int cond)
{
    Ast_BoolOp *boolop = AS(BoolOp, e);
    int deciding = boolop->op == AST_Or;
    Py_ssize_t last = boolop->values->size - 1;
    NEW_LABEL(next);
    int target = deciding == cond ? label : next;
    for (Py_ssize_t i = 0; i < last; i++) {
        TRY(_PyGen_JumpIf(g, boolop->values->items[i], target, deciding));
    }
    TRY(_PyGen_JumpIf(g, boolop->values->items[last], label, cond));
    _PyGen_Bind(g, next);
    return 0;
}

static int
jump_ifexp(Gen *g, AstNode *e, int label, int cond)
{
    Ast_IfExp *test = AS(IfExp, e);
    NEW_LABEL(orelse);
    NEW_LABEL(end);
    TRY(_PyGen_JumpIf(g, test->test, orelse, 0));
    TRY(_PyGen_JumpIf(g, test->body, label, cond));
    SrcLoc loc = g->u->loc;
    gen_no_loc(g);
    JUMP_TO(JUMP, 0, end);
    g->u->loc = loc;
    _PyGen_Bind(g, orelse);
    TRY(_PyGen_JumpIf(g, test->orelse, label, cond));
    _PyGen_Bind(g, end);
    return 0;
}

static int
jump_if_kind(Gen *g, AstNode *e, int label, int cond)
{
    switch (e->kind) {
    case AST_UnaryOp:
        if (AS(UnaryOp, e)->op == AST_Not) {
            return _PyGen_JumpIf(g, AS(UnaryOp, e)->operand, label, !cond);
        }
        break;
    case AST_BoolOp:
        return jump_boolop(g, e, label, cond);
    case AST_IfExp:
        return jump_ifexp(g, e, label, cond);
    case AST_Compare:
        /* Not restored: the code that follows, such as an assertion's failure, has this
           position, too. */
        gen_set_loc(g, e);
        return jump_compare(g, e, label, cond);
    case AST_Constant: {
        int truth = PyObject_IsTrue(AS(Constant, e)->value);
        TRY(truth);
        SrcLoc outer = g->u->loc;
        gen_set_loc(g, e);
        EMIT(NOP, 0, 0, 0);     /* its line, and that of what tests it */
        g->u->loc = outer;
        if (truth == cond) {
            JUMP_TO(JUMP, 0, label);
        }
        else {
            EMIT(NOP, 0, 0, 0);
        }
        return 0;
    }
    default:
        break;
    }
    int base = g->u->top;
    int r = _PyGen_Expr(g, e, ANY);
    TRY(r);
    _PyGen_SetTop(g, base);
    return _PyGen_Emit(g, cond ? OP_JUMP_IF_TRUE : OP_JUMP_IF_FALSE, r, 0, 0,
                       label);
}

int
_PyGen_JumpIf(Gen *g, AstNode *e, int label, int cond)
{
    if (_PyFrontend_Deeper(&g->depth, g->limit) < 0) {
        return -1;
    }
    int rc = jump_if_kind(g, e, label, cond);
    g->depth--;
    return rc;
}

/* ----------------------------------------------------------------- displays */

static int
has_starred(AstSeq *elts)
{
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        if (elts->items[i]->kind == AST_Starred) {
            return 1;
        }
    }
    return 0;
}

/* Displays that are long or contain stars build a list or set step by step. */
static int
grown_display(Gen *g, AstKind kind, AstSeq *elts, int dest)
{
    int base = g->u->top;
    int box = _PyGen_Alloc(g);
    TRY(box);
    int add = kind == AST_Set ? OP_SET_ADD : OP_LIST_APPEND;
    int extend = kind == AST_Set ? OP_SET_UPDATE : OP_LIST_EXTEND;
    int build = kind == AST_Set ? OP_BUILD_SET : OP_BUILD_LIST;
    SrcLoc loc = g->u->loc;
    Py_ssize_t i = 0;
    int run = 0;
    if (elts->size <= MAX_RUN) {
        _PyGen_SetTop(g, base);
        while (elts->items[i]->kind != AST_Starred) {
            TRY(_PyGen_Push(g, elts->items[i++]));
            run++;
        }
        _PyGen_SetTop(g, base + 1);
    }
    g->u->loc = loc;
    TRY(_PyGen_Emit(g, build, box, run ? base : 0, run, 0));
    for (; i < elts->size; i++) {
        AstNode *elt = elts->items[i];
        int starred = elt->kind == AST_Starred;
        int r = _PyGen_Expr(g, starred ? AS(Starred, elt)->value : elt, ANY);
        TRY(r);
        g->u->loc = loc;
        _PyGen_SetTop(g, base + 1);
        TRY(_PyGen_Emit(g, starred ? extend : add, box, r, 0, 0));
    }
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    if (kind == AST_Tuple) {
        EMIT(LIST_TO_TUPLE, reg, box, 0);
    }
    else if (reg != box) {
        EMIT(MOVE, reg, box, 0);
    }
    return reg;
}

/* Three or more constants in a row in a list or set become one constant. */
static int
constant_display(Gen *g, AstKind kind, PyObject *tuple, int dest)
{
    int base = g->u->top;
    PyObject *source = tuple;
    if (kind == AST_Set) {
        source = PyFrozenSet_New(tuple);
        if (source == NULL) {
            return -1;
        }
    }
    int box = _PyGen_Alloc(g);
    TRY(_PyGen_Emit(g, kind == AST_Set ? OP_BUILD_SET : OP_BUILD_LIST, box, 0,
                    0, 0));
    int r = _PyGen_PushConst(g, source);
    if (source != tuple) {
        Py_DECREF(source);
    }
    TRY(r);
    TRY(_PyGen_Emit(g, kind == AST_Set ? OP_SET_UPDATE : OP_LIST_EXTEND, box, r,
                    0, 0));
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    if (reg != box) {
        EMIT(MOVE, reg, box, 0);
    }
    return reg;
}

int
_PyGen_Display(Gen *g, AstKind kind, AstSeq *elts, int dest)
{
    SrcLoc loc = g->u->loc;
    if (elts->size > 2) {
        PyObject *tuple = _PyGen_ConstTuple(elts);
        if (tuple != NULL) {
            int reg = kind == AST_Tuple ? load_const(g, tuple, dest)
                                        : constant_display(g, kind, tuple, dest);
            Py_DECREF(tuple);
            return reg;
        }
        if (PyErr_Occurred()) {
            return -1;
        }
    }
    if (elts->size > MAX_RUN || has_starred(elts)) {
        return grown_display(g, kind, elts, dest);
    }
    int base = g->u->top;
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        TRY(_PyGen_Push(g, elts->items[i]));
    }
    g->u->loc = loc;
    int op = kind == AST_Set ? OP_BUILD_SET
             : kind == AST_List ? OP_BUILD_LIST : OP_BUILD_TUPLE;
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    TRY(_PyGen_Emit(g, op, reg, elts->size ? base : 0, (int)elts->size, 0));
    return reg;
}

/* ------------------------------------------- dict displays: built in pieces */

/* Adds many pairs to the dict in `box`, the last temporary. */
static int
add_pairs(Gen *g, Ast_Dict *dict, Py_ssize_t from, Py_ssize_t to, int box)
{
    SrcLoc loc = g->u->loc;
    for (Py_ssize_t i = from; i < to; i++) {
        int key = _PyGen_Operand(g, dict->keys->items[i], dict->values->items[i]);
        TRY(key);
        int value = _PyGen_Expr(g, dict->values->items[i], ANY);
        TRY(value);
        g->u->loc = loc;
        EMIT(MAP_ADD, box, key, value);
        _PyGen_SetTop(g, box + 1);
    }
    return 0;
}

static int
dict_piece(Gen *g, Ast_Dict *dict, Py_ssize_t from, Py_ssize_t to)
{
    int base = g->u->top;
    int n = (int)(to - from);
    SrcLoc loc = g->u->loc;
    int const_keys = n > 1;
    for (Py_ssize_t i = from; i < to && const_keys; i++) {
        const_keys = dict->keys->items[i]->kind == AST_Constant;
    }
    if (const_keys) {
        PyObject *keys = PyTuple_New(n);
        if (keys == NULL) {
            return -1;
        }
        for (int i = 0; i < n; i++) {
            PyObject *key = AS(Constant, dict->keys->items[from + i])->value;
            PyTuple_SET_ITEM(keys, i, Py_NewRef(key));
        }
        int index = _PyGen_ConstSteal(g, keys);
        TRY(index);
        for (Py_ssize_t i = from; i < to; i++) {
            TRY(_PyGen_Push(g, dict->values->items[i]));
        }
        g->u->loc = loc;
        _PyGen_SetTop(g, base);
        int reg = _PyGen_Alloc(g);
        TRY(reg);
        EMIT_ARG(BUILD_CONST_KEY_MAP, reg, base, n, index);
        return reg;
    }
    for (Py_ssize_t i = from; i < to; i++) {
        TRY(_PyGen_Push(g, dict->keys->items[i]));
        TRY(_PyGen_Push(g, dict->values->items[i]));
    }
    g->u->loc = loc;
    _PyGen_SetTop(g, base);
    int reg = _PyGen_Alloc(g);
    TRY(reg);
    EMIT(BUILD_MAP, reg, n ? base : 0, n);
    return reg;
}

/* Adds the pairs from:to, none of them with a `**`, to the dict in *box, or makes it. */
static int
dict_pairs(Gen *g, Ast_Dict *dict, Py_ssize_t from, Py_ssize_t to, int *box)
{
    while (from < to) {
        Py_ssize_t n = to - from;
        if (n > MAX_PAIRS) {
            n = Py_MIN(n, PAIRS_AT_ONCE);
            if (*box < 0) {
                TRY(*box = dict_piece(g, dict, from, from));
            }
            TRY(add_pairs(g, dict, from, from + n, *box));
        }
        else if (*box < 0) {
            TRY(*box = dict_piece(g, dict, from, to));
        }
        else {
            int piece = dict_piece(g, dict, from, to);
            TRY(piece);
            EMIT(DICT_UPDATE, *box, piece, 0);
        }
        _PyGen_SetTop(g, *box + 1);
        from += n;
    }
    return 0;
}

static int
expr_dict(Gen *g, AstNode *e, int dest)
{
    Ast_Dict *dict = AS(Dict, e);
    int base = g->u->top, box = -1;
    Py_ssize_t n = dict->values->size, i = 0;
    SrcLoc loc = g->u->loc;
    while (i < n || box < 0) {
        Py_ssize_t to = i;
        while (to < n && dict->keys->items[to] != NULL) {
            to++;
        }
        TRY(dict_pairs(g, dict, i, to, &box));
        i = to;
        if (box < 0) {
            TRY(box = dict_piece(g, dict, i, i));
        }
        if (i < n) {
            int r = _PyGen_Expr(g, dict->values->items[i++], ANY);
            TRY(r);
            g->u->loc = loc;
            EMIT(DICT_UPDATE, box, r, 0);
            _PyGen_SetTop(g, base + 1);
        }
    }
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    if (reg != box) {
        EMIT(MOVE, reg, box, 0);
    }
    return reg;
}

/* ------------------------------------------------------------------ strings */

static int
expr_formatted(Gen *g, AstNode *e, int dest)
{
    Ast_FormattedValue *value = AS(FormattedValue, e);
    int base = g->u->top;
    int r = _PyGen_Operand(g, value->value, value->format_spec);
    TRY(r);
    int how = value->conversion == 's' ? 1 : value->conversion == 'r' ? 2
              : value->conversion == 'a' ? 3 : 0;
    if (how) {
        _PyGen_SetTop(g, base);
        int text = _PyGen_Alloc(g);
        TRY(text);
        EMIT(CONVERT, text, r, how);
        r = text;
    }
    if (value->format_spec != NULL) {
        SrcLoc loc = g->u->loc;
        int spec = _PyGen_Expr(g, value->format_spec, ANY);
        TRY(spec);
        g->u->loc = loc;
        int reg = _PyGen_Result(g, dest, base);
        TRY(reg);
        EMIT(FORMAT_SPEC, reg, r, spec);
        return reg;
    }
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT(FORMAT, reg, r, 0);
    return reg;
}

static int
expr_joined(Gen *g, AstNode *e, int dest)
{
    AstSeq *values = AS(JoinedStr, e)->values;
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    if (values->size == 1) {
        return _PyGen_Expr(g, values->items[0], dest);
    }
    int pending = 0;
    int many = values->size > MAX_RUN;
    for (Py_ssize_t i = 0; i < values->size; i++) {
        if (many) {
            g->u->loc = loc;
            EMIT(NOP, 1, 0, 0);     /* python3.11 appends them to a list one by one */
        }
        if (pending == MAX_RUN) {
            g->u->loc = loc;
            _PyGen_SetTop(g, base + 1);
            EMIT(BUILD_STRING, base, base, pending);
            pending = 1;
        }
        TRY(_PyGen_Push(g, values->items[i]));
        pending++;
    }
    g->u->loc = loc;
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT(BUILD_STRING, reg, pending ? base : 0, pending);
    return reg;
}

/* ------------------------------------------------ attributes and subscripts */

static int
expr_attribute(Gen *g, AstNode *e, int dest)
{
    Ast_Attribute *attr = AS(Attribute, e);
    int base = g->u->top;
    int r = _PyGen_Expr(g, attr->value, ANY);
    TRY(r);
    _PyGen_AttrLoc(g, e);
    int index = _PyGen_NameIndex(g, attr->attr);
    TRY(index);
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT_ARG(LOAD_ATTR, reg, r, 0, index);
    return reg;
}

static PyTypeObject *
literal_type(AstNode *e)
{
    switch (e->kind) {
    case AST_Constant: return Py_TYPE(AS(Constant, e)->value);
    case AST_List: case AST_ListComp: return &PyList_Type;
    case AST_Dict: case AST_DictComp: return &PyDict_Type;
    case AST_Set: case AST_SetComp: return &PySet_Type;
    case AST_Tuple: return &PyTuple_Type;
    case AST_GeneratorExp: return &PyGen_Type;
    case AST_Lambda: return &PyFunction_Type;
    case AST_JoinedStr: case AST_FormattedValue: return &PyUnicode_Type;
    default: return NULL;
    }
}

static int
check_subscripted(Gen *g, AstNode *e)
{
    switch (e->kind) {
    case AST_Constant: {
        PyObject *v = AS(Constant, e)->value;
        if (v != Py_None && v != Py_Ellipsis && !PyLong_Check(v)
            && !PyFloat_Check(v) && !PyComplex_Check(v) && !PyAnySet_Check(v)) {
            return 0;
        }
        break;
    }
    case AST_Set: case AST_SetComp: case AST_GeneratorExp: case AST_Lambda:
        break;
    default:
        return 0;
    }
    return _PyGen_Warn(g, "'%.200s' object is not subscriptable; "
                          "perhaps you missed a comma?",
                       literal_type(e)->tp_name);
}

static int
check_index(Gen *g, AstNode *e, AstNode *index)
{
    PyTypeObject *type = literal_type(index);
    if (type == NULL || PyType_FastSubclass(type, Py_TPFLAGS_LONG_SUBCLASS)
        || type == &PySlice_Type) {
        return 0;
    }
    switch (e->kind) {
    case AST_Constant: {
        PyObject *v = AS(Constant, e)->value;
        if (!PyUnicode_Check(v) && !PyBytes_Check(v) && !PyTuple_Check(v)) {
            return 0;
        }
        break;
    }
    case AST_Tuple: case AST_List: case AST_ListComp: case AST_JoinedStr:
    case AST_FormattedValue:
        break;
    default:
        return 0;
    }
    return _PyGen_Warn(g, "%.200s indices must be integers or slices, "
                          "not %.200s; perhaps you missed a comma?",
                       literal_type(e)->tp_name, type->tp_name);
}

static int
check_subscript(Gen *g, AstNode *e)
{
    Ast_Subscript *sub = AS(Subscript, e);
    TRY(check_subscripted(g, sub->value));
    return check_index(g, sub->value, sub->slice);
}

static int
push_or_none(Gen *g, AstNode *e)
{
    return e != NULL ? _PyGen_Push(g, e) : _PyGen_PushConst(g, Py_None);
}

int
_PyGen_SliceBounds(Gen *g, AstNode *slice)
{
    SrcLoc loc = g->u->loc;
    gen_set_loc(g, slice);
    int bounds = push_or_none(g, AS(Slice, slice)->lower);
    TRY(bounds);
    TRY(push_or_none(g, AS(Slice, slice)->upper));
    g->u->loc = loc;
    return bounds;
}

static int
expr_subscript(Gen *g, AstNode *e, int dest)
{
    Ast_Subscript *sub = AS(Subscript, e);
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    TRY(check_subscript(g, e));
    int box = _PyGen_Operand(g, sub->value, sub->slice);
    TRY(box);
    if (gen_is_simple_slice(sub->slice)) {
        int bounds = _PyGen_SliceBounds(g, sub->slice);
        TRY(bounds);
        TRY(_PyGen_ShowLine(g, sub->slice));    /* where python3.11 makes a slice object */
        int reg = _PyGen_Result(g, dest, base);
        TRY(reg);
        EMIT(LOAD_SLICE, reg, box, bounds);
        return reg;
    }
    int value;
    if (immediate(sub->slice, &value)) {
        TRY(_PyGen_ShowLine(g, sub->slice));
        int reg = _PyGen_Result(g, dest, base);
        TRY(reg);
        EMIT(LOAD_SUBSCRI, reg, box, value & 0xffff);
        return reg;
    }
    int index = _PyGen_Expr(g, sub->slice, ANY);
    TRY(index);
    g->u->loc = loc;
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT(LOAD_SUBSCR, reg, box, index);
    return reg;
}

static int
expr_slice(Gen *g, AstNode *e, int dest)
{
    Ast_Slice *slice = AS(Slice, e);
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    TRY(_PyGen_SliceBounds(g, e));
    int n = 2;
    if (slice->step != NULL) {
        TRY(_PyGen_Push(g, slice->step));
        n = 3;
    }
    g->u->loc = loc;
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    EMIT(BUILD_SLICE, reg, base, n);
    return reg;
}

/* ------------------------------------- assignment expressions, yield, await */

static int
expr_named(Gen *g, AstNode *e, int dest)
{
    Ast_NamedExpr *named = AS(NamedExpr, e);
    PyObject *name = AS(Name, named->target)->id;
    SrcLoc loc = g->u->loc;
    int var = _PyGen_LocalRegFor(g, name, named->value);
    gen_set_loc(g, named->target);
    if (_PyGen_Forbidden(g, name, AST_Store)) {
        return -1;
    }
    g->u->loc = loc;
    if (var >= 0) {
        TRY(_PyGen_ExprInto(g, named->value, var, e));
        if (dest == ANY && var >= 0) {
            return var;
        }
        int reg = _PyGen_Result(g, dest, g->u->top);
        TRY(reg);
        if (reg != var) {
            EMIT(MOVE, reg, var, 0);
        }
        return reg;
    }
    int base = g->u->top;
    TRY(_PyGen_Push(g, named->value));
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    g->u->loc = loc;
    EMIT(COPY, copy, base, 0);
    TRY(_PyGen_StoreName(g, name, copy));
    _PyGen_SetTop(g, base);
    int reg = _PyGen_Result(g, dest, base);
    TRY(reg);
    if (reg != base) {
        EMIT(MOVE, reg, base, 0);
    }
    return reg;
}

static int
is_async_generator(Gen *g)
{
    return g->u->scope->coroutine && g->u->scope->generator
           && g->u->kind != UNIT_MODULE;
}

static int
settle(Gen *g, int base, int dest)
{
    if (dest >= 0) {
        _PyGen_SetTop(g, base);
        EMIT(MOVE, dest, base, 0);
        return dest;
    }
    return base;
}

static int
expr_yield(Gen *g, AstNode *e, int dest)
{
    if (g->u->scope->kind != FUNCTION_SCOPE) {
        return _PyGen_Error(g, "'yield' outside function");
    }
    AstNode *value = AS(Yield, e)->value;
    int base = g->u->top;
    int r = value != NULL ? _PyGen_Expr(g, value, ANY)
                          : _PyGen_PushConst(g, Py_None);
    TRY(r);
    if (is_async_generator(g)) {
        _PyGen_SetTop(g, base);
        int wrapped = _PyGen_Alloc(g);
        TRY(wrapped);
        EMIT(ASYNC_GEN_WRAP, wrapped, r, 0);
        r = wrapped;
    }
    /* A variable keeps its value until the generator runs again and its tracer has been told. */
    _PyGen_SetTop(g, base);
    TRY(_PyGen_Alloc(g));
    EMIT(YIELD_VALUE, r, 0, base);
    EMIT(RESUME, 1, 0, 0);
    return settle(g, base, dest);
}

/* The iterator is in base + 1. The value is stored in base. */
static int
send_loop(Gen *g, int base, int resume)
{
    NEW_LABEL(loop);
    NEW_LABEL(end);
    TRY(_PyGen_ConstInto(g, Py_None, base));
    _PyGen_Bind(g, loop);
    EMIT_ARG(SEND, base + 1, base, base, end);
    EMIT(YIELD_FROM_VALUE, base, base + 1, base);
    EMIT(RESUME, resume, 0, 0);
    JUMP_TO(JUMP, 0, loop);
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base + 1);
    return 0;
}

int
_PyGen_AsyncNext(Gen *g, int it)
{
    int item = _PyGen_Alloc(g);
    TRY(item);
    /* GET_ANEXT stores the object to which SEND sends. */
    int awaitable = _PyGen_Alloc(g);
    TRY(awaitable);
    EMIT(GET_ANEXT, awaitable, it, 0);
    TRY(send_loop(g, item, 3));
    return item;
}

int
_PyGen_Await(Gen *g, int kind)
{
    int base = g->u->top - 1;
    int it = _PyGen_Alloc(g);
    TRY(it);
    EMIT(GET_AWAITABLE, it, base, kind);
    return send_loop(g, base, 3);
}

static int
expr_yield_from(Gen *g, AstNode *e, int dest)
{
    if (g->u->scope->kind != FUNCTION_SCOPE) {
        return _PyGen_Error(g, "'yield' outside function");
    }
    if (g->u->kind == UNIT_ASYNC_FUNCTION) {
        return _PyGen_Error(g, "'yield from' inside async function");
    }
    int base = g->u->top;
    TRY(_PyGen_Push(g, AS(YieldFrom, e)->value));
    int it = _PyGen_Alloc(g);
    TRY(it);
    EMIT(GET_YIELD_FROM_ITER, it, base, 0);
    TRY(send_loop(g, base, 2));
    return settle(g, base, dest);
}

static int
top_level_await(Gen *g)
{
    return (g->flags & PyCF_ALLOW_TOP_LEVEL_AWAIT)
           && g->u->kind == UNIT_MODULE;
}

static int
expr_await(Gen *g, AstNode *e, int dest)
{
    if (!top_level_await(g)) {
        if (g->u->scope->kind != FUNCTION_SCOPE) {
            return _PyGen_Error(g, "'await' outside function");
        }
        if (g->u->kind != UNIT_ASYNC_FUNCTION && g->u->kind != UNIT_COMPREHENSION) {
            return _PyGen_Error(g, "'await' outside async function");
        }
    }
    int base = g->u->top;
    TRY(_PyGen_Push(g, AS(Await, e)->value));
    TRY(_PyGen_Await(g, 0));
    return settle(g, base, dest);
}

/* --------------------------------------------------------------- the switch */

static int
expr_kind(Gen *g, AstNode *e, int dest)
{
    switch (e->kind) {
    case AST_BoolOp: return expr_boolop(g, e, dest);
    case AST_NamedExpr: return expr_named(g, e, dest);
    case AST_BinOp: return expr_binop(g, e, dest);
    case AST_UnaryOp: return expr_unary(g, e, dest);
    case AST_Lambda: return _PyGen_Lambda(g, e, dest);
    case AST_IfExp: return expr_ifexp(g, e, dest);
    case AST_Dict: return expr_dict(g, e, dest);
    case AST_Set: return _PyGen_Display(g, AST_Set, AS(Set, e)->elts, dest);
    case AST_ListComp:
    case AST_SetComp:
    case AST_DictComp:
    case AST_GeneratorExp: return _PyGen_Comprehension(g, e, dest);
    case AST_Await: return expr_await(g, e, dest);
    case AST_Yield: return expr_yield(g, e, dest);
    case AST_YieldFrom: return expr_yield_from(g, e, dest);
    case AST_Compare: return expr_compare(g, e, dest);
    case AST_Call: return _PyGen_Call(g, e, dest);
    case AST_FormattedValue: return expr_formatted(g, e, dest);
    case AST_JoinedStr: return expr_joined(g, e, dest);
    case AST_Constant: return load_const(g, AS(Constant, e)->value, dest);
    case AST_Attribute: return expr_attribute(g, e, dest);
    case AST_Subscript: return expr_subscript(g, e, dest);
    case AST_Starred:
        return _PyGen_Error(g, "can't use starred expression here");
    case AST_Name: return _PyGen_LoadName(g, AS(Name, e)->id, dest);
    case AST_List: return _PyGen_Display(g, AST_List, AS(List, e)->elts, dest);
    case AST_Tuple: return _PyGen_Display(g, AST_Tuple, AS(Tuple, e)->elts, dest);
    case AST_Slice: return expr_slice(g, e, dest);
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected expression");
        return -1;
    }
}

int
_PyGen_Expr(Gen *g, AstNode *e, int dest)
{
    if (_PyFrontend_Deeper(&g->depth, g->limit) < 0) {
        return -1;
    }
    SrcLoc outer = g->u->loc;
    gen_set_loc(g, e);
    int reg = expr_kind(g, e, dest);
    if (reg >= 0) {
        g->u->loc = outer;
        if (e->kind == AST_Name && gen_is_var(g, reg) && dest == ANY) {
            TRY(_PyGen_ShowLine(g, e));
        }
    }
    g->depth--;
    return reg;
}

static int
ends_with_boolop(AstNode *e)
{
    return e->kind == AST_BoolOp
           || (e->kind == AST_IfExp && (ends_with_boolop(AS(IfExp, e)->body)
                                        || ends_with_boolop(AS(IfExp, e)->orelse)));
}

/* `(a and b) if c else d`: the ways of `and` meet in a jump without a line, and what follows is
   reported again, as by python3.11. */
static int
follows_no_line(AstNode *e)
{
    return e->kind == AST_IfExp && (ends_with_boolop(AS(IfExp, e)->body)
                                    || follows_no_line(AS(IfExp, e)->orelse));
}

int
_PyGen_ExprInto(Gen *g, AstNode *value, int var, AstNode *target)
{
    SrcLoc behind = g->behind;
    if (follows_no_line(value)) {
        int base = g->u->top;
        int r = _PyGen_Push(g, value);
        TRY(r);
        SrcLoc loc = g->u->loc;
        gen_set_loc(g, target);
        EMIT(MOVE, var, r, 0);
        _PyGen_SetTop(g, base);
        g->u->loc = loc;
        return 0;
    }
    g->behind = gen_loc_of(target);
    TRY(_PyGen_Expr(g, value, var));
    g->behind = behind;
    if (value->kind == AST_IfExp) {
        /* Its ways have stored the value. In python3.11 they meet before that, so what follows
           without a line of its own has the target's. */
        SrcLoc outer = g->u->loc;
        gen_set_loc(g, target);
        EMIT(NOP, NOP_FOR_OTHERS, 0, 0);
        g->u->loc = outer;
    }
    return _PyGen_ShowLine(g, target);
}

/* Assignment targets: storing, unpacking, deleting, and augmented assignment. */
#include "codegen.h"

/* ------------------------------------------------------------------ targets */

static int
store_attribute(Gen *g, AstNode *target, int reg)
{
    Ast_Attribute *attr = AS(Attribute, target);
    int base = g->u->top;
    int box = _PyGen_Expr(g, attr->value, ANY);
    TRY(box);
    _PyGen_AttrLoc(g, target);
    if (_PyGen_Forbidden(g, attr->attr, AST_Store)) {
        return -1;
    }
    int index = _PyGen_NameIndex(g, attr->attr);
    TRY(index);
    EMIT_ARG(STORE_ATTR, box, reg, 0, index);
    _PyGen_SetTop(g, base);
    return 0;
}

static int
store_subscript(Gen *g, AstNode *target, int reg)
{
    Ast_Subscript *sub = AS(Subscript, target);
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    int box = _PyGen_Operand(g, sub->value, sub->slice);
    TRY(box);
    if (gen_is_simple_slice(sub->slice)) {
        int bounds = _PyGen_SliceBounds(g, sub->slice);
        TRY(bounds);
        TRY(_PyGen_ShowLine(g, sub->slice));
        EMIT(STORE_SLICE, box, bounds, reg);
    }
    else {
        int index = _PyGen_Expr(g, sub->slice, ANY);
        TRY(index);
        g->u->loc = loc;
        EMIT(STORE_SUBSCR, box, index, reg);
    }
    _PyGen_SetTop(g, base);
    return 0;
}

/* If the targets are variables in consecutive registers, the first register, else -1. */
static int
adjacent_locals(Gen *g, AstSeq *elts)
{
    int first = -1;
    if (elts->size < 2 || elts->size > 8) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        AstNode *elt = elts->items[i];
        int var = elt->kind == AST_Name && elt->pos.lineno == g->u->loc.line
                  ? _PyGen_LocalReg(g, AS(Name, elt)->id) : -1;
        if (i == 0) {
            first = var;
        }
        if (var < 0 || var != first + (int)i) {
            return -1;
        }
    }
    return first;
}

static int
unpack(Gen *g, AstSeq *elts, int reg)
{
    int vars = adjacent_locals(g, elts);
    if (vars >= 0) {
        EMIT(UNPACK_LOCALS, vars, reg, (int)elts->size);
        return 0;
    }
    int star = -1;
    Py_ssize_t n = elts->size;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (elts->items[i]->kind != AST_Starred) {
            continue;
        }
        if (star >= 0) {
            return _PyGen_Error(g, "multiple starred expressions in assignment");
        }
        star = (int)i;
    }
    /* The documented limits for the number of targets around a star. */
    if (n > 20000 || (star >= 0 && star >= 1 << 8)) {
        return _PyGen_Error(g, "too many expressions in star-unpacking "
                               "assignment");
    }
    int base = g->u->top;
    int run = _PyGen_Reserve(g, (int)n);
    TRY(run);
    if (star < 0) {
        EMIT(UNPACK_SEQUENCE, run, reg, (int)n);
    }
    else {
        EMIT_ARG(UNPACK_EX, run, reg, star, (int)n - star - 1);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        AstNode *elt = elts->items[i];
        if (i == star) {
            elt = AS(Starred, elt)->value;
        }
        TRY(_PyGen_Store(g, elt, run + (int)i));
    }
    _PyGen_SetTop(g, base);
    return 0;
}

static int
store_kind(Gen *g, AstNode *target, int reg)
{
    switch (target->kind) {
    case AST_Name:
        return _PyGen_StoreName(g, AS(Name, target)->id, reg);
    case AST_Attribute:
        return store_attribute(g, target, reg);
    case AST_Subscript:
        return store_subscript(g, target, reg);
    case AST_List:
    case AST_Tuple:
        return unpack(g, AS(Tuple, target)->elts, reg);
    case AST_Starred:
        return _PyGen_Error(g, "starred assignment target must be in a list or "
                               "tuple");
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected assignment target");
        return -1;
    }
}

int
_PyGen_Store(Gen *g, AstNode *target, int reg)
{
    if (_PyFrontend_Deeper(&g->depth, g->limit) < 0) {
        return -1;
    }
    SrcLoc outer = g->u->loc;
    gen_set_loc(g, target);
    int rc = store_kind(g, target, reg);
    if (rc >= 0) {
        g->u->loc = outer;
    }
    g->depth--;
    return rc;
}

static int
delete_kind(Gen *g, AstNode *target)
{
    int base = g->u->top, box, index;
    SrcLoc loc = g->u->loc;
    switch (target->kind) {
    case AST_Name:
        return _PyGen_DeleteName(g, AS(Name, target)->id);
    case AST_Attribute:
        TRY(box = _PyGen_Expr(g, AS(Attribute, target)->value, ANY));
        _PyGen_AttrLoc(g, target);
        if (_PyGen_Forbidden(g, AS(Attribute, target)->attr, AST_Del)) {
            return -1;
        }
        TRY(index = _PyGen_NameIndex(g, AS(Attribute, target)->attr));
        EMIT_ARG(DELETE_ATTR, box, 0, 0, index);
        break;
    case AST_Subscript: {
        Ast_Subscript *sub = AS(Subscript, target);
        TRY(box = _PyGen_Operand(g, sub->value, sub->slice));
        TRY(index = _PyGen_Expr(g, sub->slice, ANY));
        g->u->loc = loc;
        EMIT(DELETE_SUBSCR, box, index, 0);
        break;
    }
    case AST_List:
    case AST_Tuple: {
        AstSeq *elts = AS(Tuple, target)->elts;
        for (Py_ssize_t i = 0; i < elts->size; i++) {
            TRY(_PyGen_Delete(g, elts->items[i]));
        }
        break;
    }
    case AST_Starred:
        return _PyGen_Error(g, "can't use starred expression here");
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected deletion target");
        return -1;
    }
    _PyGen_SetTop(g, base);
    return 0;
}

int
_PyGen_Delete(Gen *g, AstNode *target)
{
    SrcLoc outer = g->u->loc;
    gen_set_loc(g, target);
    int rc = delete_kind(g, target);
    if (rc >= 0) {
        g->u->loc = outer;
    }
    return rc;
}

/* -------------------------------------------------------------- x op= value */

static int
aug_name(Gen *g, Ast_AugAssign *aug)
{
    PyObject *name = AS(Name, aug->target)->id;
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    gen_set_loc(g, aug->target);
    int walrus = g->u->scope->has_walrus
                 && _PyGen_ContainsWalrus(g, aug->value);
    int left = _PyGen_LoadName(g, name, walrus ? PUSH : ANY);
    TRY(left);
    g->u->loc = loc;
    TRY(_PyGen_ShowLine(g, aug->target));
    int var = _PyGen_LocalReg(g, name);
    int r = _PyGen_Binary(g, aug->op, left, aug->value, 1, var >= 0 ? var : PUSH, base);
    TRY(r);
    if (var < 0) {
        gen_set_loc(g, aug->target);
        TRY(_PyGen_StoreName(g, name, r));
    }
    _PyGen_SetTop(g, base);
    g->u->loc = loc;
    return 0;
}

static int
aug_attribute(Gen *g, Ast_AugAssign *aug)
{
    Ast_Attribute *attr = AS(Attribute, aug->target);
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    gen_set_loc(g, aug->target);
    int box = _PyGen_Operand(g, attr->value, aug->value);
    TRY(box);
    int index = _PyGen_NameIndex(g, attr->attr);
    TRY(index);
    _PyGen_AttrLoc(g, aug->target);
    int value = _PyGen_Alloc(g);
    TRY(value);
    int src = box;
    if (!gen_is_var(g, box)) {
        EMIT(COPY, value, box, 0);
        src = value;
    }
    EMIT_ARG(LOAD_ATTR, value, src, 0, index);
    g->u->loc = loc;
    TRY(_PyGen_Binary(g, aug->op, value, aug->value, 1, PUSH, value));
    gen_set_loc(g, aug->target);
    _PyGen_AttrLoc(g, aug->target);
    if (_PyGen_Forbidden(g, attr->attr, AST_Store)) {
        return -1;
    }
    EMIT_ARG(STORE_ATTR, box, value, 0, index);
    _PyGen_SetTop(g, base);
    return 0;
}

static int
aug_subscript(Gen *g, Ast_AugAssign *aug)
{
    Ast_Subscript *sub = AS(Subscript, aug->target);
    int base = g->u->top;
    SrcLoc loc = g->u->loc;
    gen_set_loc(g, aug->target);
    int walrus = g->u->scope->has_walrus;
    int box = walrus ? _PyGen_Push(g, sub->value)
                     : _PyGen_Expr(g, sub->value, ANY);
    TRY(box);
    int index = walrus ? _PyGen_Push(g, sub->slice)
                       : _PyGen_Expr(g, sub->slice, ANY);
    TRY(index);
    gen_set_loc(g, aug->target);
    int value = _PyGen_Alloc(g);
    TRY(value);
    int box_copy = box, index_copy = index;
    if (!gen_is_var(g, box)) {
        EMIT(COPY, value, box, 0);
        box_copy = value;
    }
    if (!gen_is_var(g, index)) {
        index_copy = _PyGen_Alloc(g);
        TRY(index_copy);
        EMIT(COPY, index_copy, index, 0);
    }
    EMIT(LOAD_SUBSCR, value, box_copy, index_copy);
    _PyGen_SetTop(g, value + 1);
    g->u->loc = loc;
    TRY(_PyGen_Binary(g, aug->op, value, aug->value, 1, PUSH, value));
    gen_set_loc(g, aug->target);
    EMIT(STORE_SUBSCR, box, index, value);
    _PyGen_SetTop(g, base);
    g->u->loc = loc;
    return 0;
}

int
_PyGen_AugAssign(Gen *g, AstNode *s)
{
    Ast_AugAssign *aug = AS(AugAssign, s);
    switch (aug->target->kind) {
    case AST_Name:
        return aug_name(g, aug);
    case AST_Attribute:
        return aug_attribute(g, aug);
    case AST_Subscript:
        return aug_subscript(g, aug);
    default:
        PyErr_Format(PyExc_SystemError,
                     "invalid node type (%d) for augmented assignment",
                     aug->target->kind);
        return -1;
    }
}

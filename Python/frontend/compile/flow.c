/* Statements that branch, loop, protect and leave.

   Everything that a `return`, `break` or `continue` must undo on its way out is a
   GenBlock on the C stack of the function that compiles the statement. The registers of a
   block are fixed, so the code for leaving it early is the same everywhere. The body of a
   `finally` is compiled again for each way out. */
#include "codegen.h"

#include <string.h>

static int
push_block(Gen *g, GenBlock *block, BlockKind kind, int reg)
{
    int nested = 0;
    for (GenBlock *b = g->u->blocks; b != NULL; b = b->outer) {
        nested++;
    }
    if (nested >= CO_MAXBLOCKS) {
        return _PyGen_Error(g, "too many statically nested blocks");
    }
    *block = (GenBlock){.outer = g->u->blocks, .kind = kind, .reg = reg,
                        .handler = g->u->handler};
    g->u->blocks = block;
    return 0;
}

static void
pop_block(Gen *g, GenBlock *block)
{
    g->u->blocks = block->outer;
    g->u->handler = block->handler;
}

/* ------------------------------------------------------------------ leaving */

/* Calls exit(None, None, None) and drops the result. `exit` is in the window at reg. */
static int
call_exit(Gen *g, int reg, int is_async)
{
    int base = g->u->top;
    int window = reg;
    if (reg + FRAME_WORDS + 1 != base) {
        window = _PyGen_Reserve(g, FRAME_WORDS + 1);
        TRY(window);
        EMIT(MOVE_METHOD, window, reg, 0);
    }
    int args = _PyGen_Reserve(g, 3);
    TRY(args);
    for (int i = 0; i < 3; i++) {
        TRY(_PyGen_ConstInto(g, Py_None, args + i));
    }
    EMIT(CALL_METHOD, window, 3, window);
    _PyGen_SetTop(g, window + 1);
    if (is_async) {
        TRY(_PyGen_Await(g, 2));
    }
    EMIT(DROP, window, 0, 0);
    _PyGen_SetTop(g, base);
    return 0;
}

/* value: the register of the value being returned, or -1. */
static int
unwind_block(Gen *g, GenBlock *block, int value)
{
    g->u->handler = block->handler;
    switch (block->kind) {
    case BLOCK_WHILE:
        return 0;
    case BLOCK_TRY:
        EMIT(NOP, 0, 0, 0);     /* where python3.11 gives up a block */
        return 0;
    case BLOCK_FOR:
    case BLOCK_ASYNC_FOR:
    case BLOCK_VALUE:
        EMIT(DROP, block->reg, 0, 0);
        return 0;
    case BLOCK_FINALLY: {
        GenBlock waiting;
        EMIT(NOP, 0, 0, 0);
        if (value >= 0) {
            TRY(push_block(g, &waiting, BLOCK_VALUE, value));
        }
        TRY(_PyGen_Body(g, block->finalbody));
        if (value >= 0) {
            pop_block(g, &waiting);
        }
        gen_no_loc(g);
        return 0;
    }
    case BLOCK_FINALLY_END:
        EMIT(DROP, block->reg, 0, 0);
        EMIT(POP_EXCEPT, block->reg + 1, 0, 0);
        return 0;
    case BLOCK_WITH:
    case BLOCK_ASYNC_WITH:
        gen_set_loc(g, block->node);
        TRY(call_exit(g, block->reg, block->kind == BLOCK_ASYNC_WITH));
        gen_no_loc(g);
        return 0;
    case BLOCK_HANDLER:
        EMIT(POP_EXCEPT, block->reg + 1, 0, 0);
        return block->name ? _PyGen_UnbindName(g, block->name) : 0;
    case BLOCK_STAR_HANDLER:
        break;
    }
    return _PyGen_Error(g, "'break', 'continue' and 'return' cannot appear in "
                           "an except* block");
}

static int
is_loop(GenBlock *block)
{
    return block->kind == BLOCK_WHILE || block->kind == BLOCK_FOR
           || block->kind == BLOCK_ASYNC_FOR;
}

int
_PyGen_LeavesByCleanUp(Gen *g, AstNode *s)
{
    for (GenBlock *b = g->u->blocks; b != NULL; b = b->outer) {
        if (s->kind != AST_Return && is_loop(b)) {
            break;
        }
        if (b->kind == BLOCK_FINALLY || b->kind == BLOCK_WITH || b->kind == BLOCK_ASYNC_WITH) {
            return 1;
        }
    }
    return 0;
}

/* Leaves blocks from the innermost outwards: up to a loop if `loop` is given (which is
   set to the loop, or NULL), else all of them. Afterwards the current handler is that of
   the last block left; the caller restores it. */
static int
unwind(Gen *g, int value, GenBlock **loop)
{
    GenBlock *innermost = g->u->blocks;
    GenBlock *block = innermost;
    for (; block != NULL; block = block->outer) {
        if (loop != NULL && is_loop(block)) {
            break;
        }
        g->u->blocks = block->outer;
        TRY(unwind_block(g, block, value));
    }
    if (loop != NULL) {
        *loop = block;
    }
    g->u->blocks = innermost;
    return 0;
}

/* Of a `while` with a constant: is its test no event, because the body is one on the same line? */
static int
begins_on_line_of_test(Gen *g, GenBlock *loop)
{
    IRCode *ir = &g->u->ir;
    return ir->v[ir->labels[loop->start]].loc.line == AS(While, loop->node)->test->pos.lineno;
}

int
_PyGen_BreakOrContinue(Gen *g, int is_break)
{
    GenBlock *loop;
    SrcLoc loc = g->u->loc;
    EMIT(NOP, 0, 0, 0);
    int handler = g->u->handler;
    TRY(unwind(g, -1, &loop));
    if (loop == NULL) {
        g->u->loc = loc;
        return _PyGen_Error(g, is_break ? "'break' outside loop"
                                        : "'continue' not properly in loop");
    }
    g->u->handler = loop->handler;
    if (is_break) {
        if (loop->kind != BLOCK_WHILE) {
            EMIT(DROP, loop->reg, 0, 0);
        }
        JUMP_TO(JUMP, 0, loop->end);
    }
    else {
        SrcLoc behind = g->u->loc;
        if (loop->node != NULL && !begins_on_line_of_test(g, loop)) {
            TRY(_PyGen_ShowLine(g, AS(While, loop->node)->test));
            gen_set_loc(g, loop->node);
        }
        JUMP_TO(JUMP_BACK, 0, loop->start);
        g->u->loc = behind;
    }
    g->u->handler = handler;
    return 0;
}

/* Whether leaving the blocks runs code that could rebind a variable that is being
   returned. */
static int
must_copy_result(Gen *g)
{
    for (GenBlock *b = g->u->blocks; b != NULL; b = b->outer) {
        if (b->kind != BLOCK_WHILE && b->kind != BLOCK_FOR
            && b->kind != BLOCK_TRY) {
            return 1;
        }
    }
    return 0;
}

int
_PyGen_Return(Gen *g, AstNode *s)
{
    AstNode *value = AS(Return, s)->value;
    Unit *u = g->u;
    if (u->scope->kind != FUNCTION_SCOPE) {
        return _PyGen_Error(g, "'return' outside function");
    }
    if (value != NULL && u->scope->coroutine && u->scope->generator) {
        return _PyGen_Error(g, "'return' with value in async generator");
    }
    int base = u->top, r = -1, handler = u->handler;
    int constant = value != NULL && value->kind == AST_Constant;
    if (value != NULL && !constant) {
        TRY(r = _PyGen_Expr(g, value, must_copy_result(g) ? PUSH : ANY));
    }
    else if (value != NULL) {
        gen_set_loc(g, value);
        EMIT(NOP, 0, 0, 0);
    }
    if (value == NULL || value->pos.lineno != s->pos.lineno) {
        gen_set_loc(g, s);
        EMIT(NOP, 0, 0, 0);
    }
    TRY(unwind(g, r >= 0 && !gen_is_var(g, r) ? r : -1, NULL));
    if (value == NULL || (constant && AS(Constant, value)->value == Py_None)) {
        TRY(_PyGen_ReturnNone(g));
    }
    else {
        if (constant) {
            TRY(r = _PyGen_PushConst(g, AS(Constant, value)->value));
        }
        EMIT(RETURN, r, 0, 0);
    }
    u->handler = handler;
    _PyGen_SetTop(g, base);
    return 0;
}

/* ----------------------------------------------------------- if, while, for */

int
_PyGen_If(Gen *g, AstNode *s)
{
    Ast_If *node = AS(If, s);
    NEW_LABEL(end);
    int orelse = end;
    if (node->orelse->size) {
        TRY(orelse = _PyGen_NewLabel(g));
    }
    TRY(_PyGen_JumpIf(g, node->test, orelse, 0));
    TRY(_PyGen_Body(g, node->body));
    if (node->orelse->size) {
        gen_no_loc(g);
        JUMP_TO(JUMP, 0, end);
        _PyGen_Bind(g, orelse);
        TRY(_PyGen_Body(g, node->orelse));
    }
    _PyGen_Bind(g, end);
    return 0;
}

int
_PyGen_While(Gen *g, AstNode *s)
{
    Ast_While *loop = AS(While, s);
    GenBlock block;
    NEW_LABEL(start);
    NEW_LABEL(anchor);
    NEW_LABEL(end);
    NEW_LABEL(body);
    int constant = loop->test->kind == AST_Constant;
    TRY(push_block(g, &block, BLOCK_WHILE, 0));
    /* A constant on a line of its own is told of by `continue`, too. */
    int skips_test = constant && loop->test->pos.lineno == s->pos.lineno;
    block.start = skips_test ? body : start;
    block.end = end;
    block.node = skips_test ? s : NULL;
    _PyGen_Bind(g, start);
    TRY(_PyGen_JumpIf(g, loop->test, anchor, 0));
    SrcLoc behind = g->u->loc;
    _PyGen_Bind(g, body);
    int before = g->u->ir.n;
    int size = Py_MAX(1, Py_MIN(before - g->u->ir.labels[start], UINT16_MAX));
    TRY(_PyGen_Body(g, loop->body));
    /* Where it shows, the test is repeated at the end, as in python3.11: tracers hear of a body
       on the same line each time that control goes back to it, and not when the loop ends. */
    int again = constant || loop->body->items[0]->pos.lineno <= loop->test->pos.end_lineno
                || g->u->ir.n == before;
    if (again) {
        gen_set_loc(g, s);
        TRY(_PyGen_JumpIf(g, loop->test, anchor, 0));
    }
    else {
        gen_no_loc(g);
    }
    JUMP_TO(JUMP_BACK, again ? 0 : size, again ? body : start);
    pop_block(g, &block);
    g->u->loc = behind;
    _PyGen_Bind(g, anchor);
    TRY(_PyGen_Body(g, loop->orelse));
    _PyGen_Bind(g, end);
    return 0;
}

int
_PyGen_For(Gen *g, AstNode *s)
{
    Ast_For *loop = AS(For, s);
    GenBlock block;
    int base = g->u->top;
    NEW_LABEL(start);
    NEW_LABEL(exhausted);
    NEW_LABEL(end);
    int r = _PyGen_Expr(g, loop->iter, ANY);
    TRY(r);
    _PyGen_SetTop(g, base);
    int it = _PyGen_Alloc(g);
    TRY(it);
    EMIT(GET_ITER, it, r, 0);
    TRY(push_block(g, &block, BLOCK_FOR, it));
    block.start = start;
    block.end = end;
    _PyGen_Bind(g, start);
    /* written directly into a variable, unless that would hide a line */
    int var = loop->target->kind == AST_Name
              && loop->target->pos.lineno == g->u->loc.line
              ? _PyGen_LocalReg(g, AS(Name, loop->target)->id) : -1;
    if (var >= 0) {
        EMIT_ARG(FOR_ITER, it, var, 0, exhausted);
    }
    else {
        int item = _PyGen_Alloc(g);
        TRY(item);
        EMIT_ARG(FOR_ITER, it, item, 0, exhausted);
        TRY(_PyGen_Store(g, loop->target, item));
        _PyGen_SetTop(g, it + 1);
    }
    TRY(_PyGen_Body(g, loop->body));
    gen_no_loc(g);
    JUMP_TO(JUMP_BACK, 0, start);
    pop_block(g, &block);
    _PyGen_Bind(g, exhausted);
    _PyGen_SetTop(g, base);
    TRY(_PyGen_Body(g, loop->orelse));
    _PyGen_Bind(g, end);
    return 0;
}

static int
may_await(Gen *g)
{
    return g->u->kind == UNIT_ASYNC_FUNCTION
           || (g->u->kind == UNIT_MODULE
               && (g->flags & PyCF_ALLOW_TOP_LEVEL_AWAIT));
}

int
_PyGen_AsyncFor(Gen *g, AstNode *s)
{
    Ast_For *loop = AS(For, s);
    GenBlock block;
    if (!may_await(g)) {
        return _PyGen_Error(g, "'async for' outside async function");
    }
    int base = g->u->top;
    NEW_LABEL(start);
    NEW_LABEL(except);
    NEW_LABEL(end);
    int r = _PyGen_Expr(g, loop->iter, ANY);
    TRY(r);
    _PyGen_SetTop(g, base);
    int it = _PyGen_Alloc(g);
    TRY(it);
    EMIT(GET_AITER, it, r, 0);
    TRY(push_block(g, &block, BLOCK_ASYNC_FOR, it));
    block.start = start;
    block.end = end;
    _PyGen_Bind(g, start);
    TRY(_PyGen_Protect(g, except, it + 1));
    int item = _PyGen_AsyncNext(g, it);
    TRY(item);
    g->u->handler = block.handler;
    TRY(_PyGen_Store(g, loop->target, item));
    _PyGen_SetTop(g, it + 1);
    TRY(_PyGen_Body(g, loop->body));
    gen_no_loc(g);
    JUMP_TO(JUMP_BACK, 0, start);
    pop_block(g, &block);
    _PyGen_Bind(g, except);
    gen_set_loc(g, loop->iter);
    EMIT(END_ASYNC_FOR, it, it + 1, 0);
    _PyGen_SetTop(g, base);
    TRY(_PyGen_Body(g, loop->orelse));
    _PyGen_Bind(g, end);
    return 0;
}

/* ----------------------------------------------------------- try ... except */

/* The end of an exception handler when it raises: the exception is in register exc, the
   previous one in prev. */
static int
reraise_at(Gen *g, SrcLoc loc, int label, int prev, int exc)
{
    g->u->loc = loc;
    _PyGen_Bind(g, label);
    EMIT(POP_EXCEPT, prev, 0, 0);
    EMIT(RERAISE, exc, 1, 0);
    return 0;
}

static int
reraise_cleanup(Gen *g, int label, int prev, int exc)
{
    return reraise_at(g, NO_LINE, label, prev, exc);
}

/* The body of one `except`, with the exception in register exc. */
static int
handler_body(Gen *g, Ast_ExceptHandler *handler, int exc, int outer,
             int cleanup_handler, int end)
{
    GenBlock block;
    int prev = exc + 1;
    _PyGen_SetTop(g, exc + 2);
    if (handler->name == NULL) {
        EMIT(DROP, exc, 0, 0);
        TRY(push_block(g, &block, BLOCK_HANDLER, exc));
        block.handler = outer;
        TRY(_PyGen_Body(g, handler->body));
        pop_block(g, &block);
        gen_no_loc(g);
        EMIT(POP_EXCEPT, prev, 0, 0);
        JUMP_TO(JUMP, 0, end);
        return 0;
    }
    TRY(_PyGen_StoreName(g, handler->name, exc));
    NEW_LABEL(failed);
    TRY(push_block(g, &block, BLOCK_HANDLER, exc));
    block.handler = outer;
    block.name = handler->name;
    TRY(_PyGen_Protect(g, failed, exc + 2));
    TRY(_PyGen_Body(g, handler->body));
    pop_block(g, &block);
    gen_no_loc(g);
    EMIT(POP_EXCEPT, prev, 0, 0);
    TRY(_PyGen_UnbindName(g, handler->name));
    JUMP_TO(JUMP, 0, end);
    _PyGen_Bind(g, failed);
    g->u->handler = cleanup_handler;
    _PyGen_SetTop(g, exc + 3);
    TRY(_PyGen_UnbindName(g, handler->name));
    EMIT(RERAISE, exc + 2, 1, 0);
    return 0;
}

static int
try_except(Gen *g, AstNode *s)
{
    Ast_Try *node = AS(Try, s);
    GenBlock block;
    int base = g->u->top, outer = g->u->handler;
    NEW_LABEL(except);
    NEW_LABEL(cleanup);
    NEW_LABEL(end);
    TRY(push_block(g, &block, BLOCK_TRY, 0));
    TRY(_PyGen_Protect(g, except, base));
    TRY(_PyGen_Body(g, node->body));
    pop_block(g, &block);
    TRY(_PyGen_Body(g, node->orelse));
    gen_no_loc(g);
    JUMP_TO(JUMP, node->orelse->size == 0, end);

    _PyGen_Bind(g, except);
    int exc = _PyGen_Reserve(g, 2);
    TRY(exc);
    TRY(_PyGen_Reserve(g, 1));
    EMIT(PUSH_EXC, exc + 1, exc, 0);
    TRY(_PyGen_Protect(g, cleanup, exc + 2));
    int cleanup_handler = g->u->handler;
    Py_ssize_t n = node->handlers->size;
    for (Py_ssize_t i = 0; i < n; i++) {
        AstNode *at = node->handlers->items[i];
        Ast_ExceptHandler *handler = AS(ExceptHandler, at);
        gen_set_loc(g, at);
        NEW_LABEL(next);
        _PyGen_SetTop(g, exc + 2);
        g->u->handler = cleanup_handler;
        if (handler->type == NULL && i < n - 1) {
            return _PyGen_Error(g, "default 'except:' must be last");
        }
        if (handler->type != NULL) {
            int type = _PyGen_Expr(g, handler->type, ANY);
            TRY(type);
            EMIT_ARG(JUMP_IF_NO_EXC_MATCH, exc, type, 0, next);
        }
        TRY(handler_body(g, handler, exc, outer, cleanup_handler, end));
        _PyGen_Bind(g, next);
    }
    gen_set_loc(g, node->handlers->items[n - 1]);
    g->u->handler = outer;
    EMIT(POP_EXCEPT, exc + 1, 0, 0);
    EMIT(RERAISE, exc, 0, 0);
    TRY(reraise_cleanup(g, cleanup, exc + 1, exc + 2));
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base);
    return 0;
}

/* ------------------------------------------------------------- try ... except*

   Registers: the exception group, the previous exception, the list of what
   handlers raised, the part not matched yet, then a match and a new rest. */

enum { STAR_PREV = 1, STAR_RAISED = 2, STAR_REST = 3, STAR_MATCH = 4,
       STAR_SIZE = 6 };

static int
star_handler(Gen *g, AstNode *at, int exc)
{
    Ast_ExceptHandler *handler = AS(ExceptHandler, at);
    GenBlock block;
    int match = exc + STAR_MATCH;
    NEW_LABEL(failed);
    NEW_LABEL(matches);
    NEW_LABEL(next);
    gen_set_loc(g, at);
    _PyGen_SetTop(g, exc + STAR_SIZE);
    int type = _PyGen_Expr(g, handler->type, ANY);
    TRY(type);
    EMIT(CHECK_EG_MATCH, match, exc + STAR_REST, type);
    EMIT(DROP, exc + STAR_REST, 0, 0);
    EMIT(MOVE, exc + STAR_REST, match + 1, 0);
    EMIT(COPY, match + 1, match, 0);
    JUMP_TO(JUMP_IF_NOT_NONE, match + 1, matches);
    EMIT(DROP, match, 0, 0);
    JUMP_TO(JUMP, 0, next);
    _PyGen_Bind(g, matches);
    if (handler->name != NULL) {
        TRY(_PyGen_StoreName(g, handler->name, match));
    }
    else {
        EMIT(DROP, match, 0, 0);
    }
    _PyGen_SetTop(g, match);
    TRY(push_block(g, &block, BLOCK_STAR_HANDLER, exc));
    TRY(_PyGen_Protect(g, failed, match));
    TRY(_PyGen_Body(g, handler->body));
    pop_block(g, &block);
    gen_no_loc(g);
    if (handler->name != NULL) {
        TRY(_PyGen_UnbindName(g, handler->name));
    }
    JUMP_TO(JUMP, handler->name == NULL, next);

    _PyGen_Bind(g, failed);
    _PyGen_SetTop(g, match + 1);
    if (handler->name != NULL) {
        TRY(_PyGen_UnbindName(g, handler->name));
    }
    EMIT(LIST_APPEND, exc + STAR_RAISED, match, 0);
    _PyGen_Bind(g, next);
    return 0;
}

static int
try_star(Gen *g, AstNode *s)
{
    Ast_TryStar *node = AS(TryStar, s);
    GenBlock block;
    int base = g->u->top, outer = g->u->handler;
    NEW_LABEL(except);
    NEW_LABEL(cleanup);
    NEW_LABEL(reraise);
    NEW_LABEL(orelse);
    NEW_LABEL(end);
    TRY(push_block(g, &block, BLOCK_TRY, 0));
    TRY(_PyGen_Protect(g, except, base));
    TRY(_PyGen_Body(g, node->body));
    pop_block(g, &block);
    gen_no_loc(g);
    JUMP_TO(JUMP, 1, orelse);

    _PyGen_Bind(g, except);
    int exc = _PyGen_Reserve(g, STAR_SIZE);
    TRY(exc);
    int match = exc + STAR_MATCH;
    EMIT(PUSH_EXC, exc + STAR_PREV, exc, 0);
    TRY(_PyGen_Protect(g, cleanup, exc + 2));
    gen_set_loc(g, node->handlers->items[0]);
    EMIT(BUILD_LIST, exc + STAR_RAISED, 0, 0);
    EMIT(COPY, exc + STAR_REST, exc, 0);
    for (Py_ssize_t i = 0; i < node->handlers->size; i++) {
        TRY(star_handler(g, node->handlers->items[i], exc));
    }
    gen_no_loc(g);
    _PyGen_SetTop(g, exc + STAR_SIZE);
    EMIT(LIST_APPEND, exc + STAR_RAISED, exc + STAR_REST, 0);
    EMIT(PREP_RERAISE_STAR, match, exc, exc + STAR_RAISED);
    EMIT(COPY, match + 1, match, 0);
    JUMP_TO(JUMP_IF_NOT_NONE, match + 1, reraise);
    g->u->handler = outer;
    EMIT(DROP, match, 0, 0);
    EMIT(POP_EXCEPT, exc + STAR_PREV, 0, 0);
    JUMP_TO(JUMP, 0, end);
    g->u->loc = NO_LINE;
    _PyGen_Bind(g, reraise);
    EMIT(POP_EXCEPT, exc + STAR_PREV, 0, 0);
    EMIT(RERAISE, match, 0, 0);
    TRY(reraise_cleanup(g, cleanup, exc + STAR_PREV, exc + 2));
    _PyGen_Bind(g, orelse);
    _PyGen_SetTop(g, base);
    TRY(_PyGen_Body(g, node->orelse));
    _PyGen_Bind(g, end);
    return 0;
}

/* ---------------------------------------------------------- try ... finally */

static int
try_protected(Gen *g, AstNode *s)
{
    return s->kind == AST_TryStar ? try_star(g, s) : try_except(g, s);
}

static int
try_finally(Gen *g, AstNode *s)
{
    Ast_Try *node = AS(Try, s);
    GenBlock block;
    int base = g->u->top;
    NEW_LABEL(failed);
    NEW_LABEL(cleanup);
    NEW_LABEL(end);
    TRY(push_block(g, &block, BLOCK_FINALLY, 0));
    block.finalbody = node->finalbody;
    TRY(_PyGen_Protect(g, failed, base));
    if (node->handlers->size) {
        TRY(try_protected(g, s));
    }
    else {
        TRY(_PyGen_Body(g, node->body));
    }
    gen_no_loc(g);
    pop_block(g, &block);
    TRY(_PyGen_Body(g, node->finalbody));
    gen_no_loc(g);
    JUMP_TO(JUMP, 0, end);

    _PyGen_Bind(g, failed);
    int exc = _PyGen_Reserve(g, 2);
    TRY(exc);
    TRY(_PyGen_Reserve(g, 1));
    _PyGen_SetTop(g, exc + 2);
    TRY(push_block(g, &block, BLOCK_FINALLY_END, exc));
    EMIT(PUSH_EXC, exc + 1, exc, 0);
    TRY(_PyGen_Protect(g, cleanup, exc + 2));
    TRY(_PyGen_Body(g, node->finalbody));
    pop_block(g, &block);
    /* Where an exception leaves the body, tracers of python3.11 see the last statement's line
       once more, unless that is an expression. */
    SrcLoc last = g->u->loc;
    if (last.line < 0) {
        last = NO_LINE;
        gen_no_loc(g);
    }
    EMIT(POP_EXCEPT, exc + 1, 0, 0);
    EMIT(RERAISE, exc, 0, 0);
    TRY(reraise_at(g, last, cleanup, exc + 1, exc + 2));
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base);
    return 0;
}

int
_PyGen_Try(Gen *g, AstNode *s)
{
    EMIT(NOP, 0, 0, 0);
    return AS(Try, s)->finalbody->size ? try_finally(g, s)
                                       : try_protected(g, s);
}

/* ------------------------------------------------------------------------ with

   Registers: the window of __exit__, then what __enter__ returned while it is
   assigned; in the handler: that window, the exception, the previous one. */

#define WITH_VALUE (FRAME_WORDS + 1)

static int with_items(Gen *, AstNode *, Py_ssize_t, int is_async);

static int
with_enter(Gen *g, Ast_withitem *item, int is_async)
{
    int exit = _PyGen_Reserve(g, WITH_VALUE);
    TRY(exit);
    int enter = exit + WITH_VALUE;
    int manager = _PyGen_Expr(g, item->context_expr, ANY);
    TRY(manager);
    _PyGen_SetTop(g, enter);
    TRY(_PyGen_Reserve(g, FRAME_WORDS + 1));
    TRY(_PyGen_Emit(g, is_async ? OP_BEFORE_ASYNC_WITH : OP_BEFORE_WITH, exit,
                    enter, manager, 0));
    EMIT(CALL_METHOD, enter, 0, enter);
    _PyGen_SetTop(g, enter + 1);
    if (is_async) {
        TRY(_PyGen_Await(g, 1));
    }
    return exit;
}

static int
with_failed(Gen *g, int exit, int failed, int outer, int end, int is_async)
{
    NEW_LABEL(cleanup);
    NEW_LABEL(suppress);
    int exc = exit + WITH_VALUE, prev = exc + 1;
    _PyGen_Bind(g, failed);
    _PyGen_SetTop(g, exc + 2);
    EMIT(PUSH_EXC, prev, exc, 0);
    TRY(_PyGen_Protect(g, cleanup, exc + 2));
    int result = _PyGen_Alloc(g);
    TRY(result);
    EMIT(WITH_EXCEPT_START, result, exit, exc);
    if (is_async) {
        TRY(_PyGen_Await(g, 2));
    }
    JUMP_TO(JUMP_IF_TRUE, result, suppress);
    g->u->handler = outer;
    SrcLoc loc = g->u->loc;
    g->u->loc = NO_LINE;
    EMIT(POP_EXCEPT, prev, 0, 0);
    EMIT(RERAISE, exc, 1, 0);
    TRY(reraise_cleanup(g, cleanup, prev, exc + 2));
    g->u->loc = loc;
    _PyGen_Bind(g, suppress);
    EMIT(DROP, exc, 0, 0);
    EMIT(POP_EXCEPT, prev, 0, 0);
    JUMP_TO(JUMP, 0, end);
    return 0;
}

static int
with_items(Gen *g, AstNode *s, Py_ssize_t index, int is_async)
{
    Ast_With *node = AS(With, s);
    GenBlock block;
    Ast_withitem *item = AS(withitem, node->items->items[index]);
    int base = g->u->top, outer = g->u->handler;
    NEW_LABEL(failed);
    NEW_LABEL(end);
    int exit = with_enter(g, item, is_async);
    TRY(exit);
    int value = exit + WITH_VALUE;
    TRY(push_block(g, &block, is_async ? BLOCK_ASYNC_WITH : BLOCK_WITH,
                   exit));
    block.node = s;
    TRY(_PyGen_Protect(g, failed, value));
    if (item->optional_vars != NULL) {
        TRY(_PyGen_Store(g, item->optional_vars, value));
    }
    else {
        EMIT(DROP, value, 0, 0);
    }
    _PyGen_SetTop(g, value);
    if (index + 1 < node->items->size) {
        TRY(with_items(g, s, index + 1, is_async));
    }
    else {
        TRY(_PyGen_Body(g, node->body));
        if (is_async) {
            _PyGen_SetLocBehind(g, node->body);
            EMIT(NOP, 0, 0, 0);     /* where python3.11 gives up a block */
        }
    }
    pop_block(g, &block);
    gen_set_loc(g, s);
    _PyGen_SetTop(g, value);
    TRY(call_exit(g, exit, is_async));
    JUMP_TO(JUMP, 0, end);
    TRY(with_failed(g, exit, failed, outer, end, is_async));
    gen_no_loc(g);
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base);
    return 0;
}

int
_PyGen_With(Gen *g, AstNode *s, int is_async)
{
    if (is_async && !may_await(g)) {
        return _PyGen_Error(g, "'async with' outside async function");
    }
    return with_items(g, s, 0, is_async);
}

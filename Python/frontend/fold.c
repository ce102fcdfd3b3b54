/* Constant folding, on the tree and in place.

   We fold what CPython 3.11 folds, up to the same size of the result: programs see the
   difference in code objects and in the identity of constants. An operation that raises
   is left for run time. To replace a node, the pointer to it in its parent is changed, so
   the functions here take the address of that pointer. */
#include "fold.h"
#include "internal/symtable.h"

#include <string.h>

#define AS(kind_, node) ((Ast_##kind_ *)(node))

#define MAX_INT_BITS 128
#define MAX_COLLECTION 256
#define MAX_TEXT 4096
#define MAX_TOTAL_ITEMS 1024

typedef struct {
    AstArena *arena;
    int optimize;
    int future_annotations;
    int depth, limit;
} Folder;

static int fold_expr(Folder *, AstNode **);
static int fold_body(Folder *, AstSeq *, int may_have_doc);

/* Steals the reference to value. NULL means "could not be folded": this is not an error,
   unless it is a KeyboardInterrupt. */
static int
become_constant(Folder *f, AstNode **slot, PyObject *value)
{
    if (value == NULL) {
        if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
            return -1;
        }
        PyErr_Clear();
        return 0;
    }
    if (_PyAstArena_Steal(f->arena, value) < 0) {
        return -1;
    }
    *slot = AstNew_Constant(f->arena, (*slot)->pos, value, NULL);
    return *slot == NULL ? -1 : 0;
}

static PyObject *
const_of(AstNode *e)
{
    return e->kind == AST_Constant ? AS(Constant, e)->value : NULL;
}

static int
has_starred(AstSeq *seq)
{
    for (Py_ssize_t i = 0; i < seq->size; i++) {
        if (seq->items[i]->kind == AST_Starred) {
            return 1;
        }
    }
    return 0;
}

/* Returns a new reference, or NULL with or without an exception. */
static PyObject *
constant_tuple(AstSeq *elts)
{
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        if (elts->items[i]->kind != AST_Constant) {
            return NULL;
        }
    }
    PyObject *tuple = PyTuple_New(elts->size);
    if (tuple == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        PyObject *value = AS(Constant, elts->items[i])->value;
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(value));
    }
    return tuple;
}

/* ---------------------------------------------------------------- operators */

static int
fold_unary(Folder *f, AstNode **slot)
{
    AstNode *e = *slot;
    Ast_UnaryOp *unary = AS(UnaryOp, e);
    AstNode *operand = unary->operand;
    if (operand->kind != AST_Constant) {
        if (unary->op != AST_Not || operand->kind != AST_Compare
            || AS(Compare, operand)->ops->size != 1) {
            return 0;
        }
        AstKind *op = &AS(Compare, operand)->ops->items[0];
        switch (*op) {
        case AST_Is: *op = AST_IsNot; break;
        case AST_IsNot: *op = AST_Is; break;
        case AST_In: *op = AST_NotIn; break;
        case AST_NotIn: *op = AST_In; break;
        default: return 0;
        }
        *slot = operand;
        return 0;
    }
    PyObject *value = AS(Constant, operand)->value, *result = NULL;
    int truth;
    switch (unary->op) {
    case AST_Invert:
        result = PyNumber_Invert(value);
        break;
    case AST_Not:
        truth = PyObject_IsTrue(value);
        result = truth < 0 ? NULL : PyBool_FromLong(!truth);
        break;
    case AST_UAdd:
        result = PyNumber_Positive(value);
        break;
    default:
        result = PyNumber_Negative(value);
        break;
    }
    return become_constant(f, slot, result);
}

/* The number of bits of an int, or a large number if there are very many. */
static size_t
int_bits(PyObject *v)
{
    size_t n = _PyLong_NumBits(v);
    if (n == (size_t)-1) {
        PyErr_Clear();
    }
    return n;
}

/* The limit that is left after counting the items, including those of nested tuples;
   negative if there are too many. */
static Py_ssize_t
count_down(PyObject *value, Py_ssize_t limit)
{
    if (PyTuple_Check(value)) {
        limit -= PyTuple_GET_SIZE(value);
        for (Py_ssize_t i = 0; limit >= 0 && i < PyTuple_GET_SIZE(value); i++) {
            limit = count_down(PyTuple_GET_ITEM(value, i), limit);
        }
    }
    return limit;
}

static PyObject *
fold_multiply(PyObject *v, PyObject *w)
{
    if (PyLong_Check(v) && PyLong_Check(w)
        && _PyLong_Sign(v) != 0 && _PyLong_Sign(w) != 0) {
        size_t vbits = int_bits(v), wbits = int_bits(w);
        if (vbits > MAX_INT_BITS || wbits > MAX_INT_BITS
            || vbits + wbits > MAX_INT_BITS) {
            return NULL;
        }
    }
    else if (PyLong_Check(v)
             && (PyTuple_Check(w) || PyFrozenSet_Check(w)
                 || PyUnicode_Check(w) || PyBytes_Check(w))) {
        Py_ssize_t size = PyObject_Size(w);
        int text = PyUnicode_Check(w) || PyBytes_Check(w);
        if (size > 0) {
            long times = PyLong_AsLong(v);
            if (times < 0
                || times > (text ? MAX_TEXT : MAX_COLLECTION) / size) {
                return NULL;
            }
            if (!text && times
                && count_down(w, MAX_TOTAL_ITEMS / times) < 0) {
                return NULL;
            }
        }
    }
    else if (PyLong_Check(w)
             && (PyTuple_Check(v) || PyFrozenSet_Check(v)
                 || PyUnicode_Check(v) || PyBytes_Check(v))) {
        return fold_multiply(w, v);
    }
    return PyNumber_Multiply(v, w);
}

static PyObject *
fold_power(PyObject *v, PyObject *w)
{
    if (PyLong_Check(v) && PyLong_Check(w)
        && _PyLong_Sign(v) != 0 && _PyLong_Sign(w) > 0) {
        size_t vbits = int_bits(v), times = PyLong_AsSize_t(w);
        if (times == (size_t)-1 || vbits > MAX_INT_BITS / times) {
            return NULL;
        }
    }
    return PyNumber_Power(v, w, Py_None);
}

static PyObject *
fold_lshift(PyObject *v, PyObject *w)
{
    if (PyLong_Check(v) && PyLong_Check(w)
        && _PyLong_Sign(v) != 0 && _PyLong_Sign(w) != 0) {
        size_t vbits = int_bits(v), by = PyLong_AsSize_t(w);
        if (by == (size_t)-1 || by > MAX_INT_BITS
            || vbits > MAX_INT_BITS - by) {
            return NULL;
        }
    }
    return PyNumber_Lshift(v, w);
}

static PyObject *
fold_binary_value(AstKind op, PyObject *v, PyObject *w)
{
    switch (op) {
    case AST_Add: return PyNumber_Add(v, w);
    case AST_Sub: return PyNumber_Subtract(v, w);
    case AST_Mult: return fold_multiply(v, w);
    case AST_Div: return PyNumber_TrueDivide(v, w);
    case AST_FloorDiv: return PyNumber_FloorDivide(v, w);
    case AST_Mod:
        if (PyUnicode_Check(v) || PyBytes_Check(v)) {
            return NULL;
        }
        return PyNumber_Remainder(v, w);
    case AST_Pow: return fold_power(v, w);
    case AST_LShift: return fold_lshift(v, w);
    case AST_RShift: return PyNumber_Rshift(v, w);
    case AST_BitOr: return PyNumber_Or(v, w);
    case AST_BitXor: return PyNumber_Xor(v, w);
    case AST_BitAnd: return PyNumber_And(v, w);
    default: return NULL;
    }
}

/* ----------------------------- "%s and %r" % (a, b)  =>  f"{a!s} and {b!r}" */

#define MAX_DIGITS 2

typedef struct {
    PyObject *text;
    Py_ssize_t pos;
} Format;

/* The piece of text up to the next conversion, with %% undone. Returns a new reference,
   or NULL without an exception when there is nothing left to add. */
static PyObject *
literal_part(Format *fmt)
{
    Py_ssize_t start = fmt->pos, n = PyUnicode_GET_LENGTH(fmt->text);
    int doubled = 0;
    while (fmt->pos < n) {
        if (PyUnicode_READ_CHAR(fmt->text, fmt->pos) == '%') {
            if (fmt->pos + 1 >= n
                || PyUnicode_READ_CHAR(fmt->text, fmt->pos + 1) != '%') {
                break;
            }
            doubled = 1;
            fmt->pos++;
        }
        fmt->pos++;
    }
    if (fmt->pos == start) {
        return NULL;
    }
    PyObject *part = PyUnicode_Substring(fmt->text, start, fmt->pos);
    if (part != NULL && doubled) {
        PyObject *two = PyUnicode_FromString("%%");
        PyObject *one = PyUnicode_FromString("%");
        PyObject *undone = NULL;
        if (two != NULL && one != NULL) {
            undone = PyUnicode_Replace(part, two, one, -1);
        }
        Py_XDECREF(two);
        Py_XDECREF(one);
        Py_SETREF(part, undone);
    }
    return part;
}

static int
parse_number(Format *fmt, int *out)
{
    int digits = 0, value = 0;
    Py_ssize_t n = PyUnicode_GET_LENGTH(fmt->text);
    while (fmt->pos < n) {
        Py_UCS4 ch = PyUnicode_READ_CHAR(fmt->text, fmt->pos);
        if (ch < '0' || ch > '9') {
            break;
        }
        if (++digits > MAX_DIGITS) {
            return 0;
        }
        value = value * 10 + (int)(ch - '0');
        fmt->pos++;
    }
    *out = digits ? value : -1;
    return 1;
}

/* Applies one conversion, whose % has been read, to `arg`. Returns NULL with or without
   an exception; without, if an f-string can't express it. */
static AstNode *
converted(Folder *f, Format *fmt, AstNode *arg)
{
    int left = 0, width, precision = -1;
    Py_ssize_t n = PyUnicode_GET_LENGTH(fmt->text);
    while (fmt->pos < n && PyUnicode_READ_CHAR(fmt->text, fmt->pos) == '-') {
        left = 1;
        fmt->pos++;
    }
    if (!parse_number(fmt, &width)) {
        return NULL;
    }
    if (fmt->pos < n && PyUnicode_READ_CHAR(fmt->text, fmt->pos) == '.') {
        fmt->pos++;
        if (!parse_number(fmt, &precision)) {
            return NULL;
        }
        if (precision < 0) {
            precision = 0;
        }
    }
    if (fmt->pos >= n) {
        return NULL;
    }
    Py_UCS4 spec = PyUnicode_READ_CHAR(fmt->text, fmt->pos++);
    if (spec != 's' && spec != 'r' && spec != 'a') {
        return NULL;
    }
    AstNode *format_spec = NULL;
    if (width > 0 || precision >= 0) {
        char buf[32], *p = buf;
        if (!left && width > 0) {
            *p++ = '>';
        }
        if (width > 0) {
            p += snprintf(p, 8, "%d", width);
        }
        if (precision >= 0) {
            p += snprintf(p, 8, ".%d", precision);
        }
        PyObject *str = PyUnicode_FromStringAndSize(buf, p - buf);
        if (str == NULL || _PyAstArena_Steal(f->arena, str) < 0) {
            return NULL;
        }
        format_spec = AstNew_Constant(f->arena, arg->pos, str, NULL);
        if (format_spec == NULL) {
            return NULL;
        }
    }
    return AstNew_FormattedValue(f->arena, arg->pos, arg, (int)spec,
                                 format_spec);
}

static int
fold_percent(Folder *f, AstNode **slot, PyObject *text, AstSeq *args)
{
    AstNode *e = *slot;
    AstSeq *parts = _PyAst_NewSeq(f->arena, args->size * 2 + 1);
    if (parts == NULL) {
        return -1;
    }
    Format fmt = {text, 0};
    AstPos nowhere = e->pos;            /* tracers hear of the arguments' lines only */
    nowhere.lineno = -1;
    Py_ssize_t n = 0, used = 0, length = PyUnicode_GET_LENGTH(text);
    for (;;) {
        PyObject *literal = literal_part(&fmt);
        if (literal != NULL) {
            if (_PyAstArena_Steal(f->arena, literal) < 0) {
                return -1;
            }
            parts->items[n] = AstNew_Constant(f->arena, nowhere, literal, NULL);
            if (parts->items[n++] == NULL) {
                return -1;
            }
        }
        else if (PyErr_Occurred()) {
            return -1;
        }
        if (fmt.pos >= length) {
            break;
        }
        if (used >= args->size) {
            return 0;
        }
        fmt.pos++;
        parts->items[n] = converted(f, &fmt, args->items[used++]);
        if (parts->items[n++] == NULL) {
            return PyErr_Occurred() ? -1 : 0;
        }
    }
    if (used < args->size) {
        return 0;
    }
    parts->size = n;
    *slot = AstNew_JoinedStr(f->arena, e->pos, parts);
    return *slot == NULL ? -1 : 0;
}

static int
fold_binop(Folder *f, AstNode **slot)
{
    AstNode *e = *slot;
    Ast_BinOp *bin = AS(BinOp, e);
    PyObject *v = const_of(bin->left), *w = const_of(bin->right);
    if (v == NULL) {
        return 0;
    }
    if (bin->op == AST_Mod && bin->right->kind == AST_Tuple
        && PyUnicode_Check(v) && !has_starred(AS(Tuple, bin->right)->elts)) {
        return fold_percent(f, slot, v, AS(Tuple, bin->right)->elts);
    }
    if (w == NULL || bin->op == AST_MatMult) {
        return 0;
    }
    return become_constant(f, slot, fold_binary_value(bin->op, v, w));
}

/* A list or set display that is only read can be a constant. */
static int
fold_iterable(Folder *f, AstNode **slot)
{
    AstNode *e = *slot;
    if (e->kind != AST_Set && e->kind != AST_List) {
        return 0;
    }
    AstSeq *elts = e->kind == AST_Set ? AS(Set, e)->elts : AS(List, e)->elts;
    if (has_starred(elts)) {
        return 0;
    }
    PyObject *value = constant_tuple(elts);
    if (value == NULL) {
        if (PyErr_Occurred()) {
            return -1;
        }
        if (e->kind == AST_List) {
            e->kind = AST_Tuple;
        }
        return 0;
    }
    if (e->kind == AST_Set) {
        Py_SETREF(value, PyFrozenSet_New(value));
    }
    return become_constant(f, slot, value);
}

static int
fold_compare(Folder *f, Ast_Compare *compare)
{
    Py_ssize_t last = compare->ops->size - 1;
    AstKind op = compare->ops->items[last];
    if (op != AST_In && op != AST_NotIn) {
        return 0;
    }
    return fold_iterable(f, &compare->comparators->items[last]);
}

/* ----------------------------------------------------------------- the walk */

#define FOLD(what, node) \
    do { \
        if (fold_##what(f, &(node)) < 0) { \
            return -1; \
        } \
    } while (0)
#define FOLD_OPT(what, node) \
    do { \
        if ((node) != NULL) { \
            FOLD(what, node); \
        } \
    } while (0)
#define FOLD_SEQ(what, seq) \
    do { \
        for (Py_ssize_t i_ = 0; i_ < (seq)->size; i_++) { \
            FOLD_OPT(what, (seq)->items[i_]); \
        } \
    } while (0)

static int
fold_comprehension(Folder *f, AstNode **slot)
{
    AstNode *node = *slot;
    Ast_comprehension *gen = AS(comprehension, node);
    FOLD(expr, gen->target);
    FOLD(expr, gen->iter);
    FOLD_SEQ(expr, gen->ifs);
    return fold_iterable(f, &gen->iter);
}

static int
fold_keyword(Folder *f, AstNode **slot)
{
    AstNode *node = *slot;
    return fold_expr(f, &AS(keyword, node)->value);
}

static int
fold_arg(Folder *f, AstNode **slot)
{
    AstNode *node = *slot;
    if (!f->future_annotations) {
        FOLD_OPT(expr, AS(arg, node)->annotation);
    }
    return 0;
}

static int
fold_arguments(Folder *f, AstNode **slot)
{
    AstNode *node = *slot;
    Ast_arguments *args = AS(arguments, node);
    FOLD_SEQ(arg, args->posonlyargs);
    FOLD_SEQ(arg, args->args);
    FOLD_OPT(arg, args->vararg);
    FOLD_SEQ(arg, args->kwonlyargs);
    FOLD_SEQ(expr, args->kw_defaults);
    FOLD_OPT(arg, args->kwarg);
    FOLD_SEQ(expr, args->defaults);
    return 0;
}

static int
fold_name(Folder *f, AstNode **slot)
{
    AstNode *e = *slot;
    Ast_Name *name = AS(Name, e);
    if (name->ctx == AST_Load && PyUnicode_GET_LENGTH(name->id) == 9
        && PyUnicode_CompareWithASCIIString(name->id, "__debug__") == 0) {
        return become_constant(f, slot, PyBool_FromLong(f->optimize == 0));
    }
    return 0;
}

static int
fold_subscript(Folder *f, AstNode **slot)
{
    AstNode *e = *slot;
    Ast_Subscript *sub = AS(Subscript, e);
    FOLD(expr, sub->value);
    FOLD(expr, sub->slice);
    PyObject *value = const_of(sub->value), *index = const_of(sub->slice);
    if (sub->ctx != AST_Load || value == NULL || index == NULL) {
        return 0;
    }
    return become_constant(f, slot, PyObject_GetItem(value, index));
}

static int
fold_tuple(Folder *f, AstNode **slot)
{
    AstNode *e = *slot;
    FOLD_SEQ(expr, AS(Tuple, e)->elts);
    if (AS(Tuple, e)->ctx != AST_Load) {
        return 0;
    }
    PyObject *tuple = constant_tuple(AS(Tuple, e)->elts);
    if (tuple == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    return become_constant(f, slot, tuple);
}

static int
fold_expr_kind(Folder *f, AstNode **slot)
{
    AstNode *e = *slot;
    switch (e->kind) {
    case AST_BoolOp:
        FOLD_SEQ(expr, AS(BoolOp, e)->values);
        return 0;
    case AST_NamedExpr:
        return fold_expr(f, &AS(NamedExpr, e)->value);
    case AST_BinOp:
        FOLD(expr, AS(BinOp, e)->left);
        FOLD(expr, AS(BinOp, e)->right);
        return fold_binop(f, slot);
    case AST_UnaryOp:
        FOLD(expr, AS(UnaryOp, e)->operand);
        return fold_unary(f, slot);
    case AST_Lambda:
        FOLD(arguments, AS(Lambda, e)->args);
        return fold_expr(f, &AS(Lambda, e)->body);
    case AST_IfExp:
        FOLD(expr, AS(IfExp, e)->test);
        FOLD(expr, AS(IfExp, e)->body);
        return fold_expr(f, &AS(IfExp, e)->orelse);
    case AST_Dict:
        FOLD_SEQ(expr, AS(Dict, e)->keys);
        FOLD_SEQ(expr, AS(Dict, e)->values);
        return 0;
    case AST_Set:
        FOLD_SEQ(expr, AS(Set, e)->elts);
        return 0;
    case AST_ListComp:
    case AST_SetComp:
    case AST_GeneratorExp:
        FOLD(expr, AS(ListComp, e)->elt);
        FOLD_SEQ(comprehension, AS(ListComp, e)->generators);
        return 0;
    case AST_DictComp:
        FOLD(expr, AS(DictComp, e)->key);
        FOLD(expr, AS(DictComp, e)->value);
        FOLD_SEQ(comprehension, AS(DictComp, e)->generators);
        return 0;
    case AST_Await:
        return fold_expr(f, &AS(Await, e)->value);
    case AST_Yield:
        FOLD_OPT(expr, AS(Yield, e)->value);
        return 0;
    case AST_YieldFrom:
        return fold_expr(f, &AS(YieldFrom, e)->value);
    case AST_Compare:
        FOLD(expr, AS(Compare, e)->left);
        FOLD_SEQ(expr, AS(Compare, e)->comparators);
        return fold_compare(f, AS(Compare, e));
    case AST_Call:
        FOLD(expr, AS(Call, e)->func);
        FOLD_SEQ(expr, AS(Call, e)->args);
        FOLD_SEQ(keyword, AS(Call, e)->keywords);
        return 0;
    case AST_FormattedValue:
        FOLD(expr, AS(FormattedValue, e)->value);
        FOLD_OPT(expr, AS(FormattedValue, e)->format_spec);
        return 0;
    case AST_JoinedStr:
        FOLD_SEQ(expr, AS(JoinedStr, e)->values);
        return 0;
    case AST_Attribute:
        return fold_expr(f, &AS(Attribute, e)->value);
    case AST_Subscript:
        return fold_subscript(f, slot);
    case AST_Starred:
        return fold_expr(f, &AS(Starred, e)->value);
    case AST_Slice:
        FOLD_OPT(expr, AS(Slice, e)->lower);
        FOLD_OPT(expr, AS(Slice, e)->upper);
        FOLD_OPT(expr, AS(Slice, e)->step);
        return 0;
    case AST_List:
        FOLD_SEQ(expr, AS(List, e)->elts);
        return 0;
    case AST_Tuple:
        return fold_tuple(f, slot);
    case AST_Name:
        return fold_name(f, slot);
    default:
        return 0;
    }
}

static int
fold_expr(Folder *f, AstNode **slot)
{
    if (_PyFrontend_Deeper(&f->depth, f->limit) < 0) {
        return -1;
    }
    int rc = fold_expr_kind(f, slot);
    f->depth--;
    return rc;
}

static int
fold_pattern(Folder *f, AstNode **slot)
{
    AstNode *p = *slot;
    if (_PyFrontend_Deeper(&f->depth, f->limit) < 0) {
        return -1;
    }
    switch (p->kind) {
    case AST_MatchValue:
        FOLD(expr, AS(MatchValue, p)->value);
        break;
    case AST_MatchSequence:
        FOLD_SEQ(pattern, AS(MatchSequence, p)->patterns);
        break;
    case AST_MatchMapping:
        FOLD_SEQ(expr, AS(MatchMapping, p)->keys);
        FOLD_SEQ(pattern, AS(MatchMapping, p)->patterns);
        break;
    case AST_MatchClass:
        FOLD(expr, AS(MatchClass, p)->cls);
        FOLD_SEQ(pattern, AS(MatchClass, p)->patterns);
        FOLD_SEQ(pattern, AS(MatchClass, p)->kwd_patterns);
        break;
    case AST_MatchAs:
        FOLD_OPT(pattern, AS(MatchAs, p)->pattern);
        break;
    case AST_MatchOr:
        FOLD_SEQ(pattern, AS(MatchOr, p)->patterns);
        break;
    default:
        break;
    }
    f->depth--;
    return 0;
}

static int
fold_case(Folder *f, AstNode **slot)
{
    AstNode *node = *slot;
    FOLD(pattern, AS(match_case, node)->pattern);
    FOLD_OPT(expr, AS(match_case, node)->guard);
    return fold_body(f, AS(match_case, node)->body, 0);
}

static int
fold_withitem(Folder *f, AstNode **slot)
{
    AstNode *node = *slot;
    FOLD(expr, AS(withitem, node)->context_expr);
    FOLD_OPT(expr, AS(withitem, node)->optional_vars);
    return 0;
}

static int
fold_handler(Folder *f, AstNode **slot)
{
    AstNode *node = *slot;
    FOLD_OPT(expr, AS(ExceptHandler, node)->type);
    return fold_body(f, AS(ExceptHandler, node)->body, 0);
}

static int
fold_stmt_kind(Folder *f, AstNode *s)
{
    switch (s->kind) {
    case AST_FunctionDef:
    case AST_AsyncFunctionDef:
        FOLD(arguments, AS(FunctionDef, s)->args);
        if (fold_body(f, AS(FunctionDef, s)->body, 1) < 0) {
            return -1;
        }
        FOLD_SEQ(expr, AS(FunctionDef, s)->decorator_list);
        if (!f->future_annotations) {
            FOLD_OPT(expr, AS(FunctionDef, s)->returns);
        }
        return 0;
    case AST_ClassDef:
        FOLD_SEQ(expr, AS(ClassDef, s)->bases);
        FOLD_SEQ(keyword, AS(ClassDef, s)->keywords);
        if (fold_body(f, AS(ClassDef, s)->body, 1) < 0) {
            return -1;
        }
        FOLD_SEQ(expr, AS(ClassDef, s)->decorator_list);
        return 0;
    case AST_Return:
        FOLD_OPT(expr, AS(Return, s)->value);
        return 0;
    case AST_Delete:
        FOLD_SEQ(expr, AS(Delete, s)->targets);
        return 0;
    case AST_Assign:
        FOLD_SEQ(expr, AS(Assign, s)->targets);
        return fold_expr(f, &AS(Assign, s)->value);
    case AST_AugAssign:
        FOLD(expr, AS(AugAssign, s)->target);
        return fold_expr(f, &AS(AugAssign, s)->value);
    case AST_AnnAssign:
        FOLD(expr, AS(AnnAssign, s)->target);
        if (!f->future_annotations) {
            FOLD(expr, AS(AnnAssign, s)->annotation);
        }
        FOLD_OPT(expr, AS(AnnAssign, s)->value);
        return 0;
    case AST_For:
    case AST_AsyncFor:
        FOLD(expr, AS(For, s)->target);
        FOLD(expr, AS(For, s)->iter);
        if (fold_body(f, AS(For, s)->body, 0) < 0
            || fold_body(f, AS(For, s)->orelse, 0) < 0) {
            return -1;
        }
        return s->kind == AST_For ? fold_iterable(f, &AS(For, s)->iter) : 0;
    case AST_While:
    case AST_If:
        FOLD(expr, AS(If, s)->test);
        if (fold_body(f, AS(If, s)->body, 0) < 0) {
            return -1;
        }
        return fold_body(f, AS(If, s)->orelse, 0);
    case AST_With:
    case AST_AsyncWith:
        FOLD_SEQ(withitem, AS(With, s)->items);
        return fold_body(f, AS(With, s)->body, 0);
    case AST_Match:
        FOLD(expr, AS(Match, s)->subject);
        FOLD_SEQ(case, AS(Match, s)->cases);
        return 0;
    case AST_Raise:
        FOLD_OPT(expr, AS(Raise, s)->exc);
        FOLD_OPT(expr, AS(Raise, s)->cause);
        return 0;
    case AST_Try:
    case AST_TryStar:
        if (fold_body(f, AS(Try, s)->body, 0) < 0) {
            return -1;
        }
        FOLD_SEQ(handler, AS(Try, s)->handlers);
        if (fold_body(f, AS(Try, s)->orelse, 0) < 0) {
            return -1;
        }
        return fold_body(f, AS(Try, s)->finalbody, 0);
    case AST_Assert:
        FOLD(expr, AS(Assert, s)->test);
        FOLD_OPT(expr, AS(Assert, s)->msg);
        return 0;
    case AST_Expr:
        return fold_expr(f, &AS(Expr, s)->value);
    default:
        return 0;
    }
}

static int
fold_stmt(Folder *f, AstNode **slot)
{
    if (_PyFrontend_Deeper(&f->depth, f->limit) < 0) {
        return -1;
    }
    int rc = fold_stmt_kind(f, *slot);
    f->depth--;
    return rc;
}

static int
starts_with_text(AstSeq *body)
{
    if (body->size == 0 || body->items[0]->kind != AST_Expr) {
        return 0;
    }
    PyObject *value = const_of(AS(Expr, body->items[0])->value);
    return value != NULL && PyUnicode_CheckExact(value);
}

static int
fold_body(Folder *f, AstSeq *body, int may_have_doc)
{
    int doc = may_have_doc && starts_with_text(body);
    FOLD_SEQ(stmt, body);
    if (may_have_doc && !doc && starts_with_text(body)) {
        /* A docstring must be a literal: an expression that folds to a string is not one. */
        Ast_Expr *first = AS(Expr, body->items[0]);
        AstSeq *values = _PyAst_NewSeq(f->arena, 1);
        if (values == NULL) {
            return -1;
        }
        values->items[0] = first->value;
        first->value = AstNew_JoinedStr(f->arena, first->value->pos, values);
        if (first->value == NULL) {
            return -1;
        }
    }
    return 0;
}

int
_PyFold_Tree(AstNode *mod, int optimize, int future_features, AstArena *arena)
{
    Folder folder = {
        .arena = arena,
        .optimize = optimize,
        .future_annotations = (future_features & CO_FUTURE_ANNOTATIONS) != 0,
        .limit = _PyFrontend_DepthLimit(),
    };
    switch (mod->kind) {
    case AST_Module:
        return fold_body(&folder, AS(Module, mod)->body, 1);
    case AST_Interactive:
        return fold_body(&folder, AS(Interactive, mod)->body, 0);
    case AST_Expression:
        return fold_expr(&folder, &AS(Expression, mod)->body);
    default:
        return 0;
    }
}

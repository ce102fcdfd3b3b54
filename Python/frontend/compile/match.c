/* The match statement.

   The subject stays in one temporary for all cases. A pattern reads the register of its
   subject without consuming it, and pushes whatever it needs. Names are bound only when
   the whole pattern has matched; until then their values are in temporaries. A pattern
   that fails jumps to a label, chosen by the number of temporaries that the case holds at
   that moment. After the label they are dropped one by one (dropping a dead one does
   nothing), and the next case follows.

   Tracers hear of the lines of python3.11, which keeps values on a stack. So the position that a
   part of a pattern sets stays for what follows it, even outside that part; and a failure shows
   the line of the whole pattern only where python3.11 has values to pop: `on_top` counts them. */
#include "codegen.h"

#include <string.h>

typedef struct {
    PyObject *name;
    int reg;
} Capture;

/* A failure that does not show the line of the pattern. */
typedef struct Quiet_ {
    struct Quiet_ *next;
    int label;
    int n;                      /* temporaries to drop */
    SrcLoc loc;                 /* of what jumps to the label */
} Quiet;

typedef struct {
    Capture *captures;          /* in the arena */
    int ncaptures, capcaptures;
    int base;                   /* the first temporary of this case */
    int *fail;                  /* [n]: label for n temporaries to drop, or -1 */
    int nfail;
    Quiet *quiet;               /* with several lines, or where others pop */
    int on_top;                 /* what python3.11 pops at a failure, except captures */
    int pops;                   /* whether it does so at any */
    int several_lines;
    int may_always_match;
} Case;

static int pattern(Gen *, AstNode *, int subject, Case *);

static int
quiet_failure(Gen *g, Case *c, int n)
{
    Quiet *quiet = _PyAstArena_Alloc(g->arena, sizeof(Quiet));
    if (quiet == NULL) {
        return -1;
    }
    *quiet = (Quiet){c->quiet, _PyGen_NewLabel(g), n, g->u->loc};
    c->quiet = quiet;
    return quiet->label;
}

static int
fail_label(Gen *g, Case *c)
{
    int n = g->u->top - c->base;
    if (c->on_top + c->ncaptures > 0) {
        c->pops = 1;
    }
    else if (c->several_lines) {
        return quiet_failure(g, c, n);
    }
    if (n >= c->nfail) {
        int size = n + 16;
        int *fail = _PyAstArena_Alloc(g->arena, (size_t)size * sizeof(int));
        if (fail == NULL) {
            return -1;
        }
        for (int i = 0; i < size; i++) {
            fail[i] = i < c->nfail ? c->fail[i] : -1;
        }
        c->fail = fail;
        c->nfail = size;
    }
    if (c->fail[n] < 0) {
        c->fail[n] = _PyGen_NewLabel(g);
    }
    return c->fail[n];
}

/* Those that show the line of the pattern. Returns whether there are any. */
static int
bind_shown_failures(Gen *g, Case *c)
{
    int n = c->nfail - 1;
    while (n >= 0 && c->fail[n] < 0) {
        n--;
    }
    int any = n >= 0;
    for (; n >= 0; n--) {
        if (c->fail[n] >= 0) {
            _PyGen_Bind(g, c->fail[n]);
        }
        if (n > 0) {
            EMIT(DROP, c->base + n - 1, !c->pops, 0);
        }
    }
    return any;
}

/* All failures of a case meet here, with its temporaries dropped, and the subject, too, if it has
   a register. (A DROP or JUMP with operand b is nothing that python3.11 has to do.) */
static int
bind_failures(Gen *g, Case *c, int subject)
{
    SrcLoc loc = g->u->loc;
    int shown = bind_shown_failures(g, c);
    TRY(shown);
    NEW_LABEL(next);
    if (c->several_lines && shown) {
        EMIT(NOP, 0, 0, 0);
    }
    if (subject >= 0 && (shown || !c->several_lines)) {
        EMIT(DROP, subject, !c->pops, 0);
    }
    for (Quiet *q = c->quiet; q != NULL; q = q->next) {
        gen_no_loc(g);
        TRY(_PyGen_Emit(g, OP_JUMP, 0, 1, 0, next));
        _PyGen_Bind(g, q->label);
        g->u->loc = q->loc;
        for (int n = q->n; n > 0; n--) {
            EMIT(DROP, c->base + n - 1, 1, 0);
        }
        if (subject >= 0) {
            EMIT(DROP, subject, 1, 0);
        }
    }
    g->u->loc = loc;
    _PyGen_Bind(g, next);
    return 0;
}

/* Jumps to failure if the comparison does not hold. The operands are temporaries from
   `top` on, and are consumed. */
#define FAIL_UNLESS(op, a, b) \
    do { \
        int label_ = fail_label(g, c); \
        TRY(label_); \
        TRY(_PyGen_Emit(g, op, (a), (b), 0, label_)); \
    } while (0)

static int
capture(Gen *g, PyObject *name, int subject, Case *c)
{
    if (_PyGen_Forbidden(g, name, AST_Store)) {
        return -1;
    }
    for (int i = 0; i < c->ncaptures; i++) {
        if (PyUnicode_Compare(c->captures[i].name, name) == 0) {
            return _PyGen_Error(
                g, "multiple assignments to name %R in pattern", name);
        }
    }
    if (c->ncaptures == c->capcaptures) {
        int size = c->capcaptures ? c->capcaptures * 2 : 8;
        Capture *more = _PyAstArena_Alloc(g->arena,
                                          (size_t)size * sizeof(Capture));
        if (more == NULL) {
            return -1;
        }
        if (c->ncaptures) {
            memcpy(more, c->captures, (size_t)c->ncaptures * sizeof(Capture));
        }
        c->captures = more;
        c->capcaptures = size;
    }
    int reg = _PyGen_Alloc(g);
    TRY(reg);
    EMIT(COPY, reg, subject, 0);
    c->captures[c->ncaptures++] = (Capture){name, reg};
    return 0;
}

/* ----------------------------------------------------------- value patterns */

static int
pattern_value(Gen *g, AstNode *p, int subject, Case *c)
{
    AstNode *value = AS(MatchValue, p)->value;
    if (value->kind != AST_Constant && value->kind != AST_Attribute) {
        return _PyGen_Error(g, "patterns may only match literals and attribute "
                               "lookups");
    }
    int top = g->u->top;
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(COPY, copy, subject, 0);
    int r = _PyGen_Expr(g, value, PUSH);
    TRY(r);
    _PyGen_SetTop(g, top);
    FAIL_UNLESS(OP_JUMP_IF_NOT_EQ, copy, r);
    return 0;
}

static int
pattern_singleton(Gen *g, AstNode *p, int subject, Case *c)
{
    int top = g->u->top;
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(COPY, copy, subject, 0);
    int r = _PyGen_PushConst(g, AS(MatchSingleton, p)->value);
    TRY(r);
    _PyGen_SetTop(g, top);
    FAIL_UNLESS(OP_JUMP_IF_IS_NOT, copy, r);
    return 0;
}

/* ---------------------------------------------------------------- sequences */

static int
is_wildcard(AstNode *p)
{
    return p->kind == AST_MatchAs && AS(MatchAs, p)->name == NULL;
}

static int
is_star_wildcard(AstNode *p)
{
    return p->kind == AST_MatchStar && AS(MatchStar, p)->name == NULL;
}

static int
subpattern(Gen *g, AstNode *p, int subject, Case *c)
{
    int old = c->may_always_match;
    c->may_always_match = 1;
    int rc = pattern(g, p, subject, c);
    c->may_always_match = old;
    return rc;
}

static int
check_length(Gen *g, int subject, Py_ssize_t n, int at_least, Case *c)
{
    int top = g->u->top;
    int len = _PyGen_Alloc(g);
    TRY(len);
    EMIT(GET_LEN, len, subject, 0);
    PyObject *number = PyLong_FromSsize_t(n);
    if (number == NULL) {
        return -1;
    }
    int want = _PyGen_PushConst(g, number);
    Py_DECREF(number);
    TRY(want);
    _PyGen_SetTop(g, top);
    FAIL_UNLESS(at_least ? OP_JUMP_IF_NOT_GE : OP_JUMP_IF_NOT_EQ, len, want);
    return 0;
}

/* Unpacks a copy of the subject into n new temporaries and matches them. */
static int
match_unpacked(Gen *g, AstSeq *patterns, int star, int subject, Case *c)
{
    Py_ssize_t n = patterns->size;
    int run = _PyGen_Reserve(g, (int)n);
    TRY(run);
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(COPY, copy, subject, 0);
    _PyGen_SetTop(g, copy);
    if (star < 0) {
        EMIT(UNPACK_SEQUENCE, run, copy, (int)n);
    }
    else {
        EMIT_ARG(UNPACK_EX, run, copy, star, (int)n - star - 1);
    }
    c->on_top += (int)n;
    for (Py_ssize_t i = 0; i < n; i++) {
        c->on_top--;
        TRY(subpattern(g, patterns->items[i], run + (int)i, c));
    }
    return 0;
}

static int
load_index(Gen *g, Py_ssize_t index, int reg)
{
    PyObject *number = PyLong_FromSsize_t(index);
    int rc = number == NULL ? -1 : _PyGen_ConstInto(g, number, reg);
    Py_XDECREF(number);
    return rc;
}

/* With `*_`, items are fetched by index, and only those that are needed. */
static int
match_by_index(Gen *g, AstSeq *patterns, int star, int subject, Case *c)
{
    Py_ssize_t n = patterns->size;
    c->on_top++;
    for (Py_ssize_t i = 0; i < n; i++) {
        AstNode *p = patterns->items[i];
        if (i == star || is_wildcard(p)) {
            continue;
        }
        int item = _PyGen_Alloc(g);
        TRY(item);
        int copy = _PyGen_Alloc(g);
        TRY(copy);
        int index = _PyGen_Alloc(g);
        TRY(index);
        EMIT(COPY, copy, subject, 0);
        if (i < star) {
            TRY(load_index(g, i, index));
        }
        else {
            int back = _PyGen_Alloc(g);
            TRY(back);
            EMIT(GET_LEN, index, subject, 0);
            TRY(load_index(g, n - i, back));
            EMIT(SUB, index, index, back);
        }
        EMIT(LOAD_SUBSCR, item, copy, index);
        _PyGen_SetTop(g, item + 1);
        TRY(subpattern(g, p, item, c));
    }
    c->on_top--;
    return 0;
}

static int
pattern_sequence(Gen *g, AstNode *p, int subject, Case *c)
{
    AstSeq *patterns = AS(MatchSequence, p)->patterns;
    Py_ssize_t n = patterns->size;
    int star = -1, only_wildcards = 1, star_wildcard = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        AstNode *sub = patterns->items[i];
        if (sub->kind == AST_MatchStar) {
            if (star >= 0) {
                return _PyGen_Error(g, "multiple starred names in sequence "
                                       "pattern");
            }
            star = (int)i;
            star_wildcard = is_star_wildcard(sub);
            only_wildcards &= star_wildcard;
            continue;
        }
        only_wildcards &= is_wildcard(sub);
    }
    int top = g->u->top;
    int ok = _PyGen_Alloc(g);
    TRY(ok);
    EMIT(MATCH_SEQUENCE, ok, subject, 0);
    _PyGen_SetTop(g, top);
    c->on_top++;
    FAIL_UNLESS(OP_JUMP_IF_FALSE, ok, 0);
    if (star < 0) {
        TRY(check_length(g, subject, n, 0, c));
    }
    else if (n > 1) {
        TRY(check_length(g, subject, n - 1, 1, c));
    }
    c->on_top--;
    if (only_wildcards) {
        return 0;
    }
    return star_wildcard ? match_by_index(g, patterns, star, subject, c)
                         : match_unpacked(g, patterns, star, subject, c);
}

/* ----------------------------------------------------------------- mappings */

static int
push_keys(Gen *g, AstSeq *keys)
{
    int base = g->u->top;
    PyObject *seen = PySet_New(NULL);
    if (seen == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < keys->size; i++) {
        AstNode *key = keys->items[i];
        if (key->kind == AST_Constant) {
            PyObject *value = AS(Constant, key)->value;
            int had = PySet_Contains(seen, value);
            if (had > 0) {
                _PyGen_Error(g, "mapping pattern checks duplicate key (%R)",
                             value);
            }
            if (had != 0 || PySet_Add(seen, value) < 0) {
                goto fail;
            }
        }
        else if (key->kind != AST_Attribute) {
            _PyGen_Error(g, "mapping pattern keys may only match literals and "
                            "attribute lookups");
            goto fail;
        }
        if (_PyGen_Push(g, key) < 0) {
            goto fail;
        }
    }
    Py_DECREF(seen);
    _PyGen_SetTop(g, base);
    int reg = _PyGen_Alloc(g);
    TRY(reg);
    EMIT(BUILD_TUPLE, reg, base, (int)keys->size);
    return reg;
fail:
    Py_DECREF(seen);
    return -1;
}

/* The tuple in register `tuple` is kept while its items are matched. */
static int
match_items(Gen *g, AstSeq *patterns, int tuple, Case *c)
{
    Py_ssize_t n = patterns->size;
    int run = _PyGen_Reserve(g, (int)n);
    TRY(run);
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(COPY, copy, tuple, 0);
    _PyGen_SetTop(g, copy);
    EMIT(UNPACK_SEQUENCE, run, copy, (int)n);
    c->on_top += (int)n - 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        c->on_top--;
        TRY(subpattern(g, patterns->items[i], run + (int)i, c));
    }
    return 0;
}

static int
fail_if_none(Gen *g, int reg, Case *c)
{
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(COPY, copy, reg, 0);
    _PyGen_SetTop(g, copy);
    FAIL_UNLESS(OP_JUMP_IF_NONE, copy, 0);
    return 0;
}

static int
pattern_mapping(Gen *g, AstNode *p, int subject, Case *c)
{
    Ast_MatchMapping *mapping = AS(MatchMapping, p);
    AstSeq *keys = mapping->keys, *patterns = mapping->patterns;
    if (keys->size != patterns->size) {
        return _PyGen_Error(g, "keys (%d) / patterns (%d) length mismatch in "
                               "mapping pattern", (int)keys->size,
                            (int)patterns->size);
    }
    int top = g->u->top;
    int ok = _PyGen_Alloc(g);
    TRY(ok);
    EMIT(MATCH_MAPPING, ok, subject, 0);
    _PyGen_SetTop(g, top);
    c->on_top++;
    FAIL_UNLESS(OP_JUMP_IF_FALSE, ok, 0);
    if (keys->size == 0 && mapping->rest == NULL) {
        c->on_top--;
        return 0;
    }
    if (keys->size) {
        TRY(check_length(g, subject, keys->size, 1, c));
    }
    int key_tuple = push_keys(g, keys);
    TRY(key_tuple);
    int values = _PyGen_Alloc(g);
    TRY(values);
    EMIT(MATCH_KEYS, values, subject, key_tuple);
    c->on_top += 2;
    TRY(fail_if_none(g, values, c));
    TRY(match_items(g, patterns, values, c));
    c->on_top -= 2;
    if (mapping->rest == NULL) {
        return 0;
    }
    int rest = _PyGen_Alloc(g);
    TRY(rest);
    int n = (int)keys->size;
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(BUILD_MAP, rest, 0, 0);
    EMIT(COPY, copy, subject, 0);
    EMIT(DICT_UPDATE, rest, copy, 0);
    _PyGen_SetTop(g, rest + 1);
    if (n > 0) {
        int run = _PyGen_Reserve(g, n);
        TRY(run);
        int source = _PyGen_Alloc(g);
        TRY(source);
        EMIT(COPY, source, key_tuple, 0);
        EMIT(UNPACK_SEQUENCE, run, source, n);
        for (int i = n - 1; i >= 0; i--) {
            EMIT(COPY, source, rest, 0);
            EMIT(DELETE_SUBSCR, source, run + i, 0);
        }
    }
    _PyGen_SetTop(g, rest + 1);
    return capture(g, mapping->rest, rest, c);
}

/* ------------------------------------------------------------------ classes */

static int
check_attributes(Gen *g, AstNode *p, AstNameSeq *attrs, AstSeq *patterns)
{
    (void)p;
    for (Py_ssize_t i = 0; i < attrs->size; i++) {
        gen_set_loc(g, patterns->items[i]);
        if (_PyGen_Forbidden(g, attrs->items[i], AST_Store)) {
            return -1;
        }
        for (Py_ssize_t j = i + 1; j < attrs->size; j++) {
            if (PyUnicode_Compare(attrs->items[i], attrs->items[j]) == 0) {
                gen_set_loc(g, patterns->items[j]);
                return _PyGen_Error(
                    g, "attribute name repeated in class pattern: %U",
                    attrs->items[j]);
            }
        }
    }
    return 0;
}

static int
pattern_class(Gen *g, AstNode *p, int subject, Case *c)
{
    Ast_MatchClass *cls = AS(MatchClass, p);
    Py_ssize_t npos = cls->patterns->size, nkw = cls->kwd_attrs->size;
    if (nkw != cls->kwd_patterns->size) {
        return _PyGen_Error(g, "kwd_attrs (%d) / kwd_patterns (%d) length "
                               "mismatch in class pattern", (int)nkw,
                            (int)cls->kwd_patterns->size);
    }
    SrcLoc loc = g->u->loc;
    TRY(check_attributes(g, p, cls->kwd_attrs, cls->kwd_patterns));
    g->u->loc = loc;
    PyObject *names = PyTuple_New(nkw);
    if (names == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < nkw; i++) {
        PyTuple_SET_ITEM(names, i, Py_NewRef(cls->kwd_attrs->items[i]));
    }
    int found = _PyGen_Alloc(g);
    if (found >= 0 && (_PyGen_Emit(g, OP_COPY, found, subject, 0, 0) < 0
                       || _PyGen_Push(g, cls->cls) < 0
                       || _PyGen_PushConst(g, names) < 0)) {
        found = -1;
    }
    Py_DECREF(names);
    TRY(found);
    EMIT(MATCH_CLASS, found, found, (int)npos);
    _PyGen_SetTop(g, found + 1);
    c->on_top++;
    TRY(fail_if_none(g, found, c));
    if (npos + nkw == 0) {
        c->on_top--;
        return 0;
    }
    int run = _PyGen_Reserve(g, (int)(npos + nkw));
    TRY(run);
    int copy = _PyGen_Alloc(g);
    TRY(copy);
    EMIT(COPY, copy, found, 0);
    EMIT(UNPACK_SEQUENCE, run, copy, (int)(npos + nkw));
    _PyGen_SetTop(g, copy);
    c->on_top += (int)(npos + nkw) - 1;
    for (Py_ssize_t i = 0; i < npos + nkw; i++) {
        c->on_top--;
        AstNode *sub = i < npos ? cls->patterns->items[i]
                                : cls->kwd_patterns->items[i - npos];
        if (!is_wildcard(sub)) {
            TRY(subpattern(g, sub, run + (int)i, c));
        }
    }
    return 0;
}

/* ------------------------------------------------------------- name, as, or */

static int
pattern_as(Gen *g, AstNode *p, int subject, Case *c)
{
    Ast_MatchAs *as = AS(MatchAs, p);
    if (as->pattern == NULL) {
        if (!c->may_always_match) {
            if (as->name != NULL) {
                return _PyGen_Error(g, "name capture %R makes remaining "
                                       "patterns unreachable", as->name);
            }
            return _PyGen_Error(g, "wildcard makes remaining patterns "
                                   "unreachable");
        }
        if (as->name != NULL) {
            return capture(g, as->name, subject, c);
        }
        EMIT(NOP, 0, 0, 0);
        return 0;
    }
    EMIT(NOP, 0, 0, 0);
    c->on_top++;
    TRY(pattern(g, as->pattern, subject, c));
    c->on_top--;
    return capture(g, as->name, subject, c);
}

static int
find_capture(Case *c, PyObject *name)
{
    for (int i = 0; i < c->ncaptures; i++) {
        if (PyUnicode_Compare(c->captures[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Counts the names that a pattern binds, to reserve registers for them. */
static int
count_names(AstNode *p)
{
    AstSeq *seqs[2] = {NULL, NULL};
    int n = 0;
    switch (p->kind) {
    case AST_MatchAs:
        n = AS(MatchAs, p)->name != NULL;
        return n + (AS(MatchAs, p)->pattern
                    ? count_names(AS(MatchAs, p)->pattern) : 0);
    case AST_MatchStar:
        return AS(MatchStar, p)->name != NULL;
    case AST_MatchSequence:
        seqs[0] = AS(MatchSequence, p)->patterns;
        break;
    case AST_MatchMapping:
        n = AS(MatchMapping, p)->rest != NULL;
        seqs[0] = AS(MatchMapping, p)->patterns;
        break;
    case AST_MatchClass:
        seqs[0] = AS(MatchClass, p)->patterns;
        seqs[1] = AS(MatchClass, p)->kwd_patterns;
        break;
    case AST_MatchOr:
        return count_names(AS(MatchOr, p)->patterns->items[0]);
    default:
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        for (Py_ssize_t i = 0; seqs[k] != NULL && i < seqs[k]->size; i++) {
            n += count_names(seqs[k]->items[i]);
        }
    }
    return n;
}

/* Every alternative stores its captures in the registers that the first one's names were
   given. */
static int
pattern_or(Gen *g, AstNode *p, int subject, Case *c)
{
    AstSeq *patterns = AS(MatchOr, p)->patterns;
    int nnames = count_names(patterns->items[0]);
    int slots = _PyGen_Reserve(g, nnames);
    TRY(slots);
    int base = g->u->top;
    Case first = {0};
    NEW_LABEL(end);
    for (Py_ssize_t i = 0; i < patterns->size; i++) {
        AstNode *alternative = patterns->items[i];
        int last = i == patterns->size - 1;
        Case alt = {.base = base, .several_lines = c->several_lines,
                    .may_always_match = last && c->may_always_match};
        gen_set_loc(g, alternative);
        _PyGen_SetTop(g, base);
        TRY(pattern(g, alternative, subject, &alt));
        if (i == 0) {
            first = alt;
        }
        int same = alt.ncaptures == first.ncaptures;
        for (int k = 0; same && k < first.ncaptures; k++) {
            same = find_capture(&alt, first.captures[k].name) >= 0;
        }
        if (!same) {
            return _PyGen_Error(g, "alternative patterns bind different names");
        }
        for (int k = 0; k < first.ncaptures; k++) {
            int at = find_capture(&alt, first.captures[k].name);
            EMIT(MOVE, slots + k, alt.captures[at].reg, 0);
        }
        for (int r = g->u->top - 1; r >= base; r--) {
            EMIT(DROP, r, 0, 0);
        }
        JUMP_TO(JUMP, 0, end);
        TRY(bind_failures(g, &alt, -1));
    }
    _PyGen_SetTop(g, base);
    int label = fail_label(g, c);
    TRY(label);
    EMIT(NOP, 0, 0, 0);
    JUMP_TO(JUMP, 0, label);
    _PyGen_Bind(g, end);
    EMIT(NOP, 0, 0, 0);
    for (int k = 0; k < first.ncaptures; k++) {
        TRY(capture(g, first.captures[k].name, slots + k, c));
    }
    return 0;
}

static int
pattern_kind(Gen *g, AstNode *p, int subject, Case *c)
{
    switch (p->kind) {
    case AST_MatchValue: return pattern_value(g, p, subject, c);
    case AST_MatchSingleton: return pattern_singleton(g, p, subject, c);
    case AST_MatchSequence: return pattern_sequence(g, p, subject, c);
    case AST_MatchMapping: return pattern_mapping(g, p, subject, c);
    case AST_MatchClass: return pattern_class(g, p, subject, c);
    case AST_MatchStar:
        if (AS(MatchStar, p)->name != NULL) {
            return capture(g, AS(MatchStar, p)->name, subject, c);
        }
        EMIT(NOP, 0, 0, 0);
        return 0;
    case AST_MatchAs: return pattern_as(g, p, subject, c);
    case AST_MatchOr: return pattern_or(g, p, subject, c);
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected pattern");
        return -1;
    }
}

static int
pattern(Gen *g, AstNode *p, int subject, Case *c)
{
    if (_PyFrontend_Deeper(&g->depth, g->limit) < 0) {
        return -1;
    }
    gen_set_loc(g, p);
    TRY(pattern_kind(g, p, subject, c));
    g->depth--;
    return 0;
}

/* -------------------------------------------------------------------- cases */

/* Binds the captured names, in order, and drops everything else. */
static int
bind_captures(Gen *g, Case *c)
{
    for (int i = 0; i < c->ncaptures; i++) {
        TRY(_PyGen_StoreName(g, c->captures[i].name, c->captures[i].reg));
    }
    for (int r = g->u->top - 1; r >= c->base; r--) {
        int captured = 0;
        for (int i = 0; i < c->ncaptures; i++) {
            captured |= c->captures[i].reg == r;
        }
        if (!captured) {
            EMIT(DROP, r, 0, 0);
        }
    }
    c->ncaptures = 0;
    _PyGen_SetTop(g, c->base);
    return 0;
}

static int
has_several_lines(Ast_match_case *mc)
{
    AstNode *last = mc->guard != NULL ? mc->guard : mc->pattern;
    return mc->pattern->pos.lineno != last->pos.end_lineno;
}

static Ast_match_case *
last_case(AstSeq *cases)
{
    return AS(match_case, cases->items[cases->size - 1]);
}

/* Is the last of several cases a `case _`? */
static int
has_default(AstSeq *cases)
{
    return cases->size > 1 && is_wildcard(last_case(cases)->pattern);
}

/* The block within a statement that python3.11's compiler comes to last, or NULL. */
static AstSeq *
last_block(AstNode *s)
{
    switch (s->kind) {
    case AST_If:
        return AS(If, s)->orelse->size > 0 ? AS(If, s)->orelse : AS(If, s)->body;
    case AST_For: case AST_AsyncFor:
        return AS(For, s)->orelse;
    case AST_While:
        return AS(While, s)->orelse;
    case AST_Try:
        return AS(Try, s)->finalbody;
    case AST_TryStar:       /* whose handlers come before `else` */
        return AS(TryStar, s)->finalbody->size > 0 ? AS(TryStar, s)->finalbody
                                                   : AS(TryStar, s)->orelse;
    case AST_Match:
        return has_default(AS(Match, s)->cases) ? last_case(AS(Match, s)->cases)->body : NULL;
    default:
        return NULL;
    }
}

/* The comparison that a condition comes to last, or NULL. */
static AstNode *
last_comparison(AstNode *e)
{
    AstNode *parts[3] = {NULL}, *last = NULL;
    switch (e->kind) {
    case AST_Compare:
        return e;
    case AST_BoolOp:
        for (Py_ssize_t i = 0; i < AS(BoolOp, e)->values->size; i++) {
            AstNode *found = last_comparison(AS(BoolOp, e)->values->items[i]);
            last = found != NULL ? found : last;
        }
        return last;
    case AST_UnaryOp:
        parts[0] = AS(UnaryOp, e)->op == AST_Not ? AS(UnaryOp, e)->operand : NULL;
        break;
    case AST_IfExp:
        parts[0] = AS(IfExp, e)->test;
        parts[1] = AS(IfExp, e)->body;
        parts[2] = AS(IfExp, e)->orelse;
        break;
    default:
        return NULL;
    }
    for (int i = 0; i < 3 && parts[i] != NULL; i++) {
        AstNode *found = last_comparison(parts[i]);
        last = found != NULL ? found : last;
    }
    return last;
}

/* Comparisons in a condition have their own line, and what comes behind them stays there. */
static void
set_loc_of_condition(Gen *g, AstNode *s, AstNode *test)
{
    AstNode *comparison = last_comparison(test);
    gen_set_loc(g, comparison != NULL ? comparison : s);
}

void
_PyGen_SetLocBehind(Gen *g, AstSeq *body)
{
    AstNode *s = body->items[body->size - 1];
    for (AstSeq *inner = last_block(s); inner != NULL && inner->size > 0; inner = last_block(s)) {
        s = inner->items[inner->size - 1];
    }
    switch (s->kind) {
    case AST_AsyncFor:
        gen_set_loc(g, AS(AsyncFor, s)->iter);
        break;
    case AST_For: case AST_With: case AST_AsyncWith: case AST_Try:
    case AST_TryStar:
        gen_no_loc(g);
        break;
    case AST_Expr:
        gen_no_loc(g);
        if (AS(Expr, s)->value->kind == AST_Constant) {
            gen_set_loc(g, s);
        }
        break;
    case AST_While:
        set_loc_of_condition(g, s, AS(While, s)->test);
        break;
    case AST_Assert:
        set_loc_of_condition(g, s, AS(Assert, s)->test);
        break;
    case AST_AugAssign:
        gen_set_loc(g, AS(AugAssign, s)->target);
        if (AS(AugAssign, s)->target->kind == AST_Attribute) {
            _PyGen_AttrLoc(g, AS(AugAssign, s)->target);
        }
        break;
    case AST_Return: case AST_Break: case AST_Continue:
        gen_set_loc(g, s);
        if (_PyGen_LeavesByCleanUp(g, s)) {
            gen_no_loc(g);
        }
        break;
    case AST_Match:         /* what the last pattern's failure leads to */
        gen_set_loc(g, last_case(AS(Match, s)->cases)->pattern);
        break;
    default:
        gen_set_loc(g, s);
    }
}

/* A last `case _` has nothing to compare. python3.11 lets go of the subject before its guard. */
static int
default_case(Gen *g, Ast_match_case *mc, int subject, int end)
{
    EMIT(NOP, 0, 0, 0);
    EMIT(DROP, subject, 0, 0);
    _PyGen_SetTop(g, subject);
    if (mc->guard != NULL) {
        TRY(_PyGen_JumpIf(g, mc->guard, end, 0));
    }
    return _PyGen_Body(g, mc->body);
}

int
_PyGen_Match(Gen *g, AstNode *s)
{
    Ast_Match *match = AS(Match, s);
    int base = g->u->top;
    Py_ssize_t n = match->cases->size;
    /* python3.11 copies the subject in all cases but the last, apart from a default. */
    Py_ssize_t copied = n - 1 - has_default(match->cases);
    NEW_LABEL(end);
    int subject = _PyGen_Push(g, match->subject);
    TRY(subject);
    for (Py_ssize_t i = 0; i < n; i++) {
        Ast_match_case *mc = AS(match_case, match->cases->items[i]);
        int last = i == n - 1;
        _PyGen_SetTop(g, subject + 1);
        gen_set_loc(g, mc->pattern);
        if (last && has_default(match->cases)) {
            TRY(default_case(g, mc, subject, end));
            break;
        }
        Case c = {.base = subject + 1, .several_lines = has_several_lines(mc),
                  .may_always_match = mc->guard != NULL || last};
        if (i < copied || is_wildcard(mc->pattern)) {
            EMIT(NOP, 0, 0, 0);
        }
        if (!last || mc->guard != NULL || !is_wildcard(mc->pattern)) {
            TRY(pattern(g, mc->pattern, subject, &c));
            TRY(bind_captures(g, &c));
        }
        if (mc->guard != NULL) {
            /* python3.11 has nothing to pop any more. */
            int label = c.pops ? quiet_failure(g, &c, 0) : fail_label(g, &c);
            TRY(label);
            TRY(_PyGen_JumpIf(g, mc->guard, label, 0));
            if (c.quiet != NULL && mc->guard->kind == AST_Compare) {
                c.quiet->loc = g->u->loc;
            }
        }
        EMIT(DROP, subject, 0, 0);
        _PyGen_SetTop(g, base);
        TRY(_PyGen_Body(g, mc->body));
        _PyGen_SetLocBehind(g, mc->body);
        JUMP_TO(JUMP, 0, end);
        /* What follows a failure still is the pattern's line. */
        gen_set_loc(g, mc->pattern);
        _PyGen_SetTop(g, subject + 1);
        TRY(bind_failures(g, &c, last ? subject : -1));
    }
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base);
    return 0;
}

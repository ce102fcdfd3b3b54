/* The _sre module: patterns, their scanners, and what re._compiler asks. */
#include "sre.h"
#include "objects.h"
#include "structmember.h"

#include <stddef.h>
#include "internal/int.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

static PyTypeObject *pattern_type, *match_type, *scanner_type;

/* ------------------------------------------------------------------ helpers */

/* A slice of the text that is matched. */
PyObject *
_Sre_Slice(int isbytes, const void *buffer, PyObject *string, Py_ssize_t start, Py_ssize_t end)
{
    if (!isbytes) {
        return PyUnicode_Substring(string, start, end);
    }
    if (PyBytes_CheckExact(string) && start == 0 && end == PyBytes_GET_SIZE(string)) {
        return Py_NewRef(string);
    }
    return PyBytes_FromStringAndSize((const char *)buffer + start, end - start);
}

#define POSITION(state, p) \
    ((Py_ssize_t)((const char *)(p) - (const char *)(state)->beginning) / (state)->charsize)

static PyObject *
state_slice(const SreState *state, const void *start, const void *end)
{
    return _Sre_Slice(state->isbytes, state->beginning, state->string, POSITION(state, start),
                      POSITION(state, end));
}

/* Group i of a successful match, or `missing`. */
static PyObject *
state_group(const SreState *state, Py_ssize_t i, PyObject *missing)
{
    const void *start = state->mark[2 * i - 2], *end = state->mark[2 * i - 1];
    if (start == NULL || end == NULL || end < start) {
        return Py_NewRef(missing);
    }
    return state_slice(state, start, end);
}

static PyObject *
empty_text(const SreState *state)
{
    return state->isbytes ? PyBytes_FromStringAndSize(NULL, 0) : PyUnicode_New(0, 0);
}

/* status: 1 a Match, 0 None, -1 NULL. */
static PyObject *
new_match(SrePattern *pattern, const SreState *state, int status)
{
    if (status <= 0) {
        return status == 0 ? Py_NewRef(Py_None) : NULL;
    }
    SreMatch *m = PyObject_GC_NewVar(SreMatch, match_type, 2 * (pattern->groups + 1));
    if (m == NULL) {
        return NULL;
    }
    m->pattern = (SrePattern *)Py_NewRef(pattern);
    m->string = Py_NewRef(state->string);
    m->regs = NULL;
    m->groups = pattern->groups + 1;
    m->mark[0] = POSITION(state, state->start);
    m->mark[1] = POSITION(state, state->ptr);
    for (Py_ssize_t i = 0; i < pattern->groups; i++) {
        const void *start = state->mark[2 * i], *end = state->mark[2 * i + 1];
        int good = start != NULL && end != NULL && end >= start;
        m->mark[2 * i + 2] = good ? POSITION(state, start) : -1;
        m->mark[2 * i + 3] = good ? POSITION(state, end) : -1;
    }
    m->pos = state->pos;
    m->endpos = state->endpos;
    m->lastindex = state->lastindex;
    PyObject_GC_Track(m);
    return (PyObject *)m;
}

typedef struct {
    PyObject *string;
    Py_ssize_t pos, endpos;
} TextArgs;

/* An argument that is an int of the usual size. */
static inline int
plain_position(PyObject *arg, Py_ssize_t *value)
{
    if (!PyLong_Check(arg) || !_PyLong_CheckCompact(arg)) {
        return 0;
    }
    *value = _PyLong_CompactValue(arg);
    return 1;
}

/* string, pos=0, endpos=sys.maxsize. Usual arguments are taken without the parser, which would
   take longer than most matches. */
static int
text_args(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, _PyArg_Parser *parser,
          TextArgs *out)
{
    out->pos = 0;
    out->endpos = PY_SSIZE_T_MAX;
    if (kwnames == NULL && nargs >= 1 && nargs <= 3
        && (nargs < 2 || plain_position(args[1], &out->pos))
        && (nargs < 3 || plain_position(args[2], &out->endpos))) {
        out->string = args[0];
        return 1;
    }
    return _PyArg_ParseStackAndKeywords(args, nargs, kwnames, parser, &out->string, &out->pos,
                                        &out->endpos);
}

static const char *const text_keywords[] = {"string", "pos", "endpos", NULL};
#define TEXT_METHOD(name) \
    static _PyArg_Parser parser = {.format = "O|nn:" #name, .keywords = text_keywords}; \
    TextArgs in; \
    if (!text_args(args, nargs, kwnames, &parser, &in)) { \
        return NULL; \
    }
#define METHOD_ARGS PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames

/* --------------------------------------------------- match, search, findall */

/* Do the characters around the position say that no match begins there, in a str? Asked before
   anything is prepared. */
static inline int
cannot_begin(SrePattern *self, const TextArgs *in)
{
    const SreBegins *begins = sre_begins(self);
    PyObject *text = in->string;
    if (begins == NULL || !PyUnicode_Check(text) || !PyUnicode_IS_READY(text)
        || self->isbytes > 0) {
        return 0;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), end = Py_MIN(in->endpos, length);
    Py_ssize_t at = Py_MAX(in->pos, 0);
    if (at >= end) {
        return !begins->before[SRE_END_OF_TEXT];
    }
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_UCS4 ch = PyUnicode_READ(kind, data, at);
    if (!begins->before[SRE_PLACE_OF(ch)]) {
        return 1;
    }
    ch = at > 0 ? PyUnicode_READ(kind, data, at - 1) : 0;
    return !begins->behind[at > 0 ? SRE_PLACE_OF(ch) : (Py_UCS4)SRE_END_OF_TEXT];
}

static PyObject *
match_once(SrePattern *self, const TextArgs *in, int search, int whole)
{
    if (!search && cannot_begin(self, in)) {
        Py_RETURN_NONE;
    }
    SreState state;
    if (sre_state_init(&state, self, in->string, in->pos, in->endpos) < 0) {
        return NULL;
    }
    state.match_all = whole;
    int status = search ? sre_search(&state, self->code) : sre_match(&state, self->code);
    PyObject *result = PyErr_Occurred() ? NULL : new_match(self, &state, status);
    sre_state_fini(&state);
    return result;
}

static PyObject *
pattern_match(METHOD_ARGS)
{
    TEXT_METHOD(match)
    return match_once((SrePattern *)op, &in, 0, 0);
}

static PyObject *
pattern_fullmatch(METHOD_ARGS)
{
    TEXT_METHOD(fullmatch)
    return match_once((SrePattern *)op, &in, 0, 1);
}

static PyObject *
pattern_search(METHOD_ARGS)
{
    TEXT_METHOD(search)
    return match_once((SrePattern *)op, &in, 1, 0);
}

/* After a match: the next attempt begins at its end, and an empty match there
   would be the same place again. */
static void
advance(SreState *state)
{
    state->must_advance = state->ptr == state->start;
    state->start = state->ptr;
}

static PyObject *
findall_item(SrePattern *self, const SreState *state, PyObject *empty)
{
    if (self->groups == 0) {
        return state_slice(state, state->start, state->ptr);
    }
    if (self->groups == 1) {
        return state_group(state, 1, empty);
    }
    PyObject *tuple = PyTuple_New(self->groups);
    for (Py_ssize_t i = 0; tuple != NULL && i < self->groups; i++) {
        PyObject *group = state_group(state, i + 1, empty);
        if (group == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i, group);
    }
    return tuple;
}

static PyObject *
pattern_findall(METHOD_ARGS)
{
    SrePattern *self = (SrePattern *)op;
    SreState state;
    TEXT_METHOD(findall)
    if (sre_state_init(&state, self, in.string, in.pos, in.endpos) < 0) {
        return NULL;
    }
    PyObject *list = PyList_New(0), *empty = empty_text(&state);
    while (list != NULL && empty != NULL && state.start <= state.end) {
        sre_state_reset(&state);
        int status = sre_search(&state, self->code);
        if (status <= 0) {
            if (status < 0) {
                Py_CLEAR(list);
            }
            break;
        }
        PyObject *item = findall_item(self, &state, empty);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
        advance(&state);
    }
    Py_XDECREF(empty);
    sre_state_fini(&state);
    return list;
}

static PyObject *
pattern_split(METHOD_ARGS)
{
    static const char *const keywords[] = {"string", "maxsplit", NULL};
    static _PyArg_Parser parser = {.format = "O|n:split", .keywords = keywords};
    SrePattern *self = (SrePattern *)op;
    PyObject *string;
    Py_ssize_t limit = 0, n = 0;
    SreState state;
    if (kwnames == NULL && nargs == 1) {
        string = args[0];
    }
    else if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &string, &limit)) {
        return NULL;
    }
    if (sre_state_init(&state, self, string, 0, PY_SSIZE_T_MAX) < 0) {
        return NULL;
    }
    PyObject *list = PyList_New(0), *item;
    const void *last = state.start;
    while (list != NULL && (limit == 0 || n < limit)) {
        sre_state_reset(&state);
        int status = sre_search(&state, self->code);
        if (status <= 0) {
            if (status < 0) {
                Py_CLEAR(list);
            }
            break;
        }
        item = state_slice(&state, last, state.start);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
        for (Py_ssize_t i = 0; list != NULL && i < self->groups; i++) {
            item = state_group(&state, i + 1, Py_None);
            if (item == NULL || PyList_Append(list, item) < 0) {
                Py_CLEAR(list);
            }
            Py_XDECREF(item);
        }
        n++;
        last = state.ptr;
        advance(&state);
    }
    if (list != NULL) {
        item = state_slice(&state, last, state.end);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    sre_state_fini(&state);
    return list;
}

/* ---------------------------------------------------------------- sub, subn */

/* What to insert: a callable, or literal text (*literal = 1). Returns a new reference. */
static PyObject *
prepare_replacement(SrePattern *self, PyObject *repl, int *literal)
{
    *literal = 0;
    if (PyCallable_Check(repl)) {
        return Py_NewRef(repl);
    }
    int plain = 0;
    if (PyUnicode_Check(repl)) {
        plain = PyUnicode_FindChar(repl, '\\', 0, PyUnicode_GET_LENGTH(repl), 1) == -1;
    }
    else {
        Py_buffer view;
        if (PyObject_GetBuffer(repl, &view, PyBUF_SIMPLE) == 0) {
            plain = view.len == 0 || memchr(view.buf, '\\', (size_t)view.len) == NULL;
            PyBuffer_Release(&view);
        }
        else {
            PyErr_Clear();
        }
    }
    if (plain) {
        *literal = 1;
        return Py_NewRef(repl);
    }
    PyObject *re = PyImport_ImportModule("re");
    PyObject *result = re == NULL ? NULL
        : PyObject_CallMethod(re, "_subx", "OO", self, repl);
    Py_XDECREF(re);
    if (result != NULL) {
        *literal = !PyCallable_Check(result);
    }
    return result;
}

/* What a substitution makes: bytes are joined at the end, text is written at once. What cannot be
   joined is an error only when all replacements have been asked for. */
typedef struct {
    PyObject *list;             /* of bytes; NULL: text */
    _PyUnicodeWriter writer;
    Py_ssize_t n;               /* items so far */
    PyObject *wrong;            /* the first that is no str, and its number */
    Py_ssize_t wrong_at;
} Pieces;

static int
pieces_init(Pieces *pieces, const SreState *state)
{
    *pieces = (Pieces){0};
    if (!state->isbytes) {
        _PyUnicodeWriter_Init(&pieces->writer);
        pieces->writer.min_length = PyUnicode_GET_LENGTH(state->string);
        return 0;
    }
    pieces->list = PyList_New(0);
    return pieces->list == NULL ? -1 : 0;
}

static void
pieces_drop(Pieces *pieces)
{
    _PyUnicodeWriter_Dealloc(&pieces->writer);
    Py_XDECREF(pieces->list);
    Py_XDECREF(pieces->wrong);
}

/* Steals the item. */
static int
add_bytes(Pieces *pieces, PyObject *item)
{
    int rc = item == NULL ? -1 : PyList_Append(pieces->list, item);
    Py_XDECREF(item);
    return rc;
}

/* What was not replaced. */
static int
add_slice(Pieces *pieces, const SreState *state, const void *start, const void *end)
{
    if (pieces->list != NULL) {
        return add_bytes(pieces, state_slice(state, start, end));
    }
    pieces->n++;
    pieces->writer.overallocate = 1;
    return _PyUnicodeWriter_WriteSubstring(&pieces->writer, state->string, POSITION(state, start),
                                           POSITION(state, end));
}

/* Steals the item. The only one is the result itself. */
static int
add_replacement(Pieces *pieces, PyObject *item)
{
    if (pieces->list != NULL) {
        return add_bytes(pieces, item);
    }
    if (!PyUnicode_Check(item)) {
        if (pieces->wrong == NULL) {
            pieces->wrong = Py_NewRef(item);
            pieces->wrong_at = pieces->n;
        }
        pieces->n++;
        Py_DECREF(item);
        return 0;
    }
    pieces->writer.overallocate = pieces->n++ > 0 || !PyUnicode_CheckExact(item);
    int rc = _PyUnicodeWriter_WriteStr(&pieces->writer, item);
    Py_DECREF(item);
    return rc;
}

static PyObject *
pieces_join(Pieces *pieces, const SreState *state)
{
    if (pieces->wrong != NULL) {
        PyErr_Format(PyExc_TypeError, "sequence item %zd: expected str instance, %.80s found",
                     pieces->wrong_at, Py_TYPE(pieces->wrong)->tp_name);
        return NULL;
    }
    if (pieces->list == NULL) {
        return _PyUnicodeWriter_Finish(&pieces->writer);
    }
    PyObject *joiner = empty_text(state);
    PyObject *result = joiner == NULL || PyList_GET_SIZE(pieces->list) == 0
                       ? Py_XNewRef(joiner) : _PyBytes_Join(joiner, pieces->list);
    Py_XDECREF(joiner);
    return result;
}

/* What one match is replaced by; None: by nothing. */
static PyObject *
replacement(SrePattern *self, const SreState *state, PyObject *filter, int is_literal)
{
    if (is_literal) {
        return Py_NewRef(filter);
    }
    PyObject *match = new_match(self, state, 1);
    PyObject *item = match == NULL ? NULL : PyObject_CallOneArg(filter, match);
    Py_XDECREF(match);
    return item;
}

static PyObject *
substitute(SrePattern *self, PyObject *repl, PyObject *string, Py_ssize_t limit, int with_count)
{
    SreState state;
    int literal;
    Py_ssize_t n = 0;
    PyObject *filter = prepare_replacement(self, repl, &literal);
    if (filter == NULL) {
        return NULL;
    }
    if (sre_state_init(&state, self, string, 0, PY_SSIZE_T_MAX) < 0) {
        Py_DECREF(filter);
        return NULL;
    }
    Pieces pieces;
    PyObject *result = NULL;
    const void *last = state.start;
    int status = pieces_init(&pieces, &state);
    while (status >= 0 && (limit == 0 || n < limit)) {
        sre_state_reset(&state);
        status = sre_search(&state, self->code);
        if (status <= 0) {
            break;
        }
        if (last < state.start) {
            status = add_slice(&pieces, &state, last, state.start);
        }
        PyObject *item = status < 0 ? NULL : replacement(self, &state, filter, literal);
        if (item == NULL) {
            status = -1;
        }
        else if (item == Py_None) {
            Py_DECREF(item);
        }
        else {
            status = add_replacement(&pieces, item);
        }
        last = state.ptr;
        n++;
        advance(&state);
    }
    if (status >= 0 && n == 0 && !state.isbytes && PyUnicode_CheckExact(string)) {
        result = Py_NewRef(string);
    }
    else if (status >= 0
             && (last >= state.end || add_slice(&pieces, &state, last, state.end) == 0)) {
        result = pieces_join(&pieces, &state);
    }
    if (result != NULL && with_count) {
        result = Py_BuildValue("Nn", result, n);
    }
    pieces_drop(&pieces);
    Py_DECREF(filter);
    sre_state_fini(&state);
    return result;
}

static const char *const sub_keywords[] = {"repl", "string", "count", NULL};

static int
sub_args(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, _PyArg_Parser *parser,
         PyObject **repl, PyObject **string, Py_ssize_t *count)
{
    *count = 0;
    if (kwnames == NULL && (nargs == 2 || (nargs == 3 && plain_position(args[2], count)))) {
        *repl = args[0];
        *string = args[1];
        return 1;
    }
    return _PyArg_ParseStackAndKeywords(args, nargs, kwnames, parser, repl, string, count);
}

static PyObject *
pattern_sub(METHOD_ARGS)
{
    static _PyArg_Parser parser = {.format = "OO|n:sub", .keywords = sub_keywords};
    PyObject *repl, *string;
    Py_ssize_t count;
    if (!sub_args(args, nargs, kwnames, &parser, &repl, &string, &count)) {
        return NULL;
    }
    return substitute((SrePattern *)op, repl, string, count, 0);
}

static PyObject *
pattern_subn(METHOD_ARGS)
{
    static _PyArg_Parser parser = {.format = "OO|n:subn", .keywords = sub_keywords};
    PyObject *repl, *string;
    Py_ssize_t count;
    if (!sub_args(args, nargs, kwnames, &parser, &repl, &string, &count)) {
        return NULL;
    }
    return substitute((SrePattern *)op, repl, string, count, 1);
}

/* ----------------------------------------------------------------- scanners */

typedef struct {
    PyObject_HEAD
    PyObject *pattern;
    SreState state;
    int executing;
} Scanner;

static PyObject *
new_scanner(SrePattern *pattern, const TextArgs *in)
{
    Scanner *self = PyObject_GC_New(Scanner, scanner_type);
    if (self == NULL) {
        return NULL;
    }
    self->pattern = NULL;
    self->executing = 0;
    memset(&self->state, 0, sizeof(self->state));
    if (sre_state_init(&self->state, pattern, in->string, in->pos, in->endpos) < 0) {
        memset(&self->state, 0, sizeof(self->state));
        Py_DECREF(self);
        return NULL;
    }
    self->pattern = Py_NewRef(pattern);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static int
scanner_traverse(Scanner *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->pattern);
    Py_VISIT(self->state.string);
    return 0;
}

static void
scanner_dealloc(Scanner *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (self->pattern != NULL) {
        PyObject_GC_UnTrack(self);
    }
    sre_state_fini(&self->state);
    Py_XDECREF(self->pattern);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyObject *
scan(Scanner *self, int search)
{
    SreState *state = &self->state;
    if (self->executing) {      /* another thread, or a signal handler */
        PyErr_SetString(PyExc_ValueError, "regular expression scanner already executing");
        return NULL;
    }
    if (state->start == NULL) {
        Py_RETURN_NONE;
    }
    self->executing = 1;
    sre_state_reset(state);
    state->ptr = state->start;
    SrePattern *pattern = (SrePattern *)self->pattern;
    int status = search ? sre_search(state, pattern->code) : sre_match(state, pattern->code);
    PyObject *match = PyErr_Occurred() ? NULL : new_match(pattern, state, status);
    if (status <= 0) {
        state->start = NULL;
    }
    else {
        advance(state);
    }
    self->executing = 0;
    return match;
}

static PyObject *
scanner_match(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return scan((Scanner *)self, 0);
}

static PyObject *
scanner_search(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return scan((Scanner *)self, 1);
}

static PyMethodDef scanner_methods[] = {
    {"match", scanner_match, METH_NOARGS | METH_FOR_CLASS, "match($self, /)\n--\n\n"},
    {"search", scanner_search, METH_NOARGS | METH_FOR_CLASS, "search($self, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef scanner_members[] = {
    {"pattern", T_OBJECT, offsetof(Scanner, pattern), READONLY, NULL}, {NULL, 0, 0, 0, NULL}
};

static PyType_Slot scanner_slots[] = {
    {Py_tp_dealloc, scanner_dealloc}, {Py_tp_traverse, scanner_traverse},
    {Py_tp_methods, scanner_methods}, {Py_tp_members, scanner_members}, {0, NULL}
};
static PyType_Spec scanner_spec = {
    "_sre.SRE_Scanner", sizeof(Scanner), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION
        | Py_TPFLAGS_HAVE_GC,
    scanner_slots
};

static PyObject *
pattern_scanner(METHOD_ARGS)
{
    TEXT_METHOD(scanner)
    return new_scanner((SrePattern *)op, &in);
}

static PyObject *
pattern_finditer(METHOD_ARGS)
{
    TEXT_METHOD(finditer)
    PyObject *scanner = new_scanner((SrePattern *)op, &in);
    PyObject *search = scanner == NULL ? NULL : PyObject_GetAttrString(scanner, "search");
    Py_XDECREF(scanner);
    if (search == NULL) {
        return NULL;
    }
    PyObject *iterator = PyCallIter_New(search, Py_None);
    Py_DECREF(search);
    return iterator;
}

/* ----------------------------------------------------------------- patterns */

static int
pattern_traverse(SrePattern *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->groupindex);
    Py_VISIT(self->indexgroup);
    Py_VISIT(self->pattern);
    return 0;
}

static int
pattern_clear(SrePattern *self)
{
    Py_CLEAR(self->groupindex);
    Py_CLEAR(self->indexgroup);
    Py_CLEAR(self->pattern);
    return 0;
}

static void
pattern_dealloc(SrePattern *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (self->weakreflist != NULL) {
        PyObject_ClearWeakRefs((PyObject *)self);
    }
    pattern_clear(self);
    PyMem_Free(self->map_of);
    PyMem_Free(self->maps);
    sre_free_branches(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
pattern_repr(SrePattern *self)
{
    static const struct {
        const char *name;
        int value;
    } names[] = {
        {"re.TEMPLATE", FLAG_TEMPLATE}, {"re.IGNORECASE", FLAG_IGNORECASE},
        {"re.LOCALE", FLAG_LOCALE}, {"re.MULTILINE", FLAG_MULTILINE},
        {"re.DOTALL", FLAG_DOTALL}, {"re.UNICODE", FLAG_UNICODE},
        {"re.VERBOSE", FLAG_VERBOSE}, {"re.DEBUG", FLAG_DEBUG}, {"re.ASCII", FLAG_ASCII},
    };
    int flags = self->flags;
    if (self->isbytes == 0
        && (flags & (FLAG_LOCALE | FLAG_UNICODE | FLAG_ASCII)) == FLAG_UNICODE) {
        flags &= ~FLAG_UNICODE; /* the default is not shown */
    }
    PyObject *items = PyList_New(0), *result = NULL, *text = NULL, *bar = NULL;
    for (size_t i = 0; items != NULL && i < Py_ARRAY_LENGTH(names); i++) {
        if (flags & names[i].value) {
            PyObject *item = PyUnicode_FromString(names[i].name);
            if (item == NULL || PyList_Append(items, item) < 0) {
                Py_CLEAR(items);
            }
            Py_XDECREF(item);
            flags &= ~names[i].value;
        }
    }
    if (items != NULL && flags) {
        PyObject *item = PyUnicode_FromFormat("0x%x", flags);
        if (item == NULL || PyList_Append(items, item) < 0) {
            Py_CLEAR(items);
        }
        Py_XDECREF(item);
    }
    if (items == NULL) {
        return NULL;
    }
    if (PyList_GET_SIZE(items) == 0) {
        result = PyUnicode_FromFormat("re.compile(%.200R)", self->pattern);
    }
    else {
        bar = PyUnicode_FromString("|");
        text = bar == NULL ? NULL : PyUnicode_Join(bar, items);
        result = text == NULL ? NULL
            : PyUnicode_FromFormat("re.compile(%.200R, %S)", self->pattern, text);
    }
    Py_XDECREF(bar);
    Py_XDECREF(text);
    Py_DECREF(items);
    return result;
}

static Py_hash_t
pattern_hash(SrePattern *self)
{
    Py_hash_t hash = PyObject_Hash(self->pattern);
    if (hash == -1) {
        return -1;
    }
    hash ^= _Py_HashBytes(self->code, (Py_ssize_t)sizeof(SreCode) * self->codesize);
    hash ^= self->flags;
    hash ^= self->isbytes;
    hash ^= self->codesize;
    return hash == -1 ? -2 : hash;
}

static PyObject *
pattern_richcompare(PyObject *left, PyObject *right, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !Py_IS_TYPE(right, pattern_type)
        || !Py_IS_TYPE(left, pattern_type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    SrePattern *a = (SrePattern *)left, *b = (SrePattern *)right;
    int same = left == right
        || (a->flags == b->flags && a->isbytes == b->isbytes && a->codesize == b->codesize
            && memcmp(a->code, b->code, sizeof(SreCode) * (size_t)a->codesize) == 0);
    if (same && left != right) {
        /* bytes and str with one code differ: compare them without a BytesWarning. */
        same = PyObject_RichCompareBool(a->pattern, b->pattern, Py_EQ);
        if (same < 0) {
            return NULL;
        }
    }
    return PyBool_FromLong(op == Py_EQ ? same : !same);
}

static PyObject *
pattern_copy(PyObject *self, PyObject *Py_UNUSED(arg))
{
    return Py_NewRef(self);
}

static PyObject *
pattern_groupindex(SrePattern *self, void *Py_UNUSED(closure))
{
    return PyDict_GET_SIZE(self->groupindex) > 0 ? PyDictProxy_New(self->groupindex)
                                                 : PyDict_New();
}

#define TEXT "($self, /, string, pos=0, endpos=sys.maxsize)\n--\n\n"

static PyMethodDef pattern_methods[] = {
    {"match", FAST_KEYWORDS(pattern_match), "match" TEXT "Matches zero or more characters at the beginning of the string."},
    {"fullmatch", FAST_KEYWORDS(pattern_fullmatch), "fullmatch" TEXT "Matches against all of the string."},
    {"search", FAST_KEYWORDS(pattern_search), "search" TEXT "Scans through string looking for a match, and return a corresponding match object instance.\n\nReturn None if no position in the string matches."},
    {"sub", FAST_KEYWORDS(pattern_sub), "sub($self, /, repl, string, count=0)\n--\n\nReplaces the leftmost matches."},
    {"subn", FAST_KEYWORDS(pattern_subn), "subn($self, /, repl, string, count=0)\n--\n\n(new string, number of replacements)"},
    {"findall", FAST_KEYWORDS(pattern_findall), "findall" TEXT "A list of all matches."},
    {"split", FAST_KEYWORDS(pattern_split), "split($self, /, string, maxsplit=0)\n--\n\nSplits at the matches."},
    {"finditer", FAST_KEYWORDS(pattern_finditer), "finditer" TEXT "An iterator of all matches."},
    {"scanner", FAST_KEYWORDS(pattern_scanner), "scanner" TEXT},
    {"__copy__", pattern_copy, METH_NOARGS, "__copy__($self, /)\n--\n\n"},
    {"__deepcopy__", pattern_copy, METH_O, "__deepcopy__($self, memo, /)\n--\n\n"},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef pattern_getset[] = {
    {"groupindex", (getter)pattern_groupindex, NULL,
     "A dictionary mapping group names to group numbers.", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef pattern_members[] = {
    {"pattern", T_OBJECT, offsetof(SrePattern, pattern), READONLY,
     "The pattern string from which the RE object was compiled."},
    {"flags", T_INT, offsetof(SrePattern, flags), READONLY, "The regex matching flags."},
    {"groups", T_PYSSIZET, offsetof(SrePattern, groups), READONLY,
     "The number of capturing groups in the pattern."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(SrePattern, weakreflist), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot pattern_slots[] = {
    {Py_tp_dealloc, pattern_dealloc}, {Py_tp_repr, pattern_repr}, {Py_tp_hash, pattern_hash},
    {Py_tp_doc, "Compiled regular expression object."},
    {Py_tp_richcompare, pattern_richcompare}, {Py_tp_traverse, pattern_traverse},
    {Py_tp_clear, pattern_clear}, {Py_tp_methods, pattern_methods},
    {Py_tp_members, pattern_members}, {Py_tp_getset, pattern_getset}, {0, NULL}
};
static PyType_Spec pattern_spec = {
    "re.Pattern", sizeof(SrePattern), sizeof(SreCode),
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION
        | Py_TPFLAGS_HAVE_GC,
    pattern_slots
};

/* --------------------------------------------------------------- the module */

static PyObject *
sre_compile(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    static const char *const keywords[] = {"pattern", "flags", "code", "groups", "groupindex",
                                           "indexgroup", NULL};
    static _PyArg_Parser parser = {.format = "OiO!nO!O!:compile", .keywords = keywords};
    PyObject *pattern, *code, *groupindex, *indexgroup;
    int flags;
    Py_ssize_t groups;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &pattern, &flags,
                                      &PyList_Type, &code, &groups, &PyDict_Type, &groupindex,
                                      &PyTuple_Type, &indexgroup)) {
        return NULL;
    }
    Py_ssize_t n = PyList_GET_SIZE(code);
    SrePattern *self = PyObject_GC_NewVar(SrePattern, pattern_type, n);
    if (self == NULL) {
        return NULL;
    }
    self->weakreflist = NULL;
    self->groupindex = self->indexgroup = self->pattern = NULL;
    self->codesize = n;
    self->map_of = NULL;
    self->maps = NULL;
    self->nmaps = 0;
    self->branches = NULL;
    self->nbranches = self->asked = self->steps = 0;
    self->begins = NULL;
    self->begun = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        unsigned long value = PyLong_AsUnsignedLong(PyList_GET_ITEM(code, i));
        self->code[i] = (SreCode)value;
        if (self->code[i] != value) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_OverflowError,
                                "regular expression code size limit exceeded");
            }
            break;
        }
    }
    PyObject_GC_Track(self);
    if (PyErr_Occurred()) {
        Py_DECREF(self);
        return NULL;
    }
    if (pattern == Py_None) {
        self->isbytes = -1;
    }
    else if (PyUnicode_Check(pattern)) {
        self->isbytes = 0;
    }
    else if (PyObject_CheckBuffer(pattern)) {
        self->isbytes = 1;
    }
    else {
        PyErr_Format(PyExc_TypeError, "expected string or bytes-like object, got '%.200s'",
                     Py_TYPE(pattern)->tp_name);
        Py_DECREF(self);
        return NULL;
    }
    self->pattern = Py_NewRef(pattern);
    self->flags = flags;
    self->groups = groups;
    self->groupindex = Py_NewRef(groupindex);
    self->indexgroup = Py_NewRef(indexgroup);
    if (!sre_valid_code(self->code, n, groups)) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_RuntimeError, "invalid SRE code");
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *
sre_getcodesize(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSize_t(sizeof(SreCode));
}

static int
character_arg(PyObject *arg, Py_UCS4 *ch)
{
    int value = _PyLong_AsInt(arg);
    *ch = (Py_UCS4)value;
    return !(value == -1 && PyErr_Occurred());
}

static PyObject *
sre_ascii_iscased(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_UCS4 ch;
    return character_arg(arg, &ch) ? PyBool_FromLong(ch < 128 && Py_ISALPHA(ch)) : NULL;
}

static PyObject *
sre_unicode_iscased(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_UCS4 ch;
    return character_arg(arg, &ch)
        ? PyBool_FromLong(Py_UNICODE_TOLOWER(ch) != ch || Py_UNICODE_TOUPPER(ch) != ch) : NULL;
}

static PyObject *
sre_ascii_tolower(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_UCS4 ch;
    return character_arg(arg, &ch) ? PyLong_FromUnsignedLong(sre_lower_ascii(ch)) : NULL;
}

static PyObject *
sre_unicode_tolower(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_UCS4 ch;
    return character_arg(arg, &ch) ? PyLong_FromUnsignedLong(Py_UNICODE_TOLOWER(ch)) : NULL;
}

static PyMethodDef module_methods[] = {
    {"compile", FAST_KEYWORDS(sre_compile),
     "compile($module, /, pattern, flags, code, groups, groupindex,\n        indexgroup)\n--\n\n"},
    {"getcodesize", sre_getcodesize, METH_NOARGS, "getcodesize($module, /)\n--\n\n"},
    {"ascii_iscased", sre_ascii_iscased, METH_O, "ascii_iscased($module, character, /)\n--\n\n"},
    {"unicode_iscased", sre_unicode_iscased, METH_O,
     "unicode_iscased($module, character, /)\n--\n\n"},
    {"ascii_tolower", sre_ascii_tolower, METH_O, "ascii_tolower($module, character, /)\n--\n\n"},
    {"unicode_tolower", sre_unicode_tolower, METH_O,
     "unicode_tolower($module, character, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}
};

/* The types are shared by all interpreters, and survive Py_FinalizeEx(). */
static int
make_types(void)
{
    struct { PyTypeObject **type; PyType_Spec *spec; } types[] = {
        {&pattern_type, &pattern_spec}, {&match_type, &_Sre_MatchSpec},
        {&scanner_type, &scanner_spec},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (*types[i].type == NULL) {
            *types[i].type = (PyTypeObject *)PyType_FromSpec(types[i].spec);
        }
        if (*types[i].type == NULL) {
            return -1;
        }
    }
    return 0;
}

static int
module_exec(PyObject *module)
{
    if (make_types() < 0) {
        return -1;
    }
    PyObject *repeat = PyLong_FromUnsignedLong(SRE_MAXREPEAT);
    PyObject *groups = PyLong_FromSsize_t(SRE_MAXGROUPS);
    int rc = repeat == NULL || groups == NULL
        || PyModule_AddIntConstant(module, "MAGIC", SRE_MAGIC) < 0
        || PyModule_AddIntConstant(module, "CODESIZE", sizeof(SreCode)) < 0
        || PyModule_AddObjectRef(module, "MAXREPEAT", repeat) < 0
        || PyModule_AddObjectRef(module, "MAXGROUPS", groups) < 0 ? -1 : 0;
    Py_XDECREF(repeat);
    Py_XDECREF(groups);
    return rc;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef sre_module = {
    PyModuleDef_HEAD_INIT, "_sre", NULL, 0, module_methods, module_slots, NULL, NULL, NULL
};

MODULE_INIT(_sre)
{
    return PyModuleDef_Init(&sre_module);
}

/* The engine's state, and the matching machine for each width of character. */
#include "sre.h"

#include <stdlib.h>

enum {
    /* records: popping undoes */
    UNDO_MARK = 1, UNDO_LASTINDEX, UNDO_ENTER, UNDO_CURRENT, UNDO_REPEAT,
    /* choices: popping resumes */
    CHOICE_BRANCH, CHOICE_OF_TABLE, CHOICE_REPEAT_ONE, CHOICE_MIN_REPEAT_ONE, CHOICE_TAIL,
    CHOICE_MORE,
    /* where sub-matches begin; the outer barrier and repeat are in a DATA below */
    BARRIER_ASSERT, BARRIER_NOT, BARRIER_ATOMIC, BARRIER_POSSESSIVE,
    DATA,
};

#define TICKS 4096

static int
grow_stack(SreState *state)
{
    size_t n = Py_MAX(state->allocated * 2, 64);
    int is_own = state->stack == state->few_entries;
    SreEntry *stack = n > PY_SSIZE_T_MAX / sizeof(SreEntry) ? NULL
        : PyMem_Realloc(is_own ? NULL : state->stack, n * sizeof(SreEntry));
    if (stack == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (is_own) {
        memcpy(stack, state->few_entries, state->used * sizeof(SreEntry));
    }
    state->stack = stack;
    state->allocated = n;
    return 0;
}

/* Repeats are carved from blocks that live as long as the state. */
typedef struct RepeatBlock {
    struct RepeatBlock *next;
    size_t used;
    SreRepeat items[62];
} RepeatBlock;

static SreRepeat *
new_repeat(SreState *state)
{
    SreRepeat *rep = state->free_repeats;
    if (rep != NULL) {
        state->free_repeats = rep->prev;
        return rep;
    }
    RepeatBlock *block = state->repeat_blocks;
    if (block == NULL || block->used == Py_ARRAY_LENGTH(block->items)) {
        block = PyMem_Malloc(sizeof(*block));
        if (block == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        block->next = state->repeat_blocks;
        block->used = 0;
        state->repeat_blocks = block;
    }
    return &block->items[block->used++];
}

/* Undoes every record above `floor` and drops the choices there. */
static void
undo_to(SreState *state, size_t floor)
{
    while (state->used > floor) {
        SreEntry *e = &state->stack[--state->used];
        switch (e->kind) {
        case UNDO_MARK:
            state->mark[e->index] = (const void *)e->a;
            break;
        case UNDO_LASTINDEX:
            state->lastindex = e->a;
            break;
        case UNDO_ENTER: {
            SreRepeat *rep = (SreRepeat *)e->a;
            state->repeat = rep->prev;
            rep->prev = state->free_repeats;
            state->free_repeats = rep;
            break;
        }
        case UNDO_CURRENT:
            state->repeat = (SreRepeat *)e->a;
            break;
        case DATA:
            if (state->used > floor && e[-1].kind == UNDO_REPEAT) {
                SreRepeat *rep = (SreRepeat *)e[-1].a;
                rep->count = e[-1].b;
                rep->last = (const void *)e->a;
                state->used--;
            }
            break;
        default:
            break;
        }
    }
}

/* A sub-match succeeded: from `floor` up only records stay. */
static void
drop_choices(SreState *state, size_t floor)
{
    size_t out = floor;
    for (size_t i = floor; i < state->used; i++) {
        SreEntry e = state->stack[i];
        switch (e.kind) {
        case UNDO_MARK: case UNDO_LASTINDEX: case UNDO_ENTER: case UNDO_CURRENT:
            state->stack[out++] = e;
            break;
        case UNDO_REPEAT:
            state->stack[out++] = e;
            state->stack[out++] = state->stack[++i];    /* its DATA */
            break;
        case CHOICE_REPEAT_ONE: case CHOICE_MIN_REPEAT_ONE:
            i++;
            break;
        default:
            break;
        }
    }
    state->used = out;
}

#define CHAR Py_UCS1
#define SRE(name) name##_1
static inline const CHAR *
find_1(const CHAR *p, const CHAR *end, CHAR c)
{
    return p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
}
#include "match.h"
#undef CHAR
#undef SRE

#define CHAR Py_UCS2
#define SRE(name) name##_2
static const CHAR *
find_2(const CHAR *p, const CHAR *end, CHAR c)
{
    for (; p < end; p++) {
        if (*p == c) {
            return p;
        }
    }
    return NULL;
}
#include "match.h"
#undef CHAR
#undef SRE

#define CHAR Py_UCS4
#define SRE(name) name##_4
static const CHAR *
find_4(const CHAR *p, const CHAR *end, CHAR c)
{
    for (; p < end; p++) {
        if (*p == c) {
            return p;
        }
    }
    return NULL;
}
#include "match.h"
#undef CHAR
#undef SRE

/* An attempt leaves nothing on the stack, so that the next one starts clean. */
static int
finish(SreState *state, int rc)
{
    state->used = 0;
    state->barrier = -1;
    state->repeat = NULL;
    return rc;
}

int
sre_match(SreState *state, const SreCode *code)
{
    switch (state->charsize) {
    case 1: return finish(state, run_1(state, code));
    case 2: return finish(state, run_2(state, code));
    default: return finish(state, run_4(state, code));
    }
}

int
sre_search(SreState *state, const SreCode *code)
{
    switch (state->charsize) {
    case 1: return finish(state, search_1(state, code));
    case 2: return finish(state, search_2(state, code));
    default: return finish(state, search_4(state, code));
    }
}

/* -------------------------------------------------------------------- state */

int
sre_state_init(SreState *state, SrePattern *pattern, PyObject *string, Py_ssize_t start,
               Py_ssize_t end)
{
    memset(state, 0, offsetof(SreState, few_marks));
    state->pattern = pattern;
    state->stack = state->few_entries;
    state->allocated = SRE_FEW_ENTRIES;
    Py_ssize_t length;
    const void *text;
    if (PyUnicode_Check(string)) {
        if (PyUnicode_READY(string) < 0) {
            return -1;
        }
        length = PyUnicode_GET_LENGTH(string);
        state->charsize = PyUnicode_KIND(string);
        text = PyUnicode_DATA(string);
    }
    else {
        if (PyObject_GetBuffer(string, &state->buffer, PyBUF_SIMPLE) < 0) {
            PyErr_Format(PyExc_TypeError, "expected string or bytes-like object, got '%.200s'",
                         Py_TYPE(string)->tp_name);
            return -1;
        }
        if (state->buffer.buf == NULL) {
            PyErr_SetString(PyExc_ValueError, "Buffer is NULL");
            PyBuffer_Release(&state->buffer);
            return -1;
        }
        length = state->buffer.len;
        state->charsize = 1;
        state->isbytes = 1;
        text = state->buffer.buf;
    }
    if (pattern->isbytes >= 0 && pattern->isbytes != state->isbytes) {
        PyErr_SetString(PyExc_TypeError, state->isbytes
                        ? "cannot use a string pattern on a bytes-like object"
                        : "cannot use a bytes pattern on a string-like object");
        if (state->buffer.buf != NULL) {
            PyBuffer_Release(&state->buffer);
        }
        return -1;
    }
    start = start < 0 ? 0 : start > length ? length : start;
    end = end < 0 ? 0 : end > length ? length : end;
    state->pos = start;
    state->endpos = end;
    state->beginning = text;
    state->start = (const char *)text + start * state->charsize;
    state->end = (const char *)text + end * state->charsize;
    state->limit = (const char *)text + length * state->charsize;
    state->nmarks = 2 * pattern->groups;
    state->mark = state->few_marks;
    if (state->nmarks > SRE_FEW_MARKS) {
        state->mark = PyMem_New(const void *, state->nmarks);
        if (state->mark == NULL) {
            PyErr_NoMemory();
            if (state->buffer.buf != NULL) {
                PyBuffer_Release(&state->buffer);
            }
            return -1;
        }
    }
    state->string = Py_NewRef(string);
    state->ticks = TICKS;
    state->barrier = -1;
    sre_state_reset(state);
    return 0;
}

void
sre_state_reset(SreState *state)
{
    state->lastindex = -1;
    for (Py_ssize_t i = 0; i < state->nmarks; i++) {
        state->mark[i] = NULL;
    }
    state->repeat = NULL;
    state->used = 0;
    state->barrier = -1;
}

void
sre_state_fini(SreState *state)
{
    if (state->buffer.buf != NULL) {
        PyBuffer_Release(&state->buffer);
    }
    Py_CLEAR(state->string);
    if (state->mark != state->few_marks) {
        PyMem_Free(state->mark);
    }
    if (state->stack != state->few_entries) {
        PyMem_Free(state->stack);
    }
    for (RepeatBlock *block = state->repeat_blocks; block != NULL;) {
        RepeatBlock *next = block->next;
        PyMem_Free(block);
        block = next;
    }
}

/* Lays the instructions of a code object out as words, and writes the two tables that
   belong to them.

   A compare-and-jump has 16 bits for its distance. One whose target is out of range jumps
   over (or to) a JUMP that is placed right after it:

       JUMP_IF_LT a, b, far   =>   JUMP_IF_NOT_LT a, b, +1
                                   JUMP far

   The location table has CPython 3.11's format, with one unit per word. The exception
   table uses the same variable-length numbers: start, length and target in words, then
   twice the register from which on temporaries are dropped. */
#include "ir.h"

#include <string.h>

typedef struct {
    IRCode *ir;
    uint32_t *offset;           /* of each entry, in words; [n] is the end */
    uint8_t *is_long;           /* this narrow jump needs a JUMP after it */
    uint32_t total;
} Layout;

static const uint16_t opposite[][2] = {
    {OP_JUMP_IF_LT, OP_JUMP_IF_NOT_LT}, {OP_JUMP_IF_LE, OP_JUMP_IF_NOT_LE},
    {OP_JUMP_IF_EQ, OP_JUMP_IF_NOT_EQ}, {OP_JUMP_IF_NE, OP_JUMP_IF_NOT_NE},
    {OP_JUMP_IF_GT, OP_JUMP_IF_NOT_GT}, {OP_JUMP_IF_GE, OP_JUMP_IF_NOT_GE},
    {OP_JUMP_IF_LTI, OP_JUMP_IF_NOT_LTI}, {OP_JUMP_IF_LEI, OP_JUMP_IF_NOT_LEI},
    {OP_JUMP_IF_EQI, OP_JUMP_IF_NOT_EQI}, {OP_JUMP_IF_NEI, OP_JUMP_IF_NOT_NEI},
    {OP_JUMP_IF_GTI, OP_JUMP_IF_NOT_GTI}, {OP_JUMP_IF_GEI, OP_JUMP_IF_NOT_GEI},
    {OP_JUMP_IF_IS, OP_JUMP_IF_IS_NOT}, {OP_JUMP_IF_IN, OP_JUMP_IF_NOT_IN},
};

/* The jump with the opposite condition, or the opcode itself if there is none. */
static uint16_t
opposite_of(uint16_t op)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(opposite); i++) {
        if (op == opposite[i][0]) {
            return opposite[i][1];
        }
        if (op == opposite[i][1]) {
            return opposite[i][0];
        }
    }
    return op;
}

static uint32_t
size_of(Layout *l, int i)
{
    const IRInstr *in = &l->ir->v[i];
    uint32_t size = 1u + _PyIR_Ops[in->op].cache + (in->op == IR_RETURN_NONE);
    if (l->is_long[i]) {
        size += opposite_of(in->op) == in->op ? 2 : 1;
    }
    return size;
}

/* Offsets only grow, so the loop ends. */
static void
place(Layout *l)
{
    IRCode *ir = l->ir;
    for (;;) {
        uint32_t at = 0;
        for (int i = 0; i < ir->n; i++) {
            l->offset[i] = at;
            at += size_of(l, i);
        }
        l->offset[ir->n] = l->total = at;
        int again = 0;
        for (int i = 0; i < ir->n; i++) {
            const IRInstr *in = &ir->v[i];
            if (_PyIR_Ops[in->op].jump != IR_JUMP_NARROW || l->is_long[i]) {
                continue;
            }
            int64_t distance = (int64_t)l->offset[ir->labels[in->arg]]
                               - ((int64_t)l->offset[i] + 1);
            if (distance < INT16_MIN || distance > INT16_MAX) {
                l->is_long[i] = 1;
                again = 1;
            }
        }
        if (!again) {
            return;
        }
    }
}

static void
emit_far_jump(PyInstr *w, const IRInstr *in, uint32_t at, uint32_t target)
{
    uint16_t op = opposite_of(in->op);
    PyInstr jump = {.op = OP_JUMP};
    *w = (PyInstr){.op = op, .a = in->a, .b = in->b, .c = 1};
    if (op != in->op) {
        jump.bc = (int32_t)(target - (at + 2));
        w[1] = jump;
        return;
    }
    jump.bc = 1;
    w[1] = jump;
    jump.bc = (int32_t)(target - (at + 3));
    w[2] = jump;
}

static void
emit_words(Layout *l, PyInstr *code)
{
    IRCode *ir = l->ir;
    for (int i = 0; i < ir->n; i++) {
        const IRInstr *in = &ir->v[i];
        const IROpInfo *info = &_PyIR_Ops[in->op];
        uint32_t at = l->offset[i];
        PyInstr *w = &code[at];
        uint32_t target = 0;
        if (info->jump) {
            target = l->offset[ir->labels[in->arg]];
        }
        if (l->is_long[i]) {
            emit_far_jump(w, in, at, target);
            continue;
        }
        *w = (PyInstr){.op = in->op, .a = in->a, .b = in->b, .c = in->c};
        if (in->op == IR_RETURN_NONE) {
            w->op = OP_LOAD_CONST;
            w[1] = (PyInstr){.op = OP_RETURN, .a = in->a};
        }
        for (int k = 0; k < info->cache; k++) {
            w[1 + k].word = 0;
        }
        int32_t distance = (int32_t)(target - (at + 1 + info->cache));
        int32_t arg = in->arg;
        switch (info->jump) {
        case IR_JUMP_WIDE:
            w->bc = distance;
            continue;
        case IR_JUMP_NARROW:
            w->c = (uint16_t)(int16_t)distance;
            continue;
        case IR_JUMP_CACHE:
            arg = distance;
            break;
        }
        if (info->wide) {
            w->bc = arg;
        }
        else if (info->cache) {
            PyCacheWord cache = {.word = 0};
            cache.arg = (uint32_t)arg;
            w[1].word = cache.word;
        }
    }
}

/* ------------------------------------------------------------------- tables */

typedef struct {
    uint8_t *v;
    size_t n, cap;
} Bytes;

static int
put(Bytes *out, unsigned byte)
{
    if (out->n == out->cap) {
        size_t cap = out->cap ? out->cap * 2 : 256;
        uint8_t *v = PyMem_Realloc(out->v, cap);
        if (v == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        out->v = v;
        out->cap = cap;
    }
    out->v[out->n++] = (uint8_t)byte;
    return 0;
}

static int
put_varint(Bytes *out, unsigned value)
{
    while (value >= 64) {
        if (put(out, 0x40 | (value & 0x3f)) < 0) {
            return -1;
        }
        value >>= 6;
    }
    return put(out, value);
}

static int
put_svarint(Bytes *out, int value)
{
    unsigned u = value < 0 ? ((0u - (unsigned)value) << 1) | 1
                           : (unsigned)value << 1;
    return put_varint(out, u);
}

enum {
    LOC_ONE_LINE = 10,          /* 10, 11, 12: the line moves by 0, 1, 2 */
    LOC_NO_COLUMNS = 13,
    LOC_LONG = 14,
    LOC_NONE = 15,
};

static int
put_location(Bytes *out, const SrcLoc *loc, int *line, unsigned length)
{
    unsigned head = 0x80u | (length - 1);
    if (loc->line < 0) {
        return put(out, head | LOC_NONE << 3);
    }
    int delta = loc->line - *line;
    *line = loc->line;
    if (loc->col < 0 || loc->end_col < 0) {
        if (put(out, head | LOC_NO_COLUMNS << 3) < 0) {
            return -1;
        }
        return put_svarint(out, delta);
    }
    if (loc->end_line == loc->line) {
        int width = loc->end_col - loc->col;
        if (delta == 0 && loc->col < 80 && width >= 0 && width < 16) {
            if (put(out, head | (unsigned)(loc->col >> 3) << 3) < 0) {
                return -1;
            }
            return put(out, (unsigned)((loc->col & 7) << 4 | width));
        }
        if (delta >= 0 && delta < 3 && loc->col < 128 && loc->end_col < 128) {
            if (put(out, head | (unsigned)(LOC_ONE_LINE + delta) << 3) < 0
                || put(out, (unsigned)loc->col) < 0) {
                return -1;
            }
            return put(out, (unsigned)loc->end_col);
        }
    }
    if (put(out, head | LOC_LONG << 3) < 0
        || put_svarint(out, delta) < 0
        || put_varint(out, (unsigned)(loc->end_line - loc->line)) < 0
        || put_varint(out, (unsigned)loc->col + 1) < 0) {
        return -1;
    }
    return put_varint(out, (unsigned)loc->end_col + 1);
}

static int
same_place(const SrcLoc *x, const SrcLoc *y)
{
    return x->line == y->line && x->end_line == y->end_line
           && x->col == y->col && x->end_col == y->end_col;
}

static PyObject *
finish_bytes(Bytes *out)
{
    PyObject *result = PyBytes_FromStringAndSize((char *)out->v,
                                                 (Py_ssize_t)out->n);
    PyMem_Free(out->v);
    return result;
}

static PyObject *
location_table(Layout *l, int line)
{
    IRCode *ir = l->ir;
    Bytes out = {0};
    for (int i = 0; i < ir->n; ) {
        int j = i + 1;
        while (j < ir->n && same_place(&ir->v[i].loc, &ir->v[j].loc)) {
            j++;
        }
        uint32_t length = l->offset[j] - l->offset[i];
        while (length > 0) {
            uint32_t part = length > 8 ? 8 : length;
            if (put_location(&out, &ir->v[i].loc, &line, part) < 0) {
                PyMem_Free(out.v);
                return NULL;
            }
            length -= part;
        }
        i = j;
    }
    return finish_bytes(&out);
}

/* Six bits in each byte, the high ones first. Bit 6 says that more follow; bit 7 marks
   the first byte of a range, so that a search can resynchronise. */
static int
put_table_number(Bytes *out, unsigned value, unsigned first)
{
    int shift = 24;
    while (shift > 0 && (value >> shift) == 0) {
        shift -= 6;
    }
    for (; shift >= 0; shift -= 6) {
        unsigned more = shift > 0 ? 0x40 : 0;
        if (put(out, first | more | ((value >> shift) & 0x3f)) < 0) {
            return -1;
        }
        first = 0;
    }
    return 0;
}

static PyObject *
exception_table(Layout *l)
{
    IRCode *ir = l->ir;
    Bytes out = {0};
    for (int i = 0; i < ir->n; ) {
        int handler = ir->v[i].handler;
        int j = i + 1;
        while (j < ir->n && ir->v[j].handler == handler) {
            j++;
        }
        if (handler) {
            const IRHandler *h = &ir->handlers[handler];
            if (put_table_number(&out, l->offset[i], 0x80) < 0
                || put_table_number(&out, l->offset[j] - l->offset[i], 0) < 0
                || put_table_number(&out, l->offset[ir->labels[h->label]], 0) < 0
                || put_table_number(&out, (unsigned)h->depth << 1, 0) < 0) {
                PyMem_Free(out.v);
                return NULL;
            }
        }
        i = j;
    }
    return finish_bytes(&out);
}

int
_PyIR_Assemble(IRCode *ir, int firstlineno, IRAssembled *out)
{
    memset(out, 0, sizeof(*out));
    Layout l = {.ir = ir};
    l.offset = PyMem_Malloc(((size_t)ir->n + 1) * sizeof(uint32_t));
    l.is_long = PyMem_Calloc((size_t)ir->n + 1, 1);
    if (l.offset == NULL || l.is_long == NULL) {
        PyErr_NoMemory();
        goto fail;
    }
    place(&l);
    out->code = PyMem_Malloc((size_t)l.total * sizeof(PyInstr));
    if (out->code == NULL) {
        PyErr_NoMemory();
        goto fail;
    }
    out->ncode = l.total;
    emit_words(&l, out->code);
    out->linetable = location_table(&l, firstlineno);
    if (out->linetable == NULL) {
        goto fail;
    }
    out->exceptiontable = exception_table(&l);
    if (out->exceptiontable == NULL) {
        goto fail;
    }
    PyMem_Free(l.offset);
    PyMem_Free(l.is_long);
    return 0;
fail:
    PyMem_Free(l.offset);
    PyMem_Free(l.is_long);
    PyMem_Free(out->code);
    Py_CLEAR(out->linetable);
    out->code = NULL;
    return -1;
}

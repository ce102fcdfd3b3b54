/* How to unwind from each instruction of a compiled function, as DWARF call frame information:
   for gdb, perf's --call-graph dwarf, backtrace() and exceptions of C++.

   The emitters say where the frame changes (_PyJit_FrameIs); between those places one rule
   holds. Where the code will be read is not known here, so the block has one hole, for the
   distance to the code (internal/jit.h). */
#include "lower.h"
#include "emit_parts.h"

enum {
    CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0,
    CFA_ADVANCE1 = 0x02, CFA_ADVANCE2 = 0x03, CFA_ADVANCE4 = 0x04, CFA_OFFSET_EXTENDED = 0x05,
    CFA_RESTORE_EXTENDED = 0x06, CFA_REMEMBER = 0x0a, CFA_BACK = 0x0b, CFA_DEF = 0x0c,
    PCREL_SDATA8 = 0x1c,
};

#ifdef __aarch64__
enum { CODE_UNIT = 4, STACK_POINTER = 31, FRAME_POINTER = 29, RETURN_ADDRESS = 30, AT_ENTRY = 0 };
#else
enum { CODE_UNIT = 1, STACK_POINTER = 7, FRAME_POINTER = 6, RETURN_ADDRESS = 16, AT_ENTRY = 8 };
#endif

typedef struct {
    uint8_t *bytes;             /* NULL: only counts */
    uint32_t size;
} Output;

static void
put(Output *out, unsigned byte)
{
    if (out->bytes != NULL) {
        out->bytes[out->size] = (uint8_t)byte;
    }
    out->size++;
}

static void
put_number(Output *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        put(out, value >> 8 * i & 0xff);
    }
}

static void
put_uleb(Output *out, uint32_t value)
{
    while (value >= 0x80) {
        put(out, 0x80 | (value & 0x7f));
        value >>= 7;
    }
    put(out, value);
}

static void
define_cfa(Output *out, unsigned reg, uint32_t offset)
{
    put(out, CFA_DEF);
    put_uleb(out, reg);
    put_uleb(out, offset);
}

/* The register is saved so many words below the frame's address, or has its value still. */
static void
saved(Output *out, unsigned reg, uint32_t words)
{
    if (words == 0) {
        if (reg < 64) {
            put(out, CFA_RESTORE | reg);
        }
        else {
            put(out, CFA_RESTORE_EXTENDED);
            put_uleb(out, reg);
        }
        return;
    }
    if (reg < 64) {
        put(out, CFA_OFFSET | reg);
    }
    else {
        put(out, CFA_OFFSET_EXTENDED);
        put_uleb(out, reg);
    }
    put_uleb(out, words);
}

/* All registers that prologues save after the frame pointer. */
static void
callee_saved(Output *out, const JitAsm *as, int are_saved)
{
    JitSavedPlace places[JIT_MOST_SAVED];
    unsigned n = _PyJit_SavedPlaces(as, places);
    for (unsigned i = 0; i < n; i++) {
        saved(out, places[i].dwarf, are_saved ? places[i].words : 0);
    }
}

static void
put_change(Output *out, const JitAsm *as, const struct JitFrameChange *change, JitFrameState before,
           int32_t shift_before)
{
    JitFrameState now = (JitFrameState)change->state;
    uint32_t words = _PyJit_FrameWords(as);
    if (now == JIT_FRAME_SAVED && before == JIT_FRAME_NONE) {
        put(out, CFA_BACK);     /* to where a function ends, which is at no scope's record */
        shift_before = 0;
    }
    if (change->shift != shift_before) {
        define_cfa(out, FRAME_POINTER, 8 * words - (uint32_t)change->shift);
    }
    if (now == before || (now == JIT_FRAME_SAVED && before == JIT_FRAME_NONE)) {
        return;
    }
    switch (now) {
    case JIT_FRAME_NONE: case JIT_FRAME_ROOM:
        if (before > JIT_FRAME_ROOM) {
            put(out, CFA_REMEMBER);
            saved(out, FRAME_POINTER, 0);
#ifdef __aarch64__
            saved(out, RETURN_ADDRESS, 0);
#endif
            callee_saved(out, as, 0);
        }
        define_cfa(out, STACK_POINTER, now == JIT_FRAME_NONE ? AT_ENTRY : 8 * words);
        break;
    case JIT_FRAME_PUSHED:
        define_cfa(out, STACK_POINTER, 8 * words);
        saved(out, FRAME_POINTER, words);
#ifdef __aarch64__
        saved(out, RETURN_ADDRESS, words - 1);
#endif
        break;
    case JIT_FRAME_LINKED:
        define_cfa(out, FRAME_POINTER, 8 * words);
        break;
    case JIT_FRAME_SAVED:
        callee_saved(out, as, 1);
        break;
    }
}

static void
advance(Output *out, uint32_t bytes)
{
    uint32_t units = bytes / CODE_UNIT;
    if (units < 0x40) {
        if (units > 0) {
            put(out, CFA_ADVANCE | units);
        }
    }
    else if (units <= 0xff) {
        put(out, CFA_ADVANCE1);
        put(out, units);
    }
    else if (units <= 0xffff) {
        put(out, CFA_ADVANCE2);
        put_number(out, units, 2);
    }
    else {
        put(out, CFA_ADVANCE4);
        put_number(out, units, 4);
    }
}

/* Fills up to a multiple of 8 and sets the length at `start`. */
static void
close_entry(Output *out, uint32_t start)
{
    while (out->size & 7) {
        put(out, 0);
    }
    uint32_t end = out->size;
    out->size = start;
    put_number(out, end - start - 4, 4);
    out->size = end;
}

static void
put_cie(Output *out)
{
    uint32_t start = out->size;
    put_number(out, 0, 8);              /* length; it is a CIE */
    put(out, 1);
    put(out, 'z');
    put(out, 'R');
    put(out, 0);
    put(out, CODE_UNIT);
    put(out, 0x78);                     /* saved places count in words, downwards */
    put(out, RETURN_ADDRESS);
    put(out, 1);
    put(out, PCREL_SDATA8);
    define_cfa(out, STACK_POINTER, AT_ENTRY);
#ifndef __aarch64__
    saved(out, RETURN_ADDRESS, 1);
#endif
    close_entry(out, start);
}

static uint32_t
put_all(Output *out, const JitAsm *as, const struct JitFrameChange *changes, uint32_t n,
        uint32_t size)
{
    put_cie(out);
    uint32_t start = out->size, at = 0;
    put_number(out, 0, 4);
    put_number(out, start + 4, 4);      /* back to the CIE */
    uint32_t hole = out->size;
    put_number(out, 0, 8);
    put_number(out, size, 8);
    put(out, 0);
    JitFrameState now = JIT_FRAME_NONE;
    int32_t shift = 0;
    for (uint32_t i = 0; i < n; i++) {
        int holds = i + 1 == n || changes[i + 1].here != changes[i].here;
        if (holds && (changes[i].state != now || changes[i].shift != shift)) {
            advance(out, changes[i].here - at);
            at = changes[i].here;
            put_change(out, as, &changes[i], now, shift);
            now = (JitFrameState)changes[i].state;
            shift = changes[i].shift;
        }
    }
    close_entry(out, start);
    return hole;
}

static int
compare_changes(const void *a, const void *b)
{
    const struct JitFrameChange *x = a, *y = b;
    return x->here != y->here ? (x->here > y->here) - (x->here < y->here)
                              : (x->order > y->order) - (x->order < y->order);
}

PyJitFrameInfo *
_PyJit_MakeFrameInfo(JitAsm *as)
{
    for (uint32_t i = 0; i < as->nframe_changes; i++) {
        as->frame_changes[i].here = _PyJit_AsmOffset(as, as->frame_changes[i].here);
    }
    qsort(as->frame_changes, as->nframe_changes, sizeof(*as->frame_changes), compare_changes);
    Output out = {NULL, 0};
    uint32_t size = (uint32_t)_PyJit_AsmSize(as);
    (void)put_all(&out, as, as->frame_changes, as->nframe_changes, size);
    PyJitFrameInfo *info = PyMem_RawCalloc(1, sizeof(*info) + out.size + 8);
    if (info != NULL) {
        info->size = out.size;
        out = (Output){info->bytes, 0};
        info->hole = put_all(&out, as, as->frame_changes, as->nframe_changes, size);
    }
    return info;
}

void
_PyJit_FillFrameInfo(char *to, const PyJitFrameInfo *info, ptrdiff_t code)
{
    int64_t distance = code - (ptrdiff_t)info->hole;
    memcpy(to, info->bytes, info->size);
    memcpy(to + info->hole, &distance, sizeof(distance));
}

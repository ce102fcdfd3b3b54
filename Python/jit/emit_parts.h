/* What the emitters share: parts that grow, labels, fixups, constants (emit.c). An emitter asks
   for room, writes an instruction there, and says where it ends:

       uint8_t *p = jit_room(as);
       *p++ = 0xc3;
       jit_emitted(as, p);

   A fixup is a field of an instruction that depends on where a label or a constant is; the
   emitter fills it in when the code is finished, in _PyJit_ApplyFixup(). */
#ifndef SB_JIT_EMIT_PARTS_H
#define SB_JIT_EMIT_PARTS_H

#include "emit.h"

enum {
    JIT_ROOM = sizeof(((JitAsm *)NULL)->lost),  /* what may be written before asking again */
    JIT_MAX_CODE = 16 << 20,                    /* bytes of one part; a longer one has failed */
};

#define JIT_RARE 0x80000000u                    /* in a place: of the rare part */
#define JIT_NOT_BOUND UINT32_MAX
#define JIT_CONSTANT 0x80000000u                /* in a fixup's target: a constant's index */

struct JitLabelState {
    uint32_t place;
};

struct JitFixup {
    uint32_t place;             /* of the field */
    uint32_t target;            /* a label, or a constant */
    uint32_t kind;              /* the architecture's own */
};

/* An addition or subtraction in place that has overflowed is undone in the rare part, so that
   the usual path is two instructions. These places are emitted last. */
struct JitUndo {
    JitLabel here, label;       /* where the overflow jumps to, and goes on to */
    JitOp op;                   /* that undoes it */
    JitReg d, b;                /* d = d op b, or if b is JIT_NO_REG, d = d op value */
    int64_t value;
    int32_t shift;              /* of the frame pointer there */
};

struct JitFrameChange {
    uint32_t here, order;
    int32_t shift;              /* of the frame pointer */
    uint8_t state;              /* JitFrameState */
};

/* In emit.c. */
/* The frame's state from here on. */
void _PyJit_FrameIs(JitAsm *as, JitFrameState state);
void _PyJit_GrowPart(JitAsm *as);
void _PyJit_AddFixup(JitAsm *as, uint32_t place, uint32_t target, uint32_t kind);
/* The target of a fixup for a constant with this value. */
uint32_t _PyJit_Constant(JitAsm *as, uint64_t value);
void _PyJit_AddUndo(JitAsm *as, const struct JitUndo *undo);

/* In each emitter. `at` and `target` are offsets from the start of the finished code, which
   is at `code` and will run at `address`; `constant` is the target's value if it is one. 0, or
   -1: it is out of reach. */
int _PyJit_ApplyFixup(uint8_t *code, uintptr_t address, uint32_t kind, uint32_t at,
                      uint32_t target, uint64_t constant);
/* Fills what lies between code and constants, and is never executed. */
void _PyJit_FillGap(uint8_t *code, uint32_t size);

static inline uint8_t *
jit_room(JitAsm *as)
{
    JitPart *part = &as->parts[as->part];
    if (part->size - part->used < JIT_ROOM) {
        _PyJit_GrowPart(as);
    }
    return part->bytes + part->used;
}

static inline void
jit_emitted(JitAsm *as, const uint8_t *end)
{
    JitPart *part = &as->parts[as->part];
    part->used = (uint32_t)(end - part->bytes);
}

/* How far a label lies behind `here` (negative: before), if that is known already: it is bound,
   and in this part. Else 0 in *known. */
static inline int32_t
jit_distance(const JitAsm *as, JitLabel label, uint32_t here, int *known)
{
    uint32_t place = label < as->nlabels ? as->labels[label].place : JIT_NOT_BOUND;
    *known = place != JIT_NOT_BOUND && (place ^ here) < JIT_RARE;
    return (int32_t)(place - here);
}

#endif

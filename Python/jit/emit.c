/* Collects machine code: two parts that grow, labels, and the fields that wait for them.

   Finished code is the usual part, the rare part, and the constants. Distances between the parts
   are known when both are complete, the distance to a C function when the code's address is; so
   each field that depends on either is listed as a fixup, and filled in by _PyJit_AsmFinish().
   The size of an instruction never depends on a fixup.

   When memory runs out, the parts are replaced by a few bytes within the JitAsm: emitters go on
   writing there and need not look. */
#include "Python.h"
#include "emit_parts.h"

#ifdef SB_HAVE_EMITTER

#include <string.h>

enum { FIRST_SIZE = 1024, CONSTANTS_COMPARED = 64 };

void
_PyJit_AsmInit(JitAsm *as)
{
    *as = (JitAsm){.machine = &_PyJit_Machine};
}

static void
free_part(JitAsm *as, JitPart *part)
{
    if (part->bytes != as->lost) {
        PyMem_RawFree(part->bytes);
    }
}

void
_PyJit_AsmFree(JitAsm *as)
{
    free_part(as, &as->parts[0]);
    free_part(as, &as->parts[1]);
    PyMem_RawFree(as->labels);
    PyMem_RawFree(as->fixups);
    PyMem_RawFree(as->constants);
    PyMem_RawFree(as->undos);
    PyMem_RawFree(as->frame_changes);
    *as = (JitAsm){0};
}

void
_PyJit_AsmAgain(JitAsm *as)
{
    JitAsm old = *as;
    if (old.failed) {
        _PyJit_AsmFree(as);
        old = *as;
    }
    _PyJit_AsmInit(as);
    for (int i = 0; i < 2; i++) {
        as->parts[i] = (JitPart){.bytes = old.parts[i].bytes, .size = old.parts[i].size};
    }
    as->labels = old.labels;
    as->labels_size = old.labels_size;
    as->fixups = old.fixups;
    as->fixups_size = old.fixups_size;
    as->constants = old.constants;
    as->constants_size = old.constants_size;
    as->undos = old.undos;
    as->undos_size = old.undos_size;
    as->frame_changes = old.frame_changes;
    as->frame_changes_size = old.frame_changes_size;
}

static void
fail(JitAsm *as)
{
    as->failed = 1;
    for (int i = 0; i < 2; i++) {
        free_part(as, &as->parts[i]);
        as->parts[i] = (JitPart){.bytes = as->lost, .size = JIT_ROOM};
    }
}

/* Makes the current part larger, or at least usable. */
void
_PyJit_GrowPart(JitAsm *as)
{
    JitPart *part = &as->parts[as->part];
    if (as->failed) {
        part->used = 0;
        return;
    }
    uint32_t size = part->size == 0 ? FIRST_SIZE : 2 * part->size;
    uint8_t *bytes = size > JIT_MAX_CODE ? NULL : PyMem_RawRealloc(part->bytes, size);
    if (bytes == NULL) {
        fail(as);
        return;
    }
    part->bytes = bytes;
    part->size = size;
}

/* The array with room for more, or NULL. */
static __attribute__((noinline)) void *
enlarge(JitAsm *as, void *items, uint32_t *size, size_t item_size)
{
    uint32_t grown = *size == 0 ? 64 : 2 * *size;
    void *moved = PyMem_RawRealloc(items, grown * item_size);
    if (moved == NULL) {
        fail(as);
        return NULL;
    }
    *size = grown;
    return moved;
}

/* Appends VALUE to the array as->NAMEs. */
#define APPEND(AS, NAME, VALUE)                                                               \
    do {                                                                                      \
        void *items_ = (AS)->NAME;                                                            \
        if ((AS)->n##NAME == (AS)->NAME##_size) {                                             \
            items_ = enlarge(AS, items_, &(AS)->NAME##_size, sizeof(*(AS)->NAME));            \
        }                                                                                     \
        if (items_ != NULL) {                                                                 \
            (AS)->NAME = items_;                                                              \
            (AS)->NAME[(AS)->n##NAME++] = VALUE;                                              \
        }                                                                                     \
    } while (0)

void
_PyJit_AddFixup(JitAsm *as, uint32_t place, uint32_t target, uint32_t kind)
{
    APPEND(as, fixups, ((struct JitFixup){place, target, kind}));
}

void
_PyJit_FrameIs(JitAsm *as, JitFrameState state)
{
    uint32_t here = _PyJit_AsmHere(as), order = as->nframe_changes;
    /* The rare part lies behind the usual one. */
    APPEND(as, frame_changes,
           ((struct JitFrameChange){here, order + (as->part ? JIT_RARE : 0), as->shift,
                                    (uint8_t)state}));
}

void
_PyJit_FrameIsAt(JitAsm *as, int32_t shift)
{
    if (as->shift != shift) {
        as->shift = shift;
        _PyJit_FrameIs(as, JIT_FRAME_SAVED);
    }
}

void
_PyJit_MoveFrame(JitAsm *as, int32_t shift)
{
    JitReg fp = as->machine->frame_pointer;
    _PyJit_OpImm(as, JIT_ADD, fp, fp, shift - as->shift);
    _PyJit_FrameIsAt(as, shift);
}

void
_PyJit_AddUndo(JitAsm *as, const struct JitUndo *undo)
{
    struct JitUndo at = *undo;
    at.shift = as->shift;
    APPEND(as, undos, at);
}

/* One function's constants are few, and mostly C functions called again and again: comparing
   with the latest finds most, and the rare part calls one of them most of the time. */
uint32_t
_PyJit_Constant(JitAsm *as, uint64_t value)
{
    uint32_t first = as->nconstants > CONSTANTS_COMPARED ? as->nconstants - CONSTANTS_COMPARED : 0;
    uint32_t last = as->last_constant;
    if (last >= first && last < as->nconstants && as->constants[last] == value) {
        return last | JIT_CONSTANT;
    }
    for (uint32_t i = first; i < as->nconstants; i++) {
        if (as->constants[i] == value) {
            as->last_constant = i;
            return i | JIT_CONSTANT;
        }
    }
    uint32_t index = as->nconstants;
    APPEND(as, constants, value);
    return index | JIT_CONSTANT;
}

/* ----------------------------------------------------------------- places, labels */

uint32_t
_PyJit_AsmOffset(JitAsm *as, uint32_t here)
{
    return here & JIT_RARE ? as->parts[0].used + (here & ~JIT_RARE) : here;
}

JitLabel
_PyJit_NewLabel(JitAsm *as)
{
    JitLabel label = as->nlabels;
    APPEND(as, labels, ((struct JitLabelState){JIT_NOT_BOUND}));
    return label;
}

void
_PyJit_Bind(JitAsm *as, JitLabel label)
{
    if (label < as->nlabels) {
        as->labels[label].place = _PyJit_AsmHere(as);
    }
}

uint32_t
_PyJit_LabelOffset(JitAsm *as, JitLabel label)
{
    return label < as->nlabels ? _PyJit_AsmOffset(as, as->labels[label].place) : 0;
}

/* ------------------------------------------------------------------ finished code */

static uint32_t
constants_offset(const JitAsm *as)
{
    return (as->parts[0].used + as->parts[1].used + 7) & ~7u;
}

static void
emit_undos(JitAsm *as)
{
    _PyJit_AsmPart(as, 1);
    for (uint32_t i = 0; i < as->nundos; i++) {
        struct JitUndo undo = as->undos[i];
        _PyJit_FrameIsAt(as, undo.shift);
        _PyJit_Bind(as, undo.here);
        if (undo.b == JIT_NO_REG) {
            _PyJit_OpImm(as, undo.op, undo.d, undo.d, undo.value);
        }
        else {
            _PyJit_Op(as, undo.op, undo.d, undo.d, undo.b);
        }
        _PyJit_Jump(as, undo.label);
    }
    as->nundos = 0;
}

size_t
_PyJit_AsmSize(JitAsm *as)
{
    emit_undos(as);
    return constants_offset(as) + (size_t)as->nconstants * sizeof(uint64_t);
}

static int
apply(JitAsm *as, const struct JitFixup *fixup, uint8_t *to, uintptr_t address)
{
    uint32_t target;
    uint64_t constant = 0;
    if (fixup->target & JIT_CONSTANT) {
        uint32_t index = fixup->target & ~JIT_CONSTANT;
        target = constants_offset(as) + index * (uint32_t)sizeof(uint64_t);
        constant = as->constants[index];
    }
    else if (as->labels[fixup->target].place == JIT_NOT_BOUND) {
        return -1;
    }
    else {
        target = _PyJit_LabelOffset(as, fixup->target);
    }
    return _PyJit_ApplyFixup(to, address, fixup->kind, _PyJit_AsmOffset(as, fixup->place),
                             target, constant);
}

int
_PyJit_AsmFinish(JitAsm *as, uint8_t *to, uintptr_t address)
{
    emit_undos(as);
    if (as->failed) {
        return -1;
    }
    uint32_t used = 0;
    for (int i = 0; i < 2; i++) {
        if (as->parts[i].used > 0) {
            memcpy(to + used, as->parts[i].bytes, as->parts[i].used);
            used += as->parts[i].used;
        }
    }
    uint32_t constants = constants_offset(as);
    _PyJit_FillGap(to + used, constants - used);
    if (as->nconstants > 0) {
        memcpy(to + constants, as->constants, as->nconstants * sizeof(uint64_t));
    }
    for (uint32_t i = 0; i < as->nfixups; i++) {
        if (apply(as, &as->fixups[i], to, address) < 0) {
            return -1;
        }
    }
    return 0;
}

#endif

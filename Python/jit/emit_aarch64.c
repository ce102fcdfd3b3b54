/* Machine instructions of aarch64, those that every such processor has (ARMv8.0).

   An instruction is a word: the bits that name it, and fields for registers (d in the lowest bits,
   n from 5, m from 16) and numbers.

   x16, x17 and v31 are scratch; x18 belongs to the platform. Where an operation reads or writes
   memory that one instruction can't address, the address is made in x16, or in x17 if x16 holds
   the value. A frame is

       x29, x30, x19, x20, other saved registers, slots, padding

   from the stack pointer up, where x29 points, too. */
#include "Python.h"
#include "emit_parts.h"

#if defined(__aarch64__) || defined(JIT_OTHER_EMITTER)

#include <string.h>

enum { X16 = 16, X17 = 17, FRAME = 19, THREAD = 20, FP = 29, LR = 30, SP = 31, ZERO = 31 };

#define BITS(first, last) (((JitRegSet)2 << (last)) - ((JitRegSet)1 << (first)))

const JitMachine _PyJit_Machine = {
    .name = "aarch64",
    .caller_saved = BITS(0, 15),
    .callee_saved = BITS(21, 28),
    .float_caller_saved = BITS(0, 7) | BITS(16, 30),
    .float_callee_saved = BITS(8, 15),
    .frame = FRAME,
    .thread = THREAD,
    .args = {0, 1, 2, 3, 4, 5},
    .result = 0,
    .result2 = 1,
    .callee = 5,
    .float_args = {0, 1, 2, 3},
    .float_result = 0,
    .frame_pointer = FP,
};

/* ------------------------------------------------------------------- instructions */

enum {
    A64_ADD = 0x8b000000, A64_ADDS = 0xab000000, A64_SUB = 0xcb000000, A64_SUBS = 0xeb000000,
    A64_AND = 0x8a000000, A64_OR = 0xaa000000, A64_XOR = 0xca000000, A64_ANDS = 0xea000000,
    A64_OR_NOT = 0xaa200000,
    A64_ADD_IMM = 0x91000000, A64_ADDS_IMM = 0xb1000000,
    A64_SUB_IMM = 0xd1000000, A64_SUBS_IMM = 0xf1000000,
    A64_AND_IMM = 0x92000000, A64_OR_IMM = 0xb2000000, A64_XOR_IMM = 0xd2000000,
    A64_ANDS_IMM = 0xf2000000,
    A64_MOVZ = 0xd2800000, A64_MOVN = 0x92800000, A64_MOVK = 0xf2800000,
    A64_MADD = 0x9b000000, A64_MSUB = 0x9b008000, A64_MUL = 0x9b007c00, A64_SMULH = 0x9b407c00,
    A64_SDIV = 0x9ac00c00,
    A64_LSLV = 0x9ac02000, A64_LSRV = 0x9ac02400, A64_ASRV = 0x9ac02800,
    A64_UBFM = 0xd3400000, A64_SBFM = 0x93400000,
    A64_CSEL = 0x9a800000, A64_CSINC = 0x9a800400,
    A64_B = 0x14000000, A64_BL = 0x94000000, A64_B_COND = 0x54000000,
    A64_CBZ = 0xb4000000, A64_CBNZ = 0xb5000000,
    A64_BR = 0xd61f0000, A64_BLR = 0xd63f0000, A64_RET = 0xd65f0000,
    A64_ADR = 0x10000000,
    A64_LDR_LITERAL = 0x58000000, A64_LDR_LITERAL_D = 0x5c000000,
    A64_STP = 0xa9000000, A64_LDP = 0xa9400000, A64_STP_D = 0x6d000000, A64_LDP_D = 0x6d400000,
    A64_STP_PUSH = 0xa9800000, A64_LDP_POP = 0xa8c00000,
    A64_NOP = 0xd503201f,
    A64_FMOV = 0x1e604000, A64_FMOV_IMM = 0x1e601000, A64_MOVI_ZERO = 0x2f00e400,
    A64_FROM_BITS = 0x9e670000, A64_TO_BITS = 0x9e660000,
    A64_FADD = 0x1e602800, A64_FSUB = 0x1e603800, A64_FMUL = 0x1e600800, A64_FDIV = 0x1e601800,
    A64_FSQRT = 0x1e61c000, A64_FNEG = 0x1e614000, A64_FABS = 0x1e60c000,
    A64_SCVTF = 0x9e620000, A64_FCVTZS = 0x9e780000, A64_FCMP = 0x1e602000,
};

/* The processor's conditions. */
enum { CC_EQ, CC_NE, CC_HS, CC_LO, CC_MI, CC_PL, CC_VS, CC_VC, CC_HI, CC_LS, CC_GE, CC_LT, CC_GT,
       CC_LE };

static const uint8_t conditions[] = {
    [JIT_EQ] = CC_EQ, [JIT_NE] = CC_NE, [JIT_LT] = CC_LT, [JIT_GE] = CC_GE, [JIT_LE] = CC_LE,
    [JIT_GT] = CC_GT, [JIT_ULT] = CC_LO, [JIT_UGE] = CC_HS, [JIT_ULE] = CC_LS, [JIT_UGT] = CC_HI,
};

static inline void
put(JitAsm *as, uint32_t word)
{
    uint8_t *p = jit_room(as);
    memcpy(p, &word, sizeof(word));
    jit_emitted(as, p + sizeof(word));
}

static inline void
put3(JitAsm *as, uint32_t op, uint32_t d, uint32_t n, uint32_t m)
{
    put(as, op | m << 16 | n << 5 | d);
}

static inline void
put2(JitAsm *as, uint32_t op, uint32_t d, uint32_t n)
{
    put(as, op | n << 5 | d);
}

/* Whether a number has at most so many bits, one of them for the sign. */
static inline int
fits(int64_t value, int bits)
{
    return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
}

/* The fields of an instruction that refers to code nearby; distances are whole instructions. */
enum { FIX_19, FIX_26, FIX_ADR, FIX_CALL, FIX_JUMP };

static int
field_for(uint32_t kind, int64_t distance, uint32_t *field)
{
    if (kind == FIX_ADR) {
        *field = ((uint32_t)distance & 3) << 29 | ((uint32_t)(distance >> 2) & 0x7ffff) << 5;
        return fits(distance, 21);
    }
    if (kind == FIX_26) {
        *field = (uint32_t)(distance >> 2) & 0x3ffffff;
        return fits(distance, 28);
    }
    *field = ((uint32_t)(distance >> 2) & 0x7ffff) << 5;
    return fits(distance, 21);
}

static void
to_constant(JitAsm *as, uint32_t op, uint32_t constant, uint32_t kind)
{
    _PyJit_AddFixup(as, _PyJit_AsmHere(as), constant, kind);
    put(as, op);
}

static void
to_label(JitAsm *as, uint32_t op, JitLabel label, uint32_t kind)
{
    uint32_t here = _PyJit_AsmHere(as), field = 0;
    int known;
    int32_t distance = jit_distance(as, label, here, &known);
    if (!known || !field_for(kind, distance, &field)) {
        _PyJit_AddFixup(as, here, label, kind);
        field = 0;
    }
    put(as, op | field);
}

static void
b_cond(JitAsm *as, unsigned cc, JitLabel label)
{
    to_label(as, A64_B_COND | cc, label, FIX_19);
}

/* Whether the immediate of a logical instruction can be `value`: a run of ones, rotated within an
   element of 2 to 64 bits that is repeated. */
static int
logical_field(uint64_t value, uint32_t *field)
{
    if (value == 0 || value == UINT64_MAX) {
        return 0;
    }
    unsigned size = 64;
    while (size > 2) {
        uint64_t half = ((uint64_t)1 << size / 2) - 1;
        if ((value & half) != (value >> size / 2 & half)) {
            break;
        }
        size /= 2;
    }
    uint64_t all = UINT64_MAX >> (64 - size), element = value & all;
    unsigned ones = (unsigned)__builtin_popcountll(element);
    /* Where the run begins; if it goes on at the bottom, behind the zeros. */
    uint64_t inverted = ~element & all;
    unsigned first = element & 1 ? (unsigned)__builtin_ctzll(inverted) + size - ones
                                 : (unsigned)__builtin_ctzll(element);
    unsigned rotation = (size - first) % size;
    uint64_t run = ((uint64_t)1 << ones) - 1;
    uint64_t made = rotation == 0 ? run : (run >> rotation | run << (size - rotation)) & all;
    if (made != element) {
        return 0;
    }
    *field = (size == 64 ? 1u << 22 : 0) | rotation << 16
           | (((0u - 2 * size) & 0x3f) | (ones - 1)) << 10;
    return 1;
}

static void
mov_imm(JitAsm *as, JitReg d, uint64_t value)
{
    unsigned zeros = 0, full = 0;
    for (unsigned i = 0; i < 64; i += 16) {
        zeros += (value >> i & 0xffff) == 0;
        full += (value >> i & 0xffff) == 0xffff;
    }
    uint32_t field;
    if (zeros < 3 && full < 3 && logical_field(value, &field)) {
        put2(as, A64_OR_IMM | field, d, ZERO);
        return;
    }
    /* The first instruction sets all other parts to `rest`. */
    uint64_t rest = full > zeros ? 0xffff : 0;
    uint32_t op = rest ? A64_MOVN : A64_MOVZ;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t part = value >> 16 * i & 0xffff;
        if (part != rest) {
            uint32_t number = (uint32_t)(op == A64_MOVN ? ~part & 0xffff : part);
            put(as, op | i << 21 | number << 5 | d);
            op = A64_MOVK;
        }
    }
    if (op != A64_MOVK) {
        put(as, op | d);
    }
}

/* Whether an addition or subtraction can have this immediate: 12 bits, perhaps shifted by 12. */
static int
arith_field(uint64_t value, uint32_t *field)
{
    if (value < 0x1000) {
        *field = (uint32_t)value << 10;
        return 1;
    }
    if (value < 0x1000000 && (value & 0xfff) == 0) {
        *field = 1u << 22 | (uint32_t)(value >> 12) << 10;
        return 1;
    }
    return 0;
}

/* d = n op value, for ADDS or SUBS and their like: `op` and `inverse` are forms with an
   immediate. 0: it takes more than one instruction. */
static int
arith_imm(JitAsm *as, uint32_t op, uint32_t inverse, uint32_t d, uint32_t n, int64_t value)
{
    uint32_t field;
    if (value >= 0 && arith_field((uint64_t)value, &field)) {
        put2(as, op | field, d, n);
        return 1;
    }
    if (value < 0 && arith_field(0 - (uint64_t)value, &field)) {
        put2(as, inverse | field, d, n);
        return 1;
    }
    return 0;
}

static void
add_imm(JitAsm *as, uint32_t d, uint32_t n, int64_t value, JitReg scratch)
{
    if (arith_imm(as, A64_ADD_IMM, A64_SUB_IMM, d, n, value)) {
        return;
    }
    if (value > -0x1000000 && value < 0x1000000) {
        int64_t low = value % 0x1000;
        (void)arith_imm(as, A64_ADD_IMM, A64_SUB_IMM, d, n, value - low);
        (void)arith_imm(as, A64_ADD_IMM, A64_SUB_IMM, d, d, low);
        return;
    }
    mov_imm(as, scratch, (uint64_t)value);
    put3(as, A64_ADD, d, n, scratch);
}

/* ------------------------------------------------------------------ moves, memory */

/* What a load or store is: its bits without those that say how the address is made, and the
   logarithm of its size. */
typedef struct {
    uint32_t op;
    unsigned log;
} Access;

#define ACCESS(size, opc) {(uint32_t)(size) << 30 | 0x38000000 | (opc) << 22, size}

static const Access loads[] = {
    [JIT_8] = ACCESS(0, 1), [JIT_16] = ACCESS(1, 1), [JIT_32] = ACCESS(2, 1),
    [JIT_64] = ACCESS(3, 1),
    [JIT_S8] = ACCESS(0, 2), [JIT_S16] = ACCESS(1, 2), [JIT_S32] = ACCESS(2, 2),
};
static const Access stores[] = {
    [JIT_8] = ACCESS(0, 0), [JIT_16] = ACCESS(1, 0), [JIT_32] = ACCESS(2, 0),
    [JIT_64] = ACCESS(3, 0),
    [JIT_S8] = ACCESS(0, 0), [JIT_S16] = ACCESS(1, 0), [JIT_S32] = ACCESS(2, 0),
};
static const Access float_load = {0xfc400000, 3}, float_store = {0xfc000000, 3};

enum { ADDRESS_SCALED = 0x01000000, ADDRESS_INDEXED = 0x00206800 };

/* One instruction, if the displacement allows it. */
static int
access_near(JitAsm *as, Access access, uint32_t t, JitReg base, int32_t disp)
{
    int32_t size = 1 << access.log;
    if (disp >= 0 && (disp & (size - 1)) == 0 && disp >> access.log < 0x1000) {
        put2(as, access.op | ADDRESS_SCALED | (uint32_t)(disp >> access.log) << 10, t, base);
        return 1;
    }
    if (fits(disp, 9)) {
        put2(as, access.op | ((uint32_t)disp & 0x1ff) << 12, t, base);
        return 1;
    }
    return 0;
}

/* `scratch` is for the address; a load may have it as its destination, too. */
static void
access_at(JitAsm *as, Access access, uint32_t t, JitReg base, int32_t disp, JitReg scratch)
{
    if (access_near(as, access, t, base, disp)) {
        return;
    }
    int32_t low = disp & 0xfff;
    if (disp >= -0xfff000 && disp < 0x1000000 && (low & ((1 << access.log) - 1)) == 0) {
        (void)arith_imm(as, A64_ADD_IMM, A64_SUB_IMM, scratch, base, (int64_t)disp - low);
        (void)access_near(as, access, t, scratch, low);
        return;
    }
    mov_imm(as, scratch, (uint64_t)(int64_t)disp);
    put3(as, access.op | ADDRESS_INDEXED, t, base, scratch);
}

static void
access_indexed(JitAsm *as, Access access, uint32_t t, JitReg base, JitReg index, int shift,
               int32_t disp)
{
    if (disp == 0 && (shift == 0 || shift == (int)access.log)) {
        put3(as, access.op | ADDRESS_INDEXED | (shift != 0 ? 1u << 12 : 0), t, base, index);
        return;
    }
    put3(as, A64_ADD | (uint32_t)shift << 10, X16, base, index);
    access_at(as, access, t, X16, disp, X17);
}

void
_PyJit_Mov(JitAsm *as, JitReg d, JitReg s)
{
    if (d != s) {
        put3(as, A64_OR, d, ZERO, s);
    }
}

void
_PyJit_MovImm(JitAsm *as, JitReg d, uint64_t value)
{
    mov_imm(as, d, value);
}

void
_PyJit_MovLabel(JitAsm *as, JitReg d, JitLabel label)
{
    to_label(as, A64_ADR | d, label, FIX_ADR);
}

void
_PyJit_StoreLabel(JitAsm *as, JitReg base, int32_t disp, JitLabel label)
{
    _PyJit_MovLabel(as, X17, label);
    _PyJit_Store(as, JIT_64, base, disp, X17);
}

void
_PyJit_Load(JitAsm *as, JitWidth w, JitReg d, JitReg base, int32_t disp)
{
    access_at(as, loads[w], d, base, disp, X16);
}

void
_PyJit_LoadIndexed(JitAsm *as, JitWidth w, JitReg d, JitReg base, JitReg index, int shift,
                   int32_t disp)
{
    access_indexed(as, loads[w], d, base, index, shift, disp);
}

void
_PyJit_LoadAbs(JitAsm *as, JitWidth w, JitReg d, const void *address)
{
    mov_imm(as, X16, (uintptr_t)address);
    access_at(as, loads[w], d, X16, 0, X16);
}

void
_PyJit_Store(JitAsm *as, JitWidth w, JitReg base, int32_t disp, JitReg s)
{
    access_at(as, stores[w], s, base, disp, X16);
}

void
_PyJit_StoreIndexed(JitAsm *as, JitWidth w, JitReg base, JitReg index, int shift, int32_t disp,
                    JitReg s)
{
    access_indexed(as, stores[w], s, base, index, shift, disp);
}

void
_PyJit_StoreAbs(JitAsm *as, JitWidth w, const void *address, JitReg s)
{
    mov_imm(as, X16, (uintptr_t)address);
    access_at(as, stores[w], s, X16, 0, X16);
}

void
_PyJit_StoreImm(JitAsm *as, JitWidth w, JitReg base, int32_t disp, int64_t value)
{
    Access access = stores[w];
    uint64_t bits = (uint64_t)value & UINT64_MAX >> (64 - (8u << access.log));
    if (bits != 0) {
        mov_imm(as, X17, bits);
    }
    access_at(as, access, bits != 0 ? X17 : ZERO, base, disp, X16);
}

void
_PyJit_StoreZeros(JitAsm *as, JitReg base, int32_t disp, int pairs)
{
    int last = disp + 16 * (pairs - 1);
    if (disp < -512 || last >= 512 || disp % 8 != 0) {
        add_imm(as, X16, base, disp, X16);
        base = X16;
        disp = 0;
    }
    for (int i = 0; i < pairs; i++) {
        uint32_t words = (uint32_t)(disp / 8 + 2 * i);
        put2(as, A64_STP | (words & 0x7f) << 15 | ZERO << 10, ZERO, base);
    }
}

void
_PyJit_Lea(JitAsm *as, JitReg d, JitReg base, JitReg index, int shift, int32_t disp)
{
    put3(as, A64_ADD | (uint32_t)shift << 10, d, base, index);
    if (disp != 0) {
        add_imm(as, d, d, disp, X16);
    }
}

/* ---------------------------------------------------------------------- a function */

/* Saves or restores the registers of a set, from `disp` on, in pairs; X30 and v31 are never in
   one. Returns where the next would be. */
static int32_t
for_pairs(JitAsm *as, uint32_t pair_op, Access one, JitRegSet set, int32_t disp)
{
    while (set != 0) {
        uint32_t first = (uint32_t)__builtin_ctz(set);
        set &= set - 1;
        if (set == 0) {
            access_at(as, one, first, SP, disp, X16);
            return disp + 8;
        }
        uint32_t second = (uint32_t)__builtin_ctz(set);
        set &= set - 1;
        put2(as, pair_op | (uint32_t)disp / 8 << 15 | second << 10, first, SP);
        disp += 16;
    }
    return disp;
}

enum { SAVED_FROM = 16, MOST_PUSHED = 504 };

/* The set of general registers to save, with those that always are. */
static JitRegSet
saved_regs(const JitAsm *as)
{
    return as->saved | (JitRegSet)1 << FRAME | (JitRegSet)1 << THREAD;
}

static uint32_t
saved_words(const JitAsm *as)
{
    return (uint32_t)(__builtin_popcount(saved_regs(as)) + __builtin_popcount(as->saved_floats));
}

void
_PyJit_Prologue(JitAsm *as, JitRegSet saved, JitRegSet saved_floats, uint32_t slots)
{
    as->saved = saved & _PyJit_Machine.callee_saved;
    as->saved_floats = saved_floats & _PyJit_Machine.float_callee_saved;
    as->frame_size = (SAVED_FROM + 8 * (saved_words(as) + slots) + 15) & ~15u;
    _PyJit_FrameIs(as, JIT_FRAME_NONE);
    if (as->frame_size <= MOST_PUSHED) {
        uint32_t field = (0u - as->frame_size / 8) & 0x7f;
        put2(as, A64_STP_PUSH | field << 15 | LR << 10, FP, SP);
    }
    else {
        add_imm(as, SP, SP, -(int64_t)as->frame_size, X16);
        _PyJit_FrameIs(as, JIT_FRAME_ROOM);
        put2(as, A64_STP | LR << 10, FP, SP);
    }
    _PyJit_FrameIs(as, JIT_FRAME_PUSHED);
    put2(as, A64_ADD_IMM, FP, SP);
    _PyJit_FrameIs(as, JIT_FRAME_LINKED);
    int32_t disp = for_pairs(as, A64_STP, stores[JIT_64], saved_regs(as), SAVED_FROM);
    for_pairs(as, A64_STP_D, float_store, as->saved_floats, disp);
    _PyJit_FrameIs(as, JIT_FRAME_SAVED);
    _PyJit_Mov(as, FRAME, 0);
    _PyJit_Mov(as, THREAD, 1);
}

size_t
_PyJit_FrameOfPrologue(const uint8_t *code)
{
    (void)code;
    return 0;
}

unsigned
_PyJit_SavedPlaces(const JitAsm *as, JitSavedPlace places[JIT_MOST_SAVED])
{
    uint32_t words = (as->frame_size - SAVED_FROM) / 8;
    unsigned n = 0;
    for (JitRegSet set = saved_regs(as); set != 0; set &= set - 1) {
        places[n++] = (JitSavedPlace){(uint8_t)__builtin_ctz(set), words--};
    }
    for (JitRegSet set = as->saved_floats; set != 0; set &= set - 1) {
        places[n++] = (JitSavedPlace){(uint8_t)(64 + __builtin_ctz(set)), words--};
    }
    return n;
}

uint32_t
_PyJit_FrameWords(const JitAsm *as)
{
    return as->frame_size / 8;
}

int32_t
_PyJit_SlotDisp(const JitAsm *as, uint32_t slot)
{
    return (int32_t)(SAVED_FROM + 8 * (saved_words(as) + slot)) - as->shift;
}

static void
epilogue(JitAsm *as)
{
    int32_t disp = for_pairs(as, A64_LDP, loads[JIT_64], saved_regs(as), SAVED_FROM);
    for_pairs(as, A64_LDP_D, float_load, as->saved_floats, disp);
    if (as->frame_size <= MOST_PUSHED) {
        put2(as, A64_LDP_POP | as->frame_size / 8 << 15 | LR << 10, FP, SP);
    }
    else {
        put2(as, A64_LDP | LR << 10, FP, SP);
        _PyJit_FrameIs(as, JIT_FRAME_ROOM);
        add_imm(as, SP, SP, as->frame_size, X16);
    }
    _PyJit_FrameIs(as, JIT_FRAME_NONE);
}

void
_PyJit_Return(JitAsm *as)
{
    epilogue(as);
    put2(as, A64_RET, 0, LR);
    _PyJit_FrameIs(as, JIT_FRAME_SAVED);
}

/* Calls and jumps to C functions load the address. _PyJit_ApplyFixup() puts a direct one in the
   second instruction's place where the function is in reach: so a call always returns to the
   same address. */
void
_PyJit_TailCall(JitAsm *as, const void *function)
{
    epilogue(as);
    to_constant(as, A64_LDR_LITERAL | X16, _PyJit_Constant(as, (uintptr_t)function), FIX_JUMP);
    put2(as, A64_BR, 0, X16);
    _PyJit_FrameIs(as, JIT_FRAME_SAVED);
}

void
_PyJit_Call(JitAsm *as, const void *function)
{
    to_constant(as, A64_LDR_LITERAL | X16, _PyJit_Constant(as, (uintptr_t)function), FIX_CALL);
    put2(as, A64_BLR, 0, X16);
}

void
_PyJit_CallReg(JitAsm *as, JitReg r)
{
    put2(as, A64_BLR, 0, r);
}

void
_PyJit_JumpReg(JitAsm *as, JitReg r)
{
    put2(as, A64_BR, 0, r);
}

void
_PyJit_CallLabel(JitAsm *as, JitLabel label)
{
    to_label(as, A64_BL, label, FIX_26);
}

int
_PyJit_ApplyFixup(uint8_t *code, uintptr_t address, uint32_t kind, uint32_t at,
                  uint32_t target, uint64_t constant)
{
    uint32_t word, field;
    int64_t beyond = (int64_t)(constant - (address + at + 4));
    if ((kind == FIX_CALL || kind == FIX_JUMP) && field_for(FIX_26, beyond, &field)) {
        word = A64_NOP;
        memcpy(code + at, &word, sizeof(word));
        word = (kind == FIX_CALL ? A64_BL : A64_B) | field;
        memcpy(code + at + 4, &word, sizeof(word));
        return 0;
    }
    if (!field_for(kind, (int64_t)target - at, &field)) {
        return -1;
    }
    memcpy(&word, code + at, sizeof(word));
    word |= field;
    memcpy(code + at, &word, sizeof(word));
    return 0;
}

void
_PyJit_FillGap(uint8_t *code, uint32_t size)
{
    memset(code, 0, size);
}

/* ------------------------------------------------------------------------ integers */

static const uint32_t three_operands[] = {
    [JIT_ADD] = A64_ADD, [JIT_SUB] = A64_SUB, [JIT_AND] = A64_AND, [JIT_OR] = A64_OR,
    [JIT_XOR] = A64_XOR, [JIT_MUL] = A64_MUL,
    [JIT_SHL] = A64_LSLV, [JIT_SHR] = A64_LSRV, [JIT_SAR] = A64_ASRV,
};

void
_PyJit_Op(JitAsm *as, JitOp op, JitReg d, JitReg a, JitReg b)
{
    put3(as, three_operands[op], d, a, b);
}

static void
logical_imm(JitAsm *as, JitOp op, JitReg d, JitReg a, uint64_t value)
{
    static const uint32_t forms[] = {
        [JIT_AND] = A64_AND_IMM, [JIT_OR] = A64_OR_IMM, [JIT_XOR] = A64_XOR_IMM,
    };
    uint32_t field;
    if (logical_field(value, &field)) {
        put2(as, forms[op] | field, d, a);
    }
    else if (value == (op == JIT_AND ? UINT64_MAX : 0)) {
        _PyJit_Mov(as, d, a);
    }
    else if (value == 0) {
        mov_imm(as, d, 0);
    }
    else {
        mov_imm(as, X16, value);
        _PyJit_Op(as, op, d, a, X16);
    }
}

static void
shift_imm(JitAsm *as, JitOp op, JitReg d, JitReg a, unsigned count)
{
    if (count == 0) {
        _PyJit_Mov(as, d, a);
    }
    else if (op == JIT_SHL) {
        put2(as, A64_UBFM | (64 - count) << 16 | (63 - count) << 10, d, a);
    }
    else {
        put2(as, (op == JIT_SHR ? A64_UBFM : A64_SBFM) | count << 16 | 63 << 10, d, a);
    }
}

static void
mul_imm(JitAsm *as, JitReg d, JitReg a, int64_t value)
{
    uint64_t bits = (uint64_t)value, less = bits - 1;
    if (bits == 0) {
        mov_imm(as, d, 0);
    }
    else if ((bits & less) == 0) {
        shift_imm(as, JIT_SHL, d, a, (unsigned)__builtin_ctzll(bits));
    }
    else if ((less & (less - 1)) == 0) {
        put3(as, A64_ADD | (uint32_t)__builtin_ctzll(less) << 10, d, a, a);
    }
    else {
        mov_imm(as, X16, bits);
        _PyJit_Op(as, JIT_MUL, d, a, X16);
    }
}

void
_PyJit_OpImm(JitAsm *as, JitOp op, JitReg d, JitReg a, int64_t value)
{
    switch (op) {
    case JIT_SUB:
        value = (int64_t)(0 - (uint64_t)value);
        /* fall through */
    case JIT_ADD:
        if (value == 0) {
            _PyJit_Mov(as, d, a);
        }
        else {
            add_imm(as, d, a, value, X16);
        }
        return;
    case JIT_AND: case JIT_OR: case JIT_XOR:
        logical_imm(as, op, d, a, (uint64_t)value);
        return;
    case JIT_MUL:
        mul_imm(as, d, a, value);
        return;
    case JIT_SHL: case JIT_SHR: case JIT_SAR:
        shift_imm(as, op, d, a, (unsigned)value & 63);
        return;
    }
}

void
_PyJit_Neg(JitAsm *as, JitReg d, JitReg s)
{
    put3(as, A64_SUB, d, ZERO, s);
}

void
_PyJit_Not(JitAsm *as, JitReg d, JitReg s)
{
    put3(as, A64_OR_NOT, d, ZERO, s);
}

/* After d = d op b (or op value, if b is JIT_NO_REG): jumps on overflow, by way of a place
   where d gets its old value back. */
static void
undo_on_overflow(JitAsm *as, JitOp op, JitReg d, JitReg b, int64_t value, JitLabel label)
{
    struct JitUndo undo = {
        .here = _PyJit_NewLabel(as), .label = label,
        .op = op == JIT_ADD ? JIT_SUB : JIT_ADD, .d = d, .b = b, .value = value,
    };
    b_cond(as, CC_VS, undo.here);
    _PyJit_AddUndo(as, &undo);
}

/* A product fits if its upper half is the lower one's sign. The upper half comes first, since b
   may be x16. */
static void
mul_overflow(JitAsm *as, JitReg d, JitReg a, JitReg b, JitLabel label)
{
    JitReg made = d == a || d == b ? X16 : d;
    put3(as, A64_SMULH, X17, a, b);
    put3(as, A64_MUL, made, a, b);
    put3(as, A64_SUBS | 2u << 22 | 63 << 10, ZERO, X17, made);
    b_cond(as, CC_NE, label);
    _PyJit_Mov(as, d, made);
}

void
_PyJit_OpOverflow(JitAsm *as, JitOp op, JitReg d, JitReg a, JitReg b, JitLabel label)
{
    if (op == JIT_MUL) {
        mul_overflow(as, d, a, b, label);
        return;
    }
    if (d == b && op == JIT_ADD) {
        b = a;
        a = d;
    }
    int undo = d == a && d != b;
    JitReg made = undo || (d != a && d != b) ? d : X16;
    put3(as, op == JIT_ADD ? A64_ADDS : A64_SUBS, made, a, b);
    if (undo) {
        undo_on_overflow(as, op, d, b, 0, label);
    }
    else {
        b_cond(as, CC_VS, label);
        _PyJit_Mov(as, d, made);
    }
}

void
_PyJit_OpImmOverflow(JitAsm *as, JitOp op, JitReg d, JitReg a, int64_t value, JitLabel label)
{
    uint32_t form = op == JIT_ADD ? A64_ADDS_IMM : A64_SUBS_IMM;
    uint32_t inverse = op == JIT_ADD ? A64_SUBS_IMM : A64_ADDS_IMM;
    if (op == JIT_MUL || !arith_imm(as, form, inverse, d, a, value)) {
        mov_imm(as, X16, (uint64_t)value);
        _PyJit_OpOverflow(as, op, d, a, X16, label);
    }
    else if (d == a) {
        undo_on_overflow(as, op, d, JIT_NO_REG, value, label);
    }
    else {
        b_cond(as, CC_VS, label);
    }
}

void
_PyJit_DivRem(JitAsm *as, JitReg quotient, JitReg remainder, JitReg a, JitReg b)
{
    JitReg made = quotient == a || quotient == b ? X16 : quotient;
    put3(as, A64_SDIV, made, a, b);
    put3(as, A64_MSUB | (uint32_t)a << 10, remainder, made, b);
    _PyJit_Mov(as, quotient, made);
}

void
_PyJit_AddMem(JitAsm *as, JitWidth w, JitReg base, int32_t disp, int32_t value)
{
    access_at(as, loads[w], X16, base, disp, X17);
    add_imm(as, X16, X16, value, X17);
    access_at(as, stores[w], X16, base, disp, X17);
}

void
_PyJit_DecMemJumpZero(JitAsm *as, JitReg base, int32_t disp, JitLabel label)
{
    access_at(as, loads[JIT_64], X16, base, disp, X17);
    add_imm(as, X16, X16, -1, X17);
    access_at(as, stores[JIT_64], X16, base, disp, X17);
    to_label(as, A64_CBZ | X16, label, FIX_19);
}

/* ----------------------------------------------------------------------- branches */

void
_PyJit_Jump(JitAsm *as, JitLabel label)
{
    to_label(as, A64_B, label, FIX_26);
}

static void
compare_imm(JitAsm *as, JitReg a, int64_t value, JitReg scratch)
{
    if (!arith_imm(as, A64_SUBS_IMM, A64_ADDS_IMM, ZERO, a, value)) {
        mov_imm(as, scratch, (uint64_t)value);
        put3(as, A64_SUBS, ZERO, a, scratch);
    }
}

static void
branch_imm(JitAsm *as, JitCond cond, JitReg a, int64_t value, JitLabel label, JitReg scratch)
{
    if (value == 0 && cond <= JIT_NE) {
        to_label(as, (cond == JIT_EQ ? A64_CBZ : A64_CBNZ) | a, label, FIX_19);
        return;
    }
    compare_imm(as, a, value, scratch);
    b_cond(as, conditions[cond], label);
}

/* tbz is not used: it does not reach the rare part of a large function. */
static void
branch_bits(JitAsm *as, JitCond cond, JitReg a, uint64_t mask, JitLabel label, JitReg scratch)
{
    uint32_t field;
    if (mask == UINT64_MAX) {
        branch_imm(as, cond, a, 0, label, scratch);
        return;
    }
    if (logical_field(mask, &field)) {
        put2(as, A64_ANDS_IMM | field, ZERO, a);
    }
    else {
        mov_imm(as, scratch, mask);
        put3(as, A64_ANDS, ZERO, a, scratch);
    }
    b_cond(as, conditions[cond], label);
}

void
_PyJit_Branch(JitAsm *as, JitCond cond, JitReg a, JitReg b, JitLabel label)
{
    put3(as, A64_SUBS, ZERO, a, b);
    b_cond(as, conditions[cond], label);
}

void
_PyJit_BranchImm(JitAsm *as, JitCond cond, JitReg a, int64_t value, JitLabel label)
{
    branch_imm(as, cond, a, value, label, X16);
}

void
_PyJit_BranchMem(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp, JitReg b,
                 JitLabel label)
{
    _PyJit_Load(as, w, X16, base, disp);
    _PyJit_Branch(as, cond, X16, b, label);
}

void
_PyJit_BranchMemImm(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp,
                    int64_t value, JitLabel label)
{
    _PyJit_Load(as, w, X16, base, disp);
    branch_imm(as, cond, X16, value, label, X17);
}

void
_PyJit_BranchAbsImm(JitAsm *as, JitCond cond, JitWidth w, const void *address, int64_t value,
                    JitLabel label)
{
    _PyJit_LoadAbs(as, w, X16, address);
    branch_imm(as, cond, X16, value, label, X17);
}

void
_PyJit_BranchBits(JitAsm *as, JitCond cond, JitReg a, int64_t mask, JitLabel label)
{
    branch_bits(as, cond, a, (uint64_t)mask, label, X16);
}

void
_PyJit_BranchMemBits(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp,
                     int64_t mask, JitLabel label)
{
    _PyJit_Load(as, w, X16, base, disp);
    branch_bits(as, cond, X16, (uint64_t)mask, label, X17);
}

/* d = 1 if the condition holds, else 0. */
static void
set_after(JitAsm *as, unsigned cc, JitReg d)
{
    put3(as, A64_CSINC | (cc ^ 1) << 12, d, ZERO, ZERO);
}

void
_PyJit_Set(JitAsm *as, JitCond cond, JitReg d, JitReg a, JitReg b)
{
    put3(as, A64_SUBS, ZERO, a, b);
    set_after(as, conditions[cond], d);
}

void
_PyJit_SetImm(JitAsm *as, JitCond cond, JitReg d, JitReg a, int64_t value)
{
    compare_imm(as, a, value, X16);
    set_after(as, conditions[cond], d);
}

void
_PyJit_Select(JitAsm *as, JitCond cond, JitReg d, JitReg a, JitReg b, JitReg x, JitReg y)
{
    put3(as, A64_SUBS, ZERO, a, b);
    put3(as, A64_CSEL | (uint32_t)conditions[cond] << 12, d, x, y);
}

/* ------------------------------------------------------------------------- doubles */

void
_PyJit_FMov(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    if (d != s) {
        put2(as, A64_FMOV, d, s);
    }
}

/* An immediate has a sign, three bits of exponent and four of fraction. */
void
_PyJit_FMovImm(JitAsm *as, JitFloatReg d, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint64_t exponent = bits >> 54 & 0x1ff;
    if (bits == 0) {
        put(as, A64_MOVI_ZERO | d);
    }
    else if (bits << 16 == 0 && (exponent == 0x100 || exponent == 0xff)) {
        uint32_t number = (uint32_t)(bits >> 63 << 7 | (exponent & 1) << 6 | (bits >> 48 & 0x3f));
        put(as, A64_FMOV_IMM | number << 13 | d);
    }
    else {
        to_constant(as, A64_LDR_LITERAL_D | d, _PyJit_Constant(as, bits), FIX_19);
    }
}

void
_PyJit_FLoad(JitAsm *as, JitFloatReg d, JitReg base, int32_t disp)
{
    access_at(as, float_load, d, base, disp, X16);
}

void
_PyJit_FStore(JitAsm *as, JitReg base, int32_t disp, JitFloatReg s)
{
    access_at(as, float_store, s, base, disp, X16);
}

void
_PyJit_FFromBits(JitAsm *as, JitFloatReg d, JitReg s)
{
    put2(as, A64_FROM_BITS, d, s);
}

void
_PyJit_FToBits(JitAsm *as, JitReg d, JitFloatReg s)
{
    put2(as, A64_TO_BITS, d, s);
}

void
_PyJit_FOp(JitAsm *as, JitFloatOp op, JitFloatReg d, JitFloatReg a, JitFloatReg b)
{
    static const uint32_t ops[] = {
        [JIT_FADD] = A64_FADD, [JIT_FSUB] = A64_FSUB, [JIT_FMUL] = A64_FMUL, [JIT_FDIV] = A64_FDIV,
    };
    put3(as, ops[op], d, a, b);
}

void
_PyJit_FSqrt(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    put2(as, A64_FSQRT, d, s);
}

void
_PyJit_FNeg(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    put2(as, A64_FNEG, d, s);
}

void
_PyJit_FAbs(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    put2(as, A64_FABS, d, s);
}

void
_PyJit_FFromInt(JitAsm *as, JitFloatReg d, JitReg s)
{
    put2(as, A64_SCVTF, d, s);
}

void
_PyJit_FToInt(JitAsm *as, JitReg d, JitFloatReg s)
{
    put2(as, A64_FCVTZS, d, s);
}

/* A comparison with a NaN sets the carry and overflow flags. For each condition there is one that
   is false then, and one that is true. */
static const uint8_t ordered_cc[] = {
    [JIT_EQ] = CC_EQ, [JIT_NE] = CC_NE,
    [JIT_LT] = CC_MI, [JIT_GE] = CC_GE, [JIT_LE] = CC_LS, [JIT_GT] = CC_GT,
};
static const uint8_t unordered_cc[] = {
    [JIT_EQ] = CC_EQ, [JIT_NE] = CC_NE,
    [JIT_LT] = CC_LT, [JIT_GE] = CC_PL, [JIT_LE] = CC_LE, [JIT_GT] = CC_HI,
};

void
_PyJit_FBranch(JitAsm *as, JitCond cond, JitFloatReg a, JitFloatReg b, int unordered,
               JitLabel label)
{
    put3(as, A64_FCMP, 0, a, b);
    if (cond == JIT_NE && !unordered) {
        b_cond(as, CC_MI, label);
        b_cond(as, CC_GT, label);
        return;
    }
    b_cond(as, unordered ? unordered_cc[cond] : ordered_cc[cond], label);
    if (cond == JIT_EQ && unordered) {
        b_cond(as, CC_VS, label);
    }
}

void
_PyJit_FSet(JitAsm *as, JitCond cond, JitReg d, JitFloatReg a, JitFloatReg b)
{
    put3(as, A64_FCMP, 0, a, b);
    set_after(as, ordered_cc[cond], d);
}

#endif

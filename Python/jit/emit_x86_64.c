/* Machine instructions of x86-64, those that every such processor has (SSE2).

   An instruction is an opcode with its prefixes, and operands: a register and a second
   register, memory, or a constant near the code. The opcode's bits say what stands before
   it; X86_ADD and so on are those of the first form (register to register or memory) of the
   eight arithmetic operations, whose numbers also stand in the immediate forms.

   r11 and xmm15 are scratch. Operations that the processor binds to rax, rcx or rdx save those
   there. A frame is

       caller's rbp, rbx, r12, other saved registers, slots, padding

   from rbp down; rsp is a multiple of 16 outside prologue and epilogue. */
#include "Python.h"
#include "emit_parts.h"

#if defined(__x86_64__) || defined(JIT_OTHER_EMITTER)

#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };
enum { SCRATCH = R11, FLOAT_SCRATCH = 15 };

#define BIT(r) ((JitRegSet)1 << (r))

const JitMachine _PyJit_Machine = {
    .name = "x86-64",
    .caller_saved = BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RSI) | BIT(RDI)
        | BIT(R8) | BIT(R9) | BIT(R10),
    .callee_saved = BIT(R13) | BIT(R14) | BIT(R15),
    .float_caller_saved = BIT(FLOAT_SCRATCH) - 1,
    .float_callee_saved = 0,
    .frame = RBX,
    .thread = R12,
    .args = {RDI, RSI, RDX, RCX, R8, R9},
    .result = RAX,
    .result2 = RDX,
    .callee = RAX,
    .float_args = {0, 1, 2, 3},
    .float_result = 0,
    .frame_pointer = RBP,
};

/* ------------------------------------------------------------------- instructions */

/* Of an opcode: the byte itself, and */
enum {
    X0F = 0x100,                /* after an escape byte */
    XW = 0x200,                 /* on 64 bits */
    XBYTE = 0x400,              /* the register operand is a byte */
    XBYTE_RM = 0x800,           /* the second register is a byte */
    X66 = 0x660000, XF2 = 0xf20000,     /* after this prefix */
};

enum {
    X86_ADD = 0x01, X86_OR = 0x09, X86_AND = 0x21, X86_SUB = 0x29, X86_XOR = 0x31, X86_CMP = 0x39,
    X86_TO_REG = 2,             /* added to those: the other direction */
    X86_IMUL = 0xaf | X0F,
    X86_TEST = 0x85,
    X86_STORE = 0x89, X86_LOAD = 0x8b, X86_LEA = 0x8d,
    X86_XCHG = 0x87,
    X86_IMM32 = 0x81, X86_IMM8 = 0x83,
    X86_SHIFT_IMM = 0xc1, X86_SHIFT_1 = 0xd1, X86_SHIFT_CL = 0xd3,
    X86_UNARY = 0xf7, X86_UNARY8 = 0xf6,
    X86_FLOAD = 0x10 | X0F | XF2, X86_FSTORE = 0x11 | X0F | XF2,
    X86_FSTORE_PAIR = 0x11 | X0F,
    X86_FMOV = 0x28 | X0F,
    X86_FAND = 0x54 | X0F, X86_FXOR = 0x57 | X0F,
    X86_FCMP = 0x2e | X0F | X66,
    X86_FROM_BITS = 0x6e | X0F | X66 | XW, X86_TO_BITS = 0x7e | X0F | X66 | XW,
    X86_JCC = 0x80, X86_JCC8 = 0x70, X86_SETCC = 0x90, X86_CMOV = 0x40,
};

/* Numbers in the register field of opcodes that have one operand. */
enum { SHIFT_LEFT = 4, SHIFT_RIGHT = 5, SHIFT_SIGNED = 7 };
enum { TEST_IMM = 0, NOT = 2, NEG = 3, DIVIDE = 7 };

/* The processor's conditions. */
enum { CC_O, CC_NO, CC_B, CC_AE, CC_E, CC_NE, CC_BE, CC_A, CC_S, CC_NS, CC_P, CC_NP,
       CC_L, CC_GE, CC_LE, CC_G };

static const uint8_t conditions[] = {
    [JIT_EQ] = CC_E, [JIT_NE] = CC_NE, [JIT_LT] = CC_L, [JIT_GE] = CC_GE, [JIT_LE] = CC_LE,
    [JIT_GT] = CC_G, [JIT_ULT] = CC_B, [JIT_UGE] = CC_AE, [JIT_ULE] = CC_BE, [JIT_UGT] = CC_A,
};

enum { NO_INDEX = RSP, NO_BASE = 0xff };        /* the first as the encoding has it */

typedef struct {
    JitReg base, index;
    uint8_t shift;
    int32_t disp;
} Memory;

static inline Memory
at(JitReg base, int32_t disp)
{
    return (Memory){base, NO_INDEX, 0, disp};
}

static inline Memory
at_index(JitReg base, JitReg index, int shift, int32_t disp)
{
    return (Memory){base, index, (uint8_t)shift, disp};
}

static inline int
fits8(int64_t value)
{
    return value == (int8_t)value;
}

static inline int
fits32(int64_t value)
{
    return value == (int32_t)value;
}

static inline uint8_t *
put32(uint8_t *p, int64_t value)
{
    uint32_t word = (uint32_t)value;
    memcpy(p, &word, sizeof(word));
    return p + sizeof(word);
}

static inline uint8_t *
put64(uint8_t *p, uint64_t value)
{
    memcpy(p, &value, sizeof(value));
    return p + sizeof(value);
}

/* Prefixes and opcode. The low three bits of the registers follow in other bytes. */
static inline uint8_t *
put_opcode(uint8_t *p, unsigned op, unsigned reg, unsigned index, unsigned rm)
{
    if (op >> 16) {
        *p++ = (uint8_t)(op >> 16);
    }
    unsigned rex = (op & XW ? 8 : 0) | reg >> 3 << 2 | index >> 3 << 1 | rm >> 3;
    /* Without one, 4 to 7 are ah, ch, dh and bh. */
    if (rex != 0 || (op & XBYTE && reg >= 4) || (op & XBYTE_RM && rm >= 4)) {
        *p++ = (uint8_t)(0x40 | rex);
    }
    if (op & X0F) {
        *p++ = 0x0f;
    }
    *p++ = (uint8_t)op;
    return p;
}

static inline uint8_t *
put_regs(uint8_t *p, unsigned op, unsigned reg, unsigned rm)
{
    p = put_opcode(p, op, reg, 0, rm);
    *p++ = (uint8_t)(0xc0 | (reg & 7) << 3 | (rm & 7));
    return p;
}

static inline uint8_t *
put_mem(uint8_t *p, unsigned op, unsigned reg, Memory m)
{
    if (m.base == NO_BASE) {
        p = put_opcode(p, op, reg, 0, 0);
        *p++ = (uint8_t)((reg & 7) << 3 | 4);
        *p++ = 0x25;
        return put32(p, m.disp);
    }
    p = put_opcode(p, op, reg, m.index, m.base);
    unsigned base = m.base & 7, modrm = (reg & 7) << 3;
    /* Without a displacement, base 5 would mean none, or the instruction's address. */
    int has8 = fits8(m.disp), has0 = m.disp == 0 && base != RBP;
    modrm |= has0 ? 0 : has8 ? 0x40 : 0x80;
    if (m.index == NO_INDEX && base != RSP) {
        *p++ = (uint8_t)(modrm | base);
    }
    else {
        *p++ = (uint8_t)(modrm | 4);
        *p++ = (uint8_t)((unsigned)m.shift << 6 | (m.index & 7u) << 3 | base);
    }
    if (has0) {
        return p;
    }
    if (has8) {
        *p++ = (uint8_t)m.disp;
        return p;
    }
    return put32(p, m.disp);
}

static inline void
regs(JitAsm *as, unsigned op, unsigned reg, unsigned rm)
{
    jit_emitted(as, put_regs(jit_room(as), op, reg, rm));
}

static inline void
mem(JitAsm *as, unsigned op, unsigned reg, Memory m)
{
    jit_emitted(as, put_mem(jit_room(as), op, reg, m));
}

enum { FIX_REL32, FIX_CALL, FIX_JUMP };

/* A field of 32 bits ends the instruction. */
static void
end_with_fixup(JitAsm *as, uint8_t *p, uint32_t target, unsigned kind)
{
    jit_emitted(as, p);
    _PyJit_AddFixup(as, _PyJit_AsmHere(as), target, kind);
    jit_emitted(as, put32(jit_room(as), 0));
}

/* With a constant or a label as second operand. */
static void
near_code(JitAsm *as, unsigned op, unsigned reg, uint32_t target, unsigned kind)
{
    uint8_t *p = put_opcode(jit_room(as), op, reg, 0, 0);
    *p++ = (uint8_t)((reg & 7) << 3 | 5);
    end_with_fixup(as, p, target, kind);
}

/* One of the eight arithmetic operations with an immediate; `op` is its first form. */
static void
arith_imm(JitAsm *as, unsigned op, JitReg r, int32_t value)
{
    uint8_t *p = jit_room(as);
    unsigned number = op >> 3 & 7, wide = op & XW;
    if (fits8(value)) {
        p = put_regs(p, X86_IMM8 | wide, number, r);
        *p++ = (uint8_t)value;
    }
    else if (r == RAX) {
        p = put_opcode(p, number << 3 | 5 | wide, 0, 0, 0);
        p = put32(p, value);
    }
    else {
        p = put_regs(p, X86_IMM32 | wide, number, r);
        p = put32(p, value);
    }
    jit_emitted(as, p);
}

static void
arith_mem_imm(JitAsm *as, unsigned op, Memory m, int32_t value)
{
    uint8_t *p = jit_room(as);
    unsigned number = op >> 3 & 7, wide = op & (XW | X66);
    if (fits8(value)) {
        p = put_mem(p, X86_IMM8 | wide, number, m);
        *p++ = (uint8_t)value;
    }
    else {
        p = put_mem(p, X86_IMM32 | wide, number, m);
        p = put32(p, value);
    }
    jit_emitted(as, p);
}

static void
imm_byte(JitAsm *as, unsigned op, unsigned number, JitReg r, uint8_t value)
{
    uint8_t *p = put_regs(jit_room(as), op, number, r);
    *p++ = value;
    jit_emitted(as, p);
}

static void
shift_imm(JitAsm *as, unsigned number, JitReg r, unsigned count)
{
    if (count == 1) {
        regs(as, X86_SHIFT_1 | XW, number, r);
    }
    else {
        imm_byte(as, X86_SHIFT_IMM | XW, number, r, (uint8_t)count);
    }
}

/* A distance is given from `end`, what follows the instruction. */
static void
jcc(JitAsm *as, unsigned cc, JitLabel label)
{
    uint32_t here = _PyJit_AsmHere(as);
    int known;
    int32_t distance = jit_distance(as, label, here, &known);
    uint8_t *p = jit_room(as);
    if (known && fits8(distance - 2)) {
        *p++ = (uint8_t)(X86_JCC8 | cc);
        *p++ = (uint8_t)(distance - 2);
        jit_emitted(as, p);
        return;
    }
    *p++ = 0x0f;
    *p++ = (uint8_t)(X86_JCC | cc);
    if (known) {
        jit_emitted(as, put32(p, distance - 6));
        return;
    }
    end_with_fixup(as, p, label, FIX_REL32);
}

static void
setcc(JitAsm *as, unsigned cc, JitReg d)
{
    regs(as, X86_SETCC | cc | X0F | XBYTE_RM, 0, d);
}

static void
zero(JitAsm *as, JitReg d)
{
    regs(as, X86_XOR, d, d);
}

/* Also sets flags. */
static void
mov_imm(JitAsm *as, JitReg d, uint64_t value)
{
    uint8_t *p = jit_room(as);
    if (value == 0) {
        zero(as, d);
        return;
    }
    if (value <= UINT32_MAX) {
        p = put_opcode(p, 0xb8 | (d & 7), 0, 0, d);
        p = put32(p, (int64_t)value);
    }
    else if (value >= (uint64_t)INT32_MIN) {
        p = put_regs(p, 0xc7 | XW, 0, d);
        p = put32(p, (int64_t)value);
    }
    else {
        p = put_opcode(p, 0xb8 | (d & 7) | XW, 0, 0, d);
        p = put64(p, value);
    }
    jit_emitted(as, p);
}

/* The memory at an absolute address: if it is not a low one, by way of the scratch register. */
static Memory
absolute(JitAsm *as, const void *address)
{
    if ((uintptr_t)address <= INT32_MAX) {
        return at(NO_BASE, (int32_t)(uintptr_t)address);
    }
    mov_imm(as, SCRATCH, (uintptr_t)address);
    return at(SCRATCH, 0);
}

/* ---------------------------------------------------------------------- a function */

static void
push(JitAsm *as, JitReg r)
{
    jit_emitted(as, put_opcode(jit_room(as), 0x50 | (r & 7), 0, 0, r));
}

static void
pop(JitAsm *as, JitReg r)
{
    jit_emitted(as, put_opcode(jit_room(as), 0x58 | (r & 7), 0, 0, r));
}

void
_PyJit_Prologue(JitAsm *as, JitRegSet saved, JitRegSet saved_floats, uint32_t slots)
{
    (void)saved_floats;                 /* there are none */
    as->saved = saved & _PyJit_Machine.callee_saved;
    as->nsaved = (uint32_t)__builtin_popcount(as->saved);
    uint32_t pushed = 2 + as->nsaved;
    uint32_t room = slots + ((slots + pushed) & 1);
    as->frame_size = 8 * (pushed + room);
    _PyJit_FrameIs(as, JIT_FRAME_NONE);
    push(as, RBP);
    _PyJit_FrameIs(as, JIT_FRAME_PUSHED);
    _PyJit_Mov(as, RBP, RSP);
    _PyJit_FrameIs(as, JIT_FRAME_LINKED);
    push(as, RBX);
    push(as, R12);
    for (int r = R13; r <= R15; r++) {
        if (as->saved & BIT(r)) {
            push(as, (JitReg)r);
        }
    }
    _PyJit_FrameIs(as, JIT_FRAME_SAVED);
    if (room > 0) {
        arith_imm(as, X86_SUB | XW, RSP, (int32_t)(8 * room));
    }
    _PyJit_Mov(as, RBX, RDI);
    _PyJit_Mov(as, R12, RSI);
}

__attribute__((no_sanitize("address"))) size_t
_PyJit_FrameOfPrologue(const uint8_t *code)
{
    static const uint8_t beginning[] = {
        0x50 | RBP, 0x48, 0x89, 0xe5,               /* push rbp; mov rbp, rsp */
        0x50 | RBX, 0x41, 0x50 | (R12 & 7),         /* push rbx; push r12 */
    };
    for (size_t i = 0; i < sizeof(beginning); i++) {
        if (code[i] != beginning[i]) {
            return 0;
        }
    }
    code += sizeof(beginning);
    size_t pushed = 2;
    for (; code[0] == 0x41 && code[1] > (0x50 | (R12 & 7)) && code[1] <= (0x50 | (R15 & 7));
         code += 2) {
        pushed++;
    }
    size_t room = 0;
    if (code[0] == 0x48 && code[2] == 0xec) {       /* sub rsp, room */
        if (code[1] == 0x83) {
            room = code[3];
        }
        else if (code[1] == 0x81) {
            room = code[3] | (size_t)code[4] << 8 | (size_t)code[5] << 16 | (size_t)code[6] << 24;
        }
    }
    return 8 * pushed + room;
}

unsigned
_PyJit_SavedPlaces(const JitAsm *as, JitSavedPlace places[JIT_MOST_SAVED])
{
    /* DWARF's numbers of these registers; from r8 on they are the processor's. */
    places[0] = (JitSavedPlace){3, 3};          /* rbx */
    places[1] = (JitSavedPlace){R12, 4};
    unsigned n = 2;
    for (JitReg r = R13; r <= R15; r++) {
        if (as->saved & BIT(r)) {
            places[n] = (JitSavedPlace){r, n + 3};
            n++;
        }
    }
    return n;
}

uint32_t
_PyJit_FrameWords(const JitAsm *as)
{
    (void)as;
    return 2;
}

int32_t
_PyJit_SlotDisp(const JitAsm *as, uint32_t slot)
{
    return -8 * (int32_t)(3 + as->nsaved + slot) - as->shift;
}

static void
epilogue(JitAsm *as)
{
    uint32_t room = as->frame_size - 8 * (2 + as->nsaved);
    if (room > 0) {
        arith_imm(as, X86_ADD | XW, RSP, (int32_t)room);
    }
    for (JitReg r = R15; r >= R13; r--) {
        if (as->saved & BIT(r)) {
            pop(as, r);
        }
    }
    pop(as, R12);
    pop(as, RBX);
    pop(as, RBP);
    _PyJit_FrameIs(as, JIT_FRAME_NONE);
}

void
_PyJit_Return(JitAsm *as)
{
    epilogue(as);
    uint8_t *p = jit_room(as);
    *p++ = 0xc3;
    jit_emitted(as, p);
    _PyJit_FrameIs(as, JIT_FRAME_SAVED);
}

/* Calls and jumps to C functions go through a constant. _PyJit_ApplyFixup() turns them into direct
   ones of the same size where the function is in reach. */
void
_PyJit_TailCall(JitAsm *as, const void *function)
{
    epilogue(as);
    near_code(as, 0xff, 4, _PyJit_Constant(as, (uintptr_t)function), FIX_JUMP);
    _PyJit_FrameIs(as, JIT_FRAME_SAVED);
}

void
_PyJit_Call(JitAsm *as, const void *function)
{
    near_code(as, 0xff, 2, _PyJit_Constant(as, (uintptr_t)function), FIX_CALL);
}

void
_PyJit_CallReg(JitAsm *as, JitReg r)
{
    regs(as, 0xff, 2, r);
}

void
_PyJit_JumpReg(JitAsm *as, JitReg r)
{
    regs(as, 0xff, 4, r);
}

void
_PyJit_CallLabel(JitAsm *as, JitLabel label)
{
    uint8_t *p = jit_room(as);
    *p++ = 0xe8;
    end_with_fixup(as, p, label, FIX_REL32);
}

int
_PyJit_ApplyFixup(uint8_t *code, uintptr_t address, uint32_t kind, uint32_t at,
                  uint32_t target, uint64_t constant)
{
    uint8_t *field = code + at;
    int64_t beyond = (int64_t)(constant - (address + at + 4));
    if (kind == FIX_CALL && fits32(beyond)) {
        /* The prefix makes it as long as what it replaces, and does nothing else. */
        field[-2] = 0x67;
        field[-1] = 0xe8;
        put32(field, beyond);
    }
    else if (kind == FIX_JUMP && fits32(beyond + 1)) {
        field[-2] = 0xe9;
        field = put32(field - 1, beyond + 1);
        *field = 0x90;
    }
    else {
        put32(field, (int64_t)target - (at + 4));
    }
    return 0;
}

void
_PyJit_FillGap(uint8_t *code, uint32_t size)
{
    memset(code, 0xcc, size);
}

/* ------------------------------------------------------------------ moves, memory */

void
_PyJit_Mov(JitAsm *as, JitReg d, JitReg s)
{
    if (d != s) {
        regs(as, X86_STORE | XW, s, d);
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
    near_code(as, X86_LEA | XW, d, label, FIX_REL32);
}

void
_PyJit_StoreLabel(JitAsm *as, JitReg base, int32_t disp, JitLabel label)
{
    _PyJit_MovLabel(as, R11, label);
    _PyJit_Store(as, JIT_64, base, disp, R11);
}

static void
load(JitAsm *as, JitWidth w, JitReg d, Memory m)
{
    static const unsigned loads[] = {
        [JIT_8] = 0xb6 | X0F, [JIT_16] = 0xb7 | X0F, [JIT_32] = X86_LOAD, [JIT_64] = X86_LOAD | XW,
        [JIT_S8] = 0xbe | X0F | XW, [JIT_S16] = 0xbf | X0F | XW, [JIT_S32] = 0x63 | XW,
    };
    mem(as, loads[w], d, m);
}

static void
store(JitAsm *as, JitWidth w, Memory m, JitReg s)
{
    static const unsigned stores[] = {
        [JIT_8] = 0x88 | XBYTE, [JIT_16] = X86_STORE | X66, [JIT_32] = X86_STORE,
        [JIT_64] = X86_STORE | XW,
        [JIT_S8] = 0x88 | XBYTE, [JIT_S16] = X86_STORE | X66, [JIT_S32] = X86_STORE,
    };
    mem(as, stores[w], s, m);
}

void
_PyJit_Load(JitAsm *as, JitWidth w, JitReg d, JitReg base, int32_t disp)
{
    load(as, w, d, at(base, disp));
}

void
_PyJit_LoadIndexed(JitAsm *as, JitWidth w, JitReg d, JitReg base, JitReg index, int shift,
                   int32_t disp)
{
    load(as, w, d, at_index(base, index, shift, disp));
}

void
_PyJit_LoadAbs(JitAsm *as, JitWidth w, JitReg d, const void *address)
{
    load(as, w, d, absolute(as, address));
}

void
_PyJit_Store(JitAsm *as, JitWidth w, JitReg base, int32_t disp, JitReg s)
{
    store(as, w, at(base, disp), s);
}

void
_PyJit_StoreIndexed(JitAsm *as, JitWidth w, JitReg base, JitReg index, int shift, int32_t disp,
                    JitReg s)
{
    store(as, w, at_index(base, index, shift, disp), s);
}

void
_PyJit_StoreAbs(JitAsm *as, JitWidth w, const void *address, JitReg s)
{
    store(as, w, absolute(as, address), s);
}

void
_PyJit_StoreImm(JitAsm *as, JitWidth w, JitReg base, int32_t disp, int64_t value)
{
    Memory m = at(base, disp);
    uint8_t *p = jit_room(as);
    switch (w) {
    case JIT_8: case JIT_S8:
        p = put_mem(p, 0xc6, 0, m);
        *p++ = (uint8_t)value;
        break;
    case JIT_16: case JIT_S16:
        /* Not as an immediate of 16 bits, at which decoders stumble. */
        mov_imm(as, SCRATCH, (uint16_t)value);
        store(as, w, m, SCRATCH);
        return;
    case JIT_32: case JIT_S32:
        p = put32(put_mem(p, 0xc7, 0, m), value);
        break;
    case JIT_64:
        if (!fits32(value)) {
            mov_imm(as, SCRATCH, (uint64_t)value);
            store(as, w, m, SCRATCH);
            return;
        }
        p = put32(put_mem(p, 0xc7 | XW, 0, m), value);
        break;
    }
    jit_emitted(as, p);
}

void
_PyJit_Lea(JitAsm *as, JitReg d, JitReg base, JitReg index, int shift, int32_t disp)
{
    mem(as, X86_LEA | XW, d, at_index(base, index, shift, disp));
}

/* ------------------------------------------------------------------------ integers */

static const unsigned two_operands[] = {
    [JIT_ADD] = X86_ADD | XW, [JIT_SUB] = X86_SUB | XW, [JIT_AND] = X86_AND | XW,
    [JIT_OR] = X86_OR | XW, [JIT_XOR] = X86_XOR | XW,
};

static const uint8_t shifts[] = {
    [JIT_SHL] = SHIFT_LEFT, [JIT_SHR] = SHIFT_RIGHT, [JIT_SAR] = SHIFT_SIGNED,
};

/* r = r op s, for all but shifts. */
static void
apply_op(JitAsm *as, JitOp op, JitReg r, JitReg s)
{
    if (op == JIT_MUL) {
        regs(as, X86_IMUL | XW, r, s);
    }
    else {
        regs(as, two_operands[op], s, r);
    }
}

/* The count must be in cl. */
static void
shift(JitAsm *as, JitOp op, JitReg d, JitReg a, JitReg b)
{
    /* Where the result is made: not in rcx, which holds the count. */
    JitReg made = d == RCX ? SCRATCH : d;
    if (d != RCX && b != RCX) {
        _PyJit_Mov(as, SCRATCH, RCX);
        a = a == RCX ? SCRATCH : a;
        /* If d is b, the count must be taken first; if d is a, nothing is moved. */
        _PyJit_Mov(as, RCX, b);
        _PyJit_Mov(as, d, a);
    }
    else {
        _PyJit_Mov(as, made, a);
        _PyJit_Mov(as, RCX, b);
    }
    regs(as, X86_SHIFT_CL | XW, shifts[op], made);
    if (d == RCX || b != RCX) {
        _PyJit_Mov(as, RCX, SCRATCH);
    }
}

void
_PyJit_Op(JitAsm *as, JitOp op, JitReg d, JitReg a, JitReg b)
{
    if (op >= JIT_SHL) {
        shift(as, op, d, a, b);
    }
    else if (d == a) {
        apply_op(as, op, d, b);
    }
    else if (d == b && op == JIT_SUB) {
        regs(as, X86_UNARY | XW, NEG, d);
        apply_op(as, JIT_ADD, d, a);
    }
    else if (d == b) {
        apply_op(as, op, d, a);
    }
    else if (op == JIT_ADD) {
        mem(as, X86_LEA | XW, d, at_index(a, b, 0, 0));
    }
    else {
        _PyJit_Mov(as, d, a);
        apply_op(as, op, d, b);
    }
}

static void
add_imm(JitAsm *as, JitReg d, JitReg a, int64_t value)
{
    if (value == 0) {
        _PyJit_Mov(as, d, a);
    }
    else if (!fits32(value)) {
        JitReg made = d == a ? SCRATCH : d;
        mov_imm(as, made, (uint64_t)value);
        apply_op(as, JIT_ADD, d, d == a ? SCRATCH : a);
    }
    else if (d != a) {
        mem(as, X86_LEA | XW, d, at(a, (int32_t)value));
    }
    else if (value == 128) {
        arith_imm(as, X86_SUB | XW, d, -128);
    }
    else {
        arith_imm(as, X86_ADD | XW, d, (int32_t)value);
    }
}

static void
and_imm(JitAsm *as, JitReg d, JitReg a, int64_t value)
{
    if (value == 0xff) {
        regs(as, 0xb6 | X0F | XBYTE_RM, d, a);
    }
    else if (value == 0xffff) {
        regs(as, 0xb7 | X0F, d, a);
    }
    else if (value == UINT32_MAX) {
        regs(as, X86_STORE, a, d);
    }
    else if (value >= 0 && value < UINT32_MAX) {
        /* 32 bits are enough, since the upper half becomes 0. */
        _PyJit_Mov(as, d, a);
        arith_imm(as, X86_AND, d, (int32_t)value);
    }
    else if (fits32(value)) {
        _PyJit_Mov(as, d, a);
        arith_imm(as, X86_AND | XW, d, (int32_t)value);
    }
    else {
        mov_imm(as, SCRATCH, (uint64_t)value);
        _PyJit_Op(as, JIT_AND, d, a, SCRATCH);
    }
}

static void
or_xor_imm(JitAsm *as, JitOp op, JitReg d, JitReg a, int64_t value)
{
    if (value == 0) {
        _PyJit_Mov(as, d, a);
    }
    else if (fits32(value)) {
        _PyJit_Mov(as, d, a);
        arith_imm(as, two_operands[op], d, (int32_t)value);
    }
    else {
        mov_imm(as, SCRATCH, (uint64_t)value);
        _PyJit_Op(as, op, d, a, SCRATCH);
    }
}

/* Sets the overflow flag. */
static void
imul_imm(JitAsm *as, JitReg d, JitReg a, int32_t value)
{
    uint8_t *p = jit_room(as);
    if (fits8(value)) {
        p = put_regs(p, 0x6b | XW, d, a);
        *p++ = (uint8_t)value;
    }
    else {
        p = put32(put_regs(p, 0x69 | XW, d, a), value);
    }
    jit_emitted(as, p);
}

static void
shift_by(JitAsm *as, JitOp op, JitReg d, JitReg a, unsigned count)
{
    if (op == JIT_SHL && count == 1 && d != a) {
        mem(as, X86_LEA | XW, d, at_index(a, a, 0, 0));
        return;
    }
    _PyJit_Mov(as, d, a);
    if (count != 0) {
        shift_imm(as, shifts[op], d, count);
    }
}

static void
mul_imm(JitAsm *as, JitReg d, JitReg a, int64_t value)
{
    if (value == 3 || value == 5 || value == 9) {
        mem(as, X86_LEA | XW, d, at_index(a, a, __builtin_ctz((unsigned)value - 1), 0));
    }
    else if (value > 0 && (value & (value - 1)) == 0) {
        shift_by(as, JIT_SHL, d, a, (unsigned)__builtin_ctzll((uint64_t)value));
    }
    else if (value == 0) {
        zero(as, d);
    }
    else if (fits32(value)) {
        imul_imm(as, d, a, (int32_t)value);
    }
    else {
        mov_imm(as, SCRATCH, (uint64_t)value);
        _PyJit_Op(as, JIT_MUL, d, a, SCRATCH);
    }
}

void
_PyJit_OpImm(JitAsm *as, JitOp op, JitReg d, JitReg a, int64_t value)
{
    switch (op) {
    case JIT_ADD:
        add_imm(as, d, a, value);
        return;
    case JIT_SUB:
        add_imm(as, d, a, (int64_t)(0 - (uint64_t)value));
        return;
    case JIT_AND:
        and_imm(as, d, a, value);
        return;
    case JIT_OR: case JIT_XOR:
        or_xor_imm(as, op, d, a, value);
        return;
    case JIT_MUL:
        mul_imm(as, d, a, value);
        return;
    case JIT_SHL: case JIT_SHR: case JIT_SAR:
        shift_by(as, op, d, a, (unsigned)value & 63);
        return;
    }
}

void
_PyJit_Neg(JitAsm *as, JitReg d, JitReg s)
{
    _PyJit_Mov(as, d, s);
    regs(as, X86_UNARY | XW, NEG, d);
}

void
_PyJit_Not(JitAsm *as, JitReg d, JitReg s)
{
    _PyJit_Mov(as, d, s);
    regs(as, X86_UNARY | XW, NOT, d);
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
    jcc(as, CC_O, undo.here);
    _PyJit_AddUndo(as, &undo);
}

void
_PyJit_OpOverflow(JitAsm *as, JitOp op, JitReg d, JitReg a, JitReg b, JitLabel label)
{
    if (d == b && op == JIT_ADD) {
        b = a;
        a = d;
    }
    if (d == a && d != b && op != JIT_MUL) {
        apply_op(as, op, d, b);
        undo_on_overflow(as, op, d, b, 0, label);
        return;
    }
    JitReg made = d == a || d == b ? SCRATCH : d;
    _PyJit_Mov(as, made, a);
    apply_op(as, op, made, b);
    jcc(as, CC_O, label);
    _PyJit_Mov(as, d, made);
}

void
_PyJit_OpImmOverflow(JitAsm *as, JitOp op, JitReg d, JitReg a, int64_t value, JitLabel label)
{
    if (!fits32(value)) {
        mov_imm(as, SCRATCH, (uint64_t)value);
        if (op == JIT_MUL && d == a) {
            apply_op(as, op, SCRATCH, a);
            jcc(as, CC_O, label);
            _PyJit_Mov(as, d, SCRATCH);
        }
        else {
            _PyJit_OpOverflow(as, op, d, a, SCRATCH, label);
        }
    }
    else if (op == JIT_MUL) {
        JitReg made = d == a ? SCRATCH : d;
        imul_imm(as, made, a, (int32_t)value);
        jcc(as, CC_O, label);
        _PyJit_Mov(as, d, made);
    }
    else {
        _PyJit_Mov(as, d, a);
        arith_imm(as, two_operands[op], d, (int32_t)value);
        if (d == a) {
            undo_on_overflow(as, op, d, JIT_NO_REG, value, label);
        }
        else {
            jcc(as, CC_O, label);
        }
    }
}

/* Divides rdx:rax. What lives there is kept in the scratch registers: if it is the divisor, that
   is the same copy. */
void
_PyJit_DivRem(JitAsm *as, JitReg quotient, JitReg remainder, JitReg a, JitReg b)
{
    int keep_rax = quotient != RAX && remainder != RAX;
    int keep_rdx = quotient != RDX && remainder != RDX;
    JitReg scratch_holds = b == RAX || b == RDX ? b : keep_rax ? RAX : RDX;
    JitReg float_holds = scratch_holds == RAX ? RDX : RAX;
    int keep_in_scratch = scratch_holds == RAX ? keep_rax : keep_rdx;
    int keep_in_float = float_holds == RAX ? keep_rax : keep_rdx;
    if (keep_in_scratch || b == scratch_holds) {
        _PyJit_Mov(as, SCRATCH, scratch_holds);
    }
    if (keep_in_float) {
        _PyJit_FFromBits(as, FLOAT_SCRATCH, float_holds);
    }
    _PyJit_Mov(as, RAX, a);
    uint8_t *p = put_opcode(jit_room(as), 0x99 | XW, 0, 0, 0);
    jit_emitted(as, p);
    regs(as, X86_UNARY | XW, DIVIDE, b == scratch_holds ? SCRATCH : b);
    if (quotient == RDX && remainder == RAX) {
        regs(as, X86_XCHG | XW, RAX, RDX);
    }
    else if (quotient == RDX) {
        _PyJit_Mov(as, remainder, RDX);
        _PyJit_Mov(as, RDX, RAX);
    }
    else {
        _PyJit_Mov(as, quotient, RAX);
        _PyJit_Mov(as, remainder, RDX);
    }
    if (keep_in_scratch) {
        _PyJit_Mov(as, scratch_holds, SCRATCH);
    }
    if (keep_in_float) {
        _PyJit_FToBits(as, float_holds, FLOAT_SCRATCH);
    }
}

void
_PyJit_AddMem(JitAsm *as, JitWidth w, JitReg base, int32_t disp, int32_t value)
{
    unsigned wide = w == JIT_64 ? XW : 0;
    if (value == 128) {
        arith_mem_imm(as, X86_SUB | wide, at(base, disp), -128);
    }
    else {
        arith_mem_imm(as, X86_ADD | wide, at(base, disp), value);
    }
}

void
_PyJit_DecMemJumpZero(JitAsm *as, JitReg base, int32_t disp, JitLabel label)
{
    mem(as, 0xff | XW, 1, at(base, disp));
    jcc(as, CC_E, label);
}

/* ----------------------------------------------------------------------- branches */

void
_PyJit_Jump(JitAsm *as, JitLabel label)
{
    int known;
    int32_t distance = jit_distance(as, label, _PyJit_AsmHere(as), &known);
    uint8_t *p = jit_room(as);
    if (known && fits8(distance - 2)) {
        *p++ = 0xeb;
        *p++ = (uint8_t)(distance - 2);
        jit_emitted(as, p);
        return;
    }
    *p++ = 0xe9;
    if (known) {
        jit_emitted(as, put32(p, distance - 5));
        return;
    }
    end_with_fixup(as, p, label, FIX_REL32);
}

/* Compares words. `a` may be the scratch register: a large value is then taken from memory. */
static void
compare_imm(JitAsm *as, JitReg a, int64_t value)
{
    if (value == 0) {
        regs(as, X86_TEST | XW, a, a);
    }
    else if (fits32(value)) {
        arith_imm(as, X86_CMP | XW, a, (int32_t)value);
    }
    else if (a == SCRATCH) {
        near_code(as, (X86_CMP + X86_TO_REG) | XW, a, _PyJit_Constant(as, (uint64_t)value),
                  FIX_REL32);
    }
    else {
        mov_imm(as, SCRATCH, (uint64_t)value);
        regs(as, X86_CMP | XW, SCRATCH, a);
    }
}

/* Memory that is extended with zeros is compared as a number without sign, if only as many bits are
   compared as it has. */
static unsigned
without_sign(JitCond cond)
{
    return conditions[cond >= JIT_LT && cond <= JIT_GT ? cond + (JIT_ULT - JIT_LT) : cond];
}

/* Compares extended memory with a value. Returns the condition to look at. */
static unsigned
compare_mem_imm(JitAsm *as, JitCond cond, JitWidth w, Memory m, int64_t value)
{
    if (w == JIT_64 && fits32(value)) {
        arith_mem_imm(as, X86_CMP | XW, m, (int32_t)value);
        return conditions[cond];
    }
    if (w == JIT_64 && m.base != SCRATCH) {
        mov_imm(as, SCRATCH, (uint64_t)value);
        mem(as, X86_CMP | XW, SCRATCH, m);
        return conditions[cond];
    }
    if (w == JIT_S32 ? fits32(value) : w == JIT_32 && value == (uint32_t)value) {
        arith_mem_imm(as, X86_CMP, m, (int32_t)value);
        return w == JIT_32 ? without_sign(cond) : conditions[cond];
    }
    if (w == JIT_16 && value == (value & 127)) {
        arith_mem_imm(as, X86_CMP | X66, m, (int32_t)value);
        return without_sign(cond);
    }
    if (w == JIT_S8 ? fits8(value) : w == JIT_8 && value == (uint8_t)value) {
        uint8_t *p = put_mem(jit_room(as), 0x80, 7, m);
        *p++ = (uint8_t)value;
        jit_emitted(as, p);
        return w == JIT_8 ? without_sign(cond) : conditions[cond];
    }
    load(as, w, SCRATCH, m);
    compare_imm(as, SCRATCH, value);
    return conditions[cond];
}

void
_PyJit_Branch(JitAsm *as, JitCond cond, JitReg a, JitReg b, JitLabel label)
{
    regs(as, X86_CMP | XW, b, a);
    jcc(as, conditions[cond], label);
}

void
_PyJit_BranchImm(JitAsm *as, JitCond cond, JitReg a, int64_t value, JitLabel label)
{
    compare_imm(as, a, value);
    jcc(as, conditions[cond], label);
}

void
_PyJit_BranchMem(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp, JitReg b,
                 JitLabel label)
{
    if (w == JIT_64) {
        mem(as, X86_CMP | XW, b, at(base, disp));
    }
    else {
        load(as, w, SCRATCH, at(base, disp));
        regs(as, X86_CMP | XW, b, SCRATCH);
    }
    jcc(as, conditions[cond], label);
}

void
_PyJit_BranchMemImm(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp,
                    int64_t value, JitLabel label)
{
    jcc(as, compare_mem_imm(as, cond, w, at(base, disp), value), label);
}

void
_PyJit_BranchAbsImm(JitAsm *as, JitCond cond, JitWidth w, const void *address, int64_t value,
                    JitLabel label)
{
    jcc(as, compare_mem_imm(as, cond, w, absolute(as, address), value), label);
}

/* Tests bits of a word, by the shortest instruction. Returns the condition for "none is set". */
static unsigned
test_bits(JitAsm *as, JitReg a, int64_t mask)
{
    if (mask == (uint8_t)mask) {
        if (a == RAX) {
            uint8_t *p = jit_room(as);
            *p++ = 0xa8;
            *p++ = (uint8_t)mask;
            jit_emitted(as, p);
        }
        else {
            imm_byte(as, X86_UNARY8 | XBYTE_RM, TEST_IMM, a, (uint8_t)mask);
        }
    }
    else if (mask == -1) {
        regs(as, X86_TEST | XW, a, a);
    }
    else if (mask == (uint32_t)mask || fits32(mask)) {
        unsigned wide = mask < 0 ? XW : 0;
        uint8_t *p = a == RAX ? put_opcode(jit_room(as), 0xa9 | wide, 0, 0, 0)
                              : put_regs(jit_room(as), X86_UNARY | wide, TEST_IMM, a);
        jit_emitted(as, put32(p, mask));
    }
    else if (__builtin_popcountll((uint64_t)mask) == 1) {
        imm_byte(as, 0xba | X0F | XW, 4, a, (uint8_t)__builtin_ctzll((uint64_t)mask));
        return CC_AE;           /* the bit is in the carry flag */
    }
    else if (a == SCRATCH) {
        near_code(as, X86_TEST | XW, a, _PyJit_Constant(as, (uint64_t)mask), FIX_REL32);
    }
    else {
        mov_imm(as, SCRATCH, (uint64_t)mask);
        regs(as, X86_TEST | XW, SCRATCH, a);
    }
    return CC_E;
}

/* The same of memory: if the bits are within one byte, only that is read. */
static unsigned
test_mem_bits(JitAsm *as, JitWidth w, JitReg base, int32_t disp, int64_t mask)
{
    static const uint8_t sizes[] = {
        [JIT_8] = 1, [JIT_16] = 2, [JIT_32] = 4, [JIT_64] = 8,
        [JIT_S8] = 1, [JIT_S16] = 2, [JIT_S32] = 4,
    };
    unsigned size = sizes[w];
    uint64_t bits = (uint64_t)mask;
    int within = size == 8 || bits >> 8 * size == 0;
    unsigned byte = bits == 0 ? 0 : (unsigned)__builtin_ctzll(bits) / 8;
    uint8_t *p = jit_room(as);
    if (within && disp <= INT32_MAX - 8) {
        if (bits >> 8 * byte <= 0xff) {
            p = put_mem(p, X86_UNARY8, TEST_IMM, at(base, disp + (int32_t)byte));
            *p++ = (uint8_t)(bits >> 8 * byte);
            jit_emitted(as, p);
            return CC_E;
        }
        if (size >= 4 && (bits <= UINT32_MAX || (uint32_t)bits == 0)) {
            int upper = bits > UINT32_MAX;
            p = put_mem(p, X86_UNARY, TEST_IMM, at(base, disp + (upper ? 4 : 0)));
            jit_emitted(as, put32(p, (int64_t)(upper ? bits >> 32 : bits)));
            return CC_E;
        }
    }
    load(as, w, SCRATCH, at(base, disp));
    return test_bits(as, SCRATCH, mask);
}

void
_PyJit_BranchBits(JitAsm *as, JitCond cond, JitReg a, int64_t mask, JitLabel label)
{
    jcc(as, test_bits(as, a, mask) ^ (cond == JIT_NE), label);
}

void
_PyJit_BranchMemBits(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp,
                     int64_t mask, JitLabel label)
{
    jcc(as, test_mem_bits(as, w, base, disp, mask) ^ (cond == JIT_NE), label);
}

/* From a condition to 0 or 1 in d. Clearing d first is best, but it may be what is compared. */
static void
set_after(JitAsm *as, unsigned cc, JitReg d, int cleared)
{
    setcc(as, cc, d);
    if (!cleared) {
        regs(as, 0xb6 | X0F | XBYTE_RM, d, d);
    }
}

void
_PyJit_Set(JitAsm *as, JitCond cond, JitReg d, JitReg a, JitReg b)
{
    int clear = d != a && d != b;
    if (clear) {
        zero(as, d);
    }
    regs(as, X86_CMP | XW, b, a);
    set_after(as, conditions[cond], d, clear);
}

void
_PyJit_SetImm(JitAsm *as, JitCond cond, JitReg d, JitReg a, int64_t value)
{
    if (d != a) {
        zero(as, d);
    }
    compare_imm(as, a, value);
    set_after(as, conditions[cond], d, d != a);
}

void
_PyJit_Select(JitAsm *as, JitCond cond, JitReg d, JitReg a, JitReg b, JitReg x, JitReg y)
{
    if (x == y) {
        _PyJit_Mov(as, d, x);
        return;
    }
    unsigned cc = conditions[cond];
    regs(as, X86_CMP | XW, b, a);
    if (d == x) {
        regs(as, X86_CMOV | (cc ^ 1) | X0F | XW, d, y);
    }
    else {
        _PyJit_Mov(as, d, y);
        regs(as, X86_CMOV | cc | X0F | XW, d, x);
    }
}

/* ------------------------------------------------------------------------- doubles */

void
_PyJit_FMov(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    if (d != s) {
        regs(as, X86_FMOV, d, s);
    }
}

static void
load_constant(JitAsm *as, JitFloatReg d, uint64_t bits)
{
    near_code(as, X86_FLOAD, d, _PyJit_Constant(as, bits), FIX_REL32);
}

void
_PyJit_FMovImm(JitAsm *as, JitFloatReg d, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    if (bits == 0) {
        regs(as, X86_FXOR, d, d);
    }
    else {
        load_constant(as, d, bits);
    }
}

void
_PyJit_FLoad(JitAsm *as, JitFloatReg d, JitReg base, int32_t disp)
{
    mem(as, X86_FLOAD, d, at(base, disp));
}

void
_PyJit_FStore(JitAsm *as, JitReg base, int32_t disp, JitFloatReg s)
{
    mem(as, X86_FSTORE, s, at(base, disp));
}

void
_PyJit_StoreZeros(JitAsm *as, JitReg base, int32_t disp, int pairs)
{
    regs(as, X86_FXOR, FLOAT_SCRATCH, FLOAT_SCRATCH);
    for (int i = 0; i < pairs; i++) {
        mem(as, X86_FSTORE_PAIR, FLOAT_SCRATCH, at(base, disp + 16 * i));
    }
}

void
_PyJit_FFromBits(JitAsm *as, JitFloatReg d, JitReg s)
{
    regs(as, X86_FROM_BITS, d, s);
}

void
_PyJit_FToBits(JitAsm *as, JitReg d, JitFloatReg s)
{
    regs(as, X86_TO_BITS, s, d);
}

void
_PyJit_FOp(JitAsm *as, JitFloatOp op, JitFloatReg d, JitFloatReg a, JitFloatReg b)
{
    static const unsigned ops[] = {
        [JIT_FADD] = 0x58 | X0F | XF2, [JIT_FSUB] = 0x5c | X0F | XF2,
        [JIT_FMUL] = 0x59 | X0F | XF2, [JIT_FDIV] = 0x5e | X0F | XF2,
    };
    if (d == b && d != a) {
        if (op == JIT_FADD || op == JIT_FMUL) {
            b = a;
            a = d;
        }
        else {
            _PyJit_FMov(as, FLOAT_SCRATCH, b);
            b = FLOAT_SCRATCH;
        }
    }
    _PyJit_FMov(as, d, a);
    regs(as, ops[op], d, b);
}

/* From d to d, so as not to wait for what d held before. */
void
_PyJit_FSqrt(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    _PyJit_FMov(as, d, s);
    regs(as, 0x51 | X0F | XF2, d, d);
}

/* d = s with some bits changed. */
static void
with_mask(JitAsm *as, unsigned op, JitFloatReg d, JitFloatReg s, uint64_t mask)
{
    JitFloatReg other = d == s ? FLOAT_SCRATCH : s;
    load_constant(as, d == s ? FLOAT_SCRATCH : d, mask);
    regs(as, op, d, other);
}

void
_PyJit_FNeg(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    with_mask(as, X86_FXOR, d, s, (uint64_t)1 << 63);
}

void
_PyJit_FAbs(JitAsm *as, JitFloatReg d, JitFloatReg s)
{
    with_mask(as, X86_FAND, d, s, ~((uint64_t)1 << 63));
}

/* The conversion leaves the upper half as it is: clearing d first ends the wait for it. */
void
_PyJit_FFromInt(JitAsm *as, JitFloatReg d, JitReg s)
{
    regs(as, X86_FXOR, d, d);
    regs(as, 0x2a | X0F | XF2 | XW, d, s);
}

void
_PyJit_FToInt(JitAsm *as, JitReg d, JitFloatReg s)
{
    regs(as, 0x2c | X0F | XF2 | XW, d, s);
}

/* Comparing sets flags as for numbers without sign, and with a NaN those for "equal" and for
   "below" together. So "above" is never true with a NaN, "below" always; the order of operands
   is chosen for that. Returns the condition; those of JIT_EQ and JIT_NE don't heed NaNs, which set
   the parity flag. */
static unsigned
compare_floats(JitAsm *as, JitCond cond, JitFloatReg a, JitFloatReg b, int unordered)
{
    static const uint8_t ordered_cc[] = {
        [JIT_EQ] = CC_E, [JIT_NE] = CC_NE,
        [JIT_LT] = CC_A, [JIT_GE] = CC_AE, [JIT_LE] = CC_AE, [JIT_GT] = CC_A,
    };
    static const uint8_t unordered_cc[] = {
        [JIT_EQ] = CC_E, [JIT_NE] = CC_NE,
        [JIT_LT] = CC_B, [JIT_GE] = CC_BE, [JIT_LE] = CC_BE, [JIT_GT] = CC_B,
    };
    int less = cond == JIT_LT || cond == JIT_LE;
    int greater = cond == JIT_GT || cond == JIT_GE;
    if (unordered ? greater : less) {
        regs(as, X86_FCMP, b, a);
    }
    else {
        regs(as, X86_FCMP, a, b);
    }
    return unordered ? unordered_cc[cond] : ordered_cc[cond];
}

void
_PyJit_FBranch(JitAsm *as, JitCond cond, JitFloatReg a, JitFloatReg b, int unordered,
               JitLabel label)
{
    unsigned cc = compare_floats(as, cond, a, b, unordered);
    if (cond == JIT_EQ && !unordered) {
        JitLabel no = _PyJit_NewLabel(as);
        jcc(as, CC_P, no);
        jcc(as, cc, label);
        _PyJit_Bind(as, no);
        return;
    }
    if (cond == JIT_NE && unordered) {
        jcc(as, CC_P, label);
    }
    jcc(as, cc, label);
}

void
_PyJit_FSet(JitAsm *as, JitCond cond, JitReg d, JitFloatReg a, JitFloatReg b)
{
    zero(as, d);
    unsigned cc = compare_floats(as, cond, a, b, 0);
    if (cond == JIT_EQ) {
        setcc(as, CC_NP, SCRATCH);
        setcc(as, cc, d);
        regs(as, X86_AND, SCRATCH, d);
    }
    else if (cond == JIT_NE) {
        setcc(as, CC_P, SCRATCH);
        setcc(as, cc, d);
        regs(as, 0x08 | XBYTE | XBYTE_RM, SCRATCH, d);
    }
    else {
        setcc(as, cc, d);
    }
}

#endif

/* Machine code, an instruction at a time: one interface, an emitter for each architecture
   (emit_x86_64.c, emit_aarch64.c).

   Operations have three operands; an emitter that needs two or fixed registers moves values
   itself, by way of its scratch registers, which the interface never shows (x86-64: r11, xmm15;
   aarch64: x16, x17, v31). Every destination may be one of the sources. Immediates may be of any
   size. There are no flags between operations: what tests also branches.

   Code is collected in two parts, the usual path and the rare one; the rare part is placed
   behind the usual one. Labels may be used before they are bound, and across parts. When memory
   runs out, `failed` is set, and what is emitted from then on is lost; callers look once, at
   the end. Nothing here raises, and the GIL is not needed. */
#ifndef SB_JIT_EMIT_H
#define SB_JIT_EMIT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__aarch64__)
#  define SB_HAVE_EMITTER 1
#endif

typedef uint8_t JitReg;         /* the architecture's number of a general register */
#define JIT_NO_REG 0xff
typedef uint8_t JitFloatReg;
typedef uint32_t JitLabel;
typedef uint32_t JitRegSet;     /* a bit for each register */

/* ------------------------------------------------------- registers and their roles */

/* What an architecture has. General registers that no set names are the emitter's own. */
typedef struct {
    const char *name;
    JitRegSet caller_saved, callee_saved;       /* to allocate; without those below */
    JitRegSet float_caller_saved, float_callee_saved;
    JitReg frame, thread;                       /* hold f and ts in compiled code; callee-saved */
    JitReg args[6], result, result2;            /* of C functions; caller-saved; may overlap */
    JitReg callee;                              /* what is called: neither of args[0] to [4] */
    JitFloatReg float_args[4], float_result;
    JitReg frame_pointer;                       /* base of the spill slots */
} JitMachine;

extern const JitMachine _PyJit_Machine;         /* of the machine that this runs on */

/* -------------------------------------------------------------------- the assembler */

typedef struct {
    uint8_t *bytes;
    uint32_t used, size;
} JitPart;

typedef struct {
    const JitMachine *machine;
    JitPart parts[2];           /* usual, rare */
    int part;                   /* the one in which code is emitted now */
    int failed;
    /* Labels and the places that wait for them: the emitter's own. */
    struct JitLabelState *labels;
    uint32_t nlabels, labels_size;
    struct JitFixup *fixups;
    uint32_t nfixups, fixups_size;
    /* Constants that code loads, deduplicated and placed behind it. */
    uint64_t *constants;
    uint32_t nconstants, constants_size;
    uint32_t last_constant;     /* that was asked for and known */
    /* Sums to restore after an overflow. */
    struct JitUndo *undos;
    uint32_t nundos, undos_size;
    /* Callee-saved registers that the function uses (prologue), and the bytes below or above the
       frame pointer that its frame has for them and for slots. */
    JitRegSet saved, saved_floats;
    uint32_t frame_size;
    uint32_t nsaved;            /* of `saved` */
    int32_t shift;              /* how far behind its frame the frame pointer is now */
    /* Where the frame is made and undone (frame_info.c). */
    struct JitFrameChange *frame_changes;
    uint32_t nframe_changes, frame_changes_size;
    uint8_t lost[32];           /* where code goes when memory has run out */
} JitAsm;

void _PyJit_AsmInit(JitAsm *as);
void _PyJit_AsmFree(JitAsm *as);
/* Begins again, another function or the same one, with the memory that there is: of one that has
   been finished, or all zero. */
void _PyJit_AsmAgain(JitAsm *as);
/* Chooses the part for what follows: 0 usual, 1 rare. */
static inline void
_PyJit_AsmPart(JitAsm *as, int part)
{
    as->part = part;
}
/* Where the next instruction will be: the part in the top bit, the offset within it below. */
static inline uint32_t
_PyJit_AsmHere(JitAsm *as)
{
    return as->parts[as->part].used | (uint32_t)as->part << 31;
}
/* Such a place as an offset from the start of the finished code; of the rare part, when the usual
   one is complete. */
uint32_t _PyJit_AsmOffset(JitAsm *as, uint32_t here);
/* The size of the finished code, constants included. Nothing is emitted after this. */
size_t _PyJit_AsmSize(JitAsm *as);
/* Writes the finished code to `to`; it will run at `address` (which differs from `to` when the
   same pages are mapped twice). 0, or -1: it failed, or something is out of reach. */
int _PyJit_AsmFinish(JitAsm *as, uint8_t *to, uintptr_t address);

JitLabel _PyJit_NewLabel(JitAsm *as);
void _PyJit_Bind(JitAsm *as, JitLabel label);
/* The same of a bound label. */
uint32_t _PyJit_LabelOffset(JitAsm *as, JitLabel label);

/* ---------------------------------------------------------------------- a function */

/* Pushes the frame pointer, makes room for `slots` words, saves the registers in `saved`
   (callee-saved, general and float), and moves the first two arguments to `frame` and `thread`,
   which are saved, too. The other arguments stay where they are. Slot i is at frame pointer +
   _PyJit_SlotDisp(as, i). A function may have several prologues, all alike. */
void _PyJit_Prologue(JitAsm *as, JitRegSet saved, JitRegSet saved_floats, uint32_t slots);
int32_t _PyJit_SlotDisp(const JitAsm *as, uint32_t slot);
/* How far below the frame pointer it puts the end of the stack, or 0: there is no prologue at
   `code`, or the frame pointer is at the end. Async-signal-safe. */
size_t _PyJit_FrameOfPrologue(const uint8_t *code);
/* The frame pointer moves to so many bytes behind its frame, where slots are found all the same.
   Not in a function's beginnings and ends. */
void _PyJit_MoveFrame(JitAsm *as, int32_t shift);
/* Who comes here has moved it there. */
void _PyJit_FrameIsAt(JitAsm *as, int32_t shift);

/* What an unwinder needs to know, from an instruction on. */
typedef enum {
    JIT_FRAME_NONE,             /* as at entry */
    JIT_FRAME_ROOM,             /* the same, but there is room for the frame */
    JIT_FRAME_PUSHED,           /* the caller's frame pointer is saved */
    JIT_FRAME_LINKED,           /* … and the frame pointer is this frame's */
    JIT_FRAME_SAVED,            /* … and registers are saved */
} JitFrameState;

enum { JIT_MOST_SAVED = 24 };
typedef struct {
    uint8_t dwarf;              /* the register's number there */
    uint32_t words;             /* how many words below the frame's end it is */
} JitSavedPlace;

/* The registers saved by prologues, without the frame pointer; how many. */
unsigned _PyJit_SavedPlaces(const JitAsm *as, JitSavedPlace places[JIT_MOST_SAVED]);
/* How many words below the frame's end the caller's frame pointer is saved. */
uint32_t _PyJit_FrameWords(const JitAsm *as);

/* Undoes the prologue and returns; the result is in its register already. */
void _PyJit_Return(JitAsm *as);
/* Undoes the prologue and jumps to a C function, whose arguments are in place. */
void _PyJit_TailCall(JitAsm *as, const void *function);

/* ------------------------------------------------------------------ moves, memory */

typedef enum { JIT_8, JIT_16, JIT_32, JIT_64, JIT_S8, JIT_S16, JIT_S32 } JitWidth;

void _PyJit_Mov(JitAsm *as, JitReg d, JitReg s);
void _PyJit_MovImm(JitAsm *as, JitReg d, uint64_t value);
/* d = the address of a label of this code. */
void _PyJit_MovLabel(JitAsm *as, JitReg d, JitLabel label);
/* Memory at base + disp = the same. */
void _PyJit_StoreLabel(JitAsm *as, JitReg base, int32_t disp, JitLabel label);
/* Zero- or sign-extended to 64 bits. */
void _PyJit_Load(JitAsm *as, JitWidth w, JitReg d, JitReg base, int32_t disp);
/* base + (index << shift) + disp, shift at most 3. */
void _PyJit_LoadIndexed(JitAsm *as, JitWidth w, JitReg d, JitReg base, JitReg index,
                        int shift, int32_t disp);
void _PyJit_Store(JitAsm *as, JitWidth w, JitReg base, int32_t disp, JitReg s);
void _PyJit_StoreIndexed(JitAsm *as, JitWidth w, JitReg base, JitReg index, int shift,
                         int32_t disp, JitReg s);
void _PyJit_StoreImm(JitAsm *as, JitWidth w, JitReg base, int32_t disp, int64_t value);
/* Two words of zero, `pairs` times. */
void _PyJit_StoreZeros(JitAsm *as, JitReg base, int32_t disp, int pairs);
/* d = base + (index << shift) + disp, without wrapping checks. */
void _PyJit_Lea(JitAsm *as, JitReg d, JitReg base, JitReg index, int shift, int32_t disp);
/* Load and store at an absolute address. */
void _PyJit_LoadAbs(JitAsm *as, JitWidth w, JitReg d, const void *address);
void _PyJit_StoreAbs(JitAsm *as, JitWidth w, const void *address, JitReg s);

/* ------------------------------------------------------------------------ integers */

typedef enum { JIT_ADD, JIT_SUB, JIT_AND, JIT_OR, JIT_XOR, JIT_MUL,
               JIT_SHL, JIT_SHR, JIT_SAR } JitOp;

/* 64 bits; shift counts are taken modulo 64. */
void _PyJit_Op(JitAsm *as, JitOp op, JitReg d, JitReg a, JitReg b);
void _PyJit_OpImm(JitAsm *as, JitOp op, JitReg d, JitReg a, int64_t value);
void _PyJit_Neg(JitAsm *as, JitReg d, JitReg s);
void _PyJit_Not(JitAsm *as, JitReg d, JitReg s);
/* ADD, SUB, MUL of signed words; jumps to `label` on overflow, and then d holds anything,
   but a and b keep their values (also if one of them is d: those are restored or the sum is
   made elsewhere first). */
void _PyJit_OpOverflow(JitAsm *as, JitOp op, JitReg d, JitReg a, JitReg b, JitLabel label);
void _PyJit_OpImmOverflow(JitAsm *as, JitOp op, JitReg d, JitReg a, int64_t value,
                          JitLabel label);
/* Signed division that truncates; b is not 0, nor is it INT64_MIN / -1. The two destinations
   differ. */
void _PyJit_DivRem(JitAsm *as, JitReg quotient, JitReg remainder, JitReg a, JitReg b);
/* memory += value (a word of 32 or 64 bits). */
void _PyJit_AddMem(JitAsm *as, JitWidth w, JitReg base, int32_t disp, int32_t value);
/* --memory (64 bits), jumps if it is 0 then. */
void _PyJit_DecMemJumpZero(JitAsm *as, JitReg base, int32_t disp, JitLabel label);

/* ----------------------------------------------------------------------- branches */

typedef enum { JIT_EQ, JIT_NE, JIT_LT, JIT_GE, JIT_LE, JIT_GT,
               JIT_ULT, JIT_UGE, JIT_ULE, JIT_UGT } JitCond;
#define JIT_NEGATED(cond) ((JitCond)((cond) ^ 1))

void _PyJit_Jump(JitAsm *as, JitLabel label);
void _PyJit_JumpReg(JitAsm *as, JitReg r);
void _PyJit_Branch(JitAsm *as, JitCond cond, JitReg a, JitReg b, JitLabel label);
void _PyJit_BranchImm(JitAsm *as, JitCond cond, JitReg a, int64_t value, JitLabel label);
/* Compares memory, extended to 64 bits as by a load, with a register or an immediate. */
void _PyJit_BranchMem(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp, JitReg b,
                      JitLabel label);
void _PyJit_BranchMemImm(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp,
                         int64_t value, JitLabel label);
/* The same for memory at an absolute address. */
void _PyJit_BranchAbsImm(JitAsm *as, JitCond cond, JitWidth w, const void *address,
                         int64_t value, JitLabel label);
/* Branches on a & mask: JIT_EQ if it is 0, JIT_NE if not. */
void _PyJit_BranchBits(JitAsm *as, JitCond cond, JitReg a, int64_t mask, JitLabel label);
void _PyJit_BranchMemBits(JitAsm *as, JitCond cond, JitWidth w, JitReg base, int32_t disp,
                          int64_t mask, JitLabel label);
/* d = a cond b ? 1 : 0. */
void _PyJit_Set(JitAsm *as, JitCond cond, JitReg d, JitReg a, JitReg b);
void _PyJit_SetImm(JitAsm *as, JitCond cond, JitReg d, JitReg a, int64_t value);
/* d = a cond b ? x : y. */
void _PyJit_Select(JitAsm *as, JitCond cond, JitReg d, JitReg a, JitReg b, JitReg x, JitReg y);

/* -------------------------------------------------------------------------- calls */

void _PyJit_Call(JitAsm *as, const void *function);
void _PyJit_CallReg(JitAsm *as, JitReg r);
void _PyJit_CallLabel(JitAsm *as, JitLabel label);

/* ------------------------------------------------------------------------- doubles */

typedef enum { JIT_FADD, JIT_FSUB, JIT_FMUL, JIT_FDIV } JitFloatOp;

void _PyJit_FMov(JitAsm *as, JitFloatReg d, JitFloatReg s);
void _PyJit_FMovImm(JitAsm *as, JitFloatReg d, double value);
void _PyJit_FLoad(JitAsm *as, JitFloatReg d, JitReg base, int32_t disp);
void _PyJit_FStore(JitAsm *as, JitReg base, int32_t disp, JitFloatReg s);
/* The bits of one in the other. */
void _PyJit_FFromBits(JitAsm *as, JitFloatReg d, JitReg s);
void _PyJit_FToBits(JitAsm *as, JitReg d, JitFloatReg s);
void _PyJit_FOp(JitAsm *as, JitFloatOp op, JitFloatReg d, JitFloatReg a, JitFloatReg b);
void _PyJit_FSqrt(JitAsm *as, JitFloatReg d, JitFloatReg s);
void _PyJit_FNeg(JitAsm *as, JitFloatReg d, JitFloatReg s);
void _PyJit_FAbs(JitAsm *as, JitFloatReg d, JitFloatReg s);
void _PyJit_FFromInt(JitAsm *as, JitFloatReg d, JitReg s);
/* Truncates; what does not fit gives anything. */
void _PyJit_FToInt(JitAsm *as, JitReg d, JitFloatReg s);
/* The first six conditions. If an operand is a NaN, the branch is taken iff `unordered`. (So
   "unless a < b" is JIT_GE with unordered 1.) */
void _PyJit_FBranch(JitAsm *as, JitCond cond, JitFloatReg a, JitFloatReg b, int unordered,
                    JitLabel label);
/* d = a cond b ? 1 : 0; with a NaN 1 for JIT_NE only. */
void _PyJit_FSet(JitAsm *as, JitCond cond, JitReg d, JitFloatReg a, JitFloatReg b);

#endif

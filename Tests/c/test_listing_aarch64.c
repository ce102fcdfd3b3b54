/* The bytes of aarch64's instructions are those that llvm-mc makes of the same text. */
#define TESTED_EMITTER aarch64
#include "renamed_emitter.h"
#include "Python/jit/emit.c"
#include "Python/jit/emit_aarch64.c"
#include "suite.h"

#define LISTING_TRIPLE "aarch64-linux-gnu"
#define LISTING_HEAD ""
#define LISTING_GAP 0
#include "machine_listing.h"

/* 31 is left out: it is the stack pointer or zero. */
#define EACH_REG(r) for (JitReg r = 0; r < 31; r++)

static const char *const load_names[] = {"ldrb w", "ldrh w", "ldr w", "ldr x", "ldrsb x", "ldrsh x",
                                         "ldrsw x"};
static const char *const store_names[] = {"strb w", "strh w", "str w", "str x", "strb w", "strh w",
                                          "str w"};

/* The same with a displacement that is not scaled. */
static const char *
unscaled(const char *name)
{
    const char *rest = name + 2;
    return texts("%.2su%s", name, rest);
}

static int
size_of(JitWidth w)
{
    return 1 << loads[w].log;
}

START_TEST(test_listing_of_moves)
{
    start_listing();
    EACH_REG(a) {
        EACH_REG(b) {
            LISTS(_PyJit_Mov(&as, a, b), a == b ? "" : "mov x%d, x%d", a, b);
            LISTS(_PyJit_FMov(&as, a, b), a == b ? "" : "fmov d%d, d%d", a, b);
            JitWidth w = (a + b) % 7u;
            int size = size_of(w), shift = (int)loads[w].log, most = 4095 * size;
            const char *load = load_names[w], *store = store_names[w];
            LISTS(_PyJit_Load(&as, w, a, b, 0), "%s%d, [x%d]", load, a, b);
            LISTS(_PyJit_Load(&as, w, a, b, most), "%s%d, [x%d, %d]", load, a, b, most);
            LISTS(_PyJit_Load(&as, w, a, b, -1), "%s%d, [x%d, -1]", unscaled(load), a, b);
            LISTS(_PyJit_Load(&as, w, a, b, -256), "%s%d, [x%d, -256]", unscaled(load), a, b);
            LISTS(_PyJit_Load(&as, w, a, b, 0x10000),
                  "add x16, x%d, 16, lsl 12\n%s%d, [x16]", b, load, a);
            LISTS(_PyJit_Load(&as, w, a, b, -0x1000 + size),
                  "sub x16, x%d, 1, lsl 12\n%s%d, [x16, %d]", b, load, a, size);
            LISTS(_PyJit_Load(&as, w, a, b, 0x7fffffff),
                  "mov x16, 0x7fffffff\n%s%d, [x%d, x16]", load, a, b);
            LISTS(_PyJit_Store(&as, w, b, size, a), "%s%d, [x%d, %d]", store, a, b, size);
            LISTS(_PyJit_Store(&as, w, b, -256, a), "%s%d, [x%d, -256]", unscaled(store), a, b);
            LISTS(_PyJit_LoadIndexed(&as, w, a, b, a ^ 1, 0, 0), "%s%d, [x%d, x%d]", load, a, b,
                  a ^ 1);
            LISTS(_PyJit_StoreIndexed(&as, w, b, b, shift, 0, a),
                  shift ? "%s%d, [x%d, x%d, lsl %d]" : "%s%d, [x%d, x%d]", store, a, b, b, shift);
            LISTS(_PyJit_LoadIndexed(&as, w, a, b, a, 3, 8 * size),
                  "add x16, x%d, x%d, lsl 3\n%s%d, [x16, %d]", b, a, load, a, 8 * size);
            LISTS(_PyJit_FLoad(&as, a, b, 8), "ldr d%d, [x%d, 8]", a, b);
            LISTS(_PyJit_FStore(&as, b, -8, a), "stur d%d, [x%d, -8]", a, b);
            LISTS(_PyJit_Lea(&as, a, b, a, 2, 0), "add x%d, x%d, x%d, lsl 2", a, b, a);
        }
        LISTS(_PyJit_StoreImm(&as, JIT_64, a, 8, 0), "str xzr, [x%d, 8]", a);
        LISTS(_PyJit_StoreZeros(&as, a, 8, 2),
              "stp xzr, xzr, [x%d, 8]\nstp xzr, xzr, [x%d, 24]", a, a);
        LISTS(_PyJit_StoreZeros(&as, a, 1024, 2),
              "add x16, x%d, 1024\nstp xzr, xzr, [x16]\nstp xzr, xzr, [x16, 16]", a);
        LISTS(_PyJit_StoreImm(&as, JIT_8, a, 8, -1), "mov x17, 255\nstrb w17, [x%d, 8]", a);
        LISTS(_PyJit_LoadAbs(&as, JIT_64, a, (void *)0x12345678),
              "movz x16, 0x5678\nmovk x16, 0x1234, lsl 16\nldr x%d, [x16]", a);
    }
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_constants)
{
    static const uint64_t single[] = {
        0, 1, 0xffff, 0x10000, 0xffff0000, 0xffffull << 48, 1ull << 63, UINT64_MAX,
        UINT64_MAX - 1, ~0xffffull << 48, ~0x12340000ull, ~(0x1234ull << 32), 0xaaaaaaaaaaaaaaaa,
        0x5555555555555555, 0x00ff00ff00ff00ff, 0xff0000000000000f, 0x0000fffffffff000,
        0xfffffffe00000001, 0x7fffffff, 0xfffffff0,
    };
    start_listing();
    EACH_REG(a) {
        for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
            LISTS(_PyJit_MovImm(&as, a, single[i]), "mov x%d, %#lx", a, (unsigned long)single[i]);
        }
        LISTS(_PyJit_MovImm(&as, a, 0x7f1234567890),
              "movz x%d, 0x7890\nmovk x%d, 0x3456, lsl 16\nmovk x%d, 0x7f12, lsl 32", a, a, a);
        LISTS(_PyJit_MovImm(&as, a, (uint64_t)-0x12345678),
              "movn x%d, 0x5677\nmovk x%d, 0xedcb, lsl 16", a, a);
    }
    for (int i = 0; i < 256; i++) {
        double value = (16 + i % 16) / 16.0 * (1 << i / 16 % 8) / 8;
        value = i & 128 ? -value : value;
        LISTS(_PyJit_FMovImm(&as, i % 32u, value), "fmov d%d, %.10f", i % 32, value);
    }
    LISTS(_PyJit_FMovImm(&as, 3, 0.0), "movi d3, #0");
    LISTS(_PyJit_FMovImm(&as, 3, -0.0), "ldr d3, minus_zero");
    LISTS(_PyJit_FMovImm(&as, 30, 0.1), "ldr d30, tenth");
    LISTS(_PyJit_FMovImm(&as, 3, 0.0625), "ldr d3, sixteenth");
    LISTS(_PyJit_FMovImm(&as, 3, 33 / 32.0), "ldr d3, five_bits");
    check_listing("minus_zero: .quad 1 << 63\ntenth: .double 0.1\nsixteenth: .double 0.0625\n"
                  "five_bits: .double 1.03125");
}
END_TEST

/* Every constant that the logical instructions can have. */
START_TEST(test_listing_of_bit_masks)
{
    start_listing();
    for (unsigned size = 2; size <= 64; size *= 2) {
        for (unsigned ones = 1; ones < size; ones++) {
            for (unsigned first = 0; first < size; first++) {
                uint64_t all = UINT64_MAX >> (64 - size), run = UINT64_MAX >> (64 - ones), mask = 0;
                run = (run << first | (first ? run >> (size - first) : 0)) & all;
                for (unsigned i = 0; i < 64; i += size) {
                    mask |= run << i;
                }
                LISTS(_PyJit_OpImm(&as, JIT_XOR, 1, 2, (int64_t)mask), "eor x1, x2, %#lx",
                      (unsigned long)mask);
            }
        }
    }
    EACH_REG(a) {
        LISTS(_PyJit_OpImm(&as, JIT_AND, a, 30 - a, 255), "and x%d, x%d, 255", a, 30 - a);
        LISTS(_PyJit_OpImm(&as, JIT_OR, a, 30 - a, 1), "orr x%d, x%d, 1", a, 30 - a);
        LISTS(_PyJit_OpImm(&as, JIT_AND, a, 30 - a, 5), "mov x16, 5\nand x%d, x%d, x16", a, 30 - a);
    }
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_integers)
{
    static const char *const names[] = {"add", "sub", "and", "orr", "eor", "mul", "lsl", "lsr",
                                        "asr"};
    start_listing();
    EACH_REG(a) {
        EACH_REG(b) {
            JitReg d = (a + 2 * b) % 31;
            for (int op = JIT_ADD; op <= JIT_SAR; op++) {
                LISTS(_PyJit_Op(&as, op, d, a, b), "%s x%d, x%d, x%d", names[op], d, a, b);
            }
            for (int op = JIT_SHL; op <= JIT_SAR; op++) {
                LISTS(_PyJit_OpImm(&as, op, a, b, 1), "%s x%d, x%d, 1", names[op], a, b);
                LISTS(_PyJit_OpImm(&as, op, a, b, 63), "%s x%d, x%d, 63", names[op], a, b);
            }
            LISTS(_PyJit_OpImm(&as, JIT_ADD, a, b, 4095), "add x%d, x%d, 4095", a, b);
            LISTS(_PyJit_OpImm(&as, JIT_ADD, a, b, 0x123000), "add x%d, x%d, 0x123, lsl 12", a, b);
            LISTS(_PyJit_OpImm(&as, JIT_SUB, a, b, 1), "sub x%d, x%d, 1", a, b);
            LISTS(_PyJit_OpImm(&as, JIT_SUB, a, b, 0x123456),
                  "sub x%d, x%d, 0x123, lsl 12\nsub x%d, x%d, 0x456", a, b, a, a);
            LISTS(_PyJit_OpImm(&as, JIT_MUL, a, b, 16), "lsl x%d, x%d, 4", a, b);
            LISTS(_PyJit_OpImm(&as, JIT_MUL, a, b, 5), "add x%d, x%d, x%d, lsl 2", a, b, b);
            LISTS(_PyJit_Neg(&as, a, b), "neg x%d, x%d", a, b);
            LISTS(_PyJit_Not(&as, a, b), "mvn x%d, x%d", a, b);
        }
    }
    LISTS(_PyJit_DivRem(&as, 1, 2, 3, 4), "sdiv x1, x3, x4\nmsub x2, x1, x4, x3");
    LISTS(_PyJit_DivRem(&as, 3, 4, 3, 4), "sdiv x16, x3, x4\nmsub x4, x16, x4, x3\nmov x3, x16");
    LISTS(_PyJit_AddMem(&as, JIT_32, 3, 8, 1),
          "ldr w16, [x3, 8]\nadd x16, x16, 1\nstr w16, [x3, 8]");
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_conditions)
{
    static const char *const names[] = {"eq", "ne", "lt", "ge", "le", "gt", "lo", "hs", "ls", "hi"};
    start_listing();
    JitLabel back = _PyJit_NewLabel(&as), ahead = _PyJit_NewLabel(&as);
    fputs("back:\n", text);
    _PyJit_Bind(&as, back);
    EACH_REG(a) {
        JitReg b = (a + 7) % 31, d = (a + 20) % 31;
        for (JitCond cond = JIT_EQ; cond <= JIT_UGT; cond++) {
            const char *cc = names[cond];
            LISTS(_PyJit_Branch(&as, cond, a, b, back), "cmp x%d, x%d\nb.%s back", a, b, cc);
            LISTS(_PyJit_BranchImm(&as, cond, a, 4095, ahead), "cmp x%d, 4095\nb.%s ahead", a, cc);
            LISTS(_PyJit_BranchImm(&as, cond, a, -5, back), "cmn x%d, 5\nb.%s back", a, cc);
            LISTS(_PyJit_BranchMemImm(&as, cond, JIT_16, a, 8, 77, back),
                  "ldrh w16, [x%d, 8]\ncmp x16, 77\nb.%s back", a, cc);
            LISTS(_PyJit_BranchMem(&as, cond, JIT_64, a, 8, b, back),
                  "ldr x16, [x%d, 8]\ncmp x16, x%d\nb.%s back", a, b, cc);
            LISTS(_PyJit_Set(&as, cond, d, a, b), "cmp x%d, x%d\ncset x%d, %s", a, b, d, cc);
            LISTS(_PyJit_SetImm(&as, cond, d, a, 99999),
                  "movz x16, 0x869f\nmovk x16, 1, lsl 16\ncmp x%d, x16\ncset x%d, %s", a, d, cc);
            LISTS(_PyJit_Select(&as, cond, d, a, b, b, d),
                  "cmp x%d, x%d\ncsel x%d, x%d, x%d, %s", a, b, d, b, d, cc);
        }
        LISTS(_PyJit_BranchImm(&as, JIT_EQ, a, 0, back), "cbz x%d, back", a);
        LISTS(_PyJit_BranchImm(&as, JIT_NE, a, 0, ahead), "cbnz x%d, ahead", a);
        LISTS(_PyJit_BranchBits(&as, JIT_EQ, a, 1, ahead), "tst x%d, 1\nb.eq ahead", a);
        LISTS(_PyJit_BranchBits(&as, JIT_NE, a, 5, ahead),
              "mov x16, 5\ntst x%d, x16\nb.ne ahead", a);
        LISTS(_PyJit_BranchMemBits(&as, JIT_NE, JIT_8, a, 0, 5, ahead),
              "ldrb w16, [x%d]\nmov x17, 5\ntst x16, x17\nb.ne ahead", a);
        LISTS(_PyJit_DecMemJumpZero(&as, a, 16, back),
              "ldr x16, [x%d, 16]\nsub x16, x16, 1\nstr x16, [x%d, 16]\ncbz x16, back", a, a);
        LISTS(_PyJit_MovLabel(&as, a, ahead), "adr x%d, ahead", a);
        LISTS(_PyJit_StoreLabel(&as, a, 8, ahead), "adr x17, ahead\nstr x17, [x%d, 8]", a);
        LISTS(_PyJit_JumpReg(&as, a), "br x%d", a);
        LISTS(_PyJit_CallReg(&as, a), "blr x%d", a);
    }
    LISTS(_PyJit_Jump(&as, back), "b back");
    LISTS(_PyJit_Jump(&as, ahead), "b ahead");
    LISTS(_PyJit_CallLabel(&as, back), "bl back");
    LISTS(_PyJit_CallLabel(&as, ahead), "bl ahead");
    fputs("ahead:\n", text);
    _PyJit_Bind(&as, ahead);
    check_listing("");
}
END_TEST

/* On overflow a sum in place is undone behind everything else. */
START_TEST(test_listing_of_overflow)
{
    start_listing();
    JitLabel label = _PyJit_NewLabel(&as);
    LISTS(_PyJit_OpOverflow(&as, JIT_ADD, 1, 1, 2, label), "adds x1, x1, x2\nb.vs undo1");
    LISTS(_PyJit_OpImmOverflow(&as, JIT_SUB, 3, 3, 2, label), "subs x3, x3, 2\nb.vs undo2");
    LISTS(_PyJit_OpImmOverflow(&as, JIT_ADD, 3, 4, -2, label), "subs x3, x4, 2\nb.vs label");
    LISTS(_PyJit_OpOverflow(&as, JIT_SUB, 1, 2, 1, label),
          "subs x16, x2, x1\nb.vs label\nmov x1, x16");
    LISTS(_PyJit_OpOverflow(&as, JIT_MUL, 1, 2, 3, label),
          "smulh x17, x2, x3\nmul x1, x2, x3\ncmp x17, x1, asr 63\nb.ne label");
    fputs("label:\n", text);
    _PyJit_Bind(&as, label);
    LISTS(_PyJit_Mov(&as, 1, 2), "mov x1, x2");
    lists("the rare part", "undo1:\nsub x1, x1, x2\nb label\nundo2:\nadd x3, x3, 2\nb label");
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_functions)
{
    start_listing();
    const void *far = (const void *)0x123456789, *near = (const void *)(LISTING_ADDRESS + 0x5000);
    LISTS(_PyJit_Prologue(&as, 0, 0, 0),
          "start:\nstp x29, x30, [sp, -32]!\nmov x29, sp\nstp x19, x20, [sp, 16]\nmov x19, x0\n"
          "mov x20, x1");
    LISTS(_PyJit_Return(&as), "ldp x19, x20, [sp, 16]\nldp x29, x30, [sp], 32\nret");
    LISTS(_PyJit_Prologue(&as, BITS(21, 23), BITS(8, 9), 2),
          "stp x29, x30, [sp, -96]!\nmov x29, sp\nstp x19, x20, [sp, 16]\nstp x21, x22, [sp, 32]\n"
          "str x23, [sp, 48]\nstp d8, d9, [sp, 56]\nmov x19, x0\nmov x20, x1");
    LISTS(_PyJit_StoreImm(&as, JIT_64, FP, _PyJit_SlotDisp(&as, 1), 0), "str xzr, [x29, 80]");
    LISTS(_PyJit_MoveFrame(&as, 48), "add x29, x29, 48");
    LISTS(_PyJit_StoreImm(&as, JIT_64, FP, _PyJit_SlotDisp(&as, 1), 0), "str xzr, [x29, 32]");
    LISTS(_PyJit_MoveFrame(&as, 0), "sub x29, x29, 48");
    LISTS(_PyJit_Call(&as, far), "ldr x16, far\nblr x16");
    LISTS(_PyJit_Call(&as, near), "nop\nbl start + 0x5000");
    LISTS(_PyJit_TailCall(&as, near),
          "ldp x19, x20, [sp, 16]\nldp x21, x22, [sp, 32]\nldr x23, [sp, 48]\n"
          "ldp d8, d9, [sp, 56]\nldp x29, x30, [sp], 96\nnop\nb start + 0x5000");
    LISTS(_PyJit_Prologue(&as, 0, 0, 1000),
          "sub sp, sp, 1, lsl 12\nsub sp, sp, 3936\nstp x29, x30, [sp]\nmov x29, sp\n"
          "stp x19, x20, [sp, 16]\nmov x19, x0\nmov x20, x1");
    LISTS(_PyJit_TailCall(&as, far),
          "ldp x19, x20, [sp, 16]\nldp x29, x30, [sp]\nadd sp, sp, 1, lsl 12\n"
          "add sp, sp, 3936\nldr x16, far\nbr x16");
    check_listing(texts("far: .quad 0x123456789, %#zx", (size_t)near));
}
END_TEST

START_TEST(test_listing_of_doubles)
{
    static const char *const names[] = {"fadd", "fsub", "fmul", "fdiv"};
    static const struct {
        JitCond cond;
        int unordered;
        const char *branches;
    } branches[] = {
        {JIT_EQ, 0, "b.eq back"}, {JIT_EQ, 1, "b.eq back\nb.vs back"},
        {JIT_NE, 0, "b.mi back\nb.gt back"}, {JIT_NE, 1, "b.ne back"},
        {JIT_LT, 0, "b.mi back"}, {JIT_LT, 1, "b.lt back"},
        {JIT_GE, 0, "b.ge back"}, {JIT_GE, 1, "b.pl back"},
        {JIT_LE, 0, "b.ls back"}, {JIT_LE, 1, "b.le back"},
        {JIT_GT, 0, "b.gt back"}, {JIT_GT, 1, "b.hi back"},
    };
    start_listing();
    EACH_REG(a) {
        EACH_REG(b) {
            JitReg d = (a + 2 * b) % 31;
            for (int op = JIT_FADD; op <= JIT_FDIV; op++) {
                LISTS(_PyJit_FOp(&as, op, d, a, b), "%s d%d, d%d, d%d", names[op], d, a, b);
            }
            LISTS(_PyJit_FSqrt(&as, a, b), "fsqrt d%d, d%d", a, b);
            LISTS(_PyJit_FNeg(&as, a, b), "fneg d%d, d%d", a, b);
            LISTS(_PyJit_FAbs(&as, a, b), "fabs d%d, d%d", a, b);
            LISTS(_PyJit_FFromBits(&as, a, b), "fmov d%d, x%d", a, b);
            LISTS(_PyJit_FToBits(&as, a, b), "fmov x%d, d%d", a, b);
            LISTS(_PyJit_FFromInt(&as, a, b), "scvtf d%d, x%d", a, b);
            LISTS(_PyJit_FToInt(&as, a, b), "fcvtzs x%d, d%d", a, b);
            LISTS(_PyJit_FSet(&as, JIT_LT, d, a, b), "fcmp d%d, d%d\ncset x%d, mi", a, b, d);
        }
    }
    JitLabel back = _PyJit_NewLabel(&as);
    _PyJit_Bind(&as, back);
    fputs("back:\n", text);
    for (size_t i = 0; i < sizeof(branches) / sizeof(branches[0]); i++) {
        LISTS(_PyJit_FBranch(&as, branches[i].cond, 3, 30, branches[i].unordered, back),
              "fcmp d3, d30\n%s", branches[i].branches);
    }
    check_listing("");
}
END_TEST

C_TESTS(listing_aarch64, .start = CTests_StartNothing)
{
    add_listing(tests, test_listing_of_moves);
    add_listing(tests, test_listing_of_constants);
    add_listing(tests, test_listing_of_bit_masks);
    add_listing(tests, test_listing_of_integers);
    add_listing(tests, test_listing_of_conditions);
    add_listing(tests, test_listing_of_overflow);
    add_listing(tests, test_listing_of_functions);
    add_listing(tests, test_listing_of_doubles);
}

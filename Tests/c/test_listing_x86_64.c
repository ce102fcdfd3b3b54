/* The bytes of x86-64's instructions are those that llvm-mc makes of the same text. */
#define TESTED_EMITTER x86_64
#include "renamed_emitter.h"
#include "Python/jit/emit.c"
#include "Python/jit/emit_x86_64.c"
#include "suite.h"

#define LISTING_TRIPLE "x86_64-linux-gnu"
#define LISTING_HEAD ".intel_syntax noprefix\n"
#define LISTING_GAP 0xcc
#include "machine_listing.h"

static const char *const words[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};
static const char *const doubles[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi",
                                      "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
static const char *const halves[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di",
                                     "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"};
static const char *const bytes[] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil",
                                    "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"};

static const int32_t numbers[] = {0, 1, -1, 8, 127, 128, -128, -129, 255, 4096, INT32_MAX,
                                  INT32_MIN};

#define EACH_REG(r) for (JitReg r = 0; r < 16; r++)
#define EACH_NUMBER(n)                                                                 \
    for (int32_t n##_ = 0, n; n##_ < (int)(sizeof(numbers) / sizeof(numbers[0]))       \
         && (n = numbers[n##_], 1); n##_++)

static const char *const loads_as[] = {
    [JIT_8] = "movzx %s, byte ptr %s", [JIT_16] = "movzx %s, word ptr %s",
    [JIT_32] = "mov %s, dword ptr %s", [JIT_64] = "mov %s, qword ptr %s",
    [JIT_S8] = "movsx %s, byte ptr %s", [JIT_S16] = "movsx %s, word ptr %s",
    [JIT_S32] = "movsxd %s, dword ptr %s",
};

static const char *
memory(JitReg base, int32_t disp)
{
    return texts("[%s + %d]", words[base], disp);
}

static const char *
loaded(JitWidth w, JitReg d)
{
    return w < JIT_64 ? doubles[d] : words[d];
}

static const char *
stored(JitWidth w, JitReg s)
{
    static const char *const *const names[] = {bytes, halves, doubles, words,
                                              bytes, halves, doubles};
    return names[w][s];
}

START_TEST(test_listing_of_moves)
{
    start_listing();
    EACH_REG(a) {
        EACH_REG(b) {
            LISTS(_PyJit_Mov(&as, a, b), a == b ? "" : "mov %s, %s", words[a], words[b]);
            LISTS(_PyJit_FMov(&as, a, b), a == b ? "" : "movaps xmm%d, xmm%d", a, b);
            EACH_NUMBER(disp) {
                JitWidth w = (a + b + (JitWidth)disp_) % 7;
                const char *at = memory(b, disp);
                LISTS(_PyJit_Load(&as, w, a, b, disp), loads_as[w], loaded(w, a), at);
                LISTS(_PyJit_Store(&as, w, b, disp, a), "mov %s, %s", at, stored(w, a));
                LISTS(_PyJit_FLoad(&as, a, b, disp), "movsd xmm%d, qword ptr %s", a, at);
                LISTS(_PyJit_FStore(&as, b, disp, a), "movsd qword ptr %s, xmm%d", at, a);
                if (b == RSP) {
                    continue;
                }
                int shift = disp_ & 3;
                JitReg base = a ^ b;
                at = texts("[%s + %d*%s + %d]", words[base], 1 << shift, words[b], disp);
                LISTS(_PyJit_LoadIndexed(&as, w, a, base, b, shift, disp), loads_as[w],
                      loaded(w, a), at);
                LISTS(_PyJit_StoreIndexed(&as, w, base, b, shift, disp, a), "mov %s, %s", at,
                      stored(w, a));
                LISTS(_PyJit_Lea(&as, a, base, b, shift, disp), "lea %s, %s", words[a], at);
            }
        }
        LISTS(_PyJit_MovImm(&as, a, 0), "xor %s, %s", doubles[a], doubles[a]);
        LISTS(_PyJit_MovImm(&as, a, 1), "mov %s, 1", doubles[a]);
        LISTS(_PyJit_MovImm(&as, a, UINT32_MAX), "mov %s, -1", doubles[a]);
        LISTS(_PyJit_MovImm(&as, a, UINT64_MAX), "mov %s, -1", words[a]);
        LISTS(_PyJit_MovImm(&as, a, (uint64_t)INT32_MIN), "mov %s, -0x80000000", words[a]);
        LISTS(_PyJit_MovImm(&as, a, 1ull << 32), "movabs %s, 0x100000000", words[a]);
        LISTS(_PyJit_LoadAbs(&as, JIT_64, a, (void *)0x7fffffff), "mov %s, qword ptr [0x7fffffff]",
              words[a]);
        LISTS(_PyJit_StoreAbs(&as, JIT_8, (void *)0x80000000, a),
              "mov r11d, 0x80000000\nmov byte ptr [r11], %s", bytes[a]);
        LISTS(_PyJit_StoreZeros(&as, a, -8, 2), "xorps xmm15, xmm15\nmovups xmmword ptr %s, xmm15"
              "\nmovups xmmword ptr %s, xmm15", memory(a, -8), memory(a, 8));
        EACH_NUMBER(value) {
            const char *at = memory(a, 8);
            LISTS(_PyJit_StoreImm(&as, JIT_64, a, 8, value), "mov qword ptr %s, %d", at, value);
            LISTS(_PyJit_StoreImm(&as, JIT_32, a, 8, value), "mov dword ptr %s, %d", at, value);
            LISTS(_PyJit_StoreImm(&as, JIT_8, a, 8, value), "mov byte ptr %s, %d", at,
                  (int8_t)value);
        }
    }
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_integers)
{
    static const char *const names[] = {"add", "sub", "and", "or", "xor", "imul"};
    static const char *const shift_names[] = {"shl", "shr", "sar"};
    start_listing();
    EACH_REG(a) {
        EACH_REG(b) {
            for (int op = JIT_ADD; op <= JIT_MUL; op++) {
                LISTS(_PyJit_Op(&as, op, a, a, b), "%s %s, %s", names[op], words[a], words[b]);
            }
            if (a == b) {
                continue;
            }
            LISTS(_PyJit_Op(&as, JIT_SUB, a, b, a), "neg %s\nadd %s, %s", words[a], words[a],
                  words[b]);
            LISTS(_PyJit_Op(&as, JIT_MUL, a, b, a), "imul %s, %s", words[a], words[b]);
            LISTS(_PyJit_OpImm(&as, JIT_ADD, a, b, 128), "lea %s, [%s + 128]", words[a], words[b]);
            LISTS(_PyJit_OpImm(&as, JIT_MUL, a, b, 1000), "imul %s, %s, 1000", words[a], words[b]);
            LISTS(_PyJit_OpImm(&as, JIT_AND, a, b, 255), "movzx %s, %s", doubles[a], bytes[b]);
            LISTS(_PyJit_OpImm(&as, JIT_AND, a, b, UINT32_MAX), "mov %s, %s", doubles[a],
                  doubles[b]);
            if (b != RSP) {
                LISTS(_PyJit_OpImm(&as, JIT_MUL, a, b, 9), "lea %s, [%s + 8*%s]", words[a],
                      words[b], words[b]);
            }
        }
        EACH_NUMBER(n) {
            if (n == 0) {
                continue;
            }
            const char *r = words[a];
            LISTS(_PyJit_OpImm(&as, JIT_ADD, a, a, n), n == 128 ? "sub %s, -%d" : "add %s, %d", r,
                  n);
            LISTS(_PyJit_OpImm(&as, JIT_OR, a, a, n), "or %s, %d", r, n);
            LISTS(_PyJit_OpImm(&as, JIT_XOR, a, a, n), "xor %s, %d", r, n);
            if (n != 255) {
                LISTS(_PyJit_OpImm(&as, JIT_AND, a, a, n), "and %s, %d", n < 0 ? r : doubles[a], n);
            }
            LISTS(_PyJit_AddMem(&as, JIT_32, a, 0, n),
                  n == 128 ? "sub dword ptr [%s], -%d" : "add dword ptr [%s], %d", r, n);
        }
        for (int op = JIT_SHL; op <= JIT_SAR; op++) {
            LISTS(_PyJit_OpImm(&as, op, a, a, 1), "%s %s, 1", shift_names[op - JIT_SHL], words[a]);
            LISTS(_PyJit_OpImm(&as, op, a, a, 63), "%s %s, 63", shift_names[op - JIT_SHL],
                  words[a]);
        }
        LISTS(_PyJit_Neg(&as, a, a), "neg %s", words[a]);
        LISTS(_PyJit_Not(&as, a, a), "not %s", words[a]);
    }
    LISTS(_PyJit_Op(&as, JIT_ADD, RAX, RBX, R13), "lea rax, [rbx + r13*1]");
    LISTS(_PyJit_OpImm(&as, JIT_SHL, RAX, RBX, 1), "lea rax, [rbx + rbx*1]");
    LISTS(_PyJit_Op(&as, JIT_SHL, RDX, RAX, RCX), "mov rdx, rax\nshl rdx, cl");
    LISTS(_PyJit_Op(&as, JIT_SHR, RDX, RDX, RAX),
          "mov r11, rcx\nmov rcx, rax\nshr rdx, cl\nmov rcx, r11");
    LISTS(_PyJit_Op(&as, JIT_SAR, RCX, RCX, RAX),
          "mov r11, rcx\nmov rcx, rax\nsar r11, cl\nmov rcx, r11");
    LISTS(_PyJit_DivRem(&as, RAX, RDX, RAX, RCX), "cqo\nidiv rcx");
    LISTS(_PyJit_DivRem(&as, RSI, RDI, RAX, RDX),
          "mov r11, rdx\nmovq xmm15, rax\ncqo\nidiv r11\nmov rsi, rax\nmov rdi, rdx\n"
          "mov rdx, r11\nmovq rax, xmm15");
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_conditions)
{
    static const char *const names[] = {"e", "ne", "l", "ge", "le", "g", "b", "ae", "be", "a"};
    start_listing();
    EACH_REG(d) {
        JitReg a = d == R9 ? R8 : R9;
        for (JitCond cond = JIT_EQ; cond <= JIT_UGT; cond++) {
            LISTS(_PyJit_Set(&as, cond, d, a, RBX == d ? RSI : RBX), d == RBX
                  ? "xor %s, %s\ncmp %s, rsi\nset%s %s" : "xor %s, %s\ncmp %s, rbx\nset%s %s",
                  doubles[d], doubles[d], words[a], names[cond], bytes[d]);
            LISTS(_PyJit_Set(&as, cond, d, d, a), "cmp %s, %s\nset%s %s\nmovzx %s, %s", words[d],
                  words[a], names[cond], bytes[d], doubles[d], bytes[d]);
            LISTS(_PyJit_Select(&as, cond, d, d, a, R15, R14), d == R15
                  ? "cmp %s, %s\ncmov%s %s, r14" : d == R14
                  ? "cmp %s, %s\ncmov%s %s, r15" : "cmp %s, %s\nmov %4$s, r14\ncmov%3$s %4$s, r15",
                  words[d], words[a], names[d == R15 ? JIT_NEGATED(cond) : cond], words[d]);
        }
        LISTS(_PyJit_SetImm(&as, JIT_LT, d, d, 0), "test %s, %s\nsetl %s\nmovzx %s, %s", words[d],
              words[d], bytes[d], doubles[d], bytes[d]);
    }
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_jumps)
{
    start_listing();
    JitLabel back = _PyJit_NewLabel(&as), ahead = _PyJit_NewLabel(&as);
    fputs("back:\n", text);
    _PyJit_Bind(&as, back);
    LISTS(_PyJit_Jump(&as, back), "jmp back");
    LISTS(_PyJit_Branch(&as, JIT_ULT, RAX, R8, back), "cmp rax, r8\njb back");
    /* The assembler would make it short. */
    LISTS(_PyJit_Jump(&as, ahead), ".byte 0xe9\n.long ahead - . - 4");
    LISTS(_PyJit_BranchImm(&as, JIT_NE, R13, 0, ahead), "test r13, r13\n.byte 0x0f, 0x85\n"
          ".long ahead - . - 4");
    LISTS(_PyJit_BranchImm(&as, JIT_EQ, RAX, 1000, back), "cmp rax, 1000\nje back");
    LISTS(_PyJit_BranchImm(&as, JIT_EQ, R12, -1, back), "cmp r12, -1\nje back");
    LISTS(_PyJit_BranchImm(&as, JIT_EQ, RCX, 1ll << 40, back),
          "movabs r11, 0x10000000000\ncmp rcx, r11\nje back");
    LISTS(_PyJit_BranchBits(&as, JIT_NE, RAX, 1, back), "test al, 1\njne back");
    LISTS(_PyJit_BranchBits(&as, JIT_EQ, RSI, 128, back), "test sil, -128\nje back");
    LISTS(_PyJit_BranchBits(&as, JIT_EQ, RAX, 0x100, back), "test eax, 256\nje back");
    LISTS(_PyJit_BranchBits(&as, JIT_EQ, R8, 0x80000000, back), "test r8d, 0x80000000\nje back");
    LISTS(_PyJit_BranchBits(&as, JIT_EQ, R8, -8, back), "test r8, -8\nje back");
    LISTS(_PyJit_BranchBits(&as, JIT_EQ, R8, 1ll << 40, back), "bt r8, 40\njae back");
    LISTS(_PyJit_BranchMem(&as, JIT_NE, JIT_64, RDI, 8, R12, back),
          "cmp qword ptr [rdi + 8], r12\njne back");
    LISTS(_PyJit_BranchMemImm(&as, JIT_LT, JIT_32, RDI, 8, 77, back),
          "cmp dword ptr [rdi + 8], 77\njb back");
    LISTS(_PyJit_BranchMemImm(&as, JIT_LT, JIT_16, RDI, 8, 77, back),
          "cmp word ptr [rdi + 8], 77\njb back");
    LISTS(_PyJit_BranchMemImm(&as, JIT_LT, JIT_S8, RDI, 8, -7, back),
          "cmp byte ptr [rdi + 8], -7\njl back");
    LISTS(_PyJit_BranchMemImm(&as, JIT_EQ, JIT_64, RDI, 8, 0x654321, back),
          "cmp qword ptr [rdi + 8], 0x654321\nje back");
    LISTS(_PyJit_BranchAbsImm(&as, JIT_NE, JIT_32, (void *)0x1000, 0, back),
          "cmp dword ptr [0x1000], 0\njne back");
    LISTS(_PyJit_BranchMemBits(&as, JIT_NE, JIT_64, RDI, 8, 0x20000, back),
          "test byte ptr [rdi + 10], 2\njne back");
    LISTS(_PyJit_BranchMemBits(&as, JIT_NE, JIT_64, RDI, 8, 0x3fc00000000, back),
          "test dword ptr [rdi + 12], 0x3fc\njne back");
    LISTS(_PyJit_DecMemJumpZero(&as, RDI, 0, back), "dec qword ptr [rdi]\nje back");
    /* Further back than a byte reaches. */
    for (int i = 0; i < 20; i++) {
        LISTS(_PyJit_MovImm(&as, RAX, 1ull << 33), "movabs rax, 0x200000000");
    }
    LISTS(_PyJit_Jump(&as, back), "jmp back");
    LISTS(_PyJit_BranchImm(&as, JIT_ULE, RAX, 0, back), "test rax, rax\njbe back");
    LISTS(_PyJit_JumpReg(&as, RDX), "jmp rdx");
    LISTS(_PyJit_JumpReg(&as, R13), "jmp r13");
    LISTS(_PyJit_CallReg(&as, R13), "call r13");
    LISTS(_PyJit_CallLabel(&as, back), "call back");
    LISTS(_PyJit_MovLabel(&as, R8, ahead), "lea r8, [rip + ahead]");
    LISTS(_PyJit_StoreLabel(&as, RBX, 8, ahead),
          "lea r11, [rip + ahead]\nmov qword ptr [rbx + 8], r11");
    fputs("ahead:\n", text);
    _PyJit_Bind(&as, ahead);
    EACH_REG(r) {
        LISTS(_PyJit_CallReg(&as, r), "call %s", words[r]);
    }
    check_listing("");
}
END_TEST

/* On overflow a sum in place is undone behind everything else. */
START_TEST(test_listing_of_overflow)
{
    start_listing();
    JitLabel label = _PyJit_NewLabel(&as);
    LISTS(_PyJit_OpOverflow(&as, JIT_ADD, RAX, RAX, R9, label),
          "add rax, r9\n.byte 0x0f, 0x80\n.long undo1 - . - 4");
    LISTS(_PyJit_OpImmOverflow(&as, JIT_SUB, R14, R14, 2, label),
          "sub r14, 2\n.byte 0x0f, 0x80\n.long undo2 - . - 4");
    LISTS(_PyJit_OpOverflow(&as, JIT_SUB, RAX, RDX, R9, label),
          "mov rax, rdx\nsub rax, r9\n.byte 0x0f, 0x80\n.long label - . - 4");
    LISTS(_PyJit_OpOverflow(&as, JIT_MUL, RAX, RAX, R9, label),
          "mov r11, rax\nimul r11, r9\n.byte 0x0f, 0x80\n.long label - . - 4\nmov rax, r11");
    fputs("label:\n", text);
    _PyJit_Bind(&as, label);
    LISTS(_PyJit_Mov(&as, RAX, R9), "mov rax, r9");
    lists("the rare part", "undo1:\nsub rax, r9\n.byte 0xe9\n.long label - . - 4\n"
          "undo2:\nadd r14, 2\n.byte 0xe9\n.long label - . - 4");
    check_listing("");
}
END_TEST

START_TEST(test_listing_of_functions)
{
    start_listing();
    const void *far = (const void *)0x123456789, *near = (const void *)(LISTING_ADDRESS + 0x5000);
    LISTS(_PyJit_Prologue(&as, 0, 0, 0),
          "start:\npush rbp\nmov rbp, rsp\npush rbx\npush r12\nmov rbx, rdi\nmov r12, rsi");
    LISTS(_PyJit_Return(&as), "pop r12\npop rbx\npop rbp\nret");
    LISTS(_PyJit_Prologue(&as, BIT(R13) | BIT(R15), 0, 3),
          "push rbp\nmov rbp, rsp\npush rbx\npush r12\npush r13\npush r15\nsub rsp, 32\n"
          "mov rbx, rdi\nmov r12, rsi");
    LISTS(_PyJit_StoreImm(&as, JIT_64, RBP, _PyJit_SlotDisp(&as, 0), 0),
          "mov qword ptr [rbp - 40], 0");
    LISTS(_PyJit_StoreImm(&as, JIT_64, RBP, _PyJit_SlotDisp(&as, 2), 0),
          "mov qword ptr [rbp - 56], 0");
    LISTS(_PyJit_MoveFrame(&as, -64), "add rbp, -64");
    LISTS(_PyJit_StoreImm(&as, JIT_64, RBP, _PyJit_SlotDisp(&as, 2), 0),
          "mov qword ptr [rbp + 8], 0");
    LISTS(_PyJit_MoveFrame(&as, 0), "add rbp, 64");
    LISTS(_PyJit_Call(&as, far), "call qword ptr [rip + far]");
    LISTS(_PyJit_Call(&as, near), "addr32\ncall start + 0x5000");
    LISTS(_PyJit_TailCall(&as, far),
          "add rsp, 32\npop r15\npop r13\npop r12\npop rbx\npop rbp\njmp qword ptr [rip + far]");
    LISTS(_PyJit_TailCall(&as, near),
          "add rsp, 32\npop r15\npop r13\npop r12\npop rbx\npop rbp\njmp start + 0x5000\nnop");
    check_listing(texts("far: .quad 0x123456789, %#zx", (size_t)near));
}
END_TEST

START_TEST(test_listing_of_doubles)
{
    static const char *const names[] = {"addsd", "subsd", "mulsd", "divsd"};
    start_listing();
    EACH_REG(a) {
        EACH_REG(b) {
            LISTS(_PyJit_FFromBits(&as, a, b), "movq xmm%d, %s", a, words[b]);
            LISTS(_PyJit_FToBits(&as, a, b), "movq %s, xmm%d", words[a], b);
            LISTS(_PyJit_FFromInt(&as, a, b), "xorps xmm%d, xmm%d\ncvtsi2sd xmm%d, %s", a, a, a,
                  words[b]);
            LISTS(_PyJit_FToInt(&as, a, b), "cvttsd2si %s, xmm%d", words[a], b);
            for (int op = JIT_FADD; op <= JIT_FDIV; op++) {
                LISTS(_PyJit_FOp(&as, op, a, a, b), "%s xmm%d, xmm%d", names[op], a, b);
            }
            if (a != b && a < FLOAT_SCRATCH) {
                LISTS(_PyJit_FOp(&as, JIT_FMUL, a, b, a), "mulsd xmm%d, xmm%d", a, b);
                LISTS(_PyJit_FOp(&as, JIT_FSUB, a, b, a),
                      "movaps xmm15, xmm%d\nmovaps xmm%d, xmm%d\nsubsd xmm%d, xmm15", a, a, b, a);
                LISTS(_PyJit_FSqrt(&as, a, b),
                      "movaps xmm%d, xmm%d\nsqrtsd xmm%d, xmm%d", a, b, a, a);
            }
        }
        LISTS(_PyJit_FMovImm(&as, a, 0.0), "xorps xmm%d, xmm%d", a, a);
        LISTS(_PyJit_FMovImm(&as, a, 1.0), "movsd xmm%d, qword ptr [rip + one]", a);
        if (a < 15) {
            LISTS(_PyJit_FNeg(&as, a, a),
                  "movsd xmm15, qword ptr [rip + sign]\nxorps xmm%d, xmm15", a);
            LISTS(_PyJit_FAbs(&as, a, 15),
                  "movsd xmm%d, qword ptr [rip + other_bits]\nandps xmm%d, xmm15", a, a);
        }
    }
    JitLabel back = _PyJit_NewLabel(&as);
    _PyJit_Bind(&as, back);
    fputs("back:\n", text);
    LISTS(_PyJit_FBranch(&as, JIT_LT, 1, 10, 0, back), "ucomisd xmm10, xmm1\nja back");
    LISTS(_PyJit_FBranch(&as, JIT_LT, 1, 10, 1, back), "ucomisd xmm1, xmm10\njb back");
    LISTS(_PyJit_FBranch(&as, JIT_GE, 1, 2, 0, back), "ucomisd xmm1, xmm2\njae back");
    LISTS(_PyJit_FBranch(&as, JIT_GE, 1, 2, 1, back), "ucomisd xmm2, xmm1\njbe back");
    LISTS(_PyJit_FBranch(&as, JIT_NE, 1, 2, 1, back), "ucomisd xmm1, xmm2\njp back\njne back");
    LISTS(_PyJit_FSet(&as, JIT_GT, RSI, 1, 2), "xor esi, esi\nucomisd xmm1, xmm2\nseta sil");
    LISTS(_PyJit_FSet(&as, JIT_EQ, R9, 1, 2),
          "xor r9d, r9d\nucomisd xmm1, xmm2\nsetnp r11b\nsete r9b\nand r9d, r11d");
    check_listing("one: .quad 0x3ff0000000000000\nsign: .quad 0x8000000000000000\n"
                  "other_bits: .quad 0x7fffffffffffffff");
}
END_TEST

C_TESTS(listing_x86_64, .start = CTests_StartNothing)
{
    add_listing(tests, test_listing_of_moves);
    add_listing(tests, test_listing_of_integers);
    add_listing(tests, test_listing_of_conditions);
    add_listing(tests, test_listing_of_jumps);
    add_listing(tests, test_listing_of_overflow);
    add_listing(tests, test_listing_of_functions);
    add_listing(tests, test_listing_of_doubles);
}

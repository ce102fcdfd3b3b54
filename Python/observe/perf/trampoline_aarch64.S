/* See trampoline_x86_64.S. A frame record here is {x29, x30}: a landing is in the place
   of a saved link register, and nothing returns to it here either.

   In a build with -mbranch-protection the functions around this one sign their return
   addresses, but this one does not: an unwinder finds its return address by the rule for
   landings, which is for unsigned ones. */
#ifdef __aarch64__
#include "internal/frame_records.h"
#define FIRST (-RECORD_SIZE)
    .text
    .globl  _PyPerf_Call
    .hidden _PyPerf_Call
    .type   _PyPerf_Call, %function
    .p2align 4
_PyPerf_Call:
    .cfi_startproc
    .cfi_personality 0x1b, _PyPerf_Personality
    hint    #34                     // bti c
    stp     x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov     x29, sp
    .cfi_def_cfa_register x29
    sub     sp, sp, #RECORD_BLOCK
    str     xzr, [x29, #(RECORD_FRAME - RECORD_FP)]
    stp     x4, x1, [x29, #(FIRST + RECORD_LINES - RECORD_FP)]
    stp     x29, x3, [x29, #FIRST]
    sub     x29, x29, #RECORD_SIZE
    add     x3, sp, #RECORD_FP
    bl      _PyEval_EvalFrameShown
    add     sp, sp, #RECORD_BLOCK
    .cfi_def_cfa sp, 16
    ldp     x29, x30, [sp], #16
    .cfi_restore x30
    .cfi_restore x29
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size   _PyPerf_Call, . - _PyPerf_Call

    .globl  _PyPerf_CallWithBlock
    .hidden _PyPerf_CallWithBlock
    .type   _PyPerf_CallWithBlock, %function
    .p2align 4
_PyPerf_CallWithBlock:
    .cfi_startproc
    .cfi_personality 0x1b, _PyPerf_Personality
    hint    #34                     // bti c
    stp     x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov     x29, sp
    .cfi_def_cfa_register x29
    sub     sp, sp, x3
    str     x29, [sp]
    str     xzr, [x29, #(RECORD_FRAME - RECORD_FP)]
    add     x3, sp, #(16 + RECORD_FP)
    mov     x16, x4
    mov     x4, x29
    blr     x16
    ldr     x16, [sp]
    mov     sp, x16
    .cfi_def_cfa sp, 16
    ldp     x29, x30, [sp], #16
    .cfi_restore x30
    .cfi_restore x29
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size   _PyPerf_CallWithBlock, . - _PyPerf_CallWithBlock

    .globl  _PyPerf_template
    .hidden _PyPerf_template
    .globl  _PyPerf_template_end
    .hidden _PyPerf_template_end
    .type   _PyPerf_template, %function
    .p2align 4
_PyPerf_template:
    .cfi_startproc
    .cfi_def_cfa x29, 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    brk     #0
    brk     #0
    .cfi_endproc
_PyPerf_template_end:
    .size   _PyPerf_template, . - _PyPerf_template

#ifdef __ARM_FEATURE_BTI_DEFAULT
/* Declares that this file has landing pads; without it the linker would remove the
   protection from the whole program. */
    .section .note.gnu.property, "a"
    .p2align 3
    .word   4, 16, 5                // sizes of name and contents, type
    .asciz  "GNU"
    .word   0xc0000000, 4, 1, 0     // GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI
#endif
#endif
    .section .note.GNU-stack, "", %progbits

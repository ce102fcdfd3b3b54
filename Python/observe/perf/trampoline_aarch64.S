/* The template of which every code object gets a copy (see trampoline_x86_64.S).
   The frame record {x29, x30} is what unwinders follow. */
#ifdef __aarch64__
    .text
    .globl  _PyPerf_template
    .hidden _PyPerf_template
    .globl  _PyPerf_template_end
    .hidden _PyPerf_template_end
    .type   _PyPerf_template, %function
    .p2align 4
_PyPerf_template:
    .cfi_startproc
    hint    #34                     // bti c
    stp     x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov     x29, sp
    .cfi_def_cfa_register x29
    blr     x3
    ldp     x29, x30, [sp], #16
    .cfi_restore x30
    .cfi_restore x29
    .cfi_def_cfa sp, 0
    ret
    .cfi_endproc
_PyPerf_template_end:
    .size   _PyPerf_template, . - _PyPerf_template
#endif
    .section .note.GNU-stack, "", %progbits

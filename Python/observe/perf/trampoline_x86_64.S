/* The template of which every code object gets a copy.

       PyObject *trampoline(tstate, frame, throwflag, evaluator)

   calls evaluator(tstate, frame, throwflag) under an address of its own. It is
   position independent, keeps the chain of frame pointers, and fits in 16 bytes,
   so that copies lie side by side. */
#ifdef __x86_64__
    .text
    .globl  _PyPerf_template
    .hidden _PyPerf_template
    .globl  _PyPerf_template_end
    .hidden _PyPerf_template_end
    .type   _PyPerf_template, @function
    .p2align 4
_PyPerf_template:
    .cfi_startproc
    endbr64
    push    %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov     %rsp, %rbp
    .cfi_def_cfa_register %rbp
    call    *%rcx
    pop     %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
_PyPerf_template_end:
    .size   _PyPerf_template, . - _PyPerf_template
#endif
    .section .note.GNU-stack, "", %progbits

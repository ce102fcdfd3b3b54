/* A call of the evaluator with a block of frame records (internal/frame_records.h):

       PyObject *_PyPerf_Call(tstate, frame, throwflag, landing, lines)

   writes the record of `frame` into the block and calls
   _PyEval_EvalFrameShown(tstate, frame, throwflag, limit). %rbp is the newest record's
   frame pointer right before and after that call, too, so that a stack walker misses
   nothing if the evaluator is in its prologue or epilogue, where %rbp still is its
   caller's.

   Landings are copies of the template, which has the unwinding information for them. It
   is one instruction, which is never executed: perf annotate prints a row for each. */
#ifdef __x86_64__
#include "internal/frame_records.h"
#define FIRST (-RECORD_SIZE)        /* the first record's frame pointer, from the base's */
    .text
    .globl  _PyPerf_Call
    .hidden _PyPerf_Call
    .type   _PyPerf_Call, @function
    .p2align 4
_PyPerf_Call:
    .cfi_startproc
    .cfi_personality 0x1b, _PyPerf_Personality
    endbr64
    push    %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov     %rsp, %rbp
    .cfi_def_cfa_register %rbp
    sub     $RECORD_BLOCK, %rsp
    movq    $0, (RECORD_FRAME - RECORD_FP)(%rbp)
    mov     %r8, (FIRST + RECORD_LINES - RECORD_FP)(%rbp)
    mov     %rsi, (FIRST + RECORD_FRAME - RECORD_FP)(%rbp)
    mov     %rbp, (FIRST)(%rbp)
    mov     %rcx, (FIRST + RECORD_LANDING - RECORD_FP)(%rbp)
    add     $FIRST, %rbp
    lea     RECORD_FP(%rsp), %rcx
    call    _PyEval_EvalFrameShown@PLT
    add     $RECORD_BLOCK, %rsp
    .cfi_def_cfa %rsp, 16
    pop     %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore %rbp
    ret
    .cfi_endproc
    .size   _PyPerf_Call, . - _PyPerf_Call

/* A call of function(tstate, frame, how, limit, base), which fills the block:

       uintptr_t _PyPerf_CallWithBlock(tstate, frame, how, size, function)

   %rbp may be any record's frame pointer afterwards, so the base's is kept at the block's
   lower end. */
    .globl  _PyPerf_CallWithBlock
    .hidden _PyPerf_CallWithBlock
    .type   _PyPerf_CallWithBlock, @function
    .p2align 4
_PyPerf_CallWithBlock:
    .cfi_startproc
    .cfi_personality 0x1b, _PyPerf_Personality
    endbr64
    push    %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov     %rsp, %rbp
    .cfi_def_cfa_register %rbp
    sub     %rcx, %rsp
    mov     %rbp, (%rsp)
    movq    $0, (RECORD_FRAME - RECORD_FP)(%rbp)
    lea     (16 + RECORD_FP)(%rsp), %rcx
    mov     %r8, %rax
    mov     %rbp, %r8
    call    *%rax
    mov     (%rsp), %rsp
    .cfi_def_cfa %rsp, 16
    pop     %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore %rbp
    ret
    .cfi_endproc
    .size   _PyPerf_CallWithBlock, . - _PyPerf_CallWithBlock

    .globl  _PyPerf_template
    .hidden _PyPerf_template
    .globl  _PyPerf_template_end
    .hidden _PyPerf_template_end
    .type   _PyPerf_template, @function
    .p2align 4
_PyPerf_template:
    .cfi_startproc
    .cfi_def_cfa %rbp, 16
    .cfi_offset %rbp, -16
    {disp32} ud1 0(%rax,%rax,1), %eax
    .cfi_endproc
_PyPerf_template_end:
    .size   _PyPerf_template, . - _PyPerf_template
#endif
    .section .note.GNU-stack, "", %progbits

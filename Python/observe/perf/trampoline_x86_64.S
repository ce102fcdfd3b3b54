/* How a code object gets a frame of its own on the C stack.

       PyObject *_PyPerf_Call(tstate, frame, throwflag, landing)

   calls _PyEval_EvalFrameDefault(tstate, frame, throwflag) with two frame records
   above the caller's:

       rbp -> { T, landing }      the call of the evaluator
         T -> { caller's rbp, return address }

   Nothing ever returns to the landing, an address that belongs to the code
   object: it is there for who walks the stack. Two records, so that the landing is
   found also while the evaluator is in its own prologue or epilogue: who follows
   frame pointers then misses the evaluator's immediate caller, which is this
   function and not the landing. And as no return address is altered, the
   processor's return prediction and shadow stack agree.

   The template is what a landing consists of, with the unwinding information for
   it. Its second byte is the address in the record: unwinders look up what is
   before a return address. */
#ifdef __x86_64__
    .text
    .globl  _PyPerf_Call
    .hidden _PyPerf_Call
    .type   _PyPerf_Call, @function
    .p2align 4
_PyPerf_Call:
    .cfi_startproc
    endbr64
    push    %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov     %rsp, %rbp
    .cfi_def_cfa_register %rbp
    push    %rcx
    push    %rbp
    mov     %rsp, %rbp
    .cfi_def_cfa %rbp, 16
    call    _PyEval_EvalFrameDefault@PLT
    leave
    .cfi_def_cfa %rbp, 16
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size   _PyPerf_Call, . - _PyPerf_Call

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
    int3
    int3
    .cfi_endproc
_PyPerf_template_end:
    .size   _PyPerf_template, . - _PyPerf_template
#endif
    .section .note.GNU-stack, "", %progbits

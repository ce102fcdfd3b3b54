/* Handlers that do not look at the exception: except KeyError: pass, continue, break, return False.

   Their code is PUSH_EXC, a class, JUMP_IF_NO_EXC_MATCH, DROP, POP_EXCEPT; or, without a class,
   PUSH_EXC, DROP, POP_EXCEPT. Nothing in it can see what is handled. So the unwinder goes on behind
   it at once, and need not make the exception, its traceback and the frame object. */
#ifndef SB_INTERNAL_UNSEEN_H
#define SB_INTERNAL_UNSEEN_H

#include "Python.h"
#include "internal/code.h"
#include "internal/frame.h"

/* Where the handler at `target` goes on: an index; 0: it is another one. In *cls the LOAD_GLOBAL of
   the class, or NULL. */
static inline uint32_t
_PyVM_BehindUnseen(const PyVMCode *code, uint32_t target, const PyInstr **cls)
{
    const PyInstr *in = &code->code[target];
    unsigned previous = in->a, exc = in->b;
    *cls = NULL;
    if (in->op != OP_PUSH_EXC) {
        return 0;
    }
    in++;
    if (_PyOpcode_Info[in->op].base == OP_LOAD_GLOBAL) {
        *cls = in;
        in += 1 + _PyOpcode_Info[in->op].cache;
        if (in->op != OP_JUMP_IF_NO_EXC_MATCH || in->a != exc || in->b != (*cls)->a) {
            return 0;
        }
        in++;
    }
    if (in[0].op != OP_DROP || in[0].a != exc || in[1].op != OP_POP_EXCEPT
        || in[1].a != previous) {
        return 0;
    }
    return (uint32_t)(in + 2 - code->code);
}

#endif

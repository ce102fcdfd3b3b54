/* How instructions end.

   An instruction may get its value at once, from C, or from a Python frame that it has
   pushed: then the frame's return, or _PyVM_MethodReturned, ends it. Either way it ends with
   the code in this file, so that both do the same. An ending steals its value: it writes it
   to a register, or releases it. */
#ifndef SB_VM_ENDINGS_H
#define SB_VM_ENDINGS_H

#include "vm.h"

/* ----------------------------------------------------- a frame has returned */

/* Ends the calling instruction at f->ip with the value of a frame that has ended, or for an
   __init__ with the instance. Returns where `f` continues; NULL: an exception is set. Not
   for RET_METHOD. */
static inline __attribute__((always_inline)) const PyInstr *
end_call(PyVMFrame *f, int ret, unsigned dest, unsigned skip, PyReg value, PyReg instance)
{
    const PyInstr *ip = f->ip;
    switch (ret) {
    case RET_INIT:
        if (unlikely(value != REG_NONE)) {
            _PyVM_RefuseInit(value, instance);
            return NULL;
        }
        reg_release(value);
        reg_set(&f->regs[dest], instance);
        return ip + CALL_WORDS;
    case RET_FOR:       /* the generator is exhausted */
        reg_release(value);
        reg_set(&f->regs[ip->a], 0);
        return ip + CALL_WORDS + (int32_t)CACHE(0)->arg;
    case RET_SEND:
        reg_set(&f->regs[dest], value);
        operand_done(f, ip->a);
        return ip + CALL_WORDS + (int32_t)CACHE(0)->arg;
    default:
        reg_set(&f->regs[dest], value);
        return ip + skip;
    }
}

/* The handler's part of that; ip is f->ip. */
#define GIVE_RETURNED(ret, dest, skip, value, instance) \
    do { \
        if (ret == RET_METHOD) { \
            word = value; \
            TAIL(_PyVM_MethodReturned); \
        } \
        const PyInstr *next_ = end_call(f, ret, dest, skip, value, instance); \
        if (unlikely(next_ == NULL)) { \
            ERROR(); \
        } \
        ip = next_; \
        RELOAD(); \
        DISPATCH(); \
    } while (0)

/* --------------------------------------------------------- values and jumps */

/* Of an operator on B and C with this many cache words. value 0: an exception is set. */
#define FINISH_BINARY(value, caches) \
    do { \
        if (unlikely((value) == 0)) { \
            ERROR(); \
        } \
        operand_done(f, B); \
        operand_done(f, C); \
        WRITE(A, (value)); \
        RELOAD(); \
        NEXT(caches); \
    } while (0)

/* The same with a constant for C. */
#define FINISH_CONSTANT(value) \
    do { \
        if (unlikely((value) == 0)) { \
            ERROR(); \
        } \
        operand_done(f, B); \
        WRITE(A, (value)); \
        NEXT_RELOAD(1); \
    } while (0)

/* Of IN and NOT_IN, as a value; truth: 1, 0, -1 with an exception. */
#define FINISH_CONTAINS(truth, op) \
    do { \
        PyReg value_ = (truth) < 0 ? 0 : REG_BOOL((truth) == ((op) == OP_IN)); \
        FINISH_BINARY(value_, 0); \
    } while (0)

/* Of a compare-and-jump or contains-and-jump, which jumps when the truth is
   `taken`. */
#define FINISH_TEST_JUMP(truth, immediate, taken) \
    do { \
        if ((truth) < 0) { \
            ERROR(); \
        } \
        operand_done(f, A); \
        if (!(immediate)) { \
            operand_done(f, B); \
        } \
        RELOAD(); \
        if ((truth) == (taken)) { \
            JUMP_BY(0, SIMM_C); \
        } \
        NEXT(0); \
    } while (0)

/* Of NOT. */
#define FINISH_NOT(truth) \
    do { \
        if ((truth) < 0) { \
            ERROR(); \
        } \
        operand_done(f, B); \
        WRITE(A, REG_BOOL(!(truth))); \
        NEXT_RELOAD(0); \
    } while (0)

/* Of the four jumps by the truth of A. */
#define FINISH_TRUTH_JUMP(truth, op) \
    do { \
        if ((truth) < 0) { \
            ERROR(); \
        } \
        int jumps_ = (truth) == ((op) == OP_JUMP_IF_TRUE || (op) == OP_JUMP_IF_TRUE_OR_DROP); \
        int keeps_ = (op) == OP_JUMP_IF_TRUE_OR_DROP || (op) == OP_JUMP_IF_FALSE_OR_DROP; \
        if (!(jumps_ && keeps_)) { \
            operand_done(f, A); \
        } \
        RELOAD(); \
        if (jumps_) { \
            JUMP_BY(0, BC); \
        } \
        NEXT(0); \
    } while (0)

/* Of STORE_SUBSCR. */
#define FINISH_STORE_SUBSCR() \
    do { \
        operand_done(f, C); \
        operand_done(f, B); \
        operand_done(f, A); \
        NEXT_RELOAD(1); \
    } while (0)

/* Of LOAD_ATTR and STORE_ATTR. */
#define FINISH_GET_ATTR(value) \
    do { \
        operand_done(f, B); \
        WRITE(A, (value)); \
        NEXT_RELOAD(3); \
    } while (0)
#define FINISH_SET_ATTR() \
    do { \
        operand_done(f, B); \
        operand_done(f, A); \
        NEXT_RELOAD(3); \
    } while (0)

#endif

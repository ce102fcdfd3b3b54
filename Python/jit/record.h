/* What has been seen of an instruction's operands while its function was getting warm: a byte
   for each word of the code. */
#ifndef SB_JIT_RECORD_H
#define SB_JIT_RECORD_H

#include "ir.h"

enum {
    JIT_SEEN_INT = 1,           /* the first operand: a tag, or an int of one or two digits */
    JIT_SEEN_FLOAT = 2,
    JIT_SEEN_NUMBER = 3,        /* now an int, now a float */
    JIT_SEEN_BOOL = 4,          /* of comparisons: what is compared without asking objects */
    JIT_SEEN_BIG = 4,           /* of arithmetic: a longer int */
    JIT_SEEN_TEXT = 4,          /* of what is formatted: a str */
    JIT_SEEN_OTHER = 8,
    JIT_SEEN_FUNCTION = 1,      /* of calls: a Python function */
    JIT_SEEN_GENERATOR = 4,     /* of calls: a generator function; of SEND and
                                   GET_YIELD_FROM_ITER: a generator; of GET_ANEXT: an
                                   asynchronous one */
    JIT_SEEN_COROUTINE = 2,     /* of SEND; of GET_AWAITABLE: one that has not begun */
    JIT_SEEN_STEP = 1,          /* of SEND: the step of an asynchronous generator */
    JIT_SEEN_FRAME = 1,         /* of RETURN: the frame has an object, as those have that caught */
    /* The first operand of subscripts and unpacking, the second of len(): exact classes. */
    JIT_SEEN_LIST = 1,
    JIT_SEEN_TUPLE = 2,
    JIT_SEEN_DICT = 4,
    JIT_SEEN_STR = 8,
    /* Their second operand: a key, JIT_SEEN_INT or one of these. */
    JIT_SEEN_QUIET_KEY = 2,     /* it hashes and compares without running code */
    JIT_SEEN_OTHER_KEY = 4,
    JIT_SEEN_NO_ITEMS = 8,      /* the first operand was of another class */
    JIT_SEEN_SLICED = 1,        /* of slices: it was of one that _PyJit_Slice() knows, too */
    /* STORE_SUBSCR: what is stored, beside the first and the second operand. */
    JIT_SEEN_STORED_TAG = 2,
    JIT_SEEN_STORED_OBJECT = 8,
    /* The second operand of tests for truth: what is known without asking the object. */
    JIT_SEEN_KNOWN = 2,
    JIT_SEEN_ASKED = 8,
    JIT_SEEN_ATTR = 2,          /* of CALL_METHOD: a Python function that takes no self */
    JIT_SEEN_BOUND = 4,         /* of calls, on the right, for want of room: a bound method of
                                   Python's, which is JIT_SEEN_OTHER on the left */
    JIT_SEEN_REFUSED = 2,       /* of calls of classes and methods of C, on the right:
                                   _PyJit_RefusesArguments() */
    /* Of calls of C functions with one argument or two, on the right: they are JIT_SEEN_INT, FLOAT
       or COMPLEX; with several bits they have been of several kinds. */
    JIT_SEEN_COMPLEX = 8,
    JIT_SEEN_NO_NUMBER = 11,    /* all of these: it was something else */
    JIT_SEEN_OLD = 1,           /* of STORE_ATTR: there is a value in the instance, or none */
    JIT_SEEN_NEW = 2,
    JIT_SEEN_ELSEWHERE = 4,     /* _PyJit_MayStore() */
    /* The second operand of LOAD_ATTR and LOAD_METHOD: it is where _PyAttr_InInstances() says, and
       that is no dictionary; _PyJit_Attr() or _PyJit_Method() finds it; neither. And of
       LOAD_ATTR: a descriptor gets it; of LOAD_METHOD: it does not take the owner first.
       Static and class methods are placed and sought. */
    JIT_SEEN_PLACED = 1,
    JIT_SEEN_FOUND = 2,
    JIT_SEEN_GOT = 4,
    JIT_SEEN_NO_METHOD = 4,
    JIT_SEEN_SOUGHT = 8,
    JIT_SEEN_RIGHT = 4,         /* the second operand: the same, so many bits to the left */
};
#define JIT_LEFT(kinds) ((kinds) & 15)
#define JIT_RIGHT(kinds) ((kinds) >> JIT_SEEN_RIGHT)

/* Notes what the operands of the instruction are. */
void _PyJit_RecordOperands(uint8_t *kinds, PyVMFrame *f, const PyInstr *ip);

/* The versions that the classes of an attribute's owners had: JIT_OWNERS words, the last of which
   may be JIT_OPERAND_MIXED: there are too many. They lie in the `operands` of the instruction and
   of its cache words. JIT_IS_CLASS: the owner is that class. */
#define JIT_OWNERS 8
#define JIT_IS_CLASS ((uint32_t)1 << 31)
static inline uint32_t *
_PyJit_OwnersOf(JitOperands *operands, uint32_t ip)
{
    return (uint32_t *)(operands + ip);
}

/* So many instructions are recorded before a function is compiled. */
#define JIT_RECORDED 600
/* What that takes beyond what the interpreter does, in nanoseconds for each. */
#define JIT_RECORDING_COST 40

/* Begins to record a function that has not been recorded; 0: no memory. */
int _PyJit_StartRecording(PyVMCode *code);
/* Records it once more, to compile it better. */
void _PyJit_RecordAgain(PyVMCode *code);

/* jit.c: compiles what has been recorded. func: one of its functions, or NULL. 1 if code->jit
   is machine code now. */
int _PyJit_Compile(PyVMCode *code, PyFunctionObject *func);
/* exits.c: a recording that is in doubt has come to its end: is it to be compiled? */
int _PyJit_EndsDoubt(PyVMCode *code);

#endif

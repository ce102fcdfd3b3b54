/* Comprehensions as parts of the functions that run them: what build_comprehensions.c, which finds
   them, and build_redone.c, which builds their instructions, share. */
#ifndef SB_JIT_REDONE_H
#define SB_JIT_REDONE_H

#include "build.h"

/* Who takes the values of a generator expression. */
typedef enum {
    FOR_ANY, FOR_ALL, FOR_NEXT, FOR_SUM, FOR_MIN, FOR_MAX, FOR_LIST, FOR_TUPLE, FOR_SET, FOR_JOIN,
    FOR_CALL                    /* a function that takes all of them, and is called with a list, or
                                   with a dict of their counts */
} ConsumerKind;

struct JitConsumer {
    ConsumerKind kind;
    int is_double;              /* a sum: of doubles */
    int wants_double;           /* that is what it should have been */
    JitRef separator;           /* of what is joined */
    PyReg fallback;             /* of next(): a constant */
    int keeps;                  /* FOR_CALL: it only keeps them; others hash and may drop them */
    int counts;                 /* FOR_CALL: a Counter, which takes a dict of counts as well */
};

/* A loop's state in front of it; reg: of its iterator. step 0: over the items of a sequence, which
   `reg` has. */
void _PyJit_BeginLoop(JitBuilder *b, unsigned reg, JitRef now, JitRef stop, JitRef step);
/* Its items are pairs, with those of another sequence, or with the numbers of the rounds if that is
   a tag. */
void _PyJit_MakePairs(JitBuilder *b, unsigned reg, JitRef second, int owned);
/* Are the items of the loop taken apart at once, into two? */
int _PyJit_TakesPairs(const PyVMCode *code, const PyInstr *loop);
/* Of what it is over: a list, a tuple, a dict or its view, a set. known: what is known of that, or
   NULL. NULL: it has no code here. */
PyTypeObject *_PyJit_ClassOfLoop(const PyVMCode *code, const PyInstr *loop, PyTypeObject *known);

#endif

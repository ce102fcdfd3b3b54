/* The instructions of one code object while it is being compiled.

   Code generation appends to a flat array; the passes of cfg.c delete and rewrite entries
   in place, and assemble.c lays the rest out as words.

   - A jump names a label; a label is the index of the entry before which it stands.
   - Every entry stores the handler that protects it (0: none). Ranges of the exception
     table are runs of entries with the same handler, so entries may be deleted freely.
   - `arg` is the value of the word's b and c together (operand letters X, K, N), the `arg`
     of the first cache word, or the label of a jump.
   - line -1 means "no line of its own": cfg.c lets the entry inherit one. An entry with
     line -2 never gets a line: clean-up after handlers. */
#ifndef SB_FRONTEND_IR_H
#define SB_FRONTEND_IR_H

#include "Python.h"
#include "internal/code.h"

typedef struct {
    int line, end_line, col, end_col;
} SrcLoc;

#define NO_LOC ((SrcLoc){-1, -1, -1, -1})
#define NO_LINE ((SrcLoc){-2, -1, -1, -1})
/* Operand a of a NOP that is only there for the line that what follows inherits. */
#define NOP_FOR_OTHERS 2

#define IR_DELETED ((uint16_t)OP__COUNT)

/* `return None` is one entry. It becomes the two words that the VM fuses again. */
#define IR_RETURN_NONE OP_LOAD_CONST__RETURN_NONE

typedef struct {
    uint16_t op, a, b, c;
    int32_t arg;
    int32_t handler;
    SrcLoc loc;
} IRInstr;

typedef struct {
    int32_t label;
    uint16_t depth;             /* also the register of the exception */
} IRHandler;

typedef struct {
    IRInstr *v;
    int n, cap;
    int32_t *labels;
    int nlabels, caplabels;
    IRHandler *handlers;        /* [0] is unused */
    int nhandlers, caphandlers;
} IRCode;

/* How an opcode uses its fields; derived from its operand letters. */
enum {
    IR_JUMP_NONE = 0,
    IR_JUMP_WIDE,               /* letter J */
    IR_JUMP_NARROW,             /* letter j */
    IR_JUMP_CACHE,              /* FOR_ITER, SEND: the first cache word */
};

typedef struct {
    const char *name;
    char operand[4];            /* letters of a, b, c */
    uint8_t cache;
    uint8_t jump;
    uint8_t wide;               /* b and c together hold `arg` */
    uint8_t ends;               /* control never falls through */
} IROpInfo;

extern IROpInfo _PyIR_Ops[];

void _PyIR_InitOps(void);
void _PyIR_Clear(IRCode *);     /* keeps the memory for the next unit */
void _PyIR_Free(IRCode *);

/* All of these return 0 or a new index, or -1 with an exception set. */
int _PyIR_NewLabel(IRCode *);
int _PyIR_NewHandler(IRCode *, int label, int depth);
IRInstr *_PyIR_Append(IRCode *);    /* uninitialised */

static inline void
_PyIR_Bind(IRCode *ir, int label)
{
    ir->labels[label] = ir->n;
}

/* cfg.c: threads jumps, drops unreachable code, sets line numbers, removes bound checks
   that can't fail, and compacts the array. Registers 0..nbound-1 hold arguments;
   registers 0..nlocals-1 may be tested by CHECK_BOUND. */
int _PyIR_Optimize(IRCode *, int nbound, int nlocals, int first_line);

typedef struct {
    PyInstr *code;              /* PyMem memory */
    uint32_t ncode;
    PyObject *linetable;
    PyObject *exceptiontable;
} IRAssembled;

/* assemble.c */
int _PyIR_Assemble(IRCode *, int firstlineno, IRAssembled *);

/* verify.c: checks instructions that are about to be assembled against the rules of
   frame.h. Raises SystemError with a description of the first violation. */
int _PyIR_Verify(IRCode *, int nlocals, int first_temp, int nregs,
                 PyObject *qualname);

#endif

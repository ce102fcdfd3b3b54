/* What the files that build instructions offer each other: which instruction is built where.

   A function of build_*.c builds the instruction at b->ip. It returns 1, or 0 with nothing
   changed but what is known better: then the instruction becomes a step. Guards stand before the
   first effect, because who fails one executes the instruction anew. The order is: operands are
   used, guards and values made, operands done, the result written, FinishInstr
   (the last two: WriteValue). */
#ifndef SB_JIT_BUILD_PARTS_H
#define SB_JIT_BUILD_PARTS_H

#include "build.h"

/* ------------------------------------------------------------------ build.c */

/* The value of a LOAD_GLOBAL, borrowed from its dict; 0: it is not cached. And what that is now,
   and where in the dict's table. */
JitRef _PyJit_Global(JitBuilder *b, uint32_t ip);
PyObject *_PyJit_GlobalNow(JitBuilder *b, uint32_t ip, size_t *at);
/* What a LOAD_CONST loads. Borrowed. */
PyReg _PyJit_ConstantOf(JitBuilder *b, const PyInstr *in);
/* Builds one instruction. 1: the block goes on behind it, 0: it has ended. */
int _PyJit_BuildInstruction(JitBuilder *b);

/* ------------------------------------------------------------ build_arith.c */

/* The tag of a bool: 1 or 0. */
JitRef _PyJit_IntOfBool(JitBuilder *b, JitRef x);
/* Arithmetic, comparisons and their jumps, jumps by truth or None. 1: the block goes on, 0: it has
   ended, -1: the instruction is none of these. */
int _PyJit_BuildArith(JitBuilder *b, const PyInstr *in);
/* An operation on ints, or 0: there is none. */
JitRef _PyJit_IntArithmetic(JitBuilder *b, int kind, JitRef x, JitRef y);
/* The end of an instruction that jumps: what it gives up is released on both ways, and machine
   code is not left here, whatever destructors do. */
void _PyJit_ReleaseBeforeJump(JitBuilder *b);
/* What is to be compared with what to find out whether a value is true: 0, or a node and in
   *against another, which it differs from if it is. */
JitRef _PyJit_TruthOf(JitBuilder *b, JitRef x, JitRef *against);
/* The length of an object of the class, raw, or 0: it has none in a field. Machine code is left for
   a str of the deprecated kind that has no characters yet. */
JitRef _PyJit_LengthOf(JitBuilder *b, JitRef x, PyTypeObject *cls);

/* ------------------------------------------------------------- build_ints.c */

/* An expression of ints of up to 64 bits that begins with the running instruction, which then is
   its last; or 0. */
int _PyJit_BuildWords(JitBuilder *b);
/* Arithmetic of ints of any length. right: a node, possibly of a constant. */
int _PyJit_BuildLongInts(JitBuilder *b, int kind, JitRef x, JitRef y, int left, int right);

/* ---------------------------------------------------------- build_complex.c */

/* The parts of a complex number, or of another number as one. */
typedef struct {
    JitRef re, im;              /* doubles; re 0: it is no number */
    int is_complex;
} JitComplex;
JitComplex _PyJit_Parts(JitBuilder *b, JitRef ref, int seen, int saw_complex);
/* A new object of two doubles, owned. */
JitRef _PyJit_BoxComplex(JitBuilder *b, JitRef re, JitRef im, JitRef old);
/* An expression of complex numbers that begins with the running instruction, which then is its
   last; or 0. */
int _PyJit_BuildComplex(JitBuilder *b);
/* The absolute value of one, a double. */
JitRef _PyJit_AbsOfComplex(JitBuilder *b, JitComplex x);

/* ----------------------------------------------------------- build_scopes.c */

/* LOAD_DEREF, LOAD_FREE; IS, IS_NOT, NOT. */
int _PyJit_BuildScope(JitBuilder *b, const PyInstr *in);
/* What a LOAD_DEREF or LOAD_FREE loads, borrowed from its cell as attributes are. */
JitRef _PyJit_CellValue(JitBuilder *b, const PyInstr *in);
/* JUMP_IF_IS, JUMP_IF_IS_NOT; they end the block. */
int _PyJit_BuildIsJump(JitBuilder *b, const PyInstr *in);

/* ------------------------------------------------------------ build_attrs.c */

/* This version, in memory that lives as long as the graph. */
const uint32_t *_PyJit_VersionAlone(JitBuilder *b, uint32_t version);
/* The owner's type has this version. */
void _PyJit_GuardVersion(JitBuilder *b, JitRef owner, uint32_t version);
/* Remembers it, for which a guard stands already; 0: there is no room. */
int _PyJit_Know(JitBuilder *b, JitKnownClass known);
/* The type is like the model. */
void _PyJit_GuardLikeType(JitBuilder *b, JitRef type, struct JitLike *like);
/* What the type has by a demand of a JitLike, behind the guard: borrowed from it. seen: what the
   model has. */
JitRef _PyJit_ValueOfLike(JitBuilder *b, const struct JitLike *like, int demand, PyObject *seen);
/* LOAD_ATTR, STORE_ATTR, LOAD_METHOD. */
int _PyJit_BuildAttr(JitBuilder *b, const PyInstr *in);
/* CALL of super() and the LOAD_METHOD behind it. */
int _PyJit_BuildSuperMethod(JitBuilder *b, const PyInstr *in);
/* What is in a register, to be stored in another object: as an object with a reference of its
   own. All guards of the instruction stand before this. old: what it replaces there, or 0. */
JitRef _PyJit_TakeObject(JitBuilder *b, unsigned reg, JitRef value, JitRef old);

/* ------------------------------------------------------------ build_items.c */

/* LOAD_SUBSCR, LOAD_SUBSCRI, STORE_SUBSCR; UNPACK_SEQUENCE, UNPACK_LOCALS. */
int _PyJit_BuildItem(JitBuilder *b, const PyInstr *in);
/* BUILD_TUPLE, with the instruction behind it that only looks for the tuple. Returns 0: it is built
   as others are; 1, or -1: that was the end of the block. */
int _PyJit_BuildTupleKey(JitBuilder *b, const PyInstr *in);
/* IN, NOT_IN, JUMP_IF_IN, JUMP_IF_NOT_IN; those that jump end the block. */
int _PyJit_BuildIn(JitBuilder *b, const PyInstr *in);
/* A borrowed object, at base + 8 * index + offset; index is raw. */
JitRef _PyJit_ObjectAt(JitBuilder *b, JitRef base, JitRef index, size_t offset);
/* The item of a list or tuple at a raw index that is in range. Borrowed. */
JitRef _PyJit_ItemOf(JitBuilder *b, JitRef sequence, JitRef index);
/* CALL__LEN: len() of what has its length in a field. */
int _PyJit_BuildLen(JitBuilder *b, const PyInstr *in);
/* FOR_ITER of lists and tuples; it ends the block. */
int _PyJit_BuildForItems(JitBuilder *b, const PyInstr *in);

/* ------------------------------------------------------------- build_iter.c */

/* The instruction behind a loop's UNPACK, if the loop makes the values of both by itself; else
   0. */
uint32_t _PyJit_BehindPair(PyVMCode *code, uint32_t ip);
/* FOR_ITER of generators and iterators of C's; it ends the block. */
int _PyJit_BuildForIter(JitBuilder *b, const PyInstr *in);
/* YIELD_VALUE, YIELD_FROM_VALUE; they end the block. */
void _PyJit_BuildYield(JitBuilder *b, const PyInstr *in);
/* RETURN of generators and of frames that have objects. */
void _PyJit_BuildReturnByC(JitBuilder *b, unsigned reg);
/* A call of the generator function in a window, or 0. */
int _PyJit_BuildGeneratorCall(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest);
/* GET_YIELD_FROM_ITER. */
int _PyJit_BuildYieldFrom(JitBuilder *b, const PyInstr *in);
/* GET_AWAITABLE. */
int _PyJit_BuildAwaitable(JitBuilder *b, const PyInstr *in);
/* SEND; it ends the block. */
int _PyJit_BuildSend(JitBuilder *b, const PyInstr *in);
/* LIST_APPEND, SET_ADD, MAP_ADD. */
int _PyJit_BuildAdd(JitBuilder *b, const PyInstr *in);
/* Is it known whether what LIST_APPEND appends is a tag or an object? */
int _PyJit_AppendsOneKind(JitBuilder *b, const PyInstr *in);
/* BUILD_TUPLE, BUILD_LIST. */
int _PyJit_BuildDisplay(JitBuilder *b, const PyInstr *in);
/* GET_ITER. */
int _PyJit_BuildGetIter(JitBuilder *b, const PyInstr *in);
/* GET_ANEXT: 0, if it ends the block. */
int _PyJit_BuildAnext(JitBuilder *b, const PyInstr *in);
/* ASYNC_GEN_WRAP. */
void _PyJit_BuildWrap(JitBuilder *b, const PyInstr *in);

/* ----------------------------------------------------------- build_tuples.c */

/* BUILD_TUPLE, with a comparison of the tuple. Returns what _PyJit_BuildTupleKey() does. */
int _PyJit_BuildTupleComparison(JitBuilder *b, const PyInstr *tuple);

/* ------------------------------------------------------------- build_asks.c */

/* Ends the block: jumps if `truth` differs from `against` (wanted), or is it (not wanted). Behind
   it machine code is left, on either way, if it must not go on. dropped: a register that is done
   with if it does not jump, or -1. */
void _PyJit_JumpAndCheck(JitBuilder *b, JitRef truth, JitRef against, int wanted, int dropped);
/* NOT; JUMP_IF_TRUE, JUMP_IF_FALSE and those that drop, which end the block: of any object. */
int _PyJit_AskTruth(JitBuilder *b, const PyInstr *in);
/* The instructions of _PyJit_BuildIn(), for any container. */
int _PyJit_AskContains(JitBuilder *b, const PyInstr *in);

/* ----------------------------------------------------------- build_values.c */

/* Instructions as calls of what their handlers call, for operands of any type. 0: a method of
   Python's will run, whose frame the handler pushes. */

/* Arithmetic, constant or not; NEG, POS, INVERT. */
int _PyJit_BuildAnyArithmetic(JitBuilder *b, int kind, int in_place);
int _PyJit_BuildAnyUnary(JitBuilder *b, int base);
/* Comparisons. op: Py_LT and so on; number: of the opcode, from JUMP_IF_LT on, which ends the
   block. */
int _PyJit_BuildAnyCompare(JitBuilder *b, int op);
int _PyJit_BuildAnyCompareJump(JitBuilder *b, int number);
/* LOAD_SUBSCR, LOAD_SUBSCRI, STORE_SUBSCR. */
int _PyJit_BuildAnyItem(JitBuilder *b, const PyInstr *in);
/* JUMP_IF_NO_EXC_MATCH; it ends the block. */
int _PyJit_BuildMatchJump(JitBuilder *b, const PyInstr *in);
/* All other instructions that have code in this file. */
int _PyJit_BuildValue(JitBuilder *b, const PyInstr *in);

/* ----------------------------------------------------------- build_inline.c */

/* What becomes of a callee's value. */
typedef enum {
    JIT_OF_CALL,
    JIT_OF_OPERATOR,            /* it must not be NotImplemented */
    JIT_OF_COMPARISON,
    JIT_TRUTH,                  /* a comparison's, which must be True or False */
} JitValueUse;

/* A call of this function, whose guards stand already, as a part of its caller. args: a value
   for each parameter. Returns the value, in *owned whether a reference comes with it; 0, with
   nothing changed: it has to be called. */
JitRef _PyJit_Inline(JitBuilder *b, PyFunctionObject *function, JitRef func, JitRef *args,
                     int *owned, JitValueUse use);
/* The same for an __init__ of a new instance, its first argument: makes that, too. Returns the
   instance, with a reference; or 0. */
JitRef _PyJit_InlineInit(JitBuilder *b, PyFunctionObject *init, JitRef func, JitRef *args,
                         PyTypeObject *type, JitRef loaded_type, struct JitLike *like);
/* If this is a new instance whose __init__ is being built in, and it is known which attributes
   it has: that __init__. Or NULL. */
JitInlined *_PyJit_MakerOf(JitBuilder *b, JitRef object);
/* The nodes from this one on belong to a store in a new instance. */
void _PyJit_MarkFilling(JitBuilder *b, JitRef first);
/* Does the callee, which has only one way, store this argument in an attribute or return it? Then
   somebody else has a reference when it ends. */
int _PyJit_KeepsArgument(PyVMCode *code, unsigned parameter);
/* A reference to this object is going to be dropped by an instruction that is built in: leaves if
   that would run code. */
void _PyJit_GuardQuiet(JitBuilder *b, JitRef object);
/* Is it known of a value that _PyJit_IsPlain() is true? Then hashing it, comparing it with others
   like it, and dropping it run no code. */
int _PyJit_IsPlainValue(JitBuilder *b, JitRef value);
/* Do the nodes from this one on change nothing? */
int _PyJit_IsPure(JitBuilder *b, JitRef first);
/* Do they make new objects at most? */
int _PyJit_OnlyMakesNew(JitBuilder *b, JitRef first);
/* What a comprehension makes. over: what its loop is over, or the start, stop and step of a range;
   and with what in pairs: another sequence, a tag for numbers, or 0. Returns the value, in *owned
   whether a reference comes with it; 0, with nothing changed: it has to be called. */
JitRef _PyJit_InlineComprehension(JitBuilder *b, PyVMCode *code, JitRef maker, const JitRef *over,
                                  struct JitConsumer *consumer, int *owned);

/* ------------------------------------------------------------ build_calls.c */

/* An operator whose method is Python's, as a part of the running instruction, in whose operands
   x and y are. kind: K_… or Py_…. The value, or 0: there is no code for it. */
JitRef _PyJit_BuildOperator(JitBuilder *b, int kind, int in_place, JitValueUse use, JitRef x,
                            JitRef y, int *owned);
/* What a __bool__ of Python's says of x, True or False; or 0. The operand is not done with. */
JitRef _PyJit_BuildTruthMethod(JitBuilder *b, JitRef x);
/* The value of a __neg__, __pos__ or __invert__ of Python's that becomes a part of the function; or
   0. The operand is not done with. */
JitRef _PyJit_BuildUnaryMethod(JitBuilder *b, int op, JitRef x, int *owned);
/* LOAD_SUBSCR, LOAD_SUBSCRI by a __getitem__ of Python's. right: the key's register, or left if it
   is a constant. */
int _PyJit_BuildGetItem(JitBuilder *b, JitRef container, JitRef key, unsigned left,
                        unsigned right);
/* Behind that: the operands' registers are done with. Makes the value owned if it has to be. */
void _PyJit_OperatorDone(JitBuilder *b, JitRef value, int *owned, unsigned left, unsigned right);
/* The recursion limit allows so many levels more. */
void _PyJit_GuardDepth(JitBuilder *b, int levels);
/* Has building in what the running instruction calls gone well so far? And while frames are shown
   to profilers, each function keeps machine code of its own. */
int _PyJit_MayInline(JitBuilder *b);
/* CALL, CALL_KW; CALL_METHOD, CALL_METHOD_KW. */
int _PyJit_BuildCall(JitBuilder *b, const PyInstr *in);
int _PyJit_BuildCallMethod(JitBuilder *b, const PyInstr *in);
/* CALL_EX. */
int _PyJit_BuildCallEx(JitBuilder *b, const PyInstr *in);
/* LOAD_ATTR of a property; the version of the owner's type is guarded. property: that of the type,
   and the one that is expected. */
int _PyJit_BuildProperty(JitBuilder *b, const PyInstr *in, JitRef owner, JitRef property,
                         PyObject *seen);
/* STORE_ATTR of one, likewise. */
int _PyJit_BuildPropertySet(JitBuilder *b, const PyInstr *in, JitRef owner, JitRef value,
                            JitRef property, PyObject *seen);
/* Other code has run: machine code may have to be left behind the instruction. */
void _PyJit_CheckOk(JitBuilder *b, uint32_t next);
/* What a value is, if it is a constant, or was a moment ago: then nothing is sure. Or NULL. */
PyObject *_PyJit_SeenObject(JitBuilder *b, JitRef ref);

/* ------------------------------------------------------------ build_quiet.c */

/* Appends what is in a register to a list. is_int: what it is guessed to be, if that is not
   known. */
int _PyJit_BuildListAppend(JitBuilder *b, JitRef list, unsigned reg, int is_int);
/* A call without keywords of C code that neither runs Python's nor looks at frames. callee: what is
   called, as a node; seen: what it is expected to be. */
int _PyJit_BuildQuietCall(JitBuilder *b, JitRef callee, PyObject *seen, unsigned window,
                          unsigned nargs, unsigned dest);

/* ----------------------------------------------------------- build_ccalls.c */

/* A call of C code that is not quiet. */
int _PyJit_BuildCCall(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names,
                      unsigned dest);
/* The class of self when the method in the window was loaded, if that is in this block and it was
   always the same class; or NULL. What has been executed since then may have given the object
   another one, so it is not known, but expected. */
PyTypeObject *_PyJit_ClassAtLoad(const JitBuilder *b, unsigned window);

/* ---------------------------------------------------------- build_methods.c */

/* Instructions as calls of methods of Python's. 0: there is none to call. */

/* LT … GE and arithmetic. The right operand is y if that is a constant of the instruction's, and
   then `right` is the left one's register. */
int _PyJit_CallOperator(JitBuilder *b, int kind, int in_place, int compares, JitRef y,
                        unsigned right);
/* STORE_ATTR: the setter is a function with that code, and guards have said so. */
int _PyJit_CallSetter(JitBuilder *b, const PyInstr *in, JitRef setter, JitRef code);
/* NEG, POS, INVERT. */
int _PyJit_CallUnary(JitBuilder *b, int op);
/* JUMP_IF_LT …, JUMP_IF_NOT_LT …; ends the block. */
int _PyJit_CallTest(JitBuilder *b, int op, int negated);
/* IN, NOT_IN; JUMP_IF_IN, JUMP_IF_NOT_IN, which end the block. */
int _PyJit_CallContains(JitBuilder *b, const PyInstr *in);
/* LOAD_SUBSCR, LOAD_SUBSCRI; STORE_SUBSCR. */
int _PyJit_CallGetItem(JitBuilder *b, const PyInstr *in);
int _PyJit_CallSetItem(JitBuilder *b, const PyInstr *in);
/* FOR_ITER: the next value, owned, or JIT_LOOP_ENDS. */
JitRef _PyJit_CallNext(JitBuilder *b, const PyInstr *in);
/* CALL of an object with a __call__. */
int _PyJit_CallObject(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest);

/* --------------------------------------------------- build_comprehensions.c */

/* GET_ITER and the calls behind it, if they run a comprehension: as a part of this function. */
int _PyJit_BuildComprehension(JitBuilder *b, const PyInstr *in);
/* The same over a range, whose call is the running instruction: words are its start, stop and
   step. Also the beginning of a loop within a comprehension. */
int _PyJit_BuildOverRange(JitBuilder *b, const PyInstr *in, const JitRef *words, unsigned window,
                          unsigned nargs);
/* The same over enumerate() of a list or tuple, or zip() of two. */
int _PyJit_BuildOverPairs(JitBuilder *b, PyObject *callee, unsigned window, unsigned nargs,
                          unsigned dest);
/* MAKE_FUNCTION, or the BUILD_TUPLE of its cells, and all that is behind it up to the calls of a
   comprehension, which then needs no function object. */
int _PyJit_BuildUnmade(JitBuilder *b, const PyInstr *in);

/* ----------------------------------------------------------- build_redone.c */

/* Of a comprehension that is built in: */

/* An instruction of it. 1: the block goes on, 0: it has ended, -1: it is like any other. */
int _PyJit_BuildRedone(JitBuilder *b, const PyInstr *in);
/* Its loops, when its blocks are found. */
void _PyJit_SettleLoops(JitBuilder *b);
/* Its registers in its beginning. */
void _PyJit_BeginRedone(JitBuilder *b, const JitRef *over);
/* So many registers more than it has by itself. */
unsigned _PyJit_RegistersMore(const PyVMCode *code);
/* Adds to the newest snapshot how far the loops have come. */
void _PyJit_KeepRounds(JitBuilder *b, const JitSlot *slots, const PyVMCode *code);
/* The value that a generator expression's consumer has when all is consumed. */
void _PyJit_EndConsumed(JitBuilder *b);
/* A cell that the running function has from where it was made. Borrowed. */
JitRef _PyJit_FreeCell(JitBuilder *b, unsigned number);

#endif

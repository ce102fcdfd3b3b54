/* Frame records: how Python frames appear on the C stack to a stack walker.

   A stack walker follows frame pointers from record to record: {the caller's
   frame pointer, return address}. While Python frames are shown (perf support is
   on), an evaluator has a block of further records between its own frame and its
   caller's, one for each Python frame that it runs:

       handler, C code it calls...
       _PyEval_EvalFrameShown   {saved fp, return address in _PyPerf_Call}
                                      |   this word is the evaluator's `slot`
       block, growing down      {fp, landing of py::leaf}
                                {fp, landing of py::caller}
                                {fp, landing of py::entry}
       _PyPerf_Call             {saved fp, return address to C}      the base

   A landing is an address that belongs to a code object, or to a line of one. Its
   record presents it as a return address, but nothing ever returns there. A call
   fills the next record and then stores its address in the slot; a return stores the
   address of the record above, which is the caller's. The records of an evaluator have
   no gaps, so the chain is whole at every instruction, whatever the evaluator or the C
   code that it calls is doing. No return address is altered, so return prediction and
   shadow stacks agree with what happens.

   The evaluator saves its caller's frame pointer in the slot and restores it from
   there, so _PyPerf_Call (observe/perf/trampoline_*.S) takes its own from the stack pointer.
   To an unwinder that reads call frame information, _PyPerf_Call's frame and every
   landing's obey one rule: CFA = fp + 16, fp and return address right below it.

   A block of _PyPerf_CallWithBlock has as many records as it needs: for frames that ran before
   frames were shown (vm/shown_running.c), and for generators that wait for the one that they
   delegate to (vm/native_generators.c).

   What assembly and C share is above the #ifndef. */
#ifndef SB_INTERNAL_FRAME_RECORDS_H
#define SB_INTERNAL_FRAME_RECORDS_H

/* Bytes of a record. A frame pointer points at its second half, RECORD_FP in:
   the first half is for the VM. 32: frame pointers are 16-byte aligned, as some
   kernels demand on aarch64. */
#define RECORD_SIZE 32
#define RECORD_LINES 0          /* offsets from a record's start */
#define RECORD_FRAME 8
#define RECORD_FP 16
#define RECORD_LANDING 24

/* Records of a block. A block takes 1 kB, no more, because each call from C has one on
   its stack. When it is used up, the next call nests another evaluator. */
#define RECORD_COUNT 31
/* Bytes of a block, with the VM's half of the base, whose `frame` is 0. */
#define RECORD_BLOCK (RECORD_COUNT * RECORD_SIZE + RECORD_FP)

/* Bytes of a block with room for `n` records: beside those, the base's half and, at its lower
   end, the base's frame pointer. */
#define RECORD_BLOCK_FOR(n) ((n) * RECORD_SIZE + RECORD_FP + 16)

/* A record holds the landing plus this: unwinders look up the instruction before a
   return address. One value for lines and whole functions. */
#if defined(__aarch64__)
#  define RECORD_LANDING_OFFSET 4
#else
#  define RECORD_LANDING_OFFSET 1
#endif

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

struct _PyInterpreterFrame;

typedef struct {
    intptr_t lines;                         /* see _PyCodeLines */
    struct _PyInterpreterFrame *frame;      /* the frame that the record shows */
    char *caller;                           /* frame pointers point here */
    const void *landing;
} _PyFrameRecord;

_Static_assert(offsetof(_PyFrameRecord, lines) == RECORD_LINES
               && offsetof(_PyFrameRecord, frame) == RECORD_FRAME
               && offsetof(_PyFrameRecord, caller) == RECORD_FP
               && offsetof(_PyFrameRecord, landing) == RECORD_LANDING
               && sizeof(_PyFrameRecord) == RECORD_SIZE, "shared with assembly");

#define _PyFrameRecord_OF(fp) ((_PyFrameRecord *)((fp) - RECORD_FP))

/* The block of the innermost evaluator that has one. */
typedef struct _PyFrameRecords {
    char *volatile *slot;       /* holds the frame pointer of the newest record */
    uintptr_t limit;            /* the lowest frame pointer of a record, or RECORDS_... */
    char *base;                 /* the base's frame pointer */
    struct _PyInterpreterFrame *entry;      /* the evaluator's first frame */
    uintptr_t room;             /* the limit of a block that is not of the usual size, or 0 */
    int keeps;                  /* has records of frames that other evaluators run */
    struct _PyFrameRecords *outer;          /* the block of the evaluator around it */
} _PyFrameRecords;

/* Limits that leave no room. */
#define RECORDS_UNKNOWN UINTPTR_MAX     /* show_frame() has to find out whose block this is */
#define RECORDS_NONE (UINTPTR_MAX - 1)  /* an evaluator without a block runs */

/* The landings of a code object's lines: a table parallel to its instructions, and its
   distance from them. While lines are shown, PyVMCode.landing (without the mode) is a
   pointer to one of these. */
typedef struct {
    intptr_t distance;          /* of landing[] from the instructions, in bytes */
    const void *landing[];
} _PyCodeLines;

#endif
#endif

/* Frame records, between the files that write them (shown.c, shown_running.c). */
#ifndef SB_VM_SHOWN_H
#define SB_VM_SHOWN_H

#include "vm.h"

/* Fills the record at `fp` for a frame with this landing (without the mode). */
static inline void
write_record(char *fp, PyVMFrame *f, uintptr_t landing, const PyInstr *ip, int lines)
{
    _PyFrameRecord *record = _PyFrameRecord_OF(fp);
    record->frame = f;
    record->caller = fp + RECORD_SIZE;
    if (lines) {
        record->lines = ((const _PyCodeLines *)landing)->distance;
        record->landing = *(const void **)((char *)ip + record->lines);
    }
    else {
        record->landing = (const char *)landing + RECORD_LANDING_OFFSET;
    }
}

/* The limit of the block whose evaluator runs. */
static inline uintptr_t
limit_of_block(const _PyFrameRecords *records)
{
    return records->room != 0 ? records->room
                              : (uintptr_t)records->base - RECORD_BLOCK + RECORD_FP;
}

/* The first frame of the evaluator that runs `f`. */
static inline PyVMFrame *
entry_of(PyVMFrame *f)
{
    while (!RET_LEAVES(f->ret)) {
        f = f->previous;
    }
    return f;
}

/* Of _PyThreadStateImpl.unshown. */
enum {
    FRAMES_SHOWN = 0,
    FRAMES_UNSHOWN,         /* frames further out than the innermost block may lack records */
    BLOCKS_EMPTY,           /* likewise, and blocks that were in use before have lost theirs */
};

/* All frames of a thread have lost their records, or never had any; they get some at the next
   safe point. Or they are to have none. */
VM_HIDDEN void _PyVM_WantRecords(PyThreadState *ts);
VM_HIDDEN void _PyVM_DropRecords(PyThreadState *ts);

#endif

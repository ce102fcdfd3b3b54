/* Where machine code lies: pages that are written first and executable afterwards, never both.

   Addresses are reserved once, near the interpreter's own code, so that calls reach it. They
   are not used again, for profilers may still read about them. */
#include "lower.h"
#include "code_memory.h"
#include <sys/mman.h>
#include <unistd.h>

#define RESERVE ((size_t)32 << 20)
/* Bytes behind a function in which no other begins: perf takes them for its unwinding
   information, with a table of it (observe/perf/jitdump.c). */
#define BEHIND 64
/* How far a call reaches, with something to spare. */
#define REACH ((uintptr_t)1 << 30)

static struct {
    char *base;
    size_t used;
    int refused;                /* there is no executable memory for us */
} memory;

static void
reserve(void)
{
    uintptr_t here = (uintptr_t)&_PyVM_steps & ~(uintptr_t)0xfffff;
    /* Below and above, step by step: what lies next to the program differs. */
    for (uintptr_t away = RESERVE; away < REACH; away += RESERVE) {
        for (int above = 0; above < 2; above++) {
            uintptr_t wish = above ? here + away : here - away;
            void *base = mmap((void *)wish, RESERVE, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
                              | MAP_FIXED_NOREPLACE, -1, 0);
            if (base == (void *)wish) {
                memory.base = base;
                return;
            }
            if (base != MAP_FAILED) {
                (void)munmap(base, RESERVE);
            }
        }
    }
    memory.refused = 1;
}

uint8_t *
_PyJit_CodeRoom(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size = (size + page - 1) & ~(page - 1);
    if (memory.base == NULL && !memory.refused) {
        reserve();
    }
    if (memory.refused || RESERVE - memory.used < size) {
        return NULL;
    }
    char *room = memory.base + memory.used;
    if (mprotect(room, size, PROT_READ | PROT_WRITE) < 0) {
        memory.refused = 1;
        return NULL;
    }
    memory.used += size;
    return (uint8_t *)room;
}

int
_PyJit_CodeReady(uint8_t *room, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (size + page - 1) & ~(page - 1);
    if (mprotect(room, whole, PROT_READ | PROT_EXEC) < 0) {
        memory.refused = 1;
        return -1;
    }
    __builtin___clear_cache((char *)room, (char *)room + size);
    return 0;
}

PyJitCode *
_PyJit_Install(JitLower *l, uint32_t at_entry)
{
    JitGraph *g = l->g;
    size_t size = _PyJit_AsmSize(&l->as);
    PyJitCode *jit = l->jit;
    jit->frame_info = _PyJit_MakeFrameInfo(&l->as);
    size_t behind = BEHIND + (jit->frame_info != NULL ? jit->frame_info->size : 0);
    uint32_t *places = PyMem_RawCalloc(g->code->ninstr, sizeof(uint32_t));
    uint8_t *room = places == NULL || l->as.failed ? NULL : _PyJit_CodeRoom(size + behind);
    if (room == NULL || _PyJit_AsmFinish(&l->as, room, (uintptr_t)room) < 0
        || _PyJit_CodeReady(room, size) < 0) {
        PyMem_RawFree(places);
        return NULL;
    }
    for (uint32_t i = 1; i < g->nblocks; i++) {
        if (g->blocks[i].entry != 0) {
            places[g->blocks[i].start] = _PyJit_LabelOffset(&l->as, l->places[i]);
        }
    }
    jit->start = (const char *)room;
    jit->size = size;
    jit->entry = (PyJitEntry)(uintptr_t)room;
    jit->entry_at = (PyJitEntryAt)(uintptr_t)(room + _PyJit_AsmOffset(&l->as, at_entry));
    jit->places = places;
    _PyJit_FinishMarks(l, jit);
    jit->points = l->points;
    _PyJit_TellUnwinders(jit);
    return jit;
}

/* From finished code to a function that can be called, and back. */
#include "lower.h"
#include "code_memory.h"
#include "likes.h"

/* Bytes behind a function in which no other begins: perf takes them for its unwinding
   information, with a table of it (observe/perf/jitdump.c). */
#define BEHIND 64

PyJitCode *
_PyJit_Install(JitLower *l, uint32_t at_entry)
{
    JitGraph *g = l->g;
    size_t size = _PyJit_AsmSize(&l->as);
    PyJitCode *jit = l->jit;
    jit->frame_info = _PyJit_MakeFrameInfo(&l->as);
    size_t behind = BEHIND + (jit->frame_info != NULL ? jit->frame_info->size : 0);
    uint32_t *places = PyMem_RawCalloc(g->code->ninstr, sizeof(uint32_t));
    JitRoom room;
    if (places == NULL || l->as.failed || _PyJit_OpenRoom(&room, size + behind) < 0) {
        PyMem_RawFree(places);
        return NULL;
    }
    int finished = _PyJit_AsmFinish(&l->as, room.writable, (uintptr_t)room.code) == 0;
    if (!finished) {
        _PyJit_AbandonRoom(&room);
    }
    if (!finished || _PyJit_CloseRoom(&room) < 0) {
        PyMem_RawFree(places);
        return NULL;
    }
    for (uint32_t i = 1; i < g->nblocks; i++) {
        if (g->blocks[i].entry != 0) {
            places[g->blocks[i].start] = _PyJit_LabelOffset(&l->as, l->places[i]);
        }
    }
    jit->start = room.code;
    jit->size = size;
    jit->room = room.size;
    jit->entry = (PyJitEntry)(uintptr_t)room.code;
    jit->entry_at = (PyJitEntryAt)(uintptr_t)(room.code + _PyJit_AsmOffset(&l->as, at_entry));
    jit->places = places;
    _PyJit_FinishMarks(l, jit);
    jit->points = l->points;
    jit->likes = g->likes;
    g->likes = NULL;
    _PyJit_TellUnwinders(jit);
    return jit;
}

void
_PyJit_FreePoints(JitPoints *points)
{
    while (points != NULL) {
        JitPoints *next = points->next;
        PyMem_RawFree(points);
        points = next;
    }
}

void
_PyJit_FreeVersion(PyJitCode *jit)
{
    _PyJit_ForgetByUnwinders(jit);
    if (jit->room != 0 && !jit->was_published) {
        /* Profilers may still read about other addresses. */
        _PyJit_FreeRoom(jit->start, jit->room);
    }
    _PyJit_FreePoints(jit->points);
    _PyJit_FreeLikes(jit->likes);
    PyMem_RawFree(jit->places);
    PyMem_RawFree(jit->marks);
    PyMem_RawFree(jit->frame_info);
    PyMem_RawFree(jit);
}

/* Which bytes of machine code belong to which instruction: for profilers and debuggers, who
   want lines. A mark stands where code of an instruction begins; what follows it, up to the
   next mark, is that instruction's. */
#include "lower.h"

static void
mark_here(JitLower *l, uint32_t here, uint32_t ip, uint32_t *last)
{
    if (*last < l->nmarks) {
        PyJitMark *mark = &l->marks[*last];
        if (mark->ip == ip) {
            return;
        }
        if (mark->at == here) {
            mark->ip = ip;      /* that instruction took no bytes in this part */
            return;
        }
    }
    if (l->nmarks == l->marks_size) {
        uint32_t size = 2 * l->marks_size + 64;
        PyJitMark *marks = PyMem_RawRealloc(l->marks, size * sizeof(*marks));
        if (marks == NULL) {
            return;     /* its bytes are taken for those of the instruction before */
        }
        l->marks = marks;
        l->marks_size = size;
    }
    *last = l->nmarks;
    l->marks[l->nmarks++] = (PyJitMark){here, ip};
}

void
_PyJit_Mark(JitLower *l, uint32_t ip)
{
    int part = l->as.part;
    for (int i = 0; i < 2; i++) {
        l->as.part = i;
        mark_here(l, _PyJit_AsmHere(&l->as), ip, &l->last_mark[i]);
    }
    l->as.part = part;
}

void
_PyJit_ForgetMarks(JitLower *l)
{
    l->nmarks = 0;
    l->last_mark[0] = l->last_mark[1] = UINT32_MAX;
}

static int
compare_marks(const void *a, const void *b)
{
    uint32_t x = ((const PyJitMark *)a)->at, y = ((const PyJitMark *)b)->at;
    return (x > y) - (x < y);
}

void
_PyJit_FinishMarks(JitLower *l, PyJitCode *jit)
{
    for (uint32_t i = 0; i < l->nmarks; i++) {
        l->marks[i].at = _PyJit_AsmOffset(&l->as, l->marks[i].at);
    }
    qsort(l->marks, l->nmarks, sizeof(*l->marks), compare_marks);
    PyJitMark *marks = PyMem_RawRealloc(l->marks, (l->nmarks + 1) * sizeof(*marks));
    jit->marks = marks != NULL ? marks : l->marks;
    jit->nmarks = l->nmarks;
    l->marks = NULL;
    l->nmarks = l->marks_size = 0;
}

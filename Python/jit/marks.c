/* Which bytes of machine code belong to which instruction: for profilers and debuggers, who
   want lines. A mark stands where code of an instruction begins; what follows it, up to the
   next mark, is that instruction's. */
#include "lower.h"

static void
mark_here(JitLower *l, PyJitMark mark, uint32_t *last)
{
    if (*last < l->nmarks) {
        PyJitMark *before = &l->marks[*last];
        if (before->ip == mark.ip && before->inner_ip == mark.inner_ip
            && before->scope == mark.scope) {
            return;
        }
        if (before->at == mark.at) {
            *before = mark;     /* that instruction took no bytes in this part */
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
    l->marks[l->nmarks++] = mark;
}

void
_PyJit_Mark(JitLower *l, uint32_t ip, unsigned scope, uint32_t inner_ip)
{
    int part = l->as.part;
    for (int i = 0; i < 2; i++) {
        l->as.part = i;
        mark_here(l, (PyJitMark){_PyJit_AsmHere(&l->as), ip, inner_ip, scope}, &l->last_mark[i]);
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

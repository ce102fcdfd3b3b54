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
    PyJitMark mark = {.ip = ip, .inner_ip = inner_ip, .scope = scope};
    if (l->nmarks > 0 && ip == l->marked.ip && inner_ip == l->marked.inner_ip
        && scope == l->marked.scope) {
        return;                 /* so it is in both parts */
    }
    l->marked = mark;
    int part = l->as.part;
    for (int i = 0; i < 2; i++) {
        l->as.part = i;
        mark.at = _PyJit_AsmHere(&l->as);
        mark_here(l, mark, &l->last_mark[i]);
    }
    l->as.part = part;
}

void
_PyJit_ForgetMarks(JitLower *l)
{
    l->nmarks = 0;
    l->last_mark[0] = l->last_mark[1] = UINT32_MAX;
}

/* Those of each part stand in their order; the rare part lies behind the usual one. */
void
_PyJit_FinishMarks(JitLower *l, PyJitCode *jit)
{
    PyJitMark *marks = PyMem_RawMalloc((l->nmarks + 1) * sizeof(*marks));
    uint32_t n = 0;
    for (uint32_t part = 0; part < 2 && marks != NULL; part++) {
        for (uint32_t i = 0; i < l->nmarks; i++) {
            PyJitMark *mark = &l->marks[i];
            if (mark->at >> 31 == part) {
                marks[n] = *mark;
                marks[n++].at = _PyJit_AsmOffset(&l->as, mark->at);
            }
        }
    }
    jit->marks = marks;
    jit->nmarks = n;
}

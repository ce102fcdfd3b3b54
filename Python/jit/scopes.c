/* Functions that are a part of another one, as stack walkers see them.

   While profilers are shown names by address (perf's map), each byte of machine code is said to be
   that of one function, also where that has been built into its caller. Who follows frame pointers
   must then find the caller above it. So the native frame has a record {frame pointer, return
   address} for each depth of scopes, and while code of a scope runs, the frame pointer's register
   holds the address of the scope's record:

       native frame     ... record 2   record 1 ...   caller's frame pointer | return address
                            |    ^---------+|  ^---------------^ record 1's first word
       frame pointer, in a scope of depth 2 +

   The return addresses in records lie in the calling instruction's code. A record is written before
   the register moves there, and the register moves back before code of the caller runs: so at every
   instruction the chain is whole. Slots are addressed from where the register is at that place
   (`shift` in JitAsm); code that all of the function shares is entered with it at the frame. */
#include "lower.h"

/* The record of a depth, from the frame on; 16 bytes, and aligned so, as walkers want it. */
static int32_t
record_at(const JitLower *l, unsigned depth)
{
    if (depth == 0) {
        return 0;
    }
    const JitAsm *as = &l->as;
    int32_t a = _PyJit_SlotDisp(as, l->records) + as->shift;
    int32_t b = _PyJit_SlotDisp(as, l->records + _PyJit_RecordWords(l->g) - 1) + as->shift;
    return (((a < b ? a : b) + 15) & ~15) + 16 * ((int32_t)depth - 1);
}

uint32_t
_PyJit_RecordWords(const JitGraph *g)
{
    return g->deepest == 0 ? 0 : 2u * g->deepest + 1;
}

void
_PyJit_BeginScope(JitLower *l, unsigned scope)
{
    if (!l->g->has_records) {
        return;
    }
    l->scope = scope;
    _PyJit_FrameIsAt(&l->as, record_at(l, scope == 0 ? 0 : l->g->scopes[scope].depth));
}

/* The innermost scope that both are in. */
static unsigned
common_scope(const JitScope *scopes, unsigned a, unsigned b)
{
    while (a != b) {
        if (scopes[a].depth >= scopes[b].depth) {
            a = scopes[a].around;
        }
        else {
            b = scopes[b].around;
        }
    }
    return a;
}

static void
enter(JitLower *l, unsigned scope, uint32_t ip)
{
    const JitScope *s = &l->g->scopes[scope];
    JitAsm *as = &l->as;
    if (l->scope != s->around) {
        enter(l, s->around, ip);
    }
    _PyJit_Mark(l, ip, s->around, s->call);
    JitLabel called = _PyJit_NewLabel(as);
    int32_t record = record_at(l, s->depth);
    _PyJit_Store(as, JIT_64, l->m->frame_pointer, record - as->shift, l->m->frame_pointer);
    _PyJit_StoreLabel(as, l->m->frame_pointer, record - as->shift + 8, called);
    _PyJit_Bind(as, called);
    _PyJit_MoveFrame(as, record);
    l->scope = scope;
}

void
_PyJit_ToScope(JitLower *l, unsigned scope, uint32_t ip)
{
    if (scope == l->scope) {
        return;
    }
    const JitScope *scopes = l->g->scopes;
    unsigned common = common_scope(scopes, l->scope, scope);
    if (common != l->scope) {
        _PyJit_MoveFrame(&l->as, record_at(l, scopes[common].depth));
        l->scope = common;
    }
    if (scope != common) {
        enter(l, scope, ip);
    }
}

void
_PyJit_JumpToCommon(JitLower *l, const JitNode *n, JitLabel label)
{
    unsigned scope = l->scope;
    if (scope != 0) {
        _PyJit_ToScope(l, 0, n->ip);
        _PyJit_Mark(l, n->ip, 0, n->ip);
    }
    _PyJit_Jump(&l->as, label);
    if (scope != 0) {
        _PyJit_BeginScope(l, scope);
        _PyJit_Mark(l, n->ip, n->scope, n->inner_ip);
    }
}

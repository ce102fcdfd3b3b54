/* A pass over the graph. */
#include "ir.h"

static void
mark(uint8_t *used, JitRef *stack, uint32_t *depth, JitRef ref)
{
    if (ref != 0 && !used[ref]) {
        used[ref] = 1;
        stack[(*depth)++] = ref;
    }
}

/* For each block the edges with inputs that lead to it: the first of them, and by edge the next one.
   0: there is no other. */
typedef struct {
    uint32_t *first, *next;
} EdgesTo;

static EdgesTo
find_edges(JitGraph *g)
{
    EdgesTo to = {_PyJit_Alloc(g, g->nblocks * sizeof(uint32_t)),
                  _PyJit_Alloc(g, g->nedges * sizeof(uint32_t))};
    for (uint32_t e = 1; !g->failed && e < g->nedges; e++) {
        if (g->edges[e].inputs != NULL) {
            to.next[e] = to.first[g->edges[e].to];
            to.first[g->edges[e].to] = e;
        }
    }
    return to;
}

/* The inputs of a phi, from all edges. */
static void
mark_inputs(JitGraph *g, uint8_t *used, JitRef *stack, uint32_t *depth, EdgesTo to,
            uint32_t block, uint32_t index)
{
    for (uint32_t e = to.first[block]; e != 0; e = to.next[e]) {
        mark(used, stack, depth, g->edges[e].inputs[index]);
    }
}

/* Removes values that nothing uses. Guards and effects stay. */
void
_PyJit_DropDead(JitGraph *g)
{
    uint8_t *used = _PyJit_Alloc(g, g->nnodes);
    uint8_t *seen = _PyJit_Alloc(g, g->nsnaps);         /* snapshots */
    JitRef *stack = _PyJit_Alloc(g, g->nnodes * sizeof(JitRef));
    uint32_t *phi_block = _PyJit_Alloc(g, g->nnodes * sizeof(uint32_t));
    uint32_t *phi_index = _PyJit_Alloc(g, g->nnodes * sizeof(uint32_t));
    EdgesTo to = find_edges(g);
    if (g->failed) {
        return;
    }
    for (uint32_t b = 1; b < g->nblocks; b++) {
        for (uint32_t i = 0; i < g->blocks[b].nphis; i++) {
            phi_block[g->blocks[b].phis[i]] = b;
            phi_index[g->blocks[b].phis[i]] = i;
        }
    }
    uint32_t depth = 0;
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        if (_PyJit_NodeFlags[g->nodes[ref].op] & JIT_EFFECT) {
            mark(used, stack, &depth, ref);
        }
    }
    while (depth > 0) {
        JitRef ref = stack[--depth];
        JitNode *n = &g->nodes[ref];
        for (int i = 0; i < JIT_ARGS; i++) {
            mark(used, stack, &depth, n->args[i]);
        }
        if (n->snap != 0 && !seen[n->snap]) {
            seen[n->snap] = 1;
            JitSnap *snap = &g->snaps[n->snap];
            for (uint32_t i = 0; i < snap->n; i++) {
                mark(used, stack, &depth, g->entries[snap->first + i].ref);
            }
        }
        if (n->op == JIT_PHI_NODE) {
            mark_inputs(g, used, stack, &depth, to, phi_block[ref], phi_index[ref]);
        }
    }
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        JitNode *n = &g->nodes[ref];
        if (!used[ref] && n->op != JIT_CONST_NODE && n->op != JIT_DOUBLE_NODE
            && n->op != JIT_PHI_NODE) {
            *n = (JitNode){.op = JIT_NONE_NODE};
        }
    }
    /* Phis that nobody uses leave their blocks' lists. */
    for (uint32_t b = 1; b < g->nblocks; b++) {
        JitBlock *block = &g->blocks[b];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < block->nphis; i++) {
            if (!used[block->phis[i]]) {
                continue;
            }
            for (uint32_t e = to.first[b]; kept != i && e != 0; e = to.next[e]) {
                g->edges[e].inputs[kept] = g->edges[e].inputs[i];
            }
            block->phis[kept++] = block->phis[i];
        }
        block->nphis = kept;
    }
}

/* Which values are alive where, and where they die.

   Blocks and edges are units alike. Values that are used in the unit that makes them only need
   no set; the others are numbered anew, so that the sets stay small. Constants live nowhere. */
#include "lower.h"

static JitRange
nodes_of(JitLower *l, uint32_t unit)
{
    JitGraph *g = l->g;
    return unit < g->nblocks ? g->blocks[unit].nodes : g->edges[unit - g->nblocks].nodes;
}

/* Does `body` for each value that a node uses, those of its snapshot included; but not if the
   node that was looked at before in the unit has the same one, as many of an instruction have:
   what is in it is older than both. seen: that snapshot, 0 in the beginning. */
#define FOR_USES(l, node, seen, use, body) \
    do { \
        JitNode *n_ = &(l)->g->nodes[node]; \
        for (int i_ = 0; i_ < JIT_ARGS; i_++) { \
            JitRef use = n_->args[i_]; \
            if (use != 0 && !jit_is_const(l, use)) { \
                body; \
            } \
        } \
        if (n_->snap != 0 && n_->snap != seen) { \
            seen = n_->snap; \
            JitSnap *snap_ = &(l)->g->snaps[n_->snap]; \
            for (uint32_t i_ = 0; i_ < snap_->n; i_++) { \
                JitRef use = (l)->g->entries[snap_->first + i_].ref; \
                if (!jit_is_const(l, use)) { \
                    body; \
                } \
            } \
        } \
    } while (0)

/* The inputs of an edge's phis are used at its end. */
#define FOR_INPUTS(l, unit, use, body) \
    do { \
        if ((unit) >= (l)->g->nblocks) { \
            JitEdge *edge_ = &(l)->g->edges[(unit) - (l)->g->nblocks]; \
            uint32_t n_ = edge_->to == 0 ? 0 : (l)->g->blocks[edge_->to].nphis; \
            for (uint32_t i_ = 0; i_ < n_; i_++) { \
                JitRef use = edge_->inputs[i_]; \
                if (!jit_is_const(l, use)) { \
                    body; \
                } \
            } \
        } \
    } while (0)

static void
find_makers(JitLower *l)
{
    JitGraph *g = l->g;
    for (uint32_t unit = 1; unit < l->nunits; unit++) {
        JitRange range = nodes_of(l, unit);
        for (JitRef ref = range.first; ref < range.end; ref++) {
            l->unit_of[ref] = unit;
        }
        if (unit < g->nblocks) {
            for (uint32_t i = 0; i < g->blocks[unit].nphis; i++) {
                l->unit_of[g->blocks[unit].phis[i]] = unit;
            }
        }
    }
}

static void
number(JitLower *l, uint32_t unit, JitRef ref)
{
    if (l->unit_of[ref] != unit && l->dense[ref] == 0) {
        l->of_dense[l->ndense] = ref;
        l->dense[ref] = l->ndense++;
    }
}

static void
set_bit(uint64_t *set, uint32_t bit)
{
    set[bit / 64] |= (uint64_t)1 << (bit % 64);
}

static void
clear_bit(uint64_t *set, uint32_t bit)
{
    set[bit / 64] &= ~((uint64_t)1 << (bit % 64));
}

/* What is alive at the end of a unit, from those that follow it. 1: it has grown. */
static int
gather_out(JitLower *l, uint32_t unit)
{
    JitGraph *g = l->g;
    uint64_t *out = l->live_out + (size_t)unit * l->words;
    int grown = 0;
    uint32_t follows[2] = {0, 0};
    if (unit >= g->nblocks) {
        follows[0] = g->edges[unit - g->nblocks].to;
    }
    else {
        for (uint32_t i = 0; i < g->blocks[unit].nedges; i++) {
            follows[i] = g->nblocks + g->blocks[unit].edges[i];
        }
    }
    for (int k = 0; k < 2; k++) {
        const uint64_t *in = l->live_in + (size_t)follows[k] * l->words;
        for (uint32_t i = 0; follows[k] != 0 && i < l->words; i++) {
            uint64_t all = out[i] | in[i];
            grown |= all != out[i];
            out[i] = all;
        }
    }
    return grown;
}

static void
live_through(JitLower *l, uint32_t unit, uint64_t *live)
{
    JitGraph *g = l->g;
    FOR_INPUTS(l, unit, use, if (l->dense[use]) set_bit(live, l->dense[use]));
    JitRange range = nodes_of(l, unit);
    uint32_t seen = 0;
    for (JitRef ref = range.end; ref-- > range.first;) {
        if (l->dense[ref]) {
            clear_bit(live, l->dense[ref]);
        }
        FOR_USES(l, ref, seen, use, if (l->dense[use]) set_bit(live, l->dense[use]));
    }
    if (unit < g->nblocks) {
        for (uint32_t i = 0; i < g->blocks[unit].nphis; i++) {
            JitRef phi = g->blocks[unit].phis[i];
            if (l->dense[phi]) {
                clear_bit(live, l->dense[phi]);
            }
        }
    }
}

static void
add_death(JitLower *l, JitRef node, JitRef dead)
{
    if (l->ndeaths == l->deaths_size) {
        uint32_t size = l->deaths_size == 0 ? 256 : 2 * l->deaths_size;
        JitRef *larger = _PyJit_Alloc(l->g, size * sizeof(JitRef));
        if (larger == NULL) {
            return;
        }
        if (l->ndeaths > 0) {
            memcpy(larger, l->deaths, l->ndeaths * sizeof(JitRef));
        }
        l->deaths = larger;
        l->deaths_size = size;
    }
    if (l->deaths_n[node]++ == 0) {
        l->deaths_first[node] = l->ndeaths;
    }
    l->deaths[l->ndeaths++] = dead;
}

/* The last uses within a unit, and what is alive over calls. alive: by node, 1 now. */
static void
find_deaths(JitLower *l, uint32_t unit, uint8_t *alive, JitRef *stack)
{
    JitGraph *g = l->g;
    const uint64_t *out = l->live_out + (size_t)unit * l->words;
    uint32_t n = 0;
    for (uint32_t w = 0; w < l->words; w++) {
        for (uint64_t bits = out[w]; bits != 0; bits &= bits - 1) {
            JitRef ref = l->of_dense[w * 64 + (uint32_t)__builtin_ctzll(bits)];
            alive[ref] = 1;
            stack[n++] = ref;
        }
    }
    FOR_INPUTS(l, unit, use, if (!alive[use]) { alive[use] = 1; stack[n++] = use; });
    JitRange range = nodes_of(l, unit);
    uint32_t seen = 0;
    for (JitRef ref = range.end; ref-- > range.first;) {
        int unused = g->nodes[ref].type != JIT_T_NONE && !alive[ref] && !jit_is_const(l, ref);
        alive[ref] = 0;
        if (_PyJit_NodeFlags[g->nodes[ref].op] & JIT_CALLS) {
            uint32_t kept = 0, of[2] = {0, 0};
            for (uint32_t i = 0; i < n; i++) {
                if (alive[stack[i]]) {
                    l->across[stack[i]] = 1;
                    of[jit_is_double(l, stack[i])]++;
                    stack[kept++] = stack[i];
                }
            }
            n = kept;
            for (int k = 0; k < 2; k++) {
                l->most_across[k] = Py_MAX(l->most_across[k], of[k]);
            }
        }
        FOR_USES(l, ref, seen, use, if (!alive[use]) {
            add_death(l, ref, use);
            alive[use] = 1;
            stack[n++] = use;
        });
        if (unused) {
            add_death(l, ref, ref);
        }
    }
    /* A phi that nobody uses dies at once. */
    for (uint32_t i = 0; unit < g->nblocks && i < g->blocks[unit].nphis; i++) {
        JitRef phi = g->blocks[unit].phis[i];
        if (!alive[phi]) {
            add_death(l, phi, phi);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        alive[stack[i]] = 0;
    }
}

/* How far loops go, and which phis they change. */
static void
find_loops(JitLower *l)
{
    JitGraph *g = l->g;
    for (uint32_t i = 1; i < g->nblocks; i++) {
        g->blocks[i].loop_end = i;
    }
    for (uint32_t i = 1; i < g->nedges; i++) {
        const JitEdge *edge = &g->edges[i];
        JitBlock *to = &g->blocks[edge->to];
        if (!edge->back) {
            continue;
        }
        if (edge->from > to->loop_end) {
            to->loop_end = edge->from;
        }
        for (uint32_t k = 0; k < to->nphis; k++) {
            l->changed[to->phis[k]] |= edge->inputs[k] != to->phis[k];
        }
    }
}

/* The sets of a function that is too long for this would take too much memory. */
#define MOST_WORDS ((size_t)1 << 20)

int
_PyJit_FindLife(JitLower *l)
{
    JitGraph *g = l->g;
    l->nunits = g->nblocks + g->nedges;
    size_t n = g->nnodes;
    l->kinds = _PyJit_Alloc(g, n);
    l->unit_of = _PyJit_Alloc(g, n * sizeof(uint32_t));
    l->dense = _PyJit_Alloc(g, n * sizeof(uint32_t));
    l->of_dense = _PyJit_Alloc(g, (n + 1) * sizeof(JitRef));
    l->across = _PyJit_Alloc(g, n);
    l->changed = _PyJit_Alloc(g, n);
    l->deaths_first = _PyJit_Alloc(g, n * sizeof(uint32_t));
    l->deaths_n = _PyJit_Alloc(g, n * sizeof(uint32_t));
    uint8_t *alive = _PyJit_Alloc(g, n);
    JitRef *stack = _PyJit_Alloc(g, 4 * n * sizeof(JitRef));
    if (g->failed) {
        return -1;
    }
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        const JitNode *node = &g->nodes[ref];
        int is_const = node->op == JIT_CONST_NODE || node->op == JIT_DOUBLE_NODE;
        l->kinds[ref] = (uint8_t)((is_const ? JIT_IS_CONST : 0)
                                  | (node->type == JIT_T_DOUBLE ? JIT_IS_DOUBLE : 0));
    }
    find_makers(l);
    find_loops(l);
    l->ndense = 1;
    for (uint32_t unit = 1; unit < l->nunits; unit++) {
        JitRange range = nodes_of(l, unit);
        uint32_t seen = 0;
        for (JitRef ref = range.first; ref < range.end; ref++) {
            FOR_USES(l, ref, seen, use, number(l, unit, use));
        }
        FOR_INPUTS(l, unit, use, number(l, unit, use));
    }
    l->words = (l->ndense + 63) / 64;
    if ((size_t)l->words * l->nunits > MOST_WORDS) {
        return -1;
    }
    l->live_in = _PyJit_Alloc(g, (size_t)l->words * l->nunits * sizeof(uint64_t));
    l->live_out = _PyJit_Alloc(g, (size_t)l->words * l->nunits * sizeof(uint64_t));
    if (g->failed) {
        return -1;
    }
    for (int grown = 1, first = 1; grown; first = 0) {
        grown = 0;
        for (uint32_t i = g->nblocks; i-- > 1;) {
            /* A block's edges, then the block. */
            uint32_t units[4] = {0}, k = 0;
            for (uint32_t e = 0; e < g->blocks[i].nedges; e++) {
                units[k++] = g->nblocks + g->blocks[i].edges[e];
            }
            units[k++] = i;
            if (g->blocks[i].entry != 0) {
                units[k++] = g->nblocks + g->blocks[i].entry;
            }
            for (uint32_t u = 0; u < k; u++) {
                if (gather_out(l, units[u]) || first) {
                    uint64_t *in = l->live_in + (size_t)units[u] * l->words;
                    memcpy(in, l->live_out + (size_t)units[u] * l->words,
                           l->words * sizeof(uint64_t));
                    live_through(l, units[u], in);
                    grown = 1;
                }
            }
        }
    }
    for (uint32_t unit = 1; unit < l->nunits; unit++) {
        find_deaths(l, unit, alive, stack);
    }
    return g->failed ? -1 : 0;
}

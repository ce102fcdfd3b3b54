/* The graph's memory, its nodes, and how it is shown and checked. */
#include "ir.h"
#include "likes.h"
#include "internal/gcstate.h"
#include "internal/memory.h"
#include <stdio.h>
#include <sys/mman.h>

const uint8_t _PyJit_NodeFlags[] = {
#define JIT_NODE(name, flags) (flags),
    JIT_NODES
#undef JIT_NODE
};

const char *const _PyJit_NodeNames[] = {
#define JIT_NODE(name, flags) #name,
    JIT_NODES
#undef JIT_NODE
};

/* --------------------------------------------------------------------- memory

   A graph is large and soon gone, and what is made of it is small and stays. In the C library's
   heap the one would keep the other's memory from going back to the system; so it has mappings of
   its own. Most of a mapping is never touched, for it has room for long functions: what costs is
   each page that is, as much as compiling for some microseconds. So what a graph has used waits for
   the next one, array by array: the nodes' memory for nodes, of which there are most. It goes back
   when it is very large, and with the free lists when the collector has gone through everything.
   An array that grows takes its pages with it, and gets new ones by a call for several, before they
   are written to. The sanitizer looks better after memory that it knows, and then arrays move so
   often that it sees who keeps a pointer to a node while others are added. */

typedef enum { OF_CHUNKS, OF_BLOCKS, OF_NODES, OF_SNAPS, OF_ENTRIES, OF_EDGES, OF_SCOPES, OF_ALL }
    Use;

/* Their memory is zeroed. */
#define IS_ZEROED(use) ((use) <= OF_BLOCKS)

#ifdef SB_SANITIZE
#define CHUNK ((size_t)128 << 10)
#define UNITS(size) (size)
#define LARGER(before, item) ((before) + 16 * (item))

static void *
get(Use Py_UNUSED(use), size_t size, JitExtent *got)
{
    void *memory = PyMem_RawCalloc(1, size);
    *got = memory == NULL ? (JitExtent){0} : (JitExtent){size, size};
    return memory;
}

static void
give_back(Use Py_UNUSED(use), void *memory, JitExtent Py_UNUSED(extent), size_t Py_UNUSED(used))
{
    PyMem_RawFree(memory);
}

static void
make_ready(Use Py_UNUSED(use), void *Py_UNUSED(memory), JitExtent *Py_UNUSED(extent),
           size_t Py_UNUSED(wanted))
{
}

static void
begin(void)
{
}

static void *
enlarge(void *old, JitExtent *extent, size_t larger)
{
    void *moved = PyMem_RawMalloc(larger);
    if (moved != NULL) {
        memcpy(moved, old, extent->size);
        PyMem_RawFree(old);
        extent->size = extent->ready = larger;
    }
    return moved;
}
#else
#define CHUNK ((size_t)1024 << 10)
#define UNITS(size) (((size) + 0xffff) & ~(size_t)0xffff)
#define LARGER(before, item) (2 * (before) + (item))
/* The least that is mapped for an array. */
#define LEAST(use) ((use) == OF_CHUNKS ? CHUNK : (size_t)128 << 10)
/* So much of each use is kept with what has been written to it, the longer of two mappings, and none
   that is this long. */
#define MOST_KEPT ((size_t)1024 << 10)
#define MOST_MAPPED (4 * MOST_KEPT)

/* Besides what is asked for, half of what there is gets its pages, and so much. What is larger may
   never be touched as a whole. */
#define AHEAD(use) ((size_t)((use) == OF_CHUNKS ? 32 : 8) << 10)
#define MOST_AHEAD ((size_t)256 << 10)
#define PAGE ((size_t)4 << 10)

static struct {
    void *memory;
    JitExtent extent;
} kept[OF_ALL];

/* The first `wanted` bytes, at least, of which not all were. */
static void
make_ready(Use use, void *memory, JitExtent *extent, size_t wanted)
{
    size_t before = extent->ready, ahead = Py_MIN(before / 2 + AHEAD(use), MOST_AHEAD);
    size_t now = (Py_MAX(wanted, before + ahead) + PAGE - 1) & ~(PAGE - 1);
    extent->ready = now = Py_MIN(now, extent->size);
    if (now - before <= MOST_AHEAD) {
        /* Linux before 5.14: page faults will do it. */
        _PyMem_Advise((char *)memory + before, now - before, MADV_POPULATE_WRITE);
    }
}

/* If nothing is kept, one mapping for all uses takes a fifth of the time of one for each. */
static void
begin(void)
{
    size_t size = 0;
    for (Use use = 0; use < OF_ALL; use++) {
        if (kept[use].memory != NULL) {
            return;
        }
        size += LEAST(use);
    }
    char *memory = _PyMem_Map(size);
    for (Use use = 0; memory != NULL && use < OF_ALL; use++) {
        kept[use].memory = memory;
        kept[use].extent = (JitExtent){.size = LEAST(use)};
        memory += LEAST(use);
    }
}

/* At least `size` bytes, zeroed if it is such a use. If there is no memory, of none. */
static void *
get(Use use, size_t size, JitExtent *got)
{
    void *memory = kept[use].memory;
    if (memory != NULL && kept[use].extent.size >= size) {
        *got = kept[use].extent;
        kept[use].memory = NULL;
        return memory;
    }
    size = UNITS(Py_MAX(size, LEAST(use)));
    memory = _PyMem_Map(size);
    *got = memory == NULL ? (JitExtent){0} : (JitExtent){.size = size};
    return memory;
}

static void
give_up(Use use)
{
    if (kept[use].memory != NULL) {
        (void)munmap(kept[use].memory, kept[use].extent.size);
        kept[use].memory = NULL;
    }
}

static void
give_up_all(void)
{
    for (Use use = 0; use < OF_ALL; use++) {
        give_up(use);
    }
}

/* used: how much of it has been written to. */
static void
give_back(Use use, void *memory, JitExtent extent, size_t used)
{
    if (memory == NULL) {
        return;
    }
    if (kept[use].extent.size < extent.size && extent.size <= MOST_MAPPED) {
        give_up(use);
    }
    if (kept[use].memory != NULL || extent.size > MOST_MAPPED
        || (Py_MAX(used, extent.ready) > MOST_KEPT
            && madvise((char *)memory + MOST_KEPT, extent.size - MOST_KEPT, MADV_DONTNEED) != 0)) {
        (void)munmap(memory, extent.size);
        return;
    }
    extent.ready = Py_MIN(extent.ready, MOST_KEPT);
    if (IS_ZEROED(use)) {
        memset(memory, 0, Py_MIN(used, MOST_KEPT));
    }
    kept[use].memory = memory;
    kept[use].extent = extent;
    _PyGC_RegisterClearFreeList(give_up_all);
}

/* The same memory, of at least `larger` bytes, perhaps elsewhere. */
static void *
enlarge(void *old, JitExtent *extent, size_t larger)
{
    larger = UNITS(larger);
    void *moved = mremap(old, extent->size, larger, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) {
        return NULL;
    }
    extent->size = larger;
    return moved;
}
#endif

struct JitChunk {
    struct JitChunk *next;
    size_t used;
    JitExtent extent;
};

void *
_PyJit_Alloc(JitGraph *g, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    struct JitChunk *chunk = g->chunks;
    if (chunk == NULL || chunk->extent.size - chunk->used < size) {
        size_t whole = sizeof(struct JitChunk) + size;
        JitExtent extent;
        chunk = get(OF_CHUNKS, whole > CHUNK ? whole : CHUNK, &extent);
        if (chunk == NULL) {
            g->failed = 1;
            return NULL;
        }
        if (extent.ready < whole) {
            make_ready(OF_CHUNKS, chunk, &extent, whole);
        }
        chunk->extent = extent;
        chunk->used = sizeof(struct JitChunk);
        chunk->next = g->chunks;
        g->chunks = chunk;
    }
    void *memory = (char *)chunk + chunk->used;
    chunk->used += size;
    if (chunk->used > chunk->extent.ready) {
        make_ready(OF_CHUNKS, chunk, &chunk->extent, chunk->used);
    }
    return memory;
}

_Static_assert(sizeof(struct JitChunk) % 8 == 0, "what follows is aligned");

JitMemoryMark
_PyJit_MarkMemory(const JitGraph *g)
{
    return (JitMemoryMark){g->chunks, g->chunks != NULL ? g->chunks->used : 0};
}

void
_PyJit_FreeSince(JitGraph *g, JitMemoryMark mark)
{
    while (g->chunks != mark.chunk) {
        struct JitChunk *next = g->chunks->next;
        give_back(OF_CHUNKS, g->chunks, g->chunks->extent, g->chunks->used);
        g->chunks = next;
    }
    if (g->chunks != NULL) {
        memset((char *)g->chunks + mark.used, 0, g->chunks->used - mark.used);
        g->chunks->used = mark.used;
    }
}

#define GIVE_BACK(g, use, array) \
    give_back(use, (g)->array, (g)->array##_extent, (g)->n##array * sizeof(*(g)->array))

/* Most of the room is never used. */
void
_PyJit_AllocBlocks(JitGraph *g, size_t most)
{
    g->blocks = get(OF_BLOCKS, most * sizeof(JitBlock), &g->blocks_extent);
    g->failed |= g->blocks == NULL;
    if (g->blocks != NULL && g->blocks_extent.ready == 0) {
        make_ready(OF_BLOCKS, g->blocks, &g->blocks_extent, sizeof(JitBlock));
    }
}

void
_PyJit_FreeGraph(JitGraph *g)
{
    GIVE_BACK(g, OF_BLOCKS, blocks);
    struct JitChunk *chunk = g->chunks;
    while (chunk != NULL) {
        struct JitChunk *next = chunk->next;
        give_back(OF_CHUNKS, chunk, chunk->extent, chunk->used);
        chunk = next;
    }
    GIVE_BACK(g, OF_NODES, nodes);
    GIVE_BACK(g, OF_SNAPS, snaps);
    GIVE_BACK(g, OF_ENTRIES, entries);
    GIVE_BACK(g, OF_EDGES, edges);
    GIVE_BACK(g, OF_SCOPES, scopes);
    _PyJit_FreeLikes(g->likes);
    PyMem_RawFree(g);
}

/* Room for one more item than *size, which are as many as have their pages. 1, or 0 with
   `failed`. */
static __attribute__((noinline)) int
grow(JitGraph *g, Use use, void **items, uint32_t *size, JitExtent *extent, size_t item)
{
    size_t before = *size * item;
    int is_new = 0;
    if (extent->size < before + item) {
        size_t larger = LARGER(extent->size, item);
        void *moved = larger > (size_t)1 << 28 ? NULL
                      : *items == NULL ? get(use, larger, extent) : enlarge(*items, extent, larger);
        if (moved == NULL) {
            g->failed = 1;
            return 0;
        }
        is_new = *items == NULL;
        *items = moved;
    }
    if (extent->ready < before + item) {
        make_ready(use, *items, extent, before + item);
    }
    if (is_new) {
        memset(*items, 0, item);            /* number 0 is none */
    }
    *size = (uint32_t)(extent->ready / item);
    return 1;
}

#define GROW(g, use, array) \
    ((g)->n##array < (g)->array##_size \
     || grow(g, use, (void **)&(g)->array, &(g)->array##_size, &(g)->array##_extent, \
             sizeof(*(g)->array)))

JitGraph *
_PyJit_NewGraph(PyVMCode *code, PyFunctionObject *func)
{
    JitGraph *g = PyMem_RawCalloc(1, sizeof(JitGraph));
    if (g == NULL) {
        return NULL;
    }
    g->code = code;
    g->func = func;
    g->nnodes = g->nsnaps = g->nedges = g->nblocks = 1;     /* number 0 is none */
    g->nscopes = 1;             /* and the function itself */
    begin();
    /* What can't be added later is number 1, which callers may write to. */
    if (!GROW(g, OF_NODES, nodes) || !GROW(g, OF_SNAPS, snaps) || !GROW(g, OF_EDGES, edges)) {
        _PyJit_FreeGraph(g);
        return NULL;
    }
    return g;
}

JitRef
_PyJit_AddNode(JitGraph *g, JitNode node)
{
    if (!GROW(g, OF_NODES, nodes)) {
        return 1;
    }
    node.scope = g->scope;
    node.inner_ip = node.ip;
    g->nodes[g->nnodes] = node;
    return g->nnodes++;
}

uint32_t
_PyJit_AddSnap(JitGraph *g, uint32_t ip)
{
    if (!GROW(g, OF_SNAPS, snaps)) {
        return 1;
    }
    g->snaps[g->nsnaps] = (JitSnap){.ip = ip, .first = g->nentries};
    return g->nsnaps++;
}

void
_PyJit_AddSnapEntry(JitGraph *g, uint16_t reg, JitKeep keep, JitRef ref)
{
    if (!GROW(g, OF_ENTRIES, entries)) {
        return;
    }
    g->entries[g->nentries++] = (JitSnapEntry){.reg = reg, .keep = (uint8_t)keep, .ref = ref};
    g->snaps[g->nsnaps - 1].n++;
}

uint32_t
_PyJit_AddEdge(JitGraph *g, uint32_t from, uint32_t to)
{
    if (!GROW(g, OF_EDGES, edges)) {
        return 1;
    }
    g->edges[g->nedges] = (JitEdge){.from = from, .to = to};
    return g->nedges++;
}

void
_PyJit_AddScope(JitGraph *g, PyVMCode *code, uint32_t call)
{
    if (!g->has_records || g->nscopes > UINT16_MAX || !GROW(g, OF_SCOPES, scopes)) {
        return;
    }
    g->scopes[0].code = g->code;
    uint16_t depth = (uint16_t)(g->scopes[g->scope].depth + 1);
    g->scopes[g->nscopes] = (JitScope){code, call, g->scope, depth};
    g->scope = (uint16_t)g->nscopes++;
    g->deepest = Py_MAX(g->deepest, depth);
}

void
_PyJit_EndScope(JitGraph *g)
{
    if (g->scope != 0) {
        g->scope = g->scopes[g->scope].around;
    }
}

/* ---------------------------------------------------------------------- shown */

static const char *const type_names[] = {"", "word", "int", "object", "double", "raw"};
static const char *const cond_names[] = {"==", "!=", "<", ">=", "<=", ">", "<u", ">=u", "<=u",
                                         ">u"};

static void
print_snap(JitGraph *g, uint32_t number)
{
    JitSnap *snap = &g->snaps[number];
    fprintf(stderr, "  [%u:", snap->ip);
    for (uint32_t i = 0; i < snap->n; i++) {
        JitSnapEntry *e = &g->entries[snap->first + i];
        fprintf(stderr, " r%u=%s%u", e->reg,
                e->keep == JIT_KEEP_BORROWED ? "&" : e->keep == JIT_KEEP_DOUBLE ? "d"
                : e->keep == JIT_KEEP_NOT ? "-" : e->keep >= JIT_KEEP_LATER ? "+"
                : e->keep >= JIT_KEEP_ROUNDS ? "#" : "",
                e->ref);
    }
    fprintf(stderr, "]");
}

static void
print_node(JitGraph *g, JitRef ref)
{
    JitNode *n = &g->nodes[ref];
    if (n->op == JIT_NONE_NODE) {
        return;
    }
    fprintf(stderr, "  %5u %-7s %s", ref, type_names[n->type], _PyJit_NodeNames[n->op]);
    for (int i = 0; i < JIT_ARGS; i++) {
        if (n->args[i] != 0) {
            fprintf(stderr, " %u", n->args[i]);
        }
    }
    switch (n->op) {
    case JIT_CONST_NODE:
        if (n->imm & 1) {
            fprintf(stderr, " %lld", (long long)((int64_t)n->imm >> 1));
        }
        else {
            fprintf(stderr, " 0x%llx", (unsigned long long)n->imm);
        }
        break;
    case JIT_LOAD_REG_NODE: case JIT_STORE_REG_NODE:
        fprintf(stderr, " r%u", n->reg);
        break;
    case JIT_CMP_NODE: case JIT_FCMP_NODE: case JIT_BRANCH_NODE: case JIT_FBRANCH_NODE:
    case JIT_GUARD_CMP_NODE: case JIT_GUARD_FCMP_NODE:
        fprintf(stderr, " (%s)", cond_names[n->cond]);
        break;
    default:
        if (n->imm != 0) {
            fprintf(stderr, " #%lld", (long long)n->imm);
        }
        break;
    }
    if (n->cls != NULL) {
        fprintf(stderr, " <%s>", n->cls->tp_name);
    }
    if (n->snap != 0) {
        print_snap(g, n->snap);
    }
    fprintf(stderr, "\n");
}

static void
print_range(JitGraph *g, JitRange range)
{
    for (JitRef ref = range.first; ref < range.end; ref++) {
        print_node(g, ref);
    }
}

static void
print_edge(JitGraph *g, uint32_t number)
{
    JitEdge *edge = &g->edges[number];
    fprintf(stderr, "    edge %u -> block %u%s:", number, edge->to, edge->back ? " (back)" : "");
    for (uint32_t i = 0; edge->inputs != NULL && i < g->blocks[edge->to].nphis; i++) {
        fprintf(stderr, " %u", edge->inputs[i]);
    }
    fprintf(stderr, "\n");
    print_range(g, edge->nodes);
}

void
_PyJit_Dump(JitGraph *g)
{
    fprintf(stderr, "---- %s (%s)\n", PyUnicode_AsUTF8(g->code->ob.co_qualname),
            PyUnicode_AsUTF8(g->code->ob.co_filename));
    for (uint32_t i = 1; i < g->nblocks; i++) {
        JitBlock *block = &g->blocks[i];
        fprintf(stderr, "block %u, word %u%s\n", i, block->start,
                block->is_header ? ", loop" : "");
        if (block->entry != 0) {
            fprintf(stderr, "  from outside:\n");
            print_edge(g, block->entry);
        }
        for (uint32_t k = 0; k < block->nphis; k++) {
            print_node(g, block->phis[k]);
        }
        print_range(g, block->nodes);
        for (uint32_t k = 0; k < block->nedges; k++) {
            print_edge(g, block->edges[k]);
        }
    }
}

/* -------------------------------------------------------------------- checked */

static int
wrong(JitGraph *g, const char *what, uint32_t number)
{
    fprintf(stderr, "jit: %s: %s, number %u\n", PyUnicode_AsUTF8(g->code->ob.co_qualname), what,
            number);
    return 0;
}

static int
verify_range(JitGraph *g, JitRange range)
{
    for (JitRef ref = range.first; ref < range.end; ref++) {
        JitNode *n = &g->nodes[ref];
        if (n->op >= JIT_NODE_COUNT) {
            return wrong(g, "no such node", ref);
        }
        for (int i = 0; i < JIT_ARGS; i++) {
            JitRef arg = n->args[i];
            if (arg == 0) {
                continue;
            }
            if (arg >= g->nnodes || g->nodes[arg].op == JIT_NONE_NODE
                || g->nodes[arg].type == JIT_T_NONE) {
                return wrong(g, "an operand is no value", ref);
            }
            if (arg >= ref) {
                return wrong(g, "an operand comes later", ref);
            }
        }
        if (n->snap >= g->nsnaps) {
            return wrong(g, "no such snapshot", ref);
        }
    }
    return 1;
}

static int
verify_edge(JitGraph *g, uint32_t number)
{
    JitEdge *edge = &g->edges[number];
    if (edge->to == 0 || edge->to >= g->nblocks) {
        return wrong(g, "an edge leads nowhere", number);
    }
    JitBlock *to = &g->blocks[edge->to];
    for (uint32_t i = 0; i < to->nphis; i++) {
        JitRef input = edge->inputs == NULL ? 0 : edge->inputs[i];
        if (input == 0 || input >= g->nnodes) {
            return wrong(g, "a phi lacks an input from edge", number);
        }
        int is_double = g->nodes[input].type == JIT_T_DOUBLE;
        if (is_double != (g->nodes[to->phis[i]].type == JIT_T_DOUBLE)) {
            return wrong(g, "a phi has an input of another kind from edge", number);
        }
    }
    return verify_range(g, edge->nodes);
}

int
_PyJit_Verify(JitGraph *g)
{
    for (uint32_t i = 1; i < g->nblocks; i++) {
        JitBlock *block = &g->blocks[i];
        if (block->nodes.first >= block->nodes.end) {
            return wrong(g, "an empty block", i);
        }
        if (!verify_range(g, block->nodes)
            || (block->entry != 0 && !verify_edge(g, block->entry))) {
            return 0;
        }
        JitNode *last = &g->nodes[block->nodes.end - 1];
        if (!(_PyJit_NodeFlags[last->op] & JIT_ENDS)) {
            return wrong(g, "a block has no end", i);
        }
        for (uint32_t k = 0; k < block->nedges; k++) {
            if (!verify_edge(g, block->edges[k])) {
                return 0;
            }
        }
    }
    return 1;
}

/* The arena, sequences, and the table of node kinds as data. */

#include "internal/ast.h"
#include "internal/memory.h"

#include <stddef.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- the arena */

/* Blocks are chained, newest first. A request that would waste most of a block gets a
   block of its own size. */
struct AstArenaBlock {
    struct AstArenaBlock *older;
    size_t size;
};

#define FIRST_BLOCK_SIZE ((size_t)8 * 1024)
#define MAX_BLOCK_SIZE ((size_t)1024 * 1024)

AstArena *
_PyAstArena_New(void)
{
    AstArena *arena = PyMem_Calloc(1, sizeof(AstArena));
    if (arena == NULL) {
        PyErr_NoMemory();
    }
    return arena;
}

void
_PyAstArena_Free(AstArena *arena)
{
    if (arena == NULL) {
        return;
    }
    for (Py_ssize_t i = 0; i < arena->n_objects; i++) {
        Py_DECREF(arena->objects[i]);
    }
    PyMem_Free(arena->objects);
    struct AstArenaBlock *block = arena->blocks;
    while (block != NULL) {
        struct AstArenaBlock *older = block->older;
        PyMem_Free(block);
        block = older;
    }
    PyMem_Free(arena);
}

void *
_PyAstArena_AllocSlow(AstArena *arena, size_t size)
{
    size_t block_size = FIRST_BLOCK_SIZE;
    if (arena->blocks != NULL) {
        block_size = Py_MIN(arena->blocks->size * 2, MAX_BLOCK_SIZE);
    }
    if (size > (size_t)PY_SSIZE_T_MAX - sizeof(struct AstArenaBlock)) {
        PyErr_NoMemory();
        return NULL;
    }
    block_size = Py_MAX(block_size, size);
    struct AstArenaBlock *block =
        PyMem_Malloc(sizeof(struct AstArenaBlock) + block_size);
    if (block == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    block->older = arena->blocks;
    block->size = block_size;
    arena->blocks = block;
    char *memory = (char *)(block + 1);
    arena->next = memory + size;
    arena->limit = memory + block_size;
    return memory;
}

int
_PyAstArena_Steal(AstArena *arena, PyObject *object)
{
    if (arena->n_objects == arena->objects_capacity) {
        Py_ssize_t capacity = arena->objects_capacity ? arena->objects_capacity * 2 : 64;
        PyObject **objects = _PyMem_RESIZED(arena->objects, PyObject *, capacity);
        if (objects == NULL) {
            Py_DECREF(object);
            PyErr_NoMemory();
            return -1;
        }
        arena->objects = objects;
        arena->objects_capacity = capacity;
    }
    arena->objects[arena->n_objects++] = object;
    return 0;
}

/* ---------------------------------------------------------------- sequences */

AstSeq _PyAst_EmptySeq;
AstNameSeq _PyAst_EmptyNameSeq;
static AstOpSeq empty_op_seq;

#define NEW_SEQ(Type, item_size, empty) \
    if (size == 0) { \
        return &empty; \
    } \
    if ((size_t)size > (PY_SSIZE_T_MAX - sizeof(Type)) / (item_size)) { \
        PyErr_NoMemory(); \
        return NULL; \
    } \
    Type *seq = _PyAstArena_Alloc(arena, sizeof(Type) + (size_t)size * (item_size)); \
    if (seq != NULL) { \
        seq->size = size; \
    } \
    return seq

AstSeq *
_PyAst_NewSeq(AstArena *arena, Py_ssize_t size)
{
    NEW_SEQ(AstSeq, sizeof(AstNode *), _PyAst_EmptySeq);
}

AstNameSeq *
_PyAst_NewNameSeq(AstArena *arena, Py_ssize_t size)
{
    NEW_SEQ(AstNameSeq, sizeof(PyObject *), _PyAst_EmptyNameSeq);
}

AstOpSeq *
_PyAst_NewOpSeq(AstArena *arena, Py_ssize_t size)
{
    NEW_SEQ(AstOpSeq, sizeof(AstKind), empty_op_seq);
}

/* ------------------------------------------------------- node kinds as data */

/* Offsets need the name of the struct, but a field entry does not have it. So each kind's
   entries are in a function in which Self is its struct. */
#define FIELD_ENTRY(card, type_, name_) \
    {#name_, AST_CARD_##card, AST_TYPE_##type_, (unsigned short)offsetof(Self, name_)},

#define DEFINE_FIELDS(kind, group) \
    static const AstField * \
    fields_of_##kind(void) \
    { \
        typedef Ast_##kind Self; \
        static const AstField fields[] = { \
            AST_FIELDS_##kind(FIELD_ENTRY) \
            {NULL, 0, 0, (unsigned short)sizeof(Self)} \
        }; \
        return fields; \
    }
AST_KINDS(DEFINE_FIELDS, DEFINE_FIELDS)

enum {
#define GROUP_POSITIONS(group, positions) positions_of_##group = positions,
    AST_GROUPS(GROUP_POSITIONS)
};

#define COUNT_FIELD(card, type, name) + 1

#define MEMBER_INFO(kind, group_) \
    [AST_##kind] = { \
        .name = #kind, .group = #group_, .fields = fields_of_##kind, \
        .n_fields = 0 AST_FIELDS_##kind(COUNT_FIELD), \
        .struct_size = sizeof(Ast_##kind), .positions = positions_of_##group_, \
        .type = AST_TYPE_##group_ \
    },
#define ALONE_INFO(kind, positions_) \
    [AST_##kind] = { \
        .name = #kind, .group = NULL, .fields = fields_of_##kind, \
        .n_fields = 0 AST_FIELDS_##kind(COUNT_FIELD), \
        .struct_size = sizeof(Ast_##kind), .positions = positions_, \
        .type = AST_TYPE_##kind \
    },

const AstKindInfo _PyAst_Kinds[AST_KIND_COUNT] = {
    AST_KINDS(MEMBER_INFO, ALONE_INFO)
};

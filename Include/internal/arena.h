/* Memory that lives as long as one parse, or one compilation.

   Allocation bumps a pointer; nothing is freed singly. Python objects that
   arena memory points to are handed to the arena, which drops its references
   when it is freed. An arena belongs to one thread. */
#ifndef SB_INTERNAL_ARENA_H
#define SB_INTERNAL_ARENA_H

#include <stddef.h>
#include "Python.h"

typedef struct AstArena {
    char *next;
    char *limit;
    struct AstArenaBlock *blocks;
    PyObject **objects;
    Py_ssize_t n_objects;
    Py_ssize_t objects_capacity;
} AstArena;

/* NULL with MemoryError set. */
AstArena *_PyAstArena_New(void);
void _PyAstArena_Free(AstArena *arena);

/* Gives one reference to the arena, even on failure. 0, or -1 with MemoryError. */
int _PyAstArena_Steal(AstArena *arena, PyObject *object);

void *_PyAstArena_AllocSlow(AstArena *arena, size_t size);

/* Memory aligned for any node, not cleared. NULL with MemoryError set. */
static inline void *
_PyAstArena_Alloc(AstArena *arena, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (size <= (size_t)(arena->limit - arena->next)) {
        void *memory = arena->next;
        arena->next += size;
        return memory;
    }
    return _PyAstArena_AllocSlow(arena, size);
}

#endif

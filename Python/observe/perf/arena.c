/* Executable memory for landings.

   An arena is a mapping full of copies of the template. It is written while it is
   only writable, and sealed read-execute before the first part of it is handed out.
   No part is handed out twice and no arena is ever unmapped: a record may point into it
   at any time, also in a forked child, and an address with two names would mislabel
   samples taken earlier. */
#include "Python.h"
#include "internal/memory.h"
#include "internal/perf.h"

#ifdef SB_HAVE_LANDINGS

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_SIZE 65536
#define ALIGNMENT 16

static char *next_part;
static size_t bytes_left;

static int
add_arena(size_t size)
{
    size_t template_size = (size_t)(_PyPerf_template_end - _PyPerf_template);
    char *memory = _PyMem_Map(size);
    if (memory == NULL) {
        return -1;
    }
    for (size_t i = 0; i + template_size <= size; i += template_size) {
        memcpy(memory + i, _PyPerf_template, template_size);
    }
    /* At the arena's end, where its 32-bit distances reach the landings. */
    char *cfi = memory + size - PERF_CFI_ROOM;
    size_t header_size;
    int has_cfi = _PyPerf_WriteCFI(cfi, memory - cfi, (size_t)(cfi - memory),
                                   &header_size) > 0;
    if (mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) {
        int reason = errno;
        munmap(memory, size);
        errno = reason;
        return -1;
    }
    /* Nothing on x86; elsewhere stale instructions might be fetched. */
    __builtin___clear_cache(memory, memory + size);
    if (has_cfi) {
        _PyPerf_RegisterCFI(cfi);
    }
    next_part = memory;
    bytes_left = (size_t)(cfi - memory) & ~(size_t)(ALIGNMENT - 1);
    return 0;
}

int
_PyPerf_PrepareArena(void)
{
    return bytes_left > 0 ? 0 : add_arena(ARENA_SIZE);
}

void *
_PyPerf_NewLandings(size_t size)
{
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (size > bytes_left
        && add_arena((size + PERF_CFI_ROOM + ARENA_SIZE - 1)
                     & ~(size_t)(ARENA_SIZE - 1)) < 0) {
        return NULL;
    }
    void *part = next_part;
    next_part += size;
    bytes_left -= size;
    return part;
}

void
_PyPerf_LeaveArena(void)
{
    bytes_left = 0;
}

#endif

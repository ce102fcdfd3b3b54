/* Executable memory for trampolines.

   An arena is a mapping full of copies of the template, one every 16 bytes or
   the next multiple that holds one. It is written while it is only writable, and
   sealed read-execute before the first copy is handed out. No copy is handed
   out twice and no arena is ever unmapped: a frame may return into it at any
   time, also in a forked child, and an address that had two names would mislabel
   samples taken earlier. */
#include "Python.h"
#include "internal/perf.h"

#ifdef SB_HAVE_TRAMPOLINE

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_SIZE 65536
#define ALIGNMENT 16

static char *next_copy;
static size_t copies_left;

static size_t
template_size(void)
{
    return (size_t)(_PyPerf_template_end - _PyPerf_template);
}

static int
add_arena(void)
{
    size_t stride = (template_size() + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    char *memory = mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return -1;
    }
    size_t count = ARENA_SIZE / stride;
    for (size_t i = 0; i < count; i++) {
        memcpy(memory + i * stride, _PyPerf_template, template_size());
    }
    if (mprotect(memory, ARENA_SIZE, PROT_READ | PROT_EXEC) != 0) {
        int reason = errno;
        munmap(memory, ARENA_SIZE);
        errno = reason;
        return -1;
    }
    /* Nothing on x86; elsewhere stale instructions might be fetched. */
    __builtin___clear_cache(memory, memory + ARENA_SIZE);
    next_copy = memory;
    copies_left = count;
    return 0;
}

void *
_PyPerf_NewTrampoline(void)
{
    if (copies_left == 0 && add_arena() < 0) {
        return NULL;
    }
    void *copy = next_copy;
    next_copy += (template_size() + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    copies_left--;
    return copy;
}

void
_PyPerf_LeaveArena(void)
{
    copies_left = 0;
}

#endif

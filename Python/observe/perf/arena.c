/* Executable memory for trampolines.

   An arena is a mapping full of copies of the template, one every 16 bytes or
   the next multiple that holds one, or farther apart for a backend whose readers
   want the space between (see jitdump.c). It is written while it is only writable, and
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
static size_t copies_left, current_stride;

static size_t
template_size(void)
{
    return (size_t)(_PyPerf_template_end - _PyPerf_template);
}

static int
add_arena(size_t stride)
{
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
    current_stride = stride;
    return 0;
}

void *
_PyPerf_NewTrampoline(size_t room)
{
    size_t stride = Py_MAX(template_size(), room);
    stride = (stride + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if ((copies_left == 0 || stride != current_stride) && add_arena(stride) < 0) {
        return NULL;
    }
    void *copy = next_copy;
    next_copy += stride;
    copies_left--;
    return copy;
}

void
_PyPerf_LeaveArena(void)
{
    copies_left = 0;
}

#endif

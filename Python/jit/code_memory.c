/* Where machine code lies: functions one behind the other, in pages that are executable and
   never writable.

   Addresses are reserved once, near the interpreter's own code, so that calls reach it. To add a
   function, the kernel writes it there, by /proc/self/mem: the pages stay as they are. (A second
   mapping to write by would do, too; but perf looks names up only for memory that is of no file.)

   Where that is refused, the pages that a function will lie in are copied elsewhere, written there,
   made executable and moved into place by mremap(). Other threads may be running in those pages: to
   them nothing changes, for what they run is the same in both, and a page fault in between waits
   until the kernel is done. In virtual machines this takes ten times as long, half of all that
   compiling takes. Each move makes a mapping of its own. A chunk of pages that is full is moved
   once more, as a whole, so that there are few.

   Whether memory may become executable is asked each time, for the system may begin to refuse it
   at any time (PR_SET_MDWE, seccomp).

   The GIL guards everything here. */
#include "Python.h"
#include "code_memory.h"
#include "emit.h"
#include "internal/jit.h"
#include "internal/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* How far a call reaches, with something to spare, and the steps in which a place is sought. */
#define REACH ((uintptr_t)1 << 30)
#define REACH_STEP ((uintptr_t)16 << 20)
#define CHUNK ((size_t)64 << 10)
/* Pages that are there to be asked about. */
#define ASKED 64
#define ALIGNMENT 64
#define ALIGNED(size) (((size) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1))

typedef struct {
    size_t start, end;          /* from the base */
} Range;

static struct {
    char *base;
    size_t size, page;
    size_t high;                /* nothing has been beyond this yet */
    Range *ranges;              /* of free memory, by address; none touches another */
    size_t nranges, ranges_size;
    char *asked;                /* pages that are never touched */
    size_t nasked;              /* so many have become executable */
    int refused;                /* there is no executable memory for us */
    int is_full;                /* the last function found no room */
    volatile int is_unreadable;
} memory;

JitCodeRange
_PyJit_CodeRange(void)
{
    return (JitCodeRange){(uintptr_t)memory.base, memory.is_unreadable ? 0 : memory.high};
}

size_t
_PyJit_FrameSize(uintptr_t address)
{
    uintptr_t base = (uintptr_t)memory.base;
    for (uintptr_t code = base + ((address - base) & ~(uintptr_t)(ALIGNMENT - 1)); code >= base;
         code -= ALIGNMENT) {
        size_t size = _PyJit_FrameOfPrologue((const uint8_t *)code);
        if (size != 0) {
            return size;
        }
    }
    return 0;
}

/* perf looks up names of memory that a child has inherited in the map of the process that made
   it, in which what the child compiles is not. The kernel tells of a mapping whose flags change,
   so for a moment it is not readable; constants lie in it. Executable it must remain, as not every
   process may make it so again. */
void
_PyJit_TellMemory(void)
{
    memory.is_unreadable = 1;
    if (memory.base != NULL && mprotect(memory.base, memory.size, PROT_EXEC) == 0
        && mprotect(memory.base, memory.size, PROT_READ | PROT_EXEC) != 0) {
        Py_FatalError("machine code has become unreadable");
    }
    memory.is_unreadable = 0;
}

/* One line for those who want to know. */
static void
say(const char *what, int error)
{
    if (_Py_GetConfig()->verbose) {
        fprintf(stderr, "# machine code: %s%s%s\n", what, error ? ": " : "",
                error ? strerror(error) : "");
    }
}

static int
refuse(int error)
{
    if (!memory.refused) {
        memory.refused = 1;
        say("the system refuses executable memory, functions are interpreted", error);
    }
    return -1;
}

/* ------------------------------------------------------------- what is free */

/* Room for one more range. */
static int
grow_ranges(void)
{
    if (memory.nranges < memory.ranges_size) {
        return 0;
    }
    size_t size = 2 * memory.ranges_size + 16;
    Range *ranges = PyMem_RawRealloc(memory.ranges, size * sizeof(*ranges));
    if (ranges == NULL) {
        return -1;
    }
    memory.ranges = ranges;
    memory.ranges_size = size;
    return 0;
}

/* Adds a free range, joined with its neighbours. Returns the whole. Without memory for the list
   it is never used again. */
static Range
add_range(size_t start, size_t end)
{
    size_t i = 0;
    while (i < memory.nranges && memory.ranges[i].end < start) {
        i++;
    }
    Range *at = &memory.ranges[i];
    int joins = i < memory.nranges && at->end == start;
    if (joins) {
        at->end = end;
    }
    else if (i < memory.nranges && at->start == end) {
        at->start = start;
        return *at;
    }
    else if (grow_ranges() == 0) {
        at = &memory.ranges[i];
        memmove(at + 1, at, (memory.nranges++ - i) * sizeof(*at));
        *at = (Range){start, end};
        return *at;
    }
    else {
        return (Range){start, end};
    }
    if (i + 1 < memory.nranges && at[1].start == at->end) {
        at->end = at[1].end;
        memmove(at + 1, at + 2, (--memory.nranges - i - 1) * sizeof(*at));
    }
    return *at;
}

/* The first that is large enough, or -1. */
static Py_ssize_t
take_range(size_t size)
{
    for (size_t i = 0; i < memory.nranges; i++) {
        Range *at = &memory.ranges[i];
        if (at->end - at->start >= size) {
            size_t start = at->start;
            at->start += size;
            if (at->start == at->end) {
                memmove(at, at + 1, (--memory.nranges - i) * sizeof(*at));
            }
            return (Py_ssize_t)start;
        }
    }
    return -1;
}

/* ------------------------------------------------------------------- pages */

/* Reserves pages of machine code. Executable from the beginning, for perf hears of mappings when they
   are made, and not when they are moved; never huge ones, of which most would be empty, where the
   system has these for whoever does not ask. */
static void *
map_pages(void *wish, size_t size, int how)
{
    void *base = mmap(wish, size, PROT_READ | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0);
    if (base != MAP_FAILED) {
        _PyMem_Advise(base, size, MADV_NOHUGEPAGE);
    }
    return base;
}

static int
reserve(void)
{
    uintptr_t here = (uintptr_t)&_PyVM_steps & ~(uintptr_t)0xfffff;
    memory.page = (size_t)sysconf(_SC_PAGESIZE);
    memory.size = (_PyJit_MemoryLimit + memory.page - 1) & ~(memory.page - 1);
    if (memory.size == 0 || grow_ranges() < 0) {
        return -1;
    }
    memory.asked = _PyMem_Map(ASKED * memory.page);
    if (memory.asked == NULL) {
        return -1;
    }
    /* Below and above, step by step: what lies next to the program differs. */
    uintptr_t most = REACH > memory.size ? REACH - memory.size : 0;
    int error = 0;
    for (uintptr_t away = memory.size; away < most; away += REACH_STEP) {
        for (int above = 0; above < 2; above++) {
            uintptr_t wish = above ? here + away : here - away;
            void *base = map_pages((void *)wish, memory.size, MAP_FIXED_NOREPLACE);
            if (base == (void *)wish) {
                memory.base = base;
                add_range(0, memory.size);
                return 0;
            }
            if (base != MAP_FAILED) {
                (void)munmap(base, memory.size);
            }
            else {
                error = errno;
            }
        }
    }
    return refuse(error);
}

/* Pages to write on, with what stands in those from `first` on, in bytes from the base. */
static char *
copy_pages(size_t first, size_t size)
{
    char *pages = _PyMem_Map(size);
    if (pages == NULL) {
        return NULL;
    }
    size_t used = memory.high > first ? memory.high - first : 0;
    memcpy(pages, memory.base + first, used < size ? used : size);
    return pages;
}

/* May memory that could be written become executable? Each time another page does. */
static int
may_execute(void)
{
    if (memory.nasked == ASKED) {
        memory.nasked = 0;
        if (mprotect(memory.asked, ASKED * memory.page, PROT_READ | PROT_WRITE) != 0) {
            return 0;
        }
    }
    char *page = memory.asked + memory.nasked++ * memory.page;
    return mprotect(page, memory.page, PROT_READ | PROT_EXEC) == 0;
}

#ifdef __x86_64__
/* Is the file that of this memory? In an emulator it may be that of the emulator, and will be each
   time. The answer costs as much as writing a function does. */
static int
is_our_memory(int fd)
{
    static int is_ours;
    uint64_t here = (uint64_t)&here ^ (uint64_t)memory.base, there = 0;
    is_ours = is_ours || (pread(fd, &there, sizeof(there), (off_t)(uintptr_t)&here) == sizeof(there)
                          && there == here);
    return is_ours;
}

/* The descriptor is not kept: a forked child would write to its parent, and programs close, and
   open again, descriptors that are not theirs. */
static int
write_by_kernel(const JitRoom *room)
{
    int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    size_t done = 0;
    while (done < room->size && is_our_memory(fd)) {
        ssize_t n = pwrite(fd, room->writable + done, room->size - done,
                           (off_t)(uintptr_t)(room->code + done));
        if (n <= 0) {
            break;
        }
        done += (size_t)n;
    }
    close(fd);
    return done == room->size ? 0 : -1;
}
#else
/* An emulator would not notice that code has changed. */
static int
write_by_kernel(const JitRoom *Py_UNUSED(room))
{
    return -1;
}
#endif

static int
move_pages(char *pages, size_t first, size_t size)
{
    char *to = memory.base + first;
    if (mprotect(pages, size, PROT_READ | PROT_EXEC) == 0
        && mremap(pages, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to) {
        return 0;
    }
    int error = errno;
    (void)munmap(pages, size);
    return refuse(error);
}

/* What lies in full chunks in many mappings lies in one afterwards. */
static void
join_mappings(size_t before, size_t now)
{
    size_t start = before / CHUNK * CHUNK, end = now / CHUNK * CHUNK;
    char *pages = start < end ? copy_pages(start, end - start) : NULL;
    if (pages != NULL) {
        (void)move_pages(pages, start, end - start);
    }
}

/* --------------------------------------------------------------- functions */

int
_PyJit_HasRoom(void)
{
    return !memory.refused && !memory.is_full;
}

int
_PyJit_OpenRoom(JitRoom *room, size_t size)
{
    if (memory.refused || (memory.base == NULL && reserve() < 0)) {
        return -1;
    }
    size = ALIGNED(size);
    Py_ssize_t start = take_range(size);
    if (start < 0) {
        if (!memory.is_full) {
            say("its memory is used up, further functions are interpreted", 0);
        }
        memory.is_full = 1;
        return -1;
    }
    *room = (JitRoom){memory.base + start, PyMem_RawMalloc(size), size};
    if (room->writable == NULL) {
        add_range((size_t)start, (size_t)start + size);
        return -1;
    }
    return 0;
}

void
_PyJit_AbandonRoom(JitRoom *room)
{
    PyMem_RawFree(room->writable);
    size_t start = (size_t)(room->code - memory.base);
    add_range(start, start + room->size);
}

/* By pages that take the place of those that are there. */
static int
write_by_moving(const JitRoom *room)
{
    size_t start = (size_t)(room->code - memory.base), end = start + room->size;
    size_t mask = memory.page - 1, first = start & ~mask;
    size_t size = ((end + mask) & ~mask) - first;
    char *pages = copy_pages(first, size);
    if (pages == NULL) {
        return -1;
    }
    memcpy(pages + (start - first), room->writable, room->size);
    if (move_pages(pages, first, size) < 0) {
        return -1;
    }
    if (end > memory.high) {
        size_t before = memory.high;
        memory.high = end;
        join_mappings(before, end);
    }
    return 0;
}

int
_PyJit_CloseRoom(JitRoom *room)
{
    int result = may_execute() ? write_by_kernel(room) : refuse(errno);
    if (result < 0 && !memory.refused) {
        result = write_by_moving(room);
    }
    if (result < 0) {
        _PyJit_AbandonRoom(room);
        return -1;
    }
    PyMem_RawFree(room->writable);
    __builtin___clear_cache(room->code, room->code + room->size);
    size_t end = (size_t)(room->code - memory.base) + room->size;
    memory.high = Py_MAX(memory.high, end);
    _PyJit_Figures.code_bytes += room->size;
    return 0;
}

void
_PyJit_FreeRoom(const char *code, size_t size)
{
    size = ALIGNED(size);
    size_t start = (size_t)(code - memory.base);
    Range range = add_range(start, start + size);
    memory.is_full = 0;
    _PyJit_Figures.code_bytes -= size;
    /* Pages that are free as a whole now go back to the system, if that is worth a call: the next
       function is written where there is room first. */
    size_t mask = memory.page - 1, first = (range.start + mask) & ~mask;
    size_t end = Py_MIN(range.end, memory.high + mask) & ~mask;
    if (first < end && end - first >= CHUNK) {
        (void)map_pages(memory.base + first, end - first, MAP_FIXED);
    }
}

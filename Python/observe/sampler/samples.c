/* The file of samples: mapped once, filled by anyone.

   It is sparse and much larger than what will be in it, so it is never opened or mapped again: the
   program may close all descriptors, change its root or its user, and whatever has been
   written is in the file even if a signal kills the process. Forked children share the mapping
   and add their records to the same file.

   A writer reserves its room by an atomic addition to `used`, writes the record, and sets
   SAMPLES_DONE last. Only bytes below `ready` may be touched: the kernel has been asked for those
   before (MADV_POPULATE_WRITE), since a page for which the disk has no room would end the
   program with SIGBUS. Kernels that can't be asked (before 5.14) get a small file that is
   allocated at once. */
#include "Python.h"
#include "internal/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES_VERSION 1
#define HEAD_SIZE 4096
#define STEP ((uint64_t)256 << 10)
#define MOST_BYTES ((uint64_t)4 << 30)
#define LEAST_BYTES ((uint64_t)16 << 20)
#define ALLOCATED_BYTES ((uint64_t)64 << 20)
#define MOST_FILES 1000             /* of one process number: each program that it executes */

#ifndef MADV_POPULATE_WRITE
#  define MADV_POPULATE_WRITE 23
#endif

typedef struct {
    char magic[8];
    uint32_t version, frequency;
    uint32_t wall, unused;
    uint64_t size;
    uint64_t used, ready;           /* offsets */
    uint64_t lost;                  /* records */
} FileHead;

static char *file;
static uint64_t file_size;

uint64_t
_PySamples_Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ------------------------------------------------------------------ opening */

static int
create(const char *folder)
{
    char path[4096];
    for (int n = 0; n < MOST_FILES; n++) {
        int length = snprintf(path, sizeof(path), "%s/%ld-%d.samples", folder, (long)getpid(), n);
        if (length >= (int)sizeof(path)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* Maps as much of the file as the system allows. */
static void *
map(int fd, uint64_t *size)
{
    for (*size = MOST_BYTES; *size >= LEAST_BYTES; *size /= 2) {
        if (ftruncate(fd, (off_t)*size) != 0) {
            continue;
        }
        void *memory = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
                            0);
        if (memory != MAP_FAILED) {
            return memory;
        }
    }
    return NULL;
}

static int
populate(char *memory, uint64_t from, uint64_t size)
{
    return madvise(memory + from, size, MADV_POPULATE_WRITE);
}

/* Returns the end of what may be written, 0 with errno set if that is nothing. */
static uint64_t
prepare(int fd, char *memory, uint64_t *size)
{
    if (populate(memory, 0, STEP) == 0) {
        return STEP;
    }
    if (errno != EINVAL) {
        return 0;
    }
    *size = Py_MIN(*size, ALLOCATED_BYTES);
    errno = posix_fallocate(fd, 0, (off_t)*size);
    return errno == 0 ? *size : 0;
}

int
_PySamples_Open(const char *folder, unsigned frequency, int wall)
{
    int fd = create(folder);
    if (fd < 0) {
        return -1;
    }
    uint64_t size, ready = 0;
    char *memory = map(fd, &size);
    if (memory != NULL) {
        ready = prepare(fd, memory, &size);
    }
    int reason = errno;
    close(fd);
    if (ready == 0) {
        errno = reason;
        return -1;
    }
    FileHead *head = (FileHead *)memory;
    *head = (FileHead){.version = SAMPLES_VERSION, .frequency = frequency, .wall = (uint32_t)wall,
                       .size = size, .used = HEAD_SIZE, .ready = ready};
    memcpy(head->magic, "sbsample", 8);
    file = memory;
    file_size = size;
    return 0;
}

void
_PySamples_Close(int nobody_writes)
{
    if (nobody_writes) {
        munmap(file, file_size);
    }
}

/* ------------------------------------------------------------------ records */

/* Makes the file ready up to `end`, for all processes that have it mapped. */
static int
make_ready(FileHead *head, uint64_t end)
{
    uint64_t ready = __atomic_load_n(&head->ready, __ATOMIC_RELAXED);
    while (ready < end) {
        uint64_t step = Py_MIN(STEP, head->size - ready);
        if (step == 0 || populate(file, ready, step) != 0) {
            return -1;
        }
        /* What was written some steps ago need not stay in this process's memory. */
        if (ready >= HEAD_SIZE + 2 * STEP) {
            madvise(file + ready - 2 * STEP, STEP, MADV_DONTNEED);
        }
        uint64_t now = ready + step;
        if (__atomic_compare_exchange_n(&head->ready, &ready, now, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            ready = now;
        }
    }
    return 0;
}

static int
is_full(const FileHead *head, size_t size)
{
    return head->size - __atomic_load_n(&head->used, __ATOMIC_RELAXED) < size + STEP;
}

void *
_PySamples_Begin(int kind, size_t size, pid_t tid, uint64_t time)
{
    FileHead *head = (FileHead *)file;
    size = (size + 7) & ~(size_t)7;
    if (size > STEP || is_full(head, size)
        || make_ready(head, __atomic_load_n(&head->used, __ATOMIC_RELAXED) + size) != 0) {
        __atomic_fetch_add(&head->lost, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    uint64_t at = __atomic_fetch_add(&head->used, size, __ATOMIC_RELAXED);
    /* Others may have taken what was made ready for us. */
    if (at + size > head->size || make_ready(head, at + size) != 0) {
        __atomic_fetch_add(&head->lost, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    SampleHead *record = (SampleHead *)(file + at);
    *record = (SampleHead){.size = (uint32_t)size, .kind = (uint16_t)kind,
                           .pid = (uint32_t)getpid(), .tid = (uint32_t)tid, .time = time};
    return record;
}

void
_PySamples_End(SampleHead *head, int flags)
{
    __atomic_store_n(&head->flags, (uint16_t)(flags | SAMPLES_DONE), __ATOMIC_RELEASE);
}

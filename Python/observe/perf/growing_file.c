/* The files of own_file.c while they grow, and their newest parts in memory.

   A file grows by chunks, and the newest is mapped shared: what is added to it costs no
   system call, and none of it is lost if the process is killed. A chunk is written, not only
   allocated, before it is mapped: a full disk is an error of pwrite(), not a SIGBUS later.

   One lock guards all of these files, and is held across fork(). The child leaves its
   parent's file alone and begins one of its own, with a copy of what the parent's held. */
#include "Python.h"
#include "internal/perf.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Those that have been opened once. */
static _PyPerf_GrowingFile *files;

int
_PyPerf_LockFiles(void)
{
    return pthread_mutex_lock(&mutex) == 0;
}

int
_PyPerf_UnlockFiles(int result)
{
    int reason = errno;
    pthread_mutex_unlock(&mutex);
    errno = reason;
    return result;
}

/* --------------------------------------------------------------------- fork */

static void
close_window(_PyPerf_GrowingFile *f)
{
    if (f->window != NULL) {
        munmap(f->window, (size_t)(f->size - f->window_start));
        f->window = NULL;
        f->free_start = f->free_end = f->size;
    }
}

static void
before_fork(void)
{
    pthread_mutex_lock(&mutex);
}

static void
after_fork_parent(void)
{
    pthread_mutex_unlock(&mutex);
}

/* Only what is async-signal-safe: other threads' locks are in unknown states. */
static void
after_fork_child(void)
{
    for (_PyPerf_GrowingFile *f = files; f != NULL; f = f->next) {
        if (f->file.fd >= 0) {
            _PyPerf_CloseFile(&f->inherited.file);
            f->inherited.file = f->file;
            f->inherited.size = f->size;
            f->inherited.free_start = f->free_start;
            f->inherited.free_end = f->free_end;
            f->file.fd = -1;
            close_window(f);
        }
    }
    pthread_mutex_unlock(&mutex);
}

/* 0 or -1. */
static int
watch_fork(_PyPerf_GrowingFile *f)
{
    if (files == NULL) {
        errno = pthread_atfork(before_fork, after_fork_parent, after_fork_child);
        if (errno != 0) {
            return -1;
        }
    }
    if (!f->is_watched) {
        f->next = files;
        f->is_watched = 1;
        files = f;
    }
    return 0;
}

/* -------------------------------------------------------------------- files */

int
_PyPerf_OpenGrowing(_PyPerf_GrowingFile *f)
{
    if (watch_fork(f) < 0) {
        return -2;
    }
    if (_PyPerf_OpenFile(&f->file, &f->size) < 0) {
        return -1;
    }
    f->free_start = f->free_end = f->size;
    return 0;
}

void
_PyPerf_CloseGrowing(_PyPerf_GrowingFile *f)
{
    close_window(f);
    _PyPerf_CloseFile(&f->file);
}

int
_PyPerf_Grow(_PyPerf_GrowingFile *f, const char *chunk, size_t size, off_t free_start)
{
    off_t page = sysconf(_SC_PAGESIZE);
    off_t start = free_start / page * page, end = f->size + (off_t)size;
    if (_PyPerf_HoldFile(&f->file) < 0) {
        return -1;
    }
    if (_PyPerf_WriteFile(f->file.fd, chunk, size, f->size) == 0) {
        char *window = mmap(NULL, (size_t)(end - start), PROT_READ | PROT_WRITE, MAP_SHARED,
                            f->file.fd, start);
        if (window != MAP_FAILED) {
            close_window(f);
            f->window = window;
            f->window_start = start;
            f->free_start = free_start;
            f->free_end = f->size = end;
            return 0;
        }
    }
    int reason = errno;
    if (ftruncate(f->file.fd, f->size) != 0) {
        /* Readers pass over a chunk that is not in use. */
    }
    errno = reason;
    return -1;
}

/* ------------------------------------------------------ the ends of backends */

int
_PyPerf_InitBackend(_PyPerf_GrowingFile *f, int (*open)(void))
{
    if (!_PyPerf_LockFiles()) {
        return -1;
    }
    int result = open() < 0 ? -1 : f->is_new;
    if (result > 0) {
        f->is_new = 0;
    }
    return _PyPerf_UnlockFiles(result);
}

const char *
_PyPerf_PathForMessage(const _PyPerf_GrowingFile *f)
{
    static char path[PERF_PATH_SIZE];
    _PyPerf_PathOf(&f->file, getpid(), path);
    return path;
}

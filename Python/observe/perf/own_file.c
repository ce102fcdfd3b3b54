/* The files that profilers read: /tmp/perf-PID.map and /tmp/jit-PID.dump.

   Anyone may write to /tmp, so a file at such a path is not trusted: anything but a plain
   file of our own without another name is refused, and a file left by an earlier process
   with our PID is replaced.

   A program may close descriptors that it has not opened (daemons close all of them), and
   then our number may belong to another file. So a file is identified by device and inode:
   the descriptor is checked before each use, which is rare, and the file is opened again if
   the descriptor is no longer its own. */
#include "Python.h"
#include "internal/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void
_PyPerf_PathOf(const _PyPerf_File *file, pid_t pid, char path[PERF_PATH_SIZE])
{
    snprintf(path, PERF_PATH_SIZE, file->pattern, (long)pid);
}

static int
is_same(const _PyPerf_File *file, const struct stat *st)
{
    return st->st_dev == file->device && st->st_ino == file->inode;
}

static int
has_descriptor(const _PyPerf_File *file)
{
    struct stat st;
    return file->fd >= 0 && fstat(file->fd, &st) == 0 && is_same(file, &st);
}

/* Is it a plain file of our own that has no other name? Sets errno if not. */
static int
is_replaceable(const struct stat *st)
{
    if (S_ISLNK(st->st_mode)) {
        errno = ELOOP;
        return 0;
    }
    if (S_ISDIR(st->st_mode)) {
        errno = EISDIR;
        return 0;
    }
    if (!S_ISREG(st->st_mode) || st->st_nlink != 1) {
        errno = EEXIST;
        return 0;
    }
    if (st->st_uid != geteuid()) {
        errno = EPERM;
        return 0;
    }
    return 1;
}

/* Not one of the standard streams' numbers: if the program was started with one of those closed,
   what it prints would come into the file. */
static int
open_above_streams(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd < 0 || fd > STDERR_FILENO) {
        return fd;
    }
    int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int reason = errno;
    close(fd);
    errno = reason;
    return above;
}

int
_PyPerf_OpenFile(_PyPerf_File *file, off_t *size)
{
    char path[PERF_PATH_SIZE];
    struct stat st;
    pid_t pid = getpid();
    int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
    _PyPerf_PathOf(file, pid, path);
    int found = lstat(path, &st) == 0;
    if (found && !is_replaceable(&st)) {
        return -1;
    }
    if (!found || file->pid != pid || !is_same(file, &st)) {
        /* The entries of an earlier process with our PID would give names to our code. */
        if (found && unlink(path) != 0) {
            return -1;
        }
        flags |= O_CREAT | O_EXCL;
    }
    int fd = open_above_streams(path, flags);
    if (fd < 0) {
        return -1;
    }
    if (fstat(fd, &st) != 0) {
        int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    file->fd = fd;
    file->pid = pid;
    file->device = st.st_dev;
    file->inode = st.st_ino;
    *size = st.st_size;
    return 0;
}

int
_PyPerf_HoldFile(_PyPerf_File *file)
{
    if (has_descriptor(file)) {
        return 0;
    }
    char path[PERF_PATH_SIZE];
    _PyPerf_PathOf(file, file->pid, path);
    file->fd = open_above_streams(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file->fd < 0) {
        return -1;
    }
    if (!has_descriptor(file)) {
        close(file->fd);
        file->fd = -1;
        errno = EBADF;
        return -1;
    }
    return 0;
}

void
_PyPerf_CloseFile(_PyPerf_File *file)
{
    if (has_descriptor(file)) {
        close(file->fd);
    }
    file->fd = -1;
}

int
_PyPerf_WriteFile(int fd, const void *data, size_t size, off_t at)
{
    const char *p = data;
    while (size > 0) {
        ssize_t n = pwrite(fd, p, size, at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            errno = n == 0 ? ENOSPC : errno;
            return -1;
        }
        p += n;
        size -= (size_t)n;
        at += n;
    }
    return 0;
}

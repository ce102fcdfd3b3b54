/* /tmp/perf-PID.map: one line "ADDRESS SIZE NAME" per piece of generated code.

   The file grows by chunks, and a chunk is filled from its end to its start:

       ADDR 1 [unused]............\n      the filler: free space, a line too
       7f3529cf7590 c py::baz:app.py\n    the latest entry
       7f3529cf7580 c py::bar:app.py\n    the one before

   The newest chunk is mapped shared. An entry is written into the filler's name,
   where readers see dots changing, and becomes a line when the byte '\n' is stored
   before it. So an entry costs no system call, none is lost if the process is killed,
   and a reader sees whole lines at any moment. There is one rare exception: read()
   copies by string instructions, whose loads the processor may reorder. While 60,000
   entries were made in a second, 1 of 17,000 reads saw the old dots at the end of an
   entry that had just begun. (A fence between the two stores did not prevent that,
   eight pause instructions did.) The filler names a byte of our own code, which has its
   names from the program's symbol table; its size is not 0, because some readers extend
   a symbol without a size to the next one. Fini replaces the file by one without
   fillers.

   Chunks are written, not only allocated, before they are mapped: a full disk
   is an error of pwrite(), not a SIGBUS later.

   The mutex guards everything below. It is held across fork(); the child leaves
   the parent's file alone and begins a copy of it under its own name. */
#include "Python.h"
#include "internal/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_PATTERN "/tmp/perf-%ld.map"
#define CHUNK_SIZE 131072

static struct {
    pthread_mutex_t mutex;
    _PyPerf_File file;
    off_t size;
    char *window;           /* the mapping that holds the newest chunk, or NULL */
    size_t window_size;
    off_t window_start;     /* where in the file the mapping begins */
    char *filler;           /* the newest chunk's filler and its end */
    char *filler_end;
    int watches_fork;
    int lacks_published;    /* the file is new; init() has to report that */
} map = {.mutex = PTHREAD_MUTEX_INITIALIZER, .file = {PATH_PATTERN, .fd = -1}};

/* The parent's file as it was at fork(). */
static struct {
    _PyPerf_File file;
    off_t size;
    off_t free_start, free_end;     /* the filler then */
} inherited = {.file = {PATH_PATTERN, .fd = -1}};

/* ------------------------------------------------------------------- filler */

/* Writes the beginning of a filler; it is the same for all. */
static size_t
filler_head(char *head, size_t size)
{
    return (size_t)snprintf(head, size, "%lx 1 [unused]",
                            (unsigned long)(uintptr_t)&PyUnstable_PerfMapState_Init);
}

#define FILLER_MIN 40       /* holds a filler's head and '\n' */

static void
close_window(void)
{
    if (map.window != NULL) {
        munmap(map.window, map.window_size);
        map.window = map.filler = map.filler_end = NULL;
    }
}

/* A new chunk at the end of the file with room for `need` bytes. 0 or -1. */
static int
add_chunk(size_t need)
{
    off_t page = sysconf(_SC_PAGESIZE);
    size_t size = (need + FILLER_MIN + CHUNK_SIZE - 1) / CHUNK_SIZE * CHUNK_SIZE;
    char *text = malloc(size);
    if (text == NULL) {
        errno = ENOMEM;
        return -1;
    }
    memset(text, '.', size);
    text[filler_head(text, size)] = '.';
    text[size - 1] = '\n';
    int result = _PyPerf_HoldFile(&map.file);
    if (result == 0) {
        result = _PyPerf_WriteFile(map.file.fd, text, size, map.size);
    }
    free(text);
    if (result == 0) {
        off_t start = map.size / page * page;
        size_t window_size = (size_t)(map.size - start) + size;
        char *window = mmap(NULL, window_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                            map.file.fd, start);
        if (window != MAP_FAILED) {
            close_window();
            map.window = window;
            map.window_size = window_size;
            map.window_start = start;
            map.filler = window + (map.size - start);
            map.filler_end = map.filler + size;
            map.size += (off_t)size;
            return 0;
        }
    }
    int reason = errno;
    if (map.file.fd >= 0 && ftruncate(map.file.fd, map.size) != 0) {
        /* The filler that is left in the file is harmless. */
    }
    errno = reason;
    return -1;
}

/* Where to write `n` bytes, the last of which is the '\n' that is already there; NULL with
   errno set. */
static char *
place_for(size_t n)
{
    if ((size_t)(map.filler_end - map.filler) < n + FILLER_MIN && add_chunk(n) < 0) {
        return NULL;
    }
    return map.filler_end - n;
}

static void
reveal(char *lines)
{
    __atomic_store_n(lines - 1, '\n', __ATOMIC_RELEASE);
    map.filler_end = lines;
}

/* ------------------------------------------------------------------ entries */

static size_t
format_head(char *head, uintptr_t address, unsigned int size)
{
    static const char digits[] = "0123456789abcdef";
    char text[32], *end = text + sizeof(text), *p = end;
    *--p = ' ';
    do {
        *--p = digits[size & 15];
        size >>= 4;
    } while (size != 0);
    *--p = ' ';
    do {
        *--p = digits[address & 15];
        address >>= 4;
    } while (address != 0);
    memcpy(head, p, (size_t)(end - p));
    return (size_t)(end - p);
}

/* With the mutex held and the file open. 0 or -1. */
static int
append_entry(const void *address, unsigned int size, const char *name, size_t name_len,
             const char *suffix, size_t suffix_len)
{
    char head[32];
    size_t head_len = format_head(head, (uintptr_t)address, size);
    size_t n = head_len + name_len + suffix_len + 1;
    char *entry = place_for(n);
    if (entry == NULL) {
        return -1;
    }
    memcpy(entry, head, head_len);
    /* Names from the C API have not been cleaned. */
    _PyPerf_CopyName(entry + head_len, name, name_len);
    memcpy(entry + head_len + name_len, suffix, suffix_len);
    reveal(entry);
    return 0;
}

/* Appends the lines of another map: readers see all of them at once. */
static int
append_lines(const char *text, size_t length)
{
    if (length == 0) {
        return 0;
    }
    char *lines = place_for(length);
    if (lines == NULL) {
        return -1;
    }
    memcpy(lines, text, length);
    reveal(lines);
    return 0;
}

/* ------------------------------------------------------------- copies of it */

/* Reads a file without the bytes [free_start, free_end) and without fillers:
   a malloc()ed block, or NULL with errno set. */
static char *
read_entries(int fd, off_t size, off_t free_start, off_t free_end, size_t *length)
{
    char *text = malloc((size_t)size + 1);
    size_t have = 0;
    if (text == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    while (have < (size_t)size) {
        ssize_t n = pread(fd, text + have, (size_t)size - have, (off_t)have);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            free(text);
            return NULL;
        }
        if (n == 0) {
            break;
        }
        have += (size_t)n;
    }
    char head[FILLER_MIN];
    size_t head_len = filler_head(head, sizeof(head));
    char *out = text, *end = text + have;
    for (char *line = text; line < end;) {
        off_t at = line - text;
        if (at == free_start && free_end > free_start) {
            line = text + Py_MIN((size_t)free_end, have);
            continue;
        }
        char *newline = memchr(line, '\n', (size_t)(end - line));
        if (newline == NULL) {
            break;
        }
        size_t n = (size_t)(newline + 1 - line);
        if (n <= head_len || memcmp(line, head, head_len) != 0) {
            memmove(out, line, n);
            out += n;
        }
        line = newline + 1;
    }
    *length = (size_t)(out - text);
    return text;
}

/* ----------------------------------------------------------- open and close */

static void
forget_file(void)
{
    close_window();
    _PyPerf_CloseFile(&map.file);
}

static void
before_fork(void)
{
    pthread_mutex_lock(&map.mutex);
}

static void
after_fork_parent(void)
{
    pthread_mutex_unlock(&map.mutex);
}

/* Only what is async-signal-safe: other threads' locks are in unknown states. */
static void
after_fork_child(void)
{
    if (map.file.fd >= 0) {
        _PyPerf_CloseFile(&inherited.file);
        inherited.file = map.file;
        inherited.size = map.size;
        inherited.free_start = inherited.free_end = 0;
        if (map.window != NULL) {
            off_t at = map.window_start + (map.filler - map.window);
            inherited.free_start = at;
            inherited.free_end = at + (map.filler_end - map.filler);
        }
        map.file.fd = -1;
        close_window();
    }
    pthread_mutex_unlock(&map.mutex);
}

/* The child's file begins with the parent's entries. -1: it does not. */
static int
copy_inherited(void)
{
    if (inherited.file.fd < 0) {
        return -1;
    }
    int result = -1;
    if (_PyPerf_PersistAfterFork && _PyPerf_HoldFile(&inherited.file) == 0) {
        size_t length;
        char *text = read_entries(inherited.file.fd, inherited.size, inherited.free_start,
                                  inherited.free_end, &length);
        if (text != NULL) {
            result = append_lines(text, length);
        }
        free(text);
    }
    _PyPerf_CloseFile(&inherited.file);
    return result;
}

static int
open_map(void)
{
    if (map.file.fd >= 0) {
        return 0;
    }
    if (!map.watches_fork) {
        if (pthread_atfork(before_fork, after_fork_parent, after_fork_child) != 0) {
            return -2;
        }
        map.watches_fork = 1;
    }
    if (_PyPerf_OpenFile(&map.file, &map.size) < 0) {
        return -1;
    }
    if (map.size == 0) {
        map.lacks_published |= copy_inherited() < 0;
    }
    if (map.window == NULL && add_chunk(1) < 0) {
        int reason = errno;
        forget_file();
        errno = reason;
        return -1;
    }
    return 0;
}

/* Replaces a file by another. A plain rename() would do, but ext4 then writes the new file
   to the disk, and removing the old one waits for that. */
static int
take_place(const char *path, const char *place)
{
    if (renameat2(AT_FDCWD, path, AT_FDCWD, place, RENAME_EXCHANGE) != 0) {
        return errno == EINVAL || errno == ENOSYS ? rename(path, place) : -1;
    }
    unlink(path);
    return 0;
}

/* Puts a file without fillers in the place of the one that is open. */
static void
compact(void)
{
    char path[PERF_PATH_SIZE], temporary[PERF_PATH_SIZE + 8];
    size_t length;
    if (_PyPerf_HoldFile(&map.file) < 0) {
        return;
    }
    char *text = read_entries(map.file.fd, map.size, 0, 0, &length);
    if (text == NULL) {
        return;
    }
    _PyPerf_PathOf(&map.file, map.file.pid, path);
    snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd >= 0) {
        struct stat now, st;
        if (_PyPerf_WriteFile(fd, text, length, 0) == 0 && fstat(fd, &st) == 0
            /* It may have been moved away, for a profile to be kept. */
            && lstat(path, &now) == 0 && now.st_ino == map.file.inode
            && now.st_dev == map.file.device && take_place(temporary, path) == 0) {
            /* If the file is opened again, it has to be this one. */
            _PyPerf_CloseFile(&map.file);
            map.file.device = st.st_dev;
            map.file.inode = st.st_ino;
        }
        else {
            unlink(temporary);
        }
        close(fd);
    }
    free(text);
}

/* ------------------------------------------------------------------ the API */

static int
locked(void)
{
    return pthread_mutex_lock(&map.mutex) == 0;
}

static int
unlock_with(int result)
{
    int reason = errno;
    pthread_mutex_unlock(&map.mutex);
    errno = reason;
    return result;
}

int
PyUnstable_PerfMapState_Init(void)
{
    return locked() ? unlock_with(open_map()) : -2;
}

int
PyUnstable_WritePerfMapEntry(const void *code_addr, unsigned int code_size,
                             const char *entry_name)
{
    if (!locked()) {
        return -2;
    }
    int result = open_map();
    if (result == 0) {
        result = append_entry(code_addr, code_size, entry_name, strlen(entry_name), "", 0);
    }
    return unlock_with(result);
}

void
PyUnstable_PerfMapState_Fini(void)
{
    if (!locked()) {
        return;
    }
    if (map.file.fd >= 0) {
        compact();
        forget_file();
    }
    unlock_with(0);
}

static int
copy_entries_of(const char *filename)
{
    int fd = open(filename, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0) {
        return -1;
    }
    int result = -1;
    char *text = NULL;
    size_t length = 0;
    if (fstat(fd, &st) == 0) {
        if (!S_ISREG(st.st_mode)) {
            errno = EINVAL;
        }
        else {
            text = read_entries(fd, st.st_size, 0, 0, &length);
        }
    }
    if (text != NULL) {
        result = append_lines(text, length);
    }
    int reason = errno;
    free(text);
    close(fd);
    errno = reason;
    return result;
}

int
PyUnstable_CopyPerfMapFile(const char *parent_filename)
{
    if (!locked()) {
        return -2;
    }
    int result = open_map();
    if (result == 0) {
        result = copy_entries_of(parent_filename);
    }
    return unlock_with(result);
}

/* -------------------------------------------------------------- the backend */

static int
backend_init(void)
{
    if (!locked()) {
        return -1;
    }
    int result = open_map() < 0 ? -1 : map.lacks_published;
    if (result > 0) {
        map.lacks_published = 0;
    }
    return unlock_with(result);
}

/* ":LINE" without a NUL, at the end of `suffix`: where it begins. */
static char *
format_line(char suffix[12], int32_t line)
{
    char *p = suffix + 12;
    uint32_t rest = line < 0 ? -(uint32_t)line : (uint32_t)line;
    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (line < 0) {
        *--p = '-';
    }
    *--p = ':';
    return p;
}

/* An entry for each line, its number behind the name. */
static int
publish_lines(const char *code, const _PyPerf_Name *name, const _PyPerf_Lines *lines)
{
    int result = 0;
    for (unsigned i = 0; i < lines->count && result == 0; i++) {
        char suffix[12], *start = format_line(suffix, lines->line[i]);
        result = append_entry(code + i * PERF_LANDING_SIZE, PERF_LANDING_SIZE, name->text,
                              name->size, start, (size_t)(suffix + sizeof(suffix) - start));
    }
    return result;
}

static int
backend_publish(const void *code, unsigned int size, const _PyPerf_Name *name,
                const _PyPerf_Lines *lines)
{
    if (!locked()) {
        return -1;
    }
    int result = open_map();
    if (result == 0) {
        result = lines != NULL ? publish_lines(code, name, lines)
                               : append_entry(code, size, name->text, name->size, "", 0);
    }
    return unlock_with(result < 0 ? -1 : 0);
}

static const char *
backend_file(void)
{
    static char path[PERF_PATH_SIZE];
    _PyPerf_PathOf(&map.file, getpid(), path);
    return path;
}

const _PyPerf_Backend _PyPerf_MapBackend = {
    "perf", backend_init, backend_publish, PyUnstable_PerfMapState_Fini, backend_file,
};

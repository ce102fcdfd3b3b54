/* /tmp/perf-PID.map: one line "ADDRESS SIZE NAME" per piece of generated code.

   The file grows by chunks (growing_file.c), and a chunk is filled from its end to its
   start:

       ADDR 1 [unused]............\n      the filler: free space, a line too
       7f3529cf7590 c py::baz:app.py\n    the latest entry
       7f3529cf7580 c py::bar:app.py\n    the one before

   An entry is written into the filler's name, where readers see dots changing, and
   becomes a line when the byte '\n' is stored before it. So a reader sees whole lines at
   any moment. There is one rare exception: read() copies by string instructions, whose
   loads the processor may reorder. While 60,000 to 180,000 entries were made in a second, 1 of
   16,000 reads saw the old dots at the end of an entry that had just begun. (A fence
   between the two stores did not prevent that, and with eight pause instructions there it was
   still 1 of 85,000.) The next read has all of it. The filler
   names a byte of our own code, which has its names from the program's symbol table; its
   size is not 0, because some readers extend a symbol without a size to the next one.
   Fini replaces the file by one without fillers. */
#include "Python.h"
#include "internal/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_SIZE 131072

/* Its free part is the newest chunk's filler. */
static _PyPerf_GrowingFile map = PERF_GROWING_FILE("/tmp/perf-%ld.map");

/* ------------------------------------------------------------------- filler */

/* Writes the beginning of a filler; it is the same for all. */
static size_t
filler_head(char *head, size_t size)
{
    return (size_t)snprintf(head, size, "%lx 1 [unused]",
                            (unsigned long)(uintptr_t)&PyUnstable_PerfMapState_Init);
}

#define FILLER_MIN 40       /* holds a filler's head and '\n' */

/* A new chunk at the end of the file with room for `need` bytes. 0 or -1. */
static int
add_chunk(size_t need)
{
    size_t size = (need + FILLER_MIN + CHUNK_SIZE - 1) / CHUNK_SIZE * CHUNK_SIZE;
    char *text = malloc(size);
    if (text == NULL) {
        errno = ENOMEM;
        return -1;
    }
    memset(text, '.', size);
    text[filler_head(text, size)] = '.';
    text[size - 1] = '\n';
    int result = _PyPerf_Grow(&map, text, size, map.size);
    int reason = errno;
    free(text);
    errno = reason;
    return result;
}

/* Where to write `n` bytes, the last of which is the '\n' that is already there; NULL with
   errno set. */
static char *
place_for(size_t n)
{
    if ((size_t)(map.free_end - map.free_start) < n + FILLER_MIN && add_chunk(n) < 0) {
        return NULL;
    }
    return _PyPerf_Mapped(&map, map.free_end - (off_t)n);
}

static void
reveal(char *lines)
{
    __atomic_store_n(lines - 1, '\n', __ATOMIC_RELEASE);
    map.free_end = lines - map.window + map.window_start;
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

/* Begins an entry. Where its name goes, of `name_size` bytes with what follows it; then its
   beginning is to be revealed. NULL with errno set. */
static char *
begin_entry(const void *address, unsigned int size, size_t name_size, char **entry)
{
    char head[32];
    size_t head_size = format_head(head, (uintptr_t)address, size);
    *entry = place_for(head_size + name_size + 1);
    if (*entry == NULL) {
        return NULL;
    }
    memcpy(*entry, head, head_size);
    return *entry + head_size;
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

/* The child's file begins with the parent's entries. -1: it does not. */
static int
copy_inherited(void)
{
    _PyPerf_File *file = &map.inherited.file;
    if (file->fd < 0) {
        return -1;
    }
    int result = -1;
    if (_PyPerf_PersistAfterFork && _PyPerf_HoldFile(file) == 0) {
        size_t length;
        char *text = read_entries(file->fd, map.inherited.size, map.inherited.free_start,
                                  map.inherited.free_end, &length);
        if (text != NULL) {
            result = append_lines(text, length);
        }
        free(text);
    }
    _PyPerf_CloseFile(file);
    return result;
}

static int
open_map(void)
{
    if (map.file.fd >= 0) {
        return 0;
    }
    int result = _PyPerf_OpenGrowing(&map);
    if (result < 0) {
        return result;
    }
    if (map.size == 0) {
        map.is_new |= copy_inherited() < 0;
    }
    if (map.window == NULL && add_chunk(1) < 0) {
        int reason = errno;
        _PyPerf_CloseGrowing(&map);
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

int
PyUnstable_PerfMapState_Init(void)
{
    return _PyPerf_LockFiles() ? _PyPerf_UnlockFiles(open_map()) : -2;
}

int
PyUnstable_WritePerfMapEntry(const void *code_addr, unsigned int code_size,
                             const char *entry_name)
{
    if (!_PyPerf_LockFiles()) {
        return -2;
    }
    int result = open_map();
    if (result == 0) {
        char *entry;
        size_t name_size = strlen(entry_name);
        char *name = begin_entry(code_addr, code_size, name_size, &entry);
        if (name == NULL) {
            result = -1;
        }
        else {
            _PyPerf_CopyName(name, entry_name, name_size);
            reveal(entry);
        }
    }
    return _PyPerf_UnlockFiles(result);
}

void
PyUnstable_PerfMapState_Fini(void)
{
    if (!_PyPerf_LockFiles()) {
        return;
    }
    if (map.file.fd >= 0) {
        compact();
        _PyPerf_CloseGrowing(&map);
    }
    _PyPerf_UnlockFiles(0);
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
    if (!_PyPerf_LockFiles()) {
        return -2;
    }
    int result = open_map();
    if (result == 0) {
        result = copy_entries_of(parent_filename);
    }
    return _PyPerf_UnlockFiles(result);
}

/* -------------------------------------------------------------- the backend */

static int
backend_init(void)
{
    return _PyPerf_InitBackend(&map, open_map);
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

/* Appends NAME and SUFFIX. 0 or -1. */
static int
publish_entry(const char *code, unsigned int size, const _PyPerf_Name *name,
              const char *suffix, size_t suffix_size)
{
    char *entry, *text = begin_entry(code, size, name->size + suffix_size, &entry);
    if (text == NULL) {
        return -1;
    }
    memcpy(text, name->text, name->size);
    memcpy(text + name->size, suffix, suffix_size);
    reveal(entry);
    return 0;
}

/* An entry for each line, its number behind the name. */
static int
publish_lines(const char *code, const _PyPerf_Name *name, const _PyPerf_Lines *lines)
{
    int result = 0;
    for (unsigned i = 0; i < lines->count && result == 0; i++) {
        char suffix[12], *start = format_line(suffix, lines->line[i]);
        size_t from = _PyPerf_LineStart(lines, i), to = _PyPerf_LineStart(lines, i + 1);
        result = publish_entry(code + from, (unsigned)(to - from), name, start,
                               (size_t)(suffix + sizeof(suffix) - start));
    }
    return result;
}

static int
backend_publish(const void *code, unsigned int size, const _PyPerf_Name *name,
                const _PyPerf_Lines *lines)
{
    if (!_PyPerf_LockFiles()) {
        return -1;
    }
    int result = open_map();
    if (result == 0) {
        result = lines != NULL ? publish_lines(code, name, lines)
                               : publish_entry(code, size, name, "", 0);
    }
    return _PyPerf_UnlockFiles(result < 0 ? -1 : 0);
}

static const char *
backend_file(void)
{
    return _PyPerf_PathForMessage(&map);
}

const _PyPerf_Backend _PyPerf_MapBackend = {
    "perf", backend_init, backend_publish, PyUnstable_PerfMapState_Fini, backend_file,
};

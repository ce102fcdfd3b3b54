/* /tmp/jit-PID.dump, version 1 of perf's jitdump format.

   `perf record -k 1` notes that the file was mapped executable (the marker);
   `perf inject --jit` reads it and makes an ELF file of each piece of code, with
   the unwinding information that precedes the code in the dump. So stacks are
   complete with --call-graph dwarf too.

   perf's unwinder reads that information at the addresses behind the code, in the
   file that it has for this code, so the next piece of code must begin after
   them: PERF_CFI_ROOM.

   The file grows by chunks of zeros, and the newest is mapped shared: records are
   written without a system call, and none is lost if the process is killed. The records
   of a piece of code become valid all at once, by the store of the first one's size;
   readers stop at a size of 0. Chunks are written, not only allocated, before they are
   mapped: a full disk is an error of pwrite(), not a SIGBUS later.

   The mutex guards what is below, and is held across fork(). */
#include "Python.h"
#include "internal/perf.h"

#ifdef SB_HAVE_TRAMPOLINE

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CODE_LOAD = 0, DEBUG_INFO = 2, UNWINDING_INFO = 4 };

typedef struct {
    uint32_t magic, version, size, machine, padding, pid;
    uint64_t time, flags;
} FileHeader;

typedef struct {
    uint32_t id, size;
    uint64_t time;
} RecordHeader;

typedef struct {
    RecordHeader header;
    uint32_t pid, tid;
    uint64_t vma, address, code_size, index;
} CodeLoad;             /* then the name with its NUL, then the code */

typedef struct {
    RecordHeader header;
    uint64_t code, count;
} DebugInfo;            /* then DebugEntry's */

typedef struct {
    uint64_t address;
    int32_t line, discriminator;
} DebugEntry;           /* then the file's name with its NUL */

typedef struct {
    RecordHeader header;
    uint64_t size, header_size, mapped_size;
} UnwindingInfo;        /* then .eh_frame and .eh_frame_hdr, to a multiple of 8 */

#define PATH_PATTERN "/tmp/jit-%ld.dump"

static struct {
    pthread_mutex_t mutex;
    _PyPerf_File file;
    off_t used, size;           /* of the file; behind `used` are zeros */
    char *window;               /* the mapping from `window_start` to `size` */
    off_t window_start;
    void *marker;
    uint64_t index;
    int watches_fork;
    int lacks_published;        /* the file is new; init() has to report that */
    _PyPerf_File inherited;     /* the parent's file in a forked child */
    off_t inherited_size;
} dump = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .file = {PATH_PATTERN, .fd = -1},
    .inherited = {PATH_PATTERN, .fd = -1},
};

static const char *
dump_path(void)
{
    static char path[PERF_PATH_SIZE];
    _PyPerf_PathOf(&dump.file, getpid(), path);
    return path;
}

static uint64_t
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
close_window(void)
{
    if (dump.window != NULL) {
        munmap(dump.window, (size_t)(dump.size - dump.window_start));
        dump.window = NULL;
    }
}

#define CHUNK_SIZE 524288

/* Where in the window the next `need` bytes go; NULL with errno set. */
static char *
room_for(size_t need)
{
    off_t page = sysconf(_SC_PAGESIZE), size = dump.size;
    if (dump.window == NULL || dump.used + (off_t)need > size) {
        static char zeros[CHUNK_SIZE];
        if (_PyPerf_HoldFile(&dump.file) < 0) {
            return NULL;
        }
        while (dump.used + (off_t)need > size) {
            if (_PyPerf_WriteFile(dump.file.fd, zeros, sizeof(zeros), size) < 0) {
                return NULL;
            }
            size += (off_t)sizeof(zeros);
        }
        off_t start = dump.used / page * page;
        char *window = mmap(NULL, (size_t)(size - start), PROT_READ | PROT_WRITE,
                            MAP_SHARED, dump.file.fd, start);
        if (window == MAP_FAILED) {
            return NULL;
        }
        close_window();
        dump.window = window;
        dump.window_start = start;
        dump.size = size;
    }
    return dump.window + (dump.used - dump.window_start);
}

static void
forget_file(void)
{
    close_window();
    if (dump.marker != NULL) {
        munmap(dump.marker, (size_t)sysconf(_SC_PAGESIZE));
        dump.marker = NULL;
    }
    _PyPerf_CloseFile(&dump.file);
}

static void
before_fork(void)
{
    pthread_mutex_lock(&dump.mutex);
}

static void
after_fork_parent(void)
{
    pthread_mutex_unlock(&dump.mutex);
}

static void
after_fork_child(void)
{
    if (dump.file.fd >= 0) {
        _PyPerf_CloseFile(&dump.inherited);
        dump.inherited = dump.file;
        dump.inherited_size = dump.used;
        dump.file.fd = -1;
        forget_file();
    }
    pthread_mutex_unlock(&dump.mutex);
}

/* Copies the parent's records, with the child's PID. 0; 1: there are none to copy; or -1. */
static int
copy_inherited(void)
{
    size_t size = (size_t)dump.inherited_size;
    if (dump.inherited.fd < 0) {
        return 1;
    }
    if (size <= sizeof(FileHeader) || !_PyPerf_PersistAfterFork
        || _PyPerf_HoldFile(&dump.inherited) < 0) {
        _PyPerf_CloseFile(&dump.inherited);
        return 1;
    }
    int result = -1;
    size -= sizeof(FileHeader);
    char *records = malloc(size);
    if (records == NULL) {
        errno = ENOMEM;
    }
    else if (pread(dump.inherited.fd, records, size, sizeof(FileHeader)) == (ssize_t)size) {
        for (size_t at = 0; at + sizeof(CodeLoad) <= size;) {
            CodeLoad *load = (CodeLoad *)(records + at);
            if (load->header.id == CODE_LOAD) {
                load->pid = load->tid = (uint32_t)getpid();
            }
            at += load->header.size;
        }
        result = _PyPerf_WriteFile(dump.file.fd, records, size, dump.used);
        dump.used += (off_t)size;
    }
    free(records);
    _PyPerf_CloseFile(&dump.inherited);
    return result;
}

/* Opens a new file (1) or the earlier one of this process (0); -1 on failure. */
static int
create_file(void)
{
    off_t size;
    if (_PyPerf_OpenFile(&dump.file, &size) < 0) {
        return -1;
    }
    dump.used = dump.size = size;
    if (size > 0) {
        return 0;
    }
    FileHeader header = {
        .magic = 0x4A695444, .version = 1, .size = sizeof(header),
#ifdef __x86_64__
        .machine = EM_X86_64,
#else
        .machine = EM_AARCH64,
#endif
        .pid = (uint32_t)getpid(), .time = now(),
    };
    if (_PyPerf_WriteFile(dump.file.fd, &header, sizeof(header), 0) < 0) {
        return -1;
    }
    dump.used = sizeof(header);
    int result = copy_inherited();
    dump.size = dump.used;
    return result;
}

static int
open_dump(void)
{
    if (dump.file.fd >= 0) {
        return 0;
    }
    if (!dump.watches_fork) {
        errno = pthread_atfork(before_fork, after_fork_parent, after_fork_child);
        if (errno != 0) {
            return -1;
        }
        dump.watches_fork = 1;
    }
    int created = create_file();
    if (created >= 0) {
        void *marker = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE),
                            PROT_READ | PROT_EXEC, MAP_PRIVATE, dump.file.fd, 0);
        if (marker != MAP_FAILED) {
            dump.marker = marker;
            dump.lacks_published |= created;
            return 0;
        }
    }
    int reason = errno;
    forget_file();
    errno = reason;
    return -1;
}

static int
backend_init(void)
{
    pthread_mutex_lock(&dump.mutex);
    int result = open_dump();
    if (result == 0) {
        result = dump.lacks_published;
        dump.lacks_published = 0;
    }
    int reason = errno;
    pthread_mutex_unlock(&dump.mutex);
    errno = reason;
    return result;
}

/* Appends to the window. The first 8 bytes, the kind and size of the first record, are held
   back. The size of every record is a multiple of 8. */
typedef struct {
    char *at;
    size_t size;
    uint64_t held_back;
} Output;

static inline void
put(Output *out, const void *data, size_t size)
{
    size_t skip = out->size == 0 ? sizeof(out->held_back) : 0;
    memcpy(&out->held_back, data, skip);
    memcpy(out->at + out->size + skip, (const char *)data + skip, size - skip);
    out->size += size;
}

/* Makes the records valid. */
static void
finish(Output *out)
{
    __atomic_store_n((uint64_t *)(void *)out->at, out->held_back, __ATOMIC_RELEASE);
}

#define UNWINDING_INFO_ROOM (sizeof(UnwindingInfo) + PERF_CFI_ROOM + 8)

static void
put_unwinding_info(Output *out, uint64_t time, size_t code_size)
{
    /* Mostly the code has the same size as the code before it. Readers see the block right
       after the code, whose size is rounded up to a multiple of 8. */
    static char cfi[PERF_CFI_ROOM + 8];
    static size_t size, header_size, of_size;
    if (of_size != code_size) {
        memset(cfi, 0, sizeof(cfi));
        size = _PyPerf_WriteCFI(cfi, -(ptrdiff_t)code_size, code_size, &header_size);
        of_size = code_size;
    }
    if (size == 0) {
        return;
    }
    size_t padded = (sizeof(UnwindingInfo) + size + 7) & ~(size_t)7;
    UnwindingInfo info = {
        {UNWINDING_INFO, (uint32_t)padded, time}, size, header_size, size,
    };
    put(out, &info, sizeof(info));
    put(out, cfi, padded - sizeof(info));
}

/* Its size without the padding. */
static size_t
debug_info_size(const _PyPerf_Lines *lines)
{
    return sizeof(DebugInfo)
           + (lines->count + 1) * (sizeof(DebugEntry) + strlen(lines->file) + 1);
}

/* A last entry, at the end, closes the range of the last line. Every entry has the
   file's name: perf 6.1 does not know the format's abbreviation for the one before. */
static void
put_debug_info(Output *out, uint64_t time, const char *code, const _PyPerf_Lines *lines)
{
    size_t file_size = strlen(lines->file) + 1, start = out->size;
    size_t padded = (debug_info_size(lines) + 7) & ~(size_t)7;
    DebugInfo info = {
        {DEBUG_INFO, (uint32_t)padded, time}, (uintptr_t)code, lines->count + 1,
    };
    put(out, &info, sizeof(info));
    for (unsigned i = 0; i <= lines->count; i++) {
        DebugEntry entry = {
            (uintptr_t)(code + i * PERF_LANDING_SIZE),
            lines->line[i < lines->count ? i : i - 1], 0,
        };
        put(out, &entry, sizeof(entry));
        put(out, lines->file, file_size);
    }
    put(out, "\0\0\0\0\0\0\0", start + padded - out->size);
}

/* Asking the kernel each time would cost more than everything else here. */
static uint32_t
thread_id(void)
{
    static _Thread_local pid_t of_process;
    static _Thread_local uint32_t id;
    if (of_process != dump.file.pid) {
        of_process = dump.file.pid;
        id = (uint32_t)syscall(SYS_gettid);
    }
    return id;
}

/* An upper limit for the records of a piece of code. */
static size_t
records_room(unsigned int size, const _PyPerf_Name *name, const _PyPerf_Lines *lines)
{
    size_t debug_info = lines != NULL ? debug_info_size(lines) + 8 : 0;
    return UNWINDING_INFO_ROOM + debug_info + sizeof(CodeLoad) + name->size + 8 + size;
}

/* Writes all records of a piece of code. */
static void
put_records(Output *out, const char *code, unsigned int size, const _PyPerf_Name *name,
            const _PyPerf_Lines *lines)
{
    /* Readers find the code from the record's end, so there may be more than one NUL. */
    size_t name_size = (name->size + 8) & ~(size_t)7;
    uint64_t time = now();
    put_unwinding_info(out, time, size);
    if (lines != NULL) {
        put_debug_info(out, time, code, lines);
    }
    CodeLoad load = {
        {CODE_LOAD, (uint32_t)(sizeof(CodeLoad) + name_size + size), time},
        (uint32_t)dump.file.pid, thread_id(),
        (uintptr_t)code, (uintptr_t)code, size, dump.index + 1,
    };
    put(out, &load, sizeof(load));
    put(out, name->text, name->size);
    put(out, "\0\0\0\0\0\0\0\0", name_size - name->size);
    put(out, code, size);
}

static int
backend_publish(const void *code, unsigned int size, const _PyPerf_Name *name,
                const _PyPerf_Lines *lines)
{
    pthread_mutex_lock(&dump.mutex);
    int result = open_dump();
    if (result == 0) {
        Output out = {room_for(records_room(size, name, lines)), 0, 0};
        if (out.at == NULL) {
            result = -1;
        }
        else {
            put_records(&out, code, size, name, lines);
            finish(&out);
            dump.used += (off_t)out.size;
            dump.index++;
        }
    }
    int reason = errno;
    pthread_mutex_unlock(&dump.mutex);
    errno = reason;
    return result;
}

static void
backend_fini(void)
{
    pthread_mutex_lock(&dump.mutex);
    if (dump.file.fd >= 0 && _PyPerf_HoldFile(&dump.file) == 0
        && ftruncate(dump.file.fd, dump.used) != 0) {
        /* Readers stop at the zeros. */
    }
    forget_file();
    pthread_mutex_unlock(&dump.mutex);
}

const _PyPerf_Backend _PyPerf_JitBackend = {
    "perf_jit", backend_init, backend_publish, backend_fini, dump_path,
    PERF_CFI_ROOM,
};

#endif

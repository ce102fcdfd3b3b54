/* /tmp/jit-PID.dump, version 1 of perf's jitdump format.

   `perf record -k 1` notes that the file was mapped executable (the marker);
   `perf inject --jit` reads it and makes an ELF file of each piece of code, with
   the unwinding information that precedes the code in the dump. So stacks are
   complete with --call-graph dwarf too.

   perf's unwinder reads that information at the addresses behind the code, in the
   file that it has for this code, so the next piece of code must begin after
   them: PERF_CFI_ROOM.

   The file grows by chunks of zeros (growing_file.c), which are filled from the start. The
   records of a piece of code become valid all at once, by the store of the first one's
   size; readers stop at a size of 0. */
#include "Python.h"
#include "internal/perf.h"

#ifdef SB_HAVE_LANDINGS

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

static _PyPerf_GrowingFile dump = PERF_GROWING_FILE("/tmp/jit-%ld.dump");
static void *marker;
static uint64_t code_count;

static uint64_t
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#define CHUNK_SIZE 524288

/* Where the next `need` bytes go; NULL with errno set. */
static char *
room_for(size_t need)
{
    size_t room = (size_t)(dump.free_end - dump.free_start);
    if (room < need) {
        size_t size = (need - room + CHUNK_SIZE - 1) / CHUNK_SIZE * CHUNK_SIZE;
        char *zeros = calloc(1, size);
        if (zeros == NULL) {
            errno = ENOMEM;
            return NULL;
        }
        int result = _PyPerf_Grow(&dump, zeros, size, dump.free_start);
        free(zeros);
        if (result < 0) {
            return NULL;
        }
    }
    return _PyPerf_Mapped(&dump, dump.free_start);
}

static void
drop_marker(void)
{
    if (marker != NULL) {
        munmap(marker, (size_t)sysconf(_SC_PAGESIZE));
        marker = NULL;
    }
}

static void
close_dump(void)
{
    drop_marker();
    _PyPerf_CloseGrowing(&dump);
}

/* Copies the parent's records, with the child's PID. 0; 1: there are none to copy; or -1. */
static int
copy_inherited(void)
{
    _PyPerf_File *file = &dump.inherited.file;
    size_t size = (size_t)dump.inherited.free_start;
    if (file->fd < 0) {
        return 1;
    }
    if (size <= sizeof(FileHeader) || !_PyPerf_PersistAfterFork
        || _PyPerf_HoldFile(file) < 0) {
        _PyPerf_CloseFile(file);
        return 1;
    }
    int result = -1;
    size -= sizeof(FileHeader);
    char *records = malloc(size);
    if (records == NULL) {
        errno = ENOMEM;
    }
    else if (pread(file->fd, records, size, sizeof(FileHeader)) == (ssize_t)size) {
        for (size_t at = 0; at + sizeof(CodeLoad) <= size;) {
            CodeLoad *load = (CodeLoad *)(records + at);
            if (load->header.id == CODE_LOAD) {
                load->pid = load->tid = (uint32_t)getpid();
            }
            at += load->header.size;
        }
        result = _PyPerf_WriteFile(dump.file.fd, records, size, sizeof(FileHeader));
        dump.size += (off_t)size;
    }
    free(records);
    _PyPerf_CloseFile(file);
    return result;
}

/* Begins a new file. 0; 1: it lacks what was published before; or -1. */
static int
begin_dump(void)
{
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
    dump.size = sizeof(header);
    int result = copy_inherited();
    dump.free_start = dump.free_end = dump.size;
    return result;
}

static int
open_dump(void)
{
    if (dump.file.fd >= 0) {
        return 0;
    }
    if (_PyPerf_OpenGrowing(&dump) < 0) {
        return -1;
    }
    drop_marker();
    int is_new = dump.size == 0 ? begin_dump() : 0;
    if (is_new >= 0) {
        void *mapped = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC,
                            MAP_PRIVATE, dump.file.fd, 0);
        if (mapped != MAP_FAILED) {
            marker = mapped;
            dump.is_new |= is_new;
            return 0;
        }
    }
    int reason = errno;
    close_dump();
    errno = reason;
    return -1;
}

static int
backend_init(void)
{
    return _PyPerf_InitBackend(&dump, open_dump);
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

static size_t
unwinding_info_room(const _PyPerf_Lines *lines)
{
    size_t cfi = lines != NULL && lines->frame_info != NULL ? lines->frame_info->size + 24
                                                            : PERF_CFI_ROOM;
    return sizeof(UnwindingInfo) + cfi + 8;
}

static void
put_cfi(Output *out, uint64_t time, const char *cfi, size_t size, size_t header_size)
{
    size_t padded = (sizeof(UnwindingInfo) + size + 7) & ~(size_t)7;
    UnwindingInfo info = {
        {UNWINDING_INFO, (uint32_t)padded, time}, size, header_size, size,
    };
    put(out, &info, sizeof(info));
    put(out, cfi, padded - sizeof(info));
}

static void
put_frame_info(Output *out, uint64_t time, size_t code_size, const PyJitFrameInfo *info)
{
    char *cfi = PyMem_RawCalloc(1, info->size + 24 + 8);
    if (cfi != NULL) {
        size_t header_size, rounded = (code_size + 7) & ~(size_t)7;
        size_t size = _PyPerf_WriteFrameInfo(cfi, info, -(ptrdiff_t)rounded, &header_size);
        put_cfi(out, time, cfi, size, header_size);
        PyMem_RawFree(cfi);
    }
}

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
    if (size != 0) {
        put_cfi(out, time, cfi, size, header_size);
    }
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
            (uintptr_t)(code + _PyPerf_LineStart(lines, i)),
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
    return unwinding_info_room(lines) + debug_info + sizeof(CodeLoad) + name->size + 8 + size;
}

/* Writes all records of a piece of code. */
static void
put_records(Output *out, const char *code, unsigned int size, const _PyPerf_Name *name,
            const _PyPerf_Lines *lines)
{
    /* Readers find the code from the record's end, so there may be more than one NUL. */
    size_t name_size = (name->size + 8) & ~(size_t)7;
    uint64_t time = now();
    if (lines != NULL && lines->frame_info != NULL) {
        put_frame_info(out, time, size, lines->frame_info);
    }
    else {
        put_unwinding_info(out, time, size);
    }
    if (lines != NULL) {
        put_debug_info(out, time, code, lines);
    }
    CodeLoad load = {
        {CODE_LOAD, (uint32_t)(sizeof(CodeLoad) + name_size + size), time},
        (uint32_t)dump.file.pid, thread_id(),
        (uintptr_t)code, (uintptr_t)code, size, code_count + 1,
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
    if (!_PyPerf_LockFiles()) {
        return -1;
    }
    int result = open_dump();
    if (result == 0) {
        Output out = {room_for(records_room(size, name, lines)), 0, 0};
        if (out.at == NULL) {
            result = -1;
        }
        else {
            put_records(&out, code, size, name, lines);
            finish(&out);
            dump.free_start += (off_t)out.size;
            code_count++;
        }
    }
    return _PyPerf_UnlockFiles(result);
}

static void
backend_fini(void)
{
    if (!_PyPerf_LockFiles()) {
        return;
    }
    if (dump.file.fd >= 0 && _PyPerf_HoldFile(&dump.file) == 0
        && ftruncate(dump.file.fd, dump.free_start) != 0) {
        /* Readers stop at the zeros. */
    }
    close_dump();
    _PyPerf_UnlockFiles(0);
}

static const char *
backend_file(void)
{
    return _PyPerf_PathForMessage(&dump);
}

const _PyPerf_Backend _PyPerf_JitBackend = {
    "perf_jit", backend_init, backend_publish, backend_fini, backend_file,
    PERF_CFI_ROOM,
};

#endif

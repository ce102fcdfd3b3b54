/* Python frames made visible to Linux perf and to gdb (Python/observe/perf).

   Data flows one way. The VM asks for a code object to be published when it first shows a
   frame of it (activation.c). landings.c takes landings that are vacant (vacant.c), or new
   ones from an arena (arena.c). It passes address and name to the backend: `perf` appends
   them to /tmp/perf-PID.map (perf_map.c), `perf_jit` to /tmp/jit-PID.dump (jitdump.c),
   `perf_gdb` announces them to a debugger (gdb_jit.c). switches.c turns all this on and off:
   for sys, the command line and C.

   The words, eight of them:

   shown      A frame is shown while it has a record, for stack walkers to find.
   record     A frame pointer and a return address on the C stack, for one Python frame
              (internal/frame_records.h).
   landing    The address that records have for a return address: it belongs to a code object,
              or to one line of it. Nothing returns there.
   backend    A way to tell a profiler the names of landings.
   mode       A backend, with lines or without, as a number of four bits. One mode is in
              force while frames are shown.
   published  Of landings: the backend has told their names. Of a code object: it has landings
              that are published in the mode in force.
   kept       Landings of a code object in other modes, for the time when those come back.
   vacant     Landings whose code object has been destroyed, for another of the same name.

   "Trampoline" is CPython's word for all this; it stands in the names that programs see. */
#ifndef SB_INTERNAL_PERF_H
#define SB_INTERNAL_PERF_H

#include "Python.h"
#include <stddef.h>
#include <sys/types.h>
#include "internal/code.h"
#include "internal/jit.h"
#include "internal/vm.h"

/* Does what the command line and the environment ask for. Called once at start-up,
   before the first import of a Python module. If that fails, the program runs all the
   same, with a warning on stderr. */
void _PyPerf_Start(PyThreadState *tstate);
/* An interpreter ends; NULL: all interpreters end. */
void _PyPerf_Fini(PyInterpreterState *interp);
/* In a forked child, when Python runs again. */
void _PyPerf_AfterForkChild(void);

/* The mailbox for tools (mailbox.c, internal/mailbox.h): whether it takes requests, and what it
   says about the present state. */
void _PyPerf_OpenMailbox(const PyConfig *config);
void _PyPerf_CloseMailbox(void);
void _PyPerf_TellMailbox(void);

/* Methods of sys. */
PyObject *_PySys_activate_stack_trampoline(PyObject *, PyObject *const *,
                                           Py_ssize_t, PyObject *);
PyObject *_PySys_deactivate_stack_trampoline(PyObject *, PyObject *);
PyObject *_PySys_is_stack_trampoline_active(PyObject *, PyObject *);

/* ----------------------------------------------- between the folder's files */

/* A test defines SB_NO_LANDINGS, to build what machines without a template get. */
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) \
    && !defined(SB_NO_LANDINGS)
#  define SB_HAVE_LANDINGS 1
#endif

/* Runs the evaluator with a block of records above it. The first record is that of
   `frame`, with this landing and `lines` (0, or the distance of _PyCodeLines). In
   assembly: trampoline_ARCH.S. */
PyObject *_PyPerf_Call(PyThreadState *, struct _PyInterpreterFrame *frame, int throwflag,
                       const void *landing, intptr_t lines)
    __attribute__((visibility("hidden")));

/* Runs a function with a block of `size` bytes above it (_PyVM_CallWithBlock). */
uintptr_t _PyPerf_CallWithBlock(PyThreadState *, struct _PyInterpreterFrame *frame, int how,
                                size_t size, _PyVM_BlockUser function)
    __attribute__((visibility("hidden")));

/* Our own program's functions, if they have frame pointers and nothing of others is among them;
   otherwise, and before FindOwnText(), of size 0 (own_text.c). */
typedef struct {
    uintptr_t start, size;
} _PyPerfText;
extern _PyPerfText _PyPerf_OwnText;
void _PyPerf_FindOwnText(void);

static inline int
_PyPerf_IsInOwnText(uintptr_t return_address)
{
    return return_address - _PyPerf_OwnText.start < _PyPerf_OwnText.size;
}

/* An extension module is loaded. From now on the evaluator is entered by CallBridged(),
   so that the chain of frame pointers leads across code that has none (bridges.c). */
void _PyPerf_ExtensionIsLoaded(void);
PyObject *_PyPerf_CallBridged(PyThreadState *, struct _PyInterpreterFrame *frame,
                              int throwflag, const void *landing, intptr_t lines);
/* What unwinders call when they pass _PyPerf_Call. */
int _PyPerf_Personality(int version, int actions, uint64_t kind, void *exception,
                        void *context) __attribute__((visibility("hidden")));

/* The template of a landing, PERF_LANDING_SIZE bytes; in the same assembly files. */
extern const char _PyPerf_template[] __attribute__((visibility("hidden")));
extern const char _PyPerf_template_end[] __attribute__((visibility("hidden")));
#define PERF_LANDING_SIZE 8

/* Memory full of landings that is executable and not writable, 16-byte aligned.
   NULL with errno set. The caller holds the GIL. */
void *_PyPerf_NewLandings(size_t size);
/* Makes sure that there is such memory. 0, or -1 with errno set. */
int _PyPerf_PrepareArena(void);
/* In a forked child: new landings come from a new arena. For addresses that existed at
   the fork perf reads the parent's map, and the parent goes on naming the landings that
   were still free. */
void _PyPerf_LeaveArena(void);

/* The name that landings are shown under: UTF-8 text that ends with a NUL. */
typedef struct {
    const char *text;
    size_t size;                /* without the NUL */
    size_t hash;                /* equal for names made of equal strings */
} _PyPerf_Name;

/* Copies `size` bytes of UTF-8, with control characters replaced (clean_name.c). */
void _PyPerf_CopyName(char *to, const char *name, size_t size);

/* The lines of a code object: number i lands at its address + i * PERF_LANDING_SIZE. Or those
   of a compiled function: from its address + start[i] on, up to start[i + 1]; a line may come
   several times. */
typedef struct {
    unsigned count;
    const int32_t *line;
    const char *file;
    const uint32_t *start;      /* NULL: of landings */
    const PyJitFrameInfo *frame_info;   /* of a compiled function: how to unwind; or NULL */
} _PyPerf_Lines;

static inline size_t
_PyPerf_LineStart(const _PyPerf_Lines *lines, unsigned i)
{
    return lines->start != NULL ? lines->start[i] : (size_t)i * PERF_LANDING_SIZE;
}

/* A code object's landings, the first at `base`. 0 in `is_published`: they have to be
   published before they are used. */
typedef struct {
    char *base;
    uintptr_t mode;
    int is_published;
} _PyPerf_Landings;

/* Vacant landings, by name and lines (vacant.c). TakeVacant() looks for some of
   landings->mode: 1 and they are in *landings, or 0. PrefetchVacant() prepares that; it
   needs only the name's hash. UnpublishVacant(): those of the mode have to be published
   again, with and without lines. */
void _PyPerf_AddVacant(const _PyPerf_Landings *landings, const _PyPerf_Name *name,
                    const _PyPerf_Lines *lines);
int _PyPerf_TakeVacant(_PyPerf_Landings *landings, const _PyPerf_Name *name,
                   const _PyPerf_Lines *lines);
void _PyPerf_PrefetchVacant(const _PyPerf_Name *name);
void _PyPerf_UnpublishVacant(uintptr_t tag);

/* A backend publishes landings under a name. Functions return 0, or -1 with errno set. */
typedef struct {
    const char *name;
    /* 1: the file is new, so it lacks what was published earlier. */
    int (*init)(void);
    /* lines: NULL, or the line of each landing. */
    int (*publish)(const void *code, unsigned int size, const _PyPerf_Name *name,
                   const _PyPerf_Lines *lines);
    void (*fini)(void);
    /* The name of the file for error messages. */
    const char *(*file)(void);
    size_t behind;      /* how many bytes after a code object's landings stay unused */
    int always_lines;
} _PyPerf_Backend;

extern const _PyPerf_Backend _PyPerf_MapBackend;
extern const _PyPerf_Backend _PyPerf_JitBackend;
extern const _PyPerf_Backend _PyPerf_GdbBackend;

/* Publishes a code object: gives it landings of `mode`, which is one of `backend`. 0, or -1
   with errno set. Keeps an exception that is set. */
int _PyPerf_PublishInMode(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t mode);
/* The mode of a backend without lines. */
uintptr_t _PyPerf_ModeOf(const _PyPerf_Backend *backend);
/* The backend has a new file: nothing is published in its modes any more. */
void _PyPerf_Unpublish(const _PyPerf_Backend *backend);
/* A code object with landings is destroyed. */
void _PyPerf_VacateLandings(PyVMCode *code);

/* Publishes all compiled functions, and from now on each when it is compiled. */
void _PyPerf_PublishMachineCode(void);

/* Writes the call frame information of landings, as the assembler wrote it for the
   template: .eh_frame with a final 0, then .eh_frame_hdr (*header_size bytes), for `size`
   bytes of landings that begin at the distance `code` from where the block will be read.
   Returns the size of both, at most PERF_CFI_ROOM, or 0. */
#define PERF_CFI_ROOM 120
size_t _PyPerf_WriteCFI(char *block, ptrdiff_t code, size_t size, size_t *header_size);
/* The same of a compiled function; `block` has room for info->size + 24 bytes. */
size_t _PyPerf_WriteFrameInfo(char *block, const PyJitFrameInfo *info, ptrdiff_t code,
                              size_t *header_size);
/* Registers landings with the process's own unwinders. The .eh_frame must stay. */
void _PyPerf_RegisterCFI(const char *eh_frame);

/* A file under /tmp that profilers read (own_file.c): the one that process `pid` opened
   last. `fd`: -1 if it is not open. */
typedef struct {
    const char *pattern;                /* of its path, for the PID */
    int fd;
    pid_t pid;
    dev_t device;
    ino_t inode;
} _PyPerf_File;

#define PERF_PATH_SIZE 64
void _PyPerf_PathOf(const _PyPerf_File *file, pid_t pid, char path[PERF_PATH_SIZE]);
/* Opens the file of this process, its earlier one or a new one. 0, or -1 with errno
   set. */
int _PyPerf_OpenFile(_PyPerf_File *file, off_t *size);
/* Makes sure that the descriptor still is the file's: to be called before each use. 0, or
   -1 with errno set. */
int _PyPerf_HoldFile(_PyPerf_File *file);
/* Async-signal-safe. */
void _PyPerf_CloseFile(_PyPerf_File *file);
/* Writes all of it: 0, or -1 with errno set. */
int _PyPerf_WriteFile(int fd, const void *data, size_t size, off_t at);

/* Such a file that grows, by chunks, of which the newest is mapped (growing_file.c). */
typedef struct _PyPerf_GrowingFile {
    _PyPerf_File file;
    off_t size;
    off_t free_start, free_end;         /* the part that is not in use yet, in the window */
    char *window;                       /* mapped, from window_start to `size`; or NULL */
    off_t window_start;
    int is_new;                         /* what was published before is not in it */
    struct {
        _PyPerf_File file;
        off_t size, free_start, free_end;
    } inherited;                        /* in a forked child: the parent's file at the fork */
    int is_watched;
    struct _PyPerf_GrowingFile *next;
} _PyPerf_GrowingFile;

#define PERF_GROWING_FILE(pattern) \
    {.file = {pattern, .fd = -1}, .inherited.file = {pattern, .fd = -1}}

/* The lock of all growing files, to be held while one is used. Lock: 1, or 0 if there is
   none. Unlock returns `result`, and keeps errno. */
int _PyPerf_LockFiles(void);
int _PyPerf_UnlockFiles(int result);
/* Opens a file that is not open; it has no window yet. 0, -1 with errno set, or -2 if a
   fork() would not be noticed. */
int _PyPerf_OpenGrowing(_PyPerf_GrowingFile *f);
void _PyPerf_CloseGrowing(_PyPerf_GrowingFile *f);
/* Adds a chunk at the end, and moves the window: free is what lies behind `free_start`. 0,
   or -1 with errno set. */
int _PyPerf_Grow(_PyPerf_GrowingFile *f, const char *chunk, size_t size, off_t free_start);
/* What is mapped at `at`. */
static inline char *
_PyPerf_Mapped(const _PyPerf_GrowingFile *f, off_t at)
{
    return f->window + (at - f->window_start);
}
/* init() and file() of a backend with such a file. `open` opens the file unless it is open:
   0, or less with errno set. */
int _PyPerf_InitBackend(_PyPerf_GrowingFile *f, int (*open)(void));
const char *_PyPerf_PathForMessage(const _PyPerf_GrowingFile *f);

/* The mode in force, and its backend (NULL: nothing is shown). The frames of all interpreters
   with a shown_hook are shown. */
extern struct _PyPerf_State {
    const _PyPerf_Backend *backend;
    int lines;
    uintptr_t mode;
    int forked;                         /* in a child that has no file of its own yet */
} _PyPerf;

/* Empty on machines without a template. */
extern const _PyPerf_Backend *const _PyPerf_Backends[];
extern const size_t _PyPerf_BackendCount;

/* Does a forked child's file begin with a copy of its parent's? */
extern int _PyPerf_PersistAfterFork;

/* The results of Activate() besides 0; errno is set. */
enum {
    PERF_FILE_REFUSED = -1,         /* the backend's file */
    PERF_MEMORY_REFUSED = -2,       /* as under systemd's MemoryDenyWriteExecute */
};
int _PyPerf_Activate(PyInterpreterState *interp, size_t backend, int lines);
/* Has the program switched it on, in any interpreter? Not only a tool. */
int _PyPerf_IsClaimed(void);
/* What has refused, for an error message: errno says why. */
const char *_PyPerf_RefusedBy(int result, size_t backend);
/* For an interpreter; NULL: for all. When none is left, the file is closed. */
void _PyPerf_Deactivate(PyInterpreterState *interp);
/* Publishes a code object in the mode in force, if there is one. 0, or -1 with errno set. */
int _PyPerf_PublishCode(PyVMCode *code);

#endif

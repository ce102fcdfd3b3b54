/* Python frames made visible to Linux perf and to gdb (Python/observe/perf).

   Data flows one way. The VM asks for a code object's landing when it first shows a
   frame of it (trampoline.c; internal/frame_records.h says what a landing is).
   landings.c takes one left by a destroyed code object of that name (vacant.c) or a new
   one from an arena (arena.c), or one for each line. It passes address and name to the
   active backend: `perf` appends them to /tmp/perf-PID.map (perf_map.c), `perf_jit` to
   /tmp/jit-PID.dump (jitdump.c), `perf_gdb` announces them to a debugger (gdb_jit.c).
   switches.c turns all this on and off: for sys, the command line and C. */
#ifndef SB_INTERNAL_PERF_H
#define SB_INTERNAL_PERF_H

#include "Python.h"
#include <stddef.h>
#include <sys/types.h>
#include "internal/code.h"
#include "internal/vm.h"

/* Does what the command line and the environment ask for. Called once at start-up,
   before the first import of a Python module. If that fails, the program runs all the
   same, with a warning on stderr. */
void _PyPerf_Start(PyThreadState *tstate);
/* An interpreter ends; NULL: all interpreters end. */
void _PyPerf_Fini(PyInterpreterState *interp);
/* In a forked child, when Python runs again. */
void _PyPerf_AfterForkChild(void);

/* Methods of sys. */
PyObject *_PySys_activate_stack_trampoline(PyObject *, PyObject *const *,
                                           Py_ssize_t, PyObject *);
PyObject *_PySys_deactivate_stack_trampoline(PyObject *, PyObject *);
PyObject *_PySys_is_stack_trampoline_active(PyObject *, PyObject *);

/* ----------------------------------------------- between the folder's files */

/* A test defines SB_NO_TRAMPOLINE, to build what machines without a template get. */
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) \
    && !defined(SB_NO_TRAMPOLINE)
#  define SB_HAVE_TRAMPOLINE 1
#endif

/* Runs the evaluator with a block of records above it. The first record is that of
   `frame`, with this landing and `lines` (0, or the distance of _PyCodeLines). In
   assembly: trampoline_x86_64.S, trampoline_aarch64.S. */
PyObject *_PyPerf_Call(PyThreadState *, struct _PyInterpreterFrame *frame, int throwflag,
                       const void *landing, intptr_t lines)
    __attribute__((visibility("hidden")));

/* An extension module is loaded. From now on the evaluator is entered by CallBridged(),
   so that the chain of frame pointers leads across code that has none (bridges.c). */
void _PyPerf_ExtensionIsLoaded(void);
extern int _PyPerf_HasForeignCode;
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

/* The lines of a code object: number i lands at its address + i * PERF_LANDING_SIZE. */
typedef struct {
    unsigned count;
    const int32_t *line;
    const char *file;
} _PyPerf_Lines;

/* A code object's landings: the address of the first, the tag of the trampoline words that
   they are for, and whether they have to be published again. */
typedef struct {
    char *base;
    uintptr_t tag;
    int is_lost;
} _PyPerf_Landings;

/* Landings whose code object has been destroyed, by name and lines (vacant.c). Vacate()
   adds some. Occupy() looks for some of landings->tag: 1 and they are in *landings, or 0.
   ExpectOccupy() prefetches for it; only the name's hash need be known. LoseVacant() marks
   those of the tag as lost, with and without lines. */
void _PyPerf_Vacate(const _PyPerf_Landings *landings, const _PyPerf_Name *name,
                    const _PyPerf_Lines *lines);
int _PyPerf_Occupy(_PyPerf_Landings *landings, const _PyPerf_Name *name,
                   const _PyPerf_Lines *lines);
void _PyPerf_ExpectOccupy(const _PyPerf_Name *name);
void _PyPerf_LoseVacant(uintptr_t tag);

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

/* Gives a code object landings for `tag` that are published by `backend`. 0, or -1 with
   errno set. Keeps an exception that is set. */
int _PyPerf_MakeLandings(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t tag);
/* The tag of words without lines. */
uintptr_t _PyPerf_TagOf(const _PyPerf_Backend *backend);
/* What `backend` has published is lost: each code object's landings will be published
   again. */
void _PyPerf_PublishAgain(const _PyPerf_Backend *backend);
/* Called when a code object with landings is destroyed. */
void _PyPerf_LeaveLandings(PyVMCode *code);

/* Writes the call frame information of landings, as the assembler wrote it for the
   template: .eh_frame with a final 0, then .eh_frame_hdr (*header_size bytes), for `size`
   bytes of landings that begin at the distance `code` from where the block will be read.
   Returns the size of both, at most PERF_CFI_ROOM, or 0. */
#define PERF_CFI_ROOM 120
size_t _PyPerf_WriteCFI(char *block, ptrdiff_t code, size_t size, size_t *header_size);
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

/* What is shown, and by which backend (NULL: nothing). The frames of all interpreters with
   a shown_hook are shown. */
extern struct _PyPerf_State {
    const _PyPerf_Backend *backend;
    int lines;
    uintptr_t tag;                      /* of trampoline words */
    int forked;                         /* in a child that has no file of its own yet */
} _PyPerf;

/* Empty on machines without a template. */
extern const _PyPerf_Backend *const _PyPerf_Backends[];
extern const size_t _PyPerf_BackendCount;

/* Does a forked child's file begin with a copy of its parent's? */
extern int _PyPerf_PersistAfterFork;

/* The results of Activate() besides 0; errno is set, except for PERF_HOOK_IN_PLACE. */
enum {
    PERF_FILE_REFUSED = -1,         /* the backend's file */
    PERF_MEMORY_REFUSED = -2,       /* as under systemd's MemoryDenyWriteExecute */
    PERF_HOOK_IN_PLACE = -3         /* an extension's eval hook */
};
int _PyPerf_Activate(PyInterpreterState *interp, size_t backend, int lines);
/* For an interpreter; NULL: for all. When none is left, the file is closed. */
void _PyPerf_Deactivate(PyInterpreterState *interp);
/* Makes a code object known to the active backend, if there is one: publishes its
   landings. 0, or -1 with errno set. */
int _PyPerf_MakeKnown(PyVMCode *code);

#endif

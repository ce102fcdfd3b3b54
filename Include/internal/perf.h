/* Python frames made visible to Linux perf and to gdb (Python/observe/perf).

   Data flows one way. The VM asks for a code object's landing when it first shows a
   frame of it (trampoline.c; internal/frame_records.h says what a landing is);
   landings.c takes one that a code object of that name has left (vacant.c) or a new one
   from an arena (arena.c), or one for each line, and tells the active backend their
   address and name: `perf` appends them to /tmp/perf-PID.map
   (perf_map.c), `perf_jit` to /tmp/jit-PID.dump (jitdump.c), `perf_gdb` announces
   them to a debugger (gdb_jit.c). switches.c is who asks: sys, the command line, C. */
#ifndef SB_INTERNAL_PERF_H
#define SB_INTERNAL_PERF_H

#include "Python.h"
#include <stddef.h>
#include <sys/types.h>
#include "internal/code.h"
#include "internal/vm.h"

/* What the command line and the environment ask for; called once at start-up,
   before the first import of a Python module. What cannot be had is a warning
   on stderr: the program runs. */
void _PyPerf_Start(PyThreadState *tstate);
/* An interpreter ends, NULL: all do. */
void _PyPerf_Fini(PyInterpreterState *interp);
/* In a forked child, when Python runs again. */
void _PyPerf_AfterForkChild(void);

/* Methods of sys. */
PyObject *_PySys_activate_stack_trampoline(PyObject *, PyObject *const *,
                                           Py_ssize_t, PyObject *);
PyObject *_PySys_deactivate_stack_trampoline(PyObject *, PyObject *);
PyObject *_PySys_is_stack_trampoline_active(PyObject *, PyObject *);

/* ---------------------------------------------- between the folder's files */

/* A test defines SB_NO_TRAMPOLINE: what the other machines have. */
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) \
    && !defined(SB_NO_TRAMPOLINE)
#  define SB_HAVE_TRAMPOLINE 1
#endif

/* The evaluator with a block of records above it, the first of which is `frame`'s
   with this landing, and `lines` (0, or the distance of _PyCodeLines). Assembly:
   trampoline_ARCH.S. */
PyObject *_PyPerf_Call(PyThreadState *, struct _PyInterpreterFrame *frame, int throwflag,
                       const void *landing, intptr_t lines)
    __attribute__((visibility("hidden")));

/* An extension module is loaded: from now on the evaluator is entered by CallBridged(),
   which sees to it that frame pointers lead through code that has none (bridges.c). */
void _PyPerf_ExtensionIsLoaded(void);
extern int _PyPerf_HasForeignCode;
PyObject *_PyPerf_CallBridged(PyThreadState *, struct _PyInterpreterFrame *frame,
                              int throwflag, const void *landing, intptr_t lines);
/* What unwinders call when they pass _PyPerf_Call. */
int _PyPerf_Personality(int version, int actions, uint64_t kind, void *exception,
                        void *context) __attribute__((visibility("hidden")));

/* The template of a landing, of PERF_LANDING_SIZE bytes; from the same files. */
extern const char _PyPerf_template[] __attribute__((visibility("hidden")));
extern const char _PyPerf_template_end[] __attribute__((visibility("hidden")));
#define PERF_LANDING_SIZE 8

/* Memory full of landings that is executable and not writable, 16-byte aligned.
   NULL with errno set. The caller holds the GIL. */
void *_PyPerf_NewLandings(size_t size);
/* Sees to it that there is such memory. 0, or -1 with errno set. */
int _PyPerf_PrepareArena(void);
/* In a forked child: the next ones come from a new arena. perf looks up what lay
   in memory at the fork in the parent's map, where the parent goes on to name what
   was left. */
void _PyPerf_LeaveArena(void);

/* What landings are shown as: UTF-8 text without a NUL in it, and one behind it. */
typedef struct {
    const char *text;
    size_t size;                /* without the NUL */
    size_t hash;                /* equal for names made of equal strings */
} _PyPerf_Name;

/* Copies `size` bytes of UTF-8, without what could pass for more than a name
   (clean_name.c). */
void _PyPerf_CopyName(char *to, const char *name, size_t size);

/* The lines of a code object: number i lands at its address + i * PERF_LANDING_SIZE. */
typedef struct {
    unsigned count;
    const int32_t *line;
    const char *file;
} _PyPerf_Lines;

/* A code object's landings: where the first lies, for which tag of trampoline words, and
   whether the backend has to be told of them again. */
typedef struct {
    char *base;
    uintptr_t tag;
    int is_lost;
} _PyPerf_Landings;

/* Landings whose code object is gone, by name and lines (vacant.c). Occupy() looks for
   those of landings->tag: 1 and they are in *landings, or 0. ExpectOccupy(): it is about
   to be asked, for a name whose hash is known. LoseVacant(): they are lost, with and
   without lines. */
void _PyPerf_Vacate(const _PyPerf_Landings *landings, const _PyPerf_Name *name,
                    const _PyPerf_Lines *lines);
int _PyPerf_Occupy(_PyPerf_Landings *landings, const _PyPerf_Name *name,
                   const _PyPerf_Lines *lines);
void _PyPerf_ExpectOccupy(const _PyPerf_Name *name);
void _PyPerf_LoseVacant(uintptr_t tag);

/* How a backend publishes landings under a name; lines: NULL, or what is behind each.
   Functions return 0, or -1 with errno set. */
typedef struct {
    const char *name;
    /* 1: what was published earlier is not in the file, since it is a new one. */
    int (*init)(void);
    int (*publish)(const void *code, unsigned int size, const _PyPerf_Name *name,
                   const _PyPerf_Lines *lines);
    void (*fini)(void);
    /* What to call the file in an error message. */
    const char *(*file)(void);
    size_t behind;      /* bytes behind a code object's landings that stay unused */
    int always_lines;
} _PyPerf_Backend;

extern const _PyPerf_Backend _PyPerf_MapBackend;
extern const _PyPerf_Backend _PyPerf_JitBackend;
extern const _PyPerf_Backend _PyPerf_GdbBackend;

/* Gives a code object landings that `backend` knows, for `tag`. 0, or -1 with errno
   set. Keeps what exception is set. */
int _PyPerf_MakeLandings(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t tag);
/* The tag of words without lines. */
uintptr_t _PyPerf_TagOf(const _PyPerf_Backend *backend);
/* What `backend` knows of landings is lost: each code object is told of again. */
void _PyPerf_PublishAgain(const _PyPerf_Backend *backend);
/* A code object with landings dies. */
void _PyPerf_LeaveLandings(PyVMCode *code);

/* The call frame information of landings, as the assembler wrote it for the template:
   .eh_frame with a final 0, then .eh_frame_hdr (*header_size bytes), for `size` bytes
   of landings that begin at the distance `code` from where the block is read. The size of
   both, at most PERF_CFI_ROOM, or 0. */
#define PERF_CFI_ROOM 120
size_t _PyPerf_WriteCFI(char *block, ptrdiff_t code, size_t size, size_t *header_size);
/* Tells the process's own unwinders about landings, by an .eh_frame that stays. */
void _PyPerf_RegisterCFI(const char *eh_frame);

/* A file under /tmp that profilers read (own_file.c). `fd`: -1 if it is not open. It is
   the file that process `pid` has opened last. */
typedef struct {
    const char *pattern;                /* of its path, for the PID */
    int fd;
    pid_t pid;
    dev_t device;
    ino_t inode;
} _PyPerf_File;

#define PERF_PATH_SIZE 64
void _PyPerf_PathOf(const _PyPerf_File *file, pid_t pid, char path[PERF_PATH_SIZE]);
/* Opens the file of this process, the one that it has had or a new one. 0, or -1 with
   errno set. */
int _PyPerf_OpenFile(_PyPerf_File *file, off_t *size);
/* Sees to it that the descriptor is the file's: to be called before it is used. 0, or -1
   with errno set. */
int _PyPerf_HoldFile(_PyPerf_File *file);
/* Async-signal-safe. */
void _PyPerf_CloseFile(_PyPerf_File *file);
/* All of it, or -1 with errno set. */
int _PyPerf_WriteFile(int fd, const void *data, size_t size, off_t at);

/* What is shown, by whom. `backend` NULL: nothing. Whose frames: of the interpreters with a
   shown_hook. */
extern struct _PyPerf_State {
    const _PyPerf_Backend *backend;
    int lines;
    uintptr_t tag;                      /* of trampoline words */
    int forked;                         /* in a child that has no file of its own yet */
} _PyPerf;

/* None on machines without a template. */
extern const _PyPerf_Backend *const _PyPerf_Backends[];
extern const size_t _PyPerf_BackendCount;

/* Whether a forked child's file begins with what its parent's has. */
extern int _PyPerf_PersistAfterFork;

/* 0, or what it fails at, with errno set but for a foreign hook. */
enum {
    PERF_FILE_REFUSED = -1,         /* the backend's */
    PERF_MEMORY_REFUSED = -2,       /* as under systemd's MemoryDenyWriteExecute */
    PERF_HOOK_IN_PLACE = -3
};
int _PyPerf_Activate(PyInterpreterState *interp, size_t backend, int lines);
/* For an interpreter, NULL: for all. The last one closes the file. */
void _PyPerf_Deactivate(PyInterpreterState *interp);
/* Makes a code object known to the active backend, if there is one. 0, or -1 with
   errno set. */
int _PyPerf_MakeKnown(PyVMCode *code);

#endif

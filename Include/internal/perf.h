/* Python frames made visible to Linux perf (Python/observe/perf).

   Data flows one way: the eval hook (trampoline.c) takes a trampoline (here: the
   address that stands for it on the C stack) for a code object from an arena
   (arena.c) and tells the active backend its address and
   name; the backend `perf` appends them to /tmp/perf-PID.map (perf_map.c), `perf_jit` to
   /tmp/jit-PID.dump (jitdump.c). */
#ifndef SB_INTERNAL_PERF_H
#define SB_INTERNAL_PERF_H

#include "Python.h"
#include "internal/config.h"

/* What the command line and the environment ask for; called once at start-up,
   before the first import of a Python module. What cannot be had is a warning
   on stderr: the program runs. */
void _PyPerf_Start(PyThreadState *tstate);
/* At shut-down: closes what the backend has open. */
void _PyPerf_Fini(void);
/* In a forked child, when Python runs again. */
void _PyPerf_AfterForkChild(void);

/* Methods of sys. */
PyObject *_PySys_activate_stack_trampoline(PyObject *, PyObject *const *,
                                           Py_ssize_t, PyObject *);
PyObject *_PySys_deactivate_stack_trampoline(PyObject *, PyObject *);
PyObject *_PySys_is_stack_trampoline_active(PyObject *, PyObject *);

/* ------------------------------------------------- the C API of the map */

/* Results: 0, -1 the file (errno says why), -2 the lock. No GIL is needed. */
PyAPI_FUNC(int) PyUnstable_PerfMapState_Init(void);
PyAPI_FUNC(int) PyUnstable_WritePerfMapEntry(const void *code_addr,
                                             unsigned int code_size,
                                             const char *entry_name);
PyAPI_FUNC(void) PyUnstable_PerfMapState_Fini(void);
PyAPI_FUNC(int) PyUnstable_CopyPerfMapFile(const char *parent_filename);

PyAPI_FUNC(int) PyUnstable_PerfTrampoline_CompileCode(PyCodeObject *);
PyAPI_FUNC(int) PyUnstable_PerfTrampoline_SetPersistAfterFork(int enable);

/* ---------------------------------------------- between the folder's files */

/* _PyEval_EvalFrameDefault with `landing` on the C stack, as if it were the
   address that the evaluator's caller returns to (trampoline_ARCH.S). */
PyObject *_PyPerf_Call(PyThreadState *, struct _PyInterpreterFrame *, int throwflag,
                       const void *landing) __attribute__((visibility("hidden")));

/* The template's bounds; the symbols are of trampoline_ARCH.S. */
extern const char _PyPerf_template[] __attribute__((visibility("hidden")));
extern const char _PyPerf_template_end[] __attribute__((visibility("hidden")));

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#  define SB_HAVE_TRAMPOLINE 1
#endif

/* The next unused copy, in memory that is executable and not writable, with
   `room` bytes from its start to the next one's, or as many as it has. NULL with
   errno set. The caller holds the GIL. */
void *_PyPerf_NewTrampoline(size_t room);
/* In a forked child: the next copy comes from a new arena. perf looks up what lay
   in memory at the fork in the parent's map, where the parent goes on to name the
   copies that were left. */
void _PyPerf_LeaveArena(void);

/* How a backend publishes a trampoline's name. Functions return 0, or -1 with
   errno set. */
typedef struct {
    const char *name;
    int (*init)(void);
    int (*publish)(const void *code, unsigned int size, const char *name);
    void (*fini)(void);
    /* What to call the file in an error message. */
    const char *(*file)(void);
    size_t room;        /* see _PyPerf_NewTrampoline */
} _PyPerf_Backend;

extern const _PyPerf_Backend _PyPerf_MapBackend;
extern const _PyPerf_Backend _PyPerf_JitBackend;

/* The .eh_frame and .eh_frame_hdr (*header_size bytes of it) of a copy of the
   template, to lie behind it at the next multiple of 8. The size of both, or 0 if
   they don't fit or can't be found. */
size_t _PyPerf_TemplateCFI(char *block, size_t size, size_t *header_size);

#endif

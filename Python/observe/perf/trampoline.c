/* The eval hook that gives every code object a C frame of its own.

   PyVMCode.trampoline holds the address of a code object's trampoline, and in
   its low bits (copies are 16-byte aligned) the tag of the backend that it has
   been published to. The hook compares the tag with the active backend's: equal
   is the usual case; anything else, 0 too, is a first call.

   Nothing is taken back: deactivation only removes the hook, and frames that
   run under trampolines return through them. */
#include "Python.h"
#include "internal/code.h"
#include "internal/frame.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/vm.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const _PyPerf_Backend *const backends[] = {
    &_PyPerf_MapBackend,
#ifdef SB_HAVE_TRAMPOLINE
    &_PyPerf_JitBackend,
#endif
};

#define TAG_MASK ((uintptr_t)15)

/* Where in a copy of the template its address is taken: behind its first
   instruction. */
#ifdef __x86_64__
#  define LANDING 1
#else
#  define LANDING 4
#endif

static struct {
    const _PyPerf_Backend *backend;     /* NULL: inactive */
    uintptr_t tag;                      /* its place in the table, from 1 */
    PyInterpreterState *interp;         /* whose frames it sees */
    int persist_after_fork;
} perf;

#ifdef SB_HAVE_TRAMPOLINE

static PyObject *evaluate(PyThreadState *, PyVMFrame *, int);
static PyObject *evaluate_after_fork(PyThreadState *, PyVMFrame *, int);

/* ------------------------------------------------------------- publication */

/* The UTF-8 text of a name, with what can't be encoded escaped. Borrowed from
   `op` or from *owner, a new reference or NULL. NULL with an exception set. */
static const char *
text_of(PyObject *op, Py_ssize_t *size, PyObject **owner)
{
    *owner = NULL;
    const char *text = PyUnicode_AsUTF8AndSize(op, size);
    if (text == NULL) {
        PyErr_Clear();
        *owner = PyUnicode_AsEncodedString(op, "utf-8", "backslashreplace");
        if (*owner != NULL) {
            text = PyBytes_AS_STRING(*owner);
            *size = PyBytes_GET_SIZE(*owner);
        }
    }
    return text;
}

/* Copies text so that it goes on behind a NUL in it. */
static char *
put_text(char *to, const char *text, Py_ssize_t size)
{
    memcpy(to, text, (size_t)size);
    for (char *nul; (nul = memchr(to, '\0', (size_t)size)) != NULL;) {
        *nul = '?';
    }
    return to + size;
}

#define SHORT_NAME 512

/* 0, or -1 with errno set. No exception is set or lost. */
static int
publish(PyVMCode *code, void *trampoline)
{
    char buffer[SHORT_NAME], *name = buffer;
    PyObject *type, *value, *traceback, *own1 = NULL, *own2 = NULL;
    Py_ssize_t n1 = 0, n2 = 0;
    PyErr_Fetch(&type, &value, &traceback);
    const char *qualname = text_of(code->ob.co_qualname, &n1, &own1);
    const char *file = text_of(code->ob.co_filename, &n2, &own2);
    int result = -1;
    errno = ENOMEM;
    if (qualname != NULL && file != NULL) {
        size_t need = (size_t)n1 + (size_t)n2 + sizeof("py:::");
        if (need > sizeof(buffer)) {
            name = PyMem_RawMalloc(need);
        }
        if (name != NULL) {
            char *p = put_text(name, "py::", 4);
            p = put_text(p, qualname, n1);
            *p++ = ':';
            p = put_text(p, file, n2);
            *p = '\0';
            result = perf.backend->publish(
                trampoline, (unsigned int)(_PyPerf_template_end - _PyPerf_template),
                name);
        }
    }
    int reason = errno;
    if (name != buffer) {
        PyMem_RawFree(name);
    }
    Py_XDECREF(own1);
    Py_XDECREF(own2);
    PyErr_Restore(type, value, traceback);
    errno = reason;
    return result;
}

/* Gives a code object a trampoline that the active backend knows. 0, or -1 with
   errno set. */
static int
compile(PyVMCode *code)
{
    if (((uintptr_t)code->trampoline & TAG_MASK) == perf.tag) {
        return 0;
    }
    void *trampoline = _PyPerf_NewTrampoline(perf.backend->room);
    if (trampoline == NULL || publish(code, trampoline) < 0) {
        return -1;
    }
    code->trampoline = (void *)((uintptr_t)trampoline | perf.tag);
    return 0;
}

/* ---------------------------------------------------------------- the hook */

static void
take_hook_away(void)
{
    PyInterpreterState *interp = perf.interp;
    if (interp != NULL && (interp->eval_frame == evaluate
                           || interp->eval_frame == evaluate_after_fork)) {
        _PyInterpreterState_SetEvalFrameFunc(interp, _PyEval_EvalFrameDefault);
    }
    perf.backend = NULL;
    perf.interp = NULL;
    perf.tag = 0;
}

/* The disk is full or memory is used up: the program matters more. */
static void
give_up(void)
{
    int reason = errno;
    const _PyPerf_Backend *backend = perf.backend;
    fprintf(stderr, "%s: %s: no Python functions are shown to perf from here on\n",
            backend->file(), strerror(reason));
    take_hook_away();
    backend->fini();
}

static __attribute__((noinline)) PyObject *
evaluate_first(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    PyVMCode *code = frame->code;
    if (perf.backend == NULL || ts->interp != perf.interp) {
        return _PyEval_EvalFrameDefault(ts, frame, throwflag);
    }
    if (compile(code) < 0) {
        give_up();
        return _PyEval_EvalFrameDefault(ts, frame, throwflag);
    }
    return evaluate(ts, frame, throwflag);
}

static PyObject *
evaluate(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    uintptr_t trampoline = (uintptr_t)frame->code->trampoline;
    uintptr_t tag = perf.tag;
    if (__builtin_expect((trampoline & TAG_MASK) == tag && tag != 0, 1)) {
        return _PyPerf_Call(ts, frame, throwflag,
                            (const void *)(trampoline - tag + LANDING));
    }
    return evaluate_first(ts, frame, throwflag);
}

/* ------------------------------------------------------------------- fork */

/* A child needs a map of its own as soon as it runs Python code, whoever called
   fork(); one that goes on to exec() pays nothing. So the child's handler only
   puts another hook in the place of ours, whose first call does the work. */

static PyObject *
evaluate_after_fork(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    _PyPerf_AfterForkChild();
    return _PyInterpreterState_GetEvalFrameFunc(ts->interp)(ts, frame, throwflag);
}

static void
in_forked_child(void)
{
    if (perf.interp != NULL && perf.interp->eval_frame == evaluate) {
        perf.interp->eval_frame = evaluate_after_fork;
    }
}

void
_PyPerf_AfterForkChild(void)
{
    if (perf.interp == NULL || perf.interp->eval_frame != evaluate_after_fork) {
        return;
    }
    perf.interp->eval_frame = evaluate;
    _PyPerf_LeaveArena();
    if (perf.backend->init() < 0) {
        give_up();
    }
}

/* ----------------------------------------------------------------- switches */

/* 0, or -1 with errno set: 0 for a foreign hook, what init() says otherwise. */
static int
activate(PyInterpreterState *interp, size_t index)
{
    _PyFrameEvalFunction current = _PyInterpreterState_GetEvalFrameFunc(interp);
    if (current != _PyEval_EvalFrameDefault && current != evaluate) {
        errno = 0;
        return -1;
    }
    static int watches_fork;
    if (!watches_fork) {
        errno = pthread_atfork(NULL, NULL, in_forked_child);
        if (errno != 0) {
            return -1;
        }
        watches_fork = 1;
    }
    if (backends[index]->init() < 0) {
        return -1;
    }
    perf.backend = backends[index];
    perf.tag = index + 1;
    perf.interp = interp;
    _PyInterpreterState_SetEvalFrameFunc(interp, evaluate);
    return 0;
}

static void
deactivate(void)
{
    const _PyPerf_Backend *backend = perf.backend;
    if (backend != NULL) {
        take_hook_away();
        backend->fini();
    }
}

#else   /* no template for this machine */

static int
activate(PyInterpreterState *Py_UNUSED(interp), size_t Py_UNUSED(index))
{
    errno = ENOSYS;
    return -1;
}

static void
deactivate(void)
{
}

static int
compile(PyVMCode *Py_UNUSED(code))
{
    return 0;
}

void
_PyPerf_AfterForkChild(void)
{
}

#endif

/* ------------------------------------------------------------------- C API */

int
PyUnstable_PerfTrampoline_CompileCode(PyCodeObject *co)
{
    if (perf.backend == NULL) {
        return 0;
    }
    return compile(_PyVMCode_CAST(co));
}

int
PyUnstable_PerfTrampoline_SetPersistAfterFork(int enable)
{
    /* A child's map names inherited code in any case. */
    perf.persist_after_fork = enable != 0;
    return perf.persist_after_fork;
}

/* --------------------------------------------------------------------- sys */

/* The place of a backend in the table, or -1. */
static Py_ssize_t
find_backend(const char *name)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(backends); i++) {
        if (strcmp(backends[i]->name, name) == 0) {
            return (Py_ssize_t)i;
        }
    }
    return -1;
}

PyObject *
_PySys_activate_stack_trampoline(PyObject *Py_UNUSED(module), PyObject *const *args,
                                 Py_ssize_t nargs, PyObject *kwnames)
{
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0) {
        PyErr_SetString(PyExc_TypeError, "sys.activate_stack_trampoline() takes no "
                        "keyword arguments");
        return NULL;
    }
    if (nargs != 1) {
        PyErr_Format(PyExc_TypeError, "sys.activate_stack_trampoline() takes exactly "
                     "one argument (%zd given)", nargs);
        return NULL;
    }
    if (!PyUnicode_Check(args[0])) {
        PyErr_Format(PyExc_TypeError, "activate_stack_trampoline() argument must be "
                     "str, not %.50s",
                     args[0] == Py_None ? "None" : Py_TYPE(args[0])->tp_name);
        return NULL;
    }
    const char *name = PyUnicode_AsUTF8(args[0]);
    if (name == NULL || PySys_Audit("sys.activate_stack_trampoline", "O", args[0]) < 0) {
        return NULL;
    }
    Py_ssize_t index = find_backend(name);
    if (index < 0) {
        PyErr_Format(PyExc_ValueError, "invalid backend: %s", name);
        return NULL;
    }
    if (perf.backend == backends[index]) {
        Py_RETURN_NONE;
    }
    if (perf.backend != NULL) {
        PyErr_Format(PyExc_ValueError, "can't activate %s: %s is active",
                     name, perf.backend->name);
        return NULL;
    }
    if (activate(_PyInterpreterState_GET(), (size_t)index) < 0) {
        if (errno == 0) {
            PyErr_SetString(PyExc_RuntimeError,
                            "can't activate: another eval hook is in place");
        }
        else if (errno == ENOSYS) {
            PyErr_SetString(PyExc_ValueError, "perf trampoline not available");
        }
        else {
            PyErr_SetFromErrnoWithFilename(PyExc_OSError, backends[index]->file());
        }
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
_PySys_deactivate_stack_trampoline(PyObject *Py_UNUSED(module),
                                   PyObject *Py_UNUSED(ignored))
{
    if (PySys_Audit("sys.deactivate_stack_trampoline", NULL) < 0) {
        return NULL;
    }
    deactivate();
    Py_RETURN_NONE;
}

PyObject *
_PySys_is_stack_trampoline_active(PyObject *Py_UNUSED(module),
                                  PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(perf.backend != NULL);
}

/* ------------------------------------------------------ start-up, shut-down */

/* -X NAME: 1 on, 0 off ("=0"), -1 not given. */
static int
option(const PyConfig *config, const wchar_t *name)
{
    const wchar_t *value = _PyConfig_XOption(config, name);
    return value == NULL ? -1 : wcscmp(value, L"0") != 0;
}

static int
variable(const PyConfig *config, const char *name)
{
    const char *value = _PyConfig_Getenv(config, name);
    return value != NULL && strtol(value, NULL, 10) > 0;
}

/* Which backend the start asks for: a name of the table, or NULL. Any -X option
   of the family decides alone. */
static const char *
wanted_backend(const PyConfig *config)
{
    static const struct {
        const wchar_t *option;
        const char *variable, *backend;
    } ways[] = {
        {L"perf", "PYTHONPERFSUPPORT", "perf"},
        {L"perf_jit", "PYTHON_PERF_JIT_SUPPORT", "perf_jit"},
    };
    const char *wanted = NULL;
    int decided = 0;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ways); i++) {
        int on = option(config, ways[i].option);
        decided |= on >= 0;
        wanted = on > 0 ? ways[i].backend : wanted;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ways) && !decided; i++) {
        wanted = variable(config, ways[i].variable) ? ways[i].backend : wanted;
    }
    return wanted;
}

void
_PyPerf_Start(PyThreadState *tstate)
{
    const char *wanted = wanted_backend(&tstate->interp->config);
    if (wanted == NULL || perf.backend != NULL) {
        return;
    }
    Py_ssize_t index = find_backend(wanted);
    errno = ENOSYS;
    if (index < 0 || activate(tstate->interp, (size_t)index) < 0) {
        fprintf(stderr, "%s: %s: no Python functions are shown to perf\n",
                index < 0 ? wanted : backends[index]->file(), strerror(errno));
    }
}

void
_PyPerf_Fini(void)
{
    deactivate();
}

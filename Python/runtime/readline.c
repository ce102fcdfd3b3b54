/* PyOS_Readline: a line from a terminal, through GNU readline once its module
   has set PyOS_ReadlineFunctionPointer, else through the C library. */
#include "Python.h"
#include "internal/pystate.h"

#include <unistd.h>

int (*PyOS_InputHook)(void) = NULL;
char *(*PyOS_ReadlineFunctionPointer)(FILE *, FILE *, const char *) = NULL;
PyThreadState *_PyOS_ReadlineTState = NULL;

static PyThread_type_lock readline_lock;

/* fgets() that lets signal handlers run. Returns 0; 1: interrupted; -1: end or error. */
static int
get_some(char *buffer, int size, FILE *in)
{
    for (;;) {
        if (PyOS_InputHook != NULL) {
            (void)PyOS_InputHook();
        }
        errno = 0;
        clearerr(in);
        if (fgets(buffer, size, in) != NULL) {
            return 0;
        }
        int err = errno;
        if (feof(in)) {
            clearerr(in);
            return -1;
        }
        if (err == EINTR) {
            PyEval_RestoreThread(_PyOS_ReadlineTState);
            int raised = PyErr_CheckSignals();
            PyEval_SaveThread();
            if (raised < 0) {
                return 1;
            }
            continue;
        }
        return -1;
    }
}

/* Returns PyMem_RawMalloc memory, or NULL when interrupted. */
static char *
plain_readline(FILE *in, FILE *out, const char *prompt)
{
    size_t size = 128, used = 0;
    char *line = PyMem_RawMalloc(size);
    fflush(out);
    if (prompt != NULL) {
        fputs(prompt, stderr);
    }
    fflush(stderr);
    while (line != NULL) {
        int rc = get_some(line + used, (int)(size - used), in);
        if (rc == 1) {
            PyMem_RawFree(line);
            return NULL;
        }
        if (rc == -1) {
            line[used] = '\0';
            return line;
        }
        used += strlen(line + used);
        if (used > 0 && line[used - 1] == '\n') {
            return line;
        }
        size *= 2;
        char *bigger = size > INT_MAX ? NULL : PyMem_RawRealloc(line, size);
        if (bigger == NULL) {
            PyMem_RawFree(line);
        }
        line = bigger;
    }
    return NULL;
}

char *
PyOS_Readline(FILE *in, FILE *out, const char *prompt)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (_PyOS_ReadlineTState == tstate) {
        PyErr_SetString(PyExc_RuntimeError, "can't re-enter readline");
        return NULL;
    }
    if (readline_lock == NULL) {
        readline_lock = PyThread_allocate_lock();
        if (readline_lock == NULL) {
            PyErr_SetString(PyExc_MemoryError, "can't allocate lock");
            return NULL;
        }
    }
    char *line;
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(readline_lock, 1);
    _PyOS_ReadlineTState = tstate;
    /* Line editing only makes sense if both streams are terminals. */
    if (PyOS_ReadlineFunctionPointer != NULL && isatty(fileno(in)) && isatty(fileno(out))) {
        line = PyOS_ReadlineFunctionPointer(in, out, prompt);
    }
    else {
        line = plain_readline(in, out, prompt);
    }
    _PyOS_ReadlineTState = NULL;
    PyThread_release_lock(readline_lock);
    Py_END_ALLOW_THREADS
    if (line == NULL) {
        return NULL;
    }
    size_t n = strlen(line) + 1;
    char *copy = PyMem_Malloc(n);
    if (copy != NULL) {
        memcpy(copy, line, n);
    }
    else {
        PyErr_NoMemory();
    }
    PyMem_RawFree(line);
    return copy;
}

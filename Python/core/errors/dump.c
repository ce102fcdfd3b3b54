/* Reports for when little still works: tracebacks written with write(2) only, and fatal
   errors.

   The functions of the first part are called from signal handlers, perhaps while data
   structures are broken. They allocate nothing, take no lock, look at objects only after
   a plausibility check, and stop after a fixed number of frames, threads and characters. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/frame.h"
#include "internal/gcstate.h"
#include "internal/hooks.h"
#include "internal/memory.h"
#include "internal/pystate.h"
#include "internal/traceback.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_STRING = 500, MAX_FRAMES = 100, MAX_THREADS = 100 };

static void
put_bytes(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno != EINTR) {
            return;
        }
        if (done > 0) {
            text += done;
            n -= (size_t)done;
        }
    }
}

static void
put(int fd, const char *text)
{
    put_bytes(fd, text, strlen(text));
}

static void
dump_decimal(int fd, size_t value)
{
    char digits[3 * sizeof(value) + 1];
    char *p = &digits[sizeof(digits) - 1];
    *p = '\0';
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put(fd, p);
}

static void
dump_hexadecimal(int fd, uintptr_t value, Py_ssize_t width)
{
    char digits[2 * sizeof(value) + 1];
    const Py_ssize_t most = (Py_ssize_t)sizeof(digits) - 1;
    char *end = &digits[most], *p = end;
    if (width > most) {
        width = most;
    }
    *p = '\0';
    do {
        *--p = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0 || end - p < width);
    put(fd, p);
}

static void
dump_ascii(int fd, PyObject *text)
{
    if (!PyUnicode_Check(text) || !PyUnicode_IS_READY(text)) {
        return;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int cut = n > MAX_STRING;
    if (cut) {
        n = MAX_STRING;
    }
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c >= ' ' && c < 127) {
            char ch = (char)c;
            put_bytes(fd, &ch, 1);
        }
        else if (c <= 0xff) {
            put(fd, "\\x");
            dump_hexadecimal(fd, c, 2);
        }
        else if (c <= 0xffff) {
            put(fd, "\\u");
            dump_hexadecimal(fd, c, 4);
        }
        else {
            put(fd, "\\U");
            dump_hexadecimal(fd, c, 8);
        }
    }
    if (cut) {
        put(fd, "...");
    }
}

static void
dump_text_or_unknown(int fd, PyObject *text)
{
    if (text != NULL && !_PyMem_IsPtrFreed(text) && PyUnicode_Check(text)) {
        dump_ascii(fd, text);
    }
    else {
        put(fd, "???");
    }
}

static void
dump_frame(int fd, PyVMFrame *frame)
{
    PyCodeObject *code = (PyCodeObject *)frame->code;
    put(fd, "  File ");
    if (code->co_filename != NULL && PyUnicode_Check(code->co_filename)) {
        put(fd, "\"");
        dump_ascii(fd, code->co_filename);
        put(fd, "\"");
    }
    else {
        put(fd, "???");
    }
    put(fd, ", line ");
    int line = _PyFrame_LineOf(frame);
    if (line >= 0) {
        dump_decimal(fd, (size_t)line);
    }
    else {
        put(fd, "???");
    }
    put(fd, " in ");
    dump_text_or_unknown(fd, code->co_name);
    put(fd, "\n");
}

static void
dump_frames(int fd, PyThreadState *tstate, int with_header)
{
    if (with_header) {
        put(fd, "Stack (most recent call first):\n");
    }
    PyVMFrame *frame = _PyMem_IsPtrFreed(tstate) ? NULL
        : _PyThreadState_CurrentFrame(tstate);
    if (frame == NULL) {
        put(fd, "  <no Python frame>\n");
        return;
    }
    for (int depth = 0; frame != NULL; depth++) {
        if (depth == MAX_FRAMES) {
            put(fd, "  ...\n");
            return;
        }
        if (_PyMem_IsPtrFreed(frame) || _PyMem_IsPtrFreed(frame->code)) {
            put(fd, "  <freed frame>\n");
            return;
        }
        dump_frame(fd, frame);
        frame = first_staying(frame->previous);
    }
}

void
_Py_DumpTraceback(int fd, PyThreadState *tstate)
{
    dump_frames(fd, tstate, 1);
}

static void
dump_thread_id(int fd, PyThreadState *tstate, int is_current)
{
    put(fd, is_current ? "Current thread 0x" : "Thread 0x");
    dump_hexadecimal(fd, tstate->thread_id, sizeof(unsigned long) * 2);
    put(fd, " (most recent call first):\n");
}

const char *
_Py_DumpTracebackThreads(int fd, PyInterpreterState *interp,
                         PyThreadState *current)
{
    if (current == NULL) {
        current = PyGILState_GetThisThreadState();
    }
    if (current != NULL && _PyMem_IsPtrFreed(current)) {
        return "unable to get the interpreter state";
    }
    if (interp == NULL) {
        interp = current != NULL ? current->interp : _PyRuntime.interp_main;
    }
    if (interp == NULL) {
        return "unable to get the interpreter state";
    }
    PyThreadState *tstate = interp->threads_head;
    if (tstate == NULL) {
        return "unable to get the thread head state";
    }
    for (int n = 0; tstate != NULL; tstate = tstate->next, n++) {
        if (n != 0) {
            put(fd, "\n");
        }
        if (n >= MAX_THREADS) {
            put(fd, "...\n");
            break;
        }
        dump_thread_id(fd, tstate, tstate == current);
        if (tstate == current && _PyGC.collecting) {
            put(fd, "  Garbage-collecting\n");
        }
        dump_frames(fd, tstate, 0);
    }
    return NULL;
}

void
_Py_DumpExtensionModules(int fd, PyInterpreterState *interp)
{
    if (interp == NULL || interp->modules == NULL
        || !PyDict_Check(interp->modules)) {
        return;
    }
    PyObject *stdlib = NULL;
    if (interp->sysdict != NULL) {
        stdlib = PyDict_GetItemString(interp->sysdict, "stdlib_module_names");
    }
    PyObject *key, *value;
    Py_ssize_t i = 0, count = 0;
    while (PyDict_Next(interp->modules, &i, &key, &value)) {
        if (!PyUnicode_Check(key) || !PyModule_Check(value)
            || PyModule_GetDef(value) == NULL) {
            continue;
        }
        if (stdlib != NULL && PyAnySet_Check(stdlib)) {
            int known = PySet_Contains(stdlib, key);
            if (known < 0) {
                PyErr_Clear();
            }
            if (known != 0) {
                continue;
            }
        }
        put(fd, count == 0 ? "\nExtension modules: " : ", ");
        dump_ascii(fd, key);
        count++;
    }
    if (count > 0) {
        put(fd, " (total: ");
        dump_decimal(fd, (size_t)count);
        put(fd, ")\n");
    }
}

/* ------------------------------------------------------------- fatal errors */

static void
fatal_runtime_state(int fd)
{
    const char *state;
    if (_PyRuntimeState_GetFinalizing() != NULL) {
        state = "finalizing (tstate=0x";
    }
    else if (_PyRuntime.initialized) {
        state = "initialized";
    }
    else if (_PyRuntime.core_initialized) {
        state = "core initialized";
    }
    else if (_PyRuntime.preinitialized) {
        state = "preinitialized";
    }
    else if (_PyRuntime.preinitializing) {
        state = "preinitializing";
    }
    else {
        state = "unknown";
    }
    put(fd, "Python runtime state: ");
    put(fd, state);
    if (_PyRuntimeState_GetFinalizing() != NULL) {
        dump_hexadecimal(fd, (uintptr_t)_PyRuntimeState_GetFinalizing(),
                         sizeof(void *) * 2);
        put(fd, ")");
    }
    put(fd, "\n");
}

/* Shows the current exception. Returns whether there was one. */
static int
show_exception(PyThreadState *tstate)
{
    if (tstate == NULL || !_PyErr_Occurred(tstate)) {
        return 0;
    }
    PyObject *type, *value, *traceback;
    _PyErr_Fetch(tstate, &type, &value, &traceback);
    PyObject *file = PySys_GetObject("stderr");
    if (file == NULL || file == Py_None) {
        return 0;
    }
    _PyErr_NormalizeException(tstate, &type, &value, &traceback);
    if (traceback == NULL) {
        traceback = Py_NewRef(Py_None);
    }
    PyException_SetTraceback(value, traceback);
    PyErr_Display(type, value, traceback);
    int has_traceback = traceback != Py_None;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return has_traceback;
}

void (*_Py_BeforeAbort)(void);

static _Py_NO_RETURN void
fatal(const char *func, const char *message, int status)
{
    static int reentered;
    const int fd = STDERR_FILENO;
    if (reentered) {
        put(fd, "\n");
        abort();
    }
    reentered = 1;
    put(fd, "Fatal Python error: ");
    if (func != NULL) {
        put(fd, func);
        put(fd, ": ");
    }
    put(fd, message != NULL ? message : "<message not set>");
    put(fd, "\n");
    fatal_runtime_state(fd);

    PyThreadState *tstate = _PyThreadState_GET();
    PyThreadState *own = PyGILState_GetThisThreadState();
    int has_gil = own != NULL && own == tstate;
    if (!has_gil || !show_exception(tstate)) {
        put(fd, "\n");
        if (_PyRuntime.core_initialized) {
            _Py_DumpTracebackThreads(fd, NULL, own != NULL ? own : tstate);
        }
    }
    if (tstate != NULL) {
        _Py_DumpExtensionModules(fd, tstate->interp);
    }
    if (_Py_BeforeAbort != NULL) {
        _Py_BeforeAbort();
    }
    if (status < 0) {
        abort();
    }
    exit(status);
}

void
_Py_FatalErrorFunc(const char *func, const char *message)
{
    fatal(func, message, -1);
}

#undef Py_FatalError
void
Py_FatalError(const char *message)
{
    fatal(NULL, message, -1);
}

void
_Py_FatalErrorFormat(const char *func, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    fatal(func, text, -1);
}

/* A failed step of initialization (PyStatus). */
void _Py_NO_RETURN
_Py_ExitFatalInit(const char *func, const char *message)
{
    fatal(func, message, 1);
}

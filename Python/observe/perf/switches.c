/* Switching the showing of frames on and off: from sys, the command line, the environment
   and C. */
#include "Python.h"
#include "internal/options.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------- C API */

int
PyUnstable_PerfTrampoline_CompileCode(PyCodeObject *co)
{
    if (!PyCode_Check(co)) {
        errno = EINVAL;
        return -1;
    }
    _PyPerf_AfterForkChild();
    return _PyPerf_PublishCode(_PyVMCode_CAST(co));
}

int
PyUnstable_PerfTrampoline_SetPersistAfterFork(int enable)
{
    _PyPerf_PersistAfterFork = enable != 0;
    return _PyPerf_PersistAfterFork;
}

/* ---------------------------------------------------------------------- sys */

/* The place of a backend in the table, or -1. */
static Py_ssize_t
find_backend(const char *name)
{
    for (size_t i = 0; i < _PyPerf_BackendCount; i++) {
        if (strcmp(_PyPerf_Backends[i]->name, name) == 0) {
            return (Py_ssize_t)i;
        }
    }
    return -1;
}

static const char *
with_lines(int lines)
{
    return lines ? " with lines" : "";
}

/* The keyword `lines`: 0, 1, or -1 with an exception. */
static int
lines_argument(PyObject *const *values, PyObject *kwnames)
{
    int lines = 0;
    Py_ssize_t n = kwnames != NULL ? PyTuple_GET_SIZE(kwnames) : 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, i);
        if (!PyUnicode_Check(name) || !_PyUnicode_EqualToASCIIString(name, "lines")) {
            PyErr_Format(PyExc_TypeError, "'%S' is an invalid keyword argument for "
                         "activate_stack_trampoline()", name);
            return -1;
        }
        lines = PyObject_IsTrue(values[i]);
        if (lines < 0) {
            return -1;
        }
    }
    return lines;
}

/* The program has switched it on, perhaps after a tool. */
static void
claim(PyInterpreterState *interp)
{
    interp->shown_by |= SHOWN_BY_PROGRAM;
    _PyPerf_TellMailbox();
}

/* Not while an extension's hook is in the place of ours, which may or may not call it. */
static int
shows(const PyInterpreterState *interp)
{
    return interp->shown_hook != NULL
           && (interp->eval_frame == interp->shown_hook || interp->shown_behind);
}

static const char not_available[] = "perf trampoline not available";

const char *
_PyPerf_RefusedBy(int result, size_t index)
{
    return result == PERF_FILE_REFUSED ? _PyPerf_Backends[index]->file()
                                       : "executable memory";
}

static void
complain_activation(int result, size_t index)
{
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, _PyPerf_RefusedBy(result, index));
}

PyObject *
_PySys_activate_stack_trampoline(PyObject *Py_UNUSED(module), PyObject *const *args,
                                 Py_ssize_t nargs, PyObject *kwnames)
{
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
    int lines = lines_argument(args + nargs, kwnames);      /* -1: error */
    const char *name;
    if (lines < 0 || !PyArg_Parse(args[0], "s", &name)
        || PySys_Audit("sys.activate_stack_trampoline", "O", args[0]) < 0) {
        return NULL;
    }
    Py_ssize_t index = find_backend(name);
    if (_PyPerf_BackendCount == 0) {
        PyErr_SetString(PyExc_ValueError, not_available);
        return NULL;
    }
    if (index < 0) {
        PyErr_Format(PyExc_ValueError, "invalid backend: %s", name);
        return NULL;
    }
    lines |= _PyPerf_Backends[index]->always_lines;
    PyInterpreterState *interp = _PyInterpreterState_GET();
    const _PyPerf_Backend *active = _PyPerf.backend;
    int is_same = active == _PyPerf_Backends[index] && lines == _PyPerf.lines;
    if (is_same && shows(interp)) {
        claim(interp);
        Py_RETURN_NONE;
    }
    if (active != NULL && !is_same && !_PyPerf_IsClaimed()) {
        _PyPerf_Deactivate(NULL);       /* a tool's: the program's wish counts more */
        active = NULL;
    }
    if (active != NULL && !is_same) {
        PyErr_Format(PyExc_ValueError, "can't activate %s%s: %s%s is active",
                     name, with_lines(lines), active->name, with_lines(_PyPerf.lines));
        return NULL;
    }
    int result = _PyPerf_Activate(interp, (size_t)index, lines);
    if (result < 0) {
        complain_activation(result, (size_t)index);
        return NULL;
    }
    claim(interp);
    Py_RETURN_NONE;
}

PyObject *
_PySys_deactivate_stack_trampoline(PyObject *Py_UNUSED(module),
                                   PyObject *Py_UNUSED(ignored))
{
    if (PySys_Audit("sys.deactivate_stack_trampoline", NULL) < 0) {
        return NULL;
    }
    _PyPerf_Deactivate(_PyInterpreterState_GET());
    Py_RETURN_NONE;
}

PyObject *
_PySys_is_stack_trampoline_active(PyObject *Py_UNUSED(module),
                                  PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(shows(_PyInterpreterState_GET()));
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

/* The backend that start-up asks for (a name, or NULL), and whether with lines. -X
   overrides the environment, separately for backends and lines. Lines mean `perf`, if
   neither -X nor the environment says anything about backends. */
static const char *
wanted_backend(const PyConfig *config, int *lines)
{
    static const struct {
        const wchar_t *option;
        const char *variable, *backend;
    } ways[] = {
        {L"perf", "PYTHONPERFSUPPORT", "perf"},
        {L"perf_jit", "PYTHON_PERF_JIT_SUPPORT", "perf_jit"},
        {L"perf_gdb", NULL, "perf_gdb"},
    };
    const char *wanted = NULL;
    int decided = 0;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ways); i++) {
        int on = option(config, ways[i].option);
        decided |= on >= 0;
        wanted = on > 0 ? ways[i].backend : wanted;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ways) && !decided; i++) {
        if (ways[i].variable != NULL && variable(config, ways[i].variable)) {
            wanted = ways[i].backend;
        }
    }
    *lines = option(config, L"perf_lines");
    if (*lines < 0) {
        *lines = variable(config, "PYTHON_PERF_LINES");
    }
    if (*lines && wanted == NULL && !decided) {
        wanted = "perf";
    }
    return wanted;
}

void
_PyPerf_Start(PyThreadState *tstate)
{
    _PyPerf_OpenMailbox(&tstate->interp->config);
    _PySampler_StartAsVariableSays();
    int lines;
    const char *wanted = wanted_backend(&tstate->interp->config, &lines);
    if (wanted == NULL || _PyPerf.backend != NULL) {
        return;
    }
    Py_ssize_t index = find_backend(wanted);
    if (index < 0) {
        fprintf(stderr, "%s: no Python functions are shown\n", not_available);
        return;
    }
    int result = _PyPerf_Activate(tstate->interp, (size_t)index, lines);
    if (result < 0) {
        fprintf(stderr, "%s: %s: no Python functions are shown\n",
                _PyPerf_RefusedBy(result, (size_t)index), strerror(errno));
    }
    else {
        claim(tstate->interp);
    }
}

void
_PyPerf_Fini(PyInterpreterState *interp)
{
    _PyPerf_Deactivate(interp);
    if (interp == NULL) {
        _PyPerf_CloseMailbox();
        _PySampler_TellMaps();
        /* A compiler may have opened it, even if our frames are not shown. */
        PyUnstable_PerfMapState_Fini();
    }
}

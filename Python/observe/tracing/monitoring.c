/* sys.monitoring (PEP 669): the tools of an interpreter, what each of them wants to hear of, and
   its callbacks. vm/monitored.c says how the events come about. */
#include "Python.h"
#include "internal/monitoring.h"
#include "internal/containers.h"
#include "internal/frame.h"
#include "internal/observe.h"
#include "internal/pystate.h"
#include "internal/tracing.h"
#include "internal/vm.h"

static const char *const event_names[] = {
#define X(name) #name,
    MONITOR_EVENTS(X)
#undef X
};

#define C_ENDS (MONITOR_BIT(MONITOR_C_RETURN) | MONITOR_BIT(MONITOR_C_RAISE))
#define CALLS (C_ENDS | MONITOR_BIT(MONITOR_CALL))

/* ---------------------------------------------------------- DISABLE, MISSING

   Two objects that are only themselves, of plain `object`. */
PyObject _PyMonitoring_Missing = {.ob_refcnt = 1, .ob_type = &PyBaseObject_Type};
static PyObject disable = {.ob_refcnt = 1, .ob_type = &PyBaseObject_Type};

/* ---------------------------------------------------------------- callbacks */

/* Calls one callback. Returns its result. */
static PyObject *
call(PyThreadState *ts, PyObject *callback, PyObject *const *args, size_t n)
{
    int observed = _PyObserve_IsWanted(ts);
    Py_INCREF(callback);
    if (observed) {
        PyThreadState_EnterTracing(ts);
    }
    else {
        ts->tracing++;
    }
    PyObject *result = PyObject_Vectorcall(callback, args, n, NULL);
    if (observed) {
        PyThreadState_LeaveTracing(ts);
    }
    else {
        ts->tracing--;
        if (_PyObserve_IsWanted(ts)) {
            _PyVM_ChooseTable(ts);      /* the callback has installed a tracer */
        }
    }
    Py_DECREF(callback);
    return result;
}

int
_PyMonitoring_Tell(PyThreadState *ts, PyVMFrame *f, int event, unsigned tools, PyObject *x,
                   PyObject *y, unsigned *disabled)
{
    _PyMonitors *monitors = ts->interp->monitors;
    PyObject *code = Py_NewRef((PyObject *)f->code), *offset = NULL;
    PyObject *args[4] = {code, x, y, NULL};
    int err = 0;
    if (event != MONITOR_LINE) {
        offset = PyLong_FromSsize_t(2 * (f->ip - f->code->code));
        if (offset == NULL) {
            Py_DECREF(code);
            return -1;
        }
        args[1] = offset;
        args[2] = x;
        args[3] = y;
    }
    size_t n = args[1] == NULL ? 1 : args[2] == NULL ? 2 : args[3] == NULL ? 3 : 4;
    for (int tool = 0; tool < MONITOR_TOOLS && err == 0; tool++) {
        PyObject *callback = monitors->callbacks[tool][event];
        if (!(tools & 1u << tool) || callback == NULL) {
            continue;
        }
        PyObject *result = call(ts, callback, args, n);
        if (result == NULL) {
            err = -1;
        }
        else if (result == &disable) {
            if (event < MONITOR_LOCAL) {
                *disabled |= 1u << tool;
            }
            else {
                /* Or it would be called, and fail, without end. */
                Py_CLEAR(monitors->callbacks[tool][event]);
                PyErr_Format(PyExc_ValueError, "Cannot disable %s events. Callback removed.",
                             event_names[event]);
                err = -1;
            }
        }
        Py_XDECREF(result);
    }
    Py_XDECREF(offset);
    Py_DECREF(code);
    return err;
}

/* -------------------------------------------------------------------- tools */

/* Returns NULL with MemoryError. */
static _PyMonitors *
get_monitors(void)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (interp->monitors == NULL) {
        interp->monitors = PyMem_RawCalloc(1, sizeof(_PyMonitors));
        if (interp->monitors == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        interp->monitors->version = 1;
        interp->monitors->restarted = 1;
    }
    return interp->monitors;
}

/* Checks an argument that is a tool's number. -1 with an exception. */
static int
as_tool(PyObject *arg)
{
    int tool = _PyLong_AsInt(arg);
    if (tool == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (tool < 0 || tool >= MONITOR_TOOLS) {
        PyErr_Format(PyExc_ValueError, "invalid tool %d (must be between 0 and 5)", tool);
        return -1;
    }
    return get_monitors() == NULL ? -1 : tool;
}

/* The same for a tool that has to be in use. */
static int
as_used_tool(PyObject *arg)
{
    int tool = as_tool(arg);
    if (tool >= 0 && get_monitors()->names[tool] == NULL) {
        PyErr_Format(PyExc_ValueError, "tool %d is not in use", tool);
        return -1;
    }
    return tool;
}

static PyObject *
use_tool_id(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("use_tool_id", nargs, 2, 2)) {
        return NULL;
    }
    int tool = as_tool(args[0]);
    if (tool < 0) {
        return NULL;
    }
    if (!PyUnicode_Check(args[1])) {
        PyErr_SetString(PyExc_ValueError, "tool name must be a str");
        return NULL;
    }
    _PyMonitors *monitors = get_monitors();
    if (monitors->names[tool] != NULL) {
        PyErr_Format(PyExc_ValueError, "tool %d is already in use", tool);
        return NULL;
    }
    monitors->names[tool] = Py_NewRef(args[1]);
    Py_RETURN_NONE;
}

static PyObject *
free_tool_id(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int tool = as_tool(arg);
    if (tool < 0) {
        return NULL;
    }
    Py_CLEAR(get_monitors()->names[tool]);
    Py_RETURN_NONE;
}

static PyObject *
get_tool(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int tool = as_tool(arg);
    if (tool < 0) {
        return NULL;
    }
    PyObject *name = get_monitors()->names[tool];
    return Py_NewRef(name != NULL ? name : Py_None);
}

static PyObject *
register_callback(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("register_callback", nargs, 3, 3)) {
        return NULL;
    }
    int tool = as_tool(args[0]);
    if (tool < 0) {
        return NULL;
    }
    int events = _PyLong_AsInt(args[1]);
    if (events == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (events <= 0 || (events & (events - 1)) != 0) {
        PyErr_SetString(PyExc_ValueError, "The callback can only be set for one event at a time");
        return NULL;
    }
    int event = __builtin_ctz((unsigned)events);
    if (event >= MONITOR_COUNT) {
        PyErr_Format(PyExc_ValueError, "invalid event %d", events);
        return NULL;
    }
    if (PySys_Audit("sys.monitoring.register_callback", "O", args[2]) < 0) {
        return NULL;
    }
    PyObject **callback = &get_monitors()->callbacks[tool][event];
    PyObject *old = *callback;
    *callback = args[2] == Py_None ? NULL : Py_NewRef(args[2]);
    return old != NULL ? old : Py_NewRef(Py_None);
}

/* ------------------------------------------------------------------- events */

/* Checks a set of events below this number. Those of calls into C belong to CALL, and are taken
   out. -1 with an exception. */
static int
as_events(PyObject *arg, int below, const char *kind)
{
    int events = _PyLong_AsInt(arg);
    if (events == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (events < 0 || events >= 1 << MONITOR_COUNT) {
        PyErr_Format(PyExc_ValueError, "invalid %sevent set 0x%x", kind, events);
        return -1;
    }
    if ((events & (int)C_ENDS) && (events & (int)CALLS) != (int)CALLS) {
        PyErr_SetString(PyExc_ValueError,
                        "cannot set C_RETURN or C_RAISE events independently");
        return -1;
    }
    events &= ~(int)C_ENDS;
    if (events >= 1 << below) {
        PyErr_Format(PyExc_ValueError, "invalid %sevent set 0x%x", kind, events);
        return -1;
    }
    return events;
}

static PyObject *
set_events(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("set_events", nargs, 2, 2)) {
        return NULL;
    }
    int tool = as_used_tool(args[0]);
    int events = tool < 0 ? -1 : as_events(args[1], MONITOR_C_RETURN, "");
    if (events < 0) {
        return NULL;
    }
    _PyMonitors *monitors = get_monitors();
    if (monitors->events[tool] != (uint32_t)events) {
        for (int event = 0; event < MONITOR_LOCAL; event++) {
            if ((uint32_t)events & ~monitors->events[tool] & MONITOR_BIT(event)) {
                monitors->since[tool][event] = _PyMonitors_Next(monitors);
            }
        }
        monitors->events[tool] = (uint32_t)events;
        _PyMonitor_Changed(_PyInterpreterState_GET());
    }
    Py_RETURN_NONE;
}

static PyObject *
get_events(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int tool = as_used_tool(arg);
    return tool < 0 ? NULL : PyLong_FromUnsignedLong(get_monitors()->events[tool]);
}

static int
check_code(PyObject *arg)
{
    if (!PyCode_Check(arg)) {
        PyErr_SetString(PyExc_TypeError, "code must be a code object");
        return -1;
    }
    return 0;
}

static PyObject *
set_local_events(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("set_local_events", nargs, 3, 3) || check_code(args[1]) < 0) {
        return NULL;
    }
    int tool = as_used_tool(args[0]);
    int events = tool < 0 ? -1 : as_events(args[2], MONITOR_LOCAL, "local ");
    if (events < 0
        || _PyMonitor_SetLocal(_PyInterpreterState_GET(), (PyVMCode *)args[1], tool,
                               (unsigned)events) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
get_local_events(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("get_local_events", nargs, 2, 2) || check_code(args[1]) < 0) {
        return NULL;
    }
    int tool = as_used_tool(args[0]);
    if (tool < 0) {
        return NULL;
    }
    const _PyCodeMonitor *m = ((PyVMCode *)args[1])->monitor;
    return PyLong_FromLong(m == NULL ? 0 : m->local[tool]);
}

static PyObject *
restart_events(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    if (get_monitors() == NULL) {
        return NULL;
    }
    _PyMonitor_Restart(_PyInterpreterState_GET());
    Py_RETURN_NONE;
}

/* For tests of tools: {name of an event: tools that have set it for all code, as bits}. */
static PyObject *
all_events(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    const _PyMonitors *monitors = get_monitors();
    PyObject *result = monitors == NULL ? NULL : PyDict_New();
    for (int event = 0; event < MONITOR_COUNT && result != NULL; event++) {
        long tools = 0;
        for (int tool = 0; tool < MONITOR_TOOLS; tool++) {
            tools |= monitors->events[tool] & MONITOR_BIT(event) ? 1L << tool : 0;
        }
        PyObject *bits = tools != 0 ? PyLong_FromLong(tools) : NULL;
        if (tools != 0
            && (bits == NULL || PyDict_SetItemString(result, event_names[event], bits) < 0)) {
            Py_CLEAR(result);
        }
        Py_XDECREF(bits);
    }
    return result;
}

/* ------------------------------------------------------------------- module */

#define FAST(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef monitoring_methods[] = {
    {"use_tool_id", FAST(use_tool_id), METH_FASTCALL,
     "use_tool_id($module, tool_id, name, /)\n--\n\n"
     "Takes a tool's number, which must be free."},
    {"free_tool_id", free_tool_id, METH_O,
     "free_tool_id($module, tool_id, /)\n--\n\n"
     "Gives a number back. Events and callbacks stay as they are."},
    {"get_tool", get_tool, METH_O,
     "get_tool($module, tool_id, /)\n--\n\nThe name of the tool with this number, or None."},
    {"register_callback", FAST(register_callback), METH_FASTCALL,
     "register_callback($module, tool_id, event, func, /)\n--\n\n"
     "Sets what is called for one event, or None. Returns what was set before."},
    {"set_events", FAST(set_events), METH_FASTCALL,
     "set_events($module, tool_id, event_set, /)\n--\n\nThe events wanted of all code."},
    {"get_events", get_events, METH_O,
     "get_events($module, tool_id, /)\n--\n\nThe events wanted of all code."},
    {"set_local_events", FAST(set_local_events), METH_FASTCALL,
     "set_local_events($module, tool_id, code, event_set, /)\n--\n\n"
     "The events wanted of one code object, besides those of all code."},
    {"get_local_events", FAST(get_local_events), METH_FASTCALL,
     "get_local_events($module, tool_id, code, /)\n--\n\n"
     "The events wanted of one code object, besides those of all code."},
    {"restart_events", restart_events, METH_NOARGS,
     "restart_events($module, /)\n--\n\nHas everything reported again that was disabled."},
    {"_all_events", all_events, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef monitoring_module = {
    PyModuleDef_HEAD_INIT, "sys.monitoring",
    "Events of running code for tools, which pay only for what they want to hear of.",
    -1, monitoring_methods, NULL, NULL, NULL, NULL
};

static PyObject *
new_events(void)
{
    PyObject *dict = PyDict_New();
    for (int event = -1; event < MONITOR_COUNT && dict != NULL; event++) {
        PyObject *bit = PyLong_FromLong(event < 0 ? 0 : 1L << event);
        if (bit == NULL
            || PyDict_SetItemString(dict, event < 0 ? "NO_EVENTS" : event_names[event], bit) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(bit);
    }
    PyObject *events = dict == NULL ? NULL : _PyNamespace_New(dict);
    Py_XDECREF(dict);
    return events;
}

PyObject *
_PySys_NewMonitoring(void)
{
    PyObject *module = PyModule_Create(&monitoring_module);
    PyObject *events = module == NULL ? NULL : new_events();
    if (events == NULL || PyModule_AddObjectRef(module, "events", events) < 0
        || PyModule_AddObjectRef(module, "DISABLE", &disable) < 0
        || PyModule_AddObjectRef(module, "MISSING", &_PyMonitoring_Missing) < 0
        || PyModule_AddIntConstant(module, "DEBUGGER_ID", 0) < 0
        || PyModule_AddIntConstant(module, "COVERAGE_ID", 1) < 0
        || PyModule_AddIntConstant(module, "PROFILER_ID", 2) < 0
        || PyModule_AddIntConstant(module, "OPTIMIZER_ID", 5) < 0) {
        Py_CLEAR(module);
    }
    Py_XDECREF(events);
    return module;
}

/* Audit hooks: PySys_Audit, PySys_AddAuditHook, sys.audit, sys.addaudithook.

   There are two lists: C hooks of the process (_PyRuntime.audit_hook_head), which may be
   added before start-up and are called without any lock, and Python hooks of the
   interpreter (interp->audit_hooks). If both are empty, an event costs two loads. */
#include "Python.h"
#include "internal/probes.h"
#include "internal/pystate.h"
#include "internal/errors.h"
#include "internal/names.h"

static int
run_c_hooks(const char *event, PyObject *args)
{
    for (_Py_AuditHookEntry *e = _PyRuntime.audit_hook_head; e != NULL; e = e->next) {
        if (e->hook(event, args, e->user_data) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Python hooks run untraced, unless a hook asks for tracing with __cantrace__. */
static int
run_python_hooks(PyThreadState *tstate, const char *event, PyObject *args)
{
    PyObject *name = PyUnicode_FromString(event);
    PyObject *it = name == NULL ? NULL : PyObject_GetIter(tstate->interp->audit_hooks);
    int rc = it == NULL ? -1 : 0;
    PyObject *hook;
    PyThreadState_EnterTracing(tstate);
    while (rc == 0 && (hook = PyIter_Next(it)) != NULL) {
        PyObject *can;
        int traced = _PyObject_LookupAttr(hook, _Py_NAME(dunder_cantrace), &can);
        if (traced > 0) {
            traced = PyObject_IsTrue(can);
            Py_DECREF(can);
        }
        if (traced < 0) {
            Py_DECREF(hook);
            rc = -1;
            break;
        }
        if (traced) {
            PyThreadState_LeaveTracing(tstate);
        }
        PyObject *r = PyObject_CallFunctionObjArgs(hook, name, args, NULL);
        if (traced) {
            PyThreadState_EnterTracing(tstate);
        }
        Py_DECREF(hook);
        rc = r == NULL ? -1 : 0;
        Py_XDECREF(r);
    }
    PyThreadState_LeaveTracing(tstate);
    if (rc == 0 && PyErr_Occurred()) {
        rc = -1;
    }
    Py_XDECREF(it);
    Py_XDECREF(name);
    return rc;
}

static int
audit_args(PyThreadState *tstate, const char *event, PyObject *args)
{
    if (PROBE_IS_ATTACHED(audit)) {
        _PyProbes_Audit(event, args);
    }
    if (run_c_hooks(event, args) < 0) {
        return -1;
    }
    if (tstate->interp->audit_hooks != NULL) {
        return run_python_hooks(tstate, event, args);
    }
    return 0;
}

static int
is_heard(PyThreadState *tstate)
{
    return _PyRuntime.audit_hook_head != NULL
           || (tstate != NULL
               && (tstate->interp->audit_hooks != NULL || PROBE_IS_ATTACHED(audit)));
}

static int
audit_va(PyThreadState *tstate, const char *event, const char *format, va_list va)
{
    if (!is_heard(tstate)) {
        return 0;
    }
    if (tstate == NULL) {       /* before start-up and after shut-down */
        return run_c_hooks(event, NULL);
    }
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    PyObject *args = format != NULL && format[0]
        ? _Py_VaBuildValue_SizeT(format, va) : PyTuple_New(0);
    if (args != NULL && !PyTuple_Check(args)) {
        Py_SETREF(args, PyTuple_Pack(1, args));
    }
    int rc = args == NULL ? -1 : audit_args(tstate, event, args);
    Py_XDECREF(args);
    if (rc == 0) {
        PyErr_Restore(type, value, tb);
    }
    else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(tb);
    }
    return rc;
}

int
PySys_Audit(const char *event, const char *format, ...)
{
    va_list va;
    va_start(va, format);
    int rc = audit_va(_PyThreadState_GET(), event, format, va);
    va_end(va);
    return rc;
}

int
_PySys_AuditTstate(PyThreadState *tstate, const char *event, const char *format, ...)
{
    va_list va;
    va_start(va, format);
    int rc = audit_va(tstate, event, format, va);
    va_end(va);
    return rc;
}

int
PySys_AddAuditHook(Py_AuditHookFunction hook, void *user_data)
{
    if (_PyThreadState_GET() != NULL) {
        if (PySys_Audit("sys.addaudithook", NULL) < 0) {
            if (PyErr_ExceptionMatches(PyExc_RuntimeError)) {
                PyErr_Clear();  /* an earlier hook vetoed the new one */
                return 0;
            }
            return -1;
        }
    }
    _Py_AuditHookEntry *entry = PyMem_RawMalloc(sizeof(*entry));
    if (entry == NULL) {
        if (_PyThreadState_GET() != NULL) {
            PyErr_NoMemory();
        }
        return -1;
    }
    *entry = (_Py_AuditHookEntry){NULL, hook, user_data};
    _Py_AuditHookEntry **end = &_PyRuntime.audit_hook_head;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = entry;
    return 0;
}

void
_PySys_ClearAuditHooks(void)
{
    PySys_Audit("cpython._PySys_ClearAuditHooks", NULL);
    _Py_AuditHookEntry *e = _PyRuntime.audit_hook_head;
    _PyRuntime.audit_hook_head = NULL;
    while (e != NULL) {
        _Py_AuditHookEntry *next = e->next;
        PyMem_RawFree(e);
        e = next;
    }
}

PyObject *
_PySys_audit(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (nargs == 0) {
        PyErr_SetString(PyExc_TypeError, "audit() missing 1 required positional argument: 'event'");
        return NULL;
    }
    if (!is_heard(tstate)) {
        Py_RETURN_NONE;
    }
    if (!PyUnicode_Check(args[0])) {
        return PyErr_Format(PyExc_TypeError, "expected str for argument 'event', not %.200s",
                            Py_TYPE(args[0])->tp_name);
    }
    const char *event = PyUnicode_AsUTF8(args[0]);
    PyObject *rest = event == NULL ? NULL : PyTuple_New(nargs - 1);
    if (rest == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 1; i < nargs; i++) {
        PyTuple_SET_ITEM(rest, i - 1, Py_NewRef(args[i]));
    }
    int rc = audit_args(tstate, event, rest);
    Py_DECREF(rest);
    if (rc < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
_PySys_addaudithook(PyObject *Py_UNUSED(module), PyObject *hook)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (PySys_Audit("sys.addaudithook", NULL) < 0) {
        if (PyErr_ExceptionMatches(PyExc_Exception)) {
            PyErr_Clear();      /* an earlier hook vetoed the new one */
            Py_RETURN_NONE;
        }
        return NULL;
    }
    if (interp->audit_hooks == NULL) {
        interp->audit_hooks = PyList_New(0);
        if (interp->audit_hooks == NULL) {
            return NULL;
        }
        PyObject_GC_UnTrack(interp->audit_hooks);   /* no program may get at it */
    }
    if (PyList_Append(interp->audit_hooks, hook) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

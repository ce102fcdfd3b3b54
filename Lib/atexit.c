/* The atexit module: functions to run when the interpreter ends, last registered
   first. The entries are in the interpreter's state, so that they run even if
   the module is gone. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/pystate.h"

static inline struct _Py_atexit_state *
get_state(void)
{
    return &_PyInterpreterState_GET()->atexit;
}

static void
drop_entry(struct _Py_atexit_entry *entry)
{
    struct _Py_atexit_entry old = *entry;
    memset(entry, 0, sizeof(*entry));
    Py_XDECREF(old.func);
    Py_XDECREF(old.args);
    Py_XDECREF(old.kwargs);
}

static void
drop_all(struct _Py_atexit_state *state)
{
    Py_ssize_t n = state->count;
    state->count = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        drop_entry(&state->entries[i]);
    }
}

static void
run_all(struct _Py_atexit_state *state)
{
    for (Py_ssize_t i = state->count - 1; i >= 0; i--) {
        /* A function may unregister others, or itself. */
        if (i >= state->count || state->entries[i].func == NULL) {
            continue;
        }
        struct _Py_atexit_entry *entry = &state->entries[i];
        PyObject *func = Py_NewRef(entry->func);
        PyObject *args = Py_NewRef(entry->args);
        PyObject *kwargs = Py_XNewRef(entry->kwargs);
        PyObject *result = PyObject_Call(func, args, kwargs);
        if (result == NULL) {
            _PyErr_WriteUnraisableMsg("in atexit callback", func);
        }
        Py_XDECREF(result);
        Py_DECREF(func);
        Py_DECREF(args);
        Py_XDECREF(kwargs);
    }
    drop_all(state);
}

void
_PyAtExit_Run(PyInterpreterState *interp)
{
    run_all(&interp->atexit);
}

PyDoc_STRVAR(register_doc,
"register(func, *args, **kwargs) -> func\n\n"
"Have func(*args, **kwargs) called at exit.");

static PyObject *
atexit_register(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    struct _Py_atexit_state *state = get_state();
    if (PyTuple_GET_SIZE(args) == 0) {
        PyErr_SetString(PyExc_TypeError,
                        "register() takes at least 1 argument (0 given)");
        return NULL;
    }
    PyObject *func = PyTuple_GET_ITEM(args, 0);
    if (!PyCallable_Check(func)) {
        PyErr_SetString(PyExc_TypeError,
                        "the first argument must be callable");
        return NULL;
    }
    if (state->count == state->allocated) {
        Py_ssize_t room = state->allocated == 0 ? 32 : state->allocated * 2;
        struct _Py_atexit_entry *more = PyMem_Realloc(
            state->entries, (size_t)room * sizeof(*more));
        if (more == NULL) {
            return PyErr_NoMemory();
        }
        state->entries = more;
        state->allocated = room;
    }
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    if (rest == NULL) {
        return NULL;
    }
    struct _Py_atexit_entry *entry = &state->entries[state->count++];
    entry->func = Py_NewRef(func);
    entry->args = rest;
    entry->kwargs = Py_XNewRef(kwargs);
    return Py_NewRef(func);
}

PyDoc_STRVAR(unregister_doc,
"unregister(func) -> None\n\nForget every registration that equals func.");

static PyObject *
atexit_unregister(PyObject *Py_UNUSED(module), PyObject *func)
{
    struct _Py_atexit_state *state = get_state();
    for (Py_ssize_t i = 0; i < state->count; i++) {
        PyObject *known = state->entries[i].func;
        if (known == NULL) {
            continue;
        }
        Py_INCREF(known);
        int same = PyObject_RichCompareBool(known, func, Py_EQ);
        Py_DECREF(known);
        if (same < 0) {
            return NULL;
        }
        if (same && i < state->count) {
            drop_entry(&state->entries[i]);
        }
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(clear_doc, "_clear() -> None\n\nForget all registrations.");

static PyObject *
atexit_clear(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    drop_all(get_state());
    Py_RETURN_NONE;
}

PyDoc_STRVAR(run_doc, "_run_exitfuncs() -> None\n\nRun what is registered.");

static PyObject *
atexit_run(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    run_all(get_state());
    Py_RETURN_NONE;
}

PyDoc_STRVAR(ncallbacks_doc,
"_ncallbacks() -> int\n\nReturn the number of registrations.");

static PyObject *
atexit_ncallbacks(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(get_state()->count);
}

static PyMethodDef atexit_methods[] = {
    {"register", VAR_KEYWORDS(atexit_register), register_doc},
    {"_clear", atexit_clear, METH_NOARGS, clear_doc},
    {"unregister", atexit_unregister, METH_O, unregister_doc},
    {"_run_exitfuncs", atexit_run, METH_NOARGS, run_doc},
    {"_ncallbacks", atexit_ncallbacks, METH_NOARGS, ncallbacks_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot atexit_slots[] = {
    {0, NULL},
};

static PyModuleDef atexit_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "atexit",
    .m_doc = PyDoc_STR("Functions to run when the interpreter ends:\n"
                       "register() and unregister()."),
    .m_size = 0,
    .m_methods = atexit_methods,
    .m_slots = atexit_slots,
};

MODULE_INIT(atexit)
{
    return PyModuleDef_Init(&atexit_module);
}

/* The _asyncio module: futures, tasks, and which loop and which task run. asyncio puts these in the
   place of its own, which do the same in Python. */
#include "asyncio_impl.h"
#include "internal/module_init.h"

AsyncioState _PyAsyncio_no_state = {
    .get_event_loop_policy = Py_None, .iscoroutine = Py_None, .future_repr = Py_None,
    .task_repr = Py_None, .task_get_stack = Py_None, .task_print_stack = Py_None,
    .cancelled_error = Py_None, .invalid_state_error = Py_None, .extract_stack = Py_None,
    .all_tasks = Py_None,
};

/* What the state takes from other modules. */
static const struct {
    const char *module, *name;
    size_t offset;
} imported[] = {
    {"asyncio.events", "get_event_loop_policy", offsetof(AsyncioState, get_event_loop_policy)},
    {"asyncio.coroutines", "iscoroutine", offsetof(AsyncioState, iscoroutine)},
    {"asyncio.base_futures", "_future_repr", offsetof(AsyncioState, future_repr)},
    {"asyncio.base_tasks", "_task_repr", offsetof(AsyncioState, task_repr)},
    {"asyncio.base_tasks", "_task_get_stack", offsetof(AsyncioState, task_get_stack)},
    {"asyncio.base_tasks", "_task_print_stack", offsetof(AsyncioState, task_print_stack)},
    {"asyncio.exceptions", "CancelledError", offsetof(AsyncioState, cancelled_error)},
    {"asyncio.exceptions", "InvalidStateError", offsetof(AsyncioState, invalid_state_error)},
    {"traceback", "extract_stack", offsetof(AsyncioState, extract_stack)},
};

static PyObject **
imported_place(AsyncioState *state, size_t i)
{
    return (PyObject **)((char *)state + imported[i].offset);
}

/* Destructors that run now may still use futures, and find None. */
static void
clear_state(void *of)
{
    AsyncioState *state = of;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(imported); i++) {
        Py_XSETREF(*imported_place(state, i), Py_NewRef(Py_None));
    }
    Py_XSETREF(state->all_tasks, Py_NewRef(Py_None));
    Py_CLEAR(state->current_tasks);
    struct _PyAsyncio_PlainLoop *plain = state->plain_loop;
    state->plain_loop = NULL;
    _PyAsyncio_FreePlainLoop(plain);
    Py_CLEAR(state->context_keyword);
}

/* Returns a new reference to module.name. */
static PyObject *
import_name(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *value = module == NULL ? NULL : PyObject_GetAttrString(module, name);
    Py_XDECREF(module);
    return value;
}

static PyObject *
new_weak_set(void)
{
    PyObject *type = import_name("weakref", "WeakSet");
    PyObject *set = type == NULL ? NULL : PyObject_CallNoArgs(type);
    Py_XDECREF(type);
    return set;
}

/* What asyncio's modules need while they are imported. A module that is imported once more has
   the same state. Until import_asyncio() there is None for what comes from them, so that whoever
   gets hold of our types before gets an exception. */
static AsyncioState *
make_state(void)
{
    AsyncioState *state = _PyAsyncio();
    if (_PyAsyncio_HasState() && state->all_tasks != NULL) {
        return state;
    }
    state = _PyModuleState_Need(MODULE_STATE_ASYNCIO, sizeof(*state), clear_state);
    if (state == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(imported); i++) {
        Py_XSETREF(*imported_place(state, i), Py_NewRef(Py_None));
    }
    Py_XSETREF(state->context_keyword, PyTuple_Pack(1, _Py_NAME(context)));
    Py_XSETREF(state->current_tasks, PyDict_New());
    if (state->plain_loop == NULL) {
        state->plain_loop = _PyAsyncio_NewPlainLoop();
    }
    if (state->context_keyword == NULL || state->current_tasks == NULL
        || state->plain_loop == NULL) {
        return NULL;
    }
    state->all_tasks = new_weak_set();
    return state->all_tasks == NULL ? NULL : state;
}

/* asyncio.futures imports this module, and finds its classes, also if it was imported first. */
static int
import_asyncio(AsyncioState *state)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(imported); i++) {
        PyObject *value = import_name(imported[i].module, imported[i].name);
        if (value == NULL) {
            return -1;
        }
        Py_SETREF(*imported_place(state, i), value);
    }
    return 0;
}

/* Steals the reference to the descriptor, which may be NULL. */
static int
set_default(PyObject *dict, PyObject *descriptor)
{
    if (descriptor == NULL) {
        return -1;
    }
    PyObject *found = PyDict_SetDefault(dict, PyDescr_NAME(descriptor), descriptor);
    Py_DECREF(descriptor);
    return found == NULL ? -1 : 0;
}

/* Gives Task its own descriptors of what Future defines: their names and messages tell the class.
   python3.11 has forgotten get_loop(). */
static int
list_inherited(PyTypeObject *type, PyTypeObject *base)
{
    for (PyMethodDef *def = base->tp_methods; def->ml_name != NULL; def++) {
        if (!(def->ml_flags & METH_CLASS) && strcmp(def->ml_name, "get_loop") != 0
            && set_default(type->tp_dict, PyDescr_NewMethod(type, def)) < 0) {
            return -1;
        }
    }
    for (PyGetSetDef *def = base->tp_getset; def->name != NULL; def++) {
        if (set_default(type->tp_dict, PyDescr_NewGetSet(type, def)) < 0) {
            return -1;
        }
    }
    PyType_Modified(type);
    return 0;
}

static int
ready_types(void)
{
    PyTypeObject *types[] = {
        &_PyFuture_Type, &_PyTask_Type, &_PyFutureIter_Type, &_PyTaskStep_Type,
    };
    _PyTask_Type.tp_base = &_PyFuture_Type;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (PyType_Ready(types[i]) < 0) {
            return -1;
        }
    }
    return list_inherited(&_PyTask_Type, &_PyFuture_Type);
}

static int
module_exec(PyObject *module)
{
    AsyncioState *state = make_state();
    if (state == NULL || ready_types() < 0 || _PyAsyncio_WatchForks() < 0
        || PyModule_AddType(module, &_PyFuture_Type) < 0
        || PyModule_AddType(module, &_PyTask_Type) < 0
        || PyModule_AddFunctions(module, _PyAsyncio_loop_functions) < 0
        || PyModule_AddFunctions(module, _PyAsyncio_task_functions) < 0
        || PyModule_AddObjectRef(module, "_all_tasks", state->all_tasks) < 0
        || PyModule_AddObjectRef(module, "_current_tasks", state->current_tasks) < 0) {
        return -1;
    }
    return import_asyncio(state);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

static struct PyModuleDef asyncio_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_asyncio",
    .m_doc = "Accelerator module for asyncio",
    .m_slots = module_slots,
};

MODULE_INIT(_asyncio)
{
    return PyModuleDef_Init(&asyncio_module);
}

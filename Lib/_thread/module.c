/* The _thread module: starting threads, and what threading.py builds on. */
#include "thread_module.h"
#include "internal/errors.h"
#include "internal/module_init.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/signals.h"

#include <stddef.h>

static PyModuleDef thread_module;

static thread_module_state *
state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

thread_module_state *
_PyThread_StateOfType(PyTypeObject *type)
{
    PyObject *module = PyType_GetModuleByDef(type, &thread_module);
    return module == NULL ? NULL : PyModule_GetState(module);
}

/* -------------------------------------------------------- starting a thread */

struct boot {
    PyThreadState *tstate;
    PyObject *func, *args, *kwargs;     /* owned; kwargs may be NULL */
};

static void
free_boot(struct boot *boot)
{
    Py_DECREF(boot->func);
    Py_DECREF(boot->args);
    Py_XDECREF(boot->kwargs);
    PyMem_RawFree(boot);
}

static void
thread_main(void *arg)
{
    struct boot *boot = arg;
    PyThreadState *tstate = boot->tstate;
    PyInterpreterState *interp = tstate->interp;
    _PyThreadState_SetCurrent(tstate);
    _PyThreadState_Attach(tstate);
    interp->threads_count++;

    PyObject *result = PyObject_Call(boot->func, boot->args, boot->kwargs);
    if (result != NULL) {
        Py_DECREF(result);
    }
    else if (_PyErr_ExceptionMatches(tstate, PyExc_SystemExit)) {
        /* SystemExit ends its thread silently. */
        _PyErr_Clear(tstate);
    }
    else {
        _PyErr_WriteUnraisableMsg("in thread started by", boot->func);
    }
    free_boot(boot);
    interp->threads_count--;
    PyThreadState_Clear(tstate);
    _PyThreadState_DeleteCurrent(tstate);
}

PyDoc_STRVAR(start_new_thread_doc,
"start_new_thread(function, args[, kwargs])\n\n"
"Run function(*args, **kwargs) in a new thread and return its identifier.");

static PyObject *
thread_start_new_thread(PyObject *Py_UNUSED(module), PyObject *all_args)
{
    PyObject *func, *args, *kwargs = NULL;
    if (!PyArg_UnpackTuple(all_args, "start_new_thread", 2, 3, &func, &args,
                           &kwargs)) {
        return NULL;
    }
    if (!PyCallable_Check(func)) {
        PyErr_SetString(PyExc_TypeError, "first arg must be callable");
        return NULL;
    }
    if (!PyTuple_Check(args)) {
        PyErr_SetString(PyExc_TypeError, "2nd arg must be a tuple");
        return NULL;
    }
    if (kwargs != NULL && !PyDict_Check(kwargs)) {
        PyErr_SetString(PyExc_TypeError,
                        "optional 3rd arg must be a dictionary");
        return NULL;
    }
    if (_PyInterpreterState_Forbids(_PyInterpreterState_GET(), "thread is")) {
        return NULL;
    }
    if (PySys_Audit("_thread.start_new_thread", "OOO", func, args,
                    kwargs != NULL ? kwargs : Py_None) < 0) {
        return NULL;
    }
    struct boot *boot = PyMem_RawMalloc(sizeof(*boot));
    if (boot == NULL) {
        return PyErr_NoMemory();
    }
    boot->tstate = _PyThreadState_Prealloc(_PyInterpreterState_GET());
    if (boot->tstate == NULL) {
        PyMem_RawFree(boot);
        return PyErr_NoMemory();
    }
    boot->func = Py_NewRef(func);
    boot->args = Py_NewRef(args);
    boot->kwargs = Py_XNewRef(kwargs);
    PyThreadState *new_tstate = boot->tstate;
    unsigned long ident = PyThread_start_new_thread(thread_main, boot);
    if (ident == PYTHREAD_INVALID_THREAD_ID) {
        PyErr_SetString(PyExc_RuntimeError, "can't start new thread");
        PyThreadState_Clear(new_tstate);
        PyThreadState_Delete(new_tstate);
        free_boot(boot);
        return NULL;
    }
    return PyLong_FromUnsignedLong(ident);
}

PyDoc_STRVAR(exit_doc, "exit()\n\nRaise SystemExit: end this thread.");

static PyObject *
thread_exit(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyErr_SetNone(PyExc_SystemExit);
    return NULL;
}

PyDoc_STRVAR(interrupt_main_doc,
"interrupt_main(signum=signal.SIGINT, /)\n\n"
"Act as if the signal had arrived, for the main thread to handle.");

static PyObject *
thread_interrupt_main(PyObject *Py_UNUSED(module), PyObject *args)
{
    int signum = SIGINT;
    if (!PyArg_ParseTuple(args, "|i:signum", &signum)) {
        return NULL;
    }
    if (PyErr_SetInterruptEx(signum) < 0) {
        PyErr_SetString(PyExc_ValueError, "signal number out of range");
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(allocate_lock_doc, "allocate_lock() -> lock\n\nMake a lock.");

static PyObject *
thread_allocate_lock(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    return _PyThread_NewLock(state_of(module)->lock_type);
}

PyDoc_STRVAR(get_ident_doc,
"get_ident() -> integer\n\n"
"Return a number that no other living thread has.");

static PyObject *
thread_get_ident(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromUnsignedLong(PyThread_get_thread_ident());
}

PyDoc_STRVAR(get_native_id_doc,
"get_native_id() -> integer\n\n"
"Return the number by which the system knows this thread.");

static PyObject *
thread_get_native_id(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromUnsignedLong(PyThread_get_thread_native_id());
}

PyDoc_STRVAR(count_doc,
"_count() -> integer\n\nReturn the number of threads that were started here.");

static PyObject *
thread_count(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_PyInterpreterState_GET()->threads_count);
}

/* ----------------------------------------------------------- end of threads */

PyDoc_STRVAR(set_sentinel_doc,
"_set_sentinel() -> lock\n\n"
"Make a lock that is released when this thread's state is deleted.");

static PyObject *
thread_set_sentinel(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (tstate->on_delete_data != NULL) {
        /* Only in a child of fork: nobody uses the old lock any more. */
        PyObject *old = tstate->on_delete_data;
        tstate->on_delete = NULL;
        tstate->on_delete_data = NULL;
        Py_DECREF(old);
    }
    PyObject *lock = thread_allocate_lock(module, NULL);
    if (lock == NULL) {
        return NULL;
    }
    PyObject *ref = PyWeakref_NewRef(lock, NULL);
    if (ref == NULL) {
        Py_DECREF(lock);
        return NULL;
    }
    tstate->on_delete_data = ref;
    tstate->on_delete = _PyThread_ReleaseSentinel;
    return lock;
}

PyDoc_STRVAR(stack_size_doc,
"stack_size([size]) -> size\n\n"
"Return the stack size of new threads (0: the system's default), and set it.");

static PyObject *
thread_stack_size(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_ssize_t size = 0;
    if (!PyArg_ParseTuple(args, "|n:stack_size", &size)) {
        return NULL;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "size must be 0 or a positive value");
        return NULL;
    }
    size_t old = PyThread_get_stacksize();
    if (PyThread_set_stacksize((size_t)size) < 0) {
        return PyErr_Format(PyExc_ValueError, "size not valid: %zd bytes",
                            size);
    }
    return PyLong_FromSize_t(old);
}

/* ------------------------------------------------------ uncaught exceptions */

static PyStructSequence_Field excepthook_fields[] = {
    {"exc_type", "Exception type"},
    {"exc_value", "Exception value"},
    {"exc_traceback", "Exception traceback"},
    {"thread", "Thread"},
    {NULL, NULL},
};

static PyStructSequence_Desc excepthook_desc = {
    .name = "_thread._ExceptHookArgs",
    .doc = "ExceptHookArgs\n\nType used to pass arguments to "
           "threading.excepthook.",
    .fields = excepthook_fields,
    .n_in_sequence = 4,
};

static int
write_thread_name(PyObject *file, PyObject *thread)
{
    PyObject *name = NULL;
    if (thread != Py_None
        && _PyObject_LookupAttr(thread, _Py_NAME(name), &name) < 0) {
        return -1;
    }
    int status;
    if (name != NULL) {
        status = PyFile_WriteObject(name, file, Py_PRINT_RAW);
        Py_DECREF(name);
        if (status == 0) {
            return 0;
        }
        PyErr_Clear();
        return PyFile_WriteString("<failed to get thread name>", file);
    }
    PyObject *ident = PyLong_FromUnsignedLong(PyThread_get_thread_ident());
    if (ident == NULL) {
        return -1;
    }
    status = PyFile_WriteObject(ident, file, Py_PRINT_RAW);
    Py_DECREF(ident);
    return status;
}

static int
write_uncaught(PyObject *file, PyObject *type, PyObject *value,
               PyObject *traceback, PyObject *thread)
{
    if (PyFile_WriteString("Exception in thread ", file) < 0
        || write_thread_name(file, thread) < 0
        || PyFile_WriteString(":\n", file) < 0) {
        return -1;
    }
    _PyErr_DisplayTo(file, type, value, traceback);
    PyObject *result = PyObject_CallMethodNoArgs(file, _Py_NAME(flush));
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* Where to write: sys.stderr, or the copy that the thread has saved. Returns a new
   reference; NULL without an exception if there is neither. */
static PyObject *
uncaught_file(PyObject *thread)
{
    PyObject *file = PySys_GetObject("stderr");
    if (file != NULL && file != Py_None) {
        return Py_NewRef(file);
    }
    if (thread == Py_None) {
        return NULL;
    }
    file = PyObject_GetAttrString(thread, "_stderr");
    if (file == Py_None) {
        Py_CLEAR(file);
    }
    return file;
}

PyDoc_STRVAR(excepthook_doc,
"excepthook(exc_type, exc_value, exc_traceback, thread)\n\n"
"Show what threading.Thread.run() did not catch.");

static PyObject *
thread_excepthook(PyObject *module, PyObject *args)
{
    thread_module_state *state = state_of(module);
    if (!Py_IS_TYPE(args, state->excepthook_args_type)) {
        PyErr_SetString(PyExc_TypeError, "_thread.excepthook argument type "
                                         "must be ExceptHookArgs");
        return NULL;
    }
    PyObject *type = PyStructSequence_GET_ITEM(args, 0);
    PyObject *value = PyStructSequence_GET_ITEM(args, 1);
    PyObject *traceback = PyStructSequence_GET_ITEM(args, 2);
    PyObject *thread = PyStructSequence_GET_ITEM(args, 3);
    if (type == PyExc_SystemExit) {
        Py_RETURN_NONE;
    }
    PyObject *file = uncaught_file(thread);
    if (file == NULL) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        Py_RETURN_NONE;
    }
    int status = write_uncaught(file, type, value, traceback, thread);
    Py_DECREF(file);
    if (status < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* --------------------------------------------------------------- the module */

static PyMethodDef thread_methods[] = {
    {"start_new_thread", thread_start_new_thread, METH_VARARGS,
     start_new_thread_doc},
    {"start_new", thread_start_new_thread, METH_VARARGS,
     start_new_thread_doc},
    {"allocate_lock", thread_allocate_lock, METH_NOARGS, allocate_lock_doc},
    {"allocate", thread_allocate_lock, METH_NOARGS, allocate_lock_doc},
    {"exit_thread", thread_exit, METH_NOARGS, exit_doc},
    {"exit", thread_exit, METH_NOARGS, exit_doc},
    {"interrupt_main", thread_interrupt_main, METH_VARARGS,
     interrupt_main_doc},
    {"get_ident", thread_get_ident, METH_NOARGS, get_ident_doc},
    {"get_native_id", thread_get_native_id, METH_NOARGS, get_native_id_doc},
    {"_count", thread_count, METH_NOARGS, count_doc},
    {"stack_size", thread_stack_size, METH_VARARGS, stack_size_doc},
    {"_set_sentinel", thread_set_sentinel, METH_NOARGS, set_sentinel_doc},
    {"_excepthook", thread_excepthook, METH_O, excepthook_doc},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject *
make_type(PyObject *module, PyType_Spec *spec)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
}

static int
thread_exec(PyObject *module)
{
    thread_module_state *state = state_of(module);
    state->lock_type = make_type(module, &_PyThread_lock_spec);
    state->rlock_type = make_type(module, &_PyThread_rlock_spec);
    state->local_guard_type = make_type(module, &_PyThread_local_guard_spec);
    state->local_type = make_type(module, &_PyThread_local_spec);
    state->excepthook_args_type = PyStructSequence_NewType(&excepthook_desc);
    if (state->lock_type == NULL || state->rlock_type == NULL
        || state->local_guard_type == NULL || state->local_type == NULL
        || state->excepthook_args_type == NULL) {
        return -1;
    }
    /* The largest timeout in whole seconds, as a double. */
    double timeout_max = floor((double)_PyTime_MAX / 1e9);
    PyObject *max = PyFloat_FromDouble(timeout_max);
    int failed = max == NULL
        || PyModule_AddObjectRef(module, "TIMEOUT_MAX", max) < 0;
    Py_XDECREF(max);
    if (failed
        || PyModule_AddObjectRef(module, "LockType",
                                 (PyObject *)state->lock_type) < 0
        || PyModule_AddType(module, state->rlock_type) < 0
        || PyModule_AddType(module, state->local_type) < 0
        || PyModule_AddType(module, state->excepthook_args_type) < 0
        || PyModule_AddObjectRef(module, "error", PyExc_RuntimeError) < 0) {
        return -1;
    }
    return 0;
}

static int
thread_traverse(PyObject *module, visitproc visit, void *arg)
{
    thread_module_state *state = state_of(module);
    Py_VISIT(state->lock_type);
    Py_VISIT(state->rlock_type);
    Py_VISIT(state->local_type);
    Py_VISIT(state->local_guard_type);
    Py_VISIT(state->excepthook_args_type);
    return 0;
}

static int
thread_clear(PyObject *module)
{
    thread_module_state *state = state_of(module);
    Py_CLEAR(state->lock_type);
    Py_CLEAR(state->rlock_type);
    Py_CLEAR(state->local_type);
    Py_CLEAR(state->local_guard_type);
    Py_CLEAR(state->excepthook_args_type);
    return 0;
}

static void
thread_free(void *module)
{
    thread_clear(module);
}

static PyModuleDef_Slot thread_slots[] = {
    {Py_mod_exec, thread_exec},
    {0, NULL},
};

static PyModuleDef thread_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_thread",
    .m_doc = PyDoc_STR("The primitives of threads: starting them, and locks.\n"
                       "threading is the module to use."),
    .m_size = sizeof(thread_module_state),
    .m_methods = thread_methods,
    .m_slots = thread_slots,
    .m_traverse = thread_traverse,
    .m_clear = thread_clear,
    .m_free = thread_free,
};

MODULE_INIT(_thread)
{
    return PyModuleDef_Init(&thread_module);
}

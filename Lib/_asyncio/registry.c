/* Which tasks there are, and which one runs in each loop. Both containers are seen, and may be
   changed, by Python code: asyncio.all_tasks() and asyncio.current_task() read them. */
#include "asyncio_impl.h"
#include "internal/dict.h"
#include "internal/getargs.h"
#include "internal/method_table.h"

/* -1 with an exception, also when the interpreter ends. */
static Py_hash_t
hash_of_loop(PyObject *loop)
{
    if (_PyAsyncio()->current_tasks == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "no task can run any more");
        return -1;
    }
    return Py_TYPE(loop)->tp_hash == (hashfunc)_Py_HashPointer ? _Py_HashPointer(loop)
                                                                : PyObject_Hash(loop);
}

/* Returns a new reference to the task that runs in the loop, or NULL, with an exception if looking
   failed. */
static PyObject *
running_task(PyObject *loop, Py_hash_t hash)
{
    PyObject *dict = _PyAsyncio()->current_tasks, **at;
    int found = _PyDict_FindHashed((PyDictObject *)dict, loop, hash, &at);
    return found == 0 ? NULL
        : Py_XNewRef(found > 0 ? *at : _PyDict_GetItem_KnownHash(dict, loop, hash));
}

int
_PyAsyncio_Enter(PyObject *loop, PyObject *task)
{
    Py_hash_t hash = hash_of_loop(loop);
    if (hash == -1) {
        return -1;
    }
    PyObject *running = running_task(loop, hash);
    if (running != NULL) {
        PyErr_Format(PyExc_RuntimeError, "Cannot enter into task %R while another task %R is "
                     "being executed.", task, running);
        Py_DECREF(running);
        return -1;
    }
    return PyErr_Occurred() ? -1
        : _PyDict_SetItem_KnownHash(_PyAsyncio()->current_tasks, loop, task, hash);
}

int
_PyAsyncio_Leave(PyObject *loop, PyObject *task)
{
    Py_hash_t hash = hash_of_loop(loop);
    if (hash == -1) {
        return -1;
    }
    PyObject *running = running_task(loop, hash);
    if (running == NULL && PyErr_Occurred()) {
        return -1;
    }
    if (running != task) {
        PyErr_Format(PyExc_RuntimeError, "Leaving task %R does not match the current task %R.",
                     task, running == NULL ? Py_None : running);
        Py_XDECREF(running);
        return -1;
    }
    Py_DECREF(running);
    return _PyDict_DelItem_KnownHash(_PyAsyncio()->current_tasks, loop, hash);
}

static int
call_all_tasks(PyObject *method, PyObject *task)
{
    PyObject *result = PyObject_CallMethodOneArg(_PyAsyncio()->all_tasks, method, task);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int
_PyAsyncio_Register(PyObject *task)
{
    return call_all_tasks(_Py_NAME(add), task);
}

/* ------------------------------------------------------------------ functions */

static PyObject *
none_or_error(int result)
{
    return result < 0 ? NULL : Py_NewRef(Py_None);
}

static const char *const task_keyword[] = {"task", NULL};
static const char *const loop_task_keywords[] = {"loop", "task", NULL};

static PyObject *
register_task(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    static _PyArg_Parser parser = {.keywords = task_keyword, .fname = "_register_task"};
    PyObject *given[1];
    return _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 1, 0, given) == NULL ? NULL
        : none_or_error(_PyAsyncio_Register(given[0]));
}

static PyObject *
unregister_task(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static _PyArg_Parser parser = {.keywords = task_keyword, .fname = "_unregister_task"};
    PyObject *given[1];
    return _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 1, 0, given) == NULL ? NULL
        : none_or_error(call_all_tasks(_Py_NAME(discard), given[0]));
}

static PyObject *
enter_task(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
           PyObject *kwnames)
{
    static _PyArg_Parser parser = {.keywords = loop_task_keywords, .fname = "_enter_task"};
    PyObject *given[2];
    return _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 2, 2, 0, given) == NULL ? NULL
        : none_or_error(_PyAsyncio_Enter(given[0], given[1]));
}

static PyObject *
leave_task(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
           PyObject *kwnames)
{
    static _PyArg_Parser parser = {.keywords = loop_task_keywords, .fname = "_leave_task"};
    PyObject *given[2];
    return _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 2, 2, 0, given) == NULL ? NULL
        : none_or_error(_PyAsyncio_Leave(given[0], given[1]));
}

PyMethodDef _PyAsyncio_task_functions[] = {
    {"_register_task", FAST_KEYWORDS(register_task),
     "_register_task($module, /, task)\n--\n\nHave all_tasks() know the task."},
    {"_unregister_task", FAST_KEYWORDS(unregister_task),
     "_unregister_task($module, /, task)\n--\n\nHave all_tasks() forget the task."},
    {"_enter_task", FAST_KEYWORDS(enter_task),
     "_enter_task($module, /, loop, task)\n--\n\n"
     "Make the task the one that runs in the loop."},
    {"_leave_task", FAST_KEYWORDS(leave_task),
     "_leave_task($module, /, loop, task)\n--\n\n"
     "Let the loop run no task, after this one."},
    {NULL, NULL, 0, NULL}
};

/* The gc module: shows and controls Python/core/memory/gc.c. */
#include "Python.h"
#include "internal/gcstate.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/pystate.h"

PyDoc_STRVAR(enable_doc,
"enable($module, /)\n--\n\nTurn automatic collection on.");

static PyObject *
gc_enable(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyGC_Enable();
    Py_RETURN_NONE;
}

PyDoc_STRVAR(disable_doc,
"disable($module, /)\n--\n\nTurn automatic collection off.");

static PyObject *
gc_disable(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyGC_Disable();
    Py_RETURN_NONE;
}

PyDoc_STRVAR(isenabled_doc,
"isenabled($module, /)\n--\n\nTell whether automatic collection is on.");

static PyObject *
gc_isenabled(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(PyGC_IsEnabled());
}

PyDoc_STRVAR(collect_doc,
"collect($module, /, generation=2)\n--\n\n"
"Collect a generation and the younger ones now.\n\n"
"Returns the number of objects found unreachable.");

static PyObject *
gc_collect(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
           PyObject *kwnames)
{
    static const char *const keywords[] = {"generation", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "collect", 0};
    int generation = _PyGC_GENERATIONS - 1;
    PyObject *slots[1];
    PyObject *const *given = _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 0, 1, 0, slots);
    if (given == NULL) {
        return NULL;
    }
    if (given[0] != NULL) {
        generation = _PyLong_AsInt(given[0]);
        if (generation == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (generation < 0 || generation >= _PyGC_GENERATIONS) {
        PyErr_SetString(PyExc_ValueError, "invalid generation");
        return NULL;
    }
    return PyLong_FromSsize_t(
        _PyGC_CollectGeneration(_PyThreadState_GET(), generation));
}

PyDoc_STRVAR(set_debug_doc,
"set_debug($module, flags, /)\n--\n\n"
"Choose what the collector reports on stderr: a sum of the DEBUG_* flags.");

static PyObject *
gc_set_debug(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int flags = _PyLong_AsInt(arg);
    if (flags == -1 && PyErr_Occurred()) {
        return NULL;
    }
    _PyGC.debug = flags;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(get_debug_doc,
"get_debug($module, /)\n--\n\nReturn the debug flags.");

static PyObject *
gc_get_debug(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_PyGC.debug);
}

PyDoc_STRVAR(set_threshold_doc,
"set_threshold(threshold0, [threshold1, threshold2]) -> None\n\n"
"Set when generations are collected; 0 first turns collection off.");

static PyObject *
gc_set_threshold(PyObject *Py_UNUSED(module), PyObject *args)
{
    int *t = _PyGC.thresholds;
    int values[3] = {t[0], t[1], t[2]};
    if (!PyArg_ParseTuple(args, "i|ii:set_threshold",
                          &values[0], &values[1], &values[2])) {
        return NULL;
    }
    memcpy(t, values, sizeof(values));
    _PyGC_UpdateTrigger();
    Py_RETURN_NONE;
}

PyDoc_STRVAR(get_threshold_doc,
"get_threshold($module, /)\n--\n\nReturn the three thresholds.");

static PyObject *
gc_get_threshold(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(iii)", _PyGC.thresholds[0], _PyGC.thresholds[1],
                         _PyGC.thresholds[2]);
}

PyDoc_STRVAR(get_count_doc,
"get_count($module, /)\n--\n\nReturn the three counts that thresholds bound.");

static PyObject *
gc_get_count(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(iii)", _PyGC_young_count, _PyGC.older_counts[1],
                         _PyGC.older_counts[2]);
}

/* ------------------------------------------------------ what refers to what */

static int
visit_is_one_of(PyObject *op, void *targets)
{
    Py_ssize_t n = PyTuple_GET_SIZE(targets);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyTuple_GET_ITEM(targets, i) == op) {
            return 1;
        }
    }
    return 0;
}

PyDoc_STRVAR(get_referrers_doc,
"get_referrers(*objs) -> list\n\n"
"Return the tracked objects that refer directly to any of objs.");

static PyObject *
gc_get_referrers(PyObject *Py_UNUSED(module), PyObject *args)
{
    if (PySys_Audit("gc.get_referrers", "(O)", args) < 0) {
        return NULL;
    }
    PyObject *result = PyList_New(0);
    if (result == NULL) {
        return NULL;
    }
    _PyGC_ForgetAlive();
    for (int i = 0; i < _PyGC_GENERATIONS; i++) {
        PyGC_Head *list = &_PyGC.heads[i];
        for (PyGC_Head *h = (PyGC_Head *)list->next; h != list;
             h = (PyGC_Head *)h->next) {
            PyObject *op = _Py_FROM_GC(h);
            if (op == args || op == result
                || !Py_TYPE(op)->tp_traverse(op, visit_is_one_of, args)) {
                continue;
            }
            if (PyList_Append(result, op) < 0) {
                Py_DECREF(result);
                return NULL;
            }
        }
    }
    return result;
}

static int
visit_append(PyObject *op, void *list)
{
    return PyList_Append(list, op) < 0;
}

PyDoc_STRVAR(get_referents_doc,
"get_referents(*objs) -> list\n\n"
"Return what objs refer to directly, as their tp_traverse tells it.");

static PyObject *
gc_get_referents(PyObject *Py_UNUSED(module), PyObject *args)
{
    if (PySys_Audit("gc.get_referents", "(O)", args) < 0) {
        return NULL;
    }
    PyObject *result = PyList_New(0);
    if (result == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++) {
        PyObject *op = PyTuple_GET_ITEM(args, i);
        traverseproc traverse = Py_TYPE(op)->tp_traverse;
        if (!_PyObject_IS_GC(op) || traverse == NULL) {
            continue;
        }
        if (traverse(op, visit_append, result)) {
            Py_DECREF(result);
            return NULL;
        }
    }
    return result;
}

static int
append_list(PyObject *result, PyGC_Head *list)
{
    for (PyGC_Head *h = (PyGC_Head *)list->next; h != list;
         h = (PyGC_Head *)h->next) {
        PyObject *op = _Py_FROM_GC(h);
        if (op != result && PyList_Append(result, op) < 0) {
            return -1;
        }
    }
    return 0;
}

PyDoc_STRVAR(get_objects_doc,
"get_objects($module, /, generation=None)\n--\n\n"
"Return the tracked objects, of one generation or of all.");

static PyObject *
gc_get_objects(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"generation", NULL};
    PyObject *arg = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:get_objects", keywords,
                                     &arg)) {
        return NULL;
    }
    Py_ssize_t generation = -1;
    if (arg != Py_None) {
        if (!PyIndex_Check(arg)) {
            PyErr_Format(PyExc_TypeError, "argument should be integer or None, "
                         "not '%.200s'", Py_TYPE(arg)->tp_name);
            return NULL;
        }
        generation = PyNumber_AsSsize_t(arg, PyExc_OverflowError);
        if (generation == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (PySys_Audit("gc.get_objects", "n", generation) < 0) {
        return NULL;
    }
    if (generation >= _PyGC_GENERATIONS) {
        return PyErr_Format(PyExc_ValueError, "generation parameter must be "
                            "less than the number of available generations "
                            "(%i)", _PyGC_GENERATIONS);
    }
    if (generation < -1) {        /* -1 stands for None, here too */
        PyErr_SetString(PyExc_ValueError,
                        "generation parameter cannot be negative");
        return NULL;
    }
    PyObject *result = PyList_New(0);
    if (result == NULL) {
        return NULL;
    }
    _PyGC_ForgetAlive();
    for (int i = 0; i < _PyGC_GENERATIONS; i++) {
        if ((generation == -1 || i == generation)
            && append_list(result, &_PyGC.heads[i]) < 0) {
            Py_DECREF(result);
            return NULL;
        }
    }
    return result;
}

PyDoc_STRVAR(get_stats_doc,
"get_stats($module, /)\n--\n\nReturn a list of dicts, one per generation.");

static PyObject *
gc_get_stats(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    /* Building the result may itself start a collection. */
    struct _PyGC_Stats stats[_PyGC_GENERATIONS];
    memcpy(stats, _PyGC.stats, sizeof(stats));
    PyObject *result = PyList_New(0);
    if (result == NULL) {
        return NULL;
    }
    for (int i = 0; i < _PyGC_GENERATIONS; i++) {
        PyObject *dict = Py_BuildValue("{snsnsn}",
                                       "collections", stats[i].collections,
                                       "collected", stats[i].collected,
                                       "uncollectable", stats[i].uncollectable);
        if (dict == NULL || PyList_Append(result, dict) < 0) {
            Py_XDECREF(dict);
            Py_DECREF(result);
            return NULL;
        }
        Py_DECREF(dict);
    }
    return result;
}

PyDoc_STRVAR(is_tracked_doc,
"is_tracked($module, obj, /)\n--\n\nTell whether the collector tracks obj.");

static PyObject *
gc_is_tracked(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyBool_FromLong(PyObject_GC_IsTracked(op));
}

PyDoc_STRVAR(is_finalized_doc,
"is_finalized($module, obj, /)\n--\n\nTell whether obj's finalizer has run.");

static PyObject *
gc_is_finalized(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyBool_FromLong(PyObject_GC_IsFinalized(op));
}

PyDoc_STRVAR(freeze_doc,
"freeze($module, /)\n--\n\n"
"Set all tracked objects aside: later collections ignore them.");

static PyObject *
gc_freeze(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    _PyGC_ForgetAlive();
    for (int i = 0; i < _PyGC_GENERATIONS; i++) {
        _PyGC_ListMerge(&_PyGC.heads[i], &_PyGC.permanent);
        _PyGC.older_counts[i] = 0;
    }
    _PyGC_young_count = 0;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(unfreeze_doc,
"unfreeze($module, /)\n--\n\nPut frozen objects into the oldest generation.");

static PyObject *
gc_unfreeze(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    _PyGC_ListMerge(&_PyGC.permanent, &_PyGC.heads[_PyGC_GENERATIONS - 1]);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(get_freeze_count_doc,
"get_freeze_count($module, /)\n--\n\nReturn the number of frozen objects.");

static PyObject *
gc_get_freeze_count(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(_PyGC_ListSize(&_PyGC.permanent));
}

PyDoc_STRVAR(module_doc,
"Control of the cycle collector.\n\n"
"enable() -- turn automatic collection on\n"
"disable() -- turn it off\n"
"isenabled() -- tell whether it is on\n"
"collect() -- collect now\n"
"get_count(), get_stats(), get_threshold(), set_threshold()\n"
"get_debug(), set_debug()\n"
"get_objects(), get_referrers(), get_referents()\n"
"is_tracked(), is_finalized()\n"
"freeze(), unfreeze(), get_freeze_count()\n");

static PyMethodDef gc_methods[] = {
    {"enable", gc_enable, METH_NOARGS, enable_doc},
    {"disable", gc_disable, METH_NOARGS, disable_doc},
    {"isenabled", gc_isenabled, METH_NOARGS, isenabled_doc},
    {"set_debug", gc_set_debug, METH_O, set_debug_doc},
    {"get_debug", gc_get_debug, METH_NOARGS, get_debug_doc},
    {"get_count", gc_get_count, METH_NOARGS, get_count_doc},
    {"set_threshold", gc_set_threshold, METH_VARARGS, set_threshold_doc},
    {"get_threshold", gc_get_threshold, METH_NOARGS, get_threshold_doc},
    {"collect", FAST_KEYWORDS(gc_collect),
     collect_doc},
    {"get_objects", VAR_KEYWORDS(gc_get_objects), get_objects_doc},
    {"get_stats", gc_get_stats, METH_NOARGS, get_stats_doc},
    {"is_tracked", gc_is_tracked, METH_O, is_tracked_doc},
    {"is_finalized", gc_is_finalized, METH_O, is_finalized_doc},
    {"get_referrers", gc_get_referrers, METH_VARARGS, get_referrers_doc},
    {"get_referents", gc_get_referents, METH_VARARGS, get_referents_doc},
    {"freeze", gc_freeze, METH_NOARGS, freeze_doc},
    {"unfreeze", gc_unfreeze, METH_NOARGS, unfreeze_doc},
    {"get_freeze_count", gc_get_freeze_count, METH_NOARGS,
     get_freeze_count_doc},
    {NULL, NULL, 0, NULL},
};

static int
gc_exec(PyObject *module)
{
    if (_PyGC.garbage == NULL) {
        _PyGC.garbage = PyList_New(0);
    }
    if (_PyGC.callbacks == NULL) {
        _PyGC.callbacks = PyList_New(0);
    }
    if (PyModule_AddObjectRef(module, "garbage", _PyGC.garbage) < 0
        || PyModule_AddObjectRef(module, "callbacks", _PyGC.callbacks) < 0) {
        return -1;
    }
    static const struct {
        const char *name;
        int value;
    } flags[] = {
        {"DEBUG_STATS", _PyGC_DEBUG_STATS},
        {"DEBUG_COLLECTABLE", _PyGC_DEBUG_COLLECTABLE},
        {"DEBUG_UNCOLLECTABLE", _PyGC_DEBUG_UNCOLLECTABLE},
        {"DEBUG_SAVEALL", _PyGC_DEBUG_SAVEALL},
        {"DEBUG_LEAK", _PyGC_DEBUG_COLLECTABLE | _PyGC_DEBUG_UNCOLLECTABLE
                       | _PyGC_DEBUG_SAVEALL},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(flags); i++) {
        if (PyModule_AddIntConstant(module, flags[i].name, flags[i].value)) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot gc_slots[] = {
    {Py_mod_exec, gc_exec},
    {0, NULL},
};

static PyModuleDef gc_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gc",
    .m_doc = module_doc,
    .m_size = 0,
    .m_methods = gc_methods,
    .m_slots = gc_slots,
};

MODULE_INIT(gc)
{
    return PyModuleDef_Init(&gc_module);
}

/* _thread._local: an object whose attributes are another set in each thread.

   A local owns all its dicts, in a dict whose keys are thread state ids, so that the
   collector sees cycles through them. A thread owns one *guard*, in its thread dict: a
   list of weak references to the locals in which it has a dict. When the thread ends, its
   guard dies, and removes the thread's dicts from the locals that still live.

   The dict of the last thread is cached: cached_id is 0 if there is none. */
#include "thread_module.h"
#include "structmember.h"

#include <stddef.h>

typedef struct {
    PyObject_HEAD
    PyObject *args, *kwargs;    /* for __init__ in each thread */
    PyObject *dicts;
    PyObject *weakrefs;
    uint64_t cached_id;
    PyObject *cached_dict;      /* borrowed from dicts */
} localobject;

typedef struct {
    PyObject_HEAD
    uint64_t thread_id;
    PyObject *locals;           /* list of weak references */
    Py_ssize_t prune_at;
} guardobject;

#define GUARD_KEY "_thread._local guard"

/* ------------------------------------------------------------------- guards */

static void
guard_dealloc(PyObject *op)
{
    guardobject *self = (guardobject *)op;
    PyTypeObject *type = Py_TYPE(op);
    PyObject *type_, *value, *traceback;
    PyErr_Fetch(&type_, &value, &traceback);
    PyObject *key = PyLong_FromUnsignedLongLong(self->thread_id);
    Py_ssize_t n = self->locals == NULL ? 0 : PyList_GET_SIZE(self->locals);
    for (Py_ssize_t i = 0; key != NULL && i < n; i++) {
        PyObject *ref = PyList_GET_ITEM(self->locals, i);
        localobject *local = (localobject *)PyWeakref_GET_OBJECT(ref);
        if ((PyObject *)local == Py_None || local->dicts == NULL) {
            continue;
        }
        Py_INCREF(local);
        if (local->cached_id == self->thread_id) {
            local->cached_id = 0;
        }
        if (PyDict_DelItem(local->dicts, key) < 0) {
            PyErr_Clear();
        }
        Py_DECREF(local);
    }
    Py_XDECREF(key);
    Py_CLEAR(self->locals);
    PyErr_Restore(type_, value, traceback);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot guard_slots[] = {
    {Py_tp_dealloc, guard_dealloc},
    {0, NULL},
};

PyType_Spec _PyThread_local_guard_spec = {
    .name = "_thread._localdummy",
    .basicsize = sizeof(guardobject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION
             | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = guard_slots,
};

/* Returns a borrowed reference to the guard of the running thread. */
static guardobject *
get_guard(thread_module_state *state, PyThreadState *tstate)
{
    PyObject *thread_dict = _PyThreadState_GetDict(tstate);
    if (thread_dict == NULL) {
        PyErr_SetString(PyExc_SystemError,
                        "Couldn't get thread-state dictionary");
        return NULL;
    }
    PyObject *key = PyUnicode_InternFromString(GUARD_KEY);
    if (key == NULL) {
        return NULL;
    }
    PyObject *guard = PyDict_GetItemWithError(thread_dict, key);
    if (guard == NULL && !PyErr_Occurred()) {
        PyTypeObject *type = state->local_guard_type;
        guardobject *made = (guardobject *)type->tp_alloc(type, 0);
        if (made != NULL) {
            made->thread_id = tstate->id;
            made->prune_at = 32;
            made->locals = PyList_New(0);
            if (made->locals == NULL
                || PyDict_SetItem(thread_dict, key, (PyObject *)made) < 0) {
                Py_CLEAR(made);
            }
            Py_XDECREF(made);
        }
        guard = (PyObject *)made;
    }
    Py_DECREF(key);
    return (guardobject *)guard;
}

/* Removes references to dead locals, now and then. */
static int
prune(guardobject *guard)
{
    Py_ssize_t n = PyList_GET_SIZE(guard->locals);
    if (n < guard->prune_at) {
        return 0;
    }
    PyObject *kept = PyList_New(0);
    if (kept == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *ref = PyList_GET_ITEM(guard->locals, i);
        if (PyWeakref_GET_OBJECT(ref) != Py_None
            && PyList_Append(kept, ref) < 0) {
            Py_DECREF(kept);
            return -1;
        }
    }
    Py_SETREF(guard->locals, kept);
    guard->prune_at = 2 * PyList_GET_SIZE(kept) + 32;
    return 0;
}

/* -------------------------------------------------------------------- dicts */

/* Makes the running thread's dict. Returns a borrowed reference. */
static PyObject *
make_dict(localobject *self, PyThreadState *tstate)
{
    thread_module_state *state = _PyThread_StateOfType(Py_TYPE(self));
    guardobject *guard = state == NULL ? NULL : get_guard(state, tstate);
    if (guard == NULL || prune(guard) < 0) {
        return NULL;
    }
    PyObject *ref = PyWeakref_NewRef((PyObject *)self, NULL);
    if (ref == NULL) {
        return NULL;
    }
    int failed = PyList_Append(guard->locals, ref) < 0;
    Py_DECREF(ref);
    if (failed) {
        return NULL;
    }
    PyObject *key = PyLong_FromUnsignedLongLong(tstate->id);
    PyObject *dict = key == NULL ? NULL : PyDict_New();
    if (dict != NULL && PyDict_SetItem(self->dicts, key, dict) < 0) {
        Py_CLEAR(dict);
    }
    Py_XDECREF(key);
    Py_XDECREF(dict);
    return dict;
}

/* Returns a borrowed reference to the running thread's dict, initialised. */
static PyObject *
get_dict(localobject *self)
{
    PyThreadState *tstate = PyThreadState_Get();
    if (self->cached_id == tstate->id) {
        return self->cached_dict;
    }
    PyObject *key = PyLong_FromUnsignedLongLong(tstate->id);
    if (key == NULL) {
        return NULL;
    }
    PyObject *dict = PyDict_GetItemWithError(self->dicts, key);
    if (dict == NULL) {
        dict = PyErr_Occurred() ? NULL : make_dict(self, tstate);
        if (dict != NULL
            && Py_TYPE(self)->tp_init != PyBaseObject_Type.tp_init
            && Py_TYPE(self)->tp_init((PyObject *)self, self->args,
                                      self->kwargs) < 0) {
            /* Undo everything, as if this thread had never used the local. */
            PyObject *type, *value, *traceback;
            PyErr_Fetch(&type, &value, &traceback);
            self->cached_id = 0;
            if (PyDict_DelItem(self->dicts, key) < 0) {
                PyErr_Clear();
            }
            PyErr_Restore(type, value, traceback);
            dict = NULL;
        }
    }
    Py_DECREF(key);
    if (dict != NULL) {
        self->cached_id = tstate->id;
        self->cached_dict = dict;
    }
    return dict;
}

/* ----------------------------------------------------------------- the type */

static PyObject *
local_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (type->tp_init == PyBaseObject_Type.tp_init) {
        if ((args != NULL && PyTuple_GET_SIZE(args) != 0)
            || (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0)) {
            PyErr_SetString(PyExc_TypeError,
                            "Initialization arguments are not supported");
            return NULL;
        }
    }
    localobject *self = (localobject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->args = Py_XNewRef(args);
    self->kwargs = Py_XNewRef(kwargs);
    self->dicts = PyDict_New();
    /* This thread's dict is made here, as type() itself calls __init__. */
    if (self->dicts == NULL || make_dict(self, PyThreadState_Get()) == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int
local_traverse(PyObject *op, visitproc visit, void *arg)
{
    localobject *self = (localobject *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->args);
    Py_VISIT(self->kwargs);
    Py_VISIT(self->dicts);
    return 0;
}

static int
local_clear(PyObject *op)
{
    localobject *self = (localobject *)op;
    Py_CLEAR(self->args);
    Py_CLEAR(self->kwargs);
    self->cached_id = 0;
    if (self->dicts != NULL) {
        PyDict_Clear(self->dicts);
    }
    return 0;
}

static void
local_dealloc(PyObject *op)
{
    localobject *self = (localobject *)op;
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    /* Do this first, so that a guard does not find a local that is half destroyed. */
    if (self->weakrefs != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    (void)local_clear(op);
    Py_CLEAR(self->dicts);
    type->tp_free(op);
    Py_DECREF(type);
}

static int
is_dict_name(PyObject *name)
{
    return PyUnicode_Check(name)
        && _PyUnicode_EqualToASCIIString(name, "__dict__");
}

static PyObject *
local_getattro(PyObject *op, PyObject *name)
{
    PyObject *dict = get_dict((localobject *)op);
    if (dict == NULL) {
        return NULL;
    }
    if (is_dict_name(name)) {
        return Py_NewRef(dict);
    }
    Py_INCREF(dict);
    PyObject *value = _PyObject_GenericGetAttrWithDict(op, name, dict, 0);
    Py_DECREF(dict);
    return value;
}

static int
local_setattro(PyObject *op, PyObject *name, PyObject *value)
{
    PyObject *dict = get_dict((localobject *)op);
    if (dict == NULL) {
        return -1;
    }
    if (is_dict_name(name)) {
        PyErr_Format(PyExc_AttributeError,
                     "'%.100s' object attribute '%U' is read-only",
                     Py_TYPE(op)->tp_name, name);
        return -1;
    }
    Py_INCREF(dict);
    int status = _PyObject_GenericSetAttrWithDict(op, name, value, dict);
    Py_DECREF(dict);
    return status;
}

static PyMemberDef local_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(localobject, weakrefs),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot local_slots[] = {
    {Py_tp_dealloc, local_dealloc},
    {Py_tp_getattro, local_getattro},
    {Py_tp_setattro, local_setattro},
    {Py_tp_doc, (void *)PyDoc_STR("Thread-local data")},
    {Py_tp_traverse, local_traverse},
    {Py_tp_clear, local_clear},
    {Py_tp_new, local_new},
    {Py_tp_members, local_members},
    {0, NULL},
};

PyType_Spec _PyThread_local_spec = {
    .name = "_thread._local",
    .basicsize = sizeof(localobject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC
             | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = local_slots,
};

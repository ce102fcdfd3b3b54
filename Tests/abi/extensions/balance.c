/* A reference tracer that checks that creation and destruction of each object take turns.

   An address whose last event was a creation may not see another one, nor two destructions in a
   row. Objects that are older than the tracer are known from their destruction on. */
#include <Python.h>
#include <stdlib.h>
#include <string.h>

enum { ALIVE = 1, DEAD };

typedef struct {
    void *address;
    int state;
} Entry;

#define MOST_FAULTS 40

static Entry *table;
static size_t size, used;
static long long created, destroyed, faults;
static char told[MOST_FAULTS][80];
static int removed, failed;

static Entry *
entry_of(void *address)
{
    size_t i = ((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15u;
    for (i ^= i >> 32;; i++) {
        Entry *e = &table[i & (size - 1)];
        if (e->address == address || e->address == NULL) {
            return e;
        }
    }
}

static void
grow(void)
{
    Entry *old = table;
    size_t old_size = size;
    size = old_size ? old_size * 2 : 1 << 16;
    table = (Entry *)calloc(size, sizeof(Entry));
    if (table == NULL) {
        abort();
    }
    for (size_t i = 0; i < old_size; i++) {
        if (old[i].address != NULL) {
            *entry_of(old[i].address) = old[i];
        }
    }
    free(old);
}

static void
fault(PyObject *op, const char *what)
{
    if (faults < MOST_FAULTS) {
        snprintf(told[faults], sizeof(told[0]), "%s: %.50s", what, Py_TYPE(op)->tp_name);
    }
    faults++;
}

static int
tell(PyObject *op, PyRefTracerEvent event, void *data)
{
    if (event == PyRefTracer_TRACKER_REMOVED) {
        failed |= op != NULL || data != &table;
        removed++;
        return 0;
    }
    if (used * 2 >= size) {
        grow();
    }
    Entry *e = entry_of(op);
    if (e->address == NULL) {
        e->address = op;
        used++;
    }
    if (event == PyRefTracer_CREATE) {
        created++;
        if (e->state == ALIVE) {
            fault(op, "created twice");
        }
        e->state = ALIVE;
    }
    else {
        destroyed++;
        if (e->state == DEAD) {
            fault(op, "destroyed twice");
        }
        e->state = DEAD;
    }
    return 0;
}

static PyObject *
start(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(args))
{
    free(table);
    table = NULL;
    size = used = 0;
    created = destroyed = faults = 0;
    grow();
    if (PyRefTracer_SetTracer(tell, &table) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* (created, destroyed, faults, what the first of them were) */
static PyObject *
stop(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(args))
{
    if (PyRefTracer_SetTracer(NULL, NULL) < 0) {
        return NULL;
    }
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < faults && i < MOST_FAULTS; i++) {
        PyObject *text = PyUnicode_FromString(told[i]);
        if (text == NULL || PyList_Append(list, text) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(text);
    }
    return list == NULL ? NULL : Py_BuildValue("(LLLN)", created, destroyed, faults, list);
}

/* As the documentation declares tracers: the event is an int. */
static int
other(PyObject *op, int event, void *data)
{
    if (op == NULL && event == PyRefTracer_TRACKER_REMOVED) {
        *(int *)data += 1;
    }
    return 0;
}

/* What tracers are told when others follow: (removals of the first, of the second twice in turn,
   whether what GetTracer says was right each time). */
static PyObject *
replace(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(args))
{
    int removals = 0, right = 1;
    void *data = &right;
    right &= PyRefTracer_GetTracer(&data) == NULL && data == NULL;
    removed = failed = 0;
    start(NULL, NULL);
    right &= PyRefTracer_SetTracer(other, &removals) == 0;
    right &= removed == 1 && removals == 0;
    right &= PyRefTracer_SetTracer(other, &removals) == 0;
    right &= removals == 1;
    right &= PyRefTracer_GetTracer(&data) == (PyRefTracer)other && data == &removals;
    right &= PyRefTracer_SetTracer(NULL, &removals) == 0;
    right &= PyRefTracer_GetTracer(&data) == NULL && data == NULL;
    right &= PyRefTracer_GetTracer(NULL) == NULL;
    return Py_BuildValue("(iii)", removed, removals, right && !failed);
}

/* What was told of an object: 0 nothing, 1 that it is alive, 2 that it is dead. */
static PyObject *
state(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyLong_FromLong(table == NULL ? 0 : entry_of(op)->state);
}

/* A type that allocates and frees by itself. */
static PyObject *
own_alloc(PyTypeObject *type, Py_ssize_t Py_UNUSED(n))
{
    PyObject *op = (PyObject *)calloc(1, (size_t)type->tp_basicsize);
    return op == NULL ? PyErr_NoMemory() : PyObject_Init(op, type);
}

static void
own_dealloc(PyObject *op)
{
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject own_type;

/* Changes nothing but the tracer, from within a tracer: to itself, each time. */
static int again_events;

static int
again(PyObject *Py_UNUSED(op), PyRefTracerEvent event, void *data)
{
    again_events++;
    return event == PyRefTracer_CREATE ? PyRefTracer_SetTracer(again, data) : 0;
}

/* (did events come, is it still the tracer with its data, is none left when it is removed) */
static PyObject *
replace_itself(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(args))
{
    again_events = 0;
    int still = PyRefTracer_SetTracer(again, &again_events) == 0;
    for (int i = 0; i < 100; i++) {
        PyObject *list = Py_BuildValue("[i{s:d}]", i + 1000, "x", i * 0.5);
        Py_XDECREF(list);
    }
    void *data = NULL;
    still &= PyRefTracer_GetTracer(&data) == again && data == &again_events;
    int many = again_events > 300;
    int none = PyRefTracer_SetTracer(NULL, NULL) == 0 && PyRefTracer_GetTracer(&data) == NULL
        && data == NULL;
    return Py_BuildValue("(iii)", many, still, none);
}

static PyMethodDef functions[] = {
    {"state", state, METH_O, NULL},
    {"replace_itself", replace_itself, METH_NOARGS, NULL},
    {"start", start, METH_NOARGS, NULL},
    {"stop", stop, METH_NOARGS, NULL},
    {"replace", replace, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "balance", NULL, 0, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit_balance(void)
{
    own_type.tp_name = "balance.Own";
    own_type.tp_basicsize = sizeof(PyObject) + 40;
    own_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    own_type.tp_new = PyType_GenericNew;
    own_type.tp_alloc = own_alloc;
    own_type.tp_free = free;
    own_type.tp_dealloc = own_dealloc;
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddType(module, &own_type) < 0) {
        Py_CLEAR(module);
    }
    return module;
}

/* leaks.left(callable): how many objects of each class a call has made that live on after it,
   {class name: number}.

   A reference tracer: PyRefTracer_SetTracer(), of CPython 3.13 and Springboard. It is called for
   every object, in the middle of whatever makes or destroys it: so it only looks at the object,
   and keeps its books in memory of its own. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdlib.h>

typedef struct {
    PyObject *object;           /* NULL: free; kept when the object dies */
    PyTypeObject *type;         /* NULL: it is dead */
} Entry;

static Entry *table;
static size_t size, used;

static Entry *
find(PyObject *object)
{
    size_t i = ((uintptr_t)object >> 4) * 0x9E3779B97F4A7C15u >> 20;
    while (table[i & (size - 1)].object != NULL && table[i & (size - 1)].object != object) {
        i++;
    }
    return &table[i & (size - 1)];
}

static int
grow(void)
{
    Entry *old = table;
    size_t n = size;
    Entry *larger = calloc(n != 0 ? n * 2 : 1 << 16, sizeof(Entry));
    if (larger == NULL) {
        return -1;
    }
    table = larger;
    size = n != 0 ? n * 2 : 1 << 16;
    used = 0;
    for (size_t i = 0; i < n; i++) {
        if (old[i].type != NULL) {
            *find(old[i].object) = old[i];
            used++;
        }
    }
    free(old);
    return 0;
}

static int
trace(PyObject *object, PyRefTracerEvent event, void *Py_UNUSED(data))
{
    if (event == PyRefTracer_CREATE) {
        if (used * 2 >= size && grow() < 0) {
            return 0;           /* no memory: it is not counted */
        }
        Entry *e = find(object);
        used += e->object == NULL;
        *e = (Entry){object, Py_TYPE(object)};
    }
    else if (event == PyRefTracer_DESTROY) {
        Entry *e = find(object);
        if (e->object != NULL) {
            e->type = NULL;
        }
    }
    /* Else the tracer is replaced or removed; the object is NULL then. */
    return 0;
}

static PyObject *
left(PyObject *Py_UNUSED(module), PyObject *callable)
{
    if (PyRefTracer_GetTracer(NULL) != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "there is a reference tracer already");
        return NULL;
    }
    if (grow() < 0) {
        return PyErr_NoMemory();
    }
    if (PyRefTracer_SetTracer(trace, NULL) < 0) {
        return NULL;
    }
    PyObject *result = PyObject_CallNoArgs(callable);
    Py_XDECREF(result);
    (void)PyRefTracer_SetTracer(NULL, NULL);
    PyObject *found = result != NULL ? PyDict_New() : NULL;
    for (size_t i = 0; found != NULL && i < size; i++) {
        if (table[i].type == NULL) {
            continue;
        }
        PyObject *before = PyDict_GetItemString(found, table[i].type->tp_name);
        PyObject *n = PyLong_FromLong(before != NULL ? PyLong_AsLong(before) + 1 : 1);
        if (n == NULL || PyDict_SetItemString(found, table[i].type->tp_name, n) < 0) {
            Py_CLEAR(found);
        }
        Py_XDECREF(n);
    }
    free(table);
    table = NULL;
    size = used = 0;
    return found;
}

static PyMethodDef functions[] = {
    {"left", left, METH_O, "left(callable): what lives on after a call, by class"},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "leaks", .m_size = 0, .m_methods = functions,
};

PyMODINIT_FUNC
PyInit_leaks(void)
{
    return PyModuleDef_Init(&definition);
}

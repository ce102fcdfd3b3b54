/* array: the iterator and the module. */

#include "array_module.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

/* `array` is NULL once the end was reached. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    ArrayObject *array;
} IteratorObject;

PyObject *
_array_iter(PyObject *array)
{
    PyTypeObject *type = array_state_of(array)->iterator_type;
    IteratorObject *it = (IteratorObject *)type->tp_alloc(type, 0);
    if (it != NULL) {
        it->index = 0;
        it->array = (ArrayObject *)Py_NewRef(array);
    }
    return (PyObject *)it;
}

static PyObject *
iterator_next(IteratorObject *it)
{
    if (it->array == NULL) {
        return NULL;
    }
    if (it->index < Py_SIZE(it->array)) {
        return it->array->item->get(it->array->items, it->index++);
    }
    Py_CLEAR(it->array);
    return NULL;
}

static int
iterator_traverse(IteratorObject *it, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(it));
    Py_VISIT(it->array);
    return 0;
}

static void
iterator_dealloc(IteratorObject *it)
{
    PyTypeObject *type = Py_TYPE(it);
    PyObject_GC_UnTrack(it);
    Py_XDECREF(it->array);
    type->tp_free(it);
    Py_DECREF(type);
}

static PyObject *
iterator_reduce(IteratorObject *it, PyObject *Py_UNUSED(ignored))
{
    PyObject *iter = PyObject_GetAttrString(
        PyImport_AddModule("builtins"), "iter");
    if (iter == NULL) {
        return NULL;
    }
    if (it->array == NULL) {
        return Py_BuildValue("N(())", iter);
    }
    return Py_BuildValue("N(O)n", iter, it->array, it->index);
}

static PyObject *
iterator_setstate(IteratorObject *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->array != NULL) {
        index = Py_MAX(index, 0);
        it->index = Py_MIN(index, Py_SIZE(it->array));
    }
    Py_RETURN_NONE;
}

static PyMethodDef iterator_methods[] = {
    {"__reduce__", (PyCFunction)iterator_reduce, METH_NOARGS | METH_FOR_CLASS,
     "__reduce__($self, /)\n--\n\nReturn state information for pickling."},
    {"__setstate__", (PyCFunction)iterator_setstate, METH_O,
     "__setstate__($self, state, /)\n--\n\n"
     "Set state information for unpickling."},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot iterator_slots[] = {
    {Py_tp_dealloc, iterator_dealloc},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_traverse, iterator_traverse},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, iterator_next},
    {Py_tp_methods, iterator_methods},
    {0, NULL},
};

static PyType_Spec iterator_spec = {
    .name = "array.arrayiterator",
    .basicsize = sizeof(IteratorObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = iterator_slots,
};

/* --------------------------------------------------------------- the module */

static PyMethodDef module_methods[] = {
    {"_array_reconstructor", FAST(_array_reconstruct),
     "_array_reconstructor($module, arraytype, typecode, mformat_code, "
     "items,\n                     /)\n--\n\n"
     "Makes an array of what a pickle has stored.\n\n"
     "  arraytype, typecode\n    of the array that was pickled\n"
     "  mformat_code\n    how its items are represented\n"
     "  items\n    their bytes"},
    {NULL, NULL, 0, NULL}
};

static int
register_sequence(PyObject *type)
{
    PyObject *abc = PyImport_ImportModule("collections.abc");
    if (abc == NULL) {
        return -1;
    }
    PyObject *sequence = PyObject_GetAttrString(abc, "MutableSequence");
    Py_DECREF(abc);
    if (sequence == NULL) {
        return -1;
    }
    PyObject *done = _PyObject_CallMethod_SizeT(sequence, "register", "O",
                                                type);
    Py_DECREF(sequence);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

static int
array_exec(PyObject *module)
{
    array_state *state = array_state_of_module(module);
    state->array_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &_array_type_spec, NULL);
    if (state->array_type == NULL) {
        return -1;
    }
    state->iterator_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &iterator_spec, NULL);
    if (state->iterator_type == NULL) {
        return -1;
    }
    PyObject *type = (PyObject *)state->array_type;
    if (PyModule_AddObjectRef(module, "ArrayType", type) < 0
        || register_sequence(type) < 0
        || PyModule_AddType(module, state->array_type) < 0) {
        return -1;
    }
    char typecodes[32];
    size_t n = 0;
    for (const struct array_item *item = _array_items; item->typecode != 0;
         item++) {
        typecodes[n++] = item->typecode;
    }
    typecodes[n] = '\0';
    return PyModule_AddStringConstant(module, "typecodes", typecodes);
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    array_state *state = array_state_of_module(module);
    Py_VISIT(state->array_type);
    Py_VISIT(state->iterator_type);
    return 0;
}

static int
module_clear(PyObject *module)
{
    array_state *state = array_state_of_module(module);
    Py_CLEAR(state->array_type);
    Py_CLEAR(state->iterator_type);
    return 0;
}

static void
module_free(void *module)
{
    (void)module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, array_exec},
    {0, NULL}
};

struct PyModuleDef _array_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "array",
    .m_doc = "Arrays of numbers and characters that need no more room than "
        "in C.",
    .m_size = sizeof(array_state),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

MODULE_INIT(array)
{
    return PyModuleDef_Init(&_array_module);
}

/* The _collections module: what the collections module takes from C. Counting and the
   attributes of named tuples are here; deque and defaultdict have files of their own;
   OrderedDict is a built-in type (Objects/dict/odict.c). */
#include "collections_impl.h"
#include "cpython/odictobject.h"
#include "structmember.h"
#include "internal/dict.h"
#include "internal/errors.h"
#include "internal/keyhash.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/names.h"

/* -------------------------------------------------------- _count_elements() */

/* Does the mapping use dict's own methods? */
static int
has_dict_methods(PyObject *mapping)
{
    PyObject *const names[] = {_Py_NAME(get), _Py_NAME(dunder_setitem)};
    if (PyDict_CheckExact(mapping)) {
        return 1;
    }
    if (!PyDict_Check(mapping)) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        PyObject *own = _PyType_Lookup(Py_TYPE(mapping), names[i]);
        if (own == NULL || own != _PyType_Lookup(&PyDict_Type, names[i])) {
            return 0;
        }
    }
    return 1;
}

static inline __attribute__((always_inline)) int
count_in_dict(PyObject *dict, PyObject *key, PyObject *one)
{
    Py_hash_t hash = _Py_KeyHash(key);
    int counted = hash == -1 ? -1 : _PyDict_CountUp((PyDictObject *)dict, key, hash);
    if (counted != 0) {
        return counted < 0 ? -1 : 0;
    }
    PyObject *old = _PyDict_GetItem_KnownHash(dict, key, hash);
    if (old == NULL) {
        return PyErr_Occurred() ? -1 : _PyDict_SetItem_KnownHash(dict, key, one, hash);
    }
    PyObject *count = PyNumber_Add(old, one);
    if (count == NULL) {
        return -1;
    }
    int result = _PyDict_SetItem_KnownHash(dict, key, count, hash);
    Py_DECREF(count);
    return result;
}

static int
count_in_mapping(PyObject *mapping, PyObject *get, PyObject *key,
                 PyObject *zero, PyObject *one)
{
    PyObject *old = PyObject_CallFunctionObjArgs(get, key, zero, NULL);
    if (old == NULL) {
        return -1;
    }
    PyObject *count = PyNumber_Add(old, one);
    Py_DECREF(old);
    if (count == NULL) {
        return -1;
    }
    int result = PyObject_SetItem(mapping, key, count);
    Py_DECREF(count);
    return result;
}

/* The characters of an ASCII text, whose objects are always there. */
static int
count_characters(PyObject *dict, PyObject *text, PyObject *one)
{
    const Py_UCS1 *characters = PyUnicode_1BYTE_DATA(text);
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
        if (count_in_dict(dict, _PyUnicode_latin1[characters[i]], one) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
count_elements(PyObject *Py_UNUSED(module), PyObject *const *args,
               Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_count_elements", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *mapping = args[0], *get = NULL, *result = NULL;
    int plain = has_dict_methods(mapping);
    PyObject *iter = PyObject_GetIter(args[1]);
    if (iter == NULL) {
        return NULL;
    }
    PyObject *zero = PyLong_FromLong(0), *one = PyLong_FromLong(1);
    if (zero == NULL || one == NULL) {
        goto done;
    }
    if (!plain && (get = PyObject_GetAttr(mapping, _Py_NAME(get))) == NULL) {
        goto done;
    }
    if (plain && PyUnicode_CheckExact(args[1]) && PyUnicode_IS_COMPACT_ASCII(args[1])) {
        result = count_characters(mapping, args[1], one) < 0 ? NULL : Py_NewRef(Py_None);
        goto done;
    }
    PyObject *key;
    int failed = 0;
    while (!failed && (key = Py_TYPE(iter)->tp_iternext(iter)) != NULL) {
        failed = plain ? count_in_dict(mapping, key, one) < 0
            : count_in_mapping(mapping, get, key, zero, one) < 0;
        Py_DECREF(key);
    }
    if (!failed && _PyErr_DropStopIteration() == 0) {
        result = Py_NewRef(Py_None);
    }
done:
    Py_XDECREF(zero);
    Py_XDECREF(one);
    Py_XDECREF(get);
    Py_DECREF(iter);
    return result;
}

/* ------------------------------------------------ attributes of namedtuples */

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *doc;
} TupleGetter;

static PyObject *
tuplegetter_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    Py_ssize_t index;
    PyObject *doc;
    if (!_PyArg_NoKeywords("_tuplegetter", kwds)
        || !_PyArg_CheckPositional("_tuplegetter", PyTuple_GET_SIZE(args), 2, 2)
        || !PyArg_ParseTuple(args, "nO:_tuplegetter", &index, &doc)) {
        return NULL;
    }
    TupleGetter *self = (TupleGetter *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->index = index;
        self->doc = Py_NewRef(doc);
    }
    return (PyObject *)self;
}

static void
tuplegetter_dealloc(TupleGetter *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->doc);
    Py_TYPE(self)->tp_free(self);
}

static int
tuplegetter_traverse(TupleGetter *self, visitproc visit, void *arg)
{
    Py_VISIT(self->doc);
    return 0;
}

static int
tuplegetter_clear(TupleGetter *self)
{
    Py_CLEAR(self->doc);
    return 0;
}

static PyObject *
tuplegetter_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    Py_ssize_t index = ((TupleGetter *)self)->index;
    if (obj == NULL) {
        return Py_NewRef(self);
    }
    if (!PyTuple_Check(obj)) {
        if (obj == Py_None) {
            return Py_NewRef(self);
        }
        PyErr_Format(PyExc_TypeError,
                     "descriptor for index '%zd' for tuple subclasses "
                     "doesn't apply to '%s' object", index,
                     Py_TYPE(obj)->tp_name);
        return NULL;
    }
    if (index < 0 || index >= PyTuple_GET_SIZE(obj)) {
        PyErr_SetString(PyExc_IndexError, "tuple index out of range");
        return NULL;
    }
    return Py_NewRef(PyTuple_GET_ITEM(obj, index));
}

/* Having it makes the attribute read-only. */
static int
tuplegetter_set(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(obj),
                PyObject *value)
{
    PyErr_SetString(PyExc_AttributeError, value == NULL
                    ? "can't delete attribute" : "can't set attribute");
    return -1;
}

static PyObject *
tuplegetter_reduce(TupleGetter *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(O(nO))", Py_TYPE(self), self->index, self->doc);
}

static PyObject *
tuplegetter_repr(TupleGetter *self)
{
    return PyUnicode_FromFormat("%s(%zd, %R)", _PyType_Name(Py_TYPE(self)),
                                self->index, self->doc);
}

static PyMemberDef tuplegetter_members[] = {
    {"__doc__", T_OBJECT, offsetof(TupleGetter, doc), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyMethodDef tuplegetter_methods[] = {
    {"__reduce__", (PyCFunction)tuplegetter_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyTypeObject tuplegetter_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_collections._tuplegetter",
    .tp_basicsize = sizeof(TupleGetter),
    .tp_dealloc = (destructor)tuplegetter_dealloc,
    .tp_repr = (reprfunc)tuplegetter_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)tuplegetter_traverse,
    .tp_clear = (inquiry)tuplegetter_clear,
    .tp_methods = tuplegetter_methods,
    .tp_members = tuplegetter_members,
    .tp_descr_get = tuplegetter_get,
    .tp_descr_set = tuplegetter_set,
    .tp_new = tuplegetter_new,
};

/* ------------------------------------------------------------------- module */

static PyMethodDef module_methods[] = {
    {"_count_elements", FAST(count_elements),
     "_count_elements($module, mapping, iterable, /)\n--\n\n"
     "Count elements in the iterable, updating the mapping"},
    {NULL, NULL, 0, NULL}
};

static int
module_exec(PyObject *module)
{
    _PyDefaultDict_Type.tp_base = &PyDict_Type;
    _PyDeque_AddTaker();
    PyTypeObject *types[] = {
        &_PyDeque_Type, &_PyDefaultDict_Type, &PyODict_Type,
        &_PyDequeIter_Type, &_PyDequeRevIter_Type, &tuplegetter_type,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (PyModule_AddType(module, types[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

static struct PyModuleDef collections_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_collections",
    .m_doc = "High performance data structures.\n"
        "- deque:        ordered collection accessible from endpoints only\n"
        "- defaultdict:  dict subclass with a default value factory\n",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

MODULE_INIT(_collections)
{
    return PyModuleDef_Init(&collections_module);
}

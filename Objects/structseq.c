/* Struct sequences: tuples whose items also have names, and which may have more
   named items than the tuple shows.

   An instance has room for all its fields; Py_SIZE is the number of those that
   the sequence shows. The type's dict says how many there are of each kind. */
#include "Python.h"
#include "internal/containers.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "structmember.h"

const char *const PyStructSequence_UnnamedField = "unnamed field";

#define visible_key _Py_NAME(n_sequence_fields)
#define real_key _Py_NAME(n_fields)
#define unnamed_key _Py_NAME(n_unnamed_fields)

/* Reads a count from the type's dict. Returns -1 with an exception. */
static Py_ssize_t
count_of(PyTypeObject *type, PyObject *key)
{
    PyObject *number = PyDict_GetItemWithError(type->tp_dict, key);
    if (number == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "Missed attribute '%U' of type %s",
                         key, type->tp_name);
        }
        return -1;
    }
    return PyLong_AsSsize_t(number);
}

/* An exception may be set during deallocation. */
static Py_ssize_t
real_size_quietly(PyTypeObject *type)
{
    PyObject *exc_type, *exc, *traceback;
    PyErr_Fetch(&exc_type, &exc, &traceback);
    Py_ssize_t n = count_of(type, real_key);
    PyErr_Restore(exc_type, exc, traceback);
    return n;
}

PyObject *
PyStructSequence_New(PyTypeObject *type)
{
    Py_ssize_t real = count_of(type, real_key);
    if (real < 0) {
        return NULL;
    }
    Py_ssize_t visible = count_of(type, visible_key);
    if (visible < 0) {
        return NULL;
    }
    PyStructSequence *self = PyObject_GC_NewVar(PyStructSequence, type, real);
    if (self == NULL) {
        return NULL;
    }
    Py_SET_SIZE(self, visible);
    memset(self->ob_item, 0, (size_t)real * sizeof(PyObject *));
    return (PyObject *)self;
}

void
PyStructSequence_SetItem(PyObject *op, Py_ssize_t i, PyObject *value)
{
    PyStructSequence_SET_ITEM(op, i, value);
}

PyObject *
PyStructSequence_GetItem(PyObject *op, Py_ssize_t i)
{
    return PyStructSequence_GET_ITEM(op, i);
}

static int
structseq_traverse(PyStructSequence *self, visitproc visit, void *arg)
{
    if (Py_TYPE(self)->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        Py_VISIT(Py_TYPE(self));
    }
    Py_ssize_t n = real_size_quietly(Py_TYPE(self));
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_VISIT(self->ob_item[i]);
    }
    return 0;
}

static void
structseq_dealloc(PyStructSequence *self)
{
    PyObject_GC_UnTrack(self);
    PyTypeObject *type = Py_TYPE(self);
    Py_ssize_t n = real_size_quietly(type);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_XDECREF(self->ob_item[i]);
    }
    PyObject_GC_Del(self);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        Py_DECREF(type);
    }
}

/* ------------------------------------------------------------- construction */

static int
check_length(PyTypeObject *type, Py_ssize_t n, Py_ssize_t least,
             Py_ssize_t most)
{
    const char *rule = NULL;
    Py_ssize_t limit = least;
    if (least != most && n < least) {
        rule = "an at least";
    }
    else if (least != most && n > most) {
        rule = "an at most";
        limit = most;
    }
    else if (least == most && n != least) {
        rule = "a";
    }
    if (rule == NULL) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "%.500s() takes %s %zd-sequence (%zd-sequence given)",
                 type->tp_name, rule, limit, n);
    return -1;
}

/* The value of a field that the sequence didn't give. Returns a new reference. */
static PyObject *
field_from_dict(PyTypeObject *type, PyObject *dict, Py_ssize_t unnamed,
                Py_ssize_t i)
{
    PyObject *value = NULL;
    const char *name = type->tp_members[i - unnamed].name;
    if (dict != NULL) {
        value = _PyDict_GetItemStringWithError(dict, name);
        if (value == NULL && PyErr_Occurred()) {
            return NULL;
        }
    }
    return Py_NewRef(value == NULL ? Py_None : value);
}

static PyObject *
structseq_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"sequence", "dict", NULL};
    PyObject *arg, *dict = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:structseq", keywords,
                                     &arg, &dict)) {
        return NULL;
    }
    Py_ssize_t least = count_of(type, visible_key);
    Py_ssize_t most = least < 0 ? -1 : count_of(type, real_key);
    Py_ssize_t unnamed = most < 0 ? -1 : count_of(type, unnamed_key);
    if (unnamed < 0) {
        return NULL;
    }
    PyObject *sequence = PySequence_Fast(arg,
                                         "constructor requires a sequence");
    if (sequence == NULL) {
        return NULL;
    }
    PyObject *self = NULL;
    Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
    if (dict != NULL && !PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError,
                     "%.500s() takes a dict as second arg, if any",
                     type->tp_name);
    }
    else if (check_length(type, n, least, most) == 0) {
        self = PyStructSequence_New(type);
    }
    if (self == NULL) {
        Py_DECREF(sequence);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < most; i++) {
        PyObject *value = i < n
            ? Py_NewRef(PySequence_Fast_GET_ITEM(sequence, i))
            : field_from_dict(type, dict, unnamed, i);
        if (value == NULL) {
            Py_DECREF(sequence);
            _PyObject_GC_TRACK(self);
            Py_DECREF(self);
            return NULL;
        }
        PyStructSequence_SET_ITEM(self, i, value);
    }
    Py_DECREF(sequence);
    _PyObject_GC_TRACK(self);
    return self;
}

/* ----------------------------------------------------------------- protocol */

static PyObject *
structseq_repr(PyStructSequence *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_ssize_t n = Py_SIZE(self);
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    int failed = 0;
    PyObject *text = PyUnicode_FromFormat("%s(", type->tp_name);
    failed = text == NULL || _PyUnicodeWriter_WriteStr(&writer, text) < 0;
    Py_XDECREF(text);
    for (Py_ssize_t i = 0; !failed && i < n; i++) {
        const char *name = type->tp_members[i].name;
        if (name == NULL) {
            PyErr_Format(PyExc_SystemError,
                         "In structseq_repr(), member %zd name is NULL for "
                         "type %.500s", i, type->tp_name);
            failed = 1;
            break;
        }
        text = PyUnicode_FromFormat("%s%s=%R", i > 0 ? ", " : "", name,
                                    self->ob_item[i]);
        failed = text == NULL || _PyUnicodeWriter_WriteStr(&writer, text) < 0;
        Py_XDECREF(text);
    }
    if (failed || _PyUnicodeWriter_WriteChar(&writer, ')') < 0) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

static PyObject *
structseq_reduce(PyStructSequence *self, PyObject *Py_UNUSED(ignored))
{
    PyTypeObject *type = Py_TYPE(self);
    Py_ssize_t visible = count_of(type, visible_key);
    Py_ssize_t real = visible < 0 ? -1 : count_of(type, real_key);
    Py_ssize_t unnamed = real < 0 ? -1 : count_of(type, unnamed_key);
    if (unnamed < 0) {
        return NULL;
    }
    PyObject *tuple = PyTuple_New(visible), *dict = NULL;
    if (tuple != NULL) {
        for (Py_ssize_t i = 0; i < visible; i++) {
            PyTuple_SET_ITEM(tuple, i, Py_XNewRef(self->ob_item[i]));
        }
        dict = PyDict_New();
    }
    for (Py_ssize_t i = visible; dict != NULL && i < real; i++) {
        const char *name = type->tp_members[i - unnamed].name;
        if (PyDict_SetItemString(dict, name, self->ob_item[i]) < 0) {
            Py_CLEAR(dict);
        }
    }
    PyObject *result = dict == NULL ? NULL
        : Py_BuildValue("(O(OO))", type, tuple, dict);
    Py_XDECREF(tuple);
    Py_XDECREF(dict);
    return result;
}

static PyMethodDef structseq_methods[] = {
    {"__reduce__", (PyCFunction)structseq_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

/* ------------------------------------------------------------- making types */

static Py_ssize_t
count_fields(const PyStructSequence_Desc *desc, Py_ssize_t *unnamed)
{
    Py_ssize_t n = 0;
    *unnamed = 0;
    for (; desc->fields[n].name != NULL; n++) {
        *unnamed += desc->fields[n].name == PyStructSequence_UnnamedField;
    }
    return n;
}

/* A new array with a member for each named field. It lives as long as the type. */
static PyMemberDef *
make_members(const PyStructSequence_Desc *desc, Py_ssize_t n,
             Py_ssize_t unnamed)
{
    PyMemberDef *members = PyMem_New(PyMemberDef, (size_t)(n - unnamed + 1));
    if (members == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_ssize_t k = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (desc->fields[i].name == PyStructSequence_UnnamedField) {
            continue;
        }
        members[k++] = (PyMemberDef){
            .name = desc->fields[i].name,
            .type = T_OBJECT,
            .offset = (Py_ssize_t)offsetof(PyStructSequence, ob_item)
                + i * (Py_ssize_t)sizeof(PyObject *),
            .flags = READONLY,
            .doc = desc->fields[i].doc,
        };
    }
    members[k] = (PyMemberDef){.name = NULL};
    return members;
}

static int
set_count(PyObject *dict, PyObject *key, Py_ssize_t count)
{
    PyObject *number = PyLong_FromSsize_t(count);
    if (number == NULL) {
        return -1;
    }
    int result = PyDict_SetItem(dict, key, number);
    Py_DECREF(number);
    return result;
}

/* Stores the counts, and __match_args__: the names of the visible fields. */
static int
fill_type_dict(PyTypeObject *type, const PyStructSequence_Desc *desc,
               Py_ssize_t n, Py_ssize_t unnamed)
{
    PyObject *dict = type->tp_dict;
    if (set_count(dict, visible_key, desc->n_in_sequence) < 0
        || set_count(dict, real_key, n) < 0
        || set_count(dict, unnamed_key, unnamed) < 0) {
        return -1;
    }
    PyObject *names = PyList_New(0);
    int result = names == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; result == 0 && i < desc->n_in_sequence; i++) {
        if (desc->fields[i].name == PyStructSequence_UnnamedField) {
            continue;
        }
        PyObject *name = PyUnicode_FromString(desc->fields[i].name);
        result = name == NULL ? -1 : PyList_Append(names, name);
        Py_XDECREF(name);
    }
    if (result == 0) {
        PyObject *tuple = PyList_AsTuple(names);
        result = tuple == NULL ? -1
            : PyDict_SetItem(dict, _Py_NAME(dunder_match_args), tuple);
        Py_XDECREF(tuple);
    }
    Py_XDECREF(names);
    return result;
}

int
PyStructSequence_InitType2(PyTypeObject *type, PyStructSequence_Desc *desc)
{
    if (type->tp_flags & Py_TPFLAGS_READY) {
        return 0;
    }
    Py_ssize_t unnamed, n = count_fields(desc, &unnamed);
    PyMemberDef *members = make_members(desc, n, unnamed);
    if (members == NULL) {
        return -1;
    }
    type->tp_name = desc->name;
    type->tp_basicsize = sizeof(PyStructSequence) - sizeof(PyObject *);
    type->tp_itemsize = sizeof(PyObject *);
    type->tp_dealloc = (destructor)structseq_dealloc;
    type->tp_repr = (reprfunc)structseq_repr;
    type->tp_doc = desc->doc;
    type->tp_base = &PyTuple_Type;
    type->tp_methods = structseq_methods;
    type->tp_new = structseq_new;
    type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
    type->tp_traverse = (traverseproc)structseq_traverse;
    type->tp_members = members;
    if (PyType_Ready(type) < 0) {
        PyMem_Free(members);
        return -1;
    }
    Py_INCREF(type);
    return fill_type_dict(type, desc, n, unnamed);
}

void
PyStructSequence_InitType(PyTypeObject *type, PyStructSequence_Desc *desc)
{
    (void)PyStructSequence_InitType2(type, desc);
}

PyTypeObject *
_PyStructSequence_NewType(PyStructSequence_Desc *desc, unsigned long tp_flags)
{
    Py_ssize_t unnamed, n = count_fields(desc, &unnamed);
    PyMemberDef *members = make_members(desc, n, unnamed);
    if (members == NULL) {
        return NULL;
    }
    PyType_Slot slots[] = {
        {Py_tp_dealloc, structseq_dealloc},
        {Py_tp_repr, structseq_repr},
        {Py_tp_methods, structseq_methods},
        {Py_tp_new, structseq_new},
        {Py_tp_members, members},
        {Py_tp_traverse, structseq_traverse},
        {desc->doc != NULL ? Py_tp_doc : 0, (void *)desc->doc},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = desc->name,
        .basicsize = sizeof(PyStructSequence) - sizeof(PyObject *),
        .itemsize = sizeof(PyObject *),
        .flags = (unsigned int)(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                                | tp_flags),
        .slots = slots,
    };
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpecWithBases(
        &spec, (PyObject *)&PyTuple_Type);
    /* PyType_FromSpec copies the members into the type. */
    PyMem_Free(members);
    if (type != NULL && fill_type_dict(type, desc, n, unnamed) < 0) {
        Py_CLEAR(type);
    }
    return type;
}

PyTypeObject *
PyStructSequence_NewType(PyStructSequence_Desc *desc)
{
    return _PyStructSequence_NewType(desc, 0);
}

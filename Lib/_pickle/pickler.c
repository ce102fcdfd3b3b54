/* The Pickler type, its memo's proxy, dump() and dumps(). */
#include "pickler.h"
#include "structmember.h"

/* --------------------------------------------------------------------- life */

static PyObject *
pickler_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
            PyObject *Py_UNUSED(kwds))
{
    Pickler *self = (Pickler *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->frame_start = -1;
    if (_PyMemo_Init(&self->memo) < 0) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static int
pickler_traverse(Pickler *self, visitproc visit, void *arg)
{
    Py_VISIT(self->write);
    Py_VISIT(self->persistent_id.func);
    Py_VISIT(self->dispatch_table);
    Py_VISIT(self->fast_memo);
    Py_VISIT(self->reducer_override);
    Py_VISIT(self->buffer_callback);
    if (self->memo.table != NULL) {
        for (size_t i = 0; i <= self->memo.mask; i++) {
            Py_VISIT(self->memo.table[i].key);
        }
    }
    return 0;
}

static int
pickler_clear(Pickler *self)
{
    Py_CLEAR(self->write);
    Py_CLEAR(self->persistent_id.func);
    Py_CLEAR(self->dispatch_table);
    Py_CLEAR(self->fast_memo);
    Py_CLEAR(self->reducer_override);
    Py_CLEAR(self->buffer_callback);
    _PyMemo_Free(&self->memo);
    return 0;
}

static void
pickler_dealloc(Pickler *self)
{
    PyObject_GC_UnTrack(self);
    pickler_clear(self);
    Py_XDECREF(self->buffer);
    Py_TYPE(self)->tp_free(self);
}

static int
set_protocol(Pickler *self, PyObject *protocol, int fix_imports)
{
    long proto = DEFAULT_PROTOCOL;
    if (protocol != NULL && protocol != Py_None) {
        proto = PyLong_AsLong(protocol);
        if (proto < 0) {
            if (proto == -1 && PyErr_Occurred()) {
                return -1;
            }
            proto = HIGHEST_PROTOCOL;
        }
        else if (proto > HIGHEST_PROTOCOL) {
            PyErr_Format(PyExc_ValueError, "pickle protocol must be <= %d",
                         HIGHEST_PROTOCOL);
            return -1;
        }
    }
    self->proto = (int)proto;
    self->bin = proto > 0;
    self->fix_imports = fix_imports && proto < 3;
    return 0;
}

static int
set_file(Pickler *self, PyObject *file)
{
    PyObject *name = PyUnicode_InternFromString("write");
    if (name == NULL) {
        return -1;
    }
    Py_CLEAR(self->write);
    int found = _PyObject_LookupAttr(file, name, &self->write);
    Py_DECREF(name);
    if (found == 0) {
        PyErr_SetString(PyExc_TypeError,
                        "file must have a 'write' attribute");
    }
    return found > 0 ? 0 : -1;
}

static int
set_buffer_callback(Pickler *self, PyObject *callback)
{
    if (callback == Py_None) {
        callback = NULL;
    }
    if (callback != NULL && self->proto < 5) {
        PyErr_SetString(PyExc_ValueError,
                        "buffer_callback needs protocol >= 5");
        return -1;
    }
    Py_XINCREF(callback);
    Py_XSETREF(self->buffer_callback, callback);
    return 0;
}

static int
pickler_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static const char *const keywords[] = {"file", "protocol", "fix_imports",
                               "buffer_callback", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "O|OpO:Pickler"};
    Pickler *self = (Pickler *)op;
    PyObject *file, *protocol = Py_None, *callback = Py_None, *table;
    int fix_imports = 1;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &parser, &file, &protocol, &fix_imports,
                                          &callback)) {
        return -1;
    }
    /* May be called again. */
    if (self->write != NULL) {
        pickler_clear(self);
        if (_PyMemo_Init(&self->memo) < 0) {
            return -1;
        }
    }
    if (set_protocol(self, protocol, fix_imports) < 0
        || set_file(self, file) < 0
        || set_buffer_callback(self, callback) < 0) {
        return -1;
    }
    self->fast = 0;
    self->fast_nesting = 0;
    Py_CLEAR(self->fast_memo);
    self->out_length = 0;
    self->frame_start = -1;
    if (_PyPickle_FindMethod(op, "persistent_id",
                             &self->persistent_id) < 0) {
        return -1;
    }
    PyObject *name = PyUnicode_InternFromString("dispatch_table");
    if (name == NULL) {
        return -1;
    }
    int found = _PyObject_LookupAttr(op, name, &table);
    Py_DECREF(name);
    if (found < 0) {
        return -1;
    }
    Py_XSETREF(self->dispatch_table, table);
    return 0;
}

/* ------------------------------------------------------------------ dumping */

/* Does everything except writing to the file. */
static int
dump(Pickler *self, PyObject *obj)
{
    self->out_length = 0;
    self->frame_start = -1;
    self->framing = 0;
    /* Only during the call: as an attribute it would form a cycle with self. */
    PyObject *override = NULL;
    if (!Py_IS_TYPE(self, &_PyPickler_Type)) {
        PyObject *name = PyUnicode_InternFromString("reducer_override");
        int found = name == NULL ? -1
            : _PyObject_LookupAttr((PyObject *)self, name, &override);
        Py_XDECREF(name);
        if (found < 0) {
            return -1;
        }
    }
    self->reducer_override = override;
    int result = 0;
    if (self->proto >= 2) {
        const char header[2] = {(char)PROTO, (char)self->proto};
        result = _PyPickler_Write(self, header, 2);
        self->framing = self->proto >= 4;
    }
    if (result == 0) {
        result = _PyPickler_Save(self, obj, 0) < 0
            || write_op(self, STOP) < 0
            || _PyPickler_EndFrame(self) < 0 ? -1 : 0;
    }
    self->framing = 0;
    Py_CLEAR(self->reducer_override);
    return result;
}

static PyObject *
pickler_dump(Pickler *self, PyObject *obj)
{
    if (self->write == NULL) {
        PyErr_Format(_PyPickle()->pickling_error,
                     "Pickler.__init__() was not called by %s.__init__()",
                     Py_TYPE(self)->tp_name);
        return NULL;
    }
    if (dump(self, obj) < 0 || _PyPickler_Flush(self) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
pickler_clear_memo(Pickler *self, PyObject *Py_UNUSED(ignored))
{
    if (_PyMemo_Clear(&self->memo) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
pickler_sizeof(Pickler *self, PyObject *Py_UNUSED(ignored))
{
    size_t size = (size_t)_PyObject_SIZE(Py_TYPE(self))
        + (size_t)self->out_room
        + (self->memo.mask + 1) * sizeof(struct memo_entry);
    return PyLong_FromSize_t(size);
}

/* ---------------------------------------------------------- dump() and dumps() */

/* Of a pickler, MOST_OUTPUT_KEPT bytes and so many places of its memo are kept for the next call. */
#define MOST_PLACES_KEPT 64

/* Steals a pickler that nobody else has seen, unless the garbage collector has shown it. */
static void
give_back(Pickler *self)
{
    if (Py_REFCNT(self) > 1 || self->out_room > MOST_OUTPUT_KEPT
        || self->memo.mask >= MOST_PLACES_KEPT) {
        Py_DECREF(self);
        return;
    }
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->write);
    Py_CLEAR(self->buffer_callback);
    Py_CLEAR(self->fast_memo);
    /* Destructors may call dumps(). */
    for (size_t i = 0; i <= self->memo.mask && self->memo.used > 0; i++) {
        if (self->memo.table[i].key != NULL) {
            self->memo.used--;
            Py_CLEAR(self->memo.table[i].key);
        }
    }
    struct pickle_shared *shared = _PyPickle();
    if (shared != NULL && shared->spare_pickler == NULL) {
        shared->spare_pickler = (PyObject *)self;
    }
    else {
        Py_DECREF(self);
    }
}

static Pickler *
make_pickler(PyObject *protocol, int fix_imports, PyObject *callback)
{
    struct pickle_shared *shared = _PyPickle();
    Pickler *self = (Pickler *)shared->spare_pickler;
    if (self != NULL) {
        shared->spare_pickler = NULL;
        PyObject_GC_Track(self);
    }
    else if ((self = (Pickler *)pickler_new(&_PyPickler_Type, NULL, NULL)) == NULL) {
        return NULL;
    }
    if (set_protocol(self, protocol, fix_imports) < 0
        || set_buffer_callback(self, callback) < 0) {
        give_back(self);
        return NULL;
    }
    return self;
}

PyObject *
_PyPickle_dump(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const keywords[] = {"obj", "file", "protocol", "fix_imports",
                               "buffer_callback", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "OO|O$pO:dump"};
    PyObject *obj, *file, *protocol = Py_None, *callback = Py_None;
    int fix_imports = 1;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &obj, &file, &protocol,
                                      &fix_imports, &callback)) {
        return NULL;
    }
    Pickler *self = make_pickler(protocol, fix_imports, callback);
    if (self == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (set_file(self, file) == 0) {
        result = pickler_dump(self, obj);
    }
    give_back(self);
    return result;
}

PyObject *
_PyPickle_dumps(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"obj", "protocol", "fix_imports",
                               "buffer_callback", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "O|O$pO:dumps"};
    PyObject *obj, *protocol = Py_None, *callback = Py_None;
    int fix_imports = 1;
    if (nargs == 1 && kwnames == NULL) {
        obj = args[0];
    }
    else if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &obj, &protocol,
                                           &fix_imports, &callback)) {
        return NULL;
    }
    Pickler *self = make_pickler(protocol, fix_imports, callback);
    if (self == NULL) {
        return NULL;
    }
    PyObject *result = dump(self, obj) < 0 ? NULL
        : _PyPickler_TakeOutput(self);
    give_back(self);
    return result;
}

/* --------------------------------------------------------------- attributes */

PyObject *
_PyPickler_ClearMemo(PyObject *pickler)
{
    return pickler_clear_memo((Pickler *)pickler, NULL);
}

PyObject *
_PyPickler_CopyMemo(PyObject *pickler)
{
    const struct memo *memo = &((Pickler *)pickler)->memo;
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict != NULL && i <= memo->mask; i++) {
        struct memo_entry *entry = &memo->table[i];
        if (entry->key == NULL) {
            continue;
        }
        PyObject *address = PyLong_FromVoidPtr(entry->key);
        PyObject *value = Py_BuildValue("nO", entry->number, entry->key);
        if (address == NULL || value == NULL
            || PyDict_SetItem(dict, address, value) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(address);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *
pickler_get_memo(Pickler *self, void *Py_UNUSED(closure))
{
    return _PyPickle_NewMemoProxy(&_PyPicklerMemoProxy_Type, (PyObject *)self);
}

/* Fills a new memo from another's or from a copy(). */
static int
fill_memo(struct memo *memo, PyObject *source)
{
    if (Py_IS_TYPE(source, &_PyPicklerMemoProxy_Type)) {
        const struct memo *other = &((Pickler *)((MemoProxy *)source)->owner)->memo;
        for (size_t i = 0; i <= other->mask; i++) {
            if (other->table[i].key != NULL
                && _PyMemo_Set(memo, other->table[i].key,
                               other->table[i].number) < 0) {
                return -1;
            }
        }
        return 0;
    }
    if (!PyDict_Check(source)) {
        PyErr_Format(PyExc_TypeError,
                     "'memo' attribute must be a PicklerMemoProxy object "
                     "or dict, not %.200s", Py_TYPE(source)->tp_name);
        return -1;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    while (PyDict_Next(source, &pos, &key, &value)) {
        if (!PyTuple_Check(value) || PyTuple_GET_SIZE(value) != 2) {
            PyErr_SetString(PyExc_TypeError,
                            "'memo' values must be 2-item tuples");
            return -1;
        }
        Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GET_ITEM(value, 0));
        if ((number == -1 && PyErr_Occurred())
            || _PyMemo_Set(memo, PyTuple_GET_ITEM(value, 1), number) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
pickler_set_memo(Pickler *self, PyObject *source, void *Py_UNUSED(closure))
{
    if (_PyPickle_RefuseDeletion(source) < 0) {
        return -1;
    }
    struct memo memo;
    if (_PyMemo_Init(&memo) < 0) {
        return -1;
    }
    if (fill_memo(&memo, source) < 0) {
        _PyMemo_Free(&memo);
        return -1;
    }
    struct memo old = self->memo;
    self->memo = memo;
    _PyMemo_Free(&old);
    return 0;
}

static PyObject *
pickler_get_persid(Pickler *self, void *Py_UNUSED(closure))
{
    return _PyPickle_GetMethod(&self->persistent_id, "persistent_id");
}

static int
pickler_set_persid(Pickler *self, PyObject *value, void *Py_UNUSED(closure))
{
    return _PyPickle_SetMethod(&self->persistent_id, "persistent_id", value);
}

static PyMemberDef pickler_members[] = {
    {"bin", T_INT, offsetof(Pickler, bin), 0, NULL},
    {"fast", T_INT, offsetof(Pickler, fast), 0, NULL},
    {"dispatch_table", T_OBJECT_EX, offsetof(Pickler, dispatch_table), 0,
     NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef pickler_getset[] = {
    {"memo", (getter)pickler_get_memo, (setter)pickler_set_memo, NULL, NULL},
    {"persistent_id", (getter)pickler_get_persid, (setter)pickler_set_persid,
     NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMethodDef pickler_methods[] = {
    {"dump", (PyCFunction)pickler_dump, METH_O,
     "dump($self, obj, /)\n--\n\n"
     "Write a pickled representation of the given object to the open file."},
    {"clear_memo", (PyCFunction)pickler_clear_memo, METH_NOARGS,
     "clear_memo($self, /)\n--\n\n"
     "Clears the pickler's \"memo\".\n\n"
     "The memo remembers which objects the pickler has already seen, so that "
     "shared\nobjects are pickled by reference and not by value."},
    {"__sizeof__", (PyCFunction)pickler_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nReturns size in memory, in bytes."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyPickler_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_pickle.Pickler",
    .tp_basicsize = sizeof(Pickler),
    .tp_dealloc = (destructor)pickler_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Pickler(file, protocol=None, fix_imports=True, "
        "buffer_callback=None)\n--\n\n"
        "This takes a binary file for writing a pickle data stream.\n\n"
        "protocol is one of 0 to 5; the default is 4.  Negative numbers "
        "select the\nhighest.  If fix_imports is true and protocol is below "
        "3, names are mapped to\nthose of Python 2.  buffer_callback, if not "
        "None, is called with each\nPickleBuffer; what it returns true for is "
        "pickled in-band.",
    .tp_traverse = (traverseproc)pickler_traverse,
    .tp_clear = (inquiry)pickler_clear,
    .tp_methods = pickler_methods,
    .tp_members = pickler_members,
    .tp_getset = pickler_getset,
    .tp_init = pickler_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = pickler_new,
    .tp_free = PyObject_GC_Del,
};

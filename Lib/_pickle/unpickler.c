/* The Unpickler type, its memo's proxy, load() and loads(). */
#include "unpickler.h"
#include "structmember.h"
#include "internal/method_table.h"

/* --------------------------------------------------------------------- life */

static PyObject *
unpickler_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
              PyObject *Py_UNUSED(kwds))
{
    return type->tp_alloc(type, 0);
}

static int
unpickler_traverse(Unpickler *self, visitproc visit, void *arg)
{
    Py_VISIT(self->read);
    Py_VISIT(self->readinto);
    Py_VISIT(self->readline);
    Py_VISIT(self->peek);
    Py_VISIT(self->buffers);
    Py_VISIT(self->persistent_load.func);
    for (Py_ssize_t i = 0; i < self->size; i++) {
        Py_VISIT(self->stack[i]);
    }
    for (size_t i = 0; i < self->memo_room; i++) {
        Py_VISIT(self->memo[i]);
    }
    return 0;
}

static void
free_memo(PyObject **memo, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        Py_XDECREF(memo[i]);
    }
    PyMem_Free(memo);
}

static void
forget_memo(Unpickler *self)
{
    PyObject **memo = self->memo;
    size_t room = self->memo_room;
    self->memo = NULL;
    self->memo_room = self->memo_used = 0;
    free_memo(memo, room);
}

static int
unpickler_clear(Unpickler *self)
{
    Py_CLEAR(self->read);
    Py_CLEAR(self->readinto);
    Py_CLEAR(self->readline);
    Py_CLEAR(self->peek);
    Py_CLEAR(self->buffers);
    Py_CLEAR(self->persistent_load.func);
    _PyUnpickler_DropInput(self);
    _PyUnpickler_ClearStack(self);
    forget_memo(self);
    return 0;
}

static void
unpickler_dealloc(Unpickler *self)
{
    PyObject_GC_UnTrack(self);
    unpickler_clear(self);
    PyMem_Free(self->stack);
    PyMem_Free(self->marks);
    PyMem_Free(self->line);
    PyMem_Free(self->encoding);
    PyMem_Free(self->errors);
    Py_TYPE(self)->tp_free(self);
}

/* ------------------------------------------------------------------- set-up */

/* One of the file's methods: -1 with an exception; *method may be NULL. */
static int
take_method(PyObject *file, const char *name, PyObject **method)
{
    PyObject *key = PyUnicode_InternFromString(name), *value;
    if (key == NULL) {
        return -1;
    }
    int found = _PyObject_LookupAttr(file, key, &value);
    Py_DECREF(key);
    if (found >= 0) {
        Py_XSETREF(*method, value);
    }
    return found < 0 ? -1 : 0;
}

static int
set_file(Unpickler *self, PyObject *file)
{
    if (take_method(file, "peek", &self->peek) < 0
        || take_method(file, "readinto", &self->readinto) < 0
        || take_method(file, "read", &self->read) < 0
        || take_method(file, "readline", &self->readline) < 0) {
        return -1;
    }
    if (self->read == NULL || self->readline == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "file must have 'read' and 'readline' attributes");
        Py_CLEAR(self->read);
        Py_CLEAR(self->readinto);
        Py_CLEAR(self->readline);
        Py_CLEAR(self->peek);
        return -1;
    }
    return 0;
}

static int
set_text(char **place, const char *text)
{
    if (*place == NULL || strcmp(*place, text) != 0) {
        PyMem_Free(*place);
        *place = _PyMem_Strdup(text);
        if (*place == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}

static int
set_options(Unpickler *self, int fix_imports, const char *encoding,
            const char *errors, PyObject *buffers)
{
    if (set_text(&self->encoding, encoding) < 0 || set_text(&self->errors, errors) < 0) {
        return -1;
    }
    self->fix_imports = fix_imports;
    self->proto = 0;
    PyObject *iter = NULL;
    if (buffers != NULL && buffers != Py_None
        && (iter = PyObject_GetIter(buffers)) == NULL) {
        return -1;
    }
    Py_XSETREF(self->buffers, iter);
    return 0;
}

/* The options that all four loading functions have. */
struct options {
    int fix_imports;
    const char *encoding;
    const char *errors;
    PyObject *buffers;
};

#define OPTIONS_DEFAULT {1, "ASCII", "strict", NULL}

static int
unpickler_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static const char *const keywords[] = {"file", "fix_imports", "encoding", "errors",
        "buffers", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "O|$pssO:Unpickler"};
    Unpickler *self = (Unpickler *)op;
    struct options o = OPTIONS_DEFAULT;
    PyObject *file;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &parser, &file, &o.fix_imports,
                                          &o.encoding, &o.errors, &o.buffers)) {
        return -1;
    }
    /* May be called again. */
    if (self->read != NULL) {
        unpickler_clear(self);
    }
    if (set_file(self, file) < 0
        || set_options(self, o.fix_imports, o.encoding, o.errors,
                       o.buffers) < 0
        || _PyPickle_FindMethod(op, "persistent_load",
                                &self->persistent_load) < 0) {
        return -1;
    }
    forget_memo(self);
    return 0;
}

/* ------------------------------------------------------------------ loading */

static PyObject *
unpickler_load(Unpickler *self, PyObject *Py_UNUSED(ignored))
{
    if (self->read == NULL) {
        PyErr_Format(_PyPickle()->unpickling_error,
                     "Unpickler.__init__() was not called by %s.__init__()",
                     Py_TYPE(self)->tp_name);
        return NULL;
    }
    return _PyUnpickler_Run(self);
}

/* ---------------------------------------------------------- load() and loads() */

/* An unpickler with more places than these is not kept for the next call. */
#define MOST_PLACES_KEPT 256

/* Steals an unpickler that nobody else has seen, unless the garbage collector has shown it. */
static void
give_back(Unpickler *self)
{
    if (Py_REFCNT(self) > 1 || self->room > MOST_PLACES_KEPT || self->line != NULL
        || self->marks_room > MOST_PLACES_KEPT || self->memo_room > MOST_PLACES_KEPT) {
        Py_DECREF(self);
        return;
    }
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->read);
    Py_CLEAR(self->readinto);
    Py_CLEAR(self->readline);
    Py_CLEAR(self->peek);
    Py_CLEAR(self->buffers);
    _PyUnpickler_DropInput(self);
    _PyUnpickler_ClearStack(self);
    /* Destructors may call loads(). */
    for (size_t i = 0; self->memo_used > 0; i++) {
        if (self->memo[i] != NULL) {
            self->memo_used--;
            Py_CLEAR(self->memo[i]);
        }
    }
    struct pickle_shared *shared = _PyPickle();
    if (shared != NULL && shared->spare_unpickler == NULL) {
        shared->spare_unpickler = (PyObject *)self;
    }
    else {
        Py_DECREF(self);
    }
}

static Unpickler *
make_unpickler(void)
{
    struct pickle_shared *shared = _PyPickle();
    PyObject *self = shared->spare_unpickler;
    if (self == NULL) {
        return (Unpickler *)unpickler_new(&_PyUnpickler_Type, NULL, NULL);
    }
    shared->spare_unpickler = NULL;
    PyObject_GC_Track(self);
    return (Unpickler *)self;
}

/* What to read from is given to the unpickler by set_source(). */
static PyObject *
load_once(int (*set_source)(Unpickler *, PyObject *), PyObject *source, const struct options *o)
{
    Unpickler *self = make_unpickler();
    if (self == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (set_source(self, source) == 0
        && set_options(self, o->fix_imports, o->encoding, o->errors, o->buffers) == 0) {
        result = _PyUnpickler_Run(self);
    }
    give_back(self);
    return result;
}

PyObject *
_PyPickle_load(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const keywords[] = {"file", "fix_imports", "encoding", "errors",
        "buffers", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "O|$pssO:load"};
    struct options o = OPTIONS_DEFAULT;
    PyObject *file;
    if (nargs == 1 && kwnames == NULL) {
        file = args[0];
    }
    else if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &file, &o.fix_imports,
                                           &o.encoding, &o.errors, &o.buffers)) {
        return NULL;
    }
    return load_once(set_file, file, &o);
}

PyObject *
_PyPickle_loads(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"", "fix_imports", "encoding", "errors",
        "buffers", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "O|$pssO:loads"};
    struct options o = OPTIONS_DEFAULT;
    PyObject *data;
    if (nargs == 1 && kwnames == NULL) {
        data = args[0];
    }
    else if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &data, &o.fix_imports,
                                           &o.encoding, &o.errors, &o.buffers)) {
        return NULL;
    }
    return load_once(_PyUnpickler_SetBytes, data, &o);
}

/* --------------------------------------------------------------- find_class */

/* The Python 3 name of a Python 2 global. Replaces both names. */
static int
map_to_python3(PyObject **module_name, PyObject **name)
{
    PyObject *key = PyTuple_Pack(2, *module_name, *name);
    if (key == NULL) {
        return -1;
    }
    PyObject *new = PyDict_GetItemWithError(_PyPickle()->name_mapping_2to3, key);
    Py_DECREF(key);
    if (new != NULL) {
        if (!PyTuple_Check(new) || PyTuple_GET_SIZE(new) != 2) {
            PyErr_Format(PyExc_RuntimeError,
                         "_compat_pickle.NAME_MAPPING values should be "
                         "2-tuples, not %.200s", Py_TYPE(new)->tp_name);
            return -1;
        }
        PyObject *new_module = PyTuple_GET_ITEM(new, 0);
        PyObject *new_name = PyTuple_GET_ITEM(new, 1);
        if (!PyUnicode_Check(new_module) || !PyUnicode_Check(new_name)) {
            PyErr_Format(PyExc_RuntimeError,
                         "_compat_pickle.NAME_MAPPING values should be pairs "
                         "of str, not (%.200s, %.200s)",
                         Py_TYPE(new_module)->tp_name,
                         Py_TYPE(new_name)->tp_name);
            return -1;
        }
        Py_INCREF(new_module);
        Py_INCREF(new_name);
        Py_SETREF(*module_name, new_module);
        Py_SETREF(*name, new_name);
        return 0;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    new = PyDict_GetItemWithError(_PyPickle()->import_mapping_2to3,
                                  *module_name);
    if (new == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    if (!PyUnicode_Check(new)) {
        PyErr_Format(PyExc_RuntimeError,
                     "_compat_pickle.IMPORT_MAPPING values should be "
                     "strings, not %.200s", Py_TYPE(new)->tp_name);
        return -1;
    }
    Py_INCREF(new);
    Py_SETREF(*module_name, new);
    return 0;
}

/* Finds an object in a module; `dotted` says whether dots in the name are followed. */
static PyObject *
get_global(PyObject *module, PyObject *name, int dotted)
{
    PyObject *obj = NULL;
    if (dotted) {
        PyObject *names = _PyPickle_SplitName(module, name);
        if (names == NULL) {
            return NULL;
        }
        obj = _PyPickle_GetDotted(module, names, NULL);
        Py_DECREF(names);
    }
    else {
        _PyObject_LookupAttr(module, name, &obj);
    }
    if (obj == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_AttributeError, "Can't get attribute %R on %R",
                     name, module);
    }
    return obj;
}

PyObject *
_PyUnpickler_FindClass(Unpickler *self, PyObject *module_name, PyObject *name)
{
    if (PySys_Audit("pickle.find_class", "OO", module_name, name) < 0) {
        return NULL;
    }
    Py_INCREF(module_name);
    Py_INCREF(name);
    PyObject *obj = NULL;
    if (self->proto >= 3 || !self->fix_imports
        || map_to_python3(&module_name, &name) == 0) {
        PyObject *module = PyImport_Import(module_name);
        if (module != NULL) {
            obj = get_global(module, name, self->proto >= 4);
            Py_DECREF(module);
        }
    }
    Py_DECREF(module_name);
    Py_DECREF(name);
    return obj;
}

static PyObject *
unpickler_find_class(Unpickler *self, PyObject *const *args, Py_ssize_t nargs)
{
    return _PyArg_CheckPositional("find_class", nargs, 2, 2)
        ? _PyUnpickler_FindClass(self, args[0], args[1]) : NULL;
}

static PyObject *
unpickler_sizeof(Unpickler *self, PyObject *Py_UNUSED(ignored))
{
    size_t size = (size_t)_PyObject_SIZE(Py_TYPE(self));
    size += self->memo_room * sizeof(PyObject *);
    size += (size_t)self->room * sizeof(PyObject *);
    size += (size_t)self->marks_room * sizeof(Py_ssize_t);
    size += self->line != NULL ? strlen(self->line) + 1 : 0;
    size += self->encoding != NULL ? strlen(self->encoding) + 1 : 0;
    size += self->errors != NULL ? strlen(self->errors) + 1 : 0;
    return PyLong_FromSize_t(size);
}

/* --------------------------------------------------------------- attributes */

PyObject *
_PyUnpickler_ClearMemo(PyObject *unpickler)
{
    forget_memo((Unpickler *)unpickler);
    Py_RETURN_NONE;
}

PyObject *
_PyUnpickler_CopyMemo(PyObject *op)
{
    Unpickler *unpickler = (Unpickler *)op;
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict != NULL && i < unpickler->memo_room; i++) {
        if (unpickler->memo[i] == NULL) {
            continue;
        }
        PyObject *number = PyLong_FromSize_t(i);
        if (number == NULL
            || PyDict_SetItem(dict, number, unpickler->memo[i]) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(number);
    }
    return dict;
}

static PyObject *
unpickler_get_memo(Unpickler *self, void *Py_UNUSED(closure))
{
    return _PyPickle_NewMemoProxy(&_PyUnpicklerMemoProxy_Type, (PyObject *)self);
}

/* Fills an empty memo from another's or from a copy(). */
static int
fill_memo(Unpickler *self, PyObject *source)
{
    if (Py_IS_TYPE(source, &_PyUnpicklerMemoProxy_Type)) {
        Unpickler *other = (Unpickler *)((MemoProxy *)source)->owner;
        for (size_t i = 0; i < other->memo_room; i++) {
            if (other->memo[i] != NULL
                && _PyUnpickler_MemoPut(self, i,
                                        Py_NewRef(other->memo[i])) < 0) {
                return -1;
            }
        }
        return 0;
    }
    if (!PyDict_Check(source)) {
        PyErr_Format(PyExc_TypeError,
                     "'memo' attribute must be an UnpicklerMemoProxy object "
                     "or dict, not %.200s", Py_TYPE(source)->tp_name);
        return -1;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    while (PyDict_Next(source, &pos, &key, &value)) {
        if (!PyLong_Check(key)) {
            PyErr_SetString(PyExc_TypeError, "memo key must be integers");
            return -1;
        }
        Py_ssize_t number = PyLong_AsSsize_t(key);
        if (number < 0) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError,
                                "memo key must be positive integers.");
            }
            return -1;
        }
        if (_PyUnpickler_MemoPut(self, (size_t)number,
                                 Py_NewRef(value)) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
unpickler_set_memo(Unpickler *self, PyObject *source,
                   void *Py_UNUSED(closure))
{
    if (_PyPickle_RefuseDeletion(source) < 0) {
        return -1;
    }
    PyObject **old = self->memo;
    size_t old_room = self->memo_room, old_used = self->memo_used;
    if (Py_IS_TYPE(source, &_PyUnpicklerMemoProxy_Type)
        && ((MemoProxy *)source)->owner == (PyObject *)self) {
        return 0;
    }
    self->memo = NULL;
    self->memo_room = self->memo_used = 0;
    if (fill_memo(self, source) < 0) {
        forget_memo(self);
        self->memo = old;
        self->memo_room = old_room;
        self->memo_used = old_used;
        return -1;
    }
    free_memo(old, old_room);
    return 0;
}

static PyObject *
unpickler_get_persload(Unpickler *self, void *Py_UNUSED(closure))
{
    return _PyPickle_GetMethod(&self->persistent_load, "persistent_load");
}

static int
unpickler_set_persload(Unpickler *self, PyObject *value, void *Py_UNUSED(closure))
{
    return _PyPickle_SetMethod(&self->persistent_load, "persistent_load", value);
}

static PyGetSetDef unpickler_getset[] = {
    {"memo", (getter)unpickler_get_memo, (setter)unpickler_set_memo, NULL,
     NULL},
    {"persistent_load", (getter)unpickler_get_persload,
     (setter)unpickler_set_persload, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMethodDef unpickler_methods[] = {
    {"load", (PyCFunction)unpickler_load, METH_NOARGS,
     "load($self, /)\n--\n\n"
     "Load a pickle.\n\n"
     "Read a pickled object representation from the open file object given "
     "in\nthe constructor, and return the reconstituted object hierarchy "
     "specified\ntherein."},
    {"find_class", FAST(unpickler_find_class),
     "find_class($self, module_name, global_name, /)\n--\n\n"
     "Return an object from a specified module.\n\n"
     "If necessary, the module will be imported. Subclasses may override "
     "this\nmethod (e.g. to restrict unpickling of arbitrary classes and "
     "functions)."},
    {"__sizeof__", (PyCFunction)unpickler_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nReturns size in memory, in bytes."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyUnpickler_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_pickle.Unpickler",
    .tp_basicsize = sizeof(Unpickler),
    .tp_dealloc = (destructor)unpickler_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Unpickler(file, *, fix_imports=True, encoding='ASCII', "
        "errors='strict',\n          buffers=())\n--\n\n"
        "This takes a binary file for reading a pickle data stream.\n\n"
        "The protocol version of the pickle is detected automatically.  The "
        "file needs\nread() and readline(); readinto() and peek() are used if "
        "it has them.\nfix_imports, encoding and errors tell how to read what "
        "Python 2 wrote;\nbuffers gives the buffers that were pickled "
        "out-of-band.",
    .tp_traverse = (traverseproc)unpickler_traverse,
    .tp_clear = (inquiry)unpickler_clear,
    .tp_methods = unpickler_methods,
    .tp_getset = unpickler_getset,
    .tp_init = unpickler_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = unpickler_new,
    .tp_free = PyObject_GC_Del,
};

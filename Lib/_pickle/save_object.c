/* Saving classes and functions by their names, and other objects by their reductions. */
#include "pickler.h"
#include "internal/names.h"

static int
name_is(PyObject *name, const char *text)
{
    return PyUnicode_Check(name) && _PyUnicode_EqualToASCIIString(name, text);
}

/* ------------------------------------------------------------------ globals */

/* Does the module have this object under that name? 1, 0, -1. */
static int
module_has(PyObject *name, PyObject *module, PyObject *obj, PyObject *names)
{
    if (module == Py_None || name_is(name, "__main__")) {
        return 0;
    }
    PyObject *found = _PyPickle_GetDotted(module, names, NULL);
    if (found == NULL) {
        /* Ignore any exception that a module's __getattr__ raises. */
        PyErr_Clear();
        return 0;
    }
    Py_DECREF(found);
    return found == obj;
}

/* The name of the module that obj comes from. New reference. */
static PyObject *
which_module(PyObject *obj, PyObject *names)
{
    PyObject *name;
    if (_PyObject_LookupAttr(obj, _Py_NAME(dunder_module), &name) < 0) {
        return NULL;
    }
    if (name != NULL && name != Py_None) {
        return name;
    }
    Py_XDECREF(name);
    /* Some objects have no module, such as some C functions: search all modules. */
    PyObject *modules = PySys_GetObject("modules");
    if (modules == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "unable to get sys.modules");
        return NULL;
    }
    PyObject *items = PyMapping_Items(modules);
    if (items == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 2) {
            continue;
        }
        int has = module_has(PyTuple_GET_ITEM(item, 0),
                             PyTuple_GET_ITEM(item, 1), obj, names);
        if (has > 0) {
            name = Py_NewRef(PyTuple_GET_ITEM(item, 0));
            Py_DECREF(items);
            return name;
        }
    }
    Py_DECREF(items);
    return PyUnicode_FromString("__main__");
}

/* The name of a global, and its place. */
struct global {
    PyObject *name;             /* perhaps dotted */
    PyObject *last_name;        /* its last part, borrowed */
    PyObject *names;            /* its parts */
    PyObject *module_name;
    PyObject *module;
    PyObject *parent;           /* the object whose attribute last_name it is */
};

static void
global_free(struct global *g)
{
    Py_XDECREF(g->name);
    Py_XDECREF(g->names);
    Py_XDECREF(g->module_name);
    Py_XDECREF(g->module);
    Py_XDECREF(g->parent);
}

/* Fills in the struct, and checks that importing the name gives the same object. */
static int
global_find(struct global *g, PyObject *obj, PyObject *name)
{
    if (name != NULL) {
        g->name = Py_NewRef(name);
    }
    else {
        if (_PyObject_LookupAttr(obj, _Py_NAME(dunder_qualname), &g->name) < 0) {
            return -1;
        }
        if (g->name == NULL) {
            g->name = PyObject_GetAttr(obj, _Py_NAME(dunder_name));
            if (g->name == NULL) {
                return -1;
            }
        }
    }
    g->names = _PyPickle_SplitName(NULL, g->name);
    if (g->names == NULL) {
        return -1;
    }
    g->module_name = which_module(obj, g->names);
    if (g->module_name == NULL) {
        return -1;
    }
    g->module = PyImport_Import(g->module_name);
    if (g->module == NULL) {
        PyErr_Format(_PyPickle()->pickling_error,
                     "Can't pickle %R: import of module %R failed",
                     obj, g->module_name);
        return -1;
    }
    PyObject *found = _PyPickle_GetDotted(g->module, g->names, &g->parent);
    if (found == NULL) {
        PyErr_Clear();
        PyErr_Format(_PyPickle()->pickling_error,
                     "Can't pickle %R: attribute lookup %S on %S failed",
                     obj, g->name, g->module_name);
        return -1;
    }
    Py_DECREF(found);
    if (found != obj) {
        PyErr_Format(_PyPickle()->pickling_error,
                     "Can't pickle %R: it's not the same object as %S.%S",
                     obj, g->module_name, g->name);
        return -1;
    }
    g->last_name = PyList_GET_ITEM(g->names, PyList_GET_SIZE(g->names) - 1);
    if (g->parent == g->module) {
        /* A dotted name may lead back to the module. */
        Py_INCREF(g->last_name);
        Py_SETREF(g->name, g->last_name);
    }
    return 0;
}

/* Saves it by its number in the registry of extensions: 1 if it has one. */
static int
save_extension(Pickler *self, PyObject *obj, const struct global *g)
{
    PyObject *key = PyTuple_Pack(2, g->module_name, g->name);
    if (key == NULL) {
        return -1;
    }
    PyObject *number = PyDict_GetItemWithError(_PyPickle()->extension_registry,
                                               key);
    Py_DECREF(key);
    if (number == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    if (!PyLong_Check(number)) {
        PyErr_Format(_PyPickle()->pickling_error,
                     "Can't pickle %R: extension code %R isn't an integer",
                     obj, number);
        return -1;
    }
    long code = PyLong_AsLong(number);
    if (code <= 0 || code > 0x7fffffffL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_RuntimeError,
                         "Can't pickle %R: extension code %ld is out of "
                         "range", obj, code);
        }
        return -1;
    }
    unsigned char op[5];
    int bytes = code <= 0xff ? 1 : code <= 0xffff ? 2 : 4;
    op[0] = bytes == 1 ? EXT1 : bytes == 2 ? EXT2 : EXT4;
    store_le(op + 1, (uint64_t)code, bytes);
    return _PyPickler_Write(self, op, bytes + 1) < 0 ? -1 : 1;
}

/* The name that Python 2 used. Replaces *module_name and *name. */
static int
map_to_python2(PyObject **module_name, PyObject **name)
{
    PyObject *key = PyTuple_Pack(2, *module_name, *name);
    if (key == NULL) {
        return -1;
    }
    PyObject *old = PyDict_GetItemWithError(_PyPickle()->name_mapping_3to2, key);
    Py_DECREF(key);
    if (old != NULL) {
        if (!PyTuple_Check(old) || PyTuple_GET_SIZE(old) != 2) {
            PyErr_Format(PyExc_RuntimeError,
                         "_compat_pickle.REVERSE_NAME_MAPPING values should "
                         "be 2-tuples, not %.200s", Py_TYPE(old)->tp_name);
            return -1;
        }
        PyObject *old_module = PyTuple_GET_ITEM(old, 0);
        PyObject *old_name = PyTuple_GET_ITEM(old, 1);
        if (!PyUnicode_Check(old_module) || !PyUnicode_Check(old_name)) {
            PyErr_Format(PyExc_RuntimeError,
                         "_compat_pickle.REVERSE_NAME_MAPPING values should "
                         "be pairs of str, not (%.200s, %.200s)",
                         Py_TYPE(old_module)->tp_name,
                         Py_TYPE(old_name)->tp_name);
            return -1;
        }
        Py_INCREF(old_module);
        Py_INCREF(old_name);
        Py_SETREF(*module_name, old_module);
        Py_SETREF(*name, old_name);
        return 0;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    old = PyDict_GetItemWithError(_PyPickle()->import_mapping_3to2,
                                  *module_name);
    if (old == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    if (!PyUnicode_Check(old)) {
        PyErr_Format(PyExc_RuntimeError,
                     "_compat_pickle.REVERSE_IMPORT_MAPPING values should be "
                     "strings, not %.200s", Py_TYPE(old)->tp_name);
        return -1;
    }
    Py_INCREF(old);
    Py_SETREF(*module_name, old);
    return 0;
}

/* One line; protocols before 3 are ASCII. */
static int
write_line(Pickler *self, PyObject *text, const struct global *g)
{
    PyObject *bytes = self->proto == 3 ? PyUnicode_AsUTF8String(text)
                                       : PyUnicode_AsASCIIString(text);
    if (bytes == NULL) {
        if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Format(_PyPickle()->pickling_error,
                         "can't pickle global identifier '%S.%S' using "
                         "pickle protocol %i", g->module_name, g->name,
                         self->proto);
        }
        return -1;
    }
    int result = _PyPickler_Write(self, PyBytes_AS_STRING(bytes),
                                  PyBytes_GET_SIZE(bytes)) < 0
        || _PyPickler_Write(self, "\n", 1) < 0 ? -1 : 0;
    Py_DECREF(bytes);
    return result;
}

static int
save_global_lines(Pickler *self, struct global *g)
{
    PyObject *module_name = Py_NewRef(g->module_name);
    PyObject *name = Py_NewRef(g->name);
    int result = self->proto < 3 && self->fix_imports
        ? map_to_python2(&module_name, &name) : 0;
    if (result == 0) {
        result = write_op(self, GLOBAL) < 0
            || write_line(self, module_name, g) < 0
            || write_line(self, name, g) < 0 ? -1 : 0;
    }
    Py_DECREF(module_name);
    Py_DECREF(name);
    return result;
}

/* name is NULL for the object's own name. */
static int
save_global(Pickler *self, PyObject *obj, PyObject *name)
{
    struct global g;
    memset(&g, 0, sizeof(g));
    int result = global_find(&g, obj, name);
    if (result == 0 && self->proto >= 2) {
        result = save_extension(self, obj, &g);
        if (result != 0) {
            global_free(&g);
            return result < 0 ? -1 : 0;
        }
    }
    if (result == 0) {
        if (self->proto >= 4) {
            result = _PyPickler_Save(self, g.module_name, 0) < 0
                || _PyPickler_Save(self, g.name, 0) < 0
                || write_op(self, STACK_GLOBAL) < 0
                || _PyPickler_MemoPut(self, obj) < 0 ? -1 : 0;
        }
        else if (g.parent != g.module) {
            /* Older protocols have no dotted names. */
            result = _PyPickler_SaveBuilt(
                self, Py_BuildValue("(O(OO))", _PyPickle()->getattr, g.parent,
                                    g.last_name), obj);
        }
        else {
            result = save_global_lines(self, &g) < 0
                || _PyPickler_MemoPut(self, obj) < 0 ? -1 : 0;
        }
    }
    global_free(&g);
    return result;
}

static int
save_type(Pickler *self, PyObject *obj)
{
    PyObject *singleton = obj == (PyObject *)Py_TYPE(Py_None) ? Py_None
        : obj == (PyObject *)Py_TYPE(Py_Ellipsis) ? Py_Ellipsis
        : obj == (PyObject *)Py_TYPE(Py_NotImplemented) ? Py_NotImplemented
        : NULL;
    if (singleton != NULL) {
        return _PyPickler_SaveBuilt(
            self, Py_BuildValue("(O(O))", &PyType_Type, singleton), obj);
    }
    return save_global(self, obj, NULL);
}

/* --------------------------------------------------------------- reductions */

static int save_reduce(Pickler *self, PyObject *value, PyObject *obj);

int
_PyPickler_SaveBuilt(Pickler *self, PyObject *value, PyObject *obj)
{
    if (value == NULL) {
        return -1;
    }
    int result = save_reduce(self, value, obj);
    Py_DECREF(value);
    return result;
}

/* copyreg.__newobj_ex__(cls, args, kwargs). */
static int
save_newobj_ex(Pickler *self, PyObject *args)
{
    PyObject *error = _PyPickle()->pickling_error;
    if (PyTuple_GET_SIZE(args) != 3) {
        PyErr_Format(error, "length of the NEWOBJ_EX argument tuple must be "
                     "exactly 3, not %zd", PyTuple_GET_SIZE(args));
        return -1;
    }
    PyObject *cls = PyTuple_GET_ITEM(args, 0);
    PyObject *positional = PyTuple_GET_ITEM(args, 1);
    PyObject *keywords = PyTuple_GET_ITEM(args, 2);
    if (!PyType_Check(cls)) {
        PyErr_Format(error, "first item from NEWOBJ_EX argument tuple must "
                     "be a class, not %.200s", Py_TYPE(cls)->tp_name);
        return -1;
    }
    if (!PyTuple_Check(positional)) {
        PyErr_Format(error, "second item from NEWOBJ_EX argument tuple must "
                     "be a tuple, not %.200s", Py_TYPE(positional)->tp_name);
        return -1;
    }
    if (!PyDict_Check(keywords)) {
        PyErr_Format(error, "third item from NEWOBJ_EX argument tuple must "
                     "be a dict, not %.200s", Py_TYPE(keywords)->tp_name);
        return -1;
    }
    if (self->proto >= 4) {
        return _PyPickler_Save(self, cls, 0) < 0
            || _PyPickler_Save(self, positional, 0) < 0
            || _PyPickler_Save(self, keywords, 0) < 0
            || write_op(self, NEWOBJ_EX) < 0 ? -1 : 0;
    }
    /* functools.partial(cls.__new__, cls, *args, **kwargs)() */
    int result = -1;
    PyObject *new = PyObject_GetAttr(cls, _Py_NAME(dunder_new)), *call = NULL;
    if (new != NULL) {
        Py_ssize_t n = PyTuple_GET_SIZE(positional);
        PyObject *all = PyTuple_New(n + 2);
        if (all != NULL) {
            PyTuple_SET_ITEM(all, 0, Py_NewRef(new));
            PyTuple_SET_ITEM(all, 1, Py_NewRef(cls));
            for (Py_ssize_t i = 0; i < n; i++) {
                PyTuple_SET_ITEM(all, i + 2,
                                 Py_NewRef(PyTuple_GET_ITEM(positional, i)));
            }
            call = PyObject_Call(_PyPickle()->partial, all, keywords);
            Py_DECREF(all);
        }
        Py_DECREF(new);
    }
    PyObject *nothing = call == NULL ? NULL : PyTuple_New(0);
    if (nothing != NULL) {
        result = _PyPickler_Save(self, call, 0) < 0
            || _PyPickler_Save(self, nothing, 0) < 0
            || write_op(self, REDUCE) < 0 ? -1 : 0;
    }
    Py_XDECREF(nothing);
    Py_XDECREF(call);
    return result;
}

/* copyreg.__newobj__(cls, *args). */
static int
save_newobj(Pickler *self, PyObject *args, PyObject *obj)
{
    PyObject *error = _PyPickle()->pickling_error, *new;
    if (PyTuple_GET_SIZE(args) < 1) {
        PyErr_SetString(error, "__newobj__ arglist is empty");
        return -1;
    }
    PyObject *cls = PyTuple_GET_ITEM(args, 0);
    if (!PyType_Check(cls)) {
        PyErr_SetString(error, "args[0] from __newobj__ args is not a type");
        return -1;
    }
    int found = _PyObject_LookupAttr(cls, _Py_NAME(dunder_new), &new);
    if (found <= 0) {
        if (found == 0) {
            PyErr_SetString(error,
                            "args[0] from __newobj__ args has no __new__");
        }
        return -1;
    }
    Py_DECREF(new);
    if (obj != NULL) {
        PyObject *obj_class;
        int found = _PyObject_LookupAttr(obj, _Py_NAME(dunder_class), &obj_class);
        if (found == 0) {
            obj_class = Py_NewRef(Py_TYPE(obj));
        }
        else if (found < 0) {
            return -1;
        }
        Py_DECREF(obj_class);
        if (obj_class != cls) {
            PyErr_SetString(error, "args[0] from __newobj__ args has the "
                            "wrong class");
            return -1;
        }
    }
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    if (rest == NULL) {
        return -1;
    }
    int result = _PyPickler_Save(self, cls, 0) < 0
        || _PyPickler_Save(self, rest, 0) < 0
        || write_op(self, NEWOBJ) < 0 ? -1 : 0;
    Py_DECREF(rest);
    return result;
}

/* The parts of a reduction, borrowed; NULL for None or missing. */
struct reduction {
    PyObject *callable, *args, *state, *items, *pairs, *state_setter;
};

static int
check_reduction(PyObject *value, struct reduction *r)
{
    PyObject *error = _PyPickle()->pickling_error;
    Py_ssize_t n = PyTuple_GET_SIZE(value);
    if (n < 2 || n > 6) {
        PyErr_SetString(error, "tuple returned by __reduce__ must contain 2 "
                        "through 6 elements");
        return -1;
    }
    PyObject *parts[6] = {NULL};
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *part = PyTuple_GET_ITEM(value, i);
        parts[i] = i >= 2 && part == Py_None ? NULL : part;
    }
    *r = (struct reduction){parts[0], parts[1], parts[2], parts[3], parts[4],
                            parts[5]};
    if (!PyCallable_Check(r->callable)) {
        PyErr_SetString(error, "first item of the tuple returned by "
                        "__reduce__ must be callable");
        return -1;
    }
    if (!PyTuple_Check(r->args)) {
        PyErr_SetString(error, "second item of the tuple returned by "
                        "__reduce__ must be a tuple");
        return -1;
    }
    if (r->items != NULL && !PyIter_Check(r->items)) {
        PyErr_Format(error, "fourth element of the tuple returned by "
                     "__reduce__ must be an iterator, not %s",
                     Py_TYPE(r->items)->tp_name);
        return -1;
    }
    if (r->pairs != NULL && !PyIter_Check(r->pairs)) {
        PyErr_Format(error, "fifth element of the tuple returned by "
                     "__reduce__ must be an iterator, not %s",
                     Py_TYPE(r->pairs)->tp_name);
        return -1;
    }
    if (r->state_setter != NULL && !PyCallable_Check(r->state_setter)) {
        PyErr_Format(error, "sixth element of the tuple returned by "
                     "__reduce__ must be a function, not %s",
                     Py_TYPE(r->state_setter)->tp_name);
        return -1;
    }
    return 0;
}

/* Saves how the object is created. */
static int
save_creation(Pickler *self, const struct reduction *r, PyObject *obj)
{
    if (self->proto >= 2) {
        PyObject *name;
        if (_PyObject_LookupAttr(r->callable, _Py_NAME(dunder_name), &name) < 0) {
            return -1;
        }
        int is_newobj_ex = 0, is_newobj = 0;
        if (name != NULL) {
            is_newobj_ex = name_is(name, "__newobj_ex__");
            is_newobj = name_is(name, "__newobj__");
            Py_DECREF(name);
        }
        if (is_newobj_ex) {
            return save_newobj_ex(self, r->args);
        }
        if (is_newobj) {
            return save_newobj(self, r->args, obj);
        }
    }
    return _PyPickler_Save(self, r->callable, 0) < 0
        || _PyPickler_Save(self, r->args, 0) < 0
        || write_op(self, REDUCE) < 0 ? -1 : 0;
}

static int
save_state(Pickler *self, const struct reduction *r, PyObject *obj)
{
    if (r->state_setter == NULL) {
        return _PyPickler_Save(self, r->state, 0) < 0
            || write_op(self, BUILD) < 0 ? -1 : 0;
    }
    /* Saves state_setter(obj, state), and drops its result. */
    return _PyPickler_Save(self, r->state_setter, 0) < 0
        || _PyPickler_Save(self, obj, 0) < 0
        || _PyPickler_Save(self, r->state, 0) < 0
        || write_op(self, TUPLE2) < 0 || write_op(self, REDUCE) < 0
        || write_op(self, POP) < 0 ? -1 : 0;
}

/* obj is NULL if the result is not to be memoized. */
static int
save_reduce(Pickler *self, PyObject *value, PyObject *obj)
{
    struct reduction r;
    if (check_reduction(value, &r) < 0 || save_creation(self, &r, obj) < 0) {
        return -1;
    }
    if (obj != NULL) {
        /* Saving its own arguments may have saved the object. */
        if (_PyMemo_Get(&self->memo, obj) >= 0) {
            return write_op(self, POP) < 0 ? -1
                : _PyPickler_MemoGet(self, obj);
        }
        if (_PyPickler_MemoPut(self, obj) < 0) {
            return -1;
        }
    }
    if ((r.items != NULL && _PyPickler_BatchList(self, r.items) < 0)
        || (r.pairs != NULL && _PyPickler_BatchDict(self, r.pairs) < 0)
        || (r.state != NULL && save_state(self, &r, obj) < 0)) {
        return -1;
    }
    return 0;
}

/* The entry of the pickler's or copyreg's table for a type: a new reference; NULL with or
   without an exception. */
static PyObject *
from_dispatch_table(Pickler *self, PyTypeObject *type)
{
    if (self->dispatch_table == NULL) {
        return Py_XNewRef(PyDict_GetItemWithError(_PyPickle()->dispatch_table,
                                                  (PyObject *)type));
    }
    PyObject *func = PyObject_GetItem(self->dispatch_table,
                                      (PyObject *)type);
    if (func == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
    }
    return func;
}

/* obj.__reduce_ex__(proto), or obj.__reduce__(). */
static PyObject *
own_reduction(Pickler *self, PyObject *obj)
{
    PyObject *func, *value;
    int found = _PyObject_LookupAttr(obj, _Py_NAME(dunder_reduce_ex), &func);
    if (found < 0) {
        return NULL;
    }
    if (found > 0) {
        PyObject *proto = PyLong_FromLong(self->proto);
        value = proto == NULL ? NULL : PyObject_CallOneArg(func, proto);
        Py_XDECREF(proto);
        Py_DECREF(func);
        return value;
    }
    found = _PyObject_LookupAttr(obj, _Py_NAME(dunder_reduce), &func);
    if (found > 0) {
        value = PyObject_CallNoArgs(func);
        Py_DECREF(func);
        return value;
    }
    if (found == 0) {
        PyErr_Format(_PyPickle()->pickling_error,
                     "can't pickle '%.200s' object: %R",
                     Py_TYPE(obj)->tp_name, obj);
    }
    return NULL;
}

/* The reduction of an object: *value, a new reference. Returns 1 if the object has been
   saved as a global instead. */
static int
find_reduction(Pickler *self, PyObject *obj, PyObject **value)
{
    PyTypeObject *type = Py_TYPE(obj);
    *value = NULL;
    if (self->reducer_override != NULL) {
        *value = PyObject_CallOneArg(self->reducer_override, obj);
        if (*value == NULL) {
            return -1;
        }
        if (*value != Py_NotImplemented) {
            return 0;
        }
        Py_CLEAR(*value);
    }
    if (type == &PyType_Type) {
        return save_type(self, obj) < 0 ? -1 : 1;
    }
    if (type == &PyFunction_Type) {
        return save_global(self, obj, NULL) < 0 ? -1 : 1;
    }
    PyObject *func = from_dispatch_table(self, type);
    if (func != NULL) {
        *value = PyObject_CallOneArg(func, obj);
        Py_DECREF(func);
    }
    else if (PyErr_Occurred()) {
        return -1;
    }
    else if (PyType_IsSubtype(type, &PyType_Type)) {
        return save_global(self, obj, NULL) < 0 ? -1 : 1;
    }
    else {
        *value = own_reduction(self, obj);
    }
    return *value == NULL ? -1 : 0;
}

int
_PyPickler_SaveByReduction(Pickler *self, PyObject *obj)
{
    PyObject *value;
    int result = find_reduction(self, obj, &value);
    if (result != 0) {
        return result < 0 ? -1 : 0;
    }
    if (PyUnicode_Check(value)) {
        result = save_global(self, obj, value);
    }
    else if (PyTuple_Check(value)) {
        result = save_reduce(self, value, obj);
    }
    else {
        PyErr_SetString(_PyPickle()->pickling_error,
                        "__reduce__ must return a string or tuple");
        result = -1;
    }
    Py_DECREF(value);
    return result;
}

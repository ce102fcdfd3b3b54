/* Names, methods of subclasses, and the module itself. */
#include "pickle_impl.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

/* -------------------------------------------------------------------- names */

PyObject *
_PyPickle_SplitName(PyObject *obj, PyObject *name)
{
    PyObject *dot = PyUnicode_FromString(".");
    PyObject *names = dot == NULL ? NULL : PyUnicode_Split(name, dot, -1);
    Py_XDECREF(dot);
    for (Py_ssize_t i = 0; names != NULL && i < PyList_GET_SIZE(names); i++) {
        if (_PyUnicode_EqualToASCIIString(PyList_GET_ITEM(names, i),
                                          "<locals>")) {
            if (obj == NULL) {
                PyErr_Format(PyExc_AttributeError,
                             "Can't pickle local object %R", name);
            }
            else {
                PyErr_Format(PyExc_AttributeError,
                             "Can't pickle local attribute %R on %R", name, obj);
            }
            Py_CLEAR(names);
        }
    }
    return names;
}

PyObject *
_PyPickle_GetDotted(PyObject *obj, PyObject *names, PyObject **parent)
{
    PyObject *owner = NULL, *value = Py_NewRef(obj);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names); i++) {
        Py_XSETREF(owner, value);
        if (_PyObject_LookupAttr(owner, PyList_GET_ITEM(names, i),
                                 &value) <= 0) {
            Py_DECREF(owner);
            return NULL;
        }
    }
    if (parent != NULL) {
        *parent = Py_XNewRef(owner);
    }
    Py_XDECREF(owner);
    return value;
}

/* ------------------------------------------------------------------ methods */

int
_PyPickle_FindMethod(PyObject *self, const char *name, struct method_ref *ref)
{
    PyObject *key = PyUnicode_InternFromString(name), *method;
    if (key == NULL) {
        return -1;
    }
    int found = _PyObject_LookupAttr(self, key, &method);
    Py_DECREF(key);
    if (found < 0) {
        return -1;
    }
    ref->self = NULL;
    if (method != NULL && PyMethod_Check(method)
        && PyMethod_GET_SELF(method) == self) {
        ref->self = self;           /* not a reference */
        Py_INCREF(PyMethod_GET_FUNCTION(method));
        Py_XSETREF(ref->func, PyMethod_GET_FUNCTION(method));
        Py_DECREF(method);
    }
    else {
        Py_XSETREF(ref->func, method);
    }
    return 0;
}

PyObject *
_PyPickle_CallMethod(const struct method_ref *ref, PyObject *arg)
{
    if (ref->self != NULL) {
        return PyObject_CallFunctionObjArgs(ref->func, ref->self, arg, NULL);
    }
    return PyObject_CallOneArg(ref->func, arg);
}

/* ------------------------------------------ attributes of Pickler and Unpickler */

PyObject *
_PyPickle_GetMethod(const struct method_ref *ref, const char *name)
{
    if (ref->func == NULL) {
        PyErr_SetString(PyExc_AttributeError, name);
        return NULL;
    }
    return ref->self != NULL ? PyMethod_New(ref->func, ref->self)
                             : Py_NewRef(ref->func);
}

int
_PyPickle_SetMethod(struct method_ref *ref, const char *name, PyObject *value)
{
    if (_PyPickle_RefuseDeletion(value) < 0) {
        return -1;
    }
    if (!PyCallable_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a callable taking one argument", name);
        return -1;
    }
    ref->self = NULL;
    Py_INCREF(value);
    Py_XSETREF(ref->func, value);
    return 0;
}

int
_PyPickle_RefuseDeletion(PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "attribute deletion is not supported");
        return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------- module */


static PyMethodDef module_methods[] = {
    {"dump", FAST_KEYWORDS(_PyPickle_dump),
     "dump($module, /, obj, file, protocol=None, *, fix_imports=True,\n"
     "     buffer_callback=None)\n--\n\n"
     "Write a pickled representation of obj to the open file object file.\n\n"
     "This is equivalent to Pickler(file, protocol).dump(obj), but may be more "
     "efficient."},
    {"dumps", FAST_KEYWORDS(_PyPickle_dumps),
     "dumps($module, /, obj, protocol=None, *, fix_imports=True,\n"
     "      buffer_callback=None)\n--\n\n"
     "Return the pickled representation of the object as a bytes object."},
    {"load", FAST_KEYWORDS(_PyPickle_load),
     "load($module, /, file, *, fix_imports=True, encoding='ASCII',\n"
     "     errors='strict', buffers=())\n--\n\n"
     "Read and return an object from the pickle data stored in a file.\n\n"
     "This is equivalent to Unpickler(file).load(), but may be more "
     "efficient."},
    {"loads", FAST_KEYWORDS(_PyPickle_loads),
     "loads($module, data, /, *, fix_imports=True, encoding='ASCII',\n"
     "      errors='strict', buffers=())\n--\n\n"
     "Read and return an object from the given pickle data."},
    {NULL, NULL, 0, NULL}
};

/* One attribute of a module, of a type if that is not NULL. */
static int
take(PyObject **place, const char *module_name, const char *name,
     PyTypeObject *type)
{
    PyObject *module = PyImport_ImportModule(module_name);
    if (module == NULL) {
        return -1;
    }
    PyObject *value = PyObject_GetAttrString(module, name);
    Py_DECREF(module);
    if (value == NULL) {
        return -1;
    }
    if (type != NULL && !PyObject_TypeCheck(value, type)) {
        PyErr_Format(PyExc_RuntimeError, "%s.%s should be a %s, not %.200s",
                     module_name, name, type->tp_name,
                     Py_TYPE(value)->tp_name);
        Py_DECREF(value);
        return -1;
    }
    Py_XSETREF(*place, value);
    return 0;
}

static int
take_shared(struct pickle_shared *s)
{
    PyTypeObject *dict = &PyDict_Type;
    if (take(&s->dispatch_table, "copyreg", "dispatch_table", dict) < 0
        || take(&s->extension_registry, "copyreg", "_extension_registry",
                dict) < 0
        || take(&s->inverted_registry, "copyreg", "_inverted_registry",
                dict) < 0
        || take(&s->extension_cache, "copyreg", "_extension_cache", dict) < 0
        || take(&s->name_mapping_2to3, "_compat_pickle", "NAME_MAPPING",
                dict) < 0
        || take(&s->import_mapping_2to3, "_compat_pickle", "IMPORT_MAPPING",
                dict) < 0
        || take(&s->name_mapping_3to2, "_compat_pickle",
                "REVERSE_NAME_MAPPING", dict) < 0
        || take(&s->import_mapping_3to2, "_compat_pickle",
                "REVERSE_IMPORT_MAPPING", dict) < 0
        || take(&s->codecs_encode, "codecs", "encode", NULL) < 0
        || take(&s->partial, "functools", "partial", NULL) < 0
        || take(&s->getattr, "builtins", "getattr", NULL) < 0) {
        return -1;
    }
    return 0;
}

/* The state has only references. */
static void
clear_shared(void *state)
{
    PyObject **references = state;
    for (size_t i = 0; i < sizeof(struct pickle_shared) / sizeof(PyObject *); i++) {
        Py_CLEAR(references[i]);
    }
}

static PyObject *
make_error(const char *name, PyObject *base)
{
    return PyErr_NewException(name, base, NULL);
}

static int
module_exec(PyObject *module)
{
    struct pickle_shared *s = _PyModuleState_Need(MODULE_STATE_PICKLE, sizeof(*s), clear_shared);
    if (s == NULL
        || PyType_Ready(&_PyPicklerMemoProxy_Type) < 0
        || PyType_Ready(&_PyUnpicklerMemoProxy_Type) < 0
        || PyModule_AddType(module, &_PyPickler_Type) < 0
        || PyModule_AddType(module, &_PyUnpickler_Type) < 0
        || PyModule_AddType(module, &PyPickleBuffer_Type) < 0
        || take_shared(s) < 0) {
        return -1;
    }
    if (s->error == NULL) {
        s->error = make_error("_pickle.PickleError", NULL);
        if (s->error == NULL) {
            return -1;
        }
        s->pickling_error = make_error("_pickle.PicklingError", s->error);
        s->unpickling_error = make_error("_pickle.UnpicklingError", s->error);
        if (s->pickling_error == NULL || s->unpickling_error == NULL) {
            return -1;
        }
    }
    return PyModule_AddObjectRef(module, "PickleError", s->error) < 0
        || PyModule_AddObjectRef(module, "PicklingError",
                                 s->pickling_error) < 0
        || PyModule_AddObjectRef(module, "UnpicklingError",
                                 s->unpickling_error) < 0 ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

static struct PyModuleDef pickle_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_pickle",
    .m_doc = "Optimized C implementation for the Python pickle module.",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

MODULE_INIT(_pickle)
{
    return PyModuleDef_Init(&pickle_module);
}

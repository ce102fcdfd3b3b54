/* Modules, and their definitions in C (PyModuleDef). */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/attr_place.h"
#include "internal/gc.h"
#include "module.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/pystate.h"
#include "internal/type.h"

#define MODULE(op) ((PyModuleObject *)(op))

PyTypeObject PyModuleDef_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "moduledef",
    .tp_basicsize = sizeof(PyModuleDef),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

/* -------------------------------------------------------------- definitions */

PyObject *
PyModuleDef_Init(PyModuleDef *def)
{
    static Py_ssize_t last_index;
    if (PyType_Ready(&PyModuleDef_Type) < 0) {
        return NULL;
    }
    if (def->m_base.m_index == 0) {
        Py_SET_REFCNT(def, 1);
        Py_SET_TYPE(def, &PyModuleDef_Type);
        def->m_base.m_index = ++last_index;
    }
    return (PyObject *)def;
}

/* ------------------------------------------------------------- construction */

static PyModuleObject *
allocate(PyTypeObject *type)
{
    PyModuleObject *module = (PyModuleObject *)PyType_GenericAlloc(type, 0);
    if (module == NULL) {
        return NULL;
    }
    module->md_dict = PyDict_New();
    if (module->md_dict == NULL) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

static PyObject *
module_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
           PyObject *Py_UNUSED(kwargs))
{
    return (PyObject *)allocate(type);
}

static int
set_basics(PyModuleObject *module, PyObject *name, PyObject *doc)
{
    PyObject *dict = module->md_dict;
    if (PyDict_SetItem(dict, _Py_NAME(dunder_name), name) < 0
        || PyDict_SetItem(dict, _Py_NAME(dunder_doc), doc) < 0
        || PyDict_SetItem(dict, _Py_NAME(dunder_package), Py_None) < 0
        || PyDict_SetItem(dict, _Py_NAME(dunder_loader), Py_None) < 0
        || PyDict_SetItem(dict, _Py_NAME(dunder_spec), Py_None) < 0) {
        return -1;
    }
    if (PyUnicode_CheckExact(name)) {
        Py_INCREF(name);
        Py_XSETREF(module->md_name, name);
    }
    return 0;
}

static int
module_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "doc", NULL};
    PyObject *name, *doc = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:module", names, &name, &doc)) {
        return -1;
    }
    /* As in 3.11, the message gives the argument's name, not its number. */
    if (!PyUnicode_Check(name)) {
        _PyArg_BadArgument("module", "argument 'name'", "str", name);
        return -1;
    }
    if (MODULE(self)->md_dict == NULL) {
        MODULE(self)->md_dict = PyDict_New();
        if (MODULE(self)->md_dict == NULL) {
            return -1;
        }
    }
    return set_basics(MODULE(self), name, doc);
}

PyObject *
PyModule_NewObject(PyObject *name)
{
    PyModuleObject *module = allocate(&PyModule_Type);
    if (module == NULL) {
        return NULL;
    }
    if (set_basics(module, name, Py_None) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return (PyObject *)module;
}

PyObject *
PyModule_New(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL) {
        return NULL;
    }
    PyObject *module = PyModule_NewObject(text);
    Py_DECREF(text);
    return module;
}

static int
check_api_version(const char *name, int version)
{
    if (version == PYTHON_API_VERSION || version == PYTHON_ABI_VERSION) {
        return 0;
    }
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                            "Python C API version mismatch for module "
                            "%.100s: This Python has API version %d, module "
                            "%.100s has version %d.", name,
                            PYTHON_API_VERSION, name, version);
}

static int
add_functions(PyObject *module, PyObject *name, PyMethodDef *functions)
{
    for (PyMethodDef *def = functions; def->ml_name != NULL; def++) {
        if (def->ml_flags & (METH_CLASS | METH_STATIC)) {
            PyErr_SetString(PyExc_ValueError,
                            "module functions cannot set METH_CLASS or "
                            "METH_STATIC");
            return -1;
        }
        PyObject *func = PyCFunction_NewEx(def, module, name);
        if (func == NULL) {
            return -1;
        }
        int status = PyObject_SetAttrString(module, def->ml_name, func);
        Py_DECREF(func);
        if (status < 0) {
            return -1;
        }
    }
    return 0;
}

int
PyModule_AddFunctions(PyObject *module, PyMethodDef *functions)
{
    PyObject *name = PyModule_GetNameObject(module);
    if (name == NULL) {
        return -1;
    }
    int status = add_functions(module, name, functions);
    Py_DECREF(name);
    return status;
}

int
PyModule_SetDocString(PyObject *module, const char *doc)
{
    PyObject *text = PyUnicode_FromString(doc);
    if (text == NULL) {
        return -1;
    }
    int status = PyObject_SetAttr(module, _Py_NAME(dunder_doc), text);
    Py_DECREF(text);
    return status;
}

static int
allocate_state(PyModuleObject *module, PyModuleDef *def)
{
    if (def->m_size < 0 || module->md_state != NULL) {
        return 0;
    }
    module->md_state = PyMem_Malloc(def->m_size);
    if (module->md_state == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memset(module->md_state, 0, def->m_size);
    return 0;
}

/* The import stores the full name of a package's submodule in _Py_PackageContext. */

const char *_Py_PackageContext;

static const char *
full_name(const char *name)
{
    const char *context = _Py_PackageContext;
    if (context != NULL) {
        const char *dot = strrchr(context, '.');
        if (dot != NULL && strcmp(name, dot + 1) == 0) {
            _Py_PackageContext = NULL;
            return context;
        }
    }
    return name;
}

PyObject *
_PyModule_CreateInitialized(PyModuleDef *def, int version)
{
    if (PyModuleDef_Init(def) == NULL) {
        return NULL;
    }
    if (check_api_version(def->m_name, version) < 0) {
        return NULL;
    }
    if (def->m_slots != NULL) {
        PyErr_Format(PyExc_SystemError,
                     "module %s: PyModule_Create is incompatible with "
                     "m_slots", def->m_name);
        return NULL;
    }
    PyObject *module = PyModule_New(full_name(def->m_name));
    if (module == NULL) {
        return NULL;
    }
    if ((def->m_size > 0 && allocate_state(MODULE(module), def) < 0)
        || (def->m_methods != NULL
            && PyModule_AddFunctions(module, def->m_methods) < 0)
        || (def->m_doc != NULL
            && PyModule_SetDocString(module, def->m_doc) < 0)) {
        Py_DECREF(module);
        return NULL;
    }
    MODULE(module)->md_def = def;
    return module;
}

PyObject *
PyModule_Create2(PyModuleDef *def, int version)
{
    return _PyModule_CreateInitialized(def, version);
}

/* ----------------------------------------------- multi-phase initialisation */

typedef PyObject *(*create_func)(PyObject *spec, PyModuleDef *def);

struct def_slots {
    create_func create;
    int has_exec;
};

static int
read_def_slots(PyModuleDef *def, const char *name, struct def_slots *slots)
{
    *slots = (struct def_slots){NULL, 0};
    if (def->m_size < 0) {
        PyErr_Format(PyExc_SystemError,
                     "module %s: m_size may not be negative for multi-phase "
                     "initialization", name);
        return -1;
    }
    for (PyModuleDef_Slot *slot = def->m_slots;
         slot != NULL && slot->slot != 0; slot++) {
        if (slot->slot == Py_mod_create) {
            if (slots->create != NULL) {
                PyErr_Format(PyExc_SystemError,
                             "module %s has multiple create slots", name);
                return -1;
            }
            slots->create = (create_func)slot->value;
        }
        else if (slot->slot < 0 || slot->slot > _Py_mod_LAST_SLOT) {
            PyErr_Format(PyExc_SystemError,
                         "module %s uses unknown slot ID %i", name,
                         slot->slot);
            return -1;
        }
        else {
            slots->has_exec = 1;
        }
    }
    return 0;
}

static PyObject *
create_from_slots(PyModuleDef *def, PyObject *spec, PyObject *name_object,
                  const char *name, struct def_slots *slots)
{
    PyObject *module;
    if (slots->create != NULL) {
        module = slots->create(spec, def);
        if (module == NULL) {
            if (!PyErr_Occurred()) {
                PyErr_Format(PyExc_SystemError,
                             "creation of module %s failed without setting "
                             "an exception", name);
            }
            return NULL;
        }
        if (PyErr_Occurred()) {
            PyErr_Format(PyExc_SystemError,
                         "creation of module %s raised unreported "
                         "exception", name);
            Py_DECREF(module);
            return NULL;
        }
    }
    else {
        module = PyModule_NewObject(name_object);
        if (module == NULL) {
            return NULL;
        }
    }
    if (PyModule_Check(module)) {
        MODULE(module)->md_state = NULL;
        MODULE(module)->md_def = def;
        return module;
    }
    /* Any object may serve as a module, unless the definition's C code needs a real
       one. */
    const char *problem = NULL;
    if (def->m_size > 0 || def->m_traverse || def->m_clear || def->m_free) {
        problem = "module %s is not a module object, but requests module "
                  "state";
    }
    else if (slots->has_exec) {
        problem = "module %s specifies execution slots, but did not create "
                  "a ModuleType instance";
    }
    if (problem != NULL) {
        PyErr_Format(PyExc_SystemError, problem, name);
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

PyObject *
PyModule_FromDefAndSpec2(PyModuleDef *def, PyObject *spec, int version)
{
    PyModuleDef_Init(def);
    PyObject *name_object = PyObject_GetAttrString(spec, "name");
    if (name_object == NULL) {
        return NULL;
    }
    PyObject *module = NULL;
    struct def_slots slots;
    const char *name = PyUnicode_AsUTF8(name_object);
    if (name == NULL || check_api_version(name, version) < 0
        || read_def_slots(def, name, &slots) < 0) {
        goto done;
    }
    module = create_from_slots(def, spec, name_object, name, &slots);
    if (module == NULL) {
        goto done;
    }
    if ((def->m_methods != NULL
         && add_functions(module, name_object, def->m_methods) < 0)
        || (def->m_doc != NULL
            && PyModule_SetDocString(module, def->m_doc) < 0)) {
        Py_CLEAR(module);
    }
done:
    Py_DECREF(name_object);
    return module;
}

int
PyModule_ExecDef(PyObject *module, PyModuleDef *def)
{
    const char *name = PyModule_GetName(module);
    /* Allocates even a state of no bytes: its existence shows that the module has been
       executed, so that a reload does not execute it again. */
    if (name == NULL || allocate_state(MODULE(module), def) < 0) {
        return -1;
    }
    for (PyModuleDef_Slot *slot = def->m_slots;
         slot != NULL && slot->slot != 0; slot++) {
        if (slot->slot == Py_mod_create) {
            continue;
        }
        if (slot->slot != Py_mod_exec) {
            PyErr_Format(PyExc_SystemError,
                         "module %s initialized with unknown slot %i", name,
                         slot->slot);
            return -1;
        }
        int status = ((int (*)(PyObject *))slot->value)(module);
        if (status != 0) {
            if (!PyErr_Occurred()) {
                PyErr_Format(PyExc_SystemError,
                             "execution of module %s failed without setting "
                             "an exception", name);
            }
            return -1;
        }
        if (PyErr_Occurred()) {
            PyErr_Format(PyExc_SystemError,
                         "execution of module %s raised unreported "
                         "exception", name);
            return -1;
        }
    }
    return 0;
}

/* ------------------------------------------------------------ access from C */

PyObject *
PyModule_GetDict(PyObject *module)
{
    if (!PyModule_Check(module)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return MODULE(module)->md_dict;     /* borrowed */
}

static PyObject *
text_attribute(PyObject *module, PyObject *name, const char *problem)
{
    if (!PyModule_Check(module)) {
        PyErr_BadArgument();
        return NULL;
    }
    PyObject *dict = MODULE(module)->md_dict;
    PyObject *value = dict == NULL ? NULL
                      : PyDict_GetItemWithError(dict, name);
    if (value == NULL || !PyUnicode_Check(value)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_SystemError, problem);
        }
        return NULL;
    }
    return Py_NewRef(value);
}

PyObject *
PyModule_GetNameObject(PyObject *module)
{
    return text_attribute(module, _Py_NAME(dunder_name), "nameless module");
}

PyObject *
PyModule_GetFilenameObject(PyObject *module)
{
    return text_attribute(module, _Py_NAME(dunder_file),
                          "module filename missing");
}

/* The module keeps the text alive. */
const char *
PyModule_GetName(PyObject *module)
{
    PyObject *name = PyModule_GetNameObject(module);
    if (name == NULL) {
        return NULL;
    }
    Py_DECREF(name);
    return PyUnicode_AsUTF8(name);
}

const char *
PyModule_GetFilename(PyObject *module)
{
    PyObject *name = PyModule_GetFilenameObject(module);
    if (name == NULL) {
        return NULL;
    }
    Py_DECREF(name);
    return PyUnicode_AsUTF8(name);
}

PyModuleDef *
PyModule_GetDef(PyObject *module)
{
    if (!PyModule_Check(module)) {
        PyErr_BadArgument();
        return NULL;
    }
    return MODULE(module)->md_def;
}

void *
PyModule_GetState(PyObject *module)
{
    if (!PyModule_Check(module)) {
        PyErr_BadArgument();
        return NULL;
    }
    return MODULE(module)->md_state;
}

/* ---------------------------------------------------------------- shut-down */

static void
clear_names(PyObject *dict, int private)
{
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    while (PyDict_Next(dict, &pos, &key, &value)) {
        if (value == Py_None || !PyUnicode_Check(key)) {
            continue;
        }
        Py_ssize_t n = PyUnicode_GET_LENGTH(key);
        int one_underscore = n > 0 && PyUnicode_READ_CHAR(key, 0) == '_'
                             && (n < 2 || PyUnicode_READ_CHAR(key, 1) != '_');
        int wanted = private
            ? one_underscore
            : !_PyUnicode_EqualToASCIIString(key, "__builtins__");
        /* Setting an existing key doesn't disturb the iteration. */
        if (wanted && PyDict_SetItem(dict, key, Py_None) < 0) {
            PyErr_WriteUnraisable(NULL);
        }
    }
}

void
_PyModule_ClearDict(PyObject *dict)
{
    /* Names with an underscore go first, because the destructors of classes often use
       public globals. __builtins__ goes last, with the dictionary. */
    clear_names(dict, 1);
    clear_names(dict, 0);
}

void
_PyModule_Clear(PyObject *module)
{
    PyObject *dict = MODULE(module)->md_dict;
    if (dict != NULL) {
        _PyModule_ClearDict(dict);
    }
}

/* --------------------------------------------------------------- attributes */

static int
true_attribute(PyObject *op, PyObject *name)
{
    PyObject *value;
    int found = _PyObject_LookupAttr(op, name, &value);
    if (found > 0) {
        found = PyObject_IsTrue(value);
        Py_DECREF(value);
    }
    if (found < 0) {
        PyErr_Clear();
        return 0;
    }
    return found;
}

int
_PyModuleSpec_IsInitializing(PyObject *spec)
{
    return spec != NULL && _PyAttr_PlacedValue(spec, _Py_NAME(_initializing)) != Py_False
           && true_attribute(spec, _Py_NAME(_initializing));
}

static int
is_uninitialized_submodule(PyObject *spec, PyObject *name)
{
    if (spec == NULL) {
        return 0;
    }
    PyObject *names;
    int found = _PyObject_LookupAttr(
        spec, _Py_NAME(_uninitialized_submodules), &names);
    if (found > 0) {
        found = PySequence_Contains(names, name);
        Py_DECREF(names);
    }
    if (found < 0) {
        PyErr_Clear();
        return 0;
    }
    return found;
}

static void
raise_no_attribute(PyModuleObject *module, PyObject *name)
{
    PyObject *module_name = PyDict_GetItemWithError(module->md_dict,
                                                    _Py_NAME(dunder_name));
    if (module_name == NULL || !PyUnicode_Check(module_name)) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_AttributeError,
                         "module has no attribute '%U'", name);
        }
        return;
    }
    Py_INCREF(module_name);
    PyObject *spec = Py_XNewRef(
        PyDict_GetItemWithError(module->md_dict, _Py_NAME(dunder_spec)));
    if (_PyModuleSpec_IsInitializing(spec)) {
        PyErr_Format(PyExc_AttributeError,
                     "partially initialized module '%U' has no attribute "
                     "'%U' (most likely due to a circular import)",
                     module_name, name);
    }
    else if (is_uninitialized_submodule(spec, name)) {
        PyErr_Format(PyExc_AttributeError,
                     "cannot access submodule '%U' of module '%U' "
                     "(most likely due to a circular import)", name,
                     module_name);
    }
    else {
        PyErr_Format(PyExc_AttributeError,
                     "module '%U' has no attribute '%U'", module_name, name);
    }
    Py_XDECREF(spec);
    Py_DECREF(module_name);
}

/* tp_getattro of modules. A specialised instruction may read the dict instead. */
static PyObject *
module_getattro(PyObject *self, PyObject *name)
{
    PyModuleObject *module = MODULE(self);
    if (module->md_dict != NULL && PyUnicode_CheckExact(name)
        && _PyType_LookupInline(Py_TYPE(self), name) == NULL) {
        PyObject **at = _PyDict_PeekStr((PyDictObject *)module->md_dict, name);
        if (at != NULL) {
            return Py_NewRef(*at);
        }
    }
    PyObject *value = _PyObject_GenericGetAttrWithDict(self, name, NULL, 1);
    if (value != NULL || PyErr_Occurred()) {
        return value;
    }
    if (module->md_dict == NULL) {
        PyErr_Format(PyExc_AttributeError, "module has no attribute '%U'",
                     name);
        return NULL;
    }
    /* PEP 562 */
    PyObject *hook = PyDict_GetItemWithError(module->md_dict,
                                             _Py_NAME(dunder_getattr));
    if (hook != NULL) {
        Py_INCREF(hook);
        value = PyObject_CallOneArg(hook, name);
        Py_DECREF(hook);
        return value;
    }
    if (!PyErr_Occurred()) {
        raise_no_attribute(module, name);
    }
    return NULL;
}

static PyObject *
module_repr(PyObject *self)
{
    PyObject *importlib = _PyInterpreterState_GET()->importlib;
    if (importlib != NULL) {
        return PyObject_CallMethodOneArg(importlib, _Py_NAME(_module_repr),
                                         self);
    }
    PyObject *name = MODULE(self)->md_name;
    return PyUnicode_FromFormat("<module '%V'>", name, "?");
}

static PyObject *
module_dir(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *dict = PyObject_GetAttr(self, _Py_NAME(dunder_dict));
    if (dict == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError,
                     "<module>.__dict__ is not a dictionary");
    }
    else {
        PyObject *hook = PyDict_GetItemWithError(dict,
                                                 _Py_NAME(dunder_dir));
        if (hook != NULL) {
            result = PyObject_CallNoArgs(hook);
        }
        else if (!PyErr_Occurred()) {
            result = PyDict_Keys(dict);
        }
    }
    Py_DECREF(dict);
    return result;
}

/* Each module gets its own dict, made when it is first needed. */
static PyObject *
get_annotations(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *dict = PyObject_GetAttr(self, _Py_NAME(dunder_dict));
    if (dict == NULL) {
        return NULL;
    }
    PyObject *annotations = NULL;
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError,
                     "<module>.__dict__ is not a dictionary");
    }
    else {
        annotations = Py_XNewRef(
            PyDict_GetItemWithError(dict, _Py_NAME(dunder_annotations)));
        if (annotations == NULL && !PyErr_Occurred()) {
            annotations = PyDict_New();
            if (annotations != NULL
                && PyDict_SetItem(dict, _Py_NAME(dunder_annotations),
                                  annotations) < 0) {
                Py_CLEAR(annotations);
            }
        }
    }
    Py_DECREF(dict);
    return annotations;
}

static int
set_annotations(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyObject *dict = PyObject_GetAttr(self, _Py_NAME(dunder_dict));
    if (dict == NULL) {
        return -1;
    }
    int status = -1;
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError,
                     "<module>.__dict__ is not a dictionary");
    }
    else if (value != NULL) {
        status = PyDict_SetItem(dict, _Py_NAME(dunder_annotations), value);
    }
    else {
        status = PyDict_DelItem(dict, _Py_NAME(dunder_annotations));
        if (status < 0 && PyErr_ExceptionMatches(PyExc_KeyError)) {
            PyErr_SetString(PyExc_AttributeError, "__annotations__");
        }
    }
    Py_DECREF(dict);
    return status;
}

/* --------------------------------------------------------------------- life */

/* If a definition has state, its functions run only while the state exists. */
static int
may_call_def(PyModuleObject *module)
{
    return module->md_def != NULL
           && (module->md_def->m_size <= 0 || module->md_state != NULL);
}

static void
module_dealloc(PyObject *self)
{
    PyModuleObject *module = MODULE(self);
    PyObject_GC_UnTrack(self);
    if (module->md_weaklist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    if (may_call_def(module) && module->md_def->m_free != NULL) {
        module->md_def->m_free(module);
    }
    Py_XDECREF(module->md_dict);
    Py_XDECREF(module->md_name);
    PyMem_Free(module->md_state);
    Py_TYPE(self)->tp_free(self);
}

static int
module_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyModuleObject *module = MODULE(self);
    if (may_call_def(module) && module->md_def->m_traverse != NULL) {
        int status = module->md_def->m_traverse(self, visit, arg);
        if (status != 0) {
            return status;
        }
    }
    Py_VISIT(module->md_dict);
    return 0;
}

static int
module_clear(PyObject *self)
{
    PyModuleObject *module = MODULE(self);
    if (may_call_def(module) && module->md_def->m_clear != NULL) {
        int status = module->md_def->m_clear(self);
        if (PyErr_Occurred()) {
            PyErr_WriteUnraisable(self);
        }
        if (status != 0) {
            return status;
        }
    }
    Py_CLEAR(module->md_dict);
    return 0;
}

static PyMethodDef module_methods[] = {
    {"__dir__", module_dir, METH_NOARGS,
     "__dir__() -> list\nspecialized dir() implementation"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef module_members[] = {
    {"__dict__", T_OBJECT, offsetof(PyModuleObject, md_dict), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef module_getsets[] = {
    {"__annotations__", get_annotations, set_annotations, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyModule_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "module",
    .tp_basicsize = sizeof(PyModuleObject),
    .tp_dealloc = module_dealloc,
    .tp_repr = module_repr,
    .tp_getattro = module_getattro,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_BASETYPE,
    .tp_doc = "module(name, doc=None)\n--\n\nA namespace with a name.",
    .tp_traverse = module_traverse,
    .tp_clear = module_clear,
    .tp_weaklistoffset = offsetof(PyModuleObject, md_weaklist),
    .tp_methods = module_methods,
    .tp_members = module_members,
    .tp_getset = module_getsets,
    .tp_dictoffset = offsetof(PyModuleObject, md_dict),
    .tp_init = module_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = module_new,
    .tp_free = PyObject_GC_Del,
};

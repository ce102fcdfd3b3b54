/* Modules written in C: built into the binary (generated/builtin_modules.def) or loaded by
   dlopen.

   In single-phase initialisation the PyInit function returns a finished module. Its
   definition is remembered by (filename, name): a second import gets a module with a copy
   of the first one's dict or, if the definition allows several instances (m_size >= 0),
   calls the PyInit function again. In multi-phase initialisation (PEP 489) the PyInit
   function returns a PyModuleDef, whose slots create and execute the module. */
#include "Python.h"
#include "internal/containers.h"
#include "internal/import.h"
#include "internal/jit.h"
#include "internal/names.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/runtime.h"
#include "internal/sampler.h"

#include <dlfcn.h>

/* --------------------------------------------------------- built-in modules */

#define BUILTIN_MODULE(name) extern PyObject *PyInit_##name(void);
#include "generated/builtin_modules.def"
#undef BUILTIN_MODULE

static struct _inittab builtin_table[] = {
#define BUILTIN_MODULE(name) {#name, PyInit_##name},
#include "generated/builtin_modules.def"
#undef BUILTIN_MODULE
    {"builtins", NULL},         /* made at start-up */
    {"sys", NULL},
    {NULL, NULL}
};

struct _inittab *PyImport_Inittab = builtin_table;

int
PyImport_ExtendInittab(struct _inittab *more)
{
    static struct _inittab *own;
    size_t have = 0, add = 0;
    if (Py_IsInitialized()) {
        Py_FatalError("PyImport_ExtendInittab() may not be called after Py_Initialize()");
    }
    while (more[add].name != NULL) {
        add++;
    }
    while (PyImport_Inittab[have].name != NULL) {
        have++;
    }
    struct _inittab *table = PyMem_RawRealloc(own, (have + add + 1) * sizeof(*table));
    if (table == NULL) {
        return -1;
    }
    if (own == NULL) {
        memcpy(table, PyImport_Inittab, (have + 1) * sizeof(*table));
    }
    memcpy(table + have, more, (add + 1) * sizeof(*table));
    PyImport_Inittab = own = table;
    return 0;
}

int
PyImport_AppendInittab(const char *name, PyObject *(*initfunc)(void))
{
    struct _inittab more[] = {{name, initfunc}, {NULL, NULL}};
    return PyImport_ExtendInittab(more);
}

PyObject *(*_PyImport_BuiltinInit(PyObject *name))(void)
{
    for (struct _inittab *t = PyImport_Inittab; t->name != NULL; t++) {
        if (_PyUnicode_EqualToASCIIString(name, t->name)) {
            return t->initfunc;
        }
    }
    return NULL;
}

PyObject *
_PyImport_BuiltinNames(void)
{
    PyObject *list = PyList_New(0);
    for (struct _inittab *t = PyImport_Inittab; list != NULL && t->name != NULL; t++) {
        PyObject *name = PyUnicode_FromString(t->name);
        if (name == NULL || PyList_Append(list, name) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    if (list == NULL || PyList_Sort(list) < 0) {
        Py_XDECREF(list);
        return NULL;
    }
    PyObject *tuple = PyList_AsTuple(list);
    Py_DECREF(list);
    return tuple;
}

/* ----------------------------------------------------- single-phase modules */

static PyObject *extensions;    /* {(filename, name): address of the PyModuleDef, as an int} */

static PyObject *
extension_key(PyObject *name, PyObject *filename)
{
    return PyTuple_Pack(2, filename != NULL ? filename : name, name);
}

/* After a single-phase initialisation: remembers the module for later imports. */
static int
remember(PyObject *module, PyModuleDef *def, PyObject *name, PyObject *filename)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    /* The module may have added itself already. */
    if (_PyState_AddModule(_PyThreadState_GET(), module, def) < 0) {
        return -1;
    }
    if (_Py_IsMainInterpreter(interp) || def->m_size == -1) {
        if (def->m_size == -1) {
            PyObject *copy = PyDict_Copy(PyModule_GetDict(module));
            if (copy == NULL) {
                return -1;
            }
            Py_XSETREF(def->m_base.m_copy, copy);
        }
        if (extensions == NULL && (extensions = PyDict_New()) == NULL) {
            return -1;
        }
        PyObject *key = extension_key(name, filename);
        PyObject *value = key == NULL ? NULL : PyLong_FromVoidPtr(def);
        int rc = value == NULL ? -1 : PyDict_SetItem(extensions, key, value);
        Py_XDECREF(key);
        Py_XDECREF(value);
        return rc;
    }
    return 0;
}

void
_PyImport_ForgetExtensions(void)
{
    PyObject *value;
    Py_ssize_t pos = 0;
    while (extensions != NULL && PyDict_Next(extensions, &pos, NULL, &value)) {
        PyModuleDef *def = PyLong_AsVoidPtr(value);
        Py_CLEAR(def->m_base.m_copy);
    }
    Py_CLEAR(extensions);
}

PyObject *
_PyImport_FindExtension(PyObject *name, PyObject *filename)
{
    if (extensions == NULL) {
        return NULL;
    }
    PyObject *key = extension_key(name, filename);
    PyObject *value = key == NULL ? NULL : PyDict_GetItemWithError(extensions, key);
    Py_XDECREF(key);
    if (value == NULL) {
        return NULL;
    }
    PyModuleDef *def = PyLong_AsVoidPtr(value);
    PyObject *modules = PyImport_GetModuleDict(), *module;
    if (def->m_size == -1) {
        if (def->m_base.m_copy == NULL) {
            return NULL;
        }
        module = PyImport_AddModuleObject(name);
        if (module == NULL
            || PyDict_Update(PyModule_GetDict(module), def->m_base.m_copy) < 0) {
            return NULL;
        }
        Py_INCREF(module);
    }
    else {
        if (def->m_base.m_init == NULL) {
            return NULL;
        }
        module = def->m_base.m_init();
        if (module == NULL) {
            return NULL;
        }
        if (PyObject_SetItem(modules, name, module) < 0) {
            Py_DECREF(module);
            return NULL;
        }
    }
    if (PyState_AddModule(module, def) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

/* ------------------------------------------------------------- initialising */

PyObject *
_PyImport_InitModule(PyObject *(*init)(void), PyObject *spec, PyObject *name,
                     PyObject *filename)
{
    const char *outer = _Py_PackageContext;
    const char *text = PyUnicode_AsUTF8(name);
    if (text == NULL) {
        return NULL;
    }
    _Py_PackageContext = text;
    PyObject *module = init();
    _Py_PackageContext = outer;
    if (module == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_SystemError,
                         "initialization of %s failed without raising an exception", text);
        }
        return NULL;
    }
    if (PyErr_Occurred()) {
        _PyErr_FormatFromCause(PyExc_SystemError,
                               "initialization of %s raised unreported exception", text);
        return NULL;
    }
    if (Py_TYPE(module) == NULL) {
        return PyErr_Format(PyExc_SystemError, "init function of %s returned uninitialized object",
                            text);
    }
    if (PyObject_TypeCheck(module, &PyModuleDef_Type)) {
        PyObject *made_spec = NULL;
        if (spec == NULL) {     /* during start-up, before there are specs */
            PyObject *attrs = Py_BuildValue("{sO}", "name", name);
            spec = made_spec = attrs == NULL ? NULL : _PyNamespace_New(attrs);
            Py_XDECREF(attrs);
            if (spec == NULL) {
                return NULL;
            }
        }
        module = PyModule_FromDefAndSpec((PyModuleDef *)module, spec);
        Py_XDECREF(made_spec);
        return module;
    }
    PyModuleDef *def = PyModule_GetDef(module);
    if (def == NULL) {
        PyErr_Format(PyExc_SystemError,
                     "initialization of %s did not return an extension module", text);
        Py_DECREF(module);
        return NULL;
    }
    def->m_base.m_init = init;
    if (filename != NULL
        && PyModule_AddObjectRef(module, "__file__", filename) < 0) {
        PyErr_Clear();
    }
    if (remember(module, def, name, filename) < 0
        || PyObject_SetItem(PyImport_GetModuleDict(), name, module) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

int
_PyImport_ExecModule(PyObject *module)
{
    if (!PyModule_Check(module)) {
        return 0;
    }
    PyModuleDef *def = PyModule_GetDef(module);
    if (def == NULL || def->m_slots == NULL || PyModule_GetState(module) != NULL) {
        return PyErr_Occurred() && def == NULL ? -1 : 0;
    }
    return PyModule_ExecDef(module, def);
}

/* ------------------------------------------------------------------- dlopen */

/* "PyInit_name", or "PyInitU_punycode" for names outside ASCII. */
static PyObject *
init_symbol(PyObject *name)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    Py_ssize_t dot = PyUnicode_FindChar(name, '.', 0, n, -1);
    if (dot == -2) {
        return NULL;
    }
    PyObject *last = PyUnicode_Substring(name, dot + 1, n);
    if (last == NULL) {
        return NULL;
    }
    const char *prefix = "PyInit_", *codec = "ascii";
    if (!PyUnicode_IS_ASCII(last)) {
        prefix = "PyInitU_", codec = "punycode";
    }
    PyObject *bytes = PyUnicode_AsEncodedString(last, codec, NULL);
    Py_DECREF(last);
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *symbol = PyBytes_FromFormat("%s%s", prefix, PyBytes_AS_STRING(bytes));
    Py_DECREF(bytes);
    if (symbol != NULL) {
        for (char *p = PyBytes_AS_STRING(symbol); *p; p++) {
            *p = *p == '-' ? '_' : *p;
        }
    }
    return symbol;
}

PyObject *
_PyImport_LoadDynamic(PyObject *spec)
{
    PyObject *name = PyObject_GetAttrString(spec, "name"), *path = NULL, *module = NULL;
    PyObject *symbol = NULL, *encoded = NULL;
    if (name == NULL || (path = PyObject_GetAttrString(spec, "origin")) == NULL) {
        goto done;
    }
    module = _PyImport_FindExtension(name, path);
    if (module != NULL || PyErr_Occurred()) {
        goto done;
    }
    if (PySys_Audit("import", "OOOOO", name, path, Py_None, Py_None, Py_None) < 0
        || (symbol = init_symbol(name)) == NULL
        || (encoded = PyUnicode_EncodeFSDefault(path)) == NULL) {
        goto done;
    }
    const char *file = PyBytes_AS_STRING(encoded);
    char local[4096];
    if (strchr(file, '/') == NULL) {    /* without a slash, dlopen would search */
        PyOS_snprintf(local, sizeof(local), "./%s", file);
        file = local;
    }
    /* The standard library's modules unwind nothing; but by ctypes anything can be called. Its
       folder has this name everywhere. To compare the whole path with sys.path's would be exact, but
       somebody else's folder of the same name, with a module that throws through Python's
       functions, has not been seen. */
    if (strstr(file, "/lib-dynload/") == NULL || strstr(file, "_ctypes") != NULL) {
        _PyJit_MeetOthers();
    }
    void *handle = dlopen(file, _PyInterpreterState_GET()->dlopenflags);
    if (handle == NULL) {
        const char *why = dlerror();
        PyObject *message = PyUnicode_DecodeLocale(why ? why : "unknown dlopen() error",
                                                   "surrogateescape");
        if (message != NULL) {
            PyErr_SetImportError(message, name, path);
            Py_DECREF(message);
        }
        goto done;
    }
    PyObject *(*init)(void) = (PyObject * (*)(void))dlsym(handle, PyBytes_AS_STRING(symbol));
    if (init == NULL) {
        PyObject *message = PyUnicode_FromFormat(
            "dynamic module does not define module export function (%s)",
            PyBytes_AS_STRING(symbol));
        if (message != NULL) {
            PyErr_SetImportError(message, name, path);
            Py_DECREF(message);
        }
        goto done;
    }
    _PyPerf_ExtensionIsLoaded();
    _PySampler_TellMaps();
    module = _PyImport_InitModule(init, spec, name, path);
done:
    Py_XDECREF(name);
    Py_XDECREF(path);
    Py_XDECREF(symbol);
    Py_XDECREF(encoded);
    return module;
}

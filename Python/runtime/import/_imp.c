/* The _imp module: what importlib needs from the interpreter. */
#include "Python.h"
#include "internal/getargs.h"
#include "marshal.h"
#include "internal/import.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/code.h"
#include "internal/hash.h"
#include "internal/module_init.h"

#include <stdint.h>

/* The function, not its macro: missing arguments have to be NULL. */
#undef _PyArg_UnpackKeywords

#if defined(__x86_64__)
# define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
# define MULTIARCH "aarch64-linux-gnu"
#else
# define MULTIARCH "unknown"
#endif

static PyObject *
imp_lock_held(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(_PyImport_LockHeld());
}

static PyObject *
imp_acquire_lock(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    _PyImport_Acquire();
    Py_RETURN_NONE;
}

static PyObject *
imp_release_lock(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    if (_PyImport_Release() < 0) {
        PyErr_SetString(PyExc_RuntimeError, "not holding the import lock");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Ours come first: a module built for us is better than one built for CPython. */
static PyObject *
imp_extension_suffixes(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("[ssss]", ".springboard-311-" MULTIARCH ".so",
                         ".cpython-311-" MULTIARCH ".so", ".abi3.so", ".so");
}

static int
need_str(const char *func, const char *which, PyObject *arg)
{
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument(func, which, "str", arg);
        return -1;
    }
    return 0;
}

static PyObject *
imp_is_builtin(PyObject *Py_UNUSED(m), PyObject *name)
{
    if (need_str("is_builtin", "argument", name) < 0) {
        return NULL;
    }
    if (_PyUnicode_EqualToASCIIString(name, "sys")
        || _PyUnicode_EqualToASCIIString(name, "builtins")) {
        return PyLong_FromLong(-1);
    }
    return PyLong_FromLong(_PyImport_BuiltinInit(name) != NULL);
}

static PyObject *
imp_create_builtin(PyObject *Py_UNUSED(m), PyObject *spec)
{
    PyObject *name = PyObject_GetAttrString(spec, "name");
    if (name == NULL) {
        return NULL;
    }
    PyObject *module = _PyImport_FindExtension(name, NULL);
    if (module == NULL && !PyErr_Occurred()) {
        PyObject *(*init)(void) = _PyImport_BuiltinInit(name);
        module = init == NULL ? PyImport_AddModuleObject(name) : NULL;
        if (init == NULL) {     /* sys, builtins: they exist already */
            Py_XINCREF(module);
        }
        else {
            module = _PyImport_InitModule(init, spec, name, NULL);
        }
    }
    Py_DECREF(name);
    return module;
}

static PyObject *
imp_exec_module(PyObject *Py_UNUSED(m), PyObject *module)
{
    int rc = _PyImport_ExecModule(module);
    return rc < 0 ? NULL : PyLong_FromLong(rc);
}

static PyObject *
imp_create_dynamic(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("create_dynamic", nargs, 1, 2)) {
        return NULL;
    }
    return _PyImport_LoadDynamic(args[0]);
}

/* ------------------------------------------------------------------- frozen */



static int
frozen_allowed(const _PyFrozenModule *module)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (module->from_embedder || strncmp(module->name, "_frozen_importlib", 17) == 0
        || strcmp(module->name, "zipimport") == 0) {
        return 1;
    }
    if (interp->override_frozen_modules != 0) {
        return interp->override_frozen_modules > 0;
    }
    return interp->config.use_frozen_modules;
}

static int
find_frozen(PyObject *name, _PyFrozenModule *found)
{
    return _PyImport_FindFrozen(name, found) && frozen_allowed(found);
}

static PyObject *
no_frozen(PyObject *name)
{
    PyObject *text = PyUnicode_FromFormat("No such frozen object named %R", name);
    if (text != NULL) {
        PyErr_SetImportError(text, name, NULL);
        Py_DECREF(text);
    }
    return NULL;
}

static PyObject *
imp_is_frozen(PyObject *Py_UNUSED(m), PyObject *name)
{
    if (need_str("is_frozen", "argument", name) < 0) {
        return NULL;
    }
    _PyFrozenModule module;
    return PyBool_FromLong(find_frozen(name, &module));
}

static PyObject *
imp_is_frozen_package(PyObject *Py_UNUSED(m), PyObject *name)
{
    if (need_str("is_frozen_package", "argument", name) < 0) {
        return NULL;
    }
    _PyFrozenModule module;
    return find_frozen(name, &module) ? PyBool_FromLong(module.is_package) : no_frozen(name);
}

/* The marshalled code, as a memoryview. */
static PyObject *
frozen_data(const _PyFrozenModule *module)
{
    if (module->code != NULL) {
        return PyMemoryView_FromMemory((char *)module->code, module->size, PyBUF_READ);
    }
    PyObject *code = _PyImport_FrozenCode(module);
    PyObject *bytes = code == NULL ? NULL
        : PyMarshal_WriteObjectToString(code, Py_MARSHAL_VERSION);
    PyObject *view = bytes == NULL ? NULL : PyMemoryView_FromObject(bytes);
    Py_XDECREF(code);
    Py_XDECREF(bytes);
    return view;
}

static PyObject *
imp_find_frozen(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"", "withdata", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "find_frozen", 0};
    PyObject *slots[2];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 1, 0, slots);
    if (got == NULL || need_str("find_frozen", "argument 1", got[0]) < 0) {
        return NULL;
    }
    int with_data = got[1] == NULL ? 0 : PyObject_IsTrue(got[1]);
    if (with_data < 0) {
        return NULL;
    }
    _PyFrozenModule module;
    if (!find_frozen(got[0], &module)) {
        Py_RETURN_NONE;
    }
    PyObject *data = Py_None;
    Py_INCREF(data);
    if (with_data) {
        Py_SETREF(data, frozen_data(&module));
        if (data == NULL) {
            return NULL;
        }
    }
    return Py_BuildValue("NOz", data, module.is_package ? Py_True : Py_False,
                         module.original);
}

static PyObject *
imp_get_frozen_object(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("get_frozen_object", nargs, 1, 2)
        || need_str("get_frozen_object", "argument 1", args[0]) < 0) {
        return NULL;
    }
    if (nargs == 2 && args[1] != Py_None) {
        Py_buffer view;
        if (!PyObject_CheckBuffer(args[1])) {
            _PyArg_BadArgument("get_frozen_object", "argument 2", "bytes", args[1]);
            return NULL;
        }
        if (PyObject_GetBuffer(args[1], &view, PyBUF_SIMPLE) < 0) {
            return NULL;
        }
        PyObject *code = view.len == 0 ? NULL
            : PyMarshal_ReadObjectFromString(view.buf, view.len);
        PyBuffer_Release(&view);
        if (code == NULL || !PyCode_Check(code)) {
            Py_XDECREF(code);
            PyErr_Clear();
            return PyErr_Format(PyExc_ImportError, "Frozen object named %R is invalid", args[0]);
        }
        return code;
    }
    _PyFrozenModule module;
    return find_frozen(args[0], &module) ? _PyImport_FrozenCode(&module) : no_frozen(args[0]);
}

static PyObject *
imp_init_frozen(PyObject *Py_UNUSED(m), PyObject *name)
{
    if (need_str("init_frozen", "argument", name) < 0) {
        return NULL;
    }
    int rc = PyImport_ImportFrozenModuleObject(name);
    if (rc < 0) {
        return NULL;
    }
    if (rc == 0) {
        Py_RETURN_NONE;
    }
    return Py_XNewRef(PyImport_AddModuleObject(name));
}

static int
append_name(PyObject *list, const char *text)
{
    PyObject *name = PyUnicode_FromString(text);
    int rc = name == NULL ? -1 : PySequence_Contains(list, name);
    if (rc == 0) {
        rc = PyList_Append(list, name);
    }
    Py_XDECREF(name);
    return rc < 0 ? -1 : 0;
}

static PyObject *
imp__frozen_module_names(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PyList_New(0);
    for (const _PyFrozenModule *f = _PyImport_Frozen; list != NULL && f->name != NULL; f++) {
        if (append_name(list, f->name) < 0) {
            Py_CLEAR(list);
        }
    }
    for (const struct _frozen *f = PyImport_FrozenModules;
         list != NULL && f != NULL && f->name != NULL; f++) {
        if (append_name(list, f->name) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *
imp__override_frozen_modules_for_tests(PyObject *Py_UNUSED(m), PyObject *arg)
{
    int value = _PyLong_AsInt(arg);
    if (value == -1 && PyErr_Occurred()) {
        return NULL;
    }
    _PyInterpreterState_GET()->override_frozen_modules = value;
    Py_RETURN_NONE;
}

/* --------------------------------------------------------------------- code */

/* Replaces the file name of a code object and of the code objects in its constants. */
static void
fix_filename(PyCodeObject *code, PyObject *old, PyObject *new)
{
    if (PyUnicode_Compare(code->co_filename, old) != 0) {
        return;
    }
    Py_INCREF(new);
    Py_SETREF(code->co_filename, new);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *c = PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(c)) {
            fix_filename((PyCodeObject *)c, old, new);
        }
    }
}

static PyObject *
imp__fix_co_filename(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_fix_co_filename", nargs, 2, 2)) {
        return NULL;
    }
    if (!PyObject_TypeCheck(args[0], &PyCode_Type)) {
        _PyArg_BadArgument("_fix_co_filename", "argument 1", PyCode_Type.tp_name, args[0]);
        return NULL;
    }
    if (!PyUnicode_Check(args[1])) {
        _PyArg_BadArgument("_fix_co_filename", "argument 2", "str", args[1]);
        return NULL;
    }
    PyCodeObject *code = (PyCodeObject *)args[0];
    PyObject *old = Py_NewRef(code->co_filename);
    if (PyUnicode_Compare(old, args[1]) != 0) {
        fix_filename(code, old, args[1]);
    }
    Py_DECREF(old);
    Py_RETURN_NONE;
}

/* SipHash-1-3 of the source, keyed by the magic number, little endian. */
static PyObject *
imp_source_hash(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"key", "source", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "source_hash", 0};
    PyObject *slots[2];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 2, 2, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    long key = PyLong_AsLong(got[0]);
    if (key == -1 && PyErr_Occurred()) {
        return NULL;
    }
    Py_buffer view;
    if (PyObject_GetBuffer(got[1], &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    uint64_t hash = _Py_KeyedHash((uint64_t)key, view.buf, view.len);
    PyBuffer_Release(&view);
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(hash >> (8 * i));
    }
    return PyBytes_FromStringAndSize((char *)bytes, 8);
}


static PyMethodDef imp_methods[] = {
    {"_fix_co_filename", FAST(imp__fix_co_filename),
     "_fix_co_filename($module, code, path, /)\n--\n\n"
      "Gives a code object, and those in it, another file name."},
    {"_frozen_module_names", imp__frozen_module_names, METH_NOARGS,
     "_frozen_module_names($module, /)\n--\n\n"
      "The names of the frozen modules."},
    {"_override_frozen_modules_for_tests", imp__override_frozen_modules_for_tests, METH_O,
     "_override_frozen_modules_for_tests($module, override, /)\n--\n\n"
      "Overrides -X frozen_modules: 1 on, -1 off, 0 as the option says."},
    {"acquire_lock", imp_acquire_lock, METH_NOARGS, "acquire_lock($module, /)\n--\n\n"
      "Takes the lock of imports."},
    {"create_builtin", imp_create_builtin, METH_O, "create_builtin($module, spec, /)\n--\n\n"
      "Makes the built-in module of a spec."},
    {"create_dynamic", FAST(imp_create_dynamic),
     "create_dynamic($module, spec, file=<unrepresentable>, /)\n--\n\n"
      "Loads the extension module of a spec."},
    {"exec_builtin", imp_exec_module, METH_O, "exec_builtin($module, mod, /)\n--\n\n"
      "Runs the second half of a built-in module's start."},
    {"exec_dynamic", imp_exec_module, METH_O, "exec_dynamic($module, mod, /)\n--\n\n"
      "Runs the second half of an extension module's start."},
    {"extension_suffixes", imp_extension_suffixes, METH_NOARGS,
     "extension_suffixes($module, /)\n--\n\n"
      "The suffixes of extension modules' files."},
    {"find_frozen", FAST_KEYWORDS(imp_find_frozen),
     "find_frozen($module, name, /, *, withdata=False)\n--\n\n"
      "What is known of a frozen module, or None: (data, is_package, original name)."},
    {"get_frozen_object", FAST(imp_get_frozen_object),
     "get_frozen_object($module, name, data=None, /)\n--\n\n"
      "The code object of a frozen module."},
    {"init_frozen", imp_init_frozen, METH_O, "init_frozen($module, name, /)\n--\n\n"
      "Makes and runs a frozen module."},
    {"is_builtin", imp_is_builtin, METH_O, "is_builtin($module, name, /)\n--\n\n"
      "1 if the module is built in, -1 if it can't be made again, 0 if it is not."},
    {"is_frozen", imp_is_frozen, METH_O, "is_frozen($module, name, /)\n--\n\n"
      "Is there a frozen module of this name?"},
    {"is_frozen_package", imp_is_frozen_package, METH_O,
     "is_frozen_package($module, name, /)\n--\n\n"
      "Is the frozen module a package?"},
    {"lock_held", imp_lock_held, METH_NOARGS, "lock_held($module, /)\n--\n\n"
      "Does some thread hold the lock of imports?"},
    {"release_lock", imp_release_lock, METH_NOARGS, "release_lock($module, /)\n--\n\n"
      "Gives the lock of imports back."},
    {"source_hash", FAST_KEYWORDS(imp_source_hash),
     "source_hash($module, /, key, source)\n--\n\n"
      "The hash of a source text that bytecode files name it by."},
    {NULL, NULL, 0, NULL}
};

static int
imp_exec(PyObject *module)
{
    const wchar_t *mode = _PyInterpreterState_GET()->config.check_hash_pycs_mode;
    PyObject *text = PyUnicode_FromWideChar(mode == NULL ? L"default" : mode, -1);
    if (text == NULL) {
        return -1;
    }
    int rc = PyModule_AddObjectRef(module, "check_hash_based_pycs", text);
    Py_DECREF(text);
    return rc;
}

static PyModuleDef_Slot imp_slots[] = {{Py_mod_exec, imp_exec}, {0, NULL}};

static struct PyModuleDef imp_module = {
    PyModuleDef_HEAD_INIT, "_imp", "What importlib asks of the interpreter.", 0,
    imp_methods, imp_slots, NULL, NULL, NULL
};

MODULE_INIT(_imp)
{
    return PyModuleDef_Init(&imp_module);
}

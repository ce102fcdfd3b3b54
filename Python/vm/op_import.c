/* import statements, and the expression statements of the prompt. */
#include "vm.h"

static PyObject *
import_name(PyThreadState *ts, PyVMFrame *f, PyObject *name, PyObject *level,
            PyObject *fromlist)
{
    PyFunctionObject *func = frame_func(f);
    PyObject *import = PyDict_CheckExact(func->func_builtins)
        ? PyDict_GetItemWithError(func->func_builtins, _Py_NAME(dunder_import))
        : PyObject_GetItem(func->func_builtins, _Py_NAME(dunder_import));
    if (import == NULL) {
        if (!_PyErr_Occurred(ts)) {
            _PyErr_SetString(ts, PyExc_ImportError, "__import__ not found");
        }
        return NULL;
    }
    PyObject *locals = f->locals != NULL ? f->locals : Py_None;
    if (import == ts->interp->import_func) {
        int number = _PyLong_AsInt(level);
        if (number == -1 && _PyErr_Occurred(ts)) {
            return NULL;
        }
        return PyImport_ImportModuleLevelObject(name, func->func_globals,
                                                locals, fromlist, number);
    }
    Py_INCREF(import);
    PyObject *args[] = {name, func->func_globals, locals, fromlist, level};
    PyObject *module = _PyObject_VectorcallTstate(ts, import, args, 5, NULL);
    Py_DECREF(import);
    return module;
}

HANDLER(IMPORT_NAME)
{
    SAVE_IP();
    PyReg *run = &R(B);
    PyObject *module = NULL;
    if (box_run(run, 2) == 0) {
        module = import_name(ts, f, code_name(f, CACHE(0)->arg),
                             REG_PTR(run[0]), REG_PTR(run[1]));
    }
    if (module == NULL) {
        ERROR();
    }
    clear_run(run, 2);
    WRITE(A, (PyReg)module);
    NEXT_RELOAD(1);
}

/* Is the module being executed right now? */
static int
is_initializing(PyObject *module)
{
    PyObject *spec, *value;
    int initializing = 0;
    if (_PyObject_LookupAttr(module, _Py_NAME(dunder_spec), &spec) > 0) {
        if (_PyObject_LookupAttr(spec, _Py_NAME(_initializing), &value) > 0) {
            initializing = PyObject_IsTrue(value) > 0;
            Py_DECREF(value);
        }
        Py_DECREF(spec);
    }
    PyErr_Clear();
    return initializing;
}

static void
complain_import(PyThreadState *ts, PyObject *module, PyObject *package,
                PyObject *name)
{
    PyObject *path = PyModule_GetFilenameObject(module);
    PyObject *known = package != NULL ? Py_NewRef(package)
                                      : PyUnicode_FromString("<unknown module name>");
    if (known == NULL) {
        Py_XDECREF(path);
        return;
    }
    PyObject *message;
    if (path == NULL) {
        _PyErr_Clear(ts);
        message = PyUnicode_FromFormat(
            "cannot import name %R from %R (unknown location)", name, known);
    }
    else {
        message = PyUnicode_FromFormat(
            is_initializing(module)
            ? "cannot import name %R from partially initialized module %R "
              "(most likely due to a circular import) (%S)"
            : "cannot import name %R from %R (%S)", name, known, path);
    }
    if (message != NULL) {
        PyErr_SetImportError(message, known, path);
        Py_DECREF(message);
    }
    Py_DECREF(known);
    Py_XDECREF(path);
}

static PyObject *
import_from(PyThreadState *ts, PyObject *module, PyObject *name)
{
    PyObject *value;
    if (_PyObject_LookupAttr(module, name, &value) != 0) {
        return value;
    }
    /* A submodule that is being imported is in sys.modules before it is an
       attribute of its package. */
    PyObject *package = PyObject_GetAttr(module, _Py_NAME(dunder_name));
    if (package == NULL) {
        _PyErr_Clear(ts);
    }
    else if (PyUnicode_Check(package)) {
        PyObject *full = PyUnicode_FromFormat("%U.%U", package, name);
        if (full == NULL) {
            Py_DECREF(package);
            return NULL;
        }
        value = PyImport_GetModule(full);
        Py_DECREF(full);
        if (value != NULL || _PyErr_Occurred(ts)) {
            Py_DECREF(package);
            return value;
        }
    }
    else {
        Py_CLEAR(package);
    }
    complain_import(ts, module, package, name);
    Py_XDECREF(package);
    return NULL;
}

HANDLER(IMPORT_FROM)
{
    SAVE_IP();
    PyObject *module = reg_object(&R(B));
    PyObject *value = NULL;
    if (module != NULL) {
        value = import_from(ts, module, code_name(f, CACHE(0)->arg));
    }
    if (value == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(1);
}

/* A name in __all__ or __dict__ is not a str. */
static void
complain_star(PyThreadState *ts, PyObject *module, PyObject *name, int from_all)
{
    PyObject *module_name = PyObject_GetAttr(module, _Py_NAME(dunder_name));
    if (module_name == NULL) {
        return;
    }
    if (!PyUnicode_Check(module_name)) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "module __name__ must be a string, not %.100s",
                      Py_TYPE(module_name)->tp_name);
    }
    else {
        _PyErr_Format(ts, PyExc_TypeError,
                      "%s in %U.%s must be str, not %.100s",
                      from_all ? "Item" : "Key", module_name,
                      from_all ? "__all__" : "__dict__",
                      Py_TYPE(name)->tp_name);
    }
    Py_DECREF(module_name);
}

static int
import_star(PyThreadState *ts, PyObject *locals, PyObject *module)
{
    PyObject *names;
    int from_all = 1;
    if (_PyObject_LookupAttr(module, _Py_NAME(dunder_all), &names) < 0) {
        return -1;
    }
    if (names == NULL) {
        PyObject *dict;
        from_all = 0;
        if (_PyObject_LookupAttr(module, _Py_NAME(dunder_dict), &dict) < 0) {
            return -1;
        }
        if (dict == NULL) {
            _PyErr_SetString(ts, PyExc_ImportError,
                             "from-import-* object has no __dict__ and no "
                             "__all__");
            return -1;
        }
        names = PyMapping_Keys(dict);
        Py_DECREF(dict);
        if (names == NULL) {
            return -1;
        }
    }
    int result = 0;
    for (Py_ssize_t i = 0; result == 0; i++) {
        PyObject *name = PySequence_GetItem(names, i);
        if (name == NULL) {
            if (_PyErr_ExceptionMatches(ts, PyExc_IndexError)) {
                _PyErr_Clear(ts);
            }
            else {
                result = -1;
            }
            break;
        }
        if (!PyUnicode_Check(name)) {
            complain_star(ts, module, name, from_all);
            result = -1;
        }
        else if (from_all || PyUnicode_GET_LENGTH(name) == 0
                 || PyUnicode_READ_CHAR(name, 0) != '_') {
            PyObject *value = PyObject_GetAttr(module, name);
            if (value == NULL) {
                result = -1;
            }
            else {
                result = PyDict_CheckExact(locals)
                         ? PyDict_SetItem(locals, name, value)
                         : PyObject_SetItem(locals, name, value);
                Py_DECREF(value);
            }
        }
        Py_DECREF(name);
    }
    Py_DECREF(names);
    return result;
}

HANDLER(IMPORT_STAR)
{
    SAVE_IP();
    if (f->locals == NULL) {
        _PyErr_SetString(ts, PyExc_SystemError,
                         "no locals found during 'import *'");
        ERROR();
    }
    if (import_star(ts, f->locals, REG_PTR(R(A))) < 0) {
        ERROR();
    }
    operand_done(f, A);
    NEXT_RELOAD(0);
}

HANDLER(PRINT_EXPR)
{
    SAVE_IP();
    PyObject *value = reg_object(&R(A));
    if (value == NULL) {
        ERROR();
    }
    PyObject *hook = PySys_GetObject("displayhook");
    if (hook == NULL) {
        _PyErr_SetString(ts, PyExc_RuntimeError, "lost sys.displayhook");
        ERROR();
    }
    Py_INCREF(hook);
    PyObject *result = PyObject_CallOneArg(hook, value);
    Py_DECREF(hook);
    if (result == NULL) {
        ERROR();
    }
    Py_DECREF(result);
    operand_done(f, A);
    NEXT_RELOAD(0);
}

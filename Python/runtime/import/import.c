/* Import: the C side of importlib.

   The import machinery is the standard library's importlib, run by us. This file holds
   what importlib can't do by itself: `import` of a module that is already in sys.modules
   without running any Python code, the start-up of importlib, the import lock, and the
   PyImport_* API. Extension modules are in extension.c, the _imp module in _imp.c. */
#include "Python.h"
#include "internal/code.h"
#include "internal/config.h"
#include "internal/dict.h"
#include "internal/gcstate.h"
#include "marshal.h"
#include "internal/import.h"
#include "internal/jit.h"
#include "internal/names.h"
#include "internal/probes.h"
#include "internal/pystate.h"
#include "internal/errors.h"
#include "internal/runtime.h"
#include "internal/sys_data.h"
#include "internal/frame.h"

#include <stdio.h>
#include <time.h>

/* -------------------------------------------------------------- import lock */

static PyThread_type_lock import_lock;
static unsigned long import_lock_owner = PYTHREAD_INVALID_THREAD_ID;
static int import_lock_level;

void
_PyImport_Acquire(void)
{
    unsigned long me = PyThread_get_thread_ident();
    if (import_lock == NULL) {
        import_lock = PyThread_allocate_lock();
        if (import_lock == NULL) {
            return;
        }
    }
    if (import_lock_owner == me) {
        import_lock_level++;
        return;
    }
    if (!PyThread_acquire_lock(import_lock, 0)) {
        PyThreadState *tstate = PyEval_SaveThread();
        PyThread_acquire_lock(import_lock, 1);
        PyEval_RestoreThread(tstate);
    }
    import_lock_owner = me;
    import_lock_level = 1;
}

int
_PyImport_Release(void)
{
    if (import_lock == NULL) {
        return 0;
    }
    if (import_lock_owner != PyThread_get_thread_ident()) {
        return -1;
    }
    if (--import_lock_level == 0) {
        import_lock_owner = PYTHREAD_INVALID_THREAD_ID;
        PyThread_release_lock(import_lock);
    }
    return 1;
}

int
_PyImport_LockHeld(void)
{
    return import_lock_owner != PYTHREAD_INVALID_THREAD_ID;
}

void
_PyImport_BeforeFork(void)
{
    _PyImport_Acquire();
}

void
_PyImport_AfterForkParent(void)
{
    _PyImport_Release();
}

/* Only the forking thread is left, and it holds the lock. */
void
_PyImport_AfterForkChild(void)
{
    int level = import_lock_level;
    import_lock = PyThread_allocate_lock();
    import_lock_owner = PYTHREAD_INVALID_THREAD_ID;
    import_lock_level = 0;
    if (level > 1 && import_lock != NULL) {
        PyThread_acquire_lock(import_lock, 0);
        import_lock_owner = PyThread_get_thread_ident();
        import_lock_level = level - 1;
    }
}

/* -------------------------------------------------------------- sys.modules */

PyObject *
PyImport_GetModuleDict(void)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (interp->modules == NULL) {
        Py_FatalError("interpreter has no modules dictionary");
    }
    return interp->modules;
}

/* Returns a new reference, or NULL with or without an exception. */
static PyObject *
get_module(PyInterpreterState *interp, PyObject *name)
{
    PyObject *modules = interp->modules, *module;
    if (modules == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "unable to get sys.modules");
        return NULL;
    }
    if (PyDict_CheckExact(modules)) {
        module = Py_XNewRef(PyDict_GetItemWithError(modules, name));
    }
    else {
        module = PyObject_GetItem(modules, name);
        if (module == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
            PyErr_Clear();
        }
    }
    return module;
}

PyObject *
PyImport_GetModule(PyObject *name)
{
    return get_module(_PyInterpreterState_GET(), name);
}

PyObject *
_PyImport_GetModuleId(_Py_Identifier *id)
{
    PyObject *name = _PyUnicode_FromId(id);
    return name == NULL ? NULL : PyImport_GetModule(name);
}

PyObject *
PyImport_AddModuleObject(PyObject *name)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    PyObject *module = get_module(interp, name);
    if (module == NULL || !PyModule_Check(module)) {
        Py_XDECREF(module);
        if (PyErr_Occurred()) {
            return NULL;
        }
        module = PyModule_NewObject(name);
        if (module == NULL || PyObject_SetItem(interp->modules, name, module) < 0) {
            Py_XDECREF(module);
            return NULL;
        }
    }
    Py_DECREF(module);          /* sys.modules keeps it alive */
    return module;
}

PyObject *
PyImport_AddModule(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL) {
        return NULL;
    }
    PyObject *module = PyImport_AddModuleObject(text);
    Py_DECREF(text);
    return module;
}

/* Removes a module that is only partly initialised. Keeps the current exception. */
static void
remove_module(PyObject *name)
{
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    PyObject *modules = PyImport_GetModuleDict();
    if (PyMapping_HasKey(modules, name) && PyObject_DelItem(modules, name) < 0) {
        PyErr_Clear();
    }
    PyErr_Restore(type, value, tb);
}

/* --------------------------------------------------------------- __import__ */

/* If another thread is still initialising the module, waits for that thread. */
static int
ensure_initialized(PyInterpreterState *interp, PyObject *module, PyObject *name)
{
    PyObject *dict = PyModule_CheckExact(module) ? PyModule_GetDict(module) : NULL;
    PyObject *spec, **at = dict != NULL
        ? _PyDict_PeekStr((PyDictObject *)dict, _Py_NAME(dunder_spec)) : NULL;
    if (at != NULL) {
        spec = Py_NewRef(*at);
    }
    else if (_PyObject_LookupAttr(module, _Py_NAME(dunder_spec), &spec) < 0) {
        return -1;
    }
    int busy = _PyModuleSpec_IsInitializing(spec);
    Py_XDECREF(spec);
    if (!busy) {
        return 0;
    }
    PyObject *r = PyObject_CallMethodOneArg(interp->importlib,
                                            _Py_NAME(_lock_unlock_module), name);
    Py_XDECREF(r);
    return r == NULL ? -1 : 0;
}

/* -X importtime: nested imports are indented; "self" excludes their time. */
static PyObject *
timed_find_and_load(PyInterpreterState *interp, PyObject *name)
{
    static int level;
    static int64_t nested;
    static int header;
    if (!header) {
        header = 1;
        fputs("import time: self [us] | cumulative | imported package\n", stderr);
    }
    struct timespec t0, t1;
    int64_t outer = nested;
    nested = 0;
    level++;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    PyObject *module = PyObject_CallMethodObjArgs(interp->importlib, _Py_NAME(_find_and_load),
                                                  name, interp->import_func, NULL);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    level--;
    int64_t spent = (t1.tv_sec - t0.tv_sec) * 1000000000LL + (t1.tv_nsec - t0.tv_nsec);
    const char *text = PyUnicode_AsUTF8(name);
    fprintf(stderr, "import time: %9ld | %10ld | %*s%s\n", (long)((spent - nested + 999) / 1000),
            (long)((spent + 999) / 1000), level * 2, "", text == NULL ? "?" : text);
    nested = outer + spent;
    return module;
}

static PyObject *
find_and_load(PyThreadState *tstate, PyObject *name)
{
    PyInterpreterState *interp = tstate->interp;
    PyObject *path = PySys_GetObject("path"), *meta = PySys_GetObject("meta_path");
    PyObject *hooks = PySys_GetObject("path_hooks");
    if (_PySys_AuditTstate(tstate, "import", "OOOOO", name, Py_None, path ? path : Py_None,
                           meta ? meta : Py_None, hooks ? hooks : Py_None) < 0) {
        return NULL;
    }
    _PyJit_Warmth.imports++;
    PyObject *module = interp->config.import_time
        ? timed_find_and_load(interp, name)
        : PyObject_CallMethodObjArgs(interp->importlib, _Py_NAME(_find_and_load), name,
                                     interp->import_func, NULL);
    _PyJit_Warmth.imports--;
    return module;
}

/* Frames of importlib itself are removed from a traceback: all of them for an
   ImportError, else those around _call_with_frames_removed. */
static void
trim_traceback(PyThreadState *tstate)
{
    if (tstate->interp->config.verbose) {
        return;
    }
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    int all = type != NULL && PyType_IsSubtype((PyTypeObject *)type,
                                               (PyTypeObject *)PyExc_ImportError);
    PyObject **link = &tb, **chunk = NULL;
    int in_importlib = 0;
    while (*link != NULL) {
        PyTracebackObject *entry = (PyTracebackObject *)*link;
        PyCodeObject *code = PyFrame_GetCode(entry->tb_frame);
        int now = _PyUnicode_EqualToASCIIString(code->co_filename,
                                                "<frozen importlib._bootstrap>")
            || _PyUnicode_EqualToASCIIString(code->co_filename,
                                             "<frozen importlib._bootstrap_external>");
        int remove = all || _PyUnicode_EqualToASCIIString(code->co_name,
                                                          "_call_with_frames_removed");
        Py_DECREF(code);
        if (now && !in_importlib) {
            chunk = link;
        }
        in_importlib = now;
        PyObject **next = (PyObject **)&entry->tb_next;
        if (now && remove) {
            PyObject *rest = Py_XNewRef(*next);
            Py_SETREF(*chunk, rest);
            link = chunk;
            in_importlib = 0;
        }
        else {
            link = next;
        }
    }
    if (value != NULL && PyExceptionInstance_Check(value)) {
        PyException_SetTraceback(value, tb == NULL ? Py_None : tb);
    }
    PyErr_Restore(type, value, tb);
}

/* `import a.b.c` binds a: the part of the name before the first dot as it was written.
   For a relative import it is at the tail of abs_name. */
static PyObject *
top_of(PyThreadState *tstate, PyObject *name, PyObject *abs_name, int level, PyObject *module)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    if (level > 0 && n == 0) {
        return Py_NewRef(module);
    }
    Py_ssize_t dot = PyUnicode_FindChar(name, '.', 0, n, 1);
    if (dot == -2) {
        return NULL;
    }
    if (dot == -1) {
        return Py_NewRef(module);
    }
    PyObject *front = level == 0
        ? PyUnicode_Substring(name, 0, dot)
        : PyUnicode_Substring(abs_name, 0, PyUnicode_GET_LENGTH(abs_name) - (n - dot));
    if (front == NULL) {
        return NULL;
    }
    PyObject *top;
    if (level == 0) {
        top = PyImport_ImportModuleLevelObject(front, NULL, NULL, NULL, 0);
    }
    else {
        top = get_module(tstate->interp, front);
        if (top == NULL && !PyErr_Occurred()) {
            PyErr_Format(PyExc_KeyError, "%R not in sys.modules as expected", front);
        }
    }
    Py_DECREF(front);
    return top;
}

/* Is the module no package, or has it all the names? Then _handle_fromlist() would only ask for
   them. That it is called tracers see. */
static int
needs_no_submodule(PyThreadState *tstate, PyObject *module, PyObject *fromlist)
{
    if (!PyModule_CheckExact(module) || !PyTuple_CheckExact(fromlist)
        || tstate->cframe->use_tracing) {
        return 0;
    }
    PyObject *dict = PyModule_GetDict(module);
    if (dict == NULL || !PyDict_CheckExact(dict)
        || ((PyDictObject *)dict)->ma_keys->kind != DICT_KEYS_UNICODE) {
        return 0;       /* to look for a name may run code */
    }
    if (PyDict_GetItemWithError(dict, _Py_NAME(dunder_path)) == NULL) {
        return PyDict_GetItemWithError(dict, _Py_NAME(dunder_getattr)) == NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fromlist); i++) {
        PyObject *name = PyTuple_GET_ITEM(fromlist, i);
        if (!PyUnicode_CheckExact(name) || _PyUnicode_EqualToASCIIString(name, "*")
            || PyDict_GetItemWithError(dict, name) == NULL) {
            return 0;
        }
    }
    return 1;
}

PyObject *
PyImport_ImportModuleLevelObject(PyObject *name, PyObject *globals, PyObject *Py_UNUSED(locals),
                                 PyObject *fromlist, int level)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyInterpreterState *interp = tstate->interp;
    PyObject *abs_name = NULL, *module = NULL, *result = NULL;
    int is_kept = 1;
    if (name == NULL) {
        PyErr_SetString(PyExc_ValueError, "Empty module name");
        goto done;
    }
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "module name must be a string");
        goto done;
    }
    if (level < 0) {
        PyErr_SetString(PyExc_ValueError, "level must be >= 0");
        goto done;
    }
    if (level > 0) {
        abs_name = _PyImport_ResolveName(name, globals, level, &is_kept);
        if (abs_name == NULL) {
            goto done;
        }
    }
    else {
        if (PyUnicode_GET_LENGTH(name) == 0) {
            PyErr_SetString(PyExc_ValueError, "Empty module name");
            goto done;
        }
        abs_name = Py_NewRef(name);
    }
    module = get_module(interp, abs_name);
    if (module == NULL && PyErr_Occurred()) {
        goto done;
    }
    if (module != NULL && module != Py_None) {
        if (ensure_initialized(interp, module, abs_name) < 0) {
            goto done;
        }
        if (!is_kept) {
            _PyImport_KeepName(name, globals, level, abs_name);
        }
    }
    else {
        Py_XDECREF(module);
        if (PROBE_IS_ATTACHED(import__find__load__start)) {
            _PyProbes_ImportFindLoadStart(abs_name);
        }
        module = find_and_load(tstate, abs_name);
        if (PROBE_IS_ATTACHED(import__find__load__done)) {
            _PyProbes_ImportFindLoadDone(abs_name, module != NULL);
        }
        if (module == NULL) {
            goto done;
        }
    }
    int has_from = 0;
    if (fromlist != NULL && fromlist != Py_None) {
        has_from = PyObject_IsTrue(fromlist);
        if (has_from < 0) {
            goto done;
        }
    }
    if (!has_from) {
        result = top_of(tstate, name, abs_name, level, module);
        goto done;
    }
    if (needs_no_submodule(tstate, module, fromlist)) {
        result = Py_NewRef(module);
        goto done;
    }
    PyObject *path;
    if (_PyObject_LookupAttr(module, _Py_NAME(dunder_path), &path) < 0) {
        goto done;
    }
    if (path != NULL) {
        Py_DECREF(path);
        result = PyObject_CallMethodObjArgs(interp->importlib, _Py_NAME(_handle_fromlist),
                                            module, fromlist, interp->import_func, NULL);
    }
    else {
        result = Py_NewRef(module);
    }
done:
    Py_XDECREF(abs_name);
    Py_XDECREF(module);
    if (result == NULL) {
        trim_traceback(tstate);
    }
    return result;
}

PyObject *
PyImport_ImportModuleLevel(const char *name, PyObject *globals, PyObject *locals,
                           PyObject *fromlist, int level)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL) {
        return NULL;
    }
    PyObject *module = PyImport_ImportModuleLevelObject(text, globals, locals, fromlist, level);
    Py_DECREF(text);
    return module;
}

/* ------------------------------------------------------------ other entries */

/* Import by the current __import__. Returns the innermost module, a.b.c. */
PyObject *
PyImport_Import(PyObject *name)
{
    PyObject *globals = PyEval_GetGlobals(), *builtins = NULL, *import = NULL;
    PyObject *module = NULL, *own_globals = NULL, *fromlist = NULL;
    if (globals != NULL) {
        builtins = PyObject_GetItem(globals, _Py_NAME(dunder_builtins));
        if (builtins == NULL) {
            goto done;
        }
    }
    else {
        builtins = PyImport_ImportModuleLevel("builtins", NULL, NULL, NULL, 0);
        own_globals = builtins == NULL ? NULL
            : Py_BuildValue("{OO}", _Py_NAME(dunder_builtins), builtins);
        if (own_globals == NULL) {
            goto done;
        }
        globals = own_globals;
    }
    if (PyDict_Check(builtins)) {
        import = PyObject_GetItem(builtins, _Py_NAME(dunder_import));
        if (import == NULL) {
            PyErr_SetObject(PyExc_KeyError, _Py_NAME(dunder_import));
        }
    }
    else {
        import = PyObject_GetAttr(builtins, _Py_NAME(dunder_import));
    }
    fromlist = import == NULL ? NULL : PyList_New(0);
    if (fromlist == NULL) {
        goto done;
    }
    PyObject *top = PyObject_CallFunction(import, "OOOOi", name, globals, globals, fromlist, 0);
    if (top == NULL) {
        goto done;
    }
    Py_DECREF(top);
    module = PyImport_GetModule(name);
    if (module == NULL && !PyErr_Occurred()) {
        PyErr_SetObject(PyExc_KeyError, name);
    }
done:
    Py_XDECREF(builtins);
    Py_XDECREF(import);
    Py_XDECREF(own_globals);
    Py_XDECREF(fromlist);
    return module;
}

PyObject *
PyImport_ImportModule(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL) {
        return NULL;
    }
    PyObject *module = PyImport_Import(text);
    Py_DECREF(text);
    return module;
}

PyObject *
PyImport_ImportModuleNoBlock(const char *name)
{
    return PyImport_ImportModule(name);
}

PyObject *
PyImport_ReloadModule(PyObject *module)
{
    PyObject *importlib = PyImport_ImportModule("importlib");
    if (importlib == NULL) {
        return NULL;
    }
    PyObject *r = PyObject_CallMethodOneArg(importlib, _Py_NAME(reload), module);
    Py_DECREF(importlib);
    return r;
}

PyObject *
_PyImport_GetModuleAttr(PyObject *modname, PyObject *attr)
{
    PyObject *module = PyImport_Import(modname);
    if (module == NULL) {
        return NULL;
    }
    PyObject *value = PyObject_GetAttr(module, attr);
    Py_DECREF(module);
    return value;
}

PyObject *
_PyImport_GetModuleAttrString(const char *modname, const char *attr)
{
    PyObject *module = PyImport_ImportModule(modname);
    if (module == NULL) {
        return NULL;
    }
    PyObject *value = PyObject_GetAttrString(module, attr);
    Py_DECREF(module);
    return value;
}

/* Runs code as a module, which is put into sys.modules first. */
static PyObject *
exec_in_module(PyObject *name, PyObject *dict, PyObject *code)
{
    PyObject *v = PyEval_EvalCode(code, dict, dict);
    if (v == NULL) {
        remove_module(name);
        return NULL;
    }
    Py_DECREF(v);
    PyObject *module = PyImport_GetModule(name);
    if (module == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_ImportError, "Loaded module %R not found in sys.modules", name);
    }
    return module;
}

/* The dict of the module `name`, with builtins. The module is made if necessary. Returns
   a borrowed reference. */
static PyObject *
module_dict_for_exec(PyObject *name)
{
    PyObject *module = PyImport_AddModuleObject(name);
    if (module == NULL) {
        return NULL;
    }
    PyObject *dict = PyModule_GetDict(module);
    int has = PyDict_Contains(dict, _Py_NAME(dunder_builtins));
    if (has == 0) {
        has = PyDict_SetItem(dict, _Py_NAME(dunder_builtins), PyEval_GetBuiltins());
    }
    if (has < 0) {
        remove_module(name);
        return NULL;
    }
    return dict;
}

PyObject *
PyImport_ExecCodeModuleObject(PyObject *name, PyObject *code, PyObject *pathname,
                              PyObject *cpathname)
{
    PyObject *dict = module_dict_for_exec(name);
    if (dict == NULL) {
        return NULL;
    }
    PyObject *external = PyObject_GetAttrString(_PyInterpreterState_GET()->importlib,
                                                "_bootstrap_external");
    if (external == NULL) {
        return NULL;
    }
    PyObject *path = pathname != NULL ? pathname : ((PyCodeObject *)code)->co_filename;
    PyObject *r = PyObject_CallMethodObjArgs(external, _Py_NAME(_fix_up_module), dict, name,
                                             path, cpathname ? cpathname : path, NULL);
    Py_DECREF(external);
    if (r == NULL) {
        return NULL;
    }
    Py_DECREF(r);
    return exec_in_module(name, dict, code);
}

PyObject *
PyImport_ExecCodeModuleWithPathnames(const char *name, PyObject *code, const char *pathname,
                                     const char *cpathname)
{
    PyObject *n = PyUnicode_FromString(name), *path = NULL, *cpath = NULL, *module = NULL;
    if (n == NULL || (cpathname != NULL && (cpath = PyUnicode_DecodeFSDefault(cpathname)) == NULL)
        || (pathname != NULL && (path = PyUnicode_DecodeFSDefault(pathname)) == NULL)) {
        goto done;
    }
    module = PyImport_ExecCodeModuleObject(n, code, path, cpath);
done:
    Py_XDECREF(n);
    Py_XDECREF(path);
    Py_XDECREF(cpath);
    return module;
}

PyObject *
PyImport_ExecCodeModuleEx(const char *name, PyObject *code, const char *pathname)
{
    return PyImport_ExecCodeModuleWithPathnames(name, code, pathname, NULL);
}

PyObject *
PyImport_ExecCodeModule(const char *name, PyObject *code)
{
    return PyImport_ExecCodeModuleWithPathnames(name, code, NULL, NULL);
}

long
PyImport_GetMagicNumber(void)
{
    PyObject *external = PyObject_GetAttrString(_PyInterpreterState_GET()->importlib,
                                                "_bootstrap_external");
    PyObject *raw = external == NULL ? NULL
        : PyObject_GetAttrString(external, "_RAW_MAGIC_NUMBER");
    long magic = raw == NULL ? -1 : PyLong_AsLong(raw);
    Py_XDECREF(external);
    Py_XDECREF(raw);
    return magic;
}

const char *
PyImport_GetMagicTag(void)
{
    return SB_CACHE_TAG;
}

PyObject *
PyImport_GetImporter(PyObject *path)
{
    PyObject *cache = PySys_GetObject("path_importer_cache");
    PyObject *hooks = PySys_GetObject("path_hooks");
    if (cache == NULL || hooks == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "sys.path_hooks or path_importer_cache is lost");
        return NULL;
    }
    PyObject *importer = PyDict_GetItemWithError(cache, path);
    if (importer != NULL || PyErr_Occurred()) {
        return Py_XNewRef(importer);
    }
    if (PyDict_SetItem(cache, path, Py_None) < 0) {
        return NULL;
    }
    Py_ssize_t n = PyList_Size(hooks);
    for (Py_ssize_t i = 0; i < n; i++) {
        importer = PyObject_CallOneArg(PyList_GetItem(hooks, i), path);
        if (importer != NULL) {
            int rc = PyDict_SetItem(cache, path, importer);
            if (rc < 0) {
                Py_CLEAR(importer);
            }
            return importer;
        }
        if (!PyErr_ExceptionMatches(PyExc_ImportError)) {
            return NULL;
        }
        PyErr_Clear();
    }
    Py_RETURN_NONE;
}

/* ----------------------------------------------------------- frozen modules */

/* Compiles the module's source with the file name that frozen code has. */
static PyObject *
compile_frozen(const _PyFrozenModule *module, const char *text)
{
    const char *original = module->original == NULL ? "frozen_only" : module->original;
    char name[128];
    PyOS_snprintf(name, sizeof(name), "<frozen %s>", original + (original[0] == '<'));
    return Py_CompileStringExFlags(text, name, Py_file_input, NULL, 0);
}

static PyObject *
compile_library_file(const _PyFrozenModule *module)
{
    char path[4096];
    wcstombs(path, _PyInterpreterState_GET()->config.stdlib_dir, sizeof(path) - 1);
    size_t n = strlen(path);
    PyOS_snprintf(path + n, sizeof(path) - n, "/%s", module->source);
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
    }
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = PyMem_Malloc((size_t)size + 1);
    size_t got = text == NULL ? 0 : fread(text, 1, (size_t)size, f);
    fclose(f);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    text[got] = '\0';
    PyObject *code = compile_frozen(module, text);
    PyMem_Free(text);
    return code;
}

PyObject *
_PyImport_FrozenCode(const _PyFrozenModule *module)
{
    if (module->get_code != NULL) {
        return module->get_code();
    }
    if (module->code == NULL) {
        return module->text != NULL ? compile_frozen(module, module->text)
                                    : compile_library_file(module);
    }
    /* CPython has these modules as C data, which its collector does not count. */
    _PyGC_Counts before = _PyGC_CountsNow();
    PyObject *code = PyMarshal_ReadObjectFromString((const char *)module->code, module->size);
    _PyGC_TakeBack(before);
    return code;
}

/* importlib needs to know which module was frozen: `importlib._bootstrap` is imported as
   `_frozen_importlib`. */
static int
set_origname(PyObject *dict, const _PyFrozenModule *frozen)
{
    PyObject *origname = frozen->original == NULL ? Py_NewRef(Py_None)
                                                  : PyUnicode_FromString(frozen->original);
    int rc = origname == NULL ? -1 : PyDict_SetItemString(dict, "__origname__", origname);
    Py_XDECREF(origname);
    return rc;
}

int
PyImport_ImportFrozenModuleObject(PyObject *name)
{
    _PyFrozenModule found, *frozen = &found;
    if (!_PyImport_FindFrozen(name, frozen)) {
        return 0;
    }
    PyObject *code = _PyImport_FrozenCode(frozen);
    PyObject *dict = code == NULL ? NULL : module_dict_for_exec(name);
    int rc = dict == NULL ? -1 : 0;
    if (rc == 0 && frozen->is_package) {
        PyObject *path = PyList_New(0);
        rc = path == NULL ? -1 : PyDict_SetItem(dict, _Py_NAME(dunder_path), path);
        Py_XDECREF(path);
    }
    if (rc == 0) {
        rc = set_origname(dict, frozen);
    }
    if (rc == 0) {
        PyObject *module = exec_in_module(name, dict, code);
        /* importlib makes the module's __spec__ from this */
        rc = module == NULL || set_origname(dict, frozen) < 0 ? -1 : 1;
        Py_XDECREF(module);
    }
    Py_XDECREF(code);
    return rc;
}

int
PyImport_ImportFrozenModule(const char *name)
{
    PyObject *text = PyUnicode_InternFromString(name);
    if (text == NULL) {
        return -1;
    }
    int rc = PyImport_ImportFrozenModuleObject(text);
    Py_DECREF(text);
    return rc;
}

/* ----------------------------------------------------------------- start-up */

int
_PyImport_Init(PyThreadState *tstate)
{
    _PyImport_InitFrozenTables();
    tstate->interp->modules = PyDict_New();
    return tstate->interp->modules == NULL ? -1 : 0;
}

int
_PyImport_InitCore(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    if (PyImport_ImportFrozenModule("_frozen_importlib") <= 0) {
        return -1;
    }
    interp->importlib = Py_XNewRef(PyImport_AddModule("_frozen_importlib"));
    interp->import_func = Py_XNewRef(PyDict_GetItemWithError(interp->builtins,
                                                             _Py_NAME(dunder_import)));
    if (interp->importlib == NULL || interp->import_func == NULL) {
        return -1;
    }
    extern PyObject *PyInit__imp(void);
    PyObject *imp = PyUnicode_FromString("_imp");
    PyObject *module = imp == NULL ? NULL
        : _PyImport_InitModule(PyInit__imp, NULL, imp, NULL);
    if (module == NULL || _PyImport_ExecModule(module) < 0
        || PyDict_SetItem(interp->modules, imp, module) < 0) {
        return -1;
    }
    PyObject *r = PyObject_CallMethod(interp->importlib, "_install", "OO",
                                      PyDict_GetItemString(interp->modules, "sys"), module);
    Py_DECREF(imp);
    Py_DECREF(module);
    Py_XDECREF(r);
    return r == NULL ? -1 : 0;
}

/* Cached bytecode can only be used by interpreters with the same opcodes. */
static int
set_magic_number(PyObject *importlib)
{
    uint16_t number = _PyCode_MagicNumber();
    char magic[4] = {(char)number, (char)(number >> 8), '\r', '\n'};
    uint32_t raw = (uint32_t)number | (uint32_t)'\r' << 16 | (uint32_t)'\n' << 24;
    PyObject *external = PyObject_GetAttrString(importlib, "_bootstrap_external");
    PyObject *bytes = PyBytes_FromStringAndSize(magic, sizeof(magic));
    PyObject *value = PyLong_FromUnsignedLong(raw);
    int rc = -1;
    if (external != NULL && bytes != NULL && value != NULL) {
        rc = PyObject_SetAttrString(external, "MAGIC_NUMBER", bytes);
        if (rc == 0) {
            rc = PyObject_SetAttrString(external, "_RAW_MAGIC_NUMBER", value);
        }
    }
    Py_XDECREF(external);
    Py_XDECREF(bytes);
    Py_XDECREF(value);
    return rc;
}

/* Makes the file loader look where the build put the library's bytecode, and into the user's
   cache: Lib/frozen/_bytecode_places.py. */
static int
use_bytecode_places(PyThreadState *tstate)
{
    const char *cache = _PyConfig_LibraryCache();
    PyObject *name = PyUnicode_FromString("_bytecode_places");
    _PyFrozenModule frozen;
    int have = name != NULL && _PyImport_FindFrozen(name, &frozen);
    Py_XDECREF(name);
    if (!have) {
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *external = PyImport_ImportModule("_frozen_importlib_external");
    PyObject *library = PyUnicode_FromWideChar(tstate->interp->config.stdlib_dir, -1);
    PyObject *code = _PyImport_FrozenCode(&frozen), *globals = NULL, *result = NULL;
    if (external != NULL && library != NULL && code != NULL) {
        globals = Py_BuildValue("{sOsNsNsO}", "_external", external,
                                "_library", PyUnicode_FromFormat("%U/", library),
                                "_cache", PyUnicode_DecodeFSDefault(cache),
                                "__builtins__", tstate->interp->builtins);
    }
    if (globals != NULL) {
        result = PyEval_EvalCode(code, globals, globals);
    }
    Py_XDECREF(external);
    Py_XDECREF(library);
    Py_XDECREF(code);
    Py_XDECREF(globals);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int
_PyImport_InitExternal(PyThreadState *tstate)
{
    PyObject *r = PyObject_CallMethod(tstate->interp->importlib,
                                      "_install_external_importers", NULL);
    if (r == NULL) {
        return -1;
    }
    Py_DECREF(r);
    if (set_magic_number(tstate->interp->importlib) < 0 || use_bytecode_places(tstate) < 0) {
        return -1;
    }
    /* zip files come before directories among the path hooks. */
    PyObject *zipimport = PyImport_ImportModule("zipimport");
    if (zipimport == NULL) {
        PyErr_Clear();
        return 0;
    }
    PyObject *importer = PyObject_GetAttrString(zipimport, "zipimporter");
    Py_DECREF(zipimport);
    if (importer == NULL) {
        PyErr_Clear();
        return 0;
    }
    int rc = PyList_Insert(PySys_GetObject("path_hooks"), 0, importer);
    Py_DECREF(importer);
    return rc;
}

void
_PyImport_Fini(PyInterpreterState *interp)
{
    Py_CLEAR(interp->importlib);
    Py_CLEAR(interp->import_func);
    _PyImport_ForgetNames(interp);
}

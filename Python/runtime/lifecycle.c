/* Start-up and shut-down.

   Start-up is a list of steps, in the order of their dependencies: hashing and
   allocation; the thread; strings and types; exceptions; sys and builtins; importlib;
   then what the configuration decides (paths, codecs, streams, signals, site). A step
   returns 0, or -1 with an exception set, or without one while exceptions do not exist
   yet.

   Shut-down runs in reverse order. What it can't undo safely is left until the process
   ends: objects that C code or a daemon thread may still use. */
#include "Python.h"
#include "internal/bytes.h"
#include "internal/config.h"
#include "internal/dict.h"
#include "internal/context.h"
#include "internal/errors.h"
#include "internal/exceptions.h"
#include "internal/float.h"
#include "internal/gc_stress.h"
#include "internal/gcstate.h"
#include "internal/hash.h"
#include "internal/import.h"
#include "internal/int.h"
#include "internal/jit.h"
#include "internal/memory.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/perf.h"
#include "internal/observe.h"
#include "internal/pystate.h"
#include "internal/runtime.h"
#include "internal/signals.h"
#include "internal/sys_data.h"
#include "internal/traceback.h"
#include "internal/tracemalloc.h"
#include "internal/unicode.h"
#include "internal/vm.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

/* A start-up error is reported with the current exception, if there is one. */
static PyStatus
failed_in(const char *func, const char *what)
{
    PyStatus status = PyStatus_Error(what);
    status.func = func;
    return status;
}

static PyStatus
failed(const char *what)
{
    return failed_in("init_interp", what);
}

/* ----------------------------------------------------------------- the core */

typedef int (*InitStep)(void);

static int
init_warnings(void)
{
    return _PyWarnings_Init(_PyInterpreterState_GET());
}

/* Until types are ready, no exception can be set: a failure has no message. */
static const struct {
    const char *name;
    InitStep step;
} core_steps[] = {
    {"dicts", _PyDict_Init},
    {"strings", _PyUnicode_InitGlobals},
    {"bytes", _PyBytes_InitGlobals},
    {"names", _PyNames_Init},
    {"types", _PyTypes_Init},
    {"exception types", _PyExc_InitTypes},
    {"int", _PyLong_InitTypes},
    {"float", _PyFloat_InitTypes},
    {"exceptions", _PyExc_Init},
    {"errors", _PyErr_InitTypes},
    {"the VM", _PyVM_Init},
    {"observers", _PyObserve_Init},
    {"context variables", _PyContext_Init},
};

static int
init_sys_and_builtins(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    if (_PyImport_Init(tstate) < 0) {
        return -1;
    }
    interp->int_max_str_digits = _PyConfig_IntMaxStrDigits();
    PyObject *sys = _PySys_Create(tstate);
    if (sys == NULL) {
        return -1;
    }
    Py_DECREF(sys);             /* sys.modules keeps it alive */
    PyObject *builtins = _PyBuiltin_Create(&interp->config);
    if (builtins == NULL
        || PyDict_SetItem(interp->modules, _Py_NAME(builtins), builtins) < 0) {
        Py_XDECREF(builtins);
        return -1;
    }
    interp->builtins = Py_NewRef(PyModule_GetDict(builtins));
    Py_DECREF(builtins);
    interp->builtins_copy = PyDict_Copy(interp->builtins);
    if (interp->builtins_copy == NULL) {
        return -1;
    }
    PyObject *err = PyFile_NewStdPrinter(fileno(stderr));
    if (err == NULL || PyDict_SetItemString(interp->sysdict, "stderr", err) < 0
        || PyDict_SetItemString(interp->sysdict, "__stderr__", err) < 0) {
        Py_XDECREF(err);
        return -1;
    }
    Py_DECREF(err);
    return _PySys_ApplyConfig(tstate, &interp->config);
}

/* -------------------------------------------------------------- the streams */

static int
fd_is_open(int fd)
{
    struct stat st;
    return fd >= 0 && fstat(fd, &st) == 0;
}


/* C code prints through stdio: what -u asks for holds there, too, so that its text keeps its
   place among Python's. A prompt wants each line at once. */
static void
set_up_c_streams(const PyConfig *config)
{
    if (!config->buffered_stdio) {
        setvbuf(stdin, NULL, _IONBF, 0);
        setvbuf(stdout, NULL, _IONBF, 0);
        setvbuf(stderr, NULL, _IONBF, 0);
    }
    else if (config->interactive > 0) {
        setvbuf(stdin, NULL, _IOLBF, BUFSIZ);
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    }
}

/* A text stream over a descriptor, or None if the descriptor is closed. */
static PyObject *
new_stream(const PyConfig *config, PyObject *open, int fd, int writable, const char *name,
           const wchar_t *wide_encoding, const wchar_t *wide_errors)
{
    if (!fd_is_open(fd)) {
        Py_RETURN_NONE;
    }
    PyObject *buffer = NULL, *raw = NULL, *text = NULL, *stream = NULL, *io = NULL;
    PyObject *encoding = PyUnicode_FromWideChar(wide_encoding, -1);
    PyObject *errors = PyUnicode_FromWideChar(wide_errors, -1);
    int buffering = !config->buffered_stdio && writable ? 0 : -1;
    buffer = PyObject_CallFunction(open, "isiOOOO", fd, writable ? "wb" : "rb", buffering,
                                   Py_None, Py_None, Py_None, Py_False);
    if (buffer == NULL || encoding == NULL || errors == NULL) {
        goto done;
    }
    raw = buffering ? PyObject_GetAttrString(buffer, "raw") : Py_NewRef(buffer);
    text = PyUnicode_FromString(name);
    if (raw == NULL || text == NULL || PyObject_SetAttrString(raw, "name", text) < 0) {
        goto done;
    }
    PyObject *tty = PyObject_CallMethod(raw, "isatty", NULL);
    if (tty == NULL) {
        goto done;
    }
    int is_tty = PyObject_IsTrue(tty);
    Py_DECREF(tty);
    /* stderr is line buffered, even to a file, so that its text appears at once. */
    PyObject *line_buffering = (is_tty || fd == STDERR_FILENO) && config->buffered_stdio
        ? Py_True : Py_False;
    PyObject *write_through = config->buffered_stdio ? Py_False : Py_True;
    io = PyImport_ImportModule("_io");
    if (io == NULL) {
        goto done;
    }
    stream = PyObject_CallMethod(io, "TextIOWrapper", "OOOsOO", buffer, encoding, errors, "\n",
                                 line_buffering, write_through);
    if (stream != NULL) {
        PyObject *mode = PyUnicode_FromString(writable ? "w" : "r");
        if (mode == NULL || PyObject_SetAttrString(stream, "mode", mode) < 0) {
            Py_CLEAR(stream);
        }
        Py_XDECREF(mode);
    }
done:
    Py_XDECREF(buffer);
    Py_XDECREF(raw);
    Py_XDECREF(text);
    Py_XDECREF(encoding);
    Py_XDECREF(errors);
    Py_XDECREF(io);
    return stream;
}

/* Replaces the name of an encoding from the environment by its codec's name: programs
   compare with "utf-8". */
static int
use_codec_name(wchar_t **encoding)
{
    PyObject *given = PyUnicode_FromWideChar(*encoding, -1), *codec = NULL, *name = NULL;
    const char *text = given == NULL ? NULL : PyUnicode_AsUTF8(given);
    if (text != NULL && (codec = _PyCodec_Lookup(text)) != NULL) {
        name = PyObject_GetAttrString(codec, "name");
    }
    wchar_t *wide = name == NULL ? NULL : PyUnicode_AsWideCharString(name, NULL);
    int rc = wide == NULL ? -1 : 0;
    if (rc == 0 && PyStatus_Exception(_PyConfig_SetWide(encoding, wide))) {
        PyErr_NoMemory();
        rc = -1;
    }
    PyMem_Free(wide);
    Py_XDECREF(name);
    Py_XDECREF(codec);
    Py_XDECREF(given);
    return rc;
}

static int
make_streams(const PyConfig *config, PyObject *open)
{
    static const struct {
        const char *attr, *dunder, *name;
        int writable;
    } streams[] = {
        {"stdin", "__stdin__", "<stdin>", 0}, {"stdout", "__stdout__", "<stdout>", 1},
        {"stderr", "__stderr__", "<stderr>", 1},
    };
    int rc = 0;
    for (int i = 0; i < 3 && rc == 0; i++) {
        PyObject *stream = new_stream(config, open, i, streams[i].writable, streams[i].name,
                                      config->stdio_encoding,
                                      i == 2 ? L"backslashreplace" : config->stdio_errors);
        if (stream == NULL
            || PySys_SetObject(streams[i].dunder, stream) < 0
            || PySys_SetObject(streams[i].attr, stream) < 0) {
            rc = -1;
        }
        Py_XDECREF(stream);
    }
    return rc;
}

static PyStatus
init_streams(PyThreadState *tstate, const PyConfig *config)
{
    if (use_codec_name(&tstate->interp->config.stdio_encoding) < 0) {
        return failed_in("init_stdio_encoding",
                         "failed to get the Python codec name of the stdio encoding");
    }
    struct stat st;
    if (fstat(STDIN_FILENO, &st) == 0 && S_ISDIR(st.st_mode)) {
        return failed_in("init_sys_streams", "<stdin> is a directory, cannot continue");
    }
    PyObject *io = PyImport_ImportModule("io");
    PyObject *open = io == NULL ? NULL : PyObject_GetAttrString(io, "open");
    Py_XDECREF(io);
    int rc = open == NULL
        || PyDict_SetItemString(tstate->interp->builtins, "open", open) < 0
        || make_streams(config, open) < 0 ? -1 : 0;
    Py_XDECREF(open);
    return rc == 0 ? PyStatus_Ok()
        : failed_in("init_sys_streams", "can't initialize sys standard streams");
}

/* ----------------------------------------------------------- __main__, site */

static int
add_main_module(PyInterpreterState *interp)
{
    PyObject *main = PyImport_AddModule("__main__");
    if (main == NULL) {
        return -1;
    }
    PyObject *dict = PyModule_GetDict(main);
    PyObject *annotations = PyDict_New();
    int rc = annotations == NULL
        ? -1 : PyDict_SetItem(dict, _Py_NAME(dunder_annotations), annotations);
    Py_XDECREF(annotations);
    PyObject *builtins = PyDict_GetItemWithError(interp->modules, _Py_NAME(builtins));
    if (rc == 0 && builtins != NULL) {
        rc = PyDict_SetItem(dict, _Py_NAME(dunder_builtins), builtins);
    }
    if (rc == 0 && interp->importlib != NULL) {
        PyObject *loader = PyObject_GetAttrString(interp->importlib, "BuiltinImporter");
        rc = loader == NULL ? -1 : PyDict_SetItem(dict, _Py_NAME(dunder_loader), loader);
        Py_XDECREF(loader);
    }
    return rc;
}

static int
import_and_forget(const char *name)
{
    PyObject *module = PyImport_ImportModule(name);
    Py_XDECREF(module);
    return module == NULL ? -1 : 0;
}

static char *
narrow(const wchar_t *text, char *out, size_t size)
{
    size_t n = wcstombs(out, text, size - 1);
    out[n == (size_t)-1 ? 0 : n] = '\0';
    return out;
}

static PyStatus
init_filesystem_encoding(PyInterpreterState *interp)
{
    const PyConfig *config = &interp->config;
    char encoding[64], errors[64];
    narrow(config->filesystem_errors, errors, sizeof(errors));
    if (import_and_forget("encodings") < 0
        || use_codec_name(&interp->config.filesystem_encoding) < 0) {
        /* Nearly always the reason is that the library is not where it was looked for. */
        _PyConfig_DumpPaths(config);
        return failed_in("init_fs_encoding",
                         "failed to get the Python codec of the filesystem encoding");
    }
    narrow(config->filesystem_encoding, encoding, sizeof(encoding));
    if (_PyUnicode_SetFSCodec(encoding, errors) < 0 || _PyUnicode_InitEncodings() < 0) {
        return failed("can't set up the encodings");
    }
    return PyStatus_Ok();
}

static int
enable_faulthandler(void)
{
    PyObject *module = PyImport_ImportModule("faulthandler");
    PyObject *r = module == NULL ? NULL : PyObject_CallMethod(module, "enable", NULL);
    Py_XDECREF(module);
    Py_XDECREF(r);
    return r == NULL ? -1 : 0;
}

static PyStatus
init_main(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    const PyConfig *config = &interp->config;
    _PyPerf_Start(tstate);
    if (_PyImport_InitExternal(tstate) < 0) {
        return failed("external importer setup failed");
    }
    PyStatus status = init_filesystem_encoding(interp);
    if (PyStatus_Exception(status)) {
        return status;
    }
    if (_PyTraceMalloc_Init(config->tracemalloc) < 0) {
        return failed_in("init_interp_main", "can't initialize tracemalloc");
    }
    if (config->install_signal_handlers && _PySignal_Init(1) < 0) {
        return failed_in("init_interp_main", "can't initialize signals");
    }
    if (config->faulthandler && enable_faulthandler() < 0) {
        return failed_in("init_interp_main", "can't enable faulthandler");
    }
    if (add_main_module(interp) < 0) {
        return failed_in("init_interp_main", "can't create __main__");
    }
    status = init_streams(tstate, config);
    if (PyStatus_Exception(status)) {
        return status;
    }
    if (config->warnoptions.length > 0 && import_and_forget("warnings") < 0) {
        PyErr_WriteUnraisable(NULL);
    }
    if (config->site_import && import_and_forget("site") < 0) {
        return failed_in("init_import_site", "Failed to import the site module");
    }
    return PyStatus_Ok();
}

PyStatus
_Py_InitializeMain(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyStatus status = init_main(tstate);
    if (PyStatus_Exception(status)) {
        return status;
    }
    if (_PyGC_StartStress() < 0) {
        return failed("can't set up SPRINGBOARD_STRESS");
    }
    _PyGC_EndStartUp();
    tstate->interp->initialized = 1;
    _PyRuntime.initialized = 1;
    return PyStatus_Ok();
}

/* The part of the core that belongs to the process is set up once: types, strings and
   exceptions are shared by all interpreters, also by those after another Py_Initialize. */
static PyStatus
init_process(void)
{
    static int done;
    for (size_t i = 0; !done && i < Py_ARRAY_LENGTH(core_steps); i++) {
        if (core_steps[i].step() < 0) {
            return failed(core_steps[i].name);
        }
    }
    done = 1;
    return PyStatus_Ok();
}

static PyStatus
init_core(PyThreadState *tstate)
{
    PyStatus status = init_process();
    if (PyStatus_Exception(status)) {
        return status;
    }
    if (_PyGC_Init() < 0 || init_warnings() < 0) {
        return failed("collector or warnings");
    }
    _PyJit_Configure(&tstate->interp->config);
    if (init_sys_and_builtins(tstate) < 0) {
        return failed("can't create sys and builtins");
    }
    _PyRuntime.core_initialized = 1;
    if (_PyImport_InitCore(tstate) < 0) {
        return failed("can't start importlib");
    }
    return PyStatus_Ok();
}

/* Until Py_Initialize is called again, the former interpreter stays as Py_FinalizeEx left
   it: C code may still hold objects of it. */
static void
leave_former_life(void)
{
    PyInterpreterState *former = _PyRuntime.interp_main;
    PyThreadState *tstate = _PyRuntimeState_GetFinalizing();
    if (former == NULL || tstate == NULL) {
        return;
    }
    PyThreadState_Swap(tstate);
    _PyGC_Fini();
    _PyImport_ForgetExtensions();
    _PyUnicode_ForgetEncodings();
    _PyInterpreterState_Retire(former);
    _PyRuntimeState_SetFinalizing(NULL);
}

PyStatus
Py_InitializeFromConfig(const PyConfig *source)
{
    if (source == NULL) {
        return failed("initialization config is NULL");
    }
    if (_PyRuntime.initialized) {
        return PyStatus_Ok();
    }
    PyStatus status = _PyPreConfig_Run(NULL, 0, NULL);
    if (!PyStatus_Exception(status)) {
        status = _PyGC_ReadStress();
    }
    if (PyStatus_Exception(status)) {
        return status;
    }
    leave_former_life();
    _PyRuntime.main_thread_ident = PyThread_get_thread_ident();
    _PyRuntime_Initialize();
    PyInterpreterState *interp = PyInterpreterState_New();
    if (interp == NULL) {
        return failed("can't make main interpreter");
    }
    status = _PyConfig_Copy(&interp->config, source);
    if (!PyStatus_Exception(status)) {
        status = PyConfig_Read(&interp->config);
    }
    if (PyStatus_Exception(status)) {
        return status;
    }
    if (interp->config.configure_c_stdio) {
        set_up_c_streams(&interp->config);
    }
    if (_Py_HashSecret_Init(interp->config.use_hash_seed, interp->config.hash_seed) < 0) {
        return failed("failed to get random numbers to initialize Python");
    }
    _PyGIL_Init();
    PyThreadState *tstate = PyThreadState_New(interp);
    if (tstate == NULL) {
        return failed("can't make first thread");
    }
    _PyThreadState_Attach(tstate);
    if (_PyGILState_Init(interp) < 0) {
        return failed("can't set up PyGILState");
    }
    status = init_core(tstate);
    if (PyStatus_Exception(status) || !interp->config._init_main) {
        return status;
    }
    return _Py_InitializeMain();
}

void
Py_InitializeEx(int install_signal_handlers)
{
    if (_PyRuntime.initialized) {
        return;
    }
    PyConfig config;
    _PyRuntime_Initialize();
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = 0;
    config.install_signal_handlers = install_signal_handlers;
    PyStatus status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) {
        Py_ExitStatusException(status);
    }
}

void
Py_Initialize(void)
{
    Py_InitializeEx(1);
}

/* ---------------------------------------------------------------- shut-down */

static int
stream_is_closed(PyObject *stream)
{
    PyObject *closed = PyObject_GetAttrString(stream, "closed");
    int rc = closed == NULL ? 0 : PyObject_IsTrue(closed);
    Py_XDECREF(closed);
    if (rc < 0 || closed == NULL) {
        PyErr_Clear();
        rc = 0;
    }
    return rc;
}

/* Flushes stdout and stderr; -1 if one could not be flushed. */
static int
flush_streams(void)
{
    int rc = 0;
    static const char *const names[] = {"stdout", "stderr"};
    for (int i = 0; i < 2; i++) {
        PyObject *stream = PySys_GetObject(names[i]);
        if (stream == NULL || stream == Py_None || stream_is_closed(stream)) {
            continue;
        }
        Py_INCREF(stream);
        PyObject *r = PyObject_CallMethodNoArgs(stream, _Py_NAME(flush));
        if (r == NULL) {
            rc = -1;
            if (i == 0) {
                PyErr_WriteUnraisable(stream);
            }
            else {
                PyErr_Clear();
            }
        }
        Py_XDECREF(r);
        Py_DECREF(stream);
    }
    return rc;
}

/* threading joins its non-daemon threads. */
static void
wait_for_threads(PyInterpreterState *interp)
{
    PyObject *name = PyUnicode_FromString("threading");
    PyObject *threading = name == NULL || interp->modules == NULL ? NULL
        : PyImport_GetModule(name);
    Py_XDECREF(name);
    if (threading == NULL) {
        PyErr_Clear();
        return;
    }
    PyObject *shutdown = PyUnicode_FromString("_shutdown");
    PyObject *r = shutdown == NULL ? NULL : PyObject_CallMethodNoArgs(threading, shutdown);
    Py_XDECREF(shutdown);
    if (r == NULL) {
        PyErr_WriteUnraisable(threading);
    }
    Py_XDECREF(r);
    Py_DECREF(threading);
}

/* Clears sys's references to objects of the program. */
static void
drop_special_values(PyInterpreterState *interp)
{
    static const char *const user_attrs[] = {
        "path", "argv", "ps1", "ps2", "last_type", "last_value", "last_traceback",
        "path_hooks", "path_importer_cache", "meta_path", "__interactivehook__",
    };
    if (PyDict_SetItemString(interp->builtins, "_", Py_None) < 0) {
        PyErr_Clear();
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(user_attrs); i++) {
        if (PyDict_SetItemString(interp->sysdict, user_attrs[i], Py_None) < 0) {
            PyErr_Clear();
        }
    }
    static const char *const restored[][2] = {
        {"stdin", "__stdin__"}, {"stdout", "__stdout__"}, {"stderr", "__stderr__"}
    };
    for (int i = 0; i < 3; i++) {
        PyObject *original = PyDict_GetItemString(interp->sysdict, restored[i][1]);
        if (PyDict_SetItemString(interp->sysdict, restored[i][0],
                                 original ? original : Py_None) < 0) {
            PyErr_Clear();
        }
    }
}

/* Adds a weak reference to the module to `refs`, and sets sys.modules[name] to None. */
static void
let_module_go(PyObject *modules, PyObject *name, PyObject *module, PyObject *refs)
{
    if (!PyModule_Check(module)) {
        return;
    }
    PyObject *ref = PyWeakref_NewRef(module, NULL);
    if (ref == NULL || PyList_Append(refs, ref) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(ref);
    if (PyObject_SetItem(modules, name, Py_None) < 0) {
        PyErr_Clear();
    }
}

/* A module without other references dies as soon as its entry is None, while modules
   imported later still work. So nothing here may keep it alive. */
static void
let_modules_go(PyObject *modules, PyObject *refs)
{
    PyObject *name, *module;
    if (PyDict_CheckExact(modules)) {
        /* Setting an existing key keeps the iteration valid. */
        for (Py_ssize_t pos = 0; PyDict_Next(modules, &pos, &name, &module);) {
            Py_INCREF(name);
            let_module_go(modules, name, module, refs);
            Py_DECREF(name);
        }
        return;
    }
    PyObject *names = PyMapping_Keys(modules);
    for (Py_ssize_t i = 0; names != NULL && i < PyList_GET_SIZE(names); i++) {
        name = PyList_GET_ITEM(names, i);
        module = PyObject_GetItem(modules, name);
        if (module == NULL) {
            PyErr_Clear();
            continue;
        }
        let_module_go(modules, name, module, refs);
        Py_DECREF(module);
    }
    Py_XDECREF(names);
    PyErr_Clear();
}

/* Restores what the program replaced in builtins, then removes what it added: destructors
   still find every builtin. */
static void
restore_builtins(PyInterpreterState *interp)
{
    PyObject *original = interp->builtins_copy;
    PyObject *stored = original == NULL ? NULL : PyDict_Copy(interp->builtins);
    if (stored != NULL) {
        PyDict_Clear(interp->builtins);
        if (PyDict_Update(interp->builtins, original) < 0) {
            PyErr_Clear();
        }
        Py_DECREF(stored);
    }
    PyErr_Clear();
    Py_CLEAR(interp->builtins_copy);
}

/* Clears the namespaces of the surviving modules, in reverse order of import. */
static void
clear_modules(PyObject *refs, PyObject *sys, PyObject *builtins)
{
    for (Py_ssize_t i = PyList_GET_SIZE(refs); --i >= 0;) {
        PyObject *module = PyWeakref_GetObject(PyList_GET_ITEM(refs, i));
        if (module == Py_None || module == sys || module == builtins) {
            continue;
        }
        Py_INCREF(module);
        _PyModule_ClearDict(PyModule_GetDict(module));
        Py_DECREF(module);
    }
}

/* Programs rely on this order: first sys's references to objects of the program. Then
   entries of sys.modules are set to None, with weak references to find the modules that
   survive. Then builtins are restored, followed by a collection. Then the namespaces of
   the survivors are cleared in reverse order of import, sys and builtins last, followed
   by another collection. */
static void
finalize_modules(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    PyObject *modules = interp->modules;
    if (modules == NULL) {
        return;
    }
    drop_special_values(interp);
    PyObject *refs = PyList_New(0);
    PyObject *sys = Py_XNewRef(PyDict_GetItemString(modules, "sys"));
    PyObject *builtins = Py_XNewRef(PyDict_GetItemString(modules, "builtins"));
    if (refs != NULL) {
        let_modules_go(modules, refs);
    }
    PyErr_Clear();
    Py_XDECREF(PyObject_CallMethod(modules, "clear", NULL));
    PyErr_Clear();
    restore_builtins(interp);
    _PyGC_CollectNoFail(tstate);
    _PyGC_DumpShutdownStats(interp);
    if (refs != NULL) {
        clear_modules(refs, sys, builtins);
        Py_DECREF(refs);
    }
    if (sys != NULL) {
        _PyModule_ClearDict(PyModule_GetDict(sys));
    }
    if (builtins != NULL) {
        _PyModule_ClearDict(PyModule_GetDict(builtins));
    }
    /* Finalizers of the remaining cycles find no global names, and no sys.stderr to
       report that to. */
    _PyGC_CollectNoFail(tstate);
    Py_XDECREF(sys);
    Py_XDECREF(builtins);
    PyErr_Clear();
}

/* Lets go of the functions that the program has handed in: one of them may have the last
   reference to a file with unwritten text, directly or by a cycle. */
static void
release_hooks(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    tstate->c_profilefunc = NULL;
    tstate->c_tracefunc = NULL;
    PyObject **const hooks[] = {
        &tstate->c_profileobj, &tstate->c_traceobj, &tstate->async_gen_firstiter,
        &tstate->async_gen_finalizer, &tstate->context, &interp->audit_hooks,
        &interp->before_forkers, &interp->after_forkers_parent, &interp->after_forkers_child,
        &interp->codec_search_path, &interp->codec_search_cache, &interp->codec_error_registry,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(hooks); i++) {
        Py_CLEAR(*hooks[i]);
    }
    _PyGC_CollectNoFail(tstate);
}

static void (*exit_funcs[32])(void);
static int exit_func_count;

int
Py_AtExit(void (*func)(void))
{
    if (exit_func_count >= (int)Py_ARRAY_LENGTH(exit_funcs)) {
        return -1;
    }
    exit_funcs[exit_func_count++] = func;
    return 0;
}

static int
finalize(int process_ends)
{
    if (!_PyRuntime.initialized) {
        return 0;
    }
    PyThreadState *tstate = _PyThreadState_GET();
    PyInterpreterState *interp = tstate->interp;
    wait_for_threads(interp);
    _Py_FinishPendingCalls(tstate);
    _PyAtExit_Run(interp);
    if (interp->config.show_ref_count) {
        fprintf(stderr, "[%zd blocks]\n", _Py_GetAllocatedBlocks());
    }
    /* From here on no other thread may run Python. */
    _PyRuntimeState_SetFinalizing(tstate);
    interp->finalizing = 1;
    _PyRuntime.initialized = 0;
    _PyRuntime.core_initialized = 0;
    if (process_ends) {
        _PyGC.process_ends = 1;
        _PyMem_ProcessEnds();
    }
    int rc = flush_streams();
    _PyFaulthandler_Fini();
    PyOS_FiniInterrupts();
    PyGC_Collect();
    finalize_modules(tstate);
    _PyGC_EndStress();
    if (flush_streams() < 0) {
        rc = -1;
    }
    release_hooks(tstate);
    _PyTraceMalloc_Fini();
    _PySys_ClearAuditHooks();
    _PyPerf_Fini(NULL);
    _PyImport_Fini(interp);
    while (exit_func_count > 0) {
        exit_funcs[--exit_func_count]();
    }
    fflush(stdout);
    fflush(stderr);
    return rc;
}

int
Py_FinalizeEx(void)
{
    return finalize(0);
}

int
_Py_FinalizeProcess(void)
{
    return finalize(1);
}

void
Py_Finalize(void)
{
    Py_FinalizeEx();
}

/* --------------------------------------------------------- sub-interpreters */

static int
init_sub_interpreter(PyThreadState *tstate)
{
    if (init_sys_and_builtins(tstate) < 0 || init_warnings() < 0
        || _PyImport_InitCore(tstate) < 0) {
        return -1;
    }
    const PyConfig *config = &tstate->interp->config;
    if (_PyImport_InitExternal(tstate) < 0 || import_and_forget("encodings") < 0
        || add_main_module(tstate->interp) < 0
        || PyStatus_Exception(init_streams(tstate, config))) {
        return -1;
    }
    return config->site_import ? import_and_forget("site") : 0;
}

PyThreadState *
_Py_NewInterpreter(int isolated_subinterpreter)
{
    if (!_PyRuntime.initialized) {
        Py_FatalError("Py_NewInterpreter: call Py_Initialize first");
    }
    PyThreadState *outer = _PyThreadState_GET();
    PyInterpreterState *interp = PyInterpreterState_New();
    PyThreadState *tstate = interp == NULL ? NULL : PyThreadState_New(interp);
    if (tstate == NULL) {
        return NULL;
    }
    PyThreadState_Swap(tstate);
    PyInterpreterState *from = outer != NULL ? outer->interp : _PyRuntime.interp_main;
    PyStatus status = _PyConfig_Copy(&interp->config, &from->config);
    interp->config._isolated_interpreter = isolated_subinterpreter;
    interp->fs_codec = from->fs_codec;
    if (PyStatus_Exception(status) || init_sub_interpreter(tstate) < 0) {
        PyErr_Print();
        PyThreadState_Clear(tstate);
        PyThreadState_Swap(outer);
        PyThreadState_Delete(tstate);
        PyInterpreterState_Delete(interp);
        return NULL;
    }
    interp->initialized = 1;
    return tstate;
}

PyThreadState *
Py_NewInterpreter(void)
{
    return _Py_NewInterpreter(0);
}

void
Py_EndInterpreter(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    if (tstate != _PyThreadState_GET()) {
        Py_FatalError("thread is not current");
    }
    interp->finalizing = 1;
    wait_for_threads(interp);
    _PyAtExit_Run(interp);
    if (tstate != interp->threads_head || tstate->next != NULL) {
        Py_FatalError("not the last thread");
    }
    flush_streams();
    finalize_modules(tstate);
    _PyPerf_Fini(interp);
    _PyImport_Fini(interp);
    PyInterpreterState_Clear(interp);
    PyThreadState_Swap(NULL);
    PyInterpreterState_Delete(interp);
}

/* ------------------------------------------------------------------ leaving */

void
Py_Exit(int status)
{
    if (_Py_FinalizeProcess() < 0) {
        status = 120;
    }
    exit(status);
}

void
Py_ExitStatusException(PyStatus status)
{
    if (status._type == _PyStatus_TYPE_EXIT) {
        exit(status.exitcode);
    }
    _Py_ExitFatalInit(status.func, status.err_msg ? status.err_msg : "unknown error");
}

PyObject *
_Py_GetConfigsAsDict(void)
{
    PyObject *config = _PyConfig_AsDict(&_PyInterpreterState_GET()->config);
    if (config == NULL) {
        return NULL;
    }
    const PyPreConfig *p = &_PyRuntime.preconfig;
    return Py_BuildValue("{s:{},s:{s:i,s:i,s:i,s:i,s:i,s:i,s:i},s:N}", "global config",
                         "pre_config", "isolated", p->isolated, "use_environment",
                         p->use_environment, "configure_locale", p->configure_locale,
                         "coerce_c_locale", p->coerce_c_locale, "utf8_mode", p->utf8_mode,
                         "dev_mode", p->dev_mode, "allocator", p->allocator, "config", config);
}

/* The `sys` module's functions, and the PySys_* API.

   The data of sys (flags, version_info, implementation…) is in data.c, the audit hooks
   are in Python/core/util/audit.c, and the tracing functions in
   Python/observe/tracing/sys.c. */
#include "Python.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/errors.h"
#include "internal/runtime.h"
#include "internal/sys_data.h"
#include "internal/tracing.h"
#include "internal/gcstate.h"
#include "internal/type.h"
#include "internal/frame.h"
#include "internal/memory.h"
#include "internal/object.h"

#include <dlfcn.h>
#include <unistd.h>

/* The function, not its macro: missing arguments have to be NULL. */
#undef _PyArg_UnpackKeywords

/* -------------------------------------------------------------------- hooks */

static PyObject *
sys_displayhook(PyObject *Py_UNUSED(module), PyObject *value)
{
    if (value == Py_None) {
        Py_RETURN_NONE;
    }
    PyObject *builtins = PyImport_GetModule(_Py_NAME(builtins));
    if (builtins == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_RuntimeError, "lost builtins module");
        }
        return NULL;
    }
    PyObject *out = NULL, *result = NULL;
    if (PyObject_SetAttr(builtins, _Py_NAME(underscore), Py_None) < 0) {
        goto done;
    }
    out = PySys_GetObject("stdout");
    if (out == NULL || out == Py_None) {
        out = NULL;
        PyErr_SetString(PyExc_RuntimeError, "lost sys.stdout");
        goto done;
    }
    Py_INCREF(out);
    if (PyFile_WriteObject(value, out, 0) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            goto done;
        }
        /* Characters that the stream can't encode are escaped. */
        PyErr_Clear();
        PyObject *encoding = PyObject_GetAttr(out, _Py_NAME(encoding));
        const char *codec = encoding == NULL || !PyUnicode_Check(encoding)
                            ? NULL : PyUnicode_AsUTF8(encoding);
        PyObject *repr = codec == NULL ? NULL : PyObject_Repr(value);
        PyObject *bytes = repr == NULL ? NULL
            : PyUnicode_AsEncodedString(repr, codec, "backslashreplace");
        int rc = -1;
        if (bytes != NULL) {
            PyObject *raw;
            int has = _PyObject_LookupAttr(out, _Py_NAME(buffer), &raw);
            if (has > 0) {
                PyObject *r = PyObject_CallMethodOneArg(raw, _Py_NAME(write), bytes);
                rc = r == NULL ? -1 : 0;
                Py_XDECREF(r);
                Py_DECREF(raw);
            }
            else if (has == 0) {
                PyObject *text = PyUnicode_FromEncodedObject(bytes, codec, "strict");
                rc = text == NULL ? -1 : PyFile_WriteObject(text, out, Py_PRINT_RAW);
                Py_XDECREF(text);
            }
        }
        Py_XDECREF(bytes);
        Py_XDECREF(repr);
        Py_XDECREF(encoding);
        if (rc < 0) {
            goto done;
        }
    }
    if (PyFile_WriteString("\n", out) < 0
        || PyObject_SetAttr(builtins, _Py_NAME(underscore), value) < 0) {
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    Py_XDECREF(out);
    Py_DECREF(builtins);
    return result;
}

static PyObject *
sys_excepthook(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("excepthook", nargs, 3, 3)) {
        return NULL;
    }
    PyErr_Display(args[0], args[1], args[2]);
    Py_RETURN_NONE;
}

static PyObject *
sys_unraisablehook(PyObject *Py_UNUSED(module), PyObject *args)
{
    return _PyErr_UnraisableHookDefault(args);
}

static PyObject *
sys_breakpointhook(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    const char *env = getenv("PYTHONBREAKPOINT");
    if (_PyInterpreterState_GET()->config.use_environment == 0) {
        env = NULL;
    }
    if (env == NULL || *env == '\0') {
        env = "pdb.set_trace";
    }
    else if (strcmp(env, "0") == 0) {
        Py_RETURN_NONE;
    }
    char *copy = _PyMem_Strdup(env);
    if (copy == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    const char *dot = strrchr(copy, '.');
    const char *attr = dot == NULL ? copy : dot + 1;
    PyObject *modname = dot == NULL ? PyUnicode_FromString("builtins")
                      : PyUnicode_FromStringAndSize(copy, dot - copy);
    PyObject *module = NULL, *hook = NULL;
    if (modname != NULL && (dot == NULL || dot != copy)) {
        PyObject *fromlist = Py_BuildValue("(s)", attr);
        if (fromlist != NULL) {
            module = PyImport_ImportModuleLevelObject(modname, NULL, NULL, fromlist, 0);
            Py_DECREF(fromlist);
        }
    }
    if (module != NULL) {
        hook = PyObject_GetAttrString(module, attr);
    }
    if (hook != NULL) {
        result = PyObject_Vectorcall(hook, args, nargs, kwnames);
    }
    else if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_ImportError)
             || PyErr_ExceptionMatches(PyExc_AttributeError)
             || PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        if (PyErr_WarnFormat(PyExc_RuntimeWarning, 0,
                             "Ignoring unimportable $PYTHONBREAKPOINT: \"%s\"", copy) == 0) {
            result = Py_NewRef(Py_None);
        }
    }
    Py_XDECREF(hook);
    Py_XDECREF(module);
    Py_XDECREF(modname);
    PyMem_Free(copy);
    return result;
}

/* --------------------------------------------------------------- exceptions */

static PyObject *
sys_exception(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *exc = PyErr_GetHandledException();
    if (exc == NULL) {
        Py_RETURN_NONE;
    }
    return exc;
}

static PyObject *
sys_exc_info(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *exc = PyErr_GetHandledException();
    if (exc == NULL) {
        return PyTuple_Pack(3, Py_None, Py_None, Py_None);
    }
    PyObject *tb = PyException_GetTraceback(exc);
    PyObject *info = PyTuple_Pack(3, (PyObject *)Py_TYPE(exc), exc, tb ? tb : Py_None);
    Py_XDECREF(tb);
    Py_DECREF(exc);
    return info;
}

static PyObject *
sys_exit(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("exit", nargs, 0, 1)) {
        return NULL;
    }
    PyErr_SetObject(PyExc_SystemExit, nargs ? args[0] : NULL);
    return NULL;
}

/* ------------------------------------------------------- strings, encodings */

static PyObject *
sys_getdefaultencoding(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyUnicode_FromString(PyUnicode_GetDefaultEncoding());
}

static PyObject *
sys_getfilesystemencoding(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyUnicode_FromWideChar(_PyInterpreterState_GET()->config.filesystem_encoding, -1);
}

static PyObject *
sys_getfilesystemencodeerrors(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyUnicode_FromWideChar(_PyInterpreterState_GET()->config.filesystem_errors, -1);
}

static PyObject *
sys_intern(PyObject *Py_UNUSED(module), PyObject *s)
{
    if (!PyUnicode_Check(s)) {
        _PyArg_BadArgument("intern", "argument", "str", s);
        return NULL;
    }
    if (!PyUnicode_CheckExact(s)) {
        return PyErr_Format(PyExc_TypeError, "can't intern %.400s", Py_TYPE(s)->tp_name);
    }
    Py_INCREF(s);
    PyUnicode_InternInPlace(&s);
    return s;
}

static PyObject *
sys_get_int_max_str_digits(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_PyInterpreterState_GET()->int_max_str_digits);
}

static PyObject *
sys_set_int_max_str_digits(PyObject *Py_UNUSED(module), PyObject *const *args,
                           Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"maxdigits", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "set_int_max_str_digits", 0};
    PyObject *slots[1];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 1, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    int digits = _PyLong_AsInt(got[0]);
    if (digits == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (digits != 0 && digits < 640) {
        PyErr_Format(PyExc_ValueError, "maxdigits must be 0 or larger than %d", 640);
        return NULL;
    }
    _PyInterpreterState_GET()->int_max_str_digits = digits;
    Py_RETURN_NONE;
}

/* ----------------------------------------------------------- frames, memory */

static PyObject *
sys__getframe(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int depth = 0;
    if (!_PyArg_CheckPositional("_getframe", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1) {
        depth = _PyLong_AsInt(args[0]);
        if (depth == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    PyVMFrame *frame = _PyThreadState_CurrentFrame(_PyThreadState_GET());
    for (; frame != NULL && depth > 0; depth--) {
        frame = first_staying(frame->previous);
    }
    if (frame == NULL) {
        PyErr_SetString(PyExc_ValueError, "call stack is not deep enough");
        return NULL;
    }
    PyObject *obj = (PyObject *)_PyFrame_GetFrameObject(frame);
    if (obj == NULL || PySys_Audit("sys._getframe", "(O)", obj) < 0) {
        return NULL;
    }
    return Py_NewRef(obj);
}

/* Returns {thread id: what(thread state)} for all threads of the process. */
static PyObject *
map_threads(const char *event, PyObject *(*what)(PyThreadState *))
{
    if (PySys_Audit(event, NULL) < 0) {
        return NULL;
    }
    PyObject *result = PyDict_New();
    if (result == NULL) {
        return NULL;
    }
    for (PyInterpreterState *i = PyInterpreterState_Head(); i != NULL;
         i = PyInterpreterState_Next(i)) {
        for (PyThreadState *t = PyInterpreterState_ThreadHead(i); t != NULL;
             t = PyThreadState_Next(t)) {
            PyObject *value = what(t);
            if (value == NULL) {
                if (PyErr_Occurred()) {
                    Py_DECREF(result);
                    return NULL;
                }
                continue;
            }
            PyObject *key = PyLong_FromUnsignedLong(t->thread_id);
            int rc = key == NULL ? -1 : PyDict_SetItem(result, key, value);
            Py_XDECREF(key);
            Py_DECREF(value);
            if (rc < 0) {
                Py_DECREF(result);
                return NULL;
            }
        }
    }
    return result;
}

static PyObject *
frame_of_thread(PyThreadState *tstate)
{
    PyVMFrame *frame = _PyThreadState_CurrentFrame(tstate);
    return frame == NULL ? NULL : Py_XNewRef((PyObject *)_PyFrame_GetFrameObject(frame));
}

static PyObject *
exc_info_of_thread(PyThreadState *tstate)
{
    _PyErr_StackItem *item = tstate->exc_info;
    while (item->previous_item != NULL
           && (item->exc_value == NULL || item->exc_value == Py_None)) {
        item = item->previous_item;
    }
    return _PyErr_StackItemToExcInfoTuple(item);
}

static PyObject *
sys__current_frames(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return map_threads("sys._current_frames", frame_of_thread);
}

static PyObject *
sys__current_exceptions(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return map_threads("sys._current_exceptions", exc_info_of_thread);
}

static PyObject *
sys_getrefcount(PyObject *Py_UNUSED(module), PyObject *obj)
{
    /* None is not counted: registers take and drop it freely. */
    return PyLong_FromSsize_t(obj == Py_None ? _Py_IMMORTAL_REFCNT : Py_REFCNT(obj));
}

static PyObject *
sys_getsizeof(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    static const char *const keywords[] = {"object", "default", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "getsizeof", 0};
    PyObject *slots[2];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 2, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    size_t size = _PySys_GetSizeOf(got[0]);
    if (size == (size_t)-1 && PyErr_Occurred()) {
        if (got[1] != NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            return Py_NewRef(got[1]);
        }
        return NULL;
    }
    return PyLong_FromSize_t(size);
}

static PyObject *
sys_getallocatedblocks(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(_Py_GetAllocatedBlocks());
}

static PyObject *
sys__debugmallocstats(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    _PyObject_DebugMallocStats(stderr);
    Py_RETURN_NONE;
}

static PyObject *
sys__clear_type_cache(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    _PyType_ClearCache();
    Py_RETURN_NONE;
}

static PyObject *
sys__getquickenedcount(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(0);
}

/* -------------------------------------------------- limits, threads, dlopen */

static PyObject *
sys_getrecursionlimit(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(Py_GetRecursionLimit());
}

static PyObject *
sys_setrecursionlimit(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int limit = _PyLong_AsInt(arg);
    if (limit == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (limit < 1) {
        PyErr_SetString(PyExc_ValueError, "recursion limit must be greater or equal than 1");
        return NULL;
    }
    PyThreadState *tstate = _PyThreadState_GET();
    int depth = _PyThreadState_RecursionDepth(tstate);
    if (depth >= limit) {
        return PyErr_Format(PyExc_RecursionError,
                            "cannot set the recursion limit to %i at the recursion depth %i: "
                            "the limit is too low", limit, depth);
    }
    Py_SetRecursionLimit(limit);
    Py_RETURN_NONE;
}

static PyObject *
sys_getswitchinterval(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyFloat_FromDouble(1e-6 * (double)_PyEval_GetSwitchInterval());
}

static PyObject *
sys_setswitchinterval(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double interval = PyFloat_AsDouble(arg);
    if (interval == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    if (!(interval > 0.0)) {
        PyErr_SetString(PyExc_ValueError, "switch interval must be strictly positive");
        return NULL;
    }
    _PyEval_SetSwitchInterval((unsigned long)(1e6 * interval));
    Py_RETURN_NONE;
}

static PyObject *
sys_getdlopenflags(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_PyInterpreterState_GET()->dlopenflags);
}

static PyObject *
sys_setdlopenflags(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int flags = _PyLong_AsInt(arg);
    if (flags == -1 && PyErr_Occurred()) {
        return NULL;
    }
    _PyInterpreterState_GET()->dlopenflags = flags;
    Py_RETURN_NONE;
}

static PyObject *
sys_is_finalizing(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(_PyRuntimeState_GetFinalizing() != NULL);
}

/* ---------------------------------------------------------- coroutine hooks */

static PyObject *
sys_get_coroutine_origin_tracking_depth(PyObject *Py_UNUSED(module),
                                        PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_PyThreadState_GET()->coroutine_origin_tracking_depth);
}

static PyObject *
sys_set_coroutine_origin_tracking_depth(PyObject *Py_UNUSED(module), PyObject *const *args,
                                        Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"depth", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "set_coroutine_origin_tracking_depth", 0};
    PyObject *slots[1];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 1, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    int depth = _PyLong_AsInt(got[0]);
    if (depth == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (depth < 0) {
        PyErr_SetString(PyExc_ValueError, "depth must be >= 0");
        return NULL;
    }
    _PyThreadState_GET()->coroutine_origin_tracking_depth = depth;
    Py_RETURN_NONE;
}

static PyObject *
sys_get_asyncgen_hooks(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *res = PyStructSequence_New(_PySys_AsyncGenHooksType());
    if (res == NULL) {
        return NULL;
    }
    PyObject *first = tstate->async_gen_firstiter, *last = tstate->async_gen_finalizer;
    PyStructSequence_SetItem(res, 0, Py_NewRef(first ? first : Py_None));
    PyStructSequence_SetItem(res, 1, Py_NewRef(last ? last : Py_None));
    return res;
}

static PyObject *
sys_set_asyncgen_hooks(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                       PyObject *kwnames)
{
    static const char *const keywords[] = {"firstiter", "finalizer", NULL};
    static _PyArg_Parser parser = {NULL, keywords, NULL, 0};
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *slots[2];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 0, 2, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    static const char *const events[] = {"sys.set_asyncgen_hook_firstiter",
                                         "sys.set_asyncgen_hook_finalizer"};
    for (int i = 0; i < 2; i++) {
        if (got[i] != NULL && got[i] != Py_None && !PyCallable_Check(got[i])) {
            return PyErr_Format(PyExc_TypeError, "callable %s expected, got %.50s",
                                keywords[i], Py_TYPE(got[i])->tp_name);
        }
    }
    PyObject **places[] = {&tstate->async_gen_firstiter, &tstate->async_gen_finalizer};
    for (int i = 1; i >= 0; i--) {
        if (got[i] == NULL) {
            continue;
        }
        if (PySys_Audit(events[i], NULL) < 0) {
            return NULL;
        }
        Py_XSETREF(*places[i], got[i] == Py_None ? NULL : Py_NewRef(got[i]));
    }
    Py_RETURN_NONE;
}

/* --------------------------------------------------------------- the module */

static PyObject *
sys_addaudithook(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"hook", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "addaudithook", 0};
    PyObject *slots[1];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 1, 0, slots);
    return got == NULL ? NULL : _PySys_addaudithook(module, got[0]);
}


static PyMethodDef sys_methods[] = {
    {"_clear_type_cache", sys__clear_type_cache, METH_NOARGS,
     "_clear_type_cache($module, /)\n--\n\nEmpties the cache of attribute lookups on types."},
    {"_current_exceptions", sys__current_exceptions, METH_NOARGS,
     "_current_exceptions($module, /)\n--\n\nThe exception that each thread handles, by thread id."},
    {"_current_frames", sys__current_frames, METH_NOARGS,
     "_current_frames($module, /)\n--\n\nThe frame that each thread runs, by thread id."},
    {"_debugmallocstats", sys__debugmallocstats, METH_NOARGS,
     "_debugmallocstats($module, /)\n--\n\nWrites statistics of the allocators to stderr."},
    {"_getframe", FAST(sys__getframe),
     "_getframe($module, depth=0, /)\n--\n\nA frame of the call stack: 0 is the caller's."},
    {"_getquickenedcount", sys__getquickenedcount, METH_NOARGS,
     "_getquickenedcount($module, /)\n--\n\n"
      "How many code objects were specialised."},
    {"activate_stack_trampoline", FAST_KEYWORDS(_PySys_activate_stack_trampoline),
     "activate_stack_trampoline($module, backend, /)\n--\n\nShows Python functions to a profiler of "
     "C stacks: 'perf' or 'perf_jit'."},
    {"addaudithook", FAST_KEYWORDS(sys_addaudithook),
     "addaudithook($module, /, hook)\n--\n\nAdds a callable that is told of every audit event."},
    {"audit", FAST(_PySys_audit), "audit(event, *args)\n\nRaises an audit event."},
    {"breakpointhook", FAST_KEYWORDS(sys_breakpointhook),
     "breakpointhook(*args, **kws)\n\nWhat breakpoint() calls."},
    {"call_tracing", FAST(_PySys_call_tracing),
     "call_tracing($module, func, args, /)\n--\n\nCalls func(*args) with tracing enabled."},
    {"deactivate_stack_trampoline", _PySys_deactivate_stack_trampoline, METH_NOARGS,
     "deactivate_stack_trampoline($module, /)\n--\n\nEnds what activate_stack_trampoline() began."},
    {"displayhook", sys_displayhook, METH_O,
     "displayhook($module, object, /)\n--\n\nPrints the value of an interactive statement."},
    {"exc_info", sys_exc_info, METH_NOARGS,
     "exc_info($module, /)\n--\n\n(type, value, traceback) of the exception being handled."},
    {"excepthook", FAST(sys_excepthook),
     "excepthook($module, exctype, value, traceback, /)\n--\n\nPrints an uncaught exception."},
    {"exception", sys_exception, METH_NOARGS,
     "exception($module, /)\n--\n\nThe exception being handled, or None."},
    {"exit", FAST(sys_exit),
     "exit($module, status=None, /)\n--\n\nRaises SystemExit(status)."},
    {"get_asyncgen_hooks", sys_get_asyncgen_hooks, METH_NOARGS,
     "get_asyncgen_hooks($module, /)\n--\n\nThe hooks of asynchronous generators."},
    {"get_coroutine_origin_tracking_depth", sys_get_coroutine_origin_tracking_depth, METH_NOARGS,
     "get_coroutine_origin_tracking_depth($module, /)\n--\n\n"
      "How many frames new coroutines remember of where they were made."},
    {"get_int_max_str_digits", sys_get_int_max_str_digits, METH_NOARGS,
     "get_int_max_str_digits($module, /)\n--\n\nThe limit on digits in int/str conversions."},
    {"getallocatedblocks", sys_getallocatedblocks, METH_NOARGS,
     "getallocatedblocks($module, /)\n--\n\nHow many memory blocks are in use."},
    {"getdefaultencoding", sys_getdefaultencoding, METH_NOARGS,
     "getdefaultencoding($module, /)\n--\n\n'utf-8'"},
    {"getdlopenflags", sys_getdlopenflags, METH_NOARGS, "getdlopenflags($module, /)\n--\n\n"
      "The flags that extension modules are loaded with."},
    {"getfilesystemencodeerrors", sys_getfilesystemencodeerrors, METH_NOARGS,
     "getfilesystemencodeerrors($module, /)\n--\n\nThe error handler for file names."},
    {"getfilesystemencoding", sys_getfilesystemencoding, METH_NOARGS,
     "getfilesystemencoding($module, /)\n--\n\nThe encoding of file names."},
    {"getprofile", _PySys_getprofile, METH_NOARGS, "getprofile($module, /)\n--\n\n"
      "The function set with setprofile(), or None."},
    {"getrecursionlimit", sys_getrecursionlimit, METH_NOARGS,
     "getrecursionlimit($module, /)\n--\n\nThe largest depth of the call stack."},
    {"getrefcount", sys_getrefcount, METH_O,
     "getrefcount($module, object, /)\n--\n\nThe reference count, the argument's own included."},
    {"getsizeof", FAST_KEYWORDS(sys_getsizeof),
     "getsizeof(object [, default]) -> int\n\nThe size of an object in bytes."},
    {"getswitchinterval", sys_getswitchinterval, METH_NOARGS,
     "getswitchinterval($module, /)\n--\n\nHow long a thread may keep the GIL, in seconds."},
    {"gettrace", _PySys_gettrace, METH_NOARGS, "gettrace($module, /)\n--\n\n"
      "The function set with settrace(), or None."},
    {"intern", sys_intern, METH_O,
     "intern($module, string, /)\n--\n\nThe one interned copy of a string."},
    {"is_finalizing", sys_is_finalizing, METH_NOARGS,
     "is_finalizing($module, /)\n--\n\nTrue while Python shuts down."},
    {"is_stack_trampoline_active", _PySys_is_stack_trampoline_active, METH_NOARGS,
     "is_stack_trampoline_active($module, /)\n--\n\nWhether Python functions are shown to a profiler."},
    {"set_asyncgen_hooks", FAST_KEYWORDS(sys_set_asyncgen_hooks),
     "set_asyncgen_hooks(* [, firstiter] [, finalizer])\n\n"},
    {"set_coroutine_origin_tracking_depth", FAST_KEYWORDS(sys_set_coroutine_origin_tracking_depth),
     "set_coroutine_origin_tracking_depth($module, /, depth)\n--\n\n"
      "Sets how many frames new coroutines remember of where they were made;\n0 turns it off."},
    {"set_int_max_str_digits", FAST_KEYWORDS(sys_set_int_max_str_digits),
     "set_int_max_str_digits($module, /, maxdigits)\n--\n\n"
      "Limits the digits of ints that are made from text or become text; 0: no limit."},
    {"setdlopenflags", sys_setdlopenflags, METH_O, "setdlopenflags($module, flags, /)\n--\n\n"
      "Sets the flags that extension modules are loaded with (see os.RTLD_*)."},
    {"setprofile", _PySys_setprofile, METH_O, "setprofile(function)\n\nSets the profiling function."},
    {"setrecursionlimit", sys_setrecursionlimit, METH_O,
     "setrecursionlimit($module, limit, /)\n--\n\n"
      "Sets how deep calls may nest before RecursionError is raised."},
    {"setswitchinterval", sys_setswitchinterval, METH_O,
     "setswitchinterval($module, interval, /)\n--\n\n"
      "Sets after how many seconds a running thread lets another one run."},
    {"settrace", _PySys_settrace, METH_O, "settrace(function)\n\nSets the tracing function."},
    {"unraisablehook", sys_unraisablehook, METH_O,
     "unraisablehook($module, unraisable, /)\n--\n\nReports an exception that can't be raised."},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef sys_module = {
    PyModuleDef_HEAD_INIT, "sys",
    "Objects used or maintained by the interpreter, and functions that interact\n"
    "with it strongly.",
    -1, sys_methods, NULL, NULL, NULL, NULL
};

/* The initial values of the hooks, for restoring them. */
static int
keep_hooks(PyObject *dict)
{
    static const char *const hooks[] = {"breakpointhook", "displayhook", "excepthook",
                                        "unraisablehook"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(hooks); i++) {
        char kept[32];
        PyOS_snprintf(kept, sizeof(kept), "__%s__", hooks[i]);
        if (PyDict_SetItemString(dict, kept, PyDict_GetItemString(dict, hooks[i])) < 0) {
            return -1;
        }
    }
    return 0;
}

PyObject *
_PySys_Create(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    PyObject *module = PyModule_Create(&sys_module);
    if (module == NULL) {
        return NULL;
    }
    interp->sysdict = Py_NewRef(PyModule_GetDict(module));
    if (PyDict_SetItemString(interp->sysdict, "modules", interp->modules) < 0
        || PyDict_SetItemString(interp->modules, "sys", module) < 0
        || keep_hooks(interp->sysdict) < 0
        || _PySys_AddData(interp->sysdict) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

/* Warnings: deciding by the filters whether one is shown, and the _warnings module.

   warnings.py, once imported, owns the lists: its `filters`, `onceregistry` and
   `defaultaction` replace ours in every decision. Before that, or without it, the
   interpreter's own state (struct _Py_warnings_state) is used.

   A registry is a dict of the warnings that a module has given. Its "version" entry says
   which version of the filters it was made for. */
#include "Python.h"
#include "frameobject.h"
#include "internal/errors.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/traceback.h"

static inline struct _Py_warnings_state *
get_state(void)
{
    return &_PyInterpreterState_GET()->warnings;
}

/* An attribute of the warnings module. Returns a new reference, or NULL with or without
   an exception. */
static PyObject *
module_attribute(PyObject *name, int try_import)
{
    PyObject *module;
    /* While the interpreter shuts down, an import may find modules half cleared. */
    if (try_import && !_Py_IsFinalizing()) {
        module = PyImport_Import(_Py_NAME(warnings));
        if (module == NULL) {
            if (PyErr_ExceptionMatches(PyExc_ImportError)) {
                PyErr_Clear();
            }
            return NULL;
        }
    }
    else {
        if (_PyInterpreterState_GET()->modules == NULL) {
            return NULL;
        }
        module = PyImport_GetModule(_Py_NAME(warnings));
        if (module == NULL) {
            return NULL;
        }
    }
    PyObject *value = NULL;
    (void)_PyObject_LookupAttr(module, name, &value);
    Py_DECREF(module);
    return value;
}

/* Takes over the value that warnings.py has. Returns a borrowed reference. */
static PyObject *
refresh(PyObject **slot, PyObject *name)
{
    PyObject *value = module_attribute(name, 0);
    if (value != NULL) {
        Py_XSETREF(*slot, value);
    }
    else if (PyErr_Occurred()) {
        return NULL;
    }
    return *slot;
}

static PyObject *
once_registry(void)
{
    PyObject *registry = refresh(&get_state()->once_registry, _Py_NAME(onceregistry));
    if (registry != NULL && !PyDict_Check(registry)) {
        return PyErr_Format(PyExc_TypeError, "_warnings.onceregistry must be "
                            "a dict, not '%.200s'",
                            Py_TYPE(registry)->tp_name);
    }
    return registry;
}

static PyObject *
default_action(void)
{
    PyObject *action = refresh(&get_state()->default_action, _Py_NAME(defaultaction));
    if (action != NULL && !PyUnicode_Check(action)) {
        return PyErr_Format(PyExc_TypeError, "_warnings.defaultaction must be "
                            "a string, not '%.200s'",
                            Py_TYPE(action)->tp_name);
    }
    return action;
}

/* -------------------------------------------------------------- the filters */

/* pattern: None, an exact str, or an object with a match() method. */
static int
pattern_matches(PyObject *pattern, PyObject *text)
{
    if (pattern == Py_None) {
        return 1;
    }
    if (PyUnicode_CheckExact(pattern)) {
        int order = PyUnicode_Compare(pattern, text);
        return order == -1 && PyErr_Occurred() ? -1 : order == 0;
    }
    PyObject *match = PyObject_CallMethodOneArg(pattern, _Py_NAME(match),
                                                text);
    if (match == NULL) {
        return -1;
    }
    int truth = PyObject_IsTrue(match);
    Py_DECREF(match);
    return truth;
}

static int
filter_applies(PyObject *item, PyObject *category, PyObject *text,
               Py_ssize_t lineno, PyObject *module)
{
    int yes = pattern_matches(PyTuple_GET_ITEM(item, 1), text);
    if (yes <= 0) {
        return yes;
    }
    yes = PyObject_IsSubclass(category, PyTuple_GET_ITEM(item, 2));
    if (yes <= 0) {
        return yes;
    }
    yes = pattern_matches(PyTuple_GET_ITEM(item, 3), module);
    if (yes <= 0) {
        return yes;
    }
    Py_ssize_t line = PyNumber_AsSsize_t(PyTuple_GET_ITEM(item, 4), NULL);
    if (line == -1 && PyErr_Occurred()) {
        return -1;
    }
    return line == 0 || line == lineno;
}

/* Returns a new reference to the action. *item gets a new reference to the filter that
   decided, or None. */
static PyObject *
find_action(PyObject *category, PyObject *text, Py_ssize_t lineno,
            PyObject *module, PyObject **item)
{
    PyObject *filters = refresh(&get_state()->filters, _Py_NAME(filters));
    if (filters == NULL && PyErr_Occurred()) {
        return NULL;
    }
    if (filters == NULL || !PyList_Check(filters)) {
        PyErr_SetString(PyExc_ValueError, "_warnings.filters must be a list");
        return NULL;
    }
    Py_INCREF(filters);
    /* Matching runs Python code, which may change the list. */
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(filters); i++) {
        PyObject *candidate = Py_NewRef(PyList_GET_ITEM(filters, i));
        if (!PyTuple_Check(candidate) || PyTuple_GET_SIZE(candidate) != 5) {
            PyErr_Format(PyExc_ValueError,
                         "_warnings.filters item %zd isn't a 5-tuple", i);
            Py_DECREF(candidate);
            goto fail;
        }
        PyObject *action = PyTuple_GET_ITEM(candidate, 0);
        if (!PyUnicode_Check(action)) {
            PyErr_Format(PyExc_TypeError,
                         "action must be a string, not '%.200s'",
                         Py_TYPE(action)->tp_name);
            Py_DECREF(candidate);
            goto fail;
        }
        int applies = filter_applies(candidate, category, text, lineno,
                                     module);
        if (applies < 0) {
            Py_DECREF(candidate);
            goto fail;
        }
        if (applies) {
            *item = candidate;
            Py_DECREF(filters);
            return Py_NewRef(action);
        }
        Py_DECREF(candidate);
    }
    Py_DECREF(filters);
    PyObject *action = default_action();
    if (action == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError,
                            "_warnings.defaultaction not found");
        }
        return NULL;
    }
    *item = Py_NewRef(Py_None);
    return Py_NewRef(action);

fail:
    Py_DECREF(filters);
    return NULL;
}

/* ----------------------------------------------------------- the registries */

/* Empties the registry if the filters have changed since it was made. */
static int
bring_up_to_date(PyObject *registry)
{
    long now = get_state()->filters_version;
    PyObject *key = _Py_NAME(version);
    PyObject *version = PyDict_GetItemWithError(registry, key);
    if (version == NULL && PyErr_Occurred()) {
        return -1;
    }
    if (version != NULL && PyLong_CheckExact(version)
        && PyLong_AsLong(version) == now) {
        return 0;
    }
    PyErr_Clear();
    PyDict_Clear(registry);
    version = PyLong_FromLong(now);
    int failed = version == NULL
        || PyDict_SetItem(registry, key, version) < 0;
    Py_XDECREF(version);
    return failed ? -1 : 0;
}

/* Returns 1 if the registry has the key. With `add`, a missing key is added. */
static int
already_warned(PyObject *registry, PyObject *key, int add)
{
    if (bring_up_to_date(registry) < 0) {
        return -1;
    }
    PyObject *known = PyDict_GetItemWithError(registry, key);
    if (known != NULL) {
        int truth = PyObject_IsTrue(known);
        if (truth != 0) {
            return truth;
        }
    }
    else if (PyErr_Occurred()) {
        return -1;
    }
    return add ? PyDict_SetItem(registry, key, Py_True) : 0;
}

static int
note_text(PyObject *registry, PyObject *text, PyObject *category)
{
    PyObject *key = PyTuple_Pack(2, text, category);
    if (key == NULL) {
        return -1;
    }
    int known = already_warned(registry, key, 1);
    Py_DECREF(key);
    return known;
}

/* ------------------------------------------------------------------ showing */

static void
show_warning(PyObject *filename, int lineno, PyObject *text,
             PyObject *category, PyObject *sourceline)
{
    PyObject *file = PySys_GetObject("stderr");
    if (file == NULL) {
        fprintf(stderr, "lost sys.stderr\n");
        return;
    }
    PyObject *name = PyType_GetName((PyTypeObject *)category);
    PyObject *head = name == NULL ? NULL
        : PyUnicode_FromFormat(":%d: %U: ", lineno, name);
    Py_INCREF(file);
    if (head != NULL
        && PyFile_WriteObject(filename, file, Py_PRINT_RAW) == 0
        && PyFile_WriteObject(head, file, Py_PRINT_RAW) == 0
        && PyFile_WriteObject(text, file, Py_PRINT_RAW) == 0
        && PyFile_WriteString("\n", file) == 0) {
        if (sourceline != NULL) {
            PyObject *stripped = PyObject_CallMethod(sourceline, "lstrip",
                                                     "s", " \t\014");
            if (stripped != NULL && PyFile_WriteString("  ", file) == 0
                && PyFile_WriteObject(stripped, file, Py_PRINT_RAW) == 0) {
                PyFile_WriteString("\n", file);
            }
            Py_XDECREF(stripped);
        }
        else {
            _Py_DisplaySourceLine(file, filename, lineno, 2, NULL, NULL);
        }
    }
    PyErr_Clear();
    Py_DECREF(file);
    Py_XDECREF(head);
    Py_XDECREF(name);
}

static int
hand_to_python(PyObject *show, PyObject *category, PyObject *message,
               PyObject *filename, PyObject *lineno, PyObject *source)
{
    if (!PyCallable_Check(show)) {
        PyErr_SetString(PyExc_TypeError, "warnings._showwarnmsg() must be set "
                                         "to a callable");
        return -1;
    }
    PyObject *cls = module_attribute(_Py_NAME(WarningMessage), 0);
    if (cls == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_RuntimeError,
                            "unable to get warnings.WarningMessage");
        }
        return -1;
    }
    PyObject *record = PyObject_CallFunctionObjArgs(
        cls, message, category, filename, lineno, Py_None, Py_None,
        source != NULL ? source : Py_None, NULL);
    Py_DECREF(cls);
    if (record == NULL) {
        return -1;
    }
    PyObject *result = PyObject_CallOneArg(show, record);
    Py_DECREF(record);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int
show(PyObject *category, PyObject *text, PyObject *message,
     PyObject *filename, int lineno, PyObject *lineno_object,
     PyObject *sourceline, PyObject *source)
{
    /* The source object's allocation may have been traced: only Python code can show
       that. */
    PyObject *function = module_attribute(_Py_NAME(_showwarnmsg), source != NULL);
    if (function == NULL) {
        if (PyErr_Occurred()) {
            return -1;
        }
        show_warning(filename, lineno, text, category, sourceline);
        return 0;
    }
    int status = hand_to_python(function, category, message, filename,
                                lineno_object, source);
    Py_DECREF(function);
    return status;
}

/* ------------------------------------------------------------- the decision */

/* A module's name from its file name, without ".py". Returns a new reference. */
static PyObject *
module_from_filename(PyObject *filename)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(filename);
    if (n == 0) {
        return PyUnicode_FromString("<unknown>");
    }
    if (n >= 3 && PyUnicode_READ_CHAR(filename, n - 3) == '.'
        && PyUnicode_READ_CHAR(filename, n - 2) == 'p'
        && PyUnicode_READ_CHAR(filename, n - 1) == 'y') {
        return PyUnicode_Substring(filename, 0, n - 3);
    }
    return Py_NewRef(filename);
}

static int
action_is(PyObject *action, const char *name)
{
    return _PyUnicode_EqualToASCIIString(action, name);
}

/* Carries out the action up to the point of showing. Returns 1: show it, 0: don't, -1:
   exception. */
static int
carry_out(PyObject *action, PyObject *item, PyObject *key,
          PyObject *registry, PyObject *category, PyObject *text,
          PyObject *message)
{
    if (action_is(action, "error")) {
        PyErr_SetObject(category, message);
        return -1;
    }
    if (action_is(action, "ignore")) {
        return 0;
    }
    if (action_is(action, "always")) {
        return 1;
    }
    int has_registry = registry != NULL && registry != Py_None;
    if (has_registry && PyDict_SetItem(registry, key, Py_True) < 0) {
        return -1;
    }
    int known = 0;
    if (action_is(action, "once")) {
        if (!has_registry) {
            registry = once_registry();
            if (registry == NULL) {
                return -1;
            }
        }
        known = note_text(registry, text, category);
    }
    else if (action_is(action, "module")) {
        if (has_registry) {
            known = note_text(registry, text, category);
        }
    }
    else if (!action_is(action, "default")) {
        PyErr_Format(PyExc_RuntimeError,
                     "Unrecognized action (%R) in warnings.filters:\n %R",
                     action, item);
        return -1;
    }
    return known < 0 ? -1 : !known;
}

/* The arguments are borrowed, or NULL if not given. Returns 0 or -1. */
static int
warn_explicit(PyObject *category, PyObject *message, PyObject *filename,
              int lineno, PyObject *module, PyObject *registry,
              PyObject *sourceline, PyObject *source)
{
    if (module == Py_None) {
        return 0;
    }
    if (registry != NULL && registry != Py_None && !PyDict_Check(registry)) {
        PyErr_SetString(PyExc_TypeError, "'registry' must be a dict or None");
        return -1;
    }
    PyObject *text = NULL, *key = NULL, *lineno_object = NULL;
    PyObject *action = NULL, *item = NULL;
    int status = -1;

    module = module == NULL ? module_from_filename(filename)
                            : Py_NewRef(module);
    Py_INCREF(message);
    if (module == NULL) {
        goto done;
    }
    int is_warning = PyObject_IsInstance(message, PyExc_Warning);
    if (is_warning < 0) {
        goto done;
    }
    if (is_warning) {
        text = PyObject_Str(message);
        category = (PyObject *)Py_TYPE(message);
    }
    else {
        text = Py_NewRef(message);
        Py_SETREF(message, PyObject_CallOneArg(category, message));
    }
    if (text == NULL || message == NULL) {
        goto done;
    }
    lineno_object = PyLong_FromLong(lineno);
    if (lineno_object == NULL) {
        goto done;
    }
    if (source == Py_None) {
        source = NULL;
    }
    key = PyTuple_Pack(3, text, category, lineno_object);
    if (key == NULL) {
        goto done;
    }
    if (registry != NULL && registry != Py_None) {
        int known = already_warned(registry, key, 0);
        if (known != 0) {
            status = known < 0 ? -1 : 0;
            goto done;
        }
    }
    action = find_action(category, text, lineno, module, &item);
    if (action == NULL) {
        goto done;
    }
    int wanted = carry_out(action, item, key, registry, category, text,
                           message);
    status = wanted > 0
        ? show(category, text, message, filename, lineno, lineno_object,
               sourceline, source)
        : wanted;

done:
    Py_XDECREF(item);
    Py_XDECREF(action);
    Py_XDECREF(key);
    Py_XDECREF(lineno_object);
    Py_XDECREF(text);
    Py_XDECREF(message);
    Py_XDECREF(module);
    return status;
}

/* --------------------------------------------------- the warning's location */

/* Frames of the import machinery are skipped: a user does not look there. */
static int
is_internal(PyFrameObject *frame)
{
    PyCodeObject *code = PyFrame_GetCode(frame);
    PyObject *filename = code->co_filename;
    int internal = 0;
    if (filename != NULL && PyUnicode_Check(filename)) {
        const char *utf8 = PyUnicode_AsUTF8(filename);
        if (utf8 == NULL) {
            PyErr_Clear();
        }
        else {
            internal = strstr(utf8, "importlib") != NULL
                && strstr(utf8, "_bootstrap") != NULL;
        }
    }
    Py_DECREF(code);
    return internal;
}

/* Steals the frame. Returns a new reference or NULL. */
static PyFrameObject *
caller_of(PyFrameObject *frame, int skip_internal)
{
    do {
        Py_SETREF(frame, PyFrame_GetBack(frame));
    } while (skip_internal && frame != NULL && is_internal(frame));
    return frame;
}

struct context {
    PyObject *filename, *module, *registry;     /* owned */
    int lineno;
};

static void
clear_context(struct context *c)
{
    Py_CLEAR(c->filename);
    Py_CLEAR(c->module);
    Py_CLEAR(c->registry);
}

static int
get_context(Py_ssize_t stack_level, struct context *c)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyFrameObject *frame = PyThreadState_GetFrame(tstate);
    PyObject *globals;
    memset(c, 0, sizeof(*c));
    int skip = frame != NULL && stack_level > 0 && !is_internal(frame);
    while (frame != NULL && --stack_level > 0) {
        frame = caller_of(frame, skip);
    }
    if (frame == NULL) {
        globals = Py_NewRef(tstate->interp->sysdict);
        c->filename = PyUnicode_FromString("sys");
        c->lineno = 1;
    }
    else {
        globals = PyFrame_GetGlobals(frame);
        PyCodeObject *code = PyFrame_GetCode(frame);
        c->filename = Py_NewRef(code->co_filename);
        Py_DECREF(code);
        c->lineno = PyFrame_GetLineNumber(frame);
        Py_DECREF(frame);
    }
    if (globals == NULL || c->filename == NULL) {
        goto fail;
    }
    PyObject *key = _Py_NAME(dunder_warningregistry);
    PyObject *registry = PyDict_GetItemWithError(globals, key);
    if (registry != NULL) {
        c->registry = Py_NewRef(registry);
    }
    else {
        if (PyErr_Occurred()) {
            goto fail;
        }
        c->registry = PyDict_New();
        if (c->registry == NULL
            || PyDict_SetItem(globals, key, c->registry) < 0) {
            goto fail;
        }
    }
    PyObject *name = PyDict_GetItemWithError(globals, _Py_NAME(dunder_name));
    if (name != NULL && (name == Py_None || PyUnicode_Check(name))) {
        c->module = Py_NewRef(name);
    }
    else {
        if (PyErr_Occurred()) {
            goto fail;
        }
        c->module = PyUnicode_FromString("<string>");
        if (c->module == NULL) {
            goto fail;
        }
    }
    Py_DECREF(globals);
    return 0;

fail:
    Py_XDECREF(globals);
    clear_context(c);
    return -1;
}

/* Returns a borrowed reference. */
static PyObject *
check_category(PyObject *message, PyObject *category)
{
    int is_warning = PyObject_IsInstance(message, PyExc_Warning);
    if (is_warning < 0) {
        return NULL;
    }
    if (is_warning) {
        category = (PyObject *)Py_TYPE(message);
    }
    else if (category == NULL || category == Py_None) {
        category = PyExc_UserWarning;
    }
    int ok = PyType_Check(category)
        ? PyObject_IsSubclass(category, PyExc_Warning) : 0;
    if (ok < 0) {
        return NULL;
    }
    if (!ok) {
        PyErr_Format(PyExc_TypeError, "category must be a Warning subclass, "
                     "not '%s'", Py_TYPE(category)->tp_name);
        return NULL;
    }
    return category;
}

static int
warn_here(PyObject *message, PyObject *category, Py_ssize_t stack_level,
          PyObject *source)
{
    struct context c;
    if (get_context(stack_level, &c) < 0) {
        return -1;
    }
    int status = warn_explicit(category, message, c.filename, c.lineno,
                               c.module, c.registry, NULL, source);
    clear_context(&c);
    return status;
}

/* ---------------------------------------------------------------- the C API */

static int
warn_unicode(PyObject *category, PyObject *text, Py_ssize_t stack_level,
             PyObject *source)
{
    return warn_here(text, category != NULL ? category
                                            : PyExc_RuntimeWarning,
                     stack_level, source);
}

static int
warn_formatted(PyObject *source, PyObject *category, Py_ssize_t stack_level,
               const char *format, va_list vargs)
{
    PyObject *text = PyUnicode_FromFormatV(format, vargs);
    if (text == NULL) {
        return -1;
    }
    int status = warn_unicode(category, text, stack_level, source);
    Py_DECREF(text);
    return status;
}

int
PyErr_WarnFormat(PyObject *category, Py_ssize_t stack_level,
                 const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    int status = warn_formatted(NULL, category, stack_level, format, vargs);
    va_end(vargs);
    return status;
}

int
PyErr_ResourceWarning(PyObject *source, Py_ssize_t stack_level,
                      const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    int status = warn_formatted(source, PyExc_ResourceWarning, stack_level,
                                format, vargs);
    va_end(vargs);
    return status;
}

int
PyErr_WarnEx(PyObject *category, const char *text, Py_ssize_t stack_level)
{
    PyObject *message = PyUnicode_FromString(text);
    if (message == NULL) {
        return -1;
    }
    int status = warn_unicode(category, message, stack_level, NULL);
    Py_DECREF(message);
    return status;
}

#undef PyErr_Warn
PyAPI_FUNC(int) PyErr_Warn(PyObject *category, const char *text);

int
PyErr_Warn(PyObject *category, const char *text)
{
    return PyErr_WarnEx(category, text, 1);
}

int
PyErr_WarnExplicitObject(PyObject *category, PyObject *message,
                         PyObject *filename, int lineno, PyObject *module,
                         PyObject *registry)
{
    return warn_explicit(category != NULL ? category : PyExc_RuntimeWarning,
                         message, filename, lineno, module, registry, NULL,
                         NULL);
}

/* Steals nothing. `message` is borrowed. */
static int
warn_explicit_strings(PyObject *category, PyObject *message,
                      const char *filename, int lineno, const char *module,
                      PyObject *registry)
{
    PyObject *file = PyUnicode_DecodeFSDefault(filename);
    if (file == NULL) {
        return -1;
    }
    PyObject *name = NULL;
    if (module != NULL) {
        name = PyUnicode_FromString(module);
        if (name == NULL) {
            Py_DECREF(file);
            return -1;
        }
    }
    int status = PyErr_WarnExplicitObject(category, message, file, lineno,
                                          name, registry);
    Py_XDECREF(name);
    Py_DECREF(file);
    return status;
}

int
PyErr_WarnExplicit(PyObject *category, const char *text, const char *filename,
                   int lineno, const char *module, PyObject *registry)
{
    PyObject *message = PyUnicode_FromString(text);
    if (message == NULL) {
        return -1;
    }
    int status = warn_explicit_strings(category, message, filename, lineno,
                                       module, registry);
    Py_DECREF(message);
    return status;
}

int
PyErr_WarnExplicitFormat(PyObject *category, const char *filename, int lineno,
                         const char *module, PyObject *registry,
                         const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    PyObject *message = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    if (message == NULL) {
        return -1;
    }
    int status = warn_explicit_strings(category, message, filename, lineno,
                                       module, registry);
    Py_DECREF(message);
    return status;
}

void
_PyErr_WarnUnawaitedCoroutine(PyObject *coro)
{
    int warned = 0;
    PyObject *function = module_attribute(_Py_NAME(_warn_unawaited_coroutine), 1);
    if (function != NULL) {
        PyObject *result = PyObject_CallOneArg(function, coro);
        Py_DECREF(function);
        if (result != NULL || PyErr_ExceptionMatches(PyExc_RuntimeWarning)) {
            warned = 1;
        }
        Py_XDECREF(result);
    }
    if (PyErr_Occurred()) {
        PyErr_WriteUnraisable(coro);
    }
    if (!warned) {
        PyObject *name = PyObject_GetAttr(coro, _Py_NAME(dunder_qualname));
        if (name == NULL
            || PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                                "coroutine '%S' was never awaited",
                                name) < 0) {
            PyErr_WriteUnraisable(coro);
        }
        Py_XDECREF(name);
    }
}

/* --------------------------------------------------------------- the module */

PyDoc_STRVAR(warn_doc,
"warn($module, /, message, category=None, stacklevel=1, source=None)\n--\n\n"
"Warn of something at the caller's place, or raise it if the filters say so.");

static PyObject *
warnings_warn(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"message", "category", "stacklevel", "source",
                            NULL};
    PyObject *message, *category = Py_None, *source = NULL;
    Py_ssize_t stack_level = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|OnO:warn", names, &message,
                                     &category, &stack_level, &source)) {
        return NULL;
    }
    category = check_category(message, category);
    if (category == NULL
        || warn_here(message, category, stack_level, source) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* The source line as given by the module's loader. Returns a new reference, or NULL with
   or without an exception. */
static PyObject *
line_from_loader(PyObject *globals, int lineno)
{
    PyObject *loader = PyDict_GetItemWithError(globals,
                                               _Py_NAME(dunder_loader));
    PyObject *name = loader == NULL ? NULL
        : PyDict_GetItemWithError(globals, _Py_NAME(dunder_name));
    if (name == NULL) {
        return NULL;
    }
    Py_INCREF(loader);
    Py_INCREF(name);
    PyObject *lines = NULL, *line = NULL, *get_source = NULL;
    PyObject *method = PyUnicode_FromString("get_source");
    if (method != NULL) {
        (void)_PyObject_LookupAttr(loader, method, &get_source);
        Py_DECREF(method);
    }
    if (get_source != NULL) {
        PyObject *source = PyObject_CallOneArg(get_source, name);
        Py_DECREF(get_source);
        if (source != NULL && source != Py_None) {
            lines = PyUnicode_Splitlines(source, 0);
        }
        Py_XDECREF(source);
    }
    if (lines != NULL) {
        line = Py_XNewRef(PyList_GetItem(lines, lineno - 1));
        Py_DECREF(lines);
    }
    Py_DECREF(loader);
    Py_DECREF(name);
    return line;
}

PyDoc_STRVAR(warn_explicit_doc,
"Low-level interface: everything about the place is given.");

static PyObject *
warnings_warn_explicit(PyObject *Py_UNUSED(module), PyObject *args,
                       PyObject *kwds)
{
    static char *names[] = {"message", "category", "filename", "lineno",
                            "module", "registry", "module_globals", "source",
                            NULL};
    PyObject *message, *category, *filename, *module = NULL;
    PyObject *registry = NULL, *globals = NULL, *source = NULL;
    int lineno;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OOUi|OOOO:warn_explicit",
                                     names, &message, &category, &filename,
                                     &lineno, &module, &registry, &globals,
                                     &source)) {
        return NULL;
    }
    PyObject *line = NULL;
    if (globals != NULL && globals != Py_None) {
        if (!PyDict_Check(globals)) {
            return PyErr_Format(PyExc_TypeError, "module_globals must be a "
                                "dict, not '%.200s'",
                                Py_TYPE(globals)->tp_name);
        }
        line = line_from_loader(globals, lineno);
        if (line == NULL && PyErr_Occurred()) {
            return NULL;
        }
    }
    int status = warn_explicit(category, message, filename, lineno, module,
                               registry, line, source);
    Py_XDECREF(line);
    if (status < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
warnings_filters_mutated(PyObject *Py_UNUSED(module),
                         PyObject *Py_UNUSED(ignored))
{
    get_state()->filters_version++;
    Py_RETURN_NONE;
}

static PyMethodDef warnings_methods[] = {
    {"warn", VAR_KEYWORDS(warnings_warn),
     warn_doc},
    {"warn_explicit", VAR_KEYWORDS(warnings_warn_explicit), warn_explicit_doc},
    {"_filters_mutated", warnings_filters_mutated, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------ start and shut-down */

static PyObject *
make_filter(const char *action, PyObject *category, const char *module)
{
    return Py_BuildValue("(sOOzi)", action, Py_None, category, module, 0);
}

static PyObject *
initial_filters(void)
{
    PyObject *filters = PyList_New(0);
    if (filters == NULL) {
        return NULL;
    }
    const struct {
        const char *action;
        PyObject *category;
        const char *module;
    } rows[] = {
        {"default", PyExc_DeprecationWarning, "__main__"},
        {"ignore", PyExc_DeprecationWarning, NULL},
        {"ignore", PyExc_PendingDeprecationWarning, NULL},
        {"ignore", PyExc_ImportWarning, NULL},
        {"ignore", PyExc_ResourceWarning, NULL},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++) {
        PyObject *item = make_filter(rows[i].action, rows[i].category,
                                     rows[i].module);
        if (item == NULL || PyList_Append(filters, item) < 0) {
            Py_XDECREF(item);
            Py_DECREF(filters);
            return NULL;
        }
        Py_DECREF(item);
    }
    return filters;
}

int
_PyWarnings_Init(PyInterpreterState *interp)
{
    struct _Py_warnings_state *state = &interp->warnings;
    if (state->filters == NULL) {
        state->filters = initial_filters();
    }
    if (state->once_registry == NULL) {
        state->once_registry = PyDict_New();
    }
    if (state->default_action == NULL) {
        state->default_action = PyUnicode_FromString("default");
    }
    return state->filters == NULL || state->once_registry == NULL
        || state->default_action == NULL ? -1 : 0;
}

static int
warnings_exec(PyObject *module)
{
    if (_PyWarnings_Init(_PyInterpreterState_GET()) < 0) {
        return -1;
    }
    struct _Py_warnings_state *state = get_state();
    if (PyModule_AddObjectRef(module, "filters", state->filters) < 0
        || PyModule_AddObjectRef(module, "_onceregistry",
                                 state->once_registry) < 0
        || PyModule_AddObjectRef(module, "_defaultaction",
                                 state->default_action) < 0) {
        return -1;
    }
    return 0;
}

static PyModuleDef_Slot warnings_slots[] = {
    {Py_mod_exec, warnings_exec},
    {0, NULL},
};

static PyModuleDef warnings_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_warnings",
    .m_doc = PyDoc_STR("What warnings.py has in C."),
    .m_size = 0,
    .m_methods = warnings_methods,
    .m_slots = warnings_slots,
};

MODULE_INIT(_warnings)
{
    return PyModuleDef_Init(&warnings_module);
}

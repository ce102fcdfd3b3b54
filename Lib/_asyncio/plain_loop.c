/* call_soon() of a loop that does what asyncio's own loops do, without calling it.

   BaseEventLoop.call_soon() makes a Handle of what it is given and appends it to loop._ready. That
   is Python code, and takes longer than most steps of tasks do. Here the handle is made and
   appended in C, if nothing that call_soon() would run differs from what asyncio has: the loop's
   class and the functions (known by the module that they belong to, and the names that their
   code uses), events.Handle and its slots, the loop's attributes. All of that is looked at once and
   guarded by versions; what is not plain, now or later, is called.

   Nobody must miss the calls: while frames are observed or memory is traced, they happen. So they
   do in debug mode, and if the loop is closed, for the error. */
#include "asyncio_impl.h"
#include "internal/attr_place.h"
#include "internal/dict.h"
#include "internal/monitoring.h"
#include "internal/pystate.h"
#include "internal/tracemalloc.h"
#include "structmember.h"

/* ------------------------------------------------------------ what plain means */

#define MOST_NAMES 15
#define MOST_FREE_LOOKS 100

/* A function of asyncio's. */
typedef struct {
    const char *name;
    const char *module;
    const char *names[MOST_NAMES];      /* co_names */
    const char *variables[MOST_NAMES];  /* co_varnames */
} Expected;

enum { CALL_SOON, MAKE_HANDLE, CHECK_CLOSED, GET_DEBUG, HANDLE_INIT, FUNCTIONS };

static const Expected expected[FUNCTIONS] = {
    [CALL_SOON] = {"call_soon", "asyncio.base_events",
        {"_check_closed", "_debug", "_check_thread", "_check_callback", "_call_soon",
         "_source_traceback"},
        {"self", "callback", "context", "args", "handle"}},
    [MAKE_HANDLE] = {"_call_soon", "asyncio.base_events",
        {"events", "Handle", "_source_traceback", "_ready", "append"},
        {"self", "callback", "args", "context", "handle"}},
    [CHECK_CLOSED] = {"_check_closed", "asyncio.base_events",
        {"_closed", "RuntimeError"}, {"self"}},
    [GET_DEBUG] = {"get_debug", "asyncio.base_events", {"_debug"}, {"self"}},
    [HANDLE_INIT] = {"__init__", "asyncio.events",
        {"contextvars", "copy_context", "_context", "_loop", "_callback", "_args", "_cancelled",
         "_repr", "get_debug", "format_helpers", "extract_stack", "sys", "_getframe",
         "_source_traceback"},
        {"self", "callback", "args", "loop", "context"}},
};

enum {
    SLOT_CALLBACK, SLOT_ARGS, SLOT_CANCELLED, SLOT_LOOP, SLOT_SOURCE_TRACEBACK, SLOT_REPR,
    SLOT_CONTEXT, SLOTS
};

static const char *const slot_names[SLOTS] = {
    "_callback", "_args", "_cancelled", "_loop", "_source_traceback", "_repr", "_context",
};

enum { CLOSED, DEBUG, READY, ATTRIBUTES };

static const char *const attribute_names[ATTRIBUTES] = {"_closed", "_debug", "_ready"};

/* module.name, where the module's dictionary has it. */
typedef struct {
    PyObject *dict;             /* the module's, a reference */
    uint32_t version;           /* of its keys */
    Py_ssize_t position;
} Global;

/* What has been found to be plain. The pointers to types, functions and code are borrowed: they are
   compared only while the types that they were found by have these versions, and a function keeps
   its old code. */
typedef struct _PyAsyncio_PlainLoop {
    unsigned loop_version;      /* of the loop's class; 0: none is known */
    unsigned refused;           /* the version of a class that was found not to be plain */
    unsigned looks, misses;     /* the first looks are free, later only every 64th miss has one */
    Py_ssize_t attributes[ATTRIBUTES];  /* indices among the inline values */
    PyFunctionObject *functions[FUNCTIONS];
    PyObject *codes[FUNCTIONS];
    Global events, handle;      /* base_events.events, events.Handle */
    PyObject *events_module;    /* a reference */
    PyTypeObject *handle_type;
    unsigned handle_version;
    Py_ssize_t slots[SLOTS];    /* offsets */
    PyTypeObject *deque;        /* a reference, or NULL */
    PyCFunction append;         /* its method */
} PlainLoop;

/* -------------------------------------------------------------------- looking */

static int
are_names(PyObject *tuple, const char *const *names)
{
    Py_ssize_t n = 0;
    while (n < MOST_NAMES && names[n] != NULL) {
        n++;
    }
    if (tuple == NULL || PyTuple_GET_SIZE(tuple) != n) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!_PyUnicode_EqualToASCIIString(PyTuple_GET_ITEM(tuple, i), names[i])) {
            return 0;
        }
    }
    return 1;
}

/* Is its method the one that asyncio defines? */
static int
find_function(PlainLoop *plain, PyTypeObject *type, int which)
{
    const Expected *wanted = &expected[which];
    PyObject *name = PyUnicode_InternFromString(wanted->name);
    PyObject *found = name == NULL ? NULL : _PyType_Lookup(type, name);
    Py_XDECREF(name);
    if (found == NULL || !PyFunction_Check(found)) {
        return 0;
    }
    PyFunctionObject *function = (PyFunctionObject *)found;
    PyCodeObject *code = (PyCodeObject *)function->func_code;
    PyObject *module = PyDict_GetItemString(function->func_globals, "__name__");
    PyObject *variables = PyCode_GetVarnames(code);
    int is_good = module != NULL && PyUnicode_Check(module) && variables != NULL
        && _PyUnicode_EqualToASCIIString(module, wanted->module)
        && are_names(code->co_names, wanted->names) && are_names(variables, wanted->variables);
    Py_XDECREF(variables);
    plain->functions[which] = function;
    plain->codes[which] = function->func_code;
    return is_good;
}

/* Returns a borrowed reference to the value, or NULL. */
static PyObject *
find_global(Global *global, PyObject *dict, const char *text)
{
    Py_INCREF(dict);
    Py_XSETREF(global->dict, dict);
    PyObject *name = PyUnicode_InternFromString(text);
    if (name == NULL || !PyDict_CheckExact(dict)) {
        Py_XDECREF(name);
        return NULL;
    }
    PyDictObject *table = (PyDictObject *)dict;
    global->position = _PyDict_IndexOfStr(table, name);
    Py_DECREF(name);
    if (global->position < 0) {
        return NULL;
    }
    global->version = _PyDictKeys_VersionFor(table, global->position);
    return global->version == 0 ? NULL
        : _PyDict_CachedValue(table, global->version, global->position);
}

static int
find_slots(PlainLoop *plain, PyTypeObject *type)
{
    for (int i = 0; i < SLOTS; i++) {
        PyObject *found = PyDict_GetItemString(type->tp_dict, slot_names[i]);
        if (found == NULL || !Py_IS_TYPE(found, &PyMemberDescr_Type)) {
            return 0;
        }
        PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
        if (((PyMemberDescrObject *)found)->d_common.d_type != type || member->type != T_OBJECT_EX
            || (member->flags & READONLY)) {
            return 0;
        }
        plain->slots[i] = member->offset;
    }
    return 1;
}

/* Is its __init__() all that runs when it is called? */
static int
find_handle(PlainLoop *plain, PyObject *found)
{
    if (!PyType_CheckExact(found)) {
        return 0;
    }
    PyTypeObject *type = (PyTypeObject *)found;
    plain->handle_type = type;
    plain->handle_version = _PyType_AssignVersion(type);
    return plain->handle_version != 0 && (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        && type->tp_base == &PyBaseObject_Type && type->tp_new == _PyObject_NewInstance
        && type->tp_alloc == PyType_GenericAlloc && type->tp_init == _PySlot_Init
        && type->tp_setattro == PyObject_GenericSetAttr && PyType_IS_GC(type)
        && find_slots(plain, type) && find_function(plain, type, HANDLE_INIT);
}

/* Is the method the class's in all instances that keep their attributes inline? No longer once an
   instance has been given an attribute of that name. */
static int
is_never_hidden(PyTypeObject *type, const char *text)
{
    PyObject *name = PyUnicode_InternFromString(text);
    if (name == NULL) {
        return 0;
    }
    _PyAttrPlace place = _PyAttr_InInstances(type, name);
    Py_DECREF(name);
    return place.kind == PLACE_OF_TYPE && place.number == HIDDEN_BY_MOVED;
}

static int
find_attributes(PlainLoop *plain, PyTypeObject *type)
{
    for (int i = 0; i < ATTRIBUTES; i++) {
        PyObject *name = PyUnicode_InternFromString(attribute_names[i]);
        if (name == NULL) {
            return 0;
        }
        _PyAttrPlace place = _PyAttr_InInstances(type, name);
        Py_DECREF(name);
        if (place.kind != PLACE_INLINE) {
            return 0;
        }
        plain->attributes[i] = (Py_ssize_t)place.number;
    }
    return 1;
}

static int
find_deque(PlainLoop *plain)
{
    if (plain->deque == NULL) {
        PyObject *module = PyImport_ImportModule("_collections");
        PyObject *type = module == NULL ? NULL : PyObject_GetAttrString(module, "deque");
        Py_XDECREF(module);
        plain->deque = (PyTypeObject *)type;
    }
    PyObject *method = plain->deque == NULL || !PyType_Check(plain->deque) ? NULL
        : PyDict_GetItemString(plain->deque->tp_dict, "append");
    if (method == NULL || !Py_IS_TYPE(method, &PyMethodDescr_Type)
        || ((PyMethodDescrObject *)method)->d_method->ml_flags != METH_O) {
        return 0;
    }
    plain->append = ((PyMethodDescrObject *)method)->d_method->ml_meth;
    return 1;
}

static int
is_plain_type(PlainLoop *plain, PyTypeObject *type)
{
    if (!(type->tp_flags & Py_TPFLAGS_MANAGED_DICT) || !_PyType_SearchesAsUsual(type)) {
        return 0;
    }
    for (int i = CALL_SOON; i <= GET_DEBUG; i++) {
        if (!find_function(plain, type, i) || !is_never_hidden(type, expected[i].name)) {
            return 0;
        }
    }
    PyObject *globals = plain->functions[MAKE_HANDLE]->func_globals;
    PyObject *module = find_global(&plain->events, globals, "events");
    if (module == NULL || !PyModule_CheckExact(module)) {
        return 0;
    }
    Py_INCREF(module);
    Py_XSETREF(plain->events_module, module);
    PyObject *handle = find_global(&plain->handle, PyModule_GetDict(module), "Handle");
    return handle != NULL && find_handle(plain, handle) && find_attributes(plain, type)
           && find_deque(plain);
}

/* 1 or 0 */
static int
look(PlainLoop *plain, PyTypeObject *type)
{
    unsigned version = _PyType_AssignVersion(type);
    if (version == 0 || version == plain->refused) {
        return 0;
    }
    if (plain->looks >= MOST_FREE_LOOKS && ++plain->misses % 64 != 0) {
        return 0;
    }
    plain->looks++;
    plain->loop_version = 0;
    int is_plain = is_plain_type(plain, type);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        is_plain = 0;
    }
    if (is_plain && type->tp_version_tag == version) {
        plain->loop_version = version;
        return 1;
    }
    plain->refused = version;
    return 0;
}

/* -------------------------------------------------------------------- guarding */

static int
has_same_code(const PlainLoop *plain, int which)
{
    return plain->functions[which]->func_code == plain->codes[which];
}

static PyObject *
value_of(const Global *global)
{
    return _PyDict_CachedValue((PyDictObject *)global->dict, global->version, global->position);
}

static int
has_same_handle(const PlainLoop *plain)
{
    return value_of(&plain->events) == plain->events_module
           && value_of(&plain->handle) == (PyObject *)plain->handle_type
           && plain->handle_type->tp_version_tag == plain->handle_version
           && has_same_code(plain, HANDLE_INIT);
}

/* Is the loop one whose class is known? What its attributes are is for the caller to see. */
static PlainLoop *
plain_loop(PyObject *loop)
{
    PlainLoop *plain = _PyAsyncio()->plain_loop;
    PyTypeObject *type = Py_TYPE(loop);
    unsigned version = type->tp_version_tag;
    if (plain == NULL) {
        return NULL;            /* the interpreter ends */
    }
    if (__builtin_expect(version != plain->loop_version || version == 0, 0)
        && !look(plain, type)) {
        return NULL;
    }
    return has_same_code(plain, CALL_SOON) && has_same_code(plain, MAKE_HANDLE)
           && has_same_code(plain, CHECK_CLOSED) && has_same_code(plain, GET_DEBUG) ? plain : NULL;
}

/* Returns a borrowed reference. NULL if the values have moved into a dictionary, which might hide
   the methods; values that are inline do not (is_never_hidden()). */
static PyObject *
attribute_of(PyObject *loop, const PlainLoop *plain, int which)
{
    return _PyInstance_InlineValue(loop, plain->attributes[which]);
}

/* Would anybody notice that call_soon() was not called? */
static int
is_watched(void)
{
    _PyThreadStateImpl *thread = (_PyThreadStateImpl *)_PyThreadState_GET();
    const _PyMonitors *monitors = thread->base.interp->monitors;
    return !thread->native_ok || _PyTraceMalloc_renew_hook != NULL
           || (monitors != NULL && (monitors->watched != 0 || monitors->with_local != NULL));
}

/* --------------------------------------------------------------------- doing */

/* The handle that events.Handle(function, (arg,), loop, context) makes. */
static PyObject *
new_handle(const PlainLoop *plain, PyObject *loop, PyObject *function, PyObject *arg,
           PyObject *context)
{
    /* Allocating may run destructors, which may put another class in its place: then what `plain`
       knows is that class's, and this one may be without other references. */
    PyTypeObject *type = plain->handle_type;
    Py_ssize_t slots[SLOTS];
    memcpy(slots, plain->slots, sizeof(slots));
    Py_INCREF(type);
    PyObject *args = arg == NULL ? PyTuple_New(0) : PyTuple_Pack(1, arg);
    PyObject *handle = args == NULL ? NULL : PyType_GenericAlloc(type, 0);
    Py_DECREF(type);
    if (handle == NULL) {
        Py_XDECREF(args);
        return NULL;
    }
    PyObject *values[SLOTS] = {
        [SLOT_CALLBACK] = Py_NewRef(function), [SLOT_ARGS] = args, [SLOT_CANCELLED] = Py_False,
        [SLOT_LOOP] = Py_NewRef(loop), [SLOT_SOURCE_TRACEBACK] = Py_None, [SLOT_REPR] = Py_None,
        [SLOT_CONTEXT] = Py_NewRef(context),
    };
    Py_INCREF(Py_False);
    Py_INCREF(Py_None);
    Py_INCREF(Py_None);
    for (int i = 0; i < SLOTS; i++) {
        *(PyObject **)((char *)handle + slots[i]) = values[i];
    }
    return handle;
}

int
_PyAsyncio_PlainCallSoon(PyObject *loop, PyObject *function, PyObject *arg, PyObject *context)
{
    PlainLoop *plain = plain_loop(loop);
    if (plain == NULL || is_watched() || !has_same_handle(plain)
        || attribute_of(loop, plain, CLOSED) != Py_False
        || attribute_of(loop, plain, DEBUG) != Py_False) {
        return 0;
    }
    PyObject *ready = attribute_of(loop, plain, READY);
    if (ready == NULL || !Py_IS_TYPE(ready, plain->deque)) {
        return 0;
    }
    Py_INCREF(ready);
    PyObject *handle = new_handle(plain, loop, function, arg, context);
    PyObject *result = handle == NULL ? NULL : plain->append(ready, handle);
    Py_XDECREF(handle);
    Py_DECREF(ready);
    Py_XDECREF(result);
    return result == NULL ? -1 : 1;
}

int
_PyAsyncio_PlainDebug(PyObject *loop)
{
    PlainLoop *plain = plain_loop(loop);
    if (plain == NULL || is_watched()) {
        return -1;
    }
    PyObject *debug = attribute_of(loop, plain, DEBUG);
    return debug == Py_True ? 1 : debug == Py_False ? 0 : -1;
}

/* ---------------------------------------------------------------------- state */

struct _PyAsyncio_PlainLoop *
_PyAsyncio_NewPlainLoop(void)
{
    PlainLoop *plain = PyMem_Calloc(1, sizeof(*plain));
    if (plain == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    return plain;
}

void
_PyAsyncio_FreePlainLoop(struct _PyAsyncio_PlainLoop *plain)
{
    if (plain != NULL) {
        Py_CLEAR(plain->events.dict);
        Py_CLEAR(plain->handle.dict);
        Py_CLEAR(plain->events_module);
        Py_CLEAR(plain->deque);
        PyMem_Free(plain);
    }
}

/* Cells, free variables, globals and the names of module and class bodies. */
#include "vm.h"
#include "specialize.h"
#include "internal/dict.h"

/* -------------------------------------------------------------------- cells */

static inline PyObject **
cell_slot(PyReg reg)
{
    return &((PyCellObject *)REG_PTR(reg))->ob_ref;
}

static inline PyObject **
free_slot(PyVMFrame *f, unsigned number)
{
    PyObject *closure = frame_func(f)->func_closure;
    return &((PyCellObject *)PyTuple_GET_ITEM(closure, number))->ob_ref;
}

static int
free_index(PyVMFrame *f, unsigned number)
{
    PyCodeObject *code = &f->code->ob;
    return code->co_nlocalsplus - code->co_nfreevars + (int)number;
}

HANDLER(MAKE_CELL)
{
    SAVE_IP();
    PyObject *value = NULL;
    if (R(A) != 0 && (value = reg_object(&R(A))) == NULL) {
        ERROR();
    }
    PyObject *cell = PyCell_New(value);
    if (cell == NULL) {
        ERROR();
    }
    R(A) = (PyReg)cell;
    Py_XDECREF(value);
    NEXT_RELOAD(0);
}

SLOW(unbound_cell)
{
    SAVE_IP();
    unsigned index = (word & 0xffff) == OP_LOAD_DEREF ? B : A;
    _PyVM_UnboundDeref(ts, f, (int)index);
    ERROR();
}

HANDLER(LOAD_DEREF)
{
    PyObject *value = *cell_slot(R(B));
    if (unlikely(value == NULL)) {
        TAIL(unbound_cell);
    }
    Py_INCREF(value);
    WRITE(A, (PyReg)value);
    NEXT(0);
}

HANDLER(STORE_DEREF)
{
    SAVE_IP();
    PyObject *value = operand_take_object(f, B);
    if (unlikely(value == NULL)) {
        ERROR();
    }
    PyObject **slot = cell_slot(R(A));
    PyObject *old = *slot;
    *slot = value;
    Py_XDECREF(old);
    NEXT_RELOAD(0);
}

HANDLER(DELETE_DEREF)
{
    PyObject **slot = cell_slot(R(A));
    PyObject *old = *slot;
    if (unlikely(old == NULL)) {
        TAIL(unbound_cell);
    }
    SAVE_IP();
    *slot = NULL;
    Py_DECREF(old);
    NEXT_RELOAD(0);
}

SLOW(unbound_free)
{
    SAVE_IP();
    _PyVM_UnboundDeref(ts, f, free_index(f, B));
    ERROR();
}

HANDLER(LOAD_FREE)
{
    PyObject *value = *free_slot(f, B);
    if (unlikely(value == NULL)) {
        TAIL(unbound_free);
    }
    Py_INCREF(value);
    WRITE(A, (PyReg)value);
    NEXT(0);
}

HANDLER(STORE_FREE)
{
    SAVE_IP();
    PyObject *value = operand_take_object(f, A);
    if (unlikely(value == NULL)) {
        ERROR();
    }
    PyObject **slot = free_slot(f, B);
    PyObject *old = *slot;
    *slot = value;
    Py_XDECREF(old);
    NEXT_RELOAD(0);
}

HANDLER(DELETE_FREE)
{
    PyObject **slot = free_slot(f, B);
    PyObject *old = *slot;
    if (unlikely(old == NULL)) {
        TAIL(unbound_free);
    }
    SAVE_IP();
    *slot = NULL;
    Py_DECREF(old);
    NEXT_RELOAD(0);
}

HANDLER(LOAD_FREE_CELL)
{
    PyObject *cell = PyTuple_GET_ITEM(frame_func(f)->func_closure, B);
    Py_INCREF(cell);
    WRITE(A, (PyReg)cell);
    NEXT(0);
}

/* A value from a mapping of any kind. Returns a new reference, NULL with or without an
   exception. */
static PyObject *
mapping_get(PyThreadState *ts, PyObject *mapping, PyObject *name)
{
    if (PyDict_CheckExact(mapping)) {
        return Py_XNewRef(PyDict_GetItemWithError(mapping, name));
    }
    PyObject *value = PyObject_GetItem(mapping, name);
    if (value == NULL && _PyErr_ExceptionMatches(ts, PyExc_KeyError)) {
        _PyErr_Clear(ts);
    }
    return value;
}

static int
no_locals(PyThreadState *ts, const char *what, PyObject *name)
{
    if (name == NULL) {
        _PyErr_SetString(ts, PyExc_SystemError, what);
    }
    else {
        _PyErr_Format(ts, PyExc_SystemError, what, name);
    }
    return -1;
}

HANDLER(LOAD_CLASSDEREF)
{
    SAVE_IP();
    PyObject *name = code_localsplus_name(f, free_index(f, B));
    if (f->locals == NULL) {
        no_locals(ts, "no locals when loading %R", name);
        ERROR();
    }
    PyObject *value = mapping_get(ts, f->locals, name);
    if (value == NULL) {
        if (_PyErr_Occurred(ts)) {
            ERROR();
        }
        value = Py_XNewRef(*free_slot(f, B));
        if (value == NULL) {
            _PyVM_UnboundDeref(ts, f, free_index(f, B));
            ERROR();
        }
    }
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(0);
}

/* ------------------------------------------------------------------ globals */

/* Returns a new reference, or NULL with NameError or another exception. */
static PyObject *
load_builtin(PyThreadState *ts, PyVMFrame *f, PyObject *name)
{
    PyObject *value = mapping_get(ts, frame_func(f)->func_builtins, name);
    if (value == NULL && !_PyErr_Occurred(ts)) {
        _PyVM_NameError(ts, name);
    }
    return value;
}

static PyObject *
load_global(PyThreadState *ts, PyVMFrame *f, PyObject *name)
{
    PyObject *value = mapping_get(ts, frame_func(f)->func_globals, name);
    return value != NULL || _PyErr_Occurred(ts) ? value : load_builtin(ts, f, name);
}

SLOW(load_global_slow)
{
    SAVE_IP();
    PyObject *value = load_global(ts, f, code_name(f, CACHE(0)->arg));
    if (value == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(3);
}

HANDLER(LOAD_GLOBAL)
{
    if (specialize_now(ip)) {
        _PyVM_SpecializeGlobal(f, ip);
    }
    TAIL(load_global_slow);
}

SLOW(load_global_miss)
{
    despecialize(ip);
    TAIL(load_global_slow);
}

/* Globals are always dicts (or of a subclass, with the same table); builtins
   may be any mapping, and code may run in functions with other builtins. */
#define KEYS(dict) (((PyDictObject *)(dict))->ma_keys)

HANDLER(LOAD_GLOBAL__MODULE)
{
    PyObject *globals = frame_func(f)->func_globals;
    struct _dictkeysobject *keys = KEYS(globals);
    if (likely(keys->version == CACHE(1)->version)) {
        PyObject *value =
            _PyDictKeys_UnicodeEntries(keys)[CACHE(2)->word].value;
        Py_INCREF(value);
        WRITE(A, (PyReg)value);
        NEXT(3);
    }
    TAIL(load_global_miss);
}

HANDLER(LOAD_GLOBAL__BUILTIN)
{
    PyObject *globals = frame_func(f)->func_globals;
    PyObject *builtins = frame_func(f)->func_builtins;
    if (likely(KEYS(globals)->version == CACHE(1)->version)
        && likely(PyDict_CheckExact(builtins))
        && likely(KEYS(builtins)->version == CACHE(1)->version2)) {
        PyObject *value =
            _PyDictKeys_UnicodeEntries(KEYS(builtins))[CACHE(2)->word].value;
        Py_INCREF(value);
        WRITE(A, (PyReg)value);
        NEXT(3);
    }
    TAIL(load_global_miss);
}

SLOW(store_global_slow)
{
    SAVE_IP();
    PyObject *value = reg_object(&R(A));
    if (value == NULL
        || PyDict_SetItem(frame_func(f)->func_globals,
                          code_name(f, CACHE(0)->arg), value) < 0) {
        ERROR();
    }
    operand_done(f, A);
    NEXT_RELOAD(3);
}

HANDLER(STORE_GLOBAL)
{
    if (specialize_now(ip)) {
        _PyVM_SpecializeStoreGlobal(f, ip);
    }
    TAIL(store_global_slow);
}

/* Stores another value for a name that exists: 1 done, 0 the guard fails, -1 error. */
static int
store_known_global(PyVMFrame *f, const PyInstr *ip, PyReg *reg)
{
    PyDictObject *globals = (PyDictObject *)frame_func(f)->func_globals;
    const PyCacheWord *cache = (const PyCacheWord *)(ip + 1);
    if (unlikely(globals->ma_keys->version != cache[1].version)) {
        return 0;
    }
    PyObject *value = reg_object(reg);
    if (value == NULL) {
        return -1;
    }
    Py_INCREF(value);
    if (_PyDict_StoreCached(globals, cache[1].version,
                            (Py_ssize_t)cache[2].word, value)) {
        return 1;
    }
    Py_DECREF(value);
    return 0;
}

HANDLER(STORE_GLOBAL__MODULE)
{
    SAVE_IP();
    int done = store_known_global(f, ip, &R(A));
    if (done < 0) {
        ERROR();
    }
    if (unlikely(done == 0)) {
        despecialize(ip);
        TAIL(store_global_slow);
    }
    operand_done(f, A);
    NEXT_RELOAD(3);
}

HANDLER(DELETE_GLOBAL)
{
    SAVE_IP();
    PyObject *name = code_name(f, UBC);
    if (PyDict_DelItem(frame_func(f)->func_globals, name) < 0) {
        if (_PyErr_ExceptionMatches(ts, PyExc_KeyError)) {
            _PyErr_Clear(ts);
            _PyVM_NameError(ts, name);
        }
        ERROR();
    }
    NEXT_RELOAD(0);
}

/* --------------------------------------------- names of modules and classes */

SLOW(load_name_slow)
{
    SAVE_IP();
    PyObject *name = code_name(f, CACHE(0)->arg);
    if (f->locals == NULL) {
        no_locals(ts, "no locals when loading %R", name);
        ERROR();
    }
    PyObject *value = mapping_get(ts, f->locals, name);
    if (value == NULL && !_PyErr_Occurred(ts)) {
        /* Unlike LOAD_GLOBAL, this asks no subclass of dict for its own __getitem__(). */
        value = Py_XNewRef(PyDict_GetItemWithError(frame_func(f)->func_globals, name));
        if (value == NULL && !_PyErr_Occurred(ts)) {
            value = load_builtin(ts, f, name);
        }
    }
    if (value == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(3);
}

HANDLER(LOAD_NAME)
{
    if (specialize_now(ip) && f->locals == frame_func(f)->func_globals) {
        _PyVM_SpecializeGlobal(f, ip);
    }
    TAIL(load_name_slow);
}

SLOW(load_name_miss)
{
    despecialize(ip);
    TAIL(load_name_slow);
}

HANDLER(LOAD_NAME__MODULE)
{
    PyObject *globals = frame_func(f)->func_globals;
    struct _dictkeysobject *keys = KEYS(globals);
    if (likely(keys->version == CACHE(1)->version)
        && likely(f->locals == globals)) {
        PyObject *value =
            _PyDictKeys_UnicodeEntries(keys)[CACHE(2)->word].value;
        Py_INCREF(value);
        WRITE(A, (PyReg)value);
        NEXT(3);
    }
    TAIL(load_name_miss);
}

HANDLER(LOAD_NAME__BUILTIN)
{
    PyObject *globals = frame_func(f)->func_globals;
    PyObject *builtins = frame_func(f)->func_builtins;
    if (likely(KEYS(globals)->version == CACHE(1)->version)
        && likely(f->locals == globals)
        && likely(PyDict_CheckExact(builtins))
        && likely(KEYS(builtins)->version == CACHE(1)->version2)) {
        PyObject *value =
            _PyDictKeys_UnicodeEntries(KEYS(builtins))[CACHE(2)->word].value;
        Py_INCREF(value);
        WRITE(A, (PyReg)value);
        NEXT(3);
    }
    TAIL(load_name_miss);
}

SLOW(store_name_slow)
{
    SAVE_IP();
    PyObject *name = code_name(f, CACHE(0)->arg);
    PyObject *value = reg_object(&R(A));
    if (value == NULL) {
        ERROR();
    }
    if (f->locals == NULL) {
        no_locals(ts, "no locals found when storing %R", name);
        ERROR();
    }
    int err = PyDict_CheckExact(f->locals)
              ? PyDict_SetItem(f->locals, name, value)
              : PyObject_SetItem(f->locals, name, value);
    if (err < 0) {
        ERROR();
    }
    operand_done(f, A);
    NEXT_RELOAD(3);
}

HANDLER(STORE_NAME)
{
    if (specialize_now(ip) && f->locals == frame_func(f)->func_globals) {
        _PyVM_SpecializeStoreGlobal(f, ip);
    }
    TAIL(store_name_slow);
}

HANDLER(STORE_NAME__MODULE)
{
    SAVE_IP();
    int done = f->locals == frame_func(f)->func_globals
               ? store_known_global(f, ip, &R(A)) : 0;
    if (done < 0) {
        ERROR();
    }
    if (unlikely(done == 0)) {
        despecialize(ip);
        TAIL(store_name_slow);
    }
    operand_done(f, A);
    NEXT_RELOAD(3);
}

HANDLER(DELETE_NAME)
{
    SAVE_IP();
    PyObject *name = code_name(f, UBC);
    if (f->locals == NULL) {
        no_locals(ts, "no locals when deleting %R", name);
        ERROR();
    }
    if (PyObject_DelItem(f->locals, name) < 0) {
        /* 3.11 hides every error of the mapping behind the NameError. */
        _PyErr_Clear(ts);
        _PyVM_NameError(ts, name);
        ERROR();
    }
    NEXT_RELOAD(0);
}

HANDLER(SETUP_ANNOTATIONS)
{
    SAVE_IP();
    PyObject *locals = f->locals;
    if (locals == NULL) {
        no_locals(ts, "no locals found when setting up annotations", NULL);
        ERROR();
    }
    PyObject *name = _Py_NAME(dunder_annotations);
    PyObject *present = mapping_get(ts, locals, name);
    if (present == NULL) {
        PyObject *fresh;
        if (_PyErr_Occurred(ts) || (fresh = PyDict_New()) == NULL) {
            ERROR();
        }
        int err = PyObject_SetItem(locals, name, fresh);
        Py_DECREF(fresh);
        if (err < 0) {
            ERROR();
        }
    }
    Py_XDECREF(present);
    NEXT_RELOAD(0);
}

HANDLER(LOAD_BUILD_CLASS)
{
    SAVE_IP();
    PyObject *value = mapping_get(ts, frame_func(f)->func_builtins,
                                  _Py_NAME(dunder_build_class));
    if (value == NULL) {
        if (!_PyErr_Occurred(ts)) {
            _PyErr_SetString(ts, PyExc_NameError, "__build_class__ not found");
        }
        ERROR();
    }
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(0);
}

/* Calls: of Python functions, with defaults and keywords, of classes whose instances are made in
   the usual way, of the getters of properties, and of operators' methods that are built in.

   The window becomes the callee's frame. Which function is called is known when its value is a
   constant (methods), or can be guessed from what the global holds while the caller is compiled;
   a guard on the version of the code object makes the guess good, for a version names one code
   object for ever. Then arguments are bound here. Of other functions a few loads tell whether
   they take just these arguments. */
#include "build_ops.h"
#include "likes.h"
#include "quiet.h"
#include "../vm/call.h"
#include "internal/call.h"
#include "internal/dict.h"
#include "internal/property.h"
#include "internal/type.h"

/* More keywords than these are bound by the handler. */
#define MOST_KEYWORDS 16
/* A generator calls functions of no more arguments: each is moved to the thread's stack. */
#define MOST_MOVED 100

PyObject *
_PyJit_SeenObject(JitBuilder *b, JitRef ref)
{
    JitNode *n = _PyJit_At(b, ref);
    if (n->op == JIT_CONST_NODE && n->type == JIT_T_OBJECT) {
        return REG_PTR(n->imm);
    }
    return n->op == JIT_LOAD_NODE ? (PyObject *)n->aux : NULL;
}

/* A function that is going to be called, and how its parameters are filled. */
typedef struct {
    PyVMCode *code;             /* NULL: not known */
    JitRef func, loaded_code, defaults;
    JitRef kwkeys;              /* the keys of the defaults of keyword-only parameters, or 0 */
    int takes_kwonly;           /* such parameters are bound here, too */
    unsigned nargs;             /* in the window, those given by keyword last */
    unsigned nnames;
    uint16_t places[MOST_KEYWORDS];     /* the parameters that the keywords name */
    uint64_t filled;            /* the parameters that have an argument */
} Callee;

/* But for *args and **kwargs. */
static unsigned
parameters(const PyVMCode *code)
{
    return (unsigned)(code->ob.co_argcount + code->ob.co_kwonlyargcount);
}

/* Are keyword-only parameters all that keeps a call of it from being simple? */
static int
is_simple_but_kwonly(const PyVMCode *code)
{
    return (code->ob.co_flags & (CO_OPTIMIZED | CO_NEWLOCALS | CO_VARARGS | CO_VARKEYWORDS))
           == (CO_OPTIMIZED | CO_NEWLOCALS)
           && !code->is_generator && _PyCode_IsUnpacked(code);
}

/* Where the default of a keyword-only parameter is in the dict of such; -1: not known. */
static Py_ssize_t
kwdefault_place(PyObject *func, unsigned parameter)
{
    PyObject *dict = ((PyFunctionObject *)func)->func_kwdefaults;
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    Py_ssize_t place = dict == NULL || !PyDict_CheckExact(dict) ? -1
        : _PyDict_IndexOfStr((PyDictObject *)dict,
                             PyTuple_GET_ITEM(code->ob.co_localsplusnames, parameter));
    return place >= 0 && _PyDictKeys_VersionFor((PyDictObject *)dict, place) != 0 ? place : -1;
}

/* Finds the parameter for each keyword. 0: the call fails, or is not for machine code. */
static int
place_keywords(Callee *callee, PyObject *names)
{
    PyVMCode *code = callee->code;
    callee->nnames = (unsigned)PyTuple_GET_SIZE(names);
    if (callee->nnames > MOST_KEYWORDS || callee->nnames > callee->nargs) {
        return 0;
    }
    for (unsigned i = 0; i < callee->nargs - callee->nnames; i++) {
        callee->filled |= (uint64_t)1 << i;
    }
    for (unsigned k = 0; k < callee->nnames; k++) {
        unsigned i = (unsigned)code->ob.co_posonlyargcount;
        while (i < parameters(code) && PyTuple_GET_ITEM(code->ob.co_localsplusnames, i)
                                       != PyTuple_GET_ITEM(names, k)) {
            i++;
        }
        if (i >= parameters(code) || (callee->filled >> i & 1)) {
            return 0;
        }
        callee->filled |= (uint64_t)1 << i;
        callee->places[k] = (uint16_t)i;
    }
    return 1;
}

/* Can the function be called with these arguments, perhaps with defaults? */
static int
bind(Callee *callee, PyObject *func, PyObject *names)
{
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    unsigned takes = (unsigned)code->ob.co_argcount;
    unsigned by_place = callee->nargs - (names != NULL ? (unsigned)PyTuple_GET_SIZE(names) : 0);
    callee->code = code;
    if (!(code->simple_call || (callee->takes_kwonly && is_simple_but_kwonly(code)))
        || parameters(code) > 64 || callee->nargs > parameters(code) || by_place > takes) {
        return 0;
    }
    if (names != NULL) {
        if (!place_keywords(callee, names)) {
            return 0;
        }
    }
    else {
        callee->filled = callee->nargs == 64 ? ~(uint64_t)0 : ((uint64_t)1 << callee->nargs) - 1;
    }
    PyObject *defaults = ((PyFunctionObject *)func)->func_defaults;
    unsigned ndefaults = defaults == NULL ? 0 : (unsigned)PyTuple_GET_SIZE(defaults);
    for (unsigned i = 0; i < takes; i++) {
        if (!(callee->filled >> i & 1) && i + ndefaults < takes) {
            return 0;
        }
    }
    for (unsigned i = takes; i < parameters(code); i++) {
        if (!(callee->filled >> i & 1) && kwdefault_place(func, i) < 0) {
            return 0;
        }
    }
    return 1;
}

/* Has one of the parameters [first, end) no argument? */
static int
has_unfilled(const Callee *callee, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        if (!(callee->filled >> i & 1)) {
            return 1;
        }
    }
    return 0;
}

/* The guards that make what is known of the callee true. callee->func is a function. */
static void
guard_callee(JitBuilder *b, Callee *callee, PyObject *func)
{
    JitRef code = load(b, JIT_T_RAW, JIT_64, callee->func, offsetof(PyFunctionObject, func_code));
    callee->loaded_code = code;
    if (callee->code == NULL) {
        guard_mem(b, JIT_8, code, offsetof(PyVMCode, simple_call), 1);
        guard_mem(b, JIT_32, code, offsetof(PyCodeObject, co_argcount), callee->nargs);
        return;
    }
    guard_mem(b, JIT_32, code, offsetof(PyVMCode, version), callee->code->version);
    unsigned takes = (unsigned)callee->code->ob.co_argcount;
    if (has_unfilled(callee, 0, takes)) {
        JitRef defaults = load(b, JIT_T_RAW, JIT_64, callee->func,
                               offsetof(PyFunctionObject, func_defaults));
        guard_compare(b, JIT_NE, defaults, 0);
        guard_mem(b, JIT_64, defaults, offsetof(PyVarObject, ob_size),
                  (uint64_t)PyTuple_GET_SIZE(((PyFunctionObject *)func)->func_defaults));
        callee->defaults = defaults;
    }
    if (has_unfilled(callee, takes, parameters(callee->code))) {
        JitRef dict = load(b, JIT_T_RAW, JIT_64, callee->func,
                           offsetof(PyFunctionObject, func_kwdefaults));
        guard_compare(b, JIT_NE, dict, 0);
        callee->kwkeys = load(b, JIT_T_RAW, JIT_64, dict, offsetof(PyDictObject, ma_keys));
        PyObject *now = ((PyFunctionObject *)func)->func_kwdefaults;
        guard_mem(b, JIT_32, callee->kwkeys, offsetof(struct _dictkeysobject, version),
                  ((PyDictObject *)now)->ma_keys->version);
    }
}

/* What a parameter without an argument gets, borrowed. */
static JitRef
default_of(JitBuilder *b, const Callee *callee, PyObject *func, unsigned parameter)
{
    unsigned takes = (unsigned)callee->code->ob.co_argcount;
    if (parameter >= takes) {
        size_t place = (size_t)kwdefault_place(func, parameter);
        return load(b, JIT_T_OBJECT, JIT_64, callee->kwkeys,
                    sizeof(struct _dictkeysobject) + place * sizeof(_PyDictUnicodeEntry)
                    + offsetof(_PyDictUnicodeEntry, value));
    }
    size_t ndefaults = (size_t)PyTuple_GET_SIZE(((PyFunctionObject *)func)->func_defaults);
    return load(b, JIT_T_OBJECT, JIT_64, callee->defaults,
                offsetof(PyTupleObject, ob_item)
                + (parameter + ndefaults - takes) * sizeof(PyObject *));
}

/* Moves what the keywords give to the parameters, and fills the others with defaults. The frame
   is true, and nothing may leave from here to the call: args is the first argument's register,
   above which the frame has no values. */
static void
place_arguments(JitBuilder *b, Callee *callee, PyObject *func, unsigned args)
{
    unsigned first = callee->nargs - callee->nnames;
    JitRef values[MOST_KEYWORDS];
    int moves = 0;
    for (unsigned k = 0; k < callee->nnames; k++) {
        moves |= callee->places[k] != first + k;
    }
    for (unsigned k = 0; moves && k < callee->nnames; k++) {
        values[k] = word_in(b, args + first + k);
    }
    for (unsigned k = 0; moves && k < callee->nnames; k++) {
        if (callee->places[k] != first + k) {
            store_word(b, args + callee->places[k], values[k]);
        }
    }
    for (unsigned i = 0; callee->code != NULL && i < parameters(callee->code); i++) {
        if (!(callee->filled >> i & 1)) {
            JitRef value = default_of(b, callee, func, i);
            incref(b, value);
            store_word(b, args + i, value);
        }
    }
}

/* A call of C code that takes a whole window: how, with its first register (jit.h). */
static JitRef
call_any(JitBuilder *b, JitType type, const void *function, uint64_t how, PyObject *names)
{
    JitRef first = raw_const(b, how), last = raw_const(b, (uint64_t)names);
    JitRef value = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, type, first, last);
    JitNode *n = _PyJit_At(b, value);
    n->nargs = 2;
    n->reg = 1;
    n->cond = JIT_RAISES_NULL;
    n->imm = b->ip;
    n->aux = function;
    return value;
}

void
_PyJit_GuardDepth(JitBuilder *b, int levels)
{
    levels += b->inlined != NULL ? b->inlined->depth : 0;
    if (_PyJit_IsDeepEnough(b, levels)) {
        return;
    }
    JitRef guard = guarded(b, JIT_GUARD_DEPTH_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, guard)->imm = (uint64_t)levels;
}

void
_PyJit_CheckOk(JitBuilder *b, uint32_t next)
{
    JitRef check = _PyJit_Node(b, JIT_CHECK_OK_NODE, JIT_T_NONE, 0, 0);
    uint32_t snap = _PyJit_SnapNow(b, next);
    _PyJit_At(b, check)->snap = snap;
}

int
_PyJit_MayInline(JitBuilder *b)
{
    const PyJitCode *jit = b->g->code->jit;
    return b->inlined != NULL
           || (jit->inlined[b->ip] <= JIT_INLINED
               && (b->g->has_records || _PyThreadState_GET()->interp->shown_hook == NULL));
}

/* Objects that are given up when the callee's variables are must not run code then: the callee
   has no frame that could be seen. */
static void
guard_quiet_end(JitBuilder *b, unsigned reg)
{
    JitRef ref = _PyJit_Use(b, reg);
    if (_PyJit_Dies(b, reg) && _PyJit_MayCount(b, ref) && !_PyJit_IsInert(class_of(b, ref))) {
        (void)guarded(b, JIT_GUARD_QUIET_NODE, JIT_T_NONE, ref, 0);
    }
}

/* The guards from `first` on have been built, and the callee behind them. What it leaves as it is
   dies as it would have died before, so the guards may ask how that is. */
static void
settle_quiet_guards(JitBuilder *b, JitRef first, JitRef callee)
{
    /* Who drops them must have a frame. */
    int asks = b->inlined == NULL && _PyJit_OnlyMakesNew(b, callee);
    for (JitRef ref = first; asks && ref < callee; ref++) {
        JitNode *n = _PyJit_At(b, ref);
        n->imm = n->op == JIT_GUARD_QUIET_NODE ? JIT_QUIET_IF_ALONE : n->imm;
    }
}

/* What has been built in has given a value. Registers [first, first + n) are done with. */
static int
finish_inlined(JitBuilder *b, JitRef value, int owned, unsigned first, unsigned n, unsigned dest)
{
    int dies = 0;
    for (unsigned i = 0; i < n; i++) {
        dies |= b->slots[first + i].ref != 0 && _PyJit_Dies(b, first + i);
    }
    if (!owned && dies && _PyJit_MayCount(b, value)) {
        incref(b, value);
        owned = 1;
    }
    for (unsigned i = 0; i < n; i++) {
        if (b->slots[first + i].ref != 0) {
            _PyJit_Done(b, first + i);
        }
    }
    _PyJit_WriteValue(b, dest, value, owned);
    if (b->inlined == NULL) {
        ((PyJitCode *)b->g->code->jit)->inlined[b->ip] = JIT_INLINED;
    }
    return 1;
}

/* The values of a callee's parameters, but for so many that come before those in the window. */
static void
use_arguments(JitBuilder *b, Callee *callee, PyObject *func, unsigned window, unsigned skipped,
              JitRef *args)
{
    unsigned first = window + FRAME_WORDS;
    unsigned by_place = callee->nargs - callee->nnames;
    for (unsigned i = skipped; i < callee->nargs; i++) {
        unsigned to = i < by_place ? i : callee->places[i - by_place];
        args[to] = _PyJit_Use(b, first + i - skipped);
        if (!_PyJit_KeepsArgument(callee->code, to)) {
            guard_quiet_end(b, first + i - skipped);
        }
    }
    guard_quiet_end(b, window);
    for (unsigned i = skipped; i < parameters(callee->code); i++) {
        if (!(callee->filled >> i & 1)) {
            args[i] = default_of(b, callee, func, i);
        }
    }
}

/* The call of a function in a window that is known, whose guards stand, as a part of its caller.
   0: it has to be called. */
static int
call_inlined(JitBuilder *b, Callee *callee, PyObject *func, unsigned window, unsigned dest)
{
    JitRef args[64];
    int owned;
    if (!_PyJit_MayInline(b)) {
        return 0;
    }
    JitRef guards = b->g->nnodes;
    use_arguments(b, callee, func, window, 0, args);
    JitRef body = b->g->nnodes;
    JitRef value = _PyJit_Inline(b, (PyFunctionObject *)func, callee->func, args, &owned,
                                 JIT_OF_CALL);
    settle_quiet_guards(b, guards, body);
    return value != 0
           && finish_inlined(b, value, owned, window, FRAME_WORDS + callee->nargs, dest);
}

/* A call of a function with parameters of other kinds, whose arguments C code binds. */
static int
call_star_function(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest,
                   PyObject *func)
{
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    if (b->inlined != NULL || b->code->is_generator || code->is_generator
        || code->ob.co_ncellvars != 0 || !(code->ob.co_flags & CO_OPTIMIZED)) {
        return 0;
    }
    JitRef ref = to_class(b, _PyJit_Use(b, window), &PyFunction_Type);
    if (ref == 0) {
        return 0;
    }
    JitRef loaded = load(b, JIT_T_RAW, JIT_64, ref, offsetof(PyFunctionObject, func_code));
    guard_mem(b, JIT_32, loaded, offsetof(PyVMCode, version), code->version);
    _PyJit_GuardDepth(b, 1);
    _PyJit_Sync(b);
    JitRef bound = call_any(b, JIT_T_RAW, (const void *)_PyVM_BindForNative,
                            window | nargs << 16, names);
    JitRef value = run_frame(b, bound, window, JIT_FRAME_BOUND);
    _PyJit_WriteValue(b, dest, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* A call of the Python function in a window. */
static int
call_function(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest)
{
    JitRef ref = _PyJit_Use(b, window);
    PyObject *seen = _PyJit_SeenObject(b, ref);
    Callee callee = {.nargs = nargs, .takes_kwonly = 1};
    if (seen != NULL && !PyFunction_Check(seen)) {
        return 0;
    }
    if (seen != NULL && !bind(&callee, seen, names)) {
        return call_star_function(b, window, nargs, names, dest, seen);
    }
    if (seen == NULL && names != NULL) {
        return 0;
    }
    callee.func = to_class(b, ref, &PyFunction_Type);
    if (callee.func == 0) {
        return 0;
    }
    guard_callee(b, &callee, seen);
    _PyJit_GuardDepth(b, 1);
    if (seen != NULL && call_inlined(b, &callee, seen, window, dest)) {
        return 1;
    }
    /* A generator's window has no room for defaults. */
    if (b->code->is_generator
        && (nargs > MOST_MOVED || names != NULL
            || (callee.code != NULL && nargs != parameters(callee.code)))) {
        return 0;
    }
    if (b->code->is_generator) {
        JitRef fits = guarded(b, JIT_GUARD_ROOM_NODE, JIT_T_NONE, 0, 0);
        _PyJit_At(b, fits)->reg = (uint16_t)window;
    }
    _PyJit_Sync(b);
    place_arguments(b, &callee, seen, window + FRAME_WORDS);
    JitRef value = run_frame(b, callee.loaded_code, window, JIT_FRAME_CALL);
    _PyJit_At(b, value)->width = (uint8_t)(1 + nargs);
    _PyJit_WriteValue(b, dest, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* A call of a bound method: its self goes in front of the arguments. */
static int
call_bound(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest)
{
    unsigned args = window + FRAME_WORDS;
    JitRef method = to_class(b, _PyJit_Use(b, window), &PyMethod_Type), values[64];
    if (method == 0 || nargs >= Py_ARRAY_LENGTH(values)) {
        return 0;
    }
    JitRef func = load(b, JIT_T_OBJECT, JIT_64, method, offsetof(PyMethodObject, im_func));
    JitRef better = guarded(b, JIT_GUARD_CLASS_NODE, JIT_T_OBJECT, func, 0);
    _PyJit_At(b, better)->cls = &PyFunction_Type;
    Callee callee = {.nargs = nargs + 1, .func = better};
    guard_callee(b, &callee, NULL);
    /* When the method is destroyed, weak references must not run code. */
    guard_mem(b, JIT_64, method, offsetof(PyMethodObject, im_weakreflist), 0);
    _PyJit_GuardDepth(b, 1);
    _PyJit_Sync(b);
    for (unsigned i = 0; i < nargs; i++) {
        values[i] = word_in(b, args + i);
    }
    JitRef self = load(b, JIT_T_OBJECT, JIT_64, method, offsetof(PyMethodObject, im_self));
    incref(b, callee.func);
    incref(b, self);
    store_word(b, window, callee.func);
    store_word(b, args, self);
    for (unsigned i = 0; i < nargs; i++) {
        store_word(b, args + 1 + i, values[i]);
    }
    for (unsigned r = window; r < b->nregs; r++) {
        b->slots[r] = (JitSlot){0};
    }
    uint32_t snap = _PyJit_SnapNow(b, b->ip);
    JitRef release = _PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, method, 0);
    _PyJit_At(b, release)->snap = snap;
    _PyJit_At(b, release)->cond = JIT_RELEASE_EARLY;
    JitRef value = run_frame(b, callee.loaded_code, window, JIT_FRAME_CALL);
    _PyJit_WriteValue(b, dest, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* --------------------------------------------------------------------- classes */

static void
add_to_count(JitBuilder *b, JitRef object, int by)
{
    JitRef count = _PyJit_Node(b, JIT_ADD_MEM_NODE, JIT_T_NONE, object, 0);
    _PyJit_At(b, count)->imm = offsetof(PyObject, ob_refcnt);
    _PyJit_At(b, count)->width = JIT_64;
    _PyJit_At(b, count)->cond = (uint8_t)by;
}

static int
has_no_init(PyTypeObject *type)
{
    return type->tp_new == _PyObject_NewInstance && type->tp_init == _PyObject_InitInstance
           && type != &PyBaseObject_Type && !(type->tp_flags & Py_TPFLAGS_IS_ABSTRACT)
           && (type->tp_flags & Py_TPFLAGS_HEAPTYPE);
}

static JitRef
guard_type(JitBuilder *b, JitRef ref, uint32_t version)
{
    ref = to_class(b, ref, &PyType_Type);
    if (ref != 0) {
        guard_mem(b, JIT_32, ref, offsetof(PyTypeObject, tp_version_tag), version);
    }
    return ref;
}

/* The same for classes like one whose __init__ is a function. Returns theirs. */
static JitRef
guard_like(JitBuilder *b, JitRef ref, JitLike *like, PyFunctionObject *init)
{
    _PyJit_DemandInit(like, init);
    _PyJit_GuardLikeType(b, ref, like);
    return _PyJit_ValueOfLike(b, like, 0, (PyObject *)init);
}

/* A new instance: a reference that is owned. The collector may run. */
static JitRef
allocate(JitBuilder *b, PyTypeObject *type, JitRef ref)
{
    JitRef self = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, JIT_T_OBJECT, ref, raw_const(b, 0));
    _PyJit_At(b, self)->imm = b->ip;
    _PyJit_At(b, self)->aux = (const void *)type->tp_alloc;
    _PyJit_At(b, self)->nargs = 2;
    return self;
}

static int
call_empty_class(JitBuilder *b, unsigned window, PyTypeObject *type, uint32_t version,
                 unsigned dest)
{
    JitRef ref = guard_type(b, _PyJit_Use(b, window), version);
    if (ref == 0) {
        return 0;
    }
    _PyJit_GuardDepth(b, 1);
    _PyJit_Sync(b);
    JitRef self = allocate(b, type, ref);
    _PyJit_Done(b, window);
    _PyJit_WriteValue(b, dest, self, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* The same as a part of the caller. */
static int
inline_class(JitBuilder *b, Callee *callee, PyObject *init, PyTypeObject *type, JitRef ref,
             JitLike *like, unsigned window, unsigned dest)
{
    JitRef args[64];
    if (!_PyJit_MayInline(b)) {
        return 0;
    }
    JitRef guards = b->g->nnodes;
    use_arguments(b, callee, init, window, 1, args);
    JitRef body = b->g->nnodes;
    JitRef value = _PyJit_InlineInit(b, (PyFunctionObject *)init, callee->func, args, type, ref,
                                     like);
    settle_quiet_guards(b, guards, body);
    return value != 0
           && finish_inlined(b, value, 1, window, FRAME_WORDS + callee->nargs - 1, dest);
}

/* Have several classes been called here? If none is known otherwise, *type is the last one. */
static int
calls_several_classes(JitBuilder *b, PyTypeObject **type)
{
    JitOperands seen = b->operands == NULL ? (JitOperands){0} : b->operands[b->ip];
    int is_class = seen.right > JIT_IS_CLASS && seen.right < JIT_OPERAND_BOOL;
    if (*type == NULL && is_class) {
        *type = _PyType_OfVersion(seen.right & ~JIT_IS_CLASS);
    }
    return is_class && seen.left == JIT_OPERAND_MIXED;
}

/* A call of a class whose instances object.__new__ makes and a Python __init__ fills. */
static int
call_class(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest)
{
    const PyInstr *in = instr(b);
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    JitRef ref = _PyJit_Use(b, window);
    PyTypeObject *type = (PyTypeObject *)_PyJit_SeenObject(b, ref);
    if (type == NULL && in->op == OP_CALL__CLASS) {
        type = _PyType_OfVersion(cache->arg);
    }
    int is_anew = calls_several_classes(b, &type);
    if (type == NULL || !Py_IS_TYPE(type, &PyType_Type)) {
        return 0;
    }
    PyObject *init = _PyJit_PlainInit(type);
    uint32_t version = _PyType_AssignVersion(type);
    Callee callee = {.nargs = nargs, .takes_kwonly = 1};
    if (version == 0) {
        return 0;
    }
    if (init == NULL) {
        return nargs == 0 && !is_anew && has_no_init(type)
               ? call_empty_class(b, window, type, version, dest) : 0;
    }
    /* The instance is the first argument, which no keyword may name. */
    unsigned args = window + 1 + FRAME_WORDS;
    callee.nargs++;
    if (!bind(&callee, init, names)) {
        return 0;
    }
    JitLike *like = is_anew ? _PyJit_NewLike(b->g, type) : NULL;
    ref = like == NULL ? guard_type(b, ref, version) : to_class(b, ref, &PyType_Type);
    if (ref == 0) {
        return 0;
    }
    callee.func = like == NULL ? _PyJit_Const(b, (PyReg)init)
                               : guard_like(b, ref, like, (PyFunctionObject *)init);
    guard_callee(b, &callee, init);
    _PyJit_GuardDepth(b, 2);
    if (inline_class(b, &callee, init, type, ref, like, window, dest)) {
        return 1;
    }
    if ((b->code->is_generator && callee.nargs != parameters(callee.code))
        || callee.kwkeys != 0) {        /* the collector may change the dict */
        return 0;
    }
    JitRef values[64], frame = begin_frame(b);
    _PyJit_Sync(b);
    for (unsigned i = 0; i < nargs; i++) {
        values[i] = word_in(b, window + FRAME_WORDS + i);
    }
    /* What the collector may change stays alive until it has run. */
    incref(b, callee.func);
    store_word(b, window + 1, callee.func);
    if (callee.defaults != 0) {
        add_to_count(b, callee.defaults, 1);
        store_word(b, window + 2, callee.defaults);
    }
    JitRef self = allocate(b, type, ref);
    /* Two references: the frame's, and the one that becomes the value. */
    incref(b, self);
    store_word(b, window, self);
    add_to_count(b, ref, -1);   /* the instance keeps its class alive */
    unsigned by_place = nargs - callee.nnames;
    if (frame != 0) {
        store_word(b, window + 1, _PyJit_Const(b, 0));
        empty_registers(b, window + FRAME_WORDS, nargs);
        put_word(b, frame, 0, callee.func);
    }
    put_argument(b, frame, args, 0, self);
    for (unsigned i = 0; i < nargs; i++) {
        unsigned to = i < by_place ? i + 1 : callee.places[i - by_place];
        put_argument(b, frame, args, to, values[i]);
    }
    callee.nnames = 0;          /* they are in their places */
    place_arguments(b, &callee, init, args);
    if (callee.defaults != 0) {
        add_to_count(b, callee.defaults, -1);
    }
    run_window(b, callee.loaded_code, frame, window + 1, JIT_FRAME_INIT);
    JitRef value = load_word(b, JIT_T_OBJECT, window);
    store_word(b, window, _PyJit_Const(b, 0));
    b->slots[window] = (JitSlot){0};
    _PyJit_WriteValue(b, dest, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* ------------------------------------------------------------------ properties */

/* The function of a property at `offset`, and guards that it is the one which `seen` has: NULL, if
   it can't be called like that. Has it parameters beyond the arguments, they need defaults
   (has_more). */
static PyObject *
guard_accessor(JitBuilder *b, JitRef property, PyObject *seen, size_t offset, int has_more,
               Callee *callee)
{
    PyObject *func = *(PyObject **)((char *)seen + offset);
    if (func == NULL || !PyFunction_Check(func) || !bind(callee, func, NULL)
        || (!has_more && (unsigned)callee->code->ob.co_argcount != callee->nargs)) {
        return NULL;
    }
    JitRef held = load(b, JIT_T_OBJECT, JIT_64, property, offset);
    guard_compare(b, JIT_NE, held, 0);
    callee->func = to_class(b, held, &PyFunction_Type);
    guard_callee(b, callee, func);
    _PyJit_GuardDepth(b, 1);
    return func;
}

int
_PyJit_BuildProperty(JitBuilder *b, const PyInstr *in, JitRef owner, JitRef property,
                     PyObject *seen)
{
    Callee callee = {.nargs = 1};
    PyObject *getter = guard_accessor(b, property, seen, offsetof(propertyobject, fget), 1,
                                      &callee);
    if (getter == NULL) {
        return 0;
    }
    /* Above all registers: the owner stays in its own until the getter has returned. */
    unsigned window = b->nregs;
    if (callee.code->ob.co_argcount == 1 && _PyJit_MayInline(b)) {
        int owned;
        JitRef value = _PyJit_Inline(b, (PyFunctionObject *)getter, callee.func, &owner, &owned,
                                     JIT_OF_CALL);
        if (value != 0) {
            return finish_inlined(b, value, owned, in->b, 1, in->a);
        }
    }
    if (b->code->is_generator && callee.code->ob.co_argcount != 1) {
        return 0;
    }
    JitRef frame = begin_frame(b);
    _PyJit_Sync(b);
    incref(b, callee.func);
    incref(b, owner);
    put_word(b, frame, 0, callee.func);
    put_word(b, frame, FRAME_WORDS, owner);
    place_arguments(b, &callee, getter, window + FRAME_WORDS);
    JitRef value = run_frame(b, callee.loaded_code, window, JIT_FRAME_GETTER);
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

int
_PyJit_BuildPropertySet(JitBuilder *b, const PyInstr *in, JitRef owner, JitRef value,
                        JitRef property, PyObject *seen)
{
    Callee callee = {.nargs = 2};
    PyObject *setter = guard_accessor(b, property, seen, offsetof(propertyobject, fset), 0,
                                      &callee);
    if (setter == NULL) {
        return 0;
    }
    int owned;
    JitRef args[2] = {owner, value};
    JitRef result = _PyJit_MayInline(b)
                    ? _PyJit_Inline(b, (PyFunctionObject *)setter, callee.func, args, &owned,
                                    JIT_OF_CALL) : 0;
    if (result != 0) {
        if (b->inlined == NULL) {
            ((PyJitCode *)b->g->code->jit)->inlined[b->ip] = JIT_INLINED;
        }
        _PyJit_GiveUp(b, result, owned);
        _PyJit_Done(b, in->b);
        _PyJit_Done(b, in->a);
        _PyJit_FinishInstr(b, b->next);
        return 1;
    }
    return b->inlined == NULL && _PyJit_CallSetter(b, in, callee.func, callee.loaded_code);
}

/* ------------------------------------------------------------------- operators */

JitRef
_PyJit_BuildOperator(JitBuilder *b, int kind, int in_place, JitValueUse use, JitRef x, JitRef y,
                     int *owned)
{
    JitOperands seen = b->operands == NULL ? (JitOperands){0} : b->operands[b->ip];
    PyTypeObject *type = recorded_class(b), *other = right_type(seen.right);
    if (type == NULL || other == NULL || !_PyJit_MayInline(b)) {
        return 0;
    }
    PyObject *func = use == JIT_OF_OPERATOR ? _PyVM_OperatorMethod(type, other, kind, in_place)
                                            : _PyVM_CompareMethod(type, other, kind);
    Callee callee = {.nargs = 2};
    if (func == NULL || !bind(&callee, func, NULL)) {
        return 0;
    }
    JitRef args[2] = {to_object(b, x)};
    if (args[0] == 0) {
        return 0;
    }
    _PyJit_GuardVersion(b, args[0], seen.left);
    args[1] = guard_operand(b, y, seen.right, other);
    if (args[1] == 0) {
        return 0;
    }
    callee.func = _PyJit_Const(b, (PyReg)func);
    guard_callee(b, &callee, func);
    _PyJit_GuardDepth(b, use == JIT_OF_OPERATOR ? 1 : 2);
    JitRef value = _PyJit_Inline(b, (PyFunctionObject *)func, callee.func, args, owned, use);
    if (value != 0 && b->inlined == NULL) {
        ((PyJitCode *)b->g->code->jit)->inlined[b->ip] = JIT_INLINED;
    }
    return value;
}

/* The same for a method of recorded_class() that takes one or two arguments of any types. */
static JitRef
build_method(JitBuilder *b, PyObject *func, JitValueUse use, JitRef x, JitRef y, int *owned)
{
    Callee callee = {.nargs = y == 0 ? 1 : 2};
    JitRef args[2] = {0, y};
    if (func == NULL || !_PyJit_MayInline(b) || !bind(&callee, func, NULL)
        || (args[0] = to_object(b, x)) == 0) {
        return 0;
    }
    _PyJit_GuardVersion(b, args[0], b->operands[b->ip].left);
    callee.func = _PyJit_Const(b, (PyReg)func);
    guard_callee(b, &callee, func);
    _PyJit_GuardDepth(b, 1);
    JitRef value = _PyJit_Inline(b, (PyFunctionObject *)func, callee.func, args, owned, use);
    if (value != 0 && b->inlined == NULL) {
        ((PyJitCode *)b->g->code->jit)->inlined[b->ip] = JIT_INLINED;
    }
    return value;
}

JitRef
_PyJit_BuildTruthMethod(JitBuilder *b, JitRef x)
{
    int owned;
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL ? NULL : _PyVM_TruthMethod(type);
    return build_method(b, func, JIT_TRUTH, x, 0, &owned);
}

JitRef
_PyJit_BuildUnaryMethod(JitBuilder *b, int op, JitRef x, int *owned)
{
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL ? NULL : _PyVM_UnaryMethod(type, op);
    return build_method(b, func, JIT_OF_CALL, x, 0, owned);
}

int
_PyJit_BuildGetItem(JitBuilder *b, JitRef container, JitRef key, unsigned left, unsigned right)
{
    int owned;
    guard_quiet_end(b, left);
    guard_quiet_end(b, right);
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL ? NULL : _PyVM_PlainGetItem(type);
    JitRef value = build_method(b, func, JIT_OF_CALL, container, key, &owned);
    if (value == 0) {
        return 0;
    }
    _PyJit_OperatorDone(b, value, &owned, left, right);
    _PyJit_WriteValue(b, instr(b)->a, value, owned);
    return 1;
}

void
_PyJit_OperatorDone(JitBuilder *b, JitRef value, int *owned, unsigned left, unsigned right)
{
    int dies = (b->slots[left].ref != 0 && _PyJit_Dies(b, left))
               || (b->slots[right].ref != 0 && _PyJit_Dies(b, right));
    if (!*owned && dies && _PyJit_MayCount(b, value)) {
        incref(b, value);
        *owned = 1;
    }
    _PyJit_Done(b, left);
    if (right != left) {
        _PyJit_Done(b, right);
    }
}

/* ---------------------------------------------------------------- instructions */

static PyObject *
keywords(JitBuilder *b, const PyInstr *in)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    return PyTuple_GET_ITEM(b->code->ob.co_consts, cache->arg);
}

static int
saw_bound(JitBuilder *b)
{
    int kinds = b->kinds[b->ip];
    return instr(b)->op != OP_CALL__LEN && JIT_LEFT(kinds) == JIT_SEEN_OTHER
           && (JIT_RIGHT(kinds) & JIT_SEEN_BOUND);
}

static int
call(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest)
{
    JitRef ref = _PyJit_Use(b, window);
    if (type_of(b, ref) != JIT_T_WORD && type_of(b, ref) != JIT_T_OBJECT) {
        return 0;
    }
    PyObject *seen = _PyJit_SeenObject(b, ref);
    if (seen != NULL && names == NULL
        && _PyJit_BuildQuietCall(b, ref, seen, window, nargs, dest)) {
        return 1;
    }
    if (seen != NULL && (Py_IS_TYPE(seen, &PyCFunction_Type) || seen == (PyObject *)&PyType_Type
                         || Py_IS_TYPE(seen, &PyMethodDescr_Type))) {
        return 0;
    }
    int is_function = seen != NULL ? PyFunction_Check(seen)
                                   : (JIT_LEFT(b->kinds[b->ip]) == JIT_SEEN_FUNCTION
                                      || JIT_LEFT(b->kinds[b->ip]) == JIT_SEEN_ATTR);
    if (JIT_LEFT(b->kinds[b->ip]) == JIT_SEEN_GENERATOR) {
        return names == NULL && _PyJit_BuildGeneratorCall(b, window, nargs, dest);
    }
    if (seen == NULL && names == NULL && saw_bound(b)) {
        return b->code->is_generator ? 0 : call_bound(b, window, nargs, dest);
    }
    return is_function ? call_function(b, window, nargs, names, dest)
                       : call_class(b, window, nargs, names, dest);
}

/* The end of a call that has emptied its window. */
static int
finish_anything(JitBuilder *b, const PyInstr *in, JitRef value)
{
    for (unsigned r = in->a; r < b->nregs; r++) {
        b->slots[r] = (JitSlot){0};
    }
    _PyJit_WriteValue(b, in->c, value, 1);
    uint32_t snap = _PyJit_SnapNow(b, b->next);
    JitRef pending = _PyJit_Node(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, pending)->snap = snap;
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* A call of which nothing is known. */
static int
call_anything(JitBuilder *b, const PyInstr *in, PyObject *names, int is_method)
{
    if (b->inlined != NULL) {
        return 0;
    }
    _PyJit_Sync(b);
    return finish_anything(b, in, call_any(b, JIT_T_WORD, (const void *)_PyVM_CallAny,
                                           in->a | (uint64_t)in->b << 16
                                           | (uint64_t)is_method << 32, names));
}

/* CALL_EX */
int
_PyJit_BuildCallEx(JitBuilder *b, const PyInstr *in)
{
    if (b->inlined != NULL) {
        return 0;
    }
    _PyJit_Sync(b);
    JitRef has_kwargs = raw_const(b, in->b);
    JitRef value = call_any(b, JIT_T_WORD, (const void *)_PyVM_CallEx, in->a, NULL);
    _PyJit_At(b, value)->args[1] = has_kwargs;
    return finish_anything(b, in, value);
}

/* Has everything that is built with guards failed? */
static int
is_hopeless(JitBuilder *b)
{
    return (b->refused[b->ip] & JIT_REFUSED_AGAIN) != 0;
}

int
_PyJit_BuildCall(JitBuilder *b, const PyInstr *in)
{
    int has_names = _PyOpcode_Info[in->op].base == OP_CALL_KW;
    PyObject *names = has_names ? keywords(b, in) : NULL;
    return (!b->refused[b->ip] && (call(b, in->a, in->b, names, in->c)
                                   || (!has_names && _PyJit_BuildLen(b, in))))
           || (!is_hopeless(b) && _PyJit_BuildCCall(b, in->a, in->b, names, in->c))
           || call_anything(b, in, names, 0);
}

static int
call_method(JitBuilder *b, const PyInstr *in, PyObject *names)
{
    JitRef method = _PyJit_Use(b, in->a);
    JitNode *n = _PyJit_At(b, method);
    int seen = JIT_LEFT(b->kinds[b->ip]), is_const = n->op == JIT_CONST_NODE;
    int is_c_attr = in->op == OP_CALL_METHOD__ATTR_O || in->op == OP_CALL_METHOD__ATTR_FAST
                    || in->op == OP_CALL_METHOD__ATTR_FASTKW;
    int is_attr = is_const ? n->imm == 0 : seen == JIT_SEEN_ATTR || saw_bound(b) || is_c_attr;
    if (!is_const && !is_attr && seen != JIT_SEEN_FUNCTION && seen != JIT_SEEN_GENERATOR) {
        return 0;
    }
    if (!is_const) {
        guard_compare(b, is_attr ? JIT_EQ : JIT_NE, method, 0);
    }
    unsigned window = in->a + (unsigned)is_attr, nargs = in->b + (unsigned)!is_attr;
    return (!b->refused[b->ip] && call(b, window, nargs, names, in->c))
           || _PyJit_BuildCCall(b, window, nargs, names, in->c);
}

int
_PyJit_BuildCallMethod(JitBuilder *b, const PyInstr *in)
{
    PyObject *names = _PyOpcode_Info[in->op].base == OP_CALL_METHOD_KW ? keywords(b, in) : NULL;
    return (!is_hopeless(b) && call_method(b, in, names)) || call_anything(b, in, names, 1);
}

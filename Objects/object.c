/* Operations of every object: creation and destruction, text, comparison and hash.

   Invariants:
   - an object whose reference count reaches zero is passed to its type's
     tp_dealloc exactly once; the trashcan may postpone this, but never repeats it;
   - a postponed object is untracked, and the upper bits of its collector
     header's `prev` link it to the next object that waits. */
#include "Python.h"
#include "internal/compare.h"
#include "internal/float.h"
#include "internal/gc.h"
#include "internal/int.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/tracemalloc.h"
#include "internal/pystate.h"
#include "internal/trashcan.h"
#include "internal/truth.h"
#include "internal/type.h"

struct _PyObject_RefTracer _PyObject_ref_tracer;

_Py_RARE_CALL void
_PyObject_CallTracer(PyObject *op, PyRefTracerEvent event)
{
    (void)_PyObject_ref_tracer.func(op, event, _PyObject_ref_tracer.data);
}

/* Machine code makes and frees numbers by the free lists alone; without them it has to ask. */
int
PyRefTracer_SetTracer(PyRefTracer tracer, void *data)
{
    struct _PyObject_RefTracer before = _PyObject_ref_tracer;
    if (before.func != NULL) {
        (void)before.func(NULL, PyRefTracer_TRACKER_REMOVED, before.data);
        if (PyErr_Occurred()) {
            return -1;
        }
    }
    _PyLong_UseFreeList(tracer == NULL);
    _PyFloat_UseFreeList(tracer == NULL);
    _PyObject_ref_tracer.data = tracer != NULL ? data : NULL;
    _PyObject_ref_tracer.func = tracer;
    return 0;
}

PyRefTracer
PyRefTracer_GetTracer(void **data)
{
    if (data != NULL) {
        *data = _PyObject_ref_tracer.data;
    }
    return _PyObject_ref_tracer.func;
}

/* --------------------------------------------------------- reference counts */

void
Py_IncRef(PyObject *op)
{
    Py_XINCREF(op);
}

void
Py_DecRef(PyObject *op)
{
    Py_XDECREF(op);
}

void
_Py_IncRef(PyObject *op)
{
    Py_INCREF(op);
}

void
_Py_DecRef(PyObject *op)
{
    Py_DECREF(op);
}

#undef Py_NewRef
#undef Py_XNewRef
#undef Py_Is
#undef Py_IsNone
#undef Py_IsTrue
#undef Py_IsFalse

PyObject *
Py_NewRef(PyObject *op)
{
    Py_INCREF(op);
    return op;
}

PyObject *
Py_XNewRef(PyObject *op)
{
    Py_XINCREF(op);
    return op;
}

int
Py_Is(PyObject *a, PyObject *b)
{
    return a == b;
}

int
Py_IsNone(PyObject *op)
{
    return op == Py_None;
}

int
Py_IsTrue(PyObject *op)
{
    return op == Py_True;
}

int
Py_IsFalse(PyObject *op)
{
    return op == Py_False;
}

/* Set while tracemalloc traces. */
void (*_PyTraceMalloc_renew_hook)(PyObject *);

void
_Py_NewReference(PyObject *op)
{
    Py_SET_REFCNT(op, 1);
    if (__builtin_expect(_PyTraceMalloc_renew_hook != NULL, 0)) {
        _PyTraceMalloc_renew_hook(op);
    }
    _PyObject_TellTracer(op, PyRefTracer_CREATE);
}

static void trash_deposit(PyThreadState *tstate, PyObject *op);

/* Most deallocators don't limit their nesting. So objects that may hold other objects
   wait until the VM is at a safe point with enough stack. */
static void
dealloc_on_short_stack(PyThreadState *tstate, PyObject *op)
{
    if (!PyObject_IS_GC(op)) {
        Py_TYPE(op)->tp_dealloc(op);
        return;
    }
    /* The deallocator must find its object tracked if it was tracked before. The
       reference count, which nothing reads until then, remembers this. */
    op->ob_refcnt = PyObject_GC_IsTracked(op);
    PyObject_GC_UnTrack(op);
    trash_deposit(tstate, op);
    _Py_SetEvalBreaker(tstate, _Py_EB_TRASH);
}

static inline void
dealloc_told(PyObject *op)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (__builtin_expect(tstate != NULL && _Py_CStackIsShort(tstate), 0)) {
        dealloc_on_short_stack(tstate, op);
        return;
    }
    Py_TYPE(op)->tp_dealloc(op);
}

static __attribute__((noinline)) void
tell_and_dealloc(PyObject *op)
{
    _PyObject_TellTracer(op, PyRefTracer_DESTROY);
    dealloc_told(op);
}

/* Ends in a jump whatever it finds, and so saves no register. */
void
_Py_Dealloc(PyObject *op)
{
    if (__builtin_expect(_PyObject_ref_tracer.func != NULL, 0)) {
        tell_and_dealloc(op);
        return;
    }
    dealloc_told(op);
}

PyObject *
PyObject_Init(PyObject *op, PyTypeObject *type)
{
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    Py_SET_TYPE(op, type);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        Py_INCREF(type);
    }
    _Py_NewReference(op);
    return op;
}

PyVarObject *
PyObject_InitVar(PyVarObject *op, PyTypeObject *type, Py_ssize_t size)
{
    if (op == NULL) {
        return (PyVarObject *)PyErr_NoMemory();
    }
    Py_SET_SIZE(op, size);
    PyObject_Init((PyObject *)op, type);
    return op;
}

PyObject *
_PyObject_New(PyTypeObject *type)
{
    PyObject *op = PyObject_Malloc(_PyObject_SIZE(type));
    return op == NULL ? PyErr_NoMemory() : _PyObject_InitNew(op, type);
}

PyVarObject *
_PyObject_NewVar(PyTypeObject *type, Py_ssize_t size)
{
    return PyObject_InitVar(PyObject_Malloc(_PyObject_VAR_SIZE(type, size)),
                            type, size);
}

/* --------------------------------------------------------------- finalizers */

void
PyObject_CallFinalizer(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (type->tp_finalize == NULL) {
        return;
    }
    int collectable = _PyType_IS_GC(type);
    if (collectable) {
        if (_Py_AS_GC(self)->prev & _PyGC_PREV_FINALIZED) {
            return;
        }
    }
    type->tp_finalize(self);
    if (collectable) {
        _Py_AS_GC(self)->prev |= _PyGC_PREV_FINALIZED;
    }
}

int
PyObject_CallFinalizerFromDealloc(PyObject *self)
{
    if (Py_REFCNT(self) != 0) {
        _PyObject_ASSERT_FAILED_MSG(self,
            "PyObject_CallFinalizerFromDealloc called on object "
            "with a non-zero refcount");
    }
    Py_SET_REFCNT(self, 1);
    PyObject_CallFinalizer(self);
    Py_ssize_t count = Py_REFCNT(self) - 1;
    Py_SET_REFCNT(self, count);
    if (count == 0) {
        return 0;
    }
    _PyObject_TellTracer(self, PyRefTracer_CREATE);      /* of its destruction it has been told */
    return -1;
}

/* ------------------------------------------------------------- the trashcan */

/* Deallocations nested more deeply wait in the thread's list. */
#define TRASH_DEPTH 50

static void
trash_deposit(PyThreadState *tstate, PyObject *op)
{
    PyGC_Head *head = _Py_AS_GC(op);
    head->prev = (uintptr_t)tstate->trash_delete_later
                 | (head->prev & _PyGC_PREV_FLAGS);
    tstate->trash_delete_later = op;
}

void
_PyTrash_Empty(PyThreadState *tstate)
{
    /* The nesting stays above zero, so that the deallocators called here may add
       objects to the list but don't start to empty it. */
    while (tstate->trash_delete_later != NULL) {
        PyObject *op = tstate->trash_delete_later;
        PyGC_Head *head = _Py_AS_GC(op);
        tstate->trash_delete_later =
            (PyObject *)(head->prev & ~_PyGC_PREV_FLAGS);
        head->prev &= _PyGC_PREV_FINALIZED;
        if (op->ob_refcnt != 0) {
            op->ob_refcnt = 0;
            PyObject_GC_Track(op);
        }
        tstate->trash_delete_nesting++;
        Py_TYPE(op)->tp_dealloc(op);
        tstate->trash_delete_nesting--;
    }
}

int
_PyTrash_begin(PyThreadState *tstate, PyObject *op)
{
    if (tstate->trash_delete_nesting >= TRASH_DEPTH) {
        trash_deposit(tstate, op);
        return 1;
    }
    tstate->trash_delete_nesting++;
    return 0;
}

void
_PyTrash_end(PyThreadState *tstate)
{
    tstate->trash_delete_nesting--;
    if (tstate->trash_delete_later != NULL
        && tstate->trash_delete_nesting <= 0) {
        tstate->trash_delete_nesting++;
        _PyTrash_Empty(tstate);
        tstate->trash_delete_nesting--;
    }
}

/* A subclass's deallocator has already passed the trashcan when it calls its base's. */
int
_PyTrash_cond(PyObject *op, destructor dealloc)
{
    return Py_TYPE(op)->tp_dealloc == dealloc;
}

/* --------------------------------------------------------------------- text */

PyObject *
_PyObject_SelfRepr(PyObject *op)
{
    return PyUnicode_FromFormat("<%s object at %p>", Py_TYPE(op)->tp_name, op);
}

static PyObject *
checked_text(PyObject *result, const char *method)
{
    if (result != NULL && !PyUnicode_Check(result)) {
        PyErr_Format(PyExc_TypeError, "%s returned non-string (type %.200s)",
                     method, Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
PyObject_Repr(PyObject *op)
{
    if (op == NULL) {
        return PyUnicode_FromString("<NULL>");
    }
    if (PyErr_CheckSignals() < 0) {
        return NULL;
    }
    reprfunc repr = Py_TYPE(op)->tp_repr;
    if (repr == NULL) {
        return _PyObject_SelfRepr(op);
    }
    if (Py_EnterRecursiveCall(" while getting the repr of an object")) {
        return NULL;
    }
    PyObject *result = repr(op);
    Py_LeaveRecursiveCall();
    return checked_text(result, "__repr__");
}

PyObject *
PyObject_Str(PyObject *op)
{
    if (op == NULL) {
        return PyUnicode_FromString("<NULL>");
    }
    if (PyUnicode_CheckExact(op)) {
        return Py_NewRef(op);
    }
    if (PyErr_CheckSignals() < 0) {
        return NULL;
    }
    reprfunc str = Py_TYPE(op)->tp_str;
    if (str == NULL) {
        return PyObject_Repr(op);
    }
    if (Py_EnterRecursiveCall(" while getting the str of an object")) {
        return NULL;
    }
    PyObject *result = str(op);
    Py_LeaveRecursiveCall();
    return checked_text(result, "__str__");
}

PyObject *
PyObject_ASCII(PyObject *op)
{
    PyObject *repr = PyObject_Repr(op);
    if (repr == NULL || PyUnicode_IS_ASCII(repr)) {
        return repr;
    }
    PyObject *bytes = PyUnicode_AsEncodedString(repr, "ascii",
                                                "backslashreplace");
    Py_DECREF(repr);
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *result = PyUnicode_DecodeASCII(PyBytes_AS_STRING(bytes),
                                             PyBytes_GET_SIZE(bytes),
                                             "strict");
    Py_DECREF(bytes);
    return result;
}

PyObject *
PyObject_Bytes(PyObject *op)
{
    if (op == NULL) {
        return PyBytes_FromString("<NULL>");
    }
    if (PyBytes_CheckExact(op)) {
        return Py_NewRef(op);
    }
    PyObject *method = _PyObject_LookupSpecial(op, _Py_NAME(dunder_bytes));
    if (method == NULL) {
        return PyErr_Occurred() ? NULL : PyBytes_FromObject(op);
    }
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (result != NULL && !PyBytes_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "__bytes__ returned non-bytes (type %.200s)",
                     Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

/* The name of a callable in error messages about calls: "module.qualname()". */
PyObject *
_PyObject_FunctionStr(PyObject *op)
{
    PyObject *qualname, *module;
    if (_PyObject_LookupAttr(op, _Py_NAME(dunder_qualname), &qualname) < 0) {
        return NULL;
    }
    if (qualname == NULL) {
        return PyObject_Str(op);
    }
    PyObject *result = NULL;
    if (_PyObject_LookupAttr(op, _Py_NAME(dunder_module), &module) < 0) {
        goto done;
    }
    if (module != NULL && module != Py_None) {
        int builtin = PyObject_RichCompareBool(module, _Py_NAME(builtins),
                                               Py_EQ);
        if (builtin < 0) {
            goto done;
        }
        if (!builtin) {
            result = PyUnicode_FromFormat("%S.%S()", module, qualname);
            goto done;
        }
    }
    result = PyUnicode_FromFormat("%S()", qualname);
done:
    Py_DECREF(qualname);
    Py_XDECREF(module);
    return result;
}

int
PyObject_Print(PyObject *op, FILE *fp, int flags)
{
    if (PyErr_CheckSignals() < 0) {
        return -1;
    }
    clearerr(fp);
    if (op == NULL) {
        fprintf(fp, "<nil>");
    }
    else if (Py_REFCNT(op) <= 0) {
        fprintf(fp, "<refcnt %zd at %p>", Py_REFCNT(op), (void *)op);
    }
    else {
        PyObject *text = (flags & Py_PRINT_RAW) ? PyObject_Str(op)
                                                : PyObject_Repr(op);
        if (text == NULL) {
            return -1;
        }
        PyObject *bytes = PyUnicode_AsEncodedString(text, "utf-8",
                                                    "backslashreplace");
        Py_DECREF(text);
        if (bytes == NULL) {
            return -1;
        }
        fwrite(PyBytes_AS_STRING(bytes), 1, PyBytes_GET_SIZE(bytes), fp);
        Py_DECREF(bytes);
    }
    if (ferror(fp)) {
        PyErr_SetFromErrno(PyExc_OSError);
        clearerr(fp);
        return -1;
    }
    return 0;
}

/* ------------------------------------------- guards against infinite repr() */

static PyObject *
repr_list(int create)
{
    PyObject *dict = PyThreadState_GetDict();
    if (dict == NULL) {
        return NULL;
    }
    PyObject *list = PyDict_GetItemWithError(dict, _Py_NAME(Py_Repr));
    if (list == NULL && create && !PyErr_Occurred()) {
        list = PyList_New(0);
        if (list == NULL
            || PyDict_SetItem(dict, _Py_NAME(Py_Repr), list) < 0) {
            Py_XDECREF(list);
            return NULL;
        }
        Py_DECREF(list);
    }
    return list;
}

int
Py_ReprEnter(PyObject *op)
{
    PyObject *list = repr_list(1);
    if (list == NULL) {
        /* Without a thread state dictionary there is no protection. */
        return PyErr_Occurred() ? -1 : 0;
    }
    if (!PyList_Check(list)) {
        PyErr_BadInternalCall();
        return -1;
    }
    Py_ssize_t i = PyList_GET_SIZE(list);
    while (--i >= 0) {
        if (PyList_GET_ITEM(list, i) == op) {
            return 1;
        }
    }
    return PyList_Append(list, op);
}

void
Py_ReprLeave(PyObject *op)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *list = repr_list(0);
    if (list != NULL && PyList_Check(list)) {
        Py_ssize_t i = PyList_GET_SIZE(list);
        while (--i >= 0) {
            if (PyList_GET_ITEM(list, i) == op) {
                PyList_SetSlice(list, i, i + 1, NULL);
                break;
            }
        }
    }
    PyErr_Restore(type, value, traceback);
}

/* --------------------------------------------------------------- comparison */

int _Py_SwappedOp[] = {Py_GT, Py_GE, Py_EQ, Py_NE, Py_LT, Py_LE};

static const char *const op_text[] = {"<", "<=", "==", "!=", ">", ">="};

/* How a type compares if it does so as one of these built-in types: with what is of another kind it
   answers NotImplemented. */
typedef enum {
    KIND_ASKED,                 /* in another way */
    KIND_STR, KIND_NUMBER, KIND_LIST, KIND_TUPLE, KIND_DICT, KIND_SET,
    KIND_IDENTITY               /* as object does */
} ComparisonKind;

static ComparisonKind
comparison_kind(const PyTypeObject *type)
{
    richcmpfunc compare = type->tp_richcompare;
    return compare == PyUnicode_Type.tp_richcompare ? KIND_STR
           : compare == PyLong_Type.tp_richcompare || compare == PyFloat_Type.tp_richcompare
             ? KIND_NUMBER
           : compare == PyBaseObject_Type.tp_richcompare ? KIND_IDENTITY
           : compare == PyList_Type.tp_richcompare ? KIND_LIST
           : compare == PyTuple_Type.tp_richcompare ? KIND_TUPLE
           : compare == PyDict_Type.tp_richcompare ? KIND_DICT
           : compare == PySet_Type.tp_richcompare ? KIND_SET : KIND_ASKED;
}

/* An int that a double has exactly, or a float. */
static int
as_exact_double(PyObject *op, double *value)
{
    if (PyFloat_Check(op)) {
        *value = PyFloat_AS_DOUBLE(op);
        return 1;
    }
    const int64_t most = INT64_C(1) << 53;
    int64_t n = _PyLong_CheckCompact(op) ? _PyLong_CompactValue(op) : most + 1;
    *value = (double)n;
    return -most <= n && n <= most;
}

/* Is this the whole of how a type compares, without a look into what it holds? */
static inline int
compares_plainly(richcmpfunc compare)
{
    return compare == PyBaseObject_Type.tp_richcompare || compare == PyUnicode_Type.tp_richcompare
           || compare == PyLong_Type.tp_richcompare || compare == PyFloat_Type.tp_richcompare;
}

static __attribute__((noinline)) int
compare_by_kind(PyObject *a, PyObject *b, int op)
{
    int is_equality = op == Py_EQ || op == Py_NE;
    ComparisonKind left = comparison_kind(Py_TYPE(a));
    if (left == KIND_ASKED) {
        return -1;
    }
    ComparisonKind right = Py_TYPE(a) == Py_TYPE(b) ? left : comparison_kind(Py_TYPE(b));
    if (left != right) {
        return right != KIND_ASKED && is_equality ? op == Py_NE : -1;
    }
    double x, y;
    switch (left) {
    case KIND_IDENTITY:
        return is_equality ? (a == b) == (op == Py_EQ) : -1;
    case KIND_STR:
        return _PyUnicode_QuickCompare(a, b, op);
    case KIND_NUMBER:
        if (PyLong_Check(a) && PyLong_Check(b)) {
            return _Py_OrderSatisfies(_PyLong_Compare(a, b), op);
        }
        return as_exact_double(a, &x) && as_exact_double(b, &y) ? _Py_CompareDoubles(x, y, op) : -1;
    default:
        return -1;
    }
}

/* A hash table of what modules have told. Half of its places stay empty. */
static struct {
    richcmpfunc compare;
    _PyQuickCompareFunc quick;
} told[16];
static size_t ntold;

static inline size_t
place_of(richcmpfunc compare)
{
    size_t i = (size_t)((uintptr_t)compare >> 4) % Py_ARRAY_LENGTH(told);
    while (told[i].compare != NULL && told[i].compare != compare) {
        i = (i + 1) % Py_ARRAY_LENGTH(told);
    }
    return i;
}

void
_PyObject_LearnQuickCompare(richcmpfunc compare, _PyQuickCompareFunc quick)
{
    size_t i = place_of(compare);
    if (told[i].compare == NULL && ntold < Py_ARRAY_LENGTH(told) / 2) {
        told[i].compare = compare;
        told[i].quick = quick;
        ntold++;
    }
}

int
_PyObject_CompareKinds(PyObject *a, PyObject *b, int op)
{
    richcmpfunc compare = Py_TYPE(a)->tp_richcompare;
    if (Py_TYPE(a) != Py_TYPE(b) || compares_plainly(compare)) {
        return compare_by_kind(a, b, op);
    }
    if (compare == PyBytes_Type.tp_richcompare) {
        return _PyBytes_QuickCompare(a, b, op);
    }
    size_t i = place_of(compare);
    return told[i].compare != NULL ? told[i].quick(a, b, op) : -1;
}

/* Returns 1 with a result, or 0 if the function returned NotImplemented. */
static inline int
try_compare(PyObject *a, PyObject *b, int op, PyObject **result)
{
    richcmpfunc compare = Py_TYPE(a)->tp_richcompare;
    if (compare == NULL) {
        return 0;
    }
    *result = compare(a, b, op);
    if (*result != Py_NotImplemented) {
        return 1;
    }
    Py_DECREF(*result);
    return 0;
}

/* The result of a comparison that neither operand implements. */
static PyObject *
compare_identity(PyObject *a, PyObject *b, int op)
{
    if (op == Py_EQ || op == Py_NE) {
        return PyBool_FromLong((a == b) == (op == Py_EQ));
    }
    PyErr_Format(PyExc_TypeError,
                 "'%s' not supported between instances of '%.100s' and "
                 "'%.100s'", op_text[op], Py_TYPE(a)->tp_name,
                 Py_TYPE(b)->tp_name);
    return NULL;
}

PyObject *
_PyObject_CompareRest(PyObject *a, PyObject *b, int op)
{
    PyObject *result;
    return try_compare(b, a, _Py_SwappedOp[op], &result) ? result : compare_identity(a, b, op);
}

static PyObject *
compare_any(PyObject *a, PyObject *b, int op)
{
    PyObject *result;
    PyTypeObject *ta = Py_TYPE(a), *tb = Py_TYPE(b);
    int swapped_first = ta != tb && tb->tp_richcompare != NULL
                        && PyType_IsSubtype(tb, ta);
    if (swapped_first && try_compare(b, a, _Py_SwappedOp[op], &result)) {
        return result;
    }
    if (try_compare(a, b, op, &result)) {
        return result;
    }
    return swapped_first ? compare_identity(a, b, op) : _PyObject_CompareRest(a, b, op);
}

static inline __attribute__((always_inline)) PyObject *
compare_counted(PyObject *a, PyObject *b, int op)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (_Py_EnterRecursiveCallTstate(tstate, " in comparison")) {
        return NULL;
    }
    PyObject *result = compare_any(a, b, op);
    _Py_LeaveRecursiveCallTstate(tstate);
    return result;
}

PyObject *
_PyObject_AskCompare(PyObject *a, PyObject *b, int op)
{
    return compare_counted(a, b, op);
}

PyObject *
PyObject_RichCompare(PyObject *a, PyObject *b, int op)
{
    if (a == NULL || b == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_BadInternalCall();
        }
        return NULL;
    }
    int truth = _PyObject_QuickCompare(a, b, op);
    if (truth >= 0) {
        return Py_NewRef(truth ? Py_True : Py_False);
    }
    return _PyObject_AskCompare(a, b, op);
}

/* Of a comparison's result, which is taken. */
static int
truth_of(PyObject *result)
{
    if (result == NULL) {
        return -1;
    }
    int truth = PyBool_Check(result) ? result == Py_True
                                     : PyObject_IsTrue(result);
    Py_DECREF(result);
    return truth;
}

int
_PyObject_AskCompareBool(PyObject *a, PyObject *b, int op)
{
    return truth_of(compare_counted(a, b, op));
}

int
PyObject_RichCompareBool(PyObject *a, PyObject *b, int op)
{
    /* Containers rely on this: they find an object even if it is not equal to itself. */
    if (a == b) {
        if (op == Py_EQ) {
            return 1;
        }
        if (op == Py_NE) {
            return 0;
        }
    }
    return truth_of(PyObject_RichCompare(a, b, op));
}

/* -------------------------------------------------------------- hash, truth */

Py_hash_t
PyObject_HashNotImplemented(PyObject *op)
{
    PyErr_Format(PyExc_TypeError, "unhashable type: '%.200s'",
                 Py_TYPE(op)->tp_name);
    return -1;
}

Py_hash_t
PyObject_Hash(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_hash != NULL) {
        return type->tp_hash(op);
    }
    /* A static type of an extension for which PyType_Ready() was not called. */
    if (!(type->tp_flags & Py_TPFLAGS_READY)) {
        if (PyType_Ready(type) < 0) {
            return -1;
        }
        if (type->tp_hash != NULL) {
            return type->tp_hash(op);
        }
    }
    return PyObject_HashNotImplemented(op);
}

int
PyObject_IsTrue(PyObject *op)
{
    Py_ssize_t result = _PyObject_KnownTruth(op);
    if (result >= 0) {
        return (int)result;
    }
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_as_number != NULL && type->tp_as_number->nb_bool != NULL) {
        result = type->tp_as_number->nb_bool(op);
    }
    else if (type->tp_as_mapping != NULL
             && type->tp_as_mapping->mp_length != NULL) {
        result = type->tp_as_mapping->mp_length(op);
    }
    else if (type->tp_as_sequence != NULL
             && type->tp_as_sequence->sq_length != NULL) {
        result = type->tp_as_sequence->sq_length(op);
    }
    else {
        return 1;
    }
    return result > 0 ? 1 : (int)result;
}

int
PyObject_Not(PyObject *op)
{
    int truth = PyObject_IsTrue(op);
    return truth < 0 ? truth : !truth;
}

int
PyCallable_Check(PyObject *op)
{
    return op != NULL && Py_TYPE(op)->tp_call != NULL;
}

/* -------------------------------------------------------------------- dir() */

static PyObject *
dir_of_locals(void)
{
    PyObject *locals = PyEval_GetLocals();
    if (locals == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_SystemError, "frame does not exist");
        }
        return NULL;
    }
    PyObject *names = PyMapping_Keys(locals);
    if (names == NULL) {
        return NULL;
    }
    if (!PyList_Check(names)) {
        PyErr_Format(PyExc_TypeError,
                     "dir(): expected keys() of locals to be a list, "
                     "not '%.200s'", Py_TYPE(names)->tp_name);
        Py_DECREF(names);
        return NULL;
    }
    return names;
}

static PyObject *
dir_of_object(PyObject *op)
{
    PyObject *method = _PyObject_LookupSpecial(op, _Py_NAME(dunder_dir));
    if (method == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError,
                            "object does not provide __dir__");
        }
        return NULL;
    }
    PyObject *names = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (names == NULL) {
        return NULL;
    }
    PyObject *list = PySequence_List(names);
    Py_DECREF(names);
    return list;
}

PyObject *
PyObject_Dir(PyObject *op)
{
    PyObject *names = op == NULL ? dir_of_locals() : dir_of_object(op);
    if (names != NULL && PyList_Sort(names) < 0) {
        Py_CLEAR(names);
    }
    return names;
}

/* ------------------------------------------------------- help for debugging */

void
_Py_BreakPoint(void)
{
}

void
_PyObject_Dump(PyObject *op)
{
    if (_PyObject_IsFreed(op)) {
        fprintf(stderr, "<object at %p is freed>\n", (void *)op);
        fflush(stderr);
        return;
    }
    fprintf(stderr, "object address  : %p\n", (void *)op);
    fprintf(stderr, "object refcount : %zd\n", Py_REFCNT(op));
    fprintf(stderr, "object type     : %p\n", (void *)Py_TYPE(op));
    fprintf(stderr, "object type name: %s\n", Py_TYPE(op)->tp_name);
    fprintf(stderr, "object repr     : ");
    fflush(stderr);
    PyObject *type, *value, *traceback;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback);
    PyObject_Print(op, stderr, 0);
    fflush(stderr);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(gil);
    fprintf(stderr, "\n");
    fflush(stderr);
}

void
_PyObject_AssertFailed(PyObject *op, const char *expression,
                       const char *message, const char *file, int line,
                       const char *function)
{
    fprintf(stderr, "%s:%d: ", file, line);
    if (function != NULL) {
        fprintf(stderr, "%s: ", function);
    }
    fflush(stderr);
    if (expression != NULL) {
        fprintf(stderr, "Assertion \"%s\" failed", expression);
    }
    else {
        fprintf(stderr, "Assertion failed");
    }
    fprintf(stderr, "%s%s\n", message != NULL ? ": " : "",
            message != NULL ? message : "");
    fflush(stderr);
    _PyObject_Dump(op);
    Py_FatalError("_PyObject_AssertFailed");
}

int
_PyObject_CheckConsistency(PyObject *op, int Py_UNUSED(check_content))
{
    if (op == NULL || _PyObject_IsFreed(op)) {
        _PyObject_ASSERT_FAILED_MSG(op, "object is freed");
    }
    return 1;
}

void
_PyObject_DebugTypeStats(FILE *Py_UNUSED(out))
{
}

PyObject **
PyObject_GET_WEAKREFS_LISTPTR(PyObject *op)
{
    Py_ssize_t offset = Py_TYPE(op)->tp_weaklistoffset;
    return (PyObject **)((char *)op + offset);
}

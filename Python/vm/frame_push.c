/* Binding arguments to parameters, and calls of Python functions from C.

   Parameters are registers in this order: positional (argcount), keyword-only,
   *args, **kwargs. Positional arguments already lie where their parameters
   are, so binding only has to move those in excess and those given by keyword. */
#include "enter.h"
#include "native.h"
#include "internal/dict.h"
#include "internal/tuple.h"
#include "internal/unicode.h"

/* The names that the last arguments of a call are given by, borrowed. */
typedef struct {
    PyObject *const *names;
    Py_ssize_t n;
} Keywords;

/* --------------------------------------------------------------- complaints */

static PyObject *
param_name(PyVMCode *code, Py_ssize_t i)
{
    return PyTuple_GET_ITEM(code->ob.co_localsplusnames, i);
}

/* "'a'", "'a' and 'b'", "'a', 'b', and 'c'" */
static PyObject *
join_names(PyObject *names)
{
    Py_ssize_t n = PyList_GET_SIZE(names);
    if (n == 1) {
        return Py_NewRef(PyList_GET_ITEM(names, 0));
    }
    if (n == 2) {
        return PyUnicode_FromFormat("%U and %U", PyList_GET_ITEM(names, 0),
                                    PyList_GET_ITEM(names, 1));
    }
    PyObject *last = Py_NewRef(PyList_GET_ITEM(names, n - 1));
    PyObject *separator = PyUnicode_FromString(", ");
    PyObject *head = NULL, *text = NULL;
    if (separator != NULL && PyList_SetSlice(names, n - 1, n, NULL) == 0) {
        head = PyUnicode_Join(separator, names);
    }
    if (head != NULL) {
        text = PyUnicode_FromFormat("%U, and %U", head, last);
    }
    Py_XDECREF(head);
    Py_XDECREF(separator);
    Py_DECREF(last);
    return text;
}

static void
complain_missing(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
                 PyReg *regs, Py_ssize_t first, Py_ssize_t end,
                 const char *kind, PyObject *kwdefaults)
{
    PyObject *names = PyList_New(0);
    if (names == NULL) {
        return;
    }
    for (Py_ssize_t i = first; i < end; i++) {
        if (regs[i] != 0) {
            continue;
        }
        PyObject *name = param_name(code, i);
        if (kwdefaults != NULL && PyDict_GetItemWithError(kwdefaults, name)) {
            continue;
        }
        PyObject *quoted = PyObject_Repr(name);
        if (quoted == NULL || PyList_Append(names, quoted) < 0) {
            Py_XDECREF(quoted);
            Py_DECREF(names);
            return;
        }
        Py_DECREF(quoted);
    }
    Py_ssize_t n = PyList_GET_SIZE(names);
    PyObject *text = n > 0 ? join_names(names) : NULL;
    if (text != NULL) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "%U() missing %zd required %s argument%s: %U",
                      func->func_qualname, n, kind, n == 1 ? "" : "s", text);
        Py_DECREF(text);
    }
    Py_DECREF(names);
}

static void
complain_too_many(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
                  PyReg *regs, Py_ssize_t given, Py_ssize_t ndefaults)
{
    Py_ssize_t takes = code->ob.co_argcount;
    Py_ssize_t kwonly_given = 0;
    for (Py_ssize_t i = takes; i < takes + code->ob.co_kwonlyargcount; i++) {
        kwonly_given += regs[i] != 0;
    }
    PyObject *range, *extra;
    if (ndefaults > 0) {
        range = PyUnicode_FromFormat("from %zd to %zd", takes - ndefaults, takes);
    }
    else {
        range = PyUnicode_FromFormat("%zd", takes);
    }
    if (kwonly_given > 0) {
        extra = PyUnicode_FromFormat(
            " positional argument%s (and %zd keyword-only argument%s)",
            given == 1 ? "" : "s", kwonly_given, kwonly_given == 1 ? "" : "s");
    }
    else {
        extra = PyUnicode_FromString("");
    }
    if (range != NULL && extra != NULL) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "%U() takes %U positional argument%s but %zd%U %s given",
                      func->func_qualname, range,
                      ndefaults > 0 || takes != 1 ? "s" : "", given, extra,
                      given == 1 && kwonly_given == 0 ? "was" : "were");
    }
    Py_XDECREF(range);
    Py_XDECREF(extra);
}

/* Do keywords name positional-only parameters? 1 with TypeError, 0, -1. */
static int
complain_posonly(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, Keywords keywords)
{
    PyObject *clash = PyList_New(0);
    if (clash == NULL) {
        return -1;
    }
    int result = -1;
    for (int i = 0; i < code->ob.co_posonlyargcount; i++) {
        PyObject *name = param_name(code, i);
        for (Py_ssize_t k = 0; k < keywords.n; k++) {
            PyObject *keyword = keywords.names[k];
            int same = name == keyword
                       ? 1 : PyObject_RichCompareBool(name, keyword, Py_EQ);
            if (same < 0 || (same && PyList_Append(clash, keyword) < 0)) {
                goto done;
            }
        }
    }
    result = 0;
    if (PyList_GET_SIZE(clash) > 0) {
        result = 1;
        PyObject *separator = PyUnicode_FromString(", ");
        PyObject *text =
            separator ? PyUnicode_Join(separator, clash) : NULL;
        if (text != NULL) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "%U() got some positional-only arguments passed "
                          "as keyword arguments: '%U'",
                          func->func_qualname, text);
        }
        Py_XDECREF(text);
        Py_XDECREF(separator);
    }
done:
    Py_DECREF(clash);
    return result;
}

/* ------------------------------------------------------------------ binding */

/* How many keywords, from the first on, stand in the order of the parameters, so that their values
   lie where those are. */
static Py_ssize_t
keywords_in_place(PyVMCode *code, Keywords keywords, Py_ssize_t npos)
{
    if (npos < code->ob.co_posonlyargcount || npos > code->ob.co_argcount) {
        return 0;
    }
    PyObject *const *params = &PyTuple_GET_ITEM(code->ob.co_localsplusnames, npos);
    Py_ssize_t n = Py_MIN(keywords.n, code->ob.co_argcount + code->ob.co_kwonlyargcount - npos);
    Py_ssize_t k = 0;
    while (k < n && params[k] == keywords.names[k]) {
        k++;
    }
    return k;
}

/* The parameter that a keyword names; -1: none, -2: an exception is set. */
static Py_ssize_t
find_keyword(PyVMCode *code, PyObject *keyword)
{
    Py_ssize_t first = code->ob.co_posonlyargcount;
    Py_ssize_t end = code->ob.co_argcount + code->ob.co_kwonlyargcount;
    for (Py_ssize_t i = first; i < end; i++) {
        if (param_name(code, i) == keyword) {
            return i;
        }
    }
    int interned = _PyUnicode_IsPlainInterned(keyword);
    for (Py_ssize_t i = first; i < end; i++) {
        if (interned && _PyUnicode_IsPlainInterned(param_name(code, i))) {
            continue;
        }
        int same = PyObject_RichCompareBool(keyword, param_name(code, i), Py_EQ);
        if (same != 0) {
            return same > 0 ? i : -2;
        }
    }
    return -1;
}

#define FEW_KEYWORDS 16

/* What is given by keyword and does not lie where its parameter is. */
typedef struct {
    Keywords keywords;
    PyReg *values;              /* 0: taken */
    PyObject **excess;          /* names that no parameter has, for **kwargs; borrowed */
    PyReg few[FEW_KEYWORDS];
    PyObject *few_names[FEW_KEYWORDS];
} Moved;

/* Takes the values out of the registers. 0, or -1 with MemoryError. */
static int
move_out(Moved *m, Keywords keywords, PyReg *regs)
{
    m->keywords = keywords;
    m->values = m->few;
    m->excess = m->few_names;
    if (keywords.n > FEW_KEYWORDS) {
        m->values = PyMem_Malloc((size_t)keywords.n * (sizeof(PyReg) + sizeof(PyObject *)));
        if (m->values == NULL) {
            m->keywords.n = 0;
            PyErr_NoMemory();
            return -1;
        }
        m->excess = (PyObject **)(m->values + keywords.n);
    }
    for (Py_ssize_t k = 0; k < keywords.n; k++) {
        m->values[k] = regs[k];
        regs[k] = 0;
    }
    return 0;
}

static void
drop_moved(Moved *m)
{
    clear_run(m->values, m->keywords.n);
    if (m->values != m->few) {
        PyMem_Free(m->values);
    }
}

static void
complain_unexpected(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, Keywords keywords,
                    PyObject *keyword)
{
    if (code->ob.co_posonlyargcount == 0
        || complain_posonly(ts, func, code, keywords) == 0) {
        _PyErr_Format(ts, PyExc_TypeError, "%U() got an unexpected keyword argument '%S'",
                      func->func_qualname, keyword);
    }
}

/* Places values by keyword, but for those in excess, of which the values come first in `values`
   then: *nexcess says how many. all: what the call has given. 0 or -1. */
static int
place_moved(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, PyReg *regs, Moved *m,
            Keywords all, Py_ssize_t *nexcess)
{
    for (Py_ssize_t k = 0; k < m->keywords.n; k++) {
        PyObject *keyword = m->keywords.names[k];
        if (!PyUnicode_Check(keyword)) {
            _PyErr_Format(ts, PyExc_TypeError, "%U() keywords must be strings",
                          func->func_qualname);
            return -1;
        }
        Py_ssize_t i = find_keyword(code, keyword);
        if (i == -2) {
            return -1;
        }
        PyReg value = m->values[k];
        if (i >= 0) {
            if (regs[i] != 0) {
                _PyErr_Format(ts, PyExc_TypeError,
                              "%U() got multiple values for argument '%S'",
                              func->func_qualname, keyword);
                return -1;
            }
            m->values[k] = 0;
            regs[i] = value;
        }
        else if (code->ob.co_flags & CO_VARKEYWORDS) {
            m->values[k] = 0;
            m->values[*nexcess] = value;
            m->excess[(*nexcess)++] = keyword;
        }
        else {
            complain_unexpected(ts, func, code, all, keyword);
            return -1;
        }
    }
    return 0;
}

/* Defaults of positional parameters from `given` on. 0 or -1. */
static int
bind_defaults(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
              PyReg *regs, Py_ssize_t given)
{
    Py_ssize_t takes = code->ob.co_argcount;
    Py_ssize_t n = func->func_defaults ? PyTuple_GET_SIZE(func->func_defaults) : 0;
    Py_ssize_t required = takes - n;
    for (Py_ssize_t i = given; i < required; i++) {
        if (regs[i] == 0) {
            complain_missing(ts, func, code, regs, given, required,
                             "positional", NULL);
            return -1;
        }
    }
    for (Py_ssize_t i = Py_MAX(Py_MAX(given, required), 0); i < takes; i++) {
        if (regs[i] == 0) {
            PyObject *value = PyTuple_GET_ITEM(func->func_defaults, i - required);
            regs[i] = (PyReg)Py_NewRef(value);
        }
    }
    return 0;
}

static int
bind_keyword_only(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
                  PyReg *regs)
{
    Py_ssize_t first = code->ob.co_argcount;
    Py_ssize_t end = first + code->ob.co_kwonlyargcount;
    for (Py_ssize_t i = first; i < end; i++) {
        if (regs[i] != 0) {
            continue;
        }
        PyObject *value = NULL;
        if (func->func_kwdefaults != NULL) {
            value = PyDict_GetItemWithError(func->func_kwdefaults,
                                            param_name(code, i));
            if (value == NULL && _PyErr_Occurred(ts)) {
                return -1;
            }
        }
        if (value == NULL) {
            complain_missing(ts, func, code, regs, first, end, "keyword-only",
                             func->func_kwdefaults);
            return -1;
        }
        regs[i] = (PyReg)Py_NewRef(value);
    }
    return 0;
}

/* The tuple for *args: takes regs[first .. end). */
static PyObject *
pack_excess(PyReg *regs, Py_ssize_t first, Py_ssize_t end)
{
    if (end <= first) {
        return PyTuple_New(0);
    }
    if (box_run(regs + first, end - first) < 0) {
        return NULL;
    }
    PyObject *tuple = (PyObject *)_PyTuple_Alloc(end - first);
    if (tuple == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = first; i < end; i++) {
        PyTuple_SET_ITEM(tuple, i - first, REG_PTR(regs[i]));
        regs[i] = 0;
    }
    _PyObject_GC_TRACK(tuple);
    return tuple;
}

/* Puts what is in excess where *args and **kwargs are. */
static inline void
set_excess(PyVMCode *code, PyReg *regs, PyObject *args, PyObject *kwargs)
{
    PyReg *at = &regs[code->ob.co_argcount + code->ob.co_kwonlyargcount];
    if (args != NULL) {
        *at++ = (PyReg)args;
    }
    if (kwargs != NULL) {
        *at = (PyReg)kwargs;
    }
}

/* Can it be told from the pointers that no keyword names a parameter, but for keyword-only ones? */
static inline int
all_in_excess(PyVMCode *code, Keywords keywords)
{
    for (Py_ssize_t i = code->ob.co_posonlyargcount; i < code->ob.co_argcount; i++) {
        PyObject *param = param_name(code, i);
        for (Py_ssize_t k = 0; k < keywords.n; k++) {
            if (keywords.names[k] == param) {
                return 0;
            }
        }
        if (!_PyUnicode_IsPlainInterned(param)) {
            return 0;
        }
    }
    for (Py_ssize_t k = 0; k < keywords.n; k++) {
        if (!_PyUnicode_IsPlainInterned(keywords.names[k])) {
            return 0;
        }
    }
    return 1;
}

/* For a function without keyword-only parameters, if positional arguments fill all others and all
   keywords are in excess. 0 or -1. */
static int
bind_excess(PyVMCode *code, PyReg *regs, Py_ssize_t nargs, Keywords keywords)
{
    PyObject *args = NULL, *kwargs = NULL;
    int flags = code->ob.co_flags;
    Py_ssize_t npos = nargs - keywords.n;
    PyReg *values = regs + npos;
    if (box_run(values, keywords.n) < 0
        || ((flags & CO_VARARGS)
            && (args = pack_excess(regs, code->ob.co_argcount, npos)) == NULL)
        || ((flags & CO_VARKEYWORDS)
            && (kwargs = _PyDict_FromItems(keywords.names, 1, (PyObject *const *)values, 1,
                                           keywords.n)) == NULL)) {
        Py_XDECREF(args);
        clear_run(regs, nargs);
        return -1;
    }
    clear_run(values, keywords.n);
    set_excess(code, regs, args, kwargs);
    return 0;
}

/* Positional arguments that no parameter takes are in `excess` or stay in their registers. The
   first `given` parameters have theirs; fills the others, but for *args and **kwargs. 0 or -1. */
static int
fill_parameters(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, PyReg *regs,
                Py_ssize_t npos, Py_ssize_t given)
{
    Py_ssize_t takes = code->ob.co_argcount;
    if (npos > takes && !(code->ob.co_flags & CO_VARARGS)) {
        complain_too_many(ts, func, code, regs, npos,
                          func->func_defaults ? PyTuple_GET_SIZE(func->func_defaults) : 0);
        return -1;
    }
    if (given < takes && bind_defaults(ts, func, code, regs, given) < 0) {
        return -1;
    }
    return given < takes + code->ob.co_kwonlyargcount
           ? bind_keyword_only(ts, func, code, regs) : 0;
}

static int
bind_general(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, PyReg *regs,
             Py_ssize_t nargs, Keywords keywords)
{
    Py_ssize_t npos = nargs - keywords.n, takes = code->ob.co_argcount;
    Py_ssize_t in_place = keywords_in_place(code, keywords, npos);
    Py_ssize_t first = npos + in_place, given = npos > takes ? takes : first, nexcess = 0;
    int has_args = (code->ob.co_flags & CO_VARARGS) != 0;
    int has_kwargs = (code->ob.co_flags & CO_VARKEYWORDS) != 0;
    PyObject *excess = NULL, *kwdict = NULL;
    Moved moved;
    if (move_out(&moved, (Keywords){keywords.names + in_place, keywords.n - in_place},
                 regs + first) < 0
        || (has_args && (excess = pack_excess(regs, takes, npos)) == NULL)) {
        clear_run(regs, nargs);
        drop_moved(&moved);
        return -1;
    }
    if (npos > takes) {
        clear_run(regs + takes, npos - takes);
    }
    for (Py_ssize_t i = given; i < code->nparams; i++) {
        regs[i] = 0;
    }
    if ((moved.keywords.n == 0
         || place_moved(ts, func, code, regs, &moved, keywords, &nexcess) == 0)
        && fill_parameters(ts, func, code, regs, npos, given) == 0
        && (!has_kwargs
            || (box_run(moved.values, nexcess) == 0
                && (kwdict = _PyDict_FromItems(moved.excess, 1, (PyObject *const *)moved.values,
                                               1, nexcess)) != NULL))) {
        set_excess(code, regs, excess, kwdict);
        drop_moved(&moved);
        return 0;
    }
    clear_run(regs, code->nparams);
    drop_moved(&moved);
    Py_XDECREF(excess);
    return -1;
}

static int
bind(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, PyReg *regs, Py_ssize_t nargs,
     Keywords keywords)
{
    Py_ssize_t takes = code->ob.co_argcount;
    void *floor = TS_FLOOR(ts);
    if (unlikely(!_PyCode_IsUnpacked(code)) && _PyCode_Unpack(code) < 0) {
        TS_FLOOR(ts) = regs + nargs;
        clear_run(regs, nargs);
        TS_FLOOR(ts) = floor;
        return -1;
    }
    if (keywords.n == 0 && code->nparams == takes) {
        Py_ssize_t n =
            func->func_defaults ? PyTuple_GET_SIZE(func->func_defaults) : 0;
        if (nargs <= takes && takes - nargs <= n) {
            for (Py_ssize_t i = nargs; i < takes; i++) {
                PyObject *value =
                    PyTuple_GET_ITEM(func->func_defaults, i - (takes - n));
                regs[i] = (PyReg)Py_NewRef(value);
            }
            return 0;
        }
    }
    TS_FLOOR(ts) = regs + Py_MAX(nargs, code->nparams);
    int result;
    Py_ssize_t npos = nargs - keywords.n;
    if ((npos == takes || (npos > takes && (code->ob.co_flags & CO_VARARGS)))
        && code->ob.co_kwonlyargcount == 0
        && (keywords.n == 0
            || ((code->ob.co_flags & CO_VARKEYWORDS) && all_in_excess(code, keywords)))) {
        result = bind_excess(code, regs, nargs, keywords);
    }
    else {
        result = bind_general(ts, func, code, regs, nargs, keywords);
    }
    TS_FLOOR(ts) = floor;
    return result;
}

int
_PyVM_BindNamed(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, PyReg *regs,
                Py_ssize_t nargs, PyObject *const *names, Py_ssize_t nnames)
{
    return bind(ts, func, code, regs, nargs, (Keywords){names, nnames});
}

int
_PyVM_BindArguments(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
                    PyReg *regs, Py_ssize_t nargs, PyObject *kwnames)
{
    Keywords keywords = {NULL, 0};
    if (kwnames != NULL) {
        keywords = (Keywords){((PyTupleObject *)kwnames)->ob_item, PyTuple_GET_SIZE(kwnames)};
    }
    return bind(ts, func, code, regs, nargs, keywords);
}

/* ------------------------------------------------------------- calls from C */

PyObject *
_PyEval_Vector(PyThreadState *ts, PyFunctionObject *func, PyObject *locals,
               PyObject *const *args, size_t npos, PyObject *kwnames)
{
    PyVMCode *code = _PyVMCode_CAST(func->func_code);
    Py_ssize_t nargs =
        (Py_ssize_t)npos + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    PyReg *top = NULL;
    PyVMFrame *caller = TS_FRAME(ts);
    if (likely(caller != NULL && caller->owner != FRAME_GENERATOR)) {
        top = &caller->regs[caller->code->nregs];
    }
    if (unlikely(!frame_fits(ts, top)) || nargs > 1000
        || (void *)top < TS_FLOOR(ts)) {
        top = _PyVM_RoomAbove(ts, caller, FRAME_WORDS + (size_t)nargs);
        if (top == NULL) {
            return NULL;
        }
    }
    PyVMFrame *frame = (PyVMFrame *)top;
    for (Py_ssize_t i = 0; i < nargs; i++) {
        frame->regs[i] = (PyReg)Py_NewRef(args[i]);
    }
    if ((nargs != code->ob.co_argcount || kwnames != NULL
         || !code->simple_call)
        && _PyVM_BindArguments(ts, func, code, frame->regs, nargs, kwnames) < 0) {
        return NULL;
    }
    frame->func = Py_NewRef((PyObject *)func);
    frame_init(frame, code, caller, 0, RET_ENTRY);
    if (locals != NULL) {
        frame->locals = Py_NewRef(locals);
        frame->flags = code->ob.co_flags & CO_OPTIMIZED ? FRAME_MAPPED : 0;
    }
    return eval_frame(ts, frame, 0);
}

/* Where a frame goes that C calls, above the one that runs; NULL: something is in the way, which
   _PyEval_Vector() sees to. */
static inline PyVMFrame *
room_above(PyThreadState *ts)
{
    PyVMFrame *caller = TS_FRAME(ts);
    if (unlikely(caller == NULL)) {
        return NULL;
    }
    PyReg *top = top_of(caller);
    return likely(frame_fits(ts, top)) && likely((void *)top >= TS_FLOOR(ts)) ? (PyVMFrame *)top
                                                                               : NULL;
}

/* Puts the callable and its arguments where a window has them. */
static inline __attribute__((always_inline)) void
put_call(PyVMFrame *frame, PyFunctionObject *func, PyObject *const *args, Py_ssize_t nargs)
{
    for (Py_ssize_t i = 0; i < nargs; i++) {
        frame->regs[i] = (PyReg)Py_NewRef(args[i]);
    }
    frame->func = Py_NewRef((PyObject *)func);
}

/* As machine code calls machine code: the frame is filled and its code called, which unbinds
   what is no argument. */
static inline PyObject *
call_native(PyThreadState *ts, PyVMFrame *frame, PyFunctionObject *func, PyVMCode *code,
            PyObject *const *args, Py_ssize_t nargs)
{
    put_call(frame, func, args, nargs);
    fill_header(frame, code, TS_FRAME(ts), NATIVE_DEST, RET_NATIVE);
    ts->recursion_remaining--;
    TS_FRAME(ts) = frame;
    begin_native(ts);
    PyReg value = ((PyJitEntry)code->native_entry)(frame, ts);
    end_native(ts);
    return result_of_native(ts, value);
}

PyObject *
_PyFunction_Vectorcall(PyObject *func, PyObject *const *args, size_t nargsf,
                       PyObject *kwnames)
{
    PyFunctionObject *op = (PyFunctionObject *)func;
    PyVMCode *code = _PyVMCode_CAST(op->func_code);
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyVMFrame *frame;
    if (code->native_entry != (void *)_PyVM_CallFromNative && likely(kwnames == NULL)
        && likely(code->simple_call) && likely(code->ob.co_argcount == nargs)
        && likely(may_run_from_c(_PyThreadState_GET()))
        && likely((frame = room_above(_PyThreadState_GET())) != NULL)) {
        return call_native(_PyThreadState_GET(), frame, op, code, args, nargs);
    }
    PyThreadState *ts = _PyThreadState_GET();
    if (code->is_generator && kwnames == NULL && TS_IMPL(ts)->native_ok
        && likely(!ts->interp->calls_hooked)) {
        PyObject *gen = _PyVM_MakeGeneratorFor(ts, op, args, nargs);
        if (likely(gen != (PyObject *)JIT_NOT_DONE)) {
            return gen;
        }
    }
    return _PyEval_Vector(ts, op, _PyVM_LocalsForCall(op), args, (size_t)nargs, kwnames);
}

PyObject *
_PyEval_Call3(PyFunctionObject *func, PyObject *a, PyObject *b, PyObject *c)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyVMCode *code = _PyVMCode_CAST(func->func_code);
    PyVMFrame *frame = room_above(ts);
    PyObject *args[] = {a, b, c};
    if (unlikely(frame == NULL) || unlikely(!code->simple_call)
        || unlikely(code->ob.co_argcount != 3) || unlikely(ts->interp->eval_frame != NULL)) {
        return _PyFunction_Vectorcall((PyObject *)func, args, 3, NULL);
    }
    put_call(frame, func, args, 3);
    frame_init(frame, code, TS_FRAME(ts), 0, RET_ENTRY);
    const PyInstr *ip = frame->ip;
    if (ip->op == OP_RESUME__NATIVE) {
        return _PyVM_EvalNative(ts, frame, ip);
    }
    if (unlikely(!_Py_CountRecursiveCall(ts)) && _PyVM_RefusesFrame(ts, frame)) {
        return NULL;
    }
    TS_FRAME(ts) = frame;
    return interpret(ts, frame, ip);
}

/* Binding arguments to parameters, and calls of Python functions from C.

   Parameters are registers in this order: positional (argcount), keyword-only,
   *args, **kwargs. Positional arguments already lie where their parameters
   are, so binding only has to move those in excess and those given by keyword. */
#include "enter.h"
#include "native.h"

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
complain_posonly(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
                 PyObject *kwnames)
{
    PyObject *clash = PyList_New(0);
    if (clash == NULL) {
        return -1;
    }
    int result = -1;
    for (int i = 0; i < code->ob.co_posonlyargcount; i++) {
        PyObject *name = param_name(code, i);
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); k++) {
            PyObject *keyword = PyTuple_GET_ITEM(kwnames, k);
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
    for (Py_ssize_t i = first; i < end; i++) {
        int same = PyObject_RichCompareBool(keyword, param_name(code, i), Py_EQ);
        if (same != 0) {
            return same > 0 ? i : -2;
        }
    }
    return -1;
}

/* Places values by keyword; consumes those it places. 0 or -1. */
static int
bind_keywords(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
              PyReg *regs, PyReg *values, PyObject *kwnames, PyObject *kwdict)
{
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); k++) {
        PyObject *keyword = PyTuple_GET_ITEM(kwnames, k);
        if (!PyUnicode_Check(keyword)) {
            _PyErr_Format(ts, PyExc_TypeError, "%U() keywords must be strings",
                          func->func_qualname);
            return -1;
        }
        Py_ssize_t i = find_keyword(code, keyword);
        if (i == -2) {
            return -1;
        }
        if (i >= 0) {
            if (regs[i] != 0) {
                _PyErr_Format(ts, PyExc_TypeError,
                              "%U() got multiple values for argument '%S'",
                              func->func_qualname, keyword);
                return -1;
            }
            regs[i] = values[k];
            values[k] = 0;
            continue;
        }
        if (kwdict == NULL) {
            if (code->ob.co_posonlyargcount > 0
                && complain_posonly(ts, func, code, kwnames) != 0) {
                return -1;
            }
            _PyErr_Format(ts, PyExc_TypeError,
                          "%U() got an unexpected keyword argument '%S'",
                          func->func_qualname, keyword);
            return -1;
        }
        PyObject *value = reg_object(&values[k]);
        if (value == NULL || PyDict_SetItem(kwdict, keyword, value) < 0) {
            return -1;
        }
        reg_set(&values[k], 0);
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
    Py_ssize_t n = end > first ? end - first : 0;
    if (box_run(regs + first, n) < 0) {
        return NULL;
    }
    PyObject *tuple = PyTuple_New(n);
    if (tuple == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(tuple, i, REG_PTR(regs[first + i]));
        regs[first + i] = 0;
    }
    return tuple;
}

/* For functions in which *args is the only parameter that is not positional. 0 or -1. */
static int
bind_excess(PyReg *regs, Py_ssize_t takes, Py_ssize_t nargs)
{
    PyObject *excess = pack_excess(regs, takes, nargs);
    if (excess == NULL) {
        clear_run(regs, nargs);
        return -1;
    }
    regs[takes] = (PyReg)excess;
    return 0;
}

#define FEW_KEYWORDS 16

static int
bind_general(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
             PyReg *regs, Py_ssize_t nargs, PyObject *kwnames)
{
    Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    Py_ssize_t npos = nargs - nkw;
    Py_ssize_t takes = code->ob.co_argcount;
    Py_ssize_t total = takes + code->ob.co_kwonlyargcount;
    int has_args = (code->ob.co_flags & CO_VARARGS) != 0;
    int has_kwargs = (code->ob.co_flags & CO_VARKEYWORDS) != 0;
    PyObject *excess = NULL, *kwdict = NULL;
    PyReg few[FEW_KEYWORDS], *values = few;
    int result = -1;

    if (nkw > FEW_KEYWORDS) {
        values = PyMem_Malloc((size_t)nkw * sizeof(PyReg));
        if (values == NULL) {
            clear_run(regs, nargs);
            PyErr_NoMemory();
            return -1;
        }
    }
    for (Py_ssize_t k = 0; k < nkw; k++) {
        values[k] = regs[npos + k];
        regs[npos + k] = 0;
    }
    if (has_args && (excess = pack_excess(regs, takes, npos)) == NULL) {
        clear_run(regs, npos);
        goto done;
    }
    Py_ssize_t given = Py_MIN(npos, takes);
    if (npos > takes) {
        clear_run(regs + takes, npos - takes);
    }
    for (Py_ssize_t i = given; i < code->nparams; i++) {
        regs[i] = 0;
    }
    if (has_kwargs && (kwdict = PyDict_New()) == NULL) {
        goto failed;
    }
    if (nkw > 0
        && bind_keywords(ts, func, code, regs, values, kwnames, kwdict) < 0) {
        goto failed;
    }
    if (npos > takes && !has_args) {
        complain_too_many(ts, func, code, regs, npos,
                          func->func_defaults
                          ? PyTuple_GET_SIZE(func->func_defaults) : 0);
        goto failed;
    }
    if ((given < takes && bind_defaults(ts, func, code, regs, given) < 0)
        || (total > takes && bind_keyword_only(ts, func, code, regs) < 0)) {
        goto failed;
    }
    if (has_args) {
        regs[total] = (PyReg)excess;
        excess = NULL;
    }
    if (has_kwargs) {
        regs[total + has_args] = (PyReg)kwdict;
        kwdict = NULL;
    }
    result = 0;
    goto done;
failed:
    clear_run(regs, code->nparams);
done:
    clear_run(values, nkw);
    if (values != few) {
        PyMem_Free(values);
    }
    Py_XDECREF(excess);
    Py_XDECREF(kwdict);
    return result;
}

int
_PyVM_BindArguments(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
                    PyReg *regs, Py_ssize_t nargs, PyObject *kwnames)
{
    Py_ssize_t takes = code->ob.co_argcount;
    if (kwnames == NULL && code->nparams == takes) {
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
    void *floor = TS_FLOOR(ts);
    TS_FLOOR(ts) = regs + Py_MAX(nargs, code->nparams);
    int result;
    if (kwnames == NULL && nargs >= takes && code->nparams == takes + 1
        && (code->ob.co_flags & CO_VARARGS)) {
        result = bind_excess(regs, takes, nargs);
    }
    else {
        result = bind_general(ts, func, code, regs, nargs, kwnames);
    }
    TS_FLOOR(ts) = floor;
    return result;
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
    frame->locals = Py_XNewRef(locals);
    return eval_frame(ts, frame, 0);
}

/* Where the frame of a function with machine code goes that is called from C; NULL: something
   is in the way, which _PyEval_Vector() sees to. */
static inline PyVMFrame *
room_for_native(PyThreadState *ts)
{
    PyVMFrame *caller = TS_FRAME(ts);
    if (unlikely(caller == NULL) || unlikely(!may_run_from_c(ts))) {
        return NULL;
    }
    PyReg *top = top_of(caller);
    return likely(frame_fits(ts, top)) && likely((void *)top >= TS_FLOOR(ts)) ? (PyVMFrame *)top
                                                                               : NULL;
}

/* As machine code calls machine code: the frame is filled and its code called, which unbinds
   what is no argument. */
static inline PyObject *
call_native(PyThreadState *ts, PyVMFrame *frame, PyFunctionObject *func, PyVMCode *code,
            PyObject *const *args, Py_ssize_t nargs)
{
    for (Py_ssize_t i = 0; i < nargs; i++) {
        frame->regs[i] = (PyReg)Py_NewRef(args[i]);
    }
    frame->func = Py_NewRef((PyObject *)func);
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
        && likely((frame = room_for_native(_PyThreadState_GET())) != NULL)) {
        return call_native(_PyThreadState_GET(), frame, op, code, args, nargs);
    }
    return _PyEval_Vector(_PyThreadState_GET(), op, _PyVM_LocalsForCall(op),
                          args, (size_t)PyVectorcall_NARGS(nargsf), kwnames);
}

/* The `builtins` module: the functions that every program can call without an import. The
   types and exceptions in it are defined in files of their own; this file only lists
   them.

   all(), iter(), sum() and their kin are in builtins_iteration.c.

   Functions that read the caller's namespaces (globals, locals, vars, dir, eval, exec,
   __import__) use the innermost Python frame of this thread. */
#include "Python.h"
#include "internal/getargs.h"
#include "internal/int.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/exceptions.h"
#include "internal/type.h"
#include "internal/runtime.h"
#include "internal/frontend.h"
#include "builtins.h"

#include <unistd.h>

/* The function, not its macro: missing arguments have to be NULL. */
#undef _PyArg_UnpackKeywords

extern PyObject *_Py_build_class(PyObject *self, PyObject *const *args,
                                 Py_ssize_t nargs, PyObject *kwnames);

/* ---------------------------------------------------------------- arguments */

int
_PyBuiltin_KeywordsOnly(const char *func, PyObject *const *kwvalues, PyObject *kwnames,
                        const char *const *names, PyObject **slots)
{
    Py_ssize_t n = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *key = PyTuple_GET_ITEM(kwnames, i);
        int k = 0;
        while (names[k] != NULL
               && !_PyUnicode_EqualToASCIIString(key, names[k])) {
            k++;
        }
        if (names[k] == NULL) {
            PyErr_Format(PyExc_TypeError,
                         "'%U' is an invalid keyword argument for %s()",
                         key, func);
            return -1;
        }
        slots[k] = kwvalues[i];
    }
    return 0;
}

/* --------------------------------------------------------- numbers and text */

static PyObject *
builtin_abs(PyObject *Py_UNUSED(module), PyObject *x)
{
    return PyNumber_Absolute(x);
}

static PyObject *
builtin_ascii(PyObject *Py_UNUSED(module), PyObject *obj)
{
    return PyObject_ASCII(obj);
}

static PyObject *
builtin_bin(PyObject *Py_UNUSED(module), PyObject *number)
{
    return PyNumber_ToBase(number, 2);
}

static PyObject *
builtin_oct(PyObject *Py_UNUSED(module), PyObject *number)
{
    return PyNumber_ToBase(number, 8);
}

static PyObject *
builtin_hex(PyObject *Py_UNUSED(module), PyObject *number)
{
    return PyNumber_ToBase(number, 16);
}

static PyObject *
builtin_chr(PyObject *Py_UNUSED(module), PyObject *arg)
{
    if (PyLong_CheckExact(arg) && _PyLong_CheckCompact(arg)) {
        return PyUnicode_FromOrdinal((int)_PyLong_CompactValue(arg));
    }
    int overflow;
    long ch = PyLong_AsLongAndOverflow(arg, &overflow);
    if (ch == -1 && !overflow && PyErr_Occurred()) {
        return NULL;
    }
    if (overflow || ch > INT_MAX || ch < INT_MIN) {
        PyErr_SetString(PyExc_OverflowError, "Python int too large to convert to C int");
        return NULL;
    }
    return PyUnicode_FromOrdinal((int)ch);
}

static PyObject *
builtin_ord(PyObject *Py_UNUSED(module), PyObject *c)
{
    Py_ssize_t size;
    if (PyUnicode_Check(c)) {
        size = PyUnicode_GET_LENGTH(c);
        if (size == 1) {
            return PyLong_FromLong((long)PyUnicode_READ_CHAR(c, 0));
        }
    }
    else if (PyBytes_Check(c)) {
        size = PyBytes_GET_SIZE(c);
        if (size == 1) {
            return PyLong_FromLong((unsigned char)PyBytes_AS_STRING(c)[0]);
        }
    }
    else if (PyByteArray_Check(c)) {
        size = PyByteArray_GET_SIZE(c);
        if (size == 1) {
            return PyLong_FromLong((unsigned char)PyByteArray_AS_STRING(c)[0]);
        }
    }
    else {
        return PyErr_Format(PyExc_TypeError,
                            "ord() expected string of length 1, but %.200s found",
                            Py_TYPE(c)->tp_name);
    }
    return PyErr_Format(PyExc_TypeError,
                        "ord() expected a character, but string of length %zd found",
                        size);
}

static PyObject *
builtin_divmod(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("divmod", nargs, 2, 2)) {
        return NULL;
    }
    return PyNumber_Divmod(args[0], args[1]);
}

static PyObject *
builtin_pow(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    static const char *const keywords[] = {"base", "exp", "mod", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "pow", 0};
    PyObject *slots[3];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames,
                                                 &parser, 2, 3, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    return PyNumber_Power(got[0], got[1], got[2] != NULL ? got[2] : Py_None);
}

static PyObject *
builtin_round(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    static const char *const keywords[] = {"number", "ndigits", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "round", 0};
    PyObject *slots[2];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames,
                                                 &parser, 1, 2, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    PyObject *number = got[0];
    PyObject *ndigits = got[1] == Py_None ? NULL : got[1];
    PyObject *result = _PyObject_CallSpecialIfAny(number, _Py_NAME(dunder_round),
                                                  (PyObject *[]){number, ndigits},
                                                  ndigits == NULL ? 1 : 2);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "type %.100s doesn't define __round__ method",
                     Py_TYPE(number)->tp_name);
    }
    return result;
}

static PyObject *
builtin_format(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("format", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2 && !PyUnicode_Check(args[1])) {
        _PyArg_BadArgument("format", "argument 2", "str", args[1]);
        return NULL;
    }
    return PyObject_Format(args[0], nargs == 2 ? args[1] : NULL);
}

static PyObject *
builtin_repr(PyObject *Py_UNUSED(module), PyObject *obj)
{
    return PyObject_Repr(obj);
}

static PyObject *
builtin_hash(PyObject *Py_UNUSED(module), PyObject *obj)
{
    Py_hash_t h = PyObject_Hash(obj);
    return h == -1 ? NULL : PyLong_FromSsize_t(h);
}

static PyObject *
builtin_id(PyObject *Py_UNUSED(module), PyObject *obj)
{
    if (PySys_Audit("builtins.id", "O", obj) < 0) {
        return NULL;
    }
    return PyLong_FromVoidPtr(obj);
}

static PyObject *
builtin_len(PyObject *Py_UNUSED(module), PyObject *obj)
{
    Py_ssize_t n = PyObject_Size(obj);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

static PyObject *
builtin_callable(PyObject *Py_UNUSED(module), PyObject *obj)
{
    return PyBool_FromLong(PyCallable_Check(obj));
}

/* --------------------------------------------------------------- attributes */

static int
check_attr_name(PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "attribute name must be string, not '%.200s'",
                     Py_TYPE(name)->tp_name);
        return -1;
    }
    return 0;
}

static PyObject *
builtin_getattr(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("getattr", nargs, 2, 3)
        || check_attr_name(args[1]) < 0) {
        return NULL;
    }
    if (nargs == 2) {
        return PyObject_GetAttr(args[0], args[1]);
    }
    PyObject *value;
    if (_PyObject_LookupAttr(args[0], args[1], &value) == 0) {
        return Py_NewRef(args[2]);
    }
    return value;
}

static PyObject *
builtin_hasattr(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("hasattr", nargs, 2, 2)
        || check_attr_name(args[1]) < 0) {
        return NULL;
    }
    PyObject *value;
    int found = _PyObject_LookupAttr(args[0], args[1], &value);
    if (found < 0) {
        return NULL;
    }
    Py_XDECREF(value);
    return PyBool_FromLong(found);
}

static PyObject *
builtin_setattr(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("setattr", nargs, 3, 3)
        || PyObject_SetAttr(args[0], args[1], args[2]) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
builtin_delattr(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("delattr", nargs, 2, 2)
        || PyObject_SetAttr(args[0], args[1], NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
builtin_isinstance(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("isinstance", nargs, 2, 2)) {
        return NULL;
    }
    int yes = PyObject_IsInstance(args[0], args[1]);
    return yes < 0 ? NULL : PyBool_FromLong(yes);
}

static PyObject *
builtin_issubclass(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("issubclass", nargs, 2, 2)) {
        return NULL;
    }
    int yes = PyObject_IsSubclass(args[0], args[1]);
    return yes < 0 ? NULL : PyBool_FromLong(yes);
}

/* --------------------------------------------------------------- namespaces */

static PyObject *
builtin_globals(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return Py_XNewRef(PyEval_GetGlobals());
}

static PyObject *
builtin_locals(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return Py_XNewRef(PyEval_GetLocals());
}

static PyObject *
builtin_vars(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("vars", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 0) {
        return Py_XNewRef(PyEval_GetLocals());
    }
    PyObject *dict;
    if (_PyObject_LookupAttr(args[0], _Py_NAME(dunder_dict), &dict) == 0) {
        PyErr_SetString(PyExc_TypeError, "vars() argument must have __dict__ attribute");
    }
    return dict;
}

static PyObject *
builtin_dir(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("dir", nargs, 0, 1)) {
        return NULL;
    }
    return PyObject_Dir(nargs == 0 ? NULL : args[0]);
}

/* Fills in the namespaces of eval() and exec(), as borrowed references. */
static int
choose_namespaces(const char *func, PyObject **globals, PyObject **locals)
{
    if (*globals == Py_None) {
        *globals = NULL;
    }
    if (*locals == Py_None) {
        *locals = NULL;
    }
    if (*globals == NULL) {
        *globals = PyEval_GetGlobals();
        if (*locals == NULL) {
            *locals = PyEval_GetLocals();
            if (*locals == NULL && PyErr_Occurred()) {
                return -1;
            }
        }
        if (*globals == NULL || *locals == NULL) {
            PyErr_Format(PyExc_TypeError,
                         "%s must be given globals and locals when called without a frame",
                         func);
            return -1;
        }
    }
    else if (*locals == NULL) {
        *locals = *globals;
    }
    int has = PyDict_Contains(*globals, _Py_NAME(dunder_builtins));
    if (has == 0) {
        has = PyDict_SetItem(*globals, _Py_NAME(dunder_builtins),
                             PyEval_GetBuiltins());
    }
    return has < 0 ? -1 : 0;
}

static PyObject *
builtin_eval(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("eval", nargs, 1, 3)) {
        return NULL;
    }
    PyObject *source = args[0];
    PyObject *globals = nargs > 1 ? args[1] : Py_None;
    PyObject *locals = nargs > 2 ? args[2] : Py_None;
    if (locals != Py_None && !PyMapping_Check(locals)) {
        PyErr_SetString(PyExc_TypeError, "locals must be a mapping");
        return NULL;
    }
    if (globals != Py_None && !PyDict_Check(globals)) {
        PyErr_SetString(PyExc_TypeError, PyMapping_Check(globals)
                        ? "globals must be a real dict; try eval(expr, {}, mapping)"
                        : "globals must be a dict");
        return NULL;
    }
    if (choose_namespaces("eval", &globals, &locals) < 0) {
        return NULL;
    }
    if (PyCode_Check(source)) {
        if (PySys_Audit("exec", "O", source) < 0) {
            return NULL;
        }
        if (PyCode_GetNumFree((PyCodeObject *)source) > 0) {
            PyErr_SetString(PyExc_TypeError,
                            "code object passed to eval() may not contain free variables");
            return NULL;
        }
        return PyEval_EvalCode(source, globals, locals);
    }
    PyCompilerFlags flags = _PyCompilerFlags_INIT;
    flags.cf_flags = PyCF_SOURCE_IS_UTF8;
    PyObject *keep;
    const char *text = _Py_SourceAsString(source, "eval", "string, bytes or code",
                                          &flags, &keep);
    if (text == NULL) {
        return NULL;
    }
    while (*text == ' ' || *text == '\t') {
        text++;
    }
    (void)PyEval_MergeCompilerFlags(&flags);
    PyObject *result = PyRun_StringFlags(text, Py_eval_input, globals, locals, &flags);
    Py_XDECREF(keep);
    return result;
}

/* The closure argument of exec() must be a tuple of as many cells as the code object has
   free variables. */
static int
check_exec_closure(PyObject *source, PyObject *closure)
{
    Py_ssize_t nfree = PyCode_GetNumFree((PyCodeObject *)source);
    if (nfree == 0) {
        if (closure != NULL) {
            PyErr_SetString(PyExc_TypeError,
                            "cannot use a closure with this code object");
            return -1;
        }
        return 0;
    }
    int good = closure != NULL && PyTuple_CheckExact(closure)
               && PyTuple_GET_SIZE(closure) == nfree;
    for (Py_ssize_t i = 0; good && i < nfree; i++) {
        good = PyCell_Check(PyTuple_GET_ITEM(closure, i));
    }
    if (!good) {
        PyErr_Format(PyExc_TypeError,
                     "code object requires a closure of exactly length %zd", nfree);
        return -1;
    }
    return 0;
}

static PyObject *
builtin_exec(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    static const char *const keywords[] = {"", "", "", "closure", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "exec", 0};
    PyObject *slots[4];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 3, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    PyObject *closure = got[3] == Py_None ? NULL : got[3];
    PyObject *source = args[0];
    PyObject *globals = nargs > 1 ? args[1] : Py_None;
    PyObject *locals = nargs > 2 ? args[2] : Py_None;
    if (globals != Py_None && !PyDict_Check(globals)) {
        return PyErr_Format(PyExc_TypeError, "exec() globals must be a dict, not %.100s",
                            Py_TYPE(globals)->tp_name);
    }
    if (locals != Py_None && !PyMapping_Check(locals)) {
        return PyErr_Format(PyExc_TypeError,
                            "locals must be a mapping or None, not %.100s",
                            Py_TYPE(locals)->tp_name);
    }
    if (choose_namespaces("exec", &globals, &locals) < 0) {
        return NULL;
    }
    PyObject *result;
    if (PyCode_Check(source)) {
        if (check_exec_closure(source, closure) < 0
            || PySys_Audit("exec", "O", source) < 0) {
            return NULL;
        }
        if (closure == NULL) {
            result = PyEval_EvalCode(source, globals, locals);
        }
        else {
            result = PyEval_EvalCodeEx(source, globals, locals, NULL, 0, NULL, 0,
                                       NULL, 0, NULL, closure);
        }
    }
    else {
        if (closure != NULL) {
            PyErr_SetString(PyExc_TypeError, "closure can only be used when source is a code object");
            return NULL;
        }
        PyCompilerFlags flags = _PyCompilerFlags_INIT;
        flags.cf_flags = PyCF_SOURCE_IS_UTF8;
        PyObject *keep;
        const char *text = _Py_SourceAsString(source, "exec", "string, bytes or code",
                                              &flags, &keep);
        if (text == NULL) {
            return NULL;
        }
        (void)PyEval_MergeCompilerFlags(&flags);
        result = PyRun_StringFlags(text, Py_file_input, globals, locals, &flags);
        Py_XDECREF(keep);
    }
    if (result == NULL) {
        return NULL;
    }
    Py_DECREF(result);
    Py_RETURN_NONE;
}

static PyObject *
builtin_compile(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"source", "filename", "mode", "flags",
        "dont_inherit", "optimize", "_feature_version", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "compile", 0};
    PyObject *slots[7];
    Py_ssize_t nkw = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    if (nargs > 6 && nargs + nkw <= 7) {
        return PyErr_Format(PyExc_TypeError,
                            "compile() takes at most 6 positional arguments (%zd given)", nargs);
    }
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 3, 6, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    PyObject *source = got[0], *filename;
    if (!PyUnicode_FSDecoder(got[1], &filename)) {
        return NULL;
    }
    PyObject *result = NULL;
    const char *modes[] = {"exec", "eval", "single", "func_type"};
    const int starts[] = {Py_file_input, Py_eval_input, Py_single_input, Py_func_type_input};
    if (!PyUnicode_Check(got[2])) {
        _PyArg_BadArgument("compile", "argument 'mode'", "str", got[2]);
        goto done;
    }
    int values[4] = {0, 0, -1, -1};      /* flags, dont_inherit, optimize, version */
    for (int i = 0; i < 4; i++) {
        if (got[3 + i] == NULL) {
            continue;
        }
        values[i] = _PyLong_AsInt(got[3 + i]);
        if (values[i] == -1 && PyErr_Occurred()) {
            goto done;
        }
    }
    int flags = values[0], optimize = values[2];
    PyCompilerFlags cf = _PyCompilerFlags_INIT;
    cf.cf_flags = flags | PyCF_SOURCE_IS_UTF8;
    if (values[3] >= 0 && (flags & PyCF_ONLY_AST)) {
        cf.cf_feature_version = values[3];
    }
    if (flags & ~(PyCF_MASK | PyCF_MASK_OBSOLETE | PyCF_COMPILE_MASK)) {
        PyErr_SetString(PyExc_ValueError, "compile(): unrecognised flags");
        goto done;
    }
    if (optimize < -1 || optimize > 2) {
        PyErr_SetString(PyExc_ValueError, "compile(): invalid optimize value");
        goto done;
    }
    if (!values[1]) {
        PyEval_MergeCompilerFlags(&cf);
    }
    int mode = 0;
    while (mode < 4 && !_PyUnicode_EqualToASCIIString(got[2], modes[mode])) {
        mode++;
    }
    if (mode == 4 || (mode == 3 && !(flags & PyCF_ONLY_AST))) {
        PyErr_SetString(PyExc_ValueError, mode == 3
            ? "compile() mode 'func_type' requires flag PyCF_ONLY_AST"
            : (flags & PyCF_ONLY_AST)
                ? "compile() mode must be 'exec', 'eval', 'single' or 'func_type'"
                : "compile() mode must be 'exec', 'eval' or 'single'");
        goto done;
    }
    int is_ast = _PyAst_Check(source);
    if (is_ast < 0) {
        goto done;
    }
    if (is_ast) {
        result = _PyAST_CompileObject(source, mode, filename, &cf, optimize);
        goto done;
    }
    PyObject *keep;
    const char *text = _Py_SourceAsString(source, "compile", "string, bytes or AST",
                                          &cf, &keep);
    if (text == NULL) {
        goto done;
    }
    result = Py_CompileStringObject(text, filename, starts[mode], &cf, optimize);
    Py_XDECREF(keep);
done:
    Py_DECREF(filename);
    return result;
}

static PyObject *
builtin_import(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const keywords[] = {"name", "globals", "locals", "fromlist",
                                           "level", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "__import__", 0};
    PyObject *slots[5];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 5, 0, slots);
    if (got == NULL) {
        return NULL;
    }
    int level = 0;
    if (got[4] != NULL) {
        level = _PyLong_AsInt(got[4]);
        if (level == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    return PyImport_ImportModuleLevelObject(got[0], got[1], got[2], got[3], level);
}

/* --------------------------------------------------------- input and output */

static PyObject *
lost(const char *name)
{
    return PyErr_Format(PyExc_RuntimeError, "lost sys.%s", name);
}

static PyObject *
builtin_print(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    static const char *const names[] = {"sep", "end", "file", "flush", NULL};
    PyObject *options[4] = {NULL, NULL, NULL, NULL};
    if (_PyBuiltin_KeywordsOnly("print", args + nargs, kwnames, names, options) < 0) {
        return NULL;
    }
    PyObject *file = options[2];
    if (file == NULL || file == Py_None) {
        file = PySys_GetObject("stdout");
        if (file == NULL) {
            return lost("stdout");
        }
        if (file == Py_None) {
            Py_RETURN_NONE;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (options[i] == Py_None) {
            options[i] = NULL;
        }
        else if (options[i] != NULL && !PyUnicode_Check(options[i])) {
            return PyErr_Format(PyExc_TypeError, "%s must be None or a string, not %.200s",
                                names[i], Py_TYPE(options[i])->tp_name);
        }
    }
    Py_INCREF(file);
    for (Py_ssize_t i = 0; i < nargs; i++) {
        int err = 0;
        if (i > 0) {
            err = options[0] == NULL ? PyFile_WriteString(" ", file)
                                     : PyFile_WriteObject(options[0], file, Py_PRINT_RAW);
        }
        if (err || PyFile_WriteObject(args[i], file, Py_PRINT_RAW)) {
            Py_DECREF(file);
            return NULL;
        }
    }
    int err = options[1] == NULL ? PyFile_WriteString("\n", file)
                                 : PyFile_WriteObject(options[1], file, Py_PRINT_RAW);
    if (!err && options[3] != NULL) {
        int flush = PyObject_IsTrue(options[3]);
        err = flush < 0;
        if (flush > 0) {
            PyObject *r = PyObject_CallMethodNoArgs(file, _Py_NAME(flush));
            err = r == NULL;
            Py_XDECREF(r);
        }
    }
    Py_DECREF(file);
    if (err) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static int
flush_stream(PyObject *stream)
{
    PyObject *r = PyObject_CallMethodNoArgs(stream, _Py_NAME(flush));
    Py_XDECREF(r);
    return r == NULL ? -1 : 0;
}

/* Whether this stream is the process's own terminal on descriptor `fd`. */
static int
is_terminal(PyObject *stream, int fd)
{
    PyObject *r = PyObject_CallMethodNoArgs(stream, _Py_NAME(fileno));
    if (r == NULL) {
        PyErr_Clear();
        return 0;
    }
    long got = PyLong_AsLong(r);
    Py_DECREF(r);
    if (got == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    return got == fd && isatty(fd);
}

/* A str attribute of a stream as UTF-8. The bytes belong to a new reference. */
static PyObject *
text_attribute(PyObject *stream, PyObject *name)
{
    PyObject *value = PyObject_GetAttr(stream, name);
    if (value != NULL && !PyUnicode_Check(value)) {
        Py_CLEAR(value);
    }
    return value;
}

/* input() on a terminal goes through PyOS_Readline, which supports line editing. Returns
   NULL without an exception when the streams can't be used for it. */
static PyObject *
input_from_terminal(PyObject *fin, PyObject *fout, PyObject *prompt)
{
    PyObject *result = NULL, *bytes = NULL;
    PyObject *out_errors = NULL, *out_encoding = NULL;
    PyObject *in_errors = NULL;
    PyObject *in_encoding = text_attribute(fin, _Py_NAME(encoding));
    if (in_encoding == NULL
        || (in_errors = text_attribute(fin, _Py_NAME(errors))) == NULL) {
        Py_XDECREF(in_encoding);
        PyErr_Clear();
        return NULL;
    }
    if (flush_stream(fout) < 0) {
        PyErr_Clear();
    }
    const char *text = "";
    if (prompt != NULL) {
        out_encoding = text_attribute(fout, _Py_NAME(encoding));
        if (out_encoding != NULL) {
            out_errors = text_attribute(fout, _Py_NAME(errors));
        }
        if (out_errors == NULL) {
            PyErr_Clear();
            goto unfit;
        }
        PyObject *str = PyObject_Str(prompt);
        if (str == NULL) {
            goto done;
        }
        bytes = PyUnicode_AsEncodedString(str, PyUnicode_AsUTF8(out_encoding),
                                          PyUnicode_AsUTF8(out_errors));
        Py_DECREF(str);
        if (bytes == NULL) {
            goto done;
        }
        text = PyBytes_AS_STRING(bytes);
        if (strlen(text) != (size_t)PyBytes_GET_SIZE(bytes)) {
            PyErr_SetString(PyExc_ValueError,
                            "input: prompt string cannot contain null characters");
            goto done;
        }
    }
    char *line = PyOS_Readline(stdin, stdout, text);
    if (line == NULL) {
        PyErr_CheckSignals();
        if (!PyErr_Occurred()) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
        goto done;
    }
    size_t n = strlen(line);
    if (n == 0) {
        PyErr_SetNone(PyExc_EOFError);
    }
    else {
        if (line[n - 1] == '\n') {
            n--;
        }
        result = PyUnicode_Decode(line, (Py_ssize_t)n, PyUnicode_AsUTF8(in_encoding),
                                  PyUnicode_AsUTF8(in_errors));
    }
    PyMem_Free(line);
    if (result != NULL && PySys_Audit("builtins.input/result", "O", result) < 0) {
        Py_CLEAR(result);
    }
unfit:
done:
    Py_XDECREF(bytes);
    Py_XDECREF(in_encoding);
    Py_XDECREF(in_errors);
    Py_XDECREF(out_encoding);
    Py_XDECREF(out_errors);
    return result;
}

static PyObject *
builtin_input(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("input", nargs, 0, 1)) {
        return NULL;
    }
    PyObject *prompt = nargs ? args[0] : NULL;
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    PyObject *streams[3];
    for (int i = 0; i < 3; i++) {
        streams[i] = PySys_GetObject(names[i]);
        if (streams[i] == NULL || streams[i] == Py_None) {
            return PyErr_Format(PyExc_RuntimeError, "input(): lost sys.%s", names[i]);
        }
    }
    PyObject *fin = Py_NewRef(streams[0]), *fout = Py_NewRef(streams[1]);
    PyObject *result = NULL;
    if (PySys_Audit("builtins.input", "O", prompt ? prompt : Py_None) < 0) {
        goto done;
    }
    if (flush_stream(streams[2]) < 0) {
        PyErr_Clear();
    }
    if (is_terminal(fin, fileno(stdin)) && is_terminal(fout, fileno(stdout))) {
        result = input_from_terminal(fin, fout, prompt);
        if (result != NULL || PyErr_Occurred()) {
            goto done;
        }
    }
    if (prompt != NULL && PyFile_WriteObject(prompt, fout, Py_PRINT_RAW) != 0) {
        goto done;
    }
    if (flush_stream(fout) < 0) {
        PyErr_Clear();
    }
    result = PyFile_GetLine(fin, -1);
done:
    Py_DECREF(fin);
    Py_DECREF(fout);
    return result;
}

static PyObject *
builtin_breakpoint(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    PyObject *hook = PySys_GetObject("breakpointhook");
    if (hook == NULL) {
        return lost("breakpointhook");
    }
    if (PySys_Audit("builtins.breakpoint", "O", hook) < 0) {
        return NULL;
    }
    Py_INCREF(hook);
    PyObject *result = PyObject_Vectorcall(hook, args, nargs, kwnames);
    Py_DECREF(hook);
    return result;
}

/* --------------------------------------------------------------- the module */


static PyMethodDef builtin_methods[] = {
    {"__build_class__", FAST_KEYWORDS(_Py_build_class),
     "__build_class__(func, name, /, *bases, [metaclass], **kwds) -> class\n\n"
     "What a class statement calls."},
    {"__import__", FAST_KEYWORDS(builtin_import),
     "__import__($module, /, name, globals=None, locals=None, fromlist=(),\n"
     "           level=0)\n--\n\n"
     "What an import statement calls. Use importlib.import_module() instead."},
    {"abs", builtin_abs, METH_O, "abs($module, x, /)\n--\n\nThe absolute value of x."},
    {"aiter", _PyBuiltin_Aiter, METH_O,
     "aiter($module, async_iterable, /)\n--\n\nAn asynchronous iterator over the argument."},
    {"all", _PyBuiltin_All, METH_O,
     "all($module, iterable, /)\n--\n\nTrue unless some item is false."},
    {"anext", FAST(_PyBuiltin_Anext),
     "anext($module, aiterator, default=<unrepresentable>, /)\n--\n\n"
     "An awaitable of the next item, or of the default at the end."},
    {"any", _PyBuiltin_Any, METH_O,
     "any($module, iterable, /)\n--\n\nTrue if some item is true."},
    {"ascii", builtin_ascii, METH_O,
     "ascii($module, obj, /)\n--\n\nrepr(obj) with every non-ASCII character escaped."},
    {"bin", builtin_bin, METH_O,
     "bin($module, number, /)\n--\n\nThe binary text of an integer.\n\n"
     ">>> bin(20)\n'0b10100'"},
    {"breakpoint", FAST_KEYWORDS(builtin_breakpoint),
     "breakpoint(*args, **kws)\n\nCalls sys.breakpointhook(): by default, enters pdb."},
    {"callable", builtin_callable, METH_O,
     "callable($module, obj, /)\n--\n\nTrue if the object can be called."},
    {"chr", builtin_chr, METH_O,
     "chr($module, i, /)\n--\n\nThe one-character string of a code point."},
    {"compile", FAST_KEYWORDS(builtin_compile),
     "compile($module, /, source, filename, mode, flags=0,\n"
     "        dont_inherit=False, optimize=-1, *, _feature_version=-1)\n--\n\n"
     "Compiles source text or an AST into a code object."},
    {"delattr", FAST(builtin_delattr),
     "delattr($module, obj, name, /)\n--\n\ndel obj.name"},
    {"dir", FAST(builtin_dir),
     "dir([object]) -> list of strings\n\n"
     "The names in the current scope, or the attributes of an object."},
    {"divmod", FAST(builtin_divmod),
     "divmod($module, x, y, /)\n--\n\nThe tuple (x//y, x%y)."},
    {"eval", FAST(builtin_eval),
     "eval($module, source, globals=None, locals=None, /)\n--\n\n"
     "The value of an expression, given as text or code object."},
    {"exec", FAST_KEYWORDS(builtin_exec),
     "exec($module, source, globals=None, locals=None, /, *, closure=None)\n--\n\n"
     "Runs statements, given as text or code object."},
    {"format", FAST(builtin_format),
     "format($module, value, format_spec='', /)\n--\n\nvalue.__format__(format_spec)"},
    {"getattr", FAST(builtin_getattr),
     "getattr(object, name[, default]) -> value\n\n"
     "object.name, or the default where that raises AttributeError."},
    {"globals", builtin_globals, METH_NOARGS,
     "globals($module, /)\n--\n\nThe dictionary of the caller's global variables."},
    {"hasattr", FAST(builtin_hasattr),
     "hasattr($module, obj, name, /)\n--\n\nTrue unless obj.name raises AttributeError."},
    {"hash", builtin_hash, METH_O, "hash($module, obj, /)\n--\n\nThe hash value of obj."},
    {"hex", builtin_hex, METH_O,
     "hex($module, number, /)\n--\n\nThe hexadecimal text of an integer.\n\n"
     ">>> hex(8191)\n'0x1fff'"},
    {"id", builtin_id, METH_O,
     "id($module, obj, /)\n--\n\nA number that no other living object has."},
    {"input", FAST(builtin_input),
     "input($module, prompt='', /)\n--\n\nA line from standard input, without its newline."},
    {"isinstance", FAST(builtin_isinstance),
     "isinstance($module, obj, class_or_tuple, /)\n--\n\n"
     "True if obj is an instance of the class, or of one in the tuple."},
    {"issubclass", FAST(builtin_issubclass),
     "issubclass($module, cls, class_or_tuple, /)\n--\n\n"
     "True if cls derives from the class, or from one in the tuple."},
    {"iter", FAST(_PyBuiltin_Iter),
     "iter(iterable) -> iterator\niter(callable, sentinel) -> iterator\n\n"
     "An iterator over an iterable, or over what a callable returns."},
    {"len", builtin_len, METH_O, "len($module, obj, /)\n--\n\nHow many items obj holds."},
    {"locals", builtin_locals, METH_NOARGS,
     "locals($module, /)\n--\n\nA dictionary of the caller's local variables."},
    {"max", FAST_KEYWORDS(_PyBuiltin_Max),
     "max(iterable, *[, default=obj, key=func]) -> value\n"
     "max(arg1, arg2, *args, *[, key=func]) -> value\n\nThe largest item."},
    {"min", FAST_KEYWORDS(_PyBuiltin_Min),
     "min(iterable, *[, default=obj, key=func]) -> value\n"
     "min(arg1, arg2, *args, *[, key=func]) -> value\n\nThe smallest item."},
    {"next", FAST(_PyBuiltin_Next),
     "next(iterator[, default])\n\nThe next item, or the default at the end."},
    {"oct", builtin_oct, METH_O,
     "oct($module, number, /)\n--\n\nThe octal text of an integer.\n\n"
     ">>> oct(64)\n'0o100'"},
    {"ord", builtin_ord, METH_O,
     "ord($module, c, /)\n--\n\nThe code point of a one-character string."},
    {"pow", FAST_KEYWORDS(builtin_pow),
     "pow($module, /, base, exp, mod=None)\n--\n\nbase**exp, or base**exp % mod."},
    {"print", FAST_KEYWORDS(builtin_print),
     "print($module, /, *args, sep=' ', end='\\n', file=None, flush=False)\n--\n\n"
     "Writes the values to a stream, by default sys.stdout."},
    {"repr", builtin_repr, METH_O, "repr($module, obj, /)\n--\n\nobj.__repr__()"},
    {"round", FAST_KEYWORDS(builtin_round),
     "round($module, /, number, ndigits=None)\n--\n\n"
     "The number rounded to ndigits decimal digits; an int if ndigits is left out."},
    {"setattr", FAST(builtin_setattr),
     "setattr($module, obj, name, value, /)\n--\n\nobj.name = value"},
    {"sorted", FAST_KEYWORDS(_PyBuiltin_Sorted),
     "sorted($module, iterable, /, *, key=None, reverse=False)\n--\n\n"
     "A new list of the items in ascending order."},
    {"sum", FAST_KEYWORDS(_PyBuiltin_Sum),
     "sum($module, iterable, /, start=0)\n--\n\n"
     "Return the sum of start and all the items.\n\n"
     "Without items that is start itself. Strings are refused: they are to be joined."},
    {"vars", FAST(builtin_vars),
     "vars([object]) -> dictionary\n\nobject.__dict__, or locals() without an argument."},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef builtins_module = {
    PyModuleDef_HEAD_INIT, "builtins",
    "Built-in functions, types, exceptions, and other objects.\n\n"
    "This module provides direct access to all 'built-in'\n"
    "identifiers of Python; for example, builtins.len is\n"
    "the full name for the built-in function len().\n\n"
    "This module is not normally accessed explicitly by most\n"
    "applications, but can be useful in modules that provide\n"
    "objects with the same name as a builtin and need the builtin.",
    -1, builtin_methods, NULL, NULL, NULL, NULL
};

PyObject *
_PyBuiltin_Create(const PyConfig *config)
{
    const struct {
        const char *name;
        PyObject *value;
    } objects[] = {
        {"None", Py_None}, {"Ellipsis", Py_Ellipsis},
        {"NotImplemented", Py_NotImplemented}, {"False", Py_False}, {"True", Py_True},
#define TYPE(name, type) {name, (PyObject *)&type},
        TYPE("bool", PyBool_Type) TYPE("memoryview", PyMemoryView_Type)
        TYPE("bytearray", PyByteArray_Type) TYPE("bytes", PyBytes_Type)
        TYPE("classmethod", PyClassMethod_Type) TYPE("complex", PyComplex_Type)
        TYPE("dict", PyDict_Type) TYPE("enumerate", PyEnum_Type)
        TYPE("filter", PyFilter_Type) TYPE("float", PyFloat_Type)
        TYPE("frozenset", PyFrozenSet_Type) TYPE("property", PyProperty_Type)
        TYPE("int", PyLong_Type) TYPE("list", PyList_Type) TYPE("map", PyMap_Type)
        TYPE("object", PyBaseObject_Type) TYPE("range", PyRange_Type)
        TYPE("reversed", PyReversed_Type) TYPE("set", PySet_Type)
        TYPE("slice", PySlice_Type) TYPE("staticmethod", PyStaticMethod_Type)
        TYPE("str", PyUnicode_Type) TYPE("super", PySuper_Type)
        TYPE("tuple", PyTuple_Type) TYPE("type", PyType_Type) TYPE("zip", PyZip_Type)
#undef TYPE
    };
    PyObject *module = PyModule_Create(&builtins_module);
    if (module == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(objects); i++) {
        if (PyModule_AddObjectRef(module, objects[i].name, objects[i].value) < 0) {
            Py_DECREF(module);
            return NULL;
        }
    }
    if (PyModule_AddObjectRef(module, "__debug__",
                              config->optimization_level == 0 ? Py_True : Py_False) < 0
        || _PyBuiltins_AddExceptions(module) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

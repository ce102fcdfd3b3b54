/* Running source: Py_CompileString*, PyRun_*, and the interactive loop.

   Every function here parses (frontend.h), compiles (compile.h) and evaluates. Flags are
   passed along, so that `from __future__` stays in force at a prompt. */
#include "Python.h"
#include "internal/arena.h"
#include "internal/ast.h"
#include "internal/compile.h"
#include "internal/errors.h"
#include "internal/frontend.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/runtime.h"

#include <stdio.h>
#include <unistd.h>

/* -------------------------------------------------------------- source text */

const char *
_Py_SourceAsString(PyObject *source, const char *func, const char *what,
                   PyCompilerFlags *flags, PyObject **keep)
{
    const char *text;
    Py_ssize_t size;
    Py_buffer view;
    *keep = NULL;
    if (PyUnicode_Check(source)) {
        flags->cf_flags |= PyCF_IGNORE_COOKIE;
        text = PyUnicode_AsUTF8AndSize(source, &size);
        if (text == NULL) {
            return NULL;
        }
    }
    else if (PyBytes_Check(source)) {
        text = PyBytes_AS_STRING(source);
        size = PyBytes_GET_SIZE(source);
    }
    else if (PyByteArray_Check(source)) {
        text = PyByteArray_AS_STRING(source);
        size = PyByteArray_GET_SIZE(source);
    }
    else if (PyObject_GetBuffer(source, &view, PyBUF_SIMPLE) == 0) {
        *keep = PyBytes_FromStringAndSize(view.buf, view.len);
        PyBuffer_Release(&view);
        if (*keep == NULL) {
            return NULL;
        }
        text = PyBytes_AS_STRING(*keep);
        size = PyBytes_GET_SIZE(*keep);
    }
    else {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s() arg 1 must be a %s object", func, what);
        return NULL;
    }
    if (strlen(text) != (size_t)size) {
        PyErr_SetString(PyExc_ValueError, "source code string cannot contain null bytes");
        Py_CLEAR(*keep);
        return NULL;
    }
    return text;
}

/* ---------------------------------------------------------------- compiling */

PyObject *
Py_CompileStringObject(const char *text, PyObject *filename, int start,
                       PyCompilerFlags *flags, int optimize)
{
    AstArena *arena = _PyAstArena_New();
    if (arena == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    AstNode *mod = _PyAst_ParseString(text, filename, start, flags, arena);
    if (mod != NULL) {
        result = flags != NULL && (flags->cf_flags & PyCF_ONLY_AST)
            ? _PyAst_ToObject(mod)
            : (PyObject *)_PyAST_Compile(mod, filename, flags, optimize, arena);
    }
    _PyAstArena_Free(arena);
    return result;
}

PyObject *
Py_CompileStringExFlags(const char *text, const char *filename, int start,
                        PyCompilerFlags *flags, int optimize)
{
    PyObject *name = PyUnicode_DecodeFSDefault(filename);
    if (name == NULL) {
        return NULL;
    }
    PyObject *result = Py_CompileStringObject(text, name, start, flags, optimize);
    Py_DECREF(name);
    return result;
}

/* Headers have a macro of this name; those who look the function up find it, too. */
PyAPI_FUNC(PyObject *) (Py_CompileStringFlags)(const char *text, const char *filename,
                                               int start, PyCompilerFlags *flags);

PyObject *
(Py_CompileStringFlags)(const char *text, const char *filename, int start,
                        PyCompilerFlags *flags)
{
    return Py_CompileStringExFlags(text, filename, start, flags, -1);
}

PyObject *
(Py_CompileString)(const char *text, const char *filename, int start)
{
    return Py_CompileStringExFlags(text, filename, start, NULL, -1);
}

/* compile() of a tree. mode: 0 exec, 1 eval, 2 single. */
PyObject *
_PyAST_CompileObject(PyObject *tree, int mode, PyObject *filename, PyCompilerFlags *flags,
                     int optimize)
{
    static const int starts[] = {Py_file_input, Py_eval_input, Py_single_input,
                                 Py_func_type_input};
    if (flags->cf_flags & PyCF_ONLY_AST) {
        return Py_NewRef(tree);
    }
    AstArena *arena = _PyAstArena_New();
    if (arena == NULL) {
        return NULL;
    }
    PyObject *code = NULL;
    AstNode *mod = _PyAst_FromObject(tree, starts[mode], arena);
    if (mod != NULL && _PyAst_Validate(mod)) {
        code = (PyObject *)_PyAST_Compile(mod, filename, flags, optimize, arena);
    }
    _PyAstArena_Free(arena);
    return code;
}

/* ------------------------------------------------------------------ running */

/* Compiles and evaluates a tree, after an audit event. */
static PyObject *
run_tree(AstNode *mod, PyObject *filename, PyObject *globals, PyObject *locals,
         PyCompilerFlags *flags, AstArena *arena)
{
    PyObject *code = (PyObject *)_PyAST_Compile(mod, filename, flags, -1, arena);
    if (code == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    int has = PyDict_Contains(globals, _Py_NAME(dunder_builtins));
    if (has == 0) {
        has = PyDict_SetItem(globals, _Py_NAME(dunder_builtins), PyEval_GetBuiltins());
    }
    if (has >= 0 && PySys_Audit("exec", "O", code) == 0) {
        _Py_UnhandledKeyboardInterrupt = 0;
        result = PyEval_EvalCode(code, globals, locals);
        if (result == NULL && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
            _Py_UnhandledKeyboardInterrupt = 1;
        }
    }
    Py_DECREF(code);
    return result;
}

PyObject *
PyRun_StringFlags(const char *text, int start, PyObject *globals, PyObject *locals,
                  PyCompilerFlags *flags)
{
    PyObject *filename = PyUnicode_FromString("<string>");
    AstArena *arena = filename == NULL ? NULL : _PyAstArena_New();
    PyObject *result = NULL;
    if (arena != NULL) {
        AstNode *mod = _PyAst_ParseString(text, filename, start, flags, arena);
        if (mod != NULL) {
            result = run_tree(mod, filename, globals, locals, flags, arena);
        }
        _PyAstArena_Free(arena);
    }
    Py_XDECREF(filename);
    return result;
}

PyObject *
(PyRun_String)(const char *text, int start, PyObject *globals, PyObject *locals)
{
    return PyRun_StringFlags(text, start, globals, locals, NULL);
}

/* After a program or a statement: an error of writing is ignored here. The next write, or
   the end, reports it. */
static void
flush_quietly(void)
{
    static const char *const names[] = {"stderr", "stdout"};
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    for (int i = 0; i < 2; i++) {
        PyObject *stream = PySys_GetObject(names[i]);
        if (stream != NULL) {
            Py_INCREF(stream);
            Py_XDECREF(PyObject_CallMethodNoArgs(stream, _Py_NAME(flush)));
            Py_DECREF(stream);
            PyErr_Clear();
        }
    }
    PyErr_Restore(type, value, traceback);
}

PyObject *
_PyRun_FileObject(FILE *f, PyObject *filename, int start, PyObject *globals, PyObject *locals,
                  int closeit, PyCompilerFlags *flags)
{
    AstArena *arena = _PyAstArena_New();
    if (arena == NULL) {
        return NULL;
    }
    AstNode *mod = _PyAst_ParseFile(f, filename, NULL, start, NULL, NULL, flags, NULL, arena);
    if (closeit) {
        fclose(f);
    }
    PyObject *result = mod == NULL ? NULL
        : run_tree(mod, filename, globals, locals, flags, arena);
    _PyAstArena_Free(arena);
    flush_quietly();
    return result;
}

PyObject *
PyRun_FileExFlags(FILE *f, const char *filename, int start, PyObject *globals,
                  PyObject *locals, int closeit, PyCompilerFlags *flags)
{
    PyObject *name = PyUnicode_DecodeFSDefault(filename);
    if (name == NULL) {
        return NULL;
    }
    PyObject *result = _PyRun_FileObject(f, name, start, globals, locals, closeit, flags);
    Py_DECREF(name);
    return result;
}

PyObject *
(PyRun_File)(FILE *f, const char *filename, int start, PyObject *g, PyObject *l)
{
    return PyRun_FileExFlags(f, filename, start, g, l, 0, NULL);
}

PyObject *
(PyRun_FileEx)(FILE *f, const char *filename, int start, PyObject *g, PyObject *l, int closeit)
{
    return PyRun_FileExFlags(f, filename, start, g, l, closeit, NULL);
}

PyObject *
(PyRun_FileFlags)(FILE *f, const char *filename, int start, PyObject *g, PyObject *l,
                  PyCompilerFlags *flags)
{
    return PyRun_FileExFlags(f, filename, start, g, l, 0, flags);
}

int
PyRun_SimpleStringFlags(const char *command, PyCompilerFlags *flags)
{
    PyObject *main = PyImport_AddModule("__main__");
    if (main == NULL) {
        return -1;
    }
    PyObject *dict = PyModule_GetDict(main);
    Py_INCREF(main);            /* the program may remove it from sys.modules */
    PyObject *r = PyRun_StringFlags(command, Py_file_input, dict, dict, flags);
    Py_DECREF(main);
    if (r == NULL) {
        PyErr_Print();
        return -1;
    }
    Py_DECREF(r);
    return 0;
}

int
(PyRun_SimpleString)(const char *command)
{
    return PyRun_SimpleStringFlags(command, NULL);
}

int
PyRun_SimpleFileExFlags(FILE *f, const char *filename, int closeit, PyCompilerFlags *flags)
{
    PyCompilerFlags local = _PyCompilerFlags_INIT;
    PyObject *name = PyUnicode_DecodeFSDefault(filename);
    if (name == NULL) {
        return -1;
    }
    int rc = _PyRun_SimpleFileObject(f, name, closeit, flags ? flags : &local);
    Py_DECREF(name);
    if (rc < 0) {
        PyErr_Print();
    }
    return rc;
}

int
(PyRun_SimpleFile)(FILE *f, const char *filename)
{
    return PyRun_SimpleFileExFlags(f, filename, 0, NULL);
}

int
(PyRun_SimpleFileEx)(FILE *f, const char *filename, int closeit)
{
    return PyRun_SimpleFileExFlags(f, filename, closeit, NULL);
}

/* --------------------------------------------------------------- the prompt */

/* A prompt from sys.ps1 or sys.ps2. *keep owns its text. */
static const char *
prompt(const char *name, PyObject **keep)
{
    PyObject *value = PySys_GetObject(name);
    *keep = NULL;
    if (value == NULL) {
        return "";
    }
    *keep = PyObject_Str(value);
    const char *text = *keep == NULL ? NULL : PyUnicode_AsUTF8(*keep);
    if (text == NULL) {
        PyErr_Clear();
        return "";
    }
    return text;
}

enum { E_EOF_CODE = 11 };

/* Runs one statement. Returns 0; 11 at the end of input; -1 with an exception set. */
static int
interactive_one(FILE *f, PyObject *filename, PyCompilerFlags *flags)
{
    PyObject *encoding_obj = NULL, *keep1, *keep2;
    const char *encoding = NULL;
    int errcode = 0, rc = -1;
    PyObject *in = PySys_GetObject("stdin");
    if (f == stdin && in != NULL && in != Py_None) {
        encoding_obj = PyObject_GetAttr(in, _Py_NAME(encoding));
        if (encoding_obj != NULL && PyUnicode_Check(encoding_obj)) {
            encoding = PyUnicode_AsUTF8(encoding_obj);
        }
        PyErr_Clear();
    }
    const char *ps1 = prompt("ps1", &keep1), *ps2 = prompt("ps2", &keep2);
    AstArena *arena = _PyAstArena_New();
    AstNode *mod = arena == NULL ? NULL
        : _PyAst_ParseFile(f, filename, encoding, Py_single_input, ps1, ps2, flags, &errcode,
                           arena);
    Py_XDECREF(keep1);
    Py_XDECREF(keep2);
    Py_XDECREF(encoding_obj);
    if (mod == NULL) {
        if (errcode == E_EOF_CODE) {
            PyErr_Clear();
            rc = E_EOF_CODE;
        }
    }
    else {
        PyObject *main = PyImport_AddModule("__main__");
        PyObject *dict = main == NULL ? NULL : PyModule_GetDict(main);
        Py_XINCREF(main);       /* the statement may remove it from sys.modules */
        PyObject *r = dict == NULL ? NULL : run_tree(mod, filename, dict, dict, flags, arena);
        Py_XDECREF(main);
        if (r != NULL) {
            Py_DECREF(r);
            flush_quietly();
            rc = 0;
        }
    }
    if (arena != NULL) {
        _PyAstArena_Free(arena);
    }
    return rc;
}

int
PyRun_InteractiveOneObject(FILE *f, PyObject *filename, PyCompilerFlags *flags)
{
    PyCompilerFlags local = _PyCompilerFlags_INIT;
    int rc = interactive_one(f, filename, flags ? flags : &local);
    if (rc == -1) {
        PyErr_Print();
        flush_quietly();
    }
    return rc;
}

int
PyRun_InteractiveOneFlags(FILE *f, const char *filename, PyCompilerFlags *flags)
{
    PyObject *name = PyUnicode_DecodeFSDefault(filename);
    if (name == NULL) {
        PyErr_Print();
        return -1;
    }
    int rc = PyRun_InteractiveOneObject(f, name, flags);
    Py_DECREF(name);
    return rc;
}

static void
default_prompt(const char *name, const char *text)
{
    if (PySys_GetObject(name) == NULL) {
        PyObject *v = PyUnicode_FromString(text);
        if (v == NULL || PySys_SetObject(name, v) < 0) {
            PyErr_Clear();
        }
        Py_XDECREF(v);
    }
}

int
PyRun_InteractiveLoopFlags(FILE *f, const char *filename, PyCompilerFlags *flags)
{
    PyCompilerFlags local = _PyCompilerFlags_INIT;
    PyObject *name = PyUnicode_DecodeFSDefault(filename);
    if (name == NULL) {
        PyErr_Print();
        return -1;
    }
    default_prompt("ps1", ">>> ");
    default_prompt("ps2", "... ");
    int rc, out_of_memory = 0;
    do {
        rc = interactive_one(f, name, flags ? flags : &local);
        if (rc == -1) {
            /* Repeated MemoryErrors would make this an endless loop. */
            if (PyErr_ExceptionMatches(PyExc_MemoryError)) {
                if (++out_of_memory > 16) {
                    PyErr_Clear();
                    break;
                }
            }
            else {
                out_of_memory = 0;
            }
            PyErr_Print();
            flush_quietly();
        }
        else {
            out_of_memory = 0;
        }
    } while (rc != E_EOF_CODE);
    Py_DECREF(name);
    return rc == E_EOF_CODE ? 0 : -1;
}

int
(PyRun_InteractiveOne)(FILE *f, const char *filename)
{
    return PyRun_InteractiveOneFlags(f, filename, NULL);
}

int
(PyRun_InteractiveLoop)(FILE *f, const char *filename)
{
    return PyRun_InteractiveLoopFlags(f, filename, NULL);
}

int
Py_FdIsInteractive(FILE *f, const char *filename)
{
    if (isatty(fileno(f))) {
        return 1;
    }
    if (!Py_InteractiveFlag) {
        return 0;
    }
    return filename == NULL || strcmp(filename, "<stdin>") == 0 || strcmp(filename, "???") == 0;
}

int
PyRun_AnyFileExFlags(FILE *f, const char *filename, int closeit, PyCompilerFlags *flags)
{
    if (filename == NULL) {
        filename = "???";
    }
    if (Py_FdIsInteractive(f, filename)) {
        int rc = PyRun_InteractiveLoopFlags(f, filename, flags);
        if (closeit) {
            fclose(f);
        }
        return rc;
    }
    return PyRun_SimpleFileExFlags(f, filename, closeit, flags);
}

int
(PyRun_AnyFile)(FILE *f, const char *filename)
{
    return PyRun_AnyFileExFlags(f, filename, 0, NULL);
}

int
(PyRun_AnyFileEx)(FILE *f, const char *filename, int closeit)
{
    return PyRun_AnyFileExFlags(f, filename, closeit, NULL);
}

int
(PyRun_AnyFileFlags)(FILE *f, const char *filename, PyCompilerFlags *flags)
{
    return PyRun_AnyFileExFlags(f, filename, 0, flags);
}

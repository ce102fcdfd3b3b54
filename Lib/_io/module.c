/* The _io module: its types, and open(), which stacks the layers that the mode asks for. */
#include "io_module.h"
#include "internal/fileutils.h"
#include "internal/module_init.h"

/* ------------------------------------------------------------ text_encoding */

static PyObject *
io_text_encoding(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    int stacklevel = 2;
    if (!_PyArg_CheckPositional("text_encoding", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2 && (stacklevel = _PyLong_AsInt(args[1])) == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (args[0] != NULL && args[0] != Py_None) {
        return Py_NewRef(args[0]);
    }
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (interp->config.warn_default_encoding
        && PyErr_WarnEx(PyExc_EncodingWarning, "'encoding' argument not specified",
                        stacklevel) < 0) {
        return NULL;
    }
    return PyUnicode_FromString(_PyRuntime.preconfig.utf8_mode ? "utf-8" : "locale");
}

/* --------------------------------------------------------------------- open */

typedef struct {
    int creating, reading, writing, appending, updating, text, binary;
    char raw[6];                /* the mode for FileIO */
} OpenMode;

static int
parse_open_mode(const char *mode, OpenMode *m)
{
    memset(m, 0, sizeof(*m));
    for (const char *p = mode; *p; p++) {
        int *flag;
        switch (*p) {
        case 'x': flag = &m->creating; break;
        case 'r': flag = &m->reading; break;
        case 'w': flag = &m->writing; break;
        case 'a': flag = &m->appending; break;
        case '+': flag = &m->updating; break;
        case 't': flag = &m->text; break;
        case 'b': flag = &m->binary; break;
        default: flag = NULL; break;
        }
        if (flag == NULL || *flag) {    /* unknown or twice */
            PyErr_Format(PyExc_ValueError, "invalid mode: '%s'", mode);
            return -1;
        }
        *flag = 1;
    }
    char *out = m->raw;
    const struct {
        int on;
        char letter;
    } letters[] = {{m->creating, 'x'}, {m->reading, 'r'}, {m->writing, 'w'},
                   {m->appending, 'a'}, {m->updating, '+'}};
    for (int i = 0; i < 5; i++) {
        if (letters[i].on) {
            *out++ = letters[i].letter;
        }
    }
    if (m->text && m->binary) {
        PyErr_SetString(PyExc_ValueError, "can't have text and binary mode at once");
        return -1;
    }
    if (m->creating + m->reading + m->writing + m->appending > 1) {
        PyErr_SetString(PyExc_ValueError,
                        "must have exactly one of create/read/write/append mode");
        return -1;
    }
    return 0;
}

static int
check_binary_options(const OpenMode *m, const char *encoding, const char *errors,
                     const char *newline)
{
    const char *wrong = !m->binary ? NULL
        : encoding != NULL ? "an encoding" : errors != NULL ? "an errors"
        : newline != NULL ? "a newline" : NULL;
    if (wrong != NULL) {
        PyErr_Format(PyExc_ValueError, "binary mode doesn't take %s argument", wrong);
        return -1;
    }
    return 0;
}

/* The buffer size of a raw file: its block size. */
static int
default_buffering(PyObject *raw)
{
    PyObject *size = PyObject_GetAttr(raw, _Py_NAME(_blksize));
    if (size == NULL) {
        return -1;
    }
    int n = _PyLong_AsInt(size);
    Py_DECREF(size);
    return n == -1 && PyErr_Occurred() ? -1 : n > 1 ? n : DEFAULT_BUFFER_SIZE;
}

static PyObject *
open_layers(PyObject *raw, const char *mode, const OpenMode *m, int buffering,
            const char *encoding, const char *errors, const char *newline, PyObject **result)
{
    *result = Py_NewRef(raw);
    PyObject *tty = PyObject_CallMethodNoArgs(raw, _Py_NAME(isatty));
    int is_tty = tty == NULL ? -1 : PyObject_IsTrue(tty);
    Py_XDECREF(tty);
    if (is_tty < 0) {
        return NULL;
    }
    int line_buffering = buffering == 1 || (buffering < 0 && is_tty);
    if (buffering == 1 || buffering < 0) {
        buffering = default_buffering(raw);
        if (buffering < 0) {
            return NULL;
        }
    }
    if (buffering == 0) {
        if (!m->binary) {
            PyErr_SetString(PyExc_ValueError, "can't have unbuffered text I/O");
            return NULL;
        }
        return *result;
    }
    PyTypeObject *type;
    if (m->updating) {
        type = &PyBufferedRandom_Type;
    }
    else if (m->creating || m->writing || m->appending) {
        type = &PyBufferedWriter_Type;
    }
    else if (m->reading) {
        type = &PyBufferedReader_Type;
    }
    else {
        PyErr_Format(PyExc_ValueError, "unknown mode: '%s'", mode);
        return NULL;
    }
    PyObject *buffer = PyObject_CallFunction((PyObject *)type, "Oi", raw, buffering);
    if (buffer == NULL) {
        return NULL;
    }
    Py_SETREF(*result, buffer);
    if (m->binary) {
        return *result;
    }
    PyObject *text = PyObject_CallFunction((PyObject *)&PyTextIOWrapper_Type, "OsssO", buffer,
                                           encoding, errors, newline,
                                           line_buffering ? Py_True : Py_False);
    if (text == NULL) {
        return NULL;
    }
    Py_SETREF(*result, text);
    PyObject *mode_text = PyUnicode_FromString(mode);
    int rc = mode_text == NULL ? -1 : PyObject_SetAttr(text, _Py_NAME(mode), mode_text);
    Py_XDECREF(mode_text);
    return rc < 0 ? NULL : *result;
}

static PyObject *
io_open(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"file", "mode", "buffering", "encoding", "errors",
                                           "newline", "closefd", "opener", NULL};
    static _PyArg_Parser parser = {.format = "O|sizzziO:open", .keywords = keywords};
    PyObject *file, *opener = Py_None;
    const char *mode = "r", *encoding = NULL, *errors = NULL, *newline = NULL;
    int buffering = -1, closefd = 1;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &file, &mode, &buffering,
                                      &encoding, &errors, &newline, &closefd, &opener)) {
        return NULL;
    }
    OpenMode m;
    PyObject *path = PyNumber_Check(file) ? Py_NewRef(file) : PyOS_FSPath(file);
    if (path == NULL) {
        return NULL;
    }
    if (!PyUnicode_Check(path) && !PyBytes_Check(path) && !PyNumber_Check(path)) {
        PyErr_Format(PyExc_TypeError, "invalid file: %R", file);
        Py_DECREF(path);
        return NULL;
    }
    PyObject *result = NULL;
    if (parse_open_mode(mode, &m) < 0 || check_binary_options(&m, encoding, errors, newline) < 0) {
        goto error;
    }
    if (m.binary && buffering == 1
        && PyErr_WarnEx(PyExc_RuntimeWarning,
                        "line buffering (buffering=1) isn't supported in binary mode, the "
                        "default buffer size will be used", 1) < 0) {
        goto error;
    }
    PyObject *raw = PyObject_CallFunction((PyObject *)&PyFileIO_Type, "OsOO", path, m.raw,
                                          closefd ? Py_True : Py_False, opener);
    Py_CLEAR(path);
    if (raw == NULL) {
        return NULL;
    }
    PyObject *top = open_layers(raw, mode, &m, buffering, encoding, errors, newline, &result);
    Py_DECREF(raw);
    if (top != NULL) {
        return top;
    }
error:
    Py_XDECREF(path);
    if (result != NULL) {       /* close what has been opened, and keep its error as context */
        PyObject *type, *value, *tb;
        PyErr_Fetch(&type, &value, &tb);
        PyObject *r = PyObject_CallMethodNoArgs(result, _Py_NAME(close));
        _PyErr_ChainExceptions(type, value, tb);
        Py_XDECREF(r);
        Py_DECREF(result);
    }
    return NULL;
}

static PyObject *
io_open_code(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    static const char *const keywords[] = {"path", NULL};
    static _PyArg_Parser parser = {.format = "U:open_code", .keywords = keywords};
    PyObject *path;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &path)) {
        return NULL;
    }
    return PyFile_OpenCodeObject(path);
}

/* --------------------------------------------------------------- the module */

PyObject *
_PyIO_LocaleEncoding(void)
{
    return _PyRuntime.preconfig.utf8_mode
        ? PyUnicode_FromString("utf-8")
        : _Py_GetLocaleEncodingObject();
}

static PyMethodDef io_methods[] = {
    {"open", FAST_KEYWORDS(io_open),
     "open($module, /, file, mode='r', buffering=-1, encoding=None,\n"
     "     errors=None, newline=None, closefd=True, opener=None)\n--\n\n"
     "Opens a file. Modes: r read, w write, x create, a append, b binary, t text, + both."},
    {"open_code", FAST_KEYWORDS(io_open_code),
     "open_code($module, /, path)\n--\n\nOpens a file that will be executed."},
    {"text_encoding", FAST(io_text_encoding),
     "text_encoding($module, encoding, stacklevel=2, /)\n--\n\nThe encoding that stands for None."},
    {NULL, NULL, 0, NULL}
};

static int
io_exec(PyObject *module)
{
    static PyTypeObject *const types[] = {
        &PyIOBase_Type, &PyRawIOBase_Type, &PyBufferedIOBase_Type, &PyTextIOBase_Type,
        &PyFileIO_Type, &PyBytesIO_Type, &PyStringIO_Type, &PyBufferedReader_Type,
        &PyBufferedWriter_Type, &PyBufferedRWPair_Type, &PyBufferedRandom_Type,
        &PyTextIOWrapper_Type, &PyIncrementalNewlineDecoder_Type,
    };
    if (PyType_Ready(&_PyBytesIOBuffer_Type) < 0) {
        return -1;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (PyModule_AddType(module, types[i]) < 0) {
            return -1;
        }
    }
    PyObject *unsupported = _PyIO_Unsupported();
    if (unsupported == NULL
        || PyModule_AddObjectRef(module, "UnsupportedOperation", unsupported) < 0
        || PyModule_AddObjectRef(module, "BlockingIOError", PyExc_BlockingIOError) < 0) {
        return -1;
    }
    return PyModule_AddIntConstant(module, "DEFAULT_BUFFER_SIZE", DEFAULT_BUFFER_SIZE);
}

/* Named after the module that programs import: `open.__module__` is "io". */
static struct PyModuleDef io_module = {
    PyModuleDef_HEAD_INIT, "io", "Files: raw, buffered and text.", -1, io_methods, NULL,
    NULL, NULL, NULL
};

MODULE_INIT(_io)
{
    PyObject *module = PyModule_Create(&io_module);
    if (module != NULL && io_exec(module) < 0) {
        Py_CLEAR(module);
    }
    return module;
}

/* The `_tokenize` module: the parser's tokenizer as an iterator over a string. */

#include "Python.h"
#include "internal/module_init.h"
#include "internal/tokenizer.h"
#include "internal/source_encoding.h"

#include <string.h>

typedef struct {
    PyObject_HEAD
    AstArena *arena;            /* of the text */
    PyObject *filename;
    Tokenizer tok;
    int done;
} TokenizerIter;

static PyObject *
tokenizeriter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"source", NULL};
    SourceText source = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s:tokenizeriter", names,
                                     &source.text))
    {
        return NULL;
    }
    TokenizerIter *self = (TokenizerIter *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    source.size = (Py_ssize_t)strlen(source.text);
    self->arena = _PyAstArena_New();
    self->filename = PyUnicode_FromString("<string>");
    Py_ssize_t size = 0;
    char *text = self->arena == NULL || self->filename == NULL ? NULL
        : _PySource_Normalize(&source, 1, self->arena, &size);
    if (text == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    _PyTok_Init(&self->tok, text, size, self->filename);
    return (PyObject *)self;
}

static PyObject *
tokenizeriter_next(TokenizerIter *self)
{
    Token token;
    if (self->done) {
        return NULL;
    }
    TokenType type = _PyTok_Next(&self->tok, &token);
    if (type == TOK_ERROR || type == TOK_ENDMARKER) {
        self->done = 1;
        return NULL;
    }
    if (type == TOK_NAME && token.length == 5) {
        type = memcmp(token.start, "async", 5) == 0 ? TOK_ASYNC
            : memcmp(token.start, "await", 5) == 0 ? TOK_AWAIT : type;
    }
    PyObject *text = token.start == NULL ? PyUnicode_FromString("")
        : PyUnicode_DecodeUTF8(token.start, token.length, "replace");
    PyObject *shown = PyUnicode_DecodeUTF8(
        self->tok.shown, self->tok.line_end - self->tok.shown, "replace");
    if (text == NULL || shown == NULL) {
        Py_XDECREF(text);
        Py_XDECREF(shown);
        return NULL;
    }
    return Py_BuildValue("(NiiiiiN)", text, (int)type, token.lineno, token.end_lineno,
                         token.col_offset, token.end_col_offset, shown);
}

static void
tokenizeriter_dealloc(TokenizerIter *self)
{
    PyTypeObject *type = Py_TYPE(self);
    _PyAstArena_Free(self->arena);
    Py_XDECREF(self->filename);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyType_Slot tokenizeriter_slots[] = {
    {Py_tp_new, tokenizeriter_new},
    {Py_tp_dealloc, tokenizeriter_dealloc},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, tokenizeriter_next},
    {0, NULL}
};

static PyType_Spec tokenizeriter_spec = {
    .name = "_tokenize.TokenizerIter",
    .basicsize = sizeof(TokenizerIter),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = tokenizeriter_slots,
};

static int
tokenize_exec(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &tokenizeriter_spec, NULL);
    if (type == NULL) {
        return -1;
    }
    int result = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return result;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, tokenize_exec},
    {0, NULL}
};

static struct PyModuleDef tokenize_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_tokenize",
    .m_slots = module_slots,
};

MODULE_INIT(_tokenize)
{
    return PyModuleDef_Init(&tokenize_module);
}

/* pyexpat: an interface to the expat XML parser.

   The module also exports its C interface as a capsule, through which _elementtree uses
   expat. */

#include "pyexpat_module.h"

/* The layout and the name are a contract with compiled modules. */
#define CAPI_MAGIC "pyexpat.expat_CAPI 1.1"
#define CAPI_NAME "pyexpat.expat_CAPI"
#include "expat_capi.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

static struct PyExpat_CAPI capi = {
    .magic = (char *)CAPI_MAGIC,
    .size = sizeof(struct PyExpat_CAPI),
    .MAJOR_VERSION = XML_MAJOR_VERSION,
    .MINOR_VERSION = XML_MINOR_VERSION,
    .MICRO_VERSION = XML_MICRO_VERSION,
    .ErrorString = XML_ErrorString,
    .GetErrorCode = XML_GetErrorCode,
    .GetErrorColumnNumber = XML_GetErrorColumnNumber,
    .GetErrorLineNumber = XML_GetErrorLineNumber,
    .Parse = XML_Parse,
    .ParserCreate_MM = XML_ParserCreate_MM,
    .ParserFree = XML_ParserFree,
    .SetCharacterDataHandler = XML_SetCharacterDataHandler,
    .SetCommentHandler = XML_SetCommentHandler,
    .SetDefaultHandlerExpand = XML_SetDefaultHandlerExpand,
    .SetElementHandler = XML_SetElementHandler,
    .SetNamespaceDeclHandler = XML_SetNamespaceDeclHandler,
    .SetProcessingInstructionHandler = XML_SetProcessingInstructionHandler,
    .SetUnknownEncodingHandler = XML_SetUnknownEncodingHandler,
    .SetUserData = XML_SetUserData,
    .SetStartDoctypeDeclHandler = XML_SetStartDoctypeDeclHandler,
    .SetEncoding = XML_SetEncoding,
    .DefaultUnknownEncodingHandler = _PyExpat_UnknownEncoding,
    .SetHashSalt = XML_SetHashSalt,
};

static pyexpat_state *
state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

/* ---------------------------------------------------------------- functions */

/* 0 with *text NULL for None; -1 with an exception set. */
static int
optional_text(PyObject *arg, const char *name, const char **text)
{
    *text = NULL;
    if (arg == NULL || arg == Py_None) {
        return 0;
    }
    if (!PyUnicode_Check(arg)) {
        PyErr_Format(PyExc_TypeError,
                     "ParserCreate() argument '%s' must be str or None, "
                     "not %.50s", name, Py_TYPE(arg)->tp_name);
        return -1;
    }
    Py_ssize_t n;
    *text = PyUnicode_AsUTF8AndSize(arg, &n);
    if (*text == NULL) {
        return -1;
    }
    if (strlen(*text) != (size_t)n) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return -1;
    }
    return 0;
}

static PyObject *
pyexpat_ParserCreate(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                     PyObject *kwnames)
{
    static const char *const keywords[] = {
        "encoding", "namespace_separator", "intern", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .format = "|OOO:ParserCreate"};
    PyObject *encoding_arg = NULL, *separator_arg = NULL, *intern = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser,
                                      &encoding_arg, &separator_arg, &intern)) {
        return NULL;
    }
    const char *encoding, *separator;
    if (optional_text(encoding_arg, "encoding", &encoding) < 0
            || optional_text(separator_arg, "namespace_separator",
                             &separator) < 0) {
        return NULL;
    }
    if (separator != NULL && strlen(separator) > 1) {
        PyErr_SetString(PyExc_ValueError,
                        "namespace_separator must be at most one character, "
                        "omitted, or None");
        return NULL;
    }
    if (intern == Py_None) {
        return _PyExpat_NewParser(state_of(module), encoding, separator, NULL);
    }
    if (intern != NULL && !PyDict_Check(intern)) {
        PyErr_SetString(PyExc_TypeError, "intern must be a dictionary");
        return NULL;
    }
    PyObject *names = intern == NULL ? PyDict_New() : Py_NewRef(intern);
    if (names == NULL) {
        return NULL;
    }
    PyObject *result = _PyExpat_NewParser(state_of(module), encoding,
                                          separator, names);
    Py_DECREF(names);
    return result;
}

static PyObject *
pyexpat_ErrorString(PyObject *Py_UNUSED(module), PyObject *arg)
{
    long code = PyLong_AsLong(arg);
    if (code == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return Py_BuildValue("z", XML_ErrorString((enum XML_Error)(int)code));
}

static PyMethodDef pyexpat_methods[] = {
    {"ParserCreate", FAST_KEYWORDS(pyexpat_ParserCreate),
     "ParserCreate($module, /, encoding=None, namespace_separator=None,\n"
     "             intern=<unrepresentable>)\n--\n\n"
     "A new XML parser."},
    {"ErrorString", pyexpat_ErrorString, METH_O,
     "ErrorString($module, code, /)\n--\n\n"
     "What the number of an error stands for."},
    {NULL, NULL, 0, NULL}
};

/* ------------------------------------------------------------------- module */

static int
add_capsule(PyObject *module)
{
    PyObject *capsule = PyCapsule_New(&capi, CAPI_NAME, NULL);
    if (capsule == NULL) {
        return -1;
    }
    int result = PyModule_AddObjectRef(module, "expat_CAPI", capsule);
    Py_DECREF(capsule);
    return result;
}

static int
pyexpat_exec(PyObject *module)
{
    pyexpat_state *state = state_of(module);
    state->str_read = PyUnicode_InternFromString("read");
    state->parser_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &_PyExpat_ParserSpec, NULL);
    state->error = PyErr_NewException("xml.parsers.expat.ExpatError", NULL,
                                      NULL);
    if (state->str_read == NULL || state->parser_type == NULL
            || state->error == NULL
            || PyModule_AddObjectRef(module, "error", state->error) < 0
            || PyModule_AddObjectRef(module, "ExpatError", state->error) < 0
            || PyModule_AddObjectRef(module, "XMLParserType",
                                     (PyObject *)state->parser_type) < 0
            || _PyExpat_AddConstants(module) < 0) {
        return -1;
    }
    return add_capsule(module);
}

static int
pyexpat_traverse(PyObject *module, visitproc visit, void *arg)
{
    pyexpat_state *state = state_of(module);
    Py_VISIT(state->parser_type);
    Py_VISIT(state->error);
    return 0;
}

static int
pyexpat_clear(PyObject *module)
{
    pyexpat_state *state = state_of(module);
    Py_CLEAR(state->parser_type);
    Py_CLEAR(state->error);
    Py_CLEAR(state->str_read);
    return 0;
}

static void
pyexpat_free(void *module)
{
    (void)pyexpat_clear(module);
}

static PyModuleDef_Slot pyexpat_slots[] = {
    {Py_mod_exec, pyexpat_exec},
    {0, NULL}
};

static struct PyModuleDef pyexpat_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "pyexpat",
    .m_doc = "Python wrapper for Expat parser.",
    .m_size = sizeof(pyexpat_state),
    .m_methods = pyexpat_methods,
    .m_slots = pyexpat_slots,
    .m_traverse = pyexpat_traverse,
    .m_clear = pyexpat_clear,
    .m_free = pyexpat_free,
};

MODULE_INIT(pyexpat)
{
    return PyModuleDef_Init(&pyexpat_module);
}

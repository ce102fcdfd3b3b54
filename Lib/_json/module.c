/* The _json module, which the json package is quick with. */
#include "json_impl.h"
#include "internal/module_init.h"

static PyObject *
encode(PyObject *str, int ascii)
{
    if (_PyJson_ReadyArgument(str) < 0) {
        return NULL;
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    if (_PyJson_WriteString(&writer, str, ascii) < 0) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

PyObject *
_PyJson_EncodeString(PyObject *Py_UNUSED(module), PyObject *str)
{
    return encode(str, 0);
}

PyObject *
_PyJson_EncodeStringAscii(PyObject *Py_UNUSED(module), PyObject *str)
{
    return encode(str, 1);
}

static PyObject *
scanstring(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text;
    Py_ssize_t at, end;
    int strict = 1;
    if (!PyArg_ParseTuple(args, "On|p:scanstring", &text, &at, &strict)) {
        return NULL;
    }
    if (_PyJson_ReadyArgument(text) < 0) {
        return NULL;
    }
    if (at < 0 || at > PyUnicode_GET_LENGTH(text)) {
        PyErr_SetString(PyExc_ValueError, "end is out of bounds");
        return NULL;
    }
    PyObject *str = _PyJson_ReadString(text, at, strict, &end);
    return str != NULL ? Py_BuildValue("(Nn)", str, end) : NULL;
}

static PyMethodDef methods[] = {
    {"encode_basestring_ascii", _PyJson_EncodeStringAscii, METH_O,
     "encode_basestring_ascii(string) -> string\n\n"
     "The string as JSON has it, in ASCII."},
    {"encode_basestring", _PyJson_EncodeString, METH_O,
     "encode_basestring(string) -> string\n\n"
     "The string as JSON has it."},
    {"scanstring", scanstring, METH_VARARGS,
     "scanstring(string, end, strict=True) -> (string, end)\n\n"
     "Reads the JSON string whose first character, behind the quote, is at index\n"
     "`end`. Returns it and the index behind its closing quote. If not strict,\n"
     "control characters may stand for themselves."},
    {NULL, NULL, 0, NULL}
};

static int
add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    int err = type != NULL ? PyModule_AddObjectRef(module, name, type) : -1;
    Py_XDECREF(type);
    return err;
}

static int
module_exec(PyObject *module)
{
    return add_type(module, "make_scanner", &_PyJson_ScannerSpec) < 0
           || add_type(module, "make_encoder", &_PyJson_EncoderSpec) < 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

static struct PyModuleDef json_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_json",
    .m_doc = "What the json package does most.",
    .m_methods = methods,
    .m_slots = slots,
};

MODULE_INIT(_json)
{
    return PyModuleDef_Init(&json_module);
}

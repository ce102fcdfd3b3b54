/* The _string module: the parsers that string.Formatter is built on. */
#include "Python.h"
#include "internal/module_init.h"
#include "internal/str_format.h"

static PyObject *
formatter_parser(PyObject *Py_UNUSED(module), PyObject *format)
{
    return _PyStrFormat_Parser(format);
}

static PyObject *
formatter_field_name_split(PyObject *Py_UNUSED(module), PyObject *name)
{
    return _PyStrFormat_FieldNameSplit(name);
}

static PyMethodDef string_methods[] = {
    {"formatter_field_name_split", formatter_field_name_split, METH_O,
     "split the argument as a field name"},
    {"formatter_parser", formatter_parser, METH_O,
     "parse the argument as a format string"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef string_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_string",
    .m_doc = "string helper module",
    .m_methods = string_methods,
};

MODULE_INIT(_string)
{
    return PyModuleDef_Init(&string_module);
}

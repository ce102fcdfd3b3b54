/* _TextIOBase: the base of text files, which can do nothing by itself. */
#include "io_module.h"

#define UNSUPPORTED(name) \
static PyObject * \
textbase_##name(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args)) \
{ \
    return _PyIO_RaiseUnsupported(#name); \
}
UNSUPPORTED(detach)
UNSUPPORTED(read)
UNSUPPORTED(readline)
UNSUPPORTED(write)

static PyObject *
get_none(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    Py_RETURN_NONE;
}

static PyMethodDef textbase_methods[] = {
    {"detach", textbase_detach, METH_NOARGS,
     "Separates the buffer below, and returns it; the text file can't be used afterwards."},
    {"read", textbase_read, METH_VARARGS,
     "Reads up to so many characters, or to the end if the number is negative or missing."},
    {"readline", textbase_readline, METH_VARARGS,
     "Reads to the end of the line; an empty string at the end of the file."},
    {"write", textbase_write, METH_VARARGS,
     "Writes a string, and returns how many characters it has."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef textbase_getset[] = {
    {"encoding", get_none, NULL, "name of the encoding; None here", NULL},
    {"newlines", get_none, NULL, "line ends seen while reading; None here", NULL},
    {"errors", get_none, NULL, "name of the error handler; None here", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyTextIOBase_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io._TextIOBase",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "The base of text files.",
    .tp_methods = textbase_methods,
    .tp_getset = textbase_getset,
    .tp_base = &PyIOBase_Type,
};

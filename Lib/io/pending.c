/* Placeholders, until the text layer lands (a matter of hours): weak, so that
   the real types win. */
#include "io_module.h"

#define PENDING(type, name) \
__attribute__((weak)) PyTypeObject type = { \
    PyVarObject_HEAD_INIT(&PyType_Type, 0) \
    .tp_name = "_io." name, .tp_basicsize = sizeof(PyObject), \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, \
    .tp_base = &PyBaseObject_Type, \
}
PENDING(PyTextIOWrapper_Type, "TextIOWrapper");
PENDING(_PyBytesIOBuffer_Type, "_BytesIOBuffer");
PENDING(PyTextIOBase_Type, "_TextIOBase");
PENDING(PyStringIO_Type, "StringIO");
PENDING(PyIncrementalNewlineDecoder_Type, "IncrementalNewlineDecoder");
PENDING(PyBytesIO_Type, "BytesIO");

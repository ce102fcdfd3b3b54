/* The _string module's view of str.format (Objects/unicode/str_format.c). */
#ifndef SB_INTERNAL_STR_FORMAT_H
#define SB_INTERNAL_STR_FORMAT_H

#include "Python.h"

/* An iterator of (literal, field_name, format_spec, conversion). */
PyObject *_PyStrFormat_Parser(PyObject *format);
/* (first, iterator of (is_attribute, name)). */
PyObject *_PyStrFormat_FieldNameSplit(PyObject *field_name);

#endif

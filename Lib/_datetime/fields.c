/* The fields of date, time and datetime: what the three types do alike with them. */

#include "datetime_module.h"

PyObject *
_dt_get_field(PyObject *self, void *closure)
{
    const unsigned char *byte = (unsigned char *)self + (uintptr_t)closure / 4;
    long value = *byte++;
    for (uintptr_t left = (uintptr_t)closure % 4; --left > 0;) {
        value = value << 8 | *byte++;
    }
    return PyLong_FromLong(value);
}

PyObject *
_dt_new_from_fields(PyTypeObject *type, PyObject *fields)
{
    if (fields == NULL) {
        return NULL;
    }
    PyObject *result = type->tp_new(type, fields, NULL);
    Py_DECREF(fields);
    return result;
}

int
_dt_append_seconds(char *text, size_t size, int length, int second, int us)
{
    if (us != 0 || second != 0) {
        length += PyOS_snprintf(text + length, size - (size_t)length, ", %d", second);
    }
    if (us != 0) {
        length += PyOS_snprintf(text + length, size - (size_t)length, ", %d", us);
    }
    return length;
}

/* The types of all floors that are static variables. Start-up makes them ready. */
#include "Python.h"
#include "internal/object.h"

#define STATIC_TYPE(type) extern PyTypeObject type;
#include "static_types.def"
#undef STATIC_TYPE

static PyTypeObject *const static_types[] = {
    &PyBaseObject_Type,
    &PyType_Type,
    /* Making a static method copies attributes of the function. */
    &PyCFunction_Type,
    &PyStaticMethod_Type,
#define STATIC_TYPE(type) &type,
#include "static_types.def"
#undef STATIC_TYPE
};

int
_PyTypes_Init(void)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(static_types); i++) {
        PyTypeObject *type = static_types[i];
        if (PyType_Ready(type) < 0) {
            return -1;
        }
        Py_SET_REFCNT(type, _Py_IMMORTAL_REFCNT);
    }
    return 0;
}

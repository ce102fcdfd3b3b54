/* The tables of built-in and of frozen modules. */
#ifndef Py_CPYTHON_IMPORT_H
#define Py_CPYTHON_IMPORT_H

_Py_BEGIN_DECLS

/* Both tables end with an entry whose name is NULL. */
struct _inittab {
    const char *name;               /* ASCII */
    PyObject *(*initfunc)(void);
};

struct _frozen {
    const char *name;
    const unsigned char *code;      /* as marshal writes it */
    int size;
    int is_package;
    PyObject *(*get_code)(void);
};

/* May only be changed before Py_Initialize. */
PyAPI_DATA(struct _inittab *) PyImport_Inittab;
PyAPI_DATA(const struct _frozen *) PyImport_FrozenModules;
PyAPI_FUNC(int) PyImport_ExtendInittab(struct _inittab *newtab);

PyAPI_FUNC(PyObject *) PyInit__imp(void);
PyAPI_FUNC(PyObject *) _PyImport_GetModuleId(_Py_Identifier *name);
PyAPI_FUNC(PyObject *) _PyImport_GetModuleAttr(PyObject *name, PyObject *attr);
PyAPI_FUNC(PyObject *) _PyImport_GetModuleAttrString(const char *name, const char *attr);

_Py_END_DECLS
#endif

/* The layout of descriptors, and descriptors that wrap a type's slots. */
#ifndef Py_CPYTHON_DESCROBJECT_H
#define Py_CPYTHON_DESCROBJECT_H

_Py_BEGIN_DECLS

/* A slot with a name: `function` is called through a wrapper that unpacks arguments. */
typedef PyObject *(*wrapperfunc)(PyObject *self, PyObject *args, void *wrapped);
typedef PyObject *(*wrapperfunc_kwds)(PyObject *self, PyObject *args, void *wrapped,
                                      PyObject *kwds);

struct wrapperbase {
    const char *name;
    int offset;             /* of the slot in the type */
    void *function;
    wrapperfunc wrapper;
    const char *doc;
    int flags;
    PyObject *name_strobj;
};

/* The wrapper is a wrapperfunc_kwds. */
#define PyWrapperFlag_KEYWORDS 1

typedef struct {
    PyObject_HEAD
    PyTypeObject *d_type;
    PyObject *d_name;
    PyObject *d_qualname;
} PyDescrObject;

#define PyDescr_COMMON PyDescrObject d_common

#define PyDescr_TYPE(x) (((PyDescrObject *)(x))->d_type)
#define PyDescr_NAME(x) (((PyDescrObject *)(x))->d_name)

typedef struct {
    PyDescr_COMMON;
    PyMethodDef *d_method;
    vectorcallfunc vectorcall;
} PyMethodDescrObject;

typedef struct {
    PyDescr_COMMON;
    PyMemberDef *d_member;
} PyMemberDescrObject;

typedef struct {
    PyDescr_COMMON;
    PyGetSetDef *d_getset;
} PyGetSetDescrObject;

typedef struct {
    PyDescr_COMMON;
    struct wrapperbase *d_base;
    void *d_wrapped;
} PyWrapperDescrObject;

PyAPI_DATA(PyTypeObject) _PyMethodWrapper_Type;

PyAPI_FUNC(PyObject *) PyDescr_NewWrapper(PyTypeObject *type, struct wrapperbase *wrapper,
    void *wrapped);
/* Whether it has __set__ or __delete__. */
PyAPI_FUNC(int) PyDescr_IsData(PyObject *descr);

_Py_END_DECLS
#endif

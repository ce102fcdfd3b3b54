/* C functions as functions and methods of Python. */
#ifndef Py_METHODOBJECT_H
#define Py_METHODOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyCFunction_Type;

#define PyCFunction_CheckExact(op) Py_IS_TYPE((op), &PyCFunction_Type)
#define PyCFunction_Check(op)      PyObject_TypeCheck((op), &PyCFunction_Type)

/* The C types of the function, chosen by the flags below. */
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
typedef PyObject *(*PyCFunctionWithKeywords)(PyObject *, PyObject *, PyObject *);
typedef PyObject *(*_PyCFunctionFast)(PyObject *, PyObject *const *, Py_ssize_t);
typedef PyObject *(*_PyCFunctionFastWithKeywords)(PyObject *, PyObject *const *, Py_ssize_t,
                                                  PyObject *);
typedef PyObject *(*PyCMethod)(PyObject *, PyTypeObject *, PyObject *const *, size_t,
                               PyObject *);

/* Casts any of them to the type of ml_meth, without a compiler warning. */
#ifdef __cplusplus
#  define _PyCFunction_CAST(func) \
    reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)(void)>(func))
#else
#  define _PyCFunction_CAST(func) ((PyCFunction)(void (*)(void))(func))
#endif

struct PyMethodDef {
    const char *ml_name;    /* NULL ends an array */
    PyCFunction ml_meth;
    int ml_flags;
    const char *ml_doc;
};

/* ml_flags: exactly one of the calling conventions …
     VARARGS                     self, a tuple
     VARARGS | KEYWORDS          self, a tuple, a dict or NULL
     NOARGS                      self, NULL
     O                           self, the argument
     FASTCALL                    self, an array, its length
     FASTCALL | KEYWORDS         …, a tuple of the names of the values at the array's end
     METHOD | FASTCALL | KEYWORDS    self, the class that defines the method, … */
#define METH_VARARGS   0x0001
#define METH_KEYWORDS  0x0002
#define METH_NOARGS    0x0004
#define METH_O         0x0008
#if _Py_API_SINCE(10)
#  define METH_FASTCALL 0x0080
#endif
#if _Py_API_SINCE(9)
#  define METH_METHOD  0x0200
#endif
#define METH_STACKLESS 0x0000
/* … and in a type, what self is. COEXIST replaces a slot's method of the same name. */
#define METH_CLASS     0x0010
#define METH_STATIC    0x0020
#define METH_COEXIST   0x0040

/* self and module may be NULL, and so may cls. The definition must outlive the function. */
PyAPI_FUNC(PyObject *) PyCFunction_New(PyMethodDef *ml, PyObject *self);
PyAPI_FUNC(PyObject *) PyCFunction_NewEx(PyMethodDef *ml, PyObject *self,
    PyObject *module);
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyObject *) PyCMethod_New(PyMethodDef *ml, PyObject *self, PyObject *module,
    PyTypeObject *cls);
#endif
#define PyCFunction_New(ML, SELF) PyCFunction_NewEx((ML), (SELF), NULL)
#if _Py_API_SINCE(9)
#  define PyCFunction_NewEx(ML, SELF, MOD) PyCMethod_New((ML), (SELF), (MOD), NULL)
#endif

/* self is borrowed. NULL for a static method. */
PyAPI_FUNC(PyCFunction) PyCFunction_GetFunction(PyObject *func);
PyAPI_FUNC(PyObject *) PyCFunction_GetSelf(PyObject *func);
PyAPI_FUNC(int) PyCFunction_GetFlags(PyObject *func);
Py_DEPRECATED(3.9) PyAPI_FUNC(PyObject *) PyCFunction_Call(PyObject *func, PyObject *args,
    PyObject *kwargs);

#ifndef Py_LIMITED_API
#  include "cpython/methodobject.h"
#endif

_Py_END_DECLS
#endif

/* Names of the structures that several headers mention. */
#ifndef Py_PYTYPEDEFS_H
#define Py_PYTYPEDEFS_H

_Py_BEGIN_DECLS

typedef struct _object PyObject;
typedef struct _typeobject PyTypeObject;
typedef struct _longobject PyLongObject;

typedef struct PyMethodDef PyMethodDef;
typedef struct PyMemberDef PyMemberDef;
typedef struct PyGetSetDef PyGetSetDef;
typedef struct PyModuleDef PyModuleDef;
typedef struct PyModuleDef_Slot PyModuleDef_Slot;

typedef struct PyCodeObject PyCodeObject;
typedef struct _frame PyFrameObject;
typedef struct _ts PyThreadState;
typedef struct _is PyInterpreterState;

_Py_END_DECLS
#endif

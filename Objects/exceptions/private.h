/* Shared by the files of Objects/exceptions.

   A family is an exception type with fields of its own. It has a struct (public, 3.11's
   layout) and the slot functions NAME_new (some families only), NAME_init, NAME_clear,
   NAME_dealloc, NAME_traverse. A derived type uses its family's. */
#ifndef SB_EXCEPTIONS_COMMON_H
#define SB_EXCEPTIONS_COMMON_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "structmember.h"
#include "internal/exceptions.h"
#include "internal/gcstate.h"
#include "internal/names.h"

#include <stddef.h>

#define EXC_FLAGS \
    (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC \
     | Py_TPFLAGS_BASE_EXC_SUBCLASS)

/* A static type that uses a family's slots; more fields may follow. */
#define EXC_TYPE(NAME, BASE, STRUCT, FAMILY, DOC)                       \
    PyVarObject_HEAD_INIT(NULL, 0)                                      \
    .tp_name = #NAME,                                                   \
    .tp_basicsize = sizeof(STRUCT),                                     \
    .tp_dealloc = _PyExc_ ## FAMILY ## _dealloc,                        \
    .tp_flags = EXC_FLAGS,                                              \
    .tp_doc = PyDoc_STR(DOC),                                           \
    .tp_traverse = _PyExc_ ## FAMILY ## _traverse,                      \
    .tp_clear = _PyExc_ ## FAMILY ## _clear,                            \
    .tp_base = BASE,                                                    \
    .tp_dictoffset = offsetof(STRUCT, dict),                            \
    .tp_init = _PyExc_ ## FAMILY ## _init

#define DECLARE_FAMILY(NAME)                                            \
    int _PyExc_ ## NAME ## _init(PyObject *, PyObject *, PyObject *);   \
    int _PyExc_ ## NAME ## _clear(PyObject *);                          \
    int _PyExc_ ## NAME ## _traverse(PyObject *, visitproc, void *);    \
    void _PyExc_ ## NAME ## _dealloc(PyObject *);

DECLARE_FAMILY(BaseException)
DECLARE_FAMILY(OSError)
DECLARE_FAMILY(ImportError)
DECLARE_FAMILY(NameError)
DECLARE_FAMILY(SyntaxError)

PyObject *_PyExc_BaseException_new(PyTypeObject *, PyObject *, PyObject *);
PyObject *_PyExc_BaseException_str(PyObject *);
PyObject *_PyExc_BaseException_vectorcall(PyObject *, PyObject *const *,
                                          size_t, PyObject *);

#define SIMPLE(name, base, doc) extern PyTypeObject _PyExc_ ## name;
#define DERIVED(name, base, family, doc) extern PyTypeObject _PyExc_ ## name;
#define CUSTOM(name) extern PyTypeObject _PyExc_ ## name;
#include "exceptions.def"
#undef SIMPLE
#undef DERIVED
#undef CUSTOM

/* Defines clear, traverse and dealloc of a family. FIELDS(visit) lists the fields that
   hold references as visit(field). */
#define CLEAR_FIELD(field) Py_CLEAR(self->field);
#define VISIT_FIELD(field) Py_VISIT(self->field);
#define DEFINE_FAMILY_GC(NAME, STRUCT, FIELDS)                          \
    int                                                                 \
    _PyExc_ ## NAME ## _clear(PyObject *op)                             \
    {                                                                   \
        STRUCT *self = (STRUCT *)op;                                    \
        FIELDS(CLEAR_FIELD)                                             \
        return _PyExc_BaseException_clear(op);                          \
    }                                                                   \
                                                                        \
    int                                                                 \
    _PyExc_ ## NAME ## _traverse(PyObject *op, visitproc visit,         \
                                 void *arg)                             \
    {                                                                   \
        STRUCT *self = (STRUCT *)op;                                    \
        FIELDS(VISIT_FIELD)                                             \
        return _PyExc_BaseException_traverse(op, visit, arg);           \
    }                                                                   \
                                                                        \
    void                                                                \
    _PyExc_ ## NAME ## _dealloc(PyObject *op)                           \
    {                                                                   \
        PyObject_GC_UnTrack(op);                                        \
        Py_TRASHCAN_BEGIN(op, _PyExc_ ## NAME ## _dealloc)              \
        (void)_PyExc_ ## NAME ## _clear(op);                            \
        Py_TYPE(op)->tp_free(op);                                       \
        Py_TRASHCAN_END                                                 \
    }

int _PyExc_InitErrnoMap(void);
PyObject *_PyExc_ExceptionGroupType(void);     /* borrowed */
int _PyExc_InitGroup(void);
int _PyExc_InitMemoryErrors(void);
#endif

/* Capsules: a C pointer as an object, with which one extension gives its C API to
   another. A capsule's name must be given to get the pointer, so that nobody takes one
   for another. */
#ifndef Py_CAPSULE_H
#define Py_CAPSULE_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyCapsule_Type;

/* Called with the dying capsule. */
typedef void (*PyCapsule_Destructor)(PyObject *);

#define PyCapsule_CheckExact(op) Py_IS_TYPE((op), &PyCapsule_Type)

/* The name must outlive the capsule; it may be NULL, the pointer must not. */
PyAPI_FUNC(PyObject *) PyCapsule_New(void *pointer, const char *name,
    PyCapsule_Destructor destructor);
/* The pointer of the capsule that is the attribute `name` says: "package.module.attribute". */
PyAPI_FUNC(void *) PyCapsule_Import(const char *name, int no_block);

/* 1 or 0, no exception: is it a capsule of that name? */
PyAPI_FUNC(int) PyCapsule_IsValid(PyObject *capsule, const char *name);
/* NULL may be an error, except of GetPointer, where it always is. */
PyAPI_FUNC(void *) PyCapsule_GetPointer(PyObject *capsule, const char *name);
PyAPI_FUNC(const char *) PyCapsule_GetName(PyObject *capsule);
PyAPI_FUNC(PyCapsule_Destructor) PyCapsule_GetDestructor(PyObject *capsule);
PyAPI_FUNC(void *) PyCapsule_GetContext(PyObject *capsule);
PyAPI_FUNC(int) PyCapsule_SetPointer(PyObject *capsule, void *pointer);
PyAPI_FUNC(int) PyCapsule_SetName(PyObject *capsule, const char *name);
PyAPI_FUNC(int) PyCapsule_SetDestructor(PyObject *capsule,
    PyCapsule_Destructor destructor);
PyAPI_FUNC(int) PyCapsule_SetContext(PyObject *capsule, void *context);

_Py_END_DECLS
#endif

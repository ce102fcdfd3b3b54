/* Capsules: a C pointer as an object, by which one extension offers its C API to another.
   A capsule's name must be given to get the pointer, so that capsules are not confused. */
#ifndef Py_CAPSULE_H
#define Py_CAPSULE_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyCapsule_Type;

/* Called before the capsule is freed. */
typedef void (*PyCapsule_Destructor)(PyObject *);

#define PyCapsule_CheckExact(op) Py_IS_TYPE((op), &PyCapsule_Type)

/* The name must outlive the capsule, and may be NULL. The pointer must not be NULL. */
PyAPI_FUNC(PyObject *) PyCapsule_New(void *pointer, const char *name,
    PyCapsule_Destructor destructor);
/* The pointer of the capsule that is the attribute `name`: "package.module.attribute". */
PyAPI_FUNC(void *) PyCapsule_Import(const char *name, int no_block);

/* Returns 1 if it is a capsule of that name, else 0. Sets no exception. */
PyAPI_FUNC(int) PyCapsule_IsValid(PyObject *capsule, const char *name);
/* NULL may be an error; from GetPointer it always is. */
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

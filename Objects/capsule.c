/* Capsules: a C pointer as an object, with a name that its users check.

   A capsule is valid while its pointer is not NULL. It does not own its name. */
#include "Python.h"
#include "internal/object.h"

typedef struct {
    PyObject_HEAD
    void *pointer;
    const char *name;
    void *context;
    PyCapsule_Destructor destructor;
} capsule;

static int
same_name(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static capsule *
checked(PyObject *op, const char *function)
{
    if (op == NULL || !PyCapsule_CheckExact(op)
        || ((capsule *)op)->pointer == NULL) {
        PyErr_Format(PyExc_ValueError,
                     "%s called with invalid PyCapsule object", function);
        return NULL;
    }
    return (capsule *)op;
}

PyObject *
PyCapsule_New(void *pointer, const char *name,
              PyCapsule_Destructor destructor)
{
    if (pointer == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "PyCapsule_New called with null pointer");
        return NULL;
    }
    capsule *op = PyObject_New(capsule, &PyCapsule_Type);
    if (op == NULL) {
        return NULL;
    }
    op->pointer = pointer;
    op->name = name;
    op->context = NULL;
    op->destructor = destructor;
    return (PyObject *)op;
}

int
PyCapsule_IsValid(PyObject *op, const char *name)
{
    return op != NULL && PyCapsule_CheckExact(op)
           && ((capsule *)op)->pointer != NULL
           && same_name(((capsule *)op)->name, name);
}

void *
PyCapsule_GetPointer(PyObject *op, const char *name)
{
    capsule *c = checked(op, "PyCapsule_GetPointer");
    if (c == NULL) {
        return NULL;
    }
    if (!same_name(name, c->name)) {
        PyErr_SetString(PyExc_ValueError,
                        "PyCapsule_GetPointer called with incorrect name");
        return NULL;
    }
    return c->pointer;
}

const char *
PyCapsule_GetName(PyObject *op)
{
    capsule *c = checked(op, "PyCapsule_GetName");
    return c == NULL ? NULL : c->name;
}

PyCapsule_Destructor
PyCapsule_GetDestructor(PyObject *op)
{
    capsule *c = checked(op, "PyCapsule_GetDestructor");
    return c == NULL ? NULL : c->destructor;
}

void *
PyCapsule_GetContext(PyObject *op)
{
    capsule *c = checked(op, "PyCapsule_GetContext");
    return c == NULL ? NULL : c->context;
}

int
PyCapsule_SetPointer(PyObject *op, void *pointer)
{
    if (pointer == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "PyCapsule_SetPointer called with null pointer");
        return -1;
    }
    capsule *c = checked(op, "PyCapsule_SetPointer");
    if (c == NULL) {
        return -1;
    }
    c->pointer = pointer;
    return 0;
}

int
PyCapsule_SetName(PyObject *op, const char *name)
{
    capsule *c = checked(op, "PyCapsule_SetName");
    if (c == NULL) {
        return -1;
    }
    c->name = name;
    return 0;
}

int
PyCapsule_SetDestructor(PyObject *op, PyCapsule_Destructor destructor)
{
    capsule *c = checked(op, "PyCapsule_SetDestructor");
    if (c == NULL) {
        return -1;
    }
    c->destructor = destructor;
    return 0;
}

int
PyCapsule_SetContext(PyObject *op, void *context)
{
    capsule *c = checked(op, "PyCapsule_SetContext");
    if (c == NULL) {
        return -1;
    }
    c->context = context;
    return 0;
}

/* "package.module.attribute": imports the first part, and looks up the others as
   attributes. */
void *
PyCapsule_Import(const char *name, int Py_UNUSED(no_block))
{
    PyObject *op = NULL;
    const char *rest = name;
    while (rest != NULL) {
        const char *dot = strchr(rest, '.');
        PyObject *part = dot == NULL
            ? PyUnicode_FromString(rest)
            : PyUnicode_FromStringAndSize(rest, dot - rest);
        if (part == NULL) {
            Py_XDECREF(op);
            return NULL;
        }
        if (op == NULL) {
            op = PyImport_Import(part);
            if (op == NULL) {
                PyErr_Format(PyExc_ImportError,
                             "PyCapsule_Import could not import module "
                             "\"%U\"", part);
            }
        }
        else {
            Py_SETREF(op, PyObject_GetAttr(op, part));
        }
        Py_DECREF(part);
        if (op == NULL) {
            return NULL;
        }
        rest = dot == NULL ? NULL : dot + 1;
    }
    void *pointer = NULL;
    if (PyCapsule_IsValid(op, name)) {
        pointer = ((capsule *)op)->pointer;
    }
    else {
        PyErr_Format(PyExc_AttributeError,
                     "PyCapsule_Import \"%s\" is not valid", name);
    }
    Py_XDECREF(op);
    return pointer;
}

static void
capsule_dealloc(PyObject *self)
{
    capsule *c = (capsule *)self;
    if (c->destructor != NULL) {
        c->destructor(self);
    }
    PyObject_Free(self);
}

static PyObject *
capsule_repr(PyObject *self)
{
    capsule *c = (capsule *)self;
    const char *quote = c->name != NULL ? "\"" : "";
    return PyUnicode_FromFormat("<capsule object %s%s%s at %p>", quote,
                                c->name != NULL ? c->name : "NULL", quote,
                                self);
}

PyTypeObject PyCapsule_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "PyCapsule",
    .tp_basicsize = sizeof(capsule),
    .tp_dealloc = capsule_dealloc,
    .tp_repr = capsule_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A pointer of C code, wrapped in an object.\n\n"
              "An extension module publishes its C interface to others "
              "through one;\nPyCapsule_Import() finds it by its dotted "
              "name.",
};

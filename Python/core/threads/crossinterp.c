/* Passing data between interpreters, and interpreter ids.

   An object is sent by a function registered for its type. The function stores in a
   _PyCrossInterpreterData what the other interpreter needs to make an object of its own.
   The registry belongs to the process; types in it are kept alive forever. */
#include "Python.h"
#include "interpreter_id.h"
#include "internal/pystate.h"

#include <string.h>

/* ----------------------------------------------------------------- registry */

struct registered {
    PyTypeObject *type;
    crossinterpdatafunc get_data;
    struct registered *next;
};

static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct registered *registry;

static int
add(PyTypeObject *type, crossinterpdatafunc get_data)
{
    struct registered *item = PyMem_RawMalloc(sizeof(*item));
    if (item == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    item->type = (PyTypeObject *)Py_NewRef((PyObject *)type);
    item->get_data = get_data;
    pthread_mutex_lock(&registry_mutex);
    item->next = registry;
    registry = item;
    pthread_mutex_unlock(&registry_mutex);
    return 0;
}

/* None, int, str, bytes */

static PyObject *
make_none(_PyCrossInterpreterData *Py_UNUSED(data))
{
    Py_RETURN_NONE;
}

static int
none_data(PyObject *Py_UNUSED(op), _PyCrossInterpreterData *data)
{
    data->new_object = make_none;
    return 0;
}

static PyObject *
make_int(_PyCrossInterpreterData *data)
{
    return PyLong_FromSsize_t((Py_ssize_t)data->data);
}

/* The value is stored in the pointer itself; larger ints can't be sent. */
static int
int_data(PyObject *op, _PyCrossInterpreterData *data)
{
    Py_ssize_t value = PyLong_AsSsize_t(op);
    if (value == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_SetString(PyExc_OverflowError, "try sending as bytes");
        }
        return -1;
    }
    data->data = (void *)value;
    data->new_object = make_int;
    return 0;
}

struct bytes_part {
    const char *text;
    Py_ssize_t length;
};

static PyObject *
make_bytes(_PyCrossInterpreterData *data)
{
    struct bytes_part *part = data->data;
    return PyBytes_FromStringAndSize(part->text, part->length);
}

static int
bytes_data(PyObject *op, _PyCrossInterpreterData *data)
{
    struct bytes_part *part = PyMem_RawMalloc(sizeof(*part));
    if (part == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    part->text = PyBytes_AS_STRING(op);
    part->length = PyBytes_GET_SIZE(op);
    data->data = part;
    data->obj = Py_NewRef(op);          /* owns the text until it is released */
    data->new_object = make_bytes;
    data->free = PyMem_RawFree;
    return 0;
}

struct str_part {
    int kind;
    const void *text;
    Py_ssize_t length;
};

static PyObject *
make_str(_PyCrossInterpreterData *data)
{
    struct str_part *part = data->data;
    return PyUnicode_FromKindAndData(part->kind, part->text, part->length);
}

static int
str_data(PyObject *op, _PyCrossInterpreterData *data)
{
    struct str_part *part = PyMem_RawMalloc(sizeof(*part));
    if (part == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    part->kind = PyUnicode_KIND(op);
    part->text = PyUnicode_DATA(op);
    part->length = PyUnicode_GET_LENGTH(op);
    data->data = part;
    data->obj = Py_NewRef(op);
    data->new_object = make_str;
    data->free = PyMem_RawFree;
    return 0;
}

static int
add_own_types(void)
{
    static int done;
    if (done) {
        return 0;
    }
    if (add(Py_TYPE(Py_None), none_data) < 0
        || add(&PyLong_Type, int_data) < 0
        || add(&PyBytes_Type, bytes_data) < 0
        || add(&PyUnicode_Type, str_data) < 0) {
        return -1;
    }
    done = 1;
    return 0;
}

int
_PyCrossInterpreterData_RegisterClass(PyTypeObject *type,
                                      crossinterpdatafunc get_data)
{
    if (!PyType_Check(type)) {
        PyErr_Format(PyExc_ValueError, "only classes may be registered");
        return -1;
    }
    if (get_data == NULL) {
        PyErr_Format(PyExc_ValueError, "missing 'getdata' func");
        return -1;
    }
    return add_own_types() < 0 ? -1 : add(type, get_data);
}

crossinterpdatafunc
_PyCrossInterpreterData_Lookup(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    crossinterpdatafunc found = NULL;
    if (add_own_types() < 0) {
        return NULL;
    }
    pthread_mutex_lock(&registry_mutex);
    for (struct registered *p = registry; p != NULL; p = p->next) {
        if (p->type == type) {
            found = p->get_data;
            break;
        }
    }
    pthread_mutex_unlock(&registry_mutex);
    return found;
}

/* ------------------------------------------------------------- sending data */

static void
not_sendable(PyObject *op)
{
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError,
                     "%S does not support cross-interpreter data", op);
    }
}

int
_PyObject_CheckCrossInterpreterData(PyObject *op)
{
    if (_PyCrossInterpreterData_Lookup(op) == NULL) {
        not_sendable(op);
        return -1;
    }
    return 0;
}

int
_PyObject_GetCrossInterpreterData(PyObject *op, _PyCrossInterpreterData *data)
{
    memset(data, 0, sizeof(*data));
    data->interp = -1;
    Py_INCREF(op);
    crossinterpdatafunc get_data = _PyCrossInterpreterData_Lookup(op);
    int status = -1;
    if (get_data == NULL) {
        not_sendable(op);
    }
    else {
        status = get_data(op, data);
    }
    Py_DECREF(op);
    if (status != 0) {
        return -1;
    }
    data->interp = _PyInterpreterState_GET()->id;
    if (data->new_object == NULL) {
        PyErr_SetString(PyExc_SystemError, "missing new_object func");
        _PyCrossInterpreterData_Release(data);
        return -1;
    }
    return 0;
}

PyObject *
_PyCrossInterpreterData_NewObject(_PyCrossInterpreterData *data)
{
    return data->new_object(data);
}

static void
release_here(_PyCrossInterpreterData *data)
{
    if (data->free != NULL) {
        data->free(data->data);
    }
    data->data = NULL;
    Py_CLEAR(data->obj);
}

void
_PyCrossInterpreterData_Release(_PyCrossInterpreterData *data)
{
    if (data->data == NULL && data->obj == NULL) {
        return;
    }
    PyInterpreterState *interp = _PyInterpreterState_LookUpID(data->interp);
    if (interp == NULL) {
        /* The interpreter that owned the data no longer exists, and neither does the
           data. */
        PyErr_Clear();
        return;
    }
    PyThreadState *own = _PyThreadState_GET();
    if (own->interp == interp) {
        release_here(data);
        return;
    }
    PyThreadState *visiting = PyThreadState_New(interp);
    if (visiting == NULL) {
        PyErr_NoMemory();
        PyErr_WriteUnraisable(NULL);
        return;
    }
    PyThreadState_Swap(visiting);
    release_here(data);
    PyThreadState_Clear(visiting);
    PyThreadState_Swap(own);
    PyThreadState_Delete(visiting);
}

/* ------------------------------------------------------------ InterpreterID */

typedef struct {
    PyObject_HEAD
    int64_t id;
} interpreter_id;

static PyObject *
new_id(PyTypeObject *type, int64_t id, int force)
{
    PyInterpreterState *interp = _PyInterpreterState_LookUpID(id);
    if (interp == NULL) {
        if (!force) {
            return NULL;
        }
        PyErr_Clear();
    }
    if (interp != NULL && _PyInterpreterState_IDIncref(interp) < 0) {
        return NULL;
    }
    interpreter_id *self = PyObject_New(interpreter_id, type);
    if (self == NULL) {
        if (interp != NULL) {
            _PyInterpreterState_IDDecref(interp);
        }
        return NULL;
    }
    self->id = id;
    return (PyObject *)self;
}

/* Takes an int or an InterpreterID. */
static int
convert_id(PyObject *arg, int64_t *id)
{
    if (PyObject_TypeCheck(arg, &_PyInterpreterID_Type)) {
        *id = ((interpreter_id *)arg)->id;
        return 1;
    }
    if (!PyIndex_Check(arg)) {
        PyErr_Format(PyExc_TypeError, "interpreter ID must be an int, got "
                     "%.100s", Py_TYPE(arg)->tp_name);
        return 0;
    }
    PyObject *index = PyNumber_Index(arg);
    if (index == NULL) {
        return 0;
    }
    long long value = PyLong_AsLongLong(index);
    Py_DECREF(index);
    if (value == -1 && PyErr_Occurred()) {
        return 0;
    }
    if (value < 0) {
        PyErr_Format(PyExc_ValueError, "interpreter ID must be a non-negative "
                     "int, got %R", arg);
        return 0;
    }
    *id = value;
    return 1;
}

static PyObject *
id_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"id", "force", NULL};
    PyObject *arg;
    int64_t id;
    int force = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds,
                                     "O|$p:InterpreterID.__init__", names,
                                     &arg, &force)
        || !convert_id(arg, &id)) {
        return NULL;
    }
    return new_id(type, id, force);
}

static void
id_dealloc(PyObject *op)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyInterpreterState *interp = _PyInterpreterState_LookUpID(
        ((interpreter_id *)op)->id);
    if (interp != NULL) {
        _PyInterpreterState_IDDecref(interp);
    }
    PyErr_Restore(type, value, traceback);
    Py_TYPE(op)->tp_free(op);
}

static PyObject *
id_repr(PyObject *op)
{
    return PyUnicode_FromFormat("%s(%lld)", _PyType_Name(Py_TYPE(op)),
                                (long long)((interpreter_id *)op)->id);
}

static PyObject *
id_str(PyObject *op)
{
    return PyUnicode_FromFormat("%lld",
                                (long long)((interpreter_id *)op)->id);
}

static PyObject *
id_int(PyObject *op)
{
    return PyLong_FromLongLong(((interpreter_id *)op)->id);
}

static Py_hash_t
id_hash(PyObject *op)
{
    PyObject *number = id_int(op);
    if (number == NULL) {
        return -1;
    }
    Py_hash_t hash = PyObject_Hash(number);
    Py_DECREF(number);
    return hash;
}

static PyObject *
id_richcompare(PyObject *op, PyObject *other, int operation)
{
    if (operation != Py_EQ && operation != Py_NE) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (!PyObject_TypeCheck(op, &_PyInterpreterID_Type)
        || (!PyNumber_Check(other)
            && !PyObject_TypeCheck(other, &_PyInterpreterID_Type))) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *a = id_int(op);
    PyObject *b = PyObject_TypeCheck(other, &_PyInterpreterID_Type)
        ? id_int(other) : Py_NewRef(other);
    PyObject *result = a == NULL || b == NULL ? NULL
        : PyObject_RichCompare(a, b, operation);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

static PyNumberMethods id_as_number = {
    .nb_int = id_int,
    .nb_index = id_int,
};

PyTypeObject _PyInterpreterID_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "InterpreterID",
    .tp_basicsize = sizeof(interpreter_id),
    .tp_dealloc = id_dealloc,
    .tp_repr = id_repr,
    .tp_as_number = &id_as_number,
    .tp_hash = id_hash,
    .tp_str = id_str,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("The number of an interpreter; usable as an int."),
    .tp_richcompare = id_richcompare,
    .tp_new = id_new,
};

PyObject *
_PyInterpreterID_New(int64_t id)
{
    return new_id(&_PyInterpreterID_Type, id, 0);
}

PyObject *
_PyInterpreterState_GetIDObject(PyInterpreterState *interp)
{
    if (_PyInterpreterState_IDInitref(interp) < 0) {
        return NULL;
    }
    return new_id(&_PyInterpreterID_Type, interp->id, 0);
}

PyInterpreterState *
_PyInterpreterID_LookUp(PyObject *op)
{
    int64_t id;
    return convert_id(op, &id) ? _PyInterpreterState_LookUpID(id) : NULL;
}

/* The `memo` attributes of Pickler and Unpickler: a live view with clear(), copy() and
   pickling. One structure, two types; pickler.c and unpickler.c implement the access to
   the memos. */
#include "pickle_impl.h"

static void
memo_proxy_dealloc(MemoProxy *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->owner);
    PyObject_GC_Del(self);
}

static int
memo_proxy_traverse(MemoProxy *self, visitproc visit, void *arg)
{
    Py_VISIT(self->owner);
    return 0;
}

static int
memo_proxy_tp_clear(MemoProxy *self)
{
    Py_CLEAR(self->owner);
    return 0;
}

static int
views_pickler(MemoProxy *self)
{
    return Py_IS_TYPE(self, &_PyPicklerMemoProxy_Type);
}

static PyObject *
memo_proxy_clear(MemoProxy *self, PyObject *Py_UNUSED(ignored))
{
    return views_pickler(self) ? _PyPickler_ClearMemo(self->owner)
                               : _PyUnpickler_ClearMemo(self->owner);
}

static PyObject *
memo_proxy_copy(MemoProxy *self, PyObject *Py_UNUSED(ignored))
{
    return views_pickler(self) ? _PyPickler_CopyMemo(self->owner)
                               : _PyUnpickler_CopyMemo(self->owner);
}

static PyObject *
memo_proxy_reduce(MemoProxy *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *contents = memo_proxy_copy(self, NULL);
    return contents == NULL ? NULL
        : Py_BuildValue("O(N)", &PyDict_Type, contents);
}

static PyMethodDef memo_proxy_methods[] = {
    {"clear", (PyCFunction)memo_proxy_clear, METH_NOARGS,
     "clear($self, /)\n--\n\nRemove all items from memo."},
    {"copy", (PyCFunction)memo_proxy_copy, METH_NOARGS,
     "copy($self, /)\n--\n\nCopy the memo to a new object."},
    {"__reduce__", (PyCFunction)memo_proxy_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nImplement pickle support."},
    {NULL, NULL, 0, NULL}
};

#define MEMO_PROXY(name)                                        \
    PyVarObject_HEAD_INIT(NULL, 0)                              \
    .tp_name = name,                                            \
    .tp_basicsize = sizeof(MemoProxy),                          \
    .tp_dealloc = (destructor)memo_proxy_dealloc,               \
    .tp_hash = PyObject_HashNotImplemented,                     \
    .tp_getattro = PyObject_GenericGetAttr,                     \
    .tp_setattro = PyObject_GenericSetAttr,                     \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC         \
        | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, \
    .tp_traverse = (traverseproc)memo_proxy_traverse,           \
    .tp_clear = (inquiry)memo_proxy_tp_clear,                   \
    .tp_methods = memo_proxy_methods

PyTypeObject _PyPicklerMemoProxy_Type = {MEMO_PROXY("_pickle.PicklerMemoProxy")};
PyTypeObject _PyUnpicklerMemoProxy_Type = {MEMO_PROXY("_pickle.UnpicklerMemoProxy")};

PyObject *
_PyPickle_NewMemoProxy(PyTypeObject *type, PyObject *owner)
{
    MemoProxy *self = PyObject_GC_New(MemoProxy, type);
    if (self == NULL) {
        return NULL;
    }
    self->owner = Py_NewRef(owner);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

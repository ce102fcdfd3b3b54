/* Copies of elements, and their state for pickle. */

#include "elementtree.h"

/* attrib is shared between an element and its shallow copy. */
PyObject *
_PyElement_copy(ElementObject *self, PyObject *Py_UNUSED(ignored))
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL) {
        return NULL;
    }
    ElementObject *copy = (ElementObject *)_PyElement_New(
        state, self->tag, _PyElement_Attrib(self));
    if (copy == NULL) {
        return NULL;
    }
    Py_SETREF(copy->text, Py_NewRef(self->text));
    Py_SETREF(copy->tail, Py_NewRef(self->tail));
    Py_ssize_t n = _PyElement_Length(self);
    if (n > 0) {
        if (_PyElement_Resize(copy, n) < 0) {
            Py_DECREF(copy);
            return NULL;
        }
        for (Py_ssize_t i = 0; i < n; i++) {
            copy->extra->children[i] = Py_NewRef(self->extra->children[i]);
        }
        copy->extra->length = n;
    }
    return (PyObject *)copy;
}

/* --------------------------------------------------------------------- deep */

static PyObject *
deep_copy(elementtree_state *state, PyObject *op, PyObject *memo)
{
    if (op == Py_None || PyUnicode_CheckExact(op)) {
        return Py_NewRef(op);
    }
    if (Py_IS_TYPE(op, state->element_type)) {
        return _PyElement_deepcopy((ElementObject *)op, memo);
    }
    PyObject *args[] = {op, memo};
    return PyObject_Vectorcall(state->deepcopy, args, 2, NULL);
}

/* A dict of plain strings, as most are, needs no memo. */
static PyObject *
deep_copy_attrib(elementtree_state *state, PyObject *attrib, PyObject *memo)
{
    if (PyDict_CheckExact(attrib)) {
        Py_ssize_t position = 0;
        PyObject *key, *value;
        int plain = 1;
        while (plain && PyDict_Next(attrib, &position, &key, &value)) {
            plain = PyUnicode_CheckExact(key) && PyUnicode_CheckExact(value);
        }
        if (plain) {
            return PyDict_Copy(attrib);
        }
    }
    return deep_copy(state, attrib, memo);
}

static int
deep_copy_children(elementtree_state *state, ElementObject *self,
                   ElementObject *copy, PyObject *memo)
{
    for (Py_ssize_t i = 0; i < _PyElement_Length(self); i++) {
        PyObject *child = Py_NewRef(self->extra->children[i]);
        PyObject *child_copy = deep_copy(state, child, memo);
        Py_DECREF(child);
        if (child_copy == NULL) {
            return -1;
        }
        int failed = _PyElement_CheckChild(state, child_copy) < 0
            || _PyElement_Append(copy, child_copy) < 0;
        Py_DECREF(child_copy);
        if (failed) {
            return -1;
        }
    }
    return 0;
}

static int
deep_copy_slot(elementtree_state *state, PyObject *from, PyObject **to,
               PyObject *memo)
{
    Py_INCREF(from);
    PyObject *copy = deep_copy(state, from, memo);
    Py_DECREF(from);
    if (copy == NULL) {
        return -1;
    }
    Py_SETREF(*to, copy);
    return 0;
}

static int
remember_copy(PyObject *memo, ElementObject *self, ElementObject *copy)
{
    PyObject *id = PyLong_FromVoidPtr(self);
    int result = id == NULL ? -1 : PyDict_SetItem(memo, id, (PyObject *)copy);
    Py_XDECREF(id);
    return result;
}

static int
fill_deep_copy(elementtree_state *state, ElementObject *self,
               ElementObject *copy, PyObject *memo)
{
    if (deep_copy_slot(state, self->tag, &copy->tag, memo) < 0
            || deep_copy_slot(state, self->text, &copy->text, memo) < 0
            || deep_copy_slot(state, self->tail, &copy->tail, memo) < 0) {
        return -1;
    }
    PyObject *attrib = _PyElement_Attrib(self);
    if (attrib != NULL) {
        Py_INCREF(attrib);
        PyObject *attrib_copy = deep_copy_attrib(state, attrib, memo);
        Py_DECREF(attrib);
        if (attrib_copy == NULL || _PyElement_MakeExtra(copy) < 0) {
            Py_XDECREF(attrib_copy);
            return -1;
        }
        Py_XSETREF(copy->extra->attrib, attrib_copy);
    }
    if (deep_copy_children(state, self, copy, memo) < 0) {
        return -1;
    }
    return remember_copy(memo, self, copy);
}

PyObject *
_PyElement_deepcopy(ElementObject *self, PyObject *memo)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL
            || _PyElement_CheckDict("__deepcopy__", "argument", memo) < 0
            || Py_EnterRecursiveCall(" while calling a Python object")) {
        return NULL;
    }
    ElementObject *copy = (ElementObject *)_PyElement_New(state, Py_None, NULL);
    if (copy != NULL && fill_deep_copy(state, self, copy, memo) < 0) {
        Py_CLEAR(copy);
    }
    Py_LeaveRecursiveCall();
    return (PyObject *)copy;
}

/* -------------------------------------------------------------------- state */

PyObject *
_PyElement_getstate(ElementObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *children = _PyElement_ListChildren(self, 0, 1, _PyElement_Length(self));
    if (children == NULL) {
        return NULL;
    }
    PyObject *attrib = _PyElement_Attrib(self);
    attrib = attrib == NULL ? PyDict_New() : Py_NewRef(attrib);
    if (attrib == NULL) {
        Py_DECREF(children);
        return NULL;
    }
    return Py_BuildValue("{sOsNsNsOsO}", "tag", self->tag, "_children",
                         children, "attrib", attrib, "text", self->text,
                         "tail", self->tail);
}

static int
set_children(elementtree_state *state, ElementObject *self, PyObject *children)
{
    PyObject *attrib = Py_XNewRef(_PyElement_Attrib(self));
    _PyElement_ClearExtra(self);
    int result = _PyElement_MakeExtra(self);
    if (result == 0) {
        self->extra->attrib = attrib;
    }
    else {
        Py_XDECREF(attrib);
    }
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(children); i++) {
        PyObject *child = PyList_GET_ITEM(children, i);
        result = _PyElement_CheckChild(state, child);
        if (result == 0) {
            result = _PyElement_Append(self, child);
        }
    }
    return result;
}

PyObject *
_PyElement_setstate(ElementObject *self, PyObject *value)
{
    static char *keywords[] = {
        "tag", "_children", "attrib", "text", "tail", NULL};
    if (!PyDict_CheckExact(value)) {
        PyErr_Format(PyExc_TypeError,
                     "Don't know how to unpickle \"%.200R\" as an Element",
                     value);
        return NULL;
    }
    elementtree_state *state = STATE_OF(self);
    PyObject *none = state == NULL ? NULL : PyTuple_New(0);
    if (none == NULL) {
        return NULL;
    }
    PyObject *tag = NULL, *children = NULL, *attrib = NULL;
    PyObject *text = Py_None, *tail = Py_None;
    int parsed = PyArg_ParseTupleAndKeywords(none, value, "|$OOOOO", keywords,
                                             &tag, &children, &attrib, &text,
                                             &tail);
    Py_DECREF(none);
    if (!parsed) {
        return NULL;
    }
    if (tag == NULL) {
        PyErr_SetString(PyExc_TypeError, "tag may not be NULL");
        return NULL;
    }
    Py_SETREF(self->tag, Py_NewRef(tag));
    Py_SETREF(self->text, Py_NewRef(text));
    Py_SETREF(self->tail, Py_NewRef(tail));
    if (attrib != NULL && _PyElement_MakeExtra(self) < 0) {
        return NULL;
    }
    if (self->extra != NULL) {
        Py_XSETREF(self->extra->attrib, Py_XNewRef(attrib));
    }
    if (children != NULL) {
        if (!PyList_Check(children)) {
            PyErr_SetString(PyExc_TypeError, "'_children' is not a list");
            return NULL;
        }
        if (set_children(state, self, children) < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

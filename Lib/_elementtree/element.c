/* Elements: the object, its attributes, its type. */

#include "elementtree.h"
#include "structmember.h"
#include <stddef.h>

/* ------------------------------------------------------------------- checks */

static const char *
type_name(PyObject *op)
{
    return op == Py_None ? "None" : Py_TYPE(op)->tp_name;
}

int
_PyElement_CheckArgument(elementtree_state *state, const char *function,
                         const char *what, PyObject *op)
{
    if (PyObject_TypeCheck(op, state->element_type)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "%s() %s must be %s, not %.50s", function,
                 what, state->element_type->tp_name, type_name(op));
    return -1;
}

int
_PyElement_CheckChild(elementtree_state *state, PyObject *op)
{
    if (PyObject_TypeCheck(op, state->element_type)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "expected an Element, not \"%.200s\"",
                 Py_TYPE(op)->tp_name);
    return -1;
}

int
_PyElement_CheckDict(const char *function, const char *what, PyObject *op)
{
    if (PyDict_Check(op)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "%s() %s must be dict, not %.50s", function,
                 what, type_name(op));
    return -1;
}

/* -------------------------------------------------------------------- extra */

int
_PyElement_MakeExtra(ElementObject *self)
{
    if (self->extra != NULL) {
        return 0;
    }
    ElementExtra *extra = PyObject_Malloc(sizeof(ElementExtra));
    if (extra == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    extra->attrib = NULL;
    extra->length = 0;
    extra->allocated = INLINE_CHILDREN;
    extra->children = extra->inlined;
    self->extra = extra;
    return 0;
}

/* The element loses its extra block before the objects in it are released, so that code
   which runs then finds a consistent element. */
void
_PyElement_ClearExtra(ElementObject *self)
{
    ElementExtra *extra = self->extra;
    if (extra == NULL) {
        return;
    }
    self->extra = NULL;
    Py_XDECREF(extra->attrib);
    for (Py_ssize_t i = 0; i < extra->length; i++) {
        Py_DECREF(extra->children[i]);
    }
    if (extra->children != extra->inlined) {
        PyObject_Free(extra->children);
    }
    PyObject_Free(extra);
}

int
_PyElement_Resize(ElementObject *self, Py_ssize_t more)
{
    if (_PyElement_MakeExtra(self) < 0) {
        return -1;
    }
    ElementExtra *extra = self->extra;
    Py_ssize_t needed = extra->length + more;
    if (needed <= extra->allocated) {
        return 0;
    }
    Py_ssize_t room = Py_MAX(needed + needed / 4, 2 * INLINE_CHILDREN);
    if ((size_t)room > PY_SSIZE_T_MAX / sizeof(PyObject *)) {
        PyErr_NoMemory();
        return -1;
    }
    int inlined = extra->children == extra->inlined;
    PyObject **children = PyObject_Realloc(inlined ? NULL : extra->children,
                                           (size_t)room * sizeof(PyObject *));
    if (children == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (inlined) {
        memcpy(children, extra->inlined,
               (size_t)extra->length * sizeof(PyObject *));
    }
    extra->children = children;
    extra->allocated = room;
    return 0;
}

int
_PyElement_Append(ElementObject *self, PyObject *child)
{
    if (_PyElement_Resize(self, 1) < 0) {
        return -1;
    }
    self->extra->children[self->extra->length++] = Py_NewRef(child);
    return 0;
}

/* Returns a borrowed reference to the dict, which is made if there is none. */
static PyObject *
need_attrib(ElementObject *self)
{
    if (_PyElement_MakeExtra(self) < 0) {
        return NULL;
    }
    if (self->extra->attrib == NULL) {
        self->extra->attrib = PyDict_New();
    }
    return self->extra->attrib;
}

static int
set_attrib(ElementObject *self, PyObject *attrib)
{
    if (_PyElement_MakeExtra(self) < 0) {
        return -1;
    }
    Py_XSETREF(self->extra->attrib, Py_NewRef(attrib));
    return 0;
}

/* ----------------------------------------------------------------- creation */

static ElementObject *
allocate(PyTypeObject *type)
{
    ElementObject *self = (ElementObject *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->tag = Py_NewRef(Py_None);
        self->text = Py_NewRef(Py_None);
        self->tail = Py_NewRef(Py_None);
    }
    return self;
}

static PyObject *
element_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
            PyObject *Py_UNUSED(kwds))
{
    return (PyObject *)allocate(type);
}

PyObject *
_PyElement_New(elementtree_state *state, PyObject *tag, PyObject *attrib)
{
    ElementObject *self = PyObject_GC_New(ElementObject, state->element_type);
    if (self == NULL) {
        return NULL;
    }
    self->tag = Py_NewRef(tag);
    self->text = Py_NewRef(Py_None);
    self->tail = Py_NewRef(Py_None);
    self->extra = NULL;
    self->weakrefs = NULL;
    PyObject_GC_Track(self);
    int empty = attrib == NULL
        || (PyDict_Check(attrib) && PyDict_GET_SIZE(attrib) == 0);
    if (!empty && set_attrib(self, attrib) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* The attributes that a call passes: a positional dict or the keyword `attrib`, updated
   with the other keywords. Returns 0 with *result NULL if there are none. */
static int
attributes_of_call(PyObject *attrib, PyObject *kwds, PyObject **result)
{
    PyObject *rest = NULL;
    *result = NULL;
    if (attrib == NULL && (kwds == NULL || PyDict_GET_SIZE(kwds) == 0)) {
        return 0;
    }
    if (attrib != NULL) {
        *result = PyDict_Copy(attrib);
        rest = Py_XNewRef(kwds);
    }
    else {
        PyObject *given = PyDict_GetItemString(kwds, "attrib");
        if (given == NULL) {
            *result = PyDict_Copy(kwds);
            return *result == NULL ? -1 : 0;
        }
        if (!PyDict_Check(given)) {
            PyErr_Format(PyExc_TypeError, "attrib must be dict, not %.100s",
                         Py_TYPE(given)->tp_name);
            return -1;
        }
        *result = PyDict_Copy(given);
        rest = PyDict_Copy(kwds);
        if (rest == NULL || PyDict_DelItemString(rest, "attrib") < 0) {
            Py_CLEAR(*result);
        }
    }
    if (*result != NULL && rest != NULL && PyDict_Update(*result, rest) < 0) {
        Py_CLEAR(*result);
    }
    Py_XDECREF(rest);
    return *result == NULL ? -1 : 0;
}

static int
element_init(ElementObject *self, PyObject *args, PyObject *kwds)
{
    PyObject *tag, *given = NULL, *attrib;
    if (!PyArg_ParseTuple(args, "O|O!:Element", &tag, &PyDict_Type, &given)
            || attributes_of_call(given, kwds, &attrib) < 0) {
        return -1;
    }
    if (attrib != NULL && set_attrib(self, attrib) < 0) {
        Py_DECREF(attrib);
        return -1;
    }
    Py_XDECREF(attrib);
    Py_XSETREF(self->tag, Py_NewRef(tag));
    Py_XSETREF(self->text, Py_NewRef(Py_None));
    Py_XSETREF(self->tail, Py_NewRef(Py_None));
    return 0;
}

PyObject *
_PyElement_SubElement(PyObject *module, PyObject *args, PyObject *kwds)
{
    elementtree_state *state = PyModule_GetState(module);
    PyObject *parent, *tag, *given = NULL, *attrib;
    if (!PyArg_ParseTuple(args, "O!O|O!:SubElement", state->element_type,
                          &parent, &tag, &PyDict_Type, &given)
            || attributes_of_call(given, kwds, &attrib) < 0) {
        return NULL;
    }
    PyObject *child = _PyElement_New(state, tag, attrib);
    Py_XDECREF(attrib);
    if (child != NULL
            && _PyElement_Append((ElementObject *)parent, child) < 0) {
        Py_CLEAR(child);
    }
    return child;
}

/* -------------------------------------------------------------- destruction */

static int
element_traverse(ElementObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->tag);
    Py_VISIT(self->text);
    Py_VISIT(self->tail);
    if (self->extra != NULL) {
        Py_VISIT(self->extra->attrib);
        for (Py_ssize_t i = 0; i < self->extra->length; i++) {
            Py_VISIT(self->extra->children[i]);
        }
    }
    return 0;
}

/* The three texts become None, not NULL: a finalizer must still find a valid Element. */
static int
element_clear(ElementObject *self)
{
    Py_XSETREF(self->tag, Py_NewRef(Py_None));
    Py_XSETREF(self->text, Py_NewRef(Py_None));
    Py_XSETREF(self->tail, Py_NewRef(Py_None));
    _PyElement_ClearExtra(self);
    return 0;
}

static void
element_dealloc(ElementObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, element_dealloc)
    if (self->weakrefs != NULL) {
        PyObject_ClearWeakRefs((PyObject *)self);
    }
    _PyElement_ClearExtra(self);
    Py_CLEAR(self->tag);
    Py_CLEAR(self->text);
    Py_CLEAR(self->tail);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
    Py_TRASHCAN_END
}

/* --------------------------------------------------------------- attributes */

static int
refuse_deletion(PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError,
                        "can't delete element attribute");
        return -1;
    }
    return 0;
}

/* tag, text and tail: the closure is the offset. */
static PyObject *
get_slot(ElementObject *self, void *closure)
{
    return Py_NewRef(*(PyObject **)((char *)self + (intptr_t)closure));
}

static int
set_slot(ElementObject *self, PyObject *value, void *closure)
{
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    PyObject **slot = (PyObject **)((char *)self + (intptr_t)closure);
    Py_XSETREF(*slot, Py_NewRef(value));
    return 0;
}

static PyObject *
get_attrib(ElementObject *self, void *Py_UNUSED(closure))
{
    return Py_XNewRef(need_attrib(self));
}

static int
set_attrib_checked(ElementObject *self, PyObject *value,
                   void *Py_UNUSED(closure))
{
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    if (!PyDict_Check(value)) {
        PyErr_Format(PyExc_TypeError, "attrib must be dict, not %.200s",
                     Py_TYPE(value)->tp_name);
        return -1;
    }
    return set_attrib(self, value);
}

static PyObject *
element_get(ElementObject *self, PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    static const char *const keywords[] = {"key", "default", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "O|O:get"};
    PyObject *a[2] = {NULL, Py_None};
    if (!_PyElement_Unpack(args, nargs, kwnames, &parser, 1, 2, a)) {
        return NULL;
    }
    PyObject *attrib = _PyElement_Attrib(self);
    if (attrib == NULL) {
        return Py_NewRef(a[1]);
    }
    /* A key's __hash__ may give the element another dict. */
    Py_INCREF(attrib);
    PyObject *value = PyDict_GetItemWithError(attrib, a[0]);
    if (value == NULL && !PyErr_Occurred()) {
        value = a[1];
    }
    Py_XINCREF(value);
    Py_DECREF(attrib);
    return value;
}

static PyObject *
element_set(ElementObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("set", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *attrib = need_attrib(self);
    if (attrib == NULL) {
        return NULL;
    }
    Py_INCREF(attrib);
    int failed = PyDict_SetItem(attrib, args[0], args[1]);
    Py_DECREF(attrib);
    if (failed < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
element_items(ElementObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *attrib = _PyElement_Attrib(self);
    return attrib == NULL ? PyList_New(0) : PyDict_Items(attrib);
}

static PyObject *
element_keys(ElementObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *attrib = _PyElement_Attrib(self);
    return attrib == NULL ? PyList_New(0) : PyDict_Keys(attrib);
}

/* ------------------------------------------------------------ other methods */

static PyObject *
element_clear_method(ElementObject *self, PyObject *Py_UNUSED(ignored))
{
    _PyElement_ClearExtra(self);
    Py_XSETREF(self->text, Py_NewRef(Py_None));
    Py_XSETREF(self->tail, Py_NewRef(Py_None));
    Py_RETURN_NONE;
}

static PyObject *
element_makeelement(ElementObject *self, PyObject *const *args,
                    Py_ssize_t nargs)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL || !_PyArg_CheckPositional("makeelement", nargs, 2, 2)
            || _PyElement_CheckDict("makeelement", "argument 2", args[1]) < 0) {
        return NULL;
    }
    PyObject *attrib = PyDict_Copy(args[1]);
    if (attrib == NULL) {
        return NULL;
    }
    PyObject *element = _PyElement_New(state, args[0], attrib);
    Py_DECREF(attrib);
    return element;
}

static PyObject *
element_sizeof(ElementObject *self, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t size = Py_TYPE(self)->tp_basicsize;
    if (self->extra != NULL) {
        size += (Py_ssize_t)sizeof(ElementExtra);
        if (self->extra->children != self->extra->inlined) {
            size += self->extra->allocated * (Py_ssize_t)sizeof(PyObject *);
        }
    }
    return PyLong_FromSsize_t(size);
}

static PyObject *
element_repr(ElementObject *self)
{
    int status = Py_ReprEnter((PyObject *)self);
    if (status != 0) {
        if (status > 0) {
            PyErr_Format(PyExc_RuntimeError,
                         "reentrant call inside %s.__repr__",
                         Py_TYPE(self)->tp_name);
        }
        return NULL;
    }
    PyObject *tag = Py_NewRef(self->tag);
    PyObject *text = PyUnicode_FromFormat("<Element %R at %p>", tag, self);
    Py_DECREF(tag);
    Py_ReprLeave((PyObject *)self);
    return text;
}

/* ----------------------------------------------------------------- the type */

#define PLAIN(name, function, flags, signature) \
    {name, _PyCFunction_CAST(function), flags, \
     name signature "\n--\n\n"}

static PyMethodDef element_methods[] = {
    PLAIN("clear", element_clear_method, METH_NOARGS, "($self, /)"),
    PLAIN("get", element_get, METH_FASTCALL | METH_KEYWORDS,
          "($self, /, key, default=None)"),
    PLAIN("set", element_set, METH_FASTCALL, "($self, key, value, /)"),
    PLAIN("find", _PyElement_find, METH_FASTCALL | METH_KEYWORDS,
          "($self, /, path, namespaces=None)"),
    PLAIN("findtext", _PyElement_findtext, METH_FASTCALL | METH_KEYWORDS,
          "($self, /, path, default=None, namespaces=None)"),
    PLAIN("findall", _PyElement_findall, METH_FASTCALL | METH_KEYWORDS,
          "($self, /, path, namespaces=None)"),
    PLAIN("append", _PyElement_append, METH_O, "($self, subelement, /)"),
    PLAIN("extend", _PyElement_extend, METH_O, "($self, elements, /)"),
    PLAIN("insert", _PyElement_insert, METH_FASTCALL,
          "($self, index, subelement, /)"),
    PLAIN("remove", _PyElement_remove, METH_O, "($self, subelement, /)"),
    PLAIN("iter", _PyElement_iter, METH_FASTCALL | METH_KEYWORDS,
          "($self, /, tag=None)"),
    PLAIN("itertext", _PyElement_itertext, METH_NOARGS, "($self, /)"),
    PLAIN("iterfind", _PyElement_iterfind, METH_FASTCALL | METH_KEYWORDS,
          "($self, /, path, namespaces=None)"),
    PLAIN("items", element_items, METH_NOARGS, "($self, /)"),
    PLAIN("keys", element_keys, METH_NOARGS, "($self, /)"),
    PLAIN("makeelement", element_makeelement, METH_FASTCALL,
          "($self, tag, attrib, /)"),
    PLAIN("__copy__", _PyElement_copy, METH_NOARGS, "($self, /)"),
    PLAIN("__deepcopy__", _PyElement_deepcopy, METH_O, "($self, memo, /)"),
    PLAIN("__sizeof__", element_sizeof, METH_NOARGS, "($self, /)"),
    PLAIN("__getstate__", _PyElement_getstate, METH_NOARGS, "($self, /)"),
    PLAIN("__setstate__", _PyElement_setstate, METH_O, "($self, state, /)"),
    {NULL, NULL, 0, NULL}
};

#define SLOT(name, doc) \
    {#name, (getter)get_slot, (setter)set_slot, doc, \
     (void *)offsetof(ElementObject, name)}

static PyGetSetDef element_getset[] = {
    SLOT(tag, "What kind of element this is, usually a string"),
    SLOT(text, "The text right after the start tag, or None"),
    SLOT(tail, "The text right after the end tag, or None"),
    {"attrib", (getter)get_attrib, (setter)set_attrib_checked,
     "The attributes, as a dictionary", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef element_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ElementObject, weakrefs),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot element_slots[] = {
    {Py_tp_new, element_new},
    {Py_tp_init, element_init},
    {Py_tp_alloc, PyType_GenericAlloc},
    {Py_tp_free, PyObject_GC_Del},
    {Py_tp_dealloc, element_dealloc},
    {Py_tp_traverse, element_traverse},
    {Py_tp_clear, element_clear},
    {Py_tp_repr, element_repr},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_methods, element_methods},
    {Py_tp_getset, element_getset},
    {Py_tp_members, element_members},
    {Py_sq_length, _PyElement_SeqLength},
    {Py_sq_item, _PyElement_Item},
    {Py_mp_length, _PyElement_SeqLength},
    {Py_mp_subscript, _PyElement_Subscript},
    {Py_mp_ass_subscript, _PyElement_AssignSubscript},
    {0, NULL}
};

PyType_Spec _PyElement_Spec = {
    .name = "xml.etree.ElementTree.Element",
    .basicsize = sizeof(ElementObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = element_slots,
};

/* TreeBuilder: makes a tree of elements from a stream of starts, ends and texts.

   `open` is the stack of elements that have not ended yet. Text collects in `data` until
   something that is not text arrives; it then belongs to `tail_of`, if that is set, or
   else is the first text of the innermost open element. */

#include "elementtree.h"

enum event {START_EVENT, END_EVENT, START_NS_EVENT, END_NS_EVENT,
            COMMENT_EVENT, PI_EVENT, EVENT_COUNT};

static const char *const event_names[EVENT_COUNT] = {
    "start", "end", "start-ns", "end-ns", "comment", "pi"};

typedef struct {
    PyObject_HEAD
    PyObject *root;             /* the first element; or NULL */
    PyObject *open;             /* a list */
    PyObject *last;             /* the last element ended or inserted, or NULL */
    PyObject *tail_of;          /* last, or NULL after a start */
    PyObject *data;             /* NULL, a text, or a list of texts */
    PyObject *element_factory;  /* NULL: Element itself */
    PyObject *comment_factory;
    PyObject *pi_factory;
    PyObject *append_event;     /* NULL: no events */
    PyObject *event_keys[EVENT_COUNT];  /* NULL: not to be reported */
    char insert_comments;
    char insert_pis;
} BuilderObject;

/* ------------------------------------------------------------------- events */

/* Steals the reference to the second item. */
static int
add_event(BuilderObject *self, enum event event, PyObject *item)
{
    PyObject *key = self->event_keys[event];
    if (key == NULL || self->append_event == NULL || item == NULL) {
        Py_XDECREF(item);
        return item == NULL ? -1 : 0;
    }
    PyObject *pair = PyTuple_Pack(2, key, item);
    Py_DECREF(item);
    if (pair == NULL) {
        return -1;
    }
    PyObject *append = Py_NewRef(self->append_event);
    PyObject *result = PyObject_CallOneArg(append, pair);
    Py_DECREF(append);
    Py_DECREF(pair);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int
enable_event(BuilderObject *self, PyObject *name)
{
    const char *text = NULL;
    if (PyUnicode_Check(name)) {
        text = PyUnicode_AsUTF8(name);
        if (text == NULL) {
            return -1;
        }
    }
    else if (PyBytes_Check(name)) {
        text = PyBytes_AS_STRING(name);
    }
    if (text == NULL) {
        PyErr_SetString(PyExc_ValueError, "invalid events sequence");
        return -1;
    }
    for (int i = 0; i < EVENT_COUNT; i++) {
        if (strcmp(text, event_names[i]) == 0) {
            Py_XSETREF(self->event_keys[i], Py_NewRef(name));
            return i == COMMENT_EVENT ? WANTS_COMMENTS
                : i == PI_EVENT ? WANTS_PIS
                : i == START_NS_EVENT || i == END_NS_EVENT ? WANTS_NAMESPACES
                : 0;
        }
    }
    PyErr_Format(PyExc_ValueError, "unknown event '%s'", text);
    return -1;
}

int
_PyTreeBuilder_SetEvents(PyObject *op, PyObject *queue, PyObject *events)
{
    BuilderObject *self = (BuilderObject *)op;
    PyObject *append = PyObject_GetAttrString(queue, "append");
    if (append == NULL) {
        return -1;
    }
    Py_XSETREF(self->append_event, append);
    for (int i = 0; i < EVENT_COUNT; i++) {
        Py_CLEAR(self->event_keys[i]);
    }
    if (events == Py_None) {
        self->event_keys[END_EVENT] = PyUnicode_InternFromString("end");
        return self->event_keys[END_EVENT] == NULL ? -1 : 0;
    }
    PyObject *names = PySequence_Fast(events, "events must be a sequence");
    if (names == NULL) {
        return -1;
    }
    int wanted = 0;
    for (Py_ssize_t i = 0; wanted >= 0 && i < PySequence_Fast_GET_SIZE(names);
         i++) {
        PyObject *name = Py_NewRef(PySequence_Fast_GET_ITEM(names, i));
        int more = enable_event(self, name);
        Py_DECREF(name);
        wanted = more < 0 ? -1 : wanted | more;
    }
    Py_DECREF(names);
    return wanted;
}

/* --------------------------------------------------------------------- text */

int
_PyTreeBuilder_Data(PyObject *op, PyObject *data)
{
    BuilderObject *self = (BuilderObject *)op;
    if (self->data == NULL) {
        /* Text outside of the root element is dropped. */
        if (self->last != NULL || PyList_GET_SIZE(self->open) > 0) {
            self->data = Py_NewRef(data);
        }
        return 0;
    }
    if (!PyList_CheckExact(self->data)) {
        PyObject *list = PyList_New(1);
        if (list == NULL) {
            return -1;
        }
        PyList_SET_ITEM(list, 0, self->data);
        self->data = list;
    }
    return PyList_Append(self->data, data);
}

/* Steals the reference to the text. */
static int
add_text(elementtree_state *state, PyObject *element, const char *name,
         PyObject *text)
{
    int plain = PyObject_TypeCheck(element, state->element_type);
    PyObject *before;
    if (plain) {
        ElementObject *e = (ElementObject *)element;
        before = Py_NewRef(strcmp(name, "text") == 0 ? e->text : e->tail);
    }
    else {
        before = PyObject_GetAttrString(element, name);
        if (before == NULL) {
            Py_DECREF(text);
            return -1;
        }
    }
    if (before != Py_None) {
        PyObject *joined = PyNumber_Add(before, text);
        Py_DECREF(text);
        if (joined == NULL) {
            Py_DECREF(before);
            return -1;
        }
        text = joined;
    }
    Py_DECREF(before);
    if (plain) {
        ElementObject *e = (ElementObject *)element;
        PyObject **slot = strcmp(name, "text") == 0 ? &e->text : &e->tail;
        Py_SETREF(*slot, text);
        return 0;
    }
    int result = PyObject_SetAttrString(element, name, text);
    Py_DECREF(text);
    return result;
}

static int
flush_data(BuilderObject *self, elementtree_state *state)
{
    PyObject *data = self->data;
    if (data == NULL) {
        return 0;
    }
    self->data = NULL;
    if (PyList_CheckExact(data)) {
        PyObject *empty = PyUnicode_FromStringAndSize(NULL, 0);
        PyObject *joined = empty == NULL ? NULL : PyUnicode_Join(empty, data);
        Py_XDECREF(empty);
        Py_DECREF(data);
        if (joined == NULL) {
            return -1;
        }
        data = joined;
    }
    Py_ssize_t depth = PyList_GET_SIZE(self->open);
    PyObject *element = self->tail_of;
    const char *name = "tail";
    if (element == NULL) {
        element = depth > 0 ? PyList_GET_ITEM(self->open, depth - 1)
            : self->last;
        name = "text";
    }
    if (element == NULL) {
        Py_DECREF(data);
        return 0;
    }
    Py_INCREF(element);
    int result = add_text(state, element, name, data);
    Py_DECREF(element);
    return result;
}

/* ----------------------------------------------------------------- elements */

static int
add_child(elementtree_state *state, PyObject *parent, PyObject *child)
{
    if (Py_IS_TYPE(parent, state->element_type)) {
        if (_PyElement_CheckChild(state, child) < 0) {
            return -1;
        }
        return _PyElement_Append((ElementObject *)parent, child);
    }
    PyObject *result = PyObject_CallMethod(parent, "append", "O", child);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int
add_to_innermost(BuilderObject *self, elementtree_state *state, PyObject *child)
{
    Py_ssize_t depth = PyList_GET_SIZE(self->open);
    if (depth == 0) {
        return 0;
    }
    PyObject *parent = Py_NewRef(PyList_GET_ITEM(self->open, depth - 1));
    int result = add_child(state, parent, child);
    Py_DECREF(parent);
    return result;
}

static PyObject *
make_element(BuilderObject *self, elementtree_state *state, PyObject *tag,
             PyObject *attrib)
{
    if (self->element_factory == NULL) {
        return _PyElement_New(state, tag, attrib);
    }
    attrib = attrib == NULL ? PyDict_New() : Py_NewRef(attrib);
    if (attrib == NULL) {
        return NULL;
    }
    PyObject *args[] = {tag, attrib};
    PyObject *element = PyObject_Vectorcall(self->element_factory, args, 2,
                                            NULL);
    Py_DECREF(attrib);
    return element;
}

PyObject *
_PyTreeBuilder_Start(PyObject *op, PyObject *tag, PyObject *attrib)
{
    BuilderObject *self = (BuilderObject *)op;
    elementtree_state *state = STATE_OF(self);
    if (state == NULL || flush_data(self, state) < 0) {
        return NULL;
    }
    PyObject *element = make_element(self, state, tag, attrib);
    if (element == NULL) {
        return NULL;
    }
    if (PyList_GET_SIZE(self->open) == 0) {
        if (self->root != NULL) {
            PyErr_SetString(state->parse_error,
                            "multiple elements on top level");
            goto error;
        }
        self->root = Py_NewRef(element);
    }
    else if (add_to_innermost(self, state, element) < 0) {
        goto error;
    }
    if (PyList_Append(self->open, element) < 0) {
        goto error;
    }
    Py_CLEAR(self->tail_of);
    Py_XSETREF(self->last, Py_NewRef(element));
    if (add_event(self, START_EVENT, Py_NewRef(element)) < 0) {
        goto error;
    }
    return element;
error:
    Py_DECREF(element);
    return NULL;
}

PyObject *
_PyTreeBuilder_End(PyObject *op, PyObject *Py_UNUSED(tag))
{
    BuilderObject *self = (BuilderObject *)op;
    elementtree_state *state = STATE_OF(self);
    if (state == NULL || flush_data(self, state) < 0) {
        return NULL;
    }
    Py_ssize_t depth = PyList_GET_SIZE(self->open);
    if (depth == 0) {
        PyErr_SetString(PyExc_IndexError, "pop from empty stack");
        return NULL;
    }
    PyObject *element = Py_NewRef(PyList_GET_ITEM(self->open, depth - 1));
    if (PyList_SetSlice(self->open, depth - 1, depth, NULL) < 0) {
        Py_DECREF(element);
        return NULL;
    }
    Py_XSETREF(self->last, Py_NewRef(element));
    Py_XSETREF(self->tail_of, Py_NewRef(element));
    if (add_event(self, END_EVENT, Py_NewRef(element)) < 0) {
        Py_DECREF(element);
        return NULL;
    }
    return element;
}

/* A comment or processing instruction, which is inserted into the tree if the options say
   so. */
static int
add_single(BuilderObject *self, PyObject *node, int insert, enum event event)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL || flush_data(self, state) < 0) {
        return -1;
    }
    if (insert && PyList_GET_SIZE(self->open) > 0) {
        if (add_to_innermost(self, state, node) < 0) {
            return -1;
        }
        Py_XSETREF(self->tail_of, Py_NewRef(node));
    }
    return add_event(self, event, Py_NewRef(node));
}

PyObject *
_PyTreeBuilder_Comment(PyObject *op, PyObject *text)
{
    BuilderObject *self = (BuilderObject *)op;
    PyObject *node = self->comment_factory == NULL ? Py_NewRef(text)
        : PyObject_CallOneArg(self->comment_factory, text);
    if (node != NULL
            && add_single(self, node, self->insert_comments
                          && self->comment_factory != NULL,
                          COMMENT_EVENT) < 0) {
        Py_CLEAR(node);
    }
    return node;
}

PyObject *
_PyTreeBuilder_PI(PyObject *op, PyObject *target, PyObject *text)
{
    BuilderObject *self = (BuilderObject *)op;
    PyObject *args[] = {target, text};
    PyObject *node = self->pi_factory == NULL ? PyTuple_Pack(2, target, text)
        : PyObject_Vectorcall(self->pi_factory, args, 2, NULL);
    if (node != NULL
            && add_single(self, node, self->insert_pis
                          && self->pi_factory != NULL, PI_EVENT) < 0) {
        Py_CLEAR(node);
    }
    return node;
}

int
_PyTreeBuilder_StartNS(PyObject *op, PyObject *prefix, PyObject *uri)
{
    return add_event((BuilderObject *)op, START_NS_EVENT,
                     PyTuple_Pack(2, prefix, uri));
}

int
_PyTreeBuilder_EndNS(PyObject *op, PyObject *Py_UNUSED(prefix))
{
    return add_event((BuilderObject *)op, END_NS_EVENT, Py_NewRef(Py_None));
}

PyObject *
_PyTreeBuilder_Done(PyObject *op)
{
    BuilderObject *self = (BuilderObject *)op;
    return Py_NewRef(self->root == NULL ? Py_None : self->root);
}

/* ------------------------------------------------------------------ methods */

static PyObject *
builder_data(PyObject *self, PyObject *data)
{
    if (_PyTreeBuilder_Data(self, data) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
builder_start(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("start", nargs, 2, 2)
            || _PyElement_CheckDict("start", "argument 2", args[1]) < 0) {
        return NULL;
    }
    return _PyTreeBuilder_Start(self, args[0], args[1]);
}

static PyObject *
builder_pi(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("pi", nargs, 1, 2)) {
        return NULL;
    }
    return _PyTreeBuilder_PI(self, args[0], nargs > 1 ? args[1] : Py_None);
}

static PyObject *
builder_close(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyTreeBuilder_Done(self);
}

static PyMethodDef builder_methods[] = {
    {"data", builder_data, METH_O, "data($self, data, /)\n--\n\n"},
    {"start", FAST(builder_start),
     "start($self, tag, attrs, /)\n--\n\n"},
    {"end", _PyTreeBuilder_End, METH_O, "end($self, tag, /)\n--\n\n"},
    {"comment", _PyTreeBuilder_Comment, METH_O,
     "comment($self, text, /)\n--\n\n"},
    {"pi", FAST(builder_pi),
     "pi($self, target, text=None, /)\n--\n\n"},
    {"close", builder_close, METH_NOARGS, "close($self, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}
};

/* ----------------------------------------------------------------- the type */

PyObject *
_PyTreeBuilder_New(PyTypeObject *type)
{
    BuilderObject *self = (BuilderObject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->open = PyList_New(0);
    if (self->open == NULL) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static PyObject *
builder_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
            PyObject *Py_UNUSED(kwds))
{
    return _PyTreeBuilder_New(type);
}

static PyObject *
own_or_default(PyObject *given, PyObject *fallback)
{
    return Py_XNewRef(given == Py_None ? fallback : given);
}

static int
builder_init(BuilderObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {
        "element_factory", "comment_factory", "pi_factory",
        "insert_comments", "insert_pis", NULL};
    PyObject *element = Py_None, *comment = Py_None, *pi = Py_None;
    int insert_comments = 0, insert_pis = 0;
    elementtree_state *state = STATE_OF(self);
    if (state == NULL
            || !PyArg_ParseTupleAndKeywords(args, kwds, "|O$OOpp:TreeBuilder",
                                            keywords, &element, &comment, &pi,
                                            &insert_comments, &insert_pis)) {
        return -1;
    }
    Py_XSETREF(self->element_factory, own_or_default(element, NULL));
    Py_XSETREF(self->comment_factory,
               own_or_default(comment, state->comment_factory));
    Py_XSETREF(self->pi_factory, own_or_default(pi, state->pi_factory));
    self->insert_comments = (char)insert_comments;
    self->insert_pis = (char)insert_pis;
    return 0;
}

static int
builder_traverse(BuilderObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->root);
    Py_VISIT(self->open);
    Py_VISIT(self->last);
    Py_VISIT(self->tail_of);
    Py_VISIT(self->data);
    Py_VISIT(self->element_factory);
    Py_VISIT(self->comment_factory);
    Py_VISIT(self->pi_factory);
    Py_VISIT(self->append_event);
    for (int i = 0; i < EVENT_COUNT; i++) {
        Py_VISIT(self->event_keys[i]);
    }
    return 0;
}

/* `open` stays: the methods rely on it, and emptying it breaks its cycles. */
static int
builder_clear(BuilderObject *self)
{
    Py_CLEAR(self->root);
    Py_CLEAR(self->last);
    Py_CLEAR(self->tail_of);
    Py_CLEAR(self->data);
    Py_CLEAR(self->element_factory);
    Py_CLEAR(self->comment_factory);
    Py_CLEAR(self->pi_factory);
    Py_CLEAR(self->append_event);
    for (int i = 0; i < EVENT_COUNT; i++) {
        Py_CLEAR(self->event_keys[i]);
    }
    return 0;
}

static void
builder_dealloc(BuilderObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    (void)builder_clear(self);
    Py_CLEAR(self->open);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

static PyType_Slot builder_slots[] = {
    {Py_tp_new, builder_new},
    {Py_tp_init, builder_init},
    {Py_tp_dealloc, builder_dealloc},
    {Py_tp_traverse, builder_traverse},
    {Py_tp_clear, builder_clear},
    {Py_tp_methods, builder_methods},
    {0, NULL}
};

PyType_Spec _PyTreeBuilder_Spec = {
    .name = "xml.etree.ElementTree.TreeBuilder",
    .basicsize = sizeof(BuilderObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = builder_slots,
};

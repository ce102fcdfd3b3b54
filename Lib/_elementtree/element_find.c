/* Finding elements: by tag here, by path in xml.etree.ElementPath; and the iterators over
   a whole tree. */

#include "elementtree.h"

/* -------------------------------------------------------------------- paths */

/* Is the path more than one tag? A name in braces may contain anything, but
   {} and {*} are patterns. */
static int
needs_path(PyObject *path, PyObject *namespaces)
{
    if (namespaces != Py_None) {
        return 1;
    }
    Py_ssize_t n;
    int kind;
    const void *data;
    if (PyUnicode_Check(path)) {
        n = PyUnicode_GET_LENGTH(path);
        kind = PyUnicode_KIND(path);
        data = PyUnicode_DATA(path);
    }
    else if (PyBytes_Check(path)) {
        n = PyBytes_GET_SIZE(path);
        kind = PyUnicode_1BYTE_KIND;
        data = PyBytes_AS_STRING(path);
    }
    else {
        return 1;
    }
#define AT(i) PyUnicode_READ(kind, data, i)
    if (n >= 2 && AT(0) == '{'
            && (AT(1) == '}' || (n >= 3 && AT(1) == '*' && AT(2) == '}'))) {
        return 1;
    }
    int in_braces = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 ch = AT(i);
        if (ch == '{') {
            in_braces = 1;
        }
        else if (ch == '}') {
            in_braces = 0;
        }
        else if (!in_braces && (ch == '/' || ch == '*' || ch == '['
                                || ch == '@' || ch == '.')) {
            return 1;
        }
    }
#undef AT
    return 0;
}

static PyObject *
ask_element_path(ElementObject *self, const char *function,
                 PyObject *const *args, size_t nargs)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL) {
        return NULL;
    }
    PyObject *callable = PyObject_GetAttrString(state->element_path, function);
    if (callable == NULL) {
        return NULL;
    }
    PyObject *stack[4] = {(PyObject *)self};
    for (size_t i = 0; i < nargs; i++) {
        stack[i + 1] = args[i];
    }
    PyObject *result = PyObject_Vectorcall(callable, stack, nargs + 1, NULL);
    Py_DECREF(callable);
    return result;
}

/* Returns a new reference to the next child at or after *position whose tag equals `tag`,
   and sets *position behind it. NULL: there is none, or an exception is set. */
static ElementObject *
next_child(ElementObject *self, PyObject *tag, Py_ssize_t *position)
{
    while (*position < _PyElement_Length(self)) {
        ElementObject *child = (ElementObject *)Py_NewRef(
            self->extra->children[(*position)++]);
        PyObject *child_tag = Py_NewRef(child->tag);
        int equal = PyObject_RichCompareBool(child_tag, tag, Py_EQ);
        Py_DECREF(child_tag);
        if (equal > 0) {
            return child;
        }
        Py_DECREF(child);
        if (equal < 0) {
            return NULL;
        }
    }
    return NULL;
}

PyObject *
_PyElement_find(ElementObject *self, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"path", "namespaces", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "O|O:find"};
    PyObject *a[2] = {NULL, Py_None};
    if (!_PyElement_Unpack(args, nargs, kwnames, &parser, 1, 2, a)) {
        return NULL;
    }
    if (needs_path(a[0], a[1])) {
        return ask_element_path(self, "find", a, 2);
    }
    Py_ssize_t position = 0;
    ElementObject *child = next_child(self, a[0], &position);
    if (child == NULL && !PyErr_Occurred()) {
        Py_RETURN_NONE;
    }
    return (PyObject *)child;
}

PyObject *
_PyElement_findtext(ElementObject *self, PyObject *const *args,
                    Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {
        "path", "default", "namespaces", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .format = "O|OO:findtext"};
    PyObject *a[3] = {NULL, Py_None, Py_None};
    if (!_PyElement_Unpack(args, nargs, kwnames, &parser, 1, 3, a)) {
        return NULL;
    }
    if (needs_path(a[0], a[2])) {
        return ask_element_path(self, "findtext", a, 3);
    }
    Py_ssize_t position = 0;
    ElementObject *child = next_child(self, a[0], &position);
    if (child == NULL) {
        return PyErr_Occurred() ? NULL : Py_NewRef(a[1]);
    }
    PyObject *text = child->text == Py_None
        ? PyUnicode_FromStringAndSize(NULL, 0) : Py_NewRef(child->text);
    Py_DECREF(child);
    return text;
}

PyObject *
_PyElement_findall(ElementObject *self, PyObject *const *args,
                   Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"path", "namespaces", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .format = "O|O:findall"};
    PyObject *a[2] = {NULL, Py_None};
    if (!_PyElement_Unpack(args, nargs, kwnames, &parser, 1, 2, a)) {
        return NULL;
    }
    if (needs_path(a[0], a[1])) {
        return ask_element_path(self, "findall", a, 2);
    }
    PyObject *found = PyList_New(0);
    Py_ssize_t position = 0;
    ElementObject *child;
    while (found != NULL
            && (child = next_child(self, a[0], &position)) != NULL) {
        if (PyList_Append(found, (PyObject *)child) < 0) {
            Py_CLEAR(found);
        }
        Py_DECREF(child);
    }
    if (found != NULL && PyErr_Occurred()) {
        Py_CLEAR(found);
    }
    return found;
}

PyObject *
_PyElement_iterfind(ElementObject *self, PyObject *const *args,
                    Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"path", "namespaces", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .format = "O|O:iterfind"};
    PyObject *a[2] = {NULL, Py_None};
    if (!_PyElement_Unpack(args, nargs, kwnames, &parser, 1, 2, a)) {
        return NULL;
    }
    return ask_element_path(self, "iterfind", a, 2);
}

/* ---------------------------------------------------------------- iterators */

/* The path from the root to the current element: each entry holds an element and the
   index of its child to visit next. */
typedef struct {
    ElementObject *element;
    Py_ssize_t next_child;
} Step;

typedef struct {
    PyObject_HEAD
    Step *path;
    Py_ssize_t depth;
    Py_ssize_t allocated;
    ElementObject *root;        /* not visited yet; NULL from then on */
    PyObject *tag;              /* NULL: every tag */
    int text_wanted;            /* itertext() */
} ElementIterator;

static PyObject *
new_iterator(ElementObject *root, PyObject *tag, int text_wanted)
{
    elementtree_state *state = STATE_OF(root);
    if (state == NULL) {
        return NULL;
    }
    ElementIterator *it = PyObject_GC_New(ElementIterator,
                                          state->iterator_type);
    if (it == NULL) {
        return NULL;
    }
    it->path = NULL;
    it->depth = it->allocated = 0;
    it->root = (ElementObject *)Py_NewRef((PyObject *)root);
    it->tag = Py_XNewRef(tag);
    it->text_wanted = text_wanted;
    PyObject_GC_Track(it);
    return (PyObject *)it;
}

/* Steals the reference, also when there is no memory. */
static int
descend(ElementIterator *it, ElementObject *element)
{
    if (it->depth == it->allocated) {
        Py_ssize_t room = it->allocated == 0 ? 8 : 2 * it->allocated;
        Step *path = it->path;
        PyMem_Resize(path, Step, (size_t)room);
        if (path == NULL) {
            Py_DECREF(element);
            PyErr_NoMemory();
            return -1;
        }
        it->path = path;
        it->allocated = room;
    }
    it->path[it->depth++] = (Step){element, 0};
    return 0;
}

/* Returns a new reference to a text that is not empty; NULL: there is none, or an
   exception is set. */
static PyObject *
text_to_give(PyObject *text)
{
    if (text == Py_None) {
        return NULL;
    }
    Py_INCREF(text);
    if (PyObject_IsTrue(text) > 0) {
        return text;
    }
    Py_DECREF(text);
    return NULL;
}

/* An element on the way down: what does the iterator give for it? */
static PyObject *
enter(ElementIterator *it, ElementObject *element)
{
    if (it->text_wanted) {
        return text_to_give(element->text);
    }
    if (it->tag == NULL || element->tag == it->tag) {
        return Py_NewRef((PyObject *)element);
    }
    Py_INCREF(element);
    PyObject *tag = Py_NewRef(element->tag);
    int equal = PyObject_RichCompareBool(tag, it->tag, Py_EQ);
    Py_DECREF(tag);
    if (equal > 0) {
        return (PyObject *)element;
    }
    Py_DECREF(element);
    return NULL;
}

static PyObject *
iterator_next(ElementIterator *it)
{
    for (;;) {
        ElementObject *element;
        PyObject *result = NULL;
        if (it->depth == 0) {
            element = it->root;
            if (element == NULL) {
                return NULL;
            }
            it->root = NULL;
        }
        else {
            Step *top = &it->path[it->depth - 1];
            if (top->next_child >= _PyElement_Length(top->element)) {
                element = top->element;
                it->depth--;
                /* The root's own tail is outside of the tree. */
                if (it->text_wanted && it->depth > 0) {
                    result = text_to_give(element->tail);
                }
                Py_DECREF(element);
                if (result != NULL || PyErr_Occurred()) {
                    return result;
                }
                continue;
            }
            element = (ElementObject *)Py_NewRef(
                top->element->extra->children[top->next_child++]);
        }
        if (descend(it, element) < 0) {
            return NULL;
        }
        result = enter(it, element);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
}

static int
iterator_traverse(ElementIterator *it, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i < it->depth; i++) {
        Py_VISIT(it->path[i].element);
    }
    Py_VISIT(it->root);
    Py_VISIT(it->tag);
    Py_VISIT(Py_TYPE(it));
    return 0;
}

static void
iterator_dealloc(ElementIterator *it)
{
    PyTypeObject *type = Py_TYPE(it);
    PyObject_GC_UnTrack(it);
    while (it->depth > 0) {
        Py_DECREF(it->path[--it->depth].element);
    }
    PyMem_Free(it->path);
    Py_CLEAR(it->root);
    Py_CLEAR(it->tag);
    PyObject_GC_Del(it);
    Py_DECREF(type);
}

PyObject *
_PyElement_iter(ElementObject *self, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"tag", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .format = "|O:iter"};
    PyObject *tag = Py_None;
    if (!_PyElement_Unpack(args, nargs, kwnames, &parser, 0, 1, &tag)) {
        return NULL;
    }
    int every = tag == Py_None
        || (PyUnicode_Check(tag)
            && PyUnicode_CompareWithASCIIString(tag, "*") == 0)
        || (PyBytes_Check(tag) && PyBytes_GET_SIZE(tag) == 1
            && *PyBytes_AS_STRING(tag) == '*');
    return new_iterator(self, every ? NULL : tag, 0);
}

PyObject *
_PyElement_itertext(ElementObject *self, PyObject *Py_UNUSED(ignored))
{
    return new_iterator(self, NULL, 1);
}

static PyType_Slot iterator_slots[] = {
    {Py_tp_dealloc, iterator_dealloc},
    {Py_tp_traverse, iterator_traverse},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, iterator_next},
    {0, NULL}
};

PyType_Spec _PyElementIterator_Spec = {
    .name = "_elementtree._element_iterator",
    .basicsize = sizeof(ElementIterator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = iterator_slots,
};

/* What the files of _elementtree share.

   An Element always has a tag, a text and a tail (None at first). Attributes and
   children live in a block of their own, `extra`, that an element without any
   does not have. Whatever is in `children` is an Element (or of a subclass). */
#ifndef SB_ELEMENTTREE_H
#define SB_ELEMENTTREE_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/method_table.h"

#define INLINE_CHILDREN 4

typedef struct {
    PyObject *attrib;           /* a dict, usually; or NULL: none yet */
    Py_ssize_t length;
    Py_ssize_t allocated;
    PyObject **children;        /* `inlined`, until there are too many */
    PyObject *inlined[INLINE_CHILDREN];
} ElementExtra;

typedef struct {
    PyObject_HEAD
    PyObject *tag;
    PyObject *text;
    PyObject *tail;
    ElementExtra *extra;
    PyObject *weakrefs;
} ElementObject;

typedef struct {
    PyTypeObject *element_type;
    PyTypeObject *iterator_type;
    PyTypeObject *builder_type;
    PyTypeObject *parser_type;
    PyObject *parse_error;
    PyObject *element_path;     /* the module xml.etree.ElementPath */
    PyObject *deepcopy;
    /* Set by _set_factories(); NULL: the plain text, or a pair. */
    PyObject *comment_factory;
    PyObject *pi_factory;
} elementtree_state;

extern struct PyModuleDef _PyElementTree_Module;

static inline elementtree_state *
_PyElementTree_State(PyTypeObject *type)
{
    PyObject *module = PyType_GetModuleByDef(type, &_PyElementTree_Module);
    return module == NULL ? NULL : PyModule_GetState(module);
}

#define STATE_OF(op) _PyElementTree_State(Py_TYPE(op))

static inline Py_ssize_t
_PyElement_Length(ElementObject *self)
{
    return self->extra == NULL ? 0 : self->extra->length;
}

static inline PyObject *
_PyElement_Attrib(ElementObject *self)      /* Returns a borrowed reference; NULL: none */
{
    return self->extra == NULL ? NULL : self->extra->attrib;
}

extern PyType_Spec _PyElement_Spec;
extern PyType_Spec _PyElementIterator_Spec;
extern PyType_Spec _PyTreeBuilder_Spec;
extern PyType_Spec _PyXMLParser_Spec;

/* element.c. attrib may be NULL; it is shared, not copied, unless empty. */
PyObject *_PyElement_New(elementtree_state *, PyObject *tag, PyObject *attrib);
/* child must be an Element. */
int _PyElement_Append(ElementObject *self, PyObject *child);
int _PyElement_MakeExtra(ElementObject *self);
void _PyElement_ClearExtra(ElementObject *self);
int _PyElement_Resize(ElementObject *self, Py_ssize_t more);
/* Raises TypeError unless op is an Element, with the message that Argument Clinic gives
   for `what`. */
int _PyElement_CheckArgument(elementtree_state *, const char *function,
                             const char *what, PyObject *op);
/* Raises TypeError unless op is an Element, with the message of the containers. */
int _PyElement_CheckChild(elementtree_state *, PyObject *op);
int _PyElement_CheckDict(const char *function, const char *what, PyObject *op);
PyObject *_PyElement_SubElement(PyObject *module, PyObject *args,
                                PyObject *kwds);

/* element_children.c, element_find.c, element_copy.c: the methods. */
Py_ssize_t _PyElement_SeqLength(ElementObject *self);
PyObject *_PyElement_Item(ElementObject *self, Py_ssize_t index);
PyObject *_PyElement_Subscript(ElementObject *self, PyObject *key);
/* n children from start on, as a new list. To make it may start a collection, whose finalizers
   may change the element: children that are gone then are left out. */
PyObject *_PyElement_ListChildren(ElementObject *, Py_ssize_t start, Py_ssize_t step, Py_ssize_t n);
int _PyElement_AssignSubscript(ElementObject *, PyObject *key, PyObject *value);
#define ELEMENT_METHOD(name) PyObject *_PyElement_##name
ELEMENT_METHOD(append)(ElementObject *, PyObject *);
ELEMENT_METHOD(extend)(ElementObject *, PyObject *);
ELEMENT_METHOD(insert)(ElementObject *, PyObject *const *, Py_ssize_t);
ELEMENT_METHOD(remove)(ElementObject *, PyObject *);
ELEMENT_METHOD(find)(ElementObject *, PyObject *const *, Py_ssize_t, PyObject *);
ELEMENT_METHOD(findtext)(ElementObject *, PyObject *const *, Py_ssize_t,
                         PyObject *);
ELEMENT_METHOD(findall)(ElementObject *, PyObject *const *, Py_ssize_t,
                        PyObject *);
ELEMENT_METHOD(iterfind)(ElementObject *, PyObject *const *, Py_ssize_t,
                         PyObject *);
ELEMENT_METHOD(iter)(ElementObject *, PyObject *const *, Py_ssize_t, PyObject *);
ELEMENT_METHOD(itertext)(ElementObject *, PyObject *);
ELEMENT_METHOD(copy)(ElementObject *, PyObject *);
ELEMENT_METHOD(deepcopy)(ElementObject *, PyObject *);
ELEMENT_METHOD(getstate)(ElementObject *, PyObject *);
ELEMENT_METHOD(setstate)(ElementObject *, PyObject *);

/* treebuilder.c. The parser calls these directly when its target is exactly a
   TreeBuilder. attrib may be NULL. They return new references, or NULL with an exception. */
PyObject *_PyTreeBuilder_New(PyTypeObject *type);
PyObject *_PyTreeBuilder_Start(PyObject *, PyObject *tag, PyObject *attrib);
PyObject *_PyTreeBuilder_End(PyObject *, PyObject *tag);
PyObject *_PyTreeBuilder_Comment(PyObject *, PyObject *text);
PyObject *_PyTreeBuilder_PI(PyObject *, PyObject *target, PyObject *text);
int _PyTreeBuilder_Data(PyObject *, PyObject *data);
int _PyTreeBuilder_StartNS(PyObject *, PyObject *prefix, PyObject *uri);
int _PyTreeBuilder_EndNS(PyObject *, PyObject *prefix);
PyObject *_PyTreeBuilder_Done(PyObject *);
/* Which events to report, and where to. -1 with an exception set. The bits tell the
   parser which handlers it has to install. */
enum {WANTS_NAMESPACES = 1, WANTS_COMMENTS = 2, WANTS_PIS = 4};
int _PyTreeBuilder_SetEvents(PyObject *, PyObject *queue, PyObject *events);

/* Parses arguments into out[]; entries of missing ones stay as they are. Most calls are
   positional and need no general parser. */
static inline int
_PyElement_Unpack(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                  _PyArg_Parser *parser, Py_ssize_t least, Py_ssize_t most,
                  PyObject **out)
{
    if (kwnames == NULL && nargs >= least && nargs <= most) {
        for (Py_ssize_t i = 0; i < nargs; i++) {
            out[i] = args[i];
        }
        return 1;
    }
    PyObject *spare[3];
    for (Py_ssize_t i = most; i < 3; i++) {
        spare[i] = NULL;
    }
    return _PyArg_ParseStackAndKeywords(
        args, nargs, kwnames, parser, &out[0], most > 1 ? &out[1] : &spare[1],
        most > 2 ? &out[2] : &spare[2]);
}


#endif

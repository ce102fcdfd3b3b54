/* XMLParser: feeds a target with what expat parses.

   If the target is exactly a TreeBuilder, it is called in C, and its character data
   collects in a buffer until something else arrives. Any other target is asked once, at
   the start, for the handlers that it has. */

#include "elementtree.h"
#include "structmember.h"
#include "../shared/unknown_encoding.h"
#include <stddef.h>

enum handler {ON_START, ON_END, ON_DATA, ON_START_NS, ON_END_NS, ON_COMMENT,
              ON_PI, ON_CLOSE, ON_DOCTYPE, HANDLERS};

static const char *const handler_names[HANDLERS] = {
    "start", "end", "data", "start_ns", "end_ns", "comment", "pi", "close",
    "doctype"};

#define NAME_CACHE_SIZE 128     /* a power of two */

typedef struct {
    PyObject_HEAD
    XML_Parser expat;           /* NULL before __init__ */
    PyObject *target;
    PyObject *entity;           /* a dict */
    PyObject *handlers[HANDLERS];       /* NULL: the target has none */
    int direct;                 /* the target is exactly a TreeBuilder */
    int busy;                   /* expat is running */
    char *text;                 /* character data for a direct target */
    size_t text_used;
    size_t text_room;
    /* Names recently seen, by the hash of what expat calls them. */
    PyObject *names[NAME_CACHE_SIZE];
} Parser;

/* ------------------------------------------------------------------- errors */

static void
raise_parse_error(Parser *self, enum XML_Error code, const char *message)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL) {
        return;
    }
    size_t line = XML_GetErrorLineNumber(self->expat);
    size_t column = XML_GetErrorColumnNumber(self->expat);
    PyObject *text = PyUnicode_FromFormat(
        "%s: line %zu, column %zu",
        message != NULL ? message : XML_ErrorString(code), line, column);
    if (text == NULL) {
        return;
    }
    PyObject *error = PyObject_CallOneArg(state->parse_error, text);
    Py_DECREF(text);
    PyObject *number = PyLong_FromLong((long)code);
    PyObject *position = Py_BuildValue("(nn)", (Py_ssize_t)line,
                                       (Py_ssize_t)column);
    if (error != NULL && number != NULL && position != NULL
            && PyObject_SetAttrString(error, "code", number) == 0
            && PyObject_SetAttrString(error, "position", position) == 0) {
        PyErr_SetObject(state->parse_error, error);
    }
    Py_XDECREF(error);
    Py_XDECREF(number);
    Py_XDECREF(position);
}

static int
check_initialised(Parser *self)
{
    if (self->target == NULL || self->expat == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "XMLParser.__init__() wasn't called");
        return -1;
    }
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the parser is in use by one of its own handlers");
        return -1;
    }
    return 0;
}

/* -------------------------------------------------------------------- names */

static int
is_name(PyObject *known, const char *name, size_t n, size_t braced)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(known, &size);
    return text != NULL && (size_t)size == n + braced
        && (!braced || text[0] == '{') && memcmp(text + braced, name, n) == 0;
}

/* Turns expat's "uri}name" into ElementTree's "{uri}name". Returns a new reference. */
static PyObject *
universal_name(Parser *self, const char *name)
{
    size_t n = 0, braced = 0;
    uint32_t hash = 2166136261u;
    for (; name[n] != '\0'; n++) {
        braced |= name[n] == '}';
        hash = (hash ^ (unsigned char)name[n]) * 16777619u;
    }
    PyObject **entry = &self->names[(hash ^ hash >> 15) % NAME_CACHE_SIZE];
    if (*entry != NULL && is_name(*entry, name, n, braced)) {
        return Py_NewRef(*entry);
    }
    PyObject *text;
    if (braced) {
        char *room = PyMem_Malloc(n + 1);
        if (room == NULL) {
            return PyErr_NoMemory();
        }
        room[0] = '{';
        memcpy(room + 1, name, n);
        text = PyUnicode_DecodeUTF8(room, (Py_ssize_t)n + 1, "strict");
        PyMem_Free(room);
    }
    else {
        text = PyUnicode_DecodeUTF8(name, (Py_ssize_t)n, "strict");
    }
    if (text != NULL) {
        Py_XSETREF(*entry, Py_NewRef(text));
    }
    return text;
}

/* --------------------------------------------------------------------- text */

static int
deliver_text(Parser *self)
{
    if (self->text_used == 0) {
        return 0;
    }
    PyObject *text = PyUnicode_DecodeUTF8(self->text,
                                          (Py_ssize_t)self->text_used,
                                          "strict");
    self->text_used = 0;
    if (text == NULL) {
        return -1;
    }
    int result = _PyTreeBuilder_Data(self->target, text);
    Py_DECREF(text);
    return result;
}

static void
collect_text(Parser *self, const char *s, size_t n)
{
    if (n > self->text_room - self->text_used) {
        size_t room = Py_MAX(2 * self->text_room, self->text_used + n + 512);
        char *text = PyMem_Realloc(self->text, room);
        if (text == NULL) {
            PyErr_NoMemory();
            return;
        }
        self->text = text;
        self->text_room = room;
    }
    memcpy(self->text + self->text_used, s, n);
    self->text_used += n;
}

/* ----------------------------------------------- what expat calls: elements */

/* Should the event be reported? Delivers pending text first. */
static int
ready(Parser *self)
{
    return !PyErr_Occurred() && deliver_text(self) == 0;
}

/* Calls a handler; steals the references to its arguments, of which one that could not be
   made is NULL. */
static void
tell(Parser *self, enum handler which, PyObject **args, size_t n)
{
    int complete = self->handlers[which] != NULL;
    for (size_t i = 0; i < n; i++) {
        complete &= args[i] != NULL;
    }
    if (complete) {
        PyObject *result = PyObject_Vectorcall(self->handlers[which], args, n,
                                               NULL);
        Py_XDECREF(result);
    }
    for (size_t i = 0; i < n; i++) {
        Py_XDECREF(args[i]);
    }
}

static PyObject *
make_attrib(Parser *self, const XML_Char **pairs)
{
    PyObject *attrib = PyDict_New();
    for (; attrib != NULL && pairs[0] != NULL; pairs += 2) {
        PyObject *name = universal_name(self, pairs[0]);
        PyObject *value = name == NULL ? NULL : PyUnicode_DecodeUTF8(
            pairs[1], (Py_ssize_t)strlen(pairs[1]), "strict");
        if (value == NULL || PyDict_SetItem(attrib, name, value) < 0) {
            Py_CLEAR(attrib);
        }
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return attrib;
}

static void
on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    Parser *self = data;
    if (!ready(self)) {
        return;
    }
    if (!self->direct) {
        if (self->handlers[ON_START] != NULL) {
            PyObject *args[] = {universal_name(self, name), NULL};
            args[1] = args[0] == NULL ? NULL : make_attrib(self, attributes);
            tell(self, ON_START, args, 2);
        }
        return;
    }
    PyObject *tag = universal_name(self, name);
    PyObject *attrib = NULL;
    if (tag != NULL && attributes[0] != NULL) {
        attrib = make_attrib(self, attributes);
        if (attrib == NULL) {
            Py_CLEAR(tag);
        }
    }
    if (tag != NULL) {
        Py_XDECREF(_PyTreeBuilder_Start(self->target, tag, attrib));
        Py_DECREF(tag);
        Py_XDECREF(attrib);
    }
}

static void
on_end(void *data, const XML_Char *name)
{
    Parser *self = data;
    if (!ready(self)) {
        return;
    }
    if (self->direct) {
        /* The tag is ignored: expat has matched it. */
        Py_XDECREF(_PyTreeBuilder_End(self->target, Py_None));
    }
    else if (self->handlers[ON_END] != NULL) {
        PyObject *args[] = {universal_name(self, name)};
        tell(self, ON_END, args, 1);
    }
}

static void
on_data(void *data, const XML_Char *s, int n)
{
    Parser *self = data;
    if (PyErr_Occurred()) {
        return;
    }
    if (self->direct) {
        collect_text(self, s, (size_t)n);
    }
    else if (self->handlers[ON_DATA] != NULL) {
        PyObject *args[] = {PyUnicode_DecodeUTF8(s, n, "strict")};
        tell(self, ON_DATA, args, 1);
    }
}

/* expat passes on what it does not understand: entities that it does not know. */
static void
on_default(void *data, const XML_Char *s, int n)
{
    Parser *self = data;
    if (n < 2 || s[0] != '&' || PyErr_Occurred()) {
        return;
    }
    PyObject *name = PyUnicode_DecodeUTF8(s + 1, n - 2, "strict");
    if (name == NULL) {
        return;
    }
    PyObject *value = PyDict_GetItemWithError(self->entity, name);
    Py_DECREF(name);
    if (value == NULL) {
        if (!PyErr_Occurred()) {
            char message[128];
            PyOS_snprintf(message, sizeof(message), "undefined entity %.*s",
                          Py_MIN(n, 100), s);
            raise_parse_error(self, XML_ERROR_UNDEFINED_ENTITY, message);
        }
        return;
    }
    Py_INCREF(value);
    if (!self->direct) {
        tell(self, ON_DATA, &value, 1);
        return;
    }
    if (deliver_text(self) == 0) {
        (void)_PyTreeBuilder_Data(self->target, value);
    }
    Py_DECREF(value);
}

/* ------------------------------------------------- what expat calls: others */

static PyObject *
text_or_empty(const XML_Char *s)
{
    return PyUnicode_DecodeUTF8(s == NULL ? "" : s,
                                s == NULL ? 0 : (Py_ssize_t)strlen(s),
                                "strict");
}

static PyObject *
text_or_none(const XML_Char *s)
{
    return s == NULL ? Py_NewRef(Py_None) : text_or_empty(s);
}

static void
on_start_ns(void *data, const XML_Char *prefix, const XML_Char *uri)
{
    Parser *self = data;
    if (!ready(self) || (!self->direct && self->handlers[ON_START_NS] == NULL)) {
        return;
    }
    PyObject *args[] = {text_or_empty(prefix), text_or_empty(uri)};
    if (!self->direct) {
        tell(self, ON_START_NS, args, 2);
        return;
    }
    if (args[0] != NULL && args[1] != NULL) {
        (void)_PyTreeBuilder_StartNS(self->target, args[0], args[1]);
    }
    Py_XDECREF(args[0]);
    Py_XDECREF(args[1]);
}

static void
on_end_ns(void *data, const XML_Char *prefix)
{
    Parser *self = data;
    if (!ready(self)) {
        return;
    }
    if (self->direct) {
        (void)_PyTreeBuilder_EndNS(self->target, Py_None);
    }
    else if (self->handlers[ON_END_NS] != NULL) {
        PyObject *args[] = {text_or_empty(prefix)};
        tell(self, ON_END_NS, args, 1);
    }
}

static void
on_comment(void *data, const XML_Char *content)
{
    Parser *self = data;
    if (!ready(self) || (!self->direct && self->handlers[ON_COMMENT] == NULL)) {
        return;
    }
    PyObject *text = text_or_empty(content);
    if (!self->direct) {
        tell(self, ON_COMMENT, &text, 1);
    }
    else if (text != NULL) {
        Py_XDECREF(_PyTreeBuilder_Comment(self->target, text));
        Py_DECREF(text);
    }
}

static void
on_pi(void *data, const XML_Char *target, const XML_Char *content)
{
    Parser *self = data;
    if (!ready(self) || (!self->direct && self->handlers[ON_PI] == NULL)) {
        return;
    }
    PyObject *args[] = {text_or_empty(target), text_or_empty(content)};
    if (!self->direct) {
        tell(self, ON_PI, args, 2);
        return;
    }
    if (args[0] != NULL && args[1] != NULL) {
        Py_XDECREF(_PyTreeBuilder_PI(self->target, args[0], args[1]));
    }
    Py_XDECREF(args[0]);
    Py_XDECREF(args[1]);
}

static void
on_doctype(void *data, const XML_Char *name, const XML_Char *system_id,
           const XML_Char *public_id, int Py_UNUSED(has_internal_subset))
{
    Parser *self = data;
    if (!ready(self)) {
        return;
    }
    if (self->handlers[ON_DOCTYPE] != NULL) {
        PyObject *args[] = {universal_name(self, name), text_or_none(public_id),
                            text_or_none(system_id)};
        tell(self, ON_DOCTYPE, args, 3);
        return;
    }
    PyObject *ignored = NULL, *attribute = PyUnicode_FromString("doctype");
    if (attribute != NULL) {
        (void)_PyObject_LookupAttr((PyObject *)self, attribute, &ignored);
        Py_DECREF(attribute);
    }
    if (ignored != NULL) {
        Py_DECREF(ignored);
        (void)PyErr_WarnEx(PyExc_RuntimeWarning,
                           "The doctype() method of XMLParser is ignored.  "
                           "Define doctype() method on the TreeBuilder target.",
                           1);
    }
}

/* ------------------------------------------------------------------ feeding */

/* None, or NULL with an exception set. */
static PyObject *
feed(Parser *self, const char *s, Py_ssize_t n, int is_final)
{
    if (n > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "size does not fit in an int");
        return NULL;
    }
    self->busy = 1;
    enum XML_Status status = XML_Parse(self->expat, s, (int)n, is_final);
    self->busy = 0;
    if (!PyErr_Occurred()) {
        (void)deliver_text(self);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (status == XML_STATUS_ERROR) {
        raise_parse_error(self, XML_GetErrorCode(self->expat), NULL);
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
parser_feed(Parser *self, PyObject *data)
{
    if (check_initialised(self) < 0) {
        return NULL;
    }
    if (PyUnicode_Check(data)) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(data, &n);
        if (s == NULL) {
            return NULL;
        }
        (void)XML_SetEncoding(self->expat, "utf-8");
        return feed(self, s, n, 0);
    }
    Py_buffer view;
    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    PyObject *result = feed(self, view.buf, view.len, 0);
    PyBuffer_Release(&view);
    return result;
}

static PyObject *
parser_close(Parser *self, PyObject *Py_UNUSED(ignored))
{
    if (check_initialised(self) < 0) {
        return NULL;
    }
    PyObject *result = feed(self, "", 0, 1);
    if (result == NULL) {
        return NULL;
    }
    if (self->direct) {
        Py_DECREF(result);
        return _PyTreeBuilder_Done(self->target);
    }
    if (self->handlers[ON_CLOSE] != NULL) {
        Py_DECREF(result);
        return PyObject_CallNoArgs(self->handlers[ON_CLOSE]);
    }
    return result;
}

/* The result of read() as bytes. Returns a new reference; NULL at the end, or with an
   exception set. Steals the reference to `data`. */
static PyObject *
as_bytes(Parser *self, PyObject *data)
{
    if (PyUnicode_CheckExact(data) && PyUnicode_GET_LENGTH(data) > 0) {
        PyObject *bytes = PyUnicode_AsEncodedString(data, "utf-8",
                                                    "surrogatepass");
        Py_DECREF(data);
        (void)XML_SetEncoding(self->expat, "utf-8");
        return bytes;
    }
    if (PyBytes_CheckExact(data) && PyBytes_GET_SIZE(data) > 0) {
        return data;
    }
    Py_DECREF(data);
    return NULL;
}

static PyObject *
parser_parse_whole(Parser *self, PyObject *file)
{
    if (check_initialised(self) < 0) {
        return NULL;
    }
    PyObject *read = PyObject_GetAttrString(file, "read");
    PyObject *size = read == NULL ? NULL : PyLong_FromLong(64 * 1024);
    if (size == NULL) {
        Py_XDECREF(read);
        return NULL;
    }
    PyObject *data, *result = NULL;
    while ((data = PyObject_CallOneArg(read, size)) != NULL
            && (data = as_bytes(self, data)) != NULL) {
        result = feed(self, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), 0);
        Py_DECREF(data);
        if (result == NULL) {
            break;
        }
        Py_DECREF(result);
    }
    Py_DECREF(read);
    Py_DECREF(size);
    if (PyErr_Occurred()) {
        return NULL;
    }
    result = feed(self, "", 0, 1);
    if (result != NULL && self->direct) {
        Py_DECREF(result);
        return _PyTreeBuilder_Done(self->target);
    }
    return result;
}

static PyObject *
parser_setevents(Parser *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_setevents", nargs, 1, 2)
            || check_initialised(self) < 0) {
        return NULL;
    }
    if (!self->direct) {
        PyErr_SetString(PyExc_TypeError,
                        "event handling only supported for "
                        "ElementTree.TreeBuilder targets");
        return NULL;
    }
    int wanted = _PyTreeBuilder_SetEvents(self->target, args[0],
                                          nargs > 1 ? args[1] : Py_None);
    if (wanted < 0) {
        return NULL;
    }
    if (wanted & WANTS_NAMESPACES) {
        XML_SetNamespaceDeclHandler(self->expat, on_start_ns, on_end_ns);
    }
    if (wanted & WANTS_COMMENTS) {
        XML_SetCommentHandler(self->expat, on_comment);
    }
    if (wanted & WANTS_PIS) {
        XML_SetProcessingInstructionHandler(self->expat, on_pi);
    }
    Py_RETURN_NONE;
}

static PyObject *
get_version(Parser *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return PyUnicode_FromFormat("Expat %d.%d.%d", XML_MAJOR_VERSION,
                                XML_MINOR_VERSION, XML_MICRO_VERSION);
}

/* ----------------------------------------------------------------- the type */

static void
connect(Parser *self)
{
    XML_SetUserData(self->expat, self);
    XML_SetElementHandler(self->expat, on_start, on_end);
    XML_SetDefaultHandlerExpand(self->expat, on_default);
    XML_SetCharacterDataHandler(self->expat, on_data);
    if (self->handlers[ON_START_NS] != NULL
            || self->handlers[ON_END_NS] != NULL) {
        XML_SetNamespaceDeclHandler(self->expat, on_start_ns, on_end_ns);
    }
    if (self->handlers[ON_COMMENT] != NULL) {
        XML_SetCommentHandler(self->expat, on_comment);
    }
    if (self->handlers[ON_PI] != NULL) {
        XML_SetProcessingInstructionHandler(self->expat, on_pi);
    }
    XML_SetStartDoctypeDeclHandler(self->expat, on_doctype);
    XML_SetUnknownEncodingHandler(self->expat, _PyExpat_UnknownEncoding, NULL);
}

static int
find_handlers(Parser *self, PyObject *target)
{
    for (int i = 0; i < HANDLERS; i++) {
        PyObject *name = PyUnicode_InternFromString(handler_names[i]);
        PyObject *handler = NULL;
        int failed = name == NULL
            || _PyObject_LookupAttr(target, name, &handler) < 0;
        Py_XDECREF(name);
        if (failed) {
            return -1;
        }
        Py_XSETREF(self->handlers[i], handler);
    }
    return 0;
}

static int
parser_init(Parser *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"target", "encoding", NULL};
    PyObject *target = Py_None;
    const char *encoding = NULL;
    elementtree_state *state = STATE_OF(self);
    if (state == NULL) {
        return -1;
    }
    Py_ssize_t given = PyTuple_GET_SIZE(args) + (kwds == NULL ? 0 : PyDict_GET_SIZE(kwds));
    if (PyTuple_GET_SIZE(args) > 0 && given <= 2) {
        PyErr_SetString(PyExc_TypeError,
                        "XMLParser() takes no positional arguments");
        return -1;
    }
    PyObject *encoding_arg = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|$OO:XMLParser", keywords,
                                     &target, &encoding_arg)) {
        return -1;
    }
    if (encoding_arg != Py_None) {
        if (!PyUnicode_Check(encoding_arg)) {
            PyErr_Format(PyExc_TypeError,
                         "XMLParser() argument 'encoding' must be str or None, "
                         "not %.50s", Py_TYPE(encoding_arg)->tp_name);
            return -1;
        }
        Py_ssize_t n;
        encoding = PyUnicode_AsUTF8AndSize(encoding_arg, &n);
        if (encoding == NULL) {
            return -1;
        }
        if (strlen(encoding) != (size_t)n) {
            PyErr_SetString(PyExc_ValueError, "embedded null character");
            return -1;
        }
    }
    if (self->busy) {
        return check_initialised(self);
    }
    target = target == Py_None ? _PyTreeBuilder_New(state->builder_type)
        : Py_NewRef(target);
    PyObject *entity = target == NULL ? NULL : PyDict_New();
    if (entity == NULL) {
        Py_XDECREF(target);
        return -1;
    }
    static const XML_Memory_Handling_Suite memory = {
        PyObject_Malloc, PyObject_Realloc, PyObject_Free};
    XML_Parser expat = XML_ParserCreate_MM(encoding, &memory, "}");
    if (expat == NULL) {
        Py_DECREF(target);
        Py_DECREF(entity);
        PyErr_NoMemory();
        return -1;
    }
    XML_SetHashSalt(expat, (unsigned long)_Py_HashSecret.expat.hashsalt);
    if (self->expat != NULL) {
        XML_ParserFree(self->expat);
    }
    self->expat = expat;
    self->text_used = 0;
    self->direct = Py_IS_TYPE(target, state->builder_type);
    Py_XSETREF(self->entity, entity);
    Py_XSETREF(self->target, target);
    if (find_handlers(self, target) < 0) {
        return -1;
    }
    connect(self);
    return 0;
}

static int
parser_traverse(Parser *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->target);
    Py_VISIT(self->entity);
    for (int i = 0; i < HANDLERS; i++) {
        Py_VISIT(self->handlers[i]);
    }
    return 0;
}

static int
parser_clear(Parser *self)
{
    /* Without a target nothing feeds the parser any more. */
    Py_CLEAR(self->target);
    Py_CLEAR(self->entity);
    for (int i = 0; i < HANDLERS; i++) {
        Py_CLEAR(self->handlers[i]);
    }
    return 0;
}

static void
parser_dealloc(Parser *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (self->expat != NULL) {
        XML_ParserFree(self->expat);
        self->expat = NULL;
    }
    (void)parser_clear(self);
    for (int i = 0; i < NAME_CACHE_SIZE; i++) {
        Py_CLEAR(self->names[i]);
    }
    PyMem_Free(self->text);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

static PyMethodDef parser_methods[] = {
    {"feed", (PyCFunction)parser_feed, METH_O, "feed($self, data, /)\n--\n\n"},
    {"close", (PyCFunction)parser_close, METH_NOARGS,
     "close($self, /)\n--\n\n"},
    {"_parse_whole", (PyCFunction)parser_parse_whole, METH_O,
     "_parse_whole($self, file, /)\n--\n\n"},
    {"_setevents", FAST(parser_setevents),
     "_setevents($self, events_queue, events_to_report=None, /)\n--\n\n"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef parser_members[] = {
    {"entity", T_OBJECT, offsetof(Parser, entity), READONLY, NULL},
    {"target", T_OBJECT, offsetof(Parser, target), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef parser_getset[] = {
    {"version", (getter)get_version, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyType_Slot parser_slots[] = {
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, parser_init},
    {Py_tp_dealloc, parser_dealloc},
    {Py_tp_traverse, parser_traverse},
    {Py_tp_clear, parser_clear},
    {Py_tp_methods, parser_methods},
    {Py_tp_members, parser_members},
    {Py_tp_getset, parser_getset},
    {0, NULL}
};

PyType_Spec _PyXMLParser_Spec = {
    .name = "xml.etree.ElementTree.XMLParser",
    .basicsize = sizeof(Parser),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = parser_slots,
};

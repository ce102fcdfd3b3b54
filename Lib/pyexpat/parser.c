/* The parser objects of pyexpat: making, feeding and configuring them. */

#include "pyexpat_module.h"
#include "structmember.h"
#include "internal/method_table.h"
#include <stddef.h>

#define READ_SIZE 2048          /* ParseFile() asks for this much at a time */
#define FEED_SIZE (1 << 20)     /* expat counts in ints; lines stay exact */
#define TEXT_BUFFER_SIZE 8192   /* buffer_text's default room */

static pyexpat_state *
state_of(ParserObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

/* ------------------------------------------------------------------- errors */

static int
set_attribute(PyObject *error, const char *name, XML_Size number)
{
    PyObject *value = PyLong_FromUnsignedLong((unsigned long)number);
    int failed = value == NULL
        || PyObject_SetAttrString(error, name, value) < 0;
    Py_XDECREF(value);
    return failed ? -1 : 0;
}

static PyObject *
raise_expat(ParserObject *self, enum XML_Error code)
{
    PyObject *type = state_of(self)->error;
    XML_Size line = XML_GetErrorLineNumber(self->expat);
    XML_Size column = XML_GetErrorColumnNumber(self->expat);
    PyObject *text = PyUnicode_FromFormat("%s: line %zu, column %zu",
                                          XML_ErrorString(code), (size_t)line,
                                          (size_t)column);
    if (text == NULL) {
        return NULL;
    }
    PyObject *error = PyObject_CallOneArg(type, text);
    Py_DECREF(text);
    if (error != NULL
            && set_attribute(error, "code", (XML_Size)code) == 0
            && set_attribute(error, "offset", column) == 0
            && set_attribute(error, "lineno", line) == 0) {
        PyErr_SetObject(type, error);
    }
    Py_XDECREF(error);
    return NULL;
}

/* ------------------------------------------------------------------ feeding */

/* What Parse() returns after expat said `status`. */
static PyObject *
parse_result(ParserObject *self, int status)
{
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (status == XML_STATUS_ERROR) {
        return raise_expat(self, XML_GetErrorCode(self->expat));
    }
    if (_PyExpat_FlushText(self) < 0) {
        return NULL;
    }
    return PyLong_FromLong(status);
}

/* expat must not be called by one of its own callbacks. */
static int
check_idle(ParserObject *self)
{
    if (self->callback_depth > 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a parser cannot be fed by one of its own handlers");
        return -1;
    }
    return 0;
}

static enum XML_Status
feed(ParserObject *self, const char *s, Py_ssize_t n, int is_final)
{
    enum XML_Status status = XML_STATUS_OK;
    while (n > FEED_SIZE && status == XML_STATUS_OK && !PyErr_Occurred()) {
        status = XML_Parse(self->expat, s, FEED_SIZE, 0);
        s += FEED_SIZE;
        n -= FEED_SIZE;
    }
    if (status == XML_STATUS_OK && !PyErr_Occurred()) {
        status = XML_Parse(self->expat, s, (int)n, is_final);
    }
    return status;
}

static PyObject *
xmlparser_Parse(ParserObject *self, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"", "", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .format = "O|i:Parse"};
    PyObject *data;
    int is_final = 0;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &data,
                                      &is_final)) {
        return NULL;
    }
    if (check_idle(self) < 0) {
        return NULL;
    }
    if (PyUnicode_Check(data)) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(data, &n);
        if (s == NULL) {
            return NULL;
        }
        /* The str has been encoded as UTF-8, so an encoding that the text declares does
           not apply. */
        (void)XML_SetEncoding(self->expat, "utf-8");
        return parse_result(self, (int)feed(self, s, n, is_final));
    }
    Py_buffer view;
    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    enum XML_Status status = feed(self, view.buf, view.len, is_final);
    PyBuffer_Release(&view);
    return parse_result(self, (int)status);
}

/* Bytes read into room, at most READ_SIZE; -1 with an exception set. */
static Py_ssize_t
read_some(PyObject *read, char *room)
{
    PyObject *size = PyLong_FromLong(READ_SIZE);
    if (size == NULL) {
        return -1;
    }
    PyObject *data = PyObject_CallOneArg(read, size);
    Py_DECREF(size);
    if (data == NULL) {
        return -1;
    }
    Py_ssize_t n = -1;
    const char *s = NULL;
    if (PyBytes_Check(data)) {
        s = PyBytes_AS_STRING(data);
        n = PyBytes_GET_SIZE(data);
    }
    else if (PyByteArray_Check(data)) {
        s = PyByteArray_AS_STRING(data);
        n = PyByteArray_GET_SIZE(data);
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "read() did not return a bytes object (type=%.400s)",
                     Py_TYPE(data)->tp_name);
    }
    if (n > READ_SIZE) {
        PyErr_Format(PyExc_ValueError,
                     "read() returned too much data: "
                     "%i bytes requested, %zd returned", READ_SIZE, n);
        n = -1;
    }
    else if (n > 0) {
        memcpy(room, s, (size_t)n);
    }
    Py_DECREF(data);
    return n;
}

static PyObject *
xmlparser_ParseFile(ParserObject *self, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *kwnames)
{
    static const char *const keywords[] = {"", NULL};
    static _PyArg_Parser parser = {.format = "O:ParseFile", .keywords = keywords};
    PyObject *file;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &file)) {
        return NULL;
    }
    if (check_idle(self) < 0) {
        return NULL;
    }
    PyObject *read;
    if (_PyObject_LookupAttr(file, state_of(self)->str_read, &read) < 0) {
        return NULL;
    }
    if (read == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "argument must have 'read' attribute");
        return NULL;
    }
    Py_ssize_t n;
    enum XML_Status status;
    do {
        char room[READ_SIZE];
        n = read_some(read, room);
        if (n < 0) {
            Py_DECREF(read);
            return NULL;
        }
        status = XML_Parse(self->expat, room, (int)n, n == 0);
    } while (n > 0 && status == XML_STATUS_OK && !PyErr_Occurred());
    Py_DECREF(read);
    return parse_result(self, (int)status);
}

/* ------------------------------------------------------------ other methods */

static PyObject *
xmlparser_SetBase(ParserObject *self, PyObject *arg)
{
    if (!PyUnicode_Check(arg)) {
        PyErr_Format(PyExc_TypeError,
                     "SetBase() argument must be str, not %.50s",
                     arg == Py_None ? "None" : Py_TYPE(arg)->tp_name);
        return NULL;
    }
    Py_ssize_t n;
    const char *base = PyUnicode_AsUTF8AndSize(arg, &n);
    if (base == NULL) {
        return NULL;
    }
    if (strlen(base) != (size_t)n) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return NULL;
    }
    if (!XML_SetBase(self->expat, base)) {
        return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

static PyObject *
xmlparser_GetBase(ParserObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("z", XML_GetBase(self->expat));
}

static PyObject *
xmlparser_GetInputContext(ParserObject *self, PyObject *Py_UNUSED(ignored))
{
    if (self->callback_depth == 0) {
        Py_RETURN_NONE;
    }
    int offset, size;
    const char *buffer = XML_GetInputContext(self->expat, &offset, &size);
    if (buffer == NULL) {
        Py_RETURN_NONE;
    }
    return PyBytes_FromStringAndSize(buffer + offset, size - offset);
}

static PyObject *
xmlparser_SetParamEntityParsing(ParserObject *self, PyObject *arg)
{
    int flag = _PyLong_AsInt(arg);
    if (flag == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return PyLong_FromLong(XML_SetParamEntityParsing(self->expat, flag));
}

static PyObject *
xmlparser_UseForeignDTD(ParserObject *self, PyObject *const *args,
                        Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .format = "|p:UseForeignDTD"};
    int flag = 1;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &flag)) {
        return NULL;
    }
    enum XML_Error code = XML_UseForeignDTD(self->expat,
                                            flag ? XML_TRUE : XML_FALSE);
    if (code != XML_ERROR_NONE) {
        return raise_expat(self, code);
    }
    Py_RETURN_NONE;
}

static ParserObject *
new_object(PyTypeObject *type)
{
    ParserObject *self = PyObject_GC_New(ParserObject, type);
    if (self != NULL) {
        memset((char *)self + sizeof(PyObject), 0,
               sizeof(ParserObject) - sizeof(PyObject));
    }
    return self;
}

static PyObject *
xmlparser_ExternalEntityParserCreate(ParserObject *self, PyObject *const *args,
                                     Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", "", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .format = "z|s:ExternalEntityParserCreate"};
    const char *context, *encoding = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &context,
                                      &encoding)) {
        return NULL;
    }
    ParserObject *child = new_object(Py_TYPE(self));
    if (child == NULL) {
        return NULL;
    }
    child->ordered_attributes = self->ordered_attributes;
    child->specified_attributes = self->specified_attributes;
    child->namespace_prefixes = self->namespace_prefixes;
    child->buffer_size = self->buffer_size;
    child->intern = Py_XNewRef(self->intern);
    child->parent = (ParserObject *)Py_NewRef((PyObject *)self);
    if (self->buffer != NULL) {
        child->buffer = PyMem_Malloc((size_t)child->buffer_size);
        if (child->buffer == NULL) {
            Py_DECREF(child);
            return PyErr_NoMemory();
        }
    }
    child->expat = XML_ExternalEntityParserCreate(self->expat, context,
                                                  encoding);
    if (child->expat == NULL) {
        Py_DECREF(child);
        return PyErr_NoMemory();
    }
    XML_SetUserData(child->expat, child);
    for (int i = 0; i < HANDLER_COUNT; i++) {
        if (self->handlers[i] != NULL) {
            child->handlers[i] = Py_NewRef(self->handlers[i]);
            _PyExpat_ConnectHandler(child, i, 1);
        }
    }
    PyObject_GC_Track(child);
    return (PyObject *)child;
}

/* --------------------------------------------------------------- attributes */

static int
refuse_deletion(PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "Cannot delete attribute");
        return -1;
    }
    return 0;
}

static PyObject *
get_handler(ParserObject *self, void *closure)
{
    PyObject *handler = self->handlers[(intptr_t)closure];
    return Py_NewRef(handler == NULL ? Py_None : handler);
}

static int
set_handler(ParserObject *self, PyObject *value, void *closure)
{
    int which = (int)(intptr_t)closure;
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    if (which == HANDLER_CharacterData && _PyExpat_FlushText(self) < 0) {
        return -1;
    }
    int wanted = value != Py_None;
    Py_XSETREF(self->handlers[which], wanted ? Py_NewRef(value) : NULL);
    /* expat calls the text handler in a loop, without checking whether it is still set. */
    if (which == HANDLER_CharacterData && !wanted && self->callback_depth > 0) {
        _PyExpat_IgnoreText(self);
    }
    else {
        _PyExpat_ConnectHandler(self, which, wanted);
    }
    return 0;
}

static PyObject *
get_buffer_text(ParserObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(self->buffer != NULL);
}

static int
set_buffer_text(ParserObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    int wanted = PyObject_IsTrue(value);
    if (wanted < 0) {
        return -1;
    }
    if (wanted && self->buffer == NULL) {
        self->buffer = PyMem_Malloc((size_t)self->buffer_size);
        if (self->buffer == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->buffer_used = 0;
    }
    else if (!wanted && self->buffer != NULL) {
        if (_PyExpat_FlushText(self) < 0) {
            return -1;
        }
        PyMem_Free(self->buffer);
        self->buffer = NULL;
    }
    return 0;
}

static PyObject *
get_buffer_size(ParserObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(self->buffer_size);
}

static int
set_buffer_size(ParserObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    if (!PyLong_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "buffer_size must be an integer");
        return -1;
    }
    long size = PyLong_AsLong(value);
    if (size <= 0) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError,
                            "buffer_size must be greater than zero");
        }
        return -1;
    }
    if (size > INT_MAX) {
        PyErr_Format(PyExc_ValueError,
                     "buffer_size must not be greater than %i", INT_MAX);
        return -1;
    }
    if (self->buffer != NULL && size != self->buffer_size) {
        if (_PyExpat_FlushText(self) < 0) {
            return -1;
        }
        /* A handler may have switched the buffer off meanwhile. */
        if (self->buffer != NULL) {
            XML_Char *room = PyMem_Malloc((size_t)size);
            if (room == NULL) {
                PyErr_NoMemory();
                return -1;
            }
            PyMem_Free(self->buffer);
            self->buffer = room;
            self->buffer_used = 0;
        }
    }
    self->buffer_size = (int)size;
    return 0;
}

static PyObject *
get_buffer_used(ParserObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(self->buffer_used);
}

/* The three flags are chars at an offset. */
static PyObject *
get_flag(ParserObject *self, void *closure)
{
    return PyBool_FromLong(*((char *)self + (intptr_t)closure));
}

static int
set_flag(ParserObject *self, PyObject *value, void *closure)
{
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    int flag = PyObject_IsTrue(value);
    if (flag < 0) {
        return -1;
    }
    *((char *)self + (intptr_t)closure) = (char)flag;
    if ((size_t)(intptr_t)closure == offsetof(ParserObject, namespace_prefixes)) {
        XML_SetReturnNSTriplet(self->expat, flag);
    }
    return 0;
}

static PyObject *
get_error_code(ParserObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong((long)XML_GetErrorCode(self->expat));
}

static PyObject *
get_line(ParserObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLong(
        (unsigned long)XML_GetCurrentLineNumber(self->expat));
}

static PyObject *
get_column(ParserObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLong(
        (unsigned long)XML_GetCurrentColumnNumber(self->expat));
}

static PyObject *
get_byte_index(ParserObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong((long)XML_GetCurrentByteIndex(self->expat));
}

#define GETTER(name, function) {name, (getter)(function), NULL, NULL, NULL}
#define FLAG(name) \
    {#name, (getter)get_flag, (setter)set_flag, NULL, \
     (void *)offsetof(ParserObject, name)}
#define HANDLER_ATTRIBUTE(name, which) \
    {name, (getter)get_handler, (setter)set_handler, NULL, \
     (void *)(intptr_t)(which)},
/* The only attribute whose name has its parts in another order. */
#define DefaultExpandHandler DefaultHandlerExpand
#define ATTRIBUTE_NAME(name) ATTRIBUTE_NAME_(name)
#define ATTRIBUTE_NAME_(name) #name
#define HANDLER(name) \
    HANDLER_ATTRIBUTE(ATTRIBUTE_NAME(name##Handler), HANDLER_##name)

static PyGetSetDef xmlparser_getset[] = {
    GETTER("ErrorCode", get_error_code),
    GETTER("ErrorLineNumber", get_line),
    GETTER("ErrorColumnNumber", get_column),
    GETTER("ErrorByteIndex", get_byte_index),
    GETTER("CurrentLineNumber", get_line),
    GETTER("CurrentColumnNumber", get_column),
    GETTER("CurrentByteIndex", get_byte_index),
    {"buffer_size", (getter)get_buffer_size, (setter)set_buffer_size, NULL,
     NULL},
    {"buffer_text", (getter)get_buffer_text, (setter)set_buffer_text, NULL,
     NULL},
    GETTER("buffer_used", get_buffer_used),
    FLAG(namespace_prefixes),
    FLAG(ordered_attributes),
    FLAG(specified_attributes),
#include "handlers.def"
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef xmlparser_members[] = {
    {"intern", T_OBJECT, offsetof(ParserObject, intern), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

/* ----------------------------------------------------------------- the type */

PyObject *
_PyExpat_NewParser(pyexpat_state *state, const char *encoding,
                   const char *separator, PyObject *intern)
{
    ParserObject *self = new_object(state->parser_type);
    if (self == NULL) {
        return NULL;
    }
    self->buffer_size = TEXT_BUFFER_SIZE;
    self->intern = Py_XNewRef(intern);
    static const XML_Memory_Handling_Suite memory = {
        PyObject_Malloc, PyObject_Realloc, PyObject_Free};
    self->expat = XML_ParserCreate_MM(encoding, &memory, separator);
    if (self->expat == NULL) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_RuntimeError, "XML_ParserCreate failed");
        return NULL;
    }
    XML_SetHashSalt(self->expat, (unsigned long)_Py_HashSecret.expat.hashsalt);
    XML_SetUserData(self->expat, self);
    XML_SetUnknownEncodingHandler(self->expat, _PyExpat_UnknownEncoding, NULL);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static int
xmlparser_traverse(ParserObject *self, visitproc visit, void *arg)
{
    for (int i = 0; i < HANDLER_COUNT; i++) {
        Py_VISIT(self->handlers[i]);
    }
    Py_VISIT(self->intern);
    Py_VISIT(self->parent);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static int
xmlparser_clear(ParserObject *self)
{
    _PyExpat_ClearHandlers(self);
    Py_CLEAR(self->intern);
    return 0;
}

static void
xmlparser_dealloc(ParserObject *self)
{
    PyObject_GC_UnTrack(self);
    if (self->expat != NULL) {
        (void)xmlparser_clear(self);
        XML_ParserFree(self->expat);
        self->expat = NULL;
    }
    Py_CLEAR(self->intern);
    PyMem_Free(self->buffer);
    Py_CLEAR(self->parent);
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}


static PyMethodDef xmlparser_methods[] = {
    {"Parse", FAST_KEYWORDS(xmlparser_Parse),
     "Parse($self, data, isfinal=False, /)\n--\n\n"
     "Feed a portion of the document; `isfinal' is true for its last one."},
    {"ParseFile", FAST_KEYWORDS(xmlparser_ParseFile),
     "ParseFile($self, file, /)\n--\n\n"
     "Feed everything that can be read from a binary file."},
    {"SetBase", (PyCFunction)xmlparser_SetBase, METH_O,
     "SetBase($self, base, /)\n--\n\nSet the base URL of the parser."},
    {"GetBase", (PyCFunction)xmlparser_GetBase, METH_NOARGS,
     "GetBase($self, /)\n--\n\nThe base URL of the parser."},
    {"GetInputContext", (PyCFunction)xmlparser_GetInputContext, METH_NOARGS,
     "GetInputContext($self, /)\n--\n\n"
     "The text of the input that a handler is being called for, as bytes.\n\n"
     "None outside of a handler."},
    {"ExternalEntityParserCreate", FAST_KEYWORDS(xmlparser_ExternalEntityParserCreate),
     "ExternalEntityParserCreate($self, context, encoding=<unrepresentable>,\n"
     "                           /)\n--\n\n"
     "A parser for an external entity, with the handlers of this one."},
    {"SetParamEntityParsing", (PyCFunction)xmlparser_SetParamEntityParsing,
     METH_O,
     "SetParamEntityParsing($self, flag, /)\n--\n\n"
     "Choose when parameter entities are parsed: XML_PARAM_ENTITY_PARSING_*.\n\n"
     "Whether that was possible is returned."},
    {"UseForeignDTD", FAST_KEYWORDS(xmlparser_UseForeignDTD),
     "UseForeignDTD($self, flag=True, /)\n--\n\n"
     "Let ExternalEntityRefHandler provide a document type for documents\n"
     "that have none."},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot xmlparser_slots[] = {
    {Py_tp_doc, (void *)"XML parser"},
    {Py_tp_dealloc, xmlparser_dealloc},
    {Py_tp_traverse, xmlparser_traverse},
    {Py_tp_clear, xmlparser_clear},
    {Py_tp_methods, xmlparser_methods},
    {Py_tp_members, xmlparser_members},
    {Py_tp_getset, xmlparser_getset},
    {0, NULL}
};

PyType_Spec _PyExpat_ParserSpec = {
    .name = "pyexpat.xmlparser",
    .basicsize = sizeof(ParserObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = xmlparser_slots,
};

/* UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError and the C functions
   that codecs use on them.

   The three share PyUnicodeErrorObject. `object` is the input: bytes when decoding,
   else str. start and end may be any numbers that Python code assigned; the Get
   functions clip them to the range of the object. */
#define PY_SSIZE_T_CLEAN            /* for "y#" */
#include "private.h"

void _PyExc_UnicodeObject_dealloc(PyObject *);
int _PyExc_UnicodeObject_clear(PyObject *);
int _PyExc_UnicodeObject_traverse(PyObject *, visitproc, void *);

#define FIELDS(do) do(encoding) do(object) do(reason)
DEFINE_FAMILY_GC(UnicodeObject, PyUnicodeErrorObject, FIELDS)
#undef FIELDS

static inline PyUnicodeErrorObject *
as_error(PyObject *op)
{
    return (PyUnicodeErrorObject *)op;
}

/* These return new references. */
static PyObject *
text_field(PyObject *value, const char *name)
{
    if (value == NULL) {
        return PyErr_Format(PyExc_TypeError, "%.200s attribute not set", name);
    }
    if (!PyUnicode_Check(value)) {
        return PyErr_Format(PyExc_TypeError,
                            "%.200s attribute must be unicode", name);
    }
    return Py_NewRef(value);
}

static PyObject *
bytes_field(PyObject *value, const char *name)
{
    if (value == NULL) {
        return PyErr_Format(PyExc_TypeError, "%.200s attribute not set", name);
    }
    if (!PyBytes_Check(value)) {
        return PyErr_Format(PyExc_TypeError, "%.200s attribute must be bytes",
                            name);
    }
    return Py_NewRef(value);
}

static int
set_text_field(PyObject **field, const char *utf8)
{
    PyObject *text = PyUnicode_FromString(utf8);
    if (text == NULL) {
        return -1;
    }
    Py_XSETREF(*field, text);
    return 0;
}

static Py_ssize_t
clamp_start(Py_ssize_t start, Py_ssize_t size)
{
    if (start < 0) {
        return 0;
    }
    return start >= size ? size - 1 : start;
}

static Py_ssize_t
clamp_end(Py_ssize_t end, Py_ssize_t size)
{
    if (end < 1) {
        return 1;
    }
    return end > size ? size : end;
}

#define DEFINE_API(KIND, object_field, length_of)                       \
    PyObject *                                                          \
    PyUnicode ## KIND ## Error_GetObject(PyObject *op)                  \
    {                                                                   \
        return object_field(as_error(op)->object, "object");            \
    }                                                                   \
                                                                        \
    int                                                                 \
    PyUnicode ## KIND ## Error_GetStart(PyObject *op, Py_ssize_t *start) \
    {                                                                   \
        PyObject *object = PyUnicode ## KIND ## Error_GetObject(op);    \
        if (object == NULL) {                                           \
            return -1;                                                  \
        }                                                               \
        *start = clamp_start(as_error(op)->start, length_of(object));   \
        Py_DECREF(object);                                              \
        return 0;                                                       \
    }                                                                   \
                                                                        \
    int                                                                 \
    PyUnicode ## KIND ## Error_SetStart(PyObject *op, Py_ssize_t start) \
    {                                                                   \
        as_error(op)->start = start;                                    \
        return 0;                                                       \
    }                                                                   \
                                                                        \
    int                                                                 \
    PyUnicode ## KIND ## Error_GetEnd(PyObject *op, Py_ssize_t *end)    \
    {                                                                   \
        PyObject *object = PyUnicode ## KIND ## Error_GetObject(op);    \
        if (object == NULL) {                                           \
            return -1;                                                  \
        }                                                               \
        *end = clamp_end(as_error(op)->end, length_of(object));         \
        Py_DECREF(object);                                              \
        return 0;                                                       \
    }                                                                   \
                                                                        \
    int                                                                 \
    PyUnicode ## KIND ## Error_SetEnd(PyObject *op, Py_ssize_t end)     \
    {                                                                   \
        as_error(op)->end = end;                                        \
        return 0;                                                       \
    }                                                                   \
                                                                        \
    PyObject *                                                          \
    PyUnicode ## KIND ## Error_GetReason(PyObject *op)                  \
    {                                                                   \
        return text_field(as_error(op)->reason, "reason");              \
    }                                                                   \
                                                                        \
    int                                                                 \
    PyUnicode ## KIND ## Error_SetReason(PyObject *op, const char *reason) \
    {                                                                   \
        return set_text_field(&as_error(op)->reason, reason);           \
    }

DEFINE_API(Encode, text_field, PyUnicode_GET_LENGTH)
DEFINE_API(Decode, bytes_field, PyBytes_GET_SIZE)
DEFINE_API(Translate, text_field, PyUnicode_GET_LENGTH)

PyObject *
PyUnicodeEncodeError_GetEncoding(PyObject *op)
{
    return text_field(as_error(op)->encoding, "encoding");
}

PyObject *
PyUnicodeDecodeError_GetEncoding(PyObject *op)
{
    return text_field(as_error(op)->encoding, "encoding");
}

/* ----------------------------------------------------------------- building */

static PyObject *
unicode_error_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    return _PyExc_BaseException_new(type, args, kwds);
}

/* Borrows the three references and takes references of its own. */
static void
fill(PyUnicodeErrorObject *self, PyObject *encoding, PyObject *object,
     Py_ssize_t start, Py_ssize_t end, PyObject *reason)
{
    Py_XINCREF(encoding);
    Py_XSETREF(self->encoding, encoding);
    Py_INCREF(object);
    Py_XSETREF(self->object, object);
    self->start = start;
    self->end = end;
    Py_INCREF(reason);
    Py_XSETREF(self->reason, reason);
}

/* BaseException's init. Arguments that are refused then leave nothing of earlier ones. */
static int
init_empty(PyObject *op, PyObject *args, PyObject *kwds)
{
    if (_PyExc_BaseException_init(op, args, kwds) < 0) {
        return -1;
    }
    PyUnicodeErrorObject *self = as_error(op);
    Py_CLEAR(self->encoding);
    Py_CLEAR(self->object);
    Py_CLEAR(self->reason);
    return 0;
}

static int
encode_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *encoding, *object, *reason;
    Py_ssize_t start, end;
    if (init_empty(op, args, kwds) < 0
        || !PyArg_ParseTuple(args, "UUnnU", &encoding, &object, &start, &end,
                             &reason)) {
        return -1;
    }
    fill(as_error(op), encoding, object, start, end, reason);
    return 0;
}

static int
decode_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *encoding, *object, *reason;
    Py_ssize_t start, end;
    if (init_empty(op, args, kwds) < 0
        || !PyArg_ParseTuple(args, "UOnnU", &encoding, &object, &start, &end,
                             &reason)) {
        return -1;
    }
    PyObject *bytes;
    if (PyBytes_Check(object)) {
        bytes = Py_NewRef(object);
    }
    else {
        Py_buffer view;
        if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0) {
            return -1;
        }
        bytes = PyBytes_FromStringAndSize(view.buf, view.len);
        PyBuffer_Release(&view);
        if (bytes == NULL) {
            return -1;
        }
    }
    fill(as_error(op), encoding, bytes, start, end, reason);
    Py_DECREF(bytes);
    return 0;
}

static int
translate_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *object, *reason;
    Py_ssize_t start, end;
    if (init_empty(op, args, kwds) < 0
        || !PyArg_ParseTuple(args, "UnnU", &object, &start, &end, &reason)) {
        return -1;
    }
    fill(as_error(op), NULL, object, start, end, reason);
    return 0;
}

PyObject *
PyUnicodeDecodeError_Create(const char *encoding, const char *object,
                            Py_ssize_t length, Py_ssize_t start,
                            Py_ssize_t end, const char *reason)
{
    return PyObject_CallFunction(PyExc_UnicodeDecodeError, "sy#nns",
                                 encoding, object, length, start, end, reason);
}

PyObject *
_PyUnicodeTranslateError_Create(PyObject *object, Py_ssize_t start,
                                Py_ssize_t end, const char *reason)
{
    return PyObject_CallFunction(PyExc_UnicodeTranslateError, "Onns",
                                 object, start, end, reason);
}

/* ------------------------------------------------------------------ showing */

/* Does the error affect exactly one element of its object? To that, too, Python code may have
   assigned anything: what has no such elements is described without one. */
static int
is_single(PyUnicodeErrorObject *self, Py_ssize_t length)
{
    return self->start >= 0 && self->start < length
        && self->end == self->start + 1;
}

/* str() of a text field, to which Python code may have assigned any object. */
static PyObject *
readable(PyObject *field)
{
    return PyObject_Str(field != NULL ? field : Py_None);
}

/* "WHO can't VERB NOUN ELEMENT in position …", or without the element for several
   (element == NULL). */
static PyObject *
describe(PyUnicodeErrorObject *self, const char *verb, const char *noun,
         const char *element)
{
    int has_codec =
        !PyObject_TypeCheck(self, (PyTypeObject *)PyExc_UnicodeTranslateError);
    PyObject *who = NULL, *result = NULL, *reason = readable(self->reason);
    if (reason == NULL) {
        return NULL;
    }
    if (has_codec) {
        PyObject *encoding = readable(self->encoding);
        who = encoding == NULL ? NULL : PyUnicode_FromFormat("'%U' codec ", encoding);
        Py_XDECREF(encoding);
    }
    if (who == NULL && has_codec) {
        Py_DECREF(reason);
        return NULL;
    }
    if (element != NULL) {
        result = PyUnicode_FromFormat("%Vcan't %s %s %s in position %zd: %U", who, "",
                                      verb, noun, element, self->start, reason);
    }
    else {
        result = PyUnicode_FromFormat("%Vcan't %s %ss in position %zd-%zd: %U", who, "",
                                      verb, noun, self->start, self->end - 1, reason);
    }
    Py_XDECREF(who);
    Py_DECREF(reason);
    return result;
}

/* The same for a text: '\x..', '\u....' or '\U........' */
static PyObject *
describe_character(PyUnicodeErrorObject *self, const char *verb)
{
    char escaped[16];
    if (self->object == NULL) {
        return PyUnicode_New(0, 0);
    }
    if (!PyUnicode_Check(self->object)
        || !is_single(self, PyUnicode_GET_LENGTH(self->object))) {
        return describe(self, verb, "character", NULL);
    }
    Py_UCS4 ch = PyUnicode_READ_CHAR(self->object, self->start);
    const char *format = ch <= 0xff ? "'\\x%02x'"
        : ch <= 0xffff ? "'\\u%04x'" : "'\\U%08x'";
    PyOS_snprintf(escaped, sizeof(escaped), format, (unsigned int)ch);
    return describe(self, verb, "character", escaped);
}

static PyObject *
encode_str(PyObject *op)
{
    return describe_character(as_error(op), "encode");
}

static PyObject *
translate_str(PyObject *op)
{
    return describe_character(as_error(op), "translate");
}

static PyObject *
decode_str(PyObject *op)
{
    PyUnicodeErrorObject *self = as_error(op);
    char hex[8];
    if (self->object == NULL) {
        return PyUnicode_New(0, 0);
    }
    if (!PyBytes_Check(self->object) || !is_single(self, PyBytes_GET_SIZE(self->object))) {
        return describe(self, "decode", "byte", NULL);
    }
    int byte = (unsigned char)PyBytes_AS_STRING(self->object)[self->start];
    PyOS_snprintf(hex, sizeof(hex), "0x%02x", byte);
    return describe(self, "decode", "byte", hex);
}

static PyMemberDef members[] = {
    {"encoding", T_OBJECT, offsetof(PyUnicodeErrorObject, encoding), 0,
     PyDoc_STR("exception encoding")},
    {"object", T_OBJECT, offsetof(PyUnicodeErrorObject, object), 0,
     PyDoc_STR("exception object")},
    {"start", T_PYSSIZET, offsetof(PyUnicodeErrorObject, start), 0,
     PyDoc_STR("exception start")},
    {"end", T_PYSSIZET, offsetof(PyUnicodeErrorObject, end), 0,
     PyDoc_STR("exception end")},
    {"reason", T_OBJECT, offsetof(PyUnicodeErrorObject, reason), 0,
     PyDoc_STR("exception reason")},
    {NULL, 0, 0, 0, NULL},
};

#define UNICODE_TYPE(KIND, lower, DOC)                                  \
    PyTypeObject _PyExc_Unicode ## KIND ## Error = {                    \
        PyVarObject_HEAD_INIT(NULL, 0)                                  \
        .tp_name = "Unicode" #KIND "Error",                             \
        .tp_basicsize = sizeof(PyUnicodeErrorObject),                   \
        .tp_dealloc = _PyExc_UnicodeObject_dealloc,                     \
        .tp_str = lower ## _str,                                        \
        .tp_flags = EXC_FLAGS,                                          \
        .tp_doc = PyDoc_STR(DOC),                                       \
        .tp_traverse = _PyExc_UnicodeObject_traverse,                   \
        .tp_clear = _PyExc_UnicodeObject_clear,                         \
        .tp_members = members,                                          \
        .tp_base = &_PyExc_UnicodeError,                                \
        .tp_dictoffset = offsetof(PyUnicodeErrorObject, dict),          \
        .tp_init = lower ## _init,                                      \
        .tp_new = unicode_error_new,                                    \
    }

UNICODE_TYPE(Encode, encode, "Text cannot be encoded.");
UNICODE_TYPE(Decode, decode, "Bytes cannot be decoded.");
UNICODE_TYPE(Translate, translate, "Text cannot be translated.");

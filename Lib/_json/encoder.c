/* make_encoder(): a function that writes an object as a JSON document. The json package uses it for
   documents without indentation that are wanted in one piece. */
#include "json_impl.h"
#include "structmember.h"
#include "internal/unicode.h"

typedef struct {
    PyObject_HEAD
    PyObject *markers;          /* a dict of what is being written, by id(), or None */
    PyObject *default_, *encoder, *indent, *key_separator, *item_separator;
    char sort_keys, skipkeys;
    int allow_nan;
    /* If the encoder is one of ours: 1, or 2 for ASCII. */
    int quick;
} Encoder;

static int write_value(Encoder *e, _PyUnicodeWriter *writer, PyObject *value);

/* ------------------------------------------------------------------- simple values */

static int
write_ascii(_PyUnicodeWriter *writer, const char *text)
{
    return _PyUnicodeWriter_WriteASCIIString(writer, text, -1);
}

/* Steals str, which may be NULL with an exception. */
static int
write_and_drop(_PyUnicodeWriter *writer, PyObject *str)
{
    int err = str != NULL ? _PyUnicodeWriter_WriteStr(writer, str) : -1;
    Py_XDECREF(str);
    return err;
}

static int
write_string(Encoder *e, _PyUnicodeWriter *writer, PyObject *str)
{
    if (e->quick) {
        return PyUnicode_READY(str) < 0 ? -1 : _PyJson_WriteString(writer, str, e->quick == 2);
    }
    PyObject *encoded = PyObject_CallOneArg(e->encoder, str);
    if (encoded != NULL && !PyUnicode_Check(encoded)) {
        PyErr_Format(PyExc_TypeError, "encoder() must return a string, not %.80s",
                     Py_TYPE(encoded)->tp_name);
        Py_CLEAR(encoded);
    }
    return write_and_drop(writer, encoded);
}

/* What Python has no number for, or NULL. */
static const char *
name_of_float(double value)
{
    return value != value ? "NaN" : !Py_IS_INFINITY(value) ? NULL
         : value > 0 ? "Infinity" : "-Infinity";
}

/* None, bools and numbers: 1 if it has been written, 0 if it is something else, -1 on error. */
static int
write_simple(Encoder *e, _PyUnicodeWriter *writer, PyObject *value)
{
    int err;
    if (value == Py_None) {
        err = write_ascii(writer, "null");
    }
    else if (value == Py_True) {
        err = write_ascii(writer, "true");
    }
    else if (value == Py_False) {
        err = write_ascii(writer, "false");
    }
    else if (PyLong_Check(value)) {
        err = PyLong_CheckExact(value) ? _PyUnicodeWriter_WriteValueStr(writer, value)
                                       : write_and_drop(writer, PyLong_Type.tp_repr(value));
    }
    else if (PyFloat_Check(value)) {
        const char *name = name_of_float(PyFloat_AS_DOUBLE(value));
        if (name == NULL) {
            err = write_and_drop(writer, PyFloat_Type.tp_repr(value));
        }
        else if (e->allow_nan) {
            err = write_ascii(writer, name);
        }
        else {
            PyErr_SetString(PyExc_ValueError, "Out of range float values are not JSON compliant");
            err = -1;
        }
    }
    else {
        return 0;
    }
    return err < 0 ? -1 : 1;
}

/* ---------------------------------------------------------------------- containers */

/* Notes that a container is being written: NULL with ValueError if it is already. Returns its
   mark, which leave() takes, or None. */
static PyObject *
enter(Encoder *e, PyObject *container)
{
    if (e->markers == Py_None) {
        return Py_NewRef(Py_None);
    }
    PyObject *mark = PyLong_FromVoidPtr(container);
    if (mark == NULL) {
        return NULL;
    }
    int found = PyDict_Contains(e->markers, mark);
    if (found > 0) {
        PyErr_SetString(PyExc_ValueError, "Circular reference detected");
    }
    if (found != 0 || PyDict_SetItem(e->markers, mark, container) < 0) {
        Py_DECREF(mark);
        return NULL;
    }
    return mark;
}

/* Steals mark. After an error, what was being written stays in the markers. */
static int
leave(Encoder *e, PyObject *mark, int err)
{
    if (err == 0 && mark != Py_None) {
        err = PyDict_DelItem(e->markers, mark);
    }
    Py_DECREF(mark);
    return err;
}

static int
write_list(Encoder *e, _PyUnicodeWriter *writer, PyObject *value)
{
    PyObject *list = PySequence_Fast(value, "_iterencode_list needs a sequence");
    if (list == NULL) {
        return -1;
    }
    if (PySequence_Fast_GET_SIZE(list) == 0) {
        Py_DECREF(list);
        return write_ascii(writer, "[]");
    }
    PyObject *mark = enter(e, value);
    int err = mark != NULL ? _PyUnicodeWriter_WriteChar(writer, '[') : -1;
    for (Py_ssize_t i = 0; err == 0 && i < PySequence_Fast_GET_SIZE(list); i++) {
        /* Code that this runs may change the list. */
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(list, i));
        err = i > 0 ? _PyUnicodeWriter_WriteStr(writer, e->item_separator) : 0;
        if (err == 0) {
            err = write_value(e, writer, item);
        }
        Py_DECREF(item);
    }
    if (err == 0) {
        err = _PyUnicodeWriter_WriteChar(writer, ']');
    }
    Py_DECREF(list);
    return mark != NULL ? leave(e, mark, err) : -1;
}

/* A key, as a string. 1: it has been left out. */
static int
write_key(Encoder *e, _PyUnicodeWriter *writer, PyObject *key, int *is_first)
{
    int is_str = PyUnicode_Check(key);
    if (!is_str && key != Py_None && !PyLong_Check(key) && !PyFloat_Check(key)) {
        if (e->skipkeys) {
            return 1;
        }
        PyErr_Format(PyExc_TypeError, "keys must be str, int, float, bool or None, not %.100s",
                     Py_TYPE(key)->tp_name);
        return -1;
    }
    if (!*is_first && _PyUnicodeWriter_WriteStr(writer, e->item_separator) < 0) {
        return -1;
    }
    *is_first = 0;
    int err;
    if (is_str) {
        err = write_string(e, writer, key);
    }
    else {
        _PyUnicodeWriter text;
        _PyUnicodeWriter_Init(&text);
        if (write_simple(e, &text, key) < 0) {
            _PyUnicodeWriter_Dealloc(&text);
            return -1;
        }
        PyObject *str = _PyUnicodeWriter_Finish(&text);
        err = str != NULL ? write_string(e, writer, str) : -1;
        Py_XDECREF(str);
    }
    return err < 0 ? -1 : _PyUnicodeWriter_WriteStr(writer, e->key_separator);
}

static int
write_item(Encoder *e, _PyUnicodeWriter *writer, PyObject *key, PyObject *value, int *is_first)
{
    int left_out = write_key(e, writer, key, is_first);
    return left_out > 0 ? 0 : left_out < 0 ? -1 : write_value(e, writer, value);
}

/* The (key, value) pairs of any mapping, in the order in which they are to be written. */
static int
write_items_of_mapping(Encoder *e, _PyUnicodeWriter *writer, PyObject *mapping)
{
    PyObject *items = PyMapping_Items(mapping);
    int err = items == NULL || (e->sort_keys && PyList_Sort(items) < 0) ? -1 : 0, is_first = 1;
    for (Py_ssize_t i = 0; err == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 2) {
            PyErr_SetString(PyExc_ValueError, "items must return 2-tuples");
            err = -1;
        }
        else {
            err = write_item(e, writer, PyTuple_GET_ITEM(item, 0), PyTuple_GET_ITEM(item, 1),
                             &is_first);
        }
    }
    Py_XDECREF(items);
    return err;
}

/* Of a dict whose items() is dict's: those that it has now, whatever code does to it meanwhile. */
#define FEW_ITEMS 16

static int
write_items_of_dict(Encoder *e, _PyUnicodeWriter *writer, PyObject *dict)
{
    PyObject *few[2 * FEW_ITEMS], **items = few, *key, *value;
    Py_ssize_t n = 0, at = 0, size = PyDict_GET_SIZE(dict);
    if (size > FEW_ITEMS && (items = PyMem_New(PyObject *, 2 * (size_t)size)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    while (PyDict_Next(dict, &at, &key, &value)) {
        items[n++] = Py_NewRef(key);
        items[n++] = Py_NewRef(value);
    }
    int err = 0, is_first = 1;
    for (Py_ssize_t i = 0; i < n; i += 2) {
        if (err == 0) {
            err = write_item(e, writer, items[i], items[i + 1], &is_first);
        }
        Py_DECREF(items[i]);
        Py_DECREF(items[i + 1]);
    }
    if (items != few) {
        PyMem_Free(items);
    }
    return err;
}

static int
write_dict(Encoder *e, _PyUnicodeWriter *writer, PyObject *dict)
{
    if (PyDict_GET_SIZE(dict) == 0) {
        return write_ascii(writer, "{}");
    }
    PyObject *mark = enter(e, dict);
    int err = mark != NULL ? _PyUnicodeWriter_WriteChar(writer, '{') : -1;
    if (err == 0) {
        err = PyDict_CheckExact(dict) && !e->sort_keys ? write_items_of_dict(e, writer, dict)
                                                       : write_items_of_mapping(e, writer, dict);
    }
    if (err == 0) {
        err = _PyUnicodeWriter_WriteChar(writer, '}');
    }
    return mark != NULL ? leave(e, mark, err) : -1;
}

/* What default() makes of an object that JSON has nothing for. */
static int
write_other(Encoder *e, _PyUnicodeWriter *writer, PyObject *value)
{
    PyObject *mark = enter(e, value);
    if (mark == NULL) {
        return -1;
    }
    PyObject *other = PyObject_CallOneArg(e->default_, value);
    int err = other != NULL ? write_value(e, writer, other) : -1;
    Py_XDECREF(other);
    return leave(e, mark, err);
}

static int
write_value(Encoder *e, _PyUnicodeWriter *writer, PyObject *value)
{
    if (PyUnicode_Check(value)) {
        return write_string(e, writer, value);
    }
    int written = write_simple(e, writer, value);
    if (written != 0) {
        return written < 0 ? -1 : 0;
    }
    if (Py_EnterRecursiveCall(" while encoding a JSON object")) {
        return -1;
    }
    int err = PyList_Check(value) || PyTuple_Check(value) ? write_list(e, writer, value)
            : PyDict_Check(value) ? write_dict(e, writer, value)
            : write_other(e, writer, value);
    Py_LeaveRecursiveCall();
    return err;
}

static PyObject *
encoder_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"obj", "_current_indent_level", NULL};
    PyObject *value;
    Py_ssize_t level;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "On:_iterencode", keywords, &value, &level)) {
        return NULL;
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    if (write_value((Encoder *)self, &writer, value) < 0) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    PyObject *text = _PyUnicodeWriter_Finish(&writer);
    return text != NULL ? Py_BuildValue("[N]", text) : NULL;
}

/* ------------------------------------------------------------------------ the type */

static int
encoder_traverse(PyObject *self, visitproc visit, void *arg)
{
    Encoder *e = (Encoder *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(e->markers);
    Py_VISIT(e->default_);
    Py_VISIT(e->encoder);
    Py_VISIT(e->indent);
    Py_VISIT(e->key_separator);
    Py_VISIT(e->item_separator);
    return 0;
}

static int
encoder_clear(PyObject *self)
{
    Encoder *e = (Encoder *)self;
    Py_CLEAR(e->markers);
    Py_CLEAR(e->default_);
    Py_CLEAR(e->encoder);
    Py_CLEAR(e->indent);
    Py_CLEAR(e->key_separator);
    Py_CLEAR(e->item_separator);
    return 0;
}

static void
encoder_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    (void)encoder_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
encoder_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"markers", "default", "encoder", "indent", "key_separator",
                               "item_separator", "sort_keys", "skipkeys", "allow_nan", NULL};
    PyObject *markers, *default_, *encoder, *indent, *key_separator, *item_separator;
    int sort_keys, skipkeys, allow_nan;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOOUUppp:make_encoder", keywords, &markers,
                                     &default_, &encoder, &indent, &key_separator,
                                     &item_separator, &sort_keys, &skipkeys, &allow_nan))
    {
        return NULL;
    }
    if (markers != Py_None && !PyDict_Check(markers)) {
        return PyErr_Format(PyExc_TypeError,
                            "make_encoder() argument 1 must be dict or None, not %.200s",
                            Py_TYPE(markers)->tp_name);
    }
    Encoder *e = (Encoder *)type->tp_alloc(type, 0);
    if (e == NULL) {
        return NULL;
    }
    e->markers = Py_NewRef(markers);
    e->default_ = Py_NewRef(default_);
    e->encoder = Py_NewRef(encoder);
    e->indent = Py_NewRef(indent);
    e->key_separator = Py_NewRef(key_separator);
    e->item_separator = Py_NewRef(item_separator);
    e->sort_keys = (char)sort_keys;
    e->skipkeys = (char)skipkeys;
    e->allow_nan = allow_nan;
    PyCFunction function = PyCFunction_Check(encoder) ? PyCFunction_GetFunction(encoder) : NULL;
    e->quick = function == _PyJson_EncodeString ? 1 : function == _PyJson_EncodeStringAscii ? 2 : 0;
    return (PyObject *)e;
}

static PyMemberDef encoder_members[] = {
    {"markers", T_OBJECT, offsetof(Encoder, markers), READONLY, NULL},
    {"default", T_OBJECT, offsetof(Encoder, default_), READONLY, NULL},
    {"encoder", T_OBJECT, offsetof(Encoder, encoder), READONLY, NULL},
    {"indent", T_OBJECT, offsetof(Encoder, indent), READONLY, NULL},
    {"key_separator", T_OBJECT, offsetof(Encoder, key_separator), READONLY, NULL},
    {"item_separator", T_OBJECT, offsetof(Encoder, item_separator), READONLY, NULL},
    {"sort_keys", T_BOOL, offsetof(Encoder, sort_keys), READONLY, NULL},
    {"skipkeys", T_BOOL, offsetof(Encoder, skipkeys), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot encoder_slots[] = {
    {Py_tp_doc, "_iterencode(obj, _current_indent_level): a list of the document's text."},
    {Py_tp_new, encoder_new},
    {Py_tp_call, encoder_call},
    {Py_tp_members, encoder_members},
    {Py_tp_traverse, encoder_traverse},
    {Py_tp_clear, encoder_clear},
    {Py_tp_dealloc, encoder_dealloc},
    {0, NULL}
};

PyType_Spec _PyJson_EncoderSpec = {
    .name = "_json.Encoder",
    .basicsize = sizeof(Encoder),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = encoder_slots,
};

/* The _csv module: reading and writing comma-separated values (PEP 305).

   A Dialect is a checked, immutable set of options. The reader feeds characters to a
   state machine, with one function for each state that a field can be in; the end of a
   line that the input iterator gave is passed as the pseudo-character LINE_END. A field
   that is a part of a line as it stands is taken without it. The writer renders a row
   into one buffer. */
#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/list.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/module_state.h"
#include "internal/unicode.h"
#include "structmember.h"
#include "internal/type.h"

#define NOT_SET ((Py_UCS4)-1)
#define LINE_END ((Py_UCS4)-2)

enum { QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE };

typedef struct {
    PyObject *error;
    PyObject *dialects;         /* name -> Dialect */
    long field_limit;
} csv_state;

static inline csv_state *
csv(void)
{
    return _PyModuleState_Get(MODULE_STATE_CSV);
}

/* ------------------------------------------------------ growing text buffer */

typedef struct {
    Py_UCS4 *data;
    Py_ssize_t length;
    Py_ssize_t room;
} Text;

static int
text_grow(Text *text, Py_ssize_t more)
{
    if (more > PY_SSIZE_T_MAX / 8 - text->length) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t room = Py_MAX(text->room * 2, 256);
    while (room < text->length + more) {
        room *= 2;
    }
    Py_UCS4 *data = PyMem_Realloc(text->data, (size_t)room * sizeof(Py_UCS4));
    if (data == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    text->data = data;
    text->room = room;
    return 0;
}

static inline int
text_add(Text *text, Py_UCS4 c)
{
    if (text->length == text->room && text_grow(text, 1) < 0) {
        return -1;
    }
    text->data[text->length++] = c;
    return 0;
}

static int
text_add_str(Text *text, PyObject *str)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(str);
    if (n > text->room - text->length && text_grow(text, n) < 0) {
        return -1;
    }
    int kind = PyUnicode_KIND(str);
    const void *data = PyUnicode_DATA(str);
    for (Py_ssize_t i = 0; i < n; i++) {
        text->data[text->length++] = PyUnicode_READ(kind, data, i);
    }
    return 0;
}

static PyObject *
text_as_str(const Text *text)
{
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text->data,
                                     text->length);
}

/* ----------------------------------------------------------------- dialects */

typedef struct {
    PyObject_HEAD
    char doublequote;
    char skipinitialspace;
    char strict;
    int quoting;
    Py_UCS4 delimiter;
    Py_UCS4 quotechar;          /* NOT_SET for None */
    Py_UCS4 escapechar;         /* NOT_SET for None */
    PyObject *lineterminator;   /* str */
} Dialect;

static PyTypeObject dialect_type;

static void
dialect_dealloc(Dialect *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->lineterminator);
    Py_TYPE(self)->tp_free(self);
}

static int
dialect_traverse(Dialect *self, visitproc visit, void *arg)
{
    Py_VISIT(self->lineterminator);
    return 0;
}

static PyObject *
char_or_none(Py_UCS4 c)
{
    return c == NOT_SET ? Py_NewRef(Py_None) : PyUnicode_FromOrdinal((int)c);
}

static PyObject *
dialect_get_delimiter(Dialect *self, void *Py_UNUSED(closure))
{
    return char_or_none(self->delimiter);
}

static PyObject *
dialect_get_escapechar(Dialect *self, void *Py_UNUSED(closure))
{
    return char_or_none(self->escapechar);
}

static PyObject *
dialect_get_quotechar(Dialect *self, void *Py_UNUSED(closure))
{
    return char_or_none(self->quotechar);
}

static PyObject *
dialect_get_quoting(Dialect *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(self->quoting);
}

static PyObject *
dialect_get_lineterminator(Dialect *self, void *Py_UNUSED(closure))
{
    return Py_XNewRef(self->lineterminator);
}

static PyGetSetDef dialect_getset[] = {
    {"delimiter", (getter)dialect_get_delimiter, NULL, NULL, NULL},
    {"escapechar", (getter)dialect_get_escapechar, NULL, NULL, NULL},
    {"lineterminator", (getter)dialect_get_lineterminator, NULL, NULL, NULL},
    {"quotechar", (getter)dialect_get_quotechar, NULL, NULL, NULL},
    {"quoting", (getter)dialect_get_quoting, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef dialect_members[] = {
    {"skipinitialspace", T_BOOL, offsetof(Dialect, skipinitialspace),
     READONLY, NULL},
    {"doublequote", T_BOOL, offsetof(Dialect, doublequote), READONLY, NULL},
    {"strict", T_BOOL, offsetof(Dialect, strict), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

/* Readers of options. `option` is NULL when it has not been given. */

static int
read_flag(PyObject *option, char *flag, int otherwise)
{
    int truth = option == NULL ? otherwise : PyObject_IsTrue(option);
    *flag = truth > 0;
    return truth < 0 ? -1 : 0;
}

static int
read_char(const char *name, PyObject *option, Py_UCS4 *c, Py_UCS4 otherwise,
          int none_allowed)
{
    *c = otherwise;
    if (option == NULL) {
        return 0;
    }
    if (option == Py_None && none_allowed) {
        *c = NOT_SET;
        return 0;
    }
    if (!PyUnicode_Check(option)) {
        PyErr_Format(PyExc_TypeError, "\"%s\" must be string%s, not %.200s",
                     name, none_allowed ? " or None" : "",
                     Py_TYPE(option)->tp_name);
        return -1;
    }
    if (PyUnicode_READY(option) < 0) {
        return -1;
    }
    if (PyUnicode_GET_LENGTH(option) != 1) {
        PyErr_Format(PyExc_TypeError,
                     "\"%s\" must be a 1-character string", name);
        return -1;
    }
    *c = PyUnicode_READ_CHAR(option, 0);
    return 0;
}

static int
read_quoting(PyObject *option, int *quoting)
{
    *quoting = QUOTE_MINIMAL;
    if (option != NULL) {
        if (!PyLong_CheckExact(option)) {
            PyErr_SetString(PyExc_TypeError,
                            "\"quoting\" must be an integer");
            return -1;
        }
        *quoting = _PyLong_AsInt(option);
        if (*quoting == -1 && PyErr_Occurred()) {
            return -1;
        }
    }
    return 0;
}

/* None is refused when all options have been read. */
static int
read_lineterminator(PyObject *option, PyObject **text)
{
    if (option == NULL) {
        *text = PyUnicode_FromString("\r\n");
        return *text == NULL ? -1 : 0;
    }
    if (option == Py_None) {
        return 0;
    }
    if (!PyUnicode_Check(option)) {
        PyErr_SetString(PyExc_TypeError,
                        "\"lineterminator\" must be a string");
        return -1;
    }
    if (PyUnicode_READY(option) < 0) {
        return -1;
    }
    *text = Py_NewRef(option);
    return 0;
}

static PyObject *
registered_dialect(PyObject *name)
{
    PyObject *dialect = PyDict_GetItemWithError(csv()->dialects, name);
    if (dialect == NULL && !PyErr_Occurred()) {
        PyErr_SetString(csv()->error, "unknown dialect");
    }
    return Py_XNewRef(dialect);
}

/* The options, in the order of dialect_new()'s keywords. */
enum {
    DELIMITER, DOUBLEQUOTE, ESCAPECHAR, LINETERMINATOR, QUOTECHAR, QUOTING,
    SKIPINITIALSPACE, STRICT, N_OPTIONS
};

static int
read_options(Dialect *self, PyObject *const *options)
{
    PyObject *quoting = options[QUOTING];
    if (read_char("delimiter", options[DELIMITER], &self->delimiter, ',',
                  0) < 0
        || read_flag(options[DOUBLEQUOTE], &self->doublequote, 1) < 0
        || read_char("escapechar", options[ESCAPECHAR], &self->escapechar,
                     NOT_SET, 1) < 0
        || read_lineterminator(options[LINETERMINATOR],
                               &self->lineterminator) < 0
        || read_char("quotechar", options[QUOTECHAR], &self->quotechar, '"',
                     1) < 0
        || read_quoting(quoting, &self->quoting) < 0
        || read_flag(options[SKIPINITIALSPACE], &self->skipinitialspace,
                     0) < 0
        || read_flag(options[STRICT], &self->strict, 0) < 0) {
        return -1;
    }
    if (self->quoting < QUOTE_MINIMAL || self->quoting > QUOTE_NONE) {
        PyErr_SetString(PyExc_TypeError, "bad \"quoting\" value");
        return -1;
    }
    if (options[QUOTECHAR] == Py_None && quoting == NULL) {
        self->quoting = QUOTE_NONE;
    }
    if (self->quoting != QUOTE_NONE && self->quotechar == NOT_SET) {
        PyErr_SetString(PyExc_TypeError,
                        "quotechar must be set if quoting enabled");
        return -1;
    }
    if (self->lineterminator == NULL) {
        PyErr_SetString(PyExc_TypeError, "lineterminator must be set");
        return -1;
    }
    return 0;
}

static PyObject *
dialect_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {
        "dialect", "delimiter", "doublequote", "escapechar",
        "lineterminator", "quotechar", "quoting", "skipinitialspace",
        "strict", NULL
    };
    PyObject *base = NULL, *o[N_OPTIONS] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOOOOOOOO", keywords,
                                     &base, &o[0], &o[1], &o[2], &o[3], &o[4],
                                     &o[5], &o[6], &o[7])) {
        return NULL;
    }
    int any = 0;
    for (int i = 0; i < N_OPTIONS; i++) {
        any |= o[i] != NULL;
        Py_XINCREF(o[i]);
    }
    PyObject *result = NULL;
    Dialect *self = NULL;
    Py_XINCREF(base);
    if (base != NULL && PyUnicode_Check(base)) {
        Py_SETREF(base, registered_dialect(base));
        if (base == NULL) {
            goto done;
        }
    }
    if (base != NULL && Py_IS_TYPE(base, &dialect_type) && !any) {
        result = Py_NewRef(base);
        goto done;
    }
    for (int i = 0; base != NULL && i < N_OPTIONS; i++) {
        if (o[i] == NULL) {
            o[i] = PyObject_GetAttrString(base, keywords[i + 1]);
            if (o[i] == NULL) {
                /* Any value will do: the default is as good. */
                PyErr_Clear();
            }
        }
    }
    self = (Dialect *)type->tp_alloc(type, 0);
    if (self != NULL && read_options(self, o) == 0) {
        result = Py_NewRef(self);
    }
done:
    Py_XDECREF(self);
    Py_XDECREF(base);
    for (int i = 0; i < N_OPTIONS; i++) {
        Py_XDECREF(o[i]);
    }
    return result;
}

static PyObject *
dialect_reduce(PyObject *self, PyObject *Py_UNUSED(args))
{
    PyErr_Format(PyExc_TypeError, "cannot pickle '%.100s' instances",
                 _PyType_Name(Py_TYPE(self)));
    return NULL;
}

static PyMethodDef dialect_methods[] = {
    {"__reduce__", dialect_reduce, METH_VARARGS,
     "raises an exception to avoid pickling"},
    {"__reduce_ex__", dialect_reduce, METH_VARARGS,
     "raises an exception to avoid pickling"},
    {NULL, NULL, 0, NULL}
};

static PyTypeObject dialect_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_csv.Dialect",
    .tp_basicsize = sizeof(Dialect),
    .tp_dealloc = (destructor)dialect_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "CSV dialect\n\n"
        "The Dialect type records CSV parsing and generation options.\n",
    .tp_traverse = (traverseproc)dialect_traverse,
    .tp_methods = dialect_methods,
    .tp_members = dialect_members,
    .tp_getset = dialect_getset,
    .tp_new = dialect_new,
};

/* Dialect(dialect, **options); dialect may be NULL. */
static Dialect *
make_dialect(PyObject *dialect, PyObject *options)
{
    PyObject *args = dialect == NULL ? PyTuple_New(0)
        : PyTuple_Pack(1, dialect);
    if (args == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Call((PyObject *)&dialect_type, args,
                                     options);
    Py_DECREF(args);
    return (Dialect *)result;
}

/* ------------------------------------------------------------------- reader */

enum state {
    START_RECORD, START_FIELD, AFTER_ESCAPE, IN_FIELD, IN_QUOTES,
    AFTER_ESCAPE_IN_QUOTES, AFTER_QUOTE_IN_QUOTES, SKIP_NEWLINES,
    AFTER_ESCAPED_NEWLINE
};

typedef struct {
    PyObject_HEAD
    const csv_state *csv;       /* that of its interpreter, for the limit */
    PyObject *input;
    Dialect *dialect;
    PyObject *fields;           /* list of the current record */
    enum state state;
    Text field;
    int numeric;                /* the field is unquoted and to be a float */
    unsigned long line_num;
} Reader;

static int
end_field(Reader *self)
{
    PyObject *field = text_as_str(&self->field);
    if (field == NULL) {
        return -1;
    }
    self->field.length = 0;
    if (self->numeric) {
        self->numeric = 0;
        Py_SETREF(field, PyNumber_Float(field));
        if (field == NULL) {
            return -1;
        }
    }
    int result = PyList_Append(self->fields, field);
    Py_DECREF(field);
    return result;
}

static int
add_char(Reader *self, Py_UCS4 c)
{
    if (self->field.length >= self->csv->field_limit) {
        PyErr_Format(self->csv->error, "field larger than field limit (%ld)",
                     self->csv->field_limit);
        return -1;
    }
    return text_add(&self->field, c);
}

static inline int
is_newline(Py_UCS4 c)
{
    return c == '\n' || c == '\r' || c == LINE_END;
}

/* A newline ends the field and the record. */
static int
end_record(Reader *self, Py_UCS4 c)
{
    if (end_field(self) < 0) {
        return -1;
    }
    self->state = c == LINE_END ? START_RECORD : SKIP_NEWLINES;
    return 0;
}

static int
start_field(Reader *self, Py_UCS4 c)
{
    const Dialect *dialect = self->dialect;
    if (is_newline(c)) {
        return end_record(self, c);
    }
    if (c == dialect->quotechar && dialect->quoting != QUOTE_NONE) {
        self->state = IN_QUOTES;
    }
    else if (c == dialect->escapechar) {
        self->state = AFTER_ESCAPE;
    }
    else if (c == ' ' && dialect->skipinitialspace) {
        /* The record is still at its start. */
    }
    else if (c == dialect->delimiter) {
        return end_field(self);
    }
    else {
        self->numeric |= dialect->quoting == QUOTE_NONNUMERIC;
        self->state = IN_FIELD;
        return add_char(self, c);
    }
    return 0;
}

static int
in_field(Reader *self, Py_UCS4 c)
{
    const Dialect *dialect = self->dialect;
    if (is_newline(c)) {
        return end_record(self, c);
    }
    if (c == dialect->escapechar) {
        self->state = AFTER_ESCAPE;
        return 0;
    }
    if (c == dialect->delimiter) {
        self->state = START_FIELD;
        return end_field(self);
    }
    return add_char(self, c);
}

static int
in_quotes(Reader *self, Py_UCS4 c)
{
    const Dialect *dialect = self->dialect;
    if (c == LINE_END) {
        return 0;
    }
    if (c == dialect->escapechar) {
        self->state = AFTER_ESCAPE_IN_QUOTES;
        return 0;
    }
    if (c == dialect->quotechar && dialect->quoting != QUOTE_NONE) {
        self->state = dialect->doublequote ? AFTER_QUOTE_IN_QUOTES : IN_FIELD;
        return 0;
    }
    return add_char(self, c);
}

/* The quote may have been the first of two that stand for one. */
static int
after_quote(Reader *self, Py_UCS4 c)
{
    const Dialect *dialect = self->dialect;
    if (dialect->quoting != QUOTE_NONE && c == dialect->quotechar) {
        self->state = IN_QUOTES;
        return add_char(self, c);
    }
    if (c == dialect->delimiter) {
        self->state = START_FIELD;
        return end_field(self);
    }
    if (is_newline(c)) {
        return end_record(self, c);
    }
    if (dialect->strict) {
        PyErr_Format(csv()->error, "'%c' expected after '%c'",
                     dialect->delimiter, dialect->quotechar);
        return -1;
    }
    self->state = IN_FIELD;
    return add_char(self, c);
}

static int
feed(Reader *self, Py_UCS4 c)
{
    switch (self->state) {
    case START_RECORD:
        if (c == LINE_END) {
            return 0;
        }
        if (is_newline(c)) {
            self->state = SKIP_NEWLINES;
            return 0;
        }
        self->state = START_FIELD;
        return start_field(self, c);
    case START_FIELD:
        return start_field(self, c);
    case AFTER_ESCAPE:
        if (c == '\n' || c == '\r') {
            self->state = AFTER_ESCAPED_NEWLINE;
            return add_char(self, c);
        }
        self->state = IN_FIELD;
        return add_char(self, c == LINE_END ? '\n' : c);
    case AFTER_ESCAPED_NEWLINE:
        return c == LINE_END ? 0 : in_field(self, c);
    case IN_FIELD:
        return in_field(self, c);
    case IN_QUOTES:
        return in_quotes(self, c);
    case AFTER_ESCAPE_IN_QUOTES:
        self->state = IN_QUOTES;
        return add_char(self, c == LINE_END ? '\n' : c);
    case AFTER_QUOTE_IN_QUOTES:
        return after_quote(self, c);
    case SKIP_NEWLINES:
        if (c == '\n' || c == '\r') {
            return 0;
        }
        if (c == LINE_END) {
            self->state = START_RECORD;
            return 0;
        }
        PyErr_SetString(csv()->error,
            "new-line character seen in unquoted field - do you need to "
            "open the file in universal-newline mode?");
        return -1;
    }
    Py_UNREACHABLE();
}

/* A whole field from `at` on, whose characters need not be collected: it stands between two
   delimiters or ends of a line, with its quotes if it has some, and without escapes. Appends it, and
   returns where to go on; `at`: it is no such field; -1 on error. */
static inline __attribute__((always_inline)) Py_ssize_t
whole_field(Reader *self, PyObject *line, int kind, const void *data, Py_ssize_t at, Py_ssize_t n)
{
    const Dialect *dialect = self->dialect;
    Py_UCS4 c = PyUnicode_READ(kind, data, at);
    int is_quoted = c == dialect->quotechar && dialect->quoting != QUOTE_NONE;
    if (c == '\n' || c == '\r' || (c == ' ' && dialect->skipinitialspace)
        || (!is_quoted && dialect->quoting == QUOTE_NONNUMERIC)
        || is_newline(dialect->delimiter))
    {
        return at;
    }
    Py_ssize_t start = at + is_quoted, end = start;
    for (; end < n; end++) {
        c = PyUnicode_READ(kind, data, end);
        if (c == dialect->escapechar) {
            return at;
        }
        if (is_quoted ? c == dialect->quotechar
                      : c == dialect->delimiter || c == '\n' || c == '\r')
        {
            break;
        }
    }
    Py_ssize_t next = end + is_quoted;
    if (next > n || end - start > self->csv->field_limit) {
        return at;
    }
    c = next < n ? PyUnicode_READ(kind, data, next) : LINE_END;
    if (c != dialect->delimiter && !is_newline(c)) {
        return at;
    }
    PyObject *field = _PyUnicode_Slice(line, start, end);
    if (field == NULL || _PyList_AppendTakeRef((PyListObject *)self->fields, field) < 0) {
        return -1;
    }
    self->state = c == dialect->delimiter ? START_FIELD : c == LINE_END ? START_RECORD
                                                                        : SKIP_NEWLINES;
    return next + (c != LINE_END);
}

static Py_ssize_t
feed_whole_field(Reader *self, PyObject *line, int kind, const void *data, Py_ssize_t at,
                 Py_ssize_t n)
{
    return kind == PyUnicode_1BYTE_KIND
        ? whole_field(self, line, PyUnicode_1BYTE_KIND, data, at, n)
        : whole_field(self, line, kind, data, at, n);
}

static int
feed_line(Reader *self, PyObject *line)
{
    if (PyUnicode_READY(line) < 0) {
        return -1;
    }
    int kind = PyUnicode_KIND(line);
    const void *data = PyUnicode_DATA(line);
    Py_ssize_t n = PyUnicode_GET_LENGTH(line);
    for (Py_ssize_t i = 0; i < n;) {
        if ((self->state == START_FIELD && self->field.length == 0)
            || self->state == START_RECORD)
        {
            Py_ssize_t next = feed_whole_field(self, line, kind, data, i, n);
            if (next < 0) {
                return -1;
            }
            if (next > i) {
                i = next;
                continue;
            }
        }
        if (feed(self, PyUnicode_READ(kind, data, i)) < 0) {
            return -1;
        }
        i++;
    }
    return feed(self, LINE_END);
}

/* At the end of the input: 1 when an unfinished record is to be given. */
static int
finish_input(Reader *self)
{
    if (PyErr_Occurred()
        || (self->field.length == 0 && self->state != IN_QUOTES)) {
        return 0;
    }
    if (self->dialect->strict) {
        PyErr_SetString(csv()->error, "unexpected end of data");
        return 0;
    }
    return end_field(self) == 0;
}

static PyObject *
reader_next(Reader *self)
{
    if (self->input == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "the reader has no input: it was not made by csv.reader()");
        return NULL;
    }
    PyObject *fresh = PyList_New(0);
    if (fresh == NULL) {
        return NULL;
    }
    Py_XSETREF(self->fields, fresh);
    self->state = START_RECORD;
    self->field.length = 0;
    self->numeric = 0;
    do {
        PyObject *line = PyIter_Next(self->input);
        if (self->fields == NULL && (line != NULL || !PyErr_Occurred())) {
            /* __next__() of the input has asked the reader itself for a record. */
            PyErr_SetString(csv()->error, "iterator has already advanced the reader");
            Py_XDECREF(line);
            return NULL;
        }
        if (line == NULL) {
            if (finish_input(self)) {
                break;
            }
            return NULL;
        }
        if (!PyUnicode_Check(line)) {
            PyErr_Format(csv()->error,
                         "iterator should return strings, not %.200s (the "
                         "file should be opened in text mode)",
                         Py_TYPE(line)->tp_name);
            Py_DECREF(line);
            return NULL;
        }
        self->line_num++;
        int failed = feed_line(self, line) < 0;
        Py_DECREF(line);
        if (failed) {
            return NULL;
        }
    } while (self->state != START_RECORD);
    PyObject *fields = self->fields;
    self->fields = NULL;
    return fields;
}

static int
reader_traverse(Reader *self, visitproc visit, void *arg)
{
    Py_VISIT(self->dialect);
    Py_VISIT(self->input);
    Py_VISIT(self->fields);
    return 0;
}

static int
reader_clear(Reader *self)
{
    Py_CLEAR(self->dialect);
    Py_CLEAR(self->input);
    Py_CLEAR(self->fields);
    return 0;
}

static void
reader_dealloc(Reader *self)
{
    PyObject_GC_UnTrack(self);
    reader_clear(self);
    PyMem_Free(self->field.data);
    PyObject_GC_Del(self);
}

static PyMemberDef reader_members[] = {
    {"dialect", T_OBJECT, offsetof(Reader, dialect), READONLY, NULL},
    {"line_num", T_ULONG, offsetof(Reader, line_num), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyTypeObject reader_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_csv.reader",
    .tp_basicsize = sizeof(Reader),
    .tp_dealloc = (destructor)reader_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "CSV reader\n\n"
        "Reader objects are responsible for reading and parsing tabular "
        "data\nin CSV format.\n",
    .tp_traverse = (traverseproc)reader_traverse,
    .tp_clear = (inquiry)reader_clear,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)reader_next,
    .tp_members = reader_members,
};

static PyObject *
csv_reader(PyObject *Py_UNUSED(module), PyObject *args, PyObject *options)
{
    PyObject *iterable, *dialect = NULL;
    if (!PyArg_UnpackTuple(args, "", 1, 2, &iterable, &dialect)) {
        return NULL;
    }
    Reader *self = PyObject_GC_New(Reader, &reader_type);
    if (self == NULL) {
        return NULL;
    }
    self->csv = csv();
    self->input = NULL;
    self->dialect = NULL;
    self->fields = NULL;
    self->state = START_RECORD;
    self->field = (Text){NULL, 0, 0};
    self->numeric = 0;
    self->line_num = 0;
    self->input = PyObject_GetIter(iterable);
    if (self->input != NULL) {
        self->dialect = make_dialect(dialect, options);
    }
    if (self->dialect == NULL) {
        PyObject_GC_Track(self);
        Py_DECREF(self);
        return NULL;
    }
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

/* ------------------------------------------------------------------- writer */

typedef struct {
    PyObject_HEAD
    PyObject *write;            /* the file's method */
    Dialect *dialect;
    Text record;
    int n_fields;               /* in the record so far */
} Writer;

/* A character that means something to a reader of this dialect. */
static int
is_special(const Dialect *dialect, Py_UCS4 c)
{
    return c == dialect->delimiter || c == dialect->escapechar
        || c == dialect->quotechar
        || PyUnicode_FindChar(dialect->lineterminator, c, 0,
                              PyUnicode_GET_LENGTH(dialect->lineterminator),
                              1) >= 0;
}

/* Renders a field's text; sets *quoted if that makes quotes necessary. */
static int
render(Writer *self, PyObject *field, int *quoted)
{
    const Dialect *dialect = self->dialect;
    int kind = PyUnicode_KIND(field);
    const void *data = PyUnicode_DATA(field);
    Py_ssize_t n = PyUnicode_GET_LENGTH(field);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (is_special(dialect, c)) {
            int escape = 0;
            if (dialect->quoting == QUOTE_NONE) {
                escape = 1;
            }
            else if (c == dialect->quotechar) {
                if (!dialect->doublequote) {
                    escape = 1;
                }
                else if (text_add(&self->record, c) < 0) {
                    return -1;
                }
            }
            else if (c == dialect->escapechar) {
                escape = 1;
            }
            *quoted |= !escape;
            if (escape) {
                if (dialect->escapechar == NOT_SET) {
                    PyErr_SetString(csv()->error, "need to escape, but no "
                                    "escapechar set");
                    return -1;
                }
                if (text_add(&self->record, dialect->escapechar) < 0) {
                    return -1;
                }
            }
        }
        if (text_add(&self->record, c) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Adds a field to the record: a str, or NULL for an empty one. */
static int
join_field(Writer *self, PyObject *field, int quoted)
{
    const Dialect *dialect = self->dialect;
    Text *record = &self->record;
    if (self->n_fields++ > 0 && text_add(record, dialect->delimiter) < 0) {
        return -1;
    }
    Py_ssize_t start = record->length;
    if (field != NULL
        && (PyUnicode_READY(field) < 0 || render(self, field, &quoted) < 0)) {
        return -1;
    }
    if (!quoted) {
        return 0;
    }
    /* Room for both quotes; the first moves the text. */
    if (text_add(record, dialect->quotechar) < 0
        || text_add(record, dialect->quotechar) < 0) {
        return -1;
    }
    memmove(record->data + start + 1, record->data + start,
            (size_t)(record->length - 2 - start) * sizeof(Py_UCS4));
    record->data[start] = dialect->quotechar;
    return 0;
}

static int
join_value(Writer *self, PyObject *value)
{
    int quoting = self->dialect->quoting;
    int quoted = quoting == QUOTE_ALL
        || (quoting == QUOTE_NONNUMERIC && !PyNumber_Check(value));
    if (PyUnicode_Check(value)) {
        return join_field(self, value, quoted);
    }
    if (value == Py_None) {
        return join_field(self, NULL, quoted);
    }
    PyObject *text = PyObject_Str(value);
    if (text == NULL) {
        return -1;
    }
    int result = join_field(self, text, quoted);
    Py_DECREF(text);
    return result;
}

static PyObject *
writer_writerow(Writer *self, PyObject *row)
{
    if (self->write == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "the writer has no output: it was not made by csv.writer()");
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(row);
    if (iter == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(csv()->error, "iterable expected, not %.200s",
                         Py_TYPE(row)->tp_name);
        }
        return NULL;
    }
    self->record.length = 0;
    self->n_fields = 0;
    PyObject *value;
    int failed = 0;
    while (!failed && (value = PyIter_Next(iter)) != NULL) {
        failed = join_value(self, value) < 0;
        Py_DECREF(value);
    }
    Py_DECREF(iter);
    if (failed || PyErr_Occurred()) {
        return NULL;
    }
    if (self->n_fields > 0 && self->record.length == 0) {
        /* With nothing at all, it would be read back as a record without fields. */
        if (self->dialect->quoting == QUOTE_NONE) {
            PyErr_SetString(csv()->error,
                            "single empty field record must be quoted");
            return NULL;
        }
        self->n_fields--;
        if (join_field(self, NULL, 1) < 0) {
            return NULL;
        }
    }
    if (text_add_str(&self->record, self->dialect->lineterminator) < 0) {
        return NULL;
    }
    PyObject *line = text_as_str(&self->record);
    if (line == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallOneArg(self->write, line);
    Py_DECREF(line);
    return result;
}

static PyObject *
writer_writerows(Writer *self, PyObject *rows)
{
    PyObject *iter = PyObject_GetIter(rows);
    if (iter == NULL) {
        return NULL;
    }
    PyObject *row;
    while ((row = PyIter_Next(iter)) != NULL) {
        PyObject *result = writer_writerow(self, row);
        Py_DECREF(row);
        if (result == NULL) {
            Py_DECREF(iter);
            return NULL;
        }
        Py_DECREF(result);
    }
    Py_DECREF(iter);
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static int
writer_traverse(Writer *self, visitproc visit, void *arg)
{
    Py_VISIT(self->dialect);
    Py_VISIT(self->write);
    return 0;
}

static int
writer_clear(Writer *self)
{
    Py_CLEAR(self->dialect);
    Py_CLEAR(self->write);
    return 0;
}

static void
writer_dealloc(Writer *self)
{
    PyObject_GC_UnTrack(self);
    writer_clear(self);
    PyMem_Free(self->record.data);
    PyObject_GC_Del(self);
}

static PyMethodDef writer_methods[] = {
    {"writerow", (PyCFunction)writer_writerow, METH_O,
     "writerow(iterable)\n\n"
     "Construct and write a CSV record from an iterable of fields.  "
     "Non-string\nelements will be converted to string."},
    {"writerows", (PyCFunction)writer_writerows, METH_O,
     "writerows(iterable of iterables)\n\n"
     "Construct and write a series of iterables to a csv file.  Non-string\n"
     "elements will be converted to string."},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef writer_members[] = {
    {"dialect", T_OBJECT, offsetof(Writer, dialect), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyTypeObject writer_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_csv.writer",
    .tp_basicsize = sizeof(Writer),
    .tp_dealloc = (destructor)writer_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "CSV writer\n\n"
        "Writer objects are responsible for generating tabular data\n"
        "in CSV format from sequence input.\n",
    .tp_traverse = (traverseproc)writer_traverse,
    .tp_clear = (inquiry)writer_clear,
    .tp_methods = writer_methods,
    .tp_members = writer_members,
};

static PyObject *
csv_writer(PyObject *Py_UNUSED(module), PyObject *args, PyObject *options)
{
    PyObject *file, *dialect = NULL;
    if (!PyArg_UnpackTuple(args, "", 1, 2, &file, &dialect)) {
        return NULL;
    }
    PyObject *name = PyUnicode_InternFromString("write"), *write;
    if (name == NULL) {
        return NULL;
    }
    int found = _PyObject_LookupAttr(file, name, &write);
    Py_DECREF(name);
    if (found < 0) {
        return NULL;
    }
    if (write == NULL || !PyCallable_Check(write)) {
        PyErr_SetString(PyExc_TypeError,
                        "argument 1 must have a \"write\" method");
        Py_XDECREF(write);
        return NULL;
    }
    Writer *self = PyObject_GC_New(Writer, &writer_type);
    if (self == NULL) {
        Py_DECREF(write);
        return NULL;
    }
    self->write = write;
    self->record = (Text){NULL, 0, 0};
    self->n_fields = 0;
    self->dialect = NULL;
    self->dialect = make_dialect(dialect, options);
    PyObject_GC_Track(self);
    if (self->dialect == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* ----------------------------------------------------------------- registry */

static PyObject *
csv_list_dialects(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyDict_Keys(csv()->dialects);
}

static PyObject *
csv_register_dialect(PyObject *Py_UNUSED(module), PyObject *args,
                     PyObject *options)
{
    PyObject *name, *base = NULL;
    if (!PyArg_UnpackTuple(args, "", 1, 2, &name, &base)) {
        return NULL;
    }
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "dialect name must be a string");
        return NULL;
    }
    PyObject *dialect = (PyObject *)make_dialect(base, options);
    if (dialect == NULL) {
        return NULL;
    }
    int result = PyDict_SetItem(csv()->dialects, name, dialect);
    Py_DECREF(dialect);
    if (result < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* The single argument `name`, positional or by keyword. */
static PyObject *
name_argument(PyObject *args, PyObject *kwargs, const char *format)
{
    static char *keywords[] = {"name", NULL};
    PyObject *name;
    return PyArg_ParseTupleAndKeywords(args, kwargs, format, keywords, &name)
        ? name : NULL;
}

static PyObject *
csv_unregister_dialect(PyObject *Py_UNUSED(module), PyObject *args,
                       PyObject *kwargs)
{
    PyObject *name = name_argument(args, kwargs, "O:unregister_dialect");
    if (name == NULL) {
        return NULL;
    }
    if (PyDict_DelItem(csv()->dialects, name) < 0) {
        if (PyErr_ExceptionMatches(PyExc_KeyError)) {
            PyErr_SetString(csv()->error, "unknown dialect");
        }
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
csv_get_dialect(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    PyObject *name = name_argument(args, kwargs, "O:get_dialect");
    return name == NULL ? NULL : registered_dialect(name);
}

static PyObject *
csv_field_size_limit(PyObject *Py_UNUSED(module), PyObject *args,
                     PyObject *kwargs)
{
    static char *keywords[] = {"new_limit", NULL};
    PyObject *limit = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:field_size_limit",
                                     keywords, &limit)) {
        return NULL;
    }
    long old = csv()->field_limit;
    if (limit != NULL) {
        if (!PyLong_CheckExact(limit)) {
            PyErr_SetString(PyExc_TypeError, "limit must be an integer");
            return NULL;
        }
        long value = PyLong_AsLong(limit);
        if (value == -1 && PyErr_Occurred()) {
            return NULL;
        }
        csv()->field_limit = value;
    }
    return PyLong_FromLong(old);
}

/* ------------------------------------------------------------------- module */


static PyMethodDef module_methods[] = {
    {"reader", VAR_KEYWORDS(csv_reader),
     "    csv_reader = reader(iterable [, dialect='excel']\n"
     "                        [optional keyword args])\n"
     "    for row in csv_reader:\n"
     "        process(row)\n\n"
     "The \"iterable\" argument can be any object that returns a line of "
     "input for\neach iteration, such as a file object or a list.  Keyword "
     "arguments override\nsettings of the dialect.\n\n"
     "The returned object is an iterator.  Each iteration returns a row of "
     "the CSV\nfile, which can span multiple input lines.\n"},
    {"writer", VAR_KEYWORDS(csv_writer),
     "    csv_writer = csv.writer(fileobj [, dialect='excel']\n"
     "                            [optional keyword args])\n"
     "    csv_writer.writerow(row)\n"
     "    csv_writer.writerows(rows)\n\n"
     "The \"fileobj\" argument can be any object that has a write() "
     "method.\n"},
    {"list_dialects", csv_list_dialects, METH_NOARGS,
     "list_dialects($module, /)\n--\n\n"
     "Return a list of all known dialect names.\n\n"
     "    names = csv.list_dialects()"},
    {"register_dialect", VAR_KEYWORDS(csv_register_dialect),
     "Create a mapping from a string name to a dialect class.\n"
     "    dialect = csv.register_dialect(name[, dialect[, **fmtparams]])"},
    {"unregister_dialect", VAR_KEYWORDS(csv_unregister_dialect),
     "unregister_dialect($module, /, name)\n--\n\n"
     "Delete the name/dialect mapping associated with a string name.\n\n"
     "    csv.unregister_dialect(name)"},
    {"get_dialect", VAR_KEYWORDS(csv_get_dialect),
     "get_dialect($module, /, name)\n--\n\n"
     "Return the dialect instance associated with name.\n\n"
     "    dialect = csv.get_dialect(name)"},
    {"field_size_limit", VAR_KEYWORDS(csv_field_size_limit),
     "field_size_limit($module, /, new_limit=<unrepresentable>)\n--\n\n"
     "Sets an upper limit on parsed fields.\n\n"
     "    csv.field_size_limit([limit])\n\n"
     "Returns old limit. If limit is not given, no new limit is set and\n"
     "the old limit is returned"},
    {NULL, NULL, 0, NULL}
};

static void
clear_state(void *state)
{
    Py_CLEAR(((csv_state *)state)->error);
    Py_CLEAR(((csv_state *)state)->dialects);
}

/* Callable as python3.11's, though what comes of it has neither input nor output. object's
   __new__ is inherited, which a static type does not do by itself. */
static int
ready_callable(PyTypeObject *type)
{
    if (_PyType_AddModuleName(type) < 0) {
        return -1;
    }
    type->tp_new = PyBaseObject_Type.tp_new;
    type->tp_flags &= ~Py_TPFLAGS_DISALLOW_INSTANTIATION;
    return 0;
}

static int
module_exec(PyObject *module)
{
    if (PyModule_AddType(module, &dialect_type) < 0
        || _PyType_AddModuleName(&dialect_type) < 0
        || ready_callable(&reader_type) < 0 || ready_callable(&writer_type) < 0
        || PyModule_AddObjectRef(module, "Reader",
                                 (PyObject *)&reader_type) < 0
        || PyModule_AddObjectRef(module, "Writer",
                                 (PyObject *)&writer_type) < 0
        || PyModule_AddStringConstant(module, "__version__", "1.0") < 0
        || PyModule_AddIntMacro(module, QUOTE_MINIMAL) < 0
        || PyModule_AddIntMacro(module, QUOTE_ALL) < 0
        || PyModule_AddIntMacro(module, QUOTE_NONNUMERIC) < 0
        || PyModule_AddIntMacro(module, QUOTE_NONE) < 0) {
        return -1;
    }
    csv_state *state = _PyModuleState_Need(MODULE_STATE_CSV, sizeof(csv_state), clear_state);
    if (state == NULL) {
        return -1;
    }
    state->field_limit = 128 * 1024;
    Py_XSETREF(state->dialects, PyDict_New());
    if (state->dialects == NULL
        || PyModule_AddObjectRef(module, "_dialects", state->dialects) < 0) {
        return -1;
    }
    if (state->error == NULL) {
        state->error = PyErr_NewException("_csv.Error", NULL, NULL);
    }
    return state->error == NULL ? -1
        : PyModule_AddObjectRef(module, "Error", state->error);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

PyDoc_STRVAR(module_doc,
"CSV parsing and writing.\n\n"
"Classes that assist in the reading and writing of Comma Separated Value\n"
"(CSV) files, with the interface of PEP 305.  There are three basic APIs:\n"
"reading, writing, and registration of dialects.\n\n"
"A dialect argument is the name of a registered dialect, or a class or\n"
"instance with these attributes:\n\n"
"    * delimiter - the character between fields, ',' by default\n"
"    * quotechar - the quoting character, '\"' by default\n"
"    * escapechar - the character that takes away the meaning of the next\n"
"    * doublequote - whether two quotes inside quotes stand for one\n"
"    * skipinitialspace - whether spaces after a delimiter are ignored\n"
"    * lineterminator - what the writer puts after a row\n"
"    * quoting - when the writer quotes: QUOTE_MINIMAL where required,\n"
"        QUOTE_ALL always, QUOTE_NONNUMERIC for what is not a number,\n"
"        QUOTE_NONE never\n"
"    * strict - whether the reader complains about bad input\n");

static struct PyModuleDef csv_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_csv",
    .m_doc = module_doc,
    .m_methods = module_methods,
    .m_slots = module_slots,
};

MODULE_INIT(_csv)
{
    return PyModuleDef_Init(&csv_module);
}

/* str.format, str.format_map, and the parsers behind string.Formatter.

   A format string is a sequence of literals and replacement fields
   {name!conversion:spec}. The spec may contain fields too, two levels deep. A name is a
   number, a keyword or empty, followed by .attribute and [index] steps. A TextRange is
   a borrowed part of a str. */
#include "private.h"
#include "internal/str_format.h"

typedef struct {
    PyObject *text;
    Py_ssize_t start;
    Py_ssize_t end;
} TextRange;

static inline Py_UCS4
char_at(const TextRange *r, Py_ssize_t i)
{
    return PyUnicode_READ_CHAR(r->text, i);
}

static PyObject *
range_str(const TextRange *r)
{
    return PyUnicode_Substring(r->text, r->start, r->end);
}

static int
value_error(const char *message)
{
    PyErr_SetString(PyExc_ValueError, message);
    return -1;
}

/* ------------------------------------------------------------------- fields */

typedef struct {
    TextRange literal;
    TextRange name;
    TextRange spec;
    Py_UCS4 conversion;         /* 0 for none */
    int has_field;
    int nested;                 /* the spec has fields of its own */
} Field;

/* Reads the name at *pos, up to one of } : !. Leaves *pos after that character. */
static int
read_name(TextRange *input, Field *field, Py_UCS4 *stop)
{
    int in_brackets = 0;
    field->name = (TextRange){input->text, input->start, input->start};
    while (input->start < input->end) {
        Py_UCS4 ch = char_at(input, input->start++);
        if (in_brackets) {
            /* Between brackets anything is part of the key. */
            in_brackets = ch != ']';
        }
        else if (ch == '[') {
            in_brackets = 1;
        }
        else if (ch == '{') {
            return value_error("unexpected '{' in field name");
        }
        else if (ch == '}' || ch == ':' || ch == '!') {
            field->name.end = input->start - 1;
            *stop = ch;
            return 0;
        }
    }
    return value_error("expected '}' before end of string");
}

/* Reads the spec up to the brace that closes the field. */
static int
read_spec(TextRange *input, Field *field)
{
    int depth = 1;
    field->spec.start = input->start;
    while (input->start < input->end) {
        Py_UCS4 ch = char_at(input, input->start++);
        if (ch == '{') {
            field->nested = 1;
            depth++;
        }
        else if (ch == '}' && --depth == 0) {
            field->spec.end = input->start - 1;
            return 0;
        }
    }
    return value_error("unmatched '{' in format spec");
}

/* Reads the inside of a field, after its opening brace. */
static int
read_field(TextRange *input, Field *field)
{
    Py_UCS4 stop;
    field->has_field = 1;
    field->spec = (TextRange){input->text, 0, 0};
    if (read_name(input, field, &stop) < 0) {
        return -1;
    }
    if (stop == '!') {
        if (input->start >= input->end) {
            return value_error("end of string while looking for conversion "
                               "specifier");
        }
        field->conversion = char_at(input, input->start++);
        if (input->start < input->end) {
            stop = char_at(input, input->start++);
            if (stop != '}' && stop != ':') {
                return value_error("expected ':' after conversion "
                                   "specifier");
            }
        }
    }
    return stop == '}' ? 0 : read_spec(input, field);
}

/* Reads the next literal and the field after it. Returns 1, 0 at the end, -1 on error.
   A doubled brace ends a literal, includes one of the braces in it, and has no field. */
static int
next_field(TextRange *input, Field *field)
{
    memset(field, 0, sizeof(*field));
    if (input->start >= input->end) {
        return 0;
    }
    const Py_ssize_t start = input->start;
    Py_UCS4 ch = 0;
    while (input->start < input->end) {
        ch = char_at(input, input->start++);
        if (ch == '{' || ch == '}') {
            break;
        }
    }
    field->literal = (TextRange){input->text, start, input->start};
    if (ch != '{' && ch != '}') {
        return 1;
    }
    const int at_end = input->start >= input->end;
    if (!at_end && char_at(input, input->start) == ch) {
        input->start++;
        return 1;
    }
    if (ch == '}') {
        return value_error("Single '}' encountered in format string");
    }
    if (at_end) {
        return value_error("Single '{' encountered in format string");
    }
    field->literal.end--;
    return read_field(input, field) < 0 ? -1 : 1;
}

/* -------------------------------------------------------------------- names */

/* The value of r as a number. Returns -1 if it is not a number, -2 with an exception. */
static Py_ssize_t
range_number(const TextRange *r)
{
    Py_ssize_t value = 0;
    if (r->start >= r->end) {
        return -1;
    }
    for (Py_ssize_t i = r->start; i < r->end; i++) {
        int digit = Py_UNICODE_TODECIMAL(char_at(r, i));
        if (digit < 0) {
            return -1;
        }
        if (value > (PY_SSIZE_T_MAX - digit) / 10) {
            value_error("Too many decimal digits in format string");
            return -2;
        }
        value = value * 10 + digit;
    }
    return value;
}

/* Splits name into the part before the first . or [ and the rest. */
static void
split_first(const TextRange *name, TextRange *first, TextRange *rest)
{
    Py_ssize_t i = name->start;
    while (i < name->end && char_at(name, i) != '.'
           && char_at(name, i) != '[')
    {
        i++;
    }
    *first = (TextRange){name->text, name->start, i};
    *rest = (TextRange){name->text, i, name->end};
}

/* Reads one step of rest. Returns 1, 0 at the end, -1 on error. *number is -1 for a
   name. */
static int
next_step(TextRange *rest, int *is_attribute, TextRange *name,
          Py_ssize_t *number)
{
    if (rest->start >= rest->end) {
        return 0;
    }
    Py_UCS4 ch = char_at(rest, rest->start++);
    *name = (TextRange){rest->text, rest->start, rest->start};
    *number = -1;
    if (ch == '.') {
        *is_attribute = 1;
        while (rest->start < rest->end && char_at(rest, rest->start) != '.'
               && char_at(rest, rest->start) != '[')
        {
            rest->start++;
        }
        name->end = rest->start;
    }
    else if (ch == '[') {
        *is_attribute = 0;
        while (rest->start < rest->end && char_at(rest, rest->start) != ']') {
            rest->start++;
        }
        if (rest->start >= rest->end) {
            return value_error("Missing ']' in format string");
        }
        name->end = rest->start++;
        *number = range_number(name);
        if (*number == -2) {
            return -1;
        }
    }
    else {
        return value_error("Only '.' or '[' may follow ']' in format field "
                           "specifier");
    }
    if (name->start == name->end) {
        return value_error("Empty attribute in format string");
    }
    return 1;
}

/* ------------------------------------------------------------------- values */

typedef struct {
    PyObject *args;             /* a tuple, or NULL for format_map */
    PyObject *kwargs;           /* a mapping, or NULL */
    enum { NUMBERING_OPEN, NUMBERING_AUTO, NUMBERING_MANUAL } numbering;
    Py_ssize_t next_number;
} Arguments;

static int
choose_numbering(Arguments *a, int automatic)
{
    if (a->numbering == NUMBERING_OPEN) {
        a->numbering = automatic ? NUMBERING_AUTO : NUMBERING_MANUAL;
    }
    if (a->numbering == NUMBERING_MANUAL && automatic) {
        return value_error("cannot switch from manual field specification "
                           "to automatic field numbering");
    }
    if (a->numbering == NUMBERING_AUTO && !automatic) {
        return value_error("cannot switch from automatic field numbering to "
                           "manual field specification");
    }
    return 0;
}

/* Returns a new reference to the argument that the first part of a name means. */
static PyObject *
first_value(Arguments *a, const TextRange *first)
{
    Py_ssize_t number = range_number(first);
    const int empty = first->start == first->end;
    if (number == -2) {
        return NULL;
    }
    if ((empty || number >= 0) && choose_numbering(a, empty) < 0) {
        return NULL;
    }
    if (empty) {
        number = a->next_number++;
    }
    if (number < 0) {
        PyObject *key = range_str(first);
        PyObject *value = NULL;
        if (key != NULL && a->kwargs == NULL) {
            PyErr_SetObject(PyExc_KeyError, key);
        }
        else if (key != NULL) {
            value = PyObject_GetItem(a->kwargs, key);
        }
        Py_XDECREF(key);
        return value;
    }
    if (a->args == NULL) {
        value_error("Format string contains positional fields");
        return NULL;
    }
    if (number >= PyTuple_GET_SIZE(a->args)) {
        PyErr_Format(PyExc_IndexError,
                     "Replacement index %zd out of range for positional args "
                     "tuple", number);
        return NULL;
    }
    return Py_NewRef(PyTuple_GET_ITEM(a->args, number));
}

static PyObject *
take_step(PyObject *object, int is_attribute, const TextRange *name,
          Py_ssize_t number)
{
    if (!is_attribute && number >= 0) {
        /* Sequences are indexed directly, without an int object. */
        if (PySequence_Check(object)) {
            return PySequence_GetItem(object, number);
        }
        PyObject *index = PyLong_FromSsize_t(number);
        PyObject *item = index ? PyObject_GetItem(object, index) : NULL;
        Py_XDECREF(index);
        return item;
    }
    PyObject *key = range_str(name);
    if (key == NULL) {
        return NULL;
    }
    PyObject *value = is_attribute ? PyObject_GetAttr(object, key)
                                   : PyObject_GetItem(object, key);
    Py_DECREF(key);
    return value;
}

static PyObject *
field_value(Arguments *a, const TextRange *name)
{
    TextRange first, rest, step;
    int is_attribute, status;
    Py_ssize_t number;
    split_first(name, &first, &rest);
    PyObject *value = first_value(a, &first);
    while (value != NULL
           && (status = next_step(&rest, &is_attribute, &step, &number)) != 0)
    {
        PyObject *next = status < 0 ? NULL
            : take_step(value, is_attribute, &step, number);
        Py_SETREF(value, next);
    }
    return value;
}

static PyObject *
convert(PyObject *value, Py_UCS4 conversion)
{
    switch (conversion) {
    case 'r': return PyObject_Repr(value);
    case 's': return PyObject_Str(value);
    case 'a': return PyObject_ASCII(value);
    default:
        if (conversion > 32 && conversion < 127) {
            PyErr_Format(PyExc_ValueError,
                         "Unknown conversion specifier %c", (int)conversion);
        }
        else {
            PyErr_Format(PyExc_ValueError,
                         "Unknown conversion specifier \\x%x",
                         (unsigned int)conversion);
        }
        return NULL;
    }
}

/* ------------------------------------------------------------------- output */

static int
write_value(_PyUnicodeWriter *w, PyObject *value, const TextRange *spec)
{
    int (*format)(_PyUnicodeWriter *, PyObject *, PyObject *, Py_ssize_t,
                  Py_ssize_t) = NULL;
    if (PyUnicode_CheckExact(value)) {
        format = _PyUnicode_FormatAdvancedWriter;
    }
    else if (PyLong_CheckExact(value)) {
        format = _PyLong_FormatAdvancedWriter;
    }
    else if (PyFloat_CheckExact(value)) {
        format = _PyFloat_FormatAdvancedWriter;
    }
    else if (PyComplex_CheckExact(value)) {
        format = _PyComplex_FormatAdvancedWriter;
    }
    if (format != NULL) {
        return format(w, value, spec->text, spec->start, spec->end);
    }
    PyObject *spec_str = spec->start < spec->end ? range_str(spec) : NULL;
    if (spec_str == NULL && spec->start < spec->end) {
        return -1;
    }
    PyObject *text = PyObject_Format(value, spec_str);
    Py_XDECREF(spec_str);
    if (text == NULL) {
        return -1;
    }
    int status = _PyUnicodeWriter_WriteStr(w, text);
    Py_DECREF(text);
    return status;
}

static int write_format(_PyUnicodeWriter *w, TextRange input, Arguments *a,
                        int depth);

static int
write_field(_PyUnicodeWriter *w, const Field *field, Arguments *a, int depth)
{
    PyObject *value = field_value(a, &field->name);
    if (value != NULL && field->conversion) {
        Py_SETREF(value, convert(value, field->conversion));
    }
    if (value == NULL) {
        return -1;
    }
    TextRange spec = field->spec;
    PyObject *expanded = NULL;
    int status = 0;
    if (field->nested) {
        _PyUnicodeWriter inner;
        _PyUnicodeWriter_Init(&inner);
        if (write_format(&inner, spec, a, depth - 1) < 0) {
            _PyUnicodeWriter_Dealloc(&inner);
            status = -1;
        }
        else {
            expanded = _PyUnicodeWriter_Finish(&inner);
            status = expanded ? 0 : -1;
        }
        if (status == 0) {
            spec = (TextRange){expanded, 0, LENGTH(expanded)};
        }
    }
    if (status == 0) {
        status = write_value(w, value, &spec);
    }
    Py_XDECREF(expanded);
    Py_DECREF(value);
    return status;
}

static int
write_format(_PyUnicodeWriter *w, TextRange input, Arguments *a, int depth)
{
    Field field;
    int status;
    if (depth <= 0) {
        return value_error("Max string recursion exceeded");
    }
    while ((status = next_field(&input, &field)) > 0) {
        if (input.start >= input.end
            && !(field.has_field && field.literal.start < field.literal.end))
        {
            w->overallocate = 0;
        }
        if ((field.literal.start < field.literal.end
             && _PyUnicodeWriter_WriteSubstring(w, field.literal.text,
                                                field.literal.start,
                                                field.literal.end) < 0)
            || (field.has_field && write_field(w, &field, a, depth) < 0))
        {
            return -1;
        }
    }
    return status;
}

static PyObject *
format_with(PyObject *format, PyObject *args, PyObject *kwargs)
{
    if (PyUnicode_READY(format) < 0) {
        return NULL;
    }
    Arguments a = {args, kwargs, NUMBERING_OPEN, 0};
    TextRange input = {format, 0, LENGTH(format)};
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    w.overallocate = 1;
    w.min_length = LENGTH(format) + 100;
    if (write_format(&w, input, &a, 2) < 0) {
        _PyUnicodeWriter_Dealloc(&w);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&w);
}

PyObject *
_PyUnicode_method_format(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return format_with(self, args, kwargs);
}

PyObject *
_PyUnicode_method_format_map(PyObject *self, PyObject *mapping)
{
    return format_with(self, NULL, mapping);
}

/* ----------------------------------------- iterators for the _string module */

typedef struct {
    PyObject_HEAD
    PyObject *text;
    TextRange input;
} RangeIter;

static void
range_iter_dealloc(RangeIter *it)
{
    Py_XDECREF(it->text);
    PyObject_Free(it);
}

static PyObject *
range_iter_new(PyTypeObject *type, PyObject *text, TextRange input)
{
    RangeIter *it = PyObject_New(RangeIter, type);
    if (it != NULL) {
        it->text = Py_NewRef(text);
        it->input = input;
    }
    return (PyObject *)it;
}

static PyObject *
formatter_next(RangeIter *it)
{
    Field field;
    if (next_field(&it->input, &field) <= 0) {
        return NULL;
    }
    PyObject *literal = field.literal.text ? range_str(&field.literal)
                                           : _PyUnicode_NewEmpty();
    PyObject *name = NULL, *spec = NULL, *conversion = NULL, *tuple = NULL;
    if (field.has_field) {
        name = range_str(&field.name);
        spec = range_str(&field.spec);
    }
    else {
        name = Py_NewRef(Py_None);
        spec = Py_NewRef(Py_None);
    }
    conversion = field.conversion
        ? PyUnicode_FromOrdinal((int)field.conversion) : Py_NewRef(Py_None);
    if (literal && name && spec && conversion) {
        tuple = PyTuple_Pack(4, literal, name, spec, conversion);
    }
    Py_XDECREF(literal);
    Py_XDECREF(name);
    Py_XDECREF(spec);
    Py_XDECREF(conversion);
    return tuple;
}

static PyObject *
field_name_next(RangeIter *it)
{
    int is_attribute;
    TextRange name;
    Py_ssize_t number;
    if (next_step(&it->input, &is_attribute, &name, &number) <= 0) {
        return NULL;
    }
    PyObject *key = number >= 0 && !is_attribute ? PyLong_FromSsize_t(number)
                                                 : range_str(&name);
    if (key == NULL) {
        return NULL;
    }
    return Py_BuildValue("(NN)", PyBool_FromLong(is_attribute), key);
}

#define RANGE_ITER_TYPE(name, next)                 \
    {                                               \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)      \
        .tp_name = name,                            \
        .tp_basicsize = sizeof(RangeIter),          \
        .tp_dealloc = (destructor)range_iter_dealloc,   \
        .tp_getattro = PyObject_GenericGetAttr,     \
        .tp_flags = Py_TPFLAGS_DEFAULT,             \
        .tp_iter = PyObject_SelfIter,               \
        .tp_iternext = (iternextfunc)next,          \
    }

PyTypeObject _PyFormatterIter_Type =
    RANGE_ITER_TYPE("formatteriterator", formatter_next);
PyTypeObject _PyFieldNameIter_Type =
    RANGE_ITER_TYPE("fieldnameiterator", field_name_next);

static int
require_str(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        PyErr_Format(PyExc_TypeError, "expected str, got %s",
                     Py_TYPE(op)->tp_name);
        return -1;
    }
    return PyUnicode_READY(op);
}

PyObject *
_PyStrFormat_Parser(PyObject *format)
{
    if (require_str(format) < 0) {
        return NULL;
    }
    return range_iter_new(&_PyFormatterIter_Type, format,
                          (TextRange){format, 0, LENGTH(format)});
}

PyObject *
_PyStrFormat_FieldNameSplit(PyObject *field_name)
{
    if (require_str(field_name) < 0) {
        return NULL;
    }
    TextRange whole = {field_name, 0, LENGTH(field_name)}, first, rest;
    split_first(&whole, &first, &rest);
    Py_ssize_t number = range_number(&first);
    if (number == -2) {
        return NULL;
    }
    PyObject *head = number >= 0 ? PyLong_FromSsize_t(number)
                                 : range_str(&first);
    PyObject *steps = range_iter_new(&_PyFieldNameIter_Type, field_name,
                                     rest);
    if (head == NULL || steps == NULL) {
        Py_XDECREF(head);
        Py_XDECREF(steps);
        return NULL;
    }
    return Py_BuildValue("(NN)", head, steps);
}

/* The opcodes of pickles, executed. */
#include "unpickler.h"
#include "internal/int.h"
#include "internal/list.h"
#include "internal/names.h"
#include "internal/memory.h"

/* -------------------------------------------------------------------- stack */

static int
stack_error(Unpickler *self)
{
    PyErr_SetString(_PyPickle()->unpickling_error, self->n_marks > 0
                    ? "unexpected MARK found" : "unpickling stack underflow");
    return -1;
}

/* Steals obj, also on failure; NULL means that the caller has already failed. */
static int
push(Unpickler *self, PyObject *obj)
{
    if (obj == NULL) {
        return -1;
    }
    if (self->size == self->room) {
        Py_ssize_t room = Py_MAX(self->room * 2, 64);
        PyObject **stack = _PyMem_RESIZED(self->stack, PyObject *,
                                        (size_t)room);
        if (stack == NULL) {
            Py_DECREF(obj);
            PyErr_NoMemory();
            return -1;
        }
        self->stack = stack;
        self->room = room;
    }
    self->stack[self->size++] = obj;
    return 0;
}

/* New reference, or NULL with an exception. */
static PyObject *
pop(Unpickler *self)
{
    if (self->size <= self->fence) {
        stack_error(self);
        return NULL;
    }
    return self->stack[--self->size];
}

/* Releases items until `down` are left. */
static void
shrink(Unpickler *self, Py_ssize_t down)
{
    while (self->size > down) {
        Py_DECREF(self->stack[--self->size]);
    }
}

void
_PyUnpickler_ClearStack(Unpickler *self)
{
    shrink(self, 0);
    self->fence = 0;
    self->n_marks = 0;
}

/* Removes the last mark and returns its position, or -1. */
static Py_ssize_t
pop_mark(Unpickler *self)
{
    if (self->n_marks < 1) {
        PyErr_SetString(_PyPickle()->unpickling_error, "could not find MARK");
        return -1;
    }
    Py_ssize_t mark = self->marks[--self->n_marks];
    self->fence = self->n_marks > 0 ? self->marks[self->n_marks - 1] : 0;
    return mark;
}

static int
push_mark(Unpickler *self)
{
    if (self->n_marks == self->marks_room) {
        Py_ssize_t room = Py_MAX(self->marks_room * 2, 20);
        Py_ssize_t *marks = _PyMem_RESIZED(self->marks, Py_ssize_t,
                                         (size_t)room);
        if (marks == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->marks = marks;
        self->marks_room = room;
    }
    self->fence = self->marks[self->n_marks++] = self->size;
    return 0;
}

/* Removes the items from `start` on from the stack. */
static PyObject *
pop_tuple(Unpickler *self, Py_ssize_t start)
{
    if (start < self->fence) {
        stack_error(self);
        return NULL;
    }
    Py_ssize_t n = self->size - start;
    PyObject *tuple = PyTuple_New(n);
    for (Py_ssize_t i = 0; tuple != NULL && i < n; i++) {
        PyTuple_SET_ITEM(tuple, i, self->stack[start + i]);
    }
    if (tuple != NULL) {
        self->size = start;
    }
    return tuple;
}

static PyObject *
pop_list(Unpickler *self, Py_ssize_t start)
{
    Py_ssize_t n = self->size - start;
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list != NULL && i < n; i++) {
        PyList_SET_ITEM(list, i, self->stack[start + i]);
    }
    if (list != NULL) {
        self->size = start;
    }
    return list;
}

/* --------------------------------------------------------------------- memo */

int
_PyUnpickler_MemoPut(Unpickler *self, size_t number, PyObject *obj)
{
    if (number >= self->memo_room) {
        size_t room = self->memo_room;
        if (number > (size_t)PY_SSIZE_T_MAX / sizeof(PyObject *) / 2) {
            Py_DECREF(obj);
            PyErr_NoMemory();
            return -1;
        }
        size_t wanted = Py_MAX(number * 2, 32);
        PyObject **memo = _PyMem_RESIZED(self->memo, PyObject *, wanted);
        if (memo == NULL) {
            Py_DECREF(obj);
            PyErr_NoMemory();
            return -1;
        }
        memset(memo + room, 0, (wanted - room) * sizeof(PyObject *));
        self->memo = memo;
        self->memo_room = wanted;
    }
    PyObject *old = self->memo[number];
    self->memo[number] = obj;
    if (old == NULL) {
        self->memo_used++;
    }
    Py_XDECREF(old);
    return 0;
}

static int
put_top(Unpickler *self, size_t number)
{
    if (self->size <= self->fence) {
        return stack_error(self);
    }
    return _PyUnpickler_MemoPut(self, number,
                                Py_NewRef(self->stack[self->size - 1]));
}

static int
get_memo(Unpickler *self, size_t number)
{
    PyObject *obj = number < self->memo_room ? self->memo[number] : NULL;
    if (obj == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(_PyPickle()->unpickling_error,
                         "Memo value not found at index %zd",
                         (Py_ssize_t)number);
        }
        return -1;
    }
    return push(self, Py_NewRef(obj));
}

/* The argument of an opcode of protocol 0: a line of at least one character and a
   newline. Returns its length, or -1 with an exception. */
static Py_ssize_t
read_argument_line(Unpickler *self, char **line)
{
    Py_ssize_t n = _PyUnpickler_ReadLine(self, line);
    if (n >= 0 && n < 2) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "pickle data was truncated");
        return -1;
    }
    return n;
}

/* -1, perhaps with an exception. */
static Py_ssize_t
number_in(const char *line)
{
    PyObject *number = PyLong_FromString(line, NULL, 10);
    if (number == NULL) {
        return -1;
    }
    Py_ssize_t value = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    return value;
}

static int
load_get(Unpickler *self)
{
    char *line;
    if (read_argument_line(self, &line) < 0) {
        return -1;
    }
    Py_ssize_t number = number_in(line);
    if (number == -1 && PyErr_Occurred()) {
        return -1;
    }
    return get_memo(self, (size_t)number);
}

static int
load_put(Unpickler *self)
{
    char *line;
    if (read_argument_line(self, &line) < 0) {
        return -1;
    }
    if (self->size <= self->fence) {
        return stack_error(self);
    }
    Py_ssize_t number = number_in(line);
    if (number < 0) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "negative PUT argument");
        }
        return -1;
    }
    return put_top(self, (size_t)number);
}

/* ------------------------------------------------------------------ numbers */

static int
load_int(Unpickler *self)
{
    char *line, *end;
    Py_ssize_t n = read_argument_line(self, &line);
    if (n < 0) {
        return -1;
    }
    errno = 0;
    long value = strtol(line, &end, 0);
    if (errno || *end != '\n' || end[1] != '\0') {
        errno = 0;
        PyObject *number = PyLong_FromString(line, NULL, 0);
        if (number == NULL) {
            PyErr_SetString(PyExc_ValueError, "could not convert string to int");
        }
        return push(self, number);
    }
    /* Protocols without booleans write True and False as "01" and "00". */
    if (n == 3 && (value == 0 || value == 1)) {
        return push(self, PyBool_FromLong(value));
    }
    return push(self, PyLong_FromLong(value));
}

static int
load_long(Unpickler *self)
{
    char *line;
    Py_ssize_t n = read_argument_line(self, &line);
    if (n < 0) {
        return -1;
    }
    if (line[n - 2] == 'L') {
        line[n - 2] = '\0';
    }
    return push(self, PyLong_FromString(line, NULL, 0));
}

static inline __attribute__((always_inline)) int
load_binint(Unpickler *self, int bytes)
{
    const char *p = read_bytes(self, bytes);
    if (p == NULL) {
        return -1;
    }
    uint64_t bits = load_le(p, bytes);
    return push(self, _PyLong_FromInt64(bytes == 4 ? (int32_t)bits : (int64_t)bits));
}

/* How many bytes of a long follow; -1 with an exception. Four bytes are signed, here only. */
static Py_ssize_t
read_count_of_long(Unpickler *self, int length_bytes)
{
    const char *p = read_bytes(self, length_bytes);
    if (p == NULL) {
        return -1;
    }
    uint64_t bits = load_le(p, length_bytes);
    Py_ssize_t n = length_bytes == 4 ? (int32_t)bits : (Py_ssize_t)bits;
    if (n < 0) {
        PyErr_Format(_PyPickle()->unpickling_error, "LONG pickle has negative byte count");
        return -1;
    }
    return n;
}

static int
load_counted_long(Unpickler *self, int length_bytes)
{
    Py_ssize_t n = read_count_of_long(self, length_bytes);
    if (n < 0) {
        return -1;
    }
    if (n == 0) {
        return push(self, PyLong_FromLong(0));
    }
    const char *p = read_bytes(self, n);
    return p == NULL ? -1
        : push(self, _PyLong_FromByteArray((const unsigned char *)p,
                                           (size_t)n, 1, 1));
}

static int
load_float(Unpickler *self)
{
    char *line, *end;
    Py_ssize_t n = read_argument_line(self, &line);
    if (n < 0) {
        return -1;
    }
    errno = 0;
    double value = PyOS_string_to_double(line, &end, PyExc_OverflowError);
    if (value == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    if (end[0] != '\n' && end[0] != '\0') {
        PyErr_SetString(PyExc_ValueError,
                        "could not convert string to float");
        return -1;
    }
    return push(self, PyFloat_FromDouble(value));
}

static int
load_binfloat(Unpickler *self)
{
    const char *p = read_bytes(self, 8);
    if (p == NULL) {
        return -1;
    }
    double value = PyFloat_Unpack8(p, 0);
    if (value == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    return push(self, PyFloat_FromDouble(value));
}

/* ----------------------------------------------------------- bytes and text */

/* A length of 1, 4 or 8 bytes; -1 with an exception. */
static Py_ssize_t
read_length(Unpickler *self, int bytes, const char *what)
{
    const char *p = read_bytes(self, bytes);
    if (p == NULL) {
        return -1;
    }
    uint64_t length = load_le(p, bytes);
    if (length > (uint64_t)PY_SSIZE_T_MAX) {
        PyErr_Format(PyExc_OverflowError,
                     "%s exceeds system's maximum size of %zd bytes", what,
                     PY_SSIZE_T_MAX);
        return -1;
    }
    return (Py_ssize_t)length;
}

/* The type that Python 2 called str. */
static PyObject *
old_str(Unpickler *self, const char *data, Py_ssize_t n)
{
    return strcmp(self->encoding, "bytes") == 0
        ? PyBytes_FromStringAndSize(data, n)
        : PyUnicode_Decode(data, n, self->encoding, self->errors);
}

static int
load_string(Unpickler *self)
{
    char *p;
    Py_ssize_t n = _PyUnpickler_ReadLine(self, &p);
    if (n < 0) {
        return -1;
    }
    n--;                                /* the newline */
    if (n < 2 || p[0] != p[n - 1] || (p[0] != '\'' && p[0] != '"')) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "the STRING opcode argument must be quoted");
        return -1;
    }
    PyObject *bytes = PyBytes_DecodeEscape(p + 1, n - 2, NULL, 0, NULL);
    if (bytes == NULL) {
        return -1;
    }
    if (strcmp(self->encoding, "bytes") == 0) {
        return push(self, bytes);
    }
    PyObject *str = PyUnicode_FromEncodedObject(bytes, self->encoding,
                                                self->errors);
    Py_DECREF(bytes);
    return push(self, str);
}

static int
load_binstring(Unpickler *self, int length_bytes)
{
    Py_ssize_t n = read_length(self, length_bytes, "BINSTRING");
    const char *p = n < 0 ? NULL : read_bytes(self, n);
    return p == NULL ? -1 : push(self, old_str(self, p, n));
}

static int
load_binbytes(Unpickler *self, int length_bytes)
{
    Py_ssize_t n = read_length(self, length_bytes, "BINBYTES");
    PyObject *bytes = n < 0 ? NULL : PyBytes_FromStringAndSize(NULL, n);
    if (bytes == NULL) {
        return -1;
    }
    if (_PyUnpickler_ReadInto(self, PyBytes_AS_STRING(bytes), n) < 0) {
        Py_DECREF(bytes);
        return -1;
    }
    return push(self, bytes);
}

static int
load_bytearray(Unpickler *self)
{
    Py_ssize_t n = read_length(self, 8, "BYTEARRAY8");
    PyObject *bytes = n < 0 ? NULL : PyByteArray_FromStringAndSize(NULL, n);
    if (bytes == NULL) {
        return -1;
    }
    if (_PyUnpickler_ReadInto(self, PyByteArray_AS_STRING(bytes), n) < 0) {
        Py_DECREF(bytes);
        return -1;
    }
    return push(self, bytes);
}

static int
load_unicode(Unpickler *self)
{
    char *line;
    Py_ssize_t n = _PyUnpickler_ReadLine(self, &line);
    if (n < 0) {
        return -1;
    }
    return push(self, PyUnicode_DecodeRawUnicodeEscape(line, n - 1, NULL));
}

static int
load_binunicode(Unpickler *self, int length_bytes)
{
    Py_ssize_t n = read_length(self, length_bytes, "BINUNICODE");
    const char *p = n < 0 ? NULL : read_bytes(self, n);
    return p == NULL ? -1
        : push(self, PyUnicode_DecodeUTF8(p, n, "surrogatepass"));
}

static int
load_next_buffer(Unpickler *self)
{
    if (self->buffers == NULL) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "pickle stream refers to out-of-band data "
                        "but no *buffers* argument was given");
        return -1;
    }
    PyObject *buffer = PyIter_Next(self->buffers);
    if (buffer == NULL && !PyErr_Occurred()) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "not enough out-of-band buffers");
    }
    return push(self, buffer);
}

static int
load_readonly_buffer(Unpickler *self)
{
    if (self->size <= self->fence) {
        return stack_error(self);
    }
    PyObject **top = &self->stack[self->size - 1];
    PyObject *view = PyMemoryView_FromObject(*top);
    if (view == NULL) {
        return -1;
    }
    if (!PyMemoryView_GET_BUFFER(view)->readonly) {
        PyObject *readonly = PyObject_CallMethod(view, "toreadonly", NULL);
        if (readonly == NULL) {
            Py_DECREF(view);
            return -1;
        }
        Py_SETREF(*top, readonly);
    }
    Py_DECREF(view);
    return 0;
}

/* --------------------------------------------------------------- containers */

static int
load_counted_tuple(Unpickler *self, Py_ssize_t n)
{
    if (self->size < n) {
        return stack_error(self);
    }
    return push(self, pop_tuple(self, self->size - n));
}

static int
load_tuple(Unpickler *self)
{
    Py_ssize_t mark = pop_mark(self);
    return mark < 0 ? -1 : load_counted_tuple(self, self->size - mark);
}

static int
load_list(Unpickler *self)
{
    Py_ssize_t mark = pop_mark(self);
    return mark < 0 ? -1 : push(self, pop_list(self, mark));
}

static int
load_dict(Unpickler *self)
{
    Py_ssize_t mark = pop_mark(self);
    if (mark < 0) {
        return -1;
    }
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return -1;
    }
    if ((self->size - mark) % 2 != 0) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "odd number of items for DICT");
        Py_DECREF(dict);
        return -1;
    }
    for (Py_ssize_t i = mark + 1; i < self->size; i += 2) {
        if (PyDict_SetItem(dict, self->stack[i - 1], self->stack[i]) < 0) {
            Py_DECREF(dict);
            return -1;
        }
    }
    shrink(self, mark);
    return push(self, dict);
}

static int
load_frozenset(Unpickler *self)
{
    Py_ssize_t mark = pop_mark(self);
    PyObject *items = mark < 0 ? NULL : pop_tuple(self, mark);
    if (items == NULL) {
        return -1;
    }
    PyObject *set = PyFrozenSet_New(items);
    Py_DECREF(items);
    return push(self, set);
}

/* Checks that below the items from `start` on there is an object that they can be added
   to. Returns a borrowed reference, or NULL. */
static PyObject *
target_below(Unpickler *self, Py_ssize_t start)
{
    if (start > self->size || start <= self->fence) {
        stack_error(self);
        return NULL;
    }
    return self->stack[start - 1];
}

static int
append_items(Unpickler *self, Py_ssize_t start)
{
    PyObject *list = target_below(self, start), *func;
    if (list == NULL) {
        return -1;
    }
    if (self->size == start) {
        return 0;
    }
    if (PyList_CheckExact(list)) {
        if (_PyList_ExtendArraySteal((PyListObject *)list, self->stack + start,
                                     self->size - start) < 0) {
            return -1;
        }
        self->size = start;
        return 0;
    }
    int found = _PyObject_LookupAttr(list, _Py_NAME(extend), &func);
    if (found < 0) {
        return -1;
    }
    if (func != NULL) {
        PyObject *items = pop_list(self, start), *result = NULL;
        if (items != NULL) {
            result = PyObject_CallOneArg(func, items);
            Py_DECREF(items);
        }
        Py_DECREF(func);
        Py_XDECREF(result);
        return result == NULL ? -1 : 0;
    }
    /* Older classes have only append(). */
    func = PyObject_GetAttrString(list, "append");
    if (func == NULL) {
        return -1;
    }
    for (Py_ssize_t i = start; i < self->size; i++) {
        PyObject *result = PyObject_CallOneArg(func, self->stack[i]);
        if (result == NULL) {
            shrink(self, start);
            Py_DECREF(func);
            return -1;
        }
        Py_DECREF(result);
    }
    shrink(self, start);
    Py_DECREF(func);
    return 0;
}

static int
set_items(Unpickler *self, Py_ssize_t start)
{
    PyObject *dict = target_below(self, start);
    if (dict == NULL) {
        return -1;
    }
    if ((self->size - start) % 2 != 0) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "odd number of items for SETITEMS");
        return -1;
    }
    int exact = PyDict_CheckExact(dict), result = 0;
    for (Py_ssize_t i = start + 1; result == 0 && i < self->size; i += 2) {
        PyObject *key = self->stack[i - 1], *value = self->stack[i];
        result = exact ? PyDict_SetItem(dict, key, value)
                       : PyObject_SetItem(dict, key, value);
    }
    shrink(self, start);
    return result;
}

static int
load_additems(Unpickler *self)
{
    Py_ssize_t start = pop_mark(self);
    PyObject *set = start < 0 ? NULL : target_below(self, start);
    if (set == NULL) {
        return -1;
    }
    if (self->size == start) {
        return 0;
    }
    if (PySet_Check(set)) {
        PyObject *items = pop_tuple(self, start);
        if (items == NULL) {
            return -1;
        }
        int result = _PySet_Update(set, items);
        Py_DECREF(items);
        return result;
    }
    PyObject *add = PyObject_GetAttrString(set, "add");
    if (add == NULL) {
        return -1;
    }
    int failed = 0;
    for (Py_ssize_t i = start; !failed && i < self->size; i++) {
        PyObject *result = PyObject_CallOneArg(add, self->stack[i]);
        failed = result == NULL;
        Py_XDECREF(result);
    }
    shrink(self, start);
    Py_DECREF(add);
    return failed ? -1 : 0;
}

/* ------------------------------------------------------------------ objects */

static PyObject *
find_class(Unpickler *self, PyObject *module_name, PyObject *name)
{
    if (Py_IS_TYPE(self, &_PyUnpickler_Type)) {
        return _PyUnpickler_FindClass(self, module_name, name);
    }
    return PyObject_CallMethod((PyObject *)self, "find_class", "OO",
                               module_name, name);
}

/* A name on a line of its own. New reference. */
static PyObject *
read_name(Unpickler *self, int utf8)
{
    char *line;
    Py_ssize_t n = read_argument_line(self, &line);
    if (n < 0) {
        return NULL;
    }
    return utf8 ? PyUnicode_DecodeUTF8(line, n - 1, "strict")
                : PyUnicode_DecodeASCII(line, n - 1, "strict");
}

/* The global that two lines name. New reference. */
static PyObject *
read_global(Unpickler *self, int utf8)
{
    PyObject *module_name = read_name(self, utf8), *name, *obj = NULL;
    if (module_name == NULL) {
        return NULL;
    }
    name = read_name(self, utf8);
    if (name != NULL) {
        obj = find_class(self, module_name, name);
        Py_DECREF(name);
    }
    Py_DECREF(module_name);
    return obj;
}

static int
load_stack_global(Unpickler *self)
{
    PyObject *name = pop(self);
    PyObject *module_name = name == NULL ? NULL : pop(self), *obj = NULL;
    if (module_name != NULL && PyUnicode_CheckExact(name) && PyUnicode_CheckExact(module_name)) {
        obj = find_class(self, module_name, name);
    }
    else {
        /* Also in place of the error of an empty stack. */
        PyErr_SetString(_PyPickle()->unpickling_error, "STACK_GLOBAL requires str");
    }
    Py_XDECREF(name);
    Py_XDECREF(module_name);
    return push(self, obj);
}

/* cls(*args), in the way that Python 2 created instances. */
static PyObject *
instantiate(PyObject *cls, PyObject *args)
{
    if (PyTuple_GET_SIZE(args) == 0 && PyType_Check(cls)) {
        PyObject *name = PyUnicode_InternFromString("__getinitargs__");
        PyObject *func;
        if (name == NULL) {
            return NULL;
        }
        int found = _PyObject_LookupAttr(cls, name, &func);
        Py_DECREF(name);
        if (found < 0) {
            return NULL;
        }
        if (found == 0) {
            return PyObject_CallMethod(cls, "__new__", "O", cls);
        }
        Py_DECREF(func);
    }
    return PyObject_CallObject(cls, args);
}

static int
load_obj(Unpickler *self)
{
    Py_ssize_t mark = pop_mark(self);
    if (mark < 0) {
        return -1;
    }
    if (self->size - mark < 1) {
        return stack_error(self);
    }
    PyObject *args = pop_tuple(self, mark + 1), *obj = NULL;
    PyObject *cls = args == NULL ? NULL : pop(self);
    if (cls != NULL) {
        obj = instantiate(cls, args);
        Py_DECREF(cls);
    }
    Py_XDECREF(args);
    return push(self, obj);
}

static int
load_inst(Unpickler *self)
{
    Py_ssize_t mark = pop_mark(self);
    PyObject *cls = mark < 0 ? NULL : read_global(self, 0), *obj = NULL;
    if (cls == NULL) {
        return -1;
    }
    PyObject *args = pop_tuple(self, mark);
    if (args != NULL) {
        obj = instantiate(cls, args);
        Py_DECREF(args);
    }
    Py_DECREF(cls);
    return push(self, obj);
}

static int
load_newobj(Unpickler *self, int with_keywords)
{
    const char *op = with_keywords ? "NEWOBJ_EX" : "NEWOBJ";
    PyObject *error = _PyPickle()->unpickling_error, *obj = NULL;
    PyObject *kwargs = NULL, *args = NULL, *cls = NULL;
    if (with_keywords && (kwargs = pop(self)) == NULL) {
        return -1;
    }
    args = pop(self);
    cls = args == NULL ? NULL : pop(self);
    if (cls == NULL) {
        goto done;
    }
    if (!PyType_Check(cls)) {
        PyErr_Format(error, "%s class argument must be a type, not %.200s",
                     op, Py_TYPE(cls)->tp_name);
    }
    else if (((PyTypeObject *)cls)->tp_new == NULL) {
        PyErr_Format(error, "%s class argument '%.200s' doesn't have "
                     "__new__", op, ((PyTypeObject *)cls)->tp_name);
    }
    else if (!PyTuple_Check(args)) {
        PyErr_Format(error, "%s args argument must be a tuple, not %.200s",
                     op, Py_TYPE(args)->tp_name);
    }
    else if (with_keywords && !PyDict_Check(kwargs)) {
        PyErr_Format(error, "%s kwargs argument must be a dict, not %.200s",
                     op, Py_TYPE(kwargs)->tp_name);
    }
    else {
        obj = ((PyTypeObject *)cls)->tp_new((PyTypeObject *)cls, args,
                                            kwargs);
    }
done:
    Py_XDECREF(kwargs);
    Py_XDECREF(args);
    Py_XDECREF(cls);
    return push(self, obj);
}

static int
load_reduce(Unpickler *self)
{
    PyObject *args = pop(self), *obj = NULL;
    PyObject *func = args == NULL ? NULL : pop(self);
    if (func != NULL) {
        obj = PyObject_CallObject(func, args);
        Py_DECREF(func);
    }
    Py_XDECREF(args);
    return push(self, obj);
}

/* inst.__dict__.update(state), with interned names. */
static int
update_dict(PyObject *inst, PyObject *state)
{
    if (!PyDict_Check(state)) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "state is not a dictionary");
        return -1;
    }
    PyObject *dict = PyObject_GetAttr(inst, _Py_NAME(dunder_dict));
    if (dict == NULL) {
        return -1;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    int result = 0;
    while (result == 0 && PyDict_Next(state, &pos, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        if (PyUnicode_CheckExact(key)) {
            PyUnicode_InternInPlace(&key);
        }
        result = PyObject_SetItem(dict, key, value);
        Py_DECREF(key);
        Py_DECREF(value);
    }
    Py_DECREF(dict);
    return result;
}

static int
set_slots(PyObject *inst, PyObject *state)
{
    if (!PyDict_Check(state)) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "slot state is not a dictionary");
        return -1;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    while (PyDict_Next(state, &pos, &key, &value)) {
        if (PyObject_SetAttr(inst, key, value) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
build(PyObject *inst, PyObject *state)
{
    PyObject *func;
    int found = _PyObject_LookupAttr(inst, _Py_NAME(dunder_setstate), &func);
    if (found < 0) {
        return -1;
    }
    if (found > 0) {
        PyObject *result = PyObject_CallOneArg(func, state);
        Py_DECREF(func);
        Py_XDECREF(result);
        return result == NULL ? -1 : 0;
    }
    PyObject *slots = NULL;
    if (PyTuple_Check(state) && PyTuple_GET_SIZE(state) == 2) {
        slots = PyTuple_GET_ITEM(state, 1);
        state = PyTuple_GET_ITEM(state, 0);
    }
    if (state != Py_None && update_dict(inst, state) < 0) {
        return -1;
    }
    return slots == NULL ? 0 : set_slots(inst, slots);
}

static int
load_build(Unpickler *self)
{
    if (self->size - 2 < self->fence) {
        return stack_error(self);
    }
    PyObject *state = pop(self);
    int result = build(self->stack[self->size - 1], state);
    Py_DECREF(state);
    return result;
}

/* -------------------------------------------- persistent ids and extensions */

static int
push_persistent(Unpickler *self, PyObject *id)
{
    PyObject *obj = NULL;
    if (id != NULL) {
        obj = _PyPickle_CallMethod(&self->persistent_load, id);
        Py_DECREF(id);
    }
    return push(self, obj);
}

static int
no_persistent_load(void)
{
    PyErr_SetString(_PyPickle()->unpickling_error,
                    "A load persistent id instruction was encountered,\n"
                    "but no persistent_load function was specified.");
    return -1;
}

static int
load_persid(Unpickler *self)
{
    if (self->persistent_load.func == NULL) {
        return no_persistent_load();
    }
    char *line;
    Py_ssize_t n = _PyUnpickler_ReadLine(self, &line);
    if (n < 0) {
        return -1;
    }
    PyObject *id = PyUnicode_DecodeASCII(line, n - 1, "strict");
    if (id == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "persistent IDs in protocol 0 must be ASCII strings");
    }
    return push_persistent(self, id);
}

static int
load_binpersid(Unpickler *self)
{
    return self->persistent_load.func == NULL ? no_persistent_load()
        : push_persistent(self, pop(self));
}

static int
load_extension(Unpickler *self, int bytes)
{
    const char *p = read_bytes(self, bytes);
    if (p == NULL) {
        return -1;
    }
    uint64_t bits = load_le(p, bytes);
    long code = bytes == 4 ? (int32_t)bits : (long)bits;
    if (code <= 0) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "EXT specifies code <= 0");
        return -1;
    }
    PyObject *key = PyLong_FromLong(code), *obj, *pair;
    if (key == NULL) {
        return -1;
    }
    obj = PyDict_GetItemWithError(_PyPickle()->extension_cache, key);
    if (obj != NULL || PyErr_Occurred()) {
        Py_DECREF(key);
        return push(self, Py_XNewRef(obj));
    }
    pair = PyDict_GetItemWithError(_PyPickle()->inverted_registry, key);
    if (pair == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_ValueError, "unregistered extension code %ld",
                         code);
        }
    }
    else if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2
             || !PyUnicode_Check(PyTuple_GET_ITEM(pair, 0))
             || !PyUnicode_Check(PyTuple_GET_ITEM(pair, 1))) {
        PyErr_Format(PyExc_ValueError, "_inverted_registry[%ld] isn't a "
                     "2-tuple of strings", code);
    }
    else {
        obj = find_class(self, PyTuple_GET_ITEM(pair, 0),
                         PyTuple_GET_ITEM(pair, 1));
        if (obj != NULL
            && PyDict_SetItem(_PyPickle()->extension_cache, key, obj) < 0) {
            Py_CLEAR(obj);
        }
    }
    Py_DECREF(key);
    return push(self, obj);
}

/* --------------------------------------------------------------------- rest */

static int
load_pop(Unpickler *self)
{
    /* The item to remove may be the mark itself. */
    if (self->n_marks > 0 && self->marks[self->n_marks - 1] == self->size) {
        return pop_mark(self) < 0 ? -1 : 0;
    }
    PyObject *obj = pop(self);
    Py_XDECREF(obj);
    return obj == NULL ? -1 : 0;
}

static int
load_pop_mark(Unpickler *self)
{
    Py_ssize_t mark = pop_mark(self);
    if (mark < 0) {
        return -1;
    }
    shrink(self, mark);
    return 0;
}

static int
load_dup(Unpickler *self)
{
    return self->size <= self->fence ? stack_error(self)
        : push(self, Py_NewRef(self->stack[self->size - 1]));
}

static int
load_proto(Unpickler *self)
{
    const char *p = read_bytes(self, 1);
    if (p == NULL) {
        return -1;
    }
    int proto = (unsigned char)*p;
    if (proto > HIGHEST_PROTOCOL) {
        PyErr_Format(PyExc_ValueError, "unsupported pickle protocol: %d",
                     proto);
        return -1;
    }
    self->proto = proto;
    return 0;
}

/* A frame only says how much may be read at once. */
static int
load_frame(Unpickler *self)
{
    const char *p = read_bytes(self, 8);
    if (p == NULL) {
        return -1;
    }
    uint64_t length = load_le(p, 8);
    if (length > (uint64_t)PY_SSIZE_T_MAX) {
        PyErr_Format(PyExc_OverflowError,
                     "FRAME length exceeds system's maximum of %zd bytes",
                     PY_SSIZE_T_MAX);
        return -1;
    }
    if (read_bytes(self, (Py_ssize_t)length) == NULL) {
        return -1;
    }
    self->next -= (Py_ssize_t)length;
    return 0;
}

static int
bad_opcode(unsigned char op)
{
    if (op >= 0x20 && op <= 0x7e && op != '\'' && op != '\\') {
        PyErr_Format(_PyPickle()->unpickling_error, "invalid load key, '%c'.",
                     op);
    }
    else {
        PyErr_Format(_PyPickle()->unpickling_error,
                     "invalid load key, '\\x%02x'.", op);
    }
    return -1;
}

/* Reads `bytes` bytes as a number and gives it to a function. */
static int
with_number(Unpickler *self, int bytes, int (*use)(Unpickler *, size_t))
{
    const char *p = read_bytes(self, bytes);
    return p == NULL ? -1 : use(self, (size_t)load_le(p, bytes));
}

static int
execute(Unpickler *self, unsigned char op)
{
    Py_ssize_t mark;
    switch (op) {
    case NONE: return push(self, Py_NewRef(Py_None));
    case NEWTRUE: return push(self, Py_NewRef(Py_True));
    case NEWFALSE: return push(self, Py_NewRef(Py_False));
    case BININT: return load_binint(self, 4);
    case BININT1: return load_binint(self, 1);
    case BININT2: return load_binint(self, 2);
    case INT: return load_int(self);
    case LONG: return load_long(self);
    case LONG1: return load_counted_long(self, 1);
    case LONG4: return load_counted_long(self, 4);
    case FLOAT: return load_float(self);
    case BINFLOAT: return load_binfloat(self);
    case SHORT_BINBYTES: return load_binbytes(self, 1);
    case BINBYTES: return load_binbytes(self, 4);
    case BINBYTES8: return load_binbytes(self, 8);
    case BYTEARRAY8: return load_bytearray(self);
    case NEXT_BUFFER: return load_next_buffer(self);
    case READONLY_BUFFER: return load_readonly_buffer(self);
    case SHORT_BINSTRING: return load_binstring(self, 1);
    case BINSTRING: return load_binstring(self, 4);
    case STRING: return load_string(self);
    case UNICODE: return load_unicode(self);
    case SHORT_BINUNICODE: return load_binunicode(self, 1);
    case BINUNICODE: return load_binunicode(self, 4);
    case BINUNICODE8: return load_binunicode(self, 8);
    case EMPTY_TUPLE: return load_counted_tuple(self, 0);
    case TUPLE1: return load_counted_tuple(self, 1);
    case TUPLE2: return load_counted_tuple(self, 2);
    case TUPLE3: return load_counted_tuple(self, 3);
    case TUPLE: return load_tuple(self);
    case EMPTY_LIST: return push(self, PyList_New(0));
    case LIST: return load_list(self);
    case EMPTY_DICT: return push(self, PyDict_New());
    case DICT: return load_dict(self);
    case EMPTY_SET: return push(self, PySet_New(NULL));
    case ADDITEMS: return load_additems(self);
    case FROZENSET: return load_frozenset(self);
    case OBJ: return load_obj(self);
    case INST: return load_inst(self);
    case NEWOBJ: return load_newobj(self, 0);
    case NEWOBJ_EX: return load_newobj(self, 1);
    case GLOBAL: return push(self, read_global(self, 1));
    case STACK_GLOBAL: return load_stack_global(self);
    case APPEND: return append_items(self, self->size - 1);
    case APPENDS:
        mark = pop_mark(self);
        return mark < 0 ? -1 : append_items(self, mark);
    case SETITEM: return set_items(self, self->size - 2);
    case SETITEMS:
        mark = pop_mark(self);
        return mark < 0 ? -1 : set_items(self, mark);
    case BUILD: return load_build(self);
    case DUP: return load_dup(self);
    case BINGET: return with_number(self, 1, get_memo);
    case LONG_BINGET: return with_number(self, 4, get_memo);
    case GET: return load_get(self);
    case MARK: return push_mark(self);
    case BINPUT: return with_number(self, 1, put_top);
    case LONG_BINPUT: return with_number(self, 4, put_top);
    case PUT: return load_put(self);
    case MEMOIZE: return put_top(self, self->memo_used);
    case POP: return load_pop(self);
    case POP_MARK: return load_pop_mark(self);
    case EXT1: return load_extension(self, 1);
    case EXT2: return load_extension(self, 2);
    case EXT4: return load_extension(self, 4);
    case REDUCE: return load_reduce(self);
    case PROTO: return load_proto(self);
    case FRAME: return load_frame(self);
    case PERSID: return load_persid(self);
    case BINPERSID: return load_binpersid(self);
    default: return bad_opcode(op);
    }
}

PyObject *
_PyUnpickler_Run(Unpickler *self)
{
    _PyUnpickler_ClearStack(self);
    self->proto = 0;
    for (;;) {
        const char *p = read_bytes(self, 1);
        if (p == NULL) {
            if (PyErr_ExceptionMatches(_PyPickle()->unpickling_error)) {
                PyErr_Format(PyExc_EOFError, "Ran out of input");
            }
            return NULL;
        }
        if (*p == STOP) {
            break;
        }
        if (execute(self, (unsigned char)*p) < 0) {
            return NULL;
        }
    }
    return _PyUnpickler_Finish(self) < 0 ? NULL : pop(self);
}

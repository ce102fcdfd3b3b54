/* C values to objects: Py_BuildValue() and its family, and PyModule_Add*().

   A reference passed as "N" is consumed even on failure: after an error the rest of the
   format is still read, and objects passed as "N" are released. */
#include "Python.h"
#include "internal/call.h"

#define FLAG_SIZE_T 1

static PyObject *make_value(const char **format, va_list *va, int flags);

/* The number of values up to `end`, or -1 with SystemError. */
static Py_ssize_t
count_values(const char *format, char end)
{
    Py_ssize_t count = 0;
    int level = 0;
    while (level > 0 || *format != end) {
        switch (*format) {
        case '\0':
            PyErr_SetString(PyExc_SystemError, "unmatched paren in format");
            return -1;
        case '(': case '[': case '{':
            if (level == 0) {
                count++;
            }
            level++;
            break;
        case ')': case ']': case '}':
            level--;
            break;
        case '#': case '&': case ',': case ':': case ' ': case '\t':
            break;
        default:
            if (level == 0) {
                count++;
            }
        }
        format++;
    }
    return count;
}

/* --------------------------------------------------------------- containers */

/* Reads values into `array`. On error, all values are still read, and released. */
static int
make_values(const char **format, va_list *va, PyObject **array,
            Py_ssize_t count, int flags)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    int failed = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        array[i] = make_value(format, va, flags);
        if (array[i] == NULL && !failed) {
            failed = 1;
            PyErr_Fetch(&type, &value, &traceback);
        }
        else if (array[i] == NULL) {
            PyErr_Clear();
        }
    }
    if (failed) {
        for (Py_ssize_t i = 0; i < count; i++) {
            Py_XDECREF(array[i]);
        }
        PyErr_Restore(type, value, traceback);
        return -1;
    }
    return 0;
}

static int
skip_end(const char **format, char end)
{
    if (**format != end) {
        PyErr_SetString(PyExc_SystemError, "Unmatched paren in format");
        return -1;
    }
    if (end != '\0') {
        ++*format;
    }
    return 0;
}

static PyObject *
make_tuple(const char **format, va_list *va, char end, Py_ssize_t count,
           int flags)
{
    if (count < 0) {
        return NULL;
    }
    PyObject *small[8];
    PyObject **array = small;
    if (count > (Py_ssize_t)Py_ARRAY_LENGTH(small)) {
        array = PyMem_New(PyObject *, count);
        if (array == NULL) {
            return PyErr_NoMemory();
        }
    }
    PyObject *tuple = NULL;
    if (make_values(format, va, array, count, flags) == 0) {
        tuple = PyTuple_New(count);
        for (Py_ssize_t i = 0; i < count; i++) {
            if (tuple != NULL) {
                PyTuple_SET_ITEM(tuple, i, array[i]);
            }
            else {
                Py_DECREF(array[i]);
            }
        }
    }
    if (array != small) {
        PyMem_Free(array);
    }
    if (tuple != NULL && skip_end(format, end) < 0) {
        Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *
make_list(const char **format, va_list *va, char end, Py_ssize_t count,
          int flags)
{
    PyObject *tuple = make_tuple(format, va, end, count, flags);
    if (tuple == NULL) {
        return NULL;
    }
    PyObject *list = PySequence_List(tuple);
    Py_DECREF(tuple);
    return list;
}

static PyObject *
make_dict(const char **format, va_list *va, char end, Py_ssize_t count,
          int flags)
{
    PyObject *tuple = make_tuple(format, va, end, count, flags);
    if (tuple == NULL) {
        return NULL;
    }
    PyObject *dict = NULL;
    if (count % 2 != 0) {
        PyErr_SetString(PyExc_SystemError, "Bad dict format");
    }
    else {
        dict = PyDict_New();
    }
    for (Py_ssize_t i = 0; dict != NULL && i < count; i += 2) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(tuple, i),
                           PyTuple_GET_ITEM(tuple, i + 1)) < 0) {
            Py_CLEAR(dict);
        }
    }
    Py_DECREF(tuple);
    return dict;
}

/* ------------------------------------------------------------ single values */

/* "#" after s, y, u: the next argument is the length. -1: there is none, or an error. */
static int
read_length(const char **format, va_list *va, int flags, Py_ssize_t *length)
{
    *length = -1;
    if (**format != '#') {
        return 0;
    }
    ++*format;
    if (!(flags & FLAG_SIZE_T)) {
        PyErr_SetString(PyExc_SystemError,
                        "PY_SSIZE_T_CLEAN macro must be defined for '#' "
                        "formats");
        return -1;
    }
    *length = va_arg(*va, Py_ssize_t);
    return 0;
}

static PyObject *
make_text(char kind, const char **format, va_list *va, int flags)
{
    const char *text = va_arg(*va, const char *);
    Py_ssize_t length;
    if (read_length(format, va, flags, &length) < 0) {
        return NULL;
    }
    if (text == NULL) {
        Py_RETURN_NONE;
    }
    if (length < 0) {
        size_t size = strlen(text);
        if (size > PY_SSIZE_T_MAX) {
            PyErr_SetString(PyExc_OverflowError,
                            kind == 'y'
                            ? "string too long for Python bytes"
                            : "string too long for Python string");
            return NULL;
        }
        length = (Py_ssize_t)size;
    }
    return kind == 'y' ? PyBytes_FromStringAndSize(text, length)
                       : PyUnicode_FromStringAndSize(text, length);
}

static PyObject *
make_wide(const char **format, va_list *va, int flags)
{
    const wchar_t *text = va_arg(*va, const wchar_t *);
    Py_ssize_t length;
    if (read_length(format, va, flags, &length) < 0) {
        return NULL;
    }
    if (text == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromWideChar(text, length);
}

static PyObject *
make_object(char kind, const char **format, va_list *va)
{
    if (**format == '&') {
        typedef PyObject *(*converter)(void *);
        ++*format;
        converter convert = va_arg(*va, converter);
        void *argument = va_arg(*va, void *);
        return convert(argument);
    }
    PyObject *op = va_arg(*va, PyObject *);
    if (op == NULL) {
        /* The call that produced the NULL has already set an exception. */
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_SystemError,
                            "NULL object passed to Py_BuildValue");
        }
        return NULL;
    }
    return kind == 'N' ? op : Py_NewRef(op);
}

static PyObject *
make_value(const char **format, va_list *va, int flags)
{
    for (;;) {
        char kind = *(*format)++;
        switch (kind) {
        case '(':
            return make_tuple(format, va, ')', count_values(*format, ')'),
                              flags);
        case '[':
            return make_list(format, va, ']', count_values(*format, ']'),
                             flags);
        case '{':
            return make_dict(format, va, '}', count_values(*format, '}'),
                             flags);
        case 'b': case 'B': case 'h': case 'i':
            return PyLong_FromLong((long)va_arg(*va, int));
        case 'H':
            return PyLong_FromLong((long)va_arg(*va, unsigned int));
        case 'I':
            return PyLong_FromUnsignedLong(
                (unsigned long)va_arg(*va, unsigned int));
        case 'n':
            return PyLong_FromSsize_t(va_arg(*va, Py_ssize_t));
        case 'l':
            return PyLong_FromLong(va_arg(*va, long));
        case 'k':
            return PyLong_FromUnsignedLong(va_arg(*va, unsigned long));
        case 'L':
            return PyLong_FromLongLong(va_arg(*va, long long));
        case 'K':
            return PyLong_FromUnsignedLongLong(
                va_arg(*va, unsigned long long));
        case 'f': case 'd':
            return PyFloat_FromDouble(va_arg(*va, double));
        case 'D':
            return PyComplex_FromCComplex(*va_arg(*va, Py_complex *));
        case 'c': {
            char c = (char)va_arg(*va, int);
            return PyBytes_FromStringAndSize(&c, 1);
        }
        case 'C':
            return PyUnicode_FromOrdinal(va_arg(*va, int));
        case 'u':
            return make_wide(format, va, flags);
        case 's': case 'z': case 'U': case 'y':
            return make_text(kind, format, va, flags);
        case 'N': case 'S': case 'O':
            return make_object(kind, format, va);
        case ':': case ',': case ' ': case '\t':
            break;
        default:
            PyErr_SetString(PyExc_SystemError,
                            "bad format char passed to Py_BuildValue");
            return NULL;
        }
    }
}

/* ------------------------------------------------------------ Py_BuildValue */

static PyObject *
build_value(const char *format, va_list va, int flags)
{
    Py_ssize_t count = count_values(format, '\0');
    if (count < 0) {
        return NULL;
    }
    if (count == 0) {
        Py_RETURN_NONE;
    }
    va_list copy;
    va_copy(copy, va);
    PyObject *result = count == 1
        ? make_value(&format, &copy, flags)
        : make_tuple(&format, &copy, '\0', count, flags);
    va_end(copy);
    return result;
}

#undef Py_BuildValue
#undef Py_VaBuildValue
#undef _Py_VaBuildStack

PyObject *
Py_BuildValue(const char *format, ...)
{
    va_list va;
    va_start(va, format);
    PyObject *result = build_value(format, va, 0);
    va_end(va);
    return result;
}

PyObject *
_Py_BuildValue_SizeT(const char *format, ...)
{
    va_list va;
    va_start(va, format);
    PyObject *result = build_value(format, va, FLAG_SIZE_T);
    va_end(va);
    return result;
}

PyObject *
Py_VaBuildValue(const char *format, va_list va)
{
    return build_value(format, va, 0);
}

PyObject *
_Py_VaBuildValue_SizeT(const char *format, va_list va)
{
    return build_value(format, va, FLAG_SIZE_T);
}

/* An argument array for a call: small_stack if it is large enough, else PyMem_Malloc
   memory. */
static PyObject **
build_stack(PyObject **small_stack, Py_ssize_t small_length,
            const char *format, va_list va, int flags, Py_ssize_t *count)
{
    *count = 0;
    Py_ssize_t n = count_values(format, '\0');
    if (n < 0) {
        return NULL;
    }
    PyObject **stack = small_stack;
    if (n > small_length) {
        stack = PyMem_New(PyObject *, n);
        if (stack == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
    }
    va_list copy;
    va_copy(copy, va);
    int status = make_values(&format, &copy, stack, n, flags);
    va_end(copy);
    if (status < 0) {
        if (stack != small_stack) {
            PyMem_Free(stack);
        }
        return NULL;
    }
    *count = n;
    return stack;
}

PyObject **
_Py_VaBuildStack(PyObject **small_stack, Py_ssize_t small_length,
                 const char *format, va_list va, Py_ssize_t *count)
{
    return build_stack(small_stack, small_length, format, va, 0, count);
}

PyObject **
_Py_VaBuildStack_SizeT(PyObject **small_stack, Py_ssize_t small_length,
                       const char *format, va_list va, Py_ssize_t *count)
{
    return build_stack(small_stack, small_length, format, va, FLAG_SIZE_T,
                       count);
}

/* ---------------------------------------------------------- filling modules */

int
PyModule_AddObjectRef(PyObject *module, const char *name, PyObject *value)
{
    if (!PyModule_Check(module)) {
        PyErr_SetString(PyExc_TypeError,
                        "PyModule_AddObjectRef() first argument must be a "
                        "module");
        return -1;
    }
    if (value == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_SystemError,
                            "PyModule_AddObjectRef() must be called with an "
                            "exception raised if value is NULL");
        }
        return -1;
    }
    PyObject *dict = PyModule_GetDict(module);
    if (dict == NULL) {
        PyErr_Format(PyExc_SystemError, "module '%s' has no __dict__",
                     PyModule_GetName(module));
        return -1;
    }
    return PyDict_SetItemString(dict, name, value);
}

/* Steals the reference on success only. */
int
PyModule_AddObject(PyObject *module, const char *name, PyObject *value)
{
    int status = PyModule_AddObjectRef(module, name, value);
    if (status == 0) {
        Py_DECREF(value);
    }
    return status;
}

static int
add_new(PyObject *module, const char *name, PyObject *value)
{
    if (value == NULL) {
        return -1;
    }
    int status = PyModule_AddObjectRef(module, name, value);
    Py_DECREF(value);
    return status;
}

int
PyModule_AddIntConstant(PyObject *module, const char *name, long value)
{
    return add_new(module, name, PyLong_FromLong(value));
}

int
PyModule_AddStringConstant(PyObject *module, const char *name,
                           const char *value)
{
    return add_new(module, name, PyUnicode_FromString(value));
}

int
PyModule_AddType(PyObject *module, PyTypeObject *type)
{
    if (PyType_Ready(type) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, _PyType_Name(type),
                                 (PyObject *)type);
}

/* Saving objects of the built-in types. */
#include "pickler.h"
#include "internal/dict.h"
#include "internal/int.h"
#include "internal/names.h"

/* --------------------------------------------------------------------- memo */

/* The opcode that fetches the memoized object of this number. */
static int
write_get(Pickler *self, Py_ssize_t number)
{
    if (!self->bin) {
        char text[32];
        int n = PyOS_snprintf(text, sizeof(text), "%c%zd\n", GET, number);
        return _PyPickler_Write(self, text, n);
    }
    if (number < 256) {
        return write_number(self, BINGET, (uint64_t)number, 1);
    }
    if ((size_t)number <= 0xffffffffu) {
        return write_number(self, LONG_BINGET, (uint64_t)number, 4);
    }
    PyErr_SetString(_PyPickle()->pickling_error,
                    "memo id too large for LONG_BINGET");
    return -1;
}

/* Writes the opcode that fetches a memoized object. */
int
_PyPickler_MemoGet(Pickler *self, PyObject *key)
{
    Py_ssize_t number = _PyMemo_Get(&self->memo, key);
    if (number < 0) {
        PyErr_SetObject(PyExc_KeyError, key);
        return -1;
    }
    return write_get(self, number);
}

int
_PyPickler_MemoPut(Pickler *self, PyObject *obj)
{
    if (self->fast) {
        return 0;
    }
    Py_ssize_t number = (Py_ssize_t)self->memo.used;
    if (_PyMemo_Set(&self->memo, obj, number) < 0) {
        return -1;
    }
    if (self->proto >= 4) {
        return write_op(self, MEMOIZE);
    }
    if (!self->bin) {
        char text[32];
        int n = PyOS_snprintf(text, sizeof(text), "%c%zd\n", PUT, number);
        return _PyPickler_Write(self, text, n);
    }
    if (number < 256) {
        return write_number(self, BINPUT, (uint64_t)number, 1);
    }
    if ((size_t)number <= 0xffffffffu) {
        return write_number(self, LONG_BINPUT, (uint64_t)number, 4);
    }
    PyErr_SetString(_PyPickle()->pickling_error,
                    "memo id too large for LONG_BINPUT");
    return -1;
}

/* -------------------------------------------------------------------- atoms */

static int
save_none(Pickler *self)
{
    return write_op(self, NONE);
}

static int
save_bool(Pickler *self, PyObject *obj)
{
    if (self->proto >= 2) {
        return write_op(self, obj == Py_True ? NEWTRUE : NEWFALSE);
    }
    return _PyPickler_Write(self, obj == Py_True ? "I01\n" : "I00\n", 4);
}

static int
save_small_int(Pickler *self, long value)
{
    if (!self->bin) {
        char text[32];
        int n = PyOS_snprintf(text, sizeof(text), "%c%ld\n", INT, value);
        return _PyPickler_Write(self, text, n);
    }
    uint32_t bits = (uint32_t)value;
    return bits > 0xffff ? write_number(self, BININT, bits, 4)
           : bits > 0xff ? write_number(self, BININT2, bits, 2)
           : write_number(self, BININT1, bits, 1);
}

/* The shortest two's complement. */
static int
save_big_int(Pickler *self, PyObject *obj)
{
    size_t bits = _PyLong_NumBits(obj);
    if (bits == (size_t)-1 && PyErr_Occurred()) {
        return -1;
    }
    size_t n = (bits >> 3) + 1;
    if (n > 0x7fffffff) {
        PyErr_SetString(PyExc_OverflowError, "int too large to pickle");
        return -1;
    }
    PyObject *memory = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n);
    if (memory == NULL) {
        return -1;
    }
    unsigned char *data = (unsigned char *)PyBytes_AS_STRING(memory), op[5];
    int result = _PyLong_AsByteArray((PyLongObject *)obj, data, n, 1, 1);
    if (result == 0) {
        /* The last byte of a negative number may only repeat its sign. */
        if (n > 1 && _PyLong_Sign(obj) < 0 && data[n - 1] == 0xff
            && (data[n - 2] & 0x80)) {
            n--;
        }
        int length_bytes = n < 256 ? 1 : 4;
        op[0] = length_bytes == 1 ? LONG1 : LONG4;
        store_le(op + 1, n, length_bytes);
        result = _PyPickler_Write(self, op, length_bytes + 1) < 0
            || _PyPickler_Write(self, data, (Py_ssize_t)n) < 0 ? -1 : 0;
    }
    Py_DECREF(memory);
    return result;
}

static int
save_int(Pickler *self, PyObject *obj)
{
    int64_t value;
    if (_PyLong_AsInt64Exact(obj, &value) && value == (int32_t)value) {
        return save_small_int(self, (long)value);
    }
    if (self->proto >= 2) {
        return save_big_int(self, obj);
    }
    PyObject *text = PyObject_Repr(obj);
    if (text == NULL) {
        return -1;
    }
    Py_ssize_t n;
    const char *digits = PyUnicode_AsUTF8AndSize(text, &n);
    int result = digits == NULL || write_op(self, LONG) < 0
        || _PyPickler_Write(self, digits, n) < 0
        || _PyPickler_Write(self, "L\n", 2) < 0 ? -1 : 0;
    Py_DECREF(text);
    return result;
}

static int
save_float(Pickler *self, PyObject *obj)
{
    double value = PyFloat_AS_DOUBLE(obj);
    if (self->bin) {
        char op[9] = {BINFLOAT};
        if (PyFloat_Pack8(value, op + 1, 0) < 0) {
            return -1;
        }
        return _PyPickler_Write(self, op, 9);
    }
    char *text = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0,
                                       NULL);
    if (text == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int result = write_op(self, FLOAT) < 0
        || _PyPickler_Write(self, text, (Py_ssize_t)strlen(text)) < 0
        || _PyPickler_Write(self, "\n", 1) < 0 ? -1 : 0;
    PyMem_Free(text);
    return result;
}

/* ----------------------------------------------------------- bytes and text */

/* Opcodes for one kind of object with lengths of 1, 4 and 8 bytes; 0: there is none. */
struct sized_ops {
    int one, four, eight;
    const char *too_large;
};

static const struct sized_ops bytes_ops = {
    SHORT_BINBYTES, BINBYTES, BINBYTES8,
    "serializing a bytes object larger than 4 GiB requires pickle protocol 4 "
    "or higher"
};

static const struct sized_ops str_ops = {
    SHORT_BINUNICODE, BINUNICODE, BINUNICODE8,
    "serializing a string larger than 4 GiB requires pickle protocol 4 or "
    "higher"
};

/* Writes an opcode, a length, and that many bytes. */
static int
save_sized(Pickler *self, const struct sized_ops *ops, int short_from_proto,
           const char *data, Py_ssize_t size, PyObject *payload)
{
    unsigned char header[9];
    int bytes;
    if (size <= 0xff && self->proto >= short_from_proto) {
        return write_number(self, ops->one, (uint64_t)size, 1) < 0
            || _PyPickler_Write(self, data, size) < 0 ? -1 : 0;
    }
    if ((size_t)size <= 0xffffffffu) {
        header[0] = (unsigned char)ops->four;
        bytes = 4;
    }
    else if (self->proto >= 4) {
        header[0] = (unsigned char)ops->eight;
        bytes = 8;
    }
    else {
        PyErr_SetString(PyExc_OverflowError, ops->too_large);
        return -1;
    }
    store_le(header + 1, (uint64_t)size, bytes);
    return _PyPickler_WriteLarge(self, header, bytes + 1, data, size,
                                 payload);
}

static int
save_bytes_data(Pickler *self, PyObject *obj, const char *data,
                Py_ssize_t size)
{
    if (save_sized(self, &bytes_ops, 3, data, size,
                   PyBytes_CheckExact(obj) ? obj : NULL) < 0) {
        return -1;
    }
    return _PyPickler_MemoPut(self, obj);
}

static int
save_bytes(Pickler *self, PyObject *obj)
{
    if (self->proto >= 3) {
        return save_bytes_data(self, obj, PyBytes_AS_STRING(obj),
                               PyBytes_GET_SIZE(obj));
    }
    /* Older protocols know only text: write the bytes as text, by way of latin-1. */
    if (PyBytes_GET_SIZE(obj) == 0) {
        return _PyPickler_SaveBuilt(
            self, Py_BuildValue("(O())", &PyBytes_Type), obj);
    }
    PyObject *text = PyUnicode_DecodeLatin1(PyBytes_AS_STRING(obj),
                                            PyBytes_GET_SIZE(obj), "strict");
    if (text == NULL) {
        return -1;
    }
    return _PyPickler_SaveBuilt(
        self, Py_BuildValue("(O(NO))", _PyPickle()->codecs_encode, text,
                            _Py_NAME(latin1)), obj);
}

static int
save_bytearray_data(Pickler *self, PyObject *obj, const char *data,
                    Py_ssize_t size)
{
    unsigned char header[9] = {BYTEARRAY8};
    store_le(header + 1, (uint64_t)size, 8);
    if (_PyPickler_WriteLarge(self, header, 9, data, size,
                              PyByteArray_CheckExact(obj) ? obj : NULL) < 0) {
        return -1;
    }
    return _PyPickler_MemoPut(self, obj);
}

static int
save_bytearray(Pickler *self, PyObject *obj)
{
    if (self->proto >= 5) {
        return save_bytearray_data(self, obj, PyByteArray_AS_STRING(obj),
                                   PyByteArray_GET_SIZE(obj));
    }
    if (PyByteArray_GET_SIZE(obj) == 0) {
        return _PyPickler_SaveBuilt(
            self, Py_BuildValue("(O())", &PyByteArray_Type), obj);
    }
    PyObject *bytes = PyBytes_FromObject(obj);
    if (bytes == NULL) {
        return -1;
    }
    return _PyPickler_SaveBuilt(
        self, Py_BuildValue("(O(N))", &PyByteArray_Type, bytes), obj);
}

static int
save_picklebuffer(Pickler *self, PyObject *obj)
{
    if (self->proto < 5) {
        PyErr_SetString(_PyPickle()->pickling_error,
                        "PickleBuffer can only pickled with protocol >= "
                        "5");
        return -1;
    }
    const Py_buffer *view = PyPickleBuffer_GetBuffer(obj);
    if (view == NULL) {
        return -1;
    }
    if (view->suboffsets != NULL || !PyBuffer_IsContiguous(view, 'A')) {
        PyErr_SetString(_PyPickle()->pickling_error,
                        "PickleBuffer can not be pickled when pointing to a "
                        "non-contiguous buffer");
        return -1;
    }
    int in_band = 1;
    if (self->buffer_callback != NULL) {
        PyObject *answer = PyObject_CallOneArg(self->buffer_callback, obj);
        if (answer == NULL) {
            return -1;
        }
        in_band = PyObject_IsTrue(answer);
        Py_DECREF(answer);
        if (in_band < 0) {
            return -1;
        }
    }
    if (in_band) {
        return view->readonly
            ? save_bytes_data(self, obj, view->buf, view->len)
            : save_bytearray_data(self, obj, view->buf, view->len);
    }
    if (write_op(self, NEXT_BUFFER) < 0) {
        return -1;
    }
    return view->readonly ? write_op(self, READONLY_BUFFER) : 0;
}

/* Text for a line of its own: raw-unicode-escape with the characters escaped that
   would end the line or be taken for an escape. New reference to bytes. */
static PyObject *
line_of_text(PyObject *str)
{
    static const char hex[] = "0123456789abcdef";
    Py_ssize_t n = PyUnicode_GET_LENGTH(str);
    int kind = PyUnicode_KIND(str);
    const void *data = PyUnicode_DATA(str);
    if (n > PY_SSIZE_T_MAX / 10) {
        return PyErr_NoMemory();
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, n * 10);
    if (bytes == NULL) {
        return NULL;
    }
    char *start = PyBytes_AS_STRING(bytes), *p = start;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < 256 && c != '\\' && c != 0 && c != '\n' && c != '\r'
            && c != 0x1a) {
            *p++ = (char)c;
            continue;
        }
        int digits = c > 0xffff ? 8 : 4;
        *p++ = '\\';
        *p++ = digits == 8 ? 'U' : 'u';
        while (digits-- > 0) {
            *p++ = hex[(c >> (4 * digits)) & 0xf];
        }
    }
    _PyBytes_Resize(&bytes, p - start);
    return bytes;
}

static int
save_str(Pickler *self, PyObject *obj)
{
    if (PyUnicode_READY(obj) < 0) {
        return -1;
    }
    int result;
    if (!self->bin) {
        PyObject *line = line_of_text(obj);
        if (line == NULL) {
            return -1;
        }
        result = write_op(self, UNICODE) < 0
            || _PyPickler_Write(self, PyBytes_AS_STRING(line),
                                PyBytes_GET_SIZE(line)) < 0
            || _PyPickler_Write(self, "\n", 1) < 0 ? -1 : 0;
        Py_DECREF(line);
    }
    else {
        Py_ssize_t size;
        PyObject *encoded = NULL;
        const char *data = PyUnicode_AsUTF8AndSize(obj, &size);
        if (data == NULL) {
            /* Lone surrogates. */
            PyErr_Clear();
            encoded = PyUnicode_AsEncodedString(obj, "utf-8",
                                                "surrogatepass");
            if (encoded == NULL) {
                return -1;
            }
            data = PyBytes_AS_STRING(encoded);
            size = PyBytes_GET_SIZE(encoded);
        }
        result = save_sized(self, &str_ops, 4, data, size, encoded);
        Py_XDECREF(encoded);
    }
    return result < 0 ? -1 : _PyPickler_MemoPut(self, obj);
}

/* --------------------------------------------------------------- containers */

/* Saves the elements of a tuple; 0, -1 with an exception. */
static int
save_elements(Pickler *self, PyObject *tuple)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        if (_PyPickler_Save(self, PyTuple_GET_ITEM(tuple, i), 0) < 0) {
            return -1;
        }
    }
    return 0;
}

/* A tuple may contain itself, for instance through a list. If it is in the memo after its
   elements have been saved, the elements on the unpickler's stack are dropped. */
static int
save_tuple(Pickler *self, PyObject *obj)
{
    Py_ssize_t n = PyTuple_GET_SIZE(obj);
    if (n == 0) {
        static const char text[] = {MARK, TUPLE};
        return self->proto ? write_op(self, EMPTY_TUPLE)
                           : _PyPickler_Write(self, text, 2);
    }
    if (n <= 3 && self->proto >= 2) {
        static const enum opcode ops[] = {0, TUPLE1, TUPLE2, TUPLE3};
        if (save_elements(self, obj) < 0) {
            return -1;
        }
        if (_PyMemo_Get(&self->memo, obj) >= 0) {
            while (n-- > 0) {
                if (write_op(self, POP) < 0) {
                    return -1;
                }
            }
            return _PyPickler_MemoGet(self, obj);
        }
        if (write_op(self, ops[n]) < 0) {
            return -1;
        }
        return _PyPickler_MemoPut(self, obj);
    }
    if (write_op(self, MARK) < 0 || save_elements(self, obj) < 0) {
        return -1;
    }
    if (_PyMemo_Get(&self->memo, obj) >= 0) {
        if (self->bin) {
            if (write_op(self, POP_MARK) < 0) {
                return -1;
            }
        }
        else {
            for (Py_ssize_t i = 0; i <= n; i++) {
                if (write_op(self, POP) < 0) {
                    return -1;
                }
            }
        }
        return _PyPickler_MemoGet(self, obj);
    }
    return write_op(self, TUPLE) < 0 ? -1 : _PyPickler_MemoPut(self, obj);
}

static int
save_pair(Pickler *self, PyObject *pair)
{
    if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
        PyErr_SetString(PyExc_TypeError,
                        "dict items iterator must return 2-tuples");
        return -1;
    }
    return _PyPickler_Save(self, PyTuple_GET_ITEM(pair, 0), 0) < 0 ? -1
        : _PyPickler_Save(self, PyTuple_GET_ITEM(pair, 1), 0);
}

/* Saves items from an iterator. Whether one or several follow is only known when the
   second has been fetched. */
static int
batch_from_iterator(Pickler *self, PyObject *iter,
                    int (*save)(Pickler *, PyObject *), enum opcode one,
                    enum opcode many)
{
    PyObject *item;
    if (self->proto == 0) {
        while ((item = PyIter_Next(iter)) != NULL) {
            int failed = save(self, item) < 0 || write_op(self, one) < 0;
            Py_DECREF(item);
            if (failed) {
                return -1;
            }
        }
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *first = PyIter_Next(iter);
    while (first != NULL) {
        PyObject *second = PyIter_Next(iter);
        if (second == NULL) {
            int failed = PyErr_Occurred() || save(self, first) < 0
                || write_op(self, one) < 0;
            Py_DECREF(first);
            return failed ? -1 : 0;
        }
        int failed = write_op(self, MARK) < 0 || save(self, first) < 0
            || save(self, second) < 0;
        Py_DECREF(first);
        Py_DECREF(second);
        Py_ssize_t n = 2;
        while (!failed && n < BATCH_SIZE
               && (item = PyIter_Next(iter)) != NULL) {
            failed = save(self, item) < 0;
            Py_DECREF(item);
            n++;
        }
        if (failed || PyErr_Occurred() || write_op(self, many) < 0) {
            return -1;
        }
        if (n < BATCH_SIZE) {
            return 0;
        }
        first = PyIter_Next(iter);
    }
    return PyErr_Occurred() ? -1 : 0;
}

static int
save_item(Pickler *self, PyObject *item)
{
    return _PyPickler_Save(self, item, 0);
}

int
_PyPickler_BatchList(Pickler *self, PyObject *iter)
{
    return batch_from_iterator(self, iter, save_item, APPEND, APPENDS);
}

int
_PyPickler_BatchDict(Pickler *self, PyObject *iter)
{
    return batch_from_iterator(self, iter, save_pair, SETITEM, SETITEMS);
}

static int
batch_exact_list(Pickler *self, PyObject *list)
{
    if (PyList_GET_SIZE(list) == 1) {
        PyObject *item = Py_NewRef(PyList_GET_ITEM(list, 0));
        int result = _PyPickler_Save(self, item, 0);
        Py_DECREF(item);
        return result < 0 ? -1 : write_op(self, APPEND);
    }
    Py_ssize_t i = 0;
    do {
        if (write_op(self, MARK) < 0) {
            return -1;
        }
        for (Py_ssize_t n = 0; n < BATCH_SIZE && i < PyList_GET_SIZE(list);
             n++) {
            PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i++));
            int result = _PyPickler_Save(self, item, 0);
            Py_DECREF(item);
            if (result < 0) {
                return -1;
            }
        }
        if (write_op(self, APPENDS) < 0) {
            return -1;
        }
    } while (i < PyList_GET_SIZE(list));
    return 0;
}

/* Saves one more pair: 1; 0 at the end. */
static int
save_next_pair(Pickler *self, PyObject *dict, Py_ssize_t *pos)
{
    PyObject *key, *value;
    if (!_PyDict_NextInline((PyDictObject *)dict, pos, &key, &value)) {
        return 0;
    }
    Py_INCREF(key);
    Py_INCREF(value);
    int failed = _PyPickler_Save(self, key, 0) < 0
        || _PyPickler_Save(self, value, 0) < 0;
    Py_DECREF(key);
    Py_DECREF(value);
    return failed ? -1 : 1;
}

static int
batch_exact_dict(Pickler *self, PyObject *dict)
{
    Py_ssize_t size = PyDict_GET_SIZE(dict), pos = 0, done = 0;
    if (size == 1) {
        return save_next_pair(self, dict, &pos) < 0 ? -1
            : write_op(self, SETITEM);
    }
    do {
        if (write_op(self, MARK) < 0) {
            return -1;
        }
        Py_ssize_t n = 0;
        int saved = 1;
        while (n < BATCH_SIZE
               && (saved = save_next_pair(self, dict, &pos)) > 0) {
            n++;
        }
        if (saved < 0 || write_op(self, SETITEMS) < 0) {
            return -1;
        }
        done += n;
        if (PyDict_GET_SIZE(dict) != size) {
            PyErr_Format(PyExc_RuntimeError,
                         "dictionary changed size during iteration");
            return -1;
        }
        if (n < BATCH_SIZE) {
            break;
        }
    } while (done < size);
    return 0;
}

/* Without a memo cycles would be followed for ever: beyond some depth the containers on
   the path are recorded. */
#define FAST_NESTING_LIMIT 50

static int
fast_enter(Pickler *self, PyObject *obj)
{
    if (++self->fast_nesting < FAST_NESTING_LIMIT) {
        return 1;
    }
    if (self->fast_memo == NULL
        && (self->fast_memo = PyDict_New()) == NULL) {
        self->fast_nesting = -1;
        return 0;
    }
    PyObject *address = PyLong_FromVoidPtr(obj);
    if (address == NULL) {
        self->fast_nesting = -1;
        return 0;
    }
    int known = PyDict_Contains(self->fast_memo, address);
    if (known == 0) {
        known = PyDict_SetItem(self->fast_memo, address, Py_None);
    }
    else if (known > 0) {
        PyErr_Format(PyExc_ValueError,
                     "fast mode: can't pickle cyclic objects including "
                     "object type %.200s at %p", Py_TYPE(obj)->tp_name, obj);
        known = -1;
    }
    Py_DECREF(address);
    if (known < 0) {
        self->fast_nesting = -1;
        return 0;
    }
    return 1;
}

static int
fast_leave(Pickler *self, PyObject *obj)
{
    if (self->fast_nesting-- < FAST_NESTING_LIMIT) {
        return 1;
    }
    PyObject *address = PyLong_FromVoidPtr(obj);
    if (address == NULL) {
        return 0;
    }
    int result = PyDict_DelItem(self->fast_memo, address);
    Py_DECREF(address);
    return result == 0;
}

static int
save_list_items(Pickler *self, PyObject *obj)
{
    if (PyList_GET_SIZE(obj) == 0) {
        return 0;
    }
    if (PyList_CheckExact(obj) && self->proto > 0) {
        return batch_exact_list(self, obj);
    }
    PyObject *iter = PyObject_GetIter(obj);
    if (iter == NULL) {
        return -1;
    }
    int result = _PyPickler_BatchList(self, iter);
    Py_DECREF(iter);
    return result;
}

static int
save_dict_items(Pickler *self, PyObject *obj)
{
    if (PyDict_GET_SIZE(obj) == 0) {
        return 0;
    }
    if (PyDict_CheckExact(obj) && self->proto > 0) {
        return batch_exact_dict(self, obj);
    }
    PyObject *items = PyObject_CallMethodNoArgs(obj, _Py_NAME(items));
    PyObject *iter = items == NULL ? NULL : PyObject_GetIter(items);
    Py_XDECREF(items);
    if (iter == NULL) {
        return -1;
    }
    int result = _PyPickler_BatchDict(self, iter);
    Py_DECREF(iter);
    return result;
}

/* Saves an empty container and memoizes it; its items are then added to it. */
static int
save_container(Pickler *self, PyObject *obj, enum opcode empty,
               enum opcode after_mark, int (*items)(Pickler *, PyObject *))
{
    const char text[] = {MARK, (char)after_mark};
    if (self->fast && !fast_enter(self, obj)) {
        return -1;
    }
    int result = -1;
    if ((self->bin ? write_op(self, empty)
         : _PyPickler_Write(self, text, 2)) == 0
        && _PyPickler_MemoPut(self, obj) == 0) {
        result = items(self, obj);
    }
    if (self->fast && !fast_leave(self, obj)) {
        result = -1;
    }
    return result;
}

static int
save_set(Pickler *self, PyObject *obj)
{
    if (self->proto < 4) {
        PyObject *items = PySequence_List(obj);
        if (items == NULL) {
            return -1;
        }
        return _PyPickler_SaveBuilt(
            self, Py_BuildValue("(O(N))", &PySet_Type, items), obj);
    }
    if (write_op(self, EMPTY_SET) < 0 || _PyPickler_MemoPut(self, obj) < 0) {
        return -1;
    }
    Py_ssize_t size = PySet_GET_SIZE(obj), pos = 0, n;
    if (size == 0) {
        return 0;
    }
    do {
        PyObject *item;
        Py_hash_t hash;
        if (write_op(self, MARK) < 0) {
            return -1;
        }
        for (n = 0; n < BATCH_SIZE
             && _PySet_NextEntry(obj, &pos, &item, &hash); n++) {
            Py_INCREF(item);
            int result = _PyPickler_Save(self, item, 0);
            Py_DECREF(item);
            if (result < 0) {
                return -1;
            }
        }
        if (write_op(self, ADDITEMS) < 0) {
            return -1;
        }
        if (PySet_GET_SIZE(obj) != size) {
            PyErr_Format(PyExc_RuntimeError,
                         "set changed size during iteration");
            return -1;
        }
    } while (n == BATCH_SIZE);
    return 0;
}

static int
save_frozenset(Pickler *self, PyObject *obj)
{
    if (self->fast && !fast_enter(self, obj)) {
        return -1;
    }
    if (self->proto < 4) {
        PyObject *items = PySequence_List(obj);
        if (items == NULL) {
            return -1;
        }
        return _PyPickler_SaveBuilt(
            self, Py_BuildValue("(O(N))", &PyFrozenSet_Type, items), obj);
    }
    PyObject *iter = write_op(self, MARK) < 0 ? NULL : PyObject_GetIter(obj);
    if (iter == NULL) {
        return -1;
    }
    PyObject *item;
    while ((item = PyIter_Next(iter)) != NULL) {
        int failed = _PyPickler_Save(self, item, 0) < 0;
        Py_DECREF(item);
        if (failed) {
            break;
        }
    }
    Py_DECREF(iter);
    if (PyErr_Occurred()) {
        return -1;
    }
    /* The same as for tuples. */
    if (_PyMemo_Get(&self->memo, obj) >= 0) {
        return write_op(self, POP_MARK) < 0 ? -1
            : _PyPickler_MemoGet(self, obj);
    }
    return write_op(self, FROZENSET) < 0 ? -1
        : _PyPickler_MemoPut(self, obj);
}

/* ----------------------------------------------------------- persistent ids */

/* 1 if it has been saved by a persistent id, 0 if it has none. */
static int
save_persistent(Pickler *self, PyObject *obj)
{
    PyObject *id = _PyPickle_CallMethod(&self->persistent_id, obj);
    if (id == NULL) {
        return -1;
    }
    int result = 0;
    if (id != Py_None && self->bin) {
        result = _PyPickler_Save(self, id, 1) < 0
            || write_op(self, BINPERSID) < 0 ? -1 : 1;
    }
    else if (id != Py_None) {
        PyObject *text = PyObject_Str(id);
        if (text == NULL) {
            result = -1;
        }
        else if (!PyUnicode_IS_ASCII(text)) {
            PyErr_SetString(_PyPickle()->pickling_error,
                            "persistent IDs in protocol 0 must be ASCII "
                            "strings");
            result = -1;
        }
        else {
            result = write_op(self, PERSID) < 0
                || _PyPickler_Write(self, PyUnicode_DATA(text),
                                    PyUnicode_GET_LENGTH(text)) < 0
                || _PyPickler_Write(self, "\n", 1) < 0 ? -1 : 1;
        }
        Py_XDECREF(text);
    }
    Py_DECREF(id);
    return result;
}

/* ----------------------------------------------------------------- dispatch */

/* Saves objects that are never memoized: 1; 0 for anything else. */
static int
save_atom(Pickler *self, PyObject *obj, PyTypeObject *type)
{
    int result;
    if (obj == Py_None) {
        result = save_none(self);
    }
    else if (type == &PyBool_Type) {
        result = save_bool(self, obj);
    }
    else if (type == &PyLong_Type) {
        result = save_int(self, obj);
    }
    else if (type == &PyFloat_Type) {
        result = save_float(self, obj);
    }
    else {
        return 0;
    }
    return result < 0 ? -1 : 1;
}

/* The built-in containers and anything else. */
static int
save_compound(Pickler *self, PyObject *obj, PyTypeObject *type)
{
    if (type == &PyDict_Type) {
        return save_container(self, obj, EMPTY_DICT, DICT, save_dict_items);
    }
    if (type == &PyList_Type) {
        return save_container(self, obj, EMPTY_LIST, LIST, save_list_items);
    }
    if (type == &PyTuple_Type) {
        return save_tuple(self, obj);
    }
    if (type == &PySet_Type) {
        return save_set(self, obj);
    }
    if (type == &PyFrozenSet_Type) {
        return save_frozenset(self, obj);
    }
    if (type == &PyByteArray_Type) {
        return save_bytearray(self, obj);
    }
    if (type == &PyPickleBuffer_Type) {
        return save_picklebuffer(self, obj);
    }
    return _PyPickler_SaveByReduction(self, obj);
}

int
_PyPickler_Save(Pickler *self, PyObject *obj, int no_persistent_id)
{
    if (_PyPickler_Boundary(self) < 0) {
        return -1;
    }
    PyTypeObject *type = Py_TYPE(obj);
    if (!no_persistent_id && self->persistent_id.func != NULL) {
        int done = save_persistent(self, obj);
        if (done != 0) {
            return done < 0 ? -1 : 0;
        }
    }
    int done = save_atom(self, obj, type);
    if (done != 0) {
        return done < 0 ? -1 : 0;
    }
    Py_ssize_t number = _PyMemo_Get(&self->memo, obj);
    if (number >= 0) {
        return write_get(self, number);
    }
    if (type == &PyBytes_Type) {
        return save_bytes(self, obj);
    }
    if (type == &PyUnicode_Type) {
        return save_str(self, obj);
    }
    if (Py_EnterRecursiveCall(" while pickling an object")) {
        return -1;
    }
    int result = save_compound(self, obj, type);
    Py_LeaveRecursiveCall();
    return result;
}

/* Converts one argument to C values: the format units of PyArg_Parse*(). */
#include "Python.h"
#include <float.h>
#include <limits.h>
#include "private.h"
#include "internal/getargs.h"
#include "internal/int.h"

/* ---------------------------------------------------- what conversions hold */

/* A converter ("O&") that wants to be called again to clean up. */
struct converted {
    int (*convert)(PyObject *, void *);
    void *target;
};

static int
release_converted(PyObject *Py_UNUSED(self), void *item)
{
    struct converted *c = item;
    c->convert(NULL, c->target);
    PyMem_Free(c);
    return 0;
}

int
_PyArg_TakenInit(struct taken *taken, int limit)
{
    taken->count = 0;
    taken->limit = limit;
    taken->entries = taken->inline_entries;
    if (limit > (int)Py_ARRAY_LENGTH(taken->inline_entries)) {
        taken->entries = PyMem_New(struct taken_entry, limit);
        if (taken->entries == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}

int
_PyArg_TakenFinish(struct taken *taken, int status)
{
    for (int i = 0; i < taken->count; i++) {
        struct taken_entry *entry = &taken->entries[i];
        if (!status) {
            entry->release(NULL, entry->item);
        }
        else if (entry->release == release_converted) {
            /* The caller keeps what was converted. Only our record of it is freed. */
            PyMem_Free(entry->item);
        }
    }
    if (taken->entries != taken->inline_entries) {
        PyMem_Free(taken->entries);
    }
    return status;
}

static void
take(struct taken *taken, void *item, int (*release)(PyObject *, void *))
{
    /* Each unit takes at most one resource. */
    assert(taken->count < taken->limit);
    taken->entries[taken->count].item = item;
    taken->entries[taken->count].release = release;
    taken->count++;
}

static int
release_memory(PyObject *Py_UNUSED(self), void *pointer)
{
    void **memory = pointer;
    PyMem_Free(*memory);
    *memory = NULL;
    return 0;
}

static int
release_buffer(PyObject *Py_UNUSED(self), void *buffer)
{
    PyBuffer_Release(buffer);
    return 0;
}

/* ----------------------------------------------------------------- messages */

void
_PyArg_SetError(Py_ssize_t index, const char *name, const char *message, int *levels,
                const char *function, const char *custom)
{
    if (PyErr_Occurred()) {
        return;
    }
    if (custom != NULL) {
        /* A message that begins with "(" is about a bad format: a SystemError. */
        PyErr_SetString(message[0] == '(' ? PyExc_SystemError
                                          : PyExc_TypeError, custom);
        return;
    }
    char text[512];
    char *p = text, *end = text + sizeof(text);
    if (function != NULL) {
        p += PyOS_snprintf(p, end - p, "%.200s() ", function);
    }
    if (name != NULL) {
        p += PyOS_snprintf(p, end - p, "argument '%.200s'", name);
    }
    else if (index != 0) {
        p += PyOS_snprintf(p, end - p, "argument %zd", index);
        for (int i = 0; i < LEVELS && levels[i] > 0 && p < text + 220; i++) {
            p += PyOS_snprintf(p, end - p, ", item %d", levels[i] - 1);
        }
    }
    else {
        p += PyOS_snprintf(p, end - p, "argument");
    }
    PyOS_snprintf(p, end - p, " %.256s", message);
    PyErr_SetString(message[0] == '(' ? PyExc_SystemError : PyExc_TypeError,
                    text);
}

struct unit {
    PyObject *arg;
    const char **format;        /* after the unit's letter */
    va_list *va;
    int flags;
    char *buffer;
    size_t size;
    struct taken *taken;
};

/* "must be str, not int" */
static const char *
mismatch(struct unit *u, const char *expected)
{
    if (expected[0] == '(') {
        return expected;
    }
    PyOS_snprintf(u->buffer, u->size, "must be %.50s, not %.50s", expected,
                  u->arg == Py_None ? "None" : Py_TYPE(u->arg)->tp_name);
    return u->buffer;
}

/* For conversions that have raised an exception already. */
static const char *
occurred(struct unit *u)
{
    return mismatch(u, "(unspecified)");
}

/* ------------------------------------------------------------------ numbers */

static const char *
out_of_range(struct unit *u, const char *message)
{
    PyErr_SetString(PyExc_OverflowError, message);
    return occurred(u);
}

static const char *
convert_ranged(struct unit *u, long low, long high, const char *below,
               const char *above, long *result)
{
    *result = PyLong_AsLong(u->arg);
    if (*result == -1 && PyErr_Occurred()) {
        return occurred(u);
    }
    if (*result < low) {
        return out_of_range(u, below);
    }
    if (*result > high) {
        return out_of_range(u, above);
    }
    return NULL;
}

static const char *
convert_integer(struct unit *u, char kind)
{
    const char *message = NULL;
    long n;
    switch (kind) {
    case 'b': {
        unsigned char *p = va_arg(*u->va, unsigned char *);
        message = convert_ranged(
            u, 0, UCHAR_MAX, "unsigned byte integer is less than minimum",
            "unsigned byte integer is greater than maximum", &n);
        if (message == NULL) {
            *p = (unsigned char)n;
        }
        return message;
    }
    case 'B': {
        unsigned char *p = va_arg(*u->va, unsigned char *);
        unsigned long m = PyLong_AsUnsignedLongMask(u->arg);
        if (m == (unsigned long)-1 && PyErr_Occurred()) {
            return occurred(u);
        }
        *p = (unsigned char)m;
        return NULL;
    }
    case 'h': {
        short *p = va_arg(*u->va, short *);
        message = convert_ranged(
            u, SHRT_MIN, SHRT_MAX,
            "signed short integer is less than minimum",
            "signed short integer is greater than maximum", &n);
        if (message == NULL) {
            *p = (short)n;
        }
        return message;
    }
    case 'H': {
        unsigned short *p = va_arg(*u->va, unsigned short *);
        unsigned long m = PyLong_AsUnsignedLongMask(u->arg);
        if (m == (unsigned long)-1 && PyErr_Occurred()) {
            return occurred(u);
        }
        *p = (unsigned short)m;
        return NULL;
    }
    case 'i': {
        int *p = va_arg(*u->va, int *);
        if (u->flags & FLAG_PLAIN_INT) {
            *p = _PyLong_AsInt(u->arg);
            return *p == -1 && PyErr_Occurred() ? occurred(u) : NULL;
        }
        message = convert_ranged(
            u, INT_MIN, INT_MAX, "signed integer is less than minimum",
            "signed integer is greater than maximum", &n);
        if (message == NULL) {
            *p = (int)n;
        }
        return message;
    }
    case 'I': {
        unsigned int *p = va_arg(*u->va, unsigned int *);
        unsigned long m = PyLong_AsUnsignedLongMask(u->arg);
        if (m == (unsigned long)-1 && PyErr_Occurred()) {
            return occurred(u);
        }
        *p = (unsigned int)m;
        return NULL;
    }
    case 'l': {
        long *p = va_arg(*u->va, long *);
        n = PyLong_AsLong(u->arg);
        if (n == -1 && PyErr_Occurred()) {
            return occurred(u);
        }
        *p = n;
        return NULL;
    }
    case 'k': {
        unsigned long *p = va_arg(*u->va, unsigned long *);
        if (!PyLong_Check(u->arg)) {
            return mismatch(u, "int");
        }
        *p = PyLong_AsUnsignedLongMask(u->arg);
        return NULL;
    }
    case 'L': {
        long long *p = va_arg(*u->va, long long *);
        long long m = PyLong_AsLongLong(u->arg);
        if (m == -1 && PyErr_Occurred()) {
            return occurred(u);
        }
        *p = m;
        return NULL;
    }
    case 'K': {
        unsigned long long *p = va_arg(*u->va, unsigned long long *);
        if (!PyLong_Check(u->arg)) {
            return mismatch(u, "int");
        }
        *p = PyLong_AsUnsignedLongLongMask(u->arg);
        return NULL;
    }
    default: {                  /* 'n' */
        Py_ssize_t *p = va_arg(*u->va, Py_ssize_t *);
        PyObject *index = PyNumber_Index(u->arg);
        Py_ssize_t m = -1;
        if (index != NULL) {
            m = PyLong_AsSsize_t(index);
            Py_DECREF(index);
        }
        if (m == -1 && PyErr_Occurred()) {
            return occurred(u);
        }
        *p = m;
        return NULL;
    }
    }
}

static const char *
convert_real(struct unit *u, char kind)
{
    if (kind == 'D') {
        Py_complex *p = va_arg(*u->va, Py_complex *);
        Py_complex value = PyComplex_AsCComplex(u->arg);
        if (PyErr_Occurred()) {
            return occurred(u);
        }
        *p = value;
        return NULL;
    }
    void *p = va_arg(*u->va, void *);
    double value = PyFloat_AsDouble(u->arg);
    if (value == -1.0 && PyErr_Occurred()) {
        return occurred(u);
    }
    if (kind == 'f') {
        *(float *)p = (float)value;
    }
    else {
        *(double *)p = value;
    }
    return NULL;
}

static const char *
convert_character(struct unit *u, char kind)
{
    if (kind == 'c') {
        char *p = va_arg(*u->va, char *);
        if (PyBytes_Check(u->arg) && PyBytes_GET_SIZE(u->arg) == 1) {
            *p = PyBytes_AS_STRING(u->arg)[0];
        }
        else if (PyByteArray_Check(u->arg)
                 && PyByteArray_GET_SIZE(u->arg) == 1) {
            *p = PyByteArray_AS_STRING(u->arg)[0];
        }
        else {
            return mismatch(u, "a byte string of length 1");
        }
        return NULL;
    }
    int *p = va_arg(*u->va, int *);
    if (!PyUnicode_Check(u->arg)) {
        return mismatch(u, "a unicode character");
    }
    if (PyUnicode_READY(u->arg) < 0) {
        return occurred(u);
    }
    if (PyUnicode_GET_LENGTH(u->arg) != 1) {
        return mismatch(u, "a unicode character");
    }
    *p = (int)PyUnicode_READ_CHAR(u->arg, 0);
    return NULL;
}

/* --------------------------------------------------------- text and buffers */

static const char *
get_view(PyObject *arg, Py_buffer *view, const char **expected)
{
    if (PyObject_GetBuffer(arg, view, PyBUF_SIMPLE) != 0) {
        *expected = "bytes-like object";
        return *expected;
    }
    if (!PyBuffer_IsContiguous(view, 'C')) {
        PyBuffer_Release(view);
        *expected = "contiguous buffer";
        return *expected;
    }
    return NULL;
}

/* Stores in *pointer the address of an object whose memory can't move: bytes, but not
   bytearray. Returns the length, or -1 with *expected set. */
static Py_ssize_t
borrow_bytes(PyObject *arg, const void **pointer, const char **expected)
{
    PyBufferProcs *procs = Py_TYPE(arg)->tp_as_buffer;
    Py_buffer view;
    if (procs != NULL && procs->bf_releasebuffer != NULL) {
        *expected = "read-only bytes-like object";
        return -1;
    }
    if (get_view(arg, &view, expected) != NULL) {
        return -1;
    }
    *pointer = view.buf;
    Py_ssize_t length = view.len;
    PyBuffer_Release(&view);
    return length;
}

/* "#": returns where to store the length, or NULL with *message set if "#" is not allowed
   here. */
static Py_ssize_t *
length_target(struct unit *u, const char **message)
{
    ++*u->format;
    if (!(u->flags & FLAG_SIZE_T)) {
        PyErr_SetString(PyExc_SystemError,
                        "PY_SSIZE_T_CLEAN macro must be defined for '#' "
                        "formats");
        *message = occurred(u);
        return NULL;
    }
    return va_arg(*u->va, Py_ssize_t *);
}

/* s* z* y* */
static const char *
convert_to_view(struct unit *u, char kind)
{
    Py_buffer *view = va_arg(*u->va, Py_buffer *);
    ++*u->format;
    if (kind == 'z' && u->arg == Py_None) {
        PyBuffer_FillInfo(view, NULL, NULL, 0, 1, 0);
    }
    else if (kind != 'y' && PyUnicode_Check(u->arg)) {
        Py_ssize_t length;
        const char *text = PyUnicode_AsUTF8AndSize(u->arg, &length);
        if (text == NULL) {
            return mismatch(u, "(unicode conversion error)");
        }
        PyBuffer_FillInfo(view, u->arg, (void *)text, length, 1, 0);
    }
    else {
        const char *expected;
        if (get_view(u->arg, view, &expected) != NULL) {
            return mismatch(u, expected);
        }
    }
    take(u->taken, view, release_buffer);
    return NULL;
}

static const char *
convert_bytes(struct unit *u)
{
    if (**u->format == '*') {
        return convert_to_view(u, 'y');
    }
    const void **target = va_arg(*u->va, const void **);
    const char *expected;
    Py_ssize_t length = borrow_bytes(u->arg, target, &expected);
    if (length < 0) {
        return mismatch(u, expected);
    }
    if (**u->format == '#') {
        const char *message;
        Py_ssize_t *size = length_target(u, &message);
        if (size == NULL) {
            return message;
        }
        *size = length;
        return NULL;
    }
    if (strlen(*target) != (size_t)length) {
        PyErr_SetString(PyExc_ValueError, "embedded null byte");
        return occurred(u);
    }
    return NULL;
}

static const char *
convert_string(struct unit *u, char kind)
{
    if (**u->format == '*') {
        return convert_to_view(u, kind);
    }
    const char **target = va_arg(*u->va, const char **);
    if (**u->format == '#') {
        const char *message;
        Py_ssize_t *size = length_target(u, &message);
        if (size == NULL) {
            return message;
        }
        if (kind == 'z' && u->arg == Py_None) {
            *target = NULL;
            *size = 0;
        }
        else if (PyUnicode_Check(u->arg)) {
            *target = PyUnicode_AsUTF8AndSize(u->arg, size);
            if (*target == NULL) {
                return mismatch(u, "(unicode conversion error)");
            }
        }
        else {
            const char *expected;
            const void *pointer;
            Py_ssize_t length = borrow_bytes(u->arg, &pointer, &expected);
            if (length < 0) {
                return mismatch(u, expected);
            }
            *target = pointer;
            *size = length;
        }
        return NULL;
    }
    if (kind == 'z' && u->arg == Py_None) {
        *target = NULL;
        return NULL;
    }
    if (!PyUnicode_Check(u->arg)) {
        return mismatch(u, kind == 'z' ? "str or None" : "str");
    }
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(u->arg, &length);
    if (text == NULL) {
        return mismatch(u, "(unicode conversion error)");
    }
    if (strlen(text) != (size_t)length) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return occurred(u);
    }
    *target = text;
    return NULL;
}

/* The deprecated wchar_t units, u and Z. */
static const char *
convert_wide(struct unit *u, char kind)
{
    if (PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                         "getargs: The '%c' format is deprecated. "
                         "Use 'U' instead.", kind)) {
        return occurred(u);
    }
    wchar_t **target = va_arg(*u->va, wchar_t **);
    Py_ssize_t length = 0, *size = NULL;
    if (**u->format == '#') {
        const char *message;
        size = length_target(u, &message);
        if (size == NULL) {
            return message;
        }
    }
    if (kind == 'Z' && u->arg == Py_None) {
        *target = NULL;
    }
    else if (PyUnicode_Check(u->arg)) {
_Py_COMP_DIAG_PUSH
_Py_COMP_DIAG_IGNORE_DEPR_DECLS
        *target = PyUnicode_AsUnicodeAndSize(u->arg, &length);
_Py_COMP_DIAG_POP
        if (*target == NULL) {
            return occurred(u);
        }
        if (size == NULL && wcslen(*target) != (size_t)length) {
            PyErr_SetString(PyExc_ValueError, "embedded null character");
            return occurred(u);
        }
    }
    else {
        return mismatch(u, kind == 'Z' ? "str or None" : "str");
    }
    if (size != NULL) {
        *size = length;
    }
    return NULL;
}

/* es, et, es#, et#: encodes into the caller's buffer or into newly allocated memory. */
static const char *
convert_encoded(struct unit *u)
{
    const char *encoding = va_arg(*u->va, const char *);
    if (encoding == NULL) {
        encoding = PyUnicode_GetDefaultEncoding();
    }
    char kind = *(*u->format)++;
    if (kind != 's' && kind != 't') {
        return mismatch(u, "(unknown parser marker combination)");
    }
    char **target = va_arg(*u->va, char **);
    if (target == NULL) {
        return mismatch(u, "(buffer is NULL)");
    }
    PyObject *bytes;
    const char *text;
    Py_ssize_t length;
    if (kind == 't' && PyBytes_Check(u->arg)) {
        bytes = Py_NewRef(u->arg);
        text = PyBytes_AS_STRING(bytes);
        length = PyBytes_GET_SIZE(bytes);
    }
    else if (kind == 't' && PyByteArray_Check(u->arg)) {
        bytes = Py_NewRef(u->arg);
        text = PyByteArray_AS_STRING(bytes);
        length = PyByteArray_GET_SIZE(bytes);
    }
    else if (PyUnicode_Check(u->arg)) {
        bytes = PyUnicode_AsEncodedString(u->arg, encoding, NULL);
        if (bytes == NULL) {
            return mismatch(u, "(encoding failed)");
        }
        text = PyBytes_AS_STRING(bytes);
        length = PyBytes_GET_SIZE(bytes);
    }
    else {
        return mismatch(u, kind == 's' ? "str"
                                       : "str, bytes or bytearray");
    }
    const char *message = NULL;
    if (**u->format == '#') {
        Py_ssize_t *size = length_target(u, &message);
        if (size == NULL) {
            goto done;
        }
        if (*target != NULL) {
            if (length + 1 > *size) {
                PyErr_Format(PyExc_ValueError,
                             "encoded string too long (%zd, maximum length "
                             "%zd)", length, *size - 1);
                message = occurred(u);
                goto done;
            }
            memcpy(*target, text, length + 1);
            *size = length;
            goto done;
        }
        *size = length;
    }
    else if (strlen(text) != (size_t)length) {
        message = mismatch(u, "encoded string without null bytes");
        goto done;
    }
    *target = PyMem_New(char, length + 1);
    if (*target == NULL) {
        PyErr_NoMemory();
        message = occurred(u);
        goto done;
    }
    memcpy(*target, text, length + 1);
    take(u->taken, target, release_memory);
done:
    Py_DECREF(bytes);
    return message;
}

/* ------------------------------------------------------------------ objects */

static const char *
convert_exact(struct unit *u, int matches, const char *expected)
{
    PyObject **target = va_arg(*u->va, PyObject **);
    if (!matches) {
        return mismatch(u, expected);
    }
    *target = u->arg;
    return NULL;
}

static const char *
convert_object(struct unit *u)
{
    if (**u->format == '!') {
        ++*u->format;
        PyTypeObject *type = va_arg(*u->va, PyTypeObject *);
        PyObject **target = va_arg(*u->va, PyObject **);
        if (!PyType_IsSubtype(Py_TYPE(u->arg), type)) {
            return mismatch(u, type->tp_name);
        }
        *target = u->arg;
        return NULL;
    }
    if (**u->format == '&') {
        typedef int (*converter)(PyObject *, void *);
        ++*u->format;
        converter convert = va_arg(*u->va, converter);
        void *target = va_arg(*u->va, void *);
        int status = convert(u->arg, target);
        if (status == 0) {
            return occurred(u);
        }
        if (status == Py_CLEANUP_SUPPORTED) {
            struct converted *entry = PyMem_Malloc(sizeof(*entry));
            if (entry == NULL) {
                convert(NULL, target);
                PyErr_NoMemory();
                return occurred(u);
            }
            entry->convert = convert;
            entry->target = target;
            take(u->taken, entry, release_converted);
        }
        return NULL;
    }
    *va_arg(*u->va, PyObject **) = u->arg;
    return NULL;
}

static const char *
convert_writable(struct unit *u)
{
    if (**u->format != '*') {
        return mismatch(u, "(invalid use of 'w' format character)");
    }
    ++*u->format;
    Py_buffer *view = va_arg(*u->va, Py_buffer *);
    if (PyObject_GetBuffer(u->arg, view, PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        return mismatch(u, "read-write bytes-like object");
    }
    if (!PyBuffer_IsContiguous(view, 'C')) {
        PyBuffer_Release(view);
        return mismatch(u, "contiguous buffer");
    }
    take(u->taken, view, release_buffer);
    return NULL;
}

/* ----------------------------------------------------------------- one unit */

static const char *
convert_simple(struct unit *u)
{
    char kind = *(*u->format)++;
    switch (kind) {
    case 'b': case 'B': case 'h': case 'H': case 'i': case 'I':
    case 'l': case 'k': case 'L': case 'K': case 'n':
        return convert_integer(u, kind);
    case 'f': case 'd': case 'D':
        return convert_real(u, kind);
    case 'c': case 'C':
        return convert_character(u, kind);
    case 'p': {
        int *p = va_arg(*u->va, int *);
        int truth = PyObject_IsTrue(u->arg);
        if (truth < 0) {
            return occurred(u);
        }
        *p = truth;
        return NULL;
    }
    case 'y':
        return convert_bytes(u);
    case 's': case 'z':
        return convert_string(u, kind);
    case 'u': case 'Z':
        return convert_wide(u, kind);
    case 'e':
        return convert_encoded(u);
    case 'S':
        return convert_exact(u, PyBytes_Check(u->arg), "bytes");
    case 'Y':
        return convert_exact(u, PyByteArray_Check(u->arg), "bytearray");
    case 'U':
        return convert_exact(u, PyUnicode_Check(u->arg), "str");
    case 'O':
        return convert_object(u);
    case 'w':
        return convert_writable(u);
    default:
        return mismatch(u, "(impossible<bad format char>)");
    }
}

/* "(...)": a sequence, item by item. */
static const char *
convert_tuple(PyObject *arg, const char **format, va_list *va, int flags,
              int *levels, char *buffer, size_t size, struct taken *taken)
{
    int level = 0, expected = 0;
    const char *p = *format;
    for (;;) {
        int c = *p++;
        if (c == '(') {
            if (level == 0) {
                expected++;
            }
            level++;
        }
        else if (c == ')') {
            if (level == 0) {
                break;
            }
            level--;
        }
        else if (IS_END_OF_FORMAT(c)) {
            break;
        }
        else if (level == 0 && Py_ISALPHA(c) && c != 'e') {
            expected++;
        }
    }
    if (!PySequence_Check(arg) || PyBytes_Check(arg)) {
        levels[0] = 0;
        PyOS_snprintf(buffer, size, "must be %d-item sequence, not %.50s",
                      expected,
                      arg == Py_None ? "None" : Py_TYPE(arg)->tp_name);
        return buffer;
    }
    Py_ssize_t length = PySequence_Size(arg);
    if (length != expected) {
        levels[0] = 0;
        PyOS_snprintf(buffer, size, "must be sequence of length %d, not %zd",
                      expected, length);
        return buffer;
    }
    p = *format;
    for (int i = 0; i < expected; i++) {
        PyObject *item = PySequence_GetItem(arg, i);
        if (item == NULL) {
            PyErr_Clear();
            levels[0] = i + 1;
            levels[1] = 0;
            strncpy(buffer, "is not retrievable", size);
            return buffer;
        }
        const char *message = _PyArg_ConvertItem(item, &p, va, flags,
                                                 levels + 1, buffer, size,
                                                 taken);
        /* The C values are borrowed from the item, which the sequence keeps alive. */
        Py_DECREF(item);
        if (message != NULL) {
            levels[0] = i + 1;
            return message;
        }
    }
    *format = p;
    return NULL;
}

const char *
_PyArg_ConvertItem(PyObject *arg, const char **format, va_list *va, int flags,
                   int *levels, char *buffer, size_t size,
                   struct taken *taken)
{
    const char *p = *format;
    const char *message;
    if (*p == '(') {
        p++;
        message = convert_tuple(arg, &p, va, flags, levels, buffer, size,
                                taken);
        if (message == NULL) {
            p++;                /* ')' */
        }
    }
    else {
        struct unit u = {arg, &p, va, flags, buffer, size, taken};
        message = convert_simple(&u);
        if (message != NULL) {
            levels[0] = 0;
        }
    }
    if (message == NULL) {
        *format = p;
    }
    return message;
}

/* ----------------------------------------------------------------- skipping */

const char *
_PyArg_SkipItem(const char **format, va_list *va, int flags)
{
    const char *p = *format;
    char kind = *p++;
    switch (kind) {
    case 'b': case 'B': case 'h': case 'H': case 'i': case 'I':
    case 'l': case 'k': case 'L': case 'K': case 'n': case 'f':
    case 'd': case 'D': case 'c': case 'p': case 'S': case 'Y':
    case 'U': case 'C':
        if (va != NULL) {
            (void)va_arg(*va, void *);
        }
        break;
    case 'e':
        if (va != NULL) {
            (void)va_arg(*va, const char *);
        }
        if (*p == '\0') {
            goto bad;
        }
        p++;
        /* fall through */
    case 's': case 'z': case 'y': case 'u': case 'Z': case 'w':
        if (va != NULL) {
            (void)va_arg(*va, char **);
        }
        if (*p == '#') {
            if (va != NULL) {
                if (!(flags & FLAG_SIZE_T)) {
                    return "PY_SSIZE_T_CLEAN macro must be defined for '#' "
                           "formats";
                }
                (void)va_arg(*va, Py_ssize_t *);
            }
            p++;
        }
        else if ((kind == 's' || kind == 'z' || kind == 'y' || kind == 'w')
                 && *p == '*') {
            p++;
        }
        break;
    case 'O':
        if (*p == '!') {
            p++;
            if (va != NULL) {
                (void)va_arg(*va, PyTypeObject *);
                (void)va_arg(*va, PyObject **);
            }
        }
        else if (*p == '&') {
            p++;
            if (va != NULL) {
                typedef int (*converter)(PyObject *, void *);
                (void)va_arg(*va, converter);
                (void)va_arg(*va, void *);
            }
        }
        else if (va != NULL) {
            (void)va_arg(*va, PyObject **);
        }
        break;
    case '(':
        for (;;) {
            if (*p == ')') {
                break;
            }
            if (IS_END_OF_FORMAT(*p)) {
                return "Unmatched left paren in format string";
            }
            const char *message = _PyArg_SkipItem(&p, va, flags);
            if (message != NULL) {
                return message;
            }
        }
        p++;
        break;
    case ')':
        return "Unmatched right paren in format string";
    default:
    bad:
        return "impossible<bad format char>";
    }
    *format = p;
    return NULL;
}

int
_PyArg_AsSsize(PyObject *arg, Py_ssize_t *value)
{
    if (PyLong_CheckExact(arg) && _PyLong_CheckCompact(arg)) {
        *value = (Py_ssize_t)_PyLong_CompactValue(arg);
        return 0;
    }
    PyObject *index = PyNumber_Index(arg);
    if (index == NULL) {
        return -1;
    }
    *value = PyLong_AsSsize_t(index);
    Py_DECREF(index);
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

int
_PyArg_SearchRange(const char *method, PyObject *const *args, Py_ssize_t nargs,
                   Py_ssize_t *start, Py_ssize_t *end)
{
    *start = 0;
    *end = PY_SSIZE_T_MAX;
    if (nargs < 1 || nargs > 3) {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes at %s %d argument%s (%zd given)", method,
                     nargs < 1 ? "least" : "most", nargs < 1 ? 1 : 3,
                     nargs < 1 ? "" : "s", nargs);
        return -1;
    }
    if (nargs >= 2 && args[1] != Py_None
        && !_PyEval_SliceIndex(args[1], start))
    {
        return -1;
    }
    if (nargs == 3 && args[2] != Py_None
        && !_PyEval_SliceIndex(args[2], end))
    {
        return -1;
    }
    return 0;
}

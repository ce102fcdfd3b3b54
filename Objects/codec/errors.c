/* The standard error handlers: functions that take a UnicodeError and return
   (replacement, position to continue at), or raise it. */
#include "Python.h"
#include "standard_handlers.h"
#include "internal/codec_escapes.h"
#include "internal/unicode.h"

/* The range of the error and the object, for each of the three exceptions. */
typedef struct {
    enum { ENCODING, DECODING, TRANSLATING } kind;
    PyObject *object;           /* owned: str, or bytes when decoding */
    Py_ssize_t start;
    Py_ssize_t end;
} Fault;

static PyObject *
wrong_exception(PyObject *exc)
{
    PyErr_Format(PyExc_TypeError,
                 "don't know how to handle %.200s in error callback",
                 Py_TYPE(exc)->tp_name);
    return NULL;
}

static int
is_a(PyObject *exc, PyObject *type)
{
    return PyObject_TypeCheck(exc, (PyTypeObject *)type);
}

static int
read_fault(PyObject *exc, Fault *fault)
{
    fault->object = NULL;
    if (is_a(exc, PyExc_UnicodeEncodeError)) {
        fault->kind = ENCODING;
        if (PyUnicodeEncodeError_GetStart(exc, &fault->start) < 0
            || PyUnicodeEncodeError_GetEnd(exc, &fault->end) < 0)
        {
            return -1;
        }
        fault->object = PyUnicodeEncodeError_GetObject(exc);
    }
    else if (is_a(exc, PyExc_UnicodeDecodeError)) {
        fault->kind = DECODING;
        if (PyUnicodeDecodeError_GetStart(exc, &fault->start) < 0
            || PyUnicodeDecodeError_GetEnd(exc, &fault->end) < 0)
        {
            return -1;
        }
        fault->object = PyUnicodeDecodeError_GetObject(exc);
    }
    else if (is_a(exc, PyExc_UnicodeTranslateError)) {
        fault->kind = TRANSLATING;
        if (PyUnicodeTranslateError_GetStart(exc, &fault->start) < 0
            || PyUnicodeTranslateError_GetEnd(exc, &fault->end) < 0)
        {
            return -1;
        }
        fault->object = PyUnicodeTranslateError_GetObject(exc);
    }
    else {
        wrong_exception(exc);
        return -1;
    }
    if (fault->object == NULL) {
        return -1;
    }
    if (fault->end < fault->start) {
        fault->end = fault->start;
    }
    return 0;
}

/* Returns (replacement, end). Steals the replacement and clears the fault. */
static PyObject *
answer(Fault *fault, PyObject *replacement, Py_ssize_t end)
{
    Py_CLEAR(fault->object);
    return replacement ? Py_BuildValue("(Nn)", replacement, end) : NULL;
}

static PyObject *
raise_again(Fault *fault, PyObject *exc)
{
    Py_CLEAR(fault->object);
    PyErr_SetObject((PyObject *)Py_TYPE(exc), exc);
    return NULL;
}

static Py_UCS4
fault_char(const Fault *fault, Py_ssize_t i)
{
    return PyUnicode_READ_CHAR(fault->object, i);
}

static PyObject *
repeated(Py_ssize_t n, Py_UCS4 ch)
{
    PyObject *str = PyUnicode_New(n, ch);
    if (str != NULL && n > 0) {
        PyUnicode_Fill(str, 0, n, ch);
    }
    return str;
}

/* -------------------------------------------------- strict, ignore, replace */

PyObject *
PyCodec_StrictErrors(PyObject *exc)
{
    if (PyExceptionInstance_Check(exc)) {
        PyErr_SetObject(PyExceptionInstance_Class(exc), exc);
    }
    else {
        PyErr_SetString(PyExc_TypeError,
                        "codec must pass exception instance");
    }
    return NULL;
}

PyObject *
PyCodec_IgnoreErrors(PyObject *exc)
{
    Fault fault;
    if (read_fault(exc, &fault) < 0) {
        return NULL;
    }
    return answer(&fault, _PyUnicode_NewEmpty(), fault.end);
}

PyObject *
PyCodec_ReplaceErrors(PyObject *exc)
{
    Fault fault;
    if (read_fault(exc, &fault) < 0) {
        return NULL;
    }
    Py_ssize_t n = fault.kind == DECODING ? 1 : fault.end - fault.start;
    return answer(&fault, repeated(n, fault.kind == ENCODING ? '?' : 0xfffd),
                  fault.end);
}

/* ------------------------------------------------------------------ escapes */

int
_PyCodec_WriteReference(char *text, Py_UCS4 ch)
{
    char digits[8], *first = digits + sizeof(digits);
    do {
        *--first = (char)('0' + ch % 10);
        ch /= 10;
    } while (ch > 0);
    const int n = (int)(digits + sizeof(digits) - first);
    text[0] = '&';
    text[1] = '#';
    memcpy(text + 2, first, (size_t)n);
    text[n + 2] = ';';
    return n + 3;
}

int
_PyCodec_WriteBackslash(char *text, Py_UCS4 ch)
{
    const int width = ch > 0xffff ? 8 : ch > 0xff ? 4 : 2;
    text[0] = '\\';
    text[1] = width == 8 ? 'U' : width == 4 ? 'u' : 'x';
    for (int i = 0; i < width; i++) {
        text[2 + i] = Py_hexdigits[ch >> (4 * (width - 1 - i)) & 0xf];
    }
    return width + 2;
}

PyObject *
PyCodec_XMLCharRefReplaceErrors(PyObject *exc)
{
    Fault fault;
    if (!is_a(exc, PyExc_UnicodeEncodeError)) {
        return wrong_exception(exc);
    }
    if (read_fault(exc, &fault) < 0) {
        return NULL;
    }
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    w.overallocate = 1;
    for (Py_ssize_t i = fault.start; i < fault.end; i++) {
        char text[_PyCodec_ESCAPE_MAX];
        int n = _PyCodec_WriteReference(text, fault_char(&fault, i));
        if (_PyUnicodeWriter_WriteASCIIString(&w, text, n) < 0) {
            _PyUnicodeWriter_Dealloc(&w);
            Py_CLEAR(fault.object);
            return NULL;
        }
    }
    return answer(&fault, _PyUnicodeWriter_Finish(&w), fault.end);
}

static int
write_backslash(_PyUnicodeWriter *w, Py_UCS4 ch)
{
    char text[_PyCodec_ESCAPE_MAX];
    int n = _PyCodec_WriteBackslash(text, ch);
    return _PyUnicodeWriter_WriteASCIIString(w, text, n);
}

PyObject *
PyCodec_BackslashReplaceErrors(PyObject *exc)
{
    Fault fault;
    if (read_fault(exc, &fault) < 0) {
        return NULL;
    }
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    w.overallocate = 1;
    for (Py_ssize_t i = fault.start; i < fault.end; i++) {
        Py_UCS4 ch = fault.kind == DECODING
            ? (unsigned char)PyBytes_AS_STRING(fault.object)[i]
            : fault_char(&fault, i);
        if (write_backslash(&w, ch) < 0) {
            _PyUnicodeWriter_Dealloc(&w);
            Py_CLEAR(fault.object);
            return NULL;
        }
    }
    return answer(&fault, _PyUnicodeWriter_Finish(&w), fault.end);
}

PyObject *
PyCodec_NameReplaceErrors(PyObject *exc)
{
    Fault fault;
    if (!is_a(exc, PyExc_UnicodeEncodeError)) {
        return wrong_exception(exc);
    }
    const _PyUnicode_Name_CAPI *names = _PyUnicode_GetNameCAPI();
    if (names == NULL || read_fault(exc, &fault) < 0) {
        return NULL;
    }
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    w.overallocate = 1;
    for (Py_ssize_t i = fault.start; i < fault.end; i++) {
        char name[256];
        Py_UCS4 ch = fault_char(&fault, i);
        int status;
        if (names->getname(ch, name, sizeof(name), 1)) {
            status = _PyUnicodeWriter_WriteASCIIString(&w, "\\N{", 3);
            if (status == 0) {
                status = _PyUnicodeWriter_WriteASCIIString(&w, name, -1);
            }
            if (status == 0) {
                status = _PyUnicodeWriter_WriteChar(&w, '}');
            }
        }
        else {
            status = write_backslash(&w, ch);
        }
        if (status < 0) {
            _PyUnicodeWriter_Dealloc(&w);
            Py_CLEAR(fault.object);
            return NULL;
        }
    }
    return answer(&fault, _PyUnicodeWriter_Finish(&w), fault.end);
}

/* --------------------------------------------------------------- surrogates */

typedef enum { FORM_NONE, FORM_UTF8, FORM_UTF16_LE, FORM_UTF16_BE,
               FORM_UTF32_LE, FORM_UTF32_BE } Form;

/* The UTF encoding that a codec's name means. Words may be separated by '-', '_' or
   nothing. */
static Form
encoding_form(const char *name)
{
    if (Py_TOLOWER(name[0]) != 'u' || Py_TOLOWER(name[1]) != 't'
        || Py_TOLOWER(name[2]) != 'f')
    {
        return FORM_NONE;
    }
    name += 3;
    if (*name == '-' || *name == '_') {
        name++;
    }
    if (strcmp(name, "8") == 0) {
        return FORM_UTF8;
    }
    int wide;
    if (name[0] == '1' && name[1] == '6') {
        wide = 0;
    }
    else if (name[0] == '3' && name[1] == '2') {
        wide = 1;
    }
    else {
        return FORM_NONE;
    }
    name += 2;
    if (*name == '\0') {
        return wide ? (PY_LITTLE_ENDIAN ? FORM_UTF32_LE : FORM_UTF32_BE)
                    : (PY_LITTLE_ENDIAN ? FORM_UTF16_LE : FORM_UTF16_BE);
    }
    if (*name == '-' || *name == '_') {
        name++;
    }
    if (Py_TOLOWER(name[1]) == 'e' && name[2] == '\0') {
        if (Py_TOLOWER(name[0]) == 'l') {
            return wide ? FORM_UTF32_LE : FORM_UTF16_LE;
        }
        if (Py_TOLOWER(name[0]) == 'b') {
            return wide ? FORM_UTF32_BE : FORM_UTF16_BE;
        }
    }
    return FORM_NONE;
}

static int
form_width(Form form)
{
    return form == FORM_UTF8 ? 3
        : form == FORM_UTF16_LE || form == FORM_UTF16_BE ? 2 : 4;
}

static void
write_surrogate(Form form, unsigned char *out, Py_UCS4 ch)
{
    memset(out, 0, (size_t)form_width(form));
    switch (form) {
    case FORM_UTF8:
        out[0] = (unsigned char)(0xe0 | ch >> 12);
        out[1] = (unsigned char)(0x80 | (ch >> 6 & 0x3f));
        out[2] = (unsigned char)(0x80 | (ch & 0x3f));
        break;
    case FORM_UTF16_LE: case FORM_UTF32_LE:
        out[0] = (unsigned char)ch;
        out[1] = (unsigned char)(ch >> 8);
        break;
    case FORM_UTF16_BE:
        out[0] = (unsigned char)(ch >> 8);
        out[1] = (unsigned char)ch;
        break;
    default:
        out[2] = (unsigned char)(ch >> 8);
        out[3] = (unsigned char)ch;
        break;
    }
}

/* The surrogate at p, or 0. */
static Py_UCS4
read_surrogate(Form form, const unsigned char *p)
{
    Py_UCS4 ch = 0;
    switch (form) {
    case FORM_UTF8:
        if ((p[0] & 0xf0) == 0xe0 && (p[1] & 0xc0) == 0x80
            && (p[2] & 0xc0) == 0x80)
        {
            ch = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
        }
        break;
    case FORM_UTF16_LE: ch = (Py_UCS4)p[1] << 8 | p[0]; break;
    case FORM_UTF16_BE: ch = (Py_UCS4)p[0] << 8 | p[1]; break;
    case FORM_UTF32_LE:
        ch = (Py_UCS4)p[3] << 24 | (Py_UCS4)p[2] << 16 | (Py_UCS4)p[1] << 8
            | p[0];
        break;
    default:
        ch = (Py_UCS4)p[0] << 24 | (Py_UCS4)p[1] << 16 | (Py_UCS4)p[2] << 8
            | p[3];
        break;
    }
    return Py_UNICODE_IS_SURROGATE(ch) ? ch : 0;
}

static Form
exception_form(PyObject *encoding)
{
    const char *name = encoding ? PyUnicode_AsUTF8(encoding) : NULL;
    Form form = name ? encoding_form(name) : FORM_NONE;
    Py_XDECREF(encoding);
    return form;
}

static PyObject *
pass_encoding(PyObject *exc, Fault *fault)
{
    Form form = exception_form(PyUnicodeEncodeError_GetEncoding(exc));
    if (PyErr_Occurred()) {
        Py_CLEAR(fault->object);
        return NULL;
    }
    if (form == FORM_NONE) {
        return raise_again(fault, exc);
    }
    const int width = form_width(form);
    const Py_ssize_t n = fault->end - fault->start;
    if (n > PY_SSIZE_T_MAX / 4) {
        Py_CLEAR(fault->object);
        return PyErr_NoMemory();
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, n * width);
    for (Py_ssize_t i = 0; bytes != NULL && i < n; i++) {
        Py_UCS4 ch = fault_char(fault, fault->start + i);
        if (!Py_UNICODE_IS_SURROGATE(ch)) {
            Py_DECREF(bytes);
            return raise_again(fault, exc);
        }
        write_surrogate(form,
                        (unsigned char *)PyBytes_AS_STRING(bytes)
                        + i * width, ch);
    }
    return answer(fault, bytes, fault->end);
}

static PyObject *
pass_decoding(PyObject *exc, Fault *fault)
{
    Form form = exception_form(PyUnicodeDecodeError_GetEncoding(exc));
    if (PyErr_Occurred()) {
        Py_CLEAR(fault->object);
        return NULL;
    }
    const unsigned char *data =
        (const unsigned char *)PyBytes_AS_STRING(fault->object);
    Py_UCS4 ch = 0;
    if (form != FORM_NONE
        && PyBytes_GET_SIZE(fault->object) - fault->start
            >= form_width(form))
    {
        ch = read_surrogate(form, data + fault->start);
    }
    if (ch == 0) {
        return raise_again(fault, exc);
    }
    return answer(fault, PyUnicode_FromOrdinal((int)ch),
                  fault->start + form_width(form));
}

static PyObject *
surrogatepass(PyObject *exc)
{
    Fault fault;
    if (read_fault(exc, &fault) < 0) {
        return NULL;
    }
    switch (fault.kind) {
    case ENCODING: return pass_encoding(exc, &fault);
    case DECODING: return pass_decoding(exc, &fault);
    default:
        Py_CLEAR(fault.object);
        return wrong_exception(exc);
    }
}

static PyObject *
surrogateescape(PyObject *exc)
{
    Fault fault;
    if (read_fault(exc, &fault) < 0) {
        return NULL;
    }
    if (fault.kind == ENCODING) {
        const Py_ssize_t n = fault.end - fault.start;
        PyObject *bytes = PyBytes_FromStringAndSize(NULL, n);
        for (Py_ssize_t i = 0; bytes != NULL && i < n; i++) {
            Py_UCS4 ch = fault_char(&fault, fault.start + i);
            if (ch < 0xdc80 || ch > 0xdcff) {
                Py_DECREF(bytes);
                return raise_again(&fault, exc);
            }
            PyBytes_AS_STRING(bytes)[i] = (char)(ch - 0xdc00);
        }
        return answer(&fault, bytes, fault.end);
    }
    if (fault.kind == DECODING) {
        const unsigned char *data =
            (const unsigned char *)PyBytes_AS_STRING(fault.object)
            + fault.start;
        Py_UCS2 text[4];
        int n = 0;
        while (n < 4 && n < fault.end - fault.start && data[n] >= 128) {
            text[n] = (Py_UCS2)(0xdc00 + data[n]);
            n++;
        }
        if (n == 0) {
            return raise_again(&fault, exc);
        }
        return answer(&fault, PyUnicode_FromKindAndData(2, text, n),
                      fault.start + n);
    }
    Py_CLEAR(fault.object);
    return wrong_exception(exc);
}

/* ------------------------------------------------------ as Python functions */

#define HANDLER(name, function)                                         \
    static PyObject *                                                   \
    name##_errors(PyObject *Py_UNUSED(self), PyObject *exc)             \
    {                                                                   \
        return function(exc);                                           \
    }

HANDLER(strict, PyCodec_StrictErrors)
HANDLER(ignore, PyCodec_IgnoreErrors)
HANDLER(replace, PyCodec_ReplaceErrors)
HANDLER(xmlcharrefreplace, PyCodec_XMLCharRefReplaceErrors)
HANDLER(backslashreplace, PyCodec_BackslashReplaceErrors)
HANDLER(namereplace, PyCodec_NameReplaceErrors)

static PyObject *
surrogatepass_function(PyObject *Py_UNUSED(self), PyObject *exc)
{
    return surrogatepass(exc);
}

static PyObject *
surrogateescape_function(PyObject *Py_UNUSED(self), PyObject *exc)
{
    return surrogateescape(exc);
}

static struct {
    const char *name;
    PyMethodDef def;
} standard_handlers[] = {
    {"strict", {"strict_errors", strict_errors, METH_O,
     "The 'strict' handler: raises the exception."}},
    {"ignore", {"ignore_errors", ignore_errors, METH_O,
     "The 'ignore' handler: leaves out what is at fault."}},
    {"replace", {"replace_errors", replace_errors, METH_O,
     "The 'replace' handler: puts a replacement marker there."}},
    {"xmlcharrefreplace",
     {"xmlcharrefreplace_errors", xmlcharrefreplace_errors, METH_O,
      "The 'xmlcharrefreplace' handler: puts XML character references "
      "there."}},
    {"backslashreplace",
     {"backslashreplace_errors", backslashreplace_errors, METH_O,
      "The 'backslashreplace' handler: puts backslash escapes there."}},
    {"namereplace", {"namereplace_errors", namereplace_errors, METH_O,
     "The 'namereplace' handler: puts \\N{...} escapes there."}},
    {"surrogatepass", {"surrogatepass", surrogatepass_function, METH_O,
     NULL}},
    {"surrogateescape", {"surrogateescape", surrogateescape_function, METH_O,
     NULL}},
};

int
_PyCodec_AddStandardHandlers(PyObject *handlers)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(standard_handlers); i++) {
        PyObject *function = PyCFunction_NewEx(&standard_handlers[i].def,
                                               NULL, NULL);
        if (function == NULL) {
            return -1;
        }
        int status = PyDict_SetItemString(handlers, standard_handlers[i].name,
                                          function);
        Py_DECREF(function);
        if (status < 0) {
            return -1;
        }
    }
    return 0;
}

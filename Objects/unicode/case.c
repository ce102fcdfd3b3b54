/* Case conversion: lower, upper, title, swapcase, casefold, capitalize.

   One character may become three. So text that is not ASCII is converted to a UCS4
   buffer with room for three characters each, and then copied to a string of the right
   width. ASCII has loops of its own. */
#include "private.h"
#include "internal/wide_loop.h"

#define FINAL_SIGMA 0x3c2
#define CAPITAL_SIGMA 0x3a3
#define SMALL_SIGMA 0x3c3

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
} Text;

static inline Py_UCS4
char_at(const Text *t, Py_ssize_t i)
{
    return PyUnicode_READ(t->kind, t->data, i);
}

/* A capital sigma is final if a cased letter comes before it and none after it,
   ignoring case-ignorable characters in between. */
static Py_UCS4
lower_sigma(const Text *t, Py_ssize_t i)
{
    Py_ssize_t j = i - 1;
    while (j >= 0 && _PyUnicode_IsCaseIgnorable(char_at(t, j))) {
        j--;
    }
    if (j < 0 || !_PyUnicode_IsCased(char_at(t, j))) {
        return SMALL_SIGMA;
    }
    j = i + 1;
    while (j < t->length && _PyUnicode_IsCaseIgnorable(char_at(t, j))) {
        j++;
    }
    return j < t->length && _PyUnicode_IsCased(char_at(t, j))
        ? SMALL_SIGMA : FINAL_SIGMA;
}

static inline int
lower_at(const Text *t, Py_ssize_t i, Py_UCS4 *out)
{
    Py_UCS4 ch = char_at(t, i);
    if (ch == CAPITAL_SIGMA) {
        out[0] = lower_sigma(t, i);
        return 1;
    }
    return _PyUnicode_ToLowerFull(ch, out);
}

typedef Py_ssize_t (*Converter)(const Text *, Py_UCS4 *out);

static Py_ssize_t
convert_lower(const Text *t, Py_UCS4 *out)
{
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; i < t->length; i++) {
        n += lower_at(t, i, out + n);
    }
    return n;
}

static Py_ssize_t
convert_upper(const Text *t, Py_UCS4 *out)
{
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; i < t->length; i++) {
        n += _PyUnicode_ToUpperFull(char_at(t, i), out + n);
    }
    return n;
}

static Py_ssize_t
convert_fold(const Text *t, Py_UCS4 *out)
{
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; i < t->length; i++) {
        n += _PyUnicode_ToFoldedFull(char_at(t, i), out + n);
    }
    return n;
}

static Py_ssize_t
convert_capitalize(const Text *t, Py_UCS4 *out)
{
    Py_ssize_t n = _PyUnicode_ToTitleFull(char_at(t, 0), out);
    for (Py_ssize_t i = 1; i < t->length; i++) {
        n += lower_at(t, i, out + n);
    }
    return n;
}

static Py_ssize_t
convert_swap(const Text *t, Py_UCS4 *out)
{
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; i < t->length; i++) {
        Py_UCS4 ch = char_at(t, i);
        if (_PyUnicode_IsUppercase(ch)) {
            n += lower_at(t, i, out + n);
        }
        else if (_PyUnicode_IsLowercase(ch)) {
            n += _PyUnicode_ToUpperFull(ch, out + n);
        }
        else {
            out[n++] = ch;
        }
    }
    return n;
}

static Py_ssize_t
convert_title(const Text *t, Py_UCS4 *out)
{
    Py_ssize_t n = 0;
    int in_word = 0;
    for (Py_ssize_t i = 0; i < t->length; i++) {
        Py_UCS4 ch = char_at(t, i);
        n += in_word ? lower_at(t, i, out + n)
                     : _PyUnicode_ToTitleFull(ch, out + n);
        in_word = _PyUnicode_IsCased(ch);
    }
    return n;
}

static PyObject *
convert(PyObject *op, Converter converter)
{
    const Text t = {KIND(op), DATA(op), LENGTH(op)};
    if (t.length == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (t.length > PY_SSIZE_T_MAX / 3 / (Py_ssize_t)sizeof(Py_UCS4)) {
        PyErr_SetString(PyExc_OverflowError, "string is too long");
        return NULL;
    }
    Py_UCS4 small[96], *out = small;
    if (t.length > (Py_ssize_t)Py_ARRAY_LENGTH(small) / 3) {
        out = PyMem_Malloc((size_t)t.length * 3 * sizeof(Py_UCS4));
        if (out == NULL) {
            return PyErr_NoMemory();
        }
    }
    Py_ssize_t n = converter(&t, out);
    PyObject *result = PyUnicode_FromKindAndData(4, out, n);
    if (out != small) {
        PyMem_Free(out);
    }
    return result;
}

/* -------------------------------------------------------------------- ASCII */

static inline int
ascii_is_upper(Py_UCS1 ch)
{
    return (Py_UCS1)(ch - 'A') < 26;
}

static inline int
ascii_is_lower(Py_UCS1 ch)
{
    return (Py_UCS1)(ch - 'a') < 26;
}

static PyObject *
new_like(PyObject *op, Py_UCS1 **out)
{
    PyObject *result = PyUnicode_New(LENGTH(op), 0x7f);
    if (result != NULL) {
        *out = PyUnicode_1BYTE_DATA(result);
    }
    return result;
}

static PyObject *
ascii_lower(PyObject *op)
{
    const Py_UCS1 *s = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    Py_UCS1 *out;
    if (n == 0) {
        return _PyUnicode_NewEmpty();
    }
    PyObject *result = new_like(op, &out);
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        out[i] = (Py_UCS1)(s[i] + (ascii_is_upper(s[i]) << 5));
    }
    return result ? _PyUnicode_Result(result) : NULL;
}

static PyObject *
ascii_upper(PyObject *op)
{
    const Py_UCS1 *s = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    Py_UCS1 *out;
    if (n == 0) {
        return _PyUnicode_NewEmpty();
    }
    PyObject *result = new_like(op, &out);
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        out[i] = (Py_UCS1)(s[i] - (ascii_is_lower(s[i]) << 5));
    }
    return result ? _PyUnicode_Result(result) : NULL;
}

/* ------------------------------------------------------------------ Latin 1 */

/* Of text that is not ASCII. The letters with accents are in two blocks, 32 apart as in ASCII,
   each with one sign in it. */
static inline int
latin1_is_upper(Py_UCS1 ch)
{
    return ascii_is_upper(ch) | (((Py_UCS1)(ch - 0xc0) < 31) & (ch != 0xd7));
}

static inline int
latin1_is_lower(Py_UCS1 ch)
{
    return ascii_is_lower(ch) | (((Py_UCS1)(ch - 0xe0) < 31) & (ch != 0xf7));
}

static PyObject *
latin1_lower(PyObject *op)
{
    const Py_UCS1 *s = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    PyObject *result = PyUnicode_New(n, 0xff);
    Py_UCS1 *out = result != NULL ? DATA(result) : NULL;
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        out[i] = (Py_UCS1)(s[i] + (latin1_is_upper(s[i]) << 5));
    }
    return result != NULL ? _PyUnicode_Result(result) : NULL;
}

/* The upper case of three characters is not in Latin 1, or more than one. */
static PyObject *
latin1_upper(PyObject *op)
{
    const Py_UCS1 *s = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    int others = 0;
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; i < n; i++) {
        others |= (s[i] == 0xb5) | (s[i] == 0xdf) | (s[i] == 0xff);
    }
    if (others) {
        return convert(op, convert_upper);
    }
    PyObject *result = PyUnicode_New(n, 0xff);
    Py_UCS1 *out = result != NULL ? DATA(result) : NULL;
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        out[i] = (Py_UCS1)(s[i] - (latin1_is_lower(s[i]) << 5));
    }
    return result != NULL ? _PyUnicode_Result(result) : NULL;
}

/* ------------------------------------------------------------------ methods */

PyObject *
_PyUnicode_method_lower(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    return IS_ASCII(self) ? ascii_lower(self)
           : KIND(self) == 1 ? latin1_lower(self) : convert(self, convert_lower);
}

PyObject *
_PyUnicode_method_upper(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    return IS_ASCII(self) ? ascii_upper(self)
           : KIND(self) == 1 ? latin1_upper(self) : convert(self, convert_upper);
}

PyObject *
_PyUnicode_method_casefold(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    return IS_ASCII(self) ? ascii_lower(self) : convert(self, convert_fold);
}

PyObject *
_PyUnicode_method_title(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyUnicode_READY(self) < 0 ? NULL : convert(self, convert_title);
}

PyObject *
_PyUnicode_method_swapcase(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return PyUnicode_READY(self) < 0 ? NULL : convert(self, convert_swap);
}

PyObject *
_PyUnicode_method_capitalize(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (PyUnicode_READY(self) < 0) {
        return NULL;
    }
    return LENGTH(self) == 0 ? _PyUnicode_NewEmpty()
                             : convert(self, convert_capitalize);
}

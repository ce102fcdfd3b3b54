/* The unicodedata module. Its functions are also methods of ucd_3_2_0, the
   database of Unicode 3.2.0: `self` tells which one is asked. */
#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "database.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/unicode.h"
#include "structmember.h"

typedef struct {
    PyObject_HEAD
    const char *version;
} UCDObject;

/* The module is created once for each interpreter; the type is told by its
   traverse-free layout and name, so a pointer to the latest is enough. */
static PyTypeObject *ucd_type;

static int
is_old(PyObject *self)
{
    return ucd_type != NULL && Py_IS_TYPE(self, ucd_type);
}

/* ---------------------------------------------------------------- arguments */

static int
char_arg(const char *function, const char *which, PyObject *arg, Py_UCS4 *ch)
{
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument(function, which, "a unicode character", arg);
        return -1;
    }
    if (PyUnicode_READY(arg) < 0) {
        return -1;
    }
    if (PyUnicode_GET_LENGTH(arg) != 1) {
        _PyArg_BadArgument(function, which, "a unicode character", arg);
        return -1;
    }
    *ch = PyUnicode_READ_CHAR(arg, 0);
    return 0;
}

/* chr[, default]: 0 or -1. */
static int
char_default_args(const char *function, PyObject *const *args,
                  Py_ssize_t nargs, Py_UCS4 *ch, PyObject **fallback)
{
    if (!_PyArg_CheckPositional(function, nargs, 1, 2)) {
        return -1;
    }
    *fallback = nargs == 2 ? args[1] : NULL;
    return char_arg(function, "argument 1", args[0], ch);
}

static PyObject *
missing(PyObject *fallback, const char *message)
{
    if (fallback != NULL) {
        return Py_NewRef(fallback);
    }
    PyErr_SetString(PyExc_ValueError, message);
    return NULL;
}

/* ------------------------------------------------------------------ numbers */

static PyObject *
ucd_decimal(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_UCS4 ch;
    PyObject *fallback;
    if (char_default_args("decimal", args, nargs, &ch, &fallback) < 0) {
        return NULL;
    }
    int value = _PyUCD_Decimal(ch, is_old(self));
    return value < 0 ? missing(fallback, "not a decimal")
                     : PyLong_FromLong(value);
}

static PyObject *
ucd_digit(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t nargs)
{
    Py_UCS4 ch;
    PyObject *fallback;
    if (char_default_args("digit", args, nargs, &ch, &fallback) < 0) {
        return NULL;
    }
    int value = _PyUnicode_ToDigit(ch);
    return value < 0 ? missing(fallback, "not a digit")
                     : PyLong_FromLong(value);
}

static PyObject *
ucd_numeric(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_UCS4 ch;
    PyObject *fallback;
    if (char_default_args("numeric", args, nargs, &ch, &fallback) < 0) {
        return NULL;
    }
    if (!_PyUnicode_IsNumeric(ch) || !_PyUCD_Assigned(ch, is_old(self))) {
        return missing(fallback, "not a numeric character");
    }
    return PyFloat_FromDouble(_PyUnicode_ToNumeric(ch));
}

/* --------------------------------------------------------------- properties */

#define TEXT_PROPERTY(name, function)                               \
    static PyObject *                                               \
    ucd_##name(PyObject *self, PyObject *arg)                       \
    {                                                               \
        Py_UCS4 ch;                                                 \
        if (char_arg(#name, "argument", arg, &ch) < 0) {            \
            return NULL;                                            \
        }                                                           \
        return PyUnicode_FromString(function(ch, is_old(self)));    \
    }

#define INT_PROPERTY(name, function)                                \
    static PyObject *                                               \
    ucd_##name(PyObject *self, PyObject *arg)                       \
    {                                                               \
        Py_UCS4 ch;                                                 \
        if (char_arg(#name, "argument", arg, &ch) < 0) {            \
            return NULL;                                            \
        }                                                           \
        return PyLong_FromLong(function(ch, is_old(self)));         \
    }

TEXT_PROPERTY(category, _PyUCD_Category)
TEXT_PROPERTY(bidirectional, _PyUCD_Bidirectional)
TEXT_PROPERTY(east_asian_width, _PyUCD_EastAsianWidth)
INT_PROPERTY(combining, _PyUCD_Combining)
INT_PROPERTY(mirrored, _PyUCD_Mirrored)

static PyObject *
ucd_decomposition(PyObject *self, PyObject *arg)
{
    Py_UCS4 ch;
    int length;
    const char *prefix;
    char text[256];
    if (char_arg("decomposition", "argument", arg, &ch) < 0) {
        return NULL;
    }
    /* Later corrections show here, though not in normalize(). */
    const Py_UCS4 *mapping = _PyUCD_Decomposition(ch, 0, &length, &prefix);
    if (!_PyUCD_Assigned(ch, is_old(self))) {
        return PyUnicode_FromString("");
    }
    int n = snprintf(text, sizeof(text), "%s", prefix);
    for (int i = 0; i < length && n < (int)sizeof(text) - 8; i++) {
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%04X",
                      n > 0 ? " " : "", (unsigned int)mapping[i]);
    }
    return PyUnicode_FromStringAndSize(text, n);
}

/* ------------------------------------------------------------ normalisation */

/* 0, or -1 with ValueError. */
static int
form_of(PyObject *name, _PyUCD_Form *form)
{
    static const char *const names[] = {"NFD", "NFKD", "NFC", "NFKC"};
    for (int i = 0; i < 4; i++) {
        if (_PyUnicode_EqualToASCIIString(name, names[i])) {
            *form = (_PyUCD_Form)i;
            return 0;
        }
    }
    PyErr_SetString(PyExc_ValueError, "invalid normalization form");
    return -1;
}

static int
form_args(const char *function, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional(function, nargs, 2, 2)) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        if (!PyUnicode_Check(args[i])) {
            _PyArg_BadArgument(function, i ? "argument 2" : "argument 1",
                               "str", args[i]);
            return -1;
        }
        if (PyUnicode_READY(args[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
ucd_normalize(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    _PyUCD_Form form;
    if (form_args("normalize", args, nargs) < 0) {
        return NULL;
    }
    if (PyUnicode_GET_LENGTH(args[1]) == 0) {
        return PyUnicode_FromObject(args[1]);
    }
    if (form_of(args[0], &form) < 0) {
        return NULL;
    }
    return _PyUCD_Normalize(args[1], form, is_old(self));
}

static PyObject *
ucd_is_normalized(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    _PyUCD_Form form;
    if (form_args("is_normalized", args, nargs) < 0) {
        return NULL;
    }
    if (PyUnicode_GET_LENGTH(args[1]) == 0) {
        Py_RETURN_TRUE;
    }
    if (form_of(args[0], &form) < 0) {
        return NULL;
    }
    int result = _PyUCD_IsNormalized(args[1], form, is_old(self));
    return result < 0 ? NULL : PyBool_FromLong(result);
}

/* -------------------------------------------------------------------- names */

static PyObject *
ucd_name(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_UCS4 ch;
    PyObject *fallback;
    char name[UCD_NAME_MAX];
    if (char_default_args("name", args, nargs, &ch, &fallback) < 0) {
        return NULL;
    }
    if (!_PyUCD_Assigned(ch, is_old(self))
        || !_PyUCD_GetName(ch, name, sizeof(name)))
    {
        return missing(fallback, "no such name");
    }
    return PyUnicode_FromString(name);
}

static PyObject *
ucd_lookup(PyObject *self, PyObject *arg)
{
    Py_ssize_t size;
    const char *name;
    if (!PyArg_Parse(arg, "s#:lookup", &name, &size)) {
        return NULL;
    }
    Py_UCS4 codes[4];
    int count;
    if (size > UCD_NAME_MAX) {
        PyErr_SetString(PyExc_KeyError, "name too long");
        return NULL;
    }
    count = _PyUCD_Lookup(name, (int)size, is_old(self) ? ONLY_NAMES : ALL_NAMES, codes);
    if (count == 0 || (count == 1 && !_PyUCD_Assigned(codes[0], is_old(self)))) {
        PyErr_Format(PyExc_KeyError, "undefined character name '%s'", name);
        return NULL;
    }
    return PyUnicode_FromKindAndData(4, codes, count);
}

/* ------------------------------------------------------------------ \N{...} */

static int
capi_getname(Py_UCS4 code, char *buffer, int buflen,
             int Py_UNUSED(with_alias_and_seq))
{
    return _PyUCD_GetName(code, buffer, buflen);
}

/* One character only: a sequence is not a character. */
static int
capi_getcode(const char *name, int namelen, Py_UCS4 *code,
             int Py_UNUSED(with_named_seq))
{
    Py_UCS4 codes[4];
    if (namelen >= UCD_NAME_MAX
        || _PyUCD_Lookup(name, namelen, NAMES_AND_ALIASES, codes) != 1)
    {
        return 0;
    }
    *code = codes[0];
    return 1;
}

static _PyUnicode_Name_CAPI capi = {capi_getname, capi_getcode};

/* --------------------------------------------------------------- the module */

#define SEVERAL(name, signature, doc)                                   \
    {#name, FAST(ucd_##name),                                           \
     #name "($self, " signature ", /)\n--\n\n" doc}
#define ONE(name, argument, doc)                                        \
    {#name, ucd_##name, METH_O,                                         \
     #name "($self, " argument ", /)\n--\n\n" doc}
#define DEFAULT "chr, default=<unrepresentable>"

static PyMethodDef ucd_methods[] = {
    SEVERAL(decimal, DEFAULT, "The decimal value of the character, an int."),
    SEVERAL(digit, DEFAULT, "The digit value of the character, an int."),
    SEVERAL(numeric, DEFAULT, "The numeric value of the character, a float."),
    ONE(category, "chr", "The general category of the character."),
    ONE(bidirectional, "chr",
        "The bidirectional class of the character, or an empty string."),
    ONE(combining, "chr",
        "The canonical combining class of the character, or 0."),
    ONE(mirrored, "chr",
        "1 if the character is mirrored in bidirectional text, else 0."),
    ONE(east_asian_width, "chr", "The East Asian width of the character."),
    ONE(decomposition, "chr",
        "The decomposition mapping of the character, or an empty string."),
    SEVERAL(name, DEFAULT,
         "The name of the character; without one the default, or "
         "ValueError."),
    ONE(lookup, "name",
        "The character (or the sequence) of a name; KeyError if there is "
        "none."),
    SEVERAL(is_normalized, "form, unistr",
         "Is the string in normal form 'NFC', 'NFKC', 'NFD' or 'NFKD'?"),
    SEVERAL(normalize, "form, unistr",
         "The normal form 'NFC', 'NFKC', 'NFD' or 'NFKD' of the string."),
    {NULL, NULL, 0, NULL},
};

static PyMemberDef ucd_members[] = {
    {"unidata_version", T_STRING, offsetof(UCDObject, version), READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

static void
ucd_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot ucd_slots[] = {
    {Py_tp_dealloc, ucd_dealloc},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_methods, ucd_methods},
    {Py_tp_members, ucd_members},
    {0, NULL},
};

static PyType_Spec ucd_spec = {
    .name = "unicodedata.UCD",
    .basicsize = sizeof(UCDObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION
        | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = ucd_slots,
};

static PyObject *
new_old_database(void)
{
    UCDObject *op = PyObject_New(UCDObject, ucd_type);
    if (op != NULL) {
        op->version = "3.2.0";
    }
    return (PyObject *)op;
}

/* Steals value. */
static int
add(PyObject *module, const char *name, PyObject *value)
{
    int status = PyModule_AddObjectRef(module, name, value);
    Py_XDECREF(value);
    return status;
}

static int
unicodedata_exec(PyObject *module)
{
    if (ucd_type == NULL) {             /* one for all interpreters */
        ucd_type = (PyTypeObject *)PyType_FromSpec(&ucd_spec);
    }
    if (ucd_type == NULL
        || PyModule_AddStringConstant(module, "unidata_version", _PyUCD_version)
            < 0
        || PyModule_AddObjectRef(module, "UCD", (PyObject *)ucd_type) < 0
        || add(module, "ucd_3_2_0", new_old_database()) < 0
        || add(module, "_ucnhash_CAPI",
               PyCapsule_New(&capi, PyUnicodeData_CAPSULE_NAME, NULL)) < 0)
    {
        return -1;
    }
    return 0;
}

static PyModuleDef_Slot unicodedata_slots[] = {
    {Py_mod_exec, unicodedata_exec},
    {0, NULL},
};

static struct PyModuleDef unicodedata_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "unicodedata",
    .m_doc = "The Unicode Character Database: names, properties and "
             "normalisation of\nall Unicode characters.",
    .m_methods = ucd_methods,
    .m_slots = unicodedata_slots,
};

MODULE_INIT(unicodedata)
{
    return PyModuleDef_Init(&unicodedata_module);
}

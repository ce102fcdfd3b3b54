/* The _locale module: what the C library knows about languages and regions, and its
   message catalogues. locale.py builds on it. */
#include "Python.h"
#include "internal/fileutils.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

#include <errno.h>
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <string.h>
#include <wchar.h>


static PyObject *
locale_error(PyObject *module, const char *message)
{
    PyObject *error = PyObject_GetAttrString(module, "Error");
    if (error != NULL) {
        PyErr_SetString(error, message);
        Py_DECREF(error);
    }
    return NULL;
}

static int
wrong_type(const char *function, const char *argument, const char *expected, PyObject *arg)
{
    _PyArg_BadArgument(function, argument, expected, arg);
    return 0;
}

/* A str argument as UTF-8, without NUL inside. 1, or 0 with an exception. */
static int
text_arg(const char *function, const char *argument, PyObject *arg, const char **text)
{
    Py_ssize_t n;
    if (!PyUnicode_Check(arg)) {
        return wrong_type(function, argument, "str", arg);
    }
    *text = PyUnicode_AsUTF8AndSize(arg, &n);
    if (*text != NULL && strlen(*text) != (size_t)n) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        *text = NULL;
    }
    return *text != NULL;
}

/* The same, or None: NULL. */
static int
optional_text_arg(const char *function, const char *argument, PyObject *arg, const char **text)
{
    *text = NULL;
    if (arg == Py_None) {
        return 1;
    }
    return PyUnicode_Check(arg) ? text_arg(function, argument, arg, text)
        : wrong_type(function, argument, "str or None", arg);
}

static PyObject *
decode(const char *text)
{
    return PyUnicode_DecodeLocale(text, NULL);
}

/* ------------------------------------------------------------------ locales */

static PyObject *
locale_setlocale(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    const char *locale = NULL;
    if (!_PyArg_CheckPositional("setlocale", nargs, 1, 2)) {
        return NULL;
    }
    int category = _PyLong_AsInt(args[0]);
    if ((category == -1 && PyErr_Occurred())
        || (nargs == 2 && !optional_text_arg("setlocale", "argument 2", args[1], &locale))) {
        return NULL;
    }
    const char *now = setlocale(category, locale);
    if (now == NULL) {
        return locale_error(module, locale != NULL ? "unsupported locale setting"
                            : "locale query failed");
    }
    return decode(now);
}

/* A string of localeconv() is in its category's encoding, which may differ from
   LC_CTYPE's: LC_CTYPE is changed while the string is decoded. */
static PyObject *
decode_in_category(int category, const char *text)
{
    const char *p = text;
    while (*p != '\0' && (unsigned char)*p < 128) {
        p++;
    }
    if (*p == '\0') {
        return PyUnicode_FromString(text);
    }
    PyObject *result = NULL;
    char *copy = strdup(text);              /* setlocale() may overwrite it */
    char *before = strdup(setlocale(LC_CTYPE, NULL));
    if (copy == NULL || before == NULL) {
        PyErr_NoMemory();
    }
    else {
        const char *wanted = setlocale(category, NULL);
        int differs = wanted != NULL && strcmp(wanted, before) != 0
            && setlocale(LC_CTYPE, wanted) != NULL;
        result = decode(copy);
        if (differs) {
            setlocale(LC_CTYPE, before);
        }
    }
    free(copy);
    free(before);
    return result;
}

/* Sizes of groups of digits. The last element says how to continue: 0 repeats the one
   before, CHAR_MAX ends grouping. */
static PyObject *
grouping_list(const char *sizes)
{
    PyObject *list = PyList_New(0);
    if (sizes[0] == '\0') {
        return list;
    }
    for (const char *p = sizes; list != NULL; p++) {
        PyObject *size = PyLong_FromLong(*p);
        if (size == NULL || PyList_Append(list, size) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(size);
        if (*p == '\0' || *p == CHAR_MAX) {
            break;
        }
    }
    return list;
}

static PyObject *
locale_localeconv(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    struct lconv conv;
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return NULL;
    }
    /* The strings stay valid: the code below does not change their categories, and glibc
       returns pointers into the locale's data. */
    memcpy(&conv, localeconv(), sizeof(conv));
    const struct {
        const char *key;
        enum { TEXT, NUMBER, GROUPING } is;
        const char *text;
        int category, number;
    } items[] = {
#define MONEY(name) {#name, TEXT, conv.name, LC_MONETARY, 0}
#define DIGITS(name) {#name, NUMBER, NULL, 0, conv.name}
        MONEY(int_curr_symbol), MONEY(currency_symbol), MONEY(mon_decimal_point),
        MONEY(mon_thousands_sep),
        {"mon_grouping", GROUPING, conv.mon_grouping, LC_MONETARY, 0},
        MONEY(positive_sign), MONEY(negative_sign),
        DIGITS(int_frac_digits), DIGITS(frac_digits), DIGITS(p_cs_precedes),
        DIGITS(p_sep_by_space), DIGITS(n_cs_precedes), DIGITS(n_sep_by_space),
        DIGITS(p_sign_posn), DIGITS(n_sign_posn),
        {"decimal_point", TEXT, conv.decimal_point, LC_NUMERIC, 0},
        {"thousands_sep", TEXT, conv.thousands_sep, LC_NUMERIC, 0},
        {"grouping", GROUPING, conv.grouping, LC_NUMERIC, 0},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(items); i++) {
        PyObject *value = items[i].is == NUMBER ? PyLong_FromLong(items[i].number)
            : items[i].is == GROUPING ? grouping_list(items[i].text)
            : decode_in_category(items[i].category, items[i].text);
        int rc = value == NULL ? -1 : PyDict_SetItemString(dict, items[i].key, value);
        Py_XDECREF(value);
        if (rc < 0) {
            Py_DECREF(dict);
            return NULL;
        }
    }
    return dict;
}

static PyObject *
locale_getencoding(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return _Py_GetLocaleEncodingObject();
}

/* ---------------------------------------------------------------- collation */

static PyObject *
locale_strcoll(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("strcoll", nargs, 2, 2)) {
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        if (!PyUnicode_Check(args[i])) {
            _PyArg_BadArgument("strcoll", i == 0 ? "argument 1" : "argument 2", "str", args[i]);
            return NULL;
        }
    }
    PyObject *result = NULL;
    wchar_t *a = PyUnicode_AsWideCharString(args[0], NULL);
    wchar_t *b = a == NULL ? NULL : PyUnicode_AsWideCharString(args[1], NULL);
    if (b != NULL) {
        result = PyLong_FromLong(wcscoll(a, b));
    }
    PyMem_Free(a);
    PyMem_Free(b);
    return result;
}

static PyObject *
locale_strxfrm(PyObject *Py_UNUSED(module), PyObject *arg)
{
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument("strxfrm", "argument", "str", arg);
        return NULL;
    }
    PyObject *result = NULL;
    wchar_t *text = PyUnicode_AsWideCharString(arg, NULL), *buf = NULL;
    if (text == NULL) {
        return NULL;
    }
    size_t room = wcslen(text) + 1, need;
    for (;;) {
        wchar_t *bigger = PyMem_New(wchar_t, room);
        if (bigger == NULL) {
            PyErr_NoMemory();
            break;
        }
        PyMem_Free(buf);
        buf = bigger;
        errno = 0;
        need = wcsxfrm(buf, text, room);
        if (errno != 0 && errno != ERANGE) {
            PyErr_SetFromErrno(PyExc_OSError);
            break;
        }
        if (need < room) {
            result = PyUnicode_FromWideChar(buf, (Py_ssize_t)need);
            break;
        }
        room = need + 1;
    }
    PyMem_Free(buf);
    PyMem_Free(text);
    return result;
}

/* -------------------------------------------------------------- nl_langinfo */

#define ITEM(name) {#name, name}
static const struct {
    const char *name;
    int key;
} langinfo_items[] = {
    ITEM(DAY_1), ITEM(DAY_2), ITEM(DAY_3), ITEM(DAY_4), ITEM(DAY_5), ITEM(DAY_6), ITEM(DAY_7),
    ITEM(ABDAY_1), ITEM(ABDAY_2), ITEM(ABDAY_3), ITEM(ABDAY_4), ITEM(ABDAY_5), ITEM(ABDAY_6),
    ITEM(ABDAY_7),
    ITEM(MON_1), ITEM(MON_2), ITEM(MON_3), ITEM(MON_4), ITEM(MON_5), ITEM(MON_6), ITEM(MON_7),
    ITEM(MON_8), ITEM(MON_9), ITEM(MON_10), ITEM(MON_11), ITEM(MON_12),
    ITEM(ABMON_1), ITEM(ABMON_2), ITEM(ABMON_3), ITEM(ABMON_4), ITEM(ABMON_5), ITEM(ABMON_6),
    ITEM(ABMON_7), ITEM(ABMON_8), ITEM(ABMON_9), ITEM(ABMON_10), ITEM(ABMON_11),
    ITEM(ABMON_12),
    ITEM(RADIXCHAR), ITEM(THOUSEP), ITEM(YESEXPR), ITEM(NOEXPR), ITEM(CRNCYSTR),
    ITEM(D_FMT), ITEM(D_T_FMT), ITEM(T_FMT), ITEM(T_FMT_AMPM), ITEM(AM_STR), ITEM(PM_STR),
    ITEM(CODESET), ITEM(ERA), ITEM(ERA_D_FMT), ITEM(ERA_D_T_FMT), ITEM(ERA_T_FMT),
    ITEM(ALT_DIGITS),
#ifdef _DATE_FMT
    ITEM(_DATE_FMT),
#endif
};

static PyObject *
locale_nl_langinfo(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int key = _PyLong_AsInt(arg);
    if (key == -1 && PyErr_Occurred()) {
        return NULL;
    }
    /* glibc may crash on undefined numbers. */
    for (size_t i = 0; i < Py_ARRAY_LENGTH(langinfo_items); i++) {
        if (langinfo_items[i].key == key) {
            const char *text = nl_langinfo(key);
            return decode(text != NULL ? text : "");
        }
    }
    PyErr_SetString(PyExc_ValueError, "unsupported langinfo constant");
    return NULL;
}

/* ----------------------------------------------------------------- messages */

static PyObject *
locale_gettext(PyObject *Py_UNUSED(module), PyObject *arg)
{
    const char *msg;
    return text_arg("gettext", "argument", arg, &msg) ? decode(gettext(msg)) : NULL;
}

static PyObject *
locale_dgettext(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    const char *domain, *msg;
    if (!_PyArg_CheckPositional("dgettext", nargs, 2, 2)
        || !optional_text_arg("dgettext", "argument 1", args[0], &domain)
        || !text_arg("dgettext", "argument 2", args[1], &msg)) {
        return NULL;
    }
    return decode(dgettext(domain, msg));
}

static PyObject *
locale_dcgettext(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    const char *domain, *msg;
    if (!_PyArg_CheckPositional("dcgettext", nargs, 3, 3)
        || !optional_text_arg("dcgettext", "argument 1", args[0], &domain)
        || !text_arg("dcgettext", "argument 2", args[1], &msg)) {
        return NULL;
    }
    int category = _PyLong_AsInt(args[2]);
    if (category == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return decode(dcgettext(domain, msg, category));
}

static PyObject *
decode_or_errno(const char *text)
{
    return text != NULL ? decode(text) : PyErr_SetFromErrno(PyExc_OSError);
}

static PyObject *
locale_textdomain(PyObject *Py_UNUSED(module), PyObject *arg)
{
    const char *domain;
    return optional_text_arg("textdomain", "argument", arg, &domain)
        ? decode_or_errno(textdomain(domain)) : NULL;
}

static PyObject *
locale_bindtextdomain(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    const char *domain;
    PyObject *dir = NULL;
    if (!_PyArg_CheckPositional("bindtextdomain", nargs, 2, 2)
        || !text_arg("bindtextdomain", "argument 1", args[0], &domain)) {
        return NULL;
    }
    if (domain[0] == '\0') {
        return locale_error(module, "domain must be a non-empty string");
    }
    if (args[1] != Py_None && !PyUnicode_FSConverter(args[1], &dir)) {
        return NULL;
    }
    PyObject *result = decode_or_errno(
        bindtextdomain(domain, dir == NULL ? NULL : PyBytes_AS_STRING(dir)));
    Py_XDECREF(dir);
    return result;
}

static PyObject *
locale_bind_textdomain_codeset(PyObject *Py_UNUSED(module), PyObject *const *args,
                               Py_ssize_t nargs)
{
    const char *domain, *codeset;
    if (!_PyArg_CheckPositional("bind_textdomain_codeset", nargs, 2, 2)
        || !text_arg("bind_textdomain_codeset", "argument 1", args[0], &domain)
        || !optional_text_arg("bind_textdomain_codeset", "argument 2", args[1], &codeset)) {
        return NULL;
    }
    const char *now = bind_textdomain_codeset(domain, codeset);
    return now != NULL ? decode(now) : Py_NewRef(Py_None);
}

/* --------------------------------------------------------------- the module */

static PyMethodDef locale_methods[] = {
    {"setlocale", FAST(locale_setlocale),
     "setlocale($module, category, locale=<unrepresentable>, /)\n--\n\n"
     "Sets the locale of a category, or tells it."},
    {"localeconv", locale_localeconv, METH_NOARGS,
     "localeconv($module, /)\n--\n\nHow numbers and amounts of money are written."},
    {"strcoll", FAST(locale_strcoll),
     "strcoll($module, os1, os2, /)\n--\n\nCompares two strings as the locale orders them."},
    {"strxfrm", locale_strxfrm, METH_O,
     "strxfrm($module, string, /)\n--\n\nA key that sorts as the locale orders strings."},
    {"nl_langinfo", locale_nl_langinfo, METH_O,
     "nl_langinfo($module, key, /)\n--\n\nAn item of the locale."},
    {"getencoding", locale_getencoding, METH_NOARGS,
     "getencoding($module, /)\n--\n\nThe locale's encoding."},
    {"gettext", locale_gettext, METH_O,
     "gettext($module, msg, /)\n--\n\nThe translation of a message."},
    {"dgettext", FAST(locale_dgettext),
     "dgettext($module, domain, msg, /)\n--\n\nThe translation of a domain's message."},
    {"dcgettext", FAST(locale_dcgettext),
     "dcgettext($module, domain, msg, category, /)\n--\n\n"
     "The translation of a domain's message in a category's locale."},
    {"textdomain", locale_textdomain, METH_O,
     "textdomain($module, domain, /)\n--\n\nSets the domain of messages, or tells it."},
    {"bindtextdomain", FAST(locale_bindtextdomain),
     "bindtextdomain($module, domain, dir, /)\n--\n\n"
     "Sets the directory of a domain's catalogues, or tells it."},
    {"bind_textdomain_codeset", FAST(locale_bind_textdomain_codeset),
     "bind_textdomain_codeset($module, domain, codeset, /)\n--\n\n"
     "Sets the encoding of a domain's translations, or tells it."},
    {NULL, NULL, 0, NULL}
};

static int
locale_exec(PyObject *module)
{
    static const struct {
        const char *name;
        int value;
    } categories[] = {
        ITEM(LC_CTYPE), ITEM(LC_TIME), ITEM(LC_COLLATE), ITEM(LC_MONETARY), ITEM(LC_MESSAGES),
        ITEM(LC_NUMERIC), ITEM(LC_ALL), ITEM(CHAR_MAX),
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(categories); i++) {
        if (PyModule_AddIntConstant(module, categories[i].name, categories[i].value) < 0) {
            return -1;
        }
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(langinfo_items); i++) {
        if (PyModule_AddIntConstant(module, langinfo_items[i].name, langinfo_items[i].key) < 0) {
            return -1;
        }
    }
    PyObject *error = PyErr_NewException("locale.Error", NULL, NULL);
    int rc = error == NULL ? -1 : PyModule_AddObjectRef(module, "Error", error);
    Py_XDECREF(error);
    return rc;
}

static PyModuleDef_Slot locale_slots[] = {{Py_mod_exec, locale_exec}, {0, NULL}};

static struct PyModuleDef locale_module = {
    PyModuleDef_HEAD_INIT, "_locale", "Support for POSIX locales.", 0, locale_methods,
    locale_slots, NULL, NULL, NULL
};

MODULE_INIT(_locale)
{
    return PyModuleDef_Init(&locale_module);
}

/* strftime(): the C library does most of the work; %z, %Z and %f are replaced in the
   format first. */

#include "datetime_module.h"
#include "internal/names.h"

PyObject *
_dt_call_module(PyObject *name, PyObject *function, PyObject *args)
{
    if (args == NULL) {
        return NULL;
    }
    PyObject *result = NULL, *callable = NULL;
    PyObject *module = PyImport_ImportModuleLevelObject(name, NULL, NULL, NULL, 0);
    if (module != NULL) {
        callable = PyObject_GetAttr(module, function);
        Py_DECREF(module);
    }
    if (callable != NULL) {
        result = PyObject_CallObject(callable, args);
        Py_DECREF(callable);
    }
    Py_DECREF(args);
    return result;
}

PyObject *
_dt_struct_time(int year, int month, int day, int hour, int minute,
                int second, int dst)
{
    const int values[] = {
        year, month, day, hour, minute, second, _dt_weekday(year, month, day),
        _dt_days_before_month(year, month) + day, dst,
    };
    PyObject *tuple = PyTuple_New(Py_ARRAY_LENGTH(values));
    if (tuple == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(values); i++) {
        PyObject *value = PyLong_FromLong(values[i]);
        if (value == NULL) {
            Py_DECREF(tuple);
            return NULL;
        }
        PyTuple_SET_ITEM(tuple, i, value);
    }
    PyObject *args = PyTuple_Pack(1, tuple);
    Py_DECREF(tuple);
    return _dt_call_module(_Py_NAME(time), _Py_NAME(struct_time), args);
}

/* object.tzinfo: new reference. */
static PyObject *
tzinfo_of(PyObject *object)
{
    if (PyDateTime_Check(object)) {
        return Py_NewRef(_dt_datetime_tzinfo(object));
    }
    if (PyTime_Check(object)) {
        return Py_NewRef(_dt_time_tzinfo(object));
    }
    Py_RETURN_NONE;
}

static PyObject *
replacement_for_z(PyObject *object, PyObject *tzinfo_arg)
{
    char text[40];
    PyObject *tzinfo = tzinfo_of(object);
    int status = _dt_format_offset(text, sizeof(text), "", tzinfo,
                                   tzinfo_arg);
    Py_DECREF(tzinfo);
    return status < 0 ? NULL : PyUnicode_FromString(text);
}

static PyObject *
replacement_for_Z(PyObject *object, PyObject *tzinfo_arg)
{
    PyObject *tzinfo = tzinfo_of(object);
    PyObject *name = _dt_tzname(tzinfo, tzinfo_arg);
    Py_DECREF(tzinfo);
    if (name == NULL) {
        return NULL;
    }
    if (name == Py_None) {
        Py_DECREF(name);
        return PyUnicode_FromString("");
    }
    /* A % is doubled, because the text goes through strftime() once more. */
    Py_SETREF(name, PyObject_CallMethod(name, "replace", "ss", "%", "%%"));
    if (name != NULL && PyUnicode_AsUTF8(name) == NULL) {
        Py_CLEAR(name);
    }
    return name;
}

static PyObject *
replacement_for_f(PyObject *object)
{
    int us = PyTime_Check(object) ? PyDateTime_TIME_GET_MICROSECOND(object)
        : PyDateTime_Check(object) ? PyDateTime_DATE_GET_MICROSECOND(object)
        : 0;
    char text[16];
    PyOS_snprintf(text, sizeof(text), "%06d", us);
    return PyUnicode_FromString(text);
}

/* Appends the replacement of a code to *list, or NULL for a code that the library
   handles. */
static int
append_replacement(PyObject *list, PyObject *object, Py_UCS4 code,
                   PyObject *tzinfo_arg, PyObject **cache)
{
    int slot = code == 'z' ? 0 : code == 'Z' ? 1 : 2;
    if (cache[slot] == NULL) {
        cache[slot] = slot == 0 ? replacement_for_z(object, tzinfo_arg)
            : slot == 1 ? replacement_for_Z(object, tzinfo_arg)
            : replacement_for_f(object);
        if (cache[slot] == NULL) {
            return -1;
        }
    }
    return PyList_Append(list, cache[slot]);
}

static int
append_substring(PyObject *list, PyObject *format, Py_ssize_t start,
                 Py_ssize_t end)
{
    PyObject *part = PyUnicode_Substring(format, start, end);
    if (part == NULL) {
        return -1;
    }
    int status = PyList_Append(list, part);
    Py_DECREF(part);
    return status;
}

/* Does the format have a code that the library lacks? */
static int
needs_expansion(PyObject *format)
{
    int kind = PyUnicode_KIND(format);
    const void *data = PyUnicode_DATA(format);
    Py_ssize_t n = PyUnicode_GET_LENGTH(format);
    for (Py_ssize_t i = 0; i + 1 < n; i++) {
        if (PyUnicode_READ(kind, data, i) == '%') {
            Py_UCS4 code = PyUnicode_READ(kind, data, ++i);
            if (code == 'z' || code == 'Z' || code == 'f') {
                return 1;
            }
        }
    }
    return 0;
}

/* The format with %z, %Z and %f replaced: a new reference. */
static PyObject *
expand_format(PyObject *object, PyObject *format, PyObject *tzinfo_arg)
{
    PyObject *cache[3] = {NULL, NULL, NULL}, *result = NULL;
    Py_ssize_t n = PyUnicode_GET_LENGTH(format), start = 0;
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i + 1 < n; i++) {
        if (PyUnicode_READ_CHAR(format, i) != '%') {
            continue;
        }
        Py_UCS4 code = PyUnicode_READ_CHAR(format, i + 1);
        if (code == 'z' || code == 'Z' || code == 'f') {
            if (append_substring(list, format, start, i) < 0
                || append_replacement(list, object, code, tzinfo_arg,
                                      cache) < 0) {
                goto done;
            }
            start = i + 2;
        }
        i++;
    }
    if (append_substring(list, format, start, n) < 0) {
        goto done;
    }
    PyObject *nothing = PyUnicode_FromString("");
    if (nothing != NULL) {
        result = PyUnicode_Join(nothing, list);
        Py_DECREF(nothing);
    }
done:
    for (int i = 0; i < 3; i++) {
        Py_XDECREF(cache[i]);
    }
    Py_DECREF(list);
    return result;
}

PyObject *
_dt_wrap_strftime(PyObject *object, PyObject *format, PyObject *timetuple,
                  PyObject *tzinfo_arg)
{
    if (PyUnicode_READY(format) < 0) {
        return NULL;
    }
    /* Text that cannot be encoded is refused, even if the library accepts wide
       characters. A format ends at its first null character. */
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(format, &size);
    if (utf8 == NULL) {
        return NULL;
    }
    PyObject *expanded = NULL;
    format = strlen(utf8) == (size_t)size ? Py_NewRef(format) : PyUnicode_FromString(utf8);
    if (format != NULL) {
        expanded = needs_expansion(format)
            ? expand_format(object, format, tzinfo_arg) : Py_NewRef(format);
        Py_DECREF(format);
    }
    if (expanded == NULL) {
        return NULL;
    }
    PyObject *args = PyTuple_Pack(2, expanded, timetuple);
    Py_DECREF(expanded);
    return _dt_call_module(_Py_NAME(time), _Py_NAME(strftime), args);
}

PyObject *
_dt_format_method(PyObject *self, PyObject *args)
{
    PyObject *format;
    if (!PyArg_ParseTuple(args, "U:__format__", &format)) {
        return NULL;
    }
    if (PyUnicode_GetLength(format) == 0) {
        return PyObject_Str(self);
    }
    return PyObject_CallMethodOneArg(self, _Py_NAME(strftime), format);
}

PyObject *
_dt_ctime(PyObject *date, int hour, int minute, int second)
{
    static const char days[7][4] = {
        "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
    };
    static const char months[12][4] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun",
        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    };
    int year = PyDateTime_GET_YEAR(date), month = PyDateTime_GET_MONTH(date);
    int day = PyDateTime_GET_DAY(date);
    char text[64];
    PyOS_snprintf(text, sizeof(text), "%s %s %2d %02d:%02d:%02d %04d",
                  days[_dt_weekday(year, month, day)], months[month - 1], day,
                  hour, minute, second, year);
    return PyUnicode_FromString(text);
}

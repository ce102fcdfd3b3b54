/* date, and IsoCalendarDate: what isocalendar() returns. */

#include "datetime_module.h"
#include "internal/compare.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include <time.h>

#define SELF(op) ((PyDateTime_Date *)(op))
#define YEAR PyDateTime_GET_YEAR
#define MONTH PyDateTime_GET_MONTH
#define DAY PyDateTime_GET_DAY

/* ------------------------------------------------------------- construction */

PyObject *
_dt_new_date(int year, int month, int day, PyTypeObject *type)
{
    if (_dt_check_date(year, month, day) < 0) {
        return NULL;
    }
    PyDateTime_Date *self = (PyDateTime_Date *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->hashcode = -1;
        self->hastzinfo = 0;
        self->data[0] = (unsigned char)(year >> 8);
        self->data[1] = (unsigned char)year;
        self->data[2] = (unsigned char)month;
        self->data[3] = (unsigned char)day;
    }
    return (PyObject *)self;
}

/* cls(year, month, day); a subclass is called through Python. */
static PyObject *
new_date_of_class(int year, int month, int day, PyObject *cls)
{
    if (cls == (PyObject *)&_PyDateTime_DateType) {
        return _dt_new_date(year, month, day, (PyTypeObject *)cls);
    }
    if (cls == (PyObject *)&_PyDateTime_DateTimeType) {
        return _dt_new_datetime(year, month, day, 0, 0, 0, 0, Py_None, 0,
                                (PyTypeObject *)cls);
    }
    return PyObject_CallFunction(cls, "iii", year, month, day);
}

const char *
_dt_state_bytes(PyObject *op, Py_ssize_t n, int i, int low, int high,
                PyObject **owner)
{
    const char *bytes;
    *owner = NULL;
    if (PyBytes_Check(op)) {
        if (PyBytes_GET_SIZE(op) != n) {
            return NULL;
        }
        *owner = Py_NewRef(op);
    }
    else if (PyUnicode_Check(op)) {
        if (PyUnicode_READY(op) < 0 || PyUnicode_GET_LENGTH(op) != n) {
            return NULL;
        }
        int value = (int)(PyUnicode_READ_CHAR(op, i) & 0x7f);
        if (value < low || value > high) {
            return NULL;
        }
        *owner = PyUnicode_AsLatin1String(op);
        if (*owner == NULL) {
            if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
                PyErr_SetString(PyExc_ValueError,
                                n == _PyDateTime_DATE_DATASIZE
                                ? "Failed to encode latin1 string when "
                                  "unpickling a date object. "
                                  "pickle.load(data, encoding='latin1') is "
                                  "assumed."
                                : n == _PyDateTime_TIME_DATASIZE
                                ? "Failed to encode latin1 string when "
                                  "unpickling a time object. "
                                  "pickle.load(data, encoding='latin1') is "
                                  "assumed."
                                : "Failed to encode latin1 string when "
                                  "unpickling a datetime object. "
                                  "pickle.load(data, encoding='latin1') is "
                                  "assumed.");
            }
            return NULL;
        }
    }
    else {
        return NULL;
    }
    bytes = PyBytes_AS_STRING(*owner);
    int value = bytes[i] & 0x7f;
    if (value < low || value > high) {
        Py_CLEAR(*owner);
        return NULL;
    }
    return bytes;
}

static PyObject *
date_from_state(PyTypeObject *type, const char *state)
{
    PyDateTime_Date *self = (PyDateTime_Date *)type->tp_alloc(type, 0);
    if (self != NULL) {
        memcpy(self->data, state, _PyDateTime_DATE_DATASIZE);
        self->hashcode = -1;
        self->hastzinfo = 0;
    }
    return (PyObject *)self;
}

static char *date_keywords[] = {"year", "month", "day", NULL};

static PyObject *
date_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    int year, month, day;
    if (PyTuple_GET_SIZE(args) == 1) {
        PyObject *owner;
        const char *state = _dt_state_bytes(PyTuple_GET_ITEM(args, 0),
                                            _PyDateTime_DATE_DATASIZE, 2, 1,
                                            12, &owner);
        if (state != NULL) {
            PyObject *self = date_from_state(type, state);
            Py_DECREF(owner);
            return self;
        }
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "iii", date_keywords, &year,
                                     &month, &day)) {
        return NULL;
    }
    return _dt_new_date(year, month, day, type);
}

PyObject *
_dt_date_fromtimestamp(PyObject *cls, PyObject *timestamp)
{
    time_t when;
    struct tm tm;
    if (_PyTime_ObjectToTime_t(timestamp, &when, _PyTime_ROUND_FLOOR) < 0
        || _PyTime_localtime(when, &tm) < 0) {
        return NULL;
    }
    return new_date_of_class(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
                             cls);
}

static PyObject *
date_today(PyObject *cls, PyObject *Py_UNUSED(ignored))
{
    if (cls == (PyObject *)&_PyDateTime_DateType) {
        struct tm tm;
        if (_PyTime_localtime(time(NULL), &tm) < 0) {
            return NULL;
        }
        return _dt_new_date(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
                            &_PyDateTime_DateType);
    }
    /* A subclass may have its own fromtimestamp(). */
    PyObject *now = _dt_call_module(_Py_NAME(time), _Py_NAME(time), PyTuple_New(0));
    if (now == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallMethod(cls, "fromtimestamp", "O", now);
    Py_DECREF(now);
    return result;
}

static PyObject *
date_fromordinal(PyObject *cls, PyObject *args)
{
    int ordinal, year, month, day;
    if (!PyArg_ParseTuple(args, "i:fromordinal", &ordinal)) {
        return NULL;
    }
    if (ordinal < 1) {
        PyErr_SetString(PyExc_ValueError, "ordinal must be >= 1");
        return NULL;
    }
    _dt_ord_to_ymd(ordinal, &year, &month, &day);
    return new_date_of_class(year, month, day, cls);
}

static PyObject *
date_fromisoformat(PyObject *cls, PyObject *str)
{
    Py_ssize_t len;
    int year, month, day;
    if (!PyUnicode_Check(str)) {
        PyErr_SetString(PyExc_TypeError,
                        "fromisoformat: argument must be str");
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(str, &len);
    if (text == NULL) {
        PyErr_Clear();
        return _dt_invalid_isoformat(str);
    }
    if ((len != 7 && len != 8 && len != 10)
        || _dt_parse_date(text, len, &year, &month, &day) < 0) {
        return _dt_invalid_isoformat(str);
    }
    return new_date_of_class(year, month, day, cls);
}

static PyObject *
date_fromisocalendar(PyObject *cls, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"year", "week", "day", NULL};
    int iso_year, week, weekday, year, month, day;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "iii:fromisocalendar",
                                     keywords, &iso_year, &week, &weekday)) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_SetString(PyExc_ValueError,
                            "ISO calendar component out of range");
        }
        return NULL;
    }
    switch (_dt_iso_to_ymd(iso_year, week, weekday, &year, &month, &day)) {
    case -4:
        PyErr_Format(PyExc_ValueError, "Year is out of range: %d", iso_year);
        return NULL;
    case -2:
        PyErr_Format(PyExc_ValueError, "Invalid week: %d", week);
        return NULL;
    case -3:
        PyErr_Format(PyExc_ValueError, "Invalid day: %d (range is [1, 7])",
                     weekday);
        return NULL;
    }
    return new_date_of_class(year, month, day, cls);
}

/* --------------------------------------------------------------- arithmetic */

static PyObject *
date_plus(PyObject *date, PyObject *delta, int factor)
{
    int year = YEAR(date), month = MONTH(date);
    int64_t days = DAY(date)
        + (int64_t)factor * ((PyDateTime_Delta *)delta)->days;
    int day = (int)days;
    if (_dt_normalize_date(&year, &month, &day) < 0) {
        return NULL;
    }
    return new_date_of_class(year, month, day, (PyObject *)Py_TYPE(date));
}

static PyObject *
date_add(PyObject *a, PyObject *b)
{
    if (PyDateTime_Check(a) || PyDateTime_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyDate_Check(a)) {
        if (PyDelta_Check(b)) {
            return date_plus(a, b, 1);
        }
    }
    else if (PyDelta_Check(a)) {
        return date_plus(b, a, 1);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
date_subtract(PyObject *a, PyObject *b)
{
    if (PyDateTime_Check(a) || PyDateTime_Check(b) || !PyDate_Check(a)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyDate_Check(b)) {
        int difference = _dt_ymd_to_ord(YEAR(a), MONTH(a), DAY(a))
            - _dt_ymd_to_ord(YEAR(b), MONTH(b), DAY(b));
        return _dt_new_delta(difference, 0, 0, 0, &_PyDateTime_DeltaType);
    }
    if (PyDelta_Check(b)) {
        return date_plus(a, b, -1);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

PyObject *
_dt_compare_error(PyObject *a, PyObject *b)
{
    PyErr_Format(PyExc_TypeError, "can't compare %s to %s",
                 Py_TYPE(a)->tp_name, Py_TYPE(b)->tp_name);
    return NULL;
}

int
_dt_date_quick_compare(PyObject *a, PyObject *b, int op)
{
    return _Py_OrderSatisfies(memcmp(SELF(a)->data, SELF(b)->data,
                                     _PyDateTime_DATE_DATASIZE), op);
}

static PyObject *
date_richcompare(PyObject *self, PyObject *other, int op)
{
    if (!PyDate_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(_dt_date_quick_compare(self, other, op));
}

static Py_hash_t
date_hash(PyObject *self)
{
    if (SELF(self)->hashcode == -1) {
        SELF(self)->hashcode = _Py_HashBytes(SELF(self)->data,
                                             _PyDateTime_DATE_DATASIZE);
    }
    return SELF(self)->hashcode;
}

/* --------------------------------------------------------------------- text */

static PyObject *
date_repr(PyObject *self)
{
    return PyUnicode_FromFormat("%s(%d, %d, %d)", Py_TYPE(self)->tp_name,
                                YEAR(self), MONTH(self), DAY(self));
}

static PyObject *
date_isoformat(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    char text[DATE_LENGTH];
    (void)_dt_put_date(text, YEAR(self), MONTH(self), DAY(self));
    return _PyUnicode_FromASCII(text, DATE_LENGTH);
}

static PyObject *
date_str(PyObject *self)
{
    return PyObject_CallMethodNoArgs(self, _Py_NAME(isoformat));
}

static PyObject *
date_ctime(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_ctime(self, 0, 0, 0);
}

/* Inherited by datetime. */
static PyObject *
date_strftime(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"format", NULL};
    PyObject *format;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "U:strftime", keywords,
                                     &format)) {
        return NULL;
    }
    PyObject *timetuple = PyObject_CallMethodNoArgs(self, _Py_NAME(timetuple));
    if (timetuple == NULL) {
        return NULL;
    }
    PyObject *result = _dt_wrap_strftime(self, format, timetuple, self);
    Py_DECREF(timetuple);
    return result;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
date_timetuple(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_struct_time(YEAR(self), MONTH(self), DAY(self), 0, 0, 0, -1);
}

static PyObject *
date_toordinal(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_dt_ymd_to_ord(YEAR(self), MONTH(self),
                                          DAY(self)));
}

static PyObject *
date_weekday(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_dt_weekday(YEAR(self), MONTH(self), DAY(self)));
}

static PyObject *
date_isoweekday(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(_dt_weekday(YEAR(self), MONTH(self), DAY(self))
                           + 1);
}

static PyObject *
date_replace(PyObject *self, PyObject *args, PyObject *kwds)
{
    int year = YEAR(self), month = MONTH(self), day = DAY(self);
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|iii:replace",
                                     date_keywords, &year, &month, &day)) {
        return NULL;
    }
    return _dt_new_from_fields(Py_TYPE(self), Py_BuildValue("(iii)", year, month, day));
}

static PyObject *
date_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(y#)", Py_TYPE(self), SELF(self)->data,
                         (Py_ssize_t)_PyDateTime_DATE_DATASIZE);
}

static PyObject *
date_isocalendar(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int year = YEAR(self);
    int monday = _dt_iso_week1_monday(year);
    int today = _dt_ymd_to_ord(year, MONTH(self), DAY(self));
    if (today < monday) {
        monday = _dt_iso_week1_monday(--year);
    }
    else if (today >= monday + 52 * 7
             && today >= _dt_iso_week1_monday(year + 1)) {
        monday = _dt_iso_week1_monday(++year);
    }
    PyTypeObject *type = &_PyDateTime_IsoCalendarDateType;
    PyObject *result = type->tp_alloc(type, 3);
    if (result == NULL) {
        return NULL;
    }
    const int fields[3] = {
        year, (today - monday) / 7 + 1, (today - monday) % 7 + 1,
    };
    for (int i = 0; i < 3; i++) {
        PyObject *field = PyLong_FromLong(fields[i]);
        if (field == NULL) {
            Py_DECREF(result);
            return NULL;
        }
        PyTuple_SET_ITEM(result, i, field);
    }
    return result;
}

static PyGetSetDef date_getset[] = {
    {"year", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Date, data[0], 2)},
    {"month", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Date, data[2], 1)},
    {"day", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Date, data[3], 1)},
    {NULL, NULL, NULL, NULL, NULL}
};


static PyMethodDef date_methods[] = {
    {"fromtimestamp", _dt_date_fromtimestamp, METH_O | METH_CLASS,
     "fromtimestamp($type, timestamp, /)\n--\n\n"
     "The local date of seconds since the Epoch, as time.time() has them."},
    {"fromordinal", date_fromordinal, METH_VARARGS | METH_CLASS,
     "int -> date corresponding to a proleptic Gregorian ordinal."},
    {"fromisoformat", date_fromisoformat, METH_O | METH_CLASS,
     "str -> Construct a date from a string in ISO 8601 format."},
    {"fromisocalendar", VAR_KEYWORDS(date_fromisocalendar) | METH_CLASS,
     "int, int, int -> Construct a date from the ISO year, week number and "
     "weekday.\n\nThe inverse of date.isocalendar()."},
    {"today", date_today, METH_NOARGS | METH_CLASS,
     "Current date or datetime:  same as "
     "self.__class__.fromtimestamp(time.time())."},
    {"ctime", date_ctime, METH_NOARGS, "Return ctime() style string."},
    {"strftime", VAR_KEYWORDS(date_strftime),
     "format -> strftime() style string."},
    {"__format__", _dt_format_method, METH_VARARGS,
     "Formats self with strftime."},
    {"timetuple", date_timetuple, METH_NOARGS,
     "Return time tuple, compatible with time.localtime()."},
    {"isocalendar", date_isocalendar, METH_NOARGS,
     "Return a named tuple containing ISO year, week number, and weekday."},
    {"isoformat", date_isoformat, METH_NOARGS,
     "Return string in ISO 8601 format, YYYY-MM-DD."},
    {"isoweekday", date_isoweekday, METH_NOARGS,
     "Return the day of the week represented by the date.\n"
     "Monday == 1 ... Sunday == 7"},
    {"toordinal", date_toordinal, METH_NOARGS,
     "Return proleptic Gregorian ordinal.  January 1 of year 1 is day 1."},
    {"weekday", date_weekday, METH_NOARGS,
     "Return the day of the week represented by the date.\n"
     "Monday == 0 ... Sunday == 6"},
    {"replace", VAR_KEYWORDS(date_replace),
     "Return date with new specified fields."},
    {"__reduce__", date_reduce, METH_NOARGS, "__reduce__() -> (cls, state)"},
    {NULL, NULL, 0, NULL}
};

static PyNumberMethods date_as_number = {
    .nb_add = date_add,
    .nb_subtract = date_subtract,
};

PyTypeObject _PyDateTime_DateType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "datetime.date",
    .tp_basicsize = sizeof(PyDateTime_Date),
    .tp_repr = date_repr,
    .tp_as_number = &date_as_number,
    .tp_hash = date_hash,
    .tp_str = date_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "date(year, month, day) --> date object",
    .tp_richcompare = date_richcompare,
    .tp_methods = date_methods,
    .tp_getset = date_getset,
    .tp_new = date_new,
};

/* ---------------------------------------------------------- IsoCalendarDate */

static PyObject *
iso_repr(PyObject *self)
{
    return PyUnicode_FromFormat("%.200s(year=%S, week=%S, weekday=%S)",
                                Py_TYPE(self)->tp_name,
                                PyTuple_GET_ITEM(self, 0),
                                PyTuple_GET_ITEM(self, 1),
                                PyTuple_GET_ITEM(self, 2));
}

static PyObject *
iso_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"year", "week", "weekday", NULL};
    PyObject *fields[3];
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OOO:IsoCalendarDate", keywords, &fields[0],
                                     &fields[1], &fields[2])) {
        return NULL;
    }
    PyObject *self = type->tp_alloc(type, 3);
    for (int i = 0; self != NULL && i < 3; i++) {
        int value = _PyLong_AsInt(fields[i]);
        PyObject *field = value == -1 && PyErr_Occurred() ? NULL : PyLong_FromLong(value);
        if (field == NULL) {
            Py_CLEAR(self);
            break;
        }
        PyTuple_SET_ITEM(self, i, field);
    }
    return self;
}

/* Pickled as a plain tuple: the type cannot be imported. */
static PyObject *
iso_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *tuple = PyTuple_Pack(3, PyTuple_GET_ITEM(self, 0),
                                   PyTuple_GET_ITEM(self, 1),
                                   PyTuple_GET_ITEM(self, 2));
    return tuple == NULL ? NULL
        : Py_BuildValue("O(N)", &PyTuple_Type, tuple);
}

static PyObject *
iso_get(PyObject *self, void *closure)
{
    return Py_NewRef(PyTuple_GET_ITEM(self, (Py_ssize_t)(intptr_t)closure));
}

static PyGetSetDef iso_getset[] = {
    {"year", iso_get, NULL, NULL, (void *)0},
    {"week", iso_get, NULL, NULL, (void *)1},
    {"weekday", iso_get, NULL, NULL, (void *)2},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMethodDef iso_methods[] = {
    {"__reduce__", iso_reduce, METH_NOARGS, "__reduce__() -> (cls, state)"},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyDateTime_IsoCalendarDateType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "datetime.IsoCalendarDate",
    .tp_basicsize = sizeof(PyTupleObject),
    .tp_itemsize = sizeof(PyObject *),
    .tp_repr = iso_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "The result of date.isocalendar() or datetime.isocalendar()\n\n"
        "A named tuple of ISO year, week number and weekday.",
    .tp_methods = iso_methods,
    .tp_getset = iso_getset,
    .tp_base = &PyTuple_Type,
    .tp_new = iso_new,
};

/* time: a time of day, perhaps with a time zone. */

#include "datetime_module.h"
#include "internal/method_table.h"
#include "internal/names.h"

#define SELF(op) ((PyDateTime_Time *)(op))
#define HOUR PyDateTime_TIME_GET_HOUR
#define MINUTE PyDateTime_TIME_GET_MINUTE
#define SECOND PyDateTime_TIME_GET_SECOND
#define MICROSECOND PyDateTime_TIME_GET_MICROSECOND
#define FOLD PyDateTime_TIME_GET_FOLD

/* ------------------------------------------------------------- construction */

/* Has room for the time zone only if there is one: nitems says so. */
static PyObject *
time_alloc(PyTypeObject *type, Py_ssize_t aware)
{
    PyObject *self = PyObject_Malloc(aware ? sizeof(PyDateTime_Time)
                                           : sizeof(_PyDateTime_BaseTime));
    if (self == NULL) {
        return PyErr_NoMemory();
    }
    return _PyObject_InitNew(self, type);
}

static PyObject *
time_with_zone(PyTypeObject *type, PyObject *tzinfo)
{
    int aware = tzinfo != Py_None;
    PyDateTime_Time *self = (PyDateTime_Time *)type->tp_alloc(type, aware);
    if (self != NULL) {
        self->hashcode = -1;
        self->hastzinfo = (char)aware;
        if (aware) {
            self->tzinfo = Py_NewRef(tzinfo);
        }
    }
    return (PyObject *)self;
}

PyObject *
_dt_new_time(int hour, int minute, int second, int us, PyObject *tzinfo,
             int fold, PyTypeObject *type)
{
    if (_dt_check_time(hour, minute, second, us, fold) < 0
        || _dt_check_tzinfo(tzinfo) < 0) {
        return NULL;
    }
    PyObject *self = time_with_zone(type, tzinfo);
    if (self != NULL) {
        unsigned char *data = SELF(self)->data;
        data[0] = (unsigned char)hour;
        data[1] = (unsigned char)minute;
        data[2] = (unsigned char)second;
        data[3] = (unsigned char)(us >> 16);
        data[4] = (unsigned char)(us >> 8);
        data[5] = (unsigned char)us;
        SELF(self)->fold = (unsigned char)fold;
    }
    return self;
}

static PyObject *
time_from_state(PyTypeObject *type, const char *state, PyObject *tzinfo)
{
    if (tzinfo != Py_None && !PyTZInfo_Check(tzinfo)) {
        PyErr_SetString(PyExc_TypeError, "bad tzinfo state arg");
        return NULL;
    }
    PyObject *self = time_with_zone(type, tzinfo);
    if (self != NULL) {
        memcpy(SELF(self)->data, state, _PyDateTime_TIME_DATASIZE);
        SELF(self)->fold = SELF(self)->data[0] >> 7;
        SELF(self)->data[0] &= 0x7f;
    }
    return self;
}

static char *time_keywords[] = {
    "hour", "minute", "second", "microsecond", "tzinfo", "fold", NULL
};

static PyObject *
time_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    int hour = 0, minute = 0, second = 0, us = 0, fold = 0;
    PyObject *tzinfo = Py_None;
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);
    if (nargs >= 1 && nargs <= 2) {
        PyObject *owner;
        const char *state = _dt_state_bytes(PyTuple_GET_ITEM(args, 0),
                                            _PyDateTime_TIME_DATASIZE, 0, 0,
                                            23, &owner);
        if (state != NULL) {
            PyObject *self = time_from_state(
                type, state,
                nargs == 2 ? PyTuple_GET_ITEM(args, 1) : Py_None);
            Py_DECREF(owner);
            return self;
        }
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|iiiiO$i", time_keywords,
                                     &hour, &minute, &second, &us, &tzinfo,
                                     &fold)) {
        return NULL;
    }
    return _dt_new_time(hour, minute, second, us, tzinfo, fold, type);
}

static void
time_dealloc(PyObject *self)
{
    if (SELF(self)->hastzinfo) {
        Py_XDECREF(SELF(self)->tzinfo);
    }
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
time_fromisoformat(PyObject *cls, PyObject *str)
{
    Py_ssize_t len;
    int hour, minute, second, us, offset, offset_us;
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
    if (*text == 'T') {
        text++;
        len--;
    }
    int parsed = _dt_parse_time(text, len, &hour, &minute, &second, &us,
                                &offset, &offset_us);
    if (parsed < 0) {
        return _dt_invalid_isoformat(str);
    }
    PyObject *tzinfo = _dt_tzinfo_of_offset(parsed, offset, offset_us);
    if (tzinfo == NULL) {
        return NULL;
    }
    PyObject *result;
    if (cls == (PyObject *)&_PyDateTime_TimeType) {
        result = _dt_new_time(hour, minute, second, us, tzinfo, 0,
                              (PyTypeObject *)cls);
    }
    else {
        result = PyObject_CallFunction(cls, "iiiiO", hour, minute, second, us,
                                       tzinfo);
    }
    Py_DECREF(tzinfo);
    return result;
}

/* --------------------------------------------------- comparison and hashing */

static int64_t
us_of_day(PyObject *time)
{
    return (HOUR(time) * 3600 + MINUTE(time) * 60 + SECOND(time))
        * (int64_t)US_PER_SECOND + MICROSECOND(time);
}

static PyObject *
time_richcompare(PyObject *self, PyObject *other, int op)
{
    if (!PyTime_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int order = memcmp(SELF(self)->data, SELF(other)->data,
                       _PyDateTime_TIME_DATASIZE);
    if (_dt_time_tzinfo(self) == _dt_time_tzinfo(other)) {
        return _dt_order(order, op);
    }
    PyObject *result = NULL, *theirs = NULL;
    PyObject *ours = _dt_utcoffset(_dt_time_tzinfo(self), Py_None);
    if (ours == NULL
        || (theirs = _dt_utcoffset(_dt_time_tzinfo(other), Py_None))
           == NULL) {
        goto done;
    }
    if (ours == theirs) {
        result = _dt_order(order, op);
    }
    else if (ours != Py_None && theirs != Py_None) {
        int64_t difference =
            us_of_day(self) - (int64_t)_dt_delta_us(ours)
            - us_of_day(other) + (int64_t)_dt_delta_us(theirs);
        result = _dt_order(difference < 0 ? -1 : difference > 0, op);
    }
    else if (op == Py_EQ || op == Py_NE) {
        result = PyBool_FromLong(op == Py_NE);
    }
    else {
        PyErr_SetString(PyExc_TypeError, "can't compare offset-naive and "
                        "offset-aware times");
    }
done:
    Py_XDECREF(ours);
    Py_XDECREF(theirs);
    return result;
}

/* The hash of the time in UTC as a timedelta, so that equal times have equal hashes; fold
   does not count. */
static Py_hash_t
time_hash(PyObject *self)
{
    if (SELF(self)->hashcode != -1) {
        return SELF(self)->hashcode;
    }
    PyObject *plain = Py_NewRef(self);
    if (FOLD(self)) {
        Py_SETREF(plain, _dt_new_time(HOUR(self), MINUTE(self), SECOND(self),
                                      MICROSECOND(self),
                                      _dt_time_tzinfo(self), 0,
                                      Py_TYPE(self)));
        if (plain == NULL) {
            return -1;
        }
    }
    PyObject *offset = _dt_utcoffset(_dt_time_tzinfo(plain), Py_None);
    Py_DECREF(plain);
    if (offset == NULL) {
        return -1;
    }
    if (offset == Py_None) {
        SELF(self)->hashcode = _Py_HashBytes(SELF(self)->data,
                                             _PyDateTime_TIME_DATASIZE);
    }
    else {
        PyObject *delta = _dt_delta_from_us(
            us_of_day(self) - _dt_delta_us(offset), &_PyDateTime_DeltaType);
        if (delta != NULL) {
            SELF(self)->hashcode = PyObject_Hash(delta);
            Py_DECREF(delta);
        }
    }
    Py_DECREF(offset);
    return SELF(self)->hashcode;
}

/* --------------------------------------------------------------------- text */

static PyObject *
time_repr(PyObject *self)
{
    char text[80];
    int len = PyOS_snprintf(text, sizeof(text), "%d, %d", HOUR(self),
                            MINUTE(self));
    _dt_append_seconds(text, sizeof(text), len, SECOND(self), MICROSECOND(self));
    const char *name = Py_TYPE(self)->tp_name;
    const char *fold = FOLD(self) ? ", fold=1" : "";
    if (!SELF(self)->hastzinfo) {
        return PyUnicode_FromFormat("%s(%s%s)", name, text, fold);
    }
    return PyUnicode_FromFormat("%s(%s, tzinfo=%R%s)", name, text,
                                SELF(self)->tzinfo, fold);
}

static PyObject *
time_isoformat(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"timespec", NULL};
    PyObject *timespec = NULL;
    char text[TIME_LENGTH + 1], offset[40];
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|U:isoformat", keywords,
                                     &timespec)
        || _dt_format_time(text, timespec, HOUR(self), MINUTE(self), SECOND(self),
                           MICROSECOND(self)) < 0
        || _dt_format_offset(offset, sizeof(offset), ":",
                             _dt_time_tzinfo(self), Py_None) < 0) {
        return NULL;
    }
    return PyUnicode_FromFormat("%s%s", text, offset);
}

static PyObject *
time_str(PyObject *self)
{
    return PyObject_CallMethodNoArgs(self, _Py_NAME(isoformat));
}

static PyObject *
time_strftime(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"format", NULL};
    PyObject *format;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "U:strftime", keywords,
                                     &format)) {
        return NULL;
    }
    /* Some C libraries do not like years before 1900. */
    PyObject *timetuple = Py_BuildValue("iiiiiiiii", 1900, 1, 1, HOUR(self),
                                        MINUTE(self), SECOND(self), 0, 1, -1);
    if (timetuple == NULL) {
        return NULL;
    }
    PyObject *result = _dt_wrap_strftime(self, format, timetuple, Py_None);
    Py_DECREF(timetuple);
    return result;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
time_utcoffset(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_utcoffset(_dt_time_tzinfo(self), Py_None);
}

static PyObject *
time_dst(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_dst(_dt_time_tzinfo(self), Py_None);
}

static PyObject *
time_tzname(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_tzname(_dt_time_tzinfo(self), Py_None);
}

static PyObject *
time_replace(PyObject *self, PyObject *args, PyObject *kwds)
{
    int hour = HOUR(self), minute = MINUTE(self), second = SECOND(self);
    int us = MICROSECOND(self), fold = FOLD(self);
    PyObject *tzinfo = _dt_time_tzinfo(self);
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|iiiiO$i:replace",
                                     time_keywords, &hour, &minute, &second,
                                     &us, &tzinfo, &fold)) {
        return NULL;
    }
    if (fold != 0 && fold != 1) {
        PyErr_SetString(PyExc_ValueError, "fold must be either 0 or 1");
        return NULL;
    }
    PyObject *result = _dt_new_from_fields(
        Py_TYPE(self), Py_BuildValue("iiiiO", hour, minute, second, us, tzinfo));
    if (result != NULL) {
        SELF(result)->fold = (unsigned char)fold;
    }
    return result;
}

static PyObject *
time_state(PyObject *self, int protocol)
{
    PyObject *bytes = PyBytes_FromStringAndSize((char *)SELF(self)->data,
                                                _PyDateTime_TIME_DATASIZE);
    if (bytes == NULL) {
        return NULL;
    }
    if (protocol > 3 && FOLD(self)) {
        PyBytes_AS_STRING(bytes)[0] |= (char)0x80;
    }
    if (!SELF(self)->hastzinfo) {
        return Py_BuildValue("O(N)", Py_TYPE(self), bytes);
    }
    return Py_BuildValue("O(NO)", Py_TYPE(self), bytes, SELF(self)->tzinfo);
}

static PyObject *
time_reduce_ex(PyObject *self, PyObject *args)
{
    int protocol;
    if (!PyArg_ParseTuple(args, "i:__reduce_ex__", &protocol)) {
        return NULL;
    }
    return time_state(self, protocol);
}

static PyObject *
time_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return time_state(self, 2);
}

static PyObject *
time_get_tzinfo(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(_dt_time_tzinfo(self));
}

static PyGetSetDef time_getset[] = {
    {"hour", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Time, data[0], 1)},
    {"minute", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Time, data[1], 1)},
    {"second", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Time, data[2], 1)},
    {"microsecond", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Time, data[3], 3)},
    {"tzinfo", time_get_tzinfo, NULL, NULL, NULL},
    {"fold", _dt_get_field, NULL, NULL, FIELD(PyDateTime_Time, fold, 1)},
    {NULL, NULL, NULL, NULL, NULL}
};


static PyMethodDef time_methods[] = {
    {"isoformat", VAR_KEYWORDS(time_isoformat),
     "Return string in ISO 8601 format, [HH[:MM[:SS[.mmm[uuu]]]]][+HH:MM].\n"
     "\ntimespec tells what to show of the time: 'auto' (the default),\n"
     "'hours', 'minutes', 'seconds', 'milliseconds' or 'microseconds'."},
    {"strftime", VAR_KEYWORDS(time_strftime),
     "format -> strftime() style string."},
    {"__format__", _dt_format_method, METH_VARARGS,
     "Formats self with strftime."},
    {"utcoffset", time_utcoffset, METH_NOARGS,
     "Return self.tzinfo.utcoffset(self)."},
    {"tzname", time_tzname, METH_NOARGS,
     "Return self.tzinfo.tzname(self)."},
    {"dst", time_dst, METH_NOARGS, "Return self.tzinfo.dst(self)."},
    {"replace", VAR_KEYWORDS(time_replace),
     "Return time with new specified fields."},
    {"fromisoformat", time_fromisoformat, METH_O | METH_CLASS,
     "string -> time from a string in ISO 8601 format"},
    {"__reduce_ex__", time_reduce_ex, METH_VARARGS,
     "__reduce_ex__(proto) -> (cls, state)"},
    {"__reduce__", time_reduce, METH_NOARGS, "__reduce__() -> (cls, state)"},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyDateTime_TimeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "datetime.time",
    .tp_basicsize = sizeof(PyDateTime_Time),
    .tp_dealloc = time_dealloc,
    .tp_repr = time_repr,
    .tp_hash = time_hash,
    .tp_str = time_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "time([hour[, minute[, second[, microsecond[, tzinfo]]]]]) --> "
        "a time object\n\n"
        "All arguments are optional. tzinfo may be None, or an instance of\n"
        "a tzinfo subclass. The remaining arguments may be ints.\n",
    .tp_richcompare = time_richcompare,
    .tp_methods = time_methods,
    .tp_getset = time_getset,
    .tp_alloc = time_alloc,
    .tp_new = time_new,
};

/* datetime: construction, attributes and text. */

#include "datetime_module.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include <time.h>

#define SELF(op) ((PyDateTime_DateTime *)(op))
#define YEAR PyDateTime_GET_YEAR
#define MONTH PyDateTime_GET_MONTH
#define DAY PyDateTime_GET_DAY
#define HOUR PyDateTime_DATE_GET_HOUR
#define MINUTE PyDateTime_DATE_GET_MINUTE
#define SECOND PyDateTime_DATE_GET_SECOND
#define MICROSECOND PyDateTime_DATE_GET_MICROSECOND
#define FOLD PyDateTime_DATE_GET_FOLD

/* ------------------------------------------------------------- construction */

/* Has room for the time zone only if there is one: nitems says so. */
static PyObject *
datetime_alloc(PyTypeObject *type, Py_ssize_t aware)
{
    PyObject *self = PyObject_Malloc(aware ? sizeof(PyDateTime_DateTime)
                                           : sizeof(_PyDateTime_BaseDateTime));
    if (self == NULL) {
        return PyErr_NoMemory();
    }
    return _PyObject_InitNew(self, type);
}

static PyObject *
datetime_with_zone(PyTypeObject *type, PyObject *tzinfo)
{
    int aware = tzinfo != Py_None;
    PyDateTime_DateTime *self =
        (PyDateTime_DateTime *)type->tp_alloc(type, aware);
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
_dt_datetime_of_fields(int year, int month, int day, int hour, int minute, int second, int us,
                       PyObject *tzinfo, int fold, PyTypeObject *type)
{
    PyObject *self = datetime_with_zone(type, tzinfo);
    if (self != NULL) {
        unsigned char *data = SELF(self)->data;
        data[0] = (unsigned char)(year >> 8);
        data[1] = (unsigned char)year;
        data[2] = (unsigned char)month;
        data[3] = (unsigned char)day;
        data[4] = (unsigned char)hour;
        data[5] = (unsigned char)minute;
        data[6] = (unsigned char)second;
        data[7] = (unsigned char)(us >> 16);
        data[8] = (unsigned char)(us >> 8);
        data[9] = (unsigned char)us;
        SELF(self)->fold = (unsigned char)fold;
    }
    return self;
}

PyObject *
_dt_new_datetime(int year, int month, int day, int hour, int minute,
                 int second, int us, PyObject *tzinfo, int fold,
                 PyTypeObject *type)
{
    if (_dt_check_date(year, month, day) < 0
        || _dt_check_time(hour, minute, second, us, fold) < 0
        || _dt_check_tzinfo(tzinfo) < 0) {
        return NULL;
    }
    return _dt_datetime_of_fields(year, month, day, hour, minute, second, us, tzinfo, fold,
                                  type);
}

PyObject *
_dt_new_datetime_of_class(int year, int month, int day, int hour, int minute,
                          int second, int us, PyObject *tzinfo, int fold,
                          PyObject *cls)
{
    if (cls == (PyObject *)&_PyDateTime_DateTimeType) {
        return _dt_new_datetime(year, month, day, hour, minute, second, us,
                                tzinfo, fold, (PyTypeObject *)cls);
    }
    PyObject *dt = PyObject_CallFunction(cls, "iiiiiiiO", year, month, day,
                                         hour, minute, second, us, tzinfo);
    if (dt != NULL && fold) {
        SELF(dt)->fold = (unsigned char)fold;
    }
    return dt;
}

/* Makes a datetime from the bytes of a state; tzinfo may be NULL. */
static PyObject *
datetime_from_state(PyTypeObject *type, const char *state,
                    PyObject *tzinfo)
{
    if (tzinfo != Py_None && !PyTZInfo_Check(tzinfo)) {
        PyErr_SetString(PyExc_TypeError, "bad tzinfo state arg");
        return NULL;
    }
    PyObject *self = datetime_with_zone(type, tzinfo);
    if (self != NULL) {
        memcpy(SELF(self)->data, state, _PyDateTime_DATETIME_DATASIZE);
        SELF(self)->fold = SELF(self)->data[2] >> 7;
        SELF(self)->data[2] &= 0x7f;
    }
    return self;
}

static char *datetime_keywords[] = {
    "year", "month", "day", "hour", "minute", "second", "microsecond",
    "tzinfo", "fold", NULL
};

static PyObject *
datetime_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    int year, month, day, hour = 0, minute = 0, second = 0, us = 0, fold = 0;
    PyObject *tzinfo = Py_None;
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);
    if (nargs >= 1 && nargs <= 2) {
        PyObject *owner;
        const char *state = _dt_state_bytes(PyTuple_GET_ITEM(args, 0),
                                            _PyDateTime_DATETIME_DATASIZE, 2,
                                            1, 12, &owner);
        if (state != NULL) {
            PyObject *self = datetime_from_state(
                type, state,
                nargs == 2 ? PyTuple_GET_ITEM(args, 1) : Py_None);
            Py_DECREF(owner);
            return self;
        }
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "iii|iiiiO$i",
                                     datetime_keywords, &year, &month, &day,
                                     &hour, &minute, &second, &us, &tzinfo,
                                     &fold)) {
        return NULL;
    }
    return _dt_new_datetime(year, month, day, hour, minute, second, us,
                            tzinfo, fold, type);
}

static void
datetime_dealloc(PyObject *self)
{
    if (SELF(self)->hastzinfo) {
        Py_XDECREF(SELF(self)->tzinfo);
    }
    Py_TYPE(self)->tp_free(self);
}

/* ----------------------------------------------------- from a point in time */

typedef int (*calendar_function)(time_t, struct tm *);

static int64_t
seconds_of_tm(const struct tm *tm)
{
    return (int64_t)_dt_ymd_to_ord(tm->tm_year + 1900, tm->tm_mon + 1,
                                   tm->tm_mday) * SECONDS_PER_DAY
        + tm->tm_hour * 3600 + tm->tm_min * 60 + tm->tm_sec;
}

/* Whether the local time at `when` already occurred up to a day earlier: after the clock
   has been set back, it shows that time for the second time. */
static int
is_second_occurrence(time_t when, const struct tm *tm)
{
    struct tm before;
    /* No transition is larger than a day. Far dates are out of range. */
    if (tm->tm_year + 1900 <= MINYEAR
        || _PyTime_localtime(when - SECONDS_PER_DAY, &before) < 0) {
        PyErr_Clear();
        return 0;
    }
    int64_t shift = seconds_of_tm(tm) - seconds_of_tm(&before)
        - SECONDS_PER_DAY;
    if (shift >= 0) {
        return 0;
    }
    struct tm earlier;
    if (_PyTime_localtime(when + (time_t)shift, &earlier) < 0) {
        PyErr_Clear();
        return 0;
    }
    return seconds_of_tm(&earlier) == seconds_of_tm(tm);
}

static PyObject *
datetime_at(PyObject *cls, calendar_function calendar, time_t when, int us,
            PyObject *tzinfo)
{
    struct tm tm;
    int fold = 0;
    if (calendar(when, &tm) < 0) {
        return NULL;
    }
    int year = tm.tm_year + 1900;
    if (tzinfo == Py_None && calendar == _PyTime_localtime
        && year >= MINYEAR && year <= MAXYEAR) {
        fold = is_second_occurrence(when, &tm);
    }
    /* A leap second is shown as the one before it. */
    int second = tm.tm_sec < 59 ? tm.tm_sec : 59;
    return _dt_new_datetime_of_class(year, tm.tm_mon + 1, tm.tm_mday,
                                     tm.tm_hour, tm.tm_min, second, us,
                                     tzinfo, fold, cls);
}

static PyObject *
datetime_at_timestamp(PyObject *cls, calendar_function calendar,
                      PyObject *timestamp, PyObject *tzinfo)
{
    time_t when;
    long us;
    if (_PyTime_ObjectToTimeval(timestamp, &when, &us,
                                _PyTime_ROUND_HALF_EVEN) < 0) {
        return NULL;
    }
    return datetime_at(cls, calendar, when, (int)us, tzinfo);
}

static PyObject *
datetime_at_now(PyObject *cls, calendar_function calendar, PyObject *tzinfo)
{
    time_t when;
    int us;
    if (_PyTime_AsTimevalTime_t(_PyTime_GetSystemClock(), &when, &us,
                                _PyTime_ROUND_FLOOR) < 0) {
        return NULL;
    }
    return datetime_at(cls, calendar, when, us, tzinfo);
}

/* Returns tzinfo.fromutc(dt) if there is a tzinfo, else dt. Steals dt, a time in UTC. */
static PyObject *
in_zone(PyObject *dt, PyObject *tzinfo)
{
    if (dt != NULL && tzinfo != Py_None) {
        Py_SETREF(dt, PyObject_CallMethodOneArg(tzinfo, _Py_NAME(fromutc), dt));
    }
    return dt;
}

static PyObject *
datetime_now(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    static const char *const keywords[] = {"tz", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "now"};
    PyObject *buffer[1] = {NULL}, *tzinfo = Py_None;
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 0, 1, 0,
                                 buffer);
    if (args == NULL) {
        return NULL;
    }
    if (nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0) > 0) {
        tzinfo = args[0];
    }
    if (_dt_check_tzinfo(tzinfo) < 0) {
        return NULL;
    }
    return in_zone(datetime_at_now(cls, tzinfo == Py_None ? _PyTime_localtime
                                                          : _PyTime_gmtime,
                                   tzinfo), tzinfo);
}

static PyObject *
datetime_utcnow(PyObject *cls, PyObject *Py_UNUSED(ignored))
{
    return datetime_at_now(cls, _PyTime_gmtime, Py_None);
}

PyObject *
_dt_datetime_fromtimestamp(PyObject *cls, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"timestamp", "tz", NULL};
    PyObject *timestamp, *tzinfo = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:fromtimestamp",
                                     keywords, &timestamp, &tzinfo)
        || _dt_check_tzinfo(tzinfo) < 0) {
        return NULL;
    }
    return in_zone(datetime_at_timestamp(
        cls, tzinfo == Py_None ? _PyTime_localtime : _PyTime_gmtime,
        timestamp, tzinfo), tzinfo);
}

static PyObject *
datetime_utcfromtimestamp(PyObject *cls, PyObject *args)
{
    PyObject *timestamp;
    if (!PyArg_ParseTuple(args, "O:utcfromtimestamp", &timestamp)) {
        return NULL;
    }
    return datetime_at_timestamp(cls, _PyTime_gmtime, timestamp, Py_None);
}

static PyObject *
datetime_strptime(PyObject *cls, PyObject *args)
{
    PyObject *str, *format;
    if (!PyArg_ParseTuple(args, "UU:strptime", &str, &format)) {
        return NULL;
    }
    return _dt_call_module(_Py_NAME(_strptime), _Py_NAME(_strptime_datetime),
                           Py_BuildValue("(OOO)", cls, str, format));
}

static PyObject *
datetime_combine(PyObject *cls, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"date", "time", "tzinfo", NULL};
    PyObject *date, *time, *tzinfo = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O!O!|O:combine", keywords,
                                     &_PyDateTime_DateType, &date,
                                     &_PyDateTime_TimeType, &time, &tzinfo)) {
        return NULL;
    }
    if (tzinfo == NULL) {
        tzinfo = _dt_time_tzinfo(time);
    }
    return _dt_new_datetime_of_class(
        YEAR(date), MONTH(date), DAY(date), PyDateTime_TIME_GET_HOUR(time),
        PyDateTime_TIME_GET_MINUTE(time), PyDateTime_TIME_GET_SECOND(time),
        PyDateTime_TIME_GET_MICROSECOND(time), tzinfo,
        PyDateTime_TIME_GET_FOLD(time), cls);
}

/* The UTF-8 of an ISO datetime that is not ASCII, as a bytes object. The separator may be any
   character, so where the date can end there may be one that has no UTF-8. */
static PyObject *
iso_text(PyObject *str)
{
    Py_ssize_t len = PyUnicode_GET_LENGTH(str);
    int surrogates = 0;
    for (Py_ssize_t i = 0; i < len; i++) {
        if (Py_UNICODE_IS_SURROGATE(PyUnicode_READ_CHAR(str, i))
            && (surrogates++ || (i != 7 && i != 8 && i != 10))) {
            return _dt_invalid_isoformat(str);
        }
    }
    return PyUnicode_AsEncodedString(str, "utf-8", "replace");
}

static PyObject *
datetime_fromisoformat(PyObject *cls, PyObject *str)
{
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    int us = 0, offset = 0, offset_us = 0, parsed = 0;
    if (!PyUnicode_Check(str)) {
        PyErr_SetString(PyExc_TypeError,
                        "fromisoformat: argument must be str");
        return NULL;
    }
    if (PyUnicode_READY(str) < 0) {
        return NULL;
    }
    const char *text = (const char *)PyUnicode_DATA(str);
    Py_ssize_t len = PyUnicode_GET_LENGTH(str);
    PyObject *copy = NULL;
    if (!PyUnicode_IS_ASCII(str)) {
        copy = iso_text(str);
        if (copy == NULL) {
            return NULL;
        }
        text = PyBytes_AS_STRING(copy);
        len = PyBytes_GET_SIZE(copy);
    }
    Py_ssize_t date_len = len < 7 ? -1 : _dt_date_length(text, len);
    int failed = date_len < 0 || date_len > len
        || _dt_parse_date(text, date_len, &year, &month, &day) < 0;
    if (!failed && len > date_len) {
        /* One character separates date and time. */
        const char *time = text + date_len + 1;
        while ((*time & 0xC0) == 0x80) {
            time++;
        }
        parsed = _dt_parse_time(time, text + len - time, &hour, &minute,
                                &second, &us, &offset, &offset_us);
        failed = parsed < 0;
    }
    Py_XDECREF(copy);
    if (failed) {
        return _dt_invalid_isoformat(str);
    }
    PyObject *tzinfo = _dt_tzinfo_of_offset(parsed, offset, offset_us);
    if (tzinfo == NULL) {
        return NULL;
    }
    PyObject *dt = _dt_new_datetime_of_class(year, month, day, hour, minute,
                                             second, us, tzinfo, 0, cls);
    Py_DECREF(tzinfo);
    return dt;
}

/* --------------------------------------------------------------------- text */

static PyObject *
datetime_repr(PyObject *self)
{
    const char *name = Py_TYPE(self)->tp_name;
    char text[100];
    int len = PyOS_snprintf(text, sizeof(text), "%d, %d, %d, %d, %d", YEAR(self),
                            MONTH(self), DAY(self), HOUR(self), MINUTE(self));
    len = _dt_append_seconds(text, sizeof(text), len, SECOND(self), MICROSECOND(self));
    if (FOLD(self)) {
        PyOS_snprintf(text + len, sizeof(text) - (size_t)len, ", fold=1");
    }
    if (!SELF(self)->hastzinfo) {
        return PyUnicode_FromFormat("%s(%s)", name, text);
    }
    return PyUnicode_FromFormat("%s(%s, tzinfo=%R)", name, text,
                                SELF(self)->tzinfo);
}

static PyObject *
isoformat(PyObject *self, int separator, PyObject *timespec)
{
    char text[DATE_LENGTH + 1 + TIME_LENGTH + 1], offset[40];
    char *end = _dt_put_date(text, YEAR(self), MONTH(self), DAY(self));
    *end = (char)separator;
    if (_dt_format_time(end + 1, timespec, HOUR(self), MINUTE(self), SECOND(self),
                        MICROSECOND(self)) < 0
        || _dt_format_offset(offset, sizeof(offset), ":",
                             _dt_datetime_tzinfo(self), self) < 0) {
        return NULL;
    }
    if (separator < 128 && *offset == '\0') {
        return _PyUnicode_FromASCII(text, DATE_LENGTH + 1 + (Py_ssize_t)strlen(end + 1));
    }
    *end = '\0';
    return PyUnicode_FromFormat("%s%c%s%s", text, separator, end + 1, offset);
}

static PyObject *
datetime_isoformat(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"sep", "timespec", NULL};
    int separator = 'T';
    PyObject *timespec = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|CU:isoformat", keywords,
                                     &separator, &timespec)) {
        return NULL;
    }
    return isoformat(self, separator, timespec);
}

static PyObject *
datetime_str(PyObject *self)
{
    PyObject *space = PyUnicode_FromOrdinal(' '), *text = NULL;
    if (space != NULL) {
        text = PyObject_CallMethodOneArg(self, _Py_NAME(isoformat), space);
        Py_DECREF(space);
    }
    return text;
}

static PyObject *
datetime_ctime(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_ctime(self, HOUR(self), MINUTE(self), SECOND(self));
}

/* ------------------------------------------------------------------ methods */

static PyObject *
datetime_date(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_new_date(YEAR(self), MONTH(self), DAY(self),
                        &_PyDateTime_DateType);
}

static PyObject *
time_of(PyObject *self, PyObject *tzinfo)
{
    return _dt_new_time(HOUR(self), MINUTE(self), SECOND(self),
                        MICROSECOND(self), tzinfo, FOLD(self),
                        &_PyDateTime_TimeType);
}

static PyObject *
datetime_time(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return time_of(self, Py_None);
}

static PyObject *
datetime_timetz(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return time_of(self, _dt_datetime_tzinfo(self));
}

static PyObject *
datetime_utcoffset(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_utcoffset(_dt_datetime_tzinfo(self), self);
}

static PyObject *
datetime_dst(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_dst(_dt_datetime_tzinfo(self), self);
}

static PyObject *
datetime_tzname(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_tzname(_dt_datetime_tzinfo(self), self);
}

static PyObject *
datetime_replace(PyObject *self, PyObject *args, PyObject *kwds)
{
    int year = YEAR(self), month = MONTH(self), day = DAY(self);
    int hour = HOUR(self), minute = MINUTE(self), second = SECOND(self);
    int us = MICROSECOND(self), fold = FOLD(self);
    PyObject *tzinfo = _dt_datetime_tzinfo(self);
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|iiiiiiiO$i:replace",
                                     datetime_keywords, &year, &month, &day,
                                     &hour, &minute, &second, &us, &tzinfo,
                                     &fold)) {
        return NULL;
    }
    if (fold != 0 && fold != 1) {
        PyErr_SetString(PyExc_ValueError, "fold must be either 0 or 1");
        return NULL;
    }
    PyObject *result = _dt_new_from_fields(
        Py_TYPE(self),
        Py_BuildValue("iiiiiiiO", year, month, day, hour, minute, second, us, tzinfo));
    if (result != NULL) {
        SELF(result)->fold = (unsigned char)fold;
    }
    return result;
}

static PyObject *
datetime_get_tzinfo(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(_dt_datetime_tzinfo(self));
}

static PyGetSetDef datetime_getset[] = {
    {"hour", _dt_get_field, NULL, NULL, FIELD(PyDateTime_DateTime, data[4], 1)},
    {"minute", _dt_get_field, NULL, NULL, FIELD(PyDateTime_DateTime, data[5], 1)},
    {"second", _dt_get_field, NULL, NULL, FIELD(PyDateTime_DateTime, data[6], 1)},
    {"microsecond", _dt_get_field, NULL, NULL, FIELD(PyDateTime_DateTime, data[7], 3)},
    {"tzinfo", datetime_get_tzinfo, NULL, NULL, NULL},
    {"fold", _dt_get_field, NULL, NULL, FIELD(PyDateTime_DateTime, fold, 1)},
    {NULL, NULL, NULL, NULL, NULL}
};


static PyMethodDef datetime_methods[] = {
    {"now", FAST_KEYWORDS(datetime_now) | METH_CLASS,
     "now($type, /, tz=None)\n--\n\n"
     "The current time, in the time zone tz, or in local time without one."},
    {"utcnow", datetime_utcnow, METH_NOARGS | METH_CLASS,
     "Return a new datetime representing UTC day and time."},
    {"fromtimestamp", VAR_KEYWORDS(_dt_datetime_fromtimestamp) | METH_CLASS,
     "timestamp[, tz] -> tz's local time from POSIX timestamp."},
    {"utcfromtimestamp", datetime_utcfromtimestamp,
     METH_VARARGS | METH_CLASS,
     "Construct a naive UTC datetime from a POSIX timestamp."},
    {"strptime", datetime_strptime, METH_VARARGS | METH_CLASS,
     "string, format -> new datetime parsed from a string "
     "(like time.strptime())."},
    {"combine", VAR_KEYWORDS(datetime_combine) | METH_CLASS,
     "date, time -> datetime with same date and time fields"},
    {"fromisoformat", datetime_fromisoformat, METH_O | METH_CLASS,
     "string -> datetime from a string in most ISO 8601 formats"},
    {"date", datetime_date, METH_NOARGS,
     "Return date object with same year, month and day."},
    {"time", datetime_time, METH_NOARGS,
     "Return time object with same time but with tzinfo=None."},
    {"timetz", datetime_timetz, METH_NOARGS,
     "Return time object with same time and tzinfo."},
    {"ctime", datetime_ctime, METH_NOARGS, "Return ctime() style string."},
    {"timetuple", _dt_datetime_timetuple, METH_NOARGS,
     "Return time tuple, compatible with time.localtime()."},
    {"timestamp", _dt_datetime_timestamp, METH_NOARGS,
     "Return POSIX timestamp as float."},
    {"utctimetuple", _dt_datetime_utctimetuple, METH_NOARGS,
     "Return UTC time tuple, compatible with time.localtime()."},
    {"isoformat", VAR_KEYWORDS(datetime_isoformat),
     "[sep] -> string in ISO 8601 format, "
     "YYYY-MM-DDT[HH[:MM[:SS[.mmm[uuu]]]]][+HH:MM].\n"
     "sep, 'T' by default, separates the date from the time. timespec tells\n"
     "what to show of the time: 'auto' (the default), 'hours', 'minutes',\n"
     "'seconds', 'milliseconds' or 'microseconds'."},
    {"utcoffset", datetime_utcoffset, METH_NOARGS,
     "Return self.tzinfo.utcoffset(self)."},
    {"tzname", datetime_tzname, METH_NOARGS,
     "Return self.tzinfo.tzname(self)."},
    {"dst", datetime_dst, METH_NOARGS, "Return self.tzinfo.dst(self)."},
    {"replace", VAR_KEYWORDS(datetime_replace),
     "Return datetime with new specified fields."},
    {"astimezone", VAR_KEYWORDS(_dt_datetime_astimezone),
     "tz -> convert to local time in new timezone tz\n"},
    {"__reduce_ex__", _dt_datetime_reduce_ex, METH_VARARGS,
     "__reduce_ex__(proto) -> (cls, state)"},
    {"__reduce__", _dt_datetime_reduce, METH_NOARGS,
     "__reduce__() -> (cls, state)"},
    {NULL, NULL, 0, NULL}
};

static PyNumberMethods datetime_as_number = {
    .nb_add = _dt_datetime_add,
    .nb_subtract = _dt_datetime_subtract,
};

PyTypeObject _PyDateTime_DateTimeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "datetime.datetime",
    .tp_basicsize = sizeof(PyDateTime_DateTime),
    .tp_dealloc = datetime_dealloc,
    .tp_repr = datetime_repr,
    .tp_as_number = &datetime_as_number,
    .tp_hash = _dt_datetime_hash,
    .tp_str = datetime_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "datetime(year, month, day[, hour[, minute[, second"
        "[, microsecond[,tzinfo]]]]])\n\n"
        "The year, month and day arguments are required. tzinfo may be None,\n"
        "or an instance of a tzinfo subclass. The remaining arguments may be\n"
        "ints.\n",
    .tp_richcompare = _dt_datetime_richcompare,
    .tp_methods = datetime_methods,
    .tp_getset = datetime_getset,
    .tp_base = &_PyDateTime_DateType,
    .tp_alloc = datetime_alloc,
    .tp_new = datetime_new,
};

/* datetime: comparison, arithmetic, time zones, pickling.

   Two datetimes with the same tzinfo object are compared and subtracted by their fields;
   others as instants in UTC. A local time can occur twice (fold) or not at all (in the
   gap of a transition): PEP 495. */

#include "datetime_module.h"
#include "internal/compare.h"
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

#define SHORTEST_MONTH 28
#define DATE_BYTES 4            /* year, month and day in a datetime's data */

static int64_t
seconds_of(int year, int month, int day, int hour, int minute, int second)
{
    return (int64_t)_dt_ymd_to_ord(year, month, day) * SECONDS_PER_DAY
        + hour * 3600 + minute * 60 + second;
}

/* Microseconds of the fields, since the day before year 1. */
static int64_t
fields_in_seconds(PyObject *dt)
{
    return seconds_of(YEAR(dt), MONTH(dt), DAY(dt), HOUR(dt), MINUTE(dt),
                      SECOND(dt));
}

static __int128
fields_in_us(PyObject *dt)
{
    return (__int128)fields_in_seconds(dt) * US_PER_SECOND + MICROSECOND(dt);
}

/* A copy of dt with another fold. */
static PyObject *
with_fold(PyObject *dt, int fold)
{
    return _dt_new_datetime(YEAR(dt), MONTH(dt), DAY(dt), HOUR(dt),
                            MINUTE(dt), SECOND(dt), MICROSECOND(dt),
                            _dt_datetime_tzinfo(dt), fold, Py_TYPE(dt));
}

static PyObject *
offset_of(PyObject *dt)
{
    return _dt_utcoffset(_dt_datetime_tzinfo(dt), dt);
}

/* --------------------------------------------------------------- arithmetic */

static int
second_of_day(PyObject *dt)
{
    return HOUR(dt) * 3600 + MINUTE(dt) * 60 + SECOND(dt);
}

/* Brings a sum or difference of two times into the range of one. Returns the days that this
   takes: -1, 0 or 1. */
static int
carry_days(int *seconds, int *us)
{
    int more = *us < 0 ? -1 : *us >= US_PER_SECOND;
    *us -= more * US_PER_SECOND;
    *seconds += more;
    int days = *seconds < 0 ? -1 : *seconds >= SECONDS_PER_DAY;
    *seconds -= days * SECONDS_PER_DAY;
    return days;
}

static int
ordinal_of(PyObject *dt)
{
    return _dt_ymd_to_ord(YEAR(dt), MONTH(dt), DAY(dt));
}

PyObject *
_dt_datetime_plus(PyObject *dt, PyObject *delta, int factor)
{
    const PyDateTime_Delta *d = (PyDateTime_Delta *)delta;
    int seconds = second_of_day(dt) + factor * d->seconds;
    int us = MICROSECOND(dt) + factor * d->microseconds;
    int days = factor * d->days + carry_days(&seconds, &us);
    int year = YEAR(dt), month = MONTH(dt), day = DAY(dt) + days;
    if (day < 1 || day > SHORTEST_MONTH) {
        int64_t ordinal = ordinal_of(dt) + (int64_t)days;
        if (ordinal < 1 || ordinal > MAXORDINAL) {
            PyErr_SetString(PyExc_OverflowError, "date value out of range");
            return NULL;
        }
        _dt_ord_to_ymd((int)ordinal, &year, &month, &day);
    }
    int hour = seconds / 3600, minute = seconds / 60 % 60;
    if (Py_IS_TYPE(dt, &_PyDateTime_DateTimeType)) {
        return _dt_datetime_of_fields(year, month, day, hour, minute, seconds % 60, us,
                                      _dt_datetime_tzinfo(dt), 0, Py_TYPE(dt));
    }
    return _dt_new_datetime_of_class(year, month, day, hour, minute, seconds % 60, us,
                                     _dt_datetime_tzinfo(dt), 0, (PyObject *)Py_TYPE(dt));
}

PyObject *
_dt_datetime_add(PyObject *a, PyObject *b)
{
    if (PyDateTime_Check(a)) {
        if (PyDelta_Check(b)) {
            return _dt_datetime_plus(a, b, 1);
        }
    }
    else if (PyDelta_Check(a)) {
        return _dt_datetime_plus(b, a, 1);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
difference_of(PyObject *a, PyObject *b)
{
    int days = memcmp(SELF(a)->data, SELF(b)->data, DATE_BYTES) == 0
        ? 0 : ordinal_of(a) - ordinal_of(b);
    int seconds = second_of_day(a) - second_of_day(b);
    int part = MICROSECOND(a) - MICROSECOND(b);
    days += carry_days(&seconds, &part);
    if (_dt_datetime_tzinfo(a) == _dt_datetime_tzinfo(b)) {
        return _dt_new_delta(days, seconds, part, 0, &_PyDateTime_DeltaType);
    }
    __int128 us = (__int128)days * US_PER_DAY + seconds * (int64_t)US_PER_SECOND + part;
    PyObject *of_b = NULL, *of_a = offset_of(a);
    if (of_a == NULL || (of_b = offset_of(b)) == NULL) {
        Py_XDECREF(of_a);
        return NULL;
    }
    int mixed = (of_a == Py_None) != (of_b == Py_None);
    if (!mixed && of_a != Py_None) {
        us += _dt_delta_us(of_b) - _dt_delta_us(of_a);
    }
    Py_DECREF(of_a);
    Py_DECREF(of_b);
    if (mixed) {
        PyErr_SetString(PyExc_TypeError, "can't subtract offset-naive "
                        "and offset-aware datetimes");
        return NULL;
    }
    return _dt_delta_from_us(us, &_PyDateTime_DeltaType);
}

PyObject *
_dt_datetime_subtract(PyObject *a, PyObject *b)
{
    if (PyDateTime_Check(a)) {
        if (PyDateTime_Check(b)) {
            return difference_of(a, b);
        }
        if (PyDelta_Check(b)) {
            return _dt_datetime_plus(a, b, -1);
        }
    }
    Py_RETURN_NOTIMPLEMENTED;
}

/* --------------------------------------------------- comparison and hashing */

static int
same_offset(PyObject *a, PyObject *b)
{
    return a == b || (a != Py_None && b != Py_None
                      && _dt_delta_compare(a, b) == 0);
}

/* Whether dt's offset depends on its fold: 1, 0, or -1. Such a time equals
   none in another zone. */
static int
depends_on_fold(PyObject *dt, PyObject *offset)
{
    PyObject *flipped = with_fold(dt, !FOLD(dt));
    if (flipped == NULL) {
        return -1;
    }
    PyObject *other = offset_of(flipped);
    Py_DECREF(flipped);
    if (other == NULL) {
        return -1;
    }
    int result = !same_offset(offset, other);
    Py_DECREF(other);
    return result;
}

static PyObject *
compare_in_zones(PyObject *self, PyObject *other, int op, PyObject *ours,
                 PyObject *theirs)
{
    int order;
    if (same_offset(ours, theirs)) {
        order = memcmp(SELF(self)->data, SELF(other)->data,
                       _PyDateTime_DATETIME_DATASIZE);
    }
    else if (ours != Py_None && theirs != Py_None) {
        __int128 us = fields_in_us(self) - _dt_delta_us(ours)
            - fields_in_us(other) + _dt_delta_us(theirs);
        order = us < 0 ? -1 : us > 0;
    }
    else if (op == Py_EQ || op == Py_NE) {
        return PyBool_FromLong(op == Py_NE);
    }
    else {
        PyErr_SetString(PyExc_TypeError, "can't compare offset-naive and "
                        "offset-aware datetimes");
        return NULL;
    }
    if ((op == Py_EQ || op == Py_NE) && order == 0) {
        int exception = depends_on_fold(self, ours);
        if (exception == 0) {
            exception = depends_on_fold(other, theirs);
        }
        if (exception < 0) {
            return NULL;
        }
        order = exception;
    }
    return _dt_order(order, op);
}

int
_dt_datetime_quick_compare(PyObject *a, PyObject *b, int op)
{
    return _dt_datetime_tzinfo(a) != _dt_datetime_tzinfo(b) ? -1
           : _Py_OrderSatisfies(memcmp(SELF(a)->data, SELF(b)->data,
                                       _PyDateTime_DATETIME_DATASIZE), op);
}

PyObject *
_dt_datetime_richcompare(PyObject *self, PyObject *other, int op)
{
    if (!PyDateTime_Check(other)) {
        if (!PyDate_Check(other)) {
            Py_RETURN_NOTIMPLEMENTED;
        }
        /* A date is not a point in time. */
        if (op == Py_EQ || op == Py_NE) {
            return PyBool_FromLong(op == Py_NE);
        }
        return _dt_compare_error(self, other);
    }
    int truth = _dt_datetime_quick_compare(self, other, op);
    if (truth >= 0) {
        return PyBool_FromLong(truth);
    }
    PyObject *result = NULL, *theirs, *ours = offset_of(self);
    if (ours == NULL) {
        return NULL;
    }
    theirs = offset_of(other);
    if (theirs != NULL) {
        result = compare_in_zones(self, other, op, ours, theirs);
        Py_DECREF(theirs);
    }
    Py_DECREF(ours);
    return result;
}

Py_hash_t
_dt_datetime_hash(PyObject *self)
{
    if (SELF(self)->hashcode != -1) {
        return SELF(self)->hashcode;
    }
    PyObject *plain = FOLD(self) ? with_fold(self, 0) : Py_NewRef(self);
    if (plain == NULL) {
        return -1;
    }
    PyObject *offset = offset_of(plain);
    Py_DECREF(plain);
    if (offset == NULL) {
        return -1;
    }
    if (offset == Py_None) {
        SELF(self)->hashcode = _Py_HashBytes(SELF(self)->data,
                                             _PyDateTime_DATETIME_DATASIZE);
    }
    else {
        PyObject *delta = _dt_delta_from_us(
            fields_in_us(self) - _dt_delta_us(offset),
            &_PyDateTime_DeltaType);
        if (delta != NULL) {
            SELF(self)->hashcode = PyObject_Hash(delta);
            Py_DECREF(delta);
        }
    }
    Py_DECREF(offset);
    return SELF(self)->hashcode;
}

/* --------------------------------------------------------------- local time */

/* Seconds since the day before year 1 at the Epoch. */
#define EPOCH_SECONDS ((int64_t)719163 * SECONDS_PER_DAY)

/* The local time, as if it were UTC, of an instant in UTC: both in seconds
   since the day before year 1. -1 with an exception. */
static int64_t
local_of_utc(int64_t utc)
{
    struct tm tm;
    if (_PyTime_localtime((time_t)(utc - EPOCH_SECONDS), &tm) < 0) {
        return -1;
    }
    int year = tm.tm_year + 1900;
    if (year < MINYEAR || year > MAXYEAR) {
        PyErr_Format(PyExc_ValueError, "year %i is out of range", year);
        return -1;
    }
    return seconds_of(year, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
                      tm.tm_sec);
}

/* The instant whose local time is `local`. Around a transition two offsets can apply:
   that of the naive guess, and that of a day away from it, in the direction that fold
   selects. In a gap neither fits: the earlier or the later instant is taken, depending on
   fold. */
static int64_t
utc_of_local(int64_t local, int fold)
{
    const int64_t day = SECONDS_PER_DAY;
    int64_t at_guess = local_of_utc(local);
    if (at_guess == -1) {
        return -1;
    }
    int64_t offset = at_guess - local;
    int64_t first = local - offset;
    int64_t of_first = local_of_utc(first);
    if (of_first == -1) {
        return -1;
    }
    int64_t other_offset;
    if (of_first == local) {
        int64_t away = fold ? first + day : first - day;
        int64_t of_away = local_of_utc(away);
        if (of_away == -1) {
            return -1;
        }
        other_offset = of_away - away;
        if (other_offset == offset) {
            return first;
        }
    }
    else {
        other_offset = of_first - first;
    }
    int64_t second = local - other_offset;
    int64_t of_second = local_of_utc(second);
    if (of_second == -1) {
        return -1;
    }
    if (of_second == local) {
        return second;
    }
    if (of_first == local) {
        return first;
    }
    return fold ? Py_MIN(first, second) : Py_MAX(first, second);
}

PyObject *
_dt_datetime_timestamp(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (_dt_datetime_tzinfo(self) != Py_None) {
        PyObject *delta = difference_of(self, _dt_epoch);
        if (delta == NULL) {
            return NULL;
        }
        PyObject *result = _dt_delta_seconds(delta);
        Py_DECREF(delta);
        return result;
    }
    int64_t utc = utc_of_local(fields_in_seconds(self), FOLD(self));
    if (utc == -1) {
        return NULL;
    }
    return PyFloat_FromDouble((double)(utc - EPOCH_SECONDS)
                              + (double)MICROSECOND(self) / 1e6);
}

/* The timezone in force here at an instant. */
static PyObject *
local_timezone_at(time_t when)
{
    struct tm tm;
    if (_PyTime_localtime(when, &tm) < 0) {
        return NULL;
    }
    PyObject *result = NULL, *name = NULL;
    PyObject *offset = _dt_new_delta(0, (int)tm.tm_gmtoff, 0, 1,
                                     &_PyDateTime_DeltaType);
    if (offset != NULL && tm.tm_zone != NULL) {
        name = PyUnicode_DecodeLocale(tm.tm_zone, "surrogateescape");
    }
    if (offset != NULL && !PyErr_Occurred()) {
        result = _dt_new_timezone(offset, name);
    }
    Py_XDECREF(offset);
    Py_XDECREF(name);
    return result;
}

PyObject *
_dt_datetime_astimezone(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"tz", NULL};
    PyObject *target = Py_None, *source, *offset = NULL, *result = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O:astimezone", keywords,
                                     &target)
        || _dt_check_tzinfo(target) < 0) {
        return NULL;
    }
    source = Py_NewRef(_dt_datetime_tzinfo(self));
    if (source == target && source != Py_None) {
        Py_DECREF(source);
        return Py_NewRef(self);
    }
    if (source != Py_None) {
        offset = _dt_utcoffset(source, self);
        if (offset == NULL) {
            goto done;
        }
    }
    if (offset == NULL || offset == Py_None) {
        /* A naive time is local. */
        Py_CLEAR(offset);
        int64_t utc = utc_of_local(fields_in_seconds(self), FOLD(self));
        if (utc == -1) {
            goto done;
        }
        Py_SETREF(source, local_timezone_at((time_t)(utc - EPOCH_SECONDS)));
        if (source == NULL) {
            goto done;
        }
        offset = _dt_utcoffset(source, self);
        if (offset == NULL) {
            goto done;
        }
    }
    result = _dt_datetime_plus(self, offset, -1);
    if (result == NULL) {
        goto done;
    }
    PyObject *zone = target != Py_None ? Py_NewRef(target)
        : local_timezone_at((time_t)(fields_in_seconds(result)
                                     - EPOCH_SECONDS));
    if (zone == NULL) {
        Py_CLEAR(result);
        goto done;
    }
    /* In UTC, but with the target's zone: what fromutc() takes. */
    Py_SETREF(result, _dt_new_datetime_of_class(
        YEAR(result), MONTH(result), DAY(result), HOUR(result),
        MINUTE(result), SECOND(result), MICROSECOND(result), zone, 0,
        (PyObject *)Py_TYPE(result)));
    if (result != NULL) {
        Py_SETREF(result, PyObject_CallMethodOneArg(zone, _Py_NAME(fromutc), result));
    }
    Py_DECREF(zone);
done:
    Py_XDECREF(source);
    Py_XDECREF(offset);
    return result;
}

/* -------------------------------------------------------------- time tuples */

PyObject *
_dt_datetime_timetuple(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int is_dst = -1;
    PyObject *dst = _dt_dst(_dt_datetime_tzinfo(self), self);
    if (dst == NULL) {
        return NULL;
    }
    if (dst != Py_None) {
        is_dst = _dt_delta_bool(dst);
    }
    Py_DECREF(dst);
    return _dt_struct_time(YEAR(self), MONTH(self), DAY(self), HOUR(self),
                           MINUTE(self), SECOND(self), is_dst);
}

PyObject *
_dt_datetime_utctimetuple(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *offset = offset_of(self), *utc, *result;
    if (offset == NULL) {
        return NULL;
    }
    if (offset == Py_None) {
        utc = Py_NewRef(self);
    }
    else {
        PyObject *plain = _dt_new_datetime(
            YEAR(self), MONTH(self), DAY(self), HOUR(self), MINUTE(self),
            SECOND(self), MICROSECOND(self), Py_None, 0,
            &_PyDateTime_DateTimeType);
        utc = plain == NULL ? NULL : _dt_datetime_plus(plain, offset, -1);
        Py_XDECREF(plain);
    }
    Py_DECREF(offset);
    if (utc == NULL) {
        return NULL;
    }
    result = _dt_struct_time(YEAR(utc), MONTH(utc), DAY(utc), HOUR(utc),
                             MINUTE(utc), SECOND(utc), 0);
    Py_DECREF(utc);
    return result;
}

/* ----------------------------------------------------------------- pickling */

static PyObject *
reduce(PyObject *self, int protocol)
{
    PyObject *bytes = PyBytes_FromStringAndSize(
        (char *)SELF(self)->data, _PyDateTime_DATETIME_DATASIZE);
    if (bytes == NULL) {
        return NULL;
    }
    if (protocol > 3 && FOLD(self)) {
        PyBytes_AS_STRING(bytes)[2] |= (char)0x80;
    }
    if (!SELF(self)->hastzinfo) {
        return Py_BuildValue("O(N)", Py_TYPE(self), bytes);
    }
    return Py_BuildValue("O(NO)", Py_TYPE(self), bytes, SELF(self)->tzinfo);
}

PyObject *
_dt_datetime_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return reduce(self, 2);
}

PyObject *
_dt_datetime_reduce_ex(PyObject *self, PyObject *args)
{
    int protocol;
    if (!PyArg_ParseTuple(args, "i:__reduce_ex__", &protocol)) {
        return NULL;
    }
    return reduce(self, protocol);
}

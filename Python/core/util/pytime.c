/* Time as a count of nanoseconds (_PyTime_t), its conversions, and the system's clocks.

   Conversions to a coarser unit take a rounding mode. Those that can't raise clamp to the
   range of their result instead. */

#include "Python.h"
#include <errno.h>
#include <math.h>
#include <sys/time.h>
#include <time.h>

#define NS_PER_SEC ((_PyTime_t)1000000000)
#define NS_PER_MS  ((_PyTime_t)1000000)
#define NS_PER_US  ((_PyTime_t)1000)
#define US_PER_SEC ((_PyTime_t)1000000)

_Static_assert(sizeof(time_t) == 8, "time_t has 64 bits");

static int
time_t_overflow(void)
{
    PyErr_SetString(PyExc_OverflowError,
                    "timestamp out of range for platform time_t");
    return -1;
}

static int
time_overflow(void)
{
    PyErr_SetString(PyExc_OverflowError,
                    "timestamp too large to convert to C _PyTime_t");
    return -1;
}

static int
refuse_nan(double x)
{
    if (isnan(x)) {
        PyErr_SetString(PyExc_ValueError, "Invalid value NaN (not a number)");
        return -1;
    }
    return 0;
}

/* ------------------------------------------------------- clamped arithmetic */

_PyTime_t
_PyTime_Add(_PyTime_t t1, _PyTime_t t2)
{
    _PyTime_t sum;
    if (__builtin_add_overflow(t1, t2, &sum)) {
        return t2 < 0 ? _PyTime_MIN : _PyTime_MAX;
    }
    return sum;
}

static _PyTime_t
clamp(__int128 t)
{
    return t > _PyTime_MAX ? _PyTime_MAX
        : t < _PyTime_MIN ? _PyTime_MIN : (_PyTime_t)t;
}

_PyTime_t
_PyTime_MulDiv(_PyTime_t ticks, _PyTime_t mul, _PyTime_t div)
{
    /* The parts are clamped separately: ticks / div * mul may overflow by itself. */
    _PyTime_t whole = clamp((__int128)(ticks / div) * mul);
    return _PyTime_Add(whole, ticks % div * mul / div);
}

/* ----------------------------------------------------------------- rounding */

static double
round_double(double x, _PyTime_round_t mode)
{
    switch (mode) {
    case _PyTime_ROUND_HALF_EVEN:
        return rint(x);
    case _PyTime_ROUND_CEILING:
        return ceil(x);
    case _PyTime_ROUND_FLOOR:
        return floor(x);
    default:
        return x >= 0.0 ? ceil(x) : floor(x);
    }
}

/* t / unit, rounded; unit > 1. */
static _PyTime_t
divide(_PyTime_t t, _PyTime_t unit, _PyTime_round_t mode)
{
    _PyTime_t q = t / unit, r = t % unit;
    _PyTime_t away = t < 0 ? -1 : 1;
    if (r == 0) {
        return q;
    }
    switch (mode) {
    case _PyTime_ROUND_HALF_EVEN: {
        _PyTime_t twice = 2 * (r < 0 ? -r : r);
        return twice > unit || (twice == unit && (q & 1)) ? q + away : q;
    }
    case _PyTime_ROUND_CEILING:
        return t > 0 ? q + 1 : q;
    case _PyTime_ROUND_FLOOR:
        return t < 0 ? q - 1 : q;
    default:
        return q + away;
    }
}

/* ------------------------------------------------------------------- time_t */

time_t
_PyLong_AsTime_t(PyObject *obj)
{
    long long value = PyLong_AsLongLong(obj);
    if (value == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            time_t_overflow();
        }
        return -1;
    }
    return (time_t)value;
}

PyObject *
_PyLong_FromTime_t(time_t t)
{
    return PyLong_FromLongLong((long long)t);
}

static int
double_to_time_t(double x, time_t *sec)
{
    /* 2**63 is the first double that does not fit. */
    if (!(x >= -0x1p63 && x < 0x1p63)) {
        return time_t_overflow();
    }
    *sec = (time_t)x;
    return 0;
}

int
_PyTime_ObjectToTime_t(PyObject *obj, time_t *sec, _PyTime_round_t round)
{
    if (PyFloat_Check(obj)) {
        double x = PyFloat_AsDouble(obj);
        if (refuse_nan(x) < 0) {
            return -1;
        }
        return double_to_time_t(round_double(x, round), sec);
    }
    *sec = _PyLong_AsTime_t(obj);
    return *sec == (time_t)-1 && PyErr_Occurred() ? -1 : 0;
}

/* Whole seconds, and 0 <= *fraction < units_per_sec. */
static int
object_to_parts(PyObject *obj, time_t *sec, long *fraction,
                long units_per_sec, _PyTime_round_t round)
{
    if (!PyFloat_Check(obj)) {
        *fraction = 0;
        *sec = _PyLong_AsTime_t(obj);
        return *sec == (time_t)-1 && PyErr_Occurred() ? -1 : 0;
    }
    double x = PyFloat_AsDouble(obj), whole;
    *fraction = 0;
    if (refuse_nan(x) < 0) {
        return -1;
    }
    double part = round_double(modf(x, &whole) * (double)units_per_sec,
                               round);
    if (part >= (double)units_per_sec) {
        part -= (double)units_per_sec;
        whole += 1.0;
    }
    else if (part < 0) {
        part += (double)units_per_sec;
        whole -= 1.0;
    }
    if (double_to_time_t(whole, sec) < 0) {
        return -1;
    }
    *fraction = (long)part;
    return 0;
}

int
_PyTime_ObjectToTimespec(PyObject *obj, time_t *sec, long *nsec,
                         _PyTime_round_t round)
{
    return object_to_parts(obj, sec, nsec, 1000000000, round);
}

int
_PyTime_ObjectToTimeval(PyObject *obj, time_t *sec, long *usec,
                        _PyTime_round_t round)
{
    return object_to_parts(obj, sec, usec, 1000000, round);
}

/* ------------------------------------------------------------- to _PyTime_t */

_PyTime_t
_PyTime_FromSeconds(int seconds)
{
    return (_PyTime_t)seconds * NS_PER_SEC;
}

_PyTime_t
_PyTime_FromNanoseconds(_PyTime_t ns)
{
    return ns;
}

int
_PyTime_FromNanosecondsObject(_PyTime_t *tp, PyObject *obj)
{
    if (!PyLong_Check(obj)) {
        PyErr_Format(PyExc_TypeError, "expect int, got %s",
                     Py_TYPE(obj)->tp_name);
        return -1;
    }
    long long ns = PyLong_AsLongLong(obj);
    if (ns == -1 && PyErr_Occurred()) {
        return PyErr_ExceptionMatches(PyExc_OverflowError)
            ? time_overflow() : -1;
    }
    *tp = ns;
    return 0;
}

static int
object_to_time(_PyTime_t *tp, PyObject *obj, _PyTime_round_t round,
               _PyTime_t unit)
{
    if (PyFloat_Check(obj)) {
        double x = PyFloat_AsDouble(obj);
        if (refuse_nan(x) < 0) {
            return -1;
        }
        x = round_double(x * (double)unit, round);
        if (!(x >= -0x1p63 && x < 0x1p63)) {
            *tp = 0;
            return time_overflow();
        }
        *tp = (_PyTime_t)x;
        return 0;
    }
    long long count = PyLong_AsLongLong(obj);
    if (count == -1 && PyErr_Occurred()) {
        return PyErr_ExceptionMatches(PyExc_OverflowError)
            ? time_overflow() : -1;
    }
    if (__builtin_mul_overflow((_PyTime_t)count, unit, tp)) {
        return time_overflow();
    }
    return 0;
}

int
_PyTime_FromSecondsObject(_PyTime_t *tp, PyObject *obj, _PyTime_round_t round)
{
    return object_to_time(tp, obj, round, NS_PER_SEC);
}

int
_PyTime_FromMillisecondsObject(_PyTime_t *tp, PyObject *obj,
                               _PyTime_round_t round)
{
    return object_to_time(tp, obj, round, NS_PER_MS);
}

/* Clamps. Returns -1 (without an exception) if it had to. */
static int
parts_to_time(_PyTime_t *tp, time_t sec, _PyTime_t ns)
{
    __int128 t = (__int128)sec * NS_PER_SEC + ns;
    *tp = clamp(t);
    return *tp == t ? 0 : -1;
}

int
_PyTime_FromTimespec(_PyTime_t *tp, struct timespec *ts)
{
    return parts_to_time(tp, ts->tv_sec, ts->tv_nsec) < 0
        ? time_overflow() : 0;
}

int
_PyTime_FromTimeval(_PyTime_t *tp, struct timeval *tv)
{
    return parts_to_time(tp, tv->tv_sec, tv->tv_usec * NS_PER_US) < 0
        ? time_overflow() : 0;
}

/* ----------------------------------------------------------- from _PyTime_t */

double
_PyTime_AsSecondsDouble(_PyTime_t t)
{
    if (t % NS_PER_SEC == 0) {
        /* Whole seconds do not lose precision to the nanoseconds. */
        return (double)(t / NS_PER_SEC);
    }
    return (double)t / 1e9;
}

_PyTime_t
_PyTime_AsNanoseconds(_PyTime_t t)
{
    return t;
}

PyObject *
_PyTime_AsNanosecondsObject(_PyTime_t t)
{
    return PyLong_FromLongLong(t);
}

_PyTime_t
_PyTime_AsMicroseconds(_PyTime_t t, _PyTime_round_t round)
{
    return divide(t, NS_PER_US, round);
}

_PyTime_t
_PyTime_AsMilliseconds(_PyTime_t t, _PyTime_round_t round)
{
    return divide(t, NS_PER_MS, round);
}

/* count / per_sec as whole seconds and a part in 0 … per_sec - 1. */
static _PyTime_t
split(_PyTime_t count, _PyTime_t per_sec, _PyTime_t *part)
{
    _PyTime_t sec = count / per_sec;
    *part = count % per_sec;
    if (*part < 0) {
        *part += per_sec;
        sec--;
    }
    return sec;
}

int
_PyTime_AsTimeval(_PyTime_t t, struct timeval *tv, _PyTime_round_t round)
{
    _PyTime_t us;
    tv->tv_sec = split(_PyTime_AsMicroseconds(t, round), US_PER_SEC, &us);
    tv->tv_usec = us;
    return 0;
}

void
_PyTime_AsTimeval_clamp(_PyTime_t t, struct timeval *tv,
                        _PyTime_round_t round)
{
    (void)_PyTime_AsTimeval(t, tv, round);
}

int
_PyTime_AsTimevalTime_t(_PyTime_t t, time_t *secs, int *us,
                        _PyTime_round_t round)
{
    _PyTime_t part;
    *secs = split(_PyTime_AsMicroseconds(t, round), US_PER_SEC, &part);
    *us = (int)part;
    return 0;
}

int
_PyTime_AsTimespec(_PyTime_t t, struct timespec *ts)
{
    _PyTime_t ns;
    ts->tv_sec = split(t, NS_PER_SEC, &ns);
    ts->tv_nsec = ns;
    return 0;
}

void
_PyTime_AsTimespec_clamp(_PyTime_t t, struct timespec *ts)
{
    (void)_PyTime_AsTimespec(t, ts);
}

/* ------------------------------------------------------------------- clocks */

/* Reads a clock. On failure returns -1, with an exception if `raise`. */
static int
read_clock(clockid_t id, _PyTime_t *tp, _Py_clock_info_t *info,
           const char *implementation, int monotonic, int raise)
{
    struct timespec ts;
    *tp = 0;
    if (clock_gettime(id, &ts) != 0) {
        if (raise) {
            PyErr_SetFromErrno(PyExc_OSError);
        }
        return -1;
    }
    if (parts_to_time(tp, ts.tv_sec, ts.tv_nsec) < 0 && raise) {
        return time_overflow();
    }
    if (info != NULL) {
        struct timespec resolution;
        info->implementation = implementation;
        info->monotonic = monotonic;
        info->adjustable = !monotonic;
        info->resolution = clock_getres(id, &resolution) == 0
            ? (double)resolution.tv_sec + (double)resolution.tv_nsec * 1e-9
            : 1e-9;
    }
    return 0;
}

static int
read_system_clock(_PyTime_t *tp, _Py_clock_info_t *info, int raise)
{
    return read_clock(CLOCK_REALTIME, tp, info,
                      "clock_gettime(CLOCK_REALTIME)", 0, raise);
}

static int
read_monotonic_clock(_PyTime_t *tp, _Py_clock_info_t *info, int raise)
{
    return read_clock(CLOCK_MONOTONIC, tp, info,
                      "clock_gettime(CLOCK_MONOTONIC)", 1, raise);
}

_PyTime_t
_PyTime_GetSystemClock(void)
{
    _PyTime_t t;
    (void)read_system_clock(&t, NULL, 0);
    return t;
}

int
_PyTime_GetSystemClockWithInfo(_PyTime_t *t, _Py_clock_info_t *info)
{
    return read_system_clock(t, info, 1);
}

_PyTime_t
_PyTime_GetMonotonicClock(void)
{
    _PyTime_t t;
    (void)read_monotonic_clock(&t, NULL, 0);
    return t;
}

int
_PyTime_GetMonotonicClockWithInfo(_PyTime_t *t, _Py_clock_info_t *info)
{
    return read_monotonic_clock(t, info, 1);
}

_PyTime_t
_PyTime_GetPerfCounter(void)
{
    return _PyTime_GetMonotonicClock();
}

int
_PyTime_GetPerfCounterWithInfo(_PyTime_t *t, _Py_clock_info_t *info)
{
    return _PyTime_GetMonotonicClockWithInfo(t, info);
}

_PyTime_t
_PyDeadline_Init(_PyTime_t timeout)
{
    return _PyTime_Add(_PyTime_GetMonotonicClock(), timeout);
}

_PyTime_t
_PyDeadline_Get(_PyTime_t deadline)
{
    return deadline - _PyTime_GetMonotonicClock();
}

/* ---------------------------------------------------------------- calendars */

static int
calendar_error(void)
{
    if (errno == 0) {
        errno = EINVAL;
    }
    PyErr_SetFromErrno(PyExc_OSError);
    return -1;
}

int
_PyTime_localtime(time_t t, struct tm *tm)
{
    errno = 0;
    return localtime_r(&t, tm) == NULL ? calendar_error() : 0;
}

int
_PyTime_gmtime(time_t t, struct tm *tm)
{
    errno = 0;
    return gmtime_r(&t, tm) == NULL ? calendar_error() : 0;
}

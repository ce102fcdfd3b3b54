/* time: clocks, calendars and sleeping.

   The conversions are _PyTime's (Python/core/util/pytime.c). A struct_time has 9 items
   that are part of the sequence, and the zone's name and offset as attributes. */

#include "Python.h"
#include "internal/containers.h"
#include "internal/module_init.h"
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <wchar.h>

typedef struct {
    PyTypeObject *struct_time_type;
} time_state;

static time_state *
state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

/* ------------------------------------------------------------------- clocks */

/* A clock as _PyTime_GetSystemClockWithInfo: info may be NULL. */
typedef int (*clock_reader)(_PyTime_t *, _Py_clock_info_t *);

static int
read_cpu_clock(clockid_t id, const char *name, _PyTime_t *t,
               _Py_clock_info_t *info)
{
    struct timespec ts;
    if (clock_gettime(id, &ts) != 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    if (info != NULL) {
        struct timespec resolution;
        info->implementation = name;
        info->monotonic = 1;
        info->adjustable = 0;
        if (clock_getres(id, &resolution) != 0) {
            PyErr_SetFromErrno(PyExc_OSError);
            return -1;
        }
        info->resolution = (double)resolution.tv_sec
            + (double)resolution.tv_nsec * 1e-9;
    }
    return _PyTime_FromTimespec(t, &ts);
}

static int
read_process_clock(_PyTime_t *t, _Py_clock_info_t *info)
{
    return read_cpu_clock(CLOCK_PROCESS_CPUTIME_ID,
                          "clock_gettime(CLOCK_PROCESS_CPUTIME_ID)", t, info);
}

static int
read_thread_clock(_PyTime_t *t, _Py_clock_info_t *info)
{
    return read_cpu_clock(CLOCK_THREAD_CPUTIME_ID,
                          "clock_gettime(CLOCK_THREAD_CPUTIME_ID)", t, info);
}

#define CLOCK(name, read)                                           \
    static PyObject *                                               \
    time_##name(PyObject *Py_UNUSED(module),                        \
                PyObject *Py_UNUSED(ignored))                       \
    {                                                               \
        _PyTime_t t;                                                \
        if (read(&t, NULL) < 0) {                                   \
            return NULL;                                            \
        }                                                           \
        return PyFloat_FromDouble(_PyTime_AsSecondsDouble(t));      \
    }                                                               \
    static PyObject *                                               \
    time_##name##_ns(PyObject *Py_UNUSED(module),                   \
                     PyObject *Py_UNUSED(ignored))                  \
    {                                                               \
        _PyTime_t t;                                                \
        if (read(&t, NULL) < 0) {                                   \
            return NULL;                                            \
        }                                                           \
        return _PyTime_AsNanosecondsObject(t);                      \
    }

CLOCK(time, _PyTime_GetSystemClockWithInfo)
CLOCK(monotonic, _PyTime_GetMonotonicClockWithInfo)
CLOCK(perf_counter, _PyTime_GetPerfCounterWithInfo)
CLOCK(process_time, read_process_clock)
CLOCK(thread_time, read_thread_clock)

static PyObject *
time_get_clock_info(PyObject *Py_UNUSED(module), PyObject *args)
{
    static const struct {
        const char *name;
        clock_reader read;
    } clocks[] = {
        {"time", _PyTime_GetSystemClockWithInfo},
        {"monotonic", _PyTime_GetMonotonicClockWithInfo},
        {"perf_counter", _PyTime_GetPerfCounterWithInfo},
        {"process_time", read_process_clock},
        {"thread_time", read_thread_clock},
    };
    const char *name;
    _Py_clock_info_t info = {"", 0, 0, 1.0};
    _PyTime_t t;
    if (!PyArg_ParseTuple(args, "s:get_clock_info", &name)) {
        return NULL;
    }
    size_t i = 0;
    while (i < Py_ARRAY_LENGTH(clocks) && strcmp(clocks[i].name, name) != 0) {
        i++;
    }
    if (i == Py_ARRAY_LENGTH(clocks)) {
        PyErr_SetString(PyExc_ValueError, "unknown clock");
        return NULL;
    }
    if (clocks[i].read(&t, &info) < 0) {
        return NULL;
    }
    PyObject *dict = Py_BuildValue(
        "{sssOsOsd}", "implementation", info.implementation,
        "monotonic", info.monotonic ? Py_True : Py_False,
        "adjustable", info.adjustable ? Py_True : Py_False,
        "resolution", info.resolution);
    if (dict == NULL) {
        return NULL;
    }
    PyObject *result = _PyNamespace_New(dict);
    Py_DECREF(dict);
    return result;
}

/* The time of the clock that is the only argument. */
static int
gettime_of(PyObject *args, const char *format, struct timespec *ts,
           int (*function)(clockid_t, struct timespec *))
{
    int id;
    if (!PyArg_ParseTuple(args, format, &id)) {
        return -1;
    }
    if (function((clockid_t)id, ts) != 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return 0;
}

static PyObject *
time_clock_gettime(PyObject *Py_UNUSED(module), PyObject *args)
{
    struct timespec ts;
    if (gettime_of(args, "i:clock_gettime", &ts, clock_gettime) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble((double)ts.tv_sec + (double)ts.tv_nsec * 1e-9);
}

static PyObject *
time_clock_gettime_ns(PyObject *Py_UNUSED(module), PyObject *args)
{
    struct timespec ts;
    _PyTime_t t;
    if (gettime_of(args, "i:clock_gettime", &ts, clock_gettime) < 0
        || _PyTime_FromTimespec(&t, &ts) < 0) {
        return NULL;
    }
    return _PyTime_AsNanosecondsObject(t);
}

static PyObject *
time_clock_getres(PyObject *Py_UNUSED(module), PyObject *args)
{
    struct timespec ts;
    if (gettime_of(args, "i:clock_getres", &ts, clock_getres) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble((double)ts.tv_sec + (double)ts.tv_nsec * 1e-9);
}

static PyObject *
set_clock(int id, _PyTime_t t)
{
    struct timespec ts;
    if (_PyTime_AsTimespec(t, &ts) < 0) {
        return NULL;
    }
    if (clock_settime((clockid_t)id, &ts) != 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_RETURN_NONE;
}

static PyObject *
time_clock_settime(PyObject *Py_UNUSED(module), PyObject *args)
{
    int id;
    PyObject *obj;
    _PyTime_t t;
    if (!PyArg_ParseTuple(args, "iO:clock_settime", &id, &obj)
        || _PyTime_FromSecondsObject(&t, obj, _PyTime_ROUND_FLOOR) < 0) {
        return NULL;
    }
    return set_clock(id, t);
}

static PyObject *
time_clock_settime_ns(PyObject *Py_UNUSED(module), PyObject *args)
{
    int id;
    PyObject *obj;
    _PyTime_t t;
    if (!PyArg_ParseTuple(args, "iO:clock_settime", &id, &obj)
        || _PyTime_FromNanosecondsObject(&t, obj) < 0) {
        return NULL;
    }
    return set_clock(id, t);
}

static PyObject *
time_pthread_getcpuclockid(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *ident;
    clockid_t id;
    if (!PyArg_ParseTuple(args, "O!:pthread_getcpuclockid", &PyLong_Type,
                          &ident)) {
        return NULL;
    }
    pthread_t thread = (pthread_t)PyLong_AsUnsignedLongMask(ident);
    int error = pthread_getcpuclockid(thread, &id);
    if (error != 0) {
        errno = error;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return PyLong_FromLong(id);
}

/* ----------------------------------------------------------------- sleeping */

/* Sleeps until the deadline on the monotonic clock; signal handlers run meanwhile, and
   may end it by an exception. */
static int
sleep_until(_PyTime_t deadline)
{
    for (;;) {
        struct timespec ts;
        int error;
        _PyTime_AsTimespec_clamp(deadline, &ts);
        Py_BEGIN_ALLOW_THREADS
        error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
        Py_END_ALLOW_THREADS
        if (error == 0) {
            return 0;
        }
        if (error != EINTR) {
            errno = error;
            PyErr_SetFromErrno(PyExc_OSError);
            return -1;
        }
        if (PyErr_CheckSignals() < 0) {
            return -1;
        }
    }
}

static PyObject *
time_sleep(PyObject *Py_UNUSED(module), PyObject *arg)
{
    _PyTime_t timeout, now;
    if (_PyTime_FromSecondsObject(&timeout, arg, _PyTime_ROUND_TIMEOUT) < 0) {
        return NULL;
    }
    if (timeout < 0) {
        PyErr_SetString(PyExc_ValueError, "sleep length must be non-negative");
        return NULL;
    }
    if (_PyTime_GetMonotonicClockWithInfo(&now, NULL) < 0
        || sleep_until(_PyTime_Add(now, timeout)) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------- struct_time */

static PyStructSequence_Field struct_time_fields[] = {
    {"tm_year", "year, for example, 1993"},
    {"tm_mon", "month of year, range [1, 12]"},
    {"tm_mday", "day of month, range [1, 31]"},
    {"tm_hour", "hours, range [0, 23]"},
    {"tm_min", "minutes, range [0, 59]"},
    {"tm_sec", "seconds, range [0, 61])"},
    {"tm_wday", "day of week, range [0, 6], Monday is 0"},
    {"tm_yday", "day of year, range [1, 366]"},
    {"tm_isdst", "1 if summer time is in effect, 0 if not, and -1 if unknown"},
    {"tm_zone", "abbreviation of timezone name"},
    {"tm_gmtoff", "offset from UTC in seconds"},
    {NULL, NULL}
};

static PyStructSequence_Desc struct_time_desc = {
    "time.struct_time",
    "What gmtime(), localtime() and strptime() return, and what asctime(),\n"
    "mktime() and strftime() take: a tuple of 9 numbers that can be read by\n"
    "name, too. A tm_isdst of 0, 1 or -1 says whether daylight saving time\n"
    "is off, on, or unknown.",
    struct_time_fields,
    9,
};

static PyObject *
struct_time_from_tm(PyObject *module, const struct tm *tm)
{
    PyObject *result = PyStructSequence_New(
        state_of(module)->struct_time_type);
    if (result == NULL) {
        return NULL;
    }
    const int values[] = {
        tm->tm_mon + 1, tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec,
        (tm->tm_wday + 6) % 7, tm->tm_yday + 1, tm->tm_isdst,
    };
    PyStructSequence_SET_ITEM(result, 0,
                              PyLong_FromLong(tm->tm_year + 1900L));
    for (int i = 0; i < 8; i++) {
        PyStructSequence_SET_ITEM(result, i + 1, PyLong_FromLong(values[i]));
    }
    PyStructSequence_SET_ITEM(
        result, 9, PyUnicode_DecodeLocale(tm->tm_zone, "surrogateescape"));
    PyStructSequence_SET_ITEM(result, 10, PyLong_FromLong(tm->tm_gmtoff));
    if (PyErr_Occurred()) {
        Py_CLEAR(result);
    }
    return result;
}

/* The time_t of an optional argument: the current time if it is missing or None. */
static int
take_time(PyObject *args, const char *format, time_t *when)
{
    PyObject *obj = NULL;
    if (!PyArg_ParseTuple(args, format, &obj)) {
        return -1;
    }
    if (obj == NULL || obj == Py_None) {
        *when = time(NULL);
        return 0;
    }
    return _PyTime_ObjectToTime_t(obj, when, _PyTime_ROUND_FLOOR);
}

static PyObject *
time_gmtime(PyObject *module, PyObject *args)
{
    time_t when;
    struct tm tm;
    if (take_time(args, "|O:gmtime", &when) < 0
        || _PyTime_gmtime(when, &tm) < 0) {
        return NULL;
    }
    return struct_time_from_tm(module, &tm);
}

static PyObject *
time_localtime(PyObject *module, PyObject *args)
{
    time_t when;
    struct tm tm;
    if (take_time(args, "|O:localtime", &when) < 0
        || _PyTime_localtime(when, &tm) < 0) {
        return NULL;
    }
    return struct_time_from_tm(module, &tm);
}

/* Reads a tuple of 9 numbers; `format` is the end of the message for other objects. The
   tuple keeps the name of the zone. */
static int
tm_from_tuple(PyObject *module, PyObject *tuple, struct tm *tm,
              const char *format)
{
    int year;
    memset(tm, 0, sizeof(*tm));
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError,
                        "Tuple or struct_time argument required");
        return -1;
    }
    if (!PyArg_ParseTuple(tuple, format, &year, &tm->tm_mon, &tm->tm_mday,
                          &tm->tm_hour, &tm->tm_min, &tm->tm_sec,
                          &tm->tm_wday, &tm->tm_yday, &tm->tm_isdst)) {
        return -1;
    }
    if (year < INT_MIN + 1900) {
        PyErr_SetString(PyExc_OverflowError, "year out of range");
        return -1;
    }
    tm->tm_year = year - 1900;
    tm->tm_mon--;
    tm->tm_wday = (tm->tm_wday + 1) % 7;
    tm->tm_yday--;
    if (Py_IS_TYPE(tuple, state_of(module)->struct_time_type)) {
        PyObject *zone = PyStructSequence_GET_ITEM(tuple, 9);
        PyObject *offset = PyStructSequence_GET_ITEM(tuple, 10);
        if (zone != NULL && zone != Py_None) {
            tm->tm_zone = PyUnicode_AsUTF8(zone);
            if (tm->tm_zone == NULL) {
                return -1;
            }
        }
        if (offset != NULL && offset != Py_None) {
            tm->tm_gmtoff = PyLong_AsLong(offset);
            if (tm->tm_gmtoff == -1 && PyErr_Occurred()) {
                return -1;
            }
        }
    }
    return 0;
}

static int
refuse(const char *message)
{
    PyErr_SetString(PyExc_ValueError, message);
    return -1;
}

/* C libraries crash on some values that are out of range. Where counting starts with one,
   a zero is taken as one. */
static int
check_tm(struct tm *tm)
{
    tm->tm_mon += tm->tm_mon == -1;
    tm->tm_mday += tm->tm_mday == 0;
    tm->tm_yday += tm->tm_yday == -1;
    if (tm->tm_mon < 0 || tm->tm_mon > 11) {
        return refuse("month out of range");
    }
    if (tm->tm_mday < 0 || tm->tm_mday > 31) {
        return refuse("day of month out of range");
    }
    if (tm->tm_hour < 0 || tm->tm_hour > 23) {
        return refuse("hour out of range");
    }
    if (tm->tm_min < 0 || tm->tm_min > 59) {
        return refuse("minute out of range");
    }
    if (tm->tm_sec < 0 || tm->tm_sec > 61) {
        return refuse("seconds out of range");
    }
    /* tm_wday has been reduced by a remainder: only its sign can be wrong. */
    if (tm->tm_wday < 0) {
        return refuse("day of week out of range");
    }
    if (tm->tm_yday < 0 || tm->tm_yday > 365) {
        return refuse("day of year out of range");
    }
    return 0;
}

/* ------------------------------------------------------------------ as text */

static PyObject *
text_of_tm(const struct tm *tm)
{
    static const char days[7][4] = {
        "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat",
    };
    static const char months[12][4] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun",
        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    };
    char text[80];
    PyOS_snprintf(text, sizeof(text), "%s %s%3d %.2d:%.2d:%.2d %ld",
                  days[tm->tm_wday], months[tm->tm_mon], tm->tm_mday,
                  tm->tm_hour, tm->tm_min, tm->tm_sec,
                  1900L + tm->tm_year);
    return PyUnicode_FromString(text);
}

static PyObject *
time_asctime(PyObject *module, PyObject *args)
{
    PyObject *tuple = NULL;
    struct tm tm;
    if (!PyArg_UnpackTuple(args, "asctime", 0, 1, &tuple)) {
        return NULL;
    }
    if (tuple == NULL) {
        if (_PyTime_localtime(time(NULL), &tm) < 0) {
            return NULL;
        }
    }
    else if (tm_from_tuple(module, tuple, &tm,
                           "iiiiiiiii;asctime(): illegal time tuple argument")
             < 0 || check_tm(&tm) < 0) {
        return NULL;
    }
    return text_of_tm(&tm);
}

static PyObject *
time_ctime(PyObject *Py_UNUSED(module), PyObject *args)
{
    time_t when;
    struct tm tm;
    if (take_time(args, "|O:ctime", &when) < 0
        || _PyTime_localtime(when, &tm) < 0) {
        return NULL;
    }
    return text_of_tm(&tm);
}

static PyObject *
format_tm(const wchar_t *format, size_t length, const struct tm *tm)
{
    /* wcsftime() has no error but "no room", and returns 0 for that as well
       as for an empty result: give up at a size that cannot be needed. */
    for (size_t room = 1024; ; room *= 2) {
        wchar_t *text = PyMem_Malloc(room * sizeof(wchar_t));
        if (text == NULL) {
            return PyErr_NoMemory();
        }
        size_t n = wcsftime(text, room, format, tm);
        PyObject *result = NULL;
        if (n > 0 || room >= 256 * length) {
            result = PyUnicode_FromWideChar(text, (Py_ssize_t)n);
            PyMem_Free(text);
            return result;
        }
        PyMem_Free(text);
    }
}

static PyObject *
time_strftime(PyObject *module, PyObject *args)
{
    PyObject *format_arg, *tuple = NULL;
    struct tm tm;
    if (!PyArg_ParseTuple(args, "U|O:strftime", &format_arg, &tuple)) {
        return NULL;
    }
    if (tuple == NULL) {
        if (_PyTime_localtime(time(NULL), &tm) < 0) {
            return NULL;
        }
    }
    else if (tm_from_tuple(module, tuple, &tm,
                           "iiiiiiiii;strftime(): illegal time tuple argument")
             < 0 || check_tm(&tm) < 0) {
        return NULL;
    }
    tm.tm_isdst = tm.tm_isdst < -1 ? -1 : tm.tm_isdst > 1 ? 1 : tm.tm_isdst;
    wchar_t *format = PyUnicode_AsWideCharString(format_arg, NULL);
    if (format == NULL) {
        return NULL;
    }
    PyObject *result = format_tm(format, wcslen(format), &tm);
    PyMem_Free(format);
    return result;
}

static PyObject *
time_strptime(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *module = PyImport_ImportModule("_strptime");
    if (module == NULL) {
        return NULL;
    }
    PyObject *function = PyObject_GetAttrString(module, "_strptime_time");
    Py_DECREF(module);
    if (function == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Call(function, args, NULL);
    Py_DECREF(function);
    return result;
}

static PyObject *
time_mktime(PyObject *module, PyObject *tuple)
{
    struct tm tm;
    if (tm_from_tuple(module, tuple, &tm,
                      "iiiiiiiii;mktime(): illegal time tuple argument") < 0) {
        return NULL;
    }
    /* -1 is a valid time, too; whether the day of the week was set tells them apart. */
    tm.tm_wday = -1;
    time_t when = mktime(&tm);
    if (when == (time_t)-1 && tm.tm_wday == -1) {
        PyErr_SetString(PyExc_OverflowError, "mktime argument out of range");
        return NULL;
    }
    return PyFloat_FromDouble((double)when);
}

/* ---------------------------------------------------------------- time zone */

static int
add_steals(PyObject *module, const char *name, PyObject *value)
{
    int status = PyModule_AddObjectRef(module, name, value);
    Py_XDECREF(value);
    return status;
}

/* The zone in force at a time: west of Greenwich in seconds, and its name. */
static int
zone_at(time_t when, long *west, char name[64])
{
    struct tm tm;
    if (_PyTime_localtime(when, &tm) < 0) {
        return -1;
    }
    *west = -tm.tm_gmtoff;
    PyOS_snprintf(name, 64, "%s", tm.tm_zone != NULL ? tm.tm_zone : "   ");
    return 0;
}

/* Sets timezone, altzone, daylight and tzname. Of the zones in force in January and July,
   the western one is standard time. */
static int
init_timezone(PyObject *module)
{
    const time_t year = (365 * 24 + 6) * 3600;
    long west[2];
    char names[2][64];
    tzset();
    time_t january = time(NULL) / year * year;
    if (zone_at(january, &west[0], names[0]) < 0
        || zone_at(january + year / 2, &west[1], names[1]) < 0) {
        return -1;
    }
    int standard = west[0] < west[1];
    PyObject *first = PyUnicode_DecodeLocale(names[standard],
                                             "surrogateescape");
    PyObject *second = PyUnicode_DecodeLocale(names[!standard],
                                              "surrogateescape");
    PyObject *tzname = NULL;
    if (first != NULL && second != NULL) {
        tzname = PyTuple_Pack(2, first, second);
    }
    Py_XDECREF(first);
    Py_XDECREF(second);
    if (PyModule_AddIntConstant(module, "timezone", west[standard]) < 0
        || PyModule_AddIntConstant(module, "altzone", west[!standard]) < 0
        || PyModule_AddIntConstant(module, "daylight",
                                   west[0] != west[1]) < 0) {
        Py_XDECREF(tzname);
        return -1;
    }
    return add_steals(module, "tzname", tzname);
}

static PyObject *
time_tzset(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    if (init_timezone(module) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* --------------------------------------------------------------- the module */

#define CLOCK_METHODS(name, what)                                   \
    {#name, time_##name, METH_NOARGS,                               \
     #name "() -> float\n\n" what ", in seconds."},                 \
    {#name "_ns", time_##name##_ns, METH_NOARGS,                    \
     #name "_ns() -> int\n\n" what ", in nanoseconds."}

static PyMethodDef time_methods[] = {
    CLOCK_METHODS(time, "The time since the Epoch"),
    {"clock_gettime", time_clock_gettime, METH_VARARGS,
     "clock_gettime(clk_id) -> float\n\nThe time of a clock, in seconds."},
    {"clock_gettime_ns", time_clock_gettime_ns, METH_VARARGS,
     "clock_gettime_ns(clk_id) -> int\n\n"
     "The time of a clock, in nanoseconds."},
    {"clock_settime", time_clock_settime, METH_VARARGS,
     "clock_settime(clk_id, time)\n\nSets a clock, in seconds."},
    {"clock_settime_ns", time_clock_settime_ns, METH_VARARGS,
     "clock_settime_ns(clk_id, time)\n\nSets a clock, in nanoseconds."},
    {"clock_getres", time_clock_getres, METH_VARARGS,
     "clock_getres(clk_id) -> floating point number\n\n"
     "The resolution of a clock, in seconds."},
    {"pthread_getcpuclockid", time_pthread_getcpuclockid, METH_VARARGS,
     "pthread_getcpuclockid(thread_id) -> int\n\n"
     "The id of a clock that counts a thread's CPU time."},
    {"sleep", time_sleep, METH_O,
     "sleep(seconds)\n\n"
     "Lets that many seconds pass, or fractions of one."},
    {"gmtime", time_gmtime, METH_VARARGS,
     "gmtime([seconds]) -> (tm_year, tm_mon, tm_mday, tm_hour, tm_min,\n"
     "                       tm_sec, tm_wday, tm_yday, tm_isdst)\n\n"
     "The calendar time, in UTC, of seconds since the Epoch: now by default."},
    {"localtime", time_localtime, METH_VARARGS,
     "localtime([seconds]) -> (tm_year,tm_mon,tm_mday,tm_hour,tm_min,\n"
     "                          tm_sec,tm_wday,tm_yday,tm_isdst)\n\n"
     "The calendar time here of seconds since the Epoch: now by default."},
    {"asctime", time_asctime, METH_VARARGS,
     "asctime([tuple]) -> string\n\n"
     "A time tuple as text, such as 'Sat Jun 06 16:26:11 1998'; the local\n"
     "time by default."},
    {"ctime", time_ctime, METH_VARARGS,
     "ctime(seconds) -> string\n\n"
     "asctime(localtime(seconds)); now by default."},
    {"mktime", time_mktime, METH_O,
     "mktime(tuple) -> floating point number\n\n"
     "The seconds since the Epoch of a time tuple in local time."},
    {"strftime", time_strftime, METH_VARARGS,
     "strftime(format[, tuple]) -> string\n\n"
     "A time tuple as text in a format of your own; the local time by\n"
     "default. Among the codes are %Y, %m, %d, %H, %M, %S, %z, %a, %A, %b,\n"
     "%B, %c, %I and %p; strftime(3) has them all."},
    {"strptime", time_strptime, METH_VARARGS,
     "strptime(string, format) -> struct_time\n\n"
     "The time tuple of a text that strftime() would have made."},
    {"tzset", time_tzset, METH_NOARGS,
     "tzset()\n\n"
     "Goes by what the environment variable TZ says now."},
    CLOCK_METHODS(monotonic, "A clock that never goes backwards"),
    CLOCK_METHODS(process_time, "The CPU time that the process has used"),
    CLOCK_METHODS(thread_time, "The CPU time that the thread has used"),
    CLOCK_METHODS(perf_counter, "A clock for benchmarks"),
    {"get_clock_info", time_get_clock_info, METH_VARARGS,
     "get_clock_info(name: str) -> dict\n\n"
     "What is known about a clock."},
    {NULL, NULL, 0, NULL}
};

static int
time_exec(PyObject *module)
{
    static const struct {
        const char *name;
        int value;
    } constants[] = {
        {"CLOCK_REALTIME", CLOCK_REALTIME},
        {"CLOCK_MONOTONIC", CLOCK_MONOTONIC},
        {"CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW},
        {"CLOCK_PROCESS_CPUTIME_ID", CLOCK_PROCESS_CPUTIME_ID},
        {"CLOCK_THREAD_CPUTIME_ID", CLOCK_THREAD_CPUTIME_ID},
        {"CLOCK_BOOTTIME", CLOCK_BOOTTIME},
        {"CLOCK_TAI", CLOCK_TAI},
        {"_STRUCT_TM_ITEMS", 11},
    };
    time_state *state = state_of(module);
    if (init_timezone(module) < 0) {
        return -1;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    state->struct_time_type = PyStructSequence_NewType(&struct_time_desc);
    if (state->struct_time_type == NULL) {
        return -1;
    }
    return PyModule_AddType(module, state->struct_time_type);
}

static int
time_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(state_of(module)->struct_time_type);
    return 0;
}

static int
time_clear(PyObject *module)
{
    Py_CLEAR(state_of(module)->struct_time_type);
    return 0;
}

static void
time_free(void *module)
{
    (void)time_clear(module);
}

static PyModuleDef_Slot time_slots[] = {
    {Py_mod_exec, time_exec},
    {0, NULL}
};

static struct PyModuleDef time_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "time",
    .m_doc = "Clocks, calendars and sleeping.\n\n"
        "A time is a number of seconds since the Epoch, the beginning of\n"
        "1970 in UTC, or a tuple of 9 numbers: year, month, day, hour,\n"
        "minute, second, day of the week (Monday is 0), day of the year,\n"
        "and whether daylight saving time is in force (1, 0, or -1 for\n"
        "unknown).",
    .m_size = sizeof(time_state),
    .m_methods = time_methods,
    .m_slots = time_slots,
    .m_traverse = time_traverse,
    .m_clear = time_clear,
    .m_free = time_free,
};

MODULE_INIT(time)
{
    return PyModuleDef_Init(&time_module);
}

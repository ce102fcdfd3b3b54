/* datetime. Its functions are reached through a capsule: each C file that uses them calls
   PyDateTime_IMPORT once, before it uses anything here but the structures. Not part of
   Python.h. */
#if !defined(DATETIME_H) && !defined(Py_LIMITED_API)
#define DATETIME_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------------------- layout */

/* The bytes of data:
     date       year (2, the higher first), month, day
     time       hour, minute, second, microsecond (3)
     datetime   those of a date, those of a time
   tzinfo is there only if hastzinfo is not 0. */
#define _PyDateTime_DATE_DATASIZE     4
#define _PyDateTime_TIME_DATASIZE     6
#define _PyDateTime_DATETIME_DATASIZE 10

typedef struct {
    PyObject_HEAD
    Py_hash_t hashcode;         /* -1: not yet known */
    int days;
    int seconds;                /* 0 to 24 * 3600 - 1 */
    int microseconds;           /* 0 to 999999 */
} PyDateTime_Delta;

typedef struct {
    PyObject_HEAD
} PyDateTime_TZInfo;

#define _PyTZINFO_HEAD \
    PyObject_HEAD \
    Py_hash_t hashcode; \
    char hastzinfo;

typedef struct {
    _PyTZINFO_HEAD
} _PyDateTime_BaseTZInfo;

#define _PyDateTime_TIMEHEAD \
    _PyTZINFO_HEAD \
    unsigned char data[_PyDateTime_TIME_DATASIZE];

typedef struct {
    _PyDateTime_TIMEHEAD
} _PyDateTime_BaseTime;

typedef struct {
    _PyDateTime_TIMEHEAD
    unsigned char fold;
    PyObject *tzinfo;
} PyDateTime_Time;

typedef struct {
    _PyTZINFO_HEAD
    unsigned char data[_PyDateTime_DATE_DATASIZE];
} PyDateTime_Date;

#define _PyDateTime_DATETIMEHEAD \
    _PyTZINFO_HEAD \
    unsigned char data[_PyDateTime_DATETIME_DATASIZE];

typedef struct {
    _PyDateTime_DATETIMEHEAD
} _PyDateTime_BaseDateTime;

typedef struct {
    _PyDateTime_DATETIMEHEAD
    unsigned char fold;
    PyObject *tzinfo;
} PyDateTime_DateTime;

/* ------------------------------------------------------------------- access */

#define _PyDateTime_BYTE(type, o, i) (((type *)(o))->data[i])
#define _PyDateTime_HAS_TZINFO(o) (((_PyDateTime_BaseTZInfo *)(o))->hastzinfo)

/* Of a date or datetime. */
#define PyDateTime_GET_YEAR(o) \
    (_PyDateTime_BYTE(PyDateTime_Date, o, 0) << 8 | _PyDateTime_BYTE(PyDateTime_Date, o, 1))
#define PyDateTime_GET_MONTH(o) _PyDateTime_BYTE(PyDateTime_Date, o, 2)
#define PyDateTime_GET_DAY(o)   _PyDateTime_BYTE(PyDateTime_Date, o, 3)

/* Of a datetime; tzinfo is borrowed. */
#define PyDateTime_DATE_GET_HOUR(o)   _PyDateTime_BYTE(PyDateTime_DateTime, o, 4)
#define PyDateTime_DATE_GET_MINUTE(o) _PyDateTime_BYTE(PyDateTime_DateTime, o, 5)
#define PyDateTime_DATE_GET_SECOND(o) _PyDateTime_BYTE(PyDateTime_DateTime, o, 6)
#define PyDateTime_DATE_GET_MICROSECOND(o) \
    (_PyDateTime_BYTE(PyDateTime_DateTime, o, 7) << 16 \
     | _PyDateTime_BYTE(PyDateTime_DateTime, o, 8) << 8 \
     | _PyDateTime_BYTE(PyDateTime_DateTime, o, 9))
#define PyDateTime_DATE_GET_FOLD(o)   (((PyDateTime_DateTime *)(o))->fold)
#define PyDateTime_DATE_GET_TZINFO(o) \
    (_PyDateTime_HAS_TZINFO(o) ? ((PyDateTime_DateTime *)(o))->tzinfo : Py_None)

/* Of a time. */
#define PyDateTime_TIME_GET_HOUR(o)   _PyDateTime_BYTE(PyDateTime_Time, o, 0)
#define PyDateTime_TIME_GET_MINUTE(o) _PyDateTime_BYTE(PyDateTime_Time, o, 1)
#define PyDateTime_TIME_GET_SECOND(o) _PyDateTime_BYTE(PyDateTime_Time, o, 2)
#define PyDateTime_TIME_GET_MICROSECOND(o) \
    (_PyDateTime_BYTE(PyDateTime_Time, o, 3) << 16 \
     | _PyDateTime_BYTE(PyDateTime_Time, o, 4) << 8 \
     | _PyDateTime_BYTE(PyDateTime_Time, o, 5))
#define PyDateTime_TIME_GET_FOLD(o)   (((PyDateTime_Time *)(o))->fold)
#define PyDateTime_TIME_GET_TZINFO(o) \
    (_PyDateTime_HAS_TZINFO(o) ? ((PyDateTime_Time *)(o))->tzinfo : Py_None)

/* Of a timedelta. */
#define PyDateTime_DELTA_GET_DAYS(o)         (((PyDateTime_Delta *)(o))->days)
#define PyDateTime_DELTA_GET_SECONDS(o)      (((PyDateTime_Delta *)(o))->seconds)
#define PyDateTime_DELTA_GET_MICROSECONDS(o) (((PyDateTime_Delta *)(o))->microseconds)

/* ---------------------------------------------------------------- functions */

typedef struct {
    PyTypeObject *DateType;
    PyTypeObject *DateTimeType;
    PyTypeObject *TimeType;
    PyTypeObject *DeltaType;
    PyTypeObject *TZInfoType;

    PyObject *TimeZone_UTC;

    PyObject *(*Date_FromDate)(int year, int month, int day, PyTypeObject *type);
    PyObject *(*DateTime_FromDateAndTime)(int year, int month, int day, int hour, int minute,
                                          int second, int usecond, PyObject *tzinfo,
                                          PyTypeObject *type);
    PyObject *(*Time_FromTime)(int hour, int minute, int second, int usecond,
                               PyObject *tzinfo, PyTypeObject *type);
    PyObject *(*Delta_FromDelta)(int days, int seconds, int useconds, int normalize,
                                 PyTypeObject *type);
    PyObject *(*TimeZone_FromTimeZone)(PyObject *offset, PyObject *name);
    PyObject *(*DateTime_FromTimestamp)(PyObject *type, PyObject *args, PyObject *kwargs);
    PyObject *(*Date_FromTimestamp)(PyObject *type, PyObject *args);

    PyObject *(*DateTime_FromDateAndTimeAndFold)(int year, int month, int day, int hour,
                                                 int minute, int second, int usecond,
                                                 PyObject *tzinfo, int fold,
                                                 PyTypeObject *type);
    PyObject *(*Time_FromTimeAndFold)(int hour, int minute, int second, int usecond,
                                      PyObject *tzinfo, int fold, PyTypeObject *type);
} PyDateTime_CAPI;

#define PyDateTime_CAPSULE_NAME "datetime.datetime_CAPI"

#ifndef _PY_DATETIME_IMPL
/* NULL before PyDateTime_IMPORT, and after it if it failed. */
static PyDateTime_CAPI *PyDateTimeAPI = NULL;

#  define PyDateTime_IMPORT \
    PyDateTimeAPI = (PyDateTime_CAPI *)PyCapsule_Import(PyDateTime_CAPSULE_NAME, 0)

/* Borrowed. */
#  define PyDateTime_TimeZone_UTC PyDateTimeAPI->TimeZone_UTC

#  define PyDate_Check(op)          PyObject_TypeCheck((op), PyDateTimeAPI->DateType)
#  define PyDate_CheckExact(op)     Py_IS_TYPE((op), PyDateTimeAPI->DateType)
#  define PyDateTime_Check(op)      PyObject_TypeCheck((op), PyDateTimeAPI->DateTimeType)
#  define PyDateTime_CheckExact(op) Py_IS_TYPE((op), PyDateTimeAPI->DateTimeType)
#  define PyTime_Check(op)          PyObject_TypeCheck((op), PyDateTimeAPI->TimeType)
#  define PyTime_CheckExact(op)     Py_IS_TYPE((op), PyDateTimeAPI->TimeType)
#  define PyDelta_Check(op)         PyObject_TypeCheck((op), PyDateTimeAPI->DeltaType)
#  define PyDelta_CheckExact(op)    Py_IS_TYPE((op), PyDateTimeAPI->DeltaType)
#  define PyTZInfo_Check(op)        PyObject_TypeCheck((op), PyDateTimeAPI->TZInfoType)
#  define PyTZInfo_CheckExact(op)   Py_IS_TYPE((op), PyDateTimeAPI->TZInfoType)

/* New objects, without a time zone. */
#  define PyDate_FromDate(year, month, day) \
    PyDateTimeAPI->Date_FromDate((year), (month), (day), PyDateTimeAPI->DateType)
#  define PyDateTime_FromDateAndTime(year, month, day, hour, min, sec, usec) \
    PyDateTimeAPI->DateTime_FromDateAndTime((year), (month), (day), (hour), (min), (sec), \
                                            (usec), Py_None, PyDateTimeAPI->DateTimeType)
#  define PyDateTime_FromDateAndTimeAndFold(year, month, day, hour, min, sec, usec, fold) \
    PyDateTimeAPI->DateTime_FromDateAndTimeAndFold((year), (month), (day), (hour), (min), \
                                                   (sec), (usec), Py_None, (fold), \
                                                   PyDateTimeAPI->DateTimeType)
#  define PyTime_FromTime(hour, minute, second, usecond) \
    PyDateTimeAPI->Time_FromTime((hour), (minute), (second), (usecond), Py_None, \
                                 PyDateTimeAPI->TimeType)
#  define PyTime_FromTimeAndFold(hour, minute, second, usecond, fold) \
    PyDateTimeAPI->Time_FromTimeAndFold((hour), (minute), (second), (usecond), Py_None, \
                                        (fold), PyDateTimeAPI->TimeType)
#  define PyDelta_FromDSU(days, seconds, useconds) \
    PyDateTimeAPI->Delta_FromDelta((days), (seconds), (useconds), 1, PyDateTimeAPI->DeltaType)
#  define PyTimeZone_FromOffset(offset) \
    PyDateTimeAPI->TimeZone_FromTimeZone((offset), NULL)
#  define PyTimeZone_FromOffsetAndName(offset, name) \
    PyDateTimeAPI->TimeZone_FromTimeZone((offset), (name))

/* args: a tuple of the arguments of fromtimestamp(). */
#  define PyDateTime_FromTimestamp(args) \
    PyDateTimeAPI->DateTime_FromTimestamp((PyObject *)PyDateTimeAPI->DateTimeType, (args), \
                                          NULL)
#  define PyDate_FromTimestamp(args) \
    PyDateTimeAPI->Date_FromTimestamp((PyObject *)PyDateTimeAPI->DateType, (args))
#endif

_Py_END_DECLS
#endif

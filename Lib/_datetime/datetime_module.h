/* The parts of _datetime.

   calendar.c   the proleptic Gregorian calendar in numbers
   delta.c      timedelta
   zone.c       tzinfo, timezone, and asking a tzinfo for offsets and names
   fields.c     what date, time and datetime do alike with their fields
   date.c       date and IsoCalendarDate
   time.c       time
   datetime.c   datetime: construction, attributes, conversions
   datetime_arith.c  datetime: comparison, arithmetic, time zones, pickling
   isoformat.c  ISO 8601 text, both ways
   strftime.c   strftime() with the codes that the C library lacks
   module.c     the module and the C API

   The objects' layouts are public (datetime.h). Fields are stored as bytes, the
   most significant first, so that memcmp() compares instants and hashing and
   pickling use them as they are. An object without a time zone may be
   allocated without the room for one; hastzinfo tells. */
#ifndef SB_LIB_DATETIME_MODULE_H
#define SB_LIB_DATETIME_MODULE_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include "Python.h"
#include "internal/object.h"
#define _PY_DATETIME_IMPL
#include "datetime.h"

extern PyTypeObject _PyDateTime_DeltaType;
extern PyTypeObject _PyDateTime_TZInfoType;
extern PyTypeObject _PyDateTime_TimeZoneType;
extern PyTypeObject _PyDateTime_DateType;
extern PyTypeObject _PyDateTime_TimeType;
extern PyTypeObject _PyDateTime_DateTimeType;
extern PyTypeObject _PyDateTime_IsoCalendarDateType;

#define PyDate_Check(op) PyObject_TypeCheck(op, &_PyDateTime_DateType)
#define PyDate_CheckExact(op) Py_IS_TYPE(op, &_PyDateTime_DateType)
#define PyDateTime_Check(op) PyObject_TypeCheck(op, &_PyDateTime_DateTimeType)
#define PyTime_Check(op) PyObject_TypeCheck(op, &_PyDateTime_TimeType)
#define PyDelta_Check(op) PyObject_TypeCheck(op, &_PyDateTime_DeltaType)
#define PyDelta_CheckExact(op) Py_IS_TYPE(op, &_PyDateTime_DeltaType)
#define PyTZInfo_Check(op) PyObject_TypeCheck(op, &_PyDateTime_TZInfoType)

#define MINYEAR 1
#define MAXYEAR 9999
#define MAXORDINAL 3652059
#define MAX_DELTA_DAYS 999999999
#define SECONDS_PER_DAY 86400
#define US_PER_SECOND 1000000
#define US_PER_DAY ((int64_t)SECONDS_PER_DAY * US_PER_SECOND)

/* ----------------------------------------------------------------- calendar */

int _dt_days_before_month(int year, int month);
/* The ordinal of 1 January of year 1 is 1. */
int _dt_ymd_to_ord(int year, int month, int day);
void _dt_ord_to_ymd(int ordinal, int *year, int *month, int *day);
/* Monday is 0. */
int _dt_weekday(int year, int month, int day);
/* The ordinal of the Monday that starts ISO week 1. */
int _dt_iso_week1_monday(int year);
/* 0; -2: the week, -3: the weekday, -4: the year is out of range. */
int _dt_iso_to_ymd(int iso_year, int iso_week, int iso_day,
                   int *year, int *month, int *day);
/* Normalise a day that may be outside of its month, or fields that may be out of range,
   to a proper date. -1: OverflowError. */
int _dt_normalize_date(int *year, int *month, int *day);
int _dt_check_date(int year, int month, int day);
int _dt_check_time(int hour, int minute, int second, int us, int fold);

/* ---------------------------------------------------------------- timedelta */

PyObject *_dt_new_delta(int days, int seconds, int us, int normalize,
                        PyTypeObject *type);
PyObject *_dt_delta_from_us(__int128 us, PyTypeObject *type);
__int128 _dt_delta_us(PyObject *delta);
PyObject *_dt_delta_subtract(PyObject *a, PyObject *b);
int _dt_delta_compare(PyObject *a, PyObject *b);
int _dt_delta_quick_compare(PyObject *a, PyObject *b, int op);
/* total_seconds() */
PyObject *_dt_delta_seconds(PyObject *delta);

static inline int
_dt_delta_bool(PyObject *op)
{
    PyDateTime_Delta *delta = (PyDateTime_Delta *)op;
    return delta->days != 0 || delta->seconds != 0
        || delta->microseconds != 0;
}

/* --------------------------------------------------------------- time zones */

extern PyObject *_dt_utc;       /* timezone.utc */
extern PyObject *_dt_epoch;     /* 1970 in UTC */

/* Returns a new reference. offset must be in range; name may be NULL. */
PyObject *_dt_create_timezone(PyObject *offset, PyObject *name);
/* The same, after checking the offset; the singleton for UTC without a name. */
PyObject *_dt_new_timezone(PyObject *offset, PyObject *name);
/* Returns a new reference, or NULL with TypeError if op is neither a tzinfo nor None. */
int _dt_check_tzinfo(PyObject *op);
/* The tzinfo's answer for dt, None if tzinfo is None. */
PyObject *_dt_utcoffset(PyObject *tzinfo, PyObject *dt);
PyObject *_dt_dst(PyObject *tzinfo, PyObject *dt);
PyObject *_dt_tzname(PyObject *tzinfo, PyObject *dt);

/* ------------------------------------------------------------- constructors */

PyObject *_dt_new_date(int year, int month, int day, PyTypeObject *type);
PyObject *_dt_new_time(int hour, int minute, int second, int us,
                       PyObject *tzinfo, int fold, PyTypeObject *type);
/* The fields are in their ranges, and tzinfo is one. */
PyObject *_dt_datetime_of_fields(int year, int month, int day, int hour, int minute, int second,
                                 int us, PyObject *tzinfo, int fold, PyTypeObject *type);
PyObject *_dt_new_datetime(int year, int month, int day, int hour, int minute,
                           int second, int us, PyObject *tzinfo, int fold,
                           PyTypeObject *type);
PyObject *_dt_new_datetime_of_class(int year, int month, int day, int hour,
                                    int minute, int second, int us,
                                    PyObject *tzinfo, int fold, PyObject *cls);
PyObject *_dt_date_fromtimestamp(PyObject *cls, PyObject *timestamp);
PyObject *_dt_datetime_fromtimestamp(PyObject *cls, PyObject *args,
                                     PyObject *kwds);

/* --------------------------------------------------------- date and datetime */

int _dt_date_quick_compare(PyObject *a, PyObject *b, int op);
/* -1: they have different time zones. */
int _dt_datetime_quick_compare(PyObject *a, PyObject *b, int op);

/* For unpickling: the n bytes of a state whose byte i, without its highest bit, is in
   [low, high]. A state that Python 2 pickled is a str. Returns NULL without an exception
   if op is not a state. The caller releases *owner. */
const char *_dt_state_bytes(PyObject *op, Py_ssize_t n, int i, int low,
                            int high, PyObject **owner);

/* datetime_arith.c */
PyObject *_dt_datetime_richcompare(PyObject *self, PyObject *other, int op);
Py_hash_t _dt_datetime_hash(PyObject *self);
PyObject *_dt_datetime_add(PyObject *a, PyObject *b);
PyObject *_dt_datetime_subtract(PyObject *a, PyObject *b);
PyObject *_dt_datetime_astimezone(PyObject *self, PyObject *args,
                                  PyObject *kwds);
PyObject *_dt_datetime_timestamp(PyObject *self, PyObject *ignored);
PyObject *_dt_datetime_timetuple(PyObject *self, PyObject *ignored);
PyObject *_dt_datetime_utctimetuple(PyObject *self, PyObject *ignored);
PyObject *_dt_datetime_reduce(PyObject *self, PyObject *ignored);
PyObject *_dt_datetime_reduce_ex(PyObject *self, PyObject *args);
/* dt + delta, in dt's time zone and class; factor is 1 or -1. */
PyObject *_dt_datetime_plus(PyObject *dt, PyObject *delta, int factor);

/* Raises the TypeError of a comparison between unrelated types. */
PyObject *_dt_compare_error(PyObject *a, PyObject *b);
PyObject *_dt_order(int order, int op);

/* --------------------------------------------------------------------- text */

/* Writes a timedelta as [+-]HH:MM[:SS[.ffffff]], with `separator` in the place of ':'. */
void _dt_format_delta(char *buf, size_t size, const char *separator, PyObject *delta);
/* The same for tzinfo's offset for dt: nothing for None. 0 or -1. */
int _dt_format_offset(char *buf, size_t size, const char *separator,
                      PyObject *tzinfo, PyObject *dt);
/* Lengths of YYYY-MM-DD and HH:MM:SS.ffffff. */
#define DATE_LENGTH 10
#define TIME_LENGTH 15
/* Writes DATE_LENGTH characters and no NUL. Returns their end. */
char *_dt_put_date(char *p, int year, int month, int day);
/* Writes TIME_LENGTH characters and a NUL at most. 0, or -1: unknown timespec. */
int _dt_format_time(char *buf, PyObject *timespec, int hour, int minute, int second, int us);

/* Parsers: 0, or -1 without an exception. _dt_parse_time() returns 1 if there is a time
   zone, which is then *offset seconds and *offset_us. */
int _dt_parse_date(const char *s, Py_ssize_t len, int *year, int *month,
                   int *day);
int _dt_parse_time(const char *s, Py_ssize_t len, int *hour, int *minute,
                   int *second, int *us, int *offset, int *offset_us);
/* How many characters of an ISO datetime are its date. */
Py_ssize_t _dt_date_length(const char *s, Py_ssize_t len);
/* The tzinfo for a time zone that _dt_parse_time() has found. */
PyObject *_dt_tzinfo_of_offset(int parsed, int offset, int offset_us);
PyObject *_dt_invalid_isoformat(PyObject *str);

/* object.strftime(format) by way of time.strftime(format, timetuple); the tzinfo is
   called with tzinfo_arg. */
PyObject *_dt_wrap_strftime(PyObject *object, PyObject *format,
                            PyObject *timetuple, PyObject *tzinfo_arg);
PyObject *_dt_format_method(PyObject *self, PyObject *args);
PyObject *_dt_ctime(PyObject *date, int hour, int minute, int second);
PyObject *_dt_struct_time(int year, int month, int day, int hour, int minute,
                          int second, int dst);
/* module `name`.function(args…): steals args. */
PyObject *_dt_call_module(PyObject *name, PyObject *function,
                          PyObject *args);

/* ------------------------------------------------------------------- fields */

/* The getter of a field of `width` bytes, the most significant first; its closure is
   FIELD(type, place, width). */
PyObject *_dt_get_field(PyObject *self, void *closure);
#define FIELD(type, place, width) ((void *)(4 * offsetof(type, place) + (width)))

/* replace(): type.__new__(type, *fields). Steals fields, which may be NULL with an
   exception. */
PyObject *_dt_new_from_fields(PyTypeObject *type, PyObject *fields);

/* repr(): appends seconds and microseconds, unless they and what follows are 0. Returns the
   length of the whole. */
int _dt_append_seconds(char *text, size_t size, int length, int second, int us);

/* Returns a borrowed reference: the tzinfo of a time or datetime, None if it has none. */
static inline PyObject *
_dt_time_tzinfo(PyObject *op)
{
    PyDateTime_Time *time = (PyDateTime_Time *)op;
    return time->hastzinfo ? time->tzinfo : Py_None;
}

static inline PyObject *
_dt_datetime_tzinfo(PyObject *op)
{
    PyDateTime_DateTime *dt = (PyDateTime_DateTime *)op;
    return dt->hastzinfo ? dt->tzinfo : Py_None;
}

#endif

/* Time as a count of nanoseconds, with a range of 292 years in both directions. Functions
   that return int: 0, or -1 with OverflowError. */
#if !defined(Py_PYTIME_H) && !defined(Py_LIMITED_API)
#define Py_PYTIME_H

_Py_BEGIN_DECLS

typedef int64_t _PyTime_t;
#define _PyTime_MIN INT64_MIN
#define _PyTime_MAX INT64_MAX
#define _SIZEOF_PYTIME_T 8

#define _PYTIME_FROMSECONDS(seconds) ((_PyTime_t)(seconds) * (1000 * 1000 * 1000))

typedef enum {
    _PyTime_ROUND_FLOOR = 0,
    _PyTime_ROUND_CEILING = 1,
    _PyTime_ROUND_HALF_EVEN = 2,
    _PyTime_ROUND_UP = 3,           /* away from zero */
    _PyTime_ROUND_TIMEOUT = _PyTime_ROUND_UP
} _PyTime_round_t;

/* time.get_clock_info() */
typedef struct {
    const char *implementation;
    int monotonic;
    int adjustable;
    double resolution;
} _Py_clock_info_t;

/* For Python objects: numbers of seconds. -1 may be an error of AsTime_t. */
PyAPI_FUNC(PyObject *) _PyLong_FromTime_t(time_t t);
PyAPI_FUNC(time_t) _PyLong_AsTime_t(PyObject *obj);
PyAPI_FUNC(int) _PyTime_ObjectToTime_t(PyObject *obj, time_t *sec, _PyTime_round_t round);
PyAPI_FUNC(int) _PyTime_ObjectToTimeval(PyObject *obj, time_t *sec, long *usec,
    _PyTime_round_t round);
PyAPI_FUNC(int) _PyTime_ObjectToTimespec(PyObject *obj, time_t *sec, long *nsec,
    _PyTime_round_t round);
PyAPI_FUNC(int) _PyTime_FromSecondsObject(_PyTime_t *t, PyObject *obj,
    _PyTime_round_t round);
PyAPI_FUNC(int) _PyTime_FromMillisecondsObject(_PyTime_t *t, PyObject *obj,
    _PyTime_round_t round);
PyAPI_FUNC(int) _PyTime_FromNanosecondsObject(_PyTime_t *t, PyObject *obj);
PyAPI_FUNC(PyObject *) _PyTime_AsNanosecondsObject(_PyTime_t t);

/* For C numbers. Values out of range are clipped. */
PyAPI_FUNC(_PyTime_t) _PyTime_FromSeconds(int seconds);
PyAPI_FUNC(_PyTime_t) _PyTime_FromNanoseconds(_PyTime_t ns);
PyAPI_FUNC(double) _PyTime_AsSecondsDouble(_PyTime_t t);
PyAPI_FUNC(_PyTime_t) _PyTime_AsMilliseconds(_PyTime_t t, _PyTime_round_t round);
PyAPI_FUNC(_PyTime_t) _PyTime_AsMicroseconds(_PyTime_t t, _PyTime_round_t round);
PyAPI_FUNC(_PyTime_t) _PyTime_AsNanoseconds(_PyTime_t t);
PyAPI_FUNC(_PyTime_t) _PyTime_Add(_PyTime_t t1, _PyTime_t t2);
PyAPI_FUNC(_PyTime_t) _PyTime_MulDiv(_PyTime_t ticks, _PyTime_t mul, _PyTime_t div);

/* For structures of C. */
PyAPI_FUNC(int) _PyTime_FromTimeval(_PyTime_t *tp, struct timeval *tv);
PyAPI_FUNC(int) _PyTime_AsTimeval(_PyTime_t t, struct timeval *tv, _PyTime_round_t round);
PyAPI_FUNC(void) _PyTime_AsTimeval_clamp(_PyTime_t t, struct timeval *tv,
    _PyTime_round_t round);
PyAPI_FUNC(int) _PyTime_AsTimevalTime_t(_PyTime_t t, time_t *secs, int *us,
    _PyTime_round_t round);
PyAPI_FUNC(int) _PyTime_FromTimespec(_PyTime_t *tp, struct timespec *ts);
PyAPI_FUNC(int) _PyTime_AsTimespec(_PyTime_t t, struct timespec *ts);
PyAPI_FUNC(void) _PyTime_AsTimespec_clamp(_PyTime_t t, struct timespec *ts);
PyAPI_FUNC(int) _PyTime_localtime(time_t t, struct tm *tm);
PyAPI_FUNC(int) _PyTime_gmtime(time_t t, struct tm *tm);

/* The clocks. They return 0 on failure; the functions with info (which may be NULL) raise
   an exception. */
PyAPI_FUNC(_PyTime_t) _PyTime_GetSystemClock(void);
PyAPI_FUNC(int) _PyTime_GetSystemClockWithInfo(_PyTime_t *t, _Py_clock_info_t *info);
PyAPI_FUNC(_PyTime_t) _PyTime_GetMonotonicClock(void);
PyAPI_FUNC(int) _PyTime_GetMonotonicClockWithInfo(_PyTime_t *t, _Py_clock_info_t *info);
PyAPI_FUNC(_PyTime_t) _PyTime_GetPerfCounter(void);
PyAPI_FUNC(int) _PyTime_GetPerfCounterWithInfo(_PyTime_t *t, _Py_clock_info_t *info);

/* A deadline on the monotonic clock, and the time until a deadline. */
PyAPI_FUNC(_PyTime_t) _PyDeadline_Init(_PyTime_t timeout);
PyAPI_FUNC(_PyTime_t) _PyDeadline_Get(_PyTime_t deadline);

_Py_END_DECLS
#endif

/* The proleptic Gregorian calendar, and the ranges of fields. */

#include "datetime_module.h"

static const short days_before[] = {
    0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365,
};

static int
is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int
_dt_days_before_month(int year, int month)
{
    return days_before[month] + (month > 2 && is_leap(year));
}

static int
days_in_month(int year, int month)
{
    return days_before[month + 1] - days_before[month]
        + (month == 2 && is_leap(year));
}

static int64_t
days_before_year(int year)
{
    int64_t y = (int64_t)year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400;
}

int
_dt_ymd_to_ord(int year, int month, int day)
{
    return (int)days_before_year(year) + _dt_days_before_month(year, month)
        + day;
}

/* If years begin with March, the leap day is the last day of the year, the lengths of the
   months repeat after five (153 days), and the number of days before a month is the same
   in every year. */
void
_dt_ord_to_ymd(int ordinal, int *year, int *month, int *day)
{
    const unsigned days_of_400_years = 146097, days_of_4_years = 1461;
    const unsigned march_to_year_1 = 306;      /* 1 March of year 0 to 1 January */
    unsigned n = (unsigned)ordinal - 1 + march_to_year_1;
    unsigned cycle = n / days_of_400_years;
    n %= days_of_400_years;
    /* Once the leap days before it are subtracted, a day's number gives its year. */
    unsigned y = (n - n / (days_of_4_years - 1) + n / 36524 - n / (days_of_400_years - 1))
        / 365;
    n -= 365 * y + y / 4 - y / 100;
    unsigned m = (5 * n + 2) / 153;
    *day = (int)(n - (153 * m + 2) / 5) + 1;
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(y + cycle * 400 + (m >= 10));
}

int
_dt_weekday(int year, int month, int day)
{
    return (_dt_ymd_to_ord(year, month, day) + 6) % 7;
}

int
_dt_iso_week1_monday(int year)
{
    /* Week 1 is the one with the first Thursday. */
    int first = _dt_ymd_to_ord(year, 1, 1);
    int weekday = (first + 6) % 7;
    int monday = first - weekday;
    return weekday > 3 ? monday + 7 : monday;
}

int
_dt_iso_to_ymd(int iso_year, int iso_week, int iso_day,
               int *year, int *month, int *day)
{
    if (iso_year < MINYEAR || iso_year > MAXYEAR) {
        return -4;
    }
    if (iso_week <= 0 || iso_week >= 53) {
        /* A long year starts with a Thursday or, if it is a leap year, with a Wednesday. */
        int first = _dt_weekday(iso_year, 1, 1);
        if (iso_week != 53
            || !(first == 3 || (first == 2 && is_leap(iso_year)))) {
            return -2;
        }
    }
    if (iso_day <= 0 || iso_day >= 8) {
        return -3;
    }
    int ordinal = _dt_iso_week1_monday(iso_year) + (iso_week - 1) * 7
        + iso_day - 1;
    if (ordinal > MAXORDINAL) {
        /* For the caller's range check. */
        *year = MAXYEAR + 1;
        *month = *day = 1;
        return 0;
    }
    _dt_ord_to_ymd(ordinal, year, month, day);
    return 0;
}

int
_dt_normalize_date(int *year, int *month, int *day)
{
    if (*day >= 1 && *day <= 28) {
        return 0;
    }
    int64_t ordinal = (int64_t)_dt_ymd_to_ord(*year, *month, 1) + *day - 1;
    if (ordinal < 1 || ordinal > MAXORDINAL) {
        PyErr_SetString(PyExc_OverflowError, "date value out of range");
        return -1;
    }
    _dt_ord_to_ymd((int)ordinal, year, month, day);
    return 0;
}

static int
refuse(const char *message)
{
    PyErr_SetString(PyExc_ValueError, message);
    return -1;
}

int
_dt_check_date(int year, int month, int day)
{
    if (year < MINYEAR || year > MAXYEAR) {
        PyErr_Format(PyExc_ValueError, "year %i is out of range", year);
        return -1;
    }
    if (month < 1 || month > 12) {
        return refuse("month must be in 1..12");
    }
    if (day < 1 || day > days_in_month(year, month)) {
        return refuse("day is out of range for month");
    }
    return 0;
}

int
_dt_check_time(int hour, int minute, int second, int us, int fold)
{
    if (hour < 0 || hour > 23) {
        return refuse("hour must be in 0..23");
    }
    if (minute < 0 || minute > 59) {
        return refuse("minute must be in 0..59");
    }
    if (second < 0 || second > 59) {
        return refuse("second must be in 0..59");
    }
    if (us < 0 || us > 999999) {
        return refuse("microsecond must be in 0..999999");
    }
    if (fold != 0 && fold != 1) {
        return refuse("fold must be either 0 or 1");
    }
    return 0;
}

"""datetime, timedelta, timezone, strftime, strptime, calendar, time."""
import calendar
import datetime as dt
import time
import zoneinfo

d = dt.date(2024, 2, 29)
t = dt.time(13, 5, 9, 123456)
n = dt.datetime.combine(d, t)
td = dt.timedelta(days=-1, hours=5, microseconds=7)
tz = dt.timezone(dt.timedelta(hours=5, minutes=30), "IST")
a = n.replace(tzinfo=tz)
print(d, t, n, td, tz, a, repr(d), repr(t), repr(n), repr(td), repr(tz), repr(a), dt.timezone.utc, repr(dt.timezone(dt.timedelta(seconds=-3661))))
print(n.isoformat("T", "milliseconds"), d.isocalendar(), d.weekday(), d.isoweekday(), d.toordinal(), n.timetuple(), a.utcoffset(), a.tzname(), a.astimezone(dt.timezone.utc), a.timestamp(), n.ctime(), a.utctimetuple()[:6])
print(n.strftime("%Y-%m-%d %H:%M:%S.%f %j %U %W %a %A %b %B %p %I %y %% %w %G-W%V-%u %x %X %c|%z|%Z|"), a.strftime("%z %Z"), f"{n:%d.%m.}", d.strftime("%D %e %h %n%t|%R %T"), format(t, "%H"))
print(dt.datetime.strptime("29/02/2024 01:02:03 PM +0530", "%d/%m/%Y %I:%M:%S %p %z"), dt.datetime.strptime("Mar 5 99", "%b %d %y"), dt.datetime.fromisoformat("2024-02-29T13:05:09.123+05:30"), dt.datetime.fromisoformat("20240229T130509Z"), dt.date.fromisoformat("2024-W09-4"), dt.time.fromisoformat("13:05"), dt.date.fromordinal(738000), dt.datetime.fromtimestamp(1e9, dt.timezone.utc), dt.datetime.utcfromtimestamp(-1.5), dt.date.fromisocalendar(2020, 53, 7))
print(n + td, n - td, n - dt.datetime(2000, 1, 1), d + dt.timedelta(366), td * 2.5, td / 3, td // dt.timedelta(hours=7), td % dt.timedelta(hours=7), divmod(td, dt.timedelta(hours=1)), -td, abs(td), td.total_seconds(), td.days, td.seconds, bool(dt.timedelta()), dt.timedelta(weeks=1, minutes=1.5), dt.timedelta.max, dt.timedelta(milliseconds=-1), td / dt.timedelta(hours=1))
print(d < dt.date(2025, 1, 1), n == a, n == d, a == a.astimezone(dt.timezone.utc), sorted([n, n - td]), max(d, dt.date.min), hash(d) == hash(dt.date(2024, 2, 29)), dt.datetime.max, dt.time.min, t.replace(hour=0), dt.time(1, fold=1), t < dt.time(14))
ny = zoneinfo.ZoneInfo("America/New_York") if "America/New_York" in zoneinfo.available_timezones() else None
if ny:
    x = dt.datetime(2024, 3, 10, 1, 30, tzinfo=ny)
    y = (x.astimezone(dt.timezone.utc) + dt.timedelta(hours=1)).astimezone(ny)
    print(x, y, x.dst(), y.dst(), y - x, x.tzname(), y.tzname(), ny, repr(ny), dt.datetime(2024, 11, 3, 1, 30, fold=1, tzinfo=ny))
print(calendar.month(2024, 2), calendar.isleap(1900), calendar.monthrange(2023, 2), calendar.TextCalendar(6).formatmonth(2023, 12, 3), calendar.timegm((1970, 1, 2, 0, 0, 0)), calendar.day_name[0], list(calendar.Calendar().itermonthdays(2024, 9))[:8], calendar.leapdays(2000, 2024), calendar.weekheader(2))
print(time.strftime("%Y %j", time.gmtime(0)), time.gmtime(86400 * 365), time.strptime("2 Jan 2001", "%d %b %Y"), time.asctime((2000, 1, 2, 3, 4, 5, 6, 7, 0)), time.struct_time(range(9)).tm_year)


class Sub(dt.datetime):
    def __repr__(self):
        return "Sub:" + super().__repr__()

    def __add__(self, o):
        return type(self).fromisoformat((dt.datetime(*self.timetuple()[:6]) + o).isoformat())


s = Sub(2024, 1, 1)
print(repr(s + dt.timedelta(1)), type(s.replace(year=3)).__name__, repr(s - dt.timedelta(1)), type(s.date()).__name__)


for text in "a\0b", "%Y\0%z", "\0", "%z\0%Z", "é\0":
    print(ascii(text), [ascii(x.strftime(text)) for x in (d, n, a, t)], ascii(format(d, text)))


class Weird(dt.tzinfo):
    def utcoffset(self, x):
        return 5

    def dst(self, x):
        return dt.timedelta(days=2)

    def tzname(self, x):
        return 3


w = dt.datetime(2020, 1, 1, tzinfo=Weird())
for f in (lambda: dt.date(2023, 2, 29), lambda: dt.date(0, 1, 1), lambda: dt.date(2023, 13, 1), lambda: dt.time(24), lambda: dt.time(1, 60), lambda: dt.datetime(2020, 1, 1, 0, 0, 0, 1000000), lambda: dt.date("a", 1, 1), lambda: dt.date(1), lambda: dt.date(1.5, 1, 1), lambda: dt.timedelta(days=10 ** 9), lambda: dt.timedelta(days="a"), lambda: dt.timedelta(float("nan")), lambda: d + 1, lambda: d - n, lambda: n - a, lambda: n < a, lambda: d < n, lambda: d < 1, lambda: td / 0, lambda: td * "a", lambda: td // 0,
          lambda: dt.date.max + dt.timedelta(1), lambda: dt.datetime.min - dt.timedelta(1), lambda: dt.timezone(1), lambda: dt.timezone(dt.timedelta(days=1)), lambda: dt.timezone(dt.timedelta(0), 3), lambda: dt.datetime(1, 1, 1, tzinfo=3), lambda: n.replace(month=13), lambda: n.replace(foo=1), lambda: d.replace(day=30), lambda: w.utcoffset(), lambda: w.dst(), lambda: w.tzname(), lambda: w == a, lambda: dt.datetime.strptime("x", "%Y"), lambda: dt.datetime.strptime("2020 x", "%Y"), lambda: dt.datetime.strptime("1", "%Q"), lambda: dt.datetime.strptime("31 Feb", "%d %b"), lambda: dt.datetime.fromisoformat("junk"), lambda: dt.date.fromisoformat("2023-02-30"), lambda: dt.date.fromisoformat(3), lambda: dt.time.fromisoformat("25:00"),
          lambda: dt.datetime.fromtimestamp(1e20), lambda: dt.date.fromordinal(0), lambda: dt.date.fromisocalendar(2021, 53, 1), lambda: n.isoformat("TT"), lambda: n.isoformat(timespec="x"), lambda: setattr(d, "year", 1), lambda: dt.datetime.combine(t, d), lambda: dt.tzinfo().utcoffset(n), lambda: n.astimezone(3), lambda: calendar.month(2024, 13), lambda: time.strftime(3), lambda: time.sleep(-1), lambda: time.gmtime("a"), lambda: time.mktime((1,)), lambda: time.struct_time([1]), lambda: dt.time(1) + dt.timedelta(1), lambda: zoneinfo.ZoneInfo("No/Where"), lambda: dt.timedelta(1).foo, lambda: dt.timedelta(1, foo=2)):
    try:
        print("ok", f())
    except Exception as e:
        print(type(e).__name__, e)
dt.datetime(2024, 2, 30, 1)

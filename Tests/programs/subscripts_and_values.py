"""Indices, bounds and values that are int objects (from containers) as well as constants;
what conversions of arguments accept; calendars and packed integers at their limits."""
import collections
import datetime
import struct

NUMBERS = [0, 1, 2, -1, -3, 5, -5, 300, True, False, 1 << 40, -(1 << 70)]
SEQUENCES = [[10, 20, 30], (10, 20, 30), "abc", "a\u20acc", b"abc", bytearray(b"abc"), range(3),
             {0: "zero", 1: "one", -1: "minus", 300: "three hundred", 1 << 40: "large"},
             {"a": 1}, {}, collections.defaultdict(int, {1: 5})]


def attempt(label, function, *args):
    try:
        result = repr(function(*args))
    except Exception as e:
        result = f"{type(e).__name__}: {e}"
    print(label, result)


for sequence in SEQUENCES:
    for i in NUMBERS:
        attempt(f"{type(sequence).__name__}[{i!r}]", lambda s, k: s[k], sequence, i)
    attempt("constants", lambda s: (s[0], s[1], s[-1]), sequence)
    attempt("constant 300", lambda s: s[300], sequence)
    for i in NUMBERS:
        attempt(f"[:{i!r}]", lambda s, k: s[:k], sequence, i)
        attempt(f"[{i!r}:2]", lambda s, k: s[k:2], sequence, i)

for sequence in ([1, 2, 3], bytearray(b"abc"), {1: 2}, (1, 2)):
    for i in NUMBERS:
        for value in NUMBERS[:8]:
            def store(s, k, v):
                s[k] = v
                return s
            copy = type(sequence)(sequence)
            attempt(f"store {type(copy).__name__} {i!r} {value!r}", store, copy, i, value)


class Index(int):
    def __index__(self):
        return 1


class Noisy:
    def __del__(self):
        print("gone")


print([1, 2, 3][Index(2)], (1, 2, 3)[Index(2)], "abc"[Index(2)], {Index(2): 5}[Index(2)])
items, places = [Noisy(), 1], [0]
items[places[0]] = "new"
print(items)
whole = b"whole"
print(whole[0:] is whole, whole[:9] == whole, b""[0:1], b"ab"[1:0], whole[1:2] is whole[1:2])

# Operators on objects, and what they leave of their operands.
for a, b in (("ab", "cd"), (b"ab", b""), (b"ab", bytearray(b"c")), ((1,), (2,)), ([1], [2]), ({1}, {2}),
             ("ab", 3), (3, "ab"), ([0], 3), (b"a", "a"), ([1], (2,)), ({1, 2, 3}, [1]), (None, 1)):
    attempt("+", lambda x, y: x + y, a, b)
    attempt("*", lambda x, y: x * y, a, b)
    attempt("|", lambda x, y: x | y, a, b)
    attempt("&", lambda x, y: x & y, a, b)

# Sets with deleted places, of different sizes.
for n in (0, 1, 4, 5, 20, 90):
    full = set(range(0, n * 3, 3))
    holes = set(range(n * 2))
    for k in range(0, n * 2, 2):
        holes.discard(k)
    print(n, full | holes, full & holes, full - holes, holes - full, full ^ holes, full <= holes,
          holes.isdisjoint(full), set(holes), frozenset(full).union(holes), holes.copy() == holes)

# Every code of struct at its limits, in both orders.
for order in "<>@=":
    for code in "bBhHiIlLqQ" + ("nN" if order == "@" else ""):
        bits = 8 * struct.calcsize(order + code)
        signed = code in "bhilqn"
        for v in (0, 1, -1, 127, 128, 255, 256, 1 << 29, 1 << 30, (1 << bits - 1) - 1, 1 << bits - 1,
                  (1 << bits) - 1, 1 << bits, -(1 << bits - 1), -(1 << bits - 1) - 1, True, 1.0, Index(7)):
            attempt(f"{order}{code} {v}", lambda: struct.unpack(order + code, struct.pack(order + code, v)))

# The calendar, day by day over its ends and in steps over all of it.
check = 0
for ordinal in [*range(1, 800), *range(3652059 - 800, 3652060), *range(1, 3652059, 97)]:
    day = datetime.date.fromordinal(ordinal)
    if day.toordinal() != ordinal:
        print("wrong", ordinal, day)
    check = (check * 31 + day.year * 372 + day.month * 31 + day.day) % 1000000007
print(check)
start = datetime.datetime(2000, 2, 29, 23, 59, 59, 999999)
for delta in (datetime.timedelta(microseconds=1), datetime.timedelta(-1, 86399, 999999), datetime.timedelta(days=-730178),
              datetime.timedelta(days=2921900), datetime.timedelta(days=2921940), datetime.timedelta(999999999)):
    attempt("+", lambda: start + delta)
    attempt("-", lambda: start - delta)
    attempt("difference", lambda: (start + delta) - start)
early, late = datetime.datetime.min, datetime.datetime.max
print(late - early, early - late, early - early)
print(start.strftime("%Y-%m-%d %H:%M:%S.%f%% %z|%Z|%"), start.strftime(""), f"{start:%d.%m.}", start.timetuple()[:])

# Arguments: too few, too many, of other types.
for args in ((), (1,), (1, 2, 3), (2024, 2, 30), (2024.0, 1, 1), ("2024", 1, 1), (2024, True, 1), (10**10, 1, 1),
             (2024, 1, 1, 0, 0, 0, 0, None, 0)):
    attempt("datetime", lambda: datetime.datetime(*args))
    attempt("date", lambda: datetime.date(*args))
attempt("keywords", lambda: datetime.datetime(2024, 1, day=2, fold=1))
attempt("twice", lambda: datetime.datetime(2024, 1, 2, day=2))
attempt("unknown", lambda: datetime.date(2024, 1, dag=2))

# Ordered dictionaries, from both ends.
od = collections.OrderedDict.fromkeys("abcdefgh")
for k in range(20):
    od.move_to_end(next(reversed(od)), last=False)
    if k % 3 == 0:
        od.move_to_end(key=next(iter(od)))
    if k % 7 == 0:
        od[k] = od.popitem(last=bool(k % 2))
    print("".join(map(str, od)), len(od), next(reversed(od)))
attempt("pop", lambda: od.pop("zz"))
attempt("pop", lambda: od.pop("zz", default=5))
attempt("pop", lambda: od.pop())
attempt("popitem", lambda: od.popitem(1, 2))
attempt("setdefault", lambda: (od.setdefault("q"), od.setdefault(key="r", default=3), od.setdefault("r")))
attempt("move", lambda: od.move_to_end())
attempt("move", lambda: od.move_to_end("nowhere"))
attempt("move", lambda: od.move_to_end([]))

for text in ("a,b,,c", ",", "", "a", "aXXbXX", "\u20ac,\u20ac", "h\xe9,llo"):
    print(text.split(","), text.split("XX"), text.rsplit(",", 1), text.split(), text.split(",", 1), text.splitlines())
print([hash(x) == hash(int(x)) for x in (0.0, -1.0, 2.0**52, -2.0**60, 2.0**61, 1e300)], hash(-1.0), hash(0.5))
print([chr(k) for k in (0, 65, 127, 128, 255, 256, 0x20ac, 0x10ffff)])
attempt("chr", lambda: chr(-1))
attempt("chr", lambda: chr(0x110000))

"""Classes and functions that C calls, from loops that are warm: __new__ of built-in classes called
by name, classes with a __new__ in Python, classes of modules, functions that take a tuple; and
tuples and lists that die with all kinds of items."""
import collections
import datetime
import decimal
import enum
import fractions
import io
import itertools
import json
import sys
import weakref


def shown(function, *args, **kwargs):
    try:
        return repr(function(*args, **kwargs))
    except Exception as e:
        lines, tb = [], e.__traceback__
        while tb is not None:
            lines.append(tb.tb_lineno - tb.tb_frame.f_code.co_firstlineno)
            tb = tb.tb_next
        return f"{type(e).__name__}: {e} {lines}"


# ------------------------------------------------------------------ __new__ by name

class Pair(tuple):
    def __new__(cls, *args, **kwargs):
        return tuple.__new__(cls, *args)


class Loose(tuple):
    def __init__(self, *args, **kwargs):
        self.told = args, kwargs


class Text(str):
    def __new__(cls, value="", suffix="!"):
        return super().__new__(cls, value + suffix)


class Dictionary(dict):
    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls, *args, **kwargs)
        self.made = len(args), sorted(kwargs)
        return self


Named = collections.namedtuple("Named", "x y", defaults=[5])


class Derived(Named):
    __slots__ = ()

    def __new__(cls, x):
        return super().__new__(cls, x, y=x + 1)


def news(i):
    d = Dictionary([(1, i)], b=i)
    return (Pair(), Pair("ab"), tuple.__new__(Pair, (i,)), tuple.__new__(tuple, "ab"),
            Loose("xy", key=1), tuple.__new__(Loose, "xy"), Text("a"), Text("a", suffix="?"),
            d, d.made, Named(i), Named(i, y=2), Derived(i), Named._make("ab"),
            frozenset.__new__(frozenset, "a"),
            float.__new__(float, "1.5"), str.__new__(Text, b"ab", "ascii", errors="strict"),
            list.__new__(list, "abc"))


for i in range(1300):
    made = news(i)
print(made, type(made[4]), type(made[5]), made[4].told)

for wrong in (lambda: tuple.__new__(), lambda: tuple.__new__(1), lambda: tuple.__new__(int),
              lambda: tuple.__new__(Pair, 1, 2), lambda: tuple.__new__(Pair, 5),
              lambda: tuple.__new__(tuple, iterable="ab"), lambda: object.__new__(Pair),
              lambda: object.__new__(int), lambda: int.__new__(bool, 5), lambda: Pair(5),
              lambda: tuple.__new__(Loose, "a", b=1), lambda: dict.__new__(list),
              lambda: str.__new__(str, 5, 6), lambda: Named(), lambda: Named(1, 2, 3),
              lambda: Named(1, z=3), lambda: Derived(None), lambda: tuple.__new__(*[Pair, "ab"]),
              lambda: tuple.__new__(*[Loose], **{}), lambda: int.__new__(int, **{"base": 3}),
              lambda: object.__new__(object, 1), lambda: object.__new__(x=1)):
    for _ in range(3):
        text = shown(wrong)
    print(text)


# ------------------------------------------------------------------ a __new__ in Python

class Once:
    made = None

    def __new__(cls, x):
        if cls.made is None:
            cls.made = super().__new__(cls)
        cls.made.x = x
        return cls.made


class Other:
    def __new__(cls, x):
        return x if x % 3 else super().__new__(cls)

    def __repr__(self):
        return "Other"


class Initialised(Once):
    made = None

    def __init__(self, x):
        self.seen = getattr(self, "seen", 0) + x


class Chooses:
    def __new__(cls, n):
        return object.__new__(Chosen if n % 2 else cls)


class Chosen(Chooses):
    def __init__(self, n):
        self.n = n


class Meta(type):
    def __call__(cls, *args):
        return "meta", super().__call__(*args)


class WithMeta(metaclass=Meta):
    def __new__(cls, x):
        return x * 2


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def instances(i):
    a, b = Chooses(i), Chooses(i + 1)
    return (Once(i).x, Other(i), Initialised(1).seen, type(a).__name__, type(b).__name__,
            getattr(a, "n", None), getattr(b, "n", None), WithMeta(i), Color(1 + i % 2))


for i in range(1300):
    made = instances(i)
print(made)
Other.__new__ = lambda cls, x: "replaced"
print(instances(3))
Other.__new__ = staticmethod(lambda cls, x: ("again", cls, x))
print(instances(3))
del Other.__new__
print(shown(Other, 3))
Other.__init__ = lambda self, x: None
print(shown(Other, 3))
print(shown(Chooses), shown(Once, y=3), shown(Color, 7))


# ------------------------------------------------------------------ classes of modules

def of_modules(i):
    return (collections.deque([i, 2], maxlen=1), collections.OrderedDict(a=i),
            io.StringIO("a").read(),
            datetime.date(2020, 1, 1 + i % 28), datetime.timedelta(i), list(itertools.islice(
                itertools.count(i), 2)), decimal.Decimal(i),
            fractions.Fraction(i, 6), collections.Counter("aab"), datetime.datetime(2020, 1, 1, 5),
            collections.defaultdict(int, a=i), itertools.product([i], "ab").__next__())


for i in range(1300):
    made = of_modules(i)
print(made)
for wrong in (lambda: collections.deque(5), lambda: datetime.date(2020, 13, 1),
              lambda: decimal.Decimal([]),
              lambda: itertools.count("a"), lambda: io.StringIO(5), lambda: datetime.date("2020")):
    for _ in range(3):
        text = shown(wrong)
    print(text)


# ------------------------------------------------------------------ functions of other libraries

def numbers(a, b, text):
    c = a.fma(b, 1)
    return (a.quantize(b), a.quantize(b, rounding=decimal.ROUND_UP), a.compare(b), a.is_nan(),
            a.sqrt().as_tuple().exponent, c.to_integral_value(), a.max(b), a.copy_sign(-b),
            json.loads(text), decimal.getcontext().prec, a.__format__(".1f"), a.adjusted())


a, b = decimal.Decimal("2.345"), decimal.Decimal("0.01")
for i in range(1300):
    made = numbers(a, b, '{"a": [1, %d]}' % i)
print(made)
for wrong in (lambda: a.quantize(), lambda: a.quantize(1.5), lambda: a.quantize(b, how=1),
              lambda: a.is_nan(1), lambda: a.compare(), lambda: numbers(a, -b, "{"),
              lambda: a.fma(b), lambda: decimal.Decimal.is_nan(5), lambda: decimal.getcontext(1)):
    for _ in range(3):
        text = shown(wrong)
    print(text)


def quantizes(a, b):
    return a.quantize(b)


for i in range(1300):
    quantizes(a, b)
print(shown(quantizes, 5, b), shown(quantizes, a, "x"), shown(quantizes, a, 1))


# ------------------------------------------------------------------ deaths of tuples and lists

class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        frame = sys._getframe(1)
        log.append((self.name, frame.f_lineno - frame.f_code.co_firstlineno))


def deaths(kept, i):
    number, text = i * 1.5, "text%d" % i
    t = (1, Loud("a"), kept, Loud("b"), kept)
    t = [Loud("c"), kept, kept, Loud("d"), number, text]
    t = [kept, Loud("e"), kept, i + 0.25]
    t = ((Loud("f"), kept), [kept, (kept, Loud("g"))], kept, text * 2)
    t = (i, text + "x", number + 1)
    t = [i, text + "x", number + 1, None]
    t = [t, [text], (t, text)]
    t = [Loud("h"), text] + [number]
    len((text, [Loud("i"), text], number))
    t = [None] * 30 + [kept] * 3 + [text] * 30 + list(range(i, i + 90))
    t = [Loud("j")] * 3 + [number] * 3
    t = [[text]] * 70 + [Loud("k")] + [number, kept] * 40
    t = text, kept, [kept], {text}, weakref.ref(Loud)
    t = None
    return sys.getrefcount(kept), sys.getrefcount(text)


kept, counts, log = ["kept"], set(), []
for i in range(1300):
    log.clear()
    counts.add(deaths(kept, i))
print(log, counts)
nested = flat = ()
for i in range(100000):
    nested = (nested, i) if i % 3 else [i, nested, "x", [nested]]
    flat = (i, flat, None)
del nested, flat
deep = Loud("innermost")
for i in range(1000):
    deep = (i, deep, "x") if i % 2 else [deep, i]
log.clear()
deep = None
print(log)

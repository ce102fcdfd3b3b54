"""== and < and their kind, `in` and dict keys: each kind of object with each other, as operators,
as jumps, and as calls."""
import warnings

warnings.simplefilter("ignore")
import collections
import datetime
import decimal
import enum
import fractions
import operator


class S(str): pass
class S2(str):
    def __eq__(self, o): return 'S2eq'
    __hash__ = str.__hash__
class S3(str):
    def __lt__(self, o): return 'lt'
class I(int): pass
class F(float): pass
class L(list): pass
class D(dict): pass
class T(tuple): pass
class O: pass
class E:
    def __eq__(self, o): return ('E', type(o).__name__)
class N:
    def __ne__(self, o): return ('N', type(o).__name__)
class IE(enum.IntEnum): A = 1; B = 2
class EN(enum.Enum): A = 1
o = O()
vals = [
    0, 1, 2, -1, 2**30, 2**53, 2**53+1, 2**62, -2**62, 2**64, 1.0, 2.0**53, 2.0**62,
    float('nan'), float('inf'), -0.0, True, False, None, "a", "b", "", S("a"), S("c"),
    S2("a"), S3("a"), I(1), I(2**60), F(1.0), [1], [], L([1]), (1,), T((1,)), {}, {1: 2},
    D({1: 2}), set(), {1}, frozenset({1}), {1: 2}.keys(), b"a", bytearray(b"a"), o, O(), O,
    E(), N(), IE.A, EN.A, 1j, complex(1, 0), decimal.Decimal(1), fractions.Fraction(1),
    range(1), len, collections.OrderedDict({1: 2}), Ellipsis, NotImplemented,
    datetime.date(2000, 1, 1),
]
ops = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
def eq(a, b): return a == b
def ne(a, b): return a != b
def lt(a, b): return a < b
def le(a, b): return a <= b
def gt(a, b): return a > b
def ge(a, b): return a >= b
def jeq(a, b):
    if a == b: return 1
    return 0
def jne(a, b):
    if a != b: return 1
    return 0
def jlt(a, b):
    if a < b: return 1
    return 0
def c1(a, _):
    if a == 1: return 1
    return 0
def c2(a, _): return a == 'a'
def isin(a, b): return a in [b], a in (b,)
def dictly(a, b):
    try: return a in {b: 1}, {b: 1}.get(a), a in {b}
    except TypeError as e: return str(e)


def short(value):
    return value if isinstance(value, str) else {True: "T", False: "F"}.get(value, repr(value))


for f in ops + [eq, ne, lt, le, gt, ge, jeq, jne, jlt, c1, c2, isin, dictly]:
    for a in vals:
        row = []
        for b in vals:
            try:
                row.append(short(f(a, b)))
            except Exception as e:
                row.append(type(e).__name__[0])
        print(f.__name__, type(a).__name__, " ".join(row))

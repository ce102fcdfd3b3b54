"""dataclasses and enums: ordering, frozen, fields, flags, auto, errors."""
import enum
from dataclasses import KW_ONLY, InitVar, asdict, astuple, dataclass, field, fields, make_dataclass, replace
from typing import ClassVar


@dataclass(order=True)
class Item:
    name: str = field(compare=False)
    price: float = 0.0
    tags: list = field(default_factory=list, repr=False)
    count: ClassVar[int] = 0
    total: float = field(init=False)
    tax: InitVar[float] = 1.0

    def __post_init__(self, tax):
        self.total = self.price * tax


a, b = Item("a", 2.0), Item("b", 1.5, ["t"], tax=2.0)
print(a, b, a > b, sorted([a, b]), a == Item("zzz", 2.0), asdict(b), astuple(a))
print([f.name for f in fields(Item)], Item.__match_args__, Item.__doc__)
print(replace(a, name="c", tax=3.0))


@dataclass(frozen=True, slots=True)
class P:
    x: int
    y: int = 0
    _: KW_ONLY
    z: int = 9

    def dist(self):
        return (self.x ** 2 + self.y ** 2) ** .5


p = P(3, 4, z=1)
print(p, p.dist(), hash(p) == hash(P(3, 4, z=1)), {p: 1}[P(3, 4, z=1)])
Q = make_dataclass("Q", [("a", int), ("b", str, field(default="d"))], namespace={"up": lambda self: self.b.upper()})
print(Q(1), Q(1, "x").up())


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @property
    def nice(self):
        return self.name.title()

    @classmethod
    def parse(cls, s):
        return cls[s.upper()]

    @classmethod
    def _missing_(cls, v):
        if v == "r":
            return cls.RED


print(list(Color), Color(1), Color["GREEN"], Color.CRIMSON is Color.RED, Color.__members__, Color.parse("red").nice, Color("r"))
print(Color.RED.name, Color.RED.value, str(Color.RED), repr(Color.RED), f"{Color.RED}", Color.RED in Color, len(Color), isinstance(Color.RED, Color), Color.RED == 1)


class Perm(enum.Flag):
    R = enum.auto()
    W = enum.auto()
    X = enum.auto()
    RW = R | W


print(Perm.R | Perm.X, Perm.RW, ~Perm.R, Perm.RW & Perm.W, Perm(0), Perm(7), Perm.R in Perm.RW, list(Perm.RW), bool(Perm.R & Perm.W), Perm.R ^ Perm.RW, repr(Perm.R | Perm.X))


class Num(enum.IntEnum):
    ONE = 1
    TWO = 2


class Str(enum.StrEnum):
    FOO = enum.auto()
    BAR = "b"


class IF(enum.IntFlag):
    A = 1
    B = 4


print(Num.ONE + Num.TWO, Num.ONE < 2, repr(Num.ONE), f"{Num.TWO:03d}", Str.FOO, repr(Str.BAR), Str.FOO == "foo", IF.A | 2, repr(IF.A | IF.B), IF(6), [1, 2][Num.ONE], sorted(Num, reverse=True))


class Planet(enum.Enum):
    EARTH = (5.97, 6.37)
    MARS = (0.64, 3.39)

    def __init__(self, m, r):
        self.m, self.r = m, r

    @property
    def g(self):
        return round(self.m / self.r ** 2, 4)


print([(q.name, q.g) for q in Planet], enum.unique(Planet).__name__)
Animal = enum.Enum("Animal", "CAT DOG", start=5)
print(list(Animal), Animal.DOG.value)


def dup():
    @enum.unique
    class D(enum.Enum):
        A = 1
        B = 1


def ext():
    class E(Color):
        BLUE = 3


def reuse():
    class R(enum.Enum):
        A = 1
        A = 2


def nodefault():
    @dataclass
    class N:
        a: int = 1
        b: int


def mutable():
    @dataclass
    class M:
        a: list = []


def both():
    @dataclass(order=True)
    class B:
        def __lt__(self, o):
            return 1


for f in (lambda: setattr(p, "x", 1), lambda: delattr(p, "x"), lambda: P(), lambda: P(1, 2, 3), lambda: P(1, q=2), lambda: a < 3, lambda: replace(p, q=1), lambda: asdict(3), lambda: hash(a), lambda: setattr(p, "new", 1),
          lambda: Color(5), lambda: Color["NO"], lambda: Color.NO, lambda: setattr(Color, "RED", 3), lambda: Color(), lambda: Color.RED < Color.GREEN, lambda: Perm(99), lambda: Color.RED.value.x, lambda: delattr(Color, "RED"),
          lambda: 1 in Perm, dup, ext, reuse, nodefault, mutable, both, lambda: Color.RED.foo, lambda: Str("zz"), lambda: fields(3), lambda: enum.Enum("Z", "a a"), lambda: setattr(Color.RED, "value", 3)):
    try:
        print("ok", f())
    except Exception as e:
        print(type(e).__name__, e)
p.y = 5

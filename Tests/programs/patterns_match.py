"""match statements: literals, captures, sequences, mappings, classes, guards."""
from dataclasses import dataclass
from enum import Enum
import collections


class Color(Enum):
    RED = 1
    GREEN = 2


@dataclass
class Point:
    x: int
    y: int


@dataclass
class Circle:
    c: Point
    r: float


def classify(v):
    match v:
        case None | True | False:
            return f"singleton {v}"
        case 0:
            return "zero"
        case -1 | 1.5 | -2 + 3j:
            return "number"
        case "hi" | b"hi":
            return "greeting"
        case Color.RED:
            return "red"
        case Color():
            return "color"
        case []:
            return "empty seq"
        case [x]:
            return f"one {x}"
        case [1, *rest] | (2, *rest):
            return f"starts {rest}"
        case [a, _, *_, b]:
            return f"ends {a} {b}"
        case {"type": "circle", "r": r, **rest} if r > 0:
            return f"circle {r} {sorted(rest)}"
        case {"k": [{"deep": d}, *_]}:
            return f"deep {d}"
        case {}:
            return "mapping"
        case Circle(Point(x=0, y=0), r):
            return f"centered {r}"
        case Circle(c=Point(x, y) as p, r=float() | int() as r) if x == y:
            return f"diag {p} {r}"
        case Point(x, y=0):
            return f"on x {x}"
        case int(n) if n > 100:
            return f"big {n}"
        case str() as s if len(s) > 3:
            return f"long {s}"
        case int() | float():
            return "num"
        case object(__class__=c):
            return f"other {c.__name__}"


for v in (None, True, 0, 0.0, False, -1, 1.5, -2 + 3j, "hi", b"hi", Color.RED, Color.GREEN, [], (), [5], (1, 2), [2, 3, 4], [9, 8, 7, 6], [3, 4],
          {"type": "circle", "r": 3, "z": 1, "q": 2}, {"type": "circle", "r": -3}, {"k": [{"deep": "d"}, 1]}, {}, Circle(Point(0, 0), 2), Circle(Point(1, 1), 2.5),
          Circle(Point(1, 2), 1), Point(4, 0), 101, "long one", "abc", 7, 2.5, {1, 2}, range(3), collections.deque([7]), bytearray(b"x"), "x", collections.OrderedDict(a=1),
          collections.ChainMap({"k": [{"deep": 1}]}), memoryview(b"abc"), object):
    try:
        print(repr(v)[:40] if "memory" not in repr(v) else "mv", "->", classify(v))
    except Exception as e:
        print(type(e).__name__, e)


def evaluate(node):
    match node:
        case int() | float() as n:
            return n
        case ("neg", x):
            return -evaluate(x)
        case (("+" | "-" | "*" | "/") as op, left, right):
            l, r = evaluate(left), evaluate(right)
            match op:
                case "+":
                    return l + r
                case "-":
                    return l - r
                case "*":
                    return l * r
                case "/":
                    return l / r
        case ("let", {**binds}, body):
            return evaluate(subst(body, binds))
        case _:
            raise SyntaxError(f"bad node {node!r}")


def subst(body, binds):
    match body:
        case str(name) if name in binds:
            return binds[name]
        case tuple(items):
            return tuple(subst(i, binds) if n else i for n, i in enumerate(items))
        case other:
            return other


print(evaluate(("+", 1, ("*", ("neg", 3), ("/", 10, 4)))))
print(evaluate(("let", {"x": 4, "y": 5}, ("-", ("*", "x", "x"), "y"))))


class Neg:
    __match_args__ = ("a", "a")


class BadArgs:
    __match_args__ = [1]


class NonStr:
    __match_args__ = (1,)


class None_:
    pass


def m1(v):
    match v:
        case Neg(1, 2):
            return 1


def m2(v):
    match v:
        case BadArgs(1):
            return 1


def m3(v):
    match v:
        case NonStr(1):
            return 1


def m4(v):
    match v:
        case None_(1):
            return 1


def m5(v):
    match v:
        case int(1, 2):
            return 1


def m6(v):
    match v:
        case Point(1, x=2):
            return 1


def m7(v):
    notclass = 3
    match v:
        case notclass():
            return 1


def m8(v):
    k = "a"
    match v:
        case {Color.RED: x, 1: y}:
            return x, y
        case Color.RED.name:
            return "nm"


n = Neg()
n.a = 1
for f, a in ((m1, n), (m2, BadArgs()), (m3, NonStr()), (m4, None_()), (m5, 1), (m6, Point(1, 2)), (m7, 3), (m8, {Color.RED: 1, 1: 2}), (m8, "RED"), (m8, 3)):
    try:
        print(f.__name__, f(a))
    except TypeError as e:
        print(f.__name__, e)
match [1, [2, 3]], {"a": 4}:
    case [int(p), [q, *r]], {"a": s}:
        print(p, q, r, s)
print(evaluate(("%", 1, 2)))

"""Reflected, in-place and refused operators; comparison fallbacks; the order in which hooks are asked."""
import operator

LOG = []


class Num:
    def __init__(self, v, name="Num"):
        self.v, self.name = v, name

    def __repr__(self):
        return f"{type(self).__name__}({self.v!r})"


def spoken(op, result):
    def method(self, other):
        LOG.append(f"{type(self).__name__}.{op}")
        if result is NotImplemented:
            return NotImplemented
        other = other.v if isinstance(other, Num) else other
        return type(self)(result(self.v, other))
    method.__name__ = op
    return method


BINARY = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
          "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "lshift": operator.lshift,
          "rshift": operator.rshift, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
          "matmul": lambda a, b: a * 100 + b}


class Left(Num):
    pass


class Right(Num):
    pass


class SubLeft(Left):
    """A subclass that overrides the reflected method goes first."""


class InPlace(Left):
    pass


for name, f in BINARY.items():
    setattr(Left, f"__{name}__", spoken(f"__{name}__", f))
    setattr(Right, f"__r{name}__", spoken(f"__r{name}__", lambda a, b, f=f: f(b, a)))
    setattr(SubLeft, f"__r{name}__", spoken(f"__r{name}__", lambda a, b, f=f: f(b, a)))

for name, f in BINARY.items():
    def inplace(self, other, name=name, f=f):
        LOG.append(f"InPlace.__i{name}__")
        if isinstance(other, str):
            return NotImplemented
        self.v = f(self.v, other)
        return self
    setattr(InPlace, f"__i{name}__", inplace)


def show(label, f):
    LOG.clear()
    try:
        result = f()
    except Exception as e:
        result = f"{type(e).__name__}: {e}"
    print(f"{label:34} {result!s:30} {' '.join(LOG)}")


for name in BINARY:
    op = getattr(operator, name if name not in ("and", "or") else name + "_")
    show(f"Left {name} int", lambda: op(Left(7), 2))
    show(f"int {name} Right", lambda: op(7, Right(2)))
    show(f"Left {name} SubLeft", lambda: op(Left(7), SubLeft(2)))
    show(f"SubLeft {name} Left", lambda: op(SubLeft(7), Left(2)))
    show(f"int {name} Left", lambda: op(7, Left(2)))
    show(f"Right {name} str", lambda: op(Right(7), "s"))
    iop = getattr(operator, "i" + name)
    show(f"InPlace i{name} 3", lambda: iop(InPlace(12), 3))
    show(f"list i{name} 3", lambda: iop([1], 3))

a = InPlace(5)
b = a
a += 1
a *= 3
print(a is b, a)
a -= Left(1) if False else 1
t = ([1], 2)
try:
    t[0] += [9]
except TypeError as e:
    print("tuple item:", e, t)


class Cmp:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        LOG.append("eq")
        return self.v == other.v if isinstance(other, Cmp) else NotImplemented

    def __lt__(self, other):
        LOG.append("lt")
        return self.v < other.v if isinstance(other, Cmp) else NotImplemented

    def __gt__(self, other):
        LOG.append("gt")
        return self.v > other.v if isinstance(other, Cmp) else NotImplemented


class Weird(Cmp):
    def __lt__(self, other):
        LOG.append("Weird.lt")
        return []

    def __gt__(self, other):
        LOG.append("Weird.gt")
        return "truthy"


for label, f in {
        "lt": lambda: Cmp(1) < Cmp(2), "gt other": lambda: Cmp(1) > 3, "3 < Cmp": lambda: 3 < Cmp(1),
        "le missing": lambda: Cmp(1) <= Cmp(2), "eq int": lambda: Cmp(1) == 1, "ne": lambda: Cmp(1) != Cmp(1),
        "weird": lambda: Cmp(1) < Weird(2), "chain": lambda: Cmp(1) < Cmp(2) < Cmp(3) > Weird(1),
        "chain stops": lambda: Cmp(5) < Cmp(2) < Cmp(3), "max": lambda: max(Cmp(1), Cmp(4), Cmp(2)).v,
        "sorted": lambda: [c.v for c in sorted(map(Cmp, [3, 1, 2]))], "in": lambda: Cmp(2) in [Cmp(1), Cmp(2)],
        "hash": lambda: hash(Cmp(1)), "index": lambda: [Cmp(1), Cmp(2)].index(Cmp(2)),
        "count": lambda: (Cmp(1), 1, Cmp(1)).count(Cmp(1)), "not": lambda: not (Cmp(1) == Cmp(2))}.items():
    show(label, f)


class Lazy:
    __repr__ = lambda s: "<lazy>"

    def __bool__(self):
        LOG.append("bool")
        return False

    def __len__(self):
        LOG.append("len")
        return 3


class OnlyLen:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        LOG.append("len")
        return self.n


show("and", lambda: Lazy() and 1)
show("or", lambda: (Lazy() or "other"))
show("not", lambda: not OnlyLen(0))
show("len negative", lambda: bool(OnlyLen(-1)))
show("len huge", lambda: len(OnlyLen(2 ** 80)))
show("len float", lambda: len(OnlyLen(1.0)))
show("if", lambda: "yes" if OnlyLen(2) else "no")

for cls, methods in {"Idx": {"__index__": lambda s: 3}, "BadIdx": {"__index__": lambda s: "x"},
                     "Fl": {"__float__": lambda s: 2.5}, "BadFl": {"__float__": lambda s: 1},
                     "It": {"__int__": lambda s: 7}, "Tr": {"__trunc__": lambda s: 9},
                     "Cx": {"__complex__": lambda s: 1 + 2j}, "Rd": {"__round__": lambda s, n=None: ("r", n)},
                     "Nothing": {}}.items():
    o = type(cls, (), methods)()
    for label, f in {"int": int, "float": float, "complex": complex, "index": operator.index, "round": round,
                     "round2": lambda o: round(o, 2), "range": lambda o: list(range(o)), "hex": hex,
                     "slice": lambda o: "abcdef"[o:], "item": lambda o: "abcdef"[o], "mul": lambda o: "ab" * o,
                     "chr": chr, "bytes": bytes, "neg": lambda o: -o, "inv": lambda o: ~o, "abs": abs,
                     "divmod": lambda o: divmod(o, 2), "pow3": lambda o: pow(2, o, 5)}.items():
        show(f"{label}({cls})", lambda: f(o))


class Unary:
    __neg__ = lambda s: "neg"
    __pos__ = lambda s: "pos"
    __invert__ = lambda s: "inv"
    __abs__ = lambda s: "abs"
    __divmod__ = lambda s, o: ("dm", o)
    __rdivmod__ = lambda s, o: ("rdm", o)
    __pow__ = lambda s, o, m=None: ("pow", o, m)
    __floor__ = lambda s: "floor"
    __ceil__ = lambda s: "ceil"
    __getitem__ = lambda s, k: k
    __contains__ = lambda s, k: k


u = Unary()
import math
print(-u, +u, ~u, abs(u), divmod(u, 1), divmod(1, u), u ** 2, pow(u, 2, 3), math.floor(u), math.ceil(u))
print(u[1:2, ..., ::3], u[()], u[1,], 0 in u, [1] in u, [] not in u)
try:
    print(pow(2, u))
except TypeError as e:
    print(e)
try:
    print(2 ** u)
except TypeError as e:
    print(e)

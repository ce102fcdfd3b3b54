"""Own sequences, mappings and sets through the ABCs; copying and pickling with every hook; generic classes at run time."""
import abc
import collections.abc as cabc
import copy
import copyreg
import io
import operator
import pickle
import sys
import typing
from functools import singledispatch, singledispatchmethod, total_ordering, partial, lru_cache, reduce, cmp_to_key, partialmethod
from typing import Generic, Protocol, TypeVar, runtime_checkable, NamedTuple, TypedDict, Literal, Annotated, ParamSpec, Callable, overload, ClassVar, Final

T = TypeVar("T")
K = TypeVar("K", bound=cabc.Hashable)
P = ParamSpec("P")


class Ring(cabc.MutableSequence, Generic[T]):
    def __init__(self, items=(), room=4):
        self.room, self.items = room, list(items)[-room:]

    def __getitem__(self, i):
        return type(self)(self.items[i], self.room) if isinstance(i, slice) else self.items[i]

    def __setitem__(self, i, v): self.items[i] = v
    def __delitem__(self, i): del self.items[i]
    def __len__(self): return len(self.items)

    def insert(self, i, v):
        self.items.insert(i, v)
        del self.items[:-self.room]

    def __repr__(self): return f"Ring({self.items})"


r = Ring([1, 2, 3, 4, 5])
r.append(6); r.extend([7, 8]); r += [9]
print(r, r[-1], r[1:3], 9 in r, r.index(8), list(reversed(r)), r.pop(), r.count(7), len(r))
r.reverse(); r.remove(6); del r[0]
print(r, isinstance(r, cabc.Sequence), Ring[int], Ring[int]((1,)).__orig_class__, Ring.__parameters__, issubclass(Ring, cabc.Reversible))
try:
    r.index("no")
except ValueError as e:
    print(repr(e))


class Folded(cabc.MutableMapping):
    def __init__(self, *a, **k): self.d = {}; self.update(*a, **k)
    def __getitem__(self, k): return self.d[k.casefold()][1]
    def __setitem__(self, k, v): self.d[k.casefold()] = (k, v)
    def __delitem__(self, k): del self.d[k.casefold()]
    def __iter__(self): return (k for k, _ in self.d.values())
    def __len__(self): return len(self.d)


f = Folded({"Content-Type": 1}, Accept=2)
f["ACCEPT"] = 3
print(dict(f), f.get("content-type"), f.setdefault("x", 5), f.pop("X"), "aCCept" in f, f.keys() & {"ACCEPT"}, list(f.items()), f == {"Content-Type": 1, "ACCEPT": 3}, f.popitem(), f.keys() | ["q"])
try:
    f["zz"]
except KeyError as e:
    print(repr(e), f.pop("zz", None))


class Bits(cabc.MutableSet):
    def __init__(self, it=()): self.n = reduce(operator.or_, (1 << i for i in it), 0)
    def __contains__(self, i): return self.n >> i & 1
    def __iter__(self): return (i for i in range(self.n.bit_length()) if i in self)
    def __len__(self): return self.n.bit_count()
    def add(self, i): self.n |= 1 << i
    def discard(self, i): self.n &= ~(1 << i)
    def __repr__(self): return f"Bits({[*self]})"


a, b = Bits([1, 5, 9]), Bits([5, 6])
print(a & b, a | b, a - b, a ^ b, a <= b, Bits([5]) < b, a.isdisjoint([2]), a & [1, 2], {5, 6} == b, [1] | b, b.pop())
a |= b; a -= {1}; a ^= Bits([5, 50])
print(a, len(a), hash(frozenset(a)) == Bits._hash(a))


@runtime_checkable
class Closeable(Protocol):
    def close(self) -> None: ...


class HasName(Protocol[T]):
    name: T


print(isinstance(io.StringIO(), Closeable), isinstance(3, Closeable), issubclass(list, Closeable))
for bad in (lambda: isinstance(3, HasName), lambda: Closeable(), lambda: Ring[int, str], lambda: TypeVar("X", int), lambda: typing.Union[()], lambda: Literal[1, 2, 1], lambda: isinstance([], list[int]), lambda: typing.List[int]([1]), lambda: typing.cast(int, "s")):
    try:
        print(bad())
    except TypeError as e:
        print("TypeError:", e)


class Movie(TypedDict, total=False):
    title: typing.Required[str]
    year: int


class Emp(NamedTuple, Generic[T]):
    """Doc."""
    name: T
    id: int = 3
    def hi(self): return f"hi {self.name}"


print(Movie(title="x"), Movie.__required_keys__, Movie.__optional_keys__, Emp("a").hi(), Emp[str], Emp._field_defaults, Emp.__annotations__, Emp.__doc__)
print(typing.get_type_hints(Emp), typing.get_origin(Callable[P, int]), typing.get_args(Callable[[int, str], None]), Annotated[int, "m"].__metadata__, typing.Optional[K], typing.Union[int, int], cabc.Callable[[T], T][str], dict[K, T][str, int], typing.ForwardRef("x"), ClassVar[int], Final)


@total_ordering
class Version:
    __slots__ = "parts",
    def __init__(self, s): self.parts = tuple(map(int, s.split(".")))
    def __eq__(self, o): return self.parts == o.parts if isinstance(o, Version) else NotImplemented
    def __lt__(self, o): return self.parts < o.parts if isinstance(o, Version) else NotImplemented
    __hash__ = lambda s: hash(s.parts)
    def __getstate__(self): print("getstate"); return ".".join(map(str, self.parts))
    def __setstate__(self, s): print("setstate", s); self.parts = Version(s).parts


v = Version("1.10.2")
print(v > Version("1.9"), v >= v, {v: 1}[Version("1.10.2")], sorted(map(Version, "3 1.2 1.10".split()))[1].parts, pickle.loads(pickle.dumps(v)) == v, copy.copy(v) == v, copy.deepcopy([v, v])[0] is v)


class Hooks:
    def __init__(self, x): self.x = x
    def __reduce_ex__(self, p): print("reduce_ex", p); return super().__reduce_ex__(p)
    def __copy__(self): print("copy"); return Hooks(self.x)
    def __deepcopy__(self, memo): print("deepcopy", len(memo)); return Hooks(copy.deepcopy(self.x, memo))
class Args:
    def __new__(cls, a, *, k): o = super().__new__(cls); o.ak = a, k; return o
    def __getnewargs_ex__(self): return (self.ak[0],), {"k": self.ak[1]}
class Listy(list):
    def __reduce__(self): return Listy, (), {"extra": 1}, iter(self), None
class Cyclic:
    def __init__(self): self.me, self.l = self, [self]
class Single:
    only = None
    def __new__(cls): cls.only = cls.only or super().__new__(cls); return cls.only
    def __reduce__(self): return "THE_ONE"
THE_ONE = Single()
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
copyreg.pickle(Point, lambda p: (Point, (p.x, p.y)))


for p in range(pickle.HIGHEST_PROTOCOL + 1):
    h, ar, l, c, s, pt = pickle.loads(pickle.dumps([Hooks([1]), Args(1, k=2) if p >= 2 else None, Listy([1, 2]), Cyclic(), THE_ONE, Point(1, 2)], p))
    print(p, h.x, ar and ar.ak, l, l.extra, c.me is c and c.l[0] is c, s is THE_ONE, pt.x)
h = copy.copy(Hooks([1])), copy.deepcopy(Hooks([[1]]))
print(h[0].x, h[1].x, copy.copy(Listy("ab")), copy.deepcopy({(1, (2,)): [Cyclic()]}).keys(), copy.replace if hasattr(copy, "replace") else "no replace")
for bad in (lambda: 1, open, sys, (x for x in ""), Hooks.__init__.__get__(3), type("Local", (), {}), type("Local", (), {})()):
    try:
        pickle.dumps(bad)
        print("pickled", str(type(bad))[:30])
    except Exception as e:
        print(type(e).__name__, str(e).split(" at 0x")[0])


class Finder(pickle.Unpickler):
    def find_class(self, module, name): print("find", module, name); return super().find_class(module, name)
    def persistent_load(self, pid): return f"<{pid}>"
class Saver(pickle.Pickler):
    def persistent_id(self, o): return o.x if isinstance(o, Hooks) else None
    def reducer_override(self, o): return (str, ("overridden",)) if isinstance(o, Version) else NotImplemented


buf = io.BytesIO()
Saver(buf, 4).dump([Hooks("pid"), v, Point(3, 4)])
print([getattr(o, "__dict__", o) for o in Finder(io.BytesIO(buf.getvalue())).load()])


@singledispatch
def describe(x, *a): return f"object {x!r}"
@describe.register
def _(x: int | float, *a): return f"number {x}"
@describe.register(list)
@describe.register(tuple)
def _(x, *a): return f"{len(x)} items: " + ", ".join(map(describe, x))
@describe.register
def _(x: cabc.Mapping, *a): return "mapping"
print(describe([1, 2.5, "s", (True,), {}, None]), describe.dispatch(bool).__name__, describe.registry.keys() >= {int, float}, describe(f))


class Greeter:
    @singledispatchmethod
    def greet(self, x): return "?"
    @greet.register
    def _(self, x: str): return "hello " + x
    wave = partialmethod(lambda self, *a, **k: (a, k), 1, k=2)


print(Greeter().greet("you"), Greeter().greet(3), Greeter().wave(5, z=1), partial(max, 3)(1, 9, 4), partial(partial(int, base=2), "101")(), sorted("bca", key=cmp_to_key(lambda x, y: (x < y) - (x > y))))


@lru_cache(maxsize=2, typed=True)
def slow(x): print("computing", x); return x
slow(1); slow(1.0); slow(1); slow(2); slow(1)
print(slow.cache_info(), slow.cache_parameters(), slow.__wrapped__(9))

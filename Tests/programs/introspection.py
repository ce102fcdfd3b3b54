"""What functions, classes, frames and modules say of themselves."""
import functools
import inspect
import sys
import types
import typing
from abc import ABC, abstractmethod


def full(a, b=1, /, c: int = 2, *args: str, d, e: "fwd" = None, **kw: typing.Any) -> list[int]:
    """Doc of full."""
    x = a
    def inner():
        nonlocal x
        x += b
        return x
    return inner


for f in (full, lambda *, k=3: k, print, len, "".join, int, dict.get, functools.partial(full, 1, d=2), type, object.__init__):
    try:
        s = inspect.signature(f)
        print(s, [(p.name, p.kind.name, p.default is not p.empty) for p in s.parameters.values()])
    except ValueError as e:
        print("no signature:", str(e)[:40])

code = full.__code__
print(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_nlocals, code.co_varnames,
      code.co_cellvars, code.co_freevars, code.co_names, code.co_name, code.co_qualname, code.co_firstlineno,
      code.co_flags & 0x0f, bool(code.co_flags & inspect.CO_NESTED))
inner = full(1, d=5)
print(inner.__closure__[0].cell_contents, inner.__code__.co_freevars, inner(), inner(), inner.__qualname__)
print(inspect.getclosurevars(inner).nonlocals)
full.__defaults__, full.__kwdefaults__ = (7,), {"d": 8}
print(inspect.signature(full), full.__annotations__, typing.get_type_hints(full, localns={"fwd": int}))
g = types.FunctionType(full.__code__, {"__builtins__": {}}, "renamed", (1, 2), ())
print(g.__name__, g.__defaults__, g.__module__, g.__globals__)
h = full.__code__.replace(co_name="other", co_filename="elsewhere.py")
print(h.co_name, h.co_filename, h == full.__code__, hash(h) == hash(full.__code__), full.__code__ == full.__code__.replace())


class Meta(type):
    def __prepare__(name, bases, **kw):
        print("prepare", name, [b.__name__ for b in bases], kw)
        return {"injected": 1}

    def __new__(mcls, name, bases, ns, **kw):
        print("new", list(ns)[:6], kw)
        return super().__new__(mcls, name, bases, ns)

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)

    def __call__(cls, *args):
        print("call", cls.__name__, args)
        return super().__call__(*args)

    def __instancecheck__(cls, o):
        return o == "magic" or super().__instancecheck__(o)

    def __dir__(cls):
        return ["only", "these"]

    def __or__(cls, other):
        return ("union of", cls.__name__, other)


class Base(metaclass=Meta, flag=True):
    kind = "base"

    def __init__(self, *a):
        self.a = a

    def __init_subclass__(cls, /, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag

    def method(self): pass
    @classmethod
    def cm(cls): return cls.__name__
    @staticmethod
    def sm(): return "sm"
    @property
    def prop(self): "Doc of prop."; return 1
    @functools.cached_property
    def cached(self): print("computed"); return 5


class Derived(Base, flag=2):
    def __init_subclass__(cls, **kw): super().__init_subclass__(tag="from derived")


class Leaf(Derived): pass


print(Base.injected, Leaf.tag, Derived.tag, [c.__name__ for c in Leaf.__mro__], Leaf(1).a, isinstance("magic", Leaf), isinstance(3, Leaf))
print(dir(Base), Base | 3, Base.__flags__ & (1 << 9) != 0, Leaf.__base__, Leaf.__bases__, Base.__subclasses__())
o = Leaf()
print(o.cached, o.cached, vars(o), Base.prop.__doc__, type(Base.__dict__["cm"]).__name__, o.cm(), o.sm(), Leaf.sm())
print([(k, type(v).__name__) for k, v in Base.__dict__.items() if not k.startswith("__")])
for name in ("method", "cm", "sm", "prop", "cached", "a", "missing"):
    v = inspect.getattr_static(o, name, "none")
    print(name, type(v).__name__, inspect.isdatadescriptor(v), inspect.isroutine(v))
print([a.name + ":" + a.kind + ":" + a.defining_class.__name__ for a in inspect.classify_class_attrs(Derived) if not a.name.startswith("__")])
print(o.method.__func__ is Base.method, o.method.__self__ is o, o.method == o.method, o.method is o.method, hash(o.method) == hash(o.method))
print(repr(o.method).split(" of ")[0], repr(Base.method).split(" at ")[0], repr(Leaf.cm), repr("".join).split(" at ")[0], repr(str.join), repr(len))


class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...
    @classmethod
    def __subclasshook__(cls, c):
        return True if hasattr(c, "quacks") else NotImplemented


for make in (Shape, lambda: type("Half", (Shape,), {"area": lambda s: 1})(), lambda: type("Whole", (Shape,), {"area": lambda s: 1, "name": "w"})().name):
    try:
        print(make())
    except TypeError as e:
        print("TypeError:", e)
print(issubclass(type("Duck", (), {"quacks": 1}), Shape), issubclass(int, Shape), Shape.__abstractmethods__ == {"area", "name"})

for bases in ((int, str), (Base, type), (bool,), (type("A", (), {}), object, int), (object, type("B", (), {})), (Base, Base), (3,), (type(None),)):
    try:
        print(type("T", bases, {}).__mro__[1].__name__)
    except TypeError as e:
        print("TypeError:", e)


class Slots:
    __slots__ = ("x", "__private", "__weakref__")

    def __init__(self): self.__private = 1


class More(Slots):
    __slots__ = {"y": "doc of y"}


m = More()
print(hasattr(m, "__dict__"), More.y.__doc__, Slots.__slots__, m._Slots__private, type(Slots.x).__name__)
for act in ("m.x", "m.z = 1", "del m.y", "m.__dict__", "Slots.x.__get__(3)", "m.__class__ = Slots", "m.__class__ = int", "Slots.x = 5; print(m.x)"):
    try:
        exec(act)
        print("ok", act)
    except (AttributeError, TypeError) as e:
        print(type(e).__name__, e)


def where():
    f = sys._getframe()
    names = []
    while f:
        names.append((f.f_code.co_name, f.f_lineno))
        f = f.f_back
    return names


class Where:
    at_class = where()

    def __getattr__(self, name): return where()
    def __getitem__(self, k): return where()
    def __iter__(self): yield where()
    def __lt__(self, o): print(where()); return True


w = Where()
print(Where.at_class, w.foo, w[1], *w, [where() for _ in "a"], (lambda: where())(), next(where() for _ in "a"), sep="\n")
sorted([w, w])
functools.reduce(lambda a, b: print(where()), [1, 2])
print(inspect.stack()[0].function, inspect.currentframe().f_lineno, inspect.getframeinfo(sys._getframe()).code_context)


def gen():
    got = yield 1
    while got:
        got = yield got * 2


G = gen()
print(inspect.getgeneratorstate(G), next(G), inspect.getgeneratorstate(G), G.send(4), G.gi_frame.f_locals, G.gi_running, G.gi_yieldfrom)
G.close()
print(inspect.getgeneratorstate(G), G.gi_frame, G.__name__, G.__qualname__, [type(x).__name__ for x in (gen, G, G.gi_code)])
mod = types.ModuleType("made", "its doc")
exec("x = 1\ndef f(): return x, __name__\nclass C: pass", mod.__dict__)
print(mod.f(), mod.C, mod.C.__module__, mod, sorted(k for k in vars(mod) if k != "__builtins__"), mod.__doc__, mod.__spec__)
ns = types.SimpleNamespace(b=1, a=[2]); ns.me = ns
print(ns, ns == types.SimpleNamespace(b=1), types.MappingProxyType({1: 2}), types.new_class("N", (Base,), {"tag": 9}).tag)
print(int | None, int | "s" if False else int | str, typing.Optional[int] == int | None, isinstance(3, int | str), list[int][0:0] if False else list[int], dict[str, list[int]].__args__, (list[typing.TypeVar("T")])[int])
print(inspect.signature(bytes.maketrans), inspect.signature(vars(bytearray)["maketrans"]),
      inspect.signature(type(iter(bytearray())).__reduce__))

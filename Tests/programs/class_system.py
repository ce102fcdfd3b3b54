"""Classes: inheritance, super, properties, slots, operators, hooks."""


class Base:
    registry = []

    def __init_subclass__(cls, /, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.tag = tag
        Base.registry.append((cls.__name__, tag))

    def hello(self):
        return ["Base"]


class Left(Base, tag="l"):
    def hello(self):
        return ["Left"] + super().hello()


class Right(Base, tag="r"):
    def hello(self):
        return ["Right"] + super().hello()


class Both(Left, Right, tag="both"):
    def hello(self):
        return ["Both"] + super().hello()


print(Base.registry, Both().hello(), [c.__name__ for c in Both.__mro__])


class Vector:
    __slots__ = ("x", "y")
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Vector({self.x!r}, {self.y!r})"

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __radd__(self, other):
        if other == 0:
            return self
        return NotImplemented

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __bool__(self):
        return bool(self.x or self.y)

    def __iter__(self):
        yield self.x
        yield self.y

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __contains__(self, v):
        return v in (self.x, self.y)

    def __format__(self, spec):
        return f"<{self.x:{spec}}|{self.y:{spec}}>"

    def __abs__(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5

    def __call__(self, f):
        return Vector(f(self.x), f(self.y))


v = Vector(3, 4)
print(v, v + v, 2 * v, v @ v, -v, abs(v), f"{v:>5}", f"{v:.2f}", 4 in v, v[-1], v(str))
print(sum([v, v, v]), v == Vector(3, 4), len({v, Vector(3, 4)}), bool(Vector(0, 0)), [*v])
w = v
w += Vector(1, 1)
print(v, w is v)
tests = [
    lambda: v + 1,
    lambda: 1 + v,
    lambda: v < v,
    lambda: v.z,
    lambda: setattr(v, "z", 1),
    lambda: v[5],
    lambda: len(v),
    lambda: v(),
    lambda: v(1, 2),
    lambda: Vector(),
    lambda: Vector(1),
    lambda: Vector(1, 2, 3),
    lambda: Vector(1, 2, z=3),
    lambda: Vector(1, x=3),
    lambda: v.__dict__,
    lambda: ~v,
    lambda: v ** 2,
    lambda: v // 2,
    lambda: divmod(v, 2),
    lambda: float(v),
    lambda: int(v),
    lambda: [1, 2][v],
    lambda: object() < 1,
    lambda: type("A", (int, str), {}),
    lambda: type("A", (Left, Base, Right), {"hello": 1}).__mro__,
    lambda: type("A", (Base, Left), {}),
    lambda: type("A", (bool,), {}),
    lambda: type("A", (Vector,), {"__slots__": ("a", "a")}),
    lambda: type("A", (), {"__slots__": ("a",), "a": 1}),
    lambda: type("A", (int,), {"__slots__": ("a",)}),
    lambda: super().x,
    lambda: super(Left, 3),
    lambda: Base.__init_subclass__(foo=3),
    lambda: object.__new__(int),
    lambda: object(1),
    lambda: int.__add__("a", 1),
    lambda: str.upper(1),
    lambda: Vector.x.__get__(1),
    lambda: isinstance(1, 1),
    lambda: issubclass(1, int),
    lambda: setattr(int, "foo", 1),
    lambda: delattr(v, "nope"),
    lambda: object().foo,
    lambda: type.foo,
    lambda: Vector.foo,
    lambda: setattr(Vector(1, 2), "__class__", int),
]
for t in tests:
    try:
        print("ok", t())
    except Exception as e:
        print(type(e).__name__, e)


class Temperature:
    def __init__(self, c):
        self.celsius = c

    @property
    def celsius(self):
        "degrees"
        return self._c

    @celsius.setter
    def celsius(self, v):
        if v < -273.15:
            raise ValueError("too cold")
        self._c = v

    @property
    def kelvin(self):
        return self._c + 273.15

    @classmethod
    def freezing(cls):
        return cls(0)

    @staticmethod
    def scale():
        return "C"


t = Temperature.freezing()
print(t.kelvin, t.scale(), Temperature.celsius.__doc__, vars(t))
for act in (lambda: setattr(t, "kelvin", 1), lambda: delattr(t, "celsius"), lambda: Temperature(-300)):
    try:
        act()
    except Exception as e:
        print(type(e).__name__, e)


class Fallback:
    def __getattr__(self, name):
        if name.startswith("x_"):
            return name.upper()
        raise AttributeError(f"no {name} here")

    def __setattr__(self, name, value):
        print("set", name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("del", name)
        super().__delattr__(name)

    def __dir__(self):
        return ["b", "a"]


f = Fallback()
f.k = 1
print(f.x_y, dir(f), hasattr(f, "q"), getattr(f, "q", "dflt"))
del f.k
del f.k

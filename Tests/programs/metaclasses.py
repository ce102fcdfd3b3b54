"""Metaclass tricks: __prepare__, ordered bodies, registries, singletons."""


class Recorder(dict):
    def __init__(self):
        self.log = []

    def __setitem__(self, k, v):
        self.log.append(k)
        super().__setitem__(k, v)


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, [b.__name__ for b in bases], kw)
        return Recorder()

    def __new__(mcs, name, bases, ns, **kw):
        cls = super().__new__(mcs, name, bases, dict(ns))
        cls.order = [k for k in ns.log if not k.startswith("__")]
        return cls

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
        print("init", name, cls.order)

    def __call__(cls, *a, **k):
        print("call", cls.__name__, a, k)
        return super().__call__(*a, **k)

    def __len__(cls):
        return len(cls.order)

    def __iter__(cls):
        return iter(cls.order)

    def __getitem__(cls, k):
        return cls.__name__ + "[" + str(k) + "]"

    def __contains__(cls, k):
        return k in cls.order

    def __add__(cls, o):
        return cls.__name__ + "+" + o.__name__

    def __repr__(cls):
        return f"<{cls.__name__}>"

    def __instancecheck__(cls, o):
        return o == 42 or super().__instancecheck__(o)

    def __getattr__(cls, name):
        return "meta:" + name

    @property
    def size(cls):
        return len(cls) * 10


class A(metaclass=Meta, flag=True):
    z = 1
    a = 2

    def m(self):
        return __class__

    z = 3


class B(A):
    b = 1


print(len(A), list(A), A["q"], "a" in A, A + B, A, isinstance(42, A), isinstance(41, A), A.what, A.size, B.size)
print(A().m(), type(A).__name__, type(B) is Meta)
try:
    A().size
except AttributeError as e:
    print(e)


class Singleton(type):
    _inst = {}

    def __call__(cls, *a):
        if cls not in Singleton._inst:
            Singleton._inst[cls] = super().__call__(*a)
        return Singleton._inst[cls]


class S(metaclass=Singleton):
    def __init__(self, v):
        self.v = v


print(S(1) is S(2), S(9).v)
for f in (lambda: type("X", (A, S), {}), lambda: type("X", (), {}, a=1), lambda: type(), lambda: type(1, 2), lambda: type("a", (), {}, 1),
          lambda: type(1, (), {}), lambda: type("a", 1, {}), lambda: type("a", (1,), {}), lambda: type("a\0", (), {})):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class Field:
    def __init__(self, typ):
        self.typ = typ

    def __set_name__(self, owner, name):
        self.name = name
        print("set_name", owner.__name__, name)

    def __get__(self, o, owner=None):
        return self if o is None else o.__dict__.get(self.name, self.typ())

    def __set__(self, o, v):
        if not isinstance(v, self.typ):
            raise TypeError(f"{self.name} must be {self.typ.__name__}, not {type(v).__name__}")
        o.__dict__[self.name] = v


class ModelMeta(type):
    def __new__(m, name, bases, ns):
        cls = super().__new__(m, name, bases, ns)
        cls.fields = {**getattr(cls, "fields", {}), **{k: v for k, v in ns.items() if isinstance(v, Field)}}
        return cls


class Model(metaclass=ModelMeta):
    def __init__(self, **kw):
        for k, v in kw.items():
            if k not in self.fields:
                raise TypeError(f"unknown field {k}")
            setattr(self, k, v)

    def __repr__(self):
        return type(self).__name__ + "(" + ", ".join(f"{k}={getattr(self, k)!r}" for k in self.fields) + ")"


class User(Model):
    name = Field(str)
    age = Field(int)


class Admin(User):
    level = Field(int)


print(User(name="bob"), Admin(level=3, name="x"), list(Admin.fields))
for kw in ({"age": "x"}, {"foo": 1}):
    try:
        User(**kw)
    except TypeError as e:
        print(e)


def funcmeta(name, bases, ns):
    return name, len(bases), sorted(k for k in ns if not k.startswith("__"))


class NotAClass(metaclass=funcmeta):
    x = 1
    y = 2


print(NotAClass)


class Entries:
    def __mro_entries__(self, bases):
        print("mro_entries", len(bases))
        return (User,)


class E(Entries()):
    pass


print(E.__bases__, E.__orig_bases__[0].__class__.__name__)


class G:
    def __class_getitem__(cls, k):
        return f"{cls.__name__}<{k}>"


print(G[int], G[1, 2])


class BadMeta(type):
    def mro(cls):
        return [cls, int]


try:
    class Bad(metaclass=BadMeta):
        pass
except TypeError as e:
    print(e)


class Broken:
    class D:
        def __set_name__(self, o, n):
            1 / 0
    d = D()

class Meta(type):
    def __new__(m, n, b, d, **k): print('meta', n, sorted(k)); return super().__new__(m, n, b, d)
    def __init__(c, n, b, d, **k): super().__init__(n, b, d)
    @classmethod
    def __prepare__(m, n, b, **k): return {'prepared': 1}
class A(metaclass=Meta, kw=1):
    x = 1
    def f(self): return __class__.__name__
    def __init_subclass__(cls, **k): print('init_subclass', cls.__name__, k); super().__init_subclass__()
print(A().f(), A.prepared)
class B(A): y: int = 5; z: 'str'
print(B.__annotations__, B.y)
class P:
    __slots__ = ('a', 'b')
    def __init__(self): self.a = 1
p = P()
for i in range(5):
    print(p.a, end=' ')
    p.a += 1
try: p.b
except AttributeError as e: print(e)
try: p.c = 1
except AttributeError as e: print(e)
class Q:
    cls_attr = [1]
    def __init__(self): self.v = 0
    def bump(self): self.v += 1; return self.v
    def __getattr__(self, n): return 'ga_' + n
    @property
    def prop(self): return self.v
    @prop.setter
    def prop(self, val): self.v = val
q = Q()
for i in range(100): q.bump(); q.cls_attr; q.zzz
print(q.v, q.prop, q.zzz); q.prop = 7; print(q.v, q.__dict__)
q.cls_attr = 5
def la(o): return o.cls_attr
print([la(q) for i in range(4)], [la(Q()) for i in range(4)], la(q))
Q.cls_attr = 9; print(la(Q()), la(q))
class V:
    def __init__(s, v): s.v = v
    def __add__(s, o): return V(s.v + o.v)
    def __radd__(s, o): return 'radd'
    def __iadd__(s, o): s.v += 100; return s
    def __eq__(s, o): return s.v == o.v
    def __lt__(s, o): return s.v < o.v
    def __hash__(s): return 1
    def __repr__(s): return f'V({s.v})'
    def __bool__(s): return s.v > 0
    def __len__(s): return 3
    def __contains__(s, x): return x == s.v
    def __iter__(s): return iter([1, 2, s.v])
    def __getitem__(s, i): return i
    def __setitem__(s, i, v): print('set', i, v)
    def __delitem__(s, i): print('del', i)
    def __enter__(s): return s
    def __exit__(s, *a): pass
    def __index__(s): return s.v
    def __neg__(s): return V(-s.v)
a, b = V(1), V(2)
print(a + b, 1 + a, a == b, a < b, a > b, bool(V(0)), not V(0), 1 in a, 5 in a, [*a], a[1:2, ...], -a, [10, 20, 30][a])
a += b; print(a); a[1] = 2; del a[3]; x, y, z = a; print(x, y, z)
a[1:2] = 5; a[1] += 1
print(1 if V(0) else 2, V(0) or 5, V(1) and 6)
import dataclasses, enum, collections, functools
@dataclasses.dataclass
class DC:
    x: int
    y: int = 5
print(DC(1), DC(1) == DC(1, 5))
class Color(enum.Enum):
    RED = 1; GREEN = 2
print(Color.RED, Color(2), list(Color))
NT = collections.namedtuple('NT', 'a b'); print(NT(1, 2)._replace(a=5))
@functools.lru_cache
def fibc(n): return n if n < 2 else fibc(n-1) + fibc(n-2)
print(fibc(80))
def deco(f):
    @functools.wraps(f)
    def w(*a, **k): return ('w', f(*a, **k))
    return w
@deco
def ff(a, b=1): "doc"; return a + b
print(ff(1), ff.__name__, ff.__doc__)
match {'k': [1, 2, 3], 'z': DC(1, 2)}:
    case {'k': [a, *rest], 'z': DC(x=xx, y=2), **others}: print(a, rest, xx, others)
match 5:
    case int(v) if v > 3: print('int', v)
match (1, 'a', None):
    case (1, 'a' | 'b' as s, None): print(s)
def sup():
    class X:
        def m(self): return 'X'
    class Y(X):
        def m(self): return 'Y' + super().m()
    class Z(Y):
        def m(self): return 'Z' + super(Z, self).m()
    return Z().m()
print(sup())

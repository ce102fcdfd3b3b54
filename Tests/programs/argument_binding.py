def f(a, b=2, *args, c, d=4, **kw): return (a, b, args, c, d, kw)
def g(a, b, /, c, *, d): return a, b, c, d
def h(): return 'h'
def d1(a=1, b=2): return a, b
def show(fn):
    try: print(fn())
    except Exception as e: print(type(e).__name__, e)
show(lambda: f(1, c=3))
show(lambda: f(1, 2, 3, 4, c=5, z=6))
show(lambda: f())
show(lambda: f(1))
show(lambda: f(c=1))
show(lambda: g(1, 2, 3, d=4))
show(lambda: g(1, 2, c=3, d=4))
show(lambda: g(a=1, b=2, c=3, d=4))
show(lambda: g(1, 2, 3, 4))
show(lambda: g(1, 2, 3, 4, d=5))
show(lambda: g(1, d=5))
show(lambda: g())
show(lambda: h(1))
show(lambda: h(1, 2))
show(lambda: h(x=1))
show(lambda: d1(1, 2, 3))
show(lambda: d1(1, a=3))
show(lambda: d1(c=3))
show(lambda: d1(*[5], **{'b': 6}))
show(lambda: d1(*[5], **{'a': 6}))
show(lambda: d1(**{1: 6}))
show(lambda: d1(*5))
show(lambda: d1(**5))
show(lambda: d1(*[1], *5))
show(lambda: d1(**{'a': 1}, **{'a': 2}))
show(lambda: (5)())
show(lambda: None.foo)
show(lambda: len())
show(lambda: len(1))
show(lambda: int('x'))
class C:
    def __init__(self, x, y=3): self.x = x; self.y = y
    def m(self, *a, **k): return self.x, a, k
    @classmethod
    def cm(cls, a): return cls.__name__, a
    @staticmethod
    def sm(a): return a
    @property
    def p(self): return self.x * 2
    def __call__(self, z): return z + self.x
    def __getitem__(self, i): return ('item', i)
for i in range(3):
    c = C(i)
    show(lambda: c.m(1, k=2))
    show(lambda: C.cm(2)); show(lambda: C.sm(3)); show(lambda: c.p); show(lambda: c(10)); show(lambda: c[1:2])
    show(lambda: C())
    show(lambda: C(1, 2, 3))
    bm = c.m
    show(lambda: bm(1, 2, x=3))
    show(lambda: C(x=5).m())
class D(C):
    def __init__(self, *a): super().__init__(*a); self.d = 1
    def m(self, *a, **k): return ('D', super().m(*a, **k))
show(lambda: D(7).m(1))
class E:
    def __init__(self): return 5
show(lambda: E())
class F:
    def __init__(self): yield 5
show(lambda: F())
def many(*a): return len(a)
print(many(*range(100000)))
def closure():
    x = 1
    def inc():
        nonlocal x
        x += 1
        return x
    return inc
i = closure(); i(); print(i(), i())
print([f.__name__ for f in (f, g)], f.__defaults__, f.__kwdefaults__)
def rec(n): return 0 if n == 0 else 1 + rec(n - 1)
print(rec(500))
try: rec(10**6)
except RecursionError as e: print('RecursionError', e)
print(max(3, 1, 2), max([1, 5, 2], key=lambda v: -v), sorted([3, 1, 2], reverse=True))
print((lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4))

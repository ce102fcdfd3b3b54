"""Keyword-only parameters, whose calls become part of machine code, and defaults that change."""
import contextlib
import io


class Loud:
    def __init__(s, n): s.n = n
    def __del__(s): print('del', s.n, end=' ')
def f(a, *, x=1, y=2): return a, x, y
def g(*, x, y=5): return x, y
def small(*, x=1, y): return y
class C:
    def __init__(self, a, *, k, d=4): self.v = a, k, d
    def m(self, *, q=3): return q
def run(i):
    c = C(i, k=2); c2 = C(k=i, a=3, d=9)
    return (f(i), f(i, y=i), f(i, x=i), f(y=1, x=i, a=3), g(x=i), g(y=i, x=2),
            small(y=i), c.v, c2.v, c.m(), c.m(q=i))
for i in range(3000): r = run(i)
print(r)
f.__kwdefaults__['x'] = [1]
print(run(1))
f.__kwdefaults__['z'] = 4
print(run(1))
f.__kwdefaults__ = {'y': 'Y', 'x': 'X'}
for i in range(3000): r = run(i)
print(r)
del f.__kwdefaults__['x']
try: print(run(1))
except TypeError as e: print(e)
f.__kwdefaults__ = None
try: print(run(1))
except TypeError as e: print(e)
def make(v):
    def h(a=1, *, k=v): return k
    return h
hs = [make(i) for i in range(5)]
def many(): return [h() for h in hs], [h(k=7) for h in hs], [h(2) for h in hs]
for i in range(2000): r = many()
print(r)
def gen():
    for i in range(2000):
        yield f0(i), f0(i, x=3), f0(x=1, y=2, a=i)
def f0(a, *, x=1, y=2): return a, x, y
for v in gen(): pass
print(v)
def drop(*, x, y=None): x = None; return 1
def loud(): return drop(x=Loud(1)), drop(y=Loud(2), x=Loud(3))
with contextlib.redirect_stdout(io.StringIO()):
    for i in range(2000): loud()
print(loud())

"""How deep recursion goes, and what it is told, through whatever calls."""
import sys
sys.setrecursionlimit(200)
class A:
    def __init__(self): A()
class B:
    def __new__(cls): return B()
class M(type):
    def __call__(cls): return cls()
class C(metaclass=M): pass
class D:
    def __getattr__(self, n): return self.foo
class E:
    def __enter__(self):
        with self: pass
    def __exit__(self, *a): pass
class F:
    @property
    def p(self): return self.p
    @staticmethod
    def s(): return F.s()
    @classmethod
    def c(cls): return cls.c()
    def m(self): return self.m()
def gen():
    for x in gen(): yield x
def gen2(): yield from gen2()
def star(*a, **k): return star(*a, **k)
def kw(a=1): return kw(a=a)
import functools
p = functools.partial(lambda: p())
@functools.lru_cache
def lru(n): return lru(n + 1)
@functools.wraps(lru)
def w(*a): return w(*a)
bm = F().m
def imp(): __import__("math"); return imp()
def comp(): return [comp() for x in (1,)]
def mp(): return list(map(lambda x: mp(), [1]))
def srt2(): return [1].sort(key=lambda x: srt2())
def mx(): return max([1], key=lambda x: mx())
def fmt(): return "{}".format(O())
class O:
    def __str__(self): return fmt()
    def __format__(self, s): return fmt()
def pct(): return "%s" % P2()
class P2:
    def __str__(self): return pct()
def dct(): return {K(): 1}
class K:
    def __hash__(self): return dct()
for name, f in dict(init=A, new=B, meta=lambda: C(), getattr=lambda: D().foo, ent=lambda: E().__enter__(), prop=lambda: F().p, s=F.s, c=F.c, m=F().m, gen=lambda: list(gen()), gen2=lambda: list(gen2()), star=star, kw=kw, partial=lambda: p(), lru=lambda: lru(0), w=w, bm=bm, imp=imp, comp=comp, mp=mp, srt2=srt2, mx=mx, fmt=fmt, pct=pct, dct=dct).items():
    for i in range(2):
        try:
            r = f()
            print("ok", type(r).__name__)
        except RecursionError as e:
            n = 0; tb = e.__traceback__
            while tb: n += 1; tb = tb.tb_next
            print(name, n, e)

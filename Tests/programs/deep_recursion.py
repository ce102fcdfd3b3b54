import sys
def r(n): return 0 if n == 0 else 1 + r(n - 1)
print(r(900))
sys.setrecursionlimit(200000)
print(r(150000))
sys.setrecursionlimit(1000)
try: r(2000)
except RecursionError as e: print(e)
class C:
    def __getattr__(self, n): return getattr(self, n + 'x')
try: C().a
except RecursionError as e: print(str(e)[:40])
class D:
    def __repr__(self): return repr(self)
try: repr(D())
except RecursionError as e: print(str(e)[:32])
class E:
    def __init__(self): E()
try: E()
except RecursionError as e: print(str(e)[:40])
def g(n):
    if n: yield from g(n - 1)
    yield n
print(len(list(g(300))))
try: list(g(3000))
except RecursionError as e: print(str(e)[:40])
def f(): f()
try: f()
except RecursionError as e:
    n = 0; tb = e.__traceback__
    while tb: n += 1; tb = tb.tb_next
    print(n)
def h():
    try: h()
    finally: pass
try: h()
except RecursionError: print('ok')
l = []
for i in range(100000): l = [l]
del l
try: sys.setrecursionlimit(30)
except RecursionError as e: print(e)
sys.setrecursionlimit(1000)
def depth():
    n = 0; f = sys._getframe()
    while f: n += 1; f = f.f_back
    return n
print(depth())
import _thread
out = []
lock = _thread.allocate_lock(); lock.acquire()
def th():
    out.append(r(500)); lock.release()
_thread.start_new_thread(th, ()); lock.acquire(); print(out)
def counter():
    k = 0
    def inc(x=[0]): nonlocal k; k += 1; x[0] += 1; return k, x
    return inc
c = counter(); c(); print(c())
def kw(**k): return k
print(kw(**{str(i): i for i in range(50)}) == {str(i): i for i in range(50)})
def bigargs(*a, **k): return len(a) + len(k)
print(bigargs(*range(70000), **{f'k{i}': i for i in range(5000)}))
def spread(a, b, c, d, e=5, *args, f, g=7, **kw): return (a, b, c, d, e, args, f, g, kw)
print(spread(*range(4), f=1), spread(1, 2, 3, 4, 5, 6, 7, f=3, h=4), spread(d=1, c=2, b=3, a=4, f=6))
def gen_in_gen():
    def inner(): 
        x = yield 1
        while x: x = yield x * 2
        return 'end'
    r = yield from inner()
    yield r
gg = gen_in_gen(); print(next(gg), gg.send(3), gg.send(4), gg.send(0))
def callfromgen():
    for i in range(3):
        yield len([i] * i) + max(i, 2) + sorted([3, i], key=lambda q: -q)[0] + spread(1, 2, 3, 4, f=i)[6] + E2(i).v
class E2:
    def __init__(self, v): self.v = v
print(list(callfromgen()))

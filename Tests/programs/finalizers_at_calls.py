# Who calls a finalizer that runs while a call makes cells or a generator: the function's caller.
import sys, gc
class D:
    def __del__(s):
        f = sys._getframe(1); L=[]
        while f: L.append(f.f_code.co_name); f=f.f_back
        out.append(L)
out=[]
keep=[]
def f(a, b=1):
    x = 1
    def g(): return a, b, x
    return g
def gen(a):
    yield lambda: a
def gen2(a):
    yield a
async def co(a): return lambda: a
def genexp(): return (a for a in ())
class Meta: pass
def loop():
        d = D(); d.me = d
def main():
    for fn in (f, gen, gen2, co, genexp, lambda *a: (a for i in ()),
               lambda *a: [lambda: i for i in a]):
      for k in range(1,12):
        gc.collect()
        loop()
        gc.set_threshold(k)
        try:
            if fn is genexp: r = fn()
            else: r = fn(1)
            if hasattr(r, 'close'): keep.append(r)
            r = None
        finally: gc.set_threshold(7000)
      gc.collect()
      print(fn.__name__, sorted(set(map(str,out))))
      out.clear()
main()

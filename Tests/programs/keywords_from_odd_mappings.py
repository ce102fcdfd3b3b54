"""Calls whose ** brings the same name twice, or a mapping that raises; also while an exception is handled."""
import traceback
def f(*a,**k): return k
class M:
    def __init__(s,keys,how): s.k=keys; s.how=how
    def keys(s):
        if s.how==1: raise KeyError('in')
        if s.how==2: raise AttributeError('ke')
        return s.k
    def __getitem__(s,k):
        if s.how==3: raise KeyError(k)
        if s.how==4: raise KeyError(k,1)
        if s.how==5: raise LookupError(k)
        if s.how==6: raise AttributeError(k)
        if s.how==7: raise KeyError
        return 1
class MyKeyError(KeyError): pass
def told(g):
    try: print(g())
    except Exception as e: print(type(e).__name__,e,e.args,repr(e.__context__)); traceback.print_exc()
def cases():
    for h in range(8):
        yield lambda: f(**M('ab',h))
        yield lambda: f(**M('ab',h),**M('ab',0))
        yield lambda: f(**M('ab',0),**M('ab',h))
        yield lambda: f(a=1,**M('ab',h))
    yield lambda: f(**{1:2})
    yield lambda: f(a=1,**{'a':2})
    yield lambda: f(**{'a':2},**{'a':2})
    yield lambda: dict(**{'a':2},**{'a':2})
    yield lambda: len(**{'a':2},**{'a':2})
    yield lambda: f.x(**{'a':2},**{'a':2})
    yield lambda: f(**{1:2},**{1:2})
    yield lambda: f(**None)
    yield lambda: f(*None)
    yield lambda: f(*M('ab',5))
    yield lambda: f(**M([1],0))
    yield lambda: f(**M([()],0),**M([()],0))
    yield lambda: f(**M([[]],0))
for c in cases(): told(c)
print('---')
for c in cases():
    try: 1/0
    except ZeroDivisionError: told(c)

import sys
log=[]
def tr(frame, ev, arg):
    if frame.f_code.co_filename == __file__: log.append((frame.f_code.co_name, ev, frame.f_lineno - frame.f_code.co_firstlineno, repr(arg)[:20] if ev != 'exception' else arg[0].__name__))
    return tr
def gen():
    yield 1
    return 2
def sub():
    yield from gen()
def f():
    for i in gen():
        a = i
    for j in sub():
        b = j
    x = [k for k in gen()]
    y = sum(k for k in gen())
    try:
        next(iter([]))
    except StopIteration: pass
    z = 1
async def co(): return 1
async def m(): await co()
class It:
    def __iter__(self): return self
    def __next__(self): raise StopIteration
def h():
    for i in It(): pass
    def yf(): yield from It()
    list(yf())
sys.settrace(tr); f(); sys.settrace(None)
for l in log: print(*l)
log.clear(); sys.settrace(tr)
try: m().send(None)
except StopIteration: pass
h()
sys.settrace(None)
for l in log: print(*l)

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
# A variable that what is sent goes to keeps its value until the tracer knows of the call
class Noisy:
    def __init__(self, name): self.name = name
    def __repr__(self): return self.name
    def __del__(self): log.append((self.name, "dies in", sys._getframe(1).f_code.co_name))
def hears(frame, event, arg):
    if frame.f_code.co_name[:4] == "sent": log.append((frame.f_code.co_name, event, frame.f_locals.get("x")))
    return hears
def sent():
    x = Noisy("first")
    x = yield
    x = yield x, x
    x = yield (
        yield)
    x = (yield), (yield)
def sent_twice():
    x = y = Noisy("both")
    x = y = yield
    x, y = yield
    x += yield
for observe in sys.settrace, sys.setprofile, None:
    for f in sent, sent_twice:
        log.clear()
        s = f(); next(s)
        if observe: observe(hears)
        try:
            for i in range(5): s.send(Noisy(f"value {i}") if f is sent or i != 1 else (1, 2))
        except (StopIteration, TypeError): log.append("end")
        if observe: observe(None)
        for l in log: print(*l) if l != "end" else print(l)

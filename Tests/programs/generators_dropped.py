"""Generators that are closed or dropped where no handler would see it, and where one does: what dies
when, what code runs, what observers hear."""
import sys, gc, weakref, warnings, types
out=[]
class D:
    def __init__(s,n): s.n=n
    def __del__(s):
        out.append(s.n)
        f=sys._getframe(1); names=[]
        while f: names.append(f.f_code.co_name); f=f.f_back
        s.seen=names
        out.append(names)
def show(*a):
    print(*a, out[:]); out.clear()
def g1():
    a=D('a'); b=D('b')
    for x in [D('i1'),D('i2')]:
        yield x.n
def t1():
    it=g1(); next(it); it.close(); show('closed', it.gi_frame, it.gi_running)
    try: next(it)
    except StopIteration as e: print('stop', e.value)
    it=g1(); next(it); fr=it.gi_frame; it.close(); print(fr.f_lineno-fr.f_code.co_firstlineno, sorted(fr.f_locals)); show('frame kept'); del fr; show('frame gone')
    it=g1(); next(it); del it; show('dropped')
    it=g1(); del it; show('never begun')
    it=g1(); it.close(); print(list(it)); show('closed first')
t1()
def g2():
    try:
        yield 1
    finally:
        out.append('finally')
def g3():
    try: yield 1
    except ValueError: out.append('no')
    yield 2
def g4():
    try: 1/0
    except ZeroDivisionError:
        out.append(repr(sys.exc_info()[1])); yield 1
        out.append(repr(sys.exc_info()[1]))
def g5():
    yield from g2()
def g6():
    with open('/dev/null') as f:
        yield f
for g in g2,g3,g4,g5,g6:
    it=g(); v=next(it); it.close(); show(g.__name__); 
    it=g(); v=next(it); del it; show(g.__name__)
    if g is g6: print(v.closed)
it=g3(); next(it); 
try: it.throw(GeneratorExit)
except GeneratorExit as e: print('thrown', e.__traceback__.tb_lineno>0)
show()
try:
    1/0
except ZeroDivisionError:
    it=g1(); next(it); it.close(); print(repr(sys.exc_info()[1])); show('in handler')
async def co():
    d=D('co'); await aw()
@types.coroutine
def aw():
    yield 5
c=co(); c.send(None); c.close(); show('coro')
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always')
    c=co(); del c; print([str(x.message) for x in w]); show()
    c=co(); c.close(); del c; print([str(x.message) for x in w]); show()
async def ag():
    d=D('ag'); yield 1; yield 2
a=ag(); 
try: a.asend(None).send(None)
except StopIteration as e: print(e.value)
del a; show('agen')
events=[]
def tr(f,e,a):
    if f.f_code.co_name in('g1','g7'): events.append((e, f.f_lineno-f.f_code.co_firstlineno, a if not isinstance(a,tuple) else a[0].__name__))
    return tr
def g7():
    yield 1
    yield 2
def t7():
    it=g7(); next(it); it.close()
    it=g7(); next(it); del it
    it=g7(); del it
sys.settrace(tr); t7(); sys.settrace(None); print(events)
events=[]
def pr(f,e,a):
    if f.f_code.co_name=='g7': events.append(e)
sys.setprofile(pr); t7(); sys.setprofile(None); print(events)
# generator that is collected in a cycle
class C: pass
def cyc(c):
    c.me=it_holder; yield 1; yield 2
for _ in range(2):
    c=C(); it_holder=[]
    def gg(): 
        x=D('cyc'); yield c
    it_holder.append(gg()); next(it_holder[0]); c.it=it_holder; del it_holder, c
    gc.collect(); 
out=[o for o in out if o=='cyc']; show('cycle')
it=g7(); wr=weakref.ref(it, lambda r: out.append('weak')); next(it); del it; show()
# running
def g8():
    it8.close(); yield
it8=g8()
try: next(it8)
except ValueError as e: print(e)
def deep(n):
    yield n
    if n: 
        for x in deep(n-1): yield x
it=deep(200); 
for i in range(150): next(it)
it.close(); print('deep'); 
# An observer that a finalizer installs hears of the end that it comes in, and may raise
class Observes:
    def __init__(self, setter, observer): self.set = setter, observer
    def __del__(self): self.set[0](self.set[1])
def heard(frame, event, arg):
    if frame.f_code.co_name == "g9":
        events.append((event, arg, frame.f_lineno - frame.f_code.co_firstlineno, sys.exc_info()[0]))
    return heard
def refuses(frame, event, arg):
    if frame.f_code.co_name == "g9": raise KeyError(event)
def g9(setter, observer):
    for x in [1, Observes(setter, observer)]: yield 1
def t9(setter, observer, how):
    it = g9(setter, observer); next(it)
    try:
        if how == "close": it.close()
        elif how == "drop": del it
        else:
            try: raise OSError
            except OSError: del it; print(sys.exc_info()[0])
    except KeyError as e: print("refused", e, it.gi_frame)
unraisable = sys.unraisablehook
sys.unraisablehook = lambda u: events.append(("unraisable", u.exc_type, str(u.exc_value)))
for setter in sys.setprofile, sys.settrace:
    for observer in heard, refuses:
        for how in "close", "drop", "while raising":
            events = []
            t9(setter, observer, how)
            setter(None)
            print(setter.__name__, observer.__name__, how, [e for e in events if e[0] != "c_call"])
sys.unraisablehook = unraisable

"""Which frame a generator's frame names as the one that it will go back to."""
import sys
keep = []
def gen():
    try: yield 1
    except KeyError as e: keep.append(e)
def gen2():
    yield 1
    raise KeyError(2)
def gen3():
    try:
        yield 1
    finally:
        keep.append(sys.exc_info()[1])
def sub():
    yield from gen()
def show(label):
    e = keep.pop()
    tb = e.__traceback__
    while tb:
        print(label, tb.tb_frame.f_code.co_name, tb.tb_frame.f_back and tb.tb_frame.f_back.f_code.co_name)
        tb = tb.tb_next
def thrower(g):
    try: g.throw(KeyError(1))
    except StopIteration: pass
    except KeyError as e: keep.append(e)
def t1():
    x = gen(); next(x); thrower(x); show("throw caught")
def t2():
    x = gen2(); next(x)
    def f():
        try: next(x)
        except KeyError as e: keep.append(e)
    f(); show("raised")
def t2b():
    def f():
        try:
            for _ in gen2(): pass
        except KeyError as e: keep.append(e)
    f(); show("raised for")
def t3():
    x = gen3(); next(x); thrower(x); show("uncaught")
def t4():
    x = sub(); next(x); thrower(x); show("delegated")
def t5():
    def f():
        frames.append(sys._getframe()); yield 1
        frames.append(sys._getframe())
    frames = []
    def run(): 
        g = f(); next(g); print("suspended", frames[0].f_back); list(g)
    run()
    print("end", [fr.f_back and fr.f_back.f_code.co_name for fr in frames])
def t6():
    def f():
        frames.append(sys._getframe()); yield 1
    frames = []
    def run(): 
        for x in f(): pass
    run()
    print("for end", [fr.f_back and fr.f_back.f_code.co_name for fr in frames])
for t in (t1,t2,t2b,t3,t4,t5,t6): t()
async def co():
    frames2.append(sys._getframe())
    raise KeyError(1)
frames2 = []
def run(c):
    try: c.send(None)
    except KeyError: pass
    except StopIteration: pass
run(co())
print([fr.f_back and fr.f_back.f_code.co_name for fr in frames2])
async def outer():
    try: await co()
    except KeyError as e: keep.append(e)
run(outer())
show("coro")
# Between a generator's delegate and who closes it or throws into it there is the generator only if
# the delegate is a generator that is thrown into.
def callers():
    f, names = sys._getframe(2), []
    while f is not None:
        names.append(f.f_code.co_name)
        f = f.f_back
    return names
def state():
    f = whole.gi_frame
    return whole.gi_running, f and f.f_back and f.f_back.f_code.co_name
class Iterator:
    def __iter__(self): return self
    def __next__(self): return 1
    def told(self, how):
        print(how, callers(), *state())
        for what in (lambda: next(whole), lambda: whole.send(1), lambda: whole.gi_frame.clear()):
            try: print(what())
            except (ValueError, RuntimeError, AttributeError, StopIteration) as e: print(type(e).__name__, e)
    def throw(self, *exc):
        self.told("throw")
        raise KeyError
    def close(self):
        self.told("close")
def generator():
    try:
        while True: yield 1
    finally:
        print("finally", callers(), *state())
class Awaited:
    def __init__(self, of): self.of = of
    def __await__(self): return self.of
def delegates(x): yield from x
async def awaits(x): await Awaited(x)
ENDS = {"close": lambda x: x.close(), "throw": lambda x: x.throw(ValueError), "exit": lambda x: x.throw(GeneratorExit)}
whole = None
for kind in Iterator, generator:
    for name, end in ENDS.items():
        for make in delegates, awaits:
            print(kind.__name__, name, make.__name__)
            of = make(kind())
            whole = of if make is delegates else delegates([])
            of.send(None)
            try: end(of)
            except BaseException as e:
                tb, names = e.__traceback__, []
                while tb is not None:
                    names.append(tb.tb_frame.f_code.co_name)
                    tb = tb.tb_next
                print(type(e).__name__, names)
    whole = delegates(kind())
    next(whole)
    left, whole = whole, delegates([])
    del left

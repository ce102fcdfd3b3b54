"""Operators of classes: what their methods answer, raise and pass on, in every place of an operator."""
import sys
import traceback
class V:
    def __init__(s, v): s.v = v
    def __add__(s, o):
        if not isinstance(o, V): return NotImplemented
        return V(s.v + o.v)
    def __iadd__(s, o):
        if not isinstance(o, V): return NotImplemented
        s.v += o.v; return s
    def __sub__(s, o): return NotImplemented
    def __rsub__(s, o): return ("rsub", o)
    def __eq__(s, o): return NotImplemented if not isinstance(o, V) else s.v == o.v
    def __lt__(s, o): return NotImplemented if not isinstance(o, V) else s.v < o.v
    def __gt__(s, o): return "greater"
    def __contains__(s, x): return x == 1 and "yes" or []
    def __bool__(s): return s.v if isinstance(s.v, (bool, str)) else bool(s.v)
    def __neg__(s): return -s.v
    def __call__(s, *a, **k): return (s.v, a, k)
    def __setitem__(s, k, v): s.last = (k, v)
    def __repr__(s): return f"V({s.v})"
class S(V):
    def __lt__(s, o): return "S.lt"
    def __gt__(s, o): return "S.gt"
    def __radd__(s, o): return "S.radd"
def attempt(f):
    for i in range(3):
        try: r = repr(f())
        except Exception as e: r = f"{type(e).__name__}: {e}"
    print(r)
a, b = V(1), V(2)
attempt(lambda: a + b); attempt(lambda: a + 1); attempt(lambda: a + "x"); attempt(lambda: 1 + a)
attempt(lambda: a - b); attempt(lambda: a - 1); attempt(lambda: 1 - a); attempt(lambda: a - 2.5)
attempt(lambda: a == b); attempt(lambda: a == 1); attempt(lambda: a != b); attempt(lambda: a != 1); attempt(lambda: 1 == a)
attempt(lambda: a < b); attempt(lambda: a < 1); attempt(lambda: 1 < a); attempt(lambda: a > b); attempt(lambda: a <= b)
attempt(lambda: a < S(3)); attempt(lambda: a > S(3)); attempt(lambda: S(3) < a); attempt(lambda: a + S(1)); attempt(lambda: S(1) + a)
attempt(lambda: 1 in a); attempt(lambda: 2 in a); attempt(lambda: 2 not in a)
attempt(lambda: not a); attempt(lambda: not V(0)); attempt(lambda: not V("x")); attempt(lambda: a and 3); attempt(lambda: V(0) or 4); attempt(lambda: 5 if a else 6)
attempt(lambda: 5 if a < b else 6); attempt(lambda: 5 if a < 1 else 6); attempt(lambda: 5 if 1 in a else 6); attempt(lambda: 5 if 3 not in a else 6)
attempt(lambda: -a); attempt(lambda: a()); attempt(lambda: a(1, 2, k=3)); attempt(lambda: a(*[1, 2], **{"z": 1}))
def iadd(o):
    x = V(5); x += o; return x
attempt(lambda: iadd(b)); attempt(lambda: iadd(1)); attempt(lambda: iadd([1]))
def setit():
    x = V(1); x[1] = 2; x["a":3] = 4; return x.last
attempt(setit)
class It:
    def __init__(s, n, err=None): s.n = n; s.err = err
    def __iter__(s): return s
    def __next__(s):
        if not s.n:
            if s.err: raise s.err
            raise StopIteration("end")
        s.n -= 1; return s.n
attempt(lambda: [x for x in It(3)]); attempt(lambda: [x for x in It(3, ValueError("v"))])
def loop():
    r = []
    for x in It(2):
        for y in It(2): r.append((x, y))
    else: r.append("else")
    return r
attempt(loop)
def gen():
    for x in It(3): yield x + (a == b)
attempt(lambda: list(gen()))
def gen2():
    x = V(1)
    while x < V(4):
        yield x.v
        x += V(1)
    yield -x
    x[0] = 1
    yield x.last
attempt(lambda: list(gen2()))
class P:
    @property
    def x(s): return s._x
    @x.setter
    def x(s, v):
        if v < 0: raise ValueError(v)
        s._x = v
def prop():
    p = P(); p.x = 3; p.x += 1; return p.x
attempt(prop)
def propbad():
    p = P(); p.x = -1
attempt(propbad)
class SA:
    def __setattr__(s, n, v): object.__setattr__(s, n, v * 2)
def sa():
    s = SA(); s.q = 4; return s.q
attempt(sa)
class E:
    def __eq__(s, o): return s == o
    def __lt__(s, o): return s < o
    def __add__(s, o): return s + o
    def __call__(s): return s()
    def __contains__(s, o): return o in s
    def __bool__(s): return not s
    def __neg__(s): return -s
    def __setitem__(s, k, v): s[k] = v
    def __next__(s):
        for x in s: pass
    def __iter__(s): return s
    def __getitem__(s, i): return s[i]

e = E()
for name, f in dict(eq=lambda: e == e, lt=lambda: e < e, add=lambda: e + e, call=lambda: e(), contains=lambda: 1 in e, bool=lambda: not e, neg=lambda: -e, setitem=lambda: e.__setitem__(1, 2), next=lambda: e.__next__(), getitem=lambda: e[0]).items():
    try: f()
    except RecursionError as x:
        n = 0; tb = x.__traceback__
        while tb: n += 1; tb = tb.tb_next
        print(name, n, x)


class Chain:
    """Its methods raise, so that tracebacks show where operators stand."""

    def __init__(self, depth):
        self.depth = depth

    def __lt__(self, other):
        if self.depth == 0:
            raise KeyError("deep")
        return Chain(self.depth - 1) < other

    def __add__(self, other):
        return self < other

    def __bool__(self):
        return bool(self + 1)

    def __next__(self):
        while self:
            pass

    def __iter__(self):
        return self

    def __call__(self, *args):
        for x in self:
            pass


def show(function):
    try:
        function()
    except KeyError:
        traceback.print_exc(file=sys.stdout)


show(lambda: Chain(2)())
show(lambda: [0 for x in Chain(1)])


def events():
    told = []

    def tracer(frame, event, arg):
        told.append((event, frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno))
        return tracer

    def traced():
        total = V(1)
        total += V(2)
        if total < V(9) and total:
            total[0] = 1
        for x in It(1):
            pass
        return total == V(3), 1 in total, -total, total()
    for install in sys.settrace, sys.setprofile:
        install(tracer)
        try:
            traced()
        finally:
            install(None)
    return told


for event in events():
    print(event)

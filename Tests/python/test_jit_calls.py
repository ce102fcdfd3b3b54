"""Calls in machine code: the same answers as python3.11 when what the code was compiled for changes
under it, the same recursion limits, tracebacks, events and frames."""

import textwrap
import unittest

from jit_cases import add_cases, run

SETUP = """
    import sys
    class Loud:
        def __init__(self, name): self.name = name
        def __del__(self): print('del', self.name)
    def tries(f, *args):
        try:
            return f(*args)
        except Exception as e:
            return type(e).__name__, str(e)
    def warm(f, *args):
        for i in range(1500): r = f(*args)
        return r
    def lines(f, *args):
        try:
            f(*args)
        except Exception as e:
            t, out = e.__traceback__, []
            while t is not None:
                out.append((t.tb_frame.f_code.co_name, t.tb_lineno))
                t = t.tb_next
            return type(e).__name__, str(e), out
"""

# name: (program, what python3.11 prints)
CASES = {
    "cells": ("""
        import gc, weakref
        def adds(a, b=2, *, k=3):
            total = a + b
            def inner(x):
                nonlocal total, a
                total += x + k
                a = total
                return a
            return inner
        def unused(a, b):
            if a is None:
                return lambda: (a, late)
            late = b
            return late
        def unbound(a):
            def inner(): return late
            if a < 0: late = 1
            return inner()
        class Made:
            def __init__(self, loud):
                self.get = lambda: loud
            def __eq__(self, other):
                return any(other is x for x in [other])
            @property
            def doubled(self):
                kept = self
                return [kept.get() for _ in range(2)]
        def calls(a):
            made = Made(a)
            return (adds(a)(1), adds(a, 3)(2), adds(a, k=4)(3), adds(b=a, a=1, k=a)(1), unused(a, 5),
                    made.doubled, made == 1, sorted([a, 1], key=lambda x: -x * a))
        print(warm(calls, 7))
        print(tries(calls, 'a'), tries(unbound, 1), tries(adds), warm(tries, unbound, 1))
        print(tries(unused(None, 1)))
        def deep(n):
            f = lambda: n
            return deep(n - 1) + f() if n else 0
        print(warm(deep, 20), tries(deep, 100000)[0])
        def dies(n):
            loud = Loud(n)
            keeps = lambda: loud
            other = weakref.ref(keeps)
            return n
        Loud.__del__ = lambda self: None
        warm(dies, 1)
        Loud.__del__ = lambda self: print('del', self.name)
        print(dies('last'))
        # Collections and tracers in the middle of a call.
        class Cycle:
            def __init__(self): self.me = self
            def __del__(self): adds(1, 2)(3)
        gc.set_threshold(3)
        def cycles(n):
            Cycle()
            return [adds(n)(i) for i in range(3)]
        print(warm(cycles, 4))
        gc.set_threshold(700)
        events = []
        def traced(n): return adds(n)(1)
        warm(traced, 1)
        sys.settrace(lambda f, e, a: events.append((f.f_code.co_name, e, f.f_lineno - f.f_code.co_firstlineno)))
        traced(2)
        sys.settrace(None)
        print(events)
        adds.__code__ = (lambda a, *, k=0: (lambda: a)).__code__
        print(tries(traced, 3))
        print(tries(adds(5)))
        """,
        '(13, 15, 16, 16, 5, [7, 7], True, [7, 1])\n'
        '(\'TypeError\', \'can only concatenate str (not "int") to str\') (\'NameError\','
        ' "cannot access free variable \'late\' where it is not associated with a'
        ' value in enclosing scope") (\'TypeError\', "adds() missing 1 required'
        ' positional argument: \'a\'") (\'NameError\', "cannot access free variable'
        ' \'late\' where it is not associated with a value in enclosing scope")\n'
        '(\'NameError\', "cannot access free variable \'late\' where it is not'
        ' associated with a value in enclosing scope")\n'
        '210 RecursionError\n'
        'del last\n'
        'last\n'
        '[9, 10, 11]\n'
        "[('traced', 'call', 0), ('adds', 'call', 0), ('inner', 'call', 0)]\n"
        "('TypeError', '<lambda>.<locals>.<lambda>() takes 0 positional arguments"
        " but 1 was given')\n"
        '5\n'),
    "defaults": ("""
        def f(a, b=2, c='c'): return a, b, c
        def one(): return f(1)
        def two(x): return f(x, x + 0.5)
        print(warm(one), warm(two, 3))
        f.__defaults__ = (5, 6)
        print(one(), two(4))
        f.__defaults__ = (7, 8, 9)
        print(one())
        f.__defaults__ = (7,)
        print(tries(one), two(5))
        f.__defaults__ = None
        print(tries(one), tries(two, 5))
        f.__defaults__ = (3, 4)
        f.__code__ = (lambda a, b, c: (c, b, a)).__code__
        print(one(), two(1))
        f.__code__ = (lambda *a: a).__code__
        print(one(), two(1))
        def g(a, b=Loud('default')): return a
        def h(): return g(1)
        print(warm(h), sys.getrefcount(g.__defaults__[0]))
        g.__defaults__ = None
        print(tries(h))
        f = len
        print(tries(one))
        """,
        "(1, 2, 'c') (3, 3.5, 'c')\n"
        '(1, 5, 6) (4, 4.5, 6)\n'
        '(1, 8, 9)\n'
        '(\'TypeError\', "f() missing 1 required positional argument: \'b\'") (5, 5.5, 7)\n'
        '(\'TypeError\', "f() missing 2 required positional arguments: \'b\' and \'c\'")'
        ' (\'TypeError\', "f() missing 1 required positional argument: \'c\'")\n'
        '(4, 3, 1) (4, 1.5, 1)\n'
        '(1,) (1, 1.5)\n'
        '1 2\n'
        'del default\n'
        '(\'TypeError\', "g() missing 1 required positional argument: \'b\'")\n'
        '(\'TypeError\', "object of type \'int\' has no len()")\n'),
    "keywords": ("""
        def f(a, b=2, c=3, d=4): return a, b, c, d
        def k1(x): return f(x, d=x + 1)
        def k2(x): return f(x, c=x * 0.5, b='b')
        def k3(x): return f(d=1, c=2, b=x, a=[x])
        def k4(x): return f(x, a=1)
        def k5(x): return f(x, e=1)
        def k6(x): return f(b=x)
        for fn in k1, k2, k3: print(warm(fn, 3))
        for fn in k4, k5, k6: print(tries(fn, 3), tries(warm, fn, 3))
        def f(a, /, b=2, *, c=3, d=4): return 'new', a, b, c, d
        for fn in k1, k2, k3, k4, k5, k6: print(tries(fn, 3))
        class A:
            def m(self, x, y=5, z=6): return x, y, z
            def n(self, **kw): return kw
            @staticmethod
            def s(x, y=1): return x, y
            @classmethod
            def c(cls, x, y=1): return cls.__name__, x, y
        a = A()
        def m1(p, x): return p.m(x, z=x + 1), p.m(z=1, x=x), p.n(x=x), p.s(y=x, x=0), p.c(x), p.m(x), A.s(x)
        print(warm(m1, a, 10))
        print(warm(m1, a, 1.5))
        def own(x): return f2(z=x, y=Loud(x), x=0).name
        def f2(x, y, z): return y
        print(own('one'))
        for i in range(3): own(str(i))
        class Quiet(Loud):
            def __del__(self): pass
        def own2(x): return f2(z=x, y=Quiet(x), x=0).name
        print(warm(own2, 'w'))
        """,
        '(3, 2, 3, 4)\n'
        "(3, 'b', 1.5, 4)\n"
        '([3], 3, 2, 1)\n'
        '(\'TypeError\', "f() got multiple values for argument \'a\'") (\'TypeError\', "'
        'f() got multiple values for argument \'a\'")\n'
        '(\'TypeError\', "f() got an unexpected keyword argument \'e\'") (\'TypeError\','
        ' "f() got an unexpected keyword argument \'e\'")\n'
        '(\'TypeError\', "f() missing 1 required positional argument: \'a\'") (\'TypeErr'
        'or\', "f() missing 1 required positional argument: \'a\'")\n'
        "('new', 3, 2, 3, 4)\n"
        "('new', 3, 'b', 1.5, 4)\n"
        '(\'TypeError\', "f() got some positional-only arguments passed as keyword argum'
        'ents: \'a\'")\n'
        '(\'TypeError\', "f() got some positional-only arguments passed as keyword argum'
        'ents: \'a\'")\n'
        '(\'TypeError\', "f() got an unexpected keyword argument \'e\'")\n'
        '(\'TypeError\', "f() missing 1 required positional argument: \'a\'")\n'
        "((10, 5, 11), (10, 5, 1), {'x': 10}, (0, 10), ('A', 10, 1), (10, 5, 6), (10, 1))\n"
        "((1.5, 5, 2.5), (1.5, 5, 1), {'x': 1.5}, (0, 1.5), ('A', 1.5, 1), (1.5, 5, 6), "
        "(1.5, 1))\n"
        'del one\n'
        'one\n'
        'del 0\n'
        'del 1\n'
        'del 2\n'
        'w\n'),
    "classes": ("""
        class C:
            def __init__(self, x, y=3): self.x = x; self.y = y
        def make(x): return C(x)
        def both(x): return C(x, y=x), C(y=1, x=2)
        def show(c): return type(c).__name__, sorted(vars(c).items())
        print(show(warm(make, 1)), [show(c) for c in warm(both, 2.5)])
        C.__init__.__defaults__ = (9,)
        print(show(make(4)))
        C.__init__.__defaults__ = None
        print(tries(make, 4), [show(c) for c in both(1)])
        old = C.__init__
        def init(self, *args): self.args = args
        C.__init__ = init
        print(show(warm(make, 5)))
        C.__init__ = lambda self, x: 5
        print(tries(make, 6), tries(warm, make, 6))
        C.__init__ = old
        old.__defaults__ = (1,)
        print(show(warm(make, 7)))
        C.__new__ = lambda cls, *args: 'new'
        print(make(8))
        del C.__new__
        print(tries(make, 8))
        class D:
            def __init__(self, x): self.x = x
        def make_d(x): return D(x)
        print(show(warm(make_d, 1)))
        D.__new__ = lambda cls, x: object.__new__(cls) if x else 'other'
        print(show(make_d(1)), make_d(0))
        class Meta(type):
            def __call__(cls, *args): return 'meta', super().__call__(*args).x
        class E(metaclass=Meta):
            def __init__(self, x): self.x = x
        def make_e(x): return E(x)
        print(warm(make_e, 3))
        D = E
        print(make_d(2))
        D = lambda x: x
        print(make_d(2))
        D = Loud
        print(make_d('loud').name)
        class F:
            def __init__(self, x):
                if x == 'fail': raise ValueError(x)
                if x == 'value': return x
                if x == 'class': self.__class__ = C
        def make_f(x): return F(x)
        print(type(warm(make_f, 1)).__name__, tries(make_f, 'fail'), tries(make_f, 'value'), type(make_f('class')).__name__)
        print(lines(make_f, 'fail'), lines(make_f, 'value'))
        print(tries(warm, make_f, 'value'), tries(warm, make_f, 'fail'))
        class S:
            __slots__ = 'a', 'b'
            def __init__(self, a, b): self.a = a; self.b = b
        def make_s(): return S(b=Loud('b'), a=1)
        s = make_s()
        print(s.a, s.b.name)
        del s
        def drops(x):
            L = Loud(x)
            return 1
        print(drops('x'))
        class B:
            def __init__(self, x): self.x = x
        class G(B):
            def __init__(self, x, y): super().__init__(x); self.y = y
        def make_g(i): return G(i, i + 1)
        g = warm(make_g, 3)
        print(g.x, g.y)
        B.__init__ = lambda self, x: None
        print(vars(make_g(3)))
        """,
        "('C', [('x', 1), ('y', 3)]) [('C', [('x', 2.5), ('y', 2.5)]), ('C', [('x', 2), "
        "('y', 1)])]\n"
        "('C', [('x', 4), ('y', 9)])\n"
        '(\'TypeError\', "C.__init__() missing 1 required positional argument: \'y\'") ['
        '(\'C\', [(\'x\', 1), (\'y\', 1)]), (\'C\', [(\'x\', 2), (\'y\', 1)])]\n'
        "('C', [('args', (5,))])\n"
        '(\'TypeError\', "__init__() should return None, not \'int\'") (\'TypeError\', "'
        '__init__() should return None, not \'int\'")\n'
        "('C', [('x', 7), ('y', 1)])\n"
        'new\n'
        "('TypeError', 'object.__new__() takes exactly one argument (the type to instant"
        "iate)')\n"
        "('D', [('x', 1)])\n"
        "('D', [('x', 1)]) other\n"
        "('meta', 3)\n"
        "('meta', 2)\n"
        '2\n'
        'del loud\n'
        'loud\n'
        'F (\'ValueError\', \'fail\') (\'TypeError\', "__init__() should return None, no'
        't \'str\'") C\n'
        '(\'ValueError\', \'fail\', [(\'lines\', 16), (\'make_f\', 70), (\'__init__\', 6'
        '7)]) (\'TypeError\', "__init__() should return None, not \'str\'", [(\'lines\','
        ' 16), (\'make_f\', 70)])\n'
        '(\'TypeError\', "__init__() should return None, not \'str\'") (\'ValueError\','
        ' \'fail\')\n'
        '1 b\n'
        'del b\n'
        'del x\n'
        '1\n'
        '3 4\n'
        "{'y': 4}\n"),
    "recursion": ("""
        import sys
        class N:
            def __init__(self, n): self.sub = N(n - 1) if n else None
            @property
            def deep(self): return self.sub.deep + 1 if self.sub else 0
        def down(n, k=0): return down(n - 1) + 1 if n else 0
        def depth():
            f, n = sys._getframe(), 0
            while f: f = f.f_back; n += 1
            return n
        def limits(f, lo, hi):
            while hi - lo > 1:
                mid = (lo + hi) // 2
                try: f(mid); lo = mid
                except RecursionError: hi = mid
            return lo
        warm(down, 10); warm(N, 10)
        n = N(20)
        for i in range(200): n.deep
        print(n.deep)
        sys.setrecursionlimit(150)
        print(limits(down, 10, 1000), limits(N, 10, 1000))
        def rec(): return rec()
        def rec2(): return N(100000)
        print(tries(rec)[0], tries(rec2)[0], tries(rec)[0])
        sys.setrecursionlimit(120)
        print(limits(down, 10, 1000), limits(N, 10, 1000))
        sys.setrecursionlimit(1000)
        print(limits(down, 10, 2000), limits(N, 10, 2000))
        def lower(n):
            if n == 50: sys.setrecursionlimit(90)
            return lower(n + 1) + 1
        print(tries(lower, 0)[0])
        sys.setrecursionlimit(3000)
        print(down(2000))
        """,
        '20\n'
        '147 73\n'
        'RecursionError RecursionError RecursionError\n'
        '117 58\n'
        '997 498\n'
        'RecursionError\n'
        '2000\n'),
    "properties": ("""
        class P:
            def __init__(self): self._v = 1
            @property
            def v(self): return self._v
            @property
            def w(self): raise AttributeError('no w')
            @property
            def x(self): return sys._getframe().f_code.co_name, sys._getframe(1).f_code.co_name, sys._getframe(1).f_lineno
        p = P()
        def get(p): return p.v
        def get_w(p): return p.w
        def get_x(p):
            a = 1
            b = p.x
            return b
        def get_new(): return P().v
        print(warm(get, p), tries(warm, get_w, p), tries(get_w, p), warm(get_x, p), warm(get_new))
        print(lines(get_w, p))
        try: get_w(p)
        except AttributeError as e: print(e.name, e.obj is p)
        P.__getattr__ = lambda self, name: 'hook ' + name
        print(warm(get_w, p), get_w(p), get(p))
        P.v = property(lambda self: 'other')
        print(get(p))
        q = P.v
        q.__init__(lambda self: 'again')
        print(get(p))
        q.__init__(lambda self, more=4: more)
        print(get(p), warm(get, p))
        q.__init__(None)
        print(tries(get, p))
        del P.__getattr__
        print(tries(get, p))
        q.__init__(lambda: 1)
        print(tries(get, p))
        q.__init__(len)
        print(tries(get, p))
        class Q(P):
            @property
            def v(self): return 'sub'
        print(warm(get, Q()))
        class R:
            def __del__(self): print('del R')
            @property
            def v(self): return 'R'
        def once(): return R().v
        for i in range(3): print(once())
        print(tries(get, 5))
        """,
        "1 ('AttributeError', 'no w') ('AttributeError', 'no w') ('x', 'get_x', 37) 1\n"
        "('AttributeError', 'no w', [('lines', 16), ('get_w', 34), ('w', 29)])\n"
        'w True\n'
        'hook w hook w 1\n'
        'other\n'
        'again\n'
        '4 4\n'
        'hook v\n'
        '(\'AttributeError\', "property of \'P\' object has no getter")\n'
        "('TypeError', '<lambda>() takes 0 positional arguments but 1 was given')\n"
        '(\'TypeError\', "object of type \'P\' has no len()")\n'
        'sub\n'
        'del R\n'
        'R\n'
        'del R\n'
        'R\n'
        'del R\n'
        'R\n'
        '(\'AttributeError\', "\'int\' object has no attribute \'v\'")\n'),
    "frames": ("""
        def tracer(frame, event, arg):
            if frame.f_code.co_name in ('leaf', 'mid', '__init__', 'prop'): log.append((event, frame.f_code.co_name, frame.f_lineno - base))
            return tracer
        def profiler(frame, event, arg):
            name = arg.__name__ if event.startswith('c_') else frame.f_code.co_name
            log.append((event, name))
        base = sys._getframe().f_lineno
        log = []
        class K:
            def __init__(self, x, y=1): self.x = x
            @property
            def prop(self): return self.x
        def leaf(switch, k=1):
            if switch == 1: sys.settrace(tracer)
            if switch == 2: sys.settrace(None)
            if switch == 3: sys.setprofile(profiler)
            if switch == 4: sys.setprofile(None)
            return K(switch).prop
        def mid(switch):
            a = leaf(switch, k=2)
            b = K(a, y=3).prop
            c = len([a]), isinstance(a, int), abs(a)
            return a + b
        warm(mid, 0)
        for switch in 1, 0, 2, 0: mid(switch)
        print(log); log.clear()
        for switch in 3, 0, 4, 0: mid(switch)
        print(log); log.clear()
        kept = []
        def grab(x, y=2):
            z = [x]
            kept.append(sys._getframe())
            return x
        def use(i): return grab(i), grab(i + 1, y=5)
        def quiet(x, y=2): return x
        g, grab = grab, quiet
        warm(use, 1)
        grab = g
        use(10)
        print([(f.f_locals, f.f_back is not None) for f in kept])
        code = g.__code__
        def warm_g(): return g(1)
        for i in range(300): warm_g(); kept.clear()
        warm_g()
        f = kept[-1]
        print(f.f_locals, f.f_code.co_name, f.f_lineno - base, f.f_back.f_code.co_name)
        try: f.clear()
        except RuntimeError as e: print(e)
        print(f.f_locals)
        """,
        "[('call', '__init__', 3), ('line', '__init__', 3), ('return', '__init__', 3), ("
        "'call', 'prop', 4), ('line', 'prop', 5), ('return', 'prop', 5), ('call', '__ini"
        "t__', 3), ('line', '__init__', 3), ('return', '__init__', 3), ('call', 'prop', "
        "4), ('line', 'prop', 5), ('return', 'prop', 5), ('call', 'mid', 12), ('line', '"
        "mid', 13), ('call', 'leaf', 6), ('line', 'leaf', 7), ('line', 'leaf', 8), ('lin"
        "e', 'leaf', 9), ('line', 'leaf', 10), ('line', 'leaf', 11), ('call', '__init__'"
        ", 3), ('line', '__init__', 3), ('return', '__init__', 3), ('call', 'prop', 4), "
        "('line', 'prop', 5), ('return', 'prop', 5), ('return', 'leaf', 11), ('line', 'm"
        "id', 14), ('call', '__init__', 3), ('line', '__init__', 3), ('return', '__init_"
        "_', 3), ('call', 'prop', 4), ('line', 'prop', 5), ('return', 'prop', 5), ('line"
        "', 'mid', 15), ('line', 'mid', 16), ('return', 'mid', 16), ('call', 'mid', 12),"
        " ('line', 'mid', 13), ('call', 'leaf', 6), ('line', 'leaf', 7), ('line', 'leaf'"
        ", 8)]\n"
        "[('call', '__init__'), ('return', '__init__'), ('call', 'prop'), ('return', 'pr"
        "op'), ('return', 'leaf'), ('call', '__init__'), ('return', '__init__'), ('call'"
        ", 'prop'), ('return', 'prop'), ('c_call', 'len'), ('c_return', 'len'), ('c_call"
        "', 'isinstance'), ('c_return', 'isinstance'), ('c_call', 'abs'), ('c_return', '"
        "abs'), ('return', 'mid'), ('call', 'mid'), ('call', 'leaf'), ('call', '__init__"
        "'), ('return', '__init__'), ('call', 'prop'), ('return', 'prop'), ('return', 'l"
        "eaf'), ('call', '__init__'), ('return', '__init__'), ('call', 'prop'), ('return"
        "', 'prop'), ('c_call', 'len'), ('c_return', 'len'), ('c_call', 'isinstance'), ("
        "'c_return', 'isinstance'), ('c_call', 'abs'), ('c_return', 'abs'), ('return', '"
        "mid'), ('call', 'mid'), ('call', 'leaf'), ('c_call', 'setprofile')]\n"
        "[({'x': 10, 'y': 2, 'z': [10]}, True), ({'x': 11, 'y': 5, 'z': [11]}, True)]\n"
        "{'x': 1, 'y': 2, 'z': [1]} grab 26 warm_g\n"
        '{}\n'),
    "bound": ("""
        class A:
            def __init__(self, v): self.v = v
            def m(self, x=1): return self.v + x
            @classmethod
            def c(cls, x): return cls.__name__, x
            def __call__(self, x): return 'called', x
        a = A(5)
        def call(f): return f()
        def call1(f, x): return f(x)
        print(warm(call, a.m), warm(call1, a.m, 2), warm(call1, A.c, 3), warm(call1, a, 4))
        for f in a.m, A.c, a, len, str, lambda x: x, [].append, int: print(tries(call1, f, 'xy'))
        print(call1(A, 1).v)
        def temp(): return A(3).m()
        print(warm(temp))
        class B(A):
            def m(self, x=2): return 'B', super().m(x), super(B, self).m(x)
        b = B(1)
        def call_b(): return b.m()
        print(warm(call_b))
        A.m = lambda self, x: -x
        print(call_b(), tries(call, b.m))
        """,
        "6 7 ('A', 3) ('called', 4)\n"
        '(\'TypeError\', "unsupported operand type(s) for +: \'int\' and \'str\'")\n'
        "('A', 'xy')\n"
        "('called', 'xy')\n"
        '2\n'
        'xy\n'
        'xy\n'
        'None\n'
        '(\'ValueError\', "invalid literal for int() with base 10: \'xy\'")\n'
        '1\n'
        '4\n'
        "('B', 3, 3)\n"
        "('B', -2, -2) ('B', -2, -2)\n"),
    "c_functions": ("""
        import builtins
        class A:
            pass
        class Sub(A):
            pass
        class Any(type):
            def __instancecheck__(cls, x): return x == 3
        class AnyA(metaclass=Any):
            pass
        class Fake:
            __class__ = A
        class Prop:
            @property
            def __class__(self): return A
        class Get:
            def __getattribute__(self, name): return A
        values = [0, 1, -5, 10 ** 25, 2.5, -0.0, 'x', 'xyz', '', None, True, A(), Sub(), Fake(), Prop(), Get(), [], [1], (), (2,), {}, {1: 2}, set(), {1}, A, int, range(0), b'']
        def isi(x): return isinstance(x, A), isinstance(x, int), isinstance(x, (int, str)), isinstance(x, ((float,), A))
        def isi_any(x): return isinstance(x, AnyA)
        def isi_bad(x): return isinstance(x, 5)
        for v in values[:4]: warm(isi, v)
        print([tries(isi, v) for v in values], [tries(isi_any, v) for v in values[:4]], tries(warm, isi_bad, 1))
        def num(x): return abs(x), max(x, 3), min(x, 3), max(x, x + 1)
        def num2(x, y): return max(x, y), min(x, y)
        for v in 1, -5, -2.5, True, 10 ** 25: print(warm(num, v), warm(num2, v, 0.5), warm(num2, 0.0, -0.0), tries(num2, v, 'x'), tries(num, None))
        print(tries(num2, 'a', 'b'), num2(float('nan'), 1.0), num2(1.0, float('nan')), num(-2 ** 62), num(2 ** 62), num(-(2 ** 62) - 1))
        def chars(x): return ord(x), chr(ord(x))
        print([tries(chars, v) for v in ['a', 'é', '€', '😀', '', 'ab', 5, b'a', None]], warm(chars, 'b'), tries(chars, 'ab'))
        def character(i): return chr(i)
        print(warm(character, 65), [tries(character, v) for v in (0, 255, 256, 0x10ffff, 0x110000, -1, 'a', 1.5)])
        def kind(x): return type(x), type(x) is int
        print([warm(kind, v) for v in values if type(v) is not Get])
        def truth(x): return (1 if x else 2), not x, bool(x), (3 if not x else 4)
        class Len:
            def __init__(self, n): self.n = n
            def __len__(self): return self.n
        class Bool(Len):
            def __bool__(self): return self.n
        print([warm(truth, v) for v in values], [tries(truth, v) for v in (Len(0), Len(2), Bool(True), Bool(False), Bool(3))])
        def temp(n): return 1 if [n] else 2, 1 if not [] else 2, 1 if str(n) == '5' else 2, 1 if (Loud(n), n) == (1, 2) else 2
        print(temp(5), temp('five'))
        def same(a, b): return a == b, a != b, (1 if a == b else 2), (3 if a != b else 4)
        for a in values:
            print([same(a, b) if not isinstance(a, set) else 0 for b in values])
        warm(same, 'ab', 'a' + 'b')
        for a in values: print(sum(x[2] for x in [same(a, b) for b in values]))
        def order(a, b): return a < b, a <= b, a > b, a >= b, (1 if a < b else 2)
        print(warm(order, 'a', 'b'), order('b', 'a'), order((1, 2), (1, 3)), tries(order, 'a', 1), tries(order, None, 'a'), order(1, 2.5))
        class Eq:
            def __eq__(self, other): print('eq'); return NotImplemented
        print(same('a', Eq()), same(Eq(), None))
        def stack(n):
            s = []
            for i in range(n): s.append(i); s.append(str(i)); s.append(i * 0.5)
            out = []
            while s: out.append(s.pop())
            return out[:7], len(out)
        print(warm(stack, 5), stack(300), tries([].pop))
        def pop(l): return l.pop()
        print(warm(lambda: pop([1, 2])), tries(pop, []), pop([Loud('popped')]).name, tries(pop, {1}), tries(pop, 5))
        def append(l, x): return l.append(x)
        class L(list):
            def append(self, x): print('append', x)
        l = []
        warm(append, l, 1); warm(append, l, 'x'); append(l, None); append(l, 2.5); append(l, 10 ** 30)
        print(len(l), l[-4:], append(L(), 3), tries(append, (), 1), sys.getsizeof(l) > 0)
        def get(d, k): return d.get(k), d.get(k, 'none'), d.get(k, default)
        class Key:
            def __hash__(self): return 1
            def __eq__(self, other): print('key'); return True
        class D(dict):
            def get(self, *a): return a
        default = Loud('default')
        d = {1: 'one', 'a': Loud('value'), 2.5: 3, None: 4}
        print(warm(get, d, 1)[:2], [get(d, k)[1] for k in (2, 'b', 2.5, None, True, Key())], tries(get, d, []), get(D(), 1)[0], tries(get, 5, 1))
        print(get(d, 'a')[0].name, sys.getrefcount(default), sys.getrefcount(d['a']))
        def text(s, x, y): return s.startswith(x), s.find(x), s.replace(x, y), s.join([x, y]), s.join((y, x, s)), s.lower(), s.strip(), s.count(x), s.endswith((x, y))
        print(warm(text, 'xay', 'x', 'y'), text('Äx', 'é', '😀'), tries(text, 'a', 5, 'b'), tries(text, 'a', 'b', None), tries(text, b'a', b'b', b'c'))
        def join(s, parts): return s.join(parts)
        class S(str):
            def __str__(self): return 'no'
            def join(self, parts): return 'own', parts
        print(warm(join, ', ', ['a', 'b']), join('-', (c for c in 'abc')), join('-', {'k': 1}), join('', [S('s')]), join(S('x'), [1]), tries(join, '', ['a', 1]), tries(join, '', None))
        def use_abs(x): return abs(x)
        warm(use_abs, -4)
        abs_ = builtins.abs
        builtins.abs = lambda x: 'mine'
        print(use_abs(-4))
        builtins.abs = len
        print(tries(use_abs, -4), use_abs('abc'))
        builtins.abs = abs_
        print(use_abs(-4))
        abs = ord
        print(use_abs('a'))
        """,
        "[(False, True, True, False), (False, True, True, False), (False, True, True, Fa"
        "lse), (False, True, True, False), (False, False, False, True), (False, False, F"
        "alse, True), (False, False, True, False), (False, False, True, False), (False, "
        "False, True, False), (False, False, False, False), (False, True, True, False), "
        "(True, False, False, True), (True, False, False, True), (True, False, False, Tr"
        "ue), (True, False, False, True), (True, False, False, True), (False, False, Fal"
        "se, False), (False, False, False, False), (False, False, False, False), (False,"
        " False, False, False), (False, False, False, False), (False, False, False, Fals"
        "e), (False, False, False, False), (False, False, False, False), (False, False, "
        "False, False), (False, False, False, False), (False, False, False, False), (Fal"
        "se, False, False, False)] [False, False, False, False] ('TypeError', 'isinstanc"
        "e() arg 2 must be a type, a tuple of types, or a union')\n"
        '(1, 3, 1, 2) (1, 0.5) (0.0, 0.0) (\'TypeError\', "\'>\' not supported between i'
        'nstances of \'str\' and \'int\'") (\'TypeError\', "bad operand type for abs():'
        ' \'NoneType\'")\n'
        '(5, 3, -5, -4) (0.5, -5) (0.0, 0.0) (\'TypeError\', "\'>\' not supported betwee'
        'n instances of \'str\' and \'int\'") (\'TypeError\', "bad operand type for abs('
        '): \'NoneType\'")\n'
        '(2.5, 3, -2.5, -1.5) (0.5, -2.5) (0.0, 0.0) (\'TypeError\', "\'>\' not supporte'
        'd between instances of \'str\' and \'float\'") (\'TypeError\', "bad operand typ'
        'e for abs(): \'NoneType\'")\n'
        '(1, 3, True, 2) (True, 0.5) (0.0, 0.0) (\'TypeError\', "\'>\' not supported bet'
        'ween instances of \'str\' and \'bool\'") (\'TypeError\', "bad operand type for '
        'abs(): \'NoneType\'")\n'
        '(10000000000000000000000000, 10000000000000000000000000, 3, 1000000000000000000'
        '0000001) (10000000000000000000000000, 0.5) (0.0, 0.0) (\'TypeError\', "\'>\' no'
        't supported between instances of \'str\' and \'int\'") (\'TypeError\', "bad ope'
        'rand type for abs(): \'NoneType\'")\n'
        "('b', 'a') (nan, nan) (1.0, 1.0) (4611686018427387904, 3, -4611686018427387904,"
        " -4611686018427387903) (4611686018427387904, 4611686018427387904, 3, 4611686018"
        "427387905) (4611686018427387905, 3, -4611686018427387905, -4611686018427387904)\n"
        "[(97, 'a'), (233, 'é'), (8364, '€'), (128512, '😀'), ('TypeError', 'ord() expect"
        "ed a character, but string of length 0 found'), ('TypeError', 'ord() expected a"
        " character, but string of length 2 found'), ('TypeError', 'ord() expected strin"
        "g of length 1, but int found'), (97, 'a'), ('TypeError', 'ord() expected string"
        " of length 1, but NoneType found')] (98, 'b') ('TypeError', 'ord() expected a c"
        "haracter, but string of length 2 found')\n"
        'A [\'\\x00\', \'ÿ\', \'Ā\', \'\\U0010ffff\', (\'ValueError\', \'chr() arg not i'
        'n range(0x110000)\'), (\'ValueError\', \'chr() arg not in range(0x110000)\'), '
        '(\'TypeError\', "\'str\' object cannot be interpreted as an integer"), (\'TypeE'
        'rror\', "\'float\' object cannot be interpreted as an integer")]\n'
        "[(<class 'int'>, True), (<class 'int'>, True), (<class 'int'>, True), (<class '"
        "int'>, True), (<class 'float'>, False), (<class 'float'>, False), (<class 'str'"
        ">, False), (<class 'str'>, False), (<class 'str'>, False), (<class 'NoneType'>,"
        " False), (<class 'bool'>, False), (<class '__main__.A'>, False), (<class '__mai"
        "n__.Sub'>, False), (<class '__main__.Fake'>, False), (<class '__main__.Prop'>, "
        "False), (<class 'list'>, False), (<class 'list'>, False), (<class 'tuple'>, Fal"
        "se), (<class 'tuple'>, False), (<class 'dict'>, False), (<class 'dict'>, False)"
        ", (<class 'set'>, False), (<class 'set'>, False), (<class 'type'>, False), (<cl"
        "ass 'type'>, False), (<class 'range'>, False), (<class 'bytes'>, False)]\n"
        "[(2, True, False, 3), (1, False, True, 4), (1, False, True, 4), (1, False, True"
        ", 4), (1, False, True, 4), (2, True, False, 3), (1, False, True, 4), (1, False,"
        " True, 4), (2, True, False, 3), (2, True, False, 3), (1, False, True, 4), (1, F"
        "alse, True, 4), (1, False, True, 4), (1, False, True, 4), (1, False, True, 4), "
        "(1, False, True, 4), (2, True, False, 3), (1, False, True, 4), (2, True, False,"
        " 3), (1, False, True, 4), (2, True, False, 3), (1, False, True, 4), (2, True, F"
        "alse, 3), (1, False, True, 4), (1, False, True, 4), (1, False, True, 4), (2, Tr"
        "ue, False, 3), (2, True, False, 3)] [(2, True, False, 3), (1, False, True, 4), "
        "(1, False, True, 4), (2, True, False, 3), ('TypeError', '__bool__ should return"
        " bool, returned int')]\n"
        'del 5\n'
        'del five\n'
        '(1, 1, 1, 2) (1, 1, 2, 2)\n'
        '[(True, False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1'
        ', 4), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (True, False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(True, False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True, Fal'
        'se, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True'
        ', False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(True, False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1,'
        ' 4), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (True, False, 1, 4), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '
        '0, 0]\n'
        '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '
        '0, 0]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False, True, 2, 3), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True, False, 1, 4), (False'
        ', True, 2, 3), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (True,'
        ' False, 1, 4), (False, True, 2, 3)]\n'
        '[(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2'
        ', 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tr'
        'ue, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (Fals'
        'e, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), '
        '(False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2,'
        ' 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, Tru'
        'e, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False, True, 2, 3), (False'
        ', True, 2, 3), (True, False, 1, 4)]\n'
        '54\n'
        '54\n'
        '55\n'
        '55\n'
        '55\n'
        '54\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '54\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '55\n'
        '(True, True, False, False, 1) (False, False, True, True, 2) (True, True, False,'
        ' False, 1) (\'TypeError\', "\'<\' not supported between instances of \'str\' an'
        'd \'int\'") (\'TypeError\', "\'<\' not supported between instances of \'NoneTyp'
        'e\' and \'str\'") (True, True, False, False, 1)\n'
        'eq\n'
        'eq\n'
        'eq\n'
        'eq\n'
        'eq\n'
        'eq\n'
        'eq\n'
        'eq\n'
        '(False, True, 2, 3) (False, True, 2, 3)\n'
        "([2.0, '4', 4, 1.5, '3', 3, 1.0], 15) ([149.5, '299', 299, 149.0, '298', 298, 1"
        "48.5], 900) ('IndexError', 'pop from empty list')\n"
        'del popped\n'
        '2 (\'IndexError\', \'pop from empty list\') popped 1 (\'AttributeError\', "\'in'
        't\' object has no attribute \'pop\'")\n'
        'append 3\n'
        '3003 [\'x\', None, 2.5, 1000000000000000000000000000000] None (\'AttributeErro'
        'r\', "\'tuple\' object has no attribute \'append\'") True\n'
        'key\n'
        'key\n'
        'key\n'
        '(\'one\', \'one\') [\'none\', \'none\', 3, 4, \'one\', \'one\'] (\'TypeError\','
        ' "unhashable type: \'list\'") (1,) (\'AttributeError\', "\'int\' object has no '
        'attribute \'get\'")\n'
        'value 2 2\n'
        "(True, 0, 'yay', 'xxayy', 'yxayxxayxay', 'xay', 'xay', 1, True) (False, -1, 'Äx"
        "', 'éÄx😀', '😀ÄxéÄxÄx', 'äx', 'Äx', 0, False) ('TypeError', 'startswith first ar"
        "g must be str or a tuple of str, not int') ('TypeError', 'replace() argument 2 "
        "must be str, not None') (False, -1, b'a', b'bac', b'cabaa', b'a', b'a', 0, False)\n"
        "a, b a-b-c k s ('own', [1]) ('TypeError', 'sequence item 1: expected str instan"
        "ce, int found') ('TypeError', 'can only join an iterable')\n"
        'mine\n'
        '(\'TypeError\', "object of type \'int\' has no len()") 3\n'
        '4\n'
        '97\n'
        'del default\n'
        'del value\n'),
    "conversions": ("""
        import math, types
        class I(int):
            def __int__(self): return 77
            def __repr__(self): return 'I'
            def __str__(self): return 'sI'
            def __float__(self): return 7.5
            def __bool__(self): return False
        class T:
            def __int__(self): return 5
            def __float__(self): return 5.5
            def __str__(self): return 'T'
        values = [0, 5, -7, 10 ** 20, 2 ** 62, -2 ** 62, 2 ** 62 - 1, 2.5, -2.5, 1e300, float('inf'), float('nan'), 4.1e18, -4.1e18, -0.0, '12', ' 12 ', '1_0', '-5', '99999999999999999999', 'x', '', '2.5', None, True, False, I(3), T(), b'12', [], 'nan']
        def to_int(x): return int(x)
        def to_str(x): return str(x)
        def to_float(x): return float(x)
        def to_bool(x): return bool(x)
        def scaled(x, by): return int(x * by), float(x * by), str(x * by), int(x * by) + 1
        for f in to_int, to_str, to_float, to_bool:
            for first in 5, 2.5, '12':
                warm(f, first)
                print([tries(f, v) for v in values])
        print(warm(scaled, 2.5, 1.5), [tries(scaled, v, 1.0) for v in values if type(v) is float], tries(scaled, 2, 3))
        def loop(n, x):
            s = 0
            for i in range(n): x = x * 1.0001; s += int(x)
            return s
        print(loop(2000, 1.5), tries(loop, 20, float('nan')), loop(20, 1e200) % 1000, tries(loop, 20, float('inf')))
        def roots(x):
            s = 0.0
            for i in range(5): s += math.sqrt(x + i)
            return s
        print(warm(roots, 2.0), warm(roots, 7), tries(roots, -3.0), tries(roots, -3), tries(roots, 'x'), math.isnan(roots(float('nan'))), roots(-0.0))
        fake = types.ModuleType('math')
        fake.sqrt = lambda x: 'fake'
        def one(x): return math.sqrt(x * 1.0)
        print(warm(one, 4.0))
        math_, math = math, fake
        print(one(4.0))
        math = math_
        print(one(4.0))
        saved = math.sqrt
        math.sqrt = math.floor
        print(one(4.5))
        math.sqrt = saved
        print(one(6.25), tries(one, -1.0), lines(one, -1.0))
        m = types.ModuleType('m')
        m.f = lambda a, b=2: (a, b)
        def use(x): return m.f(x), m.f(b=x, a=1)
        print(warm(use, 1))
        m.f = lambda b, a: ('swapped', a, b)
        print(tries(use, 1))
        m.f = lambda b, a=5: ('swapped', a, b)
        print(use(1))
        """,
        '[0, 5, -7, 100000000000000000000, 4611686018427387904, -4611686018427387904, 46'
        '11686018427387903, 2, -2, 10000000000000000525047602552044202487044685811081591'
        '5491585411551180245798890819578637137508044786404370444383288387817694252323536'
        '0430575644792184786706982848387200926575803737830233794788090059368953234970799'
        '9450811190389676408800746527427801424945792587888200568428381156694721963868654'
        '59400540160, (\'OverflowError\', \'cannot convert float infinity to integer\'),'
        ' (\'ValueError\', \'cannot convert float NaN to integer\'), 4100000000000000000'
        ', -4100000000000000000, 0, 12, 12, 10, -5, 99999999999999999999, (\'ValueErro'
        'r\', "invalid literal for int() with base 10: \'x\'"), (\'ValueError\', "invali'
        'd literal for int() with base 10: \'\'"), (\'ValueError\', "invalid literal for'
        ' int() with base 10: \'2.5\'"), (\'TypeError\', "int() argument must be a strin'
        'g, a bytes-like object or a real number, not \'NoneType\'"), 1, 0, 77, 5, 12, '
        '(\'TypeError\', "int() argument must be a string, a bytes-like object or a real'
        ' number, not \'list\'"), (\'ValueError\', "invalid literal for int() with base '
        '10: \'nan\'")]\n'
        '[0, 5, -7, 100000000000000000000, 4611686018427387904, -4611686018427387904, 46'
        '11686018427387903, 2, -2, 10000000000000000525047602552044202487044685811081591'
        '5491585411551180245798890819578637137508044786404370444383288387817694252323536'
        '0430575644792184786706982848387200926575803737830233794788090059368953234970799'
        '9450811190389676408800746527427801424945792587888200568428381156694721963868654'
        '59400540160, (\'OverflowError\', \'cannot convert float infinity to integer\'),'
        ' (\'ValueError\', \'cannot convert float NaN to integer\'), 4100000000000000000'
        ', -4100000000000000000, 0, 12, 12, 10, -5, 99999999999999999999, (\'ValueErro'
        'r\', "invalid literal for int() with base 10: \'x\'"), (\'ValueError\', "invali'
        'd literal for int() with base 10: \'\'"), (\'ValueError\', "invalid literal for'
        ' int() with base 10: \'2.5\'"), (\'TypeError\', "int() argument must be a strin'
        'g, a bytes-like object or a real number, not \'NoneType\'"), 1, 0, 77, 5, 12, '
        '(\'TypeError\', "int() argument must be a string, a bytes-like object or a real'
        ' number, not \'list\'"), (\'ValueError\', "invalid literal for int() with base '
        '10: \'nan\'")]\n'
        '[0, 5, -7, 100000000000000000000, 4611686018427387904, -4611686018427387904, 46'
        '11686018427387903, 2, -2, 10000000000000000525047602552044202487044685811081591'
        '5491585411551180245798890819578637137508044786404370444383288387817694252323536'
        '0430575644792184786706982848387200926575803737830233794788090059368953234970799'
        '9450811190389676408800746527427801424945792587888200568428381156694721963868654'
        '59400540160, (\'OverflowError\', \'cannot convert float infinity to integer\'),'
        ' (\'ValueError\', \'cannot convert float NaN to integer\'), 4100000000000000000'
        ', -4100000000000000000, 0, 12, 12, 10, -5, 99999999999999999999, (\'ValueErro'
        'r\', "invalid literal for int() with base 10: \'x\'"), (\'ValueError\', "invali'
        'd literal for int() with base 10: \'\'"), (\'ValueError\', "invalid literal for'
        ' int() with base 10: \'2.5\'"), (\'TypeError\', "int() argument must be a strin'
        'g, a bytes-like object or a real number, not \'NoneType\'"), 1, 0, 77, 5, 12, '
        '(\'TypeError\', "int() argument must be a string, a bytes-like object or a real'
        ' number, not \'list\'"), (\'ValueError\', "invalid literal for int() with base '
        '10: \'nan\'")]\n'
        '[\'0\', \'5\', \'-7\', \'100000000000000000000\', \'4611686018427387904\', \'-4'
        '611686018427387904\', \'4611686018427387903\', \'2.5\', \'-2.5\', \'1e+300\','
        ' \'inf\', \'nan\', \'4.1e+18\', \'-4.1e+18\', \'-0.0\', \'12\', \' 12 \', \'1_'
        '0\', \'-5\', \'99999999999999999999\', \'x\', \'\', \'2.5\', \'None\', \'True\''
        ', \'False\', \'sI\', \'T\', "b\'12\'", \'[]\', \'nan\']\n'
        '[\'0\', \'5\', \'-7\', \'100000000000000000000\', \'4611686018427387904\', \'-4'
        '611686018427387904\', \'4611686018427387903\', \'2.5\', \'-2.5\', \'1e+300\','
        ' \'inf\', \'nan\', \'4.1e+18\', \'-4.1e+18\', \'-0.0\', \'12\', \' 12 \', \'1_'
        '0\', \'-5\', \'99999999999999999999\', \'x\', \'\', \'2.5\', \'None\', \'True\''
        ', \'False\', \'sI\', \'T\', "b\'12\'", \'[]\', \'nan\']\n'
        '[\'0\', \'5\', \'-7\', \'100000000000000000000\', \'4611686018427387904\', \'-4'
        '611686018427387904\', \'4611686018427387903\', \'2.5\', \'-2.5\', \'1e+300\','
        ' \'inf\', \'nan\', \'4.1e+18\', \'-4.1e+18\', \'-0.0\', \'12\', \' 12 \', \'1_'
        '0\', \'-5\', \'99999999999999999999\', \'x\', \'\', \'2.5\', \'None\', \'True\''
        ', \'False\', \'sI\', \'T\', "b\'12\'", \'[]\', \'nan\']\n'
        '[0.0, 5.0, -7.0, 1e+20, 4.611686018427388e+18, -4.611686018427388e+18, 4.611686'
        '018427388e+18, 2.5, -2.5, 1e+300, inf, nan, 4.1e+18, -4.1e+18, -0.0, 12.0, 12.0'
        ', 10.0, -5.0, 1e+20, (\'ValueError\', "could not convert string to float: \'x\''
        '"), (\'ValueError\', "could not convert string to float: \'\'"), 2.5, (\'TypeEr'
        'ror\', "float() argument must be a string or a real number, not \'NoneType\'"),'
        ' 1.0, 0.0, 7.5, 5.5, 12.0, (\'TypeError\', "float() argument must be a string o'
        'r a real number, not \'list\'"), nan]\n'
        '[0.0, 5.0, -7.0, 1e+20, 4.611686018427388e+18, -4.611686018427388e+18, 4.611686'
        '018427388e+18, 2.5, -2.5, 1e+300, inf, nan, 4.1e+18, -4.1e+18, -0.0, 12.0, 12.0'
        ', 10.0, -5.0, 1e+20, (\'ValueError\', "could not convert string to float: \'x\''
        '"), (\'ValueError\', "could not convert string to float: \'\'"), 2.5, (\'TypeEr'
        'ror\', "float() argument must be a string or a real number, not \'NoneType\'"),'
        ' 1.0, 0.0, 7.5, 5.5, 12.0, (\'TypeError\', "float() argument must be a string o'
        'r a real number, not \'list\'"), nan]\n'
        '[0.0, 5.0, -7.0, 1e+20, 4.611686018427388e+18, -4.611686018427388e+18, 4.611686'
        '018427388e+18, 2.5, -2.5, 1e+300, inf, nan, 4.1e+18, -4.1e+18, -0.0, 12.0, 12.0'
        ', 10.0, -5.0, 1e+20, (\'ValueError\', "could not convert string to float: \'x\''
        '"), (\'ValueError\', "could not convert string to float: \'\'"), 2.5, (\'TypeEr'
        'ror\', "float() argument must be a string or a real number, not \'NoneType\'"),'
        ' 1.0, 0.0, 7.5, 5.5, 12.0, (\'TypeError\', "float() argument must be a string o'
        'r a real number, not \'list\'"), nan]\n'
        '[False, True, True, True, True, True, True, True, True, True, True, True, True,'
        ' True, False, True, True, True, True, True, True, False, True, False, True, Fal'
        'se, False, True, True, False, True]\n'
        '[False, True, True, True, True, True, True, True, True, True, True, True, True,'
        ' True, False, True, True, True, True, True, True, False, True, False, True, Fal'
        'se, False, True, True, False, True]\n'
        '[False, True, True, True, True, True, True, True, True, True, True, True, True,'
        ' True, False, True, True, True, True, True, True, False, True, False, True, Fal'
        'se, False, True, True, False, True]\n'
        "(3, 3.75, '3.75', 4) [(2, 2.5, '2.5', 3), (-2, -2.5, '-2.5', -1), (100000000000"
        "0000052504760255204420248704468581108159154915854115511802457988908195786371375"
        "0804478640437044438328838781769425232353604305756447921847867069828483872009265"
        "7580373783023379478809005936895323497079994508111903896764088007465274278014249"
        "4579258788820056842838115669472196386865459400540160, 1e+300, '1e+300', 1000000"
        "0000000000525047602552044202487044685811081591549158541155118024579889081957863"
        "7137508044786404370444383288387817694252323536043057564479218478670698284838720"
        "0926575803737830233794788090059368953234970799945081119038967640880074652742780"
        "142494579258788820056842838115669472196386865459400540161), ('OverflowError', '"
        "cannot convert float infinity to integer'), ('ValueError', 'cannot convert floa"
        "t NaN to integer'), (4100000000000000000, 4.1e+18, '4.1e+18', 41000000000000000"
        "01), (-4100000000000000000, -4.1e+18, '-4.1e+18', -4099999999999999999), (0, -0"
        ".0, '-0.0', 1)] (6, 6.0, '6', 7)\n"
        "2000 ('ValueError', 'cannot convert float NaN to integer') 592 ('OverflowError'"
        ", 'cannot convert float infinity to integer')\n"
        '9.83182209022494 14.953080886334561 (\'ValueError\', \'math domain error\') (\''
        'ValueError\', \'math domain error\') (\'TypeError\', \'can only concatenate str'
        ' (not "int") to str\') True 6.146264369941973\n'
        '2.0\n'
        'fake\n'
        '2.0\n'
        '4\n'
        "2.5 ('ValueError', 'math domain error') ('ValueError', 'math domain error', [('"
        "lines', 16), ('one', 58)])\n"
        '((1, 2), (1, 1))\n'
        '(\'TypeError\', "<lambda>() missing 1 required positional argument: \'a\'")\n'
        "(('swapped', 5, 1), ('swapped', 1, 1))\n"),
    "getters_and_or": ("""
        class A:
            __slots__ = ('s', '__dict__', '__weakref__')
            def __init__(self): self.s = 1; self.t = 2
            def __bool__(self): return bool(self.t)
        def attrs(x): return x.__class__.__name__, x.__dict__, x.__doc__
        def code(f): return f.__code__.co_name, f.__code__.co_argcount, f.__name__, f.__globals__ is globals()
        def real(x): return x.real, x.imag
        def temp(): return A().__dict__
        def missing(x): return x.__dict__
        print(warm(attrs, A()), warm(code, attrs), warm(real, 2j), warm(real, 5), tries(real, 'x'), warm(temp))
        print(tries(code, A()), tries(missing, 5), tries(warm, missing, []), attrs(A)[0], lines(real, 'x'))
        try: missing([])
        except AttributeError as e: print(e.name, e.obj)
        def both(a, b, c): return a or b, a and b, a or b or c, a and b and c, (a or b) and c, not (a and b)
        values = [0, 1, 2.5, 0.0, '', 'x', None, True, False, [], [0], (), {}, {1: 2}, A()]
        print(warm(both, 0, 'x', None), warm(both, [], 2.5, 'c'))
        print([both(a, b, c)[:5] if not isinstance(c, A) and not isinstance(b, A) and not isinstance(a, A) else both(a, b, c)[5] for a in values for b in values for c in values[:7]] == [eval('(a or b, a and b, a or b or c, a and b and c, (a or b) and c)') if not isinstance(c, A) and not isinstance(b, A) and not isinstance(a, A) else eval('not (a and b)') for a in values for b in values for c in values[:7]])
        def drops(n): return (Loud(n), n)[1:] and n or str(n) or Loud('no')
        print(drops('a'), drops('').name, drops(0))
        def last(l): return l and l[-1] or None
        print(warm(last, [1, 2]), warm(last, []), warm(last, (3,)), last([0]))
        def owned(n): return [Loud(n)] and n
        for i in range(300): (lambda: [] or [i] and 5)()
        print(owned('temp'), owned('temp2'))
        """,
        '(\'A\', {\'t\': 2}, None) (\'attrs\', 1, \'attrs\', True) (0.0, 2.0) (5, 0) (\''
        'AttributeError\', "\'str\' object has no attribute \'real\'") {\'t\': 2}\n'
        '(\'AttributeError\', "\'A\' object has no attribute \'__code__\'") (\'Attribute'
        'Error\', "\'int\' object has no attribute \'__dict__\'") (\'AttributeError\', '
        '"\'list\' object has no attribute \'__dict__\'") type (\'AttributeError\', "\'s'
        'tr\' object has no attribute \'real\'", [(\'lines\', 16), (\'real\', 30)])\n'
        '__dict__ []\n'
        "('x', 0, 'x', 0, None, True) (2.5, [], 2.5, [], 'c', True)\n"
        'True\n'
        'del a\n'
        'del \n'
        'del no\n'
        'del 0\n'
        'a no 0\n'
        '2 None 3 None\n'
        'del temp\n'
        'del temp2\n'
        'temp temp2\n'),
    "bound_methods": ("""
        import weakref
        class A:
            def __init__(self, v): self.v = v; self.cb = self.m
            def m(self, *, k=0): return self.v
            def one(self, x): return self.v, x
            def two(self, x, y): return self.v, x, y
            def __del__(self): print('del A', self.v) if self.v != 'quiet' else None
        def call0(f): return f()
        def call1(f, x): return f(x)
        def call2(f, x, y): return f(x, y * 1.5)
        a = A('quiet')
        print(warm(call1, a.one, 2), warm(call2, a.two, 3, 4), warm(call0, a.m))
        print(call1(A(1).one, 5), call2(A(2).two, 'x', 2.5))
        m = a.one
        r = weakref.ref(m, lambda r: print('ref dies'))
        def once(x):
            n = A('quiet').one
            w = weakref.ref(n, lambda r: print('callback'))
            del x
            return call1(n, 1)
        print(call1(m, 3), once(1), r() is m)
        print([tries(call1, f, 1) for f in (A.one, len, print, lambda x: x, a.two, m, None, 5)])
        print(tries(call1, a.two, 1), lines(call1, a.two, 1))
        class W:
            def __init__(self, f): self.f = f
            def run(self, x): return self.f(x)
        w = W(a.one)
        print(warm(w.run, 1))
        w.f = lambda x: ('plain', x)
        print(w.run(2))
        w.f = A(3).one
        print(w.run(4))
        w.f = None
        print(tries(w.run, 5))
        __import__('gc').collect()
        def rec(f, n): return f(f, n - 1) if n else 'end'
        class R:
            def go(self, f, n): return f(f, n - 1) if n else 'end'
            def deep(self, f): return f(f)
        print(warm(rec, R().go, 50), tries(rec, R().go, 5000)[0], tries(call1, R().deep, R().deep)[0])
        def tracer(frame, event, arg):
            if frame.f_code.co_name == 'one': log.append(event)
            return tracer
        log = []
        def traced():
            f = a.one
            f(1)
            sys.settrace(tracer); f(2); sys.settrace(None)
            return f(3)
        print(warm(traced)[0] == 'quiet', len(log), log[:3])
        A.one.__code__ = (lambda self, x, *more: (x, more)).__code__
        print(call1(a.one, 7))
        def keeps(): return call1(A('kept').one, 1)
        keeps()
        """,
        "('quiet', 2) ('quiet', 3, 6.0) quiet\n"
        "(1, 5) (2, 'x', 3.75)\n"
        'callback\n'
        "('quiet', 3) ('quiet', 1) True\n"
        '1\n'
        '[(\'TypeError\', "A.one() missing 1 required positional argument: \'x\'"), (\'T'
        'ypeError\', "object of type \'int\' has no len()"), None, 1, (\'TypeError\', "A'
        '.two() missing 1 required positional argument: \'y\'"), (\'quiet\', 1), (\'Type'
        'Error\', "\'NoneType\' object is not callable"), (\'TypeError\', "\'int\' objec'
        't is not callable")]\n'
        '(\'TypeError\', "A.two() missing 1 required positional argument: \'y\'") (\'Typ'
        'eError\', "A.two() missing 1 required positional argument: \'y\'", [(\'lines\','
        ' 16), (\'call1\', 32)])\n'
        "('quiet', 1)\n"
        "('plain', 2)\n"
        '(3, 4)\n'
        '(\'TypeError\', "\'NoneType\' object is not callable")\n'
        'del A 1\n'
        'del A 2\n'
        'del A 3\n'
        'end RecursionError RecursionError\n'
        "True 4500 ['call', 'line', 'return']\n"
        '(7, ())\n'
        'del A kept\n'),
    "sets": ("""
        class Key:
            def __init__(self, h): self.h = h
            def __hash__(self): return self.h
            def __eq__(self, other): log.append('eq'); return self is other
        log = []
        def add(s, x): return s.add(x)
        def hashes(x): return hash(x), callable(x)
        s = set()
        for v in 1, 'x', 2.5, -7, 10 ** 20, (1, 2), None, True: warm(add, s, v)
        print(len(s), sorted(map(str, s)), tries(add, s, []), tries(add, (), 1), tries(add, None, 1))
        k = Key(5)
        t = {k}
        print(add(t, 5), log, len(t)); log.clear()
        k2 = Key(hash('abc'))
        t.add(k2)
        print(add(t, 'abc'), bool(log), len(t)); log.clear()
        def many(n):
            s = set()
            for i in range(n): s.add(i); s.add(str(i)); s.add(i * 7 % 5)
            return len(s)
        print(warm(many, 10), many(3000))
        class S(set):
            def add(self, x): log.append(x)
        add(S(), 3)
        print(log, warm(hashes, 5), warm(hashes, -1), hashes(2 ** 61 - 1), hashes(2 ** 70), hashes(1.5)[0] == hash(1.5), warm(hashes, 'abc')[0] == hash('abc'), tries(hashes, []), hashes(add)[1], hashes(Key(9)), hashes(Key)[1])
        print(all(hashes(str(i))[0] == hash(str(i)) for i in range(500)), all(hashes(i * 10 ** 17)[0] == hash(i * 10 ** 17) for i in range(-50, 50)))
        before = sys.getrefcount(None)
        warm(add, s, 1); warm(add, s, 'y')
        for i in range(5000): add(s, i)
        print(abs(sys.getrefcount(None) - before) < 100)
        """,
        '7 [\'(1, 2)\', \'-7\', \'1\', \'100000000000000000000\', \'2.5\', \'None\', \''
        'x\'] (\'TypeError\', "unhashable type: \'list\'") (\'AttributeError\', "\'tupl'
        'e\' object has no attribute \'add\'") (\'AttributeError\', "\'NoneType\' object'
        ' has no attribute \'add\'")\n'
        "None ['eq'] 2\n"
        'None True 4\n'
        '20 6000\n'
        '[3] (5, False) (-2, False) (0, False) (512, False) True True (\'TypeError\', "u'
        'nhashable type: \'list\'") True (9, False) True\n'
        'True True\n'
        'True\n'),
}


class CallTests(unittest.TestCase):
    maxDiff = 3000


add_cases(CallTests, CASES, SETUP, frail={"bound_methods"})


class Caught(unittest.TestCase):
    """A traceback holds the frame of who has caught: its variables outlive the return."""

    def test_who_catches_does_not_leave_where_it_returns(self):
        out = run(textwrap.dedent("""
            import sys
            def finds(d, key):
                try:
                    return d[key]
                except KeyError:
                    return None
            def ends(it):
                try:
                    next(it)
                except StopIteration:
                    return False
            def looks(names, times):
                for i in range(times):
                    finds(names, i)
                    ends(iter(()))
            looks({3: 4}, 20000)
            print(sys._jit.figures()["exits"] < 1000 or sys._jit.figures())
            """), SPRINGBOARD_JIT="eager")
        self.assertEqual(out, "True\n")

    def test_variables_of_a_held_frame(self):
        text = textwrap.dedent(SETUP) + textwrap.dedent("""
            def catches(d, key, keep):
                mine = Loud(key)
                try:
                    d[key]
                except KeyError as e:
                    if keep:
                        kept.append(e.__traceback__.tb_frame)
                    return mine.name
                return None
            def plain(x):
                try:
                    x.y
                except AttributeError:
                    other = Loud("other")
            kept = []
            Loud.__del__ = lambda self: gone.append(self.name)
            gone = []
            warm(catches, {}, 0, 0)
            warm(plain, 1)
            print(len(gone), set(gone))
            gone.clear()
            print(catches({}, 5, 1), gone, sorted(kept[0].f_locals))
            kept.clear()
            print(gone, plain(1), gone, catches({1: 2}, 1, 0), gone)
            """)
        out = run(text, SPRINGBOARD_JIT="off")
        self.assertIn("5 [] ['d', 'keep', 'key', 'mine']", out)
        for mode in "eager", "on":
            self.assertEqual(run(text, SPRINGBOARD_JIT=mode), out, mode)


class Lent(unittest.TestCase):
    def test_what_a_list_drops_is_held_by_who_has_borrowed_it(self):
        text = """
            class D:
                def __init__(self, n): self.n = n
                def __del__(self): log.append(self.n)
            log = []
            def f(l): return l[-1], l.pop() is None
            def h(l): return l[-1] is l.pop()
            def k(l): return len(l[-1]), l.pop(), l[0]
            for i in range(300):
                f([D(1), D(2)]); h([D(3)]); k([[D(4)], [5]])
                y = [[i, 1.5 * i], [2.5 * i]]
                a = (y[-1], y.pop())
                assert a[0] is a[1] and a[0] == [2.5 * i]
            print(len(log), log[:10])
            """
        text = textwrap.dedent(text)
        off = run(text, SPRINGBOARD_JIT="off")
        self.assertIn("1200", off)
        self.assertEqual(run(text, SPRINGBOARD_JIT="eager"), off)


class Boxes(unittest.TestCase):
    def test_variables_that_are_looked_at_are_released(self):
        text = """
            import sys
            def asks(x):
                y = x
                locals()
                y += 1
                sys._getframe().f_locals
                return y
            def shows(x):
                locals()
                return x
            def shows_but_it(x):
                del x
                return locals() is None
            def passes(n):
                x = n + (1 << 40)
                for i in range(3):
                    x += 1
                    dict(a=x)
                    divmod(x, 7)
                return x
            def rounds(f, n):
                for i in range(n): f(i)
            for f in asks, shows, shows_but_it, passes:
                rounds(f, 3000)
                before = sys.getallocatedblocks()
                rounds(f, 3000)
                print(sys.getallocatedblocks() - before < 100)
            """
        for mode in "off", "on", "eager":
            self.assertEqual(run(textwrap.dedent(text), SPRINGBOARD_JIT=mode), "True\n" * 4, mode)


if __name__ == "__main__":
    unittest.main()

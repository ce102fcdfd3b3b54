"""Chains, groups, notes and suggestions, as sys.excepthook shows them."""
def f(d):
    return d['a']['b'] + 1
def g():
    try:
        f({'a':{}})   
    except KeyError as e:
        e.add_note("note 1\nsecond line")
        raise ValueError("x") from e
def r(n):
    if n == 0: 1/0
    return r(n-1)
import sys
def rep(fn):
    try: fn()
    except BaseException as e: sys.excepthook(type(e), e, e.__traceback__)
rep(g)
rep(lambda: r(10))
rep(lambda: (1 + 2 * 3) @ 4   )
rep(lambda: 5 + \
   'a' * \
   (2) + 'x')
x = 5
rep(lambda: x.foo(1)[2] (3))
rep(lambda: x[1] [2])
rep(lambda: 
    x.foo.bar[ 1])
def h():
    raise ExceptionGroup("eg", [ValueError(1), ExceptionGroup("inner", [TypeError("a"), KeyError(3)]), OSError(2,"no")])
rep(h)
def h2():
    try: h()
    except* ValueError as e: raise TypeError("new") from e
rep(h2)
rep(lambda: compile("a b c", "foo", "exec"))
rep(lambda: compile("def f(:\n  pass\n", "foo", "exec"))
rep(lambda: foobar + sys.exitt)
rep(lambda: sys.exitt)
class E(Exception):
    def __str__(self): 1/0
rep(lambda: (_ for _ in ()).throw(E()))
try: raise ExceptionGroup("big",[ValueError(i) for i in range(20)])
except Exception as e: e.add_note("hello"); sys.excepthook(type(e), e, e.__traceback__)
def deep(n):
    if n==0: return ValueError("leaf")
    return ExceptionGroup("d%d"%n,[deep(n-1)])
rep(lambda: (_ for _ in ()).throw(deep(12)))
e = ValueError("noted"); e.__notes__ = 5; rep(lambda: (_ for _ in ()).throw(e))
e = ValueError("noted"); e.__notes__ = "abc"; rep(lambda: (_ for _ in ()).throw(e))
e = ValueError("noted"); e.__notes__ = ["abc", 5, "x\n\ny"]; rep(lambda: (_ for _ in ()).throw(e))

# f_lineno of frames that have ended with an exception: where they raised last, a bare `raise`, too.
import sys

frames = []


def keep():
    frames.append(sys._getframe(1))


def f():
    keep()
    try:
        raise ValueError
    except ValueError:
        x = 1
        raise
def g():
    keep()
    try:
        raise ValueError
    except ValueError:
        raise
    finally:
        x = 1
def h():
    keep()
    try:
        raise ValueError
    except ValueError as e:
        x = 1

        raise
def i():
    keep()
    try:
        raise ValueError
    except ValueError as e:
        try:
            x = 1
            raise
        except KeyError:
            y = 2
def j():
    keep()
    try:
        raise ValueError
    except KeyError:
        y = 2
def k():
    keep()
    with open("/dev/null"):
        y = 2
        raise ValueError
def l():
    keep()
    try:
        y = 2
        raise ValueError
    finally:
        y = 4
def m():
    keep()
    raise
def gen():
    keep()
    try:
        yield 1
    except ValueError:
        x = 3
        raise
    yield 2
class C:
    keep()
    try: raise ValueError
    except ValueError:
        pass
def n():
    keep()
    for i in (1,2):
      try:
        raise ValueError
      except ValueError:
        if i == 2:
            raise
def o():
    keep()
    try: k()
    except ValueError as e:
        e2 = e
    x=1
    raise e2
def p():
    keep()
    for x in 1,2:
        x.f
def q():
    keep()
    try:
        raise ValueError
    except* ValueError:
        x = 1
        raise
def gg():
    it = gen(); next(it)
    it.throw(ValueError)
for fn in (f,g,h,i,j,k,l,m,gg,n,o,p,q):
    frames.clear()
    try: fn()
    except BaseException as e:
        tb=e.__traceback__; L=[]
        while tb:
            L.append((tb.tb_frame.f_code.co_name, tb.tb_lineno, tb.tb_frame.f_lineno))
            tb = tb.tb_next
    print(fn.__name__, [(x.f_lineno, x.f_code.co_firstlineno) for x in frames],
          [x.f_lasti >= 0 for x in frames], L)

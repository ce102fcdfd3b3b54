import sys, traceback
def f(n):
    try:
        if n == 0: raise ValueError('zero')
        if n == 1: return 'one'
        if n == 2: 1 / 0
        if n == 3: [][1]
        if n == 4: {}['k']
        if n == 5: raise KeyError from ValueError('cause')
        if n == 6: undefined_name
        if n == 7:
            del n; n
        if n == 8: raise 5
        if n == 9: raise ValueError from 5
        if n == 10: import nosuchmodule
        if n == 11: from sys import nosuchname
        if n == 12: assert n == 13, 'msg'
        if n == 13: a, b = 1
        if n == 14: a, b = (1,)
        if n == 15: a, b = (1, 2, 3)
        if n == 16: a, *b, c = (1,)
        if n == 17: raise
        if n == 18:
            with 5: pass
        if n == 19: 'a' + 1
        if n == 20: 1 < 'a'
        if n == 21: int.foo
        if n == 22: (1).real = 5
        if n == 23: x[0]
        if n == 24: 1 in 5
        if n == 25: -'a'
        if n == 26: 1 @ 2
        if n == 27: x = 5; x += 'a'
        if n == 28: for_ = 5; [i for i in for_]
    except ValueError as e:
        return 'VE', str(e), repr(e.__context__), repr(e.__cause__)
    except (ZeroDivisionError, IndexError) as e:
        return type(e).__name__, str(e)
    except Exception as e:
        return type(e).__name__, str(e), repr(e.__cause__)
    else:
        return 'else'
    finally:
        print('finally', end=' ')
for i in range(30): print(i, f(i))
class CM:
    def __init__(self, s): self.s = s
    def __enter__(self): print('enter'); return 5
    def __exit__(self, *a): print('exit', a[0], a[1]); return self.s
with CM(True) as v: print(v); raise KeyError('x')
try:
    with CM(False) as v: raise KeyError('y')
except KeyError as e: print('out', e)
def ret():
    for i in range(3):
        try:
            with CM(False): return i
        finally: print('f')
print(ret())
def brk():
    for i in range(5):
        try:
            if i == 1: continue
            if i == 3: break
            print(i)
        finally: print('fin', i)
    else: print('noelse')
    while True:
        try: break
        finally: print('w')
brk()
def nested():
    try:
        try: raise ValueError(1)
        except ValueError as e: raise KeyError(2)
    except KeyError as e:
        print(repr(e), repr(e.__context__), sys.exc_info()[0])
    print(sys.exc_info())
nested()
try:
    raise ExceptionGroup('eg', [ValueError(1), TypeError(2), KeyError(3)])
except* ValueError as e: print('star', e.exceptions)
except* TypeError as e: print('star2', e.exceptions)
except* KeyError as e: print('star3')
def tb():
    def a(): b()
    def b(): raise RuntimeError('deep')
    try: a()
    except RuntimeError: return traceback.format_exc()
print(tb())
def loop_del():
    class X:
        def __del__(self): print('del', end=' ')
    for i in range(3): X()
    x = X(); x = None; print('after')
loop_del()
def g():
    try: yield 1
    except GeneratorExit: print('ge'); raise
gg = g(); next(gg); gg.close()
def ctx():
    try: raise ValueError('a')
    except ValueError:
        try: raise TypeError('b')
        except TypeError as e: return e
e = ctx(); print(repr(e.__context__))

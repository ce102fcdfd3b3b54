import sys
log = []
def tr(frame, ev, arg):
    log.append((frame.f_code.co_name, ev, frame.f_lineno - frame.f_code.co_firstlineno, repr(arg)[:40] if ev != 'exception' else arg[0].__name__))
    return tr
def f(n):
    x = 0
    for i in range(n):
        x += i
        if x > 1:
            x -= 1
    try:
        g(x)
    except ValueError:
        x = 5
    else:
        x = 6
    return x
def g(x):
    raise ValueError(x)
def gen():
    yield 1
    yield 2
sys.settrace(tr); f(3); list(gen()); sys.settrace(None)
for l in log: print(*l)
log.clear()
def pr(frame, ev, arg): log.append((frame.f_code.co_name, ev, getattr(arg, '__name__', repr(arg)[:30])))
def h():
    len([1]); [].append(1); int('5'); sorted([2, 1])
    try: int('z')
    except ValueError: pass
    try: len(1)
    except TypeError: pass
    return f(1)
sys.setprofile(pr); h(); sys.setprofile(None)
for l in log: print(*l)
def jumper():
    a = 1
    a = 2
    a = 3
    return a
def tj(frame, ev, arg):
    if ev == 'line' and frame.f_lineno == jumper.__code__.co_firstlineno + 2: frame.f_lineno = jumper.__code__.co_firstlineno + 4
    return tj
sys.settrace(tj); r = jumper(); sys.settrace(None); print(r)

def g(n):
    for i in range(n):
        x = yield i
        if x: print('got', x)
    return 'done'
print(list(g(3)))
it = g(3); print(next(it), it.send('a'), it.send('b'))
try: next(it)
except StopIteration as e: print('stop', e.value)
def d():
    r = yield from g(2)
    print('r', r)
    try:
        yield 10
    except ValueError as e:
        print('caught', e); yield 11
    finally:
        print('fin')
it = d()
print(next(it), next(it), next(it)); print(it.throw(ValueError('v')))
it.close()
def e():
    raise StopIteration(1)
    yield
try: next(e())
except RuntimeError as x: print(x, repr(x.__cause__))
def f():
    try: yield 1
    finally: print('cleanup')
it = f(); next(it); del it
def ig():
    while True:
        try: yield 1
        except GeneratorExit: print('ignored')
it = ig(); next(it)
try: it.close()
except RuntimeError as x: print(x)
import sys
sys.unraisablehook = lambda u: print('unraisable', u.exc_value)
del it
gi = (i*i for i in range(5)); print(sum(gi), gi)if 0 else print(sum(i*i for i in range(5)))
print({i: i*2 for i in range(3)}, {i % 2 for i in range(5)}, [i for i in range(10) if i % 2])
def outer():
    yield from inner()
def inner():
    try:
        x = yield 1
        print('x', x)
    except KeyError:
        yield 'ke'
    return 5
o = outer(); print(next(o)); print(o.throw(KeyError))
o = outer(); next(o)
try: o.send(5)
except StopIteration as s: print('S', s.value)
import sys
class It:
    def __init__(s): s.n = 0
    def __iter__(s): return s
    def __next__(s):
        s.n += 1
        if s.n > 3: raise StopIteration('itend')
        return s.n
    def throw(s, *a): print('thrown', a[0]); return 99
    def close(s): print('closed')
def df():
    r = yield from It(); print('R', r)
print(list(df()))
z = df(); next(z); print(z.throw(KeyError('k'))); z.close()
def running():
    try: next(me)
    except ValueError as e: print(e)
    yield
me = running(); next(me)
print(me.gi_frame.f_lineno, me.gi_running, me.gi_code.co_name, me.gi_yieldfrom)
try: g(1).send(1)
except TypeError as e: print(e)
async def co(x):
    return x + 1
class Aw:
    def __await__(self):
        r = yield 'aw'; return r
async def main():
    a = await co(1)
    b = await Aw()
    return a, b
c = main(); print(c.send(None))
try: c.send('hello')
except StopIteration as s: print(s.value)
async def ag():
    for i in range(3):
        yield i
        await Aw()
async def consume():
    out = []
    async for v in ag(): out.append(v)
    out2 = [v async for v in ag() if v]
    return out, out2
c = consume()
n = 0
try:
    while True: c.send(None); n += 1
except StopIteration as s: print(n, s.value)
class ACM:
    async def __aenter__(self): print('aenter'); return self
    async def __aexit__(self, *a): print('aexit', a[0]); return True
async def w():
    async with ACM() as x:
        raise ValueError
    return 'w'
try: w().send(None)
except StopIteration as s: print(s.value)
async def badaw():
    await 5
try: badaw().send(None)
except TypeError as e: print(e)
c = co(1); c.close()
def fgen():
    for i in gen2(): yield i
def gen2():
    for j in range(3): yield many(j)
def many(*a, k=1): return a, k
print(list(fgen()))
def tree(n):
    if n: 
        yield from tree(n-1); yield n; yield from tree(n-1)
print(list(tree(4)))

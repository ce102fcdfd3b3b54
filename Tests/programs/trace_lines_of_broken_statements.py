"""The lines that tracers hear of when statements are broken over lines: in each place where the
grammar allows it, one at a time and all at once, in a module and in a function."""
import io
import sys
import tokenize
import zlib

PRELUDE = """\
def f1(x, y=2, *z, k=3, **kw): return (x, y, z, k, sorted(kw, key=repr))
class K:
    __match_args__ = ('v',)
    def __init__(self, v=None): self.v = v
    def __eq__(self, o): return isinstance(o, K) and self.v == o.v
async def co(x): return x
async def ag(x):
    for y in x: yield y
def run(c):
    try:
        while True: c.send(None)
    except StopIteration as x: return x.value
    finally: c.close()
class AC:
    def __init__(self, v): self.v = v
    async def __aenter__(self): return self.v
    async def __aexit__(self, t, e, tb): return self.v == 1
class C:
    def __init__(self, v): self.v = v
    def __enter__(self): return self.v
    def __exit__(self, t, e, tb): return bool(t and self.v)
def deco(f): return f
def deco2(*a): return deco
a, b, c, d, e, x1, y1, k1 = 1, 'two', [3, 4], {'k': 5}, None, 1, 2, K()
"""

STATEMENTS = r"""
x = a
x = y = a
x = 1
x = 1, 2
x = a, b
x = [a, 1, b]
x = [1, 2, 3]
x = [1, 2, 3, 4, a]
x = {1, 2, 3}
x = {a, 1}
x = {1: a, 'b': 2}
x = {1: 1, 2: 2, 3: 3}
x = {**d, 1: a}
x = {1: 2, **d, 3: a, **d}
x = [*c, a]
x = (*c, 1)
x = {*c, a}
x, y = a, b
x, y = b, a
x, y, z = a, b, c
x, y = 1, 2
x, *y = c
[x, (y, z)] = a, c
(x, y), z = c, a
x = a + a
x = a + 1
x = 1 + a
x = 1 + 2
x = a + 1 + a
x = a * 2 + a ** 2
x = -a
x = -1
x = not a
x = ~a
x = not not a
x = a < 2
x = a < 2 < 3
x = 1 < a < 5 < a
x = a < a < a
x = a == 1 == a
x = a is None
x = e is None
x = a is not None
x = a in c
x = a not in c
x = a in (1, 2)
x = a in [1, 2]
x = a in {1, 2}
x = a and b
x = a or b
x = e and b
x = e or b
x = a and b and c
x = a and b or c
x = a or b and c
x = (a or b) and c
x = not (a and b)
x = 1 and a
x = 0 and a
x = 0 or a
x = 1 or a
x = a and 1
x = a and 0 or b
x = a or 0 or b
x = a and ... or not b
x = 1 if a else 2
x = a if b else c
x = a if e else c
x = a if 1 else c
x = a if 0 else c
x = 1 if 0 else 2
x = a if b and c else d
x = a if b or c else d
x = a if not b else d
x = a if e else b if e else c
x = (a if b else c) if d else e
x = a if (b if c else d) else e
x = a if a < 2 < 3 else b
x = a if a is None else b
x = a if a == 1 else b
x = c[0]
x = c[a]
x = c[a - 1]
x = c[0:1]
x = c[a:2]
x = c[:]
x = c[::2]
x = c[a::a]
x = c[:a]
x = c[-1]
x = d['k']
c[0] = a
c[0] = 1
c[a] = b
c[0:1] = c
c[:] = 1, 2
c[a - 1] += 1
c[0] += a
d['k'] = 1
d['k'] += 1
d['z'], x = a, b
del c[0]
del c[0:1]
del c[a], x1
del x1
del x1, y1
del (x1, [y1])
x = K(a)
x = K(v=a)
x = K(1)
x = K(v=1)
x = f1(a, b)
x = f1(a, 1, b)
x = f1(a, y=1, k=b)
x = f1(*c)
x = f1(a, *c)
x = f1(1, *c, *c)
x = f1(*c, **d)
x = f1(a, k=1, **d)
x = f1(**d, x=2)
x = f1(*c, k=3)
x = f1(a, *c, k=3, **d)
x = f1(*(1, 2))
x = b.upper()
x = b.upper().lower()
x = b.replace('t', b)
x = b.replace('t', 'u').strip()
x = c.append(1)
x = c.append
x = K(a).v
k1.v = a
k1.v = 1
k1.v += 1
k1.v, x = a, b
k1.v = x = a
del k1.v
x = k1.v.real
x = [i for i in c]
x = [i for i in c if i]
x = [i for i in c if i if a]
x = [(i, j) for i in c for j in c]
x = [i + 1 for i in c if i > 3]
x = {i for i in c}
x = {i: 1 for i in c}
x = {i: i for i in c if not i}
x = {1: i for i in c}
x = list(i for i in c)
x = [(i := j) for j in c]
x = [i for i, j in [(1, 2), (3, 4)]]
x = [i for i in [a]]
x = [[j for j in c] for i in c]
x = [lambda: i for i in c]
x = lambda: a
x = lambda y: y + 1
x = lambda y=1, *z, k=a: y
x = (lambda: a)()
x = (lambda y: y + 1)(a)
x = (lambda y=1: y + a)(a)
x = (lambda y=K: y)(a)
x = (lambda y, *, k=K: y)(a)
x = (lambda *y, k=2: y if k else a)(1, k=a)
x = f'{a}'
x = f'{a}{b}'
x = f'{a!r:>5}' f'{b}' 'c'
x = 'a' 'b'
x = '%s' % a
x = '%s %r' % (a, b)
x = '%s' % (1,)
x = (y := a)
x = (y := 1)
x = (y := a) + y
x = [y := a, y]
x: int
x: int = a
x: int = 1
(x): int = a
k1.v: int = a
c[0]: int = a
x += 1
x += a
x -= a + 1
x += 'a' if e else 1
a
1
'a'
a, b
a + b
a < b
...
K(a)
K(a); K(b)
x = a; y = b
x = 1; y = 2; z = 3
assert a
assert a, b
assert a and b, c
assert a or b
assert not e, a
assert a < 2 < 3
assert 1
assert 0, a
assert e, a + 1
assert e
raise K(a)
raise ValueError(a)
raise ValueError(a) from KeyError(b)
raise ValueError
raise ValueError from None
pass
global gx; gx = 1
import os
import os, sys
import os.path
import os.path as p
from os import path
from os import path, sep as s
from os import (path, sep)
print(end='')
if a: x = 1
if a and b: x = 1
if a or b: x = 1
if e or a: x = 1
if e and a: x = 1
if not a: x = 1
if a < 2: x = 1
if a < 2 < 3: x = 1
if a == 1: x = 1
if a is None: x = 1
if a in c: x = 1
if 1: x = 1
if 0: x = 1
if a and 1: x = 1
if a if b else c: x = 1
if a and (b or c): x = 1
if (a and b) or (c and d): x = 1
if not (a and b) or e: x = 1
if (y := a) and y: x = 1
if K(a) and K(b): x = 1
if a: pass
while a: a = 0
while a > 0: a -= 1
while a and b: a -= 1
while a: a -= 1; x = 1
while a: break
while 1: break
while True: break
while 0: x = 1
while not e: e = 1
while a < 3: a += 1
while a < 3 < 4: a += 1
while e or a < 3: a += 1
while (a := a + 1) < 4: pass
while a < 4 and K(a): a += 1
for i in c: x = i
for i in c: pass
for i in 1, 2: x = i
for i in [1, 2]: x = i
for i in [a, b]: x = i
for i, j in [(1, 2), (3, 4)]: x = i
for i, *j in [(1, 2), (3, 4)]: x = i
for c[0] in 1, 2: x = i1
for k1.v in 1, 2: x = i1
for i in c: break
for i in c: continue
for i in range(2): x = i
for i in range(a, 3): x = i; y = i
with C(a): x = 1
with C(a) as y: x = 1
with C(a) as y, C(b) as z: x = 1
with C(a), C(b): x = 1
with C(a), C(1 + a) as c[0]: x = y
with C(c) as (y, z): x = 1
with C(c) as [y, *z]: x = 1
with (C(a) as y, C(b) as z): x = 1
with (C(a), C(b)): x = 1
with C(a): 1 / 0
with C(e): 1 / 0
with C(a) as y, C(b) as z: 1 / 0
with C(e) as y, C(e) as z: 1 / 0
with C(e) as y, C(b) as z: 1 / 0
def f(x): return x
def f(x=1, y=a): return x
def f(x, /, y=a, *z, k=1, l, **m): return x
def f(x: int = 1, *y: a, z: b) -> c: return x
def f(x) -> int: pass
class A: x = 1
class A(K): x = a
class A(K, metaclass=type): x = a; y = x
class A: pass
class A: x: int = a
class A: 'doc'; x = 1
x = yy
x = yy + 1
x = 1 / 0
x = a / 0
x = c[9]
x = K(a).w
x = a + b
x = f1()
x = f1(a=1)
x = -b
x = a < b
x, y = 1, 2, 3
x, y, z = c
x = a, yy, b
x = [a, yy]
x = f1(a, yy)
x = b.nope(a)
x = b.replace(a, yy)
return
return a
return 1
return a, b
return a + 1
return a and b
return a or b
return a if b else c
return 1 if a else 2
return not a
return a < 2 < 3
return K(a)
return [i for i in c]
return (1, 2)
return yy
return f1(a, 1)
x = (1, 2, a)[0]
x = (1, 2)[0]
x = 'abc'[1]
x = 3 if False else 4
x = 1 + 2 + a
x = (1, (2, 3), 4)
x = (1, (a, 3), 4)
x = [(1, 2), (3, 4)]
x = {'a': (1, 2), 'b': [3, 4]}
x = 1 < 2
x = 1 in (1, 2)
x = -1 + 2
x = not 1
x = 2 ** 3 ** 1
x = ('a', 'b')
x = () or a
x = [] or a
x = () + (1, 2)
x = ()
x = []
x = {}
x = a and (b, 1)
x = a if () else b
x = a if [] else b
x = c[1:2]
x = c[1:a:2]
x = c[(1, 2)[0]]
x = d[1, 2] if e else 3
x = d.get('k', 1)
x = d.get('k') or a
x = d.get('k') and a
x = d.get('k') if a else b
x = b[0] + b[1]
x = b[0] == b[1]
x = b[0] < b[1] < b[2]
x = len(b) + len(c)
x = len(c[0:1])
x = a.real + a.imag
x = a.real.real
x = f1(a)[0]
x = f1(a)[0][0:1] if e else 1
x = f1(f1(a), f1(b))
x = f1(a, f1(b, c), d)
x = f1(a, [b, c], {1: 2})
x = f1(1, 2, 3)
x = f1('a', (1, 2))
x = isinstance(a, int)
x = isinstance(a, (int, str))
x = sorted(c, key=lambda y: y)
x = a if b else f1(c)
x = f1(a) if b else c
f1(a)(b)
c.append(a)
c.append(a + 1)
c.append(1)
c.append((1, 2))
print(a, file=None) if e else 0
super
x = f1(1, 2, 3, *c, **d)
x = f1(*c, 1, 2, **d)
x = f1(1, 2, 3, **d)
class A(0, 1, 2, **d): pass
x = y = a and (b, 1)
x = (a and b) if c else d
x = a if c else (b and d)
x, y = a and b, c or d
x, y = (a if b else c), (e or d)
x = (y := e or b)
assert (a if [] else b), f'{a}'
x = a and list or not (y := a)
while (b if a else c) and a < 3: a += 1
while a < 3: a += 1; continue
x = [i for i in c if (a if i else e)]
x = ((a) + b)(c)
x = ((f1))(c)
while True: a += 1; break
x = (a and b) or c
""".strip().splitlines()

# Longer than what is built at once.
STATEMENTS += [
    "x = {" + ", ".join(f"{i}: a" for i in range(20)) + "}",
    "x = {" + ", ".join(f"a + {i}: {i}" for i in range(17)) + ", **d, 1: 2}",
    "x = [" + ", ".join(str(i) for i in range(33)) + ", a]",
    "x = [" + ", ".join(["a"] * 33) + "]",
    "x = f1(" + ", ".join(["a"] * 33) + ")",
    "x = b.format(" + ", ".join(f"k{i}=a" for i in range(18)) + ")",
]
BLOCKS = r"""
try: x = 1
except ValueError: x = 2
----
try: x = 1 / 0
except ZeroDivisionError: x = 2
----
try: x = 1 / 0
except (ValueError, ZeroDivisionError) as y: x = 2
----
try: x = 1 / 0
except ValueError: x = 2
except ZeroDivisionError as y: x = 2
else: x = 3
finally: x = 4
----
try: x = 1
except ValueError: x = 2
else: x = 3
finally: x = 4
----
try: x = 1 / 0
except ValueError: x = 2
----
try: x = 1 / 0
finally: x = 2
----
try: return a
finally: x = 2
----
try: return 1
finally: x = 2
----
try: return K(a)
finally: x = K(b)
----
try: return
finally: return a
----
try: 1 / 0
except: return a
----
try: 1 / 0
except: raise
----
try: 1 / 0
except Exception as y: raise KeyError(y) from y
----
try: 1 / 0
except Exception as y: raise
finally: x = 1
----
try: raise ExceptionGroup('m', [ValueError(a)])
except* ValueError as y: x = 2
y = 3
----
try: raise ExceptionGroup('m', [ValueError(a), TypeError(b)])
except* (ValueError, KeyError): x = 2
except* TypeError as y: x = 3
else: x = 4
finally: x = 5
----
try: x = 1
except* ValueError as y: x = 2
else: x = 3
----
for i in c:
    try: continue
    finally: x = 1
----
for i in c:
    try: break
    finally: x = 1
else: x = 2
----
for i in c:
    with C(a): continue
----
for i in c:
    with C(a) as y: break
----
for i in c:
    if i: continue
    x = 1
else: x = 2
----
for i in c:
    if i and a: break
else: x = 2
----
while a < 3:
    a += 1
    if a == 2: continue
    x = 1
else: x = 2
----
while a < 3:
    a += 1
else: x = 2
----
while a < 3:
    a += 1
    if a and b: break
else: x = 2
----
while True:
    a += 1
    if a > 3: break
----
while True:
    a += 1
    if a > 3 and b: return a
----
while 1:
    if a > 3: break
    a += 1
----
while a < 3: a += 1; x = a
----
while a < 3:
    try: a += 1
    finally: x = 1
----
if a: x = 1
else: x = 2
----
if e: x = 1
elif a: x = 2
else: x = 3
----
if e: x = 1
elif e: x = 2
else: x = 3
----
if a and e: x = 1
elif a or e: x = 2
else: x = 3
----
if 1: x = 1
else: x = 2
----
if 0: x = 1
elif a: x = 2
----
if a: return
else: return 1
----
if a:
    if e: x = 1
else: x = 2
----
match a:
    case 1: x = 1
    case _: x = 2
----
match a:
    case 2: x = 1
    case 1: x = 2
    case _: x = 3
----
match a:
    case 2 | 1: x = 1
----
match a:
    case 2 | 3: x = 1
    case y: x = 2
----
match a:
    case 1 if b: x = 1
    case _: x = 2
----
match a:
    case 1 if e: x = 1
    case _: x = 2
----
match a:
    case 1 if b and c: x = 1
    case _: x = 2
----
match a:
    case 1 if b and e: x = 1
    case _: x = 2
----
match a:
    case y if y > 3: x = 1
    case y if y < 3 < 5: x = 1
    case _: x = 2
----
match a:
    case y if y > 0: x = 1
----
match a:
    case y if y > 4: x = 1
----
match a:
    case int(): x = 1
----
match a:
    case str(): x = 1
    case int(y): x = 2
----
match c:
    case [y, z]: x = 1
    case [3, *z]: x = 2
----
match c:
    case [4, z]: x = 1
    case [3, z] if z: x = 2
----
match c:
    case (y,): x = 1
    case (y, *_): x = 2
----
match c:
    case []: x = 1
    case [*z]: x = 2
----
match d:
    case {'k': 4}: x = 1
    case {'k': y}: x = 2
----
match d:
    case {'k': 5, **y}: x = 1
----
match d:
    case {'z': 5, **y} | {'k': y}: x = 1
----
match K(a):
    case K(2): x = 1
    case K(v=1) as y: x = 2
----
match K(a):
    case K(K(1)) | K(1): x = 1
    case K(v=y): x = 2
----
match a, b:
    case 1, 'x': x = 1
    case (1 | 2) as y, 'two': x = 2
----
match a, b:
    case (y, z) if y and z: x = 1
----
match b:
    case 'one' | 'two' if e: x = 1
    case 'two' if a: x = 2
----
match a:
    case K.v | None | True | -1: x = 1
    case 1.5: x = 2
    case int.real: x = 3
----
match c:
    case [3, [4]] | [3, 4]: x = 1
----
match c:
    case [int(y), int() as z] if y < z: x = 1
    case _: x = 2
----
match e:
    case None: x = 1
----
match e:
    case True | False: x = 1
    case None if not a: x = 2
    case None: pass
----
for i in c:
    match i:
        case 3: continue
        case 4 if a: break
        case _: x = 2
----
@deco
def f(x): return x
----
@deco
@deco2(a)
def f(x=1): return x
f()
----
@deco
@deco2(a, 1)
class A(K): x = 1
----
def f(x): return x
f(a)
----
def f(x=a, *y, z=1): return x + z
f(a, b)
f(b)
----
def f(x): yield x
list(f(a))
----
def f(x):
    y = yield x
    z = yield from c
    return (yield)
list(f(a))
----
def f(x):
    yield x, 1
    yield
    yield 1 if x else 2
    yield (x and (yield 2))
list(f(a))
----
async def f(x): return await co(x)
run(f(a))
----
async def f(x): return [await co(i) async for i in ag(c) if i]
run(f(a))
----
async def f(x):
    async for i in ag(c): x = i
    else: x = 1
    async with AC(x) as y: z = y
    async with AC(x) as y, AC(1): 1 / 0
    return await co(x) + await co(1)
run(f(a))
----
async def f(x):
    yield x
    yield await co(x)
async def g(x):
    async for i in f(x):
        if i: continue
    return {i: 1 async for i in f(x)}
run(g(a))
----
async def f(x):
    async with AC(x): return x
run(f(a))
----
async def f(x):
    async for i in ag(c):
        if i == 3: continue
        async with AC(x): break
run(f(a))
----
def f(x):
    with C(a) as y: return y
f(a)
----
def f(x):
    with C(a) as y, C(b) as z: return y + 1
f(a)
----
def f(x):
    for i in x:
        for j in x:
            if i == j: return i
f(c)
----
def f(x):
    if x: return
    x = 1
f(a)
f(e)
----
def f(x):
    if x and a:
        return 1
f(a)
f(e)
----
def f(x):
    if x: y = 1
    else: y = 2
f(a)
f(e)
----
def f(x):
    while x: x -= 1
f(2)
----
def f(x):
    while x > 0: x -= 1; y = 1
    return x
f(2)
----
def f(x):
    while x:
        x -= 1
f(2)
----
def f(x):
    while True:
        x -= 1
        if not x: break
f(2)
----
def f(x):
    for i in x: pass
f(c)
----
def f(x):
    for i in x:
        if i: pass
f(c)
----
def f(x):
    for i in x: i; x
f(c)
----
def f(x):
    try: return x
    except: pass
    else: y = 1
f(c)
----
def f(x):
    try:
        try: 1 / 0
        finally: x = 1
    except ZeroDivisionError: return a
f(c)
----
def f(x):
    try:
        if x: return 1
    finally:
        y = 1
    return 2
f(c)
f(e)
----
def f(x):
    global gy
    nonlocal_ = 1
    def g():
        nonlocal x
        x = 1
        del x
    g()
f(c)
----
class A(K):
    'doc'
    x: int = a
    y: str
    def m(self, z=1): return super().__repr__(), self.x
    @property
    def p(self): return __class__
A(a).m()
A(a).p
----
class A:
    if a: x = 1
    for i in c: y = i
----
def f():
    'doc'
f()
----
def f():
    'doc'
    x = 1
f()
----
def f(): pass
f()
----
def f(): ...
f()
----
lambda: (yield a)
list((lambda: (yield a))())
----
if a: x = 1; y = 2
else: x = 3; y = 4
----
try: yy
except NameError: pass
try: del yy
except NameError as y: pass
----
x = 1
x = x if x else 2
del x
----
for i in c:
    if i == 3: x = 1
    elif i == 4: x = 2
    else: x = 3
----
for i in c: i if a else b
----
for i in c:
    for j in c: continue
    else: continue
    break
else: x = 1
----
for x in c: pass
else: pass
----
while a:
    while a: a = 0
else: pass
----
try:
    pass
except: pass
----
try:
    pass
finally: pass
----
try:
    1 / 0
except ZeroDivisionError: pass
else: pass
finally: pass
----
with C(a): pass
----
if a: pass
else: pass
----
if a: pass
elif b: pass
x = 1
----
match a:
    case (0 | 1) | 2: x = 1
----
match a:
    case (0 as z) | (1 as z) | (2 as z) if z == x1: x = 1
----
match a:
    case 2: x = 1
    case _ if a and b: x = 2
----
match a:
    case _ if e: x = 2
----
while True:
    a += 1
    if a < 4: continue
    break
----
try: 1 / 0
finally:
    match a:
        case 1 + 2j if e: pass
----
try: 1 / 0
finally:
    while x1 > 0 and e: pass
----
try: 1 / 0
except ZeroDivisionError as x:
    match a:
        case 1 if e: pass
----
for i in c:
    while a: a = 0
    else: continue
----
with C(e):
    try: raise KeyError
    except ValueError: pass
""".strip().split("\n----\n")

NO_PLACE = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def pieces(text):
    """(space before a token, the token, the line break that may stand between them or None)"""
    lines, at, depth, before = text.splitlines(keepends=True), (1, 0), 0, None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        gap = ""
        for row in range(at[0], token.start[0] + 1):
            line = lines[row - 1] if row <= len(lines) else ""
            first = at[1] if row == at[0] else 0
            gap += line[first:token.start[1] if row == token.start[0] else None]
        may_break = (before is not None and before.type not in NO_PLACE
                     and token.type not in NO_PLACE)
        yield (gap, "" if token.type == tokenize.DEDENT else token.string,
               ("\n" if depth else " \\\n") if may_break else None)
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        at, before = token.end, token


def broken(text):
    """The text as it is, with all breaks, and with each of them."""
    parts = list(pieces(text))
    places = [i for i, (_, _, line_break) in enumerate(parts) if line_break]
    for chosen in [[], places, *([place] for place in places)]:
        yield "".join((line_break if i in chosen else gap) + token
                      for i, (gap, token, line_break) in enumerate(parts))


def trace(text):
    events = []

    def tracer(frame, event, arg):
        code = frame.f_code
        if code.co_filename == "<here>" and len(events) < 1000:
            what = arg[0].__name__ if event == "exception" else type(arg).__name__
            events.append((event, code.co_name, frame.f_lineno, what))
        return tracer
    names = {}
    exec(prelude, names)
    code = compile(text, "<here>", "exec")
    sys.settrace(tracer)
    try:
        exec(code, names)
    except Exception as e:
        sys.settrace(None)
        events.append(type(e).__name__)
    finally:
        sys.settrace(None)
    return events


prelude = compile(PRELUDE, "<prelude>", "exec")
for statement in STATEMENTS + BLOCKS:
    variants = count = check = 0
    for text in broken(statement + "\n"):
        inner = "".join(f"  {line}\n" for line in text.splitlines())
        for program in (text, "def main(a, b, c, d, e, x1, y1, k1):\n" + inner
                              + "main(1, 'two', [3, 4], {'k': 5}, None, 1, 2, K())\n"):
            try:
                compile(program, "<here>", "exec")
            except SyntaxError:
                continue        # a return outside of a function
            events = trace(program)
            variants += 1
            count += len(events)
            check = zlib.crc32(repr(events).encode(), check)
    print(f"{statement!r:.60}: {variants} variants, {count} events, {check:08x}")

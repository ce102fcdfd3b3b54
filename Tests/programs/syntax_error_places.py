"""The arguments of SyntaxErrors: message and place, from the parser and from the compiler."""
import warnings

warnings.simplefilter("ignore")
SOURCES = [
    'return 1', 'yield 1', 'await x', 'break', 'continue', 'def f(a,a): pass',
    'def f():\n global a\n nonlocal a', 'nonlocal x', 'def f():\n x=1\n global x',
    'match x:\n case a|b: pass\n', 'match x:\n case [*a,*b]: pass', "match x:\n case {'a':1,'a':2}: pass",
    'match x:\n case a: pass\n case b: pass', 'match x:\n case [a,a]: pass',
    'match x:\n case C(a=1,a=2): pass', 'a,*b,*c=1', '*a=1', 'del *a', '*a', 'from __future__ import nope',
    'x=1\nfrom __future__ import division', 'from __future__ import braces',
    'async def f():\n yield 1\n return 1', '[await x for x in y]', 'def f():\n [x async for y in z]',
    'async with a: pass', 'async for a in b: pass', '(x:=1 for x in y)', '[y for x in (z:=1)]',
    'class A:\n [x:=1 for y in z]', 'try: pass\nexcept: pass\nexcept E: pass', 'try: pass\nexcept* E: break',
    'try:\n pass\nexcept* E:\n return 1', '__debug__=1', 'def f(__debug__): pass', 'f(__debug__=1)',
    'import __debug__', 'x.__debug__=1', 'del __debug__', 'def f():\n from a import *',
    'class A:\n nonlocal x', 'def f():\n def g():\n  nonlocal z', 'with (yield): pass', 'lambda: (yield)',
    'class A: yield 1', '[(yield) for x in y]', 'from a import b as __debug__', 'a: int\nglobal a',
    'def f():\n a: int\n global a', "'a' b'b'", "'\\N{x}' b'a'", "f'{a' b'c'", "b'\\xff' 'a'", "b'\xe9'",
    "'\\x' b'\\x'", 'x = yield = 1', 'f(**a, *b)', 'f(a=1, b)', '{**a for a in b}', '[*a for a in b]',
    'None = 1', 'f() = 1', '(a+b) = 1', '1 += 2', 'a + 1 += 2', 'del f()', 'for 1 in x: pass',
    'with a as 1: pass', '[x for 1 in y]', '(a, 1) = 2', 'def f(a=1, b): pass', 'def f(*): pass',
    'def f(*, **k): pass', 'lambda *: 1', 'def f(a, /, b, /): pass', 'def f(*a, *b): pass',
    'def f(**k, a): pass', 'class A(x for x in y): pass', 'f(x for x in y, 1)', 'import a.b as c.d',
    'from . import *\nx', 'from a import (b, c', 'print 1', "exec 'a'", 'raise a, b', 'if x = 1: pass',
    'x ==== 1', 'while True print(1)', 'else: pass', 'a b', 'f(a b)', '[a b]', '{a: b c}', '{a b}', '{a:}',
    '{a:1, b}', '{**a:1}', '{1:*a}', 'f(a.b=1)', 'f(1=2)', 'f(True=1)', 'f(a for a in b=1)', 'x = (1,',
    "'abc", "'''abc", '"a\n', '0777', '1__0', '0b2', '1a', '1_', '$', '?', 'a!', 'x = 5 % ', '\tx\n  y',
    'if 1:\nx', 'if 1:\n  x\n y', 'def f():', 'class A', 'try: pass', 'x\\y', '\\', "f'{}'", "f'{a!}'",
    "f'{a!x}'", "f'{a:{b:{c}}}'", "f'{a\\n}'", "f'{#}'", "f'{a[}'", "f'{a'", "f'}'", "f'{lambda x: 1}'",
    "f'{*}'", "f'{yield}'", "f'{a b}'", "f'{1 +}'", "f'{a:{}}'", "f'{=}'", "f'{a=!}'", 'f(a, **x, *y)',
    'f(**x, *y for y in z)', 'f(\n**x,\n*y)', 'class A(**x, *y): pass', "b'a' '\\x'", "b'a' f'{'",
    "f'{' b'a'", "'a' b'\\x'", "b'a' b'\xe9' 'c'", "'a' 'b' b'c' '\\x'",
]
for source in SOURCES:
    for mode in ("exec", "eval", "single"):
        try:
            compile(source, "<source>", mode)
            print(ascii(source), mode, "is fine")
        except SyntaxError as e:
            print(ascii(source), mode, type(e).__name__, ascii(e.args))

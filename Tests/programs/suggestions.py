"""Uncaught-style reports with suggestions, made with traceback and excepthook."""
import sys
import traceback


class Account:
    balance = 3
    _hidden = 1

    def deposit(self, amount):
        return self.balanse + amount

    def __init__(self):
        self.instance_value = 1


def names():
    counter = 1
    return countr


def builtin():
    return pritn("x")


def selfless():
    class A:
        blech = None

        def f(self):
            return blech
    return A().f()


def glob():
    return Acount


def keyword():
    Account.deposit(Account(), amont=3)


def toofew():
    Account().deposit()


def toomany():
    Account().deposit(1, 2, 3)


def twice():
    Account().deposit(1, amount=2)


def kwonly(a, b=2, /, c=3, *, d, e=5):
    return a


def closure():
    if False:
        x = 1

    def g():
        return x
    return g()


def modattr():
    return sys.maxsiz


def fromimp():
    from collections import OrderedDic


def sub_attr():
    return Account().instance_valu


def slot():
    return "".joinn


def far():
    return Account().zzzzzzzz


def run(f, *a, **k):
    try:
        f(*a, **k)
    except BaseException as e:
        sys.excepthook(type(e), e, e.__traceback__)
        print(type(e).__name__, getattr(e, "name", "-"), e, traceback.format_exception_only(e)[-1], end="")


for f in (Account().deposit, ):
    run(f, 1)
for f in (names, builtin, selfless, glob, keyword, toofew, toomany, twice, closure, modattr, fromimp, sub_attr, slot, far):
    run(f)
for args, kw in (((), {}), ((1,), {}), ((1, 2, 3, 4), {"d": 1}), ((1,), {"a": 2, "d": 1}), ((1,), {"b": 2, "d": 3}), ((1,), {"d": 1, "zz": 2}), ((), {"d": 1})):
    run(kwonly, *args, **kw)
run(lambda: kwonly(1, **{"d": 1}, **{"d": 2}))
run(lambda: kwonly(1, **{1: 2}))
run(lambda: kwonly(*3))
run(lambda: kwonly(**3))
run(lambda: kwonly(1, 2, *None))
run(lambda: len())
run(lambda: len(1, 2))
run(lambda: len(obj=1))
run(lambda: sorted(key=1))
run(lambda: int(x=1, y=2))
run(lambda: "a".split(seps=1))
run(lambda: open())
run(lambda: isinstance(1))
run(lambda: print(end=1))
run(lambda: range())
run(lambda: dict(1, 2))
run(lambda: "x".join())
run(lambda: [].append())
run(lambda: {}.get())
run(lambda: max(key=1))
run(lambda: Account.deposit())
for src in ("print 1", "x = = 1", "if x = 1: pass", "def f(:\n pass", "a b", "1 = x", "f() = 1", "(a, b", "a]", "'abc", '"""abc', "for in x: pass", "while True print(1)", "class A\n pass", "return 1", "yield 1", "break", "x = yield", "await x", "def f():\nreturn", "  x = 1", "if 1:\n\tx\n        y", "lambda x=: 1", "f(a=1, 2)", "f(**a, *b)", "def f(a, a): pass", "nonlocal x", "def f():\n x = 1\n global x", "del f()", "x += 1 = 2", "import a.b as c.d", "from . import *", "from x import (a, b", "{1: 2, 3}", "{1, 2: 3}", "f'{'", "f'{a!x}'", "f'{}'", "b'é'", "0777", "1_", "0xg", "1e", "5a", "a ? b", "a $ b", "x = 'a' 'b", "try:\n pass", "try: pass\nexcept: pass\nexcept A: pass", "with open(x) as 1: pass", "[x for x in 1, 2]", "None = 1", "f(True=1)", "a.None", "*a", "*a = 1", "print(*a for a in b)", "def f(*): pass", "def f(a=1, b): pass", "async x", "match x:\n case a | b: pass", "match x:\n case {**r, 1: 2}: pass", "else: pass", "elif x: pass", "x if y", "not", "a not b", "assert", "raise from x", "@\ndef f(): pass", "é€ = 1", "x = \u201cq\u201d", "\\ x", "(a := 1) = 2", "a := 1", "f(a.b=1)", "if x:\npass", "else", "a, b += 1", "(yield) = 1", "x: int: 3", "(x, y): int = 1", "try:\n x\nexcept* A:\n break", "def f(**k, a): pass", "def f(/): pass", "class A(x for x in y): pass", "\0", "a\f b c"):
    try:
        compile(src, "<s>", "exec")
        print("compiled", repr(src))
    except (SyntaxError, ValueError) as e:
        print(repr(src), "".join(traceback.format_exception_only(e)), getattr(e, "end_offset", None))
Account().depositt(1)

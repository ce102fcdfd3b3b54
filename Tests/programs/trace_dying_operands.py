# When what an expression has computed dies, as an exception leaves it: the operands of the instruction that
# raised before tracers hear of the exception, what waits below them afterwards.
import sys

told = []


class K:
    def __init__(self, name="k"):
        self.name = name

    def __del__(self):
        told.append("del " + self.name)

    def fail(self, *args, **kw):
        raise KeyError

    __add__ = __radd__ = __sub__ = __neg__ = __invert__ = __lt__ = __eq__ = __getitem__ = __setitem__ = fail
    __delitem__ = __contains__ = __bool__ = __iter__ = __enter__ = __format__ = __call__ = __hash__ = fail
    __iadd__ = __pow__ = __matmul__ = fail


class N:
    """Has nothing that an operator or call could use."""

    def __init__(self, name):
        self.name = name

    __del__ = K.__del__
    __eq__ = None


class P(K):
    """Methods that take what they are called with."""
    name = ""

    def fail(self):
        raise KeyError

    def fail2(self, other):
        c = K("local")
        raise KeyError

    def fail3(self, key, value):
        raise KeyError

    __add__ = __radd__ = __sub__ = __lt__ = __eq__ = __getitem__ = __delitem__ = __contains__ = __format__ = fail2
    __iadd__ = __pow__ = fail2
    __neg__ = __invert__ = __bool__ = __iter__ = __enter__ = __call__ = __hash__ = __len__ = __next__ = fail
    __setitem__ = fail3
    __exit__ = None

    @property
    def got(self):
        raise KeyError


class A(K):
    def __setattr__(self, name, value):
        if name == "name":
            object.__setattr__(self, name, value)
        else:
            self.fail()

    __delattr__ = __getattr__ = K.fail


class W(K):
    def __enter__(self):
        return self

    def __exit__(self, *args):
        raise KeyError


def raising(*args, **kw):
    raise KeyError


def raising2(a, b=2):
    c = K("local")
    raise KeyError


class Makes:
    def __init__(self, *args):
        raise KeyError

    def method(self, *args):
        raise KeyError

    @staticmethod
    def static(*args):
        raise KeyError


class New(K):
    def __init__(self, *args):
        self.name = "new"
        raise KeyError


made = object.__new__(Makes)
EXPRESSIONS = """\
K('a') + K('b')
K('a') - 1
1 + K('b')
K('w') + (K('a') - K('b'))
[K('w'), K('v'), K('a') - K('b')]
K('w') or 1
K('a') < K('b')
K('a') == K('b')
K('a') != K('b')
-K('a')
~K('a')
not K('a')
K('a')[K('b')]
K('a')[1]
K('a')[K('b'):1]
1 in K('a')
K('b') in K('a')
K('a') is K('b') or K('a') + 1
A('a').b
A('a').b(K('b'))
A('a').b.c
raising(K('a'))
raising(K('a'), K('b'))
raising(K('a'), b=K('b'))
raising(*[K('a')], **{'b': K('b')})
raising2(K('a'), K('b'))
raising2(K('a'), b=K('b'))
[K('w'), raising2(K('a'))]
K('a').fail(K('b'))
K('a')(K('b'))
made.method(K('a'))
Makes.static(K('a'))
Makes(K('a'))
New(K('a'))
len(K('a'))
int(K('a'))
max(K('a'), K('b'))
sorted([K('a')], key=raising)
f"{K('a')}"
f"{K('a'):x}{K('b')}"
{K('a'): K('b')}
{K('a')}
{1, K('a')}
[*K('a')]
{*K('a')}
(1, *K('a'))
{**K('a')}
raising(*K('a'))
raising(**K('a'))
[x for x in K('a')]
[x for x in [K('a')] if x]
{x: x for x in [K('a')]}
{x for x in [K('a')]}
list(x for x in K('a'))
(K('a') if K('b') else 1)
K('a') and K('b')
(K('w'), K('a') and K('b'))
1 < K('a') < 2
0 < 1 < K('a')
(lambda x: x + K('b'))(K('a'))
K('a') ** K('b')
K('a') @ 1
(K('w'), 1 / 0)
(K('w'), [].nope)
(K('w'), nope)
(K('w'), [][K('a')])
(K('w'), {}[K('a')])
(K('w'), "" + K('a'))
(K('w'), [1][5])
(K('w'), [K('v')][5])
print(K('a'), sep=K('b'))
P('a').got
(K('w'), P('a').got)
(K('w'), K('v') + P('a').got)
""".splitlines()
STATEMENTS = r"""x, y = K('a')
x, *y = K('a')
x, y = [K('a')]
x, *y = []
x = K('a'); x += K('b')
k = K('a'); k[K('b')] = K('c')
K('a')[K('b')] = K('c')
K('a')[K('b')] += K('c')
A('a').b = K('c')
del K('a')[K('b')]
del A('a').b
for x in K('a'): pass
for x in [K('a')]: x + 1
for x, y in [K('a')]: pass
with K('a'): pass
with W('a'): pass
with W('a'), K('b'): pass
with W('a') as (x, y): pass
if K('a'): pass
while K('a'): break
assert K('a')
raise K('a')
raise KeyError(K('a'))
raise KeyError from K('a')
from os import nope
x: K('a') = K('b') + 1
match K('a'):\n case 1: pass
match [K('a')]:\n case [1]: pass
def f(x=K('a') + 1): pass
@raising2\ndef f(x=K('a')): pass
x = lambda y=K('a') + 1: 1
try: K('a') + 1\nfinally: x = K('b')
try: K('a') + 1\nexcept K('b'): pass
return_ = [K('a'), K('b') + 1]
exec(K('a'))
""".splitlines()


def trace(text, install):
    names = {"K": K, "N": N, "P": P, "A": A, "W": W, "raising": raising, "raising2": raising2, "Makes": Makes, "New": New, "made": made}
    code = compile(text.replace("\\n", "\n"), "<here>", "exec")
    del told[:]

    def hear(frame, event, arg):
        if frame.f_code.co_name != "__del__" and event in ("exception", "return", "c_exception"):
            told.append(f"{event} {frame.f_code.co_name}")
        return hear

    install(hear)
    try:
        exec(code, names)
    except BaseException as e:
        told.append(type(e).__name__)
        e.__traceback__ = e.__context__ = None
    finally:
        install(None)
    return told[:]


# Where what dies first is another than in python3.11 (Doc/tracing.rst).
OTHERWISE = ["x = K('a')[K('b'):1]", "x = K('a')(K('b'))", "x = {K('a')}", "x = {1, K('a')}", "x = raising(*K('a'))",
             r"match K('a'):\n case 1: pass", r"match [K('a')]:\n case [1]: pass"]
TEXTS = [f"x = {e}" for e in EXPRESSIONS] + STATEMENTS
for text in (TEXTS + [t.replace("K('a')", "P('a')") for t in TEXTS if "K('a')" in t]
             + [t.replace("K(", "N(") for t in TEXTS if "K(" in t and t not in OTHERWISE]):
    if "P('a')(" in text:       # the arguments die before the callable
        continue
    in_function = "def run():\n " + text.replace("\\n", "\\n ") + "\nrun()"
    for source in text, in_function:
        for install in sys.settrace, sys.setprofile:
            print(repr(text), *trace(source, install), sep=", ")

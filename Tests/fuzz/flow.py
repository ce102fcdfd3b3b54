"""Programs that are dense in what decides about lines: every statement within every other, several
on a line, lines broken anywhere, ends that are not run. What their tests and calls give is drawn
when they run, so that one program takes many ways.

They end: whatever they call raises Done after LIMIT calls, and every turn of a `while` calls something
outside of its own handlers."""
import io
import random
import tokenize

LIMIT = 60

PRELUDE = """\
class Done(BaseException): pass
class Draw:
    def __call__(self, choices):
        self.count += 1
        if self.count > LIMIT: raise Done
        return self.random.choice(choices)
    def begin(self, seed): self.random, self.count = Random(seed), 0
draw = Draw()
NOTHING = [None] * 77 + [KeyError] * 10 + [ValueError] * 5 + [TypeError] * 5 + [ExceptionGroup] * 3
def t(*a): return draw((False, True))
def r(*a):
    kind = draw(NOTHING)
    if kind is ExceptionGroup: raise kind('m', [ValueError(1), KeyError(2)])
    if kind: raise kind(1)
    return a[0] if a else 1
def v(*a):
    return draw((0, 1, 2, 'a', 'two', None, (), (1,), (1, 2), [3, 4], [1, (2, 3)], {'k': 5}, {},
                 {'k': 1, 'z': 2}, K(1), K(K(2)), 1.5))
def it(*a): return draw(((), (1,), [1, 2], (1, 2, 3)))
def p(*a): return draw(([(1, 2)], [], [(1, 2), (3, 4)], [(1, (2, 3))], [1]))
def f1(x=0, y=2, *z, k=3, **kw): return (x, y, z, k, sorted(kw, key=repr))
class K:
    __match_args__ = ('v',)
    def __init__(self, v=None): self.v = v
    def __eq__(self, o): return isinstance(o, K) and self.v == o.v
    def __add__(self, o): return 1
async def co(x=1): return r(x)
async def ag(x):
    for y in x: yield y
def run(c):
    try:
        while True: c.send(None)
    except StopIteration as x: return x.value
    finally: c.close()
class AC:
    def __init__(self, v=0): self.v = v
    async def __aenter__(self): return self.v
    async def __aexit__(self, t_, e, tb): return t()
class C:
    def __init__(self, v=0): self.v = v
    def __enter__(self): return r(1, 2) and (1, 2)
    def __exit__(self, t_, e, tb): return t()
def deco(f): return f
def deco2(*a): return deco
def begin(seed):
    global a, b, c, d, e, x1, y1, k1, x, y, z
    draw.begin(seed)
    a, b, c, d, e, x1, y1, k1, x, y, z = start()
def start(): return 1, 'two', [3, 4], {'k': 5}, None, 1, 2, K(), 3, 3, 3
"""
MAIN = "def main(a, b, c, d, e, x1, y1, k1, x, y, z):\n"

SIMPLE = """\
x = r(a)
x = t()
x = y = a
x = 1
x = 1, 2
x, y = a, b
x, y = r(1), r(2)
x, *y = c
x, (y, z) = p()[0]
x = [1, 2, r(3)]
x = {1: r(a), 'b': 2}
x = {**d, 1: r(a)}
x = a + r(1) + a
x = -r(1)
x = not t()
x = a < r(2) < 3
x = a is None
x = a in (1, r(2))
x = t() and t()
x = t() or t()
x = t() and t() or t()
x = (t() or t()) and t()
x = not (t() and t())
x = 1 if t() else 2
x = r(a) if t() else r(c)
x = a if t() and t() else d
x = (a if t() else c) if t() else e
x = c[r(0)]
x = c[0:r(1)]
c[0] = r(a)
c[r(0)] = r(1)
c[a - 1] += r(1)
d['k'] = 1
del x1
del c[0], x1
x = K(r(a))
x = K(v=r(a))
x = f1(r(a), k=r(1), **{'m': 1})
x = f1(*c, k=3)
x = f1(a, *it(), **{'n': 1})
x = b.upper().lower()
x = b.replace('t', r('u')).strip()
k1.v = r(a)
k1.v += r(1)
x = [i for i in it()]
x = [r(i) for i in it() if t()]
x = {i: r(i) for i in it() for j in it()}
x = list(r(i) for i in it())
x = lambda: r(a)
x = (lambda y=r(1): y + a)(a)
x = f'{r(a)}{b!r:>5}'
x = '%s %r' % (a, r(b))
x = (y := r(a)) + y
x: int = r(a)
x: int
x += r(1)
r(a)
a
...
'text'
1
assert t()
assert t(), r(b)
assert t() and t(), r(c)
assert not t()
raise ValueError(r(a))
raise KeyError(1) from ValueError(2)
pass
global gx; gx = 1
import os
from os import path, sep as s
K(a); r(b)
x = a; y = b
x = yy
x = c[9]
x = b.nope(a)
x = f1(a, r(1), r(2))
x = t() if t() and not (y := t()) else t() or r(3)
print(end='')
x = a and r(b) if t() else c
x = [*c, *it()]
x = {*it(), r(1)}
x = 'a' 'b'
del (x1, [y1])
x = [[j for j in it()] for i in it()]
x = sorted(it(), key=lambda y: r(y))
x = (1, 2, r(a))[0]
x = isinstance(r(a), (int, str))
k1.v, c[0] = r(1), r(2)
x = k1.v.real
x = a if a is None else r(b)
x = t() == t() == t()
x = v() is None or t()
x = d.get('k', r(1)) or r(2)
exec('x = r(1)')
x = super""".splitlines()
IN_LOOPS = ["break", "continue", "if t(): break", "if t(): continue"]
IN_FUNCTIONS = ["return", "return r(a)", "return 1", "return t() and t()", "return r(a) if t() else 2", "return a, r(b)",
                "return None", "if t(): return", "if t(): return 1", "return [i for i in it()]", "return not t()",
                "return t() or t()"]
IN_GENERATORS = ["yield", "yield r(a)", "x = yield r(1)", "x = yield from it()", "x = yield from (r(i) for i in it())",
                 "x = [(yield 1), r(2)]", "yield t() and (yield 2)", "yield (yield)"]
IN_COROUTINES = ["x = await co()", "await co(r(1))", "x = [await co(i) async for i in ag(it()) if t()]",
                 "x = await co() + await co()", "return await co()"]
CONDITIONS = """\
t()
not t()
t() and t()
t() or t()
t() and (t() or t())
(t() and t()) or t()
not (t() and t()) or t()
v()
v() is None
v() is not None
v() == 1
a < r(2) < 3
t() if t() else t()
(y := t())
(y := t()) and y
r(0)
v() in (1, None)
v() == 1 == a
not v()
t() and 1
t() or 0
[i for i in it()]
v() not in (1, 'a')
not not t()""".splitlines()             # each calls something
CONSTANTS = ["1", "0", "True", "e and t()", "a or t()", "__debug__", "1 and t()", "0 or t()", "x if t() else e",
             "lambda: 1", "()"]
PATTERNS = """\
1
'two'
_
y
None
True
1 | 2
1 | 'a' | 'two'
int()
str() | bytes()
int(y)
(y, z)
[y, *z]
[1, *_]
[_, 2]
[*_]
[]
(1, (2 | 3) as y)
[1, (y, z)]
{'k': 5}
{'k': y}
{'k': y, **z}
{**z}
{}
{'k': 1, 'z': int(y)}
K()
K(1)
K(v=1)
K(v=y)
K(K(y))
K(1) | K(K(2))
(1 as y) | (2 as y)
1.5
-1
K.v
(y)
1 as y
[1, *y] as z
[(1 | 3), y] | [y]
int() | float() as y
[3, 4] | {'k': 5}
[K() as y, *_]
(1 | 2 | 3) | None
1 + 2j
tuple((y, _))""".splitlines()
SUBJECTS = ["v()", "v()", "v(), v()", "a", "r(c)", "r(d)", "*it(), 1", "(y := v())"]
FOR = [("i", "it()"), ("i", "it()"), ("i, j", "p()"), ("i, *j", "p()"), ("c[0]", "it()"), ("k1.v", "it()"), ("i", "range(2)"),
       ("(i, (j, z))", "p()"), ("[i, j]", "p()"), ("i", "1, 2"), ("i", "[r(1), 2]"), ("i", "()"), ("i", "(r(j) for j in it())"),
       ("i", "c")]
WITH = ["C()", "C(r(a)) as y", "C() as (y, z)", "C(), C()", "C() as y, C(r(1)) as z", "(C() as y, C() as z)", "C() as c[0]",
        "C(a) as k1.v", "(C(), C(r(b)))", "C() as [y, *z]", "(C())", "(C() as y)", "(C(), C(),)"]
EXCEPT = ["KeyError", "ValueError", "(KeyError, ValueError)", "Exception", "r(KeyError)", "BaseException",
          "(r(KeyError), TypeError)", "1", "ExceptionGroup"]
EXCEPT_STAR = EXCEPT[:6]
# The statement, and how it is used.
CALLS = ["x = [{}() for i in it()]", "x = {}() or r(1)", "x = {}() if t() else {}()", "f1({}(), {}())", "r({}())",
         "if {}(): pass", "x = not {}()", "{}()", "{}(); {}()"]
GENERATOR_CALLS = ["list({}())", "for i in {}(): r(i)", "q = {}(); next(q, 0); q.throw(KeyError)",
                   "q = {}(); next(q, 0); q.close()", "q = {}(); next(q, 0); q.send(1); del q", "x, *y = {}()"]
KINDS = ("if if if while while for for try try finally finally tryfinally with match match match function generator "
         "coroutine asyncgenerator class star").split()
COMPOUND = (" ", "if ", "while ", "for ", "try", "with ", "match ", "def ", "async ", "class ", "@", "elif", "else", "except",
            "finally", "case")


class Writer:
    """Writes statements for a place: whether it is in a loop, in `except*`, and in what function."""

    def __init__(self, rng):
        self.rng = rng
        self.choice = rng.choice
        self.names = 0

    def chance(self, probability):
        return self.rng.random() < probability

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def block(self, depth, place):
        return [line for _ in range(self.choice((1, 1, 1, 2, 2, 3))) for line in self.statement(depth, place)]

    def under(self, head, depth, place, first=()):
        """The head with its block, sometimes on one line."""
        body = [*first, *self.block(depth, place)]
        if self.chance(.35) and not any(line.startswith(COMPOUND) for line in body):
            return [f"{head} {'; '.join(body)}"]
        return [head] + ["    " + line for line in body]

    def simple(self, place):
        function = place["function"]
        asynchronous = function in ("coroutine", "asyncgenerator")
        kind = self.rng.random()
        if place["loop"] and kind < .12:
            return self.choice(IN_LOOPS)
        if function and kind < .24 and not place["star"]:
            text = self.choice(IN_FUNCTIONS)
            return "return" if function == "asyncgenerator" and "return " in text else text
        if function in ("generator", "asyncgenerator") and kind < .34:
            text = self.choice(IN_GENERATORS)
            return "yield r(1)" if asynchronous and "from" in text else text
        if asynchronous and kind < .4:
            text = self.choice(IN_COROUTINES)
            return "await co()" if "return" in text and (place["star"] or function == "asyncgenerator") else text
        text = self.choice(SIMPLE)
        return text.replace("gx", self.name("gx")) if text.startswith("global") else text

    def condition(self):
        return self.choice(CONDITIONS) if self.chance(.7) else self.choice(CONSTANTS)

    def statement(self, depth, place):
        if depth <= 0 or self.chance(.3):
            return [self.simple(place)]
        return getattr(self, "write_" + self.choice(KINDS))(depth - 1, place)

    def otherwise(self, depth, place):
        return self.under("else:", depth, place) if self.chance(.4) else []

    def write_if(self, depth, place):
        lines = self.under(f"if {self.condition()}:", depth, place)
        while self.chance(.3):
            lines += self.under(f"elif {self.condition()}:", depth, place)
        return lines + self.otherwise(depth, place)

    def write_while(self, depth, place):
        inside = {**place, "loop": True, "star": False}
        condition = self.condition()
        first = [] if condition in CONDITIONS and self.chance(.5) else ["t()"]
        return self.under(f"while {condition}:", depth, inside, first) + self.otherwise(depth, place)

    def is_async(self, place):
        return place["function"] in ("coroutine", "asyncgenerator") and self.chance(.6)

    def write_for(self, depth, place):
        target, iterable = self.choice(FOR)
        head = f"for {target} in {iterable}:"
        if self.is_async(place):
            head = f"async for {target} in ag({'it()' if target == 'i' else iterable}):"
        return self.under(head, depth, {**place, "loop": True, "star": False}) + self.otherwise(depth, place)

    def handlers(self, depth, place):
        lines = []
        for _ in range(self.choice((1, 1, 2))):
            lines += self.under(f"except {self.choice(EXCEPT)}{self.choice(('', ' as x', ' as y'))}:", depth, place)
        if self.chance(.3):
            lines += self.under("except:", depth, place)
        return lines + self.otherwise(depth, place)

    def write_try(self, depth, place):
        return self.under("try:", depth, place) + self.handlers(depth, place)

    def write_finally(self, depth, place):
        return self.under("try:", depth, place) + self.under("finally:", depth, place)

    def write_tryfinally(self, depth, place):
        return self.write_try(depth, place) + self.under("finally:", depth, place)

    def write_star(self, depth, place):
        lines = self.under("try:", depth, place)
        for _ in range(self.choice((1, 1, 2))):
            lines += self.under(f"except* {self.choice(EXCEPT_STAR)}{self.choice(('', ' as x'))}:", depth,
                                {**place, "loop": False, "star": True})
        lines += self.otherwise(depth, place)
        return lines + (self.under("finally:", depth, place) if self.chance(.4) else [])

    def write_with(self, depth, place):
        items = self.choice(WITH)
        if self.is_async(place):
            return self.under(f"async with {items.replace('C(', 'AC(')}:", depth, place)
        return self.under(f"with {items}:", depth, place)

    def write_match(self, depth, place):
        lines = [f"match {self.choice(SUBJECTS)}:"]
        count = self.choice((1, 1, 2, 3))
        for k in range(count):
            pattern = self.choice(PATTERNS)
            matches_all = pattern in ("_", "y", "(y)") and k < count - 1
            guard = f" if {self.condition()}" if matches_all or self.chance(.4) else ""
            lines += ["    " + line for line in self.under(f"case {pattern}{guard}:", depth, place)]
        return lines

    def inside(self, depth, kind, head):
        return self.under(head, depth, {"function": kind, "loop": False, "star": False})

    def write_function(self, depth, _):
        name = self.name("q")
        signature = self.choice(("x=r(a), y=2", "x=1, y=2", "*x, y=a, **k", "x: int = 1, y: r(2) = 3"))
        result = self.choice(("", "", " -> r(1)"))
        lines = self.choice(([], [], ["@deco"], ["@deco", "@deco2(r(a), 1)"]))
        return (lines + self.inside(depth, "function", f"def {name}({signature}){result}:")
                + [self.choice(CALLS).replace("{}", name)])

    def write_generator(self, depth, _):
        name = self.name("q")
        lines = self.inside(depth, "generator", f"def {name}(x=1, y=2):")
        lines += ["    yield"] if len(lines) > 1 else []
        call = self.choice(GENERATOR_CALLS).replace("{}", name)
        return lines + (call.split("; ") if self.chance(.5) else [call])

    def write_coroutine(self, depth, _):
        name = self.name("q")
        return self.inside(depth, "coroutine", f"async def {name}(x=1, y=2):") + [f"run({name}())"]

    def write_asyncgenerator(self, depth, _):
        name = self.name("q")
        lines = self.inside(depth, "asyncgenerator", f"async def {name}(x=1, y=2):")
        lines += ["    yield"] if len(lines) > 1 else []
        return lines + [f"async def {name}u(x):", f"    async for i in {name}(): r(i)",
                        f"    return [i async for i in {name}() if t()]", f"run({name}u(1))"]

    def write_class(self, depth, _):
        name = self.name("q")
        bases = self.choice(("", "(K)", "(K, metaclass=r(type))"))
        return (self.choice(([], ["@deco"], ["@deco2(r(a))"]))
                + self.inside(depth, None, f"class {name}{bases}:"))


OUTSIDE = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def broken(rng, text, probability):
    """The same program with a new line between tokens, in brackets or behind a backslash."""
    lines, at, depth, before, out = text.splitlines(keepends=True), (1, 0), 0, None, []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        gap = ""
        for row in range(at[0], token.start[0] + 1):
            line = lines[row - 1] if row <= len(lines) else ""
            gap += line[at[1] if row == at[0] else 0:token.start[1] if row == token.start[0] else None]
        within = before is not None and before.type not in OUTSIDE and token.type not in OUTSIDE
        if within and "\n" not in gap and rng.random() < probability:
            gap = "\n" if depth else " \\\n"
        out.append(gap + ("" if token.type == tokenize.DEDENT else token.string))
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        at, before = token.end, token
    return "".join(out)


def program(rng):
    """Text of a module, or of a function main()."""
    while True:
        function = "function" if rng.random() < .6 else None
        lines = Writer(rng).block(rng.choice((1, 2, 2, 3, 3)), {"function": function, "loop": False, "star": False})
        text = "".join(f"{'  ' if function else ''}{line}\n" for line in lines)
        if function:
            text = MAIN + text
        try:
            compile(text, "<fuzz>", "exec")
            text = broken(rng, text, rng.choice((0, .03, .1, .1, .3, .6, 1)))
            compile(text, "<fuzz>", "exec")
            return text
        except SyntaxError:         # a global of another use, say
            pass


def prepared(text):
    """A function that runs the program, in the way that its argument decides."""
    names = {"Random": random.Random, "LIMIT": LIMIT}
    exec(compile(PRELUDE, "<prelude>", "exec"), names)
    code = compile(text, "<fuzz>", "exec")
    is_function = "main" in code.co_names
    if is_function:
        exec(code, names)

    def run(seed):
        names["begin"](seed)
        if is_function:
            names["main"](*names["start"]())
        else:
            exec(code, names)
    return run

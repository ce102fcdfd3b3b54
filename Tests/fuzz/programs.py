"""Random sources: programs from a grammar, which end by construction, and real
files of the standard library with damage done to their tokens and bytes."""
import functools
import io
import os
import tokenize

STDLIB = os.path.dirname(os.__file__)

# --- expressions and statements ----------------------------------------------

NAMES = "abcde"
CONSTANTS = ["0", "1", "-1", "2", "3", "7", "255", "256", "10**20", "-(2**31)", "2**63", "1.5",
             "-0.0", "1e300", "3j", "True", "False", "None", "...", "''", "'a'", "'xyz'",
             "'\\xe9\\u20ac'", "b''", "b'ab'", "[]", "[1, 2, 3]", "()", "(1,)", "{}", "{1: 2}",
             "{'a': 1}", "{1, 2}", "range(4)", "slice(1, None)", "float('inf')",
             "float('nan')", "bytearray(b'xy')", "frozenset('ab')"]
BINARY = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "@", "<", "<=", ">", ">=", "==", "!=",
          "in", "not in", "is", "and", "or"]
CALLS = ["len", "str", "repr", "list", "tuple", "sorted", "abs", "bool", "int", "float", "hex",
         "sum", "min", "max", "type", "bytes", "dict", "enumerate", "zip", "reversed",
         "iter", "ord", "chr", "divmod", "round", "callable", "any", "all", "ascii", "bin",
         "complex", "format", "isinstance", "issubclass", "next", "slice"]
METHODS = ["upper", "split", "join", "append", "pop", "get", "keys", "items", "count", "index",
           "strip", "replace", "extend", "insert", "sort", "reverse", "copy", "update", "add",
           "discard", "union", "bit_length", "encode", "decode", "startswith", "find", "title",
           "as_integer_ratio", "conjugate", "is_integer", "hex", "setdefault", "popitem",
           "partition", "zfill", "center", "isdigit", "casefold", "clear", "remove", "real"]


def expression(rng, depth=3):
    """Text of an expression over the variables a to e."""
    if depth <= 0 or rng.random() < 0.15:
        return rng.choice(NAMES) if rng.random() < 0.6 else f"({rng.choice(CONSTANTS)})"
    e = functools.partial(expression, rng, depth - 1)
    return rng.choice(EXPRESSIONS)(rng, e)


# Loops over a few items end, even if they append to what they run over.
EXPRESSIONS = [
    lambda r, e: f"({e()} {r.choice(BINARY)} {e()})",
    lambda r, e: f"({e()} {r.choice(BINARY)} {e()})",
    lambda r, e: f"({e()} {r.choice(['<', '==', '>=', 'in'])} {e()} {r.choice(['<', '!='])} {e()})",
    lambda r, e: f"({r.choice(['-', '+', '~', 'not '])}{e()})",
    lambda r, e: f"({e()} if {e()} else {e()})",
    lambda r, e: f"{r.choice(CALLS)}({e()})",
    lambda r, e: f"{r.choice(CALLS)}({e()}, {e()})",
    lambda r, e: f"{e()}.{r.choice(METHODS)}()",
    lambda r, e: f"{e()}.{r.choice(METHODS)}({e()})",
    lambda r, e: f"{e()}.{r.choice(METHODS)}",
    lambda r, e: f"{e()}[{e()}]",
    lambda r, e: f"{e()}[{e()}:{e()}]",
    lambda r, e: f"[{e()}, *{e()}]",
    lambda r, e: f"({e()}, {e()})",
    lambda r, e: "{%s: %s, **%s}" % (e(), e(), e()),
    lambda r, e: "{%s}" % e(),     # None's hash is an address: larger sets have any order
    lambda r, e: f"[{e()} for {r.choice(NAMES)} in _few({e()})]",
    lambda r, e: f"[{e()} for {r.choice(NAMES)} in _few({e()}) if {e()}]",
    lambda r, e: "{%s: %s for %s in _few(%s)}" % (e(), e(), r.choice(NAMES), e()),
    lambda r, e: f"sum({e()} for {r.choice(NAMES)} in _few({e()}))",
    lambda r, e: f"(lambda {r.choice(NAMES)}, *rest, k={e()}: {e()})({e()})",
    lambda r, e: f"({r.choice(NAMES)} := {e()})",
    lambda r, e: "f'{%s!r:>5}|{%s}'" % (e().replace("'", '"').replace("\\", ""),
                                       e().replace("'", '"').replace("\\", "")),
    lambda r, e: f"'%s %r' % ({e()}, {e()})",
    lambda r, e: f"f1({e()}, {e()})",
    lambda r, e: f"f1(*{e()}, **{e()})",
    lambda r, e: f"K({e()})",
    lambda r, e: f"list(g1({e()}))",
    lambda r, e: "f'{%s!s:{%s}}{%s=}'" % (r.choice(NAMES), r.choice(["1", "9", *NAMES]), r.choice(NAMES)),
    lambda r, e: f"[{r.choice(NAMES)} := {e()}, {r.choice(NAMES)}, *({e()}, {e()})]",
    lambda r, e: f"[(x, y) for x in _few({e()}) for y in _few({e()}) if (z := {e()}) != x][:20]",
    lambda r, e: f"(lambda *a, b={e()}, **kw: (a, b, kw))(*_few({e()}), **{{'k': {e()}}})",
    lambda r, e: f"f1({e()}, *{e()}, k={e()})",
    lambda r, e: f"[*{e()}, *{e()}][{e()}:]",
    lambda r, e: f"({e()} and {e()} or not {e()})",
    lambda r, e: f"[(lambda: x)() for x in _few({e()})]",
    lambda r, e: f"run({r.choice(['co', 'aco'])}({e()}))",
    lambda r, e: f"K({e()}).v",
    lambda r, e: f"(lambda a, /, b, *, c={e()}: [a, b, c])({e()}, b={e()})",
    lambda r, e: f"list(g2({e()}))",
    lambda r, e: f"{e()}[{e()}, {e()}]",
]

PATTERNS = ["(1, [2, *_]) | {'k': 5}", "K(K(x))", "K(v=[*_, x])", "{'k': int(y), 'a': _}", "[K() as x, *_]", "str(x)",
            "{**y}", "[[x], *y]", "bool() | float() | complex()", "1+2j", "b'ab'", "tuple([x, _])",
            "dict() as x", "list((x, y))", "1", "'a'", "None", "[x, *y]", "[_, 2]", "{'a': x, **y}", "int(x)", "str() | bytes()",
            "(1 | 2) as x", "K(v=x)", "(x, y)", "_", "-1", "1.5", "[]", "{}", "float()"]


# (rng, an expression, a variable, a name) -> lines
LONG_STATEMENTS = [
    lambda r, e, n, f: [        # closures that share and rebind variables
        f"def {f}({n}):", f"    x = {e()}", f"    def inner(y={n}):", f"        nonlocal x, {n}",
        f"        x, {n} = {n}, y", f"        return [x, {n}]", f"    return inner(), inner({e()}), x, {n}",
        f"_log({f}({e()}))"],
    lambda r, e, n, f: [        # leaving loops and functions through finally
        f"def {f}({n}):", f"    for i in range(3):", f"        try:",
        f"            if i == {r.randrange(4)}: {r.choice(['break', 'continue', 'return i', 'raise KeyError(i)'])}",
        f"            {n} = {e()}", f"        except {r.choice(['KeyError', 'TypeError', 'Exception'])} as x:",
        f"            _log(_error(x)); {r.choice(['raise', 'raise ValueError from x', 'pass', 'continue', 'return 5'])}",
        f"        finally:", f"            {r.choice(['_log(i)', 'if i: break', 'if i: continue', 'if i == 2: return 7'])}",
        f"    else: {n} = 'else'", f"    return {n}", f"_log({f}({e()}))"],
    lambda r, e, n, f: [        # generators that are driven from outside
        f"def {f}({n}):", f"    try:", f"        x = yield {e()}", f"        y = yield x, {n}",
        f"        yield from _few({e()})", f"    except {r.choice(['ValueError', 'GeneratorExit', 'Exception'])} as x:",
        f"        _log(_error(x)); {r.choice(['raise', 'yield 9', 'return 4', 'raise KeyError'])}",
        f"    finally: _log('end')", f"g = {f}({e()})",
        *(f"try: _log(g.{r.choice(['send(None)', 'send(1)', 'throw(ValueError(2))', 'close()', '__next__()'])})\n"
          f"except BaseException as x: _log(_error(x))" for _ in range(r.randint(1, 5))),
        f"del g"],
    lambda r, e, n, f: [        # decorators, class and static methods, properties, slots
        f"def deco(*a): return lambda f: (_log((a, type(f).__name__)), f)[1]", f"@deco({e()})",
        f"class {f.upper()}(K{r.choice(['', ', metaclass=type', ', x=1'])}):",
        f"    {r.choice(['__slots__ = ()', 'v = 7', 'x: int = 3', 'def __init_subclass__(cls, **k): _log(k)'])}",
        f"    @property", f"    def p(self): return {e()}", f"    @classmethod",
        f"    def c(cls, x=1): return cls.__name__, x", f"    @staticmethod", f"    def s(*a): return a",
        f"    def __getattr__(self, name): return name * 2",
        f"x = {f.upper()}({e()})", f"_log((x.c(), x.s({e()}), x.zz)); _log(x.p)", f"x.p = 1"],
    lambda r, e, n, f: [        # coroutines
        f"async def {f}({n}):", f"    async with AC({e()}) as x:",
        f"        {r.choice(['return', 'await co(1); raise KeyError(2)', '_log(await co(x))', 'x = await 5'])}",
        f"    async for y in ag({e()}):", f"        if y == {e()}: {r.choice(['break', 'continue', 'return y'])}",
        f"        {n} = await co({n})", f"    else: _log('else')",
        f"    return [z async for z in ag({n}) if {e()}], {{z: await co(z) async for z in ag('ab')}}",
        f"_log(run({f}({e()})))"],
    lambda r, e, n, f: [        # exception groups, within each other
        f"try:",
        f"    try: raise ExceptionGroup('m', [ValueError({e()}), TypeError(1), ExceptionGroup('n', [KeyError({e()})])])",
        f"    except* {r.choice(['ValueError', 'TypeError', 'KeyError', '(KeyError, ValueError)'])} as x:",
        f"        _log(_error(x)); {r.choice(['pass', 'raise', 'raise OSError(3)', 'x = 1'])}",
        f"    except* {r.choice(['TypeError', 'Exception', 'OSError'])} as x: _log(_error(x))",
        f"    else: _log('else')", f"    finally: _log('f')",
        f"except BaseException as x: _log(_error(x)); _log(_error(x.__context__ or x))"],
    lambda r, e, n, f: [        # stores of every kind
        f"[{n}, (x, *y), z] = {e()}, _few({e()}), {e()}", f"x = y = [{e()}]", f"x[0]: int = {e()}",
        f"x[{r.choice(['0', '-1', ':', '::2', '0:9'])}] {r.choice(['', '+', '*', '-'])}= {e()}", f"del x[{e()}], y",
        f"for x[0], *z in [({e()}, 1), 'ab']: _log((x, z))", f"with C({e()}) as (x, y), C(1) as z: _log((x, y, z))"],
    lambda r, e, n, f: [        # variables that come and go
        f"def {f}({n}, x=0):", f"    if {e()}: del {r.choice(['x', n])}", f"    try: _log({r.choice(['x', n, 'y'])})",
        f"    except NameError as y: _log(_error(y))", f"    {r.choice(['y', 'x', n])} = [{n} for x in _few({e()})]",
        f"    return sorted(locals()), x", f"_log({f}({e()}))"],
]


def statement(rng, depth, indent):
    """Lines of one statement."""
    pad = "    " * indent
    e = functools.partial(expression, rng, 2)
    n = rng.choice(NAMES)
    # python3.11 gives `(d, d) = (1, 2)` in a function the first value, a fault of its optimiser.
    other = rng.choice([name for name in NAMES if name != n])

    def body():
        return block(rng, depth - 1, indent + 1)
    kind = rng.random()
    if depth <= 0 or kind < 0.3:
        return [pad + rng.choice([
            f"{n} = _c({e()})", f"{n} {rng.choice(['+', '-', '*', '//', '%', '|', '&', '^'])}= {e()}",
            f"{n}, *{rng.choice(NAMES)} = {e()}", f"({n}, {other}) = {e()}",
            f"del {n}", f"{n}[{e()}] = {e()}", f"{n}.v = {e()}", f"assert {e()}, {e()}",
            f"raise ValueError({e()})", f"_log({e()})", f"{n}: int = {e()}", f"{n} = _c({n})",
            f"global {n}x", f"{n} = lambda {n}=1, /, *, z={e()}: {e()}"])]
    if kind < 0.42:
        return [f"{pad}if {e()}:"] + body() + [f"{pad}elif {e()}:"] + body() + [f"{pad}else:"] + body()
    if kind < 0.54:
        return [f"{pad}for {n} in _few({e()}):"] + body() + rng.choice(
            [[], [f"{pad}    if {e()}: break"], [f"{pad}    continue"]]) + rng.choice(
            [[], [f"{pad}else:"] + body()])
    if kind < 0.6:
        t = f"t{indent}"
        return [f"{pad}{t} = {rng.randrange(4)}", f"{pad}while {t} > 0 and ({e()} or True):",
                f"{pad}    {t} -= 1"] + body()
    if kind < 0.75:
        last = [f"{pad}except (TypeError, {rng.choice(['KeyError', 'ValueError', 'IndexError'])}) as {n}:"]
        if rng.random() < 0.2:
            last = [f"{pad}except* (TypeError, ValueError) as {n}:"]
        return [f"{pad}try:"] + body() + last + body() + rng.choice(
            [[], [f"{pad}else:"] + body(), [f"{pad}finally:"] + body()])
    if kind < 0.8:
        return [f"{pad}with C({e()}) as {n}:"] + body()
    if kind < 0.87:
        return ([f"{pad}match {e()}:"]
                + [line for _ in range(rng.randint(1, 3))
                   for line in ([f"{pad}    case {rng.choice(PATTERNS)} if {e()}:"]
                                + block(rng, depth - 1, indent + 2))])
    name = rng.choice(["p", "q"])
    if rng.random() < 0.5:
        lines = rng.choice(LONG_STATEMENTS)(rng, e, n, name)
        return [pad + line for text in lines for line in text.split("\n")]
    if kind < 0.93:
        return ([f"{pad}def {name}({n}={e()}, *args, **kw):"] + body()
                + [f"{pad}    return {e()}", f"{pad}_log({name}({e()}))"])
    if kind < 0.96:
        return ([f"{pad}def {name}({n}):"] + body() + [f"{pad}    yield {e()}",
                f"{pad}    {n} = yield from _few({e()})", f"{pad}_log(list({name}({e()})))"])
    return ([f"{pad}class {name.upper()}(K):"] + body()
            + [f"{pad}    def m(self, x=1): return super().__repr__(), {e()}",
               f"{pad}_log({name.upper()}({e()}).m())"])


def block(rng, depth, indent):
    lines = []
    for _ in range(rng.randint(1, 3)):
        lines += statement(rng, depth, indent)
    return lines


PRELUDE = """\
def _c(x):
    if isinstance(x, int): return x % 10**40 if abs(x) > 10**40 else x
    if isinstance(x, (str, bytes, list, tuple)): return x[:30]
    return x
def _few(x):
    for i, y in enumerate(x):
        if i == 5: return
        yield y
def f1(x, y=2, *z, k=3, **kw): return (x, y, z, k, sorted(kw, key=repr))
def g1(x):
    try:
        for y in _few(x):
            z = yield y
    finally:
        _log('closed')
class K:
    __match_args__ = ('v',)
    def __init__(self, v=None): self.v = v
    def __repr__(self): return 'K(%r)' % (self.v,)
    def __eq__(self, o): return isinstance(o, K) and self.v == o.v
    __hash__ = None
    def __add__(self, o): return K(self.v + o)
    def __getitem__(self, i):
        if i == 100: raise IndexError  # v may be a class: list[i] has no end
        return self.v[i]
def g2(x):
    y = yield x
    return (yield y)
async def co(x): return x
async def ag(x):
    for y in _few(x): yield y
async def aco(x): return [y async for y in ag(x)]
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
a, b, c, d, e = 1, 'two', [3, 4], {'k': 5}, None
"""


def parses(lines):
    try:
        compile("\n".join(lines) + "\n", "<fuzz>", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def program(rng):
    """Top-level statements, each in a try of its own; few that don't parse."""
    lines = []
    for _ in range(rng.randint(2, 6)):
        part = ["try:"] + block(rng, rng.randint(0, 3), 1) + ["except BaseException as _x:", "    _log(_error(_x))"]
        if rng.random() < 0.02 or parses(part):
            lines += part
        if rng.random() < 0.3:
            lines.append("a = 1; b = 'two'; c = [3, 4]; d = {'k': 5}; e = None")
    return "\n".join(lines) + "\n"


def in_function(text):
    """The same program with local variables."""
    return ("def main(a, b, c, d, e):\n" + "".join(f"    {line}\n" for line in text.splitlines())
            + "main(1, 'two', [3, 4], {'k': 5}, None)\n")


def broken_lines(rng, text):
    """The same program with expressions in brackets over several lines."""
    out, depth = [], 0
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    lines, at = text.splitlines(keepends=True), (1, 0)
    for token in tokens:
        for row in range(at[0], token.end[0] + 1):
            first = at[1] if row == at[0] else 0
            line = lines[row - 1] if row <= len(lines) else ""
            out.append(line[first:token.end[1]] if row == token.end[0] else line[first:])
        at = token.end
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        if depth > 0 and rng.random() < 0.1:
            out.append("\n")
    return "".join(out)


# --- damaged sources ---------------------------------------------------------

SNIPPETS = [
    "x = 1\n", "def f(a, /, b=1, *c, d, **e) -> int:\n    return a\n", "if x:\n\tpass\n        y\n",
    "async def f():\n    async with a as b, c: await d\n    return [x async for x in y]\n",
    "match x:\n    case {'a': [1, *_], **rest} | C(a=1) if z: pass\n",
    "with (open(a) as b, c as (d, e)): pass\n", "try: pass\nexcept* E as e: pass\n",
    "f'{x!r:>{w}} {{}} {y=}' rb'a' \"\"\"m\n\"\"\"\n", "lambda *a, b=1, **c: (yield)\n",
    "from . import (a as b, c,)\nimport a.b.c as d\n", "@d\nclass A(B, metaclass=C):\n    x: int = 1\n",
    "a = b = *c, d = [*e], {**f}, (yield)\n", "x[1:2, ..., ::3] = ~y ** -z if a else not b\n",
    "global a; nonlocal b; del (a), [b]; assert x, y; raise a from b\n", "print(f'{a:{b}}', end='')\n",
    "def f(): # type: (int) -> str\n    x = [] # type: list\n", "0x_f + 0b1_0 + 1_0.e-1j + 0o7\n",
    "while x:\n    break\nelse:\n    continue\n", "(a := 1, b) <> c\n", "\\\n\n\f x\n", "'\\N{BULLET}\\x41'\n",
    "# -*- coding: latin-1 -*-\nx = '\xe9'\n", "if 1:\n  if 2:\n    x\n   y\n", "[" * 30 + "]" * 30 + "\n",
    "f'{x!r:{y}{z}}{{{a}}}' f\"{b['c']}\"\n", "f'''{\nx\n}''' rf'\\{x}' F'{x:%H:%M}' f'{x=!a:>5}'\n",
    "@a.b[c](d) @ e\n@(yield)\n@x if y else z\nasync def f(): return [await x async for x in y]\n",
    "match a, *b:\n    case -1+2j | 'a' 'b' | x.y.z: pass\n    case [(1 | 2) as c, *_] | {'k': v, **r}: pass\n"
    "    case C(a, b=D()): pass\n",
    "lambda a, /, b=1, *, c, **d: (yield from a)\nlambda *, a: (a := 1)\n", "x[*a, 1:2] = *b, c\nx[a:=1]\n",
    "def f(*, a): nonlocal a; global b; del b; __debug__ = 1\n", "type = match = case = _ = 1\nmatch(x)\nmatch[x]\n",
    "try: pass\nexcept* (A, B): break\nfinally: continue\n", "1if x else 2\n0777 1__0 1e 0b2 0xg 1_ 1.e5j\n",
    "'\\N{nope}' b'\\x' '\\ud800' '\\777' u'a' ur'b'\n", "# coding: utf-16\nx\n", "\ufeff# coding: latin-1\n\xe9 = 1\n",
    "#!/x\n# vim: set fileencoding=cp1252 :\n'\x80'\n", "x = '" + "a" * 5000 + "'\n", "9" * 5000 + "\n",
    "a.b" * 300 + "\n", "f'" + "{x}" * 300 + "'\n",
    "from __future__ import annotations, nope\nfrom __future__ import barry_as_FLUFL\n1 <> 2\n",
    "a: int = 1; (b): str; c.d: x; e[0]: y = 2\n", "assert (x, 'y')\nx is 1\n() is ()\n[1](2)\n'a'(b)\n",
    "class A[T]: pass\nprint x\nexec 'y'\nraise a, b\nexcept E, e: pass\n",
    "async with a as b: pass\nasync x\nawait\n", "if x:\n\ty\n        z\n\x0c  w\n", "x = (\n1,\n2\n", "x = [1, 2)\n",
    "def f(a, a, *, **k): pass\nf(a=1, a=2, *b, **c, d)\n",
    "with (a as b, c as d,): pass\nwith (a, b) as c: pass\nwith (yield): pass\n", "return 1\nawait x\nyield\n", "class A:\n def f(self): return __class__, super().x\n",
]
TOKENS = ("if else elif for while def class return yield await async lambda with as import from not in "
          "is and or try except finally raise del global nonlocal pass break continue match case None "
          "True False _ x y f 0 1 1.5 'a' b'a' f'{x}' f'{' \"\"\" ( ) [ ] { } , : ; . ... = := == != "
          "+= ** * // / @ -> ~ - + ! ? $ ` \\ # \t \f").split(" ") + ["\n", "\n    ", "\n\t", "\0", "\xe9",
                                                                     "\u2028", "\ufeff", "\ud800"]


@functools.lru_cache(maxsize=None)
def library_files():
    found = []
    for folder in ("", "json", "email", "asyncio", "importlib", "unittest", "collections", "ctypes"):
        path = os.path.join(STDLIB, folder)
        found += sorted(os.path.join(path, n) for n in os.listdir(path) if n.endswith(".py"))
    return found


@functools.lru_cache(maxsize=64)
def library_lines(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read().splitlines(keepends=True)


def sample(rng):
    """A piece of a real file, at whole lines, or something made for the purpose."""
    if rng.random() < 0.3:
        return "".join(rng.choices(SNIPPETS, k=rng.randint(1, 4)))
    if rng.random() < 0.2:
        return program(rng)
    lines = library_lines(rng.choice(library_files()))
    start = rng.randrange(max(1, len(lines)))
    return "".join(lines[start:start + rng.randint(1, 40)])


def pieces(text):
    try:
        return [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.string]
    except (tokenize.TokenError, SyntaxError):
        return list(text)


def damage_tokens(rng, text):
    tokens = pieces(text)
    for _ in range(rng.randint(1, 3)):
        if not tokens:
            break
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        kind = rng.randrange(4)
        if kind == 0:
            del tokens[i]
        elif kind == 1:
            tokens.insert(i, tokens[j])
        elif kind == 2:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        else:
            tokens.insert(i, rng.choice(TOKENS))
    out, at_start = [], True
    for t in tokens:
        out.append(t if at_start or t.startswith("\n") else " " + t)
        at_start = t.endswith("\n")
    return "".join(out)


def damage_text(rng, text):
    """Characters deleted, doubled and replaced, indentation kept."""
    for _ in range(rng.randint(1, 4)):
        if not text:
            return text
        i = rng.randrange(len(text))
        n = rng.choice((1, 1, 1, 2, 5, 20))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:i] + text[i + n:]
        elif kind == 1:
            text = text[:i] + text[i:i + n] + text[i:]
        elif kind == 2:
            text = text[:i] + rng.choice(TOKENS) + text[i:]
        elif kind == 3:
            text = text[:i] + rng.choice(TOKENS) + text[i + 1:]
        else:
            text = text[:i]
    return text


NESTS = [("(", "1", ")"), ("[", "", "]"), ("{", "1", "}"), ("{1:", "1", "}"), ("-", "1", ""),
         ("not ", "1", ""), ("x(", "", ")"), ("x[", "1", "]"), ("lambda:", "1", ""),
         ("1 if x else ", "1", ""), ("x.", "y", ""), ("x**", "1", ""), ("x+", "1", ""),
         ("x and ", "1", ""), ("f'{", "1", "}'"), ("(yield ", "1", ")"), ("await ", "x", ""),
         ("[x for x in ", "y", "]"), ("*", "x", ""), ("(x:=", "1", ")"), ("x=", "1", ""),
         ("x<", "1", ""), ("'a' ", "'b'", ""), ("@x\n", "def f(): pass", ""),
         ("if x: pass\nel", "se: pass", ""), ("for x in y: ", "pass", "")]


def nested(rng):
    """Deep nesting and long lines."""
    opening, inner, closing = rng.choice(NESTS)
    n = rng.choice((10, 90, 100, 190, 200, 210, 1000, 5000))
    text = opening * n + inner + closing * (n if rng.random() < 0.8 else n - 1)
    if rng.random() < 0.2:
        text = "match x:\n case " + text + ": pass\n"
    elif rng.random() < 0.2:
        text = "x = " + text
    return text


def damaged_source(rng):
    """str or bytes."""
    kind = rng.random()
    if kind < 0.08:
        return nested(rng)
    if kind < 0.12:
        return rng.randbytes(rng.randrange(60))
    text = sample(rng)
    if kind < 0.55:
        text = damage_tokens(rng, text)
    elif kind < 0.9:
        text = damage_text(rng, text)
    if rng.random() < 0.15:
        data = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(rng.randint(0, 2)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    return text

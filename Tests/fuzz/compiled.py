#!/usr/bin/python3.11
"""Random functions with loops, compiled to machine code, against the same interpreted.

usage: compiled.py --python PATH [--seconds N | --cases N] [--seed S] [--mode on|eager|stress:N] [--keep DIR]
                   [--reference /usr/bin/python3.11] [--timeout N] [--changing | --worlds | --anew]
                   [--leaks]

A program has some functions over ints, floats, strings, lists, tuples, dicts, objects and
generators: variables that are exchanged, conditions, nested loops, calls, exceptions. Some of their
variables may be globals, and a function's body that of the program, too. It runs
with SPRINGBOARD_JIT=off (or by the reference) and in the mode. If the output differs, or the
compiler finds no code for a function, the seed is printed, and the exit code is 1. stress:0: another
seed for each program. --changing, --worlds, --anew: programs of changing.py, worlds.py, anew.py.
--leaks: what a program does at its end it does again and again, and says whether objects become
more.
"""
import argparse
import os
import random
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))
import anew
import changing
import jit_cases
import worlds

HEAD = """\
import sys
class P:
    def __init__(self, x, y): self.x = x; self.y = y
    def sum(self, k=1): return self.x + self.y * k
    @property
    def p(self): return self.x
    @p.setter
    def p(self, x): self.x = x % 1009
    @property
    def w(self): return self.y
    @w.setter
    def w(self, y):
        if y != y: raise ValueError("w")
        for k in range(2): self.y = y
    def __neg__(self): return P(-self.x, self.y)
    def __pos__(self): return self
    def __invert__(self):
        t = 0
        for k in range(2): t += self.x
        return P(t, self.y)
    def move(self, d):
        self.x += d
        return self
    def __eq__(self, o): return self.x == o.x
    def __lt__(self, o): return self.x < o.x
    def __add__(self, o): return P(self.x + o.x, o.y)
    def __getitem__(self, k): return self.x + k
    def __bool__(self): return self.x & 1 == 0
    def __sub__(self, k): return self.x - k
    def __mul__(self, k): return P(self.x * k % 1009, self.y)
    def __iadd__(self, k):
        self.x += k
        return self
    def get(self): return self.x
    def put(self, v): self.x = v
    def add(self, v): self.x += v
    def both(self, v):
        old = self.x
        self.x = v
        self.y = old * 0.5
        return old
    def grows(self, k):
        if self.x > k: return self.y
        return k
    def choose(self, k, other=None):
        v = self.x if k & 1 else other
        return v if v is not None else k
    @property
    def twice(self): return self.get() + self.p
    @property
    def odd(self): return 'odd' if self.x & 1 else None
    def raises(self, k):
        if k % 13 == 5: raise ValueError(k)
        return self.x % (k % 7)
class Q(P):
    __slots__ = ()
    def get(self): return self.x + 1
    @property
    def p(self): return self.x - 1
    def sum(self, k=2): return super().sum(k) - 1
def gen(n, v):
    for i in range(n):
        v += i
        yield v
class V:
    def __init__(self, v): self.v = v
    def __add__(self, other): return V((self.v + getattr(other, "v", other)) % 10007)
    def __radd__(self, other): return V((self.v + other) % 10007)
    def __eq__(self, other): return isinstance(other, V) and self.v == other.v
    def __lt__(self, other): return self.v < getattr(other, "v", 0)
    def __bool__(self): return self.v % 3 != 0
    def __len__(self): return self.v & 7
    def __getitem__(self, i): return self.v + i
    def __getattr__(self, name): return len(name) + self.v
    def __call__(self, a=1): return self.v * a % 1009
    def __iter__(self): return iter((self.v, self.v + 1))
    def __contains__(self, x): return x == self.v
class With:
    def __init__(self, log, swallow): self.log, self.swallow = log, swallow
    def __enter__(self):
        self.log.append(1)
        return 0
    def __exit__(self, kind, e, t):
        self.log.append(2 if kind is None else 3)
        return self.swallow
class Loud:
    gone = 0
    def __del__(self): Loud.gone += 1
def star(*args, k=2, **more): return len(args) * k + sum(more.values())
def counter(start):
    def add(d=1):
        nonlocal start
        start += d
        return start
    return add
def echo(n):
    got = n
    try:
        while got < 50: got = (yield got + 1) or got + 7
    finally:
        Loud.gone += 1
    return got
def relay(n):
    r = yield from echo(n)
    yield r
def pair(a, b): return b, a
def kw(a, b=3, *, c=1): return a * b + c
def inc(a, by=1): return a + by
def clip(a, low=0, high=99):
    if a < low: return low
    if a > high: return high
    return a
def mean(a, b): return (a + b) * 0.5
def same(a): return a
flags = [True, False, True, False, 1, 0, False, True]
def last(l): return l[-1]
def nested(a, b): return inc(clip(a, 1), b) + same(b)
def swap(o, v):
    old = o.x
    o.x = v
    return old
def local(a):
    b = a * 2
    if b > 50: b = b - 50
    c = b + a
    return c if c & 1 else -c
"""
TAIL = """\
def show(v, deep=0):
    if isinstance(v, (list, tuple)) and deep < 3:
        return type(v)(show(x, deep + 1) for x in (v if deep == 0 else v[-6:]))
    if isinstance(v, dict) and deep < 3: return sorted((str(k), show(x, 2)) for k, x in v.items())[-6:]
    if isinstance(v, V): return "V", v.v
    if isinstance(v, P): return "P", show(v.x, 2), show(v.y, 2)
    if isinstance(v, int) and abs(v) > 1 << 200: return "large", v % 1000003
    return v
def attempt(f, *args):
    try: return show(f(*args))
    except Exception as e:
        t, n = e.__traceback__, 0
        while t.tb_next: t = t.tb_next
        return type(e).__name__, str(e)[:80], t.tb_lineno
"""


class Writer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.functions = []

    def pick(self, *choices):
        return self.r.choice(choices)

    def ints(self):
        return self.r.choice(self.of["int"])

    def floats(self):
        return self.r.choice(self.of["float"])

    def constant(self):
        return self.pick("0", "1", "2", "3", "7", "-1", "255", "256", "1000", "65535",
                         "1073741823", "4294967295", "(1 << 61)")

    def int_value(self, depth=0):
        r = self.r.random()
        if depth > 2 or r < .35:
            return self.ints()
        if r < .5:
            return self.constant()
        x, y = self.int_value(depth + 1), self.int_value(depth + 1)
        if r < .75:
            return f"({x} {self.pick('+', '-', '*', '&', '|', '^')} {y})"
        if r < .82:
            return f"({x} {self.pick('//', '%')} ({y} or 1))"
        if r < .87:
            return f"({x} {self.pick('>>', '<<')} ({y} & 7))"
        return self.pick(f"(-{x})", f"(~{x})", f"abs({x})", f"min({x}, {y})", f"max({x}, {y})",
                         f"len(l)", f"int({self.floats()} % 1000)", f"(l[{x} % len(l)])",
                         f"o.x", f"o.sum()", f"o.p", f"kw({x}, c={y})", f"kw({x})",
                         f"flags[{x} & {self.pick(3, 3, 7)}]", f"same({x} < {y})", f"({x} > {y})",
                         f"d.get({x} & 15, {y})", f"t[{x} & 1]", f"pair({x}, {y})[0]",
                         f"({x} if {self.condition(depth + 1)} else {y})", f"ord(s[{x} % len(s)])",
                         f"o.get()", f"(-o).x", f"(~(+o)).x", f"o.twice",
                         f"(o + o2).x", f"(o - {x})", f"(o * {x}).x",
                         f"(o * 3 + o).get()",
                         f"P({x}, 0.5).get()", f"o[{x}]", f"o2[1]", f"(3 if o else {x})",
                         f"({x} if o > o2 else {y})",
                         f"inc({x})", f"inc({x}, {y})", f"inc({x}, by={y})",
                         f"clip({x}, high={y})", f"nested({x}, {y})", f"same({x})", f"local({x})",
                         f"last(l)", f"o.choose({x}, {y})", f"swap(o, {x} % 999)",
                         f"o.both({x} % 99)", f"int(o.grows({x}) % 1009)")

    def float_value(self, depth=0):
        r = self.r.random()
        if depth > 2 or r < .4:
            return self.floats()
        if r < .5:
            return self.pick("0.5", "1.5", "-2.25", "1e10", "0.0")
        x, y = self.float_value(depth + 1), self.float_value(depth + 1)
        if r < .8:
            return f"({x} {self.pick('+', '-', '*')} {y})"
        return self.pick(f"({x} / ({y} or 1.0))", f"({x} + {self.int_value(depth + 1)} % 1000)",
                         f"abs({x})", f"float({self.ints()} % 77)", f"(-{x})", f"o.y",
                         f"({x} if {self.condition(depth + 1)} else {y})", f"a[{self.ints()} % 4]",
                         f"mean({x}, {y})", f"same({x})",
                         f"mean({x}, {self.int_value(depth + 1)} % 99)")

    def condition(self, depth=0):
        x, y = self.int_value(depth + 1), self.int_value(depth + 1)
        return self.pick(f"{x} {self.pick('<', '>', '<=', '>=', '==', '!=')} {y}",
                         f"{x} & 1", f"{self.float_value(depth + 1)} > 0.25", "l", f"not {x} & 3",
                         f"s == 'ab'", f"{x} in t", "o is not None", "o.odd", "o.odd is None", "o", "not o2", "o2 and o",
                          f"o == P({x} % 9, 0)", "o < o2",
                         f"same({x}) > 3", f"{x} % 5 and {y} % 3",
                         f"{x} % 7 == 0 or {y} > 9")

    def statement(self, indent, depth):
        r = self.r.random()
        put = lambda text: self.lines.append("    " * indent + text)
        limit = "0x3fffffffffff"
        i, j, f, g = self.ints(), self.ints(), self.floats(), self.floats()
        if r < .25:
            put(f"{i} = {self.int_value()} % {limit}")
        elif r < .35:
            put(f"{f} = {self.float_value()}")
            put(f"if not -1e100 < {f} < 1e100: {f} = 1.25")
        elif r < .42:
            # Debian's 3.11.2 keeps the first of two values that go to the same variable.
            put(f"{i}, {j if j != i else 'w'} = {j}, {self.int_value()} % {limit}")
        elif r < .46:
            put(f"{f}, {g} = {g}, {f}")
        elif r < .50:
            put(f"{i} {self.pick('+=', '-=', '^=', '|=')} {self.int_value()} % 4099")
        elif r < .54:
            put(self.pick(f"l.append({self.int_value()} % 1000)", f"if len(l) > 9: l.pop()",
                          f"l[{i} % len(l)] = {self.int_value()} % 99", f"a[{i} % 4] = {f}",
                          f"a[{i} % 4] += {g} * 0.5 if -1e50 < {g} < 1e50 else 1",
                          f"l[:{i} % 9 + 1] = l[{i} % 9::-1]", f"l[1:] = l[:-1]", f"a[:] = a[::-1]",
                          f"a[{j} & 1:2] = a[1:{j} % 3 + 2]; a += [{f}] * 3; del a[4:]",
                          f"flags[{i} & 3:{j} & 7] = flags[{i} & 3:{j} & 7]"))
        elif r < .60:
            bit = self.pick("&", "|", "^")
            put(self.pick(f"flags[{i} & 3] = {i} > {self.ints()}",
                          f"t = ({i} > {j}) {bit} flags[{j} & 3], ({f} > 1) {bit} t[0]",
                          f"o.x = {self.int_value()} % 1009", f"o.x += 1", f"o.y = {f} * 0.5",
                          f"o.put({self.int_value()} % 1009)", f"o.add({i} % 7)",
                          f"o += {i} % 5", f"o2 = o + o2; o2.x %= 1009", f"o = o * 2; o.x %= 1009",
                          f"t = (P({i} % 9, {f}), o)[0].x, 3", f"o.put(o.get())", f"same(o).add(1)", f"o, o2 = o2, o", f"o2 = same(o)",
                          f"l2 = same(l); l[0] = last(l2)", f"{i} = o.raises({j} % 40)",
                          f"o.put({f} if {self.condition()} else {i} % 1009); o.x = int(o.x) % 1009",
                          f"o.p = {self.int_value()}", f"o.p += {i}", f"o.w = {f}", f"o = -o",
                          f"o = ~o; o.p = o.p",
                          f"o = o.move({i} % 3)", f"o = P({i} % 10, {f})", f"o = Q({j} % 10, {f})",
                          f"t = ({i} % 9, {j} % 9)", f"t = t[1], {i} % 9", f"d[{i} & 15] = {j} % 50",
                          f"s = s[-2:] + chr(97 + {i} % 3)", f"s = str({i} % 999)"))
        elif r < .64 and self.functions:
            name = self.r.choice(self.functions)
            put(f"if depth < 2: {i} = hash(str(show({name}({i} % 20, depth + 1)))) % 1 + {j}")
        elif r < .72 and depth < 3:
            put(f"if {self.condition()}:")
            self.block(indent + 1, depth + 1)
            if self.r.random() < .5:
                put("else:")
                self.block(indent + 1, depth + 1)
        elif r < .80 and depth < 3:
            v = f"k{depth}{self.r.randrange(3)}"
            put(self.pick(f"for {v} in range({i} % 9):", f"for {v} in l[:8]:", f"for {v} in t:",
                          f"for {v} in gen({i} % 6, {j} % 100):", f"for {v}, w in enumerate(l[:6]):",
                          f"for {v} in [z * 2 for z in range({i} % 7)]:",
                          f"for {v} in list(d)[:5]:", f"for w, {v} in zip(l, range(5)):"))
            put(f"    {i} = ({i} + {v}) % {limit}")
            self.block(indent + 1, depth + 1)
        elif r < .85 and depth < 2:
            put("try:")
            self.block(indent + 1, depth + 1)
            put(f"    if {i} % 97 == 3: raise KeyError({i} % 7)")
            if self.r.random() < .4:
                put(f"except {self.pick('KeyError', 'LookupError', 'Exception')}: "
                    + (self.pick("pass", "continue") if depth else "pass"))
                return
            put(f"except {self.pick('KeyError', 'Exception', '(KeyError, IndexError)')} as e:")
            put(f"    {j} = len(str(e))")
        elif r < .90:
            self.more(put, indent, depth)
        elif r < .91:
            put(f"{i} = sum({self.pick('x + 1 for x in l[:5]', 'gen(4, 1)', 'l[:4]')}) % 1000")
        elif r < .93 and depth:
            put(f"if {i} % 11 == 5: {self.pick('continue', 'break', 'continue')}")
        else:
            put(f"{i} = {i}")

    def more(self, put, indent, depth):
        """Statements of several lines, with functions and classes of the head."""
        i, j, f = self.ints(), self.ints(), self.floats()
        kind = self.r.randrange(24)
        if kind == 0 and depth < 3:
            put("try:")
            self.block(indent + 1, depth + 1)
            put(f"    if {i} % 13 == 4: raise ValueError({j})")
            put("finally:")
            put(f"    {i} = ({i} + 1) % 1000003")
        elif kind == 1 and depth < 3:
            put(f"with With(l, {self.pick('True', 'True', 'False')}) as w:")
            self.block(indent + 1, depth + 1)
            put(f"    if {i} % 17 == 4: raise KeyError({j})")
        elif kind == 2:
            put(f"match ({i} & 3, {self.pick('t', 'l[:2]', 's', 'o', 'd')}):")
            put(f"    case (0, [a_, b_, *c_]): {i} = len(c_) + 1")
            put(f"    case (1, P(x=int(x_))): {i} = x_ % 1009")
            put(f"    case (2, {{1: v_}}): {i} = v_")
            put(f"    case (x_, str(v_)) if x_ > 1: {i} = len(v_)")
            put(f"    case (x_, _): {i} = x_ + 5")
        elif kind == 3:
            put(f"v = V({i} % 1009) + {self.pick(j, 'V(' + j + ')', 'v')}")
            put(f"{i} = {self.pick('v.v', 'len(v)', 'v[3]', 'v.abc', 'v(2)', 'sum(v)', '1 if v else 2')}")
        elif kind == 4:
            put(f"if v == V({i}) or v < V({j} % 99) or {i} in v: {i} = ({i} + 3) % 1000003")
        elif kind == 5:
            put(f"c = counter({i} % 100)")
        elif kind == 6:
            put(f"{i} = c({self.pick('', '2', j + ' % 5')}) % 1000003")
        elif kind == 7:
            put(f"{i} = star({self.pick('*t', '1, *l[:3]', '*t, k=3', i + ', z=' + j + ' % 7', '**{}')})")
        elif kind == 8:
            put(f"g = {self.pick('echo', 'relay')}({i} % 40)")
            put(f"{i} = next(g, 3) + next(g, 4)")
            put(f"try: {j} = g.send({self.pick('None', '1', '49')}) or 0")
            put(f"except (StopIteration, TypeError) as e: {j} = 7")
            put(self.pick("g.close()", "del g", "pass"))
        elif kind == 9:
            put("*a_, b_ = l[-3:] or [1]")
            put(f"{i} = len(a_) + (b_ if isinstance(b_, int) else 0)")
        elif kind == 10:
            put(f"held = Loud() if {self.condition()} else None")
            put(f"held, {i} = None, {i} + Loud.gone % 3")
        elif kind == 11:
            put(f"fn = lambda q, *, z={j}: (q + z + {i}) % 10007")
            put(f"{i} = fn({j}) + fn(1, z=2)")
        elif kind == 12:
            put(f"d = {{k_: k_ * {i} % 11 for k_ in range({j} % 6)}} | {{1: {i} % 5}}")
            put(f"{j} = len({{z_ % 3 for z_ in l}}) + sum(z_ for z_ in d.values() if z_ > 2)")
            put(f"{i} = next((z_ + {j} % 7 for z_ in l if z_ > {j} % 50), {self.r.randint(-2, 2)})")
            put(f"t = next(((z_, q_) for z_, q_ in d.items() if q_ != {i}), None), "
                f"next((z_ for z_ in [str({i}), {f}, o] if z_ != {self.r.randint(0, 9)}), l)")
        elif kind == 13 and depth < 3:
            put(f"n{depth} = {i} % 7")
            put(f"while n{depth} > 0:")
            put(f"    n{depth} -= 1")
            self.block(indent + 1, depth + 1)
            put(f"else: {j} = ({j} + 1) % 1000003")
        elif kind > 15:
            # Nobody uses the value, but an exception counts.
            x, y = self.int_value(1), self.pick(i, j, f"({j} & 3)")
            raises = self.pick(f"{x} // {y}", f"{x} % {y}", f"{f} / {y}", f"{f} // {y}", f"{f} % {y}",
                               f"1 << ({y} & 7) - 3", f"{x} >> ({y} & 7) - 3", f"divmod({x}, {y})",
                               f"{f} ** -{y}", f"l[{y}]", f"t[{y}]", f"d[{y}]", f"s[{y}]", f"a[{y}]",
                               f"int({f} * 1e300 * 1e300)", f"chr({y} - 1)", f"ord(s[{y}:])",
                               f"inc({x} // {y})", f"-({x} % {y}) + 5", f"{x} // {y} < 3")
            put("try: " + self.pick(raises, f"w = {raises}; w = 3", f"same({raises})",
                                    f"({raises}) and {i}"))
            put(self.pick(f"except Exception as e: {j} = ({j} + len(type(e).__name__)) % 1000003",
                          "except Exception: pass", "except: pass"))
        elif kind == 14:
            put(f"try: {i} = {self.pick('l[99]', 'd[77]', 'o.nothing', '1 // (' + i + ' & 1)', 'int(s)', 't[0] + s')}")
            star = self.pick("", "*")
            put(f"except{star} (IndexError, KeyError) as e: {i} = 1")
            put(f"except{star} Exception as e: {i} = {self.pick('len(type(e).__name__)', '3')}")
            put(f"else: {i} = {i} % 1000003")
        elif kind == 16:
            put(self.pick("import os.path as s; s = s.__name__[:2]",
                          "from collections import deque as w; w = len(w.__name__)",
                          "import xml.dom.domreg as w; w = len(w.registered)"))
        else:
            put(f"s = f'{{{i} % 99:>4}}{{{f}:.1f}}'[-7:] + {self.pick('s[:1]', repr('q'), 'str(v.v)')}")

    def block(self, indent, depth):
        for _ in range(self.r.randrange(1, 4)):
            self.statement(indent, depth)

    def function(self, name):
        n, m = self.r.randrange(2, 5), self.r.randrange(1, 4)
        self.of = {"int": [f"i{k}" for k in range(n)], "float": [f"f{k}" for k in range(m)]}
        first = len(self.lines)
        self.lines.append(f"def {name}(n, depth=0):")
        if self.r.random() < .2:
            shared = self.r.sample(self.of["int"] + self.of["float"] + list("latdso"), 3)
            self.lines.append(f"    global {', '.join(shared)}")
        for k in range(n):
            self.lines.append(f"    i{k} = {self.pick('0', '1', 'n', '300', '-7')}")
        for k in range(m):
            self.lines.append(f"    f{k} = {self.pick('0.0', '1.5', '-0.25', 'n * 0.5')}")
        self.lines.append("    l = [1, 2, 3]; a = [0.5, 1.5, 2.5, 3.5]; t = (1, 2); d = {1: 2}; s = 'ab'")
        self.lines.append("    o = P(1, 2.5); o2 = Q(2, 0.5); w = 0; v = V(1)")
        self.lines.append("    c = counter(0)")
        self.lines.append(f"    for i in range(n):")
        if self.r.random() < .4:
            self.lines.append("        i0 = (i0 + i) % 0x3fffffffffff")
        for _ in range(self.r.randrange(2, 8)):
            self.statement(2, 1)
        values = ", ".join(self.of["int"] + self.of["float"])
        while self.r.random() < .4:
            rounds = self.pick("n", "n // 2", "1200 if depth == 0 else n")
            self.lines.append(f"    for i in range({rounds}):")
            for _ in range(self.r.randrange(1, 5)):
                self.statement(2, 1)
        self.lines.append(f"    return ({values}, l, a, t, d, s, o, v, Loud.gone)")
        self.functions.append(name)
        body = self.lines[first + 1:-1]
        if self.r.random() < .2 and not any(word in line for line in body
                                            for word in ("return", "yield", "global", "nonlocal")):
            self.of_module.append([f"n, depth = {self.r.choice((40, 700, 2100))}, 0", "try:", *body,
                                   f"    print(show(({values}, l, a, t, d, s, o, v, Loud.gone)))",
                                   "except Exception as e: print(type(e), e)"])

    def program(self):
        self.lines.append(HEAD + TAIL)
        self.of_module = []         # bodies of functions, once more as that of the program
        names = [f"h{k}" for k in range(self.r.randrange(1, 4))]
        for name in names:
            self.function(name)
        for name in reversed(names):
            for n in (self.r.choice((3, 2500)), 40, self.r.choice((300, 1500)), 60,
                      self.r.choice((700, 2100))):
                self.lines.append(f"print('{name}', {n}, attempt({name}, {n}))")
        for body in self.of_module:
            self.lines += body
        return "\n".join(self.lines) + "\n"


# Whom the compiler gives up is interpreted, and right.
END = """\
if hasattr(sys, "_jit"):
    assert sys._jit.figures()["given_up"] == 0, "the compiler has given a function up"
"""

# When objects in cycles die is not python3.11's, and programs count them.
NO_COLLECTOR = "import gc; gc.disable()\n"

# For --leaks. A few objects may be made once, in any round.
AGAIN = """\
import gc
def objects_after(code, rounds):
    for _ in range(rounds): exec(code, globals())
    gc.collect()
    gc.collect()
    return len(gc.get_objects()), sys.getallocatedblocks()
def become_more(code):
    counts = [objects_after(code, rounds) for rounds in (2, 3, 3)]
    objects, blocks = ([b - a for a, b in zip(n, n[1:])] for n in zip(*counts))
    return min(objects) > 25 or min(blocks) > 300
print("more objects:", become_more(compile(%r, "again", "exec")))
"""


def with_leaks(text):
    calls = [line for line in text.split("\n") if line.startswith("print(")]
    return text + AGAIN % "\n".join(calls)


def outcome(python, text, mode, timeout):
    try:
        done = jit_cases.finished(text + END, python, timeout, SPRINGBOARD_JIT=mode, PYTHONHASHSEED="1")
    except subprocess.TimeoutExpired:
        return "timeout"
    return done.stdout, done.stderr[-1500:], done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--mode", default="on")
    parser.add_argument("--keep")
    parser.add_argument("--reference")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--changing", dest="program", action="store_const", const=changing.program,
                        default=lambda seed: Writer(seed).program())
    parser.add_argument("--leaks", action="store_true")
    parser.add_argument("--anew", dest="program", action="store_const", const=anew.program)
    parser.add_argument("--worlds", dest="program", action="store_const", const=worlds.program)
    options = parser.parse_args()
    end, cases, differ = time.time() + options.seconds, 0, 0
    seed = options.seed
    while time.time() < end if options.cases is None else seed < options.seed + options.cases:
        text = options.program(seed)
        text = with_leaks(text) if options.leaks else text
        text = NO_COLLECTOR + text if options.reference else text
        off = outcome(options.reference or options.python, text, "off", options.timeout)
        if off != "timeout":
            cases += 1
            on = outcome(options.python, text, f"stress:{seed}" if options.mode == "stress:0"
                         else options.mode, options.timeout)
            if on != off if options.reference is None else on[0::2] != off[0::2]:
                differ += 1
                if on == "timeout":
                    print(f"seed {seed}: {options.mode} does not end within {options.timeout} s")
                else:
                    print(f"seed {seed}: {options.mode} differs from off")
                    print(*on[1].splitlines()[-1:])
                sys.stdout.flush()
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    with open(os.path.join(options.keep, f"{seed}.py"), "w") as f:
                        f.write(text)
        seed += 1
    print(f"{cases} programs, {differ} differ (seeds {options.seed} to {seed - 1}, {options.mode})")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()

#!/usr/bin/python3.11
"""Random functions with loops, compiled to machine code, against the same interpreted.

usage: compiled.py --python PATH [--seconds N | --cases N] [--seed S] [--mode on|eager|stress:N] [--keep DIR]

A program has some functions over ints, floats, strings, lists, tuples, dicts, objects and
generators: variables that are exchanged, conditions, nested loops, calls, exceptions. It runs
with SPRINGBOARD_JIT=off and in the mode; another output is printed with its seed, and the exit
code is 1.
"""
import argparse
import os
import random
import subprocess
import sys
import time

HEAD = """\
import sys
class P:
    def __init__(self, x, y): self.x = x; self.y = y
    def sum(self, k=1): return self.x + self.y * k
    @property
    def p(self): return self.x
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
def pair(a, b): return b, a
def kw(a, b=3, *, c=1): return a * b + c
def inc(a, by=1): return a + by
def clip(a, low=0, high=99):
    if a < low: return low
    if a > high: return high
    return a
def mean(a, b): return (a + b) * 0.5
def same(a): return a
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
                         f"d.get({x} & 15, {y})", f"t[{x} & 1]", f"pair({x}, {y})[0]",
                         f"({x} if {self.condition(depth + 1)} else {y})", f"ord(s[{x} % len(s)])",
                         f"o.get()", f"o.twice", f"(o + o2).x", f"(o - {x})", f"(o * {x}).x",
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
            put(f"{i}, {j} = {j}, {self.int_value()} % {limit}")
        elif r < .46:
            put(f"{f}, {g} = {g}, {f}")
        elif r < .50:
            put(f"{i} {self.pick('+=', '-=', '^=', '|=')} {self.int_value()} % 4099")
        elif r < .54:
            put(self.pick(f"l.append({self.int_value()} % 1000)", f"if len(l) > 9: l.pop()",
                          f"l[{i} % len(l)] = {self.int_value()} % 99", f"a[{i} % 4] = {f}",
                          f"a[{i} % 4] += {g} * 0.5 if -1e50 < {g} < 1e50 else 1"))
        elif r < .60:
            put(self.pick(f"o.x = {self.int_value()} % 1009", f"o.x += 1", f"o.y = {f} * 0.5",
                          f"o.put({self.int_value()} % 1009)", f"o.add({i} % 7)",
                          f"o += {i} % 5", f"o2 = o + o2; o2.x %= 1009", f"o = o * 2; o.x %= 1009",
                          f"t = (P({i} % 9, {f}), o)[0].x, 3", f"o.put(o.get())", f"same(o).add(1)", f"o, o2 = o2, o", f"o2 = same(o)",
                          f"l2 = same(l); l[0] = last(l2)", f"{i} = o.raises({j} % 40)",
                          f"o.put({f} if {self.condition()} else {i} % 1009); o.x = int(o.x) % 1009",
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
        elif r < .86 and depth < 2:
            put("try:")
            self.block(indent + 1, depth + 1)
            put(f"    if {i} % 97 == 3: raise KeyError({i} % 7)")
            put(f"except {self.pick('KeyError', 'Exception', '(KeyError, IndexError)')} as e:")
            put(f"    {j} = len(str(e))")
        elif r < .9:
            put(f"{i} = sum({self.pick('x + 1 for x in l[:5]', 'gen(4, 1)', 'l[:4]')}) % 1000")
        elif r < .93 and depth:
            put(f"if {i} % 11 == 5: {self.pick('continue', 'break', 'continue')}")
        else:
            put(f"{i} = {i}")

    def block(self, indent, depth):
        for _ in range(self.r.randrange(1, 4)):
            self.statement(indent, depth)

    def function(self, name):
        n, m = self.r.randrange(2, 5), self.r.randrange(1, 4)
        self.of = {"int": [f"i{k}" for k in range(n)], "float": [f"f{k}" for k in range(m)]}
        self.lines.append(f"def {name}(n, depth=0):")
        for k in range(n):
            self.lines.append(f"    i{k} = {self.pick('0', '1', 'n', '300', '-7')}")
        for k in range(m):
            self.lines.append(f"    f{k} = {self.pick('0.0', '1.5', '-0.25', 'n * 0.5')}")
        self.lines.append("    l = [1, 2, 3]; a = [0.5, 1.5, 2.5, 3.5]; t = (1, 2); d = {1: 2}; s = 'ab'")
        self.lines.append("    o = P(1, 2.5); o2 = Q(2, 0.5); w = 0")
        self.lines.append(f"    for i in range(n):")
        if self.r.random() < .4:
            self.lines.append("        i0 = (i0 + i) % 0x3fffffffffff")
        for _ in range(self.r.randrange(2, 8)):
            self.statement(2, 1)
        values = ", ".join(self.of["int"] + self.of["float"])
        self.lines.append(f"    return ({values}, l, a, t, d, s, o)")
        self.functions.append(name)

    def program(self):
        self.lines.append(HEAD + TAIL)
        names = [f"h{k}" for k in range(self.r.randrange(1, 4))]
        for name in names:
            self.function(name)
        for name in reversed(names):
            for n in (3, 40, self.r.choice((300, 1500)), 60, self.r.choice((700, 2100))):
                self.lines.append(f"print('{name}', {n}, attempt({name}, {n}))")
        return "\n".join(self.lines) + "\n"


def outcome(python, text, mode):
    try:
        done = subprocess.run([python, "-c", text], env={**os.environ, "SPRINGBOARD_JIT": mode,
                                                         "PYTHONHASHSEED": "1"},
                              capture_output=True, text=True, timeout=60)
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
    options = parser.parse_args()
    end, cases, differ = time.time() + options.seconds, 0, 0
    seed = options.seed
    while time.time() < end if options.cases is None else seed < options.seed + options.cases:
        text = Writer(seed).program()
        off = outcome(options.python, text, "off")
        if off != "timeout":
            cases += 1
            on = outcome(options.python, text, options.mode)
            if on != off:
                differ += 1
                print(f"seed {seed}: {options.mode} differs from off", flush=True)
                if options.keep:
                    with open(os.path.join(options.keep, f"{seed}.py"), "w") as f:
                        f.write(text)
        seed += 1
    print(f"{cases} programs, {differ} differ (seeds {options.seed} to {seed - 1}, {options.mode})")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()

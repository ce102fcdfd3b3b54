"""Programs of one loop in a function with some twenty variables, most of them alive all the time,
which does of everything a little; at some rounds the world changes beneath it: a variable, a class,
an instance, a global, a built-in, another function's code or defaults.

What an expression or a statement is made of is drawn from the tables: {I}, {F} and {B} are
expressions that usually give ints, floats and truths, {i} and {f} such without parts. Unlike
changing.py this looks for what goes wrong among many values: registers, exits, joins of states."""
import random
import textwrap

PRELUDE = """\
import sys, gc, itertools
log = []
class E1(Exception): pass
class SI(int): pass
class SF(float): pass
class SL(list): pass
class SD(dict):
    def get(self, k, z=0): return 4
class Odd:
    def __add__(self, o): return 11
    def __lt__(self, o): return True
    def __bool__(self): return False
    def __repr__(self): return "Odd"
    def __index__(self, *o): return 13
    __radd__ = __mul__ = __rmul__ = __and__ = __rand__ = __sub__ = __rsub__ = __index__
    __mod__ = __abs__ = __neg__ = __floordiv__ = __index__
class Manager:
    def __init__(self, swallows): self.swallows = swallows
    def __enter__(self): return self
    def __exit__(self, *a): return self.swallows
class C0:
    def __init__(self): self.v = 3; self.f = 0.25; self.q = self
    def m(self, z): return z + self.v
    @property
    def p(self): return self.v ^ 5
    @staticmethod
    def sm(z): return z + 1
    def __repr__(self): return type(self).__name__
class C1(C0):
    def m(self, z): return super().m(z) * 2
class C2:
    __slots__ = ("v", "f", "q")
    def __init__(self): self.v = 9; self.f = 2.0; self.q = self
    def m(self, z): return -z
    p = 77
    def sm(self, z): return z
    def __repr__(self): return "C2"
G0 = 5; GF = 2.5; G1 = [0]; GR = (1, 2, 3)
def h0(z): return z + z
def other(z): return z - 1
def h1(z, n=2, *, q=3): return z * n + q
def h2(z, n): return z - n if z > n else h0(n) - z
def h3(*z): return z[0] + len(z)
def h4(o, z, f):
    try: return o.m(z) + (1 if f > 0 else 2)
    except AttributeError: return 0
    finally: G1[0] += 1
def gen(n):
    for z in range(n): yield z + G0
def change(name, value): globals()[name] = value
def told(e):
    # (Of these, python3.11 names the line before, where it has made one instruction of two.)
    lines, t = [], e.__traceback__ if type(e) is not UnboundLocalError else None
    while t: lines.append(t.tb_lineno); t = t.tb_next
    return type(e).__name__, str(e), lines
def small(v):
    if not isinstance(v, int) or isinstance(v, bool) or abs(v) < 2 ** 70: return v
    return v % 1000003
"""

VARIABLES = """a = 1; b = 2; x = 0.5; y = 1.5; s = 'abc'; l = [1, 2, 3]; d = {0: 1}; o = C0()
t = (1, 2.0); fl = True; u = None; c = 0; k = 3; w = 0; z = 0; j = 0; it = itertools.count()
st = {1, 2}; tk = {(0, 1): 2}
def inner(z): return z + c
def setc(v):
    nonlocal c
    c = v"""
AGAIN = "a = 1; b = 2; c = 0; x = 0.5; y = 1.5; s = 'abc'; l = [1, 2, 3]; d = {0: 1}; o = C0(); " \
        "t = (1, 2.0); k = 3; u = None; st = {1, 2}; tk = {(0, 1): 2}"

INT_PARTS = "i a b c a b G0 o.v t[0] 1 2 7 -3 255 k".split()
INTS = """({I} + {I}); ({I} - {I}); ({I} * {I}); ({I} & {I}); ({I} | {I}); ({I} ^ {I}); ({I} // 3)
({I} // -7); ({I} // (i % 5 + 1)); ({I} // {I}); ({I} % 5); ({I} % -7); ({I} % 2 ** 31); ({I} % {I})
({I} >> 1); ({I} >> (i & 7)); (({I} & 0xFFFFFFFF) << 3); (({I} & 0xFFFFFFFF) << 31)
(({I} & 0xFFFFFFFF) << (i & 7)); l[{I} % len(l)]; d.get({I} % 7, {I}); len(s); len(l); len(t)
o.m({I})
o.p; h0({I}); h1({I}, q={I}); min({I}, {I}); max({I}, {I}); abs({I}); int({F} % 1000)
ord(s[{I} % len(s)])
({I} if {B} else {I}); sum({I} for z in range(3)); sum({I} for z in range(i % 4)); [{I}, {I}][{B}]
inner({I}); (w := {I}); h2({I}, {I}); (~{I}); (-{I}); ({B} + {I}); h3(*({I}, {I})); o.sm({I}); o.q.v
len([z for z in l if z > {I}]); next(it)
tk.get(({I} % 4, {i} % 3), 5); tk[0, {i} % 3]; sum(z & {i} for z in st); len({z * {i} for z in st})
sum(({I} % 4, z) in tk for z in range(3)); ({I} & -{I})"""
FLOAT_PARTS = "x y t[1] 0.5 -0.0 GF o.f 1e9".split()
FLOATS = """({F} + {F}); ({F} - {F}); ({F} * {F}); ({F} / 3.5); ({F} / {F}); ({F} / (x or 1.0))
({F} + {I}); ({I} * {F}); ({I} / 3); (-{F}); ({F} if {B} else {F}); h0({F}); min({F}, {F})"""
TRUTH_PARTS = "fl", "(u is None)", "(o.q is o)", "isinstance(a, int)", "(type(x) is float)"
TRUTHS = """({I} < {I}); ({I} >= {I}); ({I} == {I}); ({I} != {I}); ({F} < {F}); ({F} >= {F})
(not {B})
({I} in l); ({I} not in d); ({I} in t); ({I} < {I} <= {I}); ({i} and {I}); ({i} or {I})
(7 >= {i})
(({I} % 4, {I} % 3) in tk); (({i}, {f}) not in tk); ({I} in st); any((z, {i}) in tk for z in st)
(({i} % 3, b) in st)"""

STATEMENTS = """a = {I}; b = {I}; a += {I}; b -= {I}; c ^= {i}; k |= {I}; b *= {i}; x = {F}
y = {F}; x += {F}
y *= {f}; l[{i} % len(l)] = {I}; d[{i} % 7] = {I}; o.v = {I}; o.f = {F}; o.v += {i}; o.v ^= {i}
t = {I}, {F}; a, b = b, a; a, x = t; b, *_ = l; (a, b), y = (i, k), x; k, c = c, k; s = str(a)
s = s[1:] + 'q'; s = f'{a}{x:.3}'; s = s[::-1]; s = '%s-%d' % (s[:2], i); s = chr(65 + i % 26) * 2
fl = {B}; l.append({I}); l = [{I} for z in l[:6]] or [1]; l = [{I} for z in range(1, 4)]
d[i % 5] = d.get(i % 5, 0) + {I}; G1[0] = {I}; u = None if fl else a; setc(a & 15); {I}; {F}
log.append(sys._getframe().f_lineno); log.append((a, b)); l = l[:9]; a = h4(o, {I}, x)
tk[{i} % 4, {i} % 3] = {I}; st = {z & {i} for z in st}; st = {z + {I} for z in l[:5]}
st.add({i} % 9); l[1:3] = l[:1]; l[:{i} % 3] = l[{i} % 3::-1]; d2 = [z for z in st if z > {I}]
d2 = {z: {I} for z in range(3)}; fn = lambda z, g={I}: z + g + a; del u; u = x
d[k] = d.get(k, {I}) + 1; d[a % 5] += {i}; tk[k, i % 3] = tk.get((k, i % 3), a) + 1
st.add((k, i % 3)); if (k, i) not in st: st.add((k, i)); if k in d: d[k] += {i}
if k not in d: d[k] = {I}
if k not in st: st.add(k); if (b, k) in tk: tk[b, k] += {I}; tk[b % 4, k] = {I}; st.discard(k)
st = st & {1, i, k}; st |= {(k, 1), {i} % 9}; a = len(st - {i, b}) + ((k, 1) in st)
st = set(l[:7])"""
ITERATED = "range(3); range(i % 5); list(l); list(d); gen(3); range(5, 0, -2); GR; (a, i, 2)"
PATTERNS = "(int(z), float()); 0 | 1; int(w) if w > 2; [z, *_]; C0(v=w); (_, str())"
VALUES = """2 ** 61; 2 ** 62 - 1; 2 ** 63; -2 ** 62; 1.5; True; 'str'; None; SI(5); SF(2.5); -1; 0
float('nan'); Odd(); (1, 2)"""
CHANGES = """change('G0', {V}); change('GF', {V}); C0.m = lambda self, z: z * 2 + self.v
C0.m = h0; C0.p = 5
C0.p = property(lambda self: self.nope); o.__class__ = C1; o.__dict__.clear()
h0.__code__ = other.__code__
h1.__defaults__ = (99,); h1.__kwdefaults__ = {'q': 1}; change('h0', other); change('h2', abs)
change('h2', lambda *z: z[0]); change('len', lambda z: 3); change('abs', int); l[:] = [1.5, 2.5]
l[0] = 'z'; l.clear(); l = SL([4, 5, 6]); d = SD(d); d['s'] = 1; setc(2 ** 62); setc('q')
gc.collect(); tk = SD(tk); st = frozenset(st); tk = set(tk); tk[{V}, 1] = 1; st = l
st = {(1, 2), 3}
it = iter([1, 2, 3]); o = C2(); o.v = {V}; C0.__getattr__ = lambda self, n: 7; o.m = lambda z: z"""


def table(text):
    return [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]


TABLES = {"I": (table(INTS), INT_PARTS), "F": (table(FLOATS), FLOAT_PARTS),
          "B": (table(TRUTHS), TRUTH_PARTS)}
STATEMENTS, ITERATED, PATTERNS = table(STATEMENTS), table(ITERATED), table(PATTERNS)
VALUES, CHANGES = table(VALUES), table(CHANGES)
MOST_DEPTH = 3


class Writer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.counters = 0

    def filled(self, template, depth):
        """Expressions for the template's places."""
        for place in "IFBifV":
            mark = "{" + place + "}"
            while mark in template:
                what = self.r.choice(VALUES) if place == "V" \
                    else self.expression(place.upper(), 0 if place in "if" else depth - 1)
                template = template.replace(mark, what, 1)
        return template

    def expression(self, kind, depth):
        whole, parts = TABLES[kind]
        if depth <= 0 or self.r.random() < 0.15:
            return self.r.choice(parts)
        return self.filled(self.r.choice(whole), depth)

    def line(self, indent, text):
        self.lines.append("    " * indent + text)

    def statements(self, indent, n, depth):
        for _ in range(n):
            self.statement(indent, depth)

    def statement(self, indent, depth):
        blocks = self.branch, self.loop, self.counted, self.handler, self.manager, self.match
        if depth > 0 and self.r.random() < 0.4:
            self.r.choice(blocks)(indent, depth - 1)
        else:
            self.line(indent, self.filled(self.r.choice(STATEMENTS), MOST_DEPTH - 1))

    def branch(self, indent, depth):
        self.line(indent, f"if {self.expression('B', 2)}:")
        self.statements(indent + 1, self.r.randint(1, 2), depth)
        if self.r.random() < 0.5:
            self.line(indent, "else:")
            self.statements(indent + 1, self.r.randint(1, 2), depth)

    def loop(self, indent, depth):
        self.line(indent, f"for {self.r.choice('jzk')} in {self.r.choice(ITERATED)}:")
        self.statements(indent + 1, self.r.randint(1, 3), depth)
        if self.r.random() < 0.4:
            self.line(indent + 1, f"if {self.expression('B', 1)}: "
                                  f"{self.r.choice(('break', 'continue'))}")
        if self.r.random() < 0.2:
            self.line(indent, "else: c += 1")

    def counted(self, indent, depth):
        self.counters += 1
        counter = f"n{self.counters}"
        self.line(indent, f"{counter} = 0")
        self.line(indent, f"while {counter} < 3 and {self.expression('B', 1)}:")
        self.line(indent + 1, f"{counter} += 1")
        self.statements(indent + 1, self.r.randint(1, 2), depth)

    def handler(self, indent, depth):
        self.line(indent, "try:")
        self.statements(indent + 1, self.r.randint(1, 2), depth)
        if self.r.random() < 0.3:
            self.line(indent + 1, f"if {self.expression('B', 1)}: raise "
                                  f"{self.r.choice(('KeyError(i)', 'ValueError', 'E1(a)'))}")
        ends = self.r.random()
        if ends < 0.7:
            caught = self.r.choice(("Exception", "(KeyError, E1)", "ZeroDivisionError",
                                    "TypeError"))
            self.line(indent, f"except {caught} as e:")
            self.line(indent + 1, "log.append(told(e))")
            self.statements(indent + 1, self.r.randint(0, 1), depth)
        if ends > 0.5:
            self.line(indent, "finally:")
            self.line(indent + 1, "c ^= 1")
            self.statements(indent + 1, 1, 0)
            if self.r.random() < 0.15:
                self.line(indent + 1, f"if {self.expression('B', 1)}: return log, a")

    def manager(self, indent, depth):
        self.line(indent, "with Manager(i % 7 == 3):")
        self.statements(indent + 1, self.r.randint(1, 2), depth)

    def match(self, indent, depth):
        self.line(indent, f"match {self.r.choice(('t', 'a % 4', 'l', '(a, s)', 'o'))}:")
        for pattern in self.r.sample(PATTERNS, 3):
            self.line(indent + 1, f"case {pattern}:")
            self.statements(indent + 2, 1, depth)
        self.line(indent + 1, "case _:")
        self.statements(indent + 2, 1, 0)

    def change(self, indent, number):
        self.line(indent, f"{'el' if number else ''}if changes[i] == {number}:")
        self.line(indent + 1, "try:")
        self.line(indent + 2, self.filled(self.r.choice(CHANGES), 0) if self.r.random() < 0.8
                  else f"{self.r.choice('abxycktlus')} = {self.r.choice(VALUES)}")
        self.line(indent + 1, "except Exception as e: log.append(told(e))")

    def program(self):
        rounds = self.r.choice((60, 150, 400, 1500))
        self.line(0, "def f(n, changes):")
        self.lines.append(textwrap.indent(VARIABLES, "    "))
        self.line(1, "for i in range(n):")
        self.line(2, "try:")
        self.statements(3, self.r.choice((2, 3, 5, 8, 12)), MOST_DEPTH)
        self.line(2, "except Exception as e:")
        self.line(3, "if len(log) < 300: log.append(told(e))")
        # Numbers stay such that a round takes no longer than the one before.
        self.line(2, "a = small(a); b = small(b); c = small(c); k = small(k)")
        self.line(2, "if i & 31 == 0:")
        self.line(3, "if type(d) is dict: d = {q: small(v) for q, v in d.items()}")
        self.line(3, "if type(l) is list: l = [small(v) for v in l[:9]]")
        self.line(3, "G1[0] = small(G1[0]); s = s[:9] if type(s) is str else 'abc'")
        self.line(3, "if hasattr(o, 'v'): o.v = small(o.v)")
        for name in "xy":
            self.line(2, f"if type({name}) is float and not abs({name}) < 1e12: {name} = 1.0")
        self.line(2, "if i in changes:")
        for number in range(4):
            self.change(3, number)
        self.line(3, "else: " + AGAIN)
        self.line(3, "log.append((a, b, x, y, s, l, c, k))")
        self.line(1, "return a, b, x, y, s, l, d, t, fl, c, k, getattr(o, 'v', 0), G1")
        changes, at = {}, rounds // 2
        for number in range(4):
            changes[at] = number
            at += self.r.randint(1, rounds // 20 + 2)
            if self.r.random() < 0.6:
                changes[at] = 4
                at += self.r.randint(1, rounds // 20 + 2)
        self.line(0, f"for changes in ({{}}, {{}}, {changes}, {{}}):")
        self.line(1, "log.clear()")
        self.line(1, f"try: print(f({rounds}, changes))")
        self.line(1, "except BaseException as e: print(told(e))")
        self.line(1, "print(log)")
        return PRELUDE + "\n".join(self.lines) + "\n"


def program(seed):
    return Writer(seed).program()

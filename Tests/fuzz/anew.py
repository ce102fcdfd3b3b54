"""Programs that make classes of one name again and again, mostly alike, now and then with other
places, code or kinds of values under a name, and use each of them in the same functions.
compiled.py --anew runs them."""
import random

HEAD = '''
import gc, sys, types
G = "global"
few = [1, 2, 3, 4, 5]
class Binds:
    def __get__(self, owner, cls): return "bound", owner is not None
class Calls:
    def __call__(self, *a): return "called", len(a)
class Meta(type):
    def __call__(cls, *a): return type.__call__(cls, *a)
class Slots: __slots__ = ("s",)
class Dict: common = 3
class Loud:
    count = 0
    def __init__(self, n): self.n = n
    def __del__(self): Loud.count += 1
def elsewhere(make, n):
    names = {**globals(), "G": n, "len": (lambda a: n) if n % 3 == 0 else len}
    return types.FunctionType(make.__code__, names)
def call(f, P, i, w, Q):
    out = []
    try: f(P, i, out, w if w < 8 else i % (w - 7), Q)
    except Exception as e: out.append((type(e).__name__, str(e)))
    return out
def run(make, k, f, times, w=7):
    P = make(k)
    last = []
    for i in range(times):
        out = call(f, P, i, w, P)
        if out != last: last = out
    print(f.__name__, k, show(last), Loud.count)
    return P
def turns(makes, k, f, times, w):
    Ps = [make(k) for make in makes]
    Q = Ps[0]
    last = []
    for i in range(times):
        for P in Ps:
            out = call(f, P, i, w, Q)
            Q = P
            if out != last: last = out
    print(f.__name__, k, show(last), Loud.count)
def show(v, deep=0):
    if type(v) in (list, tuple, dict) and deep < 4:
        return [show(x, deep + 1) for x in (v.items() if type(v) is dict else v)]
    return v if type(v) in (int, float, str, bool, type(None)) else type(v).__name__
'''

# Lines of the body of a class; k is its number. The first of each kind is the usual one.
BODY = {
    "slots": ['__slots__ = "x", "y", "z"', '__slots__ = "x", "y", "z", "more"',
              '__slots__ = "a", "x", "y", "z"', "", '__slots__ = "x", "y", "z", "__dict__"'],
    "kind": ["kind = k", "kind = Binds()", "kind = property(lambda s: s.x)", "kind = 'text'",
             "def kind(self): return 5", "kind = 1.5", ""],
    "init": ["def __init__(self, x, y=k): self.x = x; self.y = y; self.z = None",
             "def __init__(self, x, y=2): self.y = y; self.x = x; self.z = Loud(k)",
             "def __init__(self, x, y=k, *, z=4): self.x, self.y, self.z = x, y, z",
             "def __init__(self, *a): self.x = a[0]; self.y = len(a); self.z = a",
             "def __init__(self, x, y=0): self.x = x + 1; self.y = self.x; self.z = x",
             "def __init__(self, x, y=k): self.set(x, y); self.z = G",
             "def __init__(self, x, y=1): super().__init__(); self.x = x; self.y = y; self.z = 1",
             "def __init__(self, x, y=1): self.x = x; self.y = self.n(2); self.z = self.kind"],
    "m": ["def m(self, a=1): return self.x, a, k", "def m(self, a=2): return self.y, a",
          "m = staticmethod(lambda a=1: ('static', a, k))", "m = Calls()", "m = Binds()", "m = len",
          "m = classmethod(lambda cls, a=1: (cls.__name__, k))", "def m(self): yield self.x",
          "def m(self, a=1): self.x += a; return self.x", "def m(self, a=1): return G, self.x",
          "def m(self, a=1): return self.n(a), G", "def m(self, *, a=1): return a"],
    "n": ["def n(self, a): self.y = a; return self.x", "def n(self, a): return a, k",
          "def n(self, a): return G, len((1, 2))", "n = staticmethod(lambda *a: len(a))",
          "n = Calls()", "def n(self, a, b=G): return b", ""],
    "set": ["def set(self, x, y): self.x = x; self.y = y", "def set(self, x, y): self.y = y",
            "def set(self, x, y): self.x, self.y = y, x; self.q = 1"],
    "p": ["p = property(lambda s: s.x, lambda s, v: setattr(s, 'y', v))",
          "p = property(lambda s: k)",
          "p = 7", "def p(self): return self", "p = Binds()", ""],
    "w": ["w = classmethod(lambda cls, a=0: (cls.kind, a))", "w = staticmethod(lambda a=0: (k, a))",
          "w = classmethod(property(lambda cls: lambda a=0: a))", "w = classmethod(Binds())",
          "def w(self, a=0): return 'w', a", "w = property(lambda s: s.m)", ""],
    "other": [""] * 4 + ["def __setattr__(self, n, v): object.__setattr__(self, n, v)",
              "def __getattr__(self, n): return 'got ' + n",
              "def __del__(self): Loud.count += 100", "def __eq__(self, o): return 0",
              "def __new__(cls, *a, **kw): return object.__new__(cls)",
              "def __getattribute__(self, n): return object.__getattribute__(self, n)"],
}
BASES = ["", "(Slots)", "(Dict)", "(list)", "(metaclass=Meta)", "(Slots, Dict)", "(Mid)",
         "(Mid, Dict)"]

# Statements of functions that take a class and an index, flags and another class; what they find
# goes to `out`.
USES = """\
p = P(i); p = P(i, 2); p = P(i, y=3); p = P(x=i); p = P(i, p.x); q = P(i + 1)
out.append(p.x); out.append((p.x, p.y)); out.append(p.z); out.append(p.kind); out.append(p.m())
out.append(p.m(3)); out.append(p.p); out.append(p.w()); out.append(p.w(2)); out.append(P.kind)
p.x = i; p.y = p.x; p.x += 1; p.z = None; p.z = Loud(i); p.p = 4; p.y = 2.5; p.y += 1; p.y = 'text'
p.new = 3; out.append(p.new); out.append(list(getattr(p, '__dict__', ()))); p.more = i
out.append(q.x + i); q.y = p.y; p = q; out.append([P(v).x for v in range(3)])
out.append([v.x for v in [P(w) for w in range(4)] if v.x > 1]); out.append(p.m); del p.y
out.append(sum(v.x for v in [p, q])); p.x = p; out.append(P.w(1)); p.x = 1 << 70; p.m = len
out.append(isinstance(p, P)); out.append(p.__class__.__name__); out.append(p.common)
out.append(p.n(1)); out.append(vars(p).get('x')); p = P(i, 4); out.append(q.m()); p.set(1, 2)
out.append(p.base()); p = P(1); out.append(p.n(2)); out.append([v.m() for v in (p, q)]); del p.x
q = P(2); p.__class__ = Q; q = p; out.append(type(p).__name__); out.append(p.m(a=2)); few[w]; few[w]
p = P(i).n(1); out.append(P(i).m()); out.append(P(i, 2).x); [p, q][0].x = 5; p.__dict__ = {}"""

LATER = """\
P.m = lambda self, a=1: ('new', a); P.kind = 'new'; P.x = 5; del P.m
P.p = property(lambda s: 'new p'); P.__init__ = lambda self, x, y=1: setattr(self, 'x', y)
P.m.__defaults__ = (9,); P.m.__code__ = (lambda self, a=1: ('code', a)).__code__; P.w = 3
P.kind = Binds(); P.y = property(lambda s: 'y'); P.__getattr__ = lambda s, n: n
P.__slots__ = (); P.__bases__ = (Dict,); P.__del__ = lambda s: None"""


def parts(lines):
    return lines.replace("\n", "; ").split("; ")


def body_of(r, usual, changed):
    """The lines of a class: as usual, but for `changed` of them."""
    lines = dict(usual)
    for name in r.sample(sorted(BODY), changed):
        lines[name] = r.choice(BODY[name])
    return lines


def factory(name, base, lines):
    body = [line for line in lines.values() if line] or ["pass"]
    return (f"def {name}(k):\n    class Mid:\n        common = k\n"
            f"        def base(self): return self.x, G\n    class P{base}:\n"
            + "".join(f"        {line}\n" for line in body) + "    return P\n")


PARAMETERS = "P, i, out, w=7, Q=None, p=None, q=None"
# What comes before the statements, and how far they are indented.
FORMS = [("", 1), ("", 1), ("    for j in range(3):\n", 2), ("    for P in (P, Q, P):\n", 2),
         ("    global GP\n    GP = P\n", 1), ("    j = 3\n    while j:\n        j -= 1\n", 2)]


def function(r, name):
    uses = parts(USES)
    chosen = [r.choice(uses[:4])] + r.choices(uses, k=r.randint(1, 7))
    tries, asks, yields = r.random() < 0.3, r.choice((0, 0.4, 0.8)), r.random() < 0.1
    begin, depth = r.choice(FORMS)
    indent, lines = "    " * depth, []
    for use in chosen:
        if tries:
            lines += [f"try: {use}", "except Exception as e: out.append(type(e).__name__)"]
        else:
            lines.append(f"if w & {1 << r.randrange(3)}: {use}"
                         if lines and r.random() < asks else use)
    body = begin + "".join(f"{indent}{line}\n" for line in lines)
    body = body.replace("P(", "GP(").replace("P.", "GP.") if "global" in begin else body
    if not yields:
        return f"def {name}({PARAMETERS}):\n{body}"
    return (f"def {name}g({PARAMETERS}):\n{body}{indent}yield i\n"
            f"def {name}(P, i, out, w, Q):\n    for v in {name}g(P, i, out, w, Q): out.append(v)\n")


def program(seed):
    r = random.Random(seed)
    usual = {name: lines[0] if r.random() < 0.6 else r.choice(lines)
             for name, lines in BODY.items()}
    if r.random() < 0.6:
        usual["slots"] = ""
    base = r.choice(BASES)
    lines = [HEAD, factory("usual", base, usual)]
    others = []
    for i in range(r.randint(1, 4)):
        name = f"other{i}"
        others.append(name)
        lines.append(factory(name, base if r.random() < 0.7 else r.choice(BASES),
                             body_of(r, usual, r.randint(1, 2))))
    functions = [f"f{i}" for i in range(r.randint(1, 3))]
    later = parts(LATER)
    lines += [function(r, name) for name in functions]
    rounds, each = r.choice(((40, 25), (120, 9), (25, 60), (300, 4))), r.random() < 0.5
    before, flags = r.choice((0, 0, 1, 5, 30)), r.choice((7, 7, 0, 1, 2, 10, 15))
    lines.append(f"""
kept = []
for f in {', '.join(functions)},:
    for k in range({before}): run({others[0]}, k, f, {r.choice((1, 5, 30))}, {r.choice((7, 1, 15))})
    for k in range({rounds[0]}):
        make = {r.choice(('usual', 'usual', 'elsewhere(usual, k)'))}
        kept.append(run(make, k, f, {rounds[1]}, {flags}))
        {'del kept[:-2]; gc.collect()' if each else 'pass'}""")
    for _ in range(r.randint(3, 14)):
        f, k = r.choice(functions), r.randrange(100)
        make, times = r.choice(others + ["usual"]), r.choice((1, 3, 30, 60))
        if r.random() < 0.3:
            make = f"elsewhere({make}, {r.randrange(6)})"
        if r.random() < 0.3:
            makes = ", ".join(r.choices(others + ["usual", "usual"], k=r.randint(2, 6)))
            lines.append(f"for k in range(20): turns([{makes}], k, {f}, {r.choice((1, 9))}, "
                         f"{r.randrange(16)})")
        lines.append(f"P = run({make}, {k}, {f}, {times}, {r.randrange(16)})")
        if r.random() < 0.4:
            lines.append(f"try: {r.choice(later)}\nexcept Exception as e: print(type(e).__name__)")
            lines.append(f"run(lambda k: P, {k}, {f}, {r.choice((2, 30))})")
        if r.random() < 0.3:
            lines.append(f"for k in range(30): run(usual, k, {f}, 20)")
        if r.random() < 0.3:
            lines.append(f"for k in range(90): run(lambda k: kept[k % len(kept)], k, {f}, 2)")
    return "\n".join(lines) + "\n"

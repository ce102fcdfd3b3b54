"""Programs whose functions are compiled while the world changes beneath them: globals get values of
other types, classes and instances other attributes, functions other code, built-in functions other
names. compiled.py --changing runs them."""
import random

HEAD = '''
import builtins, math, sys
class A:
    k = 1
    def __init__(self, x): self.x = x; self.y = 2
    def m(self, a=1): return self.x + a if isinstance(self.x, (int, float)) else a
    @property
    def p(self): return 5
    @staticmethod
    def st(a): return a * 2
    @classmethod
    def cm(cls, a): return cls.k if a else a
    def __eq__(self, o): return self is o
    def __len__(self): return 2
    def __getitem__(self, i): return i
    def __iter__(self): return iter((1, 2))
    def __contains__(self, v): return v == 1
    def __bool__(self): return True
    def __add__(self, o): return 7
    def __call__(self, a=0): return a + 1
    def __lt__(self, o): return True
    def __str__(self): return "A"
    __repr__ = __str__
    __hash__ = None
class B(A):
    __slots__ = ("z",)
    def m(self, a=1): return super().m(a) + 1
class C(A):
    def __getattr__(self, name): return len(name)
class D(int): pass
class E(list): pass
class F(dict):
    def __missing__(self, key): return 9
a, b, c = A(1), B(2), C(3)
number, items, table, row, text = 1, [1, 2, 3], {"a": 1, "b": 2, 1: 3}, (1, 2, 3), "hello"
def g(x, y=2, *, z=3): return (x, y, z)
def h(x): return x
def numbers(n):
    for i in range(n): yield i + number
def cell():
    v = 1
    def get(): return v
    def put(x):
        nonlocal v
        v = x
    return get, put
get, put = cell()
called, current = h, a
'''

# What calls the functions and shows results keeps its own names of what is changed.
SHOW = '''
def keep(type=type, str=str, repr=repr, range=range, tuple=tuple, list=list, len=len, print=print):
    plain = int, float, str, bool, bytes, type(None), D
    def show(value, deep=0):
        kind = type(value)
        if kind in (list, tuple) and deep < 4:
            return kind.__name__ + "(" + ", ".join([show(v, deep + 1) for v in value]) + ")"
        return kind.__name__ + (repr(value)[:50] if kind in plain else "")
    def run(function, argument, times):
        for _ in range(times):
            try: result = function(argument)
            except Exception as e: result = [type(e).__name__ + ": " + str(e)[:70]]
        print(show(result))
    def failed(e):
        print(type(e).__name__)
    return run, failed
run, failed = keep()
'''

EXPRESSIONS = """\
current.x; current.y; current.k; current.m(); current.m(3); current.p; current.st(2)
current.cm(1); current == a; len(current); current[1]; current[number]; list(current)
1 in current; bool(current); current + 1; current + number; current(4); current < a; current.new
current.z; current.x if current else 0; number; number + 1; number * 2; number < 3; -number
number // 2; number and 1; not number; abs(number); items[0]; items[-1]; len(items); sum(items)
[v + 1 for v in items]; [v for v in items if v]; items + [1]; table['a']; table.get('b')
'a' in table; list(table.items()); [k for k in table]; len(table); row[0]; row[number - number]
x in row; text[0]; text[1:3]; text.upper(); text + 'x'; f'{text}{number}'; text == 'hello'; g(1)
g(1, z=number); g(x, y=x); g(*row[:2]); h(x); h(h(x)); called(x); get(); list(numbers(3))
sum(numbers(4)); [v for v in numbers(2)]; next(numbers(1)); A(x).x; B(x).m()
isinstance(current, B); isinstance(number, int); type(current).__name__; min(number, 2)
max(number, x); len(text); int(number); range(3)[1]; sorted(items); any(v > 2 for v in items)
[*zip(items, row)]; next((v for v in items if v == 2), None); enumerate(items).__next__()
math.sqrt(4.0); math.floor(2.5); A.k; B.m(b); a.x + b.x; (lambda q: q + number)(1); number is None
x.real; round(2.5); x % 3; x * number; x + number - number; a.zz; 10 // number; 10 % number
1 << number; number / 2"""

CHANGES = """\
number = 2; number = 1.5; number = 'q'; number = None; number = 1 << 70; number = True
number = [1]; number = -3; number = D(4); number = 1; number = 0; items.append(4)
items.append(1.5); items[:] = [3, 1]; items = [1, 2, 3]; items = (1, 2); items = E([5, 6])
items = range(4); items = 'abc'; items = []; items = [None, 2]; items = {1: 2, 0: 3, -1: 5}
items = ['a', 'b']; table['a'] = 'n'; table.pop('a', 0); table = {'a': 5, 'b': 1}; table = F(a=2)
table[2] = 1; table.clear(); table = {1: 1, 'a': 0, 'b': None}; row = (0, 1); row = [7, 8, 9]
row = (1.5, 'x', None); text = 'h\\u00e9llo'; text = ''; text = b'xyz'; text = '\\u65e5\\u672c'
text = 'hello'; current = b; current = c; current = a; current = A(1.5); current = A('s')
current = B(9); current = None; current = 5; current = [1, 2]; current = A; A.k = 3
A.k = property(lambda s: 8); B.k = 6; del B.k; A.m = lambda s, a=1: a; B.m = lambda s, a=1: s.x
A.p = 4; A.p = property(lambda s: s.y); A.x = property(lambda s: 77); del A.x
A.__len__ = lambda s: 5; A.__eq__ = lambda s, o: True; A.__getitem__ = lambda s, i: 'it'
A.__bool__ = lambda s: False; del A.__bool__; A.__add__ = lambda s, o: NotImplemented
A.__call__ = lambda s, a=0: a; A.__iter__ = lambda s: iter([3])
A.__contains__ = lambda s, v: False; del A.__getattribute__
A.__getattribute__ = lambda s, n: object.__getattribute__(s, n); A.__getattr__ = lambda s, n: n
del A.__getattr__; a.x = 'str'; a.x = 2.5; a.x = None; del a.x; a.x = 1 << 65
a.m = lambda a=1: 'own'; del a.m; a.k = 12; del a.k; a.__class__ = C; a.__class__ = A; a.new = 1
b.z = 3; del b.z; a.__dict__ = {'x': 4, 'y': 'u'}; a.__dict__['x'] = 8; a.__dict__.clear()
vars(a)['m'] = h; c.x = 1; g.__defaults__ = (9,); g.__kwdefaults__ = {'z': 'k'}
g.__code__ = (lambda x, y=2, *, z=3: [x, y, z]).__code__
h.__code__ = (lambda x: -x if type(x) is int else x).__code__; h = lambda x: x; h = str; h = A(1)
h = len; called = h; called = g; called = A; called = a.m; called = b.m; called = [].append
called = abs; called = max; called = lambda x: number; put(2); put('s'); put(1.5); put(None)
put([1]); numbers = lambda n: [n] * n; numbers = range; builtins.len = lambda o: 99
builtins.len = list.__len__; len = lambda o: 42; del len; abs = str; del abs
range = lambda *n: [0, 1]; del range; isinstance = lambda *z: 0; del isinstance
math.sqrt = lambda v: v; math.floor = abs; B.__bases__ = (A,); A.st = lambda self, a: 'bound'
A.st = staticmethod(lambda a: a); A.cm = classmethod(lambda c, a: c.__name__)
A.__init__ = lambda s, x: setattr(s, 'x', 3); A.__new__ = lambda cls, x: object.__new__(cls)
sum = max; del sum; sys.setrecursionlimit(600); current.x = number; current.y = items
type = lambda v: A; del type; globals()['number'] = 55; exec('number = 6'); sorted = list
del sorted; next = lambda i, d=0: 'nx'; del next; int = float; del int"""


def parts(lines):
    return lines.replace("\n", "; ").split("; ")


def body(r, expressions):
    form = r.randrange(5)
    if form == 0:
        return f"    return [{', '.join(expressions)}]"
    if form == 1:
        return ("    out = []\n    for i in range(3):\n"
                + "".join(f"        out.append({e})\n" for e in expressions) + "    return out")
    if form == 2:
        return ("    out = []\n    try:\n"
                + "".join(f"        out.append({e})\n" for e in expressions)
                + "    except Exception as e: out.append(str(e)[:60])\n    return out")
    if form == 3:
        return ("".join(f"    v{i} = {e}\n" for i, e in enumerate(expressions))
                + "    return " + "".join(f"v{i}, " for i in range(len(expressions))))
    return ("    out = []\n    for q in (1, 2):\n"
            + "".join(f"        try: {e}\n        except AttributeError: out.append('no')\n"
                      f"        else: out.append({e})\n" for e in expressions) + "    return out")


def program(seed):
    r = random.Random(seed)
    expressions, changes = parts(EXPRESSIONS), parts(CHANGES)
    lines = [HEAD + SHOW]
    functions = [f"f{k}" for k in range(r.randint(2, 4))]
    for name in functions:
        lines.append(f"def {name}(x):\n" + body(r, r.choices(expressions, k=r.randint(1, 4))))
    for _ in range(r.randint(6, 25)):
        argument = r.choice(["1", "2", "2.5", "'s'", "1 << 66", "True", "a"])
        lines.append(f"run({r.choice(functions)}, {argument}, {r.choice((1, 3, 40, 40, 2500))})")
        for _ in range(r.choice((0, 1, 1, 1, 2, 3))):
            lines.append(f"try: {r.choice(changes)}\nexcept Exception as e: failed(e)")
    return "\n".join(lines) + "\n"

"""Values of all types in machine code: arithmetic, comparison, subscripts and slices, f-strings,
displays, functions, cells, and exceptions that are handled.

Each program runs often enough to be compiled, then meets what its guards exclude, and must
print what it prints in the interpreter."""
import textwrap
import unittest

from test_jit_items import PRELUDE, run

LONG = "many programs, each in several modes"

MORE = """
class Sub(str): pass
class Text:
    def __format__(self, spec): return Sub("<" + spec + ">")
    def __str__(self): return Sub("text")
    def __repr__(self): raise ValueError("no repr")
class Other:
    def __add__(self, x): return ("add", plain(x))
    def __radd__(self, x): return ("radd", plain(x))
    def __mod__(self, x): return NotImplemented
    def __lt__(self, x): return [] if x == 1 else "yes"
    def __eq__(self, x): raise KeyError(plain(x))
    def __hash__(self): return 5
    def __neg__(self): return "neg"
    def __repr__(self): return "Other()"
    def __getitem__(self, i): return ("item", plain(i))
    def __setitem__(self, i, x): print("set", plain(i), plain(x))
    def __delitem__(self, i): print("del", plain(i))
THINGS = (0, 1, -1, 1 << 62, -1 << 62, 1 << 80, True, None, 0.5, float("nan"), 1e300, 2 ** 53 + 1,
          2.0 ** 53, 1j, "", "abc", "\\u0394x", b"", b"ab", bytearray(b"ab"), (), (1, 2), [],
          [1, 2], {1, 2}, frozenset([2]), {}, {1: 2, "a": 3}, slice(1, 2), Sub("sub"), Text(),
          Other(), range(5), memoryview(b"xyz"))
def every(function, *args):
    for x in THINGS:
        attempt(function, x, *args)
def pairs(function):
    for x in THINGS:
        for y in THINGS:
            attempt(function, x, y)
"""


class Values(unittest.TestCase):
    maxDiff = None

    def check(self, text):
        text = PRELUDE + MORE + textwrap.dedent(text)
        expected = run(text, "off")
        self.assertEqual(expected[2], 0, expected[1])
        self.assertNotEqual(expected[0], "")
        for mode in "eager", "stress:3":
            self.assertEqual(run(text, mode), expected, mode)

    def test_arithmetic(self):
        self.check("""
            def add(x, y): return x + y
            def mul(x, y): return x * y
            def mod(x, y): return x % y
            def sub(x, y): return x - y
            def conj(x, y): return x & y
            def disj(x, y): return x | y
            def excl(x, y): return x ^ y
            def iadd(x, y):
                x += y
                return x
            def more(x): return x + 1
            def twice(x): return x * 2
            def three(x): return 3 * x
            def neg(x): return -x
            def pos(x): return +x
            def inv(x): return ~x
            for first in ("a", "b"), ([1], [2]), (1.5, 2), ((1,), (2,)), ({1}, {1, 2}), (1j, 2):
                for f in add, mul, mod, sub, conj, disj, excl, iadd:
                    try:
                        warm(f, *first)
                    except TypeError:
                        pass
                    pairs(f) if first[0] == "a" else None
            for f in more, twice, three, neg, pos, inv:
                try:
                    warm(f, 1j if f in (more, neg, pos) else "a")
                except TypeError:
                    pass
                every(f)
        """)

    def test_a_str_that_grows(self):
        self.check("""
            def f(parts):
                s = ""
                for x in parts:
                    s += x
                return s
            def g(s, parts):
                old = s
                for x in parts:
                    t = s
                    s = s + x
                return old, t, s
            def h(s):
                s += s
                s += s
                return s
            for _ in range(60):
                f(["ab"] * 40)
                g("x", "abc" * 10)
                h("ab")
            print(f(["ab", "c", "\\u0394", ""]), g("x", "abc"), h("ab"), h("\\u0394"))
            for last in 1, None, Sub("s"), Other(), b"x":
                attempt(f, ["a", "b", last])
                attempt(g, last, ["a"])
                attempt(h, last)
        """)

    def test_comparison(self):
        self.check("""
            def lt(x, y): return x < y
            def eq(x, y): return x == y
            def le(x, y): return "yes" if x <= y else "no"
            def ne(x, y): return "yes" if x != y else "no"
            def notlt(x, y): return "no" if not x < y else "yes"
            def ge(x, y):
                while x >= y:
                    return "ge"
                return "lt"
            def seven(x): return "less" if x < 7 else "not"
            for f in lt, eq, le, ne, notlt, ge:
                warm(f, [1], [2])
                pairs(f)
            for f in lt, eq, le, ne, notlt, ge:
                warm(f, 0.5, 3)
                warm(f, 3, 0.5)
                for x, y in ((0.5, 2 ** 53), (0.5, 2 ** 53 + 1), (2.0 ** 53, 2 ** 53 + 1),
                             (-2.0 ** 53, -2 ** 53 - 1), (float("nan"), 1), (1e300, 10 ** 300)):
                    attempt(f, x, y)
                    attempt(f, y, x)
            warm(seven, "a") if False else None
            every(seven)
        """)

    def test_float_and_int(self):
        self.check("""
            def f(x, n):
                found = 0
                for i in range(n):
                    if x < i: found += 1
                    if i <= x: found += 100
                    found += (x == i) * 10000
                return found
            for _ in range(60):
                f(7.5, 20)
            print(f(7.0, 20), f(float("nan"), 5), f(1e300, 5), f(-1, 3))
            def g(x, y):
                return x < y, x == y, y > x, y != x
            for _ in range(700):
                g(0.5, 1)
            big = 2 ** 53
            for y in big - 1, big, big + 1, -big, -big - 1, 1 << 61, 1 << 70:
                print(g(float(big), y), g(-float(big), y))
        """)

    def test_subscripts(self):
        self.check("""
            def get(a, i): return a[i]
            def first(a): return a[0]
            def last(a): return a[-1]
            def put(a, i, x):
                a[i] = x
                return a
            def drop(a, i):
                del a[i]
                return a
            import array
            class Key(dict):
                def __missing__(self, k): return ("missing", k)
            class G:
                def __class_getitem__(cls, k): return ("class", k)
            WARM = ("abc", b"abc", bytearray(b"abc"), array.array("i", [1, 2]), (1, 2), [1, 2],
                    {0: 1, -1: 2, 1: 3}, range(9), memoryview(b"xyz"), Key(), G)
            for w in WARM:
                for f in first, last:
                    warm(f, w)
                    every(f)
                warm(get, w, 1)
                for k in 0, -1, -2, 5, 1 << 70, "a", 1.5, None, slice(0, 1), Index(), (1, 2), True:
                    for x in WARM:
                        attempt(get, x, k)
                    every(get, k)
            for w in bytearray(b"abc"), array.array("i", [1, 2]), [1, 2], {(1, 2): 3}:
                k = (1, 2) if isinstance(w, dict) else 1
                warm(put, w, k, 7)
                for k in 0, -1, 5, "a", (1, 2), [], 1 << 70, Index():
                    for x in 5, 300, -1, None, "x", 1 << 62:
                        attempt(put, w, k, x)
                        attempt(put, Other(), k, x)
            def churn(n):
                d = {}
                for i in range(n):
                    d[i] = i
                    del d[i]
                return d
            for _ in range(50): churn(30)
            attempt(churn, 5)
            for x in [1, 2], {1: 2}, bytearray(b"ab"), (1, 2), Other(), None, 5:
                attempt(drop, x, 1)
                attempt(drop, x, 1)
        """)

    def test_slices(self):
        self.check("""
            def cut(a, i, j): return a[i:j]
            def head(a): return a[:2]
            def tail(a): return a[1:]
            def back(a): return a[::-1]
            def step(a, i): return a[i:9:2]
            def make(i): return (lambda *a: None, slice(i), [1, 2, 3][i:])
            def put(a, i, j, x):
                a[i:j] = x
                return a
            def put2(a, x):
                a[::2] = x
                return a
            for w in ("abcde", "\\u0394bcd\\u0394", b"abcd", [1, 2, 3], (1, 2, 3),
                      bytearray(b"abcd")):
                for f, args in (cut, (1, 3)), (head, ()), (tail, ()), (back, ()), (step, (1,)):
                    warm(f, w, *args)
                    every(f, *args)
                    for i in None, 0, -1, 9, 1 << 62, 1 << 80, -1 << 80, Index(), 1.5, True:
                        if args:
                            attempt(f, w, i, *args[1:])
                            attempt(f, w, *args[:-1], i)
            warm(put, [1, 2, 3], 1, 2, [5])
            for a in [1, 2, 3], bytearray(b"abc"), Other(), (1, 2), None:
                for i, j in (0, 1), (None, None), (-1, 9), (1 << 80, 5), (Index(), "x"):
                    for x in [], [7, 8], b"z", None, 5, iter([1]):
                        attempt(put, a if not isinstance(a, list) else a[:], i, j, x)
            warm(put2, [1, 2, 3], [4, 5])
            attempt(put2, [1, 2, 3], [4])
            items = ["".join(["a", str(i)]) for i in range(5)]
            before = references(items)
            warm(cut, items, 1, 3)
            warm(put, items[:], 1, 3, items[1:3])
            print(references(items) == before)
        """)

    def test_texts(self):
        self.check("""
            def one(x): return f"{x}"
            def two(x): return f"a{x}b"
            def many(x): return f"{x}-{x}-{x!r}-{x!s}-{x}-{x}-{x}-{x}-{x}{x}"
            def conv(x): return f"{x!r}"
            def strs(x): return f"{x!s}"
            def ascii_(x): return f"{x!a}"
            def spec(x): return f"{x:>5}"
            def nested(x, w): return f"{x:{w}.{2}f}|"
            def digits(x): return f"{x:05d}"
            def kept(x):
                y = f"{x}"
                return y is x
            for w in "ab", 5, 1.5, None, (1, 2), True, 1 << 70, Text():
                for f in one, two, many, conv, strs, ascii_, spec, digits, kept:
                    try:
                        warm(f, w)
                    except (ValueError, TypeError):
                        pass
                    every(f)
            warm(nested, 1.5, 8)
            for w in 8, 0, "x", None, 1.5, Text():
                attempt(nested, 2.5, w)
                attempt(nested, "s", w)
            words = ["w%d" % i for i in range(4)]
            before = references(words)
            for w in words:
                warm(two, w)
                warm(one, w)
            print(references(words) == before)
            def local(n):
                x = y = 0.5
                out = []
                for i in range(n):
                    x = x + y
                    s = f"{x}/{i}/{y:.1f}"
                    y = y * 2.0
                    out.append(s)
                return out, x, y
            for _ in range(40): local(20)
            print(local(4))
        """)

    def test_displays(self):
        self.check("""
            def s(x, y): return {x, y, 3}
            def m(x, y): return {x: y, "a": x, y: None}
            def k(x, y): return {"a": x, "b": y, "c": 1.5}
            def e(): return {}
            def f(x, y): return [{}, {x}, {"k": {y}}]
            for g in s, m, k, f:
                warm(g, 1, 2)
                for x in THINGS:
                    try:
                        print(sorted(map(plain, g(x, 1))), sorted(map(plain, g(2, x))))
                    except Exception as error:
                        print(type(error).__name__, error.__traceback__.tb_next.tb_lineno)
            warm(e)
            print(e(), e() is e())
            class Noisy(Loud):
                def __hash__(self): return 1
                def __eq__(self, x): return True
            def noisy(n):
                d = {Loud(n): 1, Noisy(n + "1"): 2, Noisy(n + "2"): 3}
                t = {Noisy(n + "3"), Noisy(n + "4")}
                return len(d), len(t)
            for i in range(40):
                attempt(noisy, str(i))
        """)

    def test_functions(self):
        self.check("""
            def plain_(n): return lambda x: x + n
            def defaults(n):
                def f(a, b=n, *, c=3, d=n): return a, b, c, d
                return f
            def annotated(n):
                def f(a: int, b: n = 5) -> "str": "doc"; return a, b
                return f
            def nested(n):
                def f():
                    nonlocal n
                    n += 1
                    return lambda: n
                return f
            def loop(n):
                fs = []
                for i in range(n):
                    fs.append(lambda i=i: i)
                return [f() for f in fs]
            for g in plain_, defaults, annotated, nested:
                warm(g, 2)
            warm(loop, 3)
            f = defaults(7)
            print(plain_(3)(4), f(1), f.__defaults__, f.__kwdefaults__, f.__qualname__,
                  f.__module__)
            f = annotated(8)
            print(f(1), f.__annotations__, f.__doc__, f.__name__)
            f = nested(1)
            print(f()(), f()(), loop(4))
        """)

    def test_cells(self):
        self.check("""
            def counter():
                n = 0
                def up(by):
                    nonlocal n
                    n = n + by
                    return n
                return up
            def own(k):
                x = k
                def get(): return x
                out = []
                for i in range(5):
                    x = i
                    out.append(get())
                    x = k
                    x = (k, x)
                    x = x
                out.append(get())
                return out
            def unbound(flag):
                def get(): return x
                if flag:
                    x = 1
                return get()
            c = counter()
            warm(c, 1)
            for by in 1, 0.5, 1 << 70, "s":
                attempt(c, by)
            attempt(c, 1)
            warm(own, 1)
            for x in THINGS: attempt(own, x)
            warm(unbound, 1)
            attempt(unbound, 0)
            def loud(name):
                x = Loud(name)
                def put(y):
                    nonlocal x
                    x = y
                    z = 1
                put(Loud(name + "2"))
                put(None)
            for i in range(30):
                loud(str(i))
        """)

    def test_exceptions_that_are_handled(self):
        self.check("""
            def f(d, k):
                try:
                    return d[k]
                except KeyError as e:
                    return "key", e.args, sys.exc_info()[0].__name__
                except (TypeError, IndexError):
                    return "type"
                finally:
                    d = None
            def g(xs):
                found = 0
                for x in xs:
                    try:
                        found += 10 // x
                    except ZeroDivisionError:
                        found += 1000
                        try:
                            found += [][x]
                        except LookupError as e:
                            found += len(e.args)
                    except wrong:
                        found = "never"
                return found, sys.exc_info()
            wrong = ValueError
            for _ in range(100):
                f({}, 1); f([], 0); f({1: 2}, 1)
                g([1, 0, 2])
            for d, k in ({}, 1), ([], 0), (None, 1), ({1: 2}, 1), ({}, []):
                attempt(f, d, k)
            attempt(g, [1, 0, "x"])
            attempt(g, [1, 0, 5])
            wrong = TypeError
            attempt(g, [1, 0, "x"])
            wrong = 5
            attempt(g, [1, 0, "x"])
            wrong = (ValueError, "x")
            attempt(g, [1, 0, "x"])
            class A:
                pass
            def h(n):
                a = A()
                for i in range(n):
                    a.x = i
                    del a.x
                    try:
                        del a.x
                    except AttributeError:
                        a.y = i
                return a.y
            for _ in range(50): h(20)
            print(h(3))
            def chain(x):
                try:
                    try:
                        raise Loud2(x)
                    except Loud2 as e:
                        raise KeyError(x) from e
                except KeyError as e:
                    return type(e.__cause__).__name__, e.__context__ is e.__cause__
            class Loud2(Exception):
                def __del__(self): print("gone", self.args)
            for i in range(60): attempt(chain, i)
        """)

    def test_none_and_identity_of_what_is_dropped(self):
        self.check("""
            def f(n):
                out = []
                for i in range(n):
                    if [i] is None: out.append("never")
                    if Loud(str(i)) is not None: out.append(i)
                    if Loud("x") is Loud("y"): out.append("same")
                    if (i,) is not (i, i): out.append("other")
                return out
            for _ in range(20): print(f(5))
        """)

    def test_containment(self):
        self.check("""
            class Has:
                def __contains__(self, x): return x
            class Node: pass
            class Odd:
                def __eq__(self, x): print("eq", plain(x)); return x == 1
                def __hash__(self): return 1
            node = Node()
            CONTAINERS = ({(1, 2), "a", 1, None, node}, {(1, 2): 3, "a": 4, 1: 5}, [1, "a", (1, 2)],
                          (1, 2), "abc", b"abc", range(5), Has(), Odd(), {Odd()}, {Odd(): 1},
                          frozenset([(1, 2)]), {1.5: 2, (1.5, "x"): 3})
            ITEMS = ((1, 2), (1, (2, 3)), "a", 1, 1.0, 1.5, (1.5, "x"), None, True, node, Node(),
                     Odd(), [1], (1, [2]), (Odd(), 1), ((((1,),),),), 1 << 70, frozenset([1]), b"a",
                     Sub("a"))
            def found(x, c): return x in c
            def missing(x, c): return "no" if x not in c else "yes"
            def temp(x, c): return (x, x) in c or [x] in [c]
            for x, c in ((1, 2), CONTAINERS[0]), ((1, 2), CONTAINERS[1]), (node, CONTAINERS[0]), \
                        (1, range(5)), ("a", "abc"), (1, Has()), (1, b"abc"):
                for f in found, missing, temp:
                    try:
                        warm(f, x, c)
                    except TypeError:
                        pass
                    for y in ITEMS:
                        for d in CONTAINERS:
                            attempt(f, y, d)
        """)

    def test_keys_of_all_kinds(self):
        self.check("""
            class Node: pass
            class Odd:
                def __init__(self, n): self.n = n
                def __eq__(self, x): print("eq"); return self.n == x.n
                def __hash__(self): print("hash"); return 1
            def grid(n):
                cells, seen = {}, set()
                for y in range(n):
                    for x in range(n):
                        cells[x, y] = x * y
                        seen.add((y, x))
                        if (x, 0) in seen and (x, y) in cells:
                            cells[x, 0] += cells[x, y] + cells.get((y, x), 7)
                return cells, sorted(seen)
            for _ in range(30): grid(6)
            print(grid(3))
            def by(d, keys):
                for i, k in enumerate(keys):
                    d[k] = i
                return [(d[k], d.get(k)) for k in keys]
            nodes = [Node() for _ in range(5)]
            before = references(nodes)
            for _ in range(60):
                by({}, nodes)
                by({}, [(n, 1) for n in nodes])
                by({}, [1.5, None, True, (1, (2, 3)), "x"])
            print(references(nodes) == before)
            attempt(by, {}, [1.0, 1, True, (1, 2.0), (1.0, 2), float("nan")])
            attempt(by, {}, [Odd(1), Odd(2), Odd(1)])
            attempt(by, {Odd(1): 5}, [1, (1,), "a", None])
            attempt(by, {}, [[1]])
            attempt(by, {}, [(1, [2])])
            attempt(by, {}, [(Odd(1), 1), (Odd(1), 1)])
        """)

    def test_patterns(self):
        self.check("""
            class P:
                __match_args__ = ("x", "y")
                def __init__(self, x, y): self.x, self.y = x, y
            def f(v):
                match v:
                    case []: return "empty"
                    case [x]: return "one", x
                    case [x, *rest]: return x, rest
                    case {"k": k, **rest}: return k, rest
                    case {}: return "mapping"
                    case P(1, y=y): return "P", y
                    case P(x, y): return "p", x, y
                    case str() | bytes(): return "text"
                    case int(n) if n > 5: return "big", n
                    case None | True: return "single"
                    case _: return "other"
            def g(v):
                assert v, ("false", v)
                return len(v)
            class Seq(list): pass
            import collections
            VALUES = ([], [1], (1, 2), [1, 2, 3], {"k": 1, "l": 2}, {}, P(1, 2), P(3, 4), "s", b"s",
                      7, 3, None, True, 1.5, range(3), Seq([1]), collections.deque([1, 2]),
                      collections.UserDict(k=1), "", iter([]))
            for w in VALUES[:13]:
                for _ in range(80): f(w)
                for v in VALUES: attempt(f, v)
            for w in "a", [1]:
                warm(g, w)
                for v in VALUES: attempt(g, v)
        """)

    def test_known_strs(self):
        """What is compared with a constant: interned or not, of classes of one's own, of other
        kinds, and of the deprecated kind that gets its characters later."""
        self.check("""
            import ctypes, warnings
            warnings.simplefilter("ignore")     # the deprecated call's
            api = ctypes.pythonapi
            api.PyUnicode_FromUnicode.restype = ctypes.py_object
            api.PyUnicode_FromUnicode.argtypes = ctypes.c_wchar_p, ctypes.c_ssize_t
            api.PyUnicode_AsUnicode.restype = ctypes.c_void_p
            api.PyUnicode_AsUnicode.argtypes = ctypes.py_object,
            def late(text):
                op = api.PyUnicode_FromUnicode(None, len(text))
                ctypes.memmove(api.PyUnicode_AsUnicode(op), ctypes.create_unicode_buffer(text),
                               len(text) * ctypes.sizeof(ctypes.c_wchar))
                return op
            class Own(str):
                def __eq__(self, other): return "own eq"
                def __ne__(self, other): return []
                __hash__ = str.__hash__
            def made(text): return "".join(list(text))
            texts = "push", "pop", "push!", "", "\u0394x", "p"
            values = [*texts, *map(made, texts), *map(Sub, texts), *map(Own, texts),
                      *map(late, texts), *THINGS]
            def value(x):
                return [x == "push", x != "push", "push" == x, x == "", x != "\u0394x", "p" != x]
            def jump(x):
                if x == "push": return 1
                elif x == "": return 2
                elif x != "pop":
                    return 3 if x == "\u0394x" else 4 if not x == "p" else 5
                return 6
            def short(x):
                while "pop" != x and x != "p":
                    return x == "push" or x == ""
            for f in value, jump, short:
                for warm_with in ["push", "pop"], [made("push"), "nope"], ["push", 5, None], [Sub("p")]:
                    for _ in range(300):
                        for x in warm_with: f(x)
                    for x in values: attempt(f, x)
            for f in value, jump, short: attempt(f, late("push")), attempt(f, late("no"))
        """)

    def test_with(self):
        self.check("""
            class C:
                def __init__(self, swallow): self.swallow = swallow
                def __enter__(self): return self
                def __exit__(self, *a): print("exit", a[0]); return self.swallow
            class D:
                def __enter__(self): return 5
                __exit__ = staticmethod(lambda *a: len(a) == 3 and a[0] is ValueError)
            def f(c, x):
                with c as y:
                    if x:
                        raise x
                    return type(y).__name__
                return "swallowed"
            for _ in range(60):
                f(C(True), None), f(C(True), ValueError), f(D(), ValueError), f(D(), None)
            for c in C(True), C(False), D(), None, 5:
                for x in None, ValueError, KeyError("k"):
                    attempt(f, c, x)
        """)


if __name__ == "__main__":
    unittest.main()

"""Items of containers in machine code: subscripts, loops, unpacking, len().

Each program runs often enough to be compiled, then meets what its guards exclude, and must
print what it prints in the interpreter."""
import re
import sys
import textwrap
import unittest

from jit_cases import finished


def run(text, mode):
    done = finished(textwrap.dedent(text), PYTHONHASHSEED="0", SPRINGBOARD_JIT=mode)
    # A sanitizer's warning (of a block too large, say) begins with the process's number.
    said = re.sub(r"(?m)^==\d+==", "", done.stderr)
    return done.stdout, said, done.returncode


PRELUDE = """
import sys
class L(list):
    def __getitem__(self, i): return ("L", i)
    def __setitem__(self, i, x): print("set", i, x)
    def __iter__(self): return iter(["iterated"])
    def __len__(self): return 77
class T(tuple):
    def __getitem__(self, i): return ("T", i)
class D(dict):
    def __missing__(self, key): return ("missing", key)
class S(str): pass
class Same:
    def __init__(self, name): self.name = name
    def __hash__(self): print("hash", self.name); return 5
    def __eq__(self, other): print("eq", self.name, plain(other)); return True
    def __repr__(self): return "Same(%s)" % self.name
class Loud:
    def __init__(self, name): self.name = name
    def __repr__(self): return "<%s>" % self.name
    def __del__(self):
        frame = sys._getframe(1)
        code, shown = frame.f_code, []
        if code.co_name != "<module>":
            shown = sorted((k, plain(v)) for k, v in frame.f_locals.items())
        print("gone", self.name, code.co_name, frame.f_lineno - code.co_firstlineno, shown)
def plain(value):
    text = repr(value)
    before, found, behind = text.partition(" at 0x")
    while found:
        text = before + behind.lstrip("0123456789abcdef")
        before, found, behind = text.partition(" at 0x")
    return text
class Index:
    def __index__(self): return 1
def attempt(function, *args):
    try:
        print(function.__name__, plain(function(*args)))
    except Exception as e:
        line = e.__traceback__.tb_next.tb_lineno - function.__code__.co_firstlineno
        print(function.__name__, type(e).__name__, plain(e), line)
def warm(function, *args):
    for _ in range(700):
        function(*args)
def references(objects):
    return [sys.getrefcount(o) for o in objects]
"""


class Items(unittest.TestCase):
    maxDiff = None

    def check(self, text):
        text = PRELUDE + textwrap.dedent(text)
        expected = run(text, "off")
        self.assertEqual(expected[2], 0, expected[1])
        self.assertNotEqual(expected[0], "")
        self.assertEqual(run(text, "eager"), expected)

    def test_a_subscript_of_a_list(self):
        self.check("""
            def f(a, i):
                x = a[i]
                return x
            def g(a, i):
                return a[i] + 1
            items = [object(), object(), object()]
            before = references(items)
            warm(f, items, 2)
            print(references(items) == before)
            warm(g, [1, 2, 3], 1)
            for i in 0, 2, -1, -3, 3, -4, 1 << 40, 1 << 70, -1 << 70, True, 1.5, None, Index(), "1":
                attempt(f, [7, 8.5, "nine"], i)
                attempt(g, [7, 8, 9], i)
            for a in (4, 5), [], L([1, 2]), T([1, 2]), {1: 2}, {}, D(), "abc", b"abc", None, 5:
                attempt(f, a, 1)
                attempt(g, a, 1)
            warm(f, items, 1)
            print(references(items) == before)
            """)

    def test_a_subscript_of_a_tuple(self):
        self.check("""
            def f(a, i):
                x = a[i]
                return x
            items = (object(), object(), object())
            before = references(items)
            warm(f, items, 2)
            print(references(items) == before)
            for i in 0, 2, -1, -3, 3, -4, 1 << 40, 1 << 70, False, 1.5, None, Index():
                attempt(f, (7, 8.5, "nine"), i)
            for a in [4, 5], (), L([1, 2]), T([1, 2]), {1: 2}, "abc", None, 5:
                attempt(f, a, 1)
            """)

    def test_a_constant_index(self):
        self.check("""
            def first(a): return a[0]
            def last(a): return a[-1]
            def third(a): return a[2]
            def third_last(a): return a[-3]
            def of_new(n): return [n, n + 1, Loud("new")][1]
            for make in list, tuple:
                for f in first, last, third, third_last:
                    items = make(object() for _ in range(3))
                    before = references(items)
                    warm(f, items)
                    print(references(items) == before)
                    for a in (make((1,)), make("abcd"), make(), L("ab"), T("ab"), {0: 1, 2: 3},
                              {}, D(), "xyz", b"xyz", None, 3):
                        attempt(f, a)
            import io
            out, sys.stdout = sys.stdout, io.StringIO()
            warm(of_new, 5)
            text, sys.stdout = sys.stdout.getvalue(), out
            print(len(text), set(text.split(chr(10))), of_new(6))
            """)

    def test_subscripts_of_dicts(self):
        self.check("""
            def f(d, k):
                x = d[k]
                return x
            class Key:
                def __init__(self, equal): self.equal = equal
                def __hash__(self): return hash("b")
                def __eq__(self, other):
                    print("compared", other)
                    return self.equal
            class Number(Key):
                def __hash__(self): return 2
            values = [object(), object()]
            by_name, by_number = dict(zip("ab", values)), dict(zip([1, 2], values))
            before = references(values)
            warm(f, by_name, "b")
            for k in "a", "b", "c", S("a"), 1, None, [], "".join("ab"), Key(True), Key(False):
                attempt(f, {"a": 1, "b": 2.5}, k)
            for d in {}, {"b": 1, 2: 2}, {Key(True): 1}, {Key(False): 1}, D(), D(b=1), [1], "b":
                attempt(f, d, "b")
            warm(f, by_number, 2)
            for k in 1, 2, 3, True, 1.0, -1, 1 << 59, 1 << 60, 1 << 61, (1 << 61) - 1, 1 << 80, "b":
                attempt(f, {1: 1, 2: 2, -1: 3, 1 << 60: 4, 0: 5, (1 << 61) + 1: 6}, k)
            for d in ({}, {"b": 1, 2: 2}, {Number(True): 1}, {Number(False): 1, 2: 3}, D(),
                      [1, 2, 3], {2.0: 1}, {2 + 0j: 3},
                      {1 << 61: 1, 1: 4, (1 << 61) + 1: 5, 2: 8}):
                attempt(f, d, 2)
            crowd = {i * 8: i for i in range(40)}
            print(sum(f(crowd, i * 8) for i in range(40)))
            names = {str(i): i for i in range(1000)}
            print(sum(f(names, str(i)) for i in range(1000)))
            for i in range(0, 1000, 2):
                del names[str(i)]
            for i in range(1, 1000, 2):
                assert f(names, str(i)) == i
            attempt(f, names, "2")
            print(references(values) == before)
            """)

    def test_storing_in_a_list(self):
        self.check("""
            def f(a, i, x):
                a[i] = x
            def number(a, i):
                a[i] = i + 300
            def small(a, i):
                a[i] = i
            def double(a, i):
                a[i] = i * 0.5
            def swap(a, i):
                a[i], a[i + 1] = a[i + 1], a[i]
            one, other = object(), object()
            before = references([one, other])
            shared = [one, one, other]
            for _ in range(700):
                f(shared, 1, other)
                f(shared, 1, one)
            shared = None
            print(references([one, other]) == before)
            for g in f, number, small, double, swap:
                args = (7,) if g is f else ()
                warm(g, [5, 6, 7, 8, 9], 2, *args)
                for i in 0, 2, -1, -3, 3, -4, 1 << 40, -1 << 70, True, 1.5, None:
                    a = [1, "two", 3.0]
                    attempt(g, a, i, *args)
                    print(a)
                for a in ((4, 5), [], L([1, 2]), T([1, 2]), {1: 2}, {}, D(), bytearray(3),
                          "abc", None):
                    attempt(g, a, 1, *args)
                    print(a)
            for value in "text", None, True, 5, 1 << 70, 2.5, []:
                a = [0, 1, 2]
                f(a, 1, value)
                print(a)
            cells = [0] * 10
            for i in range(-5, 400):
                f(cells, i % 10, i)
            print(cells)
            """)

    def test_what_is_replaced_is_released_at_once(self):
        self.check("""
            def f(a, i, x):
                a[i] = x
                return x
            def fill(n):
                a = [None, None]
                for i in range(n):
                    a[i & 1] = i
                    if i > n - 5:
                        a[i & 1] = Loud(i)
                return a
            class Growing:
                def __init__(self, a): self.a = a
                def __del__(self):
                    print("before", self.a[:2])
                    self.a.clear()
                    self.a.append("grown")
            warm(f, [1, 2, 3], 1, 5)
            warm(f, [1, 2, 3], 1, "x")
            a = [Loud("one"), Loud("two"), Loud("three")]
            f(a, 0, 5)
            f(a, -1, 6)
            f(a, 1, Loud("four"))
            print(a)
            a[0] = Growing(a)
            f(a, 0, 7)
            print(a)
            print(fill(700))
            print(fill(5))
            """)

    def test_loops_over_lists_and_tuples(self):
        self.check("""
            def total(items):
                s = 0
                for x in items:
                    s += x
                return s
            def last(items):
                for x in items:
                    pass
                return x
            def nested(rows):
                n = 0
                for row in rows:
                    for x in row:
                        n += x
                        if n > 10**9:
                            break
                    else:
                        n += 1
                return n
            def twice(items):
                it = iter(items)
                n = 0
                for x in it: n += x
                for x in it: n += 1000
                items.append(5)
                for x in it: n += 2000
                return n
            for make in list, tuple:
                objects = make(object() for _ in range(50))
                before = references(objects), sys.getrefcount(objects)
                warm(last, objects)
                print((references(objects), sys.getrefcount(objects)) == before)
                warm(total, make(range(50)))
                warm(nested, make(make(range(i)) for i in range(5)))
                for items in (make(), make([1]), make([1.5, 2]), make([1 << 70, 1]), make(["x"]),
                              L([1, 2]), T([1, 2]), range(5), {1: 2}, {3}, "abc",
                              (i for i in range(4)), iter([1, 2]), iter(()), reversed([1, 2]),
                              None):
                    attempt(total, items)
                    attempt(last, items)
                    attempt(nested, [items])
            for _ in range(300):
                twice([1, 2, 3])
            print(twice([1, 2, 3]))
            """)

    def test_a_list_that_changes_during_the_loop(self):
        self.check("""
            def grow(a, n):
                for x in a:
                    if len(a) < n:
                        a.append(x + 1)
                return a
            def shrink(a):
                seen = []
                for x in a:
                    seen.append(x)
                    a.pop()
                return seen
            def clear(a, n):
                s = 0
                for x in a:
                    s += x
                    if x == n:
                        a.clear()
                return s
            def rebind(a):
                n = 0
                for x in a:
                    a = x
                    n += 1
                return n, a
            warm(grow, [1], 5)
            warm(shrink, list(range(6)))
            warm(rebind, [1, 2, 3])
            for _ in range(300):
                clear(list(range(10)), 7)
            print(len(grow([1], 1000)), shrink(list(range(2000))), clear(list(range(3000)), 2000))
            print(rebind([Loud(1), Loud(2)]))
            """)

    def test_the_loop_releases_the_list_at_its_end(self):
        self.check("""
            def f(n, loud):
                for x in [n, n + 1, loud and Loud("item")]:
                    y = x
                y = None
                x = "over"
                return y
            def g(loud):
                for x in (1, loud and Loud("first"), 2):
                    if x == 2:
                        break
                return x
            def h(it):
                for x in it:
                    pass
                print(list(it), it.__length_hint__(), it.__reduce__()[1:])
                x = None
            warm(f, 1, None)
            warm(g, None)
            f(1, True)
            g(True)
            import io
            out, sys.stdout = sys.stdout, io.StringIO()
            for _ in range(700): h(iter([1, 2]))
            sys.stdout = out
            h(iter([1, 2]))
            h(iter((1, 2)))
            items = [Loud("held"), 2]
            it = iter(items)
            del items
            h(it)
            """)

    def test_tuples_that_are_only_looked_for(self):
        self.check("""
            class Got(dict):
                def get(self, key, otherwise=None): return "got", key, otherwise
            class In(set):
                def __contains__(self, key): print("asked", key); return True
            def item(d, a, b): return d[a, b]
            def of_three(d, a, b, c): return d[a, b, c]
            def within(d, a, b): return (a, b) in d, (a + 0, b) not in d
            def jumps(d, a, b):
                found = 0
                if (a, b) in d: found += 1
                if (a, b) not in d: found += 2
                while (b, a) in d:
                    return found, "turned"
                return found
            def of_global(a, b):
                if (a, b) in known: return "known"
                return known_by[a, b] if (a, b) in known_by else None
            def got(d, a, b): return d.get((a, b)), d.get((a, b), 7), d.get((a, b), "none")
            numbers = {(i, j): 10 * i + j for i in range(4) for j in range(4)}
            odd = {(1000, -1): "a", ("x", 2.5): "b", (None, True): "c", (10 ** 9, -10 ** 17): "d",
                   (1 << 60, 1 << 61): "e", (1 << 70, 0): "f", ((1, 2), 3): "g", (-1, -2): "h"}
            odd.update(numbers)
            known, known_by = set(odd), odd
            for _ in range(700):
                for f in item, within, jumps, got:
                    f(numbers, 1, _ & 3)
                of_three({(1, 2, 3): 4}, 1, 2, 3)
                within(known, 1, 2); jumps(known, 2, 1); of_global(1, 2)
            parts = [0, 1, 3, 4, -1, -2, 1000, 10 ** 9, -10 ** 17, 1 << 60, 1 << 61, 1 << 70, True,
                     1.0, 2.5, "x", None, (1, 2), 3 + 0j]
            for a in parts:
                for b in parts:
                    attempt(item, odd, a, b)
                    attempt(got, odd, a, b)
                    attempt(of_global, a, b)
                    for d in odd, known, frozenset(known), list(odd), tuple(odd):
                        if a is not None and type(a) not in (str, tuple):
                            attempt(within, d, a, b)
                        attempt(jumps, d, a, b)
            for d in D(odd), Got(odd), In(), {}, [], (), "text", b"x", range(3), 5, None:
                for f in item, within, jumps, got:
                    attempt(f, d, 1, 2)
                    attempt(f, d, 1, [])
            keys = {(Same(1), 1): "same"}
            for d in keys, set(keys), frozenset(keys), list(keys):
                attempt(jumps, d, Same(2), 1)
            attempt(got, keys, Same(2), 1)
            attempt(item, keys, Same(3), 1)
            attempt(of_three, {(1, 2): 3}, 1, 2, 3)
            attempt(of_three, {(1, "2", (3, 3)): Loud("value")}, 1, "2", (3, 3))
            part = object()
            before = references([part])
            keys = {(part, 1): part}
            for _ in range(700): item(keys, part, 1); within({part}, 1, 2); jumps(keys, part, 1)
            del keys
            print(references([part]) == before)
            del known
            attempt(of_global, 1, 2)
            """)

    def test_such_tuples_in_comprehensions_and_functions_that_are_built_in(self):
        self.check("""
            class Name:
                def __init__(self, n): self.n = n
                def __hash__(self): return hash(self.n)
                def __eq__(self, other): return self.n == other.n
                def __del__(self): shown.append(("gone", self.n))
            shown = []
            walls = {(1, 2), (3, 4), (1000, 5), (2, 2)}
            costs = {(i, j): i + j for i in range(5) for j in range(5)}
            ways = [(1, 0), (-1, 0), (0, 1), (0, -1)]
            def free(x, y): return (x, y) not in walls
            def cost(x, y): return costs[x, y] if (x, y) in costs else costs.get((x, y), -3)
            def named(x): return (Name(x), 1) in names
            names = {(Name(1), 1)}
            def near(s, x, y): return sum((x + dx, y + dy) in s for dx, dy in ways)
            def is_near(s, x, y): return any((x + dx, y + dy) in s for dx, dy in ways)
            def values(d, x, y): return [d[x + i, y + j] for i, j in ways if (x + i, y + j) in d]
            def gets(d, x, y): return [d.get((x + i, y + j), -1) for i, j in ways]
            def sums(d, x, y): return sum(d.get((x + i, y + j), 0) for i, j in ways)
            def wide(x, m): return [y * y * m for y in x], {y & m for y in x}
            def within():
                here = {(0, 1), (5, 5)}
                def is_here(x, y): return (x, y) in here
                return sum(is_here(x, y) for x in range(6) for y in range(6))
            def all_of_them(n):
                r = 0
                for x in range(n):
                    for y in range(n):
                        if free(x, y): r += cost(x, y)
                        r += near(walls, x, y) + is_near(walls, x, y) + sums(costs, x, y)
                        r += sum(values(costs, x, y)) + sum(gets(costs, x, y)) + within()
                return r
            print([all_of_them(5) for _ in range(60)][-1])
            for a in 1, 1000, "x", 2.5, None, 1 << 62, True, -1, Index():
                for f in near, is_near:
                    attempt(f, walls, a, 2)
                    attempt(f, list(walls), a, 2)
                    attempt(f, "text", a, 2)
                for f in values, gets, sums:
                    attempt(f, costs, a, 2)
                    attempt(f, D(costs), a, 2)
                    attempt(f, [], a, 2)
                attempt(free, a, 2)
                attempt(cost, a, 2)
                attempt(wide, [a, 3, 1 << 40, -7, 1 << 70], 1 << 30)
            def many(n):
                return [named(i & 3) for i in range(n)]
            print(many(900)[-4:], len(shown))
            for _ in range(700): wide([1 << 40, 3, -5], 255)
            print(wide([1 << 40, 3, -5, 1 << 61, -1 << 70], -1 << 63))
            """)

    def test_a_tuple_that_is_only_looked_for_is_not_made(self):
        done = finished(textwrap.dedent("""
            def f(d, s, a, b):
                if (a, b) in s:
                    return d[a, b], d.get((a, b), 0)
            for i in range(20000): f({(1, 2): 3}, {(1, 2)}, 1, 2)
            """), SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="f")
        self.assertIn("---- f ", done.stderr)
        one = done.stderr[done.stderr.rindex("---- f "):]
        self.assertEqual(one.count("CALL_OPAQUE"), 1, one)      # that of the pair that is returned

    def test_tuples_are_made_only_for_new_keys(self):
        self.check("""
            class Put(dict):
                def __setitem__(self, key, value): print("put", key, value)
                def get(self, key, otherwise=None): return "got", key, otherwise
            class Add(set):
                def add(self, key): print("add", key)
            def store(d, a, b, v):
                d[a, b] = v
                return len(d)
            def add(s, a, b):
                s.add((a, b))
                return s.add((a + 1, b))
            def got(d, a, b, v):
                return d.get((a, b), v)
            def unbound(d, a, b):
                if b == 77:
                    v = 1
                return d.get((a, b), v)
            def count(d, a, b):
                d[a, b] = d.get((a, b), 0) + 1
                d[a, b] += 1
                return d[a, b]
            def new(n):
                d, s = {}, set()
                for i in range(n):
                    d[i, i & 7] = i
                    s.add((i & 63, -i))
                return d, s
            numbers, pairs = {(i, j): 0 for i in range(4) for j in range(4)}, {(1, 2), (2, 2)}
            for i in range(700):
                store(numbers, i & 3, 1, i); add(pairs, 1, 2); got(numbers, i & 7, 1, i)
                count(numbers, i & 3, 2); unbound(numbers, 1, 77)
            d, s = new(1500)
            print(len(d), len(s), list(d)[:3], list(d)[-3:], list(s)[:9], sum(d.values()))
            print({type(x) for x in d}, {type(x) for x in s}, d[(5, 5)], (3, -3) in s)
            import gc
            kept = [x for x in d if x[0] in (700, 900)]
            print(kept, [sys.getrefcount(x) for x in kept], [gc.is_tracked(x) for x in kept])
            parts = [0, 1, -1, -2, 1000, -10 ** 17, 1 << 60, 1 << 61, 1 << 70, True, 1.0, 2.5,
                     3 + 0j]
            for a in parts:
                for b in parts + ["x", None, (1, 2), []]:
                    attempt(store, numbers, a, b, a)
                    attempt(add, pairs, a, b)
                    attempt(got, numbers, a, b, b)
                    attempt(count, numbers, a, b)
                    attempt(unbound, numbers, a, b)
            print(plain(numbers), plain(sorted(pairs, key=repr)))
            for d in Put(numbers), D(), {}, [], None, Add(pairs), set(), frozenset(), "text":
                attempt(store, d, 1, 2, 3); attempt(add, d, 1, 2); attempt(got, d, 1, 2, 3)
                attempt(count, d, 1, 2)
                print(type(d), plain(len(d or "")))
            keys, same = {(Same(1), 1): "same"}, {(Same(2), 1)}
            attempt(store, keys, Same(3), 1, 4)
            attempt(got, keys, Same(4), 1, 4)
            print(keys, same)
            part, value = object(), Loud("value")
            before = references([part])
            d, s = {}, set()
            for _ in range(5): store(d, part, 1, part); store(d, part, part, part)
            for _ in range(5): store(d, 1, 2, value); got(d, part, 1, part); count({}, part, 1)
            del value
            store(d, 1, 2, None)
            del d
            print(references([part]) == before)
            """)

    def test_a_key_is_searched_for_again_if_the_dict_may_have_changed(self):
        self.check("""
            class Changes:
                def __init__(self, act, n=1): self.act, self.n = act, n
                def __add__(self, other): self.act(); return self.n + other
                def __del__(self): self.act()
            def grow():
                for i in range(100): d["more", i] = i
            def drop(): d.pop(key, None)
            def clear(): d.clear()
            def other(): global d; d = {key: "other"}
            def nothing(): pass
            def act(): what()
            def iadd(d, x):
                d[x] += 1
            def get(d, x):
                d[x] = d.get(x, 0) + 1
            def calls(d, x):
                d[x] = d[x] + act()
            def calls_first(d, x):
                y = d[x]
                act()
                d[x] = y
            def twice(d, e, x, y):
                d[x] = e[y] + d[x]
                d[x] = d.get(y, 1) + 1
                e[x] = d[x]
                e[y] = d[x] + e[x]
            def aliases(d, e, x):
                y = d[x]
                e[x] = y + 1
                d[x] = y + 2
                e.pop(x)
                d[x] = y + 3
            def drops(d, x, kept):
                y = d[x]
                kept.pop()
                d[x] = y
            def releases(d, x, make):
                z = make()
                y = d[x]
                z = 0
                d[x] = y
                return z
            def grows(d, e, x):
                for i in range(2000):
                    y = d[x]
                    e[i] = i
                    d[x] = y + 1
                    e[i, x] = d.get(x, 0)
                    d[x] = y + 2
                return d[x], e[x]
            def asks(d, x):
                if x in d:
                    d[x] += 1
                if x not in d:
                    d[x] = 1
                return d[x]
            def visits(s, x, y):
                n = 0
                if x not in s:
                    s.add(x)
                    n += 1
                if (x, y) not in s:
                    s.add((x, y))
                    n += 2
                if x not in s:
                    act()
                    s.add(x)
                if y in s:
                    s.add(y)
                else:
                    s.discard(x)
                    s.add(y)
                p = (y, x)
                if p not in s:
                    s.add(p)
                    n += 4
                return n, len(s)
            def first_seen(d, x, y):
                if x not in d:
                    d[x] = y
                if (x, y) not in d:
                    d[x, y] = x
                if y in d: d[y] = d[y]
                else:
                    act()
                    d[y] = x
                if d.get(y) is None:
                    d[y] = 0
                return len(d)
            def pair(d, x, y):
                d[x, y] = d.get((x, y), 0) + 1
                d[y, x] = d.get((x, y), 0) + 1
                d[x, x] = d.get((x, y), 0) + 7
                d[x] = d.get((x, y), 0) + 8
                d[x, 0] = d.get(x, 0) + 9
                if (x, y) in d:
                    d[x, y] = d[x, y] + 2
                d[x, y] += 1
            act = lambda: what() or 0
            what = nothing
            for i in range(700):
                numbers = {0: 1, 1: 2, 2: 3, "a": 4, (1, 2): 5}
                for x in 1, "a", (1, 2):
                    for f in iadd, get, calls, calls_first, asks: f(numbers, x)
                twice(numbers, dict(numbers), 1, 2)
                aliases(numbers, dict(numbers), "a")
                drops(numbers, 1, [1, 2])
                releases(numbers, 1, int)
                visits(set(), i, i & 7); visits({1, 2}, "a", (1, 2)); first_seen({}, i, i & 7)
                first_seen(numbers, 1, 2)
                pair(numbers, 1, 2)
            print(numbers)
            for x in 1, "a", (1, 2), 1 << 70, -1, None, 2.5, "".join(["a", "bc"]):
                for what in nothing, grow, drop, clear, other:
                    for f in iadd, get, calls, calls_first, asks:
                        for value in 1, 1 << 70, 1.5, True, "text", None, Changes(what), []:
                            key, d = x, {x: value}
                            mine = d
                            attempt(f, d, x)
                            print(len(d), len(mine), plain(d.get(x)), plain(mine.get(x)))
                            mine = d = value = None
                            d = {}
                    key, d = x, {x: 1}
                    attempt(drops, d, x, [Changes(what)])
                    print(len(d), plain(d.get(x)))
                    for y in 1, x, 7, "seven", (8, 9), -1, []:
                        for d in {}, {x: 2}, {y: 1} if y != [] else {}:
                            key = y
                            attempt(first_seen, d, x, y); print(plain(d))
                        for s in set(), {1}, {x}, {7, "seven", (8, 9)}:
                            attempt(visits, s, x, y)
                            print(plain(sorted(s, key=repr)))
                    key, d = x, {x: 1}
                    attempt(releases, d, x, lambda: Changes(what))
                    print(len(d), plain(d.get(x)))
                if x != 1:
                    d, e = {x: 1}, {x: 1}
                    print(grows(d, d, x), grows(e, d, x), len(d), len(e))
                for e in {x: 5}, {}, D(), {1: 2}:
                    d = {x: 1}
                    attempt(twice, d, e, x, 1); print(plain(d), plain(e))
                    attempt(twice, e, d, 1, x); print(plain(d), plain(e))
                    attempt(twice, d, d, x, 1); print(plain(d))
                    attempt(aliases, d, d, x); print(plain(d))
                    attempt(pair, d, x, 1); print(plain(d))
                    attempt(pair, e, x, x); print(plain(e))
                    attempt(pair, [], x, x)
            """)

    def test_sets_that_die(self):
        self.check("""
            import weakref
            class Key:
                def __init__(self, n): self.n = n
                def __del__(self): gone.append(self.n)
            gone = []
            def use(items):
                s, n = set(items), 5
                del items
                n += len(s)
                s = None
                return n
            def both(a, b):
                return len(a & b), len(a | b), len(a - b), len(a ^ b), a <= b, a.isdisjoint(b)
            def display(a, b):
                return len({a, b}), len(frozenset((a, b))), len({(a, 1), (b, 2)})
            def watched(items, seen):
                s = set(items)
                r = weakref.ref(s, lambda r: seen.append(r() is None))
                return r
            kinds = [lambda: [1, 2, 3, 1 << 70], lambda: ["a", "b" * 3, 1.5], lambda: [],
                     lambda: [(1, 2), (3, 4), ("x", (1, 2))], lambda: list(range(1000, 1100)),
                     lambda: [Key(1), 2, Key(3)], lambda: [(1, Key(4)), (Key(5), 2)],
                     lambda: [frozenset([Key(6)]), frozenset(), "z"],
                     lambda: [i if i % 5 else Key(i) for i in range(100)],
                     lambda: [(1, Loud("in a pair")), (2, 3), "x"], lambda: [Loud("alone"), 1]]
            for i in range(700):
                use([1, 2, 3]); both({1, 2}, {2, 3}); display(i, 1)
            for make in kinds:
                for other in kinds:
                    print(use(make()), both(set(make()), set(other())))
                    print(len(gone), sorted(gone)[-5:])
                    del gone[:]
                seen = []
                watched(make(), seen)
                print(seen, len(gone))
                for x in make()[:2]: print(display(x, 1), len(gone))
            same = [Key(7), Key(8)]
            before = references(same)
            for _ in range(5): use(same); both(set(same), {1}); both({1}, set(same[:1]))
            print(references(same) == before)
            """)

    def test_ints_as_keys_are_objects_or_in_registers(self):
        self.check("""
            class I(int):
                def __hash__(self): print("hash", int(self)); return 5
                def __eq__(self, other): print("eq", int(self), other); return True
            def load(d, k): return d[k]
            def store(d, k): d[k] = k
            def add(d, k): d[k] += 1
            def within(d, k): return k in d, (k + 0) in d
            def get(d, k): return d.get(k), d.get(k, -5)
            numbers = [0, 1, -1, -2, 5, 255, 256, 257, 1000, -1000, 1 << 59, (1 << 60) - 1, 1 << 60,
                       -(1 << 60), (1 << 61) - 1, 1 << 61, (1 << 61) - 3, 1 << 70, -(1 << 70)]
            made = {k: 0 for k in numbers}
            for _ in range(700):
                for k in 1, 5, 1000:
                    for f in load, store, add, within, get: f(made, k)
            others = {5: 5}, {-2: 1, -1: 2}, {i << 40: i for i in range(9)}, {}, {"a": 1}, D()
            for d in made, *others:
                for k in numbers + [True, 1.0, 5.5, "a", None]:
                    for f in load, within, get, add, store, load:
                        d = dict(d)
                        if k is not None and k != "a" or f is not within:
                            attempt(f, d, k)
                print(d)
            attempt(load, {I(5): 6}, 5)
            attempt(within, {I(5): 6}, 5)
            attempt(within, {5: 6}, I(7))
            attempt(store, {I(5): 6}, 5)
            """)

    def test_unpacking(self):
        self.check("""
            def pair(p):
                a, b = p
                return b, a
            def again(p):
                p, q = p
                return p, q
            def five(p):
                a, b, c, d, e = p
                return e, a
            def eight(p):
                a, b, c, d, e, f, g, h = p
                return h, a
            def inner(p):
                (a, b), c = p
                return a, b, c
            def looped(ps):
                n = 0
                for a, b in ps:
                    n += a * b
                return n
            def into_items(x, p):
                x[0], x[1] = p
                return x
            def replaced(p, loud):
                a = loud and Loud("a")
                b = loud and Loud("b")
                a, b = p
                a, b = b, a
                return a, b
            class It:
                def __iter__(self): return iter("xy")
            for make in list, tuple:
                for f, n in (pair, 2), (again, 2), (five, 5), (eight, 8):
                    items = make(object() for _ in range(n))
                    before = references(items), sys.getrefcount(items)
                    warm(f, items)
                    print((references(items), sys.getrefcount(items)) == before)
                    for p in (make(range(n)), make(), make([1]), make(range(9)), L(range(n)),
                              T(range(n)), {1: 2, 3: 4}, "ab", It(), range(2), None, 5):
                        attempt(f, p)
                warm(inner, make([make([1, 2]), 3]))
                for p in ((1, 2), 3), ([1, 2], 3), ((1,), 3), (1, 2), ("ab", 3), [[1, 2], 3, 4]:
                    attempt(inner, p)
                warm(looped, [make([1, 2])] * 5)
                for ps in [(1, 2), [3, 4]], [(1.5, 2), (2, 2)], [(1, 2), (3,)], [(1, "x")], []:
                    attempt(looped, ps)
                warm(into_items, [1, 2], make([3, 4]))
                attempt(into_items, [1], (2, 3))
                attempt(into_items, {}, (2, 3))
                warm(replaced, make([1, 2]), None)
                attempt(replaced, make([1, 2]), None)
            held = Loud("p"), Loud("q")
            attempt(again, held)
            del held
            """)

    def test_len(self):
        self.check("""
            def f(a):
                return len(a) + 1
            def g(n):
                return len([n, n])
            class A:
                def __init__(self, n): self.n = n
                def __len__(self): return self.n
            for warmed in [1, 2], (1, 2), "ab", {1: 2, 3: 4}:
                warm(f, warmed)
                before = sys.getrefcount(warmed), sys.getrefcount(len)
                warm(f, warmed)
                print((sys.getrefcount(warmed), sys.getrefcount(len)) == before)
                for a in ([], (), "", {}, "\\u1234", [1], L([1]), T([1, 2]), D(x=1), S("abc"),
                          b"abc", {1}, range(1 << 40), range(1 << 70), A(3), A(-1), A("x"),
                          None, 5):
                    attempt(f, a)
            warm(g, 5)
            print(g(5))
            import builtins
            len_ = len
            builtins.len = lambda x: 99
            print(f([]))
            builtins.len = max
            print(f([5, 6]))
            builtins.len = len_
            print(f([1]))
            """)

    def test_in(self):
        self.check("""
            def f(x, c):
                return x in c
            def g(x, c):
                return 1 if x not in c else 2
            def h(xs, c):
                return sum([1 for x in xs if x in c])
            class Key:
                def __hash__(self): return 1
                def __eq__(self, other):
                    print("compared", other)
                    return True
            cases = (("a", {"a": 1}), ("b", {"a": 1}), (1, {1: 2}), (2, {1: 2}), (2, {"a": 1}),
                (1, [1, 2]), (1, (2, 3)), ("a", "abc"), ("", ""), (1, {1, 2}), (5, {1, 2}),
                (1, {Key(): 1}), (Key(), {1: 1}), (Key(), [1]), ([], {}), (1, 5), (1, "abc"),
                (1.0, {1: 1}), (True, {1: 1}), (S("a"), {"a": 1}), (1, D()),
                (1 << 70, {1 << 70: 1}), (None, [None]), (1, L([1])), (float("nan"), [1.0]))
            for warmed in cases[:11]:
                warm(f, *warmed)
                warm(g, *warmed)
                warm(h, [warmed[0]] * 5, warmed[1])
                for case in cases:
                    attempt(f, *case)
                    attempt(g, *case)
                    attempt(h, [case[0]], case[1])
            """)

    def test_a_hot_loop_within_a_loop(self):
        self.check("""
            def f(m, n):
                s = 0
                for i in range(n):
                    for j in range(n):
                        for k in m[i]:
                            s += m[i][j] * k
                return s
            m = [[i * j for j in range(12)] for i in range(12)]
            for _ in range(5):
                print(f(m, 12))
            m[3] = tuple(m[3])
            m[5][5] = 1.5
            print(f(m, 12))
            """)


if __name__ == "__main__":
    unittest.main()

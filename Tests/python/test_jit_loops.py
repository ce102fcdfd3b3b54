"""Loops over iterators, and comprehensions, in machine code, as jit_generator_cases.py checks them."""
import unittest

from jit_generator_cases import Case

LONG = "many programs, each in several modes"


class Loops(Case):
    def test_iterators_of_c(self):
        self.check("""
            d = {i: str(i) for i in range(50)}
            def it(make):
                found = []
                for x in make():
                    found.append(x)
                return found
            def pairs(make):
                s = []
                for a, b in make():
                    s.append(b)
                    s.append(a)
                return s
            iterables = [lambda: d, d.keys, d.values, d.items, lambda: enumerate("abc" * 9),
                         lambda: zip("ab", range(5)), lambda: set(range(30)), lambda: "text",
                         lambda: "\\u1234x", lambda: b"bytes", lambda: reversed([1, 2, 3]),
                         lambda: map(str, range(5)), lambda: filter(None, [0, 1, 2]),
                         lambda: iter([]), lambda: (), lambda: range(3), lambda: [1, 2],
                         lambda: (x for x in "gen"), lambda: iter([1, 2, 0, 3].pop, 0)]
            for make in iterables:
                warm(it, make)
                print(it(make))
            for make in iterables[3:6]:
                warm(pairs, make)
                print(pairs(make))
                for other in iterables[3:6]:
                    print(pairs(other))
            """)

    def test_of_hundreds_of_variables(self):
        """That many change in one loop, and are read in another one in it: they need slots."""
        self.check("""
            names = [f"a{i}" for i in range(200)]
            change = ";".join(f"{x}+={i}" for i, x in enumerate(names))
            exec(f'''def f(n):
                s = 0
                {"=".join(names)} = 1
                for i in range(n):
                    {change}
                    for j in range(3):
                        if j: s += {"^".join(names)}
                        s -= {"+".join(reversed(names))}
                return s''')
            warm(f, 5)
            print(f(60))
            if hasattr(sys, "_jit"): assert sys._jit.figures()["given_up"] == 0
            """)

    def test_a_variable_is_unbound_where_a_loop_is_entered(self):
        """In all rounds that were seen it is a float; the other way was cold."""
        self.check("""
            def mixed(c, n):
                s = t = 0
                for i in range(n):
                    if c < 40:
                        b = c + 1.5
                        t = t + b
                        if b > 5:
                            continue
                    else:
                        s += 1
                        t = t + 0.5
                        s = s * 3 & 0xff
                        s = s | 1
                        s = s ^ i
                    s += 1
                return s, t
            for _ in range(30):
                mixed(20, 300)
            print(mixed(50, 3000), mixed(20, 300))
            """, "(3045, 1500.0) (0, 6450.0)\n")

    def test_items_are_kept_apart(self):
        self.check("""
            def keep(it):
                kept = []
                for x in it:
                    kept.append(x)
                return kept
            def use(it):
                s = 0
                for a, b in it:
                    s += b
                return s
            def both(it):
                for pair in it:
                    a, b = pair
                    yield pair, b
            d = {i: i + 1 for i in range(5)}
            for f in keep, use, lambda it: list(both(it)):
                for make in d.items, lambda: zip("abc", [7, 8, 9]), lambda: enumerate([300, 400]):
                    for _ in range(500):
                        f(make())
                    print(f(make()))
            """)

    def test_enumerate(self):
        self.check("""
            def f(items, start=0):
                found = []
                for i, x in enumerate(items, start):
                    found.append((i, x))
                return found
            def plain_sum(items):
                s = 0
                for i, x in enumerate(items):
                    s += i * x
                return s
            def to_globals(items):
                global gi, gx
                for gi, gx in enumerate(items):
                    pass
                return gi, gx
            def to_cells(items):
                for i, x in enumerate(items):
                    def inner(): return i, x
                return inner()
            def nested(items):
                s = []
                for i, (a, b) in enumerate(items):
                    s.append((i, a, b))
                return s
            def keeps(items):
                s = []
                for pair in enumerate(items):
                    i, x = pair
                    s.append(pair)
                return s
            class E(enumerate):
                pass
            class N(enumerate):
                def __next__(self): return "own", super().__next__()
            def any_pairs(it):
                s = []
                for i, x in it:
                    s.append((i, x))
                return s
            for function in f, plain_sum, to_globals, to_cells, keeps:
                warm(function, [1, 2, 3])
                attempt(function, [4, 5])
                attempt(function, [1.5, 1 << 70])
            warm(nested, [(1, 2)])
            print(nested([(1, 2), "ab", [3, 4]]))
            attempt(nested, [(1, 2), 3])
            for start in 5, -3, sys.maxsize - 1, (1 << 62) - 2, -1 << 62, 1 << 70, True:
                print(f("abc", start))
            attempt(f, 5)
            def wrong():
                yield 1
                raise KeyError("wrong")
            attempt(f, wrong())
            warm(any_pairs, enumerate("a"))
            for it in (enumerate("ab"), E("ab"), N("ab"), zip("a", "b"), [(1, 2)], {(1, 2): 3},
                       enumerate(())):
                attempt(any_pairs, it)
            def louds(n):
                for i in range(n):
                    yield Loud(i)
            def destroyed(n):
                for i, x in enumerate(louds(n)):
                    print("round", i)
                    x = None
                    print("dropped", i)
            for i in range(2):
                destroyed(300)
            e = enumerate("abcdef")
            def partly(e):
                for i, x in e:
                    if i == 2:
                        return x
            print(partly(e), next(e), f(e), plain(e.__reduce__()))
            k = object()
            before = sys.getrefcount(k)
            warm(f, [k, k])
            print(sys.getrefcount(k) == before)
            def tracer(frame, event, arg):
                if event == "line":
                    lines.append(frame.f_lineno - frame.f_code.co_firstlineno)
                return tracer
            def switches(n):
                for i, x in enumerate(range(n)):
                    if i == n - 3:
                        sys._getframe().f_trace = tracer
                        sys.settrace(tracer)
                    y = x
                sys.settrace(None)
            for n in 2000, 20:
                lines = []
                switches(n)
                print(lines)
            """)

    def test_errors_of_iterators(self):
        self.check("""
            def loop(it):
                n = 0
                for x in it:
                    n += 1
                return n
            def wrong(x):
                if x == 3:
                    raise KeyError(x)
                return x
            class Stops:
                def __init__(self, how): self.how, self.n = how, 0
                def __iter__(self): return self
                def __next__(self):
                    self.n += 1
                    if self.n > 5:
                        raise self.how
                    return self.n
            class Ends(StopIteration): pass
            def changing(d):
                for k in d:
                    d[k + 100] = 1
            warm(loop, {1: 2})
            warm(loop, map(str, "ab"))
            for i in range(3):
                attempt(loop, map(wrong, range(10)))
                attempt(loop, map(wrong, range(2)))
                attempt(loop, zip(Stops(Ends("x")), range(10)))
                attempt(loop, zip(Stops(KeyError("x")), range(10)))
                attempt(loop, Stops(Ends("y")))
                attempt(loop, Stops(ValueError))
                attempt(changing, {1: 2, 3: 4})
                attempt(loop, 5)
                attempt(loop, map(1, "ab"))
            """)

    def test_a_running_loop_is_entered_with_ints_of_both_forms(self):
        self.check("""
            def distance(a, b):
                row = list(range(len(b) + 1))
                for i, x in enumerate(a, 1):
                    last, row[0] = row[0], i
                    for j, y in enumerate(b, 1):
                        last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
                return row[-1]
            def late(items, n):
                total = n
                for k in range(n):
                    if k > n - 3:
                        seen = items[0]
                    for x in items:
                        total += x
                        last = x
                        if k > n - 2:
                            total += seen
                    total -= last
                return total
            for n in 3, 30:
                print(distance("kitten sitting" * n, "sitting on the mat" * n))
                for items in [1, 2, 300], [1 << 62, 5], [1.5, 2]:
                    print(late(items, 700), late(items, 5))
            """)

    def test_a_loop_in_a_loop(self):
        self.check("""
            def f(d, n):
                s = 0
                for k, v in d.items():
                    for i, x in enumerate(v):
                        for c in x:
                            s += i + n if c > "b" else 1
                    else:
                        s += 1000
                return s
            d = {i: ["abc", "b", "", "xyz"] for i in range(20)}
            warm(f, d, 2)
            print(f(d, 2), f(d, 2.5), f({}, 1), f({1: "abc"}, 1))
            attempt(f, d, "x")
            def g(n):
                for i in range(n):
                    for k in {1: 2, 3: 4}:
                        try:
                            if k == i:
                                continue
                            yield k
                        except ValueError:
                            yield -1
            warm(lambda: total(g(10)))
            print(collect(g(3)))
            """)


class Comprehensions(Case):
    def test_lists(self):
        self.check("""
            def f(items, n):
                return [x for x in items], [x + n for x in items], [n for x in items], \\
                    [[y for y in range(3)] for x in items if x], [x * 0.5 for x in items]
            warm(f, [1, 2, 3], 5)
            for items in ([1, 2, 300], (1.5, 2), range(2), {1: 2}, [1 << 62, 1 << 70, True],
                          [], iter([1]), [1, 2.5, 10 ** 9]):
                attempt(f, items, 3)
                attempt(f, items, 1 << 61)
            attempt(f, ["a"], 1)
            attempt(f, None, 1)
            def long(n): return [i for i in range(n)], [i * i for i in range(n)]
            print(len(long(100000)[0]), long(5), sum(long(3000)[1]))
            def same(x): return [x for i in range(3)]
            warm(same, 5)
            a = same(1000)
            print(a[0] is a[1], same("a")[0] is same("a")[1])
            """)

    def test_sets_and_dicts(self):
        self.check("""
            def f(items, n):
                return {x for x in items}, {x: n for x in items}, {n: x for x in items}
            warm(f, [1, 2, 3], 5)
            class Key:
                def __init__(self, n): self.n = n
                def __hash__(self): return self.n
                def __eq__(self, other): print("eq", self.n); return True
                def __repr__(self): return "Key"
            for items in ([1, 2, 300], (1.5, 2), range(2), "abc", [], [[]], [Key(1), Key(1)],
                          [1 << 62, True, 1.0, 1]):
                attempt(f, items, 3)
                attempt(f, items, 2.5)
                attempt(f, items, [])
            k = object()
            before = sys.getrefcount(k)
            warm(f, [k, k, 2], 3)
            warm(f, [2], k)
            print(sys.getrefcount(k) == before)
            """)

    def test_displays(self):
        self.check("""
            def f(a, b):
                return (a, b), [a, b], (a, b, 3, 2.5), [a + b, a * 2], ()
            warm(f, 1, 2)
            print(f(1, 2), f(1.5, 300), f(1 << 62, 1 << 62), f("a", "b"))
            attempt(f, None, 1)
            def g(a):
                x = (a, a)
                y = [a, a]
                return x[0] is x[1], y[0] is y[1], x[0] is y[0]
            warm(g, 5000)
            print(g(6000), g(6.5), g("a"))
            k = object()
            before = sys.getrefcount(k)
            def h(k): return (k, [k, (k, k)])
            warm(h, k)
            print(sys.getrefcount(k) == before)
            def swap(a, b, n):
                for i in range(n):
                    a, b = b, a
                return a, b
            print(swap(1, "x", 3001), gc.is_tracked((k, [])))
            """)


if __name__ == "__main__":
    unittest.main()

"""In machine code: a Counter of a generator expression that counts as it goes, new tuples that are
dropped in a comprehension, copies of containers, items that are taken out of sets, letters that are
looked for in texts."""
import unittest

from jit_generator_cases import Case


class CountsAndCopies(Case):
    def test_values_are_counted(self):
        self.check("""
            from collections import Counter
            def pairs(l): return Counter((a, b) for a, b in l)
            def triples(l): return Counter((a, b, a) for a, b in l)
            def made(l): return Counter((a, str(b)) for a, b in l)
            def halves(l): return Counter(b * 0.5 for a, b in l)
            def half_pairs(l): return Counter((a, b * 0.5) for a, b in l)
            def first(l): return Counter(a for a, b in l)
            def around(l): return Counter((a + i, b + j) for a, b in l for i in (-1, 0, 1)
                                          for j in (-1, 0, 1) if i or j)
            EACH = [pairs, triples, made, halves, half_pairs, first, around]
            for f in EACH: warm(f, [(1, 2), (1, 2), (3, 4)])
            for l in ([], [(1, 2), (1, 2), (300, 5), (300, 5), (-1, -2)], [("a", 1), ("a", 2)],
                      [(1, 1), (True, 1), (1.0, 1)], [(1 << 70, 1), (1 << 70, 1)],
                      [(float("nan"), 1)], [(None, 1), (None, 1)], [((1, 2), 1), ((1, 2), 1)],
                      [([], 1)], [(1, [])], [(1, 2), 3], [(1, 2, 3)],
                      [(i % 7, i % 5) for i in range(300)]):
                for f in EACH: attempt(lambda: list(f(l).items()))
            c = pairs([(1, 2), (1, 2), (3, 4)])
            c.update([(1, 2)]); c[(3, 4)] += 5; del c[(1, 2)]
            print(type(c), c, c.total(), c["no"])
            print(len(pairs([(i, i) for i in range(9000)])))
            """)

    def test_what_has_methods_of_its_own_is_counted_by_the_interpreter(self):
        self.check("""
            from collections import Counter
            class K:
                def __init__(self, v): self.v = v
                def __hash__(self): return hash(self.v)
                def __eq__(self, other): print("eq", self.v); return self.v == other
                def __del__(self): print("gone", self.v)
                def __repr__(self): return "K"
            class I(int):
                def __eq__(self, other): print("I"); return int(self) == other
                __hash__ = int.__hash__
            def pairs(l): return Counter((a, b) for a, b in l)
            def first(l): return Counter(a for a, b in l)
            def new(l): return Counter((make(a), b) for a, b in l)
            make = int
            for f in pairs, first, new: warm(f, [(1, 2), (1, 2)])
            for make in int, K, I:
                for f in pairs, first, new:
                    for v in K(1), I(1):
                        attempt(lambda: list(f([(v, 1), (1, 1), (v, 1)]).items()))
                    attempt(lambda: list(f([(1, 1), (K(1), 1), (K(1), 1)]).items()))
            """)

    def test_new_tuples_that_are_dropped(self):
        self.check("""
            class D:
                def __init__(self, v): self.v = v
                def __hash__(self): return 1
                def __eq__(self, other): return True
                def __del__(self): print("gone", self.v)
                def __repr__(self): return "D"
            def thirds(l): return {(a // 3, b // 3) for a, b in l}
            def same(l): return {(a, b) for a, b in l}
            def held(l): return {(a, (b, a)) for a, b in l}
            def new(l): return {(make(a), 1) for a, b in l}
            def keys(l): return {(a, 1): b for a, b in l}
            def any_of(l): return any((a, b) == (5, 5) or (b, a) in {(7, 7)} for a, b in l)
            make = str
            EACH = [thirds, same, held, new, keys, any_of]
            for f in EACH: warm(f, [(1, 2), (4, 5), (1, 2)])
            for l in ([(1, 2)] * 9, [(i // 4, i // 9) for i in range(60)], [("a", 1), ("a", 1)],
                      [(D(1), 1), (D(2), 1), (D(3), 1)], [([], 1)], [(1.5, 1), (1.5, 1)]):
                for make in str, D, int:
                    for f in EACH:
                        attempt(lambda: sorted(map(repr, f(l))) if f is not any_of else f(l))
            """)

    def test_copies(self):
        self.check("""
            class L(list):
                def copy(self): return "mine"
            class S(set): pass
            class D(dict):
                def copy(self): return "mine"
            def of_values(d): return {k: v.copy() for k, v in d.items()}
            def of_items(l): return [x.copy() for x in l]
            def one(x):
                y = x.copy()
                return y, y is x
            for d in {1: {1, 2}}, {1: [1]}, {1: {1: 2}}: warm(of_values, d)
            for x in [1], {1}, {1: 2}:
                warm(of_items, [x, x]); warm(one, x)
            for x in ([], [1, 2], set(), {1}, set(range(50)), {}, {1: 2}, {"a": [1]}, L([1]),
                      S([1]), D(a=1), frozenset([1]), bytearray(b"a"), 5, (1,)):
                attempt(one, x); attempt(of_items, [x, x]); attempt(of_values, {1: x, 2: x})
            inner = [1]
            for x in [inner], {1: inner}:
                y = one(x)[0]
                print(y, y[0 if type(x) is list else 1] is inner)
            a = {1, 2}; b = of_values({1: a})[1]; b.add(3); print(a, b)
            """)

    def test_keys_of_a_copied_dict_are_not_compared_by_machine_code(self):
        self.check("""
            class K:
                def __init__(self, v): self.v = v
                def __hash__(self): return 1
                def __eq__(self, other):
                    if told is not None: told.append(len(told)); raise_or_not()
                    return self is other
            def raise_or_not(): 1 // (len(told) - 3)
            told = None
            def copy(l): return [d.copy() for d in l]
            warm(copy, [{1: 2}])
            d = {K(i): i for i in range(30)}
            for k in list(d)[:-8]: del d[k]
            for _ in range(3):
                told = []
                attempt(lambda: len(copy([d, d])[1]))
                print(told)
                told = None
            """)

    def test_items_are_taken_out_of_sets(self):
        self.check("""
            class K:
                def __init__(self, v): self.v = v
                def __hash__(self): return hash(self.v)
                def __eq__(self, other):
                    print("eq", self.v)
                    return self.v == getattr(other, "v", other)
                def __repr__(self): return "K"
            class D:
                def __del__(self): print("gone", len(S))
                def __hash__(self): return 7
                def __eq__(self, other): return True
            def discard(s, x): return s.discard(x), len(s)
            def remove(s, x): return s.remove(x), len(s)
            S = set()
            for f in discard, remove:
                for x in 1, "a", (1, 2): warm(lambda: f({1, "a", (1, 2)}, x))
            for x in 1, 1000, 1 << 70, "a", "b", (1, 2), (1, 3), -1, None, 1.0, K(1), [], {1}, \\
                     {5}, frozenset([5]), (1, K(2)):
                for f in discard, remove:
                    S = {1, 1000, 1 << 70, "a", (1, 2), -1, None, frozenset([5]), (1, K(2))}
                    attempt(f, S, x)
                    print(len(S))
            attempt(remove, frozenset([1]), 1); attempt(discard, [1], 1)
            def drop(x):
                global S
                for f in discard, remove:
                    S = {1, D()}
                    print(f(S, x), len(S))
            drop(D())
            def churn(s, l):
                for x in l: s.add(x)
                for x in l: s.discard(x); s.discard(x)
                return s
            warm(churn, set(), [1]);
            print(churn({"k"}, list(range(100))), sorted(churn(set(range(9)), [2, 3])))
            """)

    def test_an_item_that_dies_sees_who_takes_it_out(self):
        self.check("""
            class Text(str):
                def __del__(self):
                    frame = sys._getframe(1)
                    print("gone", frame.f_code.co_name,
                          frame.f_lineno - frame.f_code.co_firstlineno, sorted(frame.f_locals))
            def take(s, x, n):
                a = n + 1
                if n:
                    s.discard(x)
                b = a + n
                s.remove(x + "y")
                c = b + a
                return a, b, c
            for _ in range(700): take({"x", "xy"}, "x", 1)
            for _ in range(3): print(take({Text("x"), Text("xy")}, "x", 1))
            """)

    def test_an_item_that_a_set_drops_may_be_in_use(self):
        self.check("""
            def use(s, n):
                x = (n, n)
                s.add(x)
                for y in s:
                    del x
                    s.discard((n, n))
                    return y, len(s)
            warm(use, set(), 1000)
            for n in range(400, 420): print(use(set(), n))
            """)

    def test_letters_in_texts(self):
        self.check("""
            class T(str):
                def __contains__(self, x): return "mine"
            def has(texts, t): return [t in x for x in texts]
            TEXTS = ["", "c", "abc", "x" * 16, "x" * 15 + "c", "x" * 16 + "c", "x" * 40 + "c",
                     "\\xe9", "\\xe9c", "\\u1234c", "a\\0c", T("c")]
            warm(has, TEXTS[:4], "c")
            for t in "", "c", "x", "abc", "\\0", "\\xe9", "\\u1234", T("c"), 1, None, b"c":
                attempt(has, TEXTS[:-1], t)
            print(has([T("c")], "c"))
            """)

    def test_strs_that_are_equal_are_one_key(self):
        self.check("""
            def get(d, k): return d[k]
            def has(d, k): return k in d
            letters = "abcdefghijkl"
            for n in range(13):
                k = letters[:n]
                d = {k: n, k + "z": -n, "z" + k: 5}
                warm(get, d, k); warm(has, d, k)
                same = "".join(list(k))
                for other in same, same + "z", k + "y", "z" + k, k[:-1] + "!":
                    attempt(get, d, other)
                    print(has(d, other))
            d = {"\\xe9" * n + "\\u1234" * m: (n, m) for n in range(6) for m in range(3)}
            print([get(d, "\\xe9" * n + "\\u1234" * m) for n in range(6) for m in range(3)])
            """)

    def test_tables_of_sets_are_used_again(self):
        self.check("""
            import gc
            for n in 4, 5, 6, 18, 19, 20, 60:
                a = [set(range(n)) for _ in range(60)]
                b = [x | {n} for x in a]
                for x in a[::2]: x.clear()
                c = [set("abcdef") for _ in range(60)]
                print(n, len(b[0]), sum(map(len, a)), sum(map(len, c)), sorted(b[-1])[-1],
                      {len(x.copy()) for x in a}, [7 in x for x in b][:2])
                del a, b, c
                gc.collect()
            """)


if __name__ == "__main__":
    unittest.main()

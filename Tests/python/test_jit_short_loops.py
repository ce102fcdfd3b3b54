"""Short loops and small tuples in machine code: entries of dicts and sets that are fetched by
a few, characters, iterators that are made and dropped at once, tuples that are only compared, and
functions that are called with a list instead of a generator expression."""
import textwrap
import unittest

from jit_cases import finished
from jit_generator_cases import Case


class ShortLoops(Case):
    def test_entries_are_fetched_by_a_few(self):
        self.check("""
            def keys(s): return [x for x in s]
            def values(d): return [x for x in d.values()]
            def items(d): return {(k, v) for k, v in d.items()}
            def nested(s, d): return [(x, y, z) for x in s for y in d for z in s if x < 3 and y < 2]
            def first(s): return next((x for x in s if x > 2), None)
            def found(s, k): return any(x == k for x in s)
            warm(keys, {1, 2}); warm(values, {1: 2}); warm(items, {1: 2})
            warm(nested, {1, 2}, {0: 1, 1: 2}); warm(first, {1, 2, 3}); warm(found, {1, 2}, 2)
            for n in list(range(20)) + [31, 32, 33, 64, 100]:
                s, d = set(range(n)), {i: -i for i in range(n)}
                print(n, keys(s), values(d), sorted(items(d)), len(nested(s, d)), first(s),
                      [found(s, k) for k in (0, n - 1, n)])
                for k in range(0, n, 2):
                    s.discard(k)
                    del d[k]
                print(keys(s), values(d), sorted(items(d)), nested(s, d)[-3:], first(s),
                      [found(s, k) for k in (0, n - 1, n)], keys(frozenset(s)))
            """)

    def test_who_leaves_begins_with_the_first_entry_again(self):
        self.check("""
            class Odd:
                def __init__(self, k): self.k = k
                def __add__(self, other): seen.append(self.k); return self.k
            seen = []
            def sums(d): return [k + v for k, v in d.items()]
            warm(sums, {i: i for i in range(20)})
            for at in range(0, 20, 3):
                d = {i: i for i in range(20)}
                d[at] = 0.5
                print(sums(d))
                d = {i if i != at else Odd(i): i for i in range(20)}
                print(sums(d), seen)
            print(sums({i: i for i in range(20)}))
            """)

    def test_characters_of_texts(self):
        self.check("""
            def at(s, i): return s[i]
            def last(s, n): return [s[i - 1] for i in range(n)]
            class Text(str): pass
            warm(at, "abc", 1); warm(last, "abc", 3)
            for s in "abc", "", "a", "\\xe9bc", "\\u1234bc", "\\U0001f600b", Text("abc"), \\
                     b"abc", [1, 2]:
                for i in 0, 1, 2, 3, -1, -2, -3, -4, True, 1 << 40, -1 << 40, 1 << 70:
                    attempt(at, s, i)
                attempt(last, s, 3)
            b = "b"
            print(at("abc", 1) is b)
            """)

    def test_loops_over_texts(self):
        self.check("""
            def chars(t):
                r = []
                for c in t:
                    for d in t:
                        r.append(c + d)
                return r
            class Text(str): pass
            class Own(str):
                def __iter__(self): return iter("own")
            warm(chars, "ab")
            for t in "abc", "", "\\xe9b", "\\u1234b", Text("xy"), Own("xy"), ["p", "q"], ("p",), 5:
                attempt(chars, t)
            """)

    def test_iterators_that_somebody_has(self):
        self.check("""
            def over(it):
                r = []
                for x in it: r.append(x)
                return r
            def inner(make):
                r = []
                for x in make():
                    for y in make(): r.append((x, y))
                return r
            for make in (lambda: [1, 2], lambda: (1, 2), lambda: range(2), lambda: "ab"):
                l = make()
                warm(over, l); warm(inner, make)
                print(over(l), inner(make))
                it = iter(l)
                print(over(it), over(it), list(it), next(it, "none"))
                kept = [iter(make()) for i in range(20)]
                print([next(k) for k in kept], inner(make), [list(k) for k in kept])
                del kept
                print(inner(make))
            l = [1, 2]
            it = iter(l)
            print(over(it))
            l.append(3)
            print(over(it), over(l))
            def grows(l):
                n = 0
                for x in l:
                    n += x
                    if n < 20: l.append(n)
                return n, len(l)
            warm(grows, [30])
            print(grows([1, 2]))
            def deep(n):
                s = 0
                for i in range(2):
                    for x in (1, 2):
                        if n: s += deep(n - 1) + x
                return s + 1
            print(deep(5))
            """)

    def test_iterators_in_loops_that_end_with_an_exception(self):
        self.check("""
            def f(l, k):
                for x in l:
                    for y in (1, 2, 3):
                        for z in range(3):
                            if x == k: raise ValueError(x + y + z)
                return len(l)
            def g(l, k):
                try: return f(l, k)
                except ValueError as e: return str(e)
            warm(g, [1, 2, 3], 2)
            print(g([1, 2, 3], 2), g([1, 2, 3], 5), g([], 1))
            """)

    def test_generators_are_left_within_short_loops(self):
        self.check("""
            def gen(n):
                for i in range(n):
                    for d in (-1, 0, 1):
                        for c in "ab":
                            yield i + d, c
            def use(n, k):
                g, r = gen(n), []
                for x in g:
                    r.append(x)
                    if len(r) == k: break
                g.close()
                return r
            warm(use, 3, 5)
            for k in range(20): print(use(3, k))
            g = gen(2)
            print(next(g), [type(x).__name__ for x in gc.get_referents(g)][:0], list(g))
            """)

    def test_a_dying_sequence_sees_no_iterator_of_the_loop(self):
        self.check("""
            import weakref
            class L(list):
                def __del__(self): print("gone", sys._getframe(1).f_code.co_name, len(self))
            def f(make):
                n = 0
                for x in make():
                    n += x
                return n
            warm(f, lambda: [1, 2])
            print(f(lambda: L([1, 2])))
            print(f(lambda: [1, 2]))
            """)

    def test_tuples_that_are_only_compared(self):
        self.check("""
            N = 3
            def to_constant(a, b): return (a, b) == (1, 2), (a, b) != (1, 2), (a, b, 3) == (1, 2, 3)
            def to_variables(a, b, c, d):
                r = [(a, 1) == (c, 1), (a, b, 1) != (c, d, 1)]
                if (a, 5) == (c, N + 2): r.append("not")
                if not (1, b) == (1, d): r.append("b")
                if (a, 2, b) != (c, 2, d): r.append("c")
                return r
            def to_global(k):
                return [(i, 1) == (N, 1) for i in range(k)], \\
                       [i for i in range(k) if (i, 0) != (N, 0)]
            def to_cell(k):
                def inner(m): return [i for i in range(m) if (i, 1) != (k, 1)]
                return inner(5)
            def around(k):
                return {(k + dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)
                        if (dx, dy) != (0, 0)}
            def longer(i): return (i, i) == (i, i, i), (i, 2) == (1, 2, 3), \\
                               (i, 2, 3) == (1, 2), (i,) == (1,)
            warm(to_constant, 1, 2); warm(to_variables, 1, 2, 1, 2); warm(to_global, 5)
            warm(to_cell, 2); warm(around, 1); warm(longer, 1)
            class Eq:
                def __init__(self, v): self.v = v
                def __eq__(self, other): print("eq", self.v); return self.v
                def __repr__(self): return "Eq"
                def __bool__(self): print("bool"); return True
            class I(int):
                def __eq__(self, other): print("I"); return False
                __hash__ = int.__hash__
            values = [1, 2, 1.0, True, None, "a", 1 << 70, I(1), (1,), Eq(0), float("nan")]
            for a in values:
                for b in values[:5]:
                    attempt(to_constant, a, b)
                    attempt(to_variables, a, b, 1, 2)
                    attempt(to_variables, 1, 2, a, b)
                attempt(to_cell, a)
            print(sorted(around(3)), longer(1))
            for N in 2, 4.0, "x", None, Eq([]): attempt(to_global, 5)
            del N
            attempt(to_global, 5)
            def unbound(k):
                def inner(m): return [(i, 1) == (q, 1) for i in range(m)]
                if k: q = 1
                return inner(3)
            warm(unbound, 1)
            attempt(unbound, 0)
            """)

    def test_comparison_of_a_tuple_whose_items_die(self):
        self.check("""
            class Num:
                def __init__(self, n): self.n = n
                def __eq__(self, other): return self.n == other
                def __del__(self): print("gone", self.n)
            def f(make, k): return (make(), k) == (1, 2)
            def g(make, k):
                if (make(), k) != (1, 2): return "differ"
                return "same"
            warm(f, int, 2); warm(g, int, 2)
            print(f(lambda: Num(1), 2), g(lambda: Num(1), 2), g(lambda: Num(3), 2))
            print(f(lambda: 1000, 1000), g(lambda: 1 << 40, 5))
            """)

    def test_hashes_of_pairs(self):
        pairs = [(1, 2), (-1, -2), (1.5, 2), (2, 1.5), (1 << 70, 1), ((1,), 2), (True, 3)]
        self.assertEqual([hash(pair) for pair in pairs],
                         [-3550055125485641917, 960947337673586213, 8274728468405361693,
                          -3306586032558025403, 2874826388544093412, 1192742280400060608,
                          -1440771752368011620])


CONSUMERS = """
    import collections
    from collections import Counter, deque
    state = [0]
    def sort(l): return sorted(x * 2 for x in l)
    def frozen(l): return frozenset(x for x in l)
    def make_dict(l): return dict((x, x) for x in l)
    def count(l): return Counter((x, y) for x in l for y in (0, 1) if x or y)
    def count_all(l): return collections.Counter(x for x in l)
    def queue(l): return deque(x for x in l)
    def divide(l): return sorted(12 // x for x in l)
    def with_state(l): return sorted(k[1] for k in Counter((x, state[0]) for x in l))
    def set_with_state(l): return sorted(k[1] for k in frozenset((x, state[0]) for x in l))
    EACH = [sort, frozen, make_dict, count, count_all, queue, divide, with_state, set_with_state]
    for f in EACH: warm(f, [3, 1, 2, 1])
"""


class Consumers(Case):
    def test_any_values(self):
        self.check(textwrap.dedent(CONSUMERS) + textwrap.dedent("""
            for l in ([3, 1, 2, 1], [], ["a"], [1 << 70, 1], [1.5, 2.5], [True, False], [None],
                      (1, 2),
                      {1: 2}, range(300), range(5000), [[1], 2], "a", 5, [1, 0], [(1, 2), (1, 2)],
                      [((1,),)] * 2, [b"x"]):
                for f in EACH:
                    attempt(f, l)
            """))

    def test_keys_whose_methods_are_asked_between_two_values(self):
        self.check(textwrap.dedent(CONSUMERS) + textwrap.dedent("""
            class Key:
                def __hash__(self): state[0] += 1; return 1
                def __eq__(self, other): state[0] += 10; return self is other
            class Str(str):
                def __hash__(self): state[0] += 1; return 1
            for l in [Key(), Key(), Key()], [1, Str("a"), Str("b"), 2]:
                for f in with_state, set_with_state: attempt(f, l)
            """))

    def test_the_function_is_another_one(self):
        self.check(textwrap.dedent(CONSUMERS) + textwrap.dedent("""
            import builtins
            def told(it): return type(it).__name__, list(it)
            L = [3, 1, 2, 1]
            old_sorted, sorted = sorted, told
            attempt(sort, L)
            del sorted
            builtins.sorted = told
            attempt(sort, L)
            builtins.sorted = old_sorted
            attempt(sort, L)
            frozenset, dict, deque, Counter = told, told, told, told
            for f in frozen, make_dict, queue, count: attempt(f, L)
            del frozenset, dict
            Counter, deque = collections.Counter, collections.deque
            for f in EACH: attempt(f, L)
            old = Counter.update
            def update(self, it=None, /, **more):
                print("update", type(it).__name__)
                return old(self, it, **more)
            Counter.update = update
            attempt(count, L); attempt(count_all, L)
            Counter.update = old
            attempt(count, L); attempt(count_all, L)
            class D(Counter):
                def __init__(self, it): print(type(it).__name__); super().__init__(it)
            Counter = D
            attempt(count, L)
            collections.Counter = D
            attempt(count_all, L)
            """))

    def test_methods_of_counter_are_changed(self):
        for name in "update", "__init__":
            for when in "before", "after":
                self.check(f"""
                    from collections import Counter
                    def count(l): return Counter((x, 1) for x in l)
                    def change():
                        old = Counter.{name}
                        def new(self, it=None, /, **more):
                            kinds.add(type(it).__name__)
                            return old(self, it, **more)
                        Counter.{name} = new
                        return old
                    kinds = set()
                    if {when == "before"}: old = change()
                    warm(count, [1, 2])
                    if {when == "after"}: old = change()
                    print(count([1, 2]), kinds)
                    Counter.{name} = old
                    print(count([1, 2, 1]))
                    """)

    def test_what_counter_is_made_of_is_changed(self):
        changes = {
            "the body of update()": """
                class Other:
                    def update(self, iterable=None, /, **kwds):
                        __class__
                        told.append(type(iterable).__name__)
                Counter.update.__code__ = Other.update.__code__
                """,
            "the body of __init__()": """
                class Other:
                    def __init__(self, iterable=None, /, **kwds):
                        __class__
                        told.append(type(iterable).__name__)
                Counter.__init__.__code__ = Other.__init__.__code__
                """,
            "_count_elements()": """
                def count_elements(counter, iterable):
                    told.append((type(iterable).__name__, list(iterable), list(iterable)))
                collections._count_elements = count_elements
                """,
            "Mapping": """
                class Meta(type):
                    def __instancecheck__(cls, other): told.append(type(other).__name__)
                class Mapping(metaclass=Meta): pass
                collections._collections_abc.Mapping = Mapping
                """,
            "_collections_abc": """
                class Meta(type):
                    def __instancecheck__(cls, other): told.append(type(other).__name__)
                class Names:
                    class Mapping(metaclass=Meta): pass
                collections._collections_abc = Names
                """,
            "isinstance() of the module": """
                def isinstance_(op, cls): told.append(type(op).__name__)
                collections.isinstance = isinstance_
                """,
            "isinstance()": """
                import builtins
                def isinstance_(op, cls): told.append(type(op).__name__)
                builtins.isinstance = isinstance_
                """,
            "what is a Mapping": """
                import types
                collections._collections_abc.Mapping.register(types.GeneratorType)
                """,
            "what is a subclass of Mapping": """
                import types
                class Other(collections._collections_abc.Mapping): pass
                Other.register(types.GeneratorType)
                """,
            "the body of ABCMeta's __instancecheck__()": """
                import abc
                def check(cls, instance): return type(instance).__name__ == "generator"
                abc.ABCMeta.__instancecheck__.__code__ = check.__code__
                """,
            "ABCMeta's __instancecheck__()": """
                import abc
                abc.ABCMeta.__instancecheck__ = (
                    lambda cls, instance: type(instance).__name__ == "generator")
                """,
            "_abc_instancecheck()": """
                import abc
                abc._abc_instancecheck = (
                    lambda cls, instance: type(instance).__name__ == "generator")
                """,
        }
        for what, change in changes.items():
            with self.subTest(changed=what):
                self.check(textwrap.dedent("""
                    import collections
                    from collections import Counter
                    def count(l): return Counter((x, 1) for x in l)
                    told = collections.told = []
                    warm(count, [1, 2])
                    """) + textwrap.dedent(change)
                    + "result = count([1, 2])\nprint(told, dict(result))\n")

    def test_own_classes_that_have_a_name_of_the_librarys(self):
        self.check("""
            class Counter(dict):
                def __init__(self, it=()): self.update(it)
                def update(self, it):
                    for x in it:
                        self[x] = type(it).__name__
                        if len(self) == 3: break
            class deque(list):
                def __init__(self, it): super().__init__([type(it).__name__])
            def count(l): return Counter(x for x in l)
            def queue(l): return deque(x for x in l)
            warm(count, [1, 2, 1]); warm(queue, [1])
            print(count([1, 2, 3, 4]), queue([1, 2]))
            """)

    def test_tracing_that_is_switched_on_meanwhile(self):
        self.check(textwrap.dedent(CONSUMERS) + textwrap.dedent("""
            def tracer(frame, event, arg):
                told.append((frame.f_code.co_name, event))
                return tracer
            told = []
            class Switch:
                def __hash__(self): sys.settrace(tracer); return 7
            print(len(frozen([1, 2, Switch(), 3, 4])), len(count_all([1, Switch(), 3])))
            sys.settrace(None)
            print([t for t in told if t[0] in ("<genexpr>", "frozen", "count_all")][:40])
            told = []
            sys.settrace(tracer)
            sort([2, 1])
            sys.settrace(None)
            print(told)
            """))

    def assert_built_in(self, name, program):
        said = finished(textwrap.dedent(program), SPRINGBOARD_JIT="on",
                        SPRINGBOARD_JIT_DUMP=name).stderr
        self.assertIn(f"---- {name} ", said)
        self.assertNotIn("<function>", said[said.rindex(f"---- {name} "):], program)

    def test_no_generator_is_made(self):
        for call in ("sorted(x & 3 for x in l)", "frozenset(x for x in l)",
                     "dict((x, 1) for x in l)", "Counter((x, y) for x in l for y in t)",
                     "deque(x for x in l)"):
            self.assert_built_in("f", f"""
                from collections import Counter, deque
                def f(l, t): return {call}
                for i in range(20000): f([1, 2, 9], (1, 2))
                """)

    def test_a_comprehension_that_does_not_end_while_it_is_recorded_is_built_in(self):
        self.assert_built_in("f", """
            def f(l): return [x & 7 for x in l]
            l = list(range(5000))
            for i in range(3000): f(l)
            """)


if __name__ == "__main__":
    unittest.main()

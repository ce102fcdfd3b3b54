"""What machine code is not left for: SPRINGBOARD_JIT_DUMP=exits shows where it is."""
import os
import subprocess
import sys
import sysconfig
import textwrap
import unittest

from jit_cases import add_cases, not_with_stress, run

CASES = {
    "exceptions_that_are_caught": ("""
        class Plain:
            x = 1
        def look_up(owner, name):
            try:
                owner = owner[name]
            except (KeyError, TypeError):
                owner = getattr(owner, name)
            return owner
        def f(n):
            plain, items, t = Plain(), {"x": 2}, 0
            for i in range(n):
                t += look_up(plain if i % 3 == 0 else items, "x")
            return t
        print(f(3000))
    """, "5000\n"),
    "what_ways_meet_with": ("""
        def shell(a):
            gap = len(a) // 2
            while gap:
                for i in range(gap, len(a)):
                    t = a[i]
                    j = i
                    while j >= gap and a[j - gap] > t:
                        a[j] = a[j - gap]
                        j -= gap
                    a[j] = t
                gap //= 2
            return a
        for k in range(10):
            a = shell([(i * 7919 + k) % 1009 for i in range(1500)])
        print(a == sorted(a), sum(i * x for i, x in enumerate(a)) % 1000003)
    """, "True 47529\n"),
    "what_c_returns_and_is_stored": ("""
        def fill(rows, n):
            dp = [[0] * n for _ in range(rows + 1)]
            for i in range(1, rows + 1):
                for c in range(n):
                    dp[i][c] = dp[i - 1][c]
                    if c >= i:
                        dp[i][c] = max(dp[i][c], dp[i - 1][c - i] + i)
            return dp[rows][n - 1]
        print(sum(fill(40, 200) for _ in range(4)))
    """, "796\n"),
    "variables_that_are_unbound_yet": ("""
        def f(n):
            total = 0
            for i in range(n):
                for j in range(n):
                    total += j & 3
                for k in (1, 2, 3):
                    total += k * i
            try:
                late
            except UnboundLocalError:
                total += 1
            late = [total]
            for i in range(3):
                late.append(i)
            return late
        for _ in range(20):
            r = f(120)
        print(r)
    """, "[64441, 0, 1, 2]\n"),
    "loops_that_end": ("""
        def f(m, n):
            t = 0
            for k in range(m):
                s = 0
                for i in range(n):
                    s += i & 7
                j = n
                while j > 0:
                    t += j & 3
                    j -= 1
                t = (t ^ s) % 1000
            return t
        print([f(30, 1000) for _ in range(4)])
    """, "[40, 40, 40, 40]\n"),
    "items_from_the_end": ("""
        def f(n):
            stack, t = [1, 2, 3], 0
            for i in range(n):
                stack[-1] += i
                stack[-2] = stack[-1]
                t += stack[-2]
            for short in ([1], [], [2]):
                try:
                    t += short[-1]
                    short[-1] += 5
                    t += short[-2]
                except IndexError as e:
                    t += len(str(e))
            return t
        print([f(2000) for _ in range(3)])
    """, "[1333339072, 1333339072, 1333339072]\n"),
    "what_was_never_seen_is_no_list": ("""
        def f(codes, n):
            first = codes[0]
            t = 0
            for i in range(n):
                for c in codes:
                    t += c
            return first + t
        print([f([1, 2, 3], 2000) + f((1, 2, 3), 2000) + f({0: 4, 1: 3}, 1000)
               for _ in range(10)][-1])
    """, "25006\n"),
    "methods_of_ints": ("""
        def bits(n, more):
            k = n.bit_length()
            while more:
                k += n.bit_length()
                more -= 1
            return k
        big = [10 ** 12, 7, 2 ** 40, True, 5]
        print(sum(bits(n, 3) + bits(i, 1) for i in range(2000) for n in big))
    """, "903530\n"),
    "short_ends": ("""
        def ups(text, n):
            for i in range(n):
                if text[i % len(text)].isupper():
                    yield i
        print(sum(sum(1 for _ in ups("aBcD", 400)) for _ in range(60)))
    """, "12000\n"),
    "pairs_of_items_of_tuples": ("""
        def products(rows, columns):
            return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in rows]
        def numbered(columns):
            return [sum(i * x for i, x in enumerate(column)) for column in columns]
        rows = [[i * j % 7 for j in range(30)] for i in range(30)]
        columns = list(zip(*rows))
        for _ in range(60):
            result = sum(map(sum, products(rows, columns))), sum(numbered(columns))
        print(*result)
    """, "191045 31935\n"),
    "methods_of_builtins_after_a_call": ("""
        class Parts:
            def __init__(self): self.n = 0
            def next(self):
                for i in range(2): self.n += i
                return "a"
        class Words(dict):
            def count(self, word): return self.get(word.lower(), 0)
            def know(self, word): self.setdefault(word.lower(), 5)
            def take(self, names, values): self.update(zip(names, values))
        class Text(str):
            def begins_with_next(self, parts): return self.startswith(parts.next())
        class Heap(list):
            def add_next(self, parts): self.append(parts.next())
        def f(n):
            words, text, parts, heap, t = Words(a=1), Text("abc"), Parts(), Heap(), 0
            for i in range(n):
                words.know("A")
                words.take(("b", "c"), (i, 2))
                heap.add_next(parts)
                t += words.count("A") + words.count("B") + text.begins_with_next(parts)
            return t + len(heap)
        print(f(4000))
    """, "8010000\n"),
    "classes_without_init_in_turns": ("""
        class Up:
            def change(self, x): return x + 1
        class Down:
            def change(self, x): return x - 2
        CLASSES = {"up": Up, "down": Down}
        def f(n):
            x = 0
            for i in range(n):
                for name in ("up", "down"): x = CLASSES[name]().change(x)
            return x
        print(f(3000), f(3000))
    """, "-3000 -3000\n"),
    "division_by_zero": ("""
        def divided(a, b):
            try:
                r = a / b
            except ZeroDivisionError:
                return 0
            else:
                return r
        print(sum(divided(i, i % 4) for i in range(4000)) > 0)
    """, "True\n"),
}

MOST = {"division_by_zero": 150, "what_ways_meet_with": 100, "variables_that_are_unbound_yet": 80,
        "loops_that_end": 15, "what_c_returns_and_is_stored": 15,
        "what_was_never_seen_is_no_list": 150, "classes_without_init_in_turns": 20}


def usual_environment():
    return {name: value for name, value in os.environ.items() if name != "SPRINGBOARD_JIT"}


def numbers_printed(program, times):
    """Of so many processes in which the compiler does as it usually does, sorted."""
    return sorted(float(subprocess.check_output([sys.executable, "-S", "-c", program],
                                                env=usual_environment()))
                  for _ in range(times))


class Exits(unittest.TestCase):
    @not_with_stress
    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    def test_what_is_called_says_no_once(self):
        """The next version calls it as C: there is nothing to learn that would help."""
        program = """
            def joined(parts):
                return ",".join(parts)
            for i in range(3000):
                joined(["a", "b"])
            for i in range(40000):
                joined(iter("ab"))
            """
        said = run(textwrap.dedent(program), SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="steps")
        self.assertEqual(said.count("jit: joined:"), 2, said)

    @not_with_stress
    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    def test_keys_that_are_not_there_leave_one_version(self):
        """The next one has nothing to learn from them that would help."""
        program = """
            def get(d, key):
                try:
                    return d[key]
                except KeyError:
                    return 0
            for i in range(3000):
                get({1: 2}, 1)
            for i in range(40000):
                get({1: 2}, i)
            """
        said = run(textwrap.dedent(program), SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="steps")
        self.assertEqual(said.count("jit: get:"), 2, said)

    @not_with_stress
    def test_what_was_refused_while_recorded_is_not_tried(self):
        program = """
            import sys
            class Error(Exception):
                def __str__(self): return "text"
            class Number:
                def __int__(self): return 7
                def __float__(self): return 7.5
                def __bool__(self): return False
            def joined(parts): return ",".join(parts)
            def begins(text, what): return text.startswith(what, Index())
            class Index:
                def __index__(self): return 1
            def text(e): return str(e)
            def number(n): return int(n), float(n), bool(n)
            e, n, values = Error(), Number(), set()
            for i in range(6000):
                values.add((joined(iter("ab")), begins("abc", "bc"), text(e), number(n)))
            print(values == {("a,b", True, "text", (7, 7.5, False))}, sys._jit.figures()["exits"] < 10)
            """
        said = run(textwrap.dedent(program), SPRINGBOARD_JIT="on")
        self.assertEqual(said, "True True\n")

    @not_with_stress
    def test_the_type_of_ints_is_known(self):
        program = """
            import sys
            def is_int(x): return type(x) is int
            def is_text(x): return type(x) is str
            def name(x): return type(x).__name__
            calls = iter(range(6000))
            seen = {(is_int(i), is_text(i if i & 1 else "a"), name(i if i & 1 else None))
                    for i in calls}
            print(seen == {(True, False, "int"), (True, True, "NoneType")},
                  sys._jit.figures()["exits"] < 10)
            """
        said = run(textwrap.dedent(program), SPRINGBOARD_JIT="on")
        self.assertEqual(said, "True True\n")

    CLASSES = """
        import sys, time
        figures = sys._jit.figures
        class A:
            def __init__(self): self.x = 1
        class B:
            def __init__(self): self.y = 2; self.x = 3
        class C(B): pass
        """

    def holds(self, program):
        """A busy machine may upset what depends on time."""
        text = textwrap.dedent(self.CLASSES) + textwrap.dedent(program)
        said = [run(text, SPRINGBOARD_JIT="on") for _ in range(3)]
        self.assertIn("True\n", said)

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    def test_who_leaves_now_and_then_but_always_does_not_go_on(self):
        """Exits are far apart because the function is called rarely."""
        program = """
            def get(o):
                return o.x + 1
            def wait(ns):
                end = time.perf_counter_ns() + ns
                while time.perf_counter_ns() < end: pass
            for i in range(3000):
                get(A())
                wait(100)
            before = figures()["exits"]
            for i in range(1500):
                get(B() if i & 1 else C())
                wait(260_000)
            print(figures()["exits"] - before < 600)
            """
        self.holds(program)

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    @not_with_stress
    def test_who_leaves_in_bursts_does_not_go_on(self):
        """The function is recorded within a burst: its pace there is what counts."""
        program = textwrap.dedent("""
            import sys
            def names(them, a=3):
                n = 0
                for x in them:
                    n += x == 'a'
                    b = a + n; c = b * a; d = c - b; a = d & 15; n += a > 3; n -= b > c
                    b = a + n; c = b * a; d = c - b; a = d & 15; n += a > 3; n -= b > c
                    b = a + n; c = b * a; d = c - b; a = d & 15; n += a > 3; n -= b > c
                return n
            def work(n):
                t = 0
                for i in range(n):
                    t += i * i % 7
            def bursts(n):
                for _ in range(n):
                    for _ in range(50):
                        names(('a', 'b'))
                    work(2_500_000)
            for i in range(30000):
                names(['a', 'b'])
            before = sys._jit.figures()
            bursts(40)
            many = max(before["seconds"] * 1e9 / 1500, 20)      # exits that cost what compiling does
            print((sys._jit.figures()["exits"] - before["exits"]) / many)
            """)
        # Another program may take the processor within bursts. If all of the time between exits
        # counted, no process would find its pace.
        exits = numbers_printed(program, 9)
        self.assertLess(exits[1], 1.1, exits)

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "it is judged by the time it takes")
    @unittest.skipUnless("-O2" in sysconfig.get_config_var("OPT").split(),
                         "the compiler of another build takes longer")
    @not_with_stress
    def test_what_is_large_waits_to_be_compiled_anew(self):
        """re's parser has 2,000 instructions: in a program of a tenth of a second a second version
        would not come back. A machine that is slow has less time for it, not more."""
        program = textwrap.dedent("""
            import time
            from re import _compiler
            parts = ["[a-z]+", "(?P<n%d>x|yy|z*)", "\\\\d{2,%d}", "(?i:abc)", "^foo$", "(?:ab|cd)+?",
                     "[^\\\\s,;]*", "\\\\bword\\\\b", "(a(b(c)))", "(?=look)", "(?<!x)", ".*?"]
            i = 0
            while time.process_time() < .1:
                i += 1
                used = [parts[(i * 7 + k * 3) % len(parts)] for k in range(4 + i % 5)]
                pattern = "".join(part.replace("%d", str(i * 10 + k + 2))
                                  for k, part in enumerate(used))
                try:
                    _compiler.compile(pattern)
                except _compiler.error:
                    pass
            """)

        def versions(**env):
            return subprocess.run([sys.executable, "-S", "-c", program], capture_output=True,
                                  text=True, check=True, env=usual_environment() | env | {
                                      "SPRINGBOARD_JIT_DUMP": "steps"}).stderr.count("jit: _parse:")

        made = sorted(versions() for _ in range(5))
        self.assertLess(made[2], 2, made)
        self.assertGreater(versions(SPRINGBOARD_JIT="on"), 1)

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    @not_with_stress
    def test_what_is_large_does_not_wait_for_long(self):
        """Where all that may be spent is spent, exits take more than a second version would."""
        program = textwrap.dedent("""
            import sys
            class A:
                def __init__(self): self.x = 1
            class B:
                def __init__(self): self.y = 2; self.x = 3
            exec("def f(o, a):\\n" + "    b = a + 1; c = b * a; d = c - b; a = d & 15\\n" * 500
                 + "    return o.x")
            def calls(o, n):
                for _ in range(n):
                    f(o, 3)
            figures = sys._jit.figures
            while figures()["compiled"] < 2:
                calls(A(), 500)
            before = figures()
            many = before["seconds"] * 1e9 / 1500       # exits that cost what compiling does
            calls(B(), int(many * 20))
            print((figures()["exits"] - before["exits"]) / many)
            """)
        exits = numbers_printed(program, 5)
        self.assertLess(exits[2], 5, exits)

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    def test_who_hardly_ever_leaves_goes_on(self):
        """One in 20,000: exits come as often as above, but the code is right for all others."""
        program = """
            def total(values):
                n = 0
                for v in values:
                    n += v.x
                return n
            many = [A()] * 20_000
            many[10_000] = B()
            for i in range(300): total(many[:1000])
            for i in range(100): total(many[:10_000])
            before = figures()["exits"]
            for i in range(1200): total(many)
            print(figures()["exits"] - before > 1000)
            """
        self.holds(program)

    @not_with_stress
    def test_a_collection_that_does_not_come_is_not_waited_for(self):
        """One more object, and the collector is due; but texts are no such objects, and lists from the
        free list are not counted. The count that stays says that machine code has left each time."""
        program = """
            import gc
            class C: pass
            def f(text, l, n):
                r = 0
                for i in range(n): r += len(text[i & 7:]) + len(l[1:])
                return r
            for _ in range(50): f("x" * 20, [1, 2, 3], 1000)
            def left(k):
                gc.set_threshold(10 ** 6)
                gc.collect(0)
                for _ in range(200): kept.append(C())
                gc.set_threshold(gc.get_count()[0] + 100)
                for _ in range(k): kept.append(C())
                f("x" * 20, [1, 2, 3], 1000)
                return gc.get_threshold()[0] - gc.get_count()[0]
            kept = []
            seen = [left(k) for k in range(90, 110)]
            print(min(seen), max(seen) > 200)
            """
        self.assertEqual(run(textwrap.dedent(program), SPRINGBOARD_JIT="on"), "1 True\n")

    def test_collections_of_stress_go_on(self):
        program = """
            import gc
            class C: pass
            def f(text, n):
                r = 0
                for i in range(n): r += len(text[i & 7:])
                return r
            for k in range(300): f("x" * 20, 1000)
            n = gc.get_stats()[0]["collections"]
            objects = [C() for i in range(20000)]
            print(gc.get_stats()[0]["collections"] - n >= 20)
            """
        out = run(textwrap.dedent(program), SPRINGBOARD_JIT="on", SPRINGBOARD_STRESS="gc:1000")
        self.assertEqual(out, "True\n")

    def test_a_collection_comes_however_often_it_does_not(self):
        """One object that is counted comes after many that are not."""
        program = """
            import gc
            class C: pass
            def f(text, n, each):
                r = 0
                for i in range(n):
                    c = C()
                    c.me = c
                    for j in range(each): r += len(text[j & 7:])
                return r
            def collections(each):
                n = gc.get_stats()[0]["collections"]
                f("x" * 20, 20000, each)
                return gc.get_stats()[0]["collections"] - n
            for _ in range(50): f("x" * 20, 100, 10)
            print([collections(each) >= 20 for each in (0, 1, 3, 10, 50)])
            """
        self.assertEqual(run(textwrap.dedent(program), SPRINGBOARD_JIT="on"), f"{[True] * 5}\n")


add_cases(Exits, CASES, "")


def add_limit(name, program):
    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    def test(self):
        text = textwrap.dedent(program) + "import sys; print(sys._jit.figures()['exits'])\n"
        most = MOST.get(name, 60)
        # A machine that is busy compiles later, and more is left until then.
        exits = (int(run(text, SPRINGBOARD_JIT="on").split()[-1]) for _ in range(3))
        self.assertTrue(any(n < most for n in exits))
    setattr(Exits, "test_exits_of_" + name, test)


for name, (program, expected) in CASES.items():
    add_limit(name, program)


if __name__ == "__main__":
    unittest.main()

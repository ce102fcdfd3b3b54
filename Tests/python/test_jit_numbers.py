"""Ints, doubles, loops and calls in machine code: the same answers as python3.11, also where a
guard fails; and what signals, threads and tracers do to code that is compiled."""

import os
import subprocess
import sys
import textwrap
import unittest

from jit_cases import finished

# name: (program, what python3.11 prints)
CASES = {
    "ints_in_sets": ("""
        def tally(items, group):
            n = 0
            for x in items:
                if x in group:
                    n += 1
                if x not in group:
                    n += 1000
            return n
        class Odd:
            def __init__(self, h): self.h = h
            def __hash__(self): return self.h
            def __eq__(self, other): return other == -7
            def __repr__(self): return 'Odd'
        ints = list(range(-40, 40)) + [1 << 31, -1 << 31, 1 << 59, -1 << 59, 1 << 60, -1 << 60,
                                       (1 << 61) - 1, 1 << 61, -1 << 61, 1 << 64, -1 << 64]
        groups = [{-1, -2, 5}, {-2}, {-1}, frozenset(range(-40, 40, 3)), {8, 16, 24, 32, 40, 0}, set(),
                  {1 << 59, -1 << 59, 1 << 60, (1 << 61) - 1}, {1.0, 2.5, True}, {0.0}, {'a', 1}, set(ints)]
        for group in groups:
            for i in range(40): tally([1, 2, -3], group)
            print(tally(ints, group), end=' ')
        shrunk = set(range(50))
        for i in range(0, 50, 2): shrunk.discard(i)
        for i in range(60): tally([i], shrunk)
        print(tally(ints, shrunk), tally([-7, 3], {Odd(-7)}), tally([-7, 3], {Odd(3), 3}),
              tally([2.0, True], {1, 2}))
        """, "88003 90001 90001 64027 86005 91000 87004 90001 90001 90001 91 71020 1001 1001 2\n"),
    "inner_ranges": ("""
        def pairs(n, m, k):
            total = 0
            for i in range(n):
                for j in range(i, m, k):
                    total += i ^ ~j
                for j in range(i):
                    total -= j
            return total
        def squares(n): return [x * ~x for x in range(n, 2 * n)]
        def tries(f, *args):
            try: return f(*args)
            except Exception as e: return type(e).__name__
        for i in range(300): pairs(7, 9, 1), squares(4)
        print(pairs(50, 90, 3), sum(squares(100)), pairs(5, -9, -2), pairs(5, 9, 100))
        class Index:
            def __repr__(self): return 'Index'
            def __index__(self): return 4
        big = 1 << 62
        for args in (3, 9, 0), (3, 9.5, 1), (3, None, 1), (3, Index(), 1), (3, True, 1), \
                (0, 5, 5), (3, big + 6, big), (3, -big * 4, -big), \
                (2, big * 4, big * 3), (3, big - 1, big // 2):
            print(args, tries(pairs, *args), end=" ")
        print(tries(squares, Index()), tries(squares, 0), ~big,
              [~x for x in (0, -1, True, big - 1, -big)])
        true_range = range
        def range(*args): return [len(args)] * 3
        print(pairs(4, 9, 1), squares(2))
        del range
        print(pairs(4, 9, 1), squares(2))
        """, "-81156 -2333300 47 -15\n"
             "(3, 9, 0) ValueError (3, 9.5, 1) TypeError (3, None, 1) TypeError (3, "
             "Index, 1) -22 (3, True, 1) -2 (0, 5, 5) 0 (3, 4611686018427387910, "
             "4611686018427387904) -13835058055282163719 (3, -18446744073709551616, "
             "-4611686018427387904) 119903836479112085489 (2, 18446744073709551616, "
             "13835058055282163712) -27670116110564327428 (3, 4611686018427387903, "
             "2305843009213693952) -6917529027641081863 TypeError [] "
             "-4611686018427387905 [-1, 0, -2, -4611686018427387904, "
             "4611686018427387903]\n"
             "-36 [-6, -6, -6]\n"
             "-172 [-6, -12]\n"),
    "machine_words": ("""
        import random
        MASK = 0xFFFFFFFF
        WORD = (1 << 64) - 1
        def fnv(h, byte): return (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
        def mixed(z):
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
            return z ^ (z >> 31)
        def shifted(x):
            x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
            x ^= x >> 7
            x ^= (x << 17) & 0xFFFFFFFFFFFFFFFF
            return x
        def congruent(s): return (s * 1103515245 + 12345) & 0x7fffffff
        def rotated(x, k): return ((x << 5) | (x >> 27)) + k - x & MASK
        def long_ints(x, y): return x * y - (x | y) + (x & y) ^ (x << 3) ^ (y >> 2)
        def divided(x, y): return x // y, x % y, x / y
        def tries(f, *args):
            try: return f(*args)
            except Exception as e: return type(e).__name__
        h, z, x, s, r = 0xcbf29ce484222325, 12345, 88172645463325252, 1, 77
        for i in range(1500):
            h, z, x, s, r = fnv(h, i & 255), mixed(z), shifted(x), congruent(s), rotated(r, i)
            long_ints(h, z), divided(h, z | 1)
        print(h, z, x, s, r)
        edges = [v + d for k in (0, 29, 30, 31, 32, 59, 60, 61, 62, 63, 64, 65, 89, 90, 128)
                 for v in (1 << k, -1 << k) for d in (-1, 0, 1)] + [True, 1.5, None]
        check = 0
        for a in edges:
            for f in mixed, shifted, congruent:
                check = check * 31 + hash(str(tries(f, a))[-9:].isdigit()) + len(repr(tries(f, a)))
            for b in edges:
                for f in fnv, rotated, long_ints, divided:
                    got = tries(f, a, b)
                    check = (check * 31 + (got if type(got) is int else len(repr(got)))) % (1 << 200)
        print(check)
        """, "8553375383388698441 11513066781516302064 7716087993233489756 1717573029 236085727\n"
             "611874654140081721548059434825739961110126938626145510181108\n"),
    "powers_and_remainders": ("""
        def power(x, y): return x ** y
        def square(x): return x ** 2
        def root(x): return x ** 0.5
        def inverse(x): return x ** -1
        def floor(x, y): return x // y
        def mod(x, y): return x % y
        def mod3(x): return x % 3
        def tries(f, *args):
            try: return f(*args)
            except Exception as e: return type(e).__name__
        for i in range(1500):
            x = i + 0.5
            power(x, 1.5), square(x), root(x), inverse(x), floor(x, 0.75), mod(x, 0.75), mod3(x)
        inf, nan = float('inf'), float('nan')
        values = 0.0, -0.0, 2.5, -3.0, 1e308, inf, -inf, nan, 7, 0, 'x'
        for f in square, root, inverse, mod3: print(*[tries(f, x) for x in values])
        got = [[tries(f, x, y) for x in values] for f in (power, floor, mod)
               for y in (2.0, 0.5, -1.5, 0.0, -0.75, inf, nan, 3)]
        operators = [[tries(eval, text, {'x': x, 'y': y}) for x in values]
                     for text in ('x ** y', 'x // y', 'x % y')
                     for y in (2.0, 0.5, -1.5, 0.0, -0.75, inf, nan, 3)]
        print(repr(got) == repr(operators))
        """, "0.0 0.0 6.25 9.0 OverflowError inf inf nan 49 0 TypeError\n"
             "0.0 0.0 1.5811388300841898 (1.0605752387249068e-16+1.7320508075688772j) "
             "1e+154 inf inf nan 2.6457513110645907 0.0 TypeError\n"
             "ZeroDivisionError ZeroDivisionError 0.4 -0.3333333333333333 1e-308 0.0 -0.0 "
             "nan 0.14285714285714285 ZeroDivisionError TypeError\n"
             "0.0 0.0 2.5 0.0 2.0 nan nan nan 1 0 TypeError\n"
             "True\n"),
    "exchanged": ("""
        import math
        def sequence(length, a):
            mask = (1 << 32) - 1
            b = 1
            out = [None] * length
            for i in range(length):
                t = (a + b) & mask
                a, b = b, t
                out[i] = t
            return out
        def rotated(n):
            a, b, c, d = 1, 2.5, 3, 4.5
            total = 0
            for i in range(n):
                a, c = c, a + 1
                b, d = d, b
                total += a * d
            return a, b, c, d, total
        def check(n, a):
            values = sequence(n, a)
            b = 1
            for value in values:
                assert value == (a + b) % (1 << 32), (n, value)
                a, b = b, value
        for n in 0, 3, 600, 1024, 1024, 2000:
            check(n, 3735899053 * n % (1 << 32))
        print(rotated(1501), rotated(2000))
        """, "(753, 4.5, 752, 2.5, 1980382.5) (1001, 2.5, 1003, 4.5, 3513000.0)\n"),
    "compiled_when_it_raises": ("""
        import math
        def roots(n):
            total = 0.0
            for i in range(n):
                total += math.sqrt(i)
            if n > 5:
                raise KeyError(n)
            return missing(n, math.nothing)
        for n in range(0, 1500, 7):
            try: roots(n)
            except (KeyError, NameError) as e: kind = type(e).__name__
            assert kind == ("KeyError" if n > 5 else "NameError")
        print(kind)
        """, "KeyError\n"),
    "overflow": ("""
        def add(x, y): return x + y
        def mul(x, y): return x * y
        def shl(x, y): return x << y
        def power(n):
            r = 1
            for i in range(n):
                r *= 3
            return r
        for i in range(1000):
            add(i, 1); mul(i, 3); shl(i, 2)
        top = 2 ** 62 - 1
        print(add(top, 1), add(-top, -2), mul(top, top), mul(2 ** 31, 2 ** 31), shl(1, 61), shl(3, 62))
        print(power(10), power(60))
        """, "4611686018427387904 -4611686018427387905 21267647932558653957237540927630737409 "
             "4611686018427387904 2305843009213693952 13835058055282163712\n"
             "59049 42391158275216203514294433201\n"),
    "division": ("""
        def both(x, y): return x // y, x % y
        for i in range(1, 1000): both(i, 7)
        print([both(x, y) for x in (7, -7, 0, 2 ** 61) for y in (2, -2, 3, -1)])
        for f in (lambda: both(1, 0), lambda: both('a', 1)):
            try: f()
            except Exception as e: print(type(e).__name__)
        """, "[(3, 1), (-4, -1), (2, 1), (-7, 0), (-4, 1), (3, -1), (-3, 2), (7, 0), (0, 0), (0, 0), "
             "(0, 0), (0, 0), (1152921504606846976, 0), (-1152921504606846976, 0), "
             "(768614336404564650, 2), (-2305843009213693952, 0)]\nZeroDivisionError\nTypeError\n"),
    "types_change": ("""
        def twice(x): return x + x
        for i in range(1000): twice(i)
        print(twice(3), twice(2.5), twice('ab'), twice([1]), twice(True), twice(2 ** 70))
        for i in range(1000): twice('x')
        print(twice(3), twice('ab'))
        """, "6 5.0 abab [1, 1] 2 2361183241434822606848\n6 abab\n"),
    "doubles": ("""
        def kinetic(n, m, v):
            e = 0.0
            for i in range(n):
                e = e + 0.5 * m * v * v
                v = v - 0.001
            return e
        def ratio(x, y): return x / y
        print(kinetic(2000, 2.0, 3.0))
        for i in range(1000): ratio(i + 0.5, 2.0)
        print(ratio(1.0, 4.0), ratio(-0.0, 1.0))
        try: ratio(1.0, 0.0)
        except ZeroDivisionError as e: print(e)
        nan = float('nan')
        def compare(x, y): return x < y, x <= y, x == y, x != y, x > y, not x < y
        for i in range(1000): compare(1.0, 2.0)
        print(compare(nan, 1.0), compare(1.0, nan), compare(2.0, 1.0))
        def branch(x, y): return 1 if x < y else 0, 1 if not x < y else 0, 1 if x != y else 0
        for i in range(1000): branch(1.0, 2.0)
        print(branch(nan, 1.0), branch(1.0, 1.0), branch(0.5, 1.0))
        """, "8670.667000000736\n0.25 -0.0\nfloat division by zero\n"
             "(False, False, False, True, False, True) (False, False, False, True, False, True) "
             "(False, False, False, True, True, True)\n(0, 1, 1) (0, 1, 0) (1, 0, 1)\n"),
    "locals_are_true": ("""
        import sys
        def look(): return dict(sys._getframe(1).f_locals)
        def f(n):
            a = 0; b = 0.5
            for i in range(n):
                a += i
                b = b * 1.5
                if i == n - 1:
                    seen = look()
            return a, b, seen['a'], seen['b'], seen['i']
        for k in range(300): f(5)
        print(f(5))
        def g(n):
            try:
                for i in range(n):
                    x = 10 // (n - i - 1)
            except ZeroDivisionError:
                return i, x
        for k in range(300): g(4)
        print(g(4))
        """, "(10, 3.796875, 10, 3.796875, 4)\n(3, 10)\n"),
    "recursion": ("""
        import sys
        def fib(n):
            if n < 2: return n
            return fib(n - 1) + fib(n - 2)
        print(fib(20))
        def down(n): return down(n + 1)
        for k in range(3):
            try: down(0)
            except RecursionError as e: print(e)
        sys.setrecursionlimit(100000)
        def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
        print(depth(90000))
        """, "6765\nmaximum recursion depth exceeded\nmaximum recursion depth exceeded\n"
             "maximum recursion depth exceeded\n90000\n"),
    "nested_loops": ("""
        def table(n):
            total = 0
            for i in range(n):
                for j in range(i):
                    if j & 1: continue
                    if j > 20: break
                    total += i * j
            return total
        print([table(k) for k in (0, 1, 5, 60, 60)])
        def collatz(n):
            steps = 0
            while n != 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                steps += 1
            return steps
        print(max(collatz(k) for k in range(1, 2000)))
        """, "[0, 0, 14, 181830, 181830]\n181\n"),
    "tracing_begins": ("""
        import sys
        lines = []
        def tracer(frame, event, arg):
            if frame.f_code is loop.__code__ and event == 'line':
                lines.append(frame.f_lineno - loop.__code__.co_firstlineno)
            return tracer
        def begin():
            sys.settrace(tracer)
            sys._getframe(1).f_trace = tracer
        def loop(n, at):
            r = 0
            for i in range(n):
                r += i
                if i == at:
                    begin()
            return r
        for k in range(20): loop(200, -1)
        r = loop(200, 197)
        sys.settrace(None)
        print(r, lines)
        """, "19900 [2, 3, 4, 2, 3, 4, 2, 6]\n"),
    "signal": ("""
        import signal, time
        def handler(*a): raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, handler)
        def spin():
            n = 0
            while True:
                n += 1
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try: spin()
        except KeyboardInterrupt: print('out')
        """, "out\n"),
    "threads": ("""
        import threading
        def spin(stop):
            n = 0
            while not stop[0]:
                n += 1
            return n
        stop = [False]
        threads = [threading.Thread(target=spin, args=(stop,)) for i in range(3)]
        for t in threads: t.start()
        stop[0] = True
        for t in threads: t.join()
        print('joined')
        """, "joined\n"),
    "function_goes_away": ("""
        import gc
        def make(k):
            def f(n):
                r = 0
                for i in range(n): r += k
                return r
            return f
        print(sum(make(k)(300) for k in range(100)))
        ns = {}
        for k in range(50):
            exec('def g(n):\\n r = 0\\n for i in range(n): r += %d\\n return r' % k, ns)
            assert ns['g'](2000) == 2000 * k
        del ns
        gc.collect()
        print('gone')
        """, "1485000\ngone\n"),
}


def run(mode, source):
    return finished(textwrap.dedent(source), SPRINGBOARD_JIT=mode)


class Numbers(unittest.TestCase):
    maxDiff = None


def case(source, expected):
    def test(self):
        for mode in "eager", "on", "off":
            with self.subTest(mode=mode):
                result = run(mode, source)
                self.assertEqual((result.stdout, result.stderr, result.returncode),
                                 (expected, "", 0))
    return test


for name, (source, expected) in CASES.items():
    setattr(Numbers, "test_" + name, case(source, expected))


class Compiled(unittest.TestCase):
    """What is tested above is machine code: a loop of ints has no step in its graph."""

    def test_a_loop_of_ints_has_no_steps(self):
        source = """
            def loop(n, r):
                i = 0
                while i < n:
                    r += i & 7
                    i += 1
                return r
            for k in range(20): loop(1000, 0)
            """
        env = dict(os.environ, SPRINGBOARD_JIT="eager", SPRINGBOARD_JIT_DUMP="loop")
        result = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], env=env,
                                text=True, capture_output=True, timeout=60)
        self.assertIn("machine code:", result.stderr)
        self.assertIn(" ADD ", result.stderr)
        self.assertNotIn("STEP", result.stderr)

    def test_a_loop_behind_loops_has_no_steps(self):
        source = """
            def loops(rows):
                r = 0
                for row in rows:
                    for x in row:
                        r += x
                rows = [row for row in rows if len(row) > 1]
                for row in rows:
                    i = 0
                    while i < len(row):
                        r += row[i] * 2 - i
                        i += 1
                return r
            rows = [list(range(120)) for _ in range(100)]
            for _ in range(300): loops(rows)
            """
        env = dict(os.environ, SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="loops")
        result = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], env=env,
                                text=True, capture_output=True, timeout=60)
        last = result.stderr.split("---- loops ")[-1]
        self.assertIn(" MUL", last)
        self.assertNotIn("STEP", last)

    def test_more_values_than_registers(self):
        """On the way into the inner loop all registers are taken, and constants and slots have to
        get into other slots."""
        source = """
            def product(n):
                a = [[float(i * j % 7) for j in range(n)] for i in range(n)]
                b = [[float((i + j) % 5) for j in range(n)] for i in range(n)]
                c = [[0.0] * n for _ in range(n)]
                for i in range(n):
                    for j in range(n):
                        s = 0.0
                        for k in range(n):
                            s += a[i][k] * b[k][j]
                        c[i][j] = s
                return sum(map(sum, c))
            print({product(20) for _ in range(20)})
            """
        env = dict(os.environ, SPRINGBOARD_JIT="eager", SPRINGBOARD_JIT_DUMP="product")
        result = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], env=env,
                                text=True, capture_output=True, timeout=60)
        self.assertEqual(result.stdout, "{40360.0}\n")
        self.assertIn("machine code:", result.stderr)
        self.assertNotIn(": failed", result.stderr)

    def test_who_closes_a_loop_with_an_int_that_only_memory_had(self):
        """An int that the loop does not write gets into a register again on the way back, and who
        leaves there must know of it; else the compiler gives the function up."""
        program = textwrap.dedent("""
            import sys
            class P:
                def __init__(self, x, y): self.x = x; self.y = y
                def __eq__(self, o): return self.x == o.x
                def __add__(self, o): return P(self.x + o.x, o.y)
            def f(n):
                a, b, c, d = -7, 0, -7, 0
                x, y, z = n * 0.5, -0.25, 1.5
                p = P(1, 2.5)
                q = P(2, 0.5)
                for i in range(n):
                    a = (a + i) % 0x3fffffffffff
                    d -= (((a * a) << ((c % (d or 1)) & 7)) ^ ((b + a) * b)) % 4099
                    q = p + q
                    q.x %= 1009
                    x = y
                    if p == P(b % 9, 0):
                        if b % 11 == 5:
                            continue
                    z, y = y, z
                return a, b, c, d, x, y, z, q.x
            for n in 2500, 40, 1500, 60, 700:
                print(f(n))
            """)
        expected = finished(program, SPRINGBOARD_JIT="off").stdout
        program += "print(sys._jit.figures()['given_up'])\n"
        # Time decides what is seen before it is compiled.
        for mode in 8 * ["on"] + ["eager", "stress:3"]:
            self.assertEqual(finished(program, SPRINGBOARD_JIT=mode).stdout, expected + "0\n", mode)

    def test_idioms_of_ints_need_no_calls(self):
        source = """
            def loop(n, x):
                r = 0
                while n:
                    n, digit = divmod(n, 10)
                    r += (digit == 7) + (r % 8) + r // 4
                    x = (x * 6364136223846793005 + digit) % 18446744073709551616
                    r -= (x >> 60)
                return r
            for k in range(200): loop(12345678912345678, 1 << 63)
            """
        env = dict(os.environ, SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="loop")
        result = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], env=env,
                                text=True, capture_output=True, timeout=60)
        graph = result.stderr.rpartition("---- loop")[2]
        self.assertIn("machine code:", graph)
        loop = graph.rpartition("(back)")[0].rpartition("\nblock ")[2]
        for slow in "STEP", "OPAQUE", "CALL_C":
            self.assertNotIn(slow, loop)

    def test_a_loop_of_complex_numbers_has_no_steps(self):
        source = """
            def loop(z, c, n):
                while abs(z) < 2.0 and n:
                    z = z * z + c ** 2 * 0.5 - 1j / n
                    n -= 1 if abs(z.real) < 2.0 else 2
                return z
            for k in range(100): loop(0.1j, -0.25 + 0j, 50)
            """
        env = dict(os.environ, SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="loop")
        result = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], env=env,
                                text=True, capture_output=True, timeout=60)
        graph = result.stderr.rpartition("---- loop")[2]
        self.assertIn("machine code:", graph)
        loop = graph.rpartition("(back)")[0].rpartition("\nblock ")[2]
        self.assertNotIn("STEP", loop)
        self.assertNotIn("OPAQUE", loop)

    def test_a_loop_of_powers_has_no_steps(self):
        source = """
            def loop(a, r):
                for x in a:
                    r += (x ** 2 + x ** 0.5) % 7.5 // 0.25
                return r
            for k in range(100): loop([0.5, 1.5, 2.5] * 10, 0.0)
            """
        env = dict(os.environ, SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="loop")
        result = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], env=env,
                                text=True, capture_output=True, timeout=60)
        graph = result.stderr.rpartition("---- loop")[2]
        self.assertIn("machine code:", graph)
        self.assertEqual(graph.rpartition("(back)")[0].rpartition("\nblock ")[2].count("STEP"), 0)

    def test_a_constant_takes_a_register_from_a_cell(self):
        # Which guard fails where decides what is alive then.
        program = textwrap.dedent("""
        import itertools
        class C0: pass
        GR = (1, 2, 3)
        def h3(*z): return z[0] + len(z)
        def f(n):
            a = 1; b = 2; x = 0.5; y = 1.5; s = 'abc'; l = [1, 2, 3]; d = {0: 1}; o = C0()
            t = (1, 2.0); fl = True; u = None; c = 0; k = 3; w = 0; z = 0; j = 0
            it = itertools.count()
            left = 0
            def setc(v):
                nonlocal c
            for i in range(n):
                try:
                    l[sum(len([z for z in l if z > -3]) for z in range(3)) % len(l)] = 5
                    l = [h3(*(t[0], 7)) for z in range(1, 4)]
                    for k in GR:
                        u = None if fl else a
                        a = c
                        if (7 >= b): break
                    b |= i
                    t = b, 2.5
                    if o.v:
                        l[b % len(l)] = k
                except Exception as e:
                    left += 1
            return a, b, t, l, k, left
        for i in range(4): print(f(150))
            """)
        for seed in range(2, 26):
            self.assertEqual(finished(program, SPRINGBOARD_JIT=f"stress:{seed}").stdout,
                             4 * "(0, 255, (255, 2.5), [257, 257, 257], 3, 150)\n", seed)


if __name__ == "__main__":
    unittest.main()

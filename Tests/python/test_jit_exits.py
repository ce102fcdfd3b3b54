"""What machine code is not left for: SPRINGBOARD_JIT_DUMP=exits shows where it is."""
import os
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
        "what_was_never_seen_is_no_list": 150}


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

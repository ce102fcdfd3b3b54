"""Code that runs once: each loop of it has machine code while it runs, whatever came before it, and
who runs again is compiled as a whole. sys._jit.figures() says what was compiled."""
import textwrap
import unittest

from jit_cases import add_cases, run

CASES = {
    "many_loops_of_a_module": """
        total = 0
        for i in range(3000): total += i & 3
        k = 3000
        while k: k -= 1; total ^= k
        xs = [x * x for x in range(3000)]
        for a in range(60):
            for b in range(60):
                if a * b == 100: total += a
        for x in xs:
            try:
                total += 1000 // (x % 7)
            except ZeroDivisionError:
                continue
        names = {}
        for x in xs:
            names[x % 11] = names.get(x % 11, 0) + 1
        else:
            total += 1
        print(total, k, sorted(names.items()))
    """,
    "loops_within_a_loop": """
        out = []
        for round in range(4):
            t = 0
            for i in range(1500): t += i
            for i in range(1500): t ^= i
            j = 0
            while True:
                j += 1
                if j > 1500: break
                t += j & round
            out.append(t)
        print(out)
    """,
    "a_function_that_runs_again": """
        def main(n, start):
            t = start
            for i in range(n): t += i
            for i in range(n): t = t * 3 % 1000003
            s = []
            while len(s) < n: s.append(t)
            for x in s: t += x
            return t
        print(main(3000, 0), main(3000, 0.5), main(10, 1), [main(1200, i) for i in range(5)])
        print(sum(main(3, i) for i in range(500)))
    """,
    "it_calls_itself": """
        def f(n, depth):
            t = 0
            for i in range(n): t += i
            if depth: t += f(n, depth - 1)
            for i in range(n): t += i & 1
            return t
        print(f(2500, 3))
    """,
    "what_a_loop_leaves_behind": """
        def main():
            seen = []
            class Noisy:
                def __init__(self, n): self.n = n
                def __del__(self): seen.append(self.n)
            for i in range(2500): last = Noisy(i)
            for i in range(2500): pass
            print(len(seen), last.n, i)
            del last
            for i in range(2500):
                other = [Noisy(i)]
            print(len(seen))
        main()
    """,
    "an_exception_behind_the_loop": """
        def main():
            t = 0
            try:
                for i in range(3000): t += i
                for i in range(3000):
                    t += 1
                    if i == 2990: raise KeyError(i)
            except KeyError as e:
                t += e.args[0]
            for i in range(3000): t += 1
            try:
                for i in range(3000): t += [1, 2][i // 2999 * 2]
            except IndexError:
                t += 5
            return t
        print(main())
    """,
    "the_same_text_again": """
        text = compile('''
        t = 0
        for i in range(2000): t += i
        for i in range(2000): t -= i & 5
        print(t)
        '''.replace(' ' * 8, ''), 'text', 'exec')
        for _ in range(4): exec(text, {})
        names = {'t': 1.5}
        for _ in range(230): exec(compile('t += 1', 'x', 'exec'), names)
        print(names['t'])
    """,
}


class Values(unittest.TestCase):
    """The same in all modes as interpreted."""


add_cases(Values, {name: (program, run(textwrap.dedent(program), SPRINGBOARD_JIT="off"))
                   for name, program in CASES.items()}, "")

FIGURES = """
import sys
def seen(): return sys._jit.figures()["compiled"]
"""


@unittest.skipUnless(run("import sys; print(sys._jit.is_available())") == "True\n",
                     "this build has no compiler")
class Compiled(unittest.TestCase):
    def test_each_loop_of_a_module_whatever_came_before(self):
        loops = 20
        program = FIGURES + "t = 0\nn = seen()\n" + "".join(
            f"for i in range(20000): t += i & {k}\nn{k} = seen()\n" for k in range(loops))
        program += "print([%s])" % ", ".join(f"n{k} - n" for k in range(loops))
        # A machine that is busy may put one off; but not the last ones because of the first.
        counts = eval(run(program, SPRINGBOARD_JIT="on"))
        self.assertGreaterEqual(counts[-1], loops - 3, counts)

    def test_a_loop_that_gains_nothing_does_not_concern_the_next(self):
        program = FIGURES + textwrap.dedent("""
            for i in range(5000): from os import path, sep, name
            before = seen()
            t = 0
            for i in range(2000000): t += i & 3
            print(before, seen() > before)
            """)
        self.assertEqual(run(program, SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_ONLY="<module>"),
                         "0 True\n")

    def test_the_code_of_loops_that_have_ended_is_not_compiled_again(self):
        def bytes_of(loops):
            program = "import sys\nt = 0\n" + "for i in range(30000): t += i & 3\n" * loops
            program += "print(sys._jit.figures()['code_bytes'])"
            return int(run(program, SPRINGBOARD_JIT="on"))
        # Compiled again, they would have six times as much.
        self.assertLessEqual(bytes_of(12), 12 * bytes_of(1))


if __name__ == "__main__":
    unittest.main()

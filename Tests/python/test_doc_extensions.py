"""The extensions of Doc/tracing.rst compile without a warning and do what the page says; those
that CPython 3.11 can load tell the same there."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

from test_abi_extensions import INCLUDE, compile_extension, setUpModule      # noqa: F401

SLOW = "compiles extension modules"
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Doc", "examples")
PEER = "/usr/bin/python3.11"
PEER_INCLUDE = "/usr/include/python3.11"

LINES = """
    import linecount
    def work():
        for i in range(3):
            if i == 1:
                continue
            (lambda: i)()
        return [j
                for j in range(2)]
    def fails():
        1 / 0
    counts = linecount.count(work)
    print(sorted((line - work.__code__.co_firstlineno, n) for (file, line), n in counts.items()))
    try:
        linecount.count(fails)
    except ZeroDivisionError as e:
        print(e)
"""

CALLS = """
    import callgraph
    def numbers():
        yield 1
        yield 2
    class Thing:
        def method(self): return len("abc")
    def work():
        for i in range(4):
            Thing().method()
        sum(numbers())
        try:
            int("x")
        except ValueError:
            [].append(1)
    found = callgraph.profile(work)
    for (caller, callee), (times, seconds) in sorted(found.items()):
        print(caller, callee, times, 0 < seconds < 5)
    def deep(n):
        return n and deep(n - 1)
    print(callgraph.profile(lambda: deep(50))["deep", "deep"][0])
"""

LEAKS = """
    import leaks
    class Node:
        pass
    kept = []
    def work():
        for i in range(10):
            n = Node()
            n.me = n
            if i < 3:
                kept.append([n, i + 0.5])
    import gc
    gc.disable()
    found = leaks.left(work)
    print(found["Node"], found["list"], found["float"])
    def tidy():
        for i in range(1000):
            [str(i), {}, (i,), Node()]
    leaks.left(tidy)
    print({name: n for name, n in leaks.left(tidy).items() if name in ("Node", "dict", "str")})
"""


class Examples(unittest.TestCase):
    def run_with(self, python, include, compiler, name, program, mode="off"):
        with tempfile.TemporaryDirectory() as folder:
            compile_extension(self, compiler, "gnu11", os.path.join(EXAMPLES, f"{name}.c"),
                              os.path.join(folder, f"{name}.so"), include=include)
            done = subprocess.run([python, "-c", textwrap.dedent(program)], text=True, timeout=120,
                                  env=os.environ | {"PYTHONPATH": folder, "SPRINGBOARD_JIT": mode},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.stdout

    def check(self, name, program, expected):
        for compiler, mode in ("clang-19", "off"), ("gcc", "eager"):
            with self.subTest(compiler=compiler, mode=mode):
                told = self.run_with(sys.executable, INCLUDE, compiler, name, program, mode)
                self.assertEqual(told, expected)

    def check_peer(self, name, program, expected):
        if not os.path.exists(os.path.join(PEER_INCLUDE, "Python.h")):
            self.skipTest("python3.11-dev is missing")
        self.assertEqual(self.run_with(PEER, [PEER_INCLUDE], "gcc", name, program), expected)

    def test_line_counter(self):
        expected = ("[(1, 4), (2, 3), (3, 1), (4, 4), (5, 7), (6, 3)]\n"
                    "division by zero\n")
        self.check("linecount", LINES, expected)
        self.check_peer("linecount", LINES, expected)

    def test_call_graph(self):
        expected = self.run_with(sys.executable, INCLUDE, "gcc", "callgraph", CALLS)
        self.assertIn("work Thing.method 4 True\n", expected)
        self.assertIn("numbers", expected)
        self.assertEqual(expected.splitlines()[-1], "50")
        self.check("callgraph", CALLS, expected)
        self.check_peer("callgraph", CALLS, expected)

    def test_leak_finder(self):
        self.check("leaks", LEAKS, "10 3 3\n{}\n")


if __name__ == "__main__":
    unittest.main()

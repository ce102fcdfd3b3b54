"""Trace and profile functions in C hear the same, and may do the same at each event, whether they are
compiled with our headers or CPython's, here and there."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

from test_abi_extensions import INCLUDE, SOURCES, compile_extension, setUpModule    # noqa: F401

SLOW = "compiles extension modules"
PEER = "/usr/bin/python3.11"
PEER_INCLUDE = "/usr/include/python3.11"
# The first event at which something is done, and how many are left out in between.
FIRST, STEP = 0, 11

PROGRAM = r"""
    import events, sys, zlib
    text = '''
    import contextlib
    class K:
        def __init__(self, v): self.v = v
        def __add__(self, o):
            return K(self.v + o.v)
        def __enter__(self): return self
        def __exit__(self, *a): return False
        def __del__(self): pass
    def gen(n):
        try:
            for i in range(n):
                x = yield i
        finally:
            len("ab")
    async def co(x): return x
    async def ag():
        yield 1
        yield await co(2)
    async def am():
        async for i in ag():
            len("x")
        return [j async for j in ag()]
    def deep(n):
        if n: return deep(n - 1)
        raise ValueError(n)
    def f():
        k = K(1) + K(2)
        with k as z, contextlib.suppress(KeyError):
            y = [i for i in gen(2)]
            int("x") if 0 else str(1)
        try:
            deep(2)
        except ValueError as e:
            s = sorted([3, 1], key=lambda q: -q)
        else: s = 0
        finally: t = 1
        try:
            int("z")
        except ValueError: pass
        g = gen(3); next(g); g.close()
        g = gen(3); next(g); g.send(2)
        try: g.throw(KeyError)
        except KeyError: pass
        match s:
            case [a, b] if a: r = (lambda *p: len(p))(*s)
            case _: r = 2
        try:
            am().send(None)
        except StopIteration as e: v = e.value
        for i in map(abs, (1, -1)): u = i
        while t: t -= 1
        class C(K):
            w = 1
        del k
        exec("u = len('q')")
        return r, v, u
    '''
    import textwrap
    names = {}
    exec(compile(textwrap.dedent(text), "<watched>", "exec"), names)
    f, (warm, first, step) = names["f"], map(int, sys.argv[1:])
    sys.unraisablehook = lambda u: None
    import warnings; warnings.simplefilter("ignore")
    for i in range(warm):
        f()
    for ways in 1, 2, 3:
        base = events.run(f, ways, -1, 0)
        print(*base, sep="\n")
        for action in range(9):
            for at in range(first, len(base) - 1, step):
                told = events.run(f, ways, at, action)
                print(ways, action, base[at], len(told), zlib.crc32(repr(told).encode()))
"""


class Observers(unittest.TestCase):
    def told(self, python, include, compiler="gcc", standard="c11", mode="off", warm=0):
        with tempfile.TemporaryDirectory() as folder:
            compile_extension(self, compiler, standard, os.path.join(SOURCES, "events.c"),
                              os.path.join(folder, "events.so"), include=include)
            done = subprocess.run(
                [python, "-c", textwrap.dedent(PROGRAM), str(warm), str(FIRST), str(STEP)],
                env=os.environ | {"PYTHONPATH": folder, "SPRINGBOARD_JIT": mode}, text=True,
                timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:])
            return done.stdout.splitlines()

    def test_hear_the_same(self):
        if not os.path.exists(os.path.join(PEER_INCLUDE, "Python.h")):
            self.skipTest("python3.11-dev is missing")
        expected = self.told(PEER, [PEER_INCLUDE])
        self.assertGreater(len(expected), 600)
        for what in [(PEER, INCLUDE), (sys.executable, [PEER_INCLUDE]), (sys.executable, INCLUDE),
                     (sys.executable, INCLUDE, "clang++-19", "c++17"),
                     (sys.executable, INCLUDE, "gcc", "c11", "eager", 20),
                     (sys.executable, [PEER_INCLUDE], "gcc", "c11", "stress:5", 20)]:
            with self.subTest(what):
                self.assertEqual(self.told(*what), expected)


if __name__ == "__main__":
    unittest.main()

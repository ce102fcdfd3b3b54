"""What recurses in C ends with an error when the C stack is used up, whatever the
recursion limit and however small the stack: the process goes on."""
import os
import resource
import subprocess
import sys
import textwrap
import unittest

DEPTH = 20000
PRELUDE = f"""
import sys, threading
N = {DEPTH}
def nest(make, inner, n=N):
    for i in range(n):
        inner = make(inner)
    return inner
"""
LOOP = """
sys.setrecursionlimit(10**9)
def run():
    for source in SOURCES:
        try:
            exec(source, globals().copy())
        except Exception as e:
            print(type(e).__name__)
        else:
            print("fine")
"""
SMALL = """
import os
threading.stack_size(max(64 * 1024, os.sysconf("SC_THREAD_STACK_MIN")))
t = threading.Thread(target=run)
t.start()
t.join()
"""

# What each may end with.
TOO_DEEP = {"RecursionError"}
EITHER = {"RecursionError", "fine"}

CASES = {
    "a compiled extension that counts by itself": (TOO_DEEP, """
        import json; json.loads('[' * N * 5)
        import json; json.dumps(nest(lambda x: [x], [], N * 5))
        import json; json.dumps(nest(lambda x: {1: x}, {}, N * 5))"""),
    "iterators of iterators": (EITHER | {"Error"}, """
        next(nest(lambda x: map(int, x), iter([1])))
        next(nest(lambda x: filter(None, x), iter([1])))
        next(nest(zip, iter([1])))
        next(nest(enumerate, iter([1])))
        import itertools as i; next(nest(i.chain, iter([1])))
        import itertools as i; next(nest(i.accumulate, iter([1])))
        import itertools as i; next(nest(i.cycle, iter([1])))
        import itertools as i; next(nest(i.zip_longest, iter([1])))
        import itertools as i; next(nest(lambda x: i.islice(x, 9), iter([1])))
        import itertools as i; next(nest(i.groupby, iter([1])))
        import csv; next(nest(csv.reader, iter(['a'])))"""),
    "calls through wrappers": (EITHER, """
        import functools as f; nest(lambda g: f.partial(f.partial, g), int)()()
        nest(staticmethod, int)()"""),
    "hashes and comparisons of nested values": (EITHER, """
        hash(nest(lambda x: (x,), ()))
        hash(nest(lambda x: list[x], int))
        nest(lambda x: [x], []) == nest(lambda x: [x], [])
        nest(lambda x: {1: x}, {}) == nest(lambda x: {1: x}, {})
        repr(nest(lambda x: (x,), ()))
        import collections; repr(nest(lambda x: collections.deque([x]), 1))"""),
    "deallocation": ({"fine"}, """
        nest(lambda x: [x], None)
        nest(lambda x: {1: x}, None)
        nest(slice, None)
        nest(property, None)
        nest(staticmethod, None)
        nest(enumerate, iter([]))
        nest(lambda x: map(None, x), iter([]))
        import types; nest(types.CellType, None)
        import types; nest(lambda f: types.MethodType(f, 1), print)
        import collections; nest(lambda x: collections.defaultdict(None, a=x), None)
        import itertools; nest(itertools.chain, iter([]))
        nest(lambda x: (lambda: x), None)
        nest(lambda x: type('A', (list,), {})([x]), None, 2000)"""),
    "the compiler": ({"RecursionError", "MemoryError", "SyntaxError", "fine"}, """
        compile('(' * N + ')' * N, '', 'eval')
        compile('-' * N + '1', '', 'eval')
        compile('-' * 900 + '1', '', 'eval')
        compile('1+' * N + '1', '', 'eval')
        compile('x' + '.a' * N, '', 'eval')
        compile('x' + '.a' * 900, '', 'eval')
        compile('lambda:' * 500 + '1', '', 'eval')
        compile('1 if x else ' * N + '1', '', 'eval')
        compile('x=' * N + '1', '', 'exec')
        compile('from __future__ import annotations\\nx: a' + '.b' * 900, '', 'exec')
        import ast; ast.parse('-' * 900 + '1')
        import ast; ast.literal_eval('[' * 150 + ']' * 150)"""),
    "marshal": ({"ValueError", "EOFError", "fine"}, """
        import marshal; marshal.dumps(nest(lambda x: [x], []))
        import marshal; marshal.dumps(nest(lambda x: [x], [], 1500))
        import marshal; marshal.loads(b'(\\x01\\x00\\x00\\x00' * 1500)"""),
}


class CStack(unittest.TestCase):
    def check(self, small):
        for name, (allowed, text) in CASES.items():
            sources = textwrap.dedent(text).strip().splitlines()
            script = f"{PRELUDE}SOURCES = {sources!r}\n{LOOP}" + (SMALL if small else "run()\n")
            with self.subTest(name):
                done = subprocess.run([sys.executable, "-I", "-c", script],
                                      capture_output=True, text=True, timeout=120)
                self.assertEqual(done.returncode, 0, (done.stdout, done.stderr[-600:]))
                outcomes = done.stdout.split()
                self.assertEqual(len(outcomes), len(sources), done.stderr[-600:])
                for source, outcome in zip(sources, outcomes):
                    self.assertIn(outcome, allowed, source)

    def test_on_the_main_stack(self):
        self.check(small=False)

    def test_on_a_stack_of_64_kib(self):
        self.check(small=True)

    def test_sorted_counts_towards_the_limit_as_sort_does(self):
        depths = []

        def deeper(x):
            depths[-1] += 1
            return sorted([x], key=deeper)

        before = sys.getrecursionlimit()
        try:
            for limit in 400, 1200:
                sys.setrecursionlimit(limit)
                depths.append(0)
                self.assertRaises(RecursionError, deeper, 1)
        finally:
            sys.setrecursionlimit(before)
        # Half of it is the function's own.
        self.assertAlmostEqual(depths[1] - depths[0], 400, delta=5)

    def test_the_limit_counts_the_same_after_deep_recursion(self):
        """The part of the limit that is kept back comes into play as before."""
        script = textwrap.dedent("""
            import sys, json
            def down(n):
                return n and down(n - 1)
            def depth():
                try:
                    return depth() + 1
                except RecursionError:
                    return 0
            for limit in 300, 1000, 30000:
                sys.setrecursionlimit(limit)
                down(limit - 50)
                first = depth()
                down(limit - 50)
                assert depth() == first, (limit, first, depth())
                assert limit - 20 < first < limit, (limit, first)
            sys.setrecursionlimit(10**6)
            down(200000)
            try:
                json.loads('[' * 200000)
            except RecursionError:
                print("refused")
            """)
        for mode in "off", "eager":
            done = subprocess.run([sys.executable, "-I", "-c", script], timeout=120,
                                  env=os.environ | {"SPRINGBOARD_JIT": mode},
                                  capture_output=True, text=True)
            self.assertEqual((mode, done.returncode, done.stdout), (mode, 0, "refused\n"),
                             done.stderr[-600:])

    def test_instructions_take_no_stack(self):
        # Where a handler calls the next one instead of jumping to it, a loop uses the stack up.
        script = textwrap.dedent("""
            import asyncio, sys
            class Thing:
                def __init__(self): sys._getframe()
                def method(self): return 1
                def __exit__(self, *rest): return True
                def __enter__(self): return self
            class Other(Thing): pass
            class Awaitable:
                def __await__(self): return iter(())
            def generator():
                return (yield 1)
            def delegate(source): return (yield from source)
            async def wait(thing): await thing
            N = 20000
            def floats():
                x = 1.5
                for i in range(N):
                    x = x * 2 - 1
                    if x > 3: x = 1.5
                    if not x < 1e9: x = 0.5
            def strings():
                for i in range(N):
                    if "a" < 'b' and "ab" >= 'a': "x" * 2
            def methods():
                things = [Thing(), Other(), [], {}, 1, ""]
                for i in range(N): things[i % 2].method(); things[2 + i % 4].__class__
            def more_methods():
                for i in range(N): (Thing() if i % 2 else Other()).method()
            def groups():
                for i in range(N // 10):
                    try: raise ExceptionGroup("g", [ValueError(i)])
                    except* ValueError: pass
            def withs():
                thing = Thing()
                for i in range(N):
                    with thing: raise KeyError
            def delegates():
                for i in range(N):
                    list(delegate(generator())); list(delegate([1])); list(delegate(map(abs, [1])))
            def slices():
                items = [1, 2, 3]
                for i in range(N): items[1:2] = (i,); bytearray(b"abc")[1:2] = b"x"
            def constants():
                for i in range(300): exec("x = 5; y = 70000; z = 'text'; t = x, None")
            def waits():
                async def loop():
                    for i in range(N): await Awaitable()
                asyncio.run(loop())
            for part in (floats, strings, methods, more_methods, groups, withs, delegates, slices,
                         constants, waits):
                part()
            print("all")
            """)
        done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True,
                              timeout=120, preexec_fn=lambda: resource.setrlimit(
                                  resource.RLIMIT_STACK, (512 << 10, resource.RLIM_INFINITY)))
        self.assertEqual((done.returncode, done.stdout), (0, "all\n"), done.stderr[-600:])

    def test_methods_of_operators_take_no_stack(self):
        script = textwrap.dedent("""
            import sys
            class Deep:
                def __init__(self, left): self.left = left
                def less(self): return Deep(self.left - 1) if self.left else None
                def __add__(self, other): n = self.less(); return n + 1 if n else 0
                def __iadd__(self, other):
                    n = self.less()
                    if n: n += 1
                    return self
                def __lt__(self, other): n = self.less(); return n is not None and n < 1
                def __eq__(self, other):
                    n = self.less()
                    if n and n == 1: pass
                    return 1
                def __neg__(self): n = self.less(); return n and -n
                def __bool__(self): n = self.less(); return not n if n is not None else True
                def __contains__(self, item): n = self.less(); return n is None or 1 in n
                def __getitem__(self, item): n = self.less(); return n and n[0]
                def __setitem__(self, key, value):
                    n = self.less()
                    if n is not None: n[0] = 1
                def __call__(self, *rest): n = self.less(); return n is not None and n(1)
                def __iter__(self): return self
                def __next__(self):
                    n = self.less()
                    if n is not None:
                        for item in n: pass
                    raise StopIteration
                def __setattr__(self, name, value):
                    self.__dict__[name] = value
                    n = name == 'deep' and self.less()
                    if n: n.deep = 1
            def loop(d):
                for item in d: pass
            def store(d): d[0] = 1
            def setattr(d): d.deep = 1
            def iadd(d): d += 1
            sys.setrecursionlimit(500000)
            truth = Deep.__bool__
            del Deep.__bool__
            for use in (lambda d: d + 1, iadd, lambda d: d < 1, lambda d: d == 1, lambda d: -d,
                        lambda d: 1 in d, lambda d: d[0], store, lambda d: d(), loop, setattr):
                use(Deep(50000))
            Deep.__bool__ = truth
            not Deep(50000)
            print("all")
            """)
        done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True,
                              timeout=120, preexec_fn=lambda: resource.setrlimit(
                                  resource.RLIMIT_STACK, (1 << 20, resource.RLIM_INFINITY)))
        self.assertEqual((done.returncode, done.stdout), (0, "all\n"), done.stderr[-600:])


if __name__ == "__main__":
    unittest.main()

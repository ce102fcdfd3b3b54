"""What a collection runs in the middle of a call leaves the call's arguments alone.

Arguments are laid out where the next frame of the thread would begin (the rule of the floor in
Python/vm/vm.h). Here every allocation may collect, and finalizers and callbacks of weak
references call deep enough to write over what is not covered.
"""
import gc
import os
import subprocess
import sys
import textwrap
import threading
import unittest
import weakref


def deep(n, *args, **kwargs):
    if n:
        return deep(n - 1, *args, n, key=n, **{"x%d" % n: n})
    return [list(args), sorted(kwargs), [i for i in args]]


def as_deep_as_may_be(*args):
    try:
        deep(5, *args)
    except RecursionError:
        pass


class Restless:
    """Garbage in a cycle: its end calls, raises and catches."""

    def __init__(self):
        self.me = self
        self.reference = weakref.ref(self, lambda reference: as_deep_as_may_be("c", "d", "e"))

    def __del__(self):
        as_deep_as_may_be("f", "g", "h")
        try:
            raise ValueError(1, 2, 3)
        except ValueError:
            as_deep_as_may_be("i")


class Keeps:
    def __init__(self, *args, **kwargs):
        self.args = args
        self.kwargs = kwargs


class Counts(type):
    def __call__(cls, *args, **kwargs):
        return super().__call__(*args, **kwargs)


class MadeByMeta(Keeps, metaclass=Counts):
    pass


class Called:
    def __call__(self, *args, **kwargs):
        return args, kwargs

    def method(self, *args, a=1, b=2, **kwargs):
        return args, a, b, kwargs


def passes_on(*args, **kwargs):
    return args, kwargs


def many(a, b, c, d, e, f=6, *rest, g=7, h=8, **others):
    return (a, b, c, d, e, f, rest, g, h, others)


class CollectionsInCalls(unittest.TestCase):
    def setUp(self):
        self.addCleanup(gc.set_threshold, *gc.get_threshold())

    def at_every_allocation(self, body, rounds=300):
        for threshold in 1, 2, 3, 5, 7:
            gc.set_threshold(threshold, 1, 1)
            for i in range(rounds):
                Restless()
                args = (i, str(i), [i], (i,), i + 0.5)
                body(args, i)

    def test_a_class_called_with_star_args(self):
        def body(args, i):
            made = Keeps(*args)
            self.assertEqual(made.args, args)
            made = Keeps(*args, k=i)
            self.assertEqual((made.args, made.kwargs), (args, {"k": i}))
            made = Keeps(*args, **{"a": i, "b": str(i)})
            self.assertEqual(made.kwargs, {"a": i, "b": str(i)})
        self.at_every_allocation(body)

    def test_a_class_with_a_metaclass(self):
        def body(args, i):
            made = MadeByMeta(*args, k=i)
            self.assertEqual((made.args, made.kwargs), (args, {"k": i}))
        self.at_every_allocation(body)

    def test_functions_methods_and_objects(self):
        called = Called()
        def body(args, i):
            self.assertEqual(passes_on(*args, k=i), (args, {"k": i}))
            self.assertEqual(called(*args, k=i), (args, {"k": i}))
            self.assertEqual(called.method(*args, b=i, z=args),
                             (args, 1, i, {"z": args}))
            bound = called.method
            self.assertEqual(bound(*args, **{"a": i}), (args, i, 2, {}))
            self.assertEqual(many(*args, h=i, x=args), (*args, 6, (), 7, i, {"x": args}))
            self.assertEqual(many(*args, *args), (*args, args[0], args[1:], 7, 8, {}))
        self.at_every_allocation(body)

    def test_calls_from_generators(self):
        def generator(args, i):
            yield Keeps(*args, k=i).args
            yield Keeps(i, args, k=i).args
            yield many(i, 2, 3, 4, h=args, e=5)
            yield Called().method(i, args, a=args)
        def body(args, i):
            self.assertEqual(list(generator(args, i)), [
                args, (i, args), (i, 2, 3, 4, 5, 6, (), 7, args, {}), ((i, args), args, 2, {})])
        self.at_every_allocation(body)

    def test_calls_by_c(self):
        def body(args, i):
            self.assertEqual([made.args for made in map(Keeps, args, args)],
                             [(a, a) for a in args])
            self.assertEqual(sorted([3, 1, 2], key=lambda value, *, other=i: -value), [3, 2, 1])
        self.at_every_allocation(body)

    def test_a_call_that_the_recursion_limit_refuses(self):
        """RecursionError is made while the arguments of the refused call lie there."""
        def down(n, *args, **kwargs):
            try:
                made = Keeps(*args, k=n)
                self.assertEqual((made.args, made.kwargs), (args, {"k": n}))
                down(n + 1, *args, k=n)
            except RecursionError:
                pass
            return args
        gc.set_threshold(1, 1, 1)
        limit = sys.getrecursionlimit()
        self.addCleanup(sys.setrecursionlimit, limit)
        sys.setrecursionlimit(150)
        for i in range(20):
            Restless()
            args = (i, str(i), [i])
            self.assertEqual(down(0, *args), args)

    def test_the_end_of_a_bound_method_with_a_watcher(self):
        """The call drops the last reference to the method; its callback calls deep."""
        ended = []
        def callback(reference):
            ended.append(deep(5, "a", "b", "c"))
        called = Called()
        def watched(i):
            method = called.method
            reference = weakref.ref(method, callback)
            methods = [method]
            del method
            return methods.pop()(i, (i,), a=i), reference
        for i in range(300):
            self.assertEqual(watched(i)[0], ((i, (i,)), i, 2, {}))
        def plain(self, a, b):
            return a, b
        Called.plain = plain
        def watched_plain(i):
            methods = [called.plain]
            reference = weakref.ref(methods[0], callback)
            return methods.pop()(i, (i,)), reference
        for i in range(300):
            self.assertEqual(watched_plain(i)[0], (i, (i,)))
        self.assertEqual(len(ended), 600)


class ThreadsOneAfterAnother(unittest.TestCase):
    """A thread may get the stack of one that has ended."""
    def test_each_finds_a_stack_without_values(self):
        results = []

        def depth(n):
            return depth(n - 1) + 1 if n else 0

        def many():
            results.append(len(deep(3, *map(str, range(200)), **{"k%d" % i: i for i in range(99)})))

        def leave():
            generator = (weakref.ref(x) for x in [set()])
            next(generator)
            raise SystemExit

        def recurse():
            results.append(depth(20000))
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(30000)
        try:
            for i in range(60):
                for work in many, leave, recurse:
                    threads = [threading.Thread(target=work) for _ in range(1 + i % 2)]
                    for thread in threads:
                        thread.start()
                    for thread in threads:
                        thread.join()
            self.assertEqual(set(results), {3, 20000})
        finally:
            sys.setrecursionlimit(limit)

    def test_what_a_deep_recursion_has_used_is_given_back(self):
        # The sanitizer would keep what is freed for a while.
        options = ":".join((os.environ.get("ASAN_OPTIONS", ""), "quarantine_size_mb=0",
                            "thread_local_quarantine_size_kb=0")).lstrip(":")
        done = subprocess.run([sys.executable, "-I", "-X", "jit=0", "-c", textwrap.dedent("""
            import resource, sys, threading, time
            def resident():
                with open("/proc/self/statm") as f:
                    return int(f.read().split()[1]) * resource.getpagesize() >> 20
            def depth(n):
                return depth(n - 1) + 1 if n else resident()
            def recurse():
                deepest.append(depth(200000))
            sys.setrecursionlimit(300000)
            deepest, before = [], resident()
            thread = threading.Thread(target=recurse)
            thread.start()
            thread.join()
            attempts = 0        # the thread state is deleted after that
            while resident() - before >= 6 and attempts < 500:
                time.sleep(0.01)
                attempts += 1
            print(deepest[0] - 200000 - before > 8, resident() - before < 6)
            """)], env={**os.environ, "ASAN_OPTIONS": options}, capture_output=True, text=True,
            timeout=60)
        self.assertEqual((done.stdout, done.stderr), ("True True\n", ""))


if __name__ == "__main__":
    unittest.main()

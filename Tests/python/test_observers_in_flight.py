"""Trace and profile functions that are replaced, removed, and raise in the middle of what they
watch, in several threads at once. Sanitizers run it, too."""
import ctypes
import random
import sys
import threading
import time
import unittest

api = ctypes.pythonapi
FUNCTION = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.py_object, ctypes.c_int,
                             ctypes.c_void_p)
SETTERS = api.PyEval_SetTraceAllThreads, api.PyEval_SetProfileAllThreads
for setter in SETTERS:
    setter.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    setter.restype = None


class Refused(RuntimeError):
    pass


class Point:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Point(self.x + other.x)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


def numbers(n):
    try:
        for i in range(n):
            yield i
    finally:
        n = 0


def chained(n):
    return (yield from numbers(n))


def work(n):
    """Loops, calls that are built in, generators, exceptions, calls in C."""
    total, point = 0, Point(0)
    for i in chained(n):
        point = point + Point(i)
        total += i * i
        try:
            if i % 5 == 4:
                raise KeyError(i)
        except KeyError as e:
            total -= e.args[0]
        with point as p:
            total += len([j for j in (1, 2, p.x) if j])
    return total, point.x, sorted(range(5), key=lambda x: -x)


EXPECTED = work(20)
WATCHED = [f.__code__ for f in (work, chained, numbers, Point.__add__, Point.__init__,
                                Point.__enter__, Point.__exit__)]
SECONDS = 1.5


class Observer:
    """Does something at every few events: becomes another, goes, raises, drops what it knows."""

    def __init__(self, rng, kind):
        self.rng = rng
        self.setter = sys.settrace if kind == "trace" else sys.setprofile
        self.kind = kind

    def __call__(self, frame, event, arg):
        what = self.rng.random()
        if what < 0.005:
            if frame.f_code in WATCHED:
                raise Refused(event)
        if what < 0.01:
            self.setter(None)
        elif what < 0.02:
            self.setter(Observer(self.rng, self.kind))
        elif what < 0.03:
            frame.f_trace = None if what < 0.025 else self
        elif what < 0.035:
            frame.f_trace_opcodes = not frame.f_trace_opcodes
        elif what < 0.04:
            frame.f_trace_lines = not frame.f_trace_lines
        elif what < 0.05:
            frame.f_locals
        elif what < 0.06:
            other = sys.setprofile if self.kind == "trace" else sys.settrace
            other(Observer(self.rng, "profile" if self.kind == "trace" else "trace"))
        elif what < 0.065:
            return None
        return self

    def __del__(self):
        # Whoever replaces it hears of this as an event, if at all.
        if self.rng.random() < 0.1:
            work(2)


class InFlight(unittest.TestCase):
    def setUp(self):
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        sys.setswitchinterval(1e-5)
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = lambda unraisable: None        # of destructors

    def tearDown(self):
        for setter in SETTERS:
            setter(None, None)
        sys.settrace(None)
        sys.setprofile(None)

    def storm(self, seed, until):
        """Not observed itself: what raises here has been called."""
        rng, counts = random.Random(seed), [0, 0]
        while True:
            try:
                self.blow(rng, until, counts)
                break
            except RuntimeError:        # Refused, or one thread's old observer is going
                counts[1] += 1
        self.counts.append(counts)

    def blow(self, rng, until, counts):
        while time.monotonic() < until:
            setter, kind = rng.choice([(sys.settrace, "trace"), (sys.setprofile, "profile")])
            setter(Observer(rng, kind))
            result = work(20)
            counts[0] += 1
            if result != EXPECTED:
                self.wrong.append(result)
            if rng.random() < 0.3:
                sys.settrace(None)
                sys.setprofile(None)
                if work(20) != EXPECTED:
                    self.wrong.append("unobserved")
        while sys.gettrace() is not None or sys.getprofile() is not None:
            sys.settrace(None)
            sys.setprofile(None)

    def run_storms(self, n):
        self.wrong, self.counts = [], []
        until = time.monotonic() + SECONDS
        threads = [threading.Thread(target=self.storm, args=(i, until)) for i in range(n)]
        for thread in threads:
            thread.start()
        return threads, until

    def finish(self, threads):
        for thread in threads:
            thread.join(120)
            self.assertFalse(thread.is_alive())
        self.assertEqual(self.wrong, [])
        self.assertEqual(len(self.counts), len(threads))
        self.assertIsNone(sys.gettrace())
        self.assertIsNone(sys.getprofile())
        self.assertEqual(work(20), EXPECTED)

    def test_python_functions(self):
        threads, _ = self.run_storms(4)
        self.finish(threads)
        self.assertGreater(sum(whole for whole, _ in self.counts), 0)
        self.assertGreater(sum(refused for _, refused in self.counts), 0)

    def test_c_functions_for_all_threads_meanwhile(self):
        seen = [0]

        def count(obj, frame, what, arg):
            seen[0] += 1
            return 0
        functions = [FUNCTION(count) for _ in range(3)]
        objects = [[i] for i in range(3)]
        threads, until = self.run_storms(3)
        rng = random.Random(99)
        while time.monotonic() < until:
            setter, i = rng.choice(SETTERS), rng.randrange(4)
            if i == 3:
                setter(None, None)
            else:
                setter(ctypes.cast(functions[i], ctypes.c_void_p), id(objects[i]))
            work(3)
        for setter in SETTERS:
            setter(None, None)
        self.finish(threads)
        self.assertGreater(seen[0], 0)


if __name__ == "__main__":
    unittest.main()

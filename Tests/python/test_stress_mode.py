"""SPRINGBOARD_STRESS=gc[:N]: collections and Python code wherever they may come, which
programs do not notice otherwise."""
import os
import subprocess
import sys
import textwrap
import unittest

PORTABLE = "when collections come"


def run(text, mode, *options):
    env = {**os.environ, "SPRINGBOARD_STRESS": mode}
    return subprocess.run([sys.executable, *options, "-c", textwrap.dedent(text)], env=env,
                          capture_output=True, text=True, timeout=120)


class Points(unittest.TestCase):
    """Where a collection comes."""

    WATCHED = """
        import weakref
        class C:
            def __init__(self):
                self.me = self
        dead = []
        C()
        dead.clear()
        def nothing():
            pass
        import gc
        gc.collect()        # with many young objects there would be fewer points
        """

    def dies_at(self, statement, mode):
        """Does garbage die at the statement?"""
        text = textwrap.dedent(self.WATCHED) + textwrap.dedent(f"""
            found = 0
            for i in range(10):
                ref = weakref.ref(C(), dead.append)
                {statement}
                found += bool(dead)
                dead.clear()
            print(found)
            """)
        done = run(text, mode)
        self.assertEqual(done.stderr, "")
        return int(done.stdout)

    def test_allocations(self):
        self.assertEqual(self.dies_at("[[]]", "gc"), 10)
        self.assertEqual(self.dies_at("[[]]", "gc:1"), 10)
        self.assertEqual(self.dies_at("[[]]", ""), 0)

    def test_calls(self):
        self.assertEqual(self.dies_at("nothing()", "gc"), 10)
        self.assertEqual(self.dies_at("nothing()", ""), 0)

    def test_every_so_many(self):
        found = self.dies_at("[[]]", "gc:50")
        self.assertLess(found, 8)
        self.assertEqual(self.dies_at("for i in range(60): [[]]", "gc:50"), 10)

    def test_a_disabled_collector_stays_so(self):
        for statement in "gc.disable()", "gc.set_threshold(0)":
            done = run(f"""
                import gc, weakref
                {statement}
                class C:
                    def __init__(self):
                        self.me = self
                dead = []
                ref = weakref.ref(C(), dead.append)
                for i in range(100):
                    [[]]
                print(len(dead))
                gc.collect()
                print(len(dead))
                """, "gc")
            self.assertEqual((done.stdout, done.stderr), ("0\n1\n", ""), statement)

    def test_a_stack_that_is_nearly_used_up(self):
        done = run("""
            import json, sys, threading
            sys.setrecursionlimit(10**9)
            nested = {}
            for i in range(5000):
                nested = {1: nested}
            def dump():
                try:
                    json.dumps(nested)
                except RecursionError:
                    print("RecursionError")
            try: threading.stack_size(64 * 1024)
            except ValueError: threading.stack_size(128 * 1024)     # the least on aarch64
            thread = threading.Thread(target=dump)
            thread.start()
            thread.join()
            """, "gc:97")
        self.assertEqual((done.stdout, done.stderr), ("RecursionError\n", ""))

    def test_bad_values(self):
        for value in "x", "gcc", "gc:", "gc:0", "gc:-1", "gc:1x", "gc: 1", "gc:1000000001":
            done = run("print(1)", value)
            self.assertEqual(done.returncode, 1, value)
            self.assertEqual(done.stdout, "", value)
            self.assertIn("SPRINGBOARD_STRESS must be", done.stderr)
        self.assertEqual(run("print(1)", "").stdout, "1\n")


class Unseen(unittest.TestCase):
    """The program runs as without it."""

    def assertUnseen(self, text, *options):
        expected = run(text, "", *options)
        self.assertEqual(expected.returncode, 0, expected.stderr)
        for mode in "gc:1", "gc:7":
            done = run(text, mode, *options)
            self.assertEqual((done.stdout, done.stderr, done.returncode),
                             (expected.stdout, expected.stderr, 0), mode)

    def test_objects_modules_and_classes(self):
        self.assertUnseen("""
            import gc, sys
            print([o for o in gc.get_objects() if type(o).__module__ == "SPRINGBOARD_STRESS"
                   or getattr(o, "__module__", None) == "SPRINGBOARD_STRESS"])
            print(gc.get_freeze_count(), gc.garbage)
            print(sorted(sys.modules))
            print([c.__name__ for c in object.__subclasses__()])
            print(len(gc.get_referrers(len)), sys.getrefcount(sys))
            """, "-I", "-S")

    def test_counts_and_callbacks(self):
        self.assertUnseen("""
            import gc
            gc.set_threshold(100000)
            phases = []
            gc.callbacks.append(lambda phase, info: phases.append(phase))
            kept = []
            for i in range(2000):
                kept.append([])
                if i % 100 == 0:
                    print(gc.get_count()[1:], gc.get_stats()[0]["collections"])
            print(phases)
            """, "-I", "-S")

    def test_tracers(self):
        self.assertUnseen("""
            import sys
            events = []
            def tracer(frame, event, arg):
                events.append((frame.f_code.co_name, event))
                return tracer
            def f(n):
                return [f(n - 1) for i in range(2)] if n else []
            sys.settrace(tracer)
            sys.setprofile(tracer)
            f(3)
            sys.setprofile(None)
            sys.settrace(None)
            print(events)
            """)

    def test_exceptions(self):
        self.assertUnseen("""
            import sys
            def f():
                try:
                    raise ValueError([1])
                except ValueError as error:
                    try:
                        raise KeyError([2])
                    except KeyError as second:
                        print(second.__context__ is error, sys.exc_info()[1] is second)
                    print(sys.exc_info()[1] is error, error.__context__)
                print(sys.exc_info())
            f()
            """)

    def test_recursion(self):
        self.assertUnseen("""
            import sys
            def f(n, kept):
                global deepest
                deepest = n
                f(n + 1, [kept])
            for limit in 100, 400:
                sys.setrecursionlimit(limit)
                try:
                    f(0, None)
                except RecursionError as error:
                    print(deepest, error)
            """)

    def test_threads_get_their_turn(self):
        self.assertUnseen("""
            import sys, threading
            sys.setswitchinterval(1e-6)
            total = [0] * 4
            def count(i):
                for n in range(200):
                    total[i] += len([n])
            threads = [threading.Thread(target=count, args=(i,)) for i in range(4)]
            for t in threads: t.start()
            for t in threads: t.join()
            print(total)
            """)

    def test_a_patched_builtins(self):
        self.assertUnseen("""
            import builtins
            del builtins.LookupError, builtins.repr
            builtins.MemoryError = None
            print([[i] for i in range(10)])
            """)

    def test_shut_down(self):
        self.assertUnseen("""
            import atexit
            class C:
                def __del__(self):
                    print("dies", [[]])
            kept = C()
            kept.me = kept
            atexit.register(lambda: print("exit", [[]]))
            """)


if __name__ == "__main__":
    unittest.main()

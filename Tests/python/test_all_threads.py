"""PyEval_SetTraceAllThreads and PyEval_SetProfileAllThreads while threads start, run and end."""
import ctypes
import gc
import subprocess
import sys
import textwrap
import threading
import time
import unittest

api = ctypes.pythonapi
FUNCTION = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.py_object, ctypes.c_int,
                             ctypes.c_void_p)
SETTERS = {"trace": api.PyEval_SetTraceAllThreads, "profile": api.PyEval_SetProfileAllThreads}
for setter in SETTERS.values():
    setter.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    setter.restype = None
CALL, LINE = 0, 2


def install(which, function, obj):
    SETTERS[which](ctypes.cast(function, ctypes.c_void_p) if function else None,
                   id(obj) if function else None)


def leaf(x):
    return x + 1


class Worker(threading.Thread):
    """Calls leaf() until it is told to stop."""

    def __init__(self):
        super().__init__()
        self.stop = False
        self.began = threading.Event()

    def run(self):
        x = 0
        while not self.stop:
            x = leaf(x)
            if x == 1000:
                self.began.set()


class AllThreadsTest(unittest.TestCase):
    def setUp(self):
        self.seen = set()

        def note(obj, frame, what, arg):
            if what == CALL and frame.f_code is leaf.__code__:
                self.seen.add(threading.get_ident())
            return 0
        self.note = FUNCTION(note)
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        self.addCleanup(self.clear)

    def clear(self):
        for which in SETTERS:
            install(which, None, None)

    def start(self, n):
        workers = [Worker() for _ in range(n)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.began.wait(30)
        return workers

    def end(self, workers):
        for worker in workers:
            worker.stop = True
        for worker in workers:
            worker.join(30)
            self.assertFalse(worker.is_alive())

    def wait_for(self, condition, message):
        until = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), until, message)
            time.sleep(0.001)

    def test_threads_that_run_machine_code(self):
        for which in SETTERS:
            with self.subTest(which):
                workers = self.start(3)
                self.seen.clear()
                obj = object()
                install(which, self.note, obj)
                wanted = {worker.ident for worker in workers}
                self.wait_for(lambda: wanted <= self.seen, "a thread is missed")
                install(which, None, None)

                def is_quiet():
                    self.seen.clear()
                    time.sleep(0.02)
                    return not self.seen
                self.wait_for(is_quiet, "a thread goes on")
                self.end(workers)

    def test_threads_come_and_go(self):
        sys.setswitchinterval(1e-5)
        workers, done = self.start(2), threading.Event()

        def churn():
            while not done.is_set():
                threads = [threading.Thread(target=leaf, args=(i,)) for i in range(5)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        churning = [threading.Thread(target=churn) for _ in range(2)]
        for thread in churning:
            thread.start()
        obj = object()
        before = sys.getrefcount(obj)
        for i in range(150):
            which = ("trace", "profile")[i % 2]
            self.seen.clear()
            install(which, self.note, obj)
            if i % 10 == 0:
                wanted = {worker.ident for worker in workers}
                self.wait_for(lambda: wanted <= self.seen, "a thread is missed")
            if i % 3 == 0:
                install(which, None, None)
        done.set()
        for thread in churning:
            thread.join()
        self.end(workers)
        self.clear()
        gc.collect()
        self.assertEqual(sys.getrefcount(obj), before, "a thread that has ended keeps the object")

    def test_threads_that_the_old_object_starts(self):
        """Threads that are started while the function is being installed get it, too."""
        worker = Worker()

        class Starts:
            def __del__(self):
                worker.start()
                worker.began.wait(30)
        function, old, new = FUNCTION(lambda *args: 0), Starts(), object()
        install("trace", function, old)
        del old
        install("trace", self.note, new)
        self.wait_for(lambda: worker.ident in self.seen, "the new thread is missed")
        self.end([worker])

    def test_errors_do_not_end_it(self):
        program = textwrap.dedent("""
            import ctypes, sys, threading
            refused = 0
            def hook(event, args):
                global refused
                if event == "sys.settrace" and wanted:
                    refused += 1
                    raise PermissionError
            wanted = False
            sys.addaudithook(hook)
            unraisable = []
            sys.unraisablehook = lambda u: unraisable.append(u.exc_type)
            go = threading.Event()
            threads = [threading.Thread(target=go.wait) for _ in range(3)]
            for t in threads: t.start()
            wanted = True
            api = ctypes.pythonapi
            api.PyEval_SetTraceAllThreads(None, None)
            wanted = False
            go.set()
            for t in threads: t.join()
            print(refused, set(unraisable))
        """)
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(out.stdout, "4 {<class 'PermissionError'>}\n", out.stderr)

    def test_lines_of_threads_that_run(self):
        lines = set()

        def note(obj, frame, what, arg):
            if what == LINE and frame.f_code is leaf.__code__:
                lines.add((threading.get_ident(), frame.f_lineno))
            return 0
        workers = self.start(2)
        function, obj = FUNCTION(note), object()
        install("trace", function, obj)
        line = leaf.__code__.co_firstlineno + 1
        wanted = {(worker.ident, line) for worker in workers}
        self.wait_for(lambda: wanted <= lines, "a thread is missed")
        self.clear()
        self.end(workers)
        self.assertEqual(lines, wanted)


if __name__ == "__main__":
    unittest.main()

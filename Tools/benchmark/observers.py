"""Programs that somebody watches: the same work under trace and profile functions in Python and
in C, and under the tools that are made of them.

OBSERVERS: name -> (function, argument), as in applications.py. The functions in C are those of
observers.c, which is compiled when they are needed first; coverage is python3-coverage's."""
import bdb
import cProfile
import functools
import importlib.machinery
import importlib.util
import io
import os
import pdb
import subprocess
import sys
import sysconfig
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
COVERAGE = "/usr/lib/python3/dist-packages"


class Account:
    def __init__(self, owner):
        self.owner = owner
        self.total = 0

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError(amount)
        self.total += amount
        return self.total


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def evens(items):
    for item in items:
        if item % 2 == 0:
            yield item


def words(n):
    counts = {}
    for i in range(n):
        word = "w" + str(i % 17)
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return sorted(counts.items())[:3]


def work(n):
    """n / 60 times 3900 calls and 14900 lines."""
    for _ in range(n // 60):
        result = []
        for i in range(60):
            account = Account(i)
            for amount in 5, 0, 7:
                try:
                    account.deposit(amount)
                except ValueError:
                    result.append(-1)
            result.append(account.total)
        total = 0
        for number in evens(range(600)):
            total += number
        squares = [x * x for x in range(60)]
        found = fib(16), len(result), total, words(1200), squares[-1]
    return found


def python_trace(n):
    def tracer(frame, event, arg):
        return tracer
    sys.settrace(tracer)
    try:
        return work(n)
    finally:
        sys.settrace(None)


def python_profile(n):
    def profiler(frame, event, arg):
        pass
    sys.setprofile(profiler)
    try:
        return work(n)
    finally:
        sys.setprofile(None)


@functools.lru_cache(maxsize=None)
def in_c():
    """The module that observers.c makes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "observers_c.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I" + sysconfig.get_path("include"),
                        os.path.join(HERE, "observers.c"), "-o", path], check=True)
        loader = importlib.machinery.ExtensionFileLoader("observers_c", path)
        module = importlib.util.module_from_spec(
            importlib.util.spec_from_loader("observers_c", loader))
        loader.exec_module(module)
        return module


def c_trace(n):
    return in_c().lines(lambda: work(n))


def c_profile(n):
    return in_c().calls(lambda: work(n))


def c_profiler(n):
    return cProfile.Profile().runcall(work, n)


def debugger(n):
    """pdb, with a breakpoint in another file."""
    pdb_ = pdb.Pdb(stdin=io.StringIO(), stdout=io.StringIO(), nosigint=True, readrc=False)
    pdb_.reset()
    pdb_.set_break(bdb.__file__, bdb.Bdb.set_trace.__code__.co_firstlineno + 7)
    pdb_.botframe = sys._getframe()
    pdb_.set_continue()
    sys.settrace(pdb_.trace_dispatch)
    try:
        return work(n)
    finally:
        sys.settrace(None)


def other_thread(n):
    """Only a thread that waits is traced."""
    ready, end = threading.Event(), threading.Event()

    def run():
        sys.settrace(lambda *args: None)
        ready.set()
        end.wait()
    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        return work(n)
    finally:
        end.set()
        thread.join()


@functools.lru_cache(maxsize=None)
def coverage():
    sys.path.append(COVERAGE)
    try:
        from coverage import Coverage
    finally:
        sys.path.remove(COVERAGE)
    return Coverage(data_file=None, config_file=False)


def covered(n):
    coverage().start()
    try:
        return work(n)
    finally:
        coverage().stop()


OBSERVERS = {
    "python_trace": (python_trace, 300), "python_profile": (python_profile, 600),
    "c_trace": (c_trace, 600), "c_profile": (c_profile, 600), "c_profiler": (c_profiler, 600),
    "debugger": (debugger, 300), "traced_elsewhere": (other_thread, 1200),
}
if os.path.isdir(os.path.join(COVERAGE, "coverage")):
    OBSERVERS["covered"] = covered, 300

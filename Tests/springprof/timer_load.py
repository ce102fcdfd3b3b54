"""A program for test_timer.py that does what samplers are afraid of, and checks its own results."""
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time

SECONDS = float(sys.argv[1])
END = float("inf")         # until all threads have begun, which may take long
failures = []


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def numbers(n):
    for i in range(n):
        yield i


def through_c(n):
    return sorted(range(n), key=lambda x: -x)[0]


def chained(n):
    yield from (sum(numbers(i)) for i in range(n))


def raiser(n):
    if n:
        try:
            raiser(n - 1)
        finally:
            n += 1
    else:
        raise KeyError(n)


class Node:
    def __init__(self, n):
        self.children = [Node(n - 1), Node(n - 1)] if n else []

    def count(self):
        return 1 + sum(child.count() for child in self.children)


def compute():
    while time.monotonic() < END:
        # While it is recorded, each call has up to nine native frames, of 4096 that a sample has.
        assert deep(300) == 300
        assert through_c(300) == 299
        assert sum(chained(40)) == sum(i * (i - 1) // 2 for i in range(40))
        assert Node(6).count() == 127
        try:
            raiser(30)
        except KeyError:
            pass
        else:
            raise AssertionError("no exception")


def wait():
    """System calls that a signal interrupts."""
    ours, theirs = socket.socketpair()
    poll = select.poll()
    poll.register(theirs, select.POLLIN)
    lock = threading.Lock()
    lock.acquire()
    ours.settimeout(0.02)
    while time.monotonic() < END:
        for what in (lambda: time.sleep(0.02), lambda: select.select([theirs], [], [], 0.02),
                     lambda: poll.poll(20), lambda: lock.acquire(timeout=0.02)):
            begun = time.monotonic()
            sum(range(20000))
            result = what()
            took = time.monotonic() - begun
            assert not result or result == ([], [], []), result
            assert took >= 0.0195, took
        try:
            ours.recv(1)
        except TimeoutError:
            pass
        theirs.send(b"x")
        assert ours.recv(1) == b"x"


def fork():
    while time.monotonic() < END:
        pid = os.fork()
        if not pid:
            code = 1
            try:
                thread = threading.Thread(target=deep, args=(200,))
                thread.start()
                thread.join()
                code = 0 if through_c(1000) == 999 and deep(300) == 300 else 2
            finally:
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        assert os.waitstatus_to_exitcode(status) == 0, status


def execute():
    while time.monotonic() < END:
        done = subprocess.run([sys.executable, "-c", "print(sum(range(300000)))"],
                              capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "44999850000\n"), done
        assert subprocess.run(["/bin/sh", "-c", "exit 3"]).returncode == 3


def start_threads():
    while time.monotonic() < END:
        threads = [threading.Thread(target=through_c, args=(200,)) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def guarded(function):
    try:
        function()
    except BaseException as error:
        failures.append((function.__name__, repr(error)))
        raise


caught = 0


def on_signal(number, frame):
    global caught
    caught += 1
    deep(20)


signal.signal(signal.SIGALRM, on_signal)
signal.setitimer(signal.ITIMER_REAL, 0.003, 0.003)
threads = [threading.Thread(target=guarded, args=(function,))
           for function in (compute, compute, wait, fork, execute, start_threads)]
for thread in threads:
    thread.start()
END = time.monotonic() + SECONDS
guarded(compute)
for thread in threads:
    thread.join()
signal.setitimer(signal.ITIMER_REAL, 0)
assert caught > 10 * SECONDS, caught
# Nobody who blocks all signals, or waits for any, sees the sampler's.
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
through_c(50000)
waiting = signal.sigtimedwait(signal.valid_signals() - {signal.SIGALRM}, 0.05)
assert waiting is None, waiting
assert not failures, failures
print("fine")

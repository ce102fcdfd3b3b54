"""Signal handlers, wake-up descriptors, timers, atexit, SystemExit."""
import _signal
import atexit
import os
import signal
import socket
import re
import sys
import time


class WithoutAddresses:
    """A stderr whose text does not depend on where objects are."""

    def write(self, text):
        sys.stdout.write(re.sub("0x[0-9a-f]+", "0x...", text))

    def flush(self):
        sys.stdout.flush()


sys.stderr = WithoutAddresses()

events = []


def handler(signum, frame):
    events.append((signal.Signals(signum).name, frame.f_code.co_name))


def here():
    os.kill(os.getpid(), signal.SIGUSR1)
    for _ in range(1000):
        if events:
            break


print(signal.signal(signal.SIGUSR1, handler), signal.getsignal(signal.SIGUSR1) is handler)
here()
print(events)
events.clear()
signal.raise_signal(signal.SIGUSR1)
print(events)

a, b = socket.socketpair()
b.setblocking(False)
print(signal.set_wakeup_fd(b.fileno()))
signal.raise_signal(signal.SIGUSR1)
print(a.recv(10), signal.set_wakeup_fd(-1) == b.fileno())

events.clear()
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(0.1)
print(events[0][0], signal.getitimer(signal.ITIMER_REAL))

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
events.clear()
os.kill(os.getpid(), signal.SIGUSR1)
print(signal.sigpending(), events)
print(signal.sigwait([signal.SIGUSR1]))
os.kill(os.getpid(), signal.SIGUSR1)
info = signal.sigwaitinfo([signal.SIGUSR1])
print(info.si_signo, info.si_pid == os.getpid(), signal.sigtimedwait([signal.SIGUSR1], 0))
print(signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1]))


def angry(signum, frame):
    raise RuntimeError("from a handler")


signal.signal(signal.SIGUSR1, angry)
try:
    signal.raise_signal(signal.SIGUSR1)
except RuntimeError as e:
    print("caught", e)
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
for f in [lambda: signal.signal(0, handler), lambda: signal.signal(9, handler), lambda: _signal.signal(10, "a"),
          lambda: signal.set_wakeup_fd(9999), lambda: signal.pthread_sigmask(0, [99]), lambda: signal.strsignal(99)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)

atexit.register(print, "first registered, last run")
atexit.register(lambda: 1 / 0)
f = atexit.register(lambda *a, **k: print(a, k), 1, b=2)
atexit.register(print, "gone")
atexit.unregister(print)
atexit.register(print, "registered again")
sys.stdout.flush()
raise SystemExit("a message")

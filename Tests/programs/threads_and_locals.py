"""Locks, thread-local data, uncaught exceptions, asynchronous exceptions."""
import _thread
import ctypes
import gc
import sys
import threading
import time
import weakref

lock = threading.Lock()
print(lock.acquire(), lock.acquire(False), lock.acquire(timeout=0.01), lock.locked())
lock.release()
for f in [lock.release, lambda: lock.acquire(False, 1), lambda: lock.acquire(timeout=-3), lambda: lock.acquire(timeout=1e10),
          lambda: lock.acquire(timeout="a"), lambda: type(lock)(), lambda: _thread.start_new_thread(1, ())]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
r = threading.RLock()
with r, r:
    print(r._is_owned(), repr(r).split(" at ")[0].split("owner")[0])
    saved = r._release_save()
    print(saved[0], r._is_owned())
    r._acquire_restore(saved)


class Local(threading.local):
    def __init__(self, x):
        self.x = x
        self.made = threading.current_thread().name


local = Local(5)
local.x += 1
seen = []


class Witness:
    pass


def worker():
    seen.append((local.x, local.made))
    local.x = 100
    w = Witness()
    local.w = w
    seen.append(weakref.ref(w))


t = threading.Thread(target=worker, name="worker")
t.start()
t.join()
gc.collect()
print(seen[0], seen[1](), local.x, local.made, sorted(vars(local)))
ref = weakref.ref(local)
local.self = local
del local
gc.collect()
print(ref())

counter = 0


def count(n):
    global counter
    for _ in range(n):
        with lock:
            counter += 1


threads = [threading.Thread(target=count, args=(2000,)) for _ in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(counter)


def fail():
    raise ValueError("in a thread")


sys.stdout.flush()
t = threading.Thread(target=fail, name="failing")
t.start()
t.join()

hooked = []
threading.excepthook = lambda args: hooked.append((args.exc_type, str(args.exc_value), args.thread.name))
t = threading.Thread(target=fail, name="hooked")
t.start()
t.join()
print(hooked)

started = threading.Event()
ended = []


def endless():
    started.set()
    try:
        while True:
            time.sleep(0.001)
    except KeyError:
        ended.append("KeyError")


t = threading.Thread(target=endless)
t.start()
started.wait()
print(ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(t.ident), ctypes.py_object(KeyError)))
t.join()
print(ended, ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(1), ctypes.py_object(KeyError)))

spinning = True
turns = 0


def spin():
    while spinning:
        pass


t = threading.Thread(target=spin)
t.start()
deadline = time.monotonic() + 0.3
while time.monotonic() < deadline:
    turns += 1
spinning = False
t.join()
print(turns > 10)
print(threading.stack_size(), threading.stack_size(262144), threading.stack_size())
t = threading.Thread(target=lambda: print("small stack"))
t.start()
t.join()

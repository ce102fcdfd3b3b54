"""threading, queue, concurrent.futures, locks, thread-local data, excepthook."""
import concurrent.futures as cf
import contextvars
import queue
import sched
import sys
import threading
import time

q = queue.Queue(maxsize=4)
out = []
lock = threading.Lock()


def producer(n):
    for i in range(n):
        q.put(i)
    q.put(None)


def consumer():
    while (item := q.get()) is not None:
        with lock:
            out.append(item * item)
        q.task_done()
    q.task_done()


ts = [threading.Thread(target=producer, args=(50,), name="prod"), threading.Thread(target=consumer, name="cons")]
for t in ts:
    t.start()
for t in ts:
    t.join()
q.join()
print(out == [i * i for i in range(50)], q.empty(), q.qsize(), [t.is_alive() for t in ts], ts[0].name, ts[0].daemon)
counter = 0


def bump(n):
    global counter
    for _ in range(n):
        with lock:
            counter += 1


ts = [threading.Thread(target=bump, args=(500,)) for _ in range(4)]
[t.start() for t in ts]
[t.join() for t in ts]
print(counter)
with cf.ThreadPoolExecutor(3) as ex:
    print(list(ex.map(lambda x: x ** 2, range(8))))
    f = ex.submit(lambda: 1 / 0)
    print(type(f.exception()).__name__, f.done())
    fs = [ex.submit(pow, 2, i) for i in range(4)]
    print(sorted(x.result() for x in cf.as_completed(fs)), cf.wait(fs).not_done)
    try:
        f.result()
    except ZeroDivisionError as e:
        print(e)
local = threading.local()
local.v = "main"
seen = []


def use_local():
    seen.append(hasattr(local, "v"))
    local.v = "thread"


t = threading.Thread(target=use_local)
t.start()
t.join()
print(seen, local.v)
ev, cond, data = threading.Event(), threading.Condition(), []


def waiter():
    ev.wait()
    with cond:
        data.append("ready")
        cond.notify_all()


t = threading.Thread(target=waiter, daemon=True)
t.start()
with cond:
    ev.set()
    print(cond.wait_for(lambda: data, 5), ev.is_set())
t.join()
bar = threading.Barrier(3, action=lambda: out.append("barrier"))
ts = [threading.Thread(target=bar.wait) for _ in range(2)]
[t.start() for t in ts]
bar.wait()
[t.join() for t in ts]
print(out[-1], bar.broken, bar.n_waiting)
rl = threading.RLock()
with rl, rl:
    print("reentrant", rl.acquire(blocking=False))
    rl.release()
sem = threading.BoundedSemaphore(1)
print(sem.acquire(), sem.acquire(False), sem.release())
pq = queue.PriorityQueue()
for x in (3, 1, 2):
    pq.put((x, "abc"[x - 1]))
print([pq.get() for _ in range(3)])
lq = queue.LifoQueue()
lq.put(1), lq.put(2)
print(lq.get(), lq.get_nowait())
sq = queue.SimpleQueue()
sq.put("s")
print(sq.get(), sq.empty())
cv = contextvars.ContextVar("cv", default=0)
ctx = contextvars.copy_context()
tok = cv.set(5)
print(cv.get(), ctx.run(cv.get), cv.reset(tok), cv.get())
ex = []
timer = threading.Timer(0.001, ex.append, ["fired"])
timer.start()
timer.join()
print(ex)
s = sched.scheduler(time.monotonic, time.sleep)
order = []
now = time.monotonic()
s.enterabs(now + 0.002, 1, order.append, ("late",))
s.enterabs(now + 0.001, 1, order.append, ("early",))
s.run()
print(order)
for bad in (lambda: lock.release(), lambda: sem.release(), lambda: rl.release(), lambda: q.get_nowait(), lambda: q.task_done(), lambda: q.get(timeout=-1), lambda: ts[0].start(), lambda: threading.current_thread().join(), lambda: threading.Thread(target=1, group=2), lambda: threading.Thread().join(), lambda: cond.notify(), lambda: cond.wait(), lambda: bar.abort() or bar.wait(), lambda: lock.acquire(False, 1), lambda: lock.acquire(timeout=-3), lambda: sq.get(False), lambda: q.get(timeout=0.001), lambda: threading.Semaphore(-1), lambda: [q.put_nowait(1) for _ in range(9)], lambda: cv.reset(tok), lambda: contextvars.ContextVar(3), lambda: local.zz, lambda: ctx["a"], lambda: ctx.run(ctx.run, int), lambda: contextvars.ContextVar("nodef").get() if 0 else 1):
    try:
        print("ok", bad())
    except Exception as e:
        m = str(e)
        print(type(e).__name__, m if "0x" not in m else "addr")


def crash(depth):
    if depth:
        crash(depth - 1)
    raise LookupError("thread crash")


t = threading.Thread(target=crash, args=(2,), name="Crasher")
t.start()
t.join()
threading.excepthook = lambda a: print("hook", a.exc_type.__name__, a.exc_value, a.thread.name)
t = threading.Thread(target=crash, args=(0,), name="Hooked")
t.start()
t.join()


def quiet():
    sys.exit(5)


t = threading.Thread(target=quiet)
t.start()
t.join()
print("main ends")
late = threading.Thread(target=lambda: (time.sleep(0.02), print("late thread done")))
late.start()
sys.exit("exit message")

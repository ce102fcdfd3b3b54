"""Event loops in threads, with everything that a collection can disturb; checks its own results.

usage: loops.py SECONDS [SEED]

Several threads run an event loop each. The collector's threshold varies from 1
to 20, and the switch interval is a microsecond. The garbage has finalizers
and callbacks that make deep calls. Ends with exit code 1 and a report if a result is wrong, if an
exception is raised where nothing catches it, or if something is never closed.
"""
import asyncio
import collections
import concurrent.futures
import contextlib
import contextvars
import gc
import itertools
import random
import sys
import threading
import time
import traceback
import weakref

THREADS = 3
KINDS = "cycle", "generator", "finalize", "async generator"
# Finalizers count, in any thread: neither a lock nor += would do, but append() is atomic.
marks = {(when, kind): [] for when in ("made", "ended") for kind in KINDS}
complaints = []
request = contextvars.ContextVar("request", default=None)


def count(when, kind):
    marks[when, kind].append(None)


def check(condition, *what):
    if not condition:
        complaints.append("".join(traceback.format_stack(limit=4)) + repr(what))


def deep(n, a, *args, k=None, **kwargs):
    """Fills the stack of frames, raises and catches."""
    if not n:
        raise LookupError(a, args, k, kwargs)
    try:
        below = deep(n - 1, n, a, *args, k=[k], **kwargs)
    except LookupError as error:
        below = error.args
    return [x for x in (y for y in (n, a, *args))], below


DEEP = deep(5, 1, "b", x=2)


class Left:
    """A cycle that nobody holds."""
    def __init__(self, *args, **kwargs):
        self.me, self.args, self.kwargs = self, args, kwargs
        count("made", "cycle")

    def __del__(self):
        check(deep(5, 1, "b", x=2) == DEEP, "deep in __del__")
        check(self.args == (1, "two", [3]) and self.kwargs == {"k": 4}, self.__dict__)
        count("ended", "cycle")


def left_generator():
    """Suspended in a cycle with itself until the collector closes it."""
    count("made", "generator")
    me = yield
    try:
        yield me
    finally:
        check(deep(3, 1) == deep(3, 1), "deep in a generator")
        count("ended", "generator")


def leave_garbage():
    Left(*(1, "two", [3]), **{"k": 4})
    gen = left_generator()
    next(gen)
    gen.send([gen])
    target = Left(*(1, "two", [3]), k=4)
    weakref.finalize(target, count, "ended", "finalize")
    count("made", "finalize")
    ref = weakref.ref(target, lambda ref: check(deep(4, 2) == deep(4, 2), "deep in a callback"))
    refs.append(ref)


refs = collections.deque(maxlen=50)


async def numbers(n):
    count("made", "async generator")
    try:
        for i in range(n):
            await asyncio.sleep(0)
            yield i
    finally:
        await asyncio.sleep(0)
        count("ended", "async generator")


async def scene_gather(rng):
    async def add(a, *rest, k):
        await asyncio.sleep(rng.random() / 5000)
        return a + sum(rest) + k
    n = rng.randrange(2, 12)
    results = await asyncio.gather(*(add(i, *range(i), k=1) for i in range(n)))
    check(results == [i + sum(range(i)) + 1 for i in range(n)], results)


async def scene_cancel(rng):
    steps = []

    async def wait():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError as error:
            steps.append(error.args)
            raise
        finally:
            await asyncio.sleep(0)
            steps.append("finally")
    task = asyncio.create_task(wait())
    for i in range(rng.randrange(1, 4)):
        await asyncio.sleep(0)
    task.cancel("enough")
    with contextlib.suppress(asyncio.CancelledError):
        await task
        check(False, "not cancelled")
    check(steps == [("enough",), "finally"], steps)


async def scene_timeout(rng):
    try:
        async with asyncio.timeout(rng.random() / 1000):
            async for i in numbers(10 ** 6):
                leave_garbage()
        check(False, "no timeout")
    except TimeoutError:
        pass


async def scene_executor(rng, pool):
    def work(*args, **kwargs):
        leave_garbage()
        return args, kwargs, request.get()
    loop = asyncio.get_running_loop()
    jobs = [loop.run_in_executor(pool, work, i, str(i)) for i in range(5)]
    for i, (args, kwargs, seen) in enumerate(await asyncio.gather(*jobs)):
        check(args == (i, str(i)) and not kwargs and seen is None, args, kwargs, seen)
    mark = object()
    request.set(mark)
    got = await asyncio.to_thread(work, 1, *"ab", x=[2])
    check(got == ((1, "a", "b"), {"x": [2]}, mark), got)


async def scene_contexts(rng):
    async def own(i):
        token = request.set([i])
        for _ in range(4):
            await asyncio.sleep(0)
            check(request.get() == [i], i, request.get())
        request.reset(token)
        return request.get()
    request.set("outer")
    check(await asyncio.gather(*map(own, range(6))) == ["outer"] * 6)
    context = contextvars.copy_context()
    check(context.run(lambda *args, **kwargs: (request.get(), args, kwargs), 1, k=2)
          == ("outer", (1,), {"k": 2}))


async def scene_group(rng):
    async def fail(error, *args):
        await asyncio.sleep(0)
        raise error(*args)
    caught = []
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fail(ValueError, 1, *"xy"))
            group.create_task(fail(KeyError, 2))
            group.create_task(asyncio.sleep(60))
    except* ValueError as errors:
        caught.extend(e.args for e in errors.exceptions)
    except* KeyError as errors:
        caught.extend(e.args for e in errors.exceptions)
    check(sorted(caught) == [(1, "x", "y"), (2,)], caught)


async def scene_generators(rng):
    async for i in numbers(5):
        if i == 3:
            break                       # the rest is left to the collector and the loop
    check([i async for i in numbers(4)] == [0, 1, 2, 3])
    check([x for x in itertools.chain.from_iterable([j] * j for j in range(4))]
          == [1, 2, 2, 3, 3, 3])


async def scene_neighbours(rng, loops):
    async def answer(*args, **kwargs):
        await asyncio.sleep(0)
        return args, kwargs
    loop = rng.choice(loops)
    future = asyncio.run_coroutine_threadsafe(answer(1, *"ab", k=[3]), loop)
    check(await asyncio.wrap_future(future) == ((1, "a", "b"), {"k": [3]}))


async def live(seed, until, loops, barrier, pool):
    rng = random.Random(seed)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: complaints.append(repr(context)))
    loops.append(loop)
    await asyncio.to_thread(barrier.wait, 60)
    scenes = [scene_gather, scene_cancel, scene_timeout, scene_contexts, scene_group,
              scene_generators, lambda rng: scene_executor(rng, pool),
              lambda rng: scene_neighbours(rng, loops)]
    rounds = 0
    while time.monotonic() < until and not complaints:
        gc.set_threshold(rng.randrange(1, 20), rng.randrange(1, 5), rng.randrange(1, 5))
        leave_garbage()
        await asyncio.gather(*(asyncio.create_task(scene(rng))
                               for scene in rng.sample(scenes, 3)))
        rounds += 1
    await asyncio.to_thread(barrier.wait, 60)   # neighbours still ask
    return rounds


def main():
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10 ** 6)
    sys.setswitchinterval(1e-6)
    sys.unraisablehook = lambda info: complaints.append(
        f"ignored in {info.object!r}: {info.exc_value!r}")
    threading.excepthook = lambda info: complaints.append(
        "".join(traceback.format_exception(info.exc_value)))
    until = time.monotonic() + seconds
    loops, rounds = [], []
    barrier = threading.Barrier(THREADS)

    def run(number):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            rounds.append(asyncio.run(live(seed + number, until, loops, barrier, pool)))
    threads = [threading.Thread(target=run, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 120)
        if thread.is_alive():
            complaints.append("a loop hangs")
    refs.clear()
    for _ in range(3):
        gc.collect()
    for kind in KINDS:
        made, ended = len(marks["made", kind]), len(marks["ended", kind])
        if made != ended:
            complaints.append(f"{kind}: {made} made, {ended} ended")
    for complaint in complaints[:5]:
        print(complaint, file=sys.stderr)
    failed = bool(complaints) or not all(rounds)
    print(f"seed {seed}: {sum(rounds)} rounds, {len(complaints)} complaints", file=sys.stderr)
    print(f"{int(not failed)} passed, {int(failed)} failed, 0 skipped", flush=True)
    if "a loop hangs" in complaints:
        import faulthandler
        import os
        faulthandler.dump_traceback(all_threads=True)
        os._exit(1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

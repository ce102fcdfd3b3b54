"""asyncio: tasks, gather, queues, timeouts, async generators and with."""
import asyncio
import contextlib


class Ctx:
    def __init__(self, name):
        self.name = name

    async def __aenter__(self):
        print("enter", self.name)
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, t, v, tb):
        await asyncio.sleep(0)
        print("exit", self.name, t and t.__name__)
        return t is KeyError


async def agen(n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            got = yield i
            if got:
                print("got", got)
    finally:
        print("agen done")


@contextlib.asynccontextmanager
async def scope(x):
    print("open", x)
    try:
        yield x * 2
    finally:
        print("close", x)


async def worker(name, q, out):
    while True:
        item = await q.get()
        out.append((name, item))
        await asyncio.sleep(0)
        q.task_done()


async def fail(n):
    await asyncio.sleep(0)
    raise ValueError(n)


class Countdown:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n == 0:
            raise StopAsyncIteration
        self.n -= 1
        return self.n


async def main():
    async with Ctx("a") as a, Ctx("b"):
        print(a.name)
        raise KeyError("swallowed")
    print([x async for x in agen(3)], {x: 1 async for x in Countdown(3) if x})
    g = agen(10)
    print(await g.asend(None), await g.asend("hi"))
    await g.aclose()
    async with scope(4) as s:
        print(s)
    q = asyncio.Queue()
    out = []
    for i in range(6):
        q.put_nowait(i)
    ts = [asyncio.create_task(worker(f"w{i}", q, out)) for i in range(2)]
    await q.join()
    for t in ts:
        t.cancel()
    print(await asyncio.gather(*ts, return_exceptions=True))
    print(sorted(out, key=lambda t: t[1]))
    print(await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2)))
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError as e:
        print("timeout", repr(e))
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.01)
    except asyncio.TimeoutError as e:
        print("wait_for", repr(e))
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(fail(1))
            tg.create_task(fail(2))
    except* ValueError as eg:
        print(repr(eg), [e.args for e in eg.exceptions])
    lock = asyncio.Lock()
    order = []

    async def crit(n):
        async with lock:
            order.append(n)
            await asyncio.sleep(0)
            order.append(-n)

    await asyncio.gather(*(crit(i) for i in range(1, 4)))
    print(order)
    fut = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(fut.set_result, "fr")
    print(await fut, fut.done(), fut.result())
    done, pending = await asyncio.wait({asyncio.create_task(asyncio.sleep(0, i), name=f"t{i}") for i in range(3)})
    print(sorted(t.get_name() for t in done), sorted(t.result() for t in done), pending)

    async def cancelled():
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError as e:
            print("cancel", e.args)
            raise

    t = asyncio.create_task(cancelled())
    await asyncio.sleep(0)
    t.cancel("why")
    try:
        await t
    except asyncio.CancelledError as e:
        print(repr(e), t.cancelled())
    sem = asyncio.Semaphore(2)
    active = peak = 0

    async def limited():
        nonlocal active, peak
        async with sem:
            active += 1
            peak = max(peak, active)
            await asyncio.sleep(0)
            active -= 1

    await asyncio.gather(*[limited() for _ in range(8)])
    print("peak", peak)
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, lambda: 6 * 7), await asyncio.to_thread(sum, [1, 2]))
    await outer()


async def inner():
    await fail("deep")


async def outer():
    try:
        await inner()
    except ValueError as e:
        raise RuntimeError("wrapped") from e


asyncio.run(main())

"""Async generators, cancellation, finalisation, contexts, queues: who runs when, and what happens on the way out."""
import asyncio
import contextlib
import contextvars
import gc
import sys
import traceback
import warnings
import weakref

warnings.simplefilter("always")
who = contextvars.ContextVar("who", default="nobody")


async def numbers(n, log):
    log.append("open")
    try:
        for i in range(n):
            await asyncio.sleep(0)
            sent = yield i
            if sent is not None:
                log.append(("sent", sent))
    except GeneratorExit:
        log.append("exit")
        raise
    except ValueError as e:
        log.append(("thrown", str(e)))
        yield "after throw"
    finally:
        await asyncio.sleep(0)
        log.append("closed")


async def by_hand():
    log = []
    g = numbers(5, log)
    print(await anext(g), await g.asend("x"), await g.athrow(ValueError("v")), await anext(g, "default"), log)
    log.clear()
    g = numbers(5, log)
    async for i in g:
        if i == 2:
            break
    print(g.ag_running, g.ag_frame is not None, log)
    await g.aclose()
    print(g.ag_frame, log, await anext(g, None))
    try:
        await anext(g)
    except StopAsyncIteration as e:
        print("stop", e.args)
    log.clear()
    async def never():
        g = numbers(2, log)
        await anext(g)
    await never()
    gc.collect()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    print("finalised by the loop:", log)
    print([x async for x in numbers(4, []) if x % 2], {x: y async for x in numbers(2, []) for y in "ab"}, {await asyncio.sleep(0, x) for x in (1, 2)},
          [y for x in [1, 2] async for y in numbers(x, [])])
    agen = (x * 2 async for x in numbers(3, []))
    print(type(agen).__name__, [x async for x in agen])


async def worker(name, queue, out):
    who.set(name)
    try:
        while True:
            item = await queue.get()
            try:
                if item == 13:
                    raise LookupError(f"unlucky {item}")
                await asyncio.sleep(0)
                out.append((who.get(), item))
            except LookupError as e:
                out.append((who.get(), repr(e)))
            finally:
                queue.task_done()
    except asyncio.CancelledError:
        out.append((name, "cancelled"))
        raise


async def pipeline():
    queue, out = asyncio.Queue(maxsize=2), []
    tasks = [asyncio.create_task(worker(f"w{i}", queue, out), name=f"t{i}") for i in range(2)]
    for i in (11, 12, 13, 14, 15):
        await queue.put(i)
    await queue.join()
    for t in tasks:
        t.cancel("enough")
    print(await asyncio.gather(*tasks, return_exceptions=True))
    print(sorted(out, key=str), who.get(), [t.get_name() for t in tasks], tasks[0].cancelled())


class Resource:
    def __init__(self, name, fail=None): self.name, self.fail = name, fail

    async def __aenter__(self):
        print("enter", self.name)
        if self.fail == "enter":
            raise RuntimeError("enter " + self.name)
        return self

    async def __aexit__(self, t, v, tb):
        print("exit", self.name, t and t.__name__)
        if self.fail == "exit":
            raise RuntimeError("exit " + self.name)
        return self.fail == "swallow"


@contextlib.asynccontextmanager
async def managed(name):
    print("managed in", name)
    try:
        yield name.upper()
    except KeyError as e:
        print("managed caught", e)
    finally:
        print("managed out", name)


async def contexts():
    async with Resource("a") as a, Resource("b", "swallow"), managed("m") as m:
        print(a.name, m)
        raise KeyError("k")
    for fail in ("enter", "exit"):
        try:
            async with Resource("outer"), Resource("inner", fail):
                raise OSError("body")
        except RuntimeError as e:
            print(repr(e), repr(e.__context__))
    async with contextlib.AsyncExitStack() as stack:
        for n in "xyz":
            await stack.enter_async_context(Resource(n, "swallow" if n == "x" else None))
        stack.push_async_callback(asyncio.sleep, 0)
        stack.callback(print, "callback")
        raise ValueError
    print("swallowed")


async def groups():
    async def fail(after, e):
        for _ in range(after):
            await asyncio.sleep(0)
        raise e

    async def stubborn():
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            raise TypeError("died while cancelled") from None
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(fail(1, ValueError("first")))
            tg.create_task(fail(1, OSError(2, "gone")))
            tg.create_task(stubborn())
            await asyncio.sleep(10)
    except* OSError as eg:
        print("os", eg.exceptions)
    except* (ValueError, TypeError) as eg:
        print("others", sorted(map(repr, eg.exceptions)))
    try:
        async with asyncio.timeout(0.01) as t:
            await asyncio.sleep(5)
    except TimeoutError as e:
        print("timeout", t.expired(), repr(e.__cause__)[:20])
    try:
        await asyncio.wait_for(asyncio.shield(task := asyncio.ensure_future(asyncio.sleep(0.02, "shielded"))), 0.001)
    except asyncio.TimeoutError:
        print("waited for", await task)
    done, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(n / 100, n)) for n in (0, 9)], return_when=asyncio.FIRST_COMPLETED)
    print({d.result() for d in done}, len(pending))
    for p in pending:
        p.cancel()
    fut = asyncio.get_running_loop().create_future()
    fut.add_done_callback(lambda f: print("done", f.result()))
    asyncio.get_running_loop().call_soon(fut.set_result, 7)
    print(await fut, [await c for c in asyncio.as_completed([asyncio.sleep(0, 1)])])
    lock, cond, sem, ev = asyncio.Lock(), asyncio.Condition(), asyncio.Semaphore(2), asyncio.Event()
    order = []

    async def user(n):
        async with sem:
            order.append(("in", n))
            await asyncio.sleep(0)
            async with lock:
                order.append(("locked", n))
        await ev.wait()
    users = [asyncio.create_task(user(n)) for n in range(4)]
    await asyncio.sleep(0.01)
    ev.set()
    await asyncio.gather(*users)
    print(order)


class Awaitable:
    def __await__(self):
        x = yield from asyncio.sleep(0, "slept").__await__()
        return x + "!"


class BadAwait:
    def __await__(self): return 5


async def odd():
    print(await Awaitable())
    for thing in (BadAwait(), 3, [1], (lambda: None)):
        try:
            await thing
        except TypeError as e:
            print("TypeError:", str(e)[:60])
    try:
        async for _ in [1]: pass
    except TypeError as e:
        print("TypeError:", e)
    try:
        async with open("/dev/null"): pass
    except TypeError as e:
        print("TypeError:", e)
    coro = asyncio.sleep(0)
    await coro
    try:
        await coro
    except RuntimeError as e:
        print("RuntimeError:", e)

    async def raises_stop(): raise StopIteration("si")
    try:
        await raises_stop()
    except RuntimeError as e:
        print("RuntimeError:", e, repr(e.__cause__))

    async def gen_stop():
        yield 1
        raise StopAsyncIteration
    try:
        print([x async for x in gen_stop()])
    except RuntimeError as e:
        print("RuntimeError:", e)


def deep(n):
    async def level(i):
        if i == 0:
            raise ZeroDivisionError("bottom")
        await level(i - 1)
    return level(n)


async def main():
    for part in (by_hand, pipeline, contexts, groups, odd):
        print("--", part.__name__)
        await part()
    try:
        await deep(3)
    except ZeroDivisionError:
        print(traceback.format_exc().replace(__file__, "FILE"))
    c = deep(1)
    r = weakref.ref(c)
    del c
    print(r() is None)


asyncio.run(main())


async def lost():
    async def inner(): await asyncio.sleep(0)
    asyncio.get_running_loop().set_exception_handler(lambda loop, ctx: print("handler:", ctx["message"], repr(ctx.get("exception"))))
    t = asyncio.create_task(deep(0))
    await asyncio.sleep(0)
    del t
    gc.collect()
asyncio.run(lost())
try:
    asyncio.run(deep(2))
except ZeroDivisionError as e:
    print(len(traceback.extract_tb(e.__traceback__)) > 3, e)
sys.stdout.flush()
asyncio.run(groups.__call__() if False else deep(1))

"""Coroutines and asynchronous generators in machine code, as jit_generator_cases.py checks them."""
import unittest

from jit_generator_cases import Case


class Coroutines(Case):
    def test_await(self):
        self.check("""
            import asyncio
            async def leaf(i):
                return i
            async def sleepy(i):
                await asyncio.sleep(0)
                return i
            async def work(n):
                s = 0
                for i in range(n):
                    s += await leaf(i)
                    if i % 100 == 0:
                        s += await sleepy(i)
                return s
            async def agen(n):
                for i in range(n):
                    yield i
                    if i % 50 == 0:
                        await asyncio.sleep(0)
            async def main():
                s = 0
                async for x in agen(2000):
                    s += x
                print(s, sum([x async for x in agen(500) if x % 2]))
                print(await work(2000))
                tasks = [asyncio.create_task(work(1000)) for _ in range(5)]
                print(await asyncio.gather(*tasks))
                t = asyncio.create_task(work(100000000))
                await asyncio.sleep(0)
                t.cancel()
                try:
                    await t
                except asyncio.CancelledError:
                    print("cancelled")
            asyncio.run(main())
            asyncio.run(main())
            """)


    def test_coroutines_by_hand(self):
        self.check("""
            import types
            class Wait:
                def __init__(self, x): self.x = x
                def __await__(self):
                    return (yield self.x)
            @types.coroutine
            def old(x):
                return (yield x)
            async def leaf(x):
                if x < 0:
                    raise KeyError(x)
                return x * 2
            async def middle(x):
                held = Loud(("middle", x)) if x % 100 == 0 else None
                try:
                    return await leaf(x) + await Wait(x) + await old(x)
                finally:
                    if held is not None:
                        print("leaving", x)
            async def top(n):
                s = 0
                for i in range(n):
                    try:
                        s += await middle(i if i != 7 else -1)
                    except KeyError as e:
                        s += 1000
                return s
            def drive(coroutine):
                asked, answer = 0, None
                try:
                    while True:
                        asked += coroutine.send(answer)
                        answer = 3
                except StopIteration as e:
                    return asked, e.value
            for i in range(3):
                print(drive(top(150)))
            async def twice(c):
                await c
                return await c
            for i in range(3):
                attempt(drive, twice(leaf(2)))
            for i in range(300):
                drive(twice.__wrapped__(1)) if hasattr(twice, "__wrapped__") else drive(leaf(1))
            attempt(drive, twice(leaf(2)))
            async def wrong(x): return await x
            for x in 5, None, [], (i for i in "ab"):
                attempt(drive, wrong(x))
            def outer(n):
                sys.set_coroutine_origin_tracking_depth(n)
                async def made(): return 1
                async def makes():
                    c = made()
                    origin = c.cr_origin
                    await c
                    return origin is None or [entry[2] for entry in origin]
                try:
                    for i in range(300):
                        got = drive(makes())
                finally:
                    sys.set_coroutine_origin_tracking_depth(0)
                return got
            print(outer(0), outer(2), outer(0))
            """)


class AsyncGenerators(Case):
    modes = ("eager", "on", "stress:3")

    def test_items_and_what_is_passed_up(self):
        self.check("""
            import types
            @types.coroutine
            def up(x):
                got = yield x
                return got
            async def items(values):
                for v in values:
                    sent = yield v
                    if sent is not None:
                        print("sent", sent)
                    if v == 3:
                        print("up gave", await up(("up", v)))
            def run(coro, answers=()):
                answers, value, seen = iter(answers), None, []
                while True:
                    try:
                        seen.append(coro.send(value))
                    except StopIteration as stop:
                        return stop.value, seen
                    value = next(answers, None)
            async def collected(values):
                return [x async for x in items(values)]
            async def added(n):
                total = 0
                async for x in items(range(n)):
                    total += x
                return total
            async def passed(it):
                async for x in it:
                    yield x
            async def nested(n):
                total = 0
                async for x in passed(passed(items([1] * n))):
                    total += x
                return total
            async def by_hand():
                it = items([1, 2, Loud("three"), 2**70, (1, 2), StopIteration(5)])
                found = [await it.asend(None), await it.asend("x"), await anext(it)]
                found.append(await it.__anext__())
                step = it.asend(("t",))
                found.append(await step)
                try:
                    await step
                except RuntimeError as e:
                    print(e)
                found.append(await anext(it))
                found.append(await anext(it, "none"))
                found.append(await anext(it, "none"))
                for ask in it.__anext__, lambda: it.asend(1):
                    try:
                        await ask()
                    except StopAsyncIteration as e:
                        print("stopped", e.args)
                return plain(found)
            warm(lambda: run(added(3)))
            print(run(collected([1, 2, 3, "x", None, 1.5])), run(added(50), "abc"))
            print(run(nested(40)), run(by_hand()))
            warm(lambda: run(collected([()])))
            print(run(collected([1, (2,), None, 3.5, 1 << 40])))
            try:
                it = items([1]).__aiter__()
                it.__anext__().send("too early")
            except TypeError as e:
                print(e)
        """)

    def test_two_at_once(self):
        self.check("""
            import types
            @types.coroutine
            def up():
                yield "up"
            async def slow():
                await up()
                yield 1
            async def use(it):
                async for x in it:
                    pass
            async def quick(n):
                for i in range(n):
                    yield i
            warm(lambda: ends(use(quick(3))))
            it = slow()
            first, second = use(it), use(it)
            print(first.send(None), it.ag_running, it.ag_await is not None)
            attempt(second.send, None)
            attempt(first.send, None)
            print(it.ag_running)
        """)

    def test_the_awaitable_of_a_step(self):
        # It is made only if something is passed up.
        self.check("""
            import types
            @types.coroutine
            def up(x):
                return (yield x)
            async def items(n, every):
                got = None
                for i in range(n):
                    if every and i % every == 0:
                        got = await up(("up", i))
                    yield i if got is None else (i, got)
            async def use(it):
                found = 0
                async for x in it:
                    found = x
                return found
            warm(lambda: ends(use(items(5, 0))))
            def waiting():
                it = items(4, 2)
                coro = use(it)
                print(coro.send(None), type(coro.cr_await).__name__, it.ag_running,
                      plain(it.ag_await), coro.cr_await is coro.cr_await)
                awaited = coro.cr_await
                print(coro.send("told"), awaited is coro.cr_await, it.ag_running)
                attempt(awaited.send, None)
                return it, coro
            for _ in range(3):
                it, coro = waiting()
                print(ends(coro, 2))
                it, coro = waiting()
                attempt(coro.throw, KeyError("in"))
                print(it.ag_running, it.ag_frame is None)
                it, coro = waiting()
                attempt(use(it).send, None)
                attempt(it.aclose().send, None)
                coro.close()
                print(it.ag_running, it.ag_frame is None)
            # What is thrown into it makes it go on.
            async def lasting(n, every):
                for i in range(n):
                    if every == 0 or i % every != 1:
                        yield i
                        continue
                    try:
                        await up(i)
                    except KeyError:
                        continue
            warm(lambda: ends(use(lasting(5, 0))))
            coro = use(lasting(9, 3))
            print(coro.send(None), coro.throw(KeyError("in")), coro.send(2))
            attempt(coro.throw, ValueError("out"))
            # Steps by hand between those of a loop: items are wrapped for them.
            async def echo():
                got = None
                for i in range(1000000):
                    got = yield i, got
            async def mixed(it):
                found = []
                for _ in range(3):
                    async for x in it:
                        found.append(x)
                        if x[0] % 3 == 2:
                            break
                    found.append(await it.asend("sent"))
                    step = it.asend("by hand")
                    try:
                        step.send(None)
                    except StopIteration as stop:
                        found.append(stop.value)
                    attempt(step.send, None)
                return found
            for _ in range(300):
                async def first(it):
                    async for x in it:
                        if x[0] == 20:
                            return x
                ends(first(echo()))
            print(ends(mixed(echo())))
            # A step from within.
            async def itself():
                yield 1
                async for x in me:
                    print("never")
            async def rest(it):
                async for x in it:
                    pass
            warm(lambda: ends(rest(items(3, 0))))
            me = itself()
            attempt(ends, rest(me))
            print(me.ag_running)
            attempt(ends, rest(me))
        """)

    def test_hooks_of_steps(self):
        self.check("""
            async def items(n):
                for i in range(n):
                    yield i
            async def use(it):
                async for x in it:
                    if x == 3:
                        return x
            warm(lambda: ends(use(items(5))))
            def first(it):
                frame = sys._getframe(1)
                print("first", plain(it), frame.f_code.co_name,
                      frame.f_lineno - frame.f_code.co_firstlineno)
            def last(it):
                print("last", plain(it))
                ends(it.aclose())
            def fails(it):
                raise KeyError("first")
            sys.set_asyncgen_hooks(first, last)
            print(ends(use(items(5))))
            print(ends(use(items(2))))
            sys.set_asyncgen_hooks(fails, None)
            it = items(5)
            attempt(ends, use(it))
            print(ends(use(it)))
            sys.set_asyncgen_hooks(None, None)
        """)

    def test_exceptions_and_closing(self):
        self.check("""
            async def fails(n):
                try:
                    for i in range(n):
                        yield i
                    raise KeyError(n)
                finally:
                    print("closed", n)
            async def stops():
                yield 1
                raise StopAsyncIteration(7)
            async def use(it, n):
                total = 0
                async for x in it:
                    if x == n:
                        break
                    total += x
                else:
                    print("else")
                return total
            async def both(n):
                try:
                    return await use(fails(n), -1)
                except KeyError as e:
                    return "KeyError", e.args, e.__context__
            async def closed():
                it = fails(10)
                print(await use(it, 3))
                print(await it.aclose(), await it.aclose())
                return await use(it, 3)
            async def thrown():
                it = fails(10)
                await anext(it)
                try:
                    await it.athrow(ValueError, "v")
                except ValueError as e:
                    print(plain(e))
                return [x async for x in it]
            async def ten():
                for i in range(10):
                    yield i
            warm(lambda: ends(use(ten(), -1)))
            print(ends(both(4)))
            print(ends(closed()))
            print(ends(thrown()))
            attempt(ends, use(stops(), -1))
        """)

    def test_tracers_see_what_ends_the_step(self):
        # As in 3.11: the item comes by StopIteration for those who look.
        self.check("""
            async def items():
                yield 1
                yield 2
            async def use():
                total = 0
                async for x in items():
                    total += x
                return total
            def trace(frame, event, arg):
                if frame.f_code.co_name in ("use", "items"):
                    what = plain(arg[1]) if event == "exception" else ""
                    print(frame.f_code.co_name, event,
                          frame.f_lineno - frame.f_code.co_firstlineno, what)
                return trace
            for _ in range(300):
                ends(use())
            sys.settrace(trace)
            ends(use())
            sys.settrace(None)
            async def switches():
                yield 1
                sys.settrace(trace)
                sys._getframe(1).f_trace = trace
                yield 2
                sys.settrace(None)
                yield 3
            items = switches
            print(ends(use()))
        """)

    def test_destroyed_in_order(self):
        self.check("""
            async def louds(n):
                try:
                    for i in range(n):
                        yield Loud(i)
                finally:
                    print("closed")
            async def use(it):
                async for x in it:
                    print(x)
                    del x
            async def leave(it):
                async for x in it:
                    return 5
            async def ten():
                for i in range(10):
                    yield i
            async def count(it):
                n = 0
                async for x in it:
                    n += 1
                return n
            warm(lambda: ends(count(ten())))
            ends(use(louds(3)))
            print(ends(count(louds(3))))
            it = louds(4)
            print(ends(leave(it)))
            try:
                it.aclose().send(None)
            except StopIteration:
                print("end")
        """)


if __name__ == "__main__":
    unittest.main()

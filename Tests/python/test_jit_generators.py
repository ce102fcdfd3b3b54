"""Generators, loops over iterators and comprehensions in machine code.

Each program runs often enough to be compiled, then meets what its guards exclude, and must
print what it prints in the interpreter. Where the interpreter alone would not notice a mistake
that both modes share, the expected output stands in the test."""
import os
import subprocess
import sys
import textwrap
import unittest


def run(text, mode):
    env = dict(os.environ, PYTHONHASHSEED="0", SPRINGBOARD_JIT=mode)
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], env=env,
                          capture_output=True, text=True, timeout=300)
    return done.stdout, done.stderr, done.returncode


PRELUDE = """
import gc, re, sys, threading, traceback
class Loud:
    def __init__(self, name): self.name = name
    def __repr__(self): return "<%s>" % self.name
    def __del__(self): print("gone", self.name)
def plain(value):
    return re.sub("(at|for) 0x[0-9a-f]+", "", repr(value))
def attempt(function, *args):
    try:
        print(function.__name__, plain(function(*args)))
    except BaseException as e:
        shown, tb = [], e.__traceback__.tb_next
        while tb is not None:
            shown.append((tb.tb_frame.f_code.co_name,
                          tb.tb_lineno - tb.tb_frame.f_code.co_firstlineno))
            tb = tb.tb_next
        print(function.__name__, type(e).__name__, plain(e), plain(e.__context__), shown)
def warm(function, *args):
    for _ in range(700):
        function(*args)
def total(iterable):
    n = 0
    for x in iterable:
        n += x
    return n
def collect(iterable):
    found = []
    for x in iterable:
        found.append(x)
    return found
"""


class Case(unittest.TestCase):
    maxDiff = None

    def check(self, text, expected=None):
        text = PRELUDE + textwrap.dedent(text)
        out, err, code = run(text, "off")
        self.assertEqual(code, 0, err)
        self.assertNotEqual(out, "")
        if expected is not None:
            self.assertEqual(out, textwrap.dedent(expected).lstrip())
        for mode in "eager", "on":
            self.assertEqual(run(text, mode), (out, err, code), mode)


class Generators(Case):
    def test_all_ways_to_resume(self):
        self.check("""
            def numbers(n):
                for i in range(n):
                    yield i
            def halves(n):
                x = 0.5
                while x < n:
                    yield x
                    x += 1.0
            def some(items):
                for x in items:
                    if x:
                        yield x
                    else:
                        continue
            def by_next(n):
                g, s = numbers(n), 0
                for i in range(n):
                    s += next(g)
                return s, next(g, "end")
            def by_send(n):
                def echo():
                    got = yield "first"
                    while True:
                        got = yield got, "x"
                g = echo()
                found = [next(g)]
                for i in range(n):
                    found.append(g.send(i))
                return found
            for _ in range(2):
                print(total(numbers(5000)), sum(numbers(5000)), len(list(numbers(5000))))
                print(total(halves(2000)), sum(halves(2000)), max(halves(10)))
                print(collect(some([0, 1, "", "a", None, 2.5, True, [0]] * 3)), by_next(3000))
                print(by_send(400)[-3:])
                print(total(x * x for x in numbers(3000)))
            big = 1 << 62
            print(collect(numbers(3)), collect(halves(3)), total([big, big, 0.5]))
            """)

    def test_a_return_value(self):
        self.check("""
            def g(n):
                for i in range(n):
                    yield i
                return "the end", n
            def outer(n):
                value = yield from g(n)
                yield value
            def f(n):
                it, s = g(n), 0
                while True:
                    try:
                        s += next(it)
                    except StopIteration as e:
                        return s, e.value
            warm(f, 20)
            print(f(10), collect(outer(5)), collect(g(3)))
            it = g(2)
            print(collect(it), collect(it), next(it, "exhausted"))
            """, """
            (45, ('the end', 10)) [0, 1, 2, 3, 4, ('the end', 5)] [0, 1, 2]
            [0, 1] [] exhausted
            """)

    def test_exceptions_leave_by_the_loop(self):
        self.check("""
            def g(n, wrong):
                for i in range(n):
                    yield i
                    if i == wrong:
                        raise KeyError(i)
            def f(n, wrong):
                s = 0
                try:
                    for x in g(n, wrong):
                        s += x
                except KeyError as e:
                    return "caught", s, e.args, e.__traceback__.tb_next.tb_frame.f_code.co_name
                return s
            def loose(n, wrong):
                for x in g(n, wrong):
                    pass
            def stop(n):
                yield n
                raise StopIteration("inner")
            def loops(n):
                for x in stop(n):
                    pass
            warm(f, 10, None)
            warm(loose, 10, None)
            print(f(10, None), f(10, 5), f(10, 0))
            attempt(loose, 10, 7)
            attempt(loops, 3)
            for i in range(300):
                f(10, 5)
            attempt(f, 10, 9)
            attempt(loose, 10, 9)
            attempt(loops, 3)
            attempt(total, 5)
            """)

    def test_the_handled_exception_is_the_generators_own(self):
        self.check("""
            def g():
                yield sys.exc_info()[1]
                try:
                    raise KeyError("g")
                except KeyError:
                    yield sys.exc_info()[1]
                    yield sys.exc_info()[1]
                yield sys.exc_info()[1]
            def f():
                found = []
                try:
                    raise ValueError("f")
                except ValueError:
                    for e in g():
                        found.append((e, sys.exc_info()[1]))
                found.append(sys.exc_info()[1])
                return found
            warm(f)
            for pair in f():
                print(pair)
            print(sys.exc_info())
            """, """
            (ValueError('f'), ValueError('f'))
            (KeyError('g'), ValueError('f'))
            (KeyError('g'), ValueError('f'))
            (ValueError('f'), ValueError('f'))
            None
            (None, None, None)
            """)

    def test_closed_and_thrown_into(self):
        self.check("""
            def g(name):
                held = Loud(name + " held")
                try:
                    for i in range(1000000):
                        try:
                            yield i
                        except ValueError as e:
                            yield "caught", str(e)
                finally:
                    print("finally", name)
                    del held
                    print("end", name)
            def breaks(n):
                for x in g("broken"):
                    if x == n:
                        break
                print("behind the loop")
            def closes(n):
                it = g("closed")
                for x in it:
                    if x == n:
                        it.close()
                print("closed", it.gi_frame)
            def throws(n):
                it, found = g("thrown"), []
                for x in it:
                    if x == n:
                        found.append(it.throw(ValueError("in")))
                    elif x == n + 2:
                        found.append(x)
                        it.throw(KeyError("out"))
                return found
            for i in range(3):
                breaks(2000)
                closes(2000)
                attempt(throws, 2000)
            """)

    def test_recursion(self):
        self.check("""
            class Tree:
                def __init__(self, left, value, right):
                    self.left, self.value, self.right = left, value, right
                def __iter__(self):
                    if self.left is not None:
                        for x in self.left:
                            yield x
                    yield self.value
                    if self.right is not None:
                        yield from self.right
            def tree(low, high):
                if low == high:
                    return None
                middle = (low + high) // 2
                return Tree(tree(low, middle), middle, tree(middle + 1, high))
            for i in range(4):
                print(total(tree(0, 1000)), collect(tree(0, 12)))
            def deep(n):
                if n:
                    for x in deep(n - 1):
                        yield x + 1
                else:
                    yield 0
            for n in 10, 50, 200, 400:
                print(collect(deep(n)), total(deep(n)))
            def endless(n):
                for x in endless(n + 1):
                    yield x
            def overflow():
                try:
                    return total(endless(0))
                except RecursionError as e:
                    return str(e)
            print(overflow(), overflow(), collect(deep(300)))
            sys.setrecursionlimit(30000)
            print(total(deep(20000)))
            def itself():
                yield 1
                for x in me:
                    yield x
            me = itself()
            attempt(collect, me)
            """)

    def test_the_frame_tells_the_truth(self):
        self.check("""
            def look(it):
                f = it.gi_frame
                return it.gi_running, f.f_lineno - f.f_code.co_firstlineno, dict(f.f_locals), \\
                    f.f_back
            def g(n):
                x, f = 0, 0.5
                for i in range(n):
                    x += i
                    f += 1.5
                    yield x
            def f(n):
                it, seen = g(n), None
                for x in it:
                    if x > n * 3:
                        seen = look(it)
                        seen[2].pop("it", None)
                return seen
            print(f(3000), f(3000))
            def inner(n):
                for i in range(n):
                    yield i if i % 500 else sys._getframe()
            def outer(n):
                found, it = [], inner(n)
                for x in it:
                    if type(x) is not int:
                        found.append((x.f_back, x.f_locals["i"], it.gi_running))
                return found
            print(outer(2000), outer(2000))
            def callers(n):
                for i in range(n):
                    if i % 500 == 0:
                        f, names = sys._getframe(), []
                        while f is not None:
                            names.append((f.f_code.co_name, f.f_lineno - f.f_code.co_firstlineno))
                            f = f.f_back
                        print(names[:-1], it.gi_running)
                    yield i
            for _ in range(2):
                it = callers(2000)
                print(total(it))
            """)

    def test_tracing_is_switched_on_within(self):
        self.check("""
            events = []
            def trace(frame, event, arg):
                if frame.f_code.co_name in ("g", "f", "consume", "plain_loop"):
                    events.append((frame.f_code.co_name, event,
                                   frame.f_lineno - frame.f_code.co_firstlineno,
                                   arg if not isinstance(arg, tuple) else arg[0].__name__))
                return trace
            def trace_callers(frame):
                while frame is not None:
                    frame.f_trace = trace
                    frame = frame.f_back
            def g(n, at):
                for i in range(n):
                    if i == at:
                        trace_callers(sys._getframe())
                        sys.settrace(trace)
                    yield i
                    if i == at + 2:
                        sys.settrace(None)
            def consume(n, at):
                s = 0
                for x in g(n, at):
                    s += x
                return s
            for _ in range(300):
                consume(20, -5)
            print(consume(20, 10), events)
            events.clear()
            print(consume(20, 17), events)
            sys.settrace(None)
            events.clear()
            class It:
                def __iter__(self): return self
                n = 0
                def __next__(self):
                    self.n += 1
                    if self.n == 1500:
                        trace_callers(sys._getframe())
                        sys.settrace(trace)
                    if self.n == 1502:
                        sys.settrace(None)
                    if self.n > 1600:
                        raise StopIteration
                    return self.n
            def plain_loop():
                s = 0
                for a, b in zip(It(), range(10000)):
                    s += a
                return s
            print(plain_loop(), events)
            """)

    def test_suspended_ones_are_collected(self):
        self.check("""
            def g(me):
                held = Loud("held")
                for i in range(100000):
                    yield me, i
            def cycle(n):
                box = []
                it = g(box)
                box.append(it)
                k = 0
                for b, i in it:
                    k += 1
                    if k == n:
                        break
            for i in range(3):
                cycle(3000)
                print("cycle made")
                gc.collect()
            def held(n):
                items = [object() for _ in range(10)]
                def each():
                    for x in items:
                        yield x
                counts = []
                for x in each():
                    gc.collect() if n == 0 else None
                    counts.append(sys.getrefcount(x))
                return counts
            warm(held, 1)
            print(held(1), held(0))
            """)

    def test_in_threads(self):
        self.check("""
            def g(n):
                for i in range(n):
                    yield i
            found = []
            def work():
                for i in range(20):
                    found.append(total(g(5000)))
            threads = [threading.Thread(target=work) for _ in range(4)]
            for t in threads: t.start()
            for t in threads: t.join()
            print(len(found), set(found))
            def shared(n):
                for i in range(n):
                    yield i
            it = shared(20000)
            lock, got = threading.Lock(), []
            def takes():
                mine = []
                while True:
                    with lock:
                        x = next(it, None)
                    if x is None:
                        break
                    mine.append(x)
                got.extend(mine)
            threads = [threading.Thread(target=takes) for _ in range(4)]
            for t in threads: t.start()
            for t in threads: t.join()
            print(sorted(got) == list(range(20000)))
            """)

    def test_calls_from_generators(self):
        self.check("""
            class P:
                def __init__(self, v): self.v = v
                def add(self, x, y=1): return self.v + x + y
            def two(a, b):
                c = [a, b]
                return c
            def fails(i):
                if i == 7:
                    raise KeyError(i)
                return i
            def depth(n):
                f = sys._getframe()
                names = []
                while f is not None:
                    names.append(f.f_code.co_name)
                    f = f.f_back
                return n if n % 500 else names
            def nested(n):
                return n + total(inner(3, n))
            def inner(n, m):
                for i in range(n):
                    yield fails(0) + m
            def g(p, n):
                for i in range(n):
                    yield p.add(i, 2)
                    yield two(i, p)[0]
                    yield fails(i % 6)
                    yield nested(i)
            def names(n):
                for i in range(n):
                    got = depth(i)
                    if type(got) is list:
                        yield got[:-1]
            def raising(n):
                for i in range(n):
                    try:
                        yield fails(i)
                    except KeyError:
                        yield "caught"
                yield fails(7)
            def recursive(n):
                def down(k):
                    return 0 if k == 0 else 1 + total(recursive(k - 1))
                yield down(n)
            p = P(5)
            before = sys.getrefcount(p)
            for i in range(3):
                print(total(g(p, 500)), sum(g(p, 300)), collect(names(1001)))
                attempt(collect, raising(20))
                print(collect(recursive(100)), collect(recursive(5)))
            print(sys.getrefcount(p) == before)
            two = lambda a, b: (b, a)
            print(collect(g(P(0.5), 2))[0])
            del fails
            attempt(collect, g(p, 2))
            """)

    def test_generators_are_made(self):
        self.check("""
            def g(a, b): yield a; yield b
            def d(a, b=5): yield a; yield b
            def k(a, *, b=7): yield a; yield b
            def v(*a): yield a
            def c(a):
                def inner(): return a
                yield inner
            class M:
                def __init__(self): self.x = 1
                def each(self, n):
                    for i in range(n): yield self.x + i
                @staticmethod
                def still(n): yield n
            def make(f, a, b):
                return f(a, b)
            def use(f, a, b):
                found = []
                for x in f(a, b):
                    found.append(x)
                return found
            def one(f, a):
                found = []
                for x in f(a):
                    found.append(x)
                return found
            def methods(m, n):
                return collect(m.each(n)), collect(M.each(m, n)), collect(m.still(n)), \
                    [x for x in m.each(2)], sum(x * n for x in m.each(3))
            def names(f):
                it = f(1, 2)
                return it.__name__, it.__qualname__, it.gi_code is f.__code__, \
                    it.gi_frame.f_lineno - it.gi_code.co_firstlineno, it.gi_frame.f_locals, \
                    it.gi_running, it.gi_frame.f_back
            warm(use, g, 1, 2)
            warm(one, d, 1)
            warm(methods, M(), 3)
            warm(names, g)
            warm(make, g, 1, 2)
            print(use(g, 1, 2.5), use(g, [], 1 << 70), methods(M(), 4), names(g), one(d, 2))
            for f in g, d, k, v, c, lambda a, b: (b, a), 5:
                attempt(use, f, 3, 4)
                attempt(one, f, 3)
            x = object()
            before = sys.getrefcount(x), sys.getrefcount(g)
            for i in range(500):
                make(g, x, 2)
                use(g, x, x)
                it = make(g, x, x)
                next(it)
                it = None
            print((sys.getrefcount(x), sys.getrefcount(g)) == before)
            def never():
                it = make(g, Loud("argument"), 1)
                print("made")
                del it
                print("dropped")
            never()
            gc.collect()
            live = [make(g, [i], i) for i in range(2000)]
            gc.collect()
            print(sum(next(it)[0] for it in live))
            """)

    def test_delegation(self):
        self.check("""
            def inner(n):
                got = []
                try:
                    for i in range(n):
                        got.append((yield i))
                except KeyError as e:
                    return "threw", e.args
                finally:
                    print("inner ends")
                return got
            def outer(n):
                value = yield from inner(n)
                yield value
                return "outer"
            def deeper(n):
                return (yield from outer(n))
            def run(n, how):
                it = deeper(n)
                found = [next(it)]
                try:
                    while True:
                        if how == "throw" and len(found) == 3:
                            found.append(it.throw(KeyError(5)))
                        elif how == "close" and len(found) == 3:
                            it.close()
                            found.append(it.gi_frame)
                            break
                        else:
                            found.append(it.send(len(found)))
                except StopIteration as e:
                    found.append(e.value)
                return found
            for i in range(100):
                for how in "send", "throw", "close":
                    found = run(6, how)
                    if i % 49 == 0:
                        print(how, found)
            def over(items):
                yield from items
            for items in [1, 2], "ab", {1: 2}, (x for x in "gen"), range(3), map(str, [1]), inner(2):
                print(collect(over(items)))
            for i in range(300):
                collect(over(inner(1)))
            attempt(collect, over(5))
            def fails():
                yield 1
                raise OSError("fails")
            for i in range(300):
                try:
                    collect(over(fails()))
                except OSError as e:
                    pass
            attempt(collect, over(fails()))
            """)

    def test_top_level_await(self):
        """A coroutine whose names are globals."""
        self.check("""
            import ast, types
            async def value(i): return i
            code = compile("x = 0\\nfor i in range(3): x += await value(i)", "top", "exec",
                           flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            space = {"value": value}
            function = types.FunctionType(code, space)
            async def calls():
                for i in range(100): await function()
                return space["x"]
            def run():
                coro = calls()
                try: coro.send(None)
                except StopIteration as e: return e.value
            warm(run)
            print(run())
            """)

    def test_references(self):
        self.check("""
            def g(items):
                for x in items:
                    y = x
                    yield y
            def h(items):
                for x in items:
                    got = yield x
                    del x
            def consume(items):
                for x in g(items): pass
                for x in h(items): pass
                for x in (y for y in items if y is not None): pass
                return [y for y in items if y is not None]
            items = [object() for _ in range(5)]
            before = [sys.getrefcount(x) for x in items]
            warm(consume, items)
            print([sys.getrefcount(x) for x in items] == before, sys.getrefcount(items))
            none, small = sys.getrefcount(None), sys.getrefcount(7)
            def numbers(n):
                for i in range(n):
                    yield 7
            def many():
                for x in numbers(1000): pass
                k = [7 for i in range(1000)]
                k = [i & 7 for i in range(1000)]
                k[3] = 7
                m = {7: 7}
                for i in range(1000): m[7] = i & 7
            for i in range(100): many()
            print(abs(sys.getrefcount(None) - none) < 50, abs(sys.getrefcount(7) - small) < 50)
            """, """
            True 2
            True True
            """)

    def test_destructors_run_where_they_do_in_the_interpreter(self):
        self.check("""
            def g(n):
                for i in range(n):
                    yield Loud(i) if i % 400 == 0 else i
            def f(n):
                for x in g(n):
                    if x == 401 or x == 799:
                        print("at", x)
                print("done", x)
            f(900)
            f(900)
            def pairs(n):
                for i in range(n):
                    yield Loud(("a", i)), i
            def h(n):
                for a, b in pairs(n):
                    print("round", b)
            warm(lambda: None)
            h(3)
            def takes(it):
                for x in it:
                    x = None
                    print("next")
            takes(Loud(i) for i in range(3))
            """)


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
            def ends(coro):
                try:
                    coro.send(None)
                except StopIteration:
                    pass
            warm(lambda: ends(use(quick(3))))
            it = slow()
            first, second = use(it), use(it)
            print(first.send(None), it.ag_running, it.ag_await is not None)
            attempt(second.send, None)
            attempt(first.send, None)
            print(it.ag_running)
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
            def ends(coro):
                try:
                    coro.send(None)
                except StopIteration as stop:
                    return stop.value
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
            def ends(coro):
                try:
                    coro.send(None)
                except StopIteration as stop:
                    return stop.value
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
            def ends(coro):
                try:
                    coro.send(None)
                except StopIteration as stop:
                    return stop.value
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


class Loops(Case):
    def test_iterators_of_c(self):
        self.check("""
            d = {i: str(i) for i in range(50)}
            def it(make):
                found = []
                for x in make():
                    found.append(x)
                return found
            def pairs(make):
                s = []
                for a, b in make():
                    s.append(b)
                    s.append(a)
                return s
            iterables = [lambda: d, d.keys, d.values, d.items, lambda: enumerate("abc" * 9),
                         lambda: zip("ab", range(5)), lambda: set(range(30)), lambda: "text",
                         lambda: "\\u1234x", lambda: b"bytes", lambda: reversed([1, 2, 3]),
                         lambda: map(str, range(5)), lambda: filter(None, [0, 1, 2]),
                         lambda: iter([]), lambda: (), lambda: range(3), lambda: [1, 2],
                         lambda: (x for x in "gen"), lambda: iter([1, 2, 0, 3].pop, 0)]
            for make in iterables:
                warm(it, make)
                print(it(make))
            for make in iterables[3:6]:
                warm(pairs, make)
                print(pairs(make))
                for other in iterables[3:6]:
                    print(pairs(other))
            """)

    def test_items_are_kept_apart(self):
        self.check("""
            def keep(it):
                kept = []
                for x in it:
                    kept.append(x)
                return kept
            def use(it):
                s = 0
                for a, b in it:
                    s += b
                return s
            def both(it):
                for pair in it:
                    a, b = pair
                    yield pair, b
            d = {i: i + 1 for i in range(5)}
            for f in keep, use, lambda it: list(both(it)):
                for make in d.items, lambda: zip("abc", [7, 8, 9]), lambda: enumerate([300, 400]):
                    for _ in range(500):
                        f(make())
                    print(f(make()))
            """)

    def test_enumerate(self):
        self.check("""
            def f(items, start=0):
                found = []
                for i, x in enumerate(items, start):
                    found.append((i, x))
                return found
            def plain_sum(items):
                s = 0
                for i, x in enumerate(items):
                    s += i * x
                return s
            def to_globals(items):
                global gi, gx
                for gi, gx in enumerate(items):
                    pass
                return gi, gx
            def to_cells(items):
                for i, x in enumerate(items):
                    def inner(): return i, x
                return inner()
            def nested(items):
                s = []
                for i, (a, b) in enumerate(items):
                    s.append((i, a, b))
                return s
            def keeps(items):
                s = []
                for pair in enumerate(items):
                    i, x = pair
                    s.append(pair)
                return s
            class E(enumerate):
                pass
            class N(enumerate):
                def __next__(self): return "own", super().__next__()
            def any_pairs(it):
                s = []
                for i, x in it:
                    s.append((i, x))
                return s
            for function in f, plain_sum, to_globals, to_cells, keeps:
                warm(function, [1, 2, 3])
                attempt(function, [4, 5])
                attempt(function, [1.5, 1 << 70])
            warm(nested, [(1, 2)])
            print(nested([(1, 2), "ab", [3, 4]]))
            attempt(nested, [(1, 2), 3])
            for start in 5, -3, sys.maxsize - 1, (1 << 62) - 2, -1 << 62, 1 << 70, True:
                print(f("abc", start))
            attempt(f, 5)
            def wrong():
                yield 1
                raise KeyError("wrong")
            attempt(f, wrong())
            warm(any_pairs, enumerate("a"))
            for it in (enumerate("ab"), E("ab"), N("ab"), zip("a", "b"), [(1, 2)], {(1, 2): 3},
                       enumerate(())):
                attempt(any_pairs, it)
            def louds(n):
                for i in range(n):
                    yield Loud(i)
            def destroyed(n):
                for i, x in enumerate(louds(n)):
                    print("round", i)
                    x = None
                    print("dropped", i)
            for i in range(2):
                destroyed(300)
            e = enumerate("abcdef")
            def partly(e):
                for i, x in e:
                    if i == 2:
                        return x
            print(partly(e), next(e), f(e), plain(e.__reduce__()))
            k = object()
            before = sys.getrefcount(k)
            warm(f, [k, k])
            print(sys.getrefcount(k) == before)
            def tracer(frame, event, arg):
                if event == "line":
                    lines.append(frame.f_lineno - frame.f_code.co_firstlineno)
                return tracer
            def switches(n):
                for i, x in enumerate(range(n)):
                    if i == n - 3:
                        sys._getframe().f_trace = tracer
                        sys.settrace(tracer)
                    y = x
                sys.settrace(None)
            for n in 2000, 20:
                lines = []
                switches(n)
                print(lines)
            """)

    def test_errors_of_iterators(self):
        self.check("""
            def loop(it):
                n = 0
                for x in it:
                    n += 1
                return n
            def wrong(x):
                if x == 3:
                    raise KeyError(x)
                return x
            class Stops:
                def __init__(self, how): self.how, self.n = how, 0
                def __iter__(self): return self
                def __next__(self):
                    self.n += 1
                    if self.n > 5:
                        raise self.how
                    return self.n
            class Ends(StopIteration): pass
            def changing(d):
                for k in d:
                    d[k + 100] = 1
            warm(loop, {1: 2})
            warm(loop, map(str, "ab"))
            for i in range(3):
                attempt(loop, map(wrong, range(10)))
                attempt(loop, map(wrong, range(2)))
                attempt(loop, zip(Stops(Ends("x")), range(10)))
                attempt(loop, zip(Stops(KeyError("x")), range(10)))
                attempt(loop, Stops(Ends("y")))
                attempt(loop, Stops(ValueError))
                attempt(changing, {1: 2, 3: 4})
                attempt(loop, 5)
                attempt(loop, map(1, "ab"))
            """)

    def test_a_running_loop_is_entered_with_ints_of_both_forms(self):
        self.check("""
            def distance(a, b):
                row = list(range(len(b) + 1))
                for i, x in enumerate(a, 1):
                    last, row[0] = row[0], i
                    for j, y in enumerate(b, 1):
                        last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
                return row[-1]
            def late(items, n):
                total = n
                for k in range(n):
                    if k > n - 3:
                        seen = items[0]
                    for x in items:
                        total += x
                        last = x
                        if k > n - 2:
                            total += seen
                    total -= last
                return total
            for n in 3, 30:
                print(distance("kitten sitting" * n, "sitting on the mat" * n))
                for items in [1, 2, 300], [1 << 62, 5], [1.5, 2]:
                    print(late(items, 700), late(items, 5))
            """)

    def test_a_loop_in_a_loop(self):
        self.check("""
            def f(d, n):
                s = 0
                for k, v in d.items():
                    for i, x in enumerate(v):
                        for c in x:
                            s += i + n if c > "b" else 1
                    else:
                        s += 1000
                return s
            d = {i: ["abc", "b", "", "xyz"] for i in range(20)}
            warm(f, d, 2)
            print(f(d, 2), f(d, 2.5), f({}, 1), f({1: "abc"}, 1))
            attempt(f, d, "x")
            def g(n):
                for i in range(n):
                    for k in {1: 2, 3: 4}:
                        try:
                            if k == i:
                                continue
                            yield k
                        except ValueError:
                            yield -1
            warm(lambda: total(g(10)))
            print(collect(g(3)))
            """)


class Comprehensions(Case):
    def test_lists(self):
        self.check("""
            def f(items, n):
                return [x for x in items], [x + n for x in items], [n for x in items], \\
                    [[y for y in range(3)] for x in items if x], [x * 0.5 for x in items]
            warm(f, [1, 2, 3], 5)
            for items in ([1, 2, 300], (1.5, 2), range(2), {1: 2}, [1 << 62, 1 << 70, True],
                          [], iter([1]), [1, 2.5, 10 ** 9]):
                attempt(f, items, 3)
                attempt(f, items, 1 << 61)
            attempt(f, ["a"], 1)
            attempt(f, None, 1)
            def long(n): return [i for i in range(n)], [i * i for i in range(n)]
            print(len(long(100000)[0]), long(5), sum(long(3000)[1]))
            def same(x): return [x for i in range(3)]
            warm(same, 5)
            a = same(1000)
            print(a[0] is a[1], same("a")[0] is same("a")[1])
            """)

    def test_sets_and_dicts(self):
        self.check("""
            def f(items, n):
                return {x for x in items}, {x: n for x in items}, {n: x for x in items}
            warm(f, [1, 2, 3], 5)
            class Key:
                def __init__(self, n): self.n = n
                def __hash__(self): return self.n
                def __eq__(self, other): print("eq", self.n); return True
                def __repr__(self): return "Key"
            for items in ([1, 2, 300], (1.5, 2), range(2), "abc", [], [[]], [Key(1), Key(1)],
                          [1 << 62, True, 1.0, 1]):
                attempt(f, items, 3)
                attempt(f, items, 2.5)
                attempt(f, items, [])
            k = object()
            before = sys.getrefcount(k)
            warm(f, [k, k, 2], 3)
            warm(f, [2], k)
            print(sys.getrefcount(k) == before)
            """)

    def test_displays(self):
        self.check("""
            def f(a, b):
                return (a, b), [a, b], (a, b, 3, 2.5), [a + b, a * 2], ()
            warm(f, 1, 2)
            print(f(1, 2), f(1.5, 300), f(1 << 62, 1 << 62), f("a", "b"))
            attempt(f, None, 1)
            def g(a):
                x = (a, a)
                y = [a, a]
                return x[0] is x[1], y[0] is y[1], x[0] is y[0]
            warm(g, 5000)
            print(g(6000), g(6.5), g("a"))
            k = object()
            before = sys.getrefcount(k)
            def h(k): return (k, [k, (k, k)])
            warm(h, k)
            print(sys.getrefcount(k) == before)
            def swap(a, b, n):
                for i in range(n):
                    a, b = b, a
                return a, b
            print(swap(1, "x", 3001), gc.is_tracked((k, [])))
            """)


class Delegates(Case):
    """Of a chain of generators that delegate only the innermost runs when it is resumed."""

    CHAIN = """
        import inspect
        def flat(n, act=None):
            for i in range(n):
                got = yield i
                if got is not None:
                    if callable(got):
                        got(i)
                    else:
                        print("got", got)
            return "flat", n
        def chain(depth, n):
            if depth:
                value = yield from chain(depth - 1, n)
            else:
                value = yield from flat(n)
            return value[0], value[1] + 1
        class Awaited:
            def __init__(self, it): self.it = it
            def __await__(self): return (yield from self.it)
        async def waits(depth, it):
            return await waits(depth - 1, it) if depth else await Awaited(it)
        for _ in range(40):
            collect(chain(5, 40)); sum(chain(3, 20)); list(waits(3, flat(20)).__await__())
        def callers():
            frame, found = sys._getframe(1), []
            while frame is not None:
                code = frame.f_code
                found.append((code.co_name, frame.f_lineno - code.co_firstlineno))
                frame = frame.f_back
            return found
        """

    def check(self, text, expected=None):
        super().check(textwrap.dedent(self.CHAIN) + textwrap.dedent(text), expected)

    def test_values_pass_through(self):
        self.check("""
            def ends(it):
                value = yield from it
                print("value", value)
            for depth in 0, 1, 2, 30, 31, 32, 33, 64, 70:
                print(depth, total(ends(chain(depth, 10))), collect(chain(depth, 3)))
            c = chain(40, 10)
            print(next(c), c.send("a"), c.send(None), c.send(["b"]), c.send(7), c.send(0.5))
            w = waits(3, flat(4))
            try:
                while True:
                    print(w.send(None))
            except StopIteration as e:
                print(e.value)
            """)

    def test_frames_tell_the_truth(self):
        self.check("""
            def look(i):
                print(callers())
                frame, seen = sys._getframe(2), []
                while frame.f_code is chain.__code__:
                    seen.append((frame.f_lasti, sorted(frame.f_locals)))
                    frame = frame.f_back
                print(seen)
                print(inspect.getgeneratorstate(middle), inspect.getgeneratorstate(c))
                print(middle.gi_running, plain(middle.gi_yieldfrom), middle.gi_frame.f_lineno)
                for again in c, middle:
                    attempt(next, again)
            c = chain(4, 10)
            next(c); next(c)
            middle = c.gi_yieldfrom.gi_yieldfrom
            print(c.send(look), plain(middle.gi_yieldfrom), inspect.getgeneratorstate(middle))
            print(collect(c))
            """)

    def test_exceptions(self):
        self.check("""
            def fails(n):
                for i in range(n):
                    yield i
                raise KeyError("end")
            def passes(depth, n):
                if depth:
                    return (yield from passes(depth - 1, n))
                yield from fails(n)
            def catches(depth, n):
                try:
                    yield from passes(depth, n)
                except KeyError as e:
                    tb, lines = e.__traceback__, []
                    while tb is not None:
                        code = tb.tb_frame.f_code
                        lines.append((code.co_name, tb.tb_lineno - code.co_firstlineno, tb.tb_lasti))
                        tb = tb.tb_next
                    yield lines
                    yield from passes(0, 1)
                finally:
                    print("finally")
            def outer(depth, n):
                yield from catches(depth, n)
            for depth in 0, 3, 40:
                attempt(collect, outer(depth, 3))
            def stops():
                yield 1
                raise StopIteration("no")
            def around(it):
                yield from it
            attempt(collect, around(around(stops())))
            c = around(around(chain(3, 9)))
            print(next(c), next(c))
            attempt(c.throw, ValueError("thrown"))
            attempt(next, c)
            c = outer(3, 9)
            print(next(c), next(c), c.close(), collect(c))
            def exhausted_elsewhere():
                inner = chain(1, 3)
                c = around(around(inner))
                return next(c), collect(inner), collect(c)
            print(exhausted_elsewhere())
            """)

    def test_what_is_handled(self):
        self.check("""
            def shows(n):
                for i in range(n):
                    print(i, plain(sys.exc_info()[1]))
                    yield i
            def handling(it, name):
                try:
                    raise KeyError(name)
                except KeyError:
                    yield from it
                print("after", plain(sys.exc_info()[1]))
            def around(it):
                yield from it
                print("around", plain(sys.exc_info()[1]))
            def consume(it):
                for x in it:
                    print("out", plain(sys.exc_info()[1]))
            consume(around(handling(around(handling(shows(3), "in")), "out")))
            consume(handling(around(shows(2)), "one"))
            try:
                1 / 0
            except ZeroDivisionError:
                consume(around(handling(around(shows(2)), "one")))
            """)

    def test_observed_from_within(self):
        self.check("""
            seen = []
            def note(frame, event, arg):
                code = frame.f_code
                if code in (chain.__code__, flat.__code__):
                    seen.append((code.co_name, frame.f_lineno - code.co_firstlineno, event))
                return note
            for switch in sys.setprofile, sys.settrace:
                for depth in 0, 3:
                    c = chain(depth, 6)
                    print(next(c), next(c), c.send(lambda i: switch(note)), next(c))
                    switch(None)
                    print(next(c), seen)
                    seen.clear()
            """)

    def test_how_deep(self):
        self.check("""
            def deep(it, n):
                for _ in range(n):
                    it = chain_over(it)
                return it
            def chain_over(it):
                yield from it
            sys.setrecursionlimit(300)
            print(total(deep(flat(10), 250)))
            c = deep(flat(10), 250)
            print(next(c), next(c))
            def further(n, f):
                return further(n - 1, f) if n else f()
            def attempt_next():
                try:
                    return next(c)
                except RecursionError as e:
                    return "RecursionError"
            print(further(100, attempt_next), collect(c))
            class Down:
                def __init__(self, n): self.n = n
                def __iter__(self):
                    if self.n:
                        yield from Down(self.n - 1)
                    yield self.n
            print(total(Down(80)))
            """)

    def test_destroyed_in_order(self):
        self.check("""
            def holds(depth):
                loud = Loud(depth)
                if depth:
                    yield from holds(depth - 1)
                else:
                    yield "bottom"
                yield depth
            for x in holds(4):
                print(x)
            c = holds(3)
            print(next(c))
            del c
            print("end")
            """)


if __name__ == "__main__":
    unittest.main()

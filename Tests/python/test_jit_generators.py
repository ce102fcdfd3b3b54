"""Generators, and those that delegate, in machine code, as jit_generator_cases.py checks them."""
import os
import textwrap
import unittest
import unittest.mock

from jit_cases import run
from jit_generator_cases import Case

LONG = "many programs, each in several modes"


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

    def test_places_that_are_no_more(self):
        # A generator that machine code has left goes on elsewhere, or not at all.
        self.check("""
            def g(n):
                for i in range(n):
                    yield i
            def sums(n):
                x = None
                for i in range(n):
                    x = yield (i if x is None else (i, x))
            def some(it, n):
                s = 0
                for x in it:
                    s += x
                    n -= 1
                    if n == 0:
                        break
                return s
            warm(lambda: some(g(10), 20))
            def left():
                it = g(1000000)
                some(it, 50)
                return it
            it = left()
            it.close()
            print(some(it, 5), it.gi_frame)
            attempt(next, it)
            it = left()
            attempt(it.throw, KeyError("in"))
            print(some(it, 5), it.gi_running)
            it = left()
            it.gi_frame.clear()
            print(some(it, 5), it.gi_frame)
            # It is traced from here on, and no longer.
            events = []
            def trace(frame, event, arg):
                if frame.f_code.co_name in ("g", "some"):
                    events.append((frame.f_code.co_name, event,
                                   frame.f_lineno - frame.f_code.co_firstlineno))
                return trace
            it = left()
            sys.settrace(trace)
            some(it, 2)
            sys.settrace(None)
            print(events, some(it, 5), next(it))
            sys.setprofile(lambda frame, event, arg: events.append((event, arg)))
            some(it, 2)
            sys.setprofile(None)
            print(len(events), some(it, 5), next(it))
            # Its code is compiled anew meanwhile.
            def kinds(values):
                s = 0
                for x in values:
                    s = s + x
                    yield s
            def last(it, n):
                for x in it:
                    n -= 1
                    if n == 0:
                        break
                return x
            warm(lambda: last(kinds([1, 2, 3, 4]), 9))
            many = [kinds([i] * 1000) for i in range(50)]
            for it in many:
                last(it, 20)
            for step in 0.5, 1 << 70, 2.5, 3j:
                for _ in range(50):
                    warm(lambda: last(kinds([step] * 4), 9))
                    if _ % 10 == 0:
                        print(sum(last(it, 3) for it in many))
            class Num:
                def __init__(self, n): self.n = n
                def __add__(self, other): return Num(self.n + getattr(other, "n", other))
                def __radd__(self, other): return Num(self.n + other)
            warm(lambda: last(kinds([Num(1)] * 4), 9))
            print(sum(last(it, 3) for it in many), {sum(it) for it in many} == set())
            # What is sent to a variable that has an object.
            def sends(n):
                it, found = sums(n), []
                next(it)
                for i in range(n - 1):
                    found.append(it.send(i if i % 3 else [i]))
                return found
            warm(lambda: sends(5))
            print(sends(7))
            # A variable is taken away from it.
            try:
                import ctypes
            except ImportError:
                pass
            else:
                it = left()
                frame = it.gi_frame
                frame.f_locals["i"] = "other"
                ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 1)
                print(frame.f_locals["i"], some(it, 5))
                def reads(n):
                    while True:
                        yield 1
                        n = n + 1
                warm(lambda: some(reads(3), 9))
                it = reads(1)
                print(some(it, 50))
                frame = it.gi_frame
                print(frame.f_locals.pop("n"))
                ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 1)
                attempt(next, it)
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

    def test_tracing_is_switched_on_while_frames_are_shown(self):
        with unittest.mock.patch.dict(os.environ, PYTHONPERFSUPPORT="1"):
            self.test_tracing_is_switched_on_within()

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
            import threading
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

    def test_what_an_ended_one_refers_to(self):
        self.check("""
            class Name(str):
                def __del__(self):
                    f = sys._getframe(1)
                    print("gone", self, f.f_code.co_name, f.f_locals["i"])
            def one(x):
                yield x
            def rounds(n, make):
                last = None
                for i in range(n):
                    g = one(i)
                    if make is not None:
                        g.__name__ = name = make("name", i)
                        g.__qualname__ = name if i & 1 else make("qualname", i)
                        name = None
                    for x in g:
                        last = x
                    g = None
                return last
            def kept(text):
                names = []
                def make(what, i):
                    names.append(what + str(i) + text)
                    return names[-1]
                last = rounds(40, make)
                return last, {sys.getrefcount(name) - sys.getrefcount(names[0]) for name in names}
            for i in range(300):
                rounds(10, None)
            attempt(kept, "abc")
            attempt(rounds, 6, lambda what, i: Name(what + str(i)))
            def function():
                def one(x):
                    yield x
                g = one(1)
                del one
                for x in g:
                    pass
                g = None
                return x
            for i in range(300):
                function()
            attempt(function)
        """)

    def test_delegates_of_several_kinds(self):
        self.check("""
            class Pair:
                def __init__(self, a, b): self.a, self.b = a, b
                def __iter__(self):
                    yield self.a
                    yield self.b
            def numbers(n):
                for i in range(n):
                    yield i
            def delegate(x):
                yield from x
            def used(x):
                yield from x
                yield total(x)
            warm(lambda: total(delegate(numbers(3))))
            warm(lambda: total(used(numbers(3))))
            for x in numbers(4), [1, 2], Pair(3, 4), range(2), (), {5: 6}, iter([7]):
                print(total(delegate(x)))
            attempt(collect, used(numbers(4)))
            attempt(collect, used([1, 2]))
            attempt(collect, delegate(7))
            async def coroutine():
                pass
            c = coroutine()
            attempt(collect, delegate(c))
            c.close()
            for i in range(600):
                total(delegate([i]))
            attempt(collect, delegate(numbers(2)))
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

    def test_who_goes_on_when_a_delegate_ends(self):
        # In machine code; in the interpreter, if it is observed by then.
        self.check("""
            def flat(n, act):
                for i in range(n):
                    f = yield i
                    if f: f()
                act()
                return n
            def mid(n, act):
                try:
                    r = yield from flat(n, act)
                except KeyError as e:
                    r = -1
                yield ("mid", r)
                return r
            def top(n, act):
                r = yield from mid(n, act)
                yield ("top", r)
                return r
            async def acoro(n, act):
                class Aw:
                    def __await__(self):
                        yield 1
                        act()
                        return 2
                return await Aw()
            async def outer(n, act):
                x = await acoro(n, act)
                return x + 1
            seen = []
            names = {c.__code__ for c in (flat, mid, top, acoro, outer)}
            def note(frame, event, arg):
                if frame.f_code in names:
                    chain, f = [], frame
                    while f is not None:
                        if f.f_code in names: chain.append(f.f_code.co_name)
                        f = f.f_back
                    line = frame.f_lineno - frame.f_code.co_firstlineno
                    given = repr(arg)[:40] if event in ("return", "exception") else ""
                    seen.append((frame.f_code.co_name, line, event, given, chain))
                return note
            def drive(g):
                out = []
                try:
                    while True: out.append(g.send(None))
                except StopIteration as e:
                    out.append(("stop", e.value))
                except KeyError as e:
                    out.append(("err", repr(e)))
                return out
            for i in range(800):
                drive(top(3, lambda: None)); drive(outer(3, lambda: None))
            def both(sw):
                def on():
                    sw(note)
                    f = sys._getframe(1)
                    while f is not None and sw is sys.settrace:
                        if f.f_code in names: f.f_trace = note
                        f = f.f_back
                def onraise():
                    on(); raise KeyError(3)
                for maker in (top, outer):
                    for act in (on, onraise):
                        r = drive(maker(2, act)); sw(None)
                        print(sw.__name__, maker.__name__, act.__name__, r)
                        for s in seen: print("   ", s)
                        seen.clear()
                g = top(4, lambda: None)
                r = [next(g), g.send(on), next(g)]; sw(None)
                print(r, drive(g))
                for s in seen: print("   ", s)
                seen.clear()
            both(sys.setprofile); both(sys.settrace)
            def thrower():
                g = top(5, lambda: None); next(g); next(g)
                try: print(g.throw(KeyError(1)), drive(g))
                except BaseException as e: print(repr(e))
                g = top(5, lambda: None); next(g); g.close(); print(g.gi_running, g.gi_frame)
                g = top(5, lambda: None); next(g)
                print(g.gi_yieldfrom.__name__, g.gi_yieldfrom.gi_yieldfrom.__name__, g.gi_running)
                try: g.send(lambda: g.send(None))
                except ValueError as e: print(e)
                g = top(5, lambda: None); next(g)
                inner = g.gi_yieldfrom.gi_yieldfrom
                try: g.send(lambda: inner.send(None))
                except ValueError as e: print(e)
                g = top(5, lambda: None); next(g)
                print(g.send(lambda: print(g.gi_running, g.gi_yieldfrom,
                                           g.gi_frame.f_lineno - g.gi_code.co_firstlineno)))
            thrower()
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

    def test_creation_counts_against_the_limit(self):
        self.check("""
            import sys
            def run(n):
                inner = run(n + 1)
                yield from inner
            def lines(limit):
                outermost = run(0)
                sys.setrecursionlimit(limit)
                try:
                    next(outermost)
                except RecursionError as e:
                    sys.setrecursionlimit(30000)
                    at = e.__traceback__
                    while at.tb_next:
                        at = at.tb_next
                    return at.tb_lineno - run.__code__.co_firstlineno
            print([lines(limit) for limit in (60, 90, 120, 150)])
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

    def test_a_wrapper_hands_on_more_than_its_frame_has_room_for(self):
        """The arguments lie above the wrapper's registers when the generator is made, which may
        start a collection that runs Python code."""
        program = textwrap.dedent("""
            def items(a, b, c, d, e, f, g, h):
                yield a, b, c, d, e, f, g, h
            def wrapper(func, *args, **kwargs):
                return func(*args, **kwargs)
            for i in range(600):
                for found in wrapper(items, i, "b", 2.5, None, (), [], {}, i):
                    if found != (i, "b", 2.5, None, (), [], {}, i):
                        print(found)
            print("end")
            """)
        for mode in "on", "eager":
            with self.subTest(mode=mode):
                self.assertEqual(run(program, SPRINGBOARD_JIT=mode, SPRINGBOARD_STRESS="gc:1"),
                                 "end\n")


if __name__ == "__main__":
    unittest.main()

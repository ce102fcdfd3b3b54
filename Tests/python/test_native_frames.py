"""A program runs the same whether its frames are the interpreter's or machine code's.

SPRINGBOARD_JIT=steps makes "machine code" of every function at its first call: C code that
takes single steps and leaves now and then. So this is about the border: calls, values,
exceptions and generators that cross it, and what happens when something begins to watch."""
import os
import subprocess
import sys
import textwrap
import unittest


def run(text, mode, *options):
    env = dict(os.environ, PYTHONHASHSEED="0", SPRINGBOARD_JIT=mode)
    done = subprocess.run([sys.executable, *options, "-c", textwrap.dedent(text)], env=env,
                          capture_output=True, text=True, timeout=300)
    return done.stdout, done.stderr, done.returncode


class Same(unittest.TestCase):
    maxDiff = None

    def check(self, text, *options):
        expected = run(text, "off", *options)
        self.assertEqual(expected[2], 0, expected[1])
        self.assertNotEqual(expected[0], "")
        self.assertEqual(run(text, "steps", *options), expected)

    def test_the_depth_at_which_recursion_ends(self):
        self.check("""
            import sys
            class A:
                def __init__(self, n=0): self.n = n and A(n - 1)
                def __add__(self, n): return n and self + (n - 1)
                def __eq__(self, n): return n == 0 or self == n - 1
                def __call__(self, n): return n and self(n - 1)
                def __getattr__(self, name): return getattr(self, name)
                @property
                def p(self): return self.p
                def __getitem__(self, n): return n and self[n - 1]
                def __iter__(self): return self
                def __next__(self):
                    for x in self: pass
                def __bool__(self): return not self
            def f(n): return n and 1 + f(n - 1)
            def g(n): yield from g(n - 1) if n else ()
            def h(n):
                for x in h(n - 1) if n else (): yield x
            async def co(n): return n and await co(n - 1)
            def deepest(call):
                for limit in 50, 51, 52, 53:
                    sys.setrecursionlimit(limit)
                    low, high = 0, 200
                    while low < high:
                        middle = (low + high + 1) // 2
                        try: call(middle)
                        except RecursionError: high = middle - 1
                        except StopIteration: low = middle
                        else: low = middle
                    print(low, end=" ")
                sys.setrecursionlimit(1000)
                print()
            for call in (f, A, lambda n: A() + n, lambda n: A() == n, lambda n: A()(n),
                         lambda n: list(g(n)), lambda n: list(h(n)), lambda n: co(n).send(None),
                         lambda n: A()[n]):
                deepest(call)
            for call in (lambda: A().q, lambda: A().p, lambda: bool(A()), lambda: list(A())):
                try: call()
                except RecursionError as e: print(e)
            """)

    def test_a_recursion_that_is_deeper_than_the_c_stack(self):
        self.check("""
            import sys
            sys.setrecursionlimit(10**6)
            class A:
                def __add__(self, n): return n and 1 + (self + (n - 1))
                def __init__(self, n): self.a = n and A(n - 1)
            def f(n): return n and 1 + f(n - 1)
            def g(n):
                if n: yield from g(n - 1)
                yield n
            print(f(200000), A(0) + 100000, f(100))
            a = A(100000)
            while a.a: a, a.a = a.a, 0
            print(sum(g(2000)), f(200000))
            def up(n):
                try: up(n - 1) if n else 1 / 0
                finally: ups.append(n)
            ups = []
            try: up(50000)
            except ZeroDivisionError: print(len(ups))
            """)

    def test_a_loop_that_leaves_and_enters_machine_code_takes_no_more_c_stack(self):
        for mode in "steps", "stress:3":
            with self.subTest(mode):
                out, err, code = run("""
                    def stack_pointer():
                        with open("/proc/self/syscall") as f:
                            return int(f.read().split()[-2], 16)
                    def loop(rounds):
                        places = []
                        for i in range(rounds):
                            a = i + 1 if i % 3 else i - 1
                            b = [a, i] if i & 1 else (a, i)
                            if i % 100 == 0:
                                places.append(stack_pointer())
                        return places
                    places = loop(20000)
                    print(max(places) - min(places))
                    """, mode)
                self.assertEqual((err, code), ("", 0))
                self.assertLess(int(out), 8000, "bytes of the C stack more or less")

    def test_threads_with_small_stacks(self):
        self.check("""
            import sys, threading
            sys.setrecursionlimit(10**6)
            try: threading.stack_size(64 * 1024)
            except ValueError: threading.stack_size(128 * 1024)     # the least on aarch64
            def f(n): return n and 1 + f(n - 1)
            def run(): print(f(50000))
            t = threading.Thread(target=run); t.start(); t.join()
            """)

    def test_tracebacks_and_context(self):
        self.check("""
            import sys, traceback
            class A:
                def __init__(self, x): x / 0
                def __add__(self, other): return [][other]
                def __eq__(self, other): raise KeyError
                def __bool__(self): return 1
                def __getitem__(self, k): return {}[k]
                @property
                def p(self): raise AttributeError("p")
                @property
                def q(self): raise AttributeError
                def __setattr__(self, name, value): raise TypeError(name)
                def __iter__(self): return self
                def __next__(self): raise ValueError("next")
                def __call__(self): raise StopIteration
            class B(A):
                def __init__(self): pass
                def __getattr__(self, name): raise AttributeError(name)
            class C(B):
                def __init__(self): return 1
            def gen():
                yield 1
                raise StopIteration
            def sub():
                yield from gen()
            def loop():
                for x in B(): pass
            def genloop():
                for x in sub(): pass
            def unpack(): a, b = gen()
            async def co(): await sub()
            def show(f, *args):
                try: f(*args)
                except BaseException as e:
                    traceback.print_exc(file=sys.stdout)
                    print(getattr(e, "name", "-"), type(getattr(e, "obj", "-")))
            b = B()
            def lines():
                yield lambda: A(1)
                yield lambda: b + 1
                yield lambda: b == 1
                yield lambda: not b
                yield lambda: b[1]
                yield lambda: b.p
                yield lambda: b.q
                yield lambda: b.other
                yield lambda: setattr(b, "x", 1)
                yield b
                yield C
            for call in lines():
                show(call)
            for f in loop, genloop, unpack:
                show(f)
            """)

    def test_generators(self):
        self.check("""
            import asyncio
            log = []
            def g(n):
                try:
                    for i in range(n):
                        try:
                            got = yield i
                            log.append(got)
                        except ValueError as e:
                            log.append(repr(e))
                            yield "caught"
                finally:
                    log.append("finally")
                return "end"
            def outer(n):
                log.append((yield from g(n)))
            for make in g, outer:
                gen = make(5)
                print(next(gen), gen.send("sent"), gen.throw(ValueError("v")), list(gen), log)
                log.clear()
                gen = make(5); next(gen); gen.close(); print(log)
                log.clear()
                gen = make(5); next(gen); del gen; print(log)
                log.clear()
            async def agen(n):
                for i in range(n):
                    await asyncio.sleep(0)
                    yield i
            class Manager:
                async def __aenter__(self): log.append("in"); return self
                async def __aexit__(self, *args): log.append(args[0]); return True
            async def main():
                async with Manager():
                    log.append([x async for x in agen(3)])
                    raise KeyError
                return await asyncio.gather(*(asyncio.sleep(0, i) for i in range(3)))
            print(asyncio.run(main()), log)
            class It:
                def __init__(self, n): self.n = n
                def __iter__(self): return self
                def __next__(self):
                    if not self.n: raise StopIteration(5)
                    self.n -= 1
                    return self.n
            def over(it):
                for x in it: yield x
                else: log.append("else")
            print(list(over(It(3))), [x for x in It(2)], log)
            def running():
                yield 1
                try: next(gen)
                except ValueError as e: print(e)
                yield 2
            gen = running()
            print(list(gen))
            """)

    def test_watching_begins_and_ends_while_frames_run(self):
        self.check("""
            import sys
            events = []
            def tracer(frame, event, arg):
                if frame.f_code.co_filename == "<string>":
                    events.append((event, frame.f_code.co_name, frame.f_lineno))
                return tracer
            def leaf(n): return n + 1
            def gen(n):
                for i in range(n): yield leaf(i)
            def work(on, off):
                frame = sys._getframe()
                for i, x in enumerate(gen(6)):
                    if i == on:
                        frame.f_trace = tracer
                        sys.settrace(tracer)
                    if i == off: sys.settrace(None)
                    leaf(i)
            for on in range(4):
                for off in range(on, 6): work(on, off)
            def profiled():
                for i in range(9):
                    if i == 3: sys.setprofile(tracer)
                    leaf(i); len("x")
                    if i == 6: sys.setprofile(None)
            profiled()
            print(events)
            """)

    def test_an_exception_reaches_a_loop_in_another_thread(self):
        self.check("""
            import ctypes, threading, time
            def work():
                while True: pass
            t = threading.Thread(target=work)
            t.start()
            time.sleep(0.05)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(t.ident),
                                                       ctypes.py_object(SystemExit))
            t.join(60)
            print(t.is_alive())
            """)

    def test_signals_and_other_threads_get_their_turn(self):
        self.check("""
            import signal, threading
            class Stop(Exception): pass
            def handler(*args): raise Stop
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            def loop():
                while True: pass
            try: loop()
            except Stop: print("stopped")
            def count(): return 1
            def calls():
                while True: count()
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            try: calls()
            except Stop: print("stopped")
            done = []
            def wait():
                while not done: pass
            t = threading.Thread(target=wait); t.start()
            done.append(1); t.join(60)
            print(t.is_alive())
            sums = []
            def sum_up():
                n = 0
                for i in range(300000): n += 1
                sums.append(n)
            threads = [threading.Thread(target=sum_up) for _ in range(2)]
            for t in threads: t.start()
            for t in threads: t.join()
            print(sums)
            """)

    def test_frames_that_are_looked_at_and_changed(self):
        self.check("""
            import sys
            def locals_of(depth): return sorted(sys._getframe(depth).f_locals.items(), key=str)
            def f(a, b=2):
                c = a + b
                yield locals_of(1), sys._getframe().f_lineno
                del c
                yield locals_of(1), sys._getframe().f_back.f_code.co_name
            print(list(f(1)))
            class D:
                def __init__(self, n): self.n = n
                def __del__(self): print("del", self.n, sys._getframe(1).f_code.co_name)
            def two():
                a, b = D(1), D(2)
                return D(3)
            def one():
                x = two()
                print("back")
                return [D(4), x][1].n
            print(one())
            def jump(frame, event, arg):
                if event == "line" and frame.f_lineno == frame.f_code.co_firstlineno + 2:
                    frame.f_lineno += 2
                return jump
            def jumped():
                out = [1]
                out.append(2)
                out.append(3)
                out.append(4)
                return out
            jumped()
            sys.settrace(jump); jumped(); print(jumped()); sys.settrace(None)
            print(jumped())
            """)

    def test_frames_shown_to_profilers(self):
        for option in "perf", "perf_lines":
            self.check("""
                import sys
                def f(n): return n and 1 + f(n - 1)
                class A:
                    def __init__(self, n): self.a = n and A(n - 1)
                    @property
                    def p(self): raise AttributeError("p")
                print(f(900), A(400).a is None)
                class B:
                    def __init__(self):
                        for i in range(600): pass
                for i in range(600): B()        # counts twice against the limit, and back
                print(f(900))
                try: A(0).p
                except AttributeError as e: print(e)
                sys.deactivate_stack_trampoline()
                print(f(900), A(400).a is None)
                """, "-X", option)


if __name__ == "__main__":
    unittest.main()

"""What the machine's perf shows of real programs."""
import os
import tempfile
import textwrap
import unittest

from support import EXAMPLE, need_frame_pointers, perf_refusal, python_chain, record

# Of a whole stack: beyond them libc has no frame pointers.
ENDS = "__libc_start_call_main", "start_thread", "asan_thread_start"

# Where the interpreter enters machine code, and the other way round; call() (perf/activation.c),
# where a build has not made it a part of _PyEval_EvalFrame, enters a function's own code.
ENTERING = {"_PyVM_EnterNative", "_PyVM_ShownResumeNative", "_PyEval_EvalFrameShown",
            "_PyPerf_Call", "_PyEval_EvalFrame", "run_shown", "run", "_PyVM_FinishStep",
            "_PyVM_RunNative", "_PyVM_RunSteps", "call"}

# Calls busy() by every way there is, and reports the stacks that busy() sees.
CALLERS = """
import ast, asyncio, atexit, contextlib, functools, json, os, re, sys, threading
stacks = set()
def busy(*args, n=1_000_000):
    frame, names = sys._getframe(), []
    while frame is not None:
        names.append(frame.f_code.co_qualname)
        frame = frame.f_back
    stacks.add(" ".join(reversed(names)))
    for i in range(n): pass
    return 0
def by_sorted(): sorted([3, 1, 2], key=busy)
def by_reduce(): functools.reduce(busy, range(4))
class Del:
    def __del__(self): busy()
def by_del(): Del()
class Meta(type):
    def __new__(m, *args, **kw): busy(); return super().__new__(m, *args)
    def __call__(cls, *args): busy(); return super().__call__(*args)
def by_metaclass():
    class A(metaclass=Meta): busy()
    A()
class Methods:
    def __init__(self): busy()
    def __getattr__(self, name): return busy()
    def __add__(self, other): return busy()
    def __iter__(self): busy(); return self
    def __next__(self): busy(); raise StopIteration
    def __enter__(self): return busy()
    def __exit__(self, *args): return not busy()
    def __repr__(self): return str(busy())
    @property
    def p(self): return busy()
    def __eq__(self, other): return busy() == 0
    __hash__ = object.__hash__
def by_methods():
    m = Methods()
    m.absent, m + 1, list(m), repr(m), m.p, f"{m}", m == 1, m in [1]
    for x in m: pass
    with m: raise KeyError
def by_import():
    with open(os.path.join(os.path.dirname(__file__), "imported_module.py"), "w") as f:
        f.write("from __main__ import busy\\nbusy()\\n")
    import imported_module
def generator():
    try: yield busy()
    finally: busy()
def delegate(): yield from generator()
def by_generators():
    list(delegate()), [busy() for i in range(2)], sum(busy() for i in range(2))
    next(generator())
async def leaf(): busy(); await asyncio.sleep(0); busy()
async def agen(): yield busy(); await leaf()
async def root():
    async for x in agen(): busy()
    await asyncio.gather(leaf(), leaf())
def by_asyncio(): asyncio.run(root())
@contextlib.contextmanager
def manager(): busy(); yield; busy()
def by_manager():
    with manager(): busy()
def by_exception():
    try: raise ValueError
    except ValueError: busy()
    finally: busy()
def by_re(): re.sub("a", lambda m: str(busy()), "aa")
def by_json(): json.loads('{"a": [1]}', object_hook=busy), json.dumps({1, 2}, default=busy)
def by_exec(): exec("busy()"); eval("busy()")
def by_recursion(n): by_recursion(n - 1) if n else busy()
def by_partial(): functools.partial(busy)(); list(map(busy, [1, 2])), max([1, 2], key=busy)
def by_thread():
    t = threading.Thread(target=busy); t.start(); t.join()
for way in [by_sorted, by_reduce, by_del, by_metaclass, by_methods, by_import, by_generators,
            by_asyncio, by_manager, by_exception, by_re, by_json, by_exec, by_partial,
            by_thread]:
    way(); way()
by_recursion(30)
with open(sys.argv[1], "w") as f:
    f.write("\\n".join(stacks))
"""


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
@unittest.skipUnless(*need_frame_pointers())
class Perf(unittest.TestCase):
    def record_code(self, code, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as f:
                f.write(textwrap.dedent(code))
            return record([*options, path])

    def test_every_sample_of_the_example_has_its_functions_in_order(self):
        stacks = record(["-X", "perf", EXAMPLE, "0.7"])
        whole = ["<module>", "main", "baz", "bar", "foo"]
        # What a sample shows in the first two instructions or the last of a machine function,
        # which has no frame pointer of its own there: its caller is missing (test_operators.py).
        entering = [whole[:n] + whole[n + 1:n + 2] for n in range(len(whole) - 1)]
        inside = missed = 0
        for stack in stacks:
            chain = python_chain(stack)
            if "main" not in chain or not any(EXAMPLE in s for s in stack):
                continue
            if chain in entering:
                missed += 1
            else:
                self.assertEqual(chain, whole[:len(chain)], stack)
            self.assertIn("__libc_start_call_main", stack)
            inside += 1
        self.assertGreater(inside, 100, "hardly any samples in the example")
        self.assertLess(missed, max(inside / 100, 2))
        leaves = {python_chain(stack)[-1:] == [name]
                  for stack in stacks for name in ("foo", "bar", "baz")}
        self.assertIn(True, leaves)

    def test_nothing_is_shown_without_activation(self):
        stacks = record([EXAMPLE, "0.3"])
        self.assertGreater(len(stacks), 50)
        for stack in stacks:
            self.assertEqual(python_chain(stack), [])

    def test_recursion_shows_every_level(self):
        stacks = self.record_code("""
            def down(n):
                if n == 0:
                    return spin()
                return down(n - 1)  # perf records 127 frames at most
            def spin():
                total = 0
                for i in range(3_000_000):
                    total += i * i
                return total
            for i in range(3):
                down(20)
            """, "-X", "perf")
        seen = 0
        for stack in stacks:
            chain = python_chain(stack)
            if chain[-1:] == ["spin"]:
                self.assertEqual(chain, ["<module>"] + ["down"] * 21 + ["spin"])
                seen += 1
        self.assertGreater(seen, 30)

    def test_no_sample_in_the_evaluator_misses_its_function(self):
        stacks = self.record_code("""
            def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
            for i in range(20): fib(25)
            """, "-X", "perf")
        seen = 0
        for stack in stacks:
            if not any(s.startswith("py::fib:") for s in stack):
                continue
            # Between the evaluator and the caller of the program there is nothing
            # but functions, from the innermost out. (A compiled one runs itself.)
            at = next(i for i, s in enumerate(stack) if s.startswith("py::"))
            if "_PyEval_EvalFrameShown" in stack[:at]:
                self.assertIn("_PyPerf_Call", stack[max(at - 2, 0):at], stack)
            last = next(i for i, s in enumerate(stack) if s.startswith("py::<module>:"))
            names = [s.split(":")[2] for s in stack[at:last + 1] if s not in ENTERING]
            self.assertEqual(names, ["fib"] * (len(names) - 1) + ["<module>"], stack)
            seen += 1
        self.assertGreater(seen, 40)

    def test_generators_and_coroutines(self):
        stacks = self.record_code("""
            def busy():
                total = 0
                for i in range(60_000):
                    total += i * i
                return total
            def gen():
                for i in range(150):
                    yield busy()
            def outer():
                yield from gen()
            def loop():
                for x in outer():
                    pass
            async def leaf():
                return busy()
            async def middle():
                for i in range(150):
                    await leaf()
            def drive():
                try:
                    middle().send(None)
                except StopIteration:
                    pass
            loop()
            drive()
            """, "-X", "perf")
        allowed = (["<module>", "loop", "outer", "gen", "busy"],
                   ["<module>", "drive", "middle", "leaf", "busy"])
        seen = [0, 0]
        for stack in stacks:
            chain = python_chain(stack)
            if chain[-1:] == ["busy"]:
                self.assertIn(chain, allowed)
                seen[allowed.index(chain)] += 1
        self.assertGreater(min(seen), 10)

    def test_calls_back_from_c(self):
        stacks = self.record_code("""
            import functools
            def busy(v):
                total = 0
                for i in range(10_000):
                    total += i * i
                return v
            def key(v): return busy(v)
            def add(a, b): return busy(a + b)
            class Meta(type):
                def __new__(m, *args):
                    busy(0)
                    return super().__new__(m, *args)
            class Del:
                def __del__(self): busy(0)
            def by_sorted(): sorted(range(50), key=key)
            def by_reduce(): functools.reduce(add, range(50))
            def by_class():
                for i in range(50):
                    Meta('X', (), {})
            def by_del():
                for i in range(50):
                    Del()
            for i in range(3):
                by_sorted(); by_reduce(); by_class(); by_del()
            """, "-X", "perf")
        wanted = {("by_sorted", "key"), ("by_reduce", "add"),
                  ("by_class", "Meta.__new__"), ("by_del", "Del.__del__")}
        seen = set()
        for stack in stacks:
            chain = python_chain(stack)
            if chain[-1:] == ["busy"]:
                self.assertEqual(chain[0], "<module>")
                self.assertEqual(len(chain), 4, chain)
                self.assertIn(tuple(chain[1:3]), wanted)
                seen.add(tuple(chain[1:3]))
        self.assertEqual(seen, wanted)

    def test_stacks_are_those_that_the_program_reports(self):
        """Whatever calls busy(), each sample in it has the frames that busy() sees, and
        below them the start of the program or of its thread."""
        with tempfile.TemporaryDirectory() as folder:
            path, report = (os.path.join(folder, name) for name in ("program.py", "report"))
            with open(path, "w") as f:
                f.write(CALLERS)
            stacks = record(["-X", "perf", path, report])
            with open(report) as f:
                reported = {tuple(line.split()) for line in f}
        seen = {}
        for stack in stacks:
            chain = tuple(python_chain(stack))
            if chain[-1:] == ("busy",):
                self.assertIn(chain, reported, stack)
                self.assertIn(stack[-1], ENDS, stack)
                seen[chain] = seen.get(chain, 0) + 1
        self.assertEqual(set(seen), reported)

    def test_threads(self):
        stacks = self.record_code("""
            import threading
            def spin():
                total = 0
                for i in range(8_000_000):
                    total += i * i
            threads = [threading.Thread(target=spin) for i in range(3)]
            for t in threads: t.start()
            for t in threads: t.join()
            """, "-X", "perf")
        seen = 0
        for stack in stacks:
            chain = python_chain(stack)
            if chain[-1:] == ["spin"]:
                self.assertEqual(chain, ["Thread._bootstrap", "Thread._bootstrap_inner",
                                         "Thread.run", "spin"])
                seen += 1
        self.assertGreater(seen, 30)

    def test_a_loop_after_another(self):
        """Each is compiled while the module's body runs, which takes no more stack by that."""
        program = "t = 0\n" + "for i in range(4_000_000): t += i & 3\n" * 12
        depths = [len(stack) for stack in self.record_code(program, "-X", "perf")
                  if python_chain(stack) == ["<module>"]]
        self.assertGreater(len(depths), 30)
        depths.sort()           # a few samples are of the compiler, or of the kernel
        self.assertLess(depths[len(depths) * 9 // 10], depths[0] + 6)

    def test_what_a_killed_process_leaves_is_read(self):
        """With free space in it, which names nothing."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as f:
                f.write("import os, signal\n"
                        "def spin(): return sum(i * i for i in range(3_000_000))\n"
                        "for i in range(1000): exec(f'def u_{i}(): pass\\nu_{i}()')\n"
                        "spin()\n"
                        "os.kill(os.getpid(), signal.SIGKILL)\n")
            stacks = record(["-X", "perf", path], check=False)
        seen = 0
        for stack in stacks:
            self.assertFalse([s for s in stack if "[unused]" in s], stack)
            if any(s.startswith("py::spin:") for s in stack):
                self.assertEqual(python_chain(stack)[:2], ["<module>", "spin"])
                seen += 1
        self.assertGreater(seen, 30)

    def test_forked_children_are_shown_too(self):
        """Whether a child's map is a copy of its parent's, or empty at first."""
        for persist in 0, 1:
            stacks = self.record_code(f"""
                import ctypes, os
                ctypes.pythonapi.PyUnstable_PerfTrampoline_SetPersistAfterFork({persist})
                def spin():
                    total = 0
                    for i in range(2_000_000):
                        total += i * i
                def child(): spin()
                def parent(): spin()
                def grandchild(): spin()
                def fork(function, *further):
                    pid = os.fork()
                    if pid:
                        os.waitpid(pid, 0)
                        return
                    function()
                    if further:
                        fork(*further)
                    os._exit(0)
                spin()
                fork(child, grandchild)
                parent()
                """, "-X", "perf")
            seen = {tuple(python_chain(stack)) for stack in stacks}
            self.assertIn(("<module>", "fork", "child", "spin"), seen)
            self.assertIn(("<module>", "fork", "fork", "grandchild", "spin"), seen)
            self.assertIn(("<module>", "parent", "spin"), seen)


if __name__ == "__main__":
    unittest.main()

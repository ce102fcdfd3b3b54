"""Frames that run already when support is switched on: each caller is in the stacks."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

from support import need_frame_pointers, perf_refusal, python_chain, record, run

LONG = "waits for what it attaches to"

SPIN = """
import sys, threading, time
def spin(seconds):
    end = time.thread_time() + seconds          # also where others want the processor
    while time.thread_time() < end:
        pass
def on(**options):
    sys.activate_stack_trampoline("perf", **options)
off = sys.deactivate_stack_trampoline
"""


@unittest.skipIf(perf_refusal(), perf_refusal())
@unittest.skipUnless(*need_frame_pointers())
class Running(unittest.TestCase):
    def chains(self, code, *options, **env):
        """Chains of Python functions of the samples with spin()."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "app.py")
            with open(path, "w") as f:
                f.write(SPIN + textwrap.dedent(code))
            stacks = record([*options, path], env=env)
        whole = [stack for stack in stacks if "py::spin" in " ".join(stack)]
        # Machine code from before has its name, too; its callers had no records then.
        whole = [stack for stack in whole if python_chain(stack) != ["spin"]]
        self.assertGreater(len(whole), 50, "samples")
        return [">".join(python_chain(stack)) for stack in whole], whole

    def check(self, wanted, code, *options, **env):
        """Nearly all samples have one of the wanted chains, and each is there."""
        chains, stacks = self.chains(code, *options, **env)
        for chain in wanted:
            self.assertIn(chain, chains)
        others = [chain for chain in chains if chain not in wanted]
        self.assertLess(len(others), 0.03 * len(chains), others)
        return stacks

    NESTED = """
        def leaf():
            on()
            spin(0.2)
        def caller():
            leaf()
            spin(0.2)
        def main():
            caller()
            spin(0.2)
        main()
        """
    NESTED_CHAINS = ["<module>>main>caller>leaf>spin", "<module>>main>caller>spin",
                     "<module>>main>spin"]

    def test_each_caller_is_shown_and_goes_when_it_returns(self):
        stacks = self.check(self.NESTED_CHAINS, self.NESTED)
        whole = [s for s in stacks if any("start" in name for name in s[-2:])]
        self.assertGreater(len(whole), 0.95 * len(stacks), "the C frames of main() are lost")

    def test_compiled(self):
        self.check(self.NESTED_CHAINS, self.NESTED, SPRINGBOARD_JIT="eager")

    def test_a_loop_that_is_compiled_already(self):
        self.check(["<module>>outer>main>spin"], """
            def work(on_at):
                for i in range(30000):
                    if i == on_at:
                        on()
                    for j in range(3):
                        pass
            def main():
                work(-1)
                work(20000)
                spin(0.3)
            def outer():
                main()
            outer()
            """, "-X", "jit=1")

    def test_a_loop_without_calls(self):
        chains, _ = self.chains("""
            def spin():
                x = 0
                on()
                for i in range(40000000):
                    x += i
                    if x < 0:
                        break
            def main():
                spin()
            main()
            """)
        self.assertGreater(chains.count("<module>>main>spin"), 0.97 * len(chains), set(chains))

    def test_generators_and_calls_from_c(self):
        self.check(["<module>>main>key>values>spin", "<module>>main>key>spin",
                    "<module>>main>spin"], """
            def values():
                yield 1
                on()
                spin(0.2)
                yield 2
                spin(0.2)
            def key(value):
                for _ in values():
                    pass
                spin(0.2)
                return value
            def main():
                sorted([1, 2], key=key)
                spin(0.2)
            main()
            """)

    def test_callers_of_c_that_is_not_left(self):
        # Each call of key() finds frames further out that have no records.
        self.check(["<module>>main>key>spin"], """
            def key(value):
                spin(0.01)
                if value == 5:
                    on()
                return value
            def main():
                sorted(range(60), key=key)
                off()
            main()
            """)

    def test_other_threads(self):
        chains, _ = self.chains("""
            def body():
                spin(0.5)
            def outer():
                body()
            threads = [threading.Thread(target=outer) for _ in range(2)]
            for thread in threads:
                thread.start()
            time.sleep(0.1)
            on()
            for thread in threads:
                thread.join()
            """)
        start = "Thread._bootstrap>Thread._bootstrap_inner>Thread.run>outer>body>spin"
        self.assertGreater(chains.count(start), 0.97 * len(chains), set(chains))

    def test_coroutines(self):
        chains, _ = self.chains("""
            import asyncio
            async def inner():
                on()
                spin(0.2)
                await asyncio.sleep(0)
                spin(0.2)
            async def outer():
                await inner()
            def main():
                asyncio.run(outer())
            main()
            """)
        good = [chain for chain in chains if chain.startswith("<module>>main>run>Runner.run>")
                and chain.endswith("_run_once>Handle._run>outer>inner>spin")]
        self.assertGreater(len(good), 0.97 * len(chains), set(chains))

    def test_again(self):
        # The second time, blocks are there, of evaluators that wait for C code, too.
        self.check(["<module>>main>key>spin", "<module>>main>spin"], """
            def key(value):
                off()
                on()
                spin(0.01)
                return value
            def main():
                on()
                spin(0.2)
                off()
                on()
                spin(0.2)
                sorted(range(20), key=key)
            main()
            """)

    def test_more_frames_than_a_block_has(self):
        self.check(["<module>>main>" + 50 * "down>" + "spin"], """
            def down(n):
                if n > 1:
                    return down(n - 1)
                for _ in range(3):
                    on()
                    spin(0.1)
                    off()
            def main():
                down(50)
            main()
            """)

    def test_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "app.py")
            with open(path, "w") as f:
                f.write(SPIN + "def main():\n"
                               "    on(lines=True)\n"
                               "    spin(0.2)\n"
                               "    spin(0.2)\n"
                               "main()\n")
            stacks = record([path])
        first = SPIN.count("\n") + 1
        seen = {tuple(int(name.rsplit(":", 1)[1]) for name in reversed(stack)
                      if "py::main:" in name or "py::<module>:" in name)
                for stack in stacks if "py::spin" in " ".join(stack)}
        self.assertEqual(seen, {(first + 4, first + 2), (first + 4, first + 3)})


class Switching(unittest.TestCase):
    def test_the_own_unwinder_passes_them(self):
        # By call frame information, so also where there is no perf to look.
        status, out, err, _ = run("""if 1:
            import ctypes, os, sys
            def seen():
                buffer = (ctypes.c_void_p * 200)()
                n = ctypes.CDLL(None).backtrace(buffer, 200)
                with open(f"/tmp/perf-{os.getpid()}.map") as f:
                    entries = [line.rstrip().split(" ", 2) for line in f]
                entries = [(int(at, 16), int(size, 16), name[4:].split(":")[0])
                           for at, size, name in entries if name.startswith("py::")]
                print(*[name for at in reversed(buffer[:n]) for start, size, name in entries
                        if start < at <= start + size])
            def leaf():
                sys.activate_stack_trampoline("perf")
                for i in range(1):
                    pass
                seen()
            def values():
                yield leaf()
            def key(x):
                for v in values():
                    seen()
                return x
            def main():
                sorted([1], key=key)
                seen()
            main()
            """)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.split("\n")[:3], [
            "<module> main key values leaf seen", "<module> main key seen", "<module> main seen"])

    def test_many_times_in_one_frame(self):
        # Neither the C stack nor the map grows.
        status, out, err, lines = run("""if 1:
            import sys, threading
            def key(value):
                for backend in "perf", "perf", "perf_gdb":
                    sys.activate_stack_trampoline(backend, lines=value % 2)
                    for i in range(3):
                        pass
                    sys.deactivate_stack_trampoline()
                return value
            def down(n):
                if n:
                    return down(n - 1)
                for i in range(300):
                    sorted(range(5), key=key)
            def values():
                yield down(40)
            threading.stack_size(256 * 1024)
            thread = threading.Thread(target=lambda: list(values()))
            thread.start()
            thread.join()
            list(values())
            print("done")
            """)
        self.assertEqual((status, out, err), (0, "done\n", ""))
        self.assertLess(len(lines), 500)

    def test_an_exception_passes(self):
        status, out, err, _ = run("""if 1:
            import sys
            def leaf(how):
                sys.activate_stack_trampoline("perf")
                for i in range(3):
                    pass
                if how:
                    sys.deactivate_stack_trampoline()
                raise KeyError(how)
            def caller(how):
                try:
                    leaf(how)
                finally:
                    str(how)
            def main(how):
                list(map(caller, [how]))
            for how in 0, 1, 0, 0, 1:
                try:
                    main(how)
                except KeyError as e:
                    print(e)
            """)
        self.assertEqual((status, out.split(), err), (0, list("01001"), ""))

    def test_generators_that_are_dropped(self):
        status, out, err, _ = run("""if 1:
            import sys
            def values():
                try:
                    sys.activate_stack_trampoline("perf")
                    yield 1
                    yield 2
                finally:
                    sys.deactivate_stack_trampoline()
                    for i in range(2):
                        sys.activate_stack_trampoline("perf")
            def first():
                return next(iter(values()))
            for i in range(100):
                assert first() == 1
                for value in values():
                    pass
            print(sys.is_stack_trampoline_active())
            """)
        self.assertEqual((status, out, err), (0, "True\n", ""))


if __name__ == "__main__":
    unittest.main()

"""Programs that keep making functions and dropping them: what they leave behind stays small,
and no address gets a second name."""
import os
import unittest

from support import names, run, take_map
from test_jitdump import code_names, dump_path, parse

AGAIN = """if 1:
    import gc, os, sys
    SOURCE = '''
def made(n): return [n for i in range(2)]
class Made:
    def method(self): return (lambda: self)()
    def generator(self):
        try: yield 1
        finally: pass
made(1); Made().method(); list(Made().generator())
'''
    def make(times):
        for i in range(times):
            exec(SOURCE, {})
            gc.collect()        # of the garbage, which has cycles
"""


class Growth(unittest.TestCase):
    def check(self, code, *options, env=None):
        status, out, err, lines = run(code, *options, env=env)
        self.assertEqual((status, err), (0, ""))
        return out, lines

    def test_what_is_made_again_is_listed_once(self):
        for option in "perf", "perf_lines":
            with self.subTest(option):
                _, few = self.check(AGAIN + "    make(3)", "-X", option)
                _, many = self.check(AGAIN + "    make(300)", "-X", option)
                few, many = (sorted(name for name in names(lines) if ":<string>" in name)
                             for lines in (few, many))
                self.assertEqual(few, many)
                self.assertTrue([name for name in many if "Made.generator:" in name])

    def test_each_of_many_names_finds_its_landings(self):
        for option in "perf", "perf_lines":
            with self.subTest(option):
                _, lines = self.check("""if 1:
                    for again in range(2):
                        for i in range(3000):
                            space = {}
                            exec(f'def made_{i}(): pass', space)
                            space.pop(f'made_{i}')()
                    """, "-X", option)
                made = [name for name in names(lines) if "::made_" in name]
                self.assertEqual(len(made), 3000)
                self.assertEqual(len(set(made)), 3000)

    def test_what_is_made_again_is_dumped_once(self):
        for options in ("perf_jit",), ("perf_jit", "perf_lines"):
            out, _ = self.check(AGAIN + "    make(200); print(os.getpid())",
                                *[word for option in options for word in ("-X", option)])
            with open(dump_path(int(out)), "rb") as f:
                found = code_names(parse(f.read())[1])
            os.unlink(dump_path(int(out)))
            self.assertEqual(found.count("py::made:<string>"), 1)

    def test_what_lives_has_an_address_of_its_own(self):
        _, lines = self.check("""if 1:
            kept = []
            for i in range(50):
                space = {}
                exec('def f(): pass', space)
                f = space.pop('f')
                f()
                if i % 5 == 0: kept.append(f)
            for f in kept: f()
            """, "-X", "perf")
        of_f = [line.split()[0] for line in lines if "py::f:" in line]
        self.assertEqual(len(of_f), len(set(of_f)))
        self.assertEqual(len(of_f), 11)

    def test_an_address_never_gets_a_second_name(self):
        for option in "perf", "perf_lines":
            _, lines = self.check("""if 1:
                for i in range(20_000):
                    exec(f'def f_{i % 7000}(n):' + '\\n' * (i % 3) + ' return n', globals())
                    globals()[f'f_{i % 7000}'](1)
                """, "-X", option)
            addresses = [line.split()[0] for line in lines]
            self.assertEqual(len(addresses), len(set(addresses)), option)

    def test_other_lines_are_other_landings(self):
        _, lines = self.check("""if 1:
            for i in range(20):
                exec('\\n' * (i % 4) + 'def f():\\n return 1', globals())
                f()
            """, "-X", "perf_lines")
        of_f = sorted(n.removeprefix("py::f:<string>:") for n in names(lines)
                      if n.startswith("py::f:"))
        self.assertEqual(of_f, sorted(["1", "2", "2", "3", "3", "4", "4", "5"]))

    def test_names_that_never_come_again_take_little(self):
        """16 bytes of code, and what remembers them has a limit."""
        out, lines = self.check("""if 1:
            import sys
            def resident():
                with open('/proc/self/statm') as f: return int(f.read().split()[1]) * 4096
            def make(n):
                for i in range(n):
                    space = {}
                    exec(f'def a_function_with_a_name_{n}_{i}(): pass', space)
                    space.popitem()[1]()
            make(100_000)
            before = resident()
            make(100_001)
            print(resident() - before)
            """, "-X", "perf")
        # 65,536 is the limit, of ~130 bytes each.
        self.assertLess(int(out), 100_000 * 32 + (1 << 20))
        self.assertGreater(len(lines), 200_000)

    def test_a_childs_own_file_names_what_its_parent_had_left(self):
        for enable in 0, 1:
            for option in "perf", "perf_lines":
                out, parent = self.check(f"""if 1:
                    import ctypes, os
                    ctypes.pythonapi.PyUnstable_PerfTrampoline_SetPersistAfterFork({enable})
                    def make():
                        space = {{}}
                        exec('def made(): pass', space)
                        space.pop('made')()
                    make(); make()
                    pid = os.fork()
                    if pid == 0:
                        make(); make()
                        os._exit(0)
                    os.waitpid(pid, 0)
                    print(pid)
                    """, "-X", option)
                child = take_map(int(out))
                made = [line for line in child if "py::made:<string>" in line]
                self.assertEqual(len(made), 1, (enable, option))
                self.assertIn(made[0], parent)

    def test_switching_does_not_lose_what_is_vacant(self):
        _, lines = self.check("""if 1:
            import sys
            for i in range(30):
                sys.activate_stack_trampoline('perf', lines=i % 2)
                space = {}
                exec('def made(): pass', space)
                space.pop('made')()
                sys.deactivate_stack_trampoline()
            """)
        made = sorted(n for n in names(lines) if "py::made:" in n)
        self.assertEqual(made, ["py::made:<string>", "py::made:<string>:1"])


if __name__ == "__main__":
    unittest.main()

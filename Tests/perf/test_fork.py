"""Children have maps of their own, in which inherited code has its names."""
import os
import textwrap
import time
import unittest

from support import has_map, names, need_frame_pointers, perf_refusal, record, run, take_map
from test_jitdump import code_names, dump_path, parse

# persist(0) or persist(1) tells whether a child's file begins as its parent's.
PERSIST = """
import ctypes, os, sys
persist = ctypes.pythonapi.PyUnstable_PerfTrampoline_SetPersistAfterFork
def in_a_child(function):
    'The child does it, and its PID is printed.'
    pid = os.fork()
    if pid == 0:
        function()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    print(pid, flush=True)
"""


class Fork(unittest.TestCase):
    def fork(self, code, *options):
        status, out, err, lines = run(code, "-X", "perf", *options)
        self.assertEqual((status, err), (0, ""))
        return names(lines), names(take_map(int(out)))

    def test_a_child_gets_a_map_of_its_own(self):
        parent, child = self.fork("""if 1:
            import os
            def inherited(): pass
            def in_child(): pass
            def in_parent(): pass
            inherited()
            pid = os.fork()
            if pid == 0:
                in_child()
                os._exit(0)
            in_parent()
            os.waitpid(pid, 0)
            print(pid)
            """)
        self.assertIn("py::inherited:<string>", parent)
        self.assertIn("py::inherited:<string>", child)
        self.assertIn("py::in_child:<string>", child)
        self.assertNotIn("py::in_child:<string>", parent)
        self.assertIn("py::in_parent:<string>", parent)
        self.assertNotIn("py::in_parent:<string>", child)

    def test_many_code_objects_survive_a_fork(self):
        parent, child = self.fork("""if 1:
            import os
            units = []
            for i in range(5000):
                exec(f'def unit_{i}(): return {i}')
                units.append(globals()[f'unit_{i}'])
            assert [u() for u in units] == list(range(5000))
            pid = os.fork()
            if pid == 0:
                assert [u() for u in units] == list(range(5000))
                os._exit(0)
            assert os.waitpid(pid, 0)[1] == 0
            print(pid)
            """)
        wanted = {f"py::unit_{i}:<string>" for i in range(5000)}
        self.assertLessEqual(wanted, set(parent))
        self.assertLessEqual(wanted, set(child))

    def test_the_fork_of_a_c_library(self):
        parent, child = self.fork("""if 1:
            import ctypes, os
            fork = ctypes.PyDLL(None).fork
            def in_child(): pass
            pid = fork()
            if pid == 0:
                in_child()
                os._exit(0)
            os.waitpid(pid, 0)
            print(pid)
            """)
        self.assertIn("py::in_child:<string>", child)
        self.assertNotIn("py::in_child:<string>", parent)

    def test_a_child_that_only_executes_has_no_map(self):
        began = time.time()
        status, out, err, _ = run(
            "import subprocess; p = subprocess.Popen(['true']); p.wait(); print(p.pid)",
            "-X", "perf")
        self.assertEqual((status, err), (0, ""))
        self.assertFalse(has_map(int(out), began))

    def test_the_fork_of_a_process_that_is_not_shown_any_more(self):
        """The child has no map to copy; what its parent has called is entered anew."""
        *_, out, child = self.children("""
            def called(): pass
            sys.activate_stack_trampoline('perf')
            called()
            sys.deactivate_stack_trampoline()
            def child():
                sys.activate_stack_trampoline('perf')
                called()
            in_a_child(child)
            """)
        self.assertEqual(child.count("py::called:<string>"), 1)

    def children(self, code, *options):
        """(lines of the parent's map, PIDs of children, names in the last one's map)"""
        status, out, err, lines = run(PERSIST + textwrap.dedent(code), *options)
        self.assertEqual((status, err), (0, ""))
        pids = [int(pid) for pid in out.split()]
        maps = [take_map(pid) for pid in pids]
        return lines, pids, names(maps[-1])


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
@unittest.skipUnless(*need_frame_pointers())
class NamesForPerf(unittest.TestCase):
    def test_what_a_child_compiles_has_its_own_name(self):
        # It lies where its siblings have compiled something else.
        code = textwrap.dedent("""
            import os, time
            def loop(name, seconds):
                code = f"def {name}(n):\\n  for i in range(n): pass"
                exec(code, globals())
                end = time.thread_time() + seconds
                while time.thread_time() < end: globals()[name](5000)
            loop("before", 0.2)         # so that there is a place for compiled code
            for name in "first", "second", "third":
                if not os.fork():
                    loop(name, 0.4)
                    os._exit(0)
            loop("parent", 0.4)
            for _ in range(3): os.wait()
            """)
        found = {}
        for pid, stack in record(["-X", "jit=1", "-X", "perf", "-c", code], with_pids=True):
            for name in "first", "second", "third", "parent":
                if stack[0].startswith(f"py::{name}:"):
                    found.setdefault(name, []).append(pid)
        self.assertEqual(len(found), 4, found.keys())
        for name, pids in found.items():
            self.assertEqual(len(set(pids)), 1, (name, pids))
            self.assertGreater(len(pids), 300, name)


class PersistAfterFork(unittest.TestCase):
    PROGRAM = """
def parents(): pass
def both(): pass
def generation(n):
    both()
    if n: in_a_child(lambda: generation(n - 1))
parents()
generation({depth})
"""

    def maps(self, setting, *options, depth=1):
        """Of the process, and of its children from the youngest on."""
        status, out, err, lines = run(PERSIST + setting + self.PROGRAM.format(depth=depth),
                                      *options)
        self.assertEqual((status, err), (0, ""))
        return lines, *[take_map(int(pid)) for pid in out.split()]

    def test_by_default_a_child_inherits_entries(self):
        for setting in "", "assert persist(1) == 1", "persist(0), persist(2)":
            parent, child = self.maps(setting, "-X", "perf")
            self.assertIn("py::parents:<string>", names(child))
            both, = [line for line in parent if " py::both:" in line]
            self.assertEqual(child.count(both), 1)

    def test_switched_off_a_child_begins_with_an_empty_map(self):
        for option in "perf", "perf_lines":
            for depth in 1, 3:
                parent, *children = self.maps("assert persist(0) == 0", "-X", option,
                                              depth=depth)
                both = [line for line in parent if " py::both:" in line]
                self.assertEqual(len(both), 1)
                for child in children:
                    self.assertFalse([n for n in names(child) if "py::parents:" in n])
                    # It is where it was: what runs at the fork has its name again.
                    self.assertEqual([n for n in child if " py::both:" in n], both)
                self.assertEqual(len(children), depth)

    def test_entries_of_c_code_are_inherited_or_not(self):
        program = """
ctypes.CDLL(None).PyUnstable_WritePerfMapEntry(ctypes.c_void_p(0x1000), 16, b'compiled')
in_a_child(lambda: None)
"""
        for enable in 0, 1:
            status, out, err, _ = run(f"{PERSIST}persist({enable})\n{program}",
                                      "-X", "perf")
            self.assertEqual((status, err), (0, ""))
            child = take_map(int(out))
            self.assertEqual(child.count("1000 10 compiled"), enable)

    def test_a_dump_begins_anew_too(self):
        for enable in 0, 1:
            status, out, err, _ = run(
                f"{PERSIST}persist({enable}){self.PROGRAM.format(depth=1)}"
                "print(os.getpid())", "-X", "perf_jit")
            self.assertEqual((status, err), (0, ""))
            found = []
            for pid in out.split():
                with open(dump_path(pid), "rb") as f:
                    found.append(code_names(parse(f.read())[1]))
                os.unlink(dump_path(pid))
            child, parent = found
            self.assertEqual(child.count("py::both:<string>"), 1)
            self.assertEqual(child.count("py::parents:<string>"), enable)
            self.assertEqual(parent.count("py::both:<string>"), 1)

    def test_a_child_may_be_switched_off_and_on(self):
        status, out, err, _ = run(PERSIST + """
def f(): pass
persist(0)
f()
def child():
    for lines in False, True, False, True:
        sys.deactivate_stack_trampoline()
        sys.activate_stack_trampoline('perf', lines=lines)
        f(); f()
in_a_child(child)
""", "-X", "perf")
        self.assertEqual((status, err), (0, ""))
        found = names(take_map(int(out)))
        of_f = sorted(name for name in found if name.startswith("py::f:"))
        self.assertEqual(len(of_f), 2, of_f)
        self.assertEqual(of_f[0], "py::f:<string>")
        self.assertRegex(of_f[1], r"\Apy::f:<string>:\d+\Z")


if __name__ == "__main__":
    unittest.main()

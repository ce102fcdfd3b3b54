"""Children have maps of their own, in which inherited code has its names."""
import os
import unittest

from support import names, run, take_map


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
        status, out, err, _ = run(
            "import subprocess; p = subprocess.Popen(['true']); p.wait(); print(p.pid)",
            "-X", "perf")
        self.assertEqual((status, err), (0, ""))
        self.assertFalse(os.path.exists(f"/tmp/perf-{int(out)}.map"))


if __name__ == "__main__":
    unittest.main()

"""What has gone wrong elsewhere, and what the system may refuse.

Numbers are those of issues of python/cpython.
"""
import os
import shutil
import subprocess
import sys
import unittest

from support import names, run, take_map

MANY = """if 1:
    import resource, sys
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    for i in range(5000):
        space = {}
        exec(f'def a_function_with_a_name_{i}(n): return n', space)
        assert space[f'a_function_with_a_name_{i}'](i) == i
    print(sys.is_stack_trampoline_active())
    """


class Refusals(unittest.TestCase):
    def test_a_full_disk_is_one_warning(self):
        for option in "perf", "perf_jit", "perf_lines":
            with self.subTest(option):
                status, out, err, _ = run(MANY, "-X", option)
                self.assertEqual((status, out), (0, "False\n"), err)
                self.assertRegex(err, r"\A/tmp/\S+: .+: no Python functions are shown "
                                      r"from here on\n\Z")
                if option == "perf_jit":
                    os.unlink(err.split(":")[0])

    def test_no_executable_memory_is_one_warning(self):
        """As for a service with MemoryDenyWriteExecute=yes."""
        code = """if 1:
            import ctypes, os, sys
            arguments = map(ctypes.c_ulong, (1, 0, 0, 0))
            if ctypes.CDLL(None).prctl(65, *arguments):      # PR_SET_MDWE
                print("not here")
                sys.exit()
            try: sys.activate_stack_trampoline("perf")
            except OSError as e: print(e, sys.is_stack_trampoline_active(), flush=True)
            os.execv(sys.executable, [sys.executable, "-X", "perf", "-c",
                     "import sys; print(sys.is_stack_trampoline_active())"])
            """
        status, out, err, _ = run(code)
        if out == "not here\n":
            self.skipTest("this kernel has no PR_SET_MDWE")
        self.assertEqual((status, out), (
            0, "[Errno 13] Permission denied: 'executable memory' False\nFalse\n"))
        self.assertEqual(
            err, "executable memory: Permission denied: no Python functions are shown\n")

    def test_closed_streams_do_not_lead_into_the_map(self):
        code = ("import os, sys\nrefused = 0\nfor fd in range(3):\n"
                "    try: os.write(fd, b'text')\n    except OSError: refused += 1\n"
                "sys.exit(refused)")
        for stream in range(3):
            process = subprocess.Popen(
                [sys.executable, "-X", "perf", "-c", code], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                preexec_fn=lambda: os.close(stream))
            self.assertEqual(process.wait(), 1)
            self.assertGreater(len(take_map(process.pid)), 1)

    def test_a_read_only_tmp_is_one_warning(self):
        # The build may lie in /tmp: what is there stays, as a mount of its own that is read-only.
        mount = "mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp"
        enter = ["unshare", "-m", "sh", "-c"]
        if (shutil.which("unshare") is None
                or subprocess.run([*enter, mount], capture_output=True).returncode):
            self.skipTest("no mount namespaces here")
        done = subprocess.run(
            [*enter, f'{mount} && exec "$0" -X perf -c "def f(): return 1\nprint(f())"',
             sys.executable], capture_output=True, text=True, cwd="/")
        self.assertEqual((done.returncode, done.stdout), (0, "1\n"), done.stderr)
        self.assertRegex(done.stderr, r"\A/tmp/perf-\d+.map: Read-only file system: "
                                      r"no Python functions are shown\n\Z")


class Issues(unittest.TestCase):
    def check(self, code, *options):
        status, out, err, lines = run(code, *options)
        self.assertEqual((status, err), (0, ""))
        return out, names(lines)

    def test_146522_repeated_activation(self):
        self.check("""if 1:
            import sys
            def f(n): return [f(n - 1)] if n else [x for x in range(3)]
            def g():
                yield f(2)
            for i in range(600):
                sys.activate_stack_trampoline('perf', lines=i % 3 == 1)
                f(40); list(g())
                suspended = g(); next(suspended)
                sys.deactivate_stack_trampoline()
                list(suspended); f(3)
            """)

    def test_112367_code_in_use_stays(self):
        self.check("""if 1:
            import gc, sys
            def leave(n):
                if n: return leave(n - 1)
                sys.deactivate_stack_trampoline()
                for i in range(2000):
                    exec(f'def f_{i}(): pass\\nf_{i}()')
                gc.collect()
                return 'back'
            for i in range(5):
                sys.activate_stack_trampoline('perf')
                assert leave(50) == 'back'
            """)

    def test_149156_code_in_use_stays_after_a_fork(self):
        out, _ = self.check("""if 1:
            import os, sys
            def down(n):
                if n: return down(n - 1)
                pid = os.fork()
                if pid == 0:
                    sys.deactivate_stack_trampoline()
                    sys.activate_stack_trampoline('perf')
                    sys.deactivate_stack_trampoline()
                return pid
            pid = down(60)
            if pid == 0: os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
            print(pid)
            """, "-X", "perf")
        take_map(int(out))

    def test_144766_a_fork_with_many_code_objects(self):
        out, parent = self.check("""if 1:
            import os
            functions = []
            for i in range(20_000):
                space = {}
                exec(f'def f_{i}(): return {i}', space)
                functions.append(space[f'f_{i}'])
                assert functions[-1]() == i
            pid = os.fork()
            if pid == 0:
                assert [f() for f in functions] == list(range(20_000))
                os._exit(0)
            assert os.waitpid(pid, 0)[1] == 0
            print(pid)
            """, "-X", "perf")
        child = set(names(take_map(int(out))))
        self.assertLessEqual({f"py::f_{i}:<string>" for i in range(20_000)}, child)

    def test_109587_no_call_writes(self):
        """Neither further calls nor, but for a chunk now and then, first ones. (Compiling does.)"""
        for jit in "0", "1":
            self.check_that_no_call_writes("-X", f"jit={jit}")

    def check_that_no_call_writes(self, *options):
        self.check("""if 1:
            import sys
            def writes():
                with open('/proc/self/io') as f:
                    return int(f.read().split('syscw: ')[1].split()[0])
            def f(): pass
            def many():
                for i in range(100_000): f()
            many(); many(); writes()
            # When what is warm is compiled depends on the time that has passed.
            compiled = None
            while compiled != (compiled := sys._jit.figures()['compiled']):
                before = writes()
                many()
            assert writes() == before, writes() - before
            units = []
            for i in range(1000):
                space = {}
                exec(f'def unit_{i}(): pass', space)
                units.append(space[f'unit_{i}'])
            before = writes()
            for u in units: u()
            assert writes() - before < 5, writes() - before
            """, "-X", "perf", *options)


class AheadOfTheFirstCall(unittest.TestCase):
    def test_compiled_code_is_listed_and_shared_with_children(self):
        status, out, err, lines = run("""if 1:
            import ctypes, os
            def called(): pass
            def never(): pass
            def in_child(): called()
            compile_code = ctypes.pythonapi.PyUnstable_PerfTrampoline_CompileCode
            persist = ctypes.pythonapi.PyUnstable_PerfTrampoline_SetPersistAfterFork
            assert persist(0) == 0 and persist(1) == 1
            for f in called, never, in_child:
                assert compile_code(ctypes.py_object(f.__code__)) == 0
            pid = os.fork()
            if pid == 0:
                in_child()
                os._exit(0)
            os.waitpid(pid, 0)
            print(pid)
            """, "-X", "perf")
        self.assertEqual((status, err), (0, ""))
        child = take_map(int(out))
        for name in "called", "never", "in_child":
            of_parent = [line for line in lines if f"py::{name}:<string>" in line]
            self.assertEqual(len(of_parent), 1)
            self.assertIn(of_parent[0], child)

    def test_nothing_happens_while_support_is_off(self):
        status, out, err, lines = run("""if 1:
            import ctypes
            def f(): pass
            compile_code = ctypes.pythonapi.PyUnstable_PerfTrampoline_CompileCode
            assert compile_code(ctypes.py_object(f.__code__)) == 0
            """)
        self.assertEqual((status, err, lines), (0, "", None))


if __name__ == "__main__":
    unittest.main()

"""/tmp/perf-PID.map: what is in it, and what it refuses to write to."""
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

from support import LINE, map_path, names, read_map, run, take_map


class MapFile(unittest.TestCase):
    def test_lists_functions_that_ran_by_qualname_and_file(self):
        code = ("class A:\n"
                "    def method(self): return 1\n"
                "def called(): return (lambda: 2)()\n"
                "def never(): pass\n"
                "A().method(); called()\n")
        status, out, err, lines = run(code, "-X", "perf")
        self.assertEqual((status, err), (0, ""))
        found = names(lines)
        for name in "py::A.method:<string>", "py::called:<string>", \
                    "py::called.<locals>.<lambda>:<string>", "py::A:<string>":
            self.assertEqual(found.count(name), 1, name)
        self.assertNotIn("py::never:<string>", found)

    def test_every_line_has_address_size_and_name(self):
        *_, lines = run("import json", "-X", "perf")
        self.assertGreater(len(lines), 50)
        for line in lines:
            self.assertRegex(line, LINE)
        addresses = [line.split()[0] for line in lines]
        self.assertEqual(len(set(addresses)), len(addresses), "an address named twice")

    def test_is_private(self):
        status, out, err, _ = run(
            "import os; print(oct(os.stat(f'/tmp/perf-{os.getpid()}.map').st_mode))",
            "-X", "perf", env={})
        self.assertEqual(int(out, 8), stat.S_IFREG | 0o600)

    def test_code_addresses_are_executable_and_not_writable(self):
        code = """if 1:
            import os
            ranges = [line.split()[:2] for line in open('/proc/self/maps')]
            path = f'/tmp/perf-{os.getpid()}.map'
            for line in open(path):
                address = int(line.split()[0], 16)
                rights = [r for span, r in ranges
                          if int(span.split('-')[0], 16) <= address < int(span.split('-')[1], 16)]
                assert rights == ['r-xp'], (line, rights)
        """
        status, out, err, _ = run(code, "-X", "perf")
        self.assertEqual((status, err), (0, ""))

    def test_a_killed_process_has_lost_no_entry(self):
        code = """if 1:
            import os, signal
            for i in range(3000):
                exec(f'def unit_{i}(): pass\\nunit_{i}()')
            os.kill(os.getpid(), signal.SIGKILL)
        """
        status, out, err, lines = run(code, "-X", "perf")
        self.assertEqual(status, -signal.SIGKILL)
        found = set(names(lines))
        missing = [i for i in range(3000) if f"py::unit_{i}:<string>" not in found]
        self.assertEqual(missing, [])

    def test_a_live_reader_sees_whole_lines_only(self):
        """But for the newest: once in some 10,000 reads it has its beginning before its end, and the
        next read has all of it (perf_map.c says why)."""
        code = """if 1:
            import sys
            print('go', flush=True)
            for i in range(20000):
                exec(f'def some_unit_{i}(): pass\\nsome_unit_{i}()')
        """
        process = subprocess.Popen([sys.executable, "-X", "perf", "-c", code],
                                   stdout=subprocess.PIPE)
        process.stdout.readline()
        whole = r"[0-9a-f]+ [0-9a-f]+ .*[^.]"
        reads, unfinished = 0, []
        while process.poll() is None:
            lines = read_map(process.pid)
            broken = [line for line in lines if not re.fullmatch(whole, line)]
            if broken:
                line, = broken
                self.assertRegex(line, r"^[0-9a-f]+ [^.]*\.+$")
                begun = line.rstrip(".")
                self.assertTrue([line for line in read_map(process.pid)
                                 if line.startswith(begun) and re.fullmatch(whole, line)], line)
                unfinished.append(line)
            reads += 1
        process.stdout.close()
        self.assertGreater(reads, 1)
        self.assertLess(len(unfinished), 2, (unfinished, reads))
        self.assertGreaterEqual(len(take_map(process.pid)), 20000)

    def test_names_cannot_forge_entries(self):
        code = """if 1:
            def f(): pass
            evil = 'x\\n0 fff forged\\r\\x85\\u2028\\0end'
            f.__code__ = f.__code__.replace(co_qualname=evil, co_filename='a\\tb')
            f()
        """
        status, out, err, lines = run(code, "-X", "perf")
        self.assertEqual((status, err), (0, ""))
        line, = [line for line in lines if "forged" in line]
        self.assertEqual(line.split(" ", 2)[2], "py::x?0 fff forged???????end:a?b")

    def test_names_of_any_length_and_of_any_characters_are_whole(self):
        code = """if 1:
            def f(): pass
            for name in 'n' * 100_000, 'naïve·日本', 'lone \\udc80 surrogate':
                f.__code__ = f.__code__.replace(co_qualname=name)
                f()
        """
        status, out, err, lines = run(code, "-X", "perf")
        self.assertEqual((status, err), (0, ""))
        found = names(lines)
        self.assertIn("py::" + "n" * 100_000 + ":<string>", found)
        self.assertIn("py::naïve·日本:<string>", found)
        self.assertIn("py::lone \\udc80 surrogate:<string>", found)


class Obstacles(unittest.TestCase):
    """What lies at the map's path already; the program makes it for itself."""

    def attempt(self, prepare):
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "target")
            code = f"""if 1:
                import os, sys
                target, path = {target!r}, f'/tmp/perf-{{os.getpid()}}.map'
                open(target, 'w').write('precious')
                if os.path.lexists(path):     # an earlier process had this PID
                    os.unlink(path)
                {prepare}
                try:
                    sys.activate_stack_trampoline('perf')
                except OSError as e:
                    print('refused', e.filename == path)
                else:
                    (lambda: 0)()
                    print('accepted')
                print(sys.is_stack_trampoline_active(), open(target).read())
                sys.deactivate_stack_trampoline()
                if os.path.islink(path) or os.path.isfile(path):
                    os.path.islink(path) and os.unlink(path)
                else:
                    os.rmdir(path)
                """
            return run(code)

    def test_a_symbolic_link_is_refused(self):
        status, out, err, _ = self.attempt("os.symlink(target, path)")
        self.assertEqual(out.split(), ["refused", "True", "False", "precious"], err)

    def test_a_dangling_symbolic_link_is_refused(self):
        status, out, err, _ = self.attempt("os.symlink(target + 'x', path)")
        self.assertEqual(out.split(), ["refused", "True", "False", "precious"], err)

    def test_a_directory_is_refused(self):
        status, out, err, _ = self.attempt("os.mkdir(path)")
        self.assertEqual(out.split(), ["refused", "True", "False", "precious"], err)

    def test_a_hard_link_is_refused(self):
        code = """if 1:
            import os, sys
            path = f'/tmp/perf-{os.getpid()}.map'
            other = path + '.other'
            open(other, 'w').write('precious')
            if os.path.lexists(path):     # an earlier process had this PID
                os.unlink(path)
            os.link(other, path)
            try:
                sys.activate_stack_trampoline('perf')
            except OSError as e:
                print('refused')
            print(open(other).read())
            os.unlink(path)
            os.unlink(other)
            """
        status, out, err, _ = run(code)
        self.assertEqual(out.split(), ["refused", "precious"], err)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_another_users_file_is_refused(self):
        status, out, err, _ = self.attempt(
            "open(path, 'w').close(); os.chown(path, 12345, 12345)")
        self.assertEqual(out.split(), ["refused", "True", "False", "precious"], err)

    def test_a_stale_file_is_replaced(self):
        status, out, err, lines = self.attempt(
            "open(path, 'w').write('1000 10 py::stale:old.py\\n')")
        self.assertEqual(out.split(), ["accepted", "True", "precious"], err)
        self.assertNotIn("py::stale:old.py", names(lines))
        self.assertIn("py::<lambda>:<string>", names(lines))

    def test_at_start_an_obstacle_is_one_warning(self):
        code = """if 1:
            import os, sys
            path = f'/tmp/perf-{os.getpid()}.map'
            if sys.argv[1:]:
                print('ran', sys.is_stack_trampoline_active())
                os.unlink(path)
            else:
                if os.path.lexists(path):     # an earlier process had this PID
                    os.unlink(path)
                os.symlink('/nowhere', path)
                os.execv(sys.executable, [sys.executable, '-X', 'perf', '-c',
                                          os.environ['CODE'], 'again'])
            """
        status, out, err, _ = run(code, env={"CODE": code})
        self.assertEqual((status, out), (0, "ran False\n"), err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn("/tmp/perf-", err)


class CAPI(unittest.TestCase):
    def test_entries_from_c(self):
        code = """if 1:
            import ctypes, os
            api = ctypes.CDLL(None)
            write = api.PyUnstable_WritePerfMapEntry
            write.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_char_p]
            assert api.PyUnstable_PerfMapState_Init() == 0
            assert write(0x1234, 0xabc, b'py::entry1') == 0
            api.PyUnstable_PerfMapState_Fini()
            assert write(0x2345, 0, b'py::entry2') == 0
            api.PyUnstable_PerfMapState_Fini()
            other = f'/tmp/perf-other-{os.getpid()}'
            open(other, 'w').write('cafe 10 copied\\n')
            copy = api.PyUnstable_CopyPerfMapFile
            copy.argtypes = [ctypes.c_char_p]
            assert copy(other.encode()) == 0
            os.unlink(other)
            assert copy(other.encode()) == -1
            api.PyUnstable_PerfMapState_Fini()
            """
        status, out, err, lines = run(code)
        if "No module named '_ctypes'" in err:
            self.skipTest("no _ctypes yet")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(lines, ["1234 abc py::entry1", "2345 0 py::entry2",
                                 "cafe 10 copied"])

    def test_the_end_of_the_program_closes_what_c_has_opened(self):
        process = subprocess.run([sys.executable, "-c", """if 1:
            import ctypes, os
            ctypes.CDLL(None).PyUnstable_WritePerfMapEntry(ctypes.c_void_p(4096), 16, b'c')
            print(os.getpid())
            """], capture_output=True, text=True, check=True)
        path = map_path(int(process.stdout))
        try:
            with open(path) as f:
                self.assertEqual(f.read(), "1000 10 c\n")
        finally:
            os.unlink(path)


if __name__ == "__main__":
    unittest.main()

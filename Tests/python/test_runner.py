"""What runs the tests.

Tests/unittest_files.py, which runs this file: what a test leaves running does not keep it.
Tests/suites.sh: suites beside others. Tests/programs/run.py: python3.11's side is kept.
Tests/conformance/driver.py: single tests are left out under SPRINGBOARD_STRESS.
Tools/aarch64/sysroot: what is complete is left alone.
jit_cases.py: programs in children of an emulated interpreter do what they do in one of their own.
"""
import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock

import jit_cases

PORTABLE = "scripts that run tests"

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

RUN = f"""\
import os, sys
sys.path.insert(0, {TESTS!r})
import unittest_files
sys.exit(unittest_files.main(os.path.dirname(os.path.abspath(__file__))))
"""


def is_alive(pid):
    """Not if it is a zombie whose parent takes its time."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("run.py", RUN)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as out:
            out.write(text)

    def write_test(self, body):
        self.write("test_it.py", "import os, subprocess, time, unittest\n"
                   "class It(unittest.TestCase):\n    def test(self):\n"
                   + textwrap.indent(textwrap.dedent(body), " " * 8))

    def wait_for_pid(self):
        end = time.monotonic() + 60
        path = os.path.join(self.folder, "pid")
        while not os.path.exists(path) or not os.path.getsize(path):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        with open(path) as file:
            return int(file.read())

    def assert_ends(self, pid):
        end = time.monotonic() + 30
        while is_alive(pid):
            self.assertLess(time.monotonic(), end, "still running")
            time.sleep(0.02)

    LEAVES = """
        child = subprocess.Popen(["sleep", "300"], process_group=0)
        with open(os.path.join(os.path.dirname(__file__), "pid"), "w") as out:
            out.write(str(child.pid))
        child.returncode = 0        # no warning
        """

    def test_a_child_that_is_left_ends_with_its_test(self):
        self.write_test(self.LEAVES)
        try:
            done = subprocess.run([sys.executable, os.path.join(self.folder, "run.py")],
                                  capture_output=True, text=True, timeout=60)
        finally:
            child = self.wait_for_pid()
            if is_alive(child):
                os.kill(child, signal.SIGKILL)
                self.fail("the child was still there")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed, 0 failed, 0 skipped", done.stdout)

    def test_all_end_when_the_runner_is_ended(self):
        for number in signal.SIGINT, signal.SIGTERM:
            self.write_test(self.LEAVES + "time.sleep(300)\n")
            runner = subprocess.Popen(
                [sys.executable, os.path.join(self.folder, "run.py")], stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, preexec_fn=lambda: signal.signal(
                    signal.SIGINT, signal.default_int_handler))
            child = self.wait_for_pid()
            runner.send_signal(number)
            try:
                runner.communicate(timeout=60)
                self.assertNotEqual(runner.returncode, 0)
                self.assert_ends(child)
            finally:
                runner.kill()
                if is_alive(child):
                    os.kill(child, signal.SIGKILL)
            os.unlink(os.path.join(self.folder, "pid"))

    def test_long_files_begin_first_and_some_are_left_out_on_demand(self):
        body = "import unittest\nclass It(unittest.TestCase):\n    def test(self): pass\n"
        self.write("test_a.py", body)
        self.write("test_b.py", body + 'LONG = "reason"\n')
        self.write("test_c.py", body + 'SLOW = "reason"\n')
        self.write("test_d.py", body + 'PORTABLE = "reason"\n')
        for options, expected in (([], "bcad"), (["--quick"], "bad"), (["--machine"], "bca"),
                                  (["--machine", "--quick"], "ba")):
            done = subprocess.run([sys.executable, os.path.join(self.folder, "run.py"), "--jobs",
                                   "1", *options], capture_output=True, text=True, timeout=60)
            self.assertEqual("".join(re.findall(r"pass test_(\w)", done.stdout)), expected,
                             done.stderr)


    def test_classes_that_measure_run_alone_and_the_others_of_their_file_beside(self):
        """The others wait for each other, and have ended when the measuring begins."""
        body = textwrap.dedent("""
            import os, time, unittest
            begun, ended = (os.path.join(os.path.dirname(__file__), name)
                            for name in ("begun", "ended"))
            def others(folder): return len(os.listdir(folder)) if os.path.exists(folder) else 0
            def note(folder):
                os.makedirs(folder, exist_ok=True)
                open(os.path.join(folder, __name__), "w").close()
            class Other(unittest.TestCase):
                def test(self):
                    note(begun)
                    end = time.monotonic() + 60
                    while others(begun) < 2:
                        self.assertLess(time.monotonic(), end, "nobody is beside")
                        time.sleep(0.02)
                    time.sleep(0.2)
                    note(ended)
            """)
        self.write("test_a.py", body + textwrap.dedent("""
            class Measures(unittest.TestCase):
                ALONE = "reason"
                def test(self):
                    self.assertEqual(others(begun), others(ended))
            class Derived(Measures): pass
            """))
        self.write("test_b.py", body)
        for names, passed in ((), ["test_a", "test_a (alone)", "test_b"]), \
                             (("Derived",), ["test_a.Derived"]):
            done = subprocess.run(
                [sys.executable, os.path.join(self.folder, "run.py"), "--jobs", "2", *names],
                capture_output=True, text=True, timeout=100)
            self.assertEqual(sorted(re.findall(r"(?m)^pass (.*?):", done.stdout)), passed,
                             done.stdout + done.stderr)
            tests = 4 - 3 * len(names)
            self.assertIn(f"{tests} passed, 0 failed, 0 skipped", done.stdout)


class Suites(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def script(self, text):
        return ["bash", "-c", f"logs={self.folder}\n. {TESTS}/suites.sh\n{textwrap.dedent(text)}"]

    def test_one_beside_others_is_shown_by_itself_and_counted(self):
        done = subprocess.run(self.script("""
            beside long bash -c '
                until [ -e $0/go ]; do sleep 0.02; done
                grep SigIgn /proc/self/status; echo pass this; echo 5 passed, 1 failed, 0 skipped
                ' $logs
            suite quick bash -c 'touch $0/go; echo 10 passed, 0 failed, 2 skipped' $logs
            suite silent true
            finish long
            sum_up
            """), capture_output=True, text=True, timeout=60,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        said = re.sub(r"\d+ s\b", "N s", done.stdout)
        self.assertRegex(said, re.compile("""\
== quick
10 passed, 0 failed, 2 skipped
quick: N s, processors N s
== silent
silent: N s, processors N s
silent: ended without a result
== long
SigIgn:\t([0-9a-f]+)
5 passed, 1 failed, 0 skipped
long: N s, processors N s
15 passed, 2 failed, 2 skipped
$"""))
        ignored = int(re.search(r"SigIgn:\t(\w+)", said)[1], 16)
        self.assertFalse(ignored & 1 << signal.SIGINT - 1, "^C is ignored")
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_switches_of_whoever_starts_them_are_not_theirs(self):
        done = subprocess.run(self.script("suite environment env"), capture_output=True, text=True,
                              env=os.environ | {"PYTHONUNBUFFERED": "1", "SB_KEPT": "1"}, timeout=60)
        self.assertIn("SB_KEPT", done.stdout)
        self.assertNotIn("PYTHONUNBUFFERED", done.stdout)

    def test_idle_work_stops_while_something_measures(self):
        with open(os.path.join(self.folder, "run.py"), "w") as out:
            out.write(RUN)
        body = f"""
            import os, time, unittest
            def size(): return os.path.getsize({self.folder + "/counts"!r})
            class It(unittest.TestCase):
                def test(self):
                    before, end = size(), time.monotonic() + WAIT
                    while size() == before and time.monotonic() < end:
                        time.sleep(0.02)
                    self.assertEqual(size() != before, GOES_ON)
            """
        for name, values in ("goes_on", "WAIT, GOES_ON = 60, True"), \
                            ("measures", "ALONE = 'reason'; WAIT, GOES_ON = 0.5, False"):
            with open(os.path.join(self.folder, f"test_{name}.py"), "w") as out:
                out.write(textwrap.dedent(body) + "\n" + values.replace("; ", "\n") + "\n")
        done = subprocess.run(self.script(f"""
            : >$logs/counts
            idle bash -c 'until [ -e $0/end ]; do echo >>$0/counts; sleep 0.01; done; echo done' $logs
            suite both {sys.executable} $logs/run.py
            touch $logs/end
            idle_ended
            cat $logs/idle.out
            echo "$SB_IDLE_WORK"
            """), capture_output=True, text=True, timeout=200)
        self.assertRegex(done.stdout, "(?s)2 passed, 0 failed, 0 skipped.*\ndone\n\n$")

    def test_idle_work_ends_with_them(self):
        self.check_that_it_ends("idle")

    def test_one_beside_others_ends_with_them(self):
        self.check_that_it_ends("beside long")

    def check_that_it_ends(self, how):
        process = subprocess.Popen(self.script(f"""
            {how} bash -c 'echo $$ >$0/pid; sleep 300; true' $logs
            suite quick bash -c 'until [ -s $0/pid ]; do sleep 0.02; done; echo here; sleep 1' $logs
            """), stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "== quick\n")
        self.assertEqual(process.stdout.readline(), "here\n")
        process.terminate()
        process.communicate(timeout=60)
        with open(os.path.join(self.folder, "pid")) as file:
            pid = int(file.read())
        end = time.monotonic() + 30
        while is_alive(pid):
            self.assertLess(time.monotonic(), end, "still running")
            time.sleep(0.02)


@unittest.skipUnless(os.path.exists("/usr/bin/python3.11"), "there is no python3.11")
class PeerResults(unittest.TestCase):
    def test_python311_runs_a_program_once(self):
        with tempfile.TemporaryDirectory() as folder:
            program, ran = os.path.join(folder, "program.py"), os.path.join(folder, "ran")

            def runs():
                done = subprocess.run(
                    ["/usr/bin/python3.11", os.path.join(TESTS, "programs", "run.py"), "--python",
                     sys.executable, program], capture_output=True, text=True, timeout=100,
                    env={**os.environ, "SB_PEER_RESULTS": os.path.join(folder, "kept")})
                self.assertIn("1 passed, 0 failed", done.stdout, done.stderr)
                return os.path.getsize(ran)

            with open(program, "w") as file:
                file.write(f"open({ran!r}, 'a').write('.')\n")
            self.assertEqual(runs(), 2)
            self.assertEqual(runs(), 3)
            with open(program, "a") as file:
                file.write("print('changed')\n")
            self.assertEqual(runs(), 5)


class ConformanceDriver(unittest.TestCase):
    def test_single_tests_are_skipped_under_stress(self):
        path = os.path.join(TESTS, "conformance", "driver.py")
        spec = importlib.util.spec_from_file_location("driver", path)
        driver = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(driver)

        class Sample(unittest.TestCase):
            def test_one(self): pass
            def test_other(self): pass
        Sample.__module__, Sample.__qualname__ = "test.test_sample", "Sample"
        text = "# test_a.B.c: no\ntest_all: why\ntest_sample.Sample.test_one: it counts: memory\n"

        def skipped(**environment):
            suite = unittest.TestSuite([unittest.defaultTestLoader.loadTestsFromTestCase(Sample)])
            result = unittest.TestResult()
            with (unittest.mock.patch.dict(os.environ, environment),
                  unittest.mock.patch("builtins.open", unittest.mock.mock_open(read_data=text))):
                if not environment:
                    os.environ.pop("SPRINGBOARD_STRESS", None)
                driver.skip(suite, driver.left_out())
            suite.run(result)
            self.assertEqual(result.testsRun, 2)
            return [(test.id(), why) for test, why in result.skipped]

        self.assertEqual(skipped(SPRINGBOARD_STRESS="gc:1000"),
                         [("test.test_sample.Sample.test_one", "it counts: memory")])
        self.assertEqual(skipped(), [])


class Sysroot(unittest.TestCase):
    def test_it_is_filled_once(self):
        with tempfile.TemporaryDirectory() as folder:
            called = os.path.join(folder, "called")
            os.mkdir(os.path.join(folder, "bin"))
            for tool in "apt-get", "dpkg-deb":
                with open(os.path.join(folder, "bin", tool), "w") as file:
                    file.write(f"#!/bin/sh\necho {tool} >>{called}\n")
                os.chmod(file.name, 0o755)
            for expected in 3, 3:               # update, download, and one that is unpacked
                subprocess.run([os.path.join(TESTS, "..", "Tools", "aarch64", "sysroot"),
                                os.path.join(folder, "root")], check=True, timeout=60,
                               env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
                with open(called) as file:
                    self.assertEqual(len(file.readlines()), expected)


class ChildrenOfAnEmulator(unittest.TestCase):
    PROGRAM = textwrap.dedent("""
        import _xxsubinterpreters, os, subprocess, sys
        def frames():
            f = sys._getframe()
            while f:
                yield f.f_code.co_filename, f.f_code.co_name
                f = f.f_back
        print(__name__, *frames(), os.read(0, 1), "x" in globals(), "PYTHONPATH" in os.environ)
        sys.stdout.flush()
        subprocess.run([sys.executable, "-c", "print('child')"])
        inner = _xxsubinterpreters.create()
        _xxsubinterpreters.run_string(inner, "print('inner', flush=True)")
        print("err", file=sys.stderr)
        x = 1
        sys.exit(%d)
        """)

    def test_they_are_as_the_first(self):
        def results(environment):
            with unittest.mock.patch.dict(os.environ, environment):
                if not environment:
                    os.environ.pop("SPRINGBOARD_EMULATOR", None)
                return [(done.stdout, done.stderr, done.returncode) for done in
                        [jit_cases.finished(self.PROGRAM % code, SPRINGBOARD_JIT="on")
                         for code in (0, 3)]]
        plain = results({})
        self.assertEqual(plain, results({"SPRINGBOARD_EMULATOR": "yes"}))
        self.assertIn("child\n", plain[1][0])
        self.assertEqual([code for *_, code in plain], [0, 3])


if __name__ == "__main__":
    unittest.main()

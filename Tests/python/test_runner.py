"""Tests/unittest_files.py, which runs this file: what a test leaves running does not keep it."""
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

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


if __name__ == "__main__":
    unittest.main()

"""Python frames in gdb's backtrace."""
import functools
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

from support import tool_refusal

PROGRAM = """\
import time
def leaf(v):
    time.sleep(0.001)
    return v
def recurse(n):
    if n:
        return recurse(n - 1)
    return sorted([1], key=leaf)
def gen():
    yield from inner()
def inner():
    yield recurse(
        2)
class A:
    def method(self):
        for x in gen(): pass
A().method()
"""
STACK = [("leaf", 3), ("recurse", 8), ("recurse", 7), ("recurse", 7), ("inner", 12),
         ("gen", 10), ("A.method", 16), ("<module>", 17)]


@functools.cache
def gdb_refusal():
    if tool_refusal("gdb"):
        return tool_refusal("gdb")
    done = subprocess.run(["gdb", "-nx", "-q", "-batch", "-ex", "run", "--args", "true"],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=60)
    if "exited normally" not in done.stdout:
        return "gdb can't run programs here: " + done.stderr.strip()[-200:]
    return None


@unittest.skipIf(gdb_refusal(), str(gdb_refusal()))
class Gdb(unittest.TestCase):
    def gdb(self, program, *commands, options=("-X", "perf_gdb")):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as f:
                f.write(program)
            arguments = [word for command in ("set breakpoint pending on",
                                              "set print frame-arguments none", *commands)
                         for word in ("-ex", command)]
            return path, subprocess.run(
                ["gdb", "-nx", "-q", "-batch", *arguments, "--args", sys.executable,
                 *options, path], capture_output=True, text=True, timeout=300,
                stdin=subprocess.DEVNULL).stdout

    def assert_stack(self, path, text):
        shown = re.findall(r"^#\d+ .* in py::(\S+?):(/\S*|<.*>):(\d+) \(\)", text, re.M)
        ours = [(name, int(line)) for name, file, line in shown if file == path]
        self.assertEqual(ours, STACK, text[-6000:])
        self.assertRegex(text, r"(?m)^#\d+ .*\bPy_RunMain \(")
        self.assertNotIn("corrupt stack", text)

    def test_backtrace_names_functions_and_lines(self):
        path, text = self.gdb(PROGRAM, "break clock_nanosleep", "run", "bt")
        self.assert_stack(path, text)

    def test_nothing_is_named_without_the_option(self):
        path, text = self.gdb(PROGRAM, "break clock_nanosleep", "run", "bt", options=())
        self.assertIn("Py_RunMain", text)
        self.assertNotIn("py::", text)

    def test_gdb_may_come_later(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as f:
                f.write(PROGRAM.replace("time.sleep(0.001)",
                                        "print(flush=True); time.sleep(100)"))
            process = subprocess.Popen([sys.executable, "-X", "perf_gdb", path],
                                       stdout=subprocess.PIPE)
            try:
                process.stdout.readline()
                time.sleep(0.2)
                text = subprocess.run(["gdb", "-nx", "-q", "-batch", "-ex", "bt", "-p",
                                       str(process.pid)], capture_output=True, text=True,
                                      timeout=100, stdin=subprocess.DEVNULL).stdout
            finally:
                process.kill()
                process.wait()
                process.stdout.close()
            self.assert_stack(path, text)

    def test_thousands_of_functions(self):
        """gdb reads an image for many functions, not one for each."""
        path, text = self.gdb("""if 1:
            import sys, time
            sys.activate_stack_trampoline('perf_gdb')
            sys.activate_stack_trampoline('perf_gdb')
            for i in range(2000):
                space = {}
                exec(f'def unit_{i}(f): return f and f()', space)
                last = space[f'unit_{i}']
                last(None)
                if i == 10: early = last
            last(lambda: early(lambda: time.sleep(0.001)))
            """, "break clock_nanosleep", "run", "bt", "python e = gdb.parse_and_eval("
                "'__jit_debug_descriptor')['first']\nn = 0\nwhile e: n += 1; e = e['next']"
                "\nprint('images:', n)", options=())
        self.assertRegex(text, r"(?s)py::unit_10:.*py::unit_1999:")
        images = re.search(r"images: (\d+)", text)
        self.assertIn(int(images[1]) if images else text, range(2, 12))


if __name__ == "__main__":
    unittest.main()

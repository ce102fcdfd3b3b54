"""Tools/gdb: Python's objects, frames and source lines in gdb."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LONG = "a debugger reads all symbols, many times"

BUILD = os.path.dirname(os.path.realpath(sys.executable))
PROGRAM = """\
import time
def inner(text, number, *rest):
    values = [1, 2.5, None, True, "\\xe9\\u20ac\\U0001f600", b"x", (1,), {"a": [1], 2: {}}]
    others = {3}, frozenset({4}), -12345678901234567890123, int, len
    error = ValueError("no", 3)
    time.sleep(0.01)
class C:
    def method(self, x):
        inner("abc", x, 5, "z")
C().method(10**20)
"""


def gdb(*commands):
    """What gdb prints that has loaded the file beside the program by itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w") as f:
            f.write(PROGRAM)
        arguments = [word for command in commands for word in ("-ex", command)]
        done = subprocess.run(
            ["gdb", "-nx", "-q", "-batch", "-iex", f"add-auto-load-safe-path {BUILD}", *arguments,
             "--args", sys.executable, "-I", path],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
            env={**os.environ, "LC_ALL": "C.UTF-8"})
        return done.stdout.replace(path, "PROGRAM") + done.stderr


def refusal():
    if os.environ.get("SPRINGBOARD_EMULATOR"):
        return "gdb does not see into an emulated process"
    if shutil.which("gdb") is None:
        return "gdb is not installed"
    if not os.path.exists(os.path.join(BUILD, "Makefile")):
        return "not in a build tree"
    if "previous" not in gdb("start", "ptype PyVMFrame"):
        return "built without types in the debug information"
    if "exited normally" not in gdb("run"):
        return "gdb can't run programs here"
    return None


@unittest.skipIf(refusal(), str(refusal()))
class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        current = 'python print(str(thread_state()["cframe"]["current_frame"]{}))'
        cls.text = gdb("start", "break clock_nanosleep", "continue", "echo [bt]\\n", "py-bt",
                       "echo [locals]\\n", "py-locals", "echo [list]\\n", "py-list",
                       "echo [frame]\\n", current.format(""),
                       "echo [code]\\n", current.format('["code"].dereference()'),
                       "echo [register]\\n", current.format('["regs"][0]'),
                       "echo [c frames]\\n", "bt")

    def part(self, name):
        found = re.search(rf"^\[{name}\]\n(.*?)(?=^\[|\Z)", self.text, re.S | re.M)
        self.assertIsNotNone(found, self.text)
        return found[1]

    def test_backtrace_of_a_thread_that_waits(self):
        self.assertEqual(self.part("bt"), """\
#0   inner (PROGRAM:6)
        time.sleep(0.01)
#1   C.method (PROGRAM:9)
        inner("abc", x, 5, "z")
#2   <module> (PROGRAM:10)
        C().method(10**20)
""")

    def test_variables_have_their_values(self):
        text = self.part("locals")
        for line in ("text = 'abc'", f"number = {10**20}", "rest = (5, 'z')",
                     "values = [1, 2.5, None, True, 'é€😀', b'x', (1,), {'a': [1], 2: {}}]",
                     "others = ({3}, frozenset({4}), -12345678901234567890123, <class int>, "
                     "<built-in len>)", "error = ValueError('no', 3)"):
            self.assertIn(line + "\n", text)

    def test_source_around_the_line(self):
        self.assertIn(">    6     time.sleep(0.01)\n", self.part("list"))
        self.assertIn("     9         inner(", self.part("list"))

    def test_frames_code_and_registers_are_printed(self):
        self.assertRegex(self.part("frame"), r"^0x\w+ inner \(PROGRAM:6\)")
        self.assertRegex(self.part("code"), r"^<code inner at 0x\w+, PROGRAM:2>")
        self.assertEqual(self.part("register"), "'abc'\n")


if __name__ == "__main__":
    unittest.main()

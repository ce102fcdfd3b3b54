"""Lines: which one of a function runs, in the leaf and in its callers."""
import collections
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

from support import names, need_frame_pointers, perf_refusal, record, run
from test_jitdump import remove_traces

# No two rounds are of one length: with rounds of half a millisecond, perf's clock, which ticks each
# millisecond or twice in it, would meet the same lines again and again.
HOT = """\
import time
def spin(n):
    total = 0
    for i in range(n):
        total += i * i %% 7
    return total
def hot(k):
    spin(k)
    spin(k * 3)
    return [spin(k * 6)
            for i in range(1)]
def more(k):
    try:
        spin(k * 2)
        raise KeyError
    except KeyError:
        spin(k * 5)
    yield
    spin(
        k * 3)
end, k = time.process_time() + %s, 10000
while time.process_time() < end:
    hot(k)
    for x in more(k):
        pass
    k = 5000 + k * 7919 %% 9973
"""


class Switches(unittest.TestCase):
    PROGRAM = "def f():\n  return 1\nf()\nimport sys; print(sys.is_stack_trampoline_active())"

    def lines_of_f(self, *options, **env):
        status, out, err, lines = run(self.PROGRAM, *options, env=env)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out == "True\n", lines is not None)
        if lines is None:
            return None
        return sorted(name.removeprefix("py::f:<string>") for name in names(lines)
                      if name.startswith("py::f:"))

    def test_option_and_variable(self):
        shown = [":1", ":2"]
        self.assertEqual(self.lines_of_f("-X", "perf_lines"), shown)
        self.assertEqual(self.lines_of_f("-X", "perf", "-X", "perf_lines"), shown)
        self.assertEqual(self.lines_of_f(PYTHON_PERF_LINES="1"), shown)
        self.assertEqual(self.lines_of_f("-X", "perf", PYTHON_PERF_LINES="1"), shown)
        self.assertEqual(self.lines_of_f("-X", "perf"), [""])

    def test_the_option_wins_over_the_variable(self):
        self.assertIsNone(self.lines_of_f("-X", "perf_lines=0", PYTHON_PERF_LINES="1"))
        self.assertEqual(self.lines_of_f("-X", "perf_lines=0", PYTHON_PERF_LINES="1",
                                         PYTHONPERFSUPPORT="1"), [""])
        self.assertIsNone(self.lines_of_f("-X", "perf=0", PYTHON_PERF_LINES="1"))
        self.assertIsNone(self.lines_of_f("-I", PYTHON_PERF_LINES="1"))

    def test_functions_of_sys(self):
        status, out, err, lines = run("""if 1:
            import sys
            def f():
                return 1
            on, off = sys.activate_stack_trampoline, sys.deactivate_stack_trampoline
            for i in range(3):
                on('perf', lines=True); on('perf', lines=1)
                f()
                try: on('perf')
                except ValueError as e: assert 'perf with lines is active' in str(e), e
                else: assert 0
                off()
                on('perf')
                f()
                try: on('perf', lines=True)
                except ValueError as e: assert "can't activate perf with lines" in str(e)
                else: assert 0
                off()
            for bad in {'line': True}, {'lines': 1, 'x': 2}:
                try: on('perf', **bad)
                except TypeError as e: assert 'invalid keyword argument' in str(e), e
                else: assert 0
            """)
        self.assertEqual((status, err), (0, ""))
        found = names(lines)
        for name in "py::f:<string>", "py::f:<string>:3", "py::f:<string>:4":
            self.assertEqual(found.count(name), 1, name)

    def test_a_function_takes_16_bytes_and_8_for_each_further_line(self):
        *_, lines = run("\n".join(["def f(a):"] + ["    a = a"] * 99 + ["f(1)"]),
                        "-X", "perf_lines")
        of_f = sorted(int(line.split()[0], 16) for line in lines if "py::f:" in line)
        self.assertEqual(len(of_f), 100)
        self.assertEqual([b - a for a, b in zip(of_f, of_f[1:])], [8] * 99)


class ProgramWithHotLines(unittest.TestCase):
    def program(self, seconds=1.5):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "hot.py")
        with open(path, "w") as f:
            f.write(HOT % seconds)
        return folder.name, path


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
@unittest.skipUnless(*need_frame_pointers())
class Samples(ProgramWithHotLines):
    ALONE = "counts samples"

    def assert_shares(self, count, expected):
        """Within four standard deviations of what the work is, and 3 % for what is
        not the work."""
        total = sum(count[line] for line in expected)
        self.assertGreater(total, 150, count)
        whole = sum(expected.values())
        for line, weight in expected.items():
            share = weight / whole
            tolerance = 4 * math.sqrt(share * (1 - share) / total) + 0.03
            self.assertAlmostEqual(count[line] / total, share, delta=tolerance,
                                   msg=f"line {line} of {dict(count)}")

    def test_hot_lines_have_their_share(self):
        folder, path = self.program()
        stacks = record(["-X", "perf_lines", path])
        count = collections.Counter()
        lost = []
        for stack in stacks:
            chain = [s.rsplit(":", 1)[1] + " " + s.split(":")[2] for s in stack
                     if s.startswith("py::") and path in s]
            if "spin" not in chain[0] if chain else True:
                continue
            # The comprehension stands between its function and what it calls.
            callers = [c for c in chain[1:] if "<" not in c]
            if not callers:
                lost.append(stack)      # a frame that has just left machine code
                continue
            line, caller = callers[0].split()
            count[int(line)] += 1
            whole = {"hot": "23 <module>", "more": "24 <module>"}
            self.assertEqual(chain[-1], whole[caller], stack)
            self.assertIn(chain[0].split()[0], ("3", "4", "5", "6", "2"), stack)
        self.assertLess(len(lost), 0.001 * len(stacks), lost)
        self.assert_shares(count, {8: 1, 9: 3, 10: 6, 14: 2, 17: 5, 19: 3})

    def test_jitdump_tells_source_lines(self):
        folder, path = self.program(0.5)
        raw, data = os.path.join(folder, "raw"), os.path.join(folder, "data")
        quiet = {"capture_output": True, "stdin": subprocess.DEVNULL, "timeout": 200,
                 "check": True, "cwd": folder, "text": True, "errors": "replace"}
        subprocess.run(["perf", "record", "-F", "999", "-k", "1", "-g", "-o", raw, "--",
                        sys.executable, "-X", "perf_jit", "-X", "perf_lines", path],
                       **quiet)
        perf = ["perf", "--buildid-dir", folder]
        subprocess.run([*perf, "inject", "--jit", "-i", raw, "-o", data], **quiet)
        text = subprocess.run([*perf, "script", "-i", data, "-F", "pid,ip,sym,srcline"],
                              **quiet).stdout
        remove_traces(raw)
        count = collections.Counter()
        for block in text.split("\n\n"):
            lines = [line.strip() for line in block.strip("\n").split("\n")]
            shown = [after for line, after in zip(lines, lines[1:])
                     if re.search(r" py::.*hot\.py$", line)]
            if len(shown) > 1 and shown[-1] in ("hot.py:23", "hot.py:24"):
                count[shown[-2]] += 1
        self.assert_shares(count, {f"hot.py:{line}": weight for line, weight in
                                   {8: 1, 9: 3, 10: 6, 14: 2, 17: 5, 19: 3}.items()})


if __name__ == "__main__":
    unittest.main()

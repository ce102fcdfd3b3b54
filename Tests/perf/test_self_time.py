"""Tools/perf/self_time.py: perf annotate and flat reports speak of Python functions."""
import os
import re
import subprocess
import sys
import unittest

from support import need_frame_pointers, perf_refusal
from test_jitdump import remove_traces
from test_lines import HOT, ProgramWithHotLines

LONG = "perf takes its time"

LINES = {(str(i), line.strip()) for i, line in enumerate((HOT % 0).split("\n"), 1)}

TOOL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                     "..", "..", "Tools", "perf", "self_time.py"))


class Refusals(unittest.TestCase):
    def test_what_is_no_profile_is_refused(self):
        for path, reason in [("/nowhere/at/all", "No such file"), (TOOL, "not a perf.data")]:
            done = subprocess.run([sys.executable, TOOL, path, "/nowhere/out"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, rf"\A[^\n]*{reason}[^\n]*\n\Z")


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
class SelfTime(ProgramWithHotLines):
    """In HOT, spin() burns nearly everything, most of it in its line 5."""

    def convert(self, options, python_options, inject):
        has_frame_pointers, reason = need_frame_pointers()
        if not has_frame_pointers and not any("dwarf" in option for option in options):
            self.skipTest(reason)
        self.folder, self.path = self.program(0.8)
        raw, data, result = (os.path.join(self.folder, name)
                             for name in ("raw", "data", "result"))
        self.run_quietly("perf", "record", "-F", "999", *options, "-o", raw, "--",
                         sys.executable, *python_options, self.path)
        self.addCleanup(remove_traces, raw)
        if inject:
            self.perf("inject", "--jit", "-i", raw, "-o", data)
        else:
            os.rename(raw, data)
        said = self.run_quietly(sys.executable, TOOL, data, result)
        moved, total = map(int, re.match(r"(\d+) of (\d+) samples", said).groups())
        self.assertGreater(moved, 0.8 * total, said)
        return result

    def run_quietly(self, *command):
        return subprocess.run(command, capture_output=True, text=True, check=True,
                              errors="replace", stdin=subprocess.DEVNULL, timeout=200,
                              cwd=self.folder).stdout

    def perf(self, *arguments):
        return self.run_quietly("perf", "--buildid-dir", self.folder, *arguments)

    def shares(self, *arguments):
        """Percentages of a report's rows by what is behind them."""
        text = self.perf("report", "--stdio", "--no-children", "-g", "none", *arguments)
        shares = {}
        for share, name in re.findall(r"^ +([0-9.]+)%  \[\.\] (\S.*?) *$", text, re.M):
            # Interpreted and compiled, a function has two rows.
            shares[name] = shares.get(name, 0) + float(share)
        return shares

    def assert_spin_is_hot(self, in_function, in_lines):
        """Shares of all samples. spin() does nothing but its loop."""
        self.assertGreater(in_function, 80)
        self.assertGreater(in_lines.get(5, 0), 40, in_lines)
        self.assertGreater(in_lines.get(4, 0), 5, in_lines)
        self.assertAlmostEqual(sum(in_lines.values()), in_function, delta=1)

    def check_lines_in_a_dump(self, method):
        result = self.convert(["-k", "1", "--call-graph", method],
                              ["-X", "perf_jit", "-X", "perf_lines"], True)
        symbol = f"py::spin:{self.path}"
        by_line = self.shares("-i", result, "--sort", "sym,srcline")
        in_lines = {int(name.rsplit(":", 1)[1]): share for name, share in by_line.items()
                    if name.startswith(symbol + " ")}
        self.assert_spin_is_hot(self.shares("-i", result, "--sort", "sym")[symbol], in_lines)
        return result, symbol

    def check_annotation(self, result, symbol):
        """Each line of spin() with its source above it, and its share."""
        text = self.perf("annotate", "--stdio", "-i", result, symbol)
        # Interpreted and compiled, it is shown twice.
        text = max(re.split(r"^ Percent ", text, flags=re.M)[1:],
                   key=lambda part: int(re.search(r"\((\d+) samples", part)[1]))
        shown, line = {}, None
        for row in text.splitlines():
            if match := re.match(r" +: (\d+) +(\S.*)$", row):
                line = int(match[1]) if (match[1], match[2]) in LINES else None
            elif match := re.match(r" +([0-9.]+) : +[0-9a-f]+:", row):
                shown[line] = shown.get(line, 0) + float(match[1])
        self.assertGreater(shown.get(5, 0), 40, text)
        self.assertGreater(shown.get(4, 0), 5, text)
        self.assertAlmostEqual(sum(shown.values()), 100, delta=1, msg=text)

    def check_script(self, result, symbol):
        text = self.perf("script", "-i", result, "-G", "-F", "ip,sym,srcline")
        rows = re.findall(r"^ *[0-9a-f]+ (py::\S*)\n +(\S+)$", text, re.M)
        hot = sum(row == (symbol, "hot.py:5") for row in rows)
        self.assertGreater(hot, 0.4 * len(rows), text[:1000])

    def test_lines_and_annotated_source_by_frame_pointers(self):
        result, symbol = self.check_lines_in_a_dump("fp")
        self.check_annotation(result, symbol)
        self.check_script(result, symbol)

    def test_lines_and_annotated_source_by_dwarf(self):
        self.check_annotation(*self.check_lines_in_a_dump("dwarf,8192"))

    def test_lines_in_a_map(self):
        result = self.convert(["-g"], ["-X", "perf_lines"], False)
        by_symbol = self.shares("-i", result, "--sort", "sym")
        in_lines = {int(name.rsplit(":", 1)[1]): share for name, share in by_symbol.items()
                    if name.startswith(f"py::spin:{self.path}:")}
        self.assert_spin_is_hot(sum(in_lines.values()), in_lines)

    def test_functions_in_a_map(self):
        result = self.convert(["-g"], ["-X", "perf"], False)
        self.assertGreater(self.shares("-i", result, "--sort", "sym")
                           .get(f"py::spin:{self.path}", 0), 80)

    def test_a_profile_without_python_functions_is_refused(self):
        self.folder, self.path = self.program()
        data = os.path.join(self.folder, "data")
        self.run_quietly("perf", "record", "-g", "-o", data, "--", "true")
        done = subprocess.run([sys.executable, TOOL, data, data + ".out"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("has a Python function in its call chain", done.stderr)
        self.assertFalse(os.path.exists(data + ".out"))


if __name__ == "__main__":
    unittest.main()

"""Tests/suites/run.py: what it reports for suites that pass, fail, crash and hang."""
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

LONG = "waits for suites that hang"
PORTABLE = "scripts that run tests"

RUNNER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "suites",
                      "run.py")
PEER = "/usr/bin/python3.11"
OURS = "import sys; ours = sys.implementation.name == 'springboard'\n"
ON_BOTH = "import os, signal, time\n" + OURS


def has_pytest():
    return subprocess.run([PEER, "-I", "-c", "import pytest"], capture_output=True).returncode == 0


@unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "it starts python3.11's own tests")
@unittest.skipUnless(os.path.exists(PEER) and has_pytest(), "no python3-pytest for python3.11")
class SuitesRunnerTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.results = os.path.join(self.directory, "results")

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(ON_BOTH + textwrap.dedent(text))

    def run_it(self, *arguments, known="", options=""):
        table = os.path.join(self.directory, "table.txt")
        with open(table, "w") as f:
            f.write(f"# A comment.\nmade | data | python3-pytest | {self.directory}/made | "
                    f"{options} | {known}\n")
        # The sanitizer would turn a crash into an ordinary exit.
        asan = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "handle_segv=0"]))
        done = subprocess.run([PEER, RUNNER, "--python", sys.executable, "--table", table,
                               "--results", self.results, "--no-install", *arguments],
                              env={**os.environ, "ASAN_OPTIONS": asan},
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def told(self):
        with open(os.path.join(self.results, "results.json")) as f:
            return json.load(f)["made"]["told"]

    def test_equal_failures_pass(self):
        self.write("made/test_a.py", """
            def test_one(): pass
            def test_two(): assert 0
            """)
        status, out = self.run_it()
        self.assertEqual(status, 0, out)
        self.assertIn("pass made: 1 passed, 1 fail on both, 0 skipped", out)
        self.assertTrue(out.endswith("1 passed, 0 failed, 0 skipped\n"), out)

    def test_what_fails_on_ours_only_is_named_with_what_it_says(self):
        self.write("made/test_a.py", "def test_one(): assert not ours, 'a reason'")
        status, out = self.run_it()
        self.assertEqual(status, 1, out)
        self.assertIn("FAIL made: ", out)
        self.assertRegex(out, r"ours only: .*test_a.py::test_one: failed: .*a reason")

    def test_what_is_known_passes(self):
        self.write("made/test_a.py", """
            def test_one(): assert not ours
            def test_two(): pass
            """)
        status, out = self.run_it(known="test_a.py::test_one: it asks for the name")
        self.assertEqual(status, 0, out)
        self.assertIn("known: ", out)

    def test_what_fails_once_is_unsteady(self):
        self.write("made/test_a.py", f"""
            def test_one():
                if ours and not os.path.exists({self.directory + '/ran'!r}):
                    open({self.directory + '/ran'!r}, "w").close()
                    assert 0
            def test_two(): pass
            """)
        status, out = self.run_it()
        self.assertEqual(status, 0, out)
        self.assertEqual(len(self.told()["unsteady"]), 1)

    def test_a_crash_costs_its_file(self):
        for name, text in (("a", "def test_one(): pass"), ("c", "def test_one(): pass"), ("b", """
                def test_before(): pass
                def test_it(): ours and os.kill(os.getpid(), signal.SIGSEGV)
                def test_after(): pass
                """)):
            self.write(f"made/test_{name}.py", text)
        status, out = self.run_it()
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"FAIL made: 3 passed, 0 fail on both")
        self.assertRegex(out, r"ours only: .*test_b.py::test_it: crash: exit status -11")

    def test_a_crash_while_tests_are_collected_costs_its_file(self):
        self.write("made/test_a.py", "def test_one(): pass")
        self.write("made/test_b.py", "ours and os.kill(os.getpid(), signal.SIGSEGV)")
        self.write("made/test_c.py", "def test_one(): pass")
        status, out = self.run_it()
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"FAIL made: 2 passed, 0 fail on both")
        self.assertRegex(out, r"ours only: .*test_b.py: crash: exit status -11")

    def test_a_crash_at_the_end(self):
        self.write("made/test_a.py", """
            import atexit
            def test_one(): ours and atexit.register(os.kill, os.getpid(), signal.SIGSEGV)
            """)
        status, out = self.run_it()
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"ours only: made: the end: crash: exit status -11")

    def test_a_hang_costs_its_file(self):
        self.write("made/test_a.py", "def test_one(): ours and time.sleep(300)")
        self.write("made/test_b.py", "def test_one(): pass")
        status, out = self.run_it("--stall", "10")
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"FAIL made: 1 passed")
        self.assertRegex(out, r"ours only: .*test_a.py::test_one: hang")

    def test_processor_time_counts_children_and_only_beyond_some_seconds(self):
        self.write("made/test_a.py", """
            import subprocess
            LOOP = "import time\\nwhile time.process_time() < %s: pass"
            def test_one():
                subprocess.run([sys.executable, "-c", LOOP % (6 if ours else 3)], check=True)
            """)
        status, out = self.run_it()
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"times the processor time\n")

    def test_finished_suites_are_not_run_again_unless_asked_for(self):
        self.write("made/test_a.py", f"""
            def test_one():
                with open({self.directory + '/ran'!r}, "a") as f:
                    print(sys.implementation.name, file=f)
            """)
        ran = []
        for arguments in [], [], ["--again"]:
            self.run_it(*arguments)
            with open(self.directory + "/ran") as f:
                ran.append(f.read().split())
        self.assertEqual(ran[:2], [[sys.implementation.name, "cpython"]] * 2)
        self.assertEqual(ran[2], [*ran[0], sys.implementation.name])

    def test_quick_runs_only_failures_under_python311_and_a_whole_run_completes_it(self):
        self.write("made/test_a.py", f"""
            def test_one():
                with open({self.directory + '/ran'!r}, "a") as f:
                    print(sys.implementation.name, file=f)
            def test_two(): assert 0
            """)
        status, out = self.run_it("--quick")
        self.assertEqual(status, 0, out)
        self.assertIn("pass made: 1 passed, 1 fail on both, 0 skipped", out)
        self.assertNotIn("times python3.11's", out)
        status, out = self.run_it()
        self.assertIn("times python3.11's", out)
        with open(self.directory + "/ran") as f:
            self.assertEqual(f.read().split(), [sys.implementation.name, "cpython"])

    def write_burning_files(self, seconds, ours=1.0, first="pass"):
        """Six files of nine tests, all but the first of which cost some processor time."""
        for name in "abcdef":
            self.write(f"made/test_{name}.py", f"""
                import pytest
                def test_first(): {first}
                @pytest.fixture(scope="module")
                def file():
                    with open({self.directory + '/opened'!r}, "a") as f:
                        print(__name__, sys.implementation.name, file=f)
                    yield
                    with open({self.directory + '/opened'!r}, "a") as f:
                        print("end of", __name__, file=f)
                @pytest.mark.parametrize("n", range(8))
                def test(file, n):
                    with open({self.directory + '/ran'!r}, "a") as f:
                        print(sys.implementation.name, __name__, n, file=f)
                    end = time.process_time() + {seconds} * ({ours} if ours else 1)
                    while time.process_time() < end:
                        pass
                """)

    def test_a_sample_runs_the_same_tests_in_both_and_compares_their_time(self):
        self.write_burning_files(0.15, ours=2.0)
        status, out = self.run_it("--sample", "8")
        self.assertEqual(status, 1, out)
        ratio = r"(1\.[6-9]\d*|2\.\d+) times"
        self.assertRegex(out, rf"FAIL made \(a sample, [456][0-9.]+%\): \d+ passed, .*{ratio} "
                              r"the processor time\n")
        with open(self.directory + "/ran") as f:
            ran = [line.split(maxsplit=1) for line in f]
        mine, other = ([test for name, test in ran if name == which]
                       for which in (sys.implementation.name, "cpython"))
        # The trial run takes the files in another order.
        self.assertEqual([*mine[len(mine) // 2:], *mine[len(mine) // 2:]], other)
        self.assertEqual(sorted(mine[:len(mine) // 2]), sorted(mine[len(mine) // 2:]))
        self.assertGreaterEqual(len({test.split()[0] for test in other}), 4, other)
        with open(self.directory + "/opened") as f:
            opened = f.read().splitlines()
        for begun, ended in zip(opened[::2], opened[1::2]):
            self.assertEqual(ended, "end of " + begun.split()[0])

    def test_a_sample_tells_what_differs_and_leaves_the_whole_run_as_it_is(self):
        self.write_burning_files(0.05)
        self.run_it("--quick")
        with open(os.path.join(self.results, "results.json")) as f:
            whole = json.load(f)["made"]
        self.write_burning_files(0.05, first="assert not ours, 'a reason'")
        status, out = self.run_it("--sample", "1.2")
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"ours only: .*test_[a-f].py::test_first: failed: .*a reason")
        with open(os.path.join(self.results, "results.json")) as f:
            record = json.load(f)["made"]
        self.assertEqual({**record, "sample": 0}, {**whole, "sample": 0})
        page = os.path.join(self.directory, "page.rst")
        self.run_it("--page", page)
        with open(page) as f:
            self.assertRegex(f.read(), r"(?m)^made +\S+ +54 +0 +0 +0 +0 +"
                                       r"(\d\.\d\d|\(short\)) of \d\d % +20\d\d-")

    def test_a_suite_that_fits_into_the_sample_runs_whole(self):
        self.write("made/test_a.py", "def test_one(): pass")
        status, out = self.run_it("--sample", "20")
        self.assertEqual(status, 0, out)
        self.assertIn("pass made: 1 passed", out)
        self.assertEqual(self.told()["ours only"], [])

    def test_page(self):
        self.write("made/test_a.py", "def test_one(): pass")
        self.run_it()
        page = os.path.join(self.directory, "page.rst")
        self.run_it("--page", page)
        with open(page) as f:
            text = f.read()
        self.assertRegex(text, r"(?m)^made +\S+ +1 +0 +0 +0 +0 +\(short\) +20\d\d-")
        # What the page has stays if there is no newer result.
        os.unlink(os.path.join(self.results, "results.json"))
        self.run_it("--page", page)
        with open(page) as f:
            self.assertEqual(f.read(), text)


if __name__ == "__main__":
    unittest.main()

"""Random programs in machine code give what they give interpreted (Tests/fuzz/compiled.py)."""
import os
import subprocess
import sys
import unittest

LONG = "many programs"

# An emulator takes twenty times as long.
CASES = 8 if "SPRINGBOARD_EMULATOR" in os.environ else 25
FUZZER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "compiled.py")


class RandomPrograms(unittest.TestCase):
    def check(self, mode, seed, *more):
        command = ["/usr/bin/python3.11", FUZZER, "--python", sys.executable, "--mode", mode,
                   "--seed", str(seed), "--cases", str(CASES), "--timeout", "300", *more]
        if "SB_INTERPRETER" in os.environ:      # jit_cases.py
            command += "--reference", os.environ["SB_INTERPRETER"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{CASES} programs, 0 differ", done.stdout)

    def test_when_they_are_warm(self):
        self.check("on", 500)

    def test_from_the_first_call_on(self):
        self.check("eager", 1)

    def test_whose_world_changes(self):
        self.check("on", 500, "--changing")
        self.check("eager", 1, "--changing")

    def test_with_many_values_alive(self):
        self.check("eager", 1, "--worlds")
        self.check("stress:0", 500, "--worlds")

    def test_that_keep_nothing(self):
        self.check("eager", 80, "--leaks")


if __name__ == "__main__":
    unittest.main()

"""A small, fixed part of Tests/fuzz: the same inputs each time. `make fuzz` does more."""
import os
import platform
import subprocess
import sys
import tempfile
import unittest

SLOW = "random input for some seconds"

FUZZ = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fuzz", "fuzz.py")


@unittest.skipUnless(platform.machine() == "x86_64", "an emulated processor takes too long")
class Fuzz(unittest.TestCase):
    def test_random_input_ends_as_in_python311(self):
        with tempfile.TemporaryDirectory() as keep:
            done = subprocess.run([sys.executable, FUZZ, "--python", sys.executable, "--seed", "20261120",
                                   "--cases", "25", "--keep", keep], capture_output=True, text=True,
                                  timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-1000:])
        self.assertRegex(done.stdout, r"600 cases, 0 failures")


if __name__ == "__main__":
    unittest.main()

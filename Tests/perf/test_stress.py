"""A short form of `make stress-perf`."""
import os
import subprocess
import sys
import unittest

ALONE = "keeps all processors busy"

STRESS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stress.py")


class Stress(unittest.TestCase):
    def test_threads_that_switch_define_and_fork_find_their_maps_in_order(self):
        done = subprocess.run([sys.executable, STRESS, "5"], capture_output=True,
                              text=True, timeout=200, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    unittest.main()

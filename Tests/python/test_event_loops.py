"""Event loops in threads, while a collection may come at every moment (loops.py)."""
import os
import subprocess
import sys
import unittest

PORTABLE = "queues of callbacks"

HERE = os.path.dirname(os.path.abspath(__file__))
# `make check-stress` sets it to a minute.
SECONDS = os.environ.get("STRESS_SECONDS", "6")


class EventLoops(unittest.TestCase):
    def test_loops_in_threads_at_tiny_thresholds(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "loops.py"), SECONDS],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])


if __name__ == "__main__":
    unittest.main()

"""Runs test_*.py of this folder; the last line is the sum."""
import os
import sys
import unittest

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
suite = unittest.TestLoader().discover(here)
result = unittest.TextTestRunner(sys.stdout, verbosity=1).run(suite)
for test, reason in result.skipped:
    print(f"skipped {test.id()}: {reason}")
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
sys.exit(failed != 0)

"""Runs one module of CPython's test suite in this process, as regrtest does
without optional resources, and writes the counts as JSON.

usage: driver.py MODULE RESULT-FILE

Under SPRINGBOARD_STRESS, tests that Tests/stress/not_with_stress.txt names are skipped.
"""
import importlib
import json
import os
import sys
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def left_out():
    """{MODULE.CLASS.TEST: why}"""
    if "SPRINGBOARD_STRESS" not in os.environ:
        return {}
    with open(os.path.join(TESTS, "stress", "not_with_stress.txt")) as file:
        rows = [line.rstrip().split(": ", 1) for line in file if line.startswith("test_")]
    return {name: why for name, why in rows if "." in name}


def skip(tests, reasons):
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            skip(test, reasons)
        elif test.id().removeprefix("test.") in reasons:
            why = reasons[test.id().removeprefix("test.")]
            name = test._testMethodName
            setattr(test, name, unittest.skip(why)(getattr(test, name)))


def below(frames, call, *args):
    """From deeper in the stack: below as many frames as regrtest has above a test. test_tracemalloc
    expects more than ten frames of whatever was allocated second by address."""
    return below(frames - 1, call, *args) if frames else call(*args)


class Counting(unittest.TextTestResult):
    """Counts subtests that fail as one failure of their test."""

    def __init__(self, *args):
        super().__init__(*args)
        self.bad = set()

    def addFailure(self, test, err):
        self.bad.add(str(test))
        super().addFailure(test, err)

    def addError(self, test, err):
        self.bad.add(str(test))
        super().addError(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.bad.add(str(test))
        super().addSubTest(test, subtest, err)

    def addUnexpectedSuccess(self, test):
        self.bad.add(str(test))
        super().addUnexpectedSuccess(test)


def main():
    name, path = sys.argv[1:]
    sys.argv[1:] = []
    from test import support
    support.use_resources = []
    support.verbose = 0
    counts = {"passed": 0, "failed": 0, "skipped": 0, "bad": []}

    def run(suite):
        skip(suite, left_out())
        runner = unittest.TextTestRunner(sys.stderr, verbosity=2, resultclass=Counting)
        result = below(12, runner.run, suite)
        failed = len(result.bad)
        skipped = len(result.skipped)
        counts["failed"] += failed
        counts["skipped"] += skipped
        counts["passed"] += max(0, result.testsRun - failed - skipped)
        counts["bad"] += sorted(result.bad)

    try:
        module = importlib.import_module("test." + name)
        if hasattr(module, "test_main"):
            # What it calls ends here, wherever the suites come from.
            support.run_unittest = lambda *classes: run(collect(classes))
            support._run_suite = run
            module.test_main()
        else:
            loader = unittest.TestLoader()
            run(loader.loadTestsFromModule(module))
            for error in loader.errors:
                print(error, file=sys.stderr)
                counts["failed"] += 1
                counts["bad"].append("load")
    except unittest.SkipTest as why:
        print("skipped:", why, file=sys.stderr)
        counts["skipped"] += 1
        counts["module_skipped"] = True
    with open(path, "w") as f:
        json.dump(counts, f)


def collect(classes):
    suite = unittest.TestSuite()
    for cls in classes:
        if isinstance(cls, str):
            suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(
                sys.modules[cls] if cls in sys.modules else importlib.import_module(cls)))
        elif isinstance(cls, (unittest.TestSuite, unittest.TestCase)):
            suite.addTest(cls)
        else:
            suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(cls))
    return suite


if __name__ == "__main__":
    main()

"""Runs the unittest files of a folder, a process for each, side by side.

A file may say at its top level, each with the reason as a string:

  ALONE   it measures, so nothing runs beside it: it has its turn after the others
  SLOW    it takes long: --quick leaves it out
  LONG    it takes longer than most: it begins with the first, so that it does not end alone
  PORTABLE  no processor makes a difference to it: --machine leaves it out

A class may say ALONE, too: the others of its file then run beside other files.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

import side_by_side

SUM = r"(?m)^(\d+) passed, (\d+) failed, (\d+) skipped$"


def tests_of(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from tests_of(each)
        else:
            yield each


def run_here(folder, name, alone):
    """The tests of a file, or what is named, in this process. `alone`: "yes" or "no" for those of
    the classes that say ALONE or don't, "" for all."""
    sys.path.insert(0, folder)
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    if alone:
        suite = unittest.TestSuite(test for test in tests_of(suite)
                                   if hasattr(type(test), "ALONE") == (alone == "yes"))
    result = unittest.TextTestRunner(sys.stdout, verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    for test, why in result.skipped:
        print(f"skipped {test}: {why}")
    print(f"{max(result.testsRun - failed - len(result.skipped), 0)} passed, {failed} failed, "
          f"{len(result.skipped)} skipped")
    return failed != 0


class Folder:
    def __init__(self, path):
        self.path = path
        self.sources = {}
        for name in sorted(os.listdir(path)):
            if name.startswith("test_") and name.endswith(".py"):
                with open(os.path.join(path, name), encoding="utf-8") as f:
                    self.sources[name[:-3]] = f.read()

    def says(self, file, word):
        return re.search(rf"^({word}) = ", self.sources[file], re.M) is not None

    def cases(self, file, test):
        """Names of the tests called so in a file."""
        case = None
        for found in re.finditer(r"^class (\w+)|^    (?:async )?def (\w+)",
                                 self.sources[file], re.M):
            case = found[1] or case
            if found[2] == test:
                yield f"{file}.{case}.{test}"

    def resolve(self, name):
        """What a name of the command line stands for: a file with or without test_ and .py,
        FILE.Case, FILE.Case.test, or the name of a case or a test in any file."""
        if os.sep in name or name.endswith(".py"):
            name = os.path.basename(name).removesuffix(".py")
        file, dot, rest = name.partition(".")
        for each in file, "test_" + file:
            if each in self.sources:
                return [each + dot + rest]
        if dot:
            return [f"{each}.{name}" for each in self.sources
                    if any(True for _ in self.cases(each, rest))
                    and re.search(rf"^class {file}\b", self.sources[each], re.M)]
        tests = [test for each in self.sources for test in self.cases(each, name)]
        return tests or [f"{each}.{name}" for each, text in self.sources.items()
                         if re.search(rf"^class {name}\b", text, re.M)]


def main(path):
    if sys.argv[1:2] == ["--here"]:
        return run_here(path, *sys.argv[2:])
    parser = argparse.ArgumentParser(description="Runs the unittest files of this folder.")
    parser.add_argument("--jobs", type=int, default=side_by_side.processors())
    parser.add_argument("--quick", action="store_true", help="without the files that are SLOW")
    parser.add_argument("--machine", action="store_true",
                        help="without those that are PORTABLE, for a processor that is emulated")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="a file, FILE.Case, FILE.Case.test, or a test's name")
    args = parser.parse_args()
    folder = Folder(path)
    parts = []
    for name in args.names:
        found = folder.resolve(name)
        if not found:
            sys.exit(f"{path}: there is no test called {name}")
        parts += found
    if not args.names:
        parts = sorted(folder.sources, key=lambda file: not folder.says(file, "SLOW|LONG"))
        left_out = "|".join(["SLOW"] * args.quick + ["PORTABLE"] * args.machine)
        if left_out:
            parts = [file for file in parts if not folder.says(file, left_out)]

    beside, alone = [], []
    for part in parts:
        file = part.split(".")[0]
        if folder.says(file, "ALONE"):
            alone.append((part, ""))
        elif not folder.says(file, "    ALONE"):
            beside.append((part, ""))
        elif part == file:
            beside.append((part, "no"))
            alone.append((part, "yes"))
        else:
            alone.append((part, ""))        # whose class it is, is not looked up

    def run(part):
        started = time.monotonic()
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
            code = side_by_side.run_to_end(
                [sys.executable, *subprocess._args_from_interpreter_flags(), sys.argv[0],
                 "--here", *part], out)
            out.seek(0)
            name = part[0] + " (alone)" * (part[1] == "yes")
            return name, code, out.read(), time.monotonic() - started

    sums = [0, 0, 0]

    def judge(group, jobs):
        for part, code, said, seconds in side_by_side.results(run, group, jobs):
            counts = side_by_side.last_counts(SUM, said)
            if counts is None or code not in (0, 1):
                print(f"FAIL {part}: ended by exit code {code}", said, sep="\n")
                counts = 0, 1, 0
            elif counts[1]:
                print(f"FAIL {part}", said, sep="\n")
            else:
                print(f"pass {part}: {counts[0]} tests, {seconds:.1f} s")
                for line in re.findall(r"^skipped .*", said, re.M):
                    print(line)
            sys.stdout.flush()
            sums[:] = [a + b for a, b in zip(sums, counts)]

    judge(beside, args.jobs)
    if alone:
        with side_by_side.idle_work_stopped():
            judge(alone, 1)
    print("{} passed, {} failed, {} skipped".format(*sums))
    return sums[1] != 0

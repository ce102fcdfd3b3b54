#!/usr/bin/python3.11
"""Runs the C tests, a process for each file.

usage: run.py --program COMMAND [--jobs N] [NAME...]

COMMAND is what `make` has linked, with an emulator in front if there is one. NAME is a
file (float_text, test_float_text.c), a test, or a file and a test: float_text.test_NAME.
What can't be tested here the program names in a line of its own: skip test_NAME: REASON.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.dont_write_bytecode = True
import side_by_side

SKIPPED = re.compile("^skip .*", re.M)
SUM = r"Checks: (\d+), Failures: (\d+), Errors: (\d+)"


def tests_of(file):
    with open(os.path.join(HERE, f"test_{file}.c")) as f:
        return re.findall(r"^START_TEST\((\w+)\)", f.read(), re.M)


def chosen(names, files):
    """[file, test...] for each name; without names, [file] for each file."""
    if not names:
        return [[file] for file in files]
    rows = []
    for name in names:
        file, _, test = name.removesuffix(".c").partition(".")
        file = os.path.basename(file).removeprefix("test_")
        if file in files:
            rows.append([file, test] if test else [file])
        else:
            rows += [[each, name] for each in files if name in tests_of(each)]
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--jobs", type=int, default=side_by_side.processors())
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    command = shlex.split(args.program)
    files = subprocess.run(command, capture_output=True, text=True).stdout.split()
    rows = chosen(args.names, files)
    if not rows:
        sys.exit("no such C test: " + " ".join(args.names or command))

    def run(row):
        done = subprocess.run(command + row, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
        return row, done.stdout

    passed = failed = skipped = 0
    for row, text in side_by_side.results(run, rows, args.jobs):
        name = ".".join(row)
        counts = side_by_side.last_counts(SUM, text)
        for line in SKIPPED.findall(text):
            skipped += 1
            print(line)
        if counts is None:
            failed += 1
            print(f"FAIL {name}: ended without a result", *text.splitlines()[-20:], sep="\n")
            continue
        bad = counts[1] + counts[2]
        passed += counts[0] - bad
        failed += bad
        print(f"FAIL {name}\n{text}" if bad else f"pass {name}: {counts[0]} tests")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

"""All the benchmark programs, each under one name, and how they are timed.

Machines change their speed from second to second. So the interpreters that are compared
run side by side, and take short samples of the same program in turn; a ratio
is the median of the ratios of neighbouring samples. All stay on one processor, because two
processors of a virtual machine may differ by half. Run as a script, this file is the
side that takes samples: for every name that it reads, it prints one line of seconds, and a
checksum of the program's result if its group is one of CHECKED.
"""
import math
import operator
import os
import statistics
import subprocess
import sys
import time
import zlib

from applications import APPLICATIONS
from class_programs import CLASS_PROGRAMS
from everyday_algorithms import EVERYDAY_ALGORITHMS
from everyday_library import EVERYDAY_LIBRARY
from kinds import KINDS
from more_applications import MORE_APPLICATIONS
from observers import OBSERVERS
from programs import PROGRAMS as SMALL

PROGRAMS = {**SMALL, **APPLICATIONS, **MORE_APPLICATIONS, **CLASS_PROGRAMS}
EVERYDAY = {**EVERYDAY_ALGORITHMS, **EVERYDAY_LIBRARY}
# What a build with a profile runs.
TRAINING = {**PROGRAMS, **EVERYDAY}
# The groups whose results both interpreters have to agree on.
CHECKED = {"everyday": EVERYDAY, **KINDS}
# What run.py measures, in groups that have a mean of their own.
GROUPS = {"programs": PROGRAMS, **CHECKED, "observers": OBSERVERS}
EVERYTHING = {name: program for group in GROUPS.values() for name, program in group.items()}
assert len(EVERYTHING) == sum(map(len, GROUPS.values())), "two programs have one name"
# Seconds. Most programs last a few milliseconds: a sample is as many runs as fill it.
SAMPLE = 0.03


def stay_on_one_processor():
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])


def sampled(commands, names, rounds):
    """{key: {program: [seconds, a round each]}} of the interpreters whose command lines are
    given by key."""
    stay_on_one_processor()
    samples = {key: {name: [] for name in names} for key in commands}
    children = {key: subprocess.Popen([*command, os.path.abspath(__file__)], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                for key, command in commands.items()}
    try:
        for name in names:
            results = {}
            for _ in range(rounds):
                for key, child in children.items():
                    child.stdin.write(name + "\n")
                    child.stdin.flush()
                    line = child.stdout.readline()
                    if not line:
                        sys.exit(f"{' '.join(commands[key])}: ended in {name}")
                    seconds, results[key] = line.split()
                    samples[key][name].append(float(seconds))
            if len(set(results.values())) > 1:
                sys.exit(f"{name}: the results differ: {results}")
    finally:
        for child in children.values():
            child.stdin.close()
            child.wait()
            for left in f"/tmp/perf-{child.pid}.map", f"/tmp/jit-{child.pid}.dump":
                if os.path.exists(left):
                    os.unlink(left)
    return samples


def ratio(over, under):
    """Of the samples of two interpreters for one program."""
    return statistics.median(map(operator.truediv, over, under))


def geometric_mean(values):
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def checksum(name, result):
    is_checked = any(name in group for group in CHECKED.values())
    return zlib.crc32(repr(result).encode()) if is_checked else 0


def runs_that_fill_a_sample(f, n):
    """All of them count: the first ones may last ten times as long, while caches are filled and
    code is compiled, and a sample by their measure would be so much shorter."""
    count, end = 0, time.process_time() + SAMPLE
    while count == 0 or time.process_time() < end:
        f(n)
        count += 1
    return count


def take_samples():
    runs, sums = {}, {}
    for line in sys.stdin:
        name = line.strip()
        f, n = EVERYTHING[name]
        if name not in runs:
            sums[name] = checksum(name, f(n))
            runs[name] = runs_that_fill_a_sample(f, n)
        t = time.process_time()
        for _ in range(runs[name]):
            f(n)
        print((time.process_time() - t) / runs[name], sums[name], flush=True)


if __name__ == "__main__":
    take_samples()

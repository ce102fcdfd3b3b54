#!/usr/bin/python3.11
"""The cost of perf support: runs the same work with -X perf, -X perf_jit and
-X perf_lines, and without, in turn, and prints the best times of each.

usage: perf_cost.py --python PATH [--rounds N] [--no-programs] [--verbose]

It reports, and never fails: these machines are noisy.
"""
import argparse
import json
import math
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from suite import PROGRAMS, geometric_mean, ratio, sampled, stay_on_one_processor  # noqa: E402

CALLS = """
import sys, time
sys.modules["_json"] = None         # an extension module; Python does for what is printed
import json
def best(f, n=40):
    times = []
    for _ in range(n):
        t = time.perf_counter(); f(); times.append(time.perf_counter() - t)
    return min(times)
def nothing(): pass
def loop(n=100_000):
    for i in range(n): pass
def calls(n=100_000):
    for i in range(n): nothing()
def gen(n):
    for i in range(n): yield i
def resume(n=100_000):
    for i in gen(n): pass
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def callbacks(n=50_000): sorted(range(n), key=key)
def key(v): return v
empty = best(loop)
r = {"call": (best(calls) - empty) / 1e5, "resume": best(resume) / 1e5,
     "fib": best(lambda: fib(20)) / 21891, "from C": best(callbacks) / 5e4}
def call(units):
    for u in units: u()
def first(round, n=400):
    units = []
    for i in range(n):
        space = {}
        name = f"unit_{round}_{i}"      # one that was there before would not be registered anew
        exec(f"def {name}(): pass", space)
        units.append(space[name])
    t = time.perf_counter(); call(units); once = time.perf_counter() - t
    return once / n
r["first"] = min(map(first, range(20)))
import _ctypes      # any extension module: calls from C look for frame pointers
r["with extensions"] = best(callbacks) / 5e4
print(json.dumps(r))
"""
MODES = {"plain": [], "perf": ["-X", "perf"], "jit": ["-X", "perf_jit"],
         "lines": ["-X", "perf_lines"]}


def run(python, options, code):
    process = subprocess.Popen([python, "-B", *options, "-c", code],
                               stdout=subprocess.PIPE, text=True)
    out = process.communicate()[0]
    for left in f"/tmp/perf-{process.pid}.map", f"/tmp/jit-{process.pid}.dump":
        if os.path.exists(left):
            os.unlink(left)
    if process.returncode:
        sys.exit(f"exit status {process.returncode}")
    return json.loads(out)


def best_of(python, code, rounds):
    best = {mode: {} for mode in MODES}
    for _ in range(rounds):
        for mode in MODES:
            for name, t in run(python, MODES[mode], code).items():
                best[mode][name] = min(t, best[mode].get(name, math.inf))
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-programs", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="a line for each program")
    args = parser.parse_args()
    stay_on_one_processor()
    best = best_of(args.python, CALLS, args.rounds)
    plain, perf, jit, lines = (best[mode] for mode in MODES)

    def more(mode, name):
        return f"{(mode[name] - plain[name]) * 1e9:+.1f} ns"
    print("cost of being seen by perf                   -X perf   perf_lines")
    print(f"  a call ({plain['call'] * 1e9:.1f} ns)".ljust(43),
          f"{more(perf, 'call'):>9} {more(lines, 'call'):>12}")
    print(f"  a call in fib(20) ({plain['fib'] * 1e9:.1f} ns)".ljust(43),
          f"{more(perf, 'fib'):>9} {more(lines, 'fib'):>12}")
    print(f"  a call from C ({plain['from C'] * 1e9:.1f} ns)".ljust(43),
          f"{more(perf, 'from C'):>9} {more(lines, 'from C'):>12}")
    print("  ... with extension modules loaded".ljust(43),
          f"{more(perf, 'with extensions'):>9} {more(lines, 'with extensions'):>12}")
    print("  resuming a generator".ljust(43),
          f"{perf['resume'] / plain['resume']:8.2f}x {lines['resume'] / plain['resume']:11.2f}x")
    print("  first call: registering in the map".ljust(43),
          f"{more(perf, 'first'):>9} {more(lines, 'first'):>12}")
    print("  ... in jitdump".ljust(43), f"{more(jit, 'first'):>9}")
    if not args.no_programs:
        samples = sampled({mode: [args.python, "-sEB", *MODES[mode]]
                           for mode in ("plain", "perf", "lines")}, PROGRAMS, 12)
        plain, perf, lines = samples.values()
        rows = {name: (ratio(perf[name], plain[name]), ratio(lines[name], perf[name]))
                for name in PROGRAMS}
        if args.verbose:
            for name, (seen, in_lines) in rows.items():
                print(f"    {name:39} {seen:8.3f}x {in_lines:11.3f}x")
        print("  programs, geometric mean (lines: over perf)".ljust(43),
              "{:8.3f}x {:11.3f}x".format(*map(geometric_mean, zip(*rows.values()))))


if __name__ == "__main__":
    main()

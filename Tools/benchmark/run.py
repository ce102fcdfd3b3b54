#!/usr/bin/python3.11
"""Each benchmark program on our python and on python3.11 in turn; prints the
ratio of the best processor times (above 1: ours is faster), and their geometric
mean.

usage: run.py --python PATH [--peer PATH] [--rounds N] [--json FILE] [PROGRAM...]

It reports, and never fails: these machines are noisy.
"""
import argparse
import json
import math
import os
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CHILD = """
import sys, time, json
sys.path.insert(0, %r)
from programs import PROGRAMS
from applications import APPLICATIONS
from more_applications import MORE_APPLICATIONS
PROGRAMS = {**PROGRAMS, **APPLICATIONS, **MORE_APPLICATIONS}
best = {}
for name in sys.argv[1:]:
    f, n = PROGRAMS[name]
    times = []
    for _ in range(5):
        t = time.process_time(); f(n); times.append(time.process_time() - t)
    best[name] = min(times)
print(json.dumps(best))
""" % HERE


def run(python, names):
    out = subprocess.run([python, "-I", "-c", CHILD, *names], capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(out.stderr)
    return json.loads(out.stdout)


def start_up(python, *options):
    best = math.inf
    for _ in range(7):
        t = time.perf_counter()
        subprocess.run([python, *options, "-c", "pass"], check=True)
        best = min(best, time.perf_counter() - t)
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--peer", default="/usr/bin/python3.11")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    import sys
    sys.path.insert(0, HERE)
    sys.dont_write_bytecode = True
    from programs import PROGRAMS
    from applications import APPLICATIONS
    from more_applications import MORE_APPLICATIONS
    names = args.programs or [*PROGRAMS, *APPLICATIONS, *MORE_APPLICATIONS]
    best = {"ours": {}, "peer": {}}
    for _ in range(args.rounds):
        for side, python in (("ours", args.python), ("peer", args.peer)):
            for name, t in run(python, names).items():
                best[side][name] = min(t, best[side].get(name, math.inf))
    rows = {n: (best["ours"][n], best["peer"][n]) for n in names}
    if not args.programs:
        rows["start-up"] = (start_up(args.python), start_up(args.peer))
        rows["start-up -I -S"] = (start_up(args.python, "-I", "-S"),
                                  start_up(args.peer, "-I", "-S"))
    print(f"{'program':16} {'ours':>9} {'peer':>9}  peer/ours")
    for name, (ours, peer) in rows.items():
        print(f"{name:16} {ours * 1e3:7.2f}ms {peer * 1e3:7.2f}ms  {peer / ours:6.2f}")
    ratios = [p / o for n, (o, p) in rows.items() if not n.startswith("start")]
    print(f"geometric mean of the programs: "
          f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    if args.json:
        with open(args.json, "w") as f:
            json.dump(rows, f)


if __name__ == "__main__":
    main()

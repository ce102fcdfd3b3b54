#!/usr/bin/python3.11
"""Each benchmark program on our python and on python3.11 side by side; prints the best
processor times, the ratio of the times (above 1: ours is faster), and the geometric mean
of the ratios.

usage: run.py --python PATH [--peer PATH] [--rounds N] [--json FILE] [PROGRAM...]

It reports, and never fails: these machines are noisy.
"""
import argparse
import json
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from suite import PROGRAMS, geometric_mean, ratio, sampled  # noqa: E402


def start_up(commands, rounds=25):
    samples = {key: [] for key in commands}
    for _ in range(rounds):
        for key, command in commands.items():
            t = time.perf_counter()
            subprocess.run([*command, "-c", "pass"], check=True)
            samples[key].append(time.perf_counter() - t)
    return samples["ours"], samples["peer"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--peer", default="/usr/bin/python3.11")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--json")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    sides = {"ours": [args.python], "peer": [args.peer]}
    names = args.programs or list(PROGRAMS)
    samples = sampled({key: [*side, "-sEB"] for key, side in sides.items()}, names, args.rounds)
    rows = {n: (samples["ours"][n], samples["peer"][n]) for n in names}
    mean = geometric_mean([ratio(peer, ours) for ours, peer in rows.values()])
    if not args.programs:
        rows["start-up"] = start_up(sides)
        rows["start-up -I -S"] = start_up({k: [*side, "-I", "-S"] for k, side in sides.items()})
    print(f"{'program':16} {'ours':>9} {'peer':>9}  peer/ours")
    for name, (ours, peer) in rows.items():
        print(f"{name:16} {min(ours) * 1e3:7.2f}ms {min(peer) * 1e3:7.2f}ms"
              f"  {ratio(peer, ours):6.2f}")
    print(f"geometric mean of the programs: {mean:.2f}")
    if args.json:
        with open(args.json, "w") as f:
            json.dump(rows, f)


if __name__ == "__main__":
    main()

#!/usr/bin/python3.11
"""Each benchmark program on our python and on python3.11 side by side; prints the best
processor times, the ratio of the times (above 1: ours is faster), and the geometric mean
of the ratios in each group. Ours is run as it is, interpreted (-X jit=0), and seen by perf
(-X perf).

usage: run.py --python PATH [--peer PATH] [--rounds N] [--json FILE] [PROGRAM...]

It reports, and never fails: these machines are noisy.
"""
import argparse
import json
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from suite import EVERYTHING, GROUPS, geometric_mean, ratio, sampled  # noqa: E402


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
    ours, peer = [args.python], [args.peer]
    sides = {"ours": ours, "peer": peer, "interpreted": [*ours, "-X", "jit=0"],
             "-X perf": [*ours, "-X", "perf"]}
    names = args.programs or list(EVERYTHING)
    samples = sampled({key: [*side, "-sEB"] for key, side in sides.items()}, names, args.rounds)
    kinds = [key for key in sides if key != "peer"]
    rows = {n: [ratio(samples["peer"][n], samples[key][n]) for key in kinds] for n in names}
    print(f"{'program':20} {'ours':>9} {'peer':>9}  peer/ours  interpreted  -X perf")
    for name, (compiled, interpreted, seen) in rows.items():
        print(f"{name:20} {min(samples['ours'][name]) * 1e3:7.2f}ms"
              f" {min(samples['peer'][name]) * 1e3:7.2f}ms"
              f"  {compiled:9.2f}  {interpreted:11.2f}  {seen:7.2f}")
    if not args.programs:
        for name, options in ("start-up", []), ("start-up -I -S", ["-I", "-S"]):
            first, second = start_up({"ours": ours + options, "peer": peer + options})
            print(f"{name:20} {min(first) * 1e3:7.2f}ms {min(second) * 1e3:7.2f}ms"
                  f"  {ratio(second, first):9.2f}")
    for title, group in GROUPS.items():
        chosen = [row for name, row in rows.items() if name in group]
        if chosen:
            means = [geometric_mean(column) for column in zip(*chosen)]
            print(f"geometric mean of {title}: {means[0]:.2f}, interpreted {means[1]:.2f}, "
                  f"with -X perf {means[2]:.2f}; slowest {min(row[0] for row in chosen):.2f}")
    if args.json:
        with open(args.json, "w") as f:
            json.dump(samples, f)


if __name__ == "__main__":
    main()

#!/usr/bin/python3.11
"""Feeds our python input that nobody would write: see targets.py.

usage: fuzz.py --python PATH [--seconds N | --cases N] [--seed S] [--target T...]
               [--keep DIR] [--no-peer] [--strict]
       fuzz.py --replay TARGET:SEED:INDEX --python PATH     one case, both outcomes

Deterministic by seed. A crash, a sanitizer's report, a hang, a corrupt
instruction stream (SPRINGBOARD_VERIFY) or an outcome that is not that of
python3.11 is printed with what replays it, its input is written to DIR, and the
exit code is 1.
"""
import argparse
import functools
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = os.path.join(HERE, "targets.py")
PEER = "/usr/bin/python3.11"
BATCH = 200
# What takes more memory or stack than one of the two has.
TOO_MUCH = {b"'too large'", b"'too deep'"}
NO_MEMORY = b"'no memory'"
# Damaged sizes must not fill the machine's memory. This is for a process; the sanitizer,
# which needs more for itself, holds each allocation to it.
LARGEST_MB = 2000
HANG = 300                      # seconds for a batch, on a slow machine with sanitizers


def environment(strict):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    env.update(PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1", LC_ALL="C.UTF-8", SPRINGBOARD_VERIFY="1")
    env.setdefault("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=%d" % LARGEST_MB)
    env.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    if strict:
        env["FUZZ_STRICT"] = "1"
    return env


def within(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return limit


@functools.lru_cache(maxsize=None)
def lives_within(python, megabytes):
    return subprocess.run([python, "-c", ""], stderr=subprocess.DEVNULL,
                          preexec_fn=within(megabytes)).returncode == 0


def run(python, target, seed, first, count, progress, env, megabytes=LARGEST_MB):
    """(lines, None) or (lines, what went wrong)"""
    command = [python, "-X", "utf8", "-B", TARGETS, target, str(seed), str(first), str(count), progress]
    try:
        done = subprocess.run(command, capture_output=True, env=env, timeout=HANG,
                              cwd=tempfile.gettempdir(),
                              preexec_fn=within(megabytes) if lives_within(python, megabytes) else None)
    except subprocess.TimeoutExpired as e:
        return (e.stdout or b"").splitlines(), f"hang: more than {HANG} s"
    lines = done.stdout.splitlines()
    if done.returncode != 0:
        error = done.stderr.decode(errors="replace")
        report = error.find("ERROR: AddressSanitizer")
        at = max(report, 0) if report >= 0 else max(0, len(error) - 3000)
        return lines, f"exit code {done.returncode}\n{error[at:at + 3000]}"
    return lines, None


class Fuzzer:
    def __init__(self, args):
        self.args = args
        self.python = os.path.abspath(args.python)
        self.env = environment(args.strict)
        self.peer = os.path.exists(PEER) and not args.no_peer
        self.progress = os.path.join(tempfile.mkdtemp(prefix="sb_fuzz_"), "index")
        self.failures = self.cases = 0

    def report(self, target, seed, index, what):
        self.failures += 1
        os.makedirs(self.args.keep, exist_ok=True)
        shown = subprocess.run([PEER if os.path.exists(PEER) else self.python, "-X", "utf8", TARGETS, target,
                                str(seed), str(index), "1", "--show"], capture_output=True, env=self.env)
        path = os.path.join(self.args.keep, f"{target}-{seed}-{index}.txt")
        with open(path, "wb") as f:
            f.write(what.encode(errors="replace") + b"\n--\n" + shown.stdout + shown.stderr)
        print(f"FAIL {target}:{seed}:{index}: {what[:1500]}\n  input: {path}\n"
              f"  again: {sys.argv[0]} --python {self.python} --replay {target}:{seed}:{index}", flush=True)

    def batch(self, target, seed, first, count):
        lines, wrong = run(self.python, target, seed, first, count, self.progress, self.env)
        if wrong is not None:
            with open(self.progress) as f:
                self.report(target, seed, int(f.read()), wrong)
            return
        self.cases += count
        if not self.peer:
            return
        expected, wrong = run(PEER, target, seed, first, count, self.progress, self.env)
        for i, (ours, theirs) in enumerate(zip(lines, expected)):
            if ours != theirs and not self.explained(target, seed, first + i, ours, theirs):
                # A set of values shows where they part.
                a, b = ours.split(b" | "), theirs.split(b" | ")
                parts = [(x, y) for x, y in zip(a, b) if x != y][:3] if len(a) == len(b) else [(ours, theirs)]
                self.report(target, seed, first + i, "another outcome than python3.11's\n" + "\n".join(
                    f"  ours:   {x.decode()[:300]}\n  theirs: {y.decode()[:300]}" for x, y in parts))
                if self.failures >= 20:
                    break

    def explained(self, target, seed, index, ours, theirs):
        """By what the two have (memory, stack) or where they have it, so no difference in
        what they do."""
        if TOO_MUCH.intersection((ours, theirs)):
            return True
        def again(megabytes=LARGEST_MB):
            return run(PEER, target, seed, index, 1, os.devnull, self.env, megabytes)[0]
        if theirs == NO_MEMORY:         # with as much for all as ours has for each
            return True
        if ours == NO_MEMORY:           # ours has less of its own accord, but not half
            return again(LARGEST_MB // 2) == [NO_MEMORY]
        # If python3.11 answers otherwise when it is asked again, it has told an address, in
        # pieces that targets.tidy() can't know (of sorted(str(f)), say). Ours is not asked:
        # what it says only after other cases of a batch is a mistake of its own.
        return any(again() != [theirs] for _ in range(2))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--cases", type=int, default=BATCH)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--target", nargs="*")
    parser.add_argument("--keep", default="fuzz-failures")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--strict", action="store_true", help="compare messages of SyntaxErrors and trees as well")
    parser.add_argument("--replay")
    args = parser.parse_args()
    if args.replay:
        target, seed, index = args.replay.split(":")
        for python in (args.python, PEER):
            lines, wrong = run(os.path.abspath(python), target, seed, index, 1, os.devnull, environment(args.strict))
            print(python, *(line.decode() for line in lines), wrong or "", sep="\n")
        return 0
    seed = args.seed if args.seed is not None else int(time.time())
    with open(TARGETS, encoding="utf-8") as f:
        known = re.findall(r"^@target\ndef (\w+)", f.read(), re.M)
    targets = args.target or known
    print(f"seed {seed}, targets: {' '.join(targets)}", flush=True)
    fuzzer = Fuzzer(args)
    ends = time.monotonic() + args.seconds if args.seconds else None
    first = 0
    while fuzzer.failures < 20:
        for target in targets:
            # Sources are what this is about.
            count = min(args.cases, BATCH) * (3 if ends and target == "compile_source" else 1)
            fuzzer.batch(target, seed, first, count)
            if ends and time.monotonic() > ends or fuzzer.failures >= 20:
                break
        first += 3 * BATCH
        if ends is None or time.monotonic() > ends:
            break
    print(f"{fuzzer.cases} cases, {fuzzer.failures} failures, seed {seed}")
    return 1 if fuzzer.failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3.11
"""Runs each program here under our python and under python3.11, and compares
standard output, standard error and the exit code byte for byte.

usage: run.py --python PATH [--jobs N] [PROGRAM...]

A program is NAME.py; NAME.in, if there, is its standard input. Where
/usr/bin/python3.11 is missing, every program is skipped by name.

SB_PEER_RESULTS=DIR: python3.11's side is kept there for further runs, in other modes.
"""
import argparse
import difflib
import hashlib
import os
import pickle
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.dont_write_bytecode = True
import side_by_side

PEER = "/usr/bin/python3.11"


def run(python, path):
    source = path[:-3] + ".in"
    data = open(source, "rb").read() if os.path.exists(source) else b""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    env["PYTHONHASHSEED"] = "0"
    env["LC_ALL"] = "C.UTF-8"
    try:
        done = subprocess.run([python, os.path.basename(path)], input=data, env=env,
                              capture_output=True, timeout=300, cwd=os.path.dirname(path))
    except subprocess.TimeoutExpired:
        return b"", b"timeout\n", -1
    return done.stdout, done.stderr, done.returncode


def peers(path):
    """What python3.11 prints."""
    folder = os.environ.get("SB_PEER_RESULTS")
    if not folder:
        return run(PEER, path)
    key = hashlib.sha1(f"{path} {os.stat(PEER).st_mtime_ns}".encode())
    for source in path, path[:-3] + ".in":
        if os.path.exists(source):
            with open(source, "rb") as f:
                key.update(f.read())
    kept = os.path.join(folder, key.hexdigest())
    try:
        with open(kept, "rb") as f:
            return pickle.load(f)
    except FileNotFoundError:
        result = run(PEER, path)
    os.makedirs(folder, exist_ok=True)
    if result[2] >= 0:      # a signal or the end of the time may be the machine's fault
        with open(f"{kept}.{os.getpid()}", "wb") as f:
            pickle.dump(result, f)
        os.replace(f.name, kept)
    return result


def differences(ours, theirs):
    for name, a, b in zip(("stdout", "stderr"), theirs, ours):
        if a != b:
            yield from difflib.unified_diff(
                a.decode(errors="replace").splitlines(), b.decode(errors="replace").splitlines(),
                f"python3.11 {name}", f"ours {name}", lineterm="", n=1)
    if ours[2] != theirs[2]:
        yield f"exit code {ours[2]}, python3.11's is {theirs[2]}"


def path_of(program):
    """A program here may be called by its name alone."""
    here = os.path.join(HERE, program.removesuffix(".py") + ".py")
    return here if os.path.exists(here) else os.path.abspath(program)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--jobs", type=int, default=side_by_side.processors())
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    python = os.path.abspath(args.python)
    paths = [path_of(name) for name in args.programs] or sorted(
        os.path.join(HERE, n) for n in os.listdir(HERE) if n.endswith(".py") and n != "run.py")

    def judge(path):
        if not os.path.exists(PEER):
            return path, None
        return path, list(differences(run(python, path), peers(path)))

    passed = failed = skipped = 0
    for path, difference in side_by_side.results(judge, paths, args.jobs):
        name = os.path.basename(path)
        if difference is None:
            print("skipped", name, "(no python3.11)")
            skipped += 1
        elif difference:
            failed += 1
            print("FAIL", name)
            print("\n".join(difference[:40]))
        else:
            passed += 1
            print("pass", name)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

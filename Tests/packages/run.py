#!/usr/bin/python3.11
"""Runs the commands of commands.txt and extensions.txt under our python and under python3.11, and
compares what they print. A command whose Debian packages are not installed is
skipped by name.

usage: run.py --python PATH [--jobs N] [WORD...]     only rows that contain a WORD
"""
import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.dont_write_bytecode = True
import side_by_side

PEER = "/usr/bin/python3.11"
LONG_SOURCE = "/usr/lib/python3.11/argparse.py"


def rows():
    for table in "commands.txt", "extensions.txt":
        with open(os.path.join(HERE, table)) as f:
            for line in f:
                if not line.startswith("#"):
                    packages, command, checked = (part.strip() for part in line.split("|", 2))
                    yield packages.split(), command, checked


def installed(package):
    shown = subprocess.run(["dpkg-query", "-W", "-f=${Status}", package],
                           capture_output=True, text=True)
    return "ok installed" in shown.stdout


def neutral(text, python, folder):
    """What may differ between two runs of one program, replaced by words."""
    text = text.replace(python.encode(), b"PYTHON").replace(folder.encode(), b"FOLDER")
    text = re.sub(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?", b"TIME", text)
    text = re.sub(rb"=+ (.*) in [\d.]+s =+", rb"== \1 ==", text)
    return text


def run(python, command):
    words = shlex.split(command)
    words[0] = python
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(HERE, "scripts"), os.path.join(folder, "scripts"))
        os.mkdir(os.path.join(folder, "src"))
        shutil.copy(os.path.join(HERE, "scripts", "ugly.txt"), os.path.join(folder, "src", "ugly.py"))
        shutil.copy(LONG_SOURCE, os.path.join(folder, "src", "long.py"))
        env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        env.update(PYTHONHASHSEED="0", LC_ALL="C.UTF-8", HOME=folder, PYTHONDONTWRITEBYTECODE="1")
        try:
            done = subprocess.run(words, capture_output=True, timeout=280, cwd=folder, env=env)
        except subprocess.TimeoutExpired:
            return b"", b"timeout\n", -1
        return (neutral(done.stdout, python, folder), neutral(done.stderr, python, folder),
                done.returncode)


def differences(ours, theirs):
    for name, a, b in zip(("stdout", "stderr"), theirs, ours):
        if a != b:
            yield from difflib.unified_diff(
                a.decode(errors="replace").splitlines(), b.decode(errors="replace").splitlines(),
                f"python3.11 {name}", f"ours {name}", lineterm="", n=1)
    if ours[2] != theirs[2]:
        yield f"exit code {ours[2]}, python3.11's is {theirs[2]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--jobs", type=int, default=side_by_side.processors())
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    python = os.path.abspath(args.python)

    def judge(row):
        packages, command, checked = row
        missing = [p for p in packages + ["python3.11"] if not installed(p)]
        if missing:
            return command, missing, None
        theirs = run(PEER, command)
        difference = list(differences(run(python, command), theirs))
        if b"Traceback (most recent call last)" in theirs[1]:
            difference.append("python3.11 itself fails: " + theirs[1].decode(errors="replace")[-500:])
        return command, missing, difference

    chosen = [row for row in rows() if not args.words or any(w in row[1] for w in args.words)]
    passed = failed = skipped = 0
    for command, missing, difference in side_by_side.results(judge, chosen, args.jobs):
        if missing:
            print("skipped", command, "(not installed:", " ".join(missing) + ")")
            skipped += 1
        elif difference:
            failed += 1
            print("FAIL", command)
            print("\n".join(difference[:40]))
        else:
            passed += 1
            print("pass", command)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3.11
"""Which C API names that compiled modules import does a python not export?

usage: check_exports.py PYTHON [MODULE.so...]

The names are those of symbols.txt, and what the given modules import. One
missing name a line, with its users: d Debian's lib-dynload, n numpy, or a file.
"""
import os
import subprocess
import sys

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "symbols.txt")
NM = "/usr/bin/nm"


def symbols(path, which):
    """The dynamic symbols of a file: which is --defined-only or --undefined-only."""
    out = subprocess.run([NM, "-D", which, path], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()}


def listed():
    """Name -> users, from symbols.txt."""
    with open(LIST) as f:
        rows = [line.split() for line in f if not line.startswith("#")]
    return {name: users.replace("-", "") for users, name in filter(None, rows)}


def imported(path):
    """The C API names that a module leaves for the interpreter to define."""
    return {name for name in symbols(path, "--undefined-only")
            if name.startswith(("Py", "_Py"))}


def missing(python, modules=()):
    """Name -> users of what python does not define."""
    wanted = listed()
    for path in modules:
        for name in imported(path):
            wanted.setdefault(name, os.path.basename(path))
    defined = symbols(python, "--defined-only")
    return {name: users for name, users in sorted(wanted.items())
            if name not in defined}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gaps = missing(sys.argv[1], sys.argv[2:])
    for name, users in gaps.items():
        print(f"{users:3} {name}")
    print(f"{len(gaps)} missing")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main())

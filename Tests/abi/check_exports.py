#!/usr/bin/python3.11
"""Which C API names that compiled modules import does a python not export?

usage: check_exports.py PYTHON [MODULE.so...]

The names are those of symbols.txt, and what the given modules import. One
missing name a line, with its users: d Debian's lib-dynload, n numpy, or a file.
"""
import os
import struct
import sys

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "symbols.txt")
SHT_DYNSYM = 11


def symbols(path, defined):
    """The names in a 64-bit ELF file's dynamic symbol table that it defines, or
    leaves undefined. Read here, as nm knows the machine's own architecture only."""
    with open(path, "rb") as f:
        data = f.read()
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQI", data, table + i * size)
                for i in range(count)]      # name type flags address offset size link
    names = set()
    for _, kind, _, _, start, length, link in sections:
        if kind == SHT_DYNSYM:
            text = sections[link][4]
            for at in range(start, start + length, 24):
                name, section = struct.unpack_from("<I2xH", data, at)
                if (section != 0) == defined:
                    end = data.index(0, text + name)
                    names.add(data[text + name:end].decode())
    return names


def exported(python):
    """The names that a program defines, or the library that it is linked to."""
    library = os.path.join(os.path.dirname(os.path.realpath(python)), "libpython3.11.so.1.0")
    names = symbols(python, defined=True)
    return names | symbols(library, defined=True) if os.path.exists(library) else names


def listed():
    """Name -> users, from symbols.txt."""
    with open(LIST) as f:
        rows = [line.split() for line in f if not line.startswith("#")]
    return {name: users.replace("-", "") for users, name in filter(None, rows)}


def imported(path):
    """The C API names that a module leaves for the interpreter to define."""
    return {name for name in symbols(path, defined=False)
            if name.startswith(("Py", "_Py"))}


def missing(python, modules=()):
    """Name -> users of what python does not define."""
    wanted = listed()
    for path in modules:
        for name in imported(path):
            wanted.setdefault(name, os.path.basename(path))
    defined = exported(python)
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

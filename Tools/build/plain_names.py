"""Takes the suffix off names that link-time optimisation has made unique.

usage: plain_names.py PROGRAM

When a function of one file is inlined into another, what it uses must be found from there. So a thin
link renames static functions: `publish` becomes `publish.llvm.1234567890`, and perf, gdb and
bpftrace would show that. Afterwards nobody needs the number: as without link-time optimisation,
several static functions may have one name. The program's symbols are changed in place; each name
becomes shorter, so nothing moves. (objcopy --redefine-syms refuses equal names.)

python-stage1 runs this, which has no library: hence no `struct` and no `re`.
"""
import sys

SUFFIX = b".llvm."
SHT_SYMTAB = 2


def number(data, at, size):
    return int.from_bytes(data[at:at + size], "little")


def sections(data):
    """(type, offset, size, link) of each section of a 64-bit ELF file."""
    at, size, count = number(data, 40, 8), number(data, 58, 2), number(data, 60, 2)
    for i in range(count):
        head = at + i * size
        yield (number(data, head + 4, 4), number(data, head + 24, 8), number(data, head + 32, 8),
               number(data, head + 40, 4))


def plain(name):
    """The name without its numbers."""
    while (at := name.find(SUFFIX)) >= 0:
        end = at + len(SUFFIX)
        while end < len(name) and name[end:end + 1].isdigit():
            end += 1
        if end == at + len(SUFFIX):
            break
        name = name[:at] + name[end:]
    return name


def shorten(data):
    """Changes the names of all symbols; returns how many."""
    found, changed = list(sections(data)), 0
    for kind, _, _, link in found:
        if kind != SHT_SYMTAB:
            continue
        _, start, size, _ = found[link]
        at = start
        while (at := data.find(SUFFIX, at, start + size)) >= 0:
            first, end = data.rfind(b"\0", start, at) + 1, data.index(b"\0", at)
            name = bytes(data[first:end])
            data[first:end] = plain(name).ljust(len(name), b"\0")
            changed += plain(name) != name
            at = end
    return changed


def main(path):
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        if data[:6] == b"\x7fELF\x02\x01" and shorten(data):
            file.seek(0)
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1])

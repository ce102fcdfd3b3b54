#!/usr/bin/python3.11
"""Moves each sample of a profile into the innermost Python function that was running. The time
that the function spends in C code and in the kernel is then its own time.

usage: self_time.py PERF_DATA OUTPUT

perf annotate, and reports without call graphs, go by the address at which a sample was
taken. In a Python program this address lies in the interpreter, and the function is only in the
call chain. This tool copies the profile and replaces each sample's address by the first address
of its chain that has a py:: name; nothing else changes. It gets the chains and names from `perf
script`, so maps, dumps and unwinding information are found in the same way as for a report.
"""
import argparse
import re
import struct
import subprocess
import sys

# Of the kernel's perf_event.h, and of perf's own record types.
IP, TID, TIME, IDENTIFIER = 1 << 0, 1 << 1, 1 << 2, 1 << 16
SAMPLE, MMAP2, AUXTRACE, COMPRESSED = 9, 10, 71, 81
CPUMODE_MASK, CPUMODE_USER = 7, 2
LANDING_SIZE = 8        # PERF_LANDING_SIZE: a landing's address is a multiple


class Unusable(Exception):
    """Why a profile can't be converted."""


def python_addresses(path, places):
    """{(thread, nanoseconds): address of the innermost Python function}"""
    command = ["perf", "script", "-i", path, "--ns", "--no-inline", "--fields",
               "tid,time,ip,sym,dso"]
    found, key = {}, None
    head = re.compile(r"\s*(\d+)\s+(\d+)\.(\d{9}):")
    entry = re.compile(r"\s+([0-9a-f]+) py::.* \((.*)\)$")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True, errors="surrogateescape") as script:
        for line in script.stdout:
            if match := head.match(line):
                thread, seconds, nanoseconds = map(int, match.groups())
                key = thread, seconds * 10**9 + nanoseconds
            elif key not in found and (match := entry.match(line)):
                address = int(match[1], 16) + places.get(match[2], 0)
                found[key] = address // LANDING_SIZE * LANDING_SIZE
    if script.returncode:
        raise Unusable(f"perf script has failed: exit status {script.returncode}")
    return found


class Profile:
    """A perf.data file; the kernel's record layout is told by its attributes."""

    def __init__(self, data):
        self.data = data
        if data[:8] != b"PERFILE2" or len(data) < 104:
            raise Unusable("not a perf.data file of this byte order")
        (size, attribute_size, attributes, attributes_size, self.start,
         self.size) = struct.unpack_from("=QQQQQQ", data, 8)
        if size < 104:
            raise Unusable("written to a pipe: record with -o")
        kinds = {struct.unpack_from("=Q", data, at + 24)[0]
                 for at in range(attributes, attributes + attributes_size, attribute_size)}
        if any(kind & (IP | TID | TIME) != IP | TID | TIME for kind in kinds):
            raise Unusable("samples have no address, thread or time")
        # Only what stands before these fields can move them.
        if len({kind & IDENTIFIER for kind in kinds}) != 1:
            raise Unusable("its events have samples of different layouts")
        self.ip_offset = 16 if kinds.pop() & IDENTIFIER else 8

    def records(self):
        """(offset, type) of each."""
        at, end = self.start, self.start + self.size
        while at < end:
            kind, _, size = struct.unpack_from("=IHH", self.data, at)
            if size < 8 or at + size > end:
                raise Unusable(f"damaged at byte {at}")
            if kind == COMPRESSED:
                raise Unusable("compressed: record without -z")
            yield at, kind
            if kind == AUXTRACE:
                size += struct.unpack_from("=Q", self.data, at + 8)[0]
            at += size

    def places(self):
        """Where what `perf inject --jit` has made of the dump lies: perf script tells
        addresses in those files. {name: difference to addresses in memory}"""
        found = {}
        for at, kind in self.records():
            if kind == MMAP2:
                address, _, offset = struct.unpack_from("=QQQ", self.data, at + 16)
                name = self.data[at + 72:self.data.index(0, at + 72)]
                if re.search(rb"/jitted-\d+-\d+\.so$", name):
                    found[name.decode(errors="surrogateescape")] = address - offset
        return found

    def move_samples(self, addresses):
        """Gives samples their addresses. (how many, of how many)"""
        moved = total = 0
        for at, kind in self.records():
            if kind != SAMPLE:
                continue
            total += 1
            where = at + self.ip_offset
            _, _, thread, time = struct.unpack_from("=QIIQ", self.data, where)
            address = addresses.get((thread, time))
            if address is not None:
                misc, = struct.unpack_from("=H", self.data, at + 4)
                struct.pack_into("=H", self.data, at + 4,
                                 misc & ~CPUMODE_MASK | CPUMODE_USER)
                struct.pack_into("=Q", self.data, where, address)
                moved += 1
        return moved, total


def main():
    parser = argparse.ArgumentParser(
        usage="%(prog)s PERF_DATA OUTPUT", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("perf_data")
    parser.add_argument("output")
    args = parser.parse_args()
    try:
        with open(args.perf_data, "rb") as f:
            profile = Profile(bytearray(f.read()))
        addresses = python_addresses(args.perf_data, profile.places())
        moved, total = profile.move_samples(addresses)
        if moved == 0:
            raise Unusable(f"none of its {total} samples has a Python function in its "
                           "call chain (record with -g, and python with -X perf)")
        with open(args.output, "wb") as f:
            f.write(profile.data)
    except (OSError, Unusable) as e:
        sys.exit(f"{args.perf_data}: {e}" if isinstance(e, Unusable) else str(e))
    print(f"{moved} of {total} samples were taken in Python functions")


if __name__ == "__main__":
    main()

"""Copies of stacks in perf's own file.

`perf script` unwinds a copied stack as far as call frame information goes, but doesn't show the
copy. This reads it: for each sample of an event that has one, the registers and the bytes.
"""
import struct

from springprof.errors import Problem

HEAD_BYTES = 104
MMAP, COMM, FORK, SAMPLE, MMAP2, AUXTRACE = 1, 3, 7, 9, 10, 71
COMM_EXEC = 1 << 13         # of a COMM record's misc: the process has become another program
NOBODY = 0x3ffffffe         # a process that isn't there
# Bits of sample_type, in the order in which their fields stand in a record.
IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID = (1 << n for n in range(10))
RAW, BRANCH_STACK, REGS_USER, STACK_USER = (1 << n for n in range(10, 14))
IDENTIFIER = 1 << 16
NOT_READ = READ | RAW | BRANCH_STACK


class Copy:
    """A stack as it was: `start` is the stack pointer, `memory` what stood there and above."""
    __slots__ = "tid", "time", "pc", "fp", "start", "memory"

    def __init__(self, tid, time, pc, fp, start, memory):
        self.tid, self.time, self.pc, self.fp = tid, time, pc, fp
        self.start, self.memory = start, memory

    def word(self, address):
        at = address - self.start
        if 0 <= at <= len(self.memory) - 8:
            return int.from_bytes(self.memory[at:at + 8], "little")
        return None


# Bits of the registers that are needed: frame pointer, stack pointer, program counter.
REGISTERS = {"x86_64": (6, 7, 8), "aarch64": (29, 31, 32)}


# A kind of events: clocks of a processor and a task, and one that never happens, by which perf
# hears of mappings.
SOFTWARE, CLOCKS, DUMMY = 1, (0, 1), 9


class Attribute:
    def __init__(self, data, at, size):
        kind, = struct.unpack_from("<I", data, at)
        event, = struct.unpack_from("<Q", data, at + 8)
        self.counts_time = kind == SOFTWARE and event in (*CLOCKS, DUMMY)
        self.sample_type, = struct.unpack_from("<Q", data, at + 24)
        self.registers, = struct.unpack_from("<Q", data, at + 80)
        self.ids = struct.unpack_from("<QQ", data, at + size - 16)

    @property
    def has_copies(self):
        return (self.sample_type & (REGS_USER | STACK_USER | IDENTIFIER | TID | TIME)
                == (REGS_USER | STACK_USER | IDENTIFIER | TID | TIME)
                and not self.sample_type & NOT_READ)

    @property
    def has_chains(self):
        return (self.sample_type & (CALLCHAIN | IDENTIFIER | TID | TIME | READ)
                == (CALLCHAIN | IDENTIFIER | TID | TIME))


PLACE_OF_LENGTH, PLACE_OF_FEATURES, FEATURES_BYTES = 48, 72, 32


def finish_file(path):
    """Whether perf has ended before it could (no more room, the limit of a file's size, killed).
    Then its head is completed, so that what has been written can be read: how long the records
    are, and that nothing comes behind them. The events have then lost the names that we gave."""
    with open(path, "r+b") as out:
        data = out.read(HEAD_BYTES)
        if data[:8] != b"PERFILE2" or len(data) < HEAD_BYTES:
            raise Problem("perf ended before it had recorded anything")
        start, length = struct.unpack_from("<QQ", data, PLACE_OF_LENGTH - 8)
        if length:
            return False
        data += out.read()
        end = start
        while end + 8 <= len(data):
            size, = struct.unpack_from("<H", data, end + 6)
            if size < 8 or end + size > len(data):
                break
            end += size
        if end == start:
            raise Problem("perf ended before it had recorded anything")
        out.seek(PLACE_OF_LENGTH)
        out.write(struct.pack("<Q", end - start))
        out.seek(PLACE_OF_FEATURES)
        out.write(bytes(FEATURES_BYTES))
        return True


CONTEXT_MARKS = 0xfffffffffffff000      # in chains: "from here on the kernel's", "the user's"


def forked(path):
    """The processes that were forked while perf wrote the file."""
    file = PerfData(path, "")
    found = (struct.unpack_from("<II", file.data, at + 8) for kind, _, at in file.records()
             if kind == FORK)
    return {pid for pid, parent in found if pid != parent}


def forget_before_exec(path, program):
    """perf keeps a process's mappings when it becomes another program, and then finds unwinding
    information at the wrong place: of two mappings of libc it takes the lower one. So those from
    before are given to nobody, in perf's file: `program`'s own, and what processes that
    have become another program inherit. Returns {pid: parent's pid}, which this hides."""
    file = PerfData(path, "")
    data, parents = file.data, {}
    becomes = {}
    for kind, misc, at in file.records():
        if kind == COMM and misc & COMM_EXEC:
            pid, = struct.unpack_from("<I", data, at + 8)
            becomes[pid] = min(file.time(at), becomes.get(pid, 1 << 64))
    with open(path, "r+b") as out:
        def write(at, *numbers):
            out.seek(at)
            out.write(struct.pack(f"<{len(numbers)}I", *numbers))

        for kind, _, at in file.records():
            if kind in (MMAP, MMAP2):
                pid, = struct.unpack_from("<I", data, at + 8)
                if pid == program and file.time(at) < becomes.get(pid, 0):
                    write(at + 8, NOBODY, NOBODY)
            elif kind == FORK:
                pid, parent = struct.unpack_from("<II", data, at + 8)
                if pid != parent:
                    parents[pid] = parent
                    if file.time(at) < becomes.get(pid, 0):
                        write(at + 12, NOBODY)
                        write(at + 20, NOBODY)
    return parents


class PerfData:
    """perf's file. Its samples come in the order in which they were written."""

    def __init__(self, path, machine):
        with open(path, "rb") as file:
            self.data = data = file.read()
        self.registers = REGISTERS.get(machine)
        self.by_id = {}
        self.start = self.end = 0
        if data[:8] != b"PERFILE2" or len(data) < HEAD_BYTES:
            return
        _, size, attributes, length_of_all, self.start, length = struct.unpack_from("<6Q", data, 8)
        self.end = min(self.start + length, len(data))
        for at in range(attributes, attributes + length_of_all, size):
            attribute = Attribute(data, at, size)
            offset, length = attribute.ids
            for where in range(offset, offset + length, 8):
                self.by_id[struct.unpack_from("<Q", data, where)[0]] = attribute

    @property
    def counts_time(self):
        """Whether the event that counts is a clock."""
        return all(attribute.counts_time for attribute in self.by_id.values()
                   if not attribute.has_copies)

    def records(self):
        """(kind, misc, offset) of each."""
        data, at = self.data, self.start
        while at + 8 <= self.end:
            kind, misc, size = struct.unpack_from("<IHH", data, at)
            if size < 8:
                return
            yield kind, misc, at
            if kind == AUXTRACE:
                size += struct.unpack_from("<Q", data, at + 8)[0]
            at += size

    def time(self, at):
        """When the record that is no sample was made; 0 for what perf has told of before it began.
        Records of different processors are not in order of time."""
        size, = struct.unpack_from("<H", self.data, at + 6)
        attribute = self.by_id.get(struct.unpack_from("<Q", self.data, at + size - 8)[0])
        if attribute is None or not attribute.sample_type & TIME:
            return 0
        behind = sum(8 for bit in (TIME, ID, STREAM_ID, CPU, IDENTIFIER)
                     if attribute.sample_type & bit)
        return struct.unpack_from("<Q", self.data, at + size - behind)[0]

    def samples(self):
        """(attribute, offset behind the identifier) of each."""
        for kind, _, at in self.records():
            if kind == SAMPLE:
                attribute = self.by_id.get(struct.unpack_from("<Q", self.data, at + 8)[0])
                if attribute is not None:
                    yield attribute, at + 16

    def copies(self):
        for attribute, at in self.samples():
            if attribute.has_copies and self.registers:
                copy = _copy(self.data, at, attribute, self.registers)
                if copy is not None:
                    yield copy

    def chains(self):
        """(tid, time, addresses) of each sample without a copy, innermost first."""
        for attribute, at in self.samples():
            if attribute.has_copies or not attribute.has_chains:
                continue
            tid, time, at = _head(self.data, at, attribute.sample_type)
            count, = struct.unpack_from("<Q", self.data, at)
            addresses = struct.unpack_from(f"<{count}Q", self.data, at + 8)
            yield tid, time, [address for address in addresses if address < CONTEXT_MARKS]


def _head(data, at, has):
    """(tid, time, offset of the chain)"""
    at += 8 if has & IP else 0
    _, tid, time = struct.unpack_from("<IIQ", data, at)
    at += 16
    for bit in ADDR, ID, STREAM_ID, CPU, PERIOD:
        at += 8 if has & bit else 0
    return tid, time, at


def _copy(data, at, attribute, wanted):
    has = attribute.sample_type
    tid, time, at = _head(data, at, has)
    if has & CALLCHAIN:
        count, = struct.unpack_from("<Q", data, at)
        at += 8 + 8 * count
    abi, = struct.unpack_from("<Q", data, at)
    at += 8
    if not abi:
        return None                                 # a kernel thread
    mask = attribute.registers
    values = []
    for number in wanted:
        if not mask >> number & 1:
            return None
        where = at + 8 * (mask & ((1 << number) - 1)).bit_count()
        values.append(struct.unpack_from("<Q", data, where)[0])
    at += 8 * mask.bit_count()
    size, = struct.unpack_from("<Q", data, at)
    at += 8
    if not size:
        return None
    used, = struct.unpack_from("<Q", data, at + size)
    fp, sp, pc = values
    return Copy(tid, time, pc, fp, sp, data[at:at + min(size, used)])

"""The timer engine: a recording without perf.

The interpreter samples itself (Python/observe/sampler): a timer of each thread's processor time
interrupts it, and the addresses of its stack go to a file in a folder of ours. Names are looked up
here, afterwards: Python's in the perf maps, as perf does, C's in the symbol tables of the files
that were mapped. There are no frames of the kernel's; the time that it works for a thread is the
calling function's.

With --wall, a thread in the program looks at all threads instead, and those that sleep are
recorded without being interrupted each time. Each sample says whether its thread holds the GIL or
waits for it; of that, --mode gil is made.
"""
import bisect
import functools
import os
import re
import sys
import tempfile

from springprof import elf, machine, mailbox, recording, samples, sampling, symbols, tables
from springprof.sampling import Found

VARIABLE = "SPRINGBOARD_SAMPLES"
EVENTS = {"cpu": "cpu-timer", "wall": "wall-clock", "gil": "gil"}
DEFAULT_FREQUENCY = {"cpu": sampling.FREQUENCY, "wall": 199, "gil": 199}
NO_KERNEL = ("the kernel's frames are not there: the timer engine doesn't see them; their time is "
             "that of the functions that called the kernel")
MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ \S+\s*(.*)")
RETURN_ADDRESS_BITS = (1 << 48) - 1         # above, aarch64 may keep a signature


class Mappings:
    """The files that were mapped in a process, as /proc/PID/maps tells."""

    def __init__(self, text):
        self.entries = sorted((int(match[1], 16), int(match[2], 16), int(match[3], 16),
                               match[4].removesuffix(" (deleted)"))
                              for match in map(MAPPING.match, text.split("\n")) if match)
        self.starts = [entry[0] for entry in self.entries]

    def find(self, address):
        """(file, offset), or None"""
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or address >= self.entries[at][1]:
            return None
        start, _, offset, path = self.entries[at]
        return path, address - start + offset


@functools.cache
def symbols_of(path):
    return elf.File(path)


class Names:
    """From addresses to frames of a recording."""

    def __init__(self, reader, found, root=""):
        self.reader, self.found, self.root = reader, found, root
        self.mappings, self.frames = {}, {}
        self.calls_of_compiled, self.calls_of_c = set(), set()

    def _mappings(self, pid):
        if pid not in self.mappings:
            text = next((self.found.maps[each] for each in self.found.ancestors(pid)
                         if each in self.found.maps), "")
            self.mappings[pid] = Mappings(text)
        return self.mappings[pid]

    def _python(self, pid, address):
        """(process in whose map it is, entry), or None. A forked process has the functions of
        the one that forked it."""
        for each in self.found.ancestors(pid):
            entry = self.reader.maps.entry(each, address)
            if entry is not None:
                return each, entry
        return None

    def _look_up(self, pid, address, is_leaf):
        if not is_leaf:
            address &= RETURN_ADDRESS_BITS
        inside = address if is_leaf else address - 1
        python = self._python(pid, inside)
        if python is not None:
            owner, (_, _, name) = python
            return self.reader.python_frame(
                name, is_leaf or not self.reader.maps.is_landing(owner, address))
        place = self._mappings(pid).find(inside)
        if place is None:
            # Where code without frame pointers was interrupted, the first step may lead to
            # something that is no code.
            return self.reader.builder.frame("[unknown]") if is_leaf else None
        path, offset = place
        name = symbols_of(self.root + path).name(offset)
        short = symbols.SUFFIX.sub("", name) if name else f"[{os.path.basename(path).strip('[]')}]"
        if short in symbols.OF_INTERPRETER:
            self.reader.interpreters.add(path)
        return self.reader.builder.frame(short or name, dso=path)

    def frame(self, pid, address, is_leaf):
        """Its number, or None: no frame."""
        key = pid, address, is_leaf
        if key not in self.frames:
            self.frames[key] = self._look_up(pid, address, is_leaf)
        return self.frames[key]

    def _is_compiled(self, pid, address):
        python = self._python(pid, address - 1)
        return python is not None and not self.reader.maps.is_landing(python[0], address)

    def learn(self, stacks):
        """From where compiled functions are called and from where C is, if it matters."""
        maybe = {(stack.pid, stack.addresses[2] & RETURN_ADDRESS_BITS) for stack in stacks
                 if len(stack.addresses) > 2 and stack.addresses[1] & samples.MAYBE}
        for stack in stacks if maybe else ():
            chain = stack.addresses
            for at in range(1, len(chain)):
                address = chain[at] & RETURN_ADDRESS_BITS
                if (stack.pid, address) in maybe and not chain[at - 1] & samples.MAYBE:
                    # Where it was interrupted is no return address.
                    if self._is_compiled(stack.pid, chain[at - 1] + (at == 1)):
                        self.calls_of_compiled.add((stack.pid, address))
                    elif at > 1:
                        self.calls_of_c.add((stack.pid, address))

    def _calls_compiled(self, pid, address):
        """Calls what returns to an address a compiled function? Nobody may have been seen in one;
        but then C isn't seen to be called from there, either. Seen are both where a compiled
        function ended with a jump to C."""
        return ((pid, address) in self.calls_of_compiled
                or (pid, address) not in self.calls_of_c)

    def chain(self, stack):
        """Frames' numbers. An address that is there only maybe counts if its function is called
        from the next one: a library's function that was interrupted has then left its caller's
        frame pointer alone."""
        chain = []
        for at, address in enumerate(stack.addresses):
            if address & samples.MAYBE:
                outside = stack.addresses[at + 1:at + 2]
                address &= RETURN_ADDRESS_BITS
                if not outside or not self._calls_compiled(
                        stack.pid, outside[0] & RETURN_ADDRESS_BITS):
                    continue
            frame = self.frame(stack.pid, address, at == 0)
            if frame is not None:
                chain.append(frame)
        return chain


class Inside:
    """A process's own view of the file system: in a container it has another one, in which its
    names are, and the files that it writes. What is opened stays in reach when it has ended."""

    def __init__(self, pid):
        self.root, self._handle = "", None
        status, same = machine.status(pid), machine.namespace("mnt", pid)
        self.is_elsewhere = same is not None and same != machine.namespace("mnt")
        if self.is_elsewhere:
            self._handle = os.open(f"/proc/{pid}/root", os.O_PATH | os.O_DIRECTORY)
            self.root = f"/proc/self/fd/{self._handle}"
        self.owner = [int(status.get(name, "-1").split()[0]) for name in ("Uid", "Gid")]

    def folder(self):
        """A temporary one to which the process may write."""
        place = self.root + "/tmp" if self.is_elsewhere else None
        folder = tempfile.TemporaryDirectory(prefix="springprof-", dir=place,
                                             ignore_cleanup_errors=True)
        if os.geteuid() == 0:
            os.chown(folder.name, *self.owner)
        return folder

    def part(self, folder, pid):
        """Where in the folder another process may write, which may be another user's: a server's
        workers, say."""
        status = machine.status(pid)
        owner = [int(status.get(name, "-1").split()[0]) for name in ("Uid", "Gid")]
        if owner[0] in (self.owner[0], -1) or os.geteuid() != 0:
            return folder
        part = os.path.join(folder, str(owner[0]))
        if not os.path.isdir(part):
            os.chmod(folder, 0o711)
            os.mkdir(part, 0o700)
            os.chown(part, *owner)
        return part

    def name(self, path):
        """What the process calls a file."""
        return path.removeprefix(self.root)

    def maps(self):
        return symbols.Maps(self.root + "/tmp")


class TimerEngine:
    counts_kernel, sees_more_by_frequency = True, False
    keeps_maps = False
    inside = None

    def __init__(self, *, lines, frequency, mode, notes=()):
        self.lines, self.mode, self.notes = lines, mode, [*notes, NO_KERNEL]
        self.frequency = frequency or DEFAULT_FREQUENCY[mode]

    def environment(self, folder):
        return {VARIABLE: self.text(folder, None)}

    @property
    def command(self):
        return mailbox.SAMPLES_LINES if self.lines else mailbox.SAMPLES

    def folder(self, pid):
        self.inside = Inside(pid)
        return self.inside.folder()

    def text(self, folder, pid):
        clock = "cpu" if self.mode == "cpu" else "wall"
        if self.inside is not None:
            folder = self.inside.name(self.inside.part(folder, pid))
        return f"{self.frequency}:{clock}:{folder}"

    def begin(self, folder, pids):
        self.samples = folder

    def end(self):
        pass

    def maps(self):
        """Of a process that ran before: under the numbers of its own PID namespace."""
        return self.inside.maps() if self.inside is not None else None

    def symbolise(self, found, *, meta, interpreter=None):
        return symbolise(found, lines=self.lines, mode=self.mode, maps=self.maps(),
                         root=self.inside.root if self.inside is not None else "",
                         interpreter=interpreter, meta={
            "event": EVENTS[self.mode], "frequency": self.frequency, "notes": list(self.notes),
            "kernel": False, "mode": self.mode, **meta})

    def result(self, *, program, meta, maps=None, interpreter=None):
        return self.symbolise(samples.Samples().read_folder(self.samples), meta=meta,
                              interpreter=interpreter)


def symbolise(found, *, lines, mode, meta, maps=None, root="", interpreter=None):
    """What is Found in Samples."""
    builder = recording.Builder()
    reader = symbols.Reader(builder, lines, maps,
                            [interpreter or os.path.realpath(sys.executable)])
    names = Names(reader, found, root)
    names.learn(found.stacks)
    for stack in found.stacks:
        chain = names.chain(stack)
        if mode == "gil":
            if not stack.flags & (samples.HOLDS_GIL | samples.WAITS_FOR_GIL):
                continue
            chain.append(builder.frame(
                tables.HOLDS if stack.flags & samples.HOLDS_GIL else tables.WAITS, dso="GIL"))
        name = (found.names.get((stack.pid, stack.tid)) or found.names.get((stack.pid, stack.pid))
                or str(stack.tid))
        builder.sample(stack.time, builder.thread(stack.pid, stack.tid, name), chain, stack.weight)
    reader.finish()
    pids = {stack.pid for stack in found.stacks}
    result = builder.finish(
        tool="springprof", unit="ns", lines=lines, lost=found.lost, engine="timer",
        processes=[{"pid": pid, "parent": found.parents.get(pid, 0)} for pid in sorted(pids)],
        **meta)
    notes = result.meta["notes"]
    if found.parents:
        sampling.note_missing_python(result)
    else:
        notes.append("the interpreter has recorded nothing: the timer engine is for programs that "
                     "run on Springboard, of this version or later")
    if mode == "cpu" and len(found.stacks) > 50 and 3 * result.effective < len(found.stacks):
        notes.append("the machine was busy, so the kernel looked at timers rarely: the "
                     f"{len(found.stacks)} samples tell no more than {result.effective:.0f} of "
                     "equal weight, and shares are rough")
    if found.lost:
        notes.append(f"{found.lost} samples were lost: there was no room for them in "
                     f"{tempfile.gettempdir()}")
    return Found(result, set(found.parents), reader.maps)

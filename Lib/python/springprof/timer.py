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
import os
import re
import sys
import tempfile
import time

from springprof import elf, machine, perf, recording, samples, sampling, symbols, tables
from springprof.errors import Problem
from springprof.record_program import (child_with_a_map, program_command, remove_maps, run_to_end,
                                       sources)

VARIABLE = "SPRINGBOARD_SAMPLES"
EVENTS = {"cpu": "cpu-timer", "wall": "wall-clock", "gil": "gil"}
OPTIONS = {"cpu": "--engine timer", "wall": "--wall", "gil": "--mode gil"}
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


class Names:
    """From addresses to frames of a recording."""

    def __init__(self, reader, found):
        self.reader, self.found = reader, found
        self.files, self.mappings, self.frames = {}, {}, {}

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
        if path not in self.files:
            self.files[path] = elf.File(path)
        name = self.files[path].name(offset)
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

    def chain(self, stack):
        chain = [self.frame(stack.pid, address, at == 0)
                 for at, address in enumerate(stack.addresses)]
        return [frame for frame in chain if frame is not None]


def record_program(program, *, lines, frequency, mode, notes):
    """(recording, exit code of the program)"""
    machine.require(machine.check_tmp, machine.check_frame_pointers)
    frequency = frequency or DEFAULT_FREQUENCY[mode]
    command, environment = program_command(program, lines)
    with tempfile.TemporaryDirectory(prefix="springprof-") as folder:
        environment[VARIABLE] = f"{frequency}:{'cpu' if mode == 'cpu' else 'wall'}:{folder}"
        started = time.time()
        child = child_with_a_map(command, environment)
        seconds = run_to_end(child)
        found = samples.Samples().read_folder(folder)
    result, maps = symbolise(found, lines=lines, mode=mode, meta={
        "command": command, "created": started, "seconds": seconds, "event": EVENTS[mode],
        "frequency": frequency, "notes": [*notes, NO_KERNEL], "exit": child.code,
        "kernel": False, "mode": mode})
    remove_maps({child.pid, *found.parents}, maps, started)
    return result, child.code


def symbolise(found, *, lines, mode, meta):
    """(the recording, the maps that its names are from)"""
    builder = recording.Builder()
    reader = symbols.Reader(builder, lines, interpreters=[os.path.realpath(sys.executable)])
    names = Names(reader, found)
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
    result.sources = sources(result)
    notes = result.meta["notes"]
    if not found.parents:
        notes.append("the interpreter has recorded nothing: the timer engine is for programs that "
                     "run on Springboard, of this version or later")
    if found.lost:
        notes.append(f"{found.lost} samples were lost: there was no room for them in "
                     f"{tempfile.gettempdir()}")
    return result, reader.maps


def why_not_perf():
    """None if perf can record here, otherwise one line."""
    for check in machine.check_perf, machine.check_paranoid, machine.check_seccomp:
        finding = check()
        if finding.state == machine.BAD:
            return finding.line()
    return None


def instead(reason):
    return f"recorded by the timer engine, since perf can't: {reason}"


def what_needs_perf(event, keep):
    """The option that the timer engine doesn't have, or None."""
    if event != perf.EVENT:
        return f"-e {event}"
    return "--perf-data" if keep is not None else None


def choose(engine, mode, event, keep):
    """(whether it is to be the timer engine, a note or None)"""
    needs_perf = what_needs_perf(event, keep)
    if engine == "perf" and mode != "cpu":
        raise Problem(f"{OPTIONS[mode]} needs the timer engine")
    if engine == "timer" or mode != "cpu":
        if needs_perf:
            raise Problem(f"{needs_perf} needs perf, {OPTIONS[mode]} the timer engine")
        return True, None
    reason = why_not_perf() if engine == "auto" and not needs_perf else None
    return reason is not None, instead(reason) if reason else None

"""Perf's answer: samples with names.

`perf script` prints a head line for each sample and then a line for each frame, innermost first.
A frame's line is looked up as a whole: the same text is the same frame, so all the work on names is
done once for each distinct place.
"""
import bisect
import os
import re

from springprof.recording import COMPILED, INTERPRETER, KERNEL, LIBRARY, PYTHON

FIELDS = "comm,pid,tid,time,event,period,ip,sym,dso"

HEAD = re.compile(r"(?P<comm>.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+(?P<s>\d+)\.(?P<ns>\d{9}):\s+"
                  r"(?:(?P<period>\d+)\s+(?P<event>\S+?):?\s*$|(?P<record>PERF_RECORD_.*))")
ENTRY = re.compile(r"\s+([0-9a-f]+) (.*) \((.*)\)$")
LINE = re.compile(r"(.*):(\d+)", re.S)
# What a compiler appends to the names of its variants of a function.
SUFFIX = re.compile(r"(\.(llvm|constprop|isra|part|cold|lto_priv|localalias)(\.\d+)*)+$"
                    r"|@@?[A-Z].*$")
# Only the interpreter has these; the file in which they are found is one.
OF_INTERPRETER = {"_PyPerf_Call", "_PyEval_EvalFrameShown", "_PyEval_EvalFrame", "Py_BytesMain",
                  "_PyEval_Vector"}
LANDING_SIZES = 8, 16, 128      # with lines, without, and in a jitdump


class Maps:
    """The perf maps of processes: which addresses are landings and which are compiled code. What is
    older than `since` is of other processes that had the same numbers."""

    def __init__(self, folder="/tmp", since=0):
        self.folder, self.since = folder, since
        self._tables = {}

    def path(self, pid):
        return os.path.join(self.folder, f"perf-{pid}.map")

    @staticmethod
    def read(path, since=0):
        """(addresses, entries) of a map that is not older than `since`."""
        entries = []
        try:
            with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
                for line in file if os.fstat(file.fileno()).st_mtime >= since else ():
                    address, size, name = line.rstrip("\n").split(" ", 2)
                    if name.startswith("py::"):
                        entries.append((int(address, 16), int(size, 16), name))
        except (OSError, ValueError):
            pass            # gone, or not in order: the samples have names from perf
        # Of several entries of an address, the last one written counts.
        entries = list({entry[0]: entry for entry in entries if entry[1]}.values())
        entries.sort()
        return [entry[0] for entry in entries], entries

    @staticmethod
    def find(table, address):
        starts, entries = table
        at = bisect.bisect_right(starts, address) - 1
        if at >= 0 and address < entries[at][0] + entries[at][1]:
            return entries[at]
        return None

    def removable(self):
        """Maps of processes that nobody knows, to be removed in the end."""
        return []

    def knows(self, pid):
        """Whether perf finds the map of a process, too, and not another one's."""
        return True

    def entry(self, pid, address):
        """(start, size, name) of the function at an address, or None."""
        if pid not in self._tables:
            self._tables[pid] = self.read(self.path(pid), self.since)
        return self.find(self._tables[pid], address)

    def is_landing(self, pid, address):
        """Whether a return address, as in a frame record, is a landing's."""
        entry = self.entry(pid, address - 1)
        if entry is None:
            return address % 8 == 1             # the map is gone: as good as can be
        return address - 1 == entry[0] and entry[1] in LANDING_SIZES


class Sample:
    """`chain` are (address, frame number), innermost first."""
    __slots__ = "pid", "tid", "comm", "time", "period", "event", "chain"

    def __init__(self, pid, tid, comm, time, period, event):
        self.pid, self.tid, self.comm = pid, tid, comm
        self.time, self.period, self.event = time, period, event
        self.chain = []


class Reader:
    """Turns perf script's lines into samples; frames go to a recording's builder.

    `execs` are (time, pid, name): processes that have become another program."""

    def __init__(self, builder, lines, maps=None, interpreters=()):
        self.builder = builder
        self.lines = lines              # whether names of Python frames end with a line
        self.maps = maps or Maps()
        self.interpreters = set(interpreters)
        self.execs = []
        self.lost = 0
        self._entries = {}

    def python_frame(self, name, compiled=False):
        name = name.removeprefix("py::")
        line = 0
        if self.lines and (match := LINE.fullmatch(name)):
            name, line = match[1], int(match[2])
        function, colon, file = name.partition(":")
        return self.builder.frame(function, file, line, COMPILED if compiled else PYTHON)

    def _frame(self, text, pid, is_leaf):
        """(address, frame number) of an entry's line."""
        match = ENTRY.match(text)
        if match is None:
            return None
        address, name, dso = int(match[1], 16), match[2], match[3]
        if name.startswith("py::") or (name == "[unknown]" and not address >> 63):
            # What is executed is compiled; a landing never is. Where perf has unwound by call
            # frame information, it tells the byte before a return address. Of a landing that is the
            # first, and the one before is another function's.
            is_before = not is_leaf and self.maps.is_landing(pid, address + 1)
            is_landing = is_before or not is_leaf and self.maps.is_landing(pid, address)
            # perf looks up what a forked process compiles in the map of the one that forked it,
            # which may have compiled something else there.
            own = self.maps.entry(pid, address if is_leaf or is_before else address - 1)
            name = own[2] if own is not None else name if self.maps.knows(pid) else "[unknown]"
            if name.startswith("py::"):
                return address, self.python_frame(name, not is_landing)
        if address >> 63 or dso.startswith("[kernel"):
            return address, self.builder.frame(name, kind=KERNEL)
        short = SUFFIX.sub("", name) or name
        if short in OF_INTERPRETER:
            self.interpreters.add(dso)
        if name == "[unknown]":
            short = f"[{os.path.basename(dso)}]" if dso not in ("[unknown]", "") else name
        return address, self.builder.frame(short, kind=LIBRARY, dso=dso.removesuffix(" (deleted)"))

    def samples(self, stream):
        sample, chain, entries = None, None, self._entries
        for text in stream:
            if text[0] == "\t":
                if sample is None:
                    continue
                key = (text, sample.pid, not chain)
                found = entries.get(key, self)
                if found is self:
                    found = entries[key] = self._frame(text[:-1], sample.pid, not chain)
                if found is not None:
                    chain.append(found)
                continue
            if sample is not None:
                yield sample
                sample = None
            match = HEAD.match(text)
            if match is None:
                continue
            pid, tid = int(match["pid"]), int(match["tid"])
            time = int(match["s"]) * 1_000_000_000 + int(match["ns"])
            if match["record"]:
                self._record(match["record"], time, pid)
                continue
            sample = Sample(pid, tid, match["comm"].strip(), time, int(match["period"]),
                            match["event"].partition(":")[0])   # perf may have added ":u"
            chain = sample.chain
        if sample is not None:
            yield sample

    def _record(self, text, time, pid):
        if match := re.match(r"PERF_RECORD_COMM exec: (.*):\d+/\d+", text):
            self.execs.append((time, pid, match[1]))
        elif match := re.match(r"PERF_RECORD_LOST(?:_SAMPLES)?.*?lost (\d+)", text):
            self.lost += int(match[1])

    def finish(self):
        """Now that all is read, it is known which files are interpreters."""
        for frame in self.builder.recording.frames:
            if frame.kind == LIBRARY and frame.dso in self.interpreters:
                frame.kind = INTERPRETER

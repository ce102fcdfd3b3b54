"""The files that the interpreter's own sampler writes (Include/internal/sampler.h): stacks as
addresses, without names. A file holds what a process and those forked from it have recorded."""
import glob
import os
import struct

HEAD = struct.Struct("<8sIIIIQQQQ")     # magic, version, Hz, wall, 0, size, used, ready, lost
FIRST = 4096                            # offset of the first record
RECORD = struct.Struct("<IHHIIQ")       # size, kind, flags, process, thread, time
STACK, NAME, PROCESS, MAPS, SAME = range(1, 6)
DONE, HOLDS_GIL, WAITS_FOR_GIL, CUT = 1, 2, 4, 8
MAYBE = 1 << 63                         # in an address: see Names.chain() of timer.py


class Stack:
    """`addresses` are innermost first: where it was interrupted, then return addresses."""
    __slots__ = "pid", "tid", "time", "weight", "flags", "addresses"

    def __init__(self, pid, tid, time, weight, flags, addresses):
        self.pid, self.tid, self.time, self.weight = pid, tid, time, weight
        self.flags, self.addresses = flags, addresses


class Samples:
    """`stacks` in the order in which they were taken, `parents` {pid: parent's pid}, `maps`
    {pid: newest text of /proc/PID/maps}, `names` {(pid, tid): name}, `lost` a number."""

    def __init__(self):
        self.stacks, self.parents, self.maps, self.names = [], {}, {}, {}
        self._lost, self._read_to, self._last, self._unfinished = {}, {}, {}, {}

    @property
    def lost(self):
        return sum(self._lost.values())

    def read_folder(self, folder, live=False):
        """What has come since the last time. While the processes write (`live`), a record that is
        not complete is left for the next time."""
        paths = glob.glob(os.path.join(glob.escape(folder), "**", "*.samples"), recursive=True)
        for path in sorted(paths, key=lambda path: os.stat(path).st_ctime_ns):
            with open(path, "rb") as file:
                head = file.read(HEAD.size)
                if len(head) == HEAD.size:
                    _, _, _, _, _, size, used, _, self._lost[path] = HEAD.unpack(head)
                    start = self._read_to.get(path, FIRST)
                    file.seek(start)
                    data = file.read(max(0, min(used, size) - start))
                    # One that was not complete the last time, either, never will be.
                    self._read_to[path] = start + self._read(
                        data, self._last.setdefault(path, {}),
                        live and self._unfinished.get(path) != start)
                    self._unfinished[path] = self._read_to[path]
        self.stacks.sort(key=lambda stack: stack.time)
        return self

    def _read(self, data, last, stop_at_unfinished=False):
        """Returns how far it came."""
        at = 0
        while at + RECORD.size <= len(data):
            size, kind, flags, pid, tid, time = RECORD.unpack_from(data, at)
            if stop_at_unfinished and (not flags & DONE or at + size > len(data)):
                break
            if size < RECORD.size or size % 8:
                at += 8             # a process has ended before it began to write here
                continue
            body, at = at + RECORD.size, at + size
            if not flags & DONE or at > len(data):
                continue
            if kind == STACK:
                weight, shared, count = struct.unpack_from("<QII", data, body)
                own = struct.unpack_from(f"<{count}Q", data, body + 16)
                outer = last.get((pid, tid), ())
                last[pid, tid] = addresses = own + outer[len(outer) - shared:]
                self.stacks.append(Stack(pid, tid, time, weight, flags, addresses))
            elif kind == SAME:
                weight, = struct.unpack_from("<Q", data, body)
                self.stacks.append(Stack(pid, tid, time, weight, flags,
                                         last.get((pid, tid), ())))
            elif kind == NAME:
                name = data[body:body + 16].split(b"\0")[0]
                self.names[pid, tid] = name.decode(errors="replace")
            elif kind == PROCESS:
                self.parents[pid], = struct.unpack_from("<Q", data, body)
            elif kind == MAPS:
                self.maps[pid] = data[body:at].rstrip(b"\0").decode(errors="surrogateescape")
        return min(at, len(data))

    def ancestors(self, pid):
        """A process, who forked it, and so on."""
        found = []
        while pid is not None and pid not in found:
            found.append(pid)
            pid = self.parents.get(pid)
        return found

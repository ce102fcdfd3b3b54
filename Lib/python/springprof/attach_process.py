"""From the number of a running process to a recording: support switched on in it and in the
processes that it has started, perf beside them, support switched off again, one file."""
import glob
import os
import select
import sys
import threading
import time

from springprof import machine, mailbox, sampling, symbols
from springprof.errors import Problem
from springprof.record_program import remove_maps, sources
from springprof.timer import Inside

RENEWALS_PER_LEASE = 4
BEGINNINGS = 5


def descendants(pid):
    """Processes that a process has started, and those that they have."""
    found, to_ask = [], [pid]
    while to_ask:
        parent = to_ask.pop()
        try:
            tasks = os.listdir(f"/proc/{parent}/task")
        except OSError:
            continue
        for task in tasks:
            children = machine.read_text(f"/proc/{parent}/task/{task}/children").split()
            found += map(int, children)
            to_ask += map(int, children)
    return found


class ProcessMaps(symbols.Maps):
    """Maps of a process that runs, and of those that it has started. In a container they have other
    numbers, and another /tmp. What is asked for a process while it lives is remembered.

    The number inside of a process that has ended before that is not known. Its map is one of those
    that were written meanwhile and belong to nobody who is known: of them, those that have an
    address must agree on its name."""

    def __init__(self, pid):
        super().__init__()
        self.pid, self._started = pid, time.time()
        self._paths, self._own_mounts = {}, machine.namespace("mnt")
        self._inside = Inside(pid)
        self._mounts = machine.namespace("mnt", pid)
        self._processes = machine.namespace("pid", pid)
        self._has_other_numbers = self._processes not in (None, machine.namespace("pid"))
        self._of_strangers = None

    def path(self, pid):
        """None if it can't be told."""
        if pid not in self._paths:
            numbers = machine.status(pid).get("NSpid", "").split()
            if not numbers:
                return None if self._has_other_numbers else \
                    f"{self._inside.root}/tmp/perf-{pid}.map"
            mounts = machine.namespace("mnt", pid) or self._mounts
            root = {self._own_mounts: "", self._mounts: self._inside.root}.get(
                mounts, f"/proc/{pid}/root")
            self._paths[pid] = f"{root}/tmp/perf-{numbers[-1]}.map"
        return self._paths[pid]

    def strangers(self):
        """Maps of processes in the container that have ended before they were seen."""
        if not self._has_other_numbers:
            return []
        known = {os.path.basename(path) for path in self._paths.values()}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if machine.namespace("pid", pid) == self._processes:
                known.add(f"perf-{machine.status(pid).get('NSpid', pid).split()[-1]}.map")
        found = []
        for path in glob.glob(f"{self._inside.root}/tmp/perf-*.map"):
            try:
                facts = os.lstat(path)
            except OSError:
                continue
            if os.path.basename(path) not in known and facts.st_uid == self._inside.owner[0] \
                    and facts.st_mtime >= self._started - 1:
                found.append(path)
        return found

    def removable(self):
        """Of a /tmp that is not the container's own, others may have written them."""
        return self.strangers() if self._inside.is_elsewhere else []

    def knows(self, pid):
        return self.path(pid) is not None

    def entry(self, pid, address):
        if self.knows(pid):
            return super().entry(pid, address)
        if self._of_strangers is None:
            self._of_strangers = [self.read(path) for path in self.strangers()]
        entries = [self.find(table, address) for table in self._of_strangers]
        found = {entry[2]: entry for entry in entries if entry is not None}
        if len(found) == 1:
            return found.popitem()[1]
        # What it had when it was forked.
        return super().entry(self.pid, address) if not found else None


class Lease:
    """Keeps support on in a process and in its descendants, until it is ended; `text(pid)` is what
    the mailbox of each is told. Also after an
    exception, or at the latest when its lease runs out, it is off again."""

    def __init__(self, pid, command, seconds, children=True, text=lambda pid: ""):
        self.pid, self.seconds, self.text = pid, seconds, text
        self.boxes, self.notes, self.claimed = {}, [], set()
        self._end = threading.Event()
        box = mailbox.Mailbox(pid)
        self._add(box, box.post(command, seconds, text=text(pid)))
        self._switch_on(descendants(pid) if children else (), command)
        self._thread = threading.Thread(target=self._renew, daemon=True)
        self._thread.start()

    def _add(self, box, state):
        self.boxes[box.pid] = box
        if state.by & mailbox.BY_PROGRAM:
            self.claimed |= {box.pid, state.pid}

    def _switch_on(self, pids, command):
        """Those that wait in C do it when they run Python again."""
        asked, waiting = [], []
        for pid in pids:
            try:
                box = mailbox.Mailbox(pid)
                box.send(command, text=self.text(pid))
                asked.append(box)
            except Problem:
                pass                    # another program
        end = time.monotonic() + self.seconds
        for box in asked:
            try:
                state = box.answer(end)
                self._add(box, state or box.read())
                if state is None:
                    waiting.append(str(box.pid))
            except Problem as problem:
                if machine.lives(box.pid):
                    self.notes.append(str(problem))
        if waiting:
            self.notes.append("ran no Python when the recording began, and were seen when they did: "
                              "processes " + ", ".join(waiting))

    def _renew(self):
        while not self._end.wait(mailbox.LEASE_SECONDS / RENEWALS_PER_LEASE):
            self.look_for_more()
            for box in list(self.boxes.values()):
                try:
                    box.beat()
                except Problem:
                    pass            # it has ended

    def _look_at(self, pid):
        """A process that was forked since has inherited what is on."""
        try:
            box = mailbox.Mailbox(pid)
            if box.read().by & mailbox.BY_TOOL:
                self.boxes[pid] = box
        except Problem:
            pass

    def look_for_more(self):
        """The processes that live and have support on, with those that were forked since."""
        for pid in descendants(self.pid):
            if pid not in self.boxes:
                self._look_at(pid)
        return {pid for pid in list(self.boxes) if machine.lives(pid)}

    def end(self):
        self._end.set()
        self._thread.join()
        end = time.monotonic() + self.seconds
        done = set()
        # Of those that are switched off, some have forked meanwhile.
        while left := self.look_for_more() - done:
            self._switch_off([self.boxes[pid] for pid in left], end)
            done |= left

    def _switch_off(self, boxes, end):
        asked = []
        for box in boxes:
            try:
                box.send(mailbox.OFF)
                asked.append(box)
            except Problem:
                pass                # it has ended
        for box in asked:
            try:
                box.answer(end)
            except Problem:
                pass                # or it does it by itself when the lease is over

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def begin(engine, folder, lease):
    """Returns the processes that are sampled. What is forked before perf has looked at its parent
    is not: then it begins once more. But perf refuses a list with a process that has ended
    meanwhile: of a program that forks for moments, only those are looked at that stay."""
    pids, forks_for_moments = lease.look_for_more(), False
    for tries in range(BEGINNINGS):
        try:
            engine.begin(folder, sorted(pids))
        except Problem:
            alive = pids & lease.look_for_more()
            if alive == pids or lease.pid not in alive:
                raise
            pids, forks_for_moments = alive, True
            continue
        more = lease.look_for_more()
        if forks_for_moments or more <= pids or tries == BEGINNINGS - 1:
            return pids
        engine.end()
        pids = more
    raise Problem(f"process {lease.pid} forks too fast: perf finds no moment to begin; use "
                  "--no-children, or --engine timer")


def wait_for_end(pid, seconds):
    """Until the process has ended, ^C, or some seconds (None: for ever)."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return
    try:
        select.select([handle], [], [], seconds)
    except KeyboardInterrupt:
        pass
    finally:
        os.close(handle)


def used_by(pids):
    """{process: what it has used of the processor} of those that live"""
    return {pid: machine.used_by(pid) for pid in pids if machine.lives(pid)}


def command_line(pid):
    return machine.read_text(f"/proc/{pid}/cmdline").rstrip("\0").split("\0")


def interpreter_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")
    except OSError:
        return sys.executable           # and Mailbox() says what is wrong


def attach_process(pid, engine, *, seconds, patience, children=True, say=print):
    """A recording of a process that runs."""
    command, started, maps = command_line(pid), time.time(), ProcessMaps(pid)
    interpreter = interpreter_of(pid)
    with engine.folder(pid) as folder:
        lease = Lease(pid, engine.command, patience, children,
                      lambda each: engine.text(folder, each))
        try:
            with lease:
                sampled = begin(engine, folder, lease)
                forked = lease.look_for_more() - sampled
                for each in sampled | forked:
                    maps.path(each)
                clock = time.monotonic()
                before = used_by(sampled)
                try:
                    say()
                    wait_for_end(pid, seconds)
                finally:
                    length = time.monotonic() - clock
                    after = used_by(sampled)
                    for each in lease.look_for_more():
                        maps.path(each)
                    engine.end()
            found = engine.result(program=pid, maps=maps, interpreter=interpreter, meta={
                "command": command, "created": started, "seconds": length, "exit": None})
        except BaseException:
            remove_maps(set(lease.boxes) - lease.claimed, maps, started)
            raise
    found.recording.meta["notes"] += lease.notes
    sampling.note_unseen(found.recording, sum((after[each] - before[each] for each in after),
                                              machine.Used()), engine)
    if not_seen := forked - found.pids:
        found.recording.meta["notes"].append(
            "were forked while the recording began, and are not in it: processes "
            + ", ".join(map(str, sorted(not_seen))))
    found.recording.sources = sources(found.recording)
    remove_maps((found.pids | set(lease.boxes)) - lease.claimed, found.maps, started)
    return found.recording

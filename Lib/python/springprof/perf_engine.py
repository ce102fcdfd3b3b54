"""The perf engine: perf beside the processes, then names for what it has written."""
import os
import platform
import shutil
import sys
import tempfile

from springprof import callers, machine, mailbox, perf, perf_data, recording, sampling, symbols
from springprof.errors import Problem
from springprof.sampling import Found


class PerfEngine:
    sees_more_by_frequency = True

    def __init__(self, *, lines, frequency, event=perf.EVENT, keep=None):
        self.lines, self.frequency, self.event, self.keep = lines, frequency, event, keep
        self.keeps_maps = keep is not None
        perf.find()
        self.kernel = machine.kernel_is_visible()
        self.notes = []
        if not self.kernel:
            self.notes.append("the kernel's frames are not there: "
                              + machine.check_paranoid().line())

    @property
    def counts_kernel(self):
        return self.kernel

    @property
    def command(self):
        return mailbox.PERF_LINES if self.lines else mailbox.PERF

    def folder(self, pid):
        return tempfile.TemporaryDirectory(prefix="springprof-")

    def text(self, folder, pid):
        return ""

    def environment(self, folder):
        return {}

    def begin(self, folder, pids):
        self.data = os.path.join(folder, "data")
        self.recorder = perf.Recorder.started(self.data, pids, event=self.event,
                                              frequency=self.frequency, kernel=self.kernel)

    def end(self):
        self.recorder.stop()

    def result(self, *, program, meta, maps=None, interpreter=None):
        if not os.path.exists(self.data):
            raise Problem(machine.why_perf_failed(self.recorder.said()))
        if perf_data.finish_file(self.data):
            why = f"perf ended too early ({self.recorder.why_it_ended()})"
            if self.event == perf.COPY_EVENT:
                raise Problem(f"{why}: in what it has left, {self.event} are not told from copies "
                              "of stacks; record without -e")
            self.notes.append(f"{why}: what came later is not in the recording")
        if self.keep is not None:
            shutil.copyfile(self.data, self.keep)
        return symbolise(self.data, lines=self.lines, program=program, maps=maps,
                         interpreter=interpreter, meta={
            "event": self.event, "frequency": self.frequency, "notes": self.notes,
            "kernel": self.kernel, "mode": "cpu", **meta})


def symbolise(data, *, lines, program, meta, maps=None, interpreter=None):
    """What is Found in perf's file. `program` is the process that we have started, whose samples
    before it became the program are ours."""
    builder = recording.Builder()
    reader = symbols.Reader(builder, lines, maps or symbols.Maps(since=meta["created"] - 1),
                            [interpreter or os.path.realpath(sys.executable)])
    parents = perf_data.forget_before_exec(data, program)
    samples, deep = [], []
    # In a file that perf could not finish, events have the names that perf has for them.
    copies = perf.COPY_NAMES
    if meta.get("event") != perf.COPY_EVENT:
        copies = copies | {perf.COPY_EVENT}
    with perf.Script(data, symbols.FIELDS) as stream:
        for sample in reader.samples(stream):
            (deep if sample.event in copies else samples).append(sample)
    file = perf_data.PerfData(data, platform.machine())
    unit = tell_unit(file, meta)
    add_callers(data, file, reader, samples, deep, meta)
    begins = min((at for at, pid, _ in reader.execs if pid == program), default=0)
    pids = {program}
    for sample in samples:
        if sample.pid == program and sample.time < begins:
            continue
        pids.add(sample.pid)
        builder.sample(sample.time, builder.thread(sample.pid, sample.tid, sample.comm),
                       [frame for _, frame in sample.chain], sample.period)
    reader.finish()
    result = builder.finish(
        tool="springprof", unit=unit, lines=lines, lost=reader.lost,
        processes=[{"pid": pid, "parent": parents.get(pid, 0)} for pid in sorted(pids)], **meta)
    sampling.note_missing_python(result)
    return Found(result, pids | set(parents), reader.maps)


def tell_unit(file, meta):
    """What the event's numbers are of. Where the processor counts no cycles, as in many virtual
    machines, perf takes a clock for them."""
    event = meta.get("event", perf.EVENT)
    if not file.counts_time:
        return event
    if event not in (perf.EVENT, perf.COPY_EVENT):
        meta["notes"].append(f"perf can't count {event} here, and has taken {perf.EVENT} instead")
        meta["event"] = perf.EVENT
    return "ns"


def add_callers(data, file, reader, samples, deep, meta):
    """Repairs the samples that were taken in code without frame pointers, and notes it."""
    stitcher = callers.Stitcher(reader, machine.max_stack())
    meta["completed"] = stitcher.complete(samples)
    meta["inserted"] = stitcher.insert(
        samples, stitcher.passed_over(deep, file.copies(), samples, file.chains()))
    broken = sum(sample.period for sample in samples if not stitcher.is_whole(sample.chain))
    whole = sum(sample.period for sample in samples)
    if not broken:
        return
    wholes = stitcher.wholes(deep, file.copies(), samples, file.chains())
    culprits, left, lent, partly = stitcher.repair(samples, wholes)
    meta["broken"] = left
    meta["repaired"] = broken - left
    if broken >= whole / 100:
        bytes_ = os.path.getsize(data)
        files = [os.path.basename(name) for name, _ in culprits.most_common()
                 if name not in ("", "[unknown]")]
        names = ", ".join(files[:3]) or "code of no file"
        meta["notes"].append(
            f"{broken / whole:.0%} of the time was spent in code without frame pointers ({names}); "
            f"its callers are from {len(deep)} copies of the stack ({bytes_ / 1e6:.1f} MB for the "
            "whole recording, removed again)"
            + (f"; of {lent / whole:.1%} of the time, those of another thread that ran the same"
               if lent >= whole / 1000 else "")
            + (f"; {partly / whole:.1%} of the time has those that the samples before and after "
               "share" if partly >= whole / 1000 else "")
            + (f"; {left / whole:.1%} of the time has no callers" if left >= whole / 1000 else ""))

"""From a command line to a recording: the program, perf beside it, names, one file."""
import os
import platform
import re
import shutil
import signal
import sys
import tempfile
import time

from springprof import callers, machine, perf, perf_data, recording, symbols
from springprof.errors import Problem

MOST_SOURCE = 4 << 20           # bytes of one file


def interpreter():
    """The one that runs us, through the virtual environment that is active."""
    environment = os.environ.get("VIRTUAL_ENV")
    if environment:
        python = os.path.join(environment, "bin", "python")
        if os.path.realpath(python) == os.path.realpath(sys.executable):
            return python
    return sys.executable


def program_command(program, lines):
    """(command, environment). Something executable that isn't a .py file runs as it is: a script
    of a package, say, whose interpreter finds the variables."""
    switch = "perf_lines" if lines else "perf"
    environment = dict(os.environ)
    environment["PYTHON_PERF_LINES" if lines else "PYTHONPERFSUPPORT"] = "1"
    first = program[0]
    if not first.startswith("-") and not first.endswith((".py", ".pyc", ".pyz")):
        path = shutil.which(first)
        if path is not None:
            return [path, *program[1:]], environment
    return [interpreter(), "-X", switch, *program], environment


OPTIONS_WITH_VALUE = "-X", "-W", "--check-hash-based-pycs"


def program_name(program):
    words = iter(program)
    for word in words:
        if word in OPTIONS_WITH_VALUE:
            next(words, None)
        elif word == "-m":
            return next(words, "module")
        elif word == "-c":
            return "command"
        elif not word.startswith("-"):
            return os.path.basename(word).removesuffix(".py") or "program"
    return "program"


def default_output(program):
    return re.sub(r"[^\w.+-]+", "_", program_name(program)) + ".springprof"


class Ignored:
    """While a program runs, ^C at the terminal is for it, and a request to end us goes to it."""

    def __init__(self, child):
        self.child = child

    def __enter__(self):
        def forward(number, _):
            if self.child.code is None:
                os.kill(self.child.pid, number)
        self.before = {number: signal.signal(number, signal.SIG_IGN)
                       for number in (signal.SIGINT, signal.SIGQUIT)}
        for number in signal.SIGTERM, signal.SIGHUP:
            self.before[number] = signal.signal(number, forward)

    def __exit__(self, *_):
        for number, handler in self.before.items():
            signal.signal(number, handler)


def run_to_end(child):
    """Lets it become the program, and waits for that. Returns the seconds that it took."""
    with Ignored(child):
        clock = time.monotonic()
        child.start()
        child.wait()
        return time.monotonic() - clock


MOST_CHILDREN = 3000


def child_with_a_map(command, environment):
    """A program that is ready to start, under a process number for which it can write a map. Old
    maps of other users stay in /tmp, numbers come round again, and nobody may replace them."""
    for _ in range(MOST_CHILDREN):
        child = perf.Child(command, environment)
        try:
            if os.lstat(symbols.Maps().path(child.pid)).st_uid == os.geteuid():
                return child
        except FileNotFoundError:
            return child
        child.abandon()
    raise Problem("/tmp is full of perf-PID.map files of other users: remove the old ones")


def record_program(program, *, lines, frequency, event=perf.EVENT, keep=None):
    """(recording, exit code of the program)"""
    perf.find()
    machine.require(machine.check_tmp, machine.check_frame_pointers)
    notes = []
    kernel = machine.kernel_is_visible()
    if not kernel:
        notes.append("the kernel's frames are not there: " + machine.check_paranoid().line())
    command, environment = program_command(program, lines)
    with tempfile.TemporaryDirectory(prefix="springprof-") as folder:
        data = os.path.join(folder, "data")
        started = time.time()
        child = child_with_a_map(command, environment)
        try:
            recorder = perf.Recorder(data, [child.pid], event=event, frequency=frequency,
                                     kernel=kernel)
            recorder.start()
        except BaseException:
            child.abandon()
            raise
        try:
            seconds = run_to_end(child)
        finally:
            recorder.stop()
        if not os.path.exists(data):
            raise Problem(machine.why_perf_failed(recorder.said()))
        if keep is not None:
            shutil.copyfile(data, keep)
        result = symbolise(data, lines=lines, program=child.pid,
                           started=None if keep else started, meta={
            "command": command, "created": started, "seconds": seconds, "event": event,
            "frequency": frequency, "notes": notes, "exit": child.code,
            "kernel": kernel, "mode": "cpu"})
    return result, child.code


def symbolise(data, *, lines, program, started, meta, maps=None, interpreter=None, keep=()):
    """The recording in perf's file. `program` is the process that we have started, whose samples
    before it became the program are ours. Maps that are younger than `started` are removed (None:
    none is), but for those of the processes in `keep`."""
    builder = recording.Builder()
    reader = symbols.Reader(builder, lines, maps,
                            [interpreter or os.path.realpath(sys.executable)])
    parents = perf_data.forget_before_exec(data, program)
    samples, deep = [], []
    with perf.Script(data, symbols.FIELDS) as stream:
        for sample in reader.samples(stream):
            (deep if sample.event in perf.COPY_NAMES else samples).append(sample)
    add_callers(data, reader, samples, deep, meta)
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
        tool="springprof", unit="ns", lines=lines, lost=reader.lost,
        processes=[{"pid": pid, "parent": parents.get(pid, 0)} for pid in sorted(pids)], **meta)
    result.sources = sources(result)
    if len(samples) > 20 and not any(frame.is_python for frame in result.frames):
        meta["notes"].append("no Python function was seen: springprof shows programs that run on "
                             "Springboard; does this one?")
    if started is not None:
        remove_maps((pids | set(parents)).difference(keep), reader.maps, started)
    return result


def add_callers(data, reader, samples, deep, meta):
    """Repairs the samples that were taken in code without frame pointers, and notes it."""
    stitcher = callers.Stitcher(reader, machine.max_stack())
    meta["completed"] = stitcher.complete(samples)
    broken = sum(sample.period for sample in samples if not stitcher.is_whole(sample.chain))
    whole = sum(sample.period for sample in samples)
    if not broken:
        return
    file = perf_data.PerfData(data, platform.machine())
    wholes = stitcher.wholes(deep, file.copies(), samples, file.chains())
    culprits, left = stitcher.repair(samples, wholes)
    meta["broken"] = left
    meta["repaired"] = broken - left
    if broken >= whole / 100:
        bytes_ = os.path.getsize(data)
        names = ", ".join(os.path.basename(name) or "?" for name, _ in culprits.most_common(3))
        meta["notes"].append(
            f"{broken / whole:.0%} of the time was spent in code without frame pointers ({names}); "
            f"its callers are from {len(deep)} copies of the stack ({bytes_ / 1e6:.1f} MB for the "
            "whole recording, removed again)"
            + (f"; {left / whole:.1%} of the time has no callers" if left >= whole / 1000 else ""))


def sources(result):
    """Text of each file that has frames, while it is what was run."""
    found = {}
    for path in sorted({frame.file for frame in result.frames if frame.is_python}):
        try:
            if os.path.isfile(path) and os.path.getsize(path) <= MOST_SOURCE:
                with open(path, encoding="utf-8", errors="replace") as file:
                    found[path] = file.read()
        except (OSError, ValueError):
            pass
    return found


def remove_maps(pids, maps, started):
    for pid in pids:
        path = maps.path(pid)
        try:
            if os.stat(path).st_mtime >= started - 1:
                os.unlink(path)
        except OSError:
            pass

"""From a command line to a recording: the program, an engine that samples it, one file."""
import os
import re
import shutil
import signal
import sys
import tempfile
import time

from springprof import machine, perf, sampling, symbols
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
    # A dash in front would make it an option of the next command.
    name = re.sub(r"[^\w.+-]+", "_", program_name(program)).lstrip("-")
    return (name or "program") + ".springprof"


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


def record_program(program, engine, ended):
    """A recording of a program; `ended` is told its exit code."""
    machine.require(machine.check_tmp, machine.check_frame_pointers, machine.check_file_size)
    command, environment = program_command(program, engine.lines)
    with tempfile.TemporaryDirectory(prefix="springprof-") as folder:
        environment.update(engine.environment(folder))
        started = time.time()
        child = child_with_a_map(command, environment)
        try:
            engine.begin(folder, [child.pid])
        except BaseException:
            child.abandon()
            raise
        try:
            seconds = run_to_end(child)
            ended(child.code)
        finally:
            engine.end()
        try:
            found = engine.result(program=child.pid, meta={
                "command": command, "created": started, "seconds": seconds, "exit": child.code})
        except BaseException:
            if not engine.keeps_maps:
                remove_maps([child.pid], symbols.Maps(), started)
            raise
    sampling.note_unseen(found.recording, child.used, engine)
    note_survivors(found, child.pid)
    found.recording.sources = sources(found.recording)
    if not engine.keeps_maps:
        remove_maps(found.pids | {child.pid}, found.maps, started)
    return found.recording


def note_survivors(found, program):
    """What has become a daemon, say, is recorded only as long as what was started."""
    left = sorted(pid for pid in found.pids if pid != program and machine.lives(pid))
    if left:
        found.recording.meta["notes"].append(
            f"the program has ended, and with it the recording; what it has started still runs: "
            f"`springprof attach {left[0]}` records it"
            + (f" (also {', '.join(map(str, left[1:]))})" if left[1:] else ""))


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
    """Those that are younger than `started`."""
    for path in [*map(maps.path, pids), *maps.removable()]:
        if path is None:
            continue
        try:
            if os.stat(path).st_mtime >= started - 1:
                os.unlink(path)
        except OSError:
            pass

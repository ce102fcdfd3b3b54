"""Shows live where the time of a running process goes: functions or lines, with own and total time,
and threads. The process is not stopped; support is switched on in it as `springprof attach` does.

    q  end            l  lines or functions      c  C functions
    o  by own time    t  by total time           space  hold

Without a terminal, or with --once, prints one table and ends."""
import os
import sys
import time

from springprof import engines, mailbox, perf, perf_data, samples, sampling, tables
from springprof.attach_process import Lease, ProcessMaps, interpreter_of
from springprof.errors import Problem
from springprof.perf_engine import PerfEngine, symbolise
from springprof.record_program import remove_maps

HELP = "live in the terminal: where a running process spends its time"


def add_arguments(parser):
    parser.add_argument("pid", type=int, metavar="PID")
    parser.add_argument("-i", "--interval", type=float, default=2, metavar="SECONDS",
                        help="what each picture shows (default: the last %(default)s seconds)")
    parser.add_argument("-F", "--frequency", type=int, default=499, metavar="HZ",
                        help="samples a second (default: %(default)s)")
    sampling.add_engine(parser)
    parser.set_defaults(lines=True, mode="cpu", event=perf.EVENT)
    parser.add_argument("--once", action="store_true", help="print one table and end")
    parser.add_argument("-n", "--rows", type=int, default=20, metavar="N",
                        help="rows of the table of --once (default: %(default)s)")


class PerfPictures:
    """Recordings of one interval after the other, without a gap: the next begins before the
    last one ends."""

    by = ""

    def __init__(self, pid, engine, folder, lease):
        self.pid, self.engine, self.folder, self.lease = pid, engine, folder, lease
        self.maps, self.number, self.seen = LiveMaps(pid), 0, set()
        self.recorder = self._begin()

    def _begin(self):
        self.number += 1
        for pid in self.lease.boxes:
            self.maps.path(pid)
        alive = [pid for pid in self.lease.boxes if os.path.exists(f"/proc/{pid}")]
        if not alive:
            return None
        return perf.Recorder.started(os.path.join(self.folder, f"data{self.number}"), alive,
                                     event=perf.EVENT, frequency=self.engine.frequency,
                                     kernel=self.engine.kernel, copies=perf.OFTEN_ENOUGH)

    def next(self):
        """The recording that has run since; None when the process has ended."""
        last = self.recorder
        if last is None:
            return None
        try:
            self.recorder = self._begin()
        except Problem:
            self.recorder = None            # it has ended meanwhile
        last.stop()
        try:
            self.maps.forget()
            found = symbolise(last.data, lines=True, program=self.pid, maps=self.maps,
                              interpreter=interpreter_of(self.pid),
                              meta={"notes": [], "mode": "cpu"})
            self.seen |= found.pids
            return found.recording
        finally:
            for path in last.data, last.errors:
                os.unlink(path)

    def end(self):
        if self.recorder is not None:
            self.recorder.stop()
            if os.path.exists(self.recorder.data):
                self.seen |= perf_data.forked(self.recorder.data)
        return self.seen | set(self.lease.boxes), self.maps


class TimerPictures:
    """The same of what the processes write by themselves."""

    by = " (timer engine: no kernel frames)"

    def __init__(self, pid, engine, folder, lease):
        self.pid, self.engine, self.folder = pid, engine, folder
        self.interpreter = interpreter_of(pid)
        self.found = samples.Samples()

    def next(self):
        ended = not os.path.exists(f"/proc/{self.pid}")
        self.found.read_folder(self.folder, live=True)
        if ended and not self.found.stacks:
            return None
        result = self.engine.symbolise(self.found, interpreter=self.interpreter,
                                       meta={}).recording
        self.found.stacks.clear()
        return result

    def end(self):
        return set(self.found.parents), self.engine.maps()


class LiveMaps(ProcessMaps):
    """Maps that grow while they are read."""

    def forget(self):
        self._tables.clear()
        self._of_strangers = None


def rows(found, what, by):
    """(own, total, name) of a Tables, the largest first."""
    if what == "lines":
        items = [(row, f"{file}:{line}") for (file, line), row in found.lines.items()]
    else:
        items = [(row, f"{name}  {place}") for (name, place, python), row in found.functions.items()
                 if python == (what == "functions")]
    items.sort(key=lambda item: (-getattr(item[0], by), -item[0].total, item[1]))
    return [(row.own, row.total, name) for row, name in items]


def picture(result, seconds, what, by, count, pid, by_whom=""):
    """Lines of text."""
    found = tables.Tables(result)
    whole = found.total or 1
    threads = [0] * len(result.threads)
    for thread, weight in zip(result.sample_threads, result.weights):
        threads[thread] += weight
    busy = sorted(((weight, facts) for weight, facts in zip(threads, result.threads)),
                  key=lambda item: -item[0])
    yield (f"process {pid}: {found.total / 1e9 / seconds:.0%} of a processor, "
           f"{len(result.times)} samples in {seconds:.1f} s{by_whom}")
    yield "threads: " + ", ".join(f"{facts['tid']} {facts['name']} {weight / whole:.0%}"
                                  for weight, facts in busy[:6])
    yield f"{'own':>7}{'total':>9}  {what[:-1] if what != 'native' else 'C function'}"
    for own, total, name in rows(found, what, by)[:count]:
        yield f"{own / whole:7.1%}{total / whole:9.1%}  {name}"


def once(pictures, options):
    time.sleep(options.interval)
    result = pictures.next()
    for line in picture(result, options.interval, "functions", "own", max(options.rows, 1),
                        options.pid, pictures.by):
        print(line)


def live(screen, pictures, options):
    import curses
    curses.use_default_colors()
    curses.curs_set(0)
    screen.timeout(100)
    what, by, hold, result, began = "functions", "own", False, None, time.monotonic()
    seconds = options.interval
    while True:
        key = screen.getch()
        if key in (ord("q"), 27):
            return
        what = {ord("l"): "lines" if what != "lines" else "functions",
                ord("c"): "native" if what != "native" else "functions"}.get(key, what)
        by = {ord("o"): "own", ord("t"): "total"}.get(key, by)
        hold ^= key == ord(" ")
        if time.monotonic() - began >= options.interval:
            seconds, began = time.monotonic() - began, time.monotonic()
            latest = pictures.next()
            if latest is None:
                return
            result = result if hold else latest
        elif key == -1 or result is None:
            continue
        height, width = screen.getmaxyx()
        screen.erase()
        lines = list(picture(result, seconds, what, by, height - 4, options.pid,
                             pictures.by))
        for y, line in enumerate(lines[:height - 1]):
            screen.addnstr(y, 0, line.encode(errors="replace").decode(), width - 1,
                           curses.A_REVERSE if y == 2 else curses.A_BOLD if y == 0 else 0)
        screen.addnstr(height - 1, 0, "q end  l lines  c C functions  o own  t total  space hold",
                       width - 1, curses.A_DIM)
        screen.refresh()


def show(options, engine):
    kind = PerfPictures if isinstance(engine, PerfEngine) else TimerPictures
    started = time.time()
    with engine.folder(options.pid) as folder:
        with Lease(options.pid, engine.command, mailbox.ANSWER_SECONDS,
                   text=lambda pid: engine.text(folder, pid)) as lease:
            pictures = kind(options.pid, engine, folder, lease)
            try:
                if options.once or not (sys.stdin.isatty() and sys.stdout.isatty()):
                    once(pictures, options)
                else:
                    import curses
                    curses.wrapper(live, pictures, options)
            except KeyboardInterrupt:
                pass
            finally:
                pids, maps = pictures.end()
        remove_maps(pids - lease.claimed, maps, started)


def run(options):
    if not 0.2 <= options.interval <= 3600:
        raise Problem("-i: 0.2 to 3600 seconds")
    sampling.check(options)
    mailbox.Mailbox(options.pid).check_open()
    engines.with_engine(options, lambda engine: show(options, engine))
    if not os.path.exists(f"/proc/{options.pid}") and not options.once:
        print(f"springprof: process {options.pid} has ended", file=sys.stderr)
    return 0

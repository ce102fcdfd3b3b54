"""The system's perf: starting it beside a program, steering it, asking it for names.

A program is started by a child of ours that waits until perf has said that it counts; only then
does the child become the program. So the recording has its first instruction, and there is no
moment to miss. perf gets a process group of its own: what is typed at the terminal (^C) is for the
program.
"""
import io
import os
import select
import shutil
import signal
import subprocess
import threading

from springprof import machine
from springprof.errors import PerfRefused, Problem

EVENT = "cpu-clock"         # is everywhere, and its unit is time
COPY_EVENT = "task-clock"   # has another name, or perf takes them for one
COPY_BYTES = 32768
# Names and frequencies of events that copy stacks, and how large perf's file may be for each. So a
# short recording has many copies, a long one enough, and none fills the disk. As often as samples
# are taken, a thread that lives for a moment has a copy, too.
COPIES = (("copied_often", 999, 25 << 20), ("copied", 299, 100 << 20),
          ("copied_rarely", 29, 1 << 30))
OFTEN_ENOUGH = COPIES[1:]   # for a picture that is soon replaced
COPY_NAMES = {name for name, _, _ in COPIES}
STARTS = 10
LOOK_SECONDS = 0.1          # between two looks at the size of the file
ACKNOWLEDGE_SECONDS = 30


class Control:
    """The two pipes of `perf record --control`."""

    def __init__(self):
        self.perf_reads, self.ours = os.pipe()
        self.answers, self.perf_writes = os.pipe()

    @property
    def option(self):
        return f"--control=fd:{self.perf_reads},{self.perf_writes}"

    @property
    def for_perf(self):
        return self.perf_reads, self.perf_writes

    def close_perfs_ends(self):
        for end in self.for_perf:
            os.close(end)

    def tell(self, command, seconds=ACKNOWLEDGE_SECONDS):
        """Whether perf has done it: not if it has ended, or doesn't answer."""
        try:
            os.write(self.ours, command.encode() + b"\n")
        except OSError:
            return False
        ready, _, _ = select.select([self.answers], [], [], seconds)
        return bool(ready) and os.read(self.answers, 64).startswith(b"ack")

    def close(self):
        os.close(self.ours)
        os.close(self.answers)


class Recorder:
    """A perf that records processes. One event counts; others, less often, copy the stack (see
    callers.py)."""

    def __init__(self, data, pids, *, event, frequency, kernel=True, copies=COPIES):
        self.data = data
        self.errors = data + ".stderr"
        self.control = Control()
        command = [find(), "record", "--delay=-1", self.control.option, "-o", data,
                   "--no-buildid", "--no-buildid-cache", "-p", ",".join(map(str, pids)),
                   "--data"]        # what is mapped as data, too: unwinding needs it
        modifier = "" if kernel else "u"
        # Copies must not use up what the recording needs.
        limit = machine.file_size_limit() or 1 << 62
        self.copies = [(name, often, min(most, limit // 4))
                       for name, often, most in copies]
        for name, copy_frequency, _ in self.copies:
            command += ["-e", f"{COPY_EVENT}/freq={min(copy_frequency, frequency)},"
                              f"call-graph=dwarf,stack-size={COPY_BYTES},name={name}/{modifier}"]
        command += ["-e", f"{event}/freq={frequency},call-graph=fp,name=counted/{modifier}"]
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors,
                                            stderr=errors, pass_fds=self.control.for_perf,
                                            process_group=0)
        self.control.close_perfs_ends()
        self.stopping = threading.Event()
        self.watcher = threading.Thread(target=self.watch, daemon=True)

    @classmethod
    def started(cls, *arguments, **options):
        """One that counts. perf lists a process's threads and then opens each; if one has ended
        meanwhile, it gives up without a word."""
        for tries in range(STARTS):
            recorder = cls(*arguments, **options)
            try:
                recorder.start()
                return recorder
            except PerfRefused:
                if tries == STARTS - 1 or machine.reason(recorder.said()) != machine.NO_REASON:
                    raise

    def start(self):
        """Returns when perf counts."""
        if not self.control.tell("enable"):
            self.stop()
            raise PerfRefused(machine.why_perf_failed(self.said()))
        for name, _, _ in self.copies[1:]:
            self.control.tell(f"disable {name}")
        self.watcher.start()

    def watch(self):
        """Has stacks copied less often when that has cost enough, and not at all in the end."""
        while self.copies and not self.stopping.wait(LOOK_SECONDS):
            try:
                size = os.path.getsize(self.data)
            except OSError:
                return
            while self.copies and size > self.copies[0][2]:
                self.control.tell(f"disable {self.copies.pop(0)[0]}")
                if self.copies:
                    self.control.tell(f"enable {self.copies[0][0]}")

    def said(self):
        with open(self.errors, encoding="utf-8", errors="replace") as file:
            return file.read()

    def why_it_ended(self):
        """For one that could not finish its file."""
        code = self.process.returncode
        if code == -signal.SIGXFSZ:
            return machine.check_file_size().found
        if code < 0:
            return signal.strsignal(-code)
        return machine.reason(self.said())

    def stop(self):
        """Returns when perf has written everything."""
        self.stopping.set()
        if self.watcher.is_alive():
            self.watcher.join()
        self.control.tell("stop", 5)
        self.control.close()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def find():
    path = shutil.which("perf")
    if path is None:
        raise Problem(machine.NO_PERF)
    return path


closed_at_start = []        # standard streams that we did not get, and a program doesn't either


class Child:
    """A program that is ready to start. `code` is its exit code, negative for a signal, `used` what
    it and those that it has waited for have used of the processor."""

    def __init__(self, command, environment):
        waits, self._go = os.pipe()
        self._failure, says = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            try:
                os.close(self._go)
                os.close(self._failure)
                for stream in closed_at_start:
                    os.close(stream)
                if os.read(waits, 1):
                    # Python ignores them from its start on.
                    for number in signal.SIGPIPE, signal.SIGXFSZ:
                        signal.signal(number, signal.SIG_DFL)
                    os.execvpe(command[0], command, environment)
            except OSError as error:
                os.write(says, str(error.errno).encode())
            finally:
                os._exit(127)
        os.close(waits)
        os.close(says)
        self.command = command
        self.code = None
        self.used = machine.Used()

    def start(self):
        """Lets it become the program."""
        os.write(self._go, b"g")
        os.close(self._go)
        self._go = None
        with open(self._failure, "rb") as failure:
            number = failure.read()         # the end of the pipe: exec has closed it
        if number:
            self.wait()
            raise Problem(f"{self.command[0]}: {os.strerror(int(number))}")

    def abandon(self):
        if self._go is not None:
            os.close(self._go)
            os.close(self._failure)
            self.wait()

    def poll(self, seconds):
        """Waits at most that long; whether it has ended."""
        if self.code is None:
            handle = os.pidfd_open(self.pid)
            try:
                if select.select([handle], [], [], seconds)[0]:
                    self.wait()
            finally:
                os.close(handle)
        return self.code is not None

    def wait(self):
        if self.code is None:
            _, status, usage = os.wait4(self.pid, 0)
            self.used = machine.Used(usage.ru_utime, usage.ru_stime)
            self.code = os.waitstatus_to_exitcode(status)
        return self.code


class Script:
    """The lines of `perf script`."""

    def __init__(self, data, fields):
        self.command = [find(), "script", "-i", data, "--ns", "--no-inline", "--max-stack=1024",
                        "-F", fields, "--show-task-events", "--show-lost-events"]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.stream = io.TextIOWrapper(self.process.stdout, "utf-8", "surrogateescape", "\n")
        return self.stream

    def __exit__(self, kind, *_):
        if kind is not None:
            self.process.kill()
        self.stream.close()
        if self.process.wait() and kind is None:
            raise Problem(f"perf script has failed with exit code {self.process.returncode}")

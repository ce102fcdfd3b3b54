"""The mailbox of a process: perf support switched on and off from outside.

A process of ours has a small structure that another process of the same user may write to
(Include/internal/mailbox.h). It is found by an ELF note in the memory of the process, so neither
its files nor its PID namespace matter. The process looks at it the next time that it runs Python: it
is not stopped, it gets no signal, and no code of ours runs in it.
"""
import ctypes
import errno
import os
import pwd
import re
import struct
import time

from springprof import machine
from springprof.errors import Problem

VERSION = 1
LAYOUT = struct.Struct("<8sIIIIIIQQIIIII12s176s")
LEASE_AT, BEAT_AT, REQUEST_AT, TEXT_AT = 24, 28, 32, 80
MOST_TEXT = 175
CLOSED, OPEN, REFUSES = range(3)
NOTHING, PERF, PERF_LINES, PERF_JIT, OFF, SAMPLES, SAMPLES_LINES = range(7)
OK, UNKNOWN, REFUSED, BUSY, FAILED, HOOKED = range(6)
BY_PROGRAM, BY_TOOL = 1, 2
WANTED_AT = 6               # in the word at which the VM looks: uint16_t wanted
BACKENDS = "off", "perf", "perf_jit", "perf_gdb"
LINES = 256

NOTE_OWNER, NOTE_TYPE = b"Springboard\0", 1
PT_LOAD, PT_NOTE = 1, 4
MACHINES = 62, 183          # x86-64, aarch64

LEASE_SECONDS = 10
ANSWER_SECONDS = 5
SHORTEST_WAIT, LONGEST_WAIT = 0.0005, 0.05

libc = ctypes.CDLL(None, use_errno=True)


class IoVec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def transfer(function, pid, address, buffer, size):
    here, there = IoVec(ctypes.addressof(buffer), size), IoVec(address, size)
    function.restype = ctypes.c_ssize_t
    done = function(pid, ctypes.byref(here), ctypes.c_ulong(1), ctypes.byref(there),
                    ctypes.c_ulong(1), ctypes.c_ulong(0))
    if done != size:
        raise OSError(ctypes.get_errno() if done < 0 else errno.EFAULT, "process_vm")


def read_memory(pid, address, size):
    buffer = ctypes.create_string_buffer(size)
    transfer(libc.process_vm_readv, pid, address, buffer, size)
    return buffer.raw


def write_memory(pid, address, data):
    transfer(libc.process_vm_writev, pid, address, ctypes.create_string_buffer(data, len(data)),
             len(data))


# ------------------------------------------------------------------ what can be wrong

def user_name(uid):
    try:
        return pwd.getpwuid(int(uid)).pw_name
    except (KeyError, ValueError):
        return uid


def command_of(pid):
    words = machine.read_text(f"/proc/{pid}/cmdline").split("\0")
    return os.path.basename(words[0]) if words[0] else \
        machine.read_text(f"/proc/{pid}/comm", "?")


def gone(pid):
    return Problem(f"process {pid} has ended")


def refused_by_kernel(pid, error):
    """What stands behind an error of process_vm_readv() or of /proc."""
    facts = machine.status(pid)
    if not facts:
        return gone(pid)
    if facts.get("State", "").startswith(("Z", "X")) or machine.is_ending(pid):
        return Problem(f"process {pid} has ended; its parent ({facts.get('PPid', '?')}) has not "
                       "noticed yet")
    if error.errno == errno.ENOSYS:
        return Problem("the kernel, or a sandbox around springprof, has no process_vm_readv: run "
                       "springprof outside of the sandbox")
    privileged = machine.has_capability(machine.CAP_SYS_PTRACE)
    owner = facts.get("Uid", "?").split()[0]
    if owner != str(os.geteuid()) and not privileged:
        return Problem(f"process {pid} belongs to {user_name(owner)}: run springprof as that user "
                       f"or as root (sudo springprof … {pid})")
    if facts.get("VmSize") is None:
        return Problem(f"process {pid} is a part of the kernel")
    if error.errno in (errno.EPERM, errno.EACCES):
        if machine.status().get("Seccomp") == "2" and not can_read_itself():
            return Problem("a sandbox (seccomp) around springprof forbids process_vm_readv: run it "
                           "outside, or `docker run --cap-add SYS_PTRACE`")
        yama = machine.check_yama()
        if yama.state != machine.GOOD:
            return Problem(f"process {pid} can't be reached: {yama.line()}")
        if privileged:
            return Problem(f"process {pid} can't be reached, even by root: it lies outside of this "
                           "container, or a security module protects it")
        if belongs_to_us(pid) and not int(facts.get("CapPrm", "0"), 16):
            return Problem(f"process {pid} can't be reached: a security module (Landlock, AppArmor, "
                           "SELinux) forbids it: run springprof outside of the sandbox")
        return Problem(f"process {pid} can't be reached: it is protected (it has changed its user, "
                       "has capabilities, or is not dumpable): run springprof as root")
    return Problem(f"process {pid}: {os.strerror(error.errno)}")


def belongs_to_us(pid):
    """Files about a process that is protected belong to root."""
    try:
        return os.stat(f"/proc/{pid}/environ").st_uid == os.geteuid()
    except OSError:
        return False


def can_read_itself():
    buffer = ctypes.create_string_buffer(8)
    try:
        read_memory(os.getpid(), ctypes.addressof(buffer), 8)
    except OSError:
        return False
    return True


def check(pid):
    """For `springprof doctor PID`: can it be attached to?"""
    try:
        state = Mailbox(pid).check_open()
    except Problem as problem:
        what, _, remedy = str(problem).partition(": ")
        return machine.Finding("attach", machine.BAD, what, "springprof can't attach to it", remedy)
    return machine.Finding("attach", machine.GOOD, f"perf support of process {pid} is {state.what}",
                           "`springprof attach` reaches its mailbox")


# ---------------------------------------------------------------------- finding it

def mapped_files(pid):
    """(path, address of its first byte) of each file that is mapped from its start, programs
    and libraries of Python first."""
    program = None
    try:
        program = os.readlink(f"/proc/{pid}/exe")
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except OSError as error:
        raise refused_by_kernel(pid, error) from None
    found = []
    for match in re.finditer(r"(?m)^([0-9a-f]+)-\S+ r\S+ 0+ \S+ [1-9]\d*\s+(/.*)$", text):
        found.append((match[2], int(match[1], 16)))
    rank = {True: 0, False: 1}
    found.sort(key=lambda entry: (rank[entry[0] == program],
                                  rank[bool(re.search("python|springboard", entry[0]))]))
    return [entry for entry in found if entry[0] == program
            or re.search(r"python|springboard", os.path.basename(entry[0]))]


def notes(pid, base):
    """(address, owner, type, contents) of each note of the ELF file at `base`."""
    head = read_memory(pid, base, 64)
    if head[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", head, 18)[0] not in MACHINES:
        return
    at, = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    table = read_memory(pid, base + at, size * count)
    headers = [struct.unpack_from("<IIQQQQ", table, i * size) for i in range(count)]
    first = min((header[3] - header[2] for header in headers if header[0] == PT_LOAD), default=0)
    for kind, _, _, address, _, length in headers:
        if kind != PT_NOTE or length > 1 << 20:
            continue
        text, here = read_memory(pid, base + address - first, length), 0
        while here + 12 <= length:
            owner, contents, number = struct.unpack_from("<III", text, here)
            data = here + 12 + (owner + 3 & ~3)
            yield base + address - first + data, text[here + 12:here + 12 + owner], number, \
                text[data:data + contents]
            here = data + (contents + 3 & ~3)


class State:
    """What a mailbox says."""

    def __init__(self, data):
        (magic, self.version, self.size, self.state, self.pid, self.lease_ms, self.beat,
         self.request, self.reply, self.error, active, self.by, self.leases, self.sampling, _,
         text) = LAYOUT.unpack(data)
        self.is_valid = magic.startswith(b"SBMAIL")
        self.backend = BACKENDS[active % LINES] if active % LINES < len(BACKENDS) else "?"
        self.lines = active >= LINES
        self.text = text.split(b"\0")[0].decode("utf-8", "replace")

    @property
    def what(self):
        return self.backend + (" with lines" if self.lines else "")


class Mailbox:
    """Of one process. Each method raises Problem if the process is out of reach or has ended."""

    def __init__(self, pid):
        self.pid = pid
        if not os.path.isdir(f"/proc/{pid}"):
            raise Problem(f"there is no process {pid}; look it up with `pgrep -af python`")
        self.process = self._start_time()
        try:
            self.address, self.attention = self._find()
        except OSError as error:
            raise refused_by_kernel(pid, error) from None
        state = self.read()
        if not state.is_valid:
            raise Problem(f"process {pid}: its mailbox can't be understood; it was built from "
                          "another version of Springboard: use that one's springprof")
        if state.version != VERSION:
            raise Problem(
                f"process {pid} runs {'an older' if state.version < VERSION else 'a newer'} "
                f"Springboard (mailbox version {state.version}, springprof's is {VERSION}): use the "
                "springprof that belongs to it")

    def _start_time(self):
        """So that another process which has received the same number is not taken for it."""
        return machine.stat_fields(self.pid)[19:20]

    def _find(self):
        files = mapped_files(self.pid)
        for _, base in files:
            for at, owner, kind, contents in notes(self.pid, base):
                if owner == NOTE_OWNER and kind == NOTE_TYPE and len(contents) == 16:
                    mailbox, attention = struct.unpack("<qq", contents)
                    return at + mailbox, at + 8 + attention
        if self._start_time() != self.process:
            raise gone(self.pid)
        name = command_of(self.pid)
        if files and "python" in name:
            raise Problem(f"process {self.pid} ({name}) runs another Python, or a Springboard that "
                          "is too old for this: start it with springboard3.11, or record it with "
                          "`springprof record`")
        raise Problem(f"process {self.pid} ({name}) does not run on Springboard; look for the right "
                      "one with `pgrep -af python`")

    def _access(self, function, *arguments):
        try:
            return function(self.pid, *arguments)
        except OSError as error:
            if self._start_time() != self.process:
                raise gone(self.pid) from None
            raise refused_by_kernel(self.pid, error) from None

    def read(self):
        return State(self._access(read_memory, self.address, LAYOUT.size))

    def beat(self):
        """Says that the tool lives: the lease is renewed."""
        count, = struct.unpack("<I", self._access(read_memory, self.address + BEAT_AT, 4))
        self._access(write_memory, self.address + BEAT_AT,
                     struct.pack("<I", count + 1 & 0xffffffff))

    def wake(self):
        self._access(write_memory, self.attention + WANTED_AT, b"\1\0")

    def check_open(self):
        state = self.read()
        if state.state == REFUSES:
            raise Problem(f"process {self.pid} does not want to be attached to: it was started with "
                          "-X perf_attach=0 or PYTHON_PERF_ATTACH=0; start it without")
        if state.state != OPEN:
            raise Problem(f"process {self.pid} is starting or ending: try again")
        return state

    def send(self, command, lease=LEASE_SECONDS, text=""):
        """Asks the process to do something; answer() gets the answer."""
        state = self.check_open()
        if text:
            data = os.fsencode(text)
            if len(data) > MOST_TEXT:
                raise Problem(f"{text}: too long for the mailbox; set TMPDIR to a short path")
            self._access(write_memory, self.address + TEXT_AT, data + b"\0")
        self.number = (state.request + 1) & 0xffffffff
        self._access(write_memory, self.address + LEASE_AT,
                     struct.pack("<II", int(lease * 1000), state.beat + 1 & 0xffffffff))
        self._access(write_memory, self.address + REQUEST_AT,
                     struct.pack("<Q", self.number | command << 32))

    def answer(self, end):
        """The state of the process when it has done what it was asked to; None if it has not by
        that time."""
        wait = SHORTEST_WAIT
        while True:
            self.wake()
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            state = self.read()
            if state.reply & 0xffffffff == self.number:
                return self._result(state)
            if state.request & 0xffffffff != self.number:
                raise Problem(f"another springprof is using process {self.pid}: try again")
            if time.monotonic() > end:
                return None

    def post(self, command, seconds=ANSWER_SECONDS, lease=LEASE_SECONDS, text=""):
        """Has the process do something. Returns its state; a Problem says why not."""
        self.send(command, lease, text)
        state = self.answer(time.monotonic() + seconds)
        if state is None:
            self.send(NOTHING)          # or it would do it much later
            raise Problem(self._no_answer(seconds))
        return state

    def _no_answer(self, seconds):
        facts = machine.status(self.pid)
        state = facts.get("State", "?")
        if state.startswith(("T", "t")):
            what = "it is stopped: continue it"
            if state.startswith("T"):
                what += f" with `kill -CONT {self.pid}`"
        else:
            where = machine.read_text(f"/proc/{self.pid}/wchan").strip("0")
            where = f" ({where})" if where and not state.startswith("R") else ""
            kind = "works in C" if state.startswith("R") else f"waits in C{where}"
            what = (f"its main thread {kind}: try again when it runs Python, or wait longer with "
                    "--timeout")
        return f"process {self.pid} has run no Python code for {seconds:g} s; {what}"

    def _result(self, state):
        status = state.reply >> 32
        if status == OK:
            return state
        what = f"process {self.pid}"
        if status == REFUSED:
            raise Problem(f"{what}: an audit hook of the program refuses ({state.text})")
        if status == BUSY and state.sampling:
            raise Problem(f"{what} takes samples of itself already: it was started by `springprof "
                          "record`; attach with --engine perf")
        if status == BUSY:
            raise Problem(f"{what} has switched on {state.what} itself, which stays: attach without "
                          "options that want something else")
        if status == FAILED:
            raise Problem(f"{what}: {state.text}: {os.strerror(state.error)}")
        if status == HOOKED:
            raise Problem(f"{what}: an extension has replaced the interpreter's evaluator (a debugger "
                          "or another profiler): stop that first")
        raise Problem(f"{what} does not know this command: use the springprof that belongs to it")

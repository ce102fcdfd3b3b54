"""What a machine allows: the facts that decide whether perf can record here.

Each check is a Finding: what was found, what it means, and the remedy. `springprof doctor` prints
them all; a command that fails prints the one that explains why, in the same words.
"""
import ctypes
import os
import platform
import re
import resource
import shutil
import struct
import subprocess
import sys
import sysconfig

from springprof.errors import Problem

GOOD, LIMITED, BAD = "ok", "limited", "BAD"

NO_PERF = ("perf is not installed; install it with `apt-get install linux-perf` (Debian), "
           "`apt-get install linux-tools-generic` (Ubuntu) or `dnf install perf` (Fedora)")

# The interpreter's own sampler asks for that much.
LEAST_FILE_SIZE = 16 << 20

CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_PERFMON, CAP_SYSLOG = 19, 21, 38, 34


class Finding:
    def __init__(self, name, state, found, meaning, remedy=""):
        self.name, self.state, self.found = name, state, found
        self.meaning, self.remedy = meaning, remedy

    def line(self):
        """For a command that fails."""
        return f"{self.found}: {self.meaning}" + (f"; {self.remedy}" if self.remedy else "")


def read_text(path, default=""):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return default


def status(pid="self"):
    """/proc/PID/status as a dict."""
    return dict(re.findall(r"(?m)^(\w+):\s*(.*)$", read_text(f"/proc/{pid}/status")))


def stat_fields(pid):
    """The words of /proc/PID/stat behind the name; none if there is no such process."""
    return read_text(f"/proc/{pid}/stat").rpartition(")")[2].split()


def is_ending(pid):
    """Has it begun to exit? Until all its memory is free it is "running", with none."""
    PF_EXITING = 4
    return any(int(flags) & PF_EXITING for flags in stat_fields(pid)[6:7])


def lives(pid):
    """Not so one that has ended and for which nobody has waited yet."""
    return status(pid).get("State", "Z")[0] not in "ZX"


class Used:
    """Processor time, in seconds."""
    __slots__ = "user", "system"

    def __init__(self, user=0.0, system=0.0):
        self.user, self.system = user, system

    def __add__(self, other):
        return Used(self.user + other.user, self.system + other.system)

    def __sub__(self, other):
        return Used(self.user - other.user, self.system - other.system)


def used_by(pid):
    """What all threads of a process have used, those that have ended, too."""
    fields = stat_fields(pid)[11:13]
    return Used(*(int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in fields))


def namespace(kind, pid="self"):
    """Which one a process is in, or None."""
    try:
        return os.readlink(f"/proc/{pid}/ns/{kind}")
    except OSError:
        return None


def has_capability(number):
    return bool(int(status().get("CapEff", "0"), 16) >> number & 1)


def in_user_namespace():
    """Whether capabilities are only over what is in a container; the kernel is not."""
    numbers = read_text("/proc/self/uid_map").split()
    return bool(numbers) and numbers != ["0", "0", "4294967295"]


def may_see_all():
    return (has_capability(CAP_PERFMON) or has_capability(CAP_SYS_ADMIN)) \
        and not in_user_namespace()


def paranoid_level():
    try:
        return int(read_text("/proc/sys/kernel/perf_event_paranoid", "2"))
    except ValueError:
        return 2


def kernel_is_visible():
    """Whether samples may be taken while the kernel works for the program."""
    return may_see_all() or paranoid_level() <= 1


def check_perf():
    path = shutil.which("perf")
    if path is None:
        return Finding("perf", BAD, "perf is not installed",
                       "springprof records with the system's perf", NO_PERF.split("; ")[1])
    try:
        version = subprocess.run([path, "--version"], capture_output=True, text=True,
                                 stdin=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("perf", BAD, f"{path} does not run", str(error),
                       "install the package that belongs to the running kernel")
    match = re.search(r"version (\d+)\.(\d+)\S*", version.stdout)
    if version.returncode or match is None:
        said = (version.stderr or version.stdout).strip().split("\n")[0]
        return Finding("perf", BAD, f"{path} does not run", said or "it says nothing",
                       "install the package that belongs to the running kernel")
    if (int(match[1]), int(match[2])) < (5, 10):
        return Finding("perf", BAD, match[0], "its control pipe is too old for springprof",
                       "install perf 5.10 or later; any perf works on any kernel")
    return Finding("perf", GOOD, f"{path}, {match[0]}", "new enough")


def check_paranoid():
    level = paranoid_level()
    found = f"kernel.perf_event_paranoid is {level}"
    if may_see_all():
        return Finding("perf_event_paranoid", GOOD, found,
                       "this user has the privilege (CAP_PERFMON) to record everything")
    if level <= 1:
        return Finding("perf_event_paranoid", GOOD, found,
                       "users may record their own processes, with the kernel's frames")
    if level == 2:
        return Finding("perf_event_paranoid", LIMITED, found,
                       "users may record their own processes, but not what the kernel does for "
                       "them: time in system calls is missing",
                       "to include it: sudo sysctl kernel.perf_event_paranoid=1")
    return Finding("perf_event_paranoid", BAD, found,
                   "only root may record",
                   "sudo sysctl kernel.perf_event_paranoid=2 (until the next boot; a file in "
                   "/etc/sysctl.d keeps it), or run springprof as root")


def check_capabilities():
    names = [name for number, name in ((CAP_PERFMON, "CAP_PERFMON"),
                                       (CAP_SYS_ADMIN, "CAP_SYS_ADMIN"),
                                       (CAP_SYS_PTRACE, "CAP_SYS_PTRACE"),
                                       (CAP_SYSLOG, "CAP_SYSLOG")) if has_capability(number)]
    if names and in_user_namespace():
        return Finding("capabilities", GOOD, ", ".join(names) + " in a user namespace",
                       "they count for the processes in it, not for the kernel's frames")
    if names:
        return Finding("capabilities", GOOD, ", ".join(names), "privileged")
    return Finding("capabilities", GOOD, "none that matter",
                   "an ordinary user: own processes only")


def try_perf_event():
    """errno of opening the event itself, 0 if it works."""
    number = {"x86_64": 298, "aarch64": 241}.get(platform.machine())
    if number is None:
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    flags = 1 << 0 | 1 << 5 | 1 << 6            # disabled, exclude_kernel, exclude_hv
    attributes = struct.pack("=IIQQQQQ", 1, 112, 0, 10_000_000, 0, 0, flags).ljust(112, b"\0")
    handle = libc.syscall(number, attributes, 0, -1, -1, 8)
    if handle < 0:
        return ctypes.get_errno()
    os.close(handle)
    return 0


def check_seccomp():
    import errno
    mode = status().get("Seccomp", "0")
    error = try_perf_event()
    filtered = mode == "2"
    found = "perf_event_open works"
    if error:
        found = f"perf_event_open: {os.strerror(error)}"
        if filtered and error in (errno.EPERM, errno.ENOSYS, errno.EACCES):
            return Finding("perf_event_open", BAD, found,
                           "a seccomp filter (Docker's default, for instance) forbids it",
                           "docker run --cap-add PERFMON (or --security-opt seccomp=unconfined), "
                           "or record from the host")
        if error == errno.ENOSYS:
            return Finding("perf_event_open", BAD, found,
                           "the kernel has no performance events",
                           "use a kernel with CONFIG_PERF_EVENTS")
        return Finding("perf_event_open", BAD, found,
                       "the kernel refuses (see perf_event_paranoid)" if paranoid_level() > 2
                       else "the kernel or a security module refuses",
                       check_paranoid().remedy or "ask the machine's administrator")
    return Finding("perf_event_open", GOOD, found,
                   "a seccomp filter is in force, and allows it" if filtered
                   else "no seccomp filter")


def check_yama():
    text = read_text("/proc/sys/kernel/yama/ptrace_scope", "")
    if text in ("", "0"):
        return Finding("Yama", GOOD, "kernel.yama.ptrace_scope is 0" if text else "not there",
                       "a user may attach to own processes")
    found = f"kernel.yama.ptrace_scope is {text}"
    if text == "3":
        return Finding("Yama", LIMITED, found,
                       "nobody may attach to a process until the next boot; `record` works",
                       "set it to less in /etc/sysctl.d, and boot")
    if has_capability(CAP_SYS_PTRACE):
        return Finding("Yama", GOOD, found, "this user has CAP_SYS_PTRACE")
    return Finding("Yama", LIMITED, found,
                   ("`attach` reaches only processes that this one has started" if text == "1"
                    else "only root may attach to a process") + "; `record` works",
                   "sudo sysctl kernel.yama.ptrace_scope=0, or attach as root")


def mounts(pid="self"):
    """(mount point, options) of each."""
    found = []
    for line in read_text(f"/proc/{pid}/mountinfo").split("\n"):
        fields = line.split()
        if len(fields) > 5:
            found.append((fields[4], fields[5].split(",")))
    return found


def check_tmp(pid="self"):
    root = "" if pid == "self" else f"/proc/{pid}/root"
    if not os.access(root + "/tmp", os.W_OK):
        return Finding("/tmp", BAD, "/tmp can't be written",
                       "the names of functions go through /tmp/perf-PID.map",
                       "make /tmp writable (chmod 1777 /tmp), or mount a tmpfs there")
    options = next((options for point, options in reversed(mounts(pid)) if point == "/tmp"), [])
    free = os.statvfs(root + "/tmp")
    if free.f_bavail * free.f_frsize < 16 << 20:
        return Finding("/tmp", BAD, "/tmp is full",
                       "the names of functions go through /tmp/perf-PID.map", "make room there")
    if "noexec" in options:
        return Finding("/tmp", GOOD, "/tmp is mounted noexec",
                       "perf maps, which springprof uses, don't mind (jitdumps do)")
    return Finding("/tmp", GOOD, "/tmp can be written", "perf maps go there")


def file_size_limit():
    """How large a file may become that we or our children write, or None."""
    soft, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return None if soft == resource.RLIM_INFINITY else soft


def check_file_size():
    limit = file_size_limit()
    if limit is None:
        return Finding("file size", GOOD, "files may have any size (ulimit -f)",
                       "as long as there is room")
    found = f"files may have {limit // 1024} kB (ulimit -f)"
    if limit < LEAST_FILE_SIZE:
        return Finding("file size", BAD, found,
                       f"a recording needs {LEAST_FILE_SIZE // 1024} kB at least",
                       "run `ulimit -f unlimited` before, or ask who has set the limit")
    return Finding("file size", LIMITED, found, "a recording that becomes larger ends there",
                   "run `ulimit -f unlimited` before, or record less often (-F)")


def check_namespace(pid="self"):
    inner = status(pid).get("NSpid", "").split()
    if pid == "self":
        if len(inner) > 1 or read_text("/proc/1/comm") not in ("systemd", "init"):
            return Finding("PID namespace", GOOD, "probably a container",
                           "springprof and the program must run in the same one, or attach from "
                           "the host")
        return Finding("PID namespace", GOOD, "the machine's own", "all processes are visible")
    if len(inner) > 1:
        return Finding("PID namespace", LIMITED,
                       f"process {pid} is in a container, where it has number {inner[-1]}",
                       "perf finds its map through /proc while it lives",
                       "write the report before the process ends")
    return Finding("PID namespace", GOOD, f"process {pid} is in this one", "nothing in the way")


def check_interpreter():
    if sys.implementation.name != "springboard":
        return Finding("interpreter", BAD, f"{sys.executable} is {sys.implementation.name}",
                       "springprof shows programs that run on Springboard",
                       "run it with springboard3.11")
    try:
        sys.activate_stack_trampoline("perf")
        sys.deactivate_stack_trampoline()
    except (OSError, ValueError, RuntimeError) as error:
        return Finding("interpreter", BAD, f"{sys.executable}: {error}",
                       "perf support can't be switched on",
                       "if memory can't be made executable (systemd's MemoryDenyWriteExecute), "
                       "lift that while you profile")
    try:
        os.unlink(f"/tmp/perf-{os.getpid()}.map")
    except OSError:
        pass
    return Finding("interpreter", GOOD,
                   f"{sys.executable}, Python {platform.python_version()}",
                   "perf support can be switched on")


def check_frame_pointers():
    flags = sysconfig.get_config_var("CFLAGS") or ""
    if "-fomit-frame-pointer" in flags:
        return Finding("frame pointers", BAD, "the interpreter was built without frame pointers",
                       "stacks can't be followed cheaply",
                       "configure it without --without-frame-pointers")
    return Finding("frame pointers", GOOD, "the interpreter has them",
                   "whole stacks, at little cost")


def max_stack():
    try:
        return int(read_text("/proc/sys/kernel/perf_event_max_stack", "127"))
    except ValueError:
        return 127


def check_depth():
    return Finding("stack depth", GOOD, f"kernel.perf_event_max_stack is {max_stack()}",
                   "deeper stacks lose their outermost frames",
                   "for deep recursion: sudo sysctl kernel.perf_event_max_stack=1024")


def check_process(pid):
    if not os.path.exists(f"/proc/{pid}"):
        return Finding("process", BAD, f"there is no process {pid}", "it may have ended",
                       "look it up with `pgrep -af python`")
    facts = status(pid)
    owner = facts.get("Uid", "?").split()[0]
    if owner != str(os.geteuid()) and not has_capability(CAP_SYS_PTRACE):
        return Finding("process", BAD, f"process {pid} belongs to user {owner}",
                       "only its user or root may look at it",
                       f"sudo springprof … {pid}, or as that user: "
                       f"sudo -u '#{owner}' springprof …")
    return Finding("process", GOOD, f"process {pid} is {facts.get('Name', '?')}",
                   "this user may look at it")


def all_findings(pid=None):
    found = [check_perf(), check_paranoid(), check_seccomp(), check_capabilities(), check_yama(),
             check_tmp(), check_file_size(), check_namespace(), check_interpreter(),
             check_frame_pointers(), check_depth()]
    if pid is not None:
        found.insert(0, check_process(pid))
        if found[0].state == GOOD:
            from springprof import mailbox
            found += [check_namespace(pid), check_tmp(pid), mailbox.check(pid)]
    return found


def require(*checks):
    """A Problem if one of them finds that something is in the way."""
    for check in checks:
        finding = check()
        if finding.state == BAD:
            raise Problem(finding.line())


NO_REASON = "no reason given"


def reason(said):
    """What matters of the lines that perf has printed. Threads that have ended are only warned of."""
    lines = [line.strip() for line in said.split("\n")
             if line.strip(" \n.=-") and not line.startswith("WARNING: Ignored open failure")]
    return next((line for line in lines if "rror" in line),
                lines[0] if lines else NO_REASON)


def why_perf_failed(said):
    """One line for a perf that did not record."""
    for check in check_perf, check_paranoid, check_seccomp:
        finding = check()
        if finding.state == BAD:
            return finding.line()
    return f"perf record has failed: {reason(said)}; `springprof doctor` looks for the cause"

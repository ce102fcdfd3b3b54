"""springprof attach, detach and status: support switched on in a process from outside."""
import ctypes
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from springprof import machine, mailbox, recording
from springprof.errors import Problem
from support import has_map, map_path, need_frame_pointers, perf_refusal

BUSY = """
def work():
    x = 0
    for i in range(1000):
        x += i
def loop():
    while True:
        work()
"""
SAY_READY = "print('ready', flush=True)\n"

SERVER = BUSY + """
import os, sys, threading, time
stop = threading.Event()
def deep(n):
    return deep(n - 1) if n else work()
def values(n):
    for i in range(n):
        yield deep(i)
def key(x):
    return len(list(values(5)))
def request():
    sorted(range(3), key=key)
    try:
        {}["x"]
    except KeyError:
        deep(40)
def worker():
    while not stop.is_set():
        request()
def forker():
    while not stop.is_set():
        pid = os.fork()
        if not pid:
            for i in range(20):
                request()
            os._exit(0)
        if os.waitpid(pid, 0)[1]:
            print("a child has crashed", flush=True)
        for path in f"/tmp/perf-{pid}.map", f"/tmp/jit-{pid}.dump":
            if os.path.exists(path):
                os.unlink(path)
threads = [threading.Thread(target=f) for f in (worker, worker, forker)]
for thread in threads:
    thread.start()
print("ready", flush=True)
sys.stdin.read()
stop.set()
for thread in threads:
    thread.join()
end = time.monotonic() + 5
while len(os.listdir("/proc/self/task")) > 1 and time.monotonic() < end:
    time.sleep(0.01)                # threads that are ending
print(sys.is_stack_trampoline_active(), len(os.listdir("/proc/self/task")))
"""


def clean_environment(**more):
    return {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | more


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not mailbox.can_read_itself():
            raise unittest.SkipTest("no process_vm_readv() here")

    def start(self, code, *options, prefix=(), python=sys.executable, env=None, **how):
        """A process that has printed a line, which `first_line` is then."""
        began = time.time()
        process = subprocess.Popen([*prefix, python, *options, "-c", code], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=clean_environment(**(env or {})), **how)
        self.addCleanup(self.finish, process)
        process.first_line = process.stdout.readline()
        process.began = began
        return process

    def finish(self, process):
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        for path in map_path(process.pid), f"/tmp/jit-{process.pid}.dump":
            if os.path.exists(path):
                os.unlink(path)

    def busy(self, before="", *options, **how):
        return self.start(BUSY + before + SAY_READY + "loop()", *options, **how)

    def springprof(self, *arguments, prefix=(), timeout=60):
        """(exit code, stdout, stderr)"""
        done = subprocess.run([*prefix, sys.executable, "-m", "springprof",
                               *map(str, arguments)], capture_output=True, text=True,
                              timeout=timeout, env=clean_environment(), cwd="/")
        return done.returncode, done.stdout, done.stderr

    def refused(self, *arguments, **how):
        """The one line that it says."""
        code, out, err = self.springprof(*arguments, **how)
        self.assertEqual((code, out), (1, ""), err)
        self.assertRegex(err, r"\Aspringprof: [^\n]+\n\Z")
        return err

    def wait_until(self, true, seconds=20):
        end = time.monotonic() + seconds
        while not true():
            self.assertLess(time.monotonic(), end, "it does not happen")
            time.sleep(0.02)


def threads_of(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


class Mailbox(Case):
    def test_on_and_off(self):
        process = self.busy()
        box = mailbox.Mailbox(process.pid)
        self.assertEqual(box.read().what, "off")
        self.assertEqual(box.read().pid, process.pid)
        for command, what in ((mailbox.PERF, "perf"), (mailbox.PERF_LINES, "perf with lines"),
                              (mailbox.PERF_JIT, "perf_jit with lines")):
            state = box.post(command)
            self.assertEqual((state.what, state.by), (what, mailbox.BY_TOOL))
        self.wait_until(lambda: os.path.exists(map_path(process.pid)))
        state = box.post(mailbox.OFF)
        self.assertEqual((state.what, state.by), ("off", 0))
        self.wait_until(lambda: threads_of(process.pid) == 1)

    def test_an_unknown_command(self):
        process = self.busy()
        with self.assertRaisesRegex(Problem, "does not know this command"):
            mailbox.Mailbox(process.pid).post(77)

    def test_the_lease_runs_out(self):
        process = self.busy()
        box = mailbox.Mailbox(process.pid)
        box.post(mailbox.PERF, lease=0.3)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            box.beat()
            time.sleep(0.05)
        self.assertEqual((box.read().what, box.read().leases), ("perf", 0))
        self.wait_until(lambda: box.read().what == "off")
        self.assertEqual(box.read().leases, 1)
        self.wait_until(lambda: threads_of(process.pid) == 1)

    def test_what_the_program_has_switched_on_stays_on(self):
        process = self.busy("import sys; sys.activate_stack_trampoline('perf')\n")
        box = mailbox.Mailbox(process.pid)
        self.assertEqual(box.post(mailbox.PERF, lease=0.3).by,
                         mailbox.BY_PROGRAM | mailbox.BY_TOOL)
        self.wait_until(lambda: box.read().leases == 1)
        self.assertEqual(box.read().by, mailbox.BY_PROGRAM)
        self.assertEqual(box.read().what, "perf")
        box.post(mailbox.PERF)
        self.assertEqual(box.post(mailbox.OFF).what, "perf")
        with self.assertRaisesRegex(Problem, "has switched on perf itself, which stays"):
            box.post(mailbox.PERF_LINES)
        self.assertEqual(box.read().what, "perf")

    def test_what_the_command_line_has_switched_on_stays_on(self):
        process = self.busy("", "-X", "perf_lines")
        state = mailbox.Mailbox(process.pid).post(mailbox.OFF)
        self.assertEqual((state.what, state.by), ("perf with lines", mailbox.BY_PROGRAM))

    def test_the_program_wants_something_else_meanwhile(self):
        process = self.start("""if 1:
            import sys, time
            print("ready", flush=True)
            while not sys.is_stack_trampoline_active(): pass
            sys.activate_stack_trampoline("perf_jit")
            while True: pass
            """)
        box = mailbox.Mailbox(process.pid)
        box.post(mailbox.PERF)
        self.wait_until(lambda: box.read().what == "perf_jit")
        self.assertEqual(box.read().by, mailbox.BY_PROGRAM)

    def test_an_audit_hook_refuses(self):
        process = self.busy("""if 1:
            import sys
            def hook(event, args):
                if event == "springprof.attach" and args != ("off",):
                    raise PermissionError(args)
            sys.addaudithook(hook)
            """)
        with self.assertRaisesRegex(Problem, r"audit hook .* refuses \(PermissionError\)"):
            mailbox.Mailbox(process.pid).post(mailbox.PERF)
        self.assertEqual(mailbox.Mailbox(process.pid).post(mailbox.OFF).what, "off")
        self.assertIsNone(process.poll())

    def test_a_forked_child_switches_off_by_itself(self):
        process = self.start("""if 1:
            import os, sys
            print("ready", flush=True)
            while not sys.is_stack_trampoline_active(): pass
            pid = os.fork()
            print(pid, flush=True)
            while True: pass
            """)
        box = mailbox.Mailbox(process.pid)
        box.post(mailbox.PERF, lease=1)
        pids = {int(process.stdout.readline()), int(process.stdout.readline())} - {0}
        child, = pids
        self.addCleanup(os.kill, child, signal.SIGKILL)
        of_child = mailbox.Mailbox(child)
        self.assertEqual((of_child.read().pid, of_child.read().by), (child, mailbox.BY_TOOL))
        for _ in range(30):
            box.beat()
            time.sleep(0.1)
        self.assertEqual(box.read().what, "perf")
        self.assertEqual(of_child.read().what, "off")
        self.wait_until(lambda: threads_of(child) == 1)

    def test_subinterpreters(self):
        process = self.busy("""if 1:
            import _xxsubinterpreters as sub, threading
            code = "while True: pass"
            threading.Thread(target=sub.run_string, args=(sub.create(), code)).start()
            """)
        box = mailbox.Mailbox(process.pid)
        for _ in range(5):
            self.assertEqual(box.post(mailbox.PERF).what, "perf")
            self.assertEqual(box.post(mailbox.OFF).what, "off")

    def test_many_times_in_a_busy_server(self):
        process = self.start(SERVER)
        box = mailbox.Mailbox(process.pid)
        folder = tempfile.mkdtemp(prefix="springprof-test-")
        self.addCleanup(shutil.rmtree, folder)
        for i in range(1000):
            box.post(random.choice((mailbox.PERF, mailbox.PERF_LINES, mailbox.PERF_JIT,
                                    mailbox.SAMPLES, mailbox.SAMPLES_LINES)), 60,
                     text=f"{random.choice((1000, 9999))}:{random.choice(('cpu', 'wall'))}:{folder}")
            if i % 3 == 0:
                time.sleep(random.random() * 0.02)
            self.assertEqual(box.post(mailbox.OFF, 60).what, "off")
        out, _ = process.communicate("", timeout=60)
        self.assertEqual((process.returncode, out), (0, "False 1\n"))

    def test_tools_that_are_killed(self):
        process = self.start(SERVER)
        folder = tempfile.mkdtemp(prefix="springprof-test-")
        self.addCleanup(shutil.rmtree, folder)
        tool = f"""if 1:
            from springprof import mailbox
            box = mailbox.Mailbox({process.pid})
            while True:
                box.post(mailbox.PERF, 60, lease=0.2)
                box.beat()
                box.post(mailbox.PERF_LINES, 60, lease=0.2)
                box.post(mailbox.SAMPLES, 60, lease=0.2, text="999:cpu:{folder}")
                box.post(mailbox.OFF, 60)
            """
        for _ in range(20):
            killed = subprocess.Popen([sys.executable, "-c", tool], env=clean_environment(),
                                      stderr=subprocess.DEVNULL)
            time.sleep(0.15 + random.random() * 0.3)
            killed.kill()
            killed.wait()
        box = mailbox.Mailbox(process.pid)
        self.wait_until(lambda: box.read().what == "off" and box.read().request & 0xffffffff
                        == box.read().reply & 0xffffffff)
        out, _ = process.communicate("", timeout=60)
        self.assertEqual((process.returncode, out), (0, "False 1\n"))


NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
CAN_CHANGE_USER = shutil.which("setpriv") and os.geteuid() == 0


LANDLOCK = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None)
libc.prctl(38, 1, 0, 0, 0)
rules = libc.syscall(444, struct.pack("Q", 1 << 11), ctypes.c_size_t(8), 0)
if rules < 0 or libc.syscall(446, rules, 0):
    sys.exit(9)
os.execv(sys.argv[1], sys.argv[1:])
"""


def works(*command):
    return shutil.which(command[0]) and subprocess.run(
        command, capture_output=True, stdin=subprocess.DEVNULL).returncode == 0


class BadSituations(Case):
    def test_there_is_no_process(self):
        process = subprocess.Popen(["true"])
        process.wait()
        for command in "attach", "detach", "status":
            self.assertIn(f"there is no process {process.pid}",
                          self.refused(command, process.pid))

    def test_another_program(self):
        process = subprocess.Popen(["sleep", "100"])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        time.sleep(0.1)
        self.assertIn(f"process {process.pid} (sleep) does not run on Springboard",
                      self.refused("attach", process.pid))

    @unittest.skipUnless(os.path.exists("/usr/bin/python3.11"), "no python3.11")
    def test_another_python(self):
        process = self.start(SAY_READY + "input()", python="/usr/bin/python3.11")
        self.assertIn("(python3.11) runs another Python", self.refused("attach", process.pid))

    def test_another_version(self):
        process = self.busy()
        box = mailbox.Mailbox(process.pid)
        for version, word in (0, "older"), (2, "newer"):
            mailbox.write_memory(process.pid, box.address + 8, struct.pack("<I", version))
            for command in "attach", "status":
                message = self.refused(command, process.pid)
                self.assertIn(f"runs an {word}" if version == 0 else f"runs a {word}", message)
                self.assertIn("use the springprof that belongs to it", message)

    def test_it_does_not_want_to(self):
        for how in ({"options": ["-X", "perf_attach=0"]}, {"env": {"PYTHON_PERF_ATTACH": "0"}}):
            with self.subTest(how):
                process = self.start(SAY_READY + "while True: pass", *how.get("options", ()),
                                     env=how.get("env"))
                for command in "attach", "detach":
                    self.assertIn("does not want to be attached to: it was started with -X "
                                  "perf_attach=0", self.refused(command, process.pid))
                code, out, _ = self.springprof("status", process.pid)
                self.assertEqual((code, out), (0, f"{process.pid}: off; does not let tools attach "
                                                  "(-X perf_attach=0)\n"))

    def test_the_doctor_says_so(self):
        refusing, open_ = self.busy("", "-X", "perf_attach=0"), self.busy()
        _, out, _ = self.springprof("doctor", open_.pid)
        self.assertIn(f"attach: perf support of process {open_.pid} is off", out)
        code, out, _ = self.springprof("doctor", refusing.pid)
        self.assertEqual(code, 1)
        self.assertIn(f"attach: process {refusing.pid} does not want to be attached to", out)
        self.assertIn("-> it was started with -X perf_attach=0", out)

    def test_the_option_wins_over_the_variable(self):
        process = self.busy("", "-X", "perf_attach", env={"PYTHON_PERF_ATTACH": "0"})
        self.assertEqual(mailbox.Mailbox(process.pid).read().state, mailbox.OPEN)

    def test_stuck_in_c(self):
        process = self.start("import time; " + SAY_READY + "time.sleep(3)\nwhile True: pass")
        started = time.monotonic()
        message = self.refused("attach", process.pid, "--timeout", "0.5")
        self.assertIn(f"process {process.pid} has run no Python code for 0.5 s; its main thread waits "
                      "in C", message)
        self.assertLess(time.monotonic() - started, 3)
        # What has been withdrawn is not done later.
        time.sleep(3)
        self.assertEqual(mailbox.Mailbox(process.pid).read().what, "off")
        self.assertFalse(has_map(process.pid, process.began))

    def test_stopped(self):
        process = self.busy()
        process.send_signal(signal.SIGSTOP)
        self.assertIn(f"it is stopped: continue it with `kill -CONT {process.pid}`",
                      self.refused("attach", process.pid, "--timeout", "0.5"))
        code, out, _ = self.springprof("status", process.pid)
        self.assertEqual((code, out), (0, f"{process.pid}: off\n"))

    def test_it_ends_meanwhile(self):
        process = self.start("import time; " + SAY_READY + "time.sleep(100)")
        tool = subprocess.Popen([sys.executable, "-m", "springprof", "attach", str(process.pid),
                                 "--timeout", "60"], stderr=subprocess.PIPE, text=True, cwd="/",
                                env=clean_environment())
        box = mailbox.Mailbox(process.pid)
        self.wait_until(lambda: box.read().request)
        process.kill()
        _, err = tool.communicate(timeout=20)
        self.assertRegex(err, rf"\Aspringprof: process {process.pid} has ended[^\n]*\n\Z")
        self.assertEqual(tool.returncode, 1)
        # Its parent has not waited for it yet.
        self.assertRegex(self.refused("status", process.pid), f"process {process.pid} has ended")

    def test_it_is_ending(self):
        """While the kernel frees its memory a process "runs", but has no program any more."""
        process = self.start("held = bytearray(b'x') * 300_000_000; " + SAY_READY
                             + "import time; time.sleep(100)")
        process.kill()
        messages = set()
        has_ended = False
        while not has_ended:
            has_ended = machine.status(process.pid)["State"].startswith("Z")
            try:
                mailbox.mapped_files(process.pid)
            except Problem as problem:
                messages.add(str(problem).partition(";")[0])
        self.assertEqual(messages, {f"process {process.pid} has ended"})

    @unittest.skipUnless(CAN_CHANGE_USER, "only root can become another user")
    def test_another_user(self):
        process = self.busy()
        for command in "attach", "status":
            self.assertIn(f"process {process.pid} belongs to root: run springprof as that user or as "
                          f"root (sudo springprof … {process.pid})",
                          self.refused(command, process.pid, prefix=NOBODY))

    @unittest.skipUnless(CAN_CHANGE_USER, "only root can become another user")
    def test_a_protected_process(self):
        process = self.busy("import ctypes; ctypes.CDLL(None).prctl(4, 0)\n", prefix=NOBODY)
        message = self.refused("attach", process.pid, prefix=NOBODY)
        if "ptrace_scope" not in message:
            self.assertIn("it is protected", message)
        # Root may.
        self.assertEqual(mailbox.Mailbox(process.pid).read().what, "off")

    def refused_in_sandbox(self, process, *prefix):
        """By Landlock, in whose domains no process may look into one outside."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            path = os.path.join(folder, "landlock.py")
            with open(path, "w", encoding="utf-8") as out:
                out.write(LANDLOCK)
            done = subprocess.run([*prefix, *NOBODY, sys.executable, path, sys.executable, "-m",
                                   "springprof", "attach", str(process.pid)], text=True,
                                  capture_output=True, env=clean_environment(), cwd="/")
            if done.returncode == 9:
                self.skipTest("no Landlock here")
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            return done.stderr

    @unittest.skipUnless(CAN_CHANGE_USER, "only root can become another user")
    def test_a_security_module_refuses(self):
        process = self.busy(prefix=NOBODY)
        self.assertIn("can't be reached: a security module (Landlock,",
                      self.refused_in_sandbox(process))

    @unittest.skipUnless(CAN_CHANGE_USER and works(
        "unshare", "--mount", "mount", "-t", "tmpfs", "none", "/proc/sys/kernel"),
        "no mount namespace of one's own here")
    def test_levels_of_yama(self):
        """The kernel's refusal is real, but another module's: this one needs no kernel with Yama."""
        process = self.busy(prefix=NOBODY)
        for level, meaning in (("1", "`attach` reaches only processes that this one has started; "
                                "`record` works; sudo sysctl"),
                               ("2", "only root may attach to a process; `record` works; sudo"),
                               ("3", "nobody may attach to a process until the next boot; ")):
            said = self.refused_in_sandbox(process, "unshare", "--mount", "sh", "-c", textwrap.dedent(
                f"""
                mount -t tmpfs none /proc/sys/kernel
                mkdir /proc/sys/kernel/yama
                echo {level} >/proc/sys/kernel/yama/ptrace_scope
                echo 2 >/proc/sys/kernel/perf_event_paranoid
                exec "$@"
                """), "sh")
            self.assertIn("can't be reached: kernel.yama.ptrace_scope is " + level + ": " + meaning,
                          said)

    @unittest.skipUnless(CAN_CHANGE_USER, "only root can become another user")
    def test_an_ordinary_user(self):
        process = self.busy(prefix=NOBODY)
        if mailbox.machine.read_text("/proc/sys/kernel/yama/ptrace_scope", "0") != "0":
            self.skipTest("Yama is in force")
        code, out, err = self.springprof("status", process.pid, prefix=NOBODY)
        self.assertEqual((code, out), (0, f"{process.pid}: off\n"), err)

    def test_a_sandbox_around_the_tool(self):
        # A seccomp filter that refuses process_vm_readv and process_vm_writev.
        numbers = {"x86_64": (310, 311), "aarch64": (270, 271)}[os.uname().machine]
        process = self.busy()
        tool = f"""if 1:
            import ctypes, struct, sys
            libc = ctypes.CDLL(None, use_errno=True)
            code = b"".join(struct.pack("<HBBI", *line) for line in (
                (0x20, 0, 0, 0),                    # the number of the system call
                (0x15, 1, 0, {numbers[0]}), (0x15, 0, 1, {numbers[1]}),
                (0x06, 0, 0, 0x50001),              # EPERM
                (0x06, 0, 0, 0x7fff0000)))          # allowed
            text = ctypes.create_string_buffer(code, len(code))
            class Filter(ctypes.Structure):
                _fields_ = [("n", ctypes.c_ushort), ("code", ctypes.c_void_p)]
            libc.prctl(38, 1, 0, 0, 0)
            if libc.prctl(22, 2, ctypes.byref(Filter(5, ctypes.addressof(text)))):
                sys.exit(9)
            from springprof.cli import main
            sys.exit(main(["attach", "{process.pid}"]))
            """
        done = subprocess.run([sys.executable, "-c", tool], capture_output=True, text=True,
                              env=clean_environment(), timeout=60)
        if done.returncode == 9:
            self.skipTest("no seccomp here")
        self.assertIn("a sandbox (seccomp) around springprof forbids process_vm_readv", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    @unittest.skipUnless(works("unshare", "--pid", "--fork", "--mount-proc", "true"),
                         "no PID namespace of one's own here")
    def test_another_pid_namespace(self):
        outer = self.busy("import os; print(os.getpid(), flush=True)\n",
                          prefix=("unshare", "--pid", "--fork", "--mount-proc"))
        self.assertEqual(outer.first_line, "1\n")
        with open(f"/proc/{outer.pid}/task/{outer.pid}/children") as f:
            child = int(f.read())
        self.addCleanup(os.kill, child, signal.SIGKILL)
        box = mailbox.Mailbox(child)
        self.assertEqual((box.post(mailbox.PERF).what, box.read().pid), ("perf", 1))
        self.assertTrue(os.path.exists(f"/proc/{child}/root/tmp/perf-1.map"))
        box.post(mailbox.OFF)
        os.unlink(f"/proc/{child}/root/tmp/perf-1.map")


@unittest.skipIf(perf_refusal(), perf_refusal())
@unittest.skipUnless(*need_frame_pointers())
class Recording(Case):
    def table(self, path):
        code, out, err = self.springprof("report", "--text", path)
        self.assertEqual((code, err), (0, ""))
        return out

    def test_a_process_and_its_child(self):
        process = self.start(BUSY + """if 1:
            import os
            def child():
                loop()
            def main():
                if not os.fork():
                    child()
                print("ready", flush=True)
                loop()
            main()
            """)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True)
        for child in children.stdout.split():
            self.addCleanup(os.kill, int(child), signal.SIGKILL)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            code, out, err = self.springprof("attach", process.pid, "-d", "1.5", "-o", path)
            self.assertEqual((code, out), (0, ""), err)
            self.assertIn(f"recording process {process.pid} (", err)
            text = self.table(path)
        self.assertRegex(text, r"(?m)^ +\S+ +\S+ +\S+ +(9[5-9]|100)\.\d% +loop  <string>$")
        self.assertRegex(text, r"(?m)^ +\S+ +\S+ +\S+ +(9[5-9]|100)\.\d% +<module>  <string>$")
        self.assertRegex(text, r"(?m)^ +\S+ +\S+ +\S+ +\d+\.\d% +child  <string>$")
        self.assertIn("2 threads", text)
        self.assertEqual(mailbox.Mailbox(process.pid).read().what, "off")
        self.assertFalse(has_map(process.pid, process.began))
        self.assertIsNone(process.poll())

    def test_a_child_that_waits(self):
        process = self.start(BUSY + """if 1:
            import os, time
            def child():
                time.sleep(3)
                loop()
            if not os.fork():
                child()
            print("ready", flush=True)
            loop()
            """)
        child, = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True,
                                text=True).stdout.split()
        self.addCleanup(os.kill, int(child), signal.SIGKILL)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            code, out, err = self.springprof("attach", process.pid, "-d", "4", "-o", path,
                                             "--timeout", "1")
            self.assertEqual((code, out), (0, ""), err)
            text = self.table(path)
        self.assertIn(f"were seen when they did: processes {child}", err)
        self.assertRegex(text, r"(?m)^ +\S+ +\S+ +\S+ +\d+\.\d% +child  <string>$")
        self.wait_until(lambda: mailbox.Mailbox(int(child)).read().what == "off")

    def test_it_ends_while_it_is_recorded(self):
        process = self.busy()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            tool = subprocess.Popen([sys.executable, "-m", "springprof", "attach",
                                     str(process.pid), "-o", path], stderr=subprocess.PIPE,
                                    text=True, cwd="/", env=clean_environment())
            self.assertIn("recording", tool.stderr.readline())
            time.sleep(0.5)
            process.kill()
            _, err = tool.communicate(timeout=60)
            self.assertEqual(tool.returncode, 0, err)
            self.assertRegex(self.table(path), r"work  <string>")

    def test_interrupted(self):
        process = self.busy()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            tool = subprocess.Popen([sys.executable, "-m", "springprof", "attach",
                                     str(process.pid), "-o", path], stderr=subprocess.PIPE,
                                    text=True, cwd="/", env=clean_environment(),
                                    # A shell's background jobs ignore it.
                                    preexec_fn=lambda: signal.signal(signal.SIGINT,
                                                                     signal.SIG_DFL))
            self.assertIn("until ^C", tool.stderr.readline())
            time.sleep(0.5)
            tool.send_signal(signal.SIGINT)
            _, err = tool.communicate(timeout=60)
            self.assertEqual(tool.returncode, 0, err)
            self.assertRegex(self.table(path), r"work  <string>")
        self.assertEqual(mailbox.Mailbox(process.pid).read().what, "off")

    @unittest.skipUnless(works("unshare", "--pid", "--fork", "--mount", "--mount-proc", "mount",
                               "-t", "tmpfs", "none", "/mnt"), "no namespaces of one's own here")
    def test_a_container(self):
        # Another number, and another /tmp.
        outer = self.busy(prefix=("unshare", "--pid", "--fork", "--mount-proc", "sh", "-c",
                                  'mount -t tmpfs none /tmp && exec "$@"', "sh"))
        with open(f"/proc/{outer.pid}/task/{outer.pid}/children") as f:
            child = int(f.read())
        self.addCleanup(os.kill, child, signal.SIGKILL)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            code, _, err = self.springprof("attach", child, "-d", "1", "-o", path)
            self.assertEqual(code, 0, err)
            self.assertRegex(self.table(path),
                             r"(?m)^ +\S+ +\S+ +\S+ +(9[5-9]|100)\.\d% +loop  <string>$")

    @unittest.skipUnless(works("unshare", "--pid", "--fork", "--mount", "--mount-proc", "mount",
                               "-t", "tmpfs", "none", "/mnt"), "no namespaces of one's own here")
    def test_children_in_a_container(self):
        """Those that are forked meanwhile, and have ended before anybody could ask for their number
        inside, have names, too; their maps are removed, other ones aren't."""
        outer = self.start(BUSY + """if 1:
            import os, sys, time
            def made_by(name):
                space = {"work": work}
                exec(f"def {name}(n):\\n for _ in range(n): work()", space)
                return space[name]
            def for_a_moment(function):
                end = time.process_time() + 0.03
                while time.process_time() < end: function(50)
            open("/tmp/perf-2.map", "w").close()
            os.utime("/tmp/perf-2.map", (1, 1))
            print("ready", flush=True)
            while not sys.is_stack_trampoline_active(): work()
            if not os.fork():
                made_by("lasting")(1 << 60)
            while True:
                pid = os.fork()
                if not pid:
                    for_a_moment(made_by("brief"))
                    os._exit(0)
                os.wait()
            """, prefix=("unshare", "--pid", "--fork", "--mount-proc", "sh", "-c",
                         'mount -t tmpfs none /tmp && exec "$@"', "sh"))
        with open(f"/proc/{outer.pid}/task/{outer.pid}/children") as f:
            child = int(f.read())
        self.addCleanup(os.kill, child, signal.SIGKILL)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            code, _, err = self.springprof("attach", child, "-d", "3", "-o", path)
            self.assertEqual(code, 0, err)
            result = recording.read(path)
        self.assertNotIn("has ended", err)
        weight = dict.fromkeys(("lasting", "brief"), 0)
        for node, each in zip(result.nodes, result.weights):
            for name in {frame.name for frame in result.stack(node)} & set(weight):
                weight[name] += each
        self.assertGreater(weight["lasting"], 0.1 * result.total)
        self.assertGreater(weight["brief"], 0.1 * result.total)
        known = {"made_by", "for_a_moment", "work", "loop", "lasting", "brief", "<module>"}
        self.assertLessEqual({frame.name for frame in result.frames if frame.is_python}, known)
        # What runs at this moment was forked when all was off again.
        self.wait_until(lambda: os.listdir(f"/proc/{child}/root/tmp") == ["perf-2.map"])


if __name__ == "__main__":
    unittest.main()

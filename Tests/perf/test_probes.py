"""Static probes: what a tracer finds in the program, and what it is told once it has attached.
gdb is the tracer: it sets semaphores and stops at probes, and needs nothing of the kernel."""
import gzip
import os
import re
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import unittest

from support import tool_refusal

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tools", "probes")
PROBES = {"function__entry": 3, "function__return": 3, "line": 3, "gc__start": 1,
          "gc__done": 1, "import__find__load__start": 1, "import__find__load__done": 2,
          "audit": 2, "gil__wait": 1, "gil__acquired": 0, "gil__released": 0,
          "exception__raise": 3}


def own_library():
    """The shared library that the program is linked to, or None."""
    libraries = subprocess.run(["ldd", sys.executable], capture_output=True, text=True)
    own = re.search(r"libpython3\S* => (\S+)", libraries.stdout)
    return own and own[1]


# The debugger attaches at the first signal and detaches at the second.
PROGRAM = """\
import _signal, gc, sys
def leaf(n):
    x = n
    return x
def gen():
    yield leaf(3)
def fails():
    raise KeyError
class Caller:
    def __add__(self, other):
        return other
def observed():
    leaf(1)
    for v in gen(): pass
    try: fails()
    except KeyError: pass
    sorted([1], key=leaf)
    Caller() + 1
def loop(n):
    while n:
        n -= 1
        if n == 2: _signal.raise_signal(10)
    leaf(0)
def collect():
    gc.collect(1)
    sys.audit('an.event', 1)
    try: import no_such_module
    except ImportError: pass
def raises():
    try: fails()
    except KeyError as e: again = e
    try: [][1]
    except IndexError: pass
    try: raise again
    except KeyError: pass
    for v in map(leaf, iter([])): pass
def threads():
    import _thread, time
    wait, done = _thread.allocate_lock(), _thread.allocate_lock()
    done.acquire()
    def hog():
        end = time.monotonic() + 0.1
        while time.monotonic() < end: pass
        done.release()
    _thread.start_new_thread(hog, ())
    hog_ends = time.monotonic() + 0.1
    while time.monotonic() < hog_ends: pass
    done.acquire()
    time.sleep(0.3)     # gdb loses a program that ends while a thread does
def work():
    observed(); collect()
for kind in sys.argv[1].split():
    _signal.raise_signal(10) if kind != 'loop' else None
    globals()[kind](*[9] * (kind == 'loop'))
    _signal.raise_signal(10)
    leaf(5)
print('done', flush=True)
"""
DEBUGGER = """
import gdb
class Probe(gdb.Breakpoint):
    def __init__(self, name):
        super().__init__("-probe-stap python:" + name)
        self.name = name
    def stop(self):
        def text(i): return gdb.parse_and_eval(f"(char *)$_probe_arg{i}").string()
        def number(i): return int(gdb.parse_and_eval(f"(long)$_probe_arg{i}"))
        if self.name in ("function__entry", "function__return", "line"):
            if text(0) == PATH:
                print("@", self.name, text(1), number(2) & 0xffffffff)
        elif self.name.startswith("gc"):
            print("@", self.name, number(0) >= 0)
        elif self.name == "exception__raise":
            if text(1) == PATH:
                print("@", self.name, text(0), number(2) & 0xffffffff)
        elif self.name.startswith("gil"):
            print("@", self.name, *[number(0) > 0] if "wait" in self.name else [])
        elif self.name.startswith("import"):
            print("@", self.name, text(0), *[number(1)] if "done" in self.name else [])
        elif text(0) == "an.event":
            print("@", self.name, text(0), number(1) != 0)
        return False
gdb.execute("set breakpoint pending off")
gdb.execute("handle SIGUSR1 stop nopass")
gdb.execute("run")
for kind in KINDS:
    probes = [Probe(name) for name in NAMES]
    gdb.execute("continue")
    for probe in probes:
        probe.delete()
    gdb.execute("continue")
"""


def probes_refusal():
    """None if there are probes, and tools to look at them; otherwise why not."""
    if not sysconfig.get_config_var("WITH_DTRACE"):
        return "this build has no static probes"
    return tool_refusal("gdb") or tool_refusal("readelf")


@unittest.skipIf(probes_refusal(), str(probes_refusal()))
class Probes(unittest.TestCase):
    def observe(self, kinds, names):
        """What the debugger is told while the program does work of these kinds."""
        with tempfile.TemporaryDirectory() as folder:
            path, script = (os.path.join(folder, name) for name in ("program.py", "script.py"))
            with open(path, "w") as f:
                f.write(PROGRAM)
            with open(script, "w") as f:
                f.write(f"PATH, KINDS, NAMES = {path!r}, {kinds.split()}, {names}\n{DEBUGGER}")
            done = subprocess.run(
                ["gdb", "-q", "-batch", "-nx", "-x", script, "--args", sys.executable, "-S",
                 "-I", path, kinds],
                capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL)
        self.assertIn("done\n", done.stdout, done.stderr)
        self.assertIn("exited normally", done.stdout, done.stderr)
        return [line[2:] for line in done.stdout.splitlines() if line.startswith("@ ")]

    def test_are_noted_in_the_program_with_their_semaphores(self):
        text = subprocess.run(["readelf", "-n", own_library() or sys.executable],
                              capture_output=True, text=True, timeout=60).stdout
        found = re.findall(r"Provider: python\s+Name: (\S+)\s+Location: \S+, Base: \S+, "
                           r"Semaphore: (\S+)\s+Arguments: (.*)", text)
        self.assertEqual({name: len(arguments.split()) for name, _, arguments in found}, PROBES)
        semaphores = [int(semaphore, 16) for _, semaphore, _ in found]
        self.assertEqual(len(set(semaphores)), len(PROBES))
        self.assertNotIn(0, semaphores)

    def test_exceptions_are_raised(self):
        # Once each, where they come from; not when they pass or are raised again.
        lines = {text.strip(): i for i, text in enumerate(PROGRAM.split("\n"), 1)}
        self.assertEqual(self.observe("raises", ["exception__raise"]), [
            f"exception__raise KeyError {lines['raise KeyError']}",
            f"exception__raise IndexError {lines['try: [][1]']}"])

    def test_who_waits_for_the_gil(self):
        told = self.observe("threads", ["gil__wait", "gil__acquired", "gil__released"])
        self.assertGreater(told.count("gil__wait True"), 0, told)
        self.assertGreater(told.count("gil__acquired"), 1)
        self.assertLessEqual(abs(told.count("gil__acquired") - told.count("gil__released")), 2)

    def test_functions_enter_and_return(self):
        self.assertEqual(self.observe("observed", ["function__entry", "function__return"]), [
            "function__entry observed 12",
            "function__entry leaf 2", "function__return leaf 4",
            "function__entry gen 5",
            "function__entry leaf 2", "function__return leaf 4",
            "function__return gen 6", "function__entry gen 6", "function__return gen 6",
            "function__entry fails 7", "function__return fails 8",
            "function__entry leaf 2", "function__return leaf 4",
            "function__entry __add__ 10", "function__return __add__ 11",
            "function__return observed 18"])

    def test_lines(self):
        found = self.observe("observed", ["line"])
        self.assertEqual(found[:9], [
            "line <module> 54", "line observed 13", "line leaf 3", "line leaf 4", "line observed 14", "line gen 6",
            "line leaf 3", "line leaf 4", "line observed 14"])
        # That of the signal at which the debugger left.
        self.assertEqual(found[-1], "line <module> 55")

    def test_a_tracer_may_come_into_a_loop_that_runs(self):
        found = self.observe("loop", ["line"])
        self.assertEqual(found[:3], ["line loop 20", "line loop 21", "line loop 22"])
        self.assertIn("line leaf 3", found)

    def test_a_tracer_may_leave_and_come_back(self):
        once = self.observe("observed", ["function__entry"])
        self.assertEqual(self.observe("observed observed", ["function__entry"]), 2 * once)

    def test_collections_imports_and_audit_events(self):
        names = [name for name in PROBES if not name.startswith(
            ("function", "line", "gil", "exception"))]
        self.assertEqual(self.observe("collect", names), [
            "gc__start True", "gc__done True", "audit an.event True",
            "import__find__load__start no_such_module",
            "import__find__load__done no_such_module 0"])


SERVER = """
import gc, os, sys
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(os.getpid(), flush=True)
while os.read(0, 1) == b"g":
    assert fib(12) == 144
    gc.collect()
    sys.modules.pop("colorsys", None)
    import colorsys
print("served", flush=True)
"""


class DTrace(unittest.TestCase):
    def test_the_script_names_probes_and_arguments_that_there_are(self):
        """DTrace itself does not run here: its compiler would refuse these first."""
        with open(os.path.join(SCRIPTS, "hierarchy.d")) as f:
            text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
        clauses = re.findall(r"^python\$target:::([\w-]+)\n(?:/[^/\n]*/\n)?\{\n(.*?)^\}$", text,
                             re.M | re.S)
        self.assertEqual(len(clauses), text.count("python$target"))
        for name, body in clauses:
            count = PROBES[name.replace("-", "__")]
            used = [int(n) for n in re.findall(r"\barg(\d+)", body)]
            self.assertTrue(used and max(used) < count, (name, used, count))
            for call in re.findall(r'printf\("(.*?)",(.*?)\);', body, re.S):
                values = len(re.findall(r"%(?!%)", call[0])) + call[0].count("*")
                self.assertEqual(len(re.sub(r"\([^()]*\)", "", call[1]).split(",")), values, call)


KERNEL_CONFIG = "/proc/config.gz"


def systemtap_refusal():
    if probes_refusal() or tool_refusal("stap"):
        return probes_refusal() or tool_refusal("stap")
    return None if os.path.exists(KERNEL_CONFIG) else f"no {KERNEL_CONFIG} for SystemTap"


@unittest.skipIf(systemtap_refusal(), str(systemtap_refusal()))
class SystemTap(unittest.TestCase):
    """What it can do without building a kernel module."""

    def stap(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:      # what it wants of a kernel's build
            with gzip.open(KERNEL_CONFIG, "rt") as f:
                config = f.read()
            os.makedirs(os.path.join(folder, "include/config"))
            for name, text in {".config": config, "Makefile": "", "Module.symvers": "",
                               "include/config/kernel.release": os.uname().release}.items():
                with open(os.path.join(folder, name), "w") as f:
                    f.write(text)
            done = subprocess.run(["stap", "-r", folder, *arguments], capture_output=True,
                                  text=True, stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_lists_the_probes_and_their_arguments(self):
        program = own_library() or sys.executable
        found = re.findall(r'\.mark\("(\w+)"\)(.*)',
                           self.stap("-L", f'process("{program}").mark("*")'))
        self.assertEqual({name: len(arguments.split()) for name, arguments in found}, PROBES)

    def test_understands_a_script_with_strings(self):
        program = own_library() or sys.executable
        text = self.stap("-p2", "-e", f'probe process("{program}").mark("function__entry") '
                         '{ printf("%s %s %d", user_string($arg1), user_string($arg2), $arg3) }')
        self.assertRegex(text, r"# probes\nprocess\(")

    def test_understands_the_scripts_with_the_tapset(self):
        program = own_library() or sys.executable
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(SCRIPTS, "tapset", "springboard.stp")) as f:
                text = f.read().replace('process("python")', f'process("{program}")')
            with open(os.path.join(folder, "springboard.stp"), "w") as f:
                f.write(text)
            for script in sorted(os.listdir(SCRIPTS)):
                if script.endswith(".stp"):
                    with self.subTest(script):
                        told = self.stap("-p2", "-I", folder, os.path.join(SCRIPTS, script))
                        self.assertRegex(told, r"# probes\nprocess\(")
                        # The next pass, compiling, needs the kernel's build tree.
                        told = self.stap("-p3", "-I", folder, os.path.join(SCRIPTS, script))
                        self.assertRegex(told, r"static void probe_\d+ ")


# Nothing else in the system sees the mount.
BPFTRACE = ["unshare", "-m", "sh", "-c", "mount -t tracefs none /sys/kernel/tracing; "
            'exec bpftrace "$@"', "bpftrace"]


def bpftrace_refusal():
    if probes_refusal() or tool_refusal("bpftrace"):
        return probes_refusal() or tool_refusal("bpftrace")
    done = subprocess.run([*BPFTRACE, "-e", f"uprobe:{sys.executable}:Py_BytesMain "
                           "{ exit(); } BEGIN { exit(); }"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=60)
    return done.returncode and "bpftrace can't attach here: " + (done.stderr or "?").split("\n")[0]


@unittest.skipIf(bpftrace_refusal(), str(bpftrace_refusal()))
class Bpftrace(unittest.TestCase):
    """The scripts of Tools/probes, attached to a program that runs."""

    def trace(self, script):
        server = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        try:
            pid = server.stdout.readline().strip()
            tracer = subprocess.Popen(
                [*BPFTRACE, "-p", pid, os.path.join(SCRIPTS, script)], stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
            self.assertIn("Attaching", tracer.stdout.readline())
            time.sleep(1)
            server.stdin.write("g" * 20)
            server.stdin.flush()
            time.sleep(1)
            tracer.send_signal(signal.SIGINT)
            told, _ = tracer.communicate(timeout=60)
            # It goes on without the tracer.
            out, _ = server.communicate("gg.", timeout=60)
            self.assertEqual((server.returncode, out), (0, "served\n"))
        finally:
            server.kill()
            server.wait(60)
        return told

    def test_calls(self):
        """fib(12) makes 465 calls; the first may begin before its thread has noticed."""
        told = self.trace("calls.bt")
        count, = re.findall(r"^@calls\[fib, <string>, 3\]: (\d+)$", told, re.M)
        self.assertIn(int(count), range(19 * 465, 20 * 465 + 1))

    def test_collections(self):
        told = self.trace("collections.bt")
        self.assertIn("@microseconds[2]:", told)
        self.assertIn("@collected:", told)

    def test_hierarchy(self):
        told = self.trace("hierarchy.bt")
        depths = re.findall(r"^ *\d+ +\d+ +(\d+) => fib in <string>:3$", told, re.M)
        self.assertGreater(len(depths), 100)        # some may be lost: they are many
        self.assertIn(max(map(int, depths)), range(12, 20))

    def test_latencies(self):
        self.assertIn("@microseconds[fib, <string>]:", self.trace("latency.bt"))

    def test_imports(self):
        told = self.trace("imports.bt")
        self.assertEqual(len(re.findall(r"^ +\d+ us colorsys$", told, re.M)), 20, told)


if __name__ == "__main__":
    unittest.main()

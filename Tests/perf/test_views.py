"""Other ways to perf than recording a program from its start: attaching to one that runs,
containers, folded stacks, scripts, top."""
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from support import EXAMPLE, map_path, need_frame_pointers, perf_refusal
from test_jitdump import remove_traces

SERVER = """
import os, signal, sys, time
def switch_on(*args):
    sys.activate_stack_trampoline('perf')
    print('on', flush=True)
signal.signal(signal.SIGUSR2, switch_on)
def spin():
    total = 0
    for i in range(20_000):
        total += i * i
def handle():
    spin()
print('ready', os.getpid(), flush=True)
while os.getppid() == {parent} or not {parent}:
    handle()
"""
FOLD = """
perf report --stdio --no-children -s comm -g folded,0,caller,count -i "$0" |
    awk '/^[0-9]+ / { n = $1; sub(/^[0-9]+ /, ""); print $0, n }'
"""
NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def in_order(chain):
    """handle() calls spin(): is it so in this one, which begins with the innermost?"""
    names = [name.split(":")[2] for name in chain if name.startswith("py::")]
    return names[:2] == ["spin", "handle"]


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
@unittest.skipUnless(*need_frame_pointers())
class Attaching(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = os.path.join(folder.name, "data")

    @contextlib.contextmanager
    def server(self, *options, within=()):
        """Runs SERVER; (process, its PID as it knows it)."""
        code = SERVER.format(parent=0 if within else os.getpid())
        process = subprocess.Popen([*within, sys.executable, *options, "-c", code],
                                   stdout=subprocess.PIPE, text=True)
        try:
            yield process, int(process.stdout.readline().split()[1])
        finally:
            process.kill()
            process.wait(60)
            process.stdout.close()

    def record(self, pid):
        subprocess.run(["perf", "record", "-F", "999", "-g", "-p", str(pid), "-o", self.data,
                        "--", "sleep", "1"], capture_output=True, check=True, timeout=100,
                       stdin=subprocess.DEVNULL)

    def chains(self):
        text = subprocess.run(["perf", "script", "-i", self.data, "-F", "ip,sym"],
                              capture_output=True, text=True, timeout=100,
                              stdin=subprocess.DEVNULL).stdout
        return [[line.split(None, 1)[-1] for line in block.strip("\n").split("\n")]
                for block in text.split("\n\n") if block.strip()]

    def assert_shown(self):
        chains = self.chains()
        shown = sum(map(in_order, chains))
        self.assertGreater(shown, 10)
        self.assertGreater(shown, 0.9 * len(chains))

    def test_to_a_process_that_has_been_switched_on(self):
        with self.server() as (process, pid):
            process.send_signal(signal.SIGUSR2)
            self.assertEqual(process.stdout.readline(), "on\n")
            self.record(pid)
            self.addCleanup(remove_traces, self.data)
        self.assert_shown()

    def test_to_a_process_in_a_namespace_of_its_own(self):
        """While it lives perf finds its map by itself. Later the map needs the PID that it
        had for perf."""
        done = subprocess.run([*NAMESPACE, "true"], capture_output=True)
        if done.returncode:
            self.skipTest("no PID namespaces here")
        with self.server("-X", "perf", within=NAMESPACE) as (process, inside):
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as f:
                outside = int(f.read())
            self.assertNotEqual(inside, outside)
            self.record(outside)
            self.addCleanup(remove_traces, self.data)
            self.assert_shown()
        while os.path.exists(f"/proc/{outside}"):
            time.sleep(0.05)
        os.rename(map_path(inside), map_path(outside))
        self.assert_shown()

    def test_top(self):
        with self.server("-X", "perf") as (process, pid):
            top = subprocess.Popen(["perf", "top", "--stdio", "-d", "1", "-g", "-p", str(pid)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.DEVNULL)
            watchdog = subprocess.Popen(["sleep", "30"])
            try:
                shown = False
                while not shown and watchdog.poll() is None:
                    line = top.stdout.readline()
                    self.assertTrue(line, "perf top has ended")
                    shown = "py::spin:<string>" in line
                self.assertTrue(shown)
            finally:
                for each in top, watchdog:
                    each.kill()
                    each.wait(60)
                top.stdin.close()
                top.stdout.close()
                if os.path.exists(map_path(pid)):
                    os.unlink(map_path(pid))


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
@unittest.skipUnless(*need_frame_pointers())
class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.data = folder.name, os.path.join(folder.name, "data")
        subprocess.run(["perf", "record", "-F", "999", "-g", "-o", cls.data, "--",
                        sys.executable, "-X", "perf", EXAMPLE, "0.5"], check=True,
                       capture_output=True, timeout=100, stdin=subprocess.DEVNULL)
        cls.addClassCleanup(remove_traces, cls.data)

    def test_folded_stacks(self):
        """As the how-to makes them. By frame pointers a compiled function's first and last
        instructions hide its caller, as in C: some one in 20,000 of these samples."""
        text = subprocess.run(["sh", "-c", FOLD, self.data], capture_output=True, text=True,
                              timeout=100, check=True).stdout
        whole = ["baz"], ["baz", "bar"], ["baz", "bar", "foo"]
        without_caller = ["bar"], ["baz", "foo"]
        totals = dict.fromkeys(("baz", "bar", "foo"), 0)
        hidden = 0
        for line in text.splitlines():
            chain, count = line.rsplit(" ", 1)
            names = [name.split(":")[2] for name in chain.split(";") if name.startswith("py::")]
            # (site has a main(), too.)
            if names[:2] == ["<module>", "main"] and len(names) > 2 and "<frozen" not in chain:
                self.assertIn(names[2:], whole + without_caller)
                totals[names[-1]] += int(count)
                hidden += int(count) * (names[2:] in without_caller)
        self.assertGreater(min(totals.values()), 20, text)
        self.assertLessEqual(hidden, 2)

    def test_scripts_get_functions(self):
        script = os.path.join(self.folder, "count.py")
        with open(script, "w") as f:
            f.write(textwrap.dedent("""
                import collections
                count = collections.Counter()
                def process_event(event):
                    for entry in event["callchain"]:
                        name = entry.get("sym", {}).get("name", "")
                        if name.startswith("py::"):
                            count[name] += 1
                            break
                def trace_end():
                    print(dict(count))
                """))
        done = subprocess.run(["perf", "script", "-i", self.data, "-s", script],
                              capture_output=True, text=True, timeout=100)
        if "unsupported" in done.stderr:
            self.skipTest("perf has no Python")
        self.assertIn(f"py::foo:{EXAMPLE}", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()

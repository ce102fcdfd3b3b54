"""The timer engine in a process that runs already: attach and top where perf is refused. The
process takes samples of itself from then on, and is afterwards as it was."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from springprof import attach_process, machine, mailbox, recording
from springprof.errors import PerfRefused, Problem
from springprof.perf_engine import PerfEngine
from support import (AS_USER, READY, SERVER, SPIN, environment, file, own_and_total, refusal,
                     remove_map, springprof, tolerance)
from test_doctor import FILTER, PERF_EVENT_OPEN, ROOT, can_unshare

LONG = "records many times"

WITHOUT = ("SPRINGBOARD_EMULATOR" in os.environ or not mailbox.can_read_itself()
           or machine.check_frame_pointers().state == machine.BAD)
NO_PERF = environment(PATH="/nowhere")


@unittest.skipIf(WITHOUT, "processes can't be reached here")
class Case(unittest.TestCase):
    seconds = "0.5"

    def start(self, code=SERVER + READY, *, prefix=(), options=(), env=None):
        process = subprocess.Popen([*prefix, sys.executable, *options, "-c", code],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env=env or environment())
        remove_map(process.pid)     # of an earlier process that had this number
        self.addCleanup(self.finish, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def finish(self, process):
        process.kill()
        process.communicate()
        self.assertFalse(os.path.exists(f"/tmp/perf-{process.pid}.map"))

    def attach(self, pid, *options, check=True, **how):
        self.output = file("attached.springprof")
        done = springprof("attach", "-o", self.output, "-d", self.seconds, *options, str(pid),
                          check=check, **how)
        self.said = done.stderr
        return recording.read(self.output) if done.returncode == 0 else None

    def is_as_before(self, process, threads):
        state = mailbox.Mailbox(process.pid).read()
        self.assertEqual((state.what, state.by, state.sampling), ("off", 0, 0))
        end = time.monotonic() + 20
        while len(os.listdir(f"/proc/{process.pid}/task")) > threads:
            self.assertLess(time.monotonic(), end, "a thread of ours stays")
            time.sleep(0.02)
        with open(f"/proc/{process.pid}/maps", encoding="utf-8") as maps:
            self.assertNotIn(".samples", maps.read())
        with open(f"/proc/{process.pid}/timers", encoding="utf-8") as timers:
            self.assertEqual(timers.read(), "")
        self.assertIsNone(process.poll())


class Shares(Case):
    ALONE = "counts samples"
    seconds = "1.5"

    def test_where_the_time_goes(self):
        process = self.start()
        for _ in range(2):
            result = self.attach(process.pid, "--engine=timer")
            shares = own_and_total(result)
            self.assertGreater(shares["spin"][0], 0.8)
            one, three = shares["one"][1], shares["three"][1]
            self.assertAlmostEqual(one / (one + three), 0.25, delta=tolerance(0.25, result))
            # Whole from the start: this thread ran before.
            self.assertGreater(shares["Thread._bootstrap"][1], 0.98)
            self.assertEqual((result.meta["engine"], result.meta["lost"]), ("timer", 0))
            self.is_as_before(process, 3)

    def test_threads_that_block_all_signals(self):
        process = self.start(SERVER + textwrap.dedent("""
            import signal
            def blocks():
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
                print("ready", flush=True)
                serve()
            threading.Thread(target=blocks, daemon=True).start()
            sys.stdin.read()
            """))
        for options in ("--engine=timer",), ("--wall",), ("--engine=timer",):
            result = self.attach(process.pid, *options)
            shares = own_and_total(result)
            self.assertGreater(shares["blocks"][1] / shares["serve"][1], 0.3, shares)
            self.is_as_before(process, 4)

    def test_wall(self):
        process = self.start()
        result = self.attach(process.pid, "--wall")
        totals = {name: total * result.total / 1e9
                  for name, (_, total) in own_and_total(result).items()}
        self.assertAlmostEqual(totals["sleeper"], 1.5, delta=0.7)
        self.assertAlmostEqual(totals["serve"], 1.5, delta=0.7)
        # It sleeps all the time, and is not woken.
        stack, = {tuple(frame.name for frame in result.stack(node)[1:]
                        if frame.kind == recording.PYTHON) for node in result.nodes
                  if "sleeper" in [frame.name for frame in result.stack(node)]}
        self.assertEqual(stack, ("sleeper", "Thread.run", "Thread._bootstrap_inner",
                                 "Thread._bootstrap"))
        self.assertAlmostEqual(totals["<module>"], 1.5, delta=0.7)
        self.is_as_before(process, 3)


class Attach(Case):
    def test_gil(self):
        result = self.attach(self.start().pid, "--mode=gil")
        out = springprof("report", "--text", self.output).stdout
        self.assertRegex(out, r"holds the GIL +waits for it +thread")
        self.assertEqual(result.meta["mode"], "gil")

    def test_children(self):
        process = self.start(SERVER + textwrap.dedent("""
            def before(): serve()
            def later(): serve()
            if not os.fork(): before()
            time.sleep(0.2)
            print("ready", flush=True)
            while not sys.is_stack_trampoline_active(): pass
            if not os.fork(): later()
            sys.stdin.read()
            """))
        result = self.attach(process.pid, "--engine=timer", "-d", "2.5")
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
            pids = [int(pid) for pid in children.read().split()]
        for pid in pids:
            self.addCleanup(os.kill, pid, signal.SIGKILL)
        shares = own_and_total(result)
        self.assertGreater(shares["before"][1], 0.1)
        self.assertGreater(shares["later"][1], 0.1)
        for pid in pids:
            end = time.monotonic() + 20
            while mailbox.Mailbox(pid).read().sampling:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)
            self.assertFalse(os.path.exists(f"/tmp/perf-{pid}.map"))

    def test_where_perf_is_not_installed(self):
        process = self.start()
        self.attach(process.pid, env=NO_PERF)
        self.assertIn("note: recorded by the timer engine, since perf can't: perf is not "
                      "installed", self.said)
        self.attach(process.pid, "--engine=perf", check=False, env=NO_PERF)
        self.assertIn("perf is not installed", self.said)

    @unittest.skipUnless(PERF_EVENT_OPEN, "a machine whose system calls the test doesn't know")
    def test_where_perf_is_refused(self):
        process = self.start()
        result = self.attach(process.pid, prefix=[sys.executable, file("filter.py", FILTER),
                                                  PERF_EVENT_OPEN])
        self.assertIn("recorded by the timer engine, since perf can't: perf", self.said)
        self.assertIn("three", own_and_total(result))

    @unittest.skipUnless(*ROOT)
    def test_a_process_of_another_user_by_root(self):
        process = self.start(prefix=AS_USER)
        self.assertIn("three", own_and_total(self.attach(process.pid, "--engine=timer")))
        self.is_as_before(process, 3)

    @unittest.skipUnless(*ROOT)
    def test_workers_of_another_user(self):
        """As a server has them that root starts."""
        process = self.start(SPIN + textwrap.dedent("""
            import os, sys, time
            def worker():
                os.setgid(65534)
                os.setuid(65534)
                while True: spin(2000)
            if not os.fork(): worker()
            time.sleep(0.3)
            print("ready", flush=True)
            while True: time.sleep(0.05)
            """))
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
            self.addCleanup(os.kill, int(children.read()), signal.SIGKILL)
        result = self.attach(process.pid, "--engine=timer", "-d", "1")
        self.assertNotIn("denied", self.said)
        self.assertGreater(own_and_total(result)["worker"][1], 0.8)

    @unittest.skipUnless(*ROOT)
    def test_as_an_ordinary_user(self):
        process = self.start(prefix=AS_USER)
        with tempfile.TemporaryDirectory(prefix="springprof-test-") as folder:
            os.chmod(folder, 0o777)
            output = os.path.join(folder, "out")
            done = springprof("attach", "--engine=timer", "-d", "0.5", "-o", output,
                              str(process.pid), prefix=AS_USER, check=False)
            if "ptrace_scope" in done.stderr:
                self.skipTest("Yama is in force")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("three", own_and_total(recording.read(output)))

    @unittest.skipUnless(can_unshare("--pid", "--fork", "--mount-proc"), "no namespaces here")
    def test_a_container(self):
        # Another number, and another /tmp.
        outer = self.start(prefix=("unshare", "--pid", "--fork", "--mount-proc", "sh", "-c",
                                   'mount -t tmpfs none /tmp && exec "$@"', "sh"))
        with open(f"/proc/{outer.pid}/task/{outer.pid}/children") as children:
            child = int(children.read())
        self.addCleanup(os.kill, child, signal.SIGKILL)
        result = self.attach(child, "--engine=timer")
        shares = own_and_total(result)
        self.assertGreater(shares["serve"][1], 0.9)
        self.assertTrue([frame for frame in result.frames if frame.name.startswith("_Py")])
        self.assertEqual(os.listdir(f"/proc/{child}/root/tmp"), [])

    def test_it_ends_meanwhile(self):
        process = self.start()
        process.send_signal(signal.SIGCONT)
        tool = subprocess.Popen([sys.executable, "-m", "springprof", "attach", "--engine=timer",
                                 "-o", file("ended.springprof"), str(process.pid)], text=True,
                                stderr=subprocess.PIPE, env=environment())
        self.assertIn("recording", tool.stderr.readline())
        time.sleep(0.7)
        process.kill()
        _, said = tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, 0, said)
        self.assertIn("three", own_and_total(recording.read(file("ended.springprof"))))

    def test_a_program_that_samples_itself(self):
        process = subprocess.Popen([sys.executable, "-m", "springprof", "record",
                                    "--engine=timer", "-o", file("own.springprof"), "--", "-c",
                                    SERVER + READY], env=environment(), text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "ready\n")
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
            pid = int(children.read().split()[0])
        self.attach(pid, "--engine=timer", check=False)
        self.assertIn("takes samples of itself already", self.said)
        _, said = process.communicate("")
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("three", own_and_total(recording.read(file("own.springprof"))))


@unittest.skipIf(refusal(), str(refusal()))
class ThreadsThatEndWhilePerfBegins(Case):
    def test_perf_begins_again(self):
        """perf gives up, with a warning at most, if a thread has ended between its two looks. Here,
        a program of its name does so twice."""
        perf, times = file("perf"), file("times", "")
        file("perf", textwrap.dedent(f"""\
            #!/bin/sh
            if [ "$1" = record ] && [ $(wc -l <{times}) -lt 2 ]; then
                echo x >>{times}
                [ $(wc -l <{times}) = 1 ] || echo "WARNING: Ignored open failure for pid 9" >&2
                exit 255
            fi
            exec {shutil.which("perf")} "$@"
            """))
        os.chmod(perf, 0o755)
        self.addCleanup(os.unlink, perf)
        process = self.start()
        result = self.attach(process.pid, "--engine=perf",
                             env=environment(PATH=f"{os.path.dirname(perf)}:{os.environ['PATH']}"))
        self.assertIn("three", own_and_total(result))
        with open(times, encoding="utf-8") as lines:
            self.assertEqual(lines.read(), "x\nx\n")


@unittest.skipIf(refusal(), str(refusal()))
class ForksWhilePerfBegins(Case):
    """A server forks a worker for each line of its input, and ends that one at "end"."""

    def attach_to(self, before_perf):
        """A recording; before perf begins, before_perf() is called."""
        self.process = self.start(SERVER + textwrap.dedent("""
            def worker():
                if "nap" not in line: serve()
                while True: time.sleep(0.01)
            print("ready", flush=True)
            for line in sys.stdin:
                if "end" in line:
                    os.kill(pid, 9)
                    os.wait()
                else:
                    pid = os.fork()
                    if not pid: worker()
                print(pid, flush=True)
            """))
        self.workers, self.begun = [], 0

        class Engine(PerfEngine):
            def begin(engine, folder, pids):
                self.begun += 1
                before_perf()
                super().begin(folder, pids)

        return attach_process.attach_process(self.process.pid,
                                             Engine(lines=True, frequency=999), seconds=0.5,
                                             patience=20, say=lambda: None)

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def fork(self, line=""):
        """Before perf looks at its parent, so that perf doesn't see it."""
        worker = self.tell(line)
        self.workers.append(worker)
        # It has the pipes, too.
        self.addCleanup(lambda: worker in self.workers and os.kill(worker, signal.SIGKILL))
        self.wait_until(lambda: os.path.exists(f"/tmp/perf-{worker}.map"))

    def wait_until(self, true):
        end = time.monotonic() + 60
        while not true():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def nothing_is_left(self):
        for worker in self.workers:
            self.wait_until(lambda: mailbox.Mailbox(worker).read().what == "off")
            self.assertFalse(os.path.exists(f"/tmp/perf-{worker}.map"))

    def test_once(self):
        result = self.attach_to(lambda: self.workers or self.fork())
        self.assertGreater(own_and_total(result)["worker"][1], 0.1)
        self.assertIn(self.workers[0], {thread["pid"] for thread in result.threads})
        self.assertFalse([note for note in result.meta["notes"] if "not in it" in note])
        self.nothing_is_left()

    def test_each_time(self):
        result = self.attach_to(lambda: self.fork("nap"))
        self.assertEqual(self.begun, attach_process.BEGINNINGS)
        self.assertIn("were forked while the recording began, and are not in it: processes "
                      f"{self.workers[-1]}", result.meta["notes"])
        self.nothing_is_left()

    def test_one_has_ended(self):
        def before():
            if self.begun == 1:
                self.fork()
            elif self.begun == 2:
                self.tell("end")
                self.ended = self.workers.pop()
        result = self.attach_to(before)
        self.assertEqual(self.begun, 3)
        self.assertIn("three", own_and_total(result))
        self.assertFalse(os.path.exists(f"/tmp/perf-{self.ended}.map"))

    def test_perf_is_refused(self):
        with self.assertRaisesRegex(Problem, "No such process"):
            self.attach_to(lambda: self.workers or self.fork() or self.impossible())
        self.assertEqual(mailbox.Mailbox(self.process.pid).read().what, "off")
        self.nothing_is_left()

    def impossible(self):
        raise PerfRefused("No such process")


class Mailbox(Case):
    def samples(self, process, lease=10, clock="cpu", folder=None):
        folder = folder or tempfile.mkdtemp(prefix="samples", dir=os.path.dirname(file("x")))
        return mailbox.Mailbox(process.pid).post(mailbox.SAMPLES, lease=lease,
                                                 text=f"997:{clock}:{folder}")

    def remove_map(self, process):
        path = f"/tmp/perf-{process.pid}.map"
        if os.path.exists(path):
            os.unlink(path)

    def test_the_tool_is_killed(self):
        process = self.start()
        for clock in "cpu", "wall":
            state = self.samples(process, 0.3, clock)
            self.assertEqual(state.sampling, 997)
            end = time.monotonic() + 20
            while mailbox.Mailbox(process.pid).read().sampling:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)
            self.is_as_before(process, 3)
        # And again, by one that comes before the lease has run out.
        self.samples(process)
        self.samples(process)
        status = springprof("status", str(process.pid)).stdout
        self.assertIn("by springprof; takes 997 samples a second", status)
        mailbox.Mailbox(process.pid).post(mailbox.OFF)
        self.is_as_before(process, 3)
        self.remove_map(process)

    def test_what_it_can_not_do(self):
        process = self.start()
        with self.assertRaisesRegex(Problem, "/nowhere: No such file or directory"):
            self.samples(process, folder="/nowhere")
        self.is_as_before(process, 3)
        with self.assertRaisesRegex(Problem, "set TMPDIR to a short path"):
            self.samples(process, folder="/" + "long" * 50)
        self.remove_map(process)

    def test_a_signal_that_the_program_uses_is_left_alone(self):
        process = self.start(SERVER + textwrap.dedent("""
            import signal
            mine = []
            signal.signal(signal.SIGRTMAX - 3, lambda number, frame: mine.append(number))
            print("ready", flush=True)
            sys.stdin.readline()
            signal.raise_signal(signal.SIGRTMAX - 3)
            print(len(mine), flush=True)
            sys.stdin.read()
            """))
        self.assertIn("three", own_and_total(self.attach(process.pid, "--engine=timer")))
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "1\n")

    def test_threads_that_end_and_begin(self):
        process = self.start(SERVER + textwrap.dedent("""
            def short(): spin(3000)
            def starter():
                while True:
                    threads = [threading.Thread(target=short) for _ in range(10)]
                    for thread in threads: thread.start()
                    for thread in threads: thread.join()
            threading.Thread(target=starter, daemon=True).start()
            """) + READY)
        for n in range(30):
            self.samples(process, clock=("cpu", "wall")[n % 2])
            time.sleep(0.02)
            mailbox.Mailbox(process.pid).post(mailbox.OFF)
        self.assertIsNone(process.poll())
        self.remove_map(process)


class Top(Case):
    def table(self, *options, **how):
        process = self.start()
        done = springprof("top", "--once", "-i", "1", *options, str(process.pid), **how)
        total = {name: float(share) for share, name in
                 re.findall(r"(?m)^ *[\d.]+% +([\d.]+)%  (\w+)  ", done.stdout)}
        self.assertIn("timer engine: no kernel frames", done.stdout)
        self.assertGreater(total["serve"], 80, done.stdout)
        self.assertGreater(total["three"], total["one"])
        self.is_as_before(process, 3)

    def test_one_table(self):
        self.table("--engine=timer")

    def test_where_perf_is_not_installed(self):
        self.table(env=NO_PERF)


if __name__ == "__main__":
    unittest.main()

"""The timer engine: recordings without perf are as right as perf's, and a program that is sampled
does what it does otherwise."""
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import unittest

from springprof import elf, engines, machine, perf, recording, samples, symbols, timer
from springprof.errors import Problem
from support import (SPIN, environment, file, folder, left_behind, own_and_total, refusal,
                     shares_file, springprof)
from test_doctor import FILTER, PERF_EVENT_OPEN
import test_record

LONG = "records many times"

HERE = os.path.dirname(os.path.abspath(__file__))
COMPUTES = {"deep", "through_c", "chained", "numbers", "raiser", "Node.count"}
LOAD = os.path.join(HERE, "timer_load.py")
WITHOUT = ("SPRINGBOARD_EMULATOR" in os.environ
           or machine.check_frame_pointers().state == machine.BAD)


def stacks(result):
    for node, weight in zip(result.nodes, result.weights):
        yield [frame.name for frame in result.stack(node)], weight


class LibrariesThatCompiledCodeCallsByTimer(test_record.LibrariesThatCompiledCodeCalls):
    __unittest_skip__ = WITHOUT
    engine = "timer"


class SharesByTimer(test_record.Shares):
    __unittest_skip__ = WITHOUT
    record = "--engine=timer",

    def test_event(self):
        meta = recording.read(shares_file(*self.options, record=self.record)[0]).meta
        self.assertEqual((meta["event"], meta["kernel"], meta["engine"], meta["lost"]),
                         ("cpu-timer", False, "timer", 0))


class SharesOfCompiledCodeByTimer(SharesByTimer):
    options = "-X", "jit=1"


class Recorded(unittest.TestCase):
    def record(self, *program, options=("--engine=timer",), **more):
        self.output = file("timer.springprof")
        return springprof("record", *options, "-o", self.output, "--", *program, check=False,
                          **more)

    def result(self, *program, **more):
        done = self.record(*program, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.said = done.stderr
        return recording.read(self.output)


@unittest.skipIf(WITHOUT, "no stacks to follow")
class Program(Recorded):
    def test_no_kernel_is_said(self):
        result = self.result("-c", SPIN + "spin(30_000_000)")
        self.assertIn("note: the kernel's frames are not there", self.said)
        self.assertFalse([f for f in result.frames if f.kind == recording.KERNEL])

    def test_exit_code_and_streams_are_the_programs(self):
        done = self.record("-c", "import sys; print(input()); sys.exit(7)", input="hello\n")
        self.assertEqual((done.returncode, done.stdout), (7, "hello\n"))
        done = self.record("-c", SPIN + "spin(90_000_000)\nimport os; os.kill(os.getpid(), 9)")
        self.assertEqual(done.returncode, -signal.SIGKILL)
        # What a signal has ended is recorded up to there.
        self.assertGreater(own_and_total(recording.read(self.output))["spin"][0], 0.3)

    def test_children_and_their_threads(self):
        result = self.result(file("timer_family.py", SPIN + textwrap.dedent("""
            import os, subprocess, sys, threading
            def in_fork(): spin(12_000_000)
            def in_thread(): spin(12_000_000)
            def here(): spin(12_000_000)
            if not os.fork():
                in_fork()
                thread = threading.Thread(target=in_thread)
                thread.start()
                thread.join()
                os._exit(0)
            here()
            os.wait()
            code = "def in_exec(n):\\n for i in range(n): pass\\nin_exec(12_000_000)"
            subprocess.run([sys.executable, "-c", code])
            """)))
        places = {}
        for node, thread in zip(result.nodes, result.sample_threads):
            for frame in result.stack(node):
                if frame.is_python:
                    facts = result.threads[thread]
                    places.setdefault(frame.name, set()).add((facts["pid"], facts["tid"]))
        (here,), (in_fork,), (in_thread,), (in_exec,) = (
            places[name] for name in ("here", "in_fork", "in_thread", "in_exec"))
        self.assertEqual(in_fork[0], in_thread[0])
        self.assertNotEqual(in_fork, in_thread)
        self.assertEqual(len({here[0], in_fork[0], in_exec[0]}), 3)
        parents = {entry["pid"]: entry["parent"] for entry in result.meta["processes"]}
        self.assertEqual([parents[in_fork[0]], parents[in_exec[0]]], [here[0]] * 2)

    def test_deep_recursion_is_whole(self):
        result = self.result("-X", "jit=0", "-c", SPIN + textwrap.dedent("""
            import sys
            sys.setrecursionlimit(3000)
            def deep(n):
                if n: return deep(n - 1)
                spin(20_000_000)
            deep(700)"""))
        depths = {names.count("deep") for names, _ in stacks(result) if "spin" in names}
        self.assertEqual(depths, {701})

    def test_generators_and_callbacks_of_c(self):
        result = self.result("-c", SPIN + textwrap.dedent("""
            def produce():
                for _ in range(300):
                    spin(400_000)
                    yield 1
            def consume(): return sorted(produce(), key=lambda x: spin(400_000) or x)
            consume()"""))
        spinning = [[n for n in names if n in ("spin", "produce", "consume.<locals>.<lambda>",
                                               "<lambda>", "consume", "<module>")]
                    for names, _ in stacks(result) if "spin" in names]
        self.assertGreater(len(spinning), 20)
        callers = {tuple(names[:3]) for names in spinning}
        self.assertTrue(all(names[2] == "consume" for names in callers), callers)
        self.assertEqual(len({names[1] for names in callers}), 2, callers)

    def test_code_without_frame_pointers_keeps_its_callers(self):
        probe = subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True)
        if probe.returncode:
            self.skipTest("numpy is not installed")
        for jit in "0", "1":
            result = self.result("-X", f"jit={jit}", file("timer_numpy.py", textwrap.dedent("""
                import numpy, time
                matrix = numpy.random.rand(200, 200)
                def multiply(n):
                    for _ in range(n): matrix.dot(matrix)
                def outer():
                    end = time.thread_time() + 1
                    while time.thread_time() < end: multiply(5)
                outer()
                """)), env=environment(OPENBLAS_NUM_THREADS="1"))
            whole = inner = 0
            for node, weight in zip(result.nodes, result.weights):
                stack = result.stack(node)
                names = [frame.name for frame in stack]
                if "blas" in stack[0].dso and "outer" in names:
                    whole += weight
                    inner += weight * (names.index("outer") > 0 and "multiply" in names)
            self.assertGreater(whole, 4e8)
            self.assertGreater(inner / whole, 0.99)

    def test_threads_of_libraries_are_counted(self):
        source = file("spinner.c", textwrap.dedent("""\
            #include <pthread.h>
            #include <time.h>
            __attribute__((noinline)) void work_of_library(void)
            {
                struct timespec t;
                do {
                    for (volatile int i = 0; i < 100000; i++) {}
                    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
                } while (t.tv_sec < 1);
            }
            static void *run(void *unused) { work_of_library(); return unused; }
            void start(void)
            {
                pthread_t thread;
                pthread_create(&thread, 0, run, 0);
                pthread_join(thread, 0);
            }
            """))
        library = file("libspinner.so")
        try:
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-lpthread"],
                           check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no C compiler")
        result = self.result("-c", SPIN + textwrap.dedent(f"""
            import ctypes, threading
            library = ctypes.CDLL({library!r})
            threading.Thread(target=spin, args=(30_000_000,)).start()
            library.start()"""))
        time = sum(weight for names, weight in stacks(result) if names[0] == "work_of_library")
        self.assertGreater(time, 6e8)

    def test_threads_that_live_for_less_than_a_tick(self):
        result = self.result("-c", SPIN + textwrap.dedent("""
            import threading, time
            def spend(seconds):
                end = time.thread_time() + seconds
                while time.thread_time() < end: spin(100)
            def brief(): spend(0.001)
            def main():
                for _ in range(1000):
                    thread = threading.Thread(target=brief)
                    thread.start()
                    thread.join()
            main()
            spend(1)"""))
        brief = sum(weight for names, weight in stacks(result) if "brief" in names)
        self.assertGreater(brief, 0.3e9, self.said)
        self.assertLess(brief, 1.5e9, self.said)

    def test_descriptors_and_user_of_the_program_do_not_matter(self):
        result = self.result("-c", SPIN + textwrap.dedent("""
            import os
            os.closerange(3, 100)
            file = open("/dev/null")
            if os.getuid() == 0: os.setuid(65534)
            def later(): spin(20_000_000)
            later()
            assert file.read() == "" """))
        self.assertIn("later", own_and_total(result))

    def test_nothing_is_left_behind(self):
        self.assertEqual(left_behind(self.record), [])

    def test_not_for_other_programs(self):
        done = self.record("/bin/true")
        self.assertIn("the interpreter has recorded nothing", done.stderr)

    def test_without_perf_it_is_chosen(self):
        done = self.record("-c", SPIN + "spin(30_000_000)", options=(),
                           env=environment(PATH="/nowhere"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: recorded by the timer engine, since perf can't: perf is not "
                      "installed", done.stderr)
        self.assertEqual(recording.read(self.output).meta["engine"], "timer")
        done = self.record("-c", "print(1)", options=("--engine=perf",),
                           env=environment(PATH="/nowhere"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    @unittest.skipIf(refusal(), str(refusal()))
    @unittest.skipUnless(PERF_EVENT_OPEN, "a machine whose system calls the test doesn't know")
    def test_in_a_container_it_is_chosen(self):
        done = self.record("-c", SPIN + "spin(30_000_000)", options=(),
                           prefix=[sys.executable, file("filter.py", FILTER), PERF_EVENT_OPEN])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("since perf can't: perf_event_open", done.stderr)
        self.assertIn("spin", own_and_total(recording.read(self.output)))

    def test_what_needs_perf(self):
        for options in (("-e", "cycles"), ("--perf-data", file("x.data"))):
            done = self.record("-c", "print(1)", options=("--engine=timer", *options))
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("needs perf", done.stderr)

    def test_diff_refuses_another_engine(self):
        if refusal():
            self.skipTest(refusal())
        self.result("-c", SPIN + "spin(30_000_000)")
        other = file("by_perf.springprof")
        springprof("record", "-o", other, "--", "-c", SPIN + "spin(30_000_000)")
        done = springprof("diff", "--text", self.output, other, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("were recorded differently", done.stderr)


@unittest.skipIf(WITHOUT, "no stacks to follow")
class Load(Recorded):
    ALONE = "keeps all processors busy"

    def test_under_load(self):
        for options in (["-X", "jit=0"], ["-X", "jit=1"], []):
            stress = {} if options else {"SPRINGBOARD_JIT": "stress:7"}
            done = self.record(*options, LOAD, "6", options=("--engine=timer", "-F", "9999"),
                               env=environment(**stress))
            self.assertEqual((done.returncode, done.stdout), (0, "fine\n"), done.stderr)
            result = recording.read(self.output)
            self.assertEqual(result.meta["lost"], 0)
            # Samples are counted: one that comes late stands for all that it missed.
            computed = [names for names, _ in stacks(result) if not COMPUTES.isdisjoint(names)]
            cut = [names for names in computed
                   if "<module>" not in names and "Thread._bootstrap" not in names]
            self.assertGreater(len(computed), 0, own_and_total(result))
            self.assertLess(len(cut) / len(computed), 0.005,
                            [(len(names), names[:9], names[-3:]) for names in cut[:5]])


WALL = """\
import os, select, threading, time
END = time.monotonic() + 2

def hog():
    while time.monotonic() < END: pass

def sleeper():
    while time.monotonic() < END: time.sleep(0.4)

def turns():
    while time.monotonic() < END:
        short()
        long()

def short(): time.sleep(0.01)

def long(): time.sleep(0.04)

def blocked(read): os.read(read, 1)

read, write = os.pipe()
threads = [threading.Thread(target=target, args=args)
           for target, *args in ((sleeper,), (turns,), (blocked, read))]
for thread in threads: thread.start()
if %s: hog()
else: time.sleep(2)
os.write(write, b"x")
for thread in threads: thread.join()
"""


@unittest.skipIf(WITHOUT, "no stacks to follow")
class TimeOffTheProcessor(Recorded):
    ALONE = "measures time"

    def totals(self, result):
        return {name: total * result.total / 1e9
                for name, (_, total) in own_and_total(result).items()}

    def test_sleeping_and_waiting_have_their_time(self):
        result = self.result(file("wall.py", WALL % 0), options=("--wall",))
        meta = result.meta
        self.assertEqual((meta["mode"], meta["event"], meta["engine"]),
                         ("wall", "wall-clock", "timer"))
        self.assertIn("s of time of all threads in", self.said)
        totals = self.totals(result)
        for name in "sleeper", "turns", "blocked":
            self.assertAlmostEqual(totals[name], 2.2, delta=0.8)
        self.assertAlmostEqual(totals["short"] / totals["turns"], 0.2, delta=0.15)
        self.assertAlmostEqual(result.total / 1e9, 4 * meta["seconds"], delta=3)
        leaves = {(frames[0].name, frames[1].name) for frames in
                  (result.stack(node) for node in result.nodes) if len(frames) > 1}
        self.assertTrue([name for name, _ in leaves if "nanosleep" in name], leaves)

    def test_sleepers_are_not_interrupted(self):
        if not shutil.which("strace"):
            self.skipTest("strace is not installed")
        log = file("wall.strace")
        done = self.record("strace", "-f", "-e", "trace=clock_nanosleep,tgkill", "-o", log,
                           sys.executable, "-X", "perf", "-c", "import time; time.sleep(1.5)",
                           options=("--wall",))
        if done.returncode:
            self.skipTest("strace is not allowed")
        with open(log, encoding="utf-8") as file_:
            text = file_.read()
        self.assertNotIn("ERESTART", text.split("clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABS")[-1])
        self.assertLess(text.count("tgkill("), 150)

    def test_who_holds_the_gil_and_who_waits(self):
        result = self.result(file("gil.py", WALL % 1), options=("--mode=gil",))
        holds, waits = {}, {}
        for names, weight in stacks(result):
            place = {"[holds the GIL]": holds, "[waits for the GIL]": waits}[names[-1]]
            for name in set(names):
                place[name] = place.get(name, 0) + weight / 1e9
        self.assertGreater(holds["hog"], 1)
        self.assertLess(waits.get("hog", 0), holds["hog"] / 2)
        self.assertGreater(waits["turns"], 0.1)
        self.assertLess(holds.get("turns", 0), holds["hog"] / 3)
        # Sleeping is neither. On a busy machine those who hold it make the others wait.
        self.assertLess(waits.get("sleeper", 0) + holds.get("sleeper", 0), 1)
        self.assertLess(waits.get("blocked", 0) + holds.get("blocked", 0), 0.5)
        out = springprof("report", "--text", self.output).stdout
        self.assertRegex(out, r"holds the GIL +waits for it +thread\n +[12]\.\d\ds +0\.\d\ds ")

    def test_wall_under_load(self):
        for options, stress in ((["-X", "jit=1"], {}), ([], {"SPRINGBOARD_JIT": "stress:7"})):
            done = self.record(*options, LOAD, "2", options=("--wall", "-F", "2000"),
                               env=environment(**stress))
            self.assertEqual((done.returncode, done.stdout), (0, "fine\n"), done.stderr)
            result = recording.read(self.output)
            self.assertEqual(result.meta["lost"], 0)
            self.assertGreater(self.totals(result)["wait"], 1)
            # Two seconds of load, not as long as threads keep each other from running.
            self.assertLess(result.meta["seconds"], 8)


class Choice(unittest.TestCase):
    def test_by_what_perf_may(self):
        before = machine.paranoid_level, machine.may_see_all, machine.check_perf
        self.addCleanup(lambda: [setattr(machine, name, value) for name, value in zip(
            ("paranoid_level", "may_see_all", "check_perf"), before)])
        machine.paranoid_level, machine.may_see_all = lambda: 3, lambda: False
        machine.check_perf = lambda: machine.Finding("perf", machine.GOOD, "", "")
        by_timer, note = engines.choose("auto", "cpu", perf.EVENT, None)
        self.assertTrue(by_timer)
        self.assertIn("kernel.perf_event_paranoid is 3", note)
        self.assertEqual(engines.choose("perf", "cpu", perf.EVENT, None), (False, None))
        self.assertEqual(engines.choose("auto", "cpu", "cycles", None), (False, None))
        with self.assertRaises(Problem):
            engines.choose("perf", "wall", perf.EVENT, None)


class Files(unittest.TestCase):
    def test_what_a_killed_process_leaves_is_read(self):
        def stack(flags, shared, *addresses):
            body = (7).to_bytes(8, "little") + shared.to_bytes(4, "little") \
                + len(addresses).to_bytes(4, "little") \
                + b"".join(a.to_bytes(8, "little") for a in addresses)
            return samples.RECORD.pack(samples.RECORD.size + len(body), samples.STACK, flags, 5,
                                       6, 100) + body
        found = samples.Samples()
        found._read(stack(1, 0, 1, 2, 3) + bytes(40) + stack(0, 0, 9) + stack(1, 2, 4)
                    + stack(1, 1, 5)[:-8], {})
        self.assertEqual([entry.addresses for entry in found.stacks], [(1, 2, 3), (4, 2, 3)])

    def test_what_frame_pointers_pass_over(self):
        # compiled() at 100 to 200 and other() at 300 to 400; 500 and 600 are calls elsewhere.
        path = file("perf-5.map", "64 64 py::compiled:a.py:1\n12c 64 py::other:b.py:1\n")
        for evidence, passed, expected in (
                ((150, 600), 160, ["compiled"]),    # interrupted itself
                ((7, 160, 600), 161, ["compiled"]),
                ((7, 150, 500), 160, ["compiled"]), # nobody has seen what is called from there
                ((7, 700, 600), 160, []),           # C is called from there
                ((350, 600), 160, ["compiled"]),    # another is
                ((350, 600), 360, ["other"])):
            found = samples.Samples()
            found.parents = {5: 1}
            for n, stack in enumerate((evidence, (7, passed | samples.MAYBE, 600))):
                found.stacks.append(samples.Stack(5, 5, n, 1000, 0, stack))
            result = timer.symbolise(found, lines=True, mode="cpu", meta={"notes": []},
                                     maps=symbols.Maps(os.path.dirname(path))).recording
            self.assertEqual([frame.name for frame in result.stack(result.nodes[1])
                              if frame.is_python], expected)

    def test_few_samples_with_most_of_the_weight_are_noted(self):
        for heavy, noted in ((1_000_000, 0), (300_000_000, 1)):
            found = samples.Samples()
            found.stacks = [samples.Stack(5, 6, n, 1_000_000, 0, ()) for n in range(99)]
            found.stacks.append(samples.Stack(5, 6, 99, heavy, 0, ()))
            found.parents = {5: 1}
            result = timer.symbolise(found, lines=True, mode="cpu", meta={"notes": []}).recording
            notes = [note for note in result.meta["notes"] if "the machine was busy" in note]
            self.assertEqual(len(notes), noted)
        self.assertRegex(notes[0], "100 samples tell no more than 2 of")

    def test_symbols(self):
        path = os.path.realpath(sys.executable)
        this = elf.File(path)
        if not this.has_table:
            self.skipTest("the interpreter is stripped")
        listed = subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True)
        wanted = {int(address, 16): name for address, kind, name in
                  (line.split() for line in listed.stdout.split("\n") if line.count(" ") == 2)
                  if name in ("Py_BytesMain", "PyList_Append", "PyDict_GetItem")}
        self.assertEqual(len(wanted), 3)
        for address, name in wanted.items():
            offset = next(address - start + offset for offset, size, start in this.segments
                          if start <= address < start + size)
            self.assertEqual((this.name(offset), this.name(offset + 2)), (name, name))
        self.assertIsNone(this.name(1 << 40))
        self.assertIsNone(elf.File(os.path.join(folder(), "not-there")).name(0))
        self.assertIsNone(elf.File(__file__).name(0))


if __name__ == "__main__":
    unittest.main()

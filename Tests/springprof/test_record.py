"""Recording: the right program from its first instruction, its exit code, where its time went."""
import gzip
import os
import re
import resource
import signal
import subprocess
import sys
import textwrap
import time
import unittest

from springprof import recording, tables
from springprof.record_program import default_output
from support import (AS_USER, LINES, SHARES, SPIN, environment, file, folder, left_behind,
                     own_and_total, refusal, shares, shares_file, springprof, tolerance)

LONG = "records many times"


@unittest.skipIf(refusal(), str(refusal()))
class LibrariesThatCompiledCodeCalls(unittest.TestCase):
    engine = "perf"

    def test_their_time_is_their_callers(self):
        # libm has no frame pointers, so these lead from pow() to the caller of slow().
        program = file("powers.py", textwrap.dedent("""
            import time
            def slow(n):
                t = 0.0
                for i in range(n):
                    t += (i * 0.5) ** 0.5
                return t
            def work():
                slow(20000)
            def main():
                end = time.thread_time() + 0.8
                while time.thread_time() < end:
                    work()
            main()
            """))
        output = file("powers.springprof")
        for jit in "1", "0":
            for _ in range(3):          # the timer engine of a busy machine has few samples that count
                springprof("record", "--engine", self.engine, "-o", output, "--", "-X",
                           f"jit={jit}", program)
                shares = own_and_total(recording.read(output))
                if shares["slow"][0] > 0.8 and shares["work"][0] < 0.05:
                    break
            self.assertGreater(shares["slow"][0], 0.8)
            self.assertLess(shares["work"][0], 0.05)


@unittest.skipIf(refusal(), str(refusal()))
class ForksThatCompile(unittest.TestCase):
    def test_each_has_its_own_names(self):
        # What they compile lies at the same addresses.
        program = file("forks.py", textwrap.dedent("""
            import os, time
            def loop(name, seconds):
                code = f"def {name}(n):\\n  for i in range(n): pass"
                exec(code, globals())
                end = time.thread_time() + seconds
                while time.thread_time() < end: globals()[name](50000)
            names = "first", "second", "third"
            loop("before", 0.2)         # so that there is a place for compiled code
            pids = []
            for name in names:
                if not (pid := os.fork()):
                    loop(name, 1)
                    os._exit(0)
                pids.append(pid)
            loop("parent", 1)
            for pid in pids: os.waitpid(pid, 0)
            """))
        output = file("forks.springprof")
        springprof("record", "-o", output, "--", "-X", "jit=1", program)
        result = recording.read(output)
        found = {}
        for node, weight, thread in zip(result.nodes, result.weights, result.sample_threads):
            own = next((frame.name for frame in result.stack(node) if frame.is_python), None)
            if own in ("first", "second", "third", "parent"):
                times = found.setdefault(own, {})
                pid = result.threads[thread]["pid"]
                times[pid] = times.get(pid, 0) + weight / 1e9
        self.assertEqual(len(found), 4, found)
        self.assertEqual({len(times) for times in found.values()}, {1}, found)
        for times in found.values():
            self.assertGreater(sum(times.values()), 0.35, found)


@unittest.skipIf(refusal(), str(refusal()))
class Program(unittest.TestCase):
    def record(self, *program, options=(), **how):
        self.output = file("program.springprof")
        return springprof("record", "-o", self.output, *options, "--", *program, check=False, **how)

    def test_exit_code_and_streams_are_the_programs(self):
        done = self.record("-c", "import sys; print(input()); print('e', file=sys.stderr);"
                                 "sys.exit(7)", input="hello\n")
        self.assertEqual((done.returncode, done.stdout), (7, "hello\n"))
        self.assertTrue(done.stderr.startswith("e\nspringprof: "), done.stderr)
        self.assertEqual(recording.read(self.output).meta["exit"], 7)

    def test_a_program_without_dashes(self):
        for words in ("app.py", "x"), ("-m", "pytest"):
            done = springprof("record", "-q", *words, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("stands behind --: springprof record -- " + " ".join(words),
                          done.stderr)

    def test_streams_that_are_closed_are_so_for_the_program(self):
        path = file("streams")
        code = textwrap.dedent(f"""
            import os, sys
            for fd in range(3):
                try: os.write(fd, b"LEAKED")
                except OSError as error: print(fd, error.errno, file=open({path!r}, "a"))
            """)
        for stream in range(3):
            for engine in "perf", "timer":
                file("streams", "")
                done = self.record("-c", code, options=("--engine", engine),
                                   stdin=subprocess.DEVNULL,
                                   preexec_fn=lambda: os.close(stream))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, "LEAKED" * (stream != 1))
                with open(path) as out:
                    self.assertEqual(out.read(), f"{stream} 9\n")
                meta = recording.read(self.output).meta
                self.assertEqual(meta.get("engine", "perf"), engine)
                for entry in meta["processes"]:
                    self.assertFalse(os.path.exists(f"/tmp/perf-{entry['pid']}.map"))

    def test_a_signal_that_ends_the_program_ends_springprof(self):
        done = self.record("-c", "import os; os.kill(os.getpid(), 9)")
        self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assertEqual(recording.read(self.output).meta["exit"], -9)

    def test_module_and_code_and_script_of_a_package(self):
        file("some_module.py", SPIN + "spin(3_000_000)\nimport sys; print(sys.argv[1:])")
        done = self.record("-m", "some_module", "-x", "--", "y")
        self.assertEqual(done.stdout, "['-x', '--', 'y']\n", done.stderr)
        self.assertIn("spin", own_and_total(recording.read(self.output)))
        script = file("a-script", f"#!{sys.executable}\n{SPIN}spin(3_000_000)")
        os.chmod(script, 0o755)
        self.record(script)
        self.assertIn("spin", own_and_total(recording.read(self.output)))

    def test_children_are_recorded(self):
        program = file("family.py", SPIN + textwrap.dedent("""
            import os, subprocess, sys
            def in_fork(): spin(4_000_000)
            def here(): spin(4_000_000)
            if not os.fork():
                in_fork()
                os._exit(0)
            here()
            os.wait()
            code = "def in_exec(n):\\n for i in range(n): pass\\nin_exec(4_000_000)"
            subprocess.run([sys.executable, "-c", code])
            """))
        done = self.record(program)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = recording.read(self.output)
        by_function = {}
        for node, thread in zip(result.nodes, result.sample_threads):
            for frame in result.stack(node):
                by_function.setdefault(frame.name, set()).add(result.threads[thread]["pid"])
        pids = [by_function[name] for name in ("here", "in_fork", "in_exec")]
        self.assertEqual([len(pid) for pid in pids], [1, 1, 1])
        self.assertEqual(len(set.union(*pids)), 3)
        parents = {entry["pid"]: entry["parent"] for entry in result.meta["processes"]}
        here, *children = (pid.pop() for pid in pids)
        self.assertEqual([parents[child] for child in children], [here, here])

    def test_a_daemon_is_recorded_while_the_program_runs(self):
        done = self.record("-c", SPIN + textwrap.dedent("""
            import os, time
            spin(3_000_000)
            if not os.fork():
                os.close(1)
                os.close(2)
                time.sleep(60)
            """))
        self.assertEqual(done.returncode, 0, done.stderr)
        note = re.search(r"note: the program has ended, and with it the recording; what it has "
                         r"started still runs: `springprof attach (\d+)` records it\n", done.stderr)
        self.assertTrue(note, done.stderr)
        os.kill(int(note[1]), 9)

    def test_signals_that_python_ignores_are_not_ignored_by_other_programs(self):
        done = self.record("/bin/sh", "-c", "grep SigIgn /proc/self/status")
        ignored = int(re.search(r"SigIgn:\t(\w+)", done.stdout)[1], 16)
        for number in signal.SIGPIPE, signal.SIGXFSZ:
            self.assertFalse(ignored >> number - 1 & 1, number)

    def test_a_program_without_python_is_noticed(self):
        done = self.record("/bin/sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
        self.assertIn("no Python function was seen", done.stderr)

    def test_nothing_is_left_behind(self):
        self.assertEqual(left_behind(self.record), [])

    def test_interrupt_is_for_the_program(self):
        program = file("interrupted.py", textwrap.dedent("""
            import time
            try:
                print("ready", flush=True)
                while True: time.sleep(0.01)
            except KeyboardInterrupt:
                time.sleep(0.3)
                print("cleaned up")
                raise SystemExit(5)
            """))
        output = file("interrupted.springprof")
        process = subprocess.Popen(
            [sys.executable, "-m", "springprof", "record", "-q", "-o", output, "--", program],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
            start_new_session=True,
            # A shell's background jobs ignore it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.assertEqual(process.stdout.readline(), "ready\n")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out, err), (5, "cleaned up\n", ""))
        recording.read(output)

    def test_an_event_that_is_no_clock(self):
        # Many: perf may take the first ones, while the interpreter starts, for the rate of all.
        done = self.record("-c", "for i in range(9): x = [bytearray(1 << 20) for _ in range(200)]",
                           options=("-e", "page-faults"))
        self.assertRegex(done.stderr, r"samples, [\d.]+k page-faults in")
        result = recording.read(self.output)
        self.assertEqual((result.meta["unit"], result.meta["event"]), ("page-faults",) * 2)
        self.assertGreater(result.total, 30_000)
        out = springprof("report", "--text", self.output).stdout
        self.assertRegex(out, r"\d+ samples, [\d.]+k page-faults in")
        self.assertRegex(out, r"(?m)^ *[\d.]+k +[\d.]+% +[\d.]+k +[\d.]+%  <listcomp>")
        self.assertNotIn("processor time", out)
        for form, expected, other in (("firefox", b'"weightType":"samples"', b"tracing-ms"),
                                      ("speedscope", b'"unit":"none"', b"nanoseconds")):
            data = springprof("export", "-f", form, "-o", "-", self.output, text=False).stdout
            self.assertIn(expected, data)
            self.assertNotIn(other, data)
        data = gzip.decompress(springprof("export", "-f", "pprof", "-o", "-", self.output,
                                          text=False).stdout)
        self.assertIn(b"page-faults", data)
        self.assertNotIn(b"nanoseconds", data)

    def test_cycles_or_what_perf_takes_for_them(self):
        self.record("-c", SPIN + "spin(90_000_000)", options=("-e", "cycles"))
        meta = recording.read(self.output).meta
        self.assertIn((meta["event"], meta["unit"]), (("cycles", "cycles"), ("cpu-clock", "ns")))
        self.assertEqual(any("perf can't count cycles here" in note for note in meta["notes"]),
                         meta["unit"] == "ns")

    def limited(self, limit, *options):
        """A finished record under `ulimit -f`, of stacks that need room."""
        return self.record("-c", SPIN + "import time\n"
                                 "def deep(n):\n"
                                 "    if n: return deep(n - 1)\n"
                                 "    while time.thread_time() < end: spin(99999)\n"
                                 "end = time.thread_time() + 3\ndeep(60)\nraise SystemExit(7)",
                           options=options, preexec_fn=lambda: resource.setrlimit(
                               resource.RLIMIT_FSIZE, (limit, limit)))

    def test_the_limit_of_a_files_size_is_reached(self):
        # Copies of the stack end in time, so samples must be many.
        done = self.limited(16 << 20, "--engine=perf", "-F", "20000")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("note: perf ended too early (files may have 16384 kB (ulimit -f)): what came "
                      "later is not in the recording\n", done.stderr)
        result = recording.read(self.output)
        self.assertEqual(result.meta["exit"], 7)
        # The interpreter's start is in it, too, and takes a good part of what there is room for.
        shares = own_and_total(result)
        self.assertGreater(shares["spin"][0] / shares["deep"][1], 0.85)
        self.assertGreater(shares["deep"][1], 0.3)
        # Copies of the stack are not counted as samples.
        self.assertLess(result.total / 1e9, 1.05 * result.meta["seconds"])

    def test_a_recording_that_can_not_be_written(self):
        # The program's exit code is what who runs it waits for.
        os.makedirs(file("there"), exist_ok=True)
        output = os.path.join(file("there"), "out")
        for code in 0, 3:
            done = springprof("record", "-q", "-o", output, "--", "-c",
                              f"import os, shutil, sys; shutil.rmtree({file('there')!r});"
                              f"sys.exit({code})", check=False)
            os.mkdir(file("there"))
            self.assertEqual(done.returncode, code)
            self.assertRegex(done.stderr, r"\Aspringprof: .*/out: can't be written \(No such file"
                                          r"[^\n]+\n\Z")

    def test_request_to_end_is_passed_on(self):
        program = file("ended.py", "import time\nprint('ready', flush=True)\ntime.sleep(60)")
        output = file("ended.springprof")
        process = subprocess.Popen(
            [sys.executable, "-m", "springprof", "record", "-q", "-o", output, "--", program],
            stdout=subprocess.PIPE, text=True, env=environment())
        process.stdout.readline()
        started = time.monotonic()
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertLess(time.monotonic() - started, 30)
        self.assertEqual(recording.read(output).meta["exit"], -signal.SIGTERM)

    def test_default_output_is_named_after_the_program(self):
        for program, name in ((["/srv/app.py", "x"], "app"), (["-m", "a.b"], "a.b"),
                              (["-c", "1"], "command"), (["-X", "jit=1", "c.py"], "c"),
                              (["/usr/bin/gunicorn"], "gunicorn"),
                              (["./-x.py"], "x"), (["./--.py"], "program")):
            self.assertEqual(default_output(program), name + ".springprof")

    @unittest.skipUnless(os.getuid() == 0, "only root can become another user")
    def test_an_ordinary_user_can_record(self):
        os.chmod(folder(), 0o777)
        output = file("user.springprof")
        done = springprof("record", "-o", output, "--", "-c", SPIN + "spin(60_000_000)",
                          prefix=AS_USER, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = recording.read(output)
        self.assertGreater(own_and_total(result).get("spin", [0])[0], 0.3, done.stderr)
        if not result.meta["kernel"]:
            self.assertIn("sudo sysctl kernel.perf_event_paranoid=1", done.stderr)
            self.assertFalse([f for f in result.frames if f.kind == recording.KERNEL])


@unittest.skipIf(refusal(), str(refusal()))
@unittest.skipUnless(os.getuid() == 0, "only root can become another user")
class OldMaps(unittest.TestCase):
    ALONE = "makes maps of the next processes"

    def test_old_maps_of_another_user_are_passed_by(self):
        os.chmod(folder(), 0o777)
        output = file("maps.springprof")
        last = os.fork()
        if not last:
            os._exit(0)
        os.waitpid(last, 0)
        ours = []
        for pid in range(last + 1, last + 60):
            try:
                with open(f"/tmp/perf-{pid}.map", "x"):
                    ours.append(f"/tmp/perf-{pid}.map")
            except FileExistsError:
                pass
        try:
            done = springprof("record", "-o", output, "--", "-c", SPIN + "spin(60_000_000)",
                              prefix=AS_USER, check=False)
        finally:
            for path in ours:
                os.unlink(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        functions = own_and_total(recording.read(output))
        self.assertGreater(functions.get("spin", [0])[0], 0.3, done.stderr)


@unittest.skipIf(refusal(), str(refusal()))
@unittest.skipUnless(os.getuid() == 0, "only root can become another user")
class TwoVersions(unittest.TestCase):
    ALONE = "counts samples"

    def test_one_function_is_twice_as_slow(self):
        # As an ordinary user. Of 1 : 1 it becomes 1 : 2.
        os.chmod(folder(), 0o777)
        for engine in "perf", "timer":
            # As many samples in half the time.
            seconds, options = (1, ("-F", "1999")) if engine == "perf" else (2, ())
            paths = []
            for name, turns in ("old", 3000), ("new", 6000):
                program = file(f"{name}_version.py", SPIN + textwrap.dedent(f"""
                    import time
                    def stays(): spin(3000)
                    def changes(): spin({turns})
                    end = time.thread_time() + {seconds}
                    while time.thread_time() < end:
                        stays()
                        changes()
                    """))
                paths.append(file(f"{name}.{engine}.springprof"))
                springprof("record", "-q", "--engine", engine, *options, "-o", paths[-1], "--",
                           "-X", "jit=0", program, prefix=AS_USER)
            old, new = map(recording.read, paths)
            for result, share in (old, 1 / 2), (new, 2 / 3):
                found = own_and_total(result)
                self.assertAlmostEqual(found["changes"][1] / found["<module>"][1], share,
                                       delta=tolerance(share, result) + 0.02)
            # All rows: those whose own time has changed come first, and this one only calls.
            text = springprof("diff", "--text", "-n", "9999", *paths, prefix=AS_USER).stdout
            row, = re.findall(r"(?m)^.*% +([\d.]+)% -> +([\d.]+)% .*  changes  ", text)
            self.assertAlmostEqual(float(row[1]) - float(row[0]), 100 / 6,
                                   delta=100 * (tolerance(1 / 2, old) + tolerance(2 / 3, new)))


@unittest.skipIf(refusal(), str(refusal()))
class Shares(unittest.TestCase):
    ALONE = "counts samples"
    options = "-X", "jit=0"
    record = None

    def test_lines_have_their_share(self):
        result = shares(*self.options, record=self.record)
        found = tables.Tables(result).lines
        first = LINES["def hot():"] + 1
        lines = [found[file("shares.py"), first + n].total for n in range(3)]
        whole = sum(lines)
        self.assertGreater(whole, 3e8)
        for part, expected in zip(lines, (0.1, 0.3, 0.6)):
            self.assertAlmostEqual(part / whole, expected, delta=tolerance(expected, result))

    def test_callers_of_a_callback(self):
        result = shares(*self.options, record=self.record)
        stacks = [[frame.name for frame in result.stack(node) if frame.is_python]
                  for node in result.nodes]
        with_key = [stack for stack in stacks if "key" in stack]
        self.assertGreater(len(with_key), 5)
        for stack in with_key:
            self.assertEqual(stack[stack.index("key"):][:3], ["key", "sorter", "both"])

    def test_threads_have_their_share(self):
        result = shares(*self.options, record=self.record)
        by_thread = [0] * len(result.threads)
        for thread, weight in zip(result.sample_threads, result.weights):
            by_thread[thread] += weight
        main, other = (next(weight for weight, facts in zip(by_thread, result.threads)
                            if (facts["pid"] == facts["tid"]) == is_main)
                       for is_main in (True, False))
        self.assertAlmostEqual(other / (main + other), 1 / 4, delta=tolerance(1 / 4, result))
        for node, thread in zip(result.nodes, result.sample_threads):
            facts = result.threads[thread]
            names = {frame.name for frame in result.stack(node)}
            if "other" in names:
                self.assertNotEqual(facts["pid"], facts["tid"])

    def test_the_whole_is_the_processor_time_of_the_program(self):
        path, out, _ = shares_file(*self.options, record=self.record)
        result = recording.read(path)
        # What comes after the last sample is missing.
        self.assertAlmostEqual(result.total / 1e9, float(out),
                               delta=0.1 * float(out) + 0.1 + max(result.weights) / 1e9)

    def test_whole_stacks(self):
        result = shares(*self.options, record=self.record)
        broken = [node for node in result.nodes
                  if (names := [frame.name for frame in result.stack(node)])
                  and "run" in names and names[-1] not in ("__libc_start_call_main",
                                                           "start_thread", "_start", "clone3",
                                                           "__clone3")]
        self.assertLessEqual(len(broken), len(result.nodes) / 100)

    def test_kinds(self):
        result = shares(*self.options, record=self.record)
        kinds = {frame.name: frame.kind for frame in result.frames}
        self.assertEqual(kinds["Py_BytesMain"], recording.INTERPRETER)
        self.assertEqual(kinds["__libc_start_call_main"], recording.LIBRARY)
        self.assertIn(kinds["both"], recording.PYTHON_KINDS)
        compiled = any(frame.kind == recording.COMPILED for frame in result.frames)
        self.assertEqual(compiled, "jit=1" in self.options)
        self.assertEqual(result.sources[file("shares.py")], SHARES)


class SharesOfCompiledCode(Shares):
    options = "-X", "jit=1"


if __name__ == "__main__":
    unittest.main()

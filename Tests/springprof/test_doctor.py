"""What stands in the way is found, by doctor and by the commands that fail, in the same words. Each
situation is made, where this machine can make it."""
import os
import platform
import shutil
import subprocess
import sys
import textwrap
import unittest

from springprof import machine, recording
from support import (AS_USER, SPIN, environment, file, folder, own_and_total, refusal,
                     springprof)

ROOT = os.getuid() == 0, "only root can make this situation"

# Runs a program under a seccomp filter that forbids one system call, as Docker does.
FILTER = """\
import ctypes, os, struct, sys
number, command = int(sys.argv[1]), sys.argv[2:]
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(steps), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.c_void_p(ctypes.addressof(program)), 0, 0) == 0
os.execvp(command[0], command)
"""
PERF_EVENT_OPEN = {"x86_64": "298", "aarch64": "241"}.get(platform.machine())


def can_unshare(*options):
    return shutil.which("unshare") and not subprocess.run(
        ["unshare", *options, "true"], capture_output=True).returncode


class Doctor(unittest.TestCase):
    def test_here(self):
        done = springprof("doctor", check=False)
        for name in ("perf:", "perf_event_paranoid:", "perf_event_open:", "Yama:", "/tmp:",
                     "PID namespace:", "interpreter:", "frame pointers:", "capabilities:",
                     "stack depth:", "file size:"):
            self.assertRegex(done.stdout, rf"(?m)^(ok|limited|BAD) +{name}")
        self.assertEqual(done.returncode, int("BAD" in done.stdout), done.stdout)
        self.assertEqual(done.stderr, "")

    def test_a_process(self):
        done = springprof("doctor", str(os.getpid()), check=False)
        self.assertRegex(done.stdout, rf"process: process {os.getpid()} is ")
        done = springprof("doctor", "4194303", check=False)
        self.assertIn("there is no process 4194303", done.stdout)
        self.assertEqual(done.returncode, 1)

    @unittest.skipUnless(*ROOT)
    def test_a_process_of_another_user(self):
        done = springprof("doctor", "1", check=False, prefix=AS_USER)
        self.assertIn("process 1 belongs to user 0", done.stdout)

    def assert_both(self, expected, prefix=(), env=None):
        """doctor and record say the same."""
        doctor = springprof("doctor", check=False, prefix=prefix, env=env)
        record = springprof("record", "--engine", "perf", "-o", file("refused.springprof"), "--",
                            "-c", "1", check=False, prefix=prefix, env=env)
        self.assertEqual((doctor.returncode, record.returncode), (1, 1), record.stderr)
        self.assertEqual(record.stderr.count("\n"), 1, record.stderr)
        for text in expected:
            self.assertIn(text, doctor.stdout)
            self.assertIn(text, record.stderr)

    def test_no_perf(self):
        self.assert_both(["perf is not installed", "apt-get install linux-perf"],
                         env=environment(PATH="/nowhere"))

    def test_a_perf_that_does_not_run(self):
        bad = os.path.join(folder(), "bin")
        os.makedirs(bad, exist_ok=True)
        with open(os.path.join(bad, "perf"), "w") as out:
            out.write("#!/bin/sh\necho 'WARNING: perf not found for kernel 6.2' >&2\nexit 2\n")
        os.chmod(os.path.join(bad, "perf"), 0o755)
        self.assert_both(["does not run", "perf not found for kernel 6.2"],
                         env=environment(PATH=bad + ":/usr/bin:/bin"))
        with open(os.path.join(bad, "perf"), "w") as out:
            out.write("#!/bin/sh\necho 'perf version 4.19.3'\n")
        self.assert_both(["version 4.19", "5.10 or later"],
                         env=environment(PATH=bad + ":/usr/bin:/bin"))

    def test_a_limit_of_a_files_size(self):
        shell = 'ulimit -f %d; exec "$@"'
        self.assert_both(["files may have 4096 kB (ulimit -f)",
                          "run `ulimit -f unlimited` before"],
                         ["bash", "-c", shell % 4096, "bash"])
        done = springprof("doctor", check=False, prefix=["bash", "-c", shell % 40960, "bash"])
        self.assertRegex(done.stdout, r"limited file size: files may have 40960 kB")

    @unittest.skipIf(refusal(), str(refusal()))
    @unittest.skipUnless(PERF_EVENT_OPEN, "a machine whose system calls the test doesn't know")
    def test_seccomp(self):
        self.assert_both(["seccomp filter", "docker run --cap-add PERFMON"],
                         [sys.executable, file("filter.py", FILTER), PERF_EVENT_OPEN])

    @unittest.skipIf(refusal(), str(refusal()))
    @unittest.skipUnless(*ROOT)
    def test_an_ordinary_user_is_told_of_the_kernel(self):
        done = springprof("doctor", prefix=AS_USER, check=False)
        level = machine.paranoid_level()
        self.assertIn(f"kernel.perf_event_paranoid is {level}", done.stdout)
        if level == 2:
            self.assertRegex(done.stdout, "limited perf_event_paranoid")
            self.assertIn("sudo sysctl kernel.perf_event_paranoid=1", done.stdout)

    @unittest.skipUnless(can_unshare("-p", "-f", "--mount-proc"), "unshare is not allowed here")
    def test_pid_namespace(self):
        done = springprof("doctor", check=False,
                          prefix=["unshare", "-p", "-f", "--mount-proc"])
        self.assertIn("PID namespace: probably a container", done.stdout)

    @unittest.skipIf(refusal(), str(refusal()))
    @unittest.skipUnless(can_unshare("-U", "-r"), "unshare is not allowed here")
    def test_user_namespace(self):
        # Its root has all capabilities, but not over the kernel.
        prefix = "unshare", "-U", "-r"
        done = springprof("doctor", check=False, prefix=prefix)
        self.assertIn("in a user namespace", done.stdout)
        output = file("user_namespace.springprof")
        springprof("record", "-o", output, "--", "-c", SPIN + "spin(200_000_000)", prefix=prefix)
        result = recording.read(output)
        if machine.paranoid_level() == 2:
            self.assertRegex(done.stdout, "limited perf_event_paranoid")
            self.assertFalse(result.meta["kernel"])
        self.assertLess(result.total / 1e9, 1.1 * result.meta["seconds"])
        self.assertGreater(own_and_total(result)["spin"][0], 0.5)

    @unittest.skipUnless(can_unshare("-m"), "unshare is not allowed here")
    def test_tmp_that_is_full_or_closed(self):
        script = textwrap.dedent("""\
            mount -t tmpfs -o %s none /tmp && exec "$@" """)
        for options, expected in (("size=1M,mode=1777", "/tmp is full"),
                                  ("ro", "/tmp can't be written"),
                                  ("noexec,mode=1777", "mounted noexec")):
            done = springprof("doctor", check=False, prefix=[
                "unshare", "-m", "sh", "-c", script % options, "sh"])
            self.assertIn(expected, done.stdout, options)
            if "BAD" in done.stdout and not refusal():
                done = springprof("record", "-o", "/dev/null", "--", "-c", "1", check=False,
                                  prefix=["unshare", "-m", "sh", "-c", script % options, "sh"])
                self.assertIn(f"springprof: {expected}: ", done.stderr)

    @unittest.skipIf(refusal(), str(refusal()))
    @unittest.skipUnless(PERF_EVENT_OPEN, "a machine whose system calls the test doesn't know")
    @unittest.skipUnless(*ROOT)
    @unittest.skipUnless(can_unshare("-m"), "unshare is not allowed here")
    def test_a_kernel_that_lets_only_root_record(self):
        # The level that Debian's kernels have. Others don't obey it, so a filter refuses for them.
        level = file("level", "3\n")
        os.chmod(folder(), 0o777)
        script = f'mount --bind {level} /proc/sys/kernel/perf_event_paranoid && exec "$@"'
        self.assert_both(["kernel.perf_event_paranoid is 3",
                          "sudo sysctl kernel.perf_event_paranoid=2"],
                         ["unshare", "-m", "sh", "-c", script, "sh", sys.executable,
                          file("filter.py", FILTER), PERF_EVENT_OPEN, *AS_USER])
        done = springprof("record", "-o", os.devnull, "--", "-c", SPIN + "spin(9_000_000)",
                          prefix=["unshare", "-m", "sh", "-c", script, "sh", *AS_USER])
        self.assertIn("recorded by the timer engine, since perf can't: kernel.perf_event_paranoid "
                      "is 3: only root may record; sudo sysctl", done.stderr)

    @unittest.skipIf(refusal(), str(refusal()))
    def test_memory_that_may_not_be_executed(self):
        # As systemd's MemoryDenyWriteExecute has it.
        deny = file("deny.py", "import ctypes, os, sys\n"
                               "if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0): sys.exit(99)\n"
                               "os.execvp(sys.argv[1], sys.argv[1:])\n")
        done = springprof("doctor", check=False, prefix=[sys.executable, deny])
        if done.returncode == 99:
            self.skipTest("the kernel is older than 6.3")
        words = "if memory can't be made executable (systemd's MemoryDenyWriteExecute)"
        self.assertIn(words, done.stdout)
        for engine in "perf", "timer":
            done = springprof("record", "--engine", engine, "-o", file("denied.springprof"), "--",
                              "-c", SPIN + "spin(60_000_000)", prefix=[sys.executable, deny])
            self.assertIn("note: no Python function was seen: ", done.stderr)
            self.assertIn(words, done.stderr)

    def test_paranoid_levels(self):
        before, see = machine.paranoid_level, machine.may_see_all
        self.addCleanup(setattr, machine, "paranoid_level", before)
        self.addCleanup(setattr, machine, "may_see_all", see)
        machine.may_see_all = lambda: False
        for level, state in ((-1, machine.GOOD), (1, machine.GOOD), (2, machine.LIMITED),
                             (3, machine.BAD), (4, machine.BAD)):
            machine.paranoid_level = lambda: level
            finding = machine.check_paranoid()
            self.assertEqual(finding.state, state, level)
            self.assertEqual(bool(finding.remedy), state != machine.GOOD)


if __name__ == "__main__":
    unittest.main()

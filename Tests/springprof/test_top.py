"""top: the live table of a process that runs."""
import os
import pty
import re
import select
import subprocess
import sys
import time
import unittest

from support import READY, SERVER, environment, file, refusal, remove_map, springprof


@unittest.skipIf(refusal(), str(refusal()))
class Top(unittest.TestCase):
    def setUp(self):
        self.server = subprocess.Popen([sys.executable, file("server.py", SERVER + READY)],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       env=environment())
        remove_map(self.server.pid)     # of an earlier process that had this number
        self.server.stdout.readline()
        self.addCleanup(self.end)

    def end(self):
        self.server.kill()
        self.server.communicate()

    def test_one_table(self):
        out = springprof("top", "--once", "-i", "1", str(self.server.pid)).stdout
        total = {name: float(share) for share, name in
                 re.findall(r"(?m)^ *[\d.]+% +([\d.]+)%  (\w+)  ", out)}
        self.assertGreater(total["serve"], 80, out)
        self.assertAlmostEqual(total["one"] / total["three"], 1 / 3, delta=0.15, msg=out)
        self.assertFalse(os.path.exists(f"/tmp/perf-{self.server.pid}.map"))

    def test_live(self):
        child, terminal = pty.fork()
        if not child:
            os.execvpe(sys.executable, [sys.executable, "-m", "springprof", "top", "-i", "1",
                                        str(self.server.pid)],
                       environment(TERM="xterm", LINES="24", COLUMNS="100"))
        seen, deadline = b"", time.monotonic() + 100
        wanted = [(b"three", b"l"), (rb"server.py:\d", b"c"), (b"op_|_Py", b"q")]
        try:
            while wanted and time.monotonic() < deadline:
                if select.select([terminal], [], [], 1)[0]:
                    try:
                        seen += os.read(terminal, 65536)
                    except OSError:
                        break
                if re.search(wanted[0][0], seen):
                    os.write(terminal, wanted.pop(0)[1])
                    seen = b""
            self.assertFalse(wanted, seen)
            while time.monotonic() < deadline:
                try:
                    if not os.read(terminal, 65536):
                        break
                except OSError:
                    break
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            child = None
        finally:
            if child:
                os.kill(child, 9)
                os.waitpid(child, 0)
            os.close(terminal)
        self.assertIsNone(self.server.poll())

    def test_no_such_process(self):
        done = springprof("top", "4194303", check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn("4194303", done.stderr)


if __name__ == "__main__":
    unittest.main()

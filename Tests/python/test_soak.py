"""Tools/benchmark/soak.py tells a server that grows from one that does not."""
import os
import re
import subprocess
import sys
import textwrap
import unittest

PORTABLE = "a script that measures"

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tools", "benchmark")


class Soak(unittest.TestCase):
    def run_soak(self, *command):
        return subprocess.run([sys.executable, *command], capture_output=True, text=True,
                              timeout=100, cwd=FOLDER)

    def test_a_short_run(self):
        """Too short to say more of its memory. An emulated client takes seconds to start."""
        seconds = 8 if "SPRINGBOARD_EMULATOR" in os.environ else 2
        done = self.run_soak("soak.py", str(seconds), "500")
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 22, done.stdout)
        last = re.fullmatch(r"(flat|growing): [\d.]+ MB in the second quarter, [\d.]+ in the last; "
                            r"(\d+) requests, (\d+) of them failed; longest pause [\d.]+ ms",
                            lines[-1])
        self.assertEqual(done.returncode, last[1] == "growing")
        self.assertGreater(int(last[2]), int(last[3]))
        self.assertGreater(int(last[3]), 0)

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator's memory is another")
    def test_a_leak_is_seen(self):
        """However few requests there are: a megabyte for each hundredth of a second that has one."""
        done = self.run_soak("-c", textwrap.dedent("""
            import asyncio, sys, time
            sys.argv = ["soak.py"]
            import soak
            soak.__file__ = "soak.py"
            kept = {}
            async def leak(self, request):
                self.requests += 1
                kept.setdefault(int(time.monotonic() * 100), b"x" * 1_000_000)
            soak.Server.answer = leak
            sys.exit(asyncio.run(soak.main(3, 500)))
            """))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("growing: ", done.stdout)


if __name__ == "__main__":
    unittest.main()

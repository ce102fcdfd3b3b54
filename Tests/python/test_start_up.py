"""What is done, and not done, between exec and the first line of a program."""
import os
import subprocess
import sys
import unittest

CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


def run(*args):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, env=CLEAN,
                          timeout=60, check=True).stdout


class StartUpTest(unittest.TestCase):
    MAPPED = "print({{line.split('/')[-1].split('.so')[0] for line in open('/proc/self/maps')" \
             " if '.so' in line}} & {wanted!r})"

    def mapped(self, before, *libraries):
        return run("-I", "-S", "-c", before + self.MAPPED.format(wanted=set(libraries)))

    def test_libraries_are_opened_when_they_are_needed(self):
        self.assertEqual(self.mapped("", "libcrypto", "libb2", "libgomp"), "set()\n")
        self.assertEqual(self.mapped("import _md5; ", "libcrypto"), "set()\n")
        self.assertEqual(self.mapped("import _md5; _md5.md5(); ", "libcrypto"),
                         "{'libcrypto'}\n")
        self.assertEqual(self.mapped("import _blake2; _blake2.blake2b(); ", "libb2"),
                         "{'libb2'}\n")

    def test_collector_starts_with_start_up_in_the_oldest_generation(self):
        out = run("-c", "import gc; print(gc.isenabled(), sum(s['collections'] for s in"
                  " gc.get_stats()), len(gc.get_objects(2)) > 1000, gc.get_count()[0] < 700)")
        self.assertEqual(out, "True 0 True True\n")

    def test_collector_runs_after_start_up(self):
        out = run("-c", "import gc\nfor i in range(2000):\n x = []; x.append(x)\n"
                  "print(gc.get_stats()[0]['collections'] > 0)")
        self.assertEqual(out, "True\n")


if __name__ == "__main__":
    unittest.main()

"""Much memory: zeros that nobody has touched take none, and what is dropped goes back."""
import os
import subprocess
import sys
import sysconfig
import unittest

PORTABLE = "what the system maps"

PEER = "/usr/bin/python3.11"
PROGRAM = """
import ctypes, resource

def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

c = ctypes.CDLL(None)
c.calloc.restype = c.malloc.restype = ctypes.c_void_p
c.calloc.argtypes = ctypes.c_size_t, ctypes.c_size_t
c.malloc.argtypes = ctypes.c_size_t,
c.free.argtypes = ctypes.c_void_p,
"""


def run(text):
    return subprocess.run([sys.executable, "-c", PROGRAM + text], capture_output=True,
                          text=True, timeout=60)


class ZeroedBlocks(unittest.TestCase):
    def check_cost(self, make):
        done = run(f"before = megabytes()\nblock = {make}\nprint(megabytes() - before)")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(int(done.stdout), 256, make)

    def test_untouched_zeros_take_no_memory(self):
        self.check_cost("c.calloc(1 << 27, 8)")
        self.check_cost("bytes(1 << 30)")

    def test_reused_memory_is_zero_again(self):
        done = run("""
for size in 100, 5_000_000, 16 << 20, (20 << 20) + 5, 200 << 20:
    for _ in range(3):
        block = c.malloc(size)
        ctypes.memset(block, 0xff, size)
        c.free(block)
        block = c.calloc(size, 1)
        seen = bytes((ctypes.c_char * size).from_address(block)).count(0)
        c.free(block)
        print(size - seen, end=" ")
""")
        self.assertEqual((done.stdout, done.stderr), ("0 " * 15, ""))

    @unittest.skipIf("sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""), "the sanitizer warns of it")
    def test_too_large_is_refused(self):
        done = run("print(c.calloc(1 << 33, 1 << 33), c.calloc(1 << 62, 1))")
        self.assertEqual((done.stdout, done.stderr), ("None None\n", ""))


def huge_pages_can_be_had():
    try:
        with open("/sys/kernel/mm/transparent_hugepage/enabled") as file:
            return "[never]" not in file.read() and "SPRINGBOARD_EMULATOR" not in os.environ
    except OSError:
        return False


@unittest.skipUnless(huge_pages_can_be_had(), "the system has no huge pages to give")
@unittest.skipIf("sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""),
                 "its malloc asks for none")
class HugePages(unittest.TestCase):
    """Of a large block that is made at once, most may be in huge pages. One that grows is moved."""

    def count_megabytes(self, make):
        done = run(f"""
def advised():
    kilobytes = size = 0
    for line in open("/proc/self/smaps"):
        if line.startswith("Size:"): size = int(line.split()[1])
        if line.startswith("VmFlags:") and " hg" in line: kilobytes += size
    return kilobytes // 1024
before = advised()
{make}
print(advised() - before)
""")
        self.assertEqual(done.stderr, "")
        return int(done.stdout)

    def test_large_blocks(self):
        for make in ("x = [0] * (4 << 20)", "x = bytes(32 << 20)", "x = bytearray(32 << 20)",
                     "x = 'a' * (32 << 20)", "x = dict.fromkeys(range(1_000_000))"):
            with self.subTest(make):
                self.assertGreaterEqual(self.count_megabytes(make), 24)

    def test_smaller_ones_and_those_that_grow(self):
        for make in ("x = bytes((4 << 20) - 64)", "x = []\nfor i in range(4 << 20): x.append(None)"):
            with self.subTest(make):
                self.assertLess(self.count_megabytes(make), 4)


DROPPED = """
import json

def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096 >> 20

class Point:
    def __init__(self, i):
        self.a, self.b, self.c = i, str(i), [i]

def work():
    pairs = [(i, float(i)) for i in range(500_000)]
    points = [Point(i) for i in range(250_000)]
    text = json.dumps([{"id": i, "name": f"n{i}", "v": [i, i + .5]} for i in range(100_000)])
    rows = json.loads(text)
    names = {str(i) for i in range(250_000)}
    return resident()

print(work(), resident())
"""


@unittest.skipIf("sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""),
                 "the sanitizer keeps what is free")
@unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator's memory is seen")
@unittest.skipUnless(os.path.exists(PEER), f"{PEER} is missing")
class Dropped(unittest.TestCase):
    def figures(self, python):
        return map(int, subprocess.check_output([python, "-c", DROPPED]).split())

    def test_memory_goes_back_when_everything_is_dropped(self):
        most, left = self.figures(sys.executable)
        peers_most, peers_left = self.figures(PEER)
        self.assertLess(most, peers_most * 1.1, "megabytes at the most")
        self.assertLess(left, peers_left * 1.3, "megabytes that stay")


if __name__ == "__main__":
    unittest.main()

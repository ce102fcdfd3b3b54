"""Large blocks of memory: zeros that nobody has touched take no memory."""
import subprocess
import sys
import sysconfig
import unittest

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


if __name__ == "__main__":
    unittest.main()

"""A block that grows, a list's for instance, leaves no holes in the heap as large as it was.

Not under sanitizers and emulators, which keep memory of their own."""
import subprocess
import sys
import sysconfig
import unittest

SANITIZER = "sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or "")

# What growing takes, divided by the block's size.
PROGRAM = """
import io

def resident():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) << 10

def grow_list():
    items = []
    for i in range(500_000):
        items.append(None)
    return items, 4_000_000

def grow_bytes():
    data = bytearray()
    for i in range(40_000):
        data += b"x" * 100
    return data, 4_000_000

def grow_file():
    file = io.BytesIO()
    for i in range(40_000):
        file.write(b"x" * 100)
    return file, 4_000_000

before = resident()
kept, size = ({grow})()
print((resident() - before) / size)
"""


def taken(grow):
    program = PROGRAM.format(grow=grow)
    run = subprocess.run([sys.executable, "-X", "jit=0", "-c", program], capture_output=True,
                         text=True, check=True)
    return float(run.stdout)


def can_tell():
    """Is a list that is made in its size resident once?"""
    return not SANITIZER and 0.9 < taken("lambda: ([None] * 500_000, 4_000_000)") < 1.2


@unittest.skipUnless(can_tell(), "resident memory is not only the program's")
class GrowingBlocks(unittest.TestCase):
    def test_list(self):
        self.assertLess(taken("grow_list"), 1.4)

    def test_bytearray(self):
        self.assertLess(taken("grow_bytes"), 1.4)

    def test_file(self):
        self.assertLess(taken("grow_file"), 1.4)


if __name__ == "__main__":
    unittest.main()

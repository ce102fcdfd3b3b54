"""Pickles that ask for more memory than there is."""
import os
import subprocess
import sys
import sysconfig
import unittest

CODE = """
import _pickle, resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
for data in b"Nr\\xf0\\xff\\xff\\xff.", b"K\\x01q\\x00r\\xf0\\xff\\xff\\xff.":
    try:
        _pickle.loads(data)
    except MemoryError:
        print("MemoryError")
print(_pickle.loads(b"K\\x05."))
"""


@unittest.skipIf("sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""),
                 "the sanitizer needs the address space")
@unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator takes no notice of the limit")
class Memory(unittest.TestCase):
    def test_a_memo_that_does_not_fit(self):
        done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "MemoryError\nMemoryError\n5\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()

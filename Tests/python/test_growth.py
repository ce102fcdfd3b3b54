"""An operation that is repeated many times in one process does not increase its memory."""
import os
import subprocess
import sys
import sysconfig
import tempfile
import unittest

SLOW = "runs programs many times to see memory grow"

PROGRAMS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs")
# Caches and specialised code have settled after the first runs.
FIRST, LAST = 6, 16

# Runs a file's code as __main__, in silence, and prints the blocks per run.
DRIVER = f"""\
import gc, os, sys, types
path = sys.argv[1]
out = os.dup(1)
for fd in 1, 2:
    os.dup2(os.open(os.devnull, os.O_WRONLY), fd)
code = compile(open(path, "rb").read(), path, "exec")
blocks = []
for i in range({LAST} + 1):
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        pass
    sys.modules["__main__"] = None
    module.__dict__.clear()
    del module
    gc.collect()
    blocks.append(sys.getallocatedblocks())
os.write(out, b"%f" % ((blocks[{LAST}] - blocks[{FIRST}]) / {LAST - FIRST}))
"""


@unittest.skipUnless(sysconfig.get_config_var("WITH_PYMALLOC"), "the system's allocator does not count blocks")
class Blocks(unittest.TestCase):
    def blocks_per_run(self, path):
        return float(subprocess.check_output([sys.executable, "-X", "utf8", "-c", DRIVER, path], cwd=PROGRAMS,
                                             stdin=subprocess.DEVNULL))

    def test_programs_leave_nothing(self):
        for name in ("argument_binding", "class_system", "closures_scope", "exceptions_and_with", "format_grid",
                     "generators", "metaclasses", "weakref_gc"):
            with self.subTest(name):
                blocks = self.blocks_per_run(os.path.join(PROGRAMS, name + ".py"))
                self.assertLess(blocks, 12, f"{blocks} blocks more with each run")

    def test_a_leak_is_seen(self):
        path = os.path.join(PROGRAMS, "generators.py")
        with open(path) as f:
            text = f.read()
        with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
            f.write("import sys\nkept = sys.__dict__.setdefault('kept_by_test', [])\n"
                    "kept.append([object() for _ in range(30)])\n" + text)
            f.flush()
            self.assertGreater(self.blocks_per_run(f.name), 20)


if __name__ == "__main__":
    unittest.main()

"""Code without frame pointers has its callers."""
import importlib.util
import unittest

from springprof import recording, tables
from support import file, refusal, springprof

ALONE = "counts samples"

MATRICES = """\
import numpy
def multiply(a): return a @ a
def sines(a): return numpy.sin(a).sum()
def work():
    a = numpy.random.rand(400, 400)
    for i in range(60):
        multiply(a)
        sines(a)
work()
"""

# libc's open() keeps something else in the frame pointer's register.
FILES = """\
import threading
threading.Thread(target=int).start()        # from now on libc takes its longer way
def opened(path):
    open(path, "rb", 0).close()
def work():
    for i in range(150_000):
        opened("/proc/self/status")
work()
"""


@unittest.skipIf(refusal(), str(refusal()))
class Callers(unittest.TestCase):
    def record(self, name, text):
        program, output = file(name + ".py", text), file(name + ".springprof")
        done = springprof("record", "-o", output, "--", program,
                          env={"PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1"})
        return recording.read(output), done.stderr

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_numpy(self):
        result, said = self.record("matrices", MATRICES)
        stacks = [result.stack(node) for node in result.nodes]
        begins = next(n for n, stack in enumerate(stacks) if any(f.name == "work" for f in stack))
        # Threads of BLAS itself have no Python.
        inside = [stack for stack in stacks[begins:]
                  if any("blas" in f.dso or "_multiarray_umath" in f.dso for f in stack)
                  and stack[-1].name not in ("start_thread", "clone3", "__clone3")]
        self.assertGreater(len(inside), 60, said)
        whole = [stack for stack in inside if any(f.name == "work" and f.line for f in stack)]
        lost = [[frame.name for frame in stack] for stack in inside if stack not in whole]
        self.assertGreaterEqual(len(whole) / len(inside), 0.99, lost)
        self.assertIn("code without frame pointers", said)
        self.assertIn("copies of the stack", said)

    def test_system_calls(self):
        result, said = self.record("files", FILES)
        functions = {key[0]: row for key, row in tables.Tables(result).functions.items() if key[2]}
        stacks = [result.stack(node) for node in result.nodes]
        inside = [stack for stack in stacks if any("open" in f.name and "libc.so" in f.dso
                                                   for f in stack)]
        self.assertGreater(len(inside), 50, said)
        lost = [stack for stack in inside if not any(f.name == "opened" for f in stack)]
        self.assertLessEqual(len(lost), len(inside) // 50 + 1)
        self.assertIn("work", functions)


if __name__ == "__main__":
    unittest.main()

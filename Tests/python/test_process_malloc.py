"""malloc of the process is the C library's, or whatever was preloaded in its place.

numpy allocates its arrays with it: if an allocator packs blocks without gaps, arrays
touch, and numpy takes them for overlapping and computes them by another loop, whose last
digits differ."""
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest

try:
    import numpy
    numpy.ndarray       # an emulator may see only a part of its folders
except (ImportError, AttributeError):
    numpy = None

PEER = "/usr/bin/python3.11"
SANITIZER = "sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or "")
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang-19")

# 12,720 results of arrays that are kept, so that each lies somewhere else. Prints how many
# arrays begin where another ends, how many results differ from those of equal arrays
# elsewhere, and then the first of each kind. Only processors with AVX-512 have loops for
# all these functions: elsewhere the digits would agree even if arrays touched.
NUMBERS = """
import numpy
first, kept, different, count = {}, [], 0, 0
for round in range(10):
    for size in 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56:
        values = numpy.linspace(0.01, 2.9, size)
        for function in numpy.sin, numpy.exp, numpy.log1p, numpy.tanh:
            x = values.copy()
            y = function(x)
            kept += x, y
            expected = first.setdefault((function.__name__, size), y)
            different += int((y != expected).sum())
            count += size
starts = {array.__array_interface__["data"][0] for array in kept}
touching = sum(array.__array_interface__["data"][0] + array.nbytes in starts for array in kept)
print(f"{touching} touching, {different} different of {count}")
print([y.tolist() for y in first.values()])
"""

SHIM = r"""
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

enum { KNOWN = 1 << 20 };
static int asked[KNOWN];

int times_asked(size_t size) { return asked[size]; }

static void count(size_t size)
{
    if (size < KNOWN) {
        __atomic_add_fetch(&asked[size], 1, __ATOMIC_RELAXED);
    }
}

void *malloc(size_t size) { count(size); return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { count(n * size); return __libc_calloc(n, size); }
void *realloc(void *p, size_t size) { count(size); return __libc_realloc(p, size); }
void free(void *p) { __libc_free(p); }
"""

# Sizes that nobody else asks for.
PRELOADED = """
import ctypes
times_asked = ctypes.CDLL(None).times_asked
times_asked.argtypes = ctypes.c_size_t,
def check(what, size):
    print(what, times_asked(size))
raw = ctypes.pythonapi.PyMem_RawMalloc
raw.argtypes, raw.restype = (ctypes.c_size_t,), ctypes.c_void_p
raw(777_701)
check("raw domain", 777_701)
text = b"x" * 777_703
check("bytes", 777_703 + bytes.__basicsize__)
data = [0] * 77_771
check("list", 77_771 * 8)
try:
    import numpy
    x = numpy.empty(777_709, dtype="u1")
    y = numpy.zeros(777_713, dtype="u1")
    check("numpy.empty", 777_709)
    check("numpy.zeros", 777_713)
except ImportError:
    pass
"""


def run(python, program, **environment):
    return subprocess.run([python, "-c", program], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


@unittest.skipUnless(numpy, "numpy is missing")
class Numbers(unittest.TestCase):
    def results(self, python):
        done = run(python, NUMBERS)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_arrays_do_not_touch_and_results_do_not_depend_on_their_place(self):
        self.assertEqual(self.results(sys.executable)[0], "0 touching, 0 different of 12720")

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the peer runs on another processor")
    @unittest.skipUnless(os.path.exists(PEER), f"{PEER} is missing")
    def test_results_are_those_of_the_peer(self):
        self.assertEqual(self.results(sys.executable), self.results(PEER))


@unittest.skipIf(SANITIZER, "the sanitizer's malloc must come first")
@unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator would be preloaded, too")
@unittest.skipUnless(COMPILER, "no C compiler")
class Preloaded(unittest.TestCase):
    def test_another_malloc_serves_the_process(self):
        with tempfile.TemporaryDirectory() as directory:
            source = os.path.join(directory, "shim.c")
            shim = os.path.join(directory, "shim.so")
            with open(source, "w") as f:
                f.write(SHIM)
            subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-fno-builtin", source, "-o", shim], check=True)
            done = run(sys.executable, PRELOADED, LD_PRELOAD=shim)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        users = ["raw domain", "bytes", "list"] + ["numpy.empty", "numpy.zeros"] * bool(numpy)
        self.assertEqual(done.stdout.splitlines(), [f"{user} 1" for user in users])


if __name__ == "__main__":
    unittest.main()

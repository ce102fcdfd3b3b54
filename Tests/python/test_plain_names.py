"""Tools see static functions by their plain names, whatever the link has called them."""
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest

PORTABLE = "names in files"

TOOL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                     "Tools", "build", "plain_names.py"))
EMULATED = "SPRINGBOARD_EMULATOR" in os.environ

SOURCE = """
static __attribute__((noinline)) int publish_%(n)d(int) __asm__("publish.llvm.%(n)d");
static __attribute__((noinline)) int publish_%(n)d(int x) { __asm__(""); return x + %(n)d %% 10; }
int table_%(n)d[3] __asm__("table_%(n)d.llvm.%(n)d.cold");
int part_%(n)d(int x) { return publish_%(n)d(x) + table_%(n)d[0]; }
"""
NUMBERS = 1234567891, 98765432
MAIN = "int main(void) { return part_1234567891(1) + part_98765432(2) == 6 ? 42 : 1; }"


def compiler():
    for name in "clang-19", "cc", "gcc":
        if shutil.which(name):
            return name
    return None


def names(path):
    text = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    return sorted(line.split()[-1] for line in text.splitlines())


@unittest.skipUnless(shutil.which("nm"), "no nm")
class PlainNames(unittest.TestCase):
    @unittest.skipUnless(compiler() and not EMULATED, "no compiler")
    def test_numbers_are_taken_off(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = (os.path.join(folder, name) for name in ("a.c", "a"))
            with open(source, "w") as f:
                for n in NUMBERS:
                    f.write(SOURCE % {"n": n})
                f.write(MAIN)
            subprocess.run([compiler(), "-g", "-Wno-everything", "-o", program, source], check=True,
                           stderr=subprocess.DEVNULL)
            before = names(program)
            self.assertIn("publish.llvm.98765432", before)
            subprocess.run([sys.executable, "-I", "-S", "-B", TOOL, program], check=True)
            after = names(program)
            self.assertEqual(after.count("publish"), 2)
            self.assertIn("table_98765432.cold", after)
            self.assertEqual([name for name in after if ".llvm." in name], [])
            self.assertEqual(len(after), len(before))
            self.assertEqual(subprocess.run([program]).returncode, 42)

    @unittest.skipIf(EMULATED, "the emulator is another program")
    def test_our_own_program_has_plain_names(self):
        library = os.path.join(sysconfig.get_config_var("LIBDIR") or "", "libpython3.11.so.1.0")
        for path in sys.executable, library:
            if os.path.exists(path):
                self.assertEqual([name for name in names(path) if ".llvm." in name], [])


if __name__ == "__main__":
    unittest.main()

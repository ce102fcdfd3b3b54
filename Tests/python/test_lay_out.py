"""Tools/build/lay_out: machine code is laid out by what a training run executes."""
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                     "Tools", "build", "lay_out"))
STACK_HEADER = os.path.join(os.path.dirname(TOOL), "stack_header.py")
BEHIND_ZEROS = os.path.join(os.path.dirname(TOOL), "behind_zeros.py")
BOLT = os.path.realpath(shutil.which("llvm-bolt-19") or "/")
EMULATED = "SPRINGBOARD_EMULATOR" in os.environ
NEEDS_BOLT = unittest.skipUnless(os.path.isfile(BOLT) and shutil.which("clang-19") and not EMULATED,
                                 "no llvm-bolt-19")
NOP = 0x90

# Each of its blocks is executed and may leave the function, as the interpreter's instructions do for
# their general form; the second never does, and is not counted.
LEAVES = """
int slow(int *values) { return values[1] - 1; }
extern int quick(int *values);
__asm__(".type quick,@function; quick:"
        "cmpl $7, (%rdi); jne slow;"
        "movl 4(%rdi), %eax; testl %eax, %eax; je slow;"
        "cmpl $1000, 8(%rdi); jge slow;"
        "incl %eax; ret; .size quick, . - quick");
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 100000; i++) {
        int values[] = {i % 50 == 0 ? 6 : 7, 1 + i % 60, i % 1100};
        sum += quick(values);
    }
    return sum == 1;
}
"""
SOURCE = """
#include <stdio.h>
char zeros[5 << 20];                            /* more than what is added to the file begins behind */
__attribute__((noinline)) int twice(int n) { __asm__ volatile(""); return 2 * n; }
__attribute__((noinline)) int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (__builtin_expect(i % 5000 != 4999, 0)) { sum += twice(i); }     /* a wrong guess */
        else { printf("rare\\n"); sum -= 1; }
    }
    return sum;
}
__attribute__((noinline)) int often(int n)
{
    int sum = zeros[n % 3];
    for (int i = 0; i < n; i++) { sum += twice(i ^ sum); }
    return sum;
}
__attribute__((noinline)) int special(int n)
{
    int sum = zeros[n % 5];
    for (int i = 0; i < n; i++) { sum += twice(i + sum); }
    return sum;
}
__attribute__((noinline)) int at_the_start(int n) { __asm__ volatile(""); return n ^ zeros[n % 7]; }
int main(int argc, char **argv)
{
    (void)argv;
    zeros[argc] = 1;
    if (argc > 3) {
        for (int i = 1; i < 1000000; i++) { zeros[i % 9] += (char)special(2); }
        return 0;
    }
    if (argc > 2) {
        return often(100000) == 1;
    }
    zeros[argc] = (char)at_the_start(argc);
    return printf("%d\\n", work(3000 + 1000 * argc)) < 0;
}
"""


def sections(path):
    """{name: (type, address, offset, size)}"""
    text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout
    return {name: (kind, int(address, 16), int(offset, 16), int(size, 16))
            for name, kind, address, offset, size in
            re.findall(r"\] (\S+) +(\w+) +(\w+) (\w+) (\w+)", text)}


def stack_of(path):
    text = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout
    return re.search(r"GNU_STACK +(?:0x\w+ +){5}([RWE]+)", text)[1]


def overlaps(path):
    """Segments that begin in the file where the zeros at the end of another would be, if the file had
    them: there perf takes functions for variables."""
    text = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout
    loads = [(int(offset, 16), int(size, 16)) for offset, size in
             re.findall(r" LOAD +(0x\w+) 0x\w+ 0x\w+ 0x\w+ (0x\w+)", text)]
    assert len(loads) > 2, text
    return [(hex(a), hex(b)) for a, size in loads for b, _ in loads if a < b < a + size
            and b & 0xfff == 0]


@unittest.skipUnless(shutil.which("readelf") and shutil.which("nm"), "no binutils")
class LayOut(unittest.TestCase):
    def lay_out(self, folder, bolt, *starts, command):
        return subprocess.run([TOOL, bolt, "program", "counted", "counts", *starts, "--", *command],
                              cwd=folder, capture_output=True, text=True)

    def address(self, program, name):
        names = subprocess.run(["nm", program], capture_output=True, text=True).stdout
        return re.search(rf"(?m)^(\w+) \w {name}$", names)[1]

    def test_a_tool_that_fails_leaves_the_program_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            tool, program = (os.path.join(folder, name) for name in ("bolt", "program"))
            with open(tool, "w") as f:
                f.write('#!/bin/sh\n[ "$2" = -o ] && : >"$3"\necho "BOLT-ERROR: no memory"\nexit 1\n')
            os.chmod(tool, 0o755)
            with open(program, "w") as f:
                f.write("as linked")
            done = self.lay_out(folder, tool, "./counted", command=["./counted"])
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "LAYOUT\nnote: the machine code stays as it was linked "
                                          "(counts/log): BOLT-ERROR: no memory\n")
            with open(program) as f:
                self.assertEqual(f.read(), "as linked")
            self.assertFalse(os.path.exists(os.path.join(folder, "counted")))

    def link(self, folder, source=SOURCE):
        program = os.path.join(folder, "program")
        subprocess.run(["clang-19", "-O1", "-g", "-xc", "-", "-no-pie", "-fuse-ld=lld-19",
                        "-Wl,--emit-relocs", "-Wl,-z,wxneeded", "-o", program],
                       input=source, text=True, check=True)
        return program

    @NEEDS_BOLT
    @unittest.skipUnless(platform.machine() == "x86_64", "instructions of x86-64")
    def test_blocks_that_may_leave_their_function_are_not_taken_for_rare(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.link(folder, LEAVES)
            self.assertEqual(self.lay_out(folder, BOLT, "./counted", command=["./counted"]).stdout,
                             "LAYOUT\n")
            names = subprocess.run(["nm", program], capture_output=True, text=True).stdout
            self.assertRegex(names, " quick\n")
            self.assertNotRegex(names, r" quick\.cold")
            subprocess.check_call([program])

    @NEEDS_BOLT
    def test_what_the_first_start_executes_comes_first_and_so_on(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.link(folder)
            done = self.lay_out(folder, BOLT, "./counted", "./counted very often",
                                command=["./counted", "a", "special", "one"])
            self.assertEqual(done.stdout, "LAYOUT\n")
            started = [int(self.address(program, name), 16) for name in ("main", "at_the_start", "work")]
            often, special = (int(self.address(program, name), 16) for name in ("often", "special"))
            self.assertLess(max(started), often)
            self.assertLess(often, special)
            subprocess.check_call([program, "very", "often"])

    @NEEDS_BOLT
    def test_what_is_rare_is_moved_away(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.link(folder)
            before = [subprocess.check_output([program, *more]) for more in ([], ["x"])]
            done = self.lay_out(folder, BOLT, "./counted", command=["./counted"])
            self.assertEqual(done.stdout, "LAYOUT\n")
            self.assertEqual(os.listdir(folder).count("counted"), 0)
            self.assertIn(".text.cold", sections(program))
            names = subprocess.run(["nm", program], capture_output=True, text=True).stdout
            self.assertRegex(names, r" work\.cold\.0\n")
            subprocess.run([sys.executable, "-I", "-S", "-B", STACK_HEADER, program], check=True)
            self.assertEqual(stack_of(program), "RW")
            self.assertNotEqual(overlaps(program), [])
            for _ in range(2):          # the second time there is nothing to do
                subprocess.run([sys.executable, "-I", "-S", "-B", BEHIND_ZEROS, program], check=True)
                self.assertEqual(overlaps(program), [])
            named = subprocess.run(["addr2line", "-fe", program, self.address(program, "work")],
                                   capture_output=True, text=True).stdout
            self.assertRegex(named, r"^work\n")
            subprocess.run(["strip", program], check=True)      # GNU's knows no newer headers
            after = [subprocess.check_output([program, *more]) for more in ([], ["x"])]
            self.assertEqual(after, before)
            self.assertEqual([b"rare\n" in said for said in after], [False, True])

    @unittest.skipIf(EMULATED, "the emulator is another program")
    def test_probes_of_our_own_program_are_where_its_notes_say(self):
        there = sections(sys.executable)
        if ".note.stapsdt" not in there:
            self.skipTest("no static probes")
        notes = subprocess.run(["readelf", "-nW", sys.executable], capture_output=True, text=True,
                               env={**os.environ, "LC_ALL": "C"}).stdout
        code = [where for name, where in there.items() if ".text" in name]
        places = [int(place, 16) for place in re.findall(r"Location: (0x\w+)", notes)]
        self.assertGreaterEqual(len(places), 12)
        with open(sys.executable, "rb") as f:
            for place in places:
                offset, = [place - address + offset for _, address, offset, size in code
                           if address <= place < address + size]
                f.seek(offset)
                self.assertEqual(f.read(1)[0], NOP, hex(place))

    @unittest.skipIf(EMULATED, "the emulator is another program")
    def test_stacks_of_our_own_program_are_not_executable(self):
        self.assertEqual(stack_of(sys.executable), "RW")

    @unittest.skipIf(EMULATED, "the emulator is another program")
    def test_functions_of_our_own_program_are_not_where_variables_would_be(self):
        self.assertEqual(overlaps(sys.executable), [])

    @unittest.skipIf(EMULATED, "the emulator is another program")
    def test_our_own_program_is_laid_out(self):
        try:
            with open(os.path.join(os.path.dirname(sys.executable), "Makefile")) as f:
                wanted = re.search(r"(?m)^BOLT = /", f.read())
        except OSError:
            wanted = None
        if not wanted:
            self.skipTest("this build is not laid out")
        self.assertIn(".bolt.org.text", sections(sys.executable))


if __name__ == "__main__":
    unittest.main()

"""Compiled functions are functions: to perf, gdb and unwinders, at every instruction."""
import collections
import os
import platform
import re
import subprocess
import sys
import tempfile
import unittest

from support import need_frame_pointers, perf_refusal, python_chain, record
from test_gdb import gdb_refusal

# leaf() has an entry in mid-loop too, mid() and top() keep values across calls.
PROGRAM = """\
import sys, time
def leaf(n):
    r = 0
    for i in range(n):
        r += i & 7
    return r
def mid(n, x=0.5):
    y = x * n
    return leaf(n) + y
def top(n):
    s = 0
    for i in range(n):
        s += mid(i)
    return s
def main():
    end = time.time() + 0.3
    while time.time() < end:
        top(50)
    ready()
    top(int(sys.argv[1]))
def ready():
    print("ready", flush=True)
main()
"""

# Steps through instructions, and says which chains of Python functions were seen.
STEPS = """
import collections, gdb
def chain():
    frame, names, ends = gdb.newest_frame(), [], False
    while frame is not None:
        name = frame.name() or ''
        if name.startswith('py::'):
            names.append(name.split(':')[2])
        ends |= name == 'Py_RunMain'
        frame = frame.older()
    return ' '.join(names[::-1]) + ('' if ends else ' cut off')
seen = collections.Counter()
gdb.execute('set confirm off')
gdb.execute('set breakpoint pending on')
gdb.execute('break write')
gdb.execute('run')
while chain() != '<module> main ready':
    gdb.execute('continue')
gdb.execute('delete')
gdb.execute('break _PyRange_DropIterator')        # in top() or leaf(), at a loop's end
gdb.execute('continue')
gdb.execute('delete')
for i in range(3000):
    gdb.execute('stepi', to_string=True)
    name = gdb.newest_frame().name() or '?'
    if name.startswith('py::') or name == '?':
        seen[chain()] += 1
for names, count in seen.items():
    print('seen', count, names)
"""


# Methods that are a part of work(), one within the other, and a comprehension that is, too.
BUILT_IN = """\
import sys, time
class P:
    def __init__(self, x): self.x = x
    def get(self):
        return (self.x * 3 + 1) % 7 + (self.x * 5 + 2) % 11 + self.more() + self.more()
    def more(self):
        return (self.x * 7 + 3) % 13 if self.x < 100 else self.x
def work(p, few=(1, 2, 3)):
    n = 0
    for i in range(2000):
        n += p.get()
        if n & 1:
            n += sum(x * x for x in few)
            n += p.more()
    return n
def main(seconds):
    p, end = P(5), time.process_time() + seconds
    while time.process_time() < end:
        work(p)
"""


@unittest.skipIf(perf_refusal(), perf_refusal())
class BuiltIn(unittest.TestCase):
    """Small functions that are a part of their callers stand in the stacks all the same."""

    def test_they_are_shown(self):
        for program, options in (("main(0.5)", ["-X", "perf"]),
                                 ("main(0.2); sys.activate_stack_trampoline('perf'); main(0.6)",
                                  [])):
            with self.subTest(program, options=options):
                chains = [python_chain(stack)
                          for stack in record([*options, "-c", BUILT_IN + program])]
                chains = [chain[chain.index("work"):] for chain in chains if "work" in chain]
                self.assertGreater(len(chains), 100)
                seen = collections.Counter(map(" > ".join, chains))
                for inner in "P.get", "P.get > P.more", "work.<locals>.<genexpr>":
                    self.assertGreater(seen[f"work > {inner}"], 0.03 * len(chains), seen)

    def test_lines_of_theirs(self):
        lines = collections.Counter()
        for stack in record(["-X", "perf", "-X", "perf_lines", "-c", BUILT_IN + "main(0.5)"]):
            if stack[0].startswith("py::P.more:"):
                caller = next(name for name in stack[1:] if name.startswith("py::")).split(":")
                lines[int(stack[0].rsplit(":", 1)[1]), caller[2], int(caller[-1])] += 1
        total = sum(lines.values())
        self.assertGreater(total, 50)
        for expected in (7, "P.get", 5), (7, "work", 14):
            self.assertGreater(lines[expected], 0.05 * total, lines)

    def test_they_are_built_in(self):
        """In the map a function has several entries when others are a part of it."""
        program = BUILT_IN + ("import os; main(0.3); print(sum(':work:' in line for line in "
                              "open('/tmp/perf-%d.map' % os.getpid())))")
        done = subprocess.run([sys.executable, "-X", "jit=1", "-X", "perf", "-c", program],
                              capture_output=True, text=True, timeout=60)
        self.assertGreater(int(done.stdout), 3, done.stderr)


# Steps through instructions and follows frame pointers, as the kernel does, by the map's names.
# And by call frame information, which must say the same of the function's frame at each.
WALK = """
import bisect, collections, gdb, re, sys
sys.path.insert(0, FOLDER)
import cfi
def read(path):
    rows = []
    for line in open(path):
        start, size, name = line.split(None, 2)
        rows.append((int(start, 16), int(size, 16), name.split(':')[2] if 'py::' in name else ''))
    return sorted(rows)
def name_at(rows, address):
    i = bisect.bisect(rows, (address, 1 << 60, '')) - 1
    return rows[i][2] if i >= 0 and address - rows[i][0] < rows[i][1] else ''
WORD = gdb.lookup_type('unsigned long')
def word(address):
    return int(gdb.Value(address).cast(WORD.pointer()).dereference())
def register(name):
    return int(gdb.selected_frame().read_register(name)) & (1 << 64) - 1
def walk(rows):
    names = [name_at(rows, register('pc'))]
    fp = register('rbp')
    for _ in range(60):
        name = name_at(rows, word(fp + 8))
        if name:
            names.append(name)
        if name == '<module>':
            break
        fp = word(fp)
    return ' '.join(names[::-1])
gdb.execute('set confirm off')
gdb.execute('set breakpoint pending on')
gdb.execute('break write')
gdb.execute('run')
while True:
    if gdb.selected_frame().name() and 'write' in gdb.selected_frame().name() \\
            and register('rdi') == 1:
        break
    gdb.execute('continue')
gdb.execute('delete')
rows = read('/tmp/perf-%d.map' % gdb.selected_inferior().pid)
entry = min(start for start, size, name in rows if name == 'work' and size > 16)
seen, frames = collections.Counter(), collections.Counter()
gdb.execute('break *%d' % entry)
gdb.execute('continue')
gdb.execute('delete')
steps, frame = 0, register('rsp') + 8
jit = gdb.parse_and_eval('_PyJit_Installed')
while int(jit['start']) != entry:
    jit = jit['next']
info = jit['frame_info'].dereference()
place = int(info['bytes'].address)
table = gdb.selected_inferior().read_memory(place, int(info['size'])).tobytes() + bytes(4)
def frame_by_cfi():
    reg, offset = cfi.rules_at(table, place, register('pc'))[1]['cfa']
    return register({6: 'rbp', 7: 'rsp'}[reg]) + offset
while steps < 4000:
    gdb.execute('stepi', to_string=True)
    if name_at(rows, register('pc')):
        seen[walk(rows)] += 1
        frames[frame_by_cfi() - frame] += 1
        steps += 1
    else:
        gdb.execute('finish', to_string=True)   # C, of which a frame is the innermost
for names, count in seen.items():
    print('seen', count, names)
print('frames', dict(frames))
""".replace("FOLDER", repr(os.path.dirname(os.path.abspath(__file__))))


@unittest.skipIf(gdb_refusal() or platform.machine() != "x86_64", "gdb on x86-64")
class Walk(unittest.TestCase):
    def test_frame_pointers_lead_out_of_built_in_functions_at_every_instruction(self):
        program = BUILT_IN + "main(0.3)\nprint('ready', flush=True)\nwork(P(5))\n"
        with tempfile.TemporaryDirectory() as folder:
            path, steps = (os.path.join(folder, name) for name in ("program.py", "steps.py"))
            for name, text in (path, program), (steps, WALK):
                with open(name, "w") as f:
                    f.write(text)
            done = subprocess.run(
                ["gdb", "-nx", "-q", "-batch", "-x", steps, "--args", sys.executable,
                 "-X", "jit=1", "-X", "perf", path],
                capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        seen = {names: int(count) for count, names
                in re.findall(r"^seen (\d+) (.*)$", done.stdout, re.M)}
        work = "<module> work"
        inner = work + " P.get", work + " P.get P.more", work + " work.<locals>.<genexpr>", \
            work + " P.more"
        self.assertEqual(set(seen) - {work, *inner}, set(), done.stdout[-3000:] + done.stderr)
        for names in inner:
            self.assertGreater(seen.get(names, 0), 20, seen)
        self.assertIn("frames {0: 4000}", done.stdout)


@unittest.skipIf(gdb_refusal(), str(gdb_refusal()))
class Gdb(unittest.TestCase):
    def test_chains_are_whole_at_every_instruction(self):
        with tempfile.TemporaryDirectory() as folder:
            path, steps = (os.path.join(folder, name) for name in ("program.py", "steps.py"))
            for name, text in (path, PROGRAM), (steps, STEPS):
                with open(name, "w") as f:
                    f.write(text)
            done = subprocess.run(
                ["gdb", "-nx", "-q", "-batch", "-x", steps, "--args", sys.executable,
                 "-X", "jit=1", "-X", "perf_gdb", path, "1000"],
                capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        seen = {names: int(count) for count, names
                in re.findall(r"^seen (\d+) (.*)$", done.stdout, re.M)}
        main = "<module> main top"
        self.assertEqual(set(seen) - {main, main + " mid", main + " mid leaf"}, set(),
                         done.stdout[-3000:])
        for names in main, main + " mid", main + " mid leaf":
            self.assertGreater(seen.get(names, 0), 20, seen)


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
class Perf(unittest.TestCase):
    def chains(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as f:
                f.write(PROGRAM)
            stacks = record(["-X", "jit=1", *options, path, "15000"])
        return [(stack, python_chain(stack)) for stack in stacks]

    @unittest.skipUnless(*need_frame_pointers())
    def test_the_innermost_frame_is_the_function_itself(self):
        """Not one of the interpreter's; and what is below it is whole. (By frame pointers a
        function's first and last instructions hide its caller, as in C.)"""
        whole = without_caller = 0
        for stack, chain in self.chains("-X", "perf"):
            if stack[0].startswith("py::leaf:"):
                self.assertIn(chain, [["<module>", "main", "top", "mid", "leaf"],
                                      ["<module>", "main", "top", "leaf"]])
                whole += "mid" in chain
                without_caller += "mid" not in chain
        self.assertGreater(whole, 50)
        self.assertLess(without_caller, 0.1 * whole)

    def test_lines(self):
        lines = {}
        for stack, chain in self.chains("-X", "perf", "-X", "perf_lines"):
            if stack[0].startswith("py::leaf:"):
                line = int(stack[0].rsplit(":", 1)[1])
                lines[line] = lines.get(line, 0) + 1
        total = sum(lines.values())
        self.assertGreater(total, 50)
        self.assertGreater(lines.get(4, 0) + lines.get(5, 0), 0.8 * total, lines)
        self.assertGreater(min(lines.get(4, 0), lines.get(5, 0)), 0.05 * total, lines)


# How far backtrace() gets from within compiled functions.
DEPTHS = """\
import ctypes, sys, time
libc = ctypes.CDLL(None)
buffer = (ctypes.c_void_p * 200)()
ends = ctypes.cast(ctypes.pythonapi.Py_BytesMain, ctypes.c_void_p).value
def look(n):
    x = 0
    for i in range(n): x += i
    return libc.backtrace(buffer, 200)
def outer(n): return look(n) + 0
def many():
    end = time.time() + 0.2
    while time.time() < end: outer(50)
    return outer(50)
n = many()
print(n, any(0 <= (buffer[i] or 0) - ends < 1000 for i in range(n)))
"""

# The same when nothing that unwinds was there while they were compiled.
LATER = """\
import sys, time
def look(n, f):
    x = 0
    for i in range(n): x += i
    return f()
def outer(n, f): return look(n, f) + 0
def compiled(): return sys._jit.figures()["compiled"]
before, end = compiled(), time.time() + 30       # of which an emulator takes some
while compiled() < before + 2 and time.time() < end: outer(500, int)
was_there = "libgcc" in open("/proc/self/maps").read()
def walk():
    import ctypes
    buffer = (ctypes.c_void_p * 200)()
    n = ctypes.CDLL(None).backtrace(buffer, 200)
    ends = ctypes.cast(ctypes.pythonapi.Py_BytesMain, ctypes.c_void_p).value
    return n if any(0 <= (buffer[i] or 0) - ends < 1000 for i in range(n)) else -n
print(was_there, outer(50, walk) > 0, compiled() >= before + 2)
"""


class Unwinders(unittest.TestCase):
    def test_backtrace_passes_compiled_functions(self):
        for options in [], ["-X", "perf_jit"]:
            done = subprocess.run([sys.executable, "-X", "jit=1", *options, "-c", DEPTHS],
                                  capture_output=True, text=True, timeout=60)
            self.assertRegex(done.stdout, r"\A\d+ True\n\Z", done.stderr)

    def test_backtrace_passes_functions_compiled_before_libgcc_was_loaded(self):
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        done = subprocess.run([sys.executable, "-X", "jit=1", "-c", LATER], env=environment,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "False True True\n", done.stderr)


if __name__ == "__main__":
    unittest.main()

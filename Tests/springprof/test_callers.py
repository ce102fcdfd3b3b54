"""Code without frame pointers has its callers."""
import importlib.util
import os
import textwrap
import types
import unittest

from springprof import machine, recording, sampling, symbols, tables
from springprof.callers import ENDS, Stitcher, Whole
from springprof.recording import COMPILED, KERNEL, LIBRARY, PYTHON, Builder
from springprof.symbols import Sample
from support import SPIN, file, folder, refusal, springprof

LONG = "records programs"

MATRICES = """\
import numpy, time
def multiply(a): return a @ a
def sines(a): return numpy.sin(a).sum()
def work():
    a = numpy.random.rand(400, 400)
    for i in range(60):
        multiply(a)
        sines(a)
def settle():
    end = time.process_time() + 0.1
    while time.process_time() < end: pass
settle()                    # what comes after this is work
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


# Debian's own module is code without frame pointers.
DEBIANS_DECIMAL = """\
import importlib.util, sys, sysconfig
path = sysconfig.get_path("platstdlib") + "/lib-dynload/_decimal.cpython-311-%s-linux-gnu.so"
spec = importlib.util.spec_from_file_location("_decimal", path % __import__("os").uname().machine)
sys.modules["_decimal"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["_decimal"])
"""


class Repair(unittest.TestCase):
    """Which copy's callers a broken sample gets. Times are milliseconds."""

    def setUp(self):
        self.builder = builder = Builder()
        self.start = builder.frame("__libc_start_call_main", kind=LIBRARY, dso="/lib/libc.so.6")
        self.importing, self.working = (builder.frame("<module>", "/app.py", line, PYTHON)
                                        for line in (1, 9))
        self.inside = builder.frame("inside", kind=LIBRARY, dso="/lib/x.so")
        self.other = builder.frame("other", kind=LIBRARY, dso="/lib/x.so")
        self.garbage = builder.frame("[unknown]", kind=LIBRARY, dso="[unknown]")
        self.stitcher = Stitcher(types.SimpleNamespace(builder=builder), 127)

    def chain(self, *frames):
        return [(0, frame) for frame in frames]

    def sample(self, time, *frames):
        sample = Sample(1, 1, "python", time * 1_000_000, 1, "counted")
        sample.chain = self.chain(*frames)
        return sample

    def repaired(self, *wholes):
        """Frames of a broken sample at 500, between whole ones of the import."""
        samples = [self.sample(490, self.importing, self.start),
                   self.sample(500, self.inside, self.garbage),
                   self.sample(510, self.importing, self.start)]
        found = [Whole(time * 1_000_000, self.chain(*frames)) for time, *frames in wholes]
        culprits, left, lent, partly = self.stitcher.repair(samples, {1: found})
        self.assertEqual(dict(culprits), {"/lib/x.so": 1})
        self.assertEqual((left, lent), (0, 0))
        if found and partly:
            self.assertEqual(samples[1].chain,
                             self.chain(self.inside, self.importing, self.start))
        return None if partly else [frame for _, frame in samples[1].chain]

    def test_the_nearest_of_the_same_function(self):
        far, near = (self.inside, self.other, self.importing, self.start), (
            self.inside, self.importing, self.start)
        self.assertEqual(self.repaired((100, *far), (520, *near)), list(near))

    def test_callers_that_others_have_count_more_than_time(self):
        right = self.inside, self.importing, self.start
        wrong = self.inside, self.working, self.start
        # A half of what is expected is the start; a third frame tells them apart.
        self.assertEqual(self.repaired((501, *wrong), (900, *right)), list(right))

    def test_callers_that_others_have_count_more_than_the_function(self):
        """All functions of a library without symbols have one name."""
        right = self.other, self.importing, self.start
        wrong = self.inside, self.working, self.start
        self.assertEqual(self.repaired((501, *wrong), (520, *right)), list(right))

    def test_frames_inside_a_passed_function_stay(self):
        copy = self.other, self.inside, self.importing, self.start
        self.assertEqual(self.repaired((520, *copy)),
                         [self.inside, self.importing, self.start])

    def test_the_same_library_is_better_than_nothing(self):
        copy = self.other, self.importing, self.start
        self.assertEqual(self.repaired((520, *copy)), list(copy))

    def test_a_thread_without_copies_has_the_callers_of_another(self):
        whole = self.inside, self.working, self.start
        for pid, tid, copied, function, lent in (
                (1, 3, 2, self.inside, True),
                (1, 3, 2, self.other, False),       # of the same library only
                (1, 1, 2, self.inside, False),      # the first thread runs something else
                (1, 3, 1, self.inside, False),
                (9, 3, 2, self.inside, False)):     # another process
            sample = self.sample(500, function, self.garbage)
            sample.pid, sample.tid = pid, tid
            self.stitcher.pids = {1: 1, 2: 1}
            found = [Whole(480_000_000, self.chain(*whole))]
            self.assertEqual(self.stitcher.repair([sample], {copied: found})[1:],
                             (not lent, lent, 0))
            self.assertEqual(sample.chain, self.chain(*(whole if lent else (function,))))

    def test_what_they_share_is_not_there_twice(self):
        around = [self.sample(time, self.inside, self.working, self.importing, self.start)
                  for time in (490, 510)]
        for broken, whole in (((self.inside, self.working), True),
                              ((self.inside, self.working, self.importing), True),
                              ((self.inside, self.working, self.other), False)):
            sample = self.sample(500, *broken)
            self.stitcher.repair([*around, sample], {})
            self.assertEqual(sample.chain, self.chain(
                self.inside, self.working, self.importing, self.start) if whole
                else self.chain(*broken))

    def test_another_threads_copy_may_be_of_any_time(self):
        whole = self.chain(self.inside, self.working, self.start)
        sample = self.sample(90_000, self.inside, self.garbage)
        sample.tid, self.stitcher.pids = 3, {2: 1}
        self.assertEqual(self.stitcher.repair([sample], {2: [Whole(480_000_000, whole)]})[1:],
                         (0, 1, 0))
        self.assertEqual(sample.chain, whole)

    def inserted(self, outside):
        """A chain that frame pointers have led from a library's function to `outside`, after what
        a copy with the same two has told: library (at 10), C (20), C (30), compiled (40). Call
        frame information tells the byte before a return address."""
        compiled = self.builder.frame("compiled", "/app.py", 3, COMPILED)
        user = [(10, self.inside), (20, self.other), (30, self.garbage), (40, compiled)]
        chain = [*((address + 1, frame) for address, frame in user[1:]), (51, self.working),
                 (61, self.start)]
        chain = chain[next(at for at, (address, _) in enumerate(chain) if address > outside):]
        absolute = 0x5000_0000 + outside + 1
        deep, learnt, sample = map(self.sample, (480, 470, 500))
        deep.chain, learnt.chain, sample.chain = user, [(0, self.inside), chain[0]], [
            user[0], *chain]
        copy = types.SimpleNamespace(tid=1, time=deep.time, fp=0, word={8: absolute}.get)
        found = self.stitcher.passed_over([deep], [copy], [learnt],
                                          [(1, learnt.time, [0, absolute])])
        self.stitcher.insert([sample], found)
        return user, chain, sample.chain

    def test_compiled_code_that_a_chain_passes_over(self):
        user, chain, after = self.inserted(50)
        self.assertEqual(after, user + chain)

    def test_compiled_code_that_a_chain_has_is_not_there_twice(self):
        for outside in 20, 30, 40:
            user, chain, after = self.inserted(outside)
            self.assertEqual(after, user[:1] + chain)

    def test_a_chain_through_the_heap_is_not_a_deep_stack(self):
        """libc's pthread_create() has an object's address in the frame pointer's register."""
        heap = self.builder.frame("[[heap]]", kind=LIBRARY, dso="[heap]")
        clone = self.builder.frame("clone3", kind=LIBRARY, dso="/lib/libc.so.6")
        system = self.builder.frame("do_syscall_64", kind=KERNEL)
        sample = self.sample(500, system, clone, *[heap] * 125)
        samples = [self.sample(490, self.inside, self.importing, self.start), sample,
                   self.sample(510, self.importing, self.start)]
        self.assertEqual(self.stitcher.complete(samples), 0)
        whole = self.chain(clone, self.working, self.importing, self.start)
        self.assertEqual(self.stitcher.repair(samples, {1: [Whole(520_000_000, whole)]})[1:],
                         (0, 0, 0))
        self.assertEqual(sample.chain, self.chain(system) + whole)

    def test_a_thread_has_one_outermost_function(self):
        """Call frame information leads to clone3(), frame pointers don't."""
        start, clone = (self.builder.frame(name, kind=LIBRARY, dso="/lib/libc.so.6")
                        for name in ("start_thread", "clone3"))
        for frames, wanted in (((self.inside, start, clone), (self.inside, start)),
                               ((self.inside, start), (self.inside, start)),
                               ((self.inside, clone), (self.inside, clone)), ((clone,), (clone,))):
            copied = self.sample(500, *frames)
            wholes = self.stitcher.wholes([copied], [types.SimpleNamespace(
                tid=1, time=copied.time, memory=b"", start=0)], [], [])
            self.assertEqual([whole.user for whole in wholes.get(1, ())],
                             [self.chain(*wanted)])

    def test_a_number_is_not_the_kernels_code(self):
        number = self.builder.frame("[unknown]", kind=KERNEL)
        sample = self.sample(500, number, self.inside, number, self.other)
        self.stitcher.repair([sample], {})
        self.assertEqual(sample.chain, self.chain(number, self.inside))

    def test_who_starts_a_thread_has_callers(self):
        """In clone3(), only the new thread has none."""
        clone = self.builder.frame("clone3", kind=LIBRARY, dso="/lib/libc.so.6")
        for name, whole in ("ret_from_fork_asm", True), ("do_syscall_64", False):
            system = self.builder.frame(name, kind=KERNEL)
            self.assertEqual(self.stitcher.is_whole(self.chain(system, clone)), whole, name)
            self.assertTrue(self.stitcher.is_whole(self.chain(system, self.inside, clone)))

    def test_what_no_copy_fits_has_what_the_samples_around_it_share(self):
        before = self.sample(490, self.inside, self.working, self.importing, self.start)
        after = self.sample(510, self.other, self.importing, self.start)
        for samples, callers in ((before, after), (self.importing, self.start)), ((before,), ()):
            sample = self.sample(500, self.inside, self.other, self.garbage, self.other)
            self.assertEqual(self.stitcher.repair([*samples, sample], {})[1:],
                             (not callers, 0, bool(callers)))
            self.assertEqual(sample.chain, self.chain(self.inside, self.other, *callers))

    def test_a_stack_that_is_too_deep_has_its_outermost_frames(self):
        main = self.stitcher.reader.builder.frame("main", "/app.py", 20, PYTHON)
        imports = [self.importing] * 8
        whole = self.sample(1, self.inside, *imports, main, self.start)
        deeper = self.sample(2, *imports * 3, main, self.start)
        cut = self.sample(3, *[self.inside] * 119, *imports)
        other = self.sample(4, *[self.other] * 127)
        elsewhere = self.sample(5, *[self.inside] * 119, *imports)
        elsewhere.tid = 2
        self.assertEqual(self.stitcher.complete([whole, deeper, cut, other, elsewhere]), 1)
        self.assertEqual([frame for _, frame in cut.chain[-10:]], [*imports, main, self.start])
        self.assertEqual((len(cut.chain), len(other.chain), len(elsewhere.chain)),
                         (129, 127, 127))

    def test_what_does_not_fit_is_not_taken(self):
        self.assertIsNone(self.repaired())
        self.assertIsNone(self.repaired((9000, self.inside, self.importing, self.start)))
        self.assertIsNone(self.repaired((900, self.inside, self.working, self.garbage)))


class Landings(unittest.TestCase):
    def test_its_own_name_not_that_of_the_one_before(self):
        """perf tells a landing's return address if it has followed frame pointers, and the byte
        before if it has unwound a copy."""
        file("perf-13.map", "1000 8 py::key:/app.py:5\n1008 8 py::multiply:/app.py:7\n"
                            "1010 40 py::compiled:/app.py:9\n")
        builder = Builder()
        reader = symbols.Reader(builder, True, symbols.Maps(folder()))
        for addresses, name, kind in (((0x1009, 0x1008), "multiply", PYTHON),
                                      ((0x1001, 0x1000), "key", PYTHON),
                                      ((0x1020, 0x1021), "compiled", COMPILED)):
            for address in addresses:
                text = f"\t    {address:x} py::told:/app.py:1 (/tmp/perf-13.map)"
                frame = builder.recording.frames[reader._frame(text, 13, False)[1]]
                self.assertEqual((frame.name, frame.kind), (name, kind), hex(address))


class OldMaps(unittest.TestCase):
    def test_a_map_of_an_earlier_process_with_the_number_names_nothing(self):
        path = file("perf-12.map", "1000 10 py::wrong:/old.py\n")
        os.utime(path, (50, 50))
        for since, name in (0, "py::wrong:/old.py"), (40, "py::wrong:/old.py"), (60, None):
            entry = symbols.Maps(folder(), since=since).entry(12, 0x1004)
            self.assertEqual(entry and entry[2], name, since)


class Unseen(unittest.TestCase):
    """What is missing in a recording is said."""

    def note(self, *, used, mode="cpu", unit="ns", kernel=True, frequency=999):
        result = recording.Recording()
        result.meta = {"mode": mode, "unit": unit, "notes": [], "frequency": frequency}
        result.weights.extend([1_000_000_000] * 2)
        sampling.note_unseen(result, machine.Used(*used), types.SimpleNamespace(
            counts_kernel=kernel, sees_more_by_frequency=True))
        return "".join(result.meta["notes"])

    def test_a_note(self):
        self.assertRegex(self.note(used=(3, 2)), r"^60% of the processor time \(3.00 of 5.00 s\) is "
                         "in no sample: .* -F 9999 ")
        self.assertNotIn("-F", self.note(used=(3, 2), frequency=9999))

    def test_no_note(self):
        for facts in ({"used": (1.5, 0.9)}, {"used": (2.2, 5), "kernel": False},
                      {"used": (9, 9), "mode": "wall"}, {"used": (9, 9), "unit": "page-faults"}):
            self.assertEqual(self.note(**facts), "", facts)


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
        begins = 1 + max(n for n, stack in enumerate(stacks)
                         if any(f.is_python and f.name == "settle" for f in stack))
        # Threads of BLAS itself have no Python.
        inside = [stack for stack in stacks[begins:]
                  if any("blas" in f.dso or "_multiarray_umath" in f.dso for f in stack)
                  and stack[-1].name not in ("start_thread", "clone3", "__clone3")]
        self.assertGreater(len(inside), 60, said)
        whole = [stack for stack in inside if any(f.name == "work" and f.line for f in stack)]
        lost = [[frame.name for frame in stack] for stack in inside if stack not in whole]
        self.assertGreaterEqual(len(whole) / len(inside), 0.99, lost)
        # Not somebody else under work().
        inner = [next((frame.name for frame in stack if frame.is_python), "")
                 for stack in whole if "blas" in stack[0].dso]
        self.assertGreater(inner.count("multiply") / len(inner), 0.9, inner)
        self.assertIn("code without frame pointers", said)
        self.assertIn("copies of the stack", said)

    def test_threads_that_live_for_a_moment(self):
        result, said = self.record("requests", DEBIANS_DECIMAL + textwrap.dedent("""
            import threading, time
            from decimal import Decimal
            data = [Decimal(i) / 7 for i in range(300)]
            def answer(): sorted(map(str, data))
            def request():
                for _ in range(100): answer()
            end = time.monotonic() + 2
            while time.monotonic() < end:
                thread = threading.Thread(target=request)
                thread.start()
                thread.join()
            """))
        inside = [stack for stack in map(result.stack, result.nodes)
                  if stack and "_decimal" in stack[0].dso]
        self.assertGreater(len(inside), 20, said)
        whole = [stack for stack in inside if any(f.name == "request" for f in stack)]
        self.assertGreaterEqual(len(whole) / len(inside), 0.9, said)

    def test_a_thread_for_each_request(self):
        """Neither those that live for two milliseconds nor the one that starts them lose their
        callers, and nobody has callers that are data."""
        result, said = self.record("server", DEBIANS_DECIMAL + textwrap.dedent("""
            import threading, time
            from decimal import Decimal
            data = [Decimal(i) / 7 for i in range(300)]
            def answer(): sorted(map(str, data))
            def request():
                end = time.thread_time() + 0.002
                while time.thread_time() < end: answer()
            end = time.monotonic() + 2.5
            while time.monotonic() < end:
                threads = [threading.Thread(target=request) for _ in range(3)]
                for thread in threads: thread.start()
                for thread in threads: thread.join()
            """))
        stacks = [[frame for frame in result.stack(node) if frame.kind != KERNEL]
                  for node in result.nodes]
        stacks = [stack for stack in stacks if stack]
        self.assertGreater(len(stacks), 300, said)
        broken = [[frame.name for frame in stack] for stack in stacks if stack[-1].name not in ENDS]
        self.assertLess(len(broken) / len(stacks), 0.02, broken)
        data = [[frame.name for frame in stack] for stack in stacks
                if any(frame.name == "[[heap]]" for frame in stack[1:])]
        self.assertEqual(data, [])

    def test_threads_that_no_sample_shows(self):
        program = SPIN + textwrap.dedent("""
            import threading
            for _ in range(1500):
                thread = threading.Thread(target=spin, args=(10_000,))
                thread.start()
                thread.join()
            """)
        self.assertIn("is in no sample: threads", self.record("moments", program)[1])

    def test_system_calls(self):
        result, said = self.record("files", FILES)
        functions = {key[0]: row for key, row in tables.Tables(result).functions.items() if key[2]}
        stacks = [result.stack(node) for node in result.nodes]
        inside = [stack for stack in stacks if any("open" in f.name and "libc.so" in f.dso
                                                   for f in stack)]
        # Without the kernel's time, little of it is left.
        self.assertGreater(len(inside), 50 if result.meta["kernel"] else 5, said)
        lost = [stack for stack in inside if not any(f.name == "opened" for f in stack)]
        self.assertLessEqual(len(lost), len(inside) // 50 + 1,
                             [[frame.name for frame in stack] for stack in lost])
        self.assertIn("work", functions)


if __name__ == "__main__":
    unittest.main()

"""The file: what is written is read; what is not such a file is refused in one line."""
import json
import os
import random
import struct
import unittest
import unittest.mock
import zlib

from springprof import comparison, exports, recording, tables
from springprof.errors import Problem
from springprof.recording import Builder, COMPILED, INTERPRETER, KERNEL, LIBRARY, PYTHON
from support import file, springprof


def example():
    """A recording that was never measured: 10 samples of 1 ms."""
    builder = Builder()
    main = builder.frame("main", "/srv/app.py", 10, PYTHON)
    work = builder.frame("work", "/srv/app.py", 20, PYTHON)
    fast = builder.frame("Fast.<locals>.λ", "/srv/ä b.py", 30, COMPILED)
    op = builder.frame("op_CALL", kind=INTERPRETER, dso="/usr/bin/python")
    memcpy = builder.frame("memcpy", kind=LIBRARY, dso="/lib/libc.so.6")
    read = builder.frame("ksys_read", kind=KERNEL)
    threads = builder.thread(10, 10, "python"), builder.thread(10, 11, "worker")
    for n, (thread, stack) in enumerate((
            (0, [main]), (0, [op, main]), (0, [op, work, main]), (0, [memcpy, op, work, main]),
            (1, [read, op, work, work, main]), (1, [fast, main]), (1, [fast, main]),
            (1, [memcpy]), (0, []), (0, [work, main]))):
        builder.sample(1_000_000_000 + n * 1_000_000, threads[thread], stack, 1_000_000)
    result = builder.finish(unit="ns", lines=True, event="cpu-clock", mode="cpu", kernel=True,
                            frequency=1000, seconds=0.01, created=1.7e9,
                            command=["python", "app.py"], lost=0,
                            processes=[{"pid": 10, "parent": 1}])
    result.sources = {"/srv/app.py": "".join(f"line {n}\n" for n in range(1, 31))}
    return result


class File(unittest.TestCase):
    def test_what_is_written_is_read(self):
        path, before = file("example.springprof"), example()
        recording.write(before, path)
        after = recording.read(path)
        for name in ("meta", "threads", "parents", "node_frames", "times", "sample_threads",
                     "nodes", "weights", "sources"):
            self.assertEqual(getattr(before, name), getattr(after, name), name)
        self.assertEqual([[getattr(frame, name) for name in frame.__slots__]
                          for frame in before.frames],
                         [[getattr(frame, name) for name in frame.__slots__]
                          for frame in after.frames])
        self.assertEqual(list(after.times[:2]), [0.0, 1e6])

    def test_a_weight_beyond_what_a_sample_holds_is_not_cut(self):
        builder = Builder()
        builder.whole_sample(1, builder.thread(1, 1, "t"), 0, 12_000_000_000)
        self.assertEqual(builder.finish().total, 12_000_000_000)

    def test_a_thread_for_each_request_and_the_gil(self):
        builder = Builder()
        holds, waits = (builder.frame(name) for name in (tables.HOLDS, tables.WAITS))
        for tid, held, waited in (1, 1, 6), (2, 4, 0), *((tid, 1, 1) for tid in range(3, 9)):
            thread = builder.thread(1, tid, "t")
            builder.sample(tid, thread, [holds], held * 10 ** 9)
            builder.whole_sample(tid, thread, builder.node(0, waits), waited * 10 ** 9)
        lines = list(tables.text(builder.finish(mode="gil"), 2))
        self.assertEqual(lines[3:8], [" holds the GIL  waits for it  thread",
                                      "         4.00s         0.00s  t 1/2",
                                      "         1.00s         6.00s  t 1/1",
                                      "         6.00s         6.00s  … 6 more", ""])

    def test_frames_of_no_stack_are_not_in_it(self):
        builder = Builder()
        frames = [builder.frame(name) for name in ("garbage", "f", "more", "g")]
        builder.sample(0, builder.thread(1, 1, "t"), [frames[3], frames[1]], 1)
        result = builder.finish()
        self.assertEqual([frame.name for frame in result.frames], ["f", "g"])
        self.assertEqual([frame.name for frame in result.stack(result.nodes[0])], ["g", "f"])

    def test_names_that_are_no_text(self):
        builder = Builder()
        frame = builder.frame("f\udcff", "/tmp/\udc80.py", 1, PYTHON)
        builder.sample(0, builder.thread(1, 1, "\udcfe"), [frame], 1)
        result = recording.unpack(recording.pack(builder.finish(command=["\udcff"])))
        self.assertEqual(result.frames[0].name, "f\udcff")
        recording.write(result, file("bytes.springprof"))
        for arguments in (("report", "--text"), ("report", "-o", file("bytes.html")),
                          *(("export", "-o", "-", "--format", name)
                            for name in ("pprof", "speedscope", "collapsed", "firefox"))):
            springprof(*arguments, file("bytes.springprof"), text=False)

    def test_damage_is_noticed(self):
        data = recording.pack(example())
        path = file("damaged.springprof")
        chance = random.Random(14)
        for n in range(300):
            damaged = bytearray(data)
            if n % 3:
                damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
            else:
                del damaged[chance.randrange(len(damaged)):]
            with open(path, "wb") as out:
                out.write(damaged)
            try:
                recording.read(path)
            except Problem as problem:
                self.assertNotIn("\n", str(problem))
                self.assertTrue(str(problem).startswith(path), problem)

    def test_numbers_that_point_nowhere_are_noticed(self):
        for column, value in (("nodes", 99), ("parents", 99), ("node_frames", 99),
                              ("sample_threads", 9)):
            bad = example()
            getattr(bad, column)[-1] = value
            with self.assertRaises(ValueError, msg=column):
                recording.unpack(recording.pack(bad))

    def test_texts_of_another_kind_are_noticed(self):
        chance = random.Random(14)
        junk = None, -1, 1e400, "x", [], {}, True, 1 << 70, [1], {"pid": 1}, float("nan"), -5.5

        def spoil(value):
            keys = list(value) if isinstance(value, dict) else range(len(value)) \
                if isinstance(value, list) else ()
            if not keys or chance.random() < 0.2:
                return chance.choice(junk)
            key = chance.choice(keys)
            value[key] = spoil(value[key])
            return value

        sections = list(recording.sections(example()))
        good, refused = example(), 0
        for n in range(400):
            spoiled = []
            at = chance.choice([0, 1, 2, 6])        # META, STRS, THRD, SRCS
            for here, (name, data) in enumerate(sections):
                if here == at:
                    data = json.dumps(spoil(json.loads(data))).encode()
                spoiled.append((name, data))
            with unittest.mock.patch.object(recording, "sections", lambda _: spoiled):
                data = recording.pack(None)
            path = file("spoiled.springprof")
            with open(path, "wb") as out:
                out.write(data)
            try:
                result = recording.read(path)
                comparison.merge(good, result, ("a", "b"))
            except Problem:
                refused += 1
                continue
            list(tables.text(result))
            for form in exports.FORMATS:
                exports.module(form).make(result)
        self.assertGreater(refused, 100)
        self.assertLess(refused, 400)

    def test_a_section_that_unpacks_to_more_than_it_says(self):
        data = recording.HEAD.pack(recording.MAGIC, recording.VERSION, 1)
        packed = zlib.compress(bytes(10_000_000))
        data += recording.SECTION.pack(b"META", 0, len(packed), 10) + packed
        with self.assertRaises(ValueError):
            recording.unpack(data)

    def test_a_file_is_whole_or_not_there(self):
        path = file("whole.springprof")
        with open(path, "w") as out:
            out.write("before")
        bad = example()
        bad.meta["cannot be text"] = object()
        with self.assertRaises(TypeError):
            recording.write(bad, path)
        with open(path) as kept:
            self.assertEqual(kept.read(), "before")
        self.assertFalse([name for name in os.listdir(os.path.dirname(path))
                          if name.startswith(".springprof-")])


class Refusals(unittest.TestCase):
    """One line on standard error, exit code 1, no traceback."""

    def assert_refused(self, expected, *arguments, **options):
        done = springprof(*arguments, check=False, **options)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, "^springprof: .*" + expected)

    def test_files(self):
        path = file("refused")
        for data, expected in (
                (b"", "not a recording"), (b"some text", "not a recording"),
                (b"PERFILE2" + bytes(100), "perf's own file"),
                (struct.pack("<8sII", b"springpf", 99, 0), "version 99 .*version 1"),
                (recording.pack(example())[:-20], "damaged")):
            with open(path, "wb") as out:
                out.write(data)
            for command in (("report",), ("report", "--text"), ("export", "-f", "pprof")):
                self.assert_refused(expected, *command, path)
        self.assert_refused("No such file", "report", file("absent"))
        self.assert_refused("directory", "report", "/tmp")

    def test_outputs(self):
        path = file("ours.springprof")
        recording.write(example(), path)
        self.assert_refused("is the recording itself", "report", path, "-o", path)
        self.assert_refused("No such file", "report", path, "-o", "/nowhere/x.html")
        self.assert_refused("can't be written", "record", "-o", "/proc/x", "--", "-c", "1")
        done = springprof("record", "-o", "/tmp", "--", "-c", "print('ran')", check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("/tmp: is a directory", done.stderr)
        source = file("source.py", "print('ran')")
        self.assert_refused("is there, and is no recording", "record", "-o", source, "--", source)
        with open(source, encoding="utf-8") as text:
            self.assertEqual(text.read(), "print('ran')")
        self.assert_refused("/tmp: is a directory", "attach", "-o", "/tmp", str(os.getpid()))
        self.assert_refused("can't be written", "attach", "-o", "/proc/x", str(os.getpid()))

    def test_programs(self):
        self.assert_refused("what to run", "record")
        self.assert_refused("what to run", "record", "--")
        self.assert_refused("perf is not installed; .*apt-get install linux-perf", "record",
                            "--engine", "perf", "--", "-c", "1", env={"PATH": "/nowhere"})
        self.assert_refused("20000", "record", "-F", "0", "--", "-c", "1")
        self.assert_refused("20000", "top", "-F", "0", str(os.getpid()))
        for seconds in "-1", "0", "nan", "inf":
            for option in "-d", "--timeout":
                self.assert_refused(option + ": a number of seconds", "attach", option, seconds,
                                    str(os.getpid()))

    def test_comparison_of_what_differs(self):
        a, b = file("a.springprof"), file("b.springprof")
        recording.write(example(), a)
        for key, value, expected in (("event", "cycles", "event"), ("kernel", False, "kernel"),
                                     ("lines", False, "lines"), ("mode", "wall", "measured")):
            other = example()
            other.meta[key] = value
            recording.write(other, b)
            self.assert_refused("recorded differently.*" + expected, "diff", a, b)


if __name__ == "__main__":
    unittest.main()

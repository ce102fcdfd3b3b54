"""Files in layers: what may not get lost, and what happens at the seams."""
import errno
import gc
import io
import os
import random
import signal
import tempfile
import threading
import time
import unittest
import warnings


class Sink(io.RawIOBase):
    """A raw file that takes `limit` bytes a call, and fails as told."""

    def __init__(self, limit=None):
        self.data = bytearray()
        self.limit = limit
        self.fail = None            # an exception, or None for "would block"
        self.blocked = False

    def writable(self):
        return True

    def write(self, b):
        if self.fail is not None:
            raise self.fail
        if self.blocked:
            return None
        n = len(b) if self.limit is None else min(self.limit, len(b))
        self.data += bytes(b[:n])
        return n


class PendingText(unittest.TestCase):
    def test_failed_flush_keeps_text(self):
        sink = Sink()
        f = io.TextIOWrapper(io.BufferedWriter(sink, 16), 'utf-8')
        f.write('é' * 5)
        f.write('abc\n')
        sink.fail = OSError(errno.ENOSPC, 'full')
        with self.assertRaises(OSError):
            f.flush()
        with self.assertRaises(OSError):
            f.flush()
        sink.fail = None
        f.flush()
        self.assertEqual(bytes(sink.data), ('é' * 5 + 'abc\n').encode())

    def test_sink_in_python_that_fails_once_gets_the_text_later(self):
        class Once(io.BytesIO):
            failed = False

            def write(self, b):
                if not self.failed:
                    self.failed = True
                    raise OSError('not now')
                return super().write(b)
        f = io.TextIOWrapper(Once(), 'ascii')
        f.write('one ')
        with self.assertRaises(OSError):
            f.flush()
        f.write('two')
        f.flush()
        self.assertEqual(f.buffer.getvalue(), b'one two')

    def test_write_that_fails_has_taken_nothing(self):
        sink = Sink()
        f = io.TextIOWrapper(io.BufferedWriter(sink, 4), 'ascii')
        f._CHUNK_SIZE = 8
        f.write('earlier')
        sink.fail = OSError('no')
        with self.assertRaises(OSError):
            f.write('later')
        sink.fail = None
        f.write('later')
        f.flush()
        self.assertEqual(bytes(sink.data), b'earlierlater')

    def test_encode_error_keeps_earlier_text(self):
        for encoding in 'ascii', 'latin-1', 'utf-8', 'cp1252':
            f = io.TextIOWrapper(io.BytesIO(), encoding)
            f.write('fine ')
            with self.assertRaises(UnicodeEncodeError):
                f.write('bad \udc80')
            f.write('again')
            f.flush()
            self.assertEqual(f.buffer.getvalue(), b'fine again', encoding)

    def test_blocked_sink_gets_everything_once(self):
        sink = Sink()
        f = io.TextIOWrapper(io.BufferedWriter(sink, 8), 'ascii')
        f._CHUNK_SIZE = 10
        expected = ''
        for i in range(200):
            sink.blocked = i % 3 == 1
            text = '%d,' % i
            try:
                f.write(text)
            except BlockingIOError as e:
                self.assertEqual(e.characters_written, 0)
            else:
                expected += text
            if i % 7 == 0:
                try:
                    f.flush()
                except BlockingIOError:
                    pass
        sink.blocked = False
        f.flush()
        self.assertEqual(sink.data.decode(), expected)

    def test_raw_file_that_takes_little_gets_all(self):
        sink = Sink(3)
        f = io.TextIOWrapper(sink, 'utf-8', write_through=True)
        self.assertEqual(f.write('hällo wörld'), 11)
        self.assertEqual(sink.data.decode(), 'hällo wörld')

    def test_raw_file_that_would_block_says_so(self):
        sink = Sink(4)
        f = io.TextIOWrapper(sink, 'ascii', write_through=True)
        sink.blocked = True
        with self.assertRaises(BlockingIOError) as caught:
            f.write('abcdef')
        self.assertEqual(caught.exception.characters_written, 0)

    def test_sink_that_writes_to_the_file_that_writes_to_it(self):
        class Echo(io.BytesIO):
            depth = 0

            def write(self, b):
                if self.depth < 3:
                    self.depth += 1
                    text.write('<%d>' % self.depth)
                return super().write(b)
        text = io.TextIOWrapper(Echo(), 'ascii')
        text.write('abc')
        for _ in range(5):
            text.flush()
        self.assertEqual(text.buffer.getvalue(), b'abc<1><2><3>')

    def test_close_closes_below_though_flush_fails(self):
        sink = Sink()
        sink.fail = OSError('flush')
        f = io.TextIOWrapper(io.BufferedWriter(sink), 'ascii')
        f.write('x')
        with self.assertRaisesRegex(OSError, 'flush'):
            f.close()
        self.assertTrue(f.closed and f.buffer.closed and sink.closed)

    def test_text_reaches_the_file_when_forgotten(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, 'f')
            raw = io.FileIO(path, 'w')
            f = io.TextIOWrapper(io.BufferedWriter(raw), 'ascii')
            f.write('not closed')
            with self.assertWarns(ResourceWarning):
                del f, raw
            with open(path) as f:
                self.assertEqual(f.read(), 'not closed')

    def test_text_reaches_the_file_when_collected_in_a_cycle(self):
        def through_text(f):
            f.cycle = f

        def through_buffer(f):
            f.buffer.cycle = f

        def through_raw(f):
            f.buffer.raw.cycle = f
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, 'f')
            for tie in through_text, through_buffer, through_raw:
                f = open(path, 'w')
                f.write(tie.__name__)
                tie(f)
                with warnings.catch_warnings():
                    warnings.simplefilter('ignore', ResourceWarning)
                    del f
                    gc.collect()
                with open(path) as f:
                    self.assertEqual(f.read(), tie.__name__)

    def test_replaced_write_of_the_buffer_is_called(self):
        buffer = io.BufferedWriter(Sink())
        seen = []
        buffer.write = lambda b: seen.append(bytes(b))
        f = io.TextIOWrapper(buffer, 'ascii')
        f.write('abc')
        f.flush()
        self.assertEqual(seen, [b'abc'])

    def test_many_threads_lose_nothing(self):
        sink = Sink(5)
        f = io.TextIOWrapper(io.BufferedWriter(sink, 32), 'ascii')

        def work(letter):
            for i in range(300):
                f.write(letter * 7 + '\n')
                if i % 50 == 0:
                    f.flush()
        threads = [threading.Thread(target=work, args=(c,)) for c in 'abcd']
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        f.flush()
        self.assertEqual(sorted(sink.data.decode().split()),
                         sorted(c * 7 for c in 'abcd' for _ in range(300)))


class Positions(unittest.TestCase):
    TEXT = 'aé\n\r\nßx\r\u1234\U00012345yz\n \r\nend'

    def test_seek_returns_to_every_told_position(self):
        for encoding in ('utf-8', 'utf-7', 'utf-16', 'utf-16-be', 'utf-32', 'utf-8-sig',
                         'gb18030', 'latin-1'):
            data = self.TEXT.encode(encoding, 'ignore')
            for newline in None, '', '\n', '\r', '\r\n':
                for chunk in 1, 2, 3, 7, 1000:
                    f = io.TextIOWrapper(io.BytesIO(data), encoding, newline=newline)
                    f._CHUNK_SIZE = chunk
                    whole = f.read()
                    f.seek(0)
                    for i in range(len(whole) + 1):
                        with self.subTest(encoding=encoding, newline=newline, chunk=chunk, i=i):
                            cookie = f.tell()
                            rest = f.read()
                            self.assertEqual(rest, whole[i:])
                            f.seek(cookie)
                            self.assertEqual(f.tell(), cookie)
                            self.assertEqual(f.read(1), whole[i:i + 1])

    def test_byte_order_mark_only_at_the_start(self):
        for encoding in 'utf-16', 'utf-32', 'utf-8-sig':
            buffer = io.BytesIO()
            f = io.TextIOWrapper(buffer, encoding)
            f.write('a')
            f.write('b')
            f.detach()
            f = io.TextIOWrapper(buffer, encoding)
            f.seek(0, 2)
            f.write('c')
            f.flush()
            self.assertEqual(buffer.getvalue(), 'abc'.encode(encoding), encoding)
            f.seek(0)
            f.write('z')
            f.flush()
            self.assertEqual(buffer.getvalue(), 'zbc'.encode(encoding), encoding)

    def test_tell_is_refused_in_a_loop_and_works_after_it(self):
        f = io.TextIOWrapper(io.BytesIO(b'a\nb\n'), 'ascii')
        next(f)
        with self.assertRaisesRegex(OSError, 'telling position disabled by next'):
            f.tell()
        self.assertEqual(list(f), ['b\n'])
        self.assertEqual(f.tell(), 4)


class RawPositions(unittest.TestCase):
    class Counting(io.FileIO):
        calls = ()

        def tell(self):
            self.calls += 'tell',
            return super().tell()

        def seek(self, *args):
            self.calls += 'seek',
            return super().seek(*args)

    def setUp(self):
        self.file = tempfile.NamedTemporaryFile()
        self.addCleanup(self.file.close)
        self.file.write(bytes(range(256)) * 200)
        self.file.flush()

    def test_moves_within_the_buffer_do_not_ask_the_raw_file(self):
        raw = self.Counting(self.file.name)
        f = io.BufferedReader(raw, 1000)
        f.read(1)
        f.seek(5)
        raw.calls = ()
        for i in range(0, 1000, 37):
            self.assertEqual(f.seek(i), i)
            self.assertEqual(f.read(1)[0], i % 256)
            self.assertEqual(f.seek(-1, 1), i)
        self.assertEqual(raw.calls, ())
        f.seek(1001)
        self.assertEqual(raw.calls, ('seek',))
        f.close()

    def test_position_is_right_after_reads_and_writes_of_all_kinds(self):
        rng = random.Random(40)
        data = bytearray(bytes(range(256)) * 200)
        at = 0
        with io.BufferedRandom(io.FileIO(self.file.name, 'r+'), 100) as f:
            for _ in range(3000):
                n = rng.choice((0, 1, 5, 50, 99, 100, 101, 300))
                match rng.randrange(9):
                    case 0:
                        self.assertEqual(f.read(n), data[at:at + n])
                        at += len(data[at:at + n])
                    case 1:
                        f.flush()       # read1() leaves it where it is
                        some = f.read1(n)
                        self.assertEqual(some, data[at:at + len(some)])
                        at += len(some)
                    case 2:
                        target = bytearray(n)
                        got = f.readinto(target)
                        self.assertEqual(target[:got], data[at:at + got])
                        at += got
                    case 3 if rng.randrange(10) == 0:
                        self.assertEqual(f.read(), data[at:])
                        at = len(data)
                    case 4:
                        some = rng.randbytes(n)
                        f.write(some)
                        data[at:at + n] = some
                        at += n
                    case 5:
                        f.flush()
                    case 6:
                        at = min(len(data), at + n)
                        self.assertEqual(f.seek(at), at)
                    case 7:
                        n = min(n, at)
                        at -= n
                        self.assertEqual(f.seek(-n, 1), at)
                    case 8 if rng.randrange(10) == 0:
                        at = rng.randrange(len(data))
                        self.assertEqual(f.seek(at - len(data), 2), at)
                self.assertEqual(f.tell(), at)
        with open(self.file.name, 'rb') as f:
            self.assertEqual(f.read(), data)

    def test_new_raw_file_starts_anew(self):
        f = io.BufferedReader(self.Counting(self.file.name), 100)
        f.seek(3)
        f.read(1)
        f.seek(7)
        f.__init__(self.Counting(self.file.name), 100)
        self.assertEqual((f.read(1), f.seek(1, 1), f.read(1)), (b'\0', 2, b'\2'))
        f.close()


class Seams(unittest.TestCase):
    def test_lines_that_straddle_buffers(self):
        data = b'ab\ncdefg\n\nh\nij' * 5
        for size in range(1, 20):
            f = io.BufferedReader(io.BytesIO(data), size)
            self.assertEqual(list(f), data.splitlines(True), size)

    def test_newline_pairs_that_straddle_chunks(self):
        data = 'a\r\nb\rc\n\r\r\n\nd\r'
        for chunk in range(1, 8):
            for newline in None, '', '\n', '\r', '\r\n':
                f = io.TextIOWrapper(io.BytesIO(data.encode()), 'ascii', newline=newline)
                f._CHUNK_SIZE = chunk
                whole = io.StringIO(data, newline=newline if newline in (None, '') else '\n')
                if newline in (None, ''):
                    expected = list(whole)
                else:
                    parts = data.split(newline)
                    expected = [p + newline for p in parts[:-1]]
                    expected += [parts[-1]] if parts[-1] else []
                self.assertEqual(list(f), expected, (chunk, newline))

    def test_read1_leaves_what_was_written_pending(self):
        """As in CPython 3.11: read1() reads where the raw file is, and the write goes behind it."""
        f = io.BufferedRandom(io.BytesIO(b'0123456789'), 4)
        f.write(b'ab')
        self.assertEqual(f.read1(3), b'012')
        f.seek(0)
        self.assertEqual(f.read(), b'012ab56789')

    def test_read_after_write_sees_what_was_written(self):
        f = io.BufferedRandom(io.BytesIO(b'0123456789'), 4)
        f.write(b'ab')
        self.assertEqual(f.read(3), b'234')
        f.seek(0)
        self.assertEqual(f.read(), b'ab23456789')

    def test_thread_waits_for_the_file(self):
        class Slow(io.RawIOBase):
            inside = 0

            def readable(self):
                return True

            def readinto(self, b):
                self.inside += 1
                assert self.inside == 1, 'two threads in one raw file'
                time.sleep(.001)
                b[:1] = b'x'
                self.inside -= 1
                return 1
        f = io.BufferedReader(Slow(), 1)
        results = []

        def work():
            for _ in range(20):
                results.append(f.read(1))
        threads = [threading.Thread(target=work) for _ in range(5)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(results, [b'x'] * 100)

    def test_coming_back_while_inside_is_an_error(self):
        class Back(io.RawIOBase):
            def readable(self):
                return True

            def readinto(self, b):
                return len(f.read(1))
        f = io.BufferedReader(Back())
        with self.assertRaisesRegex(RuntimeError, 'reentrant call inside'):
            f.read(1)


    def test_raw_write_that_returns_no_count_is_an_error_of_the_file(self):
        for returned in "5", 2.0, b"5", 2 ** 70, -1:
            raw = Sink()
            raw.write = lambda b: returned
            f = io.BufferedWriter(raw, 16)
            f.write(b"text")
            with self.assertRaisesRegex(OSError, r"raw write\(\) returned invalid length -1 "
                                                 r"\(should have been between 0 and 4\)"):
                f.flush()
            del raw.write
            f.flush()
            self.assertEqual(raw.data, b"text")

    def test_raw_read_of_a_negative_count_is_not_the_end_of_the_file(self):
        class Raw(io.RawIOBase):
            def readable(self):
                return True

            def readinto(self, b):
                return -1

        for name in "read", "readall", "readline":
            with self.subTest(name), self.assertRaisesRegex(SystemError, "Negative size"):
                getattr(Raw(), name)()


class Descriptors(unittest.TestCase):
    class Number:
        def __init__(self, number):
            self.number = number

        def __index__(self):
            if isinstance(self.number, Exception):
                raise self.number
            return self.number

    class NumberAndPath(Number):
        def __fspath__(self):
            return os.devnull

    def test_descriptor_that_is_an_index(self):
        for kind in self.Number, self.NumberAndPath:
            for opened in io.FileIO, lambda file: open(file, "rb"):
                with self.subTest(kind=kind, opened=opened):
                    reading, writing = os.pipe()
                    os.write(writing, b"text")
                    os.close(writing)
                    with opened(kind(reading)) as f:
                        self.assertEqual(f.fileno(), reading)
                        self.assertEqual(f.read(), b"text")
                    with self.assertRaisesRegex(ValueError, "negative file descriptor"):
                        opened(kind(-1))

    def test_index_that_is_no_descriptor(self):
        for number in 2 ** 70, "1", ZeroDivisionError():
            for opened in io.FileIO, open:
                with self.subTest(number=number, opened=opened):
                    with opened(self.NumberAndPath(number)) as f:
                        self.assertFalse(f.read())
                    with self.assertRaisesRegex(TypeError, "expected str, bytes or os.PathLike"):
                        opened(self.Number(number))


class CalledByTheirLowerLayer(unittest.TestCase):
    def test_buffer_that_its_raw_file_makes_anew(self):
        class Raw(io.RawIOBase):
            readable = writable = seekable = lambda self: True

            def readinto(self, room):
                f.__init__(io.BytesIO(b"other"), 100)
                room[:] = b"x" * len(room)
                return len(room)

            def write(self, data):
                f.__init__(io.BytesIO(b"other"), 5)
                return len(data)

        for kind, use in ((io.BufferedReader, lambda: f.read(3)),
                          (io.BufferedRandom, lambda: f.read(3)),
                          (io.BufferedWriter, lambda: f.flush()),
                          (io.BufferedWriter, lambda: f.write(b"y" * 50))):
            f = kind(Raw(), 16)
            if kind is io.BufferedWriter:
                f.write(b"pending")
            with self.assertRaisesRegex(RuntimeError, "reentrant call"):
                use()
            f.__init__(io.BytesIO())    # nothing is left to write to the raw file

    class Raw(io.RawIOBase):
        """Open whatever happens. `act` is called, once, by the method that `when` names."""
        readable = writable = seekable = lambda self: True
        when = None

        def called(self, name):
            if name == self.when:
                self.when = None
                self.act()

        @property
        def closed(self):
            self.called("closed")
            return False

        @property
        def name(self):
            self.called("name")
            return "raw"

        def tell(self):
            self.called("tell")
            return 0

        def seek(self, offset, whence=0):
            self.called("seek")
            return 0

        def readinto(self, room):
            self.called("readinto")
            room[:3] = b"xy\n"
            return 3

        def write(self, data):
            self.called("write")
            return len(data)

    def test_buffer_that_its_raw_file_detaches(self):
        detached = ValueError, "raw stream has been detached"
        inside = RuntimeError, "reentrant call inside"
        R, W, RW = io.BufferedReader, io.BufferedWriter, io.BufferedRandom
        for kind, when, use, (error, message) in (
                (R, "closed", lambda: f.read(3), detached),
                (R, "closed", lambda: f.read1(3), detached),
                (R, "closed", lambda: f.readinto(bytearray(3)), detached),
                (R, "closed", lambda: f.peek(), detached),
                (R, "closed", lambda: f.readline(), detached),
                (R, "closed", lambda: next(f), detached),
                (R, "closed", lambda: f.seek(2), detached),
                (RW, "closed", lambda: f.flush(), detached),
                (W, "closed", lambda: f.truncate(), detached),
                (W, "closed", lambda: f.write(b"x"), inside),
                (R, "closed", lambda: f.close(), inside),
                (R, "readinto", lambda: f.read(9), inside),
                (RW, "readinto", lambda: f.read(9), inside),
                (RW, "seek", lambda: f.seek(2, 2), inside),
                (W, "write", lambda: f.write(b"x" * 99), inside)):
            class Kind(kind):
                def flush(self):
                    if raw.when is None:
                        return
                    super().flush()
            raw = self.Raw()
            f = Kind(raw, 16)
            raw.act = f.detach
            raw.when = when
            with self.subTest(kind=kind, when=when), self.assertRaisesRegex(error, message):
                use()
                self.fail("no error")

    def test_raw_file_that_only_its_buffer_holds(self):
        class Name:
            def __get__(self, raw, owner):
                del raw
                f.detach()
                raise AttributeError

        class Raw(io.BytesIO):
            name = Name()
        f = io.BufferedReader(Raw())
        self.assertEqual(repr(f), "<_io.BufferedReader>")
        with self.assertRaisesRegex(ValueError, "raw stream has been detached"):
            f.read()

    def test_flush_that_detaches(self):
        class Detaches(io.BufferedWriter):
            def flush(self):
                if not self.__dict__:
                    self.flushed = True
                    self.detach()
        for method in "close", "detach":
            f = Detaches(self.Raw())
            with self.assertRaisesRegex(ValueError, "raw stream has been detached"):
                getattr(f, method)()

    def test_closed_buffer_of_a_raw_file_that_says_it_is_open(self):
        f = io.BufferedRandom(self.Raw())
        f.close()
        self.assertEqual(f.read(3), b"xy\n")
        f.close()
        self.assertEqual(f.readline(), b"xy\n")
        f.close()
        self.assertEqual(f.write(b"abc"), 3)
        f.close()
        self.assertEqual(f.peek(), b"xy\n")

    def test_text_file_that_its_buffer_detaches(self):
        class Buffer(io.BytesIO):
            active = False

            def act(self):
                if self.active:
                    self.active = False
                    f.detach()

            def write(self, data):
                self.act()
                return super().write(data)

            def flush(self):
                self.act()

        for use in (lambda: f.write("x" * 9000), lambda: f.flush(), lambda: f.seek(0),
                    lambda: f.seek(0, 2), lambda: f.tell(), lambda: f.close(),
                    lambda: f.truncate(2), lambda: f.detach()):
            for pending in "", "text":
                buffer = Buffer(b"abc")
                f = io.TextIOWrapper(buffer, "utf-8")
                f.write(pending)
                buffer.active = True
                try:
                    use()
                except ValueError as e:
                    self.assertEqual(str(e), "underlying buffer has been detached")
                with self.assertRaisesRegex(ValueError, "underlying buffer has been detached"):
                    f.read()

    def test_text_that_its_buffer_makes_anew_and_fails(self):
        class Raw(io.BytesIO):
            def seekable(self):
                f.__init__(io.BytesIO(b"other"))
                raise ZeroDivisionError

        f = io.TextIOWrapper(io.BytesIO(b"text"))
        with self.assertRaises(ZeroDivisionError):
            f.__init__(Raw(b"failed"))
        self.assertEqual(f.read(), "other")


class SharedByThreads(unittest.TestCase):
    class Slow(io.RawIOBase):
        """A write lets the other threads run while its buffered file is owned."""
        writes = 0

        def writable(self):
            return True

        def write(self, data):
            time.sleep(0.0005)
            self.writes += 1
            return len(data)

    def busy(self, file, enough):
        def run():
            while not enough.is_set() and file.raw.writes < 2000:
                file.write(b".")
                file.flush()
        thread = threading.Thread(target=run)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(enough.set)
        return thread

    def test_thread_that_writes_without_end_lets_others_write(self):
        file = io.BufferedWriter(self.Slow())
        self.busy(file, threading.Event())
        for _ in range(5):
            before = file.raw.writes
            file.write(b"!")
            file.flush()
            self.assertLess(file.raw.writes - before, 1000)

    def test_file_that_threads_waited_for_works_after_fork(self):
        file = io.BufferedWriter(self.Slow())
        enough = threading.Event()
        threads = [self.busy(file, enough) for _ in range(3)]
        while file.raw.writes < 20:
            file.write(b"!")
        pid = os.fork()
        if pid == 0:
            signal.alarm(10)
            try:
                for _ in range(3):
                    file.write(b"c" * 20)
                    file.flush()
            finally:
                os._exit(0 if file.raw.writes else 1)
        enough.set()
        self.assertEqual(os.waitpid(pid, 0)[1], 0)


class Memory(unittest.TestCase):
    def test_initial_bytes_are_shared_until_written_to(self):
        data = b'0123456789'
        f = io.BytesIO(data)
        self.assertIs(f.getvalue(), data)
        self.assertIs(f.read(), data)
        f.seek(0)
        f.write(b'x')
        self.assertEqual(data, b'0123456789')
        self.assertEqual(f.getvalue(), b'x123456789')

    def test_value_handed_out_does_not_change(self):
        f = io.BytesIO()
        f.write(b'abcdef')
        value = f.getvalue()
        f.seek(0)
        f.write(b'zzz')
        self.assertEqual(value, b'abcdef')

    def test_hash_of_reused_memory(self):
        f = io.BytesIO()
        f.write(b'abc')
        hash(f.getvalue())
        f.seek(0)
        f.write(b'xyz')
        self.assertIn(f.getvalue(), {b'xyz'})

    def test_value_while_exported_is_a_copy(self):
        f = io.BytesIO(b'12345')
        with f.getbuffer() as view:
            value = f.getvalue()
            view[0] = 65
            self.assertEqual(value, b'12345')
            self.assertEqual(f.getvalue(), b'A2345')
            with self.assertRaises(BufferError):
                f.write(b'x')
            with self.assertRaises(BufferError):
                f.close()
        f.write(b'x')

    def test_text_widens_and_keeps_what_it_had(self):
        f = io.StringIO()
        pieces = ['abc', 'é', 'ሴ', '\U00012345', 'z']
        for piece in pieces:
            f.write(piece)
            self.assertEqual(f.getvalue(), ''.join(pieces)[:f.tell()])
        f.seek(1)
        f.write('é')
        self.assertEqual(f.getvalue(), 'aécéሴ\U00012345z')
        f.seek(0)
        f.truncate()
        f.write('é')
        f.seek(0)
        f.write('e')
        self.assertTrue(f.getvalue().isascii())


if __name__ == '__main__':
    unittest.main()

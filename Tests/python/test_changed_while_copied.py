"""Objects may change while an operation works on them: making an object may start a collection,
which runs callbacks and finalizers; iterating, converting and repr() run any code."""
import array
import collections
import csv
import functools
import gc
import itertools
import os
import struct
import unittest
from xml.etree.ElementTree import Element


def items():
    return [object() for _ in range(1000)]


def mapping():
    return {str(i): object() for i in range(1000)}


def members():
    return {object() for _ in range(1000)}


def elements():
    element = Element("all")
    element.extend([Element("one") for _ in range(1000)])
    return element


def take(*args, **kwargs):
    return args, kwargs


# For each kind of container, what makes something of it.
COPIES = [
    (items, [tuple, list, set, frozenset, list.copy, collections.deque, dict.fromkeys, repr,
             sorted, lambda x: x[5:900], lambda x: x[5:900:3], lambda x: x[900:5:-1],
             lambda x: x[::-1], lambda x: x + [1], lambda x: [1] + x, lambda x: x + x,
             lambda x: x * 3, lambda x: [*x], lambda x: (*x, 1), lambda x: take(*x),
             lambda x: take(1, *x), lambda x: list(zip(x, x)), lambda x: list(enumerate(x)),
             lambda x: next(itertools.product(x, x)), lambda x: next(itertools.permutations(x, 3)),
             lambda x: next(itertools.combinations(x, 3)), lambda x: x == list(x)]),
    (mapping, [dict, list, dict.copy, set, lambda x: {**x}, lambda x: x | {1: 2},
               lambda x: list(x.items()), lambda x: tuple(x.values()), lambda x: take(**x),
               lambda x: dict(**x), lambda x: x.keys() & {1}, lambda x: x.items() | {1}]),
    (lambda: collections.OrderedDict(mapping()), [lambda x: list(x.items())]),
    (members, [set, list, tuple, frozenset, set.copy, lambda x: x | {1}, lambda x: x - {1},
               lambda x: x & set(range(2000)), lambda x: {*x}]),
    (lambda: bytearray(b"a b\n" * 1000), [bytes, bytearray.split, bytearray.splitlines,
                                          lambda x: x.rsplit(b" "), lambda x: x.partition(b" ")]),
    (elements, [lambda x: x[:], lambda x: x[900:5:-3], list, Element.__getstate__,
                Element.__copy__]),
    (lambda: [2, 2, 4], [lambda x: memoryview(bytes(16)).cast("B", x)]),
]


class CollectionsWhileCopying(unittest.TestCase):
    def attack(self, make, copy, nth):
        """Lets the nth new object start a collection that empties the container."""
        source, emptied = make(), []

        def empty(phase, info):
            if not emptied:
                emptied.append(True)
                source.clear()
                # What reads freed memory shall find something else there.
                emptied.extend(bytes(8 * n) for n in (3, 10, 100, 1000))
        gc.collect()
        before = gc.get_threshold()
        gc.callbacks.append(empty)
        gc.set_threshold(gc.get_count()[0] + nth)
        try:
            copy(source)
        except (RuntimeError, TypeError, IndexError, StopIteration, BufferError):
            pass                # RuntimeError: changed size during iteration
        finally:
            gc.set_threshold(*before)
            gc.callbacks.remove(empty)
        return bool(emptied)

    def test_container_is_emptied_by_a_collection(self):
        for make, copies in COPIES:
            hits = 0
            for i, copy in enumerate(copies):
                with self.subTest(container=type(make()).__name__, number=i):
                    hits += sum(self.attack(make, copy, nth) for nth in range(1, 12))
            self.assertGreater(hits, len(copies) / 2, "the collections came too late")


class ClearsItsTarget:
    def __init__(self, target, n):
        self.target, self.n = target, n

    def __iter__(self):
        self.target.clear()
        return iter(range(self.n))


class IterationWhileAssigning(unittest.TestCase):
    def test_extended_slice(self):
        for step in 2, -1:
            target = items()
            with self.assertRaisesRegex(ValueError, "to extended slice of size 0"):
                target[::step] = ClearsItsTarget(target, 1000 // abs(step))
            self.assertEqual(target, [])
            target = items()
            target[::step] = ClearsItsTarget(target, 0)
            self.assertEqual(target, [])

    def test_slice(self):
        target = items()
        target[100:900] = ClearsItsTarget(target, 3)
        self.assertEqual(target, [0, 1, 2])


class Acts:
    """Does something when it is converted or shown."""

    def __init__(self, act):
        self.act = act

    def __index__(self):
        self.act()
        return 5

    def __repr__(self):
        self.act()
        return "shown"


class ComparesAs:
    """Does something when it is compared."""

    def __init__(self, act, equal):
        self.act = act
        self.equal = equal

    def __hash__(self):
        return 1

    def __eq__(self, other):
        self.act()
        return self.equal


class ComparisonsInBetween(unittest.TestCase):
    def test_deque_that_changes_as_its_items_are_compared(self):
        for equal in (True, False):
            target = collections.deque()

            def refill():
                target.clear()
                target.extend([ComparesAs(target.clear, equal)] * 5)

            changed = r"deque mutated during iteration$"
            for found, ask in ((0, target.index), (True, target.__contains__)):
                refill()
                if equal:
                    self.assertEqual(ask(1), found)
                else:
                    self.assertRaisesRegex(RuntimeError, changed, ask, 1)
            refill()
            self.assertRaisesRegex(RuntimeError, changed, target.count, 1)
            refill()
            self.assertRaisesRegex(IndexError, changed, target.remove, 1)

    def test_dict_that_its_keys_empty_as_a_set_is_made_of_them(self):
        for operation in (lambda keys: keys - {3}, lambda keys: keys | {3},
                          lambda keys: keys ^ {3}):
            target = {}
            acting = []
            for _ in range(6):
                target[ComparesAs(lambda: acting and target.clear(), False)] = 1
            acting.append(1)
            self.assertLess(len(operation(target.keys())), 4)
            self.assertEqual(target, {})


def in_a_collection(action, use, *args):
    """Returns use(*args), in which the next object that the collector tracks starts a collection
    that calls action()."""
    kept = []

    def act(phase, info):
        if not kept:
            kept.append(action())
    gc.collect()
    before = gc.get_threshold()
    gc.callbacks.append(act)
    try:
        gc.set_threshold(1)
        return use(*args)
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(act)
        assert kept, "no collection"


class ConversionsInBetween(unittest.TestCase):
    def test_deque_is_emptied_by_the_index_to_insert_at(self):
        target = collections.deque(items())
        target.insert(Acts(target.clear), 1)
        self.assertEqual(list(target), [1])

    def test_deque_is_emptied_by_a_limit_to_search_within(self):
        for limits in (lambda act: (act,)), (lambda act: (0, act)):
            target = collections.deque(items())
            with self.assertRaisesRegex(ValueError, "not in deque"):
                target.index(5, *limits(Acts(target.clear)))

    def test_struct_gets_another_format_by_a_value_that_it_packs(self):
        layout = struct.Struct("4i")
        self.assertEqual(layout.pack(1, Acts(lambda: layout.__init__("300d")), 3, 4),
                         struct.pack("4i", 1, 5, 3, 4))
        layout.__init__("2i")
        target = bytearray(100)
        layout.pack_into(target, Acts(lambda: layout.__init__("300d")), 1, 2)
        self.assertEqual(target[5:13], struct.pack("2i", 1, 2))
        layout.__init__("2i")
        pairs = layout.iter_unpack(bytes(24))
        layout.__init__("300d")
        self.assertEqual(pairs.__length_hint__(), 3)
        self.assertEqual(list(pairs), [(0, 0)] * 3)

    def test_struct_gets_another_format_by_a_collection(self):
        layout = struct.Struct("2000i")
        data = bytes(8000)

        def change():
            layout.__init__("i")
            return [bytes(n) for n in range(16000, 90000, 1000)]
        for use in layout.unpack, layout.unpack_from, lambda data: next(layout.iter_unpack(data)):
            layout.__init__("2000i")
            self.assertEqual(in_a_collection(change, use, data), (0,) * 2000)
            self.assertEqual(layout.size, 4)
        layout.__init__("200i")
        chunks = in_a_collection(lambda: layout.__init__(""), layout.iter_unpack, data)
        self.assertEqual(list(chunks), [(0,) * 200] * 10)

    def test_iter_unpack_is_exhausted_by_a_collection(self):
        data = bytearray(8000)
        chunks = struct.iter_unpack("2000i", data)

        def exhaust():
            list(chunks)
            data.clear()
            return [b"\1" * n for n in range(7000, 9000)]
        self.assertEqual(in_a_collection(exhaust, next, chunks, "at the end"), "at the end")
        self.assertEqual(chunks.__length_hint__(), 0)

    def test_struct_cache_is_cleared_by_a_format(self):
        class Format(str):
            __eq__ = str.__eq__

            def __hash__(self):
                struct._clearcache()
                return str.__hash__(self)
        for _ in range(3):
            self.assertEqual(struct.pack(Format("h"), 5), struct.pack("h", 5))

    def test_pack_into_of_a_struct_without_a_format(self):
        with self.assertRaisesRegex(struct.error, "not initialized"):
            struct.Struct.__new__(struct.Struct).pack_into(bytearray(8))

    def test_memoryview_is_released_by_an_argument_of_hex(self):
        for make in memoryview, lambda data: memoryview(data)[::2]:
            view = make(bytearray(b"some bytes"))
            with self.assertRaisesRegex(ValueError, "released"):
                view.hex(":", Acts(view.release))
            self.assertEqual(make(b"some bytes").hex(":", bytes_per_sep=Acts(int)),
                             make(b"some bytes").tobytes().hex(":", 5))

    def test_pointer_of_a_memoryview_takes_no_index(self):
        view = memoryview(bytearray(8)).cast("P")
        with self.assertRaisesRegex(TypeError, "invalid type for format 'P'"):
            view[0] = Acts(view.release)
        self.assertEqual(view[0], 0)

    def test_array_is_emptied_by_the_value_that_it_takes(self):
        for use in (lambda x, v: x.__setitem__(3, v), lambda x, v: x.fromlist([1, v, 2])):
            target = array.array("i", range(500))
            with self.assertRaisesRegex(IndexError, "array assignment index out of range"):
                use(target, Acts(lambda: target.__delitem__(slice(None))))
            self.assertEqual(len(target), 0)
        for use in (array.array.append, lambda x, v: x.insert(400, v)):
            target = array.array("i", range(500))
            use(target, Acts(lambda: target.__delitem__(slice(None))))
            self.assertEqual(target, array.array("i", [5]))

    def test_partial_gets_another_state_while_it_is_shown(self):
        def change():
            target.__setstate__((len, (), {}, {}))
            return [bytes(n) for n in range(16, 100)]
        target = functools.partial(print, *(Acts(change) for _ in range(5)))
        self.assertRegex(repr(target), r"^functools.partial\(<.*print>(, shown){5}\)$")

    def test_exception_loses_its_arguments_while_they_are_shown(self):
        # A slice holds what it shows next, and only the exception holds the slice.
        def part():
            return slice(Acts(change), Acts(change), Acts(change))

        def change():
            error.args = ()
            return [bytes(n) for n in range(16, 100)]
        shown = "slice(shown, shown, shown)"
        for cls in ValueError, KeyError:
            error = cls()
            error.args = part(),
            self.assertEqual(str(error), shown)
            error.args = part(),
            self.assertEqual(repr(error), f"{cls.__name__}({shown})")
            error.args = part(), 1
            self.assertEqual(str(error), f"({shown}, 1)")
            error.args = part(), 1
            self.assertEqual(repr(error), f"{cls.__name__}({shown}, 1)")

    def test_exception_loses_its_fields_while_they_are_shown(self):
        class Field:
            def __repr__(self):
                vars(error).clear()
                for name in names:
                    setattr(error, name, None)
                return "shown"

        cases = [
            (OSError(1, "", "", None, ""), ["errno", "strerror", "filename", "filename2"],
             ["[Errno shown] ", "[Errno shown] shown: ''", "[Errno shown] shown: shown",
              "[Errno shown] shown: shown -> shown"]),
            (SyntaxError("", ("file", 1, 2, "text")), ["msg"], ["shown (file, line 1)"]),
        ]
        for error, names, texts in cases:
            for n in range(len(names), 0, -1):
                for name in names[:n]:
                    setattr(error, name, Field())
                for name in names[n:]:
                    setattr(error, name, "")
                if n == len(texts):
                    self.assertEqual(str(error), texts[n - 1])
                else:
                    self.assertIn("shown", str(error))

    def test_property_that_is_made_anew_by_the_end_of_its_getter(self):
        class Getter:
            """This is the property's docstring."""

            def __del__(self):
                target.__init__()
        target, getter = property(Getter()), Getter()
        target.__init__(getter)
        self.assertIsNone(target.fget)
        self.assertEqual(target.__doc__, Getter.__doc__)

    def test_ordered_dict_is_emptied_as_its_keys_are_hashed(self):
        class Key:
            def __hash__(self):
                if acting:
                    acting.pop()()
                return 1
        acting = []
        for walk, expected in ((iter, Key), (lambda d: iter(d.values()), list),
                               (lambda d: iter(d.items()), tuple)):
            # A value that only the dict holds.
            target = collections.OrderedDict({Key(): [bytes(500)]})
            iterator = walk(target)
            acting.append(target.clear)
            self.assertIs(type(next(iterator)), expected)
            self.assertEqual(list(iterator), [])
            # The iterator ends meanwhile.
            target = collections.OrderedDict({Key(): [bytes(500)]})
            iterator = walk(target)
            del target
            acting.append(lambda: list(iterator))
            self.assertIs(type(next(iterator)), expected)
            self.assertEqual(list(iterator), [])

    def test_bytearray_is_kept_while_it_is_a_format(self):
        class Value:
            def __bytes__(self):
                target.clear()
                return b"v"
        target = bytearray(b"%b " + bytes(1000))
        with self.assertRaisesRegex(BufferError, "cannot be re-sized"):
            target % Value()
        self.assertEqual(len(target), 1003)
        target.clear()

    def test_separator_of_hex_is_not_asked_for_its_length(self):
        for base, text in (str, ":"), (bytes, b":"):
            class Separator(base):
                def __len__(self):
                    target.clear()
                    return 1
            target = bytearray(b"12345678" * 100)
            self.assertEqual(target.hex(Separator(text)), ":".join(["%x" % i for i in target]))
            self.assertEqual(len(target), 800)

    def test_partial_gets_another_state_while_it_is_called(self):
        # Nothing but the partial holds the function with the cache, and its argument.
        def make(*args):
            @functools.lru_cache
            def function(*given):
                target.__setstate__((len, (), {}, {}))
                return [bytes(n) for n in range(16, 100)] and given
            return functools.partial(function, *args)
        for args in (), ((1, 2),), ((1, 2), (3,)):
            target = make(*(tuple(list(arg)) for arg in args))
            self.assertEqual(target(), args)
            self.assertEqual(target(()), 0)


class WrongLengths(unittest.TestCase):
    """Subclasses that say a length which is not theirs."""

    def test_array_takes_the_items_that_there_are(self):
        for base, args in (list, [(1, 2)]), (tuple, [(1, 2)]), (array.array, ["i", (1, 2)]):
            for said in 0, 1, 5000, -1:
                class Source(base):
                    def __len__(self):
                        return said
                self.assertEqual(array.array("i", Source(*args)), array.array("i", (1, 2)))

    def test_arguments_of_a_program(self):
        for base in list, tuple:
            for said in 0, -1, None:
                class Arguments(base):
                    def __len__(self):
                        return said
                for call in (lambda a: os.execv("/no/such", a), lambda a: os.execve("/no/such", a, {}),
                             lambda a: os.posix_spawn("/no/such", a, {})):
                    with self.assertRaisesRegex(ValueError, "must not be empty"):
                        call(Arguments(["program"]))


class SourcesThatCallTheirReader(unittest.TestCase):
    def test_csv_reader(self):
        for last in ("a,b", None):
            def asking():
                self.assertEqual(next(reader), ["inner"])
                return last

            answers = [asking, lambda: "inner"]

            class Lines:
                def __iter__(self):
                    return self

                def __next__(self):
                    answer = answers.pop(0)() if answers else None
                    if answer is None:
                        raise StopIteration
                    return answer

            reader = csv.reader(Lines())
            with self.assertRaisesRegex(csv.Error, "has already advanced the reader"):
                next(reader)


class SourcesThatCallTheirIterator(unittest.TestCase):
    """The iterator ends in that call, and has the only reference to its source."""

    def source(self):
        get = self.get

        class Source:
            """Has __getitem__ only."""
            asked = 0

            def __getitem__(self, i):
                self.asked += 1
                if self.asked == 2:
                    for _ in range(8):
                        next(get(), None)
                if self.asked > 6:
                    raise IndexError
                return self.asked

        return iter(Source())

    def generator(self):
        yield 1
        try:
            next(self.get())
        except ValueError as e:
            yield str(e)
        yield 2

    def filtered(self):
        def passes(x):
            next(self.get(), None)
            return x
        return filter(passes, iter([0, 0, 1, 0, 0]))

    def mapped(self):
        def act(x):
            for _ in range(3):
                next(self.get(), None)
            return x
        return map(act, iter([1, 2, 3, 4]))

    def items(self, make, source):
        box = []
        self.get = lambda: box[0]
        box.append(make(source()))
        return [next(box[0], "end") for _ in range(5)]

    def test_islice(self):
        every = lambda source: itertools.islice(source, None)
        self.assertEqual(self.items(every, self.generator),
                         [1, "generator already executing", "end", "end", "end"])
        self.assertEqual(self.items(every, self.filtered), ["end"] * 5)
        self.assertEqual(self.items(every, self.mapped), [1] + ["end"] * 4)
        self.assertEqual(self.items(every, self.source), [1] + ["end"] * 4)

    def test_chain(self):
        self.assertEqual(self.items(itertools.chain, self.filtered), ["end"] * 5)
        self.assertEqual(self.items(itertools.chain, self.mapped), [1] + ["end"] * 4)
        self.assertEqual(self.items(itertools.chain, self.source), [1] + ["end"] * 4)

    def test_cycle(self):
        self.assertEqual(self.items(itertools.cycle, self.filtered), [1] * 5)

    def test_zip_longest(self):
        # (python3.11 counts the source's end twice, and then gives fillers for ever.)
        self.assertEqual(self.items(lambda s: itertools.zip_longest(s, [1, 2]), self.filtered),
                         ["end"] * 5)

    def test_iter_of_a_sequence(self):
        for make in iter, enumerate, lambda s: map(abs, s), lambda s: zip(s, s):
            with self.subTest(make=make):
                self.assertEqual(self.items(make, self.source)[1:], ["end"] * 4)


class CachesOfResults(unittest.TestCase):
    """functools.lru_cache: a link that has been evicted serves the next result."""
    def test_what_is_evicted_is_released_when_the_new_result_is_there(self):
        released = []

        class Result:
            def __init__(self, n):
                self.n = n

            def __del__(self):
                released.append((self.n, cached.cache_info().currsize))
                if self.n == 3:
                    cached(100)

        cached = functools.lru_cache(maxsize=2)(Result)
        for n in range(8):
            cached(n)
        self.assertEqual([n for n, _ in released], [0, 1, 2, 3, 4, 5, 100])
        self.assertEqual(cached.cache_info()[1:], (9, 2, 2))

    def test_a_call_that_makes_the_same_call(self):
        @functools.lru_cache(maxsize=3)
        def cached(n):
            if cached.cache_info().misses < 5:
                cached(n)
            return [n]
        self.assertEqual(cached(1), [1])
        self.assertIs(cached(1), cached(1))
        self.assertEqual(cached.cache_info().currsize, 1)

    def test_eviction_while_keys_are_compared(self):
        class Key:
            def __init__(self, n):
                self.n = n

            def __hash__(self):
                return 1

            def __eq__(self, other):
                if not self.n % 5:
                    cached(-1)
                return self.n == other.n

        @functools.lru_cache(maxsize=4)
        def cached(key):
            return getattr(key, "n", key)
        for i in range(500):
            self.assertEqual(cached(Key(i * 7 % 11)), i * 7 % 11)
            self.assertLessEqual(cached.cache_info().currsize, 6)


if __name__ == "__main__":
    unittest.main()

"""Sorting against insertion sort; the orders that sets show; views of memory."""
import array
import collections
import ctypes
import gc
import operator
import random
import sys
import unittest


def insertion_sort(items, key=lambda x: x):
    result = []
    for item in items:
        i = len(result)
        while i > 0 and key(item) < key(result[i - 1]):
            i -= 1
        result.insert(i, item)
    return result



class TuplesOfIterators(unittest.TestCase):
    """Up to 16 items come without a list, more through one."""

    SIZES = [*range(5), 15, 16, 17, 18, 31, 32, 33, 100, 1000]

    class Hinted:
        def __init__(self, items, hint, error=None):
            self.items, self.hint, self.error = iter(items), hint, error

        def __iter__(self):
            return self

        def __next__(self):
            for item in self.items:
                return item
            raise self.error or StopIteration

        def __length_hint__(self):
            if isinstance(self.hint, Exception):
                raise self.hint
            return self.hint

    def test_every_length_whatever_the_hint(self):
        for n in self.SIZES:
            items = [object() for _ in range(n)]
            for hint in 0, 1, n, 15, 16, 17, 2 * n, NotImplemented, TypeError():
                made = tuple(self.Hinted(items, hint))
                self.assertEqual(made, (*items,), (n, hint))
            for iterable in (iter(items), dict.fromkeys(items), (x for x in items),
                             map(lambda x: x, items)):
                self.assertEqual(tuple(iterable), (*items,), (n, iterable))

    def test_items_are_held_once_and_released(self):
        item = object()
        before = sys.getrefcount(item)
        for n in self.SIZES:
            made = tuple(self.Hinted([item] * n, 0))
            self.assertEqual(sys.getrefcount(item), before + n, n)
            del made
            self.assertEqual(sys.getrefcount(item), before, n)
            with self.assertRaises(ZeroDivisionError, msg=n):
                tuple(self.Hinted([item] * n, 0, ZeroDivisionError))
            with self.assertRaises(ZeroDivisionError, msg=n):
                tuple(self.Hinted([item] * n, 1000, ZeroDivisionError))
            self.assertEqual(sys.getrefcount(item), before, f"{n}: not released after an error")

    def test_hints_that_are_refused(self):
        for hint, error in ((ValueError(), ValueError), (-1, ValueError), ("x", TypeError),
                            (sys.maxsize, MemoryError), (1 << 70, OverflowError)):
            with self.assertRaises(error, msg=repr(hint)):
                tuple(self.Hinted([1, 2], hint))

    def test_the_iterator_is_asked_for_once(self):
        calls = []

        class Odd(self.Hinted):
            def __iter__(self):
                calls.append(1)
                return super().__iter__()

        for n in 3, 40:
            calls.clear()
            self.assertEqual(tuple(Odd(range(n), 0)), (*range(n),))
            self.assertEqual(len(calls), 1)


class Repeating(unittest.TestCase):

    def test_lists_of_one_item_repeated(self):
        item = object()
        before = sys.getrefcount(item)
        for n in (*range(40), 63, 64, 65, 1000, 5001):
            made = [item] * n
            self.assertEqual(len(made), n)
            self.assertTrue(all(x is item for x in made), n)
            self.assertEqual(sys.getrefcount(item), before + n, n)
            made *= 3
            self.assertTrue(len(made) == 3 * n and all(x is item for x in made), n)
            del made
            self.assertEqual(sys.getrefcount(item), before, n)


class ComparingDeques(unittest.TestCase):
    """Of the first items that differ, the operator has the last word."""

    class Item:
        def __init__(self, answer):
            self.answer, self.asked = answer, []

        def ask(name):
            def method(self, other):
                self.asked.append(name)
                return False if name == "==" else self.answer
            return method

        __eq__, __ne__, __lt__, __gt__ = map(ask, ("==", "!=", "<", ">"))

    def test_operators_are_asked_for_a_truth(self):
        for operator_, sign in ((operator.ne, "!="), (operator.lt, "<"), (operator.gt, ">")):
            for answer in "", "text", 0, 1, None, [], [1]:
                with self.subTest(sign=sign, answer=answer):
                    item = self.Item(answer)
                    a, b = collections.deque([1, item]), collections.deque([1, self.Item(0)])
                    self.assertIs(operator_(a, b), bool(answer))
                    self.assertEqual(item.asked, ["==", sign])

    def test_truth_that_fails(self):
        class NoTruth:
            def __bool__(self):
                raise ZeroDivisionError

        a, b = (collections.deque([self.Item(NoTruth())]) for _ in range(2))
        for compare in operator.ne, operator.lt, operator.gt:
            with self.assertRaises(ZeroDivisionError):
                compare(a, b)


class ComparingLists(unittest.TestCase):
    def test_items_that_the_search_puts_there_are_compared(self):
        class Item:
            def __eq__(self, other):
                changed[:] = [1] * length
                return False

        for length in 0, 1, 2:
            for compare, expected in (operator.lt, True), (operator.ge, False):
                with self.subTest(length=length, compare=compare):
                    changed = [Item()]
                    self.assertIs(compare(changed, [2]), expected)
            changed = [Item()]
            self.assertNotEqual(changed, [2])


class Sorting(unittest.TestCase):

    VALUES = {
        "small ints": lambda r: r.randrange(20),
        "large ints": lambda r: r.choice([-1, 1]) * 2 ** r.randrange(60, 68),
        "floats": lambda r: r.choice([0.0, -0.0, 1.5, -2.5, r.random(),
                                      float("inf")]),
        "numbers": lambda r: r.choice([1, 1.0, True, 2.5, 2 ** 70]),
        "strings": lambda r: r.choice(["", "a", "ab", "prefix-same-1",
                                       "prefix-same-2", "\xff", "\u0100"]),
        "short strings": lambda r: "".join(r.choices("\0ab\xff", [6, 5, 1, 1],
                                                     k=r.choice([0, 1, 2, 6, 7, 8, 9, 10]))),
        "strings with an end": lambda r: r.choice(["abcdefg", "abcdefgh", "abcdefgh\0", "abcdefg\0",
                                                   "abcdefghi", "abcdefgha"]),
        "tuples of short strings": lambda r: (r.choice(["", "\0", "a", "a\0", "abcdefgh",
                                                        "abcdefgha"]), r.randrange(3)),
        "tuples": lambda r: (r.randrange(3), str(r.randrange(3))),
        "tuples of floats": lambda r: (r.choice([0.0, -0.0, 1.0]), r.random()),
        "tuples of mixed": lambda r: (r.choice([1, 1.5, 2]), r.random()),
        "tuples of strings": lambda r: (r.choice(["prefix-same-1", "a",
                                                  "prefix-same-2"]),
                                        r.randrange(9)),
        "tuples of unlike length": lambda r: (1,) * r.randrange(4),
    }

    def shapes(self, r, make):
        for n in 0, 1, 2, 3, 10, 33, 64, 65, 130, 400:
            yield [make(r) for _ in range(n)]
            rising = insertion_sort([make(r) for _ in range(n)])
            yield rising
            yield rising[::-1]
            yield rising[n // 2:] + rising[:n // 2]

    def check(self, items):
        tagged = list(enumerate(items))
        expected = insertion_sort(tagged, key=lambda p: p[1])
        self.assertEqual(sorted(items), [v for _, v in expected])
        self.assertEqual(sorted(tagged, key=lambda p: p[1]), expected,
                         "equal items have changed places")
        # Backwards, equals still keep their order.
        backwards = sorted(tagged, key=lambda p: p[1], reverse=True)
        again = insertion_sort(tagged[::-1], key=lambda p: p[1])[::-1]
        self.assertEqual(backwards, again)

    def test_agrees_with_insertion_sort(self):
        for name, make in self.VALUES.items():
            r = random.Random(name)
            for items in self.shapes(r, make):
                with self.subTest(values=name, n=len(items)):
                    self.check(items)

    def test_failing_comparison_loses_nothing(self):
        class Item:
            count = 0

            def __lt__(self, other):
                Item.count += 1
                if Item.count == limit:
                    raise ZeroDivisionError
                return id(self) < id(other)
        items = [Item() for _ in range(200)]
        for limit in 1, 10, 150, 400, 900:
            Item.count = 0
            shuffled = items[:]
            random.Random(limit).shuffle(shuffled)
            with self.assertRaises(ZeroDivisionError):
                shuffled.sort()
            self.assertEqual(set(shuffled), set(items))

    def test_list_changed_by_key_function(self):
        items = [3, 1, 2]

        def key(item):
            items.append(item)
            return item
        with self.assertRaisesRegex(ValueError, "modified during sort"):
            items.sort(key=key)
        self.assertEqual(sorted(items), [1, 2, 3])

    def test_keys_of_one_type_are_asked_without_the_protocol(self):
        # What python3.11 does: such a comparison is no level of recursion, and one
        # that isn't implemented is asked for again. (With the sanitizer, the C stack ends before
        # the usual limit.)
        self.addCleanup(sys.setrecursionlimit, sys.getrecursionlimit())
        sys.setrecursionlimit(500)

        def depth(make):
            levels = 0

            class Key:
                def __lt__(self, other):
                    nonlocal levels
                    levels += 1
                    make(Key).sort()
                    return False

                def __eq__(self, other):
                    return False

            class Other(Key):
                pass
            Key.other = Other
            with self.assertRaises(RecursionError):
                make(Key).sort()
            return levels
        alone = depth(lambda Key: [Key(), Key()])
        for levels, what in ((depth(lambda Key: [Key(), Key.other()]), "types differ"),
                             (depth(lambda Key: [(1, Key()), (1, Key())]), "second items"),
                             (depth(lambda Key: [[Key()], [Key()]]), "items of lists")):
            with self.subTest(what):
                self.assertAlmostEqual(levels / alone, 1 / 2, delta=0.03)
        self.assertAlmostEqual(depth(lambda Key: [(Key(),), (Key(),)]) / alone, 1, delta=0.03)
        calls = []

        class Unordered:
            def __lt__(self, other):
                calls.append("<")
                return NotImplemented

            def __gt__(self, other):
                calls.append(">")
                return True
        for items, expected in (([Unordered(), Unordered()], "<<>"),
                                ([(Unordered(),), (Unordered(),)], "<<>"),
                                ([(1, Unordered()), (1, Unordered())], "<>")):
            calls.clear()
            items.sort()
            self.assertEqual("".join(calls), expected)


class SetOrder(unittest.TestCase):
    """Programs print sets: the order is that of CPython 3.11."""

    def test_small_ints(self):
        self.assertEqual(repr({3, 1, 2, 0}), "{0, 1, 2, 3}")
        self.assertEqual(list({10, 5, 100, -1, 64}), [64, 100, 5, 10, -1])

    def test_collisions_and_growth(self):
        s = set()
        for i in (104, 105, 106, 107, 108, 109, 32, 64, 96, 128):
            s.add(i)
        self.assertEqual(list(s), [32, 64, 96, 128, 104, 105, 106, 107, 108,
                                   109])
        s.discard(32)
        s.discard(64)
        s.add(160)
        s.add(33)
        self.assertEqual(list(s), [160, 96, 128, 33, 104, 105, 106, 107, 108,
                                   109])

    def test_hashes_that_orders_depend_on(self):
        self.assertEqual(hash((1, 2, 3)), 529344067295497451)
        self.assertEqual(hash(frozenset([1, 2, 3])), -272375401224217160)
        self.assertEqual(hash(range(3)), -8338477496398685190)


class Memory(unittest.TestCase):

    def test_overlapping_assignment(self):
        for source, target in ((0, 2), (2, 0)):
            for step in 1, -1:
                data = bytearray(range(10))
                view = memoryview(data)
                expected = list(range(10))
                expected[target:target + 8] = \
                    expected[source:source + 8][::step]
                view[target:target + 8] = view[source:source + 8][::step]
                self.assertEqual(list(data), expected)

    def test_buffer_of_released_view_is_not_touched(self):
        view = memoryview(bytearray(8))

        class Index:
            def __index__(self):
                view.release()
                return 1
        for use in (lambda: view[Index()],
                    lambda: view.__setitem__(0, Index())):
            view = memoryview(bytearray(8))
            with self.assertRaisesRegex(ValueError, "released"):
                use()

    def test_view_is_not_released_while_it_is_read(self):
        class Array(bytearray):
            def __hash__(self):
                view.release()
                self.clear()
                return 1
        array = Array(1000)
        view = memoryview(array).toreadonly()
        with self.assertRaisesRegex(BufferError, "memoryview has 1 exported buffer"):
            hash(view)
        view.release()

        refused = []

        def release(phase, info):
            try:
                view.release()
            except BufferError:
                refused.append(phase)
        array = bytearray(range(200)) * 5
        view = memoryview(array).cast("B", (200, 5))
        before = gc.get_threshold()
        gc.callbacks.append(release)
        try:
            gc.set_threshold(1)
            rows = view.tolist()
        finally:
            gc.set_threshold(*before)
            gc.callbacks.remove(release)
        self.assertEqual(rows[199], list(range(195, 200)))
        self.assertTrue(refused)

    def test_items_are_of_the_formats_size(self):
        # What PyObject_GetBuffer() gives without PyBUF_FORMAT: bytes, says the format.
        fields = "buf obj len itemsize readonly_ndim format shape strides suboffsets internal"

        class Buffer(ctypes.Structure):
            _fields_ = [(name, ctypes.c_void_p) for name in fields.split()]
        view_of = ctypes.pythonapi.PyMemoryView_FromBuffer
        view_of.restype = ctypes.py_object

        def view(memory, itemsize):
            return view_of(ctypes.byref(Buffer(
                buf=ctypes.addressof(memory), len=32, itemsize=itemsize,
                readonly_ndim=1 << 32 if sys.byteorder == "little" else 1)))
        first = ctypes.create_string_buffer(b"\x11" * 32, 32)
        second = ctypes.create_string_buffer(b"\x11\x12\x13\x14" * 8, 32)
        self.assertEqual(view(first, 4), view(second, 4))
        view(first, 4)[1] = 5
        self.assertEqual(first.raw, b"\x11" * 4 + b"\x05" + b"\x11" * 27)
        self.assertEqual(view(first, 0).shape, (32,))

    def test_format_is_looked_at_when_an_item_is(self):
        text = array.array("u", "abcd")
        view = memoryview(text)
        self.assertEqual(view[:0].tolist(), list(view[:0]))
        view[:2] = array.array("u", "xy")
        self.assertEqual(text.tounicode(), "xycd")
        for read in (lambda: view[0], lambda: view[0,], lambda: list(view), view.tolist):
            self.assertRaisesRegex(NotImplementedError, "^memoryview: format w not supported$",
                                   read)
        with self.assertRaisesRegex(NotImplementedError, "^memoryview: format w not supported$"):
            view[0] = "z"
        for index, expected in (4, "^index out of bounds on dimension 1$"), (2**70, "^cannot fit"):
            with self.assertRaisesRegex(IndexError, expected):
                view[index]
            with self.assertRaisesRegex(IndexError, expected):
                view[index] = "z"
        with self.assertRaisesRegex(TypeError, "^cannot delete memory$"):
            del view[0]

    def test_format_of_a_cast_is_ascii(self):
        with self.assertRaisesRegex(UnicodeEncodeError, "'ascii' codec"):
            memoryview(b"abcd").cast("B\xe9")


class ManyTimesInOneList(unittest.TestCase):
    """A list lets go of an object that follows itself at once, and in the order of popping."""

    def test_each_dies_with_its_last_place(self):
        class Noted:
            def __init__(self, name):
                self.name = name

            def __del__(self):
                deaths.append(self.name)
        for counts in (1, 1, 1), (3, 1, 2), (5, 5, 5), (1, 40, 1):
            deaths = []
            items = []
            for name, count in zip("abc", counts):
                items += [Noted(name)] * count
            del items
            self.assertEqual(deaths, ["c", "b", "a"])
            again, other = Noted("again"), Noted("other")
            items = [again, again, other, again, again]
            del again, other
            self.assertEqual(deaths.pop(), "a")
            del items
            self.assertEqual(deaths[2:], ["other", "again"])

    def test_counts(self):
        item = object()
        before = sys.getrefcount(item)
        items = [[item] * n + [None] + [item] * n for n in range(5)]
        self.assertEqual(sys.getrefcount(item), before + 20)
        del items
        self.assertEqual(sys.getrefcount(item), before)


if __name__ == "__main__":
    unittest.main()

"""Shortcuts in the library's C objects give what the long way gives: counting, pickling, caches
and iterators whose objects have methods of their own."""

import bisect
import collections
import datetime
import decimal
import functools
import heapq
import io
import itertools
import operator
import os
import pickle
import struct
import sys
import types
import unittest

PORTABLE = "what programs ask of the library"


class Number(int):
    def __add__(self, other):
        return Number(int(self) + 100)


class Bad(str):
    """A str that compares by its own method."""
    __hash__ = str.__hash__

    def __eq__(self, other):
        return str.__eq__(self, other)


class Counting(unittest.TestCase):
    def test_counts_that_are_no_plain_ints(self):
        counts = collections.Counter(a=Number(1), b=2.5, c=10 ** 30, d=True)
        counts.update("abcd")
        self.assertEqual((counts["a"], counts["b"], counts["c"], counts["d"]),
                         (101, 3.5, 10 ** 30 + 1, 2))
        self.assertIs(type(counts["a"]), Number)
        counts.update("e" * 300)
        self.assertEqual(counts["e"], 300)

    def test_keys_with_an_eq_of_their_own(self):
        text = ["a", Bad("a"), ("a", 1), (Bad("a"), 1), 1, 1.0, True]
        counts = collections.Counter(text * 3)
        self.assertEqual(counts, {"a": 6, ("a", 1): 6, 1: 9})
        with self.assertRaisesRegex(TypeError, "unhashable type: 'list'"):
            counts.update([[]])

    def test_a_key_whose_eq_changes_the_counter(self):
        class Wild:
            def __hash__(self):
                return hash("x")

            def __eq__(self, other):
                if other == "x":
                    dict.pop(counts, "y", None)
                return self is other
        counts = collections.Counter("xy")
        wild = Wild()
        counts.update([wild, wild, "x"])
        self.assertEqual((counts[wild], counts["x"], len(counts)), (2, 2, 2))


class Pickling(unittest.TestCase):
    def test_numbers_at_the_edges_of_their_opcodes(self):
        edges = [sign * (2 ** bits + step) for bits in (0, 7, 8, 15, 16, 31, 32, 63)
                 for step in (-1, 0, 1) for sign in (1, -1)]
        texts = ["x" * n for n in (0, 1, 254, 255, 256, 257, 65535, 65536, 70000)]
        shared = [str(i) for i in range(600)]
        objects = [edges, texts, [t.encode() for t in texts], shared * 2, [shared, shared],
                   {t: i for i, t in enumerate(shared)}, edges * 40]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            for value in objects:
                stored = pickle.dumps(value, protocol)
                self.assertEqual(pickle.loads(stored), value)
                self.assertEqual(stored, pickle._dumps(value, protocol))

    def test_numbers_where_the_buffer_ends(self):
        for padding in range(990, 1030):
            value = ["x" * padding, 1, 300, 70000, "ab", 2 ** 31 - 1] * 3
            self.assertEqual(pickle.dumps(value), pickle._dumps(value))

    def test_reducer_override_of_a_subclass(self):
        class Mine(pickle.Pickler):
            def reducer_override(self, obj):
                return (str, ("seen",)) if obj is test_object else NotImplemented
        test_object = Number(5)
        file = io.BytesIO()
        Mine(file).dump([test_object, 1])
        self.assertEqual(pickle.loads(file.getvalue()), ["seen", 1])


class Caches(unittest.TestCase):
    def test_a_full_cache_evicts_the_oldest(self):
        @functools.lru_cache(maxsize=3)
        def f(x):
            return [x]
        kept = [f(i) for i in range(3)]
        self.assertIs(f(0), kept[0])
        f(3)
        self.assertIs(f(0), kept[0])
        self.assertIsNot(f(1), kept[1])
        for i in range(5000):
            self.assertEqual(f(i % 5), [i % 5])
        self.assertEqual(f.cache_info().currsize, 3)

    def test_keys_that_call_the_cache_when_compared(self):
        @functools.lru_cache(maxsize=2)
        def f(x):
            return getattr(x, "n", x)

        class Key:
            def __init__(self, n):
                self.n = n

            def __hash__(self):
                return 7

            def __eq__(self, other):
                f(100 + self.n)
                return isinstance(other, Key) and self.n == other.n
        for n in (1, 2, 3, 1, 2, 3) * 20:
            self.assertEqual(f(Key(n)), n)
        self.assertLessEqual(f.cache_info().currsize, 2)

    def test_results_die_when_they_are_evicted(self):
        died = []

        class Result:
            def __init__(self, n):
                self.n = n

            def __del__(self):
                died.append((self.n, f.cache_info().currsize))

        @functools.lru_cache(maxsize=2)
        def f(n):
            return Result(n)
        for n in range(5):
            f(n)
        self.assertEqual(died, [(0, 2), (1, 2), (2, 2)])
        f.cache_clear()


class Combinations(unittest.TestCase):
    def test_results_that_are_kept_and_results_that_are_not(self):
        kinds = [lambda: itertools.product("ab", [1, 2, 3], "xy"),
                 lambda: itertools.permutations("abcd", 3),
                 lambda: itertools.combinations("abcde", 3),
                 lambda: itertools.combinations_with_replacement("abc", 3)]
        for kind in kinds:
            kept = list(kind())
            self.assertEqual(len(set(kept)), len(kept))
            seen = 0
            for one, other in zip(kind(), kept):
                self.assertEqual(one, other)
                seen += 1
            self.assertEqual(seen, len(kept))
            self.assertEqual(["".join(map(str, x)) for x in kind()],
                             ["".join(map(str, x)) for x in kept])


class Accumulating(unittest.TestCase):
    def test_totals_of_all_kinds(self):
        kinds = [range(5), [2 ** 62] * 5, [1, 2.5, True, 3], [Number(1), 2, 3], ["a", "b", "c"],
                 [[1], [2], [3]], [True, True]]
        for items in kinds:
            total, expected = None, []
            for item in items:
                total = item if total is None else total + item
                expected.append(total)
            self.assertEqual(list(itertools.accumulate(items)), expected)
        self.assertEqual(list(itertools.accumulate([3, 1, 4], max, initial=2)), [2, 3, 3, 4])
        self.assertEqual(list(itertools.accumulate([3, 1, 4], operator.mul)), [3, 3, 12])
        with self.assertRaisesRegex(TypeError, "unsupported operand"):
            list(itertools.accumulate([1, "a"]))
        with self.assertRaisesRegex(ZeroDivisionError, "division by zero"):
            list(itertools.accumulate([1, 0], lambda a, b: a / b))


class Dates(unittest.TestCase):
    def test_sums_agree_with_python(self):
        from test.support.import_helper import import_fresh_module
        pure = import_fresh_module("datetime", blocked=["_datetime"])
        starts = [(1, 1, 1), (2024, 2, 28, 23, 59, 59, 999999), (2023, 2, 28), (2024, 2, 29, 1),
                  (2023, 12, 31, 12, 30), (9999, 12, 31, 23, 59, 59, 999999), (2000, 1, 31)]
        deltas = [(days, seconds, us) for days in (-400, -31, -1, 0, 1, 3, 31, 3000)
                  for seconds in (0, 1, 43200, 86399) for us in (0, 1, 999999)]
        for start in starts:
            for delta in deltas:
                for op in operator.add, operator.sub:
                    try:
                        expected = op(pure.datetime(*start), pure.timedelta(*delta)).isoformat()
                    except OverflowError:
                        expected = "date value out of range"
                    try:
                        when = op(datetime.datetime(*start), datetime.timedelta(*delta))
                    except OverflowError as e:
                        self.assertEqual(str(e), expected)
                        continue
                    self.assertEqual(when.isoformat(), expected)
                    back = when - datetime.datetime(*start)
                    self.assertEqual(back, op(datetime.timedelta(), datetime.timedelta(*delta)))

    def test_far_sums_overflow(self):
        when, far = datetime.datetime(2024, 5, 5), datetime.timedelta.max
        for op in operator.add, operator.sub:
            with self.assertRaisesRegex(OverflowError, "date value out of range"):
                op(when, far)
        with self.assertRaisesRegex(OverflowError, "date value out of range"):
            datetime.datetime(1, 1, 1) - datetime.timedelta(microseconds=1)

    def test_subclasses_and_zones(self):
        class Mine(datetime.datetime):
            pass
        utc = datetime.timezone.utc
        east = datetime.timezone(datetime.timedelta(hours=5))
        self.assertIs(type(Mine(2024, 1, 1) + datetime.timedelta(1)), Mine)
        a, b = datetime.datetime(2024, 1, 1, 3, tzinfo=utc), datetime.datetime(2024, 1, 1, 3, 0, 0,
                                                                               1, tzinfo=east)
        self.assertEqual(a - b, datetime.timedelta(hours=5) - datetime.timedelta(microseconds=1))
        self.assertEqual(b - a, -(a - b))


class ComparedInContainers(unittest.TestCase):
    """Dates, times and Decimals are compared without their methods if no code of a program's can
    run and nothing can fail."""

    def check(self, make):
        """make(i) makes an object anew; they are ordered as their numbers."""
        numbers = [7, 3, 11, 3, 0, 5, 11, 2]
        objects = [make(i) for i in numbers]
        keys = {make(i): i for i in numbers}
        pairs = {(make(i), "x"): i for i in numbers}
        ordered = sorted(map(make, numbers))
        for i in range(12):
            x = make(i)
            self.assertEqual(x in objects, i in numbers)
            self.assertEqual(x in tuple(objects), i in numbers)
            self.assertEqual(objects.count(x), numbers.count(i))
            self.assertEqual(keys.get(x), i if i in numbers else None)
            self.assertEqual(pairs.get((x, "x")), i if i in numbers else None)
            self.assertEqual((x, "x") in set(pairs), i in numbers)
            self.assertEqual(bisect.bisect(ordered, x), bisect.bisect(sorted(numbers), i))
            self.assertEqual(bisect.bisect_left(ordered, x), bisect.bisect_left(sorted(numbers), i))
            for j in range(12):
                y = make(j)
                self.assertEqual((x == y, x != y, x < y, x <= y, x > y, x >= y),
                                 (i == j, i != j, i < j, i <= j, i > j, i >= j))
                self.assertEqual([(x, 1) < (y, 0), (x, 0) <= (y, 0), (x, 1) == (y, 1)],
                                 [i < j, i <= j, i == j])
                self.assertEqual([x] == [y], i == j)
                self.assertEqual({1: x} == {1: y}, i == j)
        self.assertEqual(ordered, [make(i) for i in sorted(numbers)])
        self.assertEqual(sorted((make(i), -i) for i in numbers),
                         [(make(i), -i) for i in sorted(numbers)])
        self.assertEqual([max(objects), min(objects)], [make(11), make(0)])
        heap = [(make(i), i) for i in numbers]
        heapq.heapify(heap)
        self.assertEqual([heapq.heappop(heap)[1] for _ in numbers], sorted(numbers))

    def test_of_one_type(self):
        class Date(datetime.date):
            pass

        class Number(decimal.Decimal):
            pass

        utc = datetime.timezone.utc
        self.check(lambda i: datetime.date(255 + i // 6, 3 + i // 3 % 2, 20 + i % 3))
        self.check(lambda i: Date(254 + i, 12 - i, 9))
        self.check(lambda i: datetime.datetime(2024, 2, 3, i // 4, i % 4, 30 - i, 255 * (12 - i)))
        self.check(lambda i: datetime.datetime(2024, 2, 3, 4, 5, 6, 250 + i, utc))
        self.check(lambda i: datetime.timedelta(i // 4 - 2, i // 2 % 2 * 700, i % 2 * 90))
        self.check(lambda i: datetime.time(i // 4, i % 4))
        for texts in ("-inf -2 -0.10 0 1e-9 .1 .2 .30 4 50 6e9 inf",
                      "-7e999 -7e30 -7e29 -2 -1.9999999999999999999999 -.1 0 1e-400 1e-40 .2 1e30 1e31"):
            numbers = texts.split()
            self.check(lambda i: decimal.Decimal(numbers[i]))
            self.check(lambda i: Number(numbers[i]))

    def test_of_two_zones(self):
        zones = [datetime.timezone(datetime.timedelta(hours=h)) for h in range(5)]
        instant = datetime.datetime(2024, 2, 28, 23, 10, tzinfo=datetime.timezone.utc)
        turn = itertools.cycle(zones)
        self.check(lambda i: (instant + i * datetime.timedelta(minutes=7)).astimezone(next(turn)))
        a, b = [instant.astimezone(zone) for zone in zones[:2]]
        self.assertIn(a, [b])
        self.assertEqual({a: 1}[b], 1)
        naive = a.replace(tzinfo=None)
        self.assertNotIn(naive, [a, b])
        self.assertRaises(TypeError, bisect.bisect, [a], naive)
        self.assertRaises(TypeError, max, [(a, 1), (naive, 1)])
        self.assertEqual([(a, 1) == (naive, 1), a.date() in [a], a in [a.date()]], [False] * 3)

    def test_decimals_that_are_no_numbers(self):
        D = decimal.Decimal
        nan = D("nan")
        self.assertTrue(nan in [nan] and (nan, 1) == (nan, 1) and [nan].index(nan) == 0)
        self.assertFalse(D("nan") in [nan] or (D("nan"), 1) == (nan, 1) or {1: D("nan")} == {1: nan})
        self.assertTrue((D("1.0"), 1) == (D(1), 1) and {1: D("-0")} == {1: D(0)})
        for failing in (lambda: D("snan") in [D(1)], lambda: (D("snan"), 1) == (D(1), 1),
                        lambda: max(D(1), nan), lambda: bisect.bisect([D(1)], nan),
                        lambda: (D(1), 1) < (D("snan"), 1), lambda: {1: D("snan")} == {1: D(1)}):
            self.assertRaises(decimal.InvalidOperation, failing)

    def test_methods_of_subclasses_are_called(self):
        for base, args in ((datetime.date, (2024, 1, 2)), (datetime.datetime, (2024, 1, 2)),
                           (datetime.timedelta, (3,)), (decimal.Decimal, (3,))):
            class Sub(base):
                __hash__ = base.__hash__

                def __eq__(self, other):
                    asked.append(other)
                    return False

                def __lt__(self, other):
                    asked.append(other)
                    return True

            asked = []
            a, b = Sub(*args), Sub(*args)
            self.assertFalse(a in [b] or (a, 1) == (b, 1) or {1: a} == {1: b})
            self.assertEqual(len(asked), 3)
            self.assertEqual(bisect.bisect([a], b), 0)
            self.assertTrue((a, 1) < (b, 1))
            self.assertEqual(len(asked), 6)
            self.assertNotIn(a, {b: 1})
            asked.clear()
            del Sub.__eq__, Sub.__lt__
            self.assertTrue(a in [b] and (a, 1) == (b, 1) and {a: 1} == {b: 1})
            self.assertEqual(asked, [])


class Paths(unittest.TestCase):
    def test_what_a_path_is(self):
        class Path:
            def __init__(self, name):
                self.name = name

            def __fspath__(self):
                return self.name

        class Text(str):
            pass

        text = Text("t")
        for given in "a", b"a", text:
            for path in given, Path(given):
                self.assertIs(os.fspath(path), given)
                self.assertIs(os.fspath(path=path), given)
        for args, keywords, message in (
                ((3,), {}, "expected str, bytes or os.PathLike object, not int"),
                ((), {"path": None}, "expected str, bytes or os.PathLike object, not NoneType"),
                ((Path(3),), {}, r"expected Path.__fspath__\(\) to return str or bytes, not int"),
                ((), {}, "missing required argument 'path'"),
                (("a", "b"), {}, "takes at most 1 argument|exactly one argument"),
                (("a",), {"path": "b"}, r"takes at most 1 argument|given by name|multiple values"),
                (("a",), {"other": "b"}, "takes at most 1 argument|unexpected keyword")):
            with self.assertRaisesRegex(TypeError, message):
                os.fspath(*args, **keywords)


class Importing(unittest.TestCase):
    def imports(self, module):
        """How often an import of the module has asked for its lock."""
        calls, bootstrap = [], sys.modules["_frozen_importlib"]
        original = bootstrap._lock_unlock_module
        sys.modules["shortcut_test"] = module
        bootstrap._lock_unlock_module = calls.append
        try:
            for _ in range(50):
                import shortcut_test
        finally:
            bootstrap._lock_unlock_module = original
            del sys.modules["shortcut_test"]
        self.assertIs(shortcut_test, module)
        return len(calls)

    def test_modules_that_are_being_initialised(self):
        module = types.ModuleType("shortcut_test")
        self.assertEqual(self.imports(module), 0)
        for truth in True, 1, "yes":
            module.__spec__ = types.SimpleNamespace(_initializing=truth)
            self.assertEqual(self.imports(module), 50)
        for falsehood in False, 0, None:
            module.__spec__ = types.SimpleNamespace(_initializing=falsehood)
            self.assertEqual(self.imports(module), 0)
        module.__spec__ = object()
        self.assertEqual(self.imports(module), 0)

    def test_specs_that_are_computed(self):
        class Spec:
            _initializing = property(lambda self: truth)
        module = types.ModuleType("shortcut_test")
        module.__spec__ = Spec()
        for truth in True, False:
            self.assertEqual(self.imports(module), 50 * truth)
        del module.__spec__
        module.__getattr__ = lambda name: Spec() if name == "__spec__" else None
        for truth in True, False:
            self.assertEqual(self.imports(module), 50 * truth)


class Views(unittest.TestCase):
    def test_equality_is_that_of_the_items(self):
        """Rows are compared as bytes where that is the same, and where they are dense."""
        data = bytes(range(24))
        for code in "bBcHiqfd":
            view = memoryview(data).cast(code)
            for cut in slice(None), slice(None, None, 2), slice(None, None, -1), slice(1, 3):
                part = view[cut]
                other = memoryview(bytearray(part.tobytes())).cast(code)
                self.assertEqual(part, other, (code, cut))
                self.assertEqual(other, part, (code, cut))
                size = view.itemsize
                other = memoryview(bytearray(part.tobytes()))
                other[len(other) - size] ^= 1
                other = other.cast(code)
                self.assertEqual(part == other, part.tolist() == other.tolist(), (code, cut))
        rows = memoryview(data).cast("B", [2, 3, 4])
        changed = bytearray(data)
        changed[-1] = 0
        self.assertEqual(rows, memoryview(bytearray(data)).cast("B", [2, 3, 4]))
        self.assertNotEqual(rows, memoryview(changed).cast("B", [2, 3, 4]))
        self.assertNotEqual(rows, memoryview(data).cast("B", [2, 4, 3]))
        nan = struct.pack("d", float("nan"))
        self.assertNotEqual(memoryview(nan).cast("d"), memoryview(nan).cast("d"))
        self.assertEqual(memoryview(bytes(8)).cast("d"), memoryview(bytes(7) + b"\x80").cast("d"))

    def test_ints_are_stored_where_they_fit(self):
        class Index:
            def __index__(self):
                return 7
        for code in "bBhHiIlLqQnN":
            bits = 8 * struct.calcsize(code)
            low, high = (0, 2 ** bits) if code.isupper() else (-2 ** bits // 2, 2 ** bits // 2)
            view = memoryview(bytearray(32)).cast(code)
            for value in {0, 1, -1, low, low - 1, high - 1, high, 255, 256, 65535, 65536,
                          2 ** 30 - 1, 2 ** 30, -2 ** 30}:
                view[1] = 5
                if low <= value < high:
                    view[1] = value
                    self.assertEqual(view.tolist()[:3], [0, value, 0][:len(view)])
                else:
                    with self.assertRaisesRegex(ValueError, "invalid value for format"):
                        view[1] = value
                    self.assertEqual(view[1], 5)
            view[0], view[1] = True, Index()
            self.assertEqual(view.tolist()[:2], [1, 7])
            with self.assertRaises(TypeError):
                view[0] = 1.0


class Unions(unittest.TestCase):
    def test_members_are_there_once_in_order(self):
        self.assertEqual((int | str | int | None | str).__args__, (int, str, type(None)))
        self.assertEqual(((int | str) | (str | bytes | None)).__args__,
                         (int, str, bytes, type(None)))
        self.assertIs(int | int, int)
        self.assertEqual((list[int] | dict | list[int] | list[str]).__args__,
                         (list[int], dict, list[str]))
        with self.assertRaises(TypeError):
            int | 5


if __name__ == "__main__":
    unittest.main()

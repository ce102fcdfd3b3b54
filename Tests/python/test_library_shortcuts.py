"""Shortcuts in the library's C objects give what the long way gives: counting, pickling, caches
and iterators whose objects have methods of their own."""

import collections
import functools
import io
import itertools
import pickle
import unittest


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


if __name__ == "__main__":
    unittest.main()

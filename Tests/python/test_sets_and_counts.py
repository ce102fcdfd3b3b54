"""What sets, counters, sum(), bytearrays and the order of strs do by short ways: nothing is lost,
released twice, changed under somebody else's eyes, or different from the long way."""
import collections
import ctypes
import itertools
import random
import sys
import unittest


class Key:
    """Its hash decides the slot; it is equal to itself only."""

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return self.number


class ReferencesOfSets(unittest.TestCase):
    SIZES = [0, 1, 3, 4, 5, 6, 9, 18, 19, 20, 40, 76, 77, 150, 700]

    def sets_of(self, keys):
        """The same keys in tables with deleted slots and without, of several sizes."""
        plain = set(keys)
        grown = set()
        for key in keys:
            grown.add(key)
        holes = set(range(10_000, 10_000 + 2 * len(keys) + 5)) | plain
        holes.difference_update(range(10_000, 20_000))
        popped = set(itertools.chain(keys, range(-20, 0)))
        for number in range(-20, 0):
            popped.discard(number)
        return plain, grown, holes, popped, frozenset(holes), frozenset(plain)

    def assertCounts(self, keys, before, what):
        self.assertEqual([sys.getrefcount(key) for key in keys], before, what)

    def test_copies_and_algebra_give_back_what_they_took(self):
        for n in self.SIZES:
            keys = [Key(i * 7) for i in range(n)]
            half = set(keys[::2])
            before = [sys.getrefcount(key) for key in keys]
            for number, one in enumerate(self.sets_of(keys)):
                made = [set(one), frozenset(one), one.copy(), one | half, one - half, one & half,
                        one ^ half, one.union(half, [1]), one.difference(half, {2: 3})]
                self.assertEqual(len(made[0]), n)
                self.assertEqual(made[4] | made[5], set(keys))
                self.assertEqual(sorted(key.number for key in made[3]),
                                 [i * 7 for i in range(n)])
                made[0] -= half
                made[2] |= half
                made[1].__init__()
                made[0].clear()
                del made, one
            self.assertCounts(keys, before, n)

    def test_keys_that_only_the_set_has_die_with_it(self):
        for n in self.SIZES:
            died = []

            class Mortal(Key):
                def __del__(self):
                    died.append(self.number)

            for number in range(6):
                one = self.sets_of([Mortal(i) for i in range(n)])[number]
                in_order = [key.number for key in one]
                del one
                self.assertEqual(sorted(died), list(range(n)), (n, number))
                self.assertEqual(len(in_order), n)
                died.clear()

    def test_each_key_is_met_once(self):
        chance = random.Random(3)
        for n in self.SIZES:
            one, kept = set(range(n)), set(range(n))
            for _ in range(6):
                gone = chance.sample(sorted(kept), len(kept) // 3)
                one.difference_update(gone)
                kept = {x for x in kept if x not in gone}
                for _ in range(3):
                    self.assertEqual(sorted([x for x in one]), sorted(kept))
                    self.assertEqual(sorted(one), sorted(kept))
                    self.assertEqual({x + 1 for x in one}, {x + 1 for x in kept})

    def test_ints_with_one_hash_are_different(self):
        self.assertEqual(hash(-1), hash(-2))
        one = {-1}
        self.assertNotIn(-2, one)
        one.add(-2)
        self.assertEqual(len(one), 2)
        large = (1 << 61) - 1
        self.assertEqual(hash(large), 0)
        self.assertNotIn(large, {0})
        self.assertEqual(len({0, large, False, 0.0}), 2)
        one.discard(-1)
        self.assertEqual(one, {-2})

    def test_a_set_made_of_one_that_grows_meanwhile(self):
        class Meddler(Key):
            __hash__ = Key.__hash__

            def __eq__(self, other):
                one.update(range(100, 180))
                return False

        one = {Meddler(1)}
        self.assertEqual(len(one - {1, 2}), 81)

    def test_an_intersection_ends_when_all_keys_have_been_found(self):
        for cls in set, frozenset:
            source = itertools.count()
            self.assertEqual(cls({3, 1}).intersection(source), {1, 3})
            self.assertEqual(next(source), 4)
            # Of the second as far as what the first has left.
            self.assertEqual(cls({5, 1, 2}).intersection([1, 5, 9], itertools.count()), {1, 5})

    def test_a_set_that_shrinks_while_it_is_intersected(self):
        def items(*steps):
            for step in steps:
                if step < 0:
                    one.discard(-step)
                else:
                    taken.append(step)
                    yield step

        for steps, result in (((1, 2, -3, 99, 1, 5), [1, 2, 99, 1]), ((1, -1, -2, 3, 4), [1, 3])):
            one, taken = {1, 2, 3}, []
            one.intersection(items(*steps))
            self.assertEqual(taken, result)

    def test_a_set_that_has_as_many_keys_but_others_meanwhile(self):
        # The key that comes takes the place of one that had been removed before: so neither the
        # number of keys nor that of slots in use changes.
        def prepare():
            class Meddler(Key):
                __hash__ = Key.__hash__

                def __eq__(self, other):
                    if self in one:
                        one.discard(self)
                        one.add(9)
                    return False

            one = {Meddler(1), *range(6, 24)}
            one.difference_update(range(6, 24))
            return one

        self.assertEqual([key for key in prepare() - {1, 2} if key == 9], [9])
        one = prepare()
        self.assertEqual(len(frozenset([1, 2]) | one), 4)
        self.assertEqual(one, {9})
        one, other = prepare(), {1, 9, 20}
        other.difference_update(one)
        self.assertEqual(other, {1, 20})

    def test_a_place_that_is_taken_while_keys_are_compared(self):
        class Meddler(Key):
            __hash__ = Key.__hash__

            def __eq__(self, other):
                if acts:
                    one.add(acts.pop())
                return self is other

        acts = []
        gone, asked, first, second = keys = [Meddler(1) for _ in range(4)]
        one = {gone, asked}
        one.discard(gone)
        acts.append(first)
        one.add(second)
        self.assertEqual(set(map(id, one)), set(map(id, keys[1:])))
        self.assertEqual(len(one), 3)

    def test_a_key_whose_hash_has_changed_is_another(self):
        # By 8: at the first slot of its search. By 1: passed by the search for another slot.
        for change, size in (8, 0), (1, 15), (8, 15):
            key = Key(1)
            rest = set(range(3, 3 + size)) | {2} if size else set()
            old = rest | {key}
            key.number += change
            new = rest | {key}
            self.assertNotIn(key, old, change)
            self.assertEqual(list(old - new), [key], change)
            self.assertEqual(old & new, rest, change)
            self.assertEqual(len(old | new), len(rest) + 2, change)
            self.assertEqual(len(old ^ new), 2, change)
            self.assertFalse(old <= new, change)
            self.assertFalse(old == new, change)
            self.assertEqual(old.isdisjoint(new), not rest, change)
            old.discard(key)
            self.assertEqual(len(old), len(rest) + 1, change)
            old.add(key)
            self.assertEqual(len(old), len(rest) + 2, change)


class Counts(unittest.TestCase):
    def version(self, one):
        return ctypes.c_uint64.from_address(id(one) + 24).value

    def test_an_int_of_somebody_else_stays(self):
        counts = collections.Counter()
        counts["a"] = int("1000")
        value = counts["a"]
        counts.update("aaa")
        self.assertEqual((value, counts["a"]), (1000, 1003))
        counts.update("a")
        seen = list(counts.values())
        counts.update(["a", "a"])
        self.assertEqual((seen, counts["a"]), ([1004], 1006))

    def test_counts_across_the_ends_of_digits_and_small_ints(self):
        for start in (-7, -2, 0, 254, 255, 256, 257, 2**30 - 3, 2**30 - 1, 2**60 - 2, 2**63 - 2):
            counts = collections.Counter()
            counts["a"] = int(str(start))
            for more in range(1, 6):
                counts.update("a")
                self.assertEqual(counts["a"], start + more)
                self.assertEqual(sys.getsizeof(counts["a"]), sys.getsizeof(start + more))
        self.assertEqual(256, int("256"))

    def test_a_dict_whose_count_was_written_in_place_has_a_new_version(self):
        counts = {"a": int("5000")}
        for _ in range(3):
            before = self.version(counts)
            collections._count_elements(counts, "a")
            self.assertNotEqual(self.version(counts), before)
        self.assertEqual(counts, {"a": 5003})

    def test_values_that_are_no_ints(self):
        class Number(int):
            def __add__(self, other):
                return "added"
        counts = collections.Counter(a=1.5, b=True, c=Number(3))
        counts.update("abc")
        self.assertEqual(list(counts.values()), [2.5, 2, "added"])
        with self.assertRaises(TypeError):
            counts.update("c")

    def test_own_methods_are_called(self):
        log = []

        class Loud(collections.Counter):
            def __setitem__(self, key, value):
                log.append((key, value))
                super().__setitem__(key, value)
        Loud("aba")
        self.assertEqual(log, [("a", 1), ("b", 1), ("a", 2)])

    def test_references_to_keys(self):
        keys = [(i, str(i)) for i in range(50)]
        before = [sys.getrefcount(key) for key in keys]
        for _ in range(3):
            counts = collections.Counter(keys * 2)
            self.assertEqual([sys.getrefcount(key) for key in keys], [n + 1 for n in before])
            del counts
        self.assertEqual([sys.getrefcount(key) for key in keys], before)


class Sums(unittest.TestCase):
    class Own(int):
        def __radd__(self, other):
            return f"{other} and {int(self)}"

    def test_the_same_as_item_by_item(self):
        chance = random.Random(1)
        pool = [0, 1, -1, 300, True, False, 2**40, -2**62, 2**62, 2**63 - 1, -2**63, 2**70, 0.5,
                -0.0, 1e300, float("inf"), 1j, self.Own(4)]
        cases = [[], [-0.0], [True], [True, True], [2**63 - 1, 1], [-2**63, -1], [0.1] * 10,
                 [1, 0.5, 2**63, 2], [0.5, True, 2], [1, self.Own(5)], [2**53, 1.0, 1]]
        cases += [chance.choices(pool, k=chance.randrange(1, 7)) for _ in range(400)]
        for case in cases:
            told = []
            for items in case, tuple(case), iter(case):
                try:
                    total = sum(items)
                    told.append((type(total), str(total)))
                except TypeError as error:
                    told.append(str(error))
            self.assertEqual(told[0], told[2], case)
            self.assertEqual(told[1], told[2], case)

    def test_bytes(self):
        for data in b"", b"\xff", bytes(range(256)) * 33:
            self.assertEqual(sum(data), sum(iter(data)))
            self.assertEqual(sum(bytearray(data)), sum(iter(data)))
            self.assertEqual(sum(data, 0.5), sum(iter(data)) + 0.5)

    def test_lists_that_iterate_otherwise(self):
        class Reversed(list):
            def __iter__(self):
                return iter([7])
        self.assertEqual(sum(Reversed([1, 2])), 7)


class ItemsOfBytes(unittest.TestCase):
    LOOP = """
def items(data, start, stop):
    found = []
    for index in range(start, stop):
        found.append(data[index])
    return found
"""

    def test_indexes_at_both_ends(self):
        for data in bytearray(b"abc" * 5), b"abc" * 5, bytearray(b"x"):
            scope = {}
            exec(self.LOOP, scope)
            items, n, expected = scope["items"], len(data), list(data)
            for _ in range(300):
                self.assertEqual(items(data, 0, n), expected)
            self.assertEqual(items(data, -n, n), expected * 2)
            for start, stop in (0, n + 1), (-n - 1, n), (2**40, 2**41), (-2**62, 0):
                with self.assertRaises(IndexError, msg=(data, start)):
                    items(data, start, stop)
            empty = type(data)()
            with self.assertRaises(IndexError):
                items(empty, 0, 1)

    def test_a_bytearray_that_has_lost_its_front(self):
        flags = bytearray(range(100))
        del flags[:30]

        def total():
            return sum([flags[i] for i in range(len(flags))])
        for _ in range(300):
            self.assertEqual(total(), sum(range(30, 100)))


class OrderOfTexts(unittest.TestCase):
    def test_by_code_points(self):
        texts = ["", "a", "b", "ab", "a\0", "a\0b", "\xff", "\xffa", "z\xe9", "\u0100", "a\u0100",
                 "\U0001f600", "\uffff", "abc" * 30, "abc" * 30 + "d"]
        for a, b in itertools.product(texts, repeat=2):
            x, y = list(map(ord, a)), list(map(ord, b))
            self.assertEqual((a < b, a <= b, a > b, a >= b), (x < y, x <= y, x > y, x >= y))
            self.assertEqual(((1, a) < (1, b), (1, a) >= (1, b)), (x < y, x >= y))
            self.assertEqual(min([a, b]), a if x <= y else b)


if __name__ == "__main__":
    unittest.main()

"""The VM's fast paths give the same results as the general ones."""
import gc
import os
import re
import struct
import sys
import tempfile
import unittest

NAN = float("nan")
MODULUS = sys.hash_info.modulus


class Refuses(Exception):
    pass


class BadKey:
    def __hash__(self):
        return 42

    def __eq__(self, other):
        raise Refuses


class Dicts(unittest.TestCase):
    def test_errors_of_comparison_reach_the_caller(self):
        d = {BadKey(): 1}
        for name, use in {
            "in": lambda: 42 in d, "not in": lambda: 42 not in d, "[]": lambda: d[42],
            "get": lambda: d.get(42), "if": lambda: 1 if 42 in d else 2,
            "store": lambda: d.__setitem__(42, 1),
        }.items():
            with self.subTest(name), self.assertRaises(Refuses):
                use()

    def test_ints_with_equal_hashes_are_different_keys(self):
        d = {}
        keys = [0, MODULUS, -MODULUS, 2 * MODULUS, 1, MODULUS + 1, -1, -2, 1 << 60, (1 << 61) + 1]
        for i, key in enumerate(keys):
            d[key] = i
        for i, key in enumerate(keys):
            self.assertEqual(d[key], i, key)
            self.assertEqual(d[key + 0], i, key)
        self.assertNotIn(2, d)
        self.assertNotIn(3 * MODULUS, d)

    def test_floats_and_bools_find_int_keys(self):
        d = {1: "one", 2: "two"}
        self.assertEqual((d[1.0], d[True], d[2.0]), ("one", "one", "two"))
        d[True] = "true"
        self.assertEqual(d, {1: "true", 2: "two"})
        self.assertIs(type(next(iter(d))), int)

    def test_a_replaced_value_dies_after_the_dict_has_the_new_one(self):
        d, seen = {}, []

        class Watch:
            def __del__(self):
                seen.append(d["k"])
        d["k"] = Watch()
        d["k"] = "new"
        self.assertEqual(seen, ["new"])


class Comparisons(unittest.TestCase):
    def jumps(self, x, y):
        return [1 if x < y else 0, 1 if x <= y else 0, 1 if x == y else 0,
                1 if x != y else 0, 1 if x > y else 0, 1 if x >= y else 0]

    def jumps_with_five(self, x):
        return [1 if x < 5 else 0, 1 if x <= 5 else 0, 1 if x == 5 else 0,
                1 if x != 5 else 0, 1 if x > 5 else 0, 1 if x >= 5 else 0]

    def test_jumps_agree_with_values_for_ints_and_floats(self):
        box = [0, 5, 7, -3, 5.0, 7.5, -0.0, NAN, float("inf"), 2**53 + 1, float(2**53), 2**70]
        for x in box:
            self.assertEqual(self.jumps_with_five(x), self.jumps(x, 5), x)
            for y in box:
                values = [x < y, x <= y, x == y, x != y, x > y, x >= y]
                self.assertEqual(self.jumps(x, y), list(map(int, values)), (x, y))
        self.assertEqual(self.jumps(NAN, NAN), [0, 0, 0, 1, 0, 0])
        self.assertEqual(self.jumps(2**53 + 1, float(2**53)), [0, 0, 0, 1, 1, 1])

    def test_containers_find_nan_by_identity(self):
        self.assertIn(NAN, [1, NAN])
        self.assertNotIn(float("nan"), [1, NAN])
        self.assertEqual([NAN].index(NAN), 0)
        self.assertTrue((NAN,) == (NAN,))

    def test_a_list_that_changes_while_it_is_searched(self):
        class Clears:
            def __eq__(self, other):
                items.clear()
                return False
        items = [Clears(), 1, 2]
        self.assertNotIn(3, items)
        items = [Clears(), 1, 2]
        self.assertEqual(items.count(3), 0)


class Extremes(unittest.TestCase):
    def test_first_of_equal_items_wins(self):
        a, b = [1], [1]
        self.assertIs(min([a, b]), a)
        self.assertIs(max([a, b]), a)
        self.assertIs(min(a, b, key=len), a)

    def test_errors(self):
        def broken():
            yield 1
            raise Refuses
        with self.assertRaises(Refuses):
            min(broken())
        with self.assertRaises(Refuses):
            max([1, 2], key=lambda x: BadKey() == x)
        with self.assertRaises(TypeError):
            min([1, "a"])


class Unpacking(unittest.TestCase):
    def test_the_last_owner_of_the_tuple_is_a_target(self):
        a = ("x" * 10, "y" * 10)
        a, b = a
        self.assertEqual((a, b), ("x" * 10, "y" * 10))
        b = ("p" * 3, "q" * 3)
        a, b = b
        self.assertEqual((a, b), ("ppp", "qqq"))

    def test_nothing_is_assigned_when_lengths_differ(self):
        a = b = 1
        with self.assertRaises(ValueError):
            a, b = (1, 2, 3)
        self.assertEqual((a, b), (1, 1))


class Slices(unittest.TestCase):
    def test_assignment_clips_like_slice_objects(self):
        for low in (None, -9, -2, 0, 1, 3, 9):
            for high in (None, -9, -2, 0, 1, 3, 9):
                for new in ([], ["a"], ["a", "b", "c", "d", "e"]):
                    direct, general = [1, 2, 3, 4], [1, 2, 3, 4]
                    direct[low:high] = new
                    general.__setitem__(slice(low, high), new)
                    self.assertEqual(direct, general, (low, high, new))

    def test_a_list_is_assigned_to_its_own_slice(self):
        a = [1, 2, 3]
        a[1:2] = a
        self.assertEqual(a, [1, 1, 2, 3, 3])

    def test_indices_are_those_of_what_is_taken(self):
        class Index:
            def __init__(self, value):
                self.value = value

            def __index__(self):
                return self.value

        big = 10 ** 20
        bounds = (None, 0, 1, 3, 9, -1, -3, -9, big, -big, Index(2))
        for length in (0, 1, 4, 5, Index(6), big + 3):
            n = length.value if type(length) is Index else length
            for start in bounds:
                for stop in bounds:
                    for step in (None, 1, 2, -1, -3, big, -big, Index(-2)):
                        found = slice(start, stop, step).indices(length)
                        self.assertIs(type(found), tuple)
                        self.assertTrue(gc.is_tracked(found))
                        self.assertEqual(range(*found), range(n)[start:stop:step])
                        self.assertEqual([type(x) for x in found], [int] * 3)
        for wrong, error in (((3, 4, 0), 5), ValueError), (((3, 4), -1), ValueError), \
                (((3, 4), "5"), TypeError), (((3, "4"), 5), TypeError), (((1.5, 4), 5), TypeError):
            self.assertRaises(error, slice(*wrong[0]).indices, wrong[1])

    def test_what_is_assigned_must_be_iterable(self):
        a = [1]
        with self.assertRaisesRegex(TypeError, "can only assign an iterable"):
            a[0:1] = 5


class Methods(unittest.TestCase):
    def test_a_bound_method_keeps_self_alive_until_the_end_of_the_call(self):
        events = []

        class Guest:
            def hello(self, x):
                events.append("hello")
                return x

            def __del__(self):
                events.append("gone")
        for _ in range(5):
            method = Guest().hello

            def call(f):
                return f(7)
            self.assertEqual(call(method), 7)
            self.assertEqual(events, ["hello"])
            del method
            self.assertEqual(events, ["hello", "gone"])
            events.clear()

    def test_wrong_number_of_arguments(self):
        class K:
            def m(self, a, b=2, *rest):
                return a, b, rest

            def n(self):
                return 1
        m, n = K().m, K().n
        for _ in range(5):
            self.assertEqual(m(1), (1, 2, ()))
            self.assertEqual(m(1, 3, 4, 5), (1, 3, (4, 5)))
            with self.assertRaisesRegex(TypeError, "missing 1 required positional argument: 'a'"):
                m()
            with self.assertRaisesRegex(TypeError, "takes 1 positional argument but 2 were given"):
                n(1)


class Integers(unittest.TestCase):
    def test_bitwise_operators_on_large_ints(self):
        values = [0, 1, 5, (1 << 64) - 1, 1 << 64, 3**100, 3**101, -1, -(1 << 64), -3**100]
        for a in values:
            for b in values:
                self.assertEqual(a & b, ~(~a | ~b), (a, b))
                self.assertEqual(a ^ b, (a | b) - (a & b), (a, b))
                self.assertEqual((a & b) + (a | b), a + b, (a, b))

    def test_products_of_few_digits(self):
        for i in range(1, 200, 7):
            for j in range(1, 200, 11):
                a, b = (1 << i) - 1, (1 << j) + 1
                self.assertEqual(a * b, (b << i) - b, (i, j))

    def test_arithmetic_of_int_objects_and_constants(self):
        values = [0, 1, -1, 256, 257, -6, 10**6, -10**6, 2**30 - 1, 2**30, -2**30, 2**62, 2**63]
        for x in values:
            self.assertEqual([x + 3, x - 3, x * 3, x // 3, x % 3, x & 3, x << 3, x >> 3],
                             [x.__add__(3), x.__sub__(3), x.__mul__(3), x.__floordiv__(3),
                              x.__mod__(3), x.__and__(3), x.__lshift__(3), x.__rshift__(3)])


class Collector(unittest.TestCase):
    def test_objects_from_free_lists_are_not_counted(self):
        gc.collect()
        gc.disable()
        try:
            before = gc.get_count()[0]
            for _ in range(5000):
                [], {}, (before,)
            self.assertLess(gc.get_count()[0] - before, 100)
        finally:
            gc.enable()


class RegexSetsTest(unittest.TestCase):
    """Sets of a regular expression are looked up in maps of the first 256 characters."""

    def test_every_way_to_ask_a_set(self):
        chars = [chr(i) for i in range(300)] + ["\u0131", "\u017f", "\u2028", "\u20ac", "\U0001f600"]
        digits = "0123456789"
        cases = [
            (r"[a-f\d.-]", 0, lambda c: c in "abcdef.-" or c.isdecimal()),
            (r"[^a-f\s]", 0, lambda c: c not in "abcdef" and not c.isspace()),
            (r"[\w-]", 0, lambda c: c.isalnum() or c in "_-"),
            (r"[\w-]", re.A, lambda c: c.isascii() and (c.isalnum() or c in "_-")),
            (r"[A-C0-9]", re.I, lambda c: c in "abcABC" or c in digits),
            (r"[^k-s]", re.I, lambda c: c.lower() not in "klmnopqrs" and c != "\u017f"),
            (r"[\u00e4\u0100\u20ac]", 0, lambda c: c in "\u00e4\u0100\u20ac"),
        ]
        for pattern, flags, expected in cases:
            taken = [c for c in chars if expected(c)]
            text = "".join(chars)
            with self.subTest(pattern=pattern, flags=flags):
                compile = lambda p: re.compile(p, flags)
                self.assertEqual(compile(pattern).findall(text), taken)
                self.assertEqual([c for c in chars if compile(pattern).match(c)], taken)
                self.assertEqual("".join(compile(pattern + "+").findall(text)), "".join(taken))
                self.assertEqual([c for c in chars if compile(pattern + "{2}").match(c + c)], taken)
                alternatives = compile(f"(?:{pattern}x|{pattern}y)z")
                self.assertEqual([c for c in chars if alternatives.match(c + "yz")], taken)
                wide = compile("\U0001f600" + pattern + "*$")
                self.assertEqual([c for c in chars if wide.match("\U0001f600" + c)
                                  and c != "\n"], [c for c in taken if c != "\n"])

    def test_sets_that_ask_the_locale(self):
        for pattern in rb"(?L:[\w-])", rb"(?L:[^\w])", rb"(?Li:[a-c\xe4])":
            compiled = re.compile(pattern)
            every = bytes(range(256))
            self.assertEqual([bytes([b]) for b in every if compiled.match(bytes([b]))],
                             compiled.findall(every))

    def test_many_groups_and_choices(self):
        """More marks and choices than a match has room for in the beginning."""
        groups = re.compile("(.)" * 40 + "(?:(a)|(b))*$")
        match = groups.match("0123456789" * 4 + "ab" * 100)
        self.assertEqual("".join(match.groups()[:40]), "0123456789" * 4)
        self.assertEqual(match.groups()[40:], ("a", "b"))
        self.assertIsNone(groups.match("0123456789" * 4 + "ab" * 100 + "c"))

    def test_setdefault_of_all_kinds_of_keys(self):
        class Name(str):
            __hash__ = str.__hash__

            def __eq__(self, other):
                raise Refuses
        for d in {}, {"a": 1}, {"a": 1, 2: 3}, dict.fromkeys(map(str, range(300))):
            n = len(d)
            d.setdefault("a", 1)
            n = len(d)
            self.assertEqual((d.setdefault("".join(["", "a"]), 5), d.setdefault(1.5, 2)), (1, 2))
            self.assertEqual((d.setdefault(1.5, 3), len(d)), (2, n + 1))
            self.assertRaises(Refuses, d.setdefault, Name("a"), 0)
            self.assertRaises(TypeError, d.setdefault, [], 0)

    def test_directories_with_long_and_many_names(self):
        with tempfile.TemporaryDirectory() as where:
            names = [str(i) + "x" * n for i, n in enumerate((0, 1, 250, 251, 252) * 20)]
            names += map(str, range(1000, 1500))
            for name in names:
                open(f"{where}/{name}", "w").close()
            for args in [where], [where.encode()]:
                found = os.listdir(*args)
                self.assertEqual(sorted(map(os.fsdecode, found)), sorted(names))
                self.assertIs(type(found[0]), type(args[0]))
            fd = os.open(where, os.O_RDONLY)
            for _ in range(2):
                self.assertEqual(len(os.listdir(fd)), len(names))
            os.close(fd)


class Sums(unittest.TestCase):
    def test_a_list_that_changes_while_it_is_summed(self):
        items = []
        class Adds:
            def __init__(self, then): self.then = then
            def __radd__(self, total):
                self.then()
                return total + 1
        for then, expected in (lambda: items.append(5), 18), (items.clear, 4), (items.pop, 4):
            for first in 3, 3.0, 3 + 0j:
                items[:] = [first, Adds(then), 9]
                self.assertEqual(sum(items), expected, (then, first))

    def test_tuples_and_their_subclasses(self):
        class Two(tuple):
            def __iter__(self): return iter([7, 8])
        class List(list):
            def __iter__(self): return iter([7.5, 8])
        self.assertEqual((sum(Two([1])), sum(List([1]))), (15, 15.5))
        self.assertEqual((sum(()), sum([], 2.5), sum((1, True, 2.5, 1 << 70))),
                         (0, 2.5, 4.5 + (1 << 70)))
        self.assertEqual(sum([[1], (), [2]][::2], []), [1, 2])
        self.assertIs(sum((), start := object()), start)
        for items in ("a",), [1, "a"], [None], [1.5, []]:
            with self.assertRaises(TypeError):
                sum(items)


class Structs(unittest.TestCase):
    def test_doubles_keep_their_bits_in_both_orders(self):
        for bits in "7ff8000000000001", "fff4000000000002", "8000000000000000", "3ff8000000000000":
            data = bytes.fromhex(bits)
            value, = struct.unpack(">d", data)
            self.assertEqual(struct.unpack("<d", data[::-1])[0].hex(), value.hex())
            self.assertEqual(struct.pack(">d", value), data)
            self.assertEqual(struct.pack("<d", value), data[::-1])
            self.assertEqual(struct.pack("bd", 1, value)[8:], struct.pack("=d", value))

    def test_what_becomes_a_double(self):
        class Float(float):
            def __float__(self): return 2.5
        class Index:
            def __index__(self): return 3
        self.assertEqual(struct.unpack("<4d", struct.pack("<4d", 1, True, Float(7), Index())),
                         (1.0, 1.0, 7.0, 3.0))
        for value in "1", None, 1j:
            with self.assertRaisesRegex(struct.error, "required argument is not a float"):
                struct.pack("<d", value)
        for code in "ibQ":
            with self.assertRaisesRegex(struct.error, "required argument is not an integer"):
                struct.pack("<" + code, 1.5)


if __name__ == "__main__":
    unittest.main()

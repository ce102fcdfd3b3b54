"""Numbers: that operations agree with each other where none is the judge."""
import cmath
import enum
import itertools
import math
import operator
import random
import struct
import subprocess
import sys
import sysconfig
import time
import unittest

SIZES = (1, 29, 30, 31, 59, 60, 61, 63, 64, 65, 90, 128, 240, 1000, 5000)


def some_ints(n, seed=1):
    rng = random.Random(seed)
    for _ in range(n):
        k = rng.choice(SIZES)
        value = rng.choice((rng.getrandbits(k), 1 << k, (1 << k) - 1))
        yield rng.choice((value, -value))


def some_floats(n, seed=1):
    rng = random.Random(seed)
    yield from (0.0, -0.0, 5e-324, sys.float_info.max, sys.float_info.min, 1e22, 1e23)
    for _ in range(n):
        x = struct.unpack('d', rng.randbytes(8))[0]
        if math.isfinite(x):
            yield x
        yield rng.uniform(-1e3, 1e3)
        yield math.ldexp(1.0, rng.randrange(-1074, 1024))


class ComplexOfInfinity(unittest.TestCase):
    def test_arc_cosine_of_infinity_and_no_number(self):
        for real in math.inf, -math.inf:
            arc = cmath.acos(complex(real, math.nan))
            self.assertTrue(math.isnan(arc.real))
            self.assertEqual(arc.imag, math.inf)


class Distance(unittest.TestCase):
    def test_a_point_that_is_a_tuple_is_not_iterated_over(self):
        class Point(tuple):
            def __iter__(self):
                raise ZeroDivisionError

        self.assertEqual(math.dist(Point((3, 4)), (0, 0)), 5.0)
        self.assertEqual(math.dist([0, 0], Point((3, 4))), 5.0)


class IntsOfEverySize(unittest.TestCase):
    def test_quotient_and_remainder_give_the_number_back(self):
        for a, b in zip(some_ints(3000), some_ints(3000, 2)):
            if b:
                q, r = divmod(a, b)
                self.assertEqual(q * b + r, a, (a, b))
                self.assertTrue(0 <= r < b or b < r <= 0, (a, b))
                self.assertEqual((a // b, a % b), (q, r))

    def test_sum_and_difference_undo_each_other(self):
        for a, b in zip(some_ints(3000, 3), some_ints(3000, 4)):
            self.assertEqual(a + b - b, a)
            self.assertEqual((a - b) + b, a)
            self.assertEqual((a + b) ** 2, a * a + 2 * a * b + b * b)

    def test_shifts_are_products_with_powers_of_two(self):
        for a in some_ints(2000, 5):
            for n in (0, 1, 29, 30, 31, 63, 64, 200):
                self.assertEqual(a << n, a * 2 ** n)
                self.assertEqual(a >> n, a // 2 ** n, (a, n))

    def test_bits_obey_de_morgan(self):
        for a, b in zip(some_ints(3000, 6), some_ints(3000, 7)):
            self.assertEqual(~(a & b), ~a | ~b, (a, b))
            self.assertEqual(a ^ b, (a | b) - (a & b), (a, b))
            self.assertEqual(~a, -a - 1)

    def test_text_reads_back_in_every_base(self):
        for a in some_ints(1000, 8):
            if a.bit_length() < 10000:
                self.assertEqual(int(str(a)), a)
            for text in (hex, oct, bin):
                self.assertEqual(int(text(a), 0), a)

    def test_digits_and_marks_around_words_and_limits(self):
        for base in 3, 7, 10, 11, 35, 36:
            digit = "0123456789abcdefghijklmnopqrstuvwxyz"[base - 1]
            for n in (1, 10, 11, 12, 17, 18, 19, 21, 22, 23, 35, 36, 37, 38, 54, 55, 639, 640, 641):
                text, value = digit * n, base ** n - 1
                for marked in text, "0" * 20 + text, "_".join(text), " -" + text + "\n":
                    self.assertEqual(int(marked, base), -value if "-" in marked else value)
                self.assertEqual(int("1" + "0" * n, base), base ** n)
                for wrong in (text + "_", "_" + text, text[:-1] + "__" + digit, text + "$",
                              "- " + text):
                    with self.assertRaises(ValueError):
                        int(wrong, base)
        self.assertEqual((int("0" * 30), int("-" + "0_0" * 30), int("1_0")), (0, 0, 10))

    def test_bytes_read_back_in_both_orders(self):
        for a in some_ints(2000, 9):
            n = a.bit_length() // 8 + 1
            for order in ('little', 'big'):
                data = a.to_bytes(n, order, signed=True)
                self.assertEqual(int.from_bytes(data, order, signed=True), a)

    def test_bytes_by_fours_and_what_is_left(self):
        for n in range(40):
            for data in (b'\0' * n, b'\xff' * n, b'\x80' * n, bytes(range(1, n + 1)),
                         b'\0' * (n - 1) + b'\x81', b'\x81' + b'\0' * (n - 1)):
                value = sum(byte << 8 * i for i, byte in enumerate(data))
                signed = value - (1 << 8 * len(data)) if data and data[-1] & 0x80 else value
                for order, text in ('little', data), ('big', data[::-1]):
                    with self.subTest(data=text, order=order):
                        self.assertEqual(int.from_bytes(text, order), value)
                        self.assertEqual(int.from_bytes(text, order, signed=True), signed)
                        self.assertEqual(value.to_bytes(len(data), order), text)
                        self.assertEqual(signed.to_bytes(len(data), order, signed=True), text)
                        if value.bit_length() > 8 * len(data) - 8 >= 0:
                            with self.assertRaises(OverflowError):
                                value.to_bytes(len(data) - 1, order)

    def test_equal_numbers_have_equal_hashes(self):
        for a in some_ints(2000, 10):
            self.assertEqual(hash(a), hash(a + 1 - 1))
            try:
                x = float(a)
            except OverflowError:
                continue
            if x == a:
                self.assertEqual(hash(x), hash(a), a)

    def test_modular_power_is_the_remainder_of_the_power(self):
        for a, m in zip(some_ints(400, 11), some_ints(400, 12)):
            if m and a.bit_length() < 300:
                for e in (0, 1, 2, 17):
                    self.assertEqual(pow(a, e, m), a ** e % m, (a, e, m))

    def test_modular_inverse_inverts(self):
        for a, m in zip(some_ints(500, 13), some_ints(500, 14)):
            if abs(m) > 1 and math.gcd(a, m) == 1:
                self.assertEqual(a * pow(a, -1, m) % m, 1 % m, (a, m))

    def test_true_division_is_rounded_once(self):
        self.assertEqual((2 ** 53 + 1) / 1, 2.0 ** 53)
        self.assertEqual((2 ** 54 + 3) / 2 ** 54, 1.0 + 2 ** -52)
        self.assertEqual(3 / 2 ** 1075, 1e-323)
        with self.assertRaisesRegex(OverflowError, 'too large for a float'):
            2 ** 2000 / 3

    def test_small_values_are_one_object_however_made(self):
        big = 10 ** 40
        for value in (-5, 0, 256):
            self.assertIs(value + big - big, value)
            self.assertIs(int(str(value)), value)
            self.assertIs((value * big) // big, value)

    def test_too_many_digits_are_refused_both_ways(self):
        limit = sys.get_int_max_str_digits()
        try:
            sys.set_int_max_str_digits(1000)
            str(10 ** 999)
            with self.assertRaisesRegex(ValueError, r'Exceeds the limit \(1000 digits\)'):
                str(10 ** 1000)
            with self.assertRaisesRegex(ValueError, 'value has 1001 digits'):
                int('1' * 1001)
            self.assertEqual(int('f' * 2000, 16), 16 ** 2000 - 1)
        finally:
            sys.set_int_max_str_digits(limit)

    def test_what_is_refused_is_not_converted(self):
        value = 10 ** 28_000
        limit = sys.get_int_max_str_digits()

        def refuse():
            with self.assertRaises(ValueError):
                str(value)

        def seconds(function):
            began = time.process_time()
            for _ in range(100):
                function()
            return time.process_time() - began

        try:
            sys.set_int_max_str_digits(28_001)
            converted = min(seconds(lambda: str(value)) for _ in range(3))
            sys.set_int_max_str_digits(27_900)
            self.assertLess(min(seconds(refuse) for _ in range(3)), converted / 2)
        finally:
            sys.set_int_max_str_digits(limit)


class TextOfBits(unittest.TestCase):
    def test_every_length(self):
        rng = random.Random(3)
        for nbits in range(200):
            for value in {(1 << nbits) - 1, 1 << nbits, rng.getrandbits(nbits + 1)}:
                for base, kind, function in ((2, "b", bin), (8, "o", oct), (16, "x", hex)):
                    digits, rest = "", value
                    while rest or not digits:
                        digits = "0123456789abcdef"[rest % base] + digits
                        rest //= base
                    self.assertEqual(function(value), f"0{kind}{digits}")
                    self.assertEqual(f"{value:{kind}}", digits)
                    self.assertEqual(function(-value), f"-0{kind}{digits}" if value else function(0))
                    self.assertEqual(f"{-value:#{kind}}", function(-value))


class Combinatorics(unittest.TestCase):
    def test_results_and_products_on_the_way_around_a_word(self):
        rng = random.Random(1)
        ns = {*range(75), 1 << 31, 1 << 32, (1 << 60) - 1, 1 << 60, (1 << 62) + 1, (1 << 63) - 1,
              1 << 63, 1 << 64, *(rng.getrandbits(rng.randrange(1, 66)) for _ in range(60))}
        for n in ns:
            ways = chosen = 1
            for k in range(min(n, 40) + 1):
                self.assertEqual(math.perm(n, k), ways, (n, k))
                self.assertEqual(math.comb(n, k), chosen, (n, k))
                self.assertEqual(math.comb(n, n - k), chosen, (n, n - k))
                ways *= n - k
                chosen = chosen * (n - k) // (k + 1)
            self.assertEqual((math.comb(n, n + 1), math.perm(n, n + 1)), (0, 0))

    def test_results_of_many_words(self):
        """They are made word by word as far as 32 words, and by halves of 64 factors."""
        factorials = list(itertools.accumulate(range(1, 2201), operator.mul, initial=1))
        rng = random.Random(2)
        some = [(rng.randrange(68, 2201), rng.random()) for _ in range(700)]
        for n, part in [(n, 0.5) for n in (*range(68, 300), *range(2040, 2070), 2200)] + some:
            k = int(n * part)
            ways = factorials[n] // factorials[n - k]
            self.assertEqual(math.perm(n, k), ways, (n, k))
            self.assertEqual(math.comb(n, k), ways // factorials[k], (n, k))
        for n in (1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) + 30, 1 << 130):
            ways = 1
            for k in range(130):
                if k % 13 == 0:
                    self.assertEqual(math.perm(n, k), ways, (n, k))
                    self.assertEqual(math.comb(n, k), ways // factorials[k], (n, k))
                ways *= n - k

    def test_pairs_that_functions_give(self):
        for x in (0.0, -0.0, 1.5, -3.25, 1e300, 5e-324, math.inf, -math.inf, 7, -2 ** 70, True):
            mantissa, exponent = math.frexp(x)
            self.assertEqual((type(mantissa), type(exponent)), (float, int))
            self.assertEqual(math.ldexp(mantissa, exponent), float(x))
            part, whole = math.modf(x)
            self.assertEqual((type(part), type(whole)), (float, float))
            self.assertEqual(part + whole, float(x))
            self.assertLess(abs(part), 1)
            for value in part, whole:
                self.assertEqual(math.copysign(1, value), math.copysign(1, x), x)
        for x in (7.5, -7.5, 0.0, -0.0, 1e300, -5e-324, math.inf, math.nan):
            for y in (2.0, -2.0, 1e-300, math.inf, -math.inf):
                pair = divmod(x, y)
                self.assertEqual(repr(pair), repr((x // y, x % y)), (x, y))
                self.assertEqual([type(item) for item in pair], [float, float])
        for value, kind in ((5, int), (True, int), (-2 ** 70, int), (enum.IntEnum("E", "A").A, int)):
            ratio = value.as_integer_ratio()
            self.assertEqual(ratio, (value, 1))
            self.assertEqual([type(item) for item in ratio], [kind, int])

    def test_square_roots_of_large_numbers(self):
        for n in (1 << 64, (1 << 64) + 1, 3 ** 200, (7 ** 90) ** 2, (7 ** 90) ** 2 - 1):
            root = math.isqrt(n)
            self.assertTrue(root ** 2 <= n < (root + 1) ** 2, n)


class MemoryOfInts(unittest.TestCase):
    @unittest.skipIf("sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""), "freed memory stays in quarantine")
    def test_a_small_difference_of_large_numbers_holds_a_small_block(self):
        """Freed, it may wait in a list of small blocks."""
        code = ("a = 1 << 8_000_000; b = a - 1000\n"
                "def rss(): return int(open('/proc/self/statm').read().split()[1]) * 4096 >> 20\n"
                "for small in (lambda: a - b, lambda: a // (b >> 20), lambda: a >> 7_999_950, lambda: b & 1000000):\n"
                "    before = rss()\n"
                "    values = [small() for _ in range(100)]\n"
                "    assert max(values) < 1 << 60\n"
                "    del values\n"
                "    print(rss() - before)\n")
        grown = subprocess.check_output([sys.executable, "-c", code], text=True)
        self.assertLess(max(map(int, grown.split())), 50, f"MB for 100 values: {grown.split()}")


class FloatText(unittest.TestCase):
    def test_repr_reads_back_as_the_same_bits(self):
        for x in some_floats(5000):
            self.assertEqual(struct.pack('d', float(repr(x))), struct.pack('d', x), x)

    def test_repr_is_the_shortest_that_does(self):
        for x in some_floats(3000, 2):
            digits = sum(c.isdigit() for c in repr(x).lower().split('e')[0].strip('0.-'))
            if digits > 1:
                self.assertNotEqual(float('%.*e' % (digits - 2, x)), x, repr(x))

    def test_hexadecimal_reads_back(self):
        for x in some_floats(2000, 3):
            self.assertEqual(struct.pack('d', float.fromhex(x.hex())), struct.pack('d', x))

    def test_fixed_digits_are_exact(self):
        from fractions import Fraction
        for x in some_floats(600, 4):
            for places in (0, 2, 17, 40):
                error = abs(Fraction('%.*f' % (places, x)) - Fraction(x))
                self.assertLessEqual(error * 2, Fraction(1, 10 ** places), x)

    def test_a_tie_between_doubles_goes_to_the_even_one(self):
        self.assertEqual(float('9007199254740993'), 2.0 ** 53)
        self.assertEqual(float('9007199254740993.' + '0' * 900 + '1'), 2.0 ** 53 + 2)
        self.assertEqual(float('2.4703282292062327e-324'), 0.0)
        self.assertEqual(float('2.4703282292062328e-324'), 5e-324)

    def test_ratio_is_exact(self):
        for x in some_floats(2000, 5):
            n, d = x.as_integer_ratio()
            self.assertEqual(n / d, x)

    def test_comparison_with_ints_is_exact(self):
        self.assertFalse(2.0 ** 53 == 2 ** 53 + 1)
        self.assertTrue(2.0 ** 53 < 2 ** 53 + 1)
        self.assertTrue(1e308 < 10 ** 309 and -1e308 > -10 ** 309)
        self.assertTrue(float('inf') > 10 ** 400)
        for x in some_floats(2000, 6):
            self.assertEqual(x < int(x), x - int(x) < 0 if abs(x) < 2 ** 53 else False, x)


class Carries(unittest.TestCase):
    """Sums and products of ints whose carries run through all digits, of every length."""
    def test_carries_and_borrows_run_through_all_digits(self):
        for n in range(1, 400):
            top = 1 << n
            self.assertEqual((top - 1) + 1, top)
            self.assertEqual(-(top - 1) - 1, -top)
            for m in range(1, n + 1, 7):
                difference = top - (1 << m)
                self.assertEqual(difference >> m, (1 << n - m) - 1)
                self.assertEqual(difference + (1 << m), top)

    def test_multiplication_by_small_ints_is_repeated_addition(self):
        rng = random.Random(8)
        for n in range(1, 400, 3):
            for value in (1 << n) - 1, 1 << n, rng.getrandbits(n):
                self.assertEqual(value * 3, value + value + value)
                highest = (1 << 30) - 1
                self.assertEqual(value * highest, (value << 30) - value)
                self.assertEqual(value * -highest, value - (value << 30))

    def test_numbers_of_every_length_go_through_gmp_and_back(self):
        for n in range(200, 2200, 7):
            for a in (1 << n) - 1, (1 << n) + 1, (1 << n) // 3:
                product = a * ((1 << 300) - 1)
                self.assertEqual(product, (a << 300) - a)
                self.assertEqual(divmod(product + 5, a), ((1 << 300) - 1, 5 % a))

    def test_products_of_few_digits_are_sums_of_small_products(self):
        rng = random.Random(9)
        parts = lambda x: [(i, x >> i & 0x7fff) for i in range(0, x.bit_length(), 15)]
        for n in range(1, 9):
            for m in range(n, 20):
                highest = 1 << 30 * n, 1 << 30 * m
                for a, b in ((highest[0] - 1, highest[1] - 1), (highest[0] >> 1, highest[1] - 1),
                             map(rng.randrange, highest), map(rng.randrange, highest)):
                    product = 0
                    for i, x in parts(a):
                        for j, y in parts(b):
                            product += x * y << i + j
                    self.assertEqual(a * b, product, (a, b))
                    self.assertEqual(b * -a, -product, (a, b))

    def test_quotients_of_one_word_around_each_multiple(self):
        rng = random.Random(10)
        quotients = [1, 2, 9, (1 << 30) - 1, 1 << 30, (1 << 59) + 1, (1 << 60) - 1, 1 << 60,
                     (1 << 61) - 1, (1 << 64) - 1]
        for n in (*range(1, 130), 150, 179, 180, 181, 500, 1900):
            # The last two are least like their first 64 bits.
            for b in {1 << n, (1 << n) + 1, rng.getrandbits(n) | 1 << n, (2 << n) - 1,
                      (1 << n) + (1 << max(n - 63, 0)) - 1}:
                for q in (*quotients, rng.getrandbits(60), rng.getrandbits(30)):
                    for rest in {0, 1, b >> 1, b - 2, b - 1, min(q << max(n - 63, 0), b - 1)}:
                        a = q * b + rest
                        self.assertEqual((a // b, a % b), (q, rest), (a, b))
                        self.assertEqual(-a // -b, q, (a, b))
                        self.assertEqual(-a // b, -q - (rest != 0), (a, b))
                        self.assertEqual(a // -b, -q - (rest != 0), (a, b))


if __name__ == '__main__':
    unittest.main()

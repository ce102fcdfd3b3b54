"""Decimals beyond what CPython's test_decimal and Tests/fuzz/decimals.py compare: where
python3.11 rounds to the wrong side or crashes, and numbers of all sizes against ints."""

import decimal
import random
import unittest
from decimal import Context, Decimal


class Sizes(unittest.TestCase):
    def test_sums_and_products_are_those_of_ints(self):
        rng = random.Random(5)
        exact = Context(prec=2000)
        for case in range(2000):
            a, b = (rng.randrange(10 ** rng.choice([3, 19, 20, 38, 39, 40, 77, 500]))
                    for _ in "ab")
            x, y = Decimal(a), Decimal(b)
            self.assertEqual(int(exact.add(x, y)), a + b)
            self.assertEqual(int(exact.subtract(x, y)), a - b)
            self.assertEqual(int(exact.multiply(x, y)), a * b)
            self.assertEqual((x < y, x == y), (a < b, a == b))
            self.assertEqual((str(x), hash(x)), (str(a), hash(a)))
            if b:
                quotient, rest = exact.divmod(x, y)
                self.assertEqual((int(quotient), int(rest)), divmod(a, b))

    def test_trailing_zeros_of_any_number_are_removed(self):
        for zeros in range(120):
            for head in 1, 7, 10 ** 40 + 1, 2 ** 200 + 1:
                x = Context(prec=300).normalize(Decimal(head * 10 ** zeros))
                self.assertEqual(x.as_tuple().exponent, zeros + (head % 10 == 0), (head, zeros))


class Rounding(unittest.TestCase):
    def test_roots_that_are_exact_are_exact_in_every_mode(self):
        """python3.11 gives 2400.99… for 5764801 ** 0.5, rounded down."""
        for rounding in decimal.ROUND_DOWN, decimal.ROUND_UP, decimal.ROUND_FLOOR:
            context = Context(prec=39, rounding=rounding)
            self.assertEqual(context.power(5764801, Decimal("0.5")), 2401)
            self.assertEqual(context.power(100, Decimal("-9.5")), Decimal("1e-19"))

    def test_a_root_in_the_middle_becomes_even(self):
        context = Context(prec=20)
        self.assertEqual(context.power(25, Decimal("14.5")), Decimal("1.8626451492309570312E+20"))


class Formats(unittest.TestCase):
    def test_a_surrogate_cannot_be_encoded(self):
        for spec in "\ud800>5", "5\ud800", "\ud800":
            with self.assertRaises(UnicodeEncodeError, msg=ascii(spec)):
                format(decimal.Decimal(1), spec)


    def test_exponents_are_written_in_full(self):
        for n in 7, 8, 9, 10, 11, 99, 100, 12345, 10 ** 17, decimal.MAX_EMAX - 1, decimal.MAX_EMAX:
            for exponent in n, -n:
                self.assertEqual(str(Decimal((0, (1, 5), exponent - 1))), f"1.5E{exponent:+}")
                self.assertEqual(f"{Decimal((1, (5,), exponent)):e}", f"-5e{exponent:+}")
        self.assertEqual(str(Decimal((0, (1,), decimal.MIN_ETINY))), f"1E{decimal.MIN_ETINY}")


class Contexts(unittest.TestCase):
    def test_flags_outlive_their_context(self):
        context = Context()
        context.divide(1, 3)
        flags = context.flags
        del context
        self.assertTrue(flags[decimal.Inexact])
        flags[decimal.Inexact] = False
        self.assertEqual(flags, dict.fromkeys(flags, False) | {decimal.Rounded: True})

    def test_too_many_digits_are_a_memory_error(self):
        context = Context(prec=decimal.MAX_PREC)
        for operation in (lambda: context.divide(1, 3), lambda: context.sqrt(2),
                          lambda: context.exp(1), lambda: context.logical_invert(1),
                          lambda: int(Decimal("1e999999999999"))):
            self.assertRaises(MemoryError, operation)

    def test_exponents_of_any_length_overflow(self):
        context = Context(traps=[])
        self.assertEqual(context.create_decimal("1e36856289852490715603851"),
                         Decimal("Infinity"))
        self.assertEqual(context.create_decimal("1e-36856289852490715603851"), 0)


if __name__ == "__main__":
    unittest.main()

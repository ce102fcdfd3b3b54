"""numpy reuses the memory of operands that nothing else refers to: a variable is
always something else, a temporary need not be."""
import unittest

try:
    import numpy
    numpy.ndarray       # an emulator may see only a part of its folders
except (ImportError, AttributeError):
    numpy = None

N = 100_000         # only arrays of some size are reused


@unittest.skipUnless(numpy, "numpy is missing")
class VariablesKeepTheirValue(unittest.TestCase):
    def test_local_as_both_operands(self):
        d = numpy.ones(N)
        e = d + d
        self.assertEqual((d[0], e[0]), (1, 2))

    def test_local_and_small_constant(self):
        d = numpy.ones(N)
        e = d * 3
        f = 3 - d
        self.assertEqual((d[0], e[0], f[0]), (1, 3, 2))

    def test_local_negated(self):
        d = numpy.ones(N, dtype=bool)
        e = ~d
        self.assertEqual((bool(d[0]), bool(e[0])), (True, False))

    def test_argument(self):
        def scale(d):
            return d / 2, d
        half, whole = scale(numpy.ones(N))
        self.assertEqual((half[0], whole[0]), (0.5, 1))

    def test_temporaries_in_a_formula(self):
        d = numpy.full(N, 2.0)
        e = (d * d + d) / (d - 4) - -d
        self.assertEqual((d[0], e[0]), (2, -1))


if __name__ == "__main__":
    unittest.main()

"""What C functions of extensions are given."""
import functools
import unittest

try:
    import _testcapi
except ImportError:
    raise unittest.SkipTest("needs the module _testcapi of libpython3.11-testsuite")


class TupleAndDict(unittest.TestCase):
    """A METH_VARARGS | METH_KEYWORDS function: (self, tuple, dict or NULL)."""

    def setUp(self):
        self.meth = _testcapi.meth_varargs_keywords

    def test_no_keywords_are_no_dict(self):
        self.assertEqual(self.meth(1, 2)[1:], ((1, 2), None))
        self.assertEqual(self.meth(*[1])[1:], ((1,), None))

    def test_an_empty_mapping_is_a_dict(self):
        for mapping in {}, dict.fromkeys(""):
            self.assertEqual(self.meth(1, **mapping)[1:], ((1,), {}))

    def test_the_dict_is_not_the_callers(self):
        given = {"a": 1}
        taken = self.meth(**given)[2]
        self.assertEqual(taken, given)
        self.assertIsNot(taken, given)

    def test_the_tuple_is_passed_on(self):
        given = (1, 2, 3)
        self.assertIs(self.meth(*given)[1], given)
        self.assertEqual(functools.partial(self.meth, 1)(*(2,), x=3)[1:], ((1, 2), {"x": 3}))


class EncodedArguments(unittest.TestCase):
    """The units es, et and es# of PyArg_ParseTuple."""

    def test_null_bytes_end_no_encoded_string(self):
        for name, given in (("es", "a\0b"), ("et", "a\0b"), ("et", b"a\0b"),
                            ("et", bytearray(b"a\0b"))):
            with self.subTest(name=name, given=given):
                with self.assertRaises(TypeError) as caught:
                    getattr(_testcapi, "getargs_" + name)(given)
                self.assertEqual(str(caught.exception),
                                 "argument must be encoded string without null bytes, not "
                                 + type(given).__name__)
        self.assertEqual(_testcapi.getargs_es_hash("a\0b"), b"a\0b")


if __name__ == "__main__":
    unittest.main()

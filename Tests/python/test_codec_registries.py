"""Each interpreter has its own codecs and error handlers."""
import codecs
import unittest

try:
    import _testcapi
except ImportError:
    _testcapi = None


@unittest.skipUnless(_testcapi, "_testcapi is missing")
class CodecRegistries(unittest.TestCase):
    def test_codecs_work_after_a_subinterpreter_that_used_them(self):
        done = _testcapi.run_in_subinterp(
            "import codecs; codecs.lookup('cp1252')\n"
            "codecs.register(lambda name: None)\n"
            "codecs.register_error('of.sub', lambda e: ('', e.end))")
        self.assertEqual(done, 0)
        with self.assertRaisesRegex(LookupError, "unknown encoding: not_seen_before"):
            codecs.lookup("not_seen_before")
        with self.assertRaises(LookupError):
            codecs.lookup_error("of.sub")
        self.assertEqual("\u20ac".encode("cp1252"), b"\x80")


if __name__ == "__main__":
    unittest.main()

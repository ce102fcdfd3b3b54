"""Functions of the C API for str raise an exception if they are called with another object, as
extensions expect (regex tries PyUnicode_FromObject with any argument)."""
import ctypes
import unittest

OBJECT = ctypes.py_object
CALLS = [
    ("PyUnicode_FromObject", (b"abc",), "Can't convert 'bytes' object to str implicitly"),
    ("PyUnicode_FromObject", (5,), "Can't convert 'int' object to str implicitly"),
    ("PyUnicode_Join", ("", [b"abc"]), "sequence item 0: expected str instance, bytes found"),
    ("PyUnicode_Join", (b"", ["a", "b"]), "separator: expected str instance, bytes found"),
    ("PyUnicode_Concat", (b"a", "a"), "must be str, not bytes"),
    ("PyUnicode_Partition", ("a", b"a"), "must be str, not bytes"),
    ("PyUnicode_Format", (b"a", "a"), "must be str, not bytes"),
    ("PyUnicode_AsUTF8String", (b"a",), "bad argument type for built-in operation"),
    ("PyUnicode_AsWideCharString", (b"a", None), "bad argument type for built-in operation"),
]


class Text(str):
    pass


class NoStr(unittest.TestCase):
    def test_is_an_exception(self):
        for name, arguments, message in CALLS:
            with self.subTest(name, arguments=arguments):
                function = getattr(ctypes.pythonapi, name)
                function.argtypes, function.restype = [OBJECT] * len(arguments), OBJECT
                with self.assertRaises(TypeError) as caught:
                    function(*arguments)
                self.assertEqual(str(caught.exception), message)

    def test_a_subclass_becomes_str(self):
        function = ctypes.pythonapi.PyUnicode_FromObject
        function.argtypes, function.restype = [OBJECT], OBJECT
        made = function(Text("abc"))
        self.assertEqual((type(made), made), (str, "abc"))


if __name__ == "__main__":
    unittest.main()

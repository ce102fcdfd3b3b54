"""Wrong arguments of built-in functions and types: what is told, and which of two
mistakes."""
import io
import sys
import types
import unittest


class Mapping:
    def keys(self):
        return []

    def __getitem__(self, key):
        return 1


class Index:
    def __index__(self):
        return 2**40


class Text(str):
    pass


CASES = [
    (lambda: eval("1", Mapping()), "globals must be a real dict; try eval(expr, {}, mapping)"),
    (lambda: exec(), "exec() takes at least 1 positional argument (0 given)"),
    (lambda: exec(1, 2, 3, 4), "exec() takes at most 3 positional arguments (4 given)"),
    (lambda: exec(1, 2, 3, 4, 5), "exec() takes at most 4 arguments (5 given)"),
    (lambda: exec("1", x=2), "'x' is an invalid keyword argument for exec()"),
    (lambda: chr(2**31), "Python int too large to convert to C int"),
    (lambda: chr(Index()), "Python int too large to convert to C int"),
    (lambda: max(x=1), "max expected at least 1 argument, got 0"),
    (lambda: min(1, x=1), "'x' is an invalid keyword argument for min()"),
    (lambda: io.FileIO(1.5), "expected str, bytes or os.PathLike object, not float"),
    (lambda: type((), x=1), "type() takes no keyword arguments"),
    (lambda: type(1, 2), "type() takes 1 or 3 arguments"),
    (lambda: types.ModuleType(1, 2, 3), "module() takes at most 2 arguments (3 given)"),
    (lambda: types.ModuleType(name=1), "module() argument 'name' must be str, not int"),
    (lambda: types.ModuleType(1, x=1), "'x' is an invalid keyword argument for module()"),
    (lambda: types.TracebackType(None, 1, 2, 3), "TracebackType() argument 'tb_frame' must be frame, not int"),
    (lambda: types.TracebackType(None, sys._getframe(), "a", 1),
     "'str' object cannot be interpreted as an integer"),
    (lambda: format(1j, "0.99999999999f"), "precision too big"),
    (lambda: format(1j, "=.99999999999f"), "precision too big"),
    (lambda: int.from_bytes(x=1), "from_bytes() missing required argument 'bytes' (pos 1)"),
    (lambda: int.from_bytes(b"", x=1), "'x' is an invalid keyword argument for from_bytes()"),
    (lambda: sys.set_asyncgen_hooks(x=1), "'x' is an invalid keyword argument for this function"),
    (lambda: sys.set_asyncgen_hooks(1, 2, 3), "function takes at most 2 arguments (3 given)"),
    (lambda: (1).to_bytes(2**63, "big"), "Python int too large to convert to C ssize_t"),
]


class ArgumentErrors(unittest.TestCase):
    def test_messages(self):
        for call, message in CASES:
            with self.subTest(message=message), self.assertRaises((TypeError, ValueError, OverflowError)) as caught:
                call()
            self.assertEqual(str(caught.exception), message)

    def test_a_character_of_a_subclass_is_formatted_as_str(self):
        for text in ("%c" % Text("x"), "%(k)c" % {"k": Text("x")}, "%1c" % Text("x")):
            self.assertIs(type(text), str)
            self.assertEqual(text, "x")

    def test_signature_of_round(self):
        self.assertEqual(int.__round__.__text_signature__, "($self, ndigits=<unrepresentable>, /)")


if __name__ == "__main__":
    unittest.main()

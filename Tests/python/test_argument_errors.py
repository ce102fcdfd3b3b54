"""Wrong arguments of built-in functions and types: what is told, and which of two
mistakes."""
import io
import itertools
import os
import subprocess
import sys
import types
import unittest
from collections import OrderedDict, deque


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
    (lambda: deque().insert(), "insert() takes exactly 2 arguments (0 given)"),
    (lambda: deque().insert(1, 2, 3), "insert() takes exactly 2 arguments (3 given)"),
    (lambda: deque().index(), "index() takes at least 1 argument (0 given)"),
    (lambda: deque().index(1, 2, 3, 4), "index() takes at most 3 arguments (4 given)"),
    (lambda: os.read(1), "read expected 2 arguments, got 1"),
    (lambda: os.preadv("", "", 1, 2, 3), "preadv expected at most 4 arguments, got 5"),
    (lambda: os.preadv("", ""), "preadv expected at least 3 arguments, got 2"),
    (lambda: os.preadv(1, 5, 0), "preadv2() arg 2 must be a sequence"),
    (lambda: os.pwritev(1, 5, 0), "pwritev() arg 2 must be a sequence"),
    (lambda: OrderedDict([()]), "need more than 0 values to unpack"),
    (lambda: OrderedDict().update(["a"]), "need more than 1 value to unpack"),
    *((lambda arguments=arguments: itertools.islice([], *arguments),
       f"{what} must be None or an integer: 0 <= x <= sys.maxsize.")
      for what, several in {
          "Stop argument for islice()": [(-1,), (2**63,), ("a",), (-1, -1), (0, 2**63), (0, 1.5)],
          "Indices for islice()": [(-2,), (0, -2), (-1, None), ("a", 3), (-2**63, 3), (1, -2**63)],
      }.items() for arguments in several),
]

# OrderedDict's KeyError of a key that is a tuple has the items of it.
MISSING_KEYS = [
    (lambda d, key: d.move_to_end(key), [("q", ("q",)), (("q", 1), ("q", 1)), ((), ()), (None, ())]),
    (lambda d, key: d.pop(key), [("q", ("q",)), (("q", 1), ("q", 1)), ((), ()), (None, ())]),
    (lambda d, key: d[key], [(("q", 1), (("q", 1),)), (None, (None,))]),
    (lambda d, key: d.__delitem__(key), [(("q", 1), (("q", 1),)), (None, (None,))]),
]


class ArgumentErrors(unittest.TestCase):
    def test_messages(self):
        for call, message in CASES:
            with self.subTest(message=message), self.assertRaises((TypeError, ValueError, OverflowError)) as caught:
                call()
            self.assertEqual(str(caught.exception), message)

    def test_arguments_of_an_ordered_dicts_key_error(self):
        for call, keys in MISSING_KEYS:
            for key, arguments in keys:
                for found in {}, {"z": 1}:
                    with self.subTest(key=key), self.assertRaises(KeyError) as caught:
                        call(OrderedDict(found), key)
                    self.assertEqual(caught.exception.args, arguments)

    def test_an_empty_ordered_dict_and_a_key_without_hash(self):
        with self.assertRaises(KeyError):
            OrderedDict().move_to_end([])
        for call in lambda d: d.pop([]), lambda d: d.pop([], 1):
            with self.assertRaisesRegex(TypeError, "unhashable type: 'list'"):
                call(OrderedDict())
        with self.assertRaisesRegex(TypeError, "unhashable type: 'list'"):
            OrderedDict(a=1).move_to_end([])

    def test_a_character_of_a_subclass_is_formatted_as_str(self):
        for text in ("%c" % Text("x"), "%(k)c" % {"k": Text("x")}, "%1c" % Text("x")):
            self.assertIs(type(text), str)
            self.assertEqual(text, "x")

    def test_pathconf_of_a_descriptor_that_is_closed(self):
        source = "import os\ntry: os.pathconf(-1, 1)\nexcept OSError as e: print(e)"
        done = subprocess.run([sys.executable, "-c", source], capture_output=True)
        self.assertEqual(done.stdout, b"[Errno 9] Bad file descriptor: -1\n", done.returncode)

    def test_signature_of_round(self):
        self.assertEqual(int.__round__.__text_signature__, "($self, ndigits=<unrepresentable>, /)")


if __name__ == "__main__":
    unittest.main()

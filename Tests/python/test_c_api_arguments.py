"""Functions of the C API raise an exception if they are called with an object of another type,
as extensions expect (regex tries PyUnicode_FromObject with any argument)."""
import ctypes
import os
import signal
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = os.path.join(HERE, "c_api_calls.txt")
OBJECT = ctypes.py_object
# python3.11 reads a str's fields from any object here: the result depends on what lies there.
NOT_CHECKED = [
    ("PyUnicode_AsUCS4", ctypes.c_void_p, (ctypes.create_string_buffer(64), 16, 1)),
    ("PyUnicode_AsUCS4Copy", ctypes.c_void_p, ()),
    ("PyUnicode_FindChar", ctypes.c_ssize_t, (97, 0, 1, 1)),
    ("PyUnicode_Substring", OBJECT, (0, 1)),
]


class Text(str):
    pass


class WrongTypes(unittest.TestCase):
    def test_every_function_raises_what_python311_raises(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "c_api_calls.py"), CALLS],
                              capture_output=True, text=True, timeout=300)
        with open(CALLS) as f:
            expected = [line for line in f.read().splitlines() if line[:1] != "#"]
        for seen, wanted in zip(done.stdout.splitlines(), expected):
            with self.subTest(wanted.partition(": ")[0]):
                self.assertEqual(seen, wanted)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, len(expected)),
                         done.stderr)

    def test_a_str_is_asked_for(self):
        for name, result, rest in NOT_CHECKED:
            function = getattr(ctypes.pythonapi, name)
            function.restype = result
            for value in b"abc", 300, 2.5, ["a"], (1, 2), {}, None, object():
                with self.subTest(name, value=value):
                    with self.assertRaises(TypeError):
                        function(OBJECT(value), *rest)

    def test_a_condition_on_a_str_does_not_hold(self):
        identifier = ctypes.pythonapi.PyUnicode_IsIdentifier
        compare = ctypes.pythonapi.PyUnicode_CompareWithASCIIString
        for value in b"abc", 300, 2.5, ["a"], (1, 2), {}, None, object():
            self.assertEqual(identifier(OBJECT(value)), 0)
            self.assertNotEqual(compare(OBJECT(value), b"abc"), 0)

    def test_only_a_bytearray_changes_its_size(self):
        for value in b"abc", 300, "abc", [1]:
            with self.assertRaises(SystemError):
                ctypes.pythonapi.PyByteArray_Resize(OBJECT(value), 1)

    def test_a_subclass_becomes_str(self):
        function = ctypes.pythonapi.PyUnicode_FromObject
        function.argtypes, function.restype = [OBJECT], OBJECT
        made = function(Text("abc"))
        self.assertEqual((type(made), made), (str, "abc"))


class Bases(unittest.TestCase):
    """A subclass can be asked in each way for its length and items, whichever its base has."""

    def test_length(self):
        for base, value in (dict, {1: 2}), (set, {3}), (frozenset, {3}), (list, [4]):
            sub = type("Sub", (base,), {})(value)
            for name in "PySequence_Size", "PyMapping_Size":
                self.assertEqual(getattr(ctypes.pythonapi, name)(OBJECT(sub)), 1, (base, name))

    def test_items(self):
        get = ctypes.pythonapi.PySequence_GetItem
        get.restype = OBJECT
        counted = type("Sub", (dict,), {})({7: "seven"})
        self.assertEqual(get(OBJECT(counted), 7), "seven")
        with self.assertRaises(KeyError):
            get(OBJECT(counted), 8)
        with self.assertRaisesRegex(TypeError, "dict is not a sequence"):
            get(OBJECT({}), 0)


class Formats(unittest.TestCase):
    def test_what_stands_before_the_letter_is_skipped(self):
        formatted = ctypes.pythonapi.PyBytes_FromFormat
        formatted.restype = OBJECT
        for directive, expected in {
                b"%-5d|": b"97|", b"%+d": b"97", b"%0-5d": b"97", b"%#x": b"61", b"%.-3d": b"97",
                b"%-%|": b"%|", b"%\xe4d": b"97", b"% ld": b"97", b"%-": b"%-", b"%5": b"%5",
                b"%l-d": b"%l-d"}.items():
            self.assertEqual(formatted(directive, 97), expected, directive)
        for directive, expected in {
                b"%-s": b"abcdef", b"%.3s": b"abc", b"%.2-s": b"ab", b"%-.3s": b"abcdef",
                b"%.0s": b"abcdef", b"%.s": b"abcdef"}.items():
            self.assertEqual(formatted(directive, b"abcdef"), expected, directive)


class Containers(unittest.TestCase):
    def test_a_tuple_of_negative_size(self):
        with self.assertRaises(SystemError):
            ctypes.pythonapi.PyTuple_Pack(ctypes.c_ssize_t(-1), OBJECT(1))

    def test_a_list_that_is_not_filled_yet_has_a_repr(self):
        new = ctypes.pythonapi.PyList_New
        new.restype = OBJECT
        self.assertEqual(repr(new(2)), "[<NULL>, <NULL>]")


class Frames(unittest.TestCase):
    def test_a_frame_for_a_traceback_has_no_room_for_temporaries(self):
        # A debug build has looked for references in them: in the objects that lie behind it.
        def function(x):
            return function(x, x, x, x, x, x, x, x, [x, x, x, x, x, x, x, x, (x, x, x, x, x, x)])
        new = ctypes.pythonapi.PyFrame_New
        new.restype = OBJECT
        new.argtypes = ctypes.c_void_p, OBJECT, OBJECT, ctypes.c_void_p
        current = ctypes.pythonapi.PyThreadState_Get
        current.restype = ctypes.c_void_p
        frames = [new(current(), function.__code__, globals(), None) for _ in range(100)]
        del frames[::2]
        frames += [new(current(), function.__code__, globals(), None) for _ in range(50)]
        self.assertEqual({(frame.f_code, frame.f_back) for frame in frames},
                         {(function.__code__, None)})


class Texts(unittest.TestCase):
    def test_the_bounds_of_a_search_for_a_character_are_clipped(self):
        find = ctypes.pythonapi.PyUnicode_FindChar
        find.restype = ctypes.c_ssize_t
        find.argtypes = OBJECT, ctypes.c_uint32, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_int
        for text in "hello", "h\xe9llo", "h\u20acllo", "h\U0001f600llo":
            for start in range(-7, 8):
                for end in range(-7, 8):
                    given = text, ord("l"), start, end
                    self.assertEqual(find(*given, 1), text.find("l", start, end), given)
                    self.assertEqual(find(*given, -1), text.rfind("l", start, end), given)

    def test_an_int_ends_where_the_text_does(self):
        convert = ctypes.pythonapi.PyLong_FromString
        convert.restype = OBJECT
        convert.argtypes = ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int
        for text, base, rest in [
                (b"12x", 10, 2), (b"12x", 0, 2), (b" 12 x", 10, 4), (b"1.5", 10, 1),
                (b"12", 2, 1), (b"0x1g", 16, 3), (b"0xg", 0, 2), (b"0xg", 10, 1), (b"1__2", 10, 1),
                (b"1_", 10, 1), (b"_1", 10, 0), (b"-", 10, 1), (b"- 1", 10, 1), (b"", 10, 0),
                (b" ", 10, 1), (b"9" * 20 + b"z", 10, 20)]:
            with self.subTest(text=text, base=base):
                buffer = ctypes.create_string_buffer(text)
                end = ctypes.c_void_p()
                with self.assertRaisesRegex(ValueError, "^invalid literal for int"):
                    convert(ctypes.cast(buffer, ctypes.c_char_p), end, base)
                self.assertEqual(end.value - ctypes.addressof(buffer), rest)
        buffer = ctypes.create_string_buffer(b" -1_2 ")
        self.assertEqual(convert(ctypes.cast(buffer, ctypes.c_char_p), end, 10), -12)
        self.assertEqual(end.value - ctypes.addressof(buffer), 6)


class HandledException(unittest.TestCase):
    def test_without_one_type_and_traceback_are_none(self):
        get = ctypes.pythonapi.PyErr_GetExcInfo
        get.restype = None
        parts = [ctypes.c_void_p() for _ in range(3)]
        get(*map(ctypes.byref, parts))
        self.assertEqual((parts[0].value, parts[2].value), (id(None), id(None)))
        try:
            1 / 0
        except ZeroDivisionError as e:
            get(*map(ctypes.byref, parts))
            self.assertEqual([part.value for part in parts],
                             [id(ZeroDivisionError), id(e), id(e.__traceback__)])


class Leaving(unittest.TestCase):
    def test_functions_for_the_end_are_called(self):
        for last in "pass", "sys.exit(3)":
            done = subprocess.run(
                [sys.executable, "-c", "import atexit, ctypes, sys\n"
                 "atexit.register(print, 'first', flush=True)\n"
                 "print(ctypes.pythonapi.Py_AtExit(ctypes.CDLL(None).abort), flush=True)\n"
                 + last], capture_output=True, text=True)
            self.assertEqual((done.stdout, done.returncode), ("0\nfirst\n", -signal.SIGABRT),
                             done.stderr)


if __name__ == "__main__":
    unittest.main()

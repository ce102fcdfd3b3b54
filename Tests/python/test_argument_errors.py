"""Wrong arguments of built-in functions and types: what is told, and which of two
mistakes."""
import _imp
import _md5
import _opcode
import _struct
import array
import csv
import datetime
import decimal
import fcntl
import functools
import io
import itertools
import os
import pickle
import re
import select
import socket
import subprocess
import sys
import types
import unittest
import xml.etree.ElementTree as ElementTree
import xml.parsers.expat
import zlib
from collections import OrderedDict, deque

PORTABLE = "texts"


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
    (lambda: decimal.Decimal(1).__round__(None), "optional arg must be an integer"),
    (lambda: type(_struct.iter_unpack("b", b""))(), "Cannot create 'unpack_iterator objects"),
    (lambda: zlib.compressobj().compress(), "compress() takes exactly 1 positional argument (0 given)"),
    (lambda: zlib.compressobj().flush(x=1), "'x' is an invalid keyword argument for flush()"),
    (lambda: zlib.decompressobj().flush(1, 2), "flush() takes at most 1 argument (2 given)"),
    (lambda: zlib.decompressobj().__deepcopy__(), "__deepcopy__() takes exactly 1 positional argument (0 given)"),
    (lambda: xml.parsers.expat.ParserCreate().ParseFile(1, 2), "ParseFile() takes at most 1 argument (2 given)"),
    (lambda: select.epoll().modify("", ""), "argument must be an int, or have a fileno() method."),
    (lambda: select.epoll().register("", ""), "argument must be an int, or have a fileno() method."),
    (lambda: select.epoll().modify(""), "modify() missing required argument 'eventmask' (pos 2)"),
    (lambda: ElementTree.XMLParser(1, 2, 3), "XMLParser() takes at most 2 arguments (3 given)"),
    (lambda: ElementTree.XMLParser(1), "XMLParser() takes no positional arguments"),
    (lambda: type(datetime.date.today().isocalendar())("", 1, 2), "'str' object cannot be interpreted as an integer"),
    (lambda: types.TracebackType(1, "", ""), "TracebackType() missing required argument 'tb_lineno' (pos 4)"),
    (lambda: types.TracebackType(1, "", "", ""), "TracebackType() argument 'tb_frame' must be frame, not str"),
    (lambda: compile(*[1] * 15), "compile() takes at most 7 arguments (15 given)"),
    (lambda: compile(*[1] * 7), "compile() takes at most 6 positional arguments (7 given)"),
    (lambda: os.getgrouplist(b"", 1), "getgrouplist() argument 1 must be str, not bytes"),
    (lambda: fcntl.ioctl(0, 0, 1.5), "'float' object cannot be interpreted as an integer"),
    (lambda: fcntl.ioctl(0, 0, 2**31), "signed integer is greater than maximum"),
    (lambda: array.array("x", None), "'NoneType' object is not iterable"),
    (lambda: array.array("x", {}), "bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)"),
    (lambda: type(itertools.tee([])[0])(x=1), "_tee() takes no keyword arguments"),
    (lambda: _imp.get_frozen_object(1), "get_frozen_object() argument 1 must be str, not int"),
    (lambda: _imp.get_frozen_object("os", ""), "get_frozen_object() argument 2 must be bytes, not str"),
    (lambda: _opcode.stack_effect(), "stack_effect() takes at least 1 positional argument (0 given)"),
    (lambda: _opcode.stack_effect(1, 2, 3), "stack_effect() takes at most 2 positional arguments (3 given)"),
    (lambda: _opcode.stack_effect(100, "a"), "'str' object cannot be interpreted as an integer"),
    (lambda: _opcode.stack_effect(1, jump=1), "stack_effect: jump must be False, True or None"),
    (lambda: io.TextIOWrapper(io.BytesIO(), 1, "", "", ""),
     "TextIOWrapper() argument 'encoding' must be str or None, not int"),
    (lambda: io.TextIOWrapper(io.BytesIO(), None, None, None, "", 1),
     "'str' object cannot be interpreted as an integer"),
    *((lambda function=function: function(5),
       f"{function.__name__}() argument 1 must be str, bytes or bytearray, not int")
      for function in (socket.gethostbyname, socket.gethostbyname_ex, socket.gethostbyaddr)),
    *((lambda function=function, text=text: function(text), message)
      for function in (socket.gethostbyname, socket.gethostbyname_ex, socket.gethostbyaddr)
      for text, message in [
          ("a" * 70, "encoding with 'idna' codec failed (UnicodeError: label too long)"),
          ("a..b", "encoding with 'idna' codec failed (UnicodeError: label empty or too long)"),
          (b"a\0b", function.__name__ + "() argument 1 must be encoded string without null bytes, not bytes"),
      ]),
    (lambda: deque().index(), "index() takes at least 1 argument (0 given)"),
    (lambda: deque().index(1, 2, 3, 4), "index() takes at most 3 arguments (4 given)"),
    (lambda: int(x="1"), "'x' is an invalid keyword argument for int()"),
    (lambda: int("1", x=2), "'x' is an invalid keyword argument for int()"),
    (lambda: int("1", 2, base=3), "int() takes at most 2 arguments (3 given)"),
    (lambda: int("1", 2, 3), "int() takes at most 2 arguments (3 given)"),
    (lambda: int(base=2), "int() missing string argument"),
    (lambda: int("z", base=36, x=1), "int() takes at most 2 arguments (3 given)"),
    (lambda: int(1, base=2), "int() can't convert non-string with explicit base"),
    (lambda: int("1", base=37), "int() base must be >= 2 and <= 36, or 0"),
    (lambda: int("1", base=None), "'NoneType' object cannot be interpreted as an integer"),
    (lambda: int("1", **{"": 3}), "'' is an invalid keyword argument for int()"),
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

# A bound method that takes a tuple of arguments in python3.11 refuses keywords by its own name alone.
# Called as an attribute, without being bound, it names its type.
FOR_TUPLES = [
    *(("", name) for name in "count endswith find index rfind rindex startswith".split()),
    *((b"", name) for name in "count endswith find index rfind rindex startswith".split()),
    *((bytearray(), name) for name in "count endswith find index rfind rindex startswith".split()),
    *((set(), name) for name in "difference difference_update intersection intersection_update union update".split()),
    *((frozenset(), name) for name in "difference intersection union".split()),
    *((decimal.Context(), name) for name in "add compare divmod fma same_quantum".split()),
    (re.match("", ""), "group"), (memoryview(b""), "__exit__"), (property(), "__set_name__"), (functools, "reduce"),
]

# Without arguments, with their class: keywords pass, and the message does not count.
FOR_CLASSES = [
    (_md5.md5(), "copy"), (zlib.compressobj(), "copy"), (zlib.decompressobj(), "__copy__"),
    (re.compile("").scanner(""), "match"), (re.compile("").scanner(""), "search"),
    (iter(array.array("i")), "__reduce__"), (next(os.scandir("/")), "is_symlink"),
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

    def test_int_takes_its_base_by_name(self):
        class Own(int):
            def __new__(cls, *args, **kwargs):
                return super().__new__(cls, *args, **kwargs)

        class Name(str): pass

        for kind in int, Own:
            self.assertEqual(kind(), 0)
            self.assertEqual(kind("11", base=2), 3)
            self.assertEqual(kind(b"zz", **{Name("base"): 36}), 1295)
            self.assertEqual(kind("0b11", base=False), 3)
            self.assertEqual(functools.partial(kind, base=2)("101"), 5)
            self.assertEqual(functools.partial(kind, base=2)("101", base=3), 10)

    def test_functions_for_tuples_refuse_keywords_by_their_own_name(self):
        for thing, name in FOR_TUPLES:
            with self.subTest(thing=thing, name=name), self.assertRaises(TypeError) as caught:
                bound = getattr(thing, name)
                bound(x=1)
            self.assertEqual(str(caught.exception), f"{name}() takes no keyword arguments")
        with self.assertRaisesRegex(TypeError, r"^str\.find\(\) takes no keyword arguments"):
            "".find(x=1)
        with self.assertRaisesRegex(TypeError, r"^str\.find\(\) takes no keyword arguments"):
            str.find("", x=1)
        with self.assertRaisesRegex(TypeError, r"^list\.insert\(\) takes no keyword arguments"):
            bound = [].insert
            bound(x=1)

    def test_functions_for_classes_without_arguments(self):
        for thing, name in FOR_CLASSES:
            method = getattr(thing, name)
            with self.subTest(thing=thing, name=name):
                method(x=1)
                with self.assertRaisesRegex(TypeError, rf"^{name}\(\) takes no arguments$"):
                    method(1)
                with self.assertRaisesRegex(TypeError, rf"^{name}\(\) takes no arguments$"):
                    getattr(type(thing), name)(thing, 1, x=2)

    def test_arguments_that_are_left_alone(self):
        self.assertEqual(range(3).__reduce__(1, 2), (range, (0, 3, 1)))
        self.assertIsNone(decimal.localcontext().__exit__())
        self.assertIsNone(ElementTree.Element("a").find(b"a"))
        self.assertEqual(ElementTree.Element("a").findtext(b"a", 5), 5)
        with self.assertRaisesRegex(TypeError, "cannot use a string pattern"):
            ElementTree.Element("a").find(b"a/b")

    def test_csv_types_can_be_called(self):
        for kind in type(csv.reader([])), type(csv.writer(io.StringIO())):
            empty = kind()
            self.assertIs(type(empty), kind)
            self.assertIsNone(empty.dialect)
            self.assertNotIn("__new__", vars(kind))
            with self.assertRaisesRegex(TypeError, r"\(\) takes no arguments$"):
                kind(1)
        with self.assertRaises(ValueError):
            next(type(csv.reader([]))())
        with self.assertRaises(ValueError):
            type(csv.writer(io.StringIO()))().writerow([])

    def test_the_handler_of_sigint_belongs_to_its_module(self):
        source = "import signal, _signal; print(signal.default_int_handler.__self__ is _signal)"
        done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("True\n", ""))

    def test_memo_proxies_can_be_subclassed(self):
        kind = type(pickle.Pickler(io.BytesIO()).memo)
        with self.assertRaisesRegex(TypeError, "cannot create 'Proxy' instances"):
            type("Proxy", (kind,), {})()

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

    def test_a_split_that_gives_no_exceptions(self):
        class Group(ExceptionGroup):
            def split(self, kinds):
                return parts
        for parts in (1, 2), (True, False), (1, None), (ExceptionGroup("m", [KeyError()]), 2):
            with self.subTest(parts=parts), self.assertRaisesRegex(
                    TypeError, "Group.split must return exceptions or None, not (int|bool)"):
                try:
                    raise Group("g", [KeyError()])
                except* KeyError:
                    pass

    def test_a_group_of_a_match_that_cannot_be_looked_up(self):
        class NoHash:
            def __hash__(self):
                raise ZeroDivisionError

        match = re.match("(?P<name>a)", "a")
        for lookup in match.group, match.start, match.end, match.span, match.__getitem__:
            with self.assertRaisesRegex(TypeError, "unhashable type: 'list'"):
                lookup([])
            with self.assertRaises(ZeroDivisionError):
                lookup(NoHash())
            with self.assertRaisesRegex(IndexError, "no such group"):
                lookup(("name",))
        # Without names there is nothing to look in.
        with self.assertRaisesRegex(IndexError, "no such group"):
            re.match("(a)", "a").group([])


if __name__ == "__main__":
    unittest.main()

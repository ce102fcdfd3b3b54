"""Functions and methods of the library written in C, called with any arguments.

What ends the process, waits, changes its state or tells addresses, times and
random numbers is left out, by name."""
import array
import binascii
import bisect
import builtins
import cmath
import collections
import functools
import heapq
import io
import itertools
import math
import operator
import struct
import types
import unicodedata
import zlib

LEFT_OUT = {"breakpoint", "compile", "exit", "quit", "input", "help", "id", "open", "print", "vars", "globals", "locals",
            "dir", "exec", "eval", "hash", "__import__", "copyright", "credits", "license", "memoryview", "super",
            "object", "_", "__build_class__", "count", "cycle", "repeat", "__hash__", "__sizeof__", "__dir__",
            "__reduce__", "__reduce_ex__", "__subclasshook__", "__init_subclass__", "__class__", "__new__", "__init__",
            "__getattribute__", "__doc__", "__setattr__", "__delattr__", "__init_subclass__", "mro", "__subclasses__",
            "__getstate__", "pow", "__pow__", "__rpow__", "__ipow__", "ipow", "factorial", "comb", "perm", "open_code", "text_encoding", "compress", "__module__",
            "__dict__", "__weakref__", "__class_getitem__", "buffer_info", "__getnewargs__", "__getnewargs_ex__"}
MODULES = [builtins, math, cmath, operator, binascii, bisect, heapq, functools, itertools, collections, struct, zlib,
           unicodedata]
TYPES = [int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, bool,
         collections.deque, collections.OrderedDict, collections.Counter, array.array, io.BytesIO, io.StringIO,
         types.SimpleNamespace, memoryview, property, types.MappingProxyType]


def functions():
    """(name, callable), classes of exceptions apart."""
    for module in MODULES:
        for name in sorted(vars(module)):
            call = getattr(module, name)
            if (callable(call) and name not in LEFT_OUT and not name.startswith("_")
                    and not (isinstance(call, type) and issubclass(call, BaseException))):
                yield f"{module.__name__}.{name}", call


def methods():
    for cls in TYPES:
        for name in sorted(dir(cls)):
            call = getattr(cls, name)
            if callable(call) and name not in LEFT_OUT:
                yield f"{cls.__name__}.{name}", call, cls


FUNCTIONS = list(functions())
METHODS = list(methods())


class Index:
    def __init__(self, v):
        self.v = v

    def __index__(self):
        return self.v

    def __repr__(self):
        return f"Index({self.v!r})"


class Wrong:
    """Whose special methods return what they must not."""
    def __repr__(self):
        return "Wrong()"

    def __index__(self):
        return "1"

    def __len__(self):
        return -1

    def __iter__(self):
        return 3

    def __bool__(self):
        return 2

    def __float__(self):
        return 1

    def __eq__(self, other):
        raise KeyError("eq")

    __hash__ = None


class Text(str):
    pass


class Number(int):
    pass


def argument(rng, value):
    """A description from which make() makes a fresh object."""
    kind = rng.randrange(13)
    if kind < 7:
        given = value(rng, 1)
        if isinstance(given, int) and 10**5 < abs(given) < 2**62:
            given %= 1000           # as a size it would fill the memory
        return "value", given
    if kind == 7:
        return rng.choice([("index", rng.randrange(-3, 40)), ("wrong", None), ("function", rng.choice(["len", "abs", "str", "add"]))])
    if kind == 8:
        return "iterator", [value(rng, 0) for _ in range(rng.randrange(4))]
    if kind == 9:
        return "ints", [rng.randrange(20) for _ in range(rng.randrange(6))]
    if kind == 10:
        return rng.choice([("text", "ab"), ("number", 5), ("class", rng.choice(["int", "str", "list", "dict", "float"]))])
    if kind == 11:
        return "bytearray", rng.randbytes(rng.randrange(6))
    return rng.choice([("array", [1, 2, 3]), ("view", rng.randbytes(4)), ("slice", (rng.randrange(-3, 5), None, rng.choice([None, 1, -1, 0]))),
                       ("deque", [1, 2]), ("mapping", {"a": 1, "k": [2]}), ("set", [1, 2])])


def make(description):
    kind, given = description
    if kind == "value":
        return given.copy() if isinstance(given, (list, dict)) else given
    return {"index": Index, "wrong": lambda _: Wrong(), "iterator": iter, "ints": list, "text": Text, "number": Number,
            "bytearray": bytearray, "view": lambda x: memoryview(bytearray(x)), "slice": lambda x: slice(*x),
            "array": lambda x: array.array("h", x), "deque": collections.deque, "mapping": dict, "set": set,
            "class": lambda n: getattr(builtins, n), "function": lambda n: getattr(builtins, n, operator.add)}[kind](given)


def instance(cls):
    """What a method is called on."""
    given = {int: 12, float: 2.5, complex: 1 + 2j, str: "one Two\n\xe9", bytes: b"one Two", bytearray: b"one two",
             list: [3, 1, 2], tuple: (1, "a", 2.0), dict: {"a": 1, 2: "b"}, set: [1, 2, 3], frozenset: [1, 2],
             range: 7, slice: 3, bool: 1, collections.deque: [1, 2, 3], collections.OrderedDict: {"a": 1, "b": 2},
             collections.Counter: "abca", io.BytesIO: b"one\ntwo\n", io.StringIO: "one\ntwo\n",
             memoryview: bytearray(b"abcdef"), types.MappingProxyType: {"a": 1}}
    if cls is array.array:
        return array.array("i", [1, 2, 3])
    if cls is types.SimpleNamespace:
        return types.SimpleNamespace(a=1)
    return cls(given[cls]) if cls in given else cls()


def consumed(x):
    """Iterators show what they give; the first of it."""
    if hasattr(x, "__next__"):
        return type(x).__name__, list(itertools.islice(x, 20))
    return x

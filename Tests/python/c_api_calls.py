"""Calls functions of the C API with arguments of wrong types, for any Python.

usage: c_api_calls.py FILE [--write]

A line of FILE is a call and the exception that it raises:

  PyUnicode_Split(str, None, 0): TypeError: must be str, not NoneType

An argument is the name of an object (OBJECTS), a number, a C string in quotes, NULL, or `out`:
a place for a result. Prints each line as it is here, before the call up to the colon, so that
the last line tells what crashed. python3.11 is the judge: it writes the file with --write.
"""
import ast
import ctypes
import re
import sys
import warnings


class Text(str):
    pass


class Plain:
    pass


class Index:
    def __index__(self):
        return 3


class Bad:
    def __index__(self):
        raise KeyError("no")
    __len__ = __float__ = __hash__ = __iter__ = __getitem__ = __index__


OBJECTS = {
    "str": lambda: "".join(["a", "bc", "1"]),
    "wide_str": lambda: "".join(["\u0101", "\U00012345"]),
    "Text": lambda: Text("abc1"),
    "bytes": lambda: bytes(bytearray(b"abc1")),
    "bytearray": lambda: bytearray(b"abc1"),
    "memoryview": lambda: memoryview(b"abc1"),
    "int": lambda: int("300"),
    "big": lambda: 1 << 70,
    "float": lambda: float("2.5"),
    "complex": lambda: 1 + 2j,
    "None": lambda: None,
    "list": lambda: ["a", "b", "c"],
    "tuple": lambda: tuple([1.5, 2.5]),
    "empty_tuple": lambda: (),
    "dict": lambda: {"a": 1, "b": 2},
    "set": lambda: {"a"},
    "frozenset": lambda: frozenset(["a", "b"]),
    "iterator": lambda: iter(["a", "b"]),
    "generator": lambda: (x for x in "ab"),
    "function": lambda: len,
    "slice": lambda: slice(1, 2),
    "Plain": lambda: Plain,
    "plain": Plain,
    "index": Index,
    "bad": Bad,
}


def argument(word):
    """The C value of an argument."""
    if word in OBJECTS:
        value = OBJECTS[word]()
        address = ctypes.c_void_p(id(value))
        for _ in range(5):      # some functions steal a reference
            ctypes.pythonapi.Py_IncRef(address)
        return address
    if word == "NULL":
        return ctypes.c_void_p(None)
    if word == "out":
        return ctypes.create_string_buffer(256)
    value = ast.literal_eval(word)
    if isinstance(value, str):
        return ctypes.c_char_p(value.encode())
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_ssize_t(value)


def outcome(call):
    name, words = re.fullmatch(r"(\w+)\((.*)\)", call).groups()
    function = getattr(ctypes.pythonapi, name)
    function.restype = None     # whether there is an exception is asked in any case
    values = [argument(word) for word in words.split(", ")]
    try:
        function(*values)
    except BaseException as error:
        # The place in the interpreter's source.
        message = re.sub(r"^\S+\.[ch]:\d+: ", "", str(error))
        return f"{type(error).__name__}: {message}"
    return "no exception"


def main():
    warnings.simplefilter("ignore")
    path, *options = sys.argv[1:]
    with open(path) as f:
        lines = f.read().splitlines()
    result = []
    for line in lines:
        if line and not line.startswith("#"):
            call = line.partition(": ")[0]
            print(call, end=": ", flush=True)
            line = f"{call}: {outcome(call)}"
            print(line.partition(": ")[2], flush=True)
        result.append(line)
    if options == ["--write"]:
        with open(path, "w") as f:
            f.write("\n".join(result) + "\n")


main()

"""What functions written in C say of arguments that they cannot take."""
import array
import binascii
import bisect
import collections
import gc
import io
import marshal
import mmap
import os
import pickle
import socket
import subprocess


def show(what, call):
    try:
        print(what, repr(call()))
    except Exception as e:
        print(what, type(e).__name__, e)


# Special methods that slots provide, with another number of arguments.
SEQUENCES = [b"ab", bytearray(b"ab"), [1, 2], (1, 2), "ab", array.array("b", [1]), collections.deque([1])]
for given in SEQUENCES:
    for name in ("__mul__", "__rmul__", "__imul__", "__getitem__", "__contains__", "__add__", "__len__"):
        method = getattr(given, name, None)
        if method is not None and type(method).__name__ == "method-wrapper":
            for args in ((), (1, 2), (1, 2, 3)):
                show(f"{type(given).__name__}.{name}{args}", lambda: method(*args))

# Keywords and positions.
for name in ("sort", "extend", "append", "pop", "insert", "index"):
    for args, keywords in (((), {}), ((1,), {}), ((1, 2, 3), {}), ((1, 2, 3, 4), {}), ((), {"x": 1}),
                           ((), {"key": None, "reverse": "yes"}), ((), {"reverse": [], "x": 1}),
                           ((), {"key": 1, "reverse": 1, "x": 1}), ((1,), {"key": 1, "reverse": 1})):
        show(f"list.{name} {args} {keywords}", lambda: getattr([3, 1, 2], name)(*args, **keywords))
for name in ("extend", "fromfile", "tofile", "append", "__copy__"):
    for args, keywords in (((), {}), ((1,), {}), ((1, 2), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((), {"x": 1}),
                           ((), {"x": 1, "y": 2, "z": 3})):
        show(f"array.{name} {args} {keywords}", lambda: getattr(array.array("b", [1]), name)(*args, **keywords))
for args, keywords in (((), {}), ((1.5,), {}), ((), {"format": 1}), (("B", 1), {}), (("B",), {"shape": [4]}),
                       (("B", [2, 2], 3), {}), (("B",), {"x": 1}), (("b", [2, 2]), {})):
    show(f"memoryview.cast {args} {keywords}", lambda: memoryview(b"abcd").cast(*args, **keywords).tolist())
for given in ("a", "", [300], 1.5, iter("a"), None):
    show(f"bytearray.extend {type(given).__name__}", lambda: bytearray(b"ab").extend(given))


# Numbers in % of text and of bytes.
class Fails:
    def __float__(self):
        raise ZeroDivisionError("no float today")


class Wrong:
    def __float__(self):
        return 3


for spec in ("%d", "%i", "%u", "%x", "%o", "%X", "%f", "%e", "%G", "%c"):
    for value in (1j, {}, "a", b"a", None, [1], 10**400, float("nan"), -1, Fails(), Wrong()):
        for percent in (spec, spec.encode()):
            if not (isinstance(value, int) and spec in ("%d", "%i", "%u", "%x", "%o", "%X")):
                show(f"{percent!r} % {type(value).__name__}", lambda: percent % (value,))

# Sizes that the data cannot hold.
for data in (b"(\x00\x00\x00\x10N", b"[\x00\x00\x00\x10N", b"<\x00\x00\x00\x10N", b"s\x00\x00\x00\x10N",
             b"u\x00\x00\x00\x10N", b"(\xff\xff\xff\xff", b"[\x02\x00\x00\x00NN", b"(\x02\x00\x00\x00NN"):
    show(data, lambda: marshal.loads(data))

# Sizes and bounds that may be None.
for function in (lambda: bisect.insort([1], 2, hi=-0.0), lambda: mmap.mmap(-1, 10).read(1.5),
                 lambda: io.BytesIO().read(1.5), lambda: io.StringIO().readline("1")):
    show("bounds", function)


class FailsAsIndex(bytes):
    def __index__(self):
        raise KeyError(1)


for data in b"abc", bytearray(b"abc"):
    for item in (FailsAsIndex(b"a"), FailsAsIndex(b"x"), Wrong(), 300, -1, 10**30, None):
        show(f"{type(item).__name__} in {data}", lambda: item in data)

for data in b"pa\n.", b"p1\n.", b"Npa\n.", b"Np-1\n.", b"Np1", b"p", b"ga\n.":
    show(data, lambda: pickle.loads(data))

# Switches that are ints, where most others are asked for their truth.
class Truth:
    def __bool__(self):
        return False


class Whole(Truth):
    def __index__(self):
        return 1


pair = socket.socketpair()
for value in "", "x", None, 1.5, [], Truth(), Whole(), True, False, 0, 5, -1, 2**70:
    for use in (lambda: io.FileIO("/dev/null", closefd=value).closefd,
                lambda: open("/dev/null", closefd=value).buffer.raw.closefd,
                lambda: compile("1", "f", "eval", 0, value).co_filename,
                lambda: (os.set_blocking(pair[0].fileno(), value), os.get_blocking(pair[0].fileno())),
                lambda: (pair[0].setblocking(value), pair[0].getblocking(), pair[0].gettimeout()),
                lambda: subprocess.run(["true"], start_new_session=value).returncode,
                lambda: subprocess.run(["true"], restore_signals=value).returncode,
                lambda: binascii.b2a_base64(b"a", newline=value),
                lambda: binascii.a2b_base64(b"YQ=", strict_mode=value),
                lambda: binascii.b2a_uu(b"", backtick=value)):
        show(f"{use.__code__.co_names[:2]} {value if type(value).__module__ == 'builtins' else type(value)}", use)
for generation in -1, -2, 3, 2**70:
    show(f"generation {generation}", lambda: len(gc.get_objects(generation)) > 100)

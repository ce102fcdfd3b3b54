"""What built-in functions say to wrong calls: the number of arguments, their names, and only
then their values."""
import binascii, cmath, collections, functools, grp, io, itertools, os, pickle, posix, re, sys, zlib


def show(function, *args, **kwargs):
    try:
        result = repr(function(*args, **kwargs))
    except Exception as e:
        result = f"{type(e).__name__}: {e}"
    line = f"{getattr(function, '__qualname__', function)}{args[:2]} {kwargs}: {result}"
    print(re.sub("at 0x[0-9a-f]+", "at ID", line))


HUGE = 2**70
for value in None, 1.5, "a", HUGE, 2**40, -2**40:
    show(zlib.compress, b"a", value)
    show(zlib.compress, value, wrong=1)
    show(zlib.decompressobj, value, wrong=1)
    show(binascii.a2b_qp, "a_b", value)
    show(binascii.b2a_qp, b"a b", value)
    show(binascii.b2a_hex, value, "-", value)
    show(posix.WEXITSTATUS, value)
    show(posix.device_encoding, value)
    show(os.sched_getaffinity, value)
    show(os.getpriority, value)
    show(os.getxattr, value)
    show(os.eventfd_write, value)
    show(posix._path_normpath, value)
    show(grp.getgrgid, value)
    show(grp.getgrnam, value)
    show(os.lchown, "/nowhere", value, value)
    show(memoryview(b"ab").cast, value)
    show(memoryview(b"ab").cast, value, wrong=1)
    show(memoryview(b"ab").tobytes, value)
    show(collections._tuplegetter if hasattr(collections, "_tuplegetter") else None, value)
    show(itertools._tee_dataobject, value, value, value)
    show(itertools._grouper, value, value)
    show(collections.deque([1, 2]).rotate, value, value)
    show(pickle.loads, value, value, value)

for repeated in [1], (1,), "a", b"a", bytearray(b"a"), collections.deque([1]):
    for name in "__mul__", "__rmul__", "__imul__":
        method = getattr(repeated, name, None)
        if method is not None:
            show(method)
            show(method, 1, 2)
            show(method, None)

decoder = io.IncrementalNewlineDecoder(None, translate=True)
print(decoder.getstate(), decoder.decode("a\r"), decoder.getstate(), decoder.decode("\nb"))
print(repr(posix._path_normpath("")), os.path.normpath(""))
print(cmath.log(0, 2), cmath.log(0, 3 + 1j))
show(cmath.log, 2, 0)
show(cmath.log, 0)
print(sys.get_asyncgen_hooks(), type(sys.get_asyncgen_hooks()))
for base in type(functools.lru_cache(len)), type(sys.get_asyncgen_hooks()):
    try:
        type("Derived", (base,), {})
    except TypeError as e:
        print(e)


class NotReallyIterable:
    __iter__ = None


match = re.match("a", "a")
show(match.__getitem__, [])
show(match.group, {})
show(bytearray, NotReallyIterable())
show(bytearray, int)
show(bytearray(b"x").extend, "text")
show(bytearray(b"x").extend, 5)
show(type(show.__code__), 1)
show(__import__("struct").Struct, __import__("struct").Struct("i").iter_unpack)
show(pickle.dumps, pickle.PickleBuffer(b"a"), 4)
proxy = type(int.__dict__)({1: 2})
show(proxy.__lt__, proxy)
try:
    proxy <= proxy
except TypeError as e:
    print(e)
print(proxy == proxy, proxy == {1: 2}, proxy != {})
spec = __import__("importlib.util").util.find_spec("os.path")
print(__import__("_imp").find_frozen("os.path"), spec.name)

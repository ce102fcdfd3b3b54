# Instances' __module__, offsets that types hide, and objects whose __init__ is called again.
import array
import csv
import decimal
import functools
import io
import operator
import re
import select
import threading

for value in (functools.partial(int), operator.itemgetter(1), operator.attrgetter("a"),
              operator.methodcaller("m"), csv.reader([]), csv.writer(io.StringIO()),
              decimal.Decimal(1), csv.get_dialect("excel"), functools.lru_cache(len)):
    cls = type(value)
    print(cls, cls.__module__, value.__module__, "__module__" in cls.__dict__)
print(functools.wraps(functools.partial(int, base=3))(lambda: 0).__module__)
for value in array.array("i"), threading.Lock(), threading.RLock(), threading.local():
    print([name for name in dir(value) if name.endswith("offset__")])


def shown(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as e:
        return type(e).__name__, str(e)


data = bytearray(b"abc")
for args in ("x", "nope", 5), (1, 2, 3, 4), (b"x", "utf-8"), ("x",), ("x", "nope"), (-1,), (3.5,):
    print(shown(data.__init__, *args), data)
    data = bytearray(b"abc")
file = io.BufferedReader(io.BytesIO(b"abcdef"))
print(file.read(1), shown(file.__init__), shown(file.__init__, nope=1), file.read(1), file.closed)
print(shown(file.__init__, 5), shown(file.read, 1))
for pattern in "a", "(a)", "(?P<x>a)":
    print(type(re.compile(pattern).groupindex), dict(re.compile(pattern).groupindex))
re.compile("a").groupindex["x"] = 1


class Index:
    def __index__(self):
        return 1


poll = select.poll()
for mask in 1, -1, 70000, "x", Index(), 1.5, None, True, 2**70, -2**70:
    print(shown(poll.register, 0, mask), shown(poll.modify, 0, mask))
for newline in None, "", "\n", "\r", "\r\n":
    for value in "a\rb", "a\r\nb\n", "", None, 5:
        text = io.StringIO("z\n")
        print(shown(text.__setstate__, (value, newline, 0, None)), repr(shown(text.getvalue)),
              repr(shown(lambda: text.newlines)))

"""What a deque gets from iterables of many kinds: its items, their order, and what runs meanwhile."""
from collections import deque
import sys
import zlib

SIZES = 0, 1, 2, 7, 8, 9, 20, 63, 64, 65, 130


class Loud:
    """Its end says what the deque has at that moment, and acts on it."""

    def __init__(self, name, act=None):
        self.name, self.act = name, act

    def __repr__(self):
        return f"L{self.name}"

    def __del__(self):
        print("  end of", self.name, watched)
        if self.act is not None:
            self.act()


class OwnIterList(list):
    def __iter__(self):
        return iter("own")


class OwnIterTuple(tuple):
    def __iter__(self):
        return iter("own")


class OwnIterDeque(deque):
    def __iter__(self):
        return iter("own")


class Hinted:
    """An iterator with a __length_hint__ that does not tell the truth."""

    def __init__(self, n, hint):
        self.left, self.hint = n, hint

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left

    def __length_hint__(self):
        print("  asked for its length")
        return self.hint


def wrapped(n, maxlen=None):
    """A deque whose items begin in the middle of its memory."""
    d = deque(range(-n // 2, 0), maxlen)
    d.extend(range(n))
    for _ in range(len(d) - n):
        d.popleft()
    return d


def digest(d):
    return zlib.crc32(f"{d!r} {list(reversed(d))} {d[0] if d else None} {d.copy()}".encode())


watched = None
KINDS = {"list": list, "tuple": tuple, "deque": deque, "wrapped": lambda r: wrapped(len(r)),
         "limited": lambda r: deque(r, len(r) + 1), "range": lambda r: r, "iter": iter, "dict": dict.fromkeys,
         "own list": OwnIterList, "own tuple": OwnIterTuple, "own deque": OwnIterDeque,
         "generator": lambda r: (x for x in r), "bytes": bytes}
for kind, make in KINDS.items():
    for n in SIZES:
        for maxlen in None, 0, 1, 2, 8, 63, 64, 65:
            seen = [digest(deque(make(range(n)), maxlen))]
            for start in 0, 1, 5:
                for way in "extend", "extendleft", "__iadd__", "__add__":
                    d = wrapped(start, maxlen)
                    try:
                        getattr(d, way)(make(range(n)))
                    except TypeError as e:
                        seen.append(str(e))
                    seen.append(digest(d))
            print(kind, n, maxlen, zlib.crc32(str(seen).encode()))

print("itself")
for n in SIZES[:6]:
    for maxlen in None, n, n + 1, 2 * n:
        d = wrapped(n, maxlen)
        d.extend(d)
        print(d)
        d.extendleft(d)
        d += d
        print(d, d + d, deque(d), deque(d, 3))
        d.__init__(d, 4)
        print(d)

print("references")
for make in list, tuple, deque:
    for maxlen in None, 0, 3, 50:
        item = object()
        source = make([item] * 10)
        before = sys.getrefcount(item)
        d = deque(source, maxlen)
        d.extend(source)
        more = sys.getrefcount(item) - before
        copy = d.copy()
        print(make.__name__, maxlen, more, sys.getrefcount(item) - before)
        del d, copy
        print(sys.getrefcount(item) - before)

print("dropped items that die")
for make in list, tuple, deque:
    watched = deque([Loud(i) for i in range(4)], 4)
    watched.extend(make(range(6)))
    print(watched)
source = [1, 2, 3, 4, 5, 6]
watched = deque([Loud("a", lambda: source.append(7)), Loud("b", lambda: source.clear())], 3)
watched.extend(source)
print(watched, source)
source = [1, 2, 3, 4, 5, 6]
watched = deque([Loud("c", lambda: watched.append("more")), Loud("d", lambda: watched.clear())], 2)
watched.extend(source)
print(watched, source)
source = deque([1, 2, 3, 4, 5, 6])
watched = deque([Loud("e", lambda: source.append(7))], 1)
try:
    watched.extend(source)
except RuntimeError as e:
    print(e)
print(watched, source)
watched = deque([Loud("f", lambda: watched.append("more")), 1, 2], 3)
iterator = iter(watched)
watched += (4, 5)
try:
    print(next(iterator))
except RuntimeError as e:
    print(e)
print(watched)
watched = None

print("iterators that were there before")
for source in [], [1], (), (1,), deque(), deque([1]):
    for maxlen in None, 0, 1, 2:
        for d in deque([], maxlen), deque([5], maxlen):
            iterator = iter(d)
            d.extend(source)
            try:
                print(source, d, next(iterator, "end"))
            except RuntimeError as e:
                print(source, d, e)

print("errors and hints")


def fails():
    yield 1
    yield 2
    raise LookupError("third")


for maxlen in None, 0, 1, 5:
    d = deque([0], maxlen)
    for way in d.extend, d.extendleft, d.__iadd__:
        try:
            way(fails())
        except LookupError as e:
            print(d, e)
        try:
            way(5)
        except TypeError as e:
            print(d, e)
    for hint in 0, 2, sys.maxsize, -1, None, "x":
        d.extend(Hinted(3, hint))
    print(d, deque(Hinted(2, sys.maxsize), maxlen))

print("changed by its source")
d = deque()


def pushes():
    for i in range(20):
        d.appendleft(i)
        yield -i


d.extend(pushes())
print(d)
d = deque(maxlen=5)
d.extend(pushes())
print(d)


def takes():
    for i in range(100):
        if len(d) > 3:
            d.popleft()
            d.pop()
        yield i


d = deque()
d.extend(takes())
d.extendleft(takes())
print(d)
d.extend(d.popleft() for _ in range(len(d)))
print(d)

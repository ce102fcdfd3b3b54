"""Containers that die with what they hold: who notices, and what frame is running then. New objects
in the memory of dead ones."""
import datetime
import gc
import sys
import weakref

seen = []


def frame_that_drops():
    frame = sys._getframe(2)
    return frame.f_code.co_name, frame.f_lineno, frame.f_locals.get("j")


class Noticed:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        seen.append((self.n, *frame_that_drops()))


class NoticedKey(Noticed):
    def __hash__(self):
        return hash(self.n)

    def __eq__(self, other):
        return self is other


class NoticedZone(datetime.tzinfo):
    def __init__(self, n):
        self.n = n

    def __del__(self):
        seen.append((self.n, *frame_that_drops()))


class Attr:
    def __init__(self, value):
        self.value = value


class List(list):
    pass


class NoticedList(list):
    def __del__(self):
        seen.append((len(self), *frame_that_drops()))


class Int(int):
    pass


class Buffer(bytearray):
    def __del__(self):
        seen.append((bytes(self), *frame_that_drops()))


class Pair(tuple):
    pass


def nested(i):
    j = i * 3 + 1
    x = (i, (i + 1, [i, (str(i), Noticed(i))]), 2)
    x = None
    y = [(i, i), ([i], (i, [i, [i]]))]
    y = [y, y]
    y = [y, Noticed(-i), ((), ((), [y]))]
    y = None
    return x, y, j


def sets(i):
    j = i * 3 + 1
    s = {i, i + 1, "a"}
    s = None
    s = {NoticedKey(i), i}
    s = None
    s = frozenset((i, NoticedKey(i)))
    s = None
    s = {1, (i, i)}
    s = None
    s = {1, 2}
    r = weakref.ref(s, lambda w: seen.append(("weak", i)))
    s = None
    return r(), j


def of_subclasses(i):
    j = i * 3 + 1
    x = List()
    x = None
    x = List((i, Noticed(i)))
    x = None
    x = NoticedList()
    x = None
    x = NoticedList((Noticed(i),))
    x = None
    x = Int(i)
    x.attr = Noticed(i)
    x = None
    x = List()
    x.attr = (1, (2, Noticed(i)))
    x = None
    x = List()
    r = weakref.ref(x, lambda w: seen.append(("weak list", i)))
    x = None
    x = Pair((i, Noticed(i)))
    x = None
    return r(), j


def with_c_types(i):
    """In containers, objects of C types that may do anything when they die, and some that don't."""
    j = i * 3 + 1
    x = datetime.datetime(2024, 1, 2), i
    x = None
    x = i, datetime.datetime(2024, 1, 2, tzinfo=NoticedZone(i))
    x = None
    x = (datetime.time(1, tzinfo=NoticedZone(i)), str(i)), j
    x = None
    x = [datetime.time(1, tzinfo=NoticedZone(i)), i, i]
    x = None
    x = Attr(datetime.time(1, tzinfo=NoticedZone(i)))
    x = None
    x = Attr((i, datetime.datetime(2024, 1, 2, tzinfo=NoticedZone(i))))
    x = None
    x = datetime.datetime(2024, 1, 2) + datetime.timedelta(i % 9), {i: i}, Noticed(i)
    x = None
    return j


def views(i):
    j = i * 3 + 1
    v = memoryview(bytearray(b"abcdef%d" % i))
    w = v[1:3]
    v = None
    result = bytes(w)
    w = None
    b = bytearray(b"abc")
    v = memoryview(b)
    w = v[1:]
    v.release()
    w = None
    b.append(i & 255)
    v = memoryview(Buffer(b"xyz"))
    w = v[::2]
    v = None
    w = None
    return result + bytes(j & 1)


def recycled(i):
    """A set in the place of a dead one knows nothing of it."""
    s = frozenset((i, "x"))
    hash(s)
    s = None
    s = frozenset((i, "y", "z"))
    equal = hash(s) == hash(frozenset(("z", i, "y"))), s == {i, "y", "z"}
    s = None
    s = set(range(i % 40))
    popped = [s.pop() for _ in range(len(s) // 2)]
    s = None
    s = {i % 7, i % 5, i % 3}
    return equal, len(popped), s.pop(), sorted(s), type(s), weakref.getweakrefcount(s)


def run(n):
    total = 0
    for i in range(n):
        nested(i)
        sets(i)
        of_subclasses(i)
        total += with_c_types(i)
        total += len(views(i))
        equal, popped, first, rest, kind, weak = recycled(i)
        assert equal == (True, True) and kind is set and weak == 0
        total += popped + first + sum(rest)
    return total


print(run(400), len(seen))
print(seen[:24])
print(seen[-24:])
print(len(repr(seen)))
gc.collect()
print(run(3), len(seen))

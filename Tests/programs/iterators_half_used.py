"""What takes all of an iterator gets what is left, also when the source has changed meanwhile."""
from collections import deque
from itertools import chain
import sys
import zlib


class OwnIter(list):
    def __iter__(self):
        return reversed([7, 8, 9])


class Bytes(bytes):
    pass


class Str(str):
    pass


class Tuple(tuple):
    def __getitem__(self, i):
        return -tuple.__getitem__(self, i)


SIZES = 0, 1, 2, 15, 16, 17, 40, 300
SOURCES = {
    "list": (list, iter), "tuple": (tuple, iter), "list backwards": (list, reversed), "bytes": (bytes, iter),
    "own bytes": (Bytes, iter), "bytearray": (bytearray, iter), "deque": (deque, iter), "deque backwards": (deque, reversed),
    "limited deque": (lambda r: deque(range(400), len(r)), iter), "rotated": (lambda r: turned(r), iter), "own": (OwnIter, iter),
    "tuple backwards": (tuple, reversed), "set": (set, iter), "frozenset": (frozenset, iter), "dict": (dict.fromkeys, iter),
    "values": (lambda r: {i: -i for i in r}, lambda d: iter(d.values())), "range": (lambda r: range(len(r)), iter),
    "far range": (lambda r: range(2 ** 40, 2 ** 40 + len(r)), iter), "keys": (dict.fromkeys, lambda d: iter(d.keys())),
    "items": (lambda r: {i: -i for i in r}, lambda d: iter(d.items())), "str": (lambda r: "x" * len(r), iter),
    "word": (lambda r: letters("a", 26, r), iter), "Greek": (lambda r: letters("α", 25, r), iter),
    "own str": (lambda r: Str(letters("a", 26, r)), iter), "word backwards": (lambda r: letters("a", 26, r), reversed),
    "Greek backwards": (lambda r: letters("α", 25, r), reversed), "faces": (lambda r: letters("😀", 60, r), iter),
    "faces backwards": (lambda r: letters("😀", 60, r), reversed), "accents": (lambda r: letters("à", 30, r), iter),
    "mixed": (lambda r: letters("Ā", 3, r) + letters("x", 3, r), iter), "own tuple backwards": (lambda r: Tuple(r), reversed),
    "chain": (list, lambda s: chain(s[:2], s, tuple(s))), "chain of its own": (list, lambda s: chain(s, s)),
    "chain in a chain": (list, lambda s: chain(chain(s, [1]), chain(chain([2, 3], tuple(s))))),
    "chain of others": (lambda r: deque(r), lambda s: chain(s, set(s), (i for i in s), dict(zip(s, s)).items(), [], s, "abc")),
    "chain from": (list, lambda s: chain.from_iterable([i] * (i % 7) for i in s)),
    "chain of steps": (list, lambda s: chain.from_iterable(s[i:i + 5] if i < 30 else i for i in range(0, len(s), 5))),
    "steps": (lambda r: range(-9, len(r) * 70, 70), iter), "down": (lambda r: range(len(r), 0, -1), iter),
    "range backwards": (lambda r: range(len(r)), reversed), "to the last": (lambda r: range(2 ** 63 - 1 - len(r), 2 ** 63 - 1), iter),
    "from the first": (lambda r: range(-2 ** 63, -2 ** 63 + len(r)), iter), "long steps": (lambda r: range(0, 2 ** 62, 2 ** 62 // (len(r) + 1)), iter),
    "beyond": (lambda r: range(2 ** 63, 2 ** 63 + len(r)), iter), "far down": (lambda r: range(2 ** 62, 2 ** 62 - len(r), -1), iter),
    "dict backwards": (dict.fromkeys, reversed), "holed dict": (lambda r: holed(dict.fromkeys(r)), iter),
    "holed set": (lambda r: holed(set(r)), iter), "attributes": (lambda r: attributes(r), iter),
    "values of attributes": (lambda r: attributes(r), lambda d: iter(d.values())),
}


def holed(source):
    """Without every fifth."""
    for i in sorted(source)[::5]:
        source.discard(i) if isinstance(source, set) else source.pop(i)
    return source


class Plain:
    pass


def attributes(r):
    """The __dict__ of an object whose class has others like it."""
    first, second = Plain(), Plain()
    for o in first, second:
        for i in r:
            setattr(o, f"a{i}", f"b{i}")
    if len(r) > 3:
        del second.a2
    return second.__dict__


def letters(first, n, r):
    return "".join(chr(ord(first) + i % n) for i in r)


def turned(r):
    d = deque(r)
    d.rotate(len(r) // 3)
    return d


def extended(it):
    result = [1, 2, 3]
    result.extend(it)
    return result


def extended_in_spite(it):
    """With what came before an error."""
    results = [1, 2, 3], deque([1, 2, 3])
    for result in results:
        try:
            result.extend(it)
        except RuntimeError as e:
            result.append(str(e))
    return results


def deque_extended(it):
    d = deque(range(11))
    for i in range(6):
        d.popleft()
    d.extend(it)
    return d


def starred(it):
    return [*it, 5, *it]


def sliced(it):
    result = list(range(10))
    result[2:5] = it
    return result


TAKERS = (list, tuple, deque, extended, extended_in_spite, deque_extended,
          starred, sliced, lambda it: deque(it, 20), sorted,
          lambda it: deque_extended(it).copy(), set, lambda it: (lambda *args: args)(*it))


def attempt(function, *args):
    try:
        return function(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


for name, (make, begin) in SOURCES.items():
    for n in SIZES:
        for used in {0, 1, n // 2, max(n - 1, 0), n}:
            seen = []
            for taker in TAKERS:
                source = make(range(n) if n <= 256 or "byte" not in name else range(256))
                it = begin(source)
                for i in range(used):
                    attempt(next, it, None)
                result = attempt(taker, it)
                again = attempt(taker, it)
                seen.append(zlib.crc32(str([result, again, attempt(next, it, "end"),
                                            getattr(it, "__length_hint__", str)()]).encode()))
                if "deque" not in name and name != "rotated" and "chain" not in name:
                    seen[-1] ^= zlib.crc32(str(it.__reduce__()).encode())
            print(name, n, used, *seen)

print("changed before")
CHANGES = {
    "append": lambda s: s.append(99), "pop": lambda s: s.pop(), "clear": lambda s: s.clear(),
    "extend": lambda s: s.extend(range(50)), "add": lambda s: s.add(99), "update": lambda s: s.update({99: 1}),
    "delete half": lambda s: s.__delitem__(slice(len(s) // 2, None)), "set item": lambda s: s.__setitem__(3, 77),
    "pop and append": lambda s: (s.pop(), s.append(55)), "swap key": lambda s: (s.pop(5), s.update({500: 1})),
    "popitem": lambda s: s.popitem(), "appendleft": lambda s: s.appendleft(5), "discard": lambda s: s.discard(19),
    "swap member": lambda s: (s.discard(4), s.add(64)), "reverse": lambda s: s.reverse(), "set state": None,
}
for name, (make, begin) in SOURCES.items():
    for change, act in CHANGES.items():
        for used in 0, 3, 19, 20:
            seen = []
            for taker in TAKERS:
                source = make(range(20))
                it = begin(source)
                for i in range(used):
                    attempt(next, it, None)
                try:
                    if act is None:
                        it.__setstate__(used // 2)
                    else:
                        act(source)
                except (AttributeError, TypeError, KeyError, IndexError):
                    break
                result = attempt(taker, it)
                seen.append(zlib.crc32(str([result, attempt(taker, it), attempt(next, it, "end")]).encode()))
            print(name, change, used, *seen)

print("characters")
for text in "xé", "αβ", "Ā\uffff\ud800", "😀\U0010ffff":
    for c in *text, *reversed(text), *map(chr, map(ord, text)):
        print(ascii(c), len(c), sys.getsizeof(c), hash(c) == hash(text[text.index(c):][:1]), c.isprintable(), c == c + "", (c.upper() + c).encode("utf-8", "surrogatepass"),
              c.encode("utf-16", "surrogatepass"), c.encode("utf-8", "surrogatepass"), sys.getsizeof(c), len(c * 3), {c: 1}[c], sys.intern(c) == c)

print("of itself")
for begin in reversed, lambda s: iter(s[:]), lambda s: iter(tuple(s)):
    for n in 0, 1, 5, 30:
        s = list(range(n))
        s.extend(begin(s))
        print(s)
        s[n // 2:] = begin(s)
        print(s)
for begin in iter, reversed:
    for n in 0, 1, 5, 30:
        for maxlen in None, 5, 40:
            d = deque(range(n), maxlen)
            it = begin(d)
            print(attempt(d.extend, it), d, attempt(next, it, "end"))
            it = begin(d)
            print(attempt(d.extendleft, it), d, attempt(next, it, "end"))

for taker in deque.extend, deque.extendleft:
    d = deque(range(5))
    for it in chain(d), chain([7], d), chain.from_iterable([[1, 2], d, (3,)]), chain(chain(d)):
        print(attempt(taker, d, it), list(d), attempt(list, it))
    d = deque(range(20))
    it = chain(d)
    next(it)
    print(attempt(taker, d, it), list(d), attempt(list, it))
s = [1, 2, 3]
s[1:] = chain(s, s)
print(s)
s = [1]
s.extend(chain([0], (s.append(i) or [i, i] for i in range(3)), iter(s[:1])))
print(s)

print("references")
item = object()
before = sys.getrefcount(item)
for make, begin in (list, iter), (tuple, iter), (list, reversed), (deque, iter), (deque, reversed):
    for taker in list, tuple, deque, extended, deque_extended:
        source = make([item] * 40)
        it = begin(source)
        next(it)
        result = taker(it)
        print(sys.getrefcount(item) - before, sys.getrefcount(source), len(result))
        del result, source, it
        print(sys.getrefcount(item) - before)

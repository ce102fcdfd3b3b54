"""map() of functions in C that take one argument: results, errors, references, and recursion."""
import functools
import itertools
import math
import operator
import sys


class Odd:
    def __init__(self, what):
        self.what = what

    def act(self):
        if isinstance(self.what, type):
            raise self.what("from the argument")
        return self.what

    def __abs__(self):
        return self.act()

    __len__ = __index__ = __hash__ = __repr__ = __iter__ = __next__ = __float__ = __bool__ = __abs__


class OwnInt(int):
    def __index__(self):
        return 98

    def __abs__(self):
        return "own"


ARGUMENTS = (5, -1, 255, 256, 0x10ffff, 0x110000, True, 2 ** 31, 2 ** 63, 2 ** 70, -2 ** 70, OwnInt(97), 1.5, None, "x", "xy",
             b"y", "", [1], (), {}, Odd(3), Odd(-2), Odd("three"), Odd(1.5), Odd(2 ** 80), Odd(KeyError), Odd(StopIteration))
FUNCTIONS = (abs, len, chr, ord, repr, hash, callable, hex, ascii, bin, math.sqrt, math.floor, [].append, {5: 6}.get,
             {5}.__contains__, (5).__add__, "abc".__contains__, operator.neg, operator.index, operator.not_, iter, next,
             sorted, any, all, sum, max, str.upper, str, int, float, list, bool, len.__call__, operator.itemgetter(0),
             functools.partial(abs), sys.intern, print, vars, object, None, 5)
for function in FUNCTIONS:
    for argument in ARGUMENTS:
        if function is hash and argument is None:
            continue
        iterator = map(function, [argument, argument])
        said = []
        for step in range(3):
            try:
                got = next(iterator)
                said.append(type(got).__name__ if "iterator" in type(got).__name__ else got)
            except BaseException as e:
                said.append(f"{type(e).__name__}({e})")
        try:
            text = str(said)
        except BaseException as e:
            text = [type(s) for s in said]
        print(getattr(function, "__name__", "?"), type(argument).__name__, " at 0x" not in str(text) and text)

print("arguments counted")
for function in len, [].pop, "".join, dict.fromkeys, [].insert, math.hypot, [].clear, isinstance:
    try:
        print(list(map(function, ["ab", "cd"])))
    except Exception as e:
        print(type(e).__name__, e)
    try:
        print(list(map(function, ["ab", "cd"], ["e", "f"])))
    except Exception as e:
        print(type(e).__name__, e)

print("sources")
source = [1, -2, 3]
iterator = map(abs, source)
print(next(iterator), source.append(-4), next(iterator), source.clear(), next(iterator, "end"), source.extend([5] * 9),
      next(iterator, "ended"))
source = [1]


def grows(x):
    if len(source) < 5:
        source.append(x + 1)
    return x


print(list(map(grows, source)), list(map(source.append, [7, 8])), source)
print(list(map(source.remove, source)), source)
print(list(map(iter([1, 2, 3]).__next__, [])), list(map(abs, iter((-1, -2)))), list(map(abs, (i for i in (-3, -4)))))
try:
    print(list(map(abs, (1 // i for i in (1, 0)))))
except ZeroDivisionError as e:
    print(e)

print("references")
item, function = object(), [].__contains__
before = sys.getrefcount(item), sys.getrefcount(function), sys.getrefcount(None), sys.getrefcount(True)
for i in range(100):
    list(map(function, [item] * 10))
    list(map(id, [item] * 10))
    try:
        list(map(len, [item] * 10))
    except TypeError:
        pass
after = sys.getrefcount(item), sys.getrefcount(function), sys.getrefcount(None), sys.getrefcount(True)
print([b - a < 10 for a, b in zip(before, after)], before[:2] == after[:2])

print("depth")


class Deep:
    def __abs__(self):
        self.depth += 1
        return next(map(abs, [self]))


deep = Deep()
deep.depth = 0
try:
    abs(deep)
except RecursionError as e:
    print(type(e), deep.depth > 50)
nested = [-1]
for i in range(500):
    nested = map(abs, nested)
print(list(nested))
try:
    next(map(abs, [deep]))
except RecursionError as e:
    print(type(e))
print(next(map(abs, [-1])))


class Dies:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __del__(self):
        print("  dies", self.n)


print(list(map(len, (Dies(i) for i in range(3)))))
print(list(itertools.islice(map(len, (Dies(i) for i in itertools.count())), 2)))

print("key functions")


def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except BaseException as e:
        return f"{type(e).__name__}({e})"


for function in FUNCTIONS:
    said = []
    for argument in ARGUMENTS:
        if function is hash and argument is None or function in (id, print, object):
            continue
        for choose in min, max:
            got = attempt(choose, [argument, argument], key=function)
            said.append(type(got).__name__ if isinstance(got, Odd) else got is argument or got)
    print(getattr(function, "__name__", "?"), " at 0x" not in str(said) and said)
print(attempt(max, ["a", "bcd", "ef"], key=len), attempt(min, (Dies(i) for i in (3, 1, 2)), key=len).n)
print(attempt(max, [1, "x"], key=abs), attempt(max, [3, 1, 2], key=[].append), attempt(max, [[1], 2], key=iter))


class DeepKey:
    def __abs__(self):
        self.depth += 1
        return max([self], key=abs)


deep = DeepKey()
deep.depth = 0
print(str(attempt(abs, deep))[:14], 50 < deep.depth < sys.getrecursionlimit())

print("bytes of")
for make in bytes, bytearray, lambda it: bytearray(b"x").extend(it), bytearray(b"abc").join, b"-".join:
    for argument in ARGUMENTS:
        for source in [1, argument], (argument, 2), iter([3, argument]), (i for i in (4, argument)), map(lambda x: x, [argument]):
            got = attempt(make, source)
            print(got if isinstance(got, str) else repr(got), end=" ")
    print()


class Grows:
    def __init__(self, target):
        self.target = target

    def __index__(self):
        if len(self.target) < 40:
            self.target.append(7)
        return 65


target = [1]
target.append(Grows(target))
print(bytes(target), len(target), bytes(iter(target)), bytearray(target))
print(attempt(bytes, (1 // i for i in (1, 0))), attempt(bytes, iter([1, 300])), attempt(bytes, [1, -1]), attempt(bytes, "x"), attempt(bytes, iter("x")))

print("truth of")


class Truth:
    def __init__(self, answer):
        self.answer = answer

    def __bool__(self):
        return self.answer


class Sized:
    def __init__(self, answer):
        self.answer = answer

    def __len__(self):
        return self.answer


class OwnList(list):
    def __bool__(self):
        return not super().__len__()


class OwnStr(str):
    def __len__(self):
        return 0


for item in (*ARGUMENTS[:-6], Truth(True), Truth(False), Truth(5), Sized(0), Sized(3), Sized(-1), Sized("x"), OwnList(), OwnList([1]),
             OwnStr(), OwnStr("x"), OwnInt(0), 0.0, 0j, {1: 2}, {}, set(), frozenset([0]), [], (0,), "\0", b"", range(0), NotImplemented,
             None, False, int, object()):
    print([attempt(test, make([before, item, after])) for test in (any, all) for make in (list, iter, lambda s: (i for i in s))
           for before in (0, 1) for after in ("", "x")])

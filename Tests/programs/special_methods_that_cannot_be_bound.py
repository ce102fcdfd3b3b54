"""Special methods that are descriptors, of which some raise when they are looked up: which operation
tells of that, and which one goes on as if there were no such method."""
import collections
import functools
import math
import operator
import sys


def lacking(cls_name, name, base=object):
    def get(self):
        raise LookupError(name)
    return type(cls_name, (base,), {name: property(get)})


async def awaited(x):
    return await x


async def iterated(x):
    async for y in x:
        return y


async def entered(x):
    async with x:
        pass


def with_(x):
    with x:
        pass


def each_of(x):
    return [y for y in x]


def unpacked(x):
    a, b = x


def from_(x):
    yield from x


OPERATIONS = {
    "__iter__": [iter, list, each_of, unpacked, sum, dict, set, max, sorted, lambda x: "".join(x), lambda x: 3 in x,
                 lambda x: [*x], lambda x: next(from_(x)), lambda x: print(*x), collections.deque, enumerate],
    "__getitem__": [iter, list, lambda x: x[1], lambda x: 3 in x, reversed],
    "__next__": [next], "__contains__": [lambda x: 3 in x], "__len__": [len, bool, reversed], "__bool__": [bool],
    "__hash__": [hash, lambda x: {x}, lambda x: {x: 1}, lambda x: hash((x,)), functools.lru_cache(abs)],
    "__repr__": [repr, str, ascii, lambda x: f"{x!r}", lambda x: "%r" % x, lambda x: repr([x])],
    "__str__": [str, lambda x: f"{x}"], "__format__": [format, lambda x: f"{x:5}"],
    "__bytes__": [bytes, lambda x: b"%b" % x, lambda x: b"%s" % (x,)],
    "__await__": [lambda x: awaited(x).send(None)], "__aiter__": [lambda x: iterated(x).send(None), aiter],
    "__aenter__": [lambda x: entered(x).send(None)], "__enter__": [with_], "__exit__": [with_],
    "__eq__": [lambda x: x == 1, lambda x: [x].index(1)], "__lt__": [lambda x: x < 1, lambda x: sorted([1, x])],
    "__add__": [lambda x: x + 1], "__radd__": [lambda x: 1 + x], "__iadd__": [lambda x: operator.iadd(x, 1)],
    "__index__": [operator.index, range, hex, lambda x: [1][x]], "__int__": [int, lambda x: "%d" % x],
    "__float__": [float, math.sin], "__complex__": [complex], "__round__": [round], "__abs__": [abs],
    "__call__": [lambda x: x(), callable], "__length_hint__": [operator.length_hint],
    "__reversed__": [reversed], "__dir__": [dir], "__sizeof__": [sys.getsizeof],
    "__get__": [lambda x: type("C", (), {"a": x})().a], "__set_name__": [lambda x: type("C", (), {"a": x}).__name__],
    "__instancecheck__": [lambda x: isinstance(1, x)], "__subclasscheck__": [lambda x: issubclass(int, x)],
}
for name, operations in OPERATIONS.items():
    for base in object, int, list:
        x = lacking("Lacking", name, base)()
        for i, operation in enumerate(operations):
            try:
                result = operation(x)
                print(name, base.__name__, i, str(result).split(" at 0x")[0] if name != "__sizeof__" else "size")
            except Exception as e:
                print(name, base.__name__, i, type(e).__name__, e, repr(e.__context__))


class OwnBytes:
    def __bytes__(self):
        return b"of the class"


x = OwnBytes()
x.__bytes__ = lambda: b"of the object"
print(bytes(x), b"%b" % x)

# Methods of other types, written in C: no body is entered before they are known to fit.
def enters(self):
    print("entered", end=" ")


async def enters_later(self):
    print("entered", end=" ")


async def in_async_with(manager):
    async with manager:
        print("body", end=" ")


def in_with(manager):
    with manager:
        print("body", end=" ")


for enter in enters, list.__len__, list.append, list.__new__, None:
    for exit in (lambda *args: None), list.__len__, list.append, 5, None:
        for base in object, list:
            members = {}
            for prefix, asynchronous in ("", False), ("a", True):
                if enter is not None:
                    members[f"__{prefix}enter__"] = enters_later if asynchronous and enter is enters else enter
                if exit is not None:
                    members[f"__{prefix}exit__"] = exit
            manager = type("Manager", (base,), members)()
            for use in in_with, lambda x: in_async_with(x).send(None):
                try:
                    print(use(manager))
                except BaseException as e:
                    print(base.__name__, enter and enter.__name__, type(exit).__name__, type(e).__name__,
                          e if base is object else "")


sys.unraisablehook = lambda args: print("unraisable", args.exc_value)
x = lacking("LackingDel", "__del__")()
del x
print("gone")

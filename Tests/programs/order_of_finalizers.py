"""Objects of every kind that die when the program ends, in cycles and out of them: the collector
leaves its list in CPython's order, so that finalizers run in CPython's order. No set and no
weak dictionary by address: their order is that of addresses."""
import atexit
import collections
import functools
import gc
import sys
import threading
import types
import weakref

# Whatever the machine's site has imported is old from here on.
gc.set_threshold(0)
gc.collect()


class Told:
    def __init__(self, name, *kept):
        self.name = name
        self.kept = list(kept)

    def __del__(self, print=print):
        print("end of", self.name, Told is not None, "sys" in globals())


def by_default(a=Told("a default"), *, b=Told("a default by keyword")):
    return by_default


class Base:
    of_class = Told("a class's attribute")

    @property
    def value(self, kept=Told("a property")):
        return 1

    @staticmethod
    def static(kept=Told("a static method")):
        return 2

    @classmethod
    def of(cls, kept=Told("a class method")):
        return __class__


class Meta(type):
    kept = Told("a metaclass's attribute")


class Made(Base, metaclass=Meta):
    __slots__ = ("b", "a", "me")


made = Made()
made.a, made.b, made.me = Told("slot a"), Told("slot b"), made
Made.instance = made

listed = [Told("first in a list"), Told("second in a list")]
listed.append(listed)
pair = (Told("first in a tuple"), [Told("in a list in a tuple")], Told("last in a tuple"))
pair[1].append(pair)
named = {"a": Told("a value"), Told("a key"): 1, "me": None}
named["me"] = named
ordered = collections.OrderedDict(a=Told("ordered a"), b=Told("ordered b"))
ordered["me"] = ordered
queue = collections.deque([Told("first in a deque"), Told("second in a deque")])
queue.append(queue)
ring = [Told(f"ring {i}") for i in range(4)]
for i in range(4):
    ring[i].kept = [ring[(i * 3 + 1) % 4]]
gc.collect()
_private = Told("a private name")
__both = Told("a name with two underscores")
partly = [functools.partial(print, Told(f"partial {i}"), k=Told(f"keyword {i}")) for i in range(3)]
partly.append(partly)


@functools.lru_cache
def cached(x):
    return Told(f"cached {x}")


cached(1), cached(2), cached(3)


def closed_over():
    kept = Told("in a cell")

    def inner():
        return kept, inner
    return inner


inner = closed_over()


def generating():
    kept = Told("a generator's local")
    try:
        yield kept
    finally:
        print("closed")


generator = generating()
next(generator)
generator_in_itself = generating()
next(generator_in_itself).kept.append(generator_in_itself)

first, second = types.ModuleType("first"), types.ModuleType("second")
for module in first, second:
    module.public = Told(f"public in {module.__name__}")
    module._private = Told(f"private in {module.__name__}")
    sys.modules[module.__name__] = module
del second, module
__builtins__.kept = Told("kept by builtins")
Told.kept = Told("kept by its class")
local = threading.local()
local.kept = Told("a thread's own")
watched = Told("watched")
reference = weakref.ref(watched, lambda r, print=print: print("told of watched"))
weakref.finalize(ring[2], print, "finalize")
atexit.register(lambda kept=Told("an exit function's"): print("exit"))
try:
    local_of_frame = Told("an exception's frame")
    local_of_frame.kept.append(local_of_frame)
    del local_of_frame
    1 / 0
except ZeroDivisionError as e:
    caught = e
    caught.kept = Told("an exception's attribute")


def shares(a, b):
    return a.name


def shares_too(a, b):
    return b.name


print(shares.__code__.co_names is shares_too.__code__.co_names,
      shares.__code__.co_consts is shares_too.__code__.co_consts)
print("end")

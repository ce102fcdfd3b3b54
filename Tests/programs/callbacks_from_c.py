"""Functions and generators that C calls again and again: from functions, from generators, while
they raise, recurse, are traced, or are replaced."""
import functools
import sys


def hot(f):
    for _ in range(300):
        f()


L = list(range(30))


def add_one(v):
    return v + 1


def unbound(v):
    if v > 25:
        late = v
    try:
        return late
    except UnboundLocalError as e:
        return str(e)


def fails(v):
    return 10 // (v - 7)


def many(a, b, c, d=4, e=5):
    return a, b, c, d, e


def numbers(n):
    for i in range(n):
        got = yield i
        if got is not None:
            yield got * 2
    return "end"


def through(n):
    result = yield from numbers(n)
    yield result


def deep(n):
    return max([n], key=lambda v: deep(v - 1)) if n else 0


def called_in_a_generator():
    for i in range(3):
        yield list(map(add_one, L[:i])), sorted(L[:i], key=lambda v: -v)
        yield sum(numbers(i)), list(through(i))


def plain():
    return (list(map(add_one, L)), list(filter(lambda v: v & 1, L)), max(L, key=lambda v: v % 7),
            functools.reduce(lambda a, b: a * 3 + b, L), list(map(unbound, L)),
            list(map(many, L[:3], L, L)), sum(numbers(9)), list(through(4)), dict(enumerate(numbers(3))))


hot(plain)
print(plain())
hot(lambda: list(called_in_a_generator()))
print(list(called_in_a_generator()))

for _ in range(300):
    try:
        list(map(fails, L))
    except ZeroDivisionError as e:
        tb = e.__traceback__
        lines = []
        while tb is not None:
            lines.append((tb.tb_frame.f_code.co_name, tb.tb_lineno))
            tb = tb.tb_next
print(lines)
for args in (1,), (1, 2, 3, 4, 5, 6):
    try:
        list(map(many, *[[a] for a in args]))
    except TypeError as e:
        print(e)

# send, throw, close; what is sent is what the yield gives.
for _ in range(300):
    made = through(5)
    seen = [next(made), made.send(21), made.send(None), next(made)]
    try:
        made.throw(KeyError("thrown"))
    except KeyError as e:
        seen.append(repr(e))
    seen.append(list(made))
print(seen)

# The recursion limit, through C.
hot(lambda: deep(5))
sys.setrecursionlimit(200)
try:
    deep(400)
except RecursionError as e:
    print(type(e).__name__)
sys.setrecursionlimit(1000)
print(deep(50))

# A tracer and a profiler that are switched on in the middle.
events = []


def tracer(frame, event, arg):
    if frame.f_code.co_name in ("add_one", "numbers", "switches"):
        events.append((frame.f_code.co_name, event, frame.f_lineno))
    return tracer


def switches(v):
    if v == 3 and switching:
        switch(tracer)
    return add_one(v)


switching = False
hot(lambda: list(map(switches, L)))
for switch in sys.settrace, sys.setprofile:
    switching = True
    print(list(map(switches, L[:6])), sum(numbers(2)))
    switch(None)
    print(events)
    events.clear()
    switching = False
    print(sum(map(switches, L)))

# Other code in the function's place, also while it is called.
def other(v):
    return -v


def replaces(v):
    if v == 5 and switching:
        replaces.__code__ = other.__code__
    return v


hot(lambda: list(map(replaces, L)))
switching = True
print(list(map(replaces, L[:9])))


# What dies when a callback returns, and who looks at its frame.
class Dies:
    def __del__(self):
        died.append(1)


died = []


def holds(v):
    d = Dies()
    return v


def looks(v):
    return sys._getframe().f_back.f_code.co_name, sorted(sys._getframe().f_locals)


def both():
    return list(map(holds, [1])), list(map(looks, [1]))


hot(both)
print(both()[1], len(died))


# Methods that C asks for.
class Key:
    def __init__(self, v):
        self.v = v

    def __hash__(self):
        return hash(self.v)

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v < other.v

    def __len__(self):
        return self.v

    def __index__(self):
        return self.v


keys = [Key(i % 11) for i in range(40)]
hot(lambda: (set(keys), sorted(keys), list(map(len, keys)), bytes(keys)))
print(len(set(keys)), [k.v for k in sorted(keys)], list(map(len, keys)), bytes(keys))
Key.__len__ = lambda self: -1
try:
    list(map(len, keys))
except ValueError as e:
    print(e)

"""next() of a generator expression, with what it gives if there is none: values of all kinds, that the
sequence lends or that are new, what dies with the sequence, and what changes under warm code."""
import sys

gone = []


class Loud:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        gone.append(self.n)


class Odd:
    def __init__(self, n):
        self.n = n

    def __bool__(self):
        return self.n % 2 == 1

    def __gt__(self, other):
        return self.n > other


def small(items, least):
    return next((x for x in items if x > least), None)


def number(items, least):
    return next((x for x in items if x > least), -1)


def text(items, word):
    return next((w for w in items if w.startswith(word)), "nothing")


def half(items):
    return next((x * 0.5 for x in items if x > 1), 0.25)


def pair(items):
    return next(((i, x) for i, x in enumerate(items) if x), (0, None))


def key(table, value):
    return next((k for k, v in table.items() if v == value), None)


def of_new(n):
    return next((x for x in [Loud(i) for i in range(n)] if x.n > 1), None)


def of_new_tuple(n):
    return next((x for x in (Loud(n), Loud(n + 1))), 7)


def nested(rows, n):
    return next((x for row in rows for x in row if x > n), ...)


def within(rows, n):
    return [next((x for x in row if x > n), -1) for row in rows]


def summed(items, n):
    total = 0
    for i in range(n):
        total += next((x for x in items if x > i), 1000)
    return total


def closure(items, n):
    least = n
    found = next((x for x in items if x > least), None)
    least += 1
    return found, (lambda: least)()


def bare(items):
    return next(x for x in items if x > 2)


def both(items, flag):
    return next((x for x in items if x > 1), None) if flag else next((x for x in items), 0)


def shown(value):
    return (type(value).__name__, value.n) if isinstance(value, (Loud, Odd)) else value


words = ["one", "two", "three"]
for turn in range(60):
    results = [
        small([1, 2, 3], 1), small((1, 2.5), 2), small([], 0), small([10 ** 30, 1], 5), number([5, 6], 9),
        number([5, 6], 5), text(words, "th"), text(words, "x"), half([1, 2, 3]), half([0]), half([1.5, 3]),
        pair([0, "a"]), pair([]), pair([Odd(2), Odd(3)])[0], key({"a": 1, "b": 2}, 2), key({}, 2),
        shown(of_new(4)), shown(of_new(1)), shown(of_new_tuple(turn)), nested([[1], [2, 3]], 2), nested([[]], 0),
        within([[1, 2], [3], []], 1), summed([3, 9, 4], 12), closure([1, 5, 9], 4), both([1, 2], True),
        both([1, 2], False), both([], turn % 2), small([True, False], 0), small([float("nan"), 4], 1),
    ]
    if turn in (0, 59):
        print(results, gone[-6:])
print(len(gone), sum(n for n in gone if n < 4))

for items in [1, 2], [], [5, "x"], ["x", 5], None, [Odd(1), Odd(8)], (x for x in (1, 3)), {7, 1}, "ab", range(9), iter([4]):
    for function in small, number, half, bare:
        try:
            print(function.__name__, shown(function(items, 1) if function in (small, number) else function(items)))
        except Exception as e:
            print(function.__name__, type(e).__name__, e)

# What is referred to stays as it was.
kept = [object() for _ in range(5)]
before = [sys.getrefcount(x) for x in kept]
for _ in range(2000):
    next((x for x in kept if x is not None), None)
    next((x for x in kept if x is None), kept)
default = "a default that is long"
count = sys.getrefcount(default)


def missing(items):
    return next((x for x in items if x is default), "another default that is long")


for _ in range(2000):
    first = missing(kept)
print([sys.getrefcount(x) for x in kept] == before, sys.getrefcount(default) == count, first)
code_count = sys.getrefcount(missing.__code__.co_consts[-1])
for _ in range(2000):
    missing(kept)
print(sys.getrefcount(missing.__code__.co_consts[-1]) == code_count)

real = next


def counting(iterator, default):
    counting.n += 1
    return real(iterator, default)


counting.n = 0
for turn in range(200):
    if turn == 150:
        next = counting
    small([1, 2, 3], 2)
print(counting.n)

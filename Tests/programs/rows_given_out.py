"""Tuples that iterators give out, zip(), enumerate(), dict.items() and others: which of them are the same one again, what the
collector knows of them, when their items die, and what they are when their source changes or fails."""
from collections import deque
import gc
import itertools
import zlib

WORDS = [f"w{i}" for i in range(30)]
# Of range()'s making: the interpreter keeps what it has made of its own numbers last (Python/vm/box.c),
# and their references are counted here.
NUMBERS = list(range(1000, 1030))


class Told:
    """Tells of its end."""
    def __init__(self, name, log):
        self.name, self.log = name, log

    def __del__(self):
        self.log.append(self.name)

    def __repr__(self):
        return f"<{self.name}>"


def generator(items):
    yield from items


MAKERS = {
    "items": lambda s: iter(dict(zip(WORDS, s)).items()), "items backwards": lambda s: reversed(dict(zip(WORDS, s)).items()),
    "enumerate": enumerate, "enumerate of a tuple": lambda s: enumerate(tuple(s)), "enumerate from": lambda s: enumerate(s, 2 ** 63 - 3),
    "enumerate of a generator": lambda s: enumerate(generator(s)), "zip": lambda s: zip(NUMBERS, s), "zip of one": lambda s: zip(s),
    "zip of three": lambda s: zip(s, tuple(WORDS), NUMBERS), "zip with itself": lambda s: zip(*[iter(s)] * 2),
    "zip of a generator": lambda s: zip(generator(s), WORDS), "longest": lambda s: itertools.zip_longest(s, WORDS),
    "pairwise": itertools.pairwise, "product": lambda s: itertools.product(s[:5], repeat=2),
    "combinations": lambda s: itertools.combinations(s[:6], 2), "permutations": lambda s: itertools.permutations(s[:4], 2),
}
SOURCES = {"numbers": NUMBERS, "words": WORDS, "one": [5], "none": [], "two": [7, 8], "same": ["x"] * 20, "lists": [[i] for i in range(25)]}

print("taken in parts")
TAKERS = (list, tuple, deque, sorted, lambda it: [*it], lambda it: [x for x in it], dict.fromkeys, set, frozenset,
          lambda it: {k: v for k, *v in it}, lambda it: ([0].__iadd__(it)), lambda it: max(it, default=None), lambda it: dict(it),
          lambda it: list(map(tuple, it)), lambda it: sum(len(x) for x in it), lambda it: list(itertools.islice(it, 7)))
for name, make in MAKERS.items():
    for source, items in SOURCES.items():
        seen = []
        for used in 0, 1, 2, 19:
            for keep in 0, 1:
                for taker in TAKERS:
                    it, kept = make(list(items)), []
                    for i in range(used):
                        row = next(it, None)
                        if keep:
                            kept.append(row)
                    try:
                        got = taker(it)
                        text = str(got if not isinstance(got, (set, frozenset)) else sorted(got, key=str))
                    except (TypeError, ValueError) as e:
                        text = str(e)
                    seen.append(f"{text} {kept} {next(it, 'end')}")
        print(name, "|", source, len(seen), zlib.crc32("\n".join(seen).encode()))

print("the same one again")
for name, make in MAKERS.items():
    it = make(list(range(300, 325)))
    ids = [id(next(it, None)) for i in range(3)]                # nobody keeps them
    first, second = next(it, None), next(it, None)
    rest = list(it)
    every = [row for row in [first, second, *rest] if row is not None]
    print(name, len(set(ids)), len(set(map(id, every))) == len(every), first, second, rest[:2])
    it = make(list(range(300, 325)))
    row = next(it)
    kept = row
    del row
    rest = list(it)
    print("  kept", kept, kept not in rest, len(set(map(id, rest))) == len(rest))
    it = make(list(range(300, 325)))
    it_of_one = id(next(it))
    rest = list(it)
    print("  first is the old one", id(rest[0]) == it_of_one, [id(r) == it_of_one for r in rest].count(True))

print("known to the collector")
gc.disable()
for name, make in MAKERS.items():
    it = make([[i] for i in range(25)])
    next(it)
    rows = list(it)
    print(name, {gc.is_tracked(row) for row in rows}, end=" ")
    it = make([[i] for i in range(25)] if name != "combinations" else list(range(25)))
    next(it)
    rows = list(it)
    gc.collect()
    print({gc.is_tracked(row) for row in rows}, end=" ")
    it = make(list(range(25)))
    next(it)
    gc.collect()
    print(gc.is_tracked(next(it)))
gc.enable()

print("cycles through rows")
for name, make in MAKERS.items():
    log = []
    told = [[Told(i, log)] for i in range(25)]
    for t in told:
        t.append(told)
    rows = list(make(told))
    told.append(rows)
    del told, rows, t
    before = len(log)
    gc.collect()
    print(name, before, sorted(log) == list(range(25)))

print("when items die")
for name, make in MAKERS.items():
    log = []
    it = make([Told(f"t{i}", log) for i in range(4)])
    if name == "enumerate from":
        continue
    try:
        row = next(it)
        log.append(str(row))
        row = next(it)
        log.append(str(row))
        log.append("forgotten")
        row = None
        rows = list(it)
        log.append("rest")
        rows = None
        log.append("no rows")
        it = None
        log.append("no iterator")
    except StopIteration:
        log.append("stop")
    print(name, log)
for name, make in MAKERS.items():
    log = []
    rows = list(make([Told(f"t{i}", log) for i in range(3)] + [None, 3, "x"]))
    log.append("made")
    while rows:
        rows.pop()
        log.append(len(rows))
    print(name, log)


def dies_in_function(make, log):
    rows = list(make([Told(f"t{i}", log) for i in range(3)]))
    log.append("made")
    return len(rows)


for i in range(3):
    for name, make in MAKERS.items():
        log = []
        print(name, dies_in_function(make, log), log)


def pairs_in_function(n):
    total = 0
    for i in range(n):
        rows = list(zip(NUMBERS, WORDS))
        others = list(enumerate(rows))
        total += len(others) + len(rows)
        rows = [(a, a) for a in rows] + [(5, "x"), (None, None)] + [((1, i), [i])]
        nested = [((i, w), (w, i)) for w in WORDS]
        total += len(nested) + len(rows)
    return total


import sys
before = [sys.getrefcount(x) for x in NUMBERS + WORDS]
print(pairs_in_function(3000), [sys.getrefcount(x) for x in NUMBERS + WORDS] == before)

print("changed and failing")


def fails(n):
    for i in range(n):
        yield i
    raise KeyError(n)


def grows(d):
    for i, (k, v) in enumerate(d.items()):
        yield k, v
        if i == 3:
            d["new"] = 1


def keys_change(d):
    for i, (k, v) in enumerate(d.items()):
        yield k, v
        if i == len(d) - 1:
            del d[k]
            d["new"] = 1


def late(it, action):
    """The rest after a change."""
    next(it, None)
    action()
    return it


for taker in list, tuple, deque, dict, sorted, set, lambda it: [*it], lambda it: [x for x in it]:
    d, s = dict(zip(WORDS, NUMBERS)), list(NUMBERS)
    for it in (enumerate(fails(3)), zip(NUMBERS, fails(3)), zip(fails(3), NUMBERS), grows(dict(d)), keys_change(dict(d)),
               late(iter(d.items()), lambda: d.update(new=2)), late(zip(s, s), lambda: s.append(5)), late(enumerate(s), s.clear),
               late(zip(s, s), s.clear), zip([1, 2], [3], strict=True), zip([1], [3, 4], strict=True), zip([1], [3], strict=True),
               late(zip([1, 2, 3], [3, 4], strict=True), int), zip(), enumerate([])):
        try:
            print(type(it).__name__, sorted(taker(it), key=str))
        except (KeyError, RuntimeError, ValueError) as e:
            print(type(it).__name__, type(e).__name__, e)
        try:
            print("  then", next(it, "end"))
        except RuntimeError as e:
            print("  then", e)

print("of itself")


class Looks:
    """Looks at what its zip() has so far."""
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration
        return [r for r in gc.get_referrers(marked) if type(r) is tuple and len(r) == 2 and r[0] is marked]


marked = ["marked"]
z = zip([marked] * 5, Looks())
for a, b in z:
    print(len(b))
rows = list(zip([marked] * 5, Looks()))
print([len(b) for a, b in rows])


class Steps:
    """Takes a step of the zip() that it is part of."""
    def __init__(self, left):
        self.left = left

    def __iter__(self):
        return self

    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return next(self.zip, "end") if self.left % 2 else self.left


for n in 2, 5, 6:
    for make in (lambda s: zip(range(9), s), lambda s: zip(s, range(9)), lambda s: zip("abcdefghi", s, range(9)),
                 enumerate):
        steps = Steps(n)
        steps.zip = make(steps)
        print(list(steps.zip))

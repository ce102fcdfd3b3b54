"""Random histories of sets: their order after each step, by copies, algebra, deletions, and keys
whose comparison changes the sets; what counts keys; and how tuples compare and hash."""
import collections
import heapq
import itertools
import random

KINDS = {
    "ints": list(range(-3, 60)),
    "far ints": [i * 1021 for i in range(-20, 40)] + [1 << 61, (1 << 61) - 1, -1, -2],
    "pairs": [(i % 7, i // 7) for i in range(-20, 50)],
    "triples": [(i % 3, -i, i * 0.5) for i in range(40)],
}


def show(name, keys):
    print(name, len(keys), list(keys))


def history(kind, chance):
    pool = KINDS[kind]
    one, two = set(), frozenset()
    for step in range(150):
        some = [chance.choice(pool) for _ in range(chance.randrange(12))]
        what = chance.randrange(16)
        if what < 4:
            one.update(some)
        elif what < 6:
            for key in some:
                one.discard(key)
        elif what == 6:
            one |= set(some)
        elif what == 7:
            one -= two
        elif what == 8:
            one ^= set(some)
        elif what == 9:
            two = frozenset(one)
        elif what == 10:
            two = two | one
        elif what == 11:
            two = two - set(some[:2])
        elif what == 12:
            two = two & one
        elif what == 13:
            one = one.copy()
        elif what == 14:
            one = set(list(one))
        elif one:
            one.pop()
        if step % 10 == 0:
            show(f"{kind} {step}", one)
            show("  frozen", two)
            print("  ", one <= two, two <= one, one.isdisjoint(two), two == one,
                  [key in one for key in some], hash(two) == hash(frozenset(list(two))))


class Meddler:
    """Equal to nothing; when it is compared, the set is changed."""
    def __init__(self, number, act=None):
        self.number, self.act = number, act

    def __hash__(self):
        return self.number

    def __eq__(self, other):
        if self.act is not None:
            act, self.act = self.act, None
            act()
        return self is other

    def __repr__(self):
        return f"<{self.number}>"


def meddling():
    for operation in (set.union, set.intersection, set.difference, set.symmetric_difference,
                      set.issubset, set.isdisjoint, set.update, set.difference_update):
        for change in ("clear", "add", "none"):
            one = {Meddler(i % 5) for i in range(12)}
            numbers = set(range(5))

            def act():
                if change == "clear":
                    one.clear()
                elif change == "add":
                    one.update(range(100, 180))

            for key in one:
                key.act = act
            try:
                result = operation(one, numbers)
                result = len(result) if isinstance(result, set) else result
            except RuntimeError as error:
                result = error
            print(operation.__name__, change, result, len(one), len(numbers))


class Last:
    """What dies with a set says so, in the order of the table."""
    def __init__(self, number, log):
        self.number, self.log = number, log

    def __hash__(self):
        return self.number

    def __del__(self):
        self.log.append(self.number)


def deaths():
    for n in (3, 20, 100):
        log = []
        keys = set(range(n))
        keys.update(Last(i * 37 % 113, log) for i in range(n))
        for i in range(0, n, 3):
            keys.discard(i)
        copy = frozenset(keys)
        del keys
        print(len(log))
        del copy
        print(n, log)


class Odd(int):
    pass


def counting():
    print(collections.Counter("a man, a plan, a canal: panama"))
    print(collections.Counter("żółw ż"), collections.Counter(b"abcab"))
    print(collections.Counter((x % 5, x % 3) for x in range(40)))
    print(collections.Counter(itertools.chain([1, True, 1.0, 2], "12", [(1, 2), (True, 2.0)])))
    counts = collections.Counter({"a": 255, "b": 2.5, "c": True, "d": Odd(3), "e": (1 << 30) - 2,
                                  "f": -2, "g": -7, "h": (1 << 62)})
    kept = []
    for _ in range(4):
        counts.update("abcdefgh")
        kept.append(dict(counts))
        counts.update("abcdefgh")
        kept.append(list(counts.values()))
    for one in kept:
        print(one)
    print({key: type(value).__name__ for key, value in counts.items()})
    for bad in ([[]], [1, {}], 5):
        try:
            counts.update(bad)
        except TypeError as error:
            print(error)
    print(sorted(map(str, counts)))

    def stops():
        yield 1
        raise ValueError("in the middle")
    try:
        counts.update(stops())
    except ValueError as error:
        print(error, counts[1])

    class Changing:
        """Looks up, and counts, in the dict that counts it."""
        def __hash__(self):
            return 7

        def __eq__(self, other):
            inner.update([100])
            return self is other
    inner = collections.Counter()
    keys = [Changing() for _ in range(3)]
    inner.update(keys * 2)
    print(sorted(inner.values()), len(inner))


def told_apart(chance):
    nan = float("nan")
    items = [0, 1, 2, -1, 1 << 40, -(1 << 70), 0.0, -0.0, 1.5, nan, float("nan"), "a", "b", "",
             True, (), (1, 2), (1, 2.0), None]
    tuples = [tuple(chance.choice(items) for _ in range(chance.randrange(4))) for _ in range(90)]
    counts = collections.Counter()
    for a, b in itertools.product(tuples, repeat=2):
        told = [a == b, a != b]
        for ask in (lambda: a < b, lambda: a <= b, lambda: a > b, lambda: a >= b):
            try:
                told.append(ask())
            except TypeError as error:
                told.append(str(error))
        counts[tuple(told)] += 1
    for told, n in sorted(counts.items(), key=str):
        print(n, told)
    print([hash(one) for one in tuples if not any(x is None or x != x or isinstance(x, str)
                                                  for x in one)])


def heaps(chance):
    for make in (lambda i: (chance.randrange(20), i), lambda i: (chance.random(), i),
                 lambda i: (chance.randrange(5) * 0.5, str(i)), lambda i: ((i % 3, i % 2), -i)):
        heap = []
        for i in range(60):
            heapq.heappush(heap, make(i))
        first = [heapq.heappop(heap) for _ in range(20)]
        heapq.heapify(heap)
        print(first, heap[:5], heapq.nsmallest(3, heap), sorted(heap) == heapq.nsmallest(99, heap))


CHANCE = random.Random(5)
for kind in KINDS:
    for _ in range(3):
        history(kind, CHANCE)
meddling()
deaths()
counting()
told_apart(CHANCE)
heaps(CHANCE)

"""What sorting compares, and in which order: programs with a __lt__ of their own can tell."""
import random


class Key:
    log = []

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        Key.log.append((self.value, other.value))
        return self.value < other.value


def shapes(n, rng):
    up = list(range(n))
    yield "random", rng.sample(up, n)
    yield "few values", [rng.randrange(4) for _ in up]
    yield "sorted, two changes", up[:n // 3] + [rng.randrange(n)] + up[n // 3:] + [rng.randrange(n)]
    yield "two runs", up[::2] + up[1::2]
    yield "low after high", up[n // 4:] + up[:n // 4]
    yield "teeth", [i * 7 % max(1, n // 5) for i in up]
    yield "down", up[::-1]
    yield "runs of many lengths", [x for k in range(1, 24) for x in range(rng.randrange(n), rng.randrange(n), k % 3 * 2 - 1 or 1)]
    yield "blocks", [x for k in (3, 0, 2, 1) for x in range(k * n, k * n + n // 2 + 20 * k)]
    yield "one in front", [n // 2] + up
    yield "lengths that grow", [x for k in range(9) for x in range(k, k + (n >> 8 - k) + 70 * (k % 3))]
    yield "a long run last", [-v for v in range(70)][::-1] + [v * 5 for v in range(80)] + [v * 3 for v in up] * 2
    yield "zipper, then tail", [v for pair in zip(up, up[::-1]) for v in pair] + up


def digest(pairs):
    h = 0
    for a, b in pairs:
        h = (h * 1000003 + a * 1009 + b) % (1 << 61)
    return h


rng = random.Random(311)
for n in (2, 3, 31, 32, 63, 64, 65, 66, 100, 127, 128, 129, 200, 257, 600, 1500):
    for name, values in shapes(n, rng):
        Key.log.clear()
        keys = [Key(v) for v in values]
        result = sorted(keys)
        ok = [k.value for k in result] == sorted(values)
        print(n, name, len(values), len(Key.log), digest(Key.log), ok)
        Key.log.clear()
        keys.sort(key=lambda k: k, reverse=True)
        print("    reversed", len(Key.log), digest(Key.log))


for i in range(60):
    values = []
    for _ in range(rng.randrange(2, 40)):
        start, length, step = rng.randrange(1000), rng.choice((1, 5, 20, 70, 150, 400)), rng.choice((1, -1, 0, 3))
        values += [start + step * j for j in range(length)]
    Key.log.clear()
    [Key(v) for v in values[:2500]].sort()
    print(i, len(values), len(Key.log), digest(Key.log))


class Liar(Key):
    """An order that is none: whatever happens, no element is lost."""

    def __lt__(self, other):
        Key.log.append((self.value, other.value))
        return hash((self.value, other.value)) % 3 == 0


for n in (40, 90, 200, 900):
    keys = [Liar(v) for v in rng.sample(range(n), n)]
    Key.log.clear()
    result = sorted(keys)
    print(n, len(Key.log), digest(Key.log), sorted(k.value for k in result) == list(range(n)))


class Fails(Key):
    left = 0

    def __lt__(self, other):
        Fails.left -= 1
        if not Fails.left:
            raise RuntimeError(f"{self.value} < {other.value}")
        return self.value < other.value


for n in (30, 150, 400):
    values = [v * 7 % n // 3 for v in range(n)]
    for Fails.left in range(1, n * 9, 37):
        keys = [Fails(v) for v in values]
        try:
            keys.sort()
        except RuntimeError as e:
            print(e, [k.value for k in keys][::11], len({id(k) for k in keys}) == n)

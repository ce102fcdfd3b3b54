"""Arithmetic of ints around the widths at which an implementation may change its way,
and membership in sets whose keys collide."""
import random

random.seed(5)
EDGES = 29, 30, 31, 59, 60, 61, 62, 63, 64, 65, 89, 90, 119, 120, 121, 126, 127, 128, 150
values = [0, 1, -1, 10, -7]
for bits in EDGES:
    for value in (1 << bits) - 1, 1 << bits, (1 << bits) + 1:
        values += value, -value
values += [random.getrandbits(random.randrange(1, 200)) * random.choice((1, -1))
           for _ in range(30)]


def results(a, b):
    yield from (a + b, a - b, a * b, a & b, a | b, a ^ b)
    if b:
        yield from (a // b, a % b)
    if 0 <= b < 200:
        yield from (a << b, a >> b)
    c = a
    c += b
    c *= b
    c ^= a
    c -= b
    c |= a
    c &= b
    yield c
    yield from (a + 7, a - 7, a * 9, a // 9, a % 9, a & 12345, a << 3, a >> 5)
    yield (a + b) * (a - b) ^ a & b


check = 0
for a in values:
    for b in values:
        for c in results(a, b):
            text = str(c)
            assert type(c) is int and c == int(text) and hash(c) == hash(int(text)), (a, b, c)
            check = (check * 31 + c) % (10**30 + 57)
    print(a, check)

keys = {1, 2, "a", (1,), 2**61, -1, "zz", 9, 17, 25}
tried = 1, 2, 3, 9, "a", "b", (1,), (2,), 2**61, 1.0, True, -1, -2, "z" * 2, 2**64, 33
print([k in keys for k in tried])
print([k not in frozenset(keys) for k in tried])
keys.discard(9)
keys.discard("a")
print([k in keys for k in tried])


class Same(str):
    __hash__ = str.__hash__

    def __eq__(self, other):
        print("asked")
        return True


print("zz" in {Same("zz")}, [t for t in ("zz", "y") if t in {"y"}])

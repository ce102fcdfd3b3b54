"""sum() of ranges: as many ints as there are, of any size, and what it is where they are not ints of a machine word."""
import random

random.seed(7)
LIMIT = 2 ** 63
FEW = [0, 1, 2, 3, 4, 5, 7, 100, -1, -2, -5, -100, 255, 256, 257]
FAR = [LIMIT - 1, LIMIT, LIMIT + 1, -LIMIT, -LIMIT - 1, -LIMIT + 1, 2 ** 62, -2 ** 62, 2 ** 64, 2 ** 31, 2 ** 30 - 1, 2 ** 30, 2 ** 70, -2 ** 70]


def by_hand(r):
    """Of an arithmetic series."""
    n = max(0, (r.stop - r.start + r.step - (1 if r.step > 0 else -1)) // r.step)
    return n * r.start + r.step * (n * (n - 1) // 2)


for start in FEW:
    for stop in FEW:
        for step in FEW[1:]:
            r = range(start, stop, step)
            if not sum(r) == sum(list(r)) == by_hand(r) == sum(iter(r)) or type(sum(r)) is not int:
                print("wrong", r, sum(r))
for far in FAR:
    for length in 0, 1, 2, 50:
        for step in 1, -1, 3, -7, 2 ** 31, 2 ** 40, -2 ** 57, 2 ** 62, -2 ** 63, 2 ** 66:
            for start in far, far - step * length, far - step * (length // 2):
                r = range(start, start + step * length, step)
                if not sum(r) == by_hand(r) == sum(list(r)):
                    print("wrong", r, sum(r), by_hand(r))
                print(length, sum(r) % 1000003, end=" ")
    print()
for i in range(300):
    start, step = (random.choice([-1, 1]) * random.getrandbits(random.randrange(1, 66)) for i in range(2))
    r = range(start, start + (step or 1) * random.randrange(60), step or 1)
    print(sum(r) == by_hand(r) == sum(tuple(r)), sum(r))
print([sum(range(n)) for n in range(12)], sum(range(10), 5), sum(range(3), 0.5), sum(range(0, 10, 3), start=-1), sum(range(True)))
print(sum(reversed(range(9))), sum(range(9)[::2]), sum(range(10 ** 5)), sum(range(-10 ** 5, 10 ** 5)), sum(range(5)) is sum(range(5)))


class Index:
    def __index__(self):
        return 6


print(sum(range(Index())), sum(range(True, 5)), type(sum(range(True, 2))), type(sum(range(0))))
try:
    print(sum(range(3), "x"))
except TypeError as e:
    print(e)

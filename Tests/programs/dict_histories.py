"""Random histories of dicts: what is entered, deleted at either end or in between, moved
and copied, with keys of each kind and keys that collide. All of it must be found."""
import collections
import random
import zlib


class Key:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return self.value & 7

    def __eq__(self, other):
        return isinstance(other, Key) and self.value == other.value

    def __repr__(self):
        return f"Key({self.value})"


POOLS = [
    [f"k{i}" for i in range(40)],
    list(range(40)),
    [Key(i) for i in range(40)],
    [i * 64 for i in range(40)] + [f"s{i}" for i in range(20)],
]


def history(cls, pool, random):
    seen, d = [], cls()
    for step in range(2500):
        what, key = random.random(), random.choice(pool)
        if what < 0.45:
            d[key] = step
        elif what < 0.7:
            d.pop(key, None)
        elif what < 0.8:
            if d:
                del d[next(reversed(d))]
        elif what < 0.85:
            if d:
                seen.append(d.popitem())
        elif what < 0.87:
            d = d.copy()
        elif cls is not dict and what < 0.95 and d:
            d.move_to_end(random.choice(list(d)), last=random.random() < 0.4)
        elif what < 0.96:
            d.setdefault(key, step)
        else:
            seen.append((key in d, d.get(key), len(d)))
        if step % 50 == 0:
            seen.append(list(d.items()))
            present = list(d)
            for other in pool:
                assert (other in d) == (other in present), (step, other)
    return zlib.crc32(repr(seen).encode())


for seed in range(4):
    for pool in POOLS:
        for cls in dict, collections.OrderedDict:
            print(seed, cls.__name__, history(cls, pool, random.Random(seed)))

for d in {0: 0}, {"a": 0}:
    try:
        for key in d:
            del d[key]
            d[key] = 0
    except RuntimeError as e:
        print(e)

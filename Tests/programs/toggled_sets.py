"""Symmetric differences: which keys are compared, how often, and the order of what is left."""
import random

log = []


class Key:
    def __init__(self, name, hashed):
        self.name, self.hashed = name, hashed

    def __hash__(self):
        return self.hashed

    def __eq__(self, other):
        log.append((self.name, getattr(other, "name", other)))
        return self.name == getattr(other, "name", None)

    def __repr__(self):
        return f"Key({self.name})"


class Changes(Key):
    """Empties or fills a set when it is compared."""
    def __eq__(self, other):
        change, *sets = self.name
        for each in sets:
            getattr(each, change)(*[range(20, 100)][:change == "update"])
        return False

    __hash__ = Key.__hash__


random.seed(39)
for i in range(400):
    a, b = set(), set()
    for s in a, b:
        for _ in range(random.randrange(60)):
            x = random.randrange(30)
            s.add(random.choice([x, float(x), (x,), Key(x, x % 7), Key(x, x), True, -1, -2]))
        for _ in range(random.randrange(6)):
            s.discard(random.randrange(30))
    del log[:]
    print(a ^ b, len(log))
    c = set(a)
    c ^= b
    c.symmetric_difference_update(dict.fromkeys(a))
    print(c, frozenset(a).symmetric_difference(list(b)), a ^ a, log)

for change in "clear", "update":
    for which in 0, 1, 2:
        a, b = {1, 2, 3, 99}, {3, 4, 5}
        a.add(Changes((change, *[(a,), (b,), (a, b)][which]), 7))
        b.add(Key("other", 7))
        for toggled, other in (a, b), (b, a):
            try:
                toggled ^= other
            except RuntimeError as e:
                print(e)
            print(len(toggled), len(other), change, which)

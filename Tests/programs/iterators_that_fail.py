"""What dicts and sets make of iterators that end with StopIteration, raise, or give odd items."""


class Ended:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n == 3:
            raise StopIteration
        return (self.n, self.n)


class Pair(tuple):
    def __iter__(self):
        return iter([8, 9])


class Told(dict):
    def __setitem__(self, key, value):
        print("set", key)
        dict.__setitem__(self, key, value)


def given(how):
    yield (1, 2)
    if how == "raises":
        raise ValueError("x")
    if how == "stops":
        raise StopIteration
    yield from {"three": [(1, 2, 3)], "int": [5], "unhashable": [([], 2)], "list": [[4, 5]],
                "text": ["ab"], "plain": []}[how]


def kept(f):
    def use(iterable):
        container = {0} if f is not dict.update else {0: 0}
        f(container, iterable)
        return container
    return use


USERS = [dict, Told, dict.fromkeys, Told.fromkeys, set, frozenset, kept(dict.update),
         kept(set.update), kept(set.difference_update)]
for how in "raises", "stops", "three", "int", "unhashable", "list", "text", "plain":
    for number, user in enumerate(USERS):
        try:
            print(how, number, sorted(user(given(how)), key=repr))
        except Exception as e:
            print(how, number, type(e).__name__, e)
print(dict(Ended()), sorted(set(Ended())), dict.fromkeys(Ended()), dict([Pair((1, 2))]),
      dict([[1, 2], (3, 4)]))

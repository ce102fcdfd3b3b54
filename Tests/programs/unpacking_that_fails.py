"""Items of an unpacking that fails die from the last to the first."""


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print(self.name, "dies")


def three():
    yield Noisy(1)
    yield Noisy(2)
    yield Noisy(3)


def raising():
    yield from three()
    raise KeyError("k")


def two(source):
    a, b = source


def five(source):
    a, b, c, d, e = source


def at_least_four(source):
    a, b, *c, d, e = source


def at_least_two(source):
    a, *b, c = source


for source in three, raising:
    for unpack in two, five, at_least_four, at_least_two:
        try:
            unpack(source())
        except (ValueError, KeyError) as e:
            print(unpack.__name__, e)

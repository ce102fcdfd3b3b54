"""Trace and profile functions that are installed while code runs that has been compiled: from
functions that are built into their callers, operators, destructors, key functions, iterators. From
there on each event is told, and none any more once the function has gone."""
import sys

FROM = 3000
told = []


def hear(frame, event, arg):
    if frame.f_code.co_filename == __file__:
        line = frame.f_lineno - frame.f_code.co_firstlineno
        told.append(f"{event} {frame.f_code.co_name} {line}")
    return hear


def switch_on(how, depth):
    """Also for the frames that run already, `depth` of them."""
    if how == "profile":
        sys.setprofile(hear)
        return
    frame = sys._getframe(1)
    for _ in range(depth):
        if frame is None or frame.f_code.co_filename != __file__:
            break
        frame.f_trace = hear
        frame = frame.f_back
    sys.settrace(hear)


def switch_off():
    sys.settrace(None)
    sys.setprofile(None)


def tick(i, how, depth):
    if i == FROM:
        switch_on(how, depth)
    if i == FROM + 3:
        switch_off()
    return i & 3


def twice(i, how, depth):
    x = tick(i, how, depth)
    return x + x


class Number:
    def __init__(self, i, how, depth):
        self.i = i
        self.how, self.depth = how, depth

    def __add__(self, other):
        return tick(self.i, self.how, self.depth) + other

    def __len__(self):
        return tick(self.i, self.how, self.depth)

    def __eq__(self, other):
        return tick(self.i, self.how, self.depth) == other

    @property
    def value(self):
        return tick(self.i, self.how, self.depth)

    def __getitem__(self, at):
        return tick(self.i, self.how, self.depth) + at

    def __iter__(self):
        yield tick(self.i, self.how, self.depth)
        yield 1


class Dying:
    def __init__(self, i, how, depth):
        self.args = i, how, depth

    def __del__(self):
        tick(*self.args)


class Manager:
    def __init__(self, *args):
        self.args = args

    def __enter__(self):
        return tick(*self.args)

    def __exit__(self, *exc):
        return True


def in_loop(how, depth):
    total = 0
    for i in range(FROM + 6):
        if i == FROM:
            switch_on(how, depth)
        total += i
        if i == FROM + 3: switch_off()
    return total


def in_while(how, depth):
    i = total = 0
    while i < FROM + 6:
        total += tick(i, how, depth) * 2
        i += 1
    return total


def inlined_twice(how, depth):
    total = 0
    for i in range(FROM + 6):
        total += twice(i, how, depth)
        total -= 1
    return total


def by_operators(how, depth):
    total = 0
    for i in range(FROM + 6):
        number = Number(i, how, depth)
        total += number + 1
        total -= i
    return total


def by_slots(how, depth):
    total = 0
    for i in range(FROM + 6):
        number = Number(i, how, depth)
        if len(number) > 1:
            total += 1
        if number == 2:
            total += 3
    return total


def by_property(how, depth):
    total = 0
    for i in range(FROM + 6):
        number = Number(i, how, depth)
        total += number.value
        total += 1
    return total


def by_items(how, depth):
    total = 0
    for i in range(FROM + 6):
        total += Number(i, how, depth)[4]
        total += 1
    return total


def by_generators(how, depth):
    total = 0
    for i in range(FROM + 6):
        for x in Number(i, how, depth):
            total += x
        total += 1
    return total


def by_destructors(how, depth):
    total = 0
    for i in range(FROM + 6):
        dying = Dying(i, how, depth)
        total += 1
    return total


def by_key_functions(how, depth):
    total = 0
    for i in range(FROM + 6):
        items = sorted([i, i], key=lambda x: tick(x, how, depth))
        total += items[0]
    return total


def by_comprehensions(how, depth):
    return sum([tick(i, how, depth)
                for i in range(FROM + 6)
                if i])


def by_managers(how, depth):
    total = 0
    for i in range(FROM + 6):
        with Manager(i, how, depth) as x:
            total += x
            if i & 1:
                raise KeyError
    return total


def by_handlers(how, depth):
    total = 0
    for i in range(FROM + 6):
        try:
            if i & 1:
                raise ValueError(i)
            total += tick(i, how, depth)
        except ValueError as e:
            total += tick(e.args[0], how, depth)
        finally:
            total += 1
    return total


def recursive(n, how, depth):
    if n == 0:
        return tick(FROM, how, depth)
    return recursive(n - 1, how, depth) + 1


def by_recursion(how, depth):
    total = 0
    for i in range(300):
        total += recursive(5, how, 0) if i < 0 else recursive_quiet(5)
    total += recursive(5, how, depth)
    switch_off()
    return total


def recursive_quiet(n):
    return n if n == 0 else recursive_quiet(n - 1) + 1


WAYS = [in_loop, in_while, inlined_twice, by_operators, by_slots, by_property, by_items,
        by_generators, by_destructors, by_key_functions, by_comprehensions, by_managers,
        by_handlers, by_recursion]
for way in WAYS:
    for how in "trace", "profile":
        for depth in 1, 2, 9:
            # The second time, all of it has been compiled.
            for again in range(2):
                told.clear()
                result = way(how, depth)
                switch_off()
                print(way.__name__, how, depth, result, *told, sep="\n    ")

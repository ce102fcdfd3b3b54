"""What dies with a frame's variables does not see that frame: the caller of a destructor is the
caller of the function that returns, for f_back, tracebacks, warnings and tracemalloc."""
import contextlib
import io
import sys
import tracemalloc
import traceback
import warnings
import weakref

seen = []


def callers(frame, n=3):
    found = []
    while frame is not None and len(found) < n:
        found.append((frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    return found


class Dies:
    def __del__(self):
        seen.append(callers(sys._getframe().f_back))


class Warns:
    def __del__(self):
        warnings.warn("dies", ResourceWarning, stacklevel=2)


class Stack:
    def __del__(self):
        seen.append([(f.name, f.lineno) for f in traceback.extract_stack()[-3:]])


class Deep:
    """Its destructor calls a function whose own variable dies."""
    def __del__(self):
        self.inner()

    def inner(self):
        other = Dies()
        return other.__class__.__name__


class Raises:
    def __del__(self):
        raise ValueError("in a destructor")


class Current:
    def __del__(self):
        seen.append(callers(sys._current_frames()[__import__("threading").get_ident()]))


class Globals:
    """Frames are also where C functions look."""
    def __init__(self):
        self.names = weakref.WeakKeyDictionary()

    def __del__(self):
        seen.append((sorted(locals()), globals()["__name__"]))


def plain(kind):
    variable = kind()
    return 1


def nothing(kind):
    variable = kind()


def two(kind):
    first = kind()
    second = kind()
    return [first][0] is second


def argument(value):
    return value is None


def keywords(*, value=None, **more):
    return len(more)


def cells(kind):
    variable = kind()

    def inner():
        return variable
    return inner is None


def raises(kind):
    variable = kind()
    raise KeyError("raised")


def generator(kind):
    variable = kind()
    yield 1
    yield 2


def returns_itself(kind):
    variable = kind()
    other = variable
    return other


def reassigned(kind):
    variable = kind()
    variable = 1            # here the frame stays
    return variable


class Instance:
    def __init__(self, kind):
        variable = kind()

    def method(self, kind):
        variable = kind()
        return self

    @property
    def attribute(self):
        variable = Dies()
        return 1

    def __add__(self, other):
        variable = other()
        return 1

    def __eq__(self, other):
        variable = other()
        return True

    def __bool__(self):
        variable = Dies()
        return True


async def coroutine(kind):
    variable = kind()
    return 1


async def awaits(kind):
    variable = kind()
    return await coroutine(kind)


def call(small, kind):
    return small(kind)


def in_comprehension(kind):
    return [x for x in [plain(kind)] for y in [kind()] if y]


def sorts(kind):
    def key(x):
        variable = kind()
        return x
    return sorted([2, 1], key=key)


def round_(kind):
    plain(kind)
    nothing(kind)
    two(kind)
    argument(kind())
    argument(value=kind())
    keywords(value=kind(), other=kind())
    cells(kind)
    try:
        raises(kind)
    except KeyError:
        pass
    for _ in generator(kind):
        pass
    list(generator(kind))
    suspended = generator(kind)
    next(suspended)
    suspended.close()
    suspended = generator(kind)
    next(suspended)
    del suspended
    returns_itself(kind)
    reassigned(kind)
    instance = Instance(kind)
    instance.method(kind).method(kind)
    instance.attribute
    instance + kind
    instance == kind
    if instance:
        pass
    try:
        awaits(kind).send(None)
    except StopIteration:
        pass
    call(plain, kind)
    call(lambda kind: [kind()] and None, kind)
    in_comprehension(kind)
    sorts(kind)
    any(plain(kind) for _ in [1])
    exec("variable = kind()\n", {"kind": kind})
    exec("class Body:\n    def method(kind):\n        v = kind()\n    method(kind)", {"kind": kind})


def run(kind, rounds):
    del seen[:]
    for _ in range(rounds):
        before = len(seen)
        round_(kind)
        assert len(seen) - before == len(seen) // (_ + 1), "not the same in each round"
    first = len(seen) // rounds
    for line in seen[-first:] if first else ():
        print(kind.__name__, line)
    alike = {tuple(map(str, seen[i::first])) for i in range(first)} if first else ()
    print(kind.__name__, first, all(len(set(each)) == 1 for each in alike))


run(Dies, 60)
run(Stack, 3)
run(Deep, 20)
run(Current, 20)
run(Globals, 20)

warnings.simplefilter("always")
for _ in range(40):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        round_(Warns)
print([(warning.lineno, str(warning.message)) for warning in caught])

for _ in range(2):
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        round_(Raises)
print(errors.getvalue().count("in a destructor"))

# Memory that a destructor allocates.
kept = []


class Allocates:
    def __del__(self):
        kept.append(bytearray(1000))


tracemalloc.start(3)
for _ in range(3):
    del kept[:]
    round_(Allocates)
    lines = [[frame.lineno for frame in tracemalloc.get_object_traceback(x)] for x in kept]
tracemalloc.stop()
print(lines)

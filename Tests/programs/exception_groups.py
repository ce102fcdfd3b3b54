"""ExceptionGroup: split, subgroup, derive, nesting, except* and tracebacks."""


def raiser(e):
    raise e


eg = ExceptionGroup("top", [ValueError(1), TypeError("t"), ExceptionGroup("in", [ValueError(2), KeyError("k")])])
print(repr(eg), str(eg), eg.message, len(eg.exceptions))
m, r = eg.split(ValueError)
print(repr(m), repr(r))
print(repr(eg.subgroup(lambda e: isinstance(e, (KeyError, TypeError)))))
print(eg.split(OSError), eg.subgroup(OSError))


class MyGroup(ExceptionGroup):
    def derive(self, excs):
        return MyGroup(self.message + "!", excs)


for bad in (lambda: ExceptionGroup("a", []), lambda: ExceptionGroup("a", [1]), lambda: ExceptionGroup(1, [ValueError()]),
            lambda: ExceptionGroup("a"), lambda: ExceptionGroup("a", ValueError()), lambda: ExceptionGroup("x", [KeyboardInterrupt()]),
            lambda: eg.split(1), lambda: BaseExceptionGroup("b", [ValueError()]), lambda: BaseExceptionGroup("b", [SystemExit(2)])):
    try:
        print(repr(bad()))
    except Exception as e:
        print(type(e).__name__, e)


def handle(g):
    try:
        raise g
    except* ValueError as e:
        print("V", repr(e))
    except* (KeyError, OSError) as e:
        print("K", repr(e))
    else:
        print("none")
    finally:
        print("fin")


for g in (ValueError("naked"), MyGroup("m", [ValueError(3), KeyError(4)]), eg):
    try:
        handle(g)
    except BaseException as e:
        print("left", repr(e))


def reraise():
    try:
        raise ExceptionGroup("g", [ValueError("v"), TypeError("t"), OSError("o")])
    except* ValueError:
        raise
    except* TypeError as e:
        raise RuntimeError("new") from e


try:
    reraise()
except ExceptionGroup as e:
    print(repr(e), [repr(x.__cause__) for x in e.exceptions])
try:
    try:
        raise ValueError(1)
    except* ExceptionGroup:
        pass
except TypeError as e:
    print(e)
for i in range(3):
    try:
        raise ExceptionGroup("loop", [ValueError(i)])
    except* ValueError as e:
        if i == 1:
            print("one")


def collect(fs):
    errs = []
    for f in fs:
        try:
            f()
        except Exception as e:
            e.add_note(f"while running {f.__name__}")
            errs.append(e)
    if errs:
        raise ExceptionGroup("collected", errs)


def one():
    {}["missing"]


def two():
    int("x")


def three():
    try:
        one()
    except KeyError as e:
        raise LookupError("three failed") from e


def four():
    collect([one, two])


try:
    collect([one, two, three, four])
except* KeyError as e:
    print(len(e.exceptions))
    e.add_note("group note\nsecond line")
    raise

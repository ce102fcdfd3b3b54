"""How much of the recursion limit isinstance() and issubclass() need with tuples, unions and
metaclasses: a tuple counts as a call, however plain its classes are."""
import collections
import sys
import types


class Meta(type):
    pass


class M(metaclass=Meta):
    pass


TESTS = {
    "a class": lambda n: isinstance(n, str),
    "a tuple": lambda n: isinstance(n, (str, int)),
    "a tuple of others": lambda n: isinstance(n, (str, bytes)),
    "a tuple in a tuple": lambda n: isinstance(n, ((int,), str)),
    "a tuple behind a class": lambda n: isinstance(n, (str, (int, bytes))),
    "three tuples": lambda n: isinstance(n, ((((str,),),), int)),
    "a union": lambda n: isinstance(n, int | str),
    "a metaclass": lambda n: isinstance(n, M),
    "a metaclass in a tuple": lambda n: isinstance(n, (str, M)),
    "issubclass()": lambda n: issubclass(int, (str, int)),
    "issubclass() of tuples": lambda n: issubclass(int, ((str,), (int,))),
}


def outcome(test, n):
    try:
        return deeper(test, n)
    except RecursionError as e:
        return str(e)


def deeper(test, n):
    return test(n) if n == 0 else deeper(test, n - 1)


usual = sys.getrecursionlimit()
for what, test in TESTS.items():
    seen = collections.Counter()
    for _ in range(9):
        # Instructions that have not learnt yet call in another way, and code that was compiled
        # before it has (SPRINGBOARD_JIT=stress) goes on to do so: most copies are not.
        copy = types.FunctionType(test.__code__.replace(), globals())
        for _ in range(30):
            copy(1)
        sys.setrecursionlimit(60)
        outcomes = [outcome(copy, n) for n in range(48, 58)]
        sys.setrecursionlimit(usual)
        seen[tuple(outcomes)] += 1
    print(what, *seen.most_common(1)[0][0], sep="; ")

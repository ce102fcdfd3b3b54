"""How much of the recursion limit isinstance() and issubclass() need with tuples, unions and
metaclasses: a tuple counts as a call, however plain its classes are."""
import sys


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
    for _ in range(30):         # instructions that have not learnt yet call in another way
        sys.setrecursionlimit(60)
        outcomes = [outcome(test, n) for n in range(48, 58)]
        sys.setrecursionlimit(usual)
    print(what, outcomes)

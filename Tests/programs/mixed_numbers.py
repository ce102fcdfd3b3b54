"""Ints and floats that take turns: in arithmetic, comparisons, and to the right of operators of
Python's, with ints that no double is equal to, bools, and what is no number."""
import random

NUMBERS = [1, 2, 3, 0, -4, .5, 2.5, 3.0, -1.25, -0.0, 1 << 54, (1 << 53) + 1, 1 << 53, -(1 << 53),
           -(1 << 53) - 1, 2.0 ** 53, 2.0 ** 53 + 2, float("inf"), float("nan"), 1 << 61, 1 << 70,
           True]


def compare(x, y):
    return x < y, x <= y, x == y, x != y, x > y, x >= y


def branch(x, y):
    n = 0
    if x > y:
        n += 1
    if x <= 0:
        n += 2
    if 0.5 < x:
        n += 4
    if not x >= y:
        n += 8
    if x == 3:
        n += 16
    return n


def arithmetic(x, y):
    try:
        return x + y, x - y, x * y, y + x * y - x
    except OverflowError as error:
        return str(error)


def divide(x, y):
    try:
        return x / y, x // y, x % y
    except ArithmeticError as error:
        return type(error).__name__


def order(x, y):
    return x == y, x < y


class Vector:
    __slots__ = "x", "y"

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        if isinstance(k, str):
            return NotImplemented
        return Vector(self.x * k, self.y * k)

    def __lt__(self, k):
        return self.x < k

    def __repr__(self):
        return f"<{self.x!r} {self.y!r}>"


class Loud(float):
    def __rmul__(self, other):
        return "loud"


def vectors(numbers):
    total, less = Vector(0, 0), 0
    for k in numbers:
        v = Vector(k, 2) * 3 * k
        total = total + v
        if v < k:
            less += 1
    return total, less


def scaled(v, k):
    try:
        return v * k
    except TypeError as error:
        return str(error)


def main():
    chosen = random.Random(5)
    for _ in range(3000):
        order(chosen.choice([1, 2, .5, 2.0]), chosen.choice([1, 2, 1.5, 2.0]))
    for x in (1 << 53) + 1, -(1 << 53) - 1, (1 << 60) - 1:
        print(order(x, float(x)), order(float(x), x), order(x, x - 1), order(x - 1, float(x)))
    for function in compare, branch, arithmetic, divide:
        # First floats only, then what comes.
        for numbers in [.5, 1.5, -2.25, 8.0], NUMBERS[:-3], NUMBERS:
            results = []
            for _ in range(1500):
                results.append(function(chosen.choice(numbers), chosen.choice(numbers)))
            print(function.__name__, len(str(results)), results[-40:])
    for numbers in [.5, 1.25] * 300, [1, 2] * 300, NUMBERS[:10] * 60, [1, .5, 3, True] * 200:
        print(vectors(numbers))
    v = Vector(1, 2.0)
    for k in [1.5] * 300 + [2] * 300 + [2, 2.5] * 200 + [True, 1 << 80, "x", None, Loud(2), v]:
        last = scaled(v, k)
        if k not in (1.5, 2, 2.5) or k is True:
            print(last)


main()

"""What a finalizer sees in the variable that is being assigned, when an operand of the expression
dies: what was there before. In machine code too, which may be left behind it."""
import sys

seen = set()


class Dying:
    def __init__(self, value):
        self.value = value
        self.items = [value]
        self.half = value / 2

    def __del__(self):
        frame = sys._getframe(1)
        seen.add((frame.f_lineno - frame.f_code.co_firstlineno, repr(frame.f_locals.get("x"))))
        if traced:
            sys.settrace(trace)
            frame.f_trace = trace

    def __eq__(self, other):
        return self.value == other

    def __hash__(self):
        return hash(self.value)

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return i

    def __add__(self, other):
        return 5

    def __neg__(self):
        return 5

    @property
    def text(self):
        return "text"

    def method(self):
        return [4]


def trace(frame, event, arg):
    if frame.f_code.co_name == "f":
        seen.add((event, frame.f_lineno - frame.f_code.co_firstlineno,
                  repr(frame.f_locals.get("x"))))
        if frame.f_lineno - frame.f_code.co_firstlineno == 7:
            sys.settrace(None)
            return None
    return trace


EXPRESSIONS = """Dying(1).value
Dying(1).half
Dying(1).half + Dying(2).half
Dying(1).items
Dying(1).items[0]
Dying(1).text
Dying(1).method()
Dying(1)[0]
Dying(1) is None
Dying(1) is not y
not Dying(1)
len(Dying(1))
isinstance(Dying(1), Dying)
[Dying(1)][0].value
[Dying(1), y][1]
(Dying(1), y)[1]
{1: Dying(1), 2: y}[2]
Dying(1) + 1
-Dying(1)
Dying(1) == 1
(Dying(1), 2) in pairs
(Dying(1), 2) == (Dying(1), 2)
len([Dying(1)])
len((Dying(1), Dying(2)))
[Dying(1)] + [y]
f'{Dying(1).value}'
Dying(1).value + Dying(2).value
[1, 2][Dying(0).value]
'abc'[Dying(1).value]
str(Dying(1).value)
abs(Dying(1).half)""".splitlines()
SOURCE = """
def f(y, pairs, rounds):
    x = old
    for i in range(rounds):
        x = {0}
        x = old
    for i in range(1):
        done = x
    done = i
    return x
"""
for expression in EXPRESSIONS:
    for old in 77, 1.5, "before", [1]:
        names = {}
        exec(SOURCE.format(expression), globals(), names)
        traced = False
        for rounds in 1, 2, 300, 2000:
            names["f"](1, {(1, 2)}, rounds)
        # A call with several operands that may die is seen from its end on: not tested here.
        traced = not expression.startswith(("isinstance", "len([", "len(("))
        names["f"](2.5, {(1, 2)}, 1)
        names["f"]("y", {(1, 2)}, 1)
        sys.settrace(None)
        print(expression, old, sorted(map(repr, seen)))
        seen.clear()

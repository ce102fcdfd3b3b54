"""Which operations on a deque count as a change for an iterator that has begun before them."""
from collections import deque

OPERATIONS = {
    "extend": lambda d: d.extend([7, 8]),
    "extend by nothing": lambda d: d.extend([]),
    "extendleft": lambda d: d.extendleft([7, 8]),
    "append": lambda d: d.append(7),
    "appendleft": lambda d: d.appendleft(7),
    "+=": lambda d: d.__iadd__([7]),
    "*= 0": lambda d: d.__imul__(0),
    "*= 1": lambda d: d.__imul__(1),
    "*= 2": lambda d: d.__imul__(2),
    "clear": lambda d: d.clear(),
    "rotate 0": lambda d: d.rotate(0),
    "rotate 1": lambda d: d.rotate(1),
    "rotate -3": lambda d: d.rotate(-3),
    "rotate all": lambda d: d.rotate(len(d)),
    "reverse": lambda d: d.reverse(),
    "insert": lambda d: d.insert(1, 7),
    "pop": lambda d: d.pop(),
    "popleft": lambda d: d.popleft(),
    "remove": lambda d: d.remove(2),
    "remove what is not there": lambda d: d.remove(99),
    "set item": lambda d: d.__setitem__(0, 5),
    "delete item": lambda d: d.__delitem__(0),
    "init": lambda d: d.__init__([3, 4], d.maxlen),
    "init with nothing": lambda d: d.__init__(),
    "copy": lambda d: d.copy(),
}


def after(items, maxlen, operation, reverse):
    d = deque(items, maxlen)
    iterator = reversed(d) if reverse else iter(d)
    try:
        operation(d)
        said = ""
    except Exception as e:
        said = f"{type(e).__name__}: {e}; "
    try:
        return f"{said}{next(iterator)} {d}"
    except StopIteration:
        return f"{said}stops {d}"
    except RuntimeError as e:
        return f"{said}{e} {d}"


for name, operation in OPERATIONS.items():
    for items in (), (1,), (1, 2, 3):
        for maxlen in None, 0, 1, 3, 5:
            for reverse in False, True:
                print(name, items, maxlen, reverse, after(items, maxlen, operation, reverse))

count = iter(range(1000))
print(deque(count, 0), next(count, "used up"))

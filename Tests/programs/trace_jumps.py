"""Tracers that move a frame from each of its lines to each other: which jumps are made, what is
said of the others, and what is told afterwards."""
import sys


class C:
    def __init__(self, suppress=False): self.suppress = suppress
    def __enter__(self): return self
    def __exit__(self, *a): return self.suppress


def loops(c):
    x = y = 0
    for i in c:
        x = i
        if i == 3:
            continue
        y = {}
    else:
        y = [], lambda: i
    while x < 6:
        x += 1
        y = x
    if c: x = 1
    else:
        x = 2
    return x, y


def handlers(c):
    x = y = z = 0
    try:
        x = 3
        1 / 0
    except ZeroDivisionError as e:
        y = 4
    except (KeyError,
            ValueError):
        y = 5
    else:
        y = 6
    return x, y, z


def clean_up(c):
    x = z = 0
    try:
        x = 3
    finally:
        z = 6
    for i in c:
        try:
            x = i
            break
        finally:
            z = 7
    return x, z


def managers(c):
    x = 0
    with C() as y:
        x = 1
    with C(True), C():
        x = 2
        raise KeyError
    return x


def definitions(c):
    x = 1

    def g(p=1,
          q=2):
        return p

    class A:
        x = 1
        y = g()
    del x
    x = c, A
    return


def move(function, line, to):
    first, told = function.__code__.co_firstlineno, []

    def tracer(frame, event, arg):
        if frame.f_code is not function.__code__ or len(told) > 30:
            return None
        here = frame.f_lineno - first
        told.append(f"{event[:1]}{here}")
        if event == "line" and here == line and not any(" " in t for t in told):
            try:
                frame.f_lineno = first + to
                told.append(f"to {to}")
            except ValueError as e:
                told.append(str(e).replace(str(first + to), str(to)))
        return tracer
    sys.settrace(tracer)
    try:
        result = function([3, 4])
    except Exception as e:
        result = e
    finally:
        sys.settrace(None)
    return f"{told} {type(result).__name__} {len(str(result)) < 20 and result}"


for function in loops, handlers, clean_up, managers, definitions:
    last = max(line for *_, line in function.__code__.co_lines() if line)
    last -= function.__code__.co_firstlineno
    for line in range(1, last + 1):
        for to in range(-1, last + 2):
            print(function.__name__, line, to, move(function, line, to))

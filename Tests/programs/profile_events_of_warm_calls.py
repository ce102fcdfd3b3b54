"""Profilers hear of each call in C, also where the code has been specialised for the functions
that it calls and what it keeps of them may look like anything."""
import sys

VALUES = {"str": "Ab c", "bytes": b"Ab c", "list": [1, 2], "dict": {1: 2}, "set": {3}, "int": 5,
          "float": 2.5, "tuple": (1, 2), "bytearray": bytearray(b"ab"), "complex": 2j,
          "frozenset": frozenset("a"), "range": range(3)}
METHODS = [(kind, name) for kind, value in VALUES.items() for name in sorted(dir(value))
           if name[0] != "_" and name not in ("clear", "pop", "popitem")]


def counted(function):
    told = []

    def hear(frame, event, arg):
        if frame.f_code.co_filename == "<warm>":
            told.append(event if event[:2] != "c_" else f"{event} {arg.__name__}")
    sys.setprofile(hear)
    try:
        function(VALUES)
    finally:
        sys.setprofile(None)
    return told


for kind, name in METHODS:
    space = {}
    exec(compile(f"def once(values):\n    x = values[{kind!r}]\n    return id(x.{name}())\n"
                 f"def inner(values):\n    x = values[{kind!r}]\n    return id(id(x.{name}()))\n",
                 "<warm>", "exec"), space)
    for function in space["once"], space["inner"]:
        try:
            for _ in range(80):
                function(VALUES)
        except (TypeError, ValueError):
            continue
        print(kind, name, *counted(function))

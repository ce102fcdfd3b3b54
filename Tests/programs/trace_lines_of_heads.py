# The lines that a tracer is told of functions that begin on the line of their head.
import sys

BODIES = ["(lambda b, *, c\n =d: [b, c])(1)", "(lambda b, c\n =d: [b, c])(1)", "(lambda b, c:\n [b, c])(1,\n 2)",
          "(lambda b, *, c\n =a: [b, c])(1)", "(lambda b, *, c\n =3: [b, c])(1)", "g = d(\n  1)",
          "(lambda b, e=1, *, c\n =d: [b, c])(1)", "(lambda b, *, e=\n a, c\n =d: [b, c])(1)"]


def tracer(frame, event, arg):
    if frame.f_code.co_filename == "<heads>":
        events.append((event, frame.f_code.co_name, frame.f_lineno))
    return tracer


for body in BODIES:
    for text in f"def f(a): {body}\nf(1)\n", f"f = lambda a: ({body.removeprefix('g = ')})\nf(1)\n":
        code = compile(text, "<heads>", "exec")
        events = []
        sys.settrace(tracer)
        exec(code, {"d": abs})
        sys.settrace(None)
        print(repr(text), events)

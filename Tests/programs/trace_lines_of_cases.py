# The lines that a tracer is told where a case ends: by each kind of statement, also one without code
# or one that is not run, and where guards fail.
import sys

ENDS = [
    "while e > 0:\n    e -= 1",
    "while e > 0:\n    e -= 1\nelse:\n    global u_0",
    "while True:\n    if e: break\n    e = 1\n    few(e)",
    "for i in range(e):\n    x = i",
    "for i in range(e):\n    x = i\nelse:\n    if e > 1:\n        x = 2",
    "with C():\n    if e:\n        x = 2",
    "try:\n    x = few(e)\nexcept ValueError:\n    x = 1",
    "try:\n    1 // e\nexcept ZeroDivisionError:\n    x = 1\nelse:\n    if e > 1:\n        x = 3",
    "try:\n    x = few(e)\nfinally:\n    x = 1",
    "def inner():\n    pass",
    "@few\ndef inner():\n    pass",
    "class Inner:\n    x = 1",
    "match e:\n    case 1:\n        x = 2",
    "match e:\n    case 1 if a:\n        x = 2\n    case 3:\n        x = 3",
    "match e:\n    case 1:\n        x = 2\n    case _:\n        x = 3",
    "match e:\n    case 1:\n        x = 3\n    case _ if a == 'b':\n        global u_2",
    "if e == 2:\n    x = 1\nelif e:\n    x = 2",
    "if e:\n    x = 1\nelse:\n    global u_3",
    "x = 1\npass",
    "x = 1\nglobal u_4",
    "few('a').replace(\n    'a', few(\n    'b')\n)",
    "x = y = 1\ndel (x,\n    y)",
    "assert few(\n    1), few(\n    2)",
    "x = [\n    few(1),\n    few(e)]",
    "e += few(\n    1)",
    "'text'",
    "if e:\n    return few(\n        1)",
    "if e:\n    raise ValueError(\n        1)",
]
CASES = [
    ["case 1:"],
    ["case 1:", "case 'a':", "case (1,):"],
    ["case 1 if e:", "case 'a' if few(\n        e):", "case _:"],
    ["case 1:", "case _ if e:"],
    ["case 1:", "case _ if few(\n        e):"],
    ["case x if e:", "case _:"],
]
AROUND = [
    "{}",
    "{}\nfew(2)",
    "for j in 0, 1:\n    {}\nfew(2)",
    "try:\n    {}\nexcept KeyError:\n    pass",
]


class C:
    def __enter__(self):
        pass

    def __exit__(self, *exc):
        pass


def few(x):
    return x


def indented(text, by="    "):
    return text.replace("\n", "\n" + by)


def lines(code, *args):
    told = []

    def hear(frame, event, arg):
        if frame.f_code is code and event == "line":
            told.append(frame.f_lineno)
        return hear
    sys.settrace(hear)
    try:
        f(*args)
    except ValueError:
        told.append("ValueError")
    finally:
        sys.settrace(None)
    return told


class Subject:
    def __del__(self):
        print("subject")


for around in AROUND:
    for cases in CASES:
        for end in ENDS:
            match = "match a:"
            for i, case in enumerate(cases):
                body = indented(f"\n{end}".replace("u_", f"u_{i}_"), " " * 8)
                match += f"\n    {case}{body}"
            text = "def f(a, e):\n    " + indented(around.replace("{}", indented(match)
                                                      if "    {}" in around else match))
            exec(text)
            print([lines(f.__code__, a, e) for a in ("a", 1, (1,)) for e in (0, 1)])


# A default case has no need of its subject.
def dropped():
    match Subject():
        case 1:
            print("one")
        case _ if print("guard"):
            pass
    print("behind")


dropped()

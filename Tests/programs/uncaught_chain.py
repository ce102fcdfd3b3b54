"""Tracebacks with cause, context, suppressed context, notes, carets."""
import sys
import traceback


class AppError(Exception):
    def __init__(self, code, *args):
        super().__init__(code, *args)
        self.code = code

    def __str__(self):
        return f"app error {self.code}"


def parse(text):
    return int(
        text,
        10,
    )


def load(cfg):
    try:
        return parse(cfg["value"])
    except ValueError as e:
        e.add_note("bad configuration")
        raise AppError(3) from e


def outer(cfg):
    try:
        load(cfg)
    except AppError:
        undefined_name + 1


def run(f, *a):
    try:
        f(*a)
    except BaseException:
        traceback.print_exc(file=sys.stdout)
        print("-" * 20)


run(outer, {"value": "x"})
run(load, {})
run(lambda: (1 +
             2 /
             0))


def suppressed():
    try:
        1 / 0
    except ZeroDivisionError:
        raise KeyError("k") from None


def cycle():
    e = ValueError("self")
    e.__cause__ = e
    raise e


def rec(n):
    if n == 0:
        raise OverflowError("bottom")
    rec(n - 1)


def mutual_a(n):
    mutual_b(n)


def mutual_b(n):
    mutual_a(n + 1) if n < 5 else None.x


def star(*a, **k):
    return a[9]


def long_call():
    return star(1, 2,
                *[3], **{"k": 4},
                ) + star(
        5)


def attr():
    class A:
        pass
    a = A()
    a.b = A()
    return a.b.c.d


def sub():
    d = {"a": {"b": [1, 2]}}
    return d["a"]["b"][7]["c"]


def mix():
    x = 1
    return x.real + (x + "é" * 2) * 3


def wide():
    日本 = 0
    return "日本語" + 日本 / 0


def comp():
    return [y for x in (1, 0) for y in [1 / x]]


def comp2():
    return {k: v for k, v in [(1,)]}


def unpack():
    a, (b, *c), d = 1, (), 3


def unpack2():
    a, b = 1, 2, 3


def asrt():
    assert 1 == 2, ("a", 1)


def asrt2():
    x = 3
    assert x < 2


def dele():
    x = 1
    del x
    return x


def callnone():
    f = None
    f(1)(2)


def imp():
    from sys import nopath


def imp2():
    import no_such_module_here.sub


def aug():
    l = [1]
    l[0] += "a"


def lam():
    (lambda: (lambda: 1 / 0)())()


def multi():
    return (sorted([3, 1, 2], key=lambda v: v.x)
            if True else 0)


def ctx():
    with open("/nonexistent/file") as f:
        pass


def raise_class():
    raise KeyError


def raise_int():
    raise 3


def raise_from():
    raise ValueError from 3


def exit_():
    sys.exit("msg")


def empty():
    raise Exception


def multiline():
    raise ValueError("line one\nline two")


def badstr():
    class B(Exception):
        def __str__(self):
            raise 1 / 0
    raise B()


for f in (suppressed, cycle, long_call, attr, sub, mix, wide, comp, comp2, unpack, unpack2, asrt, asrt2, dele, callnone, imp, imp2, aug, lam, multi, ctx, raise_class, raise_int, raise_from, exit_, empty, multiline, badstr):
    run(f)
run(rec, 8)
run(mutual_a, 0)
run(exec, "def g():\n  1/0\ng()")
run(eval, "1 +")
run(compile, "x = (1,\ny = 2", "file.py", "exec")
run(exec, "if 1:\n  a\n b")
run(exec, "for x in range(3) print(x)")
run(exec, "f(a for a in b, c)")
outer({"value": "uncaught"})

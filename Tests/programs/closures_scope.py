"""Closures, scopes, comprehensions, defaults, globals, annotations."""
import inspect
import types


def make(n):
    def inc(k=1):
        nonlocal n
        n += k
        return n

    def get():
        return n
    return inc, get


inc, get = make(5)
print(inc(), inc(3), get(), inc.__closure__[0].cell_contents, inc.__code__.co_freevars, make.__code__.co_cellvars)
fs = [lambda: i for i in range(3)]
gs = [lambda i=i: i for i in range(3)]
print([f() for f in fs], [g() for g in gs])
x = "global"


class C:
    x = "class"
    y = [x for _ in range(1)]

    def f(self):
        return x

    z = (lambda: x)()
    w = [a for a in x]


print(C.y, C().f(), C.z, C.w)


def default(a, l=[], *args, k={"d": 1}, **kw):
    l.append(a)
    return l, args, k, kw


print(default(1), default(2), default(3, [9], 4, 5, k=6, z=7), default.__defaults__, default.__kwdefaults__)


def deleter():
    y = 1

    def g():
        return y
    del y
    return g


try:
    deleter()()
except NameError as e:
    print(type(e).__name__, e)


def unbound():
    print(x)
    x = 1


try:
    unbound()
except UnboundLocalError as e:
    print(e)


def excvar():
    try:
        1 / 0
    except ZeroDivisionError as e:
        pass
    return e


try:
    excvar()
except UnboundLocalError as e:
    print(e)


def glob():
    global newglobal
    newglobal = [1]
    return sorted(k for k in locals())


print(glob(), newglobal)
print([(a, b) for a in range(3) if a for b in range(a) if b != 1], {a: b for a, b in zip("ab", (1, 2))}, {c for c in "aab"} == {"a", "b"}, [y := 5, y ** 2], [last := v for v in range(3)], last)


def annotated(a: int, b: "str" = 3, *c: list[int], d: dict[str, int] | None = None) -> "ret":
    v: int = 1
    w: undefined_is_fine
    return inspect.signature(annotated)


print(annotated(1), annotated.__annotations__)
z: int = 3
q: "later"
print(__annotations__)


def compose(*fs):
    return lambda v: [v := f(v) for f in fs][-1] if fs else v


print(compose(lambda v: v + 1, str, lambda s: s * 2)(4))


def curry(f):
    n = f.__code__.co_argcount

    def step(*a):
        return f(*a) if len(a) >= n else lambda *b: step(*a, *b)
    return step


print(curry(lambda a, b, c: a + b * c)(1)(2)(3))
ns = {}
exec("a = 1\ndef f(): return a + b\nb = 2", ns)
print(ns["f"](), eval("a * b + c", ns, {"c": 10}), eval("[a for _ in range(2)]", ns))


def locs(a, *b, **c):
    d = 1
    del a
    return locals()


print(locs(1, 2, k=3))
f2 = types.FunctionType(get.__code__, {}, "renamed", None, (types.CellType(99),))
print(f2(), f2.__name__, f2.__qualname__)


def counter():
    counter.n = getattr(counter, "n", 0) + 1
    return counter.n


counter()
print(counter(), counter.__dict__)
for i in range(3):
    for j in range(3):
        if j == 2:
            break
    else:
        print("never")
else:
    print("for else", i, j)
n = 0
while n < 3:
    n += 1
    if n == 2:
        continue
else:
    print("while else")


def fin():
    for i in range(3):
        try:
            if i == 1:
                return "ret"
        finally:
            if i == 0:
                continue
            print("finally", i)


print(fin())


def order(tag, v=None):
    print(tag, end=" ")
    return v


{order("k1", 1): order("v1"), **order("d", {}), order("k2", 2): order("v2")}
order("f", print)(order("a"), *order("s", []), k if (k := order("kw", "")) else "", **order("dd", {}))
a = [0, 1, 2]
i = 0
i, a[i] = 1, 9
print(a, a[order("i", 0)])
a[order("x", 0)], b = order("rhs", (1, 2))
first, *mid, last = range(5)
(p, [q2, *r]), s = (1, "abc"), 2
print(first, mid, last, p, q2, r, s, 1 < 2 < 3 != 4, 1 < 3 > 2, not 1 == 2, [] or {} or "z", 1 and 0 and 1)
for bad in (lambda: types.FunctionType(get.__code__, {}), lambda: types.FunctionType(3, {}), lambda: get.__closure__[0].cell_contents.x, lambda: types.CellType().cell_contents, lambda: setattr(get, "__code__", inc.__code__.__class__), lambda: setattr(get, "__defaults__", 1), lambda: setattr(get, "__name__", 1), lambda: eval("1", 3), lambda: exec(3), lambda: eval("x = 1"), lambda: setattr(get, "__code__", (lambda: 0).__code__), lambda: delattr(get, "__code__"), lambda: inspect.signature(3), lambda: inspect.signature(annotated).bind(), lambda: globals()["nope"], lambda: inc(1, 2), lambda: get.__globals__.zz):
    try:
        print("ok", bad())
    except Exception as e:
        print(type(e).__name__, e)
fs[0](1)

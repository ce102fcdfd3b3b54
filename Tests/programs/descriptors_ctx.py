"""Context managers, ExitStack, decorators with arguments, and descriptors."""
import contextlib
import functools
import io


class Trace:
    depth = 0

    def __init__(self, name, swallow=()):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("  " * Trace.depth + "enter " + self.name)
        Trace.depth += 1
        return self

    def __exit__(self, typ, val, tb):
        Trace.depth -= 1
        print("  " * Trace.depth + "exit " + self.name, typ.__name__ if typ else None, val, tb is not None and tb.tb_lineno)
        return typ is not None and issubclass(typ, self.swallow)


with Trace("a") as a, Trace("b", ZeroDivisionError) as b:
    1 / 0
print("after")
try:
    with Trace("outer"):
        with Trace("inner", KeyError):
            raise ValueError("v")
except ValueError as e:
    print(repr(e))


def leave():
    for i in range(3):
        with Trace(f"loop{i}"):
            if i == 0:
                continue
            if i == 1:
                break
    with Trace("ret"):
        return "value"


print(leave())


@contextlib.contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    except LookupError as e:
        print("handled", repr(e))
    finally:
        print(f"</{name}>")


with tag("p") as t:
    print(t)
    raise KeyError("gone")


@tag("deco")
def inside(x):
    print("in", x)


inside(3)
inside(4)
with contextlib.ExitStack() as stack:
    for n in "xyz":
        stack.enter_context(tag(n))
    stack.callback(print, "callback", 1)
    stack.push(lambda *a: print("push", a[0]) or True)
    raise RuntimeError("in stack")
buf = io.StringIO()
with contextlib.redirect_stdout(buf), contextlib.suppress(TypeError):
    print("captured")
    len(3)
print(repr(buf.getvalue()))
with contextlib.closing(io.StringIO("q")) as q, contextlib.nullcontext(5) as five:
    print(q.read(), five)
print(q.closed)


def never():
    if 0:
        yield


def twice():
    yield 1
    yield 2


for g in (never, twice):
    try:
        with contextlib.contextmanager(g)():
            pass
    except RuntimeError as e:
        print(e)


class NoExit:
    def __enter__(self):
        pass


class NoEnter:
    def __exit__(self, *a):
        pass


class AsyncOnly:
    async def __aenter__(self):
        pass

    async def __aexit__(self, *a):
        pass


for o in (NoExit(), NoEnter(), 3, AsyncOnly()):
    try:
        with o:
            pass
    except TypeError as e:
        print(e)


def retry(times, exc=Exception):
    def deco(f):
        @functools.wraps(f)
        def wrap(*a, **k):
            for i in range(times):
                try:
                    return f(*a, **k)
                except exc as e:
                    print(f"try {i + 1}: {e!r}")
            raise RuntimeError(f"{f.__qualname__} failed") from None
        wrap.calls = times
        return wrap
    return deco


state = iter([0, 0, 5])


@retry(3, ZeroDivisionError)
def flaky(n, /, *, scale=1):
    "Flaky doc."
    return n / next(state) * scale


print(flaky(10, scale=2), flaky.__name__, flaky.__doc__, flaky.calls, flaky.__wrapped__.__kwdefaults__)


class lazy:
    def __init__(self, f):
        self.f = f

    def __set_name__(self, o, n):
        self.n = n

    def __get__(self, o, t=None):
        if o is None:
            return self
        print("compute", self.n)
        v = o.__dict__[self.n] = self.f(o)
        return v


class data:
    def __get__(self, o, t=None):
        return ("get", o is None, t.__name__)

    def __set__(self, o, v):
        print("set", v)

    def __delete__(self, o):
        print("delete")


class C:
    d = data()

    @lazy
    def val(self):
        return 42

    @functools.cached_property
    def cp(self):
        print("cp once")
        return []


c = C()
print(c.val, c.val, C.d, c.d, c.cp is c.cp)
c.__dict__["d"] = "shadow"
print(c.d)
c.d = 3
del c.d
del c.val
print(c.val, sorted(vars(c)))


@functools.singledispatch
def show(x):
    return f"obj {x}"


@show.register
def _(x: int):
    return f"int {x}"


@show.register(list)
@show.register(tuple)
def _(x):
    return "seq " + ",".join(show(i) for i in x)


print(show(1), show("s"), show([1, (2, "x")]), show(True))
show()

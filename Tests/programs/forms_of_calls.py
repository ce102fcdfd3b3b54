"""Every way to call, by frames of every kind; what arrives is compared. Collections come all
the time, and run Python."""
import functools
import gc
import operator
import sys
import threading
from collections import Counter


class Garbage:
    def __init__(self):
        self.me = self

    def __del__(self):
        deep(4, 1, "b", k=2)


def deep(n, *args, **kwargs):
    if not n:
        raise LookupError(args, kwargs)
    try:
        return [x for x in (n, *args)] + deep(n - 1, *args, n, **kwargs)
    except LookupError as error:
        return list(error.args)


def tell(*args, **kwargs):
    return args, kwargs


def fixed(a, b, c=3, *, d=4, e=(5,)):
    return a, b, c, d, e


def rest(a, *args, k=None, **kwargs):
    return a, args, k, kwargs


def positional(a, b=[2], /, c=3):
    return a, b, c


def gen(*args, k=0, **kwargs):
    for x in args:
        got = yield x, k, kwargs
        if got is not None:
            yield ("sent", got)


async def coro(*args, **kwargs):
    return args, kwargs


def run_coro(c):
    try:
        c.send(None)
    except StopIteration as stop:
        return stop.value


class Plain:
    def __init__(self, *args, **kwargs):
        self.got = args, kwargs


class Fixed:
    def __init__(self, a, b=2, *, c=3):
        self.got = a, b, c


class Slots:
    __slots__ = "got",

    def __init__(self, a, *args):
        self.got = a, args


class Child(Plain):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, extra=len(args), **kwargs)


class New:
    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        self.made = args, kwargs
        return self

    def __init__(self, *args, **kwargs):
        self.got = self.made, args, kwargs


class Meta(type):
    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        made.got = ("meta", made.got)
        return made


class Made(metaclass=Meta):
    def __init__(self, *args, k=1):
        self.got = args, k


class Table(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.got = sorted(self)


class Thing:
    def __init__(self, value):
        self.value = value

    def __call__(self, *args, **kwargs):
        return self.value, args, kwargs

    def method(self, a, b=2, *args, **kwargs):
        return self.value, a, b, args, kwargs

    @classmethod
    def make(cls, *args):
        return cls(args).value

    @staticmethod
    def static(*args, **kwargs):
        return args, kwargs

    @property
    def prop(self):
        return [self.value]

    @prop.setter
    def prop(self, value):
        self.value = value,

    def __getattr__(self, name):
        return self.value, name

    def __add__(self, other):
        return ("add", self.value, tell(*[other])[0])

    __radd__ = __mul__ = __iadd__ = __add__

    def __neg__(self):
        return [self.value, "neg"]

    def __getitem__(self, key):
        return self.value, key

    def __contains__(self, item):
        return tell(item, k=1) == ((item,), {"k": 1})

    def __eq__(self, other):
        return ("eq", self.value, other)

    def __lt__(self, other):
        return bool(tell(other)) and self.value is not None

    def __bool__(self):
        return bool([self.value])

    def __iter__(self):
        return iter([self.value, (self.value,)])

    def __enter__(self, *args):
        return self, args

    def __exit__(self, *args):
        self.value = [a if a is None else type(a) for a in args[:2]]
        return True

    __hash__ = None


class Steps:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if not self.n:
            raise StopIteration
        self.n -= 1
        return [self.n]


def calls(i):
    """[(what, what it has to give, what it gave)]"""
    a, b, args, kwargs = [i], (i, str(i)), (i, str(i), [i], i + 0.5), {"x": [i], "y": (i,)}
    thing, bound = Thing(a), Thing(b).method
    found = []

    def give(expected, got):
        found.append((len(found), expected, got))
    give((args, {}), tell(*args))
    give((args, kwargs), tell(*args, **kwargs))
    give(((a, *args, b), {"z": a, **kwargs}), tell(a, *args, b, z=a, **kwargs))
    give((args, {}), tell(*(x for x in args)))
    give((a, b, 3, 4, (5,)), fixed(a, b))
    give((a, b, args, 4, kwargs), fixed(a, c=args, b=b, e=kwargs))
    give((a, b, [i], b, (5,)), fixed(*(a, b), **{"c": [i], "d": b}))
    give((a, args, b, kwargs), rest(a, *args, k=b, **kwargs))
    give((a, [2], 3), positional(a))
    give((a, b, args), positional(a, b, c=args))
    give([(a, b, kwargs), (b, b, kwargs)], list(gen(a, b, k=b, **kwargs)))
    g = gen(*args)
    give([(i, 0, {}), ("sent", [a]), (str(i), 0, {})], [next(g), g.send([a]), next(g)])
    give((args, kwargs), run_coro(coro(*args, **kwargs)))
    give((args, {}), Plain(*args).got)
    give((args, kwargs), Plain(*args, **kwargs).got)
    give(((a, b), {"k": i}), Plain(a, b, k=i).got)
    give((a, 2, 3), Fixed(a).got)
    give((a, b, args), Fixed(a, b, c=args).got)
    give((a, b, args), Fixed(*(a, b), **{"c": args}).got)
    give((a, args), Slots(a, *args).got)
    give((args, {"extra": 4, **kwargs}), Child(*args, **kwargs).got)
    give(((args, kwargs), args, kwargs), New(*args, **kwargs).got)
    give(("meta", (args, b)), Made(*args, k=b).got)
    give(["x", "y"], Table(**kwargs).got)
    give((a, args, kwargs), thing(*args, **kwargs))
    give((a, (b,), {}), thing(b))
    give((b, a, 2, (), {}), bound(a))
    give((b, i, str(i), ([i], i + 0.5), kwargs), bound(*args, **kwargs))
    give((b, a, args, (), {"k": b}), bound(a, b=args, k=b))
    give((a, b, 2, (), {}), thing.method(b))
    give(args, Thing.make(*args))
    give((args, kwargs), thing.static(*args, **kwargs))
    give(((a, *args), {"k": b, **kwargs}), functools.partial(tell, a, k=b)(*args, **kwargs))
    give([a], thing.prop)
    give((a, "nothing"), thing.nothing)
    give(("add", a, (b,)), thing + b)
    give(("add", a, (i,)), i + thing)
    give(("add", a, (args,)), thing * args)
    give([a, "neg"], -thing)
    give((a, b), thing[b])
    give((a, slice(a, b)), thing[a:b])
    give(True, b in thing)
    give(("eq", a, b), thing == b)
    give(True, thing < b)
    give("yes", "yes" if thing else "no")
    first, *others = thing
    give((a, [(a,)]), (first, others))
    give([[2], [1], [0]], [x for x in Steps(3)])
    give([[2], [1], [0]], sorted(Steps(3), key=lambda x: -x[0]))
    give([(a, a), (b, b)], list(map(lambda x, y: (x, y), (a, b), (a, b))))
    give(args + args, functools.reduce(operator.add, [args, args]))
    give([((x, y), {}) for x in args for y in b], [tell(x, y) for x in args for y in b])
    with thing as (it, nothing):
        give(((), True), (nothing, it is thing))
        raise KeyError(*args)
    give([type, KeyError], thing.value)
    thing.prop = args
    give((args,), thing.value)
    match Plain(*args):
        case Plain(got=((_, str() as text, [item], *_), {})):
            give((str(i), i), (text, item))
    try:
        fixed(*args, *args)
    except TypeError as error:
        give("fixed() takes from 2 to 3 positional arguments but 8 were given", str(error))
    try:
        rest(a, *args, **kwargs, **{"x": 1})
    except TypeError as error:
        give("__main__.rest() got multiple values for keyword argument 'x'", str(error))
    give(f"{i!r:>5}{[i]}{thing.value!s}", "".join([format(repr(i), ">5"), str([i]), str((args,))]))
    return found


wrong = Counter()


def judge(where, results):
    for number, expected, got in results:
        if not (expected is got or expected == got) or type(expected) is not type(got):
            wrong[where, number] += 1
    return len(results)


def in_generator(i):
    yield from calls(i)


async def in_coroutine(i):
    return calls(i)


class InBody:
    found = calls(1)


def in_thread(i):
    found = []
    thread = threading.Thread(target=lambda *args, **kwargs: found.extend(calls(*args)), args=(i,),
                              kwargs={"k": i})
    thread.start()
    thread.join()
    return found


def traced(setter, i):
    def observe(frame, event, arg):
        return observe
    setter(observe)
    try:
        return calls(i)
    finally:
        setter(None)


WAYS = {
    "function": calls,
    "generator": lambda i: list(in_generator(i)),
    "generator inside": lambda i: [x for y in (calls(i),) for x in y],
    "coroutine": lambda i: run_coro(in_coroutine(i)),
    "C": lambda i: list(map(calls, [i]))[0],
    "thread": in_thread,
    "tracer": lambda i: traced(sys.settrace, i),
    "profiler": lambda i: traced(sys.setprofile, i),
    "finalizer": lambda i: next(finalized(i)),
}


def finalized(i):
    found = []

    class Late:
        def __init__(self):
            self.me = self

        def __del__(self):
            found.extend(calls(i))
    Late()
    gc.collect()
    yield found


done = judge("class body", InBody.found)
for threshold in 1, 2, 5, 13:
    gc.set_threshold(threshold)
    for way, run in WAYS.items():
        for i in range(2):
            Garbage()
            done += judge(way, run(i))
gc.set_threshold(700)
print(done, "results, wrong:", dict(wrong))

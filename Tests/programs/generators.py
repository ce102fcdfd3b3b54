"""Generators: send, throw, close, yield from, return values, expressions."""
import itertools


def averager():
    total = n = 0
    avg = None
    while True:
        try:
            x = yield avg
        except ValueError as e:
            print("caught", e)
            total = n = 0
            continue
        if x is None:
            return (total, n)
        total += x
        n += 1
        avg = total / n


def collect(results):
    while True:
        r = yield from averager()
        results.append(r)


out = []
g = collect(out)
next(g)
for x in (1, 2, 3, None, 10, 20):
    print(g.send(x), end=" ")
print(g.throw(ValueError("reset")), g.send(5), g.send(None), out)
g.close()
try:
    g.send(1)
except StopIteration as e:
    print("stopped", e.value)


def walk(tree):
    if isinstance(tree, list):
        for t in tree:
            yield from walk(t)
    else:
        yield tree


print(list(walk([1, [2, [3, [4, [5]]], 6], [], [[7]]])))


def stubborn():
    for _ in range(2):
        try:
            yield 1
        except GeneratorExit:
            print("no")


s = stubborn()
next(s)
try:
    s.close()
except RuntimeError as e:
    print(e)
del_me = None


def cleanup():
    try:
        yield "in"
    finally:
        print("cleaned")


c = cleanup()
print(next(c))
del c


def bad():
    yield 1
    raise StopIteration(3)


b = bad()
next(b)
try:
    next(b)
except RuntimeError as e:
    print(repr(e), repr(e.__cause__))


def reenter():
    yield next(me)


me = reenter()
try:
    next(me)
except ValueError as e:
    print(e)
g = averager()
try:
    g.send(1)
except TypeError as e:
    print(e)
for bad_throw in ((1,), (ValueError, ValueError(1), 3), (ValueError("a"), 2)):
    try:
        averager().throw(*bad_throw)
    except TypeError as e:
        print(e)


def primes():
    seen = {}
    for q in itertools.count(2):
        p = seen.pop(q, None)
        if p is None:
            yield q
            seen[q * q] = [q]
        else:
            for r in p:
                seen.setdefault(r + q, []).append(r)


print(list(itertools.islice(primes(), 30)))
gen = (i * j for i in range(4) for j in range(i) if (i + j) % 2)
print(type(gen).__name__, gen.gi_running, gen.gi_frame is not None, list(gen), gen.gi_frame)


class It:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration("done")
        return self.n

    def send(self, v):
        print("sent", v)
        return next(self)

    def throw(self, *a):
        print("thrown", a[0])
        return -1


def deleg():
    r = yield from It(3)
    print("result", r)


d = deleg()
print(next(d), d.send(7), d.throw(KeyError("k")), list(d))


def pipeline(*stages):
    def run(src):
        for st in stages:
            src = st(src)
        return src
    return run


def mapper(f):
    def st(src):
        for x in src:
            yield f(x)
    return st


def chunk(n):
    def st(src):
        buf = []
        for x in src:
            buf.append(x)
            if len(buf) == n:
                yield tuple(buf)
                buf = []
        if buf:
            yield tuple(buf)
    return st


print(list(pipeline(mapper(lambda x: x * x), chunk(3))(range(10))))


def counter():
    i = 0
    while True:
        jump = yield i
        i = jump if jump is not None else i + 1


c = counter()
print([next(c), next(c), c.send(10), next(c)])


def exc_state():
    try:
        raise KeyError("inner")
    except KeyError:
        yield 1
        raise


e = exc_state()
next(e)
try:
    try:
        raise ValueError("outer")
    except ValueError:
        next(e)
except KeyError as k:
    print(repr(k), repr(k.__context__))
print(sum(1 for _ in itertools.takewhile(lambda p: p < 1000, primes())))


def failing():
    yield 1
    yield from (1 // x for x in (1, 0))


list(failing())

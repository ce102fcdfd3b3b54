"""functools.partial() with keywords: merged, overridden, odd, and what happens meanwhile."""
from functools import partial


def any_(*a, **k): return a, k
def three(a, b, c=0): return a, b, c


def tried(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception as e:
        return type(e).__name__, str(e)


class Name(str):
    pass


p = partial(any_, 1, x=2, y=3)
b2 = partial(three, 1, b=2)
for _ in range(300):
    results = [
        p(), p(5), p(y=9), p(z=1, x=8), p(**{''.join(['x', '']): 7}), p(*range(20)),
        p(**{'k%d' % i: i for i in range(20)}), tried(b2), tried(b2, 3), tried(b2, c=4),
        tried(b2, d=4), tried(b2, b=5), partial(dict, a=1)(b=2, a=3), partial(int, base=16)('ff'),
        partial(p, x=10)(y=11), tried(partial(sorted, key=lambda x: -x), [1, 2]),
        partial(any_, x=1)(**{Name('x'): 4}),
    ]
for result in results:
    print(result)
partial(print, sep='-', end='|\n')(1, 2)

changed = partial(any_, x=1)
changed.keywords['w'] = 2
print(changed())
changed.keywords[3] = 1
print(tried(changed))


def replaces(**k):
    """The partial object is gone while it is called."""
    global held
    held = None
    return k


held = partial(replaces, a=[1])
print(held(b=2))


def keeps(**k):
    k['more'] = 1
    return k


held = partial(keeps, a=1)
print(held(), held(), held.keywords)


class Loud:
    def __init__(self, name): self.name = name
    def __del__(self): print('del', self.name, end=' ')


def uses(a, b, **k): return 1
held = partial(uses, Loud('a'), k=Loud('k'))
print(held(Loud('b'), m=Loud('m')))
held = None
print(tried(partial(uses, k=Loud('k')), m=Loud('m')))


class Kin(partial):
    pass


class CallsItself(partial):
    def __call__(self, *args):
        return "itself", args


class WithoutDict(partial):
    __slots__ = ()


# One partial is made of two, of subclasses as well, unless the inner one is more than its parts.
for inner in Kin, CallsItself, WithoutDict, partial:
    for outer in Kin, CallsItself, WithoutDict, partial:
        plain = outer(inner(int, base=2), "11")
        named = inner(int, base=2)
        if inner is not WithoutDict:
            named.name = 1
        named = outer(named, "11")
        print(inner.__name__, outer.__name__, plain.func is int, plain.args, plain.keywords,
              named.func is int, plain(), named())

"""Calls that hand their arguments on: decorators' wrappers, **kwargs, keywords in and out of the
order of the parameters, mappings given to **. Often enough to be compiled."""
import functools
import sys


def tried(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception as e:
        return type(e).__name__, str(e)


def three(a, b, c): return a, b, c
def defaults(a, b=2, c=3): return a, b, c
def only_kw(a, *, x, y=5): return a, x, y
def kw_defaults(*, p=1, q=2): return p, q
def positional(a, b, /, c): return a, b, c
def posonly_kw(a, /, **k): return a, k
def any_(*a, **k): return a, k
def first_any(a, *r, **k): return a, r, k
def between(a, *r, x=7, **k): return a, r, x, k
def rest(*r): return r
def named(**k): return k
def celled(a, b, c): return (lambda: (a, b, c))()
def generator(a, b, c=0):
    yield a
    yield b
    yield c


def wrap(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner


def wrap_self(f):
    def inner(a, *args, **kwargs):
        return f(a, *args, **kwargs)
    return inner


def wrap_changed(f):
    def inner(*args, **kwargs):
        before = dict(kwargs)
        kwargs['c'] = 'changed'
        return f(*args, **kwargs), before, kwargs
    return inner


functions = [three, defaults, only_kw, kw_defaults, positional, posonly_kw, any_, first_any,
             between, rest, named, celled]
wrappers = [wrap, wrap_self, wrap_changed, lambda f: wrap(wrap(f)), lambda f: f]
calls = [
    ((), {}), ((1,), {}), ((1, 2), {}), ((1, 2, 3), {}), ((1, 2, 3, 4), {}),
    ((1,), {'b': 2, 'c': 3}), ((1,), {'c': 3, 'b': 2}), ((), {'a': 1, 'b': 2, 'c': 3}),
    ((), {'c': 3, 'b': 2, 'a': 1}), ((1, 2), {'b': 3}), ((1,), {'z': 1}), ((1, 2, 3), {'a': 4}),
    ((1,), {'x': 2}), ((1,), {'y': 2}), ((1,), {'y': 2, 'x': 3}), ((1,), {'x': 2, 'y': 3, 'z': 4}),
    ((), {'p': 8}), ((), {'q': 8, 'p': 9}), ((), {'q': 8, 'r': 9}), ((1, 2), {'x': 1, 'c': 2}),
    ((1,), {'a': 1, 'b': 2}), ((1,), {'b' + 'c'[:0]: 2, ''.join('c'): 3}),
    ((1,), {''.join(('n', 'ew')): 2}), ((1, 2, 3, 4, 5), {'x': 6, 'k': 7}),
]
for make in wrappers:
    for f in functions:
        wrapped = make(f)
        for args, kwargs in calls:
            for i in range(30):
                result = tried(wrapped, *args, **kwargs)
            print(f.__name__, args, kwargs, result)

# Keywords written at the call.
for f in functions:
    def written():
        return [tried(lambda: f(1, b=2, c=3)), tried(lambda: f(1, c=3, b=2)),
                tried(lambda: f(a=1, c=3, b=2)), tried(lambda: f(1, y=2, x=3)),
                tried(lambda: f(x=3, y=2, a=1)), tried(lambda: f(q=3)), tried(lambda: f(1, 2, b=3)),
                tried(lambda: f(*(1,), c=3, **{'b': 2})), tried(lambda: f(**{'a': 1}, b=2, c=4)),
                tried(lambda: f(1, **{'b': 2}, **{'b': 3}))]
    for i in range(300):
        result = written()
    print(f.__name__, result)


# Names that are equal, but not the same, or of a subclass of str; keys that are no strs.
class Name(str):
    pass


class Odd(str):
    def __eq__(self, other): return str(self) + '!' == other
    __hash__ = str.__hash__


def spread(f, mapping): return f(1, **mapping)


for f in functions:
    for mapping in ({Name('b'): 2, 'c': 3}, {''.join(['b', '']): 2, 'c': 3}, {Odd('b'): 2, 'c': 3},
                    {1: 2}, {'c': 1, None: 2}, {('b',): 1}):
        for i in range(30):
            result = tried(spread, f, mapping)
        print(f.__name__, mapping, result)


# What ** takes.
class Mapping:
    def __init__(self, *keys): self.names = keys
    def keys(self):
        print('keys', end=' ')
        return self.names
    def __getitem__(self, key):
        print('item', key, end=' ')
        return key * 2


class Keyless:
    def __getitem__(self, key): return 1


class Failing(Mapping):
    def __getitem__(self, key): raise ValueError(key)


class Dict(dict):
    def keys(self): return ['c', 'b']
    def __getitem__(self, key): return 'own ' + key


def starred(f, args, kwargs): return f(*args, **kwargs)
def one_more(f, args, kwargs): return f(*args, z=1, **kwargs)


for kwargs in (Mapping('b', 'c'), Mapping('b', 'b'), Mapping(1), Mapping(), Keyless(), 5, None,
               [('b', 1)], Failing('b'), Dict(b=1, c=2), {}, {'b': 1, 'c': 2}):
    for f in (three, any_, named, dict, print):
        for args in ((1,), [1], (), iter('x'), 5):
            for call in (starred, one_more):
                for i in range(3):
                    result = tried(call, f, args, kwargs)
                if 'object at' not in str(result):
                    print(f.__name__, type(kwargs).__name__, call.__name__, result)

# A dict that is handed on is not the caller's; nor is it what C code keeps.
kept = []


def keep(*args, **kwargs):
    kwargs['more'] = args
    kept.append(kwargs)
    return kwargs


class Kept(dict):
    pass


def forward(*args, **kwargs):
    first = keep(*args, **kwargs)
    second = keep(**kwargs)
    return first is second, first is kwargs, kwargs, first, second, Kept(**kwargs), dict(**kwargs)


for i in range(300):
    result = forward(1, n=2)
print(result, len(kept))
d = {'n': 1}
for i in range(300):
    keep(**d)
    keep(*(), **d)
print(d, kept[-1])


# The iterable of * may change the dict of **, which has been read before.
def changing(d):
    d['late'] = 1
    d.pop('n', None)
    yield 1


def read_before(d): return any_(*changing(d), **d), d


for i in range(300):
    result = read_before({'n': 1})
print(result)


# Order of evaluation, and of destruction.
def say(x):
    print(x, end=' ')
    return x


def evaluated():
    return any_(say(1), *say((2, 3)), say(4), a=say(5), **say({'b': 6}), c=say(7))


real, say_ = say, say
def say(x): return x
for i in range(300):
    evaluated()
say = real
print(evaluated())


class Loud:
    quiet = True
    def __init__(self, name): self.name = name
    def __del__(self):
        if not Loud.quiet:
            print('del', self.name, end=' ')


def uses(a, b=None, *r, k=None, **more): return 1
wrapped_uses = wrap(uses)


def dropped():
    wrapped_uses(Loud('a'), Loud('b'), Loud('c'), k=Loud('k'), m=Loud('m'))
    Loud.quiet or print('|', end=' ')
    tried(wrapped_uses)
    Loud.quiet or print('|', end=' ')
    tried(wrap(three), Loud('1'), Loud('2'), Loud('3'), Loud('4'))
    Loud.quiet or print('|', end=' ')
    tried(wrap(three), Loud('1'), b=Loud('2'), e=Loud('3'))
    Loud.quiet or print('|', end=' ')
    uses(Loud('x'), **{'k': Loud('y'), 'm': Loud('z')})


for i in range(300):
    dropped()
Loud.quiet = False
dropped()
print()
Loud.quiet = True


# Frames see real tuples and dicts.
def seen(*args, **kwargs): return sys._getframe(1).f_locals
def shows(*args, **kwargs): return seen(*args, **kwargs), locals()
def raises(*args, **kwargs): return fails(*args, **kwargs)
def fails(a, *, b): raise ValueError(a, b)


for i in range(300):
    result = shows(1, k=2)
    try:
        raises(1, b=i)
    except ValueError as e:
        frame = e.__traceback__.tb_next.tb_frame
        caught = e.args, frame.f_locals, frame.f_code.co_name
print(result, caught)


# Methods, classes, super(), partial().
class Base:
    def __init__(self, a, b=2, *, c=3): self.made = a, b, c
    def method(self, *args, **kwargs): return type(self).__name__, args, kwargs
    def exact(self, a, b, *, c): return a, b, c
    @classmethod
    def make(cls, *args, **kwargs): return cls(*args, **kwargs)
    @staticmethod
    def static(*args, **kwargs): return any_(*args, **kwargs)
    @wrap
    def wrapped(self, a, b=0): return a, b
    def __call__(self, *args, **kwargs): return any_(*args, **kwargs)


class Derived(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.more = super().method(*args, **kwargs)
    def exact(self, *args, **kwargs): return super().exact(*args, **kwargs)


class New:
    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        self.got = args, kwargs
        return self


class Bad:
    def __init__(self, *args): return args


def everything(args, kwargs):
    made = tried(Derived.make, *args, **kwargs)
    base = Base(1)
    return [getattr(made, 'made', made), getattr(made, 'more', None),
            getattr(tried(Base, *args, **kwargs), 'made', None),
            tried(base.method, *args, **kwargs),
            tried(base.exact, *args, **kwargs), tried(Derived(1).exact, *args, **kwargs),
            tried(base, *args, **kwargs), tried(base.wrapped, *args, **kwargs),
            Base.static(*args, **kwargs), New(*args, **kwargs).got, tried(Bad, *args, **kwargs),
            tried(functools.partial(three, 1), *args, **kwargs),
            tried(functools.partial(three, c=9), *args, **kwargs),
            tried(functools.partial(any_, 1, x=2), *args, **kwargs)]


for args, kwargs in calls:
    for i in range(60):
        result = everything(args, kwargs)
    print(args, kwargs, result)


# Generators, deep recursion, many arguments.
def whole(*args, **kwargs): return list(generator(*args, **kwargs))


def items(*args, **kwargs):
    yield any_(*args, **kwargs)
    yield tried(three, *args, **kwargs)
    yield tried(only_kw, *args, **kwargs)


def deep(n, *args, **kwargs): return len(args) if n == 0 else deep(*(n - 1, *args), **kwargs)


def endless(*args, **kwargs): return endless(*args, **kwargs)


for i in range(300):
    result = whole(1, b=2), list(items(1, x=2)), deep(20, 1, k=2)
print(result)
print(tried(endless, 1, k=2)[0])
many = {'k%d' % i: i for i in range(40)}
for i in range(100):
    result = any_(*range(300)), named(**many), first_any(*range(20), **many)
print(len(result[0][0]), result[1] == many, list(result[2][2]) == list(many))
code = 'def wide(%s, **k): return %s, k' % (', '.join(many), '+'.join(many))
exec(code)
for i in range(100):
    result = wide(**many), wide(**dict(reversed(many.items())), more=1)
print(result)


# Defaults that change.
def changeable(a, b=1, *, c=2, d=3): return a, b, c, d
def many_ways(): return (changeable(0), changeable(0, c=5), changeable(0, d=5), changeable(0, b=5),
                         wrap(changeable)(0, d=5))


for i in range(600):
    result = many_ways()
print(result)
changeable.__kwdefaults__['c'] = 'new'
print(many_ways())
changeable.__kwdefaults__ = {'d': 'other'}
print(tried(many_ways))
changeable.__kwdefaults__ = {'d': 'other', 'c': 'and'}
print(tried(many_ways))
changeable.__kwdefaults__ = None
print(tried(many_ways))
changeable.__defaults__ = None
print(tried(many_ways))
